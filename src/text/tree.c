// YAML and JSON (which is YAML in flow style) to a tree, by the events of libyaml. https://yaml.org/spec/1.1/
//
// libyaml counts lines and columns from 0 and in characters; messages count from 1.
#include "text/tree.h"
#include "base/file.h"
#include "text/braces.h"
#include "text/characters.h"
#include "text/cut.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

enum {
    SHOWN = 40,             // bytes of a key in a message
    READ_AT_ONCE = 1 << 16, // [B]
};

#define WAY_OUT "use \"parameters:\" for a shared value or \"for:\" for a repeated block"

typedef struct tree_reader {
    hol_context *ctx;
    hol_arena *arena;
    const char *file;
    const char *text; // without byte order mark                      (length)
    size_t length;
    bool braces; // index braces are hidden from the parser

    yaml_parser_t yaml;
    yaml_event_t event; // the current one; zero before the first

    hol_node **open; // children of the collections not yet closed     (n_open)
    int n_open, capacity;
} tree_reader;

// ---- bytes ---------------------------------------------------------------------------------------------------

// libyaml reports wrong bytes by offset only, so they are looked for first.
static hol_status check_characters(tree_reader *r)
{
    char why[HOL_CHARACTER_WHY];
    bool coded;
    hol_src at = {.file = r->file, .line = 1, .col = 1};
    const size_t good = hol_text_good(r->text, r->length, why, &coded);
    if (good == r->length) return HOL_OK;
    for (size_t i = 0; i < good;) {
        uint32_t c;
        i += (size_t)hol_utf8_decode(r->text + i, good - i, &c);
        bool half = c == '\r' && r->text[i] == '\n'; // of \r\n
        if (hol_is_break(c) && !half)
            at.line++, at.col = 1;
        else
            at.col++;
    }
    return hol_fail_at(r->ctx, HOL_ERR_MODEL, at, "%s; %s", why,
                       coded ? "remove it" : "save the file as UTF-8");
}

// ---- events --------------------------------------------------------------------------------------------------

static hol_src place(const tree_reader *r, yaml_mark_t mark)
{
    return (hol_src){.file = r->file, .line = (int)mark.line + 1, .col = (int)mark.column + 1};
}

// The byte of the character a mark points to, 0 at the end.
static int byte_at(const tree_reader *r, yaml_mark_t mark)
{
    size_t i = 0;
    for (size_t c = 0; i < r->length; i++)
        if (((unsigned char)r->text[i] & 0xc0) != 0x80 && c++ == mark.index) return (unsigned char)r->text[i];
    return 0;
}

// Is a bracket open on the line of a mark, before it? Then a colon or comma of an expression is in the way.
static bool in_brackets(const tree_reader *r, yaml_mark_t mark)
{
    size_t line = 0;
    const char *s = r->text, *end = r->text + r->length;
    int open = 0;
    for (; s < end && line < mark.line; s++) line += *s == '\n';
    for (size_t column = 0; s < end && *s != '\n' && column < mark.column; s++) {
        open += (*s == '(') - (*s == ')');
        column += ((unsigned char)*s & 0xc0) != 0x80;
    }
    return open > 0;
}

// The message for what libyaml has found wrong, with the place where what is broken has begun.
static hol_status refuse_syntax(tree_reader *r)
{
    const yaml_parser_t *y = &r->yaml;
    if (y->error == YAML_MEMORY_ERROR) return hol_fail(r->ctx, HOL_ERR_MEMORY, "out of memory while parsing");

    hol_src at = place(r, y->problem_mark), start = place(r, y->context_mark);
    bool tab = byte_at(r, y->problem_mark) == '\t';
    const char *hint = tab                               ? "; indent with spaces, not with tabs"
                       : in_brackets(r, y->problem_mark) ? "; an expression with \": \" needs quotes"
                                                         : "";
    if (!y->context) return hol_fail_at(r->ctx, HOL_ERR_MODEL, at, "%s%s", y->problem, hint);
    return hol_fail_at(r->ctx, HOL_ERR_MODEL, at, "%s %s that starts at %d:%d%s", y->problem, y->context,
                       start.line, start.col, hint);
}

static hol_status next_event(tree_reader *r)
{
    yaml_event_delete(&r->event);
    return yaml_parser_parse(&r->yaml, &r->event) ? HOL_OK : refuse_syntax(r);
}

// Refuses what would make one place of the file depend on another, or on a type system of YAML's own.
static hol_status refuse_property(tree_reader *r, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    hol_src at = place(r, r->event.start_mark);
    if (anchor) return hol_fail_at(r->ctx, HOL_ERR_MODEL, at, "an anchor (&) is not supported; " WAY_OUT);
    if (tag) return hol_fail_at(r->ctx, HOL_ERR_MODEL, at, "a tag (!) is not supported; remove it, " WAY_OUT);
    return HOL_OK;
}

// ---- nodes ---------------------------------------------------------------------------------------------------

static hol_status parse_node(tree_reader *r, int depth, hol_node **out);

static hol_node *new_node(tree_reader *r, hol_node_kind kind)
{
    hol_node *node = hol_arena_alloc(r->arena, 1, sizeof *node);
    if (!node) return NULL;
    node->kind = kind;
    node->text = "";
    node->at = place(r, r->event.start_mark);
    return node;
}

// A text or number. Zero bytes are refused, braces of indices put back.
static hol_status parse_scalar(tree_reader *r, hol_node **out)
{
    const char *text = (const char *)r->event.data.scalar.value;
    size_t length = r->event.data.scalar.length;
    hol_status status = refuse_property(r, r->event.data.scalar.anchor, r->event.data.scalar.tag);
    if (status != HOL_OK) return status;
    if (memchr(text, 0, length))
        return hol_fail_at(r->ctx, HOL_ERR_MODEL, place(r, r->event.start_mark),
                           "\"\\0\" is not allowed in a text; remove it");

    if (!r->braces && hol_braces_marked(text)) // by an escape
        return hol_fail_at(r->ctx, HOL_ERR_MODEL, place(r, r->event.start_mark),
                           "the characters U+F8F0 and U+F8F1 are not allowed in a text; remove them");

    hol_node *node = new_node(r, HOL_NODE_SCALAR);
    char *copy = node ? hol_arena_copy(r->arena, text, length) : NULL;
    if (copy && r->braces) hol_braces_restore(copy);
    if (!copy) return HOL_ERR_MEMORY;
    node->text = copy;
    node->quoted = r->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    *out = node;
    return HOL_OK;
}

// Puts a child of the innermost open collection aside.
static hol_status push(tree_reader *r, hol_node *child)
{
    if (!HOL_GROW(r->ctx, r->open, r->capacity, r->n_open + 1)) return HOL_ERR_MEMORY;
    r->open[r->n_open++] = child;
    return HOL_OK;
}

// Items are kept on the stack of open nodes until their number is known.
static hol_status parse_sequence(tree_reader *r, int depth, hol_node *list)
{
    int first = r->n_open;
    const bool flow = r->event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    hol_status status = next_event(r);
    while (status == HOL_OK && r->event.type != YAML_SEQUENCE_END_EVENT) {
        hol_node *item = NULL;
        status = parse_node(r, depth + 1, &item);
        if (status == HOL_OK) status = push(r, item);
        if (status == HOL_OK) status = next_event(r);
    }
    if (status == HOL_OK && flow && r->n_open > first)
        status = hol_refuse_cut_items(r->ctx, r->open + first, r->n_open - first);
    if (status != HOL_OK) return status;

    list->n = r->n_open - first;
    list->value = hol_arena_alloc(r->arena, (size_t)list->n, sizeof(hol_node *));
    if (!list->value) return HOL_ERR_MEMORY;
    if (list->n > 0) memcpy(list->value, r->open + first, (size_t)list->n * sizeof(hol_node *));
    r->n_open = first;
    return HOL_OK;
}

// The current event as a key of `map`.
static hol_status parse_key(tree_reader *r, hol_node **key)
{
    hol_src at = place(r, r->event.start_mark);
    if (r->event.type == YAML_SEQUENCE_START_EVENT || r->event.type == YAML_MAPPING_START_EVENT)
        return hol_fail_at(r->ctx, HOL_ERR_MODEL, at,
                           "a key is a name, not a list or a map; write \"name: value\"");
    if (r->event.type == YAML_SCALAR_EVENT) {
        yaml_scalar_style_t style = r->event.data.scalar.style;
        const char *text = (const char *)r->event.data.scalar.value;
        if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE)
            return hol_fail_at(r->ctx, HOL_ERR_MODEL, at,
                               "a key is a name, not a text block; write \"name: value\"");
        if (style == YAML_PLAIN_SCALAR_STYLE && strcmp(text, "<<") == 0)
            return hol_fail_at(r->ctx, HOL_ERR_MODEL, at, "a merge key (<<) is not supported; " WAY_OUT);
        if (r->event.data.scalar.length == 0)
            return hol_fail_at(r->ctx, HOL_ERR_MODEL, at, "a key is empty; write \"name: value\"");
    }
    return parse_node(r, 0, key);
}

// A key as it may stand in a message: no control characters, not too long.
static const char *shown(char out[SHOWN + 4], const char *text)
{
    size_t n = strlen(text), end = n;
    if (n > SHOWN) {
        end = SHOWN;
        while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) end--; // inside a UTF-8 character
    }
    for (size_t i = 0; i < end; i++)
        out[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i];
    strcpy(out + end, end < n ? "..." : "");
    return out;
}

// The pair of `key` among the first n of a map whose keys and values alternate in `pairs`; -1: absent.
static int find_open(const hol_names *index, hol_node *const *pairs, int n, const char *key)
{
    if (index) return hol_names_find(index, key);
    for (int i = 0; i < n; i++)
        if (strcmp(pairs[2 * i]->text, key) == 0) return i;
    return -1;
}

// Enters the n-th key; a map that stops being small gets its index.
static hol_status index_key(tree_reader *r, hol_node *map, hol_node *const *pairs, int n, const hol_node *key)
{
    if (n < HOL_SMALL_MAP) return HOL_OK;
    if (!map->index) {
        map->index = hol_names_create_in(r->ctx, r->arena);
        if (!map->index) return HOL_ERR_MEMORY;
        for (int i = 0; i < n; i++)
            if (hol_names_add(map->index, pairs[2 * i]->text, i) != HOL_OK) return HOL_ERR_MEMORY;
    }
    return hol_names_add(map->index, key->text, n);
}

// One key with its value of a map; first: place of the map's pairs on the stack, n: pairs before this one.
// Refuses keys given twice.
static hol_status parse_pair(tree_reader *r, int depth, hol_node *map, int first, int n)
{
    hol_node *key = NULL, *value = NULL;
    hol_status status = parse_key(r, &key);
    if (status != HOL_OK) return status;

    hol_node *const *pairs = n > 0 ? r->open + first : NULL;
    int twin = find_open(map->index, pairs, n, key->text);
    if (twin >= 0) {
        hol_src there = pairs[2 * twin]->at;
        char name[SHOWN + 4];
        status = hol_refuse_cut_pairs(r->ctx, pairs, n, false);
        if (status != HOL_OK) return status;
        return hol_fail_at(r->ctx, HOL_ERR_MODEL, key->at,
                           "key \"%s\" is given twice, first at %d:%d; rename or remove one",
                           shown(name, key->text), there.line, there.col);
    }
    status = index_key(r, map, pairs, n, key);
    if (status == HOL_OK) status = push(r, key);
    if (status == HOL_OK) status = next_event(r);
    if (status == HOL_OK) status = parse_node(r, depth + 1, &value);
    if (status == HOL_OK) status = hol_refuse_cut_key(r->ctx, key, value);
    if (status == HOL_OK) status = push(r, value);
    return status;
}

// As for sequences, keys and values in turn on the stack.
static hol_status parse_map(tree_reader *r, int depth, hol_node *map)
{
    int first = r->n_open;
    hol_status status = next_event(r);
    while (status == HOL_OK && r->event.type != YAML_MAPPING_END_EVENT) {
        status = parse_pair(r, depth, map, first, map->n++);
        if (status == HOL_OK) status = next_event(r);
    }
    if (status == HOL_OK && map->n > 0) status = hol_refuse_cut_pairs(r->ctx, r->open + first, map->n, true);
    if (status != HOL_OK) return status;

    map->key = hol_arena_alloc(r->arena, (size_t)map->n, sizeof(hol_node *));
    map->value = map->key ? hol_arena_alloc(r->arena, (size_t)map->n, sizeof(hol_node *)) : NULL;
    if (!map->value) return HOL_ERR_MEMORY;
    for (int i = 0; i < map->n; i++) {
        map->key[i] = r->open[first + 2 * i];
        map->value[i] = r->open[first + 2 * i + 1];
    }
    r->n_open = first;
    return HOL_OK;
}

// The node that the current event starts; afterwards the current event is its last. `depth` collections are
// around it.
static hol_status parse_node(tree_reader *r, int depth, hol_node **out)
{
    hol_src at = place(r, r->event.start_mark);
    if (r->event.type == YAML_SCALAR_EVENT) return parse_scalar(r, out);
    if (r->event.type == YAML_ALIAS_EVENT)
        return hol_fail_at(r->ctx, HOL_ERR_MODEL, at, "an alias (*) is not supported; " WAY_OUT);

    bool is_map = r->event.type == YAML_MAPPING_START_EVENT;
    hol_status status =
        is_map ? refuse_property(r, r->event.data.mapping_start.anchor, r->event.data.mapping_start.tag)
               : refuse_property(r, r->event.data.sequence_start.anchor, r->event.data.sequence_start.tag);
    if (status != HOL_OK) return status;
    if (depth >= HOL_DEEPEST)
        return hol_fail_at(r->ctx, HOL_ERR_MODEL, at,
                           "nesting is deeper than %d; check brackets and indentation", HOL_DEEPEST);

    *out = new_node(r, is_map ? HOL_NODE_MAP : HOL_NODE_SEQUENCE);
    if (!*out) return HOL_ERR_MEMORY;
    return is_map ? parse_map(r, depth, *out) : parse_sequence(r, depth, *out);
}

// stream-start document-start NODE document-end stream-end
static hol_status parse_stream(tree_reader *r, hol_node **root)
{
    static const char nothing[] = "there is nothing in this file; write \"name: value\" lines";
    hol_status status = next_event(r);            // stream-start
    if (status == HOL_OK) status = next_event(r); // document-start, or stream-end of an empty text
    if (status != HOL_OK) return status;
    hol_src top = {.file = r->file, .line = 1, .col = 1};
    if (r->event.type == YAML_STREAM_END_EVENT) return hol_fail_at(r->ctx, HOL_ERR_MODEL, top, nothing);

    status = next_event(r);
    if (status == HOL_OK) status = parse_node(r, 0, root);
    if (status == HOL_OK) status = next_event(r); // document-end
    if (status == HOL_OK) status = next_event(r); // stream-end, or document-start of another
    if (status != HOL_OK) return status;
    if (r->event.type != YAML_STREAM_END_EVENT)
        return hol_fail_at(r->ctx, HOL_ERR_MODEL, place(r, r->event.start_mark),
                           "a second document starts here; put it into a file of its own");
    if ((*root)->kind == HOL_NODE_SCALAR && !(*root)->quoted && !*(*root)->text) // "---" alone
        return hol_fail_at(r->ctx, HOL_ERR_MODEL, top, nothing);
    return HOL_OK;
}

// "<?xml", "<robot", "<!--": nothing that YAML begins with.
static bool looks_like_xml(const char *text, size_t length)
{
    const char c = length > 1 ? text[1] : 0;
    return c && text[0] == '<' && (c == '?' || c == '!' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

hol_status hol_tree_parse(hol_context *ctx, hol_arena *arena, const char *name, const char *text,
                          size_t length, hol_node **root)
{
    *root = NULL;
    tree_reader r = {.ctx = ctx, .arena = arena, .text = text, .length = length};
    r.file = hol_arena_copy(arena, name, strlen(name));
    if (!r.file) return HOL_ERR_MEMORY;
    if (length > HOL_LONGEST_TEXT)
        return hol_fail_at(ctx, HOL_ERR_MODEL, (hol_src){.file = r.file},
                           "the text is longer than %d MB; split the model", HOL_LONGEST_TEXT >> 20);

    static const char mark[] = "\xef\xbb\xbf"; // byte order mark: may open a file, means nothing in UTF-8
    if (length >= 3 && memcmp(text, mark, 3) == 0) r.text += 3, r.length -= 3;
    if (looks_like_xml(r.text, r.length))
        return hol_fail_at(ctx, HOL_ERR_MODEL, (hol_src){.file = r.file, .line = 1, .col = 1},
                           "this is XML, and no model file; `holonom import` makes one of URDF and MJCF");
    hol_status status = check_characters(&r);
    if (status != HOL_OK) return status;

    size_t hidden_length;
    char *hidden = hol_braces_hide(ctx, r.text, r.length, &hidden_length);
    if (!hidden) return HOL_ERR_MEMORY;
    r.braces = hidden_length != r.length;
    if (!yaml_parser_initialize(&r.yaml)) {
        hol_free(hidden);
        return hol_fail(ctx, HOL_ERR_MEMORY, "out of memory while parsing");
    }
    yaml_parser_set_encoding(&r.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.yaml, (const unsigned char *)hidden, hidden_length);
    hol_node *node = NULL;
    status = parse_stream(&r, &node);
    if (status == HOL_OK) *root = node;
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.yaml);
    hol_free(r.open);
    hol_free(hidden);
    return status;
}

// ---- files ---------------------------------------------------------------------------------------------------

static hol_status refuse_file(hol_context *ctx, const char *path, const char *reason)
{
    return hol_fail_at(ctx, HOL_ERR_MODEL, (hol_src){.file = path}, "the file cannot be read: %s", reason);
}

// All of `in`, or one byte more than hol_tree_parse takes.
static hol_status read_all(hol_context *ctx, const char *path, FILE *in, char **text, size_t *length)
{
    int used = 0, capacity = 0;
    while (used <= HOL_LONGEST_TEXT) {
        if (!HOL_GROW(ctx, *text, capacity, used + READ_AT_ONCE)) return HOL_ERR_MEMORY;
        errno = 0;
        size_t got = fread(*text + used, 1, READ_AT_ONCE, in);
        if (ferror(in)) return refuse_file(ctx, path, strerror(errno));
        if (got == 0) break;
        used += (int)got;
    }
    *length = (size_t)used;
    return HOL_OK;
}

hol_status hol_text_read(hol_context *ctx, const char *path, char **text, size_t *length)
{
    const bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "<stdin>" : path;
    char why[160];
    *text = NULL;
    *length = 0;
    FILE *in = standard ? stdin : hol_open_input(path, true, 0, why, sizeof why);
    if (!in) return refuse_file(ctx, name, why);
    const hol_status status = read_all(ctx, name, in, text, length);
    if (!standard) fclose(in);
    return status;
}

hol_status hol_tree_read(hol_context *ctx, hol_arena *arena, const char *path, hol_node **root)
{
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path, *suffix = strrchr(path, '.');
    char *text;
    size_t length;
    *root = NULL;
    if (suffix && hol_same_name(suffix, ".adm"))
        return hol_fail(ctx, HOL_ERR_MODEL,
                        "%s is a data set of Adams, and no model file; `holonom import` makes one of it",
                        path);
    hol_status status = hol_text_read(ctx, path, &text, &length);
    if (status == HOL_OK) status = hol_tree_parse(ctx, arena, name, text, length, root);
    hol_free(text);
    return status;
}
