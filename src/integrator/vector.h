// Vectors and the dense solver of SUNDIALS with the operations of a step written out: its serial ones tell seven cases of a sum apart and cost more
// than the numbers where there are few of them. The results are the same to the last bit. The norm is that of norm.h.
#ifndef HOL_VECTOR_H
#define HOL_VECTOR_H

#include "integrator/norm.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>

// Serial, of length n; its clones are like it. norm: how the solver measures it, which must outlive it. NULL: out of memory.
N_Vector hol_vector_create(int n, const hol_norm *norm, SUNContext context);
// Its numbers. (The macro of SUNDIALS takes no expression.)
static inline double *hol_vector_data(N_Vector v) { return NV_DATA_S(v); }
// Its dense solver, which factors A in place. NULL: out of memory.
SUNLinearSolver hol_dense_solver_create(N_Vector y, SUNMatrix A, SUNContext context);

#endif
