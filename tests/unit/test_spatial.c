// Operations on twists, wrenches and inertias (recursion/spatial.h): the plane is space with what leaves it left out, a carried
// inertia is X^T I X, and powers do not depend on the point that they are taken about.
#include "harness.h"
#include "recursion/spatial.h"

static hol_random dice = {7};

static void fill(int n, double *x)
{
    for (int i = 0; i < n; i++) x[i] = random_in(&dice, -1, 1);
}

// Numbers of a planar twist, wrench or arm at their places in space.
static const int place[3] = {0, 1, 5};

static void embed(const double *planar, double *space)
{
    for (int i = 0; i < 6; i++) space[i] = 0;
    for (int i = 0; i < 3; i++) space[place[i]] = planar[i];
}

static void agree(const char *what, const double *planar, const double *space)
{
    for (int i = 0; i < 3; i++) near(what, planar[i], space[place[i]], 1e-15);
}

static void the_plane_lies_in_space(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        double u[3], r[3] = {0}, u6[6], out[3], out6[6], a[3] = {0}, w6[3] = {0};
        fill(3, u), fill(2, r), fill(2, a);
        embed(u, u6);
        carry_twist(3, r, u, out), carry_twist(6, r, u6, out6);
        agree("twist", out, out6);
        carry_wrench(3, r, u, out), carry_wrench(6, r, u6, out6);
        agree("wrench", out, out6);
        near("dot", dot_product(3, u, u), dot_product(6, u6, u6), 1e-15);
        w6[2] = u[2];
        spin_of(3, u + 2, a, out), spin_of(6, w6, a, out6);
        for (int i = 0; i < 2; i++) near("w x s", out[i], out6[i], 1e-15);
        centripetal(3, u + 2, a, out), centripetal(6, w6, a, out6);
        for (int i = 0; i < 2; i++) near("w x (w x s)", out[i], out6[i], 1e-15);
        moment_of(3, a, u, out), moment_of(6, a, u6, out6);
        near("s x f", out[0], out6[2], 1e-15);
        const double R[2] = {cos(u[2]), sin(u[2])},
                     R6[9] = {cos(u[2]), -sin(u[2]), 0, sin(u[2]), cos(u[2]), 0, 0, 0, 1};
        rotate(3, R, a, out), rotate(6, R6, a, out6);
        for (int i = 0; i < 2; i++) near("R s", out[i], out6[i], 1e-15);
        rotate_back(3, R, out, out), rotate_back(6, R6, out6, out6);
        for (int i = 0; i < 2; i++)
            near("R^T R s", out[i], a[i], 1e-15), near("in space", out6[i], a[i], 1e-15);
    }
}

// I u of unit twists, column by column.
static void matrix(const int d, const hol_articulated *I, double *A)
{
    for (int k = 0; k < d; k++) {
        double e[6] = {0}, column[6];
        e[k] = 1;
        inertia_times(d, I, e, column);
        for (int i = 0; i < d; i++) A[i * d + k] = column[i];
    }
}

// X^T I X u = X^T (I (X u)), by products of vectors alone.
static void inertias_are_carried(void **state)
{
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        const int d = trial % 2 ? 6 : 3;
        hol_articulated I, C;
        double A[36], B[36], w[6], r[3], u[6], x[6], y[6], z[6];
        fill(6, I.A), fill(9, I.H), fill(6, I.C), fill(6, w), fill(3, r), fill(6, u);
        carry_twist(d, r, u, x), inertia_times(d, &I, x, y), carry_wrench(d, r, y, z);
        C = I;
        inertia_carry(d, &C, r), inertia_times(d, &C, u, y);
        for (int i = 0; i < d; i++) near("X^T I X", y[i], z[i], 1e-14);
        C = I;
        inertia_minus(d, &C, w, 0.7);
        matrix(d, &I, A), matrix(d, &C, B);
        for (int i = 0; i < d; i++)
            for (int k = 0; k < d; k++) {
                near("I - c w w^T", B[i * d + k], A[i * d + k] - 0.7 * w[i] * w[k], 1e-15);
                near("symmetric", B[i * d + k], B[k * d + i], 0);
            }
    }
}

// f.(X u) = (X^T f).u, and the rows of a point give its velocity u + w x r.
static void powers_agree(void **state)
{
    (void)state;
    for (int d = 3; d <= 6; d += 3) {
        const int n = hol_point_size(d);
        double u[6], f[6], r[3], x[6], y[6], D[18] = {0}, v[3];
        fill(6, u), fill(6, f), fill(3, r);
        carry_twist(d, r, u, x), carry_wrench(d, r, f, y);
        near("power", dot_product(d, f, x), dot_product(d, y, u), 1e-15);
        point_rows(d, -1, r, d, D);
        spin_of(d, u + n, r, v);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int c = 0; c < d; c++) sum += D[i * d + c] * u[c];
            near("point", sum, -u[i] - v[i], 1e-15);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_plane_lies_in_space),
                                       cmocka_unit_test(inertias_are_carried),
                                       cmocka_unit_test(powers_agree)};
    return cmocka_run_group_tests(tests, start, stop);
}
