// Loops of items, `for: i in first..last`: the index is a name of expressions in each of its turns.
#ifndef HOL_LOOPS_H
#define HOL_LOOPS_H

#include "model/read.h"

// A slip of the pen must not fill the memory.
enum { HOL_LOOP_MOST = 1000000 };

typedef struct hol_loop_index {
    char name[40];
    double value;
} hol_loop_index;

// "i in a..b": the index and its bounds, both included.
hol_status hol_loop_parse(const hol_reader *r, const hol_node *node, const hol_path *path,
                          hol_loop_index *index, double *lo, double *hi);
// What is known in a turn; the index stays where it is.
hol_scope hol_loop_scope(const hol_scope *outer, const hol_loop_index *index);

#endif
