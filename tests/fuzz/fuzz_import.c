// Any bytes as a model of another program: a message with a place, or a tree that is written, read as the same, and compiled as a model file
// is, which may refuse it. The first byte has the options.
#include "../unit/pieces.h"
#include "fuzz.h"
#include "holonom_draft.h"
#include "io/import.h"
#include "text/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 200 };

static void require_same(const hol_node *a, const hol_node *b)
{
    require(a->kind == b->kind && a->n == b->n && strcmp(a->text, b->text) == 0,
            "what is written is read as the same");
    for (int i = 0; i < a->n; i++) {
        require(a->kind != HOL_NODE_MAP || strcmp(a->key[i]->text, b->key[i]->text) == 0, "and its keys");
        require_same(a->value[i], b->value[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hol_context *ctx = hol_context_create();
    hol_context_sandbox(ctx, MOST_ITEMS);
    hol_arena *arena = hol_arena_create(ctx);
    const hol_import_options options = {.lenient = size && data[0] & 1,
                                        .root = size && data[0] & 2 ? HOL_IMPORT_FREE : HOL_IMPORT_ROOT,
                                        .key = size && data[0] & 4 ? "home" : NULL};
    hol_node *root = NULL, *again = NULL;
    const size_t skip = size > 0;
    const hol_status st =
        hol_import_parse(ctx, arena, "fuzz", (const char *)data + skip, size - skip, &options, &root);
    if (st == HOL_OK) {
        pieces t = {0};
        hol_tree_write(root, add_piece, &t);
        const hol_status read = hol_tree_parse(ctx, arena, "model", t.text, t.n, &again);
        if (read) fprintf(stderr, "%s\n%s", hol_context_error(ctx), t.text);
        require(read == HOL_OK, "what is written is read");
        require_same(root, again);
        hol_model *m = hol_model_parse(ctx, "model", t.text, t.n, NULL, 0);
        require(m || hol_context_error(ctx)[0], "a model, or a message");
        hol_model_destroy(m);
        free(t.text);
    } else
        require((st == HOL_ERR_MODEL || (st == HOL_ERR_USAGE && options.key)) && hol_context_error(ctx)[0] &&
                    !root,
                "a refused file leaves a message");
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return 0;
}
