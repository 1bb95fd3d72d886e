// Writes a tree as YAML: layout, and which texts need quotes so that libyaml, the braces of indices and the refusals of what YAML
// has cut (cut.c) give back the same.
#include "text/write.h"
#include "text/braces.h"
#include "text/characters.h"
#include "text/cut.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, STEP = 2, PIECE = 1024 };

typedef struct writer {
    hol_print_fn print; // NULL: only counts, up to `most`
    void *user;
    size_t n, most; // characters on the line; of what is only counted
    char piece[PIECE];
    size_t used;
} writer;

static void flush(writer *w)
{
    w->piece[w->used] = 0;
    if (w->used) w->print(w->user, w->piece);
    w->used = 0;
}

static void put(writer *w, const char *text)
{
    for (; *text; text++) {
        w->n += ((unsigned char)*text & 0xc0) != 0x80;
        if (!w->print) continue;
        if (w->used == PIECE - 1) flush(w);
        w->piece[w->used++] = *text;
    }
}

static void end_line(writer *w)
{
    put(w, "\n");
    w->n = 0;
}

static void indent(writer *w, int columns)
{
    for (int i = 0; i < columns; i++) put(w, " ");
}

// ---- scalars --------------------------------------------------------------------------------------------------

// One character between double quotes; returns its bytes.
static int put_character(writer *w, const char *text)
{
    uint32_t c;
    char escape[12];
    int n = hol_utf8_decode(text, strnlen(text, HOL_UTF8_MOST), &c);
    if (n == 0) n = 1, c = (unsigned char)*text; // never of a tree
    const char *letter = c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : NULL;
    if (letter)
        snprintf(escape, sizeof escape, "%s", letter);
    else if (c == '"' || c == '\\')
        snprintf(escape, sizeof escape, "\\%c", (char)c);
    else if (hol_is_printable(c) && !hol_is_break(c))
        snprintf(escape, sizeof escape, "%.*s", n, text);
    else
        snprintf(escape, sizeof escape, c < 0x100 ? "\\x%02X" : "\\u%04X", (unsigned)c);
    put(w, escape);
    return n;
}

// Characters that a plain text cannot have: those that end it, and what is written by escapes.
static bool has_other_than_plain(const char *text, bool flow)
{
    for (const char *p = text; *p;) {
        uint32_t c;
        const int n = hol_utf8_decode(p, strnlen(p, HOL_UTF8_MOST), &c);
        if (n == 0 || !hol_is_printable(c) || hol_is_break(c) || c == '\t') return true;
        if (c == ':' && (flow || p[1] == ' ' || !p[1])) return true;
        if (c == '#' && p > text && p[-1] == ' ') return true;
        if (flow && strchr(",[]?", (int)c) && c < 0x80) return true;
        p += n;
    }
    return false;
}

// Braces that are no index, crank{i}: YAML takes these for a map, and braces.c may take them for an index with what follows.
static bool has_other_braces(const char *text)
{
    int open = 0;
    for (const char *p = text; *p; p++) {
        const bool index = *p == '{' && p > text && hol_braces_after(p[-1]);
        if ((*p == '{' && (!index || open++)) || (*p == '}' && !open--)) return true;
        if (open && strchr("\"':,\n", *p)) return true;
    }
    return open != 0;
}

// What cut.c takes for an expression in two pieces, or for numbers without a comma between them.
static bool looks_cut(const char *text)
{
    const hol_node plain = {.kind = HOL_NODE_SCALAR, .text = text};
    int open = 0;
    for (const char *p = text; *p; p++) open += (*p == '(') - (*p == ')');
    return open != 0 || hol_lacks_commas(&plain);
}

// Would it be read as something else, or not at all? flow: it stands between brackets.
static bool needs_quotes(const hol_node *s, bool flow)
{
    const char *text = s->text;
    const size_t length = strlen(text);
    double x;
    if (!length || text[length - 1] == ' ' || strchr(" ,[]{}#&*!|>'\"%@`?:~=", *text)) return true;
    if (*text == '-' && (!text[1] || text[1] == ' ')) return true;
    if (strncmp(text, "---", 3) == 0 || strncmp(text, "...", 3) == 0 || strcmp(text, "<<") == 0) return true;
    if (s->quoted && hol_text_number(text, &x)) return true; // it stays a text
    return has_other_than_plain(text, flow) || has_other_braces(text) || looks_cut(text);
}

static void scalar(writer *w, const hol_node *s, bool flow)
{
    if (!needs_quotes(s, flow)) {
        put(w, s->text);
        return;
    }
    put(w, "\"");
    for (const char *p = s->text; *p;) p += put_character(w, p);
    put(w, "\"");
}

// ---- on a line ------------------------------------------------------------------------------------------------

static void flow(writer *w, const hol_node *node);

static void flow_pair(writer *w, const hol_node *map, int i)
{
    scalar(w, map->key[i], true);
    put(w, ": ");
    flow(w, map->value[i]);
}

// Between brackets; a map of one pair needs none in a list: [ground: [0, 1], rod.tip].
static void flow(writer *w, const hol_node *node)
{
    if (node->kind == HOL_NODE_SCALAR) {
        scalar(w, node, true);
        return;
    }
    const bool map = node->kind == HOL_NODE_MAP;
    put(w, map ? "{" : "[");
    for (int i = 0; i < node->n && (w->print || w->n <= w->most); i++) {
        const hol_node *item = node->value[i];
        if (i) put(w, ", ");
        if (map)
            flow_pair(w, node, i);
        else if (item->kind == HOL_NODE_MAP && item->n == 1)
            flow_pair(w, item, 0);
        else
            flow(w, item);
    }
    put(w, map ? "}" : "]");
}

// Characters of a node between brackets; beyond `most` it is only known to have more.
static size_t length_of(const hol_node *node, size_t most)
{
    writer count = {.most = most};
    flow(&count, node);
    return count.n;
}

// Is there room for it on the line, behind a blank?
static bool fits(const writer *w, const hol_node *node)
{
    const size_t used = w->n + 1;
    return used < WIDTH && length_of(node, WIDTH - used) <= WIDTH - used;
}

static bool is_plain_list(const hol_node *node)
{
    bool plain = node->kind == HOL_NODE_SEQUENCE;
    for (int i = 0; i < node->n && plain; i++) plain = node->value[i]->kind == HOL_NODE_SCALAR;
    return plain;
}

// A list of scalars on several lines.
static void wrapped(writer *w, const hol_node *list, int margin)
{
    put(w, "[");
    for (int i = 0; i < list->n; i++) {
        const size_t room = length_of(list->value[i], WIDTH) + 2; // with what follows it
        if (i) put(w, ",");
        if (i && w->n + room > WIDTH) {
            end_line(w);
            indent(w, margin);
        } else if (i)
            put(w, " ");
        flow(w, list->value[i]);
    }
    put(w, "]");
}

// ---- comments -------------------------------------------------------------------------------------------------

// The lines of a comment, each behind "# "; what a file cannot hold becomes "?".
static void comment(writer *w, const hol_node *node, int margin)
{
    const char *p = node->comment;
    while (p && *p) {
        const char *end = p + strcspn(p, "\n");
        indent(w, margin);
        put(w, p < end ? "# " : "#");
        while (p < end) {
            char one[8];
            uint32_t c;
            int n = hol_utf8_decode(p, (size_t)(end - p), &c);
            const bool good = n && hol_is_printable(c) && !hol_is_break(c);
            if (!n) n = 1;
            snprintf(one, sizeof one, "%.*s", good ? n : 1, good ? p : "?");
            put(w, one);
            p += n;
        }
        end_line(w);
        p += *p == '\n';
    }
}

// ---- by lines -------------------------------------------------------------------------------------------------

static void block(writer *w, const hol_node *node, int margin, bool begun);

// Behind a key or a dash, to the end of the line or of the block below it. open: a map or list of others gets lines of its own even
// where it would fit.
static void value(writer *w, const hol_node *node, int margin, bool open)
{
    const bool plain = node->kind == HOL_NODE_SCALAR, list = is_plain_list(node);
    const bool line = plain || !node->n || ((list || !open) && fits(w, node));
    if (!line && !list) {
        end_line(w);
        block(w, node, margin, false);
        return;
    }
    put(w, " ");
    if (plain)
        scalar(w, node, false);
    else if (line)
        flow(w, node);
    else
        wrapped(w, node, margin);
    end_line(w);
}

// A map or list, not empty, by lines that begin at the margin; begun: the first one stands behind a dash already.
static void block(writer *w, const hol_node *node, int margin, bool begun)
{
    for (int i = 0; i < node->n; i++) {
        const hol_node *item = node->value[i];
        if (node->kind == HOL_NODE_SEQUENCE && margin == STEP) comment(w, item, margin);
        if (i || !begun) indent(w, margin);
        if (node->kind == HOL_NODE_MAP) {
            scalar(w, node->key[i], true);
            put(w, ":");
            value(w, item, margin + STEP, false);
            continue;
        }
        put(w, "-");
        if (item->kind != HOL_NODE_MAP || !item->n || (item->n > 1 && fits(w, item))) {
            value(w, item, margin + STEP, false);
            continue;
        }
        put(w, " ");
        block(w, item, margin + STEP, true);
    }
}

void hol_tree_write(const hol_node *root, hol_print_fn print, void *user)
{
    writer w = {.print = print, .user = user};
    comment(&w, root, 0);
    if (root->kind != HOL_NODE_MAP || !root->n) {
        flow(&w, root);
        end_line(&w);
    } else
        for (int i = 0; i < root->n; i++) {
            const hol_node *node = root->value[i];
            const bool open = node->kind != HOL_NODE_SCALAR && node->n && !is_plain_list(node);
            if (open && i) end_line(&w);
            scalar(&w, root->key[i], true);
            put(&w, ":");
            value(&w, node, STEP, true);
        }
    flush(&w);
}
