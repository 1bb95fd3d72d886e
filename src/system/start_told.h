// What a start (initial.c) says: changes of the user's data, and why it fails.
#ifndef HOL_START_TOLD_H
#define HOL_START_TOLD_H

#include "system/assemblies.h"
#include "system/rank.h"

// Body by body: asked -> used for whatever the projection has changed. v0, v: velocities; NULL: positions.
void hol_start_report(hol_context *ctx, const hol_equations *s, const double *q, const double *v0,
                      const double *v);
// A body's coordinates as the model file has them, or their rates where v is given: of its frame, not of the centre of mass.
void hol_start_as_typed(const hol_model_data *m, int body, const double *q, const double *v, double out[7]);
// Warns where the assembly has moved a body far.
void hol_start_warn_far(hol_context *ctx, const hol_equations *s, const double *used);
// Equations that are independent by so little that digits of the file may have made it, rank->nearly: which they are; way: and what to do.
void hol_start_tell_nearly(const hol_model_data *m, const hol_rank *rank, bool way, char *text, size_t size);
// The joints cannot be closed: the loop that stays open, or, of no assembler (NULL), those that are open the most.
hol_status hol_start_fail_assembly(hol_context *ctx, hol_kernel *k, const hol_state *x,
                                   const hol_assembler *a);
// What is required of the pose holds in none of those found.
hol_status hol_start_fail_require(hol_context *ctx, hol_assembler *a, const hol_assemblies *found);
// Refuses a constraint that no motion changes at the start.
hol_status hol_start_fail_constraints(hol_context *ctx, const hol_equations *s, const hol_state *x);
// Users' equations and velocity constraints that make the accelerations indeterminate, or have no solution that is found; HOL_OK: it is not they.
hol_status hol_start_fail_users(hol_context *ctx, hol_kernel *k, hol_state *x);
// The accelerations are not determined, with status st: which body, equation or constraint is to blame.
hol_status hol_start_fail_accelerations(hol_context *ctx, hol_kernel *k, hol_state *x, hol_status st);
// Refuses bodies without inertia about an axis that nothing holds.
hol_status hol_start_check_needles(hol_context *ctx, const hol_equations *s, const hol_state *x);

#endif
