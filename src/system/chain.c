// Chains of unknowns, depth first. docs/theory.md, section 8.8.
#include "system/chain.h"

hol_status hol_chain_create(hol_context *ctx, const hol_model_data *m, hol_chain *c)
{
    const size_t n = (size_t)m->n_equations;
    *c = (hol_chain){.m = m};
    c->list = hol_calloc(ctx, 3 * n + 1, sizeof *c->list);
    c->seen = hol_calloc(ctx, n + 1, sizeof *c->seen);
    if (!c->list || !c->seen) return HOL_ERR_MEMORY;
    c->stack = c->list + n;
    c->next = c->stack + n;
    return HOL_OK;
}

void hol_chain_destroy(hol_chain *c)
{
    hol_free(c->list);
    hol_free(c->seen);
    *c = (hol_chain){.n = 0};
}

// The next leaf from *at on that is to be followed and was not met yet: its unknown; -1: none.
static int next_of(const hol_chain *c, const hol_expr *e, int n, const hol_leaf *leaf, int *at,
                   hol_chain_fn *follows, const void *user)
{
    while (*at < n) {
        const int j = (*at)++, index = leaf[j].index;
        if (leaf[j].kind == HOL_LEAF_VALUE && c->seen[index] != c->finds && follows(user, e, j, &leaf[j]))
            return index;
    }
    return -1;
}

void hol_chain_find(hol_chain *c, const hol_expr *e, int n, const hol_leaf *leaf, hol_chain_fn *follows,
                    const void *user)
{
    int first = 0, depth = 0;
    c->finds++;
    c->n = 0;
    for (;;) {
        const hol_equation *top = depth ? &c->m->equation[c->stack[depth - 1]] : NULL;
        const int next = !top ? next_of(c, e, n, leaf, &first, follows, user)
                              : next_of(c, top->expr, top->n_leaves, top->leaf, &c->next[c->stack[depth - 1]],
                                        follows, user);
        if (next >= 0) {
            c->seen[next] = c->finds;
            c->next[next] = 0;
            c->stack[depth++] = next;
        } else if (depth) {
            c->list[c->n++] = c->stack[--depth];
        } else {
            return;
        }
    }
}
