// Users' equations that follow from positions, velocities, states and time alone, one after the other: for methods that
// know the forces before they solve for accelerations. docs/theory.md, section 15.6.
#ifndef HOL_SYSTEM_EXPLICIT_H
#define HOL_SYSTEM_EXPLICIT_H

#include "system/equations.h"

typedef struct hol_explicit {
    int n;
    int n_moving; // the first ones: what forces and rates take, and all user code; the others are looked at only
    int *order; // equations as they follow from each other; block k of user code as -1 - k      (n)
} hol_explicit;

// Why and where no such order exists.
typedef struct hol_obstacle {
    const char *name, *why; // of an equation; what it needs
    hol_src at;
} hol_obstacle;

// HOL_RECOVERABLE: there is none, *obstacle says why. Destroy it after a failure too.
hol_status hol_explicit_create(hol_context *ctx, const hol_model_data *m, hol_explicit *o,
                               hol_obstacle *obstacle);
// An order of those that do follow; with `unknowns` accelerations and multipliers are given too. implicit (n_equations):
// 1 for the others, which are not in it.
hol_status hol_explicit_create_part(hol_context *ctx, const hol_model_data *m, bool unknowns, hol_explicit *o,
                                    char *implicit);
void hol_explicit_destroy(hol_explicit *o);
// x->z from the rest of x. HOL_RECOVERABLE: user code asks for a smaller step.
hol_status hol_explicit_evaluate(const hol_explicit *o, hol_equations *s, hol_state *x);

// The first n_moving alone: the others in x->z stay as they are.
hol_status hol_explicit_evaluate_moving(const hol_explicit *o, hol_equations *s, hol_state *x);

// Behind an iterate whose residual e (n) is not finite, since it has left the domain of an expression, as depth^1.5 below 0: users' unknowns
// from the rest of x, where they follow from it. false: the residual is finite, or nothing was changed.
bool hol_explicit_return(hol_equations *s, hol_state *x, const double *e);

// What is wanted of a state beside q, v and X: z at least; accelerations and what of z they take; these and the multipliers that have
// power, as the accelerations have them; z and a; multipliers too.
typedef enum hol_wanted {
    HOL_WANT_USERS,
    HOL_WANT_RATES,
    HOL_WANT_POWERS,
    HOL_WANT_ACCELERATIONS,
    HOL_WANT_ALL
} hol_wanted;

#endif
