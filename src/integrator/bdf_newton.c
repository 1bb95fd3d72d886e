// Newton's iteration of method bdf, given to IDA as a nonlinear solver of our own: one KKT matrix for
// all formulations, a test of its own, and a guard against convergence for the wrong reason. docs/theory.md,
// sections 10.2 and 10.4.
#include "integrator/bdf_data.h"

#include <float.h>
#include <math.h>
#include <string.h>

const hol_formulation hol_formulations[] = {
    {.name = "cm-lambda", .bends = HOL_BENDS_LAST},
    {.name = "ggl", .bends = HOL_BENDS_ITERATE, .multipliers = true, .keeps = true},
    {.name = "ggl-star", .bends = HOL_BENDS_ITERATE, .keeps = true},
    {.name = "cs", .bends = HOL_BENDS_SPLIT, .independent = true},
    {.name = "cm", .bends = HOL_BENDS_NOT, .independent = true},
    {.name = "ggl-star-pinv", .bends = HOL_BENDS_ITERATE, .keeps = true, .predicts = true},
    {.name = "cm-kept", .bends = HOL_BENDS_NOT, .independent = true, .keeps = true, .frozen = true},
};

enum { MAX_CORRECTIONS = 4, MAX_PASSES = 20 };
#define CONVERGED 0.33 // left of the tolerance
#define FIRST 100      // a first correction counts so often
#define SLOW 0.9       // rate of convergence
#define KEPT 0.6       // a matrix serves between this factor of c and its inverse
#define DOUBTFUL 0.5   // wrong multipliers in the matrix against c^2 E
#define ROUNDING 10    // of the last digits of y

// ---- the equations --------------------------------------------------------------------------------------------

void hol_bdf_unpack(const hol_bdf *d, const hol_equations *s, double t, N_Vector y, N_Vector yp, hol_state *x,
                    double *mu)
{
    const double *u = N_VGetArrayPointer(y);
    const size_t nq = (size_t)s->nq, nx = (size_t)s->nx, rest = (size_t)s->n - nq, size = sizeof *u;
    x->t = t;
    memcpy(x->q, u, nq * size);
    memcpy(x->v, u + nq, nq * size);
    memcpy(x->X, u + 2 * nq, nx * size);
    memcpy(x->a, N_VGetArrayPointer(yp) + nq, nq * size);
    memcpy(x->a + nq, u + 2 * nq + nx, rest * size);
    if (mu) memcpy(mu, u + (size_t)d->n - (size_t)s->nc, (size_t)s->nc * size);
}

// r1 = E (q' - v) + Phi_q^T mu, in the rows of u
static void find_r1(hol_bdf *d, hol_equations *s, const double *rate)
{
    hol_state at = d->x1;
    double *r1 = d->r + s->nq;
    at.lam = d->mu;
    if (d->f->frozen) at.q = d->kept;
    hol_equations_constraint_force(s, &at, r1);
    for (int i = 0; i < s->nq; i++) r1[i] += d->m.E[i] * (rate[i] - d->x1.v[i]);
}

// Phi_q^T lam of r2 with Phi_q where the matrix was made: P of that point instead of the present one.
static void keep_jacobian(hol_bdf *d, const hol_kernel *k)
{
    const hol_equations *s = k->s;
    hol_state at = d->x1;
    double *force = k->work;
    hol_equations_constraint_force(s, &at, force);
    for (int i = 0; i < s->nq; i++) d->r[i] -= force[i];
    at.q = d->kept;
    hol_equations_constraint_force(s, &at, force);
    for (int i = 0; i < s->nq; i++) d->r[i] += force[i];
}

int hol_bdf_residual(double t, N_Vector y, N_Vector yp, N_Vector out, void *user)
{
    hol_integrator *it = user;
    hol_bdf *d = it->data;
    hol_equations *s = it->s;
    const double *rate = N_VGetArrayPointer(yp);
    double *r = d->r, *all = it->k->work;
    (void)out; // what IDA would hand on to Newton's iteration; ours takes d->r
    hol_bdf_unpack(d, s, t, y, yp, &d->x1, d->mu);
    hol_equations_residual(s, &d->x1, r, r + d->m.n_first);
    if (d->f->frozen) keep_jacobian(d, it->k);
    find_r1(d, s, rate);
    hol_equations_users(s, &d->x1, r + d->m.first_z);
    for (int i = 0; i < s->nx; i++)
        r[d->m.first_state + i] = rate[2 * s->nq + i] - d->x1.z[s->m->state[i].equation];
    hol_equations_phi_dot_all(s, t, d->x1.q, d->x1.v, all);
    for (int i = 0; i < s->nc; i++) r[d->m.first_mu + i] = all[s->model_row[i]];
    hol_equations_rates(s, &d->x1, r + d->m.first_kap);
    if (s->fatal) {
        d->sun.status = s->fatal;
        return -1;
    }
    return hol_all_finite(r, (size_t)d->m.n) ? 0 : 1;
}

// ---- the matrix -----------------------------------------------------------------------------------------------

// M v' + Phi_q^T lam - Q with users' unknowns as their expressions say at this point, as if they stood in the
// forces: into d->dx. IDA's prediction of them is another one, which the splitting is not to see.
static void forces_by_expressions(hol_bdf *d, const hol_kernel *k)
{
    hol_equations *s = k->s;
    double *z = d->dx + d->m.first_z, *missing = k->work;
    memcpy(d->dx, d->r, (size_t)s->nq * sizeof *d->dx);
    if (!s->nz) return;
    memcpy(z, d->x1.z, (size_t)s->nz * sizeof *z);
    for (int turn = 0; turn < MAX_PASSES; turn++) {
        double change = 0;
        hol_equations_users(s, &d->x1, missing);
        for (int i = 0; i < s->nz; i++) {
            change = fmax(change, fabs(missing[i]) / fmax(s->m->equation[i].size, fabs(d->x1.z[i])));
            d->x1.z[i] -= missing[i];
        }
        if (!(change > 1e-12)) break;
    }
    hol_equations_residual(s, &d->x1, d->dx, NULL);
    s->count.residuals--;
    memcpy(d->x1.z, z, (size_t)s->nz * sizeof *z);
}

// Multipliers as the splitting sees them: what r leaves in the dependent coordinates.
static hol_status seen_by_split(hol_bdf *d, const hol_kernel *k)
{
    const hol_equations *s = k->s;
    hol_status st = hol_bdf_split_factor(&d->split, &d->x1);
    forces_by_expressions(d, k);
    if (!st) st = hol_bdf_split_multipliers(&d->split, d->dx, d->bend);
    if (!st) st = hol_bdf_split_multipliers(&d->split, d->r + s->nq, d->bend_mu);
    for (int i = 0; i < s->nc && !st; i++) {
        d->bend[i] = d->x1.lam[i] - d->bend[i];
        d->bend_mu[i] = d->mu[i] - d->bend_mu[i];
    }
    return st;
}

// The multipliers whose H stands in the matrix, by formulation.
static hol_status choose_bend(hol_bdf *d, const hol_kernel *k, hol_bends bends)
{
    const hol_equations *s = k->s;
    const size_t size = (size_t)s->nc * sizeof *d->bend;
    if (bends == HOL_BENDS_SPLIT) return seen_by_split(d, k);
    if (bends == HOL_BENDS_NOT) {
        memset(d->bend, 0, size);
        memset(d->bend_mu, 0, size);
        return HOL_OK;
    }
    const bool last = bends == HOL_BENDS_LAST;
    memcpy(d->bend, last ? d->last : d->x1.lam, size);
    memcpy(d->bend_mu, last ? d->last_mu : d->mu, size);
    return HOL_OK;
}

// At d->x1.
static hol_status refresh(hol_bdf *d, const hol_kernel *k, hol_bends bends, double c)
{
    hol_state at = d->x1;
    const hol_status st = choose_bend(d, k, bends);
    if (st) return st;
    at.lam = d->bend;
    return hol_bdf_matrix_set(&d->m, &at, d->bend_mu, c);
}

// The correction of the residual in d->r into d->dx, in the order of the matrix.
static hol_status correction(hol_bdf *d, const hol_equations *s)
{
    const hol_bdf_matrix *m = &d->m;
    const double c = m->c, *r = d->r;
    double *x = d->dx;
    for (int i = 0; i < m->n; i++) x[i] = -r[i];
    for (int i = 0; i < s->nq; i++) x[s->nq + i] = c * r[s->nq + i];
    for (int i = 0; i < s->nc; i++) {
        x[m->n_first + i] *= c * c;
        x[m->first_mu + i] = c * (c * r[m->n_first + i] - r[m->first_mu + i]);
    }
    for (int i = 0; i < s->nk; i++) x[m->first_kap + i] *= c;
    return hol_bdf_matrix_solve(&d->m, x);
}

// A place in IDA's vector and its weight, and what has been added up before it.
typedef struct {
    double *y, factor, sum;
    const double *weight;
    double *step; // the correction
    int tested;
} cursor;

static void add(cursor *p, double by)
{
    by *= p->factor;
    *p->y++ += by;
    *p->step++ = by;
    p->sum += by * *p->weight * by * *p->weight;
    p->tested += *p->weight++ > 0;
}

// The largest group, or multiplier.
static double worst_correction(const hol_bdf *d, const hol_equations *s)
{
    double worst = hol_norm_weighted(d->norm, d->n, d->step, d->newton_weight);
    for (int i = 2 * s->nq + s->nx; i < d->n; i++)
        worst = hol_larger(fabs(d->step[i] * d->newton_weight[i]), worst);
    return worst;
}

// Adds the correction to IDA's vector, times a factor; returns its size in the weights of Newton's test.
static double add_correction(hol_bdf *d, const hol_equations *s, double factor, N_Vector to)
{
    const hol_bdf_matrix *m = &d->m;
    const double *x = d->dx, c = m->c;
    cursor p = {.y = N_VGetArrayPointer(to), .factor = factor, .weight = d->newton_weight, .step = d->step};
    for (int i = 0; i < s->nq; i++) add(&p, x[i] / (c * c));
    for (int i = 0; i < s->nq; i++) add(&p, (x[i] - x[s->nq + i]) / c);
    for (int i = 0; i < s->nx; i++) add(&p, x[m->first_state + i] / c);
    for (int i = 0; i < s->nz; i++) add(&p, x[m->first_z + i]);
    for (int i = 0; i < s->nc; i++) add(&p, x[m->n_first + i]);
    for (int i = 0; i < s->nk; i++) add(&p, x[m->first_kap + i]);
    for (int i = 0; i < s->nc; i++) add(&p, x[m->first_mu + i] / c);
    if (d->norm->groups) return worst_correction(d, s);
    return sqrt(p.sum / (p.tested ? p.tested : 1));
}

// ---- the iteration --------------------------------------------------------------------------------------------

// What rounding leaves of y in the same weights. Multipliers are forces that change velocities, or velocities
// that change positions, within a step: c times the rounding of these is in them.
static double rounding(const hol_bdf *d, const hol_equations *s, N_Vector y, double c)
{
    const double *u = N_VGetArrayPointer(y), *w = d->newton_weight;
    const int lam = 2 * s->nq + s->nx + s->nz, mu = d->n - s->nc;
    double most = 0, place = 1, speed = 1 / s->m->time_scale;
    for (int i = 0; i < d->n; i++) most = fmax(most, fabs(u[i]) * w[i]);
    for (int i = 0; i < s->nq; i++) {
        place = fmax(place, fabs(u[i]) / s->q_size[i]);
        speed = fmax(speed, fabs(u[s->nq + i]) / s->q_size[i]);
    }
    for (int i = lam; i < d->n; i++) {
        const double length = i >= mu           ? s->row_size[i - mu]
                              : i < lam + s->nc ? s->row_size[i - lam]
                                                : s->m->length_scale;
        most = fmax(most, w[i] * c * d->inertia / length * (i < mu ? speed : place));
    }
    return ROUNDING * DBL_EPSILON * most;
}

// Forces and joints in the order in which elements are blamed.
static void blame(hol_integrator *it, hol_bdf *d, double c)
{
    const hol_equations *s = it->s;
    memset(d->dx, 0, (size_t)s->n * sizeof *d->dx);
    memcpy(d->dx, d->r, (size_t)s->nq * sizeof *d->dx);
    for (int i = 0; i < s->nc; i++) d->dx[s->nf + i] = c * c * d->r[d->m.n_first + i];
    hol_integrator_blame(it, d->dx);
}

// Multipliers of the prediction from the residual there, by the pseudo-inverse of the splitting.
static hol_status predict_multipliers(hol_bdf *d, const hol_kernel *k, N_Vector sum)
{
    const hol_equations *s = k->s;
    double *lam = N_VGetArrayPointer(sum) + 2 * s->nq + s->nx + s->nz,
           *mu = N_VGetArrayPointer(sum) + d->n - s->nc;
    const hol_status st = seen_by_split(d, k);
    for (int i = 0; i < s->nc && !st; i++) {
        lam[i] += d->bend[i] - d->x1.lam[i];
        mu[i] += d->bend_mu[i] - d->mu[i];
    }
    return st;
}

// Residual at the start of an iteration, with what some formulations change there.
static int first_residual(hol_integrator *it, N_Vector sum, bool fresh)
{
    hol_bdf *d = it->data;
    int flag = d->residual(sum, d->sun.e, d->sun.solver);
    if (flag || !(d->f->predicts || (d->f->frozen && fresh))) return flag;
    if (d->f->frozen) memcpy(d->kept, d->x1.q, (size_t)it->s->nq * sizeof *d->kept);
    if (d->f->predicts) {
        const hol_status st = predict_multipliers(d, it->k, sum);
        if (st) return st < 0 ? (d->sun.status = st, SUN_NLS_MEM_FAIL) : SUN_NLS_CONV_RECVR;
    }
    return d->residual(sum, d->sun.e, d->sun.solver);
}

// The rate of the first two corrections, for the statistics.
static void note_contraction(hol_counters *count, double rate)
{
    if (!(rate > 0) || !isfinite(rate)) return;
    count->contractions++;
    count->contraction_log += log(rate);
    count->contraction_max = fmax(count->contraction_max, rate);
}

// Corrections until one is small by the rate of convergence, (10.8).
static int iterate(hol_integrator *it, N_Vector start, N_Vector sum, double c, bool fresh)
{
    hol_bdf *d = it->data;
    const double least = rounding(d, it->s, start, c);
    double first = 0;
    for (int k = 1; k <= MAX_CORRECTIONS; k++) {
        const int flag = k == 1 ? first_residual(it, sum, fresh) : d->residual(sum, d->sun.e, d->sun.solver);
        if (flag) return flag;
        hol_status st = k == 1 && fresh ? refresh(d, it->k, d->f->bends, c) : HOL_OK;
        if (!st) st = correction(d, it->s);
        if (st) return st < 0 ? (d->sun.status = st, SUN_NLS_MEM_FAIL) : SUN_NLS_CONV_RECVR;
        const double size = add_correction(d, it->s, 2 / (1 + c / d->m.c), sum);
        it->count.newton_iterations++;
        if (size <= least) return 0;
        if (k == 1) {
            first = size;
            if (fresh && FIRST * size <= CONVERGED) return 0;
            continue;
        }
        const double rate = pow(size / first, 1.0 / (k - 1));
        if (k == 2) note_contraction(&it->count, rate);
        if (!(rate <= SLOW)) break;
        if (rate / (1 - rate) * size <= CONVERGED) return 0;
    }
    blame(it, d, c);
    return SUN_NLS_CONV_RECVR;
}

// A matrix with multipliers that were far from the result's is too stiff somewhere: corrections are small,
// and the test is met, without a solution. Then the result must satisfy the test with the matrix that belongs
// to it.
static int verify(hol_integrator *it, N_Vector sum, double c)
{
    hol_bdf *d = it->data;
    hol_equations *s = it->s;
    if (d->f->multipliers || d->f->bends == HOL_BENDS_NOT) return 0;
    for (int i = 0; i < s->nc; i++) d->test[i] = d->x1.lam[i] + d->dx[d->m.n_first + i] - d->bend[i];
    if (!(hol_bdf_matrix_wrong(&d->m, &d->x1, d->test, c) > DOUBTFUL)) return 0;
    const int flag = d->residual(sum, d->sun.e, d->sun.solver);
    if (flag) return flag;
    hol_status st = refresh(d, it->k, HOL_BENDS_ITERATE, c);
    if (!st) st = correction(d, s);
    if (st) return st < 0 ? (d->sun.status = st, SUN_NLS_MEM_FAIL) : SUN_NLS_CONV_RECVR;
    it->count.newton_iterations++;
    if (add_correction(d, s, 1, sum) <= CONVERGED) return 0;
    d->doubted++;
    return SUN_NLS_CONV_RECVR;
}

// What IDA calls: a new matrix where the old one does not serve, then the iteration.
static int solve(SUNNonlinearSolver newton, N_Vector start, N_Vector sum, N_Vector w, realtype tolerance,
                 booleantype call, void *memory)
{
    hol_integrator *it = newton->content;
    hol_bdf *d = it->data;
    double c = 0;
    (void)w, (void)tolerance, (void)call;
    IDAGetCurrentCj(memory, &c);
    const double ratio = d->m.c > 0 ? c / d->m.c : 0;
    const bool fresh = !d->f->keeps || !(ratio >= KEPT && ratio <= 1 / KEPT);
    int flag = iterate(it, start, sum, c, fresh);
    if (flag == SUN_NLS_CONV_RECVR && !fresh) {
        N_VConst(0, sum);
        flag = iterate(it, start, sum, c, true);
    }
    if (!flag) flag = verify(it, sum, c);
    if (flag) d->m.c = 0;
    return flag;
}

// ---- for IDA --------------------------------------------------------------------------------------------------

static SUNNonlinearSolver_Type type_of(SUNNonlinearSolver newton)
{
    (void)newton;
    return SUNNONLINEARSOLVER_ROOTFIND;
}

static int set_residual(SUNNonlinearSolver newton, SUNNonlinSolSysFn residual)
{
    const hol_integrator *it = newton->content;
    ((hol_bdf *)it->data)->residual = residual;
    return 0;
}

static int free_solver(SUNNonlinearSolver newton)
{
    SUNNonlinSolFreeEmpty(newton);
    return 0;
}

SUNNonlinearSolver hol_bdf_newton(hol_integrator *it, SUNContext context)
{
    SUNNonlinearSolver newton = SUNNonlinSolNewEmpty(context);
    if (!newton) return NULL;
    newton->content = it;
    newton->ops->gettype = type_of;
    newton->ops->solve = solve;
    newton->ops->setsysfn = set_residual;
    newton->ops->free = free_solver;
    return newton;
}
