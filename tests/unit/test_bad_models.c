// Broken models: tests/models_bad/NAME.yaml holds one mistake, its first line the message a user must see:
//     # expect: LINE:COLUMN: TEXT                (in the file itself)
//     # expect: FILE:LINE:COLUMN: TEXT           (in an included one)
// The second test reads the sources of the element and model folders and wants a broken model for each message.
#include "analysis/settings.h"
#include "integrator/integrator.h"
#include "model/model.h"
#include "model/spec.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define FOLDER "tests/models_bad/"
enum { MOST = 2000, LENGTH = 2048, FRAGMENTS = 40 };

// Messages that no model file can cause today.
static const char *const out_of_reach[] = {
    "%s: a model that is no file cannot be read again", // from standard input, by another call

    "a line ends in the name of the model",
    "--set %.*s: a line ends", // tests/cli/told_at_once

    "out of memory",                                              // test_memory.c causes it
    "--set %s: ",                                                 // command line: test_model.c
    "\"%s\" is no key of the file and no option of simulate; %s", // the same
    "the model has more than %d bodies",                          // a limit for fuzzing: fuzz_model.c
    "more than %d turns of loops make nothing",                   // test_model.c
    "include: other files may not be read here",                  // the same
    "include: more than 16 files deep",                           // test_subsystems.c
    "include: more than %d files have",                           // the same
    "other files may not be read here",                           // tables: the same
    "%s: there is no variable or state",                          // the reader knows all names
    "shape: the mesh file \"%s\" cannot be read: assimp is not",  // core_test.py
};

static char *names[MOST], *expected[MOST];
static int n_models;

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Names of the files in a folder that end in `end`, sorted.
static int list_files(const char *folder, const char *end, char *out[], int most)
{
    int n = 0;
    DIR *dir = opendir(folder);
    if (!dir) print_error("%s is not here; run this from the top of the sources\n", folder);
    assert_non_null(dir);
    for (struct dirent *d; (d = readdir(dir));) {
        const size_t length = strlen(d->d_name), tail = strlen(end);
        if (length <= tail || strcmp(d->d_name + length - tail, end) != 0) continue;
        assert_true(n < most);
        out[n] = malloc(length + 1);
        assert_non_null(out[n]);
        memcpy(out[n++], d->d_name, length + 1);
    }
    closedir(dir);
    qsort(out, (size_t)n, sizeof *out, by_name);
    return n;
}

static char *read_whole(const char *path)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    const size_t n = fread(text, 1, (1 << 20) - 1, in);
    assert_true(n < (1 << 20) - 1);
    fclose(in);
    return text;
}

static int start(void **state)
{
    (void)state;
    n_models = list_files(FOLDER, ".yaml", names, MOST);
    for (int i = 0; i < n_models; i++) {
        char path[400];
        snprintf(path, sizeof path, FOLDER "%s", names[i]);
        expected[i] = read_whole(path);
        char *end = strchr(expected[i], '\n');
        if (end) *end = 0;
    }
    return 0;
}

static int stop(void **state)
{
    (void)state;
    for (int i = 0; i < n_models; i++) {
        free(names[i]);
        free(expected[i]);
    }
    return 0;
}

// ---- the messages ---------------------------------------------------------------------------------------------

// "tests/models_bad/NAME:7:11: error: text" as written in the first line of NAME.
static void shorten(const char *message, const char *name, char out[LENGTH])
{
    const char *at = strncmp(message, FOLDER, strlen(FOLDER)) == 0 ? message + strlen(FOLDER) : message;
    const size_t n = strlen(name);
    if (strncmp(at, name, n) == 0 && at[n] == ':') at += n + 1;
    const char *error = strstr(at, ": error: ");
    if (!error)
        snprintf(out, LENGTH, "# expect: %s", at);
    else
        snprintf(out, LENGTH, "# expect: %.*s: %s", (int)(error - at), at, error + strlen(": error: "));
}

static void every_bad_model_is_refused_with_its_message(void **state)
{
    (void)state;
    int wrong = 0;
    assert_true(n_models > 0);
    for (int i = 0; i < n_models; i++) {
        char path[400], message[LENGTH];
        snprintf(path, sizeof path, FOLDER "%s", names[i]);
        hol_context *ctx = hol_context_create();
        assert_non_null(ctx);
        hol_spec *spec = hol_spec_read_file(ctx, path, NULL, 0);
        hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
        shorten(hol_context_error(ctx), names[i], message);
        if (m || strcmp(message, expected[i]) != 0) {
            print_error("%s\n    wants %s\n    gives %s\n", names[i], expected[i], m ? "a model" : message);
            wrong++;
        }
        hol_model_free(m);
        hol_context_destroy(ctx);
    }
    assert_int_equal(wrong, 0);
}

// ---- the sources ----------------------------------------------------------------------------------------------

// The string literal at p, neighbours joined, escapes resolved; returns what follows it.
static const char *literal(const char *p, char out[LENGTH])
{
    size_t n = 0;
    while (*p == '"') {
        for (p++; *p && *p != '"'; p++) {
            if (*p == '\\') p++;
            assert_true(n < LENGTH - 1);
            out[n++] = *p;
        }
        if (*p) p++;
        while (*p == ' ' || *p == '\n') p++;
    }
    out[n] = 0;
    return p;
}

// Could `text` have been printed with `format`? The fixed pieces must occur in their order.
static bool made_by(const char *text, const char *format)
{
    char piece[LENGTH];
    while (*format) {
        size_t n = 0;
        while (*format && *format != '%') piece[n++] = *format++;
        piece[n] = 0;
        text = strstr(text, piece);
        if (!text) return false;
        text += n;
        if (*format == '%') { // a conversion
            format++;
            format += strspn(format, "-+ 0123456789.*");
            if (*format) format++;
        }
    }
    return true;
}

static bool is_caused(const char *format)
{
    for (int i = 0; i < n_models; i++)
        if (made_by(expected[i], format)) return true;
    for (int i = 0; i < HOL_COUNT(out_of_reach); i++)
        if (strncmp(format, out_of_reach[i], strlen(out_of_reach[i])) == 0) return true;
    return false;
}

static int messages_without_model(const char *file)
{
    static const char *const calls[] = {"hol_fail_at(", "hol_read_fail(", "hol_fail(", "refuse("};
    char *text = read_whole(file), format[LENGTH];
    int missing = 0;
    for (int k = 0; k < HOL_COUNT(calls); k++)
        for (const char *p = text; (p = strstr(p, calls[k]));) {
            p += strlen(calls[k]);
            const char *quote = strchr(p, '"'), *end = strchr(p, ';');
            if (!quote || !end || quote > end) continue;
            literal(quote, format);
            if (strcmp(format, "%s") == 0 || strcmp(format, "%s%s%s") == 0 || is_caused(format)) continue;
            print_error("%s: no model in " FOLDER " causes \"%s\"\n", file, format);
            missing++;
        }
    free(text);
    return missing;
}

static void every_message_has_a_bad_model(void **state)
{
    (void)state;
    static const char *const folders[] = {"src/element/", "src/model/"};
    int missing = 0;
    for (int f = 0; f < HOL_COUNT(folders); f++) {
        char *files[200];
        const int n = list_files(folders[f], ".c", files, HOL_COUNT(files));
        for (int i = 0; i < n; i++) {
            char path[400];
            snprintf(path, sizeof path, "%s%s", folders[f], files[i]);
            missing += messages_without_model(path);
            free(files[i]);
        }
    }
    assert_int_equal(missing, 0);
}

// Texts of rules without a model that causes them.
static int rules_without_model(const char *of, const hol_rule *rules)
{
    int missing = 0;
    for (const hol_rule *r = rules; r && r->keys; r++)
        for (int k = 0; k < 2; k++) {
            char format[LENGTH];
            const char *text = k ? r->twice : r->text, *hole = text ? strstr(text, "{type}") : NULL;
            if (!text) continue;
            snprintf(format, sizeof format, "%s", text);
            if (hole) snprintf(format, sizeof format, "%.*s%%s%s", (int)(hole - text), text, hole + 6);
            if (is_caused(format)) continue;
            print_error("%s: no model in " FOLDER " breaks the rule %s: %s\n", of, r->keys, text);
            missing++;
        }
    return missing;
}

static void every_rule_has_a_bad_model(void **state)
{
    (void)state;
    int missing = 0;
    hol_type type;
    for (const hol_object *const *o = hol_objects; *o; o++) {
        missing += rules_without_model((*o)->name, (*o)->rules);
        for (int dimension = 2; dimension <= 3; dimension++)
            for (int i = 0; (*o)->type && (*o)->type(*o, i, dimension, &type); i++)
                missing += rules_without_model(type.name, type.rules);
    }
    assert_int_equal(missing, 0);
}

// ---- expressions without quotes ---------------------------------------------------------------------------------

// A model in which a value stands under a key; the error must say `wanted`.
static int must_say(const char *around, const char *key, const char *value, const char *wanted)
{
    char text[LENGTH];
    const char *slot = strchr(around, '%');
    snprintf(text, sizeof text, "%.*s%s: %s%s\n", (int)(slot - around), around, key, value, slot + 1);
    hol_context *ctx = hol_context_create();
    assert_non_null(ctx);
    hol_spec_destroy(hol_spec_read_text(ctx, "m.yaml", text, strlen(text), NULL, 0));
    const bool said = strstr(hol_context_error(ctx), wanted) != NULL;
    if (!said) print_error("%s    gives %s\n", text, hol_context_error(ctx));
    hol_context_destroy(ctx);
    return !said;
}

// Every key of a table, with what YAML cuts.
static int check_table(const char *around, const hol_option *table)
{
    static const char comma[] = "an expression with commas needs quotes";
    int wrong = 0;
    for (const hol_option *o = table; o && o->key; o++) {
        wrong += must_say(around, o->key, "max(1, 2)", comma);
        wrong += must_say(around, o->key, "2*step(time, 0, 0, 1, 1) + 3", comma);
        wrong += must_say(around, o->key, "[0, max(1, min(2, 3)), 0]", comma);
        wrong += must_say(around, o->key, "1,5", "\"1,5\": decimals are written with a point: 1.5");
        wrong += must_say(around, o->key, "if(time: 0, 0, 1)", "an expression with \": \" needs quotes");
        wrong += must_say(around, o->key, "[if(time: 0, 0, 1)]", "an expression with \": \" needs quotes");
    }
    return wrong;
}

static void an_expression_without_quotes_is_told_under_every_key(void **state)
{
    (void)state;
    int wrong = check_table("{%, z: 1}", hol_objects[0]->rows);
    wrong += check_table("simulate: {%, z: 1}", hol_simulate_object.rows);
    for (const hol_object *const *o = hol_objects + 1; *o; o++) {
        wrong += check_table("bodies: [{%, z: 1}]", (*o)->rows);
        wrong += check_table("ground: {%, z: 1}", (*o)->rows);
    }
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        wrong += check_table("forces: [{%, z: 1}]", (*t)->options);
    for (const hol_method *const *m = hol_methods; *m; m++)
        for (int k = 0; k < HOL_METHOD_TABLES; k++)
            wrong += check_table("simulate: {method: {%, z: 1}}", hol_method_table(*m, k));
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_expression_without_quotes_is_told_under_every_key),
        cmocka_unit_test(every_bad_model_is_refused_with_its_message),
        cmocka_unit_test(every_message_has_a_bad_model),
        cmocka_unit_test(every_rule_has_a_bad_model),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
