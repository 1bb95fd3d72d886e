// What libFuzzer calls, and replay.c in its place. https://llvm.org/docs/LibFuzzer.html
#ifndef HOL_FUZZ_H
#define HOL_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
