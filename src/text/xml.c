// Reads XML by expat into a tree of elements.
#include "text/xml.h"
#include "text/tree.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    hol_context *ctx;
    hol_arena *arena;
    XML_Parser parser;
    const char *file;
    hol_xml *root, *open; // open: the element within which the parser is
    int depth;
    char *text; // characters since the last tag
    int n, capacity;
    hol_status status;
} reader;

static hol_src place(const reader *r)
{
    return (hol_src){.file = r->file,
                     .line = (int)XML_GetCurrentLineNumber(r->parser),
                     .col = (int)XML_GetCurrentColumnNumber(r->parser) + 1};
}

static void stop(reader *r, hol_status st)
{
    if (!r->status) r->status = st;
    XML_StopParser(r->parser, XML_FALSE);
}

// ---- what expat calls -----------------------------------------------------------------------------------------

// The characters since the last tag without blanks at both ends; they are forgotten.
static const char *take_text(reader *r)
{
    static const char blanks[] = " \t\r\n";
    const char *p = r->text ? r->text : "";
    size_t n = (size_t)r->n;
    r->n = 0;
    while (n && strchr(blanks, *p)) p++, n--;
    while (n && strchr(blanks, p[n - 1])) n--;
    return n ? hol_arena_copy(r->arena, p, n) : "";
}

// Text beside elements: the first piece stays.
static void keep_text(reader *r)
{
    const char *text = take_text(r);
    if (!text) stop(r, HOL_ERR_MEMORY);
    if (r->open && text && !*r->open->text) r->open->text = text;
}

// The attributes, key and value by turns.
static bool set_attributes(hol_arena *arena, hol_xml *e, const XML_Char **pairs)
{
    while (pairs[2 * e->n]) e->n++;
    e->key = hol_arena_alloc(arena, (size_t)e->n + 1, sizeof *e->key);
    e->value = hol_arena_alloc(arena, (size_t)e->n + 1, sizeof *e->value);
    e->asked = hol_arena_alloc(arena, (size_t)e->n + 1, sizeof *e->asked);
    if (!e->key || !e->value || !e->asked) return false;
    for (int i = 0; i < e->n; i++) {
        e->key[i] = hol_arena_copy(arena, pairs[2 * i], strlen(pairs[2 * i]));
        e->value[i] = hol_arena_copy(arena, pairs[2 * i + 1], strlen(pairs[2 * i + 1]));
        if (!e->key[i] || !e->value[i]) return false;
    }
    return true;
}

// An element begins: it is the last one of that around it.
static void XMLCALL begin(void *user, const XML_Char *name, const XML_Char **pairs)
{
    reader *r = user;
    if (r->status) return;
    keep_text(r);
    if (r->depth++ == HOL_XML_DEEPEST) {
        stop(r, hol_fail_at(r->ctx, HOL_ERR_MODEL, place(r), "elements are nested deeper than %d; close them",
                            HOL_XML_DEEPEST));
        return;
    }
    hol_xml *e = hol_arena_alloc(r->arena, 1, sizeof *e);
    if (e) {
        e->at = place(r);
        e->text = "";
        e->name = hol_arena_copy(r->arena, name, strlen(name));
        e->parent = r->open;
    }
    if (!e || !e->name || !set_attributes(r->arena, e, pairs)) {
        stop(r, HOL_ERR_MEMORY);
        return;
    }
    if (!r->open)
        r->root = e;
    else if (r->open->last)
        r->open->last->next = e;
    else
        r->open->first = e;
    if (r->open) r->open->last = e;
    r->open = e;
}

static void XMLCALL end(void *user, const XML_Char *name)
{
    reader *r = user;
    (void)name;
    if (r->status) return;
    keep_text(r);
    r->depth--;
    r->open = r->open->parent;
}

// A piece of the text between two tags.
static void XMLCALL characters(void *user, const XML_Char *text, int length)
{
    reader *r = user;
    if (r->status) return;
    if (!HOL_GROW(r->ctx, r->text, r->capacity, r->n + length)) {
        stop(r, HOL_ERR_MEMORY);
        return;
    }
    memcpy(r->text + r->n, text, (size_t)length);
    r->n += length;
}

static void XMLCALL document_type(void *user, const XML_Char *name, const XML_Char *system,
                                  const XML_Char *public, int internal)
{
    reader *r = user;
    (void)name, (void)system, (void)public, (void)internal;
    if (r->status) return;
    stop(r, hol_fail_at(r->ctx, HOL_ERR_MODEL, place(r),
                        "document types and their entities are not read; take <!DOCTYPE ..> away, and write "
                        "out what its entities stand for"));
}

// ---- parsing --------------------------------------------------------------------------------------------------

// What expat found wrong.
static hol_status malformed(reader *r)
{
    const enum XML_Error code = XML_GetErrorCode(r->parser);
    if (r->status) return r->status;
    if (code == XML_ERROR_NO_MEMORY) return hol_fail(r->ctx, HOL_ERR_MEMORY, "out of memory while parsing");
    return hol_fail_at(
        r->ctx, HOL_ERR_MODEL, place(r), "this is no well-formed XML: %s%s", XML_ErrorString(code),
        code == XML_ERROR_UNDEFINED_ENTITY ? "; only &lt; &gt; &amp; &quot; &apos; and &#..; are known" : "");
}

hol_status hol_xml_parse(hol_context *ctx, hol_arena *arena, const char *name, const char *text,
                         size_t length, hol_xml **root)
{
    reader r = {.ctx = ctx, .arena = arena, .file = hol_arena_copy(arena, name, strlen(name))};
    *root = NULL;
    if (!r.file) return HOL_ERR_MEMORY;
    if (length > HOL_LONGEST_TEXT)
        return hol_fail_at(ctx, HOL_ERR_MODEL, (hol_src){.file = r.file},
                           "the text is longer than %d MB; split the model", HOL_LONGEST_TEXT >> 20);
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser) return hol_fail(ctx, HOL_ERR_MEMORY, "out of memory while parsing");
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin, end);
    XML_SetCharacterDataHandler(r.parser, characters);
    XML_SetStartDoctypeDeclHandler(r.parser, document_type);
    const bool good = XML_Parse(r.parser, text, (int)length, XML_TRUE) == XML_STATUS_OK && !r.status;
    const hol_status st = good ? HOL_OK : malformed(&r);
    if (!st) *root = r.root;
    XML_ParserFree(r.parser);
    hol_free(r.text);
    return st;
}

// ---- asking ---------------------------------------------------------------------------------------------------

const char *hol_xml_get(hol_xml *e, const char *key)
{
    for (int i = 0; i < e->n; i++) {
        if (strcmp(e->key[i], key) != 0) continue;
        e->asked[i] = true;
        return e->value[i];
    }
    return NULL;
}

hol_xml *hol_xml_next(hol_xml *e, const char *name, hol_xml *after)
{
    hol_xml *c = after ? after->next : e->first;
    while (c && strcmp(c->name, name) != 0) c = c->next;
    if (c) c->taken = true;
    return c;
}

hol_xml *hol_xml_find(hol_xml *e, const char *name) { return hol_xml_next(e, name, NULL); }

const char *hol_xml_text(hol_xml *e)
{
    e->text_asked = true;
    return e->text;
}
