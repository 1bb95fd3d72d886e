// Whole turns of bodies in the plane that are none of their joints: a far assembly leaves them behind. docs/theory.md, section 4.1.
#ifndef HOL_UNWIND_H
#define HOL_UNWIND_H

#include "system/assembly.h"

// Takes whole turns off each angle in the plane until it is within half a turn of the one drawn, as far as the rows allow, which hold at
// a->x.q: drivers, gears and exact angles keep theirs. *any: some were taken off.
hol_status hol_assembly_unwind(hol_assembler *a, bool *any);

#endif
