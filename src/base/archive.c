// Checkpoint bytes; see archive.h.
#include "base/archive.h"

unsigned long long hol_hash(unsigned long long hash, const void *p, size_t n)
{
    const unsigned char *c = p;
    for (size_t i = 0; i < n; i++) hash = (hash ^ c[i]) * 1099511628211ull;
    return hash;
}

void hol_archive_bytes(hol_archive *a, void *p, size_t n)
{
    if (a->failed || n == 0) return;
    const size_t moved = a->reading ? fread(p, 1, n, a->file) : fwrite(p, 1, n, a->file);
    if (moved != n)
        a->failed = true;
    else
        a->hash = hol_hash(a->hash, p, n);
}

void hol_archive_same(hol_archive *a, long long value)
{
    long long other = value;
    HOL_ARCHIVE(a, other);
    if (other != value) a->failed = true;
}
