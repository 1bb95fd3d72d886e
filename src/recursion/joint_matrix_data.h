// What joint_matrix.c lays out, joint_matrix_solve.c fills with numbers, and joint_matrix_points.c, of points in the plane.
#ifndef HOL_RECURSION_JOINT_MATRIX_DATA_H
#define HOL_RECURSION_JOINT_MATRIX_DATA_H

#include "recursion/joint_matrix.h"
#include "linalg/blocks.h"
#include "recursion/spatial.h"

enum {
    HOL_PLANE = 2,
    HOL_SPACE = 7
}; // numbers of an inverse: 1/m; J^-1, in space xx xy xz yy yz zz in global axes

typedef struct { // two joints of a body, or one with itself: a block of A has T_i D_j^T
    unsigned to;
    const double *left, *right; // of T, of D: rows of the body
    int rows, columns, step_left, step_right;
} hol_meeting;

// ---- points in the plane ------------------------------------------------------------------------------------------

typedef struct {              // two joints of a body
    unsigned to, left, right; // arms, in D
    unsigned inverse;         // negative where the body is the first end of one and the second of the other
} hol_crossing;

typedef struct { // the block of the joint itself
    unsigned to, arms, inverse[2];
} hol_hinge;

enum { HOL_PIECE = 128 }; // bodies: what a pass makes of them stays in the caches

typedef struct { // of a piece of the bodies, in their order
    int joints;  // those before it have no body behind the piece
    int bodies;  // those before it have no joint but these
} hol_piece;

// A rigid body in the plane.
typedef struct {
    double fall[2]; // its acceleration without joints where nothing but gravity acts
    int q;          // first coordinate
} hol_falling;

typedef struct {
    double c, s, w; // cosine and sine of its angle; its rate
} hol_turn;

typedef struct hol_arms {
    hol_crossing *crossing; // the first of each block, then those that are added, none of a joint with itself
    hol_hinge *hinge;       //                                                            (n_loop_elements)
    int (*end)[2];          // places of the two bodies, -1: ground                       (n_loop_elements)
    hol_falling *body;      //                                                                   (n_bodies)
    hol_turn *turn;         //                                                                   (n_bodies)
    int n_pieces;
    hol_piece *piece; //                                                                         (n_pieces)
} hol_arms;

// ---- all ------------------------------------------------------------------------------------------------------------

typedef struct { // rows of a joint by the twists of its bodies
    const double *D;
    double *T;   // D M^-1
    int step;    // from one row to the next
    double *own; // D of a joint that keeps its arms only; NULL: of an element
} hol_joint_table;

struct hol_joint_matrix {
    hol_tree *r;
    hol_blocks *A;
    bool points; // in the plane, all bodies rigid, and all joints hold points: arms, no tables
    int n_meetings, n_first;
    hol_arms arms;
    hol_meeting *meeting;   // the first of each block, then those that are added                (n_meetings)
    hol_joint_table *table; //                                                            (n_loop_elements)
    double *inverse; // of the bodies' masses; in the plane a second time with the other sign, and zeros
    double *memory;  // of the tables
    double lightest; // hol_joint_matrix_lightest
};

typedef struct hol_joint_matrix_progress { // what of the matrix is set next
    const hol_joint_matrix *joints;
    const hol_hinge *hinge;
    const hol_crossing *crossing[2]; // the first of each block, then those that are added
    const hol_meeting *meeting[2];
} hol_joint_matrix_progress;

static inline int hol_inverse_size(const hol_tree *r) { return r->d == 3 ? HOL_PLANE : HOL_SPACE; }

static inline int hol_bodies_of(const hol_tree *r, const hol_loop_element *l)
{
    return l->point ? 2 : hol_loop_joint(r, l)->n_bodies;
}
static inline int hol_body_of(const hol_tree *r, const hol_loop_element *l, int b)
{
    return l->point ? l->end[b] : r->place[hol_loop_joint(r, l)->body[b]];
}

// The arms of joint k: of its first body, of its second.
static inline double *hol_arms_of(const hol_tree *r, int k) { return r->D + 4 * (size_t)k; }

// hol_blocks_factor calls it: with a hol_joint_matrix_progress.
void hol_arms_set(void *with, size_t begin, size_t end, double *value);
// hol_joint_matrix_prepare and _take.
void hol_arms_prepare(hol_joint_matrix *o, const hol_state *x, bool bias, double *u, double *b);
bool hol_arms_take(const hol_joint_matrix *o, const double *d, double *u, hol_state *x);

#endif
