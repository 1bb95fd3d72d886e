// Laws of Adams in motion, against closed forms: splines of two variables, implicit differential equations, starts of joints.
#include "import_text.h"

#include <math.h>

static const char text[] =
    "ADAMS/View model name: laws\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=MILLISECOND\n"
    "ACCGRAV/JGRAV=0\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=2, CM=2, IP=1000,1000,1000\nMARKER/2, "
    "PART=2\n"
    "JOINT/1, CYLINDRICAL, I=2, J=1, ICTRAN=30,-0.02, ICROT=10D,0.0015\n"
    "DIFF/1, IMPLICIT, FUNCTION=DIF1(1)+DIF1(1)**3+DIF(1)/1000+(DIF(1)/1000)**3, IC=0.5\n"
    "SPLINE/1, X=0,1,2,3,4, Y=0,0,1,2,3,4, Y=2,10,12,14,16,18, Y=4,0,3,6,9,12\n"
    "VARIABLE/1, FUNCTION=AKISPL(1+TIME/1000,TIME/500,1)\nVARIABLE/2, FUNCTION=CUBSPL(1+TIME/1000,9,1,1)\n"
    "VARIABLE/3, FUNCTION=AKISPL(1+TIME/1000,3,1)\n"
    "VARIABLE/4, FUNCTION=SWEEP(TIME/1000, 3, 1, 1.7, 5, 0.4+5, 0.2)\nVARIABLE/5, "
    "FUNCTION=SWEEP(3+TIME/1000,3,1,1.7,5,5.4,0.2)\n"
    "VARIABLE/6, FUNCTION=SWEEP(6+TIME/1000,3,1,1.7,5,5.4,0.2)\nVARIABLE/7, "
    "FUNCTION=SWEEP(TIME/1000,3,0,1.7,5,5.4,1)\nEND\n";

static void laws_are_those_of_the_closed_form(void **state)
{
    (void)state;
    char *model = import_text("l.adm", text, strlen(text), (hol_import_options){0});
    if (!model) fail_msg("%s", hol_context_error(ctx));
    motion m = move(model,
                    (const char *[]){"simulate.end=0.5", "simulate.tolerance=1e-8",
                                     "simulate.signals=[diff1,variable1,variable2,variable3,variable4,"
                                     "variable5,variable6,variable7,joint1.angle,joint1.stroke]"},
                    3);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    near("x' = -x/1000 per ms", value_of(&m, "diff1"), 0.5 * exp(-0.5), 1e-8);
    // x = 1.5, between z = 0 and 2 at 1: (1.5 + 13)/2; the slope of the last curve; between 2 and 4: (13 + 4.5)/2
    near("spline", value_of(&m, "variable1"), 7.25, 1e-12);
    near("slope beyond the curves", value_of(&m, "variable2"), 3, 1e-12);
    near("between the last curves", value_of(&m, "variable3"), 8.75, 1e-12);
    // frequencies of 1.7 up to x = 1, 5.4 from 5 on, between them their mean over the way; the phase is what they add up to
    near("before the sweep", value_of(&m, "variable4"), 3 * sin(2 * HOL_PI * 1.7 * 0.5), 1e-9);
    near("in it, at 3.5", value_of(&m, "variable5"),
         3 * sin(2 * HOL_PI * (1.7 + 2.5 * (1.7 + (5.4 - 1.7) * 2.5 / 8))), 1e-9);
    near("behind it, at 6.5", value_of(&m, "variable6"),
         3 * sin(2 * HOL_PI * (1.7 + 4 * (1.7 + 5.4) / 2 + 1.5 * 5.4)), 1e-9);
    near("half awake", value_of(&m, "variable7"), 1.5 * sin(2 * HOL_PI * 0.5 * (1.7 + 3.7 * 0.5 / 10)), 1e-9);
    near("angle", value_of(&m, "joint1.angle"), acos(-1) / 18 + 1.5 * 0.5, 1e-9);
    near("stroke", value_of(&m, "joint1.stroke"), 0.03 - 0.02 * 0.5, 1e-9);
    close_motion(&m);
    free(model);
}

// A point at (1, 3t, 0) seen from a frame that turns by 2 rad/s: v - w x r = (6t, 1, 0).
static void sizes_of_velocities_are_those_seen_from_a_frame(void **state)
{
    (void)state;
    static const char seen[] =
        "t\nUNITS/LENGTH=METER, FORCE=NEWTON, MASS=KILOGRAM, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
        "PART/2, MASS=1, CM=20, IP=1,1,1, QG=1,0,0, VY=3, VX=0, VZ=0\nMARKER/20, PART=2\nPART/3, MASS=1, "
        "CM=30, "
        "IP=1,1,1\nMARKER/30, PART=3\nJOINT/1, REVOLUTE, I=30, J=1\nMOTION/1, JOINT=1, ROTATION, "
        "FUNCTION=2*TIME\nVARIABLE/1, FUNCTION=VM(20,1,30)\nVARIABLE/2, FUNCTION=VM(20,0,0)\nVARIABLE/3, "
        "FUNCTION=VR(20,1,30)\nEND\n";
    char *model = import_text("s.adm", seen, strlen(seen), (hol_import_options){0});
    if (!model) fail_msg("%s", hol_context_error(ctx));
    motion m = move(model,
                    (const char *[]){"simulate.end=0.5", "simulate.tolerance=1e-8",
                                     "simulate.signals=[variable1,variable2,variable3]"},
                    3);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    near("from the frame", value_of(&m, "variable1"), sqrt(10), 1e-9);
    near("from ground", value_of(&m, "variable2"), 3, 1e-9);
    near("radially", value_of(&m, "variable3"), 4.5 / sqrt(3.25), 1e-9);
    close_motion(&m);
    free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws_are_those_of_the_closed_form),
                                       cmocka_unit_test(sizes_of_velocities_are_those_seen_from_a_frame)};
    return cmocka_run_group_tests(tests, start, stop);
}
