// The cost of a force of 20 operations with its derivatives by 6 quantities: as an expression, and written by hand.
#include "bench.h"
#include "expr/expr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LEAVES = 6, ROUNDS = 200000, REPEATS = 9 };

// 20 operations
static const char text[] = "-k*(a - 0.8) - c*b + 3*tanh(40*d) + (1 + 0.2*e^2)*sin(f)*g - 0.5*a*b/(1 + d^2)";

static double by_hand(const double u[LEAVES], double slope[LEAVES])
{
    const double a = u[0], b = u[1], d = u[2], e = u[3], f = u[4], g = u[5];
    const double t = tanh(40 * d), s = sin(f), w = 1 + 0.2 * e * e, r = 1 / (1 + d * d);
    slope[0] = -300 - 0.5 * b * r;
    slope[1] = -3 - 0.5 * a * r;
    slope[2] = 120 * (1 - t * t) + a * b * d * r * r;
    slope[3] = 0.4 * e * s * g;
    slope[4] = w * cos(f) * g;
    slope[5] = w * s;
    return -300 * (a - 0.8) - 3 * b + 3 * t + w * s * g - 0.5 * a * b * r;
}

static int find_leaf(void *user, const hol_leaf_call *call)
{
    static const char names[] = "abdefg";
    const char *at = call->name.length == 1 ? strchr(names, *call->name.text) : NULL;
    (void)user;
    return at ? (int)(at - names) : HOL_LEAF_UNKNOWN;
}

static bool find_parameter(const void *data, const char *name, size_t length, hol_constant *found)
{
    (void)data;
    *found = (hol_constant){.value = *name == 'k' ? 300 : 3};
    return length == 1 && (*name == 'k' || *name == 'c');
}

static double by_program(const hol_expr *e, const double u[LEAVES], double slope[LEAVES])
{
    const hol_shape shape = {.n = LEAVES};
    double number[LEAVES][4 + LEAVES], out[4 + LEAVES];
    const double *leaf[LEAVES];
    for (int i = 0; i < LEAVES; i++) {
        hol_num_variable(&shape, i, u[i], 0, number[i]);
        leaf[i] = number[i];
    }
    hol_expr_eval(e, &shape, NULL, leaf, out);
    memcpy(slope, out + 4, LEAVES * sizeof *slope);
    return out[0];
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int bench_force(void)
{
    const hol_scope scope = {.find = find_parameter};
    const hol_leaves leaves = {.find = find_leaf};
    hol_context *ctx = hol_context_create();
    hol_arena *arena = hol_arena_create(ctx);
    const hol_expr *e;
    if (!arena || hol_expr_parse_leaves(ctx, arena, text, (hol_src){0}, &scope, NULL, &leaves, &e)) {
        fprintf(stderr, "%s\n", hol_context_error(ctx));
        return 1;
    }
    double best[2] = {1e9, 1e9}, sum = 0, difference = 0;
    for (int k = 0; k < 2 * REPEATS; k++) { // alternating, the least of each
        const double t0 = now();
        for (int i = 0; i < ROUNDS; i++) {
            const double x = 1e-5 * i, u[LEAVES] = {1 + x, x, 0.01 - x, 2 * x, 1 + x, x};
            double slope[LEAVES];
            sum += k % 2 ? by_program(e, u, slope) : by_hand(u, slope);
            sum += slope[0] + slope[1] + slope[2] + slope[3] + slope[4] + slope[5];
        }
        best[k % 2] = fmin(best[k % 2], (now() - t0) / ROUNDS * 1e9);
    }
    for (int i = 0; i < 1000; i++) {
        const double x = 1e-3 * i, u[LEAVES] = {1 + x, x, 0.01 - x, 2 * x, 1 + x, x};
        double s[2][LEAVES];
        difference = fmax(difference, fabs(by_hand(u, s[0]) - by_program(e, u, s[1])));
        for (int k = 0; k < LEAVES; k++) difference = fmax(difference, fabs(s[0][k] - s[1][k]));
    }
    printf("a force of 20 operations with its derivatives by 6 quantities: %.0f ns as an expression, %.0f ns "
           "by hand "
           "(ratio %.1f); they differ by %.1e at most%s\n",
           best[1], best[0], best[1] / best[0], difference, sum == 0 ? " " : "");
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return difference < 1e-10 ? 0 : 1;
}
