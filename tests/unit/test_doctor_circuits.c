// Circuits of dependent rows: whatever rows are exchanged to make them small, each combination must vanish. Its functions are
// those inside of redundancy.c.
#include "system/redundancy.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

enum { DIMENSION = 40, FREE = 30, CIRCUITS = 9, WIDTH = 6, ROWS = FREE + CIRCUITS };

// Rows that are independent, and rows that each follow from a few of them, sharing half of these with the next one.
static void make_rows(hol_random *r, double *row)
{
    for (int i = 0; i < FREE * DIMENSION; i++) row[i] = hol_random_uniform(r);
    for (int c = 0; c < CIRCUITS; c++)
        for (int k = 0; k < WIDTH; k++) {
            const double factor = 1 + fabs(hol_random_uniform(r));
            const double *from = row + (ptrdiff_t)(WIDTH / 2 * c + k) * DIMENSION;
            for (int i = 0; i < DIMENSION; i++)
                row[(FREE + c) * DIMENSION + i] += (k % 2 ? -factor : factor) * from[i];
        }
}

static int entries(const tableau *f)
{
    int n = 0;
    for (int c = 0; c < f->k; c++) n += count(f->t + (ptrdiff_t)c * f->r, f->r);
    return n;
}

// Largest entry of row other[c] + sum_i t(i, c) row basic[i], of all circuits.
static double remainder_of(const tableau *f, const double *row)
{
    double most = 0;
    for (int c = 0; c < f->k; c++)
        for (int j = 0; j < DIMENSION; j++) {
            double sum = row[f->other[c] * DIMENSION + j];
            for (int i = 0; i < f->r; i++)
                sum += f->t[(ptrdiff_t)c * f->r + i] * row[f->basic[i] * DIMENSION + j];
            most = fmax(most, fabs(sum));
        }
    return most;
}

static void exchanges_keep_what_vanishes(void **state)
{
    hol_context *ctx = hol_context_create();
    (void)state;
    int fewer = 0;
    for (int seed = 1; seed <= 10; seed++) {
        hol_random r = {(unsigned)seed};
        double row[ROWS * DIMENSION] = {0}, copy[ROWS * DIMENSION], work[ROWS + 1];
        hol_arena *arena = hol_arena_create(ctx);
        hol_dense_qr qr = {0};
        tableau f;
        make_rows(&r, row);
        memcpy(copy, row, sizeof row);
        assert_int_equal(hol_dense_qr_create(ctx, &qr, DIMENSION, ROWS), HOL_OK);
        assert_int_equal(hol_dense_qr_factor(ctx, &qr, DIMENSION, ROWS, copy, HOL_RANK_THRESHOLD), HOL_OK);
        assert_int_equal(qr.rank, FREE);
        assert_int_equal(make_tableau(arena, &qr, &f), HOL_OK);
        const int before = entries(&f);
        assert_true(remainder_of(&f, row) < 1e-9);
        shorten(&f, work);
        fewer += entries(&f) < before;
        assert_true(remainder_of(&f, row) < 1e-9);
        for (int n = 0; n < 20; n++) { // any others
            const int i = (int)(fabs(hol_random_uniform(&r)) * (f.r - 1)),
                      c = (int)(fabs(hol_random_uniform(&r)) * (f.k - 1));
            if (fabs(f.t[(ptrdiff_t)c * f.r + i]) > 0.1) exchange(&f, i, c, work);
        }
        assert_true(remainder_of(&f, row) < 1e-6);
        hol_dense_qr_destroy(&qr);
        hol_arena_destroy(arena);
    }
    print_message("fewer entries in %d of 10\n", fewer);
    assert_true(fewer > 5);
    hol_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exchanges_keep_what_vanishes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
