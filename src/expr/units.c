// Units that may follow a value: 90 deg, 10 N/mm, 3000 rpm. To add one, add a row. expr/unit_text.c reads products of them.
#include "expr/units.h"
#include <string.h>

#define PI 3.14159265358979323846264338327950288L

// clang-format off
//    name      SI value               L   M   T  angle  quantity             meaning
#define UNITS(X)                                                                               \
    X("m",     1.0L,                   1,  0,  0,  0,  "length",            "metre") \
    X("dm",    1e-1L,                  1,  0,  0,  0,  "length",            "decimetre") \
    X("cm",    1e-2L,                  1,  0,  0,  0,  "length",            "centimetre") \
    X("mm",    1e-3L,                  1,  0,  0,  0,  "length",            "millimetre") \
    X("um",    1e-6L,                  1,  0,  0,  0,  "length",            "micrometre") \
    X("\u00b5m", 1e-6L,                  1,  0,  0,  0,  "length",            "micrometre") \
    X("\u03bcm", 1e-6L,                  1,  0,  0,  0,  "length",            "micrometre") \
    X("km",    1e3L,                   1,  0,  0,  0,  "length",            "kilometre") \
    X("in",    0.0254L,                1,  0,  0,  0,  "length",            "inch") \
    X("ft",    0.3048L,                1,  0,  0,  0,  "length",            "foot") \
    X("l",     1e-3L,                  3,  0,  0,  0,  "volume",            "litre") \
    X("kg",    1.0L,                   0,  1,  0,  0,  "mass",              "kilogram") \
    X("g",     1e-3L,                  0,  1,  0,  0,  "mass",              "gram") \
    X("mg",    1e-6L,                  0,  1,  0,  0,  "mass",              "milligram") \
    X("t",     1e3L,                   0,  1,  0,  0,  "mass",              "tonne") \
    X("tonne", 1e3L,                   0,  1,  0,  0,  "mass",              "tonne") \
    X("lb",    0.45359237L,            0,  1,  0,  0,  "mass",              "pound") \
    X("s",     1.0L,                   0,  0,  1,  0,  "time",              "second") \
    X("ms",    1e-3L,                  0,  0,  1,  0,  "time",              "millisecond") \
    X("us",    1e-6L,                  0,  0,  1,  0,  "time",              "microsecond") \
    X("\u00b5s", 1e-6L,                  0,  0,  1,  0,  "time",              "microsecond") \
    X("\u03bcs", 1e-6L,                  0,  0,  1,  0,  "time",              "microsecond") \
    X("min",   60.0L,                  0,  0,  1,  0,  "time",              "minute") \
    X("h",     3600.0L,                0,  0,  1,  0,  "time",              "hour") \
    X("rad",   1.0L,                   0,  0,  0,  1,  "angle",             "radian") \
    X("mrad",  1e-3L,                  0,  0,  0,  1,  "angle",             "milliradian") \
    X("deg",   PI / 180,               0,  0,  0,  1,  "angle",             "degree") \
    X("\u00b0", PI / 180,               0,  0,  0,  1,  "angle",             "degree") \
    X("rev",   2 * PI,                 0,  0,  0,  1,  "angle",             "full turn") \
    X("rpm",   2 * PI / 60,            0,  0, -1,  1,  "angular velocity",  "revolutions per minute") \
    X("kph",   1 / 3.6L,               1,  0, -1,  0,  "velocity",          "kilometres per hour") \
    X("mph",   0.44704L,               1,  0, -1,  0,  "velocity",          "miles per hour") \
    X("gn",    9.80665L,               1,  0, -2,  0,  "acceleration",      "standard acceleration of gravity") \
    X("Hz",    1.0L,                   0,  0, -1,  0,  "frequency",         "hertz") \
    X("kHz",   1e3L,                   0,  0, -1,  0,  "frequency",         "kilohertz") \
    X("mN",    1e-3L,                  1,  1, -2,  0,  "force",             "millinewton") \
    X("N",     1.0L,                   1,  1, -2,  0,  "force",             "newton") \
    X("daN",   10.0L,                  1,  1, -2,  0,  "force",             "decanewton") \
    X("kN",    1e3L,                   1,  1, -2,  0,  "force",             "kilonewton") \
    X("MN",    1e6L,                   1,  1, -2,  0,  "force",             "meganewton") \
    X("lbf",   4.4482216152605L,       1,  1, -2,  0,  "force",             "pound-force") \
    X("Nmm",   1e-3L,                  2,  1, -2,  0,  "torque",            "newton millimetre") \
    X("Nm",    1.0L,                   2,  1, -2,  0,  "torque",            "newton metre") \
    X("kNm",   1e3L,                   2,  1, -2,  0,  "torque",            "kilonewton metre") \
    X("J",     1.0L,                   2,  1, -2,  0,  "energy",            "joule") \
    X("kJ",    1e3L,                   2,  1, -2,  0,  "energy",            "kilojoule") \
    X("W",     1.0L,                   2,  1, -3,  0,  "power",             "watt") \
    X("kW",    1e3L,                   2,  1, -3,  0,  "power",             "kilowatt") \
    X("Pa",    1.0L,                  -1,  1, -2,  0,  "pressure",          "pascal") \
    X("kPa",   1e3L,                  -1,  1, -2,  0,  "pressure",          "kilopascal") \
    X("MPa",   1e6L,                  -1,  1, -2,  0,  "pressure",          "megapascal") \
    X("GPa",   1e9L,                  -1,  1, -2,  0,  "pressure",          "gigapascal") \
    X("bar",   1e5L,                  -1,  1, -2,  0,  "pressure",          "bar") \
    X("psi",   6894.757293168361L,    -1,  1, -2,  0,  "pressure",          "pounds-force per square inch")
// clang-format on

typedef struct unit {
    const char *name;
    long double si;
    int dimension[4]; // exponents of length, mass, time, angle
} unit;

#define ROW(name, si, l, m, t, a, quantity, meaning) {name, si, {l, m, t, a}},
#define DOC(name, si, l, m, t, a, quantity, meaning) {name, quantity, meaning},

static const unit units[] = {UNITS(ROW)};
static const hol_expr_doc docs[] = {UNITS(DOC)};

static const unit *find(const char *name, size_t length)
{
    for (int i = 0; i < HOL_COUNT(units); i++)
        if (strlen(units[i].name) == length && memcmp(units[i].name, name, length) == 0) return &units[i];
    return NULL;
}

double hol_unit_find(const char *name, size_t length, int dimension[4])
{
    const unit *u = find(name, length);
    memset(dimension, 0, 4 * sizeof(int));
    if (u) memcpy(dimension, u->dimension, sizeof u->dimension);
    return u ? (double)u->si : 0;
}

static bool is_one_of(const char *name, const char *const *list, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0) return true;
    return false;
}

bool hol_unit_named(const char *name, size_t length, hol_unit *out)
{
    static const char *const cycles[] = {"Hz", "kHz", "min", "h"};
    const unit *u = find(name, length);
    if (!u) return false;
    *out = (hol_unit){.si = u->si, .cycles = is_one_of(u->name, cycles, HOL_COUNT(cycles))};
    if (strcmp(u->name, "N") == 0) out->newtons = HOL_POWER_ONE;
    for (int i = 0; i < 4; i++) out->dimension.power[i] = HOL_POWER_ONE * u->dimension[i];
    return true;
}

const hol_expr_doc *hol_expr_unit_names(int *count)
{
    *count = HOL_COUNT(docs);
    return docs;
}
