// The polynomial through numbers at the last points: its integral over the last step, by closed form.
#include "harness.h"
#include "integrator/history.h"

static double power(double t, int degree) { return degree ? t * power(t, degree - 1) : 1; }

// What steps of one size, and of any other, leave of t^degree.
static void powers_are_integrated(void **state)
{
    (void)state;
    const double t[] = {0, 0.1, 0.25, 0.3, 0.7, 0.75, 1.2, 1.25, 2};
    for (int degree = 0; degree < HOL_DIFFERENCES_MOST; degree++) {
        hol_differences d = {0};
        hol_differences_push(&d, t[0], power(t[0], degree));
        for (int k = 1; k < HOL_COUNT(t); k++) {
            hol_differences_push(&d, t[k], power(t[k], degree));
            if (k < degree) continue;
            const double exact = (power(t[k], degree + 1) - power(t[k - 1], degree + 1)) / (degree + 1);
            near("integral", hol_differences_integral(&d, degree), exact, 1e-13 * power(2, degree));
        }
    }
}

// Of degree 1 it is the trapezoid, also where there are more points, and where there are no more.
static void fewer_points_are_a_trapezoid(void **state)
{
    (void)state;
    hol_differences d = {0};
    const double t[] = {1, 1.5, 1.75, 3}, x[] = {4, -2, 7, 5};
    hol_differences_push(&d, t[0], x[0]);
    for (int k = 1; k < 4; k++) {
        hol_differences_push(&d, t[k], x[k]);
        const double area = 0.5 * (t[k] - t[k - 1]) * (x[k] + x[k - 1]);
        near("integral", hol_differences_integral(&d, 1), area, 1e-14);
        if (k == 1) near("integral", hol_differences_integral(&d, 5), area, 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(powers_are_integrated),
                                       cmocka_unit_test(fewer_points_are_a_trapezoid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
