// FRICTION of Adams. In joints that turn or slide: the dry friction of the joint here, of a load that is an expression of its reactions. In
// those that do both, and in balls: forces against the sliding, smooth at rest.
#include "io/import_adm.h"

#include <math.h>
#include <string.h>

#define SLIDING_ALONE "frictions of sliding alone"
#define BELOW "below STICTION_TRANSITION_VELOCITY friction is smooth, and creeps"

enum { LENGTH, SPEED, FORCE, TORQUE, RATIO }; // units
enum {
    MU_DYNAMIC,
    MU_STATIC,
    SLOW,
    FASTER,
    CREEP,
    PIN,
    BALL,
    AXIAL,
    BENDING,
    REACTION,
    OVERLAP,
    PRELOAD,
    TWIST,
    NUMBERS
};

static const struct {
    const char *key;
    int unit;
    double value; // Adams' default, in units of the source; below 0: it has none
    bool zero;    // may it be 0?
} numbers[NUMBERS] = {{"MU_DYNAMIC", RATIO, -1, true},
                      {"MU_STATIC", RATIO, -1, true},
                      {"STICTION_TRANSITION_VELOCITY", SPEED, 0.1, false},
                      {"TRANSITION_VELOCITY_COEFFICIENT", RATIO, 1.5, false},
                      {"MAX_STICTION_DEFORMATION", LENGTH, 0.01, false},
                      {"PIN_RADIUS", LENGTH, 1, false},
                      {"BALL_RADIUS", LENGTH, 1, false},
                      {"FRICTION_ARM", LENGTH, 1, false},
                      {"BENDING_REACTION_ARM", LENGTH, 1, false},
                      {"REACTION_ARM", LENGTH, 1, false},
                      {"INITIAL_OVERLAP", LENGTH, 1000, false},
                      {"FRICTION_FORCE_PRELOAD", FORCE, 0, true},
                      {"FRICTION_TORQUE_PRELOAD", TORQUE, 0, true}};

// In SI, or as Adams has them by default.
static hol_status read_numbers(hol_adm *a, hol_adm_statement *s, double x[NUMBERS])
{
    const double L = a->length, unit[] = {L, L / a->time, a->force, a->force * L, 1};
    for (int i = 0; i < NUMBERS; i++) {
        const double u = unit[numbers[i].unit];
        const hol_adm_arg *arg =
            numbers[i].value < 0 ? hol_adm_need(a, s, numbers[i].key) : hol_adm_get(s, numbers[i].key);
        if (!arg && numbers[i].value < 0) return HOL_ERR_MODEL;
        x[i] = hol_adm_si(numbers[i].value, u);
        const hol_status st = arg ? hol_adm_numbers(a, s, numbers[i].key, 1, u, &x[i]) : HOL_OK;
        if (st) return st;
        if (arg && (numbers[i].zero ? x[i] < 0 : x[i] <= 0))
            return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at, "%s: %s: %.12g is not %s 0",
                               hol_adm_title(a, s), arg->key, x[i] / u,
                               numbers[i].zero ? "at least" : "above");
    }
    return HOL_OK;
}

// ---- inputs ---------------------------------------------------------------------------------------------------

enum { BY_PRELOAD = 1, BY_FORCE = 2, BY_BENDING = 4, BY_TORSION = 8, BY_ALL = 15 };

// INPUTS=ALL, NONE or PRELOAD:REACTION_FORCE:BENDING_MOMENT:TORSIONAL_MOMENT
static hol_status read_inputs(hol_adm *a, hol_adm_statement *s, int *inputs)
{
    static const struct {
        const char *name;
        int bits;
    } words[] = {{"ALL", BY_ALL},
                 {"NONE", 0},
                 {"PRELOAD", BY_PRELOAD},
                 {"REACTION_FORCE", BY_FORCE},
                 {"BENDING_MOMENT", BY_BENDING},
                 {"TORSIONAL_MOMENT", BY_TORSION}};
    const hol_adm_arg *arg = hol_adm_get(s, "INPUTS");
    *inputs = arg ? 0 : BY_ALL;
    for (const char *p = arg ? arg->text : ""; *p;) {
        const size_t n = strcspn(p, ":,() ");
        int k = 0;
        while (k < HOL_COUNT(words) && !(n && hol_adm_begins_so(p, n, words[k].name))) k++;
        if (n && k == HOL_COUNT(words))
            return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at,
                               "%s: INPUTS: \"%.*s\" is none of ALL, NONE, PRELOAD, REACTION_FORCE, "
                               "BENDING_MOMENT, TORSIONAL_MOMENT",
                               hol_adm_title(a, s), (int)(n < 40 ? n : 40), p);
        if (n) *inputs |= words[k].bits;
        p += n;
        p += strspn(p, ":,() ");
    }
    return HOL_OK;
}

// ---- load -----------------------------------------------------------------------------------------------------

static const char *plus(hol_adm *a, const char *sum, const char *text)
{
    return *sum ? hol_adm_print(a, "%s + %s", sum, text) : text;
}

// In 15 digits: a quotient of two numbers of the source as one would write it.
static const char *number(hol_adm *a, double x) { return hol_adm_print(a, "%.15g", x); }

static const char *times(hol_adm *a, double factor, double over, const char *text)
{
    return factor == over ? text : hol_adm_print(a, "%.15g*%s", factor / over, text);
}

// The overlap by which a bending moment is divided: it grows with the stroke from the drawn place on, or gets less.
static hol_status overlap(hol_adm *a, hol_adm_statement *s, const hol_adm_statement *joint, double initial,
                          const char **out)
{
    static const char *const words[] = {"CONSTANT", "INCREASE", "DECREASE"};
    const hol_adm_arg *arg = hol_adm_get(s, "OVERLAP_DELTA");
    const hol_import_frame i = hol_adm_place(a, joint->second), j = hol_adm_place(a, joint->first);
    double drawn = 0;
    int k = 0;
    *out = hol_adm_print(a, "/%s", number(a, initial));
    while (arg && k < 3 && !hol_adm_begins_so(arg->text, strlen(arg->text), words[k])) k++;
    if (k == 3)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at,
                           "%s: OVERLAP_DELTA: \"%.40s\" is none of CONSTANT, INCREASE, DECREASE",
                           hol_adm_title(a, s), arg->text);
    if (k == 0) return HOL_OK;
    for (int c = 0; c < 3; c++) drawn += (i.p[c] - j.p[c]) * j.R[3 * c + 2];
    *out = hol_adm_print(a, "/(%s %c %s.stroke)", number(a, k == 1 ? initial - drawn : initial + drawn),
                         k == 1 ? '+' : '-', joint->own);
    return hol_import_tell(a->in, HOL_TOLD_ASSUMED, arg->at, joint->own, "overlaps that change",
                           "they change from the places on that are drawn");
}

// A power of ten about as large as what presses, the weight of the lighter part [N; N m], for which the bristle's damping is then made.
static hol_status usual_load(hol_adm *a, const hol_adm_statement *joint, const double x[NUMBERS], double *out)
{
    const int end[2] = {joint->first, joint->second};
    double least = 0; // 0: none yet
    for (int i = 0; i < 2; i++) {
        hol_adm_statement *part = &a->s[a->s[end[i]].part];
        double mass = 0;
        const hol_status st = hol_adm_numbers(a, part, "MASS", 1, a->mass, &mass);
        if (st) return st;
        if (!part->ground && mass > 0 && (least == 0 || mass < least)) least = mass;
    }
    const double load = least * a->gravity * (joint->coordinate == 'R' ? x[PIN] : 1);
    *out = load > 0 ? pow(10, round(log10(load))) : 1;
    return HOL_OK;
}

// What presses over the usual load, as an expression.
static hol_status write_load(hol_adm *a, hol_adm_statement *s, const hol_adm_statement *joint, int inputs,
                             const double x[NUMBERS], double usual, const char **out)
{
    const bool turns = joint->coordinate == 'R';
    const char *own = joint->own, *sum = "", *divided = "",
               *bending = hol_adm_print(a, "hypot(TX(%s), TY(%s))", own, own);
    if (inputs & BY_FORCE)
        sum = times(a, turns ? x[PIN] : 1, usual, hol_adm_print(a, "hypot(FX(%s), FY(%s))", own, own));
    if (inputs & BY_FORCE && turns)
        sum = plus(a, sum, times(a, x[AXIAL], usual, hol_adm_print(a, "abs(FZ(%s))", own)));
    if (inputs & BY_BENDING && turns) sum = plus(a, sum, times(a, x[PIN] / x[BENDING], usual, bending));
    if (inputs & BY_BENDING && !turns) {
        const hol_status st = overlap(a, s, joint, x[OVERLAP], &divided);
        if (st) return st;
        sum = plus(a, sum, times(a, 1, usual, hol_adm_print(a, "%s%s", bending, divided)));
    }
    if (inputs & BY_TORSION && !turns)
        sum = plus(a, sum, times(a, 1 / x[REACTION], usual, hol_adm_print(a, "abs(TZ(%s))", own)));
    *out = sum;
    return HOL_OK;
}

// Adams' documents say what each arm is for; no run of Adams was at hand.
static hol_status tell_load(hol_adm *a, const hol_adm_statement *s, const hol_adm_statement *joint)
{
    return hol_import_tell(
        a->in, HOL_TOLD_ASSUMED, s->at, joint->own, "what presses in joints with FRICTION",
        "its parts, by radii, arms and overlap, add up as docs/import.md says, which has not "
        "been compared with results of Adams");
}

// ---- statement ------------------------------------------------------------------------------------------------

// What is not taken of it, in words; NULL: nothing.
static const char *not_taken(hol_adm *a, hol_adm_statement *s, hol_adm_statement *joint, const double x[])
{
    static const char *const joints[] = {"HOOKE", "UNIVERSAL"};
    const hol_adm_arg *law = hol_adm_get(s, "FORMULATION"), *effect = hol_adm_get(s, "EFFECT");
    const char *kind = "another type";
    for (int i = 0; i < HOL_COUNT(joints); i++)
        if (hol_adm_has(joint, joints[i])) kind = hol_adm_print(a, "type %s", joints[i]);
    if (!joint->coordinate && !hol_adm_has(joint, "SPHERICAL"))
        return hol_adm_print(
            a, "FRICTION of a joint of %s; of REVOLUTE, TRANSLATIONAL, CYLINDRICAL, SPHERICAL it is taken",
            kind);
    if (law && !hol_adm_begins_so(law->text, strlen(law->text), "ORIGINAL"))
        return hol_adm_print(a, "FRICTION by the formulation %.20s; ORIGINAL is taken", law->text);
    if (effect && hol_adm_begins_so(effect->text, strlen(effect->text), "STICTION"))
        return "FRICTION with the effect STICTION alone; ALL and SLIDING are taken";
    if (x[MU_STATIC] < x[MU_DYNAMIC] || (x[MU_DYNAMIC] == 0 && x[MU_STATIC] > 0))
        return "FRICTION that is less at rest than in sliding, or 0 in sliding and not at rest";
    return NULL;
}

// The law at rest and between rest and sliding. effort: of sliding; r: rate of the coordinate to speed of the surface.
static hol_status write_rest(hol_adm *a, hol_adm_statement *s, hol_node *map, const char *name, double effort,
                             double r, const double x[NUMBERS])
{
    const hol_adm_arg *effect = hol_adm_get(s, "EFFECT");
    const double ratio = x[MU_STATIC] > x[MU_DYNAMIC] ? x[MU_STATIC] / x[MU_DYNAMIC] : 1;
    if (effect && hol_adm_begins_so(effect->text, strlen(effect->text), "SLIDING")) {
        hol_import_text(a->in, map, "transition", number(a, x[SLOW] / 1.5 / r));
        return hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, name, SLIDING_ALONE, BELOW);
    }
    hol_import_text(a->in, map, "stiffness", number(a, effort * ratio * r / x[CREEP]));
    if (ratio > 1) {
        hol_import_text(a->in, map, "static", number(a, ratio));
        hol_import_text(a->in, map, "stribeck", number(a, x[SLOW] * (1 + x[FASTER]) / 2 / sqrt(log(2)) / r));
    }
    return hol_import_tell(
        a->in, HOL_TOLD_ASSUMED, s->at, name, "frictions of joints",
        "at rest a bristle holds, which gives MAX_STICTION_DEFORMATION at the limit and does not creep; what "
        "is more at rest falls by exp(-(v/v_s)^2), to half where the STEP of Adams does");
}

// The law as a key of the joint, with what is not as in Adams.
static hol_status write_friction(hol_adm *a, hol_adm_statement *s, hol_adm_statement *joint, int inputs,
                                 const double x[NUMBERS])
{
    const bool turns = joint->coordinate == 'R', more = x[MU_STATIC] > x[MU_DYNAMIC];
    const double preload = inputs & BY_PRELOAD ? x[turns ? TWIST : PRELOAD] : 0;
    const char *load = "";
    double usual = 1;
    hol_status st = usual_load(a, joint, x, &usual);
    if (!st && x[MU_DYNAMIC] > 0) st = write_load(a, s, joint, inputs, x, usual, &load);
    if (st) return st;
    if (!*load && preload == 0)
        return hol_import_tell(a->in, HOL_TOLD_LEFT_OUT, s->at, NULL, "frictions that nothing presses", "");
    const double effort = *load ? x[MU_DYNAMIC] * usual : preload;
    hol_node *map = hol_import_map(a->in, NULL, NULL);
    hol_import_text(a->in, map, turns ? "torque" : "force", number(a, effort));
    if (*load && preload > 0) load = hol_adm_print(a, "%s + %s", load, number(a, preload / effort));
    if (*load) hol_import_text(a->in, map, "engaged", load);
    joint->friction = map;
    if (joint->body) hol_import_put(a->in, joint->body, "friction", map);
    st = write_rest(a, s, map, joint->own, effort, turns ? x[PIN] : 1, x);
    if (!st && *load) st = tell_load(a, s, joint);
    if (!st && preload > 0 && more)
        st = hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, joint->own, "preloads of frictions",
                             "at rest they are larger in the ratio of MU_STATIC to MU_DYNAMIC");
    if (!st && !turns && inputs & (BY_BENDING | BY_TORSION) && *load)
        st = hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, joint->own, "moments that press a slider",
                             "they are those about marker I");
    return st;
}

// ---- smooth friction ------------------------------------------------------------------------------------------

// An expression with a name made of that of the joint, which it gives.
static const char *variable(hol_adm *a, hol_adm_statement *s, const hol_adm_statement *joint,
                            const char *what, const char *value)
{
    const char *name =
        hol_import_name(a->in, a->names, hol_adm_print(a, "%s_%s", joint->own, what), "_", false);
    if (!name) a->in->no_memory = true;
    if (!name) return "";
    hol_import_text(a->in, hol_adm_item(a, a->variables, s, name, NULL), "value", value);
    return name;
}

// The coefficient of friction over the speed w of sliding: beyond v = STICTION_TRANSITION_VELOCITY that of Adams, below it the STEP from -v
// to v, mu (3 w/v - (w/v)^3)/2.
static const char *drag(hol_adm *a, hol_adm_statement *s, const hol_adm_statement *joint, bool rests,
                        const char *slip, const double x[NUMBERS])
{
    const double mu = rests ? x[MU_STATIC] : x[MU_DYNAMIC];
    const char *w = variable(a, s, joint, "slip", slip), *v = number(a, x[SLOW]),
               *top = hol_adm_print(a, "%s*(1.5 - 0.5*min(%s/%s, 1)^2)", number(a, mu), w, v);
    if (mu > x[MU_DYNAMIC])
        top = hol_adm_print(a, "(%s + step(%s, %s, 0, %s, %s))", top, w, v, number(a, x[SLOW] * x[FASTER]),
                            number(a, x[MU_DYNAMIC] - mu));
    return variable(a, s, joint, "drag", hol_adm_print(a, "%s/max(%s, %s)", top, w, v));
}

// A force that is named after its joint.
static hol_node *brake(hol_adm *a, hol_adm_statement *s, const hol_adm_statement *joint, const char *what,
                       const char *type)
{
    const char *name =
        hol_import_name(a->in, a->names, hol_adm_print(a, "%s_%s", joint->own, what), "_", false);
    if (!name) a->in->no_memory = true;
    return name ? hol_adm_item(a, a->forces, s, name, type) : NULL;
}

// What presses with a preload, which is a friction.
static const char *pressed(hol_adm *a, const char *load, double preload, double mu)
{
    if (preload == 0) return load;
    return hol_adm_print(a, *load ? "(%s + %s)" : "%s%s", load, number(a, preload / mu));
}

// Of a slider that turns, along and about its axis against the sliding of its surface.
static void write_cylinder(hol_adm *a, hol_adm_statement *s, const hol_adm_statement *joint, bool rests,
                           const char *load, const double preload[2], const double x[NUMBERS])
{
    const char *own = joint->own, *r = number(a, x[PIN]),
               *mu =
                   drag(a, s, joint, rests, hol_adm_print(a, "hypot(%s.speed, %s*%s.rate)", own, r, own), x),
               *along = pressed(a, load, preload[0], x[MU_DYNAMIC]),
               *about = pressed(a, load, preload[1] / x[PIN], x[MU_DYNAMIC]);
    hol_node *map = brake(a, s, joint, "friction", "joint-force");
    hol_import_text(a->in, map, "joint", own);
    hol_import_text(a->in, map, "coordinate", "stroke");
    hol_import_text(a->in, map, "value", hol_adm_print(a, "-%s*%s*%s.speed", along, mu, own));
    map = brake(a, s, joint, "friction_torque", "joint-torque");
    hol_import_text(a->in, map, "joint", own);
    hol_import_text(a->in, map, "value",
                    hol_adm_print(a, "-%s*%s*%s*%s.rate", number(a, x[PIN] * x[PIN]), about, mu, own));
}

// Of a ball, against its turning.
static void write_ball(hol_adm *a, hol_adm_statement *s, const hol_adm_statement *joint, bool rests,
                       const char *load, double preload, const double x[NUMBERS])
{
    const char *i = hol_adm_marker(a, joint->second), *j = hol_adm_marker(a, joint->first),
               *mu = drag(a, s, joint, rests, hol_adm_print(a, "%s*WM(%s, %s)", number(a, x[BALL]), i, j), x),
               *press = pressed(a, load, preload / x[BALL], x[MU_DYNAMIC]);
    hol_node *map = brake(a, s, joint, "friction", "vector-force");
    hol_adm_between(a, map, joint);
    hol_node *list = hol_import_list(a->in, map, "torque");
    for (int k = 0; k < 3; k++)
        hol_import_text(a->in, list, NULL,
                        hol_adm_print(a, "-%s*%s*%s*W%c(%s, %s, %s)", number(a, x[BALL] * x[BALL]), press, mu,
                                      'X' + k, i, j, i));
    hol_import_text(a->in, map, "axes", i);
}

// In joints where nothing sticks here: as sliding alone, or with `lenient`.
static hol_status write_smooth(hol_adm *a, hol_adm_statement *s, const hol_adm_statement *joint, int inputs,
                               const double x[NUMBERS])
{
    const hol_adm_arg *effect = hol_adm_get(s, "EFFECT");
    const bool ball = !joint->coordinate,
               rests = !effect || !hol_adm_begins_so(effect->text, strlen(effect->text), "SLIDING");
    const double on = inputs & BY_PRELOAD ? 1 : 0, preload[2] = {on * x[PRELOAD], on * x[TWIST]};
    const char *own = joint->own,
               *load = inputs & BY_FORCE
                           ? hol_adm_print(a, ball ? "FM(%s)" : "hypot(FX(%s), FY(%s))", own, own)
                           : "",
               *divided = "";
    hol_status st = HOL_OK;
    if (!ball && inputs & BY_BENDING) {
        st = overlap(a, s, joint, x[OVERLAP], &divided);
        load = plus(a, load, hol_adm_print(a, "hypot(TX(%s), TY(%s))%s", own, own, divided));
    }
    if (st) return st;
    if (x[MU_DYNAMIC] == 0 || (!*load && preload[0] == 0 && preload[1] == 0))
        return hol_adm_missed(a, HOL_RECOVERABLE, s->at,
                              "FRICTION that nothing presses, or without MU_DYNAMIC");
    if (*load) st = tell_load(a, s, joint);
    if (st) return st;
    if (*load) load = variable(a, s, joint, "press", load);
    if (ball)
        write_ball(a, s, joint, rests, load, preload[1], x);
    else
        write_cylinder(a, s, joint, rests, load, preload, x);
    return hol_import_tell(
        a->in, rests ? HOL_TOLD_MISSED : HOL_TOLD_ASSUMED, s->at, own,
        rests ? "stiction in CYLINDRICAL and SPHERICAL joints, which is not taken" : SLIDING_ALONE, BELOW);
}

// Dry friction in a joint. The pin of a hinge slides with the speed of its surface.
hol_status hol_adm_friction(hol_adm *a, hol_adm_statement *s)
{
    double x[NUMBERS];
    int i, inputs;
    hol_status st = hol_adm_other(a, s, "JOINT", "JOINT", true, &i);
    if (!st) st = read_numbers(a, s, x);
    if (!st) st = read_inputs(a, s, &inputs);
    if (st) return st;
    a->in->at = s->at;
    hol_adm_has(s, "INACTIVE"); // a matter of Adams' static analyses
    if (a->s[i].friction)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: %s has friction already; keep one",
                           hol_adm_title(a, s), hol_adm_title(a, &a->s[i]));
    const char *why = not_taken(a, s, &a->s[i], x);
    if (!why && !(inputs & BY_BENDING)) hol_adm_has(s, "OVERLAP_DELTA");
    if (why) return hol_adm_missed(a, HOL_RECOVERABLE, s->at, why);
    return a->s[i].coordinate == 'R' || a->s[i].coordinate == 'T' ? write_friction(a, s, &a->s[i], inputs, x)
                                                                  : write_smooth(a, s, &a->s[i], inputs, x);
}
