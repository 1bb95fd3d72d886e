// Drafts: models without a text. Made, read, compiled, written; what is in them is item.c's.
#include "api/api.h"
#include "api/draft.h"
#include "base/file.h"
#include "io/import.h"
#include "model/files.h"
#include "model/read.h"
#include "text/characters.h"
#include "text/write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// ---- making ---------------------------------------------------------------------------------------------------

// A draft without a root. file: its name, of which `shown` is what stands in messages.
static hol_draft *new_draft(hol_context *ctx, const char *file, const char *shown)
{
    hol_arena *arena = hol_arena_create(ctx);
    hol_draft *d = arena ? hol_arena_alloc(arena, 1, sizeof *d) : NULL;
    if (d) {
        d->ctx = ctx;
        d->arena = arena;
        d->is_file = true;
        d->file = hol_arena_copy(arena, file, strlen(file));
        d->shown = hol_arena_copy(arena, shown, strlen(shown));
    }
    if (d && d->file && d->shown) return d;
    hol_arena_destroy(arena);
    return NULL;
}

void hol_draft_destroy(hol_draft *draft)
{
    if (draft) hol_arena_destroy(draft->arena);
}

// A line of text, which a title is.
static hol_status check_title(hol_context *ctx, const char *title)
{
    char why[HOL_CHARACTER_WHY];
    bool coded;
    const size_t length = title ? strlen(title) : 0;
    if (!title) return HOL_OK;
    if (hol_text_good(title, length, why, &coded) < length)
        return hol_fail(ctx, HOL_ERR_USAGE, "hol_draft_create: the title: %s", why);
    return !strpbrk(title, "\r\n") ? HOL_OK
                                   : hol_fail(ctx, HOL_ERR_USAGE, "hol_draft_create: a title is one line");
}

hol_draft *hol_draft_create(hol_context *ctx, const char *title, int dimension)
{
    if (HOL_NEED(ctx, ctx)) return NULL;
    hol_context_clear(ctx);
    if (check_title(ctx, title)) return NULL;
    if (dimension != 2 && dimension != 3) {
        hol_fail(ctx, HOL_ERR_USAGE, "a draft of dimension %d is asked for: there are 2 and 3", dimension);
        return NULL;
    }
    const char *name = title && *title ? title : "draft";
    hol_draft *d = new_draft(ctx, name, name);
    if (!d) return NULL;
    for (char *p = (char *)d->file; (p = strchr(p, '/')); p++) *p = '-'; // no folder
    d->shown = d->file;
    d->is_file = false;
    const hol_node empty = {.kind = HOL_NODE_MAP, .text = ""};
    d->root = hol_item_make(d, &empty, false);
    hol_status st = d->root ? HOL_OK : HOL_ERR_MEMORY;
    if (!st && title) st = hol_item_text(d->root, "title", title);
    if (!st) st = hol_item_number(d->root, "dimension", dimension);
    if (!st) return d;
    hol_draft_destroy(d);
    return NULL;
}

// The items of a tree that was read; on failure the draft is freed. tree: the arena of the nodes, which is freed.
static hol_draft *with_items(hol_draft *d, hol_status st, const hol_node *root, hol_arena *tree)
{
    if (!st && root->kind != HOL_NODE_MAP)
        st = hol_fail_at(d->ctx, HOL_ERR_MODEL, root->at,
                         "a model file is a map: dimension: .., bodies: .., joints: ..");
    if (!st) st = hol_item_check(d, root, HOL_ERR_MODEL);
    if (!st && !(d->root = hol_item_make(d, root, true))) st = HOL_ERR_MEMORY;
    hol_arena_destroy(tree);
    if (!st) return d;
    hol_draft_destroy(d);
    return NULL;
}

hol_draft *hol_draft_parse(hol_context *ctx, const char *name, const char *text, size_t length)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, name) || HOL_NEED(ctx, text)) return NULL;
    hol_context_clear(ctx);
    hol_node *root = NULL;
    hol_arena *tree = hol_arena_create(ctx);
    hol_draft *d = tree ? new_draft(ctx, name, name) : NULL;
    if (d) {
        const hol_status st = hol_tree_parse(ctx, tree, name, text, length, &root);
        return with_items(d, st, root, tree);
    }
    hol_arena_destroy(tree);
    return NULL;
}

hol_draft *hol_draft_read(hol_context *ctx, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, path)) return NULL;
    hol_context_clear(ctx);
    hol_node *root = NULL;
    hol_arena *tree = hol_arena_create(ctx);
    hol_draft *d = tree ? new_draft(ctx, path, strcmp(path, "-") == 0 ? "<stdin>" : path) : NULL;
    if (d) {
        const hol_status st = hol_tree_read(ctx, tree, path, &root);
        return with_items(d, st, root, tree);
    }
    hol_arena_destroy(tree);
    return NULL;
}

hol_draft *hol_draft_import(hol_context *ctx, const char *path, const hol_import_options *options)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, path)) return NULL;
    hol_context_clear(ctx);
    if (options && (unsigned)options->root > HOL_IMPORT_FREE) {
        hol_fail(ctx, HOL_ERR_USAGE, "hol_draft_import: root %d is asked for: there are %d to %d",
                 (int)options->root, (int)HOL_IMPORT_ROOT, (int)HOL_IMPORT_FREE);
        return NULL;
    }
    hol_node *root = NULL;
    hol_arena *tree = hol_arena_create(ctx);
    hol_draft *d = tree ? new_draft(ctx, path, strcmp(path, "-") == 0 ? "<stdin>" : path) : NULL;
    if (d) {
        const hol_status st = hol_import_read(ctx, tree, path, options, &root);
        d->imported = true;
        return with_items(d, st, root, tree);
    }
    hol_arena_destroy(tree);
    return NULL;
}

hol_item *hol_draft_root(hol_draft *draft) { return draft ? draft->root : NULL; }

hol_item *hol_draft_add(hol_draft *draft, const char *list)
{
    if (!draft) return NULL;
    hol_context_begin(draft->ctx);
    if (hol_draft_note(draft, HOL_NEED(draft->ctx, list))) return NULL;
    hol_item *items = hol_item_list(draft->root, list);
    return items ? hol_item_map(items, NULL) : NULL;
}

hol_status hol_draft_status(hol_draft *draft)
{
    if (!draft) return HOL_ERR_USAGE;
    const hol_status st = draft->status;
    draft->status = HOL_OK;
    if (!st) return HOL_OK;
    hol_context_clear(draft->ctx);
    return hol_fail(draft->ctx, st, "%s", draft->said);
}

// Calls that need all the others to have been good.
static hol_status begin(const hol_draft *d)
{
    hol_context_clear(d->ctx);
    return d->status ? hol_fail(d->ctx, d->status, "%s", d->said) : HOL_OK;
}

// ---- setting --------------------------------------------------------------------------------------------------

// On a copy of the tree, as --set does it; the items follow.
static hol_status set_value(hol_draft *d, const char *text)
{
    char why[HOL_CHARACTER_WHY];
    bool coded;
    const size_t length = strlen(text);
    if (hol_text_good(text, length, why, &coded) < length)
        return hol_fail(d->ctx, HOL_ERR_USAGE, "--set %.*s..: %s",
                        (int)hol_text_good(text, length, why, &coded), text, why);
    hol_arena *arena = hol_arena_create(d->ctx);
    hol_node *root = arena ? hol_node_copy(d->ctx, arena, &d->root->node, d->shown, "") : NULL;
    hol_status st = root ? hol_tree_assign(d->ctx, arena, d->file, root, text) : HOL_ERR_MEMORY;
    if (!st) st = hol_item_check(d, root, HOL_ERR_USAGE);
    if (!st) st = hol_item_follow(d->root, root);
    hol_arena_destroy(arena);
    return st;
}

hol_status hol_draft_set(hol_draft *draft, const char *text)
{
    if (!draft) return HOL_ERR_USAGE;
    hol_context_clear(draft->ctx);
    hol_status st = HOL_NEED(draft->ctx, text);
    if (!st) st = set_value(draft, text);
    return hol_draft_note(draft, st);
}

// As a model takes them: of two for one value none is dropped.
static hol_status check_once(hol_draft *d, const char *const *set, int n)
{
    hol_spec *spec = n > 1 ? hol_spec_start(d->ctx, d->file) : NULL;
    if (!spec) return n > 1 ? HOL_ERR_MEMORY : HOL_OK;
    hol_node *root = hol_node_copy(d->ctx, spec->arena, &d->root->node, d->shown, "");
    hol_status st = root ? hol_tree_include(spec, spec->file, root) : HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++)
        st = hol_tree_override(d->ctx, spec->arena, &spec->systems, &spec->subsystems, root, set[i], true);
    hol_spec_destroy(spec);
    return st;
}

hol_status hol_draft_set_all(hol_draft *draft, const char *const *set, int n)
{
    hol_status st = hol_draft_note(draft, check_once(draft, set, n));
    for (int i = 0; i < n && !st; i++) st = hol_draft_set(draft, set[i]);
    return st;
}

// ---- compiling ------------------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    char *text;
    int n, capacity;
    bool failed, too_long;
} buffer;

// A piece of the text into the buffer, as long as that can be read again.
static void add_piece(void *user, const char *piece)
{
    buffer *b = user;
    const size_t length = strlen(piece);
    b->too_long = b->too_long || (size_t)b->n + length > HOL_LONGEST_TEXT;
    if (b->failed || b->too_long) return;
    b->failed = !HOL_GROW(b->ctx, b->text, b->capacity, b->n + (int)length + 1);
    if (b->failed) return;
    memcpy(b->text + b->n, piece, length + 1);
    b->n += (int)length;
}

hol_model *hol_draft_compile(hol_draft *draft)
{
    if (!draft || begin(draft)) return NULL;
    buffer b = {.ctx = draft->ctx};
    hol_tree_write(&draft->root->node, add_piece, &b);
    hol_spec *spec = b.failed ? NULL
                              : hol_spec_read_tree(draft->ctx, draft->file, draft->is_file,
                                                   &draft->root->node, b.too_long ? NULL : b.text);
    hol_free(b.text);
    return hol_model_of(draft->ctx, spec);
}

// ---- writing --------------------------------------------------------------------------------------------------

hol_status hol_draft_print(hol_draft *draft, hol_print_fn print, void *user)
{
    if (!draft) return HOL_ERR_USAGE;
    hol_status st = begin(draft);
    if (!st) st = hol_need(draft->ctx, __func__, "print", print ? draft : NULL);
    if (!st) hol_tree_write(&draft->root->node, print, user);
    return st;
}

// A file to be written, and how those that the draft names are called from there.
typedef struct {
    hol_draft *d;
    hol_arena *arena;
    const char *path, *way; // way: "" in the same folder
} move;

// One name of a file in the tree that is written.
static hol_status move_name(void *user, hol_node *name)
{
    const move *m = user;
    const char *own = m->d->file, *slash = strrchr(own, '/');
    const bool whole = name->text[0] == '/' || !name->text[0];
    const char *there =
        hol_arena_print(m->arena, "%.*s%s", slash && !whole ? (int)(slash - own) + 1 : 0, own, name->text);
    if (!there) return HOL_ERR_MEMORY;
    if (hol_same_place(there, m->path))
        return hol_fail(m->d->ctx, HOL_ERR_USAGE,
                        "%s is read by the draft (%s) and would be overwritten: give another name", m->path,
                        name->text);
    if (whole || !*m->way) return HOL_OK;
    name->text = hol_arena_print(m->arena, "%s%s", m->way, name->text);
    return name->text ? HOL_OK : HOL_ERR_MEMORY;
}

// The tree as it is to be written.
static hol_status tree_to_write(const move *m, hol_node **root)
{
    hol_draft *d = m->d;
    *root = hol_node_copy(d->ctx, m->arena, &d->root->node, d->shown, "");
    if (!*root || !m->way) return HOL_ERR_MEMORY;
    if (strchr(m->way, '{'))
        return hol_fail(
            d->ctx, HOL_ERR_USAGE,
            "%s: files of the draft are in a folder with \"{\" in its name (%s), which in a model file is "
            "an index: write it into the folder of the draft",
            m->path, m->way);
    return hol_tree_files(*root, move_name, (void *)m);
}

typedef struct {
    FILE *file;
    size_t n;
} stream;

static void write_piece(void *user, const char *piece)
{
    stream *s = user;
    s->n += strlen(piece);
    if (s->n <= HOL_LONGEST_TEXT) fputs(piece, s->file);
}

// The file appears when all is written.
static hol_status write_tree(hol_context *ctx, const hol_node *root, const char *path)
{
    hol_output o;
    if (!hol_output_open(ctx, &o, path, HOL_OUTPUT_WHOLE)) return hol_output_fail(ctx, &o, path);
    stream s = {.file = o.file};
    errno = 0;
    hol_tree_write(root, write_piece, &s);
    const bool fits = s.n <= HOL_LONGEST_TEXT;
    if (hol_output_close(&o, fits && !ferror(o.file)) && fits) return HOL_OK;
    return fits ? hol_output_fail(ctx, &o, path)
                : hol_fail(
                      ctx, HOL_ERR_USAGE,
                      "%s: the text would be longer than %d MB, which is not read: make several files that "
                      "`include:` each other",
                      path, HOL_LONGEST_TEXT >> 20);
}

hol_status hol_draft_write(hol_draft *draft, const char *path)
{
    if (!draft) return HOL_ERR_USAGE;
    hol_status st = begin(draft);
    if (!st) st = HOL_NEED(draft->ctx, path);
    if (!st && draft->imported && hol_same_place(draft->file, path))
        st = hol_fail(draft->ctx, HOL_ERR_USAGE,
                      "%s is what was imported and would be overwritten: give another name", path);
    if (st) return st;
    char *way = hol_folder_way(draft->ctx, path, draft->file);
    const move m = {draft, hol_arena_create(draft->ctx), path, way};
    hol_node *root = NULL;
    st = m.arena ? tree_to_write(&m, &root) : HOL_ERR_MEMORY;
    if (!st) st = write_tree(draft->ctx, root, path);
    hol_arena_destroy(m.arena);
    hol_free(way);
    return st;
}
