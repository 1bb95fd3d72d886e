// Models made, read, edited and written by a program, without a text: drafts.
//
//     hol_draft *d = hol_draft_create(ctx, "pendulum", 2);
//     hol_item *rod = hol_draft_add(d, "bodies");
//     hol_item_text(rod, "name", "rod");
//     hol_item_number(rod, "mass", 1.2);
//     hol_item_number(rod, "inertia", 0.1);
//     hol_item *hinge = hol_draft_add(d, "joints");
//     hol_item_text(hinge, "name", "hinge");
//     hol_item_text(hinge, "type", "revolute");
//     hol_item_texts(hinge, "between", 2, (const char *const[]){"ground", "rod"});
//     hol_model *model = hol_draft_compile(d);
//     if (!model) fprintf(stderr, "%s\n", hol_context_error(ctx));
//
// A draft is what a model file says (docs/model-reference.md): a map of keys, with maps, lists and values in it, which are its
// items. Nothing here knows about kinds of bodies or joints: any key may be set, and what is wrong the compilation says.
//
// An item belongs to its draft, which frees it. It is valid until the draft is destroyed. One that was removed, with all that lies
// in it, refuses every call but those that tell something, which say what it was; one that gets another value stays the same item.
// A text that an item tells is valid until the item changes.
//
// What fails changes nothing (unless memory is at its end), and leaves a message in the draft's context that says where: "walker: error: bodies[3] thigh.mass: ..".
// A program may make all its items and look once: a draft remembers the first call that failed, and hol_draft_compile,
// hol_draft_write and hol_draft_print fail with it (hol_draft_status). An item NULL is HOL_ERR_USAGE or NULL: there is no draft then to
// remember it.
//
// A draft, like its context, is for one thread at a time. The models made of it do not depend on it and may be shared.
// Depth: at most HOL_DRAFT_DEPTH maps and lists inside each other.
#ifndef HOLONOM_DRAFT_H
#define HOLONOM_DRAFT_H

#include "holonom.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct hol_draft hol_draft;
typedef struct hol_item hol_item;

enum {
    HOL_DRAFT_DEPTH = 64, // maps and lists inside each other
    HOL_DRAFT_KEY = 255   // bytes of a key
};

// ---- drafts ---------------------------------------------------------------------------------------------------

// A model with a title (a line; NULL: none) and 2 or 3 dimensions, and nothing else. The title stands in messages where a file's
// name does, with '-' for '/'. Files that the draft names (include, tables, meshes, user code) are relative to the current folder.
hol_draft *hol_draft_create(hol_context *ctx, const char *title, int dimension);
// What a text in YAML or JSON (in UTF-8, without \u pairs) says; name: as of hol_model_parse. Values keep their places in the text for messages. Comments, and how
// the text was laid out, are not kept. Numbers stay as they are written.
hol_draft *hol_draft_parse(hol_context *ctx, const char *name, const char *text, size_t length);
// The same of a file. Files that it names are beside it. What it includes is not part of the draft, but of its models.
hol_draft *hol_draft_read(hol_context *ctx, const char *path);
// What another program's model says, a file of URDF, MJCF or Adams Solver (.adm), as docs/import.md has it. The draft's comments say by line what was
// assumed, changed and left out; hol_draft_write writes them, and the log is told. Meshes are named, not read; files that MJCF includes are, from its folder and below.
// NULL: HOL_ERR_MODEL, a wrong file, with its place, or one of which something that moves the mechanism would be left out or guessed,
// unless options->lenient; HOL_ERR_USAGE. options NULL: all 0.
typedef enum hol_import_root {
    HOL_IMPORT_ROOT, // as the format says; where it says nothing, fixed, which is told
    HOL_IMPORT_FIXED,
    HOL_IMPORT_FREE
} hol_import_root;
typedef struct hol_import_options {
    hol_import_root root; // is the first body fixed to ground, or does it float?
    bool lenient;         // what cannot be taken is left out, what is no number of a body repaired, and told
    const char *
        key; // of MJCF: the keyframe in which the model begins, by its name, or its number from 0 where it has none; NULL: the reference
} hol_import_options;
hol_draft *hol_draft_import(hol_context *ctx, const char *path, const hol_import_options *options);
void hol_draft_destroy(hol_draft *draft); // with all its items; models stay

// The model that the draft says now, checked as a file is. NULL: error, as of hol_model_parse; a value that the program has set has
// its place in the model in the message, one of a text its file, line and column. The draft may be changed and compiled again.
// Results of the model hold the draft as text, so that hol_result_model can make it again.
hol_model *hol_draft_compile(hol_draft *draft);
// A file that people can read and hol_model_load makes the same model of, bit for bit. Where it lies in another folder than what the
// draft names, the names of these files are written as they are from there; the draft stays as it is, and goes on to name files
// from its own folder. A file that the draft names is not overwritten (HOL_ERR_USAGE); the one it was read from may be, but not one that was imported.
hol_status hol_draft_write(hol_draft *draft, const char *path);
// The same text, with files named as in the draft.
hol_status hol_draft_print(hol_draft *draft, hol_print_fn print, void *user);
// "path=value", as --set takes it: "bodies.crank0.mass=2", "parameters.N=40", "newmark.gamma=0.75". What stands in an included file
// cannot be changed here (HOL_ERR_USAGE) unless the draft's own value takes its place, as of parameters. It works on a
// copy of the whole draft: many values of a large one are set by its items.
hol_status hol_draft_set(hol_draft *draft, const char *text);
// Drivers for a motion that a table (.csv) gives: its first column is the time, each further one a coordinate of a joint, named by its
// head: hinge.angle, slide.stroke, or a measure of bodies and markers, DX(platform.p), which becomes a constraint of `inverse: {drives: ..}`; in
// SI units or those of a line "# units: s,deg" or "s,deg" above the numbers. Of more measures than motions the poses are those of least squares, with the weights of a line
// "# weights: 1,4"; what is left is told. path NULL: the table that `inverse: {motion: ..}` names. Between the points are cubic splines. The end of the simulation is that of the table, where the draft has none.
// HOL_ERR_USAGE: no such joint, no head, or the motion is driven already.
hol_status hol_draft_add_motion(hol_draft *draft, const char *path);
// The first call that failed since the last time this was asked, with its message in the context; it is forgotten then.
hol_status hol_draft_status(hol_draft *draft);

// ---- making and changing --------------------------------------------------------------------------------------
//
// Where a value goes: of a map, under the key, in the place of what is there or behind all others; of a list, with the key NULL, a new
// item at its end, or with the key "[2]" in the place of the third. hol_item_map and hol_item_list take what is there.

hol_item *hol_draft_root(hol_draft *draft); // the map that is the model
// A new map at the end of a list of the model: "bodies", "joints", .. The list is made where there is none.
hol_item *hol_draft_add(hol_draft *draft, const char *list);

// The map there, made where there is none. NULL: error, also where there is a list or a value.
hol_item *hol_item_map(hol_item *item, const char *key);
hol_item *hol_item_list(hol_item *item, const char *key); // the same of a list

// A text: a name, a word, an expression, a number with its unit, "10 N/mm". Not of UTF-8 or with control characters other than tab and
// line ends: HOL_ERR_USAGE.
hol_status hol_item_text(hol_item *item, const char *key, const char *text);
// A number; the model has the same one, to the last bit, if its unit is one of SI. Not finite: HOL_ERR_USAGE.
hol_status hol_item_number(hol_item *item, const char *key, double value);
hol_status hol_item_flag(hol_item *item, const char *key, bool value);
// A list of n texts or numbers; n = 0: an empty one.
hol_status hol_item_texts(hol_item *item, const char *key, int n, const char *const *text);
hol_status hol_item_numbers(hol_item *item, const char *key, int n, const double *value);
// A copy of an item of this or another draft, with all that lies in it; NULL: error.
hol_item *hol_item_copy(hol_item *item, const char *key, const hol_item *source);

hol_status hol_item_remove(hol_item *item); // not the root
// The key of a value of a map; one that the map has already is HOL_ERR_USAGE.
hol_status hol_item_rename(hol_item *item, const char *key);
// To the i-th place of its map or list, from 0 on. Parameters may use those before them.
hol_status hol_item_move(hol_item *item, int i);

// ---- reading --------------------------------------------------------------------------------------------------

typedef enum hol_item_kind {
    HOL_ITEM_NONE, // no item
    HOL_ITEM_MAP,
    HOL_ITEM_LIST,
    HOL_ITEM_NUMBER, // a plain number, without unit
    HOL_ITEM_TEXT    // any other value: flags too, and values that are empty
} hol_item_kind;

hol_item_kind hol_item_kind_of(const hol_item *item);
int hol_item_count(const hol_item *item);              // values of a map or list; else 0
hol_item *hol_item_at(const hol_item *item, int i);    // the i-th of them; NULL: there is none
const char *hol_item_key(const hol_item *item, int i); // of the i-th of a map; NULL: there is none
hol_item *hol_item_parent(const hol_item *item);       // NULL: the root, or removed
const char *hol_item_as_text(const hol_item *item);    // of a text or number, as it is written; NULL: none
bool hol_item_as_number(const hol_item *item, double *value); // false: no plain number, *value is NaN
bool hol_item_as_flag(const hol_item *item,
                      bool *value); // yes/no, true/false, on/off, 1/0; false: none, *value is false
// The value under a key; of a list, the item of this name, or by its place, "[2]". NULL: there is none.
hol_item *hol_item_get(const hol_item *item, const char *key);
// Several steps, as --set writes them: "bodies.crank0.mass", "bodies[2].markers.tip". NULL: there is none.
hol_item *hol_item_find(const hol_item *item, const char *path);
// Where it stands, as in messages: "bodies[3] thigh.mass"; "" of the root. What does not fit is left out.
void hol_item_where(const hol_item *item, char *text, size_t size);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
