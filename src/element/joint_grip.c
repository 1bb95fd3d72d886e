// Grip: two bodies stay as they are to each other, as drawn or as they were when an event switched the grip on.
//     3D: frame 1's components of r2 - r1 and 2 vec(conj(Q1) Q2) keep their values
//     2D: the same of r2 - r1, and theta2 - theta1
// docs/theory.md, section 8.15.
#include "element/element.h"

#include <math.h>
#include <string.h>

enum { MOST = 6 };
// Of the square of sin(half the angle from how it is drawn): nearer to half a turn the three components say too little.
#define TURNED 0.99

static const hol_option options[] = {HOL_END_OPTIONS};

typedef struct {
    hol_prims s;        // first: its functions take the data
    double drawn[MOST]; // their values as drawn
    bool turns;         // the last three are components of a rotation
} grip;

// Frame 2 turned on its body so that it is parallel to frame 1 as drawn: ports may face each other. NULL: no memory.
static const hol_marker *aligned(const hol_setup *in, const hol_prims *s)
{
    hol_marker *out = hol_arena_alloc(in->arena, 1, sizeof *out);
    hol_axes *axes = hol_arena_alloc(in->arena, 1, sizeof *axes);
    if (!out || !axes) return NULL;
    hol_prim twist = s->p[3];
    twist.kind = HOL_PRIM_TWIST; // tells the sign of w, TURN the other three of conj(Q1) Q2
    double back[4], square = 0;
    for (int i = 0; i < 3; i++) {
        back[1 + i] = -0.5 * hol_prim_drawn(in, &s->p[3 + i]);
        square += back[1 + i] * back[1 + i];
    }
    back[0] = copysign(sqrt(fmax(1 - square, 0)), cos(0.5 * hol_prim_drawn(in, &twist)));
    *out = *s->p[3].m2;
    *axes = *hol_marker_axes(s->p[3].m2);
    double quat[4], R[9];
    hol_quat_multiply(axes->quat, back, quat);
    hol_quat_matrix(quat, R);
    for (int i = 0; i < 9; i++) axes->u[i % 3][i / 3] = R[i];
    memcpy(axes->quat, quat, sizeof quat);
    hol_marker_turn(out, axes);
    return out;
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
    const bool turned = g->turns && in->end[1].marker->frame != HOL_FRAME_MOVING;
    const hol_marker *parallel = turned ? aligned(in, &g->s) : NULL;
    if (turned && !parallel) return HOL_ERR_MEMORY;
    for (int i = 3; i < 6 && turned; i++) g->s.p[i].m2 = parallel;
    for (int i = 0; i < g->s.n; i++) g->drawn[i] = hol_prim_drawn(in, &g->s.p[i]);
    hol_prims_done(&g->s, e);
    return HOL_OK;
}

// The memory has how much what is held differs from what is drawn.
static void phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *phi, hol_real *J)
{
    const grip *g = data;
    hol_prims_phi(data, ny, y, NULL, phi, J);
    for (int i = 0; phi && i < g->s.n; i++) phi[i] -= g->drawn[i] + mem[i];
}

// Half a turn of the frames is where three components no longer tell a rotation.
static const char *hold(const void *data, int ny, const hol_real *y, double *mem)
{
    const grip *g = data;
    hol_real value[MOST];
    double square = 0;
    hol_prims_phi(data, ny, y, NULL, value, NULL);
    for (int i = 3; i < g->s.n && g->turns; i++) square += 0.25 * hol_re(value[i]) * hol_re(value[i]);
    for (int i = 0; i < g->s.n; i++) mem[i] = hol_re(value[i]) - g->drawn[i];
    return square < TURNED
               ? NULL
               : "the bodies are turned by half a turn against how they are drawn; draw them nearer to it";
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
};
