// Context, messages, memory, arena, names, random numbers.
#include "harness.h"

#include <stdio.h>
#include <string.h>

// ---- messages ------------------------------------------------------------------------------------------------

static void a_failure_leaves_status_and_text(void **state)
{
    (void)state;
    assert_string_equal(hol_context_error(ctx), "");
    assert_int_equal(hol_fail(ctx, HOL_ERR_MODEL, "mass is %g", -1.0), HOL_ERR_MODEL);
    assert_string_equal(hol_context_error(ctx), "mass is -1");
}

static void the_first_error_wins_until_cleared(void **state)
{
    (void)state;
    hol_fail(ctx, HOL_ERR_IO, "first");
    assert_int_equal(hol_fail(ctx, HOL_ERR_MODEL, "second"), HOL_ERR_IO);
    assert_string_equal(hol_context_error(ctx), "first");
    hol_context_clear(ctx);
    assert_string_equal(hol_context_error(ctx), "");
    hol_fail(ctx, HOL_ERR_MODEL, "third");
    assert_string_equal(hol_context_error(ctx), "third");
}

static void a_place_stands_in_front(void **state)
{
    (void)state;
    hol_fail_at(ctx, HOL_ERR_MODEL, (hol_src){.file = "rover.yaml", .line = 41, .col = 17}, "length is %d",
                0);
    assert_string_equal(hol_context_error(ctx), "rover.yaml:41:17: error: length is 0");
    hol_context_clear(ctx);
    hol_fail_at(ctx, HOL_ERR_MODEL, (hol_src){.file = "rover.yaml", .line = 0, .col = 0}, "is empty");
    assert_string_equal(hol_context_error(ctx), "rover.yaml: error: is empty");
    hol_context_clear(ctx);
    hol_fail_at(ctx, HOL_ERR_MODEL, (hol_src){0}, "nowhere");
    assert_string_equal(hol_context_error(ctx), "nowhere");
}

// Where a program made it: what the text and the path have in common stands once.
static void a_path_stands_in_front(void **state)
{
    static const struct {
        const char *path, *text, *message;
    } row[] = {
        {"bodies[3] rod.mass", "is 0", "rover: error: bodies[3] rod.mass: is 0"},
        {"bodies[3] rod.mass", "bodies[3] rod.mass: is 0", "rover: error: bodies[3] rod.mass: is 0"},
        {"bodies[3] rod", "bodies[3] rod.mass: is 0", "rover: error: bodies[3] rod.mass: is 0"},
        {"bodies[3] rod.mass", "bodies[3] rod: is 0", "rover: error: bodies[3] rod.mass: is 0"},
        {"bodies[3] rod.mass", "bodies.rod: is 0", "rover: error: bodies[3] rod.mass: is 0"},
        {"bodies[3] rod", "bodies.rod.mass: is 0", "rover: error: bodies.rod.mass: is 0"},
        {"bodies[3] rod1.mass", "bodies.rod: is 0", "rover: error: bodies[3] rod1.mass: bodies.rod: is 0"},
        {"bodies[3] rod", "bodies.rod1: is 0", "rover: error: bodies[3] rod: bodies.rod1: is 0"},
        {"bodies[13]", "bodies[1]: is 0", "rover: error: bodies[13]: bodies[1]: is 0"},
        {"mass", "mass is 0", "rover: error: mass: mass is 0"},
        {"mass", "", "rover: error: mass: "},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(row); i++) {
        char both[60] = "rover", place[HOL_PLACE];
        memcpy(both + 6, row[i].path, strlen(row[i].path) + 1);
        const hol_src at = {.file = both, .line = HOL_BY_PATH, .col = 0};
        hol_context_clear(ctx);
        hol_fail_at(ctx, HOL_ERR_MODEL, at, "%s", row[i].text);
        assert_string_equal(hol_context_error(ctx), row[i].message);
        assert_string_equal(hol_src_text(at, place), row[i].path);
    }
    char place[HOL_PLACE], text[3000], both[5000] = "";
    assert_string_equal(hol_src_text((hol_src){.file = "rover.yaml", .line = 41, .col = 17}, place),
                        "line 41");
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    memcpy(both + 1, "path", 5);
    hol_context_clear(ctx);
    hol_fail_at(ctx, HOL_ERR_MODEL, (hol_src){.file = both, .line = HOL_BY_PATH, .col = 0}, "%s", text);
    assert_string_equal(hol_context_error(ctx) + 2047 - 4, "x...");
    memset(both, 'n', 4000); // a name that leaves no room
    both[4000] = 0;
    memcpy(both + 4001, "path", 5);
    hol_context_clear(ctx);
    hol_fail_at(ctx, HOL_ERR_MODEL, (hol_src){.file = both, .line = HOL_BY_PATH, .col = 0}, "text");
    assert_string_equal(hol_context_error(ctx) + 2047 - 4, "n...");
}

static void a_long_text_is_cut_between_characters(void **state)
{
    (void)state;
    for (int shift = 0; shift < 2; shift++) {
        char text[5000] = "";
        for (int i = shift; i + 1 < 4000; i += 2) memcpy(text + i, "\xc3\xa9", 2); // e acute
        if (shift) text[0] = 'x';
        hol_context_clear(ctx);
        hol_fail(ctx, HOL_ERR_MODEL, "%s", text);
        const char *error = hol_context_error(ctx);
        size_t n = strlen(error);
        assert_in_range(n, 2040, 2047);
        assert_string_equal(error + n - 3, "...");
        assert_memory_equal(error + n - 5, "\xc3\xa9", 2);
    }
    char name[5000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    hol_context_clear(ctx);
    hol_fail_at(ctx, HOL_ERR_MODEL, (hol_src){.file = name, .line = 1, .col = 1}, "text");
    assert_string_equal(hol_context_error(ctx) + 2047 - 4, "n...");
}

static void without_a_context_only_the_status_remains(void **state)
{
    (void)state;
    assert_int_equal(hol_fail(NULL, HOL_ERR_IO, "x"), HOL_ERR_IO);
    hol_note(NULL, HOL_WARNING, "x");
    hol_context_clear(NULL);
    assert_false(hol_context_cancelled(NULL));
    hol_context_destroy(NULL);
}

static hol_severity last_severity;
static char last_text[100];

static void keep(void *user, hol_severity severity, const char *text)
{
    ++*(int *)user;
    last_severity = severity;
    snprintf(last_text, sizeof last_text, "%s", text);
}

static void notes_go_to_the_callback(void **state)
{
    (void)state;
    int calls = 0;
    hol_note(ctx, HOL_NOTICE, "nobody listens");
    hol_context_set_log(ctx, keep, &calls);
    hol_note(ctx, HOL_WARNING, "row %d is redundant", 7);
    assert_int_equal(last_severity, HOL_WARNING);
    assert_string_equal(last_text, "row 7 is redundant");
    hol_fail(ctx, HOL_ERR_MODEL, "errors do not");
    hol_context_set_log(ctx, NULL, NULL);
    hol_note(ctx, HOL_NOTICE, "nobody listens");
    assert_int_equal(calls, 1);
}

static void a_cancel_stays_until_answered(void **state)
{
    (void)state;
    assert_false(hol_context_cancelled(ctx));
    hol_context_cancel(ctx);
    hol_context_clear(ctx);
    hol_fail(ctx, HOL_ERR_IO, "another trouble");
    assert_true(hol_context_cancelled(ctx));
    hol_fail(ctx, HOL_ERR_CANCELLED, "cancelled");
    assert_false(hol_context_cancelled(ctx));
}

// ---- memory --------------------------------------------------------------------------------------------------

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    for (size_t size = 0; size < 5000; size = size * 3 / 2 + 1) {
        unsigned char *p = hol_calloc(ctx, size, 1);
        assert_non_null(p);
        for (size_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
        assert_int_equal((uintptr_t)p % (size >= 64 ? 64 : 16), 0);
        memset(p, 0xff, size);
        hol_free(p);
    }
    hol_free(NULL);
}

static void too_much_memory_is_refused(void **state)
{
    (void)state;
    assert_null(hol_calloc(ctx, SIZE_MAX / 2, 3));
    assert_string_equal(hol_context_error(ctx), "out of memory: 9223372036854775807 items of 3 bytes wanted");
    assert_null(hol_calloc(ctx, SIZE_MAX, 1));
    assert_null(hol_calloc(NULL, SIZE_MAX, SIZE_MAX));
    hol_context_clear(ctx);
    hol_arena *arena = hol_arena_create(ctx);
    assert_null(hol_arena_alloc(arena, SIZE_MAX / 2, 3));
    assert_string_equal(hol_context_error(ctx), "out of memory: 9223372036854775807 items of 3 bytes wanted");
    assert_null(hol_arena_alloc(arena, SIZE_MAX, 1));
    hol_arena_destroy(arena);
}

static void the_chosen_allocation_fails(void **state)
{
    (void)state;
    hol_memory_fail_after(ctx, 2);
    void *first = hol_calloc(ctx, 1, 8), *second = hol_calloc(ctx, 1, 8), *third = hol_calloc(ctx, 1, 8);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    assert_string_equal(hol_context_error(ctx), "out of memory: 1 items of 8 bytes wanted");
    assert_int_equal(hol_memory_count(ctx), 3);
    hol_memory_fail_after(ctx, 1);
    hol_memory_fail_after(ctx, 0);
    void *fourth = hol_calloc(ctx, 1, 8);
    assert_non_null(fourth);
    hol_free(first), hol_free(third), hol_free(fourth);
}

static void an_array_grows_and_keeps_its_items(void **state)
{
    (void)state;
    int capacity = 0, *list = NULL;
    for (int n = 0; n < 1000; n++) {
        list = hol_grow(ctx, list, &capacity, n + 1, sizeof *list);
        assert_non_null(list);
        assert_in_range(capacity, n + 1, 2 * n + 8);
        assert_int_equal(list[capacity - 1], 0);
        list[n] = n;
    }
    assert_true(hol_memory_count(ctx) < 12);
    for (int n = 0; n < 1000; n++) assert_int_equal(list[n], n);

    int before = capacity;
    hol_memory_fail_after(ctx, 1);
    assert_null(hol_grow(ctx, list, &capacity, 5000, sizeof *list));
    assert_int_equal(capacity, before);
    assert_int_equal(list[999], 999);
    hol_free(list);
}

static void an_arena_hands_out_zeroed_memory(void **state)
{
    (void)state;
    hol_arena *arena = hol_arena_create(ctx);
    unsigned char *last = NULL;
    for (size_t i = 0; i < 3000; i++) {
        const size_t item = 1 + i % 48, count = i == 1500 ? 1 << 18 : i % 50; // one larger than a block
        const size_t size = count * item, lowest = item & (~item + 1);
        unsigned char *p = hol_arena_alloc(arena, count, item);
        assert_non_null(p);
        assert_ptr_not_equal(p, last);
        assert_int_equal((uintptr_t)p % (lowest < 16 ? lowest : 16), 0); // as a type of this size may need
        for (size_t k = 0; k < size; k++) assert_int_equal(p[k], 0);
        memset(p, 0xff, size);
        last = p;
    }
    assert_string_equal(hol_arena_copy(arena, "hinge_2", 5), "hinge");
    assert_string_equal(hol_arena_copy(arena, "", 0), "");
    assert_string_equal(hol_arena_print(arena, "%s[%d]", "crank", 3), "crank[3]");
    assert_true(hol_memory_count(ctx) < 15);
    hol_arena_destroy(arena);
    hol_arena_destroy(NULL);
}

// A loop that takes and releases where a block is full needs a new block once, not each time.
static void an_arena_keeps_a_released_block(void **state)
{
    (void)state;
    enum { FIRST_BLOCK = 4096, TIMES = 100, PLENTY = 1000, SIZE = 64 };
    hol_arena *arena = hol_arena_create(ctx);
    assert_non_null(hol_arena_alloc(arena, FIRST_BLOCK, 1));
    hol_memory_fail_after(ctx, PLENTY);
    for (int i = 0; i < TIMES; i++) {
        const hol_arena_mark here = hol_arena_here(arena);
        unsigned char *p = hol_arena_alloc(arena, SIZE, 1);
        assert_non_null(p);
        for (int k = 0; k < SIZE; k++) assert_int_equal(p[k], 0);
        memset(p, 1, SIZE);
        hol_arena_release(arena, here);
    }
    assert_int_equal(PLENTY - hol_memory_fail_after(ctx, 0), TIMES + 1); // each text, and the one block
    hol_arena_destroy(arena);
}

static void an_arena_reports_missing_memory(void **state)
{
    (void)state;
    hol_memory_fail_after(ctx, 1);
    assert_null(hol_arena_create(ctx));
    hol_arena *arena = hol_arena_create(ctx);
    hol_memory_fail_after(ctx, 1);
    assert_null(hol_arena_copy(arena, "text", 4));
    hol_memory_fail_after(ctx, 1);
    assert_null(hol_arena_print(arena, "%d", 4));
    assert_non_null(hol_arena_alloc(arena, 1, 1));
    hol_arena_destroy(arena);
}

// ---- names ---------------------------------------------------------------------------------------------------

static const char *nearest(const char *word)
{
    static const char *const candidates[] = {"mass", "inertia", "position", "orientation", "spring_damper"};
    hol_nearest n;
    hol_nearest_start(&n, word);
    for (int i = 0; i < HOL_COUNT(candidates); i++) hol_nearest_try(&n, candidates[i]);
    return n.best ? n.best : "none";
}

static void the_nearest_name_is_suggested(void **state)
{
    (void)state;
    assert_string_equal(nearest("mas"), "mass");   // missing letter
    assert_string_equal(nearest("masss"), "mass"); // one too many
    assert_string_equal(nearest("nass"), "mass");  // wrong letter
    assert_string_equal(nearest("msas"), "mass");  // swapped letters
    assert_string_equal(nearest("MASS"), "mass");  // case
    assert_string_equal(nearest("intertia"), "inertia");
    assert_string_equal(nearest("postiion"), "position");
    assert_string_equal(nearest("spring-dampr"), "spring_damper");
    assert_string_equal(nearest("orientation"), "orientation");
}

static void a_far_name_is_not_suggested(void **state)
{
    (void)state;
    assert_string_equal(nearest("ma"), "none"); // two letters: no guess
    assert_string_equal(nearest(""), "none");
    assert_string_equal(nearest("mess_up"), "none");
    assert_string_equal(nearest("spring"), "none");
    char long_word[200];
    memset(long_word, 'a', sizeof long_word);
    long_word[sizeof long_word - 1] = 0;
    assert_string_equal(nearest(long_word), "none");
}

static const char *kept_name(const void *owner, int value) { return ((char *const *)owner)[value]; }

static void names_are_found_among_many(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    hol_arena *arena = hol_arena_create(ctx);
    char **kept = hol_arena_alloc(arena, MANY, sizeof *kept);
    hol_names *names = hol_names_create(ctx), *in_arena = hol_names_create_in(ctx, arena),
              *elsewhere = hol_names_create_of(ctx, kept_name, kept);
    for (int i = 0; i < MANY; i++) {
        char *name = kept[i] = hol_arena_print(arena, "body_%d", i);
        assert_int_equal(hol_names_find(names, name), -1);
        assert_int_equal(hol_names_add(names, name, i), HOL_OK);
        assert_int_equal(hol_names_add(in_arena, name, MANY - i), HOL_OK);
        assert_int_equal(hol_names_add(elsewhere, name, i), HOL_OK);
    }
    for (int i = 0; i < MANY; i++) {
        char name[20];
        snprintf(name, sizeof name, "body_%d", i);
        assert_int_equal(hol_names_find(names, name), i);
        assert_int_equal(hol_names_find(in_arena, name), MANY - i);
        assert_int_equal(hol_names_find(elsewhere, name), i);
    }
    assert_int_equal(hol_names_find(names, "body_"), -1);
    assert_int_equal(hol_names_find(elsewhere, "body_"), -1);
    hol_names_destroy(elsewhere);
    hol_names_destroy(in_arena);
    hol_names_destroy(names);
    hol_names_destroy(NULL);
    hol_arena_destroy(arena);
}

static void a_name_is_added_once(void **state)
{
    (void)state;
    hol_names *names = hol_names_create(ctx);
    assert_int_equal(hol_names_add(names, "", 0), HOL_OK);
    assert_int_equal(hol_names_add(names, "crank", 1), HOL_OK);
    assert_int_equal(hol_names_add(names, "crank", 2), HOL_ERR_USAGE);
    assert_string_equal(hol_context_error(ctx), "the name \"crank\" is already taken");
    assert_int_equal(hol_names_find(names, "crank"), 1);
    assert_int_equal(hol_names_find(names, ""), 0);
    hol_names_destroy(names);
}

static void names_survive_missing_memory(void **state)
{
    (void)state;
    static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"};
    for (long n = 1; n <= 5; n++) { // the map, its first slots and names, its next slots and names
        hol_context_clear(ctx);
        hol_memory_fail_after(ctx, n);
        hol_names *names = hol_names_create(ctx);
        assert_true((names != NULL) == (n > 3));
        int added = 0;
        for (int i = 0; names && i < HOL_COUNT(name); i++)
            added += hol_names_add(names, name[i], i) == HOL_OK;
        assert_string_not_equal(hol_context_error(ctx), "");
        if (names) assert_int_equal(added, HOL_COUNT(name) - 1);
        hol_names_destroy(names);
    }
}

// ---- sizes ----------------------------------------------------------------------------------------------------

static void what_is_not_a_number_is_the_largest(void **state)
{
    (void)state;
    assert_true(hol_larger(2, 1) == 2 && hol_larger(1, 2) == 2 && hol_larger(1, HOL_INF) == HOL_INF);
    assert_true(isnan(hol_larger((double)NAN, HOL_INF)));
    assert_true(isnan(hol_larger(HOL_INF, (double)NAN)));  // and stays
    assert_false(hol_is_larger((double)NAN, (double)NAN)); // the first one
    assert_false(hol_is_larger(1, 1));
}

// ---- random numbers ------------------------------------------------------------------------------------------

static void random_numbers_are_reproducible_and_uniform(void **state)
{
    (void)state;
    // SplitMix64 from seed 0 starts 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4 (reference code of S. Vigna, all digits).
    hol_random r = {0};
    double first = hol_random_uniform(&r), second = hol_random_uniform(&r);
    assert_true(first == ((double)0xe220a8397b1dcu + 0.5) * 0x1p-51 - 1.0);
    assert_true(second == ((double)0x6e789e6aa1b96u + 0.5) * 0x1p-51 - 1.0);

    enum { N = 100000 };
    double sum = 0, squares = 0;
    for (int i = 0; i < N; i++) {
        double x = hol_random_uniform(&r);
        assert_true(x > -1 && x < 1);
        sum += x;
        squares += x * x;
    }
    // Mean 0 and variance 1/3, within five standard deviations: sqrt(1/3/N), sqrt(4/45/N).
    assert_true(sum / N > -0.0092 && sum / N < 0.0092);
    assert_true(squares / N > 1.0 / 3 - 0.0048 && squares / N < 1.0 / 3 + 0.0048);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_failure_leaves_status_and_text),
        TEST(the_first_error_wins_until_cleared),
        TEST(a_place_stands_in_front),
        TEST(a_path_stands_in_front),
        TEST(a_long_text_is_cut_between_characters),
        TEST(without_a_context_only_the_status_remains),
        TEST(notes_go_to_the_callback),
        TEST(a_cancel_stays_until_answered),
        TEST(memory_is_zeroed_and_aligned),
        TEST(too_much_memory_is_refused),
        TEST(the_chosen_allocation_fails),
        TEST(an_array_grows_and_keeps_its_items),
        TEST(an_arena_hands_out_zeroed_memory),
        TEST(an_arena_keeps_a_released_block),
        TEST(an_arena_reports_missing_memory),
        TEST(the_nearest_name_is_suggested),
        TEST(a_far_name_is_not_suggested),
        TEST(names_are_found_among_many),
        TEST(a_name_is_added_once),
        TEST(names_survive_missing_memory),
        TEST(what_is_not_a_number_is_the_largest),
        TEST(random_numbers_are_reproducible_and_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
