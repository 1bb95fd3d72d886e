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

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool hol_same_word(const char *word, size_t length, const char *name)
{
    size_t i = 0;
    while (i < length && word[i] && lower(word[i]) == lower(name[i])) i++;
    return i == length && !name[i];
}

bool hol_same_name(const char *a, const char *b) { return hol_same_word(a, strlen(a), b); }

void hol_nearest_try(hol_nearest *n, const char *candidate)
{
    size_t length = strlen(n->word), other = strlen(candidate);
    if (length > LONGEST_WORD || other > LONGEST_WORD) return;
    const bool same = hol_same_name(n->word, candidate); // but for the case of letters
    int d = edit_distance(n->word, (int)length, candidate, (int)other);
    if (same && d > 1) d = 1;
    // one slip in three letters; of the longer word if both begin alike: bodys, bodies
    const size_t letters = *n->word == *candidate && other > length ? other : length;
    if ((!same && 3 * d > (int)letters) || d >= n->distance) return;
    n->best = candidate;
    n->distance = d;
}

// ---- the map -------------------------------------------------------------------------------------------------

enum { FIRST_SLOTS = 16 }; // a power of two

typedef struct slot {
    uint32_t hash;
    int taken; // 1 + value; 0: empty
} slot;

struct hol_names {
    hol_context *ctx;
    hol_arena *arena;  // owns all of it; NULL: hol_names_destroy frees
    slot *slots;       // linear probing, at most three quarters full (n_slots)
    const char **name; // of each slot; NULL: name_of knows           (n_slots)
    hol_name_of name_of;
    const void *owner;
    size_t n_slots; // a power of two
    size_t used;
};

// FNV-1a, then one multiply-shift: its low bits alone are weak. http://www.isthe.com/chongo/tech/comp/fnv/
static uint32_t hash_of(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) h = (h ^ *c) * 0x100000001b3u;
    return (uint32_t)(h ^ (h >> 32));
}

static const char *name_at(const hol_names *names, size_t i)
{
    return names->name ? names->name[i] : names->name_of(names->owner, names->slots[i].taken - 1);
}

// The slot that holds `name`, or the empty one where it belongs.
static size_t slot_of(const hol_names *names, const char *name, uint32_t hash)
{
    size_t i = hash & (names->n_slots - 1);
    for (const slot *s = names->slots; s[i].taken; i = (i + 1) & (names->n_slots - 1))
        if (s[i].hash == hash && strcmp(name_at(names, i), name) == 0) break;
    return i;
}

static void *take(const hol_names *names, size_t count, size_t size)
{
    return names->arena ? hol_arena_alloc(names->arena, count, size) : hol_calloc(names->ctx, count, size);
}

static void give_back(const hol_names *names, slot *slots, const char **name)
{
    if (names->arena) return;
    hol_free(slots);
    hol_free(name);
}

// Room for n_slots, all empty.
static hol_status make_slots(hol_names *names, size_t n_slots)
{
    slot *slots = take(names, n_slots, sizeof *slots);
    const char **name = slots && !names->name_of ? take(names, n_slots, sizeof *name) : NULL;
    if (!slots || (!name && !names->name_of)) {
        give_back(names, slots, name);
        return HOL_ERR_MEMORY;
    }
    names->slots = slots;
    names->name = name;
    names->n_slots = n_slots;
    return HOL_OK;
}

static hol_names *create(const hol_names *start)
{
    hol_names *names = take(start, 1, sizeof *names);
    if (!names) return NULL;
    *names = *start;
    if (make_slots(names, FIRST_SLOTS) == HOL_OK) return names;
    if (!names->arena) hol_free(names);
    return NULL;
}

hol_names *hol_names_create_in(hol_context *ctx, hol_arena *arena)
{
    return create(&(hol_names){.ctx = ctx, .arena = arena});
}

hol_names *hol_names_create_of(hol_context *ctx, hol_name_of name_of, const void *owner)
{
    return create(&(hol_names){.ctx = ctx, .name_of = name_of, .owner = owner});
}

hol_names *hol_names_create(hol_context *ctx) { return hol_names_create_in(ctx, NULL); }

void hol_names_destroy(hol_names *names)
{
    if (!names || names->arena) return;
    give_back(names, names->slots, names->name);
    hol_free(names);
}

int hol_names_find(const hol_names *names, const char *name)
{
    return names->slots[slot_of(names, name, hash_of(name))].taken - 1;
}

// All names differ: the first empty slot is theirs.
static hol_status double_slots(hol_names *names)
{
    const hol_names old = *names;
    if (make_slots(names, 2 * old.n_slots) != HOL_OK) return HOL_ERR_MEMORY;
    for (size_t k = 0; k < old.n_slots; k++) {
        size_t i = old.slots[k].hash & (names->n_slots - 1);
        if (!old.slots[k].taken) continue;
        while (names->slots[i].taken) i = (i + 1) & (names->n_slots - 1);
        names->slots[i] = old.slots[k];
        if (names->name) names->name[i] = old.name[k];
    }
    give_back(&old, old.slots, old.name);
    return HOL_OK;
}

hol_status hol_names_add(hol_names *names, const char *name, int value)
{
    assert(value >= 0);
    if (4 * (names->used + 1) > 3 * names->n_slots && double_slots(names) != HOL_OK) return HOL_ERR_MEMORY;

    const uint32_t hash = hash_of(name);
    const size_t i = slot_of(names, name, hash);
    if (names->slots[i].taken)
        return hol_fail(names->ctx, HOL_ERR_USAGE, "the name \"%s\" is already taken", name);
    names->slots[i] = (slot){.hash = hash, .taken = value + 1};
    if (names->name) names->name[i] = name;
    names->used++;
    return HOL_OK;
}
