// Torque about the axis of a joint, or force along its stroke: it drives the coordinate c that couplers take of the joint,
// of the second end against the first (docs/theory.md, 8.14).
//
//     Q = c_q^T u,      u the input
//
// or any other that the joint leaves free, by its name (8.13), with the exact gradient of what is measured.
// All that acts in joints ends here: `torque` and `force` with `joint:`, and the laws that joints have (model/laws.h).
#include "element/coordinate.h"
#include "element/element.h"
#include "element/turns.h"

#include <math.h>
#include <string.h>

enum { VALUE, COORDINATE };
#define COORDINATE_ROW                                                                                       \
    {                                                                                                        \
        "coordinate", HOL_TEXT, "", HOL_NONE, 0, 0, 0, NULL,                                                 \
            "which coordinate of the joint, by its name: angle1, swing, .. (default: the one that couplers " \
            "take)"                                                                                          \
    }
static const hol_option torque_options[] = {
    {"value", HOL_FUNCTION, "N m", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED | HOL_LEAVES, NULL,
     "torque on the second end against the first, about the joint's axis"},
    COORDINATE_ROW,
    HOL_END_OPTIONS};
static const hol_option force_options[] = {
    {"value", HOL_FUNCTION, "N", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED | HOL_LEAVES, NULL,
     "force on the second end against the first, along the joint's stroke"},
    COORDINATE_ROW,
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

// What may be named instead.
static hol_status refuse_named(const hol_setup *in, bool length)
{
    char known[200];
    hol_joint_name_driven(in->joint_type[0], in->dimension, length, known, sizeof known);
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->value[COORDINATE].at,
                       "%s.coordinate: a %s joint has no \"%s\" that a %s drives; %s%s", in->path,
                       in->joint_type[0]->name, in->value[COORDINATE].text, length ? "force" : "torque",
                       *known ? "it has: " : "it has none", known);
}

// A coordinate by its name.
static hol_status take_named(const hol_setup *in, bool length, hol_effort *f)
{
    const hol_element_type *joint = in->joint_type[0];
    const hol_joint_coordinate *c = joint->named[in->dimension - 2];
    const hol_mirror seen = in->joint_mirror[0];
    while (c && c->name && strcmp(c->name, in->value[COORDINATE].text) != 0) c++;
    const hol_quantity_kind what = c && c->name ? c->what[in->dimension - 2] : HOL_QUANTITY_KINDS;
    if (what == HOL_QUANTITY_KINDS || !hol_joint_coordinate_is_driven(c, in->dimension) ||
        hol_quantity_is_angle(what) == length)
        return refuse_named(in, length);
    for (int i = 0; i < 2; i++)
        if (in->end[i].marker->frame == HOL_FRAME_POINT && hol_quantity_needs_axes(what))
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at,
                               "%s: the joint holds a point mass, it has no angle", in->path);
    f->named = true;
    f->of = hol_coordinate_between(in->end[0].marker, in->end[1].marker, seen & HOL_MIRROR_AXES,
                                   in->dimension, c);
    f->sign = seen & HOL_MIRROR_TURNS && !length && what != HOL_QUANTITY_SWING ? -1 : 1;
    return HOL_OK;
}

static hol_status take_angle(const hol_setup *in, void *data, hol_element *e)
{
    hol_effort *f = data;
    e->n_rows = 0;
    if (in->value[COORDINATE].given) return take_named(in, false, f);
    return hol_joint_take(in, HOL_COORDINATE_ANGLE,
                          "%s: a %s joint has a stroke and no angle: a force drives it, in N", &f->s);
}

static hol_status take_stroke(const hol_setup *in, void *data, hol_element *e)
{
    hol_effort *f = data;
    e->n_rows = 0;
    if (in->value[COORDINATE].given) return take_named(in, true, f);
    return hol_joint_take(in, HOL_COORDINATE_STROKE,
                          "%s: a %s joint has an angle and no stroke: a torque drives it, in N m", &f->s);
}

bool hol_effort_is_length(const hol_effort *f)
{
    return f->named ? !hol_quantity_is_angle(f->of.what) : hol_prim_is_length(&f->s);
}

static const int by_y[3] = {0, -1, -1};

void hol_effort_direction(const hol_effort *f, int ny, const hol_real *y, hol_real *row)
{
    const hol_shape gradient = {.n = ny};
    hol_scalar s;
    hol_real c[HOL_NUM_MAX];
    if (!f->named) hol_prim_eval(&f->s, ny, y, NULL, 1, &s);
    if (f->named) hol_quantity_eval(&f->of, &gradient, ny, y, NULL, NULL, NULL, NULL, by_y, c);
    for (int j = 0; j < ny; j++) row[j] += f->named ? f->sign * c[4 + j] : s.d[j];
}

void hol_effort_force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u)
{
    hol_real row[HOL_MAX_Y] = {0};
    hol_effort_direction(data, ny, y, row);
    for (int i = 0; i < ny - 1; i++) Q_u[i] += row[i];
}

void hol_effort_force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                      const hol_real *u, hol_real *Q)
{
    hol_real direction[HOL_MAX_Y] = {0};
    (void)w, (void)mem;
    hol_effort_direction(data, ny, y, direction);
    for (int i = 0; i < ny - 1; i++) Q[i] += u[0] * direction[i];
}

// Adds u c_yy of a coordinate that is named, column by column: the change of c_y along each entry of y.
static void named_hessian(const hol_effort *f, int ny, const hol_real *y, hol_real u, hol_real *Q_y)
{
    const hol_shape along = {.n = ny, .order = 1, .gradient = 1};
    hol_real c[HOL_NUM_MAX], d[HOL_MAX_Y] = {0};
    if (u == 0) return; // a stop that is not met
    for (int j = 0; j < ny; j++) {
        d[j] = 1;
        hol_quantity_eval(&f->of, &along, ny, y, NULL, NULL, d, NULL, by_y, c);
        for (int i = 0; i < ny - 1; i++) Q_y[i * ny + j] += f->sign * u * c[4 + ny + i];
        d[j] = 0;
    }
}

void hol_effort_force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                        const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const hol_effort *f = data;
    hol_real H[HOL_MAX_Y * HOL_MAX_Y] = {0};
    (void)w, (void)mem, (void)Q_v;
    if (f->named) {
        named_hessian(f, ny, y, u[0], Q_y);
        return;
    }
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

// ---- springs and smooth stops of joints --------------------------------------------------------------------------

// The laws that a joint's `stiffness`, `damping` and `preload`, or its `limits`, make: the one input has the whole force, of which the
// energy is told here.
static const hol_option elastic_options[] = {
    [HOL_ELASTIC_STIFFNESS] = {"stiffness", HOL_NUMBER, HOL_ANY_UNIT, HOL_NONE, 0, HOL_INF, HOL_REQUIRED,
                               NULL, "K"},
    [HOL_ELASTIC_COORDINATE] = COORDINATE_ROW,
    [HOL_ELASTIC_EXPONENT] = {"exponent", HOL_NUMBER, "", HOL_NONE, 0, HOL_INF, HOL_REQUIRED, NULL,
                              "of what is beyond"},
    [HOL_ELASTIC_BELOW] = {"below", HOL_NUMBER, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
                           "coordinate below which it pushes up"},
    [HOL_ELASTIC_ABOVE] = {"above", HOL_NUMBER, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
                           "coordinate above which it pushes down"},
    HOL_END_OPTIONS};

static void take_elastic(const hol_setup *in, hol_effort *f)
{
    f->stiffness = in->value[HOL_ELASTIC_STIFFNESS].num;
    f->exponent = in->value[HOL_ELASTIC_EXPONENT].num;
    f->below = in->value[HOL_ELASTIC_BELOW].num;
    f->above = in->value[HOL_ELASTIC_ABOVE].num;
}

static hol_status take_elastic_angle(const hol_setup *in, void *data, hol_element *e)
{
    take_elastic(in, data);
    return take_angle(in, data, e);
}

static hol_status take_elastic_stroke(const hol_setup *in, void *data, hol_element *e)
{
    take_elastic(in, data);
    return take_stroke(in, data, e);
}

// The coordinate and its rate.
static hol_real coordinate(const hol_effort *f, int ny, const hol_real *y, const hol_real *w,
                           const double *mem, hol_real *rate)
{
    const hol_shape gradient = {.n = ny};
    hol_real c[HOL_NUM_MAX];
    hol_quantity_eval(&f->of, &gradient, ny, y, NULL, NULL, NULL, NULL, by_y, c);
    *rate = 0;
    for (int j = 0; j < ny; j++) *rate += f->sign * c[4 + j] * w[j];
    return f->sign * (f->turns ? hol_turns_nearest(c[0], mem, hol_re(y[ny - 1])) : c[0]);
}

// (8.54a)
static void elastic_energy(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                           hol_real *V, hol_real *V_w)
{
    const hol_effort *f = data;
    hol_real rate;
    const hol_real c = coordinate(f, ny, y, w, mem, &rate);
    const bool low = hol_re(c)<f->below, high = hol_re(c)> f->above;
    const hol_real depth = low ? f->below - c : high ? c - f->above : 0;
    const hol_real force = low || high ? f->stiffness * pow(depth, f->exponent) : 0;
    *V = force * depth / (f->exponent + 1);
    if (V_w) *V_w = (low ? -force : force) * rate;
}

#define ELASTIC_FUNCTIONS .options = elastic_options, .energy = elastic_energy, HOL_EFFORT_FUNCTIONS

const hol_element_type hol_joint_elastic_angle = {
    .name = "joint-elastic-angle",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .joints = 1,
    .doc = "spring on the angle of a joint, or stops at the ends of its range",
    .setup = take_elastic_angle,
    ELASTIC_FUNCTIONS,
};
const hol_element_type hol_joint_elastic_stroke = {
    .name = "joint-elastic-stroke",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .joints = 1,
    .doc = "spring on the stroke of a joint, or stops at the ends of its range",
    .setup = take_elastic_stroke,
    ELASTIC_FUNCTIONS,
};
