// One pass over the bytes of a checkpoint, the same code for writing and reading, so that the two cannot disagree.
#ifndef HOL_ARCHIVE_H
#define HOL_ARCHIVE_H

#include "base/base.h"
#include <stdio.h>

typedef struct hol_archive {
    FILE *file;
    bool reading;
    bool failed;             // once set, nothing more is moved
    unsigned long long hash; // FNV-1a of all bytes so far
} hol_archive;

// Writes n bytes from p, or reads them into p.
void hol_archive_bytes(hol_archive *a, void *p, size_t n);
// A value both sides must agree on (a size, a name's hash): written, or read and compared; a difference sets `failed`.
void hol_archive_same(hol_archive *a, long long value);

#define HOL_ARCHIVE(a, x) hol_archive_bytes(a, &(x), sizeof(x))

unsigned long long hol_hash(unsigned long long hash, const void *p, size_t n); // start with HOL_HASH_START
#define HOL_HASH_START 14695981039346656037ull

#endif
