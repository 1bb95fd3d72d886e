// Every call works in a thread with a stack of 256 kB, whatever the method, and however deep what is read.
#include "base/base.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STACK = 256 << 10, PAINT = 0x5a, STEPS = 5 };

typedef struct {
    const char *name, *text, *set[3]; // text NULL: a file
    int n_set;
} subject;

static void ignore(void *user, const char *text)
{
    (void)user;
    (void)text;
}

// Loads, checks, draws the graph, runs some steps with a report and a result, finds modes.
static void *use(void *with)
{
    const subject *s = with;
    char page[80], result[80];
    snprintf(page, sizeof page, "/tmp/holonom-stack-%ld.html", (long)getpid());
    snprintf(result, sizeof result, "/tmp/holonom-stack-%ld.csv", (long)getpid());
    hol_context *ctx = hol_context_create();
    hol_model *model = s->text ? hol_model_parse(ctx, s->name, s->text, strlen(s->text), s->set, s->n_set)
                               : hol_model_load(ctx, s->name, s->set, s->n_set);
    if (model) {
        hol_check *check = hol_check_create(ctx, model);
        if (check) hol_check_print(check, s->name, ignore, NULL);
        hol_check_destroy(check);
        (void)hol_graph_print(ctx, model, ignore, NULL);
        hol_simulation *sim = hol_simulation_create(ctx, model);
        bool done = false;
        if (sim && !hol_simulation_write(sim, result) && !hol_simulation_report(sim, page))
            for (int i = 0; i < STEPS && !done; i++) (void)hol_simulation_step(sim, &done);
        hol_simulation_destroy(sim);
        hol_modes_options lowest = {.count = 2};
        hol_modes_destroy(hol_modes_create(ctx, model, &lowest));
    }
    hol_model_destroy(model);
    hol_context_destroy(ctx);
    unlink(page);
    unlink(result);
    return NULL;
}

// Bytes of the stack that were written.
static size_t high_water(const subject *s)
{
    pthread_attr_t attributes;
    pthread_t thread;
    unsigned char *stack = aligned_alloc(4096, STACK);
    assert_non_null(stack);
    memset(stack, PAINT, STACK);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, use, (void *)s), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    size_t free_bytes = 0;
    while (free_bytes < STACK && stack[free_bytes] == PAINT) free_bytes++;
    free(stack);
    pthread_attr_destroy(&attributes);
    return STACK - free_bytes;
}

static size_t most;

static void try(const subject *s)
{
    if (HOL_SANITIZED) { // their frames are many times as large
        use((void *)s);
        return;
    }
    const size_t used = high_water(s);
    if (used > most) {
        most = used;
        print_message("%s %s: %zu kB of the stack\n", s->name, s->n_set ? s->set[0] : "", used >> 10);
    }
    assert_in_range(used, 1, STACK * 3 / 4);
}

static void every_method_needs_less_than_three_quarters_of_256_kB(void **state)
{
    static const char *const file[] = {"models/pendulum.yaml", "models/hmmwv.yaml", "models/hydraulic.yaml"};
    hol_method_info method;
    char set[100];
    (void)state;
    for (int i = 0; hol_method_list(i, &method); i++)
        for (int k = 0; k < HOL_COUNT(file); k++) {
            const subject s = {file[k], NULL, {set, "simulate.step=1e-4"}, method.fixed_steps ? 2 : 1};
            snprintf(set, sizeof set, "simulate.method=%s", method.name);
            try(&s);
        }
}

static void large_models_need_no_more(void **state)
{
    const char *bodies = HOL_SANITIZED ? "parameters.n=1000" : "parameters.n=10000";
    const char *squares = HOL_SANITIZED ? "parameters.K=100" : "parameters.K=1000";
    const subject all[] = {{"models/chain.yaml", NULL, {bodies, "simulate.method=rk"}, 2},
                           {"models/chain.yaml", NULL, {bodies, "simulate.method=hht"}, 2},
                           {"models/ladder.yaml", NULL, {squares, "simulate.method=srm"}, 2},
                           {"models/net.yaml", NULL, {"parameters.L=20"}, 1}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(all); i++) try(&all[i]);
}

// A sum of `n` measures nested `deep` times.
static char *formula(int n, int deep)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f,
            "dimension: 2\nbodies:\n  - {for: i in 1..%d, name: \"b{i}\", mass: 1, inertia: 1, position: "
            "[\"1*i\", 0]}\n",
            n);
    fprintf(f, "forces: [{name: f, type: force, on: b1, value: [0, \"");
    for (int i = 0; i < deep; i++) fprintf(f, "1+(");
    for (int i = 1; i <= n; i++) fprintf(f, "%sDX(b%d)", i > 1 ? "+" : "", i);
    for (int i = 0; i < deep; i++) fprintf(f, ")");
    fprintf(f, "\"]}]\nsimulate: {end: 1, method: hht}\n");
    fclose(f);
    return text;
}

static void what_is_nested_needs_no_more(void **state)
{
    (void)state;
    for (int deep = 10; deep <= 1000; deep *= 10)
        for (int n = 1; n <= 200; n *= 10) {
            char *text = formula(n, deep);
            const subject s = {"nested", text, {0}, 0};
            try(&s);
            free(text);
        }
    for (int deep = 10; deep <= 100000; deep *= 10) {
        char *text = calloc((size_t)deep + 20, 1);
        memcpy(text, "a: ", 3);
        memset(text + 3, '[', (size_t)deep);
        const subject s = {"brackets", text, {0}, 0};
        try(&s);
        free(text);
    }
}

// An expression of time, opened and closed so many times.
static void try_expression(const char *open, const char *middle, const char *close, int times)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "dimension: 2\nbodies: [{name: b, type: point, mass: 1}]\nvariables: [{name: q, value: \"");
    for (int i = 0; i < times; i++) fputs(open, f);
    fputs(middle, f);
    for (int i = 0; i < times; i++) fputs(close, f);
    fprintf(f, "\"}]\nsimulate: {end: 1}\n");
    fclose(f);
    const subject s = {open, text, {0}, 0};
    try(&s);
    free(text);
}

// Sums, and brackets as deep as they may be, and deeper.
static void expressions_need_no_more(void **state)
{
    static const char *const sums[] = {"time+", "DX(b)+", "time-", "time/2+", "abs(time)+"};
    static const char *const deep[] = {"(", "sin(", "2^(", "if(time: 1, 2, "};
    const int terms = HOL_SANITIZED ? 500 : 5000;
    (void)state;
    for (int i = 0; i < HOL_COUNT(sums); i++) try_expression(sums[i], "1", "", terms);
    for (int i = 0; i < HOL_COUNT(deep); i++)
        for (int times = 50; times <= 200; times += 50) try_expression(deep[i], "time", ")", times - 1);
}

// Variables, each of the one behind it, the last one of `of`.
static char *follow(int n, const char *of)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: b, mass: 1, inertia: 1}]\nvariables:\n");
    for (int i = 0; i < n; i++) fprintf(f, "  - {name: v%d, value: v%d + 1}\n", i, i + 1);
    fprintf(f, "  - {name: v%d, value: %s}\nforces: [{name: push, type: force, on: b, value: [v0, 0]}]\n", n,
            of);
    fprintf(f, "events: [{name: reached, when: v0 - 1e9}]\nsimulate: {end: 1e-3, signals: [v0]}\n");
    fclose(f);
    return text;
}

static void variables_that_follow_from_each_other_need_no_more(void **state)
{
    static const char *const of[] = {"DX(b)", "sin(time)", "v0"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(of); i++)
        for (int n = 20; n <= (i == 1          ? 200
                               : HOL_SANITIZED ? 2000
                                               : 20000);
             n *= 10) { // functions of time are searched one by one
            char *text = follow(n, of[i]);
            const subject s = {"variables", text, {0}, 0};
            try(&s);
            free(text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_needs_less_than_three_quarters_of_256_kB),
        cmocka_unit_test(large_models_need_no_more), cmocka_unit_test(what_is_nested_needs_no_more),
        cmocka_unit_test(expressions_need_no_more),
        cmocka_unit_test(variables_that_follow_from_each_other_need_no_more)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
