// What a state tells: energies, violations, who is to blame.
#include "system/swarm.h"

#include <math.h>
#include <string.h>

static double kinetic(const hol_element *e, const hol_real *y, const hol_real *w)
{
    hol_real p[HOL_MAX_Y], T = 0;
    e->type->mass_times(e->data, y, w, p);
    for (int i = 0; i < e->ny - 1; i++) T += 0.5 * w[i] * p[i];
    return hol_re(T);
}

// Potential, and its rate along w, as far as power is counted by it, unless rate is NULL.
HOL_INLINE double potential(const hol_element *e, const hol_state *x, const hol_real *y, const hol_real *w,
                            hol_real *rate)
{
    hol_real V = 0, level;
    const bool part = rate && e->type->bounded;
    if (rate) *rate = 0;
    if (e->type->energy) e->type->energy(e->data, e->ny, y, w, x->mem + e->mem, &V, part ? NULL : rate);
    if (part) e->type->bounded(e->data, e->ny, y, w, &level, rate);
    return hol_re(V);
}

double hol_equations_unbounded(const hol_equations *s, const hol_state *x)
{
    double sum = 0;
    for (int k = s->m->n_bodies; k < s->m->n_elements && s->m->has_edges; k++) {
        const hol_element *e = &s->m->element[k];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], V, rate;
        if (!e->type->bounded || !hol_element_acts(e, x->mem)) continue;
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        e->type->bounded(e->data, e->ny, y, w, &V, &rate);
        sum += potential(e, x, y, w, NULL) - hol_re(V);
    }
    return sum;
}

// Power of the forces not derived from the potential: Q.v + dV/dt.
static double force_power(const hol_element *e, const hol_state *x, const hol_real *y, const hol_real *w,
                          hol_real rate)
{
    hol_real Q[HOL_MAX_Y] = {0}, u[HOL_MAX_ROWS], power = rate;
    hol_equations_inputs(e, x, u);
    e->type->force(e->data, e->ny, y, w, x->mem + e->mem, u, Q);
    for (int i = 0; i < e->ny - 1; i++) power += Q[i] * w[i];
    return hol_re(power);
}

static void worst_row(double x, int row, double *worst, int *worst_row_at)
{
    if (!hol_is_larger(x, *worst)) return;
    *worst = x;
    *worst_row_at = row;
}

// The power lam^T Phi_t of drivers and moving frames, whose force is -Phi_q^T lam, by their rows J = (Phi_q Phi_t).
static double rows_power(const hol_equations *s, const hol_element *e, const hol_state *x, const hol_real *J)
{
    double power = 0;
    for (int i = 0; i < e->n_rows; i++) {
        const int r = s->active[e->row + i];
        const double timed = hol_re(J[i * e->ny + e->ny - 1]);
        if (r >= 0 && fabs(timed) > 0) power += x->lam[r] * timed; // rows at rest do no work, whatever lam is
    }
    return power;
}

// Violations of an element's rows, and their power.
static void measure_rows(const hol_equations *s, const hol_element *e, const hol_state *x, const hol_real *y,
                         const hol_real *w, hol_measure *out)
{
    const int ny = e->ny;
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y], phi[HOL_MAX_ROWS];
    e->type->phi(e->data, ny, y, x->mem + e->mem, phi, J);
    for (int i = 0; i < e->n_rows; i++) {
        const int r = s->active[e->row + i];
        const double size = r >= 0 ? s->row_size[r] : hol_element_row_size(s->m, e, i);
        hol_real rate = 0;
        for (int j = 0; j < ny; j++) rate += J[i * ny + j] * w[j];
        worst_row(fabs(hol_re(phi[i])) / size, e->row + i, &out->position, &out->position_row);
        worst_row(fabs(hol_re(rate)) / size * s->m->time_scale, e->row + i, &out->velocity,
                  &out->velocity_row);
    }
    out->power += rows_power(s, e, x, J);
}

// psi, and the power kap^T (Psi - Psi_v v) of what holds it.
static double rates_power(const hol_element *e, const hol_state *x, const hol_real *y, const hol_real *w,
                          hol_real psi[HOL_MAX_ROWS])
{
    const int ny = e->ny;
    hol_real R[HOL_MAX_ROWS * HOL_MAX_Y];
    double power = 0;
    e->type->rate(e->data, ny, y, w, psi, NULL, R);
    for (int i = 0; i < e->n_rates; i++) {
        hol_real rate = -psi[i];
        for (int j = 0; j < ny - 1; j++) rate += R[i * ny + j] * w[j];
        power -= x->kap[e->rate + i] * hol_re(rate);
    }
    return power;
}

static void measure_rates(const hol_equations *s, const hol_element *e, const hol_state *x, const hol_real *y,
                          const hol_real *w, hol_measure *out)
{
    hol_real psi[HOL_MAX_ROWS];
    out->power += rates_power(e, x, y, w, psi);
    for (int i = 0; i < e->n_rates; i++)
        out->rate = hol_larger(fabs(hol_re(psi[i])) / s->m->length_scale * s->m->time_scale, out->rate);
}

// Do the rows of an element depend on time, so that they do work?
static bool timed(const hol_element *e) { return e->type->phi != hol_prims_phi || hol_prims_timed(e->data); }

hol_powers hol_model_powers(const hol_model_data *m)
{
    hol_powers found = m->n_swarms ? HOL_POWER_FORCES : HOL_POWER_NONE;
    for (int k = m->n_bodies; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        if (e->n_rates || (e->n_rows && timed(e))) return HOL_POWER_ROWS;
        if (e->type->force && !e->type->mass) found = HOL_POWER_FORCES;
    }
    return found;
}

double hol_equations_held_power(const hol_equations *s, const hol_state *x)
{
    double power = 0;
    for (int k = s->m->n_bodies; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        const bool rows = e->n_rows && timed(e);
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y], phi[HOL_MAX_ROWS];
        if (!rows && !e->n_rates) continue;
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        if (rows) e->type->phi(e->data, e->ny, y, x->mem + e->mem, phi, J);
        if (rows) power += rows_power(s, e, x, J);
        if (e->n_rates) power += rates_power(e, x, y, w, phi);
    }
    return power;
}

bool hol_equations_are_prescribed(const hol_equations *s) { return s->nc + s->nk >= s->nq && !s->nx; }

// Those of rotors are part of their kinetic energy's change, as the gyroscopic ones of bodies.
double hol_equations_power(const hol_equations *s, const hol_state *x)
{
    double power = 0;
    for (int k = s->m->n_bodies; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], rate;
        if (!e->type->force || e->type->mass || !hol_element_acts(e, x->mem)) continue;
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        potential(e, x, y, w, &rate);
        power += force_power(e, x, y, w, rate);
    }
    if (!s->swarms->n) return power;
    hol_swarm_sum swarms;
    hol_swarms_measure(s, x, &swarms);
    return power - swarms.lost_damping - swarms.lost_rubbing;
}

typedef struct {
    const hol_equations *s;
    const hol_state *x;
    unsigned parts;
    hol_measure of[HOL_TEAM_PARTS];
} measured;

// Weight of bodies is all in the potential, and their gyroscopic forces have no power.
static void measure_part(void *with, int part, int from, int to)
{
    measured *o = with;
    const hol_equations *s = o->s;
    const hol_state *x = o->x;
    const bool rows = o->parts & HOL_MEASURE_ROWS, power = o->parts & HOL_MEASURE_POWER;
    hol_measure *out = &o->of[part];
    *out = (hol_measure){.position_row = -1, .velocity_row = -1};
    for (int k = from; k < to; k++) {
        const hol_element *e = &s->m->element[k];
        const bool acts = e->type->force && hol_element_acts(e, x->mem);
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], rate;
        if (!acts && !e->type->mass && !rows) continue;
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        if (e->type->mass) out->kinetic += kinetic(e, y, w);
        if (acts) out->potential += potential(e, x, y, w, power ? &rate : NULL);
        if (acts && power && !e->type->mass) out->power += force_power(e, x, y, w, rate);
        if (e->n_rows && rows) measure_rows(s, e, x, y, w, out);
        if (e->n_rates && rows) measure_rates(s, e, x, y, w, out);
    }
}

void hol_equations_measure_parts(const hol_equations *s, const hol_state *x, unsigned parts, hol_measure *out)
{
    measured o;
    o.s = s;
    o.x = x;
    o.parts = parts;
    const int n = hol_team_parts(s->team, s->m->n_elements, measure_part, &o);
    *out = o.of[0];
    for (int p = 1; p < n; p++) {
        const hol_measure *more = &o.of[p];
        out->kinetic += more->kinetic;
        out->potential += more->potential;
        out->power += more->power;
        worst_row(more->position, more->position_row, &out->position, &out->position_row);
        worst_row(more->velocity, more->velocity_row, &out->velocity, &out->velocity_row);
        out->rate = hol_larger(more->rate, out->rate);
    }
    if (!s->swarms->n) return;
    hol_swarm_sum swarms;
    hol_swarms_measure(s, x, &swarms);
    out->potential += swarms.stored;
    if (parts & HOL_MEASURE_POWER) out->power -= swarms.lost_damping + swarms.lost_rubbing;
}

void hol_equations_measure(const hol_equations *s, const hol_state *x, hol_measure *out)
{
    hol_equations_measure_parts(s, x, HOL_MEASURE_ROWS | HOL_MEASURE_POWER, out);
}

// The generalised forces of an element; false: it has none, or does not act.
static bool force_of(const hol_equations *s, const hol_state *x, const hol_element *e, hol_real Q[HOL_MAX_Y])
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], u[HOL_MAX_ROWS];
    memset(Q, 0, HOL_MAX_Y * sizeof *Q);
    if (!e->type->force || !hol_element_acts(e, x->mem)) return false;
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    hol_equations_inputs(e, x, u);
    e->type->force(e->data, e->ny, y, w, x->mem + e->mem, u, Q);
    return true;
}

double hol_equations_force_size(const hol_equations *s, const hol_state *x, const hol_element *e)
{
    hol_real Q[HOL_MAX_Y];
    double largest = 0;
    if (!force_of(s, x, e, Q)) return 0;
    for (int i = 0; i < e->ny - 1; i++) largest = fmax(largest, fabs(hol_re(Q[i])));
    return largest;
}

void hol_equations_force_sizes(const hol_equations *s, const hol_state *x, const double *values, double *out)
{
    memset(out, 0, (size_t)s->nq * sizeof *out);
    for (int k = 0; k < s->m->n_elements; k++) {
        hol_real Q[HOL_MAX_Y];
        const hol_element *e = &s->m->element[k];
        if (!force_of(s, x, e, Q)) continue;
        for (int i = 0; i < e->ny - 1; i++) Q[i] = fabs(hol_re(Q[i]));
        hol_element_scatter(s->m, e, Q, 1, out);
    }
    for (int j = 0; j < s->nq; j++)
        for (int k = s->pattern.start[j]; k < s->pattern.start[j + 1]; k++) {
            const int row = s->pattern.index[k] - s->nf;
            if (row >= 0 && row < s->nc) out[j] += fabs(values[k] * x->lam[row]);
        }
}

const hol_element *hol_equations_strongest(const hol_equations *s, const hol_state *x,
                                           const hol_element *body, double *size)
{
    const hol_element *best = NULL;
    *size = 0;
    for (int k = s->m->n_bodies; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (e->body[0] != body->body[0] && (e->n_bodies < 2 || e->body[1] != body->body[0])) continue;
        const double largest = hol_equations_force_size(s, x, e);
        if (largest > *size) {
            *size = largest;
            best = e;
        }
    }
    return best;
}

static void insert(int k, double x, int most, int *element, double *size)
{
    int i = most;
    while (i > 0 && (element[i - 1] < 0 || size[i - 1] < x)) i--;
    if (i == most || x == 0) return;
    memmove(element + i + 1, element + i, (size_t)(most - i - 1) * sizeof *element);
    memmove(size + i + 1, size + i, (size_t)(most - i - 1) * sizeof *size);
    element[i] = k;
    size[i] = x;
}

void hol_equations_worst(const hol_equations *s, const double *r, int most, int *element, double *size)
{
    for (int i = 0; i < most; i++) {
        element[i] = -1;
        size[i] = 0;
    }
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        double x = 0;
        if (e->type->role == HOL_ROLE_BODY) {
            const hol_body *b = &s->m->body[e->body[0]];
            for (int i = 0; i < b->size; i++) x = fmax(x, fabs(r[b->q + i]));
        }
        for (int i = 0; i < e->n_rows; i++)
            if (s->active[e->row + i] >= 0) x = fmax(x, fabs(r[s->nf + s->active[e->row + i]]));
        insert(k, x, most, element, size);
    }
}
