// The motion near a state with inputs and outputs (docs/theory.md, section 22). Every state and every input is a direction: how positions,
// velocities, users' states, accelerations and multipliers change along it. The rows of C and D, and those of the user's coordinates,
// are changes of expressions along these.
#include "analysis/linearise_data.h"
#include "analysis/first_events.h"
#include "analysis/moment.h"
#include "analysis/one_sided.h"
#include "analysis/separate.h"
#include "analysis/sticking.h"
#include "linalg/state_space.h"
#include "system/fault.h"
#include "system/redundancy.h"

#include <math.h>
#include <string.h>

enum { MOST_FREEDOM = 1000 };
#define IMAGE 1e-10    // of what is added up: more is no rounding
#define FAR_APART 1e10 // poles: what rounding of the fastest hides of a zero
#define AT_REST 1e-6   // accelerations by natural size and time about which sparse matrices tell a response

typedef struct {
    hol_linear l; // first: what the caller sees
    hol_arena *arena;
    hol_state_space own; // n = 0: that of l
} owner;

hol_state_space hol_linear_system(const hol_linear *l)
{
    const owner *o = (const owner *)l;
    return o->own.n ? o->own : (hol_state_space){l->n_x, l->n_u, l->n_y, l->A, l->B, l->C, l->D, false};
}

// ---- directions -----------------------------------------------------------------------------------------------

// All arrays in one memory.
static hol_status make_room(hol_linear_builder *b)
{
    const size_t nq = (size_t)b->s->nq, nx = (size_t)b->s->nx, all = (size_t)b->s->n, n = (size_t)b->n,
                 nu = (size_t)b->nu, cols = n + nu, xi = (size_t)b->n_xi;
    const size_t sizes[] = {cols * (nq + 1),      cols * nq, cols * nx, cols * all, n * n,        n * nu,
                            (size_t)b->ny * cols, xi * cols, xi * cols, xi,         4 * cols + n, xi,
                            (size_t)b->ny};
    double **const parts[] = {&b->N, &b->Z, &b->X,     &b->change, &b->A,    &b->B,     &b->Y,
                              &b->T, &b->R, &b->value, &b->work,   &b->size, &b->size_y};
    size_t sum = 1;
    for (int i = 0; i < HOL_COUNT(sizes); i++) sum += sizes[i];
    double *at = b->memory = hol_calloc(b->ctx, sum, sizeof *at);
    if (!at) return HOL_ERR_MEMORY;
    for (int i = 0; i < HOL_COUNT(sizes); i++) *parts[i] = at, at += sizes[i];
    return HOL_OK;
}

static double *change_of(const hol_linear_builder *b, int c)
{
    return b->change + (size_t)c * (size_t)b->s->n;
}

// Accelerations and multipliers of a direction, whose right-hand side has more than it gives in a row.
static hol_status solve_direction(hol_linear_builder *b, int c, int row, double more)
{
    if (row >= 0) change_of(b, c)[b->s->nf + row] += more;
    return hol_kernel_solve(b->k, 1, change_of(b, c));
}

// The two states and the input of a driver: its row is Phi + P u, its rate has P' u + P u', its acceleration P'' u + 2 P' u' + P u''.
static hol_status add_driver(hol_linear_builder *b, const hol_port *port, int state, int input)
{
    const hol_element *e = &b->s->m->element[port->driver];
    const size_t nq = (size_t)b->s->nq;
    double P[3], *forces = change_of(b, state), *n = b->N + (size_t)state * (nq + 1),
                 *z = b->Z + (size_t)state * nq;
    double *held = hol_calloc(b->ctx, (size_t)(b->s->n + b->s->nc) + 1, sizeof *held);
    if (!held) return HOL_ERR_MEMORY;
    double *rows = held + b->s->n;
    const int row = hol_linear_driver(b->s, b->x, e, P, held);
    if (row < 0) {
        hol_free(held);
        return hol_fail(b->ctx, HOL_ERR_USAGE,
                        "linearise.inputs: what the driver \"%s\" holds is held by others too: it is "
                        "redundant and cannot "
                        "be moved",
                        port->name);
    }
    for (int i = 0; i < 3; i++) P[i] *= port->sign;
    rows[row] = -P[0];
    hol_status st = hol_kernel_lift(&b->r.positions, b->s->nc, rows, n);
    if (!st) st = hol_reduced_follow_driven(&b->r, b->x, n, row, -P[1], z);
    if (!st) {
        hol_linear_accelerations(b->s, b->x, 1, n, z, NULL, forces);
        for (int i = 0; i < b->s->n; i++) forces[i] += port->sign * held[i];
        st = solve_direction(b, state, row, -P[2]);
    }
    hol_free(held);
    n += nq + 1;
    z += nq;
    if (!st) st = hol_reduced_follow_driven(&b->r, b->x, n, row, -P[0], z);
    if (st) return st;
    hol_linear_accelerations(b->s, b->x, 1, n, z, NULL, change_of(b, state + 1));
    st = solve_direction(b, state + 1, row, -2 * P[1]);
    return st ? st : solve_direction(b, b->n + input, row, -P[0]);
}

// The number of an input among those that programs set.
int hol_linear_number_of(const hol_model_data *m, int held)
{
    int i = 0;
    while (hol_model_input(m, i) != held) i++;
    return i;
}

// Those of A are there; drivers and inputs are solved for.
static hol_status find_directions(hol_linear_builder *b)
{
    const hol_reduced *r = &b->r;
    const size_t nq = (size_t)b->s->nq, base = (size_t)b->base;
    hol_status st = HOL_OK;
    memcpy(b->N, r->dq, base * (nq + 1) * sizeof *b->N);
    memcpy(b->Z, r->dv, base * nq * sizeof *b->Z);
    memcpy(b->X, r->dX, base * (size_t)b->s->nx * sizeof *b->X);
    memcpy(b->change, r->out, base * (size_t)b->s->n * sizeof *b->change);
    for (int i = 0, state = b->base; i < b->nu && !st; i++) {
        const hol_port *p = &b->wanted->input[i];
        if (p->driver >= 0) {
            st = add_driver(b, p, state, i);
            state += 2;
        } else {
            hol_linear_inputs(b->s, b->x, hol_linear_number_of(b->m, p->held), 1, change_of(b, b->n + i));
            st = hol_kernel_solve(b->k, 1, change_of(b, b->n + i));
        }
    }
    return st;
}

// ---- matrices of the program's own coordinates ----------------------------------------------------------------

// p' is the part of the change of velocities along N; w' and X' are parts of the changes.
static void take_column(const hol_linear_builder *b, int c, double *column)
{
    const hol_reduced *r = &b->r;
    const size_t nq = (size_t)b->s->nq;
    hol_reduced_take(r, change_of(b, c), column);
    for (int i = 0; i < r->d; i++)
        for (size_t k = 0; k < nq; k++) column[i] += r->WN[(size_t)i * nq + k] * b->Z[(size_t)c * nq + k];
}

// A is that of the base, with what drivers add; a driver's two states are a value and its rate.
static void find_matrices(hol_linear_builder *b)
{
    const size_t n = (size_t)b->n;
    for (int c = 0; c < b->base; c++)
        memcpy(b->A + (size_t)c * n, b->r.A + (size_t)c * (size_t)b->base, (size_t)b->base * sizeof *b->A);
    for (int c = b->base; c < b->n; c++) take_column(b, c, b->A + (size_t)c * n);
    for (int i = 0; i < b->nu; i++) take_column(b, b->n + i, b->B + (size_t)i * n);
    for (int i = 0, state = b->base; i < b->nu; i++) {
        if (b->wanted->input[i].driver < 0) continue;
        b->A[(size_t)(state + 1) * n + (size_t)state] = 1;
        b->B[(size_t)i * n + (size_t)(state + 1)] = 1;
        state += 2;
    }
}

// ---- outputs --------------------------------------------------------------------------------------------------

// Reactions that redundant rows share have no value of their own.
static hol_status check_reactions(const hol_linear_builder *b, const hol_rank *rank)
{
    hol_redundancies found;
    if (!rank->n_redundant) return HOL_OK;
    hol_status st = hol_redundancy_find(b->ctx, b->s->m, b->x, rank, false, &found);
    if (st) return st;
    for (int i = 0; i < b->ny && !st; i++) {
        const hol_equation *e = &b->wanted->output[i];
        for (int k = 0; k < e->n_leaves && !st; k++) {
            const hol_leaf *l = &e->leaf[k];
            const int first = l->component < 6 ? l->component : 3 * (l->component - 6),
                      last = l->component < 6 ? first : first + 2;
            for (int c = first; c <= last && l->kind == HOL_LEAF_REACTION && !st; c++)
                if (found.reaction[l->index][c] == HOL_SHARED ||
                    found.reaction[l->index][c] == HOL_NOT_EXAMINED)
                    st = hol_fail_at(b->ctx, HOL_ERR_USAGE, e->at,
                                     "%s: the reaction of \"%s\" is shared by redundant equations and has no "
                                     "changes of its "
                                     "own; `holonom check` shows which",
                                     e->path, b->s->m->element[l->index].name);
        }
    }
    hol_redundancy_destroy(&found);
    return st;
}

// Row i of Y: by states, then by inputs.
static hol_status find_outputs(hol_linear_builder *b)
{
    for (int i = 0; i < b->ny; i++) {
        const hol_equation *e = &b->wanted->output[i];
        double *row = b->Y + i;
        b->size_y[i] =
            hol_linear_expression(b->s, b->x, e, b->n + b->nu, b->N, b->Z, b->X, b->change, row, b->ny);
        for (int k = 0, state = b->base; k < b->nu; k++) {
            const hol_port *p = &b->wanted->input[k];
            const size_t c = (size_t)(p->held >= 0 ? b->n + k : state) * (size_t)b->ny;
            row[c] += p->held >= 0 ? hol_linear_by_held(b->s, b->x, e, p->held)
                                   : p->sign * hol_linear_by_driver(b->s, b->x, e, p->driver);
            state += p->held >= 0 ? 0 : 2;
        }
        for (size_t c = 0; c < hol_linear_width(b); c++)
            if (!isfinite(row[c * (size_t)b->ny]))
                return hol_fail_at(b->ctx, HOL_ERR_INTEGRATION, e->at,
                                   "%s: \"%s\" has no finite derivatives at t = %.6g s", e->path, e->name,
                                   b->x->t);
    }
    return HOL_OK;
}

// ---- the result -----------------------------------------------------------------------------------------------

// The system in coordinates of the program, in which directions are those of the stiffness.
static hol_status keep_own(const hol_linear_builder *b, owner *o)
{
    const size_t n = (size_t)b->n, nu = (size_t)b->nu, ny = (size_t)b->ny;
    double *A = hol_arena_alloc(b->arena, n * n + n * nu + ny * (n + nu) + 1, sizeof *A);
    if (!A) return HOL_ERR_MEMORY;
    double *B = A + n * n, *C = B + n * nu, *D = C + ny * n;
    memcpy(A, b->A, n * n * sizeof *A);
    memcpy(B, b->B, n * nu * sizeof *B);
    memcpy(C, b->Y, ny * (n + nu) * sizeof *C);
    o->own = (hol_state_space){b->n, b->nu, b->ny, A, B, C, D, true};
    return HOL_OK;
}

// Vectors of poles (n x n) in the user's coordinates, xi = T x, the largest entry 1.
static hol_status turn_vectors(hol_linear_builder *b, double *re, double *im)
{
    const size_t n = (size_t)b->n;
    double *to_re = hol_calloc(b->ctx, 2 * n, sizeof *to_re), *to_im = to_re + n;
    if (!to_re) return HOL_ERR_MEMORY;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            const double *T = b->T + i * hol_linear_width(b);
            to_re[i] = to_im[i] = 0;
            for (size_t j = 0; j < n; j++) {
                to_re[i] += T[j] * re[k * n + j];
                to_im[i] += T[j] * im[k * n + j];
            }
        }
        hol_state_space_unit(b->n, to_re, to_im);
        memcpy(re + k * n, to_re, n * sizeof *re);
        memcpy(im + k * n, to_im, n * sizeof *im);
    }
    hol_free(to_re);
    return HOL_OK;
}

// Does anything move?
static void judge(hol_linear_builder *b, hol_linear *l, hol_balance *balance)
{
    hol_equilibrium_judge(&b->r, b->x, b->work, balance);
    l->equilibrium = balance->found || (balance->speed < HOL_MODES_AT_REST &&
                                        balance->acceleration < HOL_BALANCED && balance->rate < HOL_BALANCED);
    l->residual = balance->residual;
    l->speed = balance->speed;
    if (l->speed < HOL_MODES_AT_REST) hol_sticking_tell_edge(b->ctx, b->s->m, b->x);
}

// Is A, in the user's coordinates xi = T x, the image of that of the program's own, A T = T A'? Not where T changes with the motion, or would with
// accelerations that the state has: then A has a part that the other one does not have.
static bool is_image(const hol_linear_builder *b, const double *A)
{
    const size_t n = (size_t)b->n, width = (size_t)hol_linear_width(b);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0, size = 0;
            for (size_t k = 0; k < n; k++) {
                const double there = A[k * n + i] * b->T[k * width + j],
                             own = b->T[i * width + k] * b->A[j * n + k];
                sum += there - own;
                size += fabs(there) + fabs(own);
            }
            if (fabs(sum) > IMAGE * size) return false;
        }
    return true;
}

// The matrices, in memory of the result.
static hol_status take_matrices(hol_linear_builder *b, hol_linear *l)
{
    const size_t n = (size_t)l->n_x, nu = (size_t)b->nu, ny = (size_t)b->ny, nq = (size_t)b->s->nq,
                 cols = (size_t)b->n;
    double *A = hol_arena_alloc(b->arena, 3 * n * n + n * nu + ny * n + 2 * ny * nu + 2 * n + 1, sizeof *A);
    if (!A) return HOL_ERR_MEMORY;
    double *B = A + n * n, *C = B + n * nu, *D = C + ny * n, *pole = D + ny * nu, *gain = pole + 2 * n,
           *vector = gain + ny * nu;
    l->A = A;
    l->B = B;
    l->C = C;
    l->D = D;
    l->pole_re = pole;
    l->pole_im = pole + n;
    l->gain = gain;
    l->vector_re = vector;
    l->vector_im = vector + n * n;
    hol_status st = HOL_OK;
    if (b->n_xi)
        st = hol_linear_transform(b, A, B, C, D);
    else {
        double *dq = hol_arena_alloc(b->arena, 2 * nq * cols + 1, sizeof *dq), *dv = dq + nq * cols;
        if (!dq) return HOL_ERR_MEMORY;
        l->dq = dq;
        l->dv = dv;
        for (size_t c = 0; c < cols; c++) memcpy(dq + c * nq, b->N + c * (nq + 1), nq * sizeof *dq);
        memcpy(dv, b->Z, nq * cols * sizeof *dv);
        memcpy(A, b->A, n * n * sizeof *A);
        memcpy(B, b->B, n * nu * sizeof *B);
        memcpy(C, b->Y, ny * n * sizeof *C);
        memcpy(D, b->Y + ny * n, ny * nu * sizeof *D);
    }
    const bool same =
        !b->n_xi || b->n_xi < b->n || !b->r.noise || (!l->equilibrium && !st && !is_image(b, A));
    if (!st && !same) st = keep_own(b, (owner *)l);
    hol_state_space s = hol_linear_system(l);
    s.exact = s.exact || (b->r.noise && !b->n_xi);
    if (!st) st = hol_state_space_poles(b->ctx, &s, pole, pole + n, vector, vector + n * n);
    if (!st && !same) st = turn_vectors(b, vector, vector + n * n);
    if (!st) st = hol_state_space_gain(b->ctx, &s, pole, pole + n, gain);
    return st > 0 ? hol_fail(b->ctx, HOL_ERR_INTEGRATION,
                             "the eigenvalues are not found: LAPACK does not converge")
                  : st;
}

// Zeros are told apart from 0 by the fastest motion of all (state_space.c).
static void tell_range(const hol_linear_builder *b, const hol_linear *l)
{
    double fastest = 0, slowest = HOL_INF;
    for (int i = 0; i < l->n_x; i++) {
        const double size = hypot(l->pole_re[i], l->pole_im[i]);
        fastest = fmax(fastest, size);
        if (size > 0) slowest = fmin(slowest, size);
    }
    if (fastest > FAR_APART * slowest)
        hol_note(b->ctx, HOL_WARNING,
                 "poles are between %.3g and %.3g 1/s: zeros slower than %.1g 1/s may be told as 0, and "
                 "transfer functions with them; take a softer damper or spring, or a joint, for what is "
                 "fastest",
                 slowest, fastest, fastest / FAR_APART);
}

// What the eigenvalues are not where it does.
static void tell_motion(hol_linear_builder *b, hol_linear *l, hol_balance balance)
{
    l->steady = hol_linear_is_steady(b, l, &balance);
    if (!l->equilibrium && !l->steady)
        l->warning = b->n_xi ? "the coordinates change at this state: the matrices are those of its "
                               "neighbourhood at this moment, "
                               "and their eigenvalues say nothing about stability"
                     : balance.speed >= HOL_MODES_AT_REST
                         ? "this state is in motion: A and its eigenvalues depend on the coordinates in "
                           "which they are computed, and "
                           "say nothing about stability, also where the motion is steady. Name coordinates "
                           "that are constant in it "
                           "(--coordinates)"
                         : "this state is not an equilibrium: A and its eigenvalues depend on the "
                           "coordinates in which they are "
                           "computed, and say nothing about stability. Use --equilibrium for the pose in "
                           "which the forces balance";
}

// ---- all of it ------------------------------------------------------------------------------------------------

// How many of all there are; room for them.
static hol_status count(hol_linear_builder *b)
{
    const hol_linearise *w = b->wanted;
    for (int i = 0; i < w->n_inputs; i++) {
        b->drivers += w->input[i].driver >= 0;
        if (w->input[i].driver >= 0 && !b->s->m->element[w->input[i].driver].n_rows)
            return hol_fail(b->ctx, HOL_ERR_USAGE,
                            "linearise.inputs: the driver \"%s\" is switched off at t = %.6g s",
                            w->input[i].name, b->x->t);
    }
    b->base = b->r.n;
    b->n = b->base + 2 * b->drivers;
    b->nu = w->n_inputs;
    b->ny = w->n_outputs;
    const int k = hol_linear_positions(w);
    b->n_xi = w->n_coordinates ? k + w->n_coordinates + b->n - b->r.d - b->r.e : 0;
    return make_room(b);
}

// What the sparse way cannot do.
static hol_status refuse_sparse(const hol_linear_builder *b, const hol_linear_options *o, int d)
{
    if (!o->n_omega)
        return hol_fail(
            b->ctx, HOL_ERR_USAGE,
            "%d degrees of freedom: A, B, C and D are made by dense matrices, up to %d; above that there are "
            "frequency responses: give frequencies",
            d, MOST_FREEDOM);
    if (o->equilibrium)
        return hol_fail(
            b->ctx, HOL_ERR_USAGE,
            "%d degrees of freedom: an equilibrium is looked for by dense matrices, up to %d. Let the model "
            "come to rest with damping and use --at",
            d, MOST_FREEDOM);
    for (int i = 0; i < b->wanted->n_inputs; i++)
        if (b->wanted->input[i].driver >= 0)
            return hol_fail(b->ctx, HOL_ERR_USAGE,
                            "linearise.inputs: drivers are moved by dense matrices, up to %d degrees of "
                            "freedom: here are %d",
                            MOST_FREEDOM, d);
    for (int i = 0; i < o->n_omega; i++)
        if (!(o->omega[i] > 0))
            return hol_fail(b->ctx, HOL_ERR_USAGE,
                            "%d degrees of freedom: frequencies above 0 are wanted, not %.6g rad/s", d,
                            o->omega[i]);
    return HOL_OK;
}

// The response alone, of a state at rest.
static hol_status find_sparse(hol_linear_builder *b, hol_rank *rank, const hol_linear_options *o,
                              hol_linear *l)
{
    const size_t pairs = (size_t)b->wanted->n_outputs * (size_t)b->wanted->n_inputs,
                 all = pairs * (size_t)o->n_omega;
    const int d = b->s->nq - b->s->nc;
    hol_balance balance;
    hol_status st = refuse_sparse(b, o, d);
    if (!st) st = hol_reduced_create_part(b->ctx, b->k, 0, &b->r);
    if (st) return st;
    double *work = hol_calloc(b->ctx, (size_t)b->s->nx + 1, sizeof *work);
    if (!work) return HOL_ERR_MEMORY;
    hol_equilibrium_judge(&b->r, b->x, work, &balance);
    hol_free(work);
    if (!(balance.speed < HOL_MODES_AT_REST && balance.acceleration < AT_REST &&
          balance.rate < HOL_MODES_AT_REST))
        return hol_fail(
            b->ctx, HOL_ERR_USAGE,
            "%d degrees of freedom: there are frequency responses about a state at rest alone, and here "
            "speeds are up to "
            "%.3g, accelerations %.3g by natural size and time: let the model come to rest and use --at",
            d, balance.speed, balance.acceleration);
    hol_sticking_tell_edge(b->ctx, b->s->m, b->x);
    b->nu = b->wanted->n_inputs;
    b->ny = b->wanted->n_outputs;
    b->base = b->n = 0;
    double *memory = hol_arena_alloc(b->arena, 2 * all + (size_t)o->n_omega + pairs + 2, sizeof *memory);
    if (!memory) return HOL_ERR_MEMORY;
    st = check_reactions(b, rank);
    if (!st) st = hol_linear_sparse_response(b, o->n_omega, o->omega, memory, memory + all);
    memcpy(memory + 2 * all, o->omega, (size_t)o->n_omega * sizeof *memory);
    *l = (hol_linear){.sparse = true,
                      .equilibrium = true,
                      .time = b->x->t,
                      .metric = o->metric,
                      .n_u = b->nu,
                      .n_y = b->ny};
    l->response_re = memory;
    l->response_im = memory + all;
    l->omega = memory + 2 * all;
    l->n_omega = o->n_omega;
    l->A = l->B = l->C = l->D = l->pole_re = l->pole_im = l->vector_re = l->vector_im =
        l->omega + o->n_omega; // none
    double *gain = memory + 2 * all + o->n_omega;
    for (size_t i = 0; i < pairs; i++) gain[i] = (double)NAN;
    l->gain = l->D = gain;
    l->degrees_of_freedom = d;
    l->velocity_constraints = b->s->nk;
    l->residual = balance.residual;
    l->speed = balance.speed;
    return st ? st : hol_linear_name(b, l);
}

// At a state whose accelerations are known.
static hol_status find_there(hol_linear_builder *b, hol_rank *rank, const hol_linear_options *o,
                             hol_linear *l)
{
    if (o->sparse || b->s->nq - b->s->nc > MOST_FREEDOM) return find_sparse(b, rank, o, l);
    hol_status st = o->equilibrium ? hol_equilibrium_go(b->ctx, b->k, rank, b->x) : HOL_OK;
    if (!st) st = hol_reduced_create(b->ctx, b->k, o->metric == HOL_METRIC_NATURAL, &b->r);
    if (!st) st = hol_separate_at(b->ctx, &b->r, b->x);
    if (!st) st = count(b);
    if (!st) st = hol_linear_count(b);
    if (!st) st = check_reactions(b, rank);
    if (!st) st = find_directions(b);
    if (st > 0) st = hol_fault_report_at(b->s, b->x, "this pose", st);
    if (st > 0)
        st = hol_fail(b->ctx, HOL_ERR_INTEGRATION,
                      "nothing can be linearised at t = %.6g s: a singular pose, or the masses do not "
                      "determine the motion",
                      b->x->t);
    if (st) return st;
    find_matrices(b);
    st = find_outputs(b);
    if (!st && b->n_xi) st = hol_linear_find_rows(b);
    if (st) return st;
    l->time = b->x->t;
    l->metric = o->metric;
    l->n_x = b->n_xi ? b->n_xi : b->n;
    l->n_u = b->nu;
    l->n_y = b->ny;
    l->degrees_of_freedom = b->r.d;
    l->velocity_constraints = b->s->nk;
    hol_balance balance;
    judge(b, l, &balance);
    st = take_matrices(b, l);
    if (!st) st = hol_linear_name(b, l);
    if (!st) tell_range(b, l);
    if (!st) tell_motion(b, l, balance);
    return st;
}

hol_linear *hol_linear_find(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                            const hol_linear_options *o)
{
    owner *own = hol_calloc(ctx, 1, sizeof *own);
    if (!own) return NULL;
    hol_linear_builder b = {
        .ctx = ctx, .arena = own->arena = hol_arena_create(ctx), .m = m, .wanted = m->linearise};
    hol_moment at = {0};
    bool kinks;
    hol_status st =
        b.arena ? hol_moment_create(ctx, m, set, o->at, o->equilibrium, "nothing can be linearised", &at)
                : HOL_ERR_MEMORY;
    if (!st) {
        b.k = at.k;
        b.s = at.k->s;
        b.x = at.x;
        st = find_there(&b, at.rank, o, &own->l);
        if (!st) st = hol_one_sided_tell(ctx, &b.r, b.x, HOL_ONE_SIDED_LINEAR, &kinks);
        if (!st) hol_first_events_tell(b.s, b.x, HOL_WARNING, "what is linearised is the model before it");
    }
    if (b.r.s) hol_reduced_destroy(&b.r);
    hol_free(b.memory);
    hol_moment_destroy(&at);
    if (!st) return &own->l;
    hol_linear_free(&own->l);
    return NULL;
}

void hol_linear_free(hol_linear *linear)
{
    if (!linear) return;
    owner *own = (owner *)linear;
    hol_arena_destroy(own->arena);
    hol_free(own);
}

hol_status hol_linear_respond(hol_context *ctx, const hol_linear *l, int n, const double *omega, double *re,
                              double *im)
{
    const hol_state_space s = hol_linear_system(l);
    const size_t pairs = (size_t)l->n_y * (size_t)l->n_u;
    const hol_status st = l->sparse ? HOL_OK : hol_state_space_response(ctx, &s, n, omega, re, im);
    for (int k = 0; k < n && !l->sparse && !st; k++) { // at rest it is the gain, where poles 0 may cancel
        if (omega[k] != 0) continue;
        memcpy(re + (size_t)k * pairs, l->gain, pairs * sizeof *re);
        memset(im + (size_t)k * pairs, 0, pairs * sizeof *im);
    }
    if (!l->sparse) return st;
    for (int k = 0; k < n; k++) {
        int at = 0;
        while (at < l->n_omega && l->omega[at] != omega[k]) at++;
        if (at == l->n_omega)
            return hol_fail(ctx, HOL_ERR_USAGE,
                            "the response of a model of this size is known at the frequencies that it was "
                            "made with, and not at %.9g "
                            "rad/s",
                            omega[k]);
        memcpy(re + (size_t)k * pairs, l->response_re + (size_t)at * pairs, pairs * sizeof *re);
        memcpy(im + (size_t)k * pairs, l->response_im + (size_t)at * pairs, pairs * sizeof *im);
    }
    return HOL_OK;
}
