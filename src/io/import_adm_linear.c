// Linear state equations of Adams, LSE, with the arrays and matrices that they name: blocks x' = A x + B u, y = C x + D u. Transfer
// functions, TFSISO.
#include "io/import_adm.h"

#include <string.h>

hol_status hol_adm_matrix(hol_adm *a, hol_adm_statement *s, const char *key, int rows, int columns,
                          double unit, double **out, int *n)
{
    int i, found;
    double *list, size[2] = {0, 0};
    hol_status st = hol_adm_other(a, s, key, "MATRIX", true, &i);
    hol_adm_statement *m = st ? NULL : &a->s[i];
    const hol_adm_arg *values = m ? hol_adm_need(a, m, "VALUES") : NULL,
                      *full = m ? hol_adm_get(m, "FULL") : NULL;
    if (!values) return st ? st : HOL_ERR_MODEL;
    m->held = true;
    st = hol_adm_numbers(a, m, "M", 1, 1, &size[0]);
    if (!st) st = hol_adm_numbers(a, m, "N", 1, 1, &size[1]);
    if (!st) st = hol_adm_list(a, values, 1, &list, &found);
    if (st) return st;
    const int r = (int)size[0], c = (int)size[1];
    if (!full || r < 1 || c < 1 || found != r * c)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, m->at,
                           "%s: FULL = RORDER or CORDER is wanted, and M times N VALUES",
                           hol_adm_title(a, m));
    if ((rows && r != rows) || (columns && c != columns))
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at,
                           "%s: %s: %s has %d rows and %d columns, wanted are %d and %d", hol_adm_title(a, s),
                           key, hol_adm_title(a, m), r, c, rows ? rows : r, columns ? columns : c);
    const bool by_columns = *full->text == 'C' || *full->text == 'c';
    *out = hol_arena_alloc(a->in->arena, (size_t)found, sizeof **out);
    if (!*out) return HOL_ERR_MEMORY;
    for (int k = 0; k < found; k++) (*out)[k] = unit * list[by_columns ? k % c * r + k / c : k];
    *n = r;
    return HOL_OK;
}

void hol_adm_rows(hol_adm *a, hol_node *map, const char *key, int rows, int columns, const double *A)
{
    hol_node *list = hol_import_list(a->in, map, key);
    for (int i = 0; i < rows; i++) hol_import_numbers(a->in, list, NULL, columns, A + i * columns);
}

// An array of this block; kind: X, U or Y.
static hol_status claim(hol_adm *a, hol_adm_statement *s, const char *key, bool required)
{
    int i;
    const hol_status st = hol_adm_other(a, s, key, "ARRAY", required, &i);
    if (st || i < 0) return st;
    hol_adm_statement *array = &a->s[i];
    array->held = true;
    array->part = (int)(s - a->s);
    array->coordinate = *key;
    return HOL_OK;
}

hol_status hol_adm_begin_lse(hol_adm *a, hol_adm_statement *s)
{
    hol_status st = claim(a, s, "X", true);
    if (!st) st = claim(a, s, "U", false);
    return st ? st : claim(a, s, "Y", false);
}

// The k-th variable of an array U, from 1 on; NULL: the message is in the context.
static const char *variable(hol_adm *a, hol_adm_statement *array, int k, int *n)
{
    double *id;
    const hol_adm_arg *arg = hol_adm_need(a, array, "VARIABLES");
    const hol_status st = arg ? hol_adm_list(a, arg, 1, &id, n) : HOL_ERR_MODEL;
    if (st) return NULL;
    if (k > *n) return "";
    const int i = hol_adm_named(a, array, arg, "VARIABLE", id[k - 1]);
    return i < 0 ? NULL : a->s[i].own;
}

const char *hol_adm_element(hol_adm *a, hol_adm_statement *array, int k)
{
    int n;
    const hol_adm_statement *block = array->part >= 0 ? &a->s[array->part] : NULL;
    if (block && strcmp(block->type->name, "TFSISO") == 0 &&
        array->coordinate != 'U') // of its states Adams says not which they are
        return array->coordinate == 'Y' && k == 1 ? block->own : NULL;
    switch (array->coordinate) {
    case 'X': return hol_adm_print(a, "%s_x%d", a->s[array->part].own, k);
    case 'Y': return hol_adm_print(a, "%s_y%d", a->s[array->part].own, k);
    case 'U': return variable(a, array, k, &n);
    default: return NULL;
    }
}

hol_status hol_adm_lse(hol_adm *a, hol_adm_statement *s)
{
    hol_import *in = a->in;
    double *A, *B = NULL, *C = NULL, *D = NULL, *initial = NULL;
    int n, inputs = 0, outputs = 0, u, ic, one, given = 0;
    hol_adm_has(s, "STATIC_HOLD"); // a matter of Adams' static analyses
    hol_status st = hol_adm_matrix(a, s, "A", 0, 0, 1 / a->time, &A, &n);
    if (!st) st = hol_adm_other(a, s, "U", "ARRAY", false, &u);
    if (!st) st = hol_adm_other(a, s, "IC", "ARRAY", false, &ic);
    if (st) return st;
    if (u < 0 || !hol_adm_get(s, "C"))
        return hol_adm_missed(a, HOL_RECOVERABLE, s->at, "LSE without inputs or outputs");
    if (!variable(a, &a->s[u], 1, &inputs)) return HOL_ERR_MODEL;
    st = hol_adm_matrix(a, s, "B", n, inputs, 1 / a->time, &B, &one);
    if (!st) st = hol_adm_matrix(a, s, "C", 0, n, 1, &C, &outputs);
    if (!st && hol_adm_get(s, "D")) st = hol_adm_matrix(a, s, "D", outputs, inputs, 1, &D, &one);
    if (!st && ic >= 0) {
        a->s[ic].held = true;
        const hol_adm_arg *numbers = hol_adm_need(a, &a->s[ic], "NUMBERS");
        st = numbers ? hol_adm_list(a, numbers, 1, &initial, &given) : HOL_ERR_MODEL;
    }
    if (st) return st;
    hol_node *map = hol_adm_item(a, a->blocks, s, s->own, NULL), *list = hol_import_list(in, map, "inputs");
    for (int i = 0; i < inputs; i++) {
        const char *name = variable(a, &a->s[u], i + 1, &inputs);
        if (!name) return HOL_ERR_MODEL;
        hol_import_text(in, list, NULL, name);
    }
    list = hol_import_list(in, map, "outputs");
    for (int i = 0; i < outputs; i++)
        hol_import_text(in, list, NULL, hol_adm_print(a, "%s_y%d", s->own, i + 1));
    hol_adm_rows(a, map, "A", n, n, A);
    hol_adm_rows(a, map, "B", n, inputs, B);
    hol_adm_rows(a, map, "C", outputs, n, C);
    if (D) hol_adm_rows(a, map, "D", outputs, inputs, D);
    if (initial) hol_import_numbers(in, map, "initial", given, initial);
    return HOL_OK;
}

// Coefficients from the highest power of s on, in 1/s; the source has the constant first.
static hol_status write_polynomial(hol_adm *a, hol_adm_statement *s, const char *key, hol_node *map,
                                   const char *own, int *n)
{
    double *x, *out, unit = 1;
    const hol_adm_arg *arg = hol_adm_need(a, s, key);
    const hol_status st = arg ? hol_adm_list(a, arg, 1, &x, n) : HOL_ERR_MODEL;
    if (st) return st;
    while (*n > 1 && x[*n - 1] == 0) --*n;
    out = hol_arena_alloc(a->in->arena, (size_t)*n, sizeof *out);
    if (!out) return HOL_ERR_MEMORY;
    for (int i = 0; i < *n; i++, unit *= a->time) out[*n - 1 - i] = x[i] * unit;
    hol_import_numbers(a->in, map, own, *n, out);
    return HOL_OK;
}

hol_status hol_adm_tfsiso(hol_adm *a, hol_adm_statement *s)
{
    int u, inputs, above, below;
    hol_adm_has(s, "STATIC_HOLD"); // a matter of Adams' static analyses
    hol_status st = hol_adm_other(a, s, "U", "ARRAY", true, &u);
    const char *name = st ? NULL : variable(a, &a->s[u], 1, &inputs);
    if (!name) return HOL_ERR_MODEL;
    if (inputs != 1)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: U: %s has %d variables, wanted is 1",
                           hol_adm_title(a, s), hol_adm_title(a, &a->s[u]), inputs);
    hol_node *map = hol_adm_item(a, a->transfers, s, s->own, NULL);
    hol_import_text(a->in, map, "input", name);
    st = write_polynomial(a, s, "NUMERATOR", map, "numerator", &above);
    if (!st) st = write_polynomial(a, s, "DENOMINATOR", map, "denominator", &below);
    if (st || above <= below) return st;
    return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at,
                       "%s: its numerator has the degree %d, its denominator %d; what is more than its own "
                       "input's rate is not defined",
                       hol_adm_title(a, s), above - 1, below - 1);
}
