// What every other folder stands on: status and messages, memory, source positions, names.
#ifndef HOL_BASE_H
#define HOL_BASE_H

#include "holonom.h"
#include <stdarg.h>

#define HOL_PI 3.14159265358979323846264338327950288
#define HOL_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#if defined(__GNUC__)
#define HOL_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define HOL_NOINLINE __attribute__((noinline))
#else
#define HOL_PRINTF(f, a)
#define HOL_NOINLINE
#endif

// Is this a build with a sanitizer? It is slow, takes terabytes of addresses and has a malloc of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HOL_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HOL_SANITIZED 1
#endif
#endif
#ifndef HOL_SANITIZED
#define HOL_SANITIZED 0
#endif

// Functions whose sizes are constants to the compiler where they are called; a sanitizer would take minutes over the copies.
#if HOL_SANITIZED
#define HOL_INLINE static inline
#else
#define HOL_INLINE static inline __attribute__((always_inline))
#endif

// Compiled a second time, for processors with AVX2: instructions with three registers spare copies between them. The program takes one of the two
// as it is loaded. Both give the same bits, since a product is rounded before it is added. For static functions: else what chooses would be
// a name of the library.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !HOL_SANITIZED
#define HOL_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define HOL_WIDE
#endif

// The scalar type of element code. The test build compiles the same files with HOL_COMPLEX and checks every
// derivative by the complex step, so such code calls the functions of <tgmath.h>, branches on hol_re() only
// and never uses fabs, fmax or fmin on a hol_real.
#include <tgmath.h>
#ifdef HOL_COMPLEX
#include <complex.h>
typedef double complex hol_real;
static inline double hol_re(hol_real x) { return creal(x); }
#else
typedef double hol_real;
static inline double hol_re(hol_real x) { return x; }
#endif
#undef I // from <complex.h>; I is an inertia here, tests write _Complex_I

// Is x the larger of two sizes? What is not a number is larger than all numbers, and the first one stays.
static inline bool hol_is_larger(double x, double most) { return !(x <= most) && !isnan(most); }
static inline double hol_larger(double x, double most) { return hol_is_larger(x, most) ? x : most; }
// Are all of them finite numbers, and of sizes whose sum is one?
static inline bool hol_all_finite(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += fabs(x[i]);
    return isfinite(sum);
}

// Where a value stands in a model file; line 0 means "no position".
typedef struct hol_src {
    const char *file; // with a line of HOL_BY_PATH, a second text behind it: the path
    int line, col;    // 1-based
    const struct hol_include
        *by; // of a file that is a subsystem: the include by which it came; NULL: it is none
} hol_src;
// An include that names what it brings: messages say it behind places in that file.
typedef struct hol_include {
    const char *name; // that of outer ones before it: "front.left"
    hol_src at;
} hol_include;
// The place of what a program has made: a path, "bodies[3] thigh.mass", and no line.
enum { HOL_BY_PATH = -1 };
const char *hol_src_path(hol_src at); // NULL: it has none
// The place for the middle of a sentence: "line 12", or the path.
enum { HOL_PLACE = 300 };
const char *hol_src_text(hol_src at, char text[HOL_PLACE]);

// ---- messages ------------------------------------------------------------------------------------------------

// Formats an error into the context and returns its status, so that callers write `return hol_fail(...)`.
// The first error of a call chain wins, and its status is returned: hol_context_clear() must be called before a new
// operation. A text too long for the context ends in "...". Without a context only the status remains.
hol_status hol_fail(hol_context *ctx, hol_status status, const char *format, ...) HOL_PRINTF(3, 4);
// HOL_ERR_CANCELLED with this text where the user wants an end; what stood in the context before is no reason of it.
hol_status hol_check_cancelled(hol_context *ctx, const char *text);
// The same with `file:line:col: error: ` in front; `file: error: ` when line is 0, and behind it the path, in the place of that with
// which the text opens.
hol_status hol_fail_at(hol_context *ctx, hol_status status, hol_src at, const char *format, ...)
    HOL_PRINTF(4, 5);
// Notices and warnings go to the log callback; they never change a status.
void hol_note(hol_context *ctx, hol_severity severity, const char *format, ...) HOL_PRINTF(3, 4);
// The same with `file:line:col: ` or `file: path: ` in front, once for each place: loops read the same text many times. After 64 places no more.
void hol_note_at(hol_context *ctx, hol_severity severity, hol_src at, const char *format, ...)
    HOL_PRINTF(4, 5);
// Notes are not told, as where a run begins anew that has told them: until the next call with false.
void hol_context_mute(hol_context *ctx, bool muted);
void hol_note_anew(hol_context *ctx); // all places may be told again
// Forgets the last error; a pending cancel stays.
void hol_context_clear(hol_context *ctx);
// For calls that leave the last error where they succeed: it stays until the next one, which takes its place.
void hol_context_begin(hol_context *ctx);
// What a caller must give: NULL is HOL_ERR_USAGE, with the name of it, and behind it the last error, which may be why.
hol_status hol_need(hol_context *ctx, const char *call, const char *name, const void *p);
#define HOL_NEED(ctx, p) hol_need(ctx, __func__, #p, p)

// One thread at a time is within the functions of a handle: HOL_ALONE(handle, otherwise) at the top of such a function returns
// `otherwise` where the handle is NULL or another thread is at work with its context; the latter is told to this thread alone. Calls
// within calls are free, as from a log.
typedef struct hol_visit {
    hol_context *ctx; // to be left; NULL: the caller has entered it already, or may not
    bool refused;
} hol_visit;
hol_visit hol_enter(hol_context *ctx);
void hol_leave(const hol_visit *entry);
#define HOL_ALONE(handle, otherwise)                                                                         \
    if (!(handle)) return otherwise;                                                                         \
    const hol_visit hol_entered __attribute__((cleanup(hol_leave))) = hol_enter((handle)->ctx);              \
    if (hol_entered.refused) return otherwise
// The number given to hol_context_sandbox(), 0: not called.
int hol_context_most_items(const hol_context *ctx);
// True from hol_context_cancel() until the hol_fail(ctx, HOL_ERR_CANCELLED, ...) that answers it.

// ---- numbers in texts ----------------------------------------------------------------------------------------

// As snprintf, vsnprintf and strtod, but with a decimal point in every locale. The library writes and reads numbers by these
// alone (tools/layers.py looks).
int hol_decimal_print(char *text, size_t size, const char *format, ...) HOL_PRINTF(3, 4);
int hol_decimal_vprint(char *text, size_t size, const char *format, va_list args);
// By which factor two numbers differ, also where their quotient is above all numbers of the machine: "1.5e+12", "1e+400".
enum { HOL_FACTOR = 24 };
const char *hol_decimal_factor(double large, double small, char text[HOL_FACTOR]);
// Digits for %.*g, six at least, that tell two numbers apart in a message which compares them.
int hol_decimal_digits(double a, double b);
double hol_decimal_read(const char *text, char **end);
long double hol_decimal_read_long(const char *text);

// ---- memory --------------------------------------------------------------------------------------------------

// All memory of the library comes through these two. A failure leaves HOL_ERR_MEMORY in the context and
// returns NULL. Memory is zeroed. count*size is checked for overflow. Blocks of 64 bytes or more start at a
// multiple of 64. A context is for one thread at a time (hol_context_cancel excepted); ctx NULL is allowed.
void *hol_calloc(hol_context *ctx, size_t count, size_t size);
// Grows (or, with old NULL, makes) an array to hold at least `need` items; *capacity is updated. On failure
// the old array is untouched and NULL is returned.
void *hol_grow(hol_context *ctx, void *old, int *capacity, int need, size_t size);
// The same of a list by its name; false: it is untouched.
#define HOL_GROW(ctx, list, capacity, need)                                                                  \
    hol_list_moved(&(list), hol_grow(ctx, list, &(capacity), need, sizeof *(list)))
bool hol_list_moved(void *list, void *moved); // `list` points to the pointer; moved NULL: it stays
void hol_free(void *p);
// Could so much be taken now? For libraries that ask for memory and do not look at the answer, or ask for ever. It counts as a request
// and is not written to. false: HOL_ERR_MEMORY, `who` wants it.
bool hol_memory_has_room(hol_context *ctx, size_t bytes, const char *who);
// Gives to the system what was freed, where the C library would keep it for later.
void hol_memory_trim(void);
// For tests. The n-th request from now fails (n = 1: the next one), the others succeed; 0 takes it back. What arenas
// hand out counts as a request too, so that every caller can be tried. Returns what was left of the last count: 0 when
// that request has failed.
long hol_memory_fail_after(hol_context *ctx, long n);
// Counts one such request; true, with the message, if it is the one to fail.
bool hol_memory_refused(hol_context *ctx, size_t count, size_t size);
// Allocations and bytes asked for since the context was made; what was given back counts on.
long hol_memory_count(const hol_context *ctx);
double hol_memory_bytes(const hol_context *ctx);

// Work of all sparse solvers of a context so far, whoever has them. For tests: a regression is seen without timing.
typedef struct hol_solver_work {
    long factorizations, pivotings, solves;
    long nonzeros, factor_nonzeros; // of the largest matrix factored, and of the fullest factors
} hol_solver_work;
hol_solver_work *hol_context_work(hol_context *ctx); // NULL without a context

// An arena hands out zeroed memory that is freed at once. NULL: no memory, message in the context.
typedef struct hol_arena hol_arena;
hol_arena *hol_arena_create(hol_context *ctx);
void hol_arena_destroy(hol_arena *arena);
size_t hol_arena_bytes(const hol_arena *arena); // in use
// Everything taken since the mark is given back.
typedef struct hol_arena_mark {
    void *block;
    size_t used;
} hol_arena_mark;
hol_arena_mark hol_arena_here(const hol_arena *arena);
void hol_arena_release(hol_arena *arena, hol_arena_mark mark);
void *hol_arena_alloc(hol_arena *arena, size_t count, size_t size); // aligned for a type of this size
// Room for one more item in a list of n, which has grown in this way from 0 on: it is made anew where it is full.
void *hol_arena_grow(hol_arena *arena, void *old, int n, size_t size);
#define HOL_ARENA_GROW(arena, list, n) hol_list_moved(&(list), hol_arena_grow(arena, list, n, sizeof *(list)))
char *hol_arena_copy(hol_arena *arena, const char *text, size_t length); // adds the final 0
char *hol_arena_print(hol_arena *arena, const char *format, ...) HOL_PRINTF(2, 3);

// ---- names ---------------------------------------------------------------------------------------------------

// The candidate nearest to `word` (edit distance with transpositions, at most a third of its length);
// NULL if none, the first tried of several.
typedef struct hol_nearest {
    const char *word, *best;
    int distance;
} hol_nearest;
// Letters of ASCII alone are compared without their case, whatever the caller's locale takes for the same letter.
bool hol_same_word(const char *word, size_t length, const char *name);
bool hol_same_name(const char *a, const char *b);
void hol_nearest_start(hol_nearest *n, const char *word);
void hol_nearest_try(hol_nearest *n, const char *candidate);

// Characters that are not seen, or are other blanks than that of the keyboard: bytes of the one at `text`, 0: it is none.
// *point is its code point and *what it is, in words.
int hol_unseen_length(const char *text, unsigned *point, const char **what);
// The first one in the text; NULL: there is none.
const char *hol_unseen_find(const char *text, size_t length, unsigned *point, const char **what);

// Columns of one name are one signal asked for twice where their values are the same, else nobody knows which is meant: HOL_ERR_USAGE.
hol_status hol_result_check_twins(hol_context *ctx, const hol_result *r, int first, int second);

// Open-addressing map from names to non-negative integers. A name added twice is HOL_ERR_USAGE.
typedef struct hol_names hol_names;
hol_names *hol_names_create(hol_context *ctx);
hol_names *hol_names_create_in(hol_context *ctx, hol_arena *arena); // lives and dies with the arena
// The names stand with the things they name, which the map asks for them: name_of(owner, value).
typedef const char *(*hol_name_of)(const void *owner, int value);
hol_names *hol_names_create_of(hol_context *ctx, hol_name_of name_of, const void *owner);
void hol_names_destroy(hol_names *names);
int hol_names_find(const hol_names *names, const char *name); // -1: absent
hol_status hol_names_add(hol_names *names, const char *name,
                         int value); // keeps the pointer `name`, or name_of gives it

// ---- deterministic random numbers (probing, tests) -----------------------------------------------------------

typedef struct hol_random {
    unsigned long long state;
} hol_random;
double hol_random_uniform(hol_random *r); // in (-1, 1)

#endif
