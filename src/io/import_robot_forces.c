// Writes what acts in a robot beside the laws of its joints: motors, tendons, springs of balls, equations between coordinates.
#include "element/marker.h"
#include "io/import_robot_write.h"
#include "io/number_text.h"

#include <math.h>
#include <string.h>

typedef hol_robot_writer writer;

// ---- expressions ----------------------------------------------------------------------------------------------

// "factor*text"; 1 is not written.
static const char *times(hol_import *in, double factor, const char *text)
{
    char number[32];
    hol_number_text(factor, number);
    return !text || factor == 1 ? text : hol_arena_print(in->arena, "%s*%s", number, text);
}

// An expression between two bounds, if there are some.
static const char *clamped(hol_import *in, const char *text, const double range[2])
{
    char low[32], high[32];
    hol_number_text(range[0], low);
    hol_number_text(range[1], high);
    return !text || range[0] >= range[1]
               ? text
               : hol_arena_print(in->arena, "max(%s, min(%s, %s))", low, high, text);
}

// text and a factor times another one, behind it; "" is none.
static const char *plus(hol_import *in, const char *text, double factor, const char *what)
{
    const char *one = times(in, fabs(factor), what);
    if (!text || !one) return NULL;
    if (factor == 0) return text;
    if (!*text) return factor > 0 ? one : hol_arena_print(in->arena, "-%s", one);
    return hol_arena_print(in->arena, "%s %c %s", text, factor > 0 ? '+' : '-', one);
}

static const char *plus_number(hol_import *in, const char *text, double x)
{
    char number[32];
    hol_number_text(fabs(x), number);
    if (!text || x == 0) return text;
    if (!*text) return hol_arena_print(in->arena, "%s%s", x < 0 ? "-" : "", number);
    return hol_arena_print(in->arena, "%s %c %s", text, x > 0 ? '+' : '-', number);
}

// A coordinate that counts from another place, as a factor.
static const char *counted(hol_import *in, const char *coordinate, double from)
{
    const char *sum = plus_number(in, coordinate, from);
    return sum && from != 0 ? hol_arena_print(in->arena, "(%s)", sum) : sum;
}

static bool turns(const hol_robot_joint *j) { return j->kind == HOL_ROBOT_REVOLUTE; }

static const char *coordinate(hol_import *in, const hol_robot_joint *j)
{
    return hol_arena_print(in->arena, "%s.%s", j->own, turns(j) ? "angle" : "stroke");
}

static const char *rate(hol_import *in, const hol_robot_joint *j)
{
    return hol_arena_print(in->arena, "%s.%s", j->own, turns(j) ? "rate" : "speed");
}

// Several of these are put together, and give NULL where there is no memory.
static hol_status put(hol_import *in, hol_node *map, const char *key, const char *text)
{
    if (!text) return HOL_ERR_MEMORY;
    hol_import_text(in, map, key, text);
    return HOL_OK;
}

static const char *new_name(writer *w, const char *text)
{
    return text ? hol_import_name(w->in, w->names, text, "_", false) : NULL;
}

// A force of a type with a name.
static hol_node *begin_force(writer *w, const char *name, const char *type)
{
    hol_node *force = hol_import_map(w->in, w->forces, NULL);
    hol_import_text(w->in, force, "name", name);
    hol_import_text(w->in, force, "type", type);
    return force;
}

static hol_status put_joint_force(writer *w, const char *name, const hol_robot_joint *j, const char *value)
{
    if (!name || !value) return HOL_ERR_MEMORY;
    hol_node *force = begin_force(w, name, turns(j) ? "torque" : "force");
    hol_import_text(w->in, force, "joint", j->own);
    return put(w->in, force, "value", value);
}

// A named expression; its name.
static const char *put_variable(writer *w, const char *name, const char *value)
{
    name = new_name(w, name);
    if (!name || !value) return NULL;
    hol_node *variable = hol_import_map(w->in, w->variables, NULL);
    hol_import_text(w->in, variable, "name", name);
    hol_import_text(w->in, variable, "value", value);
    return name;
}

// Three components, factor times one name each.
static hol_status put_components(hol_import *in, hol_node *map, const char *key, const double factor[3],
                                 const char *name)
{
    hol_node *list = hol_import_list(in, map, key);
    hol_status st = HOL_OK;
    for (int i = 0; i < 3 && !st; i++) {
        const char *text = plus(in, "", factor[i], name);
        st = put(in, list, NULL, text && !*text ? "0" : text);
    }
    return st;
}

// ---- lengths -------------------------------------------------------------------------------

// Where a link is.
static const char *end_of(writer *w, int link) { return hol_robot_end(w, link, w->r->link[link].marker); }

typedef struct {
    double factor;
    const char *place, *rate; // of the length and of its rate; NULL: the length has no such part
    double from;
} term;

typedef struct {
    term *term;
    int n;
    double constant;
} length;

static hol_status add_term(writer *w, length *l, double factor, const char *place, const char *speed,
                           double from)
{
    if (!speed) return HOL_ERR_MEMORY;
    if (factor == 0) return HOL_OK;
    if (!HOL_ARENA_GROW(w->in->arena, l->term, l->n)) return HOL_ERR_MEMORY;
    l->term[l->n++] = (term){factor, place, speed, from};
    return HOL_OK;
}

// text and a factor times the length, or its rate.
static const char *plus_length(hol_import *in, const char *text, double factor, const length *l, bool speed)
{
    for (int i = 0; i < l->n && factor != 0; i++) {
        const term *t = &l->term[i];
        const char *what = speed ? t->rate : t->place ? counted(in, t->place, t->from) : NULL;
        if (speed || t->place) text = what ? plus(in, text, factor * t->factor, what) : NULL;
    }
    return speed ? text : plus_number(in, text, factor * l->constant);
}

// Factors times coordinates of joints.
static hol_status length_of_sum(writer *w, length *l, double gear, int n, const int *joint,
                                const double *coefficient)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < n && !st; i++) {
        const hol_robot_joint *j = &w->r->joint[joint[i]];
        const char *place = coordinate(w->in, j);
        st = place ? add_term(w, l, gear * coefficient[i], place, rate(w->in, j), j->from) : HOL_ERR_MEMORY;
    }
    return st;
}

// Between two places of one body, or of ground, through which a tendon runs: it always has the same length.
static bool is_rigid(const writer *w, const hol_robot_segment *s)
{
    return w->r->link[s->link[0]].body == w->r->link[s->link[1]].body;
}

static double distance(const hol_import_frame *a, const hol_import_frame *b)
{
    return sqrt(pow(b->p[0] - a->p[0], 2) + pow(b->p[1] - a->p[1], 2) + pow(b->p[2] - a->p[2], 2));
}

// A tendon, times a gear: coordinates, or distances.
static hol_status length_of_tendon(writer *w, length *l, double gear, const hol_robot_tendon *t)
{
    hol_status st = length_of_sum(w, l, gear, t->n, t->joint, t->coefficient);
    for (int i = 0; i < t->n_segments && !st; i++) {
        const hol_robot_segment *s = &t->segment[i];
        if (is_rigid(w, s)) {
            l->constant +=
                gear / s->divisor * distance(&w->r->link[s->link[0]].place, &w->r->link[s->link[1]].place);
            continue;
        }
        const char *a = end_of(w, s->link[0]), *b = end_of(w, s->link[1]);
        const char *place = hol_arena_print(w->in->arena, "DM(%s, %s)", b, a);
        st = place ? add_term(w, l, gear / s->divisor, place,
                              hol_arena_print(w->in->arena, "VR(%s, %s)", b, a), 0)
                   : HOL_ERR_MEMORY;
    }
    return st;
}

// The parts of a frame's motion: measure "VX(to, from, along)" and two others.
static const char *measure(hol_import *in, const char *kind, int axis, const char *to, const char *from,
                           const char *along)
{
    return hol_arena_print(in->arena, along ? "%s%c(%s, %s, %s)" : "%s%c(%s, %s)", kind, "XYZ"[axis], to,
                           from, along);
}

// The rotation vector of a ball joint along the gear, which has the axes of the child or those of what is nearer to ground: it is the same in both.
static hol_status length_of_ball(writer *w, length *l, const hol_robot_motor *m, const char *ends[2])
{
    const hol_robot_joint *j = &w->r->joint[m->joint];
    hol_status st = HOL_OK;
    for (int i = 0; i < 3 && !st; i++) {
        const char *place = hol_arena_print(w->in->arena, "%s.r%c", j->own, "xyz"[i]);
        st = place ? add_term(w, l, m->gear[i], place,
                              measure(w->in, "W", i, ends[1], ends[0], ends[!m->in_parent]), 0)
                   : HOL_ERR_MEMORY;
    }
    return st;
}

// Only rates of what moves in space.
static hol_status length_of_frame(writer *w, length *l, const hol_robot_motor *m, const char *end,
                                  const char *axes[2])
{
    hol_status st = HOL_OK;
    for (int i = 0; i < 6 && !st; i++)
        st = add_term(w, l, m->gear[i], NULL,
                      measure(w->in, i < 3 ? "V" : "W", i % 3, end, "ground", axes[i / 3]), 0);
    return st;
}

// ---- motors ---------------------------------------------------------------------------------------------------

// An activation that does not leave its range.
static const char *kept_in(hol_import *in, const char *state, const char *speed, const double range[2])
{
    if (range[0] >= range[1] || !speed) return speed;
    const char *low = plus_number(in, state, -range[0]), *high = plus_number(in, state, -range[1]);
    return low && high ? hol_arena_print(in->arena,
                                         "if(%s: max(0, %s), max(0, %s), if(%s: %s, min(0, %s), min(0, %s)))",
                                         low, speed, speed, high, speed, speed, speed)
                       : NULL;
}

// What the control is, clamped, or what follows it: a state.
static const char *control_of(writer *w, const hol_robot_motor *m, const char *name)
{
    hol_import *in = w->in;
    const char *input = new_name(w, hol_arena_print(in->arena, "%s_control", name));
    const char *control = clamped(in, input, m->control);
    if (!control) return NULL;
    hol_node *given = hol_import_map(in, w->inputs, NULL);
    hol_import_text(in, given, "name", input);
    if (m->begin != 0) hol_import_number(in, given, "value", m->begin);
    if (m->dynamics == HOL_ROBOT_DIRECT) return control;
    const char *state = new_name(w, hol_arena_print(in->arena, "%s_activation", name));
    char time[32];
    hol_number_text(m->time_constant, time);
    const char *speed = !state ? NULL
                        : m->dynamics == HOL_ROBOT_INTEGRATOR
                            ? control
                            : hol_arena_print(in->arena, "(%s - %s)/%s", control, state, time);
    speed = kept_in(in, state, speed, m->activation);
    if (!speed) return NULL;
    hol_node *one = hol_import_map(in, w->states, NULL);
    hol_import_text(in, one, "name", state);
    hol_import_text(in, one, "rate", speed);
    if (m->activation_begin != 0) hol_import_number(in, one, "initial", m->activation_begin);
    return state;
}

// The force on the length.
static const char *force_of(writer *w, const hol_robot_motor *m, const char *name, const length *l)
{
    hol_import *in = w->in;
    const char *control = control_of(w, m, name), *law;
    if (m->gain[1] == 0 && m->gain[2] == 0)
        law = control ? plus(in, "", m->gain[0], control) : NULL;
    else {
        const char *gain = plus_number(in, "", m->gain[0]);
        gain = plus_length(in, plus_length(in, gain, m->gain[1], l, false), m->gain[2], l, true);
        law = gain && control ? *gain ? hol_arena_print(in->arena, "(%s)*%s", gain, control) : "" : NULL;
    }
    law = plus_number(in, law, m->bias[0]);
    law = plus_length(in, plus_length(in, law, m->bias[1], l, false), m->bias[2], l, true);
    return clamped(in, law && !*law ? "0" : law, m->force);
}

static bool is_held(const writer *w, int joint) { return w->r->joint[joint].kind == HOL_ROBOT_FIXED; }

// In a joint with one coordinate: gear times the force.
static hol_status write_simple(writer *w, const hol_robot_motor *m, const char *name)
{
    const double one = 1;
    length l = {0};
    hol_status st = length_of_sum(w, &l, m->gear[0], 1, &m->joint, &one);
    const char *law = st ? NULL : force_of(w, m, name, &l);
    if (!law) return HOL_ERR_MEMORY;
    const bool sum = strchr(law, ' ') && m->force[0] >= m->force[1] &&
                     (m->bias[0] != 0 || m->bias[1] != 0 || m->bias[2] != 0);
    if (m->gear[0] != 1 && sum) law = hol_arena_print(w->in->arena, "(%s)", law);
    return put_joint_force(w, name, &w->r->joint[m->joint], times(w->in, m->gear[0], law));
}

static void put_between(writer *w, hol_node *force, const char *first, const char *second, const char *axes)
{
    hol_node *ends = hol_import_list(w->in, force, "between");
    hol_import_text(w->in, ends, NULL, first);
    hol_import_text(w->in, ends, NULL, second);
    if (axes) hol_import_text(w->in, force, "axes", axes);
}

// The force as a variable: several have a part of it.
static const char *put_force(writer *w, const hol_robot_motor *m, const char *name, const length *l)
{
    const char *law = force_of(w, m, name, l);
    return law ? put_variable(w, hol_arena_print(w->in->arena, "%s_force", name), law) : NULL;
}

// factor times a force, which makes the tendon longer, in each joint or segment of it.
static hol_status put_on_tendon(writer *w, const hol_robot_tendon *t, const char *name, double factor,
                                const char *force)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < t->n && !st; i++) {
        const hol_robot_joint *j = &w->r->joint[t->joint[i]];
        st = put_joint_force(w, new_name(w, hol_arena_print(w->in->arena, "%s_%s", name, j->own)), j,
                             times(w->in, factor * t->coefficient[i], force));
    }
    for (int i = 0; i < t->n_segments && !st; i++) {
        const hol_robot_segment *s = &t->segment[i];
        if (is_rigid(w, s)) continue;
        const char *own = new_name(w, hol_arena_print(w->in->arena, "%s_%d", name, i + 1));
        const char *tension = plus(w->in, "", -factor / s->divisor, force);
        if (!own || !tension) return HOL_ERR_MEMORY;
        hol_node *pull = begin_force(w, own, "spring-damper");
        put_between(w, pull, end_of(w, s->link[0]), end_of(w, s->link[1]), NULL);
        st = put(w->in, pull, "force", tension);
    }
    return st;
}

static hol_status write_on_tendon(writer *w, const hol_robot_motor *m, const char *name)
{
    const hol_robot_tendon *t = &w->r->tendon[m->tendon];
    length l = {0};
    hol_status st = length_of_tendon(w, &l, m->gear[0], t);
    const char *force = st ? NULL : put_force(w, m, name, &l);
    return force ? put_on_tendon(w, t, name, m->gear[0], force) : HOL_ERR_MEMORY;
}

// A torque along the gear.
static hol_status write_on_ball(writer *w, const hol_robot_motor *m, const char *name)
{
    const hol_robot_joint *j = &w->r->joint[m->joint];
    const char *ends[2] = {hol_robot_end(w, j->parent, j->marker), hol_robot_end(w, j->child, NULL)};
    length l = {0};
    hol_status st = length_of_ball(w, &l, m, ends);
    const char *force = st ? NULL : put_force(w, m, name, &l);
    if (!force) return HOL_ERR_MEMORY;
    hol_node *torque = begin_force(w, name, "vector-force");
    put_between(w, torque, ends[0], ends[1], ends[!m->in_parent]);
    return put_components(w->in, torque, "torque", m->gear, force);
}

// A force at the origin of a frame and a torque, each in axes of its own, NULL: global ones.
static hol_status write_on_frame(writer *w, const hol_robot_motor *m, const char *name, const char *end,
                                 const char *axes[2])
{
    static const char *const keys[] = {"force", "torque"};
    length l = {0};
    hol_status st = length_of_frame(w, &l, m, end, axes);
    const char *force = st ? NULL : put_force(w, m, name, &l);
    if (!force) return HOL_ERR_MEMORY;
    bool used = false;
    for (int k = 0; k < 2 && !st; k++) {
        const double *g = m->gear + 3 * k;
        if (g[0] == 0 && g[1] == 0 && g[2] == 0) continue;
        const char *own = used ? new_name(w, hol_arena_print(w->in->arena, "%s_torque", name)) : name;
        if (!own) return HOL_ERR_MEMORY;
        used = true;
        hol_node *one = begin_force(w, own, "vector-force");
        put_between(w, one, "ground", end, axes[k]);
        st = put_components(w->in, one, keys[k], g, force);
    }
    return st;
}

// What holds still, so that a motor or tendon cannot move it.
static bool is_still(const writer *w, const hol_robot_motor *m)
{
    bool any = m->joint >= 0 && is_held(w, m->joint);
    for (int i = 0; m->tendon >= 0 && i < w->r->tendon[m->tendon].n; i++)
        any = any || is_held(w, w->r->tendon[m->tendon].joint[i]);
    return any;
}

// An input, and what it makes of the joint, tendon or frame.
static hol_status write_motor(writer *w, const hol_robot_motor *m)
{
    hol_import *in = w->in;
    in->at = m->at;
    if (is_still(w, m))
        return hol_import_tell(in, HOL_TOLD_MISSED, m->at, m->name, "motors of joints that are held",
                               "they are left out");
    if (m->site >= 0 && w->r->link[w->r->link[m->site].body].ground)
        return hol_import_tell(in, HOL_TOLD_LEFT_OUT, m->at, m->name, "motors at places of ground", "");
    const char *name = hol_import_name(in, w->names, m->name, "_motor", false);
    if (!name) return HOL_ERR_MEMORY;
    if (m->tendon >= 0) return write_on_tendon(w, m, name);
    if (m->site >= 0) {
        const char *end = end_of(w, m->site);
        return write_on_frame(w, m, name, end, (const char *[]){end, end});
    }
    const hol_robot_joint *j = &w->r->joint[m->joint];
    if (j->kind == HOL_ROBOT_SPHERICAL) return write_on_ball(w, m, name);
    if (j->kind != HOL_ROBOT_FLOATING) return write_simple(w, m, name);
    const char *end = hol_robot_end(w, j->child, NULL);
    return write_on_frame(w, m, name, end, (const char *[]){NULL, m->in_parent ? NULL : end});
}

// ---- tendons --------------------------------------------------------------------------------------------------

// A factor times a sum, behind what there is, which is "" at first.
static const char *with_sum(hol_import *in, const char *text, double factor, const char *sum)
{
    if (!sum || !text || factor == 0) return sum ? text : NULL;
    const char *one = times(in, factor, hol_arena_print(in->arena, "(%s)", sum));
    return one ? hol_arena_print(in->arena, "%s%s%s", text, *text ? " + " : "", one) : NULL;
}

// Where a link is with all springs of joints free.
static hol_import_frame at_rest(const hol_robot *r, int link)
{
    hol_import_frame there = hol_frame_none;
    for (int i = link; r->link[i].joint >= 0; i = r->joint[r->link[i].joint].parent) {
        hol_robot_joint j = r->joint[r->link[i].joint];
        j.start = j.rest;
        j.begins = false;
        const hol_import_frame moved = hol_robot_motion(&j), own = hol_frame_times(&j.frame, &moved);
        there = hol_frame_times(&own, &there);
    }
    return there;
}

// The length without force, less what the coordinates here begin with.
static double rest_of(const hol_robot *r, const hol_robot_tendon *t)
{
    double rest = t->rests_with_springs ? 0 : t->rest;
    for (int i = 0; i < t->n; i++) {
        const hol_robot_joint *j = &r->joint[t->joint[i]];
        rest += t->coefficient[i] * (t->rests_with_springs ? j->rest : -j->from);
    }
    for (int i = 0; i < t->n_segments && t->rests_with_springs; i++) {
        const hol_robot_segment *s = &t->segment[i];
        const hol_import_frame a = at_rest(r, s->link[0]), b = at_rest(r, s->link[1]);
        rest += distance(&a, &b) / s->divisor;
    }
    return rest;
}

// Its tension, and what that does in each of its joints or segments.
static hol_status write_tendon(writer *w, const hol_robot_tendon *t)
{
    hol_import *in = w->in;
    length l = {0};
    in->at = t->at;
    if (t->stiffness == 0 && t->damping == 0) return HOL_OK;
    for (int i = 0; i < t->n; i++)
        if (is_held(w, t->joint[i]))
            return hol_import_tell(in, HOL_TOLD_MISSED, t->at, t->name, "tendons with joints that are held",
                                   "they are left out");
    hol_status st = length_of_tendon(w, &l, 1, t);
    if (st || !l.n) return st;                        // what always has the same length pulls nothing
    for (int i = 0; i < l.n; i++) l.term[i].from = 0; // rest_of counts these
    l.constant -= rest_of(w->r, t);
    const char *sum = plus_length(in, "", 1, &l, false);
    const char *tension = with_sum(in, "", t->stiffness, sum);
    tension = with_sum(in, tension, t->damping, plus_length(in, "", 1, &l, true));
    const char *name =
        tension ? put_variable(w, hol_arena_print(in->arena, "%s_tension", t->name), tension) : NULL;
    return name ? put_on_tendon(w, t, t->name, -1, name) : HOL_ERR_MEMORY;
}

// ---- balls and bodies that float ------------------------------------------------------------------------------

// Components of the force and the torque on the child: factors of the rotation vector and of measures, kind[0] of the force's, kind[1] of the torque's.
static hol_status put_factors(writer *w, hol_node *force, const hol_robot_joint *j, const char *ends[2],
                              double stiffness, double factor, const char *const kind[2])
{
    hol_import *in = w->in;
    const bool ball = j->kind == HOL_ROBOT_SPHERICAL;
    hol_status st = HOL_OK;
    for (int k = ball; k < 2 && !st; k++) {
        hol_node *list = hol_import_list(in, force, k ? "torque" : "force");
        for (int i = 0; i < 3 && !st; i++) {
            const char *place = ball ? hol_arena_print(in->arena, "%s.r%c", j->own, "xyz"[i]) : "",
                       *along = ball ? ends[0] : NULL, *text = plus(in, "", -stiffness, place);
            const char *rate = measure(in, kind[k], i, ends[1], ends[0], along);
            if (ball && rate && strcmp(kind[k], "WDT") == 0) // as seen from what is nearer to ground
                rate = hol_arena_print(in->arena, "WDT%c(%s, %s, %s, %s)", "XYZ"[i], ends[1], ends[0], along,
                                       along);
            st = put(in, list, NULL, plus(in, text, -factor, rate));
        }
    }
    return st;
}

// -stiffness times the rotation vector and -damping times the rates; -armature times the accelerations, for an inertia in all directions.
static hol_status write_free_law(writer *w, const hol_robot_joint *j)
{
    static const char *const rates[] = {"V", "W"}, *const accelerations[] = {"ACC", "WDT"};
    hol_import *in = w->in;
    const bool ball = j->kind == HOL_ROBOT_SPHERICAL, spring = ball && j->stiffness != 0;
    if (!ball && j->kind != HOL_ROBOT_FLOATING) return HOL_OK;
    in->at = j->at;
    const char *ends[2] = {ball ? hol_robot_end(w, j->parent, j->marker) : "ground",
                           hol_robot_end(w, j->child, NULL)};
    const char *stem = ball ? j->own : ends[1];
    hol_status st = HOL_OK;
    for (int k = 0; k < 2 && !st; k++) {
        if (k ? j->armature == 0 : !spring && j->damping == 0) continue;
        const char *own = new_name(w, hol_arena_print(in->arena, "%s_%s", stem,
                                                      k        ? "rotor"
                                                      : spring ? "spring"
                                                               : "damper"));
        if (!own) return HOL_ERR_MEMORY;
        hol_node *force = begin_force(w, own, "vector-force");
        put_between(w, force, ends[0], ends[1], ball ? ends[0] : NULL);
        st = put_factors(w, force, j, ends, spring && !k ? j->stiffness : 0, k ? j->armature : j->damping,
                         k ? accelerations : rates);
    }
    return st;
}

// ---- equations ------------------------------------------------------------------------------------------------

// A coordinate as constraints take it: angles without their turns.
static const char *place_of(writer *w, const hol_robot_joint *j)
{
    const char *place =
        turns(j) ? hol_arena_print(w->in->arena, "AZ(%s, %s)", hol_robot_end(w, j->child, j->own_marker),
                                   hol_robot_end(w, j->parent, j->marker))
                 : coordinate(w->in, j);
    return place ? counted(w->in, place, j->turned) : NULL;
}

// A sum of coordinates from the reference on.
static const char *sum_of(writer *w, const hol_robot_sum *s)
{
    const char *text = "";
    for (int i = 0; i < s->n; i++)
        text = plus(w->in, text, s->coefficient[i], place_of(w, &w->r->joint[s->joint[i]]));
    return text;
}

// Does a joint turn beyond half a turn, where a constraint has lost its angle, or not at all?
static bool is_lost(const writer *w, const hol_robot_sum *s, bool held)
{
    bool any = false;
    for (int i = 0; i < s->n; i++) {
        const hol_robot_joint *j = &w->r->joint[s->joint[i]];
        any = any || (held ? is_held(w, s->joint[i])
                           : turns(j) && !(j->limited && j->lower > -HOL_PI && j->upper < HOL_PI));
    }
    return any;
}

// left - a1 right, each joint once, at most three of them; 0: there are more, or one has no part of it.
static int collect(const hol_robot_equation *q, int joint[3], double factor[3])
{
    int n = 0;
    for (int k = 0; k < q->left.n + q->right.n; k++) {
        const bool right = k >= q->left.n;
        const hol_robot_sum *s = right ? &q->right : &q->left;
        const int i = right ? k - q->left.n : k;
        int at = 0;
        while (at < n && joint[at] != s->joint[i]) at++;
        if (at == 3) return 0;
        if (at == n) joint[n] = s->joint[i], factor[n++] = 0;
        factor[at] += right ? -q->a[1] * s->coefficient[i] : s->coefficient[i];
    }
    for (int i = 0; i < n; i++)
        if (factor[i] == 0) return 0;
    return n;
}

// Bodies that the joints of an equation move, at most one more than an equation may have.
static int count_bodies(const writer *w, const hol_robot_equation *q)
{
    int body[HOL_MAX_BODIES + 1], n = 0;
    for (int k = 0; k < 2 * (q->left.n + q->right.n) && n <= HOL_MAX_BODIES; k++) {
        const bool right = k / 2 >= q->left.n;
        const hol_robot_sum *s = right ? &q->right : &q->left;
        const hol_robot_joint *j = &w->r->joint[s->joint[right ? k / 2 - q->left.n : k / 2]];
        const int one = w->r->link[k % 2 ? j->child : j->parent].body;
        int at = 0;
        while (at < n && body[at] != one) at++;
        if (at == n && !w->r->link[one].ground) body[n++] = one;
    }
    return n;
}

// Where nothing stands on the right, the constant alone counts.
static bool is_line(const hol_robot_equation *q)
{
    return !q->right.n || (q->a[2] == 0 && q->a[3] == 0 && q->a[4] == 0);
}

// A joint that stays at a place: a driver.
static void write_held(writer *w, const hol_robot_equation *q, const char *name)
{
    const hol_robot_joint *j = &w->r->joint[q->left.joint[0]];
    hol_node *driver = hol_import_map(w->in, w->drivers, NULL);
    hol_import_text(w->in, driver, "name", name);
    hol_import_text(w->in, driver, "type", turns(j) ? "angle" : "stroke");
    hol_import_text(w->in, driver, "joint", j->own);
    hol_import_number(w->in, driver, "value", q->a[0] / q->left.coefficient[0] - j->turned);
}

// left - polynomial of right = 0.
static hol_status write_polynomial(writer *w, const hol_robot_equation *q, const char *name)
{
    hol_import *in = w->in;
    const char *left = sum_of(w, &q->left), *right = sum_of(w, &q->right);
    const char *text = plus_number(in, left, -q->a[0]);
    for (int k = 1; k < 5 && q->right.n; k++) {
        const char *power = !right   ? NULL
                            : k == 1 ? hol_arena_print(in->arena, "(%s)", right)
                                     : hol_arena_print(in->arena, "(%s)^%d", right, k);
        text = plus(in, text, -q->a[k], power);
    }
    if (!text) return HOL_ERR_MEMORY;
    hol_node *one = hol_import_map(in, w->constraints, NULL);
    hol_import_text(in, one, "name", name);
    return put(in, one, "position", text);
}

// A driver, a coupler, or a constraint, whichever is the simplest that says it.
static hol_status write_equation(writer *w, const hol_robot_equation *q)
{
    int joint[3];
    double factor[3];
    hol_import *in = w->in;
    in->at = q->at;
    if (is_lost(w, &q->left, true) || is_lost(w, &q->right, true))
        return hol_import_tell(in, HOL_TOLD_MISSED, q->at, q->name, "equalities of joints that are held",
                               "they are left out");
    if (count_bodies(w, q) > HOL_MAX_BODIES)
        return hol_import_tell(in, HOL_TOLD_MISSED, q->at, q->name,
                               "equalities of joints of more than four bodies", "they are left out");
    const int n = is_line(q) ? collect(q, joint, factor) : 0;
    double drawn = 0; // a coupler keeps what is drawn
    for (int i = 0; i < n; i++)
        drawn += factor[i] * (w->r->joint[joint[i]].start + w->r->joint[joint[i]].turned);
    const bool held = n == 1 && !q->right.n, line = n > 1 && fabs(drawn - q->a[0]) < 1e-12;
    if (!held && !line && (is_lost(w, &q->left, false) || is_lost(w, &q->right, false)))
        return hol_import_tell(in, HOL_TOLD_MISSED, q->at, q->name,
                               "polynomials of hinges that no range keeps within half a turn",
                               "they are left out; a range of the joint helps");
    const char *name = new_name(w, q->name);
    if (!name) return HOL_ERR_MEMORY;
    if (held)
        write_held(w, q, name);
    else if (line)
        hol_robot_put_coupler(w, name, q->at, n, joint, factor);
    else
        return write_polynomial(w, q, name);
    return HOL_OK;
}

hol_status hol_robot_write_forces(hol_robot_writer *w)
{
    const hol_robot *r = w->r;
    hol_status st = HOL_OK;
    for (int i = 0; i < r->n_joints && !st; i++) st = write_free_law(w, &r->joint[i]);
    for (int i = 0; i < r->n_equations && !st; i++) st = write_equation(w, &r->equation[i]);
    for (int i = 0; i < r->n_motors && !st; i++) st = write_motor(w, &r->motor[i]);
    for (int i = 0; i < r->n_tendons && !st; i++) st = write_tendon(w, &r->tendon[i]);
    return st;
}
