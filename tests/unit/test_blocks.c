// Block factors against a dense matrix: random patterns, uniform and mixed blocks, rows that depend on others.
#include "linalg/blocks.h"
#include "linalg/strands.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { BLOCKS = 14, MOST = BLOCKS * HOL_BLOCK, PAIRS = 40 };

typedef struct {
    int n, rows, size[BLOCKS], row[BLOCKS], n_pairs, pair[PAIRS][2];
    double A[MOST * MOST];
} problem;

// A = sum of B B^T over pairs, B random with the rows of both: semi-definite, and definite with `shift` on the diagonal.
static void make(problem *p, hol_random *r, int uniform, int n_pairs, double shift)
{
    memset(p, 0, sizeof *p);
    p->n = BLOCKS;
    for (int i = 0; i < p->n; i++) {
        p->size[i] = uniform ? uniform : 1 + (int)(HOL_BLOCK * 0.4999 * (1 + hol_random_uniform(r)));
        p->row[i] = p->rows;
        p->rows += p->size[i];
    }
    for (p->n_pairs = 0; p->n_pairs < n_pairs; p->n_pairs++)
        for (int k = 0; k < 2; k++)
            p->pair[p->n_pairs][k] = (int)(BLOCKS * 0.4999 * (1 + hol_random_uniform(r)));
    for (int k = 0; k < p->n_pairs; k++)
        for (int c = 0; c < 2; c++) {
            double b[MOST] = {0};
            for (int e = 0; e < 2; e++)
                for (int i = 0; i < p->size[p->pair[k][e]]; i++)
                    b[p->row[p->pair[k][e]] + i] = hol_random_uniform(r);
            for (int i = 0; i < p->rows; i++)
                for (int j = 0; j < p->rows; j++) p->A[i * p->rows + j] += b[i] * b[j];
        }
    for (int i = 0; i < p->rows; i++) p->A[i * (p->rows + 1)] += shift;
}

static void fill(const problem *p, hol_blocks *b)
{
    double *value = hol_blocks_values(b);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j <= i; j++) {
            bool given = i == j, swapped;
            for (int k = 0; k < p->n_pairs; k++)
                given |=
                    (p->pair[k][0] == i && p->pair[k][1] == j) || (p->pair[k][0] == j && p->pair[k][1] == i);
            if (!given) continue;
            double *to = value + hol_blocks_place(b, i, j, &swapped);
            const int u = swapped ? j : i, v = swapped ? i : j;
            for (int r = 0; r < p->size[u]; r++)
                for (int c = 0; c < p->size[v]; c++)
                    to[r * p->size[v] + c] = p->A[(p->row[u] + r) * p->rows + p->row[v] + c];
        }
}

// |A x - b| over |b| for b = A y
static double missed(const problem *p, const hol_blocks *b, hol_random *r)
{
    double y[MOST], x[MOST], rhs[MOST], most = 0, size = 0;
    for (int i = 0; i < p->rows; i++) y[i] = hol_random_uniform(r);
    for (int i = 0; i < p->rows; i++) {
        rhs[i] = 0;
        for (int j = 0; j < p->rows; j++) rhs[i] += p->A[i * p->rows + j] * y[j];
        x[i] = rhs[i];
        size = fmax(size, fabs(rhs[i]));
    }
    hol_blocks_solve(b, x);
    for (int i = 0; i < p->rows; i++) {
        double z = -rhs[i];
        for (int j = 0; j < p->rows; j++) z += p->A[i * p->rows + j] * x[j];
        most = fmax(most, fabs(z));
    }
    return most / size;
}

static void factors_solve_for_every_size(void **state)
{
    (void)state;
    static const int uniform[] = {0, 1, 2, 3, 4, 5, 6};
    hol_random r = {7};
    static problem p;
    for (int k = 0; k < HOL_COUNT(uniform); k++)
        for (int trial = 0; trial < 20; trial++) {
            hol_context *ctx = hol_context_create();
            hol_blocks *b;
            make(&p, &r, uniform[k], 22, 0.1);
            assert_true(hol_blocks_create(ctx, p.n, p.size, p.n_pairs, (const int(*)[2])p.pair, 1e9, &b) ==
                        HOL_OK);
            for (int again = 0; again < 2; again++) { // the room is used anew
                fill(&p, b);
                assert_int_equal(hol_blocks_factor(b), p.rows);
                assert_true(missed(&p, b, &r) < 1e-12); // condition up to 1e3
            }
            hol_blocks_destroy(b);
            hol_context_destroy(ctx);
        }
}

// What is consistent is solved without the rows that depend on others.
static void dependent_rows_are_left_out(void **state)
{
    (void)state;
    hol_random r = {3};
    static problem p;
    for (int trial = 0; trial < 20; trial++) {
        hol_context *ctx = hol_context_create();
        hol_blocks *b;
        make(&p, &r, trial % 2 ? 0 : 3, 9, 0);
        assert_true(hol_blocks_create(ctx, p.n, p.size, p.n_pairs, (const int(*)[2])p.pair, 1e9, &b) ==
                    HOL_OK);
        fill(&p, b);
        assert_true(hol_blocks_factor(b) <= 2 * p.n_pairs);
        assert_true(missed(&p, b, &r) < 1e-6);
        hol_blocks_destroy(b);
        hol_context_destroy(ctx);
    }
}

static void too_much_fill_is_refused(void **state)
{
    (void)state;
    static const int size[3] = {2, 2, 2}, pair[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    hol_context *ctx = hol_context_create();
    hol_blocks *b;
    assert_true(hol_blocks_create(ctx, 3, size, 3, pair, 3, &b) == HOL_RECOVERABLE && !b);
    assert_true(hol_blocks_create(ctx, 3, size, 3, pair, 4, &b) ==
                HOL_OK); // 3 of the first column, 1 of the second
    assert_true(hol_blocks_sizes(b)->products == 4);
    hol_blocks_destroy(b);
    hol_context_destroy(ctx);
}

// ---- blocks of two rows ---------------------------------------------------------------------------------------

// Diagonally dominant; the same numbers whatever the last block, which meets no other, is like.
static void set_random(hol_blocks *b, const int (*pair)[2], int n_pairs, double *value)
{
    hol_random r = {3};
    bool swapped;
    for (int i = 0; i < BLOCKS - 1; i++) {
        double *to = value + hol_blocks_place(b, i, i, &swapped);
        to[1] = to[2] = hol_random_uniform(&r);
        to[0] = 20 + hol_random_uniform(&r), to[3] = 20 + hol_random_uniform(&r);
    }
    value[hol_blocks_place(b, BLOCKS - 1, BLOCKS - 1, &swapped)] = 1;
    for (int k = 0; k < n_pairs; k++) {
        double *to = value + hol_blocks_place(b, pair[k][0], pair[k][1], &swapped);
        for (int i = 0; i < 2; i++)
            for (int c = 0; c < 2; c++) to[swapped ? 2 * c + i : 2 * i + c] = hol_random_uniform(&r);
    }
}

// Alone they are factored by a kernel of their own, where the processor has one.
static void blocks_of_two_rows_have_the_same_bits_among_others(void **state)
{
    int pair[PAIRS][2], size[BLOCKS], n_pairs = 0;
    double *value[2];
    hol_blocks *b[2];
    hol_context *ctx = hol_context_create();
    bool swapped[2];
    (void)state;
    for (int i = 0; i < BLOCKS - 1; i++)
        for (int step = 1; step < 6; step += 2) // each pair once
            if (i + step < BLOCKS - 1) pair[n_pairs][0] = i, pair[n_pairs++][1] = i + step;
    for (int i = 0; i < BLOCKS; i++) size[i] = 2;
    for (int k = 0; k < 2; k++, size[BLOCKS - 1] = 1) {
        assert_int_equal(hol_blocks_create(ctx, BLOCKS, size, n_pairs, (const int(*)[2])pair, 1e9, &b[k]),
                         HOL_OK);
        value[k] = hol_blocks_values(b[k]);
        set_random(b[k], (const int(*)[2])pair, n_pairs, value[k]);
        assert_true(hol_blocks_factor(b[k]) >= 2 * BLOCKS - 2);
    }
    for (int i = 0; i < n_pairs + BLOCKS - 1; i++) {
        const int u = i < n_pairs ? pair[i][0] : i - n_pairs, v = i < n_pairs ? pair[i][1] : i - n_pairs;
        const double *x = value[0] + hol_blocks_place(b[0], u, v, &swapped[0]),
                     *y = value[1] + hol_blocks_place(b[1], u, v, &swapped[1]);
        assert_int_equal(swapped[0], swapped[1]);
        assert_memory_equal(x, y, 4 * sizeof *x);
    }
    for (int k = 0; k < 2; k++) hol_blocks_destroy(b[k]);
    hol_context_destroy(ctx);
}

// ---- two strands ----------------------------------------------------------------------------------------------

enum { RUNGS = 40, SIDE = 24 };

// Nodes i of a ladder with the sides 2 k and 2 k + 1, or of a square grid.
static void make_graph(hol_context *ctx, bool grid, hol_pattern *p)
{
    hol_pattern_builder to = {.ctx = ctx, .pattern = p, .n = grid ? SIDE * SIDE : 2 * RUNGS};
    const int width = grid ? SIDE : 2;
    while (hol_pattern_pass(&to))
        for (int i = 0; i < to.n; i++) {
            hol_pattern_add(&to, i, i);
            if (i % width) hol_pattern_add_both(&to, i, i - 1);
            if (i >= width) hol_pattern_add_both(&to, i, i - width);
        }
    assert_int_equal(to.status, HOL_OK);
}

static void long_structures_are_eliminated_from_both_ends(void **state)
{
    int order[SIDE * SIDE], seen[2 * RUNGS] = {0}, last[2] = {-1, RUNGS};
    hol_context *ctx = hol_context_create();
    (void)state;
    hol_pattern ladder = {0}, grid = {0};
    bool found;
    make_graph(ctx, false, &ladder);
    assert_int_equal(hol_strands_order(ctx, &ladder, 0, order, &found), HOL_OK);
    assert_true(found);
    for (int k = 0; k < 2 * RUNGS; k++) assert_int_equal(seen[order[k]]++, 0);
    for (int k = 0; k + 4 < 2 * RUNGS; k++) { // in turn, each from its end
        const int rung = order[k] / 2, upper = rung > RUNGS / 2;
        assert_true(k < 2 || upper == (order[k - 2] / 2 > RUNGS / 2));
        assert_true(upper ? rung <= last[1] + 1 : rung >= last[0] - 1);
        last[upper] = rung;
    }
    make_graph(ctx, true, &grid);
    assert_int_equal(hol_strands_order(ctx, &grid, 0, order, &found), HOL_OK);
    assert_false(found);
    hol_pattern_destroy(&ladder);
    hol_pattern_destroy(&grid);
    hol_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_solve_for_every_size),
        cmocka_unit_test(dependent_rows_are_left_out),
        cmocka_unit_test(too_much_fill_is_refused),
        cmocka_unit_test(blocks_of_two_rows_have_the_same_bits_among_others),
        cmocka_unit_test(long_structures_are_eliminated_from_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
