// A constraint on a weighted sum of joint coordinates, shared by couplers and screws:
//
//     phi = sum_k c_k (s_k - drawn_k) = 0
//
// Angles in space are TWIST primitives with the whole turn nearest to the memory (docs/theory.md, section 3.4). What is
// remembered is s - drawn: it is 0 at the drawn pose, so a joint drawn near half a turn starts on the right branch.
#include "element/element.h"

#include <math.h>

// ---- set-up ---------------------------------------------------------------------------------------------------

void hol_sum_add(hol_sum *sum, const hol_setup *in, hol_coordinate coordinate, int first, double ratio)
{
    const int k = sum->n++;
    sum->s[k] = hol_coordinate_prim(in, coordinate, &in->end[first],
                                    in->n_joints ? in->joint_mirror[first / 2] : in->mirror);
    sum->ratio[k] = ratio;
    sum->drawn[k] = hol_prim_drawn(in, &sum->s[k]);
    sum->slot[k] = -1;
    if (sum->s[k].kind != HOL_PRIM_TWIST) return;
    sum->slot[k] = sum->n_mem;
    sum->n_mem += HOL_TURNS_SIZE;
}

hol_status hol_sum_add_joint(hol_sum *sum, const hol_setup *in, int k, double ratio)
{
    static const char *const place[HOL_MAX_JOINTS] = {"first", "second", "third"};
    const hol_element_type *type = in->joint_type[k];
    const hol_drawn_end *end = &in->end[2 * k];
    const bool points = end[0].marker->frame == HOL_FRAME_POINT || end[1].marker->frame == HOL_FRAME_POINT;
    if (type->coordinate == HOL_COORDINATE_ANGLE && points)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at,
                           "%s.joints: the %s joint holds a point mass, it has no angle to couple", in->path,
                           place[k]);
    hol_sum_add(sum, in, type->coordinate, 2 * k, ratio);
    return HOL_OK;
}

hol_status hol_sum_check_carrier(const hol_setup *in)
{
    for (int i = 0; i < 2; i++)
        for (int j = 2; j < 4; j++)
            if (in->end[i].body == in->end[j].body) return HOL_OK;
    return hol_fail_at(
        in->ctx, HOL_ERR_MODEL, in->at,
        "%s.joints: the two joints have no body in common; the body that carries both wheels is wanted "
        "in both, or use a coupler",
        in->path);
}

void hol_sum_done(hol_sum *sum, hol_element *e, const char *label)
{
    bool strokes = false;
    double largest = 0;
    for (int k = 0; k < sum->n; k++) strokes = strokes || hol_prim_is_length(&sum->s[k]);
    for (int k = 0; k < sum->n; k++)
        if (hol_prim_is_length(&sum->s[k]) == strokes) largest = fmax(largest, fabs(sum->ratio[k]));
    for (int k = 0; k < sum->n; k++) sum->ratio[k] /= largest;
    sum->label = label;
    e->n_rows = 1;
    e->n_mem = sum->n_mem;
}

// ---- the row --------------------------------------------------------------------------------------------------

static hol_real since_drawn(const hol_sum *sum, int k, hol_real s, const double *mem, hol_real t)
{
    const hol_real x = s - sum->drawn[k];
    return sum->slot[k] < 0 ? x : hol_turns_nearest(x, mem + sum->slot[k], hol_re(t));
}

// A sum of products that is rounded once: what is left of it has the digits of all turns.
typedef struct {
    double high, low;
} exact_sum;

static void add_product(exact_sum *a, double x, double y)
{
    const double product = x * y, sum = a->high + product, of_product = sum - a->high;
    a->low += fma(x, y, -product) + ((a->high - (sum - of_product)) + (product - of_product));
    a->high = sum;
}

#define TURN_LOW 2.4492935982947064e-16 // what the number nearest to 2 pi lacks of it

// 2 pi times the turns, less what is held.
static double whole_turns(const exact_sum *turns, double held)
{
    return fma(2 * HOL_PI, turns->high, -held) + (2 * HOL_PI * turns->low + TURN_LOW * turns->high);
}

// (8.31a): sum over k of ratio_k (s_k - s_k as drawn) less what is held, with its derivatives; angles count their turns. These are summed
// apart, for a sum of angles that have grown is known to the last digits of the angles only.
void hol_sum_phi_held(const void *data, int ny, const hol_real *y, const double *mem, double held,
                      hol_real *phi, hol_real *J)
{
    const hol_sum *sum = data;
    exact_sum turns = {0, 0};
    hol_scalar s;
    if (phi) phi[0] = 0;
    for (int j = 0; J && j < ny; j++) J[j] = 0;
    for (int k = 0; k < sum->n; k++) {
        hol_prim_eval(&sum->s[k], ny, y, NULL, J ? 1 : 0, &s);
        if (phi) phi[0] += sum->ratio[k] * (s.f - sum->drawn[k]);
        if (phi && sum->slot[k] >= 0)
            add_product(&turns, sum->ratio[k],
                        hol_turns_lacking(s.f - sum->drawn[k], mem + sum->slot[k], hol_re(y[ny - 1])));
        for (int j = 0; J && j < ny; j++) J[j] += sum->ratio[k] * s.d[j];
    }
    if (phi) phi[0] += whole_turns(&turns, held);
}

void hol_sum_phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *phi, hol_real *J)
{
    hol_sum_phi_held(data, ny, y, mem, 0, phi, J);
}

static void derivative(const hol_sum *sum, int ny, const hol_real *y, const hol_real *w, int level,
                       hol_real *J)
{
    hol_scalar s;
    for (int j = 0; j < ny; j++) J[j] = 0;
    for (int k = 0; k < sum->n; k++) {
        hol_prim_eval(&sum->s[k], ny, y, w, level, &s);
        for (int j = 0; j < ny; j++) J[j] += sum->ratio[k] * (level == 2 ? s.dw[j] : s.dww[j]);
    }
}

void hol_sum_phi_yw(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    derivative(data, ny, y, w, 2, J);
}

void hol_sum_phi_yww(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    derivative(data, ny, y, w, 3, J);
}

void hol_sum_phi_lam(const void *data, int ny, const hol_real *y, const hol_real *lam, hol_real *H)
{
    const hol_sum *sum = data;
    for (int k = 0; k < sum->n; k++) {
        const hol_real c = sum->ratio[k] * lam[0];
        hol_prim_hessian(&sum->s[k], ny, y, &c, H);
    }
}

hol_row hol_sum_row(const void *data, int row)
{
    const hol_sum *sum = data;
    bool strokes = false;
    (void)row;
    for (int k = 0; k < sum->n; k++) strokes = strokes || hol_prim_is_length(&sum->s[k]);
    return (hol_row){sum->label, strokes};
}

// Angles in space with their rates, which the next step expects.
void hol_sum_remember(const void *data, int ny, const hol_real *y, const hol_real *w, double *mem)
{
    const hol_sum *sum = data;
    hol_scalar s;
    for (int k = 0; k < sum->n; k++) {
        if (sum->slot[k] < 0) continue;
        hol_prim_eval(&sum->s[k], ny, y, NULL, 1, &s);
        hol_real rate = 0;
        for (int j = 0; j < ny; j++) rate += s.d[j] * w[j];
        hol_turns_remember(since_drawn(sum, k, s.f, mem, y[ny - 1]), rate, hol_re(y[ny - 1]),
                           mem + sum->slot[k]);
    }
}
