// Units: every text of tests/reference/units.tsv, every factor against its definition, dimensions of all options, what is
// refused, and units of the file.
#include "analysis/settings.h"
#include "element/element.h"
#include "harness.h"
#include "integrator/integrator.h"
#include "model/reader.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hol_units si = {1, 1, 1, 1, 1};

// Reads one text as an option of this unit; HOL_OK or a status with its message in ctx.
static hol_status read_as(const char *text, const char *unit, const hol_units *units, double *out)
{
    hol_arena *arena = hol_arena_create(ctx);
    hol_node node = {.kind = HOL_NODE_SCALAR, .at = {"units", 1, 1}};
    hol_reader r = {.ctx = ctx, .arena = arena, .draft = arena, .dimension = 3, .units = *units};
    assert_non_null(arena);
    r.si = memcmp(units, &si, sizeof si) == 0;
    node.text = hol_arena_copy(arena, text, strlen(text));
    hol_context_clear(ctx);
    const hol_status st = hol_read_number(&r, &node, NULL, unit, out);
    hol_arena_destroy(arena);
    return st;
}

static void value_of_text(const char *text, const char *unit, const hol_units *units, double expected)
{
    double x = 0;
    if (read_as(text, unit, units, &x)) fail_msg("\"%s\" as %s: %s", text, unit, hol_context_error(ctx));
    if (!(fabs(x - expected) <= DBL_EPSILON * fabs(expected)))
        fail_msg("\"%s\" as %s is %.17g, should be %.17g", text, unit, x, expected);
}

static void refused(const char *text, const char *unit, const char *words)
{
    double x;
    if (!read_as(text, unit, &si, &x)) fail_msg("\"%s\" as %s is not refused, it is %.17g", text, unit, x);
    if (!strstr(hol_context_error(ctx), words))
        fail_msg("\"%s\" as %s: \"%s\" does not say \"%s\"", text, unit, hol_context_error(ctx), words);
}

// ---- the table of texts ----------------------------------------------------------------------------------------

static const struct {
    const char *quantity, *unit;
} quantities[] = {{"stiffness", "N/m"},
                  {"angular_velocity", "rad/s"},
                  {"acceleration", "m/s^2"},
                  {"power", "W"},
                  {"frequency", "1/s"},
                  {"torsional_stiffness", "N m/rad"},
                  {"torsional_damping", "N m s/rad"},
                  {"inertia", "kg m^2"},
                  {"density", "kg/m^3"},
                  {"pressure", "N/m^2"},
                  {"damping", "N s/m"},
                  {"hertz_stiffness", "N/m^1.5"},
                  {"velocity", "m/s"},
                  {"angle", "rad"},
                  {"torque", "N m"},
                  {"energy", "J"},
                  {"second_moment", "m^4"},
                  {"area", "m^2"},
                  {"flow", "m^3/s"},
                  {"number", ""},
                  {"force", "N"},
                  {"length", "m"}};

static const char *unit_of(const char *quantity)
{
    for (int i = 0; i < HOL_COUNT(quantities); i++)
        if (strcmp(quantities[i].quantity, quantity) == 0) return quantities[i].unit;
    fail_msg("no unit for %s", quantity);
    return "";
}

// What the table gives as a reason, as this program words it where that differs.
static const char *wording(const char *reason)
{
    static const struct {
        const char *reason, *words;
    } rows[] = {{"two / : use ( ) or ^-1", "two / in a unit: use ( ) or ^-1"},
                {"after / : one unit, or several in ( )", "after / one unit, or several in ( )"},
                {"unknown unit \"kgm\", kg m", "unknown unit \"kgm\"; write kg m"},
                {"unknown unit \"K\", temperatures are no part of a model",
                 "unknown unit \"K\"; temperatures are no part of a model"},
                {"unknown unit \"degC\", temperatures are no part of a model",
                 "unknown unit \"degC\"; temperatures are no part of a model"},
                {"unknown unit \"hz\", Hz", "unknown unit \"hz\"; did you mean \"Hz\"?"},
                {"unknown unit \"nm\", N m? nanometres are not in the list",
                 "unknown unit \"nm\"; N m? nanometres are not in the list"},
                {"unknown unit \"NM\", N m or MN?", "unknown unit \"NM\"; N m or MN?"},
                {"a ) is missing", "a \")\" is missing"}};
    for (int i = 0; i < HOL_COUNT(rows); i++)
        if (strcmp(rows[i].reason, reason) == 0) return rows[i].words;
    return reason;
}

static void every_text_of_the_table_is_read_or_refused(void **state)
{
    (void)state;
    FILE *in = fopen("tests/reference/units.tsv", "r");
    char line[400];
    int n = 0;
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        char *field[4] = {line, NULL, NULL, NULL};
        line[strcspn(line, "\n")] = 0;
        if (*line == '#' || strncmp(line, "text\t", 5) == 0) continue;
        for (int i = 1; i < 4; i++) {
            char *tab = strchr(field[i - 1], '\t');
            assert_non_null(tab);
            *tab = 0;
            field[i] = tab + 1;
        }
        n++;
        double x;
        if (*field[3]) {
            refused(field[0], unit_of(field[1]), wording(field[3]));
            continue;
        }
        if (read_as(field[0], unit_of(field[1]), &si, &x))
            fail_msg("%s: %s", field[0], hol_context_error(ctx));
        char have[40];
        snprintf(have, sizeof have, "%.17g", x);
        if (strcmp(have, field[2]) != 0) fail_msg("%s is %s, should be %s", field[0], have, field[2]);
    }
    fclose(in);
    assert_int_equal(n, 72);
}

// ---- factors ---------------------------------------------------------------------------------------------------

// From the definitions: SI Brochure (9th edition) for prefixes, min, h, l, t, degree; international yard and pound (1959)
// for in, ft, lb, mile of 5280 ft; gn by the 3rd CGPM (1901); bar 100 kPa. lbf is lb gn, psi lbf/in^2.
#define INCH 0.0254
#define POUND 0.45359237
#define GN 9.80665
#define TURN 6.283185307179586476925286766559006
static const struct {
    const char *name;
    double si;
    int power[4];
} definitions[] = {{"m", 1, {1, 0, 0, 0}},
                   {"dm", 0.1, {1, 0, 0, 0}},
                   {"cm", 0.01, {1, 0, 0, 0}},
                   {"mm", 0.001, {1, 0, 0, 0}},
                   {"um", 0.000001, {1, 0, 0, 0}},
                   {"\u00b5m", 0.000001, {1, 0, 0, 0}},
                   {"\u03bcm", 0.000001, {1, 0, 0, 0}},
                   {"km", 1000, {1, 0, 0, 0}},
                   {"in", INCH, {1, 0, 0, 0}},
                   {"ft", 12 * INCH, {1, 0, 0, 0}},
                   {"l", 0.1 * 0.1 * 0.1, {3, 0, 0, 0}},
                   {"kg", 1, {0, 1, 0, 0}},
                   {"g", 0.001, {0, 1, 0, 0}},
                   {"mg", 0.000001, {0, 1, 0, 0}},
                   {"t", 1000, {0, 1, 0, 0}},
                   {"tonne", 1000, {0, 1, 0, 0}},
                   {"lb", POUND, {0, 1, 0, 0}},
                   {"s", 1, {0, 0, 1, 0}},
                   {"ms", 0.001, {0, 0, 1, 0}},
                   {"us", 0.000001, {0, 0, 1, 0}},
                   {"\u00b5s", 0.000001, {0, 0, 1, 0}},
                   {"\u03bcs", 0.000001, {0, 0, 1, 0}},
                   {"min", 60, {0, 0, 1, 0}},
                   {"h", 60 * 60, {0, 0, 1, 0}},
                   {"rad", 1, {0, 0, 0, 1}},
                   {"mrad", 0.001, {0, 0, 0, 1}},
                   {"deg", TURN / 360, {0, 0, 0, 1}},
                   {"\u00b0", TURN / 360, {0, 0, 0, 1}},
                   {"rev", TURN, {0, 0, 0, 1}},
                   {"rpm", TURN / 60, {0, 0, -1, 1}},
                   {"kph", 1000.0 / 3600, {1, 0, -1, 0}},
                   {"mph", 5280 * 12 * INCH / 3600, {1, 0, -1, 0}},
                   {"gn", GN, {1, 0, -2, 0}},
                   {"Hz", 1, {0, 0, -1, 0}},
                   {"kHz", 1000, {0, 0, -1, 0}},
                   {"mN", 0.001, {1, 1, -2, 0}},
                   {"N", 1, {1, 1, -2, 0}},
                   {"daN", 10, {1, 1, -2, 0}},
                   {"kN", 1000, {1, 1, -2, 0}},
                   {"MN", 1000000, {1, 1, -2, 0}},
                   {"lbf", POUND *GN, {1, 1, -2, 0}},
                   {"Nmm", 0.001, {2, 1, -2, 0}},
                   {"Nm", 1, {2, 1, -2, 0}},
                   {"kNm", 1000, {2, 1, -2, 0}},
                   {"J", 1, {2, 1, -2, 0}},
                   {"kJ", 1000, {2, 1, -2, 0}},
                   {"W", 1, {2, 1, -3, 0}},
                   {"kW", 1000, {2, 1, -3, 0}},
                   {"Pa", 1, {-1, 1, -2, 0}},
                   {"kPa", 1000, {-1, 1, -2, 0}},
                   {"MPa", 1000000, {-1, 1, -2, 0}},
                   {"GPa", 1000000000, {-1, 1, -2, 0}},
                   {"bar", 100000, {-1, 1, -2, 0}},
                   {"psi", POUND *GN / (INCH * INCH), {-1, 1, -2, 0}}};

static void every_factor_is_that_of_the_definition(void **state)
{
    (void)state;
    int n;
    const hol_expr_doc *row = hol_expr_unit_names(&n);
    assert_int_equal(n, HOL_COUNT(definitions));
    for (int i = 0; i < n; i++) {
        int power[4], k = 0;
        while (k < HOL_COUNT(definitions) && strcmp(definitions[k].name, row[i].name) != 0) k++;
        if (k == HOL_COUNT(definitions)) fail_msg("%s has no definition here", row[i].name);
        const double have = hol_unit_find(row[i].name, strlen(row[i].name), power), want = definitions[k].si;
        if (!(fabs(have - want) <= 2 * DBL_EPSILON * want))
            fail_msg("%s is %.17g, by definition %.17g", row[i].name, have, want);
        assert_memory_equal(power, definitions[k].power, sizeof power);
        char one[40];
        snprintf(one, sizeof one, "1 %s", row[i].name);
        value_of_text(one, HOL_ANY_UNIT, &si, have);
    }
}

// Relations that hold exactly between the units, through products and quotients.
static void units_agree_with_each_other(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b, *unit;
    } rows[] = {{"36 kph", "10 m/s", "m/s"},
                {"1 km/h", "1 kph", "m/s"},
                {"1 Nm", "1000 Nmm", "N m"},
                {"1 kNm", "1 kN m", "N m"},
                {"1 J", "1 W s", "J"},
                {"1 kW h", "3600 kJ", "J"},
                {"1 MPa", "1 N/mm^2", "N/m^2"},
                {"1 bar", "10 N/cm^2", "N/m^2"},
                {"1 GPa", "1 kN/mm²", "N/m^2"},
                {"60 rpm", "1 rev/s", "rad/s"},
                {"1 rev", "360 deg", "rad"},
                {"12 in", "1 ft", "m"},
                {"1 psi", "1 lbf/in^2", "N/m^2"},
                {"1 lbf", "1 lb gn", "N"},
                {"1 l", "1 dm^3", "m^3"},
                {"60 l/min", "1 l/s", "m^3/s"},
                {"1 t", "1000 kg", "kg"},
                {"1 h", "60 min", "s"},
                {"1 kN", "1 t m/s^2", "N"},
                {"1 N", "1 kg m/s^2", "N"},
                {"1 µm", "1e-3 mm", "m"},
                {"1 μs", "1e-3 ms", "s"},
                {"1 daN", "10 N", "N"},
                {"88 ft/s", "60 mph", "m/s"},
                {"1 kJ", "1 kN m", "J"},
                {"1 kHz", "1 1/ms", "1/s"},
                {"180°", "3141.5926535897932 mrad", "rad"}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        double a = 0, b = 0;
        if (read_as(rows[i].a, rows[i].unit, &si, &a) || read_as(rows[i].b, rows[i].unit, &si, &b))
            fail_msg("%s, %s: %s", rows[i].a, rows[i].b, hol_context_error(ctx));
        if (!(fabs(a - b) <= 2 * DBL_EPSILON * fabs(b)))
            fail_msg("%s is %.17g, %s is %.17g", rows[i].a, a, rows[i].b, b);
    }
}

// ---- grammar ---------------------------------------------------------------------------------------------------

static void products_of_units_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit;
        double value;
    } rows[] = {{"10N/mm", "N/m", 1e4},
                {"10  N / mm", "N/m", 1e4},
                {"-10 N/mm", "N/m", -1e4},
                {"+10 N/mm", "N/m", 1e4},
                {"1e1 N/mm", "N/m", 1e4},
                {".5 mm", "m", 5e-4},
                {"5 kg·m²", "kg m^2", 5},
                {"5 kg⋅m^2", "kg m^2", 5},
                {"5 kg m²", "kg m^2", 5},
                {"5 kg*m**2", "kg m^2", 5},
                {"5 kg m^ 2", "kg m^2", 5},
                {"5 kg m ^2", "kg m^2", 5},
                {"5 m²kg", "kg m^2", 5},
                {"5 s⁻²", "1/s^2", 5},
                {"5 s^-2", "1/s^2", 5},
                {"5 s^(-2)", "1/s^2", 5},
                {"5 1/s^2", "1/s^2", 5},
                {"5 1/(s s)", "1/s^2", 5},
                {"5 m/s/1", "m/s", 5},
                {"5 (m/s)", "m/s", 5},
                {"5 mm (m/s)", "m^2/s", 5e-3},
                {"2 (N/mm)^2", "N^2/m^2", 2e6},
                {"2 N (m/rad)", "N m/rad", 2},
                {"3 N m/(rad)", "N m/rad", 3},
                {"3 ((N)) m", "N m", 3},
                {"4 mm^0.5 m^0.5", "m", 4 * 0.031622776601683795},
                {"4 mm^(1/2) m^(1/2)", "m", 4 * 0.031622776601683795},
                {"8 m^(1/3) m^(2/3)", "m", 8},
                {"2*90 deg", "rad", 3.1415926535897931},
                {"(30+60) deg", "rad", 1.5707963267948966},
                {"sqrt(4 mm^2)", "m", 2e-3},
                {"(3 mm)^2", "m^2", 9e-6},
                {"3 mm^2/mm", "m", 3e-3},
                {"5 mm + 2 cm", "m", 0.025},
                {"max(5 mm, 1 cm)", "m", 0.01},
                {"max(0, 5 mm)", "m", 5e-3},
                {"5 mm*2", "m", 0.01},
                {"10 mm/5", "m", 2e-3},
                {"10 m/(4 s)", "m/s", 2.5},
                {"hypot(3 mm, 4 mm)", "m", 5e-3},
                {"7 rad/s", "rad/s", 7},
                {"2*pi*25 Hz", "rad/s", 157.07963267948966},
                {"sin(30 deg)*2 m", "m", 0.99999999999999989},
                {"atan2(1 m, 1000 mm)", "rad", 0.78539816339744828},
                {"0.1 m/1 mm", "", 100},
                {"5 N m/1 N", "m", 5},
                {"30 deg/1 deg", "", 30},
                {"mod(7 mm, 4 mm)", "m", 3e-3},
                {"abs(-2 N)", "N", 2},
                {"if(1: 1 N, 2 N, 3 N)", "N", 3},
                {"step(1 s, 0 s, 1 N, 2 s, 3 N)", "N", 2},
                {"0", "N/m", 0},
                {"5", "N/m", 5},
                {"12 min", "s", 720},
                {"min(3 s, 5 s)", "s", 3},
                {"1 rev*2", "rad", 12.566370614359172},
                {"100 kN/m", "N/m", 1e5},
                {"1e-3 GPa", "N/m^2", 1e6},
                {"3 m^3 m^-1", "m^2", 3}};
    for (int i = 0; i < HOL_COUNT(rows); i++) value_of_text(rows[i].text, rows[i].unit, &si, rows[i].value);
}

static void wrong_units_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit, *words;
    } rows[] = {{"2 kg mm", "kg", "length mass where mass is wanted"},
                {"3 m s", "m/s", "length time where length time^-1 is wanted"},
                {"1 lb", "N", "lb is a mass and lbf a force"},
                {"9.81 N", "m/s^2", "is wanted"},
                {"9.81 g", "m/s^2", "g is the gram"},
                {"5 mN", "N m", "where length^2 mass time^-2 is wanted"},
                {"1/min", "rad/s", "\"min\" is a function"},
                {"1 1/h", "rad/s", "1/h for an angular velocity"},
                {"2*25 Hz", "rad/s", "a turn or a radian?"},
                {"1 kHz", "rad/s", "a turn or a radian?"},
                {"3 rad", "", "leave the unit away"},
                {"3 mm", "", "leave the unit away"},
                {"5 mm + 3", "m", "give the number its unit"},
                {"5 mm + 3 s", "m", "length and time stand side by side"},
                {"5 deg + 3 mm", "rad", "angle and length stand side by side"},
                {"min(5 mm, 3)", "m", "stand side by side"},
                {"sin(5 mm)", "", "sin of length: it takes an angle"},
                {"exp(5 mm)", "", "exp of length: it takes a pure number"},
                {"2^(3 mm)", "", "an exponent is a pure number"},
                {"5 mm^2^2", "m^4", "a unit has one power"},
                {"5 mm²³", "m", "power of a unit"},
                {"5 mm^i", "m", "not a unit: \"^\""},
                {"5 mm^", "m", "not a unit: \"^\""},
                {"5 mm^1.23", "m", "a denominator of at most 12"},
                {"5 mm^(1/0)", "m", "not a unit: \"^\""},
                {"5 mm^99", "m", "from -20 to 20"},
                {"5 N*", "N", "a value is missing"},
                {"5 N·", "N", "a unit is missing behind the dot"},
                {"5 N·x", "N", "unknown unit \"x\""},
                {"5 N/(mm s", "N/m", "a \")\" is missing"},
                {"5 N/()", "N/m", "a value is missing before \")\""},
                {"5 N/foo", "N/m", "unknown unit \"foo\""},
                {"5 N/mm/s", "N/m", "two / in a unit"},
                {"5 N/mm*s", "N/m", "after / one unit"},
                {"5 N/mm·s", "N/m", "after / one unit"},
                {"5 kg/m^3 m", "kg", "after / one unit"},
                {"5 °C", "", "temperatures are no part of a model"},
                {"5 %", "", "not a unit: \"%\""},
                {"5 dB", "", "write the ratio as a number"},
                {"5 mm2", "m^2", "write mm^2"},
                {"5 m 3", "m", "unexpected \"3\""},
                {"5 m m", "m", "length^2 where length is wanted"},
                {"m", "m", "the unit stands after a value: 1 m"},
                {"5 kgf", "N", "write kg gn"},
                {"5 hp", "W", "there are several"},
                {"5 RPM", "rad/s", "did you mean \"rpm\"?"},
                {"5 Deg", "rad", "did you mean \"deg\"?"},
                {"5 Kg", "kg", "did you mean \"kg\"?"},
                {"1e308 km", "m", "too large"},
                {"5 ((((((((((((((((((((((((m))))))))))))))))))))))))", "m", "unexpected \"(\""},
                {"5 m/((((((((((((((((((((((((m))))))))))))))))))))))))", "", "unknown name \"m\""},
                {"5 m*((", "m", "is missing"},
                {"5 km^20 km^20 km^20", "m", "too large or too small"},
                {"5 sin(1)", "", "\"sin\" is not a unit"},
                {"3 min(1, 2)", "s", "\"min\" is not a unit; to multiply, write *min"},
                {"5 m^2 s", "m^2", "is wanted"},
                {"25 1", "1/s", "unexpected \"1\""},
                {"25 2/s", "1/s", "unexpected \"2\""},
                {"2 ^3 m", "m^3", "an exponent has no unit"},
                {"5 m^1/2", "m", "write m^(1/2) for a root"},
                {"3 m^2 / 2", "m^2", "write m^(1/2) for a root"},
                {"5\u00a0mm", "m", "not the ordinary one"},
                {"\u22125 mm", "m", "is not the minus of the keyboard"},
                {"5 m··s", "m s", "a unit is missing behind the dot"},
                {"5 m^--1", "m", "not a unit: \"^\""},
                {"5 m^(1//2)", "m", "not a unit: \"^\""},
                {"5 m⁻⁻¹", "m", "power of a unit"},
                {"5 m⁹⁹⁹⁹", "m", "power of a unit"},
                {"5 m***2", "m", "not a unit: \"^\""},
                {"5 ft 3 in", "m", "unexpected \"3\""},
                {"1 1/2 in", "m", "unexpected \"1\""},
                {"1/2 in", "m", "length^-1 where length is wanted"},
                {"5 1/s/s", "1/s^2", "two / in a unit"},
                {"(5 m)(3 s)", "m s", "unexpected \"(\""},
                {"5 e", "", "\"e\" is not a unit"},
                {"5 _", "m", "unknown unit"}};
    for (int i = 0; i < HOL_COUNT(rows); i++) refused(rows[i].text, rows[i].unit, rows[i].words);
}

// ---- options ---------------------------------------------------------------------------------------------------

static int rows_seen;

// Every unit of a row can be read, and is made of N and base units: plain numbers of all files depend on it.
static void check_rows(const char *of, const hol_option *table)
{
    for (const hol_option *o = table; o && o->key; o++, rows_seen++) {
        char text[80];
        snprintf(text, sizeof text, "%s", o->unit);
        for (char *part = strtok(text, ","); part; part = strtok(NULL, ",")) {
            hol_unit u;
            if (strcmp(part, HOL_ANY_UNIT) == 0) continue;
            if (!hol_unit_read(part, &u) || u.si != 1)
                fail_msg("%s.%s: \"%s\" is not a unit", of, o->key, part);
        }
        const bool number = o->kind == HOL_NUMBER || o->kind == HOL_VECTOR || o->kind == HOL_NUMBERS ||
                            o->kind == HOL_MATRIX || o->kind == HOL_FUNCTION || o->kind == HOL_FUNCTIONS;
        if (!number && *o->unit && o->kind != HOL_ENTRY)
            fail_msg("%s.%s: a unit of what is no number", of, o->key);
    }
}

// Keys that mean the same everywhere have the same unit everywhere; those without a unit are here by name.
static void check_meaning(const char *of, const hol_option *table)
{
    static const struct {
        const char *key, *units;   // between bars
    } rows[] = {{"mass", "|kg||"}, // "": a unit of the file
                {"length", "|m||"},
                {"position", "|m|any|"},
                {"velocity", "|m/s|any|"},
                {"omega", "|rad/s|"},
                {"inertia", "|kg m^2|"},
                {"stiffness", "|N/m|N m/rad|N/m, N m/rad|"},
                {"damping", "|N s/m|N m s/rad|N s/m, N m s/rad|s|"},
                {"radius", "|m|"},
                {"angle", "|rad||"},
                {"end", "|s|"},
                {"step", "|s|"},
                {"max_step", "|s|"},
                {"output", "|s||"},
                {"time_limit", "|s|"},
                {"every", "|s|"},
                {"pitch", "|m|"},
                {"modulus", "|N/m^2|"},
                {"shear_modulus", "|N/m^2|"},
                {"area", "|m^2|"},
                {"torque", "|N m|"},
                {"force", "|N||"}};
    static const char pure[] =
        "|ratio|coefficient|axis|axis2|tolerance|rtol|atol|gamma|beta|alpha|rho|c|newton_tolerance|"
        "steepest|columns|fac|facmin|facmax|";
    for (const hol_option *o = table; o && o->key; o++) {
        char text[100];
        snprintf(text, sizeof text, "|%s|", o->unit);
        for (int i = 0; i < HOL_COUNT(rows); i++)
            if (strcmp(rows[i].key, o->key) == 0 && !strstr(rows[i].units, text))
                fail_msg("%s.%s is in \"%s\"", of, o->key, o->unit);
        const bool number = o->kind == HOL_NUMBER || o->kind == HOL_VECTOR || o->kind == HOL_NUMBERS ||
                            o->kind == HOL_MATRIX || o->kind == HOL_FUNCTION || o->kind == HOL_FUNCTIONS;
        snprintf(text, sizeof text, "|%s|", o->key);
        if (number && !*o->unit && !strstr(pure, text)) fail_msg("%s.%s has no unit", of, o->key);
    }
}

static void check_table(const char *of, const hol_option *table)
{
    check_rows(of, table);
    check_meaning(of, table);
}

// A driven angle (kind 'd') or a torque ('t') of this value; "" or the message.
#define TORQUE(value) "forces: [{name: f, type: torque, on: a, value: \"" value "\"}]\n"
#define SET(what) "events: [{name: e, at: [0.1], set: {" what "}}]\n"
#define TABLE(units) "splines: [{name: s, x: [0, 1, 2], y: [0, 1, 3], units: " units "}]\n"

static const char *loaded(char kind, const char *value)
{
    static char text[800], said[400];
    snprintf(text, sizeof text,
             "dimension: 2\nparameters: {w: 25 Hz, r: 0.3 m}\nbodies: [{name: a, mass: 1, inertia: 1}]\n"
             "joints: [{name: j, type: revolute, between: [ground, a]}]\n%s, value: \"%s\"}]\n",
             kind == 'd' ? "drivers: [{name: d, type: angle, joint: j"
                         : "forces: [{name: f, type: torque, on: a",
             value);
    hol_context_clear(ctx);
    hol_model *m = hol_model_parse(ctx, "m", text, strlen(text), NULL, 0);
    snprintf(said, sizeof said, "%s", m ? "" : hol_context_error(ctx));
    hol_model_destroy(m);
    return said;
}

static void a_frequency_is_no_angle(void **state)
{
    (void)state;
    static const struct {
        char kind;
        const char *value;
        bool ok;
    } rows[] = {{'d', "1500 1/min*time", false},
                {'d', "25 Hz*time", false},
                {'d', "w*time", false},
                {'d', "if(time - 1: 25 Hz*time, 1, 2)", false},
                {'d', "step(time, 0, 0, 1, 25 Hz*time)", false},
                {'d', "shf(time, 0, 1, 25 Hz, 0, 0)", false},
                {'d', "forsin(time, 0, 25 Hz, 0, 1)", false},
                {'d', "poly(time, 0, 0, 25 Hz)", false},
                {'d', "25 Hz*time + pi", false},
                {'d', "25 Hz*time + 30 deg", false},
                {'d', "1500/(1 min)*time", false},
                {'t', "WZ(a) - 25 Hz", false},
                {'t', "-(5 N m s/rad)*(WZ(a) - 25 Hz)", false},
                {'t', "-(5 N m s/rad)*WZ(a) + (5 N m s/rad)*25 Hz", false},
                {'t', "3*sin(AZ(a) + 25 Hz*time)", false},
                {'t', "3*shf(AZ(a), 0, 1, 1, w*time, 0)", false},
                {'d', "step(time, 1 min, 0, 2 min, 90 deg)", true},
                {'d', "36 km/h/r*time", true},
                {'d', "2*pi*w*time + pi/3", true},
                {'d', "25 rev/s*time", true},
                {'d', "90 deg*w*time", true},
                {'d', "sin(2*(time - 1 min))", true},
                {'d', "shf(time, 0, 10 deg, 2*pi*w, pi/3, 5 deg)", true},
                {'d', "poly(time, 1 min, 0, 90 deg/s, 3 deg/s^2)", true},
                {'d', "exp(-time/(2 min))*30 deg", true},
                {'t', "-(5 N m s/rad)*(WZ(a) - 25 rev/s)", true},
                {'t', "-(5 N m s/rad)*(WZ(a) - 2*pi*w)", true},
                {'t', "-2 Hz*(5 N m s)*AZ(a)", true},
                {'t', "5 N m*time/(1 min) - 3 N m/rad*AZ(a)", true},
                {'t', "-10*WZ(a) + poly(AZ(a), 0, 1, 2, 3)", true}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const char *said = loaded(rows[i].kind, rows[i].value);
        const bool asked = strstr(said, "a turn or a radian?");
        if (asked == rows[i].ok || (rows[i].ok && *said)) fail_msg("%s: \"%s\"", rows[i].value, said);
    }
}

// Names carry their dimension: variables (also named before they are given), states, what events set, columns of tables.
static void names_have_dimensions(void **state)
{
    (void)state;
    static const struct {
        const char *part, *words; // NULL: it is read
    } rows[] = {
        {"variables: [{name: w, value: 25 Hz}]\n" TORQUE("-(5 N m s/rad)*(WZ(a) - w)"),
         "a turn or a radian?"},
        {"variables: [{name: w, value: 2*v}, {name: v, value: 25 Hz}]\n" TORQUE("-(5 N m s/rad)*(WZ(a) - w)"),
         "a turn or a radian?"},
        {"variables: [{name: w, value: 2*pi*25 Hz}]\n" TORQUE("-(5 N m s/rad)*(WZ(a) - w)"), NULL},
        {"variables: [{name: w, value: WZ(a)}]\n" TORQUE("-(5 N m s/rad)*(w - 25 Hz)"),
         "a turn or a radian?"},
        {"variables: [{name: x, value: 5 mm}]\n" TORQUE("3 N*x"), NULL},
        {"variables: [{name: x, value: 5 mm}]\n" TORQUE("3 N/m*x"), "where length^2 mass time^-2 is wanted"},
        {"variables: [{name: k, value: 5}]\n" TORQUE("k*AZ(a) + 3 N m"), NULL},
        {"variables: [{name: x, value: 5 mm, size: 3 s}]\n", "size: dimension: time where length is wanted"},
        {"variables: [{name: x, value: 5 mm, size: 3 cm}]\n", NULL},
        {"states: [{name: x, rate: 3 mm/s}]\n" TORQUE("5 N*x"), NULL},
        {"states: [{name: x, rate: 3 mm/s}]\n" TORQUE("5 N s*x"), "is wanted"},
        {"states: [{name: x, rate: 3 mm/s}]\n" TORQUE("5 N s*DIF1(x)"), NULL},
        {"states: [{name: x, rate: 3 mm/s - 2 Hz*x, initial: 3 mm}]\n", NULL},
        {"states: [{name: x, rate: 3 mm/s, initial: 3 mm/s}]\n", "rate of \"x\""},
        {"states: [{name: x, rate: VX(a), initial: 3 deg}]\n", "rate of \"x\""},
        {"states: [{name: x, rate: 1, initial: 3 mm}]\n", NULL},
        {"states: [{name: x, rate: 3 mm/s, size: 2 rad}]\n", "size: dimension: angle where length is wanted"},
        {"states: [{name: x, rate: 25 Hz, initial: 3 rad}]\n", "a turn or a radian?"},
        {"parameters: {F: 3 N}\n" SET("F: 3 mm"), "that of \"F\""},
        {"parameters: {F: 3 N}\n" SET("F: 2*F + 1 kN"), NULL},
        {"parameters: {F: 3 N}\n" SET("F: 4"), NULL},
        {"parameters: {F: 3}\n" SET("F: 3 mm"), NULL},
        {"parameters: {F: 3 N}\n" SET("F: DX(a)"), "that of \"F\""},
        {"parameters: {w: 3 rad/s}\n" SET("w: 25 Hz"), "a turn or a radian?"},
        {"states: [{name: x, rate: 3 mm/s}]\n" SET("x: 1 s"), "that of \"x\""},
        {TABLE("{x: deg, y: N mm}") TORQUE("AKISPL(AZ(a), 0, s)"), NULL},
        {TABLE("{x: deg, y: N mm}") TORQUE("AKISPL(DX(a), 0, s)"), "length and angle stand side by side"},
        {TABLE("{x: deg, y: N}") TORQUE("AKISPL(AZ(a), 0, s)"), "is wanted"},
        {TABLE("{x: s, y: N m s}") TORQUE("AKISPL(time, 0, s, 1)"), NULL},
        {TABLE("{x: s, y: N m s}") TORQUE("AKISPL(time, 0, s)"), "is wanted"},
        {TABLE("{x: s, y: Hz}") TORQUE("5 N m s/rad*(WZ(a) - AKISPL(time, 0, s))"), "a turn or a radian?"},
        {TABLE("{x: s, y: rpm}") TORQUE("5 N m s/rad*(WZ(a) - AKISPL(time, 0, s))"), NULL},
        {TABLE("{y: N m}") TORQUE("AKISPL(DX(a), 0, s)"), NULL}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[600];
        snprintf(text, sizeof text, "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1}]\n%s",
                 rows[i].part);
        hol_context_clear(ctx);
        hol_model *m = hol_model_parse(ctx, "m", text, strlen(text), NULL, 0);
        const char *said = m ? "" : hol_context_error(ctx);
        if (rows[i].words ? !strstr(said, rows[i].words) : *said) fail_msg("row %d: \"%s\"", i, said);
        hol_model_destroy(m);
    }
}

// k of impact and bistop is a force per depth^e; places, speeds and what a sine is taken of have their dimensions too.
static void contact_and_waves_have_dimensions(void **state)
{
    (void)state;
    static const struct {
        const char *value, *words; // NULL: it is read
    } rows[] = {
        {"impact(DY(a), VY(a), 0 mm, 1e5 N/mm, 1.5, 1 N s/mm, 0.1 mm)",
         "k is mass time^-2, so k*depth^1.5 is length^1.5 mass time^-2, and cmax*xdot is length mass "
         "time^-2; "
         "with an exponent of 1.5 k is a force per depth^1.5, as in N/m^1.5"},
        {"impact(DY(a), VY(a), 0, 1e5 N/mm, 1.5, 0, 0.1)", "so k*depth^1.5 is length^1.5 mass time^-2; with"},
        {"impact(DY(a), VY(a), 0 mm, 1e5 N/mm^1.5, 1.5, 1 N s/mm, 0.1 mm)", NULL},
        {"impact(DY(a), VY(a), 0 mm, 1e5, 1.5, 1 N s/mm, 0.1 mm)", NULL},
        {"impact(DY(a), VY(a), 0 mm, 1e5, 2.2, 1 N s/mm, 0.1 mm)", NULL},
        {"impact(DY(a), VY(a), 0 mm, 1e5 N/mm, 2.2, 1 N s/mm, 0.1 mm)",
         "no unit of k fits the exponent 2.2, the least fraction of an exponent is 1/12"},
        {"impact(DY(a), VY(a), 0, 1e5 N/mm, 1, 1 N s/mm, 0)", NULL},
        {"impact(DY(a), VY(a), 0, 1e5 N/mm^2, 2, 0, 0)", NULL},
        {"impact(DY(a), VY(a), 0, 1e5 N/mm, 2, 0, 0)", "where length mass time^-2 is wanted"},
        {"impact(DY(a), VY(a), 0, 1e5 N/mm, 1 + time, 1 N s/mm, 0.1)", NULL},
        {"impact(DY(a), VY(a), 0, 1e5, 1, 1 N/mm, 0.1)", "where length mass time^-2 is wanted"},
        {"impact(DY(a), VY(a), 0, 1e5 N/m, 1 mm, 1 N s/mm, 0.1)", "an exponent is a pure number"},
        {"impact(DY(a), VY(a), 1 s, 1e5, 1.5, 1, 0.1)", "length and time stand side by side"},
        {"impact(DY(a), VY(a), 0, 1e5, 1.5, 1, 0.1 rad)", "length and angle stand side by side"},
        {"impact(DY(a) - 1 mm, DY(a), 0, 1e5, 1.5, 1, 0)", "length and length time^-1 stand side by side"},
        {"impact(DY(a), VY(a), 0, kf, 1.5, cf, df)", NULL},
        {"impact(DY(a), VY(a), 0, 1e5 N/mm, 1.5, cf, df)", "as in N/m^1.5"},
        {"impact(DY(a), VY(a), 0 mm, ku, 1.5, 1 N s/mm, 0.1 mm)", "as in N/m^1.5"},
        {"impact(DY(a), VY(a), 0 mm, ku*2, sin(time), VY(a)*1 N s^2/m^2, DY(a) + 1 mm)", NULL},
        {"impact(DY(a), VY(a), 0 mm, ku, 1.5, 1 N s/mm*(1 + VY(a)*1 s/m), DY(a) + 1 mm)", "as in N/m^1.5"},
        {"impact(AZ(a), WZ(a), 0, 5 N m/rad^1.5, 1.5, 1 N m s/rad, 1 deg)/1 m", NULL},
        {"impact(AZ(a), WZ(a), 0, 5 N m/rad, 1.5, 1 N m s/rad, 1 deg)/1 m", NULL}, // rad is left away
        {"impact(AZ(a), WZ(a), 0 deg, 5 N/m, 1.5, 1 N m s/rad, 1 deg)/1 m", "as in N m/rad^1.5"},
        {"bistop(DY(a), VY(a), 0 mm, 9 mm, 1e5 N/mm, 1.5, 1 N s/mm, 0.1 mm)", "bistop: k is mass time^-2"},
        {"bistop(DY(a), VY(a), 0 mm, 9 s, 1e5, 1.5, 1 N s/mm, 0.1 mm)", "stand side by side"},
        {"bistop(DY(a), VY(a), 0 mm, 9 mm, 1e5 N/mm^1.5, 1.5, 1 N s/mm, 0.1 mm)", NULL},
        {"forcos(time, 0, 10 m, 1 N)", "w*(x - x0) is an angle, here it is length"},
        {"forsin(DY(a), 0, 10 rad/s, 1 N, 2 N)", "here it is length time^-1 angle"},
        {"forsin(DY(a), 1 mm, 10, 1 N, 2 N)", "here it is length"},
        {"forsin(DY(a), 1 mm, 10 rad/m, 1 N, 2 N)", NULL},
        {"forcos(time, 0, 10 rad/s, 1 N, 2 N)", NULL},
        {"forcos(time, 0, 10, 1 N, 2 N)", NULL},
        {"shf(time, 0, 1 N, 10 mm, 0, 0)",
         "shf(x, x0, a, w, phi, b): w*(x - x0) is an angle, here it is length"},
        {"shf(time, 0, 1 N, 10 rad/s, 10 mm, 0)", "phi is an angle, here it is length"},
        {"shf(time, 0, 1 N, 10 rad/s, 30 deg, 2 N)", NULL},
        {"mod(time, 0.1 mm)", "what is made of the time and length stand side by side here; they must be"},
        {"5 mm + AZ(a)", "length and what is made of an angle stand side by side here; they must be"},
        {"5 mm + 3*time", "length and what is made of the time stand side by side here; they must be"}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "dimension: 2\nparameters: {kf: 9, cf: 3, df: 1, ku: 1e5 N/mm}\n"
                 "bodies: [{name: a, mass: 1, inertia: 1}]\n"
                 "forces: [{name: f, type: force, on: a, value: [0, \"%s\"]}]\n",
                 rows[i].value);
        hol_context_clear(ctx);
        hol_model *m = hol_model_parse(ctx, "m", text, strlen(text), NULL, 0);
        const char *said = m ? "" : hol_context_error(ctx);
        if (rows[i].words ? !strstr(said, rows[i].words) : *said) fail_msg("%s: \"%s\"", rows[i].value, said);
        hol_model_destroy(m);
    }
}

static void every_option_has_its_unit(void **state)
{
    (void)state;
    static const hol_option *const tables[] = {
        hol_model_keys,  hol_body_keys,     hol_marker_keys,     hol_motion_keys,   hol_joint_keys,
        hol_driver_keys, hol_force_keys,    hol_units_keys,      hol_shape_keys,    hol_ground_keys,
        hol_code_keys,   hol_variable_keys, hol_state_keys,      hol_transfer_keys, hol_state_space_keys,
        hol_spline_keys, hol_event_keys,    hol_constraint_keys, hol_simulate_keys};
    rows_seen = 0;
    for (int i = 0; i < HOL_COUNT(tables); i++) check_table("keys", tables[i]);
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        check_table((*t)->name, (*t)->options);
    for (const hol_shape_type *t = hol_shape_types; t->name; t++) check_table(t->name, t->options);
    for (int i = 0; hol_methods[i]; i++)
        for (int k = 0; k < HOL_METHOD_TABLES; k++)
            check_table(hol_methods[i]->name, hol_method_table(hol_methods[i], k));
    assert_true(rows_seen > 250);
}

// ---- units of the file -----------------------------------------------------------------------------------------

static void plain_numbers_follow_the_units_of_the_file(void **state)
{
    (void)state;
    static const hol_units mm = {1e-3, 1, 1, 1, 1}, mm_t = {1e-3, 1e3, 1, 1, 1},
                           mm_kN_ms = {1e-3, 1, 1e-3, HOL_PI / 180, 1e3},
                           in_lbf = {0.0254, 0.45359237, 1, 1, 4.4482216152605};
    static const struct {
        const char *text, *unit;
        const hol_units *units;
        double value;
    } rows[] = {{"10", "N/m", &mm, 1e4},
                {"10", "m/s^2", &mm, 0.01},
                {"10", "kg m^2", &mm, 1e-5},
                {"10", "N m", &mm, 0.01},
                {"10", "N", &mm, 10},
                {"10", "N/m^2", &mm, 1e7},
                {"10", "N s/m", &mm, 1e4},
                {"10", "N m/rad", &mm, 0.01},
                {"10", "m^4", &mm, 1e-11},
                {"10", "kg", &mm, 10},
                {"10", "", &mm, 10},
                {"10", HOL_ANY_UNIT, &mm, 10},
                {"2*5", "N/m", &mm, 1e4},
                {"10 N/m", "N/m", &mm, 10},
                {"10 m", "m", &mm, 10},
                {"7.85e-9", "kg/m^3", &mm_t, 7850},
                {"9810", "m/s^2", &mm_t, 9.81},
                {"1", "N", &mm_t, 1},
                {"210000", "N/m^2", &mm_t, 2.1e11},
                {"1", "N", &mm_kN_ms, 1000},
                {"1", "N/m", &mm_kN_ms, 1e6},
                {"1", "m/s", &mm_kN_ms, 1},
                {"1", "m/s^2", &mm_kN_ms, 1000},
                {"1", "rad/s", &mm_kN_ms, HOL_PI / 180 * 1000},
                {"1", "N m s/rad", &mm_kN_ms, 1e3 * 1e-3 * 1e-3 * 180 / HOL_PI},
                {"1", "s", &mm_kN_ms, 1e-3},
                {"1", "N/m", &in_lbf, 4.4482216152605 / 0.0254},
                {"1", "N m", &in_lbf, 4.4482216152605 * 0.0254},
                {"90", "rad", &mm_kN_ms, HOL_PI / 2},
                {"atan2(1, 1)", "rad", &mm_kN_ms, HOL_PI / 4},
                {"500*cos(60 deg)", "m", &mm, 0.25}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        double x = 0;
        if (read_as(rows[i].text, rows[i].unit, rows[i].units, &x)) fail_msg("%s", hol_context_error(ctx));
        if (!(fabs(x - rows[i].value) <= 4 * DBL_EPSILON * fabs(rows[i].value)))
            fail_msg("row %d: %s in %s is %.17g, should be %.17g", i, rows[i].text, rows[i].unit, x,
                     rows[i].value);
    }
}

static char told[2000];
static void remember(void *user, hol_severity severity, const char *text)
{
    (void)user;
    const size_t n = strlen(told);
    snprintf(told + n, sizeof told - n, "%s: %s\n", severity == HOL_WARNING ? "warning" : "note", text);
}

static const char *told_of(const char *model)
{
    told[0] = 0;
    hol_context_set_log(ctx, remember, NULL);
    hol_spec *spec = hol_spec_read_text(ctx, "m", model, strlen(model), NULL, 0);
    if (!spec) fail_msg("%s", hol_context_error(ctx));
    hol_spec_destroy(spec);
    hol_context_set_log(ctx, NULL, NULL);
    return told;
}

#define BODY "bodies: [{name: a, mass: 1, inertia: 1}]\n"

static void doubtful_units_are_told(void **state)
{
    (void)state;
    const struct {
        const char *model, *words; // NULL: nothing is said
    } rows[] = {
        {"dimension: 2\nunits: {length: mm, force: N}\ngravity: [0, -9.81]\n" BODY,
         "warning: m:3:10: gravity is 0.00981 m/s^2: plain numbers are in the units of the file; if m/s^2 "
         "are meant, "
         "write 9.81 m/s^2, or 9810"},
        {"dimension: 2\nunits: {length: mm, force: N}\ngravity: [0, -9810]\n" BODY, NULL},
        {"dimension: 2\nunits: {length: mm, force: N}\ngravity: [0, -9.81 m/s^2]\n" BODY, NULL},
        {"dimension: 2\nunits: {length: mm, force: N}\ngravity: [0, 0]\n" BODY, NULL},
        {"dimension: 2\ngravity: [0, -9.81]\n" BODY, NULL},
        {"dimension: 2\nunits: {length: mm}\n" BODY, "note: m:2:8: units: no unit of force is given: plain "
                                                     "forces are in N, stiffnesses in N/mm, torques in N mm; "
                                                     "\"force: N\" says so"},
        {"dimension: 2\nunits: {length: m}\n" BODY, NULL},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY, NULL},
        {"dimension: 2\nunits: {system: mm-kg-s}\n" BODY, "no unit of force is given"},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY
         "forces: [{name: f, type: force, on: a, value: [5*time, 0]}]\n",
         "warning: m:4:48: a number without a unit stands in an expression; there it is in SI units"},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY
         "forces: [{name: f, type: force, on: a, value: [5 N/s*time, 3*time]},\n"
         "         {name: h, type: force, on: a, value: [\"5*DX(a)\", 0]}]\n",
         "m:4:60: a number without a unit stands in an expression, here and elsewhere"},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY
         "forces: [{name: f, type: force, on: a, value: [\"5 N/mm*DX(a)\", 0]}]\n",
         NULL},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY "forces: [{name: f, type: force, on: a, value: "
         "[\"impact(DX(a), VX(a), 0 mm, 1e5, 1.5, 1 N s/mm, 1 mm)\", 0]}]\n",
         "warning: m:4:48: a number without a unit stands in an expression; there it is in SI units"},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY "forces: [{name: f, type: force, on: a, value: "
         "[\"impact(DX(a), VX(a), 0 mm, 1e5 N/mm^1.5, 1.5, 1 N s/mm, 1 mm)\", 0]}]\n",
         NULL},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY
         "transfer_functions: [{name: f, input: time, numerator: [1], denominator: [2, 1]}]\n",
         NULL},
        {"dimension: 2\nparameters: {e: 3}\n" BODY
         "forces: [{name: f, type: force, on: a, value: [\"5*e^(-2*time)\", 0]}]\n",
         "warning: m:4:51: \"e\" is a name of this file here, not 2.71828"},
        {"dimension: 2\nparameters: {e: 3}\n" BODY
         "forces: [{name: f, type: force, on: a, value: [\"5*e^2 + (e)^(-time)\", 0]}]\n",
         NULL},
        {"dimension: 2\n" BODY "forces: [{name: f, type: force, on: a, value: [\"5*e^(-2*time)\", 0]}]\n",
         NULL},
        {"dimension: 2\nparameters: {N: 2, m: 3}\n" BODY
         "forces: [{name: f, type: spring-damper, between: [ground: [1, 1], a], stiffness: 10 N/m}]\n",
         "warning: m:4:87: \"m\" is read as the unit here, and a value has this name too"},
        {"dimension: 2\nparameters: {m: 3}\nbodies: [{for: i in 1..3, name: \"a{i}\", mass: 1, inertia: 1, "
         "position: [2 m*m/1 m, 0]}]\n",
         "warning: m:3:77: \"m\" is read"},
        {"dimension: 2\nparameters: {N: 2, k: 3}\n" BODY
         "forces: [{name: f, type: spring-damper, between: [ground: [1, 1], a], stiffness: 10 N/m}]\n",
         NULL}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const char *text = told_of(rows[i].model), *again = strstr(text, "is read as the unit");
        if (again) assert_null(strstr(again + 1, "is read as the unit")); // once, in loops too
        if (rows[i].words ? !strstr(text, rows[i].words) : *text)
            fail_msg("row %d: said is \"%s\"%s%s", i, text, rows[i].words ? ", wanted " : "",
                     rows[i].words ? rows[i].words : "");
    }
}

// `units: {system: ..}` and the single keys say the same.
static void systems_set_all_units(void **state)
{
    (void)state;
    const struct {
        const char *units;
        double x, stiffness, torque, mass;
    } rows[] = {{"{system: mm-N-t-s}", 2e-3, 5e3, 7e-3, 3e3},
                {"{length: mm, mass: t, force: N}", 2e-3, 5e3, 7e-3, 3e3},
                {"{system: mm-N-kg-s}", 2e-3, 5e3, 7e-3, 3},
                {"{system: mm-kN-kg-ms}", 2e-3, 5e6, 7, 3},
                {"{system: kg-mm-ms-kN}", 2e-3, 5e6, 7, 3},
                {"{system: m-kg-s}", 2, 5, 7, 3},
                {"{system: in-lbf-lb-s, angle: deg}", 2 * 0.0254, 5 * 4.4482216152605 / 0.0254,
                 7 * 4.4482216152605 * 0.0254, 3 * 0.45359237}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char model[800];
        snprintf(model, sizeof model,
                 "dimension: 2\nunits: %s\nbodies: [{name: a, mass: 3, inertia: 1, position: [2, 0]}]\n"
                 "forces:\n  - {name: s, type: spring-damper, between: [ground: [0, 9], a], stiffness: 5}\n"
                 "  - {name: t, type: torque, on: a, value: 7}\n",
                 rows[i].units);
        hol_spec *spec = hol_spec_read_text(ctx, "m", model, strlen(model), NULL, 0);
        if (!spec) fail_msg("%s: %s", rows[i].units, hol_context_error(ctx));
        near(rows[i].units, spec->body[0]->position[0], rows[i].x, 1e-15 * rows[i].x);
        near(rows[i].units, spec->body[0]->value[0].num, rows[i].mass, 1e-15 * rows[i].mass);
        near(rows[i].units, spec->element[0]->value[0].num, rows[i].stiffness, 1e-15 * rows[i].stiffness);
        near(rows[i].units, hol_expr_value(spec->element[1]->value[0].fn[0]), rows[i].torque,
             1e-15 * rows[i].torque);
        hol_spec_destroy(spec);
    }
}

// A table with units, by `units:` or by its numbers, in an expression and as a curve.
static void tables_have_units(void **state)
{
    (void)state;
    const struct {
        const char *table;
        double x, y; // of the second point
        bool si;
    } rows[] = {{"x: [0, 90], y: [0, 5], units: {x: deg, y: N mm}", HOL_PI / 2, 5e-3, true},
                {"x: [0 deg, 90 deg], y: [0, 5 N mm]", HOL_PI / 2, 5e-3, true},
                {"x: [0, 90], y: [0, 5]", 90, 5, false}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char model[400];
        const double *x, *y;
        snprintf(model, sizeof model, "dimension: 2\n" BODY "splines: [{name: s, %s}]\n", rows[i].table);
        hol_spec *spec = hol_spec_read_text(ctx, "m", model, strlen(model), NULL, 0);
        if (!spec) fail_msg("%s: %s", rows[i].table, hol_context_error(ctx));
        const hol_table *t = &spec->known.spline[0].table;
        assert_int_equal(hol_spline_nodes(t->spline, &x, &y), 2);
        near("x", x[1], rows[i].x, 1e-15 * rows[i].x);
        near("y", y[1], rows[i].y, 1e-15 * rows[i].y);
        assert_true(t->si[0] == rows[i].si && t->si[1] == rows[i].si);
        hol_spec_destroy(spec);
    }
}

// Overrides, settings and parameters take units; parameters keep their dimension.
static void units_stand_everywhere(void **state)
{
    (void)state;
    static const char model[] = "dimension: 2\nparameters: {L: 500 mm, m: 2 kg, w: 90 deg/s, J: m*L^2/12}\n"
                                "bodies: [{name: a, mass: m, inertia: J, position: [L/2, 2*L], omega: w}]\n"
                                "simulate: {end: 2 min, output: 100 ms, max_step: 0.01 s}\n";
    const char *set[] = {"parameters.L=1 ft", "bodies.a.mass=4 lb", "simulate.end=0.5 h"};
    hol_model_data *m = compile(model, NULL, 0);
    hol_settings s;
    assert_int_equal(hol_settings_read(m, &s), HOL_OK);
    near("end", s.end, 120, 0);
    near("output", s.output, 0.1, 0);
    near("y", m->q0[1], 1, 0);
    near("omega", m->v0[2], HOL_PI / 2, 1e-15);
    hol_model_free(m);
    m = compile(model, set, HOL_COUNT(set));
    assert_int_equal(hol_settings_read(m, &s), HOL_OK);
    near("end", s.end, 1800, 0);
    near("y", m->q0[1], 0.6096, 1e-16);
    hol_model_free(m);
    hol_context_clear(ctx);
    const char *wrong[] = {"bodies.a.mass=L"};
    hol_spec *spec = hol_spec_read_text(ctx, "m", model, strlen(model), wrong, 1);
    assert_null(spec);
    expect_message("length where mass is wanted");
}

// A driven distance that reaches 0 before the end is refused with its time, one that does so later is not.
static void driven_distances_stay_positive(void **state)
{
    (void)state;
    static const char model[] = "dimension: 2\nbodies: [{name: a, mass: 2, inertia: 1, position: [1, 0]}]\n"
                                "drivers: [{name: d, type: distance, between: [ground, a], value: 1 m - 2 "
                                "m/s*time}]\nsimulate: {end: 1}\n";
    const char *shorter[] = {"simulate.end=0.4"};
    hol_context_clear(ctx);
    assert_null(hol_model_parse(ctx, "m", model, strlen(model), NULL, 0));
    expect_message("m:3:11: error: drivers.d.value: the distance is ");
    expect_message("at time 0.5 s, it must be positive from 0 to the end");
    hol_model *m = hol_model_parse(ctx, "m", model, strlen(model), shorter, 1);
    assert_non_null(m);
    hol_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_of_the_table_is_read_or_refused),
        cmocka_unit_test(every_factor_is_that_of_the_definition),
        cmocka_unit_test(units_agree_with_each_other),
        cmocka_unit_test(products_of_units_are_read),
        cmocka_unit_test(wrong_units_are_refused),
        cmocka_unit_test(a_frequency_is_no_angle),
        cmocka_unit_test(names_have_dimensions),
        cmocka_unit_test(contact_and_waves_have_dimensions),
        cmocka_unit_test(every_option_has_its_unit),
        cmocka_unit_test(plain_numbers_follow_the_units_of_the_file),
        cmocka_unit_test(doubtful_units_are_told),
        cmocka_unit_test(systems_set_all_units),
        cmocka_unit_test(tables_have_units),
        cmocka_unit_test(units_stand_everywhere),
        cmocka_unit_test(driven_distances_stay_positive),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
