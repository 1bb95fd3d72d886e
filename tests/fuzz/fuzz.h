// What fuzz targets share.
#ifndef HOL_FUZZ_H
#define HOL_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// What libFuzzer calls, and replay.c in its place. https://llvm.org/docs/LibFuzzer.html
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "violated: %s\n", what);
    abort();
}

#endif
