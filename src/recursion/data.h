// What the files of this folder share, and nobody else calls: kinematics.c (frames, joints, forces), articulated_body.c (the
// two passes), multipliers.c, projection.c, loop_rows.c, partition.c (threads). _set comes first; then what is named at each function.
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
    bool owns_axis;      // slide: the axis is the child's
    bool turns;          // one tie in space: a point, then two or three components of the rotation
    bool touching;       // a tie holds points together: twists are carried from one to the other
    unsigned char shape; // dof, and HOL_GEARED where rotors turn with the joint
    int row;             // first row among those of the tree
    size_t pool;         // directions F (dof x d), W (dof x d), inverse factor (dof x dof)
} hol_link;

enum { HOL_GEARED = 8 };

// Inertia of a function c of a body's pose against its father: c' = n.(nu_j - X nu_k), c'' = n.(u_j - X u_k) + bent.
typedef struct hol_rotor {
    const hol_element *element;
    int link;
    double inertia, n[HOL_TWIST], bent; // at what was placed
    double along[HOL_TWIST];            // F^T n, of the factors                              (dof)
    // Where the bodies turn about the axis of c alone, n is a turn about it: the axis, in those of the link's body. turn[2] in the plane.
    bool hinge;
    double turn[3];
    // Of one that turns with the body that carries it (8.57a): k, 0 for others; its axis as a twist; the torque of the axis' turning, k c'
    // axis'; does the link itself carry it, not the father?
    double spin, axis[HOL_TWIST], turning[3];
    bool owned;
} hol_rotor;

// s: the joint's points from the centres of mass, in body axes (of ground: global). a: axis of a slide, in the axes of the body
// that owns it, of a hinge in space in those of the child.
typedef struct hol_body3 {
    double m, J, weight[2], s_father[2];
    union {
        double s[2], a[2]; // a slide needs no point
    };
} hol_body3;

typedef struct hol_body6 {
    double m, J[9], weight[3], s[3], s_father[3], a[3];
    bool slim; // J is diagonal
} hol_body6;

// Rotation; from the father's point of the twist to the own one; in space the inertia in global axes.
typedef struct hol_frame6 {
    double R[9], r[3], J[6];
} hol_frame6;

typedef struct hol_frame3 {
    double R[2], r[2]; // cosine and sine
} hol_frame3;

typedef struct hol_angle3 { // the one that a body's rotation was asked for last, and what it is
    double angle, R[2];
} hol_angle3;

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

struct hol_tree {
    hol_tree_size size;
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
    hol_angle3 *angle3;
    char *inertia; // articulated: all that hangs on the body, joints free; inertia_of       (n_bodies)
    double *nu, *f, *jump, *u; //                                                               (n)
    double *lam;               // rows of the tree                                         (n_tree)
    double *pool;
    int *tree_row;        // active row of each row of the tree                               (n_tree)
    int n_forces, *force; // elements with forces
    int n_rotors;         // elements with inertia that are no bodies, by their links
    hol_rotor *rotor;
    int *first_rotor; // those of link j: from first_rotor[j] to first_rotor[j + 1] - 1; where there are some
    bool sums_power;  // their power is wanted,
    double power;     // as far as it is not derived from a potential, at the state that was set [W]
    int n_general;    // links of the general kind
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

// Does anything act but weight and what follows from velocities?
static inline bool hol_tree_is_forced(const hol_tree *r) { return r->n_forces > 0 || r->s->m->n_swarms > 0; }

// ---- pieces (partition.c) ------------------------------------------------------------------------------------------

// Bodies by depth, piece by piece, into r->order and r->place.
hol_status hol_tree_order(hol_tree *r);
// r->loop_of, where there are threads and many bodies.
hol_status hol_tree_list_loops(hol_tree *r);
// function(with, from, to) for all places. _inwards: children before fathers, where the function goes from `to` down to
// `from`; _outwards: fathers before children; _each: in any order. Functions write to what belongs to their bodies, and
// inwards to these bodies' fathers.
void hol_tree_inwards(const hol_tree *r, hol_team_range *function, void *with);
void hol_tree_outwards(const hol_tree *r, hol_team_range *function, void *with);
void hol_tree_each(const hol_tree *r, hol_team_range *function, void *with);
// The same for the loops, in any order.
void hol_tree_each_loop(const hol_tree *r, hol_team_range *function, void *with);

// ---- the tree -----------------------------------------------------------------------------------------------------

// Everything at x->t, x->q, x->v, x->z: frames, twists r->nu, joints, r->jump with B jump = gam, forces r->f (gravity,
// gyroscopic and all force elements). Its two parts: all but the force elements, and these, once.
void hol_tree_set(hol_tree *r, const hol_state *x);
void hol_tree_place(hol_tree *r, const hol_state *x);
void hol_tree_add_forces(hol_tree *r, const hol_state *x);
// Rotors (rotors.c): their list, once; their directions at x, which was placed; forces that follow from velocities, on r->f; and what
// they put on the bodies that accelerate by u, which is taken from their inertial forces f.
hol_status hol_tree_list_rotors(hol_tree *r);
void hol_tree_place_rotors(hol_tree *r, const hol_state *x);
void hol_tree_add_rotors(const hol_tree *r);
void hol_tree_take_rotors(const hol_tree *r, const double *u, double *f);
// f += M a of the rotors, by coordinates.                                                                      (nq)
void hol_tree_rotors_inertia(const hol_tree *r, const hol_state *x, double *f);
// Articulated inertias and their factors, at what was placed. Errors as those of hol_tree_accelerations.
hol_status hol_tree_factor(hol_tree *r);
// After _factor: u with M u + B^T lam = f, B u = B jump. f or jump NULL: 0. f and u may be the same array.      (n) each
void hol_tree_apply(hol_tree *r, const double *f, const double *jump, double *u);
// Its two passes: the backward pass leaves alpha in u, with or without _factor; the forward pass makes twists of it.
hol_status hol_tree_backward(hol_tree *r, bool factors, const double *f, const double *jump, double *u);
void hol_tree_forward(const hol_tree *r, const double *jump, double *u);
// _factor and _apply with r->f and r->jump; the accelerations stand in r->u, and q'' in x->a.
hol_status hol_tree_solve(hol_tree *r, hol_state *x);
// _set and _solve in two passes; no force elements.
hol_status hol_tree_solve_unforced(hol_tree *r, hol_state *x);
// r->lam that goes with f and u; r->jump is lost. Then x->lam of all joints; mu NULL: 0.
void hol_tree_find_multipliers(hol_tree *r, const double *f, const double *u);
void hol_tree_put_multipliers(const hol_tree *r, const double *mu, hol_state *x);
// Those of the normalisations of Euler parameters, which hold nothing; x->lam of all joints must be there.
void hol_tree_put_normalisations(hol_tree *r, hol_state *x);

// q'' of the accelerations u at what was placed into x->a; v of the twists nu.
void hol_tree_put_accelerations(const hol_tree *r, const double *u, hol_state *x);
void hol_tree_put_velocities(const hol_tree *r, const double *nu, hol_state *x);
// Moves x->q along the twist u for a time h; Euler parameters turn by h omega and stay of unit length.
void hol_tree_move(const hol_tree *r, double h, const double *u, hol_state *x);
// Euler parameters in x->q and their rates in x->v put onto the unit sphere.
void hol_tree_normalise(const hol_tree *r, hol_state *x);

// What the joints of the tree are open by at what was placed, in position or velocity, in natural sizes; the gaps stand in r->u.
double hol_tree_gaps(const hol_tree *r, const hol_state *x, bool velocity);
// The twists that close them, in r->u, by the factors that are there, or made for it; r->jump is lost.
hol_status hol_tree_close_gaps(hol_tree *r, bool factored);
// By Newton's method. tolerance [-]: of the rows by their natural size. HOL_RECOVERABLE: no convergence.
hol_status hol_tree_project_positions(hol_tree *r, hol_state *x, double tolerance);
hol_status hol_tree_project_velocities(hol_tree *r, hol_state *x);

// Rows of all ties of link j by its own twist: B (rows x d), rows <= d; the rest as in hol_twist_rows.
void hol_link_rows(const hol_tree *r, int j, const hol_state *x, double *B, double *value, double *gam,
                   double *time);
// jump = Q R^-T gam, with the factors of hol_row_factors.
void hol_right_inverse(int d, int m, const double *Q, const double *R, const double *gam, double *jump);
// r, directions and bias of a link of the general kind.
void hol_link_general(hol_tree *r, const hol_state *x, int j);

// Wrenches that rows of the loops bring to a body in the backward pass.
typedef struct hol_carried {
    int j, n;          // place of the body; wrenches
    double *h;         // of the rows, and of what hangs on the body                              (n x d)
    double *alpha, *z; // z = Z alpha with alpha^T Z alpha what (14.7) calls alpha^T alpha        (dof x n)
    double *above;     // those of the father's, where it has one
    const int *to;     // which of these gets what the father feels                               (n)
} hol_carried;

// From h alpha and z, and what is added above. h becomes, or stays, the wrench of (14.11).
void hol_tree_carry(const hol_tree *r, const hol_carried *o);

// ---- the loops ------------------------------------------------------------------------------------------------------

// Rows of the loops at what was placed: r->theta, r->rate, D, and what follows from velocities, r->tau.
void hol_tree_set_loops(hol_tree *r, const hol_state *x);
// D and tau only; values and rates need not be there. u not NULL: b = D u - tau.                   (n), (n_loops)
void hol_tree_bend_loops(hol_tree *r, const hol_state *x, const double *u, double *b);
void hol_tree_loops_times(const hol_tree *r, const double *u, double *out);          // out = D u
void hol_tree_loops_force(const hol_tree *r, double c, const double *mu, double *f); // f += c D^T mu
// Blocks of D M^-1 D^T, one per loop element, factored at the state that was set. A dependent row counts as 0.
void hol_tree_factor_blocks(hol_tree *r);
void hol_tree_solve_blocks(const hol_tree *r, double *x); // x <- blockdiag(D M^-1 D^T)^-1 x     (n_loops)
// With E = blockdiag(..)^-1 = H^T H: x <- H x, or transposed x <- H^T x.
void hol_tree_solve_half(const hol_tree *r, bool transposed, double *x);
// u = K D^T x (n), out = D u (n_loops), K the inverse mass of the tree; after _factor and _set_loops. x and out may be
// the same.
void hol_tree_operator(hol_tree *r, const double *x, double *u, double *out);
// gain, mu and the force on r->f that hol_tree_regularized takes. Leaves theta and theta', not tau.
void hol_tree_regularize(hol_tree *r, const hol_state *x, const hol_regularization *c, double *mu,
                         double *gain); // (n_loops) each

static inline const hol_element *hol_loop_joint(const hol_tree *r, const hol_loop_element *l)
{
    return &r->s->m->element[l->joint];
}
// Rows of a joint that `turns`: D, values, rates and bias.
void hol_joint_rows(hol_tree *r, const hol_state *x, const hol_loop_element *l);

#endif
