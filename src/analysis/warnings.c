// What `check` warns of: what will hurt a run, or looks like a slip of the pen. A warning more is a function and a row
// of `rows`.
#include "analysis/signals.h"
#include "analysis/warnings_data.h"
#include "expr/enclose.h"
#include "analysis/undefined.h"
#include "element/contact.h"
#include "system/initial.h"
#include "system/start_told.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ALIKE = 3, MOST = 40, MOST_TOLD = 5 };
#define MANY_STEPS 1e5      // of an explicit method, for stability alone: hours for a large model
#define SHORTEST_SCALE 1e-4 // [m]
#define LONGEST_SCALE 1e3   // [m]
#define MASSES_APART 1e9    // ratio of masses, of inertias: sums of the two keep 7 digits of the small one
#define STIFFNESSES_APART 0.999e9 // 1e9 itself counts, which rounding of units may miss
#define LENGTHS_APART 1e6
#define ROUNDING 1e-10 // of the largest length: shorter ones are rounding of a formula
#define INERTIA_OFF 1e4
#define LEAST_GRAVITY 1.0
#define MOST_GRAVITY 30.0 // [m/s^2]
#define LARGEST_TOLERANCE 0.1
#define SOON 10 // runs

void hol_warn(hol_facts *f, const char *format, ...)
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

const char *hol_warning_place(const hol_facts *f, hol_src at, char text[HOL_PLACE])
{
    const bool other = strcmp(at.file, f->m->spec->file) != 0;
    if (hol_src_path(at)) return hol_src_text(at, text);
    snprintf(text, HOL_PLACE, "%.200s%sline %d, column %d", other ? at.file : "", other ? ", " : "", at.line,
             at.col);
    return text;
}

// ---- the model ------------------------------------------------------------------------------------------------

// What grows so fast does not last until the end.
static void look_growth(hol_facts *f)
{
    const hol_fastest *a = &f->fastest;
    if (!a->known || !hol_growth_is_fast(f->m, a->growth, f->set->end)) return;
    hol_warn(
        f,
        "a motion grows with %.3g 1/s at the start, by e^%.3g in the run of %.4g s\n: is a sign wrong, of a "
        "stiffness, a "
        "damping, a gain or a rate? Methods follow growth by short steps, until numbers end",
        a->growth, a->growth * f->set->end, f->set->end);
}

// Explicit methods would take very many steps.
static void look_stiffness(hol_facts *f)
{
    const hol_fastest *a = &f->fastest;
    const double steps = a->known ? hol_explicit_steps(a->rate, f->set->end) : 0;
    if (!(steps > MANY_STEPS)) return;
    hol_warn(
        f,
        "the fastest motion at the start %s with %.3g %s%s%s, and the run lasts %.4g s: explicit methods "
        "(rk, "
        "adams, ..) need %.2g steps at least\n; are the stiffness, the damping and the mass there right?",
        a->oscillates ? "vibrates" : "changes", a->rate, a->oscillates ? "rad/s" : "1/s",
        a->body >= 0 ? ", most in " : "", a->body >= 0 ? f->m->body[a->body].name : "", f->set->end, steps);
}

// A loop that may be held by the digits of its numbers alone. Runs tell it at their start.
static void look_nearly(hol_facts *f)
{
    char text[900];
    if (!f->rank || !f->rank->nearly) return;
    hol_start_tell_nearly(f->m, f->rank, true, text, sizeof text);
    hol_warn(f, "%s", text);
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
static void compare_bodies(hol_facts *f, bool inertias)
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
    char factor[HOL_FACTOR];
    if (e.body[0] < 0 || e.value[1] <= MASSES_APART * e.value[0]) return;
    hol_warn(f,
             "%s differ by a factor of %s: %s has %.6g, %s has %.6g %s\n; rounding takes the digits of the "
             "small "
             "one: are the units right? A body that is to have no mass is better left away",
             inertias ? "moments of inertia" : "masses", hol_decimal_factor(e.value[1], e.value[0], factor),
             f->m->body[e.body[0]].name, e.value[0], f->m->body[e.body[1]].name, e.value[1],
             inertias ? "kg m^2" : "kg");
}

static void look_masses(hol_facts *f) { compare_bodies(f, false); }
static void look_inertias(hol_facts *f) { compare_bodies(f, true); }

// Stiffnesses of one kind that are very far apart.
static void look_springs(hol_facts *f)
{
    static const char *const unit[] = {"N/m", "N m/rad"};
    char factor[HOL_FACTOR];
    for (int i = 0; i < 2; i++) {
        const hol_spec_stiffness *s = &f->m->spec->stiffness[i];
        if (!s->name[0] || s->value[1] <= STIFFNESSES_APART * s->value[0]) continue;
        hol_warn(
            f,
            "stiffnesses differ by a factor of %s: %s has %.6g, %s has %.6g %s\n; rounding in the stiff one "
            "hides the soft one, and its vibration is much faster than what the soft one does: are the units "
            "right? A joint in place of the stiff one has neither trouble",
            hol_decimal_factor(s->value[1], s->value[0], factor), s->name[0], s->value[0], s->name[1],
            s->value[1], unit[i]);
    }
}

#define YIELDS                                                                                               \
    1e-7 // of the natural length, under the weight of its body: stiffer springs hold nothing that moves
#define HANGS 10.0 // rad: softer ones hold nothing

static double size_of(const double s[3]) { return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]); }

// The weight of the heavier one of the bodies that the element of this name holds; *lever: how far from its centre it is held.
static double weight_held(const hol_model_data *m, const char *name, double *lever)
{
    double most = 0;
    const int k = hol_model_find_element(m, name);
    *lever = 0;
    for (int i = 0; k >= 0 && i < m->element[k].n_ends; i++) {
        const int body = m->element[k].end[i].body;
        hol_inertia b = {0};
        if (body < 0 || !m->element[body].type->inertia) continue;
        m->element[body].type->inertia(m->element[body].data, &b);
        if (!(b.m > most)) continue;
        most = b.m;
        *lever = size_of(m->element[k].end[i].marker->s);
    }
    return 9.81 * most;
}

// Plain stiffnesses that are taken for those of SI by those who write them: in N/mm springs become a thousand times as stiff, in N mm/rad as soft. By how
// much they give way under a weight tells the two apart, where one is plausible and the other one is not.
static void look_plain(hol_facts *f)
{
    static const char *const unit[] = {"N/m", "N m/rad"}, *const way[] = {"m", "rad"};
    for (int i = 0; i < 2; i++) {
        const hol_spec_stiffness *s = &f->m->spec->plain[i];
        const int end = i ? 0 : 1; // the softest that turn, the stiffest that slide
        if (!s->name[end]) continue;
        double lever;
        const double weight = weight_held(f->m, s->name[end], &lever), L = i ? lever : f->m->length_scale;
        const double k = s->value[end], factor = s->unit[end], yields = i ? weight * L / k : weight / k / L,
                     meant = yields * factor;
        const bool here = i ? yields > HANGS : yields < YIELDS,
                   there = i ? meant <= HANGS / 10 : meant >= YIELDS && meant <= 1;
        if (!here || !there) continue;
        hol_warn(f,
                 "the stiffness of %s is %.6g %s: plain numbers are in the units of the file\n; under the "
                 "weight of its body it gives way by %.3g %s; if "
                 "%.6g %s are meant, write the unit behind it",
                 s->name[end], k, unit[i], i ? yields : yields * L, way[i], k / factor, unit[i]);
    }
}

// Negative stiffness pushes away, as that of a buckled strut does; negative damping drives.
static void look_signs(hol_facts *f)
{
    for (int i = 0; i < f->m->spec->n_negative; i++) {
        const hol_spec_negative *n = &f->m->spec->negative[i];
        char size[80];
        hol_decimal_print(size, sizeof size, n->unit ? "is %.6g %s" : "has an eigenvalue below 0, %.6g",
                          n->value, n->unit);
        hol_warn(f, "%s: its %s %s: it %s\n; is the sign wrong? `holonom modes` shows what it does", n->name,
                 n->key, size,
                 n->damps ? "drives the motion, and gives energy without end, in place of braking it"
                          : "pushes away from where it is free, in place of pulling back");
    }
}

// What the compiler has seen.
static void look_remarks(hol_facts *f)
{
    for (int i = 0; i < f->m->spec->n_remarks; i++)
        if (strcmp(f->m->spec->remark[i].warning, f->name) == 0)
            hol_warn(f, "%s", f->m->spec->remark[i].text);
}

// Angles of expressions that have no value at the start. Runs tell it when they come to it.
static void look_undefined(hol_facts *f)
{
    for (int i = 0; i < f->m->n_counters && f->x; i++)
        if (hol_angle_is_undefined(f->m, f->m->counter[i].leaf, f->x->t, f->x->q))
            hol_warn(f,
                     "%s has no value at the start\n: "
                     "the direction that it measures vanishes, as "
                     "where the rotation about another axis is a quarter turn, and behind it the angle may "
                     "be half a "
                     "turn off. The `angle` of a joint has a value wherever the joint holds",
                     f->m->counter[i].text);
}

// Has a function of time no root in the interval for certain? It is halved until enclosures say so.
static bool has_no_root(const hol_expr *e, double from, double to, int halvings)
{
    const hol_enclosure time = {{from, to}, {1, 1}, 0};
    hol_enclosure in;
    hol_expr_enclose(e, &time, NULL, &in);
    if (!in.marks && (in.v.lo > 0 || in.v.hi < 0)) return true;
    const double middle = from + 0.5 * (to - from);
    return halvings && has_no_root(e, from, middle, halvings - 1) && has_no_root(e, middle, to, halvings - 1);
}

// Events whose function of time has no root within the run.
static void look_passages(hol_facts *f)
{
    enum { HALVINGS = 8 };
    for (int i = 0; i < f->m->n_events; i++) {
        const hol_event *e = &f->m->event[i];
        if (!e->when || e->when->n_leaves || !e->when->expr) continue;
        if (f->set->end > 0 && has_no_root(e->when->expr, 0, f->set->end, HALVINGS))
            hol_warn(
                f,
                "event %s does not happen: \"%.200s\" does not pass through 0 before the end of the run, "
                "%.6g s",
                e->name, hol_expr_text(e->when->expr), f->set->end);
    }
}

// Times of events behind the end. Those that come again and again begin with the run.
static void look_events(hol_facts *f)
{
    look_passages(f);
    for (int i = 0; i < f->m->n_events; i++) {
        const hol_event *e = &f->m->event[i];
        int k = 0;
        while (k < e->n_times && e->time[k] <= f->set->end) k++;
        if (k < e->n_times)
            hol_warn(f, "event %s is to happen at %.6g s, behind the end of the run, %.6g s", e->name,
                     e->time[k], f->set->end);
    }
}

// The largest distance of a body's markers and of what holds it from its centre of mass.            (n_bodies)
static double *find_reach(hol_context *ctx, const hol_model_data *m)
{
    double *reach = hol_calloc(ctx, (size_t)m->n_bodies + 1, sizeof *reach);
    if (!reach) return NULL;
    for (int i = 0; i < m->n_bodies; i++)
        for (int k = 0; k < m->body[i].n_markers; k++)
            reach[i] = fmax(reach[i], size_of(m->marker[m->body[i].marker + k].marker.s));
    for (int i = m->n_bodies; i < m->n_elements; i++)
        for (int k = 0; k < m->element[i].n_ends; k++) {
            const hol_end *end = &m->element[i].end[k];
            if (end->body >= 0 && end->marker)
                reach[end->body] = fmax(reach[end->body], size_of(end->marker->s));
        }
    return reach;
}

// Radii of gyration that do not fit the distances of the markers and joints.
static void look_radii(hol_facts *f)
{
    double *reach = find_reach(f->ctx, f->m);
    f->lost = f->lost || !reach;
    for (int i = 0; i < f->m->n_bodies && reach; i++) {
        const hol_element *body = &f->m->element[i];
        hol_inertia b = {0};
        double least, most;
        if (!body->type->inertia) continue;
        body->type->inertia(body->data, &b);
        moments(&b, &least, &most);
        const double L = reach[i], usual = b.m * L * L;
        if (L <= ROUNDING * f->m->length_scale || !(most > 0) || !(usual > 0)) continue;
        if (most < INERTIA_OFF * usual && most > usual / INERTIA_OFF) continue;
        hol_warn(
            f,
            "%s: a moment of inertia of %.4g kg m^2 with %.4g kg is a radius of gyration of %.3g m, and its "
            "markers and joints are "
            "up to %.3g m from the centre of mass\n: are the units of the inertia right (kg mm^2 is 1e-6 kg "
            "m^2)?",
            f->m->body[i].name, most, b.m, sqrt(most / b.m), L);
    }
    hol_free(reach);
}

static const char *owner_of(const hol_model_data *m, int marker)
{
    const int body = hol_model_marker_body(m, marker);
    return body < 0 ? "ground" : m->body[body].name;
}

// Distances of markers from their bodies' origin that are very far apart.
static void look_lengths(hol_facts *f)
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
    char factor[HOL_FACTOR];
    for (int i = 0; i < 2; i++)
        name[i] = m->marker[e.body[i]].name ? m->marker[e.body[i]].name : "its origin";
    hol_warn(f,
             "lengths differ by a factor of %s: %s of %s is %.6g m, %s of %s %.6g m from the centre of mass "
             "(ground: the "
             "origin)\n: are the units right?",
             hol_decimal_factor(e.value[1], e.value[0], factor), name[0], owner_of(m, e.body[0]), e.value[0],
             name[1], owner_of(m, e.body[1]), e.value[1]);
}

// Of the whole model, as of millimetres that are taken for metres.
static void look_scale(hol_facts *f)
{
    const double L = f->m->length_scale;
    if (L >= SHORTEST_SCALE && L <= LONGEST_SCALE) return;
    hol_warn(f,
             "the natural length of the model is %.4g m\n: are the units of lengths right? `units: {length: "
             "mm}` says that plain numbers are millimetres",
             L);
}

// How far bodies are drawn from the middle one, ground among them: the farthest, and the longest of all other lengths.
static double farthest_body(const hol_model_data *m, const double middle[3], int *body, double *others)
{
    double most = 0;
    for (int k = 0; k < m->n_markers; k++) *others = fmax(*others, size_of(m->marker[k].marker.s));
    for (int b = 0; b < m->n_bodies; b++) {
        double r[3] = {0};
        for (int i = 0; i < m->dimension; i++) r[i] = m->q0[m->body[b].q + i] - middle[i];
        const double L = size_of(r);
        *others = fmax(*others, fmin(L, most));
        if (L > most) *body = b;
        most = fmax(most, L);
    }
    return most;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// A body that is drawn very far from the others.
static void look_distances(hol_facts *f)
{
    const hol_model_data *m = f->m;
    double middle[3] = {0}, others = 0, *x = hol_calloc(f->ctx, (size_t)m->n_bodies + 1, sizeof *x);
    int body = -1;
    f->lost = f->lost || !x;
    for (int i = 0; i < m->dimension && x; i++) {
        x[m->n_bodies] = 0; // the origin of ground
        for (int b = 0; b < m->n_bodies; b++) x[b] = m->q0[m->body[b].q + i];
        qsort(x, (size_t)m->n_bodies + 1, sizeof *x, by_size);
        middle[i] = x[m->n_bodies / 2];
    }
    hol_free(x);
    const double far = f->lost ? 0 : farthest_body(m, middle, &body, &others);
    if (body < 0 || !(others > 0) || far <= LENGTHS_APART * others) return;
    hol_warn(f,
             "%s is drawn %.3g m away from the others, and no other length is above %.3g m\n: are the units "
             "right? "
             "Rounding of %.1g m is all that is known of its place",
             m->body[body].name, far, others, DBL_EPSILON * far);
}

// Angles of many turns: degrees are meant, most likely.
static void look_angles(hol_facts *f)
{
    const hol_bare *b = &f->m->spec->bare;
    char place[HOL_PLACE];
    if (b->n_rates)
        hol_warn(f,
                 "%s: an angular velocity of %.6g is in rad/s, %.3g turns a second%s\n: if "
                 "degrees "
                 "are meant, write %.6g deg/s",
                 hol_warning_place(f, b->first_rate, place), b->rate, fabs(b->rate) / (2 * HOL_PI),
                 b->n_rates > 1 ? ", and there are more like it" : "", b->rate);
    if (!b->n_angles) return;
    hol_warn(f,
             "%s: an angle of %.6g is in radians, %.3g turns%s\n: if degrees are meant, write "
             "%.6g "
             "deg, or "
             "`units: {angle: deg}`",
             hol_warning_place(f, b->first_angle, place), b->angle, fabs(b->angle) / (2 * HOL_PI),
             b->n_angles > 1 ? ", and there are more like it" : "", b->angle);
}

// Whose leaves are asked for: those of an equation, or of a constraint.
typedef struct {
    const bool *angle; // by z: a variable that is an angle
    const hol_leaf *leaf;
    const hol_measured *measured;
} asked;

static bool measures_angle(const hol_measured *m)
{
    return m->kind == HOL_MEASURED_COMPONENT && m->part[0].what >= HOL_QUANTITY_A &&
           m->part[0].what < HOL_QUANTITY_V;
}

static bool is_angle(const void *user, int i)
{
    const asked *a = user;
    if (a->measured) return measures_angle(&a->measured[i]);
    if (a->leaf[i].kind == HOL_LEAF_VALUE) return a->angle[a->leaf[i].index];
    return a->leaf[i].kind == HOL_LEAF_QUANTITY && measures_angle(&a->leaf[i].measured);
}

// Warns of the first number of an expression that looks like degrees. Is the expression an angle?
static bool doubt_degrees(hol_facts *f, const hol_expr *e, const asked *a, bool told)
{
    hol_degrees found = {.is_angle = false};
    char place[HOL_PLACE];
    const int n = e ? hol_expr_degrees(f->out->arena, e, is_angle, a, &found) : 0;
    f->lost = f->lost || n < 0;
    if (n > 0 && told)
        hol_warn(f,
                 "%s: %.6g beside an angle is in radians, %.3g turns\n: if degrees are meant, write %.6g deg",
                 hol_warning_place(f, found.at, place), found.number, fabs(found.number) / (2 * HOL_PI),
                 found.number);
    return found.is_angle;
}

// Events: what is compared, and what is set.
static void doubt_events(hol_facts *f, const bool *angle)
{
    for (int i = 0; i < f->m->n_events; i++) {
        const hol_event *e = &f->m->event[i];
        if (e->when) doubt_degrees(f, e->when->expr, &(asked){angle, e->when->leaf, NULL}, true);
        for (int k = 0; k < e->n_sets; k++)
            doubt_degrees(f, e->set[k].value.expr, &(asked){angle, e->set[k].value.leaf, NULL}, true);
    }
}

// Numbers beside angles that are whole multiples of 15: degrees are meant, most likely. Variables may be made of later ones.
static void look_degrees(hol_facts *f)
{
    enum { PASSES = 3 };
    const hol_model_data *m = f->m;
    bool *angle = hol_arena_alloc(f->out->arena, (size_t)m->n_equations + 1, sizeof *angle), rate;
    f->lost = f->lost || !angle;
    for (int pass = 0; pass < PASSES && !f->lost; pass++)
        for (int i = 0; i < m->n_equations; i++) {
            const hol_equation *e = &m->equation[i];
            angle[i] = doubt_degrees(f, e->expr, &(asked){angle, e->leaf, NULL}, pass == PASSES - 1);
        }
    for (int i = 0; i < m->n_elements && !f->lost; i++) {
        const bool is = m->element[i].type->role == HOL_ROLE_CONSTRAINT;
        const hol_measured_formula *c = is ? hol_constraint_formula(&m->element[i], &rate) : NULL;
        if (c) doubt_degrees(f, c->expr, &(asked){angle, NULL, c->leaf}, true);
    }
    if (!f->lost) doubt_events(f, angle);
}

// The largest angle of a motion to which it comes to rest or turns back, 0: it goes on turning at its largest.
static double swing_of(const hol_load *load, double end)
{
    enum { LOOKS = 2000 };
    double most = 0, rate = 0, y[4];
    for (int i = 0; i <= LOOKS; i++) {
        load->timed.jet(&load->timed, end * i / LOOKS, y);
        if (!(fabs(y[0]) > most)) continue;
        most = fabs(y[0]);
        rate = fabs(y[1]);
    }
    return rate * end < 0.1 * most ? most : 0;
}

// The same in the run, or soon after it: a quarter of 90*sin(time) may be all that is run.
static double swing_soon(const hol_load *load, double end)
{
    const double most = swing_of(load, end);
    return most > 2 * HOL_PI ? most : swing_of(load, SOON * end);
}

// A motion that turns evenly, by a whole number of 30 or 45 a second: its rate; else 0.
static double even_rate(const hol_load *load, double end)
{
    double y[4];
    load->timed.jet(&load->timed, 0.5 * end, y);
    const double rate = fabs(y[1]), value = fabs(y[0]);
    const bool even = y[2] == 0 && y[3] == 0 && fabs(value - 0.5 * rate * end) <= 1e-9 * value;
    const bool round = fmod(rate, 30) == 0 || fmod(rate, 45) == 0;
    return even && round && isfinite(rate) ? rate : 0;
}

// Motions that swing or step by a whole number of fives above a turn, or turn evenly by 90 or the like a second, in radians
// without pi: degrees are meant, most likely.
static void look_swings(hol_facts *f)
{
    const unsigned known = HOL_NATURE_UNIT | HOL_NATURE_ANGLE | HOL_NATURE_PI;
    for (int i = 0; i < f->loads.n && f->m->spec->systems.system[0].units.angle == 1 && f->set->end > 0;
         i++) {
        const hol_load *load = &f->loads.load[i];
        if (!load->angle || hol_expr_nature(load->whole).flags & known) continue;
        const double most = swing_soon(load, f->set->end), round = 5 * rint(most / 5);
        const double rate = even_rate(load, f->set->end);
        if (rate > 0)
            hol_warn(
                f,
                "the motion that %s prescribes (\"%.200s\") turns with %.6g rad/s, %.3g turns a second\n: if "
                "degrees are meant, write them with their unit, as %.6g deg/s",
                load->name, hol_expr_text(load->whole), rate, rate / (2 * HOL_PI), rate);
        if (!(most > 2 * HOL_PI) || !isfinite(most) || fabs(most - round) > 1e-4 * most) continue;
        hol_warn(f,
                 "the motion that %s prescribes (\"%.200s\") reaches an angle of %.6g rad, %.3g turns\n: if "
                 "degrees "
                 "are meant, write them with their unit, as %.6g deg",
                 load->name, hol_expr_text(load->whole), round, round / (2 * HOL_PI), round);
    }
}

static void look_gravity(hol_facts *f)
{
    const double g = size_of(f->m->spec->gravity);
    if (g == 0 || (g >= LEAST_GRAVITY && g <= MOST_GRAVITY) || f->m->spec->gravity_doubted) return;
    hol_warn(f, "gravity is %.6g m/s^2\n; on the earth it is 9.81 m/s^2, on the moon 1.62", g);
}

// ---- the run --------------------------------------------------------------------------------------------------

// Times of output that make no row, or very many.
static void look_output(hol_facts *f)
{
    const hol_settings *set = f->set;
    char large[HOL_AMOUNT];
    if (f->columns && set->end > 0 && hol_settings_large(set, f->columns, large))
        hol_warn(f, "results would be %s: give a longer simulate.output, or choose simulate.signals", large);
    if (set->end <= 0 || !set->output_given || set->output <= 0) return;
    const int n = hol_decimal_digits(set->output, set->end);
    if (set->output > set->end)
        hol_warn(f, "output: %.*g s is longer than the run of %.*g s: only the start and the end are written",
                 n, set->output, n, set->end);
}

static void look_tolerance(hol_facts *f)
{
    if (f->set->tolerance > LARGEST_TOLERANCE)
        hol_warn(
            f,
            "tolerance: %.3g admits errors of a large part of the model's size\n; 1e-2 is coarse, %.0e the "
            "default",
            f->set->tolerance, HOL_DEFAULT_TOLERANCE);
}

static void look_steps(hol_facts *f)
{
    const int n = hol_decimal_digits(f->set->step, f->set->end);
    if (f->set->end > 0 && f->set->step > f->set->end)
        hol_warn(f, "step: %.*g s is longer than the run of %.*g s\n: a single, shorter step is taken", n,
                 f->set->step, n, f->set->end);
}

// Rows of one name are one kind, whose first row says what it is about.
static const struct {
    const char *name;
    void (*look)(hol_facts *f); // warns, or does not
    const char *doc;
} rows[] = {
    {"growth", look_growth,
     "a motion grows by more than numbers can hold before the end: is the sign of a stiffness, damping or "
     "gain wrong?"},
    {"stiffness", look_stiffness, "the fastest motion would force explicit methods to very many steps"},
    {"nearly", look_nearly,
     "an equation of a loop follows from others but for 1e-4 or less, which digits of the file may make"},
    {"pulse", hol_look_pulses, "a function of time is short, and fixed steps may miss it"},
    {"table", hol_look_tables,
     "fixed steps go across nodes of a table of straight lines, and high orders are lost there"},
    {"beyond", hol_look_beyond, "the run goes on beyond the end of a table of time"},
    {"jump", hol_look_jumps, "a prescribed position or velocity jumps, which takes an infinite force"},
    {"pole", hol_look_poles, "a function of time becomes infinite within the run"},
    {"fast", hol_look_fast, "a function of time changes so often that steps are short all the time"},
    {"undecided", hol_look_undecided, "nobody can tell whether a function of time jumps somewhere"},
    {"masses", look_masses, "masses of bodies are a factor of 1e9 or more apart"},
    {"inertias", look_inertias, "moments of inertia are a factor of 1e9 or more apart"},
    {"inertia", look_radii, "a moment of inertia does not fit mass and size of the body by a factor of 1e4"},
    {"plain", look_plain, "a plain stiffness is plausible in SI units, and not in those of the file"},
    {"springs", look_springs, "stiffnesses are a factor of 1e9 or more apart"},
    {"sign", look_signs,
     "a stiffness or a damping is below 0, or a matrix of them has an eigenvalue below 0, or gains of a "
     "motor drive its joint away"},
    {"sign", look_remarks, NULL},
    {"turns", look_remarks,
     "a motor or a spring in space is full turns away from what it is to be, or where it is free; a driver "
     "chooses the full turns of its joint"},
    {"undefined", look_undefined,
     "AX, AY or AZ of an expression has no value at the start: the rotation about another axis is a quarter "
     "turn"},
    {"density", hol_look_densities, "a density is above 1e5 or below 1e-3 kg/m^3: are the units right?"},
    {"shapes", hol_look_shapes,
     "shapes that a mass follows from overlap, or a hole lies where there is nothing"},
    {"overlap", hol_look_overlaps, "shapes that touch begin in each other, and push each other apart"},
    {"stop", hol_look_stops, "a joint begins beyond a smooth stop, which pushes it back"},
    {"depth", hol_look_depths, "a contact gives way by more than 1 % of a radius under the weight"},
    {"impact", hol_look_impacts, "an impact lasts less than a millionth of the run"},
    {"twice", hol_look_twice,
     "two rules of contacts hold the same two shapes, and the forces of both add up"},
    {"event", look_events, "an event is to happen behind the end of the run"},
    {"lengths", look_lengths, "lengths are a factor of 1e6 or more apart"},
    {"length_scale", look_scale,
     "the model is larger than 1 km or smaller than 0.1 mm: are the units right?"},
    {"distance", look_distances, "a body is drawn a million times farther away than all else is long"},
    {"angles", look_angles, "a number looks like degrees, and is in radians"},
    {"angles", look_degrees, NULL},
    {"angles", look_swings, NULL},
    {"gravity", look_gravity, "gravity is outside of 1 .. 30 m/s^2"},
    {"output", look_output,
     "times of output that make no row, more than 1e7 of them, or a file of more than 1 GB"},
    {"tolerance", look_tolerance, "the tolerance is above 0.1"},
    {"step", look_steps, "the step is longer than the run"},
};

bool hol_warning_row(int i, const char **name, const char **doc)
{
    for (int k = 0; k < HOL_COUNT(rows); k++) {
        if (!rows[k].doc || i-- > 0) continue;
        *name = rows[k].name;
        *doc = rows[k].doc;
        return true;
    }
    return false;
}

static hol_status begin(hol_context *ctx, hol_warnings *out)
{
    out->arena = hol_arena_create(ctx);
    if (!out->arena) return HOL_ERR_MEMORY;
    out->warning = hol_arena_alloc(out->arena, MOST, sizeof *out->warning);
    out->brief = hol_arena_alloc(out->arena, MOST, sizeof *out->brief);
    out->kink = hol_arena_alloc(out->arena, HOL_KINKS_LISTED, sizeof *out->kink);
    out->load = hol_arena_alloc(out->arena, HOL_LOADS_LISTED, sizeof *out->load);
    return out->warning && out->brief && out->kink && out->load ? HOL_OK : HOL_ERR_MEMORY;
}

// Numbers in a row of results.
static hol_status count_columns(hol_facts *f, const hol_equations *s)
{
    hol_signals g;
    const hol_status st = hol_signals_create(f->ctx, s, f->set->request, f->set->n_requests, &g);
    if (st) return st;
    f->columns = 1 + g.n;
    hol_signals_destroy(&g);
    return HOL_OK;
}

static hol_status look(hol_facts *f)
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
    hol_facts f = {.ctx = ctx,
                   .m = m,
                   .set = set,
                   .rank = rank,
                   .x = x,
                   .k = k,
                   .pushed = x,
                   .accelerated = true,
                   .out = out};
    hol_status st = begin(ctx, out);
    if (!st) st = hol_fastest_find(ctx, k, x, rank, &f.fastest);
    if (!st) st = count_columns(&f, k->s);
    if (!st) st = hol_loads_create(ctx, m, set->end, set->search, &f.loads);
    if (!st) {
        out->kinks = m->n_kinks; // constraints' alone, when those that are listed are taken away
        for (int i = 0; i < m->n_equations; i++)
            if (m->equation[i].expr) out->kinks -= hol_expr_kinks(m->equation[i].expr);
        hol_list_kinks(&f);
        hol_list_loads(&f);
        st = look(&f);
    }
    hol_loads_destroy(&f.loads);
    return st;
}

// Where shapes or stops may push, the start: what joints and drivers make of the drawing. Why there is none the run says.
static bool find_start(hol_facts *f, hol_kernel *k, hol_state *x, hol_rank *rank)
{
    bool some = f->m->n_ranges > 0;
    for (int i = f->m->n_bodies; i < f->m->n_elements && !some; i++)
        some = f->m->element[i].type == &hol_force_contact;
    if (!some || f->set->at_rest) return false;
    hol_context_mute(f->ctx, true);
    const hol_status st = hol_initialise(f->ctx, f->m, HOL_START_QUIET | HOL_START_BARE, k, x, rank);
    hol_context_mute(f->ctx, false);
    if (st) hol_context_clear(f->ctx);
    f->k = k;
    f->pushed = st ? NULL : x;
    return !st;
}

hol_status hol_warnings_tell(hol_context *ctx, const hol_model_data *m, const hol_settings *set)
{
    hol_warnings w = {.arena = NULL};
    hol_kernel k;
    hol_state x = {0};
    hol_rank rank;
    hol_facts f = {.ctx = ctx, .m = m, .set = set, .out = &w, .brief = true};
    hol_status st = begin(ctx, &w);
    if (!st) st = hol_loads_create(ctx, m, set->end, set->search, &f.loads);
    const bool started = !st && find_start(&f, &k, &x, &rank);
    if (!st) st = look(&f);
    hol_loads_destroy(&f.loads);
    if (started) {
        hol_state_destroy(&x);
        hol_rank_destroy(&rank);
        hol_start_destroy(&k);
    }
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
