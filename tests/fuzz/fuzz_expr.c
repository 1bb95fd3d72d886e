// Any bytes as an expression: it is refused with a message inside the text, or it can be evaluated.
// The first byte chooses the units and whether time, or every name, is allowed.
#include "expr/expr.h"
#include "expr/spline.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static bool find(const void *data, const char *name, size_t length, hol_constant *out)
{
    (void)data;
    out->value = 0.5;
    return length == 1 && (*name == 'L' || *name == 'm' || *name == 'N');
}

static void each(const void *data, hol_nearest *nearest)
{
    (void)data;
    hol_nearest_try(nearest, "L");
    hol_nearest_try(nearest, "m");
    hol_nearest_try(nearest, "N");
}

// ---- leaves: every name is one, a few of them the same -------------------------------------------------------

enum { LEAVES = 7, SHAPES = 3 };

typedef struct owner {
    const char *text;
    size_t size;
    hol_table table;
} owner;

static void check_text(const owner *o, const hol_leaf_text *t)
{
    require(t->length > 0, "no part of a call is empty");
    require(t->text >= o->text && t->text + t->length <= o->text + o->size, "it is inside the text");
    require(!strchr(" \t\r\n", t->text[0]) && !strchr(" \t\r\n", t->text[t->length - 1]),
            "it has no blanks around");
    require(t->at.line == 1 && t->at.col >= 1 && (size_t)t->at.col <= o->size,
            "its position is inside the text");
}

static int find_leaf(void *user, const hol_leaf_call *call)
{
    check_text(user, &call->name);
    require(call->n_args >= 0 && call->n_args <= HOL_LEAF_ARGS && (call->call || call->n_args == 0),
            "few arguments");
    for (int i = 0; i < call->n_args; i++) check_text(user, &call->arg[i]);
    return (int)((call->name.length + (size_t)call->n_args) % LEAVES);
}

static const hol_table *find_table(void *user, const hol_leaf_text *name)
{
    check_text(user, name);
    return &((const owner *)user)->table;
}

static void each_leaf(void *user, hol_nearest *nearest)
{
    (void)user;
    hol_nearest_try(nearest, "DX");
}

// Any dimension and flags.
static hol_nature leaf_nature(void *user, int leaf)
{
    const owner *o = user;
    const unsigned seed = (unsigned)leaf + (unsigned)o->size;
    hol_nature n = {.flags = (seed * 2654435761u) >> 21};
    for (int i = 0; i < 4; i++) n.dimension.power[i] = ((int)((seed >> i) % 5) - 2) * HOL_POWER_ONE;
    return n;
}

// The value does not depend on what else is asked for.
static void evaluate(const hol_expr *e)
{
    const hol_shape shape[SHAPES] = {{0, 0, 0}, {LEAVES, 0, 0}, {LEAVES + 1, 3, 2}};
    hol_real out[HOL_NUM_MAX], number[LEAVES + 1][HOL_NUM_MAX];
    const hol_real *leaf[LEAVES];
    double value[SHAPES];
    for (int k = 0; k < SHAPES; k++) {
        for (int i = 0; i <= LEAVES; i++) hol_num_variable(&shape[k], i, 0.3 * i - 0.7, 0.5 - i, number[i]);
        for (int i = 0; i < LEAVES; i++) leaf[i] = number[i];
        hol_expr_eval(e, &shape[k], number[LEAVES], leaf, out);
        value[k] = hol_re(out[0]);
        if (isfinite(value[k])) require(value[k] == value[0], "the value is always the same");
    }
    require(hol_expr_kinks(e) >= 0, "kinks can be counted");
}

// ---- messages ------------------------------------------------------------------------------------------------

// `file:1:col: error: ...` with a column inside the text or just after it
static void check_message(const char *message, size_t size)
{
    int column = 0;
    require(sscanf(message, "f:1:%d: error: ", &column) == 1, "the message has a position");
    require(column >= 1 && (size_t)column <= size + 1, "the column is inside the text");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const hol_units units =
        data[0] & 2 ? (hol_units){1e-3, 1e3, 1e-3, HOL_PI / 180, 1, 0} : (hol_units){1, 1, 1, 1, 1, 0};
    const hol_scope scope = {NULL, find, each, NULL};
    hol_context *ctx = hol_context_create();
    hol_arena *arena = hol_arena_create(ctx);
    const char *text = hol_arena_copy(arena, (const char *)data + 1, size - 1);
    const double x[] = {-1, 0, 0.5, 2}, y[] = {3, -1, 0, 2};
    owner o = {text, size - 1, {.spline = hol_spline_create(arena, HOL_SPLINE_LINEAR, HOL_COUNT(x), x, y)}};
    const hol_leaves leaves = {find_leaf, find_table, each_leaf, &o, leaf_nature};
    const bool any_name = data[0] & 4;
    const hol_expr *e;
    const hol_src at = {.file = "f", .line = 1, .col = 1};
    const hol_status status = any_name
                                  ? hol_expr_parse_leaves(ctx, arena, text, at, &scope, &units, &leaves, &e)
                                  : hol_expr_parse(ctx, arena, text, at, &scope, &units, data[0] & 1, &e);
    if (status != HOL_OK) {
        require(e == NULL, "a refused expression gives NULL");
        check_message(hol_context_error(ctx), size - 1);
    } else if (hol_expr_is_constant(e)) {
        require(isfinite(hol_expr_value(e)), "a constant is finite");
    } else if (any_name) {
        evaluate(hol_expr_scaled(arena, e, 2));
    } else {
        require(data[0] & 1, "a constant was asked for");
        hol_real jet[4];
        for (int i = -2; i <= 2; i++) hol_expr_jet(hol_expr_scaled(arena, e, 2), 0.7 * i, jet);
    }
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return 0;
}
