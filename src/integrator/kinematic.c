// Kinematics: where joints and drivers leave no motion free, the pose is a function of time,
//
//     Phi(q, t) = 0,   Phi_q v = -Phi_t,   Phi_q a = tau,   Phi_q^T lam = Q - M a                      docs/theory.md (19.1)
//
// and no differential equation is solved. A step predicts by the motion at its beginning and puts the prediction onto the
// constraints. It is short enough that the prediction stays on the branch: (19.2). States at any time within a step are found in the
// same way, so that every row is exact. The analysis `kinematics` takes this method; it is none of the table of integrators.
#include "integrator/kinematic.h"
#include "integrator/one_step.h"
#include "integrator/pose.h"

#include <math.h>
#include <string.h>

#define TURN 0.3 // part of the speed by which the predicted one may be wrong
#define WAY 0.3  // natural sizes that one step may go
#define LITTLE                                                                                               \
    1e-6 // way by which a prediction is wrong that never leaves the branch, as of what begins at rest
#define MOVES 1e-6    // part of the largest motion: less is rounding
#define GAP 0.5       // singular poses are passed in the middle of a step
#define SHORTER 1.05  // error of a step that is made again, as it ends too near a singular pose
#define SHORTEST 1e-9 // of the natural time: shorter steps lead to a dead centre
enum { ORDER = 2 };   // of h in the error of the predicted velocities

typedef struct {
    hol_one_step one;
    hol_pose pose; // the singular pose ahead
    hol_state x1;
    double *v; // predicted velocities                                                            (nq)
    hol_actuators actuators; // that take over from the drivers
} kinematic;

// Puts a predicted state onto the constraints, with all its unknowns.
static hol_status settle(hol_integrator *it, hol_state *x)
{
    kinematic *d = it->data;
    const hol_status st = hol_kernel_settle(it->k, x);
    return st || !d->actuators.n ? st : hol_actuate(it->k, &d->actuators, x);
}

// The same where there is no shorter step to be tried: without its inputs a state is none.
static hol_status settle_at_once(hol_integrator *it, hol_state *x)
{
    kinematic *d = it->data;
    hol_status st = hol_kernel_settle(it->k, x);
    if (st || !d->actuators.n) return st;
    st = hol_actuate(it->k, &d->actuators, x);
    if (st <= 0) return st;
    return hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                    "inverse dynamics: at t = %.6g s no inputs are found that give the forces of the motion, "
                    "which depend on them unevenly: let the inputs begin with values that nearly do, or "
                    "choose other actuators",
                    x->t);
}

hol_status hol_kinematic_actuate(hol_integrator *it, hol_actuators a)
{
    kinematic *d = it->data;
    d->actuators = a;
    const hol_status st = settle_at_once(it, &it->x);
    if (!st) hol_state_copy(it->s, &it->before, &it->x);
    d->actuators.end = d->actuators.now;
    return st;
}

const hol_actuators *hol_kinematic_actuators(const hol_integrator *it)
{
    return &((const kinematic *)it->data)->actuators;
}

// Bodies that move in a vector of the kernel of the constraints, most first: "a, b and 3 more".
static void name_moving(const hol_equations *s, const double *u, char *text, size_t room)
{
    enum { NAMED = 4 };
    int named = 0, moving = 0;
    size_t n = 0;
    double most = 0;
    for (int i = 0; i < s->nq; i++) most = fmax(most, fabs(u[i]) / s->q_size[i]);
    for (int b = 0; b < s->m->n_bodies; b++) {
        const hol_body *body = &s->m->body[b];
        double part = 0;
        for (int i = body->q; i < body->q + body->size; i++) part = fmax(part, fabs(u[i]) / s->q_size[i]);
        if (!(part > MOVES * most)) continue;
        moving++;
        if (named == NAMED || n + 2 >= room) continue;
        n += (size_t)hol_decimal_print(text + n, room - n, "%s\"%.60s\"", named++ ? ", " : "", body->name);
    }
    if (moving > named && n + 2 < room) hol_decimal_print(text + n, room - n, " and %d more", moving - named);
}

hol_status hol_kinematic_check(hol_kernel *k, const hol_state *x)
{
    const hol_equations *s = k->s;
    const int freedom = s->nq - s->nc - s->nk;
    hol_random random = {7};
    char names[400] = "";
    if (freedom == 0) return HOL_OK;
    if (freedom < 0)
        return hol_fail(s->ctx, HOL_ERR_USAGE,
                        "kinematics: there are %d equations of joints, drivers and constraints too many",
                        -freedom);
    const hol_status st = hol_kernel_set(k, x, HOL_WITH_RATES, NULL);
    if (st) return st > 0 ? hol_fail(s->ctx, HOL_ERR_USAGE, "kinematics: %d motions are free", freedom) : st;
    double *u = k->rhs;
    for (int i = 0; i < s->nq; i++) u[i] = hol_random_uniform(&random) / s->q_size[i];
    double *v = k->work + s->n;
    if (!hol_kernel_project(k, u, v)) name_moving(s, v, names, sizeof names);
    return hol_fail(
        s->ctx, HOL_ERR_USAGE,
        "kinematics: joints and drivers leave %d motion%s free, so that forces decide where the bodies "
        "are; what moves: %s. Give each free motion a driver, or use `holonom run`",
        freedom, freedom == 1 ? "" : "s", names);
}

// Refuses what has a free motion, and makes room.
static hol_status create(hol_integrator *it)
{
    kinematic *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    const hol_status st = hol_kinematic_check(it->k, &it->x);
    if (st) return st;
    it->solves_between = true;
    hol_pose_restart(&d->pose);
    d->v = hol_calloc(it->ctx, (size_t)it->s->nq + 1, sizeof *d->v);
    return d->v ? hol_state_create(it->s, &d->x1) : HOL_ERR_MEMORY;
}

static void destroy(hol_integrator *it)
{
    kinematic *d = it->data;
    if (!d) return;
    hol_actuators_destroy(&d->actuators);
    hol_state_destroy(&d->x1);
    hol_free(d->v);
    hol_free(d);
}

static hol_status restart(hol_integrator *it)
{
    kinematic *d = it->data;
    hol_one_step_restart(&d->one);
    hol_pose_restart(&d->pose);
    return HOL_OK;
}

// (19.2): how wrong the predicted velocities are against the speed, how far the step goes; above 1 it is too long.
static double judge(const hol_integrator *it, const kinematic *d, double h)
{
    const hol_equations *s = it->s;
    double wrong = 0, way = 0;
    for (int i = 0; i < s->nq; i++) {
        wrong = hol_larger(fabs(d->x1.v[i] - d->v[i]) / s->q_size[i], wrong);
        way = hol_larger(fabs(d->x1.q[i] - it->x.q[i]) / s->q_size[i], way);
    }
    const double speed =
        fmax(hol_equations_coordinate_norm(s, it->x.v), hol_equations_coordinate_norm(s, d->x1.v));
    const double admitted = fmax(TURN * speed, LITTLE / h);
    return hol_larger(wrong / admitted, way / WAY);
}

// Predicts the state at t1 and puts it onto the constraints.
static hol_status attempt(hol_integrator *it, double t1, double h, double *error)
{
    kinematic *d = it->data;
    const hol_equations *s = it->s;
    d->pose.leap = 0;
    hol_state_copy(s, &d->x1, &it->x);
    d->x1.t = t1;
    for (int i = 0; i < s->nq; i++) {
        d->x1.q[i] += h * (it->x.v[i] + h / 2 * it->x.a[i]);
        d->v[i] = d->x1.v[i] += h * it->x.a[i];
    }
    const hol_status st = settle(it, &d->x1);
    if (st) return hol_trial_status(st);
    *error = judge(it, d, h);
    hol_pose_measure(&d->pose, it->k);
    if (*error <= 1 && (hol_pose_spoils(&d->pose, t1, h) || hol_pose_leap(&d->pose, t1, h, GAP)))
        *error = SHORTER;
    return HOL_OK;
}

// Steps are laid so that a singular pose is passed in the middle of one.
static double plan(const hol_integrator *it, double h)
{
    const kinematic *d = it->data;
    return hol_pose_plan(&d->pose, it->x.t, h, GAP);
}

// From pose to pose, until one is near enough to stay on the branch.
static hol_status step(hol_integrator *it, double t_stop)
{
    kinematic *d = it->data;
    double h = it->h;
    const double t = it->x.t;
    const bool collapsed =
        it->h < SHORTEST * it->s->m->time_scale; // at a dead centre: speeds grow without bound
    const hol_status st =
        collapsed ? HOL_RECOVERABLE : hol_one_step_take(it, &d->one, ORDER, t_stop, attempt, plan, &h);
    if (st > 0)
        return hol_stop(it, &d->x1, h, d->one.tried,
                        d->actuators.n
                            ? "no pose and no inputs are found that close the joints and hold the motion"
                            : "no pose is found that closes the joints",
                        NULL);
    if (st) return st;
    if (d->one.planned && it->limit == HOL_LIMIT_ERROR) it->limit = HOL_LIMIT_POSE;
    if (d->actuators.n)
        memcpy(it->x.mem, d->x1.mem,
               (size_t)it->s->m->n_mem * sizeof *it->x.mem); // the inputs of the new state
    d->actuators.end = d->actuators.now;
    hol_integrator_advance(it, &d->x1);
    hol_pose_accept(&d->pose, it->x.t, it->x.t - t);
    return HOL_OK;
}

static hol_status interpolate(hol_integrator *it, double t, hol_state *out)
{
    hol_status st = hol_interpolate_quintic(it, t, out);
    return st ? st : settle_at_once(it, out);
}

static void archive(hol_integrator *it, hol_archive *a)
{
    kinematic *d = it->data;
    hol_one_step_archive(&d->one, a);
    hol_pose_archive(&d->pose, a);
}

const hol_method hol_method_kinematic = {
    .name = "kinematics",
    .doc = "poses, velocities and accelerations from joints and drivers alone, which leave nothing free",
    .family = "kinematics",
    .accepts = HOL_ACCEPTS_ALL & ~(HOL_ACCEPTS_STATES | HOL_ACCEPTS_RATES),
    .order = 8,
    .passes = true,
    .holds = HOL_HOLDS_MOTION,
    .fewest_steps = 20,
    .create = create,
    .destroy = destroy,
    .step = step,
    .restart = restart,
    .rows_changed = restart,
    .interpolate = interpolate,
    .close = settle_at_once,
    .archive = archive,
};
