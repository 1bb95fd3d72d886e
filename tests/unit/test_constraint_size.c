// Constraints by expressions of any size: in square millimetres a pendulum moves as in square metres, and as its rod does.
#include "import_text.h"

#include <math.h>
#include <stdio.h>

// From data sets of Adams, in units of a length of which so many make a metre.
static const char data_set[] =
    "ADAMS/View model name: pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=%s, TIME=SECOND\n"
    "ACCGRAV/JGRAV=%.17g\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/3, PART=1\n"
    "PART/2, MASS=2, CM=2, IP=%.17g,%.17g,%.17g, QG=%.17g,%.17g,0\nMARKER/2, PART=2\n"
    "JOINT/1, PLANAR, I=2, J=3\nGCON/1, I=2, J=1, FUNCTION=DX(2,1)**2+DY(2,1)**2-%.17g\nEND\n";

static void lengths_of_constraints_have_any_unit(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double many;
    } units[] = {{"METER", 1}, {"MILLIMETER", 1e3}, {"KILOMETER", 1e-3}};
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=hht", "simulate.method=bdf",
                                          "simulate.method=tangent"};
    // a rod of 0.5 m from (0.3, -0.4): phi'' = -g/l sin phi, by steps of Runge and Kutta
    enum { STEPS = 2000 };
    const double h = 0.4 / STEPS;
    double u[2] = {asin(0.6), 0};
    for (int i = 0; i < STEPS; i++) {
        double d[4][2], at[2];
        for (int s = 0; s < 4; s++) {
            for (int j = 0; j < 2; j++) at[j] = u[j] + (s ? (s == 3 ? h : h / 2) * d[s - 1][j] : 0);
            d[s][0] = at[1];
            d[s][1] = -9.81 / 0.5 * sin(at[0]);
        }
        for (int j = 0; j < 2; j++) u[j] += h / 6 * (d[0][j] + 2 * d[1][j] + 2 * d[2][j] + d[3][j]);
    }
    for (int k = 0; k < HOL_COUNT(units); k++) {
        char text[2000];
        const double m = units[k].many, inertia = m * m;
        snprintf(text, sizeof text, data_set, units[k].unit, -9.81 * m, inertia, inertia, inertia, 0.3 * m,
                 -0.4 * m, 0.25 * m * m);
        char *model = import_text("p.adm", text, strlen(text), (hol_import_options){0});
        if (!model) fail_msg("%s", hol_context_error(ctx));
        for (int i = 0; i < HOL_COUNT(methods); i++) {
            motion a =
                move(model, (const char *[]){methods[i], "simulate.end=0.4", "simulate.tolerance=1e-5"}, 3);
            if (a.end) fail_msg("%s, %s: %s", units[k].unit, methods[i], hol_context_error(ctx));
            near(methods[i], value_of(&a, "part2.x"), 0.5 * sin(u[0]), 1e-4);
            close_motion(&a);
        }
        free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lengths_of_constraints_have_any_unit)};
    return cmocka_run_group_tests(tests, start, stop);
}
