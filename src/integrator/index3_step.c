// Steps of the index-3 family: fixed ones, and steps chosen by the local error. docs/theory.md, sections 5.4 and 5.5.
#include "integrator/index3_data.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define HIDDEN 1e-3 // of the accelerations: what rounding may hide
#define SHORT 0.1   // of the next step
#define DOUBT 0.1   // the same of what they change by in a step

enum { PATIENT = 2 }; // of the ways of a fixed step: those that take many corrections begin here

// By how much accelerations change from one state to another.
static double change_of(const hol_integrator *it, const hol_index3 *d, const double *from, const double *to)
{
    for (int i = 0; i < it->s->nq; i++) d->ws[i] = to[i] - from[i];
    return hol_index3_weighted(it, d, d->ws);
}

// The smallest step that means anything: below it the rounding of positions hides accelerations of natural size, or of the present size where
// that is larger (which is not trusted without bound), and what they change by in the step before or in the one that was tried.
static double smallest_step(const hol_integrator *it, const hol_index3 *d, double change)
{
    const double now = hol_index3_weighted(it, d, it->x.a),
                 seen = fmin(fmax(HIDDEN * fmax(1, now), DOUBT * change), 1e5);
    return fmax(16 * DBL_EPSILON * fabs(it->x.t), sqrt(DBL_EPSILON / (d->scheme.beta1 * seen)));
}

// The step from which on accelerations that rounding of positions hides change velocities by less than five times what the error test admits,
// which sees about a tenth of that. States whose errors do not add up keep steps short for a moment alone: what accelerations do then does not
// add up either.
static double harmless_step(const hol_integrator *it, const hol_index3 *d)
{
    const double v = it->forgotten * it->tolerance / it->s->m->time_scale; // by natural size
    return fmax(16 * DBL_EPSILON * fabs(it->x.t), 0.2 * DBL_EPSILON / (d->scheme.beta1 * v));
}

// Is a step too small to mean anything? rejected: by how much accelerations have changed in the one that was tried; 0: none was.
static bool has_collapsed(const hol_integrator *it, const hol_index3 *d, double h, double rejected)
{
    if (h >= smallest_step(it, d, 0) || h >= harmless_step(it, d)) return false;
    return h < smallest_step(it, d, rejected > 0 ? rejected : change_of(it, d, it->before.a, it->x.a));
}

// A step of given length: attempts with more and more matrices and simpler predictors.
static hol_status fixed_step(hol_integrator *it, hol_index3 *d, double t1, double h)
{
    const int max = (int)d->option[HOL_INDEX3_MAX_NEWTON].num, degree = d->degree;
    const bool every = d->option[HOL_INDEX3_JACOBIAN].num > 0,
               any = d->option[HOL_INDEX3_ACCEPT_UNCONVERGED].num > 0;
    const double delta = hol_equations_delta(it->s);
    const hol_way ways[] = {{HOL_MATRIX_KEPT, degree, max, delta},
                            {every ? HOL_MATRIX_EVERY_TIME : HOL_MATRIX_FRESH, degree, max, delta},
                            {HOL_MATRIX_EVERY_TIME, degree, 3 * max, delta},
                            {HOL_MATRIX_EVERY_TIME, 0, 3 * max, delta},
                            {HOL_MATRIX_EVERY_TIME, degree, 3 * max, HOL_KKT_DELTA}};
    if (h < smallest_step(it, d, 0) && it->count.steps == 0)
        return hol_fail(
            it->ctx, HOL_ERR_USAGE,
            "a step of %.3g s is too small: rounding of the positions would hide the accelerations below "
            "%.1g s",
            h, smallest_step(it, d, 0));
    for (int i = !every && hol_index3_matrix_is_good(d, h) ? 0 : 1; i < HOL_COUNT(ways); i++) {
        if (i == PATIENT && hol_integrator_leaves(it)) return HOL_RECOVERABLE;
        const hol_status st = hol_index3_attempt(it, d, t1, h, &ways[i]);
        if (st <= 0) return st;
        if (any && i > 0) {
            it->count.unconverged++;
            return HOL_OK;
        }
        it->count.corrector_failures++;
        hol_index3_blame(it, d, h);
    }
    return hol_index3_fail(it, d, h, true);
}

// Solves for a step of size h, with the kept matrix if it is good, else (or after a failure) with a fresh one.
static hol_status try_step(hol_integrator *it, hol_index3 *d, double t1, double h)
{
    const int max = (int)d->option[HOL_INDEX3_MAX_NEWTON].num;
    const double delta = hol_equations_delta(it->s);
    const bool every = d->option[HOL_INDEX3_JACOBIAN].num > 0;
    const hol_way kept = {HOL_MATRIX_KEPT, d->degree, max, delta},
                  fresh = {every ? HOL_MATRIX_EVERY_TIME : HOL_MATRIX_FRESH, d->degree, max, delta};
    if (!every && hol_index3_matrix_is_good(d, h)) {
        const hol_status st = hol_index3_attempt(it, d, t1, h, &kept);
        if (st <= 0) return st;
    }
    return hol_index3_attempt(it, d, t1, h, &fresh);
}

// Attempts with shorter steps until the error is accepted, (5.12) and (5.13).
static hol_status variable_step(hol_integrator *it, hol_index3 *d, double t_stop)
{
    bool newton = false; // has it failed?
    for (double rejected = 0;;) {
        hol_limit limit = d->why;
        const double h = hol_control_step(it->x.t, it->h, it->h_max, t_stop, &limit);
        const double t1 = limit == HOL_LIMIT_STOP ? t_stop : it->x.t + h;
        if (limit != HOL_LIMIT_STOP && has_collapsed(it, d, h, rejected))
            return hol_index3_fail(it, d, h, newton);
        hol_note_tried(d->tried, h);
        const hol_status st = try_step(it, d, t1, h);
        if (st < 0) return st;
        if (st) { // Newton: a quarter of the step, no history, no growth
            it->count.corrector_failures++;
            newton = true;
            hol_index3_blame(it, d, h);
            it->h = h / 4;
            d->why = HOL_LIMIT_FAILURE;
            d->degree = 0;
            d->held = true;
            continue;
        }
        const double motion = hol_index3_error(it, d, h), states = hol_index3_state_error(it, d, h);
        const double error = fmax(motion, states);
        const double factor = fmin(
            hol_control_factor(&it->control, motion, hol_index3_tests_first_order(it, d) ? 2 : 3, !d->held),
            hol_control_factor(&it->control, states, d->scheme.offset == 0 ? 2 : 3, !d->held));
        if (!(error <= 1)) {
            rejected = change_of(it, d, it->x.a, d->x1.a);
            it->count.rejected++;
            it->h = h * fmin(factor, 0.9);
            d->why = HOL_LIMIT_ERROR;
            if (d->degree > 0) d->degree--;
            d->held = true;
            const hol_status again = d->history.n == 1 && !d->knows_jerk ? hol_index3_start_w(it, d) : HOL_OK;
            if (again < 0) return again;
            d->x1.t = t1; // the start needs that state too: what was tried last is told if the step collapses
            continue;
        }
        it->error = error;
        it->limit = limit;
        d->held = false;
        // a step cut short by the end says nothing against the size that was wanted
        it->h = limit == HOL_LIMIT_STOP ? fmax(it->h, h * factor) : h * factor;
        if (factor > 1 || limit == HOL_LIMIT_STOP) d->why = HOL_LIMIT_ERROR;
        return HOL_OK;
    }
}

// The degree that would have predicted this step best, among the present one and its neighbours.
static void choose_degree(hol_integrator *it, hol_index3 *d)
{
    const int asked = (int)d->option[HOL_INDEX3_PREDICTOR].num, now = d->degree;
    if (asked >= 0) {
        d->degree = now < asked ? now + 1 : asked; // after trouble it comes back one by one
        return;
    }
    double best = HOL_INF;
    for (int k = now > 0 ? now - 1 : 0; k <= now + 1 && k < HOL_INDEX3_HISTORY && k < d->history.n; k++) {
        hol_index3_predict(d, it->x.t, k); // into the free trial state
        for (int i = 0; i < it->s->nq; i++) d->ws[i] = d->x1.a[i] - it->x.a[i];
        const double error = hol_index3_weighted(it, d, d->ws);
        if (error < best) {
            best = error;
            d->degree = k;
        }
    }
}

// The new point becomes the present one and part of the history.
static void accept(hol_integrator *it, hol_index3 *d)
{
    hol_integrator_advance(it, &d->x1);
    double *w = d->w0;
    d->w0 = d->w1;
    d->w1 = w;
    d->h_w = d->h_v = it->x.t - it->before.t;
    choose_degree(it, d);
    hol_index3_scale(it, d, &it->x);
    hol_history_push(&d->history, it->x.t, it->x.a);
}

// Behind a step that was cut much shorter than the next one will be: joints that are open at velocity level by what the longer step left
// make its accelerations wrong by that over h, and a third derivative from them by that over h^2. Velocities are put onto the joints,
// accelerations are those of the state, and the history begins here. docs/theory.md, section 5.4.
static hol_status begin_behind_short(hol_integrator *it, hol_index3 *d)
{
    const hol_equations *s = it->s;
    hol_status st = s->nc || s->nk ? hol_project_velocities(it->k, &it->x) : HOL_OK;
    if (!st) st = hol_solve_accelerations(it->k, &it->x);
    hol_index3_forget(it, d);
    d->degree = 0;
    if (!st) st = hol_index3_start_w(it, d);
    return st < 0 ? st : HOL_OK;
}

hol_status hol_index3_step(hol_integrator *it, double t_stop)
{
    hol_index3 *d = it->data;
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    hol_status st =
        it->tolerance > 0 ? variable_step(it, d, t_stop) : fixed_step(it, d, t_stop, t_stop - it->x.t);
    if (st) return st;
    accept(it, d);
    return it->tolerance > 0 && d->h_v < SHORT * it->h ? begin_behind_short(it, d) : HOL_OK;
}
