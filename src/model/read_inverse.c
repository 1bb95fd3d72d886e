// `inverse:` of a model file: the motion that `holonom inverse` makes, and what makes it.
#include "model/read.h"

#include <string.h>

static const hol_option bound_rows[] = {{"NAME", HOL_TUPLE, HOL_ANY_UNIT, 2, -HOL_INF, HOL_INF, 0, NULL,
                                         "what it may give at least and at most, two numbers"},
                                        HOL_END_OPTIONS};
const hol_object hol_inverse_bounds_object = {
    .name = "inverse_bounds", .rows = bound_rows, .pairs = true, .example = "u: [-40, 40]"};

static const hol_option inverse_rows[] = {
    {"motion", HOL_TEXT, "", 0, 0, 0, HOL_FILE, NULL,
     "a table of the motion (CSV), beside the model file: the time, then coordinates of joints (hinge.angle, "
     "slide.stroke) or "
     "measures (DX(platform.p)), by their heads; in place of the drivers of the same coordinates"},
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

// The bounds of actuators. Whether these are the ones that are named, and are inputs, is seen when they are used.
static hol_status read_bounds(hol_spec *spec, const hol_reader *r, const hol_node *map, const hol_path *up)
{
    hol_spec_inverse *o = &spec->inverse;
    hol_status st = HOL_OK;
    if (map->kind != HOL_NODE_MAP || map->n == 0)
        return hol_read_fail(r, map, up, "a map is wanted, as in `{u: [-40, 40]}`");
    hol_word *name = hol_arena_alloc(spec->arena, (size_t)map->n, sizeof *name);
    double *range = hol_arena_alloc(spec->arena, 2 * (size_t)map->n, sizeof *range);
    if (!name || !range) return HOL_ERR_MEMORY;
    for (int i = 0; i < map->n && !st; i++) {
        st = hol_read_text(r, map->key[i], up, &name[i].name);
        const hol_path path = {up, name[i].name, 0, NULL};
        name[i].at = map->key[i]->at;
        if (!st) st = hol_read_numbers(r, map->value[i], &path, HOL_ANY_UNIT, 2, range + 2 * i);
        if (!st && !(range[2 * i] <= range[2 * i + 1]))
            st = hol_read_fail(r, map->value[i], &path, "the least is wanted first: [-40, 40]");
    }
    o->bound = name;
    o->range = range;
    o->n_bounds = map->n;
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
    o->n = v[ACTUATORS].n;
    o->actuator = v[ACTUATORS].word;
    o->n_weights = v[WEIGHTS].given ? v[WEIGHTS].n : 0;
    o->weight = v[WEIGHTS].list;
    const hol_path bounds = {&path, "bounds", 0, NULL};
    return v[BOUNDS].given ? read_bounds(spec, r, hol_node_find(node, "bounds"), &bounds) : HOL_OK;
}
