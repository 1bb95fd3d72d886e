// Linear force laws in primitive coordinates s(y), shared by spring-dampers, rotational springs and bushings:
//
//     f = K (s - s0) + C s' + F,        Q = -s_q^T f                                                     (3.9)
//     Q_y = -[ sum_k f_k s_k,yy + s_q^T (K s_y + C (s_y w)_y) ],     Q_v = -s_q^T C s_q          (3.10)
//
// so the force is the exact gradient of V = (s - s0)^T K (s - s0) / 2 when C and F vanish. Tension is positive.
#include "element/element.h"

#include <math.h>
#include <string.h>

static void unwrap(const hol_law *law, const double *mem, hol_scalar *s)
{
    if (law->counts_turns) s->f += 2 * HOL_PI * round((mem[0] - hol_re(s->f)) / (2 * HOL_PI));
}

// Coordinates and forces at a state; order 1 (values) or 2 (also derivatives of s').
static void evaluate(const hol_law *law, int ny, const hol_real *y, const hol_real *w, const double *mem,
                     const hol_real *u, int order, hol_scalar *s, hol_real *f)
{
    for (int k = 0; k < law->n; k++) {
        hol_prim_eval(&law->s[k], ny, y, w, order, &s[k]);
        if (k == 0) unwrap(law, mem, s);
        hol_real rate = 0;
        for (int j = 0; j < ny; j++) rate += s[k].d[j] * w[j];
        f[k] = law->K[k] * (s[k].f - law->s0[k]) + law->C[k] * rate;
    }
    if (law->adds && u) f[0] += u[0];
}

void hol_law_force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                   const hol_real *u, hol_real *Q)
{
    const hol_law *law = data;
    hol_scalar s[HOL_MAX_ROWS];
    hol_real f[HOL_MAX_ROWS];
    evaluate(law, ny, y, w, mem, u, 1, s, f);
    for (int k = 0; k < law->n; k++)
        for (int i = 0; i < ny - 1; i++) Q[i] -= s[k].d[i] * f[k];
}

void hol_law_force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                     const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const hol_law *law = data;
    const int nq = ny - 1;
    hol_scalar s[HOL_MAX_ROWS];
    hol_real f[HOL_MAX_ROWS], H[HOL_MAX_Y * HOL_MAX_Y] = {0};
    evaluate(law, ny, y, w, mem, u, 2, s, f);
    for (int k = 0; k < law->n; k++) {
        const hol_real minus = -f[k];
        hol_prim_hessian(&law->s[k], ny, y, &minus, H);
        for (int j = 0; j < ny; j++) {
            hol_real f_y = law->K[k] * s[k].d[j] + law->C[k] * s[k].dw[j];
            for (int i = 0; i < nq; i++) Q_y[i * ny + j] -= s[k].d[i] * f_y;
        }
        for (int i = 0; i < nq; i++)
            for (int j = 0; j < nq; j++) Q_v[i * nq + j] -= law->C[k] * s[k].d[i] * s[k].d[j];
    }
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < ny; j++) Q_y[i * ny + j] += H[i * ny + j];
}

void hol_law_force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u)
{
    const hol_law *law = data;
    hol_scalar s[HOL_MAX_ROWS];
    if (!law->adds) return;
    hol_prim_eval(&law->s[0], ny, y, NULL, 1, s);
    for (int i = 0; i < ny - 1; i++) Q_u[i] -= s[0].d[i];
}

void hol_law_energy(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    hol_real *V, hol_real *V_w)
{
    const hol_law *law = data;
    hol_scalar s[HOL_MAX_ROWS];
    hol_real f[HOL_MAX_ROWS];
    evaluate(law, ny, y, w, mem, NULL, 1, s, f);
    *V = *V_w = 0;
    for (int k = 0; k < law->n; k++) {
        const hol_real x = s[k].f - law->s0[k];
        hol_real rate = 0;
        for (int j = 0; j < ny; j++) rate += s[k].d[j] * w[j];
        *V += 0.5 * law->K[k] * x * x;
        *V_w += law->K[k] * x * rate;
    }
}

void hol_law_remember(const void *data, int ny, const hol_real *y, double *mem)
{
    const hol_law *law = data;
    if (!law->counts_turns) return;
    hol_scalar s;
    hol_prim_eval(&law->s[0], ny, y, NULL, 0, &s);
    unwrap(law, mem, &s);
    mem[0] = hol_re(s.f);
}
