// Forward dynamics of a tree of joints in O(n), the articulated-body algorithm (Featherstone 2008): forces from the leaves to
// the roots, accelerations back from the roots. Joints that close loops are cut.
//
// Unknowns are twists nu, one per body: (x', y', theta') in the plane, the velocity of the centre of mass and the angular
// velocity in space, both in global axes; point masses have zeros in place of a rotation. With B the rows of the tree:
//
//     M u + B^T lam = f,   B u = gam,   u = nu'                        the tree                          (14.3)
//     D nu + theta_t = 0                                               the loops                         (14.9)
//
// Each function below takes a state and makes all it needs there; nothing allocates but _create and _spectrum. Exact
// multipliers of the loops are made by loop_solve.h, joint coordinates by coordinates.h. docs/theory.md, section 14.
#ifndef HOL_RECURSION_RECURSION_H
#define HOL_RECURSION_RECURSION_H

#include "system/equations.h"
#include "system/forest.h"

typedef struct hol_tree hol_tree;

typedef struct hol_tree_size {
    int d;                 // entries of a twist: 3 in the plane, 6 in space
    int n;                 // d * bodies
    int n_tree;            // rows of the tree
    int n_loops;           // loop rows that are active in the system
    int n_elements;        // loop elements
    long factors, applies; // counters
    const double *theta, *rate,
        *row_size; // of the loop rows: values and rates found last; natural sizes      (n_loops)
} hol_tree_size;

// s: the system whose active rows, multipliers and states are meant; s and f must outlive it. Rows of the tree must be
// active (hol_forest_prefer). The order of bodies is that of f.
//   HOL_ERR_MODEL: refused by name: velocity constraints, rows of the tree that are left out
// The first element that the recursions have no place for, and why in words, "it is .."; NULL: there is none. f NULL: whatever the
// tree.
const hol_element *hol_tree_refuses(const hol_model_data *m, const hol_forest *f, const char **why);
hol_status hol_tree_create(hol_context *ctx, const hol_equations *s, const hol_forest *f, hol_tree **out);
void hol_tree_destroy(hol_tree *r);
const hol_tree_size *hol_tree_sizes(const hol_tree *r);

// x->a of a model without loop rows (with them: of the free tree), and x->lam of the joints when multipliers are wanted.
// HOL_ERR_MODEL: a body without inertia that its joints leave free, named; HOL_RECOVERABLE: not finite.
hol_status hol_tree_accelerations(hol_tree *r, hol_state *x, bool multipliers);
// Power of the force elements there that is not derived from a potential [W], where it was asked for before.
void hol_tree_want_power(hol_tree *r, bool wanted);
double hol_tree_power(const hol_tree *r);

// Euler parameters put onto the unit sphere; positions and velocities onto the joints of the tree, where they are violated by
// more than the given parts of the natural sizes, by the smallest changes in the metric of the masses. Velocities that have been
// put onto the joints before positions were moved keep the square of what was violated. near: the metric may be that of the
// factors that are there. *placed: nothing was changed, to be handed to hol_tree_regularized.
hol_status hol_tree_project(hol_tree *r, hol_state *x, double position, double velocity, bool near,
                            bool *placed);

// Multipliers from the openings of the loops, (15.4): gain = E (theta' + alpha theta)/eps, mu += gain, and x->a of the tree
// under its forces and -D^T (mu + carry gain). placed: hol_tree_project has just said so of x.
typedef struct hol_regularization {
    double alpha, eps, carry;
    bool scaled; // E: the inverse blocks; or the identity
} hol_regularization;
hol_status hol_tree_regularized(hol_tree *r, hol_state *x, const hol_regularization *c, bool placed,
                                double *mu,
                                double *gain); // (n_loops) each
// x->lam of all joints: those of the tree that go with the accelerations found last, and mu of the loops.
void hol_tree_multipliers(hol_tree *r, const double *mu, hol_state *x);
// The other way: those of the loops.
void hol_tree_loop_multipliers(const hol_tree *r, const hol_state *x, double *mu);
double hol_tree_loop_norm(const hol_tree *r, const double *x); // largest x_i by the rows' natural sizes

// Estimates of the extreme eigenvalues of A = D K D^T at x, K the inverse mass of the tree, or of E A (scaled), from inside; exact
// up to 20 loop rows. *apart, NULL: not wanted: the norm of D u - tau, by which the loops of the free tree come apart.
// This allocates.
hol_status hol_tree_spectrum(hol_context *ctx, hol_tree *r, const hol_state *x, bool scaled, double *apart,
                             double *least, double *most);

#endif
