// Rosenbrock-Nystrom and W-methods (rn4, ros2w) on the state-space equations of a chart (docs/theory.md, section 9.2;
// formulas in rosenbrock.h; Negrut, Sandu, Haug, Potra, Sandu 2003): stages, error, choice and change of the chart.
#include "integrator/rosenbrock.h"
#include "integrator/one_step.h"
#include "integrator/stages.h"
#include "integrator/vibration.h"
#include "system/explicit.h"
#include "system/kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

const hol_option hol_rosenbrock_options[] = {
    {"coordinates", HOL_CHOICE, "", 0, 0, 0, 0, "auto|partition|tangent",
     "state-space coordinates: some of the model's own, or those of the tangent space, new at every step; "
     "auto: angles "
     "with rotational springs if there are any, else tangent"},
    {"independent", HOL_TEXT, "", 0, 0, 0, 0, NULL,
     "coordinates that a partition should keep independent as long as they can be, such as \"rod1.y, "
     "rod2.theta\""},
    {"linear", HOL_CHOICE, "", 0, 0, 0, 0, "auto|dense|sparse",
     "stages: by matrices of the degrees of freedom, or by one sparse matrix in all coordinates (tangent "
     "space, no "
     "velocity constraints); auto: sparse above 200 degrees of freedom where it can be"},
    {"jacobian", HOL_CHOICE, "", 0, 0, 0, 0, "exact|halved|zero",
     "for tests: what a wrong Jacobian does to the order"},
    {"filter", HOL_CHOICE, "", 0, 0, 0, 0, "auto|yes|no",
     "damp the stiff part of the velocities' error estimate by the matrix of the stages; auto: in the "
     "tangent space"},
    HOL_CONTROL_OPTIONS,
    HOL_END_OPTIONS};

#define NUDGE 0.01 // of a tolerance: what velocities are moved by to see how accelerations answer
#define TURNS 2
#define PASSES 3 // of the matrix of the stages over an error, after which what is fast is gone

enum {
    MANY = 200 // degrees of freedom from which on stages are solved in sparse form
};

typedef struct {
    const hol_rosenbrock *table;
    const hol_value *option;
    hol_chart chart;
    hol_stages stages;
    bool looks;        // at the end of a step
    bool looked;       // the factors are of a state beside it
    bool has_jacobian; // that of the stages belongs to it->x
    bool needs_solve;  // the system's factors do not belong to it->x
    bool no_chart;     // it->x is in a singular pose
    hol_one_step one;
    hol_explicit users;   // equations that follow from the motion
    bool follow;          // all of them do
    hol_state x1;         // stage, then the new point
    hol_state probe;      // beside it
    int size;             // entries of y
    int n;                // entries of w and X
    int m;                // entries of a stage: n, in first-order form those of y before them
    double *l, *f;        // stages                                        (stages x m)
    double *y0, *y, *ey;  // each followed by the n entries of w           (size)
    double *w0, *w, *ew;  // of those, the second part                     (n)
    double *r;            //                                               (m)
    double *end, *defect; // accelerations at the end; what velocities miss (m), (n)
    double *vector;       // and two more                                  (nq)
    double *memory;
} rosenbrock;

// ---- creation -------------------------------------------------------------------------------------------------

static bool wants_tangent(const hol_integrator *it, const rosenbrock *d)
{
    const double choice = d->option[HOL_ROSENBROCK_COORDINATES].num;
    if (choice > 0 || d->option[HOL_ROSENBROCK_INDEPENDENT].given) return choice > 1;
    for (int k = it->s->m->n_bodies; k < it->s->m->n_elements && it->s->m->dimension == 2; k++)
        if (it->s->m->element[k].type->turns) return false;
    return true;
}

// NULL: the sparse form can be used, else why not.
static const char *no_sparse_form(const hol_integrator *it, const rosenbrock *d)
{
    if (it->s->nk) return "velocity constraints";
    if (it->errors == HOL_ERRORS_PAPER) return "errors: paper"; // it has no coordinates of its own
    return d->option[HOL_ROSENBROCK_COORDINATES].num == 1 || d->option[HOL_ROSENBROCK_INDEPENDENT].given
               ? "a partition"
               : NULL;
}

// The chart with its basis formed (dense), or represented by vectors (sparse) where that costs less.
static hol_status create_chart(hol_integrator *it, rosenbrock *d)
{
    enum { AUTO, DENSE };
    const double choice = d->option[HOL_ROSENBROCK_LINEAR].num;
    const char *why = no_sparse_form(it, d);
    if (choice > DENSE && why)
        return hol_fail(it->ctx, HOL_ERR_USAGE,
                        "%s.linear: the sparse form does not take %s; use linear: dense", it->method->name,
                        why);
    if (choice > DENSE || (choice == AUTO && !why && it->s->nq - it->s->nc > MANY))
        return hol_chart_create(it->ctx, it->s, HOL_CHART_TANGENT | HOL_CHART_NO_BASIS, &d->chart);
    return hol_chart_create(it->ctx, it->s, wants_tangent(it, d) ? HOL_CHART_TANGENT : HOL_CHART_PARTITION,
                            &d->chart);
}

static hol_status make_chart(hol_integrator *it, rosenbrock *d)
{
    const hol_value *wish = &d->option[HOL_ROSENBROCK_INDEPENDENT];
    hol_status st = create_chart(it, d);
    if (!st && wish->given) st = hol_chart_wish(&d->chart, wish->text);
    if (!st) st = hol_chart_begin(&d->chart, it->k, &it->x, &d->no_chart);
    return st > 0 ? hol_stop_without_coordinates(it) : st;
}

// Vectors of stages and points, in one piece of memory.
static hol_status make_room(hol_integrator *it, rosenbrock *d)
{
    d->size = d->chart.size;
    d->n = d->stages.n;
    d->m = d->stages.m;
    const size_t n = (size_t)d->n, m = (size_t)d->m, both = (size_t)d->size + n, nq = (size_t)it->s->nq,
                 stages = HOL_ROSENBROCK_STAGES;
    d->memory = hol_calloc(it->ctx, 2 * stages * m + 3 * both + 3 * m + 3 * nq + 1, sizeof *d->memory);
    if (!d->memory) return HOL_ERR_MEMORY;
    double *p = d->memory;
    const struct {
        double **array;
        size_t size;
    } parts[] = {{&d->l, stages * m}, {&d->f, stages * m}, {&d->y0, both},
                 {&d->y, both},       {&d->ey, both},      {&d->r, m},
                 {&d->end, m},        {&d->defect, m},     {&d->vector, 3 * nq}};
    for (int i = 0; i < HOL_COUNT(parts); i++) {
        *parts[i].array = p;
        p += parts[i].size;
    }
    d->w0 = d->y0 + d->size;
    d->w = d->y + d->size;
    d->ew = d->ey + d->size;
    return HOL_OK;
}

static hol_status find_users(hol_integrator *it, rosenbrock *d)
{
    hol_obstacle obstacle;
    const hol_status st = hol_explicit_create(it->ctx, it->s->m, &d->users, &obstacle);
    d->follow = !st;
    return st > 0 ? HOL_OK : st;
}

static bool takes_speed(const hol_leaf *l, const bool *speed)
{
    return l->kind == HOL_LEAF_QUANTITY ? hol_measured_level(&l->measured) == 1
                                        : l->kind == HOL_LEAF_VALUE && speed[l->index];
}

// Does a force or a rate follow speeds otherwise than in proportion, itself or by variables: may it hold a body in a narrow strip of
// them? Only then is the end of a step looked at: (9.8a) takes velocities of stiff springs for errors too, and many more steps for
// that. What user code does is not known.
static hol_status find_looks(hol_integrator *it, rosenbrock *d)
{
    const hol_model_data *m = it->s->m;
    if (!it->norm.groups || it->s->nk || !m->n_equations) return HOL_OK;
    d->looks = !d->follow || m->n_blocks;
    bool *speed = hol_calloc(it->ctx, (size_t)m->n_equations, sizeof *speed);
    if (!speed) return HOL_ERR_MEMORY;
    for (int i = 0; i < d->users.n && !d->looks; i++) {
        const int k = d->users.order[i];
        const hol_equation *e = &m->equation[k];
        for (int j = 0; j < e->n_leaves; j++) speed[k] = speed[k] || takes_speed(&e->leaf[j], speed);
        d->looks = speed[k] && !hol_expr_is_plain(e->expr);
    }
    hol_free(speed);
    return HOL_OK;
}

#define ACROSS 0.25 // of a tolerance, seen
#define MUCH 0.05   // of the energy

// The last stage of a formula of order 2 is not the end of its step, and what the tolerance admits across stiff forces is in the rows
// with its energy. docs/theory.md, section 9.2.
static void tell_stiff(hol_integrator *it, rosenbrock *d)
{
    const hol_groups *g = it->norm.groups;
    double most = 0;
    if (!g || it->tolerance <= 0 || it->method->order > 2) return;
    const hol_evaluations count = it->s->count;
    hol_vibration_find(it, &d->x1, d->vector);
    d->needs_solve =
        hol_solve_accelerations(it->k, &it->x) != HOL_OK; // the factors are those of the start again
    it->s->count = count;
    hol_norm_pace(&it->norm, 0, it->x.q, it->x.v, it->x.v);
    for (int k = 0; k < g->n_islands; k++) {
        most = fmax(most, g->island[k].stiff / g->island[k].pace);
        g->island[k].stiff = 0; // its velocities are tested as others are
    }
    const double part = 0.5 * pow(ACROSS * most * it->asked, 2);
    if (part > MUCH)
        hol_note(it->ctx, HOL_WARNING,
                 "%s with tolerance %.3g: the vibrations of stiff forces may have %.2g times the energy of "
                 "the motion in the "
                 "results, by errors of positions that the tolerance admits; hht, bdf and joint_bdf let them "
                 "die out",
                 it->method->name, it->asked, part);
}

// Chart, stages, state, users' equations, and the table of the method.
hol_status hol_rosenbrock_create(hol_integrator *it, const hol_rosenbrock *table)
{
    static const double wrong[] = {1, 0.5, 0};
    rosenbrock *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    it->settles_between = it->method->order <= 2;
    d->table = table;
    d->option = it->option + hol_option_count(it->method->options);
    hol_status st = make_chart(it, d);
    if (!st) st = hol_state_create(it->s, &d->x1);
    if (!st) st = hol_state_create(it->s, &d->probe);
    if (!st) st = hol_stages_create(it->ctx, &d->chart, &d->stages);
    if (!st) st = make_room(it, d);
    if (!st) st = find_users(it, d);
    if (!st) st = find_looks(it, d);
    if (st) return st;
    it->control = hol_control_read(d->option + HOL_ROSENBROCK_CONTROL);
    d->stages.wrong = wrong[(int)d->option[HOL_ROSENBROCK_JACOBIAN].num];
    tell_stiff(it, d);
    return hol_rosenbrock_restart(it);
}

// Variables and forces by expressions from the motion there, where they follow from it: linear between steps they would be of
// order 2, and so would be their work.
hol_status hol_rosenbrock_interpolate(hol_integrator *it, double t, hol_state *out)
{
    const rosenbrock *d = it->data;
    hol_status st = hol_interpolate_quintic(it, t, out);
    if (st || !d->follow || !it->s->nz) return st;
    st = hol_explicit_evaluate(&d->users, it->s, out);
    if (st > 0) hol_interpolate_quintic(it, t, out);
    return st;
}

const char *hol_rosenbrock_chose(const hol_integrator *it)
{
    const hol_chart *c = &((const rosenbrock *)it->data)->chart;
    return c->implicit ? "tangent, sparse" : c->tangent ? "tangent, dense" : "partition, dense";
}

// A start from the present state; a chart is made anew if the state has left the old one. There is none in a singular pose, out of which
// another method may lead (passage.h).
hol_status hol_rosenbrock_restart(hol_integrator *it)
{
    rosenbrock *d = it->data;
    d->has_jacobian = false;
    hol_one_step_restart(&d->one);
    if (it->tolerance > 0) it->h = fmin(it->h_max, 1e-5 * it->s->m->time_scale);
    const bool moved = memcmp(d->chart.q, it->x.q, (size_t)it->s->nq * sizeof *it->x.q) != 0;
    const hol_status st =
        moved || it->s->nk || d->no_chart // the matrix of velocity constraints is that of the speed, too
            ? hol_chart_set(&d->chart, &it->x)
            : HOL_OK;
    d->no_chart = st > 0;
    return st > 0 ? HOL_OK : st;
}

// Frees all that create made, as far as it came.
void hol_rosenbrock_destroy(hol_integrator *it)
{
    rosenbrock *d = it->data;
    if (!d) return;
    hol_chart_destroy(&d->chart);
    hol_stages_destroy(&d->stages);
    hol_explicit_destroy(&d->users);
    hol_state_destroy(&d->x1);
    hol_state_destroy(&d->probe);
    hol_free(d->memory);
    hol_free(d);
}

hol_status hol_rosenbrock_rows_changed(hol_integrator *it)
{
    rosenbrock *d = it->data;
    hol_chart_destroy(&d->chart);
    d->has_jacobian = false;
    d->needs_solve = true;
    const hol_status st = make_chart(it, d);
    return st ? st : hol_stages_rows_changed(&d->stages);
}

// ---- one attempt ----------------------------------------------------------------------------------------------

static hol_status find_jacobian(hol_integrator *it, rosenbrock *d)
{
    const bool factors = d->needs_solve && hol_stages_need_factors(&d->stages);
    hol_status st = factors || it->s->nz ? hol_solve_accelerations(it->k, &it->x) : HOL_OK;
    if (!st) st = hol_stages_find(&d->stages, it->k, &it->x);
    if (st) return st;
    d->needs_solve = false;
    d->has_jacobian = true;
    return HOL_OK;
}

// (P a; X'), in first-order form (P v; P a; X').
static void take(const hol_integrator *it, rosenbrock *d, const hol_state *x, double *f)
{
    if (d->stages.first_order) {
        hol_chart_project(&d->chart, x->v, f);
        f += d->size;
    }
    hol_chart_project(&d->chart, x->a, f);
    for (int i = 0; i < it->s->nx; i++) f[d->size + i] = x->z[it->s->m->state[i].equation];
}

// Accelerations at (y, w, t) in the chart; x is that state, its users' states given. HOL_RECOVERABLE: no state, or none is determined.
static hol_status evaluate_at(hol_integrator *it, rosenbrock *d, hol_state *x, double t, const double *y,
                              const double *w, double *f)
{
    x->t = t;
    hol_status st = hol_chart_positions(&d->chart, x, y);
    if (!st) st = hol_chart_velocities(&d->chart, x, w);
    if (!st) st = hol_solve_accelerations(it->k, x);
    d->needs_solve = true; // the factors belong to this state
    if (!st && f) take(it, d, x, f);
    return st;
}

static hol_status evaluate(hol_integrator *it, rosenbrock *d, double t, const double *y, const double *w,
                           double *f)
{
    memcpy(d->x1.X, w + d->size, (size_t)it->s->nx * sizeof *w);
    return evaluate_at(it, d, &d->x1, t, y, w, f);
}

// The argument of stage i is that of the stage before: its f serves again.
static bool same_argument(const hol_rosenbrock *c, int i)
{
    if (i == 0 || c->alpha[i] != c->alpha[i - 1]) return false;
    for (int j = 0; j < i; j++)
        if (c->theta[i][j] != (j < i - 1 ? c->theta[i - 1][j] : 0) ||
            c->a[i][j] != (j < i - 1 ? c->a[i - 1][j] : 0))
            return false;
    return true;
}

// Where stage i is evaluated, into d->y and d->w.
static void stage_argument(rosenbrock *d, int i, double h)
{
    const hol_rosenbrock *c = d->table;
    const int m = d->m;
    if (d->stages.first_order) {
        for (int k = 0; k < m; k++) {
            d->y[k] = d->y0[k];
            for (int j = 0; j < i; j++) d->y[k] += c->a[i][j] * d->l[j * m + k];
        }
        return;
    }
    for (int k = 0; k < d->n; k++) {
        d->w[k] = d->w0[k];
        for (int j = 0; j < i; j++) d->w[k] += c->a[i][j] * d->l[j * m + k];
    }
    for (int k = 0; k < d->size; k++) {
        d->y[k] = c->alpha[i] * h * d->w0[k];
        for (int j = 0; j < i; j++) d->y[k] += h * c->theta[i][j] * d->l[j * m + k];
    }
}

// One stage of (9.3): f at its argument, then its linear system.
static hol_status stage(hol_integrator *it, rosenbrock *d, int i, double h)
{
    const hol_rosenbrock *c = d->table;
    const int m = d->m;
    const bool nystrom = !d->stages.first_order;
    double *f = d->f + i * m, *l = d->l + i * m;
    hol_status st = HOL_OK;
    stage_argument(d, i, h);
    if (i == 0)
        take(it, d, &it->x, f);
    else if (same_argument(c, i))
        memcpy(f, f - m, (size_t)m * sizeof *f);
    else
        st = evaluate(it, d, it->x.t + c->alpha[i] * h, d->y, d->w, f);
    if (st) return st;
    for (int k = 0; k < m; k++) {
        l[k] = h * f[k];
        for (int j = 0; j < i; j++) l[k] += c->c[i][j] * d->l[j * m + k];
    }
    for (int k = 0; k < m && nystrom; k++) { // r: what J1 is applied to
        d->r[k] = c->gammas[i] * h * h * d->w0[k];
        for (int j = 0; j < i; j++) d->r[k] += h * h * c->delta[i][j] * d->l[j * m + k];
    }
    return hol_stages_solve(&d->stages, c->gammas[i] * h, nystrom ? d->r : NULL, l);
}

// y, w += sum of the stages with weights of positions and velocities.
static void add_stages(rosenbrock *d, double h, const double *mu, const double *weight, double *y, double *w)
{
    const int m = d->m, first = m - d->n;
    for (int i = 0; i < d->table->stages; i++) {
        const double *l = d->l + i * m;
        for (int k = 0; k < d->size; k++) y[k] += first ? weight[i] * l[k] : h * mu[i] * l[k];
        for (int k = 0; k < d->n; k++) w[k] += weight[i] * l[first + k];
    }
}

// The stiff part of the velocities' error is not an error that stays.
static hol_status filter(rosenbrock *d)
{
    const int first = d->m - d->n;
    memcpy(d->r, d->ew - first, (size_t)d->m * sizeof *d->r);
    const hol_status st = hol_stages_solve(&d->stages, 0, NULL, d->r);
    for (int k = 0; k < d->n && !st; k++) d->ew[k] = d->r[first + k] / d->table->gamma;
    return st;
}

// New y, w and their errors.
static hol_status combine(rosenbrock *d, double h)
{
    const hol_rosenbrock *c = d->table;
    const bool first = d->stages.first_order;
    for (int k = 0; k < d->size; k++) d->y[k] = first ? 0 : h * d->w0[k];
    memcpy(d->w, d->w0, (size_t)d->n * sizeof *d->w);
    memset(d->ey, 0, (size_t)(d->size + d->n) * sizeof *d->ey);
    add_stages(d, h, c->mu, c->m, d->y, d->w);
    add_stages(d, h, c->emu, c->e, d->ey, d->ew);
    const double choice = d->option[HOL_ROSENBROCK_FILTER].num;
    const bool wanted = choice == 0 ? d->chart.tangent : choice == 1;
    return wanted && d->stages.wrong == 1 ? filter(d) : HOL_OK;
}

// An error in the chart and what it is compared with.
typedef struct {
    const double *error, *from, *to; // of the coordinates of the state space           (size)
    const double *before, *after;    // of all coordinates                              (nq)
    double rate;                     // of their natural sizes
} chart_error;

// Sum of squares of an error against atol + rtol max(|before|, |after|), over the chart's own coordinates or, in the tangent
// space, over all of them.
static double sum_of_all(const hol_integrator *it, const rosenbrock *d, const chart_error *e, int *count)
{
    const hol_chart *c = &d->chart;
    double sum = 0;
    *count = c->tangent ? it->s->nq : d->size;
    if (c->tangent) hol_chart_embed(c, e->error, d->vector);
    for (int k = 0; k < *count; k++) {
        const int i = c->tangent ? k : c->index[k];
        const double x = (c->tangent ? d->vector[i] : e->error[k]) /
                         hol_weight(it, it->size[i] * e->rate, e->before[i], e->after[i]);
        sum += x * x;
    }
    return sum;
}

// Negrut et al. 2003, (4) and (5), in the tangent space: the same over the coordinates of the state space, which N measures in
// natural sizes. The absolute part is the mean of those of all coordinates that move with it.
static double sum_of_chart(const hol_integrator *it, const rosenbrock *d, const chart_error *e, int *count)
{
    const int nq = it->s->nq;
    double sum = 0;
    *count = d->size;
    for (int k = 0; k < d->size; k++) {
        const double *column = d->chart.N + (size_t)k * (size_t)nq;
        double part = 0;
        for (int i = 0; i < nq; i++) {
            const double own = column[i] * it->size[i] / (it->s->q_size[i] * it->s->q_size[i]);
            part += own * own;
        }
        const double x = e->error[k] / hol_weight(it, sqrt(part) * e->rate, e->from[k], e->to[k]);
        sum += x * x;
    }
    return sum;
}

// Root mean square of an error in units of the tolerance. x1: users' states take part, NULL: they do not.
static double norm(const hol_integrator *it, const rosenbrock *d, const chart_error *e, const hol_state *x1)
{
    const bool published = d->chart.tangent && it->errors == HOL_ERRORS_PAPER;
    const int nq = it->s->nq, states = x1 ? it->s->nx : 0;
    int count;
    double sum = published ? sum_of_chart(it, d, e, &count) : sum_of_all(it, d, e, &count);
    for (int i = 0; i < states; i++) {
        const double size = hol_weight(it, it->size[nq + i], it->x.X[i], x1->X[i]);
        sum += e->error[d->size + i] * e->error[d->size + i] / (size * size);
    }
    return count + states ? sqrt(sum / (count + states)) / it->tolerance : 0;
}

// Of the worst body or state.
static double group_error(const hol_integrator *it, const rosenbrock *d)
{
    const hol_norm *z = &it->norm;
    const double *X0 = it->x.X;
    hol_norm_pace(z, 0, it->x.q, it->x.v, d->x1.v);
    hol_chart_embed(&d->chart, d->ey, d->vector);
    const double positions = hol_norm_positions(z, d->vector, it->x.q, d->x1.q);
    hol_chart_embed(&d->chart, d->ew, d->vector);
    const double rates = hol_norm_rates(z, d->vector);
    return fmax(fmax(positions, rates), hol_norm_states(z, d->ew + d->size, X0, d->x1.X));
}

// d->end: sum of h f_i less its linear prediction, which the stages before know, by their weights in the velocities, (9.8b).
static void find_bend(rosenbrock *d, double h)
{
    const hol_rosenbrock *c = d->table;
    const int m = d->m;
    memset(d->end, 0, (size_t)m * sizeof *d->end);
    for (int i = 1; i < c->stages; i++) {
        for (int k = 0; k < m && c->bend[i] != 0; k++) {
            double bend = h * (d->f[i * m + k] - d->f[k]);
            for (int j = 0; j < i; j++) {
                double slope =
                    d->l[j * m + k] / c->gamma - h * d->f[j * m + k]; // h J l_j and its part of f_t
                for (int p = 0; p < j; p++) slope -= c->c[j][p] * d->l[p * m + k];
                bend -= c->a[i][j] * slope;
            }
            d->end[k] += c->bend[i] * bend;
        }
    }
}

// Once more through the matrix of the stages: d->r.
static hol_status pass(rosenbrock *d)
{
    const hol_status st = hol_stages_solve(&d->stages, 0, NULL, d->r);
    for (int k = 0; k < d->m && !st; k++) d->r[k] /= d->table->gamma;
    return st;
}

// Of what is left of d->end, in units of the tolerance. d->ew is free once the error is known.
static hol_status bend_error(hol_integrator *it, rosenbrock *d, double h, double *error)
{
    const int first = d->m - d->n;
    double *e = d->vector, *damped = e + it->s->nq, *taken = damped + it->s->nq;
    hol_status st = HOL_OK;
    memcpy(d->r, d->end, (size_t)d->m * sizeof *d->r);
    for (int i = 0; i < PASSES && !st; i++) st = pass(d);
    memcpy(d->ew, d->r + first, (size_t)d->n * sizeof *d->ew);
    if (!st) st = pass(d);
    if (st) return st;
    const double *stays = d->r + first;
    for (int k = 0; k < d->n; k++) {
        d->ew[k] -= stays[k];
        d->end[first + k] -= stays[k];
    }
    hol_chart_embed(&d->chart, stays, e);
    hol_chart_embed(&d->chart, d->ew, damped);
    hol_chart_embed(&d->chart, d->end + first, taken);
    hol_norm_share(&it->norm, h, e, damped, taken);
    *error = hol_norm_rates(&it->norm, e);
    return HOL_OK;
}

// Stiff forces turn within a step, and the matrix of its start knows of that to first order only: what they leave in soft directions
// both formulas of the method have alike, so that their difference is no larger than the error, which adds up from step to step.
// Looked at where all of it would count.
static hol_status look_at_bend(hol_integrator *it, rosenbrock *d, double h, double *error)
{
    double bend = 0;
    hol_status st = HOL_OK;
    find_bend(d, h);
    hol_norm_pace(&it->norm, h, it->x.q, it->x.v, d->x1.v);
    hol_chart_embed(&d->chart, d->end + d->m - d->n, d->vector);
    if (hol_norm_rates(&it->norm, d->vector) > fmin(1, *error)) st = bend_error(it, d, h, &bend);
    hol_norm_pace(&it->norm, 0, it->x.q, it->x.v, d->x1.v);                  // other errors have no share
    if (!st) *error = fmax(*error, pow(bend, fmin(1, d->table->order / 3))); // of the third order in the step
    return st;
}

// What the velocities miss by (9.8a): against accelerations at both ends where the method is of order 2, against the way from y0 to y
// too where it is of order 4, each of the order of its error estimate.
static void find_defect(rosenbrock *d, double h)
{
    const bool way = d->table->order > 3;
    for (int k = 0; k < d->size; k++)
        d->defect[k] =
            way ? 6 / h * (d->y[k] - h / 2 * (d->w0[k] + d->w[k]) - h * h / 12 * (d->f[k] - d->end[k]))
                : d->w[k] - d->w0[k] - h / 2 * (d->f[k] + d->end[k]);
}

// d->ey += what the stages' matrix makes of a change of the velocities (d->ew). Both are free once the error is known.
static hol_status damp(rosenbrock *d)
{
    memcpy(d->r, d->ew, (size_t)d->n * sizeof *d->r);
    const hol_status st = hol_stages_solve(&d->stages, 0, NULL, d->r);
    for (int k = 0; k < d->size && !st; k++) d->ey[k] += d->r[k] / d->table->gamma;
    return st;
}

// d->ew: what is left of the defect by the matrix at the end, applied to d->ey: from accelerations there, moved by a little of it.
static hol_status apply_end(hol_integrator *it, rosenbrock *d, double t1, double h)
{
    const double lag = d->table->gamma * h;
    hol_chart_embed(&d->chart, d->ey, d->vector);
    const double part = NUDGE / fmax(hol_norm_rates(&it->norm, d->vector), DBL_MIN);
    memcpy(d->probe.X, d->x1.X, (size_t)it->s->nx * sizeof *d->probe.X);
    for (int k = 0; k < d->size; k++) {
        d->y[k] += part * lag * d->ey[k];
        d->w[k] += part * d->ey[k];
    }
    const hol_status st = evaluate_at(it, d, &d->probe, t1, d->y, d->w, d->r);
    for (int k = 0; k < d->size; k++) {
        d->y[k] -= part * lag * d->ey[k];
        d->w[k] -= part * d->ey[k];
        d->ew[k] = d->defect[k] - d->ey[k] + lag * (d->r[k] - d->end[k]) / part;
    }
    return st;
}

static double rate_error(const hol_integrator *it, rosenbrock *d, const double *e)
{
    hol_chart_embed(&d->chart, e, d->vector);
    return hol_norm_rates(&it->norm, d->vector);
}

// The error estimate is damped by the stiffness at the start (filter), which may be gone at the end: a body that a narrow strip
// of speed has held may be out of it. The velocities' defect knows that, damped by the stiffness at the end: (9.8a), solved with
// the matrix of the start. What that does not converge to counts in full.
static hol_status look_at_end(hol_integrator *it, rosenbrock *d, double t1, double h, double *error)
{
    hol_status st = HOL_OK;
    d->looked = false;
    take(it, d, &d->x1, d->end);
    find_defect(d, h);
    if (*error > 1 || !(rate_error(it, d, d->defect) > 1)) return HOL_OK;
    memset(d->ey, 0, (size_t)d->size * sizeof *d->ey);
    memset(d->ew, 0, (size_t)d->n * sizeof *d->ew);
    memcpy(d->ew, d->defect, (size_t)d->size * sizeof *d->ew);
    d->looked = true;
    for (int i = 0; i < TURNS && !st; i++) {
        st = damp(d);
        if (!st) st = apply_end(it, d, t1, h);
    }
    if (!st) *error = fmax(*error, rate_error(it, d, d->ey) + rate_error(it, d, d->ew));
    return st;
}

// Factors for this h, all stages, the new point and its error.
static hol_status attempt(hol_integrator *it, double t1, double h, double *error)
{
    rosenbrock *d = it->data;
    *error = 0;
    hol_status st = hol_stages_factor(&d->stages, h, d->table->gamma);
    for (int i = 0; i < d->table->stages && !st; i++) st = stage(it, d, i, h);
    if (!st) st = combine(d, h);
    if (!st) st = evaluate(it, d, t1, d->y, d->w, NULL);
    if (st || it->tolerance <= 0) return st;
    if (it->norm.groups) {
        *error = group_error(it, d);
        if (d->stages.wrong == 1) st = look_at_bend(it, d, h, error);
        if (st) return st;
        return d->looks ? look_at_end(it, d, t1, h, error) : HOL_OK;
    }
    const chart_error y = {d->ey, d->y0, d->y, it->x.q, d->x1.q, 1},
                      w = {d->ew, d->w0, d->w, it->x.v, d->x1.v, 1 / it->s->m->time_scale};
    *error = fmax(norm(it, d, &y, NULL), norm(it, d, &w, &d->x1));
    return HOL_OK;
}

// ---- steps ----------------------------------------------------------------------------------------------------

static hol_status fail(hol_integrator *it, rosenbrock *d, double h)
{
    return hol_stop(it, &d->x1, h, d->one.tried, "positions that satisfy the joints are not found",
                    "other `coordinates` of the method");
}

// The chart follows the accepted state; a partition that has worn out is chosen anew.
static hol_status move_chart(hol_integrator *it, rosenbrock *d)
{
    hol_chart *c = &d->chart;
    const int corrections = c->most_corrections;
    hol_status st = hol_chart_set(c, &it->x);
    c->most_corrections = corrections;
    if (!st && !hol_chart_is_worn(c)) return HOL_OK;
    st = hol_chart_choose(c, &it->x);
    if (st > 0) return hol_stop_without_coordinates(it);
    it->count.repartitions++;
    return st;
}

static hol_status accept(hol_integrator *it, rosenbrock *d)
{
    hol_integrator_advance(it, &d->x1);
    d->has_jacobian = false;
    d->needs_solve = d->looked; // else the last evaluation was this point
    return move_chart(it, d);
}

// From the velocities as coordinates of the chart to an accepted step, after which the chart is looked at.
hol_status hol_rosenbrock_step(hol_integrator *it, double t_stop)
{
    rosenbrock *d = it->data;
    double h = it->h;
    hol_status st = HOL_OK;
    if (d->no_chart) st = move_chart(it, d);
    if (st) return st;
    d->no_chart = false;
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    memcpy(d->x1.z, it->x.z, (size_t)it->s->nz * sizeof *d->x1.z);
    hol_chart_project(&d->chart, it->x.v, d->w0);
    memcpy(d->w0 + d->size, it->x.X, (size_t)it->s->nx * sizeof *d->w0);
    if (!st && !d->has_jacobian) st = find_jacobian(it, d);
    if (!st) st = hol_one_step_take(it, &d->one, d->table->order, t_stop, attempt, NULL, &h);
    return st > 0 ? fail(it, d, h) : st ? st : accept(it, d);
}

void hol_rosenbrock_archive(hol_integrator *it, hol_archive *a)
{
    rosenbrock *d = it->data;
    hol_one_step_archive(&d->one, a);
    hol_archive_flag(a, &d->needs_solve);
    hol_archive_flag(a, &d->no_chart);
    hol_chart_archive(&d->chart, a);
    hol_stages_archive(&d->stages, a);
    if (a->reading) d->has_jacobian = false;
}
