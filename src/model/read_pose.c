// `pose:` and `turns:` of a model file: where bodies begin that are drawn elsewhere, and with which full turns of angles. What is drawn,
// places of joints and lengths of springs that follow from it, stays. `holonom static --pose` and `holonom assemble -o` write such maps.
#include "model/read.h"
#include "model/subsystem.h"

#include <math.h>
#include <string.h>

static const hol_option body_pose_rows[] = {
    {"position", HOL_VECTOR, "m", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "origin of the body frame"},
    {"angle", HOL_NUMBER, "rad", HOL_NONE, -HOL_INF, HOL_INF, HOL_ONLY_2D, NULL, "angle, counter-clockwise"},
    {"orientation", HOL_MAP, "", 0, 0, 0, HOL_ONLY_3D, "orientation", "orientation"},
    {"velocity", HOL_VECTOR, "m/s", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "velocity of that origin"},
    {"omega", HOL_NUMBERS, "rad/s", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "angular velocity: 2D one number, 3D [x, y, z] in global axes"},
    HOL_END_OPTIONS};
enum { POSITION, ANGLE, ORIENTATION, VELOCITY, OMEGA, N_KEYS };
const hol_object hol_body_pose_object = {.name = "body_pose", .rows = body_pose_rows};

static const hol_option pose_rows[] = {
    {"NAME", HOL_MAP, "", 0, 0, 0, 0, "body_pose", "where this body begins"}, HOL_END_OPTIONS};
const hol_object hol_pose_object = {
    .name = "pose",
    .rows = pose_rows,
    .pairs = true,
    .keys = "^[^ ]+$",
    .text =
        "Bodies begin where this map says, under their names, and the others as they are drawn; all are "
        "in the axes of "
        "the file that says it. Where files say it of one body, the outer one holds. Joints, markers and "
        "springs are those of the drawing. `holonom static MODEL "
        "--pose FILE` writes "
        "such a map of an equilibrium into a file, and `holonom assemble MODEL -o FILE` of the start, with "
        "velocities where "
        "there are any; `include` adds the file to the model.",
    .example = "pose:\n  crank: {position: [0.5, 0], angle: 30 deg, omega: 2}\n"};

// One number in the plane, else three.
static hol_status read_omega(const hol_reader *r, const hol_node *node, const hol_path *path,
                             const hol_value *v, double omega[3])
{
    const hol_path at = {path, "omega", 0, NULL};
    const int wanted = r->dimension == 3 ? 3 : 1;
    if (v->n != wanted)
        return hol_read_fail(r, node, &at, "%d number%s wanted", wanted, wanted > 1 ? "s are" : " is");
    memcpy(omega + 3 - wanted, v->list, (size_t)wanted * sizeof *omega);
    return HOL_OK;
}

// What is given of a frame.
static hol_status read_body(const hol_reader *r, const hol_node *node, const hol_path *path,
                            hol_spec_pose *out)
{
    hol_value v[N_KEYS];
    hol_status st = hol_read_object(r, &hol_body_pose_object, NULL, node, path, v);
    if (st) return st;
    out->position_given = v[POSITION].given;
    if (v[POSITION].given) memcpy(out->position, v[POSITION].list, sizeof out->position);
    out->turned = v[ANGLE].given || v[ORIENTATION].given;
    out->angle = v[ANGLE].given ? v[ANGLE].num : 0;
    out->quat[0] = cos(out->angle / 2);
    out->quat[3] = sin(out->angle / 2);
    out->moving = (v[VELOCITY].given ? HOL_OF_VELOCITY : 0) | (v[OMEGA].given ? HOL_OF_OMEGA : 0);
    if (v[VELOCITY].given) memcpy(out->velocity, v[VELOCITY].list, sizeof out->velocity);
    st = v[OMEGA].given ? read_omega(r, hol_node_find(node, "omega"), path, &v[OMEGA], out->omega) : HOL_OK;
    if (st) return st;
    const hol_path at = {path, "orientation", 0, NULL};
    return v[ORIENTATION].given ? hol_read_orientation(r, hol_node_find(node, "orientation"), &at, out->quat)
                                : HOL_OK;
}

// From the axes of its file to global ones.
static void place_pose(hol_spec_pose *p)
{
    hol_place_point(p->at, p->position);
    hol_place_vector(p->at, p->velocity);
    hol_place_axial(p->at, p->omega);
    hol_place_quat(p->at, p->quat);
    p->angle = hol_place_angle(p->at, p->angle);
}

hol_status hol_read_pose(hol_spec *spec, const hol_node *node)
{
    const hol_path path = {NULL, "pose", 0, NULL};
    if (node->kind != HOL_NODE_MAP)
        return hol_read_fail(&spec->reader, node, &path, "a map of the names of bodies is wanted");
    for (int i = 0; i < node->n; i++) {
        const hol_reader r = hol_reader_at(&spec->reader, node->value[i]->at);
        if (!HOL_ARENA_GROW(spec->arena, spec->pose, spec->n_poses)) return HOL_ERR_MEMORY;
        hol_spec_pose *pose = &spec->pose[spec->n_poses];
        *pose = (hol_spec_pose){.at = node->key[i]->at};
        hol_status st = hol_read_text(&r, node->key[i], &path, &pose->body);
        const hol_path at = {&path, pose->body, 0, NULL};
        if (!st) st = read_body(&r, node->value[i], &at, pose);
        if (st) return st;
        place_pose(pose);
        spec->n_poses++;
    }
    return HOL_OK;
}

// ---- full turns -------------------------------------------------------------------------------------------------

static const hol_option turns_rows[] = {
    {"ANGLE", HOL_NUMBER, "rad", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "about where it begins"},
    HOL_END_OPTIONS};
const hol_object hol_start_turns_object = {
    .name = "start_turns",
    .rows = turns_rows,
    .pairs = true,
    .text =
        "Where bodies are does not say how many full turns an angle in space has. This map says it: of all "
        "values that differ by full turns the angle begins with the one nearest to the number given, "
        "whatever "
        "`turns` of its joint say of the drawing. It names coordinates of joints, with which their springs, "
        "motors and "
        "couplers begin, AX, AY and AZ as expressions of the model have them, and rotational spring-dampers. "
        "Where files say it of one angle, the outer one holds. `holonom static MODEL --pose FILE` writes the "
        "lines that "
        "an equilibrium needs.",
    .example = "turns:\n  hinge.angle: 450 deg\n  AZ(rotor,frame): 12.3 rad\n"};

// The same without spaces.
static const char *compact(hol_arena *arena, const char *text)
{
    char *out = hol_arena_copy(arena, text, strlen(text)), *to = out;
    for (const char *from = text; out && *from; from++)
        if (*from != ' ') *to++ = *from;
    if (out) *to = 0;
    return out;
}

hol_status hol_read_turns(hol_spec *spec, const hol_node *node)
{
    const hol_path path = {NULL, "turns", 0, NULL};
    if (node->kind != HOL_NODE_MAP)
        return hol_read_fail(&spec->reader, node, &path, "a map of the names of angles is wanted");
    for (int i = 0; i < node->n; i++) {
        const hol_reader r = hol_reader_at(&spec->reader, node->value[i]->at);
        const char *name;
        if (!HOL_ARENA_GROW(spec->arena, spec->turns, spec->n_turns)) return HOL_ERR_MEMORY;
        hol_spec_turns *t = &spec->turns[spec->n_turns];
        hol_status st = hol_read_text(&r, node->key[i], &path, &name);
        if (st) return st;
        const hol_path at = {&path, name, 0, NULL};
        *t = (hol_spec_turns){.name = compact(spec->arena, name),
                              .path = hol_path_text(&spec->reader, &at),
                              .at = node->key[i]->at};
        if (!t->name || !t->path) return HOL_ERR_MEMORY;
        st = hol_read_number(&r, node->value[i], &at, "rad", &t->value);
        if (st) return st;
        spec->n_turns++;
    }
    return HOL_OK;
}
