// `inverse:` of a model file: the motion that `holonom inverse` makes, and what makes it.
#include "model/read.h"

#include <string.h>

static const hol_option bound_rows[] = {{"NAME", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, 0,
                                         NULL, "what it may give at least and at most, two numbers"},
                                        HOL_END_OPTIONS};
const hol_object hol_inverse_bounds_object = {
    .name = "inverse_bounds", .rows = bound_rows, .pairs = true, .example = "u: [-40, 40]"};

static const hol_option inverse_rows[] = {
    {"motion", HOL_TEXT, "", 0, 0, 0, HOL_FILE, NULL,
     "a table of the motion (CSV), beside the model file: the time, then coordinates of joints (hinge.angle, "
     "slide.stroke) or "
     "measures (DX(platform.p)), by their heads; in place of drivers"},
    {"actuators", HOL_TEXTS, "", 0, 0, 0, HOL_MAY_BE_EMPTY, NULL,
     "inputs that take over from the drivers; default: none, the drivers give the forces"},
    {"weights", HOL_NUMBERS, "", 1, 1e-300, HOL_INF, 0, NULL,
     "of the squares of actuators, where several would do, one for each"},
    {"bounds", HOL_PAIRS, "", 0, 1, 0, 0, "inverse_bounds", "of actuators, by their names"},
    {"project", HOL_FLAG, "", 0, 0, 1, 0, NULL,
     "yes: where actuators cannot make the motion, those forces with which the accelerations are nearest to "
     "it"},
    {"drives", HOL_TEXTS, "", 0, 0, 0, 0, NULL,
     "position constraints that prescribe the motion as drivers do: actuators take over from them, too"},
    HOL_END_OPTIONS};
enum { MOTION, ACTUATORS, WEIGHTS, BOUNDS, PROJECT, DRIVES, N_KEYS };
static const hol_rule inverse_rules[] = {{HOL_GOES_WITH, "weights|actuators", "goes with actuators", NULL},
                                         {HOL_GOES_WITH, "bounds|actuators", "goes with actuators", NULL},
                                         HOL_END_RULES};
const hol_object hol_inverse_object = {
    .name = "inverse",
    .rows = inverse_rows,
    .rules = inverse_rules,
    .text =
        "What `holonom inverse` does by default; its options override it, those of actuators all together.",
    .example =
        "inverse: {motion: path.csv, actuators: [u1, u2], weights: [1, 2], bounds: {u1: [-40, 40]}}\n"};

// The bounds of one actuator.
static hol_status read_bound(hol_spec *spec, const hol_reader *r, const hol_node *map, int i,
                             const hol_path *up)
{
    hol_spec_inverse *o = &spec->inverse;
    const char *name;
    double range[2] = {0};
    hol_status st = hol_read_text(r, map->key[i], up, &name);
    const hol_path path = {up, name, 0, NULL};
    if (!st) st = hol_read_numbers(r, map->value[i], &path, HOL_ANY_UNIT, 2, range);
    if (!st && !(range[0] <= range[1]))
        st = hol_read_fail(r, map->value[i], &path, "the least is wanted first: [-40, 40]");
    for (int k = 0; k < o->n && !st; k++)
        if (strcmp(o->actuator[k].name, name) == 0) {
            o->least[k] = range[0];
            o->most[k] = range[1];
            return HOL_OK;
        }
    return st ? st : hol_read_fail(r, map->key[i], up, "\"%s\" is none of the actuators", name);
}

// Which actuators there are is known; whether they are inputs, when they are used.
static hol_status read_actuators(hol_spec *spec, const hol_reader *r, const hol_node *node,
                                 const hol_value *v, const hol_path *up)
{
    hol_spec_inverse *o = &spec->inverse;
    const hol_path weights = {up, "weights", 0, NULL}, bounds = {up, "bounds", 0, NULL};
    const hol_node *map = hol_node_find(node, "bounds");
    o->n = v[ACTUATORS].n;
    o->actuator = v[ACTUATORS].word;
    if (v[WEIGHTS].given && v[WEIGHTS].n != o->n)
        return hol_read_fail(r, hol_node_find(node, "weights"), &weights,
                             "%d weights for %d actuators: one for each is wanted", v[WEIGHTS].n, o->n);
    o->weight = v[WEIGHTS].given ? v[WEIGHTS].list : NULL;
    if (!map) return HOL_OK;
    o->least = hol_arena_alloc(spec->arena, 2 * (size_t)o->n + 1, sizeof *o->least);
    if (!o->least) return HOL_ERR_MEMORY;
    o->most = o->least + o->n;
    for (int k = 0; k < o->n; k++) o->least[k] = -HOL_INF, o->most[k] = HOL_INF;
    hol_status st = HOL_OK;
    for (int i = 0; i < map->n && !st; i++) st = read_bound(spec, r, map, i, &bounds);
    return st;
}

hol_status hol_read_inverse(hol_spec *spec, const hol_node *node)
{
    const hol_reader reader = hol_reader_at(&spec->reader, node->at), *r = &reader;
    const hol_path path = {NULL, "inverse", 0, NULL};
    hol_value v[N_KEYS];
    hol_status st = hol_read_object(r, &hol_inverse_object, NULL, node, &path, v);
    if (st) return st;
    hol_spec_inverse *o = &spec->inverse;
    o->motion = v[MOTION].given ? v[MOTION].text : NULL;
    o->at = node->at;
    o->project = v[PROJECT].num != 0;
    o->n_drives = v[DRIVES].n;
    o->drives = v[DRIVES].word;
    return v[ACTUATORS].given ? read_actuators(spec, r, node, v, &path) : HOL_OK;
}
