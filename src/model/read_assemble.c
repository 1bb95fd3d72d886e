// `assemble:` of a model file: what the closing of the joints at the start keeps.
#include "model/read.h"

#include <string.h>

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
    {"require", HOL_TEXTS, "", 0, 0, 0, 0, NULL,
     "what must hold of the pose, as `AZ(coupler, crank) > 0`: expressions of D and A measures and "
     "coordinates of joints with one > or <"},
    HOL_END_OPTIONS};
enum { EXACT, REQUIRE, N_KEYS };
const hol_object hol_assemble_object = {
    .name = "assemble",
    .rows = assemble_rows,
    .text =
        "The start closes the joints with the least change of what is drawn, by natural sizes and the "
        "bodies' `weight`. "
        "What is `exact`, of bodies or here of joints, is not changed; other velocities that the file "
        "gives are kept "
        "before those that it does not give. A closed loop may fit together in several ways. Where the pose "
        "found is not what `require` "
        "says, the assembly begins anew with bodies reflected about the lines of their joints, until all of "
        "it holds. `holonom "
        "assemble` shows what comes out, and prints lines for `require`. That of a subsystem's file holds "
        "too, with its own names and signs; where a file around it says the same coordinate, that one is "
        "kept.",
    .example = "exact: {joints: [{joint: hinge, angle: 30 deg, rate: 2}]}\n"
               "require: [\"AZ(coupler, crank) > 0\"]\n"};

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
    hol_spec_exact *out = &spec->exact[spec->n_exact++];
    *out = (hol_spec_exact){.joint = v[JOINT].text, .at = v[JOINT].at};
    for (int i = 0; i < HOL_EXACTS; i++) out->value[i] = v[ANGLE + i].num;
    return HOL_OK;
}

// "left > right" as the formula left - (right), whose columns are those of the file up to the sign.
static hol_status read_require(hol_spec *spec, const hol_node *item, const hol_path *path,
                               hol_spec_require *out)
{
    const hol_reader reader = hol_reader_at(&spec->reader, item->at), *r = &reader;
    const size_t left = strcspn(item->text, "<>");
    const char *right = item->text + left + 1;
    if (!item->text[left] || strpbrk(right, "<>=") || left == strspn(item->text, " ") ||
        !right[strspn(right, " ")])
        return hol_read_fail(
            r, item, path,
            "\"%s\": one > or < between two expressions is wanted, as in \"AZ(coupler, crank) > 0\"",
            item->text);
    hol_node node = *item;
    node.text = hol_arena_print(spec->arena, "%.*s - (%s)", (int)left, item->text, right);
    *out = (hol_spec_require){.text = hol_arena_copy(spec->arena, item->text, strlen(item->text)),
                              .path = hol_path_text(&spec->reader, path),
                              .at = item->at,
                              .sign = item->text[left] == '>' ? 1 : -1};
    if (!node.text || !out->text || !out->path) return HOL_ERR_MEMORY;
    return hol_read_formula(r, &node, path, HOL_ANY_UNIT, &out->formula);
}

// One of them, or a list.
static hol_status read_requires(hol_spec *spec, const hol_node *node, const hol_path *up)
{
    const bool list = node->kind == HOL_NODE_SEQUENCE;
    const int n = list ? node->n : 1;
    const hol_path path = {up, "require", 0, NULL};
    hol_status st = HOL_OK;
    for (int i = 0; i < n && !st; i++) {
        const hol_path item = {&path, NULL, i, NULL};
        if (!HOL_ARENA_GROW(spec->draft, spec->require, spec->n_requires)) return HOL_ERR_MEMORY;
        st = read_require(spec, list ? node->value[i] : node, list ? &item : &path,
                          &spec->require[spec->n_requires]);
        spec->n_requires += !st;
    }
    return st;
}

hol_status hol_read_assemble(hol_spec *spec, const hol_node *node)
{
    const hol_reader reader = hol_reader_at(&spec->reader, node->at), *r = &reader;
    const hol_path path = {NULL, "assemble", 0, NULL}, at_exact = {&path, "exact", 0, NULL},
                   at_joints = {&at_exact, "joints", 0, NULL};
    hol_value v[N_KEYS], joints[1];
    hol_status st = hol_read_object(r, &hol_assemble_object, NULL, node, &path, v);
    if (!st && v[REQUIRE].given) st = read_requires(spec, hol_node_find(node, "require"), &path);
    const hol_node *exact = st ? NULL : hol_node_find(node, "exact");
    if (!exact) return st;
    st = hol_read_object(r, &hol_assemble_exact_object, NULL, exact, &at_exact, joints);
    if (st) return st;
    return hol_read_list(spec, hol_node_find(exact, "joints"), &at_joints, read_joint,
                         &hol_exact_joint_object);
}
