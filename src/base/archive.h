// One pass over the bytes of a checkpoint, the same code for writing and reading, so that the two cannot disagree.
// Nothing read is used before it is looked at: what chooses, counts or ends something goes through a function that says what it
// may be. A value that cannot be sets `failed`.
#ifndef HOL_ARCHIVE_H
#define HOL_ARCHIVE_H

#include "base/base.h"
#include <stdio.h>

typedef struct hol_archive {
    FILE *file;            // NULL: `memory`
    hol_context *ctx;      // of the memory
    unsigned char *memory; // bytes in a row, which grow while they are written                      (size)
    int at, size, capacity;
    bool reading;
    bool failed;             // once set, nothing more is moved
    unsigned long long hash; // FNV-1a of all bytes so far, of files
} hol_archive;

// Writes n bytes from p, or reads them into p: for numbers that may be anything, NaN too.
void hol_archive_bytes(hol_archive *a, void *p, size_t n);
#define HOL_ARCHIVE(a, x) hol_archive_bytes(a, &(x), sizeof(x))
// Finite numbers.
void hol_archive_numbers(hol_archive *a, double *x, size_t n);
// The same, read; false: they are other ones than they were.
bool hol_archive_numbers_same(hol_archive *a, double *x, size_t n);
// A number from least to most, either of which may be infinite.
void hol_archive_number(hol_archive *a, double *x, double least, double most);
// An index or the like, from least to most.
void hol_archive_int(hol_archive *a, int *x, int least, int most);
// Counters, which go on counting: 0 to 10^15.
void hol_archive_counts(hol_archive *a, long *x, size_t n);
void hol_archive_flag(hol_archive *a, bool *x);
// A value both sides must agree on (a size): written, or read and compared.
void hol_archive_same(hol_archive *a, long long value);

unsigned long long hol_hash(unsigned long long hash, const void *p, size_t n); // start with HOL_HASH_START
#define HOL_HASH_START 14695981039346656037ull

#endif
