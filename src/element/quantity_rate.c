// First and second time derivatives of a measure F(y) of positions, from its derivatives along directions:
//
//     F' = F_y w            by y: F_yy w                    by w: F_y
//     F'' = F_y b + F_yy w w    by y: F_yy b + F_yyy w w    by w: 2 F_yy w    by b: F_y                          (8.51)
//
// Along (dy, dw) the rate changes by F_yy w dy + F_y dw. Terms with two directions come from squares: 4 F_yyy w dy =
// F_yyy (w + dy)^2 - F_yyy (w - dy)^2.
#include "element/quantity.h"

// What a rate is taken of, and where.
typedef struct {
    hol_quantity position;
    int ny;
    const hol_real *y;
} source;

// F with the coefficients of its series along d and their gradients by y up to `order`.
static void along(const source *from, int order, const hol_real *d, hol_real *out)
{
    static const int slots[3] = {0, -1, -1};
    const hol_shape shape = {.n = from->ny, .order = order, .gradient = order};
    hol_quantity_eval(&from->position, &shape, from->ny, from->y, NULL, NULL, d, NULL, slots, out);
}

// g += c row, as far as these derivatives are wanted at this order
static void add(const hol_shape *s, int order, int slot, int ny, double c, const hol_real *row, hol_real *out)
{
    if (!s->n || slot < 0 || order > s->gradient) return;
    hol_real *g = out + 4 + order * s->n + slot;
    for (int j = 0; j < ny; j++) g[j] += c * row[j];
}

static hol_real dot(int ny, const hol_real *a, const hol_real *b)
{
    hol_real sum = 0;
    for (int j = 0; j < ny; j++) sum += a[j] * b[j];
    return sum;
}

// How F' changes along (dy, dw). x: F along w.
static void change(const source *from, const hol_shape *s, const hol_real *x, const hol_real *w,
                   const hol_real *dy, const hol_real *dw, const int slots[3], hol_real *out)
{
    const int ny = from->ny;
    hol_real sum[HOL_MAX_Y], difference[HOL_MAX_Y], z[HOL_NUM_MAX];
    out[1] = dot(ny, x + 4 + ny, dy) + dot(ny, x + 4, dw);
    if (!s->n || s->gradient < 1) return;
    for (int j = 0; j < ny; j++) {
        sum[j] = w[j] + dy[j];
        difference[j] = w[j] - dy[j];
    }
    along(from, 2, sum, z);
    add(s, 1, slots[0], ny, 0.5, z + 4 + 2 * ny, out); // coefficients are halves of second derivatives
    along(from, 2, difference, z);
    add(s, 1, slots[0], ny, -0.5, z + 4 + 2 * ny, out);
    along(from, 1, dw, z);
    add(s, 1, slots[0], ny, 1, z + 4 + ny, out);
    along(from, 1, dy, z);
    add(s, 1, slots[1], ny, 1, z + 4 + ny, out);
}

// The swing at its kink, where X, the components of z across z of `from`, are 0: as it goes on from there,
//
//     |X|' = |X'|,      |X|'' = X'.X''/|X'|, at rest |X''|;      at pi the swing falls as |X| grows               (8.51a)
static void rate_at_kink(const hol_quantity *m, int sign, const hol_shape *shape, int ny, const hol_real *y,
                         const hol_real *w, const hol_real *b, const hol_real *dy, const hol_real *dw,
                         const int slots[3], hol_real *out)
{
    hol_real X[2][2][HOL_NUM_MAX], speed[HOL_NUM_MAX], product[2][HOL_NUM_MAX];
    hol_quantity part = *m;
    for (part.rate = 1; part.rate <= m->rate; part.rate++)
        for (int i = 0; i < 2; i++) {
            part.what = (hol_quantity_kind)(HOL_QUANTITY_TILT_X + i);
            hol_quantity_rate(&part, shape, ny, y, w, b, dy, dw, slots, X[part.rate - 1][i]);
        }
    const hol_real *const rate[2] = {X[0][0], X[0][1]}, *const accel[2] = {X[1][0], X[1][1]};
    hol_num_norm(shape, 2, rate, m->rate == 1 ? out : speed);
    if (m->rate == 2) {
        hol_num_norm(shape, 2, accel, out);
        const double v = hol_re(speed[0]);
        if (v * v > HOL_QUANTITY_STRAIGHT * hol_re(out[0])) {
            for (int i = 0; i < 2; i++) hol_num_mul(shape, rate[i], accel[i], product[i]);
            hol_num_add(shape, product[0], product[1], product[0]);
            hol_num_div(shape, product[0], speed, out);
        }
    }
    hol_num_affine(shape, sign, out, 0, out);
}

void hol_quantity_rate(const hol_quantity *m, const hol_shape *shape, int ny, const hol_real *y,
                       const hol_real *w, const hol_real *b, const hol_real *dy, const hol_real *dw,
                       const int slots[3], hol_real *out)
{
    source from = {*m, ny, y};
    hol_real x[HOL_NUM_MAX], z[HOL_NUM_MAX];
    from.position.rate = 0;
    hol_num_constant(shape, 0, out);
    along(&from, m->rate, w, x);
    if (m->what == HOL_QUANTITY_SWING && (hol_re(x[0]) == 0 || hol_re(x[0]) == HOL_PI)) {
        rate_at_kink(m, hol_re(x[0]) == 0 ? 1 : -1, shape, ny, y, w, b, dy, dw, slots, out);
        return;
    }
    if (m->rate == 1) {
        out[0] = x[1];
        add(shape, 0, slots[0], ny, 1, x + 4 + ny, out);
        add(shape, 0, slots[1], ny, 1, x + 4, out);
        if (shape->order > 0) change(&from, shape, x, w, dy, dw, slots, out);
        return;
    }
    along(&from, 1, b, z);
    out[0] = dot(ny, x + 4, b) + 2 * x[2];
    add(shape, 0, slots[0], ny, 1, z + 4 + ny, out);
    add(shape, 0, slots[0], ny, 2, x + 4 + 2 * ny, out);
    add(shape, 0, slots[1], ny, 2, x + 4 + ny, out);
    add(shape, 0, slots[2], ny, 1, x + 4, out);
}
