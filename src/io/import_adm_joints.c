// Joints, primitives, constraints, motions, couplers and gears of Adams. What relates more than the two frames that it names, or has no
// joint like it, is a constraint between measures.
#include "io/import_adm.h"

#include <math.h>
#include <string.h>

// ---- ends -----------------------------------------------------------------------------------------------------

hol_status hol_adm_ends(hol_adm *a, hol_adm_statement *s)
{
    hol_status st = hol_adm_other(a, s, "I", "MARKER", true, &s->second);
    if (!st) st = hol_adm_other(a, s, "J", "MARKER", true, &s->first);
    if (st || s->first != s->second) return st;
    return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: I and J are one marker", hol_adm_title(a, s));
}

void hol_adm_between(hol_adm *a, hol_node *map, const hol_adm_statement *s)
{
    hol_node *ends = hol_import_list(a->in, map, "between");
    hol_import_text(a->in, ends, NULL, hol_adm_marker(a, s->first));
    hol_import_text(a->in, ends, NULL, hol_adm_marker(a, s->second));
}

// A marker at another one with its axes in another order or sense: column k of the new frame is sign[k] times column from[k].
static const char *turned(hol_adm *a, const hol_adm_statement *s, int marker, const int from[3],
                          const int sign[3])
{
    const hol_adm_statement *m = &a->s[marker];
    hol_import_frame f = m->frame;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) f.R[3 * i + k] = sign[k] * m->frame.R[3 * i + from[k]] + 0.0;
    return hol_adm_extra(a, m->part, s->own, &f);
}

// ---- joints ---------------------------------------------------------------------------------------------------

typedef struct {
    const char *word, *type; // type NULL: a constraint
    bool together;           // its origins are at one place
    char coordinate;         // R, T, B: both, or none
} kind;
static const kind joints[] = {{"CONVEL", "constant-velocity", true, 0},
                              {"CYLINDRICAL", "cylindrical", false, 'B'},
                              {"FIXED", "fixed", true, 0},
                              {"HOOKE", "universal", true, 0},
                              {"PLANAR", "planar", false, 0},
                              {"RACKPIN", NULL, false, 0},
                              {"REVOLUTE", "revolute", true, 'R'},
                              {"SCREW", NULL, false, 0},
                              {"SPHERICAL", "spherical", true, 0},
                              {"TRANSLATIONAL", "translational", false, 'T'},
                              {"UNIVERSAL", "universal", true, 0}};
static const kind prims[] = {{"ATPOINT", "at-point", true, 0},
                             {"INLINE", "in-line", false, 0},
                             {"INPLANE", "in-plane", false, 0},
                             {"ORIENTATION", "orientation", false, 0},
                             {"PARALLEL_AXES", "parallel-axes", false, 0},
                             {"PERPENDICULAR", "perpendicular", false, 0}};

// Which of these a statement is.
static hol_status find_kind(hol_adm *a, hol_adm_statement *s, const kind *list, int n, const kind **out)
{
    const char *words[16] = {NULL};
    for (int i = 0; i < n; i++) words[i] = list[i].word;
    const int k = hol_adm_choice(a, s, words);
    *out = k < 0 ? NULL : &list[k];
    return k < 0 ? HOL_ERR_MODEL : HOL_OK;
}

static hol_status find_joint(hol_adm *a, hol_adm_statement *s, const kind **out)
{
    return find_kind(a, s, joints, HOL_COUNT(joints), out);
}

hol_status hol_adm_begin_joint(hol_adm *a, hol_adm_statement *s)
{
    const kind *k = NULL;
    hol_status st = hol_adm_ends(a, s);
    s->reacts = true;
    if (!st && strcmp(s->type->name, "JOINT") == 0) st = find_joint(a, s, &k);
    if (!st && strcmp(s->type->name, "JPRIM") == 0) st = find_kind(a, s, prims, HOL_COUNT(prims), &k);
    if (st || !k) return st;
    s->reacts = k->type != NULL;
    s->coordinate = k->coordinate;
    s->together = k->together;
    s->turned = strcmp(k->word, "HOOKE") == 0;
    return HOL_OK;
}

// A constraint by an expression of measures, which holds as drawn.
static void write_constraint(hol_adm *a, const hol_adm_statement *s, const char *key, const char *text)
{
    hol_import_text(a->in, hol_adm_item(a, a->constraints, s, s->own, NULL), key, text);
}

// A joint by which a part turns (R) or slides (T) along an axis of a marker of it, and the part that carries it.
typedef struct {
    int joint, carrier;
    double sense; // of the motion of the part along the marker's axis, for a rate of 1 of the joint
} carried;

// The cosine between the z axes of two frames.
static double along_z(const hol_import_frame *a, const hol_import_frame *b)
{
    double sum = 0;
    for (int i = 2; i < 9; i += 3) sum += a->R[i] * b->R[i];
    return sum;
}

// The next such joint behind `from`.
static bool find_carried(hol_adm *a, int marker, char coordinate, int from, carried *out)
{
    const int part = a->s[marker].part;
    const hol_import_frame m = hol_adm_place(a, marker);
    for (int k = from; k < a->n; k++) {
        const hol_adm_statement *s = &a->s[k];
        if (s->coordinate != coordinate && !(coordinate == 'R' && s->coordinate == 'B')) continue;
        const int first = a->s[s->first].part, second = a->s[s->second].part;
        if (part != first && part != second) continue;
        const hol_import_frame j = hol_adm_place(a, s->first);
        const double along = along_z(&m, &j);
        if (fabs(along) < 1 - 1e-6) continue;
        *out =
            (carried){k, part == second ? first : second, (part == second ? 1 : -1) * (along > 0 ? 1 : -1)};
        return true;
    }
    return false;
}

bool hol_adm_turns_about_z(hol_adm *a, int to, int from)
{
    const hol_import_frame t = hol_adm_place(a, to), f = from < 0 ? hol_frame_none : hol_adm_place(a, from);
    for (int k = 0; k < 2 && along_z(&t, &f) > 1 - 1e-6; k++)
        for (carried c = {.joint = -1}; find_carried(a, to, "RT"[k], c.joint + 1, &c);)
            if (from < 0 ? a->s[c.carrier].ground : c.carrier == a->s[from].part) return true;
    return false;
}

// z of J and the turn about it in proportion; with a cylindrical joint beside it a screw, alone a constraint.
static hol_status write_screw(hol_adm *a, hol_adm_statement *s)
{
    double pitch = 0;
    if (!hol_adm_need(a, s, "PITCH")) return HOL_ERR_MODEL;
    const hol_status st = hol_adm_numbers(a, s, "PITCH", 1, a->length, &pitch);
    carried c = {.joint = -1};
    while (find_carried(a, s->second, 'B', c.joint + 1, &c))
        if (c.carrier == a->s[s->first].part) {
            hol_node *map = hol_adm_item(a, a->joints, s, s->own, "screw");
            hol_adm_between(a, map, s);
            hol_import_number(a->in, map, "pitch", pitch);
            return st;
        }
    const char *i = hol_adm_marker(a, s->second), *j = hol_adm_marker(a, s->first);
    const char *rate = hol_adm_times(a, pitch / (2 * HOL_PI), hol_adm_print(a, "WZ(%s, %s, %s)", i, j, j));
    write_constraint(a, s, "velocity", hol_adm_print(a, "VZ(%s, %s, %s, %s) - %s", i, j, j, j, rate));
    return st;
}

// The turn of the pinion I about its z and the way of the rack along z of J: by the joints that carry both, or, where one part does not carry
// both, a constraint of their rates.
static hol_status write_rackpin(hol_adm *a, hol_adm_statement *s)
{
    double diameter = 0;
    if (!hol_adm_need(a, s, "PD")) return HOL_ERR_MODEL;
    hol_status st = hol_adm_numbers(a, s, "PD", 1, a->length, &diameter);
    if (!st)
        st = hol_import_tell(
            a->in, HOL_TOLD_ASSUMED, s->at, s->own, "racks and pinions",
            "where PD is above 0, a turn of the pinion about z of I moves the rack along z of J");
    if (st) return st;
    for (carried p = {.joint = -1}; find_carried(a, s->second, 'R', p.joint + 1, &p);)
        for (carried r = {.joint = -1}; find_carried(a, s->first, 'T', r.joint + 1, &r);) {
            if (p.carrier != r.carrier) continue;
            hol_node *map = hol_adm_item(a, a->joints, s, s->own, "rack-pinion"),
                     *list = hol_import_list(a->in, map, "joints");
            hol_import_text(a->in, list, NULL, a->s[p.joint].own);
            hol_import_text(a->in, list, NULL, a->s[r.joint].own);
            hol_import_number(a->in, map, "radius", diameter / 2 * p.sense * r.sense);
            return HOL_OK;
        }
    const char *i = hol_adm_marker(a, s->second), *j = hol_adm_marker(a, s->first);
    const char *rate = hol_adm_times(a, diameter / 2, hol_adm_print(a, "WZ(%s, %s, %s)", i, j, i));
    write_constraint(a, s, "velocity", hol_adm_print(a, "VZ(%s, %s, %s, %s) + %s", i, j, j, j, rate));
    return HOL_OK;
}

// ICTRAN and ICROT: how far the joint has moved at the start, and how fast; exact, as in Adams.
static hol_status write_start(hol_adm *a, hol_adm_statement *s, const kind *k)
{
    static const struct {
        const char *key, *own[2];
        char coordinate;
    } rows[] = {{"ICTRAN", {"stroke", "speed"}, 'T'}, {"ICROT", {"angle", "rate"}, 'R'}};
    hol_node *map = NULL;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const hol_adm_arg *arg = hol_adm_get(s, rows[i].key);
        double *x;
        int n;
        if (!arg) continue;
        if (k->coordinate != 'B' && k->coordinate != rows[i].coordinate)
            return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at, "%s: a %s joint has no %s",
                               hol_adm_title(a, s), k->word, rows[i].key);
        const hol_status st = hol_adm_list(a, arg, rows[i].coordinate == 'T' ? a->length : 1, &x, &n);
        if (st) return st;
        if (n > 2)
            return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at,
                               "%s: %s: a displacement and a velocity are wanted, here are %d numbers",
                               hol_adm_title(a, s), rows[i].key, n);
        if (!map) {
            map = hol_import_map(a->in, a->exact, NULL);
            hol_import_text(a->in, map, "joint", s->own);
        }
        for (int j = 0; j < n; j++) hol_import_number(a->in, map, rows[i].own[j], j ? x[j] / a->time : x[j]);
    }
    return HOL_OK;
}

hol_status hol_adm_joint(hol_adm *a, hol_adm_statement *s)
{
    static const int same[3] = {0, 1, 2}, next[3] = {1, 2, 0}, before[3] = {2, 0, 1}, plus[3] = {1, 1, 1},
                     flip[3] = {1, -1, -1};
    const kind *k;
    const hol_status st = find_joint(a, s, &k);
    if (st) return st;
    if (strcmp(k->word, "SCREW") == 0) return write_screw(a, s);
    if (strcmp(k->word, "RACKPIN") == 0) return write_rackpin(a, s);
    hol_node *map = hol_adm_item(a, a->joints, s, s->own, k->type);
    if (s->turned) { // arms of the cross: y of J, x of I
        hol_node *ends = hol_import_list(a->in, map, "between");
        hol_import_text(a->in, ends, NULL, turned(a, s, s->first, before, plus));
        hol_import_text(a->in, ends, NULL, turned(a, s, s->second, next, plus));
    } else if (strcmp(k->word, "CONVEL") ==
               0) { // z along both shafts away from the centre; here in the same sense
        hol_node *ends = hol_import_list(a->in, map, "between");
        hol_import_text(a->in, ends, NULL, turned(a, s, s->first, same, flip));
        hol_import_text(a->in, ends, NULL, hol_adm_marker(a, s->second));
    } else
        hol_adm_between(a, map, s);
    s->body = map;
    if (s->friction) hol_import_put(a->in, map, "friction", s->friction);
    return write_start(a, s, k);
}

hol_status hol_adm_jprim(hol_adm *a, hol_adm_statement *s)
{
    const kind *k;
    const hol_status st = find_kind(a, s, prims, HOL_COUNT(prims), &k);
    if (!st) hol_adm_between(a, hol_adm_item(a, a->joints, s, s->own, k->type), s);
    return st;
}

// ---- constraints ----------------------------------------------------------------------------------------------

// The markers and length of "DM(i, j) - length", which is a joint with a reaction; is it one?
static bool read_distance(hol_adm *a, const hol_adm_arg *arg, int marker[2], double *length)
{
    const char *p = arg->text;
    double id[2];
    if (!hol_same_word(p, 2, "DM") || strlen(p) < 2) return false;
    p += 2 + strspn(p + 2, " ");
    for (int k = 0; k < 2; k++) {
        char *end;
        if (*p++ != (k ? ',' : '(')) return false;
        p += strspn(p, " ");
        const size_t n = strspn(p, "0123456789");
        if (!n || n > 9) return false;
        id[k] = hol_decimal_read(p, &end);
        p += n + strspn(p + n, " ");
        marker[k] = hol_adm_find(a, "MARKER", (int)id[k]);
    }
    if (*p++ != ')') return false;
    p += strspn(p, " ");
    if (*p++ != '-') return false;
    char *end;
    p += strspn(p, " ");
    *length = hol_decimal_read(p, &end);
    return marker[0] >= 0 && marker[1] >= 0 && *p >= '.' && *p <= '9' && !*end && *length > 0;
}

hol_status hol_adm_begin_gcon(hol_adm *a, hol_adm_statement *s)
{
    int i, j, marker[2];
    hol_adm_arg *arg = hol_adm_need(a, s, "FUNCTION");
    hol_status st = arg ? hol_adm_other(a, s, "I", "MARKER", false, &i) : HOL_ERR_MODEL;
    if (!st) st = hol_adm_other(a, s, "J", "MARKER", false, &j);
    if (st || !read_distance(a, arg, marker, &s->value)) return st;
    const int last = marker[1] == i;
    s->reacts = true;
    s->second = marker[last];
    s->first = marker[!last];
    return HOL_OK;
}

hol_status hol_adm_gcon(hol_adm *a, hol_adm_statement *s)
{
    hol_adm_function f;
    hol_adm_arg *arg = hol_adm_get(s, "FUNCTION");
    if (s->reacts) {
        hol_node *map = hol_adm_item(a, a->joints, s, s->own, "distance");
        hol_adm_between(a, map, s);
        hol_import_number(a->in, map, "length", hol_adm_si(s->value, a->length));
        return HOL_OK;
    }
    const hol_status st = hol_adm_take(a, arg, &f);
    if (st) return st;
    write_constraint(a, s, f.rates ? "velocity" : "position", f.text);
    return f.turns && !f.rates
               ? hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, s->own, "constraints of angles",
                                 "they do not count turns, and hold within half a turn")
               : HOL_OK;
}

// ---- motions --------------------------------------------------------------------------------------------------

hol_status hol_adm_begin_motion(hol_adm *a, hol_adm_statement *s)
{
    int joint;
    const hol_status st = hol_adm_other(a, s, "JOINT", "JOINT", false, &joint);
    if (st) return st;
    if (joint < 0) return hol_adm_ends(a, s);
    const hol_status ends = a->s[joint].first < 0 ? hol_adm_begin_joint(a, &a->s[joint]) : HOL_OK;
    s->first = a->s[joint].first;
    s->second = a->s[joint].second;
    s->reacts = true;
    return ends;
}

// Of a joint: R or T.
static hol_status coordinate_of(hol_adm *a, hol_adm_statement *s, const kind *k, bool turns, bool slides,
                                char *out)
{
    *out = turns ? 'R' : slides ? 'T' : k->coordinate;
    const bool has =
        (*out == 'R' || *out == 'T') && !(turns && slides) && (k->coordinate == 'B' || k->coordinate == *out);
    return has ? HOL_OK
               : hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at,
                             "%s: a %s joint has no such coordinate; it is TRANSLATION or ROTATION",
                             hol_adm_title(a, s), k->word);
}

enum { PLACE, RATE, ACCEL };

// Displacement, velocity or acceleration.
static int level_of(hol_adm_statement *s)
{
    hol_adm_has(s, "DISPLACEMENT");
    const bool rate = hol_adm_has(s, "VELOCITY");
    return hol_adm_has(s, "ACCELERATION") ? ACCEL : rate ? RATE : PLACE;
}

// A driver of a joint's coordinate.
static hol_status write_driver(hol_adm *a, hol_adm_statement *s, hol_adm_statement *joint, int level,
                               const hol_adm_function *f)
{
    static const char *const keys[] = {"value", "speed", "acceleration"};
    const kind *k;
    char c;
    double start[2] = {0, 0};
    hol_status st = find_joint(a, joint, &k);
    const bool turns = hol_adm_has(s, "ROTATIONAL"), slides = hol_adm_has(s, "TRANSLATIONAL");
    if (!st) st = coordinate_of(a, s, k, turns, slides, &c);
    if (st) return st;
    const double L = c == 'R' ? 1 : a->length, unit = level == PLACE  ? L
                                                      : level == RATE ? L / a->time
                                                                      : L / (a->time * a->time);
    const bool placed = hol_adm_has(s, "ICDISP"), moving = hol_adm_has(s, "ICVEL");
    st = hol_adm_numbers(a, s, "ICDISP", 1, L, &start[0]);
    if (!st) st = hol_adm_numbers(a, s, "ICVEL", 1, L / a->time, &start[1]);
    hol_node *map = hol_adm_item(a, a->drivers, s, s->own, c == 'R' ? "angle" : "stroke");
    hol_import_text(a->in, map, "joint", joint->own);
    hol_import_text(a->in, map, keys[level], hol_adm_times(a, unit, f->text));
    if (placed && level != PLACE) hol_import_number(a->in, map, "start", start[0]);
    if (moving && level == ACCEL) hol_import_number(a->in, map, "start_speed", start[1]);
    return st;
}

// Between markers: of I against J along the axes of J, or about z.
static hol_status write_between(hol_adm *a, hol_adm_statement *s, int level, const hol_adm_function *f)
{
    static const char *const words[] = {"X", "Y", "Z", "B1", "B2", "B3", NULL};
    const char *i = hol_adm_marker(a, s->second), *j = hol_adm_marker(a, s->first);
    const int k = hol_adm_choice(a, s, words);
    const char *value = hol_adm_times(a, (k < 3 ? a->length : 1) / (level == RATE ? a->time : 1), f->text),
               *text;
    if (k < 0) return HOL_ERR_MODEL;
    if (k == 3 || k == 4 || level == ACCEL)
        return hol_adm_missed(a, HOL_RECOVERABLE, s->at,
                              level == ACCEL ? "MOTION by accelerations between markers"
                                             : "MOTION of B1 or B2, angles about two axes of three");
    if (k == 5) { // a driver counts turns
        hol_node *map = hol_adm_item(a, a->drivers, s, s->own, "angle");
        hol_adm_between(a, map, s);
        hol_import_text(a->in, map, level == PLACE ? "value" : "speed", value);
        return hol_adm_turns_about_z(a, s->second, s->first)
                   ? HOL_OK
                   : hol_import_tell(a->in, HOL_TOLD_ASSUMED, s->at, s->own, "motions of B3",
                                     "the z axes of their markers stay parallel");
    }
    text = level == PLACE ? hol_adm_print(a, "D%s(%s, %s, %s)", words[k], i, j, j)
                          : hol_adm_print(a, "V%s(%s, %s, %s, %s)", words[k], i, j, j, j);
    write_constraint(a, s, level == PLACE ? "position" : "velocity",
                     hol_adm_print(a, "%s - (%s)", text, value));
    return HOL_OK;
}

hol_status hol_adm_motion(hol_adm *a, hol_adm_statement *s)
{
    hol_adm_function f;
    int joint;
    hol_adm_arg *arg = hol_adm_need(a, s, "FUNCTION");
    if (!arg) return HOL_ERR_MODEL;
    hol_status st = hol_adm_take(a, arg, &f);
    if (!st) st = hol_adm_other(a, s, "JOINT", "JOINT", false, &joint);
    if (st) return st;
    const int level = level_of(s);
    for (int i = 0; i < (level == ACCEL ? 0 : 2 - level); i++) {
        static const char *const starts[] = {"ICVEL", "ICDISP"};
        const hol_adm_arg *start = hol_adm_get(s, starts[i]);
        if (start)
            st = hol_import_tell(a->in, HOL_TOLD_LEFT_OUT, start->at, s->own,
                                 "ICDISP and ICVEL of a MOTION that says them by its function", "");
        if (st) return st;
    }
    return joint < 0 ? write_between(a, s, level, &f) : write_driver(a, s, &a->s[joint], level, &f);
}

// ---- couplers and gears ---------------------------------------------------------------------------------------

// JOINTS=1,2,3 as statements.
static hol_status read_joints(hol_adm *a, hol_adm_statement *s, int least, int most, int joint[3], int *n)
{
    double *id;
    const hol_adm_arg *arg = hol_adm_need(a, s, "JOINTS");
    const hol_status st = arg ? hol_adm_list(a, arg, 1, &id, n) : HOL_ERR_MODEL;
    if (st) return st;
    if (*n < least || *n > most)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at,
                           "%s: JOINTS: %d%s joints are wanted, here %s %d", hol_adm_title(a, s), least,
                           most > least ? " or 3" : "", *n == 1 ? "is" : "are", *n);
    for (int i = 0; i < *n; i++) {
        joint[i] = hol_adm_named(a, s, arg, "JOINT", id[i]);
        if (joint[i] < 0) return HOL_ERR_MODEL;
    }
    return HOL_OK;
}

static void write_coupler(hol_adm *a, const hol_adm_statement *s, int n, const int joint[3],
                          const double ratio[3])
{
    hol_node *map = hol_adm_item(a, a->joints, s, s->own, "coupler"),
             *list = hol_import_list(a->in, map, "joints");
    for (int i = 0; i < n; i++) hol_import_text(a->in, list, NULL, a->s[joint[i]].own);
    hol_import_numbers(a->in, map, "ratios", n, ratio);
}

// The sum of scales times coordinates stays as drawn; the first scale may be left out.
hol_status hol_adm_coupler(hol_adm *a, hol_adm_statement *s)
{
    int joint[3], n, m;
    double *given, scale[3] = {1};
    bool plain = true;
    if (hol_adm_has(s, "FUNCTION")) return hol_adm_user(a, s);
    const hol_adm_arg *type = hol_adm_get(s, "TYPE"), *scales = hol_adm_need(a, s, "SCALES");
    hol_status st = scales ? read_joints(a, s, 2, 3, joint, &n) : HOL_ERR_MODEL;
    if (!st) st = hol_adm_list(a, scales, 1, &given, &m);
    if (st) return st;
    if (m != n && m != n - 1)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, scales->at,
                           "%s: SCALES: %d numbers are wanted, or %d where the first is 1, here are %d",
                           hol_adm_title(a, s), n, n - 1, m);
    memcpy(scale + n - m, given, (size_t)m * sizeof *given);
    const char *p = type ? type->text : "", *sum = "";
    for (int i = 0; i < n; i++) {
        const kind *k;
        char c;
        p += strspn(p, ":, ");
        st = find_joint(a, &a->s[joint[i]], &k);
        if (!st) st = coordinate_of(a, s, k, *p == 'R' || *p == 'r', *p == 'T' || *p == 't', &c);
        if (st) return st;
        p += strcspn(p, ":, ");
        plain = plain && !(k->coordinate == 'B' && c == 'T');
        if (c == 'T') scale[i] /= a->length;
        const char *one = hol_adm_times(
            a, scale[i], hol_adm_print(a, "%s.%s", a->s[joint[i]].own, c == 'T' ? "speed" : "rate"));
        sum = !i            ? one
              : *one == '-' ? hol_adm_print(a, "%s - %s", sum, one + 1)
                            : hol_adm_print(a, "%s + %s", sum, one);
    }
    if (plain)
        write_coupler(a, s, n, joint, scale);
    else // a coupler takes the turn of a cylindrical joint, and a constraint of places does not count turns
        write_constraint(a, s, "velocity", sum);
    return HOL_OK;
}

// How fast the gear at a joint moves at the contact point against the carrier, along z of CV, for a rate of 1 of the joint.
static hol_status contact_speed(hol_adm *a, hol_adm_statement *s, hol_adm_statement *joint, int cv,
                                double *speed)
{
    const kind *k;
    const hol_status st = find_joint(a, joint, &k);
    if (st) return st;
    const hol_import_frame at = hol_adm_place(a, cv), j = hol_adm_place(a, joint->first);
    const int carrier = a->s[cv].part;
    const double sense = a->s[joint->first].part == carrier    ? 1
                         : a->s[joint->second].part == carrier ? -1
                                                               : 0;
    if (sense == 0 || !k->coordinate)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at,
                           sense == 0 ? "%s: %s is not on the part of CV, the carrier"
                                      : "%s: %s neither turns nor slides",
                           hol_adm_title(a, s), hol_adm_title(a, joint));
    *speed = 0;
    for (int i = 0; i < 3; i++) {
        const int u = (i + 1) % 3, v = (i + 2) % 3;
        const double z = j.R[3 * i + 2],
                     turn = j.R[3 * u + 2] * (at.p[v] - j.p[v]) - j.R[3 * v + 2] * (at.p[u] - j.p[u]);
        *speed += sense * (k->coordinate == 'T' ? z : turn) * at.R[3 * i + 2];
    }
    if (fabs(*speed) > 1e-12) return HOL_OK;
    return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: %s moves nothing along z of CV at that point",
                       hol_adm_title(a, s), hol_adm_title(a, joint));
}

hol_status hol_adm_gear(hol_adm *a, hol_adm_statement *s)
{
    int joint[3], n, cv;
    double speed[3] = {0, 0, 0};
    hol_status st = read_joints(a, s, 2, 2, joint, &n);
    if (!st) st = hol_adm_other(a, s, "CV", "MARKER", true, &cv);
    for (int i = 0; i < 2 && !st; i++) st = contact_speed(a, s, &a->s[joint[i]], cv, &speed[i]);
    if (st) return st;
    speed[1] = -speed[1];
    write_coupler(a, s, 2, joint, speed);
    return HOL_OK;
}
