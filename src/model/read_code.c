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
const hol_option hol_code_keys[] = {
    HOL_NAMED_KEYS{"library", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED, NULL,
                   "shared object, beside the model file: ./tyre.so"},
    {"function", HOL_TEXT, "", 0, 0, 0, 0, NULL, "what it announces as hol_user_FUNCTION; default: the name"},
    {"inputs", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "list of expressions"},
    {"outputs", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "list of names for its results, to be used as variables"},
    {"states", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "list of names for its states"},
    {"parameters", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "numbers handed to it at the start"},
    {"initial", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "states at the start; default: 0"},
    HOL_END_OPTIONS};
typedef struct {
    int n;
    const char **name;
} name_list;

// A list of names, those of inputs, outputs or states.
static hol_status read_names(const hol_reader *r, const hol_node *item, const hol_path *up, const char *key,
                             name_list *out)
{
    const hol_node *node = hol_node_find(item, key);
    const hol_path path = {up, key, 0, NULL};
    out->n = hol_entry_length(item, key);
    out->name = hol_arena_alloc(r->arena, (size_t)out->n + 1, sizeof *out->name);
    if (!out->name) return HOL_ERR_MEMORY;
    for (int i = 0; i < out->n; i++) {
        hol_status st = hol_read_text(r, hol_entry_item(node, i), &path, &out->name[i]);
        if (st) return st;
    }
    return HOL_OK;
}

// The shared object of a code block, asked for with what the model gives to it.
static hol_status load_code(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            const hol_value *v, const char *name, const name_list *in, const name_list *out,
                            const name_list *states)
{
    const char *file = item->at.file ? item->at.file : spec->file, *slash = strrchr(file, '/');
    const hol_code_request what = {.library = v[CODE_LIBRARY].text,
                                   .folder =
                                       slash ? hol_arena_copy(r->arena, file, (size_t)(slash - file)) : NULL,
                                   .function = v[CODE_FUNCTION].given ? v[CODE_FUNCTION].text : name,
                                   .n_inputs = in->n,
                                   .n_outputs = out->n,
                                   .n_states = states->n,
                                   .n_parameters = v[CODE_PARAMETERS].given ? v[CODE_PARAMETERS].n : 0,
                                   .parameter = v[CODE_PARAMETERS].list,
                                   .input = in->name,
                                   .output = out->name,
                                   .state = states->name,
                                   .at = item->at,
                                   .path = hol_path_text(r, path)};
    hol_spec_code *list =
        hol_arena_push(r->arena, spec->code, &spec->code_capacity, spec->n_codes, sizeof *list);
    if (!list) return HOL_ERR_MEMORY;
    spec->code = list;
    list[spec->n_codes] = (hol_spec_code){.n_inputs = in->n, .n_outputs = out->n, .n_states = states->n};
    hol_status st = hol_code_load(r->ctx, &what, &list[spec->n_codes].code);
    spec->n_codes += !st;
    return st ? st : hol_spec_note_file(spec, hol_code_file(list[spec->n_codes - 1].code));
}

// Values that come from code: outputs, and rates of its states.
static hol_status push_coded(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const name_list *names, bool states, const hol_value *initial)
{
    const hol_spec_code *c = &spec->code[spec->n_codes - 1];
    for (int i = 0; i < names->n; i++) {
        const double size = states ? hol_code_state_size(c->code, i) : 0;
        const hol_spec_equation e = {.name = names->name[i],
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

hol_status hol_read_code(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                         void *user)
{
    hol_value v[HOL_COUNT(hol_code_keys)];
    const char *name;
    hol_src at;
    name_list in, out, states;
    (void)user;
    hol_status st = hol_read_name(r, item, path, &name, &at);
    if (!st) st = hol_read_options(r, hol_code_keys, NULL, item, path, v);
    if (!st)
        st = read_names(r, item, path, "inputs", &in); // each is a text, before the library is looked for
    if (!st) st = hol_input_names(r, item, name, &in.n, &in.name);
    if (!st) st = read_names(r, item, path, "outputs", &out);
    if (!st) st = read_names(r, item, path, "states", &states);
    if (!st && v[CODE_INITIAL].given && v[CODE_INITIAL].n != states.n)
        st = hol_read_fail(r, item, path, "initial: one number per state is wanted, %d, here is %d", states.n,
                           v[CODE_INITIAL].n);
    if (!st) st = load_code(spec, r, item, path, v, name, &in, &out, &states);
    if (st) return st;
    hol_spec_code *c = &spec->code[spec->n_codes - 1];
    c->input = spec->n_equations;
    st = hol_push_inputs(spec, r, item, path, at, in.n, in.name);
    c->output = spec->n_equations;
    if (!st) st = push_coded(spec, r, item, path, &out, false, NULL);
    c->state = spec->n_equations;
    return st ? st : push_coded(spec, r, item, path, &states, true, &v[CODE_INITIAL]);
}
