// Units that may follow a value: 90 deg, 10 mm, 3000 rpm. To add one, add a row.
#include "expr/expr.h"
#include <string.h>

// clang-format off
//    name      SI value               L   M   T  angle  quantity             meaning
#define UNITS(X)                                                                               \
    X("m",      1.0,                   1,  0,  0,  0,   "length",            "metre")           \
    X("dm",     1e-1,                  1,  0,  0,  0,   "length",            "decimetre")       \
    X("cm",     1e-2,                  1,  0,  0,  0,   "length",            "centimetre")      \
    X("mm",     1e-3,                  1,  0,  0,  0,   "length",            "millimetre")      \
    X("um",     1e-6,                  1,  0,  0,  0,   "length",            "micrometre")      \
    X("\u00b5m", 1e-6,                 1,  0,  0,  0,   "length",            "micrometre")      \
    X("km",     1e3,                   1,  0,  0,  0,   "length",            "kilometre")       \
    X("in",     0.0254,                1,  0,  0,  0,   "length",            "inch")            \
    X("ft",     0.3048,                1,  0,  0,  0,   "length",            "foot")            \
    X("kg",     1.0,                   0,  1,  0,  0,   "mass",              "kilogram")        \
    X("g",      1e-3,                  0,  1,  0,  0,   "mass",              "gram")            \
    X("mg",     1e-6,                  0,  1,  0,  0,   "mass",              "milligram")       \
    X("tonne",  1e3,                   0,  1,  0,  0,   "mass",              "metric ton")      \
    X("lb",     0.45359237,            0,  1,  0,  0,   "mass",              "pound")           \
    X("s",      1.0,                   0,  0,  1,  0,   "time",              "second")          \
    X("ms",     1e-3,                  0,  0,  1,  0,   "time",              "millisecond")     \
    X("us",     1e-6,                  0,  0,  1,  0,   "time",              "microsecond")     \
    X("min",    60.0,                  0,  0,  1,  0,   "time",              "minute")          \
    X("h",      3600.0,                0,  0,  1,  0,   "time",              "hour")            \
    X("rad",    1.0,                   0,  0,  0,  1,   "angle",             "radian")          \
    X("mrad",   1e-3,                  0,  0,  0,  1,   "angle",             "milliradian")     \
    X("deg",    HOL_PI / 180,          0,  0,  0,  1,   "angle",             "degree")          \
    X("\u00b0", HOL_PI / 180,          0,  0,  0,  1,   "angle",             "degree")          \
    X("rev",    2 * HOL_PI,            0,  0,  0,  1,   "angle",             "full turn")       \
    X("rpm",    2 * HOL_PI / 60,       0,  0, -1,  1,   "angular velocity",  "revolutions per minute") \
    X("kph",    1 / 3.6,               1,  0, -1,  0,   "velocity",          "kilometres per hour") \
    X("Hz",     1.0,                   0,  0, -1,  0,   "frequency",         "hertz")           \
    X("kHz",    1e3,                   0,  0, -1,  0,   "frequency",         "kilohertz")       \
    X("mN",     1e-3,                  1,  1, -2,  0,   "force",             "millinewton")     \
    X("N",      1.0,                   1,  1, -2,  0,   "force",             "newton")          \
    X("kN",     1e3,                   1,  1, -2,  0,   "force",             "kilonewton")      \
    X("MN",     1e6,                   1,  1, -2,  0,   "force",             "meganewton")      \
    X("lbf",    4.4482216152605,       1,  1, -2,  0,   "force",             "pound-force")     \
    X("Nmm",    1e-3,                  2,  1, -2,  0,   "torque",            "newton millimetre") \
    X("Nm",     1.0,                   2,  1, -2,  0,   "torque",            "newton metre")    \
    X("kNm",    1e3,                   2,  1, -2,  0,   "torque",            "kilonewton metre") \
    X("J",      1.0,                   2,  1, -2,  0,   "energy",            "joule")           \
    X("kJ",     1e3,                   2,  1, -2,  0,   "energy",            "kilojoule")       \
    X("W",      1.0,                   2,  1, -3,  0,   "power",             "watt")            \
    X("kW",     1e3,                   2,  1, -3,  0,   "power",             "kilowatt")        \
    X("Pa",     1.0,                  -1,  1, -2,  0,   "pressure",          "pascal")          \
    X("kPa",    1e3,                  -1,  1, -2,  0,   "pressure",          "kilopascal")      \
    X("MPa",    1e6,                  -1,  1, -2,  0,   "pressure",          "megapascal")      \
    X("GPa",    1e9,                  -1,  1, -2,  0,   "pressure",          "gigapascal")      \
    X("bar",    1e5,                  -1,  1, -2,  0,   "pressure",          "bar")
// clang-format on

typedef struct unit {
    const char *name;
    double si;
    int dimension[4]; // exponents of length, mass, time, angle
} unit;

#define ROW(name, si, l, m, t, a, quantity, meaning) {name, si, {l, m, t, a}},
#define DOC(name, si, l, m, t, a, quantity, meaning) {name, quantity, meaning},

static const unit units[] = {UNITS(ROW)};
static const hol_expr_doc docs[] = {UNITS(DOC)};

double hol_unit_find(const char *name, size_t length, int dimension[4])
{
    memset(dimension, 0, 4 * sizeof(int));
    for (int i = 0; i < HOL_COUNT(units); i++) {
        if (strlen(units[i].name) != length || memcmp(units[i].name, name, length) != 0) continue;
        memcpy(dimension, units[i].dimension, sizeof units[i].dimension);
        return units[i].si;
    }
    return 0;
}

const hol_expr_doc *hol_expr_unit_names(int *count)
{
    *count = HOL_COUNT(docs);
    return docs;
}
