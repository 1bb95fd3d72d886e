// Bodies and markers of a model file.
#include "model/read.h"
#include "model/subsystem.h"

#include <math.h>
#include <string.h>

static const hol_option body_rows[] = {
    {"name", HOL_NAME, "", 0, 0, 0, HOL_REQUIRED, NULL, "name; {i} stands for a loop index"},
    {"for", HOL_LOOPS, "", 0, 0, 0, 0, NULL, "loop: i in first..last, or a list of loops"},
    {"type", HOL_TEXT, "", 0, 0, 0, 0, NULL, "kind of body; default: rigid"},
    {"com", HOL_VECTOR, "m", 0, -HOL_INF, HOL_INF, 0, NULL,
     "centre of mass in the body frame; default: its origin"},
    {"density", HOL_NUMBER, "kg/m^3", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "of its shapes, from which mass, com and inertia follow, in place of these"},
    {"position", HOL_VECTOR, "m", 0, -HOL_INF, HOL_INF, 0, NULL, "origin of the body frame at the start"},
    {"velocity", HOL_VECTOR, "m/s", 0, -HOL_INF, HOL_INF, 0, NULL, "velocity of that origin at the start"},
    {"angle", HOL_NUMBER, "rad", 0, -HOL_INF, HOL_INF, HOL_ONLY_2D, NULL,
     "angle at the start, counter-clockwise"},
    {"omega", HOL_NUMBERS, "rad/s", 0, -HOL_INF, HOL_INF, 0, NULL,
     "angular velocity at the start; 3D: three global components"},
    {"omega_body", HOL_NUMBERS, "rad/s", HOL_NONE, -HOL_INF, HOL_INF, HOL_ONLY_3D, NULL,
     "the same in body axes, instead of omega"},
    {"orientation", HOL_MAP, "", 0, 0, 0, HOL_ONLY_3D, "orientation",
     "orientation at the start; default: that of ground"},
    {"relative_to", HOL_TEXT, "", 0, 0, 0, 0, NULL,
     "body.marker of a body above: the pose and the motion given here are relative to that marker"},
    {"markers", HOL_PAIRS, "", 0, 0, 0, 0, "markers", "named points or frames of the body"},
    {"exact", HOL_TEXTS, "", 0, 0, 0, 0, "position|velocity|omega|orientation|angle|yes|no",
     "what the assembly keeps as it is given: of position, orientation (2D: angle), velocity, omega; yes: "
     "the pose, and "
     "velocity and omega where they are given"},
    {"weight", HOL_NUMBER, "", 1, 0, HOL_INF, 0, NULL,
     "of the body's change where the assembly looks for the least one; 0: it may go anywhere"},
    {"shape", HOL_SHAPES, "", 0, 0, 0, 0, "shape",
     "how the body is drawn, and what its mass follows from: a shape, a list of shapes, or none; default: "
     "drawn after its markers and inertia"},
    HOL_END_OPTIONS};
enum {
    NAME,
    FOR,
    TYPE,
    COM,
    DENSITY,
    POSITION,
    VELOCITY,
    ANGLE,
    OMEGA,
    OMEGA_BODY,
    ORIENTATION,
    RELATIVE_TO,
    MARKERS,
    EXACT,
    WEIGHT,
    SHAPE,
    N_KEYS
};

static const hol_option marker_rows[] = {
    {"position", HOL_VECTOR, "m", 0, -HOL_INF, HOL_INF, 0, NULL, "origin in the body frame"},
    {"angle", HOL_NUMBER, "rad", 0, -HOL_INF, HOL_INF, HOL_ONLY_2D, NULL,
     "angle of its x axis in the body frame"},
    {"orientation", HOL_MAP, "", 0, 0, 0, HOL_ONLY_3D, "orientation", "orientation in the body frame"},
    {"axis", HOL_VECTOR, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "instead of an orientation: direction of its z axis (2D: of its x axis) in the body frame"},
    {"motion", HOL_MAP, "", 0, 0, 0, 0, "motion", "ground only: prescribed motion"},
    HOL_END_OPTIONS};
static const hol_rule marker_rules[] = {
    {HOL_REFUSED, "motion", "only markers on ground can be moved; use a driver for bodies", NULL},
    {HOL_NOT_BOTH, "angle|orientation|axis", "give one of angle, orientation, axis", NULL},
    HOL_END_RULES};
const hol_object hol_marker_object = {
    .name = "marker",
    .rows = marker_rows,
    .rules = marker_rules,
    .text = "A marker is a point of a body, `tip: [1, 0]`, or a frame, `tip: "
            "{position: [1, 0], angle: 90 deg}`. Joints, drivers "
            "and forces act at markers: `rod.tip`, `rod` (the origin of the body "
            "frame), `rod: [1, 0]` or `ground: [0, 2]`. z is "
            "the axis of a joint in 3D, x in 2D."};
const hol_object hol_ground_marker_object = {
    .name = "ground_marker", .rows = marker_rows, .rules = marker_rules + 1};

static const hol_option named_marker_rows[] = {
    {"NAME", HOL_MARKER, "", 0, 0, 0, 0, "marker", "a point, or a map"}, HOL_END_OPTIONS};
static const hol_option named_ground_marker_rows[] = {
    {"NAME", HOL_MARKER, "", 0, 0, 0, 0, "ground_marker", "a point, or a map"}, HOL_END_OPTIONS};
const hol_object hol_markers_object = {.name = "markers", .rows = named_marker_rows, .pairs = true};
const hol_object hol_ground_markers_object = {
    .name = "ground_markers", .rows = named_ground_marker_rows, .pairs = true};
enum { M_POSITION, M_ANGLE, M_ORIENTATION, M_AXIS, M_MOTION, N_MARKER_KEYS };

static const hol_option motion_rows[] = {
    {"x", HOL_FUNCTION, "m", 0, -HOL_INF, HOL_INF, 0, NULL, "added to the position, a function of time"},
    {"y", HOL_FUNCTION, "m", 0, -HOL_INF, HOL_INF, 0, NULL, "the same along y"},
    {"z", HOL_FUNCTION, "m", 0, -HOL_INF, HOL_INF, HOL_ONLY_3D, NULL, "the same along z"},
    {"angle", HOL_FUNCTION, "rad", 0, -HOL_INF, HOL_INF, 0, NULL,
     "rotation about `axis`, a function of time"},
    {"axis", HOL_TUPLE, "", 3, -HOL_INF, HOL_INF, HOL_ONLY_3D, NULL,
     "axis of the rotation, global; default: z"},
    HOL_END_OPTIONS};
static const hol_rule motion_rules[] = {
    {HOL_SOME_OF, "x|y|z|angle", "nothing moves; give x, y, .. or angle as functions of time", NULL},
    HOL_END_RULES};
const hol_object hol_motion_object = {
    .name = "motion",
    .rows = motion_rows,
    .rules = motion_rules,
    .text = "`motion` moves a marker on ground, `ground: {markers: {table: {motion: {x: 0.1*sin(time)}}}}`:"};
enum { X, Y, Z, TURN, TURN_AXIS, N_MOTION_KEYS };

static const hol_rule body_rules[] = {
    {HOL_NOT_BOTH, "omega|omega_body", "omega is given too: give one of them", NULL},
    {HOL_GOES_WITH, "density|shape", "a density needs a `shape`, which says where the body is", NULL},
    {HOL_NOT_BOTH, "mass|density", "mass and density are given: the shapes have their mass by one of them",
     NULL},
    {HOL_NOT_BOTH, "density|com",
     "the centre of mass follows from shapes and density: leave com or density away", NULL},
    {HOL_SOME_OF, "mass|density|shape",
     "\"mass\" is missing: give it, or a `shape` with a `density` it follows from", NULL},
    HOL_END_RULES};

static hol_item_fn read_body;
const hol_object hol_body_object = {.read = read_body,
                                    .name = "body",
                                    .rows = body_rows,
                                    .rules = body_rules,
                                    .type = hol_type_at,
                                    .role = HOL_ROLE_BODY};

// Displacements along the axes of the file, which must be axes of ground, in one sense or the other: functions are not added here.
static hol_status place_shifts(const hol_reader *r, const hol_node *node, const hol_path *path,
                               const hol_value *v, hol_motion *motion)
{
    for (int i = X; i <= Z; i++) {
        double u[3] = {i == X, i == Y, i == Z};
        if (!v[i].given) continue;
        hol_place_vector(node->at, u);
        int k = 0;
        while (k < 2 && fabs(fabs(u[k]) - 1) > 1e-12) k++;
        if (fabs(fabs(u[k]) - 1) > 1e-12)
            return hol_read_fail(r, node, path,
                                 "the include turns the file, and its %s axis is none of ground: turn it by "
                                 "quarter turns, or move the marker in the model file",
                                 motion_rows[i].key);
        motion->position[k] = v[i].fn[0];
        if (u[k] < 0 && !(motion->position[k] = hol_expr_scaled(r->arena, v[i].fn[0], -1)))
            return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

// `motion:` of a ground marker: displacements and an angle as functions of time.
static hol_status read_motion(const hol_reader *r, const hol_node *node, const hol_path *path,
                              hol_spec_marker *m)
{
    hol_value v[N_MOTION_KEYS];
    hol_status st = hol_read_object(r, &hol_motion_object, NULL, node, path, v);
    hol_motion *motion = hol_arena_alloc(r->arena, 1, sizeof *motion);
    if (st || !motion) return st ? st : HOL_ERR_MEMORY;
    motion->at = node->at;
    motion->angle = v[TURN].given ? v[TURN].fn[0] : NULL;
    motion->axis[2] = 1;
    st = place_shifts(r, node, path, v, motion);
    if (st) return st;
    if (v[TURN_AXIS].given) {
        const double *a = v[TURN_AXIS].list;
        const double n = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        const hol_path at = {path, "axis", 0, NULL};
        if (!(n > 0))
            return hol_read_fail(r, hol_node_find(node, "axis"), &at, "length is 0, a direction is wanted");
        for (int i = 0; i < 3; i++) motion->axis[i] = a[i] / n;
    }
    if (r->dimension == 3)
        hol_place_axial(node->at, motion->axis);
    else if (motion->angle && hol_mirror_axial(hol_mirror_at(node->at), 2) < 0 &&
             !(motion->angle = hol_expr_scaled(r->arena, motion->angle, -1)))
        return HOL_ERR_MEMORY;
    m->motion = motion;
    return HOL_OK;
}

// How a marker is turned: an angle, an orientation, or the direction of its axis; one of them at most.
static hol_status read_direction(const hol_reader *r, const hol_node *map, const hol_path *path,
                                 const hol_value *v, hol_spec_marker *m)
{
    const double *a = v[M_AXIS].list;
    const hol_path at = {path, "axis", 0, NULL};
    if (v[M_ORIENTATION].given) {
        const hol_path o = {path, "orientation", 0, NULL};
        return hol_read_orientation(r, hol_node_find(map, "orientation"), &o, m->quat);
    }
    if (v[M_AXIS].given && r->dimension == 2) {
        if (a[0] == 0 && a[1] == 0)
            return hol_read_fail(r, hol_node_find(map, "axis"), &at, "length is 0, a direction is wanted");
        m->angle = atan2(a[1], a[0]);
    } else if (v[M_AXIS].given && !hol_frame_from_axes(a, NULL, m->quat))
        return hol_read_fail(r, hol_node_find(map, "axis"), &at, "length is 0, a direction is wanted");
    if (v[M_ANGLE].given) m->angle = v[M_ANGLE].num;
    if (r->dimension == 2) {
        m->quat[0] = cos(m->angle / 2);
        m->quat[3] = sin(m->angle / 2);
    }
    return HOL_OK;
}

void hol_place_marker(hol_src at, bool ground, hol_spec_marker *m)
{
    if (ground) {
        hol_place_point(at, m->position);
        hol_place_quat(at, m->quat);
        m->angle = hol_place_angle(at, m->angle);
        m->file = hol_place_angle(at, 0);
    } else {
        hol_mirror_point(hol_mirror_at(at), m->position);
        hol_mirror_quat(hol_mirror_at(at), m->quat);
        m->angle *= hol_mirror_axial(hol_mirror_at(at), 2);
    }
}

hol_status hol_read_marker(const hol_reader *r, const hol_node *node, const hol_path *path, bool ground,
                           hol_spec_marker *m)
{
    m->at = node->at;
    m->quat[0] = 1;
    if (node->kind != HOL_NODE_MAP) return hol_read_vector(r, node, path, "m", m->position);
    hol_value v[N_MARKER_KEYS];
    const hol_object *object = ground ? &hol_ground_marker_object : &hol_marker_object;
    hol_status st = hol_read_object(r, object, NULL, node, path, v);
    if (st) return st;
    if (v[M_POSITION].given) memcpy(m->position, v[M_POSITION].list, sizeof m->position);
    if (v[M_MOTION].given) {
        const hol_node *motion = hol_node_find(node, "motion");
        const hol_path at = {path, "motion", 0, NULL};
        st = read_motion(r, motion, &at, m);
    }
    return st ? st : read_direction(r, node, path, v, m);
}

// Columns of bodies in results: a marker by such a name could not be told apart.
bool hol_name_is_column(const char *name)
{
    static const char *const columns[] = {"x",  "y",  "z",     "theta", "vx",  "vy", "vz", "omega",
                                          "ax", "ay", "az",    "qw",    "qx",  "qy", "qz", "wx",
                                          "wy", "wz", "alpha", "alx",   "aly", "alz"};
    for (int i = 0; i < HOL_COUNT(columns); i++)
        if (strcmp(name, columns[i]) == 0) return true;
    return false;
}

hol_status hol_read_markers(const hol_reader *r, const hol_node *map, const hol_path *path, bool ground,
                            int *n, const hol_spec_marker **out)
{
    if (map->kind != HOL_NODE_MAP)
        return hol_read_fail(r, map, path, "a map of names and positions is wanted");
    hol_spec_marker *m = hol_arena_alloc(ground ? r->arena : r->draft, (size_t)map->n, sizeof *m);
    if (!m && map->n) return HOL_ERR_MEMORY;
    for (int i = 0; i < map->n; i++) {
        const hol_src here = map->key[i]->at;
        hol_status st = hol_read_text(r, map->key[i], path, &m[i].name);
        const hol_path at = {path, m[i].name, 0, NULL};
        if (!st) st = hol_check_name(r, map->key[i], path, m[i].name);
        if (!st && !ground && hol_name_is_column(m[i].name))
            st = hol_read_fail(
                r, map->key[i], path,
                "\"%s\": results have a column of the body by this name; choose another for the marker",
                m[i].name);
        if (!st) st = hol_read_marker(r, map->value[i], &at, ground, &m[i]);
        if (st) return st;
        hol_place_marker(here, ground, &m[i]);
        if (ground && !(m[i].name = hol_full_name(r->arena, here, m[i].name))) return HOL_ERR_MEMORY;
    }
    *out = m;
    *n = map->n;
    return HOL_OK;
}

// Angular velocity in global axes or in those of the body; one number in the plane.
static hol_status read_omega(const hol_reader *r, const hol_node *item, const hol_path *path,
                             const hol_value *v, hol_spec_body *b)
{
    const int which = v[OMEGA_BODY].given ? OMEGA_BODY : OMEGA, wanted = r->dimension == 3 ? 3 : 1;
    if (!v[which].given) return HOL_OK;
    const hol_path at = {path, body_rows[which].key, 0, NULL};
    const hol_node *node = hol_node_find(item, body_rows[which].key);
    if (v[which].n != wanted)
        return hol_read_fail(r, node, &at, "%d number%s wanted", wanted, wanted > 1 ? "s are" : " is");
    if (wanted == 1) {
        b->omega[2] = v[which].list[0];
        return HOL_OK;
    }
    double R[9];
    hol_quat_matrix(b->quat, R);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b->omega[i] += (which == OMEGA_BODY ? R[3 * i + k] : i == k) * v[which].list[k];
    return HOL_OK;
}

// Pose, motion and inertia become those of the model; what is relative to a marker stays so, and is mirrored only.
static void place_body(const hol_reader *r, hol_src at, const hol_option *rows, hol_spec_body *b)
{
    const hol_mirror m = hol_mirror_at(at);
    const hol_option *inertia = hol_option_find(rows, "inertia");
    hol_value *J = inertia ? (hol_value *)&b->value[inertia - rows] : NULL;
    if (!at.by) return;
    hol_mirror_point(m, b->com);
    if (b->relative_to) {
        hol_mirror_point(m, b->position);
        hol_mirror_point(m, b->velocity);
        hol_mirror_turn(m, b->omega);
        hol_mirror_quat(m, b->quat);
        b->angle *= hol_mirror_axial(m, 2);
    } else {
        hol_place_point(at, b->position);
        hol_place_vector(at, b->velocity);
        hol_place_axial(at, b->omega);
        hol_place_quat(at, b->quat);
        b->angle = hol_place_angle(at, b->angle);
    }
    for (int i = 0; r->dimension == 3 && J && J->given && J->n == 6 && i < 3; i++) // Ixy, Ixz, Iyz: s_j s_k
        J->list[3 + i] *= hol_mirror_axial(m, 2 - i);
}

// The words of `exact:`.
static hol_status read_exact(const hol_reader *r, const hol_path *path, const hol_value *v, hol_spec_body *b)
{
    static const struct {
        const char *word;
        unsigned char of, dimension; // 0: both
    } words[] = {{"position", HOL_OF_POSITION, 0},
                 {"orientation", HOL_OF_ORIENTATION, 3},
                 {"angle", HOL_OF_ORIENTATION, 2},
                 {"velocity", HOL_OF_VELOCITY, 0},
                 {"omega", HOL_OF_OMEGA, 0}};
    const bool turns = b->type->frame != HOL_FRAME_POINT;
    for (int i = 0; i < v->n; i++) {
        const hol_path at = {path, "exact", 0, NULL};
        const hol_node place = {.at = v->word[i].at};
        const char *text = v->word[i].name;
        int k = 0;
        while (k < HOL_COUNT(words) && strcmp(text, words[k].word) != 0) k++;
        const bool yes = strcmp(text, "yes") == 0 || strcmp(text, "true") == 0;
        if (yes)
            b->exact |= HOL_OF_POSITION | (turns ? HOL_OF_ORIENTATION : 0) |
                        (b->given & (HOL_OF_VELOCITY | HOL_OF_OMEGA));
        else if (strcmp(text, "no") == 0 || strcmp(text, "false") == 0)
            continue;
        else if (k == HOL_COUNT(words) || (words[k].dimension && words[k].dimension != r->dimension))
            return hol_read_fail(r, &place, &at,
                                 "\"%s\": yes, or some of position, %s, velocity, omega are wanted", text,
                                 r->dimension == 2 ? "angle" : "orientation");
        else if (!turns && words[k].of & (HOL_OF_ORIENTATION | HOL_OF_OMEGA))
            return hol_read_fail(r, &place, &at, "\"%s\": a point mass has no orientation", text);
        else
            b->exact |= words[k].of;
    }
    return HOL_OK;
}

// A body: what its type has, its pose and motion, markers and shape.
static hol_status read_body(hol_spec *spec, const hol_reader *given, const hol_node *item,
                            const hol_path *path, const hol_object *object)
{
    hol_reader reader = *given, *r = &reader;
    r->draft = spec->body_draft;
    hol_spec_body *b = hol_arena_alloc(r->draft, 1, sizeof *b);
    if (!b || !HOL_ARENA_GROW(r->draft, spec->body, spec->n_bodies)) return HOL_ERR_MEMORY;
    spec->body[spec->n_bodies] = b;
    hol_value v[N_KEYS];
    hol_type type;
    b->at = item->at;
    b->quat[0] = 1;
    hol_status st = hol_read_name(r, item, path, &b->name, &b->name_at);
    if (!st) st = hol_read_type(r, object, item, path, &b->type);
    if (st) return st;
    hol_type_fill(b->type, r->dimension, &type);
    const int n = hol_option_count(type.rows);
    hol_value *read = hol_values_scratch(spec, n), *own = NULL;
    if (!read) return HOL_ERR_MEMORY;
    st = hol_read_typed(r, object, &type, item, path, v, read);
    if (st) return st;
    const hol_spec_body *before = spec->n_bodies ? spec->body[spec->n_bodies - 1] : NULL;
    if (v[SHAPE].given) // which may give the mass
        b->value = own = hol_values_copy(r->draft, read, n);
    else
        b->value =
            hol_values_keep(r->draft, before && before->type == b->type ? before->value : NULL, read, n);
    if (!b->value) return HOL_ERR_MEMORY;
    if (v[COM].given) memcpy(b->com, v[COM].list, sizeof b->com);
    if (v[POSITION].given) memcpy(b->position, v[POSITION].list, sizeof b->position);
    if (v[VELOCITY].given) memcpy(b->velocity, v[VELOCITY].list, sizeof b->velocity);
    b->relative_to = v[RELATIVE_TO].given ? v[RELATIVE_TO].text : NULL;
    b->relative_at = v[RELATIVE_TO].at;
    b->weight = v[WEIGHT].num;
    b->given = (unsigned char)((v[POSITION].given ? HOL_OF_POSITION : 0) |
                               (v[ANGLE].given || v[ORIENTATION].given ? HOL_OF_ORIENTATION : 0) |
                               (v[VELOCITY].given ? HOL_OF_VELOCITY : 0) |
                               (v[OMEGA].given || v[OMEGA_BODY].given ? HOL_OF_OMEGA : 0));
    st = read_exact(r, path, &v[EXACT], b);
    if (st) return st;
    b->angle = v[ANGLE].num;
    if (v[ORIENTATION].given) {
        const hol_path at = {path, "orientation", 0, NULL};
        st = hol_read_orientation(r, hol_node_find(item, "orientation"), &at, b->quat);
    } else if (r->dimension == 2) {
        b->quat[0] = cos(b->angle / 2);
        b->quat[3] = sin(b->angle / 2);
    }
    if (!st) st = read_omega(r, item, path, v, b);
    if (!st) place_body(r, item->at, type.rows, b);
    if (!st && v[MARKERS].given) {
        const hol_path at = {path, "markers", 0, NULL};
        st = hol_read_markers(r, hol_node_find(item, "markers"), &at, false, &b->n_markers, &b->marker);
    }
    if (!st && v[SHAPE].given) {
        const hol_mass_given given_mass = {item,           path,         type.rows,     own,
                                           v[DENSITY].num, v[COM].given, spec->n_shapes};
        st = hol_read_shape(spec, r, hol_node_find(item, "shape"), path, spec->n_bodies);
        if (!st) st = hol_read_mass(spec, r, &given_mass, b->com);
    }
    spec->n_bodies += !st;
    return st;
}
