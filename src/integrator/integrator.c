// What all integrators share: creation, accepted steps, interpolation, the table's look-up.
#include "integrator/integrator.h"
#include "integrator/crossing.h"
#include "integrator/passage.h"
#include "integrator/twists.h"
#include "integrator/stop.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

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
        if (hol_same_name((*m)->name, name)) return (*m)->name;
    hol_nearest_start(&nearest, name);
    for (const hol_method *const *m = hol_methods; *m; m++) hol_nearest_try(&nearest, (*m)->name);
    return nearest.best;
}

bool hol_method_matrix_free(const hol_method *method, const hol_value *option, const hol_model_data *m)
{
    return (method->matrix_free && method->matrix_free(option)) ||
           (method->matrix_free_for && method->matrix_free_for(option, m));
}

enum { LARGE = 1000, TEXT = 2048 }; // bodies; characters of a message

bool hol_integrator_is_bare(const hol_integrator *it)
{
    return it->s->m->n_bodies >= LARGE && hol_method_matrix_free(it->method, it->option, it->s->m);
}

enum { ERRORS, RTOL, ATOL, ATOL_LENGTH, ATOL_ANGLE, ATOL_STATE };
const hol_option hol_tolerance_options[HOL_TOLERANCE_OPTIONS + 1] = {
    {"errors", HOL_CHOICE, "", 0, 0, 0, 0, "bodies|positions|all|paper",
     "what the error test looks at. bodies: the worst translation, rotation or state, the tolerance being "
     "that of the results, "
     "without velocities of stiff forces (bdf: unless their energy counts); positions: without all "
     "velocities; all: with "
     "those of stiff forces; paper: means over the "
     "coordinates, as published (rn4, ros2w: over those of the state space), the tolerance being that of a "
     "step, and no shorter steps where a motion grows"},
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

// size: room                                                                                       (2 nq + nx)
static void set_norm(hol_integrator *it, double *size)
{
    const hol_equations *s = it->s;
    it->norm = (hol_norm){s->nq, 2 * s->nq + s->nx, size, it->relative, it->tolerance, NULL};
    for (int i = 0; i < s->nq; i++) size[i] = it->size[i], size[s->nq + i] = it->size[i] / s->m->time_scale;
    for (int i = 0; i < s->nx; i++) size[2 * s->nq + i] = it->size[s->nq + i];
}

static const hol_value *tolerances_of(const hol_method *method, const hol_value *option)
{
    return option + hol_option_count(hol_method_table(method, 0)) +
           hol_option_count(hol_method_table(method, 1));
}

int hol_method_order(const hol_method *method, const hol_value *option)
{
    return method->order_of ? method->order_of(option) : method->order;
}

hol_errors hol_method_errors(const hol_method *method, const hol_value *option)
{
    return (hol_errors)tolerances_of(method, option)[ERRORS].num;
}

static bool has_groups(hol_errors errors) { return errors != HOL_ERRORS_PAPER; }

// Is the estimate that of the formula that goes on? One of order 1 has no lower one in it.
static bool is_own(const hol_method *method, int order) { return method->own_estimate || order == 1; }

// The power of a tolerance of results by which that of a step goes.
static double power_of(const hol_method *method, const hol_value *option)
{
    const int order = hol_method_order(method, option);
    const bool own = has_groups(hol_method_errors(method, option)) && is_own(method, order) && order > 0;
    return own ? (order + 1.0) / order : 1;
}

#define FINEST 1e-14 // tolerance of a step: smaller ones are errors of rounding

// The smallest tolerance of results that (5.14a) does not stop at that of a step; 0: every one.
static double finest(const hol_method *method, const hol_value *option)
{
    if (!has_groups(hol_method_errors(method, option)) || !method->divisor) return 0;
    return method->divisor * pow(FINEST, 1 / power_of(method, option));
}

double hol_method_tolerance(const hol_method *method, const hol_value *option, double tolerance)
{
    if (!has_groups(hol_method_errors(method, option)) || !method->divisor) return tolerance;
    return fmax(pow(tolerance / method->divisor, power_of(method, option)), fmin(FINEST, tolerance));
}

double hol_method_default_tolerance(const hol_method *method, const hol_value *option)
{
    const int order = hol_method_order(method, option);
    if (!has_groups(hol_method_errors(method, option))) return 0.1 * HOL_DEFAULT_TOLERANCE; // of a step
    return order == 1                           ? 100 * HOL_DEFAULT_TOLERANCE
           : order == 2 && method->own_estimate ? 10 * HOL_DEFAULT_TOLERANCE
                                                : HOL_DEFAULT_TOLERANCE;
}

// The tolerance of a kind in those of a step, T being that of the others; none given: `other`.
static double part_of(const hol_integrator *it, const hol_value *own, double T, double other)
{
    return own->given && T > 0 ? pow(own->num / T, power_of(it->method, it->option)) : other;
}

// How many tolerances of a step states may be wrong by whose errors do not add up, where there are any.  (5.14c)
static double find_forgotten(const hol_integrator *it, double T)
{
    const hol_model_data *m = it->s->m;
    bool any = false;
    for (int i = 0; i < m->n_states; i++) any = any || m->state[i].forgets;
    return any && T > 0 && it->method->divisor ? fmax(1, T / it->method->divisor / it->tolerance) : 1;
}

// Groups with what the tolerances of a kind admit.
static hol_status set_groups(hol_integrator *it, const hol_value *o, double T)
{
    const double part = part_of(it, &o[ATOL], T, 1);
    const hol_admitted a = {.length = o[ATOL_LENGTH].given ? o[ATOL_LENGTH].num / T : 0,
                            .power = power_of(it->method, it->option),
                            .angle = part_of(it, &o[ATOL_ANGLE], T, 0),
                            .part = part,
                            .state = part_of(it, &o[ATOL_STATE], T, part),
                            .forgotten = it->forgotten};
    return has_groups(it->errors) ? hol_groups_create(it->ctx, it->s->m, it->errors, &a, &it->norm.groups)
                                  : HOL_OK;
}

// The weights of the error norm in units of the tolerance T as given.
static hol_status set_weights(hol_integrator *it, double T)
{
    const hol_value *o = tolerances_of(it->method, it->option);
    const hol_equations *s = it->s;
    it->relative = part_of(it, &o[RTOL], T, 1);
    it->size = hol_calloc(it->ctx, (size_t)(3 * s->nq + 2 * s->nx), sizeof *it->size);
    if (!it->size) return HOL_ERR_MEMORY;
    const double atol = part_of(it, &o[ATOL], T, 1), states = part_of(it, &o[ATOL_STATE], T, atol);
    for (int i = 0; i < s->nq; i++) it->size[i] = atol * s->q_size[i];
    for (int i = 0; i < s->nx; i++)
        it->size[s->nq + i] = states * s->m->state[i].size * (s->m->state[i].forgets ? it->forgotten : 1);
    for (int k = 0; k < s->m->n_bodies && T > 0; k++)
        for (int i = 0; i < s->m->body[k].size; i++) {
            const hol_value *own = &o[hol_model_is_length(s->m, k, i) ? ATOL_LENGTH : ATOL_ANGLE];
            if (own->given) it->size[s->m->body[k].q + i] = part_of(it, own, T, 0);
        }
    set_norm(it, it->size + s->nq + s->nx);
    return set_groups(it, o, T);
}

static hol_status make_before(hol_integrator *it)
{
    const hol_status st = hol_state_create(it->s, &it->before);
    if (!st) hol_state_copy(it->s, &it->before, &it->x);
    return st;
}

#define LONG 2e4 // steps that are worth a warning
#define SHORTEST                                                                                             \
    3e-6 // of the time in which the model moves by its own size: below, rounding hides what a step does

// How fast the model moves by its own size, so that it becomes another motion [1/s]; 0: it begins at rest.
static double pace_of(const hol_integrator *it) { return hol_norm_turning(&it->norm, it->x.v, it->x.a); }

#define BRAKES                                                                                               \
    6 // a scheme of order 1 takes so small a part of T/d of the speed in the time of a turn by 1 rad
#define MUCH 0.05 // part of the energy that is worth a warning
#define WHOLE                                                                                                \
    100 // times by which the model moves by its own size: of longer ways the error may be above ten tolerances

// Errors of a scheme of order 1 brake what turns, all with one sign: n steps of tol take n tol of the speed, (5.14b).
static void tell_brake(const hol_integrator *it, double T, double times)
{
    const hol_method *m = it->method;
    const double lost = 1 - exp(-2 * times * T / (m->divisor * BRAKES));
    if (lost > MUCH)
        hol_note(
            it->ctx, HOL_WARNING,
            "%s with tolerance %.3g is of order 1 and brakes: of what turns as fast as the run begins, by "
            "%.2g rad, it may take %.0f %% of the energy; hht, of order 2, does not",
            m->name, T, times, 100 * lost);
}

// The tolerance is that of a motion by some ten times the model's size: errors of longer ones add up. way: times by which it moves, or has.
static void tell_way(hol_integrator *it, const char *what, double way)
{
    if (!it->norm.groups || it->asked <= 0 || !it->method->divisor || it->told_way) return;
    if (!(way > WHOLE) || !isfinite(way)) return;
    it->told_way = true;
    hol_note(
        it->ctx, HOL_NOTICE,
        "the model %s by %.2g times its own size in the run: errors add up, to %.2g tolerances of %.3g at "
        "its end where every step errs alike, and to %.2g where that is an error of speed, as of what "
        "spins",
        what, way, way / 10, it->asked, 0.01 * way * way);
}

void hol_integrator_tell_way(hol_integrator *it) { tell_way(it, "has moved", it->way); }

// Below the finest tolerance an order of more than 2 goes on, and is as right as with that.
static void tell_finest(const hol_integrator *it, double T)
{
    const double least = finest(it->method, it->option);
    if (T > 0 && T < least)
        hol_note(it->ctx, HOL_WARNING,
                 "%s with tolerance %.3g is right to %.2g and no better: rounding is more than what its "
                 "steps may be wrong by; rk and rn4 reach smaller ones",
                 it->method->name, T, least);
}

// A tolerance that an order of 1 or 2 makes long, or hopeless, is told before the first step: steps are about
// (T/10)^(1/p) of the time in which the model moves by its own size, and where it moves tol^(1/q), shorter, by an estimate of a lower power
// q of the step, with tol of (5.14a).
static hol_status check_order(const hol_integrator *it, double T)
{
    const hol_method *m = it->method;
    const int order = hol_method_order(m, it->option);
    const bool low = is_own(m, order) && order >= 1 && order <= 2;
    if (it->norm.groups && !low) tell_finest(it, T);
    if (!it->norm.groups || !low || T <= 0) return HOL_OK;
    const double part = pow(T / m->divisor, 1.0 / order), pace = pace_of(it),
                 times = it->end * fmax(pace, it->norm.groups->slowest);
    const int power = m->estimate_power ? m->estimate_power(it->option) : order + 1;
    const double steps =
        fmax(times / part, power > order ? 0 : it->end * pace / pow(it->tolerance, 1.0 / power));
    const double second = times / sqrt(T / m->divisor);
    const char *others = order > 1 ? "rk, bdf and rn4, of higher order, need far fewer" : "";
    char needs[100] = "";
    if (order == 1) hol_decimal_print(needs, sizeof needs, "hht, of order 2, about %.1g", second);
    const double least = fmax(finest(m, it->option), m->divisor * pow(SHORTEST, order));
    if (T < least)
        return hol_fail(
            it->ctx, HOL_ERR_USAGE,
            "%s: the tolerance %.3g is out of reach with order %d, as all below %.2g are: about %.1g "
            "steps, so short that rounding hides the accelerations; %s%s",
            m->name, T, order, least, steps, needs, others);
    if (steps > LONG)
        hol_note(it->ctx, HOL_WARNING,
                 "%s with tolerance %.3g is of order %d and may take about %.1g steps; %s%s", m->name, T,
                 order, steps, needs, others);
    if (order == 1) tell_brake(it, T, it->end * pace);
    return HOL_OK;
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
    const double T = steps->fixed > 0 ? 0 : steps->tolerance;
    it->errors = hol_method_errors(method, option);
    it->tolerance = T > 0 ? hol_method_tolerance(method, option, T) : 0;
    it->asked = it->errors == HOL_ERRORS_PAPER ? 0 : T;
    it->forgotten = find_forgotten(it, it->asked);
    it->h_max = it->h_asked = steps->fixed > 0 ? steps->fixed : steps->h_max;
    it->end = steps->end;
    it->longest = HOL_INF;
    it->again = it->brief_at = -HOL_INF;
    it->control = hol_control_usual;
    it->count.h_min = HOL_INF;
    it->x = *x;
    x->q = NULL;
    it->phi = hol_calloc(ctx, (size_t)(s->nc + s->nk) + 1, sizeof *it->phi);
    hol_status st = !it->phi ? HOL_ERR_MEMORY : matrix_free ? HOL_OK : make_before(it);
    it->norm = (hol_norm){s->nq, 2 * s->nq + s->nx, NULL, 1, 0, NULL};
    if (!st && (!matrix_free || T > 0)) st = set_weights(it, T);
    if (!st && !matrix_free && s->m->n_elements) {
        it->struggles = hol_calloc(ctx, (size_t)s->m->n_elements, sizeof *it->struggles);
        if (!it->struggles) st = HOL_ERR_MEMORY;
    }
    if (!st && (!matrix_free || s->m->n_events)) st = hol_kernel_need(k);
    if (!st) st = method->create(it);
    if (!st && matrix_free) st = make_before(it); // accelerations and multipliers are there now
    // what is told before the start looks at accelerations, which the first row has anyway; without them the first step says why
    if (!st && it->norm.groups && T > 0 && hol_integrator_complete(it) < 0) st = hol_context_status(ctx);
    if (!st) st = check_order(it, T);
    if (!st && it->norm.groups)
        tell_way(it, "moves, if it goes on as it begins,",
                 it->end * hol_norm_moving(&it->norm, it->x.v, it->x.v));
    if (!st) st = hol_passage_create(it, T, &it->passage);
    if (!st) st = hol_crossing_create(it, &it->crossing);
    if (!st) return it;
    hol_integrator_destroy(it);
    return NULL;
}

void hol_integrator_destroy(hol_integrator *it)
{
    if (!it) return;
    hol_passage_destroy(it->passage);
    hol_crossing_destroy(it->crossing);
    it->method->destroy(it);
    hol_state_destroy(&it->x);
    hol_state_destroy(&it->before);
    hol_free(it->size);
    hol_groups_destroy(it->norm.groups);
    hol_free(it->phi);
    hol_free(it->struggles);
    hol_free(it);
}

// Are fixed steps that the method does not find led along the branch of the motion?
static bool may_cross(const hol_integrator *it)
{
    return it->tolerance <= 0 && it->crossing && !it->method->open;
}

bool hol_integrator_leaves(hol_integrator *it)
{
    bool near = false;
    return may_cross(it) && !it->insists && !hol_crossing_sees(it, &near) && near;
}

// The method's step; anew where its state was mended.
static hol_status step(hol_integrator *it, double t_stop, double stop)
{
    hol_status st = it->mended ? hol_integrator_restart(it) : HOL_OK;
    if (st) return st > 0 ? hol_stop_without_coordinates(it) : st;
    return it->passage ? hol_passage_step(it, it->passage, t_stop, stop) : it->method->step(it, stop);
}

// A fixed step that the method has left.
static hol_status take_left(hol_integrator *it, double stop)
{
    const hol_status st = hol_crossing_step(it, stop);
    if (st <= 0 && st != HOL_ERR_INTEGRATION) return st;
    hol_context_clear(it->ctx);
    it->insists = true;
    const hol_status own = it->method->step(it, stop);
    it->insists = false;
    return own;
}

// A fixed step that the method has not found from its state at `reached`; its text stays if none is found next to a pose either.
static hol_status cross(hol_integrator *it, double stop, double reached)
{
    char text[TEXT];
    if (!may_cross(it)) return HOL_ERR_INTEGRATION;
    if (it->x.t > reached) hol_state_copy(it->s, &it->x, &it->before);
    hol_decimal_print(text, sizeof text, "%s", hol_context_error(it->ctx));
    hol_context_clear(it->ctx);
    const hol_status st = hol_crossing_step(it, stop);
    if (st <= 0 && st != HOL_ERR_INTEGRATION) return st;
    hol_context_clear(it->ctx);
    return hol_fail(it->ctx, HOL_ERR_INTEGRATION, "%s", text);
}

// What has the rate 0 stays to the last bit: a counter that events set is compared with whole numbers.
static void hold_still(const hol_integrator *it, hol_state *x)
{
    const hol_model_data *m = it->s->m;
    for (int i = 0; i < it->s->nx; i++) {
        const hol_equation *rate = &m->equation[m->state[i].equation];
        if (rate->expr && hol_expr_is_constant(rate->expr) && hol_expr_value(rate->expr) == 0)
            x->X[i] = it->before.X[i];
    }
}

hol_status hol_integrator_step(hol_integrator *it, double t_stop)
{
    const double stop = fmin(t_stop, it->x.t + it->longest), reached = it->x.t;
    it->limit = HOL_LIMIT_FIXED;
    it->stopped = HOL_STOPPED_NOT;
    it->carried = false;
    hol_status st = step(it, t_stop, stop);
    if (st > 0)
        st = take_left(it, stop);
    else if (st == HOL_ERR_INTEGRATION && !it->s->fatal)
        st = cross(it, stop, reached);
    if (it->s->fatal) return it->s->fatal; // user code has given up, whatever the method made of it
    if (st) return st;
    const double h = it->x.t - it->before.t;
    if (it->tolerance <= 0 && h < (1 - 1e-6) * it->h_max) it->limit = HOL_LIMIT_STOP; // a fixed step cut
    if (it->limit == HOL_LIMIT_STOP && t_stop < it->end) it->limit = HOL_LIMIT_EVENT;
    if (it->x.t == stop && stop < t_stop) it->limit = HOL_LIMIT_STABILITY;
    it->count.steps++;
    it->count.limited[it->limit]++;
    it->count.h_min = fmin(it->count.h_min, h);
    it->count.h_max = fmax(it->count.h_max, h);
    it->way_of_step = it->norm.groups ? h * hol_norm_moving(&it->norm, it->before.v, it->x.v) : 0;
    it->way += it->way_of_step;
    if (it->s->nx) hold_still(it, &it->x);
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
    st = it->method->rows_changed(it);
    return st || !it->passage ? st : hol_passage_rows_changed(it, it->passage);
}

hol_status hol_integrator_complete(hol_integrator *it)
{
    const bool own = !it->carried && !hol_integrator_is_led(it);
    return it->method->complete && own ? it->method->complete(it) : HOL_OK;
}

bool hol_integrator_is_led(const hol_integrator *it)
{
    return !it->carried && hol_passage_guide(it->passage) != NULL;
}

// Who has made the last step.
static hol_integrator *leader(hol_integrator *it)
{
    hol_integrator *guide = hol_passage_guide(it->passage);
    return guide ? guide : it;
}

// motion: positions and velocities alone are wanted.
static hol_status interpolate(hol_integrator *it, double t, bool motion, hol_state *out)
{
    hol_integrator *const by = leader(it);
    const hol_status st = it->carried ? hol_interpolate_hermite(it, t, out)
                          : motion && by->method->interpolate_motion
                              ? by->method->interpolate_motion(by, t, out)
                              : by->method->interpolate(by, t, out);
    if (it->s->nx && t < it->x.t) hold_still(it, out);
    if (it->twists) hol_twists_place(it->twists, it, out);
    return st;
}

hol_status hol_integrator_interpolate(hol_integrator *it, double t, hol_state *out)
{
    return interpolate(it, t, false, out);
}

hol_status hol_integrator_interpolate_motion(hol_integrator *it, double t, hol_state *out)
{
    return interpolate(it, t, true, out);
}

hol_status hol_integrator_close(hol_integrator *it, hol_state *x)
{
    it = leader(it);
    return it->method->close(it, x);
}

enum { MOST_TIMES = 8 }; // that steps from one point are taken back

bool hol_integrator_has_tried(const hol_integrator *it)
{
    return it->before.t == it->again && it->times >= MOST_TIMES;
}

hol_status hol_integrator_take_back(hol_integrator *it)
{
    if (it->before.t != it->again) it->times = 0;
    if (it->times < MOST_TIMES) it->times++;
    it->again = it->before.t;
    hol_state_copy(it->s, &it->x, &it->before);
    it->count.steps--;
    it->count.rejected++;
    it->count.limited[it->limit]--;
    it->way -= it->way_of_step;
    it->way_of_step = 0;
    return hol_integrator_restart(it);
}

void hol_integrator_carry(hol_integrator *it, double t)
{
    hol_state_copy(it->s, &it->before, &it->x);
    hol_state_carry_on(it->s, &it->before, t - it->x.t, &it->x);
    it->x.t = t;
    it->carried = true;
    it->limit = HOL_LIMIT_EVENT;
    it->count.steps++;
    it->count.limited[it->limit]++;
    hol_equations_remember(it->s, &it->x);
}

hol_status hol_integrator_mend(hol_integrator *it)
{
    hol_crossed how;
    const hol_status st = hol_crossing_of_step(it, &it->x, &how);
    if (st || how != HOL_CROSSED_TAKEN) return st;
    hol_crossing_bound(it->s, &it->x);
    hol_kernel_forget_accelerations(it->k);
    it->mended = true;
    return HOL_OK;
}

void hol_integrator_remember(hol_integrator *it)
{
    hol_equations_remember(it->s, &it->x);
    if (it->before.t == it->x.t)
        memcpy(it->before.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *it->x.mem);
}

hol_status hol_integrator_restart(hol_integrator *it)
{
    it->carried = false;
    it->clear = 0;
    hol_state_copy(it->s, &it->before, &it->x);
    if (it->passage) hol_passage_restart(it, it->passage);
    const hol_status st = it->method->restart(it);
    if (it->tolerance > 0 && it->x.t == it->brief_at) it->h = fmin(it->h, it->brief);
    it->mended = false;
    return st;
}

void hol_integrator_begin_briefly(hol_integrator *it, double t, double h)
{
    if (!(it->tolerance > 0)) return;
    it->brief = t == it->brief_at ? fmin(it->brief, h) : h;
    it->brief_at = t;
    it->h = fmin(it->h, h);
}

void hol_integrator_limit(hol_integrator *it, hol_limit limit)
{
    it->count.limited[it->limit]--;
    it->limit = limit;
    it->count.limited[it->limit]++;
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
    long *const counts[] = {&c->steps,        &c->rejected,     &c->corrector_failures, &c->newton_iterations,
                            &c->unconverged,  &c->repartitions, &c->loop_solves,        &c->loop_iterations,
                            &c->contractions, &c->passages,     &c->switchings};
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
    if (a->reading && !(it->before.t <= it->x.t && it->x.t <= it->end)) a->failed = true;
    for (int k = 0; it->norm.groups && k < it->norm.groups->n_islands; k++)
        hol_archive_number(a, &it->norm.groups->island[k].stiff, 0, DBL_MAX);
    hol_archive_number(a, &it->h, 0, DBL_MAX);
    HOL_ARCHIVE(a, it->error);
    hol_archive_number(a, &it->bare, 0, HOL_INF);
    hol_archive_number(a, &it->rough, -HOL_INF, DBL_MAX);
    hol_limit_archive(a, &it->limit);
    hol_archive_flag(a, &it->carried);
    hol_archive_flag(a, &it->mended);
    HOL_ARCHIVE(a, it->again);
    HOL_ARCHIVE(a, it->brief);
    HOL_ARCHIVE(a, it->brief_at);
    hol_archive_int(a, &it->times, 0, MOST_TIMES);
    archive_counters(&it->count, a);
    for (int i = 0; it->struggles && i < it->s->m->n_elements; i++)
        hol_archive_int(a, &it->struggles[i], 0, INT_MAX / 2);
    it->method->archive(it, a);
    if (it->passage) hol_passage_archive(it, it->passage, a);
    hol_kernel_archive(it->k, a);
    hol_equations_archive(it->s, a);
}

#define OPENS 1e-2     // part of the tolerance by which a result may open the joints
#define CLOSED 1e-10   // of the natural size: by which it may at any tolerance
#define ROUNDING 1e-12 // of the largest coordinate: joints hold no better

// The largest |Psi| by natural length and time, as the summary tells it.
static double rates_left(hol_integrator *it, const hol_state *x)
{
    hol_equations_rates(it->s, x, it->phi);
    double most = 0;
    for (int i = 0; i < it->s->nk; i++) most = hol_larger(fabs(it->phi[i]), most);
    return most / it->s->m->length_scale * it->s->m->time_scale;
}

bool hol_integrator_opens(hol_integrator *it, const hol_state *x, double *open)
{
    hol_equations *s = it->s;
    const double most = fmin(OPENS * it->tolerance, CLOSED);
    *open = 0;
    if (rates_left(it, x) > most) return true;
    hol_equations_residual(s, x, NULL, it->phi);
    *open = hol_equations_row_norm(s, it->phi, s->nc);
    return *open > fmax(most, 2 * it->open) &&
           *open > ROUNDING * fmax(1, hol_equations_coordinate_norm(s, x->q));
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

#define UNEVEN 10 // times as much bend as at the other end: a force jumps there

// The cubic through positions and velocities, and what the accelerations bend it by beside it: g0 s^2 (1-s)^3/2 + g1 s^3 (1-s)^2/2. Of
// smooth motions g0 and g1 are about as large; where a force jumps at one end of the step the other end speaks for both. Of a layer, in
// which they are not small against what the velocities say, the cubic knows more than accelerations.
hol_status hol_interpolate_quintic(hol_integrator *it, double t, hol_state *out)
{
    const hol_state *x0 = &it->before, *x1 = &it->x;
    const double h = x1->t - x0->t, s = h > 0 ? (t - x0->t) / h : 1;
    hol_interpolate_hermite(it, t, out);
    if (s >= 1 || s <= 0) return HOL_OK;
    for (int i = 0; i < it->s->nq; i++) {
        const double v0 = h * x0->v[i], v1 = h * x1->v[i], d = x1->q[i] - x0->q[i];
        const double c2 = 3 * d - 2 * v0 - v1, c3 = v0 + v1 - 2 * d;
        double g0 = h * h * x0->a[i] - 2 * c2, g1 = h * h * x1->a[i] - 2 * c2 - 6 * c3;
        if (fabs(g1) > UNEVEN * fabs(g0))
            g1 = g0;
        else if (fabs(g0) > UNEVEN * fabs(g1))
            g0 = g1;
        const double c4 = 1.5 * g0 - g1, c5 = 0.5 * (g1 - g0), bend = fabs(c4) + fabs(c5);
        const bool layer = bend > 0.5 * (fabs(v0) + fabs(v1)) && bend > 1e-9 * it->s->q_size[i];
        if (layer) g0 = g1 = 0;
        const double r = 1 - s, H0 = 0.5 * s * s * r * r * r, H1 = 0.5 * s * s * s * r * r;
        out->q[i] = x0->q[i] + s * (v0 + s * (c2 + s * c3)) + g0 * H0 + g1 * H1;
        if (it->method->order <= 2 && !layer) continue; // what its positions are wrong by would be velocities
        out->v[i] = (v0 + s * (2 * c2 + s * 3 * c3) + g0 * s * r * r * (1 - 2.5 * s) +
                     g1 * s * s * r * (1.5 - 2.5 * s)) /
                    h;
        out->a[i] =
            (2 * c2 + 6 * s * c3 + g0 * r * (1 - 8 * s + 10 * s * s) + g1 * s * (3 - 12 * s + 10 * s * s)) /
            (h * h);
    }
    return HOL_OK;
}
