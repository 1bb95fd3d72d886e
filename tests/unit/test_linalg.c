// Linear algebra: sparse KKT solver and dense kernels.
#include "linalg/dense.h"
#include "linalg/dft.h"
#include "linalg/kkt.h"
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

// ---- test matrices -----------------------------------------------------------------------------------------

typedef struct matrix {
    hol_pattern pattern;
    int n_first;
    double *values; // (start[n])
    double *dense;  // column-major while being filled (n x n)
    char *present;  // (n x n)
} matrix;

static matrix matrix_begin(int n, int n_first)
{
    matrix m = {.pattern = {.n = n}, .n_first = n_first};
    m.dense = test_calloc((size_t)n * (size_t)n, sizeof(double));
    m.present = test_calloc((size_t)n * (size_t)n, 1);
    for (int i = 0; i < n; i++) m.present[i + i * n] = 1;
    return m;
}

static void put(matrix *m, int i, int j, double value)
{
    int n = m->pattern.n;
    m->dense[i + j * n] += value;
    m->present[i + j * n] = m->present[j + i * n] = 1;
}

static void matrix_compress(matrix *m)
{
    int n = m->pattern.n, count = 0;
    m->pattern.start = test_calloc((size_t)n + 1, sizeof(int));
    m->pattern.index = test_calloc((size_t)n * (size_t)n, sizeof(int));
    m->values = test_calloc((size_t)n * (size_t)n, sizeof(double));
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            if (m->present[i + j * n]) {
                m->pattern.index[count] = i;
                m->values[count++] = m->dense[i + j * n];
            }
        m->pattern.start[j + 1] = count;
    }
}

static void matrix_free(matrix *m)
{
    test_free(m->pattern.start);
    test_free(m->pattern.index);
    test_free(m->values);
    test_free(m->dense);
    test_free(m->present);
}

static void put_pair(matrix *m, int row, int column, double value)
{
    put(m, row, column, value);
    put(m, column, row, value);
}

// Planar ladder: rails of unit rods, a rung at every height, revolute joints: `cells` closed loops.
//   bodies 3k: left rail, 3k+1: right rail, 3k+2: rung above; 2 rows for each of the 4 joints of a cell
static matrix ladder(int cells, double mass, hol_random *random)
{
    int first = 9 * cells, n = first + 8 * cells;
    matrix m = matrix_begin(n, first);
    for (int b = 0; b < 3 * cells; b++) {
        double here = mass * (1.5 + hol_random_uniform(random));
        for (int k = 0; k < 3; k++) put(&m, 3 * b + k, 3 * b + k, k < 2 ? here : here / 12);
        put(&m, 3 * b, 3 * b + 2, 1e-3 * mass * hol_random_uniform(random)); // nonsymmetric
    }
    int row = first;
    for (int c = 0; c < cells; c++) {
        int rail[2] = {3 * c, 3 * c + 1}, rung = 3 * c + 2;
        for (int side = 0; side < 2; side++)
            for (int joint = 0; joint < 2; joint++) { // 0: foot of the rail, 1: its head to the rung
                int a = rail[side], b = joint ? rung : 3 * c - 3 + (c ? 2 : 0);
                double sa[2] = {0.1 * hol_random_uniform(random), joint ? 0.5 : -0.5};
                double sb[2] = {side ? 0.5 : -0.5, 0.1 * hol_random_uniform(random)};
                for (int k = 0; k < 2; k++, row++) {
                    put_pair(&m, row, 3 * a + k, 1);
                    put_pair(&m, row, 3 * a + 2, k ? sa[0] : -sa[1]);
                    if (c == 0 && joint == 0) continue; // on the ground
                    put_pair(&m, row, 3 * b + k, -1);
                    put_pair(&m, row, 3 * b + 2, k ? -sb[0] : sb[1]);
                }
            }
    }
    matrix_compress(&m);
    return m;
}

static void multiply(const matrix *m, const double *x, double *y) // y = S x
{
    memset(y, 0, (size_t)m->pattern.n * sizeof(double));
    for (int j = 0; j < m->pattern.n; j++)
        for (int k = m->pattern.start[j]; k < m->pattern.start[j + 1]; k++)
            y[m->pattern.index[k]] += m->values[k] * x[j];
}

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("got %.17g, want %.17g within %g", got, want, tolerance);
}

static int create(void **state) { return (*state = hol_context_create()) ? 0 : -1; }

static int destroy(void **state)
{
    hol_context_destroy(*state);
    return 0;
}

// ---- sparse ------------------------------------------------------------------------------------------------

static void fill(hol_kkt *s, const matrix *m)
{
    memcpy(hol_kkt_values(s), m->values, (size_t)m->pattern.start[m->pattern.n] * sizeof *m->values);
}

static hol_status factor(hol_kkt *s, const matrix *m, double delta)
{
    fill(s, m);
    return hol_kkt_factor(s, delta);
}

static void ladder_is_solved_whatever_the_mass(void **state)
{
    static const double mass[] = {1e-6, 1, 1e6};
    for (int t = 0; t < HOL_COUNT(mass); t++) {
        hol_random random = {7};
        matrix m = ladder(20, mass[t], &random);
        int n = m.pattern.n;
        double *want = test_calloc((size_t)n, sizeof(double)), *x = test_calloc((size_t)n, sizeof(double));
        for (int i = 0; i < n; i++) want[i] = hol_random_uniform(&random) * (i < m.n_first ? 1 : mass[t]);
        multiply(&m, want, x);
        hol_kkt *s = hol_kkt_create(*state, &m.pattern, m.n_first);
        assert_non_null(s);
        assert_int_equal(factor(s, &m, 0), HOL_OK);
        assert_int_equal(hol_kkt_solve(s, 1, x, 0), HOL_OK);
        for (int i = 0; i < n; i++) assert_near(x[i], want[i], 1e-9 * (i < m.n_first ? 1 : mass[t]));
        hol_kkt_stats stats;
        hol_kkt_get_stats(s, &stats);
        assert_true(stats.factor_nonzeros <
                    60 * 80); // 60 bodies; 3 orders of magnitude more without the own order
        hol_kkt_destroy(s);
        test_free(want), test_free(x);
        matrix_free(&m);
    }
}

// To the last bit what one after the other gives, so that results do not depend on how many are solved at once.
static void columns_are_solved_as_one_by_one(void **state)
{
    enum { COLUMNS = 9 };
    hol_random random = {7};
    hol_kkt_stats before, after;
    matrix m = ladder(5, 1, &random);
    const size_t n = (size_t)m.pattern.n;
    double *x = test_calloc(n * COLUMNS, sizeof(double)), *want = test_calloc(n * COLUMNS, sizeof(double));
    hol_kkt *s = hol_kkt_create(*state, &m.pattern, m.n_first);
    assert_non_null(s);
    assert_int_equal(factor(s, &m, 0), HOL_OK);
    for (int cols = 0; cols <= COLUMNS; cols++) {
        for (size_t i = 0; i < n * COLUMNS; i++) x[i] = want[i] = hol_random_uniform(&random);
        for (int c = 0; c < cols; c++) hol_kkt_solve(s, 1, want + (size_t)c * n, 0);
        hol_kkt_get_stats(s, &before);
        assert_int_equal(hol_kkt_solve(s, cols, x, 0), HOL_OK);
        hol_kkt_get_stats(s, &after);
        assert_memory_equal(x, want, n * COLUMNS * sizeof(double)); // those behind are left alone
        assert_int_equal(after.solves - before.solves, cols);
    }
    hol_kkt_destroy(s);
    test_free(want), test_free(x);
    matrix_free(&m);
}

static void pivots_are_kept_until_they_decay(void **state)
{
    // [a 1; 1 1] with a -> 0: the pivot a decays.
    matrix m = matrix_begin(2, 2);
    put(&m, 0, 0, 1), put_pair(&m, 0, 1, 0.5), put(&m, 1, 1, 1);
    matrix_compress(&m);
    hol_kkt *s = hol_kkt_create(*state, &m.pattern, 2);
    hol_kkt_stats stats;
    assert_int_equal(factor(s, &m, 0), HOL_OK);
    for (int k = 0; k < 5; k++) assert_int_equal(factor(s, &m, 0), HOL_OK);
    hol_kkt_get_stats(s, &stats);
    assert_int_equal(stats.pivotings, 1);
    assert_int_equal(stats.factorizations, 6);
    m.values[0] = m.values[3] = 1e-12;
    assert_int_equal(factor(s, &m, 0), HOL_OK);
    hol_kkt_get_stats(s, &stats);
    assert_int_equal(stats.pivotings, 2);
    double x[2] = {0.5, 1}; // S x = (0.5 x1, 0.5 x0) nearly
    assert_int_equal(hol_kkt_solve(s, 1, x, 0), HOL_OK);
    assert_near(x[0], 2, 1e-10), assert_near(x[1], 1, 1e-10);
    hol_kkt_destroy(s);
    matrix_free(&m);
}

static void singular_and_not_finite_are_recoverable(void **state)
{
    matrix m = matrix_begin(2, 1); // [1 0; 0 0]: a multiplier without effect
    put(&m, 0, 0, 1), put_pair(&m, 0, 1, 0);
    matrix_compress(&m);
    hol_kkt *s = hol_kkt_create(*state, &m.pattern, 1);
    assert_int_equal(factor(s, &m, 0), HOL_RECOVERABLE);
    assert_true(hol_kkt_rcond(s) == 0);
    m.values[1] = m.values[2] = 1;
    assert_int_equal(factor(s, &m, 0), HOL_OK);
    m.values[0] = (double)NAN;
    assert_int_equal(factor(s, &m, 0), HOL_RECOVERABLE);
    m.values[0] = 1;
    assert_int_equal(factor(s, &m, 0), HOL_OK);
    double x[2] = {(double)INFINITY, 0};
    assert_int_equal(hol_kkt_solve(s, 1, x, 0), HOL_RECOVERABLE);
    hol_kkt_destroy(s);
    matrix_free(&m);
}

// Rounding where a mass is 0 is no mass: the border holds that coordinate.
static void rounding_in_place_of_a_mass_does_not_make_it_singular(void **state)
{
    matrix m = matrix_begin(4, 2);
    put(&m, 0, 0, 1), put(&m, 1, 1, 1e-16);
    put_pair(&m, 2, 0, 1), put_pair(&m, 2, 1, 1), put_pair(&m, 3, 1, 1);
    matrix_compress(&m);
    hol_kkt *s = hol_kkt_create(*state, &m.pattern, 2);
    assert_int_equal(factor(s, &m, 0), HOL_RECOVERABLE);
    hol_kkt_try_even_scale(s);
    assert_int_equal(factor(s, &m, 0), HOL_OK);
    assert_true(hol_kkt_rcond(s) > 1e-3);
    double x[4] = {5, 2, 7, 3};
    assert_int_equal(hol_kkt_solve(s, 1, x, 0), HOL_OK);
    assert_near(x[0], 4, 1e-14), assert_near(x[1], 3, 1e-14);
    assert_near(x[2], 1, 1e-14), assert_near(x[3], 1, 1e-14);
    hol_kkt_destroy(s);
    matrix_free(&m);
}

// Unknowns that follow from each other, with numbers of all sizes on one side of the diagonal (the valve of models/hydraulic.yaml):
// x4 = 1e13 (x2 - x1), x5 = 1e12 (x3 - x2), x1 = a x0, x2 = b, x3 = c x0.
static void rows_and_columns_of_any_size(void **state)
{
    static const double a = 5.6e-4, c = 3.5e-4, first = 4.6e12, other = 3.8e12;
    matrix m = matrix_begin(6, 6);
    for (int i = 0; i < 6; i++) put(&m, i, i, 1);
    put(&m, 1, 0, -a), put(&m, 3, 0, -c);
    put(&m, 4, 1, -first), put(&m, 4, 2, first), put(&m, 5, 3, other), put(&m, 5, 2, -other / 2);
    matrix_compress(&m);
    hol_kkt *s = hol_kkt_create(*state, &m.pattern, 6);
    assert_int_equal(factor(s, &m, 0), HOL_RECOVERABLE);
    hol_kkt_try_even_scale(s);
    assert_int_equal(factor(s, &m, 0), HOL_OK);
    const double b = 2e-5,
                 want[] = {0.7, a * 0.7, b, c * 0.7, first * (a * 0.7 - b), other * (b / 2 - c * 0.7)};
    double x[6] = {0.7, 0, b, 0, 0, 0};
    assert_int_equal(hol_kkt_solve(s, 1, x, 0), HOL_OK);
    for (int i = 0; i < 6; i++) assert_near(x[i] / want[i], 1, 1e-13);
    hol_kkt_destroy(s);
    matrix_free(&m);
}

// A body held three times by the same row, with weights w: lam = w L / |w|^2 has the least norm.
static void redundant_rows_give_minimum_norm_multipliers(void **state)
{
    static const double weight[] = {1, 2, -0.5}, mass = 3, force = 5;
    matrix m = matrix_begin(5, 2);
    put(&m, 0, 0, mass), put(&m, 1, 1, mass);
    for (int r = 0; r < 3; r++) put_pair(&m, 2 + r, 0, weight[r]);
    matrix_compress(&m);
    hol_kkt *s = hol_kkt_create(*state, &m.pattern, 2);
    assert_int_equal(factor(s, &m, 0), HOL_RECOVERABLE);
    assert_int_equal(factor(s, &m, 1e-9), HOL_OK);
    double x[5] = {force, 6, 0, 0, 0};
    hol_kkt_stats stats;
    assert_int_equal(hol_kkt_solve(s, 1, x, HOL_KKT_AS_FACTORED), HOL_OK);
    hol_kkt_get_stats(s, &stats);
    assert_in_range(stats.refinements, 1, 3);
    assert_true(stats.residual < 1e-15);
    assert_near(x[0], 0, 1e-14), assert_near(x[1], 2, 1e-14);
    for (int r = 0; r < 3; r++) assert_near(x[2 + r], force * weight[r] / 5.25, 1e-6);
    hol_kkt_destroy(s);
    matrix_free(&m);
}

static void refinement_reaches_a_nearby_matrix(void **state)
{
    hol_random random = {11};
    matrix m = ladder(5, 1, &random);
    int n = m.pattern.n;
    double *want = test_calloc((size_t)n, sizeof(double)), *x = test_calloc((size_t)n, sizeof(double));
    hol_kkt_stats stats;
    hol_kkt *s = hol_kkt_create(*state, &m.pattern, m.n_first);
    assert_int_equal(factor(s, &m, 0), HOL_OK);
    for (int k = 0; k < m.pattern.start[n]; k++) m.values[k] *= 1 + 1e-5 * hol_random_uniform(&random);
    for (int i = 0; i < n; i++) want[i] = hol_random_uniform(&random);
    multiply(&m, want, x);
    fill(s, &m);
    assert_int_equal(hol_kkt_solve(s, 1, x, 20), HOL_OK);
    hol_kkt_get_stats(s, &stats);
    assert_true(stats.refinements > 0);
    for (int i = 0; i < n; i++) assert_near(x[i], want[i], 1e-10);
    hol_kkt_destroy(s);
    test_free(want), test_free(x);
    matrix_free(&m);
}

static void bad_patterns_are_refused(void **state)
{
    int start[] = {0, 1, 2}, index[] = {0, 0};
    hol_pattern pattern = {2, start, index};
    assert_null(hol_kkt_create(*state, &pattern, 1));
}

// Entries in any order, one of them twice, one with its mirror image.
static void pattern_of_entries_in_any_order(void **state)
{
    static const int entry[][2] = {{2, 0}, {0, 0}, {1, 1}, {2, 0}, {2, 2}};
    static const int start[] = {0, 2, 4, 6}, index[] = {0, 2, 1, 2, 1, 2}, found[] = {1, 0, 2, 1, 5};
    hol_pattern p = {0};
    hol_pattern_builder b = {.ctx = *state, .pattern = &p, .n = 3};
    int place[6], passes = 0;
    for (; hol_pattern_pass(&b); passes++) {
        for (int k = 0; k < 5; k++) place[k] = hol_pattern_add(&b, entry[k][0], entry[k][1]);
        place[5] = hol_pattern_add_both(&b, 1, 2);
    }
    assert_int_equal(b.status, HOL_OK);
    assert_int_equal(passes, 3);
    assert_memory_equal(p.start, start, sizeof start);
    assert_memory_equal(p.index, index, sizeof index);
    assert_memory_equal(place, found, sizeof found);
    assert_int_equal(place[5], 4);
    assert_int_equal(hol_pattern_find(&p, 2, 1), 3);
    assert_int_equal(hol_pattern_find(&p, 0, 1), -1);
    hol_pattern_destroy(&p);
}

// ---- dense -------------------------------------------------------------------------------------------------

static void rank_and_null_space_of_dependent_columns(void **state)
{
    enum { rows = 5, columns = 4 };
    hol_random random = {3};
    double a[rows * columns], basis[rows * rows];
    for (int k = 0; k < rows * 3; k++) a[k] = hol_random_uniform(&random);
    for (int i = 0; i < rows; i++) a[i + 3 * rows] = a[i] - 2 * a[i + rows];
    hol_dense_qr qr;
    assert_int_equal(hol_dense_qr_create(*state, &qr, rows, columns), HOL_OK);
    assert_int_equal(hol_dense_qr_factor(*state, &qr, rows, columns, a, 1e-9), HOL_OK);
    assert_int_equal(qr.rank, 3);
    assert_true(qr.gap < 1e-14);
    assert_int_equal(hol_dense_qr_null_space(*state, &qr, basis), HOL_OK);
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < columns; j++) {
            double product = 0;
            for (int i = 0; i < rows; i++) product += a[i + j * rows] * basis[i + k * rows];
            assert_near(product, 0, 1e-14);
        }
        for (int l = 0; l < 2; l++) {
            double product = 0;
            for (int i = 0; i < rows; i++) product += basis[i + l * rows] * basis[i + k * rows];
            assert_near(product, k == l, 1e-14);
        }
    }
    memset(a, 0, sizeof a);
    assert_int_equal(hol_dense_qr_factor(*state, &qr, rows, columns, a, 1e-9), HOL_OK);
    assert_int_equal(qr.rank, 0);
    hol_dense_qr_destroy(&qr);
}

static void lu_solves_and_tells_singular(void **state)
{
    double a[4] = {0, 2, 3, 4}, x[2] = {6, 10}, y[2] = {6, 11}; // [0 3; 2 4]
    int pivot[2];
    assert_int_equal(hol_dense_lu_factor(*state, 2, a, pivot), HOL_OK);
    assert_int_equal(hol_dense_lu_solve(*state, 2, a, pivot, false, 1, x), HOL_OK);
    assert_near(x[0], 1, 1e-15), assert_near(x[1], 2, 1e-15);
    assert_int_equal(hol_dense_lu_solve(*state, 2, a, pivot, true, 1, y), HOL_OK);
    assert_near(y[0], -1.0 / 3, 1e-15), assert_near(y[1], 3, 1e-15);
    double zero[4] = {1, 1, 1, 1};
    assert_int_equal(hol_dense_lu_factor(*state, 2, zero, pivot), HOL_RECOVERABLE);
}

static void eigenvalues_of_known_matrices(void **state)
{
    double a[4] = {2, 1, 1, 2}, values[2]; // 1 and 3
    assert_int_equal(hol_dense_eigen_symmetric(*state, 2, a, true, values), HOL_OK);
    assert_near(values[0], 1, 1e-15), assert_near(values[1], 3, 1e-14);
    assert_near(fabs(a[0]), sqrt(0.5), 1e-15);
    double b[4] = {0, -4, 1, 0}, re[2], im[2], vectors[4]; // [0 1; -4 0]: +-2i
    assert_int_equal(hol_dense_eigen(*state, 2, b, re, im, vectors), HOL_OK);
    assert_near(re[0], 0, 1e-15), assert_near(im[0], 2, 1e-14), assert_near(im[1], -2, 1e-14);
}

// Against the sum that defines it, with numbers of all kinds.
static void the_fourier_transform_is_the_sum(void **state)
{
    enum { MOST = 256 };
    double x[MOST], kept[MOST];
    double complex X[MOST / 2 + 1];
    hol_context *ctx = *state;
    for (size_t n = 4; n <= MOST; n *= 2) {
        for (size_t j = 0; j < n; j++) kept[j] = x[j] = sin(1.7 * (double)(j * j)) + (j == 3);
        assert_int_equal(hol_dft_real(ctx, n, x, X), HOL_OK);
        for (size_t k = 0; k <= n / 2; k++) {
            double complex sum = 0;
            for (size_t j = 0; j < n; j++) {
                const double angle = 2 * HOL_PI * (double)(j * k % n) / (double)n;
                sum += kept[j] * (cos(angle) - (double complex)_Complex_I * sin(angle));
            }
            assert_true(cabs(X[k] - sum) < 1e-13 * (double)n);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ladder_is_solved_whatever_the_mass, create, destroy),
        cmocka_unit_test_setup_teardown(columns_are_solved_as_one_by_one, create, destroy),
        cmocka_unit_test_setup_teardown(pivots_are_kept_until_they_decay, create, destroy),
        cmocka_unit_test_setup_teardown(singular_and_not_finite_are_recoverable, create, destroy),
        cmocka_unit_test_setup_teardown(rounding_in_place_of_a_mass_does_not_make_it_singular, create,
                                        destroy),
        cmocka_unit_test_setup_teardown(rows_and_columns_of_any_size, create, destroy),
        cmocka_unit_test_setup_teardown(redundant_rows_give_minimum_norm_multipliers, create, destroy),
        cmocka_unit_test_setup_teardown(refinement_reaches_a_nearby_matrix, create, destroy),
        cmocka_unit_test_setup_teardown(bad_patterns_are_refused, create, destroy),
        cmocka_unit_test_setup_teardown(pattern_of_entries_in_any_order, create, destroy),
        cmocka_unit_test_setup_teardown(rank_and_null_space_of_dependent_columns, create, destroy),
        cmocka_unit_test_setup_teardown(lu_solves_and_tells_singular, create, destroy),
        cmocka_unit_test_setup_teardown(eigenvalues_of_known_matrices, create, destroy),
        cmocka_unit_test_setup_teardown(the_fourier_transform_is_the_sum, create, destroy),
    };
    return cmocka_run_group_tests_name("linalg", tests, NULL, NULL);
}
