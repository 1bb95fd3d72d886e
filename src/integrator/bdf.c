// BDF of orders 1 to 5 for stiff and highly oscillatory systems: IDA of SUNDIALS on the stabilised index-2
// equations, with a Newton iteration of our own (bdf_newton.c). docs/theory.md, section 10.
//
//     E (q' - v) + Phi_q^T mu = 0,  M v' + Phi_q^T lam = Q,  Phi_q v + Phi_t = 0,  Phi = 0
#include "integrator/bdf_data.h"
#include "integrator/vibration.h"
#include "system/kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ORDER = 5, ERROR_FAILURES = 20, CONVERGENCE_FAILURES = 25 };
#define PART 0.6 // of the tolerance for the error of a step: those of many steps add up

enum { FORMULATION, ORDER };
static const hol_option options[] = {
    {"formulation", HOL_CHOICE, "", 0, 0, 0, 0, HOL_FORMULATION_NAMES,
     "whose multipliers stand in Newton's matrix and its test: those of the iterate (ggl), the same but "
     "not in the test (ggl-star), what the splitting sees (cs), none (cm), those of the last step "
     "(cm-lambda); for comparison with what is published: ggl-star with multipliers predicted by the "
     "splitting (ggl-star-pinv), cm with the splitting of an earlier step, which is inexact (cm-kept)"},
    {"max_order", HOL_INTEGER, "", MAX_ORDER, 1, MAX_ORDER, 0, NULL,
     "highest order; 2 where fast vibrations are to be damped"},
    HOL_END_OPTIONS};

// ---- what IDA calls -------------------------------------------------------------------------------------------

// Multipliers by what is largest among them: one that vanishes need not vanish to the last digit.
static void weigh_multipliers(const hol_integrator *it, hol_bdf *d, const double *u)
{
    const hol_equations *s = it->s;
    const int lam = 2 * s->nq + s->nx + s->nz, kap = lam + s->nc, mu = kap + s->nk;
    const double rate = 1 / s->m->time_scale;
    double work = d->inertia * rate * rate, speed = rate;
    for (int i = 0; i < s->nc; i++) work = fmax(work, fabs(u[lam + i]) * s->row_size[i]);
    for (int i = 0; i < s->nk; i++) work = fmax(work, fabs(u[kap + i]) * s->m->length_scale);
    for (int i = 0; i < s->nq; i++) speed = fmax(speed, fabs(u[s->nq + i]) / s->q_size[i]);
    for (int i = lam; i < d->n; i++) {
        const double size = i >= mu    ? s->row_size[i - mu]
                            : i >= kap ? s->m->length_scale
                                       : s->row_size[i - lam];
        d->newton_weight[i] = size / (PART * it->tolerance * (i >= mu ? d->inertia * speed : work));
    }
}

// Does coordinate i take part in the error test?
static bool is_tested(const hol_bdf *d, int i) { return !d->f->independent || d->split.independent[i]; }

// Weights of groups: of the error test, and of Newton's.
static void group_weights(const hol_integrator *it, hol_bdf *d, const double *u, double *w)
{
    const hol_equations *s = it->s;
    hol_norm_weights(&it->norm, u, NULL, d->n, w);
    for (int i = 0; i < 2 * s->nq + s->nx; i++) w[i] /= PART;
    memcpy(d->newton_weight, w, (size_t)d->n * sizeof *w);
    for (int i = 0; i < 2 * s->nq; i++)
        if (!is_tested(d, i % s->nq)) w[i] = 0;
    if (d->f->multipliers) weigh_multipliers(it, d, u);
}

// Weights of the error test: the root mean square over what is tested, 0 for the rest. Newton's are for all
// unknowns but those of users' expressions, and multipliers only where the formulation says so.
static int weights(N_Vector y, N_Vector weight, void *user)
{
    const hol_integrator *it = user;
    hol_bdf *d = it->data;
    const hol_equations *s = it->s;
    const double *u = N_VGetArrayPointer(y), rate = 1 / s->m->time_scale;
    double *w = N_VGetArrayPointer(weight), *newton = d->newton_weight;
    const int nq = s->nq, first = 2 * nq + s->nx;
    int tested = 0;
    if (it->norm.groups) {
        group_weights(it, d, u, w);
        return 0;
    }
    memset(w, 0, (size_t)d->n * sizeof *w);
    memset(newton, 0, (size_t)d->n * sizeof *newton);
    for (int i = 0; i < first; i++) {
        const int k = i < nq ? i : i - nq;
        const double size = fmax(it->size[k] * (i >= nq && i < 2 * nq ? rate : 1), it->relative * fabs(u[i]));
        newton[i] = 1 / (size * PART * it->tolerance);
        const bool skipped = i < 2 * nq && (!is_tested(d, i % nq) || (d->positions && i >= nq));
        if (skipped) continue;
        w[i] = newton[i];
        tested++;
    }
    for (int i = 0; i < first; i++) w[i] *= sqrt((double)d->n / (tested ? tested : 1));
    if (d->f->multipliers) weigh_multipliers(it, d, u);
    return 0;
}

// ---- creation -------------------------------------------------------------------------------------------------

// State to IDA's vectors y and y'.
static void pack(const hol_integrator *it, hol_bdf *d)
{
    const hol_equations *s = it->s;
    const hol_state *x = &it->x;
    const size_t nq = (size_t)s->nq, nx = (size_t)s->nx, size = sizeof *x->q;
    double *y = N_VGetArrayPointer(d->y), *yp = N_VGetArrayPointer(d->yp);
    N_VConst(0, d->y);
    N_VConst(0, d->yp);
    memcpy(y, x->q, nq * size);
    memcpy(y + nq, x->v, nq * size);
    memcpy(y + 2 * nq, x->X, nx * size);
    memcpy(y + 2 * nq + nx, x->z, ((size_t)s->n - nq) * size);
    memcpy(yp, x->v, nq * size);
    memcpy(yp + nq, x->a, nq * size);
    for (int i = 0; i < s->nx; i++) yp[2 * s->nq + i] = x->z[s->m->state[i].equation];
}

static const hol_sundials_calls calls;

// IDA's solver with our Newton iteration.
static hol_status create_ida(hol_integrator *it, hol_bdf *d)
{
    N_Vector *const vectors[] = {&d->y, &d->yp};
    const hol_status st =
        hol_sundials_create(it, &d->sun, &calls, d->n, &it->norm, 0, vectors, HOL_COUNT(vectors));
    if (st) return st;
    d->sun.solver = IDACreate(d->sun.context);
    d->sun.corrector = d->sun.solver ? hol_bdf_newton(it, d->sun.context) : NULL;
    if (!d->sun.corrector) return hol_sundials_out_of_memory(it);
    pack(it, d);
    const bool good = !IDASetErrHandlerFn(d->sun.solver, hol_sundials_say_nothing, NULL) &&
                      !IDASetUserData(d->sun.solver, it) &&
                      !IDAInit(d->sun.solver, hol_bdf_residual, it->x.t, d->y, d->yp) &&
                      !IDAWFtolerances(d->sun.solver, weights) &&
                      !IDASetMaxOrd(d->sun.solver, (int)it->option[ORDER].num) &&
                      !IDASetNonlinearSolver(d->sun.solver, d->sun.corrector) &&
                      !IDASetMaxStep(d->sun.solver, it->h_max) && !IDASetMaxNumSteps(d->sun.solver, -1) &&
                      !IDASetMaxErrTestFails(d->sun.solver, ERROR_FAILURES) &&
                      !IDASetMaxConvFails(d->sun.solver, CONVERGENCE_FAILURES);
    return good ? HOL_OK : hol_sundials_out_of_memory(it);
}

// All vectors in one piece of memory.
static hol_status create_arrays(hol_integrator *it, hol_bdf *d)
{
    const hol_equations *s = it->s;
    const size_t n = (size_t)d->m.n, nc = (size_t)s->nc;
    double *p = d->memory = hol_calloc(it->ctx, 2 * n + 2 * (size_t)d->n + 6 * nc + (size_t)s->nq, sizeof *p);
    if (!p) return HOL_ERR_MEMORY;
    d->r = p;
    d->dx = d->r + n;
    d->newton_weight = d->dx + n;
    d->step = d->newton_weight + d->n;
    d->mu = d->step + d->n;
    d->norm = &it->norm;
    double **const rows[] = {&d->bend, &d->bend_mu, &d->last, &d->last_mu, &d->test};
    for (int i = 0; i < HOL_COUNT(rows); i++) *rows[i] = d->mu + (size_t)(i + 1) * nc;
    d->kept = d->mu + 6 * nc;
    d->inertia = 0;
    for (int i = 0; i < s->nq; i++) d->inertia = fmax(d->inertia, d->m.E[i] * s->q_size[i] * s->q_size[i]);
    return HOL_OK;
}

// What a formulation cannot take, and the warning of cm-kept.
static hol_status refuse_model(const hol_integrator *it, const hol_bdf *d)
{
    const hol_equations *s = it->s;
    if (d->f->frozen)
        hol_note(it->ctx, HOL_WARNING,
                 "bdf.formulation cm-kept shows what a splitting kept from an earlier step does: its motion "
                 "is off by "
                 "far more than the tolerance; cm and cm-lambda have nothing of this");
    if (d->f->bends != HOL_BENDS_SPLIT && !d->f->predicts) return HOL_OK;
    for (int i = 0; i < s->m->n_elements && s->nk; i++)
        if (s->m->element[i].n_rates)
            return hol_fail(it->ctx, HOL_ERR_USAGE,
                            "bdf.formulation %s does not take velocity constraints (\"%s\"): use cm-lambda",
                            d->f->name, s->m->element[i].name);
    if (s->nc > HOL_BDF_SPLIT_ROWS)
        return hol_fail(it->ctx, HOL_ERR_USAGE,
                        "bdf.formulation %s takes at most %d joint equations, here are %d: use cm-lambda",
                        d->f->name, HOL_BDF_SPLIT_ROWS, s->nc);
    return HOL_OK;
}

static bool splits(const hol_bdf *d) { return d->f->independent || d->f->predicts; }

// What depends on the rows that are active.
static hol_status create_rows(hol_integrator *it, hol_bdf *d)
{
    hol_status st = hol_bdf_matrix_create(it->ctx, it->k, &it->x, &d->m);
    if (!st && splits(d)) st = hol_bdf_split_create(it->ctx, it->s, &d->split);
    return st;
}

static const char *chose(const hol_integrator *it) { return ((const hol_bdf *)it->data)->f->name; }

// Formulation, matrix, splitting, then IDA.
static hol_status create(hol_integrator *it)
{
    hol_bdf *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    d->f = &hol_formulations[(int)it->option[FORMULATION].num];
    it->loose = d->f->keeps;
    d->n = it->s->nq + it->s->n + it->s->nx + it->s->nc;
    hol_status st = refuse_model(it, d);
    if (!st) st = hol_state_create(it->s, &d->x1);
    if (!st) st = create_rows(it, d);
    if (!st) st = create_arrays(it, d);
    if (st) return st;
    d->stiff = it->errors != HOL_ERRORS_ALL && hol_vibration_find(it, &d->x1, d->dx);
    d->positions = !it->norm.groups && d->stiff;
    it->solves_between = !d->stiff;
    it->settles_between = d->stiff;
    return create_ida(it, d);
}

// Frees all that create made, as far as it came.
static void destroy(hol_integrator *it)
{
    hol_bdf *d = it->data;
    if (!d) return;
    N_Vector *const vectors[] = {&d->y, &d->yp};
    hol_sundials_destroy(&d->sun, vectors, HOL_COUNT(vectors));
    hol_bdf_matrix_destroy(&d->m);
    hol_bdf_split_destroy(&d->split);
    hol_state_destroy(&d->x1);
    hol_free(d->memory);
    hol_free(d);
}

// ---- steps ----------------------------------------------------------------------------------------------------

static hol_status restart(hol_integrator *it)
{
    ((hol_bdf *)it->data)->sun.again = true;
    return HOL_OK;
}

static hol_status rows_changed(hol_integrator *it)
{
    hol_bdf *d = it->data;
    hol_bdf_matrix old = d->m;
    hol_bdf_split_destroy(&d->split);
    const hol_status st = create_rows(it, d);
    hol_bdf_matrix_destroy(&old);
    restart(it);
    return st;
}

// Accelerations and all other unknowns of a point, which do not count as work of the method; a point that has
// none keeps those of the step. Memory that is missing ends the run.
static void solve_unknowns(hol_kernel *k, hol_bdf *d, hol_state *x)
{
    hol_equations *s = k->s;
    double *keep = d->dx;
    const hol_evaluations count = s->count;
    memcpy(keep, x->a, (size_t)s->n * sizeof *keep);
    const hol_status st = hol_solve_accelerations(k, x);
    if (st) memcpy(x->a, keep, (size_t)s->n * sizeof *keep);
    if (st < 0) d->sun.status = st;
    s->count = count;
    hol_kkt_take_stats(k->A, d->m.A);
}

// Are vibrations followed from here? docs/theory.md, section 5.5, (5.12d)
static void follow(hol_integrator *it, const hol_bdf *d, const hol_state *x, double h)
{
    if (!it->norm.groups || !d->stiff) return;
    hol_norm_pace(&it->norm, 0, x->q, x->v, x->v);
    hol_norm_follow(&it->norm, h, it->asked, it->x.a, x->a);
}

// Unknowns, splitting and vectors at the point from which IDA starts anew; false: IDA refuses them.
static bool start(hol_integrator *it)
{
    hol_bdf *d = it->data;
    const hol_equations *s = it->s;
    d->m.c = 0;
    hol_kkt_take_stats(d->m.A, it->k->A);
    solve_unknowns(it->k, d, &it->x);
    hol_kkt_forget_pivots(d->m.A);
    if (splits(d)) hol_bdf_split_choose(&d->split, &it->x);
    memcpy(d->last, it->x.lam, (size_t)s->nc * sizeof *d->last);
    memset(d->last_mu, 0, (size_t)s->nc * sizeof *d->last_mu);
    pack(it, d);
    follow(it, d, &it->x, 0);
    return !d->sun.status && IDAReInit(d->sun.solver, it->x.t, d->y, d->yp) == IDA_SUCCESS;
}

static hol_status fail(hol_integrator *it, const hol_bdf *d, int flag)
{
    return hol_sundials_fail(it, &d->sun, &d->x1, flag,
                             flag == IDA_ERR_FAIL ? "the error test is not met"
                             : d->doubted
                                 ? "Newton's iteration does not converge, or stops at what is no solution"
                                 : "Newton's iteration does not converge",
                             "another bdf.formulation");
}

static void accept(hol_integrator *it, hol_bdf *d)
{
    const size_t rows = (size_t)it->s->nc * sizeof *d->last;
    memcpy(d->last, d->x1.lam, rows);
    memcpy(d->last_mu, d->mu, rows);
    solve_unknowns(it->k, d, &d->x1);
    follow(it, d, &d->x1, d->x1.t - it->x.t);
    hol_integrator_advance(it, &d->x1);
    d->sun.t = it->x.t;
}

static int solve(hol_integrator *it, double aim, double *t)
{
    hol_bdf *d = it->data;
    return IDASolve(d->sun.solver, aim, t, d->y, d->yp, IDA_ONE_STEP);
}

static int arrive(hol_integrator *it, double t)
{
    hol_bdf *d = it->data;
    hol_bdf_unpack(d, it->s, t, d->y, d->yp, &d->x1, d->mu);
    return IDA_SUCCESS;
}

static const hol_sundials_library ida = {
    IDAFree,           IDASetStopTime,       IDAGetNumStepSolveFails, IDAGetNumErrTestFails,
    IDAGetCurrentStep, IDAGetEstLocalErrors, IDAGetErrWeights,        IDA_TSTOP_RETURN,
    IDA_TOO_MUCH_ACC,  IDA_ERR_FAIL};
static const hol_sundials_calls calls = {&ida, start, solve, arrive};

// The unknowns are all coordinates whatever the splitting, so that the history stays.
static void follow_split(hol_integrator *it, hol_bdf *d)
{
    if (splits(d) && hol_bdf_split_follow(&d->split, &it->x)) it->count.repartitions++;
}

// A step of IDA; the splitting is looked at afterwards.
static hol_status step(hol_integrator *it, double t_stop)
{
    hol_bdf *d = it->data;
    if (!d->m.n) return fail(it, d, HOL_SUNDIALS_NO_START);
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    const int flag = hol_sundials_step(it, &d->sun, t_stop);
    if (flag < 0) return fail(it, d, flag);
    accept(it, d);
    if (d->sun.status) return d->sun.status;
    hol_sundials_account(it, &d->sun, flag);
    follow_split(it, d);
    return HOL_OK;
}

// IDA's history stays inside it: the run begins anew with order 1 at a checkpoint, the one that goes on like
// the one that is resumed, so that both are the same.
static void archive(hol_integrator *it, hol_archive *a)
{
    hol_bdf *d = it->data;
    if (!rows_changed(it)) return;
    d->m.n = 0; // no step goes on from here
    a->failed = true;
}

// ---- dense output ---------------------------------------------------------------------------------------------

// By IDA's polynomial. All other unknowns are solved for there, unless forces are stiff: then what the
// interpolation leaves of their displacements would be a force, and the polynomial has them too.
static hol_status interpolate_motion(hol_integrator *it, double t, hol_state *out)
{
    hol_bdf *d = it->data;
    hol_state_copy(it->s, out, &it->x);
    if (t >= it->x.t || d->sun.again) return HOL_OK;
    if (IDAGetDky(d->sun.solver, t, 0, d->y) || IDAGetDky(d->sun.solver, t, 1, d->yp)) {
        hol_interpolate_hermite(it, t, out);
        return HOL_RECOVERABLE;
    }
    hol_bdf_unpack(d, it->s, t, d->y, d->yp, out, NULL);
    return HOL_OK;
}

static hol_status interpolate(hol_integrator *it, double t, hol_state *out)
{
    hol_bdf *d = it->data;
    const hol_status st = interpolate_motion(it, t, out);
    if (st || d->stiff || t >= it->x.t || d->sun.again) return st;
    hol_state_hold_norms(it->s, out);
    solve_unknowns(it->k, d, out);
    return d->sun.status;
}

static int order_of(const hol_value *o)
{
    return hol_formulations[(int)o[FORMULATION].num].frozen ? 0 : MAX_ORDER;
}

const hol_method hol_method_bdf = {
    .name = "bdf",
    .family = "BDF",
    .suits = HOL_SUITS_STIFF | HOL_SUITS_REFERENCE,
    .doc =
        "BDF of orders 1 to 5 (IDA) on the stabilised index-2 equations, for stiff and oscillatory systems",
    .order = MAX_ORDER,
    .order_of = order_of,
    .divisor = 10,
    .own_estimate = true,
    .orders = true,
    .begins_anew = true,
    .holds = HOL_HOLDS_MOTION,
    .accepts = HOL_ACCEPTS_ALL,
    .options = options,
    .fewest_steps = 10,
    .refuse = hol_sundials_refuse,
    .chose = chose,
    .create = create,
    .destroy = destroy,
    .step = step,
    .restart = restart,
    .rows_changed = rows_changed,
    .archive = archive,
    .interpolate = interpolate,
    .interpolate_motion = interpolate_motion,
};
