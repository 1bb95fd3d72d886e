// Units of tables beside the model: what gives a column its unit is understood in splines, motions and results alike, or refused.
#include "harness.h"

#include "expr/cells.h"
#include "holonom_compare.h"
#include "holonom_draft.h"
#include "holonom_analyses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TABLE "/tmp/test_table_units.csv"
#define OTHER "/tmp/test_table_units_2.csv"

// A head, and what is wrong with it; NULL: it gives the second column a unit a thousand times that of SI.
typedef struct {
    const char *head, *words;
} head;

static const char behind[] = "%s0,%s\n1,%s\n3,%s\n";

static void write_table(const char *first, const char *value)
{
    char text[400];
    snprintf(text, sizeof text, behind, first, value, value, value);
    write_file(TABLE, text);
}

// ---- splines --------------------------------------------------------------------------------------------------

// One kilonewton pushes 2 kg for a second: F/m t^2/2 = 250 m; one newton 0.25 m.
static double pushed(const char *more)
{
    char text[500];
    snprintf(text, sizeof text,
             "dimension: 2\ngravity: [0, 0]\nsplines: [{name: s, file: " TABLE
             "%s}]\nbodies: [{name: b, mass: 2, inertia: 1}]\n"
             "forces: [{name: f, type: force, on: b, value: [\"spline(time, s)\", 0]}]\n"
             "simulate: {end: 1, step: 1, method: rk}\n",
             more);
    motion a = move(text, NULL, 0);
    const double x = value_of(&a, "b.x");
    close_motion(&a);
    return x;
}

static void refused(const char *more, const char *words)
{
    char text[500];
    snprintf(text, sizeof text,
             "dimension: 2\ngravity: [0, 0]\nsplines: [{name: s, file: " TABLE
             "%s}]\nbodies: [{name: b, mass: 2, inertia: 1}]\n",
             more);
    assert_null(hol_model_parse(ctx, "m", text, strlen(text), NULL, 0));
    expect_message(words);
}

static void splines_take_units_of_their_file(void **state)
{
    static const head heads[] = {
        {"# units: s,kN\n", NULL},
        {"#units:s,kN\n", NULL},
        {"# Units = s; kN\n", NULL},
        {"#  unit: s , kN\n", NULL},
        {"% UNITS: [s], [kN]\n", NULL},
        {"# units s,kN\n", NULL},
        {"# s,kN\n", NULL},
        {"s,kN\n", NULL},
        {"time,F\ns,kN\n", NULL},
        {"t,F\n\"s\",\"kN\"\n", NULL},
        {"t,F [kN]\n(s),(kN)\n", NULL},
        {"# units: s,kN\n# units in SI: s,N\n# factors from SI: 1,0.001\nt,F\n", NULL}, // of results
        {"# units: s\n", "gives 1 units, and there are 2 columns"},
        {"# units: s,kN,m\n", "gives 3 units, and there are 2 columns"},
        {"# units: s,kN\n# units: s,kN\n", "line 2 of \"" TABLE "\" gives units a second time"},
        {"# units: s,kN\nt,F\ns,kN\n", "line 3 of \"" TABLE "\" gives units a second time"},
        {"# units: s,foo\n", "\"foo\" of column 2 is none"},
        {"time,F\ns,foo\n", "line 2 of \"" TABLE "\" gives units, and \"foo\" of column 2 is none"},
        {"# units: as measured\n", "\"as\" of column 1 is none"},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(heads); i++) {
        write_table(heads[i].head, "1");
        print_message("%s", heads[i].head);
        if (heads[i].words)
            refused("", heads[i].words);
        else
            near("x", pushed(""), 250, 1e-9);
    }
    // these are names: a t above the first column is no tonne, and a y is no unit
    write_table("t,s\n", "1");
    near("names", pushed(""), 0.25, 1e-12);
    write_table("# holonom: a table of t, y\ns,y\n", "1");
    near("names", pushed(""), 0.25, 1e-12);
    write_table("", "1");
    near("no head", pushed(""), 0.25, 1e-12);
}

// What is said of a head of a table, and of its second column: names with units in them are told, and letters that may be either.
static char told[2000];
static void hear(void *data, hol_severity severity, const char *message)
{
    (void)data, (void)severity;
    const size_t n = strlen(told);
    snprintf(told + n, sizeof told - n, "%s\n", message);
}

static void heads_with_units_are_told(void **state)
{
    static const head heads[] = {
        {"t(ms),F\n", "column 1 of \"" TABLE
                      "\" is headed \"t(ms)\", and its plain numbers are in SI units: if they are in ms"},
        {"t [ms],F [kN]\n", "headed \"t [ms]\" and \"F [kN]\""},
        {"t(ms),F(kN)\n", "if they are in ms and kN, write units: {x: ms, y: kN}"},
        {"time/s,force/kN\n", "if they are in kN"},
        {"time_s,f_kN\n", "if they are in kN"},
        {"t/ms,F\n", "if they are in ms"},
        {"time;Force in kN\n", "if they are in kN"},
        {"time,F {kN}\n", "if they are in kN"},
        {"time,kN\n", "if they are in kN"},
        {"time,k/(N/mm)\n", "if they are in N/mm"},
        {"time,mass/g\n", "if they are in g"},
        {"s,h\n", "line 1 of \"" TABLE "\", \"s,h\", is taken for the units of the columns"},
        {"s;t\n", "\"s;t\", is taken for the units"},
        {"h,l\n", "\"h,l\", is taken for the units"},
        {"time/s,force/N\n", NULL}, // they are in SI
        {"time,F(t)\n", NULL},      // arguments and indices
        {"time,F_t\n", NULL},
        {"time,F_in\n", NULL},
        {"time,F_min\n", NULL},
        {"time,y/h\n", NULL},
        {"time,max. force\n", NULL},
        {"s,kN\n", NULL}, // no names
        {"# units: s,h\n", NULL},
        {"time,y\ns,h\n", NULL},
        {"s,m\n", NULL}, // no other numbers than without
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(heads); i++) {
        const char *text = "dimension: 2\ngravity: [0, 0]\nsplines: [{name: s, file: " TABLE
                           "}]\nbodies: [{name: b, mass: 2, inertia: 1}]\n";
        write_table(heads[i].head, "1");
        *told = 0;
        hol_context_set_log(ctx, hear, NULL);
        hol_model *m = hol_model_parse(ctx, "m", text, strlen(text), NULL, 0);
        hol_context_set_log(ctx, NULL, NULL);
        assert_non_null(m);
        hol_model_destroy(m);
        if (heads[i].words ? !strstr(told, heads[i].words) : *told)
            fail_msg("%ssaid is \"%s\", wanted \"%s\"", heads[i].head, told,
                     heads[i].words ? heads[i].words : "");
    }
}

static void the_model_says_no_other(void **state)
{
    (void)state;
    write_table("# units: s,kN\n", "1");
    near("x of the model", pushed(", units: {x: s}"), 250, 1e-9);
    near("the same", pushed(", units: {x: s, y: kN}"), 250, 1e-9);
    refused(", units: {y: N}", "gives this column the unit kN, \"units:\" another one");
    write_file(TABLE, "0,1\n1,1\n# units: s,kN\n3,1\n");
    refused("", "line 3 of \"" TABLE "\" gives units behind numbers");
    // columns of a wide table, separated by blanks
    write_file(TABLE, "# units: s mm kN\n0 7 1\n1 7 1\n3 7 1\n");
    near("blanks", pushed(", columns: [1, 3]"), 250, 1e-9);
}

// ---- motions --------------------------------------------------------------------------------------------------

// An arm that a table of degrees turns by 20 deg a second, or why it is refused.
static void turn(const char *table, const char *words, const char *more)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "dimension: 2\nbodies: [{name: a, mass: 2, inertia: 0.1, position: [0.5, 0], markers: {p: [-0.5, "
        "0]}}]\njoints: [{name: j, type: revolute, between: [ground, a.p]}]\nsimulate: {end: 2}\n%s",
        more);
    hol_draft *draft = hol_draft_parse(ctx, "arm", text, strlen(text));
    assert_non_null(draft);
    write_file(TABLE, table);
    const hol_status st = hol_draft_add_motion(draft, TABLE);
    print_message("%s", table);
    if (words) {
        assert_int_equal(st, HOL_ERR_USAGE);
        expect_message(words);
    } else {
        assert_int_equal(st, HOL_OK);
        hol_model *m = hol_draft_compile(draft);
        if (!m) fail_msg("%s", hol_context_error(ctx));
        hol_simulation *sim = hol_inverse_create(ctx, m, NULL);
        assert_non_null(sim);
        assert_int_equal(hol_simulation_advance(sim, 1.7), HOL_OK);
        near("angle", signal_value(sim, "a.theta"), 1.7 * 20 * HOL_PI / 180, 1e-13);
        hol_simulation_destroy(sim);
        hol_model_destroy(m);
    }
    hol_draft_destroy(draft);
}

#define NUMBERS "0,0\n0.5,10\n1,20\n1.5,30\n2,40\n"

static void motions_take_units_of_their_file(void **state)
{
    static const head heads[] = {
        {"# units: s,deg\nt,j.angle\n" NUMBERS, NULL},
        {"#units:s,deg\nt,j.angle\n" NUMBERS, NULL},
        {"# Units: s, deg\nt,j.angle\n" NUMBERS, NULL},
        {"#  unit: s;deg\nt,j.angle\n" NUMBERS, NULL},
        {"t,j.angle\ns,deg\n" NUMBERS, NULL},
        {"t,j.angle\n# units: s,deg\n" NUMBERS, NULL},
        {"# units: ms,deg\nt,j.angle\n0,0\n500,10\n1000,20\n1500,30\n2000,40\n", NULL},
        {"# units: s\nt,j.angle\n" NUMBERS, ":1: 1 units are given, and there are 2 columns"},
        {"# units: s,deg,m\nt,j.angle\n" NUMBERS, ":1: 3 units are given, and there are 2 columns"},
        {"# units: s,deg\nt,j.angle\ns,deg\n" NUMBERS, ":3: units are given a second time"},
        {"# units: s,foo\nt,j.angle\n" NUMBERS, "\"foo\" of column 2 is none"},
        {"t,j.angle\ns,foo\n" NUMBERS, ":2: units are given, and \"foo\" of column 2 is none"},
        {"t,j.angle\n" NUMBERS "# units: s,deg\n", ":7: units are given behind numbers"},
        {"# units: deg,s\nt,j.angle\n" NUMBERS,
         "column 1, the time, has the unit deg: one such as s is wanted"},
        {"# units: s,mm\nt,j.angle\n" NUMBERS,
         "column 2, j.angle, has the unit mm: one such as deg is wanted"},
        {"t,j.angle\n", "has two rows of numbers at least, and here is none"},
        {"t,j.angle\n0,0\n", "has two rows of numbers at least, and here is one"},
        {"t,j.angle\n0,0\n1,1\n0.5,2\n", ":4: the times of a motion increase, and here 0.5 follows 1"},
        {"t,j.angle\n0,0\n1,nan\n2,2\n", ":3: column 2 of the motion has \"nan\""},
        {"t,j.angle\n0,0\n1,1 deg\n2,2\n", ":3: column 2 of the motion has \"1 deg\""},
        {"t,j.angle\n0,0\n1,1,3\n2,2\n", ":3: more numbers than the 2 columns"},
        {"t,j.angle\n0,0\n1\n2,2\n", ":3: 1 numbers, and the first line names 2 columns"},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(heads); i++) turn(heads[i].head, heads[i].words, "");
}

// Splines and drivers of a motion take names that are free.
static void names_of_the_model_stay(void **state)
{
    (void)state;
    turn("# units: s,deg\nt,j.angle\n" NUMBERS, NULL,
         "splines: [{name: motion_1, x: [0, 1], y: [0, 1]}, {name: motion_1_, x: [0, 1], y: [0, 1]}]\n"
         "variables: [{name: drive_1, value: 1}]\nparameters: {drive_1_: 3}\n");
}

// ---- results --------------------------------------------------------------------------------------------------

// The second column of a result, in SI; or what is wrong with its file.
static void read_result(const char *table, const char *unit, double value, const char *words)
{
    write_file(TABLE, table);
    print_message("%s", table);
    hol_result *r = hol_result_read(ctx, TABLE);
    if (words) {
        assert_null(r);
        expect_message(words);
        return;
    }
    if (!r) fail_msg("%s", hol_context_error(ctx));
    assert_string_equal(r->unit[1], unit);
    near("value", r->value[3], value, 1e-15 * fabs(value));
    hol_result_destroy(r);
}

static void results_come_in_SI(void **state)
{
    (void)state;
    read_result("# units: s,mm\nt,x\n0,0\n1,5\n", "m", 5e-3, NULL);
    read_result("#units:s,mm\nt,x\n0,0\n1,5\n", "m", 5e-3, NULL);
    read_result("t,x\n# Units: s;mm\n0,0\n1,5\n", "m", 5e-3, NULL);
    read_result("t,x\ns,mm\n0,0\n1,5\n", "m", 5e-3, NULL);
    read_result("# units: s,deg/s\nt,x\n0,0\n1,90\n", "rad/s", HOL_PI / 2, NULL);
    read_result("# units: s,kN mm\nt,x\n0,0\n1,5\n", "N m", 5, NULL);
    read_result("# units: s,J\nt,x\n0,0\n1,5\n", "J", 5, NULL);
    read_result("# units: s,-\nt,x\n0,0\n1,5\n", "", 5, NULL);
    read_result("# units: s,1\nt,x\n0,0\n1,5\n", "", 5, NULL);
    read_result("# units: s,g/ms^(1/2)\nt,x\n0,0\n1,5\n", "kg s^(-1/2)", 5e-3 / sqrt(1e-3), NULL);
    read_result("# units: s,mm^2/s\nt,x\n0,0\n1,5\n", "m^2 s^-1", 5e-6, NULL);
    read_result("# units: s,foo\nt,x\n0,0\n1,5\n", NULL, 0, ":1: error: \"foo\" of column 2 is no unit");
    read_result("# units: s\nt,x\n0,0\n1,5\n", NULL, 0, ":1: error: 1 units, and there are 2 columns");
    read_result("t,x\n# units: s,m,m\n0,0\n1,5\n", NULL, 0, ":2: error: 3 units, and there are 2 columns");
    read_result("# units: s,m\nt,x\ns,m\n0,0\n1,5\n", NULL, 0, ":3: error: units a second time");
    read_result("t,x\n0,0\n# units: s,m\n1,5\n", NULL, 0, ":3: error: units behind numbers");
}

// Half a metre, and the same in other units: no difference. What has another dimension has none.
static void differences_have_one_unit(void **state)
{
    static const struct {
        const char *table, *words;
    } others[] = {
        {"# units: s,mm\nt,x\n0,0\n1,500\n2,500\n", NULL},
        {"# units: ms,cm\nt,x\n0,0\n1000,50\n2000,50\n", NULL},
        {"t,x\n0,0\n1,0.5\n2,0.5\n", NULL}, // no units at all
        {"# units: s,kg\nt,x\n0,0\n1,0.5\n2,0.5\n", "\"x\" has the unit m in " TABLE ", but kg in " OTHER},
        {"# units: m,m\nt,x\n0,0\n1,0.5\n2,0.5\n", "\"t\" has the unit s in " TABLE ", but m in " OTHER}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(others); i++) {
        write_file(TABLE, "# units: s,m\nt,x\n0,0\n1,0.5\n2,0.5\n");
        write_file(OTHER, others[i].table);
        hol_result *a = hol_result_read(ctx, TABLE), *b = hol_result_read(ctx, OTHER);
        assert_true(a && b);
        hol_comparison *c = hol_comparison_create(ctx, a, b);
        if (others[i].words) {
            assert_null(c);
            expect_message(others[i].words);
        } else {
            if (!c) fail_msg("%s", hol_context_error(ctx));
            assert_int_equal(c->rows, 3);
            near("difference", c->item[0].error, 0, 1e-16);
        }
        hol_comparison_destroy(c);
        hol_result_destroy(a);
        hol_result_destroy(b);
    }
}

static int tidy(void **state)
{
    unlink(TABLE);
    unlink(OTHER);
    return stop(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(splines_take_units_of_their_file),
                                       cmocka_unit_test(heads_with_units_are_told),
                                       cmocka_unit_test(the_model_says_no_other),
                                       cmocka_unit_test(motions_take_units_of_their_file),
                                       cmocka_unit_test(names_of_the_model_stay),
                                       cmocka_unit_test(results_come_in_SI),
                                       cmocka_unit_test(differences_have_one_unit)};
    return cmocka_run_group_tests(tests, start, tidy);
}
