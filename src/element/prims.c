// Joints as lists of primitives: the functions all of them share.
#include "element/element.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// The marker turned by half a turn about another axis: this axis points the other way.
static const hol_marker *turned(const hol_setup *in, const hol_marker *k, int axis)
{
    hol_marker *out = hol_arena_alloc(in->arena, 1, sizeof *out);
    hol_axes *axes = hol_arena_alloc(in->arena, 1, sizeof *axes);
    double half[4] = {0};
    if (!out || !axes) {
        *in->status = HOL_ERR_MEMORY;
        return k;
    }
    *out = *k;
    *axes = *hol_marker_axes(k);
    half[1 + (axis + 1) % 3] = 1;
    hol_quat_multiply(axes->quat, half, axes->quat);
    for (int i = 0; i < 3; i++) {
        axes->u[axis][i] = -axes->u[axis][i];
        axes->u[(axis + 2) % 3][i] = -axes->u[(axis + 2) % 3][i];
    }
    hol_marker_turn(out, axes);
    return out;
}

void hol_prim_mirror(const hol_setup *in, hol_mirror mirror, hol_prim *p)
{
    const bool component = p->kind == HOL_PRIM_TURN || p->kind == HOL_PRIM_ROTATION,
               turns = component || p->kind == HOL_PRIM_ANGLE || p->kind == HOL_PRIM_TWIST;
    const int about = component ? p->axis1 : 2;
    const hol_marker *first = p->m1;
    if (turns && hol_mirror_axial(mirror, about) < 0) {
        p->m1 = p->m2;
        p->m2 = first;
        p->offset = -p->offset;
    } else if (p->kind == HOL_PRIM_ALONG && hol_mirror_polar(mirror, p->axis1) < 0)
        p->m1 = turned(in, first, p->axis1);
}

// Between the two ends, as the file of ground sees it.
static hol_prim plain(const hol_setup *in, hol_prim_kind kind, int axis1, int axis2, const char *label)
{
    const hol_prim p = {.kind = kind,
                        .rows = 1,
                        .axis1 = (signed char)axis1,
                        .axis2 = (signed char)axis2,
                        .m1 = in->end[0].marker,
                        .m2 = in->end[1].marker,
                        .offset = kind == HOL_PRIM_ANGLE ? -hol_marker_angle(in) : 0,
                        .label = label};
    return p;
}

hol_prim hol_prim_between(const hol_setup *in, hol_prim_kind kind, int axis1, int axis2, const char *label)
{
    hol_prim p = plain(in, kind, axis1, axis2, label);
    hol_prim_mirror(in, in->mirror, &p);
    return p;
}

hol_prim hol_coordinate_prim(const hol_setup *in, hol_coordinate coordinate, const hol_drawn_end *end,
                             hol_mirror mirror)
{
    const bool stroke = coordinate == HOL_COORDINATE_STROKE, space = in->dimension == 3;
    hol_prim p = {.kind = stroke  ? HOL_PRIM_ALONG
                          : space ? HOL_PRIM_TWIST
                                  : HOL_PRIM_ANGLE,
                  .rows = 1,
                  .axis1 = stroke && space ? 2 : 0,
                  .m1 = end[0].marker,
                  .m2 = end[1].marker,
                  .label = stroke ? "stroke" : "angle"};
    hol_prim_mirror(in, mirror, &p);
    return p;
}

hol_status hol_setup_function(const hol_setup *in, int sign, const hol_expr **f)
{
    if (sign < 0) *f = hol_expr_scaled(in->arena, *f, -1);
    return *f ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_setup_driver(const hol_setup *in, double drawn, const hol_expr **f)
{
    static const char *const key[] = {"value", "speed", "acceleration"};
    const hol_value *v = in->value;
    const int order = v[HOL_DRIVER_VALUE].given   ? HOL_DRIVER_VALUE
                      : v[HOL_DRIVER_SPEED].given ? HOL_DRIVER_SPEED
                                                  : HOL_DRIVER_ACCELERATION;
    hol_src at = in->at;
    const char *function = "", *whole = hol_expr_text(v[order].fn[0]);
    *f = v[order].fn[0];
    for (int k = order; k > 0; k--) {
        const double start = k == HOL_DRIVER_ACCELERATION ? v[HOL_DRIVER_START_SPEED].num
                             : v[HOL_DRIVER_START].given  ? v[HOL_DRIVER_START].num
                                                          : drawn;
        hol_status st = hol_expr_integral(in->ctx, in->arena, *f, start, f, &at, &function);
        if (st) return st;
        if (!*f)
            return hol_fail_at(
                in->ctx, HOL_ERR_MODEL, at,
                "%s.%s: the %sintegral of \"%s\" has no closed form here that keeps its digits. There is one "
                "of "
                "sums, "
                "multiples, polynomials in time, and of powers other than -1, sqrt, sin, cos, exp, sinh, "
                "cosh, "
                "poly, step and tables of a linear function of time: give a table, or the "
                "integral as `value`, or hold the speed by `constraints: [{name: .., velocity: "
                "\"hinge.rate - ..\"}]`",
                in->path, key[order], k < order ? "second " : "", k < order ? whole : function);
    }
    return HOL_OK;
}

const char *hol_prim_label(const hol_prim *p, int row)
{
    static const char *const coordinate[] = {"x", "y", "z"};
    return p->kind == HOL_PRIM_POINT ? coordinate[row] : p->label;
}

double hol_prim_drawn(const hol_setup *in, const hol_prim *p)
{
    hol_scalar s;
    hol_prim_eval(p, in->ny, in->y, NULL, 0, &s);
    return hol_re(s.f);
}

double hol_marker_angle(const hol_setup *in)
{
    return hol_marker_fixed_angle(in->end[1].marker) - hol_marker_fixed_angle(in->end[0].marker);
}

double hol_drawn_distance(const hol_setup *in)
{
    const double *a = in->end[0].origin, *b = in->end[1].origin;
    const double dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

hol_prim *hol_prims_add(hol_prims *list, const hol_setup *in, hol_prim_kind kind, int axis1, int axis2,
                        const char *label)
{
    hol_prim *p = &list->p[list->n++];
    *p = plain(in, kind, axis1, axis2, label);
    return p;
}

void hol_prims_point(hol_prims *list, const hol_setup *in)
{
    hol_prim *p = hol_prims_add(list, in, HOL_PRIM_POINT, 0, 0, "x");
    p->rows = (signed char)in->dimension;
}

void hol_prims_parallel(hol_prims *list, const hol_setup *in)
{
    hol_prims_add(list, in, HOL_PRIM_TURN, 0, 0, "rotation about x");
    hol_prims_add(list, in, HOL_PRIM_TURN, 1, 0, "rotation about y");
}

void hol_prims_angle(hol_prims *list, const hol_setup *in)
{
    if (in->dimension == 3) {
        hol_prims_add(list, in, HOL_PRIM_TURN, 2, 0, "rotation about z");
        return;
    }
    hol_prim *p = hol_prims_add(list, in, HOL_PRIM_ANGLE, 0, 0, "rotation");
    // the frames' fixed angles, and the full turns between them at the drawn pose
    const double fixed = -hol_marker_angle(in), drawn = in->end[1].theta - in->end[0].theta;
    p->offset = fixed + 2 * HOL_PI * round((drawn - fixed) / (2 * HOL_PI));
}

hol_status hol_prims_distance(hol_prims *list, const hol_setup *in, const hol_value *length,
                              const char *otherwise)
{
    hol_prim *p = hol_prims_add(list, in, HOL_PRIM_DISTANCE, 0, 0, "distance");
    p->offset = length->given ? length->num : hol_drawn_distance(in);
    if (p->offset > (length->given ? 0 : HOL_COINCIDENT)) return HOL_OK;
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at,
                       "%s: the drawn points coincide, a distance must be positive: give \"length\", or %s",
                       in->path, otherwise);
}

void hol_prims_done(const hol_prims *list, hol_element *e)
{
    e->n_rows = 0;
    for (int i = 0; i < list->n; i++) e->n_rows += list->p[i].rows;
}

bool hol_prims_timed(const hol_prims *list)
{
    bool any = false;
    for (int i = 0; i < list->n; i++) {
        const hol_prim *p = &list->p[i];
        any = any || p->set || p->m1->frame == HOL_FRAME_MOVING || p->m2->frame == HOL_FRAME_MOVING;
    }
    return any;
}

size_t hol_prims_used(const void *data)
{
    const hol_prims *list = data;
    return offsetof(hol_prims, p) + (size_t)list->n * sizeof *list->p;
}

// Values and Jacobian of all primitives of a joint, row after row; phi or J may be NULL.
void hol_prims_phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *phi, hol_real *J)
{
    const hol_prims *list = data;
    hol_scalar s[3];
    (void)mem;
    for (int i = 0; i < list->n; i++) {
        hol_prim_eval(&list->p[i], ny, y, NULL, J ? 1 : 0, s);
        for (int r = 0; r < list->p[i].rows; r++) {
            if (phi) *phi++ = s[r].f;
            if (!J) continue;
            memcpy(J, s[r].d, (size_t)ny * sizeof *J);
            J += ny;
        }
    }
}

// Jacobian and (Phi_y w)_y w of all primitives, for the accelerations.
void hol_prims_phi_along(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J,
                         hol_real *along)
{
    const hol_prims *list = data;
    hol_scalar s[3];
    for (int i = 0; i < list->n; i++) {
        hol_prim_eval(&list->p[i], ny, y, w, HOL_ALONG, s);
        for (int r = 0; r < list->p[i].rows; r++) {
            for (int j = 0; j < ny; j++) *J++ = s[r].d[j];
            *along++ = s[r].fww;
        }
    }
}

// Rows of a derivative along w of every primitive: level 2 (s_y w)_y, 3 ((s_y w)_y w)_y.
static void derivative_rows(const hol_prims *list, int ny, const hol_real *y, const hol_real *w, int level,
                            hol_real *J)
{
    hol_scalar s[3];
    for (int i = 0; i < list->n; i++) {
        hol_prim_eval(&list->p[i], ny, y, w, level, s);
        for (int r = 0; r < list->p[i].rows; r++) {
            const hol_real *d = level == 2 ? s[r].dw : s[r].dww;
            for (int j = 0; j < ny; j++) *J++ = d[j];
        }
    }
}

void hol_prims_phi_yw(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    derivative_rows(data, ny, y, w, 2, J);
}

void hol_prims_phi_yww(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    derivative_rows(data, ny, y, w, 3, J);
}

void hol_prims_phi_lam(const void *data, int ny, const hol_real *y, const hol_real *lam, hol_real *H)
{
    const hol_prims *list = data;
    for (int i = 0; i < list->n; i++) {
        hol_prim_hessian(&list->p[i], ny, y, lam, H);
        lam += list->p[i].rows;
    }
}

hol_row hol_prims_row(const void *data, int row)
{
    const hol_prims *list = data;
    int i = 0;
    while (row >= list->p[i].rows) row -= list->p[i++].rows;
    return (hol_row){hol_prim_label(&list->p[i], row), hol_prim_is_length(&list->p[i])};
}

bool hol_prims_explain(hol_context *ctx, const void *data, int ny, const hol_real *y, const hol_real *w,
                       hol_expr_fault *out)
{
    const hol_prims *list = data;
    (void)w;
    for (int i = 0; i < list->n; i++)
        if (list->p[i].set && hol_expr_explain_time(ctx, list->p[i].set, y[ny - 1], 2, out)) return true;
    return false;
}
