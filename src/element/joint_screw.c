// Screw joint: a cylindrical joint whose stroke follows its angle.
//     x1.(r2 - r1) = y1.(r2 - r1) = 0, x and y components of vec(conj(Q1) Q2) = 0,
//     z1.(r2 - r1) - pitch/(2 pi) 2 atan2(z, w) = as drawn, with conj(Q1) Q2 = (w, ., ., z) and full turns counted
#include "element/coordinate.h"
#include "element/element.h"

#include <stddef.h>

enum { PITCH };
static const hol_option options[] = {{"pitch", HOL_NUMBER, "m", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED,
                                      NULL, "stroke per turn; negative: a left-handed thread"},
                                     HOL_ANGLE_LAWS,
                                     HOL_END_OPTIONS};

typedef struct {
    hol_sum advance;
    hol_prims guide; // last: only the part in use is kept
} screw;

enum { GUIDE_ROWS = 4 };

// A cylindrical joint, and the stroke proportional to the angle.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    screw *s = data;
    if (in->value[PITCH].num == 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->value[PITCH].at,
                           "%s.pitch: 0, the screw would not advance; use a revolute joint", in->path);
    hol_prims_add(&s->guide, in, HOL_PRIM_ALONG, 0, 0, "x");
    hol_prims_add(&s->guide, in, HOL_PRIM_ALONG, 1, 0, "y");
    hol_prims_parallel(&s->guide, in);
    hol_sum_add(&s->advance, in, HOL_COORDINATE_STROKE, 0, 1);
    hol_sum_add(&s->advance, in, HOL_COORDINATE_ANGLE, 0, -in->value[PITCH].num / (2 * HOL_PI));
    hol_sum_done(&s->advance, e, "thread");
    e->n_rows += GUIDE_ROWS;
    return HOL_OK;
}

// In a mirrored file the primitives have the ends in the other order, or a marker that is turned.
double hol_screw_pitch(const hol_element *e)
{
    const hol_sum *sum = &((const screw *)e->data)->advance;
    const hol_marker *first = e->end[0].marker;
    const double *z = first->u[2], *along = sum->s[0].m1->u[2];
    const bool same = z[0] * along[0] + z[1] * along[1] + z[2] * along[2] > 0;
    return (same == (sum->s[1].m1 == first) ? -1 : 1) * sum->ratio[1] / sum->ratio[0];
}

static size_t used(const void *data)
{
    const screw *s = data;
    return offsetof(screw, guide) + hol_prims_used(&s->guide);
}

static void phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *value, hol_real *J)
{
    const screw *s = data;
    hol_prims_phi(&s->guide, ny, y, NULL, value, J);
    hol_sum_phi(&s->advance, ny, y, mem, value ? value + GUIDE_ROWS : NULL, J ? J + GUIDE_ROWS * ny : NULL);
}

static void phi_yw(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    const screw *s = data;
    hol_prims_phi_yw(&s->guide, ny, y, w, J);
    hol_sum_phi_yw(&s->advance, ny, y, w, J + GUIDE_ROWS * ny);
}

static void phi_yww(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J)
{
    const screw *s = data;
    hol_prims_phi_yww(&s->guide, ny, y, w, J);
    hol_sum_phi_yww(&s->advance, ny, y, w, J + GUIDE_ROWS * ny);
}

static void phi_lam(const void *data, int ny, const hol_real *y, const hol_real *lam, hol_real *H)
{
    const screw *s = data;
    hol_prims_phi_lam(&s->guide, ny, y, lam, H);
    hol_sum_phi_lam(&s->advance, ny, y, lam + GUIDE_ROWS, H);
}

static hol_row row(const void *data, int i)
{
    const screw *s = data;
    return i < GUIDE_ROWS ? hol_prims_row(&s->guide, i) : hol_sum_row(&s->advance, 0);
}

static void remember(const void *data, int ny, const hol_real *y, const hol_real *w, double *mem)
{
    const screw *s = data;
    hol_sum_remember(&s->advance, ny, y, w, mem);
}

const hol_element_type hol_joint_screw = {
    .name = "screw",
    .aliases = "helical",
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .coordinate = HOL_COORDINATE_ANGLE,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "rotation about the common z axis and sliding along it in proportion, from the drawn pose on",
    .named = {NULL, hol_coordinates_cylinder},
    .options = options,
    .data_size = sizeof(screw),
    .data_used = used,
    .setup = setup,
    .phi = phi,
    .phi_yw = phi_yw,
    .phi_yww = phi_yww,
    .phi_lam = phi_lam,
    .row = row,
    .remember = remember,
};
