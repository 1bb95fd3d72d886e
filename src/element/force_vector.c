// Force and torque with components of choice between two bodies, and against each other: F and T on the second one, at its marker,
// -F and -T on the first, through the same point, so that neither momentum nor angular momentum is made.
//
//     Q = P2_q^T F + (R2)^T T,     on body 1:  -F on its centre, -(T + a x F) about it,   a = P2 - its centre
//
// F and T are sums of the inputs times the global axes, or times those of the marker `axes`.
#include "element/element.h"

#include <string.h>

enum { FORCE, TORQUE };
static const hol_option options[] = {
    {"force", HOL_FUNCTIONS, "N", HOL_NONE, -HOL_INF, HOL_INF, HOL_LEAVES, NULL,
     "force on the second end, components [Fx, Fy, Fz] (2D: [Fx, Fy])"},
    {"torque", HOL_FUNCTIONS, "N m", HOL_NONE, -HOL_INF, HOL_INF, HOL_LEAVES, NULL,
     "torque on the second end, components [Tx, Ty, Tz] (2D: one number)"},
    {"axes", HOL_END, "", 0, 0, 0, 0, NULL,
     "marker of any body, in whose axes the components are (default: global)"},
    HOL_END_OPTIONS};

typedef struct {
    int forces, torques; // components
    bool plane, follows;
    const hol_marker *first, *second, *axes;
    double along
        [2]
        [9]; // directions of the components of force and torque as columns; of the marker's their signs on the diagonal
} pair;

// How many components a value has: none, or as many as wanted.
static hol_status count(const hol_setup *in, const hol_value *v, const char *key, int wanted, int *n)
{
    *n = v->given ? v->n : 0;
    if (!*n || *n == wanted) return HOL_OK;
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, v->at, "%s.%s: %d component%s wanted, here %s %d%s", in->path,
                       key, wanted, wanted == 1 ? " is" : "s are", v->n == 1 ? "is" : "are", v->n, v->comma);
}

// A point mass has no axes and takes no torque, which a force at the other end is for the first.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    pair *a = data;
    const bool space = in->dimension == 3;
    a->plane = !space;
    a->first = in->end[0].marker;
    a->second = in->end[1].marker;
    a->follows = in->n_ends > 2;
    a->axes = a->follows ? in->end[2].marker : NULL;
    e->n_rows = 0;
    for (int i = 0; i < 9; i++) {
        const int sign[2] = {hol_mirror_polar(in->mirror, i / 4), hol_mirror_axial(in->mirror, i / 4)};
        for (int k = 0; k < 2; k++)
            a->along[k][i] = !a->follows ? (k ? in->turns : in->axes)[i] : i % 4 == 0 ? sign[k] : 0;
    }
    hol_status st = count(in, &in->value[FORCE], "force", in->dimension, &a->forces);
    if (!st) st = count(in, &in->value[TORQUE], "torque", space ? 3 : 1, &a->torques);
    if (st) return st;
    if (a->follows && a->axes->frame == HOL_FRAME_POINT)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at, "%s.axes: a point mass has no axes", in->path);
    if (a->first->frame == HOL_FRAME_POINT || (a->torques && a->second->frame == HOL_FRAME_POINT))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at, "%s: a point mass takes no torque%s", in->path,
                           a->first->frame == HOL_FRAME_POINT
                               ? ", which the force at the other end is for it: name it second"
                               : "");
    return HOL_OK;
}

// Vectors with their derivatives by y (3 x ny).
typedef struct {
    hol_real f[3], d[3 * HOL_MAX_Y];
} vector;

static void add(const hol_feature *x, double sign, int ny, vector *out)
{
    for (int i = 0; i < x->m && i < 3; i++) {
        out->f[i] += sign * x->f[i];
        for (int j = 0; j < x->n; j++) out->d[i * ny + x->iy + j] += sign * x->d[i][j];
    }
}

// sum over k of u_k e_k, and its derivatives with u constant; of a torque in the plane the z component.
static void components(const pair *a, int n, const double along[9], const hol_real *u, int ny,
                       const hol_real *y, vector *out)
{
    const int first = n == 1 ? 2 : 0;
    memset(out, 0, sizeof *out);
    for (int k = first; k < first + n; k++) {
        const hol_real part = u[k - first];
        if (!a->follows || n == 1) {
            for (int i = 0; i < 3; i++) out->f[i] += along[3 * i + k] * part;
            continue;
        }
        hol_feature axis;
        hol_feature_eval(a->axes, k, y, NULL, 1, &axis);
        for (int i = 0; i < axis.m && i < 3; i++) {
            out->f[i] += along[4 * k] * part * axis.f[i];
            for (int j = 0; j < axis.n; j++)
                out->d[i * ny + axis.iy + j] += along[4 * k] * part * axis.d[i][j];
        }
    }
}

static void column(const vector *x, int ny, int j, hol_real out[3])
{
    for (int i = 0; i < 3; i++) out[i] = x->d[i * ny + j];
}

// From the centre of the first body to the point of the force.
static void arm(const pair *a, int ny, const hol_real *y, vector *out)
{
    hol_marker centre = *a->first;
    hol_feature p;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++) centre.s[i] = 0;
    hol_feature_eval(a->second, HOL_ORIGIN, y, NULL, 1, &p);
    add(&p, 1, ny, out);
    hol_feature_eval(&centre, HOL_ORIGIN, y, NULL, 1, &p);
    add(&p, -1, ny, out);
}

// Q += R^T T on the rotation of a body, and with Q_y not NULL its derivatives; (2.12).
static void turn(const hol_marker *body, const vector *T, hol_real sign, int ny, const hol_real *y,
                 hol_real *Q, hol_real *Q_y)
{
    const int at = body->iy;
    hol_real E[3][4];
    if (body->frame == HOL_FRAME_PLANAR) {
        if (Q) Q[at + 2] += sign * T->f[2];
        for (int j = 0; j < ny && Q_y; j++) Q_y[(at + 2) * ny + j] += sign * T->d[2 * ny + j];
    }
    if (body->frame != HOL_FRAME_SPATIAL) return;
    hol_global_rate(y + at + 3, E);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            if (Q) Q[at + 3 + i] += sign * 2 * E[k][i] * T->f[k];
            for (int j = 0; j < ny && Q_y; j++)
                Q_y[(at + 3 + i) * ny + j] += sign * 2 * E[k][i] * T->d[k * ny + j];
        }
    for (int j = 0; j < 4 && Q_y; j++) { // E is linear in the Euler parameters
        const hol_real unit[4] = {j == 0, j == 1, j == 2, j == 3};
        hol_global_rate(unit, E);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) Q_y[(at + 3 + i) * ny + at + 3 + j] += sign * 2 * E[k][i] * T->f[k];
    }
}

// Q += F on both bodies, with its derivatives.
static void push(const pair *a, const vector *F, int ny, const hol_real *y, hol_real *Q, hol_real *Q_y)
{
    const int n = a->plane ? 2 : 3;
    hol_feature p;
    hol_real H[HOL_MAX_Y * HOL_MAX_Y] = {0};
    hol_feature_eval(a->second, HOL_ORIGIN, y, NULL, 1, &p);
    if (Q_y) hol_feature_hessian(a->second, HOL_ORIGIN, y, F->f, H, ny);
    for (int i = 0; i < p.n; i++) {
        if (p.iy + i >= ny - 1) break; // a marker that moves with the time
        for (int k = 0; k < n; k++) {
            if (Q) Q[p.iy + i] += p.d[k][i] * F->f[k];
            for (int j = 0; j < ny && Q_y; j++) Q_y[(p.iy + i) * ny + j] += p.d[k][i] * F->d[k * ny + j];
        }
        for (int j = 0; j < ny && Q_y; j++) Q_y[(p.iy + i) * ny + j] += H[(p.iy + i) * ny + j];
    }
    if (a->first->frame < HOL_FRAME_PLANAR) return;
    for (int k = 0; k < n; k++) {
        if (Q) Q[a->first->iy + k] -= F->f[k];
        for (int j = 0; j < ny && Q_y; j++) Q_y[(a->first->iy + k) * ny + j] -= F->d[k * ny + j];
    }
}

// Both with the inputs u.
static void act(const pair *a, int ny, const hol_real *y, const hol_real *u, hol_real *Q, hol_real *Q_y)
{
    vector F, T, r;
    components(a, a->forces, a->along[0], u, ny, y, &F);
    components(a, a->torques, a->along[1], u + a->forces, ny, y, &T);
    push(a, &F, ny, y, Q, Q_y);
    turn(a->second, &T, 1, ny, y, Q, Q_y);
    if (a->first->frame < HOL_FRAME_PLANAR) return;
    arm(a, ny, y, &r);
    for (int j = 0; j < ny && Q_y; j++) {
        hol_real r_j[3], F_j[3], sum[3] = {0, 0, 0};
        column(&r, ny, j, r_j);
        column(&F, ny, j, F_j);
        hol_add_cross(1, r_j, F.f, sum);
        hol_add_cross(1, r.f, F_j, sum);
        for (int i = 0; i < 3; i++) T.d[i * ny + j] += sum[i];
    }
    hol_add_cross(1, r.f, F.f, T.f);
    turn(a->first, &T, -1, ny, y, Q, Q_y);
}

static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    (void)w, (void)mem;
    act(data, ny, y, u, Q, NULL);
}

static void force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    (void)w, (void)mem, (void)Q_v;
    act(data, ny, y, u, NULL, Q_y);
}

// Q_u: column k is the force of a unit of input k.
static void force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u)
{
    const pair *a = data;
    const int n = a->forces + a->torques;
    for (int k = 0; k < n; k++) {
        hol_real one[6] = {0}, Q[HOL_MAX_Y] = {0};
        one[k] = 1;
        act(a, ny, y, one, Q, NULL);
        for (int i = 0; i < ny - 1; i++) Q_u[i * n + k] += Q[i];
    }
}

const hol_element_type hol_force_vector = {
    .name = "vector-force",
    .aliases = "general-force|gforce|vforce|vtorque|vector-torque",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .ends = 2,
    .components = true,
    .any_frame = true,
    .doc = "force and torque with components of choice between two bodies, and against each other",
    .options = options,
    .data_size = sizeof(pair),
    .setup = setup,
    .force = force,
    .force_d = force_d,
    .force_u = force_u,
};
