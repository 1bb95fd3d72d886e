// Counting and rank, at the assembled pose.
#include "analysis/check.h"
#include "system/initial.h"

#include <string.h>

static hol_status given_data(const hol_model_data *m, const hol_system *s, hol_check *c)
{
    hol_state x = {0};
    hol_measure v;
    hol_status st = hol_state_create(s, &x);
    if (st) return st;
    memcpy(x.q, m->q0, (size_t)m->nq * sizeof *x.q);
    memcpy(x.v, m->v0, (size_t)m->nq * sizeof *x.v);
    hol_system_measure(s, &x, &v);
    c->position_violation = v.position;
    c->velocity_violation = v.velocity;
    hol_state_destroy(&x);
    return HOL_OK;
}

static hol_status name_redundant(hol_context *ctx, const hol_model_data *m, const hol_rank *rank,
                                 hol_check *c)
{
    c->redundant = hol_calloc(ctx, (size_t)rank->n_redundant + 1, sizeof *c->redundant);
    if (!c->redundant) return HOL_ERR_MEMORY;
    c->n_redundant = rank->n_redundant;
    for (int i = 0; i < rank->n_redundant; i++) {
        const hol_row row = hol_model_row(m, rank->redundant[i], &c->redundant[i].joint);
        c->redundant[i].direction = row.direction;
    }
    return HOL_OK;
}

hol_check *hol_check_model(hol_context *ctx, const hol_model_data *m)
{
    hol_check *c = hol_calloc(ctx, 1, sizeof *c);
    hol_system *s = NULL;
    hol_state x = {0};
    hol_rank rank;
    if (!c) return NULL;
    hol_status st = hol_initialise(ctx, m, true, &s, &x, &rank);
    if (st) {
        hol_free(c);
        return NULL;
    }
    c->title = m->title;
    c->dimension = m->dimension;
    c->bodies = m->n_bodies;
    c->coordinates = m->nq;
    c->constraints = m->nc;
    c->rank = rank.independent;
    c->degrees_of_freedom = m->nq - rank.independent;
    c->momentary = rank.momentary;
    c->rank_complete = rank.large_components == 0;
    c->length_scale = m->length_scale;
    c->gravity = m->spec->gravity_given;
    c->velocity_constraints = m->nk;
    c->kinks = m->n_kinks;
    st = given_data(m, s, c);
    if (!st) st = name_redundant(ctx, m, &rank, c);
    hol_state_destroy(&x);
    hol_rank_destroy(&rank);
    hol_system_destroy(s);
    if (!st) return c;
    hol_check_free(c);
    return NULL;
}

void hol_check_free(hol_check *c)
{
    if (!c) return;
    hol_free(c->redundant);
    hol_free(c);
}
