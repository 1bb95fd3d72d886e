// Texts of units: "N/mm", "kg m²", "N mm/(deg/s)". The grammar stands in expr/units.h.
#include "expr/units.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTING = 20, MOST_POWER = 20 * HOL_POWER_ONE };

// ---- characters ------------------------------------------------------------------------------------------------

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Bytes of the character at s if it is `utf8`.
static int one(const char *s, const char *utf8)
{
    const size_t n = strlen(utf8);
    return strncmp(s, utf8, n) == 0 ? (int)n : 0;
}

// Bytes of the superscript at s and its digit; 10: a minus sign. 0: none is there.
static int superscript(const char *s, int *digit)
{
    static const char *const all[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074", "\u2075",
                                      "\u2076", "\u2077", "\u2078", "\u2079", "\u207b"};
    for (*digit = 0; *digit < HOL_COUNT(all); ++*digit)
        if (one(s, all[*digit])) return one(s, all[*digit]);
    return 0;
}

static int dot(const char *s)
{
    const int n = one(s, "\u00b7");
    return n ? n : one(s, "\u22c5");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static int blanks(const char *s)
{
    int n = 0;
    while (s[n] && strchr(" \t\r\n", s[n])) n++;
    return n;
}

// A name: letters, digits but the first, no superscripts.
static int name_length(const char *s)
{
    int n = 0, ignored;
    while ((is_letter(s[n]) || (n && is_digit(s[n]))) && !superscript(s + n, &ignored) && !dot(s + n)) n++;
    return n;
}

// ---- errors ----------------------------------------------------------------------------------------------------

static int fail(hol_unit_text *t, int at, const char *why)
{
    t->at = at;
    t->length = 0;
    t->unknown = false;
    snprintf(t->why, sizeof t->why, "%s", why);
    return -1;
}

static int unknown(hol_unit_text *t, int at)
{
    t->at = at;
    t->length = name_length(t->text + at);
    t->unknown = true;
    t->why[0] = 0;
    return -1;
}

// ---- powers ----------------------------------------------------------------------------------------------------

// A power p times parts of 1, in such parts.
static long long times(int p, int parts) { return (long long)p * parts; }

// The unit to a power given in parts of 1.
static void raise(hol_unit *u, int parts)
{
    const int whole = parts / HOL_POWER_ONE;
    long double si = 1;
    if (whole * HOL_POWER_ONE == parts)
        for (int i = 0; i < abs(whole); i++) si *= u->si;
    else
        si = powl(u->si, (long double)abs(parts) / (long double)HOL_POWER_ONE);
    u->si = parts < 0 ? 1 / si : si;
    for (int i = 0; i < 4; i++)
        u->dimension.power[i] = (int)(times(u->dimension.power[i], parts) / HOL_POWER_ONE);
    u->newtons = (int)(times(u->newtons, parts) / HOL_POWER_ONE);
}

// Do all exponents stay whole parts, and small?
static bool can_raise(const hol_unit *u, int parts)
{
    for (int i = 0; i < 4; i++) {
        const long long p = times(u->dimension.power[i], parts);
        if (p % HOL_POWER_ONE || llabs(p / HOL_POWER_ONE) > MOST_POWER) return false;
    }
    return times(u->newtons, parts) % HOL_POWER_ONE == 0;
}

// Bytes of [+-] digits [. digits] and its value; 0: none
static int decimal(const char *s, double *value)
{
    int n = *s == '-' || *s == '+', digits = 0;
    double scale = 1;
    *value = 0;
    for (bool point = false; is_digit(s[n]) || (s[n] == '.' && !point && is_digit(s[n + 1])); n++) {
        if (s[n] == '.') {
            point = true;
            continue;
        }
        *value = 10 * *value + (s[n] - '0');
        if (point) scale *= 10;
        if (++digits > 15) return 0;
    }
    *value /= *s == '-' ? -scale : scale;
    return digits ? n : 0;
}

// Bytes of 2, -1, 1.5 or (3/2) at s and its value; 0: none
static int rational(const char *s, double *value)
{
    double below = 1;
    if (*s != '(') return decimal(s, value);
    int n = 1 + blanks(s + 1), k = decimal(s + n, value);
    n += k + blanks(s + n + k);
    if (k && s[n] == '/') {
        n += 1 + blanks(s + n + 1);
        k = decimal(s + n, &below);
        n += k + blanks(s + n + k);
    }
    *value /= below;
    return k && s[n] == ')' && below != 0 ? n + 1 : 0;
}

// Length of superscript digits at s, their value with sign; 0: there are none, or too many.
static int superscripts(const char *s, double *value)
{
    int n = 0, digit, digits = 0, sign = 1;
    *value = 0;
    for (int k; (k = superscript(s + n, &digit)) > 0; n += k) {
        if (digit == 10 && n) return 0;
        if (digit == 10) {
            sign = -1;
            continue;
        }
        *value = 10 * *value + digit;
        if (++digits > 3) return 0;
    }
    *value *= sign;
    return digits ? n : 0;
}

// The power that may stand at byte `at`: its bytes, -1 with an error
static int power(hol_unit_text *t, int at, hol_unit *u)
{
    static const char wanted[] =
        "not a unit: \"^\" without a power; a unit has a number there: ^2, ^-1, ^(3/2)";
    const char *s = t->text + at;
    int ignored, n = blanks(s), k;
    double p;
    if (superscript(s, &ignored)) {
        n = 0;
        k = superscripts(s, &p);
    } else if (s[n] == '^' || (s[n] == '*' && s[n + 1] == '*')) {
        n += s[n] == '^' ? 1 : 2;
        n += blanks(s + n);
        k = rational(s + n, &p);
        if (!k) return fail(t, at + blanks(s), wanted);
        const char *behind = s + n + k + blanks(s + n + k); // m^1/2
        if (s[n] != '(' && *behind == '/' && is_digit(behind[1 + blanks(behind + 1)]))
            return fail(t, at + blanks(s),
                        "a power and a / with a number: write m^(1/2) for a root, (3 m^1)/2 for a half");
    } else
        return 0;
    const double parts = p * HOL_POWER_ONE;
    if (!k || fabs(parts) > MOST_POWER || fabs(parts - rint(parts)) > HOL_POWER_ROUNDING ||
        !can_raise(u, (int)rint(parts)))
        return fail(t, at,
                    "the power of a unit is a fraction with a denominator of at most 10, or 12, or a decimal "
                    "of two digits, from -20 to 20");
    raise(u, (int)rint(parts));
    n += k;
    const int more = n + blanks(s + n);
    if (s[more] == '^' || superscript(s + n, &ignored)) return fail(t, at + more, "a unit has one power");
    return n;
}

// ---- factors and products --------------------------------------------------------------------------------------

static int product(hol_unit_text *t, int at, int depth, hol_unit *out);

static void multiply(hol_unit *u, const hol_unit *f, int sign)
{
    u->si = sign > 0 ? u->si * f->si : u->si / f->si;
    for (int i = 0; i < 4; i++) u->dimension.power[i] += sign * f->dimension.power[i];
    u->newtons += sign * f->newtons;
    u->cycles = u->cycles || f->cycles;
}

// ( unit ) [power]
static int group(hol_unit_text *t, int at, int depth, hol_unit *out)
{
    if (depth >= MOST_NESTING) return fail(t, at, "too many brackets in a unit");
    const int n = product(t, at + 1, depth + 1, out);
    if (n < 0) return -1;
    int end = at + 1 + n;
    end += blanks(t->text + end);
    if (n == 0) return fail(t, end, "a unit is missing");
    if (t->text[end] != ')') return fail(t, at, "a \")\" is missing in the unit");
    const int p = power(t, end + 1, out);
    return p < 0 ? -1 : end + 1 + p - at;
}

static int factor(hol_unit_text *t, int at, int depth, hol_unit *out)
{
    const char *s = t->text + at;
    if (*s == '(') return group(t, at, depth, out);
    const int n = name_length(s);
    if (n == 0) return 0;
    if (!hol_unit_named(s, (size_t)n, out)) return unknown(t, at);
    const int p = power(t, at + n, out);
    return p < 0 ? -1 : n + p;
}

// Is what stands at byte `at`, behind * or /, a unit? A name before "(" is a function, and brackets hold a unit only if all
// that is in them is one.
static bool is_unit(const hol_unit_text *t, int at, int depth, bool *both)
{
    const char *s = t->text + at;
    const int n = name_length(s);
    hol_unit ignored;
    hol_unit_text probe = *t;
    *both = false;
    if (*s == '(') return depth < MOST_NESTING && group(&probe, at, depth, &ignored) > 0;
    if (n == 0 || !hol_unit_named(s, (size_t)n, &ignored) || s[n + blanks(s + n)] == '(') return false;
    *both = t->is_value && t->is_value(t->user, at, n);
    return true;
}

static bool is_other_value(const hol_unit_text *t, int at)
{
    const int n = name_length(t->text + at);
    return n && (t->text[at + n + blanks(t->text + at + n)] == '(' ||
                 (t->is_value && t->is_value(t->user, at, n)));
}

static void tell_both(hol_unit_text *t, int at)
{
    if (t->both) return;
    t->both = true;
    t->at = at;
    t->length = name_length(t->text + at);
}

// Behind the factor of a quotient stands no further one.
static int ended(hol_unit_text *t, int at, int depth)
{
    const char *s = t->text;
    const int next = at + blanks(s + at), behind = next + 1 + blanks(s + next + (s[next] != 0));
    bool both;
    if (s[next] == '/' && is_unit(t, behind, depth, &both) && !both)
        return fail(t, next, "two / in a unit: use ( ) or ^-1; a/b/c may mean a/(b c) or a/(b/c)");
    const bool product = (s[next] == '*' && is_unit(t, behind, depth, &both) && !both) || dot(s + next) ||
                         (name_length(s + next) && s[next + name_length(s + next)] != '(');
    return product ? fail(t, next, "after / one unit, or several in ( ): a/b c may mean a/(b c) or a c/b")
                   : 0;
}

// The quotient that may stand at byte `at`: its bytes, 0: none, or division of values
static int quotient(hol_unit_text *t, int at, int depth, hol_unit *out)
{
    const char *s = t->text;
    const int slash = at + blanks(s + at), behind = slash + 1 + blanks(s + slash + 1);
    bool both;
    hol_unit f;
    if (!is_unit(t, behind, depth, &both)) {
        if (s[behind] == '/') return fail(t, behind, "unexpected \"/\" in a unit");
        if (s[behind] == 0 || s[behind] == ')') return fail(t, slash, "a unit is missing after /");
        if (name_length(s + behind) && !is_other_value(t, behind)) return unknown(t, behind);
        if (s[behind] != '(') return 0;
        // brackets with a unit first and an end missing are meant as a unit
        const int first = behind + 1 + blanks(s + behind + 1);
        return is_unit(t, first, depth, &both) && !both && !strchr(s + behind, ')')
                   ? group(t, behind, depth, &f)
                   : 0;
    }
    if (both) tell_both(t, behind);
    const int n = factor(t, behind, depth, &f);
    if (n <= 0) return n;
    multiply(out, &f, -1);
    return ended(t, behind + n, depth) < 0 ? -1 : behind + n - at;
}

// The next factor of a product at byte `at`: its bytes with the sign before it, 0: none
static int further(hol_unit_text *t, int at, int depth, hol_unit *out)
{
    const char *s = t->text;
    const int next = at + blanks(s + at);
    int behind = next;
    bool both = false;
    hol_unit f;
    if (dot(s + next))
        behind += dot(s + next);
    else if (s[next] == '*' && s[next + 1] != '*')
        behind++;
    behind += blanks(s + behind);
    if (s[next] == '*' && (behind == next || !is_unit(t, behind, depth, &both))) return 0;
    if (s[next] == '(' && !is_unit(t, next, depth, &both)) return 0;
    if (both) tell_both(t, behind);
    const int n = factor(t, behind, depth, &f);
    if (n == 0 && behind > next) return fail(t, next, "a unit is missing behind the dot");
    if (n <= 0) return n;
    multiply(out, &f, 1);
    return behind + n - at;
}

static bool in_range(const hol_unit *u)
{
    for (int i = 0; i < 4; i++)
        if (abs(u->dimension.power[i]) > MOST_POWER) return false;
    return u->si > 0 && isfinite((double)u->si) && (double)u->si > 0;
}

// A unit: factors one after the other, with a quotient. Returns the characters it takes, 0: none is here, <
// 0: a fault was told.
static int product(hol_unit_text *t, int at, int depth, hol_unit *out)
{
    const char *s = t->text;
    int n = blanks(s + at), k;
    bool both;
    *out = (hol_unit){.si = 1};
    if (s[at + n] == '1') { // 1/s
        const int slash = at + n + 1 + blanks(s + at + n + 1);
        if (s[slash] != '/') return 0;
        if (!is_unit(t, slash + 1 + blanks(s + slash + 1), depth, &both)) return 0;
        n++;
    } else {
        hol_unit f;
        k = factor(t, at + n, depth, &f);
        if (k <= 0) return k;
        if (depth && t->is_value && name_length(s + at + n) &&
            t->is_value(t->user, at + n, name_length(s + at + n)))
            tell_both(t, at + n);
        multiply(out, &f, 1);
        n += k;
        while ((k = further(t, at + n, depth, out)) > 0) {
            n += k;
            if (!in_range(out)) return fail(t, at, "the unit is too large or too small");
        }
        if (k < 0) return -1;
    }
    if (s[at + n + blanks(s + at + n)] == '/') {
        k = quotient(t, at + n, depth, out);
        if (k < 0) return -1;
        n += k;
    }
    return in_range(out) ? n : fail(t, at, "the unit is too large or too small");
}

bool hol_unit_is_group(const hol_unit_text *t, int at)
{
    bool both;
    return is_unit(t, at, 0, &both);
}

int hol_unit_scan(hol_unit_text *t, int at, hol_unit *out) { return product(t, at, 0, out); }

bool hol_unit_read(const char *text, hol_unit *out)
{
    hol_unit_text t = {.text = text};
    const int n = hol_unit_scan(&t, 0, out);
    return n > 0 && text[n + blanks(text + n)] == 0;
}

// ---- dimensions in words ---------------------------------------------------------------------------------------

void hol_dimension_print(const hol_dimension *d, char *out, size_t room)
{
    static const char *const names[] = {"length", "mass", "time", "angle"};
    size_t n = 0;
    snprintf(out, room, "a pure number");
    for (int i = 0; i < 4; i++) {
        const int p = d->power[i];
        int k = 0;
        if (p == 0 || n >= room) continue;
        k = snprintf(out + n, room - n, "%s%s", n ? " " : "", names[i]);
        n += (size_t)k;
        if (p == HOL_POWER_ONE || n >= room) continue;
        n += (size_t)hol_decimal_print(out + n, room - n, "^%g", (double)p / HOL_POWER_ONE);
    }
}

// Those that have names of their own, or are usual.
static const char *const usual_units[] = {"m",       "kg", "s",   "rad", "m/s",   "m/s^2",   "rad/s",
                                          "rad/s^2", "N",  "N m", "N/m", "N s/m", "N m/rad", "N m s/rad",
                                          "kg m^2",  "J",  "W",   "Pa",  "1/s",   "1/m"};

void hol_dimension_unit(const hol_dimension *d, char out[HOL_UNIT_TEXT])
{
    static const char *const base[] = {"m", "kg", "s", "rad"};
    size_t n = 0;
    *out = 0;
    for (size_t i = 0; i < sizeof usual_units / sizeof *usual_units; i++) {
        hol_unit known;
        if (!hol_unit_read(usual_units[i], &known) || known.si != 1 ||
            memcmp(&known.dimension, d, sizeof *d) != 0)
            continue;
        snprintf(out, HOL_UNIT_TEXT, "%s", usual_units[i]);
        return;
    }
    for (int i = 0; i < 4; i++) {
        char power[40];
        if (d->power[i] == 0) continue;
        hol_power_print(d->power[i], power, sizeof power);
        n += (size_t)snprintf(out + n, HOL_UNIT_TEXT - n, "%s%s%s", n ? " " : "", base[i], power);
    }
}

void hol_power_print(int power, char *out, size_t room)
{
    int a = abs(power), b = HOL_POWER_ONE;
    for (int rest; (rest = a % b) != 0; b = rest) a = b; // b: what divides both
    *out = 0;
    if (power == HOL_POWER_ONE) return;
    snprintf(out, room, b == HOL_POWER_ONE ? "^%d" : "^(%d/%d)", power / b, HOL_POWER_ONE / b);
}

// ---- what is meant by what is no unit --------------------------------------------------------------------------

const char *hol_unit_trap(const char *word)
{
    static const char no_temperature[] = "temperatures are no part of a model";
    static const struct {
        const char *word, *meant;
    } rows[] = {{"K", no_temperature},
                {"degC", no_temperature},
                {"degF", no_temperature},
                {"\u00b0C", no_temperature},
                {"\u00b0F", no_temperature},
                {"C", no_temperature},
                {"F", no_temperature},
                {"kgm", "write kg m"},
                {"Mg", "write t, a tonne; mg is a milligram"},
                {"nm", "N m? nanometres are not in the list"},
                {"NM", "N m or MN?"},
                {"dB", "write the ratio as a number"},
                {"sec", "write s"},
                {"secs", "write s"},
                {"second", "write s"},
                {"seconds", "write s"},
                {"hr", "write h"},
                {"hour", "write h"},
                {"degree", "write deg"},
                {"degrees", "write deg"},
                {"radian", "write rad"},
                {"radians", "write rad"},
                {"turn", "write rev"},
                {"turns", "write rev"},
                {"rps", "write rev/s or rad/s"},
                {"inch", "write in"},
                {"feet", "write ft"},
                {"micron", "write um"},
                {"mps", "write m/s"},
                {"kmh", "write km/h"},
                {"kgf", "write kg gn"},
                {"kp", "write kg gn"},
                {"lbs", "lb is a mass, lbf a force"},
                {"lbm", "write lb"},
                {"ton", "write t for 1000 kg"},
                {"tons", "write t for 1000 kg"},
                {"hp", "there are several: write W or kW"},
                {"PS", "there are several: write W or kW"},
                {"atm", "write 101325 Pa"},
                {"Nms", "write N m s"},
                {"mm2", "write mm^2"},
                {"mm3", "write mm^3"},
                {"mm4", "write mm^4"},
                {"cm2", "write cm^2"},
                {"cm3", "write cm^3"},
                {"cm4", "write cm^4"},
                {"m2", "write m^2"},
                {"m3", "write m^3"},
                {"m4", "write m^4"},
                {"s2", "write s^2"},
                {"kgm2", "write kg m^2"},
                {"kgmm2", "write kg mm^2"}};
    for (int i = 0; i < HOL_COUNT(rows); i++)
        if (strcmp(rows[i].word, word) == 0) return rows[i].meant;
    return NULL;
}
