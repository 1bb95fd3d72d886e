// What is not a finite number at a state, and where in the model it comes from. For those who have failed: this is slow.
#ifndef HOL_FAULT_H
#define HOL_FAULT_H

#include "system/equations.h"

typedef struct hol_fault {
    hol_src at;
    char text[1200]; // 'variables.u: "sqrt(-x)" has no finite value at t = 2 s: sqrt(-1) ..'
} hol_fault;

// The value of one expression: of an equation, an event or what that sets. `what` is how it is called. false: it is finite, or
// the trouble is in what it takes.
bool hol_fault_in_equation(const hol_equations *s, const hol_state *x, const hol_equation *e,
                           const char *what, hol_fault *out);
// Whatever is not finite at this state: motions of ground markers, users' equations and code, drivers, constraints, forces,
// masses. false: nothing is.
bool hol_fault_find(hol_equations *s, const hol_state *x, hol_fault *out);
// The message about what is not finite at `trial`, at the state `reached` it was tried from, or on the way just beyond that;
// or about variables whose equations are about to lose their solution. HOL_OK, without one: nothing was found. The unknowns of the trial state need not be finite.
hol_status hol_fault_report(hol_equations *s, const hol_state *trial, const hol_state *reached);
// The message about a variable that depends on itself by a factor of nearly 1 at this state, where its equation loses its solution.
hol_status hol_fault_fold(hol_equations *s, const hol_state *x);
// The report at the start, where there is one state only; `otherwise` without a message if nothing was found.
hol_status hol_fault_report_start(hol_equations *s, const hol_state *x, hol_status otherwise);
// The same of another state: where it is, "this pose".
hol_status hol_fault_report_at(hol_equations *s, const hol_state *x, const char *where, hol_status otherwise);

// HOL_OK, or the message that another driver moves the same two bodies in the same way and asks for another motion. when: text
// before it.
hol_status hol_fault_rivals(hol_context *ctx, const hol_model_data *m, int element, hol_status code,
                            const char *when);

#endif
