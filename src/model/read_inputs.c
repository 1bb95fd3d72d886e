// Numbers that a program sets while a simulation runs: inputs, which the model lists, and parameters that it calls tunable. In
// expressions both are numbers of the memory, as parameters that events set are.
#include "model/read_users.h"

#include <stdio.h>
#include <string.h>

enum { INPUT_VALUE = HOL_OWN_KEYS, INPUT_UNIT, INPUT_HOLD };
static const hol_option input_rows[] = {
    HOL_NAMED_KEYS(HOL_IDENTIFIER){"value", HOL_NUMBER, HOL_ANY_UNIT, 0, -HOL_INF, HOL_INF, HOL_INITIAL, NULL,
                                   "value until it is set"},
    {"unit", HOL_TEXT, "", 0, 0, 0, 0, NULL,
     "what it is measured in, a unit of SI such as N m; default: a pure number"},
    {"hold", HOL_CHOICE, "", 0, 0, 0, 0, "constant|linear",
     "between the times at which it is set: it jumps there, or goes there in a straight line while the "
     "simulation advances to the next of them"},
    HOL_END_OPTIONS};
static hol_item_fn know_input, read_input;
const hol_object hol_input_object = {
    .know = know_input,
    .read = read_input,
    .name = "input",
    .rows = input_rows,
    .text =
        "An input is a number that a program sets while the simulation runs: the torque of a motor that a "
        "controller commands. `holonom run` leaves it at its value; events may set it. Expressions use its "
        "name, except in constraints. The signal has the same name.",
    .example = "- {name: u, value: 0, unit: N m}\n"};

// "N m" is that of "1 N m".
hol_status hol_read_own_unit(const hol_reader *r, const hol_node *node, const hol_path *up, hol_constant *out,
                             const char **text)
{
    const hol_path path = {up, "unit", 0, NULL};
    hol_node one = *node;
    if (node->kind != HOL_NODE_SCALAR || !*node->text ||
        (strchr("0123456789.+-", *node->text) && strncmp(node->text, "1/", 2) != 0))
        return hol_read_fail(r, node, &path, "a unit is wanted: N m, rad/s, ..");
    one.quoted = false;
    one.at.col -= 2; // of what is put in front
    one.text = hol_arena_print(r->arena, "1 %s", node->text);
    if (!one.text) return HOL_ERR_MEMORY;
    hol_status st = hol_read_named_number(r, &one, &path, out);
    if (st) return st;
    if (!(out->nature.flags & HOL_NATURE_UNIT))
        return hol_read_fail(r, node, &path, "\"%s\" is no unit", node->text);
    return hol_read_text(r, node, &path, text);
}

// `unit:` of an input.
static hol_status read_unit(const hol_reader *r, const hol_node *node, const hol_path *up, hol_spec_held *h)
{
    const hol_path path = {up, "unit", 0, NULL};
    hol_constant c;
    hol_status st = hol_read_own_unit(r, node, up, &c, &h->unit);
    if (st) return st;
    if (c.value != 1)
        return hol_read_fail(r, node, &path,
                             "programs set inputs in SI units, and \"%s\" is %.6g of them: give that of SI",
                             node->text, c.value);
    h->nature = c.nature;
    return HOL_OK;
}

static hol_status push_held(hol_spec *spec, const hol_reader *r, hol_spec_held h)
{
    if (!HOL_ARENA_GROW(r->arena, spec->held, spec->n_held)) return HOL_ERR_MEMORY;
    spec->held[spec->n_held] = h;
    return hol_names_add(spec->held_names, h.name, spec->n_held++);
}

// First pass: its name, and what it is measured in.
static hol_status know_input(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const hol_object *object)
{
    const hol_node *unit = hol_node_find(item, "unit");
    hol_spec_held h = {
        .what = "is an input", .outside = true, .input = true, .nature = {.flags = HOL_NATURE_LOOSE}};
    hol_src at;
    (void)object;
    spec->n_items--; // counted when it is read
    hol_status st = hol_read_name(r, item, path, &h.name, &at);
    if (!st) st = hol_check_known(spec, r, hol_node_find(item, "name"), path, h.name);
    if (!st && hol_names_find(spec->held_names, h.name) >= 0)
        st = hol_read_fail(r, item, path, "the name \"%s\" is given twice among the inputs", h.name);
    if (!st && unit) st = read_unit(r, unit, path, &h);
    return st ? st : push_held(spec, r, h);
}

// Its value, of the dimension of its unit, unless it is fixed from outside.
static hol_status read_input(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const hol_object *object)
{
    hol_value v[HOL_COUNT(input_rows)];
    const char *name;
    hol_src at;
    hol_status st = hol_read_name(r, item, path, &name, &at);
    if (!st) st = hol_read_object(r, object, NULL, item, path, v);
    if (!st) st = hol_check_named(r, hol_node_find(item, "value"), path, "value", name);
    if (st) return st;
    hol_spec_held *h = &spec->held[hol_names_find(spec->held_names, name)];
    h->value = v[INPUT_VALUE].num;
    for (int i = 0; i < spec->n_fixed; i++)
        if (strcmp(spec->fixed[i].name, h->name) == 0) h->value = spec->fixed[i].value;
    h->linear = v[INPUT_HOLD].num > 0;
    return HOL_OK;
}

hol_status hol_know_tunable(hol_spec *spec, const hol_node *list)
{
    const hol_reader *r = &spec->reader;
    const hol_path path = {NULL, "tunable", 0, NULL};
    hol_status st = HOL_OK;
    for (int i = 0; i < (list->kind == HOL_NODE_SEQUENCE ? list->n : 1) && !st; i++) {
        const hol_node *node = hol_entry_item(list, i);
        hol_spec_held h = {.what = "is a tunable parameter", .outside = true};
        hol_constant c = {.value = 0};
        const char *own;
        st = hol_read_text(r, node, &path, &own);
        if (st) break;
        const char *parameter = hol_parameter_at(spec, node->at, own, &c);
        h.name = parameter ? parameter : hol_full_name(r->arena, node->at, own);
        if (!h.name) return HOL_ERR_MEMORY;
        const int held = hol_names_find(spec->held_names, h.name);
        if (held >= 0 && spec->held[held].outside)
            st = hol_read_fail(r, node, &path, "\"%s\" %s already", h.name, spec->held[held].what);
        else if (held >= 0)
            spec->held[held].outside = true; // events set it too
        else if (!parameter)
            st = hol_read_fail(r, node, &path, "there is no parameter \"%s\"", h.name);
        h.value = c.value;
        h.nature = c.nature;
        if (!st && held < 0) st = push_held(spec, r, h);
    }
    return st;
}
