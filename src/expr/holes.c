// Where an expression may have no value: quotients, powers, functions with a domain.
#include "expr/program.h"

#include <math.h>

static bool is_number(const hol_op *op) { return op->kind == HOL_OP_NUMBER; }

// May this call be without a value? Its last argument stands right before it, where that is a number.
static bool may_fail(const hol_expr *e, int i)
{
    const hol_op *op = &e->op[i], *last = op - 1;
    if (op->kind != HOL_OP_CALL || op->table) return false;
    if (op->fn->enclose == hol_enclose_tangent) return true;
    if (!*op->fn->domain) return false;
    if (op->fn->enclose == hol_enclose_raise)
        return !is_number(last) || last->number < 0 || last->number != floor(last->number);
    const bool divides = op->fn->enclose == hol_enclose_divide ||
                         op->fn->enclose == hol_enclose_remainder_of ||
                         op->fn->enclose == hol_enclose_smooth_magnitude;
    return !divides || !is_number(last) || last->number == 0;
}

bool hol_expr_may_fail(const hol_expr *e)
{
    for (int i = 0; i < e->n; i++)
        if (may_fail(e, i)) return true;
    return false;
}
