// What an import tells: things that were assumed, changed, left out, collected by what is said of them; and names that are made legal.
#include "io/import.h"
#include "model/reader.h"
#include "text/characters.h"

#include <stdio.h>
#include <string.h>

// Things told of in the file, by names there, in a message; characters of a line, and by how much further ones are indented.
enum { MOST = 500, NAMED = 12, SHOWN = 3, WIDTH = 100, INDENT = 2 };

typedef struct thing {
    hol_src at;
    const char *name;
    struct thing *next;
} thing;

struct hol_told {
    hol_told_kind kind;
    const char *text, *way;
    int n; // things
    thing *first, *last;
};

// Kinds as the file has them; lenient: it goes on with `lenient` only.
static const struct {
    const char *title;
    bool lenient;
    hol_severity severity;
} kinds[HOL_TOLD_KINDS] = {{"Assumed:", false, HOL_NOTICE},
                           {"Said in other words:", false, HOL_NOTICE},
                           {"Repaired:", true, HOL_WARNING},
                           {"Left out, no part of the motion:", false, HOL_NOTICE},
                           {"Left out, though the motion may depend on it:", true, HOL_WARNING}};

hol_status hol_import_tell(hol_import *in, hol_told_kind kind, hol_src at, const char *name, const char *text,
                           const char *way)
{
    const char *key = hol_arena_print(in->arena, "%d%s", (int)kind, text);
    thing *t = hol_arena_alloc(in->arena, 1, sizeof *t);
    if (!key || !t) return HOL_ERR_MEMORY;
    int i = hol_names_find(in->told, key);
    if (i < 0) {
        i = in->n_told;
        if (!HOL_ARENA_GROW(in->arena, in->item, in->n_told)) return HOL_ERR_MEMORY;
        const hol_status st = hol_names_add(in->told, key, i);
        if (st) return st;
        in->item[in->n_told++] = (hol_told){.kind = kind, .text = key + 1, .way = way};
    }
    hol_told *item = &in->item[i];
    *t = (thing){at, name, NULL};
    if (!item->first)
        item->first = t;
    else if (item->n < MOST)
        item->last->next = t;
    if (item->n++ < MOST) item->last = t;
    return HOL_OK;
}

// ---- the head of the file -------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    char *text;
    int n, capacity, column, indent;
    bool failed;
} page;

// n bytes behind what there is.
static void put(page *p, const char *text, int n)
{
    if (p->failed || !HOL_GROW(p->ctx, p->text, p->capacity, p->n + n + 1)) {
        p->failed = true;
        return;
    }
    memcpy(p->text + p->n, text, (size_t)n);
    p->n += n;
    p->text[p->n] = 0;
    p->column += n;
}

static void new_line(page *p, int indent)
{
    if (p->n) put(p, "\n", 1);
    p->column = 0;
    p->indent = indent;
    for (int i = 0; i < indent; i++) put(p, " ", 1);
}

// n bytes that stay together, on a new line where this one would be too long.
static void put_word(page *p, const char *text, int n)
{
    const bool first = p->column <= p->indent;
    if (!first && p->column + 1 + n > WIDTH)
        new_line(p, 2 * INDENT);
    else if (!first)
        put(p, " ", 1);
    put(p, text, n);
}

static void put_words(page *p, const char *text)
{
    for (text += strspn(text, " \n\t\r"); *text; text += strspn(text, " \n\t\r")) {
        const int n = (int)strcspn(text, " \n\t\r");
        put_word(p, text, n);
        text += n;
    }
}

// "line 3", "elbow (line 3)", or where there are many "3", of another file than the one that is imported with its name.
static void put_thing(page *p, const thing *t, bool many, const char *file, const char *comma)
{
    char text[500], line[250];
    if (strcmp(t->at.file, file) == 0)
        snprintf(line, sizeof line, "%s%d", many ? "" : "line ", t->at.line);
    else
        snprintf(line, sizeof line, "%.200s:%d", t->at.file, t->at.line);
    if (many || !t->name)
        snprintf(text, sizeof text, "%s%s", line, comma);
    else
        snprintf(text, sizeof text, "%.200s (%s)%s", t->name, line, comma);
    put_word(p, text, (int)strlen(text));
}

// One item: what is said, and of which things in which lines; of many the lines alone.
static void put_item(page *p, const hol_told *item, const char *file)
{
    const bool many = item->n > NAMED;
    char text[300];
    new_line(p, INDENT);
    put_words(p, item->text);
    if (*item->way) put(p, ";", 1), put_words(p, item->way);
    put(p, ":", 1);
    if (many) put_words(p, "lines");
    for (const thing *t = item->first; t; t = t->next)
        put_thing(p, t, many, file, t->next || item->n > MOST ? "," : "");
    snprintf(text, sizeof text, "and %d more", item->n - MOST);
    if (item->n > MOST) put_words(p, text);
}

// What is told, by kinds, as lines of a comment.
static hol_status write_head(hol_import *in, const char **head)
{
    page p = {.ctx = in->ctx};
    const char *slash = strrchr(in->file, '/');
    new_line(&p, 0);
    put_words(&p, "Imported from");
    put_words(&p, slash ? slash + 1 : in->file);
    put_words(&p, "by holonom " HOL_VERSION "; lines are those of that file.");
    for (int kind = 0; kind < HOL_TOLD_KINDS; kind++) {
        bool begun = false;
        for (int i = 0; i < in->n_told; i++) {
            if ((int)in->item[i].kind != kind) continue;
            if (!begun) new_line(&p, 0), put_words(&p, kinds[kind].title);
            begun = true;
            put_item(&p, &in->item[i], in->file);
        }
    }
    *head = p.failed ? NULL : hol_arena_copy(in->arena, p.text, (size_t)p.n);
    hol_free(p.text);
    return *head ? HOL_OK : HOL_ERR_MEMORY;
}

// ---- messages -------------------------------------------------------------------------------------------------

enum { NAMES = 300, MOST_NOTES = 64 }; // bytes; notes of one import

// ": elbow, wrist and 3 more"; "" of one thing without a name.
static const char *names_of(const hol_told *item, char out[NAMES])
{
    int n = 0, shown = 0;
    out[0] = 0;
    for (const thing *t = item->first; t && shown < SHOWN && t->name; t = t->next, shown++)
        n += snprintf(out + n, (size_t)(NAMES - n), "%s%.60s", shown ? ", " : ": ", t->name);
    if (shown && item->n > shown)
        snprintf(out + n, (size_t)(NAMES - n), " and %d more", item->n - shown);
    else if (!shown && item->n > 1)
        snprintf(out, NAMES, ": here and in %d more place%s", item->n - 1, item->n > 2 ? "s" : "");
    return out;
}

// The first item that only `lenient` goes on with is the error, all others are told before.
hol_status hol_import_settle(hol_import *in, const char **head)
{
    char names[NAMES];
    const hol_told *wrong = NULL;
    int told = 0;
    for (int i = 0; i < in->n_told; i++) {
        const hol_told *item = &in->item[i];
        if (kinds[item->kind].lenient && !in->options.lenient && !wrong)
            wrong = item;
        else if (told++ < MOST_NOTES)
            hol_note(in->ctx, kinds[item->kind].severity, "%s:%d: %s%s%s%s", item->first->at.file,
                     item->first->at.line, item->text, *item->way ? "; " : "", item->way,
                     names_of(item, names));
    }
    if (told > MOST_NOTES)
        hol_note(in->ctx, HOL_WARNING, "%s: %d more such notes; a model that is written has all of them",
                 in->file, told - MOST_NOTES);
    if (!wrong) return write_head(in, head);
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, wrong->first->at,
                       "%s%s; correct it, or import with --lenient: %s", wrong->text, names_of(wrong, names),
                       *wrong->way ? wrong->way : "it is left out");
}

// ---- names ----------------------------------------------------------------------------------------------------

enum { LONGEST = 120, FEW = 9 }; // bytes of a name; numbers that are tried for each

// Characters that a name may not have, or that mean something where names are used, become "_".
static void make_legal(const char *name, bool identifier, char out[LONGEST + 2])
{
    unsigned point;
    const char *what;
    int n = 0;
    const unsigned char c = (unsigned char)*name;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    if (!letter) out[n++] = '_';
    for (const char *p = name; *p && n < LONGEST - 4;) {
        uint32_t code;
        const int unseen = hol_unseen_length(p, &point, &what);
        int length = hol_utf8_decode(p, strnlen(p, HOL_UTF8_MOST), &code);
        const bool bad = unseen || !length || !hol_is_printable(code) || hol_is_break(code) ||
                         (code < 0x80 && strchr(" .,:='\"()[]{}<>|#&*!%@`~^+?;\\", (int)code)) ||
                         (identifier && (code >= 0x80 || strchr("-/$", (int)code)));
        if (!length) length = 1;
        if (bad)
            out[n++] = '_';
        else
            for (int i = 0; i < length; i++) out[n++] = p[i];
        p += unseen > length ? unseen : length;
    }
    out[n] = 0;
}

static bool is_free(const hol_import *in, const hol_names *taken, const char *name, bool marker)
{
    if (in->identifiers && hol_name_is_reserved(name)) return false;
    return hol_names_find(taken, name) < 0 && !(marker ? hol_name_is_column(name) : hol_name_is_taken(name));
}

const char *hol_import_name(hol_import *in, hol_names *taken, const char *name, const char *more, bool marker)
{
    char base[LONGEST + 2];
    make_legal(name, in->identifiers, base);
    const char *own = hol_arena_copy(in->arena, base, strlen(base));
    if (own && !is_free(in, taken, own, marker)) own = hol_arena_print(in->arena, "%s%s", base, more);
    for (int i = 2; own && !is_free(in, taken, own, marker); i = i < FEW ? i + 1 : FEW + ++in->n_numbered)
        own = hol_arena_print(in->arena, "%s%s_%d", base, more, i);
    return own && !hol_names_add(taken, own, 0) ? own : NULL;
}
