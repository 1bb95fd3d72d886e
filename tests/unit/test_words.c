// `holonom elements WORD` answers for every word that the program has: keys, types, choices, measures, functions, units, coordinates, signals,
// statistics, methods and their options, warnings, and the terms that its texts are written in.
#include "harness.h"
#include "analysis/settings.h"
#include "analysis/signals.h"
#include "analysis/statistics.h"
#include "analysis/warnings.h"
#include "element/coordinate.h"
#include "io/glossary.h"
#include "model/grammar.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 1 << 18 };

static char answer[ROOM];
static size_t length;

static void keep(void *user, const char *text)
{
    (void)user;
    const size_t n = strlen(text);
    assert_true(length + n < ROOM);
    memcpy(answer + length, text, n + 1);
    length += n;
}

static hol_status ask(const char *word)
{
    length = 0;
    *answer = 0;
    hol_context_clear(ctx);
    return hol_describe_element(ctx, word, HOL_PLAIN_TEXT, keep, NULL);
}

// The word is explained, and `text` is part of the answer, whatever lines it is broken into; NULL: any.
static int unanswered(const char *kind, const char *word, const char *text)
{
    if (ask(word)) {
        print_error("%s \"%s\": %s\n", kind, word, hol_context_error(ctx));
        return 1;
    }
    char flat[ROOM];
    size_t n = 0;
    for (const char *c = answer; *c; c++)
        if (*c > ' ' || (n && flat[n - 1] != ' ')) flat[n++] = *c > ' ' || *c < 0 ? *c : ' ';
    flat[n] = 0;
    const bool found = n > 10 && (!text || strstr(flat, text));
    if (!found) print_error("%s \"%s\": no \"%s\" in\n%s\n", kind, word, text ? text : "", answer);
    return !found;
}

// ---- the grammar ----------------------------------------------------------------------------------------------

// The keys of a table, with a piece of what is said of each, and the words to choose from.
static int rows_without(const hol_option *rows)
{
    char word[64];
    int wrong = 0;
    for (const hol_option *o = rows; o && o->key; o++) {
        if (strcmp(o->key, "NAME") != 0) wrong += unanswered("key", o->key, o->doc);
        const char *choices = o->kind == HOL_CHOICE ? o->choices : NULL;
        while (hol_next_word(&choices, word)) wrong += unanswered("choice", word, NULL);
    }
    return wrong;
}

static void keys_and_types(void **state)
{
    (void)state;
    int wrong = 0, n = 0;
    for (const hol_object *const *o = hol_objects; *o; o++) {
        hol_type t;
        wrong += rows_without((*o)->rows);
        for (int i = 0; (*o)->type && (*o)->type(*o, i, 0, &t); i++, n++) {
            char word[64];
            const char *aliases = t.aliases;
            wrong += unanswered("type", t.name, NULL);
            while (hol_next_word(&aliases, word)) wrong += unanswered("alias", word, t.doc);
            wrong += rows_without(t.rows);
        }
    }
    wrong += rows_without(hol_simulate_object.rows);
    assert_int_equal(wrong, 0);
    assert_true(n > 40);
}

static void methods_and_options(void **state)
{
    (void)state;
    int wrong = rows_without(hol_tolerance_options);
    for (const hol_method *const *m = hol_methods; *m; m++) {
        wrong += unanswered("method", (*m)->name, (*m)->doc);
        for (int k = 0; k < HOL_METHOD_TABLES; k++) wrong += rows_without(hol_method_table(*m, k));
    }
    assert_int_equal(wrong, 0);
}

// ---- expressions, signals, statistics, warnings ---------------------------------------------------------------

static void expressions(void **state)
{
    (void)state;
    int wrong = 0, n;
    for (const hol_quantity_name *q = hol_quantity_names; q->name; q++)
        wrong += unanswered("measure", q->name, q->doc);
    for (const hol_measured_name *m = hol_measured_names; m->name; m++)
        wrong += unanswered("measure", m->name, m->doc);
    const hol_expr_doc *row = hol_expr_functions(&n);
    for (int i = 0; i < n; i++) wrong += unanswered("function", row[i].name, row[i].meaning);
    row = hol_expr_unit_names(&n);
    for (int i = 0; i < n; i++) wrong += unanswered("unit", row[i].name, row[i].meaning);
#define COORDINATES(list, rows, joints)                                                                      \
    for (const hol_joint_coordinate *c = hol_coordinates_##list; c->name; c++)                               \
        wrong += unanswered("coordinate", c->name, c->doc);
    HOL_COORDINATE_LISTS(COORDINATES)
    static const char *const others[] = {"FX", "TM", "VARVAL", "DIF1", "time", "pi", "N/mm", "kg m^2"};
    for (int i = 0; i < HOL_COUNT(others); i++) wrong += unanswered("word", others[i], NULL);
    assert_int_equal(wrong, 0);
}

static void signals_statistics_warnings(void **state)
{
    (void)state;
    const char *name, *doc;
    hol_signal_column c;
    hol_statistic s;
    int wrong = 0;
    for (int i = 0; hol_signal_word(i, &name, &doc); i++) wrong += unanswered("signal", name, doc);
    for (int i = 0; hol_signal_column_row(i, &c); i++) wrong += unanswered("column", c.name, c.doc);
    for (int i = 0; hol_statistic_row(i, &s); i++) wrong += unanswered("statistic", s.name, s.doc);
    for (int i = 0; hol_warning_row(i, &name, &doc); i++) wrong += unanswered("warning", name, doc);
    assert_int_equal(wrong, 0);
}

// ---- terms ----------------------------------------------------------------------------------------------------

static void terms(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "cut", "loop", "loop operator", "kink", "redundant row", "rank", "KKT", "Delassus", "drift", "index",
        "multiplier", "reaction", "error control", "stiff", "tree", "branch", "marker", "frame", "projection",
        "row", "singular pose", "event", "spatial", "step", "tolerance", "chart", "redundant",
        "regularisation", "stiffness",
        // of machines
        "command", "integral", "brake", "clutch", "bristle", "narrow strip", "piston", "camber", "toe",
        "steer", "wishbone", "suspension", "gain", "PID", "saturation", "gear ratio", "backlash", "end stop",
        "bump stop", "latch", "docking", "ball joint", "universal joint", "belt", "cable", "bearing",
        "cylinder", "sensor", "controller", "wheels", "natural frequency", "transfer function"};
    int wrong = 0;
    for (const hol_term *t = hol_terms; t->names; t++) {
        char word[100];
        for (const char *p = t->names; *p; p += strspn(p, ", ")) {
            const size_t n = strcspn(p, ",");
            snprintf(word, sizeof word, "%.*s", (int)n, p);
            wrong += unanswered("term", word, t->text);
            p += n;
        }
        const size_t end = strlen(t->text);
        wrong +=
            end < 20 || t->text[end - 1] == '.'; // sentences without the last stop, as all texts of tables
    }
    for (int i = 0; i < HOL_COUNT(wanted); i++) wrong += unanswered("term", wanted[i], NULL);
    assert_int_equal(wrong, 0);
}

// The words that texts are written in are explained as terms.
static int words_without(const char *const *words)
{
    int wrong = 0;
    for (; *words; words++) wrong += unanswered("word of texts", *words, "TERMS");
    return wrong;
}

static void words_of_texts(void **state)
{
    (void)state;
    assert_int_equal(words_without(hol_check_words) + words_without(hol_summary_words), 0);
}

// What stands at the head of a line of `check` is one of its words: "  redundant             none".
static int labels_without(const char *text)
{
    int wrong = 0;
    char label[40];
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *end = strstr(line + (strlen(line) > 2 ? 2 : 0), "  ");
        if (strncmp(line, "  ", 2) != 0 || line[2] == ' ' || !end || end > line + 24 ||
            memchr(line, '\n', (size_t)(end - line)))
            continue;
        snprintf(label, sizeof label, "%.*s", (int)(end - line - 2), line + 2);
        bool known = false;
        for (const char *const *w = hol_check_words; *w && !known; w++)
            known = strcmp(*w, label) == 0 ||
                    (strncmp(*w, label, strlen(*w)) == 0 && !strcmp(label + strlen(*w), "s"));
        if (!known) print_error("\"%s\" is no word of hol_check_words\n", label);
        wrong += !known;
    }
    return wrong;
}

static void labels_of_check(void **state)
{
    (void)state;
    static const char *const models[] = {"bricard.yaml", "four_bar.yaml", "hydraulic.yaml",
                                         "rolling_disc.yaml"};
    int wrong = 0;
    for (int i = 0; i < HOL_COUNT(models); i++) {
        char path[100];
        snprintf(path, sizeof path, "models/%s", models[i]);
        hol_model *m = hol_model_load(ctx, path, NULL, 0);
        hol_check *c = m ? hol_check_create(ctx, m) : NULL;
        if (!c) fail_msg("%s: %s", path, hol_context_error(ctx));
        length = 0;
        hol_check_print(c, path, keep, NULL);
        wrong += labels_without(answer);
        hol_check_destroy(c);
        hol_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

// ---- what is not there ----------------------------------------------------------------------------------------

static void unknown_words(void **state)
{
    (void)state;
    assert_int_equal(ask("redundent"), HOL_ERR_USAGE);
    expect_message("there is no element \"redundent\"; did you mean \"redundant\"?");
    assert_int_equal(ask("stifness"), HOL_ERR_USAGE);
    expect_message("did you mean \"stiffness\"?");
    assert_int_equal(ask("qqqqqqq"), HOL_ERR_USAGE);
    expect_message("`holonom elements` lists them");
}

// All places of a word: `point` is a type of body, `step` an option of simulate, a function, signals and a term.
static void several_places(void **state)
{
    (void)state;
    static const char *const places[] = {"TERMS\n", "MODEL FILE\n", "  simulate\n", "  functions\n",
                                         "SIGNALS\n"};
    assert_int_equal(ask("step"), HOL_OK);
    for (int i = 0; i < HOL_COUNT(places); i++)
        if (!strstr(answer, places[i])) fail_msg("no %s in\n%s", places[i], answer);
    assert_int_equal(ask("stiffness"), HOL_OK);
    for (const char *const *t = (const char *const[]){"spring-damper", "bushing", "tyre", NULL}; *t; t++)
        assert_non_null(strstr(answer, *t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_types),  cmocka_unit_test(methods_and_options),
        cmocka_unit_test(expressions),     cmocka_unit_test(signals_statistics_warnings),
        cmocka_unit_test(terms),           cmocka_unit_test(words_of_texts),
        cmocka_unit_test(labels_of_check), cmocka_unit_test(unknown_words),
        cmocka_unit_test(several_places),
    };
    return cmocka_run_group_tests_name("words", tests, start, stop);
}
