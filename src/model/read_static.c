// `static:` of a model file: which equilibrium `holonom static` looks for, and what it trims.
#include "model/read.h"

static const hol_option trim_hold_rows[] = {
    {"signal", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED, NULL,
     "its name, as results have it: chassis.z, or a variable"},
    {"value", HOL_NUMBER, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
     "that it has in equilibrium; a plain number is in the unit of the signal by `units`"},
    HOL_END_OPTIONS};
enum { SIGNAL, VALUE, N_HOLD_KEYS };
static hol_item_fn read_hold;
const hol_object hol_trim_hold_object = {.name = "trim_hold", .rows = trim_hold_rows, .read = read_hold};

static const hol_option trim_rows[] = {
    {"parameters", HOL_TEXTS, "", 0, 0, 0, HOL_REQUIRED, NULL,
     "parameters of the model file that are found; arm.k: of the file included as `arm`"},
    {"hold", HOL_LIST, "", 0, 0, 0, HOL_REQUIRED, "trim_hold",
     "as many signals, with the values that they are to have"},
    HOL_END_OPTIONS};
enum { PARAMETERS, HOLD, N_TRIM_KEYS };
const hol_object hol_trim_object = {
    .name = "trim",
    .rows = trim_rows,
    .text = "Trimming finds the values of parameters with which signals have given values in equilibrium: "
            "free lengths of springs for a "
            "height and an angle, a preload for a force. `holonom static` prints them.",
    .example = "parameters: [length_front, length_rear]\nhold:\n  - {signal: chassis.z, value: 0.71}\n  - "
               "{signal: pitch, value: 0}\n"};

static const hol_option static_rows[] = {
    {"stable", HOL_FLAG, "", 1, 0, 1, 0, NULL, "no: an equilibrium at which nothing stays will do"},
    {"trim", HOL_MAP, "", 0, 0, 0, 0, "trim", "parameters that are found, and what is held for it"},
    HOL_END_OPTIONS};
enum { STABLE, TRIM, N_KEYS };
const hol_object hol_static_object = {.name = "static", .rows = static_rows};

// One signal and its value.
static hol_status read_hold(hol_spec *spec, const hol_reader *given, const hol_node *item,
                            const hol_path *path, const hol_object *object)
{
    hol_value v[N_HOLD_KEYS];
    hol_spec_hold *all = (hol_spec_hold *)spec->hold;
    hol_constant c;
    hol_status st = hol_read_object(given, object, NULL, item, path, v);
    if (!st) st = hol_read_named_number(given, hol_node_find(item, "value"), path, &c);
    if (st) return st;
    if (!HOL_ARENA_GROW(spec->arena, all, spec->n_holds)) return HOL_ERR_MEMORY;
    all[spec->n_holds++] = (hol_spec_hold){{v[SIGNAL].text, v[SIGNAL].at}, c.value, c.nature};
    spec->hold = all;
    return HOL_OK;
}

// Whether as many are held, and exist, is known when they are trimmed.
static hol_status read_trim(hol_spec *spec, const hol_reader *r, const hol_node *node, const hol_path *up)
{
    const hol_path path = {up, "trim", 0, NULL}, hold = {&path, "hold", 0, NULL};
    hol_value v[N_TRIM_KEYS];
    hol_status st = hol_read_object(r, &hol_trim_object, NULL, node, &path, v);
    if (!st) st = hol_read_list(spec, hol_node_find(node, "hold"), &hold, read_hold, &hol_trim_hold_object);
    if (st) return st;
    spec->n_trims = v[PARAMETERS].n;
    spec->trim = v[PARAMETERS].word;
    return HOL_OK;
}

hol_status hol_read_static(hol_spec *spec, const hol_node *node)
{
    const hol_reader reader = hol_reader_at(&spec->reader, node->at), *r = &reader;
    const hol_path path = {NULL, "static", 0, NULL};
    hol_value v[N_KEYS];
    hol_status st = hol_read_object(r, &hol_static_object, NULL, node, &path, v);
    if (st) return st;
    spec->any_equilibrium = v[STABLE].num == 0;
    return v[TRIM].given ? read_trim(spec, r, hol_node_find(node, "trim"), &path) : HOL_OK;
}
