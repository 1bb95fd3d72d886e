// A component between markers, or what is made of three. The parts are displacements, velocities or accelerations in
// the axes of the marker (quantity.c), of which the magnitude is taken:
//     DM = |d|,   VM = |d'|,   WM, ACCM likewise,   VR = d.d'/|d|                                  (8.29)
#include "element/measured.h"

#include <string.h>

const hol_measured_name hol_measured_names[] = {
    {"DM", HOL_MEASURED_LENGTH, HOL_QUANTITY_D, "distance"},
    {"VM", HOL_MEASURED_LENGTH, HOL_QUANTITY_V, "speed"},
    {"VR", HOL_MEASURED_RADIAL, HOL_QUANTITY_V, "rate of the distance, positive when it grows"},
    {"WM", HOL_MEASURED_LENGTH, HOL_QUANTITY_W, "size of the angular velocity"},
    {"ACCM", HOL_MEASURED_LENGTH, HOL_QUANTITY_ACC, "size of the acceleration"},
    {"WDTM", HOL_MEASURED_LENGTH, HOL_QUANTITY_WDT, "size of the angular acceleration"},
    {NULL, HOL_MEASURED_LENGTH, HOL_QUANTITY_D, NULL}};

static bool same(const char *name, size_t length, const char *upper)
{
    for (size_t i = 0; i < length; i++) {
        const char c = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
        if (upper[i] == 0 || c != upper[i]) return false;
    }
    return upper[length] == 0;
}

// The components of which a length is made: two or three displacements, or one angular velocity in the plane.
static void add_parts(hol_measured *m, hol_quantity_kind what, int dimension)
{
    // in the plane an angular velocity has one component, a displacement two
    const bool turn = what == HOL_QUANTITY_W || what == HOL_QUANTITY_WDT;
    for (int i = 0; i < 3; i++) {
        hol_quantity *q = &m->part[m->n_parts];
        if (dimension == 2 && (i == 2) != turn) continue;
        q->what = (hol_quantity_kind)((int)what + i);
        q->planar = dimension == 2;
        m->n_parts++;
    }
}

bool hol_measured_find(const char *name, size_t length, int dimension, hol_measured *out, int *max_markers)
{
    memset(out, 0, sizeof *out);
    const hol_quantity_name *q = hol_quantity_find(name, length);
    if (q) {
        if (q->dimensions != 5 && q->dimensions != dimension) return false;
        out->n_parts = 1;
        out->part[0].what = q->what;
        out->part[0].planar = dimension == 2;
        *max_markers = q->max_markers;
        return true;
    }
    for (const hol_measured_name *m = hol_measured_names; m->name; m++) {
        if (!same(name, length, m->name)) continue;
        out->kind = m->kind;
        if (m->kind == HOL_MEASURED_RADIAL) add_parts(out, HOL_QUANTITY_D, dimension);
        add_parts(out, m->what, dimension);
        *max_markers = 2;
        return true;
    }
    return false;
}

int hol_measured_level(const hol_measured *m)
{
    return hol_quantity_level(&m->part[m->n_parts - 1]); // the last one is the highest
}

static void add_product(const hol_shape *s, const hol_real *a, const hol_real *b, hol_real *sum)
{
    hol_real p[HOL_NUM_MAX];
    hol_num_mul(s, a, b, p);
    hol_num_add(s, sum, p, sum);
}

// out = sqrt(x); 0 with the gradient 0 at 0
static void root(const hol_shape *s, const hol_real *x, hol_real *out)
{
    const hol_real r = sqrt(x[0]), z = x[0];
    const hol_real f[4] = {r, 1 / (2 * r), -1 / (8 * r * z), 1 / (16 * r * z * z)};
    if (hol_re(z) > 0)
        hol_num_compose(s, f, x, out);
    else
        hol_num_constant(s, 0, out);
}

// Is a distance of two places rounding of their coordinates, so that it has no direction? y ends with the time.
static bool is_rounding(double length, int ny, const hol_real *y)
{
    double size = 0;
    for (int i = 0; i < ny - 1; i++) size = fmax(size, fabs(hol_re(y[i])));
    return length <= 1e-14 * size;
}

// A length, its rate. Apart, so that a component does not pay for this room.
static HOL_NOINLINE void eval_length(const hol_measured *m, const hol_shape *shape, int ny, const hol_real *y,
                                     const hol_real *w, const hol_real *b, const hol_real *dy,
                                     const hol_real *dw, const int slots[3], hol_real *out)
{
    hol_real part[6][HOL_NUM_MAX], squares[HOL_NUM_MAX], length[HOL_NUM_MAX], product[HOL_NUM_MAX];
    const int n = m->kind == HOL_MEASURED_RADIAL ? m->n_parts / 2 : m->n_parts;
    hol_num_constant(shape, 0, squares);
    hol_num_constant(shape, 0, product);
    for (int i = 0; i < m->n_parts; i++)
        hol_quantity_eval(&m->part[i], shape, ny, y, w, b, dy, dw, slots, part[i]);
    for (int i = 0; i < n; i++) add_product(shape, part[i], part[i], squares);
    root(shape, squares, m->kind == HOL_MEASURED_LENGTH ? out : length);
    if (m->kind == HOL_MEASURED_LENGTH) return;
    for (int i = 0; i < n; i++) add_product(shape, part[i], part[n + i], product);
    if (hol_re(length[0]) > 0 && !is_rounding(hol_re(length[0]), ny, y)) {
        hol_num_div(shape, product, length, out);
        return;
    }
    // the limit along the relative velocity: the speed
    hol_num_constant(shape, 0, squares);
    for (int i = n; i < 2 * n; i++) add_product(shape, part[i], part[i], squares);
    root(shape, squares, out);
}

void hol_measured_eval(const hol_measured *m, const hol_shape *shape, int ny, const hol_real *y,
                       const hol_real *w, const hol_real *b, const hol_real *dy, const hol_real *dw,
                       const int slots[3], hol_real *out)
{
    if (m->kind == HOL_MEASURED_COMPONENT)
        hol_quantity_eval(&m->part[0], shape, ny, y, w, b, dy, dw, slots, out);
    else
        eval_length(m, shape, ny, y, w, b, dy, dw, slots, out);
}
