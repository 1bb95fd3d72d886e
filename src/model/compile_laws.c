// Laws of joints as forces in them: each has an expression over the joint's coordinate c, its rate v, the size F of the joint's
// force, and what the user gives as expressions; states and events of its own follow (docs/theory.md, 8.14).
#include "model/laws.h"
#include "element/coordinate.h"
#include "model/made.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define LITTLE 1e-9 // relative, from which depth on a stop acts whatever has been seen of its onset
#define CLOSE 1e-12 // relative, of a joint that is drawn at the end of its range
#define SOON 0.01   // [s]

enum { RATE, FORCE, PUSH, PLACE }; // what name_joint names, in its order
#define TEXT(l, ...) HOL_MADE_TEXT(&(l)->made, __VA_ARGS__)

typedef struct {
    hol_maker made; // names and places of the law: "hinge.motor", "joints.hinge.motor"
    const hol_spec_element *joint;
    int element; // the joint's
    const hol_spec_law *law;
    bool stroke;
} law;

// A value of the file as a part of a text: its number, or the name of an unknown that is its expression.
static const char *term(law *l, const hol_value *v, const char *name)
{
    hol_arena *arena = l->made.c->spec->draft;
    if (!v->fn) return hol_arena_print(arena, "(%.17g)", v->num);
    if (hol_expr_is_constant(v->fn[0])) return hol_arena_print(arena, "(%.17g)", hol_expr_value(v->fn[0]));
    hol_equation *e = hol_push_unknown(l->made.c, l->made.name, l->made.path, v->at, 1);
    if (!e) return NULL;
    const hol_leaf leaf = {.kind = HOL_LEAF_VALUE, .index = l->made.c->m->n_equations - 1};
    e->hidden = true;
    e->formula = v->formula[0];
    hol_make_leaf(&l->made, name, &leaf);
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
    return name ? hol_add_element(l->made.c, &s) : HOL_ERR_MEMORY;
}

// A force of this type in the joint.
static hol_status add_force(law *l, const hol_element_type *type, const hol_value *value)
{
    return add_element(l, l->made.name, type, value);
}

// A force of this type in the joint with the unknown that was made last.
static hol_status apply_as(law *l, const hol_element_type *type, const hol_value *value)
{
    const int z = l->made.c->m->n_equations - 1;
    const hol_status st = add_force(l, type, value);
    return st ? st : hol_make_inputs(l->made.c, &l->made.c->m->element[l->made.c->m->n_elements - 1], z, 1);
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
    law l = {.made = {.c = c, .at = e->at, .name = e->name, .path = s->path}, .law = &at};
    const hol_leaf F = size_of_force(c->m, joint);
    hol_leaf v;
    hol_joint_leaf(&c->m->element[joint], c->m->dimension, named(c, &c->m->element[joint], 1), &v);
    v.negative = hol_leaf_turns_against(&v.measured.part[0], e->mirror); // the same coordinate as e brakes
    hol_make_leaf(&l.made, "v", &v);
    hol_make_leaf(&l.made, "F", &F);
    const hol_status st = hol_make_equation(&l.made, "T", NULL, NULL, s->type->law(s->value, c->spec->arena));
    return st ? st : hol_make_inputs(c, e, c->m->n_equations - 1, 1);
}

static const hol_value *of_type(const law *l, const char *key)
{
    return &l->joint->value[hol_option_find(l->joint->type->options, key) - l->joint->type->options];
}

// ---- where the coordinate begins --------------------------------------------------------------------------------

#define TURN (2 * HOL_PI)

// What the joint is given of the full turns of the law's coordinate; NULL: nothing.
static const hol_spec_law *turns_of(const law *l)
{
    const char *own = l->law->coordinate;
    for (int i = 0; i < l->joint->n_laws && !l->stroke; i++) {
        const hol_spec_law *k = &l->joint->law[i];
        const bool same = own && k->coordinate ? !strcmp(own, k->coordinate) : own == k->coordinate;
        if (k->kind == HOL_LAW_TURNS && same) return k;
    }
    return NULL;
}

// The coordinate of a law at the start. In space its full turns are those that the joint is given.
static double start_of(const law *l)
{
    const double c = hol_made_drawn(&l->made, PLACE);
    const hol_spec_law *turns = turns_of(l);
    return turns ? c + TURN * turns->value->num : c;
}

// The turns of the coordinate are counted from where it begins: half a turn is, by rounding, on either side.
static void note_start(law *l, double c)
{
    hol_model_data *m = l->made.c->m;
    const int turns = l->made.known[PLACE].leaf.turns;
    for (int i = 0; turns && i < m->n_counters; i++)
        if (m->counter[i].leaf->turns == turns) {
            m->counter[i].start = m->counter[i].drawn = c;
            m->counter[i].said = true;
        }
}

static hol_status turns(law *l)
{
    note_start(l, start_of(l));
    return HOL_OK;
}

static hol_status remark(law *l, const char *warning, const char *text)
{
    hol_spec *spec = l->made.c->spec;
    if (!text || !HOL_ARENA_GROW(spec->arena, spec->remark, spec->n_remarks)) return HOL_ERR_MEMORY;
    spec->remark[spec->n_remarks++] = (hol_spec_remark){warning, text};
    return HOL_OK;
}

// A pose in space says nothing of full turns: is the coordinate to be where another number of them would have it nearer? Where it is drawn
// at 0 the way from there is meant.
static hol_status look_turns(law *l, const char *what, double wanted)
{
    const double c = start_of(l), turns = round((wanted - c) / TURN);
    if (l->made.c->m->dimension == 2 || l->stroke || turns_of(l) || turns == 0 || fabs(c) < CLOSE)
        return HOL_OK;
    return remark(l, "turns",
                  TEXT(l,
                       "%s: its angle %s %.6g deg, and it begins at %.6g deg, as it is drawn\n: a pose in "
                       "space does not say how many full turns there are. `turns: %.0f` of the joint has it "
                       "begin at %.6g deg",
                       l->made.name, what, wanted * 360 / TURN, c * 360 / TURN, turns,
                       (c + turns * TURN) * 360 / TURN));
}

// ---- the laws ---------------------------------------------------------------------------------------------------

// The unknown that acts in the joint: T = text.
static hol_status act(law *l, const char *text)
{
    const hol_status st = hol_make_equation(&l->made, "T", NULL, NULL, text);
    return st ? st : apply(l);
}

// The same of what has a potential besides: springs, stops. What it is a potential of is the coordinate of the expressions.
static hol_status act_elastic(law *l, const char *text, double K, double exponent, double below, double above)
{
    const hol_leaf *place = &l->made.known[PLACE].leaf;
    const hol_value value[HOL_ELASTIC_SIZE] = {
        [HOL_ELASTIC_STIFFNESS] = {.num = K},
        [HOL_ELASTIC_COORDINATE] = {.given = l->law->coordinate, .text = l->law->coordinate},
        [HOL_ELASTIC_EXPONENT] = {.num = exponent},
        [HOL_ELASTIC_BELOW] = {.num = below},
        [HOL_ELASTIC_ABOVE] = {.num = above}};
    hol_status st = hol_make_equation(&l->made, "T", NULL, NULL, text);
    if (!st) st = apply_as(l, l->stroke ? &hol_joint_elastic_stroke : &hol_joint_elastic_angle, value);
    if (st) return st;
    hol_element *e = &l->made.c->m->element[l->made.c->m->n_elements - 1];
    hol_effort *f = (hol_effort *)e->data;
    f->of = place->measured.part[0];
    f->sign = place->negative ? -1 : 1;
    f->turns = place->turns;
    if (f->turns) e->mem = place->turns - 1;
    return HOL_OK;
}

// -k (c - c0) - b v + preload
static hol_status spring(law *l)
{
    const double k = of_type(l, "stiffness")->num, c0 = of_type(l, l->stroke ? "length" : "angle")->num;
    const char *b = term(l, of_type(l, "damping"), "b"), *p = term(l, of_type(l, "preload"), "p");
    const hol_status st = b && p && k != 0 ? look_turns(l, "is free at", c0) : HOL_OK;
    if (st || !b || !p) return st ? st : HOL_ERR_MEMORY;
    return act_elastic(l, TEXT(l, "-(%.17g)*(c-(%.17g))-%s*v+%s", k, c0, b, p), k, 1, c0, c0);
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
            l->made.c->m->ctx, HOL_ERR_MODEL, place->at,
            "%s.%s: \"%s\" takes more than the time, and feed_forward derives functions of time "
            "alone; write such a function here, or give the rate as `speed` in its place",
            l->made.path, l->stroke ? "stroke" : "angle", hol_expr_text(f->expr));
    const hol_leaf leaf = {.kind = HOL_LEAF_PACE, .of_time = f->expr, .component = !l->stroke};
    hol_make_leaf(&l->made, *rate = "rate", &leaf);
    return HOL_OK;
}

// What would hurt a motor that follows: a place that is full turns away, gains that drive the joint away from it.
static hol_status look_motor(law *l)
{
    const hol_value *v = l->law->value, *place = &v[HOL_MOTOR_PLACE];
    const hol_formula *f = place->given && place->formula ? place->formula[0] : NULL;
    hol_real wanted[4] = {0};
    hol_status st = HOL_OK;
    if (f && !f->n_leaves) hol_expr_jet(f->expr, 0, wanted);
    if (f && !f->n_leaves && isfinite(hol_re(wanted[0]))) st = look_turns(l, "is to be", hol_re(wanted[0]));
    if (st || v[HOL_MOTOR_GEAR].num > 0) return st;
    return remark(l, "sign",
                  TEXT(l,
                       "%s: with a gear of %.6g its gains drive the joint away from the %s that it is to "
                       "have\n, since the error is that of the joint: is the sign of the gear wrong?",
                       l->made.name, v[HOL_MOTOR_GEAR].num,
                       !place->given ? "speed"
                       : l->stroke   ? "stroke"
                                     : "angle"));
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
    if (v[HOL_MOTOR_KI].num > 0) hol_make_state_name(&l->made, sum = "sum");
    st = hol_make_equation(&l->made, "u", "command", unit_of(l),
                           TEXT(l, "%.17g*%s+%.17g*%s+%.17g*(%s-v)", v[HOL_MOTOR_KP].num, *error,
                                v[HOL_MOTOR_KI].num, sum, place ? v[HOL_MOTOR_KD].num : 0, rate));
    if (!st) l->made.c->m->equation[l->made.c->m->n_equations - 1].turned = l->made.turned;
    return st ? st : look_motor(l);
}

// What is asked of the motor, which was made last, beyond what it gives: the signal that it is at its end.
static hol_status note_end(law *l, const char *asked)
{
    hol_model_data *m = l->made.c->m;
    hol_equation *beyond = hol_arena_alloc(l->made.c->spec->hot, 1, sizeof *beyond);
    if (!beyond) return HOL_ERR_MEMORY;
    ((hol_input *)m->element[m->n_elements - 1].input)->beyond = beyond;
    return hol_make_expression(&l->made, TEXT(l, "(%.17g)*(%s-g)", l->law->value[HOL_MOTOR_GEAR].num, asked),
                               beyond);
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
    if (most && limited && !hol_expr_is_constant(v[HOL_MOTOR_MAX].fn[0])) most = TEXT(l, "max(%s,0)", most);
    if (st || !asked || !most) return st ? st : HOL_ERR_MEMORY;
    if (limited)
        st = hol_make_equation(&l->made, "g", NULL, NULL, TEXT(l, "min(max(%s,-%s),%s)", asked, most, most));
    if (!st && ki > 0)
        st = hol_make_state(&l->made, "integral", unit_of_integral(l), "ds", 0, 1,
                            limited ? TEXT(l, "%s+(g-u)/(%.17g)", error, ki * windup) : error);
    if (!st) st = act(l, TEXT(l, "(%.17g)*%s", v[HOL_MOTOR_GEAR].num, limited ? "g" : asked));
    return st || !limited ? st : note_end(l, asked);
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
    const bool plane = l->made.c->m->dimension == 2;
    hol_inertia b;
    if (end->body < 0) return HOL_INF;
    l->made.c->m->element[end->body].type->inertia(l->made.c->m->element[end->body].data, &b);
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
    const hol_element *e = &l->made.c->m->element[l->element];
    return 1 / (1 / inertia_of_end(l, &e->end[0]) + 1 / inertia_of_end(l, &e->end[1]));
}

// The bristle of a joint that begins to slide, so fast that it would be stretched within SOON, is stretched as far as it goes, and no
// farther by a bit: there it would be drawn back.
static hol_status stretch_at_start(law *l, int state, double k)
{
    const hol_value *f = &l->law->value[HOL_FRICTION_EFFORT];
    const double most = 1.3 * (1 - 1e-9) * f->num / k;
    if (!f->given) return HOL_OK;
    return hol_make_start(
        &l->made, true, state, false,
        TEXT(l, "if(abs(v)*%.17g-%.17g: 0, 0, if(v: -%.17g, 0, %.17g))", SOON, most, most, most));
}

// The bristle of contact mechanics in one coordinate (8.56).
static hol_status bristle(law *l, const char *largest_text, const char *engaged)
{
    const hol_value *v = l->law->value;
    const double size = v[HOL_FRICTION_EFFORT].given ? v[HOL_FRICTION_EFFORT].num * v[HOL_FRICTION_STATIC].num
                                                     : 1,
                 k = v[HOL_FRICTION_STIFFNESS].given ? v[HOL_FRICTION_STIFFNESS].num
                                                     : size / (l->stroke ? 1e-5 : 1e-4);
    const hol_bristle b = {.stiffness = k,
                           .damping = v[HOL_FRICTION_DAMPING].given ? v[HOL_FRICTION_DAMPING].num
                                                                    : 2 * sqrt(k * inertia_of(l)),
                           .size = size,
                           .vanishes = !v[HOL_FRICTION_EFFORT].given,
                           .unit = unit_of(l),
                           .unit_of_stretch = l->stroke ? "m" : "rad"};
    const int state = l->made.c->m->n_states;
    hol_status st = hol_make_bristle(&l->made, &b, largest_text);
    if (!st) st = stretch_at_start(l, state, k);
    return st ? st : act(l, TEXT(l, "-%s*" HOL_BRISTLE_PULL, engaged));
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

// One end of the range: texts of its depth and of the speed into it, and what the memory has of it.
typedef struct {
    const char *event, *depth, *goes, *speed;
    const char *on,
        *approach; // names of what is held: +1 where the stop acts, -1 where not; the speed of going in, NULL: none
    int on_slot, approach_slot;
} range_end;

// An event of a stop that sets whether it acts, and notes the speed of going in. Where its force begins the first step is short, by the depth that
// the speed leads to (23.8b).
static hol_status stop_event(law *l, const range_end *o, const char *name, const char *when, const char *acts)
{
    const hol_value *v = l->law->value;
    const bool begins = *acts == '1', notes = begins && o->approach;
    hol_arena *arena = l->made.c->spec->arena;
    hol_event *e = name && when ? hol_make_event(&l->made, name, when) : NULL;
    hol_set *set = hol_arena_alloc(arena, 2, sizeof *set);
    if (!e || !set) return HOL_ERR_MEMORY;
    e->lets_go = !begins;
    e->set = set;
    e->n_sets = notes ? 2 : 1;
    set[0].index = o->on_slot;
    set[1].index = o->approach_slot;
    hol_status st = hol_make_expression(&l->made, acts, &set[0].value);
    if (!st && notes) st = hol_make_expression(&l->made, o->speed, &set[1].value);
    if (st || !begins) return st;
    e->exponent = v[HOL_LIMITS_EXPONENT].num;
    e->yield = inertia_of(l) * (e->exponent + 1) / (2 * v[HOL_LIMITS_STIFFNESS].num);
    e->rate = hol_arena_alloc(arena, 1, sizeof *e->rate);
    return e->rate ? hol_make_expression(&l->made, "v", e->rate) : HOL_ERR_MEMORY;
}

// What is held of one end, and what a start makes of it. A stop that has not been met loses nothing: attempts of steps go in before the event
// is found. A joint that begins at its stop does not meet it, and has the speed of the start.
static hol_status hold_end(law *l, range_end *o, double end)
{
    const double near = CLOSE * fmax(1, fabs(end));
    hol_status st = hol_make_held(&l->made, o->on, TEXT(l, "acts_%s", o->event), 0, &o->on_slot);
    if (!st)
        st = hol_make_start(&l->made, false, o->on_slot, true,
                            TEXT(l, "if(%s+%.17g: -1, 1, 1)", o->depth, near));
    if (st || !o->approach) return st;
    st = hol_make_held(&l->made, o->approach, o->event, HOL_MADE_NEVER, &o->approach_slot);
    return st ? st
              : hol_make_start(&l->made, false, o->approach_slot, false,
                               TEXT(l, "if(%s+%.17g: %.17g, %s, %s)", o->depth, near, HOL_MADE_NEVER,
                                    o->speed, o->speed));
}

// The stop at one end acts from its onset on, and no longer after its end, as contacts do: attempts of steps that go in feel no force that is not
// there yet. What would go in unseen, by a rounding of the onset, acts from a little depth on. What lies there and is hit has another speed of going
// in (23.8). sense: +1 at the upper end.
static hol_status end_of_range(law *l, range_end *o, double end, double sense)
{
    const double little = LITTLE * fmax(1, fabs(end));
    o->goes = TEXT(l, "%g*v", sense);
    o->depth = TEXT(l, "%g*(c-(%.17g))", sense, end);
    o->speed = o->goes ? TEXT(l, "max(%s,%.17g)", o->goes, l->law->value[HOL_LIMITS_SLOWEST].num) : NULL;
    if (!o->goes || !o->depth || !o->speed) return HOL_ERR_MEMORY;
    hol_status st = hold_end(l, o, end);
    if (!st) st = stop_event(l, o, o->event, o->depth, "1");
    if (!st) st = stop_event(l, o, TEXT(l, "off_%s", o->event), TEXT(l, "%g*(c-(%.17g))", -sense, end), "-1");
    if (!st)
        st = stop_event(l, o, TEXT(l, "late_%s", o->event),
                        TEXT(l, "min(%s-%.17g,-0.5-%s)", o->depth, little, o->on), "1");
    return st || !o->approach ? st
                              : stop_event(l, o, TEXT(l, "hit_%s", o->event),
                                           TEXT(l, "min(%s,%s-4*%s)", o->depth, o->goes, o->approach), "1");
}

// K depth^n (1 + damping v) at both ends, never below 0. A cone has no lower end.
static hol_status smooth_stops(law *l)
{
    const hol_value *v = l->law->value;
    const double K = v[HOL_LIMITS_STIFFNESS].num, n = v[HOL_LIMITS_EXPONENT].num,
                 lo = v[HOL_LIMITS_RANGE].list[0], hi = v[HOL_LIMITS_RANGE].list[1];
    const bool given = v[HOL_LIMITS_DAMPING].given, cone = lo == -HOL_INF;
    const double x = given ? v[HOL_LIMITS_DAMPING].num : hol_approach_of(v[HOL_LIMITS_RESTITUTION].num);
    const bool notes = !given && x > 0;
    range_end down = {.event = "below", .on = "od", .approach = notes ? "down" : NULL},
              up = {.event = "above", .on = "ou", .approach = notes ? "up" : NULL};
    const char *lower = "";
    hol_status st = cone ? HOL_OK : end_of_range(l, &down, lo, -1);
    if (!st) st = end_of_range(l, &up, hi, 1);
    if (!cone)
        lower = TEXT(l, "max((%.17g)-c,0)^(%.17g)*max(1-%.17g*v%s,0)*(1+min(od,0))", lo, n, x,
                     notes ? "/down" : "");
    if (st || !lower) return st ? st : HOL_ERR_MEMORY;
    st = act_elastic(l,
                     TEXT(l, "(%.17g)*(%s-max(c-(%.17g),0)^(%.17g)*max(1+%.17g*v%s,0)*(1+min(ou,0)))", K,
                          lower, hi, n, x, notes ? "/up" : ""),
                     K, n, lo, hi);
    // what pulls a joint out faster than it would spring back ends the force at a corner
    if (!st) l->made.c->m->equation[l->made.c->m->n_equations - 1].cornered = true;
    return st;
}

// Half a turn is, by rounding, on either side: the range says on which one it begins.
static void note_half_turn(law *l)
{
    const hol_value *range = &l->law->value[HOL_LIMITS_RANGE];
    const bool cone = range->list[0] == -HOL_INF;
    const double lo = cone ? 0 : range->list[0], hi = range->list[1],
                 slack = CLOSE * fmax(1, fmax(fabs(lo), fabs(hi))), c = start_of(l),
                 turns = l->stroke || cone ? 0 : ceil((lo - slack - c) / TURN);
    const bool elsewhere = turns != 0 && c + turns * TURN <= hi + slack;
    if (fabs(fabs(c) - TURN / 2) <= slack) note_start(l, elsewhere ? c + turns * TURN : c);
}

// What stands before the number where the file says full turns: "", or "{angle1: "; NULL: it says none.
static hol_status word_turns(const law *l, const char **words)
{
    const hol_option *row = hol_option_find(l->joint->type->options, "turns");
    *words = NULL;
    if (!row || l->stroke || l->made.c->m->dimension == 2) return HOL_OK;
    *words = row->kind == HOL_INTEGER ? "" : TEXT(l, "{%s: ", l->law->coordinate);
    return *words ? HOL_OK : HOL_ERR_MEMORY;
}

// What the start is judged by (system/ranges.c). force: the element that acts at the stops.
static hol_status note_range(law *l, int force)
{
    hol_model_data *m = l->made.c->m;
    const hol_value *v = l->law->value;
    const bool own = l->law->name && strchr(l->law->name, '.');
    if (!HOL_ARENA_GROW(l->made.c->spec->arena, m->range, m->n_ranges)) return HOL_ERR_MEMORY;
    hol_range *r = &m->range[m->n_ranges++];
    *r = (hol_range){.name = l->made.name,
                     .path = own ? l->made.path : TEXT(l, "%s.range", l->made.path),
                     .at = v[HOL_LIMITS_RANGE].at,
                     .lo = v[HOL_LIMITS_RANGE].list[0],
                     .hi = v[HOL_LIMITS_RANGE].list[1],
                     .hard = v[HOL_LIMITS_HARD].num > 0,
                     .length = l->stroke,
                     .known = m->dimension == 2 || turns_of(l),
                     .given = turns_of(l) ? turns_of(l)->value->num : 0,
                     .force = force};
    const hol_status st = word_turns(l, &r->turns);
    if (st || !r->path) return HOL_ERR_MEMORY;
    return hol_make_expression(&l->made, "c", &r->place);
}

// An impact at one end of the range.
static hol_status collide(law *l, const char *name, double end, int sense, int rest, int side)
{
    hol_arena *arena = l->made.c->spec->arena;
    const hol_value *v = l->law->value;
    hol_event *e = hol_make_event(&l->made, name, TEXT(l, "%d*(c-(%.17g))", sense, end));
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
    const hol_status st = hol_make_expression(&l->made, "v", e->rate);
    return st ? st : hol_make_expression(&l->made, "a", e->push);
}

// Rigid stops: the velocities turn around where the coordinate reaches an end, by impacts along a force that is nothing otherwise. What is
// too slow for that rests: a row holds it there until it would have to pull.
static hol_status hard_stops(law *l)
{
    const double *range = l->law->value[HOL_LIMITS_RANGE].list;
    hol_model_data *m = l->made.c->m;
    hol_status st = hol_make_equation(&l->made, "T", NULL, NULL, "0");
    if (!st) st = apply(l);
    if (!st) st = add_element(l, TEXT(l, "%s.rest", l->made.name), &hol_joint_stop, NULL);
    if (st) return st;
    const int rest = m->n_elements, side = m->n_mem;
    m->n_mem += 2;
    m->element[rest - 2].n_laws = 1;
    const hol_leaf at = {.kind = HOL_LEAF_HELD, .index = side},
                   R = {.kind = HOL_LEAF_REACTION, .index = rest - 1, .component = HOL_REACTION_OF_ROW};
    hol_make_leaf(&l->made, "side", &at);
    hol_make_leaf(&l->made, "R", &R);
    st = collide(l, "below", range[0], -1, rest, side);
    if (!st) st = collide(l, "above", range[1], 1, rest, side);
    hol_event *e = st ? NULL : hol_make_event(&l->made, "leaves", "side*R");
    if (!e) return st ? st : HOL_ERR_MEMORY;
    e->rest = rest;
    e->side = side;
    return HOL_OK;
}

static hol_status limits(law *l)
{
    const int force = l->made.c->m->n_elements;
    note_half_turn(l);
    const hol_status st = l->law->value[HOL_LIMITS_HARD].num > 0 ? hard_stops(l) : smooth_stops(l);
    return st ? st : note_range(l, force);
}

static hol_status (*const laws[HOL_LAWS])(law *l) = {
    [HOL_LAW_TURNS] = turns,   [HOL_LAW_SPRING] = spring, [HOL_LAW_ARMATURE] = armature,
    [HOL_LAW_LIMITS] = limits, [HOL_LAW_MOTOR] = motor,   [HOL_LAW_FRICTION] = friction};

// What the texts of all laws of a joint name: its coordinate c, the rate v, the second derivative a and the size F of its force. own: of
// one coordinate by its name, behind which its derivatives stand in the list; NULL: the one that couplers take.
static hol_status name_joint(law *l, const char *own)
{
    hol_compiler *c = l->made.c;
    const hol_element *e = &c->m->element[l->element];
    const hol_leaf F = size_of_force(c->m, l->element);
    const hol_joint_coordinate *k = own ? hol_joint_coordinate_find(e, c->m->dimension, own) : NULL;
    if (k && !hol_joint_coordinate_is_free(e, c->m->dimension, k))
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, l->law->at,
                           "%s.%s: the joint has no %s that counts full turns: only the turn about z may be "
                           "free",
                           l->joint->path, hol_law_names[l->law->kind], own);
    hol_leaf *place = hol_arena_alloc(c->spec->hot, 1, sizeof *place), v, a; // counters keep it
    if (!place) return HOL_ERR_MEMORY;
    hol_joint_leaf(e, c->m->dimension, k ? k : named(c, e, 0), place);
    hol_joint_leaf(e, c->m->dimension, k ? k + 1 : named(c, e, 1), &v);
    hol_joint_leaf(e, c->m->dimension, k ? k + 2 : named(c, e, 2), &a);
    l->stroke = !hol_quantity_is_angle(place->measured.part[0].what);
    hol_make_leaf(&l->made, "v", &v);
    hol_make_leaf(&l->made, "F", &F);
    hol_make_leaf(&l->made, "a", &a);
    const hol_status st = hol_leaf_counts(c, place)
                              ? hol_count_turns(c, TEXT(l, "%s.%s", e->name, own ? own : "angle"), place)
                              : HOL_OK;
    hol_make_leaf(&l->made, "c", place);
    return st;
}

hol_status hol_compile_laws(hol_compiler *c, const hol_spec_element *joint)
{
    law all = {.made = {.c = c},
               .joint = joint,
               .element = c->m->n_elements - 1,
               .stroke = joint->type->coordinate == HOL_COORDINATE_STROKE};
    all.made.turned = !all.stroke && hol_mirror_seen(joint->at, (hol_src){0}) & HOL_MIRROR_TURNS;
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
        if (own) l.made.n_names = 0;
        if (own) st = name_joint(&l, own);
        if (st) return st;
        l.made.at = l.law->at;
        l.made.name = TEXT(&l, "%s.%s", joint->name, word);
        l.made.path = TEXT(&l, "%s.%s", joint->path, word);
        st = l.made.name && l.made.path ? laws[l.law->kind](&l) : HOL_ERR_MEMORY;
    }
    return st;
}
