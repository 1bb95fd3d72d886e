// Equilibria as a result: a row each, with the signals, as runs have them, so that everything that reads results takes them. A pose
// as `pose:` and `turns:` of a model file.
#include "io/statics_file.h"
#include "analysis/statics.h"
#include "base/file.h"
#include "io/number_text.h"
#include "io/pose_file.h"
#include "element/coordinate.h"
#include "element/turns.h"
#include "io/result.h"
#include "io/summary.h"
#include "io/table.h"
#include "system/ranges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What a branch has before the signals, in the order of `put_branch`.
enum { SLOPE, STABLE, AT, BRANCH, OF_BRANCH };
static const char *const branch_name[OF_BRANCH] = {"static.slope", "static.stable", "static.at",
                                                   "static.branch"};

static void put_branch(const hol_static_point *p, double value[OF_BRANCH])
{
    value[SLOPE] = p->slope;
    value[STABLE] = p->stable;
    value[AT] = p->at; // 1 fold, 2 bifurcation, 3 change
    value[BRANCH] = p->branch;
}

// The parameter in the model's units of output.
static hol_status show_parameter(hol_result_data *out, const hol_statics_data *o)
{
    const char *shown, *unit = o->s.parameter_unit;
    double factor;
    hol_status st = hol_unit_shown(out->arena, &o->m->spec->systems.system[0].output, unit, &shown, &factor);
    if (!st && strcmp(shown, unit) != 0) st = hol_result_show(out, 1, shown, factor);
    return st;
}

// The time, a branch's parameter and what it is, and the signals as they are shown.
static hol_status name_columns(hol_result_data *out, const hol_statics_data *o)
{
    const bool varied = o->s.parameter;
    const int before = varied ? 2 + OF_BRANCH : 1;
    const char *parameter = varied ? hol_arena_print(out->arena, "parameters.%s", o->s.parameter) : "";
    hol_status st = parameter ? hol_result_columns(out, o->s.n_signals + before) : HOL_ERR_MEMORY;
    if (!st) st = hol_result_name(out, 0, "t", "s");
    if (!st && varied) st = hol_result_name(out, 1, parameter, o->s.parameter_unit);
    for (int i = 0; i < OF_BRANCH && varied && !st; i++) st = hol_result_name(out, 2 + i, branch_name[i], "");
    for (int i = 0; i < o->s.n_signals && !st; i++)
        st = hol_result_name(out, i + before, o->s.signal[i], o->s.unit[i]);
    if (varied && !st) st = show_parameter(out, o);
    for (int i = 0; i < o->s.n_signals && !st; i++) // all columns have their units now
        if (strcmp(o->s.shown[i], o->s.unit[i]) != 0)
            st = hol_result_show(out, i + before, o->s.shown[i], o->s.factor[i]);
    return st;
}

// A row for each point. Those of a branch stand a second apart, so that it is played and drawn as a motion is.
static hol_status add_rows(hol_result_data *out, const hol_statics_data *o)
{
    for (int k = 0; k < o->s.n_points; k++) {
        const hol_static_point *p = &o->s.point[k];
        double *row = hol_result_rows(out, 1);
        if (!row) return HOL_ERR_MEMORY;
        *row++ = o->s.parameter ? k : o->s.time;
        if (o->s.parameter) {
            *row++ = p->parameter;
            put_branch(p, row);
            row += OF_BRANCH;
        }
        memcpy(row, p->value, (size_t)o->s.n_signals * sizeof *row);
        out->r.n_rows++;
    }
    return HOL_OK;
}

// Makes the result and writes it.
hol_status hol_statics_to_file(hol_context *ctx, const hol_statics *s, const char *path)
{
    const hol_statics_data *o = (const hol_statics_data *)s;
    if (!hol_format_find(ctx, path)) return HOL_ERR_USAGE;
    hol_result_data *r = hol_calloc(ctx, 1, sizeof *r);
    if (!r) return HOL_ERR_MEMORY;
    hol_status st = hol_result_begin(r, ctx, path);
    if (!st) st = name_columns(r, o);
    if (!st) st = hol_result_add_model(r, o->m, "static");
    if (!st) st = add_rows(r, o);
    if (!st) st = hol_result_write(ctx, &r->r, path);
    hol_result_destroy(&r->r);
    return st;
}

// ---- a pose ---------------------------------------------------------------------------------------------------

// The equilibrium is that of these values, which the file that includes the pose has to give.
static void put_trimmed(FILE *file, const hol_statics *s)
{
    char text[32];
    for (int i = 0; i < s->n_trimmed; i++) {
        hol_number_text(s->trim_value[i], text);
        fprintf(file, "%s%s: %s%s%s", i ? ", " : "# with parameters: {", s->trimmed[i], text,
                *s->trim_unit[i] ? " " : "", s->trim_unit[i]);
    }
    if (s->n_trimmed) fprintf(file, "}\n");
}

// ---- full turns -------------------------------------------------------------------------------------------------

#define PLAIN (HOL_PI / 2) // what is nearer to where it would begin without a line needs none

typedef struct {
    FILE *file;
    const hol_model_data *m;
    const double *mem;
    bool
        all; // couplers have gone far from where they are drawn: angles of joints have lines wherever they are
    int n;   // lines
} turn_lines;

// Is it beyond a smooth stop, where full turns more or less would have it within the range?
static bool is_at_stop(const hol_model_data *m, int slot, double value)
{
    bool yes = false;
    for (int i = 0; i < m->n_ranges && !yes; i++) {
        const hol_range *r = &m->range[i];
        yes = !r->hard && r->place.leaf->turns == slot + 1 && (value < r->lo || value > r->hi) &&
              hol_range_turns(r, value) != 0;
    }
    return yes;
}

// A line of an angle whose start would be another one.
static void put_angle(turn_lines *o, int slot, bool always, bool negative, const char *object,
                      const char *coordinate)
{
    const double value = o->mem[slot + HOL_TURNS_VALUE];
    double start = 0;
    bool begun = false;
    char text[32];
    for (int i = 0; i < o->m->n_counters; i++)
        if (o->m->counter[i].leaf->turns == slot + 1) start = o->m->counter[i].start;
    for (int i = 0; i < o->m->n_begun; i++) begun = begun || o->m->begun[i].slot == slot;
    if (!begun && !always && fabs(value - start) <= PLAIN && !is_at_stop(o->m, slot, value)) return;
    hol_number_text(negative ? -value : value, text);
    fprintf(o->file, "%s  %s%s%s: %s rad\n", o->n++ ? "" : "turns:\n", object, *coordinate ? "." : "",
            coordinate, text);
}

static bool is_of_joint(const hol_model_data *m, int slot)
{
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        const int first = e->mem + e->n_mem;
        if (slot >= first && slot < first + HOL_TURNS_SIZE * hol_joint_turns(e, 3, NULL)) return true;
    }
    return false;
}

// Do couplers or screws, which count from where joints are drawn, need to be told?
static bool coupled_far(const hol_model_data *m, const double *mem)
{
    for (int i = m->n_bodies; i < m->n_elements; i++)
        for (int k = 0; k < m->element[i].n_mem && !hol_counts_alone(&m->element[i]); k += HOL_TURNS_SIZE)
            if (fabs(mem[m->element[i].mem + k + HOL_TURNS_VALUE]) > PLAIN) return true;
    return false;
}

// Coordinates of joints, springs between markers, and measures of expressions; the rest follows from these.
static void put_turns(FILE *file, const hol_model_data *m, const double *mem)
{
    turn_lines o = {.file = file, .m = m, .mem = mem, .all = coupled_far(m, mem)};
    for (int i = m->n_bodies; i < m->n_elements && m->dimension == 3; i++) {
        const hol_element *e = &m->element[i];
        if (hol_counts_alone(e)) put_angle(&o, e->mem, false, false, e->name, "");
        for (const hol_joint_coordinate *c = hol_joint_coordinates(e, 3); c->name; c++) {
            hol_leaf leaf;
            if (!hol_joint_coordinate_turns(c, 3) || hol_joint_holds_point(e)) continue;
            hol_joint_leaf_seen(m, e, c, &leaf);
            put_angle(&o, leaf.turns - 1, o.all, leaf.negative, e->name, c->name);
        }
    }
    for (int i = 0; i < m->n_counters; i++) {
        const int slot = m->counter[i].leaf->turns - 1;
        if (!is_of_joint(m, slot)) put_angle(&o, slot, false, false, m->counter[i].text, "");
    }
}

// ---- states -----------------------------------------------------------------------------------------------------

#define BEGUN 1e-6 // of its size: a state that is this near to where runs begin

static double state_value(const hol_statics *s, const hol_static_point *p, const hol_user_state *state)
{
    for (int i = 0; i < s->n_signals; i++)
        if (strcmp(s->signal[i], state->name) == 0) return state->turned ? -p->value[i] : p->value[i];
    return state->initial;
}

// A pose has no states, and what bristles and integrals hold in the equilibrium is missing where a run begins with it.
static void tell_states(hol_context *ctx, const hol_statics *s, const hol_model_data *m,
                        const hol_static_point *p)
{
    const hol_user_state *first = NULL;
    char others[40] = "";
    int n = 0;
    for (int i = 0; i < m->n_states; i++) {
        const hol_user_state *state = &m->state[i];
        if (fabs(state_value(s, p, state) - state->initial) <= BEGUN * state->size) continue;
        if (!n++) first = state;
    }
    if (n > 1) snprintf(others, sizeof others, ", as %d other%s", n - 1, n > 2 ? "s do" : " does");
    if (first)
        hol_note(
            ctx, HOL_WARNING,
            "a pose has no states: in this equilibrium \"%s\" is %.6g, and it begins at %.6g%s, so that a "
            "run from the pose does not begin at rest. Write `simulate: {start: equilibrium}` in the model "
            "that includes it: its states begin as they are here",
            first->name, state_value(s, p, first), first->initial, others);
}

// A map with a line for each body.
hol_status hol_statics_pose_to_file(hol_context *ctx, const hol_statics *s, int point, const char *path)
{
    const hol_statics_data *o = (const hol_statics_data *)s;
    hol_output out;
    if (point < 0 || point >= s->n_points)
        return hol_fail(ctx, HOL_ERR_USAGE, "there is no point %d: there are %d", point, s->n_points);
    bool good = hol_output_open(ctx, &out, path, HOL_OUTPUT_WHOLE);
    if (good) {
        fprintf(out.file, "# holonom %s: the bodies of %s in equilibrium\n", HOL_VERSION, s->model);
        put_trimmed(out.file, s);
        fprintf(out.file, "pose:\n");
        const double *value = s->point[point].value; // poses come first
        for (int k = 0; k < s->n_bodies; k++) {
            const hol_body *b = &o->m->body[k];
            const int d = o->m->dimension, turns = b->size - d;
            hol_pose_line l = {.name = b->name, .length = (int)strlen(b->name), .lengths = d};
            *(b->frame == HOL_FRAME_PLANAR ? &l.angles : &l.turns) = turns;
            memcpy(l.q, value, (size_t)b->size * sizeof *value);
            hol_pose_put_body(out.file, &l);
            value += b->size;
        }
        put_turns(out.file, o->m, o->mem[point]);
        good = !ferror(out.file);
    }
    if (!hol_output_close(&out, good)) return hol_output_fail(ctx, &out, path);
    tell_states(ctx, s, o->m, &s->point[point]);
    return HOL_OK;
}
