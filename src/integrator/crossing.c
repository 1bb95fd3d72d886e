// At a distance alpha from a singular pose velocities are wrong by e/alpha and accelerations by e/alpha^2, where the joints are open by e
// (section 9.5). On the branch of the motion both are smooth functions of positions, velocities and time. So a state next to a pose is
// that of a bridge about it: of states beside it along its motion, at which the equations determine everything (9.18). docs/theory.md,
// section 9.8.
#include "integrator/crossing.h"
#include "integrator/bridge.h"
#include "integrator/kinematic.h"
#include "integrator/passage.h"
#include "integrator/pose.h"
#include "linalg/vector.h"
#include "system/balance.h"
#include "system/explicit.h"
#include "system/graph.h"

#include <math.h>
#include <string.h>

#define SMALL 0.1   // sigma from which on no pose is near
#define APART 0.5   // part of the way on which no pose may come near, on which none is looked for again
#define REACH 0.015 // way to a pose within which a state is that of a bridge
#define LOST 2e-4   // way within which accelerations are those of rounding
#define IN 1e-6     // sigma below which its slope is not known
#define RESTS 1e-8  // natural sizes per natural time: what is slower rests
#define IN_REST                                                                                              \
    1e-7 // sigma at which what rests is in a pose: poses of double roots are found to the root of rounding
#define STILL 1e-6  // part of the forces that joints may leave over of balanced ones
#define SAME 0.01   // of the velocities, by which a step may tell others
#define ENOUGH 1e-4 // way in which positions tell a direction well
#define BRIEF 1e-6  // way in which positions do not tell a direction

#define ALONG 0.01 // square of the part across the weak direction below which a motion is along it
#define FIRM 1e-5  // square of sigma from which on rows of a state that is found are closed
#define BESIDE                                                                                               \
    0.05 // way to a state at which a chart is chosen for a start in a pose, and from a pose in which a method may find no step
#define BOUND 1e3 // times as large as they were: such a change of multipliers is that of a singular pose
enum {
    LARGE = 1000,      // bodies of large models
    SMALL_MODEL = 300, // coordinates of small ones
    TURNS = 3          // of the accelerations at the end of a step
};

struct hol_crossing {
    hol_kernel kernel; // of its own: the pivots of others stay
    const hol_kernel *like;
    hol_bridge bridge;
    hol_state room;
    double *q;    // where was looked last                                                                (nq)
    double clear; // way from there on which no pose comes within REACH; 0: none
    double *v;    // direction of the motion                                                              (nq)
    bool told;    // by positions
    bool far;     // by those at a place so far away that they tell the branch, but not the speed
};

// ---- looks ----------------------------------------------------------------------------------------------------

// The end of the step that is further from x; where that is near, as where steps have become short next to a pose, a state before the pose.
static const hol_state *find_other(const hol_integrator *it, const hol_state *x)
{
    const hol_equations *s = it->s;
    const hol_state *end = x->t - it->before.t > it->x.t - x->t ? &it->before : &it->x,
                    *behind = it->passage ? hol_passage_behind(it->passage) : end;
    const double way = hol_equations_distance(s, x->q, end->q);
    if (way > ENOUGH || !(behind->t < x->t)) return end;
    return way < hol_equations_distance(s, x->q, behind->q) ? behind : end;
}

// By the positions at x and at another place, which no weak row spoils.
static void find_direction(const hol_integrator *it, const hol_state *x)
{
    const hol_equations *s = it->s;
    const hol_state *from = find_other(it, x);
    const double dt = x->t - from->t;
    hol_crossing *c = it->crossing;
    c->told = hol_equations_distance(s, x->q, from->q) > BRIEF;
    c->far = c->told && from != &it->x && from != &it->before;
    for (int i = 0; i < s->nq; i++)
        c->v[i] = c->told ? 2 * (x->q[i] - from->q[i]) / dt - from->v[i] : x->v[i];
}

// No singular value changes faster than the rows turn.
static bool is_clear(const hol_crossing *c, const double *q)
{
    const hol_equations *s = c->kernel.s;
    return c->kernel.A && c->kernel.selection == s->selection && c->clear > 0 &&
           hol_equations_distance(s, q, c->q) < c->clear;
}

#define ABOVE                                                                                                \
    1.2 // times that way: so much has to be known of sigma, which is no longer than the way to a pose

// Does the method know that no pose is near x, if that is the end of its last step? (9.19a)
static bool is_known_clear(const hol_integrator *it, const hol_state *x)
{
    return it->clear > ABOVE * REACH && x->t == it->x.t && x->t == it->clear_at;
}

static bool rests(const hol_equations *s, const double *v)
{
    return hol_equations_coordinate_norm(s, v) * s->m->time_scale <= RESTS;
}

// Accelerations that count as none, natural sizes per natural time squared.
static bool is_little(const hol_equations *s, const double *a)
{
    return hol_equations_coordinate_norm(s, a) * s->m->time_scale * s->m->time_scale <= RESTS;
}

// Do accelerations change a speed like this before the motion is out of the pose?
static bool is_driven_off(const hol_equations *s, const double *v, const double *a)
{
    const double speed = hol_equations_coordinate_norm(s, v), most = hol_equations_coordinate_norm(s, a);
    return speed * speed < LOST * most && !is_little(s, a);
}

// Is a pose near x on its way along c->v? *t: the time of it; *way: to it, 0 where x rests in one. It is no work of the method.
static hol_status look(hol_crossing *c, const hol_state *x, double *t, double *way)
{
    hol_equations *s = c->kernel.s;
    const hol_evaluations count = s->count;
    const double speed = hol_equations_coordinate_norm(s, c->v);
    *way = HOL_INF;
    *t = x->t;
    if (is_clear(c, x->q)) return HOL_OK;
    const hol_status st = hol_kernel_need_like(&c->kernel, c->like);
    if (st) return st;
    const double sigma = hol_pose_sigma(&c->kernel, x);
    memcpy(c->q, x->q, (size_t)s->nq * sizeof *c->q);
    if (rests(s, c->v) && sigma < IN_REST) *way = 0;
    if (sigma < SMALL && !rests(s, c->v)) {
        const double slope = sigma > IN ? hol_pose_slope(&c->kernel, x, c->v, sigma, &c->room) : 0;
        *way = sigma > IN ? speed * sigma / fabs(slope) : 0;
        if (*way < REACH && sigma > IN) *t = x->t - sigma / slope;
    }
    c->clear = APART * (fmin(sigma, *way) - REACH);
    s->count = count;
    return HOL_OK;
}

// ---- creation -------------------------------------------------------------------------------------------------

void hol_crossing_destroy(hol_crossing *c)
{
    if (!c) return;
    hol_kernel_drop(&c->kernel);
    hol_bridge_destroy(&c->bridge);
    hol_state_destroy(&c->room);
    hol_free(c->q);
    hol_free(c);
}

// Of a large model the matrix is made with the first look that it needs; of others here, and factored.
static hol_status make_room(hol_crossing *c, const hol_integrator *it)
{
    const hol_equations *s = it->s;
    double t, way;
    c->q = hol_calloc(it->ctx, 2 * (size_t)s->nq + 1, sizeof *c->q);
    const hol_status st = c->q ? hol_state_create(s, &c->room) : HOL_ERR_MEMORY;
    if (st) return st;
    c->v = c->q + s->nq;
    return s->m->n_bodies < LARGE ? look(c, &it->x, &t, &way) : HOL_OK;
}

hol_status hol_crossing_create(hol_integrator *it, hol_crossing **out)
{
    const hol_equations *s = it->s;
    bool loops = false;
    *out = NULL;
    if (it->method == &hol_method_kinematic || !s->nc || s->dependent || hol_integrator_is_bare(it))
        return HOL_OK;
    hol_status st = hol_graph_has_loops(it->ctx, s->m, &loops);
    if (st || !loops) return st;
    hol_crossing *c = hol_calloc(it->ctx, 1, sizeof *c);
    if (!c) return HOL_ERR_MEMORY;
    c->kernel = hol_kernel_of(it->s);
    c->like = it->k;
    c->bridge.blur = s->nc + s->nk < s->nq ? (it->asked > 0 ? it->asked : HOL_DEFAULT_TOLERANCE) : 0;
    st = make_room(c, it);
    if (st)
        hol_crossing_destroy(c);
    else
        *out = c;
    return st;
}

// ---- states ---------------------------------------------------------------------------------------------------

// By natural size.
static double inner(const hol_equations *s, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < s->nq; i++) sum += x[i] / s->q_size[i] * (y[i] / s->q_size[i]);
    return sum;
}

// The velocities of x are right but for a part along the weak direction w, which the last look has left: what lies along c->v with
// another part of it. A motion along w alone has no velocities that are right.
static void mend_direction(hol_crossing *c, const hol_state *x)
{
    const hol_equations *s = c->kernel.s;
    const double *w = c->kernel.work;
    const double ww = inner(s, w, w), wd = inner(s, w, c->v), dd = inner(s, c->v, c->v),
                 wv = inner(s, w, x->v), dv = inner(s, c->v, x->v), det = ww * dd - wd * wd;
    const double part = (wd * dv - dd * wv) / det, firm = inner(s, x->v, x->v) - wv * wv / ww;
    if (!(firm > ALONG * dd) || !isfinite(part)) return;
    for (int i = 0; i < s->nq; i++) c->v[i] = x->v[i] + part * w[i];
}

static double size_of_forces(const hol_equations *s, const double *Q)
{
    double most = 0;
    for (int i = 0; i < s->nq; i++) most = hol_larger(fabs(Q[i]) * s->q_size[i], most);
    return most;
}

// Do joints, with the multipliers and accelerations of x, balance its forces?
static bool balance(hol_kernel *k, const hol_state *x)
{
    const hol_equations *s = k->s;
    double *force = k->rhs;
    hol_equations_constraint_force(s, x, force);
    const double held = size_of_forces(s, force);
    hol_equations_mass_times(s, x, x->a, force);
    return size_of_forces(s, force) <= STILL * held || is_little(s, x->a);
}

// Joints and drivers determine the motion, and they ask for none.
static bool is_held(hol_kernel *k, const hol_state *x)
{
    const hol_equations *s = k->s;
    double *tau = k->rhs;
    hol_equations_tau(s, x, tau);
    return s->nc + s->nk >= s->nq &&
           hol_equations_row_norm(s, tau, s->nc) * s->m->time_scale * s->m->time_scale <= RESTS;
}

// (9.19). At rest in a pose: joints that balance the forces do so with the smallest multipliers. If they do not, drivers that hold all of it
// need forces without bound, and what they do not hold leaves along a branch of which nothing is known.
static hol_status rest(hol_crossing *c, hol_state *x, hol_crossed *how)
{
    hol_kernel *k = &c->kernel;
    const hol_equations *s = k->s;
    *how = HOL_CROSSED_LOST;
    hol_state_copy(s, &c->room, x);
    const hol_status st = hol_solve_accelerations_with(k, &c->room, HOL_KKT_DELTA);
    hol_kkt_forget_pivots(k->A);
    if (st) return st < 0 ? st : HOL_OK;
    const bool balanced = balance(k, &c->room);
    if (!balanced && !is_held(k, x)) return HOL_OK;
    for (int i = 0; i < s->nq && !balanced; i++) c->room.a[i] = 0;
    for (int i = 0; i < s->nc && !balanced; i++) c->room.lam[i] = (double)NAN;
    hol_state_copy(s, x, &c->room);
    *how = HOL_CROSSED_TAKEN;
    return HOL_OK;
}

// What the polynomials miss the constraints by is taken back by the smallest change in natural sizes, but for the part in weak rows, to
// which it would be divided by sigma: there their own error misses them by sigma times it.
static hol_status close_firm_rows(hol_crossing *c, hol_state *x)
{
    static const hol_closing once = {.least = 1, .most = 2, .slow = HOL_INF, .loose = HOL_INF};
    hol_kernel *k = &c->kernel;
    int count = 0;
    hol_status st = hol_kernel_fill(k, x, HOL_WITH_RATES, NULL);
    if (!st) st = hol_kkt_factor(k->A, FIRM);
    if (!st) st = hol_kernel_positions(k, x, &once, &count);
    if (!st) st = hol_kernel_velocities(k, x, &once, &count);
    hol_kkt_forget_pivots(k->A);
    return st;
}

// With the direction in c->v.
static hol_status cross(hol_crossing *c, hol_state *x, hol_crossed *how)
{
    hol_equations *s = c->kernel.s;
    const hol_evaluations count = s->count;
    double t, way;
    bool changed;
    *how = HOL_CROSSED_FAR;
    hol_status st = look(c, x, &t, &way);
    if (st || !(way < REACH)) return st;
    if (rests(s, c->v)) {
        st = rest(c, x, how);
        s->count = count;
        return st;
    }
    if (c->far) mend_direction(c, x);
    st = hol_bridge_about(&c->bridge, &c->kernel, x, c->v, t);
    if (!st) st = hol_bridge_at(&c->bridge, s, 0, NULL, x->t, &c->room);
    if (!st && (way > LOST || s->nc + s->nk >= s->nq)) st = hol_balance(&c->kernel, &c->room, &changed);
    if (!st) st = close_firm_rows(c, &c->room);
    if (!st) hol_state_copy(s, x, &c->room);
    s->count = count;
    *how = !st ? HOL_CROSSED_TAKEN : way < LOST ? HOL_CROSSED_LOST : HOL_CROSSED_NEAR;
    return st < 0 ? st : HOL_OK;
}

hol_status hol_crossing_of_step(hol_integrator *it, hol_state *x, hol_crossed *how)
{
    hol_crossing *c = it->crossing;
    *how = HOL_CROSSED_FAR;
    if (!c || is_known_clear(it, x)) return HOL_OK;
    find_direction(it, x);
    return cross(c, x, how);
}

bool hol_crossing_believes(const hol_integrator *it, const double *v)
{
    const hol_crossing *c = it->crossing;
    const hol_equations *s = it->s;
    const double most = SAME * hol_equations_coordinate_norm(s, c->v);
    bool same = c->told;
    for (int i = 0; i < s->nq; i++) same = same && fabs(v[i] - c->v[i]) <= most * s->q_size[i];
    return same || rests(s, v);
}

hol_status hol_crossing_of_state(hol_integrator *it, hol_state *x, hol_crossed *how)
{
    hol_crossing *c = it->crossing;
    *how = HOL_CROSSED_FAR;
    if (!c) return HOL_OK;
    memcpy(c->v, x->v, (size_t)it->s->nq * sizeof *c->v);
    c->told = c->far = false;
    return cross(c, x, how);
}

hol_status hol_crossing_start(hol_integrator *it)
{
    hol_crossing *c = it->crossing;
    hol_crossed how;
    const hol_status st = hol_crossing_of_state(it, &it->x, &how);
    if (st || how == HOL_CROSSED_FAR || how == HOL_CROSSED_NEAR) return st;
    if (how == HOL_CROSSED_LOST) return rests(it->s, c->v) ? HOL_RECOVERABLE : HOL_OK;
    if (is_driven_off(it->s, it->x.v, it->x.a)) return HOL_RECOVERABLE;
    hol_crossing_bound(it->s, &it->x);
    hol_kernel_forget_accelerations(it->k);
    it->mended = true;
    return HOL_OK;
}

// Where it->x leads to in h with the mean of its accelerations and those of x.
static void follow(const hol_integrator *it, double h, hol_state *x)
{
    const hol_equations *s = it->s;
    const hol_state *x0 = &it->x;
    for (int i = 0; i < s->nq; i++) {
        const double dv = h / 2 * (x0->a[i] + x->a[i]);
        x->q[i] = x0->q[i] + h * (x0->v[i] + dv / 2);
        x->v[i] = x0->v[i] + dv;
    }
    for (int i = 0; i < s->nx; i++) {
        const int rate = s->m->state[i].equation;
        x->X[i] = x0->X[i] + h / 2 * (x0->z[rate] + x->z[rate]);
    }
}

// A step to x->t, by accelerations on the branch of the motion; *near: a pose is.
static hol_status follow_branch(hol_integrator *it, hol_state *x, bool *near)
{
    double way;
    it->crossing->clear = 0; // of poses within REACH alone
    hol_status st = hol_crossing_way(it, &way);
    *near = way < BESIDE;
    for (int i = 0; i < TURNS && !st; i++) {
        hol_crossed how;
        follow(it, x->t - it->x.t, x);
        st = hol_crossing_of_state(it, x, &how);
        *near = *near || how == HOL_CROSSED_TAKEN;
        if (st || how == HOL_CROSSED_TAKEN) continue;
        st =
            how == HOL_CROSSED_LOST || !*near ? HOL_RECOVERABLE : hol_kernel_settle(&it->crossing->kernel, x);
    }
    return st;
}

hol_status hol_crossing_step(hol_integrator *it, double t1)
{
    hol_state x = {0};
    bool near = false;
    hol_status st = hol_state_create(it->s, &x);
    if (!st) {
        hol_state_copy(it->s, &x, &it->x);
        x.t = t1;
        st = follow_branch(it, &x, &near);
    }
    if (!st) {
        hol_crossing_bound(it->s, &x);
        hol_integrator_advance(it, &x);
        it->work_end = -HOL_INF;
        it->mended = true;
    }
    hol_state_destroy(&x);
    return st;
}

hol_status hol_crossing_accelerate(hol_integrator *it, hol_kernel *k, hol_state *x)
{
    hol_crossed how;
    const hol_status st = hol_crossing_of_state(it, x, &how);
    if (st || how == HOL_CROSSED_FAR || how == HOL_CROSSED_NEAR)
        return st ? st : hol_solve_accelerations(k, x);
    if (how == HOL_CROSSED_LOST) return HOL_RECOVERABLE;
    hol_crossing_bound(it->s, x);
    hol_kernel_forget_accelerations(k);
    return HOL_OK;
}

hol_status hol_crossing_way(hol_integrator *it, double *way)
{
    hol_crossing *c = it->crossing;
    double t;
    *way = HOL_INF;
    if (!c || is_known_clear(it, &it->x)) return HOL_OK;
    find_direction(it, &it->x);
    return look(c, &it->x, &t, way);
}

hol_status hol_crossing_sees(hol_integrator *it, bool *near)
{
    double way;
    const hol_status st = hol_crossing_way(it, &way);
    *near = way < REACH;
    return st;
}

double hol_crossing_distance(hol_integrator *it, const hol_state *x)
{
    hol_crossing *c = it->crossing;
    if (!c || it->s->nq >= SMALL_MODEL) return HOL_INF;
    const hol_evaluations count = it->s->count;
    const double sigma = hol_pose_sigma(&c->kernel, x);
    it->s->count = count;
    return sigma > 0 ? sigma : HOL_INF;
}

hol_status hol_crossing_multipliers(hol_integrator *it, hol_state *x)
{
    hol_crossing *c = it->crossing;
    hol_equations *s = it->s;
    const hol_evaluations count = s->count;
    const int n = s->nc + s->nk;
    double most = 0, change = 0;
    if (!c) return HOL_OK;
    hol_status st = hol_kernel_set_mass(&c->kernel, x);
    double *e = c->kernel.rhs;
    if (!st) {
        memset(e, 0, (size_t)s->n * sizeof *e);
        hol_equations_residual(s, x, e, NULL);
        for (int i = 0; i < s->nq; i++) e[i] = -e[i];
        st = hol_kernel_solve(&c->kernel, 1, e);
    }
    s->count = count;
    if (st) return st < 0 ? st : HOL_OK;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x->lam[i]));
        change = hol_larger(fabs(e[s->nf + i]), change);
    }
    for (int i = 0; i < n && change < BOUND * most; i++) x->lam[i] += e[s->nf + i];
    return HOL_OK;
}

hol_status hol_crossing_beside(hol_kernel *k, const hol_state *x, hol_state *out)
{
    const hol_equations *s = k->s;
    const double dt = BESIDE / hol_equations_coordinate_norm(s, x->v);
    hol_status st = hol_state_create(s, out);
    if (st) return st;
    if (!isfinite(dt)) return HOL_RECOVERABLE;
    hol_bridge_beside(s, x, x->v, dt, dt, out);
    out->t = x->t + dt;
    st = hol_kernel_settle(k, out);
    hol_kkt_forget_pivots(k->A);
    return st;
}

bool hol_crossing_bound(const hol_equations *s, hol_state *x)
{
    bool any = false;
    for (int i = 0; i < s->nc; i++)
        if (isnan(x->lam[i])) x->lam[i] = 0, any = true;
    for (int i = 0; i < s->nk; i++)
        if (isnan(x->kap[i])) x->kap[i] = 0, any = true;
    for (int i = 0; i < s->nz && any; i++)
        if (isnan(x->z[i])) x->z[i] = 0; // what takes them alone
    if (any && s->users) hol_explicit_evaluate(s->users, (hol_equations *)s, x);
    return any;
}

double hol_crossing_power(const hol_integrator *it, const hol_state *x)
{
    const hol_kernel *k = it->crossing ? &it->crossing->kernel : it->k;
    if (!k->rhs) return 0; // nobody has looked for poses
    hol_equations_residual(it->s, x, k->rhs, NULL);
    return hol_vector_dot(it->s->nq, x->v, k->rhs);
}
