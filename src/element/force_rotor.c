// What resists the acceleration of a joint's coordinate c: a rotor that a gear turns with the joint, or an inerter. Its kinetic energy is
// I c'^2/2, as if it turned against ground, and k c' s' more where the body that carries it turns by s' = g(q) v about its axis:
//
//     M = I c_q^T c_q + k (c_q^T g + g^T c_q),     Q = -(I c_q + k g)^T (c_q v)_q v - 2 k c' g(v)^T   (8.57), (8.57a)
//
// g = 2 u^T G(p) is linear in Euler parameters, g(v) is it at p', and (g a)_p = -g(a). In the plane g is 1 and g(v) is 0. The mass of the
// rotor itself belongs to the body that carries it.
#include "element/element.h"

#include <string.h>

enum { INERTIA, GEAR };
static const hol_option rotor_options[] = {{"inertia", HOL_NUMBER, "kg m^2", HOL_NONE, 0, HOL_INF,
                                            HOL_REQUIRED | HOL_ABOVE, NULL,
                                            "of the rotor, as the joint feels it"},
                                           {"gear", HOL_NUMBER, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL,
                                            "turns of the rotor for one of the joint: it counts that the "
                                            "joint's first body turns, whose inertia has the rotor's"},
                                           HOL_END_OPTIONS};
static const hol_option inerter_options[] = {{"mass", HOL_NUMBER, "kg", HOL_NONE, 0, HOL_INF,
                                              HOL_REQUIRED | HOL_ABOVE, NULL, "that the stroke has to carry"},
                                             HOL_END_OPTIONS};

typedef struct {
    hol_prim c;
    double inertia;
    int ny;
    double spin, axis[3];      // k, 0: none; u, in the axes of the body that carries it
    const hol_marker *carrier; // its marker
} rotor;

// The body that carries the rotor is the joint's first one, unless that is ground.
static hol_status carry(const hol_setup *in, rotor *r)
{
    const hol_marker *k = in->end[0].marker;
    const bool stays = k->frame == HOL_FRAME_GROUND;
    if (!in->value[GEAR].given) return HOL_OK;
    if (in->value[GEAR].num == 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->value[GEAR].at, "%s.gear: 0, the rotor would not turn",
                           in->path);
    r->spin = stays ? 0 : r->inertia / in->value[GEAR].num;
    r->carrier = k;
    for (int i = 0; i < 3; i++)
        r->axis[i] = hol_mirror_axial(in->joint_mirror[0], 2) * (in->dimension == 3 ? k->u[2][i] : i == 2);
    return HOL_OK;
}

// The joint's coordinate of the kind that the type resists, between places that do not move by themselves.
static hol_status take(const hol_setup *in, void *data, hol_element *e, hol_coordinate wanted,
                       const char *text)
{
    rotor *r = data;
    for (int i = 0; i < 2; i++)
        if (in->end[i].marker->frame == HOL_FRAME_MOVING)
            return hol_fail_at(
                in->ctx, HOL_ERR_MODEL, in->at,
                "%s: the joint hangs on a marker that moves by itself, which would do work on the rotor "
                "unseen; let a driver move a body there",
                in->path);
    r->inertia = in->value[INERTIA].num;
    r->ny = in->ny;
    e->n_rows = 0;
    return hol_joint_take(in, wanted, text, &r->c);
}

static hol_status take_angle(const hol_setup *in, void *data, hol_element *e)
{
    const hol_status st = take(in, data, e, HOL_COORDINATE_ANGLE,
                               "%s: a %s joint has a stroke and no angle: an inerter resists it, in kg");
    return st ? st : carry(in, data);
}

static hol_status take_stroke(const hol_setup *in, void *data, hol_element *e)
{
    return take(in, data, e, HOL_COORDINATE_STROKE,
                "%s: a %s joint has an angle and no stroke: a rotor resists it, in kg m^2");
}

// c_q, or g, along a vector of the coordinates.
static hol_real along(const rotor *r, const hol_real *c_q, const hol_real *a)
{
    hol_real sum = 0;
    for (int i = 0; i < r->ny - 1; i++) sum += c_q[i] * a[i];
    return sum;
}

// g(x) for x in place of the coordinates. In the plane it is that of the coordinates, for all x, which `at` says.
static void spin_row(const rotor *r, const hol_real *x, bool at, hol_real *g)
{
    hol_real G[3][4];
    memset(g, 0, (size_t)r->ny * sizeof *g);
    if (r->spin == 0) return;
    const hol_marker *k = r->carrier;
    if (k->frame == HOL_FRAME_PLANAR) {
        g[k->iy + 2] = at ? r->axis[2] : 0;
        return;
    }
    hol_body_rate(x + k->iy + 3, G);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) g[k->iy + 3 + j] += 2 * r->axis[i] * G[i][j];
}

// A += f g_q
static void add_spin_derivative(const rotor *r, hol_real f, hol_real *A, int step)
{
    if (r->spin == 0 || r->carrier->frame == HOL_FRAME_PLANAR) return;
    for (int j = r->carrier->iy + 3; j < r->carrier->iy + 7; j++) {
        hol_real unit[HOL_MAX_Y] = {0}, g[HOL_MAX_Y];
        unit[j] = 1;
        spin_row(r, unit, false, g);
        for (int i = 0; i < r->ny - 1; i++) A[i * step + j] += f * g[i];
    }
}

// The axis and its rate, for the recursions.
static hol_real spin(const void *data, const hol_real *y, const hol_real *w, hol_real *axis, hol_real *bend)
{
    const rotor *r = data;
    hol_real B[3][4];
    for (int i = 0; i < 3; i++) axis[i] = r->axis[i], bend[i] = 0;
    if (r->spin == 0 || r->carrier->frame == HOL_FRAME_PLANAR) return r->spin;
    const hol_real *p = y + r->carrier->iy + 3, *dp = w + r->carrier->iy + 3;
    hol_rotate(p, r->axis, axis);
    hol_rotate_d(p, r->axis, B);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) bend[i] += 2 * B[i][j] * dp[j];
    return r->spin;
}

// M of (8.57a), which is that of (8.57) where k is 0.
static void mass(const void *data, const hol_real *y, hol_real *M)
{
    const rotor *r = data;
    const int nq = r->ny - 1;
    hol_real g[HOL_MAX_Y];
    hol_scalar c;
    hol_prim_eval(&r->c, r->ny, y, NULL, 1, &c);
    spin_row(r, y, true, g);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < nq; j++)
            M[i * nq + j] = r->inertia * c.d[i] * c.d[j] + r->spin * (c.d[i] * g[j] + g[i] * c.d[j]);
}

static void mass_times(const void *data, const hol_real *y, const hol_real *a, hol_real *f)
{
    const rotor *r = data;
    hol_real g[HOL_MAX_Y];
    hol_scalar c;
    hol_prim_eval(&r->c, r->ny, y, NULL, 1, &c);
    spin_row(r, y, true, g);
    const hol_real is = along(r, c.d, a), moved = r->inertia * is + r->spin * along(r, g, a);
    for (int i = 0; i < r->ny - 1; i++) f[i] = moved * c.d[i] + r->spin * is * g[i];
}

// (M a)_y, (8.57).
static void mass_a(const void *data, const hol_real *y, const hol_real *a, hol_real *K)
{
    const rotor *r = data;
    const int ny = r->ny, nq = ny - 1;
    hol_real w[HOL_MAX_Y], g[HOL_MAX_Y], ga[HOL_MAX_Y];
    hol_scalar c;
    memcpy(w, a, (size_t)nq * sizeof *w);
    w[nq] = 0;
    hol_prim_eval(&r->c, ny, y, w, 2, &c); // dw = (c_y a)_y
    spin_row(r, y, true, g);
    spin_row(r, w, false, ga);
    const hol_real is = along(r, c.d, a), moved = r->inertia * is + r->spin * along(r, g, a);
    hol_prim_hessian(&r->c, ny, y, &moved, K);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < ny; j++)
            K[i * ny + j] += (r->inertia * c.d[i] + r->spin * g[i]) * c.dw[j] - r->spin * c.d[i] * ga[j];
    add_spin_derivative(r, r->spin * is, K, ny);
}

// The recursions along the tree take the rotor by this.
static hol_real resist(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *c_y,
                       hol_real *bent)
{
    const rotor *r = data;
    hol_scalar c;
    hol_prim_eval(&r->c, ny, y, w, 2, &c);
    memcpy(c_y, c.d, (size_t)ny * sizeof *c_y);
    *bent = 0;
    for (int j = 0; j < ny; j++) *bent += c.dw[j] * w[j];
    return r->inertia;
}

static const hol_marker *turned(const void *data, double *inertia, double *about)
{
    const rotor *r = data;
    *inertia = r->inertia, *about = r->spin;
    return r->c.m2;
}

// What c'' is without accelerations, on I c_q + k g, and the turning of the axis.
static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    const rotor *r = data;
    hol_real c_y[HOL_MAX_Y], bent, g[HOL_MAX_Y], gv[HOL_MAX_Y];
    (void)mem, (void)u;
    const hol_real inertia = resist(data, ny, y, w, c_y, &bent), rate = along(r, c_y, w);
    spin_row(r, y, true, g);
    spin_row(r, w, false, gv);
    for (int i = 0; i < ny - 1; i++)
        Q[i] -= inertia * bent * c_y[i] + r->spin * (bent * g[i] + 2 * rate * gv[i]);
}

// With (c_y w)_y w = c'' without accelerations: its derivatives are dww by y and 2 dw by w.
static void force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const rotor *r = data;
    const int nq = ny - 1;
    hol_scalar c;
    (void)mem, (void)u;
    hol_prim_eval(&r->c, ny, y, w, 3, &c);
    hol_real bent = 0, H[HOL_MAX_Y * HOL_MAX_Y] = {0}, g[HOL_MAX_Y], gv[HOL_MAX_Y];
    for (int j = 0; j < ny; j++) bent += c.dw[j] * w[j];
    const hol_real minus = -r->inertia * bent, twice = 2 * r->spin;
    hol_prim_hessian(&r->c, ny, y, &minus, H);
    spin_row(r, y, true, g);
    spin_row(r, w, false, gv);
    for (int i = 0; i < nq; i++) {
        const hol_real on = r->inertia * c.d[i] + r->spin * g[i];
        for (int j = 0; j < ny; j++)
            Q_y[i * ny + j] += H[i * ny + j] - on * c.dww[j] - twice * c.dw[j] * gv[i];
        for (int j = 0; j < nq; j++) Q_v[i * nq + j] -= 2 * on * c.dw[j] + twice * c.d[j] * gv[i];
    }
    add_spin_derivative(r, -r->spin * bent, Q_y, ny);
    add_spin_derivative(r, -twice * along(r, c.d, w), Q_v, nq);
}

#define FUNCTIONS                                                                                            \
    .data_size = sizeof(rotor), .mass = mass, .mass_times = mass_times, .mass_a = mass_a, .resist = resist,  \
    .force = force, .force_d = force_d

const hol_element_type hol_force_rotor = {
    .name = "rotor",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .joints = 1,
    .doc = "rotor that a gear turns with a joint: the `armature` of joints that turn",
    .options = rotor_options,
    .setup = take_angle,
    .turned = turned,
    .spin = spin,
    FUNCTIONS,
};
const hol_element_type hol_force_inerter = {
    .name = "inerter",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .joints = 1,
    .doc = "what resists the acceleration of a stroke: the `armature` of joints that slide",
    .options = inerter_options,
    .setup = take_stroke,
    FUNCTIONS,
};
