// Every request for memory fails once in turn: what comes is HOL_ERR_MEMORY with a message, no crash and no leak.
// The same for the requests of SuiteSparse, and, outside the sanitizers, for every malloc of the process.
#include "../interposed.h"
#include "base/base.h"

#include <SuiteSparse_config.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 3, MOST_REQUESTS = 1000000 };

#define SPARSE "sparse solver"

static char csv[60];

static long fail_in; // the request that fails, counted from now; 0: none

static bool refused(void) { return fail_in > 0 && --fail_in == 0; }

// ---- all of the process ---------------------------------------------------------------------------------------

#if INTERPOSED
static bool everything; // fail_in counts every malloc
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void *aligned_alloc(size_t alignment, size_t size);

void *malloc(size_t size) { return everything && refused() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size)
{
    return everything && refused() ? NULL : __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) { return everything && refused() ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size)
{
    return everything && refused() ? NULL : __libc_memalign(alignment, size);
}
#endif

// ---- SuiteSparse ----------------------------------------------------------------------------------------------

static void *sparse_malloc(size_t size) { return refused() ? NULL : malloc(size); }
static void *sparse_calloc(size_t count, size_t size) { return refused() ? NULL : calloc(count, size); }
static void *sparse_realloc(void *old, size_t size) { return refused() ? NULL : realloc(old, size); }

static void replace_sparse_memory(bool own)
{
#if SUITESPARSE_MAIN_VERSION >= 6
    SuiteSparse_config_malloc_func_set(own ? sparse_malloc : malloc);
    SuiteSparse_config_calloc_func_set(own ? sparse_calloc : calloc);
    SuiteSparse_config_realloc_func_set(own ? sparse_realloc : realloc);
#else
    SuiteSparse_config.malloc_func = own ? sparse_malloc : malloc;
    SuiteSparse_config.calloc_func = own ? sparse_calloc : calloc;
    SuiteSparse_config.realloc_func = own ? sparse_realloc : realloc;
#endif
}

// ---- what is tried --------------------------------------------------------------------------------------------

typedef struct {
    const char *file, *set;
} subject;

static const subject subjects[] = {
    {"models/pendulum.yaml", "simulate.step=1e-3"},      {"models/four_bar.yaml", "parameters.N=1"},
    {"models/bricard.yaml", "simulate.tolerance=1e-4"},  {"models/flyball.yaml", "simulate.method=genalpha"},
    {"models/car_axis.yaml", "simulate.method=newmark"}, {"models/pendulum.yaml", "simulate.method=adams"},
    {"models/ladder.yaml", "simulate.method=srm"},       {"models/ladder.yaml", "rk.solve=tree"},
    {"models/flyball.yaml", "simulate.method=joint_bdf"}};

static hol_model *load(hol_context *ctx, const subject *s)
{
    return hol_model_load(ctx, s->file, &s->set, 1);
}

// A check, a simulation with a result file, a few steps.
static bool use(hol_context *ctx, const hol_model *model)
{
    hol_check *check = hol_check_create(ctx, model);
    hol_check_destroy(check);
    if (!check) return false;
    hol_simulation *sim = hol_simulation_create(ctx, model);
    hol_status st = sim ? hol_simulation_write(sim, csv) : HOL_ERR_MEMORY;
    bool done = false;
    for (int i = 0; i < STEPS && !st && !done; i++) st = hol_simulation_step(sim, &done);
    const bool values = !st && hol_simulation_values(sim);
    hol_simulation_destroy(sim);
    return values;
}

// failed: the n-th request was made. True when all is done: no request has failed, and the result is there.
// SuiteSparse may do without: when an array cannot be made smaller, the old one serves.
static bool judge(const hol_context *ctx, const char *what, const subject *s, long n, bool result,
                  bool failed)
{
    const hol_status st = hol_context_status(ctx);
    const bool must_fail = failed && !(strcmp(what, SPARSE) == 0 && result);
    const bool good = must_fail ? !result && st == HOL_ERR_MEMORY && strstr(hol_context_error(ctx), "memory")
                                : result && st == HOL_OK;
    if (!good)
        print_error("%s, %s, request %ld%s: %s, status %d, \"%s\"\n", s->file, what, n,
                    failed ? "" : " (not made)", result ? "a result" : "no result", st,
                    hol_context_error(ctx));
    assert_true(good);
    return !failed;
}

// ---- tests ----------------------------------------------------------------------------------------------------

static void loading_survives_every_failing_request(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(subjects); k++) {
        bool done = false;
        long n = 0;
        while (!done && n++ < MOST_REQUESTS) {
            hol_context *ctx = hol_context_create();
            hol_memory_fail_after(ctx, n);
            hol_model *model = load(ctx, &subjects[k]);
            done = judge(ctx, "loading", &subjects[k], n, model != NULL, hol_memory_fail_after(ctx, 0) == 0);
            hol_model_destroy(model);
            hol_context_destroy(ctx);
        }
        assert_in_range(n, 20, MOST_REQUESTS);
    }
}

// sparse: the requests of SuiteSparse, otherwise our own
static void simulate_with_failures(bool sparse)
{
    for (int k = 0; k < HOL_COUNT(subjects); k++) {
        hol_context *ctx = hol_context_create();
        hol_model *model = load(ctx, &subjects[k]);
        assert_non_null(model);
        bool done = false;
        long n = 0;
        while (!done && n++ < MOST_REQUESTS) {
            hol_memory_fail_after(ctx, sparse ? 0 : n);
            fail_in = sparse ? n : 0;
            const bool result = use(ctx, model);
            const bool failed = sparse ? fail_in == 0 : hol_memory_fail_after(ctx, 0) == 0;
            fail_in = 0;
            done = judge(ctx, sparse ? SPARSE : "simulation", &subjects[k], n, result, failed);
        }
        assert_in_range(n, 10, MOST_REQUESTS);
        hol_model_destroy(model);
        hol_context_destroy(ctx);
    }
}

static void a_simulation_survives_every_failing_request(void **state)
{
    (void)state;
    simulate_with_failures(false);
}

static void a_simulation_survives_every_failing_request_of_the_sparse_solver(void **state)
{
    (void)state;
    replace_sparse_memory(true);
    simulate_with_failures(true);
    replace_sparse_memory(false);
}

// Libraries and the C library too. A file that cannot be opened for want of memory may be an error of files.
static void every_failing_malloc_leaves_a_message(void **state)
{
    (void)state;
#if INTERPOSED
    for (int k = 0; k < HOL_COUNT(subjects); k++) {
        bool failed = true;
        long n = 0;
        if (strstr(subjects[k].set, "adams") || strstr(subjects[k].set, "joint_bdf"))
            continue; // SUNContext_Create itself does not survive it
        while (failed && n++ < MOST_REQUESTS) {
            hol_context *ctx = hol_context_create();
            everything = true;
            fail_in = n;
            hol_model *model = load(ctx, &subjects[k]);
            const bool result = model && use(ctx, model);
            everything = false;
            failed = fail_in == 0;
            const hol_status st = hol_context_status(ctx);
            const bool said = (st == HOL_ERR_MEMORY || st == HOL_ERR_IO || st == HOL_ERR_MODEL) &&
                              hol_context_error(ctx)[0];
            if (!result && !said)
                print_error("%s, malloc %ld: status %d, \"%s\"\n", subjects[k].file, n, st,
                            hol_context_error(ctx));
            assert_true(result || said);
            hol_model_destroy(model);
            hol_context_destroy(ctx);
        }
        assert_in_range(n, 20, MOST_REQUESTS);
    }
#else
    skip();
#endif
}

int main(void)
{
    snprintf(csv, sizeof csv, "/tmp/holonom_memory_%ld.csv", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loading_survives_every_failing_request),
        cmocka_unit_test(a_simulation_survives_every_failing_request),
        cmocka_unit_test(a_simulation_survives_every_failing_request_of_the_sparse_solver),
        cmocka_unit_test(every_failing_malloc_leaves_a_message)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(csv);
    return failed;
}
