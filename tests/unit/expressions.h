// What the tests of expressions share: parameters, leaves and a table, how texts are parsed, values and messages compared.
#ifndef EXPRESSIONS_H
#define EXPRESSIONS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "expr/expr.h"
#include "expr/spline.h"
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- a scope of a few parameters ---------------------------------------------------------------------------

typedef struct parameter {
    const char *name;
    double value;
} parameter;

static const parameter parameters[] = {{"m", 3},
                                       {"g", 9.81},
                                       {"L", 0.5},
                                       {"length", 2},
                                       {"omega", 7},
                                       {"\u03b1", 0.25},
                                       {"huge", (double)INFINITY}};
static const parameter shadows[] = {{"L", 4}, {"e", 210e9}, {"t", 0.01}, {"time", 99}, {"sin", 5}};

typedef struct list {
    const parameter *item;
    int n;
} list;

static inline bool find(const void *data, const char *name, size_t length, hol_constant *out)
{
    const list *l = data;
    for (int i = 0; i < l->n; i++) {
        if (strlen(l->item[i].name) != length || strncmp(l->item[i].name, name, length) != 0) continue;
        out->value = l->item[i].value;
        return true;
    }
    return false;
}

static inline void each(const void *data, hol_nearest *nearest)
{
    const list *l = data;
    for (int i = 0; i < l->n; i++) hol_nearest_try(nearest, l->item[i].name);
}

static const list outer_list = {parameters, HOL_COUNT(parameters)},
                  inner_list = {shadows, HOL_COUNT(shadows)};
static const hol_scope outer = {NULL, find, each, &outer_list};
static const hol_scope inner = {&outer, find, each, &inner_list};

static const hol_units si = {1, 1, 1, 1, 1, 0};
static const hol_units other_units = {1e-3, 1e3, 1e-3, HOL_PI / 180, 1, 0}; // mm, tonne, ms, deg

// ---- leaves and a table --------------------------------------------------------------------------------------

static hol_context *ctx;
static hol_arena *arena;

// The leaf of a name is its index; those after LAST_NAME are refused or too many.
static const char *const leaf_names[] = {"p", "q", "r", "u", "v", "w", "x{i+1}", "gain", "e", "t"};
enum { MEASURE = HOL_COUNT(leaf_names), TOO_MANY = HOL_NUM_VARIABLES - 1 };
static hol_leaf_call asked; // what leaf_find was asked last

static inline bool is_text(hol_leaf_text t, const char *text)
{
    return t.length == strlen(text) && strncmp(t.text, text, t.length) == 0;
}

static inline int leaf_find(void *user, const hol_leaf_call *call)
{
    assert_ptr_equal(user, &asked);
    asked = *call;
    if (call->call)
        return is_text(call->name, "DX") || is_text(call->name, "dx") ? MEASURE : HOL_LEAF_UNKNOWN;
    for (int i = 0; i < HOL_COUNT(leaf_names); i++)
        if (is_text(call->name, leaf_names[i])) return i;
    if (is_text(call->name, "silent")) return HOL_LEAF_ERROR;
    if (is_text(call->name, "forbidden")) {
        hol_fail_at(ctx, HOL_ERR_USAGE, call->name.at, "forbidden here");
        return HOL_LEAF_ERROR;
    }
    if (is_text(call->name, "lot")) return TOO_MANY;
    return is_text(call->name, "fits") ? TOO_MANY - 1 : HOL_LEAF_UNKNOWN;
}

static inline void leaf_each(void *user, hol_nearest *nearest)
{
    (void)user;
    for (int i = 0; i < HOL_COUNT(leaf_names); i++) hol_nearest_try(nearest, leaf_names[i]);
    hol_nearest_try(nearest, "WXYZ");
    hol_nearest_try(nearest, "DX");
}

static const double bump_x[] = {-1.3, -0.6, 0.1, 0.4, 0.55, 1.03, 1.9},
                    bump_y[] = {0.2, 0.9, -0.3, 0.5, 0.4, 1.1, -0.7};
enum { BUMPS = HOL_COUNT(bump_x) };

static inline const hol_table *leaf_table(void *user, const hol_leaf_text *name)
{
    (void)user;
    hol_table *t = hol_arena_alloc(arena, 1, sizeof *t);
    if (is_text(*name, "bump")) t->spline = hol_spline_create(arena, HOL_SPLINE_AKIMA, BUMPS, bump_x, bump_y);
    if (is_text(*name, "corner"))
        t->spline = hol_spline_create(arena, HOL_SPLINE_LINEAR, BUMPS, bump_x, bump_y);
    if (t->spline) return t;
    hol_fail_at(ctx, HOL_ERR_MODEL, name->at, "no table \"%.*s\"", (int)name->length, name->text);
    return NULL;
}

static const hol_leaves leaves = {leaf_find, leaf_table, leaf_each, &asked, NULL};

// ---- helpers -----------------------------------------------------------------------------------------------

static inline int set_up(void **state)
{
    (void)state;
    ctx = hol_context_create();
    arena = hol_arena_create(ctx);
    return ctx && arena ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return 0;
}

static inline hol_status parse(const char *text, const hol_scope *scope, const hol_units *units, bool time,
                               const hol_expr **e)
{
    hol_context_clear(ctx);
    return hol_expr_parse(ctx, arena, text, (hol_src){.file = "x.yaml", .line = 4, .col = 11}, scope, units,
                          time, e);
}

static inline const hol_expr *parsed(const char *text, const hol_scope *scope, const hol_units *units,
                                     bool time)
{
    const hol_expr *e;
    if (parse(text, scope, units, time, &e) != HOL_OK) fail_msg("\"%s\": %s", text, hol_context_error(ctx));
    return e;
}

static inline hol_status parse_leaves(const char *text, const hol_units *units, const hol_expr **e)
{
    hol_context_clear(ctx);
    return hol_expr_parse_leaves(ctx, arena, text, (hol_src){.file = "x.yaml", .line = 4, .col = 11}, &outer,
                                 units, &leaves, e);
}

static inline const hol_expr *with_leaves(const char *text, const hol_units *units)
{
    const hol_expr *e;
    if (parse_leaves(text, units, &e) != HOL_OK) fail_msg("\"%s\": %s", text, hol_context_error(ctx));
    return e;
}

static inline double value_in(const char *text, const hol_scope *scope, const hol_units *units)
{
    const hol_expr *e = parsed(text, scope, units, false);
    assert_true(hol_expr_is_constant(e));
    return hol_expr_value(e);
}

// Equal to a few units in the last place.
static inline void close_to(const char *what, double value, double expected, double tolerance)
{
    const double error = fabs(value - expected);
    if (!(error <= tolerance * (fabs(expected) > DBL_MIN ? fabs(expected) : 1)))
        fail_msg("%s is %.17g, should be %.17g (error %.1e)", what, value, expected, error);
}

#ifdef HOL_COMPLEX
static const double few_digits = 1e-13; // complex powers are exp(r log x)
#else
static const double few_digits = 4 * DBL_EPSILON;
#endif

#define VALUE(text, expected) close_to(text, value_in(text, &outer, &si), expected, few_digits)
#define SAME(text) VALUE(#text, text)

enum { CONSTANTS, TIME, LEAVES }; // what an expression may use

static inline void error_is(const char *text, int may_use, int col, const char *message)
{
    const hol_expr *e;
    char expected[700];
    snprintf(expected, sizeof expected, "x.yaml:4:%d: error: %s", col, message);
    const hol_status status =
        may_use == LEAVES ? parse_leaves(text, &si, &e) : parse(text, &outer, &si, may_use, &e);
    if (status == HOL_OK) fail_msg("\"%s\" is accepted, should give\n  %s", text, expected);
    assert_int_equal(status, HOL_ERR_MODEL);
    assert_null(e);
    assert_string_equal(hol_context_error(ctx), expected);
}

// The column is counted from 1 inside the expression.
#define REFUSED(text, col, message) error_is(text, CONSTANTS, 10 + (col), message)
#define REFUSED_WITH_TIME(text, col, message) error_is(text, TIME, 10 + (col), message)
#define REFUSED_WITH_LEAVES(text, col, message) error_is(text, LEAVES, 10 + (col), message)

// "(((...1...)))" and "1^1^1...", n deep
static inline char *nested(const char *open, int n, const char *close)
{
    char *text = calloc((size_t)n * (strlen(open) + strlen(close)) + 2, 1), *end = text;
    for (int i = 0; i < n; i++) end += sprintf(end, "%s", open);
    *end++ = '1';
    for (int i = 0; i < n; i++) end += sprintf(end, "%s", close);
    return text;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

#endif
