// What `check` warns of: what will hurt a run, or looks like a slip of the pen. A warning more is a function and a row
// of `rows`.
#include "analysis/warnings.h"
#include "analysis/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ALIKE = 3, MOST = 40, MOST_TOLD = 5 };
#define MANY_STEPS 1e5   // of an explicit method, for stability alone: hours for a large model
#define MASSES_APART 1e9 // ratio of masses, of inertias: sums of the two keep 7 digits of the small one
#define LENGTHS_APART 1e6
#define ROUNDING 1e-10 // of the largest length: shorter ones are rounding of a formula
#define INERTIA_OFF 1e4
#define LEAST_GRAVITY 1.0
#define MOST_GRAVITY 30.0 // [m/s^2]
#define LARGEST_TOLERANCE 0.1
#define MOST_ROWS 1e7
#define SHORT 0.01 // of the run: pulses that last less may lie between two steps
#define JUMP 1e-6  // of the natural size

typedef struct {
    hol_context *ctx;
    const hol_model_data *m;
    const hol_settings *set;
    hol_fastest fastest;
    hol_warnings *out;
    const char *name; // of the row that looks
    int alike;        // warnings of this row so far
    bool lost;        // no memory
} facts;

// A line end in the format stands between what is the case and what comes of it, which the short form leaves away.
static void warn(facts *f, const char *format, ...) HOL_PRINTF(2, 3);
// Adds a warning, up to some of a kind; what stands behind the line break belongs to the long form only.
static void warn(facts *f, const char *format, ...)
{
    char text[1000];
    va_list args;
    if (f->out->n == MOST || f->alike++ == MOST_ALIKE) return;
    va_start(args, format);
    hol_decimal_vprint(text, sizeof text, format, args);
    va_end(args);
    const size_t brief = strcspn(text, "\n"), rest = brief + (text[brief] == '\n');
    const char *kept = hol_arena_print(f->out->arena, "%.*s%s", (int)brief, text, text + rest),
               *cut = hol_arena_copy(f->out->arena, text, brief);
    f->lost = f->lost || !kept || !cut;
    if (f->lost) return;
    f->out->brief[f->out->n] = cut;
    f->out->warning[f->out->n++] = (hol_warning){f->name, kept};
}

// ---- functions of time ----------------------------------------------------------------------------------------

// An expression, what it gives, and whether that is a prescribed motion with the natural size `size`.
typedef void see_fn(facts *f, const char *what, const hol_expr *e, double size);

static void see_motion(facts *f, const hol_marker_info *k, see_fn *see)
{
    const hol_motion *motion = k->marker.frame == HOL_FRAME_MOVING ? hol_marker_motion(&k->marker) : NULL;
    if (!motion) return;
    for (int i = 0; i < 3; i++)
        if (motion->position[i]) see(f, k->name, motion->position[i], f->m->length_scale);
    if (motion->angle) see(f, k->name, motion->angle, 1);
}

// Users' equations, drivers, motions of ground markers, forces of time. Those of constraints are their elements' own.
static void each_expression(facts *f, see_fn *see)
{
    const hol_model_data *m = f->m;
    for (int i = 0; i < m->n_equations; i++)
        if (m->equation[i].expr) see(f, m->equation[i].name, m->equation[i].expr, 0);
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        for (int k = 0; k < e->n_inputs; k++)
            if (e->input[k].time) see(f, e->name, e->input[k].time, 0);
        if (e->type->phi != hol_prims_phi) continue;
        const hol_prims *list = e->data;
        for (int k = 0; k < list->n; k++)
            if (list->p[k].set)
                see(f, e->name, list->p[k].set, hol_prim_is_length(&list->p[k]) ? m->length_scale : 1);
    }
    for (int i = m->ground_marker; i < m->n_markers; i++) see_motion(f, &m->marker[i], see);
}

// Notes a place where a derivative jumps, with its first times.
static void list_kink(facts *f, const char *what, const hol_kink *k)
{
    char times[200] = "";
    int n = 0;
    for (int i = 0; i < k->n_times && i < 4; i++)
        n += hol_decimal_print(times + n, sizeof times - (size_t)n, "%s%.6g",
                               i ? ", " : ", at t = ", k->time[i]);
    if (k->n_times)
        hol_decimal_print(times + n, sizeof times - (size_t)n, "%s s", k->n_times > 4 ? ", .." : "");
    const char *text = hol_arena_print(f->out->arena, "%s in %s, line %d, column %d%s", k->function, what,
                                       k->at.line, k->at.col, times);
    f->lost = f->lost || !text;
    if (text) f->out->kink[f->out->n_kinks++] = text;
}

static void count_kinks(facts *f, const char *what, const hol_expr *e, double size)
{
    hol_kink k[HOL_KINKS_LISTED];
    const int room = HOL_KINKS_LISTED - f->out->n_kinks,
              n = hol_expr_kink_places(f->ctx, e, f->set->end, room, k);
    (void)size;
    f->out->kinks += n;
    for (int i = 0; i < n && i < room; i++) list_kink(f, what, &k[i]);
}

// All times at which functions of an expression have their kinks, in order. The caller frees them.
static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Times in the run at which a function of time has kinks.
static double *times_of(facts *f, const hol_expr *e, int *count)
{
    const int kinks = hol_expr_is_of_time(e) ? hol_expr_kinks(e) : 0;
    *count = 0;
    if (!kinks || f->set->end <= 0) return NULL;
    hol_kink *k = hol_calloc(f->ctx, (size_t)kinks, sizeof *k);
    double *t = hol_calloc(f->ctx, (size_t)kinks * HOL_KINK_TIMES, sizeof *t);
    f->lost = f->lost || !k || !t;
    if (k && t) {
        hol_expr_kink_places(f->ctx, e, f->set->end, kinks, k);
        for (int i = 0; i < kinks; i++)
            for (int j = 0; j < k[i].n_times && j < HOL_KINK_TIMES; j++) t[(*count)++] = k[i].time[j];
        qsort(t, (size_t)*count, sizeof *t, compare_times);
    }
    hol_free(k);
    return t;
}

static double value_at(const hol_expr *e, double t)
{
    hol_real y[4];
    hol_expr_jet(e, t, y);
    return hol_re(y[0]);
}

// A pulse between two times, with the same value before and after: who steps over it never sees it.
static bool is_pulse(const hol_expr *e, double from, double to)
{
    enum { LOOKS = 16 };
    const double beside = 1e-6 * (to - from), before = value_at(e, from - beside),
                 after = value_at(e, to + beside);
    double most = 0;
    for (int i = 1; i < LOOKS; i++)
        most = fmax(most, fabs(value_at(e, from + (to - from) * i / LOOKS) - before));
    return most > 0 && fabs(after - before) <= 1e-3 * most;
}

// A function that is something else for a moment only: steps of chosen size may pass over it.
static void see_pulse(facts *f, const char *what, const hol_expr *e, double size)
{
    const double end = f->set->end, longest = fmin(SHORT * end, f->set->max_step);
    int n = 0;
    double *t = f->set->step > 0 ? NULL : times_of(f, e, &n);
    (void)size;
    for (int i = 0; i + 1 < n; i++)
        for (int k = n - 1; k > i; k--) {
            if (t[k] - t[i] > longest || t[k] == t[i] || !is_pulse(e, t[i], t[k])) continue;
            warn(f,
                 "the function of time in %s (\"%.200s\") has a pulse from t = %.6g to %.6g s, %.2g of the "
                 "run\n: steps may pass over it unseen; give `max_step: %.1g`",
                 what, hol_expr_text(e), t[i], t[k], (t[k] - t[i]) / end, (t[k] - t[i]) / 10);
            i = k;
            break;
        }
    hol_free(t);
}

// A function of time that jumps, by how much against its size.
static void see_jump(facts *f, const char *what, const hol_expr *e, double size)
{
    int n = 0;
    double *t = size > 0 ? times_of(f, e, &n) : NULL;
    const double d = 1e-7 * f->set->end;
    for (int i = 0; i < n; i++) {
        hol_real left[4], right[4];
        if (t[i] - d < 0) continue; // the start is made with the value there
        hol_expr_jet(e, t[i] - d, left);
        hol_expr_jet(e, t[i] + d, right);
        const double x = hol_re(right[0]) - hol_re(left[0]) - d * (hol_re(left[1]) + hol_re(right[1]));
        const double v = hol_re(right[1]) - hol_re(left[1]) - d * (hol_re(left[2]) + hol_re(right[2]));
        const bool jumps = fabs(x) > JUMP * size;
        if (!jumps && fabs(v) * f->set->end <= 1e-3 * size) continue;
        warn(
            f,
            "the motion that %s prescribes (\"%.200s\") has a jump of %s by %.3g at t = %.6g s\n: that takes "
            "an "
            "infinite force; take step5() or a cubic table there",
            what, hol_expr_text(e), jumps ? "position" : "velocity", jumps ? x : v, t[i]);
        break;
    }
    hol_free(t);
}

static void look_pulses(facts *f) { each_expression(f, see_pulse); }
static void look_jumps(facts *f) { each_expression(f, see_jump); }

// ---- the model ------------------------------------------------------------------------------------------------

// Explicit methods would take very many steps.
static void look_stiffness(facts *f)
{
    const hol_fastest *a = &f->fastest;
    const double steps = a->known ? hol_explicit_steps(a->rate, f->set->end) : 0;
    if (!(steps > MANY_STEPS)) return;
    warn(f,
         "the fastest motion at the start %s with %.3g %s%s%s, and the run lasts %.4g s: explicit methods "
         "(rk, "
         "adams, ..) need %.2g steps at least\n; are the stiffness, the damping and the mass there right?",
         a->oscillates ? "vibrates" : "changes", a->rate, a->oscillates ? "rad/s" : "1/s",
         a->body >= 0 ? ", most in " : "", a->body >= 0 ? f->m->body[a->body].name : "", f->set->end, steps);
}

typedef struct {
    double value[2];
    int body[2]; // with the least and the largest; -1: none
} extremes;

static void take(extremes *e, double x, int body)
{
    for (int i = 0; i < 2 && x > 0; i++)
        if (e->body[i] < 0 || (i ? x > e->value[1] : x < e->value[0])) {
            e->value[i] = x;
            e->body[i] = body;
        }
}

// The largest and the least moment of inertia about body axes through the centre of mass; 0: a point mass.
static void moments(const hol_inertia *b, double *least, double *most)
{
    *least = *most = 0;
    for (int i = 0; i < 3; i++) {
        const double J = b->J[4 * i];
        if (J <= 0) continue;
        *most = fmax(*most, J);
        *least = *least > 0 ? fmin(*least, J) : J;
    }
}

// Masses, or moments of inertia, that are very far apart.
static void compare_bodies(facts *f, bool inertias)
{
    extremes e = {.body = {-1, -1}};
    for (int i = 0; i < f->m->n_bodies; i++) {
        const hol_element *body = &f->m->element[i];
        hol_inertia b = {0};
        double least, most;
        if (!body->type->inertia) continue;
        body->type->inertia(body->data, &b);
        moments(&b, &least, &most);
        take(&e, inertias ? least : b.m, i);
        take(&e, inertias ? most : b.m, i);
    }
    if (e.body[0] < 0 || e.value[1] <= MASSES_APART * e.value[0]) return;
    warn(f,
         "%s differ by a factor of %.2g: %s has %.6g, %s has %.6g %s\n; rounding takes the digits of the "
         "small "
         "one: are the units right? A body that is to have no mass is better left away",
         inertias ? "moments of inertia" : "masses", e.value[1] / e.value[0], f->m->body[e.body[0]].name,
         e.value[0], f->m->body[e.body[1]].name, e.value[1], inertias ? "kg m^2" : "kg");
}

static void look_masses(facts *f) { compare_bodies(f, false); }
static void look_inertias(facts *f) { compare_bodies(f, true); }

static double size_of(const double s[3]) { return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]); }

// The largest distance of a body's markers from its centre of mass.
static double reach_of(const hol_model_data *m, int body)
{
    double most = 0;
    for (int k = 0; k < m->body[body].n_markers; k++)
        most = fmax(most, size_of(m->marker[m->body[body].marker + k].marker.s));
    return most;
}

// Radii of gyration that do not fit the distances of the markers.
static void look_radii(facts *f)
{
    for (int i = 0; i < f->m->n_bodies; i++) {
        const hol_element *body = &f->m->element[i];
        hol_inertia b = {0};
        double least, most;
        if (!body->type->inertia) continue;
        body->type->inertia(body->data, &b);
        moments(&b, &least, &most);
        const double L = reach_of(f->m, i), usual = b.m * L * L;
        if (L <= ROUNDING * f->m->length_scale || !(most > 0) || !(usual > 0)) continue;
        if (most < INERTIA_OFF * usual && most > usual / INERTIA_OFF) continue;
        warn(f,
             "%s: a moment of inertia of %.4g kg m^2 with %.4g kg is a radius of gyration of %.3g m, and its "
             "markers are "
             "up to %.3g m from the centre of mass\n: are the units of the inertia right (kg mm^2 is 1e-6 kg "
             "m^2)?",
             f->m->body[i].name, most, b.m, sqrt(most / b.m), L);
    }
}

static const char *owner_of(const hol_model_data *m, int marker)
{
    const int body = hol_model_marker_body(m, marker);
    return body < 0 ? "ground" : m->body[body].name;
}

// Distances of markers from their bodies' origin that are very far apart.
static void look_lengths(facts *f)
{
    const hol_model_data *m = f->m;
    extremes e = {.body = {-1, -1}};
    double most = 0;
    for (int k = 0; k < m->n_markers; k++) most = fmax(most, size_of(m->marker[k].marker.s));
    for (int k = 0; k < m->n_markers; k++) {
        const double L = size_of(m->marker[k].marker.s);
        if (L > ROUNDING * most) take(&e, L, k);
    }
    if (e.body[0] < 0 || e.value[1] <= LENGTHS_APART * e.value[0]) return;
    const char *name[2];
    for (int i = 0; i < 2; i++)
        name[i] = m->marker[e.body[i]].name ? m->marker[e.body[i]].name : "its origin";
    warn(f,
         "lengths differ by a factor of %.2g: %s of %s is %.6g m, %s of %s %.6g m from the centre of mass "
         "(ground: the "
         "origin)\n: are the units right?",
         e.value[1] / e.value[0], name[0], owner_of(m, e.body[0]), e.value[0], name[1],
         owner_of(m, e.body[1]), e.value[1]);
}

// Angles of many turns: degrees are meant, most likely.
static void look_angles(facts *f)
{
    const hol_bare *b = &f->m->spec->bare;
    if (!b->n_angles) return;
    warn(f,
         "line %d, column %d: an angle of %.6g is in radians, %.3g turns%s\n: if degrees are meant, write "
         "%.6g "
         "deg, or "
         "`units: {angle: deg}`",
         b->first_angle.line, b->first_angle.col, b->angle, fabs(b->angle) / (2 * HOL_PI),
         b->n_angles > 1 ? ", and there are more like it" : "", b->angle);
}

static void look_gravity(facts *f)
{
    const double g = size_of(f->m->spec->gravity);
    if (g == 0 || (g >= LEAST_GRAVITY && g <= MOST_GRAVITY) || f->m->spec->gravity_doubted) return;
    warn(f, "gravity is %.6g m/s^2\n; on the earth it is 9.81 m/s^2, on the moon 1.62", g);
}

// ---- the run --------------------------------------------------------------------------------------------------

// Times of output that make no row, or very many.
static void look_output(facts *f)
{
    const hol_settings *set = f->set;
    if (set->end <= 0 || !set->output_given || set->output <= 0) return;
    if (set->output > set->end)
        warn(f, "output: %.6g s is longer than the run of %.6g s: only the start and the end are written",
             set->output, set->end);
    if (set->end / set->output > MOST_ROWS)
        warn(f, "output: %.6g s over %.6g s makes %.2g rows of results", set->output, set->end,
             set->end / set->output);
}

static void look_tolerance(facts *f)
{
    if (f->set->tolerance > LARGEST_TOLERANCE)
        warn(
            f,
            "tolerance: %.3g admits errors of the size of the model in each step\n; 1e-3 is coarse, 1e-5 the "
            "default",
            f->set->tolerance);
}

static void look_steps(facts *f)
{
    if (f->set->end > 0 && f->set->step > f->set->end)
        warn(f, "step: %.6g s is longer than the run of %.6g s\n: a single, shorter step is taken",
             f->set->step, f->set->end);
}

static const struct {
    const char *name;
    void (*look)(facts *f); // warns, or does not
} rows[] = {
    {"stiffness", look_stiffness}, // explicit methods could not
    {"pulse", look_pulses},        // short, of time: steps may miss it
    {"jump", look_jumps},          // of a prescribed position or velocity
    {"masses", look_masses},       // 1e9 apart
    {"inertias", look_inertias},   // 1e9 apart
    {"inertia", look_radii},       // off from m L^2 by 1e4
    {"lengths", look_lengths},     // 1e6 apart
    {"angles", look_angles},       // plain, above a turn
    {"gravity", look_gravity},     // outside 1 .. 30 m/s^2
    {"output", look_output},       // longer than the run, or 1e7 rows
    {"tolerance", look_tolerance}, // above 0.1
    {"step", look_steps},          // longer than the run
};

static hol_status begin(hol_context *ctx, hol_warnings *out)
{
    out->arena = hol_arena_create(ctx);
    if (!out->arena) return HOL_ERR_MEMORY;
    out->warning = hol_arena_alloc(out->arena, MOST, sizeof *out->warning);
    out->brief = hol_arena_alloc(out->arena, MOST, sizeof *out->brief);
    out->kink = hol_arena_alloc(out->arena, HOL_KINKS_LISTED, sizeof *out->kink);
    return out->warning && out->brief && out->kink ? HOL_OK : HOL_ERR_MEMORY;
}

static hol_status look(facts *f)
{
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        f->name = rows[i].name;
        f->alike = 0;
        rows[i].look(f);
    }
    return f->lost ? HOL_ERR_MEMORY : HOL_OK;
}

hol_status hol_warnings_find(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                             hol_kernel *k, hol_state *x, const hol_rank *rank, hol_warnings *out)
{
    facts f = {.ctx = ctx, .m = m, .set = set, .out = out};
    hol_status st = begin(ctx, out);
    if (!st) st = hol_fastest_find(ctx, k, x, rank, &f.fastest);
    if (st) return st;
    out->kinks = m->n_kinks; // constraints' alone, when those that are listed are taken away
    for (int i = 0; i < m->n_equations; i++)
        if (m->equation[i].expr) out->kinks -= hol_expr_kinks(m->equation[i].expr);
    each_expression(&f, count_kinks);
    return look(&f);
}

hol_status hol_warnings_tell(hol_context *ctx, const hol_model_data *m, const hol_settings *set)
{
    hol_warnings w = {.arena = NULL};
    facts f = {.ctx = ctx, .m = m, .set = set, .out = &w};
    hol_status st = begin(ctx, &w);
    if (!st) st = look(&f);
    for (int i = 0; i < w.n && i < MOST_TOLD && !st; i++)
        hol_note(ctx, HOL_WARNING, "%s: %s", m->spec->file, w.brief[i]);
    if (!st && w.n)
        hol_note(ctx, HOL_NOTICE, "`holonom check` says what to do%s",
                 w.n > MOST_TOLD ? ", and warns of more" : "");
    hol_warnings_destroy(&w);
    return st;
}

void hol_warnings_destroy(hol_warnings *w)
{
    hol_arena_destroy(w->arena);
    w->arena = NULL;
}
