// Users' code: what it takes and gives, and the shared object with it.
#include "model/code.h"
#include "model/read_users.h"

#include <string.h>

enum {
    CODE_LIBRARY = HOL_OWN_KEYS,
    CODE_FUNCTION,
    CODE_INPUTS,
    CODE_OUTPUTS,
    CODE_STATES,
    CODE_PARAMETERS,
    CODE_INITIAL
};
static const hol_option code_rows[] = {
    HOL_NAMED_KEYS(HOL_IDENTIFIER){"library", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED | HOL_FILE, NULL,
                                   "shared object, beside the file that names it: ./tyre.so"},
    {"function", HOL_TEXT, "", 0, 0, 0, 0, NULL, "what it announces as hol_user_FUNCTION; default: the name"},
    {"inputs", HOL_FUNCTIONS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_LEAVES | HOL_MAY_BE_EMPTY, NULL,
     "list of expressions"},
    {"outputs", HOL_TEXTS, "", 0, 0, 0, HOL_IDENTIFIER | HOL_MAY_BE_EMPTY, NULL,
     "list of names for its results, to be used as variables"},
    {"states", HOL_TEXTS, "", 0, 0, 0, HOL_IDENTIFIER | HOL_MAY_BE_EMPTY, NULL,
     "list of names for its states"},
    {"parameters", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "numbers handed to it at the start"},
    {"initial", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_INITIAL, NULL,
     "states at the start; default: 0"},
    HOL_END_OPTIONS};
static const hol_rule code_rules[] = {{HOL_GOES_WITH, "initial|states", "goes with states", NULL},
                                      HOL_END_RULES};
static hol_item_fn read_code;
const hol_object hol_function_object = {
    .know = hol_know_code,
    .read = read_code,
    .name = "function",
    .rows = code_rows,
    .rules = code_rules,
    .text = "A function of a shared object, which user code announces by "
            "`holonom_user.h`. Its outputs and states are used by "
            "their names like variables and states; `NAME_u1`, ... are its inputs.",
    .example =
        "- {name: tyre, library: ./tyre.so, inputs: [slip, load], outputs: [grip], parameters: [1.2]}\n"};
// The names of a list as the code is told them.
static const char **texts(const hol_reader *r, const hol_value *v)
{
    const char **name = hol_arena_alloc(r->arena, (size_t)v->n + 1, sizeof *name);
    for (int i = 0; name && i < v->n; i++) name[i] = v->word[i].name;
    return name;
}

// The shared object of a code block, asked for with what the model gives to it.
static hol_status load_code(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            const hol_value *v, const char *name, const char *const *inputs)
{
    const hol_value *out = &v[CODE_OUTPUTS], *states = &v[CODE_STATES];
    const char *const *out_names = texts(r, out), *const *state_names = texts(r, states);
    const char *file = item->at.file ? item->at.file : spec->file, *slash = strrchr(file, '/');
    const hol_code_request what = {
        .library = v[CODE_LIBRARY].text,
        .folder = slash ? hol_arena_copy(r->arena, file, (size_t)(slash - file)) : NULL,
        .function = v[CODE_FUNCTION].given ? v[CODE_FUNCTION].text : hol_own_name(item->at, name),
        .n_inputs = v[CODE_INPUTS].n,
        .n_outputs = out->n,
        .n_states = states->n,
        .n_parameters = v[CODE_PARAMETERS].given ? v[CODE_PARAMETERS].n : 0,
        .parameter = v[CODE_PARAMETERS].list,
        .input = inputs,
        .output = out_names,
        .state = state_names,
        .at = item->at,
        .path = hol_path_text(r, path)};
    if (!out_names || !state_names || !HOL_ARENA_GROW(r->arena, spec->code, spec->n_codes))
        return HOL_ERR_MEMORY;
    hol_spec_code *list = spec->code;
    list[spec->n_codes] =
        (hol_spec_code){.n_inputs = v[CODE_INPUTS].n, .n_outputs = out->n, .n_states = states->n};
    hol_status st = hol_code_load(r->ctx, &what, &list[spec->n_codes].code);
    spec->n_codes += !st;
    return st ? st : hol_spec_note_file(spec, hol_code_file(list[spec->n_codes - 1].code));
}

// Values that come from code: outputs, and rates of its states.
static hol_status push_coded(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const hol_value *names, bool states, const hol_value *initial)
{
    const hol_spec_code *c = &spec->code[spec->n_codes - 1];
    for (int i = 0; i < names->n; i++) {
        const double size = states ? hol_code_state_size(c->code, i) : 0;
        const hol_spec_equation e = {.name = names->word[i].name,
                                     .at = item->at,
                                     .name_at = item->at,
                                     .is_state = states,
                                     .block = spec->n_codes,
                                     .initial = states && initial->given ? initial->list[i] : 0,
                                     .size = size > 0 ? size : 1};
        hol_status st = hol_push_equation(spec, r, path, e);
        if (st) return st;
    }
    return HOL_OK;
}

// A function of a shared object, with what goes in and comes out as equations.
static hol_status read_code(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            const hol_object *object)
{
    hol_value v[HOL_COUNT(code_rows)];
    const char *name;
    hol_src at;
    const char **inputs = NULL;
    (void)object;
    hol_status st = hol_read_name(r, item, path, &name, &at);
    if (!st) st = hol_read_object(r, &hol_function_object, NULL, item, path, v);
    if (!st) st = hol_name_outputs(r, &v[CODE_OUTPUTS]);
    if (!st) st = hol_name_outputs(r, &v[CODE_STATES]);
    if (!st) st = hol_input_names(r, name, v[CODE_INPUTS].n, &inputs);
    const int n_states = st ? 0 : v[CODE_STATES].n;
    if (!st && v[CODE_INITIAL].given && v[CODE_INITIAL].n != n_states)
        st = hol_read_fail(r, item, path, "initial: one number per state is wanted, %d, here is %d%s",
                           n_states, v[CODE_INITIAL].n, v[CODE_INITIAL].comma);
    if (!st) st = load_code(spec, r, item, path, v, name, inputs);
    if (st) return st;
    hol_spec_code *c = &spec->code[spec->n_codes - 1];
    c->input = spec->n_equations;
    st = hol_push_inputs(spec, r, item, path, at, &v[CODE_INPUTS], inputs);
    c->output = spec->n_equations;
    if (!st) st = push_coded(spec, r, item, path, &v[CODE_OUTPUTS], false, NULL);
    c->state = spec->n_equations;
    return st ? st : push_coded(spec, r, item, path, &v[CODE_STATES], true, &v[CODE_INITIAL]);
}
