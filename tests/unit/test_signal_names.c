// Names of signals and of items in expressions, which these do not have: of every type of element, of bodies and of markers. What the message
// says to write is written, and it must be taken.
#include "element_models.h"

static char message[1000];

// Does the model have a variable of this value? If not, the message is noted.
static bool is_taken(int d, const char *value)
{
    static char text[TEXT_SIZE + 1000];
    snprintf(text, sizeof text, "%.*svariables: [{name: told, value: \"%.500s\"}]\n", TEXT_SIZE,
             text_of_all(d), value);
    hol_context_clear(ctx);
    hol_spec *spec = hol_spec_read_text(ctx, "test.yaml", text, strlen(text), NULL, 0);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    snprintf(message, sizeof message, "%s", m ? "" : hol_context_error(ctx));
    if (m) hol_model_free(m);
    return m != NULL;
}

static void expect_words(const char *words)
{
    if (!strstr(message, words)) fail_msg("\"%s\" is not in: %s", words, message);
}

static int tried;

static void must_be_taken(int d, const char *asked, const char *offered)
{
    char own[1000];
    snprintf(own, sizeof own, "%s", message);
    if (!is_taken(d, offered))
        fail_msg("%s in %dD: %s\n\"%s\" is not taken: %s", asked, d, own, offered, message);
    tried++;
}

// Every word of a list "FX(s), FY, FM and TZ"; words alone have the argument of the one before.
static void take_list(int d, const char *asked, const char *list)
{
    char argument[200] = "";
    for (const char *p = list; *p;) {
        char one[200], written[500];
        size_t n = strcspn(p, ","), word;
        const char *and = strstr(p, " and ");
        if (and&&(size_t)(and-p) < n) n = (size_t)(and-p);
        snprintf(one, sizeof one, "%.*s", (int)n, p);
        word = strcspn(one, "(");
        if (one[word]) snprintf(argument, sizeof argument, "%s", one + word);
        const bool bare = !one[word] && !strchr(one, '.');
        snprintf(written, sizeof written, "%s%s", one, bare ? argument : "");
        must_be_taken(d, asked, written);
        p += n;
        if (strncmp(p, " and ", 5) == 0) p += 5;
        p += strspn(p, ", ");
    }
}

// What is asked for is either taken or refused with a way out that is taken, or with the words that there is none.
static void try_name(int d, const char *asked)
{
    static const char *const lists[] = {"; write ", "expressions have of it "};
    if (is_taken(d, asked)) return;
    if (strstr(message, "expressions have nothing of it") || strstr(message, "and no value; what it does") ||
        strstr(message, "forces are those of joints"))
        return;
    for (int i = 0; i < HOL_COUNT(lists); i++) {
        const char *list = strstr(message, lists[i]);
        if (!list) continue;
        char own[1000];
        snprintf(own, sizeof own, "%s", list + strlen(lists[i]));
        take_list(d, asked, own);
        return;
    }
    // a joint's type has no coordinate of this name, or a body has no such measure: what there is follows
    if (strstr(message, "which has no \"") || strstr(message, "is measured as DX(")) return;
    fail_msg("%s in %dD: no way out: %s", asked, d, message);
}

static void names_of(int d, const char *name, const char *const *words)
{
    char asked[200];
    if (strcmp(name, "ground") != 0 && !strchr(name, '.')) try_name(d, name);
    for (; *words; words++) {
        snprintf(asked, sizeof asked, "%s.%s", name, *words);
        try_name(d, asked);
    }
}

static void what_is_offered_for_an_element_is_taken(void **state)
{
    static const char *const words[] = {"force", "torque", "power", "Fx", NULL};
    (void)state;
    tried = 0;
    for (int d = 2; d <= 3; d++) {
        hol_model_data *m = model_of(d);
        for (const hol_element_type *const *t = hol_element_types; *t; t++)
            for (int i = m->n_bodies; i < m->n_elements; i++)
                if (m->element[i].type == *t && m->element[i].name) {
                    names_of(d, m->element[i].name, words);
                    break;
                }
        hol_model_free(m);
    }
    assert_true(tried > 200);
}

static void what_is_offered_for_a_place_is_taken(void **state)
{
    static const char *const words[] = {"x",  "y",  "z",  "theta",  "angle", "phi", "omega",
                                        "Vx", "vz", "wx", "alpha",  "ax",    "az",  "alx",
                                        "Fx", "T",  "Tz", "torque", "qw",    NULL};
    static const char *const places[] = {"a", "a.m", "p", "ground", "ground.g", "ground.mv"};
    (void)state;
    tried = 0;
    for (int d = 2; d <= 3; d++)
        for (int i = 0; i < HOL_COUNT(places); i++) names_of(d, places[i], words);
    assert_true(tried > 100);
}

// What reactions cannot be asked of.
static void what_drives_nothing_says_what_there_is(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        hol_model_data *m = model_of(d);
        for (const hol_element_type *const *t = hol_element_types; *t; t++)
            for (int i = m->n_bodies; i < m->n_elements; i++)
                if (m->element[i].type == *t && m->element[i].name) {
                    char asked[200];
                    snprintf(asked, sizeof asked, "FQ(%s)", m->element[i].name);
                    try_name(d, asked);
                    snprintf(asked, sizeof asked, "FX(%s)", m->element[i].name);
                    try_name(d, asked);
                    break;
                }
        hol_model_free(m);
    }
}

static void other_words(void **state)
{
    (void)state;
    assert_false(is_taken(2, "a.m.x"));
    expect_words("variables.told: unknown name \"a.m.x\"; write DX(a.m)");
    assert_false(is_taken(2, "a.m.Fx"));
    expect_words("forces are those of joints, drivers and forces, as FX(hinge), and \"a.m\" is none");
    assert_false(is_taken(2, "a.none.x"));
    expect_words("body \"a\" has no marker \"none\"");
    assert_false(is_taken(2, "energy.total"));
    expect_words("\"energy.total\" is a signal, and no value of expressions");
    assert_false(is_taken(3, "nothing.x"));
    expect_words(
        "unknown name \"nothing.x\"; parameters of an included file are its own, and there is no body");
    assert_false(is_taken(3, "a"));
    expect_words("\"a\" is a body, and no value; what it does is measured, as DX(a), VX(a)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_offered_for_an_element_is_taken),
                                       cmocka_unit_test(what_is_offered_for_a_place_is_taken),
                                       cmocka_unit_test(what_drives_nothing_says_what_there_is),
                                       cmocka_unit_test(other_words)};
    return cmocka_run_group_tests(tests, start, stop);
}
