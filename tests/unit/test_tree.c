// YAML and JSON texts as trees: what is read, and every refusal with its place and text.
#include "text/tree.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static hol_context *ctx;
static hol_arena *arena;
static hol_node *root;

static int start(void **state)
{
    (void)state;
    ctx = hol_context_create();
    arena = ctx ? hol_arena_create(ctx) : NULL;
    return arena ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return 0;
}

static hol_status parse_bytes(const char *text, size_t length)
{
    // An exact copy, so that the sanitizer sees a read behind the end.
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    hol_context_clear(ctx);
    hol_status status = hol_tree_parse(ctx, arena, "m.yaml", copy, length, &root);
    free(copy);
    return status;
}

static void accept(const char *text)
{
    hol_status status = parse_bytes(text, strlen(text));
    assert_string_equal(hol_context_error(ctx), "");
    assert_int_equal(status, HOL_OK);
}

static void refuse_bytes(const char *text, size_t length, const char *message)
{
    hol_status status = parse_bytes(text, length);
    assert_string_equal(hol_context_error(ctx), message);
    assert_int_equal(status, HOL_ERR_MODEL);
    assert_null(root);
}

static void refuse(const char *text, const char *message) { refuse_bytes(text, strlen(text), message); }

static void is_at(const hol_node *node, int line, int col)
{
    assert_non_null(node);
    assert_string_equal(node->at.file, "m.yaml");
    assert_int_equal(node->at.line, line);
    assert_int_equal(node->at.col, col);
}

static void is_scalar(const hol_node *node, const char *text, bool quoted)
{
    assert_non_null(node);
    assert_int_equal(node->kind, HOL_NODE_SCALAR);
    assert_string_equal(node->text, text);
    assert_int_equal(node->quoted, quoted);
    assert_int_equal(node->n, 0);
}

// ---- what is read --------------------------------------------------------------------------------------------

static void maps_and_sequences_keep_order_and_place(void **state)
{
    (void)state;
    accept("# a comment\n"
           "bodies:\n"
           "  rod: {mass: 2.5, at: [0, -1e-3]}\n"
           "  crank:\n"
           "    mass: 1\n"
           "list:\n"
           "- a\n"
           "- b: c\n");
    assert_int_equal(root->kind, HOL_NODE_MAP);
    assert_int_equal(root->n, 2);
    is_at(root, 2, 1);
    const hol_node *bodies = hol_node_find(root, "bodies");
    assert_int_equal(bodies->n, 2);
    is_scalar(bodies->key[0], "rod", false);
    is_scalar(bodies->key[1], "crank", false);
    is_at(bodies->key[1], 4, 3);
    const hol_node *at = hol_node_find(bodies->value[0], "at");
    is_at(at, 3, 24);
    assert_int_equal(at->kind, HOL_NODE_SEQUENCE);
    assert_string_equal(at->text, "");
    assert_null(at->key);
    is_scalar(at->value[1], "-1e-3", false);
    is_at(at->value[1], 3, 28);
    const hol_node *list = hol_node_find(root, "list");
    is_scalar(list->value[0], "a", false);
    is_scalar(hol_node_find(list->value[1], "b"), "c", false);
    assert_null(hol_node_find(root, "joints"));
    assert_null(hol_node_find(list, "a"));
}

static void json_is_read(void **state)
{
    (void)state;
    accept(
        "{\"a\":1,\"b\":[1e-3,-2.5E+4,true,null],\n\t\"c\":{\"d\":\"x\\u00e9\\/\\n\"},\"e\":{},\"f\":[]}\n");
    is_scalar(hol_node_find(root, "a"), "1", false);
    const hol_node *b = hol_node_find(root, "b");
    assert_int_equal(b->n, 4);
    is_scalar(b->value[0], "1e-3", false);
    is_scalar(b->value[1], "-2.5E+4", false);
    is_scalar(b->value[3], "null", false);
    is_scalar(hol_node_find(hol_node_find(root, "c"), "d"), "x\xc3\xa9/\n", true);
    assert_int_equal(hol_node_find(root, "e")->n, 0);
    assert_int_equal(hol_node_find(root, "e")->kind, HOL_NODE_MAP);
    assert_int_equal(hol_node_find(root, "f")->n, 0);
}

// Lists that look a little like [0, -9,81], where a comma without a space stands between other things than digits, or all alike.
static void lists_of_all_spacings_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int n;
    } rows[] = {{"[0,-9,81]", 3},     {"[1,2,3]", 3},          {"[0, -9, 81]", 3},    {"[1.5,2, 3]", 3},
                {"[1e5,2, 3]", 3},    {"[1.e-5,2, 3]", 3},     {"[rod1,2, 3]", 3},    {"['1',2, 3]", 3},
                {"[10,-9, 81]", 3},   {"[1,2,3,\n 4,5,6]", 6}, {"[[1,2], [3,4]]", 2}, {"[1,x, 3]", 3},
                {"[{a: 1},2, 3]", 3}, {"[1 - 2, 3]", 2},       {"[0 - 9.81, 3]", 2},  {"[2 -L, 3]", 2},
                {"[10 mm, 2 kg]", 2}, {"[rod 1, 2]", 2},       {"[1-2, 3]", 2},       {"['0 -9.81', 1]", 2},
                {"[2*a -9.81, 1]", 2}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        accept(rows[i].text);
        assert_int_equal(root->n, rows[i].n);
    }
}

static void text_in_quotes_or_blocks_is_marked(void **state)
{
    (void)state;
    accept("a: '1'\nb: \"2\"\nc: |\n  3\nd: 4\ne:\n'<<': f\n");
    is_scalar(hol_node_find(root, "a"), "1", true);
    is_scalar(hol_node_find(root, "b"), "2", true);
    is_scalar(hol_node_find(root, "c"), "3\n", true);
    is_scalar(hol_node_find(root, "d"), "4", false);
    is_scalar(hol_node_find(root, "e"), "", false);
    is_scalar(hol_node_find(root, "<<"), "f", false);
}

static void columns_count_characters(void **state)
{
    (void)state;
    accept(
        "\xef\xbb\xbf\xc3\xa9\xc3\xa9: {\xe2\x82\xac: \xf0\x9f\x98\x80, b: c}\r\nd: e\rf: g"); // mark, \r\n, \r
    is_at(root->key[0], 1, 1);
    is_at(root->value[0]->key[1], 1, 12);
    is_at(root->key[1], 2, 1);
    is_at(root->value[2], 3, 4);
}

static void a_scalar_may_be_all(void **state)
{
    (void)state;
    accept("word");
    is_scalar(root, "word", false);
    accept("\"\"");
    is_scalar(root, "", true);
    accept("---\na: b\n...\n");
    assert_int_equal(root->n, 1);
}

static void large_maps_are_searched_fast(void **state)
{
    (void)state;
    enum { MANY = 100000, LINE = 20 };
    char *text = malloc(MANY * LINE), *end = text;
    for (int i = 0; i < MANY; i++) end += snprintf(end, LINE, "body_%d: %d\n", i, i);
    accept(text);
    assert_int_equal(root->n, MANY);
    for (int i = 0; i < MANY; i++) {
        char name[LINE];
        snprintf(name, sizeof name, "body_%d", i);
        assert_ptr_equal(hol_node_find(root, name), root->value[i]);
    }
    assert_null(hol_node_find(root, "body"));
    snprintf(end, LINE, "body_77: 0\n");
    refuse(text,
           "m.yaml:100001:1: error: key \"body_77\" is given twice, first at 78:1; rename or remove one");
    free(text);
}

// ---- what is refused -----------------------------------------------------------------------------------------

static void an_empty_text_is_refused(void **state)
{
    (void)state;
    const char *message = "m.yaml:1:1: error: there is nothing in this file; write \"name: value\" lines";
    refuse("", message);
    refuse("\n\n# only a comment\n", message);
    refuse("---\n", message);
    refuse("\xef\xbb\xbf", message);
}

static void bytes_that_are_not_utf8_are_refused(void **state)
{
    (void)state;
    refuse("a: b\nc: \xe9t\xe9\n", "m.yaml:2:4: error: byte 0xE9 is not UTF-8; save the file as UTF-8");
    refuse("a\xc3", "m.yaml:1:2: error: byte 0xC3 is not UTF-8; save the file as UTF-8");        // cut off
    refuse("\xc0\x80", "m.yaml:1:1: error: byte 0xC0 is not UTF-8; save the file as UTF-8");     // too long
    refuse("\xe0\x80\x80", "m.yaml:1:1: error: byte 0xE0 is not UTF-8; save the file as UTF-8"); // too long
    refuse("\xed\xa0\x80", "m.yaml:1:1: error: byte 0xED is not UTF-8; save the file as UTF-8"); // surrogate
    refuse("\xf4\x90\x80\x80",
           "m.yaml:1:1: error: byte 0xF4 is not UTF-8; save the file as UTF-8"); // > 10FFFF
    refuse("\xff\xfe"
           "a",
           "m.yaml:1:1: error: byte 0xFF is not UTF-8; save the file as UTF-8"); // UTF-16
}

static void control_characters_are_refused(void **state)
{
    (void)state;
    refuse_bytes("a: b\0c", 6, "m.yaml:1:5: error: character U+0000 is not allowed in a text; remove it");
    refuse("a\r\n\r\n  \x1b", "m.yaml:3:3: error: character U+001B is not allowed in a text; remove it");
    refuse("\xc2\x85 \x7f", "m.yaml:2:2: error: character U+007F is not allowed in a text; remove it");
    refuse("a\xef\xbb\xbf", "m.yaml:1:2: error: character U+FEFF is not allowed in a text; remove it");
    refuse("\xef\xbf\xbf", "m.yaml:1:1: error: character U+FFFF is not allowed in a text; remove it");
    refuse("a: \"b\\0c\"", "m.yaml:1:4: error: \"\\0\" is not allowed in a text; remove it");
    refuse("\"b\\0c\": a", "m.yaml:1:1: error: \"\\0\" is not allowed in a text; remove it");
}

static void malformed_yaml_is_refused(void **state)
{
    (void)state;
    refuse("a: [1, 2\nb: 3\n", "m.yaml:2:2: error: did not find expected ',' or ']' while parsing a flow "
                               "sequence that starts at 1:4");
    refuse("<robot name='a'/>",
           "m.yaml:1:1: error: this is XML, and no model file; `holonom import` makes one of URDF and MJCF");
    refuse("<?xml version='1.0'?>",
           "m.yaml:1:1: error: this is XML, and no model file; `holonom import` makes one of URDF and MJCF");
    refuse("a: b: c\n", "m.yaml:1:5: error: mapping values are not allowed in this context");
    refuse("a: 1\n  b: 2\n", "m.yaml:2:4: error: mapping values are not allowed in this context");
    refuse("a:\n\tb: 1\n",
           "m.yaml:2:1: error: found character that cannot start any token while scanning for the "
           "next token that starts at 2:1; indent with spaces, not with tabs");
    refuse("a: \"x\n",
           "m.yaml:2:1: error: found unexpected end of stream while scanning a quoted scalar that "
           "starts at 1:4");
    refuse("a: 1\n}\n",
           "m.yaml:2:1: error: did not find expected key while parsing a block mapping that starts at 1:1");
    refuse("%YAML 3.0\n---\na: b\n", "m.yaml:1:1: error: found incompatible YAML document");
}

static void a_second_document_is_refused(void **state)
{
    (void)state;
    refuse("a: 1\n---\nb: 2\n",
           "m.yaml:2:1: error: a second document starts here; put it into a file of its own");
}

#define WAY_OUT "use \"parameters:\" for a shared value or \"for:\" for a repeated block"

static void anchors_aliases_tags_and_merge_keys_are_refused(void **state)
{
    (void)state;
    refuse("a: &x 1", "m.yaml:1:4: error: an anchor (&) is not supported; " WAY_OUT);
    refuse("a: &x [1]", "m.yaml:1:4: error: an anchor (&) is not supported; " WAY_OUT);
    refuse("a:\n  &x {b: 1}", "m.yaml:2:3: error: an anchor (&) is not supported; " WAY_OUT);
    refuse("&x a: 1", "m.yaml:1:1: error: an anchor (&) is not supported; " WAY_OUT);
    refuse("a: *x", "m.yaml:1:4: error: an alias (*) is not supported; " WAY_OUT);
    refuse("*x : a", "m.yaml:1:1: error: an alias (*) is not supported; " WAY_OUT);
    refuse("a: !!str 1", "m.yaml:1:4: error: a tag (!) is not supported; remove it, " WAY_OUT);
    refuse("a: ! 1", "m.yaml:1:4: error: a tag (!) is not supported; remove it, " WAY_OUT);
    refuse("a: !b [1]", "m.yaml:1:4: error: a tag (!) is not supported; remove it, " WAY_OUT);
    refuse("a: !b {c: 1}", "m.yaml:1:4: error: a tag (!) is not supported; remove it, " WAY_OUT);
    refuse("a: 1\n<<: {b: 1}", "m.yaml:2:1: error: a merge key (<<) is not supported; " WAY_OUT);
}

static void a_key_that_is_not_a_name_is_refused(void **state)
{
    (void)state;
    refuse("a: {[1]: 2}", "m.yaml:1:5: error: a key is a name, not a list or a map; write \"name: value\"");
    refuse("? {a: 1}\n: 2", "m.yaml:1:3: error: a key is a name, not a list or a map; write \"name: value\"");
    refuse("? |\n  a\n: 2", "m.yaml:1:3: error: a key is a name, not a text block; write \"name: value\"");
    refuse("? >\n  a\n: 2", "m.yaml:1:3: error: a key is a name, not a text block; write \"name: value\"");
    refuse("?\n: 2", "m.yaml:1:2: error: a key is empty; write \"name: value\"");
    refuse("\"\": 2", "m.yaml:1:1: error: a key is empty; write \"name: value\"");
}

static void a_key_given_twice_is_refused(void **state)
{
    (void)state;
    refuse("a: 1\nb: 2\n'a': 3\n",
           "m.yaml:3:1: error: key \"a\" is given twice, first at 1:1; rename or remove one");
    refuse("x: {a: 1, a: 2}",
           "m.yaml:1:11: error: key \"a\" is given twice, first at 1:5; rename or remove one");
    // Eight pairs are searched one by one, more have an index; the twin is among either.
    refuse("{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, a: 1}",
           "m.yaml:1:50: error: key \"a\" is given twice, first at 1:2; rename or remove one");
    refuse("{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, i: 1}",
           "m.yaml:1:56: error: key \"i\" is given twice, first at 1:50; rename or remove one");
    // Its text must not upset a terminal.
    refuse("{\"\\e[1m\": 1, \"\\e[1m\": 2}",
           "m.yaml:1:14: error: key \"?[1m\" is given twice, first at 1:2; rename or remove one");
    refuse("{abcdefghijabcdefghijabcdefghijabcdefghi\xc3\xa9z: 1, "
           "abcdefghijabcdefghijabcdefghijabcdefghi\xc3\xa9z: 2}",
           "m.yaml:1:48: error: key \"abcdefghijabcdefghijabcdefghijabcdefghi...\" is given twice, first at "
           "1:2; "
           "rename or remove one");
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    char text[200] = "";
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    accept(text);
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    refuse(text, "m.yaml:1:65: error: nesting is deeper than 64; check brackets and indentation");
}

static void a_long_text_is_refused(void **state)
{
    (void)state;
    size_t limit = (size_t)64 << 20;
    char *text = malloc(limit + 1);
    assert_non_null(text);
    memset(text, '\n', limit + 1);
    memcpy(text, "a: b", 4);
    assert_int_equal(hol_tree_parse(ctx, arena, "m.yaml", text, limit, &root), HOL_OK);
    assert_int_equal(hol_tree_parse(ctx, arena, "m.yaml", text, limit + 1, &root), HOL_ERR_MODEL);
    assert_string_equal(hol_context_error(ctx),
                        "m.yaml: error: the text is longer than 64 MB; split the model");
    free(text);
}

// ---- files ---------------------------------------------------------------------------------------------------

static void refuse_file(const char *path, const char *message)
{
    hol_context_clear(ctx);
    assert_int_equal(hol_tree_read(ctx, arena, path, &root), HOL_ERR_MODEL);
    assert_string_equal(hol_context_error(ctx), message);
    assert_null(root);
}

static void a_file_is_read(void **state)
{
    (void)state;
    char path[] = "/tmp/holonom-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "a: b\n", 5), 5);
    close(file);
    assert_int_equal(hol_tree_read(ctx, arena, path, &root), HOL_OK);
    is_scalar(hol_node_find(root, "a"), "b", false);
    assert_string_equal(root->at.file, path);

    // The same as standard input.
    assert_non_null(freopen(path, "rb", stdin));
    assert_int_equal(hol_tree_read(ctx, arena, "-", &root), HOL_OK);
    assert_string_equal(root->at.file, "<stdin>");
    remove(path);
}

static void a_file_that_cannot_be_read_is_refused(void **state)
{
    (void)state;
    refuse_file("/nowhere/m.yaml",
                "/nowhere/m.yaml: error: the file cannot be read: No such file or directory");
    refuse_file("/", "/: error: the file cannot be read: Is a directory");
    refuse_file("/dev/null", "/dev/null: error: the file cannot be read: it is a device, not a file");
    refuse_file("/dev/zero", "/dev/zero: error: the file cannot be read: it is a device, not a file");
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    const char *text = "{a: 1, b: 1, c: 1, d: 1, e: [1, 2, {x: y}], f: 1, g: 1, h: 1, i: 1, j: 1}";
    for (long n = 1;; n++) {
        hol_context *own = hol_context_create();
        hol_arena *memory = hol_arena_create(own);
        hol_memory_fail_after(own, n);
        hol_node *node;
        hol_status status = hol_tree_parse(own, memory, "m.yaml", text, strlen(text), &node);
        bool ok = status == HOL_OK;
        if (!ok) {
            assert_int_equal(status, HOL_ERR_MEMORY);
            assert_memory_equal(hol_context_error(own), "out of memory", 13);
            assert_null(node);
        }
        hol_arena_destroy(memory);
        hol_context_destroy(own);
        if (ok) {
            assert_true(n > 3);
            break;
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(maps_and_sequences_keep_order_and_place),
        TEST(json_is_read),
        TEST(lists_of_all_spacings_are_read),
        TEST(text_in_quotes_or_blocks_is_marked),
        TEST(columns_count_characters),
        TEST(a_scalar_may_be_all),
        TEST(large_maps_are_searched_fast),
        TEST(an_empty_text_is_refused),
        TEST(bytes_that_are_not_utf8_are_refused),
        TEST(control_characters_are_refused),
        TEST(malformed_yaml_is_refused),
        TEST(a_second_document_is_refused),
        TEST(anchors_aliases_tags_and_merge_keys_are_refused),
        TEST(a_key_that_is_not_a_name_is_refused),
        TEST(a_key_given_twice_is_refused),
        TEST(deep_nesting_is_refused),
        TEST(a_long_text_is_refused),
        TEST(a_file_is_read),
        TEST(a_file_that_cannot_be_read_is_refused),
        TEST(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
