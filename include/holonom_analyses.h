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

// ---- assembly -------------------------------------------------------------------------------------------------

// The pose and the velocities with which a model starts: those in which its joints hold, with the least change of what the file gives.
// docs/theory.md, sections 4.1 and 4.2.

// A coordinate of a body frame as the model file has it, or its rate: "crank.x", "crank.theta", "crank.qw"; "crank.vx", "crank.omega",
// "crank.wx".
typedef struct hol_assembly_value {
    const char *name, *unit;
    double asked, used;
    bool given, exact; // the file gives it; it was to be kept
} hol_assembly_value;

// How far a joint, driver or constraint is open, and what it costs: by how much the change grows with its gap.
typedef struct hol_assembly_joint {
    const char *name;
    double open; // largest of its equations: the distance of points [m], or what it says of angles
    double cost; // largest derivative of `change` by a gap of natural size
} hol_assembly_joint;

typedef struct hol_assembly {
    const char *title, *model; // title NULL: none
    bool closed;               // the joints hold; else the pose is the nearest one that was found
    const char *why;           // what does not hold, a message; NULL: closed
    const char *loop;          // the joints of the loop that stays open; NULL: closed
    double gap;    // of that loop: how far one of its joints is open where the others hold [m, or rad]
    double change; // (q - q0)^T W (q - q0), W of weights and natural sizes
    bool least;    // it is the least one near by, to rounding
    int n_positions, n_velocities, n_joints;
    hol_assembly_value *position; //                                                        (n_positions)
    hol_assembly_value *velocity; // none where the joints do not hold                      (n_velocities)
    hol_assembly_joint *joint;    //                                                        (n_joints)
} hol_assembly;

// NULL: an error, as a run may return it; joints that cannot be closed are none.
hol_assembly *hol_assembly_create(hol_context *ctx, const hol_model *model);
void hol_assembly_destroy(hol_assembly *assembly);
// The pose and the velocities as bodies of a model file, .yaml.
hol_status hol_assembly_write(hol_context *ctx, const hol_assembly *assembly, const char *path);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
