// Models made from the grammar itself, each with what the reader says of it: for every key of every object and type, in the plane and in
// space, one with the key and a value that its row admits, and some with values, keys and combinations that row or rules do not. A line each:
//     {"name": .., "valid": true, "taken": true, "said": "", "model": {..}}
// schema_test.py holds the JSON Schema against them.
#include "analysis/settings.h"
#include "io/json.h"
#include "model/grammar.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4000, KEYS = 40, LONG = 9 };

typedef struct { // JSON text
    char s[ROOM];
} text;

// Keys with values of a map that is being made.
typedef struct {
    int n;
    const char *key[KEYS];
    text value[KEYS];
} map;

typedef struct {
    const hol_object *object;
    const hol_type *type; // NULL: it has none
    int dimension;
} target;

static void add(text *t, const char *format, ...) HOL_PRINTF(2, 3);
static void add(text *t, const char *format, ...)
{
    const size_t n = strlen(t->s);
    va_list ap;
    va_start(ap, format);
    vsnprintf(t->s + n, ROOM - n, format, ap);
    va_end(ap);
    if (strlen(t->s) > ROOM - 2) abort();
}

// ---- rows -----------------------------------------------------------------------------------------------------

static const hol_object *below(const hol_option *o)
{
    if (o->choices && strcmp(o->choices, hol_simulate_object.name) == 0) return &hol_simulate_object;
    return o->kind > HOL_ENDS ? hol_object_find(o->choices) : NULL;
}

// The row of a key, among those of all types or of this one.
static const hol_option *row_of(const target *t, const char *key)
{
    const hol_option *o = hol_option_find(t->object->rows, key);
    return o || !t->type ? o : hol_option_find(t->type->rows, key);
}

static bool has(const map *m, const char *key)
{
    for (int i = 0; i < m->n; i++)
        if (strcmp(m->key[i], key) == 0) return true;
    return false;
}

static void drop(map *m, const char *key)
{
    for (int i = 0; i < m->n; i++)
        if (strcmp(m->key[i], key) == 0) {
            m->key[i] = m->key[--m->n];
            m->value[i] = m->value[m->n];
        }
}

static void put(map *m, const char *key, const char *value)
{
    drop(m, key);
    if (m->n == KEYS) abort();
    m->key[m->n] = key;
    snprintf(m->value[m->n++].s, ROOM, "%s", value);
}

static void write_map(const map *m, text *out)
{
    add(out, "{");
    for (int i = 0; i < m->n; i++) add(out, "%s\"%s\": %s", i ? ", " : "", m->key[i], m->value[i].s);
    add(out, "}");
}

static void minimal(const target *t, const char *focus, const char *value, map *out);
static void value_of(const target *t, const hol_option *o, text *out);

// ---- values of the manual's examples --------------------------------------------------------------------------

static void write_node(const hol_node *node, text *out)
{
    if (node->kind == HOL_NODE_SCALAR) {
        char *end;
        (void)strtod(node->text, &end);
        add(out, *end || !*node->text ? "\"%s\"" : "%s", node->text);
        return;
    }
    const bool pairs = node->kind == HOL_NODE_MAP;
    add(out, pairs ? "{" : "[");
    for (int i = 0; i < node->n; i++) {
        add(out, i ? ", " : "");
        if (pairs) add(out, "\"%s\": ", node->key[i]->text);
        write_node(node->value[i], out);
    }
    add(out, pairs ? "}" : "]");
}

// Length of a value of YAML in braces that begins here.
static size_t length_of(const char *p)
{
    int depth = 0;
    size_t n = 0;
    for (; p[n] && p[n] != '\n'; n++) {
        if (!depth && strchr(",}]", p[n])) break;
        depth += (strchr("{[(", p[n]) != NULL) - (strchr("}])", p[n]) != NULL);
    }
    return n;
}

// What the object's example has for the key; false: nothing.
static bool from_example(const char *example, const char *key, text *out)
{
    char wanted[80];
    snprintf(wanted, sizeof wanted, "%s: ", key);
    const char *p = example;
    while (p && (p = strstr(p, wanted)) && p != example && !strchr("{ \n", p[-1])) p++;
    if (!p) return false;
    p += strlen(wanted);
    hol_context *ctx = hol_context_create();
    hol_arena *arena = hol_arena_create(ctx);
    hol_node *node;
    const bool good = hol_tree_parse(ctx, arena, "example", p, length_of(p), &node) == HOL_OK;
    if (good) write_node(node, out);
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return good;
}

// ---- values that rows admit -----------------------------------------------------------------------------------

static double number_of(const hol_option *o)
{
    const bool low = o->min > -HOL_INF, high = o->max < HOL_INF;
    return low && high ? o->max : low ? o->min + 1 : high ? o->max - 1 : 1;
}

// So many of one, in a list.
static void list(const char *one, int n, text *out)
{
    add(out, "[");
    for (int i = 0; i < n; i++) add(out, "%s%s", i ? ", " : "", one);
    add(out, "]");
}

// As many numbers as the model has dimensions, others for another key.
static void vector(const target *t, const hol_option *o, text *out)
{
    const int n = (int)strlen(o->key), d = t->dimension;
    for (int i = 0; i < d; i++) add(out, "%s%d", i ? ", " : "[", i == n % d ? n : 1);
    add(out, "]");
}

// An object below a row, with as little as it needs.
static void inner(const target *t, const hol_option *o, text *out)
{
    hol_type type;
    target in = {below(o), NULL, t->dimension};
    map m = {0};
    if (!in.object) {
        add(out, "{}");
        return;
    }
    if (in.object->type && in.object->type(in.object, 0, t->dimension, &type)) in.type = &type;
    if (in.object->pairs) {
        text one = {""};
        value_of(&in, in.object->rows, &one);
        put(&m, "p", one.s);
    } else
        minimal(&in, NULL, NULL, &m);
    write_map(&m, out);
}

// Values that have no example: of the row's kind and in its range.
static void made_value(const target *t, const hol_option *o, text *out)
{
    char word[80];
    switch (o->kind) {
    case HOL_NUMBER:
    case HOL_INTEGER:
    case HOL_NUMBERS:
    case HOL_MATRIX: add(out, "%.17g", number_of(o)); break;
    case HOL_FUNCTION:
    case HOL_FUNCTIONS: add(out, o->flags & HOL_LEAVES ? "\"time\"" : "%g", number_of(o)); break;
    case HOL_FLAG: add(out, "true"); break;
    case HOL_SPLINE: add(out, "\"s\""); break;
    case HOL_METHOD: add(out, "\"auto\""); break;
    case HOL_CHOICE:
        snprintf(word, sizeof word, "%.*s", (int)strcspn(o->choices, "|"), o->choices);
        add(out, "\"%s\"", word);
        break;
    case HOL_VECTOR:
    case HOL_MARKER: vector(t, o, out); break;
    case HOL_POINTS:
        add(out, t->dimension == 2 ? "[[0, 0], [1, 0], [0, 1]]" : "[[0, 0, 0], [1, 0, 0], [0, 1, 0]]");
        break;
    case HOL_TUPLE: list("1", (int)o->def, out); break;
    case HOL_INCLUDES: add(out, "\"a\""); break;
    case HOL_TEXTS:
        if (o->choices)
            add(out, "\"%.*s\"", (int)strcspn(o->choices, "|"), o->choices);
        else
            add(out, o->max > 0 ? "[\"a\", \"b\"]" : "\"a\"");
        break;
    case HOL_LOOPS: add(out, "\"i in 1..1\""); break;
    case HOL_UNIT: add(out, "\"%s\"", strcmp(o->unit, HOL_ANY_UNIT) ? o->unit : "mm"); break;
    case HOL_ROWS: add(out, "[[1]]"); break;
    case HOL_ENDS: add(out, "[\"a\", \"b\"]"); break;
    case HOL_MAP:
    case HOL_PAIRS:
    case HOL_SHAPES: inner(t, o, out); break;
    case HOL_LIST:
        add(out, "[");
        inner(t, o, out);
        add(out, "]");
        break;
    case HOL_NAME:
    case HOL_TEXT:
    case HOL_END: add(out, "\"a\""); break;
    }
}

// Formulas, vectors and what is made of objects stand for themselves; other values are those of the example, if it has one.
static void value_of(const target *t, const hol_option *o, text *out)
{
    const bool own = o->kind == HOL_FUNCTION || o->kind == HOL_FUNCTIONS || o->kind == HOL_VECTOR ||
                     o->kind == HOL_POINTS || o->kind == HOL_MARKER || below(o);
    if (t->type && strcmp(o->key, "type") == 0)
        add(out, "\"%s\"", t->type->name);
    else if (own || !t->object->example || !from_example(t->object->example, o->key, out))
        made_value(t, o, out);
}

// ---- objects that the rules admit -----------------------------------------------------------------------------

static void put_key(const target *t, map *m, const char *key)
{
    const hol_option *o = row_of(t, key);
    text value = {""};
    if (!o || has(m, key)) return;
    value_of(t, o, &value);
    put(m, o->key, value.s);
}

// The part of "a|b+c" with this index, as text.
static bool alternative(const char *keys, int i, char out[200])
{
    for (; i > 0 && keys; i--) keys = strchr(keys, '|') ? strchr(keys, '|') + 1 : NULL;
    if (!keys) return false;
    snprintf(out, 200, "%.*s", (int)strcspn(keys, "|"), keys);
    return true;
}

static bool any_of(const map *m, const char *keys)
{
    char word[64];
    while (hol_next_word(&keys, word))
        if (has(m, word)) return true;
    return false;
}

static bool all_exist(const target *t, const char *keys)
{
    char word[64];
    while (hol_next_word(&keys, word)) {
        const hol_option *o = row_of(t, word);
        if (!o || !hol_option_exists(o, t->dimension)) return false;
    }
    return true;
}

// What a rule wants of the keys that are there.
static void obey(const target *t, const hol_rule *r, map *m)
{
    char one[200], word[64];
    const char *p = one;
    if ((r->kind == HOL_ONE_OF || r->kind == HOL_SOME_OF) && !any_of(m, r->keys)) {
        for (int i = 0; alternative(r->keys, i, one); i++)
            if (all_exist(t, one)) break;
        while (hol_next_word(&p, word)) put_key(t, m, word);
    } else if (r->kind == HOL_ONE_OF) {
        for (int i = 0; alternative(r->keys, i, one); i++)
            if (any_of(m, one))
                for (p = one; hol_next_word(&p, word);) put_key(t, m, word);
    } else if (r->kind == HOL_GOES_WITH) {
        p = r->keys;
        if (hol_next_word(&p, word) && has(m, word) && !any_of(m, p) && hol_next_word(&p, word))
            put_key(t, m, word);
    }
}

static void obey_all(const target *t, map *m)
{
    for (int round = 0; round < 4; round++) // what goes with the focus before what else is wanted
        for (int k = 0; k < 2; k++)
            for (const hol_rule *r = k ? t->type ? t->type->rules : NULL : t->object->rules; r && r->keys;
                 r++)
                if (round > 1 || r->kind == HOL_GOES_WITH) obey(t, r, m);
}

static void required(const target *t, const hol_option *rows, map *m)
{
    for (const hol_option *o = rows; o && o->key; o++)
        if (o->flags & HOL_REQUIRED && hol_option_exists(o, t->dimension)) put_key(t, m, o->key);
}

// What is required, and the key in focus with its value (NULL: one that the row admits), and what goes with it.
static void minimal(const target *t, const char *focus, const char *value, map *out)
{
    if (focus && value) put(out, focus, value);
    if (focus && !value) put_key(t, out, focus);
    required(t, t->object->rows, out);
    if (t->type) required(t, t->type->rows, out);
    if (t->type && row_of(t, "type")) put_key(t, out, "type");
    if (t->type && t->object->by_key && !focus) put_key(t, out, t->type->name);
    if (t->object == hol_objects[0]) put(out, "dimension", t->dimension == 2 ? "2" : "3");
    if (t->object == hol_objects[0] && focus && strcmp(focus, "tunable") == 0) // names one of these
        put(out, "parameters", "{\"a\": 1}");
    obey_all(t, out);
}

// ---- a model around an object ---------------------------------------------------------------------------------

// The text of the object `from` with the text of the target somewhere in it; false: it is not in there.
static bool wrap(const hol_object *from, const target *to, const char *item, int depth, text *out)
{
    if (from == to->object) {
        add(out, "%s", item);
        return true;
    }
    hol_type type;
    target t = {from, NULL, to->dimension};
    if (from->type && from->type(from, 0, to->dimension, &type)) t.type = &type;
    for (const hol_option *o = from->rows; o->key && depth < 6; o++) {
        const hol_object *b = below(o);
        text in = {""}, value = {""};
        map m = {0};
        if (!b || !hol_option_exists(o, to->dimension) || !wrap(b, to, item, depth + 1, &in)) continue;
        add(&value, o->kind == HOL_LIST ? "[%s]" : "%s", in.s);
        if (from->pairs)
            put(&m, "p", value.s);
        else
            minimal(&t, o->key, value.s, &m);
        if (depth == 0 && !has(&m, "splines"))
            put(&m, "splines", "[{\"name\": \"s\", \"x\": [0, 7], \"y\": [1, 1]}]");
        write_map(&m, out);
        return true;
    }
    return false;
}

// Does the reader take the model? What is missing beside it, files, is no matter of the grammar, nor is what the mass of a body wants of
// its shapes.
static bool taken(const char *model, bool simulates, char said[600])
{
    hol_context *ctx = hol_context_create();
    hol_spec *spec = hol_spec_read_text(ctx, "model.yaml", model, strlen(model), NULL, 0);
    bool good = spec;
    if (spec && simulates) {
        hol_settings settings;
        hol_model_data *m = hol_model_compile(spec);
        good = m && hol_settings_read(m, &settings) == HOL_OK;
        hol_model_free(m);
    } else
        hol_spec_destroy(spec);
    snprintf(said, 600, "%s", hol_context_error(ctx));
    if (!good)
        good = strstr(said, "cannot be read") || strstr(said, "cannot be loaded") ||
               strstr(said, "the mass of the body is missing") || strstr(said, "its mass follows from");
    hol_context_destroy(ctx);
    return good;
}

static void print(void *stream, const char *s) { fputs(s, stream); }

// Must the model be compiled, too? What `simulate` says is read then, and names in `set` are looked up.
static bool needs_compiler(const target *t, const char *of, const char *what)
{
    return t->object == &hol_simulate_object || strcmp(of, "simulate") == 0 || strcmp(what, "names") == 0;
}

// One case.
static void tell(const target *t, const char *what, const char *of, bool valid, const map *m)
{
    text item = {""}, model = {""};
    char name[200], said[600];
    write_map(m, &item);
    if (!wrap(hol_objects[0], t, item.s, 0, &model)) return;
    snprintf(name, sizeof name, "%dD.%s%s%s/%s/%s", t->dimension, t->object->name, t->type ? "." : "",
             t->type ? t->type->name : "", of, what);
    hol_json j = {.print = print, .user = stdout, .flat = true};
    const bool good = taken(model.s, needs_compiler(t, of, what), said);
    hol_json_open(&j, NULL, '{');
    hol_json_text(&j, "name", name);
    hol_json_flag(&j, "valid", valid);
    hol_json_flag(&j, "taken", good);
    hol_json_text(&j, "said", good ? "" : said);
    hol_json_raw(&j, "model", model.s, 0);
    hol_json_close(&j, '}');
}

// Would the reader take the object with the key?
static bool would_take(const target *t, const char *key, const char *value)
{
    map m = {0};
    text item = {""}, model = {""};
    char said[600];
    minimal(t, key, value, &m);
    write_map(&m, &item);
    return wrap(hol_objects[0], t, item.s, 0, &model) && taken(model.s, needs_compiler(t, key, ""), said);
}

// ---- what is wrong --------------------------------------------------------------------------------------------

// The key with a value, NULL: one that its row admits. How many numbers belong together is no matter of the row: one, or three
// that increase.
static void with(const target *t, const hol_option *o, const char *what, bool valid, const char *value)
{
    map m = {0};
    text three = {""};
    if (valid && o->kind == HOL_NUMBERS && !would_take(t, o->key, value)) {
        for (int i = 0; i < 3; i++)
            add(&three, value ? "%s\"0 + %.9g\"" : "%s%.9g", i ? ", " : "[", number_of(o) + i);
        add(&three, "]");
        value = three.s;
    }
    minimal(t, o->key, value, &m);
    tell(t, what, o->key, valid, &m);
}

static void with_number(const target *t, const hol_option *o, const char *what, double x)
{
    text value = {""};
    if (o->kind == HOL_TUPLE) {
        text one = {""};
        add(&one, "%.17g", x);
        list(one.s, (int)o->def, &value);
    } else
        add(&value, "%.17g", x);
    with(t, o, what, false, value.s);
}

static bool is_any(const hol_option *o, const hol_kind *kinds, int n)
{
    for (int i = 0; i < n; i++)
        if (o->kind == kinds[i]) return true;
    return false;
}

// Numbers beyond the range.
static void out_of_range(const target *t, const hol_option *o)
{
    static const hol_kind numbers[] = {HOL_NUMBER, HOL_INTEGER, HOL_NUMBERS, HOL_TUPLE, HOL_MATRIX};
    if (!is_any(o, numbers, HOL_COUNT(numbers))) return;
    if (o->min > -HOL_INF) with_number(t, o, "below", o->flags & HOL_ABOVE ? o->min : o->min - 1);
    if (o->max < HOL_INF) with_number(t, o, "above", o->max + 1);
    if (!(o->flags & HOL_PLAIN) && o->kind != HOL_TUPLE) {
        text value = {""}, plain = {""};
        char *end;
        value_of(t, o, &plain);
        const double number = strtod(plain.s, &end);
        add(&value, "\"0 + %.17g\"", *plain.s && !*end ? number : number_of(o));
        with(t, o, "expression", true, value.s);
    }
}

// Lists that are too short, too long or empty.
static void wrong_length(const target *t, const hol_option *o)
{
    static const hol_kind lists[] = {HOL_NUMBERS, HOL_MATRIX, HOL_FUNCTIONS, HOL_TEXTS};
    const bool empty = o->flags & HOL_MAY_BE_EMPTY;
    text value = {""};
    if (is_any(o, lists, HOL_COUNT(lists)) && !empty) with(t, o, "empty", false, "[]");
    if (o->kind == HOL_VECTOR || o->kind == HOL_TUPLE || (o->kind == HOL_TEXTS && o->max > 0) ||
        o->kind == HOL_POINTS) {
        with(t, o, "short", false, o->kind == HOL_POINTS ? "[[1, 1, 1]]" : "[1]");
        list(o->kind == HOL_TEXTS ? "\"a\"" : "1", LONG, &value);
        if (o->kind != HOL_TEXTS || o->max < LONG) with(t, o, "long", false, value.s);
    }
    if (o->kind == HOL_ENDS) with(t, o, "long", false, "[\"a\", \"b\", \"c\"]");
}

// Values of another form, and words that are none of the row's.
static void wrong_form(const target *t, const hol_option *o)
{
    static const hol_kind words[] = {HOL_CHOICE, HOL_METHOD, HOL_UNIT, HOL_FLAG, HOL_LOOPS};
    const bool tree = o->kind >= HOL_ROWS;
    with(t, o, "form", false,
         o->kind == HOL_END        ? "[1, 2]"
         : o->kind == HOL_INCLUDES ? "[[\"a\"]]"
         : tree                    ? "\"zz\""
                                   : "{\"zz\": {\"z\": 1}}");
    if (is_any(o, words, HOL_COUNT(words))) with(t, o, "word", false, "\"zz\"");
    if (o->flags & HOL_IDENTIFIER) with(t, o, "identifier", false, "\"1a\"");
    if (o->kind == HOL_NAME) with(t, o, "name", false, "\"a.b\"");
    if (below(o) && below(o)->pairs && below(o)->keys) with(t, o, "names", false, "{\"1a\": 1}");
    if (o->kind == HOL_PAIRS && o->min > 0) with(t, o, "empty", false, "{}");
}

static bool is_refused(const target *t, const char *key)
{
    for (int k = 0; k < 2; k++)
        for (const hol_rule *r = k ? t->type ? t->type->rules : NULL : t->object->rules; r && r->keys; r++)
            if (r->kind == HOL_REFUSED && hol_has_word(r->keys, key)) return true;
    return false;
}

// One row, alone and with all that is wrong.
static void check_row(const target *t, const hol_option *o)
{
    map m = {0};
    const bool exists = hol_option_exists(o, t->dimension), refused = is_refused(t, o->key);
    const bool dimension = t->object == hol_objects[0] && strcmp(o->key, "dimension") == 0;
    if (refused || !exists) {
        minimal(t, o->key, NULL, &m);
        tell(t, refused ? "refused" : "other dimension", o->key, false, &m);
        return;
    }
    with(t, o, "value", true, NULL);
    if (dimension) return;
    out_of_range(t, o);
    wrong_length(t, o);
    wrong_form(t, o);
    if (!(o->flags & HOL_REQUIRED)) return;
    minimal(t, NULL, NULL, &m);
    drop(&m, o->key);
    if (!(t->type && t->type->silent && strcmp(o->key, "type") == 0)) tell(t, "missing", o->key, false, &m);
}

// Every pair of keys of which one is wanted at most; all of them away; one without the other.
static void check_rule(const target *t, const hol_rule *r)
{
    char a[200], b[200], word[64];
    if (r->kind == HOL_ONE_OF || r->kind == HOL_SOME_OF) {
        map m = {0};
        minimal(t, NULL, NULL, &m);
        for (const char *p = r->keys; hol_next_word(&p, word);) drop(&m, word);
        tell(t, "none", r->keys, false, &m);
    }
    for (int i = 0; (r->kind == HOL_ONE_OF || r->kind == HOL_NOT_BOTH) && alternative(r->keys, i, a); i++)
        for (int k = 0; k < i && alternative(r->keys, k, b); k++) {
            map m = {0};
            if (!all_exist(t, a) || !all_exist(t, b)) continue;
            minimal(t, NULL, NULL, &m);
            for (const char *p = a; hol_next_word(&p, word);) put_key(t, &m, word);
            for (const char *p = b; hol_next_word(&p, word);) put_key(t, &m, word);
            obey_all(t, &m);
            tell(t, b, a, false, &m);
        }
    const char *other = r->keys;
    if (r->kind == HOL_GOES_WITH && hol_next_word(&other, word) && all_exist(t, word)) {
        map m = {0};
        minimal(t, row_of(t, word)->key, NULL, &m);
        for (char with[64]; hol_next_word(&other, with);) drop(&m, with);
        tell(t, "alone", word, false, &m);
    }
    if (r->kind == HOL_TWO_NAMES) {
        map m = {0};
        minimal(t, r->keys, NULL, &m);
        put(&m, r->keys, "[\"a\", \"b\", \"c\"]");
        tell(t, "three", r->keys, false, &m);
    }
}

// ---- all of the grammar ---------------------------------------------------------------------------------------

static void check_target(const target *t, bool common)
{
    map m = {0};
    if (t->object->pairs) return; // its one row is a value like others
    minimal(t, NULL, NULL, &m);
    tell(t, "least", "", true, &m);
    put(&m, "zzz", "1");
    tell(t, "unknown", "zzz", false, &m);
    for (const hol_option *o = t->object->rows; common && o->key; o++) check_row(t, o);
    for (const hol_option *o = t->type ? t->type->rows : NULL; o && o->key; o++) check_row(t, o);
    for (const hol_rule *r = common ? t->object->rules : NULL; r && r->keys; r++) check_rule(t, r);
    for (const hol_rule *r = t->type ? t->type->rules : NULL; r && r->keys; r++) check_rule(t, r);
}

static void check_object(const hol_object *o, int dimension)
{
    hol_type type;
    target t = {o, NULL, dimension};
    if (!o->type) check_target(&t, true);
    for (int i = 0; o->type && o->type(o, i, dimension, &type); i++) {
        t.type = &type;
        check_target(&t, true);
    }
}

int main(void)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (const hol_object *const *o = hol_objects; *o; o++) check_object(*o, dimension);
        check_object(&hol_simulate_object, dimension);
    }
    return 0;
}
