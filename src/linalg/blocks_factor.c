// Factorisation of symmetric block matrices, A = U^T G^-1 U, and solutions. Row k of the elimination has the blocks B_i
// = A_ki, i > k, and with G = A_kk^-1
//
//     U_ki = G B_i,   A_ji -= B_j^T U_ki   (i >= j > k)
#include "linalg/blocks_data.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { SQUARE = HOL_BLOCK * HOL_BLOCK };
#define DEPENDENT                                                                                            \
    1e-11 // a pivot this small against its row: rounding, for which small pivots before it are a lens

typedef struct { // how far a factorisation is
    int row, remembered;
    double *value;          // diagonal of A: the next to be remembered,
    const double *before;   // to be used
    const unsigned *target; // of the next product
    int rank;
} progress;

typedef struct {
    void (*remember)(const hol_blocks *b, int reach, progress *o);
    void (*factor)(const hol_blocks *b, int end, double *x, progress *o);
    void (*solve_forward)(const hol_blocks *b, double *x);
    void (*solve_back)(const hol_blocks *b, double *x);
} kernels;

// G = A^-1 in place by its factors L P L^T; rows whose pivot is rounding against what their diagonal was before any
// elimination count as 0. Returns how many were not.
HOL_INLINE int invert(const int n, double *A, const double *before)
{
    double L[SQUARE], pivot[HOL_BLOCK];
    int rank = 0;
    if (n == 2) { // written out; with one division for the next row to wait for
        const double a = A[0], b = A[1], c = A[3], det = a * c - b * b;
        if (a > DEPENDENT * before[0] && det > DEPENDENT * before[1] * a) {
            const double inverse = 1 / det;
            A[0] = c * inverse, A[1] = A[2] = -b * inverse, A[3] = a * inverse;
            return 2;
        }
        const bool first = a > DEPENDENT * before[0], second = !first && c > DEPENDENT * before[1];
        A[0] = first ? 1 / a : 0, A[1] = A[2] = 0, A[3] = second ? 1 / c : 0;
        return first || second;
    }
    for (int i = 0; i < n; i++) {
        double rest = A[i * n + i];
        for (int p = 0; p < i; p++) {
            double x = A[p * n + i]; // P L so far
            for (int q = 0; q < p; q++) x -= L[i * n + q] * A[q * n + p];
            L[i * n + p] = x * pivot[p];
            rest -= x * L[i * n + p];
            A[p * n + i] = x;
        }
        pivot[i] = rest > DEPENDENT * before[i] ? 1 / rest : 0;
        rank += pivot[i] != 0;
    }
    for (int c = 0; c < n; c++) { // columns of the inverse
        double z[HOL_BLOCK];
        for (int i = 0; i < n; i++) {
            z[i] = i == c;
            for (int p = c; p < i; p++) z[i] -= L[i * n + p] * z[p];
        }
        for (int i = n - 1; i >= 0; i--) {
            z[i] *= pivot[i];
            for (int p = i + 1; p < n; p++) z[i] -= L[p * n + i] * z[p];
            if (pivot[i] == 0) z[i] = 0;
        }
        for (int i = 0; i < n; i++) A[i * n + c] = z[i];
    }
    return rank;
}

// Rows of blocks of two are vectors of the machine.
typedef double two __attribute__((vector_size(2 * sizeof(double))));
static inline two get(const double *from)
{
    two x;
    memcpy(&x, from, sizeof x);
    return x;
}
static inline void put(two x, double *to) { memcpy(to, &x, sizeof x); }

// U = G B
HOL_INLINE void divide_sized(const int nk, const int ni, const double *restrict G, const double *restrict B,
                             double *restrict U)
{
    for (int p = 0; p < nk; p++) {
        double row[HOL_BLOCK] = {0};
        for (int q = 0; q < nk; q++)
            for (int c = 0; c < ni; c++) row[c] += G[p * nk + q] * B[q * ni + c];
        for (int c = 0; c < ni; c++) U[p * ni + c] = row[c];
    }
}

// to -= B^T U
HOL_INLINE void subtract_sized(const int nk, const int nj, const int ni, const double *restrict B,
                               const double *restrict U, double *restrict to)
{
    for (int r = 0; r < nj; r++) {
        double row[HOL_BLOCK];
        for (int c = 0; c < ni; c++) row[c] = to[r * ni + c];
        for (int p = 0; p < nk; p++)
            for (int c = 0; c < ni; c++) row[c] -= B[p * nj + r] * U[p * ni + c];
        for (int c = 0; c < ni; c++) to[r * ni + c] = row[c];
    }
}

// Where sizes differ, the common ones are constants all the same.
static void divide_5(const double *G, const double *B, double *U) { divide_sized(5, 5, G, B, U); }
static void subtract_5(const double *B, const double *U, double *to) { subtract_sized(5, 5, 5, B, U, to); }
static void divide_3(const double *G, const double *B, double *U) { divide_sized(3, 3, G, B, U); }
static void subtract_3(const double *B, const double *U, double *to) { subtract_sized(3, 3, 3, B, U, to); }

// U = G B for one block, by the case of its sizes that the compiler knows.
HOL_INLINE void divide(const int uniform, int nk, int ni, const double *G, const double *B, double *U)
{
    if (uniform)
        divide_sized(uniform, uniform, G, B, U);
    else if (nk == 5 && ni == 5)
        divide_5(G, B, U);
    else if (nk == 3 && ni == 3)
        divide_3(G, B, U);
    else
        divide_sized(nk, ni, G, B, U);
}

// to -= B^T U for one product, likewise.
HOL_INLINE void subtract(const int uniform, int nk, int nj, int ni, const double *B, const double *U,
                         double *to)
{
    if (uniform)
        subtract_sized(uniform, uniform, uniform, B, U, to);
    else if (nk == 5 && nj == 5 && ni == 5)
        subtract_5(B, U, to);
    else if (nk == 3 && nj == 3 && ni == 3)
        subtract_3(B, U, to);
    else
        subtract_sized(nk, nj, ni, B, U, to);
}

static int invert_5(double *A, const double *before) { return invert(5, A, before); }
static int invert_any(int n, double *A, const double *before)
{
    return n == 5 ? invert_5(A, before) : invert(n, A, before);
}

HOL_INLINE void remember(const hol_blocks *b, const int uniform, int reach, progress *o)
{
    for (; o->remembered < reach; o->remembered++) {
        const int n = uniform ? uniform : b->rows[o->remembered];
        const double *A = b->value + b->diagonal[o->remembered];
        for (int i = 0; i < n; i++) *o->value++ = A[i * (n + 1)];
    }
}

// Row k, uniform: rows of every block, known to the compiler; 0: they differ. Returns the target of the next product.
HOL_INLINE const unsigned *eliminate(const hol_blocks *b, const int uniform, int k, const unsigned *target)
{
    const int nk = uniform ? uniform : b->rows[k], begin = b->start[k];
    const double *G = b->value + b->diagonal[k];
    for (int e = b->start[k + 1] - 1; e >= begin; e--) { // from the end: the products need the B before it
        const int ni = uniform ? uniform : b->rows[b->behind[e]];
        double U[SQUARE], *own = b->value + b->at[e];
        const double *B = G + nk * nk;
        divide(uniform, nk, ni, G, own, U);
        for (int f = begin; f <= e; f++) {
            const int nj = uniform ? uniform : b->rows[b->behind[f]];
            subtract(uniform, nk, nj, ni, B, U, b->value + *target++);
            B += nk * nj;
        }
        for (int i = 0; i < nk * ni; i++) own[i] = U[i];
    }
    return target;
}

// x_i -= U_ki^T x_k
HOL_INLINE void pass_on(const hol_blocks *b, const int uniform, int k, double *x)
{
    const int nk = uniform ? uniform : b->rows[k];
    const double *U = b->value + b->diagonal[k] + nk * nk, *z = x + b->row[k];
    const double z0 = z[0], z1 = uniform == 2 ? z[1] : 0;
    for (int e = b->start[k], end = b->start[k + 1]; e < end; e++) {
        double *y = x + b->first[e];
        if (uniform == 2) {
            put(get(y) - z0 * get(U) - z1 * get(U + 2), y), U += 4;
            continue;
        }
        const int ni = uniform ? uniform : b->rows[b->behind[e]];
        for (int p = 0; p < nk; p++, U += ni)
            for (int q = 0; q < ni; q++) y[q] -= z[p] * U[q];
    }
}

// x_k <- G x_k - sum U_ki x_i
HOL_INLINE void gather(const hol_blocks *b, const int uniform, int k, double *x)
{
    const int nk = uniform ? uniform : b->rows[k];
    const double *G = b->value + b->diagonal[k], *U = G + nk * nk;
    double *z = x + b->row[k], y[HOL_BLOCK] = {0};
    for (int q = 0; q < nk; q++)
        for (int p = 0; p < nk; p++) y[p] += G[q * nk + p] * z[q];
    for (int e = b->start[k]; e < b->start[k + 1]; e++) {
        const int ni = uniform ? uniform : b->rows[b->behind[e]];
        const double *w = x + b->first[e];
        for (int p = 0; p < nk; p++, U += ni)
            for (int q = 0; q < ni; q++) y[p] -= U[q] * w[q];
    }
    for (int p = 0; p < nk; p++) z[p] = y[p];
}

// The same of blocks of two rows.
static inline void gather_2(const hol_blocks *b, int k, double *x)
{
    const double *G = b->value + b->diagonal[k], *U = G + 4;
    double *z = x + b->row[k];
    const double y0 = G[0] * z[0] + G[1] * z[1], y1 = G[2] * z[0] + G[3] * z[1];
    two s0 = {0}, s1 = {0}; // beside y: near a singular pose its terms are large and cancel
    for (int e = b->start[k], end = b->start[k + 1]; e < end; e++, U += 4) {
        const two w = get(x + b->first[e]);
        s0 += get(U) * w, s1 += get(U + 2) * w;
    }
    z[0] = y0 - (s0[0] + s0[1]), z[1] = y1 - (s1[0] + s1[1]);
}

#ifdef __x86_64__
// eliminate and pass_on of blocks of two rows, a block at a time, to the same bits.
__attribute__((target("avx2"))) static inline const unsigned *
eliminate_2_wide(const hol_blocks *b, int k, const unsigned *target, double *x)
{
    const long m = b->start[k + 1] - b->start[k];
    const int *first = b->first + b->start[k];
    double *const value = b->value, *const G = value + b->diagonal[k], *const behind = G + 4;
    const two g0 = {G[0], G[0]}, g1 = {G[1], G[1]}, g2 = {G[3], G[3]};
    two z = {0}, z0, z1;
    if (x) z = get(x + b->row[k]);
    z0 = (two){z[0], z[0]}, z1 = (two){z[1], z[1]};
    for (long e = m - 1; e >= 0; e--) {
        double *const own = behind + 4 * e;
        const two p = get(own), q = get(own + 2), u = g0 * p + g1 * q, v = g1 * p + g2 * q;
        const __m256d uu = _mm256_set_m128d(u, u), vv = _mm256_set_m128d(v, v);
        for (long f = 0; f <= e; f++) {
            double *to = value + target[f];
            const __m256d A = _mm256_loadu_pd(behind + 4 * f), rows = _mm256_loadu_pd(to);
            const __m256d upper = _mm256_permute4x64_pd(A, 0x50), lower = _mm256_permute4x64_pd(A, 0xfa);
            _mm256_storeu_pd(to, rows - upper * uu - lower * vv);
        }
        target += e + 1;
        put(u, own), put(v, own + 2);
        if (!x) continue;
        double *y = x + first[e];
        put(get(y) - z0 * u - z1 * v, y);
    }
    return target;
}
#endif

typedef const unsigned *eliminator(const hol_blocks *b, int k, const unsigned *target, double *x);

// Rows before `end`. own: for rows of this size, NULL: there is none.
HOL_INLINE void factor(const hol_blocks *b, const int uniform, eliminator *const own, int end, double *x,
                       progress *o)
{
    for (int k = o->row; k < end; k++) {
        const int n = uniform ? uniform : b->rows[k];
        double *G = b->value + b->diagonal[k];
        o->rank += uniform ? invert(uniform, G, o->before) : invert_any(n, G, o->before);
        o->before += n;
        o->target = own ? own(b, k, o->target, x) : eliminate(b, uniform, k, o->target);
        if (x && !own) pass_on(b, uniform, k, x);
    }
    o->row = end;
}

HOL_INLINE void solve_forward(const hol_blocks *b, const int uniform, double *x)
{
    for (int k = 0; k < b->size.n; k++) pass_on(b, uniform, k, x);
}

HOL_INLINE void solve_back(const hol_blocks *b, const int uniform, double *x)
{
    for (int k = b->size.n - 1; k >= 0; k--)
        if (uniform == 2)
            gather_2(b, k, x);
        else
            gather(b, uniform, k, x);
}

// One function for each common size, so that each has the registers to itself.
#define SIZED(n)                                                                                             \
    static void remember_##n(const hol_blocks *b, int reach, progress *o) { remember(b, n, reach, o); }      \
    static void solve_forward_##n(const hol_blocks *b, double *x) { solve_forward(b, n, x); }                \
    static void solve_back_##n(const hol_blocks *b, double *x) { solve_back(b, n, x); }                      \
    static void factor_##n(const hol_blocks *b, int end, double *x, progress *o)                             \
    {                                                                                                        \
        factor(b, n, NULL, end, x, o);                                                                       \
    }
#define KERNELS(n)                                                                                           \
    {                                                                                                        \
        remember_##n, factor_##n, solve_forward_##n, solve_back_##n                                          \
    }

SIZED(0)
SIZED(2)
SIZED(3)
SIZED(5)
static const kernels sized[] = {[0] = KERNELS(0), [2] = KERNELS(2), [3] = KERNELS(3), [5] = KERNELS(5)};

#ifdef __x86_64__
__attribute__((target("avx2"))) static void factor_2_wide(const hol_blocks *b, int end, double *x,
                                                          progress *o)
{
    factor(b, 2, eliminate_2_wide, end, x, o);
}
static const kernels wide = {remember_2, factor_2_wide, solve_forward_2, solve_back_2};
#endif

static const kernels *kernels_of(const hol_blocks *b)
{
#ifdef __x86_64__
    if (b->uniform == 2 && __builtin_cpu_supports("avx2")) return &wide;
#endif
    const bool common = b->uniform < HOL_COUNT(sized) && sized[b->uniform].factor;
    return &sized[common ? b->uniform : 0];
}

// Blocks that A has not and that begin before `end`; returns the next.
static const hol_blocks_run *set_zeros(const hol_blocks *b, const hol_blocks_run *f, size_t end)
{
    for (; f->length && f->begin < end; f++) {
        double *to = b->value + f->begin, *const last = to + f->length;
        if (b->uniform == 2) // short runs: no call for each
            do put((two){0}, to), put((two){0}, to + 2);
            while ((to += 4) < last);
        else
            while (to < last) *to++ = 0;
    }
    return f;
}

int hol_blocks_factor(hol_blocks *b, hol_blocks_setter *set, void *with, double *x)
{
    const kernels *const own = kernels_of(b);
    progress o = {.value = b->before, .before = b->before, .target = b->target};
    const hol_blocks_run *f = b->fill;
    size_t begin = 0;
    for (const hol_blocks_part *p = b->part; o.row < b->size.n; p++) {
        const size_t end = p->reach < b->size.n ? b->diagonal[p->reach] : b->size.numbers;
        f = set_zeros(b, f, end);
        if (end > begin) set(with, begin, end, b->value);
        begin = end;
        own->remember(b, p->reach, &o);
        own->factor(b, p->end, x, &o);
    }
    if (b->count) b->count->factorizations++;
    return o.rank;
}

void hol_blocks_solve(const hol_blocks *b, double *x)
{
    kernels_of(b)->solve_forward(b, x);
    hol_blocks_solve_back(b, x);
}

void hol_blocks_solve_back(const hol_blocks *b, double *x)
{
    if (b->count) b->count->solves++;
    kernels_of(b)->solve_back(b, x);
}
