// Private to branches of equilibria: where one is, and what is left of balance there, row by row. docs/theory.md, section 20.5.
#ifndef HOL_BRANCH_DATA_H
#define HOL_BRANCH_DATA_H

#include "analysis/slice.h"
#include "analysis/unheld.h"

enum { HOL_MOST_BRANCHES = 32 };

// Where a branch is, and where it goes.
typedef struct {
    hol_state x;
    double s;        // part of the parameter's range
    double *dq, *dX; // tangent                                                     (nq), (nx)
    double ds;
    int negative, neutral;
    bool stable;
} hol_branch_place;

typedef struct {
    hol_statics_data *o;
    hol_context *ctx;
    const hol_at_rest *first; // layout of states, and rows in use
    hol_branch_place now, next, seek;
    double *J, *z;   // bordered                                          ((n + 1)^2), (n + 1)
    double *by;      // of what is left by s                                              (n)
    double *qs;      // of coordinates that joints move with s                           (nq)
    double *u[2];    //                                                                  (nq)
    double *slip;    // of bristles, by how coordinates change from `now` on             (nx x nq)
    double *by_now;  // from there                                                      (nq)
    double *rate[2]; //                                                                (nx)
    bool sticks;     // there are bristles
    int branch;
    bool leaves; // a bifurcation: nothing is looked for on the first step
    char unheld
        [HOL_UNHELD_TEXT]; // why steps since the last point have failed; "": not for the sake of balance
    int n_found;
    hol_branch_place found[HOL_MOST_BRANCHES]; // where others begin, one for each direction
} hol_branch;

// The model there, at a state that need not fit.
hol_status hol_branch_open(hol_branch *w, double s, const hol_state *x, hol_slice *out);
// How what is left changes with the parameter, along the directions of c, and how the joints move the coordinates.
hol_status hol_branch_find_slope(hol_branch *w, double s, const hol_slice *c);
// How bristles are stretched by the way from `now`, from which the next step goes.
hol_status hol_branch_find_slip(hol_branch *w);
bool hol_branch_is_bristle(const hol_equations *s, int k); // state k
double hol_branch_state_size(const hol_slice *c, int k);

// What row of (20.5) unknown i of those that are left has.
typedef enum { HOL_OF_BALANCE, HOL_OF_RATE, HOL_OF_BRISTLE, HOL_OF_REST } hol_branch_row;

// Of row i of what is left: its kind; its value; its derivatives by unknown j and by s; what it is multiplied by, `most` being the largest stiffness.
hol_branch_row hol_branch_row_of(const hol_slice *c, int i);
double hol_branch_left_in(hol_branch *w, const hol_slice *c, hol_branch_row kind, int i);
double hol_branch_left_by(const hol_branch *w, const hol_slice *c, hol_branch_row kind, int i, int j);
double hol_branch_left_by_s(const hol_branch *w, const hol_slice *c, hol_branch_row kind, int i);
double hol_branch_weight_of(const hol_slice *c, hol_branch_row kind, int i, double most);

#endif
