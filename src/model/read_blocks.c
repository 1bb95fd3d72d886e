// Transfer functions and state-space blocks: made into variables and states here.
#include "model/read_users.h"

#include <math.h>
#include <stdio.h>

enum { TRANSFER_INPUT = HOL_OWN_KEYS, TRANSFER_NUMERATOR, TRANSFER_DENOMINATOR, TRANSFER_INITIAL };
static const hol_option transfer_rows[] = {
    HOL_NAMED_KEYS(HOL_IDENTIFIER){"input", HOL_FUNCTION, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF,
                                   HOL_REQUIRED | HOL_LEAVES, NULL, "what goes in"},
    {"numerator", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
     "coefficients, highest power of s first; those with a unit fit each other, s in 1/s"},
    {"denominator", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
     "coefficients, highest power of s first; not shorter than the numerator"},
    {"initial", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_INITIAL, NULL,
     "states at the start, of the controllable canonical form; default 0"},
    HOL_END_OPTIONS};
static hol_item_fn read_transfer;
const hol_object hol_transfer_function_object = {
    .know = hol_know_transfer,
    .read = read_transfer,
    .name = "transfer_function",
    .rows = transfer_rows,
    .text = "The output, numerator(s)/denominator(s) times the input, is used by its "
            "name like a variable. `NAME_u` is the "
            "input, `NAME_x1`, `NAME_x2`, ... are the states.",
    .example = "- {name: smooth, input: error, numerator: [1], denominator: [0.1, 1]}      1/(0.1 s + 1)\n"};

enum { SPACE_INPUTS = HOL_OWN_KEYS, SPACE_OUTPUTS, SPACE_A, SPACE_B, SPACE_C, SPACE_D, SPACE_INITIAL };
static const hol_option state_space_rows[] = {
    HOL_NAMED_KEYS(HOL_IDENTIFIER){"inputs", HOL_FUNCTIONS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF,
                                   HOL_REQUIRED | HOL_LEAVES | HOL_MAY_BE_EMPTY, NULL,
                                   "list of expressions u"},
    {"outputs", HOL_TEXTS, "", 0, 0, 0, HOL_REQUIRED | HOL_IDENTIFIER, NULL,
     "list of names for y = C x + D u"},
    {"A", HOL_ROWS, "", 0, 0, 0, HOL_REQUIRED, NULL, "list of rows: x' = A x + B u"},
    {"B", HOL_ROWS, "", 0, 0, 0, HOL_REQUIRED, NULL, "list of rows"},
    {"C", HOL_ROWS, "", 0, 0, 0, HOL_REQUIRED, NULL, "list of rows"},
    {"D", HOL_ROWS, "", 0, 0, 0, 0, NULL, "list of rows; default: 0"},
    {"initial", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_INITIAL, NULL,
     "x at the start; default: 0"},
    HOL_END_OPTIONS};
static hol_item_fn read_space;
const hol_object hol_state_space_object = {
    .know = hol_know_space,
    .read = read_space,
    .name = "state_space",
    .rows = state_space_rows,
    .text = "x' = A x + B u, y = C x + D u. The outputs are used by their names like "
            "variables; `NAME_u1`, ... are the "
            "inputs, `NAME_x1`, ... the states.",
    .example = "- {name: filter, inputs: [error], outputs: [smooth], A: [[-10]], B: [[10]], C: [[1]]}\n"};
// ---- rows of equations ----------------------------------------------------------------------------------------

// "+ (c)*name", nothing for c = 0
static size_t term(char *text, size_t n, size_t room, double c, const char *name)
{
    if (c == 0 || n + 1 >= room) return n;
    const int k = hol_decimal_print(text + n, room - n, "%s(%.17g)*%s", n ? " + " : "", c, name);
    return k > 0 && n + (size_t)k < room ? n + (size_t)k : room;
}

enum { ROOM = 4000 };

static const char *finished(const hol_reader *r, const char *text, size_t n)
{
    return n == 0 ? "0" : hol_arena_copy(r->arena, text, n < ROOM ? n : ROOM - 1);
}

// An expression made by the program, from a format.
static hol_status add_made(hol_spec *spec, const hol_reader *r, const hol_node *at, const hol_path *path,
                           const char *name, bool state, double initial, const char *text)
{
    hol_node node = {.kind = HOL_NODE_SCALAR, .text = text, .at = at->at};
    hol_reader made = *r;
    made.bare = NULL; // the user has not written these numbers
    hol_spec_equation e = {
        .name = name, .at = at->at, .name_at = at->at, .is_state = state, .initial = initial, .size = 1};
    hol_status st = hol_read_formula(&made, &node, path, HOL_ANY_UNIT, &e.formula);
    return st ? st : hol_push_equation(spec, r, path, e);
}

// ---- transfer functions ---------------------------------------------------------------------------------------

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

// A transfer function: checked, its input a variable, the rest as states and a variable.
static hol_status read_transfer(hol_spec *spec, const hol_reader *r, const hol_node *item,
                                const hol_path *path, const hol_object *object)
{
    hol_value v[HOL_COUNT(transfer_rows)];
    hol_spec_equation u = {.at = item->at, .size = 1};
    const char *name;
    hol_src name_at;
    (void)object;
    hol_status st = hol_read_name(r, item, path, &name, &name_at);
    if (!st) st = hol_read_options(r, transfer_rows, NULL, item, path, v);
    if (!st) st = hol_check_coefficients(r, item, path, "numerator");
    if (!st) st = hol_check_coefficients(r, item, path, "denominator");
    if (st) return st;
    const int order = v[TRANSFER_DENOMINATOR].n - 1;
    if (v[TRANSFER_DENOMINATOR].list[0] == 0)
        return hol_read_fail(r, item, path, "the first coefficient of the denominator is 0");
    bool passes = false, finite = true;
    for (int i = 0; i < v[TRANSFER_NUMERATOR].n; i++) {
        passes = passes || v[TRANSFER_NUMERATOR].list[i] != 0;
        finite = finite && isfinite(v[TRANSFER_NUMERATOR].list[i] / v[TRANSFER_DENOMINATOR].list[0]);
    }
    for (int i = 0; i <= order; i++)
        finite = finite && isfinite(v[TRANSFER_DENOMINATOR].list[i] / v[TRANSFER_DENOMINATOR].list[0]);
    if (!passes)
        return hol_read_fail(r, hol_node_find(item, "numerator"), path,
                             "numerator: all 0, nothing would come out");
    if (!finite)
        return hol_read_fail(
            r, hol_node_find(item, "denominator"), path,
            "denominator: the first coefficient is so small that the others are infinite beside it");
    if (v[TRANSFER_NUMERATOR].n > order + 1)
        return hol_read_fail(r, item, path,
                             "the numerator has a higher degree than the denominator: the output would "
                             "contain derivatives of the input");
    if (order > 20) return hol_read_fail(r, item, path, "degree %d: the most is 20", order);
    if (v[TRANSFER_INITIAL].given && v[TRANSFER_INITIAL].n != order)
        return hol_read_fail(r, item, path, "initial: one number per state is wanted, %d, here is %d%s",
                             order, v[TRANSFER_INITIAL].n, v[TRANSFER_INITIAL].comma);
    u.name = hol_arena_print(r->arena, "%s_u", name);
    u.name_at = name_at;
    if (!u.name) return HOL_ERR_MEMORY;
    u.formula = v[TRANSFER_INPUT].formula[0];
    st = hol_push_equation(spec, r, path, u);
    return st ? st : add_transfer(spec, r, item, path, name, v);
}

// ---- state-space blocks ---------------------------------------------------------------------------------------

// rows x cols numbers
static hol_status read_matrix(const hol_reader *r, const hol_node *item, const hol_path *path,
                              const char *key, int rows, int cols, double **out)
{
    const hol_node *list = hol_node_find(item, key);
    const hol_path at = {path, key, 0, NULL};
    *out = hol_arena_alloc(r->arena, (size_t)(rows * cols) + 1, sizeof **out);
    if (!*out) return HOL_ERR_MEMORY;
    if (!list) return HOL_OK;
#define AS_ROWS "a list of its rows, [[1]] for 1 x 1, [[1, 0], [0, 1]] for 2 x 2"
    if (list->kind != HOL_NODE_SEQUENCE) // of A: then the size is not known
        return hol_read_fail(r, list, &at, "a matrix is wanted: " AS_ROWS);
    for (int i = 0; i < list->n; i++)
        if (list->value[i]->kind != HOL_NODE_SEQUENCE)
            return hol_read_fail(r, list->value[i], &at, "\"%s\" is not a row; a matrix is " AS_ROWS,
                                 list->value[i]->text);
    if (list->n != rows)
        return hol_read_fail(r, list, &at, "a matrix of %d x %d is wanted: " AS_ROWS "; rows given: %d", rows,
                             cols, list->n);
    for (int i = 0; i < rows; i++) {
        const hol_path row = {&at, NULL, i, NULL};
        hol_status st = hol_read_numbers(r, list->value[i], &row, HOL_ANY_UNIT, cols, *out + i * cols);
        if (st) return st;
    }
    return HOL_OK;
}

typedef struct {
    const char *name;
    int nx, nu, ny;
    const char **input; // names                                                     (nu)
    double *A, *B, *C, *D;
} space;

static bool all_zero(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != 0) return false;
    return true;
}

// Inputs that act on nothing, outputs that show nothing.
static hol_status check_space(const hol_reader *r, const hol_node *item, const hol_path *path, const space *s)
{
    if (s->nu && all_zero(s->B, s->nx * s->nu) && all_zero(s->D, s->ny * s->nu))
        return hol_read_fail(r, hol_node_find(item, "B"), path,
                             "B: all 0, the inputs act on nothing; leave them away, or fill B");
    for (int i = 0; i < s->ny; i++)
        if (all_zero(s->C + i * s->nx, s->nx) && all_zero(s->D + i * s->nu, s->nu))
            return hol_read_fail(r, hol_node_find(item, "C"), path,
                                 "C: row %d is all 0, that output is always 0", i + 1);
    return HOL_OK;
}

// row . x + input . u
static hol_status add_row(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                          const space *s, const double *x, const double *u, const char *name, bool state,
                          double initial)
{
    char text[ROOM] = "";
    size_t n = 0;
    for (int k = 0; k < s->nx + s->nu; k++) {
        const char *of =
            k < s->nx ? hol_arena_print(r->arena, "%s_x%d", s->name, k + 1) : s->input[k - s->nx];
        if (!of) return HOL_ERR_MEMORY;
        n = term(text, n, sizeof text, k < s->nx ? x[k] : u[k - s->nx], of);
    }
    if (n >= ROOM) return hol_read_fail(r, item, path, "a row of the matrices is too long");
    const char *made = finished(r, text, n);
    return made ? add_made(spec, r, item, path, name, state, initial, made) : HOL_ERR_MEMORY;
}

// A state-space block, each row of its matrices an equation.
static hol_status read_space(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const hol_object *object)
{
    hol_value v[HOL_COUNT(state_space_rows)];
    space s = {.nx = hol_entry_length(item, "A")};
    hol_src at;
    (void)object;
    hol_status st = hol_read_name(r, item, path, &s.name, &at);
    if (!st) st = hol_read_options(r, state_space_rows, NULL, item, path, v);
    if (!st) st = hol_name_outputs(r, &v[SPACE_OUTPUTS]);
    s.nu = st ? 0 : v[SPACE_INPUTS].n;
    s.ny = st ? 0 : v[SPACE_OUTPUTS].n;
    if (!st && s.nx + s.nu >= HOL_NUM_VARIABLES)
        st = hol_read_fail(r, item, path, "%d states and inputs: the most is %d together", s.nx + s.nu,
                           HOL_NUM_VARIABLES - 1);
    if (!st) st = read_matrix(r, item, path, "A", s.nx, s.nx, &s.A);
    if (!st) st = read_matrix(r, item, path, "B", s.nx, s.nu, &s.B);
    if (!st) st = read_matrix(r, item, path, "C", s.ny, s.nx, &s.C);
    if (!st) st = read_matrix(r, item, path, "D", s.ny, s.nu, &s.D);
    if (!st) st = check_space(r, item, path, &s);
    if (!st) st = hol_check_space_units(r, item, path, s.nx, s.nu, s.ny);
    if (!st && v[SPACE_INITIAL].given && v[SPACE_INITIAL].n != s.nx)
        st = hol_read_fail(r, item, path, "initial: one number per row of A is wanted, %d, here is %d%s",
                           s.nx, v[SPACE_INITIAL].n, v[SPACE_INITIAL].comma);
    if (!st) st = hol_input_names(r, s.name, s.nu, &s.input);
    if (!st) st = hol_push_inputs(spec, r, item, path, at, &v[SPACE_INPUTS], s.input);
    for (int i = 0; i < s.nx && !st; i++) {
        const char *x = hol_arena_print(r->arena, "%s_x%d", s.name, i + 1);
        if (!x) return HOL_ERR_MEMORY;
        st = add_row(spec, r, item, path, &s, s.A + i * s.nx, s.B + i * s.nu, x, true,
                     v[SPACE_INITIAL].given ? v[SPACE_INITIAL].list[i] : 0);
    }
    for (int i = 0; i < s.ny && !st; i++)
        st = add_row(spec, r, item, path, &s, s.C + i * s.nx, s.D + i * s.nu, v[SPACE_OUTPUTS].word[i].name,
                     false, 0);
    return st;
}
