// What the functions of both versions of FMI share: may a call come now, where are the resources, what is logged.
#ifndef HOL_FMU_PLACE_H
#define HOL_FMU_PLACE_H

#include "fmu/instance.h"

#include <stdio.h>

enum { FMU_NAME = 500 }; // bytes of the name of an instance that messages have

typedef struct fmu_call {
    const char *name;
    unsigned modes; // in which it may be called
} fmu_call;

// False: it may not, which has been told; without an instance there is nobody to tell.
bool fmu_may(const fmu *f, const fmu_call *call);
// The folder that "file:///tmp/a%20b/resources" or a path names; to be freed. NULL: it has been told why.
char *fmu_folder(const fmu *master, const char *resources);
// Errors are always told, the rest if it is on and its category is among those that are named; none named: all.
fmu_status fmu_set_logging(fmu *f, bool on, size_t n, const char *const *category);
fmu_status fmu_write_bytes(const fmu *f, const fmu_memory *memory, unsigned char *bytes, size_t n);

#endif
