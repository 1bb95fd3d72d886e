// What all integrators share: creation, accepted steps, interpolation, the table's look-up.
#include "integrator/integrator.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

const hol_method *hol_method_find(const char *name)
{
    for (const hol_method *const *m = hol_methods; *m; m++)
        if (strcmp((*m)->name, name) == 0) return *m;
    return NULL;
}

const char *hol_method_suggest(const char *name)
{
    hol_nearest nearest;
    for (const hol_method *const *m = hol_methods; *m; m++)
        if (strcasecmp((*m)->name, name) == 0) return (*m)->name;
    hol_nearest_start(&nearest, name);
    for (const hol_method *const *m = hol_methods; *m; m++) hol_nearest_try(&nearest, (*m)->name);
    return nearest.best;
}

bool hol_method_matrix_free(const hol_method *method, const hol_value *option, const hol_model_data *m)
{
    return (method->matrix_free && method->matrix_free(option)) ||
           (method->matrix_free_for && method->matrix_free_for(option, m));
}

enum { RTOL, ATOL, ATOL_LENGTH, ATOL_ANGLE, ATOL_STATE };
const hol_option hol_tolerance_options[] = {
    {"rtol", HOL_NUMBER, "", HOL_NONE, 1e-12, 1, 0, NULL,
     "local error relative to a coordinate (newmark, hht, genalpha: to its largest value so far); default: "
     "the tolerance"},
    {"atol", HOL_NUMBER, "", HOL_NONE, 1e-14, 1, 0, NULL,
     "local error in natural sizes (length_scale, 1 rad); default: the tolerance"},
    {"atol_length", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "absolute local error of positions, instead of atol"},
    {"atol_angle", HOL_NUMBER, "rad", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "absolute local error of angles and Euler parameters, instead of atol"},
    {"atol_state", HOL_NUMBER, HOL_ANY_UNIT, HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "local error of users' states in units of their size, instead of atol"},
    HOL_END_OPTIONS};

const hol_option *hol_method_table(const hol_method *method, int k)
{
    static const hol_option none[] = {HOL_END_OPTIONS};
    const hol_option *const table[HOL_METHOD_TABLES] = {method->options, method->more_options,
                                                        hol_tolerance_options};
    return table[k] ? table[k] : none;
}

// The weights of the error norm in units of the tolerance.
static hol_status set_weights(hol_integrator *it)
{
    const hol_value *o = it->option + hol_option_count(hol_method_table(it->method, 0)) +
                         hol_option_count(hol_method_table(it->method, 1));
    const hol_equations *s = it->s;
    const double T = it->tolerance;
    it->relative = T > 0 && o[RTOL].given ? o[RTOL].num / T : 1;
    it->size = hol_calloc(it->ctx, (size_t)(s->nq + s->nx), sizeof *it->size);
    if (!it->size) return HOL_ERR_MEMORY;
    const double atol = T > 0 && o[ATOL].given ? o[ATOL].num / T : 1;
    const double states = T > 0 && o[ATOL_STATE].given ? o[ATOL_STATE].num / T : atol;
    for (int i = 0; i < s->nq; i++) it->size[i] = atol * s->q_size[i];
    for (int i = 0; i < s->nx; i++) it->size[s->nq + i] = states * s->m->state[i].size;
    for (int k = 0; k < s->m->n_bodies && T > 0; k++)
        for (int i = 0; i < s->m->body[k].size; i++) {
            const hol_value *own = &o[hol_model_is_length(s->m, k, i) ? ATOL_LENGTH : ATOL_ANGLE];
            if (own->given) it->size[s->m->body[k].q + i] = own->num / T;
        }
    return HOL_OK;
}

static hol_status make_before(hol_integrator *it)
{
    const hol_status st = hol_state_create(it->s, &it->before);
    if (!st) hol_state_copy(it->s, &it->before, &it->x);
    return st;
}

hol_integrator *hol_integrator_create(hol_context *ctx, const hol_method *method, hol_kernel *k, hol_state *x,
                                      const hol_value *option, const hol_steps *steps)
{
    hol_equations *s = k->s;
    const bool matrix_free = hol_method_matrix_free(method, option, s->m);
    hol_integrator *it = hol_calloc(ctx, 1, sizeof *it);
    if (!it) return NULL;
    it->method = method;
    it->ctx = ctx;
    it->s = s;
    it->k = k;
    it->option = option;
    it->h =
        steps->fixed > 0 ? steps->fixed : steps->h_max; // a method with error control chooses its first step
    it->tolerance = steps->fixed > 0 ? 0 : steps->tolerance;
    it->h_max = steps->fixed > 0 ? steps->fixed : steps->h_max;
    it->end = steps->end;
    it->control = hol_control_usual;
    it->count.h_min = HOL_INF;
    it->x = *x;
    x->q = NULL;
    hol_status st = matrix_free ? HOL_OK : make_before(it);
    if (!st && (!matrix_free || it->tolerance > 0)) st = set_weights(it);
    if (!st && !matrix_free && s->m->n_elements) {
        it->struggles = hol_calloc(ctx, (size_t)s->m->n_elements, sizeof *it->struggles);
        if (!it->struggles) st = HOL_ERR_MEMORY;
    }
    if (!st && (!matrix_free || s->m->n_events)) st = hol_kernel_need(k);
    if (!st) st = method->create(it);
    if (!st && matrix_free) st = make_before(it); // accelerations and multipliers are there now
    if (!st) return it;
    hol_integrator_destroy(it);
    return NULL;
}

void hol_integrator_destroy(hol_integrator *it)
{
    if (!it) return;
    it->method->destroy(it);
    hol_state_destroy(&it->x);
    hol_state_destroy(&it->before);
    hol_free(it->size);
    hol_free(it->struggles);
    hol_free(it);
}

hol_status hol_integrator_step(hol_integrator *it, double t_stop)
{
    it->limit = HOL_LIMIT_FIXED;
    hol_status st = it->method->step(it, t_stop);
    if (it->s->fatal) return it->s->fatal; // user code has given up, whatever the method made of it
    if (st) return st;
    const double h = it->x.t - it->before.t;
    if (it->tolerance <= 0 && h < (1 - 1e-6) * it->h_max) it->limit = HOL_LIMIT_STOP; // a fixed step cut
    if (it->limit == HOL_LIMIT_STOP && t_stop < it->end) it->limit = HOL_LIMIT_EVENT;
    it->count.steps++;
    it->count.limited[it->limit]++;
    it->count.h_min = fmin(it->count.h_min, h);
    it->count.h_max = fmax(it->count.h_max, h);
    hol_equations_remember(it->s, &it->x);
    return HOL_OK;
}

void hol_integrator_advance(hol_integrator *it, hol_state *x1)
{
    const hol_state old = it->before;
    memcpy(x1->mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *x1->mem);
    it->before = it->x;
    it->x = *x1;
    *x1 = old;
}

enum { WHOSE = 100 }; // length of "forces.pull"
#define POLE 1e-8     // of the time so far: what grows by its own size in less is at a pole

// Does a value grow by itself within POLE of the time so far?
static bool is_at_pole(double value, double rate, double t)
{
    return isfinite(value) && isfinite(rate) && value * rate > 0 && fabs(value) < POLE * t * fabs(rate);
}

// The expression that is at a pole: its value has grown so in the last step; of time alone, by its derivative.
static const hol_expr *pole_of(const hol_integrator *it, char whose[WHOSE])
{
    const hol_model_data *m = it->s->m;
    const hol_state *x = &it->x, *before = &it->before;
    const double h = x->t - before->t;
    for (int i = 0; i < m->n_equations && before->z && h > 0; i++) {
        const hol_equation *e = &m->equation[i];
        if (!e->expr || !is_at_pole(x->z[i], (x->z[i] - before->z[i]) / h, x->t)) continue;
        hol_decimal_print(whose, WHOSE, "%.*s", WHOSE - 1, e->path);
        return e->expr;
    }
    for (int i = m->n_bodies; i < m->n_elements; i++)
        for (int k = 0; k < m->element[i].n_inputs; k++) {
            const hol_expr *e = m->element[i].input[k].time;
            hol_real y[4] = {0};
            if (e) hol_expr_jet(e, x->t, y);
            if (!e || !is_at_pole(hol_re(y[0]), hol_re(y[1]), x->t)) continue;
            hol_decimal_print(whose, WHOSE, "forces.%.*s", WHOSE - 8, m->element[i].name);
            return e;
        }
    return NULL;
}

void hol_integrator_until(const hol_integrator *it, char text[HOL_UNTIL])
{
    char whose[WHOSE];
    int n = 0;
    text[0] = 0;
    if (!(it->x.t > 0)) return;
    const hol_expr *pole = pole_of(it, whose);
    if (pole)
        n = hol_decimal_print(text, HOL_UNTIL, "%s (\"%.150s\") grows without bound there, a pole; ", whose,
                              hol_expr_text(pole));
    hol_decimal_print(text + n, HOL_UNTIL - (size_t)n, "--end %.4g ends before that; ", 0.999 * it->x.t);
}

void hol_integrator_blame(hol_integrator *it, const double *r)
{
    int worst[HOL_BLAMED];
    double size[HOL_BLAMED];
    hol_equations_worst(it->s, r, HOL_BLAMED, worst, size);
    for (int i = 0; i < HOL_BLAMED; i++)
        if (worst[i] >= 0 && size[i] > 1e-3 * size[0]) it->struggles[worst[i]]++;
}

void hol_integrator_blamed(const hol_integrator *it, int element[HOL_BLAMED])
{
    for (int i = 0; i < HOL_BLAMED; i++) {
        element[i] = -1;
        int most = 0;
        for (int k = 0; it->struggles && k < it->s->m->n_elements; k++) {
            bool taken = false;
            for (int j = 0; j < i; j++) taken = taken || element[j] == k;
            if (taken || it->struggles[k] <= most) continue;
            most = it->struggles[k];
            element[i] = k;
        }
    }
}

hol_status hol_integrator_reselect(hol_integrator *it, const char *active)
{
    hol_state *const states[] = {&it->x, &it->before};
    hol_status st = hol_integrator_complete(it);
    if (!st) st = hol_kernel_reselect(it->k, active, states, 2);
    if (st) return st;
    it->count.repartitions++;
    return it->method->rows_changed(it);
}

hol_status hol_integrator_complete(hol_integrator *it)
{
    return it->method->complete ? it->method->complete(it) : HOL_OK;
}

hol_status hol_integrator_restart(hol_integrator *it)
{
    hol_state_copy(it->s, &it->before, &it->x);
    return it->method->restart(it);
}

void hol_limit_archive(hol_archive *a, hol_limit *limit)
{
    int which = (int)*limit;
    hol_archive_int(a, &which, 0, HOL_LIMITS - 1);
    if (!a->failed) *limit = (hol_limit)which;
}

// All of them go on counting, those for the statistics alone too.
static void archive_counters(hol_counters *c, hol_archive *a)
{
    long *const counts[] = {&c->steps,       &c->rejected,     &c->corrector_failures, &c->newton_iterations,
                            &c->unconverged, &c->repartitions, &c->loop_solves,        &c->loop_iterations,
                            &c->contractions};
    for (int i = 0; i < HOL_COUNT(counts); i++) hol_archive_counts(a, counts[i], 1);
    hol_archive_number(a, &c->contraction_log, -DBL_MAX, DBL_MAX);
    hol_archive_number(a, &c->contraction_max, 0, DBL_MAX);
    hol_archive_number(a, &c->h_min, 0, HOL_INF); // infinite before the first step
    hol_archive_number(a, &c->h_max, 0, DBL_MAX);
    hol_archive_counts(a, c->limited, HOL_LIMITS);
}

void hol_integrator_archive(hol_integrator *it, hol_archive *a)
{
    if (!a->reading) hol_integrator_complete(it);
    hol_state_archive(it->s, &it->x, a);
    hol_state_archive(it->s, &it->before, a);
    if (a->reading && !(it->before.t <= it->x.t && it->x.t < it->end)) a->failed = true;
    hol_archive_number(a, &it->h, 0, DBL_MAX);
    HOL_ARCHIVE(a, it->error);
    hol_limit_archive(a, &it->limit);
    archive_counters(&it->count, a);
    for (int i = 0; it->struggles && i < it->s->m->n_elements; i++)
        hol_archive_int(a, &it->struggles[i], 0, INT_MAX / 2);
    it->method->archive(it, a);
    hol_kernel_archive(it->k, a);
    hol_equations_archive(it->s, a);
}

hol_status hol_interpolate_hermite(hol_integrator *it, double t, hol_state *out)
{
    const hol_state *x0 = &it->before, *x1 = &it->x;
    const double h = x1->t - x0->t, s = h > 0 ? (t - x0->t) / h : 1, r = 1 - s;
    const double b0 = (1 + 2 * s) * r * r, b1 = s * r * r * h, b2 = s * s * (3 - 2 * s),
                 b3 = s * s * (s - 1) * h;
    hol_state_copy(it->s, out, x1); // memory and anything exact at the end
    out->t = t;
    if (s >= 1) return HOL_OK;
    for (int i = 0; i < it->s->nq; i++) {
        out->q[i] = b0 * x0->q[i] + b1 * x0->v[i] + b2 * x1->q[i] + b3 * x1->v[i];
        out->v[i] = b0 * x0->v[i] + b1 * x0->a[i] + b2 * x1->v[i] + b3 * x1->a[i];
    }
    for (int i = 0; i < it->s->n; i++) out->a[i] = r * x0->a[i] + s * x1->a[i]; // all unknowns
    for (int i = 0; i < it->s->nx; i++) {
        const int rate = it->s->m->state[i].equation;
        out->X[i] = b0 * x0->X[i] + b1 * x0->z[rate] + b2 * x1->X[i] + b3 * x1->z[rate];
    }
    return HOL_OK;
}

hol_status hol_interpolate_quintic(hol_integrator *it, double t, hol_state *out)
{
    const hol_state *x0 = &it->before, *x1 = &it->x;
    const double h = x1->t - x0->t, s = h > 0 ? (t - x0->t) / h : 1;
    hol_interpolate_hermite(it, t, out);
    if (s >= 1 || s <= 0) return HOL_OK;
    for (int i = 0; i < it->s->nq; i++) {
        const double c1 = h * x0->v[i], c2 = 0.5 * h * h * x0->a[i], d0 = x1->q[i] - x0->q[i] - c1 - c2,
                     d1 = h * x1->v[i] - c1 - 2 * c2, d2 = h * h * x1->a[i] - 2 * c2;
        const double c3 = 10 * d0 - 4 * d1 + 0.5 * d2, c4 = -15 * d0 + 7 * d1 - d2,
                     c5 = 6 * d0 - 3 * d1 + 0.5 * d2;
        // a layer: what the last terms add is not small against what the velocities say
        if (fabs(c4) + fabs(c5) > 0.5 * (fabs(h * x0->v[i]) + fabs(h * x1->v[i])) &&
            fabs(c4) + fabs(c5) > 1e-9 * it->s->q_size[i])
            continue;
        out->q[i] = x0->q[i] + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))));
        out->v[i] = (c1 + s * (2 * c2 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h;
        out->a[i] = (2 * c2 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5))) / (h * h);
    }
    return HOL_OK;
}
