// Laws of joints as forces in them: each has an expression over the joint's coordinate c, its rate v, the size F of the joint's
// force, and what the user gives as expressions; states and events of its own follow (docs/theory.md, 8.14).
#include "model/laws.h"
#include "element/coordinate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define CLOSE 1e-12 // relative, of a joint that is drawn at the end of its range
#define NEVER 1e30  // a speed that sets no damping
#define SOON 0.01   // [s]

enum { MOST_NAMES = 16 };
enum { RATE, FORCE, PUSH, PLACE }; // what name_joint names, in its order
#define TEXT(l, ...)                                                                                         \
    hol_arena_print((l)->c->spec->arena, __VA_ARGS__) // NULL: no memory, which those who take it tell

// What the names of a law's expressions stand for.
typedef struct {
    hol_compiler *c;
    const hol_spec_element *joint;
    int element; // the joint's
    const hol_spec_law *law;
    bool stroke;
    bool turned;             // what has the direction of the coordinate is shown with the other sign
    const char *name, *path; // "hinge.motor", "joints.hinge.motor"
    int n_names;
    struct {
        const char *name;
        hol_leaf leaf;
    } known[MOST_NAMES];
    int n_used; // of the expression that is read
    int used[MOST_NAMES];
} law;

static void name_leaf(law *l, const char *name, const hol_leaf *leaf)
{
    assert(l->n_names < MOST_NAMES);
    l->known[l->n_names].name = name;
    l->known[l->n_names++].leaf = *leaf;
}

// Finds a name; leaves are numbered in the order in which the expression uses them.
static int find(void *user, const hol_leaf_call *call)
{
    law *l = user;
    for (int i = 0; i < l->n_names && !call->call; i++) {
        if (strlen(l->known[i].name) != (size_t)call->name.length ||
            strncmp(l->known[i].name, call->name.text, (size_t)call->name.length) != 0)
            continue;
        for (int k = 0; k < l->n_used; k++)
            if (l->used[k] == i) return k;
        l->used[l->n_used] = i;
        return l->n_used++;
    }
    return HOL_LEAF_UNKNOWN;
}

// The expression of `text` in an equation that is there.
static hol_status express(law *l, const char *text, hol_equation *e)
{
    const hol_leaves leaves = {find, NULL, NULL, l, NULL};
    hol_spec *spec = l->c->spec;
    l->n_used = 0;
    if (!text) return HOL_ERR_MEMORY;
    hol_status st =
        hol_expr_parse_leaves(spec->ctx, spec->arena, text, l->law->at, NULL, NULL, &leaves, &e->expr);
    hol_leaf *leaf = hol_arena_alloc(spec->hot, (size_t)l->n_used + 1, sizeof *leaf);
    if (st || !leaf) return st ? st : HOL_ERR_MEMORY;
    for (int i = 0; i < l->n_used; i++) leaf[i] = l->known[l->used[i]].leaf;
    e->leaf = leaf;
    e->n_leaves = l->n_used;
    return HOL_OK;
}

// An equation z = text, whose unknown the law calls `name`; column: its name as a signal behind the law's, NULL: it has none.
static hol_status equate(law *l, const char *name, const char *column, const char *unit, const char *text)
{
    const char *own = column ? hol_arena_print(l->c->spec->arena, "%s.%s", l->name, column) : l->name;
    hol_equation *e = own ? hol_push_unknown(l->c, own, l->path, l->law->at, 1) : NULL;
    if (!e) return HOL_ERR_MEMORY;
    const hol_leaf leaf = {.kind = HOL_LEAF_VALUE, .index = l->c->m->n_equations - 1};
    e->hidden = !column;
    e->law = true;
    e->unit = unit;
    hol_status st = express(l, text, e);
    if (!st) name_leaf(l, name, &leaf);
    return st;
}

// The state that `integrate` makes next, whose name the expressions before it use.
static void name_state(law *l, const char *name)
{
    const hol_leaf leaf = {.kind = HOL_LEAF_STATE, .index = l->c->m->n_states};
    name_leaf(l, name, &leaf);
}

// A state that has been named, and its rate, an unknown of the law.
static hol_status integrate(law *l, const char *column, const char *unit, const char *rate, double initial,
                            double size, const char *text)
{
    hol_model_data *m = l->c->m;
    const char *own = hol_arena_print(l->c->spec->arena, "%s.%s", l->name, column);
    if (!own || !HOL_ARENA_GROW(l->c->spec->arena, m->state, m->n_states)) return HOL_ERR_MEMORY;
    m->state[m->n_states++] = (hol_user_state){own, unit, m->n_equations, l->turned, initial, size};
    return equate(l, rate, NULL, NULL, text);
}

// A value of the file as a part of a text: its number, or the name of an unknown that is its expression.
static const char *term(law *l, const hol_value *v, const char *name)
{
    hol_arena *arena = l->c->spec->draft;
    if (!v->fn) return hol_arena_print(arena, "(%.17g)", v->num);
    if (hol_expr_is_constant(v->fn[0])) return hol_arena_print(arena, "(%.17g)", hol_expr_value(v->fn[0]));
    hol_equation *e = hol_push_unknown(l->c, l->name, l->path, v->at, 1);
    if (!e) return NULL;
    const hol_leaf leaf = {.kind = HOL_LEAF_VALUE, .index = l->c->m->n_equations - 1};
    e->hidden = true;
    e->formula = v->formula[0];
    name_leaf(l, name, &leaf);
    return name;
}

static const char *unit_of(const law *l) { return l->stroke ? "N" : "N m"; }

// Of what a motor misses of its place or its speed, summed over the time.
static const char *unit_of_integral(const law *l)
{
    const bool place = l->law->value[HOL_MOTOR_PLACE].given;
    return l->stroke ? (place ? "m s" : "m") : place ? "rad s" : "rad";
}

// An element of this type and name in the joint.
static hol_status add_element(law *l, const char *name, const hol_element_type *type, const hol_value *value)
{
    hol_spec_element s = {.name = name,
                          .at = l->law->at,
                          .name_at = l->law->at,
                          .type = type,
                          .value = value,
                          .idle = type == &hol_joint_stop,
                          .n_joints = 1};
    const hol_word of = {hol_own_name(l->joint->at, l->joint->name), l->joint->at};
    s.coupled = &of;
    return name ? hol_add_element(l->c, &s) : HOL_ERR_MEMORY;
}

// A force of this type in the joint.
static hol_status add_force(law *l, const hol_element_type *type, const hol_value *value)
{
    return add_element(l, l->name, type, value);
}

// The unknown that was made last is the one input of the force.
static hol_status feed(const hol_compiler *c, hol_element *e, int z)
{
    hol_input *input = hol_arena_alloc(c->spec->hot, 1, sizeof *input);
    if (!input) return HOL_ERR_MEMORY;
    input->z = z;
    e->input = input;
    e->n_inputs = 1;
    return HOL_OK;
}

// A force of this type in the joint with the unknown that was made last.
static hol_status apply_as(law *l, const hol_element_type *type, const hol_value *value)
{
    const int z = l->c->m->n_equations - 1;
    const hol_status st = add_force(l, type, value);
    return st ? st : feed(l->c, &l->c->m->element[l->c->m->n_elements - 1], z);
}

static hol_status apply(law *l)
{
    const hol_value value[2] = {{.given = false}, {.given = l->law->coordinate, .text = l->law->coordinate}};
    return apply_as(l, l->stroke ? &hol_force_joint_force : &hol_force_joint_torque, value);
}

// The size of the force of the joint with this number.
static hol_leaf size_of_force(const hol_model_data *m, int joint)
{
    const hol_element *e = &m->element[joint];
    hol_leaf out = {
        .kind = HOL_LEAF_REACTION, .index = joint, .component = 6, .n_bodies = e->n_bodies, .ny = e->ny};
    memcpy(out.body, e->body, sizeof out.body);
    return out;
}

// The coordinate that has the laws (0), its rate (1) or its second derivative (2).
static const hol_joint_coordinate *named(const hol_compiler *c, const hol_element *joint, int level)
{
    static const char *const names[2][3] = {{"angle", "rate", "angle_accel"},
                                            {"stroke", "speed", "stroke_accel"}};
    const bool stroke = joint->type->coordinate == HOL_COORDINATE_STROKE;
    const hol_joint_coordinate *own = hol_joint_coordinate_find(joint, c->m->dimension, names[stroke][level]);
    return own ? own : hol_joint_coordinate_find(joint, c->m->dimension, "accel"); // of a joint with one
}

hol_status hol_compile_law(hol_compiler *c, const hol_spec_element *s, hol_element *e)
{
    const int joint = hol_names_find_at(c->others, s->coupled[0].at, s->coupled[0].name);
    const hol_spec_law at = {.at = e->at};
    law l = {.c = c, .law = &at, .name = e->name, .path = s->path};
    const hol_leaf F = size_of_force(c->m, joint);
    hol_leaf v;
    hol_joint_leaf(&c->m->element[joint], c->m->dimension, named(c, &c->m->element[joint], 1), &v);
    v.negative = hol_leaf_turns_against(&v.measured.part[0], e->mirror); // the same coordinate as e brakes
    name_leaf(&l, "v", &v);
    name_leaf(&l, "F", &F);
    const hol_status st = equate(&l, "T", NULL, NULL, s->type->law(s->value, c->spec->arena));
    return st ? st : feed(c, e, c->m->n_equations - 1);
}

// The coordinate, or its rate, at the drawn pose.
static double drawn(const law *l, int which) { return hol_drawn_leaf(l->c->m, &l->known[which].leaf); }

// ---- the laws ---------------------------------------------------------------------------------------------------

static const hol_value *of_type(const law *l, const char *key)
{
    return &l->law->value[hol_option_find(l->joint->type->options, key) - l->joint->type->options];
}

// The unknown that acts in the joint: T = text.
static hol_status act(law *l, const char *text)
{
    const hol_status st = equate(l, "T", NULL, NULL, text);
    return st ? st : apply(l);
}

// -k (c - c0) - b v + preload
static hol_status spring(law *l)
{
    const double k = of_type(l, "stiffness")->num, c0 = of_type(l, l->stroke ? "length" : "angle")->num;
    const char *b = term(l, of_type(l, "damping"), "b"), *p = term(l, of_type(l, "preload"), "p");
    const hol_value value[2] = {{.num = k}, {.num = c0}};
    if (!b || !p) return HOL_ERR_MEMORY;
    const hol_status st = equate(l, "T", NULL, NULL, TEXT(l, "-(%.17g)*(c-(%.17g))-%s*v+%s", k, c0, b, p));
    return st ? st : apply_as(l, l->stroke ? &hol_joint_spring_stroke : &hol_joint_spring_angle, value);
}

// The rotor of the joint's motor, through its gear.
static hol_status armature(law *l)
{
    hol_value value[2] = {*of_type(l, "armature"), {.num = 1}}; // inertia or mass, gear
    for (int i = 0; i < l->joint->n_laws; i++)
        if (l->joint->law[i].kind == HOL_LAW_MOTOR) value[1].num = l->joint->law[i].value[HOL_MOTOR_GEAR].num;
    value[0].num *= value[1].num * value[1].num;
    value[1].given = !l->stroke && of_type(l, "rotor")->num == 0; // full
    return value[0].num > 0 ? add_force(l, l->stroke ? &hol_force_inerter : &hol_force_rotor, value) : HOL_OK;
}

// Names the rate of the place that the motor goes to, which must be a function of time. A place that stays has none.
static hol_status name_rate(law *l, const char **rate)
{
    const hol_value *place = &l->law->value[HOL_MOTOR_PLACE];
    const hol_formula *f = place->formula ? place->formula[0] : NULL;
    *rate = "0";
    if (!f || hol_expr_is_constant(f->expr)) return HOL_OK;
    if (f->n_leaves)
        return hol_fail_at(
            l->c->m->ctx, HOL_ERR_MODEL, place->at,
            "%s.%s: \"%s\" takes more than the time, and feed_forward derives functions of time "
            "alone; write such a function here, or give the rate as `speed` in its place",
            l->path, l->stroke ? "stroke" : "angle", hol_expr_text(f->expr));
    const hol_leaf leaf = {.kind = HOL_LEAF_PACE, .of_time = f->expr, .component = !l->stroke};
    name_leaf(l, *rate = "rate", &leaf);
    return HOL_OK;
}

// What the motor would give without an end, u, by its gains: kp e + ki integral of e + kd (rate - v), where e is what is missing of the
// place or of the speed.
static hol_status follow(law *l, const char **error)
{
    const hol_value *v = l->law->value;
    const bool place = v[HOL_MOTOR_PLACE].given;
    const char *target = term(l, &v[place ? HOL_MOTOR_PLACE : HOL_MOTOR_RATE], "place"),
               *rate = place && v[HOL_MOTOR_RATE].given ? term(l, &v[HOL_MOTOR_RATE], "rate") : "0";
    if (!target || !rate) return HOL_ERR_MEMORY;
    hol_status st = v[HOL_MOTOR_FEED_FORWARD].num > 0 ? name_rate(l, &rate) : HOL_OK;
    if (st) return st;
    *error = TEXT(l, "(%s-%s)", target, place ? "c" : "v");
    if (!*error) return HOL_ERR_MEMORY;
    const char *sum = "0";
    if (v[HOL_MOTOR_KI].num > 0) name_state(l, sum = "sum");
    st = equate(l, "u", "command", unit_of(l),
                TEXT(l, "%.17g*%s+%.17g*%s+%.17g*(%s-v)", v[HOL_MOTOR_KP].num, *error, v[HOL_MOTOR_KI].num,
                     sum, place ? v[HOL_MOTOR_KD].num : 0, rate));
    if (!st) l->c->m->equation[l->c->m->n_equations - 1].turned = l->turned;
    return st;
}

// What is asked for, clipped to what the motor has, times the gear. The integral follows a motor at its end within `windup`.
static hol_status motor(law *l)
{
    const hol_value *v = l->law->value;
    const bool follows = !v[HOL_MOTOR_EFFORT].given, limited = v[HOL_MOTOR_MAX].given;
    const double ki = v[HOL_MOTOR_KI].num,
                 windup = v[HOL_MOTOR_WINDUP].given ? v[HOL_MOTOR_WINDUP].num : v[HOL_MOTOR_KP].num / ki;
    const char *error = NULL, *asked = "u", *most = limited ? term(l, &v[HOL_MOTOR_MAX], "most") : "";
    hol_status st = follows ? follow(l, &error) : HOL_OK;
    if (!follows) asked = term(l, &v[HOL_MOTOR_EFFORT], "asked");
    if (st || !asked || !most) return st ? st : HOL_ERR_MEMORY;
    if (limited) st = equate(l, "g", NULL, NULL, TEXT(l, "min(max(%s,-%s),%s)", asked, most, most));
    if (!st && ki > 0)
        st = integrate(l, "integral", unit_of_integral(l), "ds", 0, 1,
                       limited ? TEXT(l, "%s+(g-u)/(%.17g)", error, ki * windup) : error);
    return st ? st : act(l, TEXT(l, "(%.17g)*%s", v[HOL_MOTOR_GEAR].num, limited ? "g" : asked));
}

// The limit of the friction as a text: what is given, larger at rest.
static const char *largest(law *l)
{
    const hol_value *v = l->law->value;
    const double radius = v[HOL_FRICTION_RADIUS].given ? v[HOL_FRICTION_RADIUS].num : 1;
    const char *f = v[HOL_FRICTION_EFFORT].given
                        ? TEXT(l, "(%.17g)", v[HOL_FRICTION_EFFORT].num)
                        : TEXT(l, "(%.17g)*(%.17g+F)", v[HOL_FRICTION_COEFFICIENT].num * radius,
                               v[HOL_FRICTION_PRELOAD].num);
    if (!f || v[HOL_FRICTION_STATIC].num == 1) return f;
    return TEXT(l, "%s*(1+(%.17g)*exp(-(v/(%.17g))^2))", f, v[HOL_FRICTION_STATIC].num - 1,
                v[HOL_FRICTION_STRIBECK].num);
}

// What one body resists with, alone and from rest: its mass, or its inertia about the joint's axis; ground does without end.
static double inertia_of_end(const law *l, const hol_end *end)
{
    const hol_marker *k = end->marker;
    const bool plane = l->c->m->dimension == 2;
    hol_inertia b;
    if (end->body < 0) return HOL_INF;
    l->c->m->element[end->body].type->inertia(l->c->m->element[end->body].data, &b);
    if (l->stroke) return b.m;
    double along = 0, square = 0, own = 0;
    for (int i = 0; i < 3; i++) {
        const double u = plane ? i == 2 : k->u[2][i];
        along += k->s[i] * u;
        square += k->s[i] * k->s[i];
        for (int j = 0; j < 3; j++) own += u * b.J[3 * i + j] * (plane ? j == 2 : k->u[2][j]);
    }
    return own + b.m * (square - along * along);
}

// Of both against each other, as if nothing else held them.
static double inertia_of(const law *l)
{
    const hol_element *e = &l->c->m->element[l->element];
    return 1 / (1 / inertia_of_end(l, &e->end[0]) + 1 / inertia_of_end(l, &e->end[1]));
}

// The bristle of a joint that begins to slide, so fast that it would be stretched within SOON, is stretched as far as it goes, and no
// farther by a bit: there it would be drawn back.
static double first_stretch(const law *l, double k)
{
    const hol_value *f = &l->law->value[HOL_FRICTION_EFFORT];
    const double v = drawn(l, RATE), most = f->given ? 1.3 * (1 - 1e-9) * f->num / k : 0;
    return fabs(v) * SOON > most ? copysign(most, v) : 0;
}

// The bristle of contact mechanics in one coordinate (8.56): a spring x that gives way where it would pull more than the friction.
static hol_status bristle(law *l, const char *largest_text, const char *engaged)
{
    const hol_value *v = l->law->value;
    const double size = v[HOL_FRICTION_EFFORT].given ? v[HOL_FRICTION_EFFORT].num * v[HOL_FRICTION_STATIC].num
                                                     : 1,
                 k = v[HOL_FRICTION_STIFFNESS].given ? v[HOL_FRICTION_STIFFNESS].num
                                                     : size / (l->stroke ? 1e-5 : 1e-4),
                 d = v[HOL_FRICTION_DAMPING].given ? v[HOL_FRICTION_DAMPING].num
                                                   : 2 * sqrt(k * inertia_of(l));
    hol_status st = equate(l, "f", "limit", unit_of(l), TEXT(l, "max(%s,%.17g)", largest_text, 1e-9 * size));
    if (!st) name_state(l, "x");
    // x' = v - w v where v stretches it, and back where the limit has fallen below what the bristle holds
    if (!st)
        st = integrate(l, "bristle", l->stroke ? "m" : "rad", "dx", first_stretch(l, k), size / k,
                       TEXT(l,
                            "v-step5(%.17g*x/f,0.7,0,1.3,1)*max(v,0)-step5(-%.17g*x/f,0.7,0,1.3,1)*min(v,0)"
                            "-1000*(max(x-1.3*f/(%.17g),0)+min(x+1.3*f/(%.17g),0))",
                            k, k, k, k));
    if (!st) st = equate(l, "b", NULL, NULL, TEXT(l, "min(max((%.17g*x+%.17g*dx)/f,-1.3),1.3)", k, d));
    if (!st) st = equate(l, "s", NULL, NULL, "max((b-0.7)/0.6,0)-max((-b-0.7)/0.6,0)");
    return st ? st : act(l, TEXT(l, "-%s*f*(b-0.6*s^3*(2.5*abs(s)-3*s^2+s^2*abs(s)))", engaged));
}

// What is engaged takes part with all of its bristle: where nothing is, it slides along, and holds as soon as something is.
static hol_status friction(law *l)
{
    const hol_value *v = l->law->value;
    const char *f = largest(l), *part = term(l, &v[HOL_FRICTION_ENGAGED], "part"),
               *engaged = part ? TEXT(l, "max(%s,0)", part) : NULL;
    if (!f || !engaged) return HOL_ERR_MEMORY;
    if (!v[HOL_FRICTION_TRANSITION].given) return bristle(l, f, engaged);
    return act(l, TEXT(l, "-%s*%s*tanh(v/(%.17g))", engaged, f, v[HOL_FRICTION_TRANSITION].num));
}

// x of (3.1), x - ln(1 + x) = -e x - ln(1 - e x), for 0 < e < 1: by bisection, since it is found once.
static double approach_of(double e)
{
    double lo = 0, hi = 1 / e;
    if (e >= 1) return 0;
    lo = 1e-9 * (1 - e);
    for (int i = 0; i < 200; i++) {
        const double x = 0.5 * (lo + hi);
        const double g = x - log1p(x) + e * x + log1p(-e * x);
        if (g > 0) // below the root the left side is larger
            lo = x;
        else
            hi = x;
    }
    return 0.5 * (lo + hi);
}

// The speed of the last approach, a number in the memory that this event of the law sets.
static hol_status hold(law *l, const char *name, const char *event, double initial, int *slot)
{
    hol_model_data *m = l->c->m;
    const char *own = TEXT(l, "%s.approach_%s", l->name, event);
    if (!own || !HOL_ARENA_GROW(l->c->spec->arena, l->c->law_held, l->c->n_law_held)) return HOL_ERR_MEMORY;
    *slot = m->n_mem++;
    l->c->law_held[l->c->n_law_held++] = (hol_held){own, NULL, *slot, initial, false, false, false};
    const hol_leaf leaf = {.kind = HOL_LEAF_HELD, .index = *slot};
    name_leaf(l, name, &leaf);
    return HOL_OK;
}

// An event of the law where `when` rises through 0.
static hol_event *happen(law *l, const char *name, const char *when)
{
    hol_spec *spec = l->c->spec;
    const char *own = hol_arena_print(spec->arena, "%s.%s", l->name, name);
    if (!own || !HOL_ARENA_GROW(spec->arena, l->c->law_event, l->c->n_law_events)) return NULL;
    hol_event *e = &l->c->law_event[l->c->n_law_events++];
    *e = (hol_event){.name = own, .at = l->law->at, .direction = 1};
    e->when = hol_arena_alloc(spec->arena, 1, sizeof *e->when);
    e->sign = l->c->m->n_mem++;
    e->count = l->c->m->n_mem++;
    if (!e->when || express(l, when, e->when)) return NULL;
    e->when->name = own;
    return e;
}

// The speed that a stop is set by before it is met: none loses anything then, since attempts of steps go in before the event is found.
// A joint that begins at the stop does not meet it.
static double first_speed(const law *l, double end, double sense)
{
    const double c = drawn(l, PLACE), v = drawn(l, RATE);
    const bool touches = fabs(c - end) <= CLOSE * fmax(1, fabs(end));
    return touches ? fmax(sense * v, l->law->value[HOL_LIMITS_SLOWEST].num) : NEVER;
}

// The speed of going in, which a smooth stop sets its damping by, is what it is at the beginning. sense: +1 at the upper end.
static hol_status note_speed(law *l, const char *name, const char *event, double end, double sense,
                             double slowest)
{
    int slot = 0;
    hol_status st = hold(l, name, event, first_speed(l, end, sense), &slot);
    hol_event *e = st ? NULL : happen(l, event, TEXT(l, "%g*(c-(%.17g))", sense, end));
    hol_set *set = hol_arena_alloc(l->c->spec->arena, 1, sizeof *set);
    if (!e || !set) return st ? st : HOL_ERR_MEMORY;
    e->set = set;
    e->n_sets = 1;
    set->index = slot;
    return express(l, TEXT(l, "max(%g*v,%.17g)", sense, slowest), &set->value);
}

// K depth^n (1 + damping v) at both ends, never below 0. A cone has no lower end.
static hol_status smooth_stops(law *l)
{
    const hol_value *v = l->law->value;
    const double K = v[HOL_LIMITS_STIFFNESS].num, n = v[HOL_LIMITS_EXPONENT].num,
                 slowest = v[HOL_LIMITS_SLOWEST].num, lo = v[HOL_LIMITS_RANGE].list[0],
                 hi = v[HOL_LIMITS_RANGE].list[1];
    const bool given = v[HOL_LIMITS_DAMPING].given, cone = lo == -HOL_INF;
    const double x = given ? v[HOL_LIMITS_DAMPING].num : approach_of(v[HOL_LIMITS_RESTITUTION].num);
    const char *down = "", *up = "", *lower = "";
    hol_status st = HOL_OK;
    if (!given && x > 0) {
        if (!cone) st = note_speed(l, "down", "below", lo, -1, slowest);
        if (!st) st = note_speed(l, "up", "above", hi, 1, slowest);
        down = "/down", up = "/up";
    }
    if (!cone) lower = TEXT(l, "max((%.17g)-c,0)^(%.17g)*max(1-%.17g*v%s,0)", lo, n, x, down);
    if (st || !lower) return st ? st : HOL_ERR_MEMORY;
    return act(l,
               TEXT(l, "(%.17g)*(%s-max(c-(%.17g),0)^(%.17g)*max(1+%.17g*v%s,0))", K, lower, hi, n, x, up));
}

// The coordinate as drawn must be within the range.
static hol_status check_start(law *l)
{
    const hol_value *range = &l->law->value[HOL_LIMITS_RANGE];
    const bool cone = range->list[0] == -HOL_INF, own = l->law->name && strchr(l->law->name, '.');
    const double lo = cone ? 0 : range->list[0], hi = range->list[1],
                 slack = CLOSE * fmax(1, fmax(fabs(lo), fabs(hi)));
    const double c = drawn(l, PLACE), turn = 2 * acos(-1);
    const double turns = l->stroke || cone ? 0 : ceil((lo - slack - c) / turn);
    const bool elsewhere = turns != 0 && c + turns * turn <= hi + slack;
    if (c >= lo - slack && c <= hi + slack) return HOL_OK;
    return hol_fail_at(l->c->m->ctx, HOL_ERR_MODEL, range->at,
                       "%s%s: the joint is drawn at %.9g %s, outside of %.9g to %.9g%s", l->path,
                       own ? "" : ".range", c, l->stroke ? "m" : "rad", lo, hi,
                       elsewhere ? "; it lies within it full turns away: shift the range by 2*pi" : "");
}

// An impact at one end of the range.
static hol_status collide(law *l, const char *name, double end, int sense, int rest, int side)
{
    hol_arena *arena = l->c->spec->arena;
    const hol_value *v = l->law->value;
    hol_event *e = happen(l, name, TEXT(l, "%d*(c-(%.17g))", sense, end));
    if (!e) return HOL_ERR_MEMORY;
    e->impact = rest - 1; // the force stands before what holds the joint
    e->rest = rest;
    e->side = side;
    e->sense = sense;
    e->restitution = v[HOL_LIMITS_RESTITUTION].num;
    e->slowest = v[HOL_LIMITS_SLOWEST].given ? v[HOL_LIMITS_SLOWEST].num : 0;
    e->rate = hol_arena_alloc(arena, 1, sizeof *e->rate);
    e->push = hol_arena_alloc(arena, 1, sizeof *e->push);
    if (!e->rate || !e->push) return HOL_ERR_MEMORY;
    const hol_status st = express(l, "v", e->rate);
    return st ? st : express(l, "a", e->push);
}

// Rigid stops: the velocities turn around where the coordinate reaches an end, by impacts along a force that is nothing otherwise. What is
// too slow for that rests: a row holds it there until it would have to pull.
static hol_status hard_stops(law *l)
{
    const double *range = l->law->value[HOL_LIMITS_RANGE].list;
    hol_model_data *m = l->c->m;
    hol_status st = equate(l, "T", NULL, NULL, "0");
    if (!st) st = apply(l);
    if (!st) st = add_element(l, TEXT(l, "%s.rest", l->name), &hol_joint_stop, NULL);
    if (st) return st;
    const int rest = m->n_elements, side = m->n_mem++;
    m->element[rest - 2].n_laws = 1;
    const hol_leaf at = {.kind = HOL_LEAF_HELD, .index = side},
                   R = {.kind = HOL_LEAF_REACTION, .index = rest - 1, .component = HOL_REACTION_OF_ROW};
    name_leaf(l, "side", &at);
    name_leaf(l, "R", &R);
    st = collide(l, "below", range[0], -1, rest, side);
    if (!st) st = collide(l, "above", range[1], 1, rest, side);
    hol_event *e = st ? NULL : happen(l, "leaves", "side*R");
    if (!e) return st ? st : HOL_ERR_MEMORY;
    e->rest = rest;
    e->side = side;
    return HOL_OK;
}

static hol_status limits(law *l)
{
    hol_status st = check_start(l);
    if (st) return st;
    return l->law->value[HOL_LIMITS_HARD].num > 0 ? hard_stops(l) : smooth_stops(l);
}

static hol_status (*const laws[HOL_LAWS])(law *l) = {[HOL_LAW_SPRING] = spring,
                                                     [HOL_LAW_ARMATURE] = armature,
                                                     [HOL_LAW_LIMITS] = limits,
                                                     [HOL_LAW_MOTOR] = motor,
                                                     [HOL_LAW_FRICTION] = friction};

// What the texts of all laws of a joint name: its coordinate c, the rate v, the second derivative a and the size F of its force. own: of
// one coordinate by its name, behind which its derivatives stand in the list; NULL: the one that couplers take.
static hol_status name_joint(law *l, const char *own)
{
    hol_compiler *c = l->c;
    const hol_element *e = &c->m->element[l->element];
    const hol_leaf F = size_of_force(c->m, l->element);
    const hol_joint_coordinate *k = own ? hol_joint_coordinate_find(e, c->m->dimension, own) : NULL;
    hol_leaf *place = hol_arena_alloc(c->spec->hot, 1, sizeof *place), v, a; // counters keep it
    if (!place) return HOL_ERR_MEMORY;
    hol_joint_leaf(e, c->m->dimension, k ? k : named(c, e, 0), place);
    hol_joint_leaf(e, c->m->dimension, k ? k + 1 : named(c, e, 1), &v);
    hol_joint_leaf(e, c->m->dimension, k ? k + 2 : named(c, e, 2), &a);
    l->stroke = !hol_quantity_is_angle(place->measured.part[0].what);
    name_leaf(l, "v", &v);
    name_leaf(l, "F", &F);
    name_leaf(l, "a", &a);
    const hol_status st = hol_leaf_counts(c, place)
                              ? hol_count_turns(c, TEXT(l, "%s.%s", e->name, own ? own : "angle"), place)
                              : HOL_OK;
    name_leaf(l, "c", place);
    return st;
}

hol_status hol_compile_laws(hol_compiler *c, const hol_spec_element *joint)
{
    law all = {.c = c,
               .joint = joint,
               .element = c->m->n_elements - 1,
               .stroke = joint->type->coordinate == HOL_COORDINATE_STROKE};
    all.turned = !all.stroke && hol_mirror_seen(joint->at, (hol_src){0}) & HOL_MIRROR_TURNS;
    if (!all.stroke && hol_joint_holds_point(&c->m->element[all.element]))
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, joint->law[0].at,
                           "%s.%s: the joint holds a point mass, it has no angle", joint->path,
                           hol_law_names[joint->law[0].kind]);
    hol_status st = HOL_OK;
    if (!joint->law[0].coordinate) st = name_joint(&all, NULL);
    for (int i = 0; i < joint->n_laws && !st; i++) {
        law l = all;
        const char *own = joint->law[i].coordinate, *word = joint->law[i].name;
        if (!word) word = hol_law_names[joint->law[i].kind];
        l.law = &joint->law[i];
        if (own) l.n_names = 0;
        if (own) st = name_joint(&l, own);
        if (st) return st;
        l.name = TEXT(&l, "%s.%s", joint->name, word);
        l.path = TEXT(&l, "%s.%s", joint->path, word);
        st = l.name && l.path ? laws[l.law->kind](&l) : HOL_ERR_MEMORY;
    }
    return st;
}
