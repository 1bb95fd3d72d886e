// What friction that sticks leaves open of an equilibrium: docs/theory.md, section 20.1.
#ifndef HOL_STICKING_H
#define HOL_STICKING_H

#include "system/equations.h"

// Warns of the bristle that holds where the search has brought it the farthest from where it is drawn, with its way.
void hol_sticking_tell(hol_context *ctx, const hol_model_data *m, const hol_state *x);
// Warns of the bristle that, at rest, is so near to the limit of its friction that it gives way to one side alone, by its name.
void hol_sticking_tell_edge(hol_context *ctx, const hol_model_data *m, const hol_state *x);
// Of friction that has come to its limit at x, in words; nothing where none has. Returns text.
enum { HOL_STICKING_TEXT = 200 };
const char *hol_sticking_said(const hol_model_data *m, const hol_state *x, char text[HOL_STICKING_TEXT]);
// The bristle, a state, that holds the largest part of its limit at x, of those that give way to one side; -1: none does.
int hol_sticking_fullest(const hol_model_data *m, const hol_state *x, double *part);
// The limit of the friction whose bristle state k is, at x [N, N m].
double hol_sticking_limit(const hol_model_data *m, int k, const hol_state *x);

#endif
