// Point-on-curve joint: point 2 stays on a plane curve fixed to frame 1. With d = r2 - r1, a = x1.d, b = y1.d:
//     b - f(a) = 0                           or, in polar form, a cam:
//     sqrt(a^2 + b^2) - f(atan2(b, a)) = 0   the angle taken from 0 to 2 pi
//     3D: z1.d = 0 too
#include "element/profile.h"
#include "expr/num.h"

#include <math.h>

enum { CURVE, POLAR };
static const hol_option options[] = {
    {"curve", HOL_SPLINE, "", HOL_NONE, 0, 0, HOL_REQUIRED, NULL,
     "cubic or akima spline, y of x in the first frame; polar: the radius over the angle, 0 to a full turn"},
    {"polar", HOL_FLAG, "", 0, 0, 1, 0, NULL,
     "a closed curve around the first origin; points before 0 and beyond a full turn make it smooth there"},
    HOL_END_OPTIONS};

typedef struct {
    hol_profile p;
    int n_planes;         // 1 in space
    hol_prim a, b, plane; // x1.d, y1.d, z1.d
} curve;

// The curve y(x), or r(phi) in polar coordinates, in any unit of length; in space it lies in the plane z = 0
// of the marker.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    curve *c = data;
    const hol_status st = hol_profile_make(in, &in->value[CURVE], in->value[POLAR].num != 0, &c->p);
    if (st) return st;
    c->n_planes = in->dimension == 3;
    c->a = hol_prim_between(in, HOL_PRIM_ALONG, 0, 0, "");
    c->b = hol_prim_between(in, HOL_PRIM_ALONG, 1, 0, "curve");
    c->plane = hol_prim_between(in, HOL_PRIM_ALONG, 2, 0, "z");
    e->n_rows = 1 + c->n_planes;
    return HOL_OK;
}

// The row as a function of a and b.
static void relation(const curve *c, const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out)
{
    hol_real f[4], x[HOL_NUM_MAX], y[HOL_NUM_MAX];
    if (c->p.polar) {
        const hol_real *const both[2] = {a, b};
        hol_num_atan2(s, b, a, x);
        if (hol_re(x[0]) < 0) x[0] += 2 * HOL_PI;
        hol_num_norm(s, 2, both, y);
    } else {
        hol_num_copy(s, a, x);
        hol_num_copy(s, b, y);
    }
    hol_num_affine(s, 1 / c->p.x_unit, x, 0, x);
    hol_spline_eval(c->p.f, 0, x[0], f);
    hol_num_compose(s, f, x, out);
    hol_num_affine(s, c->p.y_unit, out, 0, out);
    hol_num_sub(s, y, out, out);
}

// The row and its derivatives, order as in hol_prim_eval.
static void evaluate(const curve *c, int ny, const hol_real *y, const hol_real *w, int order, hol_scalar *out)
{
    const hol_shape shape = hol_scalar_shape(ny, order);
    hol_scalar s;
    hol_real a[HOL_SCALAR_NUM], b[HOL_SCALAR_NUM], row[HOL_SCALAR_NUM];
    hol_prim_eval(&c->a, ny, y, w, order, &s);
    hol_scalar_to_num(&shape, &s, a);
    hol_prim_eval(&c->b, ny, y, w, order, &s);
    hol_scalar_to_num(&shape, &s, b);
    relation(c, &shape, a, b, row);
    hol_scalar_from_num(&shape, row, out);
}

static void copy(int n, const hol_real *from, hol_real *to)
{
    for (int i = 0; i < n; i++) to[i] = from[i];
}

// The row of the curve, and in space that of its plane.
static void phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *value, hol_real *J)
{
    const curve *c = data;
    hol_scalar s[2];
    (void)mem;
    evaluate(c, ny, y, NULL, J ? 1 : 0, &s[0]);
    if (c->n_planes) hol_prim_eval(&c->plane, ny, y, NULL, J ? 1 : 0, &s[1]);
    for (int i = 0; i <= c->n_planes; i++) {
        if (value) value[i] = s[i].f;
        if (J) copy(ny, s[i].d, J + i * ny);
    }
}

static void phi_yw(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    const curve *c = data;
    hol_scalar s[2];
    evaluate(c, ny, y, w, 2, &s[0]);
    if (c->n_planes) hol_prim_eval(&c->plane, ny, y, w, 2, &s[1]);
    for (int i = 0; i <= c->n_planes; i++) copy(ny, s[i].dw, J + i * ny);
}

static void phi_yww(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    const curve *c = data;
    hol_scalar s[2];
    evaluate(c, ny, y, w, 3, &s[0]);
    if (c->n_planes) hol_prim_eval(&c->plane, ny, y, w, 3, &s[1]);
    for (int i = 0; i <= c->n_planes; i++) copy(ny, s[i].dww, J + i * ny);
}

// phi(a, b):  phi_yy = phi_a a_yy + phi_b b_yy + (a_y b_y)^T [phi_aa phi_ab; phi_ab phi_bb] (a_y b_y)
static void phi_lam(const void *data, int ny, const hol_real *y, const hol_real *lam, hol_real *H)
{
    const curve *c = data;
    const hol_prim *const p[2] = {&c->a, &c->b};
    const hol_shape shape = {.n = 2, .order = 1, .gradient = 1};
    hol_scalar s[2];
    for (int k = 0; k < 2; k++) hol_prim_eval(p[k], ny, y, NULL, 1, &s[k]);
    for (int k = 0; k < 2; k++) {
        hol_real a[8], b[8],
            r[8]; // r: the value, .., by a and b, and how these change along a (k = 0) or b (k = 1)
        hol_num_variable(&shape, 0, s[0].f, k == 0, a);
        hol_num_variable(&shape, 1, s[1].f, k == 1, b);
        relation(c, &shape, a, b, r);
        const hol_real slope = r[4 + k] * lam[0];
        hol_prim_hessian(p[k], ny, y, &slope, H);
        for (int l = 0; l < 2; l++)
            for (int i = 0; i < ny; i++)
                for (int j = 0; j < ny; j++) H[i * ny + j] += lam[0] * r[6 + l] * s[k].d[i] * s[l].d[j];
    }
    if (c->n_planes) hol_prim_hessian(&c->plane, ny, y, &lam[1], H);
}

static hol_row row(const void *data, int i)
{
    const curve *c = data;
    return (hol_row){i ? c->plane.label : c->b.label, true};
}

const hol_element_type hol_joint_point_on_curve = {
    .name = "point-on-curve",
    .aliases = "curve|cam",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .pieces = true,
    .ends = 2,
    .any_frame = true,
    .axes = {HOL_AXES_FIRST, HOL_AXES_FIRST},
    .doc = "primitive: the second origin stays on a plane curve fixed to the first frame",
    .options = options,
    .data_size = sizeof(curve),
    .setup = setup,
    .phi = phi,
    .phi_yw = phi_yw,
    .phi_yww = phi_yww,
    .phi_lam = phi_lam,
    .row = row,
};
