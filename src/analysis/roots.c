// Users' unknowns whose equations z = E(.., z) have lost their real solution. A method whose error test does not look at them goes
// on with what Newton's iteration has left. docs/theory.md, section 8.9: after an accepted step
//     |z_k - E_k| <= 1e-6 max(size_k, |z_k|)                                                     (8.38)
// or the equations are solved anew there; where that cannot be done, the time at which it could last is found by bisection.
#include "analysis/roots.h"
#include "system/explicit.h"
#include "system/fault.h"
#include "system/kernel.h"
#include "system/reaction.h"

#include <float.h>
#include <math.h>

#define OFF 1e-6   // of a variable's size: what may be missing
#define CLOSE 1e-9 // of the step: to this the time is found
enum { HALVINGS = 60 };

// Which equations depend on themselves, also through accelerations and multipliers?
static hol_status find_implicit(hol_roots *r)
{
    const hol_model_data *m = r->it->s->m;
    hol_explicit follow;
    const hol_status st = hol_explicit_create_part(r->it->ctx, m, false, &follow, r->implicit);
    hol_explicit_destroy(&follow);
    for (int k = 0; k < m->n_equations && !st; k++)
        if (r->implicit[k] && !m->equation[k].block) r->equation[r->n++] = k;
    return st;
}

hol_status hol_roots_create(hol_integrator *it, hol_roots *r)
{
    const size_t n = (size_t)it->s->m->n_equations;
    *r = (hol_roots){.it = it};
    if (!n) return HOL_OK;
    r->equation = hol_calloc(it->ctx, n, sizeof *r->equation);
    r->implicit = hol_calloc(it->ctx, n, 1);
    hol_status st = r->equation && r->implicit ? find_implicit(r) : HOL_ERR_MEMORY;
    if (st || !r->n) return st;
    r->kernel = hol_kernel_of(it->s);
    st = hol_state_create(it->s, &r->trial);
    return st ? st : hol_state_create(it->s, &r->reached);
}

void hol_roots_destroy(hol_roots *r)
{
    if (r->kernel.s) hol_kernel_drop(&r->kernel);
    hol_state_destroy(&r->trial);
    hol_state_destroy(&r->reached);
    hol_free(r->equation);
    hol_free(r->implicit);
    *r = (hol_roots){.n = 0};
}

// The equation that is violated most, -1: none by more than OFF.
static int worst(const hol_roots *r, const hol_state *x)
{
    const hol_equations *s = r->it->s;
    double most = OFF;
    int found = -1;
    if (hol_reactions_unbounded(s, x)) return -1; // in a singular pose what takes them has no bound either
    for (int i = 0; i < r->n; i++) {
        const hol_equation *e = &s->m->equation[r->equation[i]];
        const double z = x->z[r->equation[i]], off = fabs(z - hol_equations_expression(s, x, e)),
                     part = off / fmax(e->size, fabs(z));
        if (part <= most) continue;
        found = r->equation[i];
        most = part;
        if (isnan(part)) break;
    }
    return found;
}

// Have the equations a solution at this state? Its unknowns are found anew.
static bool solves(hol_roots *r, hol_state *x) { return hol_solve_accelerations(&r->kernel, x) == HOL_OK; }

// The last time within the step at which there is a solution: its state is `reached`.
static void find_last(hol_roots *r)
{
    hol_integrator *it = r->it;
    double from = it->before.t, to = it->x.t;
    const double close = fmax(CLOSE * (to - from), 4 * DBL_EPSILON * fabs(to));
    hol_state_copy(it->s, &r->reached, &it->before);
    for (int k = 0; k < HALVINGS && to - from > close; k++) {
        const double t = 0.5 * (from + to);
        hol_integrator_interpolate(it, t, &r->trial);
        if (solves(r, &r->trial)) {
            from = t;
            hol_state_copy(it->s, &r->reached, &r->trial);
        } else {
            to = t;
        }
    }
}

// The message about equation k, which has no solution behind the state `reached`.
static hol_status tell(hol_roots *r, int k)
{
    hol_integrator *it = r->it;
    const hol_equation *e = &it->s->m->equation[k];
    const double t = r->reached.t;
    const hol_status st = hol_fault_fold(it->s, &r->reached);
    if (st) return st;
    return hol_fail_at(it->ctx, HOL_ERR_INTEGRATION, e->at,
                       "stopped at t = %.6g s: beyond, no real value of %s is found that solves its equation "
                       "(\"%.200s\"), which depends on itself, alone or through others, accelerations or "
                       "joint forces. Change it so that it has a solution, or end the run before (--end)",
                       t, e->path, hol_expr_text(e->expr));
}

hol_status hol_roots_check(hol_roots *r)
{
    hol_integrator *it = r->it;
    if (!r->n) return HOL_OK;
    int k = worst(r, &it->x);
    if (k < 0) return HOL_OK;
    const hol_evaluations count = it->s->count;
    hol_status st = hol_integrator_complete(it) < 0 ? hol_context_status(it->ctx) : HOL_OK;
    if (!st) k = worst(r, &it->x);
    if (!st && k >= 0) {
        hol_state_copy(it->s, &r->trial, &it->x);
        st = hol_kernel_need(&r->kernel);
        if (!st && !solves(r, &r->trial)) {
            find_last(r);
            st = tell(r, k);
        }
    }
    it->s->count = count;
    return st;
}

hol_status hol_roots_explain(hol_roots *r, double dt)
{
    hol_integrator *it = r->it;
    if (!r->n || hol_kernel_need(&r->kernel)) return HOL_OK;
    const hol_evaluations count = it->s->count;
    hol_state_carry_on(it->s, &it->x, dt, &r->trial);
    const bool lost = hol_solve_accelerations(&r->kernel, &r->trial) > 0;
    it->s->count = count;
    if (!lost) return HOL_OK;
    hol_state_copy(it->s, &r->reached, &it->x);
    const int k = worst(r, &r->trial);
    hol_context_clear(it->ctx);
    return tell(r, k < 0 ? r->equation[0] : k);
}
