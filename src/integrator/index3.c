// One attempt at a step of the index-3 family: predict, correct by modified Newton. index3_step.c chooses the size and accepts;
// index3.h has the equations.
//
//     S [da; dlam] = -[e1; e2],                                                          docs/theory.md (5.7)
//     S = [ M + b (K_M + K_phi - Q_q) - g Q_v   Phi_q^T ;  Phi_q   0 ],   b = beta' h^2, g = gamma' h
//
// Users' equations and velocity constraints take part as in section 8; a state X is integrated as a velocity is.
#include "integrator/index3_data.h"
#include "system/explicit.h"
#include "integrator/newton.h"
#include "integrator/vibration.h"
#include "system/kernel.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

const hol_option hol_index3_options[] = {
    {"predictor", HOL_INTEGER, "", 2, -1, 3, 0, NULL,
     "degree of the extrapolation of a and lam that starts Newton; -1: chosen on the way, by what would have "
     "been best"},
    {"jacobian", HOL_CHOICE, "", 0, 0, 0, 0, "modified|every-iteration",
     "keep the Newton matrix while it works, or never"},
    {"max_newton", HOL_INTEGER, "", 10, 1, 100, 0, NULL, "corrections at most"},
    {"newton_tolerance", HOL_NUMBER, "", 1e-8, 1e-14, 1, HOL_ABOVE, NULL,
     "fixed steps: relative error the iteration may leave in the accelerations, a 1e-4 part of it in the "
     "positions"},
    {"accept_unconverged", HOL_FLAG, "", 0, 0, 1, 0, NULL,
     "accept a step after max_newton corrections all the same; counted and said in the summary; fixed steps "
     "only"},
    HOL_END_OPTIONS};

#define SOON 0.01  // of the first step: what an event has begun there acts, however exactly its time is known
#define HELD 1e-11 // velocity constraints, by natural length and time: above, the iteration goes on
enum { MOST_EXTRA = 8 };
#define SLOW                                                                                                 \
    0.4 // a rate of convergence above this asks for a new matrix at once; above 0.3, for the next step

#define TOO_LIGHT 0.03 // the same of the accelerations' matrix: a matrix less for a correction more at most
#define CLEAR                                                                                                \
    1e-7 // of what follows from positions and velocities: a part that rounding leaves alone in steps that are long enough

// ---- creation -------------------------------------------------------------------------------------------------

double hol_index3_weighted(const hol_integrator *it, const hol_index3 *d, const double *x)
{
    const hol_equations *s = it->s;
    double sum = 0;
    if (it->norm.groups) return hol_norm_size(&it->norm, x);
    for (int i = 0; i < s->nq; i++) {
        const double r = x[i] / d->weight[i];
        sum += r * r;
    }
    return sqrt(sum / s->nq);
}

// x += u, the smallest change with Phi_q u = b (in s->rhs from nf on): S11 u + Phi_q^T mu = 0, with the matrix factored
// last. Changes the part of x that the joints determine, and nothing else.
static hol_status hold(hol_integrator *it, double *x)
{
    const hol_equations *s = it->s;
    double *rhs = it->k->rhs;
    memset(rhs, 0, (size_t)s->nf * sizeof *rhs);
    memset(rhs + s->nf + s->nc, 0, (size_t)s->nk * sizeof *rhs);
    if (hol_kernel_solve(it->k, 1, rhs)) return HOL_RECOVERABLE;
    for (int i = 0; i < s->nq; i++) x[i] += rhs[i];
    return HOL_OK;
}

// A joint's equation is a difference of positions of its bodies: its rounding is that of the body's largest coordinate,
// and it enters all of the body's accelerations.
void hol_index3_scale(const hol_integrator *it, hol_index3 *d, const hol_state *x)
{
    const hol_equations *s = it->s;
    double sum = 0;
    if (it->norm.groups) {
        for (int i = 0; i < s->nx; i++)
            d->weight[s->nq + i] = fmax(it->size[s->nq + i], it->relative * fabs(x->X[i]));
        d->roughness = hol_norm_roughness(&it->norm, x->q);
        return;
    }
    for (int i = 0; i < s->nq; i++) {
        d->largest[i] = fmax(d->largest[i], fabs(x->q[i]));
        d->weight[i] = fmax(d->weight[i], it->relative * fabs(x->q[i]));
    }
    for (int i = 0; i < s->nx; i++)
        d->weight[s->nq + i] = fmax(d->weight[s->nq + i], it->relative * fabs(x->X[i]));
    for (int k = 0; k < s->m->n_bodies; k++) {
        const hol_body *b = &s->m->body[k];
        double most = 0;
        for (int i = b->q; i < b->q + b->size; i++) most = fmax(most, d->largest[i]);
        for (int i = b->q; i < b->q + b->size; i++) sum += most * most / (d->weight[i] * d->weight[i]);
    }
    d->roughness = sqrt(sum / s->nq);
}

// The start of the schemes of order 2, from the third derivative j of q, (8.47): w0 = a0 + (am - af) h j lies on the curve (5.17)
// of docs/theory.md, and v gets the offset -c h^2 j in the part the joints determine (5.18), see `try_size`. Where the
// step does not resolve the start (a stiff initial layer) j says nothing about it, and neither is done.
hol_status hol_index3_start_w(hol_integrator *it, hol_index3 *d)
{
    hol_equations *s = it->s;
    const hol_scheme *sc = &d->scheme;
    const double step = SOON * it->h, c = (sc->alpha_m - sc->alpha_f) * it->h;
    d->h_w = it->h;
    hol_scheme_start_w(s, it->x.a, it->x.z, d->w0);
    if (sc->offset == 0) return HOL_OK;
    hol_state_copy(s, &d->x1, &it->x);
    d->x1.t += step;
    for (int i = 0; i < s->nq; i++) {
        d->x1.q[i] += step * (it->x.v[i] + 0.5 * step * it->x.a[i]);
        d->x1.v[i] += step * it->x.a[i];
    }
    for (int i = 0; i < s->nx; i++) d->x1.X[i] += step * d->w0[s->nq + i];
    const hol_status st = hol_solve_accelerations_near(it->k, &it->x, &d->x1);
    if (st) return st < 0 ? st : HOL_OK;
    for (int i = 0; i < s->nq; i++) d->w1[i] = (d->x1.a[i] - it->x.a[i]) / step;
    if (fabs(c) * hol_index3_weighted(it, d, d->w1) > 0.5 * (1 + hol_index3_weighted(it, d, it->x.a)))
        return HOL_OK;
    for (int i = 0; i < s->nq; i++) d->w0[i] += c * d->w1[i];
    for (int i = s->nq; i < s->nq + s->nx; i++) {
        d->w1[i] = (d->x1.z[s->m->state[i - s->nq].equation] - d->w0[i]) / step;
        d->w0[i] += c * d->w1[i];
    }
    memcpy(d->jerk, d->w1, (size_t)(s->nq + s->nx) * sizeof *d->jerk);
    d->knows_jerk = true;
    return HOL_OK;
}

// The third derivative of q, over two steps: an error that alternates from step to step must not come in.
static void find_jerk(const hol_integrator *it, hol_index3 *d)
{
    const hol_history *h = &d->history;
    if (h->n < 2) return; // that of the start, if it is known
    const int k = h->n > 2 ? 2 : 1;
    const double span = h->t[0] - h->t[k];
    for (int i = 0; i < it->s->nq; i++) d->jerk[i] = (h->past[0][i] - h->past[k][i]) / span;
    d->knows_jerk = true;
}

// At a change of the step size: what the joints determine of v, a and w is set to what fits the new size,
//     Phi_q v + Phi_t = -c h^2 Phi_q j,     Phi_q a = tau,     w = a + (am - af) h j,
// or the multipliers would be wrong by c j (h1^2 - h0^2)/h1 for some steps (docs/theory.md (5.19)).
static void fit_held_part(hol_integrator *it, hol_index3 *d, double h)
{
    hol_equations *s = it->s;
    const hol_scheme *c = &d->scheme;
    const double ch2 = c->offset * h * h, delta = (c->alpha_m - c->alpha_f) * h;
    double *b = it->k->rhs + s->nf, *all = it->k->work, *held = all + s->m->nc;
    for (int i = 0; i < s->nq; i++) d->w1[i] = it->x.v[i] + ch2 * d->jerk[i];
    hol_equations_phi_dot_all(s, it->x.t, it->x.q, d->w1, all);
    for (int i = 0; i < s->nc; i++) b[i] = -all[s->model_row[i]];
    if (hold(it, d->vs) || d->h_v == 0) return; // a and w of a start are of (4.4) and its derivative
    hol_equations_jacobian_times(s, it->x.t, it->x.q, d->as, held);
    hol_equations_tau(s, &it->x, b);
    for (int i = 0; i < s->nc; i++) b[i] -= held[i];
    if (hold(it, d->as)) return;
    for (int i = 0; i < s->nq; i++) d->w1[i] = d->as[i] + delta * d->jerk[i] - d->ws[i];
    hol_equations_jacobian_times(s, it->x.t, it->x.q, d->w1, b);
    hold(it, d->ws);
}

// v, a, w at the beginning of a step of size h.
static void try_size(hol_integrator *it, hol_index3 *d, double h)
{
    const hol_equations *s = it->s;
    hol_scheme_scale_w(s, it->x.a, it->x.z, d->w0, d->h_w, h, d->ws);
    memcpy(d->vs, it->x.v, (size_t)s->nq * sizeof *d->vs);
    memcpy(d->as, it->x.a, (size_t)s->nq * sizeof *d->as);
    if (d->scheme.offset == 0 || fabs(h / d->h_v - 1) < 1e-6) return;
    find_jerk(it, d);
    // at the start the matrix is that of the masses; later the one that is kept, if there is one
    if (d->knows_jerk && (d->h_v == 0 || d->h_factored > 0)) fit_held_part(it, d, h);
}

// docs/theory.md, 5.5; the first steps are corrected by the error test anyway.
static double first_step(const hol_integrator *it, const hol_index3 *d)
{
    const double a = hol_index3_weighted(it, d, it->x.a);
    return hol_scheme_first_step(it, a > 0 ? it->tolerance / (fabs(d->scheme.error) * a) : HOL_INF);
}

// Which equations know more than positions, velocities and states?
static hol_status find_implicit(const hol_integrator *it, hol_index3 *d)
{
    hol_explicit order = {0};
    d->implicit = hol_calloc(it->ctx, (size_t)it->s->m->n_equations + 1, sizeof *d->implicit);
    if (!d->implicit) return HOL_ERR_MEMORY;
    const hol_status st = hol_explicit_create_part(it->ctx, it->s->m, false, &order, d->implicit);
    hol_explicit_destroy(&order);
    return st;
}

// Room for a method of the family with this scheme, its vectors in one piece of memory.
hol_status hol_index3_create(hol_integrator *it, const hol_scheme *scheme)
{
    hol_equations *s = it->s;
    const size_t nq = (size_t)s->nq, n = (size_t)s->n, both = nq + (size_t)s->nx;
    hol_index3 *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    it->settles_between = true;
    d->scheme = *scheme;
    d->option = it->option + hol_option_count(it->method->options);
    d->memory = hol_calloc(it->ctx, 8 * both + n, sizeof *d->memory);
    if (!d->memory || hol_state_create(s, &d->x1)) return HOL_ERR_MEMORY;
    if (hol_history_create(it->ctx, HOL_INDEX3_HISTORY, s->n, &d->history)) return HOL_ERR_MEMORY;
    double *p = d->memory;
    double **const arrays[] = {&d->w0, &d->w1, &d->ws, &d->vs, &d->as, &d->jerk, &d->largest, &d->weight};
    for (int i = 0; i < HOL_COUNT(arrays); i++, p += both) *arrays[i] = p;
    d->e = p;
    memcpy(d->largest, s->q_size, nq * sizeof *d->largest);
    memcpy(d->weight, it->size, both * sizeof *d->weight);
    const hol_status st = find_implicit(it, d);
    return st ? st : hol_index3_restart(it);
}

void hol_index3_forget(hol_integrator *it, hol_index3 *d)
{
    d->history.n = 0;
    d->h_v = d->h_factored = 0;
    d->knows_jerk = d->light = false;
    hol_history_push(&d->history, it->x.t, it->x.a);
}

// A start from the present state: history, factors and sizes begin anew.
hol_status hol_index3_restart(hol_integrator *it)
{
    hol_index3 *d = it->data;
    hol_index3_forget(it, d);
    d->held = false;
    hol_index3_scale(it, d, &it->x);
    if (it->tolerance > 0 && it->errors == HOL_ERRORS_BODIES) hol_vibration_find(it, &d->x1, d->e);
    const int degree = (int)d->option[HOL_INDEX3_PREDICTOR].num;
    d->degree = degree < 0 ? 0 : degree; // less history is used while there is less
    if (it->tolerance > 0) it->h = first_step(it, d);
    const hol_status st = hol_index3_start_w(it, d);
    d->light = it->tolerance == 0 && !d->too_light && hol_kernel_has_accelerations(it->k, &it->x);
    return st;
}

void hol_index3_destroy(hol_integrator *it)
{
    hol_index3 *d = it->data;
    if (!d) return;
    hol_state_destroy(&d->x1);
    hol_history_destroy(&d->history);
    hol_free(d->implicit);
    hol_free(d->memory);
    hol_free(d);
}

// ---- one step -------------------------------------------------------------------------------------------------

// q1, v1, w1 from a1.
static void move(const hol_integrator *it, hol_index3 *d, double h)
{
    const hol_scheme *c = &d->scheme;
    const hol_state *x = &it->x;
    for (int i = 0; i < it->s->nq; i++) {
        d->w1[i] = hol_scheme_w(c, d->x1.a[i], d->as[i], d->ws[i]);
        d->x1.q[i] = hol_scheme_position(c, h, x->q[i], d->vs[i], d->ws[i], d->w1[i]);
        d->x1.v[i] = hol_scheme_velocity(c, h, d->vs[i], d->ws[i], d->w1[i]);
    }
    for (int i = 0; i < it->s->nx; i++) {
        const int rate = it->s->m->state[i].equation, k = it->s->nq + i;
        d->w1[k] = hol_scheme_w(c, d->x1.z[rate], x->z[rate], d->ws[k]);
        d->x1.X[i] = hol_scheme_velocity(c, h, x->X[i], d->ws[k], d->w1[k]);
    }
}

void hol_index3_predict(hol_index3 *d, double t1, int degree)
{
    hol_history_extrapolate(&d->history, t1, degree, d->x1.a);
    d->x1.t = t1;
}

// Left-hand sides of (5.4) and (5.5), users' equations and velocity constraints with them.
static void residual(const hol_integrator *it, hol_index3 *d, double h)
{
    hol_equations *s = it->s;
    double *e2 = d->e + s->nf, *e3 = e2 + s->nc;
    const double positions = 1 / (d->scheme.beta1 * h * h), rates = 1 / (d->scheme.gamma1 * h);
    hol_equations_residual(s, &d->x1, d->e, e2);
    hol_equations_users(s, &d->x1, d->e + s->nq);
    hol_equations_rates(s, &d->x1, e3);
    for (int i = 0; i < s->nf; i++) d->e[i] = -d->e[i];
    for (int i = 0; i < s->nc; i++) e2[i] *= -positions;
    for (int i = 0; i < s->nk; i++) e3[i] *= -rates;
}

hol_status hol_index3_refresh(const hol_integrator *it, hol_index3 *d, double h, double delta)
{
    const double b = d->scheme.beta1 * h * h;
    const hol_coefficients c = {1, b, b, d->scheme.gamma1 * h, HOL_WITH_ALL};
    d->h_factored = 0;
    d->settled = d->light = false;
    hol_kernel_matrix(it->k, &d->x1, &c);
    const hol_status st = hol_kkt_factor(it->k->A, delta);
    if (!st) d->h_factored = h;
    return st;
}

// Accelerations that are wrong by no more leave the estimates alone: a thousandth of what the positions admit, and, where they are
// tested, a tenth of what the velocities admit by (5.12b); docs/theory.md, (5.14).
static double admitted_accelerations(const hol_integrator *it, const hol_index3 *d, double h)
{
    const hol_norm *z = &it->norm;
    const double positions = 1e-3 * it->tolerance / (fabs(d->scheme.error) * h * h);
    if (!z->groups || z->groups->skips) return positions;
    hol_norm_pace(z, 0, it->x.q, it->x.v, it->x.v);
    double rate = 0; // natural, of the quickest island: others at rest change nothing
    for (int k = 0; k < z->groups->n_islands; k++)
        rate = fmax(rate, fmax(z->groups->island[k].pace, z->groups->island[k].stiff));
    const double part =
        hol_scheme_first_order(&d->scheme) ? d->scheme.gamma - 0.5 : fmax(d->scheme.rate_error, 1.0 / 12);
    return fmin(positions, 0.1 * it->tolerance * rate / (part * h));
}

// How far the iteration goes: with error control a part of the admitted error, else to a level that no result shows; never below
// rounding.
static hol_newton_limits newton_limits(const hol_integrator *it, const hol_index3 *d, double h, int max)
{
    const double a_size = hol_index3_weighted(it, d, d->x1.a),
                 to_a = 1 / (d->scheme.beta1 * h * h); // positions -> accelerations
    const double tolerance = d->option[HOL_INDEX3_NEWTON_TOLERANCE].num;
    const double fixed = fmin(tolerance * (1 + a_size), 1e-4 * tolerance * to_a);
    const hol_newton_limits limits = {.target = it->tolerance > 0 ? admitted_accelerations(it, d, h) : fixed,
                                      .floor = 1e-12 * (1 + a_size) + 10 * DBL_EPSILON * d->roughness * to_a,
                                      .max = max};
    return limits;
}

// Size of a correction: of the accelerations, or of users' unknowns in the same proportion to what is left to be gained.
static double correction_size(const hol_integrator *it, const hol_index3 *d, double h,
                              const hol_newton_limits *limits)
{
    const hol_equations *s = it->s;
    const double tolerance =
        it->tolerance > 0 ? 1e-3 * it->tolerance : d->option[HOL_INDEX3_NEWTON_TOLERANCE].num;
    double size = 0;
    if (!s->nz) return hol_index3_weighted(it, d, d->e);
    const double *dz = d->e + s->nq;
    // what rounding leaves in the accelerations may be all of a force of a joint; other equations have a step's length of it, as the velocities
    const double rounding = limits->floor / (1 + hol_index3_weighted(it, d, d->x1.a)),
                 reached = fmin(rounding, fmax(CLEAR, rounding * d->scheme.gamma1 * h / s->m->time_scale));
    for (int i = 0; i < s->nz; i++) {
        const double part = fabs(dz[i]) / fmax(s->m->equation[i].size, fabs(d->x1.z[i]));
        size = fmax(size, part / fmax(tolerance, 10 * (d->implicit[i] ? rounding : reached)));
    }
    for (int i = 0; i < s->nx; i++)
        size = fmax(size, d->scheme.gamma1 * h * fabs(dz[s->m->state[i].equation]) / d->weight[s->nq + i] /
                              fmax(tolerance, 10 * rounding));
    return fmax(hol_index3_weighted(it, d, d->e), size * limits->target);
}

// Are the velocity constraints satisfied by the state just corrected?
static bool rates_hold(const hol_integrator *it, hol_index3 *d, double h)
{
    const hol_equations *s = it->s;
    double *psi = d->e, most = 0;
    if (!s->nk) return true;
    move(it, d, h);
    hol_equations_rates(s, &d->x1, psi);
    for (int i = 0; i < s->nk; i++) most = hol_larger(fabs(psi[i]), most);
    return most <= HELD * s->m->length_scale / s->m->time_scale;
}

// Corrects the predicted state: all unknowns (a; z; lam; kap), which stand together from a on. HOL_RECOVERABLE: not converged.
static hol_status correct(hol_integrator *it, hol_index3 *d, double h, const hol_way *w)
{
    const hol_equations *s = it->s;
    hol_policy matrix = w->matrix;
    hol_newton n = {0};
    const hol_newton_limits limits = newton_limits(it, d, h, w->max);
    hol_verdict verdict = HOL_NEWTON_GO_ON;
    int extra = 0; // corrections for the velocity constraints alone
    hol_status st;
    while (verdict == HOL_NEWTON_GO_ON) {
        move(it, d, h);
        if (it->s->follow && hol_explicit_evaluate(it->s->follow, it->s, &d->x1)) return HOL_RECOVERABLE;
        residual(it, d, h);
        if (hol_explicit_return(it->s, &d->x1, d->e)) {
            move(it, d, h);
            residual(it, d, h);
        }
        if (matrix == HOL_MATRIX_EVERY_TIME ||
            (n.k == 0 && matrix == HOL_MATRIX_FRESH)) // at the state just predicted or corrected
            if ((st = hol_index3_refresh(it, d, h, w->delta)) != HOL_OK) return st;
        if (hol_kernel_solve(it->k, 1, d->e)) return HOL_RECOVERABLE;
        for (int i = 0; i < s->n; i++) d->x1.a[i] += d->e[i];
        it->count.newton_iterations++;
        verdict =
            extra ? HOL_NEWTON_CONVERGED : hol_newton_judge(&n, correction_size(it, d, h, &limits), &limits);
        if (verdict == HOL_NEWTON_CONVERGED && extra < MOST_EXTRA && !rates_hold(it, d, h)) {
            verdict = HOL_NEWTON_GO_ON;
            if (++extra > 1 && (st = hol_index3_refresh(it, d, h, w->delta)) != HOL_OK) return st;
        }
        // a kept matrix that has become too old is replaced where the iteration stands, once
        if (matrix == HOL_MATRIX_KEPT && verdict != HOL_NEWTON_CONVERGED && n.k > 1 && n.rate > SLOW) {
            move(it, d, h);
            if ((st = hol_index3_refresh(it, d, h, w->delta)) != HOL_OK) return st;
            matrix = HOL_MATRIX_FRESH;
            verdict = HOL_NEWTON_GO_ON;
            n = (hol_newton){.k = 1}; // so that the matrix is not taken again
        }
    }
    d->last_rate = n.rate;
    d->last_iterations = n.k;
    move(it, d, h);
    return verdict == HOL_NEWTON_CONVERGED ? HOL_OK : HOL_RECOVERABLE;
}

bool hol_index3_matrix_is_good(const hol_index3 *d, double h)
{
    if (d->light) return true;
    return d->h_factored > 0 && fabs(h / d->h_factored - 1) <= 0.3 && d->last_rate <= 0.3 &&
           d->last_iterations < 5;
}

void hol_index3_blame(hol_integrator *it, hol_index3 *d, double h)
{
    hol_index3_predict(d, it->x.t + h, 0);
    move(it, d, h);
    residual(it, d, h);
    hol_integrator_blame(it, d->e);
}

hol_status hol_index3_fail(hol_integrator *it, hol_index3 *d, double h, bool newton)
{
    if (!newton) return hol_stop(it, &d->x1, h, d->tried, NULL, NULL);
    const hol_equations *s = it->s;
    const double t = it->x.t, tried = d->x1.t - t; // the last attempt, which may have been longer than h
    hol_index3_predict(d, t + tried, 0);
    move(it, d, tried);
    int worst[1];
    double size[1], force = 0;
    residual(it, d, tried);
    hol_equations_worst(s, d->e, 1, worst, size);
    const hol_element *e = worst[0] >= 0 ? &s->m->element[worst[0]] : NULL;
    // a body is where forces meet: one that makes up most of the residual is to blame
    const bool body = e && e->type->role == HOL_ROLE_BODY;
    const hol_element *strongest = body ? hol_equations_strongest(s, &d->x1, e, &force) : NULL;
    if (strongest && force > 0.5 * size[0]) e = strongest;
    char why[200];
    hol_decimal_print(why, sizeof why,
                      "Newton's iteration does not converge, with the largest residual in \"%.100s\" (%.3g)",
                      e ? e->name : "the motion", size[0]);
    return hol_stop(it, &d->x1, h, d->tried, why, NULL);
}

// Has the matrix of the accelerations done for a step of size h? Then it is kept as one of the step's own, and the next start has
// another one of its kind; where stiff forces, which it does not know, made the iteration slow, no start tries it again.
static void judge_light(hol_index3 *d, double h, hol_status st)
{
    d->too_light = st || !d->light || d->last_rate > TOO_LIGHT;
    if (d->light) d->h_factored = h;
    d->light = false;
}

hol_status hol_index3_attempt(hol_integrator *it, hol_index3 *d, double t1, double h, const hol_way *w)
{
    try_size(it, d, h);
    hol_index3_predict(d, t1, w->degree);
    const bool light = d->light;
    const hol_status st = correct(it, d, h, w);
    if (light) judge_light(d, h, st);
    if (st || w->delta != hol_equations_delta(it->s)) d->h_factored = 0;
    return st;
}

hol_status hol_index3_rows_changed(hol_integrator *it)
{
    hol_index3 *d = it->data;
    d->h_factored = 0;
    d->light = false;
    d->history.n = 0;
    hol_history_push(&d->history, it->x.t, it->x.a);
    return HOL_OK;
}

// What a step depends on beside the state, for checkpoints.
void hol_index3_archive(hol_integrator *it, hol_archive *a)
{
    hol_index3 *d = it->data;
    const hol_equations *s = it->s;
    const size_t both = (size_t)(s->nq + s->nx);
    hol_archive_numbers(a, d->w0, both);
    hol_archive_numbers(a, d->largest, both);
    hol_archive_numbers(a, d->weight, both);
    hol_history_archive(&d->history, a);
    HOL_ARCHIVE(a, d->h_w);
    HOL_ARCHIVE(a, d->h_v);
    HOL_ARCHIVE(a, d->roughness);
    hol_archive_flag(a, &d->knows_jerk);
    hol_archive_numbers(a, d->jerk, both);
    hol_archive_int(a, &d->degree, 0, d->history.most - 1);
    hol_archive_flag(a, &d->held);
    hol_limit_archive(a, &d->why);
    HOL_ARCHIVE(a, d->h_factored);
    hol_archive_flag(a, &d->light);
    hol_archive_flag(a, &d->too_light);
    hol_archive_flag(a, &d->settled);
    HOL_ARCHIVE(a, d->last_rate);
    hol_archive_int(a, &d->last_iterations, 0, INT_MAX / 2);
}
