// Constraints given by an expression of what is measured between markers, at position or velocity level.
//
//     position:  Phi(q, t) = E(u(q, t), t) = 0          velocity:  Psi(q, v, t) = E(u(q, v, t), t) = 0
//
// All derivatives come from numbers that carry them (expr/num.h); of the second order one direction at a time.
#include "element/element.h"

#include <math.h>
#include <string.h>

static const hol_option position_options[] = {
    {"position", HOL_FUNCTION, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED | HOL_LEAVES, NULL,
     "expression of D and A measures, coordinates of joints and time that is held at 0"},
    HOL_END_OPTIONS};
static const hol_option velocity_options[] = {
    {"velocity", HOL_FUNCTION, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED | HOL_LEAVES, NULL,
     "the same with V and W measures and rates of joints: nonholonomic, or a driver by speed"},
    HOL_END_OPTIONS};

typedef struct {
    hol_measured_formula formula; // all that there is
} constraint;

static hol_status check_level(const hol_setup *in, int most, const char *rule)
{
    const hol_measured_formula *f = in->formula;
    for (int i = 0; i < f->n; i++)
        if (hol_measured_level(&f->leaf[i]) > most)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, f->at[i], "%s: %s", in->path, rule);
    return HOL_OK;
}

static hol_status setup_position(const hol_setup *in, void *data, hol_element *e)
{
    ((constraint *)data)->formula = *in->formula;
    e->n_rows = 1;
    return check_level(in, 0,
                       "a constraint at position level may not measure velocities; write it as `velocity:`");
}

// What measures no velocity could never be held by one.
static hol_status setup_velocity(const hol_setup *in, void *data, hol_element *e)
{
    const hol_measured_formula *f = in->formula;
    ((constraint *)data)->formula = *f;
    e->n_rates = 1;
    bool moves = false;
    for (int i = 0; i < f->n; i++) moves = moves || hol_measured_level(&f->leaf[i]) > 0;
    if (!moves)
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, f->at[0],
            "%s: a constraint at velocity level measures a velocity, as VX(rod) or hinge.rate, "
            "and this one none; what holds places is written as `position:`",
            in->path);
    return check_level(in, 1, "a constraint at velocity level may not measure accelerations");
}

typedef struct {
    hol_real number[HOL_MEASURED_LEAVES][HOL_NUM_MAX], time[HOL_NUM_MAX];
    const hol_real *leaf[HOL_MEASURED_LEAVES];
} arguments;

enum { NONE = -1 }; // a slot: no derivatives by these

// The leaves of E and the time as numbers of the given shape along (dy, dw); the gradient variables are those of `slots`, from
// which on those of y, w, b are.
static void prepare(const hol_measured_formula *f, const hol_shape *shape, int ny, const hol_real *y,
                    const hol_real *w, const hol_real *dy, const hol_real *dw, const int slots[3],
                    arguments *a)
{
    for (int i = 0; i < f->n; i++) {
        hol_measured_eval(&f->leaf[i], shape, ny, y, w, NULL, dy, dw, slots, a->number[i]);
        if (f->turns) a->number[i][0] += f->turns[i];
        a->leaf[i] = a->number[i];
    }
    hol_num_variable(shape, slots[0] >= 0 ? slots[0] + ny - 1 : NONE, y[ny - 1], dy ? dy[ny - 1] : 0,
                     a->time);
}

// E as such a number.
static void evaluate(const hol_measured_formula *f, const hol_shape *shape, int ny, const hol_real *y,
                     const hol_real *w, const hol_real *dy, const hol_real *dw, const int slots[3],
                     hol_real *out)
{
    arguments a;
    prepare(f, shape, ny, y, w, dy, dw, slots, &a);
    hol_expr_eval(f->expr, shape, a.time, a.leaf, out);
}

// The value, its derivatives by y, and how they change along the motion.
static bool explain(hol_context *ctx, const void *data, int ny, const hol_real *y, const hol_real *w,
                    hol_expr_fault *out)
{
    const hol_measured_formula *f = &((const constraint *)data)->formula;
    const hol_shape shape = {.n = ny, .order = 1, .gradient = 1};
    const int slots[3] = {0, NONE, NONE};
    static const hol_real still[HOL_MAX_Y] = {0};
    arguments a;
    prepare(f, &shape, ny, y, w, w, still, slots, &a);
    for (int i = 0; i < f->n; i++) // trouble with the motion is not of this expression
        for (int k = 0; k < hol_num_size(&shape); k++)
            if (!isfinite(hol_re(a.number[i][k]))) return false;
    return hol_expr_explain(ctx, f->expr, &shape, a.time, a.leaf, out);
}

// ---- position level -------------------------------------------------------------------------------------------

static const int by_y[3] = {0, NONE, NONE};

// Full turns of an angle that is held have no meaning: what the pose misses of it is within half of one.
static hol_real missing(const hol_measured_formula *f, hol_real x)
{
    return f->period > 0 ? x - f->period * round(hol_re(x) / f->period) : x;
}

// Value of the expression and its derivatives by y, where asked for.
static void phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *value, hol_real *J)
{
    const constraint *c = data;
    const hol_shape shape = {.n = J ? ny : 0};
    const int none[3] = {NONE, NONE, NONE};
    hol_real x[HOL_NUM_MAX];
    (void)mem;
    evaluate(&c->formula, &shape, ny, y, NULL, NULL, NULL, J ? by_y : none, x);
    if (value) value[0] = missing(&c->formula, x[0]);
    for (int j = 0; j < ny && J; j++) J[j] = x[4 + j];
}

// The k-th coefficient of the gradient along dy, times k!.
static void gradient(const constraint *c, int k, int ny, const hol_real *y, const hol_real *dy, hol_real *out)
{
    const hol_shape shape = {.n = ny, .order = k, .gradient = k};
    hol_real x[HOL_NUM_MAX];
    evaluate(&c->formula, &shape, ny, y, NULL, dy, NULL, by_y, x);
    for (int j = 0; j < ny; j++) out[j] = k * x[4 + k * ny + j]; // 1! and 2!
}

static void phi_yw(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    gradient(data, 1, ny, y, w, J);
}

static void phi_yww(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    gradient(data, 2, ny, y, w, J);
}

static void phi_lam(const void *data, int ny, const hol_real *y, const hol_real *lam, hol_real *H)
{
    hol_real column[HOL_MAX_Y], unit[HOL_MAX_Y] = {0};
    for (int j = 0; j < ny; j++) {
        unit[j] = 1;
        gradient(data, 1, ny, y, unit, column);
        unit[j] = 0;
        for (int i = 0; i < ny; i++) H[i * ny + j] += lam[0] * column[i];
    }
}

static hol_row row(const void *data, int i)
{
    (void)data, (void)i;
    return (hol_row){"position", true};
}

// ---- velocity level -------------------------------------------------------------------------------------------

// The same at velocity level: psi with derivatives by y and by w.
static void rate(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *psi,
                 hol_real *Psi_y, hol_real *Psi_w)
{
    const constraint *c = data;
    const bool derivatives = Psi_y || Psi_w;
    const hol_shape shape = {.n = derivatives ? 2 * ny : 0};
    const int slots[3] = {derivatives ? 0 : NONE, derivatives ? ny : NONE, NONE};
    hol_real x[HOL_NUM_MAX];
    evaluate(&c->formula, &shape, ny, y, w, NULL, NULL, slots, x);
    if (psi) psi[0] = x[0];
    for (int j = 0; j < ny && Psi_y; j++) Psi_y[j] = x[4 + j];
    for (int j = 0; j < ny && Psi_w; j++) Psi_w[j] = x[4 + ny + j];
}

// The derivative of Psi_w along (dy, dw), column j of H.
static void add_column(const constraint *c, int ny, const hol_real *y, const hol_real *w, const hol_real *dy,
                       const hol_real *dw, hol_real kap, int j, hol_real *H)
{
    static const int by_w[3] = {NONE, 0, NONE};
    const hol_shape shape = {.n = ny, .order = 1, .gradient = 1};
    hol_real x[HOL_NUM_MAX];
    evaluate(&c->formula, &shape, ny, y, w, dy, dw, by_w, x);
    for (int i = 0; i < ny; i++) H[i * ny + j] += kap * x[4 + ny + i];
}

// Derivatives of (Psi_v)^T kap, column by column, by evaluating along unit vectors.
static void rate_kap(const void *data, int ny, const hol_real *y, const hol_real *w, const hol_real *kap,
                     hol_real *H_y, hol_real *H_w)
{
    static const hol_real zero[HOL_MAX_Y] = {0};
    hol_real unit[HOL_MAX_Y] = {0};
    for (int j = 0; j < ny; j++) {
        unit[j] = 1;
        add_column(data, ny, y, w, unit, zero, kap[0], j, H_y);
        add_column(data, ny, y, w, zero, unit, kap[0], j, H_w);
        unit[j] = 0;
    }
}

// With Psi' = Psi_y w + Psi_w b: its derivatives by y and w are those of Psi's change along (w, b), and Psi_y for the w in it.
static void rate_dot(const void *data, int ny, const hol_real *y, const hol_real *w, const hol_real *b,
                     hol_real *H_y, hol_real *H_w)
{
    const constraint *c = data;
    const int slots[3] = {0, ny, NONE}, n = 2 * ny;
    const hol_shape shape = {.n = n, .order = 1, .gradient = 1};
    hol_real x[HOL_NUM_MAX];
    evaluate(&c->formula, &shape, ny, y, w, w, b, slots, x);
    for (int j = 0; j < ny; j++) {
        H_y[j] = x[4 + n + j];
        H_w[j] = x[4 + n + ny + j] + x[4 + j];
    }
}

const hol_element_type hol_constraint_position = {
    .name = "position",
    .role = HOL_ROLE_CONSTRAINT,
    .dimensions = 5,
    .pieces = true,
    .doc = "an expression of positions and time is held at 0",
    .options = position_options,
    .data_size = sizeof(constraint),
    .setup = setup_position,
    .phi = phi,
    .phi_yw = phi_yw,
    .phi_yww = phi_yww,
    .phi_lam = phi_lam,
    .row = row,
    .explain = explain,
};

const hol_element_type hol_constraint_velocity = {
    .name = "velocity",
    .role = HOL_ROLE_CONSTRAINT,
    .dimensions = 5,
    .pieces = true,
    .doc = "an expression of velocities, positions and time is held at 0 (nonholonomic)",
    .options = velocity_options,
    .data_size = sizeof(constraint),
    .setup = setup_velocity,
    .rate = rate,
    .rate_kap = rate_kap,
    .rate_dot = rate_dot,
    .explain = explain,
};

const hol_measured_formula *hol_constraint_formula(const hol_element *e, bool *is_rate)
{
    *is_rate = e->type == &hol_constraint_velocity;
    return *is_rate || e->type == &hol_constraint_position ? &((const constraint *)e->data)->formula : NULL;
}

hol_element hol_constraint_turned(const hol_element *e, const double *turns, hol_measured_formula *data)
{
    hol_element turned = *e;
    *data = ((const constraint *)e->data)->formula;
    data->turns = turns;
    turned.data = data;
    return turned;
}
