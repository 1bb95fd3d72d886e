// Private to the files that linearise: what is there while matrices are made.
#ifndef HOL_LINEARISE_DATA_H
#define HOL_LINEARISE_DATA_H

#include "analysis/equilibrium.h"
#include "analysis/linearise.h"
#include "system/linear.h"

typedef struct {
    hol_context *ctx;
    hol_arena *arena; // of the result
    const hol_model_data *m;
    const hol_linearise *wanted;
    hol_equations *s;
    hol_kernel *k;
    hol_state *x;
    hol_reduced r;
    int base, drivers; // states p, w, X; drivers among the inputs, two states each
    int n, nu, ny;
    int n_xi; // of the user's states; 0: no coordinates
    hol_element
        *coordinate; // those wanted, with the full turns of the state                   (n_coordinates)
    double *N, *Z, *X,
        *change;       // by state, then by input           (nq + 1), (nq), (nx), (n of the system) x (n + nu)
    double *A, *B, *Y; // (n x n), (n x nu), (ny x (n + nu))
    double *T, *R, *value,
        *work;             // user's states and their rates, row by row: (n_xi x (n + nu)); values; (n + nu)
    double *size, *size_y; // what rows of R and Y are made of, without signs: (n_xi), (ny)
    double *memory;
} hol_linear_builder;

static inline size_t hol_linear_width(const hol_linear_builder *b) { return (size_t)(b->n + b->nu); }

// Coordinates of the user (linearise_coordinates.c): how many of them are positions.
int hol_linear_positions(const hol_linearise *w);
// They with the full turns that the memory of the state has.
hol_status hol_linear_count(hol_linear_builder *b);
// Rows of T and R: the states, and their rates.
hol_status hol_linear_find_rows(hol_linear_builder *b);
// A, B, C and D by them, or which of them do not do.
hol_status hol_linear_transform(hol_linear_builder *b, double *A, double *B, double *C, double *D);
// Do they and their rates stay as they are, and states of the user?
bool hol_linear_is_steady(const hol_linear_builder *b, const hol_linear *l, const hol_balance *balance);
// Row of a coordinate or rate: which coordinate, and whether its rate; -1: a state X or of a driver.
typedef struct hol_linear_part {
    int coordinate;
    bool rate;
} hol_linear_part;
hol_linear_part hol_linear_part_of(const hol_linearise *w, int row);
// A state of the user's own coordinates, or its rate: steer' and steer''. NULL: no memory.
const char *hol_linear_state_text(const hol_linear_builder *b, int row, bool rate);
static inline bool hol_linear_is_rate(const hol_element *e) { return e->type->rate != NULL; }

// The number of what is held among those that programs set.
int hol_linear_number_of(const hol_model_data *m, int held);
// The frequency response alone, at rest, (ny x nu x n), without the directions of A (linearise_response.c).
hol_status hol_linear_sparse_response(hol_linear_builder *b, int n, const double *omega, double *re,
                                      double *im);

// Names, units and values (linearise_names.c).
hol_status hol_linear_name(const hol_linear_builder *b, hol_linear *l);

#endif
