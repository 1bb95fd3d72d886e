// Where an expression may have no value: quotients, powers, functions with a domain. Which expressions are plain: polynomials.
// And which may jump.
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

// Sums, products, quotients by a number, whole powers.
static bool is_plain(const hol_expr *e, int i)
{
    enum { MOST_POWER = 4 };
    const hol_op *op = &e->op[i], *last = op - 1;
    if (op->kind != HOL_OP_CALL) return true;
    if (op->table) return false;
    if (op->fn->enclose == hol_enclose_divide) return is_number(last);
    if (op->fn->enclose == hol_enclose_raise)
        return is_number(last) && last->number >= 0 && last->number <= MOST_POWER &&
               last->number == floor(last->number);
    return op->fn->enclose == hol_enclose_add || op->fn->enclose == hol_enclose_subtract ||
           op->fn->enclose == hol_enclose_multiply || op->fn->enclose == hol_enclose_negate;
}

bool hol_expr_is_plain(const hol_expr *e)
{
    for (int i = 0; i < e->n; i++)
        if (!is_plain(e, i)) return false;
    return true;
}

static bool jumps(const hol_op *op)
{
    if (op->kind != HOL_OP_CALL) return false;
    if (op->table) return hol_spline_smooth(op->table) < op->derivative;
    return op->fn->rules & HOL_RULE_BRANCH || op->fn->enclose == hol_enclose_remainder_of;
}

bool hol_expr_may_jump(const hol_expr *e)
{
    for (int i = 0; i < e->n; i++)
        if (jumps(&e->op[i])) return true;
    return false;
}
