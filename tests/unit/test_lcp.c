// Linear complementarity: random problems, of rank less than n and with a part that is not symmetric, with and without a solution.
#include "harness.h"
#include "linalg/lcp.h"

#include <math.h>

enum { MOST = 8 };

// H = A A^T + S, A (n x r), S skew in the rows and columns of one half, as exchanged unknowns make it.
static void make(hol_random *dice, int n, int r, double *H)
{
    double A[MOST * MOST];
    for (int i = 0; i < n * r; i++) A[i] = random_in(dice, -1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < r; k++) sum += A[i * r + k] * A[j * r + k];
            H[i * n + j] = sum;
        }
    for (int i = 0; i < n / 2; i++)
        for (int j = n / 2; j < n; j++) {
            const double skew = random_in(dice, -1, 1);
            H[i * n + j] += skew;
            H[j * n + i] -= skew;
        }
}

static void check(int k, int n, const double *H, const double *q)
{
    double z[MOST], room[HOL_LCP_ROOM(MOST)];
    int basis[MOST];
    if (!hol_lcp_solve(n, H, q, z, room, basis)) fail_msg("case %d: nothing found", k);
    for (int i = 0; i < n; i++) {
        double w = q[i];
        for (int j = 0; j < n; j++) w += H[i * n + j] * z[j];
        if (!(z[i] >= 0 && w >= -1e-9 && fabs(w * z[i]) <= 1e-9)) fail_msg("case %d: z %g, w %g", k, z[i], w);
    }
}

static void solutions_are_complementary(void **state)
{
    hol_random dice = {7};
    (void)state;
    for (int k = 0; k < 4000; k++) {
        const int n = 1 + k % MOST, r = 1 + k / MOST % n;
        double H[MOST * MOST], q[MOST], z[MOST];
        make(&dice, n, r, H);
        // a solution is there: q = w - H z with z w = 0
        for (int i = 0; i < n; i++) z[i] = fmax(random_in(&dice, -1, 1), 0);
        for (int i = 0; i < n; i++) {
            q[i] = z[i] > 0 ? 0 : fmax(random_in(&dice, -1, 1), 0);
            for (int j = 0; j < n; j++) q[i] -= H[i * n + j] * z[j];
        }
        check(k, n, H, q);
    }
}

// Whole numbers, of which many rows limit an unknown together: the first one of these each time comes round to the same basis again.
static void rows_that_limit_together_end(void **state)
{
    static const double H[] = {2,  2,  0,  -3, -2, 3,  -3, //
                               2,  2,  0,  -1, -1, 3,  -3, //
                               0,  0,  1,  2,  -1, 0,  1,  //
                               -1, -3, 0,  3,  0,  -1, 2,  //
                               0,  -1, -1, 0,  2,  -2, 1,  //
                               1,  1,  2,  -1, -2, 3,  -2, //
                               -1, -1, -1, 2,  1,  -2, 2},
                        q[] = {-2, -3, 0, 4, 0, -1, 2};
    (void)state;
    check(0, HOL_COUNT(q), H, q);
}

static void what_has_no_solution_is_said(void **state)
{
    const double H[] = {1, 0, 0, 0}, q[] = {-1, -1};
    double z[2], room[HOL_LCP_ROOM(2)];
    int basis[2];
    (void)state;
    assert_false(hol_lcp_solve(2, H, q, z, room, basis));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solutions_are_complementary),
                                       cmocka_unit_test(rows_that_limit_together_end),
                                       cmocka_unit_test(what_has_no_solution_is_said)};
    return cmocka_run_group_tests(tests, start, stop);
}
