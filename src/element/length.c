// |r2 - r1| and its derivative by y, written out: the same numbers as the products of marker features in primitive.c. Most springs
// are made of it.
#include "element/primitive.h"

#include <math.h>

enum { DIMENSION = 3 };

typedef struct {
    const hol_marker *k;
    hol_real B[DIMENSION][4]; // in space: derivative by the Euler parameters is 2 B
    hol_real h[2];            // in the plane: derivative by the angle
} end;

static void look(const hol_marker *k, const hol_real *y, end *o, hol_real *f)
{
    const hol_real *q = y + k->iy;
    o->k = k;
    for (int i = 0; i < DIMENSION; i++) f[i] = k->frame == HOL_FRAME_GROUND ? k->s[i] : 0;
    if (k->frame == HOL_FRAME_POINT)
        for (int i = 0; i < k->size; i++) f[i] = q[i];
    if (k->frame == HOL_FRAME_PLANAR) {
        const hol_real c = cos(q[2]), s = sin(q[2]);
        const hol_real g[2] = {c * k->s[0] - s * k->s[1], s * k->s[0] + c * k->s[1]};
        o->h[0] = -g[1], o->h[1] = g[0];
        for (int i = 0; i < 2; i++) f[i] = g[i] + q[i];
    }
    if (k->frame != HOL_FRAME_SPATIAL) return;
    const hol_real *p = q + 3;
    hol_rotate_d(p, k->s, o->B);
    for (int i = 0; i < DIMENSION; i++)
        f[i] = q[i] + o->B[i][0] * p[0] + o->B[i][1] * p[1] + o->B[i][2] * p[2] + o->B[i][3] * p[3];
}

// row += sign x^T F_y/l
static void add_row(const end *o, double sign, const hol_real *x, hol_real l, hol_real *row)
{
    hol_real *to = row + o->k->iy;
    const int plain = o->k->frame == HOL_FRAME_SPATIAL ? 3 : o->k->frame == HOL_FRAME_PLANAR ? 2 : o->k->size;
    for (int j = 0; j < plain; j++) to[j] += sign * x[j] / l;
    if (o->k->frame == HOL_FRAME_PLANAR) to[2] += sign * (x[0] * o->h[0] + x[1] * o->h[1]) / l;
    if (o->k->frame != HOL_FRAME_SPATIAL) return;
    for (int j = 0; j < 4; j++)
        to[3 + j] += sign * (2 * o->B[0][j] * x[0] + 2 * o->B[1][j] * x[1] + 2 * o->B[2][j] * x[2]) / l;
}

bool hol_length_written_out(const hol_prim *p, int ny, const hol_real *y, int order, hol_scalar *o)
{
    end first, second;
    hol_real f1[DIMENSION], f2[DIMENSION], x[DIMENSION];
    if (order > 1 || p->m1->frame == HOL_FRAME_MOVING || p->m2->frame == HOL_FRAME_MOVING) return false;
    look(p->m1, y, &first, f1);
    look(p->m2, y, &second, f2);
    for (int i = 0; i < DIMENSION; i++) x[i] = f2[i] - f1[i];
    o->f = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    o->fw = o->fww = 0;
    if (order < 1) return true;
    for (int j = 0; j < ny; j++) o->d[j] = 0;
    add_row(&second, 1, x, o->f, o->d);
    add_row(&first, -1, x, o->f, o->d);
    return true;
}
