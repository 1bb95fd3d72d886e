// Kinematics as a method of integration: what it asks of a model. docs/theory.md, section 19.
#ifndef HOL_KINEMATIC_H
#define HOL_KINEMATIC_H

#include "integrator/integrator.h"
#include "system/actuate.h"

extern const hol_method hol_method_kinematic;
// Do joints, drivers and constraints determine every motion at x? HOL_ERR_USAGE: no, with the bodies that are free. The factors of k
// are void afterwards.
hol_status hol_kinematic_check(hol_kernel *k, const hol_state *x);
// From now on inputs take over from the drivers, (21.1), at the present state first. The method takes a over, after a failure too.
hol_status hol_kinematic_actuate(hol_integrator *it, hol_actuators a);
// Those that it has now.
const hol_actuators *hol_kinematic_actuators(const hol_integrator *it);

#endif
