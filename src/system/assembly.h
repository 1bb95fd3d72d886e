// The pose and the velocities with which a model starts: of those in which the joints hold, the ones with the least change of what the
// file gives, by natural sizes and weights, with what is exact as it is. docs/theory.md, sections 4.1 and 4.2.
#ifndef HOL_ASSEMBLY_H
#define HOL_ASSEMBLY_H

#include "system/kernel.h"

// A parameter of the model file with another value of which the joints can be closed.
enum { HOL_MOST_LENGTHS = 6 };
typedef struct hol_length {
    const char *name; // in the model's arena
    const char *unit; // "m", "rad", or "" of others
    double now, then; // its value, and that other one, with which the model has been assembled
    double by;        // derivative of the gap
} hol_length;

// The equations of the assembly: those of the model, and rows of what is exact.
typedef struct hol_assembler {
    hol_model_data m; // with the elements of what is exact
    hol_kernel k;     // of all rows of poses, or of velocities
    hol_state x;
    double *asked;  // q0, or v0 at the pose                                                         (nq)
    double *weight; // W of (4.1), and W where it is regular                                         (2 nq)
    char loop[300], nearest[300], alone[100]; // of what stays open; empty: nothing
    int others;                               // other loops that stay open
    double gap;                               // of that loop in all [m, or rad where only angles are open]
    hol_src open_at;                          // of the joint that is left open alone
    double *apart,
        *pull; // the pose in which that joint alone is open, and there the derivatives of the gap by Phi   (nq), (nc)
    int n_lengths;
    hol_length length[HOL_MOST_LENGTHS]; // parameters of the file that would close it      (n_lengths)
    double left_open; // what redundant rows leave open where the others hold, by natural size; 0: nothing
    double *target;   // what the rows of velocities are to be, beside those of joints 0               (nc)
} hol_assembler;

// Makes the equations for poses, or for velocities at the pose of x; x: of any equations of the model. To be destroyed also after failure.
hol_status hol_assembler_create(hol_context *ctx, const hol_model_data *m, const hol_state *x, bool motion,
                                hol_assembler *a);
void hol_assembler_destroy(hol_assembler *a);

// Do joints and exact values hold already, to rounding?
bool hol_assembly_holds(hol_assembler *a);
// Moves a->x.q by Gauss-Newton steps of (4.1a) until the rows nearly hold. HOL_RECOVERABLE: they do not.
hol_status hol_assembly_close(hol_assembler *a);
// From there to the pose of least change, (4.1b). HOL_RECOVERABLE: the rows do not hold there; *least: it is found to rounding.
hol_status hol_assembly_settle(hol_assembler *a, bool *least);
// The velocities of least change at the pose. HOL_RECOVERABLE: singular.
hol_status hol_assembly_move(hol_assembler *a);
// The multipliers mu (nc) of (4.1b) at the pose, which is that of least change: -2 mu is the derivative of the change by gaps of the rows.
hol_status hol_assembly_costs(hol_assembler *a, double *mu);
// (q - q0)^T W (q - q0)
double hol_assembly_change(const hol_assembler *a);
// Where the rows do not hold: moves a->x.q to the pose nearest to that, with the least sum of (Phi_i/size_i)^2, (4.2b).
hol_status hol_assembly_nearest(hol_assembler *a);
// There: a->loop names the joints of the loop that stays open, a->nearest how far each is, a->gap how far one alone is where the others hold.
hol_status hol_assembly_find_loop(hol_assembler *a);
// And parameters of the model file that would close it: those by which the gap changes, each with a value with which the model has been
// assembled.
hol_status hol_assembly_find_lengths(hol_assembler *a);
// What of exact values contradicts the joints, or each other, where they do not hold: an error that names them; HOL_OK: nothing does.
hol_status hol_assembly_fail_exact(hol_assembler *a, bool motion);

#endif
