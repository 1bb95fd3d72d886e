// Parts of a contact of two shapes: its geometry (contact_geometry.c) and its laws (contact_laws.c), which the element
// (force_contact.c) puts together. docs/theory.md, section 23.
#ifndef HOL_CONTACT_PARTS_H
#define HOL_CONTACT_PARTS_H

#include "element/contact.h"
#include "element/profile.h"

enum { HOL_CONTACT_MOST = 15 }; // entries of y: two bodies and time

typedef struct hol_contact {
    hol_prim gap; // of end 1 from end 0, `radii` larger than the gap
    const hol_marker *m[2];
    int pair, law, rubs, dimension;
    bool rolls, spins; // against couples, which are inputs
    double radius, radii, place;
    double size[3];        // of the core (contact_cores.c)
    double reach;          // how far the shape of end 1 is from its origin at most
    const double *outline; // of outlines                                           (n_outline x dimension)
    int n_outline;
    bool closed, solid; // the outline
    int first, sides;   // of which a contact is that of some sides, from the first on; 0: of all of them
    bool shared[2];     // its first and its last side with another part
    double longer[2];   // by how much these go on into the solid, behind hollow corners [m]
    double behind;      // what lies so deep behind them alone counts as without [m]
    hol_profile curve;  // of which the outline has samples
    double round;       // as HOL_CONTACT_ROUND [m]
    double fine;        // a motion by a part of this leaves the gap smooth [m]
    double K, n, x, c, ramp;
    double deepest, slowest;
    double mu, mu_static, transition, stribeck;
} hol_contact;

// The geometry at (y, w), with derivatives by the columns of y and w. The second part is that of by_y alone.
typedef struct hol_contact_geometry {
    hol_real g, n[3], r[3], arm[3], s[3], u[3], spin[3]; // arm: from r2 to the point; spin: om2 - om1
    hol_real J[HOL_CONTACT_MOST][3];                     // s_w                 (ny)
    hol_real turn[2][HOL_CONTACT_MOST][3];               // om_w of either end  (ny)

    hol_real n_y[HOL_CONTACT_MOST][3], r_y[HOL_CONTACT_MOST][3],
        arm_y[HOL_CONTACT_MOST][3];                                   // (ny)
    hol_real spin_y[HOL_CONTACT_MOST][3], om1_y[HOL_CONTACT_MOST][3]; // (ny)
    hol_real s_y[HOL_CONTACT_MOST][3], u_y[HOL_CONTACT_MOST][3];      // (ny)

    hol_scalar gap, share;
    hol_feature end[2];
} hol_contact_geometry;

static inline hol_real hol_dot(const hol_real *a, const hol_real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void hol_add(hol_real f, const hol_real *a, hol_real *out)
{
    for (int i = 0; i < 3; i++) out[i] += f * a[i];
}

// How far a place or a shape of end 1 is from the core of end 0, a function f of up to twelve arguments: the coordinates x, y, z of its origin in
// the axes of end 0, and of shapes that are no balls products of axes. Where it touches, from its origin in its own axes, is w.
enum { HOL_CORE_MOST = 12 };
typedef struct hol_core {
    hol_real f, d[HOL_CORE_MOST], dd[HOL_CORE_MOST][HOL_CORE_MOST];
    hol_real w[3], w_d[3][HOL_CORE_MOST];
} hol_core;
typedef void hol_core_fn(const hol_contact *c, const hol_real *x, hol_core *o); // o is zeroed
// As places of one coordinate: f = |e| over n of them, of which those that are not free do not count; line: e stands on it, NULL: on none.
void hol_core_length(int n, const hol_real *e, const bool *free, const hol_real *line, hol_core *o);
hol_core_fn hol_core_box;       // half edges `size`; 0: flat, so that rods and places are boxes
hol_core_fn hol_core_can;       // about z: radius, half length
hol_core_fn hol_core_ring;      // about z: radius; in the plane half its angle about x
hol_core_fn hol_core_outline;   // a polygon, or a line through points (contact_outline.c)
hol_core_fn hol_core_share;     // what of the force is that of this part of the outline
hol_core_fn hol_core_curve;     // a curve
hol_core_fn hol_core_cam;       // of a half-plane: a closed convex curve
hol_core_fn hol_core_rim;       // of a half-space: a circle of radius `size`
hol_core_fn hol_core_ellipsoid; // of a half-space: half axes `size`
hol_core_fn hol_core_egg;       // an ellipsoid of half axes `size`
hol_core_fn hol_core_eggs;      // two, end 1 of half axes `outline`
hol_core_fn hol_core_rods;      // half lengths along z, in the plane x, of end 0 and end 1

// How deep the ball is at another place of the same shape than the nearest one, by the coordinates of its centre [m].
typedef double hol_core_again_fn(const hol_contact *c, const hol_real *x);
hol_core_again_fn hol_core_outline_again, hol_core_curve_again, hol_core_ring_again;

// All that the compiler tells, by the rows of contact.h; without ends.
void hol_contact_take(const hol_value *told, int dimension, hol_contact *c);
// Tells the contact how its gap is measured.
void hol_contact_measure(hol_contact *c);
// The geometry at (y, w); by_y: with derivatives by y.
void hol_contact_find(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, bool by_y,
                      hol_contact_geometry *o);
// The gap, which is returned, as a scalar that is `radii` larger; order as in hol_prim_eval.
hol_real hol_contact_gap(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, int order,
                         hol_scalar *out);
// What of the force is that of this contact, 1 unless parts of an outline share the side that is touched.
void hol_contact_share(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, int order,
                       hol_scalar *out);
// H += F g_yy - V share_yy.                                                                (ny x ny)
void hol_contact_hessian(const hol_contact *c, int ny, const hol_real *y, hol_real F, hol_real V,
                         hol_real *H);
// om = turn w of an end, which is zeroed before.
void hol_contact_turn(const hol_marker *m, const hol_real *y, hol_real turn[HOL_CONTACT_MOST][3]);
// The derivative of om_w of an end by entry k of y. false: it has none.
bool hol_contact_turn_by(const hol_marker *m, int k, hol_real turn[HOL_CONTACT_MOST][3]);
// How many components of friction are inputs, and the tangent that the i-th goes along, with its derivatives by y, which may be NULL.
int hol_contact_tangents(const hol_contact *c);
void hol_contact_tangent(const hol_contact *c, const hol_contact_geometry *o, const hol_real *y, int i,
                         hol_real e[3], hol_real e_y[HOL_CONTACT_MOST][3]);

typedef struct hol_contact_normal {
    hol_real F, F_d, F_v; // by the depth d and its rate v
    hol_real elastic;     // K d^n
    hol_real whole;       // F, also where it would pull
} hol_contact_normal;
// The normal force at a depth d > 0; approach: speed at the onset, 0: not known.
hol_contact_normal hol_contact_press(const hol_contact *c, double approach, hol_real d, hol_real v);
// K d^(n+1)/(n+1), d > 0
hol_real hol_contact_potential(const hol_contact *c, hol_real d);

// T = -F h u; h1 = h'/|u|. Both are even functions of |u|, of its square q.                 (23.7)
typedef struct hol_contact_rubbing {
    hol_real h, h1;
} hol_contact_rubbing;
// Of a friction that is a function of the slip; else 0.
hol_contact_rubbing hol_contact_rub(const hol_contact *c, hol_real q);
bool hol_contact_rubs(const hol_contact *c);

#endif
