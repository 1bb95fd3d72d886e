// Text of data sets of Adams Solver: statements NAME/id, ARGUMENT, ARGUMENT = values, .. A line that begins with a comma goes on, ! ends a
// line, the first one is a title whatever it says, END is the last. A function goes on, over commas that begin a line, up to a backslash
// or to the next argument.
#include "io/import_adm.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\f\v";

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

// Letters, digits and _, a letter first.
static size_t word_length(const char *p)
{
    size_t n = 0;
    while (is_letter(p[n]) || (n && (is_digit(p[n]) || p[n] == '_'))) n++;
    return n;
}

const char *hol_adm_print(hol_adm *a, const char *format, ...)
{
    char few[200];
    va_list args;
    va_start(args, format);
    const int n = hol_decimal_vprint(few, sizeof few, format, args);
    va_end(args);
    char *text = n < (int)sizeof few ? hol_arena_copy(a->in->arena, few, (size_t)n)
                                     : hol_arena_alloc(a->in->arena, (size_t)n + 1, 1);
    if (text && n >= (int)sizeof few) {
        va_start(args, format);
        hol_decimal_vprint(text, (size_t)n + 1, format, args);
        va_end(args);
    }
    if (!text) a->in->no_memory = true;
    return text ? text : "";
}

const char *hol_adm_title(hol_adm *a, const hol_adm_statement *s)
{
    return s->id < 0 ? s->type->name : hol_adm_print(a, "%s/%d", s->type->name, s->id);
}

// ---- words ----------------------------------------------------------------------------------------------------

// How well a word of n letters is a name of m, which may be shortened: 0 not, 1 by its beginning, 2 in full.
static int fits(const char *word, size_t n, const char *name, size_t m)
{
    if (!n || n > m) return 0;
    for (size_t i = 0; i < n; i++)
        if (upper(word[i]) != name[i]) return 0;
    return n == m ? 2 : 1;
}

bool hol_adm_begins_so(const char *word, size_t n, const char *name)
{
    return fits(word, n, name, strlen(name)) > 0;
}

// The kind of statement; *many: several begin so.
static const hol_adm_type *find_type(const char *word, size_t n, bool *many)
{
    const hol_adm_type *found = NULL;
    *many = false;
    for (const hol_adm_type *t = hol_adm_types; t->name; t++) {
        const int how = fits(word, n, t->name, strlen(t->name));
        if (how == 2) return *many = false, t;
        if (how && found) *many = true;
        if (how && !found) found = t;
    }
    return *many ? NULL : found;
}

typedef struct {
    const char *name;
    size_t n;
    hol_adm_kind kind;
    bool many, again; // several begin so; it may be there several times
} argument;

// The argument of a kind of statement that a word is; n 0: none. One with ! may be shortened though others begin so,
// one with * may be there several times.
static argument find_argument(const hol_adm_type *type, const char *word, size_t n)
{
    argument out = {0};
    int best = 0;
    for (const char *p = type->arguments; *p;) {
        const size_t m = strcspn(p, "!=@$ "), rest = strcspn(p + m, " ");
        const bool first = p[m] == '!';
        const char kind = p[m + first];
        const int how = fits(word, n, p, m), rank = how == 1 && !first ? 1 : how ? how + 1 : 0;
        if (rank == 1 && best == 1) out.many = true;
        if (rank > best) {
            best = rank;
            out = (argument){p, m,
                             kind == '='   ? HOL_ADM_VALUES
                             : kind == '@' ? HOL_ADM_FUNCTION
                             : kind == '$' ? HOL_ADM_TEXT
                                           : HOL_ADM_WORD,
                             false, kind && p[m + first + 1] == '*'};
        }
        p += m + rest;
        p += strspn(p, " ");
    }
    if (out.many) out.n = 0;
    return out;
}

bool hol_adm_begins(const char *text, size_t length)
{
    const char *end = text + length;
    bool many;
    for (const char *p = text; p < end; p++) { // behind the title
        const char *line = memchr(p, '\n', (size_t)(end - p));
        if (!line) return false;
        char head[40] = "";
        for (size_t n = 0; n + 1 < sizeof head && line + 1 + n < end && line[1 + n] != '\n'; n++)
            head[n] = line[1 + n];
        const char *w = head + strspn(head, blanks);
        const size_t n = word_length(w);
        if (n > 2 && w[n + strspn(w + n, blanks)] == '/' && (find_type(w, n, &many) || many)) return true;
        p = line;
    }
    return false;
}

// ---- lines ----------------------------------------------------------------------------------------------------

enum { DEEPEST = 100 }; // brackets in each other

typedef struct {
    hol_adm *a;
    const char *p, *end; // what is left of the file
    int line;
    const char *label; // of the next statement
    char *text;        // of this one: its lines, \n in the place of the comma that continues it
    int n, capacity;
    struct {
        int line, col;
    } * piece; // where each line begins
    int n_pieces, most_pieces;
} reader;

// The next line, without its end, from p to the comment at *n; *comment: NULL: none.
static bool next_line(reader *r, const char **line, int *n, const char **comment, int *m)
{
    if (r->p >= r->end) return false;
    const char *stop = memchr(r->p, '\n', (size_t)(r->end - r->p));
    if (!stop) stop = r->end;
    *line = r->p;
    const char *mark = memchr(r->p, '!', (size_t)(stop - r->p));
    *n = (int)((mark ? mark : stop) - r->p);
    *comment = mark;
    *m = mark ? (int)(stop - mark) : 0;
    r->p = stop + 1;
    r->line++;
    while (*n && strchr(blanks, (*line)[*n - 1]) && (*line)[*n - 1]) --*n;
    return true;
}

// The name in "! adams_view_name='crank'"; NULL: none.
static const char *label_of(reader *r, const char *comment, int m)
{
    static const char key[] = "adams_view_name='";
    const int k = (int)sizeof key - 1;
    for (int i = 0; i + k <= m; i++) {
        if (memcmp(comment + i, key, (size_t)k) != 0) continue;
        const char *from = comment + i + k, *to = memchr(from, '\'', (size_t)(m - i - k));
        return to && to > from ? hol_adm_print(r->a, "%.*s", (int)(to - from), from) : NULL;
    }
    return NULL;
}

// A line of the statement that is gathered.
static hol_status add_piece(reader *r, const char *text, int n, int col)
{
    hol_context *ctx = r->a->in->ctx;
    const bool first = r->n_pieces == 0;
    if (!HOL_GROW(ctx, r->text, r->capacity, r->n + n + 2) ||
        !HOL_GROW(ctx, r->piece, r->most_pieces, r->n_pieces + 1))
        return HOL_ERR_MEMORY;
    if (!first) r->text[r->n++] = '\n';
    r->piece[r->n_pieces].line = r->line;
    r->piece[r->n_pieces++].col = col;
    memcpy(r->text + r->n, text, (size_t)n);
    r->n += n;
    r->text[r->n] = 0;
    return HOL_OK;
}

// The place of a character of the statement.
static hol_src place(const reader *r, const char *p)
{
    int k = 0;
    const char *begin = r->text;
    for (const char *q = r->text; q < p; q++)
        if (*q == '\n') k++, begin = q + 1;
    return (hol_src){
        .file = r->a->in->file, .line = r->piece[k].line, .col = r->piece[k].col + (int)(p - begin)};
}

// ---- arguments ------------------------------------------------------------------------------------------------

// Commas, and ends of lines that go on.
static const char *skip(const char *p)
{
    while (*p && (*p == ',' || *p == '\n' || strchr(blanks, *p))) p++;
    return p;
}

// Does another argument begin here? In lists every word is one, in functions and texts those that are known, or have a value.
static bool begins(const hol_adm_type *type, hol_adm_kind within, const char *p)
{
    p = skip(p);
    const size_t n = word_length(p);
    if (!*p) return true;
    if (!n || within == HOL_ADM_VALUES) return n > 0;
    const char *behind = p + n + strspn(p + n, blanks);
    if (*behind == '=') return true;
    const argument found = find_argument(type, p, n);
    return found.n && found.kind == HOL_ADM_WORD && (!*behind || strchr(",\n\\", *behind));
}

// The value behind "=" as one line; *p: behind it.
static hol_status read_value(reader *r, const hol_adm_statement *s, hol_adm_kind kind, hol_adm_arg *arg,
                             const char **p)
{
    hol_import *in = r->a->in;
    const char *from = *p + strspn(*p, " \t\r\f\v\n"), *q = from; // it may begin on the next line
    int depth = 0;
    arg->text = "";
    for (; *q && *q != '\\' && *from != ','; q++) {
        depth += (*q == '(') - (*q == ')');
        if (depth > DEEPEST)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, place(r, q),
                               "%s: %s: brackets are nested deeper than %d", hol_adm_title(r->a, s), arg->key,
                               DEEPEST);
        if (depth > 0 && kind == HOL_ADM_FUNCTION) continue;
        if ((*q == ',' || *q == '\n') && q > from && begins(s->type, kind, q)) break;
        if (*q == ',' && kind == HOL_ADM_FUNCTION)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, place(r, q),
                               "%s: %s: a comma outside of brackets; a function that is not the last "
                               "argument ends with a backslash",
                               hol_adm_title(r->a, s), arg->key);
    }
    char *text = hol_arena_copy(in->arena, from, (size_t)(q - from));
    if (!text) return HOL_ERR_MEMORY;
    size_t n = 0;
    for (size_t i = 0; text[i]; i++) {
        const bool end = text[i] == '\n' || strchr(blanks, text[i]);
        const char c = text[i] == '\n' && kind == HOL_ADM_VALUES ? ',' : end ? ' ' : text[i];
        if (c == ' ' && (!n || text[n - 1] == ' ')) continue;
        if (c == ',' &&
            kind == HOL_ADM_VALUES) { // a comma at the end of a line and at the beginning of the next are one
            while (n && text[n - 1] == ' ') n--;
            if (end && n && text[n - 1] == ',') continue;
        }
        text[n++] = c;
    }
    while (n && text[n - 1] == ' ') n--;
    text[n] = 0;
    arg->text = text;
    *p = *q == '\\' ? q + 1 : q;
    if (n) return HOL_OK;
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, arg->at,
                       "%s: %s: there is nothing behind =", hol_adm_title(r->a, s), arg->key);
}

// One argument at *p.
static hol_status read_argument(reader *r, hol_adm_statement *s, const char **p)
{
    hol_import *in = r->a->in;
    const size_t n = word_length(*p);
    hol_adm_arg arg = {.at = place(r, *p)};
    if (!n)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, arg.at,
                           "%s: an argument begins with a letter, here is \"%c\"", hol_adm_title(r->a, s),
                           **p >= 32 && **p < 127 ? **p : '?');
    const argument found = find_argument(s->type, *p, n);
    if (found.many)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, arg.at,
                           "%s: %.*s: several arguments begin so; write it out", hol_adm_title(r->a, s),
                           (int)(n < 60 ? n : 60), *p);
    char *key = found.n ? hol_arena_copy(in->arena, found.name, found.n)
                        : hol_arena_copy(in->arena, *p, n < 60 ? n : 60);
    if (!key) return HOL_ERR_MEMORY;
    for (char *c = key; *c; c++) *c = upper(*c);
    arg.key = key;
    for (int i = 0; i < s->n; i++)
        if (!found.again && strcmp(s->arg[i].key, key) == 0)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, arg.at, "%s: %s is there twice",
                               hol_adm_title(r->a, s), key);
    *p += n;
    const char *q = *p + strspn(*p, blanks);
    const bool value = *q == '=';
    if (found.n && value != (found.kind != HOL_ADM_WORD))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, arg.at,
                           value ? "%s: %s has no value" : "%s: %s: a value is wanted, %s = ..",
                           hol_adm_title(r->a, s), key, key);
    if (value) {
        *p = q + 1;
        const hol_status st = read_value(r, s, found.n ? found.kind : HOL_ADM_VALUES, &arg, p);
        if (st) return st;
    }
    if (!HOL_ARENA_GROW(in->arena, s->arg, s->n)) return HOL_ERR_MEMORY;
    s->arg[s->n++] = arg;
    return HOL_OK;
}

// ---- statements -----------------------------------------------------------------------------------------------

// Each kind has its own numbers.
static hol_status add_statement(reader *r, hol_adm_statement s, int *index)
{
    hol_adm *a = r->a;
    hol_import *in = a->in;
    const char *key = hol_adm_title(a, &s);
    const int before = hol_names_find(a->ids, key);
    *index = a->n;
    if (in->no_memory) return HOL_ERR_MEMORY; // and there is no key
    if (before >= 0 && !s.type->left)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, s.at, "there is a %s already, in line %d", key,
                           a->s[before].at.line);
    if (!HOL_ARENA_GROW(in->arena, a->s, a->n)) return HOL_ERR_MEMORY;
    a->s[a->n++] = s;
    return before >= 0 ? HOL_OK : hol_names_add(a->ids, key, *index);
}

// The statement whose lines have been gathered.
static hol_status read_statement(reader *r, const char *label)
{
    hol_adm *a = r->a;
    hol_import *in = a->in;
    const char *p = r->text + strspn(r->text, blanks);
    const size_t n = word_length(p);
    bool many = false;
    hol_adm_statement s = {.at = place(r, p),
                           .id = -1,
                           .label = label,
                           .part = -1,
                           .relative = -1,
                           .first = -1,
                           .second = -1,
                           .frame = hol_frame_none};
    const char *slash = p + n + strspn(p + n, blanks);
    s.type = n ? find_type(p, n, &many) : NULL;
    if (!n || *slash != '/')
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, s.at,
                           "a statement is a name with a slash behind it, as in PART/1; a line that goes on "
                           "begins with a comma");
    if (many)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, s.at, "%.*s/: several statements begin so; write it out",
                           (int)(n < 60 ? n : 60), p);
    if (!s.type)
        return hol_import_tell(
            in, HOL_TOLD_MISSED, s.at, NULL,
            hol_adm_print(a, "statement %.*s, which is not known", (int)(n < 60 ? n : 60), p),
            "it is left out");
    p = slash + 1 + strspn(slash + 1, blanks);
    if (is_digit(*p)) {
        char *end;
        const long id = strtol(p, &end, 10);
        if (id > 999999999)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, place(r, p), "%s/: this number is too large",
                               s.type->name);
        s.id = (int)id;
        p = end;
    }
    if (s.type->left) {
        s.rest = hol_arena_copy(in->arena, p, strlen(p));
        return s.rest ? add_statement(r, s, &(int){0}) : HOL_ERR_MEMORY;
    }
    int index;
    hol_status st = add_statement(r, s, &index);
    for (p = skip(p); *p && !st; p = skip(p)) st = read_argument(r, &a->s[index], &p);
    return st;
}

// What stands behind END is not read, and told.
static hol_status tell_rest(reader *r)
{
    hol_import *in = r->a->in;
    const char *line, *comment;
    int n, m;
    while (next_line(r, &line, &n, &comment, &m)) {
        int i = 0;
        while (i < n && line[i] && strchr(blanks, line[i])) i++;
        if (i < n)
            return hol_import_tell(in, HOL_TOLD_LEFT_OUT,
                                   (hol_src){.file = in->file, .line = r->line, .col = i + 1}, NULL,
                                   "what stands behind END", "Adams reads no further");
    }
    return HOL_OK;
}

// Gathers lines into statements until END.
static hol_status read_lines(reader *r)
{
    hol_import *in = r->a->in;
    const char *line, *comment, *own = NULL;
    int n, m;
    bool ended = false;
    hol_status st = HOL_OK;
    while (!st && !ended && next_line(r, &line, &n, &comment, &m)) {
        const char *label = comment ? label_of(r, comment, m) : NULL;
        int i = 0;
        while (i < n && line[i] && strchr(blanks, line[i])) i++;
        if (memchr(line, 0, (size_t)n))
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, (hol_src){.file = in->file, .line = r->line, .col = 1},
                               "a byte 0, which no text has");
        if (i == n) {
            if (label) r->label = label;
            continue;
        }
        const bool more = line[i] == ',';
        if (more && !r->n_pieces)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL,
                               (hol_src){.file = in->file, .line = r->line, .col = i + 1},
                               "this line goes on, and there is no statement before it");
        if (!more && r->n_pieces) {
            st = read_statement(r, own);
            r->n = r->n_pieces = 0;
            own = NULL;
        }
        if (st) break;
        if (!more) {
            own = label ? label : r->label;
            r->label = NULL;
        } else if (label)
            own = label;
        ended = !more && n - i >= 3 && fits(line + i, (size_t)(n - i), "END", 3) == 2;
        if (!ended) st = add_piece(r, line + (more ? i + 1 : 0), n - (more ? i + 1 : 0), more ? i + 2 : 1);
    }
    if (!st && r->n_pieces) st = read_statement(r, own);
    if (st) return st;
    if (ended) return tell_rest(r);
    return hol_import_tell(in, HOL_TOLD_MISSED, (hol_src){.file = in->file, .line = r->line, .col = 1}, NULL,
                           "there is no END, so that this may be a part of a file", "what is there is taken");
}

hol_status hol_adm_parse(hol_adm *a, const char *text, size_t length)
{
    reader r = {.a = a, .p = text, .end = text + length};
    const char *line, *comment;
    int n, m;
    if (next_line(&r, &line, &n, &comment, &m))
        a->title = hol_adm_print(a, "%.*s", n + m < 200 ? n + m : 200, line);
    const hol_status st = read_lines(&r);
    hol_free(r.text);
    hol_free(r.piece);
    return st;
}

// ---- values ---------------------------------------------------------------------------------------------------

hol_adm_arg *hol_adm_get(hol_adm_statement *s, const char *key)
{
    for (int i = 0; i < s->n; i++) {
        if (strcmp(s->arg[i].key, key) != 0) continue;
        s->arg[i].asked = true;
        return &s->arg[i];
    }
    return NULL;
}

bool hol_adm_has(hol_adm_statement *s, const char *key) { return hol_adm_get(s, key) != NULL; }

hol_adm_arg *hol_adm_need(hol_adm *a, hol_adm_statement *s, const char *key)
{
    hol_adm_arg *arg = hol_adm_get(s, key);
    if (!arg) hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: it has no %s", hol_adm_title(a, s), key);
    return arg;
}

int hol_adm_choice(hol_adm *a, hol_adm_statement *s, const char *const *words)
{
    const char *list = "";
    int found = -1, n = 0;
    for (int i = 0; words[i]; i++) {
        if (hol_adm_has(s, words[i])) found = i, n++;
        list = hol_adm_print(a, "%s%s%s", list, i ? ", " : "", words[i]);
    }
    if (n == 1) return found;
    hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: one of these is wanted, here %s %d: %s",
                hol_adm_title(a, s), n == 1 ? "is" : "are", n, list);
    return -1;
}

hol_status hol_adm_number(hol_adm *a, hol_src at, const char *key, const char **p, bool *degrees, double *out)
{
    enum { MOST = 60 };
    char text[MOST + 1], *end;
    const char *from = *p + strspn(*p, " "), *q = from;
    int n = 0;
    if (*q == '+' || *q == '-') text[n++] = *q++;
    const int digits = n;
    while (n < MOST - 8 && (is_digit(*q) || *q == '.')) text[n++] = *q++;
    const char *e = q + 1 + (*q && (q[1] == '+' || q[1] == '-'));
    bool turn = false;
    if (n > digits && *q && strchr("eEdD", *q) && is_digit(*e)) {
        text[n++] = 'e';
        for (q++; n < MOST && (q < e || is_digit(*q)); q++) text[n++] = *q;
    } else if (n > digits && (*q == 'd' || *q == 'D')) {
        turn = true;
        q++;
    }
    text[n] = 0;
    *out = hol_decimal_read(text, &end);
    const bool good =
        n > digits && !*end && isfinite(*out) && !(is_digit(*q) || is_letter(*q) || *q == '.' || *q == '_');
    if (!good || (turn && !degrees)) {
        const int length = (int)strcspn(from, ", ");
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, at,
                           good ? "%s: \"%.*s\" is an angle, which is not wanted here"
                                : "%s: \"%.*s\" is no finite number",
                           key, length < 40 ? length : 40, from);
    }
    if (degrees) *degrees = turn;
    *p = q + strspn(q, " ");
    return HOL_OK;
}

hol_status hol_adm_list(hol_adm *a, const hol_adm_arg *arg, double unit, double **out, int *n)
{
    const char *p = arg->text;
    *out = NULL;
    *n = 0;
    for (bool more = true; more; p += more) {
        double x;
        bool degrees;
        const hol_status st = hol_adm_number(a, arg->at, arg->key, &p, &degrees, &x);
        if (st) return st;
        if (*p && *p != ',')
            return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at,
                               "%s: numbers are wanted with commas between them, here is \"%.40s\"", arg->key,
                               p);
        more = *p == ',';
        if (!HOL_ARENA_GROW(a->in->arena, *out, *n)) {
            a->in->no_memory = true; // some who ask go on without
            return HOL_ERR_MEMORY;
        }
        (*out)[(*n)++] = degrees ? x * HOL_PI / 180 : hol_adm_si(x, unit);
    }
    return HOL_OK;
}

double hol_adm_si(double x, double unit)
{
    const double inverse = round(1 / unit);
    return unit < 1 && fabs(inverse * unit - 1) < 1e-15 ? x / inverse
                                                        : x * unit; // 150 mm is 0.15 m, to the bit
}

hol_status hol_adm_numbers(hol_adm *a, hol_adm_statement *s, const char *key, int n, double unit, double *out)
{
    const hol_adm_arg *arg = hol_adm_get(s, key);
    double *list;
    int found;
    if (!arg) return HOL_OK;
    const hol_status st = hol_adm_list(a, arg, unit, &list, &found);
    if (st) return st;
    if (found != n)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at, "%s: %s: %d number%s wanted, here %s %d",
                           hol_adm_title(a, s), key, n, n == 1 ? " is" : "s are", found == 1 ? "is" : "are",
                           found);
    memcpy(out, list, (size_t)n * sizeof *out);
    return HOL_OK;
}

int hol_adm_find(const hol_adm *a, const char *type, int id)
{
    char key[80];
    snprintf(key, sizeof key, "%s/%d", type, id);
    return hol_names_find(a->ids, key);
}

int hol_adm_named(hol_adm *a, const hol_adm_statement *s, const hol_adm_arg *arg, const char *type, double id)
{
    const int found = id >= 0 && id < 1e9 && id == floor(id) ? hol_adm_find(a, type, (int)id) : -1;
    if (found < 0)
        hol_fail_at(a->in->ctx, HOL_ERR_MODEL, arg->at, "%s: %s: there is no %s/%.12g", hol_adm_title(a, s),
                    arg->key, type, id);
    return found;
}

hol_status hol_adm_other(hol_adm *a, hol_adm_statement *s, const char *key, const char *type, bool required,
                         int *out)
{
    const hol_adm_arg *arg = hol_adm_get(s, key);
    double id;
    *out = -1;
    if (!arg && !required) return HOL_OK;
    if (!arg) return hol_adm_need(a, s, key) ? HOL_OK : HOL_ERR_MODEL;
    const hol_status st = hol_adm_numbers(a, s, key, 1, 1, &id);
    if (st) return st;
    *out = hol_adm_named(a, s, arg, type, id);
    return *out < 0 ? HOL_ERR_MODEL : HOL_OK;
}
