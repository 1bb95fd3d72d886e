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
static char file[80], other[80]; // in it

static int make_folder(void **state)
{
    if (start(state) || !mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/a.yaml", folder);
    snprintf(other, sizeof other, "%s/b.yaml", folder);
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

// HOL_ERR_USAGE with these words; the draft remembers it and forgets it.
static void refused(hol_draft *d, bool failed, const char *words)
{
    const bool said = strstr(hol_context_error(ctx), words);
    if (!failed || hol_context_status(ctx) != HOL_ERR_USAGE || !said)
        fail_msg("%s: \"%s\", wanted is \"%s\"", failed ? "failed" : "taken", hol_context_error(ctx), words);
    assert_null(hol_draft_compile(d));
    assert_non_null(strstr(hol_context_error(ctx), words));
    assert_int_equal(hol_draft_status(d), HOL_ERR_USAGE);
    assert_non_null(strstr(hol_context_error(ctx), words));
    assert_int_equal(hol_draft_status(d), HOL_OK);
    hol_context_clear(ctx);
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
        case HOL_ITEM_TEXT: ok(hol_item_text(to, key, hol_item_as_text(item))); break;
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
    same_text(what, printed(d), printed(again));
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
    int n = 0;
    DIR *models = opendir("models");
    assert_non_null(models);
    for (struct dirent *e; (e = readdir(models));) {
        char path[300];
        if (!strstr(e->d_name, ".yaml")) continue;
        snprintf(path, sizeof path, "models/%s", e->d_name);
        shipped(path);
        n++;
    }
    closedir(models);
    assert_true(n >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_models_are_rebuilt_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
