// One step of the method tangent: a chord iteration with two kept factorisations. docs/theory.md, section 11.2.
#include "integrator/crossing.h"
#include "integrator/newton.h"
#include "integrator/tangent.h"
#include "system/linear.h"
#include "system/explicit.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 25, POLISH = 8 };
#define EXACT 1e-13 // change in natural sizes at which a step is solved
#define PART 1e-4 // with error control: this part of the tolerance; the constraints are polished all the same
#define STALLED 1e-10 // and where an iteration that does not get nearer has met rounding
#define TRUSTED 10    // times the first: where a rate of convergence is believed
#define SLOW 0.2      // a rate of convergence above this asks for new matrices
#define OTHER 0.2     // relative change of h above which the matrix is another one

// ---- constraints of one level ---------------------------------------------------------------------------------

static void add_transposed(const hol_equations *s, const hol_element *e, const hol_real *J, int rows,
                           const double *l, double *out)
{
    hol_real f[HOL_MAX_Y] = {0};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < e->ny - 1; j++) f[j] += hol_re(J[i * e->ny + j]) * l[i];
    hol_element_scatter(s->m, e, f, 1, out);
}

// The rows of one element: Phi, Phi_q v + Phi_t, Phi_q a - tau; forces += Phi_q^T s, Phi_q^T r.
static void look_at_joint(const hol_equations *s, const hol_element *e, const int *place, const hol_state *x,
                          hol_tangent *d)
{
    const int ny = e->ny;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], a[HOL_MAX_Y], none[HOL_MAX_Y];
    hol_real value[HOL_MAX_ROWS], along[HOL_MAX_ROWS], J[HOL_MAX_ROWS * HOL_MAX_Y];
    double l[2][HOL_MAX_ROWS];
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    hol_element_gather(s->m, e, 0, x->a, NULL, 0, a, none);
    hol_element_along(e, y, w, x->mem + e->mem, value, J, along);
    for (int i = 0; i < e->n_rows; i++) {
        const int row = place[i];
        l[0][i] = row >= 0 ? d->s[row] : 0;
        l[1][i] = row >= 0 ? d->r[row] : 0;
        if (row < 0) continue;
        double rate = 0, change = hol_re(along[i]);
        for (int j = 0; j < ny; j++) {
            rate += hol_re(J[i * ny + j] * w[j]);
            change += hol_re(J[i * ny + j] * a[j]);
        }
        d->row[HOL_TANGENT_POSITION][row] = hol_re(value[i]);
        d->row[HOL_TANGENT_VELOCITY][row] = rate;
        d->row[HOL_TANGENT_ACCELERATION][row] = change;
    }
    add_transposed(s, e, J, e->n_rows, l[0], d->back[HOL_TANGENT_POSITION]);
    add_transposed(s, e, J, e->n_rows, l[1], d->back[HOL_TANGENT_VELOCITY]);
}

// What the constraints of each level miss at d->x1, and the forces of the multipliers s and r, in one pass.
static void look(hol_equations *s, hol_tangent *d)
{
    const hol_state *x = &d->x1;
    memset(d->back[HOL_TANGENT_POSITION], 0, (size_t)s->nq * sizeof(double));
    memset(d->back[HOL_TANGENT_VELOCITY], 0, (size_t)s->nq * sizeof(double));
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (e->n_rows) look_at_joint(s, e, s->scatter[k].row, x, d);
        if (!e->n_rates) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], R[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        e->type->rate(e->data, e->ny, y, w, NULL, NULL, R);
        add_transposed(s, e, R, e->n_rates, d->r + s->nc + e->rate, d->back[HOL_TANGENT_VELOCITY]);
    }
    if (!s->nk) return;
    hol_equations_rates(s, x, d->row[HOL_TANGENT_VELOCITY] + s->nc);
    hol_equations_rates_dot(s, x, d->row[HOL_TANGENT_ACCELERATION] + s->nc);
}

// ---- matrices -------------------------------------------------------------------------------------------------

// S of (5.7) with beta', gamma', and in its lower rows how the constraints of the accelerations change with positions and
// velocities that follow them: (11.6).
static hol_status make_matrices(hol_integrator *it, hol_tangent *d, double h)
{
    hol_equations *s = it->s;
    const double b = d->scheme.beta1 * h * h, g = d->scheme.gamma1 * h;
    const hol_coefficients c = {1, b, b, g, HOL_WITH_ALL};
    d->h_matrix = 0;
    d->has_chart = false;
    d->least = -1;
    d->spent = 0;
    if (s->nz) { // what is predicted may be outside of a domain
        memset(d->b, 0, (size_t)s->nq * sizeof *d->b);
        hol_equations_users(s, &d->x1, d->b + s->nq);
        (void)hol_explicit_return(s, &d->x1, d->b);
    }
    hol_status st = hol_chart_set(&d->chart, &d->x1);
    if (st) return st;
    d->has_chart = true;
    if (!d->chart.tangent) d->growth = hol_chart_growth(&d->chart);
    hol_kernel_matrix(it->k, &d->x1, &c);
    if (s->nc) {
        double *values = hol_kkt_values(it->k->A);
        hol_linear_rows(s, &d->x1, d->K, d->D);
        for (int i = 0; i < s->pattern.start[s->n]; i++) values[i] += b * d->K[i] + g * d->D[i];
    }
    st = hol_kernel_factor(it->k);
    if (!st) d->h_matrix = h;
    return st;
}

static bool matrices_serve(const hol_tangent *d, double h)
{
    return d->has_chart && d->h_matrix > 0 && fabs(h / d->h_matrix - 1) <= OTHER;
}

// b <- solution of the chart's matrix; false: not finite.
static bool chart_solve(hol_tangent *d, bool velocities)
{
    hol_kernel *k = velocities ? hol_chart_velocity_kernel(&d->chart) : &d->chart.positions;
    return hol_kkt_solve(k->A, 1, d->b, d->refined) == HOL_OK;
}

// ---- one correction -------------------------------------------------------------------------------------------

// w1 and X1 from a1 and z1.
static void algorithmic(const hol_integrator *it, hol_tangent *d, double h)
{
    const hol_scheme *c = &d->scheme;
    const hol_equations *s = it->s;
    for (int i = 0; i < s->nq; i++) d->w1[i] = hol_scheme_w(c, d->x1.a[i], d->a0[i], d->ws[i]);
    for (int i = 0; i < s->nx; i++) {
        const int k = s->nq + i, rate = s->m->state[i].equation;
        d->w1[k] = hol_scheme_w(c, d->x1.z[rate], d->x0->z[rate], d->ws[k]);
        d->x1.X[i] = hol_scheme_velocity(c, h, d->x0->X[i], d->ws[k], d->w1[k]);
    }
}

static void target(const hol_integrator *it, hol_tangent *d, double h, hol_tangent_level at)
{
    const hol_scheme *c = &d->scheme;
    const double *q = d->x0->q, *v = d->x0->v;
    for (int i = 0; i < it->s->nq; i++)
        d->target[i] = at == HOL_TANGENT_POSITION ? hol_scheme_position(c, h, q[i], v[i], d->ws[i], d->w1[i])
                                                  : hol_scheme_velocity(c, h, v[i], d->ws[i], d->w1[i]);
}

// row += factor A x with a matrix at the places of Phi_q.
static void add_turned(const hol_equations *s, const double *A, double factor, const double *x, double *row)
{
    for (int j = 0; j < s->nq; j++)
        for (int k = s->pattern.start[j + 1] - 1; k >= s->pattern.start[j] && s->pattern.index[k] >= s->nf;
             k--)
            if (s->pattern.index[k] < s->nf + s->nc) row[s->pattern.index[k] - s->nf] += factor * A[k] * x[j];
}

// One correction of positions, velocities or accelerations, with what `look` has found: part += .. . Towards the target of the
// step, or what the constraints determine alone. Corrections of the levels before turn the rows of this one. Returns its size.
static double correct_level(hol_integrator *it, hol_tangent *d, hol_tangent_level at, double h, bool towards)
{
    hol_equations *s = it->s;
    double *const parts[] = {d->x1.q, d->x1.v, d->x1.a}, *const mults[] = {d->s, d->r};
    double *part = parts[at], *row = d->row[at];
    const int rows = s->nc + (at == HOL_TANGENT_POSITION ? 0 : s->nk);
    d->missing[at] = hol_equations_row_norm(s, row, rows);
    if (at == HOL_TANGENT_VELOCITY) add_turned(s, d->D, 0.5, d->moved[HOL_TANGENT_POSITION], row);
    if (at == HOL_TANGENT_ACCELERATION) {
        add_turned(s, d->K, 1, d->moved[HOL_TANGENT_POSITION], row);
        add_turned(s, d->D, 1, d->moved[HOL_TANGENT_VELOCITY], row);
    }
    memset(d->b, 0, (size_t)s->n * sizeof *d->b);
    for (int i = 0; i < rows; i++) d->b[s->nf + i] = -row[i];
    if (towards) {
        target(it, d, h, at);
        for (int i = 0; i < s->nq; i++) d->b[i] = d->chart.E[i] * (d->target[i] - part[i]) - d->back[at][i];
    }
    if (!chart_solve(d, at != HOL_TANGENT_POSITION)) return HOL_INF;
    for (int i = 0; i < s->nq; i++) part[i] += d->b[i];
    for (int i = 0; i < rows && towards; i++) mults[at][i] += d->b[s->nf + i];
    if (at < HOL_TANGENT_ACCELERATION) memcpy(d->moved[at], d->b, (size_t)s->nq * sizeof *d->b);
    return hol_equations_coordinate_norm(s, d->b);
}

static void find_dynamics(hol_equations *s, hol_tangent *d, double *e)
{
    hol_equations_residual(s, &d->x1, e, NULL);
    hol_equations_users(s, &d->x1, e + s->nq);
}

#define SHIFTS 1e-3 // part of the multipliers by which the last correction may change them
#define MORE                                                                                                 \
    100 // times as large a part as that of the accelerations: what drivers move has these at once, whatever the multipliers are

// Has the correction e left multipliers behind that a matrix of another pose does not find?
static bool are_behind(const hol_equations *s, const hol_tangent *d, const double *e, const double *values)
{
    const double T = s->m->time_scale, unit = 1 / (T * T), a = hol_equations_coordinate_norm(s, d->x1.a);
    double lam = 0, change = 0;
    for (int i = 0; i < s->nq; i++) lam = fmax(lam, fabs(values[s->diagonal[i]]) * s->q_size[i] * unit);
    for (int i = 0; i < s->nc + s->nk; i++) {
        lam = fmax(lam, fabs(d->x1.lam[i]));
        change = fmax(change, fabs(e[s->nf + i]));
    }
    return change > SHIFTS * lam && change / lam > MORE * hol_equations_coordinate_norm(s, e) / fmax(a, unit);
}

// The equations of motion and users' equations. Returns the size of the change by the error it stands for.
static double correct_dynamics(hol_integrator *it, hol_tangent *d, double h)
{
    hol_equations *s = it->s;
    double *e = d->b, size;
    memset(e, 0, (size_t)s->n * sizeof *e);
    find_dynamics(s, d, e);
    if (hol_explicit_return(s, &d->x1, e)) {
        algorithmic(it, d, h);
        find_dynamics(s, d, e);
    }
    for (int i = 0; i < s->nf; i++) e[i] *= -1;
    if (hol_kernel_solve(it->k, 1, e)) return HOL_INF;
    for (int i = 0; i < s->n; i++) d->x1.a[i] += e[i];
    d->behind = are_behind(s, d, e, hol_kkt_values(it->k->A));
    size = h * h * hol_equations_coordinate_norm(s, e);
    for (int i = 0; i < s->nz; i++) // users' unknowns: to 1e-4 of what is asked of positions
        size = fmax(size, 1e-4 * fabs(e[s->nq + i]) / fmax(s->m->equation[i].size, fabs(d->x1.z[i])));
    for (int i = 0; i < s->nx; i++)
        size = fmax(size, d->scheme.gamma1 * h * fabs(e[s->nq + s->m->state[i].equation]) /
                              fmax(s->m->state[i].size, fabs(d->x1.X[i])));
    return size;
}

// One correction of all levels and of the accelerations; returns its size.
static double correct(hol_integrator *it, hol_tangent *d, double h)
{
    d->refined = 0;
    algorithmic(it, d, h);
    look(it->s, d);
    double size = correct_level(it, d, HOL_TANGENT_POSITION, h, true);
    if (isfinite(size)) size += h * correct_level(it, d, HOL_TANGENT_VELOCITY, h, true);
    if (isfinite(size)) size += h * h * correct_level(it, d, HOL_TANGENT_ACCELERATION, h, false);
    if (isfinite(size)) size += correct_dynamics(it, d, h);
    it->count.newton_iterations++;
    return size;
}

// What a level missed before its last correction, in units of rounding: of its size, or of the natural one, since what rests has velocities
// that are rounding themselves.
static double in_rounding(const hol_equations *s, const hol_tangent *d, hol_tangent_level at,
                          const double *part)
{
    const double size = fmax(hol_equations_coordinate_norm(s, part), pow(s->m->time_scale, -(double)at));
    return d->missing[at] / (4 * DBL_EPSILON * size);
}

// The constraints of all levels to rounding, without a further look at forces. HOL_RECOVERABLE: not with this matrix.
static hol_status polish(hol_integrator *it, hol_tangent *d, double h)
{
    hol_equations *s = it->s;
    double *const parts[] = {d->x1.q, d->x1.v, d->x1.a}, last[HOL_TANGENT_LEVELS];
    for (int i = 0; i < POLISH; i++) {
        d->refined = i ? 2 : 0;
        double worst = 0; // what the corrections just made leave: the rate of a level is that of its last two
        bool stalls = i > 0;
        look(s, d);
        for (hol_tangent_level at = HOL_TANGENT_POSITION; at <= HOL_TANGENT_ACCELERATION; at++) {
            if (!isfinite(correct_level(it, d, at, h, false))) return HOL_RECOVERABLE;
            const double now = in_rounding(s, d, at, parts[at]);
            worst = fmax(worst, now <= 1 || i == 0 ? now : now * fmin(1, 10 * now / last[at]));
            stalls = stalls && (now <= 1 || (now > 0.5 * last[at] && now <= 100));
            last[at] = now;
        }
        if (worst <= 1 || stalls) {
            algorithmic(it, d, h);
            return HOL_OK;
        }
    }
    return HOL_RECOVERABLE;
}

// ---- the iteration --------------------------------------------------------------------------------------------

// The first guess of accelerations and multipliers, from which positions and velocities follow.
static void predict(const hol_integrator *it, hol_tangent *d, double t1, double h, hol_tangent_guess guess)
{
    const hol_equations *s = it->s;
    memcpy(d->x1.a, d->x0->a, (size_t)s->n * sizeof *d->x1.a);
    d->x1.t = t1;
    if (guess == HOL_TANGENT_HISTORY) hol_history_extrapolate(&d->history, t1, d->degree, d->x1.a);
    if (guess == HOL_TANGENT_COAST) memset(d->x1.a, 0, (size_t)s->nq * sizeof *d->x1.a);
    algorithmic(it, d, h);
    target(it, d, h, HOL_TANGENT_POSITION);
    memcpy(d->x1.q, guess == HOL_TANGENT_STAY ? d->x0->q : d->target, (size_t)s->nq * sizeof *d->x1.q);
    target(it, d, h, HOL_TANGENT_VELOCITY);
    memcpy(d->x1.v, guess == HOL_TANGENT_STAY ? d->x0->v : d->target, (size_t)s->nq * sizeof *d->x1.v);
    memset(d->s, 0, (size_t)(s->n - s->nf) * sizeof *d->s);
    memset(d->r, 0, (size_t)(s->n - s->nf) * sizeof *d->r);
}

hol_status hol_tangent_solve(hol_integrator *it, hol_tangent *d, double t1, double h,
                             hol_tangent_policy matrix, hol_tangent_guess guess)
{
    hol_newton n = {0};
    hol_status st = HOL_OK;
    bool fresh = false;
    hol_scheme_scale_w(it->s, d->a0, d->x0->z, d->w, d->w == d->w0 ? d->h_w : d->h_mid, h, d->ws);
    predict(it, d, t1, h, guess);
    const double scale = fmax(1, hol_equations_coordinate_norm(it->s, d->x0->q));
    const double part =
        PART * it->tolerance * (it->norm.groups ? 1 : scale); // only rounding depends on the origin
    const double target = fmax(EXACT * scale, part);
    const hol_newton_limits limits = {.target = target, .floor = 0.1 * target, .max = MOST};
    hol_verdict verdict = HOL_NEWTON_GO_ON;
    double size = 0;
    while (verdict == HOL_NEWTON_GO_ON) {
        const bool slow = n.k > 1 && n.rate > SLOW && n.last > 100 * limits.target;
        if (matrix == HOL_TANGENT_EVERY ||
            (n.k == 0 && !(matrix == HOL_TANGENT_KEEP && matrices_serve(d, h))) || (slow && !fresh)) {
            if ((st = make_matrices(it, d, h)) != HOL_OK) return st;
            fresh = n.k > 0;
            n.last = 0;
        }
        size = correct(it, d, h);
        verdict = hol_newton_judge(&n, size, &limits);
        if (verdict == HOL_NEWTON_CONVERGED &&
            size > TRUSTED * limits.target) // the first rate may be a lucky one
            verdict = HOL_NEWTON_GO_ON;
        if (verdict != HOL_NEWTON_CONVERGED && n.rate > 0.5 && size <= fmax(STALLED * scale, target))
            verdict = HOL_NEWTON_CONVERGED; // rounding near a singular pose
    }
    d->last_iterations = n.k;
    if (verdict != HOL_NEWTON_CONVERGED) return HOL_RECOVERABLE;
    st = polish(it, d, h);
    if (st > 0 && !(st = make_matrices(it, d, h))) st = polish(it, d, h);
    return st || !d->behind ? st : hol_crossing_multipliers(it, &d->x1);
}
