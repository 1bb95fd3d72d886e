// Units of all options: every row of every table has one that is read, keys that mean the same have the same.
#include "analysis/settings.h"
#include "element/element.h"
#include "harness.h"
#include "integrator/integrator.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                            o->kind == HOL_TUPLE || o->kind == HOL_MATRIX || o->kind == HOL_FUNCTION ||
                            o->kind == HOL_FUNCTIONS;
        if (!number && *o->unit && o->kind <= HOL_TUPLE)
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
                {"stiffness", "|N/m|N m/rad|N/m, N m/rad|any|"},
                {"damping", "|N s/m|N m s/rad|N s/m, N m s/rad|s|s/rad|s/m|any|"},
                {"radius", "|m|"},
                {"angle", "|rad||"},
                {"end", "|s|rad|"},
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
        "steepest|columns|fac|facmin|facmax|search|exponent|restitution|gear|static|engaged|weight|weights|"
        "poisson|rolling|shear_y|shear_z|";
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

#define TORQUE(value) "forces: [{name: f, type: torque, on: a, value: \"" value "\"}]\n"
#define SET(what) "events: [{name: e, at: [0.1], set: {" what "}}]\n"
#define TABLE(units) "splines: [{name: s, x: [0, 1, 2], y: [0, 1, 3], units: " units "}]\n"

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
        {"impact(DY(a), VY(a), 0 mm, 1e5 N/mm, 2.2, 1 N s/mm, 0.1 mm)", "as in N/m^2.2"},
        {"impact(DY(a), VY(a), 0 mm, 1e5 N/mm^2.2, 2.2, 1 N s/mm, 0.1 mm)", NULL},
        {"impact(DY(a), VY(a), 0 mm, 1e5 N/mm, 2.123, 1 N s/mm, 0.1 mm)",
         "no unit of k fits the exponent 2.123, exponents of units are fractions"},
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
    rows_seen = 0;
    check_table("simulate", hol_simulate_object.rows);
    for (const hol_object *const *o = hol_objects; *o; o++) {
        hol_type type;
        check_table((*o)->name, (*o)->rows);
        for (int i = 0; (*o)->type && (*o)->type(*o, i, 0, &type); i++) check_table(type.name, type.rows);
    }
    for (int i = 0; hol_methods[i]; i++)
        for (int k = 0; k < HOL_METHOD_TABLES; k++)
            check_table(hol_methods[i]->name, hol_method_table(hol_methods[i], k));
    assert_true(rows_seen > 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frequency_is_no_angle),
        cmocka_unit_test(names_have_dimensions),
        cmocka_unit_test(contact_and_waves_have_dimensions),
        cmocka_unit_test(every_option_has_its_unit),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
