// A YAML or JSON text as a tree of nodes, each with its position. Nothing is interpreted here.
#ifndef HOL_TREE_H
#define HOL_TREE_H

#include "base/base.h"

enum {
    HOL_DEEPEST = 64,            // collections inside each other
    HOL_LONGEST_TEXT = 64 << 20, // [B]
    HOL_SMALL_MAP = 8            // pairs searched one by one; larger maps have an index
};

typedef enum hol_node_kind { HOL_NODE_SCALAR, HOL_NODE_SEQUENCE, HOL_NODE_MAP } hol_node_kind;

typedef struct hol_node {
    hol_node_kind kind;
    bool quoted;      // a scalar written in quotes (never read as a number)
    const char *text; // scalar text, 0-terminated ("" for sequences and maps)
    hol_src at;       // position of the node's first character
    const char *
        comment; // lines above it in what hol_tree_write makes, without #: of the root, or of an item of a list
                 // in it; NULL: none. What is read has none
    const char *hint; // a key that is not of the file: what is said if it is unknown; NULL or "": nothing
    int n;            // items of a sequence, pairs of a map
    struct hol_node **key;   // map: n scalar nodes (unique within the map), else NULL
    struct hol_node **value; // sequence or map: n nodes
    hol_names *index;        // key -> pair in maps of more than a few pairs, else NULL
    enum {
        HOL_NOT_READ,
        HOL_SAYS_DEFAULT,
        HOL_SAYS_OTHER
    } says; // in all readings so far (loops read a node many times)
} hol_node;

// Parses `length` bytes. `name` stands in messages as the file name.
//   Refused, each with position, rule and way out (HOL_ERR_MODEL): malformed YAML (libyaml's problem text and
//   place), empty text, bytes that are not UTF-8, more than one document, anchors/aliases/tags/merge keys (say: use
//   `parameters:` or `for:`), a map key that is empty, a list, a map or a text block, a key given twice (say where the first one is),
//   nesting deeper than 64, text longer than 64 MB, a NUL byte inside a scalar.
hol_status hol_tree_parse(hol_context *ctx, hol_arena *arena, const char *name, const char *text,
                          size_t length, hol_node **root);
// Reads a file (or standard input for "-") and parses it. Missing, unreadable, directory, too long: HOL_ERR_MODEL
// with the reason.
hol_status hol_tree_read(hol_context *ctx, hol_arena *arena, const char *path, hol_node **root);

// All of a file, or of standard input for "-", or one byte more than hol_tree_parse takes; to be freed. HOL_ERR_MODEL as above.
hol_status hol_text_read(hol_context *ctx, const char *path, char **text, size_t *length);

hol_node *hol_node_find(const hol_node *map, const char *key); // NULL: absent
// Is a text a plain number, finite and in decimal digits?
bool hol_text_number(const char *text, double *x);
// Is it yes or no, or what YAML says for them?
bool hol_text_flag(const char *text, bool *x);
// A copy with all that lies below it; `file` takes the place of the file in every position. Nodes without a line get their paths:
// `path` is that of this node, "" of the root. NULL: no memory.
hol_node *hol_node_copy(hol_context *ctx, hol_arena *arena, const hol_node *from, const char *file,
                        const char *path);
// The path of the i-th node below one that has `path`: "bodies[3] thigh", "bodies[3] thigh.mass". What is too long is cut.
enum { HOL_NODE_PATH = 400 };
void hol_node_path(const hol_node *up, int i, const char *path, char out[HOL_NODE_PATH]);

#endif
