// Models of other programs as trees of nodes, as a model file has them. import.c has the table of formats and what is told, import_tree.c
// the nodes, import_robot.c what robots of links and joints become; one file for each format.
#ifndef HOL_IMPORT_H
#define HOL_IMPORT_H

#include "holonom_draft.h"
#include "text/tree.h"
#include "text/xml.h"

// What is told of an import, in the order in which it is told.
typedef enum hol_told_kind {
    HOL_TOLD_ASSUMED,  // the source says nothing, and something must be so
    HOL_TOLD_CHANGED,  // it is the same, in other words
    HOL_TOLD_REPAIRED, // only with `lenient`
    HOL_TOLD_LEFT_OUT, // what does not move the mechanism
    HOL_TOLD_MISSED,   // what may: only with `lenient`
    HOL_TOLD_KINDS
} hol_told_kind;
typedef struct hol_told hol_told;

typedef struct hol_import {
    hol_context *ctx;
    hol_arena *arena;
    const char *file;   // its name as it was given
    const char *folder; // "" or with its last slash
    hol_import_options options;
    bool sandbox;    // no other file is looked for
    hol_names *told; // text -> item
    hol_told *item;
    int n_told, n_numbered;
    bool identifiers; // names are made such as expressions may have
    hol_src at;       // of nodes that are made
    bool no_memory;   // of what makes nodes
} hol_import;

// ---- formats --------------------------------------------------------------------------------------------------

typedef struct hol_import_format {
    const char *name, *element; // of messages; the root element of its XML; NULL: it is none, and
    bool (*begins)(const char *text, size_t length); // knows a text of it
    hol_status (*read)(hol_import *in, hol_xml *root, hol_node **model);
    hol_status (*read_text)(hol_import *in, const char *text, size_t length, hol_node **model);
} hol_import_format;
extern const hol_import_format hol_import_urdf, hol_import_mjcf, hol_import_adm;

// A model file's tree, with comments, of the text of a file; places are those in that text. HOL_ERR_MODEL: see hol_draft_import.
hol_status hol_import_parse(hol_context *ctx, hol_arena *arena, const char *name, const char *text,
                            size_t length, const hol_import_options *options, hol_node **root);
hol_status hol_import_read(hol_context *ctx, hol_arena *arena, const char *path,
                           const hol_import_options *options, hol_node **root);

// ---- what is told ---------------------------------------------------------------------------------------------

// Of a thing at a place; `name` NULL: the place says enough. Things of which the same is said are told together. text: what is the case;
// way: how it is taken, or what to do about it, or "".
hol_status hol_import_tell(hol_import *in, hol_told_kind kind, hol_src at, const char *name, const char *text,
                           const char *way);
// HOL_ERR_MODEL where something was repaired or missed without `lenient`; else a log, and the head of the file.
hol_status hol_import_settle(hol_import *in, const char **head);

// ---- names ----------------------------------------------------------------------------------------------------

// A legal name that is none of `taken`, to which it is added: characters that mean something in a model file become _, and a name given
// already gets `more`, or a number. marker: of a body. NULL: no memory.
const char *hol_import_name(hol_import *in, hol_names *taken, const char *name, const char *more,
                            bool marker);

// ---- nodes (import_tree.c) ------------------------------------------------------------------------------------

// Where there is no memory, no_memory is set, NULL comes back, and what gets NULL does nothing. key NULL: behind the last item of a list;
// into NULL: not yet in any other.
void hol_import_put(hol_import *in, hol_node *into, const char *key, hol_node *value);
hol_node *hol_import_map(hol_import *in, hol_node *into, const char *key);
hol_node *hol_import_list(hol_import *in, hol_node *into, const char *key);
void hol_import_text(hol_import *in, hol_node *into, const char *key, const char *text);
void hol_import_number(hol_import *in, hol_node *into, const char *key, double x);
void hol_import_numbers(hol_import *in, hol_node *into, const char *key, int n, const double *x);

#endif
