// Names: the nearest of several candidates ("did you mean ...?"), and a map from names to integers.
#include "base/base.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

// ---- the nearest name ----------------------------------------------------------------------------------------

enum { LONGEST_WORD = 63 }; // longer words get no suggestion

void hol_nearest_start(hol_nearest *n, const char *word)
{
    *n = (hol_nearest){.word = word, .best = NULL, .distance = INT_MAX};
}

static int least(int a, int b) { return a < b ? a : b; }

// Insertions, deletions, substitutions and swaps of neighbours that turn a into b (optimal string alignment):
//     d(i,j) = min( d(i-1,j)+1, d(i,j-1)+1, d(i-1,j-1)+[a_i != b_j], d(i-2,j-2)+1 if a_{i-1}a_i = b_j b_{j-1}
//     )
static int edit_distance(const char *a, int na, const char *b, int nb)
{
    int rows[3][LONGEST_WORD + 1];
    int *two = rows[0], *one = rows[1], *now = rows[2]; // d(i-2,.), d(i-1,.), d(i,.)
    for (int j = 0; j <= nb; j++) one[j] = j;

    for (int i = 1; i <= na; i++) {
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            int d = one[j - 1] + (a[i - 1] != b[j - 1]);
            d = least(d, least(one[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d = least(d, two[j - 2] + 1);
            now[j] = d;
        }
        int *free_row = two;
        two = one, one = now, now = free_row;
    }
    return one[nb];
}

void hol_nearest_try(hol_nearest *n, const char *candidate)
{
    size_t length = strlen(n->word), other = strlen(candidate);
    if (length > LONGEST_WORD || other > LONGEST_WORD) return;
    int d = edit_distance(n->word, (int)length, candidate, (int)other);
    // one slip in three letters; of the longer word if both begin alike: bodys, bodies
    const size_t letters = *n->word == *candidate && other > length ? other : length;
    if (3 * d > (int)letters || d >= n->distance) return;
    n->best = candidate;
    n->distance = d;
}

// ---- the map -------------------------------------------------------------------------------------------------

enum { FIRST_SLOTS = 16 }; // a power of two

typedef struct slot {
    const char *name; // NULL: empty
    uint32_t hash;
    int value;
} slot;

struct hol_names {
    hol_context *ctx;
    hol_arena *arena; // owns all of it; NULL: hol_names_destroy frees
    slot *slots;      // linear probing, at most three quarters full (n_slots)
    size_t n_slots;   // a power of two
    size_t used;
};

// FNV-1a, then one multiply-shift: its low bits alone are weak. http://www.isthe.com/chongo/tech/comp/fnv/
static uint32_t hash_of(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) h = (h ^ *c) * 0x100000001b3u;
    return (uint32_t)(h ^ (h >> 32));
}

// The slot that holds `name`, or the empty one where it belongs.
static slot *slot_of(slot *slots, size_t n_slots, const char *name, uint32_t hash)
{
    size_t i = hash & (n_slots - 1);
    while (slots[i].name && (slots[i].hash != hash || strcmp(slots[i].name, name) != 0))
        i = (i + 1) & (n_slots - 1);
    return &slots[i];
}

static void *take(hol_context *ctx, hol_arena *arena, size_t count, size_t size)
{
    return arena ? hol_arena_alloc(arena, count, size) : hol_calloc(ctx, count, size);
}

hol_names *hol_names_create_in(hol_context *ctx, hol_arena *arena)
{
    hol_names *names = take(ctx, arena, 1, sizeof *names);
    slot *slots = names ? take(ctx, arena, FIRST_SLOTS, sizeof *slots) : NULL;
    if (!slots) {
        if (!arena) hol_free(names);
        return NULL;
    }
    *names = (hol_names){.ctx = ctx, .arena = arena, .slots = slots, .n_slots = FIRST_SLOTS};
    return names;
}

hol_names *hol_names_create(hol_context *ctx) { return hol_names_create_in(ctx, NULL); }

void hol_names_destroy(hol_names *names)
{
    if (!names || names->arena) return;
    hol_free(names->slots);
    hol_free(names);
}

int hol_names_find(const hol_names *names, const char *name)
{
    const slot *s = slot_of(names->slots, names->n_slots, name, hash_of(name));
    return s->name ? s->value : -1;
}

static hol_status double_slots(hol_names *names)
{
    size_t n_slots = 2 * names->n_slots;
    slot *slots = take(names->ctx, names->arena, n_slots, sizeof *slots);
    if (!slots) return HOL_ERR_MEMORY;
    for (size_t i = 0; i < names->n_slots; i++) {
        const slot *s = &names->slots[i];
        if (s->name) *slot_of(slots, n_slots, s->name, s->hash) = *s;
    }
    if (!names->arena) hol_free(names->slots);
    names->slots = slots;
    names->n_slots = n_slots;
    return HOL_OK;
}

hol_status hol_names_add(hol_names *names, const char *name, int value)
{
    assert(value >= 0);
    if (4 * (names->used + 1) > 3 * names->n_slots && double_slots(names) != HOL_OK) return HOL_ERR_MEMORY;

    uint32_t hash = hash_of(name);
    slot *s = slot_of(names->slots, names->n_slots, name, hash);
    if (s->name) return hol_fail(names->ctx, HOL_ERR_USAGE, "the name \"%s\" is already taken", name);
    *s = (slot){.name = name, .hash = hash, .value = value};
    names->used++;
    return HOL_OK;
}
