// An instance: it is made of the resources, gets and gives numbers, and goes on in time.
#include "fmu/instance.h"
#include "model/model.h"
#include "model/subsystem.h"
#include "text/tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE = 2000 };
#define ROUNDING 1e-9 // of times that masters add up, a part of the time and the step

// ---- messages -------------------------------------------------------------------------------------------------

fmu_status fmu_fail(const fmu *f, const char *format, ...)
{
    char text[MESSAGE];
    va_list args;
    va_start(args, format);
    hol_decimal_vprint(text, sizeof text, format, args);
    va_end(args);
    f->tell(f, FMU_ERROR, "logStatusError", text);
    return FMU_ERROR;
}

fmu_status fmu_fail_as(const fmu *f) { return fmu_fail(f, "%s", hol_context_error(f->ctx)); }

static fmu_status fail_step(fmu *f)
{
    f->mode = FMU_FAILED;
    return fmu_fail_as(f);
}

static void log_message(void *user, hol_severity severity, const char *text)
{
    const fmu *f = user;
    if (f->logging) f->tell(f, severity == HOL_WARNING ? FMU_WARNING : FMU_OK, "logStatusWarning", text);
}

// ---- resources ------------------------------------------------------------------------------------------------

// The model that the lines of the index name, if their token is the one that the master has from the description.
static fmu_status load(fmu *f, const char *resources, const char *token, int n, const char *const *line)
{
    if (n < 2) return fmu_fail(f, "%s/%s is damaged", resources, HOL_FMU_INDEX);
    if (strcmp(line[0], token) != 0)
        return fmu_fail(
            f, "the token \"%.60s\" is not that of this FMU, %s: description and resources are of two", token,
            line[0]);
    const size_t size = strlen(resources) + strlen(line[1]) + 2;
    char *path = hol_calloc(f->ctx, size, 1);
    if (!path) return fmu_fail_as(f);
    snprintf(path, size, "%s/%s", resources, line[1]);
    f->token = hol_hash(HOL_HASH_START, token, strlen(token));
    f->base = f->model = hol_model_load(f->ctx, path, line + 2, n - 2);
    hol_free(path);
    return f->base ? FMU_OK : fmu_fail_as(f);
}

// By the lines of a text, which are ended in place.
static fmu_status load_by(fmu *f, const char *resources, const char *token, char *text)
{
    int n = 0;
    char *rest = NULL;
    const char **line = hol_calloc(f->ctx, strlen(text) / 2 + 1, sizeof *line); // none is empty
    if (!line) return fmu_fail_as(f);
    for (char *p = strtok_r(text, "\n", &rest); p; p = strtok_r(NULL, "\n", &rest)) line[n++] = p;
    const fmu_status st = load(f, resources, token, n, line);
    hol_free(line);
    return st;
}

// The index as a text, and the model by it.
static fmu_status read_index(fmu *f, const char *resources, const char *token)
{
    char *bytes = NULL, *path = hol_calloc(f->ctx, strlen(resources) + sizeof HOL_FMU_INDEX + 1, 1);
    size_t n = 0;
    if (!path) return fmu_fail_as(f);
    sprintf(path, "%s/%s", resources, HOL_FMU_INDEX);
    hol_status st = hol_text_read(f->ctx, path, &bytes, &n);
    char *text = st ? NULL : hol_calloc(f->ctx, n + 1, 1);
    if (text && n) memcpy(text, bytes, n);
    const fmu_status done = text ? load_by(f, resources, token, text) : fmu_fail_as(f);
    hol_free(text);
    hol_free(bytes);
    hol_free(path);
    return done;
}

// What is set at the start.
static void take_starts(fmu *f)
{
    for (int i = 0; i < f->list.n; i++) f->value[i] = f->list.variable[i].start;
    f->start = f->tolerance = 0;
    f->stop = HUGE_VAL;
    f->mode = FMU_INSTANTIATED;
}

// All that an instance has before the first call.
static fmu_status begin(fmu *f, const char *resources, const char *token)
{
    const fmu_status st = read_index(f, resources, token);
    if (st) return st;
    f->sim = hol_fmu_simulate(f->ctx, f->base, 0);
    if (!f->sim || hol_fmu_list_create(f->ctx, f->base, f->sim, &f->list)) return fmu_fail_as(f);
    f->value = hol_calloc(f->ctx, 2 * (size_t)f->list.n, sizeof *f->value);
    if (!f->value) return fmu_fail_as(f);
    f->begun = f->value + f->list.n;
    if (f->list.lacking)
        hol_note(f->ctx, HOL_NOTICE,
                 "there are no directional derivatives: the output \"%s\" has none by inputs",
                 f->list.lacking);
    take_starts(f);
    memcpy(f->begun, f->value, (size_t)f->list.n * sizeof *f->begun);
    return FMU_OK;
}

// A copy of what the master has given, with a context of its own.
fmu *fmu_create(const fmu *master, const char *resources, const char *token)
{
    hol_context *ctx = hol_context_create();
    fmu *f = ctx ? hol_calloc(ctx, 1, sizeof *f + strlen(master->name) + 1) : NULL; // its name behind it
    if (!f) {
        fmu_fail(master, "out of memory");
        hol_context_destroy(ctx);
        return NULL;
    }
    *f = *master;
    f->ctx = ctx;
    f->name = strcpy((char *)(f + 1), master->name);
    hol_context_set_log(ctx, log_message, f);
    if (begin(f, resources, token) == FMU_OK) return f;
    fmu_destroy(f);
    return NULL;
}

// Lists before the models that they tell of.
void fmu_destroy(fmu *f)
{
    hol_context *ctx = f->ctx;
    hol_simulation_destroy(f->sim);
    if (f->model != f->base) hol_model_destroy(f->model);
    hol_fmu_list_destroy(&f->list);
    hol_model_destroy(f->base);
    hol_free(f->value);
    hol_free(f);
    hol_context_destroy(ctx);
}

// ---- the simulation of what was set ---------------------------------------------------------------------------

// Start, stop and tolerance of the run; nothing is taken where one of them is refused.
fmu_status fmu_set_up(fmu *f, double start, double stop, bool has_tolerance, double tolerance)
{
    if (!(start >= 0) || isinf(start))
        return fmu_fail(f, "the start time is %g s: a model begins at 0 or later", start);
    if (!(stop > start)) return fmu_fail(f, "the stop time, %g s, is not after the start, %g s", stop, start);
    if (has_tolerance && !(tolerance > 0 && tolerance < 1))
        return fmu_fail(f, "the tolerance is %g: give a number above 0 and below 1", tolerance);
    if (!has_tolerance) tolerance = 0;
    if (has_tolerance && f->base->settings.step > 0)
        log_message(f, HOL_WARNING, "the model has fixed steps, which know no tolerance");
    f->stop = stop;
    if (f->start != start) f->stale = true;
    if (f->tolerance != tolerance) f->changed = true; // the simulation is made anew
    f->start = start;
    f->tolerance = tolerance;
    return FMU_OK;
}

static bool is_start(hol_fmu_kind kind)
{
    return kind == HOL_FMU_INPUT || kind == HOL_FMU_TUNABLE || kind == HOL_FMU_PARAMETER;
}

// Has an input or a parameter another value than in the list `from` has?
static bool differs(const fmu *f, const double *from)
{
    bool any = false;
    for (int i = 0; i < f->list.n; i++) any |= is_start(f->list.variable[i].kind) && f->value[i] != from[i];
    return any;
}

// The model that begins with what was set; NULL: an error. Inputs that follow parameters in the model keep the start that the description has,
// unless they are set.
static hol_model *find_model(fmu *f)
{
    int n = 0;
    bool any = false;
    hol_fixed *fixed = hol_calloc(f->ctx, (size_t)f->list.n, sizeof *fixed);
    for (int i = 0; fixed && i < f->list.n; i++) {
        const hol_fmu_variable *v = &f->list.variable[i];
        const bool set = is_start(v->kind) && f->value[i] != v->start;
        any |= set;
        if (set || (is_start(v->kind) && v->kind != HOL_FMU_PARAMETER))
            fixed[n++] = (hol_fixed){v->name, f->value[i], NULL};
    }
    hol_model *model = !fixed ? NULL : any ? hol_fmu_change(f->ctx, f->base, n, fixed) : f->base;
    hol_free(fixed);
    return model;
}

// Another model; what was there stays if it is none.
static bool make_anew(fmu *f)
{
    hol_model *model = find_model(f);
    hol_simulation *sim = model ? hol_fmu_simulate(f->ctx, model, f->tolerance) : NULL;
    if (!sim || hol_simulation_signals(sim) != hol_simulation_signals(f->sim)) {
        if (sim) hol_fail(f->ctx, HOL_ERR_USAGE, "with these parameters the model has other signals");
        hol_simulation_destroy(sim);
        if (model != f->base) hol_model_destroy(model);
        return false;
    }
    hol_simulation_destroy(f->sim);
    if (f->model != f->base) hol_model_destroy(f->model);
    f->model = model;
    f->sim = sim;
    memcpy(f->begun, f->value, (size_t)f->list.n * sizeof *f->begun);
    return true;
}

// Another simulation (NULL: an error) takes the place of the one that is there, from a snapshot on.
static bool replace(fmu *f, hol_simulation *other, const hol_snapshot *at)
{
    const bool good = other && hol_simulation_restore(other, at) == HOL_OK;
    hol_simulation_destroy(good ? f->sim : other);
    if (good) f->sim = other;
    return good;
}

// Where masters go on behind the end of the model, so does the simulation.
static bool reach(fmu *f, double t)
{
    const double end = f->sim->d->set.end;
    if (t <= end) return true;
    hol_snapshot *now = hol_simulation_save(f->sim);
    const bool good = now && replace(f, hol_fmu_longer(f->sim, t > 10 * end ? 2 * t : 10 * end), now);
    hol_snapshot_destroy(now);
    return good;
}

bool fmu_resume(fmu *f, double end, const hol_snapshot *at)
{
    if (f->sim->d->set.end == end) return hol_simulation_restore(f->sim, at) == HOL_OK;
    hol_simulation *first = hol_fmu_simulate(f->ctx, f->model, f->tolerance);
    if (!first || first->d->set.end == end) return replace(f, first, at);
    const bool good = replace(f, hol_fmu_longer(first, end), at);
    hol_simulation_destroy(first);
    return good;
}

// What was set is there at once, also what would go there in straight lines; what that makes due waits for fmu_update.
static bool jump(fmu *f)
{
    hol_drive *drive = &f->sim->d->drive;
    drive->holds = true;
    const hol_status st = hol_drive_jump(f->sim->d);
    drive->holds = false;
    return st == HOL_OK;
}

// At the start time; events at that time are to come.
static bool begin_there(fmu *f)
{
    const hol_state_view there = {.t = f->start};
    if (!(f->start > 0)) return true;
    if (!reach(f, 2 * f->start) || hol_simulation_set_state(f->sim, &there, NULL)) return false;
    hol_events_await(&f->sim->d->events);
    return true;
}

// The model anew where it begins with other values, for an equilibrium and what events wait for are by these; else the simulation from its start.
fmu_status fmu_settle(fmu *f)
{
    if (!f->stale && !f->changed) return FMU_OK;
    f->changed |= f->sim->d->set.end != f->model->settings.end; // it had been made longer
    f->changed |= differs(f, f->begun);
    if (f->changed ? !make_anew(f) : hol_simulation_reset(f->sim) != HOL_OK) return fmu_fail_as(f);
    f->changed = false;
    f->stale = true;
    if (!begin_there(f)) return fmu_fail_as(f);
    f->stale = false;
    return FMU_OK;
}

fmu_status fmu_begin(fmu *f)
{
    const fmu_status st = fmu_settle(f);
    if (st) return st;
    f->mode = f->event_mode ? FMU_EVENT : FMU_STEP;
    return f->event_mode || !hol_simulation_happen(f->sim) ? FMU_OK : fail_step(f);
}

fmu_status fmu_reset(fmu *f)
{
    f->changed |= f->tolerance > 0;
    f->stale = true;
    take_starts(f);
    return FMU_OK;
}

// ---- numbers --------------------------------------------------------------------------------------------------

double fmu_time(const fmu *f) { return f->mode < FMU_STEP ? f->start : hol_simulation_time(f->sim); }

fmu_status fmu_check_references(const fmu *f, size_t n, const unsigned *reference, const void *values)
{
    if (n && (!reference || !values)) return fmu_fail(f, "no list of %zu references and values is given", n);
    for (size_t i = 0; i < n; i++)
        if (reference[i] >= (unsigned)f->list.n)
            return fmu_fail(f, "there is no variable of value reference %u: the last one is %d", reference[i],
                            f->list.n - 1);
    return FMU_OK;
}

// Signals are evaluated once for all references.
fmu_status fmu_get(fmu *f, size_t n, const unsigned *reference, double *value)
{
    fmu_status st = fmu_check_references(f, n, reference, value);
    const double *signals = NULL;
    for (size_t i = 0; i < n && !st; i++) {
        const hol_fmu_variable *v = &f->list.variable[reference[i]];
        hol_parameter p = {0};
        if (is_start(v->kind)) {
            value[i] = f->value[reference[i]];
            continue;
        }
        if (v->kind == HOL_FMU_TIME) {
            value[i] = fmu_time(f);
            continue;
        }
        if (f->mode == FMU_INSTANTIATED)
            return fmu_fail(f, "\"%s\" is not known before the initialisation", v->name);
        st = fmu_settle(f);
        if (st) return st;
        if (v->kind == HOL_FMU_CALCULATED) {
            hol_parameter_of(f->model->data->spec, v->index, &p);
            value[i] = p.value.value;
        } else {
            if (!signals) signals = hol_simulation_values(f->sim);
            if (!signals) return fmu_fail_as(f);
            value[i] = signals[v->index];
        }
    }
    return st;
}

static fmu_status check_value(const fmu *f, const hol_fmu_variable *v, double value)
{
    if (!is_start(v->kind))
        return fmu_fail(f, "\"%s\" is neither an input nor a parameter: it cannot be set", v->name);
    if (v->kind == HOL_FMU_PARAMETER && f->mode >= FMU_STEP)
        return fmu_fail(f, "\"%s\" is fixed: it can be set before the end of the initialisation", v->name);
    return isfinite(value) ? FMU_OK
                           : fmu_fail(f, "\"%s\" is to be %g, which is no finite number", v->name, value);
}

// All of them, or none where one is refused.
fmu_status fmu_set(fmu *f, size_t n, const unsigned *reference, const double *value)
{
    fmu_status st = fmu_check_references(f, n, reference, value);
    for (size_t i = 0; i < n && !st; i++) st = check_value(f, &f->list.variable[reference[i]], value[i]);
    for (size_t i = 0; i < n && !st; i++) {
        const unsigned k = reference[i];
        const hol_fmu_variable *v = &f->list.variable[k];
        if (f->value[k] == value[i]) continue;
        if (f->mode >= FMU_STEP && hol_simulation_set_input(f->sim, v->index, value[i]))
            return fmu_fail_as(f);
        f->value[k] = value[i];
        f->stale |= f->mode < FMU_STEP;
    }
    return st || f->mode != FMU_EVENT || jump(f) ? st : fmu_fail_as(f);
}

// ---- time -----------------------------------------------------------------------------------------------------

// All that can be wrong is looked at before the simulation is touched.
fmu_status fmu_step(fmu *f, double t, double h)
{
    const double now = hol_simulation_time(f->sim), to = t + h;
    if (!(h > 0) || isinf(h)) return fmu_fail(f, "a step of %g s is asked for: give a positive number", h);
    if (!(fabs(t - now) <= ROUNDING * (fabs(now) + h)))
        return fmu_fail(f, "a step from t = %.9g s is asked for: the time reached is %.9g s", t, now);
    if (to > f->stop + ROUNDING * (fabs(to) + h))
        return fmu_fail(f, "a step to t = %.9g s is asked for: the stop time is %.9g s", to, f->stop);
    if (!(to > now))
        return fmu_fail(f, "a step of %g s at t = %.9g s is none in numbers of the machine", h, now);
    if (!reach(f, to)) return fail_step(f);
    f->sim->d->drive.halts = f->event_mode && f->early_return;
    if (hol_simulation_advance(f->sim, to)) return fail_step(f);
    if (f->sim->d->drive.halted)
        f->mode = FMU_DUE;
    else if (hol_simulation_time(f->sim) < to)
        f->mode = FMU_ENDED;
    return f->mode == FMU_ENDED ? FMU_DISCARD : FMU_OK;
}

fmu_status fmu_update(fmu *f, double *next)
{
    const hol_dynamics *d = f->sim->d;
    if (hol_simulation_happen(f->sim)) return fail_step(f);
    if (d->events.ended) f->mode = FMU_ENDED;
    *next = hol_events_next_time(&d->events, HUGE_VAL);
    return FMU_OK;
}

fmu_status fmu_enter_steps(fmu *f)
{
    if (hol_drive_is_due(f->sim->d))
        return fmu_fail(f, "an event is due at t = %.9g s: update discrete states before steps go on",
                        fmu_time(f));
    f->mode = FMU_STEP;
    return hol_simulation_happen(f->sim) ? fail_step(f)
                                         : FMU_OK; // shapes that meet are no events of a master
}
