// A static equilibrium near a state (docs/theory.md, section 13.3): Newton's method on V^T W a = 0 and X' = 0 with the
// linearised equations, longest steps bounded and the step of a pseudo-time where that is too far (Kelley, Keyes 1998).
#include "analysis/equilibrium.h"
#include "linalg/dense.h"
#include "system/kernel.h"

#include <math.h>
#include <string.h>

enum { MAX_PLAIN = 50, MAX_FLOW = 500, MAX_HALVINGS = 20 };
#define FLAT 1e-11   // singular values below this part of the largest: directions without stiffness
#define FARTHEST 0.3 // natural sizes in one iteration

void hol_equilibrium_judge(const hol_reduced *r, const hol_state *x, double *b, hol_balance *out)
{
    const hol_equations *s = r->s;
    const double T = s->m->time_scale;
    double sum = 0;
    memset(out, 0, sizeof *out);
    for (int j = 0; j < r->e; j++) {
        b[j] = 0;
        for (int i = 0; i < s->nq; i++) b[j] += r->WV[(size_t)j * (size_t)s->nq + (size_t)i] * x->a[i];
        sum += b[j] * b[j];
    }
    out->residual = sqrt(sum);
    for (int i = 0; i < s->nq; i++) {
        out->speed = fmax(out->speed, fabs(x->v[i]) / s->q_size[i] * T);
        out->acceleration = fmax(out->acceleration, fabs(x->a[i]) / s->q_size[i] * T * T);
    }
    for (int k = 0; k < s->nx; k++) {
        b[r->e + k] = x->z[s->m->state[k].equation];
        out->rate = fmax(out->rate, fabs(b[r->e + k]) * T / (1 + fabs(x->X[k])));
    }
    out->found = out->speed < HOL_BALANCED && out->acceleration < HOL_BALANCED && out->rate < HOL_BALANCED;
}

// The state with v = 0 whose positions are projected: its accelerations. HOL_RECOVERABLE: none.
static hol_status rest(hol_kernel *k, hol_state *x)
{
    memset(x->v, 0, (size_t)k->s->nq * sizeof *x->v);
    hol_status st = hol_project_positions(k, x, NULL);
    return st ? st : hol_solve_accelerations(k, x);
}

// Rest must be possible, and stay so.
static bool moves(hol_kernel *k, hol_state *x)
{
    const hol_equations *s = k->s;
    double *all = k->work, most = 0;
    memset(x->v, 0, (size_t)s->nq * sizeof *x->v);
    hol_equations_phi_dot_all(s, x->t, x->q, x->v, all);
    for (int i = 0; i < s->nc; i++) most = fmax(most, fabs(all[s->model_row[i]]) / s->row_size[i]);
    hol_equations_tau(s, x, all);
    for (int i = 0; i < s->nc; i++) most = fmax(most, fabs(all[i]) / s->row_size[i]);
    return most > HOL_BALANCED;
}

static double size_of(const hol_balance *b) { return fmax(b->acceleration, b->rate); }

// The message when no equilibrium is found, with the body that accelerates the most.
static hol_status fail(hol_context *ctx, const hol_reduced *r, const hol_state *x, const hol_balance *b)
{
    const hol_equations *s = r->s;
    int worst = 0;
    for (int i = 1; i < s->nq; i++)
        if (fabs(x->a[i]) / s->q_size[i] > fabs(x->a[worst]) / s->q_size[worst]) worst = i;
    const char *body = "";
    for (int k = 0; k < s->m->n_bodies; k++)
        if (s->m->body[k].q <= worst) body = s->m->body[k].name;
    return hol_fail(
        ctx, HOL_ERR_INTEGRATION,
        "no equilibrium is found near the start: the forces on \"%s\" stay out of balance by %.3g (in "
        "natural sizes). Is there one? Start nearer to it, or let the model come to rest with damping "
        "and use --at",
        body, size_of(b));
}

// step (d + nx): of p and X, from A's rows of w' and X' and its columns of p and X; slow [1/s^2] is taken off the diagonal.
static hol_status newton_step(hol_context *ctx, const hol_reduced *r, const double *b, double slow, double *J,
                              double *step)
{
    const int d = r->d, nx = r->s->nx, size = d + nx;
    int rank;
    for (int j = 0; j < size; j++) {
        const double *column = r->A + (size_t)(j < d ? j : j + d) * (size_t)r->n;
        for (int i = 0; i < size; i++) J[(size_t)j * (size_t)size + (size_t)i] = column[d + i];
        J[(size_t)j * (size_t)size + (size_t)j] -= j < d ? slow : slow * r->s->m->time_scale;
    }
    for (int i = 0; i < size; i++) step[i] = -b[i];
    return hol_dense_least_norm(ctx, size, size, J, step, FLAT, &rank);
}

static void move(const hol_reduced *r, const hol_state *from, const double *step, double factor, hol_state *x)
{
    const hol_equations *s = r->s;
    const size_t nq = (size_t)s->nq;
    hol_state_copy(s, x, from);
    for (int j = 0; j < r->d; j++)
        for (size_t i = 0; i < nq; i++) x->q[i] += factor * step[j] * r->N[(size_t)j * nq + i];
    for (int k = 0; k < s->nx; k++) x->X[k] += factor * step[r->d + k];
}

// The largest displacement of a step, by natural size.
static double longest(const hol_reduced *r, const double *step)
{
    const hol_equations *s = r->s;
    double most = 0;
    for (int i = 0; i < s->nq; i++) {
        double sum = 0;
        for (int j = 0; j < r->d; j++) sum += r->N[(size_t)j * (size_t)s->nq + (size_t)i] * step[j];
        most = fmax(most, fabs(sum) / s->q_size[i]);
    }
    return most;
}

typedef struct {
    hol_context *ctx;
    hol_reduced *r;
    hol_rank *rank;
    hol_state *x, trial, start;
    double *b, *step, *J; // (d + nx), (d + nx), (d + nx)^2
    hol_balance now;
} search;

// Other rows of redundant loops where those in use become dependent.
static hol_status watch_rows(search *f)
{
    hol_kernel *k = f->r->k;
    hol_state *const states[] = {f->x, &f->trial, &f->start};
    const bool natural = f->r->natural;
    hol_rank_watch *watch = NULL; // a new one looks at once
    hol_status st = hol_rank_watch_create(f->ctx, k->s->m, f->rank, false, &watch);
    const bool changed = !st && watch && hol_rank_watch_check(watch, f->x, 0, f->rank->active);
    hol_rank_watch_destroy(watch);
    if (!changed) return st;
    hol_reduced_destroy(f->r); // its solvers keep the pattern
    st = hol_kernel_reselect(k, f->rank->active, states, HOL_COUNT(states));
    if (!st) st = hol_reduced_create(f->ctx, k, natural, f->r);
    return st ? st : hol_solve_accelerations(k, f->x);
}

// The largest part of the step that can be taken; without `any` it must make the balance better. *next is the balance there.
static hol_status shorten(search *f, bool any, hol_balance *next)
{
    const double far = longest(f->r, f->step);
    double factor = far > FARTHEST ? FARTHEST / far : 1;
    for (int h = 0; h < MAX_HALVINGS; h++, factor *= 0.5) {
        move(f->r, f->x, f->step, factor, &f->trial);
        const hol_status st = rest(f->r->k, &f->trial);
        if (st < 0) return st;
        if (st) continue;
        hol_equilibrium_judge(f->r, &f->trial, f->b, next);
        if (any || size_of(next) < size_of(&f->now)) return HOL_OK;
    }
    return HOL_RECOVERABLE;
}

// Plain: steps are cut until the balance is better. Else they follow the flow p' = a, X' = X', by implicit Euler steps that
// grow as the balance is approached (pseudo-transient continuation): it goes on where the plain one gets stuck, downhill.
static hol_status iterate(search *f, bool plain)
{
    hol_equations *s = f->r->s;
    const double T = s->m->time_scale;
    double slow = plain ? 0 : 1 / (T * T);
    hol_balance next = {0};
    hol_status st = rest(f->r->k, f->x);
    bool last = false;
    for (int k = 0; !st && k < (plain ? MAX_PLAIN : MAX_FLOW); k++) {
        st = watch_rows(f);
        if (!st) st = hol_reduced_find(f->r, f->x);
        if (st) return st;
        hol_equilibrium_judge(f->r, f->x, f->b, &f->now);
        if (last) return HOL_OK;
        last = f->now.found; // one more step: what is left of the last one is rounding
        st = newton_step(f->ctx, f->r, f->b, last ? 0 : slow, f->J, f->step);
        if (!st) st = shorten(f, !plain || last, &next);
        if (st) return st > 0 && last ? HOL_OK : st;
        slow *= fmin(2, fmax(0.1, size_of(&next) / size_of(&f->now))); // 0 stays
        hol_state_copy(s, f->x, &f->trial);
    }
    return st ? st : HOL_RECOVERABLE;
}

hol_status hol_equilibrium_find(hol_context *ctx, hol_reduced *r, hol_rank *rank, hol_state *x)
{
    hol_equations *s = r->s;
    const size_t size = (size_t)(r->d + s->nx);
    search f = {.ctx = ctx, .r = r, .rank = rank, .x = x};
    if (s->nk)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "an equilibrium is not looked for in models with velocity constraints: they hold a "
                        "body at rest in more than one place");
    if (moves(r->k, x))
        return hol_fail(ctx, HOL_ERR_USAGE, "there is no equilibrium: a driver moves at t = %.6g s", x->t);
    f.b = hol_calloc(ctx, 2 * size + size * size + 1, sizeof *f.b);
    if (!f.b) return HOL_ERR_MEMORY;
    f.step = f.b + size;
    f.J = f.step + size;
    hol_status st = hol_state_create(s, &f.trial);
    if (!st) st = hol_state_create(s, &f.start);
    if (!st) {
        hol_state_copy(s, &f.start, x);
        st = iterate(&f, true);
        if (st > 0) {
            hol_state_copy(s, x, &f.start);
            st = iterate(&f, false);
        }
        if (st > 0) st = fail(ctx, r, x, &f.now);
    }
    hol_state_destroy(&f.start);
    hol_state_destroy(&f.trial);
    hol_free(f.b);
    return st;
}
