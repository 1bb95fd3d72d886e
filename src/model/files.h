// Names of other files in the tree of a model file.
#ifndef HOL_FILES_H
#define HOL_FILES_H

#include "text/tree.h"

// A value that names a file, by the flag HOL_FILE of its row.
typedef hol_status hol_file_fn(void *user, hol_node *name);
// Calls `each` for all of them that the tree has; the first error ends it.
hol_status hol_tree_files(hol_node *root, hol_file_fn *each, void *user);

#endif
