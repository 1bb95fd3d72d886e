// Which joints lose their independence at a pose: the singular vector of the least singular value of the rows in use.
// With A = Phi_q E^-1/2 in rows of natural size, inverse iteration with the matrix
//
//     [1  A^T; A  -delta] (.; mu) = (0; nu)      mu = -(A A^T + delta)^-1 nu,
//
// finds the combination of rows that is nearest to 0; its length is sigma, the smallest singular value.
#include "system/weak.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ITERATIONS = 4, MOST_NAMES = 8 };
#define FLAT 1e-6        // sigma of rows that are dependent but for what Newton's method leaves of the pose
#define FLAT_DELTA 1e-14 // by which such are found
#define SHARE 0.05       // of an element in the combination, against the largest

// Size of mu in rows of natural size, 1 afterwards.
static double normalise(const hol_equations *s, double *mu)
{
    double sum = 0;
    for (int i = 0; i < s->nc; i++) sum += mu[i] * mu[i] * s->row_size[i] * s->row_size[i];
    for (int i = 0; i < s->nc && sum > 0; i++) mu[i] /= sqrt(sum);
    return sqrt(sum);
}

// With this delta: sigma is found down to its root.
static double weakest(hol_kernel *k, const hol_state *x, double delta, double *mu)
{
    const hol_equations *s = k->s;
    hol_random r = {99};
    double *b = k->work, growth = 0;
    if (hol_kernel_fill(k, x, 0, NULL)) return HOL_INF;
    hol_kkt_forget_pivots(k->A);
    if (hol_kkt_factor(k->A, delta)) return HOL_INF;
    for (int i = 0; i < s->nc; i++) mu[i] = hol_random_uniform(&r) / s->row_size[i];
    normalise(s, mu);
    for (int turn = 0; turn < ITERATIONS; turn++) {
        memset(b, 0, (size_t)s->n * sizeof *b);
        for (int i = 0; i < s->nc; i++) b[s->nf + i] = mu[i] * s->row_size[i] * s->row_size[i];
        hol_kkt_solve(k->A, 1, b, 0);
        memcpy(mu, b + s->nf, (size_t)s->nc * sizeof *mu);
        growth = normalise(s, mu);
    }
    return isfinite(growth) && growth > 0 ? 1 / sqrt(growth) : HOL_INF;
}

double hol_weakest(hol_kernel *k, const hol_state *x, double *mu) { return weakest(k, x, HOL_KKT_DELTA, mu); }

// The part of each element in mu is counted in squares.
void hol_weak_names(const hol_equations *s, const double *mu, char *text, size_t room)
{
    double most = 0;
    int count = 0, written = 0;
    size_t n = 0;
    for (int pass = 0; pass < 3; pass++) { // largest; how many; names
        for (int k = 0; k < s->m->n_elements; k++) {
            const hol_element *e = &s->m->element[k];
            double part = 0;
            for (int i = 0; i < e->n_rows; i++) {
                const int row = s->active[e->row + i];
                if (row >= 0) part += mu[row] * mu[row] * s->row_size[row] * s->row_size[row];
            }
            if (pass == 0) most = fmax(most, part);
            if (part < SHARE * SHARE * most || !e->n_rows) continue;
            if (pass == 1) count++;
            if (pass < 2 || written >= MOST_NAMES || n + 1 >= room) continue;
            const char *before = written == 0 ? "" : written == count - 1 ? " and " : ", ";
            n += (size_t)snprintf(text + n, room - n, "%s%s", before, e->name);
            written++;
        }
    }
    if (count > written && n < room) snprintf(text + n, room - n, " and %d more", count - written);
}

// Names, where sigma is below `least`.
static bool name_below(hol_kernel *k, const hol_state *x, double delta, double least, char *text, size_t room)
{
    const hol_equations *s = k->s;
    if (!s->nc || !room || hol_kernel_need(k)) return false;
    double *mu = k->work + s->n;
    text[0] = 0;
    if (!(weakest(k, x, delta, mu) < least)) return false;
    hol_weak_names(s, mu, text, room);
    return true;
}

bool hol_weak_joints(hol_kernel *k, const hol_state *x, char *text, size_t room)
{
    return name_below(k, x, HOL_KKT_DELTA, HOL_WEAK, text, room);
}

bool hol_flat_joints(hol_kernel *k, const hol_state *x, char *text, size_t room)
{
    return name_below(k, x, FLAT_DELTA, FLAT, text, room);
}
