// Numbers that carry derivatives: a truncated Taylor series along one direction, and the gradient of each coefficient.
//
//     x(tau) = c0 + c1 tau + c2 tau^2 + c3 tau^3        c_k = x^(k)/k! along the direction
//     x_i(tau) = g0_i + g1_i tau + g2_i tau^2           the derivative by the i-th of n variables, along the same one
//
// A number is an array of hol_num_size(shape) values: c0..c3, then g0 (n), g1 (n), g2 (n) as far as the shape goes. One
// set of operations serves functions of time (n = 0), gradients of forces (order 0) and everything a constraint needs:
// with the direction w = y' the coefficients are f, f_y w, (f_y w)_y w / 2 and the gradients f_y, (f_y w)_y,
// ((f_y w)_y w)_y / 2. A. Griewank, A. Walther: Evaluating Derivatives, 2nd ed., SIAM 2008, chapters 3 and 13.
//
// Results may be the same array as an argument only where it is said.
#ifndef HOL_NUM_H
#define HOL_NUM_H

#include "base/base.h"

typedef struct hol_shape {
    int n;        // variables of the gradient
    int order;    // of the Taylor series, 0..3
    int gradient; // order of the gradient's series, 0..min(order, 2); n = 0: of no meaning
} hol_shape;

enum { HOL_NUM_VARIABLES = 96, HOL_NUM_MAX = 4 + 3 * HOL_NUM_VARIABLES };

static inline int hol_num_size(const hol_shape *s) { return 4 + s->n * (s->gradient + 1); }

void hol_num_constant(const hol_shape *s, hol_real value, hol_real *out);
// The i-th variable itself, with the value x and the rate r along the direction.
void hol_num_variable(const hol_shape *s, int i, hol_real x, hol_real r, hol_real *out);
// All of a number is a constant: its series and its gradient.
bool hol_num_is_constant(const hol_shape *s, const hol_real *a);
void hol_num_copy(const hol_shape *s, const hol_real *a, hol_real *out);
// Of these three, out may be an argument.
void hol_num_add(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out);
void hol_num_sub(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out);
void hol_num_affine(const hol_shape *s, double a, const hol_real *x, double b, hol_real *out); // a x + b
void hol_num_mul(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out);
void hol_num_div(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out);
// f(a) from f, f', f''/2, f'''/6 at a's value.
void hol_num_compose(const hol_shape *s, const hol_real f[4], const hol_real *a, hol_real *out);
// The coefficients of f that hol_num_compose needs: f^(k)/k! for k = 0 .. this.
static inline int hol_num_compose_order(const hol_shape *s)
{
    return s->n && s->gradient >= s->order ? s->gradient + 1 : s->order;
}
// a^b. For a <= 0 only with an exponent that is constant, and then an integer (or a = 0, b > 0).
void hol_num_pow(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out);
// The angle of the vector (x, y), -pi..pi; NaN at the origin.
void hol_num_atan2(const hol_shape *s, const hol_real *y, const hol_real *x, hol_real *out);
// The length of a vector. At the origin all derivatives are 0, so that a friction force is quiet at rest.
void hol_num_norm(const hol_shape *s, int count, const hol_real *const *x, hol_real *out);

#endif
