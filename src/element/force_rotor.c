// What resists the acceleration of a joint's coordinate c: a rotor that a gear turns with the joint, or an inerter. Its kinetic energy is
// I c'^2/2, as if it turned against ground:
//
//     M = I c_q^T c_q,     (M a)_y = I (c_qq (c_q a) + c_q^T (c_q a)_y),     Q = -I c_q^T (c_q v)_q v   (8.57)
//
// The mass of the rotor itself belongs to the body that carries it.
#include "element/element.h"

#include <string.h>

enum { INERTIA };
static const hol_option rotor_options[] = {{"inertia", HOL_NUMBER, "kg m^2", HOL_NONE, 0, HOL_INF,
                                            HOL_REQUIRED | HOL_ABOVE, NULL,
                                            "of the rotor, as the joint feels it"},
                                           HOL_END_OPTIONS};
static const hol_option inerter_options[] = {{"mass", HOL_NUMBER, "kg", HOL_NONE, 0, HOL_INF,
                                              HOL_REQUIRED | HOL_ABOVE, NULL, "that the stroke has to carry"},
                                             HOL_END_OPTIONS};

typedef struct {
    hol_prim c;
    double inertia;
    int ny;
} rotor;

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
    return take(in, data, e, HOL_COORDINATE_ANGLE,
                "%s: a %s joint has a stroke and no angle: an inerter resists it, in kg");
}

static hol_status take_stroke(const hol_setup *in, void *data, hol_element *e)
{
    return take(in, data, e, HOL_COORDINATE_STROKE,
                "%s: a %s joint has an angle and no stroke: a rotor resists it, in kg m^2");
}

// c_q along a vector of the coordinates.
static hol_real along(const rotor *r, const hol_scalar *c, const hol_real *a)
{
    hol_real sum = 0;
    for (int i = 0; i < r->ny - 1; i++) sum += c->d[i] * a[i];
    return sum;
}

static void mass(const void *data, const hol_real *y, hol_real *M)
{
    const rotor *r = data;
    const int nq = r->ny - 1;
    hol_scalar c;
    hol_prim_eval(&r->c, r->ny, y, NULL, 1, &c);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < nq; j++) M[i * nq + j] = r->inertia * c.d[i] * c.d[j];
}

static void mass_times(const void *data, const hol_real *y, const hol_real *a, hol_real *f)
{
    const rotor *r = data;
    hol_scalar c;
    hol_prim_eval(&r->c, r->ny, y, NULL, 1, &c);
    const hol_real moved = r->inertia * along(r, &c, a);
    for (int i = 0; i < r->ny - 1; i++) f[i] = moved * c.d[i];
}

// (M a)_y, (8.57).
static void mass_a(const void *data, const hol_real *y, const hol_real *a, hol_real *K)
{
    const rotor *r = data;
    const int ny = r->ny, nq = ny - 1;
    hol_real w[HOL_MAX_Y];
    hol_scalar c;
    memcpy(w, a, (size_t)nq * sizeof *w);
    w[nq] = 0;
    hol_prim_eval(&r->c, ny, y, w, 2, &c); // dw = (c_y a)_y
    const hol_real moved = r->inertia * along(r, &c, a);
    hol_prim_hessian(&r->c, ny, y, &moved, K);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < ny; j++) K[i * ny + j] += r->inertia * c.d[i] * c.dw[j];
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

// -I c_q^T times what c'' is without accelerations.
static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    hol_real c_y[HOL_MAX_Y], bent;
    (void)mem, (void)u;
    const hol_real inertia = resist(data, ny, y, w, c_y, &bent);
    for (int i = 0; i < ny - 1; i++) Q[i] -= inertia * bent * c_y[i];
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
    hol_real bent = 0, H[HOL_MAX_Y * HOL_MAX_Y] = {0};
    for (int j = 0; j < ny; j++) bent += c.dw[j] * w[j];
    const hol_real minus = -r->inertia * bent;
    hol_prim_hessian(&r->c, ny, y, &minus, H);
    for (int i = 0; i < nq; i++) {
        for (int j = 0; j < ny; j++) Q_y[i * ny + j] += H[i * ny + j] - r->inertia * c.d[i] * c.dww[j];
        for (int j = 0; j < nq; j++) Q_v[i * nq + j] -= 2 * r->inertia * c.d[i] * c.dw[j];
    }
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
