// Transfer functions of a linearised motion as polynomials: poles and zeros that cancel are left out, the factor follows from the response
// at one point. docs/theory.md (22.8).
#include "analysis/linearise.h"
#include "linalg/state_space.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define ROUNDING 1e-14
#define SAME 1e-8 // distance of a pole and a zero that cancel, against their sizes

typedef struct {
    int n;
    double complex *at; //                                                                    (n)
} roots;

static double complex number(double re, double im)
{
    double complex z;
    memcpy(&z, (const double[2]){re, im}, sizeof z);
    return z;
}

static int nearest(const roots *z, double complex to)
{
    int best = -1;
    for (int j = 0; j < z->n; j++)
        if (best < 0 || cabs(z->at[j] - to) < cabs(z->at[best] - to)) best = j;
    return best;
}

// Leaves out pairs of a pole and a zero in one place.
static void cancel(roots *p, roots *z, double size)
{
    for (int i = 0; i < p->n; i++) {
        const int j = nearest(z, p->at[i]);
        if (j < 0) return;
        if (cabs(p->at[i] - z->at[j]) > SAME * (cabs(p->at[i]) + cabs(z->at[j]) + SAME * size)) continue;
        p->at[i--] = p->at[--p->n];
        z->at[j] = z->at[--z->n];
    }
}

// factor (s - r1) (s - r2) .., highest power first; roots are real or come as conjugates, so that the coefficients are real. Those that are
// rounding against the same of (s + |r1|) (s + |r2|) .. are 0.
static void multiply_out(const roots *r, double factor, double complex *room, double *out)
{
    memset(out, 0, (size_t)(r->n + 1) * sizeof *out);
    room[0] = factor;
    out[0] = fabs(factor);
    for (int i = 0; i < r->n; i++) {
        room[i + 1] = 0;
        for (int k = i + 1; k > 0; k--) {
            room[k] -= r->at[i] * room[k - 1];
            out[k] += cabs(r->at[i]) * out[k - 1];
        }
    }
    for (int i = 0; i <= r->n; i++) out[i] = fabs(creal(room[i])) <= ROUNDING * out[i] ? 0 : creal(room[i]);
}

static void sort(roots *r)
{
    for (int i = 1; i < r->n; i++)
        for (int k = i; k > 0 && cabs(r->at[k]) < cabs(r->at[k - 1]); k--) {
            const double complex x = r->at[k];
            r->at[k] = r->at[k - 1];
            r->at[k - 1] = x;
        }
}

// G(s0) prod (s0 - p)/prod (s0 - z) at s0 = i omega beyond all of them.
static hol_status find_factor(hol_context *ctx, const hol_linear *l, int pair, const roots *p, const roots *z,
                              double size, double *factor)
{
    const double omega = 2 * size;
    const size_t pairs = (size_t)l->n_y * (size_t)l->n_u;
    double *re = hol_calloc(ctx, 2 * pairs, sizeof *re), *im = re ? re + pairs : NULL;
    if (!re) return HOL_ERR_MEMORY;
    const hol_status st = hol_linear_respond(ctx, l, 1, &omega, re, im);
    double complex k = st ? 0 : number(re[pair], im[pair]);
    for (int i = 0; i < p->n; i++) k *= number(0, omega) - p->at[i];
    for (int i = 0; i < z->n; i++) k /= number(0, omega) - z->at[i];
    *factor = creal(k);
    hol_free(re);
    return st;
}

hol_status hol_linear_polynomials(hol_context *ctx, const hol_linear *l, int output, int input, int *degree,
                                  int *order, double *numerator, double *denominator)
{
    const size_t n = (size_t)l->n_x + 1;
    const hol_state_space all = hol_linear_system(l);
    double *re = hol_calloc(ctx, 2 * n, sizeof *re), *im = re ? re + n : NULL, size = 1e-3, factor = 0;
    double complex *room = re ? hol_calloc(ctx, 3 * n, sizeof *room) : NULL;
    if (!room) {
        hol_free(re);
        return HOL_ERR_MEMORY;
    }
    roots p = {l->n_x, room + n}, z = {0, room + 2 * n};
    hol_status st = hol_state_space_pair_zeros(ctx, &all, output, input, &z.n, re, im);
    const bool nothing = z.n < 0; // comes through
    if (nothing) z.n = p.n = 0;
    for (int i = 0; i < z.n; i++) z.at[i] = number(re[i], im[i]);
    for (int i = 0; i < p.n; i++) p.at[i] = number(l->pole_re[i], l->pole_im[i]);
    for (int i = 0; i < p.n; i++) size = fmax(size, cabs(p.at[i]));
    for (int i = 0; i < z.n; i++) size = fmax(size, cabs(z.at[i]));
    cancel(&p, &z, size);
    sort(&p);
    sort(&z);
    if (!st && !nothing) st = find_factor(ctx, l, input * l->n_y + output, &p, &z, size, &factor);
    multiply_out(&p, 1, room, denominator);
    multiply_out(&z, factor, room, numerator);
    *order = p.n;
    *degree = z.n;
    hol_free(room);
    hol_free(re);
    return st;
}
