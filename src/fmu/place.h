// What the functions of both versions of FMI share: may a call come now, where are the resources, what is logged.
#ifndef HOL_FMU_PLACE_H
#define HOL_FMU_PLACE_H

#include "fmu/instance.h"

// An instance for a master; resources: the address "file:///tmp/a%20b/resources" or the path of the folder; why: there is none of what it asks
// for, or NULL. NULL: it has been told why.
fmu *fmu_instantiate(const fmu *master, const char *resources, const char *token, const char *why);
// modes: in which the function may be called. False: it may not, which has been told; without an instance there is nobody to tell.
bool fmu_may(const fmu *f, const char *function, unsigned modes);
// Errors are always told, the rest if it is on and its category is among those that are named; none named: all.
fmu_status fmu_set_logging(fmu *f, bool on, size_t n, const char *const *category);
fmu_status fmu_write_bytes(const fmu *f, const fmu_memory *memory, unsigned char *bytes, size_t n);

#endif
