// Users' own equations: variables, states, transfer functions, state-space blocks, tables, events.
//
// The first pass learns every name that expressions may use, because an expression may name what stands below it.
#include "model/read.h"

#include "expr/spline.h"
#include "model/code.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// clang-format off
#define NAMED \
    {"name", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED, NULL, "name: letters, digits and _; {i} stands for a loop index"}, \
    {"for", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "loop: i in first..last, or a list of loops"},
// clang-format on

enum { NAME, FOR };
enum { VARIABLE_VALUE = 2, VARIABLE_SIZE };
const hol_option hol_variable_keys[] = {
    NAMED{"value", HOL_ENTRY, "", 0, 0, 0, HOL_REQUIRED | HOL_LEAVES, NULL, "what the name stands for"},
    {"size", HOL_NUMBER, "", 1, 0, HOL_INF, HOL_ABOVE, NULL, "natural size, for tolerances"},
    HOL_END_OPTIONS};

enum { STATE_RATE = 2, STATE_INITIAL, STATE_SIZE };
const hol_option hol_state_keys[] = {
    NAMED{"rate", HOL_ENTRY, "", 0, 0, 0, HOL_REQUIRED | HOL_LEAVES, NULL, "the time derivative, per second"},
    {"initial", HOL_NUMBER, "", 0, -HOL_INF, HOL_INF, 0, NULL, "value at the start"},
    {"size", HOL_NUMBER, "", 1, 0, HOL_INF, HOL_ABOVE, NULL, "natural size, for tolerances"},
    HOL_END_OPTIONS};

enum { TRANSFER_INPUT = 2, TRANSFER_NUMERATOR, TRANSFER_DENOMINATOR, TRANSFER_INITIAL };
const hol_option hol_transfer_keys[] = {
    NAMED{"input", HOL_ENTRY, "", 0, 0, 0, HOL_REQUIRED | HOL_LEAVES, NULL, "what goes in"},
    {"numerator", HOL_NUMBERS, "", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
     "coefficients, highest power of s first"},
    {"denominator", HOL_NUMBERS, "", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
     "coefficients, highest power of s first; not shorter than the numerator"},
    {"initial", HOL_NUMBERS, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "states at the start, of the controllable canonical form; default 0"},
    HOL_END_OPTIONS};

enum { SPACE_INPUTS = 2, SPACE_OUTPUTS, SPACE_A, SPACE_B, SPACE_C, SPACE_D, SPACE_INITIAL };
const hol_option hol_state_space_keys[] = {
    NAMED{"inputs", HOL_ENTRY, "", 0, 0, 0, HOL_REQUIRED, NULL, "list of expressions u"},
    {"outputs", HOL_ENTRY, "", 0, 0, 0, HOL_REQUIRED, NULL, "list of names for y = C x + D u"},
    {"A", HOL_ENTRY, "", 0, 0, 0, HOL_REQUIRED, NULL, "list of rows: x' = A x + B u"},
    {"B", HOL_ENTRY, "", 0, 0, 0, HOL_REQUIRED, NULL, "list of rows"},
    {"C", HOL_ENTRY, "", 0, 0, 0, HOL_REQUIRED, NULL, "list of rows"},
    {"D", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "list of rows; default: 0"},
    {"initial", HOL_NUMBERS, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "x at the start; default: 0"},
    HOL_END_OPTIONS};

enum {
    CODE_LIBRARY = 2,
    CODE_FUNCTION,
    CODE_INPUTS,
    CODE_OUTPUTS,
    CODE_STATES,
    CODE_PARAMETERS,
    CODE_INITIAL
};
const hol_option hol_code_keys[] = {
    NAMED{"library", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED, NULL,
          "shared object, beside the model file: ./tyre.so"},
    {"function", HOL_TEXT, "", 0, 0, 0, 0, NULL, "what it announces as hol_user_FUNCTION; default: the name"},
    {"inputs", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "list of expressions"},
    {"outputs", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "list of names for its results, to be used as variables"},
    {"states", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "list of names for its states"},
    {"parameters", HOL_NUMBERS, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "numbers handed to it at the start"},
    {"initial", HOL_NUMBERS, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "states at the start; default: 0"},
    HOL_END_OPTIONS};

enum { SPLINE_KIND = 2, SPLINE_X, SPLINE_Y, SPLINE_FILE, SPLINE_COLUMNS };
const hol_option hol_spline_keys[] = {
    NAMED{"kind", HOL_CHOICE, "", 0, 0, 0, 0, "akima|cubic|linear", "how the points are joined"},
    {"x", HOL_NUMBERS, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "abscissae, increasing"},
    {"y", HOL_NUMBERS, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "ordinates"},
    {"file", HOL_TEXT, "", 0, 0, 0, 0, NULL, "instead: a table of numbers (CSV), beside the model file"},
    {"columns", HOL_NUMBERS, "", HOL_NONE, 1, 1000, 0, NULL,
     "with `file`: the columns of x and y; default [1, 2]"},
    HOL_END_OPTIONS};

enum {
    EVENT_WHEN = 2,
    EVENT_DIRECTION,
    EVENT_EVERY,
    EVENT_AT,
    EVENT_ONCE,
    EVENT_STOP,
    EVENT_PRINT,
    EVENT_SET,
    EVENT_ON,
    EVENT_OFF
};
const hol_option hol_event_keys[] = {
    NAMED{"when", HOL_ENTRY, "", 0, 0, 0, HOL_LEAVES, NULL, "the event is where it passes through 0"},
    {"direction", HOL_CHOICE, "", 0, 0, 0, 0, "both|rising|falling", "which passages count"},
    {"every", HOL_NUMBER, "s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "instead of `when`: at multiples of this time, from the start on (sampled controllers)"},
    {"at", HOL_NUMBERS, "s", HOL_NONE, 0, HOL_INF, 0, NULL, "instead of `when`: at these times"},
    {"once", HOL_FLAG, "", 0, 0, 1, 0, NULL, "the first time only"},
    {"stop", HOL_FLAG, "", 0, 0, 1, 0, NULL, "end the simulation there"},
    {"print", HOL_TEXT, "", 0, 0, 0, 0, NULL, "a message with the time"},
    {"set", HOL_ENTRY, "", 0, 0, 0, 0, NULL,
     "map: parameters and states to expressions, all taken from the moment before"},
    {"on", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "a force, or a list of forces, that acts from there on"},
    {"off", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "a force, or a list of forces, that does not act from there on"},
    HOL_END_OPTIONS};

// ---- names known before anything is read ----------------------------------------------------------------------

static hol_status add_known(hol_spec *spec, const hol_reader *r, const hol_node *at, const hol_path *path,
                            const char *name)
{
    hol_known *k = &spec->known;
    double value;
    if (!hol_is_identifier(name))
        return hol_read_fail(
            r, at, path, "\"%s\": this name stands in expressions: letters, digits and _, not a digit first",
            name);
    static const char *const taken[] = {"time", "pi"};
    for (int i = 0; i < HOL_COUNT(taken); i++)
        if (strcasecmp(name, taken[i]) == 0) // in any case
            return hol_read_fail(r, at, path, "the name \"%s\" is taken; choose another", name);
    if (r->scope && hol_scope_find(r->scope, name, &value))
        return hol_read_fail(r, at, path, "\"%s\" is the name of a parameter too; choose another", name);
    if (hol_names_find(k->names, name) >= 0)
        return hol_read_fail(r, at, path,
                             "the name \"%s\" is given twice among variables, states and outputs", name);
    const char **list = hol_arena_push(r->arena, k->name, &k->capacity, k->n, sizeof *list);
    if (!list) return HOL_ERR_MEMORY;
    k->name = list;
    list[k->n] = name;
    return hol_names_add(k->names, name, k->n++);
}

static hol_status know_name(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            void *user)
{
    const char *name;
    hol_src at;
    (void)user;
    spec->n_items--; // counted when it is read
    hol_status st = hol_read_name(r, item, path, &name, &at);
    return st ? st : add_known(spec, r, hol_node_find(item, "name"), path, name);
}

static int length_of(const hol_node *item, const char *key)
{
    const hol_node *list = hol_node_find(item, key);
    return !list ? 0 : list->kind == HOL_NODE_SEQUENCE ? list->n : 1;
}

static hol_status know_list(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            const char *key)
{
    const hol_node *list = hol_node_find(item, key);
    const hol_path at = {path, key, 0, NULL};
    for (int i = 0; i < length_of(item, key); i++) {
        const hol_node *one = list->kind == HOL_NODE_SEQUENCE ? list->value[i] : list;
        const char *name;
        hol_status st = hol_read_text(r, one, &at, &name);
        if (!st) st = add_known(spec, r, one, &at, name);
        if (st) return st;
    }
    return HOL_OK;
}

// A parameter that an event sets becomes a number in memory instead of a constant.
static hol_status know_held(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            void *user)
{
    const hol_node *set = hol_node_find(item, "set");
    const hol_path at = {path, "set", 0, NULL};
    (void)user;
    spec->n_items--;
    for (int i = 0; set && set->kind == HOL_NODE_MAP && i < set->n; i++) {
        hol_spec_held h;
        bool known = false;
        hol_status st = hol_read_text(r, set->key[i], &at, &h.name);
        if (st) return st;
        for (int k = 0; k < spec->n_held; k++) known = known || strcmp(spec->held[k].name, h.name) == 0;
        if (known || !spec->reader.scope || !hol_scope_find(spec->reader.scope, h.name, &h.value)) continue;
        hol_spec_held *list =
            hol_arena_push(r->arena, spec->held, &spec->held_capacity, spec->n_held, sizeof *list);
        if (!list) return HOL_ERR_MEMORY;
        spec->held = list;
        list[spec->n_held++] = h;
    }
    return HOL_OK;
}

// ---- tables ---------------------------------------------------------------------------------------------------

// Numbers of two columns of a text file; lines that do not start with a number are skipped.
static hol_status read_table(const hol_spec *spec, const hol_reader *r, const hol_node *item,
                             const hol_path *path, const char *name, const int column[2], int *n, double **x,
                             double **y)
{
    const char *slash = strrchr(spec->file, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - spec->file) + 1 : 0;
    const char *full = hol_arena_print(r->arena, "%.*s%s", folder, spec->file, name);
    if (!full) return HOL_ERR_MEMORY;
    if (hol_context_most_items(r->ctx))
        return hol_read_fail(r, item, path, "other files may not be read here");
    FILE *f = fopen(full, "r");
    if (!f) return hol_read_fail(r, item, path, "the file \"%s\" cannot be read: %s", full, strerror(errno));
    char line[4096];
    int capacity[2] = {0, 0}, number = 0;
    hol_status st = HOL_OK;
    while (!st && fgets(line, sizeof line, f)) {
        double v[2];
        bool found[2] = {false, false};
        const char *p = line;
        number++;
        if (strlen(line) == sizeof line - 1)
            st = hol_read_fail(r, item, path, "line %d of \"%s\" is longer than %d characters", number, full,
                               (int)sizeof line - 2);
        for (int c = 1; *p; c++) {
            char *end;
            p += strspn(p, " \t");
            const double z = strtod(p, &end);
            for (int k = 0; k < 2 && end != p; k++)
                if (c == column[k]) {
                    v[k] = z;
                    found[k] = true;
                }
            if (end == p && c == 1) break; // a heading or a comment
            p = end + strcspn(end, ",; \t\r\n");
            p += strspn(p, " \t\r\n");
            p += *p == ',' || *p == ';'; // one: the next cell may be empty
        }
        if (!found[0] && !found[1]) continue;
        if (!found[0] || !found[1]) {
            st = hol_read_fail(r, item, path, "line %d of \"%s\" has no column %d", number, full,
                               found[0] ? column[1] : column[0]);
            break;
        }
        double **const lists[] = {x, y};
        for (int k = 0; k < 2 && !st; k++) {
            double *list = hol_arena_push(r->arena, *lists[k], &capacity[k], *n, sizeof *list);
            if (!list) st = HOL_ERR_MEMORY;
            if (!st) (*lists[k] = list)[*n] = v[k];
        }
        (*n)++;
    }
    fclose(f);
    return st;
}

static hol_status read_spline(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                              void *user)
{
    static const hol_spline_kind kinds[] = {HOL_SPLINE_AKIMA, HOL_SPLINE_CUBIC, HOL_SPLINE_LINEAR};
    hol_known *k = &spec->known;
    hol_value v[HOL_COUNT(hol_spline_keys)];
    hol_spline_entry e;
    double *x = NULL, *y = NULL;
    int n = 0, columns[2] = {1, 2};
    (void)user;
    hol_status st = hol_read_name(r, item, path, &e.name, &e.at);
    if (!st) st = hol_read_options(r, hol_spline_keys, NULL, item, path, v);
    if (st) return st;
    for (int i = 0; i < k->n_splines; i++)
        if (strcmp(k->spline[i].name, e.name) == 0)
            return hol_read_fail(r, item, path, "the name \"%s\" is given twice among the splines", e.name);
    if (v[SPLINE_X].given != v[SPLINE_Y].given || v[SPLINE_FILE].given == v[SPLINE_X].given)
        return hol_read_fail(r, item, path, "either x and y, or a file with the table is wanted");
    if (v[SPLINE_COLUMNS].given && !v[SPLINE_FILE].given)
        return hol_read_fail(r, hol_node_find(item, "columns"), path, "columns goes with file");
    if (v[SPLINE_COLUMNS].given && v[SPLINE_COLUMNS].n != 2)
        return hol_read_fail(r, item, path, "columns: two numbers are wanted");
    for (int i = 0; i < 2 && v[SPLINE_COLUMNS].given; i++) columns[i] = (int)v[SPLINE_COLUMNS].list[i];
    if (v[SPLINE_FILE].given) {
        st = read_table(spec, r, item, path, v[SPLINE_FILE].text, columns, &n, &x, &y);
        if (st) return st;
    } else {
        if (v[SPLINE_X].n != v[SPLINE_Y].n)
            return hol_read_fail(r, item, path, "x has %d numbers and y %d", v[SPLINE_X].n, v[SPLINE_Y].n);
        n = v[SPLINE_X].n;
        x = v[SPLINE_X].list;
        y = v[SPLINE_Y].list;
    }
    if (n < 2) return hol_read_fail(r, item, path, "a table needs at least two points, here are %d", n);
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]) || !isfinite(y[i]) || (i > 0 && x[i] <= x[i - 1]))
            return hol_read_fail(r, item, path, "point %d: x must increase, here %.9g follows %.9g", i + 1,
                                 x[i], i ? x[i - 1] : 0.0);
    e.spline = hol_spline_create(r->arena, kinds[(int)v[SPLINE_KIND].num], n, x, y);
    hol_spline_entry *list =
        hol_arena_push(r->arena, k->spline, &k->spline_capacity, k->n_splines, sizeof *list);
    if (!list || !e.spline) return HOL_ERR_MEMORY;
    k->spline = list;
    list[k->n_splines++] = e;
    return HOL_OK;
}

// ---- equations ------------------------------------------------------------------------------------------------

static hol_status push_equation(hol_spec *spec, const hol_reader *r, hol_spec_equation e)
{
    hol_spec_equation *list =
        hol_arena_push(r->arena, spec->equation, &spec->equation_capacity, spec->n_equations, sizeof *list);
    e.path = hol_arena_print(r->arena, "%s.%s", e.is_state ? "states" : "variables", e.name);
    if (!list || !e.path) return HOL_ERR_MEMORY;
    spec->equation = list;
    list[spec->n_equations++] = e;
    return HOL_OK;
}

// An expression made by the program, from a format.
static hol_status add_made(hol_spec *spec, const hol_reader *r, const hol_node *at, const hol_path *path,
                           const char *name, bool state, double initial, const char *text)
{
    hol_node node = {.kind = HOL_NODE_SCALAR, .text = text, .at = at->at};
    hol_spec_equation e = {
        .name = name, .at = at->at, .name_at = at->at, .is_state = state, .initial = initial, .size = 1};
    hol_status st = hol_read_formula(r, &node, path, "", &e.formula);
    return st ? st : push_equation(spec, r, e);
}

static hol_status read_variable(hol_spec *spec, const hol_reader *r, const hol_node *item,
                                const hol_path *path, void *user)
{
    const hol_path at = {path, "value", 0, NULL};
    hol_value v[HOL_COUNT(hol_variable_keys)];
    hol_spec_equation e = {.at = item->at};
    (void)user;
    hol_status st = hol_read_name(r, item, path, &e.name, &e.name_at);
    if (!st) st = hol_read_options(r, hol_variable_keys, NULL, item, path, v);
    if (!st) st = hol_read_formula(r, hol_node_find(item, "value"), &at, "", &e.formula);
    if (st) return st;
    e.size = v[VARIABLE_SIZE].num;
    return push_equation(spec, r, e);
}

static hol_status read_state(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             void *user)
{
    const hol_path at = {path, "rate", 0, NULL};
    hol_value v[HOL_COUNT(hol_state_keys)];
    hol_spec_equation e = {.at = item->at, .is_state = true};
    (void)user;
    hol_status st = hol_read_name(r, item, path, &e.name, &e.name_at);
    if (!st) st = hol_read_options(r, hol_state_keys, NULL, item, path, v);
    if (!st) st = hol_read_formula(r, hol_node_find(item, "rate"), &at, "1/s", &e.formula);
    if (st) return st;
    e.initial = v[STATE_INITIAL].num;
    e.size = v[STATE_SIZE].num;
    return push_equation(spec, r, e);
}

// "+ (c)*name", nothing for c = 0
static size_t term(char *text, size_t n, size_t room, double c, const char *name)
{
    if (c == 0 || n + 1 >= room) return n;
    const int k = snprintf(text + n, room - n, "%s(%.17g)*%s", n ? " + " : "", c, name);
    return k > 0 && n + (size_t)k < room ? n + (size_t)k : room;
}

enum { ROOM = 4000 };

static const char *finished(const hol_reader *r, const char *text, size_t n)
{
    return n == 0 ? "0" : hol_arena_copy(r->arena, text, n < ROOM ? n : ROOM - 1);
}

// Controllable canonical form: x1' = x2, ..., xn' = u - a0 x1 - ... - a_(n-1) xn, y = sum c_i x_i + d u.
static hol_status add_transfer(hol_spec *spec, const hol_reader *r, const hol_node *item,
                               const hol_path *path, const char *name, const hol_value *v)
{
    const double *num = v[TRANSFER_NUMERATOR].list, *den = v[TRANSFER_DENOMINATOR].list;
    const int order = v[TRANSFER_DENOMINATOR].n - 1,
              missing = v[TRANSFER_DENOMINATOR].n - v[TRANSFER_NUMERATOR].n;
    const double direct = missing ? 0 : num[0] / den[0];
    char rate[ROOM] = "", output[ROOM] = "";
    const char *input = hol_arena_print(r->arena, "%s_u", name);
    if (!input) return HOL_ERR_MEMORY;
    size_t n = term(rate, 0, sizeof rate, 1, input), m = 0;
    for (int i = 0; i < order; i++) { // x_(i+1) belongs to s^i
        const char *x = hol_arena_print(r->arena, "%s_x%d", name, i + 1);
        if (!x) return HOL_ERR_MEMORY;
        const double a = den[order - i] / den[0],
                     c = order - i - missing >= 0 ? num[order - i - missing] / den[0] : 0;
        n = term(rate, n, sizeof rate, -a, x);
        m = term(output, m, sizeof output, c - direct * a, x);
    }
    m = term(output, m, sizeof output, direct, input);
    hol_status st = n < ROOM && m < ROOM ? HOL_OK : hol_read_fail(r, item, path, "the name is too long");
    for (int i = 0; i < order && !st; i++) {
        const char *x = hol_arena_print(r->arena, "%s_x%d", name, i + 1),
                   *next = hol_arena_print(r->arena, "%s_x%d", name, i + 2);
        if (!x || !next) return HOL_ERR_MEMORY;
        st = add_made(spec, r, item, path, x, true,
                      v[TRANSFER_INITIAL].given ? v[TRANSFER_INITIAL].list[i] : 0,
                      i + 1 < order ? next : finished(r, rate, n));
    }
    return st ? st : add_made(spec, r, item, path, name, false, 0, finished(r, output, m));
}

static hol_status read_transfer(hol_spec *spec, const hol_reader *r, const hol_node *item,
                                const hol_path *path, void *user)
{
    const hol_path at = {path, "input", 0, NULL};
    hol_value v[HOL_COUNT(hol_transfer_keys)];
    hol_spec_equation u = {.at = item->at, .size = 1};
    const char *name;
    hol_src name_at;
    (void)user;
    hol_status st = hol_read_name(r, item, path, &name, &name_at);
    if (!st) st = hol_read_options(r, hol_transfer_keys, NULL, item, path, v);
    if (st) return st;
    const int order = v[TRANSFER_DENOMINATOR].n - 1;
    if (v[TRANSFER_DENOMINATOR].list[0] == 0)
        return hol_read_fail(r, item, path, "the first coefficient of the denominator is 0");
    if (v[TRANSFER_NUMERATOR].n > order + 1)
        return hol_read_fail(r, item, path,
                             "the numerator has a higher degree than the denominator: the output would "
                             "contain derivatives of the input");
    if (order > 20) return hol_read_fail(r, item, path, "degree %d: the most is 20", order);
    if (v[TRANSFER_INITIAL].given && v[TRANSFER_INITIAL].n != order)
        return hol_read_fail(r, item, path, "initial: one number per state is wanted, %d, here is %d", order,
                             v[TRANSFER_INITIAL].n);
    u.name = hol_arena_print(r->arena, "%s_u", name);
    u.name_at = name_at;
    if (!u.name) return HOL_ERR_MEMORY;
    st = hol_read_formula(r, hol_node_find(item, "input"), &at, "", &u.formula);
    if (!st) st = push_equation(spec, r, u);
    return st ? st : add_transfer(spec, r, item, path, name, v);
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

static hol_status know_transfer(hol_spec *spec, const hol_reader *r, const hol_node *item,
                                const hol_path *path, void *user)
{
    hol_status st = know_name(spec, r, item, path, user);
    const char *name;
    hol_src at;
    if (!st) st = hol_read_name(r, item, path, &name, &at);
    if (!st) st = know_parts(spec, r, item, path, name, "u", 1, false);
    return st ? st : know_parts(spec, r, item, path, name, "x", length_of(item, "denominator") - 1, true);
}

static hol_status know_space(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             void *user)
{
    const char *name;
    hol_src at;
    hol_status st = hol_read_name(r, item, path, &name, &at);
    if (!st && !hol_is_identifier(name))
        st = hol_read_fail(
            r, item, path,
            "\"%s\": this name stands in expressions: letters, digits and _, not a digit first", name);
    if (!st) st = know_parts(spec, r, item, path, name, "u", length_of(item, "inputs"), true);
    if (!st) st = know_parts(spec, r, item, path, name, "x", length_of(item, "A"), true);
    (void)user;
    spec->n_items--;
    return st ? st : know_list(spec, r, item, path, "outputs");
}

// rows x cols numbers
static hol_status read_matrix(const hol_reader *r, const hol_node *item, const hol_path *path,
                              const char *key, int rows, int cols, double **out)
{
    const hol_node *list = hol_node_find(item, key);
    const hol_path at = {path, key, 0, NULL};
    *out = hol_arena_alloc(r->arena, (size_t)(rows * cols) + 1, sizeof **out);
    if (!*out) return HOL_ERR_MEMORY;
    if (!list) return HOL_OK;
    if (list->kind != HOL_NODE_SEQUENCE || list->n != rows)
        return hol_read_fail(r, list, &at, "a matrix of %d x %d is wanted: a list of rows", rows, cols);
    for (int i = 0; i < rows; i++) {
        const hol_path row = {&at, NULL, i, NULL};
        hol_status st = hol_read_numbers(r, list->value[i], &row, "", cols, *out + i * cols);
        if (st) return st;
    }
    return HOL_OK;
}

typedef struct {
    const char *name;
    int nx, nu, ny;
    double *A, *B, *C, *D;
} space;

// row . x + input . u
static hol_status add_row(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                          const space *s, const double *x, const double *u, const char *name, bool state,
                          double initial)
{
    char text[ROOM] = "";
    size_t n = 0;
    for (int k = 0; k < s->nx + s->nu; k++) {
        const char *of = k < s->nx ? hol_arena_print(r->arena, "%s_x%d", s->name, k + 1)
                                   : hol_arena_print(r->arena, "%s_u%d", s->name, k - s->nx + 1);
        if (!of) return HOL_ERR_MEMORY;
        n = term(text, n, sizeof text, k < s->nx ? x[k] : u[k - s->nx], of);
    }
    if (n >= ROOM) return hol_read_fail(r, item, path, "a row of the matrices is too long");
    const char *made = finished(r, text, n);
    return made ? add_made(spec, r, item, path, name, state, initial, made) : HOL_ERR_MEMORY;
}

static hol_status read_space(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             void *user)
{
    hol_value v[HOL_COUNT(hol_state_space_keys)];
    space s = {.nx = length_of(item, "A"), .nu = length_of(item, "inputs"), .ny = length_of(item, "outputs")};
    hol_src at;
    (void)user;
    hol_status st = hol_read_name(r, item, path, &s.name, &at);
    if (!st) st = hol_read_options(r, hol_state_space_keys, NULL, item, path, v);
    if (!st && s.nx + s.nu >= HOL_NUM_VARIABLES)
        st = hol_read_fail(r, item, path, "%d states and inputs: the most is %d together", s.nx + s.nu,
                           HOL_NUM_VARIABLES - 1);
    if (!st) st = read_matrix(r, item, path, "A", s.nx, s.nx, &s.A);
    if (!st) st = read_matrix(r, item, path, "B", s.nx, s.nu, &s.B);
    if (!st) st = read_matrix(r, item, path, "C", s.ny, s.nx, &s.C);
    if (!st) st = read_matrix(r, item, path, "D", s.ny, s.nu, &s.D);
    if (!st && v[SPACE_INITIAL].given && v[SPACE_INITIAL].n != s.nx)
        st = hol_read_fail(r, item, path, "initial: one number per row of A is wanted, %d, here is %d", s.nx,
                           v[SPACE_INITIAL].n);
    const hol_node *inputs = hol_node_find(item, "inputs"), *outputs = hol_node_find(item, "outputs");
    const hol_path p = {path, "inputs", 0, NULL};
    for (int i = 0; i < s.nu && !st; i++) {
        hol_spec_equation u = {.at = item->at, .name_at = at, .size = 1};
        u.name = hol_arena_print(r->arena, "%s_u%d", s.name, i + 1);
        if (!u.name) return HOL_ERR_MEMORY;
        st = hol_read_formula(r, inputs->kind == HOL_NODE_SEQUENCE ? inputs->value[i] : inputs, &p, "",
                              &u.formula);
        if (!st) st = push_equation(spec, r, u);
    }
    for (int i = 0; i < s.nx && !st; i++) {
        const char *x = hol_arena_print(r->arena, "%s_x%d", s.name, i + 1);
        if (!x) return HOL_ERR_MEMORY;
        st = add_row(spec, r, item, path, &s, s.A + i * s.nx, s.B + i * s.nu, x, true,
                     v[SPACE_INITIAL].given ? v[SPACE_INITIAL].list[i] : 0);
    }
    for (int i = 0; i < s.ny && !st; i++) {
        const char *y;
        st = hol_read_text(r, outputs->kind == HOL_NODE_SEQUENCE ? outputs->value[i] : outputs, path, &y);
        if (!st) st = add_row(spec, r, item, path, &s, s.C + i * s.nx, s.D + i * s.nu, y, false, 0);
    }
    return st;
}

// ---- user code ------------------------------------------------------------------------------------------------

// "code_u1", ... for the inputs, which are expressions
static hol_status know_code(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            void *user)
{
    const char *name;
    hol_src at;
    hol_status st = hol_read_name(r, item, path, &name, &at);
    if (!st && !hol_is_identifier(name))
        st = hol_read_fail(
            r, item, path,
            "\"%s\": this name stands in expressions: letters, digits and _, not a digit first", name);
    if (!st) st = know_parts(spec, r, item, path, name, "u", length_of(item, "inputs"), true);
    if (!st) st = know_list(spec, r, item, path, "outputs");
    if (!st) st = know_list(spec, r, item, path, "states");
    (void)user;
    spec->n_items--;
    return st;
}

typedef struct {
    int n;
    const char **name;
} name_list;

static hol_status read_names(const hol_reader *r, const hol_node *item, const hol_path *up, const char *key,
                             name_list *out)
{
    const hol_node *node = hol_node_find(item, key);
    const hol_path path = {up, key, 0, NULL};
    out->n = length_of(item, key);
    out->name = hol_arena_alloc(r->arena, (size_t)out->n + 1, sizeof *out->name);
    if (!out->name) return HOL_ERR_MEMORY;
    for (int i = 0; i < out->n; i++) {
        hol_status st =
            hol_read_text(r, node->kind == HOL_NODE_SEQUENCE ? node->value[i] : node, &path, &out->name[i]);
        if (st) return st;
    }
    return HOL_OK;
}

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
    return st;
}

// Values that come from code: outputs, and rates of its states.
static hol_status push_coded(hol_spec *spec, const hol_reader *r, const hol_node *item,
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
        hol_status st = push_equation(spec, r, e);
        if (st) return st;
    }
    return HOL_OK;
}

static hol_status read_code(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            void *user)
{
    hol_value v[HOL_COUNT(hol_code_keys)];
    const hol_path p = {path, "inputs", 0, NULL};
    const hol_node *inputs = hol_node_find(item, "inputs");
    const char *name;
    hol_src at;
    name_list in, out, states;
    (void)user;
    hol_status st = hol_read_name(r, item, path, &name, &at);
    if (!st) st = hol_read_options(r, hol_code_keys, NULL, item, path, v);
    if (!st) st = read_names(r, item, path, "inputs", &in);
    if (!st) st = read_names(r, item, path, "outputs", &out);
    if (!st) st = read_names(r, item, path, "states", &states);
    if (!st && v[CODE_INITIAL].given && v[CODE_INITIAL].n != states.n)
        st = hol_read_fail(r, item, path, "initial: one number per state is wanted, %d, here is %d", states.n,
                           v[CODE_INITIAL].n);
    for (int i = 0; i < in.n && !st; i++) in.name[i] = hol_arena_print(r->arena, "%s_u%d", name, i + 1);
    if (!st) st = load_code(spec, r, item, path, v, name, &in, &out, &states);
    if (st) return st;
    hol_spec_code *c = &spec->code[spec->n_codes - 1];
    c->input = spec->n_equations;
    for (int i = 0; i < in.n && !st; i++) {
        hol_spec_equation u = {.name = in.name[i], .at = item->at, .name_at = at, .size = 1};
        if (!u.name) return HOL_ERR_MEMORY;
        st = hol_read_formula(r, inputs->kind == HOL_NODE_SEQUENCE ? inputs->value[i] : inputs, &p, "",
                              &u.formula);
        if (!st) st = push_equation(spec, r, u);
    }
    c->output = spec->n_equations;
    if (!st) st = push_coded(spec, r, item, &out, false, NULL);
    c->state = spec->n_equations;
    return st ? st : push_coded(spec, r, item, &states, true, &v[CODE_INITIAL]);
}

// ---- events ---------------------------------------------------------------------------------------------------

static hol_status read_sets(const hol_reader *r, const hol_node *map, const hol_path *up, hol_spec_event *e)
{
    const hol_path path = {up, "set", 0, NULL};
    if (!map) return HOL_OK;
    if (map->kind != HOL_NODE_MAP) return hol_read_fail(r, map, &path, "a map is wanted: {gain: 2*gain}");
    hol_spec_set *set = hol_arena_alloc(r->arena, (size_t)map->n + 1, sizeof *set);
    if (!set) return HOL_ERR_MEMORY;
    for (int i = 0; i < map->n; i++) {
        const hol_path at = {&path, map->key[i]->text, 0, NULL};
        set[i].at = map->key[i]->at;
        hol_status st = hol_read_text(r, map->key[i], &path, &set[i].name);
        if (!st) st = hol_read_formula(r, map->value[i], &at, "", &set[i].value);
        if (st) return st;
    }
    e->set = set;
    e->n_sets = map->n;
    return HOL_OK;
}

static hol_status read_switches(const hol_reader *r, const hol_node *item, const hol_path *up,
                                hol_spec_event *e)
{
    static const char *const keys[] = {"off", "on"};
    hol_spec_switch *list =
        hol_arena_alloc(r->arena, (size_t)(length_of(item, "on") + length_of(item, "off")) + 1, sizeof *list);
    if (!list) return HOL_ERR_MEMORY;
    e->change = list;
    for (int k = 0; k < 2; k++) {
        const hol_node *node = hol_node_find(item, keys[k]);
        const hol_path path = {up, keys[k], 0, NULL};
        for (int i = 0; i < length_of(item, keys[k]); i++) {
            const hol_node *one = node->kind == HOL_NODE_SEQUENCE ? node->value[i] : node;
            hol_spec_switch *s = &list[e->n_switches++];
            s->at = one->at;
            s->on = k == 1;
            hol_status st = hol_read_text(r, one, &path, &s->name);
            if (st) return st;
        }
    }
    return HOL_OK;
}

static hol_status check_event(const hol_reader *r, const hol_node *item, const hol_path *path,
                              const hol_value *v, const hol_spec_event *e)
{
    if (v[EVENT_WHEN].given + v[EVENT_EVERY].given + v[EVENT_AT].given != 1)
        return hol_read_fail(r, item, path, "one of when, every, at is wanted");
    if (!e->stop && !e->print && !e->n_sets && !e->n_switches)
        return hol_read_fail(r, item, path, "the event does nothing: give stop, print, set, on or off");
    if (v[EVENT_DIRECTION].given && !v[EVENT_WHEN].given)
        return hol_read_fail(r, hol_node_find(item, "direction"), path, "direction goes with when");
    for (int i = 0; i < e->n_switches; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(e->change[i].name, e->change[k].name) == 0) {
                const hol_node place = {.at = e->change[i].at};
                return hol_read_fail(r, &place, path, "\"%s\" is named twice in on and off",
                                     e->change[i].name);
            }
    for (int i = 0; i < e->n_times; i++)
        if (i && e->time[i] <= e->time[i - 1])
            return hol_read_fail(r, hol_node_find(item, "at"), path, "the times must increase");
    return HOL_OK;
}

static hol_status read_event(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             void *user)
{
    static const int signs[] = {0, 1, -1};
    const hol_path when = {path, "when", 0, NULL};
    hol_value v[HOL_COUNT(hol_event_keys)];
    hol_spec_event e = {.at = item->at};
    (void)user;
    hol_status st = hol_read_name(r, item, path, &e.name, &e.name_at);
    if (!st) st = hol_read_options(r, hol_event_keys, NULL, item, path, v);
    for (int i = 0; i < spec->n_events && !st; i++)
        if (strcmp(spec->event[i].name, e.name) == 0)
            st = hol_read_fail(r, item, path, "the name \"%s\" is given twice among the events", e.name);
    if (st) return st;
    if (v[EVENT_WHEN].given) st = hol_read_formula(r, hol_node_find(item, "when"), &when, "", &e.when);
    e.direction = signs[(int)v[EVENT_DIRECTION].num];
    e.every = v[EVENT_EVERY].given ? v[EVENT_EVERY].num : 0;
    e.n_times = v[EVENT_AT].given ? v[EVENT_AT].n : 0;
    e.time = v[EVENT_AT].list;
    e.once = v[EVENT_ONCE].num > 0;
    e.stop = v[EVENT_STOP].num > 0;
    e.print = v[EVENT_PRINT].given ? v[EVENT_PRINT].text : NULL;
    if (!st) st = read_sets(r, hol_node_find(item, "set"), path, &e);
    if (!st) st = read_switches(r, item, path, &e);
    if (!st) st = check_event(r, item, path, v, &e);
    hol_spec_event *list =
        st ? NULL
           : hol_arena_push(r->arena, spec->event, &spec->event_capacity, spec->n_events, sizeof *list);
    if (!list) return st ? st : HOL_ERR_MEMORY;
    spec->event = list;
    e.path = hol_arena_print(r->arena, "events.%s", e.name);
    list[spec->n_events++] = e;
    return e.path ? HOL_OK : HOL_ERR_MEMORY;
}

// ---- both passes ----------------------------------------------------------------------------------------------

typedef struct {
    const char *key;
    hol_item_fn each;
} section;

static hol_status read_sections(hol_spec *spec, const hol_node *root, const section *list, int n)
{
    for (int i = 0; i < n; i++) {
        const hol_node *node = hol_node_find(root, list[i].key);
        const hol_path path = {NULL, list[i].key, 0, NULL};
        hol_status st = node ? hol_read_list(spec, &spec->reader, node, &path, list[i].each, NULL) : HOL_OK;
        if (st) return st;
    }
    return HOL_OK;
}

hol_status hol_read_known(hol_spec *spec, const hol_node *root)
{
    static const section first[] = {{"splines", read_spline},
                                    {"events", know_held},
                                    {"variables", know_name},
                                    {"states", know_name},
                                    {"transfer_functions", know_transfer},
                                    {"state_spaces", know_space},
                                    {"code", know_code}};
    spec->known.names = hol_names_create_in(spec->ctx, spec->arena);
    if (!spec->known.names) return HOL_ERR_MEMORY;
    spec->reader.known = &spec->known;
    hol_status st = read_sections(spec, root, first, HOL_COUNT(first));
    spec->known.first_held = spec->known.n;
    for (int i = 0; i < spec->n_held && !st; i++) { // from here on they are no constants
        hol_known *k = &spec->known;
        const char **list = hol_arena_push(spec->arena, k->name, &k->capacity, k->n, sizeof *list);
        if (!list) return HOL_ERR_MEMORY;
        k->name = list;
        list[k->n] = spec->held[i].name;
        st = hol_names_add(k->names, spec->held[i].name, k->n++);
    }
    return st;
}

hol_status hol_read_users(hol_spec *spec, const hol_node *root)
{
    static const section second[] = {
        {"variables", read_variable}, {"states", read_state}, {"transfer_functions", read_transfer},
        {"state_spaces", read_space}, {"code", read_code},    {"events", read_event}};
    return read_sections(spec, root, second, HOL_COUNT(second));
}
