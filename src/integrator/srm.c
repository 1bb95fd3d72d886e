// Sequential regularization: the loops are held by multipliers that S iterates of the motion build up one after the other,
//
//     M u_s + B^T lam_s + D^T mu_s = f(t, q_s, nu_s),  B u_s = gam                                          (15.3)
//     mu_s = mu_s-1 + E (theta'_s + alpha theta_s)/eps,  s = 1 .. S                                         (15.4)
//
// all of them one explicit ordinary differential equation, one solve along the tree of joints for each iterate and stage:
// O(n) however many loops there are, and nothing is inverted that loses rank at a singular pose. The last iterate is the
// result. Ascher and Lin, sequential regularization
// for mechanical systems with many closed loops, (3.10) and (3.12).
#include "integrator/one_step.h"
#include "integrator/rk_pairs.h"
#include "integrator/stiffness.h"
#include "recursion/loop_solve.h"
#include "system/fault.h"

#include <math.h>
#include <string.h>

enum { FORM, PAIR, ITERATES, EPS, C, ALPHA, SCALING, CARRY, RESYNC, PROJECT, MULTIPLIERS };
enum { STABILISED, ALL, PENALTY };
enum { HEUN, EULER, ORDER5 };
enum { NO_CARRY, EVERY_STEP, COPY };
static const hol_option options[] = {
    {"form", HOL_CHOICE, "", 0, 0, 0, 0, "stabilised|all|penalty",
     "stabilised: the tree exact, the loops regularized; all: every joint regularized; penalty: one iterate, "
     "for comparison"},
    {"pair", HOL_CHOICE, "", 0, 0, 0, 0, "heun|euler|5",
     "explicit Runge-Kutta: Heun 2(1), forward Euler (fixed steps only), Dormand-Prince 5(4)"},
    {"iterates", HOL_INTEGER, "", 2, 1, 10, 0, NULL, "S; the loops open by O(eps^S)"},
    {"eps", HOL_NUMBER, HOL_ANY_UNIT, 0, 0, HOL_INF, 0, NULL,
     "regularization, seconds (scaling identity: s/kg); 0: from the tolerance, with fixed steps from their "
     "size"},
    {"c", HOL_NUMBER, "", 1, 0, 4, HOL_ABOVE, NULL, "alpha = c/eps"},
    {"alpha", HOL_NUMBER, "1/s", 0, 0, HOL_INF, 0, NULL, "weight of the positions; 0: c/eps"},
    {"scaling", HOL_CHOICE, "", 0, 0, 0, 0, "blocks|identity",
     "E: inverse blocks of D M^-1 D^T, one per joint, or the identity (the paper's)"},
    {"carry", HOL_CHOICE, "", 0, 0, 0, 0, "none|step|resync",
     "step: the multiplier of one step starts the next (iterates: 1); resync: the iterates start anew from "
     "the last "
     "one from time to time; both let go where multipliers grow tenfold"},
    {"resync", HOL_INTEGER, "", 100, 1, 1e9, 0, NULL, "steps between two new starts"},
    {"project", HOL_FLAG, "", 1, 0, 1, 0, NULL,
     "after every step, positions and velocities onto the joints of the tree"},
    {"mu0", HOL_CHOICE, "", 0, 0, 0, 0, "zero|exact",
     "multipliers that the first iterate starts from: none, or those of the loops at the start, which leave "
     "no "
     "jump there"},
    HOL_END_OPTIONS};
#define STABLE 2.0      // h lambda/eps of Euler's and Heun's method
#define STABLE_5 3.3    // of Dormand and Prince
#define NEAR_STABLE 0.9 // of the limit of the motion itself: rates are known to some per cent
#define SAFETY 2.0      // eigenvalues change with the pose
#define START 1e-12     // part of the right-hand side that the accelerations at the start may miss
#define TREE 1e-10      // violation of the tree's joints that is left, by natural size
#define PART_OF 0.03    // or this part of what the loops were open by at the last point
#define PART 0.5        // of the last change that is carried into the next step
#define GROWN 10        // times the median of the multipliers: a singular pose
#define DRIFT 1.05      // of the median, per step

// v' = a depends on stages, q' = v follows from it: rates are kept as (a; X'), and with the coefficients
//     q_i = q_0 + h c_i v_0 + h^2 sum_l (sum_j a_ij a_jl) a_l                                          (15.4a)
typedef struct {
    const hol_runge_kutta *pair;
    double twice[HOL_RK_STAGES][HOL_RK_STAGES]; // sum_j a_ij a_jl
    double twice_e[HOL_RK_STAGES];              // sum_j e_j a_jl
    int S, n1, n;                               // iterates; 2 nq + nx; S n1
    int nk;                                     // rates of an iterate: nq + nx
    int end;                                    // the row of k for the rates at the end of a step
    double alpha;
    bool scaled;
    hol_loops tree; // without its room
    hol_tree *r;
    const hol_tree_size *size;
    double *mu0, *mu, *gain, *next;    // mu_0; mu_S, mu_S - mu_S-1 at the last point; next mu_0  (n_loops)
    double *k[HOL_RK_STAGES], *y0, *y; // rates, S nk each; the iterates (q; v; X), now, stage and new  (n)
    double *error;                     // of the last iterate, with error control               (n1)
    double *memory;
    hol_state w, part; // stage and new point; an iterate of it, its memory is elsewhere
    hol_one_step one;
    hol_stiffness stiffness; // with error control, of trees without loops
    double median, power;    // of the multipliers; mu_S . theta' at the last point [W]
    bool held;               // nothing is carried at present
    bool bound;              // it->h_max is what stability allows, not what was asked for
    hol_srm_report now, total;
} srm;

// ---- the cascade ------------------------------------------------------------------------------------------------

typedef struct {
    srm *d;
    double part, power[HOL_TEAM_PARTS], multiplier[HOL_TEAM_PARTS];
} conclusion;

// After a step: multipliers carried on to the next, power and size of those of the loops, for loop rows from
// .. to - 1.
static void conclude_part(void *with, int part, int from, int to)
{
    conclusion *o = with;
    srm *d = o->d;
    const double *rate = d->size->rate;
    double power = 0, multiplier = 0;
    for (int i = from; i < to; i++) {
        d->next[i] = d->mu0[i] + o->part * d->gain[i];
        d->mu[i] += o->part * d->gain[i];
        power += d->mu[i] * rate[i];
        multiplier = fmax(multiplier, fabs(d->mu[i]));
    }
    o->power[part] = power;
    o->multiplier[part] = multiplier;
}

// What the end of a step tells; with `carry: step` mu gets the part that the next step starts from.
static void conclude(const hol_integrator *it, srm *d, double part)
{
    conclusion o;
    o.d = d;
    o.part = part;
    d->now.drift = hol_tree_loop_norm(d->r, d->size->theta);
    d->now.rate = hol_tree_loop_norm(d->r, d->size->rate) * it->s->m->time_scale;
    d->now.power = d->now.multiplier = 0;
    const int parts = hol_team_parts(it->s->team, d->size->n_loops, conclude_part, &o);
    for (int p = 0; p < parts; p++) {
        d->now.power += o.power[p];
        d->now.multiplier = fmax(d->now.multiplier, o.multiplier[p]);
    }
}

// Accelerations x->a of an iterate at x, and d->mu from mu_s-1 to mu_s. placed: as in hol_tree_regularized.
static hol_status iterate(hol_integrator *it, srm *d, hol_state *x, bool placed, bool last)
{
    const bool carry = last && (int)it->option[CARRY].num == EVERY_STEP && !d->held;
    it->s->count.residuals++, it->s->count.along_tree++;
    const hol_regularization c = {d->alpha, d->now.eps, carry ? PART : 0, d->scaled};
    hol_status st = hol_explicit_evaluate(&d->tree.users, it->s, x);
    if (!st) st = hol_tree_regularized(d->r, x, &c, placed, d->mu, d->gain);
    if (!st && last) conclude(it, d, c.carry);
    return st;
}

// Accelerations of the first iterate at x.
static hol_status accelerations(hol_integrator *it, hol_state *x)
{
    srm *d = it->data;
    memcpy(d->mu, d->mu0, (size_t)d->size->n_loops * sizeof *d->mu);
    return iterate(it, d, x, false, false);
}

static hol_status evaluate(hol_integrator *it, hol_state *x, hol_wanted wanted)
{
    srm *d = it->data;
    const hol_status st = accelerations(it, x);
    if (!st && wanted == HOL_WANT_ALL) hol_tree_multipliers(d->r, d->mu, x);
    return st;
}

// The iterate that stands at y, without a copy: the rest is that of d->w.
static hol_state *seen(const hol_integrator *it, srm *d, double *y)
{
    d->part = d->w;
    d->part.q = y;
    d->part.v = y + it->s->nq;
    d->part.X = y + 2 * it->s->nq;
    return &d->part;
}

// The joints of the tree are held better than the loops were at the last point, by a factor. The factors at hand are those
// of the stage before.
static hol_status project(srm *d, hol_state *x, bool *placed)
{
    const double position = fmax(TREE, PART_OF * d->now.drift), velocity = fmax(TREE, PART_OF * d->now.rate);
    return hol_tree_project(d->r, x, position, velocity, d->pair->stages > 1, placed);
}

// Rates of all iterates y at t. end: the end of a step, where y is put onto the tree and d->w becomes the complete state of
// the last iterate.
static hol_status cascade(hol_integrator *it, srm *d, double t, double *y, double *rate, bool end)
{
    const int nq = it->s->nq;
    memcpy(d->mu, d->mu0, (size_t)d->size->n_loops * sizeof *d->mu);
    d->w.t = t;
    for (int s = 0; s < d->S; s++) {
        const bool last = end && s == d->S - 1;
        bool placed = false;
        hol_state *x = seen(it, d, y + s * d->n1);
        double *k = rate + s * d->nk;
        hol_status st = HOL_OK;
        if (end && it->option[PROJECT].num != 0) st = project(d, x, &placed);
        if (!last) x->a = k; // accelerations go where they are kept
        if (!st) st = iterate(it, d, x, placed, last);
        if (st) {
            hol_state_unpack(it->s, y + s * d->n1, &d->w); // what the message looks at
            return st;
        }
        if (last) memcpy(k, x->a, (size_t)nq * sizeof *k);
        for (int i = 0; i < it->s->nx; i++) k[nq + i] = x->z[it->s->m->state[i].equation];
        if (last && !hol_all_finite(k, (size_t)d->nk)) return HOL_RECOVERABLE;
    }
    if (!end) return HOL_OK;
    hol_state_unpack(it->s, y + (d->S - 1) * d->n1, &d->w);
    hol_tree_multipliers(d->r, d->mu, &d->w);
    return HOL_OK;
}

// ---- eps ---------------------------------------------------------------------------------------------------------

// What moves soon has accelerations of the square of its rate, also where none of them opens a loop at the start [1/s^2].
static double least_curvature(const hol_integrator *it)
{
    const hol_equations *s = it->s;
    double rate = 0;
    for (int i = 0; i < s->nq; i++) rate = fmax(rate, fabs(it->x.v[i]) / s->q_size[i]);
    return fmax(rate * rate, 1e-3 / (s->m->time_scale * s->m->time_scale));
}

// Largest acceleration with which the loops of the free tree come apart [m/s^2], and the eigenvalues of their operator.
static hol_status look_at_loops(hol_integrator *it, srm *d, double *out)
{
    double apart;
    hol_state_copy(it->s, &d->w, &it->x);
    hol_status st = hol_explicit_evaluate(&d->tree.users, it->s, &d->w);
    if (!st) st = hol_tree_spectrum(it->ctx, d->r, &d->w, d->scaled, &apart, &d->total.least, &d->total.most);
    if (!st) *out = it->s->m->length_scale * fmax(least_curvature(it), apart);
    return st;
}

// eps/h, above the limit of stability. Euler's method has another one, alpha h < 1: its z = h s, roots of
// z^2 + (lambda h/eps) (z + alpha h), have |1 + z|^2 = 1 - (lambda h/eps) (1 - alpha h) where they are complex.
static double steepest_of(const hol_value *o, double most)
{
    const double stable = (int)o[PAIR].num == ORDER5 ? STABLE_5 : STABLE;
    const double steepest = SAFETY * fmax(most, 1e-3) / stable;
    return (int)o[PAIR].num == EULER && o[ALPHA].num == 0 ? fmax(steepest, SAFETY * o[C].num) : steepest;
}

// From the tolerance: the loops open by about eps^2 miss/c, (15.7); with fixed steps the smallest that is stable. A step is
// never longer than stability allows, and eps never follows the step.
static hol_status choose_eps(hol_integrator *it, srm *d)
{
    const hol_value *o = it->option;
    const double stable = (int)o[PAIR].num == ORDER5 ? STABLE_5 : STABLE;
    double apart;
    const hol_status st = look_at_loops(it, d, &apart);
    if (st) return st;
    const double steepest = steepest_of(o, d->total.most);
    const double open = it->tolerance * it->s->m->length_scale / apart;
    double eps = o[EPS].num;
    if (eps == 0 && it->tolerance > 0) eps = o[ALPHA].num > 0 ? open * o[ALPHA].num : sqrt(open * o[C].num);
    if (eps == 0) eps = steepest * it->h;
    d->now.eps = d->total.eps = eps;
    d->total.by_tolerance = o[EPS].num == 0 && it->tolerance > 0;
    d->alpha = o[ALPHA].num > 0 ? o[ALPHA].num : o[C].num / eps;
    if (it->tolerance > 0) {
        d->bound = eps / steepest < it->h_max;
        it->h_max = fmin(it->h_max, eps / steepest);
        it->h = fmin(it->h, 0.1 * it->h_max);
    } else if (it->h * d->total.most > stable * eps)
        hol_note(it->ctx, HOL_WARNING,
                 "srm: eps = %.3g is unstable with steps of %.3g s at the start; the method asks for %.3g",
                 eps, it->h, it->h * d->total.most / stable);
    else if ((int)o[PAIR].num == EULER && it->h * d->alpha >= 1)
        hol_note(
            it->ctx, HOL_WARNING,
            "srm: alpha = %.3g/s is unstable with steps of %.3g s of Euler's method, which wants steps below "
            "1/alpha = %.3g s",
            d->alpha, it->h, 1 / d->alpha);
    return HOL_OK;
}

// ---- creation -------------------------------------------------------------------------------------------------

// The forest without its ties: every joint is regularized.
static void cut_all(const hol_model_data *m, hol_forest *f)
{
    f->n_cut = 0;
    for (int k = 0; k < m->n_elements; k++)
        if (k >= m->n_bodies && m->element[k].n_rows) f->cut[f->n_cut++] = k;
    for (int b = 0; b < m->n_bodies; b++) f->father[b] = -1;
    memset(f->first, 0, ((size_t)m->n_bodies + 1) * sizeof *f->first);
    memset(f->kept, 0, (size_t)m->nc);
    f->n_rows = 0;
    f->n_roots = m->n_bodies;
    f->depth = 1;
}

// Accelerations and multipliers at the start, exact; forest and recursion are kept.
static hol_status make_tree(hol_integrator *it, srm *d, hol_obstacle *obstacle)
{
    const hol_model_data *m = it->s->m;
    hol_loops *t = &d->tree;
    hol_status st = hol_loops_create(it->ctx, it->s, &it->x, NULL, START, t, obstacle);
    if (!st) st = hol_loops_keep(t);
    if (!st) st = hol_loops_accelerations(t, &it->x, HOL_WANT_ALL);
    hol_loops_release(t);
    if (!st && (int)it->option[FORM].num == ALL) {
        int *cut = hol_calloc(it->ctx, (size_t)m->n_elements + 1, sizeof *cut);
        if (!cut) return HOL_ERR_MEMORY;
        hol_free(t->forest.cut);
        t->forest.cut = cut;
        cut_all(m, &t->forest);
        hol_tree_destroy(t->r);
        st = hol_tree_create(it->ctx, it->s, &t->forest, &t->r);
    }
    if (st) return st;
    d->r = t->r;
    d->size = hol_tree_sizes(d->r);
    return HOL_OK;
}

static void square_coefficients(srm *d)
{
    const hol_runge_kutta *p = d->pair;
    for (int i = 0; i <= p->stages; i++)
        for (int j = 0; j <= p->stages; j++)
            for (int l = 0; l < j; l++) {
                d->twice[i][l] += j < i ? p->a[i][j] * p->a[j][l] : 0;
                if (i == 0) d->twice_e[l] += p->e[j] * p->a[j][l];
            }
}

// Multipliers, rates of all iterates and points, in one piece of memory.
static hol_status make_room(hol_integrator *it, srm *d)
{
    const size_t m = (size_t)d->size->n_loops, N = (size_t)d->n, rates = (size_t)(d->S * d->nk);
    const size_t n1 = it->tolerance > 0 ? (size_t)d->n1 : 0;
    const int s = d->pair->stages, rows = d->pair->e[s] != 0 ? s + 1 : s > 1 ? s : 2;
    d->memory = hol_calloc(it->ctx, 4 * m + (size_t)rows * rates + 2 * N + n1 + 1, sizeof *d->memory);
    if (!d->memory) return HOL_ERR_MEMORY;
    double **const loop[] = {&d->mu0, &d->mu, &d->gain, &d->next};
    double *at = d->memory;
    for (int i = 0; i < HOL_COUNT(loop); i++, at += m) *loop[i] = at;
    for (int i = 0; i < rows; i++, at += rates) d->k[i] = at;
    d->end = rows - 1; // without an error there no other stage is needed then
    d->y0 = at;
    d->y = d->y0 + N;
    d->error = d->y + N;
    return HOL_OK;
}

// All iterates at it->x.
static hol_status begin(hol_integrator *it, srm *d)
{
    for (int s = 0; s < d->S; s++) hol_state_pack(it->s, &it->x, d->y0 + s * d->n1);
    if (it->option[MULTIPLIERS].num > 0)
        hol_tree_loop_multipliers(d->r, &it->x, d->mu0);
    else
        memset(d->mu0, 0, (size_t)d->size->n_loops * sizeof *d->mu0);
    hol_state_copy(it->s, &d->w, &it->x);
    const hol_status st = cascade(it, d, it->x.t, d->y0, d->k[0], false);
    d->power = d->median = 0;
    d->held = false;
    return st;
}

static bool is_tree(const srm *d) { return d->size->n_loops == 0; }

static bool watches(const hol_integrator *it, const srm *d) { return is_tree(d) && it->tolerance > 0; }

// Loops bound the steps by eps; without them nothing does at rest, where the error is 0.
static hol_status watch_rates(hol_integrator *it, srm *d)
{
    hol_stiffness *w = &d->stiffness;
    if (!is_tree(d)) return HOL_OK;
    const hol_status st = hol_stiffness_create(it, w);
    if (st) return st;
    w->accelerations = accelerations;
    for (int i = 0; i < 2; i++) w->reach[i] = NEAR_STABLE * d->pair->stable[i];
    w->order = d->pair->order <= 2 ? d->pair->order : 0;
    const double longest = hol_stiffness_longest(it, w);
    if (it->tolerance > 0) {
        it->h = fmin(it->h, longest);
        hol_stiffness_restart(w);
        return HOL_OK;
    }
    if (it->h > longest)
        hol_note(
            it->ctx, HOL_WARNING,
            "srm: steps of %.3g s are above the longest that are stable, %.3g s: the motion at the start "
            "has %.3g %s; take shorter ones",
            it->h, longest, w->rate, w->vibrates ? "rad/s" : "1/s");
    hol_stiffness_destroy(w);
    it->stiff = NULL;
    return HOL_OK;
}

// Pair, iterates and tree, then eps and alpha, then the room for the iterates.
static hol_status create(hol_integrator *it)
{
    static const hol_runge_kutta *const pairs[] = {&hol_runge_kutta_2, &hol_runge_kutta_1,
                                                   &hol_runge_kutta_5};
    const hol_value *o = it->option;
    hol_obstacle obstacle = {0};
    srm *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    d->pair = pairs[(int)o[PAIR].num];
    d->S = (int)o[FORM].num == PENALTY ? 1 : (int)o[ITERATES].num;
    d->n1 = 2 * it->s->nq + it->s->nx;
    d->n = d->S * d->n1;
    d->nk = it->s->nq + it->s->nx;
    square_coefficients(d);
    d->scaled = (int)o[SCALING].num == 0;
    hol_one_step_restart(&d->one);
    hol_status st = hol_loops_possible(it->ctx, it->s->m, &obstacle);
    if (!st) st = hol_state_create(it->s, &d->w);
    if (!st) st = make_tree(it, d, &obstacle);
    if (st > 0 && obstacle.why)
        return hol_fail_at(it->ctx, HOL_ERR_USAGE, obstacle.at, "method srm does not take \"%s\": %s",
                           obstacle.name, obstacle.why);
    if (!st) st = choose_eps(it, d); // what it needs is given back before the room is taken
    if (!st) st = make_room(it, d);
    if (!st) st = begin(it, d);
    if (!st) st = watch_rates(it, d);
    it->srm = &d->total;
    if (st > 0) st = hol_fault_report_start(it->s, &it->x, st);
    return st > 0 ? hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                             "srm: the accelerations are not determined at the start")
                  : st;
}

static void destroy(hol_integrator *it)
{
    srm *d = it->data;
    if (!d) return;
    hol_stiffness_destroy(&d->stiffness);
    hol_loops_destroy(&d->tree);
    hol_state_destroy(&d->w);
    hol_free(d->memory);
    hol_free(d);
}

static hol_status restart(hol_integrator *it)
{
    srm *d = it->data;
    hol_one_step_restart(&d->one);
    if (watches(it, d)) hol_stiffness_restart(&d->stiffness);
    return begin(it, d);
}

// ---- a step ---------------------------------------------------------------------------------------------------

enum { CHUNK = 512 }; // numbers that stay in the nearest cache

// to += f k, in the chunks of a sum
static void add(int n, double f, const double *k, double *to)
{
    if (f == 0) return;
    for (int i = 0; i < n; i++) to[i] += f * k[i];
}

// Stage i of an iterate, h and the coefficients of the stage: y from y0 and the rates.
typedef struct {
    srm *d;
    int nq, stage, iterate;
    double h, c;
} combination;

// The argument of a stage (15.4a), for coordinates from .. to - 1, some at a time.
static void combine_range(void *with, int from, int to)
{
    const combination *o = with;
    const srm *d = o->d;
    const double *a = d->pair->a[o->stage], *twice = d->twice[o->stage], h = o->h, c = o->c;
    const double *q0 = d->y0 + o->iterate * d->n1, *v0 = q0 + o->nq;
    double *q = d->y + o->iterate * d->n1, *v = q + o->nq;
    for (int at = from; at < to; at += CHUNK) {
        const int n = to - at < CHUNK ? to - at : CHUNK;
        for (int i = at; i < at + n; i++) q[i] = q0[i] + h * c * v0[i], v[i] = v0[i];
        for (int j = 0; j < o->stage; j++) {
            const double *k = d->k[j] + o->iterate * d->nk + at;
            add(n, h * h * twice[j], k, q + at);
            add(n, h * a[j], k, v + at);
        }
    }
}

// The same for all iterates, by threads, and users' states.
static void combine(const hol_integrator *it, srm *d, int stage, double h)
{
    const int nq = it->s->nq, nx = it->s->nx;
    const double *a = d->pair->a[stage];
    combination o = {.d = d, .nq = nq, .stage = stage, .h = h};
    for (int j = 0; j < stage; j++) o.c += a[j];
    for (o.iterate = 0; o.iterate < d->S; o.iterate++) {
        const int at = o.iterate * d->n1 + 2 * nq;
        hol_team_each(it->s->team, nq, combine_range, &o);
        memcpy(d->y + at, d->y0 + at, (size_t)nx * sizeof *d->y);
        for (int j = 0; j < stage; j++) add(nx, h * a[j], d->k[j] + o.iterate * d->nk + nq, d->y + at);
    }
}

// Of the last iterate.
static double estimate(const hol_integrator *it, const srm *d, double h)
{
    const int last = d->n - d->n1, nq = it->s->nq, stages = d->pair->stages + 1;
    const double *e = d->pair->e, *v0 = d->y0 + last + nq;
    double sum = 0;
    for (int j = 0; j < stages; j++) sum += e[j];
    for (int i = 0; i < nq; i++) d->error[i] = h * sum * v0[i];
    memset(d->error + nq, 0, (size_t)d->nk * sizeof *d->error);
    for (int j = 0; j < stages; j++) {
        if (!d->k[j]) continue; // of the end point, which has no part
        const double *k = d->k[j] + (d->S - 1) * d->nk;
        add(nq, h * h * d->twice_e[j], k, d->error);
        add(d->nk, h * e[j], k, d->error + nq);
    }
    return hol_norm_error(&it->norm, 0, d->error, d->y0 + last, d->y + last);
}

// All stages, each of S iterates, then the new point and its error.
static hol_status attempt(hol_integrator *it, double t1, double h, double *error)
{
    srm *d = it->data;
    const hol_runge_kutta *p = d->pair;
    const int s = p->stages;
    const bool ends = p->e[s] != 0; // the estimate uses the end point
    hol_status st = HOL_OK;
    *error = 0;
    for (int i = 1; i < s && !st; i++) {
        double c = 0;
        for (int j = 0; j < i; j++) c += p->a[i][j];
        combine(it, d, i, h);
        st = hol_trial_status(cascade(it, d, it->x.t + c * h, d->y, d->k[i], false));
    }
    if (st) return st;
    combine(it, d, s, h);
    if (it->tolerance > 0 && !ends && (*error = estimate(it, d, h)) > 1) return HOL_OK;
    st = hol_trial_status(cascade(it, d, t1, d->y, d->k[d->end], true));
    if (it->tolerance > 0 && ends && !st) *error = estimate(it, d, h);
    return st;
}

// Largest difference of the positions of the last two iterates, by natural size.
static double difference(const hol_integrator *it, const srm *d)
{
    const double *q = d->y + d->n - d->n1;
    return d->S > 1 ? hol_team_largest(it->s->team, it->s->nq, q, q - d->n1, it->s->q_size) : 0;
}

// What the summary tells of the loops: dissipated energy, openings, differences of iterates.
static void report(hol_integrator *it, srm *d, double h)
{
    hol_srm_report *sum = &d->total;
    sum->dissipated += 0.5 * h * (d->power + d->now.power);
    d->power = d->now.power;
    sum->drift = fmax(sum->drift, d->now.drift);
    sum->rate = fmax(sum->rate, d->now.rate);
    sum->multiplier = fmax(sum->multiplier, d->now.multiplier);
    sum->estimate = fmax(sum->estimate, difference(it, d));
    sum->factors = d->size->factors;
    sum->applies = d->size->applies;
}

// Multipliers grow without bound near a singular pose: what is carried into it would be an impulse behind it.
static hol_status carry(hol_integrator *it, srm *d)
{
    const int choice = (int)it->option[CARRY].num, m = d->size->n_loops;
    const double size = d->now.multiplier;
    if (choice == NO_CARRY) return HOL_OK;
    if (d->median == 0) d->median = size;
    d->median *= size > d->median ? DRIFT : 1 / DRIFT;
    const bool grown = size > GROWN * d->median;
    if (grown && !d->held) memset(d->next, 0, (size_t)m * sizeof *d->next);
    d->held = grown;
    memcpy(d->mu0, d->next, (size_t)m * sizeof *d->mu0);
    if (choice != COPY || grown || (it->count.steps + 1) % (long)it->option[RESYNC].num) return HOL_OK;
    for (int i = 0; i < m; i++) d->mu0[i] = d->mu[i] - d->S * d->gain[i]; // mu_S stays as it is
    for (int s = 0; s < d->S - 1; s++)
        memcpy(d->y0 + s * d->n1, d->y0 + (d->S - 1) * d->n1, (size_t)d->n1 * sizeof *d->y0);
    memcpy(d->w.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->w.mem);
    return cascade(it, d, it->x.t, d->y0, d->k[0], false);
}

// Attempts until one is accepted; then multipliers are carried on and accounted for.
static hol_status step(hol_integrator *it, double t_stop)
{
    srm *d = it->data;
    double h = it->h;
    memcpy(d->w.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->w.mem);
    const double t0 = it->x.t;
    const hol_status st = hol_one_step_take(it, &d->one, d->pair->order, t_stop, attempt, NULL, &h);
    if (st > 0) return hol_stop(it, &d->w, h, d->one.tried, "accelerations are not finite", "a larger eps");
    if (st) return st;
    if (d->bound && it->limit == HOL_LIMIT_MAX_STEP) it->limit = HOL_LIMIT_STABILITY;
    hol_integrator_advance(it, &d->w);
    double *const y = d->y0;
    report(it, d, it->x.t - t0);
    d->y0 = d->y;
    d->y = y;
    double *const k = d->k[0];
    d->k[0] = d->k[d->end];
    d->k[d->end] = k;
    if (watches(it, d)) hol_stiffness_watch(it, &d->stiffness);
    return carry(it, d);
}

static void archive_report(hol_srm_report *r, hol_archive *a)
{
    double *const numbers[] = {&r->eps,   &r->drift,      &r->rate,  &r->estimate, &r->multiplier,
                               &r->power, &r->dissipated, &r->least, &r->most};
    for (int i = 0; i < HOL_COUNT(numbers); i++) HOL_ARCHIVE(a, *numbers[i]);
    hol_archive_counts(a, &r->factors, 1);
    hol_archive_counts(a, &r->applies, 1);
}

// What a step depends on beside the state, for checkpoints.
static void archive(hol_integrator *it, hol_archive *a)
{
    srm *d = it->data;
    const size_t m = (size_t)d->size->n_loops;
    hol_one_step_archive(&d->one, a);
    archive_report(&d->now, a);
    archive_report(&d->total, a);
    HOL_ARCHIVE(a, d->alpha);
    HOL_ARCHIVE(a, d->median);
    HOL_ARCHIVE(a, d->power);
    hol_archive_flag(a, &d->held);
    hol_archive_numbers(a, d->mu0, m);
    hol_archive_numbers(a, d->y0, (size_t)d->n);
    hol_archive_numbers(a, d->k[0], (size_t)(d->S * d->nk));
    if (watches(it, d)) hol_stiffness_archive(it, &d->stiffness, a);
}

static bool matrix_free(const hol_value *o)
{
    (void)o;
    return true;
}

// Options that do not go together; NULL: they do.
static const char *refuse(const hol_value *o, bool variable)
{
    const int carry = (int)o[CARRY].num, iterates = (int)o[ITERATES].num;
    const bool penalty = (int)o[FORM].num == PENALTY;
    if (variable && (int)o[PAIR].num == EULER) return "pair euler has no error estimate: fixed steps only";
    if (penalty && o[ITERATES].given && iterates > 1) return "form penalty has one iterate";
    if (penalty && carry != NO_CARRY) return "form penalty carries nothing";
    if (carry == EVERY_STEP && iterates != 1) return "carry: step goes with iterates: 1";
    if (carry == COPY && iterates == 1) return "carry: resync goes with two iterates or more";
    return NULL;
}

// Of positions; velocities in loops are of order 1 with eps in proportion to the step.
static int order_of(const hol_value *o)
{
    return (int)o[FORM].num == PENALTY ? 0 : (int)o[PAIR].num == EULER ? 1 : 2;
}

// Heun's error is estimated by Euler's formula, that of Dormand and Prince by theirs of order 4.
static int estimate_power(const hol_value *o) { return (int)o[PAIR].num == ORDER5 ? 5 : 2; }

const hol_method hol_method_srm = {
    .name = "srm",
    .family = "Runge-Kutta",
    .doc = "sequential regularization of closed loops (Ascher, Lin), explicit, O(n) for any number of loops; "
           "for large "
           "models with many loops that need not be held to rounding",
    .open = true,
    .linear_unknowns = true,
    .order = 2,
    .order_of = order_of,
    .divisor = 10,
    .own_estimate = true,
    .estimate_power = estimate_power,
    .accepts = HOL_ACCEPTS_ALL & ~HOL_ACCEPTS_RATES & ~HOL_ACCEPTS_UNKNOWNS,
    .options = options,
    .matrix_free = matrix_free,
    .fewest_steps = 20,
    .refuse = refuse,
    .create = create,
    .destroy = destroy,
    .step = step,
    .restart = restart,
    .evaluate = evaluate,
    .archive = archive,
    .interpolate = hol_interpolate_hermite,
};
