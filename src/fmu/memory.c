// States of an instance that masters keep, set and turn into bytes: what was set, the mode, and a snapshot of the simulation once it runs.
#include "fmu/instance.h"

#include <stddef.h>
#include <string.h>

static const char MAGIC[8] = "holfmu3";

// What stands before the values and the bytes of the snapshot.
typedef struct {
    char magic[8];
    unsigned long long token, hash;     // hash: of all behind it
    double start, stop, tolerance, end; // end: of the simulation
    unsigned long long n, snapshot;     // numbers; bytes
    long long mode;
} head;

struct fmu_memory {
    head h;
    double *value;          // of inputs and parameters; with which the simulation began; (h.n) in all
    hol_snapshot *snapshot; // NULL: the simulation has not begun
};

void fmu_forget(fmu_memory *memory)
{
    if (!memory) return;
    hol_snapshot_destroy(memory->snapshot);
    hol_free(memory->value);
    hol_free(memory);
}

static fmu_memory *new_memory(hol_context *ctx, size_t n)
{
    fmu_memory *memory = hol_calloc(ctx, 1, sizeof *memory);
    if (memory) memory->value = hol_calloc(ctx, n + 1, sizeof *memory->value);
    if (memory && memory->value) return memory;
    fmu_forget(memory);
    return NULL;
}

// Two of each variable.
static size_t numbers(const fmu *f) { return 2 * (size_t)f->list.n; }

// A snapshot is there once the simulation runs; before, it follows from what was set.
fmu_status fmu_save(fmu *f, fmu_memory **memory)
{
    const size_t n = numbers(f);
    if (!memory) return fmu_fail(f, "no place for the state is given");
    hol_snapshot *now = f->mode >= FMU_STEP ? hol_simulation_save(f->sim) : NULL;
    fmu_memory *to = f->mode >= FMU_STEP && !now ? NULL : *memory ? *memory : new_memory(f->ctx, n);
    if (!to) {
        hol_snapshot_destroy(now);
        return fmu_fail(f, "%s", hol_context_error(f->ctx));
    }
    hol_snapshot_destroy(to->snapshot);
    to->snapshot = now;
    to->h = (head){.token = f->token,
                   .start = f->start,
                   .stop = f->stop,
                   .tolerance = f->tolerance,
                   .end = f->sim->d->set.end,
                   .n = n,
                   .snapshot = hol_snapshot_size(now),
                   .mode = f->mode};
    memcpy(to->h.magic, MAGIC, sizeof MAGIC);
    memcpy(to->value, f->value, n * sizeof *to->value);
    *memory = to;
    return FMU_OK;
}

// Values, tolerance and mode are those of the memory; the simulation follows.
static void take_over(fmu *f, const fmu_memory *memory)
{
    f->changed |= f->tolerance != memory->h.tolerance;
    memcpy(f->value, memory->value, (size_t)f->list.n * sizeof *f->value);
    f->start = memory->h.start;
    f->stop = memory->h.stop;
    f->tolerance = memory->h.tolerance;
    f->mode = (fmu_mode)memory->h.mode;
    f->stale = true;
}

// The simulation goes on from the snapshot, as one that began as that of the memory did.
static fmu_status resume(fmu *f, const fmu_memory *memory)
{
    const size_t size = (size_t)f->list.n * sizeof *f->value;
    memcpy(f->value, memory->value + f->list.n, size);
    const bool other = f->changed || memcmp(f->value, f->begun, size) != 0;
    const fmu_status st = other ? fmu_settle(f) : FMU_OK;
    memcpy(f->value, memory->value, size);
    if (st) return st;
    if (!fmu_resume(f, memory->h.end, memory->snapshot)) return fmu_fail(f, "%s", hol_context_error(f->ctx));
    f->stale = false;
    return FMU_OK;
}

// What does not go is taken back.
fmu_status fmu_restore(fmu *f, const fmu_memory *memory)
{
    fmu_memory *before = NULL;
    if (!memory) return fmu_fail(f, "no state is given");
    if (memcmp(memory->h.magic, MAGIC, sizeof MAGIC) != 0 || memory->h.token != f->token ||
        memory->h.n != (unsigned long long)numbers(f))
        return fmu_fail(f, "this is no state of this FMU");
    const bool back = memory->snapshot && f->mode != FMU_FAILED && fmu_save(f, &before) == FMU_OK;
    take_over(f, memory);
    const fmu_status st = memory->snapshot ? resume(f, memory) : FMU_OK;
    if (st && back) { // as it was
        take_over(f, before);
        if (before->snapshot) resume(f, before);
    }
    fmu_forget(before);
    return st;
}

// ---- bytes ----------------------------------------------------------------------------------------------------

size_t fmu_memory_size(const fmu_memory *memory)
{
    return sizeof memory->h + (size_t)memory->h.n * sizeof *memory->value + (size_t)memory->h.snapshot;
}

static unsigned long long hash_of(const unsigned char *bytes, size_t n)
{
    const size_t from = offsetof(head, hash) + sizeof(unsigned long long);
    return hol_hash(HOL_HASH_START, bytes + from, n - from);
}

// Head, values, snapshot; the hash is that of these bytes.
void fmu_memory_write(const fmu_memory *memory, unsigned char *bytes)
{
    const size_t values = (size_t)memory->h.n * sizeof *memory->value;
    head h = memory->h;
    memcpy(bytes, &h, sizeof h);
    memcpy(bytes + sizeof h, memory->value, values);
    if (memory->snapshot)
        hol_snapshot_write(memory->snapshot, bytes + sizeof h + values, (size_t)memory->h.snapshot);
    h.hash = hash_of(bytes, fmu_memory_size(memory));
    memcpy(bytes, &h, sizeof h);
}

// Nothing is used before the length, the token and the hash are looked at.
fmu_status fmu_memory_read(fmu *f, const unsigned char *bytes, size_t n, fmu_memory **memory)
{
    head h;
    if (!bytes || !memory || n < sizeof h) return fmu_fail(f, "these bytes are no state: there are too few");
    memcpy(&h, bytes, sizeof h);
    const size_t values = numbers(f) * sizeof(double);
    if (memcmp(h.magic, MAGIC, sizeof MAGIC) != 0 || h.token != f->token ||
        h.n != (unsigned long long)numbers(f))
        return fmu_fail(f, "these bytes are no state of this FMU");
    if (n < sizeof h + values || h.snapshot != n - sizeof h - values || h.hash != hash_of(bytes, n))
        return fmu_fail(f, "these bytes are damaged");
    fmu_memory *to = new_memory(f->ctx, numbers(f));
    if (!to) return fmu_fail(f, "%s", hol_context_error(f->ctx));
    to->h = h;
    memcpy(to->value, bytes + sizeof h, values);
    if (h.snapshot)
        to->snapshot = hol_snapshot_of_bytes(f->ctx, bytes + sizeof h + values, (size_t)h.snapshot);
    if (h.snapshot && !to->snapshot) {
        fmu_forget(to);
        return fmu_fail(f, "%s", hol_context_error(f->ctx));
    }
    *memory = to; // what stood there may be anything
    return FMU_OK;
}
