// Explicit Runge-Kutta pairs on the index-1 equations: accelerations from the KKT system at every stage, positions and
// velocities projected onto their constraints after every step. docs/theory.md, section 9.5.
//
// The vector that is integrated is (q; v; X), its rate k = (v; a; X').
#include "integrator/one_step.h"
#include "integrator/pose.h"
#include "integrator/rk_pairs.h"
#include "integrator/stiffness.h"
#include "recursion/loop_solve.h"
#include "system/kernel.h"
#include "system/fault.h"

#include <math.h>
#include <string.h>

enum { ORDER, SOLVE };
enum { SOLVE_AUTO, SOLVE_SPARSE, SOLVE_TREE, SOLVE_JOINTS };
static const hol_option options[] = {
    {"order", HOL_CHOICE, "", 0, 0, 0, 0, "auto|5|8",
     "Dormand-Prince 5(4) or 8(5,3); auto: 8; 5 for tolerances above 1e-4 where expressions have functions "
     "whose derivative jumps"},
    {"solve", HOL_CHOICE, "", 0, 0, 0, 0, "auto|sparse|tree|joints",
     "accelerations and projections by a sparse matrix; by elimination along the tree of joints with "
     "conjugate gradients for the loops; or from the joints' own matrix D M^-1 D^T. auto: tree or joints, "
     "whichever takes fewer operations, sparse where neither is possible"},
    HOL_END_OPTIONS};
#define LARGE 1000 // bodies from which on it begins without the system's matrix
#define FILL 32    // products of blocks for each joint up to which the joints' matrix beats the sparse one
#define PRODUCT 32 // operations that the smallest product of blocks counts as
#define SIGHT 3    // times the operations are worth it to see singular poses ahead
#define LOOSE 1e-4 // tolerance above which the pair of order 5 costs less across jumps
#define WRONG 100  // an error that a step a little too long does not have
#define CURED 0.1  // part of the error that projected stages must leave at most: it was the pose
#define SHORTER 8  // as an error: 0.7 times the step

typedef struct {
    const hol_runge_kutta *pair;
    int n; // 2 nq + nx
    double c[HOL_RK_STAGES];
    double power[HOL_RK_STAGES]; // of the forces, where their work is asked for [W]
    double *k;                   // rates of the last step tried            (stages x n)
    double *x0, *y, *sum;        // start of the step, its end, sums        (n)
    double *F;                   // of the dense output                     (3 + n_dense, n)
    double *memory;
    double t0, h;        // of the last accepted step
    bool dense;          // F belongs to it
    hol_loops *loops;    // accelerations along the tree; NULL: by the sparse matrix
    hol_state x1, stage; // the new point; of the dense output
    hol_one_step one;
    hol_stiffness stiffness;
    hol_pose pose;  // the singular pose ahead
    bool projects;  // stages too: in steps around it
    bool struggles; // an attempt of this step has failed near it
} rk;

// ---- what is solved -------------------------------------------------------------------------------------------

static hol_status accelerations(hol_integrator *it, const rk *d, hol_state *x)
{
    return d->loops ? hol_one_step_tried(hol_loops_accelerations(d->loops, x, false))
                    : hol_solve_accelerations(it->k, x);
}

static hol_status solve(hol_integrator *it, hol_state *x) { return accelerations(it, it->data, x); }

// Multipliers of normalisations: what redundant joints share their forces by has a part of them.
static hol_status complete(hol_integrator *it)
{
    const rk *d = it->data;
    if (d->loops && it->s->nc < it->s->m->nc) hol_loops_complete(d->loops, &it->x);
    return HOL_OK;
}

static hol_status settle(hol_integrator *it, const rk *d, hol_state *x)
{
    return d->loops ? hol_one_step_tried(hol_loops_settle(d->loops, x)) : hol_kernel_settle(it->k, x);
}

// ---- creation -------------------------------------------------------------------------------------------------

static const hol_runge_kutta *choose(const hol_integrator *it)
{
    const int choice = (int)it->option[ORDER].num;
    const bool low = it->tolerance > LOOSE && it->s->m->n_kinks; // a step across one has order 1 with either
    return choice == 1 || (choice == 0 && low) ? &hol_runge_kutta_5 : &hol_runge_kutta_8;
}

// Hairer, Norsett, Wanner I, section II.4: from the size of the rates and of their change over a tiny explicit Euler step.
static void first_step(hol_integrator *it, rk *d)
{
    const hol_equations *s = it->s;
    double *k1 = d->k + d->n;
    if (it->tolerance <= 0) return;
    hol_state_pack(s, &it->x, d->x0);
    hol_state_rate(s, &it->x, d->k);
    const double size = hol_one_step_norm(it, d->x0, d->x0, d->x0),
                 rate = hol_one_step_norm(it, d->k, d->x0, d->x0);
    double h = size * it->tolerance < 1e-5 || rate * it->tolerance < 1e-5 ? 1e-6 * s->m->time_scale
                                                                          : 0.01 * size / rate;
    h = fmin(h, it->h_max);
    const double one = 1;
    hol_runge_kutta_combine(d->n, d->k, &one, 1, h, d->x0, d->y);
    hol_state_unpack(s, d->y, &d->x1);
    d->x1.t = it->x.t + h;
    memcpy(d->x1.z, it->x.z, (size_t)s->nz * sizeof *d->x1.z);
    double change = HOL_INF;
    if (accelerations(it, d, &d->x1) == HOL_OK) {
        hol_state_rate(s, &d->x1, k1);
        for (int i = 0; i < d->n; i++) k1[i] = (k1[i] - d->k[i]) / h;
        change = hol_one_step_norm(it, k1, d->x0, d->x0);
    }
    const double most = fmax(rate, change);
    const double next = most * it->tolerance <= 1e-15 ? fmax(1e-6 * s->m->time_scale, 1e-3 * h)
                                                      : pow(0.01 / most, 1.0 / d->pair->order);
    it->h = fmin(it->h_max, isfinite(most) ? fmin(100 * h, next) : 1e-3 * h);
}

static double accuracy(const hol_integrator *it)
{
    return it->tolerance > 0 ? fmax(1e-13, fmin(1e-8, 1e-3 * it->tolerance)) : 1e-12;
}

// HOL_RECOVERABLE: it is not for this model, or the accelerations are not determined at the start.
// bare: nobody else finds them.
static hol_status begin(hol_integrator *it, rk *d, bool bare)
{
    hol_state_copy(it->s, &d->stage, &it->x);
    return hol_loops_accelerations(d->loops, bare ? &it->x : &d->stage, bare);
}

static hol_status try_joints(hol_integrator *it, rk *d, double most, bool bare)
{
    const hol_status st = hol_loops_create_joints(it->ctx, it->s, accuracy(it), most, d->loops);
    return st ? st : begin(it, d, bare);
}

static hol_status try_tree(hol_integrator *it, rk *d, bool bare)
{
    const hol_status st = hol_loops_create(it->ctx, it->s, &it->x, accuracy(it), d->loops);
    return st ? st : begin(it, d, bare);
}

static void drop(hol_loops *o)
{
    if (o) hol_loops_destroy(o);
    hol_free(o);
}

// HOL_RECOVERABLE: neither is possible.
static hol_status choose_least(hol_integrator *it, rk *d, bool bare)
{
    const hol_model_data *m = it->s->m;
    const hol_status first = try_tree(it, d, bare);
    if (first == HOL_ERR_MEMORY || (!first && !d->loops->size->n_loops)) return first;
    const double enough =
        first ? 0 : (hol_loops_blind(d->loops) ? SIGHT : 1) * hol_loops_operations(d->loops);
    const double products = first ? FILL * (double)(m->n_elements - m->n_bodies) : enough / PRODUCT;
    hol_loops *const tree = d->loops;
    d->loops = hol_calloc(it->ctx, 1, sizeof *d->loops);
    const hol_status st = d->loops ? try_joints(it, d, products, bare) : HOL_ERR_MEMORY;
    const bool stays = !first && (st || hol_loops_operations(d->loops) > enough); // also where memory ends
    drop(stays ? d->loops : tree);
    if (stays) d->loops = tree;
    return stays ? HOL_OK : st;
}

// From a solver along the tree to the sparse matrix; bare: accelerations are still missing.
static hol_status take_sparse(hol_integrator *it, rk *d, bool bare)
{
    drop(d->loops);
    d->loops = NULL;
    if (!bare) return HOL_OK;
    hol_status st = hol_solve_accelerations(it->k, &it->x);
    if (st > 0) // a singular pose, as hol_initialise takes it
        st = hol_solve_accelerations_with(it->k, &it->x, HOL_KKT_DELTA);
    if (st > 0) st = hol_fault_report_start(it->s, &it->x, st);
    return st > 0 ? hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                             "the accelerations are not determined at the start; try another --method")
                  : st;
}

// By `rk.solve`; auto takes what needs the fewest operations.
static hol_status choose_solver(hol_integrator *it, rk *d)
{
    static const char *const name[] = {"auto", "sparse", "tree", "joints"};
    const int choice = (int)it->option[SOLVE].num;
    hol_obstacle obstacle;
    if (choice == SOLVE_SPARSE) return HOL_OK;
    hol_status st = hol_loops_possible(it->ctx, it->s->m, &obstacle);
    if (st > 0 && choice == SOLVE_AUTO) return HOL_OK;
    if (st > 0)
        return hol_fail_at(it->ctx, HOL_ERR_USAGE, obstacle.at,
                           "rk.solve: %s does not take \"%s\": %s; use rk.solve: sparse", name[choice],
                           obstacle.name, obstacle.why);
    if (st) return st;
    d->loops = hol_calloc(it->ctx, 1, sizeof *d->loops);
    if (!d->loops) return HOL_ERR_MEMORY;
    const bool bare = hol_method_matrix_free(it->method, it->option, it->s->m);
    if (choice == SOLVE_AUTO) {
        st = choose_least(it, d, bare);
        return st > 0 ? take_sparse(it, d, bare) : st;
    }
    st = choice == SOLVE_TREE ? try_tree(it, d, bare) : try_joints(it, d, HOL_INF, bare);
    if (st > 0) st = hol_fault_report_start(it->s, &it->x, st);
    if (st > 0)
        return hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                        "rk.solve: %s: the accelerations are not determined at the start", name[choice]);
    return st;
}

static const char *chose(const hol_integrator *it)
{
    const rk *d = it->data;
    static const char *const text[2][3] = {{"order 5, sparse", "order 5, tree", "order 5, joints"},
                                           {"order 8, sparse", "order 8, tree", "order 8, joints"}};
    return text[d->pair != &hol_runge_kutta_5][!d->loops ? 0 : d->loops->joints ? 2 : 1];
}

// The pair, its vectors in one piece of memory, the solver.
static hol_status create(hol_integrator *it)
{
    rk *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    d->pair = choose(it);
    d->n = 2 * it->s->nq + it->s->nx;
    const size_t n = (size_t)d->n;
    hol_status st = hol_state_create(it->s, &d->x1);
    if (!st) st = hol_state_create(it->s, &d->stage);
    if (st) return st;
    d->memory = hol_calloc(it->ctx, n * (HOL_RK_STAGES + 3 + 3 + HOL_RK_DENSE), sizeof *d->memory);
    if (!d->memory) return HOL_ERR_MEMORY;
    d->k = d->memory;
    d->x0 = d->k + HOL_RK_STAGES * n;
    d->y = d->x0 + n;
    d->sum = d->y + n;
    d->F = d->sum + n;
    for (int i = 0; i < HOL_RK_STAGES; i++)
        for (int j = 0; j < i; j++) d->c[i] += d->pair->a[i][j];
    hol_pose_restart(&d->pose);
    hol_one_step_restart(&d->one);
    hol_state_copy(it->s, &d->x1, &it->x);
    if ((st = choose_solver(it, d))) return st;
    first_step(it, d);
    if (it->tolerance <= 0) return HOL_OK;
    st = hol_stiffness_create(it, &d->stiffness);
    d->stiffness.accelerations = solve;
    return st;
}

// Frees all that create made, as far as it came.
static void destroy(hol_integrator *it)
{
    rk *d = it->data;
    if (!d) return;
    hol_stiffness_destroy(&d->stiffness);
    drop(d->loops);
    hol_state_destroy(&d->x1);
    hol_state_destroy(&d->stage);
    hol_free(d->memory);
    hol_free(d);
}

static bool matrix_free(const hol_value *o) { return (int)o[SOLVE].num == SOLVE_TREE; }

// What auto takes the tree for before anything is made: large, and nothing that only the matrix takes.
static bool matrix_free_for(const hol_value *o, const hol_model_data *m)
{
    return (int)o[SOLVE].num == SOLVE_AUTO && m->n_bodies >= LARGE && !m->nk && !m->n_equations;
}

static hol_status restart(hol_integrator *it)
{
    rk *d = it->data;
    hol_one_step_restart(&d->one);
    hol_pose_restart(&d->pose);
    d->projects = false;
    it->independence = 0;
    if (it->tolerance > 0) hol_stiffness_restart(&d->stiffness);
    return HOL_OK;
}

// Other rows of redundant loops are in use: solvers are made anew for them.
static hol_status rows_changed(hol_integrator *it)
{
    rk *d = it->data;
    hol_pose_restart(&d->pose); // measured in other rows
    it->independence = 0;
    if (!d->loops) return HOL_OK;
    const bool joints = d->loops->joints;
    hol_loops_destroy(d->loops);
    return joints ? hol_loops_create_joints(it->ctx, it->s, accuracy(it), HOL_INF, d->loops)
                  : hol_loops_create(it->ctx, it->s, &it->x, accuracy(it), d->loops);
}

// ---- a step ---------------------------------------------------------------------------------------------------

// k_i at x = x0 + h sum a_ij k_j
static hol_status stage(hol_integrator *it, rk *d, int i, const double *x0, double t, double h, hol_state *x)
{
    hol_runge_kutta_combine(d->n, d->k, d->pair->a[i], i, h, x0, d->sum);
    hol_state_unpack(it->s, d->sum, x);
    x->t = t;
    const hol_status st = d->projects ? settle(it, d, x) : accelerations(it, d, x);
    if (st) return st;
    hol_state_rate(it->s, x, d->k + i * d->n);
    if (it->sums_work) d->power[i] = hol_equations_power(it->s, x);
    return HOL_OK;
}

// The new point: onto the constraints, with its accelerations.
static hol_status finish(hol_integrator *it, rk *d, double t1)
{
    const int s = d->pair->stages;
    hol_state_unpack(it->s, d->y, &d->x1);
    d->x1.t = t1;
    const hol_status st = settle(it, d, &d->x1);
    if (st) return st;
    hol_state_rate(it->s, &d->x1, d->k + s * d->n);
    hol_state_pack(it->s, &d->x1, d->y);
    return HOL_OK;
}

// The norm of the local error; the pair of order 8 has two estimates (section 9.5).
static double estimate(const hol_integrator *it, const rk *d, double h)
{
    const hol_runge_kutta *p = d->pair;
    double *e = d->F; // room; d->y is the new point
    hol_runge_kutta_combine(d->n, d->k, p->e, p->stages + 1, h, NULL, e);
    const double e5 = hol_one_step_norm(it, e, d->x0, d->y);
    if (p->e3[0] == 0) return e5;
    hol_runge_kutta_combine(d->n, d->k, p->e3, p->stages + 1, h, NULL, e);
    const double e3 = hol_one_step_norm(it, e, d->x0, d->y), sum = e5 * e5 + 0.01 * e3 * e3;
    return sum > 0 ? e5 * e5 / sqrt(sum) : 0;
}

// The stages (9.13), the new point put onto its constraints, its accelerations, and the estimate.
static hol_status try_step(hol_integrator *it, double t1, double h, double *error)
{
    rk *d = it->data;
    const hol_runge_kutta *p = d->pair;
    const int s = p->stages;
    const bool ends = p->e[s] != 0; // the estimate uses the end point
    hol_status st = HOL_OK;
    *error = 0;
    d->dense = false;
    memcpy(d->x1.z, it->x.z, (size_t)it->s->nz * sizeof *d->x1.z);
    for (int i = 1; i < s && !st; i++) st = stage(it, d, i, d->x0, it->x.t + d->c[i] * h, h, &d->x1);
    if (st) return st;
    hol_runge_kutta_combine(d->n, d->k, p->a[s], s, h, d->x0, d->y);
    if (it->tolerance > 0 && !ends && (*error = estimate(it, d, h)) > 1) return HOL_OK;
    st = finish(it, d, t1);
    if (it->tolerance > 0 && ends && !st) *error = estimate(it, d, h);
    d->t0 = it->x.t;
    d->h = t1 - it->x.t;
    return st;
}

// ---- singular poses -------------------------------------------------------------------------------------------

// Steps are laid so that the pose falls into the widest gap between the stages: accelerations near it are wrong by rounding
// over the cube of the distance.
static double plan(const hol_integrator *it, double h)
{
    const rk *d = it->data;
    return hol_pose_plan(&d->pose, it->x.t, h, d->pair->gap);
}

// What a stage misses the constraints by is divided by their smallest singular value there: near a singular pose the
// accelerations are smooth on the constraints only. With every stage projected the same function is smooth around them too.
static hol_status attempt(hol_integrator *it, double t1, double h, double *error)
{
    rk *d = it->data;
    d->pose.leap = 0;
    hol_status st = try_step(it, t1, h, error);
    const bool through = d->pose.time > it->x.t && d->pose.time < t1;
    const bool suspect = st || *error > WRONG || (*error > 1 && (d->one.held || through));
    if (st >= 0 && !d->projects && suspect && hol_pose_is_near(&d->pose, it->x.t, h)) {
        const double before = st ? HOL_INF : *error;
        d->projects = true;
        st = try_step(it, t1, h, error);
        d->projects = st || *error < CURED * before;
    }
    if (st || *error > 1) {
        d->struggles = d->struggles || hol_pose_is_near(&d->pose, it->x.t, h);
        return st;
    }
    if (d->loops) {
        d->pose.next = hol_loops_distance(d->loops);
        it->independence = hol_loops_independence(d->loops);
    } else
        hol_pose_measure(&d->pose, it->k);
    const bool again = it->tolerance > 0 && (hol_pose_spoils(&d->pose, t1, h) ||
                                             (d->struggles && hol_pose_leap(&d->pose, t1, h, d->pair->gap)));
    if (again) *error = SHORTER;
    return HOL_OK;
}

// W' = P with the weights of the pair.
static void sum_work(hol_integrator *it, const rk *d)
{
    const double *b = d->pair->a[d->pair->stages];
    it->work = 0;
    for (int i = 0; i < d->pair->stages; i++) it->work += d->h * b[i] * d->power[i];
    it->work_end = d->x1.t;
}

// Attempts until one is accepted; then stiffness and poses ahead are looked at.
static hol_status step(hol_integrator *it, double t_stop)
{
    rk *d = it->data;
    double h = it->h;
    d->struggles = false;
    hol_state_pack(it->s, &it->x, d->x0);
    hol_state_rate(it->s, &it->x, d->k);
    if (it->sums_work) d->power[0] = hol_equations_power(it->s, &it->x);
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    const hol_status st = hol_one_step_take(it, &d->one, d->pair->order, t_stop, attempt, plan, &h);
    if (st > 0) return hol_one_step_fail(it, &d->one, &d->x1, h, "accelerations are not determined", NULL);
    if (st) return st;
    if (d->one.planned && it->limit == HOL_LIMIT_ERROR) it->limit = HOL_LIMIT_POSE;
    if (it->sums_work) sum_work(it, d);
    hol_integrator_advance(it, &d->x1);
    hol_pose_accept(&d->pose, it->x.t, d->h);
    d->projects = d->projects && hol_pose_is_near(&d->pose, it->x.t, d->h);
    if (it->tolerance > 0) hol_stiffness_watch(it, &d->stiffness);
    if (d->loops) {
        it->count.loop_solves = d->loops->solves;
        it->count.loop_iterations = d->loops->iterations;
    }
    return HOL_OK;
}

static void archive(hol_integrator *it, hol_archive *a)
{
    rk *d = it->data;
    hol_one_step_archive(&d->one, a);
    hol_pose_archive(&d->pose, a);
    if (d->loops) hol_loops_archive(d->loops, a);
    hol_archive_flag(a, &d->projects);
    if (it->tolerance > 0) hol_stiffness_archive(it, &d->stiffness, a);
}

// ---- dense output ---------------------------------------------------------------------------------------------

// (9.14): F of the last step.
static hol_status prepare(hol_integrator *it, rk *d)
{
    const hol_runge_kutta *p = d->pair;
    const int n = d->n, s = p->stages;
    hol_status st;
    double *F0 = d->F, *F1 = F0 + n, *F2 = F1 + n;
    for (int i = 0; i < n; i++) {
        F0[i] = d->y[i] - d->x0[i];
        F1[i] = d->h * d->k[i] - F0[i];
        F2[i] = F0[i] - d->h * d->k[s * n + i] - F1[i];
    }
    hol_state_copy(it->s, &d->stage, &it->x);
    for (int i = s + 1; i <= s + p->extra; i++)
        if ((st = stage(it, d, i, d->x0, d->t0 + d->c[i] * d->h, d->h, &d->stage))) return st;
    for (int m = 0; m < p->n_dense; m++)
        hol_runge_kutta_combine(d->n, d->k, p->dense[m], s + 1 + p->extra, d->h, NULL, d->F + (3 + m) * n);
    d->dense = true;
    return HOL_OK;
}

// The dense output (9.14), with accelerations solved for.
static hol_status interpolate(hol_integrator *it, double t, hol_state *out)
{
    rk *d = it->data;
    const double u = d->h > 0 ? (t - d->t0) / d->h : 1;
    hol_interpolate_hermite(it, t, out);
    if (t >= it->x.t || t <= it->before.t || d->h <= 0) return HOL_OK;
    const hol_status st = d->dense ? HOL_OK : prepare(it, d);
    if (st) return st;
    const int n = d->n, last = 2 + d->pair->n_dense;
    for (int i = 0; i < n; i++) {
        double y = 0;
        for (int m = last; m >= 0; m--) y = (y + d->F[m * n + i]) * (m % 2 ? 1 - u : u);
        d->sum[i] = d->x0[i] + y;
    }
    hol_state_unpack(it->s, d->sum, out);
    return d->loops ? hol_loops_accelerations(d->loops, out, true) : hol_solve_accelerations(it->k, out);
}

static int order_of(const hol_value *o) { return o[ORDER].num == 1 ? 5 : 8; }

const hol_method hol_method_rk = {
    .name = "rk",
    .family = "Runge-Kutta",
    .doc = "explicit Runge-Kutta pairs of Dormand and Prince with projection; order 5 or 8, for motion that "
           "is not stiff",
    .order = 8,
    .order_of = order_of,
    .holds = HOL_HOLDS_MOTION,
    .accepts = HOL_ACCEPTS_ALL,
    .options = options,
    .tree = true,
    .matrix_free = matrix_free,
    .matrix_free_for = matrix_free_for,
    .fewest_steps = 20,
    .chose = chose,
    .create = create,
    .destroy = destroy,
    .step = step,
    .restart = restart,
    .evaluate = solve,
    .complete = complete,
    .rows_changed = rows_changed,
    .archive = archive,
    .interpolate = interpolate,
};
