// Applied force at a marker, global or body-fixed components F_i as inputs.
//     global:  Q = P_q^T F               P the marker's origin; in the axes of the file, where that is put or mirrored
//     body:    Q = P_q^T sum_i F_i u_i   u_i the marker's axes
#include "element/element.h"

enum { VALUE, FRAME };
static const hol_option options[] = {{"value", HOL_FUNCTIONS, "N", HOL_NONE, -HOL_INF, HOL_INF,
                                      HOL_REQUIRED | HOL_LEAVES, NULL,
                                      "components [Fx, Fy, Fz] (2D: [Fx, Fy])"},
                                     {"frame", HOL_CHOICE, "", 0, 0, 0, 0, "global|body",
                                      "frame of the components: global, or the marker's axes"},
                                     HOL_END_OPTIONS};

typedef struct {
    int n;
    bool follows;
    const hol_marker *m;
    double axes[9]; // of the components, as columns; of those that follow their signs stand on the diagonal
} applied;

// Components of the force, and whether they turn with the body.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    applied *a = data;
    const hol_value *v = &in->value[VALUE];
    if (v->n != in->dimension)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, v->at, "%s.value: %d components are wanted, here is %d%s",
                           in->path, in->dimension, v->n, v->comma);
    a->n = v->n;
    a->follows = in->value[FRAME].num > 0;
    a->m = in->end[0].marker;
    if (a->follows && a->m->frame == HOL_FRAME_POINT)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->value[FRAME].at,
                           "%s.frame: a point mass has no axes: use the global frame", in->path);
    for (int i = 0; i < 9; i++)
        a->axes[i] = !a->follows ? in->axes[i] : i % 4 == 0 ? hol_mirror_polar(in->mirror, i / 4) : 0;
    e->n_rows = 0;
    return HOL_OK;
}

// Direction of component k, and with d not NULL its derivative with respect to the marker's columns.
static void direction(const applied *a, const hol_real *y, int k, hol_real u[3], hol_real (*d)[7])
{
    hol_feature axis;
    for (int i = 0; i < 3; i++) {
        u[i] = a->axes[3 * i + k];
        for (int j = 0; j < 7 && d; j++) d[i][j] = 0;
    }
    if (!a->follows) return;
    hol_feature_eval(a->m, k, y, NULL, d ? 1 : 0, &axis);
    for (int i = 0; i < 3; i++) {
        u[i] = a->axes[4 * k] * axis.f[i];
        for (int j = 0; d && j < axis.n; j++) d[i][axis.iy - a->m->iy + j] = a->axes[4 * k] * axis.d[i][j];
    }
}

// Q = F_q^T (sum over k of u_k e_k), e_k a global axis or one of the marker's.
static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    const applied *a = data;
    hol_feature p;
    hol_real F[3] = {0, 0, 0}, e[3];
    (void)ny, (void)w, (void)mem;
    for (int k = 0; k < a->n; k++) {
        direction(a, y, k, e, NULL);
        for (int i = 0; i < 3; i++) F[i] += u[k] * e[i];
    }
    hol_feature_eval(a->m, HOL_ORIGIN, y, NULL, 1, &p);
    for (int j = 0; j < p.n; j++) Q[p.iy + j] += F[0] * p.d[0][j] + F[1] * p.d[1][j] + F[2] * p.d[2][j];
}

// Q_y: of the directions that turn with the body, and of the point's derivative. Q does not depend on
// velocities.
static void force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const applied *a = data;
    hol_feature p;
    hol_real F[3] = {0, 0, 0}, F_d[3][7] = {{0}}, e[3], d[3][7], H[HOL_MAX_Y * HOL_MAX_Y] = {0};
    (void)w, (void)mem, (void)Q_v;
    for (int k = 0; k < a->n; k++) {
        direction(a, y, k, e, d);
        for (int i = 0; i < 3; i++) {
            F[i] += u[k] * e[i];
            for (int j = 0; j < 7; j++) F_d[i][j] += u[k] * d[i][j];
        }
    }
    hol_feature_eval(a->m, HOL_ORIGIN, y, NULL, 1, &p);
    hol_feature_hessian(a->m, HOL_ORIGIN, y, F, H, ny);
    for (int i = 0; i < p.n; i++) {
        hol_real *row = Q_y + (p.iy + i) * ny;
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < p.n; j++) row[p.iy + j] += p.d[k][i] * F_d[k][j];
        for (int j = 0; j < p.n; j++) row[p.iy + j] += H[(p.iy + i) * ny + p.iy + j];
    }
}

// Q_u: column k is the force of a unit of component k.
static void force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u)
{
    const applied *a = data;
    hol_feature p;
    (void)ny;
    hol_feature_eval(a->m, HOL_ORIGIN, y, NULL, 1, &p);
    for (int k = 0; k < a->n; k++) {
        hol_real e[3];
        direction(a, y, k, e, NULL);
        for (int j = 0; j < p.n; j++)
            Q_u[(p.iy + j) * a->n + k] += e[0] * p.d[0][j] + e[1] * p.d[1][j] + e[2] * p.d[2][j];
    }
}

const hol_element_type hol_force_applied = {
    .name = "force",
    .aliases = "applied-force",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .ends = 1,
    .in_joint = &hol_force_joint_force,
    .doc = "applied force at a point",
    .options = options,
    .data_size = sizeof(applied),
    .setup = setup,
    .force = force,
    .force_d = force_d,
    .force_u = force_u,
};
