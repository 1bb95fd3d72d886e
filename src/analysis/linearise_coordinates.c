// Coordinates of the user (docs/theory.md, section 22.2): how they and their rates change along the directions, whether they close, and the
// matrices by them.
#include "analysis/linearise_data.h"
#include "linalg/vector.h"
#include "system/leaf.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define STILL 1e-12     // natural sizes, by one of what moves: a change that is less is rounding
#define DEPENDENT 1e-10 // what of a coordinate must not be in those before it
#define CLOSES 1e-8     // what may be left of a rate beside the coordinates, by its parts
#define ROUNDING 1e-11  // of these, against all of a row

int hol_linear_positions(const hol_linearise *w)
{
    int n = 0;
    for (int i = 0; i < w->n_coordinates; i++) n += !hol_linear_is_rate(&w->coordinate[i]);
    return n;
}

hol_linear_part hol_linear_part_of(const hol_linearise *w, int row)
{
    const int k = hol_linear_positions(w);
    if (row >= k)
        return row < k + w->n_coordinates ? (hol_linear_part){row - k, true} : (hol_linear_part){-1, false};
    int i = 0;
    for (int left = row; hol_linear_is_rate(&w->coordinate[i]) || left-- > 0;) i++;
    return (hol_linear_part){i, false};
}

// The full turns of an angle at the state [rad].
static double turns_of(const hol_linear_builder *b, const hol_leaf *leaf)
{
    hol_leaf bare = *leaf;
    hol_leaf_value counted, seen;
    bare.turns = 0;
    if (!leaf->turns) return 0;
    hol_leaf_eval(b->s, b->x, leaf, false, &counted);
    hol_leaf_eval(b->s, b->x, &bare, false, &seen);
    return 2 * HOL_PI * round(hol_re(counted.f - seen.f) / (2 * HOL_PI));
}

hol_status hol_linear_count(hol_linear_builder *b)
{
    const size_t n = (size_t)b->wanted->n_coordinates;
    hol_measured_formula *own = hol_arena_alloc(b->arena, n + 1, sizeof *own);
    b->coordinate = hol_arena_alloc(b->arena, n + 1, sizeof *b->coordinate);
    if (!own || !b->coordinate) return HOL_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const hol_equation *e = &b->wanted->counted[i];
        double *turns = hol_arena_alloc(b->arena, (size_t)e->n_leaves + 1, sizeof *turns);
        if (!turns) return HOL_ERR_MEMORY;
        for (int k = 0; k < e->n_leaves; k++) turns[k] = turns_of(b, &e->leaf[k]);
        b->coordinate[i] = hol_constraint_turned(&b->wanted->coordinate[i], turns, &own[i]);
    }
    return HOL_OK;
}

// Rows of T and R: the states, and their rates.
hol_status hol_linear_find_rows(hol_linear_builder *b)
{
    const hol_linearise *w = b->wanted;
    const size_t cols = hol_linear_width(b), k = (size_t)hol_linear_positions(w);
    double *const level[3] = {b->work, b->work + cols, b->work + 2 * cols};
    size_t y = 0;
    for (int i = 0; i < w->n_coordinates; i++) {
        const hol_element *e = &b->coordinate[i];
        const size_t rate = k + (size_t)i;
        double value[3] = {0};
        hol_linear_coordinate(b->s, b->x, e, (int)cols, b->N, b->Z, b->change, value, level, 1,
                              &b->size[rate]);
        if (!hol_all_finite(level[1], 2 * cols) ||
            (!hol_linear_is_rate(e) && !hol_all_finite(level[0], cols)))
            return hol_fail_at(b->ctx, HOL_ERR_INTEGRATION, e->at,
                               "linearise.coordinates: \"%s\" has no finite derivatives at t = %.6g s",
                               e->name, b->x->t);
        memcpy(b->T + rate * cols, level[1], cols * sizeof *b->T);
        memcpy(b->R + rate * cols, level[2], cols * sizeof *b->R);
        b->value[rate] = value[1];
        if (hol_linear_is_rate(e)) continue;
        memcpy(b->T + y * cols, level[0], cols * sizeof *b->T);
        memcpy(b->R + y * cols, level[1], cols * sizeof *b->R);
        b->value[y++] = value[0];
    }
    const int first = b->r.d + b->r.e; // X and those of drivers
    for (int i = first; i < b->n; i++) {
        const size_t row = k + (size_t)(w->n_coordinates + i - first);
        b->T[row * cols + (size_t)i] = 1;
        for (int c = 0; c < b->n; c++)
            b->R[row * cols + (size_t)c] = b->A[(size_t)c * (size_t)b->n + (size_t)i];
        for (int c = 0; c < b->nu; c++)
            b->R[row * cols + (size_t)(b->n + c)] = b->B[(size_t)c * (size_t)b->n + (size_t)i];
    }
    return HOL_OK;
}

// A state, or its rate: steer' and steer''.
const char *hol_linear_state_text(const hol_linear_builder *b, int row, bool rate)
{
    const hol_linear_part p = hol_linear_part_of(b->wanted, row);
    const int X = row - hol_linear_positions(b->wanted) - b->wanted->n_coordinates;
    const char *name = p.coordinate >= 0 ? b->wanted->coordinate[p.coordinate].name
                       : X < b->s->nx    ? b->m->state[X].name
                                         : "the value of a driver";
    const bool derived =
        p.coordinate >= 0 && p.rate && !hol_linear_is_rate(&b->wanted->coordinate[p.coordinate]);
    const char *marks = derived && rate ? "''" : derived || rate ? "'" : "";
    return hol_arena_print(b->arena, *marks && strpbrk(name, "+-*/^") ? "(%s)%s" : "%s%s", name, marks);
}

// What a row of T would be if all that moves did so along it, by natural sizes; 0 of rates, which are measured by nothing else.
static double size_of_change(const hol_linear_builder *b, int row)
{
    const int k = hol_linear_part_of(b->wanted, row).coordinate;
    const size_t nq = (size_t)b->s->nq;
    double most = 0;
    if (row >= hol_linear_positions(b->wanted) || k < 0) return 0;
    for (int c = 0; c < b->n; c++)
        for (size_t i = 0; i < nq; i++)
            most = fmax(most, fabs(b->N[(size_t)c * (nq + 1) + i]) / b->s->q_size[i]);
    return most * hol_element_row_size(b->s->m, &b->coordinate[k], 0);
}

// T = L Q with orthonormal rows Q (n_xi x n), by Gram and Schmidt, twice; L (n_xi x n_xi, row by row).
static hol_status factor(const hol_linear_builder *b, double *Q, double *L)
{
    const size_t n = (size_t)b->n, m = (size_t)b->n_xi;
    for (size_t i = 0; i < m; i++) {
        double *q = Q + i * n;
        memcpy(q, b->T + i * hol_linear_width(b), n * sizeof *q);
        const double whole = sqrt(hol_vector_dot(n, q, q));
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = 0; k < i; k++) {
                const double f = hol_vector_dot(n, q, Q + k * n);
                L[i * m + k] += f;
                for (size_t j = 0; j < n; j++) q[j] -= f * Q[k * n + j];
            }
        const double size = sqrt(hol_vector_dot(n, q, q));
        const bool still = !(whole > STILL * size_of_change(b, (int)i));
        if (still || !(size > DEPENDENT * whole))
            return hol_fail(
                b->ctx, HOL_ERR_USAGE,
                still
                    ? "linearise.coordinates: %s does not change with the motion in this pose, to first "
                      "order: the "
                      "joints hold it, or it is at an extreme, as in a dead centre: take another coordinate, "
                      "or "
                      "another pose (--at)"
                    : "linearise.coordinates: %s depends on the coordinates before it: leave one of them out",
                hol_linear_state_text(b, (int)i, false));
        L[i * m + i] = size;
        for (size_t j = 0; j < n; j++) q[j] /= size;
    }
    return HOL_OK;
}

// The coordinate of a body that a direction of the base moves the most, against its size.
static const char *moved(const hol_linear_builder *b, const double *direction)
{
    const size_t nq = (size_t)b->s->nq;
    const char *unit, *name = NULL;
    double most = 0;
    for (int i = 0; i < b->s->m->n_bodies; i++)
        for (int j = 0; j < b->s->m->body[i].size; j++) {
            const size_t at = (size_t)(b->s->m->body[i].q + j);
            double dq = 0, dv = 0;
            for (int c = 0; c < b->n; c++) {
                dq += b->N[(size_t)c * (nq + 1) + at] * direction[c];
                dv += b->Z[(size_t)c * nq + at] * direction[c];
            }
            const double size = fmax(fabs(dq), fabs(dv) * b->s->m->time_scale) / b->s->q_size[at];
            if (!(size > most * (1 + 1e-9))) continue;
            most = size;
            name = hol_arena_print(b->arena, "%s%s.%s",
                                   fabs(dq) >= fabs(dv) * b->s->m->time_scale ? "" : "the velocity of ",
                                   b->s->m->body[i].name, hol_model_coordinate_word(b->s->m, i, j, &unit));
        }
    for (int i = 0; i < b->s->nx && !name; i++)
        if (fabs(direction[b->r.d + b->r.e + i]) > 0) name = b->m->state[i].name;
    return name;
}

// The largest of a row and of the parts that it is made of, in a group of states.
static double size_of(const hol_linear_builder *b, size_t from, size_t to, const double *row,
                      const double *by)
{
    double size = sqrt(hol_vector_dot(to - from, row + from, row + from));
    for (int k = 0; k < b->n_xi; k++) {
        const double *T = b->T + (size_t)k * hol_linear_width(b);
        size = fmax(size, fabs(by[k]) * sqrt(hol_vector_dot(to - from, T + from, T + from)));
    }
    return size;
}

// row (n) = by (n_xi) T: NULL, or on what it depends besides. made_of: see size.
static const char *express(const hol_linear_builder *b, const double *Q, const double *L, const double *row,
                           double made_of, double *by)
{
    const size_t n = (size_t)b->n, m = (size_t)b->n_xi, w = (size_t)b->r.d, X = w + (size_t)b->r.e;
    double *left = b->work;
    memcpy(left, row, n * sizeof *left);
    for (size_t k = 0; k < m; k++) {
        by[k] = hol_vector_dot(n, row, Q + k * n);
        for (size_t j = 0; j < n; j++) left[j] -= by[k] * Q[k * n + j];
    }
    for (size_t k = m; k-- > 0;) { // by L = its parts along Q
        by[k] /= L[k * m + k];
        for (size_t i = 0; i < k; i++) by[i] -= by[k] * L[k * m + i];
    }
    const size_t ends[] = {0, w, X, n};
    bool closed = true;
    const double whole = fmax(made_of, size_of(b, 0, n, row, by));
    for (size_t k = 0; k < m; k++) { // less than rounding has put there
        const double *T = b->T + k * hol_linear_width(b);
        if (fabs(by[k]) * sqrt(hol_vector_dot(n, T, T)) < 4 * DBL_EPSILON * whole) by[k] = 0;
    }
    for (int g = 0; g < 3; g++) {
        const size_t length = ends[g + 1] - ends[g];
        const double rest = sqrt(hol_vector_dot(length, left + ends[g], left + ends[g]));
        const bool nothing =
            rest <= fmax(CLOSES * size_of(b, ends[g], ends[g + 1], row, by), ROUNDING * whole);
        for (size_t j = ends[g]; j < ends[g + 1] && nothing; j++) left[j] = 0;
        closed = closed && nothing;
    }
    return closed ? NULL : moved(b, left);
}

// The state that a rate is, as of a coordinate; -1: none.
static int same_row(const hol_linear_builder *b, const double *row)
{
    for (int i = 0; i < b->n_xi; i++)
        if (memcmp(row, b->T + (size_t)i * hol_linear_width(b), (size_t)b->n * sizeof *row) == 0) return i;
    return -1;
}

// A, B, C and D by the user's coordinates, or which of them do not do.
hol_status hol_linear_transform(hol_linear_builder *b, double *A, double *B, double *C, double *D)
{
    const size_t n = (size_t)b->n, m = (size_t)b->n_xi, nu = (size_t)b->nu, ny = (size_t)b->ny;
    if (m > n)
        return hol_fail(b->ctx, HOL_ERR_USAGE,
                        "linearise.coordinates: with their rates they are more than the %d states of the "
                        "motion: leave out "
                        "what others determine",
                        b->n);
    double *Q = hol_calloc(b->ctx, m * n + m * m + m + n + 1, sizeof *Q), *L = Q + m * n, *by = L + m * m,
           *row = by + m;
    hol_status st = Q ? factor(b, Q, L) : HOL_ERR_MEMORY;
    for (size_t i = 0; i < m && !st; i++) {
        const char *besides = express(b, Q, L, b->R + i * hol_linear_width(b), b->size[i], by);
        const int state = same_row(b, b->R + i * hol_linear_width(b));
        for (size_t k = 0; k < m && state >= 0; k++) by[k] = (int)k == state;
        if (besides)
            st = hol_fail(
                b->ctx, HOL_ERR_USAGE,
                "linearise.coordinates do not close: %s depends on %s besides; name a measure of it too",
                hol_linear_state_text(b, (int)i, true), besides);
        for (size_t k = 0; k < m; k++) A[k * m + i] = by[k];
        for (size_t k = 0; k < nu; k++) B[k * m + i] = b->R[i * hol_linear_width(b) + n + k];
    }
    for (size_t i = 0; i < ny && !st; i++) {
        const hol_equation *e = &b->wanted->output[i];
        for (size_t c = 0; c < n; c++) row[c] = b->Y[c * ny + i];
        const char *besides = express(b, Q, L, row, b->size_y[i], by);
        if (besides)
            st = hol_fail_at(
                b->ctx, HOL_ERR_USAGE, e->at,
                "%s: \"%s\" depends on %s besides the coordinates; name a measure of it among them", e->path,
                e->name, besides);
        for (size_t k = 0; k < m; k++) C[k * ny + i] = by[k];
        for (size_t k = 0; k < nu; k++) D[k * ny + i] = b->Y[(n + k) * ny + i];
    }
    hol_free(Q);
    return st;
}

// Do coordinates and their rates stay as they are, and states of the user?
bool hol_linear_is_steady(const hol_linear_builder *b, const hol_linear *l, const hol_balance *balance)
{
    const double T = b->m->time_scale;
    const int k = hol_linear_positions(b->wanted);
    if (!b->n_xi || balance->rate >= HOL_MODES_AT_REST) return false;
    for (int i = 0; i < b->wanted->n_coordinates; i++) {
        const hol_element *e = &b->coordinate[i];
        const double size = b->wanted->unit[i][0] == 'm' ? b->m->length_scale : 1;
        double value[3], ignored, *const level[3] = {b->work, b->work, b->work};
        hol_linear_coordinate(b->s, b->x, e, 0, b->N, b->Z, b->change, value, level, 1, &ignored);
        if (!hol_linear_is_rate(e) && fabs(value[1]) * T >= HOL_MODES_AT_REST * size) return false;
        if (fabs(value[2]) * T * (hol_linear_is_rate(e) ? 1 : T) >=
            HOL_MODES_AT_REST * fmax(size, fabs(b->value[k + i])))
            return false;
    }
    return l->n_x > 0;
}
