// Any bytes give a tree or a message, and every place lies in the text.
#include "fuzz.h"
#include "text/tree.h"

static void walk(const hol_node *node, int depth)
{
    require(depth <= 65 && node->at.line >= 1 && node->at.col >= 1, "a place in the text");
    for (int i = 0; i < node->n; i++) {
        if (node->kind == HOL_NODE_MAP) {
            walk(node->key[i], depth + 1);
            require(hol_node_find(node, node->key[i]->text) == node->value[i], "a key finds its value");
        }
        walk(node->value[i], depth + 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hol_context *ctx = hol_context_create();
    hol_arena *arena = hol_arena_create(ctx);
    hol_node *root = NULL;
    hol_status status = hol_tree_parse(ctx, arena, "fuzz", (const char *)data, size, &root);
    if (status == HOL_OK)
        walk(root, 0);
    else
        require(status == HOL_ERR_MODEL && hol_context_error(ctx)[0] && !root,
                "a refused text leaves a message");
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return 0;
}
