// The least change of what is drawn, docs/theory.md, section 4.1:
//
//     minimise (q - q0)^T W (q - q0)   with   Phi(q, t) = 0             Phi: of joints, and of what is exact
//
//     [ W  Phi_q^T ; Phi_q  0 ] [ dq ; mu ] = [ 0 ; -Phi ]                     the least change of the last pose          (4.1a)
//     [ W  Phi_q^T ; Phi_q  0 ] [ dq ; mu ] = [ W (q0 - q) ; -Phi ]            of the pose drawn                          (4.1b)
//     [ W + (Phi_q^T mu)_q  Phi_q^T ; Phi_q  0 ]                               the same with the curvature of Phi
#include "system/assembly.h"

#include "system/graph.h"
#include "system/initial.h"
#include "system/unwind.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CLOSED 1e-12     // |Phi_i| / size_i after a good assembly
#define ROUNDING 0.01    // of that: what is tried for
#define NEAR 1e-2        // with which (4.1a) ends
#define RETRACTED 1e-6   // with which poses are compared
#define SLOW 0.5         // part of |Phi| that a step leaves where the regularisation is to blame
#define CURVED 1e-3      // a step by natural size from which on the curvature is used
#define NO_WEIGHT 1e-6   // of the largest one: W where a weight is 0, in the matrix alone
#define NOT_GIVEN 1e-4   // the same of velocities that are not given
#define FIRST_NU 1e-3    // of the metric, of steps to the nearest pose
#define LEAST_NU 1e-14   //
#define MOST_NU 1e6      // no step is short enough
#define LONGEST 1        // of these steps, by natural size
#define RESTS 1e-13      //
#define FIRST_HELD 1e-2  // part of the squares of their sizes that rows which are to hold there have first,
#define HELD 1e-10       // and last
#define MULTIPLIERS 1e-6 // with which their multipliers are taken
#define PART 1e-4        // of the widest gap, that counts
#define DESCENT 1e-4     // part of the decrease that a step promises
#define SHORTEST 1e-3    // part of a step
#define CONTRADICT 1e-9  // rows of velocities that remain by more, by natural size, contradict each other

enum {
    MOST_CLOSING = 50,
    MOST_HALVINGS = 12,
    MOST_SETTLING = 200,
    MOST_UNWOUND = 4,
    MOST_NEAREST = 300,
    MOST_CURVED = 30,
    ANCHORED = 40,
    CLEANED = 2
};

// ---- the equations --------------------------------------------------------------------------------------------

// Size of a coordinate in W: Euler parameters change by half the angle.
static double size_of(const hol_equations *s, int body, int k)
{
    const hol_body *b = &s->m->body[body];
    const bool turn = b->frame == HOL_FRAME_SPATIAL && k >= 3;
    return s->q_size[b->q + k] / (turn ? 2 : 1);
}

static double weight_of(const hol_model_data *m, int body) { return m->weight ? m->weight[body] : 1; }

// W; of velocities only that of those which the file gives.
static void set_weights(hol_assembler *a, bool motion)
{
    const hol_equations *s = a->k.s;
    double *W = a->weight, *regular = W + s->nq, most = 0;
    for (int b = 0; b < a->m.n_bodies; b++) most = fmax(most, weight_of(&a->m, b));
    if (most == 0) most = 1;
    for (int b = 0; b < a->m.n_bodies; b++)
        for (int k = 0; k < a->m.body[b].size; k++) {
            const int i = a->m.body[b].q + k;
            const unsigned of = hol_model_is_length(&a->m, b, k) ? HOL_OF_VELOCITY : HOL_OF_OMEGA;
            const double w = motion && !(a->m.given[b] & of) ? 0 : weight_of(&a->m, b),
                         size = size_of(s, b, k);
            W[i] = w / (size * size);
            regular[i] = fmax(w, (motion ? NOT_GIVEN : NO_WEIGHT) * most) / (size * size);
        }
}

// The velocities that the file gives, of the frame and the angular velocity, in coordinates at another pose.
static void carry_velocities(const hol_model_data *m, const double *q, double *v)
{
    for (int b = 0; b < m->n_bodies; b++) {
        const hol_body *body = &m->body[b];
        const hol_marker *frame = &m->marker[body->marker].marker;
        const double *q0 = m->q0 + body->q, *q1 = q + body->q;
        double *w = v + body->q, omega[3] = {0}, arm[2][3];
        hol_real p[2][7], E[3][4];
        if (body->frame == HOL_FRAME_POINT || memcmp(q0, q1, (size_t)body->size * sizeof *q) == 0) continue;
        for (int i = 0; i < 2; i++) { // from the centre of mass to the origin of the frame, then and now
            hol_feature f;
            for (int k = 0; k < body->size; k++) p[i][k] = (i ? q1 : q0)[k];
            hol_feature_eval(frame, HOL_ORIGIN, p[i], NULL, 0, &f);
            for (int k = 0; k < 3; k++) arm[i][k] = k < m->dimension ? hol_re(f.f[k] - p[i][k]) : 0;
        }
        if (body->frame == HOL_FRAME_PLANAR)
            omega[2] = w[2];
        else {
            hol_global_rate(&p[0][3], E);
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 4; k++) omega[i] += 2 * hol_re(E[i][k]) * w[3 + k];
            hol_global_rate(&p[1][3], E);
            for (int k = 0; k < 4; k++) {
                w[3 + k] = 0;
                for (int i = 0; i < 3; i++) w[3 + k] += hol_re(E[i][k]) * omega[i] / 2;
            }
        }
        for (int i = 0; i < m->dimension; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            w[i] += omega[j] * (arm[0][k] - arm[1][k]) - omega[k] * (arm[0][j] - arm[1][j]);
        }
    }
}

// An Euler parameter and its opposite are one orientation: that of the two as drawn is taken which is nearer.
static void turn_asked(hol_assembler *a)
{
    for (int b = 0; b < a->m.n_bodies; b++) {
        const int at = a->m.body[b].q + 3;
        double product = 0;
        if (a->m.body[b].frame != HOL_FRAME_SPATIAL) continue;
        for (int i = 0; i < 4; i++) product += a->asked[at + i] * a->x.q[at + i];
        for (int i = 0; i < 4 && product < 0; i++) a->asked[at + i] = -a->asked[at + i];
    }
}

hol_status hol_assembler_create(hol_context *ctx, const hol_model_data *m, const hol_state *x, bool motion,
                                hol_assembler *a)
{
    *a = (hol_assembler){.m = *m};
    a->m.n_elements += m->n_holds;
    a->m.nc += m->hold_rows * (m->n_holds > 0);
    a->m.nk += m->hold_rates * (m->n_holds > 0);
    a->m.n_mem += m->hold_mem * (m->n_holds > 0);
    char *active = hol_calloc(ctx, (size_t)a->m.nc + 1, 1);
    if (!active) return HOL_ERR_MEMORY;
    for (int i = 0; i < a->m.nc; i++) {
        const int hold = m->row_element[i] - m->n_elements;
        active[i] = hold < 0 || (motion ? m->hold[hold].motion : m->hold[hold].pose);
    }
    a->k = hol_kernel_of(hol_equations_create(ctx, &a->m, active));
    hol_free(active);
    const hol_equations *s = a->k.s;
    if (!s) return HOL_ERR_MEMORY;
    a->k.s->dependent = true; // redundant rows are in, and exact values may follow from joints
    hol_status st = hol_start_state(s, &a->x);
    a->asked = hol_calloc(ctx, (size_t)s->nq + 1, sizeof *a->asked);
    a->weight = hol_calloc(ctx, 2 * (size_t)s->nq + 1, sizeof *a->weight);
    a->target = hol_calloc(ctx, (size_t)s->nc + 1, sizeof *a->target);
    if (st || !a->asked || !a->weight || !a->target) return st ? st : HOL_ERR_MEMORY;
    memcpy(a->x.q, x->q, (size_t)s->nq * sizeof *x->q);
    memcpy(a->asked, motion ? m->v0 : m->q0, (size_t)s->nq * sizeof *a->asked);
    set_weights(a, motion);
    if (!motion) return HOL_OK;
    carry_velocities(m, x->q, a->asked);
    memcpy(a->x.v, a->asked, (size_t)s->nq * sizeof *a->asked);
    hol_equations_jacobian_times(s, x->t, x->q, a->asked, a->target);
    for (int i = 0; i < s->nc; i++)
        if (m->row_element[s->model_row[i]] < m->n_elements) a->target[i] = 0;
    return HOL_OK;
}

void hol_assembler_destroy(hol_assembler *a)
{
    hol_state_destroy(&a->x);
    hol_kernel_drop(&a->k);
    hol_equations_destroy(a->k.s);
    hol_free(a->asked);
    hol_free(a->weight);
    hol_free(a->target);
    hol_free(a->apart);
    hol_free(a->pull);
}

double hol_assembly_change(const hol_assembler *a)
{
    double sum = 0;
    for (int i = 0; i < a->k.s->nq; i++) sum += a->weight[i] * pow(a->x.q[i] - a->asked[i], 2);
    return sum;
}

// ---- poses ----------------------------------------------------------------------------------------------------

// Phi into phi (nc); the largest by natural size.
static double open_by(hol_assembler *a, double *phi)
{
    hol_equations_residual(a->k.s, &a->x, NULL, phi);
    return hol_equations_row_norm(a->k.s, phi, a->k.s->nc);
}

// What rounding leaves of the rows.
static double closed(const hol_assembler *a)
{
    return CLOSED * fmax(1, hol_equations_coordinate_norm(a->k.s, a->x.q));
}

// What is missing of the rows of velocities, (nc + nk), signs turned; the largest by natural size.
static double missing_velocities(hol_assembler *a, double *r)
{
    const hol_equations *s = a->k.s;
    double *all = a->k.work + s->n;
    hol_equations_phi_dot_all(s, a->x.t, a->x.q, a->x.v, all);
    hol_equations_rates(s, &a->x, r + s->nc);
    for (int i = 0; i < s->nc + s->nk; i++) r[i] = i < s->nc ? a->target[i] - all[s->model_row[i]] : -r[i];
    return hol_equations_row_norm(s, r, s->nc + s->nk);
}

bool hol_assembly_holds(hol_assembler *a)
{
    return hol_kernel_need_room(&a->k) == HOL_OK && open_by(a, a->k.rhs) <= closed(a);
}

// Takes x from `from` along a step until the rows are less violated; false: they are not.
static bool search_closing(hol_assembler *a, const double *from, const double *step, double *norm)
{
    const int nq = a->k.s->nq;
    double factor = 1;
    for (int h = 0; h < MOST_HALVINGS; h++, factor /= 2) {
        for (int j = 0; j < nq; j++) a->x.q[j] = from[j] + factor * step[j];
        const double next = open_by(a, a->k.rhs);
        if (!(next < *norm)) continue;
        *norm = next;
        return true;
    }
    memcpy(a->x.q, from, (size_t)nq * sizeof *from);
    return false;
}

// A step of (4.1a) into k->work; -Phi is in k->rhs. Near a singular pose a regularisation hides what is left to do: less is tried.
static hol_status find_closing(hol_assembler *a, double delta)
{
    hol_kernel *k = &a->k;
    hol_status st = hol_kernel_fill(k, &a->x, 0, a->weight + k->s->nq);
    if (!st) st = hol_kkt_factor(k->A, delta);
    return st ? st : hol_kernel_lift(k, k->s->nc, k->rhs, k->work);
}

// Steps of (4.1a) until the rows are open by no more than `enough`.
static hol_status close_to(hol_assembler *a, double enough)
{
    static const double delta[] = {HOL_KKT_DELTA, 1e-5 * HOL_KKT_DELTA, 0};
    hol_kernel *k = &a->k;
    const hol_equations *s = k->s;
    hol_status st = hol_kernel_need(k);
    if (st) return st;
    double *phi = k->rhs, *from = k->work + s->n, norm = open_by(a, phi);
    for (int i = 0, less = 0; i < MOST_CLOSING && norm > enough && less < HOL_COUNT(delta); i++) {
        if (!isfinite(norm)) return HOL_RECOVERABLE;
        const double last = norm;
        open_by(a, phi);
        for (int j = 0; j < s->nc; j++) phi[j] = -phi[j];
        st = find_closing(a, delta[less]);
        if (st < 0) return st;
        memcpy(from, a->x.q, (size_t)s->nq * sizeof *from);
        const bool closer = !st && search_closing(a, from, k->work, &norm);
        less += !closer || (norm > SLOW * last && norm < RETRACTED);
    }
    return norm <= enough ? HOL_OK : HOL_RECOVERABLE;
}

hol_status hol_assembly_close(hol_assembler *a) { return close_to(a, NEAR); }

// A step towards the pose of least change, (n) with its multipliers, in k->rhs: (4.1b), with the curvature where mu is given.
static hol_status find_step(hol_assembler *a, const double *mu)
{
    hol_kernel *k = &a->k;
    const hol_equations *s = k->s;
    double *b = k->rhs;
    hol_status st = hol_kernel_fill(k, &a->x, 0, a->weight + s->nq);
    if (!st && mu) hol_equations_add_curvature(s, &a->x, mu, hol_kkt_values(k->A));
    if (!st) st = hol_kernel_factor(k);
    memset(b, 0, (size_t)s->n * sizeof *b);
    hol_equations_residual(k->s, &a->x, NULL, b + s->nf);
    for (int i = 0; i < s->nc; i++) b[s->nf + i] = -b[s->nf + i];
    for (int i = 0; i < s->nq; i++) b[i] = a->weight[i] * (a->asked[i] - a->x.q[i]);
    return st ? st : hol_kernel_solve(k, 1, b);
}

// Goes along the step (nq) as far as the change becomes smaller on the way back onto the joints; false: nowhere.
static bool search_change(hol_assembler *a, const double *step, double *from)
{
    const hol_equations *s = a->k.s;
    double slope = 0;
    const double before = hol_assembly_change(a);
    for (int i = 0; i < s->nq; i++) slope += 2 * a->weight[i] * (a->x.q[i] - a->asked[i]) * step[i];
    memcpy(from, a->x.q, (size_t)s->nq * sizeof *from);
    for (double part = 1; part > SHORTEST; part /= 2) {
        for (int i = 0; i < s->nq; i++) a->x.q[i] = from[i] + part * step[i];
        const bool back = close_to(a, RETRACTED) == HOL_OK;
        if (back && hol_assembly_change(a) <= before + DESCENT * part * fmin(0, slope)) return true;
    }
    memcpy(a->x.q, from, (size_t)s->nq * sizeof *from);
    return false;
}

// With the curvature, from where (4.1b) has led: false where it does not converge, and the pose is what it was.
static bool settle_curved(hol_assembler *a, double *mu, double *from)
{
    const hol_equations *s = a->k.s;
    double last = HOL_INF;
    memcpy(from, a->x.q, (size_t)s->nq * sizeof *from);
    for (int i = 0; i < MOST_CURVED; i++) {
        if (find_step(a, mu)) break;
        const double size = hol_equations_coordinate_norm(s, a->k.rhs),
                     most = fmax(1, hol_equations_coordinate_norm(s, a->x.q));
        if (!(size < last)) {
            if (last <= 1e-9 * most) return true; // rounding
            break;
        }
        for (int j = 0; j < s->nq; j++) a->x.q[j] += a->k.rhs[j];
        memcpy(mu, a->k.rhs + s->nf, (size_t)s->nc * sizeof *mu);
        if (size <= 4 * DBL_EPSILON * most) return true;
        last = size;
    }
    memcpy(a->x.q, from, (size_t)s->nq * sizeof *from);
    return false;
}

// Steps until the change is the least near the pose.
static hol_status settle(hol_assembler *a, double *room, bool *least)
{
    hol_equations *s = a->k.s;
    double *step = room, *from = room + s->nq, *mu = from + s->nq;
    *least = false;
    turn_asked(a);
    for (int i = 0; i < MOST_SETTLING && !*least; i++) {
        if (find_step(a, NULL)) break;
        const double size = hol_equations_coordinate_norm(s, a->k.rhs);
        memcpy(step, a->k.rhs, (size_t)s->nq * sizeof *step);
        memcpy(mu, a->k.rhs + s->nf, (size_t)s->nc * sizeof *mu);
        if (size < CURVED && settle_curved(a, mu, from)) *least = true;
        if (!*least && !search_change(a, step, from)) break;
        turn_asked(a);
    }
    const hol_status st = close_to(a, ROUNDING * closed(a));
    return st > 0 && open_by(a, a->k.rhs) <= closed(a) ? HOL_OK : st;
}

hol_status hol_assembly_settle(hol_assembler *a, bool *least)
{
    const hol_equations *s = a->k.s;
    double *room = hol_calloc(s->ctx, 2 * (size_t)s->nq + (size_t)s->nc + 1, sizeof *room);
    hol_status st = room ? close_to(a, RETRACTED) : HOL_ERR_MEMORY;
    bool again = true;
    *least = false;
    if (!st) st = hol_assembly_unwind(a, &again);
    again = true;
    for (int i = 0; i < MOST_UNWOUND && again && !st; i++) {
        st = settle(a, room, least);
        if (!st) st = hol_assembly_unwind(a, &again);
    }
    hol_free(room);
    return st;
}

hol_status hol_assembly_costs(hol_assembler *a, double *mu)
{
    turn_asked(a);
    const hol_status st = find_step(a, NULL);
    if (!st) memcpy(mu, a->k.rhs + a->k.s->nf, (size_t)a->k.s->nc * sizeof *mu);
    return st;
}

// ---- velocities -----------------------------------------------------------------------------------------------

// A correction of the velocities: of what the rows miss, and, where the change counts, of it. *size: by natural size.
static hol_status correct_velocities(hol_assembler *a, bool anchored, double *size)
{
    hol_kernel *k = &a->k;
    const hol_equations *s = k->s;
    double *b = k->rhs;
    memset(b, 0, (size_t)s->n * sizeof *b);
    missing_velocities(a, b + s->nf);
    for (int j = 0; j < s->nq && anchored; j++) b[j] = a->weight[j] * (a->asked[j] - a->x.v[j]);
    hol_status st = s->nk ? hol_kernel_set(k, &a->x, HOL_WITH_RATES, a->weight + s->nq)
                          : HOL_OK; // Psi need not be linear
    if (!st) st = hol_kernel_solve(k, 1, b);
    for (int j = 0; j < s->nq && !st; j++) a->x.v[j] += b[j];
    *size = st ? 0 : hol_equations_coordinate_norm(s, b);
    return st;
}

// Those given come nearest to what is given, exactly; of such velocities those that change the others least: the small weight of these
// counts from the last iterate (4.3a).
hol_status hol_assembly_move(hol_assembler *a)
{
    hol_status st = hol_kernel_set(&a->k, &a->x, HOL_WITH_RATES, a->weight + a->k.s->nq);
    double size = HOL_INF;
    for (int i = 0; i < ANCHORED && !st; i++) {
        const double enough = 4 * DBL_EPSILON * hol_equations_coordinate_norm(a->k.s, a->x.v);
        if (i > 1 && size <= enough) break;
        st = correct_velocities(a, true, &size);
    }
    for (int i = 0; i < CLEANED && !st; i++) st = correct_velocities(a, false, &size); // what rounding leaves
    return st;
}

// ---- the nearest pose -----------------------------------------------------------------------------------------

// Sum of Phi_i^2/R_i, R the squares of sizes; Phi into phi.
static double spread(hol_assembler *a, const double *R, double *phi)
{
    double sum = 0;
    hol_equations_residual(a->k.s, &a->x, NULL, phi);
    for (int i = 0; i < a->k.s->nc; i++) sum += phi[i] * phi[i] / R[i];
    return sum;
}

// A step of (4.2b), with or without the curvature of Phi, into k->rhs; phi as it is.
static hol_status find_nearer(hol_assembler *a, const double *R, const double *phi, double *room, double nu,
                              bool curved)
{
    hol_kernel *k = &a->k;
    const hol_equations *s = k->s;
    double *E = room, *mu = room + s->nq;
    for (int i = 0; i < s->nq; i++) E[i] = nu / (s->q_size[i] * s->q_size[i]);
    for (int i = 0; i < s->nc; i++) mu[i] = phi[i] / R[i];
    hol_status st = hol_kernel_fill(k, &a->x, 0, E);
    if (st) return st;
    double *values = hol_kkt_values(k->A);
    if (curved) hol_equations_add_curvature(s, &a->x, mu, values);
    for (int i = 0; i < s->nc; i++) values[s->diagonal[s->nf + i]] -= R[i];
    memset(k->rhs, 0, (size_t)s->n * sizeof *k->rhs);
    for (int i = 0; i < s->nc; i++) k->rhs[s->nf + i] = -phi[i];
    st = hol_kkt_factor(k->A, 0);
    return st ? st : hol_kkt_solve(k->A, 1, k->rhs, HOL_KKT_REFINEMENTS);
}

// Steps until they are rounding, the curvature of Phi taken where that goes down.
static hol_status go_nearest(hol_assembler *a, const double *R)
{
    hol_kernel *k = &a->k;
    const hol_equations *s = k->s;
    hol_status st = hol_kernel_need(k);
    double *room = st ? NULL : hol_calloc(s->ctx, 2 * (size_t)(s->nq + s->nc) + 1, sizeof *room);
    if (!room) return HOL_ERR_MEMORY;
    double *phi = room + s->nq + s->nc, *from = phi + s->nc, open = spread(a, R, phi), nu = FIRST_NU;
    bool curved = true;
    for (int i = 0; i < MOST_NEAREST && nu < MOST_NU && st >= 0; i++) {
        st = find_nearer(a, R, phi, room, nu, curved);
        const double size = st ? HOL_INF : hol_equations_coordinate_norm(s, k->rhs);
        memcpy(from, a->x.q, (size_t)s->nq * sizeof *from);
        for (int j = 0; j < s->nq && size < LONGEST; j++) a->x.q[j] += k->rhs[j];
        const double next = size < LONGEST ? spread(a, R, phi) : HOL_INF;
        const bool nearer = next <= open * (1 + 8 * DBL_EPSILON);
        if (nearer) {
            open = next;
            nu = fmax(LEAST_NU, nu / 5);
            curved = true;
            if (size < RESTS) break;
            continue;
        }
        memcpy(a->x.q, from, (size_t)s->nq * sizeof *from);
        (void)spread(a, R, phi);
        nu *= curved ? 1 : 4;
        curved = !curved;
    }
    hol_free(room);
    return st < 0 ? st : HOL_OK;
}

// Squares of the rows' sizes; times `held` those of lengths of Euler parameters, and of all elements of the loop of one but that; -1:
// these are alike.
static void set_sizes(const hol_assembler *a, int alone, const int *component, double held, double *R)
{
    const hol_equations *s = a->k.s;
    for (int i = 0; i < s->nc; i++) {
        const int element = a->m.row_element[s->model_row[i]];
        const bool holds = element < a->m.n_bodies ||
                           (alone >= 0 && element != alone && component[element] == component[alone]);
        R[i] = s->row_size[i] * s->row_size[i] * (holds ? held : 1);
    }
}

hol_status hol_assembly_nearest(hol_assembler *a)
{
    double *R = hol_calloc(a->k.s->ctx, (size_t)a->k.s->nc + 1, sizeof *R);
    if (!R) return HOL_ERR_MEMORY;
    set_sizes(a, -1, NULL, HELD, R);
    const hol_status st = go_nearest(a, R);
    hol_free(R);
    return st;
}

// How far an element is open: the distance of its points, or the largest of its other rows.
static double open_of(const hol_assembler *a, const hol_element *e, const double *phi)
{
    const hol_equations *s = a->k.s;
    double squares = 0, most = 0;
    for (int i = 0; i < e->n_rows; i++) {
        const int r = s->active[e->row + i];
        if (r < 0) continue;
        if (e->type->row(e->data, i).is_length) squares += phi[r] * phi[r];
        most = fmax(most, fabs(phi[r]));
    }
    return squares > 0 ? sqrt(squares) : most;
}

// The pose, and the derivatives of the gap by what the rows are, (4.2c).
static void note_pull(hol_assembler *a, const hol_element *alone, const double *R, const double *phi)
{
    const hol_equations *s = a->k.s;
    const double gap = open_of(a, alone, phi);
    double size = 0;
    for (int i = 0; i < alone->n_rows; i++)
        if (s->active[alone->row + i] >= 0) size = fmax(size, R[s->active[alone->row + i]]);
    memcpy(a->apart, a->x.q, (size_t)s->nq * sizeof *a->apart);
    for (int i = 0; i < s->nc; i++) a->pull[i] = size * phi[i] / (R[i] * gap);
}

// The gap of one where the other joints hold, NaN: no such pose is found. The pose is put back.
static hol_status find_gap(hol_assembler *a, int alone, const int *component, double *R, double *phi)
{
    const hol_equations *s = a->k.s;
    double *kept = hol_calloc(s->ctx, (size_t)s->nq + 1, sizeof *kept), others = 0;
    hol_status st = kept ? HOL_OK : HOL_ERR_MEMORY;
    if (st) return st;
    memcpy(kept, a->x.q, (size_t)s->nq * sizeof *kept);
    for (double held = FIRST_HELD; held >= HELD && !st; held *= FIRST_HELD) { // little by little
        set_sizes(a, alone, component, held, R);
        st = go_nearest(a, R);
        if (fabs(log10(held / MULTIPLIERS)) > 0.5) continue; // there neither these nor the rows are rounding
        hol_equations_residual(a->k.s, &a->x, NULL, phi);
        note_pull(a, &a->m.element[alone], R, phi);
    }
    hol_equations_residual(a->k.s, &a->x, NULL, phi);
    for (int i = a->m.n_bodies; i < a->m.n_elements; i++)
        if (i != alone && component[i] == component[alone])
            others = hol_larger(open_of(a, &a->m.element[i], phi), others);
    a->gap = open_of(a, &a->m.element[alone], phi);
    if (!(others < PART * a->gap)) a->gap = HOL_NONE;
    memcpy(a->x.q, kept, (size_t)s->nq * sizeof *kept);
    hol_free(kept);
    return st;
}

// The element that is open the most, of those in a loop (component) or of all (-1); of several that are as open the first. *most: how far.
static int find_most(const hol_assembler *a, const int *component, int of, const double *phi, double *most)
{
    int found = -1;
    *most = 0;
    for (int i = a->m.n_bodies; i < a->m.n_elements; i++) {
        const double open = of < 0 || component[i] == of ? open_of(a, &a->m.element[i], phi) : 0;
        if (!(open > *most * (1 + ROUNDING))) continue;
        *most = open;
        found = i;
    }
    return found;
}

// The loop of each element, -1: it is in none (n_elements).
static hol_status find_components(hol_assembler *a, int *component, int *n)
{
    hol_graph g;
    hol_status st = hol_graph_create(a->k.s->ctx, &a->m, &g);
    for (int i = 0; i < a->m.n_elements; i++) component[i] = -1;
    for (int i = 0; i < g.n_edges && !st; i++) component[g.element[i]] = g.component[i];
    *n = g.n_components;
    hol_graph_destroy(&g);
    return st;
}

// The joints of a loop that are open, with their gaps.
static void name_open(hol_assembler *a, const int *component, int of, double most, const double *phi)
{
    size_t names = 0, gaps = 0;
    int n = 0;
    for (int i = a->m.n_bodies; i < a->m.n_elements; i++) {
        const hol_element *e = &a->m.element[i];
        const double open = component[i] == of ? open_of(a, e, phi) : 0;
        if (!(open > PART * most)) continue;
        if (names + 80 > sizeof a->loop || gaps + 100 > sizeof a->nearest) break;
        names += (size_t)hol_decimal_print(a->loop + names, sizeof a->loop - names, "%s%s", n ? ", " : "",
                                           e->name);
        gaps += (size_t)hol_decimal_print(a->nearest + gaps, sizeof a->nearest - gaps, "%s%s %.6g",
                                          n++ ? ", " : "", e->name, open);
    }
}

hol_status hol_assembly_find_loop(hol_assembler *a)
{
    const hol_equations *s = a->k.s;
    double *phi = hol_calloc(s->ctx, 2 * (size_t)s->nc + 1, sizeof *phi), most = 0, other = 0,
           *R = phi ? phi + s->nc : NULL;
    int *component = hol_calloc(s->ctx, (size_t)a->m.n_elements + 1, sizeof *component), n = 0;
    a->apart = hol_calloc(s->ctx, (size_t)s->nq + 1, sizeof *a->apart);
    a->pull = hol_calloc(s->ctx, (size_t)s->nc + 1, sizeof *a->pull);
    a->loop[0] = a->nearest[0] = a->alone[0] = 0;
    hol_status st =
        phi && component && a->apart && a->pull ? find_components(a, component, &n) : HOL_ERR_MEMORY;
    if (!st) hol_equations_residual(a->k.s, &a->x, NULL, phi);
    const int alone = st ? -1 : find_most(a, component, -1, phi, &most);
    if (alone >= 0 && isfinite(most)) {
        name_open(a, component, component[alone], most, phi);
        for (int c = 0; c < n; c++)
            a->others +=
                c != component[alone] && find_most(a, component, c, phi, &other) >= 0 && other > PART * most;
        hol_decimal_print(a->alone, sizeof a->alone, "%.60s", a->m.element[alone].name);
        a->open_at = a->m.element[alone].at;
        st = find_gap(a, alone, component, R, phi);
    }
    hol_free(component);
    hol_free(phi);
    return st;
}

// ---- contradictions -------------------------------------------------------------------------------------------

// The names of elements with a part in r (n), as "a, b and c"; of what is exact, or of the rest.
static int name_parts(const hol_assembler *a, const double *part, bool exact, char *text, size_t size)
{
    const hol_model_data *m = &a->m;
    const int first = m->n_elements - m->n_holds, from = exact ? first : m->n_bodies,
              to = exact ? m->n_elements : first;
    double most = 0;
    int n = 0, count = 0;
    size_t length = 0;
    for (int i = 0; i < m->n_elements; i++) most = fmax(most, part[i]);
    for (int i = from; i < to; i++) count += part[i] > 1e-4 * most;
    text[0] = 0;
    for (int i = from; i < to && length + 60 < size; i++) {
        if (!(part[i] > 1e-4 * most)) continue;
        length += (size_t)hol_decimal_print(text + length, size - length, "%s%s",
                                            n == 0           ? ""
                                            : n == count - 1 ? " and "
                                                             : ", ",
                                            m->element[i].name);
        n++;
    }
    return count;
}

// Of each element the largest of its rows that remain, by natural size (n_elements).
static void find_parts(const hol_assembler *a, const double *r, bool motion, double *part)
{
    const hol_equations *s = a->k.s;
    for (int k = 0; k < a->m.n_elements; k++) {
        const hol_element *e = &a->m.element[k];
        part[k] = 0;
        for (int i = 0; i < e->n_rows; i++) {
            const int at = s->active[e->row + i];
            if (at >= 0) part[k] = fmax(part[k], fabs(r[at]) / s->row_size[at]);
        }
        for (int i = 0; i < e->n_rates && motion; i++) part[k] = fmax(part[k], fabs(r[s->nc + e->rate + i]));
    }
}

hol_status hol_assembly_fail_exact(hol_assembler *a, bool motion)
{
    const hol_equations *s = a->k.s;
    const hol_model_data *m = &a->m;
    char exact[300], joints[300];
    if (!m->n_holds) return HOL_OK;
    hol_status st = hol_kernel_need_room(&a->k);
    double *part = st ? NULL : hol_calloc(s->ctx, (size_t)m->n_elements, sizeof *part), most = 0;
    if (!part) return HOL_ERR_MEMORY;
    double *r = a->k.rhs;
    const double open = motion ? missing_velocities(a, r) : open_by(a, r);
    find_parts(a, r, motion, part);
    const int n = name_parts(a, part, true, exact, sizeof exact),
              others = name_parts(a, part, false, joints, sizeof joints);
    const hol_element *first = NULL;
    for (int i = m->n_elements - m->n_holds; i < m->n_elements; i++)
        if (part[i] > most) {
            most = part[i];
            first = &m->element[i];
        }
    const double enough = motion ? CONTRADICT * fmax(1, hol_equations_coordinate_norm(s, a->x.v)) : closed(a);
    const char *what = motion ? "velocities" : "poses";
    if (open > enough && n && first && n + others == 1)
        st = hol_fail_at(s->ctx, HOL_ERR_ASSEMBLY, first->at, "%s is exact, but no %s have this value", exact,
                         what);
    else if (open > enough && n && first)
        st = hol_fail_at(
            s->ctx, HOL_ERR_ASSEMBLY, first->at,
            "%s %s exact: together with %s they are too many equations, which no %s satisfy; %.3g of the "
            "natural size remains. Let one of them go, or give it another value",
            exact, n > 1 ? "are" : "is", others ? joints : "each other", what, open);
    hol_free(part);
    return st;
}
