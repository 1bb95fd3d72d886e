// Smooth Coulomb friction in a joint: against the rate s' of its coordinate, proportional to the force F_n that the joint
// transmits.
//
//     f = -mu F_n tanh(s'/v),       torque: f r,   r the radius of the pin
//
// F_n and so f depend on the multipliers of the joint: f is an unknown of its own (section 8). The element only applies
// it: Q = s_q^T f.
#include "element/element.h"

enum { COEFFICIENT, RADIUS, TRANSITION };
static const hol_option options[] = {
    {"coefficient", HOL_NUMBER, "", HOL_NONE, 0, HOL_INF, HOL_REQUIRED, NULL, "coefficient of friction mu"},
    {"radius", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "rotation: radius of the pin at which the friction acts"},
    {"transition", HOL_NUMBER, "m/s", HOL_NONE, 0, HOL_INF, HOL_ABOVE | HOL_REQUIRED, NULL,
     "speed of sliding v at which 3/4 of the friction is reached; below it the joint creeps instead of "
     "sticking"},
    HOL_END_OPTIONS};

typedef struct {
    hol_prim s;
} friction;

// The joint's own coordinate, whose rate is braked: angle on a pin of given radius, or stroke.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    friction *f = data;
    const bool turns = in->joint_type[0]->coordinate == HOL_COORDINATE_ANGLE;
    if (turns && !in->value[RADIUS].given)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at,
                           "%s: \"radius\" is missing: that of the pin of the %s joint", in->path,
                           in->joint_type[0]->name);
    if (!turns && in->value[RADIUS].given)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->value[RADIUS].at,
                           "%s.radius: a %s joint slides, it has no pin", in->path, in->joint_type[0]->name);
    if (turns)
        f->s = in->dimension == 3 ? hol_prim_between(in, HOL_PRIM_TWIST, 0, 0, "rotation about z")
                                  : hol_prim_between(in, HOL_PRIM_ANGLE, 0, 0, "rotation");
    else
        f->s = hol_prim_between(in, HOL_PRIM_ALONG, in->dimension == 3 ? 2 : 0, 0, "stroke");
    e->n_rows = 0;
    return HOL_OK;
}

static void force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u)
{
    const friction *f = data;
    hol_scalar s;
    hol_prim_eval(&f->s, ny, y, NULL, 1, &s);
    for (int i = 0; i < ny - 1; i++) Q_u[i] += s.d[i];
}

static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    hol_real direction[HOL_MAX_Y] = {0};
    (void)w, (void)mem;
    force_u(data, ny, y, direction);
    for (int i = 0; i < ny - 1; i++) Q[i] += u[0] * direction[i];
}

static void force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const friction *f = data;
    hol_real H[HOL_MAX_Y * HOL_MAX_Y] = {0};
    (void)w, (void)mem, (void)Q_v;
    hol_prim_hessian(&f->s, ny, y, u, H);
    for (int i = 0; i < ny - 1; i++)
        for (int j = 0; j < ny; j++) Q_y[i * ny + j] += H[i * ny + j];
}

// The law as text: F is the size of the joint's force, v the rate of its coordinate.
static const char *law(const hol_value *value, hol_arena *arena)
{
    const double r = value[RADIUS].given ? value[RADIUS].num : 1;
    return hol_arena_print(arena, "-%.17g*F*tanh(v*%.17g)", value[COEFFICIENT].num * r,
                           r / value[TRANSITION].num);
}

const hol_element_type hol_force_friction = {
    .name = "friction",
    .aliases = "joint-friction",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .joints = 1,
    .law = law,
    .doc = "Coulomb friction in a joint, smooth, proportional to the force the joint transmits",
    .options = options,
    .data_size = sizeof(friction),
    .setup = setup,
    .force = force,
    .force_d = force_d,
    .force_u = force_u,
};
