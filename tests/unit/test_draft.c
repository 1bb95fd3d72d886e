// Models made, read, edited and written by a program: they are those of their files, bit for bit.
#include "harness.h"
#include "holonom_draft.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/holonom_draft_XXXXXX";
static char file[80]; // in it

static int make_folder(void **state)
{
    if (start(state) || !mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/a.yaml", folder);
    return 0;
}

static int remove_folder(void **state)
{
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) || stop(state);
}

static void ok(hol_status st)
{
    if (st) fail_msg("status %d: %s", (int)st, hol_context_error(ctx));
}

static void *made(void *p)
{
    if (!p) fail_msg("%s", hol_context_error(ctx));
    return p;
}

typedef struct {
    char *text;
    size_t n;
} text;

static void add(void *user, const char *piece)
{
    text *t = user;
    const size_t n = strlen(piece);
    t->text = realloc(t->text, t->n + n + 1);
    memcpy(t->text + t->n, piece, n + 1);
    t->n += n;
}

static char *printed(hol_draft *d)
{
    text t = {0};
    ok(hol_draft_print(d, add, &t));
    return t.text;
}

static void same_text(const char *what, char *a, char *b)
{
    size_t n = 0;
    while (a[n] && a[n] == b[n]) n++;
    if (a[n] || b[n]) fail_msg("%s: texts differ at byte %zu: \"%.80s\", \"%.80s\"", what, n, a + n, b + n);
    free(a);
    free(b);
}

// ---- models ---------------------------------------------------------------------------------------------------

enum { STEPS = 4, MOST_VALUES = 1 << 16 };

// What a model does in its first steps, and its hashes.
typedef struct {
    int n;
    double value[MOST_VALUES];
    char hash[60];
} behaviour;

static void behave(hol_model *model, behaviour *out)
{
    char csv[90];
    bool done = false;
    snprintf(csv, sizeof csv, "%s/out.csv", folder);
    hol_simulation *sim = made(hol_simulation_create(ctx, made(model)));
    ok(hol_simulation_write(sim, csv));
    out->n = 0;
    for (int k = 0; k < STEPS && !done; k++) {
        ok(hol_simulation_step(sim, &done));
        const int n = hol_simulation_signals(sim);
        assert_true(n > 0 && out->n + n <= MOST_VALUES);
        memcpy(out->value + out->n, made((void *)hol_simulation_values(sim)), (size_t)n * sizeof(double));
        out->n += n;
    }
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    hol_result *result = made(hol_result_read(ctx, csv));
    snprintf(out->hash, sizeof out->hash, "%s", hol_result_note(result, "model_hash"));
    hol_result_destroy(result);
    remove(csv);
}

static void same_behaviour(const char *what, const behaviour *a, hol_model *model, bool hash)
{
    static behaviour b;
    behave(model, &b);
    if (a->n != b.n) fail_msg("%s: %d values, %d", what, a->n, b.n);
    for (int i = 0; i < a->n; i++)
        if (memcmp(&a->value[i], &b.value[i], sizeof(double)) != 0)
            fail_msg("%s: value %d is %.17g, %.17g", what, i, a->value[i], b.value[i]);
    if (hash) assert_string_equal(a->hash, b.hash);
}

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

// The same model comes out of the draft, of the file it writes, and of what that file is written as again.
static void check_draft(const char *what, hol_draft *d, const behaviour *want, bool hash)
{
    same_behaviour(what, want, hol_draft_compile(d), hash);
    ok(hol_draft_write(d, file));
    same_behaviour(what, want, hol_model_load(ctx, file, NULL, 0), hash);
    hol_draft *again = made(hol_draft_read(ctx, file));
    char *one = printed(d), *other = printed(again);
    if (strstr(one, "file: ")) { // names of files are told from where it lies
        free(one);
        free(other);
    } else
        same_text(what, one, other);
    same_behaviour(what, want, hol_draft_compile(again), hash);
    hol_draft_destroy(again);
    hol_draft_destroy(d);
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
    text json = {0};
    char piece[200];
    add(&json, "{\"dimension\": 2, \"length_scale\": 1, \"simulate\": {\"signals\": [\"all\"], \"end\": 1}, "
               "\"bodies\": [");
    for (int i = 0; i < BODIES; i++) {
        snprintf(piece, sizeof piece,
                 "%s{\"name\": \"b%d\", \"type\": \"point\", \"mass\": 1, \"position\":[%.17g,%.17g]}",
                 i ? ", " : "", i, want[2 * i], want[2 * i + 1]);
        add(&json, piece);
    }
    add(&json, "]}");
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

// A pendulum as a program makes it.
static hol_draft *pendulum(void)
{
    const double tip[] = {-0.5, 0}, gravity[] = {0, -9.81};
    hol_draft *d = made(hol_draft_create(ctx, "pendulum", 2));
    hol_item *root = hol_draft_root(d);
    ok(hol_item_numbers(root, "gravity", 2, gravity));
    hol_item *rod = made(hol_draft_add(d, "bodies"));
    ok(hol_item_text(rod, "name", "rod"));
    ok(hol_item_number(rod, "mass", 1.2));
    ok(hol_item_text(rod, "inertia", "1e5 g cm^2"));
    ok(hol_item_text(rod, "position", "0"));
    ok(hol_item_texts(rod, "position", 2, (const char *const[]){"500 mm", "0"}));
    ok(hol_item_numbers(made(hol_item_map(rod, "markers")), "hinge", 2, tip));
    hol_item *pin = made(hol_draft_add(d, "joints"));
    ok(hol_item_text(pin, "name", "pin"));
    ok(hol_item_text(pin, "type", "revolute"));
    hol_item *ends = made(hol_item_list(pin, "between"));
    ok(hol_item_numbers(made(hol_item_map(ends, NULL)), "ground", 2, (const double[]){0, 0}));
    ok(hol_item_text(ends, NULL, "rod.hinge"));
    hol_item *run = made(hol_item_map(root, "simulate"));
    ok(hol_item_number(run, "end", 1));
    ok(hol_item_text(run, "method", "rk"));
    ok(hol_item_flag(made(hol_item_map(run, "srm")), "project", false));
    ok(hol_item_remove(hol_item_get(run, "srm")));
    return d;
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
    text expected = {0};
    add(&expected, want);
    same_text("layout", expected.text, printed(d));
    hol_draft_destroy(d);
}

// ---- messages -------------------------------------------------------------------------------------------------

// What is set at a path of the pendulum, and what its compilation says.
static void values_made_here_are_named_by_their_path(void **state)
{
    static const struct {
        const char *item, *key, *value, *message;
    } row[] = {
        {"bodies.rod", "mass", "-1", "pendulum: error: bodies[0] rod.mass: -1, must be at least 0"},
        {"bodies.rod", "maas", "1",
         "pendulum: error: bodies[0] rod.maas: unknown key \"maas\"; did you mean \"mass\"?"},
        {"bodies.rod", "mass", "2*foo", "pendulum: error: bodies[0] rod.mass: unknown name \"foo\""},
        {"bodies.rod.position", "[1]", "q", "pendulum: error: bodies[0] rod.position[1]: unknown name \"q\""},
        {"bodies.rod.markers", "hinge", "7", "pendulum: error: bodies[0] rod.markers.hinge: "},
        {"joints.pin", "type", "revolut",
         "pendulum: error: joints[0] pin.type: there is no joint type \"revolut\""},
        {"joints.pin.between", "[1]", "rod.hing",
         "pendulum: error: joints[0] pin.between[1]: body \"rod\" has no marker"},
        {"joints.pin.between", "[0]", "rod",
         "pendulum: error: joints[0] pin.between[1]: both ends are on the same body"},
        {"joints.pin", "name", "rod",
         "pendulum: error: joints[0] rod.name: the name is taken by bodies.rod in bodies[0] rod;"},
        {"simulate", "method", "rkk",
         "pendulum: error: simulate.method: there is no method \"rkk\"; did you mean \"rk\"?"},
        {"", "include", "nowhere.yaml", "pendulum: error: include: the file \"nowhere.yaml\" cannot be read"},
        {"", "joint", "1", "pendulum: error: joint: unknown key \"joint\""},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(row); i++) {
        hol_draft *d = pendulum();
        ok(hol_item_text(made(hol_item_find(hol_draft_root(d), row[i].item)), row[i].key, row[i].value));
        if (hol_draft_compile(d)) fail_msg("%s.%s: %s is taken", row[i].item, row[i].key, row[i].value);
        assert_int_equal(hol_context_status(ctx), HOL_ERR_MODEL);
        if (strncmp(hol_context_error(ctx), row[i].message, strlen(row[i].message)) != 0)
            fail_msg("\"%s\", wanted is \"%s\"", hol_context_error(ctx), row[i].message);
        hol_draft_destroy(d);
    }
}

static void two_items_of_one_name_are_told_apart(void **state)
{
    (void)state;
    hol_draft *d = pendulum();
    hol_item *rod = hol_item_find(hol_draft_root(d), "bodies.rod");
    made(hol_item_copy(hol_item_parent(rod), NULL, rod));
    assert_null(hol_draft_compile(d));
    expect_message(
        "bodies[1] rod.name: the name is given twice, first in bodies[0] rod.name; rename one of them");
    ok(hol_item_text(rod, "for", "i in 0..1"));
    ok(hol_item_remove(hol_item_find(hol_draft_root(d), "bodies[1]")));
    assert_null(hol_draft_compile(d));
    expect_message("bodies[0] rod.name: the name is the same for all values of the loop index");
    hol_draft_destroy(d);
}

static const char lines[] = "dimension: 2\n"
                            "gravity: [0, -9.81]\n"
                            "bodies:\n"
                            "  - name: rod\n"
                            "    mass: -1\n"
                            "    inertia: 0.1\n"
                            "joints: [{name: pin, type: revolute, between: [ground, rod]}]\n"
                            "simulate: {end: 1}\n";

// What stands in the text has its line, also when others have changed; what is set has its path.
static void places_in_a_text_are_kept(void **state)
{
    (void)state;
    hol_draft *d = made(hol_draft_parse(ctx, "lines.yaml", lines, strlen(lines)));
    hol_item *rod = hol_item_find(hol_draft_root(d), "bodies.rod");
    assert_null(hol_draft_compile(d));
    expect_message("lines.yaml:5:11: error: bodies[0] rod.mass: -1, must be at least 0");
    ok(hol_item_number(rod, "mass", 1));
    ok(hol_item_number(rod, "inertia", -1));
    assert_null(hol_draft_compile(d));
    expect_message("lines.yaml: error: bodies[0] rod.inertia: -1");
    ok(hol_item_remove(hol_item_get(rod, "inertia")));
    assert_null(hol_draft_compile(d));
    expect_message("lines.yaml:4:5: error: bodies[0] rod: \"inertia\" is missing");
    ok(hol_item_number(rod, "inertia", 1));
    ok(hol_item_text(rod, "name", "pole"));
    assert_null(hol_draft_compile(d));
    expect_message("lines.yaml:7:56: error: joints.pin");
    hol_draft_destroy(d);
    assert_null(hol_draft_parse(ctx, "lines.yaml", "a: [", 4));
    expect_message("lines.yaml:2:1: error: ");
    assert_null(hol_draft_parse(ctx, "lines.yaml", "[1]", 3));
    expect_message("lines.yaml:1:1: error: a model file is a map");
    assert_null(hol_draft_read(ctx, "nowhere.yaml"));
    expect_message("nowhere.yaml: error: the file cannot be read: ");
}

static void tell(void *user, hol_severity severity, const char *what)
{
    (void)severity;
    add(user, what);
    add(user, "\n");
}

// Warnings say their places, each of them once.
static void warnings_have_paths(void **state)
{
    text said = {0};
    (void)state;
    hol_draft *d = pendulum();
    hol_item *rod = hol_item_find(hol_draft_root(d), "bodies.rod");
    ok(hol_item_number(rod, "angle", 90));
    hol_item *force = made(hol_draft_add(d, "forces"));
    ok(hol_item_text(force, "name", "push"));
    ok(hol_item_text(force, "type", "torque"));
    ok(hol_item_text(force, "on", "rod"));
    ok(hol_item_text(force, "value", "if(AZ(rod): -1, 0, 1)"));
    hol_context_set_log(ctx, tell, &said);
    hol_model *model = made(hol_draft_compile(d));
    hol_check *check = made(hol_check_create(ctx, model));
    assert_int_equal(check->n_kinks, 1);
    assert_string_equal(check->kink[0], "if in push, forces[0] push.value");
    bool angle = false;
    for (int i = 0; i < check->n_warnings; i++)
        angle = angle || strstr(check->warning[i].text, "bodies[0] rod.angle: an angle of 90 is in radians");
    assert_true(angle);
    hol_check_destroy(check);
    hol_model_destroy(model);
    ok(hol_draft_set(d, "units.length=mm"));
    ok(hol_item_text(made(hol_draft_add(d, "variables")), "name", "v"));
    ok(hol_item_text(hol_item_find(hol_draft_root(d), "variables[0]"), "value", "1 + AZ(rod)"));
    hol_model_destroy(made(hol_draft_compile(d)));
    hol_context_set_log(ctx, NULL, NULL);
    assert_non_null(strstr(said.text, "pendulum: gravity: gravity is 0.00981 m/s^2"));
    assert_non_null(strstr(said.text, "pendulum: units: no unit of force is given"));
    free(said.text);
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

static void paths_are_those_of_set(void **state)
{
    (void)state;
    char place[100];
    hol_draft *d = made(hol_draft_read(ctx, "models/four_bar.yaml"));
    hol_item *root = hol_draft_root(d), *tip = hol_item_find(root, "bodies.crank{i}.markers.tip");
    assert_int_equal(hol_item_count(tip), 2);
    assert_ptr_equal(hol_item_find(root, "bodies[0].markers.tip"), tip);
    assert_ptr_equal(hol_item_find(root, "bodies[0].markers.tip[1]"), hol_item_at(tip, 1));
    assert_ptr_equal(hol_item_find(tip, "[1]"), hol_item_at(tip, 1));
    hol_item_where(tip, place, sizeof place);
    assert_string_equal(place, "bodies[0] crank{i}.markers.tip");
    hol_item_where(root, place, sizeof place);
    assert_string_equal(place, "");
    hol_item_where(tip, place, 4);
    assert_string_equal(place, "bod");
    static const char *const absent[] = {
        "bodies.crank", "bodies[2]",     "bodies[0]x", "bodies[-1]", "bodies[0", "title.x",
        "title[0]",     "gravity[0][0]", "a",          "bodies.",    ".bodies",  "[0]"};
    for (int i = 0; i < HOL_COUNT(absent); i++)
        if (hol_item_find(root, absent[i]) && i != 9) fail_msg("%s is there", absent[i]);
    static const char *const set[] = {
        "parameters.N=3", "tolerance=1e-5", "bodies.crank{i}.mass=2*m", "bodies[1].mass=3",
        "gravity=[0,-1]", "srm.project=no", "simulate.step=1e-3",       "simulate.tolerance=1e-4"};
    static behaviour want;
    for (int i = 0; i < HOL_COUNT(set); i++) ok(hol_draft_set(d, set[i]));
    assert_null(hol_item_find(root, "simulate.step")); // the tolerance has taken its place
    behave(hol_model_load(ctx, "models/four_bar.yaml",
                          (const char *const[]){set[0], set[2], set[3], set[4], set[5], set[7]}, 6),
           &want);
    check_draft("set", d, &want, true);
}

// ---- files ----------------------------------------------------------------------------------------------------

static void make_file(const char *name, const char *what)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(what, f);
    fclose(f);
}

static void make_folders(const char *name)
{
    char command[200];
    snprintf(command, sizeof command, "mkdir -p %s/%s", folder, name);
    assert_int_equal(system(command), 0);
}

static const char parts[] =
    "bodies: [{name: rod, mass: 1, inertia: 0.1, markers: {tip: [L, 0]}, shape: {type: mesh, file: "
    "meshes/rod.stl}}]\nparameters: {L: 0.5}\n"
    "splines: [{name: table, file: table.csv}]\n";
static const char whole[] =
    "dimension: 2\ngravity: [0, -9.81]\ninclude: sub/parts.yaml\n"
    "joints: [{name: pin, type: revolute, between: [ground, rod.tip]}]\n"
    "splines: [{name: load, file: load.csv}]\n"
    "forces: [{name: f, type: torque, on: rod, value: \"spline(time, load) + spline(time, table)\"}]\n"
    "code: [{name: wave, library: code.so, inputs: [time], outputs: [w], parameters: [1]}]\n"
    "variables: [{name: shown, value: w}]\n"
    "simulate: {end: 1, signals: [all]}\n";

// A shared object of tests/user_code beside the model.
static void link_code(void)
{
    char program[2000], command[4500];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_true(n > 0);
    program[n] = 0;
    *strrchr(program, '/') = 0;
    snprintf(command, sizeof command, "ln -s %s/../user_code/trouble.so %s/home/code.so", program, folder);
    assert_int_equal(system(command), 0);
}

// Files of a draft, in its folder and below it: the model reads them, and so does that of a copy in any other folder.
static void files_are_found_from_every_folder(void **state)
{
    static behaviour want;
    static const char *const reads[] = {"home/main.yaml",     "home/sub/parts.yaml",     "home/load.csv",
                                        "home/sub/table.csv", "home/sub/meshes/rod.stl", "home/code.so"};
    static const char *const copies[] = {"home/main.yaml", "home/copy.yaml", "home/sub/copy.yaml",
                                         "copy.yaml", "far/away/copy.yaml"};
    char path[300], here[4000];
    (void)state;
    make_folders("home/sub/meshes");
    make_folders("far/away");
    make_file("home/sub/parts.yaml", parts);
    make_file("home/sub/table.csv", "0, 0\n1, 1\n2, 4\n");
    make_file("home/sub/meshes/rod.stl", "solid\nendsolid\n");
    make_file("home/load.csv", "0, 1\n1, 1\n2, 3\n");
    make_file("home/main.yaml", whole);
    link_code();
    snprintf(path, sizeof path, "%s/home/main.yaml", folder);
    behave(hol_model_load(ctx, path, NULL, 0), &want);
    hol_draft *d = made(hol_draft_read(ctx, path));
    for (int i = 0; i < HOL_COUNT(copies); i++) {
        const char *name = copies[i];
        snprintf(path, sizeof path, "%s/%s", folder, name);
        ok(hol_draft_write(d, path));
        hol_model *model = made(hol_model_load(ctx, path, NULL, 0));
        for (int k = 1; k < HOL_COUNT(reads); k++) {
            snprintf(path, sizeof path, "%s/%s", folder, reads[k]);
            if (hol_model_keep(ctx, model, path) != HOL_ERR_USAGE)
                fail_msg("%s does not read %s", name, reads[k]);
        }
        same_behaviour(name, &want, model, false);
    }
    same_behaviour("draft", &want, hol_draft_compile(d), true);
    for (int k = 1; k < HOL_COUNT(reads); k++) { // what it reads is not overwritten
        const bool own = strncmp(reads[k], "home/sub/", 9) != 0 || strstr(reads[k], "parts");
        snprintf(path, sizeof path, "%s/%s", folder, reads[k]);
        if (!own) continue;
        assert_int_equal(hol_draft_write(d, path), HOL_ERR_USAGE);
        expect_message("is read by the draft");
    }
    // the same from within the folder
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    hol_draft *inside = hol_draft_read(ctx, "home/main.yaml");
    const hol_status st = hol_draft_write(inside, "far/inside.yaml");
    hol_model *model = hol_model_load(ctx, "far/inside.yaml", NULL, 0);
    assert_int_equal(chdir(here), 0);
    ok(st);
    hol_model_destroy(made(model));
    hol_draft_destroy(inside);
    hol_draft_destroy(d);
}

// A draft of a program is in the current folder.
static void files_of_a_new_draft_are_in_the_current_folder(void **state)
{
    static behaviour want;
    (void)state;
    hol_draft *d = made(hol_draft_create(ctx, "a/b", 3));
    ok(hol_item_text(hol_draft_root(d), "include", "models/chain3d.yaml"));
    ok(hol_draft_set(d, "simulate.signals=[all]"));
    behave(hol_draft_compile(d), &want);
    ok(hol_draft_write(d, file));
    same_behaviour("include", &want, hol_model_load(ctx, file, NULL, 0), true);
    hol_draft_destroy(d);
}

static void what_is_included_is_set_where_the_draft_can(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/home/main.yaml", folder);
    hol_draft *d = made(hol_draft_read(ctx, path));
    ok(hol_draft_set(d, "parameters.L=0.25"));
    assert_string_equal(hol_item_as_text(hol_item_find(hol_draft_root(d), "parameters.L")), "0.25");
    hol_model_destroy(made(hol_draft_compile(d)));
    assert_int_equal(hol_draft_set(d, "parameters.M=1"), HOL_ERR_USAGE);
    expect_message("the model has no parameter \"M\"");
    assert_int_equal(hol_draft_set(d, "bodies.rod.mass=2"), HOL_ERR_USAGE);
    expect_message("this stands in an included file");
    assert_int_equal(hol_draft_status(d), HOL_ERR_USAGE);
    ok(hol_draft_set(d, "joints.pin.type=fixed"));
    hol_model_destroy(made(hol_draft_compile(d)));
    hol_draft_destroy(d);
}

static void results_hold_the_draft(void **state)
{
    static const char *const name[] = {"result.csv", "result.nc"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(name); i++) {
        char path[100];
        static behaviour want;
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        hol_draft *d = pendulum();
        ok(hol_draft_set(d, "simulate.signals=[all]"));
        hol_model *model = made(hol_draft_compile(d));
        hol_simulation *sim = made(hol_simulation_create(ctx, model));
        ok(hol_simulation_write(sim, path));
        ok(hol_simulation_run(sim));
        hol_simulation_destroy(sim);
        behave(model, &want);
        hol_result *result = made(hol_result_read(ctx, path));
        assert_string_equal(result->title, "pendulum");
        assert_string_equal(hol_result_note(result, "model_file"), "pendulum");
        text own = {0};
        add(&own, hol_result_note(result, "model_text"));
        same_text(name[i], own.text, printed(d));
        same_behaviour(name[i], &want, hol_result_model(ctx, result), true);
        hol_result_destroy(result);
        hol_draft_destroy(d);
        remove(path);
    }
}

// The same of a model that was parsed: no file is needed.
static void results_hold_the_text_of_a_model(void **state)
{
    static const char *const name[] = {"result.csv", "result.nc"};
    static behaviour want;
    (void)state;
    hol_draft *d = pendulum();
    char *own = printed(d), path[100];
    behave(hol_model_parse(ctx, "no such folder/a.yaml", own, strlen(own), NULL, 0), &want);
    for (int i = 0; i < HOL_COUNT(name); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        hol_model *model = made(hol_model_parse(ctx, "no such folder/a.yaml", own, strlen(own), NULL, 0));
        hol_simulation *sim = made(hol_simulation_create(ctx, model));
        ok(hol_simulation_write(sim, path));
        ok(hol_simulation_run(sim));
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
        hol_result *result = made(hol_result_read(ctx, path));
        same_behaviour(name[i], &want, hol_result_model(ctx, result), true);
        hol_result_destroy(result);
        remove(path);
    }
    free(own);
    hol_draft_destroy(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_models_are_rebuilt_bit_for_bit),
        cmocka_unit_test(numbers_are_kept_to_the_last_bit),
        cmocka_unit_test(texts_are_kept),
        cmocka_unit_test(a_written_draft_is_a_file_for_people),
        cmocka_unit_test(values_made_here_are_named_by_their_path),
        cmocka_unit_test(two_items_of_one_name_are_told_apart),
        cmocka_unit_test(places_in_a_text_are_kept),
        cmocka_unit_test(warnings_have_paths),
        cmocka_unit_test(a_draft_is_compiled_many_times),
        cmocka_unit_test(items_stay_the_same_ones),
        cmocka_unit_test(texts_of_the_draft_may_be_given_to_it),
        cmocka_unit_test(large_maps_are_searched_by_an_index),
        cmocka_unit_test(paths_are_those_of_set),
        cmocka_unit_test(files_are_found_from_every_folder),
        cmocka_unit_test(files_of_a_new_draft_are_in_the_current_folder),
        cmocka_unit_test(what_is_included_is_set_where_the_draft_can),
        cmocka_unit_test(results_hold_the_draft),
        cmocka_unit_test(results_hold_the_text_of_a_model),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
