// OpenBLAS below the dense kernels: held to one thread, with room for the buffer that it takes for each thread.
#include "linalg/dense.h"
#include <pthread.h>

enum { MEGABYTES = 129 }; // of OpenBLAS for each thread, with a page

// Of OpenBLAS; not declared by LAPACKE.
void openblas_set_num_threads(int count);
void dsyrk_(const char *part, const char *form, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc);

static void pin_threads(void) { openblas_set_num_threads(1); }

// Any product makes OpenBLAS take its buffer, which it keeps.
static void take_buffer(void)
{
    const int one = 1;
    const double x = 1;
    double y = 0;
    dsyrk_("L", "N", &one, &one, &x, &x, &one, &x, &y, &one);
}

// Where OpenBLAS gets no memory for its buffer it asks again, for ever. So the first call of a thread looks whether there is
// some.
hol_status hol_dense_ready(hol_context *ctx)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static _Thread_local bool ready;
    if (ready) return HOL_OK;
    (void)pthread_once(&once, pin_threads);
    if (!hol_memory_has_room(ctx, (size_t)MEGABYTES << 20, "linear algebra")) return HOL_ERR_MEMORY;
    take_buffer();
    ready = true;
    return HOL_OK;
}
