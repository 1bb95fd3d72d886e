// Users' own equations: their names, variables and states, and the two passes over the file.
//
// The first pass learns every name that expressions may use, because an expression may name what stands below it.
#include "model/read_users.h"

#include <stdlib.h>

#include <string.h>

enum { VARIABLE_VALUE = HOL_OWN_KEYS, VARIABLE_SIZE };
static const hol_option variable_rows[] = {
    HOL_NAMED_KEYS(HOL_IDENTIFIER){"value", HOL_FUNCTION, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF,
                                   HOL_REQUIRED | HOL_LEAVES, NULL, "what the name stands for"},
    {"size", HOL_NUMBER, HOL_ANY_UNIT, 1, 0, HOL_INF, HOL_ABOVE, NULL, "natural size, for tolerances"},
    {"unit", HOL_TEXT, "", 0, 0, 0, 0, NULL,
     "what it is measured in and shown in, such as deg or N mm; its value in expressions is in SI units"},
    HOL_END_OPTIONS};
static hol_item_fn read_variable;
const hol_object hol_variable_object = {
    .know = hol_know_name,
    .read = read_variable,
    .name = "variable",
    .rows = variable_rows,
    .text =
        "A variable is a named expression. Any other expression may use its name, above or below; variables "
        "that "
        "depend on each other, on accelerations or on reactions are solved for together with the motion. The "
        "signal "
        "has the same name.",
    .example = "- {name: error, value: target - AZ(rod), unit: deg}\n"};

enum { STATE_RATE = HOL_OWN_KEYS, STATE_INITIAL, STATE_SIZE };
static const hol_option state_rows[] = {
    HOL_NAMED_KEYS(HOL_IDENTIFIER){"rate", HOL_FUNCTION, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF,
                                   HOL_REQUIRED | HOL_LEAVES, NULL, "the time derivative, per second"},
    {"initial", HOL_NUMBER, HOL_ANY_UNIT, 0, -HOL_INF, HOL_INF, HOL_INITIAL, NULL, "value at the start"},
    {"size", HOL_NUMBER, HOL_ANY_UNIT, 1, 0, HOL_INF, HOL_ABOVE, NULL, "natural size, for tolerances"},
    HOL_END_OPTIONS};
static hol_item_fn read_state;
const hol_object hol_state_object = {
    .know = hol_know_name,
    .read = read_state,
    .name = "state",
    .rows = state_rows,
    .text = "A state is integrated with the motion: x' = rate. Expressions use its "
            "name, and `DIF1(x)` for its rate. The "
            "signal has the same name.",
    .example = "- {name: sum, rate: error, initial: 0}\n"};

// ---- lists ----------------------------------------------------------------------------------------------------

int hol_entry_length(const hol_node *item, const char *key)
{
    const hol_node *list = hol_node_find(item, key);
    return !list ? 0 : list->kind == HOL_NODE_SEQUENCE ? list->n : 1;
}

const hol_node *hol_entry_item(const hol_node *entry, int i)
{
    return entry->kind == HOL_NODE_SEQUENCE ? entry->value[i] : entry;
}

// ---- names known before anything is read ----------------------------------------------------------------------

// A name, or the first part of names, that may stand in expressions.
static hol_status check_identifier(const hol_reader *r, const hol_node *at, const hol_path *path,
                                   const char *name)
{
    name = hol_own_name(at->at, name);
    if (hol_is_identifier(name)) return HOL_OK;
    return hol_read_fail(r, at, path,
                         "\"%s\": this name stands in expressions: letters, digits and _, not a digit first",
                         name);
}

static hol_status push_name(hol_known *k, hol_arena *arena, const char *name)
{
    if (!HOL_ARENA_GROW(arena, k->name, k->n)) return HOL_ERR_MEMORY;
    k->name[k->n] = name;
    return hol_names_add(k->names, name, k->n++);
}

hol_status hol_check_known(const hol_spec *spec, const hol_reader *r, const hol_node *at,
                           const hol_path *path, const char *name)
{
    const hol_known *k = &spec->known;
    const char *full = name;
    hol_status st = check_identifier(r, at, path, name);
    if (st) return st;
    name = hol_own_name(at->at, full);
    if (strcmp(full, "t") == 0)
        return hol_read_fail(r, at, path, "results have their time in a column \"t\"; choose another name");
    if (hol_name_is_reserved(name))
        return hol_read_fail(r, at, path, "\"%s\" is %s; choose another name", name,
                             hol_name_is_reserved(name));
    if (hol_is_parameter_of_file(r, at->at, name))
        return hol_read_fail(r, at, path, "\"%s\" is the name of a parameter too; choose another", name);
    if (hol_names_find(k->names, full) >= 0)
        return hol_read_fail(r, at, path,
                             "the name \"%s\" is given twice among variables, states and outputs", name);
    return HOL_OK;
}

// Notes a name of the user's, before any expression is read.
static hol_status add_known(hol_spec *spec, const hol_reader *r, const hol_node *at, const hol_path *path,
                            const char *name)
{
    const hol_status st = hol_check_known(spec, r, at, path, name);
    return st ? st : push_name(&spec->known, r->arena, name);
}

hol_status hol_know_name(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                         const hol_object *object)
{
    const char *name;
    hol_src at;
    (void)object;
    spec->n_items--; // counted when it is read
    hol_status st = hol_read_name(r, item, path, &name, &at);
    return st ? st : add_known(spec, r, hol_node_find(item, "name"), path, name);
}

// The names of a list of the item, such as outputs of code.
static hol_status know_list(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            const char *key)
{
    const hol_node *list = hol_node_find(item, key);
    const hol_path at = {path, key, 0, NULL};
    for (int i = 0; i < hol_entry_length(item, key); i++) {
        const hol_node *one = hol_entry_item(list, i);
        const char *name;
        hol_status st = hol_read_text(r, one, &at, &name);
        if (!st && !(name = hol_full_name(r->arena, one->at, name))) st = HOL_ERR_MEMORY;
        if (!st) st = add_known(spec, r, one, &at, name);
        if (st) return st;
    }
    return HOL_OK;
}

// The names a transfer function or a state-space block adds.
static hol_status know_parts(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const char *name, const char *letter, int n, bool numbered)
{
    for (int i = 1; i <= n; i++) {
        const char *part = numbered ? hol_arena_print(r->arena, "%s_%s%d", name, letter, i)
                                    : hol_arena_print(r->arena, "%s_%s", name, letter);
        hol_status st = part ? add_known(spec, r, item, path, part) : HOL_ERR_MEMORY;
        if (st) return st;
    }
    return HOL_OK;
}

// A transfer function's names: its output, and its states behind it.
hol_status hol_know_transfer(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const hol_object *object)
{
    hol_status st = hol_know_name(spec, r, item, path, object);
    const char *name;
    hol_src at;
    if (!st) st = hol_read_name(r, item, path, &name, &at);
    if (!st) st = know_parts(spec, r, item, path, name, "u", 1, false);
    return st ? st
              : know_parts(spec, r, item, path, name, "x", hol_entry_length(item, "denominator") - 1, true);
}

// "block_u1", ... for the inputs of a state-space block or of code, which are expressions
static hol_status know_inputs(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                              const char **name)
{
    hol_src at;
    spec->n_items--;
    hol_status st = hol_read_name(r, item, path, name, &at);
    if (!st) st = check_identifier(r, item, path, *name);
    return st ? st : know_parts(spec, r, item, path, *name, "u", hol_entry_length(item, "inputs"), true);
}

hol_status hol_know_space(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                          const hol_object *object)
{
    const char *name;
    (void)object;
    hol_status st = know_inputs(spec, r, item, path, &name);
    if (!st) st = know_parts(spec, r, item, path, name, "x", hol_entry_length(item, "A"), true);
    return st ? st : know_list(spec, r, item, path, "outputs");
}

hol_status hol_know_code(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                         const hol_object *object)
{
    const char *name;
    (void)object;
    hol_status st = know_inputs(spec, r, item, path, &name);
    if (!st) st = know_list(spec, r, item, path, "outputs");
    return st ? st : know_list(spec, r, item, path, "states");
}

// ---- equations ------------------------------------------------------------------------------------------------

hol_status hol_push_equation(hol_spec *spec, const hol_reader *r, const hol_path *path, hol_spec_equation e)
{
    e.path = hol_arena_print(r->arena, "%s.%s", path->up->key, path->name ? path->name : e.name);
    if (!e.path || !HOL_ARENA_GROW(r->arena, spec->equation, spec->n_equations)) return HOL_ERR_MEMORY;
    spec->equation[spec->n_equations++] = e;
    return HOL_OK;
}

hol_status hol_input_names(const hol_reader *r, const char *name, int n, const char ***out)
{
    *out = hol_arena_alloc(r->arena, (size_t)n + 1, sizeof **out);
    for (int i = 0; *out && i < n; i++)
        if (!((*out)[i] = hol_arena_print(r->arena, "%s_u%d", name, i + 1))) return HOL_ERR_MEMORY;
    return *out ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_name_outputs(const hol_reader *r, hol_value *names)
{
    hol_word *word = hol_arena_alloc(r->arena, (size_t)names->n + 1, sizeof *word);
    if (!word) return HOL_ERR_MEMORY;
    for (int i = 0; i < names->n; i++) {
        const hol_src at = names->word[i].at;
        word[i] = (hol_word){hol_full_name(r->arena, at, names->word[i].name), at};
        if (!word[i].name) return HOL_ERR_MEMORY;
    }
    names->word = word;
    return HOL_OK;
}

hol_status hol_push_inputs(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                           hol_src name_at, const hol_value *inputs, const char *const *name)
{
    for (int i = 0; i < inputs->n; i++) {
        const hol_spec_equation u = {
            .name = name[i], .at = item->at, .name_at = name_at, .formula = inputs->formula[i], .size = 1};
        hol_status st = hol_push_equation(spec, r, path, u);
        if (st) return st;
    }
    return HOL_OK;
}

// The SI unit of a dimension, as text: "N m", "kg m^2/s".
static hol_status si_unit(const hol_reader *r, const hol_dimension *d, const char **out)
{
    static const char *const name[] = {"m", "kg", "s", "rad"};
    static const int order[] = {1, 0, 3, 2};
    const bool force =
        d->power[1] == HOL_POWER_ONE && d->power[2] == -2 * HOL_POWER_ONE && d->power[0] >= HOL_POWER_ONE;
    const char *above = force ? "N" : "", *below = "";
    int n_below = 0;
    for (int k = 0; k < 4; k++) {
        const int i = order[k], taken = !force ? 0 : i == 0 || i == 1 ? 1 : i == 2 ? -2 : 0;
        const int power = d->power[i] / HOL_POWER_ONE - taken;
        const char *const text =
            hol_arena_print(r->arena, abs(power) == 1 ? "%s" : "%s^%d", name[i], abs(power));
        if (power > 0) above = hol_arena_print(r->arena, "%s%s%s", above, *above ? " " : "", text);
        if (power < 0) below = hol_arena_print(r->arena, "%s%s%s", below, n_below++ ? " " : "", text);
    }
    const char *open = n_below > 1 ? "/(" : n_below ? "/" : "", *shut = n_below > 1 ? ")" : "";
    *out = hol_arena_print(r->arena, "%s%s%s%s", *above ? above : n_below ? "1" : "", open, below, shut);
    return *out ? HOL_OK : HOL_ERR_MEMORY;
}

// `unit:` of a variable, which must be that of its value where that is known.
static hol_status read_unit(const hol_reader *r, const hol_node *item, const hol_path *up,
                            hol_spec_equation *e)
{
    const hol_node *node = hol_node_find(item, "unit");
    const hol_path path = {up, "unit", 0, NULL};
    hol_constant c;
    if (!node) return HOL_OK;
    hol_status st = hol_read_own_unit(r, node, up, &c, &e->shown);
    if (!st)
        st = hol_check_nature(r, node, &path, c.nature, hol_expr_nature(e->formula->expr), "the unit",
                              e->name);
    for (int i = 0; i < 4 && !st; i++)
        if (c.nature.dimension.power[i] % HOL_POWER_ONE)
            st = hol_read_fail(r, node, &path, "\"%s\": whole powers are wanted here", e->shown);
    if (st) return st;
    e->factor = 1 / c.value;
    e->unit = e->shown;
    return c.value == 1 ? HOL_OK : si_unit(r, &c.nature.dimension, &e->unit);
}

// `value:` of a variable, with the size by which its errors are judged.
static hol_status read_variable(hol_spec *spec, const hol_reader *r, const hol_node *item,
                                const hol_path *path, const hol_object *object)
{
    hol_value v[HOL_COUNT(variable_rows)];
    hol_spec_equation e = {.at = item->at};
    (void)object;
    hol_status st = hol_read_name(r, item, path, &e.name, &e.name_at);
    if (!st) st = hol_read_options(r, variable_rows, NULL, item, path, v);
    if (!st) st = hol_check_named(r, hol_node_find(item, "size"), path, "size", e.name);
    if (st) return st;
    e.formula = v[VARIABLE_VALUE].formula[0];
    e.size = v[VARIABLE_SIZE].num;
    st = read_unit(r, item, path, &e);
    return st ? st : hol_push_equation(spec, r, path, e);
}

// `rate:` and `initial:` of a state.
static hol_status read_state(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const hol_object *object)
{
    const hol_path at = {path, "rate", 0, NULL};
    hol_value v[HOL_COUNT(state_rows)];
    hol_spec_equation e = {.at = item->at, .is_state = true};
    (void)object;
    hol_status st = hol_read_name(r, item, path, &e.name, &e.name_at);
    if (!st) st = hol_read_options(r, state_rows, NULL, item, path, v);
    if (st) return st;
    e.formula = v[STATE_RATE].formula[0];
    st = hol_check_nature(r, hol_node_find(item, "rate"), &at, hol_expr_nature(e.formula->expr),
                          hol_nature_of_rate(hol_known_nature(r->known, e.name), -1), "the rate", e.name);
    if (!st) st = hol_check_named(r, hol_node_find(item, "size"), path, "size", e.name);
    if (st) return st;
    e.initial = v[STATE_INITIAL].num;
    e.size = v[STATE_SIZE].num;
    return hol_push_equation(spec, r, path, e);
}

// ---- all names --------------------------------------------------------------------------------------------------

hol_status hol_read_known(hol_spec *spec, const hol_node *root)
{
    spec->known.names = hol_names_create_in(spec->ctx, spec->arena);
    spec->known.joints = hol_names_create_in(spec->ctx, spec->arena);
    spec->known.spline_names = hol_names_create_in(spec->ctx, spec->arena);
    spec->held_names = hol_names_create_in(spec->ctx, spec->arena);
    spec->event_names = hol_names_create_in(spec->ctx, spec->arena);
    if (!spec->known.names || !spec->known.joints || !spec->known.spline_names || !spec->held_names ||
        !spec->event_names)
        return HOL_ERR_MEMORY;
    spec->reader.known = &spec->known;
    spec->known.root = root;
    hol_status st = hol_know_joints(spec, root);
    if (!st) st = hol_read_lists(spec, root, true);
    for (int i = -1; i < spec->subsystems.n && !st; i++) {
        const hol_node *tunable = hol_node_find(i < 0 ? root : spec->subsystems.list[i]->root, "tunable");
        if (tunable) st = hol_know_tunable(spec, tunable);
    }
    spec->known.first_held = spec->known.n;
    spec->known.held = spec->held;
    for (int i = 0; i < spec->n_held && !st; i++) { // from here on they are no constants
        if (hol_names_find(spec->known.names, spec->held[i].name) >=
            0) // an input below a variable of its name
            st = hol_read_fail(&spec->reader, hol_node_find(root, "inputs"), NULL,
                               "the name \"%s\" is given to an input and to a variable or a state",
                               spec->held[i].name);
        else
            st = push_name(&spec->known, spec->arena, spec->held[i].name);
    }
    if (!st) st = hol_refuse_parameters_of_held(spec);
    return st ? st : hol_learn_natures(spec, root);
}
