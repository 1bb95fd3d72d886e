// Values of MJCF: classes of defaults, orientations, and attributes that have no part in the motion.
#include "io/import_mjcf.h"
#include "element/marker.h"

#include <math.h>
#include <string.h>

enum { MOST = 10 }; // numbers of an attribute

// ---- classes --------------------------------------------------------------------------------------------------

static hol_status wrong(const hol_mjcf *m, const hol_xml *e, const char *why)
{
    return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<default>: %s", why);
}

// Is it what the outermost class is called?
static bool is_outermost(const hol_mjcf *m, const char *name)
{
    return strcmp(name, "main") == 0 ||
           (m->outermost >= 0 && strcmp(name, m->classes[m->outermost].name) == 0);
}

// A class and those within it. What a second <default> of the file says of the outermost class is not known to classes of the one
// before, which are copies of what that was: it is a class of its own.
static hol_status add_class(hol_mjcf *m, hol_xml *e, int parent)
{
    const char *name = hol_xml_get(e, "class");
    hol_import *in = m->in;
    const bool first = parent < 0;
    if (!name) name = first ? "main" : "";
    if (!*name) return wrong(m, e, "a class within another one has a name, class=");
    if ((!first && is_outermost(m, name)) || hol_names_find(m->class_names, name) >= 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at,
                           "<default>: there is a class \"%.60s\" already; write both as one", name);
    if (!HOL_ARENA_GROW(in->arena, m->classes, m->n_classes)) return HOL_ERR_MEMORY;
    const int own = m->n_classes++;
    m->classes[own] = (hol_mjcf_class){name, e, first ? m->outermost : parent};
    if (first) m->outermost = own;
    hol_status st = first ? HOL_OK : hol_names_add(m->class_names, name, own);
    for (hol_xml *c = e->first; c && !st; c = c->next) {
        c->taken = true;
        if (strcmp(c->name, "default") == 0) st = add_class(m, c, own);
    }
    return st;
}

hol_status hol_mjcf_read_classes(hol_mjcf *m)
{
    hol_status st = HOL_OK;
    for (hol_xml *e = hol_xml_find(m->root, "default"); e && !st; e = hol_xml_next(m->root, "default", e))
        st = add_class(m, e, -1);
    return st;
}

hol_status hol_mjcf_class_of(hol_mjcf *m, hol_xml *e, const char *key, int around, int *out)
{
    const char *name = hol_xml_get(e, key);
    *out = around;
    if (!name) return HOL_OK;
    *out = is_outermost(m, name) ? m->outermost : hol_names_find(m->class_names, name);
    if (*out >= 0 || is_outermost(m, name)) return HOL_OK;
    return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<%s>: there is no class \"%.60s\"", e->name, name);
}

static bool is_one_of(const char *word, const char *const *words, int n)
{
    bool is = false;
    for (int i = 0; i < n; i++) is = is || strcmp(word, words[i]) == 0;
    return is;
}

bool hol_mjcf_is_actuator(const hol_xml *e)
{
    static const char *const words[] = {"general", "motor",       "position", "velocity",
                                        "damper",  "intvelocity", "cylinder"};
    return is_one_of(e->name, words, HOL_COUNT(words));
}

// Does an attribute say what an actuator makes of its control?
static bool is_gain(const char *key)
{
    static const char *const keys[] = {"kp",      "kv",     "gaintype",  "gainprm", "biastype", "biasprm",
                                       "dyntype", "dynprm", "timeconst", "area",    "diameter", "bias"};
    return is_one_of(key, keys, HOL_COUNT(keys));
}

// Is it of the part that does not depend on the control?
static bool is_of_bias(const hol_xml *e, const char *key)
{
    const bool servo = strcmp(e->name, "position") == 0 || strcmp(e->name, "intvelocity") == 0;
    return strncmp(key, "bias", 4) == 0 || (servo && strcmp(key, "kv") == 0);
}

typedef struct found {
    const char *value;    // NULL: not yet found
    const hol_xml *other; // what makes another thing of it
    bool none;            // it has the built-in value
} found;

// Does another word than that of an actuator change what its attribute begins with? All words but <general> set the types that
// <general> reads, and the bias that a cylinder and the damping of a servo begin with; else a word has to say a gain.
static bool changes(const hol_xml *d, const hol_xml *e, const char *key)
{
    bool gains = strcmp(d->name, "general") != 0 && (strcmp(e->name, "general") == 0 || is_of_bias(e, key));
    for (int i = 0; i < d->n; i++) gains = gains || is_gain(d->key[i]);
    return gains;
}

// A class has one sample of all actuators, which each of their words changes in turn: ranges and gear of a <motor> are those of a
// <position>, too. What another word makes of the gain is no number of this one; that of a motor is 1.
static void of_sample(hol_xml *e, hol_xml *d, const char *key, found *out)
{
    const bool tendon =
        strcmp(d->name, "tendon") == 0 && (strcmp(e->name, "fixed") == 0 || strcmp(e->name, "spatial") == 0);
    const bool same = tendon || strcmp(d->name, e->name) == 0,
               shares = !same && hol_mjcf_is_actuator(d) && hol_mjcf_is_actuator(e), gain = is_gain(key);
    const char *value = same || (shares && !gain) ? hol_xml_get(d, key) : NULL;
    if (value) *out = (found){.value = value};
    if (!shares || !gain) return;
    const bool motor = strcmp(d->name, "motor") == 0;
    if (motor || changes(d, e, key)) *out = (found){.other = motor ? NULL : d, .none = motor};
}

typedef struct place { // where what classes say is looked for next
    int class;         // -1: none is left
    int word;          // of this class those before it are left; -1: all
} place;

static place begin_in(const hol_mjcf *m, int around)
{
    return (place){around < 0 ? m->outermost : around, -1};
}

// The next word, from the last one of the class on and outwards, that says something.
static found next_said(const hol_mjcf *m, hol_xml *e, const char *key, place *at)
{
    found said = {0};
    for (; at->class >= 0; *at = (place){m->classes[at->class].parent, -1}) {
        hol_xml *first = m->classes[at->class].xml->first;
        if (at->word < 0)
            for (hol_xml *d = (at->word = 0, first); d; d = d->next) ++at->word;
        while (at->word > 0) {
            hol_xml *d = first;
            --at->word;
            for (int i = 0; i < at->word; i++) d = d->next;
            of_sample(e, d, key, &said);
            if (said.value || said.other || said.none) return said;
        }
    }
    return said;
}

static hol_status fail_sample(const hol_mjcf *m, const hol_xml *e, const char *key, const hol_xml *other,
                              const char *how)
{
    return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at,
                       "<%s>: its %s would be what <%s> of <default>, line %d, makes of the sample that all "
                       "actuators share; write %s=%s here",
                       e->name, key, other->name, other->at.line, key, how);
}

hol_status hol_mjcf_get(hol_mjcf *m, hol_xml *e, const char *key, int around, const char **out)
{
    place at = begin_in(m, around);
    found said = {.value = hol_xml_get(e, key)};
    const hol_status st = hol_mjcf_class_of(m, e, "class", at.class, &at.class);
    if (!st && !said.value) said = next_said(m, e, key, &at);
    *out = said.value;
    return st || !said.other ? st : fail_sample(m, e, key, said.other, "");
}

// Of what a <motor> of a class has set there is one number, a gain of 1; the others stay.
hol_status hol_mjcf_first_ones(hol_mjcf *m, hol_xml *e, const char *key, int around, int most, int needed,
                               double *out, int *n)
{
    place at = begin_in(m, around);
    char name[130];
    const bool gain = strcmp(key, "gainprm") == 0;
    found said = {.value = hol_xml_get(e, key)};
    hol_status st = hol_mjcf_class_of(m, e, "class", at.class, &at.class);
    *n = 0;
    hol_decimal_print(name, sizeof name, "<%.60s>: %.60s", e->name, key);
    if (!st && !said.value) said = next_said(m, e, key, &at);
    for (; !st && (said.value || said.none); said = *n < needed ? next_said(m, e, key, &at) : (found){0}) {
        double own[MOST] = {1};
        int k = gain;
        if (said.value) st = hol_import_some(m->in, e->at, name, said.value, most, own, &k);
        for (; !st && *n < k; ++*n) out[*n] = own[*n];
    }
    return st || !said.other ? st : fail_sample(m, e, key, said.other, *n ? " with all its numbers" : "");
}

hol_status hol_mjcf_some(hol_mjcf *m, hol_xml *e, const char *key, int around, int most, double *out, int *n)
{
    const char *text;
    char name[130];
    hol_status st = hol_mjcf_get(m, e, key, around, &text);
    *n = 0;
    if (st || !text) return st;
    hol_decimal_print(name, sizeof name, "<%.60s>: %.60s", e->name, key);
    return hol_import_some(m->in, e->at, name, text, most, out, n);
}

hol_status hol_mjcf_numbers(hol_mjcf *m, hol_xml *e, const char *key, int around, int n, double *out)
{
    const char *text;
    char name[130];
    hol_status st = hol_mjcf_get(m, e, key, around, &text);
    if (st || !text) return st;
    hol_decimal_print(name, sizeof name, "<%.60s>: %.60s", e->name, key);
    return hol_import_numbers_of(m->in, e->at, name, text, n, out);
}

hol_status hol_mjcf_flag(hol_mjcf *m, hol_xml *e, const char *key, int around, bool *out)
{
    const char *text;
    hol_status st = hol_mjcf_get(m, e, key, around, &text);
    if (st || !text) return st;
    *out = strcmp(text, "true") == 0;
    if (*out || strcmp(text, "false") == 0) return HOL_OK;
    return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<%s>: %s: \"%.20s\" is neither true nor false",
                       e->name, key, text);
}

// ---- places ---------------------------------------------------------------------------------------------------

// Makes n numbers a vector of length 1.
static hol_status normalise(hol_mjcf *m, const hol_xml *e, int n, double *q)
{
    double length = 0;
    for (int i = 0; i < n; i++) length += q[i] * q[i];
    if (!(length > 0) || !isfinite(length))
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<%s>: a direction or quaternion without length",
                           e->name);
    for (int i = 0; i < n; i++) q[i] /= sqrt(length);
    return HOL_OK;
}

hol_status hol_mjcf_turn(hol_mjcf *m, const hol_xml *e, const double quat[4], double R[9])
{
    double q[4];
    memcpy(q, quat, sizeof q);
    const hol_status st = normalise(m, e, 4, q);
    if (!st) hol_quat_matrix(q, R);
    return st;
}

static double radians(const hol_mjcf *m, double angle) { return m->radians ? angle : angle * (HOL_PI / 180); }

// z becomes the direction by the smallest turn: about an axis in the xy plane; opposite to z, half a turn about x.
static void point_z(const double d[3], double R[9])
{
    double axis[3] = {-d[1], d[0], 0};
    const double s = sqrt(d[0] * d[0] + d[1] * d[1]);
    if (s < 1e-15) {
        const double flip[3] = {1, 0, 0};
        hol_frame_about(flip, d[2] < 0 ? HOL_PI : 0, R);
        return;
    }
    for (int i = 0; i < 3; i++) axis[i] /= s;
    hol_frame_about(axis, atan2(s, d[2]), R);
}

// x and, made perpendicular to it, y.
static hol_status of_axes(hol_mjcf *m, const hol_xml *e, double a[6], double R[9])
{
    double *x = a, *y = a + 3, dot = 0;
    hol_status st = normalise(m, e, 3, x);
    for (int i = 0; i < 3; i++) dot += x[i] * y[i];
    for (int i = 0; i < 3; i++) y[i] -= dot * x[i];
    if (!st) st = normalise(m, e, 3, y);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[3 * i] = x[i];
        R[3 * i + 1] = y[i];
        R[3 * i + 2] = x[j] * y[k] - x[k] * y[j];
    }
    return st;
}

// Of a class and the element, the last word of this list counts.
hol_status hol_mjcf_frame(hol_mjcf *m, hol_xml *e, int around, hol_import_frame *f)
{
    static const struct {
        const char *key;
        int n;
    } ways[] = {{"quat", 4}, {"axisangle", 4}, {"xyaxes", 6}, {"zaxis", 3}, {"euler", 3}};
    double a[6];
    int given = -1, own = -1;
    *f = hol_frame_none;
    hol_status st = hol_mjcf_numbers(m, e, "pos", around, 3, f->p);
    for (int k = 0; k < HOL_COUNT(ways) && !st; k++) {
        const char *text;
        st = hol_mjcf_get(m, e, ways[k].key, around, &text);
        if (st || !text) continue;
        const bool here = hol_xml_get(e, ways[k].key) != NULL;
        if (here && own >= 0)
            return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at,
                               "<%s>: both %s and %s say how it is turned; keep one", e->name, ways[own].key,
                               ways[k].key);
        if (here) own = k;
        given = k;
        st = hol_mjcf_numbers(m, e, ways[k].key, around, ways[k].n, a);
    }
    if (!st && own >= 0 && own != given)
        st = hol_import_tell(m->in, HOL_TOLD_ASSUMED, e->at, hol_xml_get(e, "name"),
                             "turns that a class says in a word which goes before the element's own",
                             "the class's counts, as in MuJoCo; euler goes before zaxis, xyaxes, axisangle, "
                             "quat");
    if (st || given < 0) return st;
    if (given == 0)
        st = hol_mjcf_turn(m, e, a, f->R);
    else if (given == 1) { // axisangle
        st = normalise(m, e, 3, a);
        hol_frame_about(a, radians(m, a[3]), f->R);
    } else if (given == 2)
        st = of_axes(m, e, a, f->R);
    else if (given == 3) {
        st = normalise(m, e, 3, a);
        point_z(a, f->R);
    } else
        hol_frame_euler(m->euler, (const double[]){radians(m, a[0]), radians(m, a[1]), radians(m, a[2])},
                        f->R);
    for (int i = 0; i < 9; i++) f->R[i] += 0.0;
    return st;
}

hol_status hol_mjcf_between(hol_mjcf *m, hol_xml *e, int around, const char *type, hol_import_frame *f,
                            double *half)
{
    static const char *const long_ones[] = {"capsule", "cylinder", "box", "ellipsoid"};
    double ends[6], d[3], length = 0;
    const char *text;
    *half = 0;
    hol_status st = hol_mjcf_get(m, e, "fromto", around, &text);
    if (st || !text) return st;
    st = hol_mjcf_numbers(m, e, "fromto", around, 6, ends);
    if (st) return st;
    if (!is_one_of(type, long_ones, HOL_COUNT(long_ones)))
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<%s>: fromto: a %.40s has no ends", e->name,
                           type);
    for (int i = 0; i < 3; i++) d[i] = ends[i] - ends[i + 3];
    for (int i = 0; i < 3; i++) length += d[i] * d[i];
    length = sqrt(length);
    if (!(length > 0))
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<%s>: fromto: both ends are one point",
                           e->name);
    for (int i = 0; i < 3; i++) d[i] /= length;
    for (int i = 0; i < 3; i++) f->p[i] = ends[i] / 2 + ends[i + 3] / 2;
    point_z(d, f->R);
    for (int i = 0; i < 9; i++) f->R[i] += 0.0;
    *half = length / 2;
    return HOL_OK;
}

// ---- what has no part in the motion ---------------------------------------------------------------------------

#define MOTOR " name group user lengthrange "
#define TARGET " joint jointinparent tendon site gear ctrlrange ctrllimited forcerange forcelimited class "

static const struct {
    const char *element, *harmless, *handled; // words with blanks around them
} table[] = {
    {"mujoco", " model ", ""},
    {"compiler", " texturedir convexhull usethread fitaabb fusestatic saveinertial exactmeshinertia ", ""},
    {"option",
     " timestep apirate impratio integrator collision cone jacobian solver iterations tolerance "
     "noslip_iterations noslip_tolerance mpr_iterations mpr_tolerance ls_iterations ls_tolerance "
     "ccd_iterations ccd_tolerance sdf_iterations sdf_initpoints magnetic o_margin o_solref o_solimp "
     "o_friction ",
     ""},
    {"flag",
     " warmstart filterparent energy fwdinv sensornoise multiccd refsafe sensor midphase island override "
     "eulerdamp nativeccd ",
     ""},
    {"joint", " name group user solreflimit solimplimit solreffriction solimpfriction margin solref solimp ",
     " type pos axis range limited ref springref stiffness damping springdamper armature frictionloss "
     "class "},
    {"freejoint", " name group ", ""},
    {"geom",
     " name friction condim solmix solref solimp margin gap priority user material rgba fluidshape "
     "fluidcoef ",
     " type size pos quat axisangle euler xyaxes zaxis fromto mass density class group mesh contype "
     "conaffinity "},
    {"site", " name group size rgba material user ",
     " type fromto pos quat axisangle euler xyaxes zaxis class "},
    {"body", " user ", ""},
    {"frame", " name pos quat axisangle euler xyaxes zaxis childclass ", ""},
    {"mesh", " name vertex normal texcoord face smoothnormal class ", " file scale "},
    {"general", MOTOR, TARGET " gaintype gainprm biastype biasprm dyntype dynprm actrange actlimited "},
    {"motor", MOTOR, TARGET},
    {"position", MOTOR, TARGET " kp kv "},
    {"velocity", MOTOR, TARGET " kv "},
    {"damper", MOTOR, TARGET " kv "},
    {"intvelocity", MOTOR, TARGET " kp kv actrange "},
    {"cylinder", MOTOR, TARGET " timeconst area diameter bias actrange actlimited "},
    {"fixed", " name group user solreflimit solimplimit solreffriction solimpfriction margin class ", ""},
    {"spatial",
     " name group user solreflimit solimplimit solreffriction solimpfriction margin class width material "
     "rgba ",
     ""},
    {"tendon",
     " name group user solref solimp solreflimit solimplimit solreffriction solimpfriction margin width "
     "material rgba ",
     " stiffness damping springlength range limited frictionloss armature "},
    {"connect", " name solref solimp ", ""},
    {"weld", " name solref solimp ", ""},
    {"equality", " solref solimp ", ""},
    {"camera", " name ", ""},
    {"light", " name ", ""}};

static bool lists(const char *words, const char *key)
{
    const size_t n = strlen(key);
    for (const char *p = strstr(words, key); p && n; p = strstr(p + 1, key))
        if (p[-1] == ' ' && p[n] == ' ') return true;
    return false;
}

// Attributes of what is taken; of samples in a class those that are read, too.
static void mark(hol_xml *e, bool sample)
{
    for (int k = 0; k < HOL_COUNT(table); k++) {
        if (strcmp(table[k].element, e->name) != 0) continue;
        for (int i = 0; i < e->n; i++)
            if (lists(table[k].harmless, e->key[i]) || (sample && lists(table[k].handled, e->key[i])))
                e->asked[i] = true;
    }
    if (sample &&
        (strcmp(e->name, "camera") == 0 || strcmp(e->name, "light") == 0 || strcmp(e->name, "material") == 0))
        for (int i = 0; i < e->n; i++) e->asked[i] = true;
}

void hol_mjcf_mark_known(hol_xml *e)
{
    mark(e, e->parent && strcmp(e->parent->name, "default") == 0);
    for (hol_xml *c = e->first; c; c = c->next) hol_mjcf_mark_known(c);
}
