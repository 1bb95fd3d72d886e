// Bodies placed one after the other along the spanning tree, each so that its joint with the one before it closes: for drawings that are
// no poses at all. docs/theory.md, section 4.1.
#ifndef HOL_TREE_PLACE_H
#define HOL_TREE_PLACE_H

#include "system/equations.h"

// Moves x->q. What a joint leaves free stays near to what it was. The joints of loops stay open, and those of the tree that do not close.
hol_status hol_place_along_tree(hol_equations *s, hol_state *x, hol_random *dice);

// Turns a body about its centre of mass by an angle [rad], about an axis of the dice.
void hol_turn_body(const hol_model_data *m, int body, double angle, hol_random *dice, double *q);

#endif
