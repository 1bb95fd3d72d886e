// Extreme eigenvalues of the loops' Delassus operator D K D^T by Lanczos' method. docs/theory.md, section 14.5.
#include "linalg/dense.h"
#include "recursion/data.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

enum { STEPS = 20 };
#define EXHAUSTED 1e-10 // a next vector this small: the space of the operator is spanned

// w less its parts along the k rows of V, twice; what remains of its length.
static double make_orthogonal(int n, int k, const double *V, double *w)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < k; i++) {
            const double *v = V + (size_t)i * (size_t)n, c = hol_vector_dot(n, v, w);
            for (int j = 0; j < n; j++) w[j] -= c * v[j];
        }
    return sqrt(hol_vector_dot(n, w, w));
}

// w <- A w, or with E = H^T H: w <- H A H^T w, which has the eigenvalues of E A
static void multiply(hol_tree *r, bool scaled, double *w)
{
    if (scaled) hol_tree_solve_half(r, true, w);
    hol_tree_operator(r, w, r->u, w);
    if (scaled) hol_tree_solve_half(r, false, w);
}

// V: rows are the orthonormal vectors; T (STEPS x STEPS) the operator on them. Returns how many.
static int lanczos(hol_tree *r, bool scaled, int n, double *V, double *T)
{
    hol_random seed = {2024};
    double scale = 0;
    for (int i = 0; i < n; i++) V[i] = hol_random_uniform(&seed);
    const double size = sqrt(hol_vector_dot(n, V, V));
    for (int i = 0; i < n; i++) V[i] /= size;
    const int most = n < STEPS ? n : STEPS;
    for (int k = 0; k < most; k++) {
        double *v = V + (size_t)k * (size_t)n, *w = v + n;
        memcpy(w, v, (size_t)n * sizeof *w);
        multiply(r, scaled, w);
        T[k * (STEPS + 1)] = hol_vector_dot(n, v, w);
        scale = fmax(scale, fabs(T[k * (STEPS + 1)]));
        const double rest = make_orthogonal(n, k + 1, V, w);
        if (k + 1 == most || rest <= EXHAUSTED * scale) return k + 1;
        T[k * STEPS + k + 1] = T[(k + 1) * STEPS + k] = rest;
        for (int i = 0; i < n; i++) w[i] /= rest;
    }
    return most;
}

// D u - tau of the free tree's accelerations u.
static double come_apart(hol_tree *r, double *b)
{
    hol_tree_apply(r, r->f, r->jump, r->u);
    hol_tree_loops_times(r, r->u, b);
    for (int i = 0; i < r->size.n_loops; i++) b[i] -= r->tau[i];
    return hol_tree_loop_norm(r, b);
}

hol_status hol_tree_spectrum(hol_context *ctx, hol_tree *r, const hol_state *x, bool scaled, double *apart,
                             double *least, double *most)
{
    const int n = r->size.n_loops;
    double T[STEPS * STEPS] = {0}, packed[STEPS * STEPS], value[STEPS];
    *least = *most = 0;
    if (apart) *apart = 0;
    hol_tree_set(r, x);
    hol_tree_set_loops(r, x);
    hol_status st = hol_tree_factor(r);
    if (st || n == 0) return st;
    double *V = hol_calloc(ctx, (size_t)(STEPS + 1) * (size_t)n, sizeof *V);
    if (!V) return HOL_ERR_MEMORY;
    if (apart) *apart = come_apart(r, V);
    if (scaled) hol_tree_factor_blocks(r);
    const int k = lanczos(r, scaled, n, V, T);
    hol_free(V);
    for (int i = 0; i < k; i++) memcpy(packed + i * k, T + i * STEPS, (size_t)k * sizeof *packed);
    st = hol_dense_eigen_symmetric(ctx, k, packed, false, value);
    if (st) return st;
    *least = value[0];
    *most = value[k - 1];
    return HOL_OK;
}
