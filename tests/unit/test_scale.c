// Large models: bytes per body do not creep up, and methods with a solver of their own get a system without the matrix.
#include "system/initial.h"
#include "system/kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

// K squares of rods in a row: 3 K + 1 bodies, 4 K + 1 joints.
static const char ladder[] =
    "dimension: 2\n"
    "gravity: [0, -1]\n"
    "parameters: {K: 7}\n"
    "bodies:\n"
    "  - {for: i in 1..K, name: \"t{i}\", mass: 1, inertia: 1/12, position: [i-0.5, 0],\n"
    "     markers: {l: [-0.5, 0], r: [0.5, 0]}}\n"
    "  - {for: i in 1..K, name: \"b{i}\", mass: 1, inertia: 1/12, position: [i-0.5, -1],\n"
    "     markers: {l: [-0.5, 0], r: [0.5, 0]}}\n"
    "  - {for: i in 0..K, name: \"u{i}\", mass: 1, inertia: 1/12, position: [i, -0.5], angle: 90 deg,\n"
    "     markers: {t: [0.5, 0], b: [-0.5, 0]}}\n"
    "joints:\n"
    "  - {name: fix, type: revolute, between: [ground, t1.l]}\n"
    "  - {for: i in 2..K, name: \"T{i}\", type: revolute, between: [\"t{i-1}.r\", \"t{i}.l\"]}\n"
    "  - {for: i in 2..K, name: \"B{i}\", type: revolute, between: [\"b{i-1}.r\", \"b{i}.l\"]}\n"
    "  - {name: U0t, type: revolute, between: [t1.l, u0.t]}\n"
    "  - {name: U0b, type: revolute, between: [b1.l, u0.b]}\n"
    "  - {for: i in 1..K, name: \"Ut{i}\", type: revolute, between: [\"t{i}.r\", \"u{i}.t\"]}\n"
    "  - {for: i in 1..K, name: \"Ub{i}\", type: revolute, between: [\"b{i}.r\", \"u{i}.b\"]}\n";

enum { MODEL_MOST = 790, START_MOST = 560 }; // [B]

static hol_context *ctx;

static hol_model_data *load(int K)
{
    char set[40];
    const char *overrides[] = {set};
    snprintf(set, sizeof set, "parameters.K=%d", K);
    hol_spec *spec = hol_spec_read_text(ctx, "ladder", ladder, strlen(ladder), overrides, 1);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    if (!m) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(m);
    return m;
}

// Bytes per body: of the model's arenas, and asked for by a start without the matrix.
static void bytes_per_body(int K, double *model, double *start)
{
    ctx = hol_context_create();
    hol_model_data *m = load(K);
    const double loaded = hol_memory_bytes(ctx);
    hol_kernel k;
    hol_state x;
    hol_rank rank;
    assert_int_equal(hol_initialise(ctx, m, HOL_START_QUIET | HOL_START_BARE, &k, &x, &rank), HOL_OK);
    *model = (double)(hol_arena_bytes(m->spec->arena) + hol_arena_bytes(m->spec->hot)) / m->n_bodies;
    assert_null(m->spec->draft);
    *start = (hol_memory_bytes(ctx) - loaded) / m->n_bodies;
    assert_null(k.A);
    assert_null(k.s->pattern.start);
    assert_null(k.work);
    hol_state_destroy(&x);
    hol_rank_destroy(&rank);
    hol_start_destroy(&k);
    hol_model_free(m);
    hol_context_destroy(ctx);
}

static void memory_per_body_is_bounded(void **state)
{
    (void)state;
    double model[2], start[2];
    bytes_per_body(333, &model[0], &start[0]);
    bytes_per_body(3333, &model[1], &start[1]);
    print_message("bytes per body: %.0f model, %.0f start\n", model[1], start[1]);
    assert_true(model[1] < MODEL_MOST);
    assert_true(start[1] < START_MOST);
    assert_true(model[1] < 1.1 * model[0]); // linear
    assert_true(start[1] < 1.1 * start[0]);
}

// The start without the matrix gives the same state as the one with it, accelerations apart; the matrix can be asked for.
static void the_start_needs_no_matrix(void **state)
{
    (void)state;
    ctx = hol_context_create();
    hol_model_data *m = load(7);
    hol_kernel k, bare;
    hol_state x, y;
    hol_rank rank, other;
    assert_int_equal(hol_initialise(ctx, m, HOL_START_QUIET, &k, &x, &rank), HOL_OK);
    assert_int_equal(hol_initialise(ctx, m, HOL_START_QUIET | HOL_START_BARE, &bare, &y, &other), HOL_OK);
    const hol_equations *s = k.s;
    assert_non_null(k.A);
    assert_null(bare.A);
    for (int i = 0; i < s->nq; i++) {
        assert_true(x.q[i] == y.q[i] && fabs(x.v[i] - y.v[i]) < 1e-12);
        assert_true(y.a[i] == 0);
    }
    assert_int_equal(hol_solve_accelerations(&bare, &y), HOL_OK); // asks for it
    assert_non_null(bare.A);
    for (int i = 0; i < s->nq; i++) assert_true(fabs(x.a[i] - y.a[i]) < 1e-9);
    hol_kernel_drop(&bare);
    assert_null(bare.A);
    assert_int_equal(hol_kernel_need(&bare), HOL_OK);
    assert_int_equal(hol_kernel_need(&bare), HOL_OK); // once
    hol_state_destroy(&x);
    hol_state_destroy(&y);
    hol_rank_destroy(&rank);
    hol_rank_destroy(&other);
    hol_start_destroy(&k);
    hol_start_destroy(&bare);
    hol_model_free(m);
    hol_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_per_body_is_bounded),
                                       cmocka_unit_test(the_start_needs_no_matrix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
