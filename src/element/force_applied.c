// Applied force at a marker, global or body-fixed components as functions of time.
//     global:  Q = P_q^T F(t)               P the marker's origin
//     body:    Q = P_q^T sum_i F_i(t) u_i   u_i the marker's axes
#include "element/element.h"

enum { VALUE, FRAME };
static const hol_option options[] = {{"value", HOL_FUNCTIONS, "N", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED,
                                      NULL, "components [Fx, Fy, Fz] (2D: [Fx, Fy]) as functions of time"},
                                     {"frame", HOL_CHOICE, "", 0, 0, 0, 0, "global|body",
                                      "frame of the components: global, or the marker's axes"},
                                     HOL_END_OPTIONS};

typedef struct {
    int n;
    bool follows;
    const hol_marker *m;
    const hol_expr *F[3];
} applied;

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    applied *a = data;
    const hol_value *v = &in->value[VALUE];
    if (v->n != in->dimension)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, v->at, "%s.value: %d components are wanted, here is %d",
                           in->path, in->dimension, v->n);
    a->n = v->n;
    a->follows = in->value[FRAME].num > 0;
    a->m = in->end[0].marker;
    if (a->follows && a->m->frame == HOL_FRAME_POINT)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->value[FRAME].at,
                           "%s.frame: a point mass has no axes: use the global frame", in->path);
    for (int i = 0; i < a->n; i++) a->F[i] = v->fn[i];
    e->n_rows = 0;
    return HOL_OK;
}

// The force vector and, with d not NULL, its derivative with respect to the marker's columns and time.
static void vector(const applied *a, const hol_real *y, int ny, hol_real F[3], hol_real F_t[3],
                   hol_real (*d)[7])
{
    F[0] = F[1] = F[2] = F_t[0] = F_t[1] = F_t[2] = 0;
    for (int k = 0; k < a->n; k++) {
        hol_real f[4];
        hol_expr_jet(a->F[k], y[ny - 1], f);
        if (!a->follows) {
            F[k] = f[0];
            F_t[k] = f[1];
            continue;
        }
        hol_feature u;
        hol_feature_eval(a->m, k, y, NULL, d ? 1 : 0, &u);
        for (int i = 0; i < 3; i++) {
            F[i] += f[0] * u.f[i];
            F_t[i] += f[1] * u.f[i];
            if (d)
                for (int j = 0; j < u.n; j++) d[i][u.iy - a->m->iy + j] += f[0] * u.d[i][j];
        }
    }
}

static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  hol_real *Q)
{
    const applied *a = data;
    hol_feature p;
    hol_real F[3], F_t[3];
    (void)w, (void)mem;
    vector(a, y, ny, F, F_t, NULL);
    hol_feature_eval(a->m, HOL_ORIGIN, y, NULL, 1, &p);
    for (int j = 0; j < p.n; j++) Q[p.iy + j] += F[0] * p.d[0][j] + F[1] * p.d[1][j] + F[2] * p.d[2][j];
}

static void force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    hol_real *Q_y, hol_real *Q_v)
{
    const applied *a = data;
    hol_feature p;
    hol_real F[3], F_t[3], d[3][7] = {{0}}, H[HOL_MAX_Y * HOL_MAX_Y] = {0};
    (void)w, (void)mem, (void)Q_v;
    vector(a, y, ny, F, F_t, d);
    hol_feature_eval(a->m, HOL_ORIGIN, y, NULL, 1, &p);
    hol_feature_hessian(a->m, HOL_ORIGIN, y, F, H, ny);
    for (int i = 0; i < p.n; i++) {
        hol_real *row = Q_y + (p.iy + i) * ny;
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < p.n; j++) row[p.iy + j] += p.d[k][i] * d[k][j];
            row[ny - 1] += p.d[k][i] * F_t[k];
        }
        for (int j = 0; j < p.n; j++) row[p.iy + j] += H[(p.iy + i) * ny + p.iy + j];
    }
}

const hol_element_type hol_force_applied = {
    .name = "force",
    .aliases = "applied-force",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .ends = 1,
    .doc = "applied force at a point, components as functions of time",
    .options = options,
    .data_size = sizeof(applied),
    .setup = setup,
    .force = force,
    .force_d = force_d,
};
