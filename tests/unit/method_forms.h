// Every form of every method of the table, for tests that are to hold for all of them: no list by hand.
//
// A form is a choice of words for the options that are choices: all combinations where they are few (rk: orders x solvers),
// else the defaults and each word alone beside them. A number among the options is at its default.
#ifndef METHOD_FORMS_H
#define METHOD_FORMS_H

#include "harness.h"

#include "integrator/integrator.h"

#include <stdio.h>
#include <string.h>

enum { FORM_CHOICES = 8, FORM_OPTIONS = 24, FORM_TEXT = 400, FEW_FORMS = 24 };

typedef struct {
    const hol_method *method;
    int index;                     // the first form has the defaults only
    hol_value value[FORM_OPTIONS]; // as the method's functions of its options read them
    char set[FORM_TEXT];           // "simulate.method=rk rk.order=5 "
} form;

static inline int words_of(const hol_option *o)
{
    int n = 1;
    for (const char *c = o->choices; *c; c++) n += *c == '|';
    return n;
}

// The method's choices: rows, and where their values stand.
static inline int choices_of(const hol_method *method, const hol_option *row[FORM_CHOICES],
                             int at[FORM_CHOICES])
{
    int n = 0, place = 0;
    for (int k = 0; k < HOL_METHOD_TABLES - 1; k++) // those of all methods are in test_norm.c
        for (const hol_option *o = hol_method_table(method, k); o->key; o++, place++) {
            if (o->kind != HOL_CHOICE) continue;
            assert_true(n < FORM_CHOICES);
            row[n] = o;
            at[n++] = place;
        }
    assert_true(place <= FORM_OPTIONS);
    return n;
}

// The words of the form of this number, false: there are fewer.
static inline bool words_of_form(const hol_option *const *row, int n, int index, int word[FORM_CHOICES])
{
    int all = 1;
    for (int i = 0; i < n; i++) all *= words_of(row[i]);
    for (int i = 0; i < n; i++) word[i] = 0;
    if (all <= FEW_FORMS) {
        for (int i = 0, rest = index; i < n; rest /= words_of(row[i++])) word[i] = rest % words_of(row[i]);
        return index < all;
    }
    if (index == 0) return true;
    for (int i = 0; i < n; i++) {
        if (index < words_of(row[i])) return word[i] = index, true;
        index -= words_of(row[i]) - 1;
    }
    return false;
}

static inline void write_word(form *f, const hol_option *o, int k)
{
    const char *begin = o->choices;
    while (k--) begin = strchr(begin, '|') + 1;
    const size_t n = strlen(f->set);
    snprintf(f->set + n, sizeof f->set - n, "%s.%s=%.*s ", f->method->name, o->key, (int)strcspn(begin, "|"),
             begin);
}

static inline bool is_refused(const form *f)
{
    const hol_method *m = f->method;
    return m->refuse && m->refuse(f->value, true) && m->refuse(f->value, false);
}

// What the defaults refuse may go with the least of a whole number: srm.carry=step with srm.iterates=1.
static inline void find_number(form *f)
{
    int place = 0;
    for (int k = 0; k < HOL_METHOD_TABLES; k++)
        for (const hol_option *o = hol_method_table(f->method, k); o->key; o++, place++) {
            const hol_value old = f->value[place];
            if (o->kind != HOL_INTEGER) continue;
            f->value[place] = (hol_value){.given = true, .num = o->min};
            const size_t n = strlen(f->set);
            if (!is_refused(f)) {
                snprintf(f->set + n, sizeof f->set - n, "%s.%s=%g ", f->method->name, o->key, o->min);
                return;
            }
            f->value[place] = old;
        }
    fail_msg("%sis refused", f->set);
}

static inline bool make_form(const hol_method *method, int index, form *f)
{
    const hol_option *row[FORM_CHOICES];
    int at[FORM_CHOICES], word[FORM_CHOICES], place = 0;
    const int n = choices_of(method, row, at);
    if (!words_of_form(row, n, index, word)) return false;
    *f = (form){.method = method, .index = index};
    for (int k = 0; k < HOL_METHOD_TABLES; k++)
        for (const hol_option *o = hol_method_table(method, k); o->key; o++) f->value[place++].num = o->def;
    snprintf(f->set, sizeof f->set, "simulate.method=%s ", method->name);
    for (int i = 0; i < n; i++) {
        f->value[at[i]] = (hol_value){.given = word[i] > 0, .num = word[i]};
        if (word[i]) write_word(f, row[i], word[i]);
    }
    if (is_refused(f)) find_number(f);
    return true;
}

// The next one, of the same method or the next; *f all zero begins. false: that was the last one.
static inline bool next_form(form *f)
{
    const hol_method *const *m = hol_methods;
    if (f->method) {
        const hol_method *const method = f->method;
        if (make_form(method, f->index + 1, f)) return true;
        while (*m != method) m++;
        m++;
    }
    return *m && make_form(*m, 0, f);
}

// Under the sanitizers the default form of each method and some of the others.
static inline bool tried(const form *f) { return !few() || f->index % 8 == 0; }

// Each form that is tried takes some of the models: the default form two at least. The others go with one, not always the same, but
// where it goes far; so do all with sanitizers.
static inline void try_models(const char *const *models, int n,
                              bool (*takes)(const form *f, const char *model))
{
    for (form f = {0}; next_form(&f);) {
        const bool one = !goes_far() && (f.index || few());
        int taken = 0;
        if (!tried(&f)) continue;
        for (int k = 0; k < n && !(one && taken); k++) taken += takes(&f, models[(f.index + k) % n]);
        if (taken < (one ? 1 : 2)) fail_msg("%s takes %d models", f.set, taken);
    }
}

// The order that is claimed with fixed steps; 0: none.
static inline int order_of_form(const form *f)
{
    return f->method->order_of ? f->method->order_of(f->value) : f->method->order;
}

// The exponent of an error that adds up, with a local one that is held at the tolerance; the index-3 family estimates the local
// error of positions, of order 3, whatever the order is (docs/theory.md, section 5.6).
static inline double exponent_of_form(const form *f)
{
    const double order = order_of_form(f);
    if (f->method->open) return 0.5; // eps goes with the root of the tolerance, (15.7)
    return f->method->orders ? 1 : order > 1 ? order / (order + 1) : 1 / 3.0;
}

// A run of a form. sim NULL: the method refuses, in words.
static inline motion open_form(const form *f, const char *model, const char *more)
{
    enum { MOST = 16 };
    char text[FORM_TEXT + 400];
    const char *set[MOST];
    snprintf(text, sizeof text, "%s%s", f->set, more);
    const int n = split(text, set, MOST);
    hol_context_clear(ctx);
    motion a = {hol_model_parse(ctx, "test.yaml", model, strlen(model), set, n), NULL, HOL_OK};
    if (a.model) a.sim = hol_simulation_create(ctx, a.model);
    if (a.sim) return a;
    const hol_status st = hol_context_status(ctx);
    if ((st != HOL_ERR_USAGE && st != HOL_ERR_MODEL) || !strstr(hol_context_error(ctx), f->method->name))
        fail_msg("%s%s: %s", f->set, more, hol_context_error(ctx));
    hol_model_destroy(a.model);
    a.model = NULL;
    return a;
}

// Fixed steps where the form has them, else a tolerance.
static inline motion open_somehow(const form *f, const char *model, double step, double tolerance,
                                  const char *more)
{
    char how[300];
    snprintf(how, sizeof how, "simulate.step=%.17g %s", step, more);
    motion m = open_form(f, model, how);
    if (m.sim) return m;
    snprintf(how, sizeof how, "simulate.tolerance=%.17g %s", tolerance, more);
    return open_form(f, model, how);
}

#endif
