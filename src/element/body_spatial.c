// Spatial rigid body: centre of mass r, Euler parameters p = (e0, e1, e2, e3), scalar first.
//
//     omega_body = 2 G(p) p',  G linear in p, G(p) p' = -G(p') p
//     M = [ m I  0 ; 0  4 G^T J G ]                    (4 x 4 block of rank 3: regular on the unit sphere's tangent)
//     Q = ( m g ;  -8 G(p')^T J G(p) p' )              from Lagrange's equations
//     phi = (p.p - 1)/2
//
// docs/theory.md, section 2.4.
#include "element/element.h"
#include "element/inertia.h"

#include <math.h>
#include <string.h>

typedef struct {
    double m;    // [kg]
    double J[9]; // inertia tensor about the centre of mass, body axes [kg m^2]
    double g[3]; // [m/s^2]
} spatial;

enum { MASS, INERTIA, CHECK };
enum { REFUSE, WARN }; // of CHECK
static const hol_option options[] = {
    {"mass", HOL_NUMBER, "kg", HOL_NONE, 0, HOL_INF, 0, NULL,
     "mass of the body; default: by the density of its shapes"},
    {"inertia", HOL_NUMBERS, "kg m^2", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
     "inertia tensor about the centre of mass, body axes: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] "
     "with "
     "Ixy = -integral of x y dm (tensor entries), or one number for a sphere; default: that of its shapes"},
    {"inertia_check", HOL_CHOICE, "", 0, 0, 0, 0, "error|warn",
     "what is done about a tensor that breaks the triangle inequality, which no rigid body does; warn: the "
     "body moves with it as it is "
     "given. One that is not positive is an error"},
    HOL_END_OPTIONS};

static double rounded(double x, int digits)
{
    char text[40];
    hol_decimal_print(text, sizeof text, "%.*g", digits, x);
    return hol_decimal_read(text, NULL);
}

// So many that e[0] + e[1] < e[2] can be seen in what is printed.
static int digits_that_break(const double e[3])
{
    enum { LEAST = 6, MOST = 17 };
    int n = LEAST;
    while (n < MOST && !(rounded(e[0], n) + rounded(e[1], n) < rounded(e[2], n))) n++;
    return n;
}

// Refuses a tensor that breaks the triangle inequality, or warns of it; e: its principal moments.
static hol_status broken_triangle(const hol_setup *in, const double J[9], const double e[3])
{
    enum { TEXT = 400 };
    char text[TEXT];
    const hol_src at = in->value[INERTIA].at;
    const int digits = digits_that_break(e);
    const bool diagonal = J[1] == 0 && J[2] == 0 && J[5] == 0, warn = in->value[CHECK].num == WARN;
    const char *rule = J[4] + J[8] < J[0]   ? "Iyy + Izz < Ixx"
                       : J[0] + J[8] < J[4] ? "Ixx + Izz < Iyy"
                                            : "Ixx + Iyy < Izz";
    hol_decimal_print(
        text, sizeof text,
        "%s breaks the triangle inequality (principal moments %.*g, %.*g, %.*g kg m^2), no body "
        "has this inertia",
        diagonal ? rule : "the tensor", digits, e[0], digits, e[1], digits, e[2]);
    if (!warn) return hol_fail_at(in->ctx, HOL_ERR_MODEL, at, "%s.inertia: %s", in->path, text);
    hol_note_at(in->ctx, HOL_WARNING, at, "%s.inertia: %s; it is taken as it is given", in->path, text);
    return HOL_OK;
}

// Refuses what no rigid body has: principal moments that are negative or break the triangle inequality.
static hol_status check_inertia(const hol_setup *in, const double J[9])
{
    const hol_src at = in->value[INERTIA].at;
    double e[3];
    hol_inertia_fault fault;
    const hol_status st = hol_inertia_judge(in->ctx, J, e, &fault);
    if (st) return st;
    if (fault == HOL_INERTIA_NEGATIVE)
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, at,
            "%s.inertia: not positive: principal moments %.6g, %.6g, %.6g kg m^2; no body has a "
            "negative moment of inertia (check the signs of the products: tensor entries are wanted)",
            in->path, e[0], e[1], e[2]);
    return fault == HOL_INERTIA_TRIANGLE ? broken_triangle(in, J, e) : HOL_OK;
}

// Reads mass and inertia: one number, three principal ones, or six of the tensor.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    spatial *b = data;
    const hol_value *inertia = &in->value[INERTIA];
    const double *I = inertia->list;
    b->m = in->value[MASS].num;
    for (int i = 0; i < 3; i++) b->g[i] = in->gravity[i];
    if (inertia->n != 1 && inertia->n != 3 && inertia->n != 6)
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, inertia->at,
            "%s.inertia: %d numbers; wanted are [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]%s",
            in->path, inertia->n, inertia->comma);
    for (int i = 0; i < 3; i++) b->J[4 * i] = I[inertia->n == 1 ? 0 : i];
    if (inertia->n == 6) {
        b->J[1] = b->J[3] = I[3];
        b->J[2] = b->J[6] = I[4];
        b->J[5] = b->J[7] = I[5];
    }
    e->n_rows = 1;
    return check_inertia(in, b->J);
}

static void times_J(const spatial *b, const hol_real x[3], hol_real h[3])
{
    for (int i = 0; i < 3; i++) h[i] = b->J[3 * i] * x[0] + b->J[3 * i + 1] * x[1] + b->J[3 * i + 2] * x[2];
}

static void times_G(const hol_real p[4], const hol_real x[4], hol_real out[3])
{
    hol_real G[3][4];
    hol_body_rate(p, G);
    for (int i = 0; i < 3; i++) out[i] = G[i][0] * x[0] + G[i][1] * x[1] + G[i][2] * x[2] + G[i][3] * x[3];
}

// K (rows 3..6 of an array with leading dimension ld) += c G(a)^T J G(b)
static void add_GJG(const spatial *body, const hol_real a[4], const hol_real b[4], double c, hol_real *K,
                    int ld)
{
    hol_real Ga[3][4], Gb[3][4];
    hol_body_rate(a, Ga);
    hol_body_rate(b, Gb);
    for (int j = 0; j < 4; j++) {
        const hol_real column[3] = {Gb[0][j], Gb[1][j], Gb[2][j]};
        hol_real h[3];
        times_J(body, column, h);
        for (int i = 0; i < 4; i++)
            K[(3 + i) * ld + 3 + j] += c * (Ga[0][i] * h[0] + Ga[1][i] * h[1] + Ga[2][i] * h[2]);
    }
}

// K += c T(h) with G(p)^T h = T(h) p
static void add_T(const hol_real h[3], double c, hol_real *K, int ld)
{
    const hol_real T[4][4] = {
        {0, -h[0], -h[1], -h[2]}, {h[0], 0, h[2], -h[1]}, {h[1], -h[2], 0, h[0]}, {h[2], h[1], -h[0], 0}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) K[(3 + i) * ld + 3 + j] += c * T[i][j];
}

static void inertia(const void *data, hol_inertia *out)
{
    const spatial *b = data;
    out->m = b->m;
    memcpy(out->J, b->J, sizeof out->J);
    memcpy(out->g, b->g, sizeof out->g);
}

static void mass(const void *data, const hol_real *y, hol_real *M)
{
    const spatial *b = data;
    for (int i = 0; i < 49; i++) M[i] = 0;
    for (int i = 0; i < 3; i++) M[8 * i] = b->m;
    add_GJG(b, y + 3, y + 3, 4, M, 7);
}

// 4 G(p)^T J G(p) a
static void mass_times(const void *data, const hol_real *y, const hol_real *a, hol_real *f)
{
    const spatial *b = data;
    hol_real G[3][4], x[3], h[3];
    for (int i = 0; i < 3; i++) f[i] = b->m * a[i];
    times_G(y + 3, a + 3, x);
    times_J(b, x, h);
    hol_body_rate(y + 3, G);
    for (int i = 0; i < 4; i++) f[3 + i] = 4 * (G[0][i] * h[0] + G[1][i] * h[1] + G[2][i] * h[2]);
}

// (4 G(p)^T J G(p) a)_p = 4 T(h) - 4 G(p)^T J G(a),  h = J G(p) a
static void mass_a(const void *data, const hol_real *y, const hol_real *a, hol_real *K)
{
    const spatial *b = data;
    hol_real x[3], h[3];
    times_G(y + 3, a + 3, x);
    times_J(b, x, h);
    add_T(h, 4, K, 8);
    add_GJG(b, y + 3, a + 3, -4, K, 8);
}

// Weight, and the velocity terms of the inertia, -8 G(p')^T J G(p) p' of (2.14).
static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    const spatial *b = data;
    hol_real x[3], h[3], G[3][4];
    (void)ny, (void)mem, (void)u;
    for (int i = 0; i < 3; i++) Q[i] += b->m * b->g[i];
    times_G(y + 3, w + 3, x);
    times_J(b, x, h);
    hol_body_rate(w + 3, G);
    for (int i = 0; i < 4; i++) Q[3 + i] -= 8 * (G[0][i] * h[0] + G[1][i] * h[1] + G[2][i] * h[2]);
}

// Derivatives of the same; Q_v by (2.15), Q_y of the term with p.
static void force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const spatial *b = data;
    hol_real x[3], h[3];
    (void)mem, (void)u;
    times_G(y + 3, w + 3, x);
    times_J(b, x, h);
    add_GJG(b, w + 3, w + 3, 8, Q_y, ny);
    add_T(h, -8, Q_v, ny - 1);
    add_GJG(b, w + 3, y + 3, -8, Q_v, ny - 1);
}

// V = -m g.r and its rate along w; the kinetic energy follows from the mass matrix.
static void energy(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                   hol_real *V, hol_real *V_w)
{
    const spatial *b = data;
    (void)ny, (void)mem;
    *V = 0;
    for (int i = 0; i < 3; i++) *V -= b->m * b->g[i] * y[i];
    if (!V_w) return;
    *V_w = 0;
    for (int i = 0; i < 3; i++) *V_w -= b->m * b->g[i] * w[i];
}

static void phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *value, hol_real *J)
{
    const hol_real *p = y + 3;
    (void)data, (void)mem;
    if (value) value[0] = 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1);
    for (int j = 0; J && j < ny; j++) J[j] = j >= 3 && j < 7 ? y[j] : 0;
}

static void phi_yw(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    (void)y;
    phi(data, ny, w, NULL, NULL, J);
}

static void phi_yww(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    (void)data, (void)y, (void)w;
    for (int j = 0; j < ny; j++) J[j] = 0;
}

static void phi_lam(const void *data, int ny, const hol_real *y, const hol_real *lam, hol_real *H)
{
    (void)data, (void)y;
    for (int j = 3; j < 7; j++) H[j * ny + j] += lam[0];
}

static hol_row row(const void *data, int i)
{
    (void)data, (void)i;
    const hol_row r = {"normalisation of the Euler parameters", false};
    return r;
}

const hol_element_type hol_body_spatial = {
    .name = "rigid",
    .aliases = "rigid-body|spatial",
    .role = HOL_ROLE_BODY,
    .dimensions = 3,
    .frame = HOL_FRAME_SPATIAL,
    .doc = "spatial rigid body: centre of mass x, y, z and Euler parameters e0..e3 (scalar first)",
    .options = options,
    .data_size = sizeof(spatial),
    .setup = setup,
    .phi = phi,
    .phi_yw = phi_yw,
    .phi_yww = phi_yww,
    .phi_lam = phi_lam,
    .row = row,
    .inertia = inertia,
    .mass = mass,
    .mass_times = mass_times,
    .mass_a = mass_a,
    .force = force,
    .force_d = force_d,
    .energy = energy,
};
