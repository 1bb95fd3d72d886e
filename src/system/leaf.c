// Leaves of users' expressions: measures between markers, reactions, other unknowns, states,
// parameters that events set. docs/theory.md, section 8.
#include "system/leaf.h"
#include "system/wrench.h"
#include "element/coordinate.h"

#include <string.h>

// A measure between markers with its derivatives by y, w and b.
static void quantity(const hol_equations *s, const hol_state *x, const hol_leaf *l, bool derivatives,
                     hol_leaf_value *out)
{
    const int ny = l->ny, level = hol_measured_level(&l->measured);
    const hol_shape shape = {.n = derivatives ? (level + 1) * ny : 0};
    const int slots[3] = {derivatives ? 0 : -1, derivatives && level > 0 ? ny : -1,
                          derivatives && level > 1 ? 2 * ny : -1};
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], b[HOL_MAX_Y], none[HOL_MAX_Y], value[HOL_NUM_MAX];
    hol_gather(s->m, l->n_bodies, l->body, x->t, x->q, x->v, 1, y, w);
    hol_gather(s->m, l->n_bodies, l->body, 0, x->a, NULL, 0, b, none);
    hol_measured_eval(&l->measured, &shape, ny, y, w, b, NULL, NULL, slots, value);
    out->f = l->turns ? hol_turns_nearest(value[0], x->mem + l->turns - 1, x->t) : value[0];
    for (int j = 0; j < ny && derivatives; j++) {
        out->y[j] = value[4 + j];
        out->w[j] = level > 0 ? value[4 + ny + j] : 0;
        out->b[j] = level > 1 ? value[4 + 2 * ny + j] : 0;
    }
    if (!l->negative) return;
    out->f = -out->f;
    for (int j = 0; j < ny && derivatives; j++) {
        out->y[j] = -out->y[j];
        out->w[j] = -out->w[j];
        out->b[j] = -out->b[j];
    }
}

// Generalised force of an element on its coordinates, with its derivatives.
typedef struct {
    hol_real Q[HOL_MAX_Y], y[HOL_MAX_Y * HOL_MAX_Y], w[HOL_MAX_Y * HOL_MAX_Y]; // (nq), (nq x ny), (nq x nq)
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y], R[HOL_MAX_ROWS * HOL_MAX_Y];         // (rows x ny)
    hol_real u[HOL_MAX_Y * HOL_MAX_ROWS];                                      // (nq x inputs)
} generalised;

// Generalised force -J^T lam of a constraint's rows.
static void rows_force(const hol_equations *s, const hol_state *x, const hol_element *e, const hol_real *y,
                       bool derivatives, generalised *g)
{
    const int ny = e->ny, nq = ny - 1;
    hol_real lam[HOL_MAX_ROWS], H[HOL_MAX_Y * HOL_MAX_Y] = {0};
    e->type->phi(e->data, ny, y, NULL, NULL, g->J);
    for (int i = 0; i < e->n_rows; i++) {
        const int r = s->active[e->row + i];
        lam[i] = r >= 0 ? x->lam[r] : 0;
        for (int j = 0; j < nq; j++) g->Q[j] -= g->J[i * ny + j] * lam[i];
    }
    if (!derivatives) return;
    e->type->phi_lam(e->data, ny, y, lam, H);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < ny; j++) g->y[i * ny + j] -= H[i * ny + j];
}

// The generalised force that an element exerts, with derivatives by y, w and its inputs.
static void element_force(const hol_equations *s, const hol_state *x, const hol_element *e, const hol_real *y,
                          const hol_real *w, bool derivatives, generalised *g)
{
    const hol_element_type *t = e->type;
    memset(g, 0, sizeof *g);
    if (e->n_rows) rows_force(s, x, e, y, derivatives, g);
    if (!t->force || !hol_element_acts(e, x->mem)) return;
    hol_real u[HOL_MAX_ROWS];
    hol_equations_inputs(e, x, u);
    t->force(e->data, e->ny, y, w, x->mem + e->mem, u, g->Q);
    if (!derivatives) return;
    if (t->force_d) t->force_d(e->data, e->ny, y, w, x->mem + e->mem, u, g->y, g->w);
    if (t->force_u) t->force_u(e->data, e->ny, y, g->u);
}

// Component k of the wrench: sum_i c_i Q_i.
static void component(const hol_element *e, const hol_wrench_map *map, const generalised *g, int k,
                      bool derivatives, hol_leaf_value *out)
{
    const int ny = e->ny, nq = ny - 1;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < map->size; i++) {
        const int row = map->iy + i;
        const hol_real c = map->c[k][i], Q = g->Q[row];
        out->f += c * Q;
        if (!derivatives) continue;
        for (int j = 0; j < ny; j++) out->y[j] += c * g->y[row * ny + j] + map->d[k][i][j] * Q;
        for (int j = 0; j < nq; j++) out->w[j] += c * g->w[row * nq + j];
        for (int r = 0; r < e->n_rows; r++) out->lam[r] -= c * g->J[r * ny + row];
        for (int r = 0; r < e->n_inputs; r++) out->u[r] += c * g->u[row * e->n_inputs + r];
    }
}

// out += f part
static void accumulate(hol_leaf_value *out, hol_real f, const hol_leaf_value *part)
{
    hol_real *to = (hol_real *)out;
    const hol_real *from = (const hol_real *)part;
    for (size_t i = 1; i < sizeof *out / sizeof *to; i++) to[i] += f * from[i]; // all but the value
}

static void negate(hol_leaf_value *out)
{
    hol_real *x = (hol_real *)out;
    for (size_t i = 0; i < sizeof *out / sizeof *x; i++) x[i] = -x[i];
}

// With a row c - c_0 the force on c is its multiplier, with the other sign.
static void of_row(const hol_equations *s, const hol_state *x, const hol_element *e, hol_leaf_value *out)
{
    const int r = e->n_rows ? s->active[e->row] : -1;
    memset(out, 0, sizeof *out);
    if (r < 0) return;
    out->f = -x->lam[r];
    out->lam[0] = -1;
}

// What a driver, a lock or a force in a joint gives to its coordinate.
static void effort(const hol_equations *s, const hol_state *x, const hol_leaf *l, const hol_real *y,
                   hol_leaf_value *out)
{
    const hol_element *e = &s->m->element[l->index];
    memset(out, 0, sizeof *out);
    if (e->type == &hol_joint_lock) {
        of_row(s, x, e, out);
    } else if (e->type->role == HOL_ROLE_DRIVER) {
        const int r = e->n_rows ? s->active[e->row] : -1;
        if (r < 0) return;
        out->lam[0] = hol_driver_effort(e, y);
        out->f = out->lam[0] * x->lam[r];
    } else if (hol_element_acts(e, x->mem)) {
        hol_real u[HOL_MAX_ROWS];
        hol_equations_inputs(e, x, u);
        out->f = u[0];
        out->u[0] = 1;
    }
    if (l->negative) negate(out);
}

// What the type of an element lets expressions observe.
static void observed(const hol_equations *s, const hol_state *x, const hol_leaf *l, bool derivatives,
                     hol_leaf_value *out)
{
    const hol_element *e = &s->m->element[l->index];
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    memset(out, 0, sizeof *out);
    const double *mem = hol_element_acts(e, x->mem) ? x->mem + e->mem : NULL;
    e->type->observe(e->data, e->ny, y, w, mem, l->component - HOL_LEAF_OBSERVED, &out->f,
                     derivatives ? out->y : NULL, derivatives ? out->w : NULL);
}

// A component of an element's force or torque, or the length of it, with its derivatives.
static void reaction(const hol_equations *s, const hol_state *x, const hol_leaf *l, bool derivatives,
                     hol_leaf_value *out)
{
    const hol_element *e = &s->m->element[l->index];
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    hol_wrench_map map;
    generalised g;
    if (l->component == HOL_REACTION_OF_ROW) {
        of_row(s, x, e, out);
        return;
    }
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    if (l->component == HOL_REACTION_EFFORT) {
        effort(s, x, l, y, out);
        return;
    }
    element_force(s, x, e, y, w, derivatives, &g);
    hol_wrench_map_at(s->m, e, y, derivatives, &map);
    if (l->component < 6) {
        component(e, &map, &g, l->component, derivatives, out);
        if (l->negative) negate(out);
    } else { // length of the force or the torque; its kink at 0 has the gradient 0
        hol_leaf_value part[3];
        hol_real sum = 0;
        memset(out, 0, sizeof *out);
        for (int k = 0; k < 3; k++) {
            component(e, &map, &g, 3 * (l->component - 6) + k, derivatives, &part[k]);
            sum += part[k].f * part[k].f;
        }
        out->f = sqrt(sum);
        for (int k = 0; k < 3 && hol_re(sum) > 0 && derivatives; k++)
            accumulate(out, part[k].f / out->f, &part[k]);
    }
}

bool hol_leaf_is_twist(const hol_leaf *l)
{
    return l->kind == HOL_LEAF_QUANTITY && l->measured.part[0].what == HOL_QUANTITY_TWIST;
}

double hol_leaf_breadth(const hol_model_data *m, const hol_leaf *l, double t, const double *q)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    hol_gather(m, l->n_bodies, l->body, t, q, NULL, 0, y, w);
    return hol_quantity_breadth(&l->measured.part[0], l->ny, y);
}

double hol_leaf_angle(const hol_equations *s, const hol_state *x, const hol_leaf *l, double *rate)
{
    hol_leaf_value v;
    hol_leaf own = *l;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    own.negative = false;
    quantity(s, x, &own, true, &v);
    hol_gather(s->m, l->n_bodies, l->body, x->t, x->q, x->v, 1, y, w);
    *rate = 0;
    for (int j = 0; j < l->ny; j++) *rate += hol_re(v.y[j] * w[j]);
    return hol_re(v.f);
}

void hol_leaf_count(const hol_equations *s, const hol_state *x, const hol_leaf *l)
{
    double rate;
    const double angle = hol_leaf_angle(s, x, l, &rate);
    // else it says nothing of where the angle goes: the turns stay
    const bool defined = hol_leaf_breadth(s->m, l, x->t, x->q) >= HOL_QUANTITY_NARROW;
    hol_turns_remember(angle, defined ? rate : 0, x->t, x->mem + l->turns - 1);
}

// Of a function of time.
static hol_real derivative_of(const hol_leaf *leaf, const hol_state *x, int order)
{
    hol_real jet[4];
    hol_expr_jet(leaf->of_time, x->t, jet);
    return jet[order];
}

void hol_leaf_eval(const hol_equations *s, const hol_state *x, const hol_leaf *leaf, bool derivatives,
                   hol_leaf_value *out)
{
    switch (leaf->kind) {
    case HOL_LEAF_QUANTITY: quantity(s, x, leaf, derivatives, out); break;
    case HOL_LEAF_REACTION:
        (leaf->component < HOL_LEAF_OBSERVED ? reaction : observed)(s, x, leaf, derivatives, out);
        break;
    case HOL_LEAF_VALUE: out->f = x->z[leaf->index]; break;
    case HOL_LEAF_STATE: out->f = x->X[leaf->index]; break;
    case HOL_LEAF_HELD: out->f = x->mem[leaf->index]; break;
    case HOL_LEAF_RAMP: out->f = hol_ramp(x->mem + leaf->index, x->t); break;
    case HOL_LEAF_PACE: out->f = derivative_of(leaf, x, 1); break;
    }
}

double hol_leaf_pace(const hol_state *x, const hol_leaf *leaf)
{
    if (leaf->kind == HOL_LEAF_PACE) return hol_re(derivative_of(leaf, x, 2));
    return leaf->kind == HOL_LEAF_RAMP ? x->mem[leaf->index + 1] : 0;
}
