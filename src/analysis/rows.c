// The state of a row of results and what belongs to it. docs/theory.md, section 5.7.
#include "analysis/rows.h"
#include "integrator/crossing.h"
#include "system/settle.h"

#include <math.h>
#include <string.h>

static hol_status find_orders(hol_rows *r)
{
    const hol_equations *s = r->it->s;
    r->implicit = hol_calloc(r->it->ctx, 2 * (size_t)s->nz + 1, 1);
    if (!r->implicit) return HOL_ERR_MEMORY;
    const hol_status st = hol_explicit_create_part(r->it->ctx, s->m, false, &r->follow, r->implicit);
    return st ? st : hol_explicit_create_part(r->it->ctx, s->m, true, &r->deep, r->implicit + s->nz);
}

// Are rows between steps to be on the joints?
static bool closes(const hol_rows *r) { return !r->it->method->open && r->it->s->nc + r->it->s->nk > 0; }

hol_status hol_rows_create(hol_integrator *it, const hol_signals *g, bool project, bool between, hol_rows *r)
{
    *r = (hol_rows){.it = it, .kernel = hol_kernel_of(it->s), .project = project, .between = between};
    hol_status st = find_orders(r);
    if (st) return st;
    r->needs = hol_signals_needs(g, r->implicit, r->implicit + it->s->nz);
    return between || project || r->needs & HOL_NEED_VALUES ? hol_state_create(it->s, &r->out) : HOL_OK;
}

void hol_rows_prepare_between(hol_rows *r)
{
    r->between = true;
    r->prepared = false;
}

void hol_rows_destroy(hol_rows *r)
{
    if (r->kernel.s) hol_kernel_drop(&r->kernel);
    hol_state_destroy(&r->out);
    hol_explicit_destroy(&r->follow);
    hol_explicit_destroy(&r->deep);
    hol_free(r->implicit);
    *r = (hol_rows){0};
}

static hol_status put_on_joints(hol_rows *r)
{
    if (!r->anew && r->it->method->close) return hol_integrator_close(r->it, &r->out);
    const hol_status st = hol_project_positions(&r->kernel, &r->out, NULL);
    return st ? st : hol_project_velocities(&r->kernel, &r->out);
}

// Accelerations and multipliers of the row: are they solved for here?
static bool solves(const hol_rows *r, bool between, bool moved)
{
    const bool found =
        moved ? r->it->method->close != NULL : r->it->solves_between || hol_integrator_is_led(r->it);
    if (r->anew) return true;
    if (r->needs & HOL_NEED_CIRCLE) return !found;
    return r->needs & HOL_NEED_UNKNOWNS && between && !r->it->method->linear_unknowns && !found;
}

static bool settles(const hol_rows *r, bool between)
{
    return between && r->it->settles_between && r->needs & HOL_NEED_FORCES && !r->anew &&
           !hol_integrator_is_led(r->it);
}

static hol_status settle(hol_rows *r)
{
    const hol_integrator *it = r->it;
    const hol_status st = hol_settle_forces(&r->kernel, &r->out, it->x.t - it->before.t);
    if (!st) hol_state_hold_norms(it->s, &r->out);
    return st;
}

// All that signals ask for beside the motion.
static hol_status complete(hol_rows *r, bool between, bool moved)
{
    hol_equations *s = r->it->s;
    hol_status st = HOL_OK;
    if (r->needs & HOL_NEED_VALUES) st = hol_explicit_evaluate(&r->follow, s, &r->out);
    if (!st && settles(r, between)) st = settle(r);
    if (!st && solves(r, between, moved)) st = hol_solve_accelerations(&r->kernel, &r->out);
    if (!st && r->needs & HOL_NEED_VALUES) st = hol_explicit_evaluate(&r->deep, s, &r->out);
    return st;
}

// *moves: the row's state, if it is put onto the joints; it has been.
static hol_status place(hol_rows *r, bool between, bool *moves)
{
    hol_status st = HOL_OK;
    *moves = r->anew || (between && closes(r) && hol_integrator_opens(r->it, &r->out, &r->open));
    if (*moves) st = put_on_joints(r);
    if (st) *moves = false;
    if (*moves) r->open = 0;
    if (!*moves || r->anew || !r->it->method->close) hol_state_hold_norms(r->it->s, &r->out);
    return st;
}

// The start as drawn, whenever the first row is.
static void take_drawn(hol_rows *r)
{
    const hol_equations *s = r->it->s;
    hol_state *x = &r->out;
    hol_state_copy(s, x, &r->it->x);
    x->t = 0;
    memcpy(x->q, s->m->q0, (size_t)s->nq * sizeof *x->q);
    memcpy(x->v, s->m->v0, (size_t)s->nq * sizeof *x->v);
}

static long pivotings(const hol_rows *r)
{
    hol_kkt_stats stats;
    hol_kkt_get_stats(r->kernel.A, &stats);
    return stats.pivotings;
}

// The order of elimination and the pivots of every row are those of the start as drawn, not those of the rows before it: results at
// other times do not change a row. Where they are of no use each row has its own.
static hol_status refer(hol_rows *r)
{
    if (r->refers && pivotings(r) == r->pivotings) return HOL_OK;
    hol_kkt_forget_pivots(r->kernel.A);
    if (r->prepared && !r->refers) return HOL_OK;
    take_drawn(r);
    const hol_status st = hol_kernel_set_metric(&r->kernel, &r->out, HOL_WITH_RATES);
    r->refers = !st;
    r->pivotings = pivotings(r);
    if (st) hol_kkt_forget_pivots(r->kernel.A);
    return st < 0 ? st : HOL_OK;
}

static hol_status make_matrix(hol_rows *r)
{
    hol_status st = hol_kernel_need_like(&r->kernel, r->it->k);
    if (!st && !r->out.q) st = hol_state_create(r->it->s, &r->out);
    r->refers = false;
    return st ? st : refer(r);
}

// The matrix is made with the first row, which is before the first step, and where other rows are chosen.
static hol_status prepare(hol_rows *r)
{
    if (r->prepared && !(r->kernel.A && r->kernel.selection != r->it->s->selection))
        return r->kernel.A ? refer(r) : HOL_OK;
    const bool closes_here = r->project || (r->between && closes(r) && !r->it->method->close);
    const bool found = !r->project && r->between && r->it->solves_between && r->it->method->close;
    r->prepared = false;
    hol_status st = HOL_OK;
    if (!found && (closes_here || settles(r, r->between) || solves(r, r->between, false)))
        st = make_matrix(r);
    r->prepared = true;
    return st;
}

// The state of the method at t.
static hol_status take(hol_rows *r, double t, bool between)
{
    hol_integrator *it = r->it;
    if (!between) {
        hol_state_copy(it->s, &r->out, &it->x);
        return HOL_OK;
    }
    const bool motion = it->method->interpolate_motion && !r->needs && !r->project;
    return motion ? hol_integrator_interpolate_motion(it, t, &r->out)
                  : hol_integrator_interpolate(it, t, &r->out);
}

// What is not found in a pose is no number: accelerations, multipliers, and velocities of which weak rows have made others.
static void lose(const hol_rows *r, hol_state *x)
{
    const hol_equations *s = r->it->s;
    const bool believed = hol_crossing_believes(r->it, x->v);
    for (int i = 0; i < s->nq && !believed; i++) x->v[i] = (double)NAN;
    for (int i = 0; i < s->nq; i++) x->a[i] = (double)NAN;
    for (int i = 0; i < s->nc; i++) x->lam[i] = (double)NAN;
}

// The state of a row next to a singular pose is that of the motion through it. *crossed: it was found; nothing else is left to be solved
// for. Where none is in the pose, accelerations and multipliers are no numbers; beside it they are right on the joints, r->anew.
static hol_status cross(hol_rows *r, bool *crossed)
{
    hol_equations *s = r->it->s;
    hol_state *x = &r->out;
    hol_crossed how = HOL_CROSSED_FAR;
    const bool opens = r->project && r->it->method->open; // it may be far from the branch
    hol_status st = opens ? hol_project_positions(&r->kernel, x, NULL) : HOL_OK;
    if (!st) st = hol_crossing_of_step(r->it, x, &how);
    r->anew = r->project || how == HOL_CROSSED_NEAR;
    *crossed = !st && how != HOL_CROSSED_FAR && how != HOL_CROSSED_NEAR;
    if (st || !*crossed) return st < 0 ? st : HOL_OK;
    if (how == HOL_CROSSED_LOST) lose(r, x);
    hol_state_hold_norms(s, x);
    if (r->needs & HOL_NEED_VALUES) st = hol_explicit_evaluate(&r->follow, s, x);
    if (!st && r->needs & HOL_NEED_VALUES) st = hol_explicit_evaluate(&r->deep, s, x);
    return st;
}

// A row for which not all was found: with the variables of its state, which is on the joints if it could be put there, and unknowns as far as
// they are interpolated; others are no numbers.
static void leave(hol_rows *r, double t, bool between, bool moved)
{
    hol_equations *s = r->it->s;
    hol_state *x = &r->out;
    take(r, t, between);
    if (moved) place(r, between, &moved);
    hol_state_hold_norms(s, x);
    if (!r->it->method->linear_unknowns) {
        for (int i = 0; i < s->nq; i++) x->a[i] = (double)NAN;
        for (int i = 0; i < s->nc; i++) x->lam[i] = (double)NAN;
        for (int i = 0; i < s->nk; i++) x->kap[i] = (double)NAN;
    }
    if (r->needs & HOL_NEED_VALUES) hol_explicit_evaluate(&r->deep, s, x);
}

hol_status hol_rows_at(hol_rows *r, double t, const hol_state **x)
{
    hol_integrator *it = r->it;
    const bool between = t != it->x.t;
    r->open = 0;
    const hol_evaluations count = it->s->count;
    const hol_status ready = prepare(r);
    it->s->count = count;
    if (ready) return ready;
    bool near = false, crossed, moved;
    hol_status st = between ? HOL_OK : hol_crossing_sees(it, &near);
    *x = &it->x;
    if (st || (!between && !near && !r->project && !(r->needs & HOL_NEED_VALUES))) return st;
    *x = &r->out;
    if (!r->out.q && hol_state_create(it->s, &r->out))
        return HOL_ERR_MEMORY; // after very many steps, by rounding
    const hol_status given = take(r, t, between);
    it->s->count = count;
    st = cross(r, &crossed);
    if (st || crossed) return st;
    if (r->anew && !r->kernel.A) { // which refers to the start
        st = make_matrix(r);
        if (st) return st;
        take(r, t, between);
    }
    st = place(r, between, &moved);
    if (!st) st = complete(r, between, moved);
    if (!st && !solves(r, between, moved) && !(moved && it->method->close))
        st = given; // not found by the method
    if (st > 0) leave(r, t, between, moved);
    it->s->count = count;
    return st ? st : given;
}
