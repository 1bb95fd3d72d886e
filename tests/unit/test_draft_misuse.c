// Every function of holonom_draft.h with what it cannot take: nothing, items of the wrong kind, removed ones and those of other
// drafts, texts that are none, numbers that are none, depths beyond the limit, no memory. Each says so, and nothing changes. A function
// of the header that is missing here fails the test.
#include "harness.h"
#include "holonom_draft.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hol_draft *draft;
static hol_item *root, *bodies, *rod, *mass, *gone,
    *inside; // a map, a list, a map in it, a number; removed, and what was in it

static void ok(hol_status st)
{
    if (st) fail_msg("status %d: %s", (int)st, hol_context_error(ctx));
}

static int make(void **state)
{
    (void)state;
    hol_context_clear(ctx);
    draft = hol_draft_create(ctx, "arm", 2);
    root = hol_draft_root(draft);
    rod = hol_draft_add(draft, "bodies");
    bodies = hol_item_parent(rod);
    ok(hol_item_text(rod, "name", "rod"));
    ok(hol_item_number(rod, "mass", 1));
    ok(hol_item_number(rod, "inertia", 1));
    mass = hol_item_get(rod, "mass");
    gone = hol_item_map(rod, "markers");
    inside = hol_item_list(gone, "tip");
    ok(hol_item_remove(gone));
    ok(hol_draft_set(draft, "simulate.end=1"));
    return !inside;
}

static int destroy(void **state)
{
    (void)state;
    hol_draft_destroy(draft);
    return 0;
}

// ---- what was refused -----------------------------------------------------------------------------------------

typedef struct {
    char text[2000];
} copy;

static void add(void *user, const char *piece)
{
    copy *c = user;
    const size_t n = strlen(c->text);
    snprintf(c->text + n, sizeof c->text - n, "%s", piece);
}

static copy now(void)
{
    copy c = {""};
    ok(hol_draft_print(draft, add, &c));
    return c;
}

static copy before;

// The call has failed with these words. remembered: the draft keeps the error, and compiles, writes and prints with no other.
static void check(const char *what, bool failed, const char *words, bool remembered)
{
    copy kept = {""};
    const bool said = strstr(hol_context_error(ctx), words);
    if (!failed || hol_context_status(ctx) != HOL_ERR_USAGE || !said)
        fail_msg("%s: %s, \"%s\", wanted is \"%s\"", what, failed ? "failed" : "worked",
                 hol_context_error(ctx), words);
    if (remembered) {
        assert_null(hol_draft_compile(draft));
        assert_int_equal(hol_draft_print(draft, add, &kept), HOL_ERR_USAGE);
        assert_int_equal(hol_draft_write(draft, "/nowhere/at/all.yaml"), HOL_ERR_USAGE);
        if (!strstr(hol_context_error(ctx), words)) fail_msg("%s: then \"%s\"", what, hol_context_error(ctx));
        assert_string_equal(kept.text, "");
    }
    assert_int_equal(hol_draft_status(draft), remembered ? HOL_ERR_USAGE : HOL_OK);
    if (remembered && !strstr(hol_context_error(ctx), words))
        fail_msg("%s: at last \"%s\"", what, hol_context_error(ctx));
    assert_int_equal(hol_draft_status(draft), HOL_OK);
    kept = now();
    assert_string_equal(kept.text, before.text);
    hol_context_clear(ctx);
}
#define REFUSED(call, words) before = now(), check(#call, (call) == HOL_ERR_USAGE, words, true)
#define NOTHING(call, words) before = now(), check(#call, (call) == NULL, words, true)
// What leaves nothing in the draft: it changes nothing.
#define FAILED(call, words) before = now(), check(#call, (call) == HOL_ERR_USAGE, words, false)
// Without an item or draft there is nobody to tell but the caller.
#define ALONE(call) assert_int_equal(call, HOL_ERR_USAGE)

// What an item, which has no values, says to whom sets one in it.
static void for_each_setter(hol_item *item, const char *key, const char *words)
{
    static const char *const texts[] = {"a"};
    const double x[] = {1};
    NOTHING(hol_item_map(item, key), words);
    NOTHING(hol_item_list(item, key), words);
    NOTHING(hol_item_copy(item, key, rod), words);
    REFUSED(hol_item_text(item, key, "a"), words);
    REFUSED(hol_item_number(item, key, 1), words);
    REFUSED(hol_item_flag(item, key, true), words);
    REFUSED(hol_item_texts(item, key, 1, texts), words);
    REFUSED(hol_item_numbers(item, key, 1, x), words);
}

// ---- functions ------------------------------------------------------------------------------------------------

static void create(hol_context *own, const char *title, int dimension, const char *words)
{
    assert_null(hol_draft_create(own, title, dimension));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
    expect_message(words);
    hol_context_clear(ctx);
}

static void draft_create(void)
{
    assert_null(hol_draft_create(NULL, "a", 2));
    create(ctx, "a", 1, "dimension 1");
    create(ctx, "a", 4, "dimension 4");
    create(ctx, "a\nb", 2, "a title is one line");
    create(ctx, "\xff", 2, "byte 0xFF is not UTF-8");
    create(ctx, "a\x01", 2, "character U+0001");
    hol_draft_destroy(hol_draft_create(ctx, "", 3));
    hol_draft_destroy(hol_draft_create(ctx, NULL, 3));
}
static void draft_parse(void)
{
    char text[600];
    assert_null(hol_draft_parse(NULL, "a", "a: 1", 4));
    create(hol_draft_parse(ctx, NULL, "a: 1", 4) ? NULL : ctx, "a", 1, "");
    assert_null(hol_draft_parse(ctx, NULL, "a: 1", 4));
    expect_message("name is NULL");
    assert_null(hol_draft_parse(ctx, "a", NULL, 0));
    expect_message("text is NULL");
    assert_null(hol_draft_parse(ctx, "a", "", 0));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_MODEL);
    snprintf(text, sizeof text, "%0300d: 1", 0);
    assert_null(hol_draft_parse(ctx, "a", text, strlen(text)));
    expect_message("a:1:1: error: a key has at most 255 bytes");
    hol_context_clear(ctx);
    hol_draft *one_line =
        hol_draft_parse(ctx, "a\nb", "a: 1", 4); // as a model, it is refused when results would name it
    assert_null(hol_draft_compile(one_line));
    expect_message("a line ends in the name of the model");
    hol_draft_destroy(one_line);
}
static void draft_read(void)
{
    assert_null(hol_draft_read(NULL, "models/pendulum.yaml"));
    assert_null(hol_draft_read(ctx, NULL));
    expect_message("path is NULL");
    assert_null(hol_draft_read(ctx, "."));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_MODEL);
}
static void draft_import(void)
{
    assert_null(hol_draft_import(NULL, "tests/robots/arm.urdf", NULL));
    assert_null(hol_draft_import(ctx, NULL, NULL));
    expect_message("path is NULL");
    assert_null(hol_draft_import(ctx, ".", NULL));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_MODEL);
    const hol_import_options none = {.root = (hol_import_root)7};
    assert_null(hol_draft_import(ctx, "tests/robots/arm.urdf", &none));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
    expect_message("root 7 is asked for");
    hol_draft *d = hol_draft_import(ctx, "tests/robots/arm.urdf", NULL);
    assert_non_null(d);
    assert_int_equal(hol_draft_write(d, "tests/robots/../robots/arm.urdf"), HOL_ERR_USAGE);
    expect_message("is what was imported and would be overwritten");
    hol_draft_destroy(d);
}
static void draft_destroy(void) { hol_draft_destroy(NULL); }
static void draft_compile(void) { assert_null(hol_draft_compile(NULL)); }
static void draft_write(void)
{
    ALONE(hol_draft_write(NULL, "a.yaml"));
    FAILED(hol_draft_write(draft, NULL), "path is NULL");
    assert_int_equal(hol_draft_write(draft, "/nowhere/at/all.yaml"), HOL_ERR_IO);
    expect_message("/nowhere/at/all.yaml: cannot be written");
    assert_int_equal(hol_draft_write(draft, "."), HOL_ERR_IO);
    assert_int_equal(hol_draft_write(draft, ""), HOL_ERR_IO);
    assert_int_equal(hol_draft_status(draft), HOL_OK);
}
static void draft_print(void)
{
    copy c = {""};
    ALONE(hol_draft_print(NULL, add, &c));
    FAILED(hol_draft_print(draft, NULL, NULL), "print is NULL");
}
static void draft_set(void)
{
    ALONE(hol_draft_set(NULL, "a=1"));
    REFUSED(hol_draft_set(draft, NULL), "text is NULL");
    REFUSED(hol_draft_set(draft, ""), "wanted is path=value");
    REFUSED(hol_draft_set(draft, "mass"), "wanted is path=value");
    REFUSED(hol_draft_set(draft, "bodies.rod.mass="), "a value is missing");
    REFUSED(hol_draft_set(draft, "bodies.rood.mass=1"),
            "there is no item named \"rood\"; did you mean \"rod\"?");
    REFUSED(hol_draft_set(draft, "bodies.rod=1"), "this is a group of values");
    REFUSED(hol_draft_set(draft, "bodies[3].mass=1"), "there is no item [3]");
    REFUSED(hol_draft_set(draft, "bodies.rod.mass=1\n2"), "a line ends in it");
    REFUSED(hol_draft_set(draft, "bodies.rod.mass=\xff"), "byte 0xFF is not UTF-8");
    REFUSED(hol_draft_set(draft, "bodies.rod.mass=\x01"), "character U+0001");
    REFUSED(hol_draft_set(draft, "bodies.rod..x=1"), "a key is empty");
    assert_int_equal(hol_draft_set(draft, "bodies.rod.x=[1"), HOL_ERR_MODEL);
    assert_int_equal(hol_draft_status(draft), HOL_ERR_MODEL);
}
static void draft_status(void) { ALONE(hol_draft_status(NULL)); }
static void draft_root(void) { assert_null(hol_draft_root(NULL)); }
static void draft_add(void)
{
    assert_null(hol_draft_add(NULL, "bodies"));
    NOTHING(hol_draft_add(draft, NULL), "list is NULL");
    NOTHING(hol_draft_add(draft, ""), "arm: error: a key is empty");
    NOTHING(hol_draft_add(draft, "title"), "arm: error: title: it is a value, a list is wanted");
    NOTHING(hol_draft_add(draft, "simulate"), "arm: error: simulate: it is a map, a list is wanted");
}

static void item_map(void)
{
    assert_null(hol_item_map(NULL, "a"));
    for_each_setter(root, NULL, "arm: error: it is a map: a key is wanted, not NULL");
    for_each_setter(rod, "", "arm: error: bodies[0] rod: a key is empty");
    for_each_setter(rod, "\xc3", "a key: byte 0xC3 is not UTF-8");
    for_each_setter(rod, "a\nb\x7f", "a key: character U+007F is not allowed");
    for_each_setter(mass, "a", "arm: error: bodies[0] rod.mass: it is a value, which has no keys");
    for_each_setter(mass, NULL, "it is a value, which has no keys");
    for_each_setter(bodies, "rod",
                    "arm: error: bodies: it is a list: the key is NULL, for a new item, or the place");
    for_each_setter(bodies, "[1]", "there is no item [1]: the list has 1");
    for_each_setter(bodies, "[-1]", "it is a list");
    for_each_setter(bodies, "[99999999999]", "it is a list");
    for_each_setter(gone, "a", "this item has been removed");
    for_each_setter(inside, NULL, "this item has been removed");
    NOTHING(hol_item_map(rod, "mass"), "arm: error: bodies[0] rod.mass: it is a value, a map is wanted");
    NOTHING(hol_item_map(root, "bodies"), "arm: error: bodies: it is a list, a map is wanted");
}
static void item_list(void)
{
    assert_null(hol_item_list(NULL, "a"));
    NOTHING(hol_item_list(bodies, "[0]"), "arm: error: bodies[0] rod: it is a map, a list is wanted");
}
static void item_text(void)
{
    ALONE(hol_item_text(NULL, "a", "b"));
    REFUSED(hol_item_text(rod, "mass", NULL), "hol_item_text: text is NULL");
    REFUSED(hol_item_text(rod, "mass", "\xc0\xaf"), "arm: error: bodies[0] rod.mass: byte 0xC0 is not UTF-8");
    REFUSED(hol_item_text(rod, "mass", "\xed\xa0\x80"), "byte 0xED is not UTF-8"); // half of a pair
    REFUSED(hol_item_text(rod, "mass", "\xef\xbb\xbf"), "character U+FEFF");
    REFUSED(hol_item_text(rod, "mass", "\xef\xa3\xb0"), "character U+F8F0");
    REFUSED(hol_item_text(rod, "a.b", "\x1b"), "arm: error: bodies[0] rod.a.b: character U+001B");
}
static void item_number(void)
{
    const double none[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    ALONE(hol_item_number(NULL, "a", 1));
    for (int i = 0; i < HOL_COUNT(none); i++) {
        const double in_list[] = {1, none[i]};
        REFUSED(hol_item_number(rod, "mass", none[i]), "arm: error: bodies[0] rod.mass: ");
        REFUSED(hol_item_numbers(rod, "mass", 2, in_list), "a number is finite");
        REFUSED(hol_item_numbers(rod, "new", 2, in_list), "arm: error: bodies[0] rod.new: ");
    }
}
static void item_flag(void) { ALONE(hol_item_flag(NULL, "a", true)); }
static void item_texts(void)
{
    static const char *const texts[] = {"a", NULL, "\xff"};
    ALONE(hol_item_texts(NULL, "a", 1, texts));
    REFUSED(hol_item_texts(rod, "mass", 1, NULL), "hol_item_texts: the list is NULL");
    REFUSED(hol_item_texts(rod, "mass", -1, texts), "arm: error: bodies[0] rod.mass: a list of -1 values");
    REFUSED(hol_item_texts(rod, "mass", 2, texts), "one of the texts is NULL");
    REFUSED(hol_item_texts(rod, "mass", 1, texts + 2), "byte 0xFF");
}
static void item_numbers(void)
{
    const double x[] = {1};
    ALONE(hol_item_numbers(NULL, "a", 1, x));
    REFUSED(hol_item_numbers(rod, "mass", 1, NULL), "hol_item_numbers: the list is NULL");
    REFUSED(hol_item_numbers(rod, "mass", -5, x), "a list of -5 values");
    ok(hol_item_numbers(rod, "empty", 0, NULL));
    ok(hol_item_remove(hol_item_get(rod, "empty")));
}
static void item_copy(void)
{
    assert_null(hol_item_copy(NULL, "a", rod));
    NOTHING(hol_item_copy(root, "a", NULL), "source is NULL");
}
static void item_remove(void)
{
    ALONE(hol_item_remove(NULL));
    REFUSED(hol_item_remove(root), "arm: error: the root of a draft cannot be removed");
    REFUSED(hol_item_remove(gone), "this item has been removed");
    REFUSED(hol_item_remove(inside), "this item has been removed");
}
static void item_rename(void)
{
    ALONE(hol_item_rename(NULL, "a"));
    REFUSED(hol_item_rename(root, "a"), "the root of a draft cannot be renamed");
    REFUSED(hol_item_rename(gone, "a"), "this item has been removed");
    REFUSED(hol_item_rename(rod, "a"),
            "arm: error: bodies[0] rod: it is an item of a list, which has no keys");
    REFUSED(hol_item_rename(mass, NULL), "key is NULL");
    REFUSED(hol_item_rename(mass, ""), "a key is empty");
    REFUSED(hol_item_rename(mass, "name"),
            "arm: error: bodies[0] rod.mass: there is a \"name\" beside it already");
    ok(hol_item_rename(mass, "mass"));
}
static void item_move(void)
{
    ALONE(hol_item_move(NULL, 0));
    REFUSED(hol_item_move(root, 0), "the root of a draft cannot be moved");
    REFUSED(hol_item_move(gone, 0), "this item has been removed");
    REFUSED(hol_item_move(mass, -1), "there is no place -1: it is one of 3");
    REFUSED(hol_item_move(mass, 3), "there is no place 3: it is one of 3");
}

static void item_kind_of(void)
{
    assert_int_equal(hol_item_kind_of(NULL), HOL_ITEM_NONE);
    assert_int_equal(hol_item_kind_of(gone), HOL_ITEM_MAP);
    assert_int_equal(hol_item_kind_of(mass), HOL_ITEM_NUMBER);
}
static void item_count(void)
{
    assert_int_equal(hol_item_count(NULL), 0);
    assert_int_equal(hol_item_count(mass), 0);
    assert_int_equal(hol_item_count(gone), 1);
}
static void item_at(void)
{
    assert_null(hol_item_at(NULL, 0));
    assert_null(hol_item_at(mass, 0));
    assert_null(hol_item_at(rod, -1));
    assert_null(hol_item_at(rod, 3));
    assert_ptr_equal(hol_item_at(gone, 0), inside);
}
static void item_key(void)
{
    assert_null(hol_item_key(NULL, 0));
    assert_null(hol_item_key(bodies, 0));
    assert_null(hol_item_key(rod, -1));
    assert_null(hol_item_key(rod, 3));
    assert_string_equal(hol_item_key(gone, 0), "tip");
}
static void item_parent(void)
{
    assert_null(hol_item_parent(NULL));
    assert_null(hol_item_parent(root));
    assert_null(hol_item_parent(gone));
}
static void item_as_text(void)
{
    assert_null(hol_item_as_text(NULL));
    assert_null(hol_item_as_text(rod));
    assert_string_equal(hol_item_as_text(mass), "1");
}
static void item_as_number(void)
{
    double x = 7;
    assert_false(hol_item_as_number(NULL, &x));
    assert_true(isnan(x));
    assert_false(hol_item_as_number(rod, NULL));
    assert_false(hol_item_as_number(hol_item_get(rod, "name"), &x));
    assert_true(hol_item_as_number(mass, NULL));
}
static void item_as_flag(void)
{
    bool flag = true;
    assert_false(hol_item_as_flag(NULL, &flag));
    assert_false(flag);
    assert_false(hol_item_as_flag(bodies, NULL));
    assert_false(hol_item_as_flag(hol_item_get(rod, "name"), &flag));
    assert_true(hol_item_as_flag(mass, &flag) && flag); // 1
}
static void item_get(void)
{
    assert_null(hol_item_get(NULL, "a"));
    assert_null(hol_item_get(rod, NULL));
    assert_null(hol_item_get(mass, "[0]"));
    assert_null(hol_item_get(bodies, "[1]"));
    assert_null(hol_item_get(bodies, "[0]x"));
    assert_ptr_equal(hol_item_get(bodies, "[0]"), rod);
}
static void item_find(void)
{
    assert_null(hol_item_find(NULL, "a"));
    assert_null(hol_item_find(root, NULL));
    assert_ptr_equal(hol_item_find(root, ""), root);
    assert_null(hol_item_find(root, "bodies.rod.mass.x"));
}
static void item_where(void)
{
    char text[8] = "abc";
    hol_item_where(rod, NULL, 10);
    hol_item_where(rod, text, 0);
    assert_string_equal(text, "abc");
    hol_item_where(NULL, text, sizeof text);
    assert_string_equal(text, "");
    hol_item_where(rod, text, sizeof text);
    assert_string_equal(text, "bodies[");
}

static void draft_add_motion(void)
{
    ALONE(hol_draft_add_motion(NULL, "motion.csv"));
    REFUSED(hol_draft_add_motion(draft, NULL), "the draft names no motion");
    assert_int_equal(hol_draft_add_motion(draft, "/nowhere/motion.csv"), HOL_ERR_IO);
    assert_int_equal(hol_draft_status(draft), HOL_ERR_IO);
    expect_message("cannot be read");
}

#define ROW(name)                                                                                            \
    {                                                                                                        \
        "hol_" #name, name                                                                                   \
    }
static const lacking row[] = {
    ROW(draft_create),   ROW(draft_parse),  ROW(draft_read),  ROW(draft_import), ROW(draft_destroy),
    ROW(draft_compile),  ROW(draft_write),  ROW(draft_print), ROW(draft_set),    ROW(draft_add_motion),
    ROW(draft_status),   ROW(draft_root),   ROW(draft_add),   ROW(item_map),     ROW(item_list),
    ROW(item_text),      ROW(item_number),  ROW(item_flag),   ROW(item_texts),   ROW(item_numbers),
    ROW(item_copy),      ROW(item_remove),  ROW(item_rename), ROW(item_move),    ROW(item_kind_of),
    ROW(item_count),     ROW(item_at),      ROW(item_key),    ROW(item_parent),  ROW(item_as_text),
    ROW(item_as_number), ROW(item_as_flag), ROW(item_get),    ROW(item_find),    ROW(item_where)};

static void every_function_refuses_what_it_cannot_take(void **state)
{
    (void)state;
    call_all(row, HOL_COUNT(row));
}

static void every_function_of_the_header_is_here(void **state)
{
    (void)state;
    expect_all_functions("include/holonom_draft.h", row, HOL_COUNT(row));
}

// ---- limits ---------------------------------------------------------------------------------------------------

static void nothing_is_deeper_than_can_be_read(void **state)
{
    (void)state;
    hol_item *deep = root;
    copy c = {""};
    for (int i = 1; i < HOL_DRAFT_DEPTH; i++) { // the root is one of them
        deep = i % 2 ? hol_item_list(deep, "deep") : hol_item_map(deep, NULL);
        assert_non_null(deep);
    }
    REFUSED(hol_item_numbers(deep, NULL, 0, NULL), "more than 64 maps and lists inside each other");
    NOTHING(hol_item_map(deep, NULL), "more than 64 maps and lists inside each other");
    NOTHING(hol_item_copy(root, "copy", root), "more than 64 maps and lists inside each other");
    ok(hol_item_number(deep, NULL, 1));
    c = now();
    hol_draft *again = hol_draft_parse(ctx, "again", c.text, strlen(c.text));
    if (!again) fail_msg("%s: %s", hol_context_error(ctx), c.text);
    hol_draft_destroy(again);
    assert_non_null(hol_item_copy(rod, "copy", root) ? NULL : root); // too deep by one
    assert_int_equal(hol_draft_status(draft), HOL_ERR_USAGE);
}

// An item may be copied into itself, and from another draft.
static void items_of_other_drafts_are_copied(void **state)
{
    (void)state;
    hol_draft *other = hol_draft_create(ctx, "other", 3);
    hol_item *leg = hol_draft_add(other, "bodies");
    ok(hol_item_text(leg, "name", "leg"));
    ok(hol_item_numbers(leg, "position", 3, (const double[]){1, 2, 3}));
    hol_item *here = hol_item_copy(bodies, NULL, leg);
    hol_draft_destroy(other);
    assert_ptr_equal(hol_item_get(bodies, "leg"), here);
    assert_string_equal(hol_item_as_text(hol_item_find(here, "position[2]")), "3");
    hol_item *inner = hol_item_copy(here, "self", here);
    assert_non_null(inner);
    assert_int_equal(hol_item_count(inner), 2);
    hol_item *whole = hol_item_copy(root, "whole", root);
    assert_int_equal(hol_item_count(whole), hol_item_count(root) - 1);
    assert_ptr_equal(hol_item_copy(root, "whole", whole), whole); // in its own place
    assert_non_null(hol_item_copy(bodies, NULL, gone));           // what was removed is told still
}

// ---- no memory ------------------------------------------------------------------------------------------------

// What a program does with a draft; the first call that fails ends it.
static hol_model *work(hol_context *own, hol_status *first)
{
    hol_model *model = NULL;
    hol_draft *d = hol_draft_create(own, "arm", 2);
    if (!d) {
        *first = hol_context_status(own);
        return NULL;
    }
    hol_item *arm = hol_draft_add(d, "bodies");
    hol_item_text(arm, "name", "arm");
    hol_item_number(arm, "mass", 1);
    hol_item_numbers(arm, "position", 2, (const double[]){0, 1});
    hol_item_texts(arm, "position", 2,
                   (const char *const[]){"1", "a text of more bytes than a number has room for"});
    hol_item_numbers(arm, "position", 2, (const double[]){0, 1});
    for (int i = 0; i < 12; i++) {
        char key[20];
        snprintf(key, sizeof key, "p%d", i);
        hol_item_number(hol_item_map(hol_draft_root(d), "parameters"), key, i);
    }
    hol_item_flag(arm, "type", true);
    hol_item_text(arm, "type", "point");
    hol_item *copied = hol_item_copy(hol_item_parent(arm), NULL, arm);
    hol_item_text(copied, "name", "leg");
    hol_item_rename(hol_item_get(copied, "position"), "velocity");
    hol_item_move(copied, 0);
    hol_draft_set(d, "simulate.end=1");
    if (!(*first = hol_draft_status(d))) {
        model = hol_draft_compile(d);
        if (!model || hol_draft_write(d, "/dev/null")) *first = hol_context_status(own);
    }
    hol_draft_destroy(d);
    hol_draft *parsed = *first ? NULL : hol_draft_parse(own, "a", "{dimension: 2, a: [1, {b: 2}]}", 30);
    if (!*first && !parsed) *first = hol_context_status(own);
    hol_draft_destroy(parsed);
    return model;
}

static void every_request_for_memory_may_fail(void **state)
{
    long n = 0;
    (void)state;
    for (bool done = false; !done;) {
        hol_context *own = hol_context_create();
        hol_status st = HOL_OK;
        hol_memory_fail_after(own, ++n);
        hol_model *model = work(own, &st);
        done = hol_memory_fail_after(own, 0) != 0; // it was not made
        if (done ? st != HOL_OK || !model : st != HOL_ERR_MEMORY)
            fail_msg("request %ld: status %d, \"%s\"", n, (int)st, hol_context_error(own));
        hol_model_destroy(model);
        hol_context_destroy(own);
    }
    assert_true(n > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_function_refuses_what_it_cannot_take, make, destroy),
        cmocka_unit_test(every_function_of_the_header_is_here),
        cmocka_unit_test_setup_teardown(nothing_is_deeper_than_can_be_read, make, destroy),
        cmocka_unit_test_setup_teardown(items_of_other_drafts_are_copied, make, destroy),
        cmocka_unit_test(every_request_for_memory_may_fail),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
