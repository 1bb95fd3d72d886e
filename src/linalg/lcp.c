// Lemke's method: w - H z - z0 = q, from z0 so large that all w may be 0 or more, until z0 leaves. Columns: w, z, z0, q.
// Cottle, Pang, Stone: The Linear Complementarity Problem, 1992, section 4.4.
#include "linalg/lcp.h"

#include <math.h>
#include <string.h>

enum { PIVOTS = 50 }; // for each unknown
#define SMALL 1e-12   // of the largest number of a column: no pivot
#define EQUAL 1e-12   // of a ratio: rows that limit together

typedef struct {
    int n, width;
    double *t; // (n x width)
    int *basis;
} tableau;

// The unknown of a column takes the place of the one of a row.
static void pivot(tableau *a, int row, int column)
{
    double *r = a->t + row * a->width;
    const double p = r[column];
    for (int j = 0; j < a->width; j++) r[j] /= p;
    r[column] = 1;
    for (int i = 0; i < a->n; i++) {
        double *o = a->t + i * a->width;
        const double f = o[column];
        if (i == row || f == 0) continue;
        for (int j = 0; j < a->width; j++) o[j] -= f * r[j];
        o[column] = 0;
    }
    a->basis[row] = column;
}

// Does row i limit the unknown of a column before row k does? z0 comes first of those that do together, and of others the columns of w decide,
// one after another, so that no basis comes again.
static bool is_before(const tableau *a, int i, int k, int column)
{
    const double *u = a->t + i * a->width, *v = a->t + k * a->width;
    const int q = a->width - 1;
    for (int j = -1; j < a->n; j++) {
        const double x = j < 0 ? fmax(u[q], 0) / u[column] : u[j] / u[column],
                     y = j < 0 ? fmax(v[q], 0) / v[column] : v[j] / v[column];
        if (fabs(x - y) > EQUAL * fmax(fabs(x), fabs(y))) return x < y;
        if (a->basis[i] == 2 * a->n || a->basis[k] == 2 * a->n) return a->basis[i] == 2 * a->n;
    }
    return false;
}

// The row that limits how far the unknown of a column may grow. -1: none does.
static int leaving(const tableau *a, int column)
{
    double largest = 0;
    int found = -1;
    for (int i = 0; i < a->n; i++) largest = fmax(largest, fabs(a->t[i * a->width + column]));
    for (int i = 0; i < a->n; i++) {
        if (!(a->t[i * a->width + column] > SMALL * largest)) continue;
        if (found < 0 || is_before(a, i, found, column)) found = i;
    }
    return found;
}

bool hol_lcp_solve(int n, const double *H, const double *q, double *z, double *room, int *basis)
{
    tableau a = {n, 2 * n + 2, room, basis};
    int row = 0, enters;
    memset(z, 0, (size_t)n * sizeof *z);
    for (int i = 1; i < n; i++)
        if (q[i] < q[row]) row = i;
    if (n == 0 || q[row] >= 0) return true;
    for (int i = 0; i < n; i++) {
        double *t = room + i * a.width;
        memset(t, 0, (size_t)a.width * sizeof *t);
        t[i] = 1;
        for (int j = 0; j < n; j++) t[n + j] = -H[i * n + j];
        t[2 * n] = -1;
        t[2 * n + 1] = q[i];
        basis[i] = i;
    }
    enters = n + row; // the complement of what has left
    pivot(&a, row, 2 * n);
    for (int k = 0; k < PIVOTS * n; k++) {
        if ((row = leaving(&a, enters)) < 0) return false;
        const int left = basis[row];
        pivot(&a, row, enters);
        if (left == 2 * n) {
            for (int i = 0; i < n; i++)
                if (basis[i] >= n && basis[i] < 2 * n)
                    z[basis[i] - n] = fmax(room[i * a.width + a.width - 1], 0);
            return true;
        }
        enters = left < n ? left + n : left - n;
    }
    return false;
}
