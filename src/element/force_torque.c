// Applied torque on a body, components T as inputs.
//     2D:           Q_theta = T
//     3D, global:   Q_p = 2 E(p)^T T      E, G linear in p
//     3D, body:     Q_p = 2 G(p)^T T
#include "element/element.h"

enum { VALUE, FRAME };
static const hol_option options[] = {{"value", HOL_FUNCTIONS, "N m", HOL_NONE, -HOL_INF, HOL_INF,
                                      HOL_REQUIRED | HOL_LEAVES, NULL, "torque; 3D: components [Tx, Ty, Tz]"},
                                     {"frame", HOL_CHOICE, "", 0, 0, 0, 0, "global|body",
                                      "3D: frame of the components: global or the body's axes"},
                                     HOL_END_OPTIONS};

typedef struct {
    int n;
    bool body;
    double R
        [9]; // axes of the components as columns: of the marker (body), or of the file (global, a unit matrix mostly)
} torque;

// One component in the plane, three in space; R takes them to the body's axes or leaves them global.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    torque *a = data;
    const hol_value *v = &in->value[VALUE];
    const int wanted = in->dimension == 3 ? 3 : 1;
    if (v->n != wanted)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, v->at, "%s.value: %s wanted, here is %d%s", in->path,
                           wanted == 3 ? "3 components are" : "one number is", v->n, v->comma);
    a->n = wanted;
    a->body = in->value[FRAME].num > 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            a->R[3 * i + k] =
                a->body ? hol_mirror_axial(in->mirror, k) * in->end[0].marker->u[k][i] : in->turns[3 * i + k];
    e->n_rows = 0;
    return HOL_OK;
}

// Torque in body or global axes.
static void vector(const torque *a, const hol_real *u, hol_real T[3])
{
    T[0] = T[1] = T[2] = 0;
    if (a->n == 1) T[2] = a->R[8] * u[0];
    for (int k = 0; k < a->n && a->n == 3; k++)
        for (int i = 0; i < 3; i++) T[i] += a->R[3 * i + k] * u[k];
}

static void rate_matrix(const torque *a, const hol_real *p, hol_real G[3][4])
{
    if (a->body)
        hol_body_rate(p, G);
    else
        hol_global_rate(p, G);
}

// Q_p = 2 G(p)^T T or 2 E(p)^T T (2.12); in the plane T itself.
static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    const torque *a = data;
    hol_real T[3], G[3][4];
    (void)ny, (void)w, (void)mem;
    vector(a, u, T);
    if (a->n == 1) {
        Q[2] += T[2];
        return;
    }
    rate_matrix(a, y + 3, G);
    for (int j = 0; j < 4; j++) Q[3 + j] += 2 * (G[0][j] * T[0] + G[1][j] * T[1] + G[2][j] * T[2]);
}

// Derivative by the Euler parameters; none in the plane.
static void force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const torque *a = data;
    hol_real T[3];
    (void)y, (void)w, (void)mem, (void)Q_v;
    if (a->n == 1) return;
    vector(a, u, T);
    for (int j = 0; j < 4; j++) { // G and E are linear: their derivative along p_k is G(e_k), E(e_k)
        hol_real unit[4] = {j == 0, j == 1, j == 2, j == 3}, Gk[3][4];
        rate_matrix(a, unit, Gk);
        for (int i = 0; i < 4; i++)
            Q_y[(3 + i) * ny + 3 + j] += 2 * (Gk[0][i] * T[0] + Gk[1][i] * T[1] + Gk[2][i] * T[2]);
    }
}

static void force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u)
{
    const torque *a = data;
    for (int k = 0; k < a->n; k++) {
        const hol_real one[3] = {k == 0, k == 1, k == 2};
        hol_real Q[7] = {0};
        force(data, ny, y, NULL, NULL, one, Q);
        for (int i = 0; i < ny - 1; i++) Q_u[i * a->n + k] += Q[i];
    }
}

const hol_element_type hol_force_torque = {
    .name = "torque",
    .aliases = "applied-torque|moment",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .ends = 1,
    .in_joint = &hol_force_joint_torque,
    .axes = {HOL_AXES_FIRST, HOL_AXES_FIRST},
    .doc = "applied torque on a body",
    .options = options,
    .data_size = sizeof(torque),
    .setup = setup,
    .force = force,
    .force_d = force_d,
    .force_u = force_u,
};
