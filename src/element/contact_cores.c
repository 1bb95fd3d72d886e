// Cores of contacts but outlines (contact_outline.c): how far a place or a shape is from a shape, with first and second derivatives by its coordinates in the axes of that one
// (docs/theory.md, section 23.1). A shape is what is within some distance, its radius, of its core. Branches go by real parts.
#include "element/contact_parts.h"

#include <math.h>

// ---- places -----------------------------------------------------------------------------------------------------

void hol_core_length(int n, const hol_real *e, const bool *free, const hol_real *line, hol_core *o)
{
    hol_real sum = 0;
    for (int i = 0; i < n; i++) sum += e[i] * e[i];
    o->f = sqrt(sum);
    for (int i = 0; i < n; i++) o->d[i] = e[i] / o->f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            o->dd[i][j] =
                ((i == j && (!free || free[i])) - o->d[i] * o->d[j] - (line ? line[i] * line[j] : 0)) / o->f;
}

// From a box of half edges h; within it to the nearest face, below 0.
static void from_box(int n, const double *h, const hol_real *x, hol_core *o)
{
    hol_real e[3];
    bool free[3], any = false;
    int nearest = 0;
    for (int i = 0; i < n; i++) {
        const double out = fabs(hol_re(x[i])) - h[i];
        free[i] = out > 0 || h[i] == 0;
        e[i] = !free[i] ? 0 : hol_re(x[i]) < 0 ? x[i] + h[i] : x[i] - h[i];
        any = any || hol_re(e[i]) != 0;
        if (out > fabs(hol_re(x[nearest])) - h[nearest]) nearest = i;
    }
    if (any) {
        hol_core_length(n, e, free, NULL, o);
        return;
    }
    const int sign = hol_re(x[nearest]) < 0 ? -1 : 1;
    o->f = sign * x[nearest] - h[nearest];
    o->d[nearest] = sign;
}

void hol_core_box(const hol_contact *c, const hol_real *x, hol_core *o)
{
    from_box(c->dimension, c->size, x, o);
}

// A function of the distance from the z axis and of z as one of x, y, z.
static void about_axis(const hol_real *x, const hol_core *p, hol_core *o)
{
    const hol_real rho = sqrt(x[0] * x[0] + x[1] * x[1]);
    const bool off = hol_re(rho) > 0;
    const hol_real u[3] = {off ? x[0] / rho : 0, off ? x[1] / rho : 0, 0};
    o->f = p->f;
    o->d[2] = p->d[1];
    o->dd[2][2] = p->dd[1][1];
    for (int i = 0; i < 2; i++) {
        o->d[i] = p->d[0] * u[i];
        o->dd[i][2] = o->dd[2][i] = p->dd[0][1] * u[i];
        for (int j = 0; j < 2; j++)
            o->dd[i][j] = p->dd[0][0] * u[i] * u[j] + (off ? p->d[0] * ((i == j) - u[i] * u[j]) / rho : 0);
    }
}

void hol_core_can(const hol_contact *c, const hol_real *x, hol_core *o)
{
    const hol_real flat[2] = {sqrt(x[0] * x[0] + x[1] * x[1]), x[2]};
    hol_core p = {0};
    from_box(2, c->size, flat, &p);
    about_axis(x, &p, o);
}

// In the plane behind the ends of an arc, on either side, the end is nearest.
void hol_core_ring(const hol_contact *c, const hol_real *x, hol_core *o)
{
    const double R = c->size[0], half = c->size[1];
    const bool plane = c->dimension == 2, beyond = plane && fabs(atan2(hol_re(x[1]), hol_re(x[0]))) > half;
    const hol_real from[2] = {sqrt(x[0] * x[0] + x[1] * x[1]) - R, plane ? 0 : x[2]};
    hol_core p = {0};
    if (beyond) {
        const hol_real e[2] = {x[0] - R * cos(half), x[1] - (hol_re(x[1]) < 0 ? -1 : 1) * R * sin(half)};
        hol_core_length(2, e, NULL, NULL, o);
        return;
    }
    hol_core_length(plane ? 1 : 2, from, NULL, NULL, &p);
    about_axis(x, &p, o);
}

// A ball that is larger than an arc lies on both ends.
double hol_core_ring_again(const hol_contact *c, const hol_real *x)
{
    const double R = c->size[0], half = c->size[1], angle = atan2(hol_re(x[1]), hol_re(x[0]));
    const int other = angle < 0 ? 1 : -1;
    if (c->dimension == 3 || fabs(angle) <= half) return -HOL_INF;
    return c->radii - hypot(hol_re(x[0]) - R * cos(half), hol_re(x[1]) - other * R * sin(half));
}

// ---- on a half-space --------------------------------------------------------------------------------------------

// x[3..5] are the components k of its normal in the axes of end 1. The lowest place of what has the half axes D, and how high it is, (23.12).
static void lowest(const double *D, const hol_real *x, hol_core *o)
{
    hol_real sum = 0, q[3];
    for (int i = 0; i < 3; i++) {
        q[i] = D[i] * D[i] * x[3 + i];
        sum += q[i] * x[3 + i];
    }
    const hol_real h = sqrt(sum);
    o->f = x[2] - h;
    o->d[2] = 1;
    for (int i = 0; i < 3 && hol_re(h) > 0; i++) {
        o->w[i] = o->d[3 + i] = -q[i] / h;
        for (int j = 0; j < 3; j++)
            o->w_d[i][3 + j] = o->dd[3 + i][3 + j] = -((i == j ? D[i] * D[i] : 0) - q[i] * q[j] / sum) / h;
    }
}

void hol_core_rim(const hol_contact *c, const hol_real *x, hol_core *o)
{
    lowest((const double[3]){c->size[0], c->size[0], 0}, x, o);
}

void hol_core_ellipsoid(const hol_contact *c, const hol_real *x, hol_core *o) { lowest(c->size, x, o); }

// ---- two rods ---------------------------------------------------------------------------------------------------

// With end 0 along e, end 1 at x along u, x[3..5] its components, D = x + t u - s e is shortest at s and t.
typedef struct {
    hol_real s, t;
    bool s_free, t_free; // not at an end
} rods;

static double within(double x, double most) { return fmin(fmax(x, -most), most); }

// By real parts, which ends are at a limit; of parallel ones the middle of what is side by side.
static rods nearest_rods(const hol_contact *c, double b, double ex, double ux, double uu)
{
    const double h1 = c->size[0], h2 = c->size[1], det = uu - b * b;
    double s, t;
    if (det > 1e-12 * uu) {
        s = within(ex + b * (b * ex - ux) / det, h1);
    } else {
        const double reach = h2 * sqrt(uu), lo = fmax(-h1, ex - reach), hi = fmin(h1, ex + reach);
        s = lo <= hi ? (lo + hi) / 2 : ex > 0 ? h1 : -h1;
    }
    t = within((s * b - ux) / uu, h2);
    s = within(ex + t * b, h1);
    return (rods){s, t, fabs(s) < h1, fabs(t) < h2};
}

// (23.13)
void hol_core_rods(const hol_contact *c, const hol_real *x, hol_core *o)
{
    enum { N = HOL_CORE_MOST };
    const int along = c->dimension == 2 ? 0 : 2;
    const hol_real *u = x + 3, b = u[along], ex = x[along], uu = hol_dot(u, u), ux = hol_dot(u, x),
                   det = uu - b * b;
    rods at = nearest_rods(c, hol_re(b), hol_re(ex), hol_re(ux), hol_re(uu));
    const bool parallel = hol_re(det) <= 1e-12 * hol_re(uu), both = at.s_free && at.t_free && !parallel;
    if (both)
        at.t = (b * ex - ux) / det;
    else if (at.t_free)
        at.t = (at.s * b - ux) / uu;
    if (at.s_free && !(parallel && at.t_free)) at.s = ex + at.t * b;
    if (both && c->dimension == 2) return; // they cross: 0, and no way out is the shortest
    hol_real D[3], s_y[N] = {0}, t_y[N] = {0};
    for (int i = 0; i < 3; i++) D[i] = x[i] + at.t * u[i] - (i == along ? at.s : 0);
    for (int i = 0; i < 3; i++) { // from u.D = 0 and e.D = 0
        const int e = i == along;
        const hol_real by[2] = {u[i], x[i] + 2 * at.t * u[i] - e * at.s}, own[2] = {e, e * at.t};
        for (int k = 0; k < 2; k++) {
            const int j = 3 * k + i;
            if (both)
                t_y[j] = (b * own[k] - by[k]) / det;
            else if (at.t_free)
                t_y[j] = -by[k] / uu;
            if (at.s_free && !(parallel && at.t_free)) s_y[j] = own[k] + b * t_y[j];
        }
    }
    o->f = sqrt(hol_dot(D, D));
    o->w[along] = at.t;
    for (int j = 0; j < N; j++) o->w_d[along][j] = t_y[j];
    for (int i = 0; i < N; i++) o->d[i] = (i < 3 ? 1 : at.t) * D[i % 3] / o->f;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const int k = i % 3;
            const hol_real change =
                               (k == j % 3 ? (j < 3 ? 1 : at.t) : 0) + u[k] * t_y[j] - (k == along) * s_y[j],
                           own = i < 3 ? change : t_y[j] * D[k] + at.t * change;
            o->dd[i][j] = (own - o->d[i] * o->d[j]) / o->f;
        }
}

// ---- two ellipsoids ---------------------------------------------------------------------------------------------

// In the axes of end 0: half axes D1 there, D2 along the columns of B, and the middle of end 1. Support functions h along n, the places s
// that it touches and their derivatives by n, minus those of end 1 backwards.
typedef struct {
    hol_real h[2], s[2][3], H[2][3][3];
} supports;

// h, s = h_n and H = h_nn of end e; B NULL: its axes are those of end 0.
static void find_support(const double *D, hol_real (*B)[3], const hol_real *n, int e, supports *o)
{
    hol_real k[3], sum = 0;
    for (int j = 0; j < 3; j++) {
        k[j] = B ? B[0][j] * n[0] + B[1][j] * n[1] + B[2][j] * n[2] : n[j];
        sum += D[j] * D[j] * k[j] * k[j];
    }
    o->h[e] = sqrt(sum);
    for (int i = 0; i < 3; i++) {
        o->s[e][i] = 0;
        for (int j = 0; j < 3; j++) o->s[e][i] += (B ? B[i][j] : i == j) * D[j] * D[j] * k[j] / o->h[e];
    }
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < 3; l++) {
            hol_real E = 0;
            for (int j = 0; j < 3; j++) E += (B ? B[i][j] * B[l][j] : i == j && l == j) * D[j] * D[j];
            o->H[e][i][l] = (E - o->s[e][i] * o->s[e][l]) / o->h[e];
        }
}

// K z = rhs for m columns of z, by elimination with pivots.
static void eliminate(hol_real K[4][4], int m, hol_real (*z)[HOL_CORE_MOST])
{
    for (int c = 0; c < 4; c++) {
        int best = c;
        for (int r = c + 1; r < 4; r++)
            if (fabs(hol_re(K[r][c])) > fabs(hol_re(K[best][c]))) best = r;
        for (int j = 0; j < 4; j++) {
            const hol_real keep = K[c][j];
            K[c][j] = K[best][j], K[best][j] = keep;
        }
        for (int j = 0; j < m; j++) {
            const hol_real keep = z[c][j];
            z[c][j] = z[best][j], z[best][j] = keep;
        }
        for (int r = 0; r < 4; r++) {
            const hol_real by = r == c ? 0 : K[r][c] / K[c][c];
            for (int j = 0; j < 4 && r != c; j++) K[r][j] -= by * K[c][j];
            for (int j = 0; j < m && r != c; j++) z[r][j] -= by * z[c][j];
        }
    }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j < m; j++) z[c][j] = z[c][j] / K[c][c];
}

// Two ellipsoids; D2 NULL: a place.
typedef struct {
    const double *D1, *D2;
    hol_real x[3], B[3][3], n[3];
    supports of;
    hol_real f;
} eggs;

// f = n.x - h1(n) - h2(n), and its gradient r by n.
static void find_support_gap(eggs *o, hol_real r[3])
{
    find_support(o->D1, NULL, o->n, 0, &o->of);
    if (o->D2) find_support(o->D2, o->B, o->n, 1, &o->of);
    o->f = 0;
    for (int i = 0; i < 3; i++) {
        r[i] = o->x[i] - o->of.s[0][i] - o->of.s[1][i];
        o->f += o->n[i] * r[i];
    }
}

// The bordered matrix of (23.14).
static void find_border(const eggs *o, hol_real K[4][4])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) K[i][j] = -o->of.H[0][i][j] - o->of.H[1][i][j] - (i == j ? o->f : 0);
        K[i][3] = K[3][i] = o->n[i];
    }
    K[3][3] = 0;
}

static void normalise(hol_real n[3])
{
    const hol_real size = sqrt(hol_dot(n, n));
    for (int i = 0; i < 3; i++) n[i] = n[i] / size;
}

// One step of Newton's formula from n, which f grows by; its length.
static double improve(eggs *o, bool guarded)
{
    hol_real r[3], K[4][4], z[4][HOL_CORE_MOST] = {{0}};
    find_support_gap(o, r);
    find_border(o, K);
    for (int i = 0; i < 3; i++) z[i][0] = -(r[i] - o->f * o->n[i]);
    eliminate(K, 1, z);
    hol_real dn[3] = {z[0][0], z[1][0], z[2][0]}, from[3] = {o->n[0], o->n[1], o->n[2]};
    double uphill = 0, length = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        uphill += hol_re(dn[i] * r[i]);
        size += hol_re(r[i]) * hol_re(r[i]);
    }
    for (int i = 0; i < 3 && guarded && uphill < 0; i++) dn[i] = (r[i] - o->f * from[i]) / sqrt(size);
    for (int i = 0; i < 3; i++) length += hol_re(dn[i]) * hol_re(dn[i]);
    const double before = hol_re(o->f);
    double part = guarded && length > 0.25 ? 0.5 / sqrt(length) : 1;
    for (int k = 0; k < 30; k++, part /= 2) {
        for (int i = 0; i < 3; i++) o->n[i] = from[i] + part * dn[i];
        normalise(o->n);
        if (!guarded || length < 1e-12) break;
        find_support_gap(o, r);
        if (hol_re(o->f) >= before) break;
    }
    return sqrt(length);
}

// From a start that depends on nothing else, n along (D1^2 + D2^2)^-1 x, exact for a place on the surface and for balls.
static void find_normal(eggs *o)
{
    enum { TURNS = 60, MORE = 2 };
    eggs real = *o;
    hol_real K[4][4] = {{0}}, z[4][HOL_CORE_MOST] = {{0}};
    for (int i = 0; i < 3; i++) {
        real.x[i] = hol_re(o->x[i]);
        for (int j = 0; j < 3; j++) {
            real.B[i][j] = hol_re(o->B[i][j]);
            K[i][j] = i == j ? o->D1[i] * o->D1[i] : 0;
            for (int k = 0; k < 3 && o->D2; k++)
                K[i][j] += hol_re(o->B[i][k] * o->B[j][k]) * o->D2[k] * o->D2[k];
        }
        z[i][0] = hol_re(o->x[i]);
    }
    K[3][3] = 1;
    eliminate(K, 1, z);
    for (int i = 0; i < 3; i++) real.n[i] = z[i][0];
    normalise(real.n);
    for (int k = 0; k < TURNS && improve(&real, true) > 1e-14; k++) continue;
    for (int i = 0; i < 3; i++) o->n[i] = real.n[i];
    for (int k = 0; k < MORE; k++) (void)improve(o, false);
}

// By how much the gradient r changes by argument j while n does not, and w of it.
static void turn_by(const eggs *o, hol_real W[3][3], int j, hol_real r_y[3], hol_real w_y[3])
{
    const int i = (j - 3) / 3, k = (j - 3) % 3;
    for (int a = 0; a < 3; a++) r_y[a] = w_y[a] = 0;
    if (j < 3) {
        r_y[j] = 1;
        return;
    }
    hol_real w = 0; // component k of what end 1 touches with
    for (int a = 0; a < 3; a++) w -= o->B[a][k] * o->of.s[1][a];
    r_y[i] = w;
    for (int a = 0; a < 3; a++) {
        w_y[a] = W[a][k] * o->n[i];
        for (int b = 0; b < 3; b++) r_y[b] += o->B[b][a] * w_y[a];
    }
}

// w of end 1 in its own axes, and its derivatives W by the normal there.
static void touch_with(const eggs *o, hol_real w[3], hol_real W[3][3])
{
    hol_real k[3];
    for (int j = 0; j < 3; j++) {
        k[j] = o->B[0][j] * o->n[0] + o->B[1][j] * o->n[1] + o->B[2][j] * o->n[2];
        w[j] = -o->D2[j] * o->D2[j] * k[j] / o->of.h[1];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            W[i][j] = -((i == j ? o->D2[i] * o->D2[i] : 0) - w[i] * w[j]) / o->of.h[1];
}

// (23.14); o2 the half axes of end 1, NULL: it is a ball.
static void between_eggs(const hol_contact *c, const double *D2, const hol_real *x, hol_core *o)
{
    const int all = D2 ? HOL_CORE_MOST : 3;
    eggs q = {.D1 = c->size, .D2 = D2, .x = {x[0], x[1], x[2]}};
    hol_real r[3], K[4][4], z[4][HOL_CORE_MOST] = {{0}}, W[3][3] = {{0}}, w_y[HOL_CORE_MOST][3] = {{0}};
    for (int i = 0; i < 3 && D2; i++)
        for (int j = 0; j < 3; j++) q.B[i][j] = x[3 + 3 * i + j];
    find_normal(&q);
    find_support_gap(&q, r);
    find_border(&q, K);
    if (D2) touch_with(&q, o->w, W);
    for (int j = 0; j < all; j++) {
        hol_real r_y[3];
        turn_by(&q, W, j, r_y, w_y[j]);
        for (int i = 0; i < 3; i++) z[i][j] = -r_y[i];
    }
    eliminate(K, all, z);
    o->f = q.f;
    for (int j = 0; j < all; j++) {
        hol_real k_y[3] = {0};
        for (int a = 0; a < 3 && D2; a++)
            for (int i = 0; i < 3; i++) k_y[a] += q.B[i][a] * z[i][j];
        for (int a = 0; a < 3; a++) o->w_d[a][j] = w_y[j][a] + hol_dot(W[a], k_y);
        o->d[j] = j < 3 ? q.n[j] : q.n[(j - 3) / 3] * o->w[(j - 3) % 3];
    }
    for (int i = 0; i < all; i++)
        for (int j = 0; j < all; j++)
            o->dd[i][j] =
                i < 3 ? z[i][j]
                      : z[(i - 3) / 3][j] * o->w[(i - 3) % 3] + q.n[(i - 3) / 3] * o->w_d[(i - 3) % 3][j];
}

void hol_core_egg(const hol_contact *c, const hol_real *x, hol_core *o) { between_eggs(c, NULL, x, o); }

void hol_core_eggs(const hol_contact *c, const hol_real *x, hol_core *o)
{
    between_eggs(c, c->outline, x, o);
}
