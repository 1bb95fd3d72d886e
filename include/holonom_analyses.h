// Analyses of a mechanism that are not runs: where its parts are when it is driven, what holds it at rest, what moves it as wanted,
// how it answers to small changes near a state. docs/theory.md, sections 19 to 23.
//
// Every object names what it holds and its units, and is destroyed by one function, which takes NULL. What cannot be answered is an
// error with a text in the context; nothing is given back that is not a solution.
#ifndef HOLONOM_ANALYSES_H
#define HOLONOM_ANALYSES_H

#include "holonom.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

// ---- linearise ------------------------------------------------------------------------------------------------

// The motion near a state with inputs and outputs, x' = A x + B u, y = C x + D u, all of them changes. Which inputs, outputs and
// coordinates these are stands under `linearise:` in the model file: `--set linearise.outputs=["AZ(crank)", "A.Fx"]` of
// hol_model_load gives others. All derivatives are exact. docs/theory.md, section 22.
//
// States x: with coordinates first these, then their rates, and rates that are given alone; without coordinates p and w with
// dq = N p, dv = Z p + V w (hol_modes); then users' states X, then of each driver that is an input its change u and the rate u', whose
// derivative u'' is the input. Without coordinates the matrices of a state in motion depend on the program's coordinates
// and say nothing about stability: `warning` tells.
typedef struct hol_linear_options {
    double at;         // time up to which the model's run goes before [s]; 0: the assembled start
    bool equilibrium;  // a static equilibrium is looked for from there
    hol_metric metric; // of p and w
    // Models of more than 1000 degrees of freedom have no matrices here but frequency responses at these angular frequencies [rad/s], by sparse
    // matrices, about a state at rest and without drivers as inputs; smaller ones where it is asked for.
    bool sparse;
    int n_omega;
    const double *omega;
} hol_linear_options;

typedef enum hol_linear_kind {
    HOL_LINEAR_POSITION, // a coordinate
    HOL_LINEAR_RATE,     // of a coordinate, or given alone
    HOL_LINEAR_P,        // of the program's own coordinates
    HOL_LINEAR_W,        // their velocities
    HOL_LINEAR_STATE,    // a state of the user
    HOL_LINEAR_INPUT,    // what is added to the value of a driver
    HOL_LINEAR_INPUT_RATE
} hol_linear_kind;

// A state, input or output: its name, its unit ("" for pure numbers and where it is not known), its value at the state (NaN of p and w).
typedef struct hol_linear_signal {
    const char *name, *unit;
    double value;
} hol_linear_signal;

typedef struct hol_linear {
    const char *title, *model; // title NULL: none
    double time;               // [s]
    hol_metric metric;
    bool equilibrium; // at rest or nearly so, as of hol_modes
    bool
        steady; // coordinates are given, and their rates and those of users' states are constant, those of coordinates 0
    double residual, speed; // as of hol_modes
    int degrees_of_freedom, velocity_constraints;
    int n_x, n_u, n_y, n_coordinates;
    const hol_linear_signal *x, *u, *y; //                                               (n_x), (n_u), (n_y)
    const hol_linear_kind *kind;        // of the states                                 (n_x)
    const double *A, *B, *C, *D;     // column-major       (n_x x n_x), (n_x x n_u), (n_y x n_x), (n_y x n_u)
    const double *pole_re, *pole_im; // eigenvalues of A, by their absolute values [1/s] (n_x)
    const double *vector_re, *vector_im; // of each pole the states, the largest of which is 1   (n_x x n_x)
    const double
        *gain; // of constant inputs, -C A^-1 B + D or its limit; infinite where an output grows  (n_y x n_u)
    const char *const *coordinate, *const *unit; // of the bodies                            (n_coordinates)
    const double *dq; // without coordinates: how they change by the states; else NULL  (n_coordinates x n_x)
    const double *dv; // and their velocities
    const char *warning; // what the eigenvalues are not, and what to do; NULL: there is none
    bool sparse;         // there are neither states nor matrices, gains are NaN, and this is the response:
    int n_omega;
    const double *omega, *response_re,
        *response_im; // else 0 and NULL                         (n_omega), (n_y x n_u x n_omega)
} hol_linear;

// NULL: error. HOL_ERR_USAGE: the coordinates do not close, or depend on each other, an output depends on what they leave out, too many
// degrees of freedom; and those of hol_modes_create. options NULL: all 0.
hol_linear *hol_linear_create(hol_context *ctx, const hol_model *model, const hol_linear_options *options);
void hol_linear_destroy(hol_linear *linear);
// Zeros of the way from an input to an output, -1: from all inputs to all outputs, of which there are as many: where the transfer
// function is 0 [1/s]. re and im: (n_x); *n of them; -1: it is 0 everywhere.
hol_status hol_linear_zeros(hol_context *ctx, const hol_linear *linear, int output, int input, int *n,
                            double *re, double *im);
// G(i omega) = C (i omega - A)^-1 B + D at n angular frequencies [rad/s], re and im (n_y x n_u x n). Infinite where i omega is a pole.
// A sparse one knows it at its own frequencies alone: HOL_ERR_USAGE at others. It has no zeros.
hol_status hol_linear_response(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                               double *re, double *im);
// All there is as JSON, with the frequency response if n > 0.
hol_status hol_linear_print(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                            hol_print_fn print, void *user);
// By the file's ending: .json all there is; .nc the same, in netCDF; .mtx (Matrix Market): A, with B, C and D in files
// of their own, NAME_B.mtx and so on; .csv: the frequency response at `omega`, which the others have too if n > 0.
hol_status hol_linear_write(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                            const char *path);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
