// How bodies move along a direction; see body_motion.h.
#include "analysis/body_motion.h"

#include <math.h>
#include <string.h>

#define SAME 1e-9 // components of a motion that differ by less are alike

void hol_body_motion(const hol_model_data *m, const double *q, const double *dq, double *motion)
{
    memset(motion, 0, 6 * (size_t)m->n_bodies * sizeof *motion);
    for (int k = 0; k < m->n_bodies; k++, motion += 6) {
        const hol_body *b = &m->body[k];
        const double *p = q + b->q + 3, *d = dq + b->q + 3; // Euler parameters
        memcpy(motion, dq + b->q, (size_t)m->dimension * sizeof *motion);
        if (b->frame == HOL_FRAME_PLANAR) motion[5] = dq[b->q + 2];
        if (b->frame != HOL_FRAME_SPATIAL) continue;
        for (int i = 0; i < 3; i++) { // twice the vector part of dp p*
            const int j = 1 + (i + 1) % 3, l = 1 + (i + 2) % 3;
            motion[3 + i] = 2 * (p[0] * d[1 + i] - d[0] * p[1 + i] + p[j] * d[l] - p[l] * d[j]);
        }
    }
}

hol_status hol_body_motion_along(hol_context *ctx, const hol_reduced *r, const double *q, const double *p,
                                 double *motion)
{
    const size_t nq = (size_t)r->s->nq;
    double *dq = hol_calloc(ctx, nq + 1, sizeof *dq);
    if (!dq) return HOL_ERR_MEMORY;
    for (int k = 0; k < r->d; k++)
        for (size_t i = 0; i < nq; i++) dq[i] += p[k] * r->N[(size_t)k * nq + i];
    hol_body_motion(r->s->m, q, dq, motion);
    hol_free(dq);
    return HOL_OK;
}

double hol_body_motion_size(const hol_model_data *m, int i) { return i % 6 < 3 ? m->length_scale : 1; }

int hol_body_motion_largest(const hol_model_data *m, const double *motion)
{
    int best = 0;
    double most = 0;
    for (int i = 0; i < 6 * m->n_bodies; i++) {
        const double size = fabs(motion[i]) / hol_body_motion_size(m, i);
        if (!(size > most * (1 + SAME))) continue;
        most = size;
        best = i;
    }
    return best;
}
