// The constraint rows of one loop, or group of loops, as a dense matrix: what rank and redundancy are found with.
//
// Euler parameter rates are replaced by angular velocities, lengths are measured in the natural length, every row has
// the length 1: thresholds do not depend on units. docs/theory.md, section 4.3.
#ifndef HOL_LOOP_H
#define HOL_LOOP_H

#include "linalg/dense.h"
#include "system/graph.h"

typedef struct hol_loop {
    int n_edges, *edge; // edges of the component
    int n_rows, *row;   // model rows, element by element
    int n_columns;
    int *column;      // first column of each body, -1: not in the component   (n_bodies)
    double *jacobian; // transposed: column k is row k of Phi_q                 (n_columns x n_rows)
    hol_dense_qr qr;
} hol_loop;

#define HOL_RANK_THRESHOLD 1e-9 // relative to the first pivot; docs/theory.md, section 4.3

// Lists for any component of the model; matrix and QR are the owner's to create. Destroying frees all.
hol_status hol_loop_create(hol_context *ctx, const hol_model_data *m, hol_loop *l);
void hol_loop_destroy(hol_loop *l);

// A component is entered, used, and left before the next one.
void hol_loop_enter(const hol_graph *g, int component, hol_loop *l);
void hol_loop_leave(const hol_graph *g, hol_loop *l);
// Matrix and QR for a component of this many rows and columns.
hol_status hol_loop_reserve(hol_context *ctx, hol_loop *l, int columns, int rows);
void hol_loop_release(hol_loop *l);

// The rows of an element between bodies of the loop (n_columns x n_rows of the element); norm (n_rows of the element), or
// NULL: what they were divided by, 1 for a row of zeros.
void hol_loop_rows(const hol_model_data *m, const hol_loop *l, const hol_element *e, double t,
                   const double *q, double *out, double *norm);
// All of them into l->jacobian.
void hol_loop_jacobian(const hol_graph *g, hol_loop *l, double t, const double *q);
// How independent the marked rows are, active (rows of the model): the last pivot of their orthogonal factors with pivoting
// against the first; 0 below the threshold. Rows are those of hol_loop_jacobian; work (n_rows (n_rows + 1)), order (n_rows).
double hol_loop_independence(const hol_loop *l, const char *active, double *work, int *order);
// Makes the marked rows so large that pivoting takes them first, preferred (rows of the model; NULL: none is), and those of joints that rest
// at their stops so small that it takes them last: where these let go, the others are all that there is.
void hol_loop_prefer(const hol_graph *g, hol_loop *l, const char *preferred);

#endif
