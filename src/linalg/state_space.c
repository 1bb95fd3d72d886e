// A linear system, dense. Frequency responses go by a Hessenberg form, n^2 operations each (A. J. Laub, Efficient multivariable
// frequency response computations, IEEE Trans. Automatic Control 26, 1981); zeros by reduction to a system whose D is regular
// (A. Emami-Naeini, P. Van Dooren, Computation of zeros of linear multivariable systems, Automatica 18, 1982).
#include "linalg/state_space.h"
#include "linalg/dense.h"
#include "linalg/graded.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING 1e-12  // of an entry against what it was computed from
#define FLAT 1e-11     // of a matrix with an eigenvalue 0: what exact derivatives leave of it
#define RANK 1e-13     // the same where entries that are rounding are 0 already
#define UNDAMPED 1e-14 // a real part against the imaginary one: rounding
enum { LONGEST = 4 };  // chain of an eigenvalue 0 that is looked for

// ---- reflections ----------------------------------------------------------------------------------------------

// x (n) becomes v of H = 1 - beta v v^T with H x = (alpha, 0, ..); beta.
static double reflection(int n, double *x, double *alpha)
{
    double sum = 0;
    for (int i = 1; i < n; i++) sum += x[i] * x[i];
    *alpha = n ? x[0] : 0;
    if (sum == 0) return 0;
    const double norm = sqrt(x[0] * x[0] + sum);
    *alpha = x[0] > 0 ? -norm : norm;
    x[0] -= *alpha;
    return 2 / (x[0] * x[0] + sum);
}

// H a, n rows from a on in columns ld apart.
static void reflect_rows(int n, const double *v, double beta, int cols, int ld, double *a)
{
    for (int j = 0; j < cols; j++) {
        double *column = a + (size_t)j * (size_t)ld, sum = 0;
        for (int i = 0; i < n; i++) sum += v[i] * column[i];
        for (int i = 0; i < n; i++) column[i] -= beta * sum * v[i];
    }
}

// a H, n columns from a on, of so many rows.
static void reflect_columns(int n, const double *v, double beta, int rows, int ld, double *a)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += a[(size_t)j * (size_t)ld + (size_t)i] * v[j];
        for (int j = 0; j < n; j++) a[(size_t)j * (size_t)ld + (size_t)i] -= beta * sum * v[j];
    }
}

// Q (rows x rows) whose first columns span those of a (rows x cols, destroyed), the largest first; how many are larger than least. v: (rows).
static int orthogonal(int rows, int cols, double *a, double least, double *v, double *Q)
{
    int rank = 0;
    memset(Q, 0, (size_t)rows * (size_t)rows * sizeof *Q);
    for (int i = 0; i < rows; i++) Q[(size_t)i * (size_t)rows + (size_t)i] = 1;
    for (; rank < rows && rank < cols; rank++) {
        int best = rank;
        double most = 0, alpha;
        for (int j = rank; j < cols; j++) {
            double sum = 0;
            for (int i = rank; i < rows; i++) sum += a[j * rows + i] * a[j * rows + i];
            if (sum > most) most = sum, best = j;
        }
        if (!(sqrt(most) > least)) break;
        for (int i = 0; i < rows; i++) {
            const double swap = a[rank * rows + i];
            a[rank * rows + i] = a[best * rows + i];
            a[best * rows + i] = swap;
        }
        const int n = rows - rank;
        memcpy(v, a + rank * rows + rank, (size_t)n * sizeof *v);
        const double beta = reflection(n, v, &alpha);
        reflect_rows(n, v, beta, cols - rank, rows, a + rank * rows + rank);
        reflect_columns(n, v, beta, rows, rows, Q + rank * rows);
    }
    return rank;
}

// out (rows x cols) = a^T b, a (inner x rows), b (inner x cols).
static void transposed_times(int rows, int inner, int cols, const double *a, const double *b, double *out)
{
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = 0; k < inner; k++) sum += a[i * inner + k] * b[j * inner + k];
            out[j * rows + i] = sum;
        }
}

// out (rows x cols) = a b, a (rows x inner).
static void times(int rows, int inner, int cols, const double *a, const double *b, double *out)
{
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = 0; k < inner; k++) sum += a[k * rows + i] * b[j * inner + k];
            out[j * rows + i] = sum;
        }
}

// ---- poles ----------------------------------------------------------------------------------------------------

typedef double _Complex number;
static const number imaginary = (number)_Complex_I;

typedef struct {
    double re, im;
    int at;
} root;

static int by_size(const void *a, const void *b)
{
    const root *x = a, *y = b;
    const double p = hypot(x->re, x->im), q = hypot(y->re, y->im);
    if (fabs(p - q) > 1e-13 * (p + q)) return p < q ? -1 : 1;
    if (fabs(x->re - y->re) > 1e-13 * (p + q)) return x->re < y->re ? -1 : 1;
    return x->im > y->im ? -1 : x->im < y->im;
}

void hol_state_space_unit(int n, double *re, double *im)
{
    number most = 1;
    double largest = 0;
    for (int i = 0; i < n; i++) {
        if (hypot(re[i], im[i]) <= largest * (1 + 1e-9)) continue;
        largest = hypot(re[i], im[i]);
        most = re[i] + im[i] * imaginary;
    }
    for (int i = 0; i < n; i++) {
        const number z = (re[i] + im[i] * imaginary) / most;
        re[i] = creal(z);
        im[i] = cimag(z);
    }
}

// The vector of an eigenvalue as LAPACK has it: of a pair real and imaginary part in two columns, for the one above.
static void take_vector(int n, const double *packed, const root *r, double *re, double *im)
{
    const int column = r->im < 0 ? r->at - 1 : r->at;
    for (int i = 0; i < n; i++) {
        re[i] = packed[column * n + i];
        im[i] = r->im > 0 ? packed[(column + 1) * n + i] : r->im < 0 ? -packed[(column + 1) * n + i] : 0;
    }
    hol_state_space_unit(n, re, im);
}

static double largest_of(int n, const double *a)
{
    double most = 0;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

// Diagonal similarity by powers of 2 after which rows and columns have alike lengths (E. E. Osborne, On pre-conditioning of matrices, J. ACM 7,
// 1960), each by at most 2^most: what moves nothing back to where it comes from would be scaled without end. scaled: (n).
static void balance(int n, double *a, double most, double *scaled)
{
    memset(scaled, 0, (size_t)n * sizeof *scaled);
    for (int turn = 0, changed = 1; changed && turn < 20; turn++) {
        changed = 0;
        for (int k = 0; k < n; k++) {
            double row = 0, column = 0;
            for (int i = 0; i < n; i++) {
                if (i == k) continue;
                row += fabs(a[(size_t)i * (size_t)n + (size_t)k]);
                column += fabs(a[(size_t)k * (size_t)n + (size_t)i]);
            }
            if (!(row > 0 && column > 0)) continue;
            const double want = scaled[k] + round(0.5 * log2(row / column)),
                         now = fmax(-most, fmin(most, want)), by = exp2(now - scaled[k]);
            if (by == 1) continue;
            scaled[k] = now;
            changed = 1;
            for (int i = 0; i < n; i++) {
                a[(size_t)i * (size_t)n + (size_t)k] /= by;
                a[(size_t)k * (size_t)n + (size_t)i] *= by;
            }
        }
    }
}

// States in units in which rows and columns of A compare, where that is more than one of them: what is slow keeps its digits beside what is
// fast. scaled: (n).
static void balance_system(int n, int nu, int ny, double *A, double *B, double *C, double *scaled)
{
    const double largest = largest_of(n, A);
    balance(n, A, largest > 1 ? ceil(log2(largest)) : 0, scaled);
    for (int i = 0; i < n; i++) {
        const double by = exp2(scaled[i]);
        for (int j = 0; j < nu; j++) B[(size_t)j * (size_t)n + (size_t)i] /= by;
        for (int j = 0; j < ny; j++) C[(size_t)i * (size_t)ny + (size_t)j] *= by;
    }
}

// Entries that are nothing against the largest of their row or column become 0: a balance would lift them. most: (2 n).
static void clean(int n, double *a, double *most)
{
    memset(most, 0, 2 * (size_t)n * sizeof *most);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double x = fabs(a[(size_t)j * (size_t)n + (size_t)i]);
            most[i] = fmax(most[i], x);
            most[n + j] = fmax(most[n + j], x);
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double *x = &a[(size_t)j * (size_t)n + (size_t)i];
            if (fabs(*x) < FLAT * fmax(most[i], most[n + j])) *x = 0;
        }
}

// scaled becomes a with rows and columns that compare; the coordinates of a those of its columns. by: (2 n).
static void equilibrate(int n, double *a, double *scaled, double *by)
{
    const size_t ld = (size_t)n;
    memcpy(scaled, a, ld * ld * sizeof *a);
    hol_graded_equilibrate(n, scaled, by + n, by);
    for (size_t j = 0; j < ld; j++)
        for (size_t i = 0; i < ld; i++) a[j * ld + i] *= by[j] / by[i];
}

// How often a (n x n, balanced, destroyed) has the eigenvalue 0, by kernels: what is left in their complements has the other eigenvalues
// (V. N. Kublanovskaya, On a method of solving the complete eigenvalue problem for a degenerate matrix, USSR Comp. Math. 6, 1966). *chain: how
// many kernels there are, the length of the longest chain. exact: no entry is rounding. room: (3 n^2 + 2 n).
static int count_zeros(int n, double *a, bool exact, double *room, int *chain)
{
    const double least = exact ? RANK : FLAT * largest_of(n, a);
    int left = n;
    for (*chain = 0; left > 0; (*chain)++) {
        const size_t square = (size_t)left * (size_t)left;
        double *Q = room, *T = room + square, *v = T + square;
        if (exact) equilibrate(left, a, Q, v);
        for (int i = 0; i < left; i++)
            for (int j = 0; j < left; j++)
                T[(size_t)i * (size_t)left + (size_t)j] =
                    (exact ? Q : a)[(size_t)j * (size_t)left + (size_t)i];
        const int rank =
            orthogonal(left, left, T, least, v, Q); // the first columns of Q are orthogonal to the kernel
        if (rank == left) break;
        times(left, left, rank, a, Q, T);
        transposed_times(rank, left, rank, Q, T, a);
        left = rank;
    }
    return n - left;
}

// An eigenvalue 0 with a chain of this length is found so far off.
static double spread(int chain, double size) { return 30 * size * pow(1e-13, 1.0 / chain); }

// Eigenvalues that none of `kept` (n_kept) is near become 0 where rounding may have spread them from it, up to `far`.
static void clear_others(int n, root *all, int n_kept, const double *re, const double *im, bool *taken,
                         double far)
{
    memset(taken, 0, (size_t)n * sizeof *taken);
    for (int k = 0; k < n_kept; k++) {
        int best = -1;
        double least = HUGE_VAL;
        for (int i = 0; i < n; i++) {
            const double apart = hypot(all[i].re - re[k], all[i].im - im[k]);
            if (taken[i] || !(apart < least)) continue;
            least = apart;
            best = i;
        }
        if (best >= 0) taken[best] = true;
    }
    for (int i = 0; i < n; i++)
        if (!taken[i] && hypot(all[i].re, all[i].im) < far) {
            all[i].at -= all[i].im < 0; // of a pair both have the real part of the vector
            all[i].re = all[i].im = 0;
        }
}

// Of eigenvalues sorted by size those that are 0 but for rounding, which spreads those of chains far, become 0. a: the matrix.
static hol_status clear_zeros(hol_context *ctx, int n, const double *a, bool exact, root *sorted)
{
    const size_t square = (size_t)n * (size_t)n, length = (size_t)n;
    double *copy = hol_calloc(ctx, 4 * square + 2 * length + 1, sizeof *copy),
           *room = copy ? copy + square : NULL;
    bool *taken = copy ? hol_calloc(ctx, length + 1, sizeof *taken) : NULL;
    hol_status st = taken ? HOL_OK : HOL_ERR_MEMORY;
    double size = 0;
    if (!st && n) {
        memcpy(copy, a, square * sizeof *copy);
        if (!exact) clean(n, copy, room);
        balance(n, copy, ceil(fmax(0, log2(hypot(sorted[n - 1].re, sorted[n - 1].im)))), room);
        size = largest_of(n, copy);
    }
    if (!st && n && hypot(sorted[0].re, sorted[0].im) < spread(LONGEST, size)) {
        int chain;
        const int left = n - count_zeros(n, copy, exact, room, &chain);
        if (left < n && left > 0) st = hol_graded_eigen_general(ctx, left, copy, room, room + length, NULL);
        if (!st && left < n) clear_others(n, sorted, left, room, room + length, taken, spread(chain, size));
    }
    for (int i = 0; i < n && !st; i++)
        if (fabs(sorted[i].re) < UNDAMPED * fabs(sorted[i].im)) sorted[i].re = 0;
    hol_free(taken);
    hol_free(copy);
    return st;
}

// The eigenvalues of a (n x n, destroyed), sorted, with their vectors or NULL.
static hol_status eigenvalues(hol_context *ctx, int n, double *a, bool exact, double *re, double *im,
                              double *vector_re, double *vector_im)
{
    const size_t square = (size_t)n * (size_t)n;
    root *all = hol_calloc(ctx, (size_t)n + 1, sizeof *all);
    double *packed = all ? hol_calloc(ctx, 2 * square + 1, sizeof *packed) : NULL,
           *kept = packed ? packed + square : NULL;
    hol_status st = packed ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) memcpy(kept, a, square * sizeof *kept);
    if (!st && n) st = hol_graded_eigen_general(ctx, n, a, re, im, vector_re ? packed : NULL);
    for (int i = 0; i < n && !st; i++) all[i] = (root){re[i], im[i], i};
    if (!st) qsort(all, (size_t)n, sizeof *all, by_size);
    if (!st) st = clear_zeros(ctx, n, kept, exact, all);
    if (!st) qsort(all, (size_t)n, sizeof *all, by_size);
    for (int i = 0; i < n && !st; i++) {
        re[i] = all[i].re;
        im[i] = all[i].im;
        if (vector_re) take_vector(n, packed, &all[i], vector_re + i * n, vector_im + i * n);
    }
    hol_free(packed);
    hol_free(all);
    return st;
}

hol_status hol_state_space_poles(hol_context *ctx, const hol_state_space *s, double *re, double *im,
                                 double *vector_re, double *vector_im)
{
    const size_t square = (size_t)s->n * (size_t)s->n;
    double *a = hol_calloc(ctx, square + 1, sizeof *a);
    if (!a) return HOL_ERR_MEMORY;
    memcpy(a, s->A, square * sizeof *a);
    const hol_status st = eigenvalues(ctx, s->n, a, s->exact, re, im, vector_re, vector_im);
    hol_free(a);
    return st;
}

// ---- zeros ----------------------------------------------------------------------------------------------------

// A system that becomes smaller, all arrays packed; outputs are at most as many as inputs.
typedef struct {
    int n, m, p;
    double *A, *B, *C, *D, *Q, *v, *work, *other;
    double sizes[2]; // below which rows of D and of C are nothing
} pencil;

// Outputs turned so that the last rows of D are 0; how many are not.
static int compress_outputs(pencil *s)
{
    const size_t d = (size_t)(s->p * s->m), c = (size_t)(s->p * s->n);
    memcpy(s->work, s->D, d * sizeof *s->D);
    const int rank = orthogonal(s->p, s->m, s->work, s->sizes[0], s->v, s->Q);
    transposed_times(s->p, s->p, s->m, s->Q, s->D, s->work);
    memcpy(s->D, s->work, d * sizeof *s->D);
    transposed_times(s->p, s->p, s->n, s->Q, s->C, s->work);
    memcpy(s->C, s->work, c * sizeof *s->C);
    return rank;
}

// The last outputs, which hang on states alone, are 0: states stay in their kernel V, and what would leave it, W^T (A V z + B u) = 0, takes their
// place. How many there are of these.
static int restrict_states(pencil *s, int rank)
{
    const int n = s->n, m = s->m, rows = s->p - rank;
    double *T = s->work;
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += pow(s->C[j * s->p + rank + i], 2);
        const double by = sqrt(sum) > s->sizes[1] ? 1 / sqrt(sum) : 0; // each is 0 by itself
        for (int j = 0; j < n; j++) T[i * n + j] = by * s->C[j * s->p + rank + i];
    }
    const int fixed = orthogonal(n, rows, T, NOTHING, s->v, s->Q), left = n - fixed, p = rank + fixed;
    const double *W = s->Q, *V = s->Q + fixed * n;
    double *AV = s->work, *C = s->other, *D = C + p * left;
    times(n, n, left, s->A, V, AV);
    for (int j = 0; j < left; j++)
        for (int i = 0; i < rank; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += s->C[k * s->p + i] * V[j * n + k];
            C[j * p + i] = sum;
        }
    for (int i = 0; i < fixed; i++) {
        for (int j = 0; j < left; j++) transposed_times(1, n, 1, W + i * n, AV + j * n, &C[j * p + rank + i]);
        for (int j = 0; j < m; j++) transposed_times(1, n, 1, W + i * n, s->B + j * n, &D[j * p + rank + i]);
    }
    for (int j = 0; j < m; j++)
        for (int i = 0; i < rank; i++) D[j * p + i] = s->D[j * s->p + i];
    transposed_times(left, n, left, V, AV, s->A);
    memcpy(s->C, C, (size_t)(p * left) * sizeof *C);
    memcpy(s->D, D, (size_t)(p * m) * sizeof *D);
    transposed_times(left, n, m, V, s->B, s->work);
    memcpy(s->B, s->work, (size_t)(left * m) * sizeof *s->B);
    s->n = left;
    s->p = p;
    return fixed;
}

// The columns of (B; D) and the rows of (C D) by their lengths, which leaves the zeros where they are.
static void scale(pencil *s)
{
    double norm = 0;
    for (int j = 0; j < s->m; j++) {
        double sum = 0;
        for (int i = 0; i < s->n; i++) sum += pow(s->B[j * s->n + i], 2);
        for (int i = 0; i < s->p; i++) sum += pow(s->D[j * s->p + i], 2);
        const double by = sum > 0 ? 1 / sqrt(sum) : 1;
        for (int i = 0; i < s->n; i++) s->B[j * s->n + i] *= by;
        for (int i = 0; i < s->p; i++) s->D[j * s->p + i] *= by;
    }
    for (int i = 0; i < s->p; i++) {
        double sum = 0;
        for (int j = 0; j < s->n; j++) sum += pow(s->C[j * s->p + i], 2);
        for (int j = 0; j < s->m; j++) sum += pow(s->D[j * s->p + i], 2);
        const double by = sum > 0 ? 1 / sqrt(sum) : 1;
        for (int j = 0; j < s->n; j++) s->C[j * s->p + i] *= by;
        for (int j = 0; j < s->m; j++) s->D[j * s->p + i] *= by;
    }
    for (int i = 0; i < s->n * s->n; i++) norm += s->A[i] * s->A[i];
    s->sizes[0] = NOTHING;
    s->sizes[1] = NOTHING * fmax(1, sqrt(norm));
}

// Smaller systems with the same zeros, until D is regular: then they are the eigenvalues of A - B D^-1 C.
static hol_status find_zeros(hol_context *ctx, pencil *s, int *count, double *re, double *im)
{
    int *pivot = NULL;
    scale(s);
    for (int rank; (rank = compress_outputs(s)) < s->p;)
        if (!restrict_states(s, rank)) return *count = -1, HOL_OK;
    if (s->p < s->m) return *count = -1, HOL_OK;
    *count = s->n;
    pivot = hol_calloc(ctx, (size_t)s->m + 1, sizeof *pivot);
    if (!pivot) return HOL_ERR_MEMORY;
    hol_status st = hol_dense_lu_factor(ctx, s->m, s->D, pivot);
    if (!st) st = hol_dense_lu_solve(ctx, s->m, s->D, pivot, false, s->n, s->C);
    if (!st) {
        times(s->n, s->m, s->n, s->B, s->C, s->work);
        for (int i = 0; i < s->n * s->n; i++) s->A[i] -= s->work[i];
        st = eigenvalues(ctx, s->n, s->A, false, re, im, NULL, NULL);
    }
    hol_free(pivot);
    return st;
}

hol_status hol_state_space_zeros(hol_context *ctx, const hol_state_space *from, int *count, double *re,
                                 double *im)
{
    const size_t n = (size_t)from->n, m = (size_t)from->nu, most = n + m + 1;
    pencil s = {.n = from->n, .m = from->nu, .p = from->ny};
    double *memory = hol_calloc(ctx, n * n + 2 * n * m + m * m + 3 * most * most + most, sizeof *memory),
           *at = memory;
    if (!memory) return HOL_ERR_MEMORY;
    s.A = at, at += n * n;
    s.B = at, at += n * m;
    s.C = at, at += n * m;
    s.D = at, at += m * m;
    s.Q = at, at += most * most;
    s.work = at, at += most * most;
    s.other = at, at += most * most;
    s.v = at;
    memcpy(s.A, from->A, n * n * sizeof *s.A);
    memcpy(s.B, from->B, n * m * sizeof *s.B);
    memcpy(s.C, from->C, n * m * sizeof *s.C);
    memcpy(s.D, from->D, m * m * sizeof *s.D);
    balance_system(s.n, s.m, s.p, s.A, s.B, s.C, s.v);
    const hol_status st = m ? find_zeros(ctx, &s, count, re, im) : (*count = -1, HOL_OK);
    hol_free(memory);
    return st;
}

hol_status hol_state_space_pair_zeros(hol_context *ctx, const hol_state_space *s, int output, int input,
                                      int *count, double *re, double *im)
{
    const size_t n = (size_t)s->n, ny = (size_t)s->ny;
    double *C = hol_calloc(ctx, n + 1, sizeof *C);
    if (!C) return HOL_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) C[i] = s->C[i * ny + (size_t)output];
    const hol_state_space one = {
        s->n, 1, 1, s->A, s->B + (size_t)input * n, C, s->D + (size_t)input * ny + output, false};
    const hol_status st = hol_state_space_zeros(ctx, &one, count, re, im);
    hol_free(C);
    return st;
}

// ---- frequency response ---------------------------------------------------------------------------------------

// A to Hessenberg form H = Q^T A Q in place, with Q^T B and C Q.
static void to_hessenberg(int n, int nu, int ny, double *A, double *B, double *C, double *v)
{
    for (int k = 0; k + 2 < n; k++) {
        const int m = n - k - 1;
        double alpha;
        memcpy(v, A + (size_t)k * (size_t)n + k + 1, (size_t)m * sizeof *v);
        const double beta = reflection(m, v, &alpha);
        if (beta == 0) continue;
        reflect_rows(m, v, beta, n, n, A + k + 1);
        reflect_columns(m, v, beta, n, n, A + (size_t)(k + 1) * (size_t)n);
        reflect_rows(m, v, beta, nu, n, B + k + 1);
        reflect_columns(m, v, beta, ny, ny, C + (size_t)(k + 1) * (size_t)ny);
    }
}

// (z - H) X = B by elimination of one subdiagonal, larger pivots first; M (n x n), X (n x nu). false: singular.
static bool solve_hessenberg(int n, int nu, const double *H, number z, const double *B, number *M, number *X)
{
    const size_t ld = (size_t)n;
    for (size_t i = 0; i < ld * ld; i++) M[i] = -H[i];
    for (size_t i = 0; i < ld; i++) M[i * ld + i] += z;
    for (size_t i = 0; i < ld * (size_t)nu; i++) X[i] = B[i];
    for (int k = 0; k + 1 < n; k++) {
        const bool swap = cabs(M[(size_t)k * ld + k + 1]) > cabs(M[(size_t)k * ld + k]);
        for (int j = k; j < n + nu && swap; j++) {
            number *column = j < n ? M + (size_t)j * ld : X + (size_t)(j - n) * ld, was = column[k];
            column[k] = column[k + 1];
            column[k + 1] = was;
        }
        if (cabs(M[(size_t)k * ld + k]) == 0) return false;
        const number f = M[(size_t)k * ld + k + 1] / M[(size_t)k * ld + k];
        for (int j = k; j < n; j++) M[(size_t)j * ld + k + 1] -= f * M[(size_t)j * ld + k];
        for (int j = 0; j < nu; j++) X[(size_t)j * ld + k + 1] -= f * X[(size_t)j * ld + k];
    }
    for (int j = 0; j < nu; j++)
        for (int k = n - 1; k >= 0; k--) {
            number sum = X[(size_t)j * ld + k];
            for (int i = k + 1; i < n; i++) sum -= M[(size_t)i * ld + k] * X[(size_t)j * ld + i];
            if (cabs(M[(size_t)k * ld + k]) == 0) return false;
            X[(size_t)j * ld + k] = sum / M[(size_t)k * ld + k];
        }
    return true;
}

// The system in Hessenberg form, with room to solve.
typedef struct {
    const hol_state_space *s;
    double *A, *B, *C, *v;
    number *M, *X;
} form;

// States from the fastest to the slowest, where they differ by much: to reduce them leaves slow ones their digits.
static hol_status put_in_order(hol_context *ctx, form *f)
{
    const size_t n = (size_t)f->s->n, nu = (size_t)f->s->nu, ny = (size_t)f->s->ny;
    int *order = hol_calloc(ctx, n + 1, sizeof *order);
    double *kept = order ? hol_calloc(ctx, n * (n + nu + ny) + 1, sizeof *kept) : NULL;
    const hol_status st = kept ? HOL_OK : HOL_ERR_MEMORY;
    if (!st && hol_graded_order(f->s->n, f->A, order, f->v)) {
        const double *A = kept, *B = A + n * n, *C = B + n * nu;
        memcpy(kept, f->A, n * (n + nu + ny) * sizeof *kept); // they follow one another
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < n; i++) f->A[j * n + i] = A[(size_t)order[j] * n + (size_t)order[i]];
            for (size_t i = 0; i < nu; i++) f->B[i * n + j] = B[i * n + (size_t)order[j]];
            memcpy(f->C + j * ny, C + (size_t)order[j] * ny, ny * sizeof *C);
        }
    }
    hol_free(kept);
    hol_free(order);
    return st;
}

// A copy, reduced once.
static hol_status form_create(hol_context *ctx, const hol_state_space *s, form *f)
{
    const size_t n = (size_t)s->n, nu = (size_t)s->nu, ny = (size_t)s->ny;
    *f = (form){.s = s, .A = hol_calloc(ctx, n * n + n * nu + ny * n + n + 1, sizeof *f->A)};
    f->M = f->A ? hol_calloc(ctx, n * n + n * nu + 1, sizeof *f->M) : NULL;
    if (!f->M) return HOL_ERR_MEMORY;
    f->B = f->A + n * n;
    f->C = f->B + n * nu;
    f->v = f->C + ny * n;
    f->X = f->M + n * n;
    memcpy(f->A, s->A, n * n * sizeof *f->A);
    memcpy(f->B, s->B, n * nu * sizeof *f->B);
    memcpy(f->C, s->C, ny * n * sizeof *f->C);
    balance_system(s->n, s->nu, s->ny, f->A, f->B, f->C, f->v);
    const hol_status st = put_in_order(ctx, f);
    if (!st) to_hessenberg(s->n, s->nu, s->ny, f->A, f->B, f->C, f->v);
    return st;
}

static void form_destroy(form *f)
{
    hol_free(f->M);
    hol_free(f->A);
}

// G(z) (ny x nu). false: z is a pole.
static bool form_at(const form *f, number z, number *out)
{
    const size_t n = (size_t)f->s->n, ny = (size_t)f->s->ny;
    if (!solve_hessenberg(f->s->n, f->s->nu, f->A, z, f->B, f->M, f->X)) return false;
    for (size_t j = 0; j < (size_t)f->s->nu; j++)
        for (size_t i = 0; i < ny; i++) {
            number sum = f->s->D[j * ny + i];
            for (size_t k = 0; k < n; k++) sum += f->C[k * ny + i] * f->X[j * n + k];
            out[j * ny + i] = sum;
        }
    return true;
}

hol_status hol_state_space_response(hol_context *ctx, const hol_state_space *s, int count,
                                    const double *omega, double *re, double *im)
{
    const size_t pairs = (size_t)s->ny * (size_t)s->nu;
    form f;
    hol_status st = form_create(ctx, s, &f);
    number *G = st ? NULL : hol_calloc(ctx, pairs + 1, sizeof *G);
    if (!st && !G) st = HOL_ERR_MEMORY;
    for (int k = 0; k < count && !st; k++) {
        const bool regular = form_at(&f, omega[k] * imaginary, G);
        for (size_t i = 0; i < pairs; i++) {
            re[(size_t)k * pairs + i] = regular ? creal(G[i]) : (double)INFINITY;
            im[(size_t)k * pairs + i] = regular ? cimag(G[i]) : 0;
        }
    }
    hol_free(G);
    form_destroy(&f);
    return st;
}

// ---- gain -----------------------------------------------------------------------------------------------------

// The radius of a circle that has the poles 0 alone in it; 0: there are none.
static double circle_around_zero(const hol_state_space *s, const double *re, const double *im)
{
    double largest = 0, next = 0;
    bool any = false;
    for (int i = 0; i < s->n * s->n; i++) largest = fmax(largest, fabs(s->A[i]));
    const double noise = 30 * sqrt(2.2e-16 * largest); // a double pole 0 is found so far off
    for (int i = 0; i < s->n; i++) {
        const double size = hypot(re[i], im[i]);
        any = any || size == 0;
        if (size > 0 && (next == 0 || size < next)) next = size;
    }
    return !any ? 0 : next > 0 ? sqrt(next * fmin(fmax(noise, next / 64), next / 4)) : 1;
}

// The mean of G over a circle around 0 is G(0) if G has no pole there, whatever A has; means of z G, z^2 G, .. are 0 then.
static hol_status gain_by_circle(hol_context *ctx, const hol_state_space *s, double radius, double *gain)
{
    enum { POINTS = 64, ORDERS = 4 };
    const size_t pairs = (size_t)s->ny * (size_t)s->nu;
    form f;
    hol_status st = form_create(ctx, s, &f);
    number *G = st ? NULL : hol_calloc(ctx, (ORDERS + 1) * pairs + 1, sizeof *G), *mean = G + pairs;
    double *most = G ? hol_calloc(ctx, pairs + 1, sizeof *most) : NULL;
    if (!st && !most) st = HOL_ERR_MEMORY;
    for (int k = 0; k < POINTS && !st; k++) {
        const double angle = 2 * HOL_PI * (k + 0.5) / POINTS;
        const number turn = cos(angle) + sin(angle) * imaginary;
        if (!form_at(&f, radius * turn, G)) st = HOL_RECOVERABLE;
        for (size_t i = 0; i < pairs && !st; i++) {
            number power = 1;
            most[i] = fmax(most[i], cabs(G[i]));
            for (size_t m = 0; m < ORDERS; m++, power *= turn) mean[m * pairs + i] += power * G[i] / POINTS;
        }
    }
    for (size_t i = 0; i < pairs && !st; i++) {
        gain[i] = fabs(creal(mean[i])) > 1e-8 * most[i] ? creal(mean[i]) : 0;
        for (size_t m = 1; m < ORDERS; m++)
            if (cabs(mean[m * pairs + i]) > 1e-8 * most[i]) gain[i] = (double)INFINITY;
    }
    hol_free(most);
    hol_free(G);
    form_destroy(&f);
    return st;
}

// Where nothing comes through there is no gain, whatever poles there are.
static hol_status clear_gain(hol_context *ctx, const hol_state_space *s, double *gain)
{
    hol_status st = HOL_OK;
    double *re = hol_calloc(ctx, 2 * (size_t)s->n + 1, sizeof *re);
    if (!re) return HOL_ERR_MEMORY;
    for (int j = 0; j < s->nu && !st; j++)
        for (int i = 0; i < s->ny && !st; i++) {
            int count = 0;
            if (isfinite(gain[j * s->ny + i])) continue;
            st = hol_state_space_pair_zeros(ctx, s, i, j, &count, re, re + s->n);
            if (!st && count < 0) gain[j * s->ny + i] = 0;
        }
    hol_free(re);
    return st;
}

hol_status hol_state_space_gain(hol_context *ctx, const hol_state_space *s, const double *pole_re,
                                const double *pole_im, double *gain)
{
    const double radius = circle_around_zero(s, pole_re, pole_im);
    if (radius > 0) {
        const hol_status circled = gain_by_circle(ctx, s, radius, gain);
        return circled ? circled : clear_gain(ctx, s, gain);
    }
    form f;
    const size_t pairs = (size_t)s->ny * (size_t)s->nu;
    hol_status st = form_create(ctx, s, &f);
    number *G = st ? NULL : hol_calloc(ctx, pairs + 1, sizeof *G);
    if (!st && !G) st = HOL_ERR_MEMORY;
    if (!st && !form_at(&f, 0, G)) st = HOL_RECOVERABLE;
    for (size_t i = 0; i < pairs && !st; i++) gain[i] = creal(G[i]);
    hol_free(G);
    form_destroy(&f);
    return st;
}
