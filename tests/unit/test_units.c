// Units: every text of tests/reference/units.tsv, every factor against its definition, what is refused, and units of
// the file.
#include "analysis/settings.h"
#include "harness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const hol_units si = {1, 1, 1, 1, 1, 0};

// Reads one text as an option of this unit; HOL_OK or a status with its message in ctx.
static hol_status read_as(const char *text, const char *unit, const hol_units *units, double *out)
{
    hol_arena *arena = hol_arena_create(ctx);
    hol_node node = {.kind = HOL_NODE_SCALAR, .at = {.file = "units", .line = 1, .col = 1}};
    const hol_systems systems = {.n = 1,
                                 .system = {{.units = *units, .si = memcmp(units, &si, sizeof si) == 0}}};
    hol_reader r = {.ctx = ctx, .arena = arena, .draft = arena, .dimension = 3, .systems = &systems};
    assert_non_null(arena);
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
                {"3 m^3 m^-1", "m^2", 3},
                {"9.81e3 N/mm^2.2", "N/m^2.2", 9810 * 3981071.7055349725}, // 1000^2.2 = 10^6.6
                {"5 N/m^(11/5)", "N/m^2.2", 5},
                {"5 N/m^(7/3)", "N/m^2.33333333333333", 5},
                {"8 m^0.01 m^0.99", "m", 8}};
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
                {"5 mm^1.234", "m", "a decimal of two digits"},
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

// ---- units of the file -----------------------------------------------------------------------------------------

static void plain_numbers_follow_the_units_of_the_file(void **state)
{
    (void)state;
    static const hol_units mm = {1e-3, 1, 1, 1, 1, 0}, mm_t = {1e-3, 1e3, 1, 1, 1, 0},
                           mm_kN_ms = {1e-3, 1, 1e-3, HOL_PI / 180, 1e3, 0},
                           in_lbf = {0.0254, 0.45359237, 1, 1, 4.4482216152605, 0};
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
        snprintf(model, sizeof model,
                 "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1}]\nsplines: [{name: s, %s}]\n",
                 rows[i].table);
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
    expect_message("m:3:11: error: drivers.d: the distance is ");
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
        cmocka_unit_test(plain_numbers_follow_the_units_of_the_file),
        cmocka_unit_test(systems_set_all_units),
        cmocka_unit_test(tables_have_units),
        cmocka_unit_test(units_stand_everywhere),
        cmocka_unit_test(driven_distances_stay_positive),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
