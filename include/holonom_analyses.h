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

// ---- statics --------------------------------------------------------------------------------------------------

// A pose in which the forces balance, with v = 0: found by Newton's method in the tangent space of the joints, and downhill where that
// finds none or one at which nothing stays. Time stands at the start: drivers are where they are then, velocity constraints and
// dampers hold nothing. docs/theory.md, section 20.
typedef struct hol_statics_options {
    bool unstable; // an equilibrium at which nothing stays will do: the first one that Newton's method finds
    // "NAME=A..B": a parameter of the model file goes from A to B, values as the file may have them, and the equilibrium is followed,
    // around folds too; NULL: one equilibrium
    const char *vary;
    bool branches; // others that cross it are followed from there
} hol_statics_options;

typedef enum hol_static_signal {
    HOL_STATIC_POSE,       // of a body's frame: position and orientation
    HOL_STATIC_COORDINATE, // of a joint
    HOL_STATIC_MOTION,     // of a marker, or a velocity or acceleration
    HOL_STATIC_FORCE,      // reaction of a joint or driver, force of a spring, ..
    HOL_STATIC_OTHER
} hol_static_signal;

// What a point of a branch is.
typedef enum hol_static_kind {
    HOL_STATIC_REGULAR,
    HOL_STATIC_FOLD,        // the parameter turns back: a load beyond it has no equilibrium near
    HOL_STATIC_BIFURCATION, // other branches cross
    HOL_STATIC_CHANGE       // a vibration begins or ceases to grow
} hol_static_kind;

// An equilibrium. A motion has six numbers for each body: displacement of its centre of mass and rotation, in global axes.
typedef struct hol_static_point {
    bool stable;      // no direction softens, and nothing grows by itself
    int neutral;      // directions without stiffness
    int negative;     // those with a negative one
    double *value;    // of the signals                                                   (n_signals)
    double potential; // energy [J]
    double
        stiffness; // the least that is not 0 [N/m, N m/rad] of the body that moves most; NaN: there is none; of folds and bifurcations 0
    int softest;   // that body: its largest component is 1 in `shape`                  -1: there is none
    const char *stiffness_unit;
    double *shape;       // motion in which it is that                                    (6 x n_bodies)
    double *free_motion; // the neutral directions                              (6 x n_bodies x neutral)
    double growth;       // of the fastest motion away [1/s]; 0: none, NaN: masses do not determine it
    double left;         // the forces on a body that remain, against those that cancel there, the largest [-]
    double force;        // those that cancel there, by natural size [N m]
    int iterations;      // matrices of the search
    bool flowed;         // Newton's method alone did not find it
    // of a branch, else 0
    int branch; // 0: the one from the start
    hol_static_kind at;
    double parameter; // in SI
    double slope;     // its change along the branch, by its range and natural sizes: 0 at a fold
} hol_static_point;

typedef struct hol_statics {
    const char *title, *model; // title NULL: none
    double time;               // [s]
    int degrees_of_freedom, velocity_constraints;
    bool driven;           // a driver moves: it is held where it is
    int n_trimmed;         // parameters that `static.trim` of the model file finds
    const char **trimmed;  // their names                                                    (n_trimmed)
    double *trim_value;    // their values, in SI                                            (n_trimmed)
    const char *parameter; // that is varied; NULL: none
    const char *ended;     // why a branch ends before its end; NULL: none does
    int n_bodies, n_signals, n_points;
    const char **body; // names                                                           (n_bodies)
    const char **signal, **unit, **doc; // what values are, in SI                                (n_signals)
    hol_static_signal *kind;            //                                                       (n_signals)
    hol_static_point *point;            //                                                (n_points)
} hol_statics;

// NULL: error. HOL_ERR_USAGE: too many degrees of freedom; HOL_ERR_INTEGRATION: no equilibrium was found; and what the start of a run
// may return. options NULL: all 0. The model must outlive it.
hol_statics *hol_statics_create(hol_context *ctx, const hol_model *model, const hol_statics_options *options);
void hol_statics_destroy(hol_statics *statics);
// The points as rows of a result, with all signals. The file's ending says the format, as with hol_simulation_write.
hol_status hol_statics_write(hol_context *ctx, const hol_statics *statics, const char *path);
// The pose of a point as a part of a model, to be included: the bodies begin there.
hol_status hol_statics_write_pose(hol_context *ctx, const hol_statics *statics, int point, const char *path);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
