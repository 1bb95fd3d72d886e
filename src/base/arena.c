// Arena: memory in blocks that double from 4 kB to 1 MB, freed all at once. A request larger than a block
// gets a block of its own.
#include "base/base.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    ALIGNMENT = 16,        // at most [B]
    FIRST_BLOCK = 1 << 12, // [B]
    LARGEST_BLOCK = 1 << 20
};

typedef struct block {
    struct block *before; // filled earlier; NULL for the first
    size_t size, used;    // of data [B]
    _Alignas(ALIGNMENT) unsigned char data[];
} block;

struct hol_arena {
    hol_context *ctx;
    block *last; // the one being filled
    block *
        spare; // released, all zero; NULL: none. A loop that takes and releases at the end of a block needs it each time
};

hol_arena *hol_arena_create(hol_context *ctx)
{
    hol_arena *arena = hol_calloc(ctx, 1, sizeof *arena);
    if (arena) arena->ctx = ctx;
    return arena;
}

void hol_arena_destroy(hol_arena *arena)
{
    if (!arena) return;
    for (block *b = arena->last; b;) {
        block *before = b->before;
        hol_free(b);
        b = before;
    }
    hol_free(arena->spare);
    hol_free(arena);
}

// A new block for at least `bytes` becomes the one being filled.
static block *add_block(hol_arena *arena, size_t bytes)
{
    size_t size = arena->last ? 2 * arena->last->size : FIRST_BLOCK;
    if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
    if (size < bytes) size = bytes;

    block *b = arena->spare && arena->spare->size >= bytes ? arena->spare : NULL;
    if (b) {
        arena->spare = NULL;
        size = b->size;
    } else {
        b = hol_calloc(arena->ctx, 1, sizeof *b + size);
    }
    if (!b) return NULL;
    b->size = size;
    b->before = arena->last;
    arena->last = b;
    return b;
}

size_t hol_arena_bytes(const hol_arena *arena)
{
    size_t bytes = 0;
    for (const block *b = arena->last; b; b = b->before) bytes += b->used;
    return bytes;
}

hol_arena_mark hol_arena_here(const hol_arena *arena)
{
    return (hol_arena_mark){arena->last, arena->last ? arena->last->used : 0};
}

// The last one released stays as the spare one, unless it was made for one large request.
static void release_block(hol_arena *arena, block *b)
{
    block *old = b;
    if (b->size <= LARGEST_BLOCK) {
        memset(b->data, 0, b->used);
        b->used = 0;
        old = arena->spare;
        arena->spare = b;
    }
    hol_free(old);
}

void hol_arena_release(hol_arena *arena, hol_arena_mark mark)
{
    while (arena->last != mark.block && arena->last->before) { // the first block stays, for the next time
        block *before = arena->last->before;
        release_block(arena, arena->last);
        arena->last = before;
    }
    block *b = arena->last;
    const size_t from = b && b == mark.block ? mark.used : 0;
    if (!b) return;
    memset(b->data + from, 0, b->used - from); // what is given out is zeroed
    b->used = from;
}

// The size of a type is a multiple of its alignment, a power of two: texts stand close together.
static size_t align(size_t used, size_t size)
{
    const size_t power = size & (~size + 1), alignment = power && power < ALIGNMENT ? power : ALIGNMENT;
    return (used + alignment - 1) / alignment * alignment;
}

void *hol_arena_alloc(hol_arena *arena, size_t count, size_t size)
{
    if (size > 0 && count > (PTRDIFF_MAX - 2 * sizeof(block)) / size) {
        hol_fail(arena->ctx, HOL_ERR_MEMORY, "out of memory: %zu items of %zu bytes wanted", count, size);
        return NULL;
    }
    if (hol_memory_refused(arena->ctx, count, size)) return NULL;
    const size_t bytes = count * size > 0 ? count * size : 1; // every request has an address of its own

    block *b = arena->last;
    size_t from = b ? align(b->used, size) : 0;
    if (!b || from > b->size || b->size - from < bytes) {
        b = add_block(arena, bytes);
        from = 0;
    }
    if (!b) return NULL;
    b->used = from + bytes;
    return b->data + from;
}

void *hol_arena_grow(hol_arena *arena, void *old, int n, size_t size)
{
    enum { FIRST = 16 };
    if (n && (n < FIRST || n & (n - 1))) return old; // full at FIRST times a power of 2
    void *p = hol_arena_alloc(arena, n ? 2 * (size_t)n : FIRST, size);
    if (p && n) memcpy(p, old, (size_t)n * size);
    return p;
}

char *hol_arena_copy(hol_arena *arena, const char *text, size_t length)
{
    char *copy = hol_arena_alloc(arena, length + 1, 1);
    if (copy && length > 0) memcpy(copy, text, length);
    return copy;
}

char *hol_arena_print(hol_arena *arena, const char *format, ...)
{
    char here[256]; // enough for almost all: formatted once
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = hol_decimal_vprint(here, sizeof here, format, args);
    char *text = length < 0 ? NULL : hol_arena_alloc(arena, (size_t)length + 1, 1);
    if (text && (size_t)length < sizeof here)
        memcpy(text, here, (size_t)length);
    else if (text)
        hol_decimal_vprint(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}
