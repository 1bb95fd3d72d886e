// Planar rigid body: x y of the centre of mass, theta counter-clockwise.
//     M = diag(m, m, J),   Q = (m g, 0),   V = -m g.r
#include "element/element.h"

typedef struct {
    double m, J; // [kg], [kg m^2] about the centre of mass
    double g[2]; // [m/s^2]
} planar;

enum { MASS, INERTIA };
static const hol_option options[] = {
    {"mass", HOL_NUMBER, "kg", HOL_NONE, 0, HOL_INF, 0, NULL,
     "mass of the body; default: by the density of its shapes"},
    {"inertia", HOL_NUMBER, "kg m^2", HOL_NONE, 0, HOL_INF, 0, NULL,
     "moment of inertia about the centre of mass; default: that of its shapes"},
    HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    planar *b = data;
    b->m = in->value[MASS].num;
    b->J = in->value[INERTIA].num;
    b->g[0] = in->gravity[0];
    b->g[1] = in->gravity[1];
    e->n_rows = 0;
    return HOL_OK;
}

static void inertia(const void *data, hol_inertia *out)
{
    const planar *b = data;
    *out = (hol_inertia){.m = b->m, .J = {[8] = b->J}, .g = {b->g[0], b->g[1], 0}};
}

static void mass(const void *data, const hol_real *y, hol_real *M)
{
    const planar *b = data;
    (void)y;
    for (int i = 0; i < 9; i++) M[i] = 0;
    M[0] = M[4] = b->m;
    M[8] = b->J;
}

static void mass_times(const void *data, const hol_real *y, const hol_real *a, hol_real *f)
{
    const planar *b = data;
    (void)y;
    f[0] = b->m * a[0], f[1] = b->m * a[1], f[2] = b->J * a[2];
}

static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    const planar *b = data;
    (void)ny, (void)y, (void)w, (void)mem, (void)u;
    Q[0] += b->m * b->g[0];
    Q[1] += b->m * b->g[1];
}

static void energy(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                   hol_real *V, hol_real *V_w)
{
    const planar *b = data;
    (void)ny, (void)mem;
    *V = -b->m * (b->g[0] * y[0] + b->g[1] * y[1]);
    if (V_w) *V_w = -b->m * (b->g[0] * w[0] + b->g[1] * w[1]);
}

const hol_element_type hol_body_planar = {
    .name = "rigid",
    .aliases = "rigid-body|planar",
    .role = HOL_ROLE_BODY,
    .dimensions = 2,
    .frame = HOL_FRAME_PLANAR,
    .doc = "planar rigid body: coordinates x, y of the centre of mass and the angle theta",
    .options = options,
    .data_size = sizeof(planar),
    .setup = setup,
    .inertia = inertia,
    .mass = mass,
    .mass_times = mass_times,
    .force = force,
    .energy = energy,
};
