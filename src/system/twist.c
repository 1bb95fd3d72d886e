// Rows of elements by the twists of their bodies, and their orthogonal factors. docs/theory.md, section 14.2.
#include "system/twist.h"

#include <math.h>
#include <string.h>

// hol_twist_row with d = hol_twist_size known.
HOL_INLINE double one_row(const hol_model_data *m, const hol_element *e, const int d, const hol_real *y,
                          const hol_real *w, const hol_real *row, double *out)
{
    double correction = 0;
    for (int k = 0, at = 0; k < e->n_bodies; at += m->body[e->body[k++]].size, out += d) {
        const hol_body *b = &m->body[e->body[k]];
        const int plain = b->frame == HOL_FRAME_SPATIAL ? 3 : b->size;
        for (int c = 0; c < plain; c++) out[c] = hol_re(row[at + c]);
        for (int c = plain; c < d; c++) out[c] = 0;
        if (b->frame != HOL_FRAME_SPATIAL) continue;
        const hol_real *p = y + at + 3, *v = w + at + 3, *Jp = row + at + 3;
        hol_real E[3][4], vv = 0, Jpp = 0;
        hol_global_rate(p, E);
        for (int c = 0; c < 3; c++)
            out[3 + c] = 0.5 * hol_re(E[c][0] * Jp[0] + E[c][1] * Jp[1] + E[c][2] * Jp[2] + E[c][3] * Jp[3]);
        for (int c = 0; c < 4; c++) vv += v[c] * v[c], Jpp += Jp[c] * p[c];
        correction += hol_re(vv * Jpp);
    }
    return correction;
}

double hol_twist_row(const hol_model_data *m, const hol_element *e, const hol_real *y, const hol_real *w,
                     const hol_real *row, double *out)
{
    return one_row(m, e, hol_twist_size(m), y, w, row, out);
}

// With p' = E^T omega / 2:  J_omega = J_p E^T / 2, and p'' = E^T omega' / 2 - |p'|^2 p.
void hol_twist_rows(const hol_model_data *m, const hol_element *e, const hol_state *x, double *B,
                    double *value, double *gam, double *time)
{
    const int ny = e->ny, d = hol_twist_size(m), width = e->n_bodies * d;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y], along[HOL_MAX_ROWS], phi[HOL_MAX_ROWS];
    hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
    if (gam)
        hol_element_along(e, y, w, NULL, NULL, J, along);
    else
        e->type->phi(e->data, ny, y, NULL, NULL, J);
    if (value) {
        e->type->phi(e->data, ny, y, x->mem + e->mem, phi, NULL);
        for (int i = 0; i < e->n_rows; i++) value[i] = hol_re(phi[i]);
    }
    for (int i = 0; i < e->n_rows; i++) {
        const hol_real *row = J + i * ny;
        const double correction = one_row(m, e, d, y, w, row, B + i * width);
        if (gam) gam[i] = correction - hol_re(along[i]);
        if (time) time[i] = hol_re(row[ny - 1]);
    }
}

// Householder's reflections of B^T, one row after the other.
double hol_row_factors(int d, int rows, const double *B, double *Q, double *R)
{
    double worst = HOL_INF, T[HOL_TWIST * HOL_TWIST], v[HOL_TWIST];
    memcpy(T, B, (size_t)(rows * d) * sizeof *T); // T: column i of B^T stands in T + i d
    for (int i = 0; i < d * d; i++) Q[i] = i % (d + 1) == 0;
    for (int i = 0; i < rows; i++) {
        double size = 0, tail = 0;
        for (int c = 0; c < d; c++) size += T[i * d + c] * T[i * d + c];
        for (int c = i; c < d; c++) tail += T[i * d + c] * T[i * d + c];
        const double first = T[i * d + i], norm = first > 0 ? -sqrt(tail) : sqrt(tail);
        worst = fmin(worst, size > 0 ? fabs(norm) / sqrt(size) : 0);
        for (int c = 0; c < i; c++) R[c * rows + i] = T[i * d + c];
        for (int c = 0; c < d; c++) v[c] = c < i ? 0 : T[i * d + c];
        v[i] -= norm;
        R[i * rows + i] = norm;
        const double vv = tail - first * first + v[i] * v[i], scale = vv > 0 ? 2 / vv : 0;
        for (int k = i + 1; k < rows; k++) {
            double s = 0;
            for (int c = i; c < d; c++) s += v[c] * T[k * d + c];
            for (int c = i; c < d; c++) T[k * d + c] -= scale * s * v[c];
        }
        for (int k = 0; k < d; k++) { // Q <- Q H: rows of Q are strided by d
            double s = 0;
            for (int c = i; c < d; c++) s += Q[c * d + k] * v[c];
            for (int c = i; c < d; c++) Q[c * d + k] -= scale * s * v[c];
        }
    }
    return worst;
}
