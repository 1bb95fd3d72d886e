// Torque about the axis of a joint, or force along its stroke: it drives the coordinate c that couplers take of the joint,
// of the second end against the first (docs/theory.md, 8.14).
//
//     Q = c_q^T u,      u the input
//
// All that acts in joints ends here: `torque` and `force` with `joint:`, and the laws that joints have (model/laws.h).
#include "element/element.h"

enum { VALUE };
static const hol_option torque_options[] = {
    {"value", HOL_FUNCTION, "N m", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED | HOL_LEAVES, NULL,
     "torque on the second end against the first, about the joint's axis"},
    HOL_END_OPTIONS};
static const hol_option force_options[] = {
    {"value", HOL_FUNCTION, "N", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED | HOL_LEAVES, NULL,
     "force on the second end against the first, along the joint's stroke"},
    HOL_END_OPTIONS};

hol_status hol_joint_take(const hol_setup *in, hol_coordinate wanted, const char *text, hol_prim *out)
{
    if (in->joint_type[0]->coordinate != wanted)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at, text, in->path, in->joint_type[0]->name);
    const bool points =
        in->end[0].marker->frame == HOL_FRAME_POINT || in->end[1].marker->frame == HOL_FRAME_POINT;
    if (wanted == HOL_COORDINATE_ANGLE && points)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at,
                           "%s: the joint holds a point mass, it has no angle", in->path);
    *out = hol_coordinate_prim(in, wanted, in->end, in->joint_mirror[0]);
    return HOL_OK;
}

static hol_status take_angle(const hol_setup *in, void *data, hol_element *e)
{
    hol_effort *f = data;
    e->n_rows = 0;
    return hol_joint_take(in, HOL_COORDINATE_ANGLE,
                          "%s: a %s joint has a stroke and no angle: a force drives it, in N", &f->s);
}

static hol_status take_stroke(const hol_setup *in, void *data, hol_element *e)
{
    hol_effort *f = data;
    e->n_rows = 0;
    return hol_joint_take(in, HOL_COORDINATE_STROKE,
                          "%s: a %s joint has an angle and no stroke: a torque drives it, in N m", &f->s);
}

void hol_effort_force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u)
{
    const hol_effort *f = data;
    hol_scalar s;
    hol_prim_eval(&f->s, ny, y, NULL, 1, &s);
    for (int i = 0; i < ny - 1; i++) Q_u[i] += s.d[i];
}

void hol_effort_force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                      const hol_real *u, hol_real *Q)
{
    hol_real direction[HOL_MAX_Y] = {0};
    (void)w, (void)mem;
    hol_effort_force_u(data, ny, y, direction);
    for (int i = 0; i < ny - 1; i++) Q[i] += u[0] * direction[i];
}

void hol_effort_force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                        const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const hol_effort *f = data;
    hol_real H[HOL_MAX_Y * HOL_MAX_Y] = {0};
    (void)w, (void)mem, (void)Q_v;
    hol_prim_hessian(&f->s, ny, y, u, H);
    for (int i = 0; i < ny - 1; i++)
        for (int j = 0; j < ny; j++) Q_y[i * ny + j] += H[i * ny + j];
}

const hol_element_type hol_force_joint_torque = {
    .name = "joint-torque",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .joints = 1,
    .doc = "torque about the axis of a joint; `type: torque` with `joint:` is the same",
    .options = torque_options,
    .setup = take_angle,
    HOL_EFFORT_FUNCTIONS,
};
const hol_element_type hol_force_joint_force = {
    .name = "joint-force",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .joints = 1,
    .doc = "force along the stroke of a joint; `type: force` with `joint:` is the same",
    .options = force_options,
    .setup = take_stroke,
    HOL_EFFORT_FUNCTIONS,
};
