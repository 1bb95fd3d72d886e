// Point mass: x y (2D) or x y z (3D).
//     M = m I,   Q = m g,   V = -m g.r
#include "element/element.h"

typedef struct {
    int n;       // dimension
    double m;    // [kg]
    double g[3]; // [m/s^2]
} point;

enum { MASS };
static const hol_option options[] = {{"mass", HOL_NUMBER, "kg", HOL_NONE, 0, HOL_INF, 0, NULL,
                                      "mass of the body; default: by the density of its shapes"},
                                     HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    point *b = data;
    b->n = in->dimension;
    b->m = in->value[MASS].num;
    for (int i = 0; i < 3; i++) b->g[i] = in->gravity[i];
    e->n_rows = 0;
    return HOL_OK;
}

static void inertia(const void *data, hol_inertia *out)
{
    const point *b = data;
    *out = (hol_inertia){.m = b->m, .g = {b->g[0], b->g[1], b->g[2]}};
}

static void mass(const void *data, const hol_real *y, hol_real *M)
{
    const point *b = data;
    (void)y;
    for (int i = 0; i < b->n; i++)
        for (int j = 0; j < b->n; j++) M[i * b->n + j] = i == j ? b->m : 0;
}

static void mass_times(const void *data, const hol_real *y, const hol_real *a, hol_real *f)
{
    const point *b = data;
    (void)y;
    for (int i = 0; i < b->n; i++) f[i] = b->m * a[i];
}

static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    const point *b = data;
    (void)ny, (void)y, (void)w, (void)mem, (void)u;
    for (int i = 0; i < b->n; i++) Q[i] += b->m * b->g[i];
}

// V = -m g.r and its rate along w; the kinetic energy follows from the mass matrix.
static void energy(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                   hol_real *V, hol_real *V_w)
{
    const point *b = data;
    (void)ny, (void)mem;
    *V = 0;
    for (int i = 0; i < b->n; i++) *V -= b->m * b->g[i] * y[i];
    if (!V_w) return;
    *V_w = 0;
    for (int i = 0; i < b->n; i++) *V_w -= b->m * b->g[i] * w[i];
}

const hol_element_type hol_body_point = {
    .name = "point",
    .aliases = "particle|point-mass",
    .role = HOL_ROLE_BODY,
    .dimensions = 5,
    .frame = HOL_FRAME_POINT,
    .doc = "point mass: coordinates x, y (2D) or x, y, z (3D)",
    .options = options,
    .data_size = sizeof(point),
    .setup = setup,
    .inertia = inertia,
    .mass = mass,
    .mass_times = mass_times,
    .force = force,
    .energy = energy,
};
