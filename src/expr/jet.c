// Taylor arithmetic to order three. With a = sum a_k s^k and b = sum b_k s^k,
//     (a b)_k = sum_i a_i b_(k-i)                                                       (1)
//     (a/b)_k = (a_k - sum_(i>0) b_i (a/b)_(k-i)) / b_0                                 (2)
//     f(a)    = f0 + f1 d + f2 d^2 + f3 d^3,  d = a - a_0,  f_k = f^(k)(a_0)/k!         (3)
// A. Griewank, A. Walther: Evaluating Derivatives, 2nd ed., SIAM 2008, chapter 13.
#include "expr/jet.h"

hol_jet hol_jet_constant(hol_real value) { return (hol_jet){{value, 0, 0, 0}}; }

bool hol_jet_is_constant(const hol_jet *a) { return a->c[1] == 0 && a->c[2] == 0 && a->c[3] == 0; }

hol_jet hol_jet_add(hol_jet a, hol_jet b)
{
    for (int k = 0; k < 4; k++) a.c[k] += b.c[k];
    return a;
}

hol_jet hol_jet_sub(hol_jet a, hol_jet b)
{
    for (int k = 0; k < 4; k++) a.c[k] -= b.c[k];
    return a;
}

hol_jet hol_jet_affine(double a, hol_jet x, double b)
{
    for (int k = 0; k < 4; k++) x.c[k] *= a;
    x.c[0] += b;
    return x;
}

hol_jet hol_jet_mul(hol_jet a, hol_jet b)
{
    hol_jet p = {{0}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i <= k; i++) p.c[k] += a.c[i] * b.c[k - i]; // (1)
    return p;
}

hol_jet hol_jet_div(hol_jet a, hol_jet b)
{
    for (int k = 0; k < 4; k++) {
        for (int i = 1; i <= k; i++) a.c[k] -= b.c[i] * a.c[k - i]; // (2)
        a.c[k] /= b.c[0];
    }
    return a;
}

// A constant stays one even where f' is infinite: sqrt(max(0, time - 1)) is 0 with zero derivatives before 1.
hol_jet hol_jet_compose(const hol_real f[4], hol_jet a)
{
    if (hol_jet_is_constant(&a)) return hol_jet_constant(f[0]);
    const hol_real *d = a.c;
    return (hol_jet){{f[0], f[1] * d[1], f[1] * d[2] + f[2] * d[1] * d[1],
                      f[1] * d[3] + 2 * f[2] * d[1] * d[2] + f[3] * d[1] * d[1] * d[1]}}; // (3)
}

// ---- powers ------------------------------------------------------------------------------------------------

enum { LARGEST_PRODUCT = 64 }; // up to this exponent rounding errors of repeated products stay below exp/log

// x^n by repeated squaring: exact signs, valid at 0 and for a negative x.
static hol_real product_power(hol_real x, int n)
{
    hol_real p = 1;
    for (int left = n < 0 ? -n : n; left > 0; left /= 2) {
        if (left % 2) p *= x;
        if (left > 1) x *= x;
    }
    return n < 0 ? 1 / p : p;
}

// x^r for a constant exponent. NaN for a negative x unless r is an integer.
static hol_real power(hol_real x, double r)
{
    const bool integer = r == floor(r);
    if (integer && r >= -LARGEST_PRODUCT && r <= LARGEST_PRODUCT) return product_power(x, (int)r);
    if (x == 0) return r > 0 ? 0 : (double)INFINITY;
    if (hol_re(x) > 0) return pow(x, r);
    if (!integer) return (double)NAN;
    const bool odd = r / 2 != floor(r / 2);
    return odd ? -pow(-x, r) : pow(-x, r);
}

// a^r: f_k = r (r-1) .. (r-k+1)/k! a0^(r-k). A term whose factor is 0 is 0 even at a0 = 0.
static hol_jet constant_power(hol_jet a, double r)
{
    hol_real f[4];
    double factor = 1;
    for (int k = 0; k < 4; k++) {
        f[k] = factor == 0 ? 0 : factor * power(a.c[0], r - k);
        factor *= (r - k) / (k + 1);
    }
    return hol_jet_compose(f, a);
}

// a^b; with an exponent that varies it is exp(b log a), for a > 0 only.
hol_jet hol_jet_pow(hol_jet a, hol_jet b)
{
    const hol_real r = b.c[0];
    if (hol_jet_is_constant(&b) && r == hol_re(r)) return constant_power(a, hol_re(r));
    if (!(hol_re(a.c[0]) > 0)) return hol_jet_constant((double)NAN);
    const hol_real x = a.c[0];
    const hol_real log_a[4] = {log(x), 1 / x, -1 / (2 * x * x), 1 / (3 * x * x * x)};
    const hol_jet product = hol_jet_mul(b, hol_jet_compose(log_a, a));
    const hol_real y = exp(product.c[0]);
    const hol_real exp_product[4] = {y, y, y / 2, y / 6};
    return hol_jet_compose(exp_product, product);
}

// ---- the angle of (x, y) -----------------------------------------------------------------------------------

// NaN at the origin. Written with atan so that it holds for complex arguments too.
static hol_real angle(hol_real y, hol_real x)
{
    const double re_x = hol_re(x), re_y = hol_re(y);
    if (re_x == 0 && re_y == 0) return (double)NAN;
    if (re_y * re_y > re_x * re_x) return (re_y > 0 ? HOL_PI / 2 : -HOL_PI / 2) - atan(x / y);
    if (re_x > 0) return atan(y / x);
    return atan(y / x) + (re_y >= 0 ? HOL_PI : -HOL_PI);
}

// alpha' = (x y' - y x') / (x^2 + y^2), integrated term by term.
hol_jet hol_jet_atan2(hol_jet y, hol_jet x)
{
    hol_jet dx = {{0}}, dy = {{0}};
    for (int k = 0; k < 3; k++) {
        dx.c[k] = (k + 1) * x.c[k + 1];
        dy.c[k] = (k + 1) * y.c[k + 1];
    }
    const hol_jet moment = hol_jet_sub(hol_jet_mul(x, dy), hol_jet_mul(y, dx));
    const hol_jet square = hol_jet_add(hol_jet_mul(x, x), hol_jet_mul(y, y));
    const hol_jet rate = hol_jet_div(moment, square); // its last coefficient is not used
    return (hol_jet){{angle(y.c[0], x.c[0]), rate.c[0], rate.c[1] / 2, rate.c[2] / 3}};
}
