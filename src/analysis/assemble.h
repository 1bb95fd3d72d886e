// The start of a model by itself: its pose and velocities beside what the file gives. docs/theory.md, sections 4.1 and 4.2.
#ifndef HOL_ASSEMBLE_H
#define HOL_ASSEMBLE_H

#include "holonom_analyses.h"
#include "system/assembly.h"

// all: with the other poses that are found from the first.
hol_assembly *hol_assembly_find(hol_context *ctx, const hol_model_data *m, bool all);
void hol_assembly_free(hol_assembly *assembly);

#endif
