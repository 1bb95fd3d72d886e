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

typedef struct {
    const problem *p;
    const hol_blocks *b;
} setting;

static void set(void *with, size_t begin, size_t end, double *value)
{
    const setting *const s = with;
    const problem *const p = s->p;
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j <= i; j++) {
            bool given = i == j, swapped;
            for (int k = 0; k < p->n_pairs; k++)
                given |=
                    (p->pair[k][0] == i && p->pair[k][1] == j) || (p->pair[k][0] == j && p->pair[k][1] == i);
            if (!given) continue;
            const size_t at = hol_blocks_place(s->b, i, j, &swapped);
            if (at < begin || at >= end) continue;
            const int u = swapped ? j : i, v = swapped ? i : j;
            for (int r = 0; r < p->size[u]; r++)
                for (int c = 0; c < p->size[v]; c++)
                    value[at + (size_t)(r * p->size[v] + c)] =
                        p->A[(p->row[u] + r) * p->rows + p->row[v] + c];
        }
}

static int factor(const problem *p, hol_blocks *b, double *x)
{
    setting s = {p, b};
    return hol_blocks_factor(b, set, &s, x);
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
                assert_int_equal(factor(&p, b, NULL), p.rows);
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
        assert_true(factor(&p, b, NULL) <= 2 * p.n_pairs);
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

// ---- blocks of two rows, in parts ---------------------------------------------------------------------------------------

enum { LONG = 2000 };

// Numbers of blocks (i, j) and, after the pairs, (i, i); the last block meets no other.
typedef struct {
    const hol_blocks *b;
    const int (*pair)[2];
    double (*number)[4];
    double *value;
    int n_pairs, parts;
} band;

// Diagonally dominant.
static void draw_numbers(int n_pairs, double (*number)[4])
{
    hol_random r = {3};
    for (int k = 0; k < n_pairs + LONG; k++) {
        for (int i = 0; i < 4; i++) number[k][i] = hol_random_uniform(&r);
        if (k >= n_pairs) number[k][0] += 20, number[k][3] += 20, number[k][2] = number[k][1];
    }
}

static void set_band(void *with, size_t begin, size_t end, double *value)
{
    band *const o = with;
    for (int k = 0; k < o->n_pairs + LONG; k++) {
        const int own = k - o->n_pairs, i = own < 0 ? o->pair[k][0] : own, j = own < 0 ? o->pair[k][1] : own;
        bool swapped;
        const size_t at = hol_blocks_place(o->b, i, j, &swapped);
        if (at < begin || at >= end) continue;
        for (int e = 0; e < (own == LONG - 1 ? 1 : 4); e++)
            value[at + (size_t)e] = o->number[k][swapped ? (e % 2) * 2 + e / 2 : e];
    }
    o->value = value;
    o->parts++;
}

// Alone they are factored by a kernel of their own, where the processor has one.
static void blocks_of_two_rows_have_the_same_bits_among_others(void **state)
{
    static int pair[3 * LONG][2], size[LONG];
    static double number[4 * LONG][4], x[2][2 * LONG], y[2 * LONG];
    hol_context *ctx = hol_context_create();
    band o[2];
    int n = 0;
    bool swapped[2];
    (void)state;
    for (int i = 0; i < LONG - 1; i++)
        for (int step = 1; step < 3; step++) // each pair once; eliminated from its ends
            if (i + step < LONG - 1) pair[n][0] = i, pair[n++][1] = i + step;
    draw_numbers(n, number);
    for (int i = 0; i < LONG; i++) size[i] = 2;
    for (int k = 0; k < 2; k++, size[LONG - 1] = 1) {
        hol_blocks *b;
        assert_int_equal(hol_blocks_create(ctx, LONG, size, n, (const int(*)[2])pair, 1e9, &b), HOL_OK);
        o[k] = (band){.b = b, .pair = (const int(*)[2])pair, .number = number, .n_pairs = n};
        for (int i = 0; i < 2 * LONG; i++) x[k][i] = y[i] = sin(i);
        assert_true(hol_blocks_factor(b, set_band, &o[k], x[k]) >= 2 * LONG - 2);
        assert_true(o[k].parts > 3);
        hol_blocks_solve_back(b, x[k]); // half of it done on the way: the same bits as all of it afterwards
        hol_blocks_solve(b, y);
        assert_memory_equal(x[k], y, (2 * LONG - 2) * sizeof *y);
    }
    for (int k = 0; k < n + LONG - 1; k++) {
        const int i = k < n ? pair[k][0] : k - n, j = k < n ? pair[k][1] : k - n;
        const double *u = o[0].value + hol_blocks_place(o[0].b, i, j, &swapped[0]),
                     *v = o[1].value + hol_blocks_place(o[1].b, i, j, &swapped[1]);
        assert_int_equal(swapped[0], swapped[1]);
        assert_memory_equal(u, v, 4 * sizeof *u);
    }
    for (int k = 0; k < 2; k++) hol_blocks_destroy((hol_blocks *)o[k].b);
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
