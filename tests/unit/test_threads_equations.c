// Equations at a state in several threads, a handle and a context each, over one model: what they find is what one thread finds alone,
// bit for bit. Under VARIANT=tsan every access to memory is watched too.
#include "base/base.h"
#include "holonom_equations.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 5 };

typedef struct {
    const hol_model *model;
    uint64_t trace;
    hol_status status;
} task;

static uint64_t mix(uint64_t h, const void *data, size_t size) // FNV-1a
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) h = (h ^ byte[i]) * 0x100000001b3u;
    return h;
}

// All quantities, the reaction of the first element and the linearised motion.
static hol_status look(hol_eom *e, uint64_t *trace)
{
    hol_eom_wrench w;
    hol_eom_linear l;
    hol_status st = HOL_OK;
    for (int what = 0; what < HOL_EOM_QUANTITIES && !st; what++) {
        int rows, columns;
        if (hol_eom_shape(e, (hol_eom_quantity)what, &rows, &columns)) continue; // no joint coordinates
        const size_t size = (size_t)rows * (size_t)columns;
        double *x = calloc(size + 1, sizeof *x);
        st = x ? hol_eom_get(e, (hol_eom_quantity)what, x, size) : HOL_ERR_MEMORY;
        *trace = mix(*trace, x, size * sizeof *x);
        free(x);
    }
    if (!st) st = hol_eom_reaction(e, 0, &w);
    if (!st) *trace = mix(mix(*trace, w.force, sizeof w.force), w.torque, sizeof w.torque);
    if (!st) st = hol_eom_linearise(e, HOL_METRIC_NATURAL, &l);
    if (!st) *trace = mix(*trace, l.A, (size_t)(l.n * l.n) * sizeof *l.A);
    return st;
}

static void *work(void *data)
{
    task *t = data;
    hol_context *ctx = hol_context_create();
    hol_eom *e = hol_eom_create(ctx, t->model, HOL_EOM_ASSEMBLED);
    t->status = e ? HOL_OK : hol_context_status(ctx);
    t->trace = 0xcbf29ce484222325u;
    if (e) hol_eom_use_joints(e); // or not
    for (int k = 0; k < ROUNDS && !t->status; k++) {
        hol_state_view x;
        hol_eom_get_state(e, &x);
        double *q = malloc((size_t)x.n_q * sizeof *q);
        for (int i = 0; i < x.n_q; i++) q[i] = x.q[i] + 1e-2 * sin(i + k);
        t->status = hol_eom_set_state(e, &(hol_state_view){0.01 * k, x.n_q, 0, q, NULL, NULL});
        free(q);
        if (!t->status) t->status = hol_eom_project(e, NULL);
        if (!t->status) t->status = look(e, &t->trace);
    }
    hol_eom_destroy(e);
    hol_context_destroy(ctx);
    return NULL;
}

static void one_model_for_all(void **state)
{
    static const char *const files[] = {"models/bricard.yaml", "models/chain3d.yaml",
                                        "models/hydraulic.yaml"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(files); k++) {
        hol_context *ctx = hol_context_create();
        hol_model *model = hol_model_load(ctx, files[k], NULL, 0);
        assert_non_null(model);
        task alone = {.model = model}, t[THREADS];
        pthread_t thread[THREADS];
        for (int i = 0; i < THREADS; i++) t[i] = alone;
        for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, work, &t[i]), 0);
        for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
        work(&alone);
        assert_int_equal(alone.status, HOL_OK);
        for (int i = 0; i < THREADS; i++) assert_true(t[i].status == HOL_OK && t[i].trace == alone.trace);
        hol_model_destroy(model);
        hol_context_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_model_for_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
