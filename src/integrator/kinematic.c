// Kinematics: where joints and drivers leave no motion free, the pose is a function of time,
//
//     Phi(q, t) = 0,   Phi_q v = -Phi_t,   Phi_q a = tau,   Phi_q^T lam = Q - M a                      docs/theory.md (19.1)
//
// and no differential equation is solved. A step predicts by the motion at its beginning and puts the prediction onto the
// constraints. It is short enough that the prediction stays on the branch: (19.2). States at any time within a step are found in the
// same way, so that every row is exact. The analysis `kinematics` takes this method; it is none of the table of integrators.
#include "integrator/kinematic.h"
#include "integrator/bridge.h"
#include "integrator/crossing.h"
#include "integrator/one_step.h"
#include "integrator/pose.h"
#include "system/balance.h"
#include "system/constraint_jacobian.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define TURN 0.3 // part of the speed by which the predicted one may be wrong
#define WAY 0.3  // natural sizes that one step may go
#define LITTLE                                                                                               \
    1e-6 // way by which a prediction is wrong that never leaves the branch, as of what begins at rest
#define MOVES 1e-6    // part of the largest motion: less is rounding
#define AHEAD 1.2     // steps to a pose ahead over which a bridge is built
#define WITHIN 1e-3   // least singular value below which a start is at a singular pose
#define EXACTLY 1e-6  // and below which it is in one
#define BRIDGED 0.81  // error of a step along a bridge: the next one is as long
#define AGAIN 1.05    // error of a step that is made again, to the beginning of a bridge
#define ACROSS 4      // error of a step across a pose over which there is no bridge
#define NEARER 0.25   // part of a step across a pose after which a bridge is sought from the same point again
#define HALF_WAY 0.5  // to such a pose, as far as it is known
#define ASTRAY 0.1    // part of a step by which a row may be off its prediction
#define WEAK 0.1      // part of the singular values at both ends of a step, which a row in it has near a pose
#define GROWN 1e3     // times as large as at the ends of the step: inputs without bound
#define SHORTEST 1e-9 // of the natural time: shorter steps lead to a dead centre
enum {
    ORDER = 2,        // of h in the error of the predicted velocities
    LARGE = 300,      // coordinates from which on no determinant is found
    MOST_PARTS = 200, // of a step, and attempts at them, for a row
    HALVINGS = 30     // of a step, to a lever of 0
};

typedef struct {
    hol_one_step one;
    hol_pose pose;            // the singular pose ahead
    hol_bridge bridge, aside; // over it; for a row
    hol_state x1, x2;
    bool known;          // the pose and the side at it->x are
    int side, next_side; // of det Phi_q = 0, at it->x and at the point tried; 0: not known
    double across,
        refused;   // the step to a pose, and the time of one, over which no bridge was found; 0: none
    double before; // least singular value at it->before
    double *v;     // predicted velocities                                                            (nq)
    double *Phi_q; // in natural sizes                                                        (nq x nq)
    int *pivot;    //                                                                              (nq)
    int *slot;     // of the actuators' inputs in the memory of a state
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

// Frees what create has made.
static void destroy(hol_integrator *it)
{
    kinematic *d = it->data;
    if (!d) return;
    hol_actuators_destroy(&d->actuators);
    hol_bridge_destroy(&d->bridge);
    hol_bridge_destroy(&d->aside);
    hol_state_destroy(&d->x1);
    hol_state_destroy(&d->x2);
    hol_free(d->v);
    hol_free(d->pivot);
    hol_free(d->slot);
    hol_free(d);
}

static hol_status restart(hol_integrator *it)
{
    kinematic *d = it->data;
    hol_one_step_restart(&d->one);
    hol_pose_restart(&d->pose);
    d->known = d->bridge.stands = d->aside.stands = false;
    d->across = d->refused = 0;
    return HOL_OK;
}

// ---- singular poses --------------------------------------------------------------------------------------------

// The sign of det Phi_q at x; 0: not known. It changes where an odd number of equations loses its independence.
static int side_of(const hol_integrator *it, const hol_state *x)
{
    kinematic *d = it->data;
    const hol_equations *s = it->s;
    const int n = s->nq;
    int sign = 1;
    if (n >= LARGE || s->nc != n) return 0;
    hol_constraint_jacobian(s, x, NULL, d->Phi_q);
    if (hol_dense_lu_factor(s->ctx, n, d->Phi_q, d->pivot)) return 0;
    for (int j = 0; j < n; j++) {
        if (d->Phi_q[j * n + j] < 0) sign = -sign;
        if (d->pivot[j] != j + 1) sign = -sign;
    }
    return sign;
}

// A bridge from x over a pose at about t.
static hol_status build(hol_integrator *it, hol_bridge *b, const hol_state *x, double t)
{
    const hol_evaluations count = it->s->count;
    const hol_status st = hol_bridge_build(b, it, settle, x, t);
    if (st) it->s->count = count;
    return st;
}

// The state of a bridge at t: put onto the constraints where they determine it, else with the forces of its time.
static hol_status take_from(hol_integrator *it, hol_bridge *b, double t, hol_state *out)
{
    kinematic *d = it->data;
    const bool carries = hol_bridge_carries(b, t);
    const hol_evaluations count = it->s->count;
    hol_status st = carries ? hol_bridge_load(b, it, settle, t) : HOL_OK;
    bool changed = false;
    if (!st) st = hol_bridge_at(b, it->s, d->actuators.n, d->slot, t, out);
    if (!st && carries) st = hol_balance(it->k, out, &changed);
    if (!st && changed && d->actuators.n) st = hol_actuate_moving(it->k, &d->actuators, out);
    if (carries) it->s->count = count;
    return st || carries ? st : settle(it, out);
}

static hol_status fail_start(hol_integrator *it)
{
    return hol_fail(
        it->ctx, HOL_ERR_INTEGRATION,
        "kinematics: t = %.6g s is a singular pose, in which the joints do not say how it goes on: "
        "begin a little away from it, on the way that is meant",
        it->x.t);
}

// How far the present state is from poses, and on which side, by the measure of those that follow.
static hol_status measure_start(hol_integrator *it)
{
    kinematic *d = it->data;
    d->known = true;
    d->pose.distance = 0;
    d->side = 0;
    const hol_status st = hol_kernel_set_mass(it->k, &it->x);
    if (st) return st < 0 ? st : HOL_OK;
    hol_pose_measure(&d->pose, it->k);
    d->pose.distance = d->pose.next;
    d->side = side_of(it, &it->x);
    return HOL_OK;
}

// A start at a pose begins on a bridge.
static hol_status look(hol_integrator *it)
{
    kinematic *d = it->data;
    const double least = hol_pose_sigma(it->k, &it->x);
    hol_status st = measure_start(it);
    if (st || least >= WITHIN) return st;
    st = build(it, &d->bridge, &it->x, it->x.t);
    if (st > 0) return least > EXACTLY ? HOL_OK : fail_start(it);
    if (st) return st;
    d->side = 0;
    st = take_from(it, &d->bridge, it->x.t, &d->x1);
    hol_state_copy(it->s, &it->x, &d->x1);
    return st;
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
    const size_t n = (size_t)it->s->nq;
    d->v = hol_calloc(it->ctx, n + (n < LARGE ? n * n : 0) + 1, sizeof *d->v);
    d->pivot = hol_calloc(it->ctx, n + 1, sizeof *d->pivot);
    if (!d->v || !d->pivot) return HOL_ERR_MEMORY;
    d->Phi_q = d->v + n;
    hol_status room = hol_state_create(it->s, &d->x1);
    if (!room) room = hol_state_create(it->s, &d->x2);
    return room ? room : look(it);
}

hol_status hol_kinematic_actuate(hol_integrator *it, hol_actuators a)
{
    kinematic *d = it->data;
    const hol_model_data *m = it->s->m;
    d->actuators = a;
    d->slot = hol_calloc(it->ctx, (size_t)a.n + 1, sizeof *d->slot);
    if (!d->slot) return HOL_ERR_MEMORY;
    for (int j = 0; j < a.n; j++) d->slot[j] = m->held[hol_model_input(m, a.input[j])].slot;
    const hol_status st = d->bridge.stands ? look(it) : settle_at_once(it, &it->x);
    if (!st) hol_state_copy(it->s, &it->before, &it->x);
    d->actuators.end = d->actuators.now;
    return st;
}

// A bridge where a pose is near ahead.
static hol_status look_ahead(hol_integrator *it)
{
    kinematic *d = it->data;
    const double t = d->pose.time, way = t - it->x.t;
    if (d->bridge.stands && hol_bridge_is_passed(&d->bridge, it->x.t)) d->bridge.stands = false;
    if (d->bridge.stands || !(d->pose.slope < 0) || !(way > 0) || way > AHEAD * it->h) return HOL_OK;
    const hol_status st = build(it, &d->bridge, &it->x, t);
    d->refused = st ? t : 0;
    return st < 0 ? st : HOL_OK;
}

// (19.2): how wrong the predicted velocities are against the speed, how far the step goes; above 1 it is too long.
static double judge(const hol_integrator *it, const kinematic *d, double h)
{
    const hol_equations *s = it->s;
    const double wrong = hol_equations_distance(s, d->x1.v, d->v),
                 way = hol_equations_distance(s, d->x1.q, it->x.q);
    const double speed =
        fmax(hol_equations_coordinate_norm(s, it->x.v), hol_equations_coordinate_norm(s, d->x1.v));
    const double admitted = fmax(TURN * speed, LITTLE / h);
    return hol_larger(wrong / admitted, way / WAY);
}

// A step along the bridge.
static hol_status attempt_on_bridge(hol_integrator *it, double t1, double *error)
{
    kinematic *d = it->data;
    hol_status st = take_from(it, &d->bridge, t1, &d->x1);
    *error = BRIDGED;
    d->pose.next = HOL_INF;
    d->next_side = 0;
    if (st || hol_bridge_carries(&d->bridge, t1)) return st;
    hol_pose_measure(&d->pose, it->k);
    d->next_side = side_of(it, &d->x1);
    return HOL_OK;
}

// The point tried lies on the other side of a pose: it is taken by a bridge or not at all.
static hol_status cross(hol_integrator *it, double h, double *error)
{
    kinematic *d = it->data;
    const double before = d->pose.distance, part = before / (before + d->pose.next);
    *error = ACROSS;
    if (d->across > 0 && h > NEARER * d->across) return HOL_OK;
    const hol_status st = build(it, &d->bridge, &it->x, it->x.t + h * (isfinite(part) ? part : 0.5));
    if (st < 0) return st;
    if (st)
        d->across = h;
    else
        *error = AGAIN;
    return HOL_OK;
}

// Predicts the state at t1 and puts it onto the constraints. One in a pose, without a bridge, has velocities of rounding.
static hol_status attempt(hol_integrator *it, double t1, double h, double *error)
{
    kinematic *d = it->data;
    const hol_equations *s = it->s;
    if (hol_bridge_covers(&d->bridge, it->x.t)) return attempt_on_bridge(it, t1, error);
    hol_bridge_predict(s, &it->x, t1, &d->x1);
    memcpy(d->v, d->x1.v, (size_t)s->nq * sizeof *d->v);
    const hol_status st = settle(it, &d->x1);
    if (st) return hol_trial_status(st);
    *error = judge(it, d, h);
    if (!(*error <= 1)) return HOL_OK;
    hol_pose_measure(&d->pose, it->k);
    d->next_side = side_of(it, &d->x1);
    if (d->side * d->next_side < 0) return cross(it, h, error);
    if (d->refused > 0 && hol_pose_sigma(it->k, &d->x1) < EXACTLY) *error = ACROSS;
    return HOL_OK;
}

// A step ends where a bridge begins, and the next one where it ends. To a pose without one they become shorter and shorter.
static double plan(const hol_integrator *it, double h)
{
    const kinematic *d = it->data;
    const double t = it->x.t, way = d->pose.time - t;
    if (hol_bridge_covers(&d->bridge, t)) return hol_bridge_end(&d->bridge) - t;
    if (d->bridge.stands && t < d->bridge.t) return fmin(h, hol_bridge_begin(&d->bridge) - t);
    return d->refused > 0 && d->pose.slope < 0 && way > 0 ? fmin(h, HALF_WAY * way) : h;
}

static hol_status find_step(hol_integrator *it, double t_stop, double *h)
{
    kinematic *d = it->data;
    hol_status st = d->known ? HOL_OK : look(it);
    if (!st) st = look_ahead(it);
    if (st) return st;
    if (it->h < SHORTEST * it->s->m->time_scale && !d->bridge.stands)
        return HOL_RECOVERABLE; // at a dead centre: speeds grow without bound
    return hol_one_step_take(it, &d->one, ORDER, t_stop, attempt, plan, h);
}

// Is a state within the step off what both ends say, or on no pose? status: of its search.
static bool is_astray(hol_integrator *it, hol_status status, const hol_state *predicted,
                      const hol_state *found)
{
    const double way = hol_equations_distance(it->s, it->x.q, it->before.q);
    return status || !(hol_equations_distance(it->s, found->q, predicted->q) <= ASTRAY * way + LITTLE);
}

// Is it so near to a singular pose that rounding is all that it has of accelerations?
static bool is_weak(hol_integrator *it)
{
    const kinematic *d = it->data;
    return !(hol_pose_least(it->k) >= WEAK * fmin(d->before, d->pose.distance));
}

// From the beginning of the step to t in parts that are short enough, as next to a dead centre.
static hol_status march(hol_integrator *it, double t, hol_state *out)
{
    kinematic *d = it->data;
    const hol_equations *s = it->s;
    hol_state_copy(s, &d->x1, &it->before);
    double h = t - d->x1.t;
    for (int i = 0; i < MOST_PARTS && d->x1.t < t; i++) {
        hol_bridge_predict(s, &d->x1, i && h < t - d->x1.t ? d->x1.t + h : t, &d->x2);
        hol_state_copy(s, out, &d->x2);
        const hol_status st = settle(it, out);
        if (st < 0) return st;
        const double way = hol_equations_distance(s, out->q, d->x1.q);
        if (st || !(hol_equations_distance(s, out->q, d->x2.q) <= ASTRAY * way + LITTLE)) {
            h *= 0.5;
            continue;
        }
        hol_state_copy(s, &d->x1, out);
    }
    return d->x1.t < t ? HOL_RECOVERABLE : HOL_OK;
}

// A row that was not found at once, or that the constraints hardly determine: by a bridge of its own, else in smaller parts.
static hol_status find_aside(hol_integrator *it, double t, bool astray, hol_state *out)
{
    kinematic *d = it->data;
    hol_status st = hol_bridge_covers(&d->aside, t) ? HOL_OK : build(it, &d->aside, &it->before, t);
    if (!st) return take_from(it, &d->aside, t, out);
    if (st < 0) return st;
    st = astray ? march(it, t, out) : settle_at_once(it, out);
    if (st > 0) hol_interpolate_quintic(it, t, out); // next to a lock
    return st;
}

// Every state within a step is put onto the constraints, with a look whether it is the one that is meant.
static hol_status interpolate(hol_integrator *it, double t, hol_state *out)
{
    kinematic *d = it->data;
    if (hol_bridge_covers(&d->bridge, t)) return take_from(it, &d->bridge, t, out);
    hol_status st = hol_interpolate_quintic(it, t, out);
    if (st) return st;
    hol_crossing_bound(it->s, out);
    hol_state_copy(it->s, &d->x1, out);
    st = settle(it, out);
    if (st < 0) return st;
    const bool astray = is_astray(it, st, &d->x1, out);
    return astray || is_weak(it) ? find_aside(it, t, astray, out) : HOL_OK;
}

// ---- levers of actuators ----------------------------------------------------------------------------------------

// What the actuators are at t within the step. Where nothing is found, as exactly at a lever of 0, they have none.
static hol_status look_at_lever(hol_integrator *it, double t, hol_actuated *out)
{
    kinematic *d = it->data;
    const hol_status st = interpolate(it, t, &d->x2);
    *out = d->actuators.now;
    if (st == HOL_ERR_MEMORY || it->s->fatal) return st;
    if (st) *out = (hol_actuated){.t = t, .most = HOL_INF};
    if (st < 0) hol_context_clear(it->ctx);
    return HOL_OK;
}

// Has their lever another sign at the end of the step than at its beginning, and do they grow without bound where it passes 0? It does not where
// it has a pole, and they do not where the motion needs nothing there. from: what they are at the beginning.
static hol_status watch_lever(hol_integrator *it, hol_actuated from)
{
    kinematic *d = it->data;
    hol_actuated to = d->actuators.end, at = to;
    const double lever = fmax(fabs(from.lever), fabs(to.lever)), most = fmax(from.most, to.most);
    const hol_evaluations count = it->s->count;
    hol_status st = HOL_OK;
    if (!(from.lever * to.lever < 0)) return HOL_OK;
    for (int i = 0; i < HALVINGS && !st && at.lever != 0; i++) {
        st = look_at_lever(it, 0.5 * (from.t + to.t), &at);
        *(at.lever * from.lever > 0 ? &from : &to) = at;
    }
    it->s->count = count;
    d->actuators.now = d->actuators.end;
    if (!st && fabs(at.lever) < lever && at.most > GROWN * most)
        hol_actuators_tell_passage(it->s, &d->actuators, at.t);
    return st;
}

// From pose to pose, until one is near enough to stay on the branch.
static hol_status step(hol_integrator *it, double t_stop)
{
    kinematic *d = it->data;
    double h = it->h;
    const double t = it->x.t;
    const hol_actuated from = d->actuators.end;
    const hol_status st = find_step(it, t_stop, &h);
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
    d->before = d->pose.distance;
    hol_pose_accept(&d->pose, it->x.t, it->x.t - t);
    d->side = d->next_side;
    d->across = 0;
    return d->actuators.n ? watch_lever(it, from) : HOL_OK;
}

// A state of a bridge is on the constraints, and stays what it is.
static hol_status close(hol_integrator *it, hol_state *x)
{
    const kinematic *d = it->data;
    const bool carried = hol_bridge_carries(&d->bridge, x->t) || hol_bridge_carries(&d->aside, x->t);
    double open;
    return carried && !hol_integrator_opens(it, x, &open) ? HOL_OK : settle_at_once(it, x);
}

// Everything the next step depends on.
static void archive(hol_integrator *it, hol_archive *a)
{
    kinematic *d = it->data;
    hol_one_step_archive(&d->one, a);
    hol_pose_archive(&d->pose, a);
    hol_bridge_archive(&d->bridge, it, a);
    hol_archive_flag(a, &d->known);
    hol_archive_int(a, &d->side, -1, 1);
    HOL_ARCHIVE(a, d->across);
    HOL_ARCHIVE(a, d->refused);
    HOL_ARCHIVE(a, d->before);
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
    .close = close,
    .archive = archive,
};
