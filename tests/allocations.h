// Counts every malloc, calloc and realloc of the process, libraries included. For the one source file of a program.
#ifndef TESTS_ALLOCATIONS_H
#define TESTS_ALLOCATIONS_H

#include "interposed.h"

#include <stddef.h>

static volatile long allocations; // compilers take it that malloc changes nothing of ours

#if INTERPOSED
// glibc's own entry points; every call of malloc, calloc and realloc in the process comes through here.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    allocations++;
    return __libc_realloc(old, size);
}
#endif

#endif
