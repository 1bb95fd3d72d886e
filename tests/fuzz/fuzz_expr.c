// Any bytes as an expression: it is refused with a message inside the text, or it can be evaluated.
// The first byte chooses the units and whether time is allowed.
#include "expr/expr.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool find(const void *data, const char *name, size_t length, double *value)
{
    (void)data;
    *value = 0.5;
    return length == 1 && (*name == 'L' || *name == 'm' || *name == 'N');
}

static void each(const void *data, hol_nearest *nearest)
{
    (void)data;
    hol_nearest_try(nearest, "L");
    hol_nearest_try(nearest, "m");
    hol_nearest_try(nearest, "N");
}

static void require(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "violated: %s\n", what);
    abort();
}

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
        data[0] & 2 ? (hol_units){1e-3, 1e3, 1e-3, HOL_PI / 180} : (hol_units){1, 1, 1, 1};
    const hol_scope scope = {NULL, find, each, NULL};
    hol_context *ctx = hol_context_create();
    hol_arena *arena = hol_arena_create(ctx);
    const char *text = hol_arena_copy(arena, (const char *)data + 1, size - 1);
    const hol_expr *e;
    const hol_src at = {"f", 1, 1};
    if (hol_expr_parse(ctx, arena, text, at, &scope, &units, data[0] & 1, &e) != HOL_OK) {
        require(e == NULL, "a refused expression gives NULL");
        check_message(hol_context_error(ctx), size - 1);
    } else if (hol_expr_is_constant(e)) {
        require(isfinite(hol_expr_value(e)), "a constant is finite");
    } else {
        require(data[0] & 1, "a constant was asked for");
        hol_real jet[4];
        for (int i = -2; i <= 2; i++) hol_expr_jet(hol_expr_scaled(arena, e, 2), 0.7 * i, jet);
    }
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return 0;
}
