// Arithmetic of num.h. With a = sum a_k tau^k, b = sum b_k tau^k and the gradients a_i, b_i likewise,
//     (a b)_k = sum_m a_m b_(k-m),            (a b)_i = a_i b + a b_i                            (1)
//     (a/b)_k = (a_k - sum_(m>0) b_m (a/b)_(k-m)) / b_0,   (a/b)_i = (a_i - (a/b) b_i) / b       (2)
//     f(a)    = f0 + f1 d + f2 d^2 + f3 d^3,  d = a - a_0,  f(a)_i = f'(a) a_i                   (3)
#include "expr/num.h"

void hol_num_constant(const hol_shape *s, hol_real value, hol_real *out)
{
    const int size = hol_num_size(s);
    out[0] = value;
    for (int i = 1; i < size; i++) out[i] = 0;
}

void hol_num_variable(const hol_shape *s, int i, hol_real x, hol_real r, hol_real *out)
{
    hol_num_constant(s, x, out);
    out[1] = s->order > 0 ? r : 0;
    if (i >= 0 && i < s->n) out[4 + i] = 1;
}

bool hol_num_is_constant(const hol_shape *s, const hol_real *a)
{
    const int size = hol_num_size(s);
    for (int i = 1; i < size; i++)
        if (a[i] != 0) return false;
    return true;
}

void hol_num_copy(const hol_shape *s, const hol_real *a, hol_real *out)
{
    const int size = hol_num_size(s);
    for (int i = 0; i < size; i++) out[i] = a[i];
}

void hol_num_add(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out)
{
    const int size = hol_num_size(s);
    for (int i = 0; i < size; i++) out[i] = a[i] + b[i];
}

void hol_num_sub(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out)
{
    const int size = hol_num_size(s);
    for (int i = 0; i < size; i++) out[i] = a[i] - b[i];
}

void hol_num_affine(const hol_shape *s, double a, const hol_real *x, double b, hol_real *out)
{
    const int size = hol_num_size(s);
    for (int i = 0; i < size; i++) out[i] = a * x[i];
    out[0] += b;
}

// out_i += sum_m f_m a_i,(k-m) for every order k of the gradient; f a series
static void add_scaled_gradient(const hol_shape *s, const hol_real *f, const hol_real *a, hol_real *out)
{
    const int n = s->n;
    for (int k = 0; k <= s->gradient; k++)
        for (int m = 0; m <= k; m++) {
            const hol_real c = f[m];
            if (c == 0) continue;
            const hol_real *from = a + 4 + (k - m) * n;
            hol_real *to = out + 4 + k * n;
            for (int i = 0; i < n; i++) to[i] += c * from[i];
        }
}

static void clear_gradient(const hol_shape *s, hol_real *out)
{
    const int size = hol_num_size(s);
    for (int i = 4; i < size; i++) out[i] = 0;
}

void hol_num_mul(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out)
{
    if (s->order == 0 && a[0] != 0 && b[0] != 0) { // the same in one pass
        out[0] = a[0] * b[0];
        out[1] = out[2] = out[3] = 0;
        for (int i = 4; i < 4 + s->n; i++) out[i] = b[0] * a[i] + a[0] * b[i];
        return;
    }
    for (int k = 0; k < 4; k++) {
        out[k] = 0;
        for (int m = 0; m <= k && k <= s->order; m++) out[k] += a[m] * b[k - m];
    }
    clear_gradient(s, out);
    if (!s->n) return;
    add_scaled_gradient(s, b, a, out);
    add_scaled_gradient(s, a, b, out);
}

void hol_num_div(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out)
{
    hol_real q[4], minus[4], *g = out + 4;
    const int n = s->n;
    for (int k = 0; k < 4; k++) {
        q[k] = k <= s->order ? a[k] : 0;
        for (int m = 1; m <= k && k <= s->order; m++) q[k] -= b[m] * q[k - m];
        if (k <= s->order) q[k] /= b[0];
        minus[k] = -q[k];
    }
    for (int k = 0; k < 4; k++) out[k] = q[k];
    if (!n) return;
    for (int i = 0; i < n * (s->gradient + 1); i++) g[i] = a[4 + i];
    add_scaled_gradient(s, minus, b, out);
    for (int k = 0; k <= s->gradient; k++) // divided by the series b, from the lowest order upwards
        for (int i = 0; i < n; i++) {
            for (int m = 1; m <= k; m++) g[k * n + i] -= b[m] * g[(k - m) * n + i];
            g[k * n + i] /= b[0];
        }
}

// A constant stays one even where f' is infinite: sqrt(max(0, time - 1)) is 0 with zero derivatives before 1.
void hol_num_compose(const hol_shape *s, const hol_real f[4], const hol_real *a, hol_real *out)
{
    if (hol_num_is_constant(s, a)) {
        hol_num_constant(s, f[0], out);
        return;
    }
    const hol_real d1 = a[1], d2 = a[2], d3 = a[3];
    out[0] = f[0];
    out[1] = s->order > 0 ? f[1] * d1 : 0;
    out[2] = s->order > 1 ? f[1] * d2 + f[2] * d1 * d1 : 0;
    out[3] = s->order > 2 ? f[1] * d3 + 2 * f[2] * d1 * d2 + f[3] * d1 * d1 * d1 : 0;
    clear_gradient(s, out);
    if (!s->n) return;
    // f'(a) as a series: f1 + 2 f2 d + 3 f3 d^2
    const hol_real slope[4] = {f[1], s->order > 0 ? 2 * f[2] * d1 : 0,
                               s->order > 1 ? 2 * f[2] * d2 + 3 * f[3] * d1 * d1 : 0, 0};
    add_scaled_gradient(s, slope, a, out);
}

// ---- powers --------------------------------------------------------------------------------------------------

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

// x^r for a real exponent. NaN for a negative x unless r is an integer.
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
static void constant_power(const hol_shape *s, const hol_real *a, double r, hol_real *out)
{
    hol_real f[4] = {0};
    double factor = 1;
    for (int k = 0; k <= hol_num_compose_order(s) && factor != 0; k++) {
        f[k] = factor * power(a[0], r - k);
        factor *= (r - k) / (k + 1);
    }
    hol_num_compose(s, f, a, out);
}

// With an exponent that varies it is exp(b log a), for a > 0 only. The value is that of the constant exponent, so that it
// does not depend on the shape.
void hol_num_pow(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *out)
{
    const hol_real x = a[0], r = b[0];
    const bool real = r == hol_re(r);
    if (real && hol_num_is_constant(s, b)) {
        constant_power(s, a, hol_re(r), out);
        return;
    }
    if (!(hol_re(x) > 0)) {
        hol_num_constant(s, (double)NAN, out);
        return;
    }
    hol_real logarithm[HOL_NUM_MAX], product[HOL_NUM_MAX];
    const hol_real log_x[4] = {log(x), 1 / x, -1 / (2 * x * x), 1 / (3 * x * x * x)};
    hol_num_compose(s, log_x, a, logarithm);
    hol_num_mul(s, b, logarithm, product);
    const hol_real y = real ? power(x, hol_re(r)) : pow(x, r);
    const hol_real exp_product[4] = {y, y, y / 2, y / 6};
    hol_num_compose(s, exp_product, product, out);
}

// ---- the vector (x, y, ...) ----------------------------------------------------------------------------------

static hol_shape series_of(const hol_shape *s) { return (hol_shape){0, s->order, 0}; }

// Written with atan so that it holds for complex arguments too.
static hol_real angle(hol_real y, hol_real x)
{
    const double re_x = hol_re(x), re_y = hol_re(y);
    if (re_x == 0 && re_y == 0) return (double)NAN;
    if (fabs(re_y) > fabs(re_x)) return (re_y > 0 ? HOL_PI / 2 : -HOL_PI / 2) - atan(x / y);
    if (re_x > 0) return atan(y / x);
    return atan(y / x) + (re_y >= 0 ? HOL_PI : -HOL_PI);
}

// A power of two by which the squares of a vector neither overflow nor vanish; 0 for a vector of zeros.
static double square_scale(int count, const hol_real *const *x)
{
    double largest = 0;
    int exponent = 0;
    for (int j = 0; j < count; j++)
        if (!(fabs(hol_re(x[j][0])) <= largest)) largest = fabs(hol_re(x[j][0]));
    if (largest == 0 || !isfinite(largest)) return largest == 0 ? 0 : 1;
    if (largest > 1e-100 && largest < 1e100) return 1;
    frexp(largest, &exponent);
    return ldexp(1, exponent < -1000 ? 1000 : exponent > 1000 ? -1000 : -exponent);
}

// alpha' = u y' + v x' along the direction, integrated term by term, and alpha_i = u y_i + v x_i, with
// u = x/(x^2 + y^2) and v = -y/(x^2 + y^2)
void hol_num_atan2(const hol_shape *s, const hol_real *y, const hol_real *x, hol_real *out)
{
    const hol_shape series = series_of(s);
    const double scale = square_scale(2, (const hol_real *const[]){x, y});
    hol_real a[4], b[4], aa[4], bb[4], u[4], v[4];
    hol_num_affine(&series, scale, x, 0, a);
    hol_num_affine(&series, scale, y, 0, b);
    hol_num_mul(&series, a, a, aa);
    hol_num_mul(&series, b, b, bb);
    hol_num_add(&series, aa, bb, aa);
    hol_num_div(&series, a, aa, u);
    hol_num_div(&series, b, aa, v);
    hol_num_affine(&series, scale, u, 0, u);
    hol_num_affine(&series, -scale, v, 0, v);

    hol_num_constant(s, angle(y[0], x[0]), out);
    for (int k = 1; k <= s->order; k++) {
        for (int m = 0; m < k; m++) out[k] += (k - m) * (u[m] * y[k - m] + v[m] * x[k - m]);
        out[k] /= k;
    }
    if (!s->n) return;
    add_scaled_gradient(s, u, y, out);
    add_scaled_gradient(s, v, x, out);
}

// h = |x|, h_i = sum_j (x_j/h) x_j,i
void hol_num_norm(const hol_shape *s, int count, const hol_real *const *x, hol_real *out)
{
    const hol_shape series = series_of(s);
    const double scale = square_scale(count, x);
    hol_real a[4], h[4], square[4] = {0}, term[4], u[4];
    hol_num_constant(s, 0, out);
    if (scale == 0) return;
    for (int j = 0; j < count; j++) {
        hol_num_affine(&series, scale, x[j], 0, a);
        hol_num_mul(&series, a, a, term);
        hol_num_add(&series, square, term, square);
    }
    const hol_real q = square[0], root = sqrt(q);
    const hol_real f[4] = {root, 1 / (2 * root), -1 / (8 * root * q), 1 / (16 * root * q * q)};
    hol_num_compose(&series, f, square, h);
    for (int j = 0; j < count && s->n; j++) {
        hol_num_affine(&series, scale, x[j], 0, a);
        hol_num_div(&series, a, h, u);
        add_scaled_gradient(s, u, x[j], out);
    }
    for (int k = 0; k <= s->order; k++) out[k] = h[k] / scale;
}
