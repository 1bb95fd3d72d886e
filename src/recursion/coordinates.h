// Joint coordinates of a tree: what its joints leave free, and the bodies that follow from that, fathers before children.
//
//     R_j = R_k T(q),   x_j = x_k + R_k (s_k + D sigma) - R_j s_j                                   (17.1)
//
// with k the father of body j. A joint has up to three strokes sigma along axes of the father's marker, and turns not at all,
// about one axis, about two (the arms of a cross) or freely: then T is that of four parameters of any length, and the rates
// are the three components of the relative angular velocity in the father's axes. A free body has strokes and a free
// rotation against ground. Joints are exact: nothing is projected, nothing drifts. docs/theory.md, section 17.
#ifndef HOL_RECURSION_COORDINATES_H
#define HOL_RECURSION_COORDINATES_H

#include "recursion/loop_solve.h"
#include "system/explicit.h"

typedef struct hol_coordinates hol_coordinates;

typedef struct hol_coordinates_size {
    int n_q, n_u;    // coordinates, rates
    const int *like; // to each, a coordinate of the model with the same unit and natural size     (n_q + n_u)
} hol_coordinates_size;

// r must outlive it; joints that are cut take no part. x: consistent, the screws' strokes are those there.
// HOL_RECOVERABLE: a joint has no such coordinates, *obstacle says why; or it says nothing, and all of those are noted in `cut`
// (NULL: not wanted), as in hol_forest_create_without.
hol_status hol_coordinates_create(hol_context *ctx, hol_tree *r, const hol_state *x, char *cut,
                                  hol_coordinates **out, hol_obstacle *obstacle);
// The same for a whole model, joints without coordinates being closed like loops: *tree and *out are the caller's to destroy, also
// after a failure.
hol_status hol_coordinates_of_tree(hol_context *ctx, hol_equations *s, const hol_state *x, double accuracy,
                                   hol_loops *tree, hol_coordinates **out, hol_obstacle *obstacle);
void hol_coordinates_destroy(hol_coordinates *c);
const hol_coordinates_size *hol_coordinates_sizes(const hol_coordinates *c);

// q and u of a consistent state, and the whole turns in which the Euler parameters of the bodies stand from now on.
void hol_coordinates_take(hol_coordinates *c, const hol_state *x, double *q, double *u);
// Angles in space that were taken become those within half a turn.
void hol_coordinates_within_half_turns(hol_coordinates *c, double *q);
// What `take` has learnt of the state.
void hol_coordinates_archive(hol_coordinates *c, hol_archive *a);
// x->q, x->v of all bodies at x->t.
void hol_coordinates_put(hol_coordinates *c, const double *q, const double *u, hol_state *x);
// q' at the q and u that were put last.                                                              (n_q)
void hol_coordinates_rates(const hol_coordinates *c, const double *q, const double *u, double *rate);
// u' there, of the accelerations of all bodies (hol_loops_found); NULL: of those of the tree found last.    (n_u)
void hol_coordinates_accelerations(const hol_coordinates *c, const double *all, double *rate);
// u of twists of all bodies that keep the joints whole.                                              (n_u)
void hol_coordinates_velocities(const hol_coordinates *c, const double *all, double *u);
// The same of the accelerations x->a of a state on the joints. room: (twists of all bodies)
void hol_coordinates_second_rates(const hol_coordinates *c, const hol_state *x, double *room, double *rate);
// What coordinate i, or rate i, is called: the joint's name, or that of a body that hangs on none, and a word: "stroke", "angle", ..
typedef struct hol_coordinate_name {
    const char *object, *word, *unit;
} hol_coordinate_name;
hol_coordinate_name hol_coordinates_name(const hol_coordinates *c, bool rate, int i);
// Closes the loops of o by the smallest changes of q and u in the metric of the masses; x is the state there. *room: (n_q + n_u)
// HOL_RECOVERABLE: too far away.
hol_status hol_coordinates_close(hol_coordinates *c, hol_loops *o, double *q, double *u, double *room,
                                 hol_state *x);

#endif
