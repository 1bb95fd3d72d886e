// Kinks at a state, found by value: derivatives on both sides of it, along one direction that leaves every surface, differ by as much at a
// small distance as at a large one (docs/theory.md, section 13.7).
#include "analysis/one_sided.h"
#include "analysis/contacts.h"
#include "analysis/equilibrium.h"
#include "system/kernel.h"
#include "system/leaf.h"
#include "system/linear.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NEAR 1e-8    // natural sizes to each side
#define FAR 1e-5     // where what is smooth differs by more: by 1000, or for a root by 30
#define STAYS 0.2    // of the jump at the larger distance
#define NOTICED 1e-6 // of the slopes themselves
#define BENT 1e-4    // the same of what is measured, by second differences
#define ALIKE 1e-3   // of the jump: the slope is that of a side
enum { NAMED = 100 };

typedef struct {
    hol_context *ctx;
    hol_reduced *r;
    const hol_state *x;
    hol_one_sided_of of;
    hol_one_sided *o;
} finder;

// Slopes along the direction, and by what is named, behind (-), at and ahead of the state.
typedef struct {
    double jump, size; // at NEAR
    double before;     // the jump at FAR
    double along[3];   // the whole
    double slope[3];   // by what is named
    char name[NAMED];  // of what grows ahead
    double way;        // by which it does, below 0 where it falls
    double value;      // of it at the state
} bend;

// ---- the direction ----------------------------------------------------------------------------------------------

static double next(hol_random *random)
{
    const double u = hol_random_uniform(random);
    return u < 0 ? -0.5 + 0.5 * u : 0.5 + 0.5 * u;
}

// x += c times so many columns (nq apart), c random.
static void add_random(hol_random *random, int n, int nq, const double *columns, const double *more,
                       double *x, double *y)
{
    for (int j = 0; j < n; j++) {
        const double c = next(random);
        for (int i = 0; i < nq; i++) x[i] += c * columns[(size_t)j * (size_t)nq + (size_t)i];
        for (int i = 0; i < nq && more; i++) y[i] += c * more[(size_t)j * (size_t)nq + (size_t)i];
    }
}

static double size_of(const hol_equations *s, const double *x, double T)
{
    double most = 0;
    for (int i = 0; i < s->nq; i++) most = fmax(most, fabs(x[i]) / s->q_size[i] * T);
    return most > 0 ? most : 1;
}

// Positions, with them velocities so that joints hold, velocities and states, each part of natural size 1.
static void choose_direction(const finder *f)
{
    const hol_reduced *r = f->r;
    const hol_equations *s = r->s;
    const double T = s->m->time_scale;
    hol_one_sided *o = f->o;
    hol_random random = {1789};
    add_random(&random, r->d, s->nq, r->N, r->rest ? NULL : r->Z, o->dq, o->dv);
    const double size = size_of(s, o->dq, 1);
    for (int i = 0; i < s->nq; i++) o->dq[i] /= size, o->dv[i] /= size;
    if (!r->rest) {
        double *dv = o->dX + s->nx; // room (nq)
        add_random(&random, r->e, s->nq, r->V, NULL, dv, NULL);
        const double speed = size_of(s, dv, T);
        for (int i = 0; i < s->nq; i++) o->dv[i] += dv[i] / speed;
    }
    for (int k = 0; k < s->nx; k++) o->dX[k] = next(&random) * (1 + fabs(f->x->X[k]));
}

// A state h along the direction with its unknowns; inputs go along where they are what is asked for. HOL_RECOVERABLE: it has none.
static hol_status go(const finder *f, double h, hol_state *to)
{
    const hol_equations *s = f->r->s;
    const hol_one_sided *o = f->o;
    hol_random random = {1815};
    hol_state_copy(s, to, f->x);
    for (int i = 0; i < s->nq; i++) {
        to->q[i] += h * o->dq[i];
        to->v[i] += h * o->dv[i];
    }
    for (int k = 0; k < s->nx; k++) to->X[k] += h * o->dX[k];
    for (int i = 0; i < s->m->n_held && f->of == HOL_ONE_SIDED_LINEAR; i++) {
        double *u = to->mem + s->m->held[i].slot;
        if (s->m->held[i].input) *u += h * next(&random) * (1 + fabs(*u));
    }
    if (f->r->rest) return hol_equilibrium_rest(f->r->k, to, o->dX + s->nx);
    hol_kernel_forget_accelerations(f->r->k);
    return hol_solve_accelerations(f->r->k, to);
}

// ---- names ------------------------------------------------------------------------------------------------------

// Coordinate k of those of so many bodies, or its rate, which goes by `way` ahead.
static void name_coordinate(const finder *f, int n, const int *body, int k, bool rate, double way, bend *b)
{
    const hol_model_data *m = f->r->s->m;
    int i = 0;
    while (i + 1 < n && k >= m->body[body[i]].size) k -= m->body[body[i++]].size;
    const char *unit, *word = hol_model_coordinate_word(m, body[i], k, &unit);
    const int at = m->body[body[i]].q + k;
    snprintf(b->name, sizeof b->name, "%s%s.%s", rate ? "the rate of " : "", m->body[body[i]].name, word);
    b->way = way;
    b->value = rate ? f->x->v[at] : f->x->q[at];
}

// What a measure changes with the most.
static void name_measure(const finder *f, const hol_leaf *l, bend *b)
{
    const hol_equations *s = f->r->s;
    const hol_one_sided *o = f->o;
    hol_leaf_value v;
    double most = 0;
    hol_leaf_eval(s, &o->at[HOL_SIDE_AHEAD], l, true, &v);
    int i = 0;
    for (int n = 0; n < l->n_bodies; n++)
        for (int k = 0; k < s->m->body[l->body[n]].size; k++, i++) {
            const int at = s->m->body[l->body[n]].q + k;
            for (int rate = 0; rate < 2; rate++) {
                const double way = rate ? o->dv[at] : o->dq[at],
                             part = fabs(hol_re(rate ? v.w[i] : v.y[i]) * way);
                if (!(part > most * (1 + NOTICED))) continue;
                most = part;
                name_coordinate(f, l->n_bodies, l->body, i, rate, way, b);
            }
        }
}

static const char *held_name(const hol_model_data *m, int slot)
{
    for (int i = 0; i < m->n_held; i++)
        if (m->held[i].slot == slot) return m->held[i].name;
    return "an input";
}

// Leaf l, which changes by `way` ahead.
static void name_leaf(const finder *f, const hol_leaf *l, double way, bend *b)
{
    const hol_model_data *m = f->r->s->m;
    const char *name = "a force that it takes";
    b->way = way;
    *b->name = 0;
    if (l->kind == HOL_LEAF_QUANTITY) name_measure(f, l, b);
    if (*b->name) return;
    hol_leaf_value v;
    hol_leaf_eval(f->r->s, f->x, l, false, &v);
    b->value = hol_re(v.f);
    if (l->kind == HOL_LEAF_VALUE) name = m->equation[l->index].name;
    if (l->kind == HOL_LEAF_STATE) name = m->state[l->index].name;
    if (l->kind == HOL_LEAF_HELD || l->kind == HOL_LEAF_RAMP) name = held_name(m, l->index);
    snprintf(b->name, sizeof b->name, "%s", name ? name : "what it takes");
}

// ---- what bends -------------------------------------------------------------------------------------------------

static bool is_bent(const bend *b)
{
    return isfinite(b->jump) && b->jump > NOTICED * b->size && b->jump > STAYS * b->before;
}

// What leaf l is at a side and how it bends in the state, by the distance h.
typedef struct {
    double rate, bent;
} course;

// Its differences to both sides; what bends by less than they are known is straight.
static course course_of(const finder *f, const hol_state *side, double h, const hol_leaf *l)
{
    hol_leaf_value v[3];
    hol_leaf_eval(f->r->s, &side[HOL_SIDE_BEHIND], l, false, &v[0]);
    hol_leaf_eval(f->r->s, f->x, l, false, &v[1]);
    hol_leaf_eval(f->r->s, &side[HOL_SIDE_AHEAD], l, false, &v[2]);
    const double behind = hol_re(v[1].f - v[0].f) / h, ahead = hol_re(v[2].f - v[1].f) / h,
                 bent = fabs(ahead - behind);
    const bool jumps = l->kind == HOL_LEAF_QUANTITY && bent > BENT * (fabs(ahead) + fabs(behind));
    return (course){0.5 * (ahead + behind), jumps ? bent : 0};
}

// Does it take a bristle, whose edges are told as such (sticking.h)?
static bool sticks(const hol_model_data *m, const hol_equation *e)
{
    bool some = false;
    for (int i = 0; i < e->n_leaves && !some; i++)
        some = e->leaf[i].kind == HOL_LEAF_STATE && m->state[e->leaf[i].index].stiffness > 0;
    return some;
}

// Is it of a law that has one?
static bool is_of_friction(const hol_model_data *m, const hol_equation *e)
{
    bool some = sticks(m, e);
    for (int k = 0; k < m->n_equations && !some && e->path; k++) {
        const hol_equation *other = &m->equation[k];
        some = !other->block && other->path && strcmp(other->path, e->path) == 0 && sticks(m, other);
    }
    return some;
}

// An expression: its slopes on both sides, each by how fast what it takes changes.
static bool look_equation(const finder *f, const hol_equation *e, bend *b)
{
    const hol_one_sided *o = f->o;
    const hol_equations *s = f->r->s;
    double slope[3][HOL_NUM_VARIABLES + 1], out[2][HOL_NUM_VARIABLES + 1], most = 0;
    *b = (bend){.jump = 0};
    hol_equations_slopes(s, &o->at[HOL_SIDE_BEHIND], e, slope[0]);
    hol_equations_slopes(s, f->x, e, slope[1]);
    hol_equations_slopes(s, &o->at[HOL_SIDE_AHEAD], e, slope[2]);
    for (int k = 0; k < HOL_SIDES; k++) hol_equations_slopes(s, &o->far[k], e, out[k]);
    for (int i = 0; i < e->n_leaves; i++) {
        const course near = course_of(f, o->at, NEAR, &e->leaf[i]),
                     far = course_of(f, o->far, FAR, &e->leaf[i]);
        const double jump = fabs((slope[2][i] - slope[0][i]) * near.rate) + fabs(slope[2][i]) * near.bent;
        b->jump += jump;
        b->size += (fabs(slope[0][i]) + fabs(slope[2][i])) * (fabs(near.rate) + near.bent);
        b->before += fabs((out[HOL_SIDE_AHEAD][i] - out[HOL_SIDE_BEHIND][i]) * far.rate) +
                     fabs(out[HOL_SIDE_AHEAD][i]) * far.bent;
        for (int k = 0; k < 3; k++) b->along[k] += slope[k][i] * (near.rate + 0.5 * (k - 1) * near.bent);
        if (!(jump > most)) continue;
        most = jump;
        name_leaf(f, &e->leaf[i], near.rate, b);
        for (int k = 0; k < 3; k++)
            b->slope[k] =
                slope[k][i] * (near.bent > 0 ? (near.rate + 0.5 * (k - 1) * near.bent) / b->way : 1);
    }
    return is_bent(b);
}

// The force of an element along the part of the direction that is of coordinate `at`, -1: all of it, behind, at and ahead of the state and
// then farther off, (ny - 1) each.
static void forces_along(const finder *f, const hol_element *e, int at,
                         double Q[2 * HOL_SIDES + 1][HOL_MAX_Y])
{
    const hol_one_sided *o = f->o;
    const hol_equations *s = f->r->s;
    const hol_state *const states[2 * HOL_SIDES + 1] = {&o->at[HOL_SIDE_BEHIND], f->x, &o->at[HOL_SIDE_AHEAD],
                                                        &o->far[HOL_SIDE_BEHIND], &o->far[HOL_SIDE_AHEAD]};
    double *alone = o->dX + s->nx, *none = alone + s->nq;
    memset(alone, 0, 2 * (size_t)s->nq * sizeof *alone);
    if (at >= 0) alone[at] = o->dq[at];
    for (int k = 0; k < 2 * HOL_SIDES + 1; k++)
        hol_linear_force(s, states[k], e, at < 0 ? o->dq : alone, at < 0 ? o->dv : none, Q[k]);
}

// The jump of it by natural sizes, the component of which is the largest into *largest.
static double jump_of(const finder *f, const hol_element *e, const double *behind, const double *ahead,
                      double *size, int *largest)
{
    const hol_equations *s = f->r->s;
    double jump = 0;
    for (int n = 0, i = 0; n < e->n_bodies; n++)
        for (int c = 0; c < s->m->body[e->body[n]].size; c++, i++) {
            const double q_size = s->q_size[s->m->body[e->body[n]].q + c],
                         own = fabs(ahead[i] - behind[i]) * q_size;
            *size = fmax(*size, (fabs(ahead[i]) + fabs(behind[i])) * q_size);
            if (!(own > jump * (1 + NOTICED))) continue;
            jump = own;
            *largest = i;
        }
    return jump;
}

// The force of an element along the direction: its derivatives on both sides, and by the coordinate that changes them the most.
static bool look_element(const finder *f, const hol_element *e, bend *b)
{
    const hol_equations *s = f->r->s;
    double Q[2 * HOL_SIDES + 1][HOL_MAX_Y], most = 0, size = 0;
    int worst = 0;
    *b = (bend){.jump = 0};
    forces_along(f, e, -1, Q);
    b->jump = jump_of(f, e, Q[0], Q[2], &b->size, &worst);
    for (int k = 0; k < 3; k++) b->along[k] = Q[k][worst] * b->jump / fabs(Q[2][worst] - Q[0][worst]);
    b->before = jump_of(f, e, Q[3], Q[4], &size, &worst);
    if (!is_bent(b)) return false;
    for (int n = 0, i = 0; n < e->n_bodies; n++)
        for (int c = 0; c < s->m->body[e->body[n]].size; c++, i++) {
            const int at = s->m->body[e->body[n]].q + c;
            forces_along(f, e, at, Q);
            const double jump = jump_of(f, e, Q[0], Q[2], &size, &worst);
            if (!(jump > most * (1 + NOTICED))) continue;
            most = jump;
            for (int k = 0; k < 3; k++) b->slope[k] = Q[k][worst] / f->o->dq[at];
            name_coordinate(f, e->n_bodies, e->body, i, false, f->o->dq[at], b);
        }
    return *b->name;
}

// ---- what the motion depends on ----------------------------------------------------------------------------------

// Equation z is one of them, and what it takes is looked at later.
static void mark(const finder *f, int z)
{
    hol_one_sided *o = f->o;
    if (o->mark[z]) return;
    o->mark[z] = 1;
    o->open[o->n_open++] = z;
}

// Those that equation z takes with a slope.
static void mark_behind(const finder *f, int z)
{
    const hol_one_sided *o = f->o;
    const hol_model_data *m = f->r->s->m;
    const hol_equation *e = &m->equation[z];
    const hol_state *const states[] = {f->x, &o->at[HOL_SIDE_AHEAD], &o->at[HOL_SIDE_BEHIND]};
    double slope[HOL_COUNT(states)][HOL_NUM_VARIABLES + 1];
    if (e->block) {
        const hol_block *b = &m->block[e->block - 1];
        for (int i = 0; i < b->n_inputs; i++) mark(f, b->input + i);
        return;
    }
    for (size_t k = 0; k < HOL_COUNT(states); k++) hol_equations_slopes(f->r->s, states[k], e, slope[k]);
    for (int i = 0; i < e->n_leaves; i++) {
        const bool acts = slope[0][i] != 0 || slope[1][i] != 0 || slope[2][i] != 0;
        if (acts && e->leaf[i].kind == HOL_LEAF_VALUE) mark(f, e->leaf[i].index);
    }
}

static const hol_linearise *outputs(const finder *f)
{
    return f->of == HOL_ONE_SIDED_LINEAR ? f->r->s->m->linearise : NULL;
}

// What forces, rates of states and, where they are asked for, outputs take.
static void mark_all(const finder *f)
{
    const hol_model_data *m = f->r->s->m;
    const hol_linearise *w = outputs(f);
    for (int k = 0; k < m->n_elements; k++)
        for (int i = 0; i < m->element[k].n_inputs && hol_element_acts(&m->element[k], f->x->mem); i++)
            if (!m->element[k].input[i].time) mark(f, m->element[k].input[i].z);
    for (int i = 0; i < m->n_states; i++) // what sticks is told as such (sticking.h)
        if (m->state[i].stiffness == 0) mark(f, m->state[i].equation);
    for (int i = 0; w && i < w->n_outputs; i++)
        for (int k = 0; k < w->output[i].n_leaves; k++)
            if (w->output[i].leaf[k].kind == HOL_LEAF_VALUE) mark(f, w->output[i].leaf[k].index);
    while (f->o->n_open) mark_behind(f, f->o->open[--f->o->n_open]);
}

// ---- what is told -------------------------------------------------------------------------------------------------

// The warning, with the slopes on both sides and whose the one at the state is.
static void tell(const finder *f, hol_src at, const char *path, const char *text, const bend *b)
{
    static const char *const what[] = {"stiffness and stability are those", "the modes are those",
                                       "what is linearised is that"};
    const bool ahead = fabs(b->along[1] - b->along[2]) <= ALIKE * b->jump,
               behind = fabs(b->along[1] - b->along[0]) <= ALIKE * b->jump;
    const int up = b->way < 0 ? 0 : 2; // the side on which it grows
    f->o->n++;
    const bool quoted = text && strcmp(text, "..") != 0 && strlen(text) < NAMED;
    hol_note_at(
        f->ctx, HOL_WARNING, at,
        "%s%s%s%s has a kink at this pose: its slope is %.6g where %s (%.6g now) grows and %.6g where that "
        "falls; %s of %s. Look at a pose beside it, or at a run",
        path, quoted ? ": \"" : "", quoted ? text : "", quoted ? "\"" : "", b->slope[up] + 0.0, b->name,
        b->value, b->slope[2 - up] + 0.0, what[f->of],
        !ahead && !behind       ? "neither side"
        : (ahead ? 2 : 0) == up ? "the side on which it grows alone"
                                : "the side on which it falls alone");
}

// Forces whose own law has pieces; others are smooth, but for what their expressions do.
static bool is_pieced(const hol_element *e)
{
    return e->type == &hol_force_contact || e->type->edge_argument;
}

// May anything bend at all?
static bool may_bend(const hol_model_data *m)
{
    bool may = false;
    for (int k = 0; k < m->n_equations && !may; k++) {
        const hol_equation *e = &m->equation[k];
        may = !e->block && hol_expr_kinks(e->expr) > 0;
        for (int i = 0; i < e->n_leaves && !may; i++)
            may = e->leaf[i].kind == HOL_LEAF_QUANTITY && e->leaf[i].measured.kind == HOL_MEASURED_LENGTH;
    }
    for (int i = m->n_bodies; i < m->n_elements && !may; i++) may = is_pieced(&m->element[i]);
    return may;
}

// Expressions, forces of contacts, and outputs.
static void look_all(const finder *f)
{
    const hol_model_data *m = f->r->s->m;
    const hol_linearise *w = outputs(f);
    bend b;
    mark_all(f);
    for (int k = 0; k < m->n_equations; k++) {
        const hol_equation *e = &m->equation[k];
        if (f->o->mark[k] && !e->block && look_equation(f, e, &b) && !is_of_friction(m, e))
            tell(f, e->at, e->path, e->law ? NULL : hol_expr_text(e->expr), &b);
    }
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (is_pieced(e) && hol_element_acts(e, f->x->mem) && look_element(f, e, &b))
            tell(f, e->at, e->name, NULL, &b);
    }
    for (int i = 0; w && i < w->n_outputs; i++)
        if (w->output[i].expr && look_equation(f, &w->output[i], &b))
            tell(f, w->output[i].at, w->output[i].name, NULL, &b);
}

// ---- all of it ------------------------------------------------------------------------------------------------------

// States on both sides, the direction, and marks.
static hol_status make_room(const finder *f)
{
    const hol_equations *s = f->r->s;
    hol_one_sided *o = f->o;
    const size_t nq = (size_t)s->nq, nx = (size_t)s->nx;
    hol_status st = HOL_OK;
    o->memory = hol_calloc(f->ctx, 4 * nq + nx + 2, sizeof *o->memory);
    o->mark = hol_calloc(f->ctx, (size_t)s->m->n_equations + 1, 1);
    o->open = hol_calloc(f->ctx, (size_t)s->m->n_equations + 1, sizeof *o->open);
    if (!o->memory || !o->mark || !o->open) return HOL_ERR_MEMORY;
    o->dq = o->memory;
    o->dv = o->dq + nq + 1;
    o->dX = o->dv + nq; // and room (2 nq)
    for (int k = 0; k < HOL_SIDES && !st; k++) {
        st = hol_state_create(s, &o->at[k]);
        if (!st) st = hol_state_create(s, &o->far[k]);
    }
    return st;
}

hol_status hol_one_sided_find(hol_context *ctx, hol_reduced *r, const hol_state *x, hol_one_sided_of of,
                              hol_one_sided *out)
{
    const finder f = {ctx, r, x, of, out};
    memset(out, 0, sizeof *out);
    const hol_linearise *w = outputs(&f);
    if (!r->d || !(may_bend(r->s->m) || (w && w->n_outputs))) return HOL_OK;
    hol_status st = make_room(&f);
    if (st) return st;
    choose_direction(&f);
    for (int k = 0; k < HOL_SIDES && !st; k++) {
        const double sign = k == HOL_SIDE_AHEAD ? 1 : -1;
        st = go(&f, sign * FAR, &out->far[k]);
        if (!st) st = go(&f, sign * NEAR, &out->at[k]);
    }
    if (!st) look_all(&f);
    return st < 0 ? st : HOL_OK; // beside the state forces have no value
}

void hol_one_sided_destroy(hol_one_sided *o)
{
    for (int k = 0; k < HOL_SIDES; k++) {
        hol_state_destroy(&o->at[k]);
        hol_state_destroy(&o->far[k]);
    }
    hol_free(o->memory);
    hol_free(o->mark);
    hol_free(o->open);
    memset(o, 0, sizeof *o);
}

hol_status hol_one_sided_tell(hol_context *ctx, hol_reduced *r, const hol_state *x, hol_one_sided_of of,
                              bool *some)
{
    hol_one_sided o;
    const hol_status st = hol_one_sided_find(ctx, r, x, of, &o);
    *some = o.n > 0;
    hol_one_sided_destroy(&o);
    return st;
}
