// Sequential regularization: the loops are held by multipliers that S iterates of the motion build up one after the other,
//
//     M u_s + B^T lam_s + D^T mu_s = f(t, q_s, nu_s),  B u_s = gam                                          (15.3)
//     mu_s = mu_s-1 + E (theta'_s + alpha theta_s)/eps,  s = 1 .. S                                         (15.4)
//
// all of them one explicit ordinary differential equation, one solve along the tree of joints for each iterate and stage:
// O(n) however many loops there are, and nothing is inverted that loses rank at a singular pose. The last iterate is the
// result. Lin, sequential regularization for mechanical systems with many closed loops, (3.10) and (3.12).
#include "integrator/one_step.h"
#include "integrator/rk_pairs.h"
#include "recursion/loop_solve.h"
#include "system/settle.h"

#include <math.h>
#include <string.h>

enum { FORM, PAIR, ITERATES, EPS, C, ALPHA, SCALING, CARRY, RESYNC, PROJECT };
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
    {"eps", HOL_NUMBER, "", 0, 0, HOL_INF, 0, NULL,
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
    HOL_END_OPTIONS};
#define STABLE 2.0   // h lambda/eps of Euler's and Heun's method
#define STABLE_5 3.3 // of Dormand and Prince
#define SAFETY 2.0   // eigenvalues change with the pose
#define START 1e-12  // part of the right-hand side that the accelerations at the start may miss
#define TREE 1e-10   // violation of the tree's joints that is left, by natural size
#define PART_OF 0.03 // or this part of what the loops were open by at the last point
#define PART 0.5     // of the last change that is carried into the next step
#define GROWN 10     // times the median of the multipliers: a singular pose
#define DRIFT 1.05   // of the median, per step

typedef struct {
    const hol_runge_kutta *pair;
    int S, n1, n; // iterates; 2 nq + nx; S n1
    double alpha;
    bool scaled;
    hol_forest forest;
    hol_recursion *r;
    hol_explicit users;
    const hol_recursion_size *size;
    double *row_size;               // natural size of each loop row                            (n_loops)
    double *mu0, *mu, *gain, *next; // mu_0; mu_S, mu_S - mu_S-1 at the last point; next mu_0       (n_loops)
    double *u, *lam;                // of a stage                                           (n), (n_tree)
    double *k, *y0, *y, *sum; // rates; the iterates (q; v; X), now, stage and new; room (stages + 1, n), (n)
    double *memory;
    hol_state w, part; // stage and new point; an iterate of it, its memory is elsewhere
    hol_one_step one;
    double median, power; // of the multipliers; mu_S . theta' at the last point [W]
    bool held;            // nothing is carried at present
    hol_srm_report now, total;
} srm;

// ---- the cascade ------------------------------------------------------------------------------------------------

// g = E (theta' + alpha theta), and at the end of a step what it tells.
static void regularize(const hol_integrator *it, srm *d, const double *nu, double *g, bool tell)
{
    const double *theta = hol_recursion_theta(d->r), *time = hol_recursion_theta_t(d->r);
    const int m = d->size->n_loops;
    hol_recursion_loops_times(d->r, nu, g);
    for (int i = 0; i < m; i++) {
        g[i] += time[i];
        if (!tell) continue;
        d->sum[i] = g[i];
        d->now.drift = fmax(d->now.drift, fabs(theta[i]) / d->row_size[i]);
        d->now.rate = fmax(d->now.rate, fabs(g[i]) / d->row_size[i] * it->s->m->time_scale);
    }
    for (int i = 0; i < m; i++) g[i] += d->alpha * theta[i];
    if (!d->scaled) return;
    hol_recursion_factor_blocks(d->r);
    hol_recursion_solve_blocks(d->r, g);
}

// Multipliers at the end of a step; with `carry: step` the part that the next step starts from is in them already.
static void conclude(const hol_integrator *it, srm *d)
{
    const int m = d->size->n_loops;
    const bool carry = (int)it->option[CARRY].num == EVERY_STEP && !d->held;
    d->now.power = 0;
    for (int i = 0; i < m; i++) {
        d->next[i] = d->mu0[i] + (carry ? PART * d->gain[i] : 0);
        if (carry) d->mu[i] += PART * d->gain[i];
        d->now.power += d->mu[i] * d->sum[i];
        d->now.multiplier = fmax(d->now.multiplier, fabs(d->mu[i]));
    }
}

// Accelerations x->a of an iterate at x; d->mu goes from mu_s-1 to mu_s.
static hol_status iterate(hol_integrator *it, srm *d, hol_state *x, bool last)
{
    const int m = d->size->n_loops;
    hol_status st = hol_explicit_evaluate(&d->users, it->s, x);
    if (st) return st;
    hol_recursion_set(d->r, x);
    double *f = hol_recursion_forces(d->r);
    if (m) {
        hol_recursion_set_loops(d->r, x);
        regularize(it, d, hol_recursion_twists(d->r), d->gain, last);
        for (int i = 0; i < m; i++) d->mu[i] += d->gain[i] /= d->now.eps;
        if (last) conclude(it, d);
        hol_recursion_loops_force(d->r, -1, d->mu, f);
    }
    if ((st = hol_recursion_factor_apply(d->r, f, hol_recursion_bias(d->r), d->u))) return st;
    hol_recursion_put_accelerations(d->r, d->u, x);
    return HOL_OK;
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

// Rates of all iterates y at t. end: d->w becomes the complete state of the last one.
static hol_status cascade(hol_integrator *it, srm *d, double t, double *y, double *rate, bool end)
{
    memcpy(d->mu, d->mu0, (size_t)d->size->n_loops * sizeof *d->mu);
    d->w.t = t;
    if (end) d->now.drift = d->now.rate = d->now.multiplier = 0;
    for (int s = 0; s < d->S; s++) {
        const bool last = end && s == d->S - 1;
        double *at = y + s * d->n1;
        if (last) hol_state_unpack(it->s, at, &d->w);
        hol_state *x = last ? &d->w : seen(it, d, at);
        const hol_status st = iterate(it, d, x, last);
        if (st) return st;
        hol_state_rate(it->s, x, rate + s * d->n1);
    }
    if (!end) return HOL_OK;
    hol_recursion_multipliers(d->r, hol_recursion_forces(d->r), d->u, d->lam);
    hol_recursion_put_multipliers(d->r, d->lam, d->mu, &d->w);
    return HOL_OK;
}

// ---- eps ---------------------------------------------------------------------------------------------------------

// Largest acceleration with which the loops of the free tree come apart [m/s^2].
static hol_status miss(hol_integrator *it, srm *d, double *out)
{
    const double *tau = hol_recursion_theta_tau(d->r);
    hol_state_copy(it->s, &d->w, &it->x);
    *out = it->s->m->length_scale / (it->s->m->time_scale * it->s->m->time_scale) * 1e-3;
    hol_status st = hol_explicit_evaluate(&d->users, it->s, &d->w);
    if (st) return st;
    hol_recursion_set(d->r, &d->w);
    hol_recursion_set_loops(d->r, &d->w);
    if ((st = hol_recursion_factor(d->r))) return st;
    hol_recursion_apply(d->r, hol_recursion_forces(d->r), hol_recursion_bias(d->r), d->u);
    hol_recursion_loops_times(d->r, d->u, d->gain);
    for (int i = 0; i < d->size->n_loops; i++)
        *out = fmax(*out, fabs(d->gain[i] - tau[i]) / d->row_size[i] * it->s->m->length_scale);
    return HOL_OK;
}

// From the tolerance: the loops open by about eps^2 miss/c, (15.7); with fixed steps the smallest that is stable. A step is
// never longer than stability allows, and eps never follows the step.
static hol_status choose_eps(hol_integrator *it, srm *d)
{
    const hol_value *o = it->option;
    const double stable = (int)o[PAIR].num == ORDER5 ? STABLE_5 : STABLE;
    double apart;
    hol_status st = hol_loops_extremes(it->ctx, d->r, &it->x, d->scaled, &d->total.least, &d->total.most);
    if (!st) st = miss(it, d, &apart);
    if (st) return st;
    const double steepest = SAFETY * fmax(d->total.most, 1e-3) / stable; // eps/h
    const double open = it->tolerance * it->s->m->length_scale / apart;
    double eps = o[EPS].num;
    if (eps == 0 && it->tolerance > 0) eps = o[ALPHA].num > 0 ? open * o[ALPHA].num : sqrt(open * o[C].num);
    if (eps == 0) eps = steepest * it->h;
    d->now.eps = d->total.eps = eps;
    d->alpha = o[ALPHA].num > 0 ? o[ALPHA].num : o[C].num / eps;
    if (it->tolerance > 0) {
        it->h_max = fmin(it->h_max, eps / steepest);
        it->h = fmin(it->h, 0.1 * it->h_max);
    } else if (it->h * d->total.most > stable * eps)
        hol_note(it->ctx, HOL_WARNING,
                 "srm: eps = %.3g is unstable with steps of %.3g s at the start; the method asks for %.3g",
                 eps, it->h, it->h * d->total.most / stable);
    return HOL_OK;
}

// ---- creation -------------------------------------------------------------------------------------------------

// Accelerations and multipliers at the start, exact, with room that is given back.
static hol_status solve_start(hol_integrator *it)
{
    hol_loops exact;
    hol_status st = hol_loops_create(it->ctx, it->s, &it->x, START, &exact);
    if (!st) st = hol_loops_accelerations(&exact, &it->x, true);
    hol_loops_destroy(&exact);
    return st;
}

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

static hol_status make_tree(hol_integrator *it, srm *d)
{
    const hol_model_data *m = it->s->m;
    hol_status st = hol_forest_create(it->ctx, m, it->x.q, &d->forest);
    if (st) return st;
    if ((int)it->option[FORM].num == ALL) {
        int *cut = hol_calloc(it->ctx, (size_t)m->n_elements + 1, sizeof *cut);
        if (!cut) return HOL_ERR_MEMORY;
        hol_free(d->forest.cut);
        d->forest.cut = cut;
        cut_all(m, &d->forest);
    }
    st = hol_recursion_create(it->ctx, it->s, &d->forest, &d->r);
    if (!st) d->size = hol_recursion_sizes(d->r);
    return st;
}

static void size_rows(const hol_integrator *it, srm *d)
{
    for (int i = 0; i < d->size->n_loops; i++) {
        int row;
        const hol_element *e = hol_recursion_loop_row(d->r, i, &row);
        d->row_size[i] = hol_model_row_size(it->s->m, e->row + row);
    }
}

static hol_status make_room(hol_integrator *it, srm *d)
{
    const size_t m = (size_t)d->size->n_loops, n = (size_t)d->size->n, t = (size_t)d->size->n_tree;
    const size_t N = (size_t)d->n, stages = (size_t)d->pair->stages + 1;
    const size_t n1 = (size_t)d->n1, room = n1 > m ? n1 : m;
    d->memory = hol_calloc(it->ctx, 5 * m + n + t + (stages + 2) * N + room + 1, sizeof *d->memory);
    if (!d->memory) return HOL_ERR_MEMORY;
    double **const loop[] = {&d->row_size, &d->mu0, &d->mu, &d->gain, &d->next};
    double *at = d->memory;
    for (int i = 0; i < HOL_COUNT(loop); i++, at += m) *loop[i] = at;
    d->u = at;
    d->lam = d->u + n;
    d->k = d->lam + t;
    d->y0 = d->k + stages * N;
    d->y = d->y0 + N;
    d->sum = d->y + N;
    size_rows(it, d);
    return HOL_OK;
}

// All iterates at it->x.
static hol_status begin(hol_integrator *it, srm *d)
{
    for (int s = 0; s < d->S; s++) hol_state_pack(it->s, &it->x, d->y0 + s * d->n1);
    memset(d->mu0, 0, (size_t)d->size->n_loops * sizeof *d->mu0);
    hol_state_copy(it->s, &d->w, &it->x);
    const hol_status st = cascade(it, d, it->x.t, d->y0, d->k, false);
    d->power = d->median = 0;
    d->held = false;
    return st;
}

static hol_status create(hol_integrator *it)
{
    static const hol_runge_kutta *const pairs[] = {&hol_runge_kutta_2, &hol_runge_kutta_1,
                                                   &hol_runge_kutta_5};
    const hol_value *o = it->option;
    hol_obstacle obstacle;
    srm *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    d->pair = pairs[(int)o[PAIR].num];
    d->S = (int)o[FORM].num == PENALTY ? 1 : (int)o[ITERATES].num;
    d->n1 = 2 * it->s->nq + it->s->nx;
    d->n = d->S * d->n1;
    d->scaled = (int)o[SCALING].num == 0;
    hol_one_step_restart(&d->one);
    hol_status st = hol_explicit_create(it->ctx, it->s->m, &d->users, &obstacle);
    if (st > 0)
        return hol_fail_at(it->ctx, HOL_ERR_USAGE, obstacle.at, "method srm does not take \"%s\": %s",
                           obstacle.name, obstacle.why);
    if (!st) st = hol_state_create(it->s, &d->w);
    if (!st) st = solve_start(it);
    if (!st) st = make_tree(it, d);
    if (!st) st = make_room(it, d);
    if (!st) st = choose_eps(it, d);
    if (!st) st = begin(it, d);
    it->srm = &d->total;
    return st > 0 ? hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                             "srm: the accelerations are not determined at the start")
                  : st;
}

static void destroy(hol_integrator *it)
{
    srm *d = it->data;
    if (!d) return;
    hol_recursion_destroy(d->r);
    hol_forest_destroy(&d->forest);
    hol_explicit_destroy(&d->users);
    hol_state_destroy(&d->w);
    hol_free(d->memory);
    hol_free(d);
}

static hol_status restart(hol_integrator *it)
{
    srm *d = it->data;
    hol_one_step_restart(&d->one);
    return begin(it, d);
}

// Other rows of redundant loops, as many as before; the tree stays.
static hol_status rows_changed(hol_integrator *it)
{
    srm *d = it->data;
    hol_recursion_destroy(d->r);
    d->r = NULL;
    const hol_status st = hol_recursion_create(it->ctx, it->s, &d->forest, &d->r);
    if (st) return st;
    d->size = hol_recursion_sizes(d->r);
    size_rows(it, d);
    return begin(it, d);
}

// ---- a step ---------------------------------------------------------------------------------------------------

// The joints of the tree are held better than the loops are, by a factor.
static hol_status project(hol_integrator *it, srm *d)
{
    hol_status st = HOL_OK;
    for (int s = 0; s < d->S && !st; s++)
        st = hol_recursion_project(d->r, seen(it, d, d->y + s * d->n1), fmax(TREE, PART_OF * d->now.drift),
                                   fmax(TREE, PART_OF * d->now.rate));
    return st;
}

// Of the last iterate.
static double estimate(const hol_integrator *it, const srm *d, double h)
{
    const int last = d->n - d->n1, stages = d->pair->stages + 1;
    memset(d->sum, 0, (size_t)d->n1 * sizeof *d->sum);
    for (int j = 0; j < stages; j++) {
        const double f = h * d->pair->e[j], *k = d->k + j * d->n + last;
        for (int i = 0; i < d->n1 && f != 0; i++) d->sum[i] += f * k[i];
    }
    return hol_one_step_norm(it, d->sum, d->y0 + last, d->y + last);
}

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
        hol_runge_kutta_combine(d->n, d->k, p->a[i], i, h, d->y0, d->y);
        st = cascade(it, d, it->x.t + c * h, d->y, d->k + i * d->n, false);
    }
    if (st) return st;
    hol_runge_kutta_combine(d->n, d->k, p->a[s], s, h, d->y0, d->y);
    if (it->tolerance > 0 && !ends && (*error = estimate(it, d, h)) > 1) return HOL_OK;
    d->w.t = t1;
    if (it->option[PROJECT].num != 0) st = project(it, d);
    if (!st) st = cascade(it, d, t1, d->y, d->k + s * d->n, true);
    if (it->tolerance > 0 && ends && !st) *error = estimate(it, d, h);
    return st;
}

// Largest difference of the positions of the last two iterates, by natural size.
static double difference(const hol_integrator *it, const srm *d)
{
    const double *q = d->y + d->n - d->n1;
    double most = 0;
    for (int i = 0; i < it->s->nq && d->S > 1; i++)
        most = fmax(most, fabs(q[i] - q[i - d->n1]) / it->s->q_size[i]);
    return most;
}

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
    return cascade(it, d, it->x.t, d->y0, d->k, false);
}

static hol_status step(hol_integrator *it, double t_stop)
{
    srm *d = it->data;
    double h = it->h;
    memcpy(d->w.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->w.mem);
    const double t0 = it->x.t;
    const hol_status st = hol_one_step_take(it, &d->one, d->pair->order, t_stop, attempt, NULL, &h);
    if (st > 0)
        return hol_one_step_fail(it, &d->one, &d->w, h,
                                 "accelerations are not finite: try a larger eps, another --method");
    if (st) return st;
    hol_integrator_advance(it, &d->w);
    double *const y = d->y0;
    report(it, d, it->x.t - t0);
    d->y0 = d->y;
    d->y = y;
    memcpy(d->k, d->k + d->pair->stages * d->n, (size_t)d->n * sizeof *d->k);
    return carry(it, d);
}

static void archive(hol_integrator *it, hol_archive *a)
{
    srm *d = it->data;
    const size_t m = (size_t)d->size->n_loops;
    hol_one_step_archive(&d->one, a);
    HOL_ARCHIVE(a, d->now);
    HOL_ARCHIVE(a, d->total);
    HOL_ARCHIVE(a, d->alpha);
    HOL_ARCHIVE(a, d->median);
    HOL_ARCHIVE(a, d->power);
    HOL_ARCHIVE(a, d->held);
    HOL_ARCHIVE(a, it->h_max);
    hol_archive_bytes(a, d->mu0, m * sizeof *d->mu0);
    hol_archive_bytes(a, d->y0, (size_t)d->n * sizeof *d->y0);
    hol_archive_bytes(a, d->k, (size_t)d->n * sizeof *d->k);
}

static bool matrix_free(const hol_value *o)
{
    (void)o;
    return true;
}

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

const hol_method hol_method_srm = {
    .name = "srm",
    .doc =
        "sequential regularization of closed loops (Lin), explicit, O(n) for any number of loops; for large "
        "models with many loops that need not be held to rounding",
    .open = true,
    .order = 2,
    .accepts = HOL_ACCEPTS_ALL & ~HOL_ACCEPTS_RATES & ~HOL_ACCEPTS_UNKNOWNS,
    .options = options,
    .matrix_free = matrix_free,
    .fewest_steps = 20,
    .refuse = refuse,
    .create = create,
    .destroy = destroy,
    .step = step,
    .restart = restart,
    .rows_changed = rows_changed,
    .archive = archive,
    .interpolate = hol_interpolate_hermite,
};
