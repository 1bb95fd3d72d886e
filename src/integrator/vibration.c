// The fastest vibration, roughly, by a few power iterations with differences of accelerations. docs/theory.md, sections 5.5 and
// 10.3.
#include "integrator/vibration.h"

#include <math.h>
#include <string.h>

enum { PROBES = 4 };
#define STIFF 1e3       // vibrations faster than this, by the time scale, are not followed
#define DIFFERENCE 1e-6 // in natural sizes

// Scales the direction to length 1 in natural sizes; its length, the square of a frequency.
static double scale_all(const hol_equations *s, double *direction)
{
    double size = 0;
    for (int i = 0; i < s->nq; i++) size += direction[i] * direction[i] / (s->q_size[i] * s->q_size[i]);
    size = sqrt(size / s->nq);
    for (int i = 0; i < s->nq && size > 0; i++) direction[i] /= size;
    return size;
}

// The same for each island, into its `stiff`; the largest.
static double scale_islands(const hol_groups *g, double *direction)
{
    double largest = 0;
    for (int k = 0; k < g->n_islands; k++) g->island[k].stiff = 0;
    for (int k = 0; k < g->n_positions; k++) {
        const hol_group *p = &g->position[k];
        for (int i = p->at; i < p->at + p->count; i++)
            g->island[p->island].stiff += direction[i] * direction[i] / (p->span * p->span);
    }
    for (int k = 0; k < g->n_islands; k++) {
        g->island[k].stiff = sqrt(g->island[k].stiff);
        largest = fmax(largest, g->island[k].stiff);
    }
    for (int k = 0; k < g->n_positions; k++) {
        const hol_group *p = &g->position[k];
        const double size = g->island[p->island].stiff;
        for (int i = p->at; i < p->at + p->count && size > 0; i++) direction[i] /= size;
    }
    return largest;
}

bool hol_vibration_find(hol_integrator *it, hol_state *room, double *direction)
{
    hol_equations *s = it->s;
    const hol_groups *g = it->norm.groups;
    hol_random r = {4711};
    double size = 0;
    const hol_evaluations count = s->count;
    for (int i = 0; i < s->nq; i++) direction[i] = hol_random_uniform(&r) * s->q_size[i];
    for (int k = 0; k < PROBES; k++) {
        hol_state_copy(s, room, &it->x);
        for (int i = 0; i < s->nq; i++) room->q[i] += DIFFERENCE * direction[i];
        size = 0;
        if (hol_solve_accelerations(it->k, room)) break;
        for (int i = 0; i < s->nq; i++) direction[i] = (room->a[i] - it->x.a[i]) / DIFFERENCE;
        size = g ? scale_islands(g, direction) : scale_all(s, direction);
    }
    s->count = count;
    for (int k = 0; g && k < g->n_islands; k++) {
        const double rate = size > 0 ? sqrt(g->island[k].stiff) : 0;
        g->island[k].stiff = rate > STIFF * g->slowest ? rate : 0;
    }
    return sqrt(size) * s->m->time_scale > STIFF;
}
