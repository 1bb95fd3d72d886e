// Force and torque at the last end of an element, in the axes of its marker (formulas in wrench.h), as linear functions
// of the generalised force; written once in numbers with gradients, so that the derivatives follow.
#include "system/wrench.h"

#include <stddef.h>
#include <string.h>

enum { NUM = 4 + HOL_MAX_Y };

typedef struct {
    hol_shape shape;
    hol_real u[3][NUM], arm[3][NUM], E[3][4][NUM];
} frame;

static void take(const hol_shape *s, const hol_feature *f, int i, hol_real *out)
{
    hol_num_constant(s, f->f[i], out);
    for (int j = 0; j < f->n && s->n; j++) out[4 + f->iy + j] = f->d[i][j];
}

// E(p) is linear: its derivative by p_k is E(e_k)
static void rate_matrix(frame *f, const hol_real *y, int iy)
{
    hol_real E[3][4];
    hol_global_rate(y + iy + 3, E);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) hol_num_constant(&f->shape, E[i][j], f->E[i][j]);
    for (int k = 0; k < 4 && f->shape.n; k++) {
        const hol_real unit[4] = {k == 0, k == 1, k == 2, k == 3};
        hol_global_rate(unit, E);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++) f->E[i][j][4 + iy + 3 + k] = E[i][j];
    }
}

// out += sign a b
static void add_product(const hol_shape *s, double sign, const hol_real *a, const hol_real *b, hol_real *out)
{
    hol_real p[NUM];
    hol_num_mul(s, a, b, p);
    const int size = hol_num_size(s);
    for (int i = 0; i < size; i++) out[i] += sign * p[i];
}

static void store(const hol_shape *s, const hol_real *x, hol_real *c, hol_real *d)
{
    *c = x[0];
    for (int j = 0; j < s->n; j++) d[j] = x[4 + j];
}

// Components F_a and T_a, u in f->u.
static void components(const frame *f, const hol_body *b, int a, double sign, hol_wrench_map *out)
{
    const hol_shape *s = &f->shape;
    const int lengths = b->frame == HOL_FRAME_POINT ? b->size : b->frame == HOL_FRAME_PLANAR ? 2 : 3;
    hol_real x[NUM];
    for (int i = 0; i < lengths; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        hol_num_affine(s, sign, f->u[i], 0, x);
        store(s, x, &out->c[a][i], out->d[a][i]);
        if (b->frame == HOL_FRAME_POINT) continue; // no torque
        hol_num_constant(s, 0, x);
        add_product(s, sign, f->arm[j], f->u[k], x);
        add_product(s, -sign, f->arm[k], f->u[j], x);
        store(s, x, &out->c[3 + a][i], out->d[3 + a][i]);
    }
    if (b->frame == HOL_FRAME_PLANAR) {
        hol_num_affine(s, sign, f->u[2], 0, x);
        store(s, x, &out->c[3 + a][2], out->d[3 + a][2]);
    }
    for (int j = 0; j < 4 && b->frame == HOL_FRAME_SPATIAL; j++) {
        hol_num_constant(s, 0, x);
        for (int i = 0; i < 3; i++) add_product(s, 0.5 * sign, f->E[i][j], f->u[i], x);
        store(s, x, &out->c[3 + a][3 + j], out->d[3 + a][3 + j]);
    }
}

// The six functions at y, with derivatives by y if asked for; on ground the opposite of the first body's.
void hol_wrench_map_at(const hol_model_data *m, const hol_element *e, const hol_real *y, bool derivatives,
                       hol_wrench_map *out)
{
    const hol_end *end = &e->end[e->n_ends - 1];
    const bool ground = end->body < 0;
    const int body = ground ? e->body[0] : end->body, order = derivatives ? 1 : 0;
    const hol_body *b = &m->body[body];
    frame f;
    hol_feature origin, axis;
    memset(out, 0, derivatives ? sizeof *out : offsetof(hol_wrench_map, d));
    if (derivatives) memset(&f, 0, sizeof f);
    f.shape = (hol_shape){.n = derivatives ? e->ny : 0};
    for (int i = 0; i < e->n_bodies && e->body[i] != body; i++) out->iy += m->body[e->body[i]].size;
    out->size = b->size;
    hol_feature_eval(end->marker, HOL_ORIGIN, y, NULL, order, &origin);
    const int lengths = b->frame == HOL_FRAME_SPATIAL ? 3 : b->frame == HOL_FRAME_PLANAR ? 2 : b->size;
    for (int i = 0; i < 3; i++) {
        take(&f.shape, &origin, i, f.arm[i]);
        if (i >= lengths) continue;
        f.arm[i][0] -= y[out->iy + i];
        if (derivatives) f.arm[i][4 + out->iy + i] -= 1;
    }
    if (b->frame == HOL_FRAME_SPATIAL) rate_matrix(&f, y, out->iy);
    for (int a = 0; a < 3; a++) {
        const bool axes = end->marker->frame != HOL_FRAME_POINT; // a point mass has none: global ones
        if (axes) hol_feature_eval(end->marker, a, y, NULL, order, &axis);
        for (int i = 0; i < 3; i++)
            if (axes)
                take(&f.shape, &axis, i, f.u[i]);
            else
                hol_num_constant(&f.shape, i == a, f.u[i]);
        components(&f, b, a, ground ? -1 : 1, out);
    }
}
