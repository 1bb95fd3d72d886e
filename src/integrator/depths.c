// Depths of contacts in the norm of errors: g of a contact that lasts counts by itself, since its bodies are far larger than it is deep
// and a tolerance of their positions says nothing about the force. docs/theory.md, (5.12f).
#include "integrator/norm.h"

#include <math.h>

hol_status hol_depths_reserve(hol_context *ctx, hol_groups *g, int depths, int entries)
{
    if (depths <= g->room[0] && entries <= g->room[1]) return HOL_OK;
    const int n[2] = {depths > g->room[0] ? depths : g->room[0], entries > g->room[1] ? entries : g->room[1]};
    hol_depth *d = hol_calloc(ctx, (size_t)n[0], sizeof *d);
    hol_share *share = hol_calloc(ctx, 2 * (size_t)n[0] * (size_t)n[1], sizeof *share);
    if (!d || !share) {
        hol_free(d);
        hol_free(share);
        return HOL_ERR_MEMORY;
    }
    for (int k = 0; k < n[0]; k++) {
        hol_share *at = share + 2 * (size_t)k * (size_t)n[1];
        if (k < g->n_depths) {
            d[k] = g->depth[k];
            for (int i = 0; i < d[k].n; i++) at[i] = g->depth[k].position[i];
            for (int i = 0; i < d[k].n_rates; i++) at[n[1] + i] = g->depth[k].rate[i];
        }
        d[k].position = at;
        d[k].rate = at + n[1];
    }
    if (g->depth) hol_free(g->depth[0].position);
    hol_free(g->depth);
    g->depth = d;
    g->room[0] = n[0];
    g->room[1] = n[1];
    return HOL_OK;
}

void hol_depths_clear(hol_groups *g)
{
    g->n_depths = 0;
    g->version++;
}

hol_depth *hol_depths_add(hol_groups *g, int island, double size, double speed)
{
    hol_depth *d = &g->depth[g->n_depths++];
    d->island = island;
    d->size = size;
    d->speed = speed;
    d->n = d->n_rates = 0;
    return d;
}

static double along(const hol_share *s, int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += s[i].by * x[s[i].at];
    return fabs(sum);
}

// What the tolerance of a depth is: what vibrates on it takes many steps in the time in which its bodies move by their size.
static double admitted(const hol_norm *z, const hol_depth *d)
{
    const hol_island *o = &z->groups->island[d->island];
    return fmax(hol_norm_admitted(z, o, fmax(o->pace, d->speed / d->size)), o->least * o->length / d->size);
}

double hol_depths_positions(const hol_norm *z, const double *e)
{
    const hol_groups *g = z->groups;
    double worst = 0;
    for (int k = 0; k < g->n_depths; k++) {
        const hol_depth *d = &g->depth[k];
        worst = hol_larger(along(d->position, d->n, e) / (d->size * admitted(z, d)), worst);
    }
    return worst;
}

double hol_depths_rates(const hol_norm *z, const double *e)
{
    const hol_groups *g = z->groups;
    double worst = 0;
    for (int k = 0; k < g->n_depths; k++) {
        const hol_depth *d = &g->depth[k];
        worst = hol_larger(along(d->rate, d->n_rates, e) / (d->speed * admitted(z, d)), worst);
    }
    return worst;
}

double hol_depths_size(const hol_norm *z, const double *x)
{
    const hol_groups *g = z->groups;
    double worst = 0;
    for (int k = 0; k < g->n_depths; k++)
        worst = hol_larger(along(g->depth[k].position, g->depth[k].n, x) / g->depth[k].size, worst);
    return worst;
}

double hol_depths_roughness(const hol_norm *z, const double *q)
{
    const hol_groups *g = z->groups;
    double worst = 0;
    for (int k = 0; k < g->n_depths; k++) {
        const hol_depth *d = &g->depth[k];
        for (int i = 0; i < d->n; i++)
            worst = fmax(worst, fabs(d->position[i].by * q[d->position[i].at]) / d->size);
    }
    return worst;
}

// by over the weight, times what an error counts: whatever else becomes of the weights then is in the products, too.
static void weigh(hol_share *s, int n, double size, const double *weight)
{
    for (int i = 0; i < n; i++) s[i].weighs = weight[s[i].at] > 0 ? s[i].by / (size * weight[s[i].at]) : 0;
}

void hol_depths_weigh(const hol_norm *z, const double *weight)
{
    hol_groups *g = z->groups;
    for (int k = 0; k < g->n_depths; k++) {
        hol_depth *d = &g->depth[k];
        const double T = admitted(z, d);
        weigh(d->position, d->n, d->size * T, weight);
        weigh(d->rate, d->n_rates, g->skips ? HOL_INF : d->speed * T, weight + z->n_q);
    }
}

static double weighted(const hol_share *s, int n, const double *e, const double *weight)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += s[i].weighs * e[s[i].at] * weight[s[i].at];
    return fabs(sum);
}

double hol_depths_weighted(const hol_norm *z, const double *e, const double *weight)
{
    const hol_groups *g = z->groups;
    double worst = 0;
    for (int k = 0; k < g->n_depths; k++) {
        const hol_depth *d = &g->depth[k];
        worst = hol_larger(weighted(d->position, d->n, e, weight), worst);
        worst = hol_larger(weighted(d->rate, d->n_rates, e + z->n_q, weight + z->n_q), worst);
    }
    return worst;
}
