// Markers: frames fixed to a body, to ground, or moving with respect to ground as a function of time.
//
// Everything geometric in an element is a vector function F(y) of a marker: its origin, one of its axes, or its
// orientation as four Euler parameters. y holds the coordinates of the element's bodies followed by time,
//
//     y = (q_1, q_2, ..., t),      w = y' = (v_1, v_2, ..., 1),
//
// so that partial time derivatives are the last column of every derivative in y and need no functions of their own
// (docs/theory.md, section 2).
#ifndef HOL_MARKER_H
#define HOL_MARKER_H

#include "base/base.h"
#include "expr/expr.h"

enum { HOL_MAX_BODIES = 4, HOL_MAX_Y = 7 * HOL_MAX_BODIES + 1 };

typedef enum hol_frame {
    HOL_FRAME_GROUND, // fixed
    HOL_FRAME_MOVING, // prescribed motion with respect to ground
    HOL_FRAME_POINT,  // x y [z]
    HOL_FRAME_PLANAR, // x y theta
    HOL_FRAME_SPATIAL // x y z e0 e1 e2 e3
} hol_frame;

// Prescribed motion: origin(t) and a rotation by angle(t) about a fixed axis. NULL functions are zero.
typedef struct hol_motion {
    hol_src at;                  // in the file
    const hol_expr *position[3]; // [m], global, added to the marker's fixed position
    const hol_expr *angle;       // [rad], about `axis`, before the marker's fixed orientation
    double axis[3];              // unit vector, global
} hol_motion;

// An orientation, in body axes (global axes on ground). Most markers have the one of their body: they share one of these.
typedef struct hol_axes {
    double u[3][3];           // axes x, y, z as rows; stands first, see hol_marker_axes
    double quat[4];           // Euler parameters, scalar first
    const hol_motion *motion; // HOL_FRAME_MOVING only
    double
        file; // plane, on ground: the angle of the file's frame, from which that of the marker is counted [rad]
} hol_axes;
extern const hol_axes hol_axes_of_body;

typedef struct hol_marker {
    hol_frame frame;
    short size;  // coordinates of the body (0 on ground)
    short iy;    // first entry of y the marker depends on
    double s[3]; // origin: from the centre of mass in body axes; from the global origin on ground [m]
    const double (*u)[3]; // of its hol_axes
} hol_marker;
static inline void hol_marker_turn(hol_marker *k, const hol_axes *axes) { k->u = axes->u; }
static inline const hol_axes *hol_marker_axes(const hol_marker *k) { return (const hol_axes *)k->u; }
static inline const double *hol_marker_quat(const hol_marker *k) { return hol_marker_axes(k)->quat; }
// In the plane: the angle of the marker on its body or on ground, up to half a turn from that of its file.
static inline double hol_marker_fixed_angle(const hol_marker *k)
{
    const double angle = atan2(k->u[0][1], k->u[0][0]), file = hol_marker_axes(k)->file;
    return file == 0 ? angle : file + remainder(angle - file, 2 * HOL_PI);
}
static inline const hol_motion *hol_marker_motion(const hol_marker *k) { return hol_marker_axes(k)->motion; }

// Which vector function of a marker: one of its axes (0, 1, 2), its origin or its orientation.
enum { HOL_ORIGIN = -1, HOL_ORIENTATION = 3 };

// F(y) with its derivatives; columns iy .. iy+n-1 of y, all others are zero (an axis depends on the rotation only).
// Entries of an order that was not asked for are undefined.
typedef struct hol_feature {
    int m, n, iy;
    hol_real f[4], fw[4], fww[4];          // F, F_y w, (F_y w)_y w                 (m)
    hol_real d[4][7], dw[4][7], dww[4][7]; // F_y, (F_y w)_y, ((F_y w)_y w)_y       (m x n)
} hol_feature;

// order 0: f; 1: also d; 2: also fw, dw; 3: also fww, dww. w may be NULL for order below 2.
void hol_feature_eval(const hol_marker *k, int what, const hol_real *y, const hol_real *w, int order,
                      hol_feature *out);
// H += (F_y^T f)_y for a constant vector f (m); H is (ny x ny).
void hol_feature_hessian(const hol_marker *k, int what, const hol_real *y, const hol_real *f, hol_real *H,
                         int ny);

// 3x3 and Euler-parameter helpers shared by element files. Matrices are row-major.
//   A(p) u without use of p^T p = 1: a quadratic form, so all its derivatives are exact off the unit sphere too.
void hol_rotate(const hol_real p[4], const double u[3], hol_real out[3]);
//   B(p, u) with (A(p) u)_p = 2 B: linear in p                                           (3 x 4)
void hol_rotate_d(const hol_real p[4], const double u[3], hol_real B[3][4]);
//   G(p): omega_body = 2 G(p) p'                                                         (3 x 4)
void hol_body_rate(const hol_real p[4], hol_real G[3][4]);
//   E(p): omega_global = 2 E(p) p'                                                       (3 x 4)
void hol_global_rate(const hol_real p[4], hol_real E[3][4]);
//   out += f a x b                                                                       (3)
static inline void hol_add_cross(hol_real f, const hol_real *a, const hol_real *b, hol_real *out)
{
    out[0] += f * (a[1] * b[2] - a[2] * b[1]);
    out[1] += f * (a[2] * b[0] - a[0] * b[2]);
    out[2] += f * (a[0] * b[1] - a[1] * b[0]);
}

// Plain double helpers (set-up and output).
void hol_quat_multiply(const double a[4], const double b[4], double out[4]);
// Columns are the rotated axes; inline for the recursion, which makes one for each body and evaluation.
static inline void hol_quat_matrix(const double p[4], double R[9])
{
    const double w = p[0], a = p[1], b = p[2], c = p[3];
    const double ww = w * w, aa = a * a, bb = b * b, cc = c * c;
    R[0] = ww + aa - bb - cc, R[1] = 2 * (a * b - w * c), R[2] = 2 * (a * c + w * b);
    R[3] = 2 * (a * b + w * c), R[4] = ww - aa + bb - cc, R[5] = 2 * (b * c - w * a);
    R[6] = 2 * (a * c - w * b), R[7] = 2 * (b * c + w * a), R[8] = ww - aa - bb + cc;
}
void hol_matrix_quat(const double R[9], double p[4]); // of a rotation matrix; scalar >= 0
int hol_frame_size(hol_frame frame, int dimension);   // coordinates of a body of this kind

#endif
