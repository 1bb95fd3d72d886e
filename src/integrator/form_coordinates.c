// The form u = (q; w; X) in joint coordinates of a tree of joints, their rates, and users' states: the joints of the tree hold for
// every u. Accelerations come from the articulated bodies, with multipliers of the joints that close loops. These are
// closed at every evaluation by the smallest change of q and w in the metric of the masses, to rounding: a method that is
// linear in u does to all of its entries what it does to those of any chart of the closed poses. docs/theory.md, section 17.
#include "integrator/form.h"
#include "recursion/coordinates.h"

#include <string.h>

typedef struct {
    hol_loops tree;
    hol_coordinates *c;
    const hol_coordinates_size *size;
    double *sizes, *room; // absolute weights of u                                (n), (n_q + n_u)
    hol_groups *groups;   // of u
    hol_state probe;      // where rates are tried
    double *unit, *still; // rates, velocities                                    (n_u), (nq of the model)
    double *turned;       //                                                      (n_q)
} coordinates;

static double *states_of(const coordinates *d, double *u) { return u + d->size->n_q + d->size->n_u; }

// A coordinate weighs as that of the bodies it is like.
static void set_sizes(hol_form *f, coordinates *d)
{
    const hol_integrator *it = f->it;
    const int nq = d->size->n_q, n = nq + d->size->n_u;
    for (int i = 0; i < n && it->size; i++)
        d->sizes[i] = it->size[d->size->like[i]] / (i < nq ? 1 : it->s->m->time_scale);
    for (int i = 0; i < it->s->nx && it->size; i++) d->sizes[n + i] = it->size[it->s->nq + i];
    f->norm = (hol_norm){nq, n + it->s->nx, d->sizes, it->relative, it->tolerance, NULL};
}

// The motion of a joint is judged as that of a body.
static hol_status set_groups(hol_form *f, coordinates *d)
{
    const hol_integrator *it = f->it;
    if (!it->norm.groups) return HOL_OK;
    const hol_status st = hol_groups_create_like(it->ctx, it->s->m, it->norm.groups, d->size->like,
                                                 d->size->n_q, d->size->n_u, &d->groups);
    f->norm.groups = d->groups;
    return st;
}

// Tree, coordinates and their weights.
static hol_status create(hol_form *f)
{
    hol_integrator *it = f->it;
    coordinates *d = f->data = hol_calloc(it->ctx, 1, sizeof *d);
    if (!d) return HOL_ERR_MEMORY;
    hol_status st =
        hol_coordinates_of_tree(it->ctx, it->s, &it->x, hol_form_accuracy(it), &d->tree, &d->c, &f->obstacle);
    if (!st) st = hol_loops_keep(&d->tree);
    if (st) return st;
    d->size = hol_coordinates_sizes(d->c);
    const size_t n = (size_t)(d->size->n_q + d->size->n_u);
    d->sizes = hol_calloc(it->ctx, 3 * n + (size_t)(it->s->nx + it->s->nq) + 1, sizeof *d->sizes);
    if (!d->sizes || hol_state_create(it->s, &d->probe)) return HOL_ERR_MEMORY;
    d->room = d->sizes + n + it->s->nx;
    d->unit = d->room + n;
    d->turned = d->unit + d->size->n_u;
    d->still = d->turned + d->size->n_q;
    f->closes = d->tree.size->n_loops > 0;
    set_sizes(f, d);
    hol_tree_want_power(d->tree.r, it->sums != HOL_POWER_NONE);
    return set_groups(f, d);
}

// As far as it came.
static void destroy(hol_form *f)
{
    coordinates *d = f->data;
    if (!d) return;
    hol_coordinates_destroy(d->c);
    if (d->tree.s) hol_loops_destroy(&d->tree);
    hol_free(d->sizes);
    hol_state_destroy(&d->probe);
    hol_groups_destroy(d->groups);
    hol_free(d);
}

static void take(hol_form *f, const hol_state *x, double *u)
{
    coordinates *d = f->data;
    hol_coordinates_take(d->c, x, u, u + d->size->n_q);
    memcpy(states_of(d, u), x->X, (size_t)f->it->s->nx * sizeof *u);
}

static void put(hol_form *f, double t, const double *u, hol_state *x)
{
    const coordinates *d = f->data;
    x->t = t;
    hol_coordinates_put(d->c, u, u + d->size->n_q, x);
    memcpy(x->X, u + d->size->n_q + d->size->n_u, (size_t)f->it->s->nx * sizeof *u);
}

static hol_status close(hol_form *f, double *u, hol_state *x)
{
    coordinates *d = f->data;
    return hol_trial_status(hol_coordinates_close(d->c, &d->tree, u, u + d->size->n_q, d->room, x));
}

static hol_status accelerate(hol_form *f, hol_state *x, hol_wanted wanted)
{
    coordinates *d = f->data;
    if (wanted == HOL_WANT_USERS) return hol_explicit_evaluate(&d->tree.users, f->it->s, x);
    return hol_trial_status(hol_loops_accelerations(&d->tree, x, wanted));
}

static void rate(hol_form *f, const double *u, const hol_state *x, double *rate)
{
    const coordinates *d = f->data;
    const hol_equations *s = f->it->s;
    hol_coordinates_rates(d->c, u, u + d->size->n_q, rate);
    hol_coordinates_accelerations(d->c, hol_loops_found(&d->tree), rate + d->size->n_q);
    rate += d->size->n_q + d->size->n_u;
    for (int i = 0; i < s->nx; i++) rate[i] = x->z[s->m->state[i].equation];
}

static hol_status begin(hol_form *f)
{
    const coordinates *d = f->data;
    hol_tree_want_power(d->tree.r, f->it->sums != HOL_POWER_NONE);
    return HOL_OK;
}

static hol_status follow(hol_form *f)
{
    const coordinates *d = f->data;
    f->it->count.loop_solves = d->tree.solves;
    f->it->count.loop_iterations = d->tree.iterations;
    return HOL_OK;
}

static double power(const hol_form *f)
{
    const coordinates *d = f->data;
    return hol_tree_power(d->tree.r);
}

static void measure(hol_form *f, hol_pose *pose)
{
    coordinates *d = f->data;
    pose->next = hol_loops_distance(&d->tree);
    f->it->independence = hol_loops_independence(&d->tree);
}

// What rate i is to a depth: by the velocities that it gives the bodies, d->probe.v less d->still; and by what it turns of the coordinates, d->turned,
// what these are, of which columns are perpendicular.
static void add_rate(const coordinates *d, const hol_depth *from, int i, hol_depth *to)
{
    double by = 0, square = 0;
    for (int k = 0; k < from->n_rates; k++)
        by += from->rate[k].by * (d->probe.v[from->rate[k].at] - d->still[from->rate[k].at]);
    if (by == 0) return;
    to->rate[to->n_rates++] = (hol_share){i, by, 0};
    for (int k = 0; k < d->size->n_q; k++) square += d->turned[k] * d->turned[k];
    for (int k = 0; k < d->size->n_q; k++) to->position[k].by += by * d->turned[k] / square;
}

// Entries of positions were all there are; what they are not changed by is left out.
static void pack(hol_depth *to, int n)
{
    for (int k = 0; k < n; k++)
        if (to->position[k].by != 0) to->position[to->n++] = (hol_share){k, to->position[k].by, 0};
}

// Those of the model's norm, in these coordinates.
static hol_status depths(hol_form *f, const double *u)
{
    coordinates *d = f->data;
    const hol_groups *from = f->it->norm.groups;
    const int n_q = d->size->n_q, n_u = d->size->n_u;
    hol_groups *g = d->groups;
    const hol_status st =
        from->n_depths ? hol_depths_reserve(f->it->ctx, g, from->room[0], n_q > n_u ? n_q : n_u) : HOL_OK;
    if (st) return st;
    hol_depths_clear(g);
    g->version = from->version;
    for (int k = 0; k < from->n_depths; k++) {
        const hol_depth *o = &from->depth[k];
        hol_depth *to = hol_depths_add(g, o->island, o->size, o->speed);
        for (int i = 0; i < n_q; i++) to->position[i].by = 0;
    }
    memset(d->unit, 0, (size_t)n_u * sizeof *d->unit);
    d->probe.t = f->it->x.t;
    if (from->n_depths) hol_coordinates_put(d->c, u, d->unit, &d->probe);
    memcpy(d->still, d->probe.v, (size_t)f->it->s->nq * sizeof *d->still);
    for (int i = 0; i < n_u && from->n_depths; i++) {
        d->unit[i] = 1;
        hol_coordinates_put(d->c, u, d->unit, &d->probe);
        hol_coordinates_rates(d->c, u, d->unit, d->turned);
        for (int k = 0; k < from->n_depths; k++) add_rate(d, &from->depth[k], i, &g->depth[k]);
        d->unit[i] = 0;
    }
    for (int k = 0; k < g->n_depths; k++) pack(&g->depth[k], n_q);
    return HOL_OK;
}

static void archive(hol_form *f, hol_archive *a)
{
    coordinates *d = f->data;
    hol_loops_archive(&d->tree, a);
    hol_coordinates_archive(d->c, a);
}

const hol_form_type hol_form_coordinates = {
    .name = "coordinates",
    .lazy = true,
    .create = create,
    .destroy = destroy,
    .take = take,
    .put = put,
    .close = close,
    .accelerate = accelerate,
    .rate = rate,
    .begin = begin,
    .follow = follow,
    .power = power,
    .depths = depths,
    .measure = measure,
    .archive = archive,
};
