// What tests of drafts share: a folder of their own, the text of a draft, and a pendulum as a program makes it.
#ifndef DRAFT_OF_H
#define DRAFT_OF_H

#include "pieces.h"
#include "harness.h"
#include "holonom_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static char *printed(hol_draft *d)
{
    pieces t = {0};
    ok(hol_draft_print(d, add_piece, &t));
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

// ---- numbers and texts ----------------------------------------------------------------------------------------

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

#endif
