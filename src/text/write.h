// A tree of nodes as YAML that people can read.
#ifndef HOL_WRITE_H
#define HOL_WRITE_H

#include "text/tree.h"

// hol_tree_parse makes the same tree of the text, but for places, and this the same text of that tree. Lists of plain values, and
// what fits into a line, stand between brackets; in the root, maps and lists of maps do not. print gets pieces.
void hol_tree_write(const hol_node *root, hol_print_fn print, void *user);

#endif
