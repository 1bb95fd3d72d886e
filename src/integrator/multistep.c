// Multistep methods with steps and orders of their own choice, CVODE of SUNDIALS on a form u' = f(t, u) (form.h): Adams' formulas
// of orders 1 to 12 with fixed-point iteration, and BDF of orders 1 to 5 with Newton's method, a dense matrix by differences.
// docs/theory.md, sections 9.4 and 17.
//
// CVODE's vector is y = (y_u; W). It stays where it is when the constraints move the state: u = y_u + d, f being taken where the
// constraints put u, and after every step d grows by what they have moved (9.10). W is the work of the forces where the form
// has their power; it takes no part in the tests. Of BDF the derivative of W counts alone: polynomials through the powers at accepted points
// are summed, which under a constant force are of the order of the speeds that the tests see. Its own W is of an order less.
#include "integrator/form.h"
#include "integrator/history.h"
#include "integrator/stiffness.h"
#include "integrator/sundials.h"
#include "integrator/vector.h"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <float.h>
#include <math.h>
#include <string.h>

extern const hol_method hol_method_adams, hol_method_joint_bdf;

enum { ADAMS_ORDER = 12, BDF_ORDER = 5 };
// h |lambda| up to which what is smaller than the tolerance does not grow with Adams' methods, whatever the order: real, of a
// vibration. Measured: a spring of 313 rad/s at rest for 1000 s moves by 7e-16 m with 0.4, by 3e-7 m with 0.5.
static const double adams_reach[2] = {0.8, 0.4};
#define NEAR 0.1 // of the tolerance: a state so near to the new point serves as it
// Part of the error of a step that Newton's iteration may leave. What it leaves of fast, damped motions looks like an error of
// the method: with CVODE's 0.1 the steps of stiff trees are half as long.
#define NEWTON 0.02
// The same of Adams' methods, CVODE's own, and what they leave at most, by natural size. Where stability limits the steps, a tenth of a loose
// tolerance shakes by all of it: with 1e-2 the springs of a vehicle took twice as many evaluations and lost 30 J in 10 ms.
#define FIXED_POINT 0.1
#define MOST_LEFT 5e-4

// A vibration that errors of steps of one size are made of: over so many of them, to so much of their squares, by so many radians a step, and
// hardly damped.
enum { WINDOW = 12, STABLE_ORDER = 2 };
#define PURE 0.01
#define TURNS_LEAST 0.2
#define TURNS_MOST 2
#define LIVES 0.96 // square of its factor in a step

enum { ORDER, SOLVE };
static const hol_option adams_options[] = {
    {"order", HOL_INTEGER, "", HOL_NONE, 1, ADAMS_ORDER, 0, NULL, "highest order; default: 12"},
    {"solve", HOL_CHOICE, "", 0, 0, 0, 0, "sparse|coordinates",
     "all coordinates, put onto the constraints by a sparse matrix; or joint coordinates along the tree of "
     "joints, closed loops "
     "held by multipliers"},
    HOL_END_OPTIONS};
static const hol_option bdf_options[] = {{"max_order", HOL_INTEGER, "", BDF_ORDER, 1, BDF_ORDER, 0, NULL,
                                          "highest order; 2 where fast vibrations are to be damped"},
                                         HOL_END_OPTIONS};

// What errors of consecutive steps of one size and order tell of a vibration: e2 = a e1 - b e0, by least squares.
typedef struct {
    double *e[2];                    // the last two, weighted, newest first                   (n)
    double square[2], product;       // of these
    int n, order;                    // steps so far
    double h;                        // their size [s]
    double s11, s12, s22, r1, r2, t; // products, summed
    bool damps, begins;              // formulas of order 2 at most, until the next start; with the next step
} echo;

typedef struct {
    hol_form f;
    int n;        // of y
    hol_state x1; // of the last evaluation, then the new point
    hol_sundials sun;
    N_Vector y;
    N_Vector at, moved;    // where the last evaluation was, and where the constraints have moved it to
    N_Vector offset, last; // d, now and before the last step
    SUNMatrix J;           // of BDF, which CVODE turns into Newton's matrix
    double *tangent;       // J as it was made last, column after column                          (n x n)
    bool knows_tangent;
    double h_tangent; // step that it was made for [s]
    SUNLinearSolver linear;
    bool eager;    // accelerations and multipliers are found at the end of every step
    bool complete; // those of it->x are there
    double work;   // W at it->x [J]
    int order;     // of the last step
    echo echo;
    hol_stiffness stiffness; // of Adams
    hol_history history;     // unknowns at accepted points, for results between them                     (n)
    bool by_powers;          // work is the integral of the powers of the forces at accepted points: of BDF
    hol_differences powers;
} multistep;

static bool is_adams(const hol_integrator *it) { return it->method == &hol_method_adams; }

// ---- what CVODE calls -----------------------------------------------------------------------------------------

// The state of y at t into d->x1; its u, as long as no other is evaluated.
static hol_status evaluate(hol_integrator *it, multistep *d, double t, N_Vector y, hol_wanted wanted,
                           double **u)
{
    hol_form *f = &d->f;
    hol_status st = HOL_RECOVERABLE;
    *u = hol_vector_data(f->closes ? d->moved : y);
    if (f->closes) N_VLinearSum(1, y, 1, d->offset, d->at);
    for (int k = 0; k < 2 && st > 0; k++) {
        if (k == 1 && (!f->type->matrix || f->type->begin(f))) break; // too far from the matrix?
        if (f->closes) N_VScale(1, d->at, d->moved);
        st = hol_form_settle(f, t, *u, &d->x1, wanted);
    }
    if (st < 0 || it->s->fatal) d->sun.status = st < 0 ? st : it->s->fatal;
    return d->sun.status ? d->sun.status : st;
}

// 0, 1: a smaller step, -1: the end
static int right_hand_side(double t, N_Vector y, N_Vector rate, void *user)
{
    hol_integrator *it = user;
    multistep *d = it->data;
    double *u, *r = hol_vector_data(rate);
    const hol_status st = evaluate(it, d, t, y, HOL_WANT_ACCELERATIONS, &u);
    if (st) return st < 0 ? -1 : 1;
    d->f.type->rate(&d->f, u, &d->x1, r);
    if (d->f.type->power) r[d->n - 1] = it->sums == HOL_POWER_FORCES ? d->f.type->power(&d->f) : 0;
    if (d->by_powers && !d->powers.n && t == it->x.t) hol_differences_push(&d->powers, t, r[d->n - 1]);
    const int states = d->f.norm.n - it->s->nx; // accelerations are finite
    return !hol_all_finite(r + states, (size_t)(d->n - states));
}

// By differences; nothing depends on W.
static int jacobian(double t, N_Vector at, N_Vector rate, SUNMatrix J, void *user, N_Vector f, N_Vector w,
                    N_Vector z)
{
    hol_integrator *it = user;
    multistep *d = it->data;
    double *y = hol_vector_data(at), *after = hol_vector_data(f);
    const double *before = hol_vector_data(rate);
    (void)w, (void)z;
    for (int j = 0; j < d->f.norm.n; j++) {
        const double held = y[j], size = fmax(fabs(held), d->f.norm.size[j]);
        const double h = held + sqrt(DBL_EPSILON) * size;
        double *column = SM_COLUMN_D(J, j);
        y[j] = h;
        const int answer = right_hand_side(t, at, f, user);
        y[j] = held;
        if (answer) return answer;
        for (int i = 0; i < d->n; i++) column[i] = (after[i] - before[i]) / (h - held);
    }
    memcpy(d->tangent, SM_DATA_D(J), (size_t)d->n * (size_t)d->n * sizeof *d->tangent);
    d->knows_tangent = true;
    CVodeGetCurrentStep(d->sun.solver, &d->h_tangent);
    return 0;
}

static const double *tangent(const hol_integrator *it, int *n)
{
    const multistep *d = it->data;
    *n = d->n;
    return d->knows_tangent ? d->tangent : NULL;
}

static int weights(N_Vector y, N_Vector weight, void *user)
{
    multistep *d = ((hol_integrator *)user)->data;
    if (d->f.closes) N_VLinearSum(1, y, 1, d->offset, d->sun.e);
    if (hol_form_know_depths(&d->f, hol_vector_data(d->f.closes ? d->sun.e : y))) return -1;
    hol_norm_weights(&d->f.norm, hol_vector_data(y), d->f.closes ? hol_vector_data(d->offset) : NULL, d->n,
                     hol_vector_data(weight));
    return 0;
}

// ---- creation -------------------------------------------------------------------------------------------------

static const hol_sundials_calls calls;

enum { VECTORS = 5 };
#define VECTORS_OF(d)                                                                                        \
    {                                                                                                        \
        &(d)->y, &(d)->at, &(d)->moved, &(d)->offset, &(d)->last                                             \
    }

static bool set_adams(hol_integrator *it, multistep *d)
{
    const int order = it->option[ORDER].given ? (int)it->option[ORDER].num : ADAMS_ORDER;
    d->sun.solver = CVodeCreate(CV_ADAMS, d->sun.context);
    d->sun.corrector = d->sun.solver ? SUNNonlinSol_FixedPoint(d->y, 0, d->sun.context) : NULL;
    return d->sun.corrector && hol_sundials_set_cvode(it, &d->sun, right_hand_side, weights, d->y, order) &&
           !CVodeSetNonlinearSolver(d->sun.solver, d->sun.corrector) &&
           !CVodeSetNonlinConvCoef(d->sun.solver, fmin(FIXED_POINT, MOST_LEFT / it->tolerance));
}

// Newton's method with a dense matrix.
static bool set_bdf(hol_integrator *it, multistep *d)
{
    const int order = (int)it->option[ORDER].num;
    d->sun.solver = CVodeCreate(CV_BDF, d->sun.context);
    d->J = SUNDenseMatrix(d->n, d->n, d->sun.context);
    d->linear = d->J ? hol_dense_solver_create(d->y, d->J, d->sun.context) : NULL;
    return d->sun.solver && d->linear &&
           hol_sundials_set_cvode(it, &d->sun, right_hand_side, weights, d->y, order) &&
           !CVodeSetLinearSolver(d->sun.solver, d->linear, d->J) && !CVodeSetJacFn(d->sun.solver, jacobian) &&
           !CVodeSetNonlinConvCoef(d->sun.solver, NEWTON) && !CVodeSetStabLimDet(d->sun.solver, 1);
}

static int length_of(const multistep *d) { return d->f.norm.n + (d->f.type->power != NULL); }

// Its solver, with room for the tangent where it has one.
static hol_status create_cvode(hol_integrator *it, multistep *d)
{
    N_Vector *const vectors[VECTORS] = VECTORS_OF(d);
    const int matrices = is_adams(it) ? 0 : 2; // the Jacobian, and CVODE's copy
    d->n = length_of(d);
    const hol_status st = hol_sundials_create(it, &d->sun, &calls, d->n, &d->f.norm, matrices, vectors,
                                              d->f.closes ? VECTORS : 1);
    if (st) return st;
    if (!is_adams(it)) {
        const size_t n = (size_t)d->n;
        d->tangent = hol_calloc(it->ctx, n * n + 2 * n, sizeof *d->tangent);
        if (!d->tangent) return HOL_ERR_MEMORY;
        for (int i = 0; i < 2; i++) d->echo.e[i] = d->tangent + n * n + (size_t)i * n;
    }
    return (is_adams(it) ? set_adams(it, d) : set_bdf(it, d)) ? HOL_OK : hol_sundials_out_of_memory(it);
}

// The form stays, and CVODE can be made anew.
static void destroy_cvode(multistep *d)
{
    N_Vector *const vectors[VECTORS] = VECTORS_OF(d);
    if (d->linear) SUNLinSolFree(d->linear);
    if (d->J) SUNMatDestroy(d->J);
    hol_free(d->tangent);
    d->tangent = NULL;
    d->knows_tangent = false;
    hol_sundials_destroy(&d->sun, vectors, VECTORS);
    d->sun = (hol_sundials){.again = true};
    d->linear = NULL;
    d->J = NULL;
    for (int i = 0; i < VECTORS; i++) *vectors[i] = NULL;
}

static bool in_coordinates(const hol_value *adams) { return (int)adams[SOLVE].num == 1; }
static bool always(const hol_value *option) { return (void)option, true; }

static hol_status complete(hol_integrator *it)
{
    multistep *d = it->data;
    if (d->complete) return HOL_OK;
    const hol_status st = d->f.type->accelerate(&d->f, &it->x, HOL_WANT_ALL);
    d->complete = st == HOL_OK;
    return st;
}

// For the watch of stiffness and for measuring what they cost.
static hol_status find_accelerations(hol_integrator *it, hol_state *x, hol_wanted wanted)
{
    multistep *d = it->data;
    const hol_status st = complete(it);
    return st ? st : d->f.type->accelerate(&d->f, x, wanted);
}

static hol_status accelerations(hol_integrator *it, hol_state *x)
{
    return find_accelerations(it, x, HOL_WANT_ACCELERATIONS);
}

// What only Adams' methods have: the watch of stiffness, and the history of a form that finds all unknowns at every point.
static hol_status create_watch(hol_integrator *it, multistep *d)
{
    hol_status st = hol_stiffness_create(it, &d->stiffness);
    if (d->f.type->lazy) d->stiffness.accelerations = accelerations;
    memcpy(d->stiffness.reach, adams_reach, sizeof adams_reach);
    if (!st && !d->f.type->lazy) st = hol_history_create(it->ctx, ADAMS_ORDER + 1, it->s->n, &d->history);
    return st;
}

// The form, the solver, and what watches stiffness and interpolates.
static hol_status create(hol_integrator *it)
{
    multistep *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    const bool joints = hol_method_matrix_free(it->method, it->option, it->s->m);
    hol_status st = hol_state_create(it->s, &d->x1);
    if (!st)
        st = hol_form_create_chosen(it, joints ? &hol_form_coordinates : &hol_form_chart, is_adams(it),
                                    joints ? NULL : &d->x1, &d->f);
    if (!st && is_adams(it)) st = create_watch(it, d);
    d->by_powers = !st && !is_adams(it) && d->f.type->power;
    d->eager = it->s->m->n_events || hol_model_powers(it->s->m) == HOL_POWER_ROWS;
    d->complete = true;
    it->solves_between = d->f.type && d->f.type->lazy;
    return st ? st : create_cvode(it, d);
}

// Frees all that create made, as far as it came.
static void destroy(hol_integrator *it)
{
    multistep *d = it->data;
    if (!d) return;
    destroy_cvode(d);
    hol_form_destroy(&d->f);
    hol_state_destroy(&d->x1);
    hol_stiffness_destroy(&d->stiffness);
    hol_history_destroy(&d->history);
    hol_free(d);
}

// ---- steps ----------------------------------------------------------------------------------------------------

// Order 2 at most, or what the option says.
static void keep_order(const hol_integrator *it, multistep *d, bool low)
{
    const int most = (int)it->option[ORDER].num;
    d->echo.damps = low;
    d->echo.begins = false;
    d->echo.n = 0;
    if (d->sun.solver) CVodeSetMaxOrd(d->sun.solver, low && most > STABLE_ORDER ? STABLE_ORDER : most);
}

static hol_status restart(hol_integrator *it)
{
    multistep *d = it->data;
    d->sun.again = d->complete = true;
    if (!is_adams(it)) keep_order(it, d, false);
    hol_stiffness_restart(&d->stiffness);
    return HOL_OK;
}

// The vector may be another one now.
static hol_status rows_changed(hol_integrator *it)
{
    multistep *d = it->data;
    const bool closed = d->f.closes;
    const hol_status st = hol_form_renew(&d->f);
    restart(it);
    if (st || (length_of(d) == d->n && closed == d->f.closes)) return st;
    destroy_cvode(d);
    return create_cvode(it, d);
}

// CVODE begins at it->x, with nothing before.
static bool start(hol_integrator *it)
{
    multistep *d = it->data;
    double *y = hol_vector_data(d->y);
    d->history.n = d->powers.n = 0;
    if (!d->f.type->lazy) hol_history_push(&d->history, it->x.t, it->x.a);
    d->f.type->take(&d->f, &it->x, y);
    if (d->f.type->power) y[d->n - 1] = d->work = 0;
    if (d->f.closes) N_VConst(0, d->offset);
    return CVodeReInit(d->sun.solver, it->x.t, d->y) == CV_SUCCESS && !d->f.type->begin(&d->f);
}

static hol_status fail(hol_integrator *it, const multistep *d, int flag)
{
    return hol_sundials_fail(it, &d->sun, &d->x1, flag,
                             flag == CV_ERR_FAILURE    ? "the error test is not met"
                             : flag == CV_CONV_FAILURE ? "the corrector does not converge"
                             : d->f.closes
                                 ? "positions that satisfy the joints, or their accelerations, are not found"
                                 : "the accelerations are not found",
                             NULL);
}

// The new point into d->x1. With its accelerations it is there already if the corrector's last evaluation was as near to the
// result as its own test asks for: a tenth of the tolerance.
static int arrive(hol_integrator *it, double t)
{
    multistep *d = it->data;
    double *u;
    if (!d->f.type->lazy && fabs(d->x1.t - t) <= 1e-9 * (t - it->x.t)) {
        CVodeGetErrWeights(d->sun.solver, d->sun.weight);
        N_VLinearSum(1, d->y, 1, d->offset, d->sun.e);
        N_VLinearSum(1, d->sun.e, -1, d->at, d->sun.e);
        if (N_VWrmsNorm(d->sun.e, d->sun.weight) < NEAR) {
            d->x1.t = t;
            return CV_SUCCESS;
        }
    }
    return evaluate(it, d, t, d->y, HOL_WANT_USERS, &u) ? CV_REPTD_RHSFUNC_ERR : CV_SUCCESS;
}

// The next steps start from the constraints: CVODE's vector stays, its distance to the state changes.
static void move_offset(multistep *d)
{
    N_VScale(1, d->offset, d->last);
    N_VLinearSum(1, d->moved, -1, d->at, d->moved);
    N_VLinearSum(1, d->offset, 1, d->moved, d->offset);
}

// W' at the end of the last step, by CVODE's polynomial, whose second term is the step times the rates there.
static double power_at_end(const multistep *d)
{
    double t, gamma, rl1, h = 0;
    N_Vector predicted, now, rate, second = NULL;
    void *user;
    CVodeGetNonlinearSystemData(d->sun.solver, &t, &predicted, &now, &rate, &gamma, &rl1, &second, &user);
    CVodeGetLastStep(d->sun.solver, &h);
    return hol_vector_data(second)[d->n - 1] / h;
}

// Of the last step: by the polynomial through the powers of as many points as the formula has had.
static double sum_powers(multistep *d, double t)
{
    hol_differences_push(&d->powers, t, power_at_end(d));
    return hol_differences_integral(&d->powers, d->order);
}

static void sum_work(hol_integrator *it, multistep *d)
{
    const double work = hol_vector_data(d->y)[d->n - 1];
    it->work = d->by_powers ? sum_powers(d, it->x.t) : work - d->work;
    it->work_end = it->x.t;
    d->work = work;
}

// Are the errors those of one vibration that hardly dies out, of less than the tolerance of the results? Formulas of order 3 and more keep it
// alive, and with it the length of their steps; CVODE's own search for that wants a norm that is a sum of squares.      (17.9)
static bool is_kept_alive(const hol_integrator *it, const echo *o)
{
    const double det = o->s11 * o->s22 - o->s12 * o->s12;
    const double a = (o->r1 * o->s22 - o->r2 * o->s12) / det, b = (o->r1 * o->s12 - o->r2 * o->s11) / det;
    const double left = o->t - a * o->r1 + b * o->r2, turn = acos(a / (2 * sqrt(b)));
    if (!(left <= PURE * o->t && b >= LIVES && turn >= TURNS_LEAST && turn <= TURNS_MOST)) return false;
    const double size =
        sqrt(o->t / WINDOW) * (o->order + 1) / pow(turn, o->order + 1); // in tolerances of a step
    return size * it->tolerance < it->asked;
}

// Takes the error of the last step, weighted, to those before.
static void listen(hol_integrator *it, multistep *d)
{
    echo *o = &d->echo;
    const double h = it->x.t - it->before.t;
    const double *e = hol_vector_data(d->sun.e), *weight = hol_vector_data(d->sun.weight);
    const int order = d->order;
    if (order <= STABLE_ORDER || order != o->order || fabs(h - o->h) > 1e-6 * h) {
        *o = (echo){.e = {o->e[0], o->e[1]}, .order = order, .h = h};
    }
    if (order <= STABLE_ORDER) return;
    double *oldest = o->e[1]; // is overwritten with the new one, once it has been looked at
    double new[3] = {0};
    for (int i = 0; i < d->n; i++) {
        const double x = e[i] * weight[i];
        new[0] += x * o->e[0][i];
        new[1] += x *oldest[i];
        new[2] += x *x;
        oldest[i] = x;
    }
    if (++o->n > 2) {
        o->s11 += o->square[0];
        o->s12 += o->product;
        o->s22 += o->square[1];
        o->r1 += new[0];
        o->r2 += new[1];
        o->t += new[2];
    }
    o->square[1] = o->square[0];
    o->square[0] = new[2];
    o->product = new[0];
    o->e[1] = o->e[0];
    o->e[0] = oldest;
    if (o->n < WINDOW + 2) return;
    const bool alive = is_kept_alive(it, o);
    o->n = 0;
    o->s11 = o->s12 = o->s22 = o->r1 = o->r2 = o->t = 0;
    o->begins = alive; // results within this step are yet to come
}

#define OTHER 4 // times as long or as short: a step in which forces are no longer those of the Jacobian
enum { RARELY = 51, ALWAYS = 1 }; // steps that a Jacobian serves at most, as CVODE has it, and each time

// A Jacobian with a stop in touch would hold the motion behind it: corrections that it makes small pass for converged. Steps tell, which were
// short in touch and become long.
static void renew_jacobian(multistep *d)
{
    double h = 0;
    CVodeGetCurrentStep(d->sun.solver, &h);
    const bool other = h > OTHER * d->h_tangent || h < d->h_tangent / OTHER;
    CVodeSetJacEvalFrequency(d->sun.solver, other ? ALWAYS : RARELY);
}

static int solve(hol_integrator *it, double aim, double *t)
{
    multistep *d = it->data;
    if (d->knows_tangent) renew_jacobian(d);
    return CVode(d->sun.solver, aim, d->y, t, CV_ONE_STEP);
}

static const hol_sundials_calls calls = {&hol_sundials_cvode, start, solve, arrive};

static void accept(hol_integrator *it, multistep *d)
{
    if (d->f.closes) move_offset(d);
    hol_integrator_advance(it, &d->x1);
    d->sun.t = it->x.t;
    d->complete = !d->f.type->lazy;
    if (d->complete) hol_history_push(&d->history, it->x.t, it->x.a);
}

// Tells CVODE of the longest step that is stable; the same where the next one, which it has chosen before, is longer, else infinite.
static double bound_step(const hol_integrator *it, const multistep *d)
{
    const double longest = d->stiffness.longest;
    double next = 0;
    CVodeGetCurrentStep(d->sun.solver, &next);
    CVodeSetMaxStep(d->sun.solver, fmin(it->h_max, longest));
    return next > longest ? longest : HOL_INF;
}

// A step of CVODE; what is lazy follows only where it is wanted. Stiffness is watched.
static hol_status step(hol_integrator *it, double t_stop)
{
    multistep *d = it->data;
    if (!d->f.type) return fail(it, d, HOL_SUNDIALS_NO_START);
    if (d->echo.begins) {
        keep_order(it, d, true);
        d->sun.again = true;
    }
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    memcpy(d->x1.z, it->x.z, (size_t)it->s->nz * sizeof *d->x1.z);
    const double bound = is_adams(it) ? bound_step(it, d) : HOL_INF;
    const bool cut = it->x.t + bound < t_stop;
    const int flag = hol_sundials_step(it, &d->sun, cut ? it->x.t + bound : t_stop);
    if (flag < 0) return fail(it, d, flag);
    accept(it, d);
    CVodeGetLastOrder(d->sun.solver, &d->order);
    hol_sundials_account(it, &d->sun, flag);
    if (!is_adams(it) && !d->echo.damps) listen(it, d);
    if (cut) it->limit = HOL_LIMIT_STABILITY;
    if (d->f.type->power && it->sums == HOL_POWER_FORCES) sum_work(it, d);
    if (is_adams(it)) hol_stiffness_watch(it, &d->stiffness);
    if (d->f.type->follow(&d->f)) return fail(it, d, HOL_SUNDIALS_NO_START);
    if (!d->eager && it->x.t < t_stop) return HOL_OK;
    const hol_status st = complete(it);
    return st > 0 ? fail(it, d, CV_REPTD_RHSFUNC_ERR) : st;
}

// CVODE's history stays inside it: the run begins anew with order 1 at a checkpoint, the one that goes on like the one that
// is resumed, so that both are the same.
static void archive(hol_integrator *it, hol_archive *a)
{
    multistep *d = it->data;
    if (is_adams(it)) hol_stiffness_archive(it, &d->stiffness, a);
    if (!a->failed) d->f.type->archive(&d->f, a); // else it may not be whole
    restart(it);
    if (a->failed) hol_form_destroy(&d->f); // no step goes on from here
}

// ---- dense output ---------------------------------------------------------------------------------------------

// CVODE's polynomial with the offset blended, put onto the constraints.
static hol_status interpolate_motion(hol_integrator *it, double t, hol_state *out)
{
    multistep *d = it->data;
    hol_state_copy(it->s, out, &it->x);
    if (t >= it->x.t || d->sun.again) return HOL_OK;
    const double s = (t - it->before.t) / (d->sun.t - it->before.t);
    const bool found = CVodeGetDky(d->sun.solver, t, 0, d->sun.e) == CV_SUCCESS;
    if (d->f.closes) {
        N_VLinearSum(1, d->sun.e, 1 - s, d->last, d->sun.e);
        N_VLinearSum(1, d->sun.e, s, d->offset, d->sun.e);
    }
    if (found && !hol_form_place(&d->f, t, hol_vector_data(d->sun.e), out)) return HOL_OK;
    hol_interpolate_hermite(it, t, out);
    return HOL_RECOVERABLE;
}

// Other unknowns from those at accepted points, where they are there.
static hol_status interpolate(hol_integrator *it, double t, hol_state *out)
{
    multistep *d = it->data;
    const hol_status st = interpolate_motion(it, t, out);
    if (st || out->t == it->x.t) return st;
    if (d->f.type->lazy) return d->f.type->accelerate(&d->f, out, HOL_WANT_ALL);
    hol_history_extrapolate(&d->history, t, d->order, out->a); // all unknowns
    return HOL_OK;
}

static hol_status close_result(hol_integrator *it, hol_state *x)
{
    multistep *d = it->data;
    return hol_form_close(&d->f, hol_vector_data(d->sun.e), x);
}

// Rows of both.
#define BY_CVODE                                                                                             \
    .orders = true, .begins_anew = true, .holds = HOL_HOLDS_MOTION, .fewest_steps = 20,                      \
    .refuse = hol_sundials_refuse, .create = create, .destroy = destroy, .step = step, .restart = restart,   \
    .complete = complete, .rows_changed = rows_changed, .archive = archive, .interpolate = interpolate,      \
    .interpolate_motion = interpolate_motion, .close = close_result

const hol_method hol_method_adams = {
    .name = "adams",
    .family = "Adams",
    .suits = HOL_SUITS_SMOOTH | HOL_SUITS_REFERENCE,
    .doc =
        "Adams with orders 1 to 12 (CVODE) on the state-space equations, for smooth motion that is not stiff",
    BY_CVODE,
    .order = ADAMS_ORDER,
    .divisor = 40,
    .own_estimate = true,
    .accepts = HOL_ACCEPTS_ALL,
    .options = adams_options,
    .matrix_free = in_coordinates,
};

const hol_method hol_method_joint_bdf = {
    .name = "joint_bdf",
    .family = "BDF",
    .suits = HOL_SUITS_TREE,
    .doc = "BDF of orders 1 to 5 (CVODE) in joint coordinates, for trees of joints with or without loops: "
           "robots, vehicles, "
           "stiff springs",
    BY_CVODE,
    .order = BDF_ORDER,
    .divisor = 10,
    .own_estimate = true,
    .accepts = HOL_ACCEPTS_ALL & ~(unsigned)(HOL_ACCEPTS_RATES | HOL_ACCEPTS_UNKNOWNS),
    .options = bdf_options,
    .exact = true,
    .matrix_free = always,
    .evaluate = find_accelerations,
    .tangent = tangent,
};
