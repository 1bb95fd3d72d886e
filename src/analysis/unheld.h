// Forces along directions that nothing holds: there is no equilibrium then, and a reader wants to know where. docs/theory.md, section 20.2.
#ifndef HOL_UNHELD_H
#define HOL_UNHELD_H

#include "analysis/equilibrium.h"

enum { HOL_UNHELD_TEXT = 300 };

// Words for what b (d), forces along the directions of e at q [N m], do along those without stiffness, even by what rounding may hide of
// it: "nothing holds "wheel" along x, and a force of 10 N drives it there", or with the name of what changes by b: ".., and P drives it
// there". "": there is no such direction, or K_R is not symmetric.
hol_status hol_unheld_say(hol_context *ctx, const hol_equilibrium *e, const double *q, const double *b,
                          const char *name, char text[HOL_UNHELD_TEXT]);

#endif
