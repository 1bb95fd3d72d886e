// <include> of MJCF: what the root of another file holds stands in its place; then sections of one kind are one.
#undef _POSIX_C_SOURCE
#define _XOPEN_SOURCE 700 // realpath
#include "io/import_mjcf.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16 }; // files inside each other

// Is a file in a folder, or below, by whatever links? Both by their whole names.
static bool is_below(const char *file, const char *folder)
{
    const size_t n = strlen(folder);
    return strncmp(file, folder, n) == 0 && (file[n] == '/' || strcmp(folder, "/") == 0);
}

// The place of a file, by its whole name, noted as one that is there; an error where it may not be included.
static hol_status note(hol_mjcf *m, const hol_xml *e, const char *name, const char *there, const char *folder)
{
    const char *why = *name == '/' || !folder || (there && !is_below(there, folder))
                          ? "is not in the folder of this one, or below; put it there"
                      : !there                               ? "is not there"
                      : hol_names_find(m->files, there) >= 0 ? "is there already: each is included once"
                                                             : NULL;
    return why ? hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<include>: the file \"%.200s\" %s", name, why)
               : hol_names_add(m->files, there, 0);
}

// The way to the file that is named.
static hol_status find_file(hol_mjcf *m, hol_xml *e, const char **path)
{
    const char *name;
    hol_status st = hol_import_word(m->in, e, "file", &name);
    if (st) return st;
    if (m->in->sandbox)
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at,
                           "<include>: no other file is read here; write what it holds into this one");
    *path = hol_arena_print(m->in->arena, "%s%s", m->in->folder, name);
    if (!*path) return HOL_ERR_MEMORY;
    char *there = realpath(*path, NULL), *folder = realpath(*m->in->folder ? m->in->folder : ".", NULL);
    st = note(m, e, name, there, folder);
    free(there);
    free(folder);
    return st;
}

// The root of the file.
static hol_status read_file(hol_mjcf *m, hol_xml *e, hol_xml **root)
{
    const char *path = NULL;
    char *text;
    size_t length;
    hol_status st = find_file(m, e, &path);
    if (!st) st = hol_text_read(m->in->ctx, path, &text, &length);
    if (st) return st;
    st = hol_xml_parse(m->in->ctx, m->in->arena, path, text, length, root);
    hol_free(text);
    if (st || strcmp((*root)->name, "mujoco") == 0 || strcmp((*root)->name, "mujocoinclude") == 0) return st;
    return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, (*root)->at,
                       "the root of a file that is included is <mujoco> or <mujocoinclude>, not <%.60s>",
                       (*root)->name);
}

// What `from` holds comes behind e, or into `around` as the first where e is NULL.
static void put_behind(hol_xml *around, hol_xml *e, hol_xml *from)
{
    if (!from->first) return;
    for (hol_xml *c = from->first; c; c = c->next) c->parent = around;
    from->last->next = e ? e->next : around->first;
    if (around->last == e) around->last = from->last;
    *(e ? &e->next : &around->first) = from->first;
    from->first = from->last = NULL;
}

// Takes the element behind `before` out of the list.
static void take_out(hol_xml *around, hol_xml *before)
{
    hol_xml **place = before ? &before->next : &around->first;
    if (around->last == *place) around->last = before;
    *place = (*place)->next;
}

// Opens all <include> below; deep: so many files stand around.
static hol_status open_includes(hol_mjcf *m, hol_xml *around, int deep)
{
    hol_xml *before = NULL;
    hol_status st = HOL_OK;
    for (hol_xml *e = around->first; e && !st; e = before ? before->next : around->first) {
        if (strcmp(e->name, "include") != 0) {
            st = open_includes(m, e, deep);
            before = e;
            continue;
        }
        hol_xml *root = NULL;
        if (deep == DEEPEST)
            return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at,
                               "<include>: files include each other deeper than %d", DEEPEST);
        st = read_file(m, e, &root);
        if (!st) st = open_includes(m, root, deep + 1);
        if (st) return st;
        hol_xml *last = root->last ? root->last : before;
        put_behind(around, e, root);
        take_out(around, before);
        before = last;
    }
    return st;
}

// Sections of a name become the first of them; those of classes stay apart.
static void merge_sections(hol_xml *root)
{
    static const char *const sections[] = {"worldbody", "asset",  "contact", "equality", "tendon",
                                           "actuator",  "sensor", "custom",  "keyframe"};
    for (int k = 0; k < HOL_COUNT(sections); k++) {
        hol_xml *first = NULL, *before = NULL;
        for (hol_xml *e = root->first; e; e = before ? before->next : root->first) {
            const bool is = strcmp(e->name, sections[k]) == 0, again = is && first && e->n == 0;
            if (is && !first) first = e;
            if (again) {
                put_behind(first, first->last, e);
                take_out(root, before);
            } else
                before = e;
        }
    }
}

hol_status hol_mjcf_include(hol_mjcf *m)
{
    char *own = m->in->sandbox ? NULL : realpath(m->in->file, NULL);
    hol_status st = own ? hol_names_add(m->files, own, 0) : HOL_OK;
    free(own);
    if (!st) st = open_includes(m, m->root, 0);
    if (!st) merge_sections(m->root);
    return st;
}
