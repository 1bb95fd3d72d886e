// Grip: two bodies stay as they are to each other, as drawn or as they were when an event switched the grip on.
//     3D: frame 1's components of r2 - r1 and 2 vec(conj(Q1) Q2) keep their values
//     2D: the same of r2 - r1, and theta2 - theta1
// docs/theory.md, section 8.15.
#include "element/element.h"

#include <math.h>
#include <string.h>

enum { MOST = 6, TURNS = 3 }; // in space the rotation stands behind three displacements

static const hol_option options[] = {HOL_END_OPTIONS};

typedef struct grip {
    hol_prims s;              // first: its functions take the data
    double drawn[MOST];       // their values as drawn
    bool turns;               // the last three are components of a rotation
    double rotation[3];       // from how it is drawn to what is held: a rotation vector, in frame 1 [rad]
    const struct grip *first; // as drawn; NULL: this is it
} grip;

// Held in another rotation than as drawn: with a frame 2 of its own.
typedef struct {
    grip g; // first: it is the data
    hol_marker marker;
    hol_axes axes;
} held_grip;

static const grip *first_of(const void *data)
{
    const grip *g = data;
    return g->first ? g->first : g;
}

// conj(Q1) Q2, of length 1 and with a scalar part that is not negative: up to half a turn.
static void rotation_at(const hol_prims *s, const hol_real *y, double out[4])
{
    hol_feature f[2];
    double q[2][4], size = 0;
    for (int k = 0; k < 2; k++) {
        hol_feature_eval(k ? s->p[TURNS].m2 : s->p[TURNS].m1, HOL_ORIENTATION, y, NULL, 0, &f[k]);
        for (int i = 0; i < 4; i++) q[k][i] = hol_re(f[k].f[i]) * (k == 0 && i > 0 ? -1 : 1);
    }
    hol_quat_multiply(q[0], q[1], out);
    for (int i = 0; i < 4; i++) size += out[i] * out[i];
    const double scale = copysign(sqrt(size), out[0]);
    for (int i = 0; i < 4; i++) out[i] /= scale;
}

// Frame 2 turned back on its body, so that it is parallel to frame 1 where they are turned by Q: ports may face each other.
static void align(hol_prims *s, const double Q[4], hol_marker *to, hol_axes *axes)
{
    const double back[4] = {Q[0], -Q[1], -Q[2], -Q[3]};
    double R[9];
    *to = *s->p[TURNS].m2;
    *axes = *hol_marker_axes(to);
    hol_quat_multiply(axes->quat, back, axes->quat);
    hol_quat_matrix(axes->quat, R);
    for (int i = 0; i < 9; i++) axes->u[i % 3][i / 3] = R[i];
    hol_marker_turn(to, axes);
    for (int i = TURNS; i < MOST; i++) s->p[i].m2 = to;
}

// As it is drawn.
static hol_status align_drawn(const hol_setup *in, hol_prims *s)
{
    hol_marker *marker = hol_arena_alloc(in->arena, 1, sizeof *marker);
    hol_axes *axes = hol_arena_alloc(in->arena, 1, sizeof *axes);
    double Q[4];
    if (!marker || !axes) return HOL_ERR_MEMORY;
    rotation_at(s, in->y, Q);
    align(s, Q, marker, axes);
    return HOL_OK;
}

// Displacements along the axes of frame 1 and the rotation; what they are as drawn is held until an event says else.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    static const char *const along[] = {"x", "y", "z"}, *const about[] = {"rotation about x",
                                                                          "rotation about y",
                                                                          "rotation about z"};
    grip *g = data;
    g->turns = in->dimension == 3;
    for (int i = 0; i < in->dimension; i++) hol_prims_add(&g->s, in, HOL_PRIM_ALONG, i, 0, along[i]);
    for (int i = 0; i < 3 && g->turns; i++) hol_prims_add(&g->s, in, HOL_PRIM_TURN, i, 0, about[i]);
    if (!g->turns) hol_prims_angle(&g->s, in);
    if (g->turns && align_drawn(in, &g->s)) return HOL_ERR_MEMORY;
    for (int i = 0; i < g->s.n; i++) g->drawn[i] = hol_prim_drawn(in, &g->s.p[i]);
    hol_prims_done(&g->s, e);
    return HOL_OK;
}

// The memory has how far what is held is from what is drawn: displacements, an angle in the plane, and in space a rotation, which the data
// have.
static void phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *phi, hol_real *J)
{
    const grip *g = data;
    hol_prims_phi(data, ny, y, NULL, phi, J);
    for (int i = 0; phi && i < g->s.n; i++) phi[i] -= g->drawn[i] + (g->turns && i >= TURNS ? 0 : mem[i]);
}

// Values of the rows against those as drawn, and the rotation vector of what is between the frames as drawn.
static const char *hold(const void *data, int ny, const hol_real *y, double *mem)
{
    const grip *g = first_of(data);
    hol_real value[MOST];
    double Q[4];
    hol_prims_phi(g, ny, y, NULL, value, NULL);
    for (int i = 0; i < g->s.n; i++) mem[i] = hol_re(value[i]) - g->drawn[i];
    if (!g->turns) return NULL;
    rotation_at(&g->s, y, Q);
    const double size = sqrt(Q[1] * Q[1] + Q[2] * Q[2] + Q[3] * Q[3]), angle = 2 * atan2(size, Q[0]);
    for (int i = 0; i < 3; i++) mem[TURNS + i] = size > 0 ? angle * Q[1 + i] / size : 0;
    return NULL;
}

static bool holds(const grip *g, const double *mem)
{
    return !g->turns || memcmp(g->rotation, mem + TURNS, sizeof g->rotation) == 0;
}

// With frame 2 turned by the rotation in the memory, so that the rows are 0 there.
static const void *held(const void *data, const double *mem, void *own)
{
    held_grip *to = own;
    if (!own) return holds(data, mem) ? data : NULL;
    if (holds(first_of(data), mem)) return first_of(data);
    const double *r = mem + TURNS, angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]),
                 s = angle > 0 ? sin(0.5 * angle) / angle : 0,
                 Q[4] = {cos(0.5 * angle), s * r[0], s * r[1], s * r[2]};
    to->g = *first_of(data);
    to->g.first = first_of(data);
    memcpy(to->g.rotation, r, sizeof to->g.rotation);
    align(&to->g.s, Q, &to->marker, &to->axes);
    return to;
}

const hol_element_type hol_joint_grip = {
    .name = "grip",
    .aliases = "dock",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .ends = 2,
    .any_frame = true,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "two bodies stay to each other as drawn, or as they are when an event switches the grip on",
    .options = options,
    .data_size = sizeof(grip),
    .setup = setup,
    .phi = phi,
    .phi_yw = hol_prims_phi_yw,
    .phi_yww = hol_prims_phi_yww,
    .phi_along = hol_prims_phi_along,
    .phi_lam = hol_prims_phi_lam,
    .row = hol_prims_row,
    .hold = hold,
    .held = held,
    .held_size = sizeof(held_grip),
};
