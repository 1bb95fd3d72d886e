// The bytes of a checkpoint, written and read by one pass of the same calls, hashed as they go; what is read is looked
// at before it is used.
#include "base/archive.h"

#include <limits.h>
#include <string.h>

static const long MOST_COUNTED = 1000000000000000; // sums of some and of what comes do not overflow

unsigned long long hol_hash(unsigned long long hash, const void *p, size_t n)
{
    const unsigned char *c = p;
    for (size_t i = 0; i < n; i++) hash = (hash ^ c[i]) * 1099511628211ull;
    return hash;
}

// In memory no hash is made: nothing is damaged there.
static void move_in_memory(hol_archive *a, void *p, size_t n)
{
    const bool fits = n <= (size_t)(INT_MAX / 2) && a->at <= INT_MAX / 2;
    const int need = fits ? a->at + (int)n : INT_MAX;
    if (a->reading ? need > a->size : !fits || !HOL_GROW(a->ctx, a->memory, a->capacity, need)) {
        a->failed = true;
        return;
    }
    if (a->reading)
        memcpy(p, a->memory + a->at, n);
    else
        memcpy(a->memory + a->at, p, n);
    a->at = need;
    if (!a->reading) a->size = need;
}

void hol_archive_bytes(hol_archive *a, void *p, size_t n)
{
    if (a->failed || n == 0) return;
    if (!a->file) {
        move_in_memory(a, p, n);
        return;
    }
    const size_t moved = a->reading ? fread(p, 1, n, a->file) : fwrite(p, 1, n, a->file);
    if (moved != n)
        a->failed = true;
    else
        a->hash = hol_hash(a->hash, p, n);
}

static void refuse_unless(hol_archive *a, bool good)
{
    if (a->reading && !good) a->failed = true;
}

void hol_archive_numbers(hol_archive *a, double *x, size_t n)
{
    hol_archive_bytes(a, x, n * sizeof *x);
    for (size_t i = 0; i < n && a->reading && !a->failed; i++) refuse_unless(a, isfinite(x[i]));
}

bool hol_archive_numbers_same(hol_archive *a, double *x, size_t n)
{
    enum { PIECE = 64 };
    double before[PIECE];
    bool same = true;
    for (size_t i = 0; i < n; i += PIECE) {
        const size_t count = n - i < PIECE ? n - i : PIECE;
        memcpy(before, x + i, count * sizeof *x);
        hol_archive_numbers(a, x + i, count);
        same = same && memcmp(before, x + i, count * sizeof *x) == 0;
    }
    return same;
}

// What is refused keeps the value it had: the run that ends on it still uses it as an index or a size.
void hol_archive_number(hol_archive *a, double *x, double least, double most)
{
    const double before = *x;
    HOL_ARCHIVE(a, *x);
    refuse_unless(a, *x >= least && *x <= most);
    if (a->reading && a->failed) *x = before;
}

void hol_archive_int(hol_archive *a, int *x, int least, int most)
{
    const int before = *x;
    HOL_ARCHIVE(a, *x);
    refuse_unless(a, *x >= least && *x <= most);
    if (a->reading && a->failed) *x = before;
}

void hol_archive_counts(hol_archive *a, long *x, size_t n)
{
    hol_archive_bytes(a, x, n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        const bool counted = x[i] >= 0 && x[i] <= MOST_COUNTED;
        refuse_unless(a, counted);
        if (!counted) x[i] = 0; // what was refused is computed with until it is destroyed
    }
}

void hol_archive_flag(hol_archive *a, bool *x)
{
    unsigned char byte = *x;
    HOL_ARCHIVE(a, byte);
    refuse_unless(a, byte <= 1);
    *x = byte == 1;
}

void hol_archive_same(hol_archive *a, long long value)
{
    long long other = value;
    HOL_ARCHIVE(a, other);
    refuse_unless(a, other == value);
}
