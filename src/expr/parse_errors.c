// What the parser says when it stops: the place, the rule, and the way out.
#include "expr/parse.h"
#include "expr/units.h"
#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 }; // bytes of a word shown in a message

// Bytes of the token to show; never cuts a UTF-8 character.
static int shown(const hol_parser *p, hol_token token)
{
    if (token.length <= SHOWN) return token.length;
    int n = SHOWN;
    while (n > 0 && ((unsigned char)p->text[token.at + n] & 0xC0) == 0x80) n--;
    return n;
}

#define WORD(p, token) shown(p, token), (p)->text + (token).at

bool hol_parse_fail(hol_parser *p, int at, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    hol_decimal_vprint(message, sizeof message, format, args);
    va_end(args);
    hol_src place = p->at;
    place.col += hol_lex_column(p->text, at);
    p->status = hol_fail_at(p->ctx, HOL_ERR_MODEL, place, "%s", message);
    return false;
}

bool hol_parse_find(const hol_parser *p, hol_token name, hol_constant *out)
{
    *out = (hol_constant){.value = 0};
    for (const hol_scope *s = p->scope; s; s = s->outer)
        if (s->find(s->data, p->text + name.at, (size_t)name.length, out)) return true;
    return false;
}

// A 0-terminated copy of the word, cut at SHOWN bytes.
static void copy_word(const hol_parser *p, hol_token name, char word[SHOWN + 1])
{
    snprintf(word, SHOWN + 1, "%.*s", WORD(p, name));
}

// Tries the names of the leaves as they are and, since those of measures may be written in any case, against the word
// in capitals.
static void try_leaves(const hol_parser *p, hol_nearest *n)
{
    char capitals[SHOWN + 1];
    hol_nearest other;
    if (!p->leaves || !p->leaves->each) return;
    p->leaves->each(p->leaves->user, n);
    snprintf(capitals, sizeof capitals, "%s", n->word);
    for (char *c = capitals; *c; c++)
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
    hol_nearest_start(&other, capitals);
    p->leaves->each(p->leaves->user, &other);
    if (other.distance >= n->distance) return;
    n->best = other.best;
    n->distance = other.distance;
}

static bool is_leaf(const hol_parser *p, hol_token name)
{
    char word[SHOWN + 1];
    hol_nearest n;
    copy_word(p, name, word);
    hol_nearest_start(&n, word);
    try_leaves(p, &n);
    return n.distance == 0;
}

bool hol_parse_is_named(const hol_parser *p, hol_token name)
{
    hol_constant ignored;
    return hol_parse_find(p, name, &ignored) || is_leaf(p, name);
}

bool hol_parse_is_value(const hol_parser *p, hol_token name)
{
    return hol_parse_is_named(p, name) || hol_same_word(p->text + name.at, (size_t)name.length, "pi") ||
           hol_same_word(p->text + name.at, (size_t)name.length, "time") ||
           (name.length == 1 && strchr("et", p->text[name.at]));
}

// What the misspelt word is closest to among names of the scopes, leaves, time and constants.
static const char *nearest_value(const hol_parser *p, const char *word)
{
    hol_nearest n;
    hol_nearest_start(&n, word);
    for (const hol_scope *s = p->scope; s; s = s->outer)
        if (s->each) s->each(s->data, &n);
    try_leaves(p, &n);
    if (p->allow_time) hol_nearest_try(&n, "time");
    hol_nearest_try(&n, "pi");
    return n.best;
}

static void try_rows(hol_nearest *n, const hol_expr_doc *row, int count)
{
    for (int i = 0; i < count; i++) hol_nearest_try(n, row[i].name);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool same_letters(const char *a, const char *b)
{
    for (; *a && lower(*a) == lower(*b); a++) b++;
    return *a == 0 && *b == 0;
}

// Case matters to units, not to those who write them: hz is Hz.
static const char *nearest_unit(const char *word)
{
    int count;
    const hol_expr_doc *row = hol_expr_unit_names(&count);
    hol_nearest n;
    for (int i = 0; i < count; i++)
        if (same_letters(word, row[i].name)) return row[i].name;
    hol_nearest_start(&n, word);
    try_rows(&n, row, count);
    return n.best;
}

// A function or a measure.
static const char *nearest_call(const hol_parser *p, const char *word)
{
    char lower[SHOWN + 1];
    int count;
    const hol_expr_doc *row = hol_expr_functions(&count);
    hol_nearest n, measure;
    snprintf(lower, sizeof lower, "%s", word);
    for (char *c = lower; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    hol_nearest_start(&n, lower);
    try_rows(&n, row, count);
    hol_nearest_start(&measure, word);
    try_leaves(p, &measure);
    return measure.distance < n.distance ? measure.best : n.best;
}

bool hol_parse_is_part(const hol_parser *p, hol_token name, hol_token *part)
{
    if (p->text[name.at + name.length] != '.') return false;
    bool any = false;
    for (int end = name.at + name.length; p->text[end] == '.';) {
        const hol_token next = hol_lex(p->text, end + 1, true);
        if (next.kind != HOL_TOKEN_NAME || next.at != end + 1) break;
        *part = next;
        end = next.at + next.length;
        any = true;
    }
    return any;
}

bool hol_parse_unknown_name(hol_parser *p, hol_token name)
{
    hol_token part;
    if (!p->leaves && hol_parse_is_part(p, name, &part))
        return hol_parse_fail(
            p, name.at,
            "unknown name \"%.*s\"; numbers and functions of the time know parameters alone here. What "
            "follows "
            "the motion is a force, or the `motor` of a joint; what an included file or an element has "
            "becomes a parameter that `set:` of the include passes on",
            part.at + part.length - name.at, p->text + name.at);
    const char *where = p->leaves ? "(names are given under \"parameters:\" and \"variables:\")"
                                  : "(parameters are given under \"parameters:\")";
    char word[SHOWN + 1];
    int dimension[4];
    copy_word(p, name, word);
    if (strncmp(word, "\u2212", strlen("\u2212")) == 0)
        return hol_parse_fail(p, name.at, "\"\u2212\" is not the minus of the keyboard; write -");
    unsigned point;
    const char *what, *unseen = hol_unseen_find(p->text + name.at, (size_t)name.length, &point, &what);
    if (unseen)
        return hol_parse_fail(p, (int)(unseen - p->text), "here is %s, U+%04X; remove it", what, point);
    if (hol_function_find(p->text + name.at, (size_t)name.length))
        return hol_parse_fail(p, name.at, "\"%s\" is a function; write %s(...)", word, word);
    if (hol_unit_find(p->text + name.at, (size_t)name.length, dimension) != 0)
        return hol_parse_fail(p, name.at, "unknown name \"%s\"; the unit stands after a value: 1 %s %s", word,
                              word, where);
    const char *best = nearest_value(p, word);
    if (best)
        return hol_parse_fail(p, name.at, "unknown name \"%s\"; did you mean \"%s\"? %s", word, best, where);
    return hol_parse_fail(p, name.at, "unknown name \"%s\" %s", word, where);
}

bool hol_parse_unknown_function(hol_parser *p, hol_token name)
{
    char word[SHOWN + 1];
    copy_word(p, name, word);
    if (hol_parse_is_value(p, name))
        return hol_parse_fail(p, name.at, "\"%s\" is a value, not a function; to multiply, write %s*(...)",
                              word, word);
    static const char *const signs[] = {"sign", "sgn", "signum"};
    for (int i = 0; i < HOL_COUNT(signs); i++)
        if (same_letters(word, signs[i]))
            return hol_parse_fail(p, name.at, "\"%s\" is not a function; write if(x: -1, 0, 1)", word);
    if (!p->leaves && word[0] && word[1] && word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == 0)
        return hol_parse_fail(p, name.at,
                              "\"%s\" is not a function here: what is written so is measured while the model "
                              "runs, and values here are "
                              "found before it runs",
                              word);
    const char *best = nearest_call(p, word);
    if (best) return hol_parse_fail(p, name.at, "\"%s\" is not a function; did you mean \"%s\"?", word, best);
    return hol_parse_fail(p, name.at, "\"%s\" is not a function; \"holonom elements\" lists them", word);
}

bool hol_parse_unknown_unit(hol_parser *p, hol_token name)
{
    char word[SHOWN + 1];
    copy_word(p, name, word);
    if (hol_parse_is_value(p, name) || hol_function_find(p->text + name.at, (size_t)name.length))
        return hol_parse_fail(p, name.at, "\"%s\" is not a unit; to multiply, write *%s", word, word);
    const char *meant = hol_unit_trap(word), *best = nearest_unit(word);
    if (strstr(word, "\u00a0") || strstr(word, "\u2009") || strstr(word, "\u202f"))
        return hol_parse_fail(
            p, name.at, "a blank here is not the ordinary one (of a word processor?); write the unit anew");
    if (meant) return hol_parse_fail(p, name.at, "unknown unit \"%s\"; %s", word, meant);
    if (best) return hol_parse_fail(p, name.at, "unknown unit \"%s\"; did you mean \"%s\"?", word, best);
    return hol_parse_fail(p, name.at, "unknown unit \"%s\"; \"holonom elements\" lists them", word);
}

bool hol_parse_is_call(const hol_parser *p, hol_token name)
{
    return hol_function_find(p->text + name.at, (size_t)name.length) &&
           p->text[hol_lex(p->text, name.at + name.length, false).at] == '(';
}

void hol_parse_tell_e(const hol_parser *p, hol_token name)
{
    if (!p->ctx) return;
    hol_src at = p->at;
    at.col += hol_lex_column(p->text, name.at);
    hol_note_at(
        p->ctx, HOL_WARNING, at,
        "\"e\" is a name of this file here, not 2.71828..; write exp(x) for the exponential function, or "
        "(e)^x for this power");
}

void hol_parse_tell_both(const hol_parser *p, hol_token name)
{
    char word[SHOWN + 1];
    copy_word(p, name, word);
    if (!p->ctx) return;
    hol_src at = p->at;
    at.col += hol_lex_column(p->text, name.at);
    hol_note_at(
        p->ctx, HOL_WARNING, at,
        "\"%s\" is read as the unit here, and a value has this name too; put the quantity before it in "
        "brackets where the value is meant: (1 N)*%s",
        word, word);
}

bool hol_parse_wrong_count(hol_parser *p, const hol_function *fn, hol_token name, int count)
{
    char most[24] = "";
    if (fn->max_args == HOL_MANY_ARGS)
        snprintf(most, sizeof most, " or more");
    else if (fn->max_args > fn->min_args)
        snprintf(most, sizeof most, " or %d", fn->max_args);
    return hol_parse_fail(p, name.at, "%s takes %d%s argument%s (%s), here %s %d", fn->name, fn->min_args,
                          most, fn->max_args == 1 ? "" : "s", fn->arguments, count == 1 ? "is" : "are",
                          count);
}

bool hol_parse_missing_value(hol_parser *p)
{
    const hol_token next = p->token;
    if (next.kind == HOL_TOKEN_STRAY) return hol_parse_unexpected(p);
    if (next.kind == HOL_TOKEN_END)
        return hol_parse_fail(p, next.at, "a value is missing at the end of the expression");
    return hol_parse_fail(p, next.at, "a value is missing before \"%.*s\"", WORD(p, next));
}

bool hol_parse_unexpected(hol_parser *p)
{
    const hol_token next = p->token;
    switch (next.kind) {
    case HOL_TOKEN_NUMBER:
    case '(':
        return hol_parse_fail(p, next.at, "unexpected \"%.*s\"; an operator such as * is missing before it",
                              WORD(p, next));
    case ')': return hol_parse_fail(p, next.at, "\")\" has no \"(\" before it");
    case ',': return hol_parse_fail(p, next.at, "unexpected \",\"; decimals are written with a point");
    default:
        if (strchr("<>=", p->text[next.at]))
            return hol_parse_fail(
                p, next.at,
                "unexpected \"%.*s\"; expressions do not compare: an event takes when: a - b, "
                "which passes through 0, and if(a - b: x, y, z) is x below, y at and z above 0",
                WORD(p, next));
        return hol_parse_fail(p, next.at, "unexpected \"%.*s\"; %s", WORD(p, next),
                              "the operators are + - * / ^ and brackets are ( )");
    }
}
