// Explicit Runge-Kutta pairs on a form u' = f(t, u) (form.h): accelerations at every stage, the state put onto the constraints at
// the end of every step. docs/theory.md, section 9.5.
#include "integrator/rk.h"
#include "system/swarm.h"
#include "integrator/crossing.h"
#include "integrator/one_step.h"
#include "integrator/stiffness.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define WRONG 100       // an error that a step a little too long does not have
#define LOW 5           // pairs of lower order have steps below 0.1/W for the sake of the error
#define CURED 0.1       // part of the error that projected stages must leave at most: it was the pose
#define SHORTER 8       // as an error: 0.7 times the step
#define VERY_SHORT 1e-6 // of the longest step of late: at a jump
#define NEXT 0.05  // way to a pose, as far as its time is known, within which a stage may be spoiled by it
#define OUT 0.2    // way of the first step out of a pose
#define CRAWL 1e-3 // of the longest step of late: where a motion comes to rest in a pose
#define NEAR_STABLE 0.9 // of the limit of stability: rates are known to some per cent

enum { MOST = 100 }; // such steps one after another

typedef struct {
    const hol_runge_kutta *pair;
    hol_form f;
    int n; // of its vector u
    char chosen[40];
    double c[HOL_RK_STAGES];
    double power[HOL_RK_STAGES];     // of what it->sums asks for [W]
    double lost[2][HOL_RK_STAGES];   // by damping and by rubbing of swarms [W]
    double *k;                       // rates of the last step tried            (stages x n)
    double *x0, *y, *sum;            // start of the step, its end, sums        (n)
    double *F;                       // of the dense output                     (3 + n_dense, n)
    double F_work[3 + HOL_RK_DENSE]; // of that of the work
    double *memory;
    double t0, h;      // of the last accepted step
    hol_recent recent; // its share of the tolerance is that of the longest one of late
    hol_rough rough;
    double smooth, bare; // estimates of the last attempt: of its order, and where the motion is not smooth
    bool dense;          // F belongs to it
    bool goes_on;        // the next step begins where the last one has ended, with y and its rate
    hol_state x1, stage; // the new point; of the dense output
    hol_one_step one;
    hol_stiffness stiffness;
    hol_pose pose;  // the singular pose ahead
    bool projects;  // stages too: in steps around it
    double stop;    // where the step has to end at the latest
    double speed;   // its first one, by natural size; below 0: not asked for yet
    bool crossed;   // the new point is the motion's next to it
    bool from_pose; // so is the one of the step before
    int slow;       // steps that crawl, one after another
    bool struggles; // an attempt of this step has failed near it
    bool leads;     // another method through poses, and has to end steps next to them
} rk;

hol_status hol_rk_evaluate(hol_integrator *it, hol_state *x, hol_wanted wanted)
{
    rk *d = it->data;
    return d->f.type->accelerate(&d->f, x, wanted);
}

static hol_status accelerations(hol_integrator *it, hol_state *x)
{
    return hol_rk_evaluate(it, x, HOL_WANT_ACCELERATIONS);
}

// Multipliers of normalisations: what redundant joints share their forces by has a part of them.
hol_status hol_rk_complete(hol_integrator *it)
{
    rk *d = it->data;
    if (d->f.type->complete) d->f.type->complete(&d->f, &it->x);
    return HOL_OK;
}

// ---- creation -------------------------------------------------------------------------------------------------

// u and its rate at it->x: those at the end of the last step, where there was one.
static hol_status begin(hol_integrator *it, rk *d)
{
    hol_form *f = &d->f;
    const hol_state *x = &it->x;
    hol_status st = f->type->begin ? f->type->begin(f) : HOL_OK;
    if (st) return st;
    if (d->goes_on) {
        memcpy(d->x0, d->y, (size_t)d->n * sizeof *d->y);
        memcpy(d->k, d->k + d->pair->stages * d->n, (size_t)d->n * sizeof *d->k);
        return HOL_OK;
    }
    f->type->take(f, x, d->x0);
    if (f->type->lazy) { // u' comes from its own accelerations
        hol_state_copy(it->s, &d->stage, x);
        f->type->put(f, x->t, d->x0, &d->stage);
        st = f->type->accelerate(f, &d->stage, HOL_WANT_ACCELERATIONS);
        if (st) return st;
    }
    f->type->rate(f, d->x0, x, d->k);
    return HOL_OK;
}

// Hairer, Norsett, Wanner I, section II.4: from the size of the rates and of their change over a tiny explicit Euler step.
static void first_step(hol_integrator *it, rk *d)
{
    const hol_equations *s = it->s;
    double *k1 = d->k + d->n;
    if (it->tolerance <= 0) return;
    if (begin(it, d)) return;
    const hol_norm *z = &d->f.norm; // where a body is says nothing about its steps
    const double size = z->groups ? 1 / it->tolerance : hol_norm_error(z, 0, d->x0, d->x0, d->x0),
                 rate = hol_norm_error(z, 0, d->k, d->x0, d->x0);
    double h = size * it->tolerance < 1e-5 || rate * it->tolerance < 1e-5 ? 1e-6 * s->m->time_scale
                                                                          : 0.01 * size / rate;
    h = fmin(h, it->h_max);
    const double one = 1;
    hol_runge_kutta_combine(d->n, d->k, &one, 1, h, d->x0, d->y);
    d->f.type->put(&d->f, it->x.t + h, d->y, &d->x1);
    memcpy(d->x1.z, it->x.z, (size_t)s->nz * sizeof *d->x1.z);
    double change = HOL_INF;
    if (accelerations(it, &d->x1) == HOL_OK) {
        d->f.type->rate(&d->f, d->y, &d->x1, k1);
        for (int i = 0; i < d->n; i++) k1[i] = (k1[i] - d->k[i]) / h;
        change = hol_norm_error(z, 0, k1, d->x0, d->x0);
    }
    const double most = fmax(rate, change);
    const double next = most * it->tolerance <= 1e-15 ? fmax(1e-6 * s->m->time_scale, 1e-3 * h)
                                                      : pow(0.01 / most, 1.0 / d->pair->order);
    it->h = fmin(it->h_max, isfinite(most) ? fmin(100 * h, next) : 1e-3 * h);
}

const char *hol_rk_chose(const hol_integrator *it)
{
    const rk *d = it->data;
    return d->chosen;
}

// Room for the form's vectors, in one piece.
static hol_status make_room(hol_integrator *it, rk *d)
{
    const size_t n = (size_t)(d->n = d->f.norm.n);
    hol_free(d->memory);
    d->memory = hol_calloc(it->ctx, n * (HOL_RK_STAGES + 3 + 3 + HOL_RK_DENSE), sizeof *d->memory);
    if (!d->memory) return HOL_ERR_MEMORY;
    d->k = d->memory;
    d->x0 = d->k + HOL_RK_STAGES * n;
    d->y = d->x0 + n;
    d->sum = d->y + n;
    d->F = d->sum + n;
    return HOL_OK;
}

// Steps of a low order are short for the sake of the error, h W being (T/d)^(1/p).
static void expect_short_steps(const hol_integrator *it, const hol_runge_kutta *pair)
{
    hol_groups *g = it->norm.groups;
    if (g && pair->order < LOW) g->brief = fmin(g->brief, pow(it->tolerance, 1.0 / pair->order));
}

// Room, the first step.
hol_status hol_rk_create(hol_integrator *it, const hol_runge_kutta *pair, const hol_form_type *type)
{
    const bool bare = hol_method_matrix_free(it->method, it->option, it->s->m);
    rk *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    it->solves_between = true;
    d->pair = pair;
    expect_short_steps(it, pair);
    for (int i = 0; i < HOL_RK_STAGES; i++)
        for (int j = 0; j < i; j++) d->c[i] += d->pair->a[i][j];
    hol_pose_restart(&d->pose);
    hol_one_step_restart(&d->one);
    hol_rough_restart(&d->rough);
    hol_status st = hol_state_create(it->s, &d->x1);
    if (!st) st = hol_state_create(it->s, &d->stage);
    if (st) return st;
    hol_state_copy(it->s, &d->x1, &it->x);
    st = hol_form_create_chosen(it, type, true, bare ? NULL : &d->stage, &d->f);
    if (!st) st = make_room(it, d);
    if (st) return st;
    hol_decimal_print(d->chosen, sizeof d->chosen, "order %d, %s", d->pair->order, d->f.type->name);
    first_step(it, d);
    if (it->tolerance <= 0) return HOL_OK;
    st = hol_stiffness_create(it, &d->stiffness);
    d->stiffness.accelerations = accelerations;
    for (int i = 0; i < 2; i++) d->stiffness.reach[i] = NEAR_STABLE * d->pair->stable[i];
    return st;
}

// Frees all that create made, as far as it came.
void hol_rk_destroy(hol_integrator *it)
{
    rk *d = it->data;
    if (!d) return;
    hol_stiffness_destroy(&d->stiffness);
    hol_form_destroy(&d->f);
    hol_state_destroy(&d->x1);
    hol_state_destroy(&d->stage);
    hol_free(d->memory);
    hol_free(d);
}

// How near a pose is at x, whose accelerations were found last. The form does not see one where a driver is part of a joint of its tree.
static void measure(hol_integrator *it, rk *d, const hol_state *x)
{
    d->f.type->measure(&d->f, &d->pose);
    if (!isfinite(d->pose.next)) d->pose.next = hol_crossing_distance(it, x);
}

// The first stages of a short step would lie next to the pose, and what its size was found by does.
static void begin_in_pose(hol_integrator *it, rk *d)
{
    const double v = hol_equations_coordinate_norm(it->s, it->x.v),
                 a = hol_equations_coordinate_norm(it->s, it->x.a),
                 h = 2 * OUT / (v + sqrt(v * v + 2 * OUT * a));
    it->h = fmin(it->h_max, fmax(it->h, h));
    measure(it, d, &it->x);
    d->pose.distance = d->pose.next;
    d->pose.time = it->x.t;
    d->projects = true;
}

hol_status hol_rk_restart(hol_integrator *it)
{
    rk *d = it->data;
    hol_one_step_restart(&d->one);
    hol_rough_restart(&d->rough);
    hol_pose_restart(&d->pose);
    d->projects = d->goes_on = false;
    d->from_pose = it->mended;
    it->independence = 0;
    if (it->tolerance > 0) hol_stiffness_restart(&d->stiffness);
    if (it->tolerance > 0 && it->mended) begin_in_pose(it, d);
    return HOL_OK;
}

void hol_rk_expect(hol_integrator *it, double h, double time)
{
    rk *d = it->data;
    it->h = fmin(h, it->h_max);
    d->leads = true;
    measure(it, d, &it->x);
    d->pose.distance = d->pose.next;
    d->pose.time = time;
}

// Other rows of redundant loops are in use: the form is made anew for them, and its vectors may be others.
hol_status hol_rk_rows_changed(hol_integrator *it)
{
    rk *d = it->data;
    hol_pose_restart(&d->pose); // measured in other rows
    it->independence = 0;
    d->goes_on = false;
    const hol_status st = hol_form_renew(&d->f);
    if (st || d->f.norm.n == d->n) return st;
    d->h = 0; // the last step has other vectors
    return make_room(it, d);
}

// ---- a step ---------------------------------------------------------------------------------------------------

// Does a point at t seem to be next to a pose, as the motion goes through it, where the step has to end in the pose or its own accelerations
// have failed? Elsewhere they are the better ones. Coordinates of joints have their own.
static bool is_next(const hol_integrator *it, rk *d, double t)
{
    const double time = d->pose.time;
    if (!it->crossing || !isfinite(time) || d->f.type->lazy) return false;
    if (d->speed < 0) d->speed = hol_equations_coordinate_norm(it->s, it->x.v);
    if (!(fabs(time - t) * d->speed < NEXT)) return false;
    const bool needs = it->tolerance <= 0 || d->struggles || d->leads;
    return needs || fabs(time - d->stop) * d->speed < NEXT;
}

// Such a point u. *crossed: it is x, with its accelerations.
static hol_status cross(hol_integrator *it, rk *d, double t, double *u, hol_state *x, bool *crossed)
{
    hol_crossed how;
    d->f.type->put(&d->f, t, u, x);
    hol_state_hold_norms(it->s, x);
    const hol_status st = hol_crossing_of_state(it, x, &how);
    *crossed = !st && how == HOL_CROSSED_TAKEN;
    if (*crossed) hol_crossing_bound(it->s, x);
    return st;
}

// Are these powers asked for, and do the stages see them? Of the pair of order 5 half a step lies between two of them: where a motor's
// acceleration jumps, or is there for a moment, a rule with points of its own is better.
static bool sums(const hol_integrator *it, const rk *d, hol_powers powers)
{
    return it->sums == powers && (powers == HOL_POWER_FORCES || d->pair->order > LOW);
}

// Powers of stage i, as far as they are asked for: (u; W)' = (f; P) is one equation, whose W is as exact as u, whatever P is beside the
// constraints. own: the form has found the accelerations of x last; crossed: those of a state next to a pose.
static void note_powers(const hol_integrator *it, rk *d, int i, const hol_state *x, bool own, bool crossed)
{
    const bool rows = sums(it, d, HOL_POWER_ROWS), known = own && d->f.type->power;
    hol_swarm_sum sum;
    if (rows || sums(it, d, HOL_POWER_FORCES))
        d->power[i] = (known ? d->f.type->power(&d->f) : hol_equations_power(it->s, x)) +
                      (rows ? hol_equations_held_power(it->s, x) : 0) +
                      (rows && crossed ? hol_crossing_power(it, x) : 0);
    if (!it->s->swarms->n) return;
    hol_swarms_measure(it->s, x, &sum);
    d->lost[0][i] = sum.lost_damping;
    d->lost[1][i] = sum.lost_rubbing;
}

// k_i at u = u0 + h sum a_ij k_j
static hol_status stage(hol_integrator *it, rk *d, int i, double t, double h, hol_state *x)
{
    hol_form *f = &d->f;
    const bool rows = sums(it, d, HOL_POWER_ROWS);
    bool crossed = false;
    hol_runge_kutta_combine(d->n, d->k, d->pair->a[i], i, h, d->x0, d->sum);
    hol_status st = is_next(it, d, t) ? cross(it, d, t, d->sum, x, &crossed) : HOL_OK;
    if (st || crossed) {
        // its rate is known
    } else if (d->projects) {
        st = hol_form_settle(f, t, d->sum, x, rows ? HOL_WANT_ALL : HOL_WANT_ACCELERATIONS);
    } else {
        f->type->put(f, t, d->sum, x);
        st = f->type->accelerate(f, x, rows ? HOL_WANT_POWERS : HOL_WANT_RATES);
    }
    if (st) return st;
    f->type->rate(f, d->sum, x, d->k + i * d->n);
    note_powers(it, d, i, x, !crossed, crossed);
    return HOL_OK;
}

// The new point: onto the constraints, with its accelerations.
static hol_status finish(hol_integrator *it, rk *d, double t1)
{
    bool crossed = false;
    hol_status st = is_next(it, d, t1) ? cross(it, d, t1, d->y, &d->x1, &crossed) : HOL_OK;
    if (!st && crossed) d->f.type->take(&d->f, &d->x1, d->y);
    d->crossed = crossed;
    if (!st && !crossed) st = hol_form_settle(&d->f, t1, d->y, &d->x1, HOL_WANT_ALL);
    if (st) return st;
    d->f.type->rate(&d->f, d->y, &d->x1, d->k + d->pair->stages * d->n);
    note_powers(it, d, d->pair->stages, &d->x1, !crossed, crossed);
    return HOL_OK;
}

// The norm of the local error; the pair of order 8 has two estimates (section 9.5). Steps that stability holds short have a share of the
// tolerance each. Those that are very short for a while, where a force jumps, have what the longer ones before them had: what they are wrong
// by falls with h, as the share would, and no step would be short enough.
static double estimate_smooth(rk *d, double h, double *e5)
{
    const hol_runge_kutta *p = d->pair;
    const double held = h < VERY_SHORT * d->recent.longest ? d->recent.longest : h;
    double *e = d->F; // room; d->y is the new point
    hol_runge_kutta_combine(d->n, d->k, p->e, p->stages + 1, h, NULL, e);
    *e5 = hol_norm_error(&d->f.norm, held, e, d->x0, d->y);
    if (p->e3[0] == 0) return *e5;
    hol_runge_kutta_combine(d->n, d->k, p->e3, p->stages + 1, h, NULL, e);
    const double e3 = hol_norm_error(&d->f.norm, held, e, d->x0, d->y), sum = *e5 * *e5 + 0.01 * e3 * e3;
    if (!(sum < HOL_INF))
        return HOL_INF; // a step behind a pole: divided by an infinite sum the estimate would be 0
    return sum > 0 ? *e5 * *e5 / sqrt(sum) : 0;
}

// Is the motion not smooth where the step begins?
static bool is_rough(const hol_integrator *it, const rk *d)
{
    return it->x.t < fmax(d->rough.until, it->rough);
}

// That of a step, as it counts there. (9.13b)
static double estimate(const hol_integrator *it, rk *d, double h)
{
    double e5;
    d->smooth = estimate_smooth(d, h, &e5);
    d->bare = d->pair->rough * e5;
    return is_rough(it, d) ? d->bare : d->smooth;
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
    for (int i = 1; i < s && !st; i++) st = stage(it, d, i, it->x.t + d->c[i] * h, h, &d->x1);
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

// A corner or jump of a force within the step, or what it does not follow (9.13b). Less than a step as long as those of late from a pose errors have other reasons.
static void judge(const hol_integrator *it, rk *d, double h, bool through, double *error)
{
    if (d->projects || through || hol_pose_is_near(&d->pose, it->x.t, fmax(h, d->recent.longest)))
        hol_rough_restart(&d->rough);
    else if (hol_rough_note(&d->rough, d->pair->order, it->x.t, h, d->smooth, *error))
        *error = d->bare;
}

// What a stage misses the constraints by is divided by their smallest singular value there: near a singular pose the
// accelerations are smooth on the constraints only. With every stage projected the same function is smooth around them too.
static hol_status attempt(hol_integrator *it, double t1, double h, double *error)
{
    rk *d = it->data;
    d->pose.leap = 0;
    hol_status st = try_step(it, t1, h, error);
    const bool through = d->pose.time > it->x.t && d->pose.time < t1;
    if (!st && it->tolerance > 0) judge(it, d, h, through, error);
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
    it->bare = it->tolerance > 0 && !is_rough(it, d) ? d->bare : 0;
    if (d->crossed)
        d->pose.next = HOL_INF,
        d->pose.clear = 0; // the factors are of another point, and the step may end here
    else
        measure(it, d, &d->x1);
    const bool again = it->tolerance > 0 && (hol_pose_spoils(&d->pose, t1, h) ||
                                             (d->struggles && hol_pose_leap(&d->pose, t1, h, d->pair->gap)));
    if (again) *error = SHORTER;
    return HOL_OK;
}

// W' = P with these weights for the stages and the end.
static double sum_power(const rk *d, const double *power, const double *weight)
{
    double work = 0;
    for (int i = 0; i <= d->pair->stages; i++)
        if (weight[i] != 0) work += d->h * weight[i] * power[i];
    return work;
}

// Work of the step, with what the lower orders of the pair say that it may be wrong by.
static void sum_work(hol_integrator *it, const rk *d)
{
    const double *b = d->pair->a[d->pair->stages];
    if (sums(it, d, HOL_POWER_FORCES) || sums(it, d, HOL_POWER_ROWS)) {
        it->work = sum_power(d, d->power, b);
        it->work_doubt = hypot(sum_power(d, d->power, d->pair->e), 0.1 * sum_power(d, d->power, d->pair->e3));
        it->work_end = d->x1.t;
    }
    if (!it->s->swarms->n) return;
    for (int k = 0; k < 2; k++) it->lost[k] = sum_power(d, d->lost[k], b);
    it->lost_end = d->x1.t;
}

// Next to a pose in which the motion comes to rest no step is so short that accelerations are more than rounding.
static bool crawls(hol_integrator *it, const rk *d)
{
    bool near = false;
    return d->slow > 0 && d->slow % MOST == 0 && !hol_crossing_sees(it, &near) && near;
}

// Attempts until one is accepted; then stiffness and poses ahead are looked at.
hol_status hol_rk_step(hol_integrator *it, double t_stop)
{
    rk *d = it->data;
    double h = it->h;
    d->struggles = false;
    d->stop = t_stop;
    d->speed = -1;
    hol_status st = crawls(it, d) ? HOL_RECOVERABLE : begin(it, d);
    if (!st) st = hol_form_know_depths(&d->f, d->x0);
    d->goes_on = false;
    note_powers(it, d, 0, &it->x, false, d->from_pose);
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    if (!st) st = hol_one_step_take(it, &d->one, d->pair->order, t_stop, attempt, plan, &h);
    if (st > 0) return hol_stop(it, &d->x1, h, d->one.tried, "accelerations are not determined", NULL);
    if (st) return st;
    if (d->one.planned && it->limit == HOL_LIMIT_ERROR) it->limit = HOL_LIMIT_POSE;
    sum_work(it, d);
    d->from_pose = d->crossed;
    hol_integrator_advance(it, &d->x1);
    hol_recent_accept(&d->recent, it->x.t, d->h);
    d->slow = it->tolerance > 0 && d->h < CRAWL * d->recent.longest ? d->slow + 1 : 0;
    d->goes_on = true;
    hol_pose_accept(&d->pose, it->x.t, d->h);
    it->clear = d->pose.clear;
    it->clear_at = it->x.t;
    d->projects = d->projects && hol_pose_is_near(&d->pose, it->x.t, d->h);
    if (it->tolerance > 0) hol_stiffness_watch(it, &d->stiffness);
    return d->f.type->follow ? d->f.type->follow(&d->f) : HOL_OK;
}

// With what the next step begins with: of a form it may not be that of it->x to the last bit.
void hol_rk_archive(hol_integrator *it, hol_archive *a)
{
    rk *d = it->data;
    hol_one_step_archive(&d->one, a);
    hol_pose_archive(&d->pose, a);
    if (d->f.type->archive && !a->failed) d->f.type->archive(&d->f, a); // else it may not be whole
    hol_archive_flag(a, &d->projects);
    hol_archive_flag(a, &d->leads);
    hol_archive_flag(a, &d->goes_on);
    hol_archive_flag(a, &d->from_pose);
    hol_recent_archive(&d->recent, a);
    hol_rough_archive(&d->rough, a);
    hol_archive_int(a, &d->slow, 0, INT_MAX / 2);
    hol_archive_numbers(a, d->y, (size_t)d->n);
    hol_archive_numbers(a, d->k + d->pair->stages * d->n, (size_t)d->n);
    if (it->tolerance > 0) hol_stiffness_archive(it, &d->stiffness, a);
}

// ---- dense output ---------------------------------------------------------------------------------------------

// (9.14): F of n entries that have changed by F[0] .. F[n - 1] in the last step, with the rates k.
static void find_factors(const rk *d, int n, const double *k, double *F)
{
    const hol_runge_kutta *p = d->pair;
    const int s = p->stages;
    double *F1 = F + n, *F2 = F1 + n;
    for (int i = 0; i < n; i++) {
        F1[i] = d->h * k[i] - F[i];
        F2[i] = F[i] - d->h * k[s * n + i] - F1[i];
    }
    for (int m = 0; m < p->n_dense; m++)
        hol_runge_kutta_combine(n, k, p->dense[m], s + 1 + p->extra, d->h, NULL, F + (3 + m) * n);
}

// What entry i of n has changed by at u of the step.
static double change_of(const rk *d, int n, const double *F, int i, double u)
{
    double y = 0;
    for (int m = 2 + d->pair->n_dense; m >= 0; m--) y = (y + F[m * n + i]) * (m % 2 ? 1 - u : u);
    return y;
}

// The factors of the last step, of its motion and its work.
static hol_status prepare(hol_integrator *it, rk *d)
{
    const hol_runge_kutta *p = d->pair;
    const int s = p->stages;
    hol_status st;
    hol_state_copy(it->s, &d->stage, &it->x);
    for (int i = s + 1; i <= s + p->extra; i++)
        if ((st = stage(it, d, i, d->t0 + d->c[i] * d->h, d->h, &d->stage))) return st;
    for (int i = 0; i < d->n; i++) d->F[i] = d->y[i] - d->x0[i];
    find_factors(d, d->n, d->k, d->F);
    d->F_work[0] = it->work;
    if (it->work_end == it->x.t) find_factors(d, 1, d->power, d->F_work);
    d->dense = true;
    return HOL_OK;
}

static bool is_between(const hol_integrator *it, double t)
{
    const rk *d = it->data;
    return t < it->x.t && t > it->before.t && d->h > 0;
}

// The dense output (9.14); accelerations are those of a cubic.
hol_status hol_rk_interpolate_motion(hol_integrator *it, double t, hol_state *out)
{
    rk *d = it->data;
    const double u = d->h > 0 ? (t - d->t0) / d->h : 1;
    hol_interpolate_hermite(it, t, out);
    if (!is_between(it, t)) return HOL_OK;
    const hol_status st = d->dense ? HOL_OK : prepare(it, d);
    if (st) return st;
    for (int i = 0; i < d->n; i++) d->sum[i] = d->x0[i] + change_of(d, d->n, d->F, i, u);
    d->f.type->put(&d->f, t, d->sum, out);
    hol_state_hold_norms(it->s, out);
    return HOL_OK;
}

// The same of the work.
hol_status hol_rk_interpolate_work(hol_integrator *it, double t, double *work)
{
    rk *d = it->data;
    if (!is_between(it, t) || it->work_end != it->x.t) return HOL_RECOVERABLE;
    const hol_status st = d->dense ? HOL_OK : prepare(it, d);
    if (!st) *work = change_of(d, 1, d->F_work, 0, (t - d->t0) / d->h);
    return st;
}

// The same motion with accelerations solved for.
hol_status hol_rk_interpolate(hol_integrator *it, double t, hol_state *out)
{
    rk *d = it->data;
    const hol_status st = hol_rk_interpolate_motion(it, t, out);
    return st || !is_between(it, t) ? st : d->f.type->accelerate(&d->f, out, HOL_WANT_ALL);
}

hol_status hol_rk_close(hol_integrator *it, hol_state *x)
{
    rk *d = it->data;
    return hol_form_close(&d->f, d->sum, x);
}

// ---- the method rk --------------------------------------------------------------------------------------------

enum { ORDER, SOLVE };
enum { SOLVE_AUTO, SOLVE_SPARSE, SOLVE_TREE, SOLVE_JOINTS, SOLVE_COORDINATES };
static const hol_option options[] = {
    {"order", HOL_CHOICE, "", 0, 0, 0, 0, "auto|5|8",
     "Dormand-Prince 5(4) or 8(5,3); auto: 8; 5 for tolerances above 1e-4 where expressions have functions "
     "whose derivative jumps"},
    {"solve", HOL_CHOICE, "", 0, 0, 0, 0, "auto|sparse|tree|joints|coordinates",
     "accelerations and projections by a sparse matrix; by elimination along the tree of joints with "
     "conjugate gradients for the loops; from the joints' own matrix D M^-1 D^T; or along the tree in joint "
     "coordinates. auto: tree or joints, whichever takes fewer operations, sparse where neither is possible"},
    HOL_END_OPTIONS};
#define LARGE 1000 // bodies from which on it begins without the system's matrix
#define LOOSE 1e-4 // tolerance above which the pair of order 5 costs less across jumps

static const hol_runge_kutta *choose(const hol_integrator *it)
{
    const int choice = (int)it->option[ORDER].num;
    const bool low = it->tolerance > LOOSE && it->s->m->n_kinks; // a step across one has order 1 with either
    return choice == 1 || (choice == 0 && low) ? &hol_runge_kutta_5 : &hol_runge_kutta_8;
}

static hol_status create(hol_integrator *it)
{
    static const hol_form_type *const forms[] = {NULL, &hol_form_sparse, &hol_form_tree, &hol_form_joints,
                                                 &hol_form_coordinates};
    return hol_rk_create(it, choose(it), forms[(int)it->option[SOLVE].num]);
}

static bool matrix_free(const hol_value *o)
{
    return (int)o[SOLVE].num == SOLVE_TREE || (int)o[SOLVE].num == SOLVE_COORDINATES;
}

// What auto takes the tree for before anything is made: large, and nothing that only the matrix takes.
static bool matrix_free_for(const hol_value *o, const hol_model_data *m)
{
    return (int)o[SOLVE].num == SOLVE_AUTO && m->n_bodies >= LARGE && !m->nk && !m->n_equations;
}

static int order_of(const hol_value *o) { return o[ORDER].num == 1 ? 5 : 8; }

const hol_method hol_method_rk = {
    .name = "rk",
    .family = "Runge-Kutta",
    .suits = HOL_SUITS_SMOOTH | HOL_SUITS_REFERENCE,
    .doc = "explicit Runge-Kutta pairs of Dormand and Prince with projection; order 5 or 8, for motion that "
           "is not stiff",
    .order = 8,
    .order_of = order_of,
    .divisor = 5,
    .options = options,
    .tree = true,
    .matrix_free = matrix_free,
    .matrix_free_for = matrix_free_for,
    .create = create,
    HOL_RK_FUNCTIONS,
};
