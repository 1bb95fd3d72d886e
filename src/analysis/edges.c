// Where forces are not smooth, such as the edges of a bump: each element announces places along an argument of its own,
// and the rate of the argument says when the next one is reached.
#include "analysis/edges.h"

#include <math.h>

enum { MOST_EDGES = 200 };
#define REACHED 1e-3 // of the way between two edges
#define PEEK 0.1     // a step may take this part of that way before the force on it is known

// The first place beyond s in the direction of motion: an edge, or the first part of the way to the next one.
static double next_place(const double *edge, int n, double s, bool forwards)
{
    double best = forwards ? HOL_INF : -HOL_INF;
    for (int i = 0; i < n; i++) {
        const int next = forwards ? i + 1 : i - 1;
        const bool last = next < 0 || next >= n;
        const double way = !last ? edge[next] - edge[i] : n > 1 ? edge[n - 1] - edge[0] : 1;
        const double near = REACHED * fabs(way), places[2] = {edge[i], edge[i] + PEEK * way};
        for (int k = 0; k < (last ? 1 : 2); k++) {
            const double ahead = forwards ? places[k] - s : s - places[k];
            if (ahead > near && fabs(places[k] - s) < fabs(best - s)) best = places[k];
        }
    }
    return best;
}

// When element e reaches its next edge, by its present speed.
static double time_of(const hol_model_data *m, const hol_element *e, const hol_state *x)
{
    double edge[MOST_EDGES];
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    int n = e->type->edges(e->data, edge, MOST_EDGES);
    if (n > MOST_EDGES) n = MOST_EDGES;
    if (n < 1) return HOL_INF;
    hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
    const double s = e->type->edge_argument(e->data, e->ny, y), small = 1e-6 * m->time_scale;
    for (int i = 0; i < e->ny; i++) y[i] += small * w[i];
    const double rate = (e->type->edge_argument(e->data, e->ny, y) - s) / small;
    if (rate == 0) return HOL_INF;
    const double wait = (next_place(edge, n, s, rate > 0) - s) / rate;
    return x->t + wait;
}

double hol_edges_next_time(const hol_model_data *m, const hol_state *x, double end)
{
    double first = end;
    for (int k = m->n_bodies; k < m->n_elements && m->has_edges; k++)
        if (m->element[k].type->edges) first = fmin(first, time_of(m, &m->element[k], x));
    return first;
}
