// What elements have cost in a run: each kind is evaluated alone at the final state, as the equations do it, and multiplied
// with the evaluations counted.
#include "analysis/dynamics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KINDS = 64, SAMPLES = 64, ROUNDS = 3 };
#define ROUND 2e-5 // shortest round [s]

// Elements of one type and size. Of many, samples at equal distances are measured.
typedef struct {
    const hol_element *first;
    const hol_element *sample[SAMPLES];
    long count, stride, low, high; // low .. high: numbers at the ends of their names
    int n, stem;                   // samples; length of the name before the number, -1: names are not alike
} kind;

// ---- kinds ----------------------------------------------------------------------------------------------------

static bool alike(const hol_element *a, const hol_element *b)
{
    return a->type == b->type && a->ny == b->ny && a->n_rows == b->n_rows && a->n_rates == b->n_rates &&
           a->n_mem == b->n_mem && a->n_inputs == b->n_inputs;
}

// "link12": 4 and 12; -1 without a number.
static int stem_of(const char *name, long *number)
{
    int n = (int)strlen(name);
    *number = 0;
    long power = 1;
    while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9' && power < 1000000000) {
        *number += power * (name[--n] - '0');
        power *= 10;
    }
    return power > 1 ? n : -1;
}

// Takes an element into its kind: the name they share, with numbers from low to high, and some samples to be
// timed.
static void add(kind *k, const hol_element *e)
{
    long number;
    const int stem = stem_of(e->name, &number);
    if (!k->count) *k = (kind){.first = e, .stride = 1, .low = number, .high = number, .stem = stem};
    if (stem != k->stem || (stem > 0 && strncmp(e->name, k->first->name, (size_t)stem) != 0)) k->stem = -1;
    if (number < k->low) k->low = number;
    if (number > k->high) k->high = number;
    if (k->count++ % k->stride) return;
    if (k->n == SAMPLES) { // every other one
        k->n /= 2;
        k->stride *= 2;
        for (int i = 0; i < k->n; i++) k->sample[i] = k->sample[2 * i];
        if ((k->count - 1) % k->stride) return;
    }
    k->sample[k->n++] = e;
}

// When there are too many kinds, an element goes to one of its type.
static int sort(const hol_model_data *m, kind *list)
{
    int n = 0, last = 0;
    for (int i = 0; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        int k = last;
        if (!n || !alike(list[k].first, e))
            for (k = 0; k < n && !alike(list[k].first, e);) k++;
        if (k == KINDS)
            for (k = 0; k < n - 1 && list[k].first->type != e->type;) k++;
        if (k == n) n++;
        add(&list[k], e);
        last = k;
    }
    return n;
}

// ---- what is measured -----------------------------------------------------------------------------------------

typedef void part(hol_dynamics *d, const hol_element *e);

static void add_force(hol_dynamics *d, const hol_element *e, const hol_real *y, const hol_real *w)
{
    const hol_state *x = &d->it->x;
    hol_real Q[HOL_MAX_Y] = {0}, u[HOL_MAX_ROWS];
    if (!e->type->force || !hol_element_acts(e, x->mem)) return;
    hol_equations_inputs(e, x, u);
    e->type->force(e->data, e->ny, y, w, x->mem + e->mem, u, Q);
    hol_element_scatter(d->m, e, Q, 0, d->it->before.a);
}

static void force(hol_dynamics *d, const hol_element *e)
{
    const hol_state *x = &d->it->x;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    hol_element_gather(d->m, e, x->t, x->q, x->v, 1, y, w);
    add_force(d, e, y, w);
}

static void residual(hol_dynamics *d, const hol_element *e)
{
    const hol_state *x = &d->it->x;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], A[HOL_MAX_Y * HOL_MAX_Y], p[HOL_MAX_Y];
    hol_element_gather(d->m, e, x->t, x->q, x->v, 1, y, w);
    if (e->type->mass) e->type->mass(e->data, y, A);
    add_force(d, e, y, w);
    if (e->n_rates) e->type->rate(e->data, e->ny, y, w, p, NULL, A);
    if (e->n_rows) e->type->phi(e->data, e->ny, y, x->mem + e->mem, p, A);
}

// What the methods evaluate of an element for a matrix.
static void matrix(hol_dynamics *d, const hol_element *e)
{
    const hol_state *x = &d->it->x;
    const hol_element_type *t = e->type;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], u[HOL_MAX_Y] = {0};
    hol_real A[HOL_MAX_Y * HOL_MAX_Y] = {0}, B[HOL_MAX_Y * HOL_MAX_Y] = {0};
    hol_element_gather(d->m, e, x->t, x->q, x->v, 1, y, w);
    if (t->mass) t->mass(e->data, y, B);
    if (t->mass_a) t->mass_a(e->data, y, w, A);
    if (t->force_d && hol_element_acts(e, x->mem)) {
        hol_equations_inputs(e, x, u);
        t->force_d(e->data, e->ny, y, w, x->mem + e->mem, u, A, B);
    }
    if (e->n_rates) t->rate_kap(e->data, e->ny, y, w, u, A, B);
    if (!e->n_rows) return;
    t->phi_lam(e->data, e->ny, y, u, A);
    t->phi(e->data, e->ny, y, NULL, NULL, B);
}

static void light(hol_dynamics *d, const hol_element *e)
{
    const hol_state *x = &d->it->x;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], A[HOL_MAX_Y * HOL_MAX_Y], B[HOL_MAX_Y * HOL_MAX_Y];
    hol_element_gather(d->m, e, x->t, x->q, x->v, 1, y, w);
    if (e->type->mass) e->type->mass(e->data, y, A);
    if (e->n_rates) e->type->rate(e->data, e->ny, y, w, NULL, A, B);
    if (e->n_rows) e->type->phi(e->data, e->ny, y, NULL, NULL, B);
}

static void bordered(hol_dynamics *d, const hol_element *e)
{
    const hol_state *x = &d->it->x;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], A[HOL_MAX_Y * HOL_MAX_Y], along[HOL_MAX_ROWS];
    hol_element_gather(d->m, e, x->t, x->q, x->v, 1, y, w);
    if (e->type->mass) e->type->mass(e->data, y, A);
    add_force(d, e, y, w);
    if (e->n_rows) hol_element_along(e, y, w, NULL, NULL, A, along);
}

static void values_of_users(hol_dynamics *d, const hol_element *e)
{
    (void)e;
    hol_equations_users(d->s, &d->it->x, d->it->before.z);
}

static void slopes_of_users(hol_dynamics *d, const hol_element *e)
{
    (void)e;
    double slope[HOL_NUM_VARIABLES + 1];
    for (int i = 0; i < d->s->nz; i++)
        if (!d->m->equation[i].block) hol_equations_slopes(d->s, &d->it->x, &d->m->equation[i], slope);
}

static void whole(hol_dynamics *d, const hol_element *e)
{
    (void)e;
    d->set.method->evaluate(d->it, &d->it->before, HOL_WANT_ACCELERATIONS);
}

// Seconds of one call, of n elements on average; calls: none need be measured where there are none.
static double seconds(hol_dynamics *d, part *call, const hol_element *const *sample, int n, long calls)
{
    double best = HOL_INF, taken;
    if (calls <= 0) return 0;
    long repeat = 1;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = hol_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
        for (long i = 0; i < repeat; i++)
            for (int k = 0; k < n; k++) call(d, sample[k]);
        taken = hol_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
        if (taken < ROUND) {
            repeat *= 2;
            round = -1;
        } else
            best = fmin(best, taken / (double)(repeat * n));
    }
    return best * (double)calls;
}

// ---- the list -------------------------------------------------------------------------------------------------

static void name_of(const kind *k, char *name, size_t size)
{
    if (k->count == 1)
        snprintf(name, size, "%s", k->first->name);
    else if (k->stem > 0 && k->high - k->low + 1 == k->count)
        snprintf(name, size, "%.*s%ld .. %.*s%ld", k->stem, k->first->name, k->low, k->stem, k->first->name,
                 k->high);
    else
        snprintf(name, size, "%s and %ld more", k->first->name, k->count - 1);
}

typedef struct {
    hol_cost *cost;
    int n, most;
} ranking;

static void insert(ranking *o, const hol_cost *new)
{
    int at = o->n;
    if (!(new->cpu_seconds > 0)) return;
    while (at > 0 && o->cost[at - 1].cpu_seconds < new->cpu_seconds) at--;
    if (at >= o->most) return;
    if (o->n < o->most) o->n++;
    memmove(o->cost + at + 1, o->cost + at, (size_t)(o->n - 1 - at) * sizeof *o->cost);
    o->cost[at] = *new;
}

hol_work hol_work_of(const hol_equations *s)
{
    const hol_evaluations *n = &s->count;
    return (hol_work){n->residuals - n->bordered - n->along_tree, n->jacobians - n->bordered - n->light,
                      n->light, n->bordered, n->along_tree};
}

// The recursion does not go element by element: bodies and joints together are what forces and users' equations leave of it.
static void add_tree(hol_dynamics *d, const hol_work *w, double others, ranking *o)
{
    if (!w->along_tree || !d->set.method->evaluate) return;
    const hol_element *none = NULL;
    hol_cost c = {.type = "along the tree",
                  .cpu_seconds = seconds(d, whole, &none, 1, w->along_tree) - others};
    for (int i = 0; i < d->m->n_elements; i++)
        c.elements += i < d->m->n_bodies || d->m->element[i].n_rows > 0;
    snprintf(c.name, sizeof c.name, "bodies and joints");
    insert(o, &c);
}

// Returns what of it is spent along the tree.
static double add_users(hol_dynamics *d, const hol_work *w, ranking *o)
{
    const int n = d->s->nz;
    const hol_element *none = NULL;
    if (!n) return 0;
    hol_cost c = {.type = "users' equations", .elements = n};
    const double tree = seconds(d, values_of_users, &none, 1, w->along_tree);
    c.cpu_seconds = tree + seconds(d, values_of_users, &none, 1, w->residuals + w->bordered) +
                    seconds(d, slopes_of_users, &none, 1, w->matrices + w->light);
    if (n == 1)
        snprintf(c.name, sizeof c.name, "%s", d->m->equation[0].name);
    else
        snprintf(c.name, sizeof c.name, "%s and %d more", d->m->equation[0].name, n - 1);
    insert(o, &c);
    return tree;
}

int hol_dynamics_costs(hol_dynamics *d, hol_cost *cost, int most)
{
    const hol_status st = d->stats.status;
    const hol_work now = hol_work_of(d->s), *past = &d->inherited;
    const hol_work w = {now.residuals - past->residuals, now.matrices - past->matrices,
                        now.light - past->light, now.bordered - past->bordered,
                        now.along_tree - past->along_tree};
    ranking o = {.cost = cost, .most = most};
    double others = 0; // forces and users' equations along the tree
    kind *kinds = most > 0 && (st == HOL_OK || st == HOL_ERR_CANCELLED || st == HOL_ERR_LIMIT)
                      ? hol_calloc(d->ctx, KINDS, sizeof *kinds)
                      : NULL;
    if (!kinds) return 0;
    hol_team *team = d->s->team;
    d->s->team = NULL; // what one thread takes is measured
    const int n = sort(d->m, kinds);
    for (int i = 0; i < n; i++) {
        const kind *k = &kinds[i];
        const hol_element *const *sample = k->sample;
        const double tree = k->first->type->force ? seconds(d, force, sample, k->n, w.along_tree) : 0;
        hol_cost c = {.type = k->first->type->name, .elements = k->count};
        const bool body = k->first->type->role == HOL_ROLE_BODY;
        c.cpu_seconds =
            (double)k->count *
            ((body ? 0 : tree) + seconds(d, residual, sample, k->n, w.residuals) +
             seconds(d, matrix, sample, k->n, w.matrices) + seconds(d, light, sample, k->n, w.light) +
             seconds(d, bordered, sample, k->n, w.bordered));
        others += body ? 0 : (double)k->count * tree;
        name_of(k, c.name, sizeof c.name);
        insert(&o, &c);
    }
    hol_free(kinds);
    others += add_users(d, &w, &o);
    add_tree(d, &w, others, &o);
    d->s->team = team;
    for (int i = 0; i < o.n; i++) cost[i].share = cost[i].cpu_seconds / d->stats.cpu_seconds;
    return o.n;
}
