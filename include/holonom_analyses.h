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

// ---- kinematics -----------------------------------------------------------------------------------------------

// A simulation of a mechanism that joints and drivers leave nothing free: its poses, velocities and accelerations follow from them
// alone, to rounding, at every time of output, and so do reactions and the forces of drivers. It is used as any other
// (hol_simulation_step, _write, _record, _advance ..), and needs no tolerance. It goes through dead centres and singular poses on its
// branch, and stops where a driver cannot go on. NULL: error; HOL_ERR_USAGE: a motion is free, which the text names.
hol_simulation *hol_kinematics_create(hol_context *ctx, const hol_model *model);

// How far a driver can move the mechanism from where it is, the other drivers standing still.
typedef struct hol_reach {
    const char *driver, *unit;        // name; "m" or "rad"
    double now;                       // what is driven, at the present pose
    double least, most;               // the dead centres, where they are bounded: joints come into line there
    bool least_bounded, most_bounded; // false: it goes on from there, a full turn or 20 natural lengths away
} hol_reach;

// Of the simulation's present pose, which stays: entry i of those that are, false behind the last one. Mechanisms in which other
// motions are free, or with more than 300 coordinates, have none.
bool hol_kinematics_reach(hol_simulation *sim, int i, hol_reach *out);

// ---- inverse dynamics -----------------------------------------------------------------------------------------

// What moves a mechanism as its drivers prescribe: inputs of the model, of which forces depend, in place of the drivers. Of several that
// would do, those of the least weighted squares.
typedef struct hol_inverse_options {
    int n_actuators; // 0: the drivers give the forces themselves
    const char *const
        *actuator;        // names of inputs                                                 (n_actuators)
    const double *weight; // of their squares; NULL: 1                                       (n_actuators)
    const double *least,
        *most; // bounds, NULL: none                                              (n_actuators)
} hol_inverse_options;

// The simulation of hol_kinematics_create in which the drivers give no force, at any time: signals of the inputs are what actuators have
// to give, reactions are those with them. NULL: error; HOL_ERR_USAGE: no such input, or a motion is free; of hol_simulation_step: the
// motion needs a force that no actuator gives, which the text names with its size.
hol_simulation *hol_inverse_create(hol_context *ctx, const hol_model *model,
                                   const hol_inverse_options *options);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
