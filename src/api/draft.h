// Drafts and their items, as holonom_draft.h has them: draft.c makes, compiles and writes drafts, item.c has the items.
#ifndef HOL_API_DRAFT_H
#define HOL_API_DRAFT_H

#include "holonom_draft.h"
#include "text/tree.h"

// A node of a tree whose values are items too. In the arena of its draft, so that one which was removed can still be told.
struct hol_item {
    hol_node node; // first: trees of items are trees of nodes
    hol_item *up;  // NULL: the root, or removed
    hol_draft *draft;
    int capacity; // of the lists of keys and values
    size_t room;  // bytes of node.text that may be written
};

struct hol_draft {
    hol_context *ctx;
    hol_arena *arena;  // of all items, and of this
    const char *file;  // as of hol_spec; its folder is that of the files that the draft names
    const char *shown; // what stands in messages
    bool is_file;      // it was read from one
    bool imported;     // which is no model file
    hol_item *root;
    hol_status status; // of the first call that failed
    char said[1024];   // its message
};

// A new item with all that the node has below it. placed: with the places in the text. NULL: no memory.
hol_item *hol_item_make(hol_draft *draft, const hol_node *from, bool placed);
// Makes an item say what a node says; items that are in both stay the same ones.
hol_status hol_item_follow(hol_item *item, const hol_node *node);
// Maps and lists inside each other at most, keys that can be written: else `wrong`, with a message.
hol_status hol_item_check(const hol_draft *draft, const hol_node *node, hol_status wrong);
// hol_draft_set of each of these, of which none may set again what one before it sets.
hol_status hol_draft_set_all(hol_draft *draft, const char *const *set, int n);
// Keeps the first call that failed; returns the status.
hol_status hol_draft_note(hol_draft *draft, hol_status st);

#endif
