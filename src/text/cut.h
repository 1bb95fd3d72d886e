// Expressions without quotes that YAML has cut in two at a comma or a colon: what is left is refused with the advice.
#ifndef HOL_CUT_H
#define HOL_CUT_H

#include "text/tree.h"

// Pairs of a map, keys and values in turn, n of each. complete: the map is closed, so what a comma has cut off is all there;
// else a value with an open bracket is enough.
hol_status hol_refuse_cut_pairs(hol_context *ctx, hol_node *const *pairs, int n, bool complete);
// Items of a list between [ ]; refused is a decimal comma too, where spaces behind the others tell: [0, -9,81], and numbers with
// no comma between them: [0 -9.81].
hol_status hol_refuse_cut_items(hol_context *ctx, hol_node *const *item, int n);
// Is it numbers with blanks between them, and no operator?
bool hol_lacks_commas(const hol_node *item);
// A key that a colon has cut off an expression, as "if(x" of {value: if(x: a, b, c)}.
hol_status hol_refuse_cut_key(hol_context *ctx, const hol_node *key, const hol_node *value);

// Of a list with a number of items that does not fit: "; if 1,5 is one number: .. 1.5"; of a text with commas where a list is
// wanted: "; lists have brackets: [0,-9.81]"; or nothing.
const char *hol_comma_hint(hol_arena *arena, const hol_node *list);

#endif
