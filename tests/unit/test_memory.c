// Every request for memory fails once in turn: what comes is HOL_ERR_MEMORY with a message, no crash and no leak.
// The same for the requests of SuiteSparse, and, outside the sanitizers, for every malloc of the process.
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

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INTERPOSED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INTERPOSED 0
#endif
#endif
#ifndef INTERPOSED
#define INTERPOSED 1
#endif

enum { STEPS = 3, MOST_REQUESTS = 1000000 };

static char csv[] = "/tmp/holonom_memory_XXXXXX";

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
void *calloc(size_t count, size_t size) { return everything && refused() ? NULL : __libc_calloc(count, size); }
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
    SuiteSparse_config_malloc_func_set(own ? sparse_malloc : malloc);
    SuiteSparse_config_calloc_func_set(own ? sparse_calloc : calloc);
    SuiteSparse_config_realloc_func_set(own ? sparse_realloc : realloc);
}

// ---- what is tried --------------------------------------------------------------------------------------------

typedef struct {
    const char *file, *set;
} subject;

static const subject subjects[] = {{"models/pendulum.yaml", "simulate.step=1e-3"},
                                   {"models/four_bar.yaml", "parameters.N=1"},
                                   {"models/bricard.yaml", "simulate.tolerance=1e-4"},
                                   {"models/flyball.yaml", "simulate.method=genalpha"},
                                   {"models/car_axis.yaml", "simulate.method=newmark"}};

static hol_model *load(hol_context *ctx, const subject *s) { return hol_model_load(ctx, s->file, &s->set, 1); }

// A check, a simulation with a result file, a few steps.
static bool use(hol_context *ctx, const hol_model *model)
{
    hol_check *check = hol_check_create(ctx, model);
    hol_check_destroy(check);
    if (!check) return false;
    hol_simulation *sim = hol_simulation_create(ctx, model);
    hol_status st = sim ? hol_simulation_write_csv(sim, csv) : HOL_ERR_MEMORY;
    bool done = false;
    for (int i = 0; i < STEPS && !st && !done; i++) st = hol_simulation_step(sim, &done);
    const bool values = !st && hol_simulation_values(sim);
    hol_simulation_destroy(sim);
    return values;
}

static void must_be_out_of_memory(const hol_context *ctx, const char *what, const subject *s, long n)
{
    const bool good = hol_context_status(ctx) == HOL_ERR_MEMORY && strstr(hol_context_error(ctx), "memory");
    if (!good)
        print_error("%s, %s, request %ld: status %d, \"%s\"\n", s->file, what, n, hol_context_status(ctx),
                    hol_context_error(ctx));
    assert_true(good);
}

// ---- tests ----------------------------------------------------------------------------------------------------

static void loading_survives_every_failing_request(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(subjects); k++) {
        bool loaded = false;
        long n = 0;
        while (!loaded && n++ < MOST_REQUESTS) {
            hol_context *ctx = hol_context_create();
            hol_memory_fail_after(ctx, n);
            hol_model *model = load(ctx, &subjects[k]);
            loaded = model != NULL;
            if (!loaded) must_be_out_of_memory(ctx, "loading", &subjects[k], n);
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
        bool good = false;
        long n = 0;
        while (!good && n++ < MOST_REQUESTS) {
            hol_memory_fail_after(ctx, sparse ? 0 : n);
            fail_in = sparse ? n : 0;
            good = use(ctx, model);
            if (!good) must_be_out_of_memory(ctx, sparse ? "sparse solver" : "simulation", &subjects[k], n);
        }
        fail_in = 0;
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
        bool good = false;
        long n = 0;
        while (!good && n++ < MOST_REQUESTS) {
            hol_context *ctx = hol_context_create();
            everything = true;
            fail_in = n;
            hol_model *model = load(ctx, &subjects[k]);
            good = model && use(ctx, model);
            everything = false;
            const hol_status st = hol_context_status(ctx);
            const bool said = st < 0 && (st == HOL_ERR_MEMORY || st == HOL_ERR_IO) && hol_context_error(ctx)[0];
            if (!good && !said)
                print_error("%s, malloc %ld: status %d, \"%s\"\n", subjects[k].file, n, st, hol_context_error(ctx));
            assert_true(good || said);
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
    const int file = mkstemp(csv);
    if (file < 0) return 1;
    close(file);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loading_survives_every_failing_request),
        cmocka_unit_test(a_simulation_survives_every_failing_request),
        cmocka_unit_test(a_simulation_survives_every_failing_request_of_the_sparse_solver),
        cmocka_unit_test(every_failing_malloc_leaves_a_message)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(csv);
    return failed;
}
