// Functions of Adams Solver as expressions of a model file. Most have the same name and the same arguments there (docs/model-reference.md);
// markers, variables and splines are called by numbers. Values are in the units of the source: what is measured is divided by them.
#include "io/import_adm.h"
#include "io/number_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- texts ----------------------------------------------------------------------------------------------------

// Is there a + or - outside of brackets, other than in an exponent?
static bool is_sum(const char *text)
{
    int depth = 0;
    for (const char *p = text; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        const bool exponent =
            p > text + 1 && p[-1] == 'e' && ((p[-2] >= '0' && p[-2] <= '9') || p[-2] == '.');
        if (depth == 0 && (*p == '+' || *p == '-') && !exponent) return true;
    }
    return false;
}

// A text without brackets around all of it.
static const char *without_brackets(hol_adm *a, const char *text)
{
    size_t n = strlen(text), i = 0;
    int depth = 0;
    do depth += (text[i] == '(') - (text[i] == ')');
    while (++i < n && depth > 0);
    return *text == '(' && i == n && !depth ? hol_adm_print(a, "%.*s", (int)n - 2, text + 1)
                                            : hol_adm_print(a, "%s", text);
}

const char *hol_adm_times(hol_adm *a, double factor, const char *text)
{
    char number[32];
    if (strcmp(text, "0") == 0 || factor == 1) return text;
    if (factor == -1 && *text == '-' && !is_sum(text + 1)) return without_brackets(a, text + 1);
    const bool sum = is_sum(text);
    hol_number_text(fabs(factor), number);
    if (factor == -1) return hol_adm_print(a, sum ? "-(%s)" : "-%s", text);
    return hol_adm_print(a, sum ? "%s%s*(%s)" : "%s%s*%s", factor < 0 ? "-" : "", number, text);
}

// A sum in brackets.
static const char *closed(hol_adm *a, const char *text)
{
    return is_sum(text) ? hol_adm_print(a, "(%s)", text) : text;
}

// A value in SI in a unit of the source.
static const char *in_unit(hol_adm *a, const char *text, double unit)
{
    const double factor = 1 / unit;
    if (unit == 1 || strcmp(text, "0") == 0) return text;
    return hol_adm_print(
        a, "(%s)",
        hol_adm_times(a, fabs(factor - round(factor)) < 1e-12 * factor ? round(factor) : factor, text));
}

// "a + b", of which one may be 0 and the other begin with a sign.
static const char *plus(hol_adm *a, const char *x, const char *y)
{
    if (strcmp(x, "0") == 0) return y;
    if (strcmp(y, "0") == 0) return x;
    return *y == '-' ? hol_adm_print(a, "%s - %s", x, y + 1) : hol_adm_print(a, "%s + %s", x, y);
}

static const char *product(hol_adm *a, const char *x, const char *y)
{
    if (strcmp(x, "0") == 0 || strcmp(y, "0") == 0) return "0";
    if (strcmp(y, "1") == 0) return x;
    if (strcmp(y, "-1") == 0) return hol_adm_print(a, "-%s", x);
    return *y == '-' ? hol_adm_print(a, "-%s*%s", x, y + 1) : hol_adm_print(a, "%s*%s", x, y);
}

// ---- reactions ------------------------------------------------------------------------------------------------

// A component of the force (torque: of the torque) on the second end.
static const char *on_second(hol_adm *a, const hol_adm_statement *s, bool torque, int c, int along)
{
    const char *sum = "0";
    for (int k = 0; k < 3; k++) {
        const char *part =
            hol_adm_print(a, "%c%c(%s)", torque ? 'T' : 'F', 'X' + (s->turned ? (k + 2) % 3 : k), s->own);
        sum = plus(a, sum, product(a, part, hol_adm_cosine(a, s->second, k, along, c)));
    }
    return sum;
}

static const char *size(hol_adm *a, const char *const x[3])
{
    return hol_adm_print(a, "hypot(hypot(%s, %s), %s)", x[0], x[1], x[2]);
}

const char *hol_adm_reaction(hol_adm *a, const hol_adm_statement *s, bool first, int what, int along)
{
    const bool torque = what >= 3;
    if (what == 7 && first && !s->together) { // not that on the second end
        const char *x[3];
        for (int i = 0; i < 3; i++) x[i] = hol_adm_reaction(a, s, first, 3 + i, s->second);
        return size(a, x);
    }
    if (what >= 6) return hol_adm_print(a, "%s(%s)", what == 6 ? "FM" : "TM", s->own);
    const char *there = on_second(a, s, torque, what % 3, along);
    if (!first) return there;
    if (torque && !s->together) { // T + r x F about the first end
        const char *to = hol_adm_marker(a, s->second), *from = hol_adm_marker(a, s->first);
        for (int i = 1; i < 3; i++) {
            const int u = (what + i) % 3, v = (what + 3 - i) % 3;
            const char *r =
                along < 0 ? hol_adm_print(a, "D%c(%s, %s)", 'X' + u, to, from)
                          : hol_adm_print(a, "D%c(%s, %s, %s)", 'X' + u, to, from, hol_adm_marker(a, along));
            const char *f = on_second(a, s, false, v, along);
            const char *arm =
                strcmp(f, "0") == 0 ? "0" : hol_adm_print(a, "%s%s*(%s)", i == 1 ? "" : "-", r, f);
            there = plus(a, there, arm);
        }
    }
    return hol_adm_times(a, -1, there);
}

// ---- the language ---------------------------------------------------------------------------------------------

typedef enum { // how a function is said here
    SAME,      // with the same arguments
    PLACE,     // markers: a length
    SPEED,
    ACCELERATION,
    TURN,
    TURN_Z,
    SPIN,
    SPIN_RATE,
    FORCE, // between markers
    TORQUE,
    OF, // of a statement, by its number
    ORIENT,
    EULER, // angles by direction cosines
    VALUE,
    ELEMENT, // of an array
    TABLE,
    CHOICE, // IF
    SIGN,
    DIM,
    AINT,
    SWEEP
} manner;

typedef struct {
    const char *name;
    manner how;
    int least, most;  // arguments
    const char *word; // here; of OF, VALUE and TABLE the kind of statement
    int n;
} row;

static const row rows[] = {{"ABS", SAME, 1, 1, "abs", 0},
                           {"ACOS", SAME, 1, 1, "acos", 0},
                           {"ASIN", SAME, 1, 1, "asin", 0},
                           {"ATAN", SAME, 1, 1, "atan", 0},
                           {"ATAN2", SAME, 2, 2, "atan2", 0},
                           {"COS", SAME, 1, 1, "cos", 0},
                           {"COSH", SAME, 1, 1, "cosh", 0},
                           {"EXP", SAME, 1, 1, "exp", 0},
                           {"LOG", SAME, 1, 1, "log", 0},
                           {"LOG10", SAME, 1, 1, "log10", 0},
                           {"MAX", SAME, 2, 2, "max", 0},
                           {"MIN", SAME, 2, 2, "min", 0},
                           {"MOD", SAME, 2, 2, "mod", 0},
                           {"SIN", SAME, 1, 1, "sin", 0},
                           {"SINH", SAME, 1, 1, "sinh", 0},
                           {"SQRT", SAME, 1, 1, "sqrt", 0},
                           {"TAN", SAME, 1, 1, "tan", 0},
                           {"TANH", SAME, 1, 1, "tanh", 0},
                           {"STEP", SAME, 5, 5, "step", 0},
                           {"STEP5", SAME, 5, 5, "step5", 0},
                           {"HAVSIN", SAME, 5, 5, "havsin", 0},
                           {"IMPACT", SAME, 7, 7, "impact", 0},
                           {"BISTOP", SAME, 8, 8, "bistop", 0},
                           {"POLY", SAME, 3, 32, "poly", 0},
                           {"FORCOS", SAME, 4, 34, "forcos", 0},
                           {"FORSIN", SAME, 4, 34, "forsin", 0},
                           {"SHF", SAME, 5, 6, "shf", 0},
                           {"IF", CHOICE, 4, 4, NULL, 0},
                           {"SIGN", SIGN, 2, 2, NULL, 0},
                           {"DIM", DIM, 2, 2, NULL, 0},
                           {"AINT", AINT, 1, 1, NULL, 0},
                           {"SWEEP", SWEEP, 7, 7, NULL, 0},
                           {"DX", PLACE, 1, 3, "DX", 0},
                           {"DY", PLACE, 1, 3, "DY", 0},
                           {"DZ", PLACE, 1, 3, "DZ", 0},
                           {"DM", PLACE, 1, 2, "DM", 0},
                           {"VX", SPEED, 1, 4, "VX", 0},
                           {"VY", SPEED, 1, 4, "VY", 0},
                           {"VZ", SPEED, 1, 4, "VZ", 0},
                           {"VM", SPEED, 1, 3, "VM", 0},
                           {"VR", SPEED, 1, 3, "VR", 0},
                           {"ACCX", ACCELERATION, 1, 4, "ACCX", 0},
                           {"ACCY", ACCELERATION, 1, 4, "ACCY", 0},
                           {"ACCZ", ACCELERATION, 1, 4, "ACCZ", 0},
                           {"ACCM", ACCELERATION, 1, 3, "ACCM", 0},
                           {"AX", TURN, 1, 2, "AX", 0},
                           {"AY", TURN, 1, 2, "AY", 0},
                           {"AZ", TURN_Z, 1, 2, NULL, 0},
                           {"WX", SPIN, 1, 3, "WX", 0},
                           {"WY", SPIN, 1, 3, "WY", 0},
                           {"WZ", SPIN, 1, 3, "WZ", 0},
                           {"WM", SPIN, 1, 2, "WM", 0},
                           {"WDTX", SPIN_RATE, 1, 4, "WDTX", 0},
                           {"WDTY", SPIN_RATE, 1, 4, "WDTY", 0},
                           {"WDTZ", SPIN_RATE, 1, 4, "WDTZ", 0},
                           {"WDTM", SPIN_RATE, 1, 3, "WDTM", 0},
                           {"PSI", EULER, 1, 2, NULL, 0},
                           {"THETA", EULER, 1, 2, NULL, 1},
                           {"PHI", EULER, 1, 2, NULL, 2},
                           {"YAW", EULER, 1, 2, NULL, 3},
                           {"PITCH", EULER, 1, 2, NULL, 4},
                           {"ROLL", EULER, 1, 2, NULL, 5},
                           {"ORIENT", ORIENT, 4, 4, NULL, 0},
                           {"FX", FORCE, 2, 3, NULL, 0},
                           {"FY", FORCE, 2, 3, NULL, 1},
                           {"FZ", FORCE, 2, 3, NULL, 2},
                           {"FM", FORCE, 2, 2, NULL, 6},
                           {"TX", TORQUE, 2, 3, NULL, 3},
                           {"TY", TORQUE, 2, 3, NULL, 4},
                           {"TZ", TORQUE, 2, 3, NULL, 5},
                           {"TM", TORQUE, 2, 2, NULL, 7},
                           {"JOINT", OF, 4, 4, "JOINT", 0},
                           {"JPRIM", OF, 4, 4, "JPRIM", 0},
                           {"MOTION", OF, 4, 4, "MOTION", 0},
                           {"SFORCE", OF, 4, 4, "SFORCE", 0},
                           {"SPDP", OF, 4, 4, "SPRINGDAMPER", 0},
                           {"BUSH", OF, 4, 4, "BUSHING", 0},
                           {"BEAM", OF, 4, 4, "BEAM", 0},
                           {"FIELD", OF, 4, 4, "FIELD", 0},
                           {"VFORCE", OF, 4, 4, "VFORCE", 0},
                           {"VTORQ", OF, 4, 4, "VTORQUE", 0},
                           {"GFORCE", OF, 4, 4, "GFORCE", 0},
                           {"ARYVAL", ELEMENT, 2, 2, "ARRAY", 0},
                           {"VARVAL", VALUE, 1, 1, "VARIABLE", 0},
                           {"DIF", VALUE, 1, 1, "DIFF", 0},
                           {"DIF1", VALUE, 1, 1, "DIFF", 1},
                           {"AKISPL", TABLE, 3, 4, "akispl", 0},
                           {"CUBSPL", TABLE, 3, 4, "cubspl", 0}};

enum { MOST = 40 }; // arguments of a function

typedef struct {
    hol_adm *a;
    const hol_adm_arg *arg;
    const char *p; // what is left
    char *text;    // what there is
    int n, capacity;
    hol_adm_function *out;
} translator;

typedef struct {
    const char *name; // as it stands
    int n;
    const char *text[MOST]; // of arguments, translated
    int id[MOST];           // those that are whole numbers; -1
} call;

// What is not taken: only with `lenient` does the import go on.
static hol_status fail(const translator *t, const char *why, const char *what)
{
    t->out->why = hol_adm_print(t->a, "%s: %s%s", t->arg->key, what, why);
    return HOL_RECOVERABLE;
}

static hol_status put(translator *t, const char *text)
{
    const int n = (int)strlen(text);
    if (!HOL_GROW(t->a->in->ctx, t->text, t->capacity, t->n + n + 1)) return HOL_ERR_MEMORY;
    memcpy(t->text + t->n, text, (size_t)n + 1);
    t->n += n;
    return HOL_OK;
}

static void blank(translator *t) { t->p += strspn(t->p, " "); }

// ---- calls ----------------------------------------------------------------------------------------------------

// The statement that an argument names; 0 where ground may be meant: -1.
static hol_status find(const translator *t, const call *c, int k, const char *type, bool ground, int *out)
{
    *out = -1;
    if (k >= c->n || (c->id[k] == 0 && ground)) return HOL_OK;
    if (c->id[k] < 0)
        return fail(t, hol_adm_print(t->a, ": argument %d is the number of a %s", k + 1, type), c->name);
    *out = hol_adm_find(t->a, type, c->id[k]);
    return *out >= 0 ? HOL_OK : fail(t, hol_adm_print(t->a, ": there is no %s/%d", type, c->id[k]), c->name);
}

// SWEEP(x, a, x0, f0, x1, f1, dx): a sine that grows to its amplitude over dx from x = 0, and whose frequency goes from f0 to f1 between x0 and
// x1. With u, what of these is behind, its phase is 2 pi (f0 x + (f1 - f0) (u^2/(2 (x1 - x0)) + what x is beyond x1)).
static hol_status put_sweep(translator *t, const call *c)
{
    hol_adm *a = t->a;
    const char *x = c->text[0], *x0 = c->text[2], *f0 = c->text[3], *x1 = c->text[4], *f1 = c->text[5];
    const char *behind = hol_adm_print(a, "min(max(%s - (%s), 0), %s - (%s))", x, x0, x1, x0),
               *rise = hol_adm_print(a, "(%s)^2/(2*(%s - (%s))) + max(%s - (%s), 0)", behind, x1, x0, x, x1);
    return put(t, hol_adm_print(a, "(step5(%s, 0, 0, %s, 1)*(%s)*sin(2*pi*((%s)*(%s) + (%s - (%s))*(%s))))",
                                x, c->text[6], c->text[1], f0, x, f1, f0, rise));
}

// AZ(to, from): here the angle of the y axes seen along z, in Adams that of the x axes. Where they may tilt it is taken of markers whose y axes
// are those x axes.
static hol_status put_turn(translator *t, const call *c)
{
    hol_adm *a = t->a;
    int to, from, ground = 0;
    hol_status st = find(t, c, 0, "MARKER", false, &to);
    if (!st) st = find(t, c, 1, "MARKER", true, &from);
    if (st) return st;
    t->out->turns = true;
    if (hol_adm_turns_about_z(a, to, from))
        return put(t, from < 0
                          ? hol_adm_print(a, "AZ(%s)", hol_adm_marker(a, to))
                          : hol_adm_print(a, "AZ(%s, %s)", hol_adm_marker(a, to), hol_adm_marker(a, from)));
    while (ground < a->n && !a->s[ground].ground) ground++;
    if (from < 0 && ground == a->n) return fail(t, ": there is no PART that is GROUND", c->name);
    return put(t, hol_adm_print(a, "AZ(%s, %s)", hol_adm_quarter(a, to),
                                hol_adm_quarter(a, from < 0 ? ground : from)));
}

// VM(to, from, ref) and the like: the size of what is seen from a frame, by its components there.
static const char *size_seen(hol_adm *a, const char *word, const char *const name[3])
{
    const char *x[3];
    for (int i = 0; i < 3; i++)
        x[i] = hol_adm_print(a, "%.*s%c(%s, %s, %s, %s)", (int)strlen(word) - 1, word, 'X' + i, name[0],
                             name[1], name[2], name[2]);
    return size(a, x);
}

// name(to, from, along, ref) with the names of markers; how fast two come apart (VR) is the same from all frames.
static hol_status put_measure(translator *t, const call *c, const row *f)
{
    const double L = t->a->length, T = t->a->time;
    const char *list = "", *name[4] = {NULL};
    int n = c->n;
    while (n > 1 && c->id[n - 1] == 0) n--; // ground, as where it is left away
    const bool seen = n == 3 && (f->word[strlen(f->word) - 1] == 'M' || f->word[1] == 'R'); // from a frame
    for (int k = 0; k < n; k++) {
        int marker;
        const hol_status st = find(t, c, k, "MARKER", k > 0, &marker);
        if (st) return st;
        name[k] = marker < 0 ? "ground" : hol_adm_marker(t->a, marker);
        if (seen && k == 2) break;
        list = hol_adm_print(t->a, "%s%s%s", list, k ? ", " : "", name[k]);
    }
    if (f->how == SPEED || f->how == SPIN) t->out->rates = true;
    if (f->how == TURN) t->out->turns = true;
    const double unit = f->how == PLACE          ? L
                        : f->how == SPEED        ? L / T
                        : f->how == ACCELERATION ? L / (T * T)
                        : f->how == SPIN         ? 1 / T
                        : f->how == SPIN_RATE    ? 1 / (T * T)
                                                 : 1;
    if (seen && f->word[1] != 'R') return put(t, in_unit(t->a, size_seen(t->a, f->word, name), unit));
    return put(t, in_unit(t->a, hol_adm_print(t->a, "%s(%s)", f->word, list), unit));
}

// What acts between two markers on the first one: the sum of a component, the size of one; *n: how many there are, *end: the second end of
// one, along whose axes components are short.
static const char *between(hol_adm *a, int to, int from, int what, int along, int *n, int *end)
{
    const char *sum = "0";
    *n = 0;
    for (int i = 0; i < a->n; i++) {
        const hol_adm_statement *s = &a->s[i];
        const bool first = s->first == to && s->second == from, second = s->second == to && s->first == from;
        if (!s->reacts || !(first || second)) continue;
        ++*n;
        *end = s->second;
        sum = plus(a, sum, hol_adm_reaction(a, s, first, what, along));
    }
    return sum;
}

// FX(to, from, along) and the like: what all statements between two markers do together.
static hol_status put_between(translator *t, const call *c, const row *f)
{
    int to, from, along, n, end = -1;
    hol_adm *a = t->a;
    hol_status st = find(t, c, 0, "MARKER", false, &to);
    if (!st && (c->n < 2 || c->id[1] == 0))
        return fail(t, ": what acts at one marker alone is not summed; name the other one, too", c->name);
    if (!st) st = find(t, c, 1, "MARKER", false, &from);
    if (!st) st = find(t, c, 2, "MARKER", true, &along);
    if (st) return st;
    const char *sum = between(a, to, from, f->n, along, &n, &end), *x[3];
    if (!n) return fail(t, ": nothing that is taken acts between these markers", c->name);
    if (f->n >= 6 && n > 1) { // sizes do not add up
        const int axes = end, first = f->n == 7 ? 3 : 0;
        for (int i = 0; i < 3; i++) x[i] = between(a, to, from, first + i, axes, &n, &end);
        sum = size(a, x);
    }
    return put(t, closed(a, in_unit(a, sum, f->how == FORCE ? a->force : a->force * a->length)));
}

// JOINT(id, jflag, component, rm)
static hol_status put_of(translator *t, const call *c, const row *f)
{
    static const int what[] = {6, 0, 1, 2, 7, 3, 4, 5};
    hol_adm *a = t->a;
    int i, along;
    hol_status st = find(t, c, 0, f->word, false, &i);
    if (!st) st = find(t, c, 3, "MARKER", true, &along);
    if (st) return st;
    const int k = c->id[2];
    if (c->id[1] < 0 || c->id[1] > 1 || k < 1 || k > 8)
        return fail(t, ": 0 or 1 is wanted as the second argument, 1 to 8 as the third", c->name);
    if (!a->s[i].reacts)
        return fail(t, hol_adm_print(a, ": %s has no reaction here", hol_adm_title(a, &a->s[i])), c->name);
    return put(t, closed(a, in_unit(a, hol_adm_reaction(a, &a->s[i], c->id[1] == 1, what[k - 1], along),
                                    k < 5 ? a->force : a->force * a->length)));
}

// Of the second and the fourth marker: R[i][j] is the component of axis j of the one along axis i of the other.
static hol_status cosines(translator *t, const call *c, int k, const char *R[3][3])
{
    int to, from;
    hol_status st = find(t, c, k, "MARKER", false, &to);
    if (!st) st = find(t, c, k + 1, "MARKER", true, &from);
    for (int i = 0; i < 9 && !st; i++) R[i / 3][i % 3] = hol_adm_cosine(t->a, to, i % 3, from, i / 3);
    return st;
}

// Euler parameters, of which the first is not negative. Its square is 0 only for half turns.
static hol_status put_orient(translator *t, const call *c)
{
    hol_adm *a = t->a;
    const char *R[3][3];
    if (c->id[0] != 27 || c->id[1] < 1 || c->id[1] > 4)
        return fail(t, ": of its codes 27 is taken, Euler parameters 1 to 4", c->name);
    const hol_status st = cosines(t, c, 2, R);
    if (st) return st;
    const char *root =
        hol_adm_print(a, "sqrt(hypot(%s, 1e-20))", plus(a, plus(a, plus(a, "1", R[0][0]), R[1][1]), R[2][2]));
    const int k = c->id[1] - 2, i = (k + 1) % 3, j = (k + 2) % 3;
    if (k < 0) return put(t, hol_adm_print(a, "(%s/2)", root));
    const char *minus = strcmp(R[i][j], "0") == 0 ? "0"
                        : *R[i][j] == '-'         ? R[i][j] + 1
                                                  : hol_adm_print(a, "-%s", R[i][j]);
    const char *over = plus(a, R[j][i], minus);
    return put(t, strcmp(over, "0") == 0 ? "0" : hol_adm_print(a, "((%s)/(2*%s))", over, root));
}

#define PARALLEL "1e-8" // sine of the angle between axes below which their direction is one of rounding

// Where the first and the third turn are about one axis only what both are together is known: the first is 0 there. x, y: of which one of
// them is the angle elsewhere, hypot(u, v) the sine that is 0 there.
static hol_status put_outer(translator *t, const char *x, const char *y, const char *u, const char *v,
                            const char *there)
{
    return put(t, hol_adm_print(t->a, "if(hypot(%s, %s) - " PARALLEL ": %s, %s, atan2(%s, %s))", u, v, there,
                                there, x, y));
}

// It is told where the axes are parallel as drawn.
static hol_status tell_parallel(translator *t, const call *c, int axis, int along)
{
    int to, from;
    hol_status st = find(t, c, 0, "MARKER", false, &to);
    if (!st) st = find(t, c, 1, "MARKER", true, &from);
    if (st) return st;
    const hol_import_frame a = from < 0 ? hol_frame_none : hol_adm_place(t->a, from),
                           b = hol_adm_place(t->a, to);
    double cosine = 0;
    for (int i = 0; i < 3; i++) cosine += a.R[3 * i + along] * b.R[3 * i + axis];
    if (fabs(cosine) < 1 - 1e-12) return HOL_OK;
    return hol_import_tell(
        t->a->in, HOL_TOLD_ASSUMED, t->arg->at, c->name,
        "PSI and PHI, or YAW and ROLL, of parallel axes, of which only both together are known",
        "PSI, or YAW, is 0 there, and PHI, or ROLL, the whole turn");
}

// Angles of body-fixed turns 3-1-3 (PSI, THETA, PHI) and 3-2-1 (YAW, PITCH, ROLL).
static hol_status put_euler(translator *t, const call *c, int which)
{
    hol_adm *a = t->a;
    const char *R[3][3];
    hol_status st = cosines(t, c, 0, R);
    if (!st && which % 3 != 1) st = tell_parallel(t, c, which < 3 ? 2 : 0, 2);
    if (st) return st;
    const char *minus = hol_adm_print(a, "-%s", R[1][2]);
    switch (which) {
    case 0: return put_outer(t, R[0][2], minus, R[0][2], R[1][2], "0");
    case 1: return put(t, hol_adm_print(a, "atan2(hypot(%s, %s), %s)", R[0][2], R[1][2], R[2][2]));
    case 2:
        return put_outer(t, R[2][0], R[2][1], R[0][2], R[1][2],
                         hol_adm_print(a, "atan2(-%s, %s)", R[0][1], R[0][0]));
    case 3: return put_outer(t, R[1][0], R[0][0], R[1][0], R[0][0], "0");
    case 4: // the negative of the second turn
        return put(t, hol_adm_print(a, "atan2(%s, hypot(%s, %s))", R[2][0], R[2][1], R[2][2]));
    default:
        return put_outer(t, R[2][1], R[2][2], R[1][0], R[0][0],
                         hol_adm_print(a, "atan2(-%s, %s)", R[1][2], R[1][1]));
    }
}

static hol_status put_same(translator *t, const call *c, const char *word)
{
    hol_status st = put(t, word);
    for (int k = 0; k < c->n && !st; k++) {
        st = put(t, k ? ", " : "(");
        if (!st) st = put(t, c->text[k]);
    }
    return st ? st : put(t, ")");
}

// ARYVAL(array, place)
static hol_status put_element(translator *t, const call *c)
{
    int i;
    const hol_status st = find(t, c, 0, "ARRAY", false, &i);
    if (st) return st;
    const char *text = c->id[1] > 0 ? hol_adm_element(t->a, &t->a->s[i], c->id[1]) : NULL;
    return text && *text ? put(t, text)
                         : fail(t, ": this is no element of an array that an LSE or a TFSISO has", c->name);
}

static hol_status put_value(translator *t, const call *c, const row *f)
{
    int i;
    const hol_status st = find(t, c, 0, f->word, false, &i);
    if (st) return st;
    const char *own = t->a->s[i].own;
    return put(t, f->n ? in_unit(t->a, hol_adm_print(t->a, "DIF1(%s)", own), 1 / t->a->time) : own);
}

// One curve of it, of the first variable.
static const char *curve_of(const translator *t, const call *c, const row *f, const char *table)
{
    return hol_adm_print(t->a, "%s(%s, 0, %s%s%s)", f->word, c->text[0], table, c->n > 3 ? ", " : "",
                         c->n > 3 ? c->text[3] : "");
}

// AKISPL(x, z, spline, derivative)
static hol_status put_table(translator *t, const call *c, const row *f)
{
    int i;
    const hol_status st = find(t, c, 2, "SPLINE", false, &i);
    if (st) return st;
    const hol_adm_statement *s = &t->a->s[i];
    if (!s->n_curves)
        return c->id[1] == 0 ? put(t, curve_of(t, c, f, s->own))
                             : fail(t, ": the spline has one variable; the second argument is 0", c->name);
    const char *sum = curve_of(t, c, f, s->curve[0]);
    for (int k = 1; k < s->n_curves; k++)
        sum = hol_adm_print(t->a, "%s + (%s - %s)*min(max((%s - (%.17g))/%.17g, 0), 1)", sum,
                            curve_of(t, c, f, s->curve[k]), curve_of(t, c, f, s->curve[k - 1]), c->text[1],
                            s->at_second[k - 1], s->at_second[k] - s->at_second[k - 1]);
    return put(t, hol_adm_print(t->a, "(%s)", sum));
}

// A call of a function that is taken.
static hol_status put_call(translator *t, const call *c)
{
    const row *f = NULL;
    hol_nearest near;
    hol_nearest_start(&near, c->name);
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        if (hol_same_name(rows[i].name, c->name)) f = &rows[i];
        hol_nearest_try(&near, rows[i].name);
    }
    if (hol_same_name(c->name, "USER"))
        return fail(t,
                    " is a subroutine of the user's, which is not in the file; write the function here, or "
                    "as `code` of the model file",
                    c->name);
    if (!f)
        return fail(t,
                    near.best
                        ? hol_adm_print(t->a, " is no function that is taken; did you mean %s?", near.best)
                        : " is no function that is taken",
                    c->name);
    if (c->n < f->least || c->n > f->most)
        return fail(
            t,
            hol_adm_print(t->a,
                          f->least == f->most
                              ? ": %d arguments are wanted, here are %d"
                              : ": %d arguments are wanted at least, here are %d; at most there are %d",
                          f->least, c->n, f->most),
            c->name);
    switch (f->how) {
    case SAME: return put_same(t, c, f->word);
    case CHOICE:
        return put(t,
                   hol_adm_print(t->a, "if(%s: %s, %s, %s)", c->text[0], c->text[1], c->text[2], c->text[3]));
    case SIGN: return put(t, hol_adm_print(t->a, "(abs(%s)*if(%s: -1, 1, 1))", c->text[0], c->text[1]));
    case DIM: return put(t, hol_adm_print(t->a, "max(%s - (%s), 0)", c->text[0], c->text[1]));
    case AINT: return put(t, hol_adm_print(t->a, "(%s - mod(%s, 1))", c->text[0], c->text[0]));
    case SWEEP: return put_sweep(t, c);
    case FORCE:
    case TORQUE: return put_between(t, c, f);
    case OF: return put_of(t, c, f);
    case ORIENT: return put_orient(t, c);
    case EULER: return put_euler(t, c, f->n);
    case ELEMENT: return put_element(t, c);
    case VALUE: return put_value(t, c, f);
    case TURN_Z: return put_turn(t, c);
    case TABLE: return put_table(t, c, f);
    default: return put_measure(t, c, f);
    }
}

// ---- expressions ----------------------------------------------------------------------------------------------

static hol_status expression(translator *t);

// The arguments of a call, whose name and bracket have been read.
static hol_status read_call(translator *t, call *c)
{
    hol_status st = HOL_OK;
    const int begin = t->n;
    do {
        if (c->n == MOST) return fail(t, ": there are too many arguments", c->name);
        t->p++; // ( , or :
        blank(t);
        const char *from = t->p;
        st = expression(t);
        if (st) return st;
        const size_t digits = strspn(from, "0123456789");
        const char *behind = from + digits + strspn(from + digits, " ");
        c->id[c->n] = digits && digits < 10 && behind == t->p ? (int)strtol(from, NULL, 10) : -1;
        c->text[c->n++] = hol_adm_print(t->a, "%s", t->text + begin);
        t->n = begin;
        t->text[begin] = 0;
    } while (*t->p == ',' || (*t->p == ':' && c->n == 1 && hol_same_name(c->name, "IF")));
    if (*t->p != ')') return fail(t, ": its bracket is not closed", c->name);
    t->p++;
    return HOL_OK;
}

// A constant, or a function with its arguments.
static hol_status word(translator *t)
{
    static const struct {
        const char *name, *text;
    } constants[] = {{"PI", "pi"}, {"DTOR", "(pi/180)"}, {"RTOD", "(180/pi)"}};
    size_t n = 0;
    while ((t->p[n] >= 'a' && t->p[n] <= 'z') || (t->p[n] >= 'A' && t->p[n] <= 'Z') ||
           (t->p[n] >= '0' && t->p[n] <= '9') || t->p[n] == '_')
        n++;
    const char *name = hol_adm_print(t->a, "%.*s", (int)(n < 60 ? n : 60), t->p);
    t->p += n;
    blank(t);
    if (*t->p != '(') {
        for (int i = 0; i < HOL_COUNT(constants); i++)
            if (hol_same_name(name, constants[i].name)) return put(t, constants[i].text);
        if (hol_same_name(name, "TIME")) return put(t, in_unit(t->a, "time", t->a->time));
        return fail(t, " is no constant that is known; known are TIME, PI, DTOR and RTOD", name);
    }
    call *c = hol_arena_alloc(t->a->in->arena, 1, sizeof *c);
    if (!c) return HOL_ERR_MEMORY;
    c->name = name;
    const hol_status st = read_call(t, c);
    return st ? st : put_call(t, c);
}

// A number, also 1.0D-3 and 30D, which is an angle.
static hol_status number(translator *t)
{
    double x;
    bool degrees;
    char text[32];
    const hol_status st = hol_adm_number(t->a, t->arg->at, t->arg->key, &t->p, &degrees, &x);
    if (st) return st;
    if (x == 0 && t->n && t->text[t->n - 1] == '/')
        return hol_fail_at(t->a->in->ctx, HOL_ERR_MODEL, t->arg->at, "%s: it divides by 0", t->arg->key);
    hol_number_text(x, text);
    return put(t, degrees ? hol_adm_print(t->a, "(%s*pi/180)", text) : text);
}

// Up to a comma, colon or bracket that is not of it.
static hol_status expression(translator *t)
{
    hol_status st = put(t, "");
    const int begin = t->n;
    for (blank(t); *t->p && !strchr(",:)", *t->p) && !st; blank(t)) {
        const char c = *t->p;
        if ((c >= '0' && c <= '9') || c == '.')
            st = number(t);
        else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            st = word(t);
        else if (c == '(') {
            t->p++;
            st = put(t, "(");
            if (!st) st = expression(t);
            if (!st && *t->p != ')') st = fail(t, "a bracket is not closed", "");
            if (!st) t->p++, st = put(t, ")");
        } else if (c == '*' && t->p[1 + strspn(t->p + 1, " ")] == '*') {
            t->p += 2 + strspn(t->p + 1, " ");
            st = put(t, "^");
        } else if (strchr("+-", c)) {
            t->p++;
            const bool sign = t->n == begin || strchr("(*/^", t->text[t->n - 1]);
            if (sign ? c == '-' : true) st = put(t, sign ? "-" : c == '+' ? " + " : " - ");
        } else if (strchr("*/", c)) {
            t->p++;
            st = put(t, (const char[]){c, 0});
        } else
            st = fail(t, hol_adm_print(t->a, "\"%c\" is no part of a function", c > 31 && c < 127 ? c : '?'),
                      "");
    }
    if (!st && t->n == begin) return fail(t, "something is missing between its brackets and commas", "");
    return st;
}

hol_status hol_adm_translate(hol_adm *a, hol_adm_arg *arg, hol_adm_function *out)
{
    translator t = {.a = a, .arg = arg, .p = arg->text, .out = out};
    *out = (hol_adm_function){0};
    hol_status st = expression(&t);
    if (!st && *t.p) st = fail(&t, hol_adm_print(a, "\"%c\" is one too many", *t.p), "");
    if (!st) out->text = without_brackets(a, t.text);
    hol_free(t.text);
    return st;
}

hol_status hol_adm_missed(hol_adm *a, hol_status st, hol_src at, const char *why)
{
    if (st != HOL_RECOVERABLE) return st;
    st = hol_import_tell(a->in, HOL_TOLD_MISSED, at, NULL, why, "the statement is left out");
    return st ? st : HOL_RECOVERABLE;
}

hol_status hol_adm_user(hol_adm *a, hol_adm_statement *s)
{
    hol_adm_function f;
    hol_adm_arg *arg = hol_adm_get(s, "FUNCTION");
    const hol_status st = hol_adm_take(a, arg, &f);
    return st ? st
              : hol_adm_missed(a, HOL_RECOVERABLE, arg->at,
                               hol_adm_print(a, "FUNCTION of %s", s->type->name));
}

hol_status hol_adm_take(hol_adm *a, hol_adm_arg *arg, hol_adm_function *out)
{
    const hol_status st = hol_adm_translate(a, arg, out);
    return hol_adm_missed(a, st, arg->at, out->why);
}

hol_status hol_adm_value(hol_adm *a, hol_adm_arg *arg, double unit, const char **out)
{
    hol_adm_function f;
    const hol_status st = hol_adm_take(a, arg, &f);
    if (!st) *out = hol_adm_times(a, unit, f.text);
    return st;
}
