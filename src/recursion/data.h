// What the files of the tree solver share: eliminate.c, frames.c (kinematics and forces), rows.c (rows, multipliers,
// projections), loops.c.
#ifndef HOL_RECURSION_DATA_H
#define HOL_RECURSION_DATA_H

#include "base/team.h"
#include "recursion/recursion.h"
#include "system/twist.h"

// How a body moves against its father. All but the general one have their motion in closed form.
typedef enum hol_link_kind {
    HOL_LINK_FREE,
    HOL_LINK_REVOLUTE,  // about z of the child's marker (2D: about the point)
    HOL_LINK_SPHERICAL, // 3D
    HOL_LINK_FIXED,
    HOL_LINK_SLIDE,  // translational
    HOL_LINK_GENERAL // directions from the null space of its rows
} hol_link_kind;

// A body and its tie to the father, in the order of the forest; constant. Numbers in hol_body3 or hol_body6.
typedef struct hol_link {
    int q, father;      // first coordinate; father's place in the order, -1: ground or none
    unsigned char kind; // hol_link_kind
    unsigned char dof;
    unsigned char frame; // hol_frame
    unsigned char rows;
    bool opens; // the first of its father's children to be eliminated
    bool leaf;
    bool owns_axis; // slide: the axis is the child's
    bool turns;     // one tie in space: a point, then two or three components of the rotation
    bool touching;  // a tie holds points together: twists are carried from one to the other
    int row;        // first row among those of the tree
    size_t pool;    // directions F (dof x d), W (dof x d), inverse factor (dof x dof)
} hol_link;

// s: the joint's points from the centres of mass, in body axes (of ground: global); a slide has its axis in place of s,
// in the axes of the body that owns it.
typedef struct hol_body3 {
    double m, J, weight[2], s[2], s_father[2];
} hol_body3;

typedef struct hol_body6 {
    double m, J[9], weight[3], s[3], s_father[3];
    double a[3]; // revolute: axis in the child; slide: in the body that owns it
    bool slim;   // J is diagonal
} hol_body6;

// Symmetric matrices by rows of the upper triangle.
typedef struct hol_inertia6 { // [A H; H^T C]
    double A[6], H[9], C[6];
} hol_inertia6;

typedef struct hol_frame6 {
    double R[9], r[3],
        J[6]; // rotation; from the father's point of the twist to the own one; inertia in global axes
} hol_frame6;

typedef struct hol_frame3 {
    double c, s, r[2];
} hol_frame3;

typedef struct hol_link_axes { // the joint's frame, axes as rows, in the body's own and the father's axes
    double own[9], father[9];
} hol_link_axes;

typedef struct hol_loop_element { // small: each pass over the loops reads all of them
    int joint;                    // the element
    int first;                    // loop row
    int end[2];                   // places in the order of the two ends, -1: ground
    unsigned D;                   // in r->D: (rows x n_bodies d); of points the two arms, (2 x dimension)
    unsigned block;               // in r->block                                               (rows x rows)
    unsigned s;                   // in r->s_loop: both points, (2 x dimension)
    unsigned char rows;           // that are active
    unsigned char row[HOL_MAX_ROWS]; // of the element
    bool point;                      // both ends held together
    bool turns; // in space, and its rows hold a point and components of the rotation: closed form
} hol_loop_element;

struct hol_recursion {
    hol_recursion_size size;
    hol_context *ctx;
    const hol_equations *s;
    const hol_forest *forest;
    int n_bodies, d;
    int *order, *place; // the bodies, fathers before children; where each stands          (n_bodies)
    // Places up to piece[0] are the top of a divided tree, those from piece[p] to piece[p + 1] whole subtrees below it.
    int n_pieces, *piece; //                                                                 (n_pieces + 1)
    // With threads the loops of each body: loop_of[first_loop[j]] to loop_of[first_loop[j + 1] - 1]. NULL: without.
    int *first_loop, *loop_of;
    hol_link *link;      //                                                                  (n_bodies)
    hol_body3 *body3;    // in the plane
    hol_body6 *body6;    // in space
    hol_link_axes *axes; // in space
    const hol_state *x;  // the state that was set
    hol_frame6 *frame6;
    hol_frame3 *frame3;
    hol_inertia6 *inertia; // articulated: all that hangs on the body, joints free       (n_bodies)
    double (*inertia3)[6];
    double *nu, *f, *jump, *u; //                                                               (n)
    double *lam;               // rows of the tree                                         (n_tree)
    double *pool;
    int *tree_row;        // active row of each row of the tree                               (n_tree)
    int n_forces, *force; // elements with forces
    bool sums_power;      // their power is wanted,
    double power;         // as far as it is not derived from a potential, at the state that was set [W]
    int n_general;        // links of the general kind
    int n_loop_elements;
    hol_loop_element *loop;
    int *loop_row;              // active row of each loop row                                  (n_loops)
    double *row_size;           // its natural size                                             (n_loops)
    double *theta, *rate, *tau; // values, theta', and D nu' = tau is theta'' = 0               (n_loops)
    double *D;                  // rows of the loops
    double *block;              // their blocks of D M^-1 D^T
    double *s_loop;             // points from the centres of mass, body axes (ground: global)
    double *general;            // generalised forces, for the multipliers of normalisations  (nq)
};

// ---- pieces (pieces.c) ------------------------------------------------------------------------------------------

// Bodies by depth, piece by piece, into r->order and r->place.
hol_status hol_recursion_order(hol_recursion *r);
// r->loop_of, where there are threads and many bodies.
hol_status hol_recursion_list_loops(hol_recursion *r);
// function(with, from, to) for all places. _inwards: children before fathers, where the function goes from `to` down to
// `from`; _outwards: fathers before children; _each: in any order. Functions write to what belongs to their bodies, and
// inwards to these bodies' fathers.
void hol_recursion_inwards(const hol_recursion *r, hol_team_range *function, void *with);
void hol_recursion_outwards(const hol_recursion *r, hol_team_range *function, void *with);
void hol_recursion_each(const hol_recursion *r, hol_team_range *function, void *with);
// The same for the loops, in any order.
void hol_recursion_each_loop(const hol_recursion *r, hol_team_range *function, void *with);

// Rows of all ties of link j by its own twist: B (rows x d), rows <= d; the rest as in hol_twist_rows.
void hol_link_rows(const hol_recursion *r, int j, const hol_state *x, double *B, double *value, double *gam,
                   double *time);

// _set and _solve_accelerations in two passes; no force elements.
hol_status hol_recursion_fall(hol_recursion *r, hol_state *x);

// Wrenches that rows of the loops bring to a body in the pass inwards.
typedef struct hol_carried {
    int j, n;          // place of the body; wrenches
    double *h;         // of the rows, and of what hangs on the body                              (n x d)
    double *alpha, *z; // z = Z alpha with alpha^T Z alpha what (14.7) calls alpha^T alpha        (dof x n)
    double *above;     // those of the father's, where it has one
    const int *to;     // which of these gets what the father feels                               (n)
} hol_carried;

// From h alpha and z, and what is added above. h becomes, or stays, the wrench of (14.11).
void hol_recursion_carry(const hol_recursion *r, const hol_carried *o);
// The two passes of _apply: inwards, which leaves alpha in u, with or without _factor, and outwards: alpha in u becomes the
// twists.
hol_status hol_recursion_eliminate(hol_recursion *r, bool factors, const double *f, const double *jump,
                                   double *u);
void hol_recursion_substitute(const hol_recursion *r, const double *jump, double *u);

// Rows of a joint that `turns`: D, values, rates and bias.
void hol_joint_rows(hol_recursion *r, const hol_state *x, const hol_loop_element *l);

// r, directions and bias of a link of the general kind.
void hol_link_general(hol_recursion *r, const hol_state *x, int j);

#endif
