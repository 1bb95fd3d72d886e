// One step of the index-3 family: predict, correct by modified Newton, accept. See index3.h for the equations.
//
//     S [da; dlam] = -[e1; e2],
//     S = [ M + b (K_M + K_phi - Q_q) - g Q_v   Phi_q^T ;  Phi_q   0 ],   b = beta' h^2, g = gamma' h
#include "integrator/index3.h"
#include "integrator/newton.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const hol_option hol_index3_options[] = {
    {"predictor", HOL_INTEGER, "", 2, 0, 3, 0, NULL, "degree of the extrapolation of a and lam that starts Newton"},
    {"jacobian", HOL_CHOICE, "", 0, 0, 0, 0, "modified|every-iteration", "keep the Newton matrix while it works, or never"},
    {"max_newton", HOL_INTEGER, "", 10, 1, 100, 0, NULL, "corrections at most"},
    {"newton_tolerance", HOL_NUMBER, "", 1e-8, 1e-14, 1, HOL_ABOVE, NULL,
     "relative error that the iteration may leave in the accelerations; a 1e-4 part of it in the positions"},
    {"accept_unconverged", HOL_FLAG, "", 0, 0, 1, 0, NULL,
     "accept a step after max_newton corrections all the same; counted and said in the summary"},
    HOL_END_OPTIONS};

enum { HISTORY = 4 };

#define SINGULAR_DELTA 1e-9 // regularisation at a singular pose, see sparse.h
#define SLOW 0.4 // a rate of convergence above this asks for a new matrix at once; above 0.3, for the next step

typedef struct {
    hol_scheme scheme;
    double beta1, gamma1;           // beta', gamma': dq1/da1 = beta' h^2, dv1/da1 = gamma' h
    const hol_value *option;        // the family's rows
    hol_state x1;                   // trial state
    double *w0, *w1;                // algorithmic accelerations                       (nq)
    double *e;                      // residual, then correction                       (n)
    double *past[HISTORY];          // accepted (a; lam), newest first                 (n)
    double past_t[HISTORY];
    int n_past;
    double *largest;                // largest |q_i| so far, by coordinate             (nq)
    double *memory;
    double h_factored;              // step size the factored matrix belongs to, 0: none
    double last_rate;
    int last_iterations;
} index3;

// ---- creation -------------------------------------------------------------------------------------------------

static double weighted(const hol_system *s, const index3 *d, const double *x);

// w0 = a0 + (alpha_m - alpha_f) h da/dt (method file a.9) keeps order 2 in lam from the first step. Where the step does
// not resolve the start (a stiff initial layer) the derivative says nothing about the step, and w0 = a0 is better.
static void start_w(hol_integrator *it, index3 *d)
{
    hol_system *s = it->s;
    const hol_scheme *sc = &d->scheme;
    const double step = 1e-4 * it->h, c = (sc->alpha_m - sc->alpha_f) * it->h / step;
    memcpy(d->w0, it->x.a, (size_t)s->nq * sizeof *d->w0);
    if (c == 0) return;
    hol_state_copy(s, &d->x1, &it->x);
    d->x1.t += step;
    for (int i = 0; i < s->nq; i++) {
        d->x1.q[i] += step * (it->x.v[i] + 0.5 * step * it->x.a[i]);
        d->x1.v[i] += step * it->x.a[i];
    }
    if (hol_solve_accelerations(s, &d->x1)) return;
    for (int i = 0; i < s->nq; i++) d->w1[i] = c * (d->x1.a[i] - it->x.a[i]);
    if (weighted(s, d, d->w1) > 0.5 * (1 + weighted(s, d, it->x.a))) return;
    for (int i = 0; i < s->nq; i++) d->w0[i] += d->w1[i];
}

static void remember_past(index3 *d, const hol_system *s, const hol_state *x)
{
    double *oldest = d->past[HISTORY - 1];
    for (int k = HISTORY - 1; k > 0; k--) {
        d->past[k] = d->past[k - 1];
        d->past_t[k] = d->past_t[k - 1];
    }
    d->past[0] = oldest;
    d->past_t[0] = x->t;
    memcpy(oldest, x->a, (size_t)s->nq * sizeof *oldest);
    memcpy(oldest + s->nq, x->lam, (size_t)s->nc * sizeof *oldest);
    if (d->n_past < HISTORY) d->n_past++;
}

hol_status hol_index3_create(hol_integrator *it, const hol_scheme *scheme)
{
    hol_system *s = it->s;
    const size_t nq = (size_t)s->nq, n = (size_t)s->n;
    index3 *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    d->scheme = *scheme;
    d->beta1 = scheme->beta * (1 - scheme->alpha_f) / (1 - scheme->alpha_m);
    d->gamma1 = scheme->gamma * (1 - scheme->alpha_f) / (1 - scheme->alpha_m);
    d->option = it->option + hol_option_count(it->method->options);
    d->memory = hol_calloc(it->ctx, 3 * nq + (1 + HISTORY) * n, sizeof *d->memory);
    if (!d->memory || hol_state_create(s, &d->x1)) return HOL_ERR_MEMORY;
    double *p = d->memory;
    double **const arrays[] = {&d->w0, &d->w1, &d->largest};
    for (int i = 0; i < HOL_COUNT(arrays); i++, p += nq) *arrays[i] = p;
    d->e = p;
    for (int k = 0; k < HISTORY; k++) d->past[k] = p += n;
    for (int i = 0; i < s->nq; i++) d->largest[i] = fmax(s->q_size[i], fabs(it->x.q[i]));
    remember_past(d, s, &it->x);
    start_w(it, d);
    return HOL_OK;
}

void hol_index3_destroy(hol_integrator *it)
{
    index3 *d = it->data;
    if (!d) return;
    hol_state_destroy(&d->x1);
    hol_free(d->memory);
    hol_free(d);
}

// ---- one step -------------------------------------------------------------------------------------------------

// q1, v1, w1 from a1.
static void move(const hol_integrator *it, index3 *d, double h)
{
    const hol_scheme *c = &d->scheme;
    const hol_state *x = &it->x;
    for (int i = 0; i < it->s->nq; i++) {
        const double w1 = ((1 - c->alpha_f) * d->x1.a[i] + c->alpha_f * x->a[i] - c->alpha_m * d->w0[i]) / (1 - c->alpha_m);
        d->x1.q[i] = x->q[i] + h * (x->v[i] + h * ((0.5 - c->beta) * d->w0[i] + c->beta * w1));
        d->x1.v[i] = x->v[i] + h * ((1 - c->gamma) * d->w0[i] + c->gamma * w1);
        d->w1[i] = w1;
    }
}

// a1, lam1 by the polynomial of the given degree through the last accepted values (Lagrange form).
static void predict(const hol_integrator *it, index3 *d, double t1, int degree)
{
    const hol_system *s = it->s;
    const int n = degree + 1 < d->n_past ? degree + 1 : d->n_past;
    memset(d->x1.a, 0, (size_t)s->nq * sizeof *d->x1.a);
    memset(d->x1.lam, 0, (size_t)s->nc * sizeof *d->x1.lam);
    for (int k = 0; k < n; k++) {
        double c = 1;
        for (int j = 0; j < n; j++)
            if (j != k) c *= (t1 - d->past_t[j]) / (d->past_t[k] - d->past_t[j]);
        for (int i = 0; i < s->nq; i++) d->x1.a[i] += c * d->past[k][i];
        for (int i = 0; i < s->nc; i++) d->x1.lam[i] += c * d->past[k][s->nq + i];
    }
    d->x1.t = t1;
}

static void residual(const hol_integrator *it, index3 *d, double h)
{
    hol_system *s = it->s;
    double *e2 = d->e + s->nq;
    const double scale = 1 / (d->beta1 * h * h);
    hol_system_residual(s, &d->x1, d->e, e2);
    for (int i = 0; i < s->nq; i++) d->e[i] = -d->e[i];
    for (int i = 0; i < s->nc; i++) e2[i] *= -scale;
}

static hol_status refresh(const hol_integrator *it, index3 *d, double h)
{
    const double b = d->beta1 * h * h;
    const hol_coefficients c = {1, b, b, d->gamma1 * h};
    d->h_factored = 0;
    hol_system_matrix(it->s, &d->x1, &c);
    hol_status st = hol_system_factor(it->s);
    if (!st) d->h_factored = h;
    return st;
}

// Root mean square over coordinates, weighted by Y_i = max(size_i, largest |q_i| so far).
static double weighted(const hol_system *s, const index3 *d, const double *x)
{
    double sum = 0;
    for (int i = 0; i < s->nq; i++) {
        const double r = x[i] / d->largest[i];
        sum += r * r;
    }
    return sqrt(sum / s->nq);
}

typedef enum { KEEP_MATRIX, FRESH_MATRIX, EVERY_ITERATION } policy;

// Corrects the predicted state. HOL_RECOVERABLE: not converged.
static hol_status correct(hol_integrator *it, index3 *d, double h, policy matrix, int max)
{
    hol_system *s = it->s;
    hol_newton n = {0};
    const double a_size = weighted(s, d, d->x1.a), to_a = 1 / (d->beta1 * h * h); // positions -> accelerations
    const double tolerance = d->option[HOL_INDEX3_NEWTON_TOLERANCE].num;
    const hol_newton_limits limits = {.target = fmin(tolerance * (1 + a_size), 1e-4 * tolerance * to_a),
                                      .floor = 1e-12 * (1 + a_size) + 10 * DBL_EPSILON * to_a,
                                      .max = max};
    hol_verdict verdict = HOL_NEWTON_GO_ON;
    while (verdict == HOL_NEWTON_GO_ON) {
        move(it, d, h);
        residual(it, d, h);
        if (matrix == EVERY_ITERATION || (n.k == 0 && matrix == FRESH_MATRIX)) // at the state just predicted or corrected
            if (refresh(it, d, h)) return HOL_RECOVERABLE;
        if (hol_system_solve(s, d->e)) return HOL_RECOVERABLE;
        for (int i = 0; i < s->nq; i++) d->x1.a[i] += d->e[i];
        for (int i = 0; i < s->nc; i++) d->x1.lam[i] += d->e[s->nq + i];
        it->count.newton_iterations++;
        verdict = hol_newton_judge(&n, weighted(s, d, d->e), &limits);
        // a kept matrix that has become too old is replaced where the iteration stands, once
        if (matrix == KEEP_MATRIX && verdict != HOL_NEWTON_CONVERGED && n.k > 1 && n.rate > SLOW) {
            move(it, d, h);
            if (refresh(it, d, h)) return HOL_RECOVERABLE;
            matrix = FRESH_MATRIX;
            verdict = HOL_NEWTON_GO_ON;
            n = (hol_newton){.k = 1}; // so that the matrix is not taken again
        }
    }
    d->last_rate = n.rate;
    d->last_iterations = n.k;
    move(it, d, h);
    return verdict == HOL_NEWTON_CONVERGED ? HOL_OK : HOL_RECOVERABLE;
}

static bool matrix_is_good(const index3 *d, double h)
{
    return d->h_factored > 0 && fabs(h / d->h_factored - 1) <= 0.3 && d->last_rate <= 0.3 && d->last_iterations < 5;
}

static hol_status fail_step(hol_integrator *it, index3 *d, double h)
{
    const hol_system *s = it->s;
    const char *what;
    const hol_element *bad = hol_system_blame(s, &d->x1, &what);
    if (!bad) bad = hol_system_blame(s, &it->x, &what);
    if (bad)
        return hol_fail(it->ctx, HOL_ERR_INTEGRATION, "stopped at t = %.6g s: the %s of \"%s\" is not a finite number",
                        it->x.t, what, bad->name);
    int element[1];
    double size[1];
    predict(it, d, it->x.t + h, 0);
    move(it, d, h);
    residual(it, d, h);
    hol_system_worst(s, d->e, 1, element, size);
    return hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                    "stopped at t = %.6g s: Newton's iteration does not converge with a step of %.3g s; largest residual "
                    "in \"%s\" (%.3g). Try a smaller --step",
                    it->x.t, h, element[0] >= 0 ? s->m->element[element[0]].name : "", size[0]);
}

// From the usual to the desperate: the matrix at hand, a fresh one, a fresh one every time, a plain predictor.
static hol_status solve(hol_integrator *it, index3 *d, double t1, double h)
{
    const int degree = (int)d->option[HOL_INDEX3_PREDICTOR].num;
    const int max = (int)d->option[HOL_INDEX3_MAX_NEWTON].num;
    const bool every = d->option[HOL_INDEX3_JACOBIAN].num > 0, any = d->option[HOL_INDEX3_ACCEPT_UNCONVERGED].num > 0;
    const bool reuse = !every && matrix_is_good(d, h);
    const double delta = it->s->delta;
    const struct {
        bool try;
        policy matrix;
        int degree, max;
        double delta; // regularisation: the step may end in a singular pose
    } ways[] = {{reuse, KEEP_MATRIX, degree, max, delta},
                {true, every ? EVERY_ITERATION : FRESH_MATRIX, degree, max, delta},
                {!any, EVERY_ITERATION, degree, 3 * max, delta},
                {!any, EVERY_ITERATION, 0, 3 * max, delta},
                {!any, EVERY_ITERATION, degree, 3 * max, SINGULAR_DELTA}};
    for (int i = 0; i < HOL_COUNT(ways); i++) {
        if (!ways[i].try) continue;
        predict(it, d, t1, ways[i].degree);
        it->s->delta = ways[i].delta;
        const hol_status st = correct(it, d, h, ways[i].matrix, ways[i].max);
        it->s->delta = delta;
        if (st == HOL_OK) return HOL_OK;
        d->h_factored = 0;
        if (any && !(i == 0)) {
            it->count.unconverged++;
            return HOL_OK;
        }
        it->count.corrector_failures++;
    }
    return fail_step(it, d, h);
}

static void accept(hol_integrator *it, index3 *d)
{
    hol_system *s = it->s;
    hol_state old = it->before;
    memcpy(d->x1.mem, it->x.mem, (size_t)s->m->n_mem * sizeof *d->x1.mem);
    it->before = it->x;
    it->x = d->x1;
    d->x1 = old;
    double *w = d->w0;
    d->w0 = d->w1;
    d->w1 = w;
    for (int i = 0; i < s->nq; i++) d->largest[i] = fmax(d->largest[i], fabs(it->x.q[i]));
    remember_past(d, s, &it->x);
}

hol_status hol_index3_step(hol_integrator *it, double t1)
{
    index3 *d = it->data;
    const double h = t1 - it->x.t;
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    hol_status st = solve(it, d, t1, h);
    if (st) return st;
    accept(it, d);
    return HOL_OK;
}
