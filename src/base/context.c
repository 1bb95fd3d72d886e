// The context: last error, log callback, cancel flag, and the memory of the library.
//
// A message has a buffer of fixed length so that "out of memory" can be said without memory.
#include "base/archive.h"
#include "base/base.h"

#include <assert.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <pthread.h>
#endif

enum {
    MESSAGE_SIZE = 2048,
    CACHE_LINE = 64, // [B]
    FIRST_CAPACITY = 8
};

enum { MOST_TOLD = 64 };

struct hol_context {
    char error[MESSAGE_SIZE]; // "" if none
    hol_status status;        // of that error
    bool old;                 // it is of an earlier call: the next one takes its place
    hol_log_fn say;           // NULL: silent
    bool muted;               // what would be told is known
    void *say_user;
    int most_items;        // 0: no sandbox
    atomic_int cancelled;  // written by signal handlers and other threads
    atomic_uintptr_t user; // the thread that is within a call; 0: none

    long allocations; // asked for so far
    double bytes;     // of them
    long fail_in;     // the request that fails, counted from now; 0: none
    hol_solver_work work;

    int n_told;
    unsigned long long told[MOST_TOLD]; // places of notes, hashed                         (n_told)
};

// A flag written by a signal handler must not hide a lock.
static_assert(ATOMIC_INT_LOCK_FREE == 2, "atomic_int takes a lock on this machine");

hol_context *hol_context_create(void) { return hol_calloc(NULL, 1, sizeof(hol_context)); }

void hol_context_destroy(hol_context *ctx) { hol_free(ctx); }

void hol_context_set_log(hol_context *ctx, hol_log_fn log, void *user)
{
    if (!ctx) return;
    ctx->say = log;
    ctx->say_user = user;
}

void hol_context_sandbox(hol_context *ctx, int most_items)
{
    if (ctx) ctx->most_items = most_items;
}

int hol_context_most_items(const hol_context *ctx) { return ctx ? ctx->most_items : 0; }

void hol_context_cancel(hol_context *ctx)
{
    if (ctx) atomic_store(&ctx->cancelled, 1);
}

bool hol_context_cancelled(const hol_context *ctx) { return ctx && atomic_load(&ctx->cancelled) != 0; }

// ---- one thread at a time ------------------------------------------------------------------------------------

// The context that this thread was refused last; its text belongs to the other thread.
static _Thread_local const hol_context *refused;

// The address of a variable that each thread has one of.
static uintptr_t this_thread(void)
{
    static _Thread_local char mark;
    return (uintptr_t)&mark;
}

hol_visit hol_enter(hol_context *ctx)
{
    uintptr_t user = 0;
    const uintptr_t self = this_thread();
    if (refused == ctx) refused = NULL;
    if (!ctx) return (hol_visit){0};
    if (atomic_compare_exchange_strong(&ctx->user, &user, self)) return (hol_visit){ctx, false};
    if (user == self) return (hol_visit){0};
    refused = ctx;
    return (hol_visit){NULL, true};
}

void hol_leave(const hol_visit *entry)
{
    if (entry->ctx) atomic_store(&entry->ctx->user, 0);
}

const char *hol_context_error(const hol_context *ctx)
{
    if (ctx && ctx == refused)
        return "another thread is at work with this context: give each thread a context and simulations of "
               "its own, or "
               "let them take turns by a lock";
    return ctx ? ctx->error : "there is no context: ctx is NULL";
}

hol_status hol_context_status(const hol_context *ctx)
{
    return ctx && ctx != refused ? ctx->status : HOL_ERR_USAGE;
}

void hol_context_clear(hol_context *ctx)
{
    if (!ctx) return;
    ctx->error[0] = 0;
    ctx->status = HOL_OK;
    ctx->old = false;
}

hol_status hol_check_cancelled(hol_context *ctx, const char *text)
{
    if (!hol_context_cancelled(ctx)) return HOL_OK;
    hol_context_clear(ctx);
    return hol_fail(ctx, HOL_ERR_CANCELLED, "%s", text);
}

void hol_context_begin(hol_context *ctx)
{
    if (ctx) ctx->old = true;
}

// Calls that fail one after the other keep the first error: it says why the pointer is NULL.
hol_status hol_need(hol_context *ctx, const char *call, const char *name, const void *p)
{
    enum { BEFORE = 1024 };
    static const char said[] = "; the error before: ";
    char before[BEFORE];
    if (p) return HOL_OK;
    if (!ctx) return HOL_ERR_USAGE;
    const char *first = strstr(ctx->error, said);
    snprintf(before, sizeof before, "%.*s", BEFORE - 1, first ? first + strlen(said) : ctx->error);
    hol_context_clear(ctx);
    return hol_fail(ctx, HOL_ERR_USAGE, "%s: %s is NULL%s%s", call, name, *before ? said : "", before);
}

// ---- messages ------------------------------------------------------------------------------------------------

// A text that filled its buffer is cut between two characters and ends in "...".
static void mark_cut(char *text, size_t size)
{
    size_t end = size - sizeof "...";
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) end--; // inside a UTF-8 character
    memcpy(text + end, "...", sizeof "...");
}

// Formats into text[size] behind the first `used` bytes.
static void print_into(char *text, size_t size, size_t used, const char *format, va_list args)
{
    if (used < size) {
        int length = hol_decimal_vprint(text + used, size - used, format, args);
        if (length > 0) used += (size_t)length;
    }
    if (used >= size) mark_cut(text, size);
}

static void print_behind(char *text, size_t size, size_t used, const char *format, ...) HOL_PRINTF(4, 5);
static void print_behind(char *text, size_t size, size_t used, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_into(text, size, used, format, args);
    va_end(args);
}

const char *hol_src_path(hol_src at) { return at.line == HOL_BY_PATH ? at.file + strlen(at.file) + 1 : NULL; }

const char *hol_src_text(hol_src at, char text[HOL_PLACE])
{
    if (hol_src_path(at))
        snprintf(text, HOL_PLACE, "%.*s", HOL_PLACE - 1, hol_src_path(at));
    else
        snprintf(text, HOL_PLACE, "line %d", at.line);
    return text;
}

// How far a text opens with a path, in bytes of both; "bodies.rod" is "bodies[3] rod" too.
static size_t open_with(const char *text, const char *path, size_t *of_path)
{
    size_t n = 0, k = 0;
    while (path[k]) {
        const size_t item = path[k] == '[' ? 1 + strspn(path + k + 1, "0123456789") : 0;
        if (path[k] == text[n])
            n++, k++;
        else if (item && text[n] == '.' && path[k + item] == ']' && path[k + item + 1] == ' ')
            n++, k += item + 2;
        else
            break;
    }
    *of_path = k;
    return n;
}

// Puts the path of a place before a text, in text[MESSAGE_SIZE]. Where the text opens with it, or with a part of it, the deeper one
// stays alone.
static void put_path(char *text, const char *path)
{
    size_t k;
    const size_t n = open_with(text, path, &k), room = strlen(path) + 2;
    if (room >= MESSAGE_SIZE / 2 || (n && !path[k] && text[n] && strchr(":.[", text[n]))) return;
    const bool above = n && path[k] && strchr(".[", path[k]) && strncmp(text + n, ": ", 2) == 0;
    const size_t cut = above ? n + 2 : 0, length = strlen(text) - cut;
    const size_t kept = length < MESSAGE_SIZE - room ? length : MESSAGE_SIZE - 1 - room;
    memmove(text + room, text + cut, kept);
    text[room + kept] = 0;
    memcpy(text, path, room - 2);
    memcpy(text + room - 2, ": ", 2);
    if (kept < length) mark_cut(text, MESSAGE_SIZE);
}

// Behind a message: by which includes the file of its place came.
static void put_includes(char *text, size_t size, hol_src at)
{
    for (const hol_include *by = at.by; by; by = by->at.by) {
        char place[HOL_PLACE];
        const bool path = hol_src_path(by->at);
        const char *dot = strrchr(by->name, '.');
        if (path || by->at.line <= 0)
            snprintf(place, sizeof place, "%s", path ? hol_src_path(by->at) : by->at.file);
        else
            snprintf(place, sizeof place, "%s:%d:%d", by->at.file, by->at.line, by->at.col);
        print_behind(text, size, strlen(text), "%s\"%s\" in %s%s",
                     by == at.by ? " (included as " : ", that as ", dot ? dot + 1 : by->name, place,
                     by->at.by ? "" : ")");
    }
}

// Keeps a message with its place. The first one wins until it is taken as old: what fails later is a
// consequence.
static hol_status fail(hol_context *ctx, hol_status status, hol_src at, const char *format, va_list args)
{
    if (!ctx) return status;
    if (status == HOL_ERR_CANCELLED) atomic_store(&ctx->cancelled, 0);
    if (ctx->error[0] && !ctx->old) return ctx->status; // the first error wins
    ctx->status = status;
    ctx->old = false;

    int prefix = 0;
    if (at.file && at.line > 0)
        prefix = snprintf(ctx->error, MESSAGE_SIZE, "%s:%d:%d: error: ", at.file, at.line, at.col);
    else if (at.file)
        prefix = snprintf(ctx->error, MESSAGE_SIZE, "%s: error: ", at.file);
    const size_t used = prefix > 0 ? (size_t)prefix : 0;
    if (hol_src_path(at)) {
        char text[MESSAGE_SIZE];
        print_into(text, sizeof text, 0, format, args);
        put_path(text, hol_src_path(at));
        print_behind(ctx->error, MESSAGE_SIZE, used, "%s", text);
    } else
        print_into(ctx->error, MESSAGE_SIZE, used, format, args);
    put_includes(ctx->error, MESSAGE_SIZE, at);
    return status;
}

hol_status hol_fail(hol_context *ctx, hol_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    status = fail(ctx, status, (hol_src){0}, format, args);
    va_end(args);
    return status;
}

hol_status hol_fail_at(hol_context *ctx, hol_status status, hol_src at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    status = fail(ctx, status, at, format, args);
    va_end(args);
    return status;
}

void hol_note(hol_context *ctx, hol_severity severity, const char *format, ...)
{
    if (!ctx || !ctx->say || ctx->muted) return;
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    print_into(text, sizeof text, 0, format, args);
    va_end(args);
    ctx->say(ctx->say_user, severity, text);
}

void hol_context_mute(hol_context *ctx, bool muted) { ctx->muted = muted; }

void hol_note_anew(hol_context *ctx) { ctx->n_told = 0; }

// Is the place new? It is noted.
static bool first_time(hol_context *ctx, hol_src at)
{
    const int place[2] = {at.line, at.col};
    unsigned long long key = hol_hash(HOL_HASH_START, at.file, strlen(at.file));
    key = hol_hash(key, place, sizeof place);
    const char *path = hol_src_path(at);
    if (path) key = hol_hash(key, path, strlen(path));
    for (int i = 0; i < ctx->n_told; i++)
        if (ctx->told[i] == key) return false;
    if (ctx->n_told == MOST_TOLD) return false;
    ctx->told[ctx->n_told++] = key;
    return true;
}

void hol_note_at(hol_context *ctx, hol_severity severity, hol_src at, const char *format, ...)
{
    if (!ctx || !ctx->say || ctx->muted || !first_time(ctx, at)) return;
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    print_into(text, sizeof text, 0, format, args);
    va_end(args);
    if (hol_src_path(at)) put_path(text, hol_src_path(at));
    put_includes(text, sizeof text, at);
    if (at.line > 0)
        hol_note(ctx, severity, "%s:%d:%d: %s", at.file, at.line, at.col, text);
    else // of the command line, or made by a program
        hol_note(ctx, severity, "%s: %s", at.file, text);
}

// ---- memory --------------------------------------------------------------------------------------------------

long hol_memory_fail_after(hol_context *ctx, long n)
{
    const long left = ctx->fail_in;
    ctx->fail_in = n;
    return left;
}

hol_solver_work *hol_context_work(hol_context *ctx) { return ctx ? &ctx->work : NULL; }

long hol_memory_count(const hol_context *ctx) { return ctx->allocations; }

double hol_memory_bytes(const hol_context *ctx) { return ctx->bytes; }

static hol_status out_of_memory(hol_context *ctx, size_t count, size_t size)
{
    return hol_fail(ctx, HOL_ERR_MEMORY, "out of memory: %zu items of %zu bytes wanted", count, size);
}

bool hol_memory_refused(hol_context *ctx, size_t count, size_t size)
{
    if (!ctx || ctx->fail_in <= 0 || --ctx->fail_in > 0) return false;
    out_of_memory(ctx, count, size);
    return true;
}

// Arrays start at a cache line: fast, and vectorised sums then group (and round) alike in every run.
static void *zeroed(size_t bytes)
{
    if (bytes < CACHE_LINE) return calloc(1, bytes ? bytes : 1);
    bytes = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE; // aligned_alloc wants a multiple
    void *p = aligned_alloc(CACHE_LINE, bytes);
    return p ? memset(p, 0, bytes) : NULL;
}

void *hol_calloc(hol_context *ctx, size_t count, size_t size)
{
    const bool fits = size == 0 || count <= (PTRDIFF_MAX - CACHE_LINE) / size;
    if (ctx) {
        ctx->allocations++;
        ctx->bytes += (double)count * (double)size;
    }
    if (hol_memory_refused(ctx, count, size)) return NULL;
    void *p = fits ? zeroed(count * size) : NULL;
    if (!p) out_of_memory(ctx, count, size);
    return p;
}

bool hol_memory_has_room(hol_context *ctx, size_t bytes, const char *who)
{
    if (hol_memory_refused(ctx, 1, bytes)) return false;
    void *volatile room =
        malloc(bytes); // volatile: a compiler may take it that malloc succeeds where nobody uses the memory
    const bool there = room;
    free(room);
    if (!there)
        hol_fail(ctx, HOL_ERR_MEMORY,
                 "out of memory: %s wants %zu MB of addresses (ulimit -v says how many there are)", who,
                 (bytes >> 20) + 1);
    return there;
}

void *hol_grow(hol_context *ctx, void *old, int *capacity, int need, size_t size)
{
    assert(need >= 0 && *capacity >= 0);
    if (old && need <= *capacity) return old;

    // Doubling makes n appends cost O(n).
    int had = old ? *capacity : 0;
    int next = had > INT_MAX / 2 ? INT_MAX : 2 * had;
    if (next < FIRST_CAPACITY) next = FIRST_CAPACITY;
    if (next < need) next = need;

    void *p = hol_calloc(ctx, (size_t)next, size);
    if (!p) return NULL;
    if (had > 0) memcpy(p, old, (size_t)had * size);
    hol_free(old);
    *capacity = next;
    return p;
}

bool hol_list_moved(void *list, void *moved)
{
    if (moved) memcpy(list, &moved, sizeof moved);
    return moved;
}

void hol_free(void *p) { free(p); }

void hol_memory_trim(void)
{
#ifdef __GLIBC__
    // One thread at a time: where another malloc stands in for that of the C library, the first call sets the latter up. Who comes
    // meanwhile does not wait: the child of a fork may find it locked by a thread that it has not.
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    if (pthread_mutex_trylock(&one)) return;
    malloc_trim(0);
    pthread_mutex_unlock(&one);
#endif
}
