// Points near the constraints put onto them, by chord steps: with the factors of a matrix that was made near by,
//
//     [W  Phi_q^T  Psi_v^T; Phi_q  0  0; Psi_v  0  0]        W any metric
//
// which are the system's own at the time. docs/theory.md, sections 9.4 and 9.5. And the vector u = (q; v; X) with its rate
// (v; a; X'), for methods that integrate all coordinates.
#ifndef HOL_SETTLE_H
#define HOL_SETTLE_H

#include "system/system.h"

// slow: part of the last error that may remain after a correction, HOL_RECOVERABLE if it is more; *count is raised by the
// corrections made. What is left is rounding: a constraint's error is a force where a stiff spring hangs on it.
hol_status hol_chord_positions(hol_system *s, hol_state *x, double slow, int *count);
hol_status hol_chord_velocities(hol_system *s, hol_state *x, double slow, int *count);

// Positions and velocities with the matrix at x, made anew where the chord is slow (near a singular pose), then
// accelerations. HOL_RECOVERABLE: singular, or too far away.
hol_status hol_settle(hol_system *s, hol_state *x);

void hol_state_pack(const hol_system *s, const hol_state *x, double *u);   // (2 nq + nx)
void hol_state_unpack(const hol_system *s, const double *u, hol_state *x); // q, v, X
void hol_state_rate(const hol_system *s, const hol_state *x, double *rate);

#endif
