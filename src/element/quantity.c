// What users measure between markers, with its derivatives by y, w, b and along a direction (formulas in quantity.h).
// Origins, axes and their rates become numbers here; what they are combined to is arithmetic.
#include "element/quantity.h"
#include "element/primitive.h"

#include <assert.h>

enum { X, Y, Z };
enum { BY_Y, BY_W, BY_B }; // blocks of gradient variables

typedef hol_real vec[3][HOL_NUM_MAX];

// Where everything is evaluated.
typedef struct {
    const hol_shape *s;
    int ny;
    const hol_real *y, *w, *b, *dy, *dw;
    const int *slot;
} place;

static bool wanted(const place *at, int block) { return at->s->n && at->slot[block] >= 0; }

// The `order`-th coefficient of the gradient by a block; NULL: not wanted.
static hol_real *gradient(const place *at, int block, int order, hol_real *x)
{
    return wanted(at, block) && order <= at->s->gradient ? x + 4 + order * at->s->n + at->slot[block] : NULL;
}

// g += c row, row being one of a feature's
static void add_row(hol_real *g, const hol_feature *f, double c, const hol_real *row)
{
    for (int j = 0; g && j < f->n; j++) g[f->iy + j] += c * row[j];
}

static hol_real times(const hol_feature *f, const hol_real *row, const hol_real *x)
{
    hol_real sum = 0;
    for (int j = 0; j < f->n; j++) sum += row[j] * x[f->iy + j];
    return sum;
}

static void zero(const hol_shape *s, vec v)
{
    for (int i = 0; i < 3; i++) hol_num_constant(s, 0, v[i]);
}

// ---- origins and axes -----------------------------------------------------------------------------------------

// v += sign F(y)
static void add_feature(const place *at, const hol_marker *k, int what, double sign, vec v)
{
    const int order = at->s->order;
    hol_feature f;
    hol_feature_eval(k, what, at->y, at->dy,
                     order > 2          ? 3
                     : order > 0        ? order + 1
                     : wanted(at, BY_Y) ? 1
                                        : 0,
                     &f);
    for (int i = 0; i < 3; i++) {
        hol_real *x = v[i];
        x[0] += sign * f.f[i];
        if (order > 0) x[1] += sign * f.fw[i];
        if (order > 1) x[2] += sign * f.fww[i] / 2;
        if (order > 2) x[3] += sign * times(&f, f.dww[i], at->dy) / 6;
        add_row(gradient(at, BY_Y, 0, x), &f, sign, f.d[i]);
        add_row(gradient(at, BY_Y, 1, x), &f, sign, f.dw[i]);
        add_row(gradient(at, BY_Y, 2, x), &f, sign / 2, f.dww[i]);
    }
}

// The gradient by y of F_y w and, along (dy, dw), of its change: F_yy w; F_yyy w dy + F_yy dw. The first term is a quadratic
// form in the direction, of which the features give the squares: 4 ab = (a+b)^2 - (a-b)^2.
static void add_velocity_gradient(const place *at, const hol_marker *k, double sign, vec v)
{
    hol_real sum[HOL_MAX_Y], difference[HOL_MAX_Y];
    hol_feature f, g, fs, fd;
    hol_feature_eval(k, HOL_ORIGIN, at->y, at->w, 2, &f);
    for (int i = 0; i < 3; i++) add_row(gradient(at, BY_Y, 0, v[i]), &f, sign, f.dw[i]);
    if (at->s->gradient < 1) return;
    for (int j = 0; j < at->ny; j++) {
        sum[j] = at->w[j] + at->dy[j];
        difference[j] = at->w[j] - at->dy[j];
    }
    hol_feature_eval(k, HOL_ORIGIN, at->y, sum, 3, &fs);
    hol_feature_eval(k, HOL_ORIGIN, at->y, difference, 3, &fd);
    hol_feature_eval(k, HOL_ORIGIN, at->y, at->dw, 2, &g);
    for (int i = 0; i < 3; i++) {
        hol_real *row = gradient(at, BY_Y, 1, v[i]);
        add_row(row, &fs, sign / 4, fs.dww[i]);
        add_row(row, &fd, -sign / 4, fd.dww[i]);
        add_row(row, &g, sign, g.dw[i]);
    }
}

// v += sign F_y w. Along (dy, dw) it changes by F_yy w dy + F_y dw, its gradient F_y by F_yy dy.
static void add_velocity(const place *at, const hol_marker *k, double sign, vec v)
{
    const bool series = at->s->order > 0;
    hol_feature f;
    hol_feature_eval(k, HOL_ORIGIN, at->y, at->dy, series ? 2 : 1, &f);
    for (int i = 0; i < 3; i++) {
        hol_real *x = v[i];
        x[0] += sign * times(&f, f.d[i], at->w);
        if (series) x[1] += sign * (times(&f, f.dw[i], at->w) + times(&f, f.d[i], at->dw));
        add_row(gradient(at, BY_W, 0, x), &f, sign, f.d[i]);
        add_row(gradient(at, BY_W, 1, x), &f, sign, f.dw[i]);
    }
    if (wanted(at, BY_Y)) add_velocity_gradient(at, k, sign, v);
}

// v += sign (F_y b + F_yy w w)
static void add_acceleration(const place *at, const hol_marker *k, double sign, vec v)
{
    hol_feature f, fb;
    hol_feature_eval(k, HOL_ORIGIN, at->y, at->w, 3, &f);
    if (wanted(at, BY_Y)) hol_feature_eval(k, HOL_ORIGIN, at->y, at->b, 2, &fb);
    for (int i = 0; i < 3; i++) {
        hol_real *x = v[i];
        x[0] += sign * (times(&f, f.d[i], at->b) + f.fww[i]);
        if (wanted(at, BY_Y)) add_row(gradient(at, BY_Y, 0, x), &fb, sign, fb.dw[i]);
        add_row(gradient(at, BY_Y, 0, x), &f, sign, f.dww[i]);
        add_row(gradient(at, BY_W, 0, x), &f, 2 * sign, f.dw[i]);
        add_row(gradient(at, BY_B, 0, x), &f, sign, f.d[i]);
    }
}

// ---- rotation -------------------------------------------------------------------------------------------------

// E = 2 E(p): omega = 2 E(p) p' is bilinear, with 2 E(p) r = -2 E(r) p
static void spin(const hol_real p[4], hol_real E[3][4])
{
    hol_global_rate(p, E);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) E[i][j] = 2 * E[i][j];
}

static hol_real dot_four(const hol_real a[4], const hol_real b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static void add_four(hol_real *g, int at, double c, const hol_real row[4])
{
    for (int j = 0; g && j < 4; j++) g[at + j] += c * row[j];
}

// Adds +-omega of marker k's body in space, 2 E(p) p', and what it depends on.
static void add_spatial_omega(const place *at, const hol_marker *k, double sign, vec v)
{
    const int ip = k->iy + 3;
    const bool series = at->s->order > 0, by_y = wanted(at, BY_Y);
    hol_real E[3][4], D[3][4], W[3][4], C[3][4]; // of p, of its direction, of p', and of the direction of p'
    spin(at->y + ip, E);
    if (series) spin(at->dy + ip, D);
    if (by_y) spin(at->w + ip, W);
    if (by_y && series) spin(at->dw + ip, C);
    for (int i = 0; i < 3; i++) {
        hol_real *x = v[i];
        x[0] += sign * dot_four(E[i], at->w + ip);
        if (series) x[1] += sign * (dot_four(D[i], at->w + ip) + dot_four(E[i], at->dw + ip));
        if (by_y) add_four(gradient(at, BY_Y, 0, x), ip, -sign, W[i]);
        if (by_y && series) add_four(gradient(at, BY_Y, 1, x), ip, -sign, C[i]);
        add_four(gradient(at, BY_W, 0, x), ip, sign, E[i]);
        if (series) add_four(gradient(at, BY_W, 1, x), ip, sign, D[i]);
    }
}

// alpha = 2 E(p) p'', because E(p') p' = 0
static void add_spatial_alpha(const place *at, const hol_marker *k, double sign, vec v)
{
    const int ip = k->iy + 3;
    hol_real E[3][4], D[3][4];
    spin(at->y + ip, E);
    spin(at->b + ip, D);
    for (int i = 0; i < 3; i++) {
        v[i][0] += sign * dot_four(E[i], at->b + ip);
        add_four(gradient(at, BY_Y, 0, v[i]), ip, -sign, D[i]);
        add_four(gradient(at, BY_B, 0, v[i]), ip, sign, E[i]);
    }
}

// x += c (angle, its rate or its second rate) of a planar body or a moving frame: index `it` of y
static void add_turning(const place *at, const hol_marker *k, int level, double c, hol_real *x)
{
    hol_real f[4] = {0, 1, 0, 0};
    const int it = k->frame == HOL_FRAME_PLANAR ? k->iy + 2 : k->iy, order = at->s->order;
    if (k->frame == HOL_FRAME_PLANAR)
        f[0] = at->y[it];
    else if (hol_marker_motion(k)->angle)
        hol_expr_jet(hol_marker_motion(k)->angle, at->y[it], f);
    else
        return;
    const hol_real w = level > 0 ? at->w[it] : 0, b = level > 1 ? at->b[it] : 0,
                   d = order > 0 ? at->dy[it] : 0;
    // derivatives by y, w, b, and how that by y (level 0) or w (level 1) changes along the direction
    hol_real by[3] = {f[1], 0, 0}, change[2] = {f[2] * d, f[3] * d * d / 2};
    int block = BY_Y;
    hol_real *late = NULL; // how the gradient by y changes at level 1
    if (level == 0) {
        x[0] += c * f[0];
        if (order > 0) x[1] += c * f[1] * d;
        if (order > 1) x[2] += c * f[2] * d * d / 2;
        if (order > 2) x[3] += c * f[3] * d * d * d / 6;
    } else if (level == 1) {
        x[0] += c * f[1] * w;
        if (order > 0) x[1] += c * (f[2] * d * w + f[1] * at->dw[it]);
        by[BY_Y] = f[2] * w;
        by[BY_W] = f[1];
        block = BY_W;
        if (order > 0) late = gradient(at, BY_Y, 1, x);
        if (late) late[it] += c * (f[3] * d * w + f[2] * at->dw[it]);
    } else {
        x[0] += c * (f[1] * b + f[2] * w * w);
        by[BY_Y] = f[2] * b + f[3] * w * w;
        by[BY_W] = 2 * f[2] * w;
        by[BY_B] = f[1];
    }
    for (int i = 0; i < 3; i++) {
        hol_real *g = gradient(at, i, 0, x);
        if (g) g[it] += c * by[i];
    }
    for (int i = 0; i < 2; i++) {
        hol_real *g = gradient(at, block, i + 1, x);
        if (g) g[it] += c * change[i];
    }
}

// v += sign omega (level 1) or its rate (level 2)
static void add_rotation(const place *at, const hol_marker *k, int level, double sign, vec v)
{
    if (!k) return;
    if (k->frame == HOL_FRAME_PLANAR)
        add_turning(at, k, level, sign, v[Z]);
    else if (k->frame == HOL_FRAME_SPATIAL && level == 1)
        add_spatial_omega(at, k, sign, v);
    else if (k->frame == HOL_FRAME_SPATIAL)
        add_spatial_alpha(at, k, sign, v);
    else if (k->frame == HOL_FRAME_MOVING)
        for (int i = 0; i < 3; i++)
            if (hol_marker_motion(k)->axis[i] != 0)
                add_turning(at, k, level, sign * hol_marker_motion(k)->axis[i], v[i]);
}

// ---- combining ------------------------------------------------------------------------------------------------

// out += sign a b
static void add_product(const hol_shape *s, double sign, const hol_real *a, const hol_real *b, hol_real *out)
{
    hol_real p[HOL_NUM_MAX];
    hol_num_mul(s, a, b, p);
    const int size = hol_num_size(s);
    for (int i = 0; i < size; i++) out[i] += sign * p[i];
}

// v += sign a x b
static void add_cross(const hol_shape *s, double sign, vec a, vec b, vec v)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        add_product(s, sign, a[j], b[k], v[i]);
        add_product(s, -sign, a[k], b[j], v[i]);
    }
}

// Component of v along an axis of a marker, or of the global frame.
static void component(const place *at, vec v, const hol_marker *along, int axis, hol_real *out)
{
    vec u;
    if (!along) {
        hol_num_copy(at->s, v[axis], out);
        return;
    }
    zero(at->s, u);
    add_feature(at, along, axis, 1, u);
    hol_num_constant(at->s, 0, out);
    for (int i = 0; i < 3; i++) add_product(at->s, 1, u[i], v[i], out);
}

// r_to - r_from (level 0), or its derivatives of first and second order, with the derivatives by y, w and b
// that are asked for.
static void add_difference(const place *at, const hol_quantity *m, int level, vec v)
{
    static void (*const add[])(const place *, const hol_marker *, double, vec) = {NULL, add_velocity,
                                                                                  add_acceleration};
    const hol_marker *end[2] = {m->to, m->from};
    for (int i = 0; i < 2; i++) {
        const double sign = i ? -1 : 1;
        if (!end[i]) continue;
        if (level == 0)
            add_feature(at, end[i], HOL_ORIGIN, sign, v);
        else
            add[level](at, end[i], sign, v);
    }
}

static void add_relative_rotation(const place *at, const hol_quantity *m, int level, vec v)
{
    add_rotation(at, m->to, level, 1, v);
    add_rotation(at, m->from, level, -1, v);
}

static bool turns(const hol_marker *k)
{
    return k && k->frame != HOL_FRAME_GROUND && k->frame != HOL_FRAME_POINT &&
           !(k->frame == HOL_FRAME_MOVING && !hol_marker_motion(k)->angle);
}

// From the rate of change as seen from the global frame to that seen from `ref`, with its angular velocity o:
//     d' - o x d,      d'' - 2 o x d' - o' x d + o x (o x d),      omega' - o x omega
static void see_from_ref(const place *at, const hol_quantity *m, int level, vec v)
{
    const hol_shape *s = at->s;
    vec o, x, y;
    if (!turns(m->ref)) return;
    zero(s, o);
    zero(s, x);
    add_rotation(at, m->ref, 1, 1, o);
    if (m->what >= HOL_QUANTITY_WDT) {
        add_relative_rotation(at, m, 1, x);
        add_cross(s, -1, o, x, v);
        return;
    }
    add_difference(at, m, 0, x);
    if (level == 1) {
        add_cross(s, -1, o, x, v);
        return;
    }
    zero(s, y);
    add_difference(at, m, 1, y);
    add_cross(s, -2, o, y, v);
    zero(s, y);
    add_cross(s, 1, o, x, y);
    add_cross(s, 1, o, y, v);
    zero(s, y);
    add_rotation(at, m->ref, 2, 1, y);
    add_cross(s, -1, y, x, v);
}

// ---- angles ---------------------------------------------------------------------------------------------------

// The angle of `to` against `from` in the plane: of the bodies, and of the markers on them.
static void planar_angle(const place *at, const hol_quantity *m, hol_real *out)
{
    const hol_marker *end[2] = {m->to, m->from};
    hol_num_constant(at->s, 0, out);
    for (int i = 0; i < 2; i++) {
        const double sign = i ? -1 : 1;
        if (!end[i]) continue;
        if (turns(end[i])) add_turning(at, end[i], 0, sign, out);
        out[0] += sign * hol_marker_fixed_angle(end[i]);
    }
    if (m->principal) out[0] -= 2 * HOL_PI * round(hol_re(out[0]) / (2 * HOL_PI));
}

// Components of an axis of `to` along the axes of `from`: the first `count`.
static void seen_axis(const place *at, const hol_quantity *m, int axis, int count, vec out)
{
    vec u;
    zero(at->s, u);
    add_feature(at, m->to, axis, 1, u);
    for (int i = 0; i < count; i++) component(at, u, m->from, i, out[i]);
}

// The legs of the angles that are directions, without signs: AX = atan2(-z.y1, z.z1), AY = atan2(z.x1, z.z1), AZ = atan2(-y.x1, y.y1);
// x1, y1, z1 the axes of `from`; then arms.
static const struct {
    int own, sine, cosine, by_sine, by_cosine;
} spatial_rows[] = {{Z, Y, Z, -1, 1}, {Z, X, Z, 1, 1}, {Y, X, Y, -1, 1}, {Z, X, Y, 1, -1}, {Z, X, Y, 1, 1}};

static int spatial_row(const hol_quantity *m)
{
    return (int)m->what - (int)(m->what < HOL_QUANTITIES ? HOL_QUANTITY_A : HOL_QUANTITY_ARM_FIRST - 3);
}

// The direction of two legs, of which one that vanishes has the value 0, which does not change: it has none, and that is told by name.
static void direction(const place *at, const hol_real *sine, const hol_real *cosine, hol_real *out)
{
    if (hol_re(sine[0]) == 0 && hol_re(cosine[0]) == 0)
        hol_num_constant(at->s, 0, out);
    else
        hol_num_atan2(at->s, sine, cosine, out);
}

// atan2 of the legs, with their signs; in a mirror those of what it measures.
static void spatial_angle(const place *at, const hol_quantity *m, hol_real *out)
{
    const int row = spatial_row(m);
    vec u;
    seen_axis(at, m, spatial_rows[row].own, 3, u);
    hol_real *s = u[spatial_rows[row].sine], *c = u[spatial_rows[row].cosine];
    const int own = hol_mirror_polar(m->mirror, spatial_rows[row].own);
    hol_num_affine(at->s,
                   own * hol_mirror_polar(m->mirror, spatial_rows[row].sine) * spatial_rows[row].by_sine, s,
                   0, s);
    hol_num_affine(at->s,
                   own * hol_mirror_polar(m->mirror, spatial_rows[row].cosine) * spatial_rows[row].by_cosine,
                   c, 0, c);
    direction(at, s, c, out);
}

// Twice the sine and the cosine of the turn, times (1 + cos swing)/2: y1.x - x1.y and x1.x + y1.y.
static void twist_legs(const place *at, const hol_quantity *m, vec x, vec y)
{
    seen_axis(at, m, X, 2, x);
    seen_axis(at, m, Y, 2, y);
    hol_num_sub(at->s, x[Y], y[X], x[Y]);
    hol_num_add(at->s, x[X], y[Y], x[X]);
}

// atan2(y1.x - x1.y, x1.x + y1.y): twice that of the third and the first Euler parameter of the relative rotation
static void twist(const place *at, const hol_quantity *m, hol_real *out)
{
    vec x, y;
    twist_legs(at, m, x, y);
    direction(at, x[Y], x[X], out);
}

// atan2(hypot(x1.z, y1.z), z1.z)
static void swing(const place *at, const hol_quantity *m, hol_real *out)
{
    hol_real sine[HOL_NUM_MAX];
    vec z;
    seen_axis(at, m, Z, 3, z);
    const hol_real *const across[] = {z[X], z[Y]};
    hol_num_norm(at->s, 2, across, sine);
    if (hol_re(sine[0]) < HOL_QUANTITY_STRAIGHT)
        hol_num_constant(at->s, hol_re(z[Z][0]) > 0 ? 0 : HOL_PI, out);
    else
        hol_num_atan2(at->s, sine, z[Z], out);
}

static void tilt(const place *at, const hol_quantity *m, int axis, hol_real *out)
{
    vec z;
    seen_axis(at, m, Z, 2, z);
    hol_num_copy(at->s, z[axis], out);
}

// atan2(y1.d, x1.d), in a mirror of y1 and x1 mirrored.
static void hinge(const place *at, const hol_quantity *m, hol_real *out)
{
    hol_real s[HOL_NUM_MAX], c[HOL_NUM_MAX];
    vec d;
    zero(at->s, d);
    add_difference(at, m, 0, d);
    component(at, d, m->from, Y, s);
    component(at, d, m->from, X, c);
    hol_num_affine(at->s, hol_mirror_polar(m->mirror, Y), s, 0, s);
    hol_num_affine(at->s, hol_mirror_polar(m->mirror, X), c, 0, c);
    direction(at, s, c, out);
}

static void length(const place *at, const hol_quantity *m, hol_real *out)
{
    vec d;
    zero(at->s, d);
    add_difference(at, m, 0, d);
    const hol_real *const parts[] = {d[X], d[Y], d[Z]};
    hol_num_norm(at->s, m->planar ? 2 : 3, parts, out);
}

// ---- rotation vector ------------------------------------------------------------------------------------------

// Euler parameters of a frame in space as numbers; NULL: the global frame.
static void orientation(const place *at, const hol_marker *k, hol_real p[4][HOL_NUM_MAX])
{
    const int order = at->s->order;
    hol_feature f;
    for (int i = 0; i < 4; i++) hol_num_constant(at->s, i == 0 && !k, p[i]);
    if (!k) return;
    hol_feature_eval(k, HOL_ORIENTATION, at->y, at->dy, order > 2 ? 3 : order + 1, &f);
    for (int i = 0; i < 4; i++) {
        p[i][0] = f.f[i];
        if (order > 0) p[i][1] = f.fw[i];
        if (order > 1) p[i][2] = f.fww[i] / 2;
        if (order > 2) p[i][3] = times(&f, f.dww[i], at->dy) / 6;
        add_row(gradient(at, BY_Y, 0, p[i]), &f, 1, f.d[i]);
        add_row(gradient(at, BY_Y, 1, p[i]), &f, 1, f.dw[i]);
        add_row(gradient(at, BY_Y, 2, p[i]), &f, 0.5, f.dww[i]);
    }
}

// e = conj(p1) p2, of frame 2 against frame 1
static void relative_orientation(const place *at, const hol_quantity *m, hol_real e[4][HOL_NUM_MAX])
{
    static const struct {
        int from, to, sign;
    } terms[4][4] = {{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}},
                     {{0, 1, 1}, {1, 0, -1}, {2, 3, -1}, {3, 2, 1}},
                     {{0, 2, 1}, {2, 0, -1}, {3, 1, -1}, {1, 3, 1}},
                     {{0, 3, 1}, {3, 0, -1}, {1, 2, -1}, {2, 1, 1}}};
    hol_real from[4][HOL_NUM_MAX], to[4][HOL_NUM_MAX];
    orientation(at, m->from, from);
    orientation(at, m->to, to);
    for (int i = 0; i < 4; i++) {
        hol_num_constant(at->s, 0, e[i]);
        for (int k = 0; k < 4; k++)
            add_product(at->s, m->flipped ? -terms[i][k].sign : terms[i][k].sign, from[terms[i][k].from],
                        to[terms[i][k].to], e[i]);
    }
}

// v = 2 atan2(|e|, e0)/|e| e. It goes on through half a turn because Euler parameters do; at a full turn it ends.    (8.50)
static void rotation_vector(const place *at, const hol_quantity *m, int axis, hol_real *out)
{
    const hol_shape *s = at->s;
    hol_real e[4][HOL_NUM_MAX], u[HOL_NUM_MAX], g[HOL_NUM_MAX], h[HOL_NUM_MAX], arc[4];
    relative_orientation(at, m, e);
    hol_num_constant(s, 0, u);
    for (int i = 1; i < 4; i++) add_product(s, 1, e[i], e[i], u);
    if (hol_re(e[0][0]) > 0 && hol_re(u[0]) < HOL_ARC_NEAR * hol_re(e[0][0]) * hol_re(e[0][0])) {
        hol_num_mul(s, e[0], e[0], g);
        hol_num_div(s, u, g, h);
        hol_arc_series(h[0], arc);
        hol_num_compose(s, arc, h, g);
        hol_num_div(s, g, e[0], h);
    } else {
        const hol_real *const v[] = {e[1], e[2], e[3]};
        hol_num_norm(s, 3, v, u);
        hol_num_atan2(s, u, e[0], g);
        hol_num_div(s, g, u, h);
    }
    hol_num_mul(s, h, e[1 + axis], g);
    hol_num_affine(s, 2, g, 0, out);
}

// ---- all of them ----------------------------------------------------------------------------------------------

int hol_quantity_level(const hol_quantity *m)
{
    if (m->what >= HOL_QUANTITIES) return m->rate;
    return m->what < HOL_QUANTITY_V ? 0 : m->what < HOL_QUANTITY_ACC ? 1 : 2;
}

bool hol_quantity_is_angle(hol_quantity_kind what)
{
    return what < HOL_QUANTITIES ? what / 3 % 2 == 1 : what != HOL_QUANTITY_LENGTH;
}

bool hol_quantity_needs_axes(hol_quantity_kind what)
{
    return hol_quantity_is_angle(what) && what != HOL_QUANTITY_HINGE;
}

// How a mirror changes what is measured; angles that are made of two products have it in these. docs/theory.md, section 18.
static int mirrored(const hol_quantity *m, int axis)
{
    const bool turn = hol_quantity_is_angle(m->what);
    if (m->what < HOL_QUANTITIES && turn && hol_quantity_level(m) == 0)
        return m->planar ? hol_mirror_axial(m->mirror, Z) : 1;
    if (m->what == HOL_QUANTITY_TWIST) return hol_mirror_axial(m->mirror, Z);
    if (m->what >= HOL_QUANTITY_ARM_FIRST) return 1;
    return turn ? hol_mirror_axial(m->mirror, axis) : hol_mirror_polar(m->mirror, axis);
}

// What has no axis of its own, or is no component.
static void whole(const place *at, const hol_quantity *m, hol_real *out)
{
    if (m->what < HOL_QUANTITIES && m->planar)
        planar_angle(at, m, out);
    else if (m->what >= HOL_QUANTITY_ROTATION && m->what < HOL_QUANTITY_ARM_FIRST)
        rotation_vector(at, m, (int)m->what - HOL_QUANTITY_ROTATION, out);
    else if (m->what == HOL_QUANTITY_TWIST)
        twist(at, m, out);
    else if (m->what == HOL_QUANTITY_SWING)
        swing(at, m, out);
    else if (m->what == HOL_QUANTITY_HINGE)
        hinge(at, m, out);
    else if (m->what == HOL_QUANTITY_LENGTH)
        length(at, m, out);
    else if (m->what >= HOL_QUANTITY_TILT_X)
        tilt(at, m, (int)m->what - HOL_QUANTITY_TILT_X, out);
    else
        spatial_angle(at, m, out);
}

void hol_quantity_eval(const hol_quantity *m, const hol_shape *shape, int ny, const hol_real *y,
                       const hol_real *w, const hol_real *b, const hol_real *dy, const hol_real *dw,
                       const int slots[3], hol_real *out)
{
    const place at = {shape, ny, y, w, b, dy, dw, slots};
    const int axis = m->what % 3, level = hol_quantity_level(m);
    assert(level == 0 || shape->order == 0 || (level == 1 && shape->order == 1));
    const bool angle = hol_quantity_is_angle(m->what);
    vec v;
    if (m->what >= HOL_QUANTITIES && m->rate > 0) {
        hol_quantity_rate(m, shape, ny, y, w, b, dy, dw, slots, out);
        return;
    }
    if (m->what >= HOL_QUANTITIES || (angle && level == 0))
        whole(&at, m, out);
    else {
        zero(shape, v);
        if (angle)
            add_relative_rotation(&at, m, level, v);
        else
            add_difference(&at, m, level, v);
        if (level > 0 && m->what / 3 * 3 != HOL_QUANTITY_W) see_from_ref(&at, m, level, v);
        component(&at, v, m->along, axis, out);
    }
    if (m->mirror && mirrored(m, axis) < 0) hol_num_affine(shape, -1, out, 0, out);
}

double hol_quantity_breadth(const hol_quantity *m, int ny, const hol_real *y)
{
    static const hol_shape value_only = {.n = 0};
    const int slots[3] = {-1, -1, -1};
    const place at = {&value_only, ny, y, NULL, NULL, NULL, NULL, slots};
    const bool arm = m->what == HOL_QUANTITY_ARM_FIRST || m->what == HOL_QUANTITY_ARM_SECOND;
    vec u, v;
    if (m->planar || m->rate > 0) return 1;
    if (m->what / 3 * 3 == HOL_QUANTITY_A || arm) {
        const int row = spatial_row(m);
        seen_axis(&at, m, spatial_rows[row].own, 3, u);
        return hypot(hol_re(u[spatial_rows[row].sine][0]), hol_re(u[spatial_rows[row].cosine][0]));
    }
    if (m->what == HOL_QUANTITY_TWIST) {
        twist_legs(&at, m, u, v);
        return sqrt(hypot(hol_re(u[X][0]), hol_re(u[Y][0])) / 2);
    }
    if (m->what != HOL_QUANTITY_HINGE) return 1;
    zero(at.s, u);
    add_difference(&at, m, 0, u);
    double leg[3], length = 0;
    for (int i = 0; i < 3; i++) {
        component(&at, u, m->from, i, v[i]);
        leg[i] = hol_re(v[i][0]);
        length += leg[i] * leg[i];
    }
    return length > 0 ? hypot(leg[X], leg[Y]) / sqrt(length) : 0;
}

// ---- names ----------------------------------------------------------------------------------------------------

#define OF(kind, axis) (hol_quantity_kind)(HOL_QUANTITY_##kind + axis)
#define ALONG "(to, from, along)"
#define SEEN "(to, from, along, ref)"
const hol_quantity_name hol_quantity_names[] = {
    {"DX", OF(D, X), 3, 5, ALONG, "displacement of `to` from `from`, component along the x axis of `along`"},
    {"DY", OF(D, Y), 3, 5, ALONG, "the same along y"},
    {"DZ", OF(D, Z), 3, 3, ALONG, "the same along z"},
    {"AX", OF(A, X), 2, 3, "(to, from)",
     "angle of `to` about the x axis of `from`: atan2(-z.y, z.z), full turns counted"},
    {"AY", OF(A, Y), 2, 3, "(to, from)", "about its y axis: atan2(z.x, z.z), full turns counted"},
    {"AZ", OF(A, Z), 2, 5, "(to, from)", "about its z axis: atan2(-y.x, y.y), full turns counted"},
    {"VX", OF(V, X), 4, 5, SEEN, "velocity of `to` against `from` as seen from `ref`, along x of `along`"},
    {"VY", OF(V, Y), 4, 5, SEEN, "the same along y"},
    {"VZ", OF(V, Z), 4, 3, SEEN, "the same along z"},
    {"WX", OF(W, X), 3, 3, ALONG, "angular velocity of `to` less that of `from`, along x of `along`"},
    {"WY", OF(W, Y), 3, 3, ALONG, "the same along y"},
    {"WZ", OF(W, Z), 3, 5, ALONG, "the same along z"},
    {"ACCX", OF(ACC, X), 4, 5, SEEN,
     "acceleration of `to` against `from` as seen from `ref`, along x of `along`"},
    {"ACCY", OF(ACC, Y), 4, 5, SEEN, "the same along y"},
    {"ACCZ", OF(ACC, Z), 4, 3, SEEN, "the same along z"},
    {"WDTX", OF(WDT, X), 4, 3, SEEN,
     "rate of the angular velocity WX as seen from `ref`, along x of `along`"},
    {"WDTY", OF(WDT, Y), 4, 3, SEEN, "the same along y"},
    {"WDTZ", OF(WDT, Z), 4, 5, SEEN, "the same along z"},
    {NULL, HOL_QUANTITIES, 0, 0, NULL, NULL},
};

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

static bool same(const char *name, const char *word, size_t length)
{
    size_t i = 0;
    while (i < length && name[i] && upper(word[i]) == name[i]) i++;
    return i == length && !name[i];
}

const hol_quantity_name *hol_quantity_find(const char *name, size_t length)
{
    for (const hol_quantity_name *n = hol_quantity_names; n->name; n++)
        if (same(n->name, name, length)) return n;
    return NULL;
}
