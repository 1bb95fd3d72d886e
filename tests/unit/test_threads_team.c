// The team of threads: every piece once, all done at the return, sums that do not depend on the number of threads. Under
// VARIANT=tsan every access to memory is watched too.
#include "base/team.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { MOST = 1000, JOBS = 3000 };

typedef struct {
    int job, times[MOST], sum[MOST];
} counted;

static void count(void *with, int piece)
{
    counted *o = with;
    o->times[piece]++;
    for (int i = 0; i <= piece % 7; i++) o->sum[piece] += o->job;
}

// What one job leaves is read by the next: a thread that is late would be seen.
static void every_piece_once(void **state)
{
    (void)state;
    hol_context *ctx = hol_context_create();
    for (int threads = 1; threads <= 4; threads++) {
        hol_team *team;
        counted o = {0};
        int expected[MOST] = {0};
        assert_int_equal(hol_team_create(ctx, threads, &team), HOL_OK);
        assert_int_equal(team == NULL, threads == 1);
        assert_int_equal(hol_team_threads(team), threads);
        for (o.job = 0; o.job < JOBS; o.job++) {
            const int pieces = o.job % 50 == 49 ? MOST : o.job % 5;
            hol_team_run(team, pieces, count, &o);
            for (int i = 0; i < pieces; i++) {
                expected[i] += (i % 7 + 1) * o.job;
                assert_int_equal(o.sum[i], expected[i]);
            }
        }
        assert_int_equal(o.times[0], JOBS - JOBS / 5); // every fifth job is empty
        assert_int_equal(o.times[MOST - 1], JOBS / 50);
        assert_true(hol_team_seconds(team) >= 0);
        hol_team_destroy(team);
    }
    hol_context_destroy(ctx);
}

typedef struct {
    double x[3 * HOL_TEAM_RANGE + 1];
} numbers;

static void fill(void *with, int from, int to)
{
    numbers *o = with;
    for (int i = from; i < to; i++) o->x[i] += 1.0 / (i + 1);
}

static void ranges_meet(void **state)
{
    (void)state;
    hol_context *ctx = hol_context_create();
    static const int size[] = {
        0, 1, HOL_TEAM_RANGE, HOL_TEAM_RANGE + 1, 2 * HOL_TEAM_RANGE, 3 * HOL_TEAM_RANGE + 1};
    static numbers a, b;
    hol_team *team;
    assert_int_equal(hol_team_create(ctx, 3, &team), HOL_OK);
    for (int k = 0; k < HOL_COUNT(size); k++) {
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        hol_team_each(team, size[k], fill, &a);
        hol_team_each(NULL, size[k], fill, &b);
        assert_memory_equal(&a, &b, sizeof a);
        assert_true(size[k] == 0 || a.x[size[k] - 1] > 0);
        if (size[k] < HOL_COUNT(a.x)) assert_true(a.x[size[k]] == 0);
    }
    hol_team_destroy(team);
    hol_context_destroy(ctx);
}

typedef struct {
    double sum[HOL_TEAM_PARTS];
    int n[HOL_TEAM_PARTS];
} sums;

static void add_up(void *with, int part, int from, int to)
{
    sums *o = with;
    o->n[part] = to - from;
    for (int i = from; i < to; i++) o->sum[part] += 1.0 / (i + 1);
}

static void sums_in_the_order_of_parts(void **state)
{
    (void)state;
    hol_context *ctx = hol_context_create();
    static const int size[] = {0,
                               1,
                               HOL_TEAM_PART,
                               HOL_TEAM_PART + 1,
                               100000,
                               HOL_TEAM_PART * HOL_TEAM_PARTS,
                               HOL_TEAM_PART * HOL_TEAM_PARTS + 1,
                               3 * HOL_TEAM_PART * HOL_TEAM_PARTS + 7};
    hol_team *team;
    assert_int_equal(hol_team_create(ctx, 3, &team), HOL_OK);
    for (int k = 0; k < HOL_COUNT(size); k++) {
        sums a = {0}, b = {0};
        int n = 0;
        const int parts = hol_team_parts(team, size[k], add_up, &a);
        assert_int_equal(hol_team_parts(NULL, size[k], add_up, &b), parts);
        assert_memory_equal(&a, &b, sizeof a);
        assert_true(parts >= 1 && parts <= HOL_TEAM_PARTS && (parts == 1) == (size[k] <= HOL_TEAM_PART));
        for (int i = 0; i < parts; i++) n += a.n[i];
        assert_int_equal(n, size[k]);
    }
    hol_team_destroy(team);
    hol_context_destroy(ctx);
}

static void the_largest_of_all_parts(void **state)
{
    (void)state;
    enum { N = 3 * HOL_TEAM_PART + 5 };
    static double x[N], before[N], size[N];
    static const int places[] = {0, 1, HOL_TEAM_PART - 1, HOL_TEAM_PART, 2 * HOL_TEAM_PART + 1, N - 1};
    hol_context *ctx = hol_context_create();
    hol_team *team;
    assert_int_equal(hol_team_create(ctx, 3, &team), HOL_OK);
    for (int i = 0; i < N; i++) x[i] = 1 - i % 2 * 2, before[i] = x[i] - 0.5, size[i] = 2;
    for (int k = 0; k < HOL_COUNT(places); k++) {
        double *at = &x[places[k]];
        const double held = *at;
        *at = -6;
        assert_true(hol_team_largest(team, N, x, NULL, size) == 3);
        *at = before[places[k]] + 5;
        assert_true(hol_team_largest(team, N, x, before, size) == 2.5);
        *at = (double)NAN; // what comes behind does not hide it
        assert_true(isnan(hol_team_largest(team, N, x, NULL, size)));
        assert_true(isnan(hol_team_largest(team, N, x, before, size)));
        *at = held;
    }
    assert_true(hol_team_largest(team, 0, x, NULL, size) == 0);
    hol_team_destroy(team);
    hol_context_destroy(ctx);
}

static void made_and_destroyed(void **state)
{
    (void)state;
    hol_context *ctx = hol_context_create();
    for (int i = 0; i < 50; i++) {
        hol_team *team;
        counted o = {.job = 1};
        assert_int_equal(hol_team_create(ctx, 2 + i % 3, &team), HOL_OK);
        if (i % 2) hol_team_run(team, 10, count, &o);
        hol_team_destroy(team);
    }
    hol_team_destroy(NULL);
    assert_true(hol_team_processors() >= 1);
    hol_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_piece_once), cmocka_unit_test(ranges_meet),
                                       cmocka_unit_test(sums_in_the_order_of_parts),
                                       cmocka_unit_test(the_largest_of_all_parts),
                                       cmocka_unit_test(made_and_destroyed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
