// `assemble:` of a model file: what the closing of the joints at the start keeps.
#include "model/read.h"

static const hol_option exact_joint_rows[] = {
    {"joint", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED, NULL, "its name"},
    {"for", HOL_LOOPS, "", 0, 0, 0, 0, NULL, "loop: i in first..last, or a list of loops"},
    {"angle", HOL_NUMBER, "rad", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "its angle at the start"},
    {"stroke", HOL_NUMBER, "m", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "its stroke at the start"},
    {"rate", HOL_NUMBER, "rad/s", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "rate of its angle at the start"},
    {"speed", HOL_NUMBER, "m/s", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "rate of its stroke at the start"},
    HOL_END_OPTIONS};
enum { JOINT, FOR, ANGLE, STROKE, RATE, SPEED, N_JOINT_KEYS };
static const hol_rule exact_joint_rules[] = {
    {HOL_SOME_OF, "angle|stroke|rate|speed", "what is exact? give angle, stroke, rate or speed", NULL},
    HOL_END_RULES};
static hol_item_fn read_joint;
const hol_object hol_exact_joint_object = {
    .name = "exact_joint", .rows = exact_joint_rows, .rules = exact_joint_rules, .read = read_joint};

static const hol_option assemble_exact_rows[] = {{"joints", HOL_LIST, "", 0, 0, 0, HOL_REQUIRED,
                                                  "exact_joint",
                                                  "joints whose angle, stroke or their rates are given"},
                                                 HOL_END_OPTIONS};
const hol_object hol_assemble_exact_object = {.name = "assemble_exact", .rows = assemble_exact_rows};

static const hol_option assemble_rows[] = {
    {"exact", HOL_MAP, "", 0, 0, 0, 0, "assemble_exact", "coordinates of joints that are kept"},
    HOL_END_OPTIONS};
enum { EXACT, N_KEYS };
const hol_object hol_assemble_object = {
    .name = "assemble",
    .rows = assemble_rows,
    .text = "The start closes the joints with the least change of what is drawn, by natural sizes and the "
            "bodies' `weight`. "
            "What is `exact`, of bodies or here of joints, is not changed; other velocities that the file "
            "gives are kept "
            "before those that it does not give. `holonom assemble` shows what comes out.",
    .example = "exact: {joints: [{joint: hinge, angle: 30 deg, rate: 2}]}\n"};

// Coordinates of a joint, each of which may be exact.
static hol_status read_joint(hol_spec *spec, const hol_reader *given, const hol_node *item,
                             const hol_path *path, const hol_object *object)
{
    hol_reader reader = *given, *r = &reader;
    hol_value v[N_JOINT_KEYS];
    r->arena = r->draft = spec->draft;
    hol_status st = hol_read_object(r, object, NULL, item, path, v);
    if (st) return st;
    if (!HOL_ARENA_GROW(spec->draft, spec->exact, spec->n_exact)) return HOL_ERR_MEMORY;
    spec->exact[spec->n_exact++] = (hol_spec_exact){.joint = v[JOINT].text,
                                                    .at = v[JOINT].at,
                                                    .angle = v[ANGLE].num,
                                                    .stroke = v[STROKE].num,
                                                    .rate = v[RATE].num,
                                                    .speed = v[SPEED].num};
    return HOL_OK;
}

hol_status hol_read_assemble(hol_spec *spec, const hol_node *node)
{
    const hol_reader reader = hol_reader_at(&spec->reader, node->at), *r = &reader;
    const hol_path path = {NULL, "assemble", 0, NULL}, at_exact = {&path, "exact", 0, NULL},
                   at_joints = {&at_exact, "joints", 0, NULL};
    hol_value v[N_KEYS], joints[1];
    hol_status st = hol_read_object(r, &hol_assemble_object, NULL, node, &path, v);
    const hol_node *exact = st ? NULL : hol_node_find(node, "exact");
    if (!exact) return st;
    st = hol_read_object(r, &hol_assemble_exact_object, NULL, exact, &at_exact, joints);
    if (st) return st;
    return hol_read_list(spec, hol_node_find(exact, "joints"), &at_joints, read_joint,
                         &hol_exact_joint_object);
}
