// Models made, read, edited and written by a program: they are those of their files, bit for bit.
#include "draft_of.h"
#include "harness.h"
#include "holonom_draft.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- every shipped model --------------------------------------------------------------------------------------

// A copy of what an item has, by the public functions; numbers: plain ones as numbers, else all values as texts.
static void rebuild(hol_item *to, const hol_item *from, bool numbers)
{
    for (int i = 0; i < hol_item_count(from); i++) {
        const hol_item *item = hol_item_at(from, i);
        const char *key = hol_item_key(from, i);
        double x;
        char place[500];
        switch (hol_item_kind_of(item)) {
        case HOL_ITEM_MAP: rebuild(made(hol_item_map(to, key)), item, numbers); break;
        case HOL_ITEM_LIST: rebuild(made(hol_item_list(to, key)), item, numbers); break;
        case HOL_ITEM_NUMBER:
            if (numbers) {
                assert_true(hol_item_as_number(item, &x));
                ok(hol_item_number(to, key, x));
                break;
            }
            // fall through
        case HOL_ITEM_TEXT:
            snprintf(place, sizeof place, "%s%s",
                     key && strcmp(key, "file") == 0 ? "models/" : "", // it lies nowhere
                     hol_item_as_text(item));
            ok(hol_item_text(to, key, place));
            break;
        case HOL_ITEM_NONE: fail_msg("an item that is none");
        }
    }
}

static void shipped(const char *path)
{
    static const char *const set[] = {"simulate.signals=[all]"};
    static behaviour want;
    double dimension = 0;
    behave(hol_model_load(ctx, path, set, 1), &want);
    hol_draft *read = made(hol_draft_read(ctx, path));
    ok(hol_draft_set(read, set[0]));
    assert_true(hol_item_as_number(hol_item_get(hol_draft_root(read), "dimension"), &dimension));
    for (int numbers = 0; numbers < 2; numbers++) {
        hol_draft *d = made(hol_draft_create(ctx, NULL, (int)dimension));
        rebuild(hol_draft_root(d), hol_draft_root(read), numbers);
        check_draft(path, d, &want, !numbers);
    }
    check_draft(path, read, &want, true);
}

static void shipped_models_are_rebuilt_bit_for_bit(void **state)
{
    (void)state;
    int n = 0, i = 0;
    DIR *models = opendir("models");
    assert_non_null(models);
    for (struct dirent *e; (e = readdir(models));) {
        char path[300];
        if (!strstr(e->d_name, ".yaml") || !in_sample(i++, 1, 4)) continue;
        snprintf(path, sizeof path, "models/%s", e->d_name);
        shipped(path);
        n++;
    }
    closedir(models);
    assert_true(n >= (few() ? 8 : 30));
}

// ---- numbers and texts ----------------------------------------------------------------------------------------

enum { BODIES = 200 };

// Doubles of all sizes that a model may have, the strange ones first.
static double some_number(hol_random *dice, int i)
{
    static const double strange[] = {
        0,     -0.0,   5e-324, -2.2250738585072011e-308, 1e-320, 0.1, 1.0 / 3, 1e22, 1e23,
        1e100, -1e100, 4.35,   0.30000000000000004,      123456, 1e15};
    if (i < HOL_COUNT(strange)) return strange[i];
    return hol_random_uniform(dice) * pow(10, floor(100 * hol_random_uniform(dice)));
}

static void check_numbers(hol_model *model, const double *want)
{
    hol_simulation *sim = made(hol_simulation_create(ctx, made(model)));
    const double *value = made((void *)hol_simulation_values(sim));
    for (int i = 0; i < 2 * BODIES; i++) {
        char name[20];
        snprintf(name, sizeof name, "b%d.%c", i / 2, "xy"[i % 2]);
        const int k = hol_simulation_find_signal(sim, name);
        assert_true(k >= 0);
        if (memcmp(&value[k], &want[i], sizeof(double)) != 0 &&
            want[i] != 0) // -0 plus a centre of mass of 0 is 0
            fail_msg("%s is %.17g, set was %.17g", name, value[k], want[i]);
    }
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

static void numbers_are_kept_to_the_last_bit(void **state)
{
    hol_random dice = {1};
    double want[2 * BODIES];
    (void)state;
    for (int i = 0; i < 2 * BODIES; i++) want[i] = some_number(&dice, i);
    hol_draft *d = made(hol_draft_create(ctx, "numbers", 2));
    ok(hol_draft_set(d, "simulate.signals=[all]"));
    ok(hol_draft_set(d, "simulate.end=1"));
    ok(hol_draft_set(d, "length_scale=1"));
    for (int i = 0; i < BODIES; i++) {
        char name[20];
        hol_item *b = made(hol_draft_add(d, "bodies"));
        snprintf(name, sizeof name, "b%d", i);
        ok(hol_item_text(b, "name", name));
        ok(hol_item_text(b, "type", "point"));
        ok(hol_item_number(b, "mass", 1));
        ok(hol_item_numbers(b, "position", 2, want + 2 * i));
        for (int k = 0; k < 2; k++) {
            double x;
            assert_true(hol_item_as_number(hol_item_at(hol_item_get(b, "position"), k), &x));
            assert_memory_equal(&x, &want[2 * i + k], sizeof x);
        }
    }
    check_numbers(hol_draft_compile(d), want);
    ok(hol_draft_write(d, file));
    check_numbers(hol_model_load(ctx, file, NULL, 0), want);
    // as JSON, which Python makes
    pieces json = {0};
    char piece[200];
    add_piece(&json,
              "{\"dimension\": 2, \"length_scale\": 1, \"simulate\": {\"signals\": [\"all\"], \"end\": 1}, "
              "\"bodies\": [");
    for (int i = 0; i < BODIES; i++) {
        snprintf(piece, sizeof piece,
                 "%s{\"name\": \"b%d\", \"type\": \"point\", \"mass\": 1, \"position\":[%.17g,%.17g]}",
                 i ? ", " : "", i, want[2 * i], want[2 * i + 1]);
        add_piece(&json, piece);
    }
    add_piece(&json, "]}");
    hol_draft *j = made(hol_draft_parse(ctx, "json", json.text, json.n));
    check_numbers(hol_draft_compile(j), want);
    free(json.text);
    hol_draft_destroy(j);
    hol_draft_destroy(d);
}

static const char *const strange_texts[] = {"",
                                            " ",
                                            "a b",
                                            " a",
                                            "a ",
                                            "a: b",
                                            "a:",
                                            ":a",
                                            "a:b",
                                            "#a",
                                            "a #b",
                                            "a#b",
                                            "- a",
                                            "-",
                                            "-a",
                                            "--- a",
                                            "...",
                                            "?",
                                            "? a",
                                            "a?b",
                                            "!a",
                                            "&a",
                                            "*a",
                                            "a*b",
                                            "|",
                                            ">",
                                            "%a",
                                            "@a",
                                            "`a",
                                            "'",
                                            "don't",
                                            "\"",
                                            "a\"b",
                                            "\\",
                                            "a\\n",
                                            "\n",
                                            "a\nb",
                                            "a\n",
                                            "\t",
                                            "a\tb",
                                            "\r",
                                            "a\r\nb",
                                            "{",
                                            "}",
                                            "{}",
                                            "[]",
                                            "[a",
                                            "a]",
                                            "a, b",
                                            "a,b",
                                            ",",
                                            "a{i}",
                                            "a{i}.b{j+1}",
                                            "a{i",
                                            "a}",
                                            "{i}",
                                            "a{b: c}",
                                            "a{\"b\"}",
                                            "a{'b'}",
                                            "a {b}",
                                            "max(1, 2)",
                                            "max(1",
                                            "2)",
                                            "1 2",
                                            "0 -9.81",
                                            "0x1F 2",
                                            "1e-3",
                                            "1",
                                            "-0",
                                            "1,5",
                                            "~",
                                            "null",
                                            "yes",
                                            "<<",
                                            "=",
                                            "\xc2\x85",
                                            "a\xc2\x85"
                                            "b",
                                            "\xe2\x80\xa8",
                                            "\xc3\xa4",
                                            "\xf0\x9f\x9a\xb2",
                                            "\xc2\xa0",
                                            "if(a: b, c)",
                                            "10 N/mm",
                                            "{a: 1}",
                                            "a.b",
                                            "a..b",
                                            "// x",
                                            "a very long text with commas, colons: and brackets (which are "
                                            "closed), that is longer than a line of the file would be wide"};

// What a draft says: its texts, where they stand.
static void expect_texts(const hol_item *root)
{
    const hol_item *map = made(hol_item_get(root, "map")), *keys = made(hol_item_get(root, "keys")),
                   *list = made(hol_item_get(root, "list")), *lists = made(hol_item_get(root, "lists"));
    for (int i = 0; i < HOL_COUNT(strange_texts); i++) {
        char key[20];
        const char *want = strange_texts[i];
        snprintf(key, sizeof key, "k%d", i);
        assert_string_equal(hol_item_as_text(hol_item_get(map, key)), want);
        assert_string_equal(hol_item_as_text(hol_item_at(list, i)), want);
        assert_string_equal(hol_item_as_text(hol_item_at(hol_item_at(lists, i), 0)), want);
        assert_string_equal(hol_item_as_text(hol_item_get(hol_item_at(hol_item_at(lists, i), 1), "a")), want);
        assert_int_equal(hol_item_kind_of(hol_item_at(list, i)), HOL_ITEM_TEXT);
        if (*want) assert_string_equal(hol_item_as_text(hol_item_get(keys, want)), key);
    }
}

static void texts_are_kept(void **state)
{
    (void)state;
    hol_draft *d = made(hol_draft_create(ctx, NULL, 2));
    hol_item *root = hol_draft_root(d), *map = hol_item_map(root, "map"), *keys = hol_item_map(root, "keys"),
             *list = hol_item_list(root, "list"), *lists = hol_item_list(root, "lists");
    for (int i = 0; i < HOL_COUNT(strange_texts); i++) {
        char key[20];
        snprintf(key, sizeof key, "k%d", i);
        ok(hol_item_text(map, key, strange_texts[i]));
        ok(hol_item_text(list, NULL, strange_texts[i]));
        if (*strange_texts[i]) ok(hol_item_text(keys, strange_texts[i], key));
        hol_item *inner = made(hol_item_list(lists, NULL));
        ok(hol_item_text(inner, NULL, strange_texts[i]));
        ok(hol_item_text(made(hol_item_map(inner, NULL)), "a", strange_texts[i]));
        ok(hol_item_text(hol_item_at(inner, 1), "b", "1"));
    }
    expect_texts(root);
    char *t = printed(d);
    hol_draft *again = made(hol_draft_parse(ctx, "again", t, strlen(t)));
    expect_texts(hol_draft_root(again));
    same_text("strange texts", t, printed(again));
    hol_draft_destroy(again);
    hol_draft_destroy(d);
}

static void a_written_draft_is_a_file_for_people(void **state)
{
    static const char want[] =
        "title: pendulum\n"
        "dimension: 2\n"
        "gravity: [0, -9.81]\n"
        "\n"
        "bodies:\n"
        "  - name: rod\n"
        "    mass: 1.2\n"
        "    inertia: 1e5 g cm^2\n"
        "    position: [500 mm, \"0\"]\n"
        "    markers: {hinge: [-0.5, 0]}\n"
        "    description: a text so long that this body does not fit into one line of its file\n"
        "\n"
        "joints:\n"
        "  - {name: pin, type: revolute, between: [ground: [0, 0], rod.hinge]}\n"
        "\n"
        "simulate:\n"
        "  end: 1\n"
        "  method: rk\n"
        "  x: [1000000, 1010101, 1020202, 1030303, 1040404, 1050505, 1060606, 1070707, 1080808, 1090909,\n"
        "    1101010, 1111111]\n"
        "  y:\n"
        "    - [0, 0.1]\n"
        "    - [1, 0.1]\n"
        "    - []\n"
        "    - {}\n"
        "    -\n"
        "      - a text so long that it needs a line of its own, and the map that stands beside it another "
        "one\n"
        "      - a: b\n";
    (void)state;
    double x[12], row[] = {0, 0.1};
    hol_draft *d = pendulum();
    ok(hol_item_text(hol_item_find(hol_draft_root(d), "bodies.rod"), "description",
                     "a text so long that this body does not fit into one line of its file"));
    hol_item *run = hol_item_find(hol_draft_root(d), "simulate");
    for (int i = 0; i < 12; i++) x[i] = 1000000 + 10101 * i;
    ok(hol_item_numbers(run, "x", 12, x));
    hol_item *y = hol_item_list(run, "y");
    for (; row[0] < 2; row[0]++) ok(hol_item_numbers(y, NULL, 2, row));
    ok(hol_item_numbers(y, NULL, 0, NULL));
    made(hol_item_map(y, NULL));
    hol_item *last = made(hol_item_list(y, NULL));
    ok(hol_item_text(
        last, NULL,
        "a text so long that it needs a line of its own, and the map that stands beside it another one"));
    ok(hol_item_text(made(hol_item_map(last, NULL)), "a", "b"));
    pieces expected = {0};
    add_piece(&expected, want);
    same_text("layout", expected.text, printed(d));
    hol_draft_destroy(d);
}

// ---- changing -------------------------------------------------------------------------------------------------

// Place of the pendulum after a fifth of a second, from its model.
static double place(hol_model *model)
{
    bool done = false;
    hol_simulation *sim = made(hol_simulation_create(ctx, made(model)));
    while (!done && hol_simulation_time(sim) < 0.2) ok(hol_simulation_step(sim, &done));
    const double x = signal_value(sim, "rod.x");
    hol_simulation_destroy(sim);
    return x;
}

static void a_draft_is_compiled_many_times(void **state)
{
    (void)state;
    hol_draft *d = pendulum();
    hol_item *rod = hol_item_find(hol_draft_root(d), "bodies.rod");
    hol_model *model[20];
    double first = 0;
    for (int i = 0; i < HOL_COUNT(model); i++) {
        ok(hol_item_number(rod, "omega", 0.1 * i));
        ok(hol_item_numbers(hol_draft_root(d), "gravity", 2, (const double[]){0, -9.81 - i}));
        model[i] = made(hol_draft_compile(d));
        if (i == 0) first = place(model[0]);
    }
    hol_draft_destroy(d);
    assert_true(place(model[0]) == first); // models live on, and are what they were
    for (int i = 1; i < HOL_COUNT(model); i++) {
        char set[2][60];
        const char *const both[] = {set[0], set[1]};
        snprintf(set[0], sizeof set[0], "bodies.rod.omega=%.17g", 0.1 * i);
        snprintf(set[1], sizeof set[1], "gravity=[0,%.17g]", -9.81 - i);
        d = pendulum();
        ok(hol_draft_write(d, file));
        hol_draft_destroy(d);
        hol_model *loaded = made(hol_model_load(ctx, file, both, 2));
        assert_true(place(model[i]) == place(loaded));
        hol_model_destroy(loaded);
    }
    for (int i = 0; i < HOL_COUNT(model); i++) hol_model_destroy(model[i]);
}

static void items_stay_the_same_ones(void **state)
{
    (void)state;
    hol_draft *d = pendulum();
    hol_item *root = hol_draft_root(d), *rod = hol_item_find(root, "bodies[0]"),
             *mass = hol_item_get(rod, "mass");
    assert_ptr_equal(hol_item_map(root, "simulate"), hol_item_find(root, "simulate"));
    assert_ptr_equal(hol_item_list(root, "bodies"), hol_item_parent(rod));
    ok(hol_item_text(rod, "mass", "2 kg"));
    assert_ptr_equal(hol_item_get(rod, "mass"), mass);
    ok(hol_item_numbers(rod, "mass", 2, (const double[]){1, 2}));
    assert_ptr_equal(hol_item_get(rod, "mass"), mass);
    assert_int_equal(hol_item_kind_of(mass), HOL_ITEM_LIST);
    ok(hol_draft_set(d, "bodies.rod.mass=3"));
    assert_ptr_equal(hol_item_get(rod, "mass"), mass);
    assert_int_equal(hol_item_kind_of(mass), HOL_ITEM_NUMBER);
    ok(hol_item_rename(mass, "weight"));
    assert_ptr_equal(hol_item_get(rod, "weight"), mass);
    assert_null(hol_item_get(rod, "mass"));
    ok(hol_item_move(mass, 0));
    assert_string_equal(hol_item_key(rod, 0), "weight");
    assert_ptr_equal(hol_item_at(rod, 0), mass);
    ok(hol_item_move(mass, hol_item_count(rod) - 1));
    assert_ptr_equal(hol_item_at(rod, hol_item_count(rod) - 1), mass);
    ok(hol_item_remove(mass));
    assert_null(hol_item_get(rod, "weight"));
    assert_string_equal(hol_item_as_text(mass), "3");
    assert_null(hol_item_parent(mass));
    hol_draft_destroy(d);
}

// A list may be given from its own texts.
static void texts_of_the_draft_may_be_given_to_it(void **state)
{
    (void)state;
    hol_draft *d = pendulum();
    hol_item *list = hol_item_list(hol_draft_root(d), "list");
    ok(hol_item_text(list, NULL, "a"));
    ok(hol_item_text(list, NULL, "b"));
    const char *const swapped[] = {hol_item_as_text(hol_item_at(list, 1)),
                                   hol_item_as_text(hol_item_at(list, 0))};
    ok(hol_item_texts(hol_draft_root(d), "list", 2, swapped));
    assert_string_equal(hol_item_as_text(hol_item_find(list, "[0]")), "b");
    assert_string_equal(hol_item_as_text(hol_item_find(list, "[1]")), "a");
    ok(hol_item_text(list, "[0]", hol_item_as_text(hol_item_at(list, 0))));
    assert_string_equal(hol_item_as_text(hol_item_find(list, "[0]")), "b");
    hol_draft_destroy(d);
}

enum { KEYS = 3000 };

// Maps of thousands of keys: found, moved, renamed, removed.
static void large_maps_are_searched_by_an_index(void **state)
{
    char key[20];
    (void)state;
    hol_draft *d = made(hol_draft_create(ctx, NULL, 2));
    hol_item *map = hol_item_map(hol_draft_root(d), "parameters");
    for (int i = 0; i < KEYS; i++) {
        snprintf(key, sizeof key, "p%d", i);
        ok(hol_item_number(map, key, i));
    }
    for (int i = 0; i < KEYS; i += 3) {
        snprintf(key, sizeof key, "p%d", i);
        ok(hol_item_remove(hol_item_get(map, key)));
        snprintf(key, sizeof key, "p%d", i + 1);
        hol_item *next = hol_item_get(map, key);
        snprintf(key, sizeof key, "q%d", i + 1);
        ok(hol_item_rename(next, key));
    }
    for (int i = 0; i < 10; i++) {
        snprintf(key, sizeof key, "r%d", i);
        ok(hol_item_number(map, key, -i));
    }
    assert_int_equal(hol_item_count(map), 2 * KEYS / 3 + 10);
    for (int i = 0; i < hol_item_count(map); i++)
        assert_ptr_equal(hol_item_get(map, hol_item_key(map, i)), hol_item_at(map, i));
    hol_draft_destroy(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_models_are_rebuilt_bit_for_bit),
        cmocka_unit_test(numbers_are_kept_to_the_last_bit),
        cmocka_unit_test(texts_are_kept),
        cmocka_unit_test(a_written_draft_is_a_file_for_people),
        cmocka_unit_test(a_draft_is_compiled_many_times),
        cmocka_unit_test(items_stay_the_same_ones),
        cmocka_unit_test(texts_of_the_draft_may_be_given_to_it),
        cmocka_unit_test(large_maps_are_searched_by_an_index),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
