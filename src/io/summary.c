// What a result says about its run beside the motion: notes for attributes of files, and lines of text for people.
#include "io/summary.h"
#include "analysis/statistics.h"
#include "base/file.h"
#include "io/glossary.h"

#include <stdio.h>
#include <string.h>

// Words in the lines below, and in those of the program's `run`, that a reader may ask `holonom elements` for.
const char *const hol_summary_words[] = {"method",
                                         "chosen",
                                         "order",
                                         "tolerance",
                                         "steps",
                                         "rejected",
                                         "fixed",
                                         "Newton iterations",
                                         "open",
                                         "natural size",
                                         "energy",
                                         "work",
                                         "event",
                                         "failed attempts",
                                         "residual",
                                         "stiff",
                                         "largest stable step",
                                         "omega_max",
                                         "loops",
                                         "eps",
                                         "iterate",
                                         "regularization",
                                         "multipliers",
                                         "eigenvalue",
                                         "constraint",
                                         "redundant",
                                         "singular pose",
                                         "state",
                                         "variable",
                                         "stability",
                                         "error",
                                         "contacts",
                                         "onset",
                                         NULL};

enum { MOST_MODEL_TEXT = 1 << 20 }; // [B]

// ---- before the run -------------------------------------------------------------------------------------------

const char *hol_model_text(hol_arena *arena, const hol_spec *spec)
{
    char why[160]; // a pipe has been read to its end
    if (spec->text) return spec->text;
    FILE *file = strcmp(spec->file, "-") == 0
                     ? NULL
                     : hol_open_input(spec->file, false, MOST_MODEL_TEXT, why, sizeof why);
    if (!file) return "";
    char *text = hol_arena_alloc(arena, MOST_MODEL_TEXT + 1, 1);
    const size_t n = text ? fread(text, 1, MOST_MODEL_TEXT + 1, file) : 0;
    const bool good = text && !ferror(file) && n <= MOST_MODEL_TEXT && !memchr(text, 0, n);
    fclose(file);
    return !text || good ? text : "";
}

void hol_model_hash_text(const hol_spec *spec, char text[HOL_MODEL_HASH])
{
    snprintf(text, HOL_MODEL_HASH, "%016llx %016llx", spec->hash, spec->drawn);
}

hol_status hol_result_add_model(hol_result_data *out, const hol_model_data *m, const char *method)
{
    const hol_spec *spec = m->spec;
    const char *text = hol_model_text(out->arena, spec);
    char hash[HOL_MODEL_HASH];
    hol_model_hash_text(spec, hash);
    hol_status st = text ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) st = hol_result_add_note(out, "title", m->title ? m->title : spec->file);
    if (!st) st = hol_result_add_note(out, "source", "holonom " HOL_VERSION);
    if (!st) st = hol_result_add_note(out, "method", method);
    if (!st) st = hol_result_add_note(out, "model_file", spec->file);
    if (!st && *text) st = hol_result_add_note(out, "model_text", text);
    if (!st) st = hol_result_add_note(out, "model_hash", hash);
    for (int i = 0; i < spec->n_overrides && !st; i++)
        st = hol_result_add_note(out, "set", spec->override[i]);
    out->r.title = hol_result_note(&out->r, "title");
    return st;
}

hol_origin hol_result_origin(const hol_result *r, const hol_spec *spec)
{
    const char *then = hol_result_note(r, "model_hash"), *source = hol_result_note(r, "source");
    char now[HOL_MODEL_HASH];
    hol_model_hash_text(spec, now);
    if (!then || !source || strcmp(source, "holonom " HOL_VERSION) != 0 || strcmp(then, now) == 0)
        return HOL_OF_THIS_MODEL;
    return strncmp(then, now, 16) == 0 ? HOL_OF_OTHER_SHAPES : HOL_OF_ANOTHER_MODEL;
}

bool hol_result_remark(const hol_result *r, const hol_spec *spec, char text[HOL_REMARK])
{
    if (hol_result_origin(r, spec) != HOL_OF_ANOTHER_MODEL) return false;
    snprintf(text, HOL_REMARK,
             "%.250s was made by another model than %.250s is now: its motion is drawn with the bodies and "
             "joints of this one",
             r->file, spec->file);
    return true;
}

int hol_run_notes(const hol_dynamics *d, hol_arena *arena, hol_run_note out[HOL_RUN_NOTES])
{
    const hol_spec *spec = d->m->spec;
    const char *set = "";
    for (int i = 0; i < spec->n_overrides && set; i++)
        set = hol_arena_print(arena, "%s%s%s", set, i ? "\n" : "", spec->override[i]);
    if (!set) return 0;
    const char *text = hol_model_text(arena, spec);
    char *hash = hol_arena_alloc(arena, HOL_MODEL_HASH, 1);
    int n = 0;
    if (!text || !hash) return 0;
    hol_model_hash_text(spec, hash);
    out[n++] = (hol_run_note){"title", d->m->title ? d->m->title : spec->file, 0};
    out[n++] = (hol_run_note){"source", "holonom " HOL_VERSION, 0};
    out[n++] = (hol_run_note){"method", d->set.method->name, 0};
    out[n++] = d->set.step > 0 ? (hol_run_note){"step", NULL, d->set.step}
                               : (hol_run_note){"tolerance", NULL, d->set.tolerance};
    out[n++] = (hol_run_note){"model_file", spec->file, 0};
    if (*text) out[n++] = (hol_run_note){"model_text", text, 0};
    out[n++] = (hol_run_note){"model_hash", hash, 0};
    if (*set) out[n++] = (hol_run_note){"set", set, 0};
    return n;
}

// ---- after it -------------------------------------------------------------------------------------------------

typedef struct {
    char *text;
    size_t size, n;
    bool full;
} lines;

// A line that does not fit is left out with those behind it.
static void line(lines *o, const char *format, ...) HOL_PRINTF(2, 3);
// Adds a line of text, as far as there is room.
static void line(lines *o, const char *format, ...)
{
    va_list list;
    if (o->full) return;
    va_start(list, format);
    const int n = hol_decimal_vprint(o->text + o->n, o->size - o->n, format, list);
    va_end(list);
    o->full = n < 0 || (size_t)n + 1 >= o->size - o->n;
    if (!o->full) {
        o->n += (size_t)n;
        o->text[o->n++] = '\n';
    }
    o->text[o->n] = 0;
}

// Method, tolerance, number and length of the steps, and what limited them.
static void tell_steps(lines *o, const hol_dynamics *d, const hol_statistics *s)
{
    char form[160] = "", limits[300];
    if (s->chosen) snprintf(form, sizeof form, " (%s)", s->chosen);
    if (s->tolerance > 0)
        line(o, "method: %s%s, tolerance %.3g", s->method, form, s->tolerance);
    else
        line(o, "method: %s%s, fixed steps of %.6g s", s->method, form, d->set.step);
    if (*s->defaults) line(o, "chosen: %s", s->defaults);
    if (s->time < s->end)
        line(o, "time: 0 .. %.6g s of %.6g s", s->time, s->end);
    else
        line(o, "time: 0 .. %.6g s", s->time);
    if (s->tolerance > 0)
        line(o, "steps: %ld (%ld rejected), %.2g .. %.2g s", s->steps, s->rejected, s->h_min, s->h_max);
    else
        line(o, "steps: %ld", s->steps);
    hol_limits_text(s, limits, sizeof limits);
    if (*limits) line(o, "length of the steps limited by: %s", limits);
    if (s->steps && s->newton_iterations)
        line(o, "Newton iterations: %.2f per step", (double)s->newton_iterations / (double)s->steps);
}

// What went wrong on the way: failed attempts, residuals, choices of rows.
static void tell_trouble(lines *o, const hol_dynamics *d, const hol_statistics *s)
{
    if (s->corrector_failures) line(o, "failed attempts: %ld", s->corrector_failures);
    for (int i = 0; i < 3 && s->struggled[i]; i++) line(o, "large residuals: %s", s->struggled[i]);
    hol_statistic one;
    for (int i = 0; hol_statistic_of(d, i, &one); i++)
        if (one.remark && one.value > 0) line(o, "%s: %.0f", one.remark, one.value);
    if (s->stiff_step > 0)
        line(o, "stiff: the step is held at %.2g s by %s, not by the error; %s takes far longer ones",
             s->stiff_step, s->stiff_cause, s->stiff_instead);
    if (s->stable_step > 0)
        line(o, "largest stable step: %.5g s at the start (omega_max %.6g rad/s)", s->stable_step,
             s->omega_max);
}

static void tell_loops(lines *o, const hol_statistics *s)
{
    if (s->srm_eps <= 0) return;
    line(o, "loops: eps %.3g, open by %.1e, by %.1e in velocity; last two iterates differ by %.1e",
         s->srm_eps, s->srm_drift, s->srm_rate, s->srm_estimate);
    line(o, "regularization dissipated: %.3g J", s->srm_dissipated);
}

void hol_violations_text(const hol_statistics *s, char *text, size_t size)
{
    if (!text || size == 0) return;
    *text = 0;
    if (!s || !s->position_violation_joint) return;
    char rows[48] = "";
    if (s->max_row_violation > s->max_position_violation)
        hol_decimal_print(rows, sizeof rows, ", in rows between steps %.1e", s->max_row_violation);
    hol_decimal_print(text, size, "%.1e of the model's size (%.200s, %.60s)%s", s->max_position_violation,
                      s->position_violation_joint, s->position_violation_direction, rows);
}

void hol_summary_text(const hol_dynamics *d, char *text, size_t size)
{
    lines o = {.text = text, .size = size};
    const hol_statistics *s = &d->stats;
    *text = 0;
    if (s->status)
        line(&o, "stopped: %.800s", hol_context_error(d->ctx));
    else if (s->ended_by)
        line(&o, "ended by event: %s", s->ended_by);
    tell_steps(&o, d, s);
    if (s->position_violation_joint) {
        char open[400];
        hol_violations_text(s, open, sizeof open);
        line(&o, "joints open by at most: %s, velocities by %.1e", open, s->max_velocity_violation);
    }
    if (d->m->nk) line(&o, "velocity constraints held to: %.1e", s->max_rate_violation);
    line(&o, "energy at the start: %.6g J", s->energy_start);
    line(&o,
         strcmp(s->method, "kinematics") == 0 ? "the work of drivers is summed to: %.3g J" // poses are exact
                                              : "energy lost or made by errors: at most %.3g J",
         s->energy_drift_max);
    char contacts[300];
    hol_contacts_text(s, contacts, sizeof contacts);
    if (*contacts) line(&o, "contacts: %s", contacts);
    tell_trouble(&o, d, s);
    tell_loops(&o, s);
}
