// Linear force laws in primitive coordinates s(y), shared by spring-dampers, rotational springs, bushings and beams:
//
//     f = K (s - s0) + C s' + F,        Q = -s_q^T f                                                     (3.9)
//     Q_y = -[ sum_k f_k s_k,yy + s_q^T (K s_y + C (s_y w)_y) ],     Q_v = -s_q^T C s_q          (3.10)
//
// so the force is the exact gradient of V = (s - s0)^T K (s - s0) / 2 when K is symmetric and C and F vanish. Of a K that is
// not, V has the symmetric part; what the rest does is work. Tension is positive.
#include "element/element.h"
#include "element/written_out.h"

#include <math.h>
#include <string.h>

void hol_law_frames(const hol_setup *in, hol_law *law)
{
    static const char *const name[6] = {
        "x", "y", "z", "rotation about x", "rotation about y", "rotation about z"};
    const int d = in->dimension;
    for (int k = 0; k < d; k++) law->s[k] = hol_prim_between(in, HOL_PRIM_ALONG, k, 0, name[k]);
    law->n = d;
    if (in->end[1].marker->frame == HOL_FRAME_POINT) return;
    law->n = d == 3 ? 6 : 3;
    if (d == 2) {
        law->s[2] = hol_prim_between(in, HOL_PRIM_ANGLE, 0, 0, "rotation");
        return;
    }
    for (int k = 3; k < 6; k++) law->s[k] = hol_prim_between(in, HOL_PRIM_ROTATION, k - 3, 0, name[k]);
    hol_prim cosine = law->s[3];
    cosine.kind = HOL_PRIM_TURN;
    cosine.axis1 = HOL_TURN_W;
    const double sign = hol_prim_drawn(in, &cosine) < 0 ? -1 : 1;
    for (int k = 3; k < 6; k++) law->s[k].offset = sign;
}

static void unwrap(const hol_law *law, const double *mem, hol_real t, hol_scalar *s)
{
    if (law->counts_turns) s->f = hol_turns_nearest(s->f, mem, hol_re(t));
}

// Row k of a matrix (n x n) times x.
static hol_real row_times(const hol_law *law, const double *matrix, int k, const hol_real *x)
{
    hol_real sum = 0;
    for (int l = 0; l < law->n; l++) sum += matrix[k * law->n + l] * x[l];
    return sum;
}

static bool is_rotation(const hol_law *law, int k) { return law->s[k].kind == HOL_PRIM_ROTATION; }

// Coordinates at a state.
static void coordinates(const hol_law *law, int ny, const hol_real *y, const hol_real *w, int order,
                        hol_scalar *s)
{
    for (int k = 0; k < law->n; k += is_rotation(law, k) ? 3 : 1)
        if (is_rotation(law, k))
            hol_rotation_eval(&law->s[k], ny, y, w, order, &s[k]);
        else
            hol_prim_eval(&law->s[k], ny, y, w, order, &s[k]);
}

// Coordinates s at a state and their x = s - s0; order 0, 1 (and rates) or 2 (also derivatives of s').
static void deflection(const hol_law *law, int ny, const hol_real *y, const hol_real *w, const double *mem,
                       int order, hol_scalar *s, hol_real *x, hol_real *rate)
{
    coordinates(law, ny, y, w, order, s);
    for (int k = 0; k < law->n; k++) {
        if (k == 0) unwrap(law, mem, y[ny - 1], s);
        x[k] = s[k].f - law->s0[k];
        rate[k] = 0;
        for (int j = 0; j < ny && order; j++) rate[k] += s[k].d[j] * w[j];
    }
}

// The same with the forces.
static void evaluate(const hol_law *law, int ny, const hol_real *y, const hol_real *w, const double *mem,
                     const hol_real *u, int order, hol_scalar *s, hol_real *f)
{
    hol_real x[HOL_MAX_ROWS], rate[HOL_MAX_ROWS];
    deflection(law, ny, y, w, mem, order, s, x, rate);
    for (int k = 0; k < law->n; k++) f[k] = row_times(law, law->K, k, x) + row_times(law, law->C, k, rate);
    if (law->adds && u) f[0] += u[0];
}

// ---- zero length ------------------------------------------------------------------------------------------------

// The vector d between the origins, d_y (3 x ny) and d' (3); false: they are apart, or the law is not of a length. s: the length
// as it was found, its derivatives are none at 0.
static bool coincide(const hol_law *law, const hol_scalar *s, int ny, const hol_real *y, const hol_real *w,
                     hol_real *d, hol_real *d_y, hol_real *rate)
{
    const hol_prim *p = &law->s[0];
    hol_feature at[2];
    double apart = 0;
    if (p->kind != HOL_PRIM_LENGTH || hol_re(s->f) > 2 * HOL_COINCIDENT) return false;
    for (int e = 0; e < 2; e++) hol_feature_eval(e ? p->m2 : p->m1, HOL_ORIGIN, y, NULL, 1, &at[e]);
    for (int i = 0; i < at[0].m; i++) {
        d[i] = at[1].f[i] - at[0].f[i];
        apart += hol_re(d[i]) * hol_re(d[i]);
    }
    if (apart > HOL_COINCIDENT * HOL_COINCIDENT) return false;
    for (int i = at[0].m; i < 3; i++) d[i] = 0;
    for (int i = 0; i < 3 * ny; i++) d_y[i] = 0;
    for (int i = 0; i < 3; i++) {
        rate[i] = 0;
        for (int e = 0; e < 2 && i < at[0].m; e++)
            for (int j = 0; j < at[e].n; j++) d_y[i * ny + at[e].iy + j] += (e ? 1 : -1) * at[e].d[i][j];
        for (int j = 0; j < ny && w; j++) rate[i] += d_y[i * ny + j] * w[j];
    }
    return true;
}

// The limit of the force along the relative velocity, n = d'/|d'|: K d + C d' + (F - K s0) n. Without a velocity the last has no
// direction, and unless it is 0 the force no value.
static void limit_force(const hol_law *law, int ny, const hol_real *d, const hol_real *d_y,
                        const hol_real *rate, const hol_real *u, hol_real *Q)
{
    const hol_real speed = sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
    hol_real rest = -law->K[0] * law->s0[0];
    if (law->adds && u) rest += u[0];
    for (int i = 0; i < 3; i++) {
        hol_real f = law->K[0] * d[i] + law->C[0] * rate[i];
        if (hol_re(speed) > 0)
            f += rest / speed * rate[i];
        else if (hol_re(rest) != 0)
            f = (double)NAN;
        for (int j = 0; j < ny - 1; j++) Q[j] -= d_y[i * ny + j] * f;
    }
}

bool hol_law_is_undirected(const void *data, int ny, const hol_real *y, const hol_real *w)
{
    const hol_law *law = data;
    hol_scalar s;
    hol_real d[3], d_y[3 * HOL_MAX_Y], rate[3];
    hol_prim_eval(&law->s[0], ny, y, NULL, 0, &s);
    return coincide(law, &s, ny, y, w, d, d_y, rate) && hol_re(rate[0]) == 0 && hol_re(rate[1]) == 0 &&
           hol_re(rate[2]) == 0;
}

// Of K d + C d' alone, without the curvature of d: finite, which the derivatives of a length are not here.
static void limit_derivatives(const hol_law *law, int ny, const hol_real *d_y, hol_real *Q_y, hol_real *Q_v)
{
    const int nq = ny - 1;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < nq; i++) {
            for (int j = 0; j < ny; j++) Q_y[i * ny + j] -= d_y[k * ny + i] * law->K[0] * d_y[k * ny + j];
            for (int j = 0; j < nq; j++) Q_v[i * nq + j] -= d_y[k * ny + i] * law->C[0] * d_y[k * ny + j];
        }
}

// Q = -s_q^T f for f = K (s - s0) + C s' + u (3.9); where the points coincide, the limit of the law.
void hol_law_force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                   const hol_real *u, hol_real *Q)
{
    const hol_law *law = data;
    hol_scalar s[HOL_MAX_ROWS];
    hol_real f[HOL_MAX_ROWS], d[3], d_y[3 * HOL_MAX_Y], rate[3];
    evaluate(law, ny, y, w, mem, u, 1, s, f);
    if (coincide(law, s, ny, y, w, d, d_y, rate)) {
        limit_force(law, ny, d, d_y, rate, u, Q);
        return;
    }
    for (int k = 0; k < law->n; k++)
        for (int i = 0; i < ny - 1; i++) Q[i] -= s[k].d[i] * f[k];
}

// Derivatives of hol_law_force, (3.10).
void hol_law_force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                     const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const hol_law *law = data;
    const int nq = ny - 1, n = law->n;
    hol_scalar s[HOL_MAX_ROWS];
    hol_real f[HOL_MAX_ROWS], minus[HOL_MAX_ROWS], H[HOL_MAX_Y * HOL_MAX_Y] = {0}, d[3], d_y[3 * HOL_MAX_Y],
                                                                 rate[3];
    evaluate(law, ny, y, w, mem, u, 2, s, f);
    if (coincide(law, s, ny, y, w, d, d_y, rate)) {
        limit_derivatives(law, ny, d_y, Q_y, Q_v);
        return;
    }
    for (int k = 0; k < n; k++) minus[k] = -f[k];
    for (int k = 0; k < n; k += is_rotation(law, k) ? 3 : 1)
        if (is_rotation(law, k))
            hol_rotation_hessian(&law->s[k], ny, y, &minus[k], H);
        else
            hol_prim_hessian(&law->s[k], ny, y, &minus[k], H);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < ny; j++) {
            hol_real f_y = 0, f_w = 0;
            for (int l = 0; l < n; l++) {
                f_y += law->K[k * n + l] * s[l].d[j] + law->C[k * n + l] * s[l].dw[j];
                f_w += law->C[k * n + l] * s[l].d[j];
            }
            for (int i = 0; i < nq; i++) Q_y[i * ny + j] -= s[k].d[i] * f_y;
            for (int i = 0; i < nq && j < nq; i++) Q_v[i * nq + j] -= s[k].d[i] * f_w;
        }
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < ny; j++) Q_y[i * ny + j] += H[i * ny + j];
}

void hol_law_force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u)
{
    const hol_law *law = data;
    hol_scalar s[HOL_MAX_ROWS];
    hol_real d[3], d_y[3 * HOL_MAX_Y], rate[3];
    if (!law->adds) return;
    hol_prim_eval(&law->s[0], ny, y, NULL, 1, s);
    if (coincide(law, s, ny, y, NULL, d, d_y, rate)) return;
    for (int i = 0; i < ny - 1; i++) Q_u[i] -= s[0].d[i];
}

// Energy of the springs and its rate along w.
void hol_law_energy(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    hol_real *V, hol_real *V_w)
{
    const hol_law *law = data;
    hol_scalar s[HOL_MAX_ROWS];
    hol_real x[HOL_MAX_ROWS], rate[HOL_MAX_ROWS], d[3], d_y[3 * HOL_MAX_Y], apart[3];
    deflection(law, ny, y, w, mem, V_w ? 1 : 0, s, x, rate);
    if (coincide(law, s, ny, y, w, d, d_y, apart)) {
        const hol_real speed = sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
        *V = 0.5 * law->K[0] * law->s0[0] * law->s0[0];
        if (V_w) *V_w = -law->K[0] * law->s0[0] * speed;
        return;
    }
    hol_real energy = 0, power = 0;
    for (int k = 0; k < law->n; k++) {
        const hol_real force = row_times(law, law->K, k, x);
        energy += 0.5 * x[k] * force;
        if (V_w) power += 0.5 * (rate[k] * force + x[k] * row_times(law, law->K, k, rate));
    }
    *V = energy;
    if (V_w) *V_w = power;
}

bool hol_law_has_rotation(const void *data)
{
    const hol_law *law = data;
    return law->n == 6 && is_rotation(law, 3);
}

double hol_law_turn(const void *data, int ny, const hol_real *y)
{
    const hol_law *law = data;
    hol_scalar s[3];
    double square = 0;
    hol_rotation_eval(&law->s[3], ny, y, NULL, 0, s);
    for (int k = 0; k < 3; k++) square += hol_re(s[k].f) * hol_re(s[k].f);
    return sqrt(square);
}

// The first angle, where it counts turns, with its rate, which the next step expects.
void hol_law_remember(const void *data, int ny, const hol_real *y, const hol_real *w, double *mem)
{
    const hol_law *law = data;
    if (!law->counts_turns) return;
    hol_scalar s;
    hol_real rate = 0;
    hol_prim_eval(&law->s[0], ny, y, NULL, 1, &s);
    unwrap(law, mem, y[ny - 1], &s);
    for (int j = 0; j < ny; j++) rate += s.d[j] * w[j];
    hol_turns_remember(s.f, rate, hol_re(y[ny - 1]), mem);
}
