// One step of the index-3 family: predict, correct by modified Newton, accept. See index3.h for the equations.
//
//     S [da; dlam] = -[e1; e2],                                                          docs/theory.md (5.7)
//     S = [ M + b (K_M + K_phi - Q_q) - g Q_v   Phi_q^T ;  Phi_q   0 ],   b = beta' h^2, g = gamma' h
#include "integrator/index3.h"
#include "integrator/newton.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
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

enum { HISTORY = 4 };

#define SINGULAR_DELTA 1e-9 // regularisation at a singular pose, see sparse.h
#define SLOW                                                                                                 \
    0.4 // a rate of convergence above this asks for a new matrix at once; above 0.3, for the next step

typedef struct {
    hol_scheme scheme;
    double beta1, gamma1;    // beta', gamma': dq1/da1 = beta' h^2, dv1/da1 = gamma' h
    const hol_value *option; // the family's rows
    hol_state x1;            // trial state
    double *w0, *w1, *ws;    // algorithmic accelerations; ws: w0 for the step size tried   (nq)
    double h_w;              // step size that w0 belongs to
    int degree;              // of the predictor
    bool held;               // the last attempt was rejected: the step may not grow
    hol_limit why;           // what made the present step size
    double *e;               // residual, then correction                       (n)
    double *past[HISTORY];   // accepted (a; lam), newest first                 (n)
    double past_t[HISTORY];
    int n_past;
    double *largest; // largest |q_i| so far, by coordinate             (nq)
    double *memory;
    double h_factored; // step size the factored matrix belongs to, 0: none
    double last_rate;
    int last_iterations;
} index3;

// ---- creation -------------------------------------------------------------------------------------------------

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

// w0 = a0 + (alpha_m - alpha_f) h da/dt lies on the curve (5.17) of docs/theory.md. Where the step does
// not resolve the start (a stiff initial layer) the derivative says nothing about the step, and w0 = a0 is better.
static hol_status start_w(hol_integrator *it, index3 *d)
{
    hol_system *s = it->s;
    const hol_scheme *sc = &d->scheme;
    const double step = 1e-4 * it->h, c = (sc->alpha_m - sc->alpha_f) * it->h / step;
    memcpy(d->w0, it->x.a, (size_t)s->nq * sizeof *d->w0);
    if (c == 0) return HOL_OK;
    hol_state_copy(s, &d->x1, &it->x);
    d->x1.t += step;
    for (int i = 0; i < s->nq; i++) {
        d->x1.q[i] += step * (it->x.v[i] + 0.5 * step * it->x.a[i]);
        d->x1.v[i] += step * it->x.a[i];
    }
    const hol_status st = hol_solve_accelerations(s, &d->x1);
    if (st) return st < 0 ? st : HOL_OK;
    for (int i = 0; i < s->nq; i++) d->w1[i] = c * (d->x1.a[i] - it->x.a[i]);
    if (weighted(s, d, d->w1) > 0.5 * (1 + weighted(s, d, it->x.a))) return HOL_OK;
    for (int i = 0; i < s->nq; i++) d->w0[i] += d->w1[i];
    return HOL_OK;
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

// docs/theory.md, 5.5; the first steps are corrected by the error test anyway.
static double first_step(const hol_integrator *it, const index3 *d)
{
    const double a = weighted(it->s, d, it->x.a), span = it->end - it->x.t;
    const double h = a > 0 ? sqrt(it->tolerance / (fabs(d->scheme.error) * a)) : span;
    return fmin(fmin(0.01 * span, it->h_max), h);
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
    d->memory = hol_calloc(it->ctx, 4 * nq + (1 + HISTORY) * n, sizeof *d->memory);
    if (!d->memory || hol_state_create(s, &d->x1)) return HOL_ERR_MEMORY;
    double *p = d->memory;
    double **const arrays[] = {&d->w0, &d->w1, &d->ws, &d->largest};
    for (int i = 0; i < HOL_COUNT(arrays); i++, p += nq) *arrays[i] = p;
    d->e = p;
    for (int k = 0; k < HISTORY; k++) d->past[k] = p += n;
    for (int i = 0; i < s->nq; i++) d->largest[i] = fmax(s->q_size[i], fabs(it->x.q[i]));
    remember_past(d, s, &it->x);
    const int degree = (int)d->option[HOL_INDEX3_PREDICTOR].num;
    d->degree = degree < 0 ? 0 : degree; // less history is used while there is less
    if (it->tolerance > 0) it->h = first_step(it, d);
    d->h_w = it->h;
    return start_w(it, d);
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
        const double w1 =
            ((1 - c->alpha_f) * d->x1.a[i] + c->alpha_f * x->a[i] - c->alpha_m * d->ws[i]) / (1 - c->alpha_m);
        d->x1.q[i] = x->q[i] + h * (x->v[i] + h * ((0.5 - c->beta) * d->ws[i] + c->beta * w1));
        d->x1.v[i] = x->v[i] + h * ((1 - c->gamma) * d->ws[i] + c->gamma * w1);
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

typedef enum { KEEP_MATRIX, FRESH_MATRIX, EVERY_ITERATION } policy;

// How far the iteration goes: with error control a thousandth of the admitted error (docs/theory.md, 5.14), else to a level
// that no result shows; never below rounding.
static hol_newton_limits newton_limits(const hol_integrator *it, const index3 *d, double h, int max)
{
    const double a_size = weighted(it->s, d, d->x1.a),
                 to_a = 1 / (d->beta1 * h * h); // positions -> accelerations
    const double tolerance = d->option[HOL_INDEX3_NEWTON_TOLERANCE].num;
    const double fixed = fmin(tolerance * (1 + a_size), 1e-4 * tolerance * to_a);
    const hol_newton_limits limits = {
        .target = it->tolerance > 0 ? 1e-3 * it->tolerance / (fabs(d->scheme.error) * h * h) : fixed,
        .floor = 1e-12 * (1 + a_size) + 10 * DBL_EPSILON * to_a,
        .max = max};
    return limits;
}

// Corrects the predicted state. HOL_RECOVERABLE: not converged.
static hol_status correct(hol_integrator *it, index3 *d, double h, policy matrix, int max)
{
    hol_system *s = it->s;
    hol_newton n = {0};
    const hol_newton_limits limits = newton_limits(it, d, h, max);
    hol_verdict verdict = HOL_NEWTON_GO_ON;
    hol_status st;
    while (verdict == HOL_NEWTON_GO_ON) {
        move(it, d, h);
        residual(it, d, h);
        if (matrix == EVERY_ITERATION ||
            (n.k == 0 && matrix == FRESH_MATRIX)) // at the state just predicted or corrected
            if ((st = refresh(it, d, h)) != HOL_OK) return st;
        if (hol_system_solve(s, d->e)) return HOL_RECOVERABLE;
        for (int i = 0; i < s->nq; i++) d->x1.a[i] += d->e[i];
        for (int i = 0; i < s->nc; i++) d->x1.lam[i] += d->e[s->nq + i];
        it->count.newton_iterations++;
        verdict = hol_newton_judge(&n, weighted(s, d, d->e), &limits);
        // a kept matrix that has become too old is replaced where the iteration stands, once
        if (matrix == KEEP_MATRIX && verdict != HOL_NEWTON_CONVERGED && n.k > 1 && n.rate > SLOW) {
            move(it, d, h);
            if ((st = refresh(it, d, h)) != HOL_OK) return st;
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
    return d->h_factored > 0 && fabs(h / d->h_factored - 1) <= 0.3 && d->last_rate <= 0.3 &&
           d->last_iterations < 5;
}

static hol_status fail_step(hol_integrator *it, index3 *d, double h)
{
    const hol_system *s = it->s;
    const char *what;
    const hol_element *bad = hol_system_blame(s, &d->x1, &what);
    if (!bad) bad = hol_system_blame(s, &it->x, &what);
    if (bad)
        return hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                        "stopped at t = %.6g s: the %s of \"%s\" is not a finite number", it->x.t, what,
                        bad->name);
    int element[1];
    double size[1];
    predict(it, d, it->x.t + h, 0);
    move(it, d, h);
    residual(it, d, h);
    hol_system_worst(s, d->e, 1, element, size);
    return hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                    "stopped at t = %.6g s: %s with a step of %.3g s; largest residual in \"%s\" (%.3g). %s",
                    it->x.t,
                    it->tolerance > 0 ? "the step collapsed: neither Newton nor the error test is satisfied"
                                      : "Newton's iteration does not converge",
                    h, element[0] >= 0 ? s->m->element[element[0]].name : "", size[0],
                    it->tolerance > 0 ? "Try softer parameters there, a larger tolerance or another --method"
                                      : "Try a smaller --step");
}

// One attempt at a step. way: the matrix at hand, a fresh one, a fresh one every time, a plain predictor, regularised.
typedef struct {
    policy matrix;
    int degree, max;
    double delta; // regularisation: the step may end in a singular pose
} way;

static hol_status attempt(hol_integrator *it, index3 *d, double t1, double h, const way *w)
{
    hol_system *s = it->s;
    const double delta = s->delta;
    // the part of w0 that is not the acceleration is proportional to the step size (docs/theory.md, 5.5)
    const double scale = d->h_w > 0 ? h / d->h_w : 1;
    for (int i = 0; i < s->nq; i++) d->ws[i] = it->x.a[i] + scale * (d->w0[i] - it->x.a[i]);
    predict(it, d, t1, w->degree);
    s->delta = w->delta;
    const hol_status st = correct(it, d, h, w->matrix, w->max);
    s->delta = delta;
    if (st || w->delta != delta) d->h_factored = 0;
    return st;
}

static hol_status fixed_step(hol_integrator *it, index3 *d, double t1, double h)
{
    const int max = (int)d->option[HOL_INDEX3_MAX_NEWTON].num, degree = d->degree;
    const bool every = d->option[HOL_INDEX3_JACOBIAN].num > 0,
               any = d->option[HOL_INDEX3_ACCEPT_UNCONVERGED].num > 0;
    const double delta = it->s->delta;
    const way ways[] = {{KEEP_MATRIX, degree, max, delta},
                        {every ? EVERY_ITERATION : FRESH_MATRIX, degree, max, delta},
                        {EVERY_ITERATION, degree, 3 * max, delta},
                        {EVERY_ITERATION, 0, 3 * max, delta},
                        {EVERY_ITERATION, degree, 3 * max, SINGULAR_DELTA}};
    for (int i = !every && matrix_is_good(d, h) ? 0 : 1; i < HOL_COUNT(ways); i++) {
        const hol_status st = attempt(it, d, t1, h, &ways[i]);
        if (st <= 0) return st;
        if (any && i > 0) {
            it->count.unconverged++;
            return HOL_OK;
        }
        it->count.corrector_failures++;
    }
    return fail_step(it, d, h);
}

// Local error in units of the tolerance: kE h^2 (w1 - w0) in the positions, (gamma - 1/2) h (w1 - w0) in the velocities.
static double local_error(const hol_integrator *it, const index3 *d, double h)
{
    double sum = 0, fast = 0;
    for (int i = 0; i < it->s->nq; i++) {
        const double x = d->w1[i] - d->ws[i],
                     rate = fmax(it->s->q_size[i] / it->s->m->time_scale, fabs(d->x1.v[i]));
        sum += x * x / (d->largest[i] * d->largest[i]);
        fast += x * x / (rate * rate);
    }
    const double position = fabs(d->scheme.error) * h * h * sqrt(sum / it->s->nq);
    const double velocity = (d->scheme.gamma - 0.5) * h * sqrt(fast / it->s->nq);
    return fmax(position, d->scheme.velocity_test ? velocity : 0) / it->tolerance;
}

// The smallest step that means anything: below it rounding hides the accelerations (docs/theory.md, 5.3).
static double smallest_step(const hol_integrator *it, const index3 *d)
{
    const double a = fmax(1, weighted(it->s, d, it->x.a));
    return fmax(16 * DBL_EPSILON * fabs(it->x.t), sqrt(DBL_EPSILON / (d->beta1 * 1e-3 * a)) * 1e-2);
}

// Solves for a step of size h, with the kept matrix if it is good, else (or after a failure) with a fresh one.
static hol_status try_step(hol_integrator *it, index3 *d, double t1, double h)
{
    const int max = (int)d->option[HOL_INDEX3_MAX_NEWTON].num;
    const double delta = it->s->delta;
    const bool every = d->option[HOL_INDEX3_JACOBIAN].num > 0;
    const way kept = {KEEP_MATRIX, d->degree, max, delta},
              fresh = {every ? EVERY_ITERATION : FRESH_MATRIX, d->degree, max, delta};
    if (!every && matrix_is_good(d, h)) {
        const hol_status st = attempt(it, d, t1, h, &kept);
        if (st <= 0) return st;
    }
    return attempt(it, d, t1, h, &fresh);
}

static hol_status variable_step(hol_integrator *it, index3 *d, double t_stop)
{
    for (;;) {
        hol_limit limit = d->why;
        const double h = hol_control_step(it->x.t, it->h, it->h_max, t_stop, &limit);
        const double t1 = limit == HOL_LIMIT_STOP ? t_stop : it->x.t + h;
        if (h < smallest_step(it, d) && limit != HOL_LIMIT_STOP) return fail_step(it, d, h);
        const hol_status st = try_step(it, d, t1, h);
        if (st < 0) return st;
        if (st) { // Newton: a quarter of the step, no history, no growth
            it->count.corrector_failures++;
            it->h = h / 4;
            d->why = HOL_LIMIT_NEWTON;
            d->degree = 0;
            d->held = true;
            continue;
        }
        const double error = local_error(it, d, h);
        const double factor = hol_control_factor(error, d->scheme.velocity_test ? 2 : 3, !d->held);
        if (!(error <= 1)) {
            it->count.rejected++;
            it->h = h * fmin(factor, 0.9);
            d->why = HOL_LIMIT_ERROR;
            if (d->degree > 0) d->degree--;
            d->held = true;
            continue;
        }
        it->error = error;
        it->limit = limit;
        d->held = false;
        // a step cut short by the end says nothing against the size that was wanted
        it->h = limit == HOL_LIMIT_STOP ? fmax(it->h, h * factor) : h * factor;
        if (factor > 1 || limit == HOL_LIMIT_STOP) d->why = HOL_LIMIT_ERROR;
        return HOL_OK;
    }
}

// The degree that would have predicted this step best, among the present one and its neighbours.
static void choose_degree(hol_integrator *it, index3 *d)
{
    const int asked = (int)d->option[HOL_INDEX3_PREDICTOR].num, now = d->degree;
    if (asked >= 0) {
        d->degree = now < asked ? now + 1 : asked; // after trouble it comes back one by one
        return;
    }
    double best = HOL_INF;
    for (int k = now > 0 ? now - 1 : 0; k <= now + 1 && k < HISTORY && k < d->n_past; k++) {
        predict(it, d, it->x.t, k); // into the free trial state
        for (int i = 0; i < it->s->nq; i++) d->ws[i] = d->x1.a[i] - it->x.a[i];
        const double error = weighted(it->s, d, d->ws);
        if (error < best) {
            best = error;
            d->degree = k;
        }
    }
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
    d->h_w = it->x.t - it->before.t;
    choose_degree(it, d);
    for (int i = 0; i < s->nq; i++) d->largest[i] = fmax(d->largest[i], fabs(it->x.q[i]));
    remember_past(d, s, &it->x);
}

hol_status hol_index3_step(hol_integrator *it, double t_stop)
{
    index3 *d = it->data;
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    hol_status st =
        it->tolerance > 0 ? variable_step(it, d, t_stop) : fixed_step(it, d, t_stop, t_stop - it->x.t);
    if (st) return st;
    accept(it, d);
    return HOL_OK;
}

void hol_index3_rows_changed(hol_integrator *it)
{
    index3 *d = it->data;
    d->h_factored = 0;
    d->n_past = 0;
    remember_past(d, it->s, &it->x);
}

void hol_index3_archive(hol_integrator *it, hol_archive *a)
{
    index3 *d = it->data;
    const hol_system *s = it->s;
    hol_archive_bytes(a, d->w0, (size_t)s->nq * sizeof *d->w0);
    hol_archive_bytes(a, d->largest, (size_t)s->nq * sizeof *d->largest);
    for (int k = 0; k < HISTORY; k++) hol_archive_bytes(a, d->past[k], (size_t)s->n * sizeof *d->past[k]);
    HOL_ARCHIVE(a, d->past_t);
    HOL_ARCHIVE(a, d->n_past);
    HOL_ARCHIVE(a, d->h_w);
    HOL_ARCHIVE(a, d->degree);
    HOL_ARCHIVE(a, d->held);
    HOL_ARCHIVE(a, d->why);
    HOL_ARCHIVE(a, d->h_factored);
    HOL_ARCHIVE(a, d->last_rate);
    HOL_ARCHIVE(a, d->last_iterations);
}
