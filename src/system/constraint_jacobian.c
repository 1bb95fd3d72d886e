// Phi_q as a dense matrix in natural sizes, from the entries of the equations, for those who choose independent
// coordinates by a pivoted QR or LU.
#include "system/constraint_jacobian.h"

#include <string.h>

void hol_constraint_jacobian(const hol_equations *s, const hol_state *x, const double *weight, double *A)
{
    const size_t nc = (size_t)s->nc;
    memset(A, 0, nc * (size_t)s->nq * sizeof *A);
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
        int column[HOL_MAX_Y], n = 0;
        if (!e->n_rows) continue;
        for (int i = 0; i < e->n_bodies; i++)
            for (int j = 0; j < s->m->body[e->body[i]].size; j++) column[n++] = s->m->body[e->body[i]].q + j;
        hol_element_gather(s->m, e, x->t, x->q, NULL, 0, y, w);
        e->type->phi(e->data, e->ny, y, NULL, NULL, J);
        for (int r = 0; r < e->n_rows; r++) {
            const int row = s->active[e->row + r];
            for (int j = 0; j < n && row >= 0; j++) {
                const int g = column[j];
                A[(size_t)row + (size_t)g * nc] +=
                    hol_re(J[r * e->ny + j]) * s->q_size[g] * (weight ? weight[g] : 1) / s->row_size[row];
            }
        }
    }
}
