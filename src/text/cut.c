// What is left of an expression without quotes when YAML has cut it at a comma or a colon: {mass: max(1, 2)} is the key mass
// with "max(1" and the key "2)" with nothing, [max(0, 1), 0] has the items "max(0", "1)", "0".
#include "text/cut.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 }; // bytes of a value in a message

static bool is_plain(const hol_node *node) { return node && node->kind == HOL_NODE_SCALAR && !node->quoted; }

static bool is_empty(const hol_node *node) { return is_plain(node) && !*node->text; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_of_name(char c) { return c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }

// Brackets that a text opens and does not close; below 0: that it closes only.
static int open_brackets(const hol_node *node)
{
    int open = 0;
    for (const char *p = is_plain(node) ? node->text : ""; *p; p++) open += (*p == '(') - (*p == ')');
    return open;
}

// Bytes to show of a text; never cuts a UTF-8 character.
static int shown(const char *text)
{
    size_t n = strlen(text);
    if (n > SHOWN) n = SHOWN;
    while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) n--;
    return (int)n;
}

static hol_status refuse_comma(hol_context *ctx, const hol_node *cut)
{
    return hol_fail_at(ctx, HOL_ERR_MODEL, cut->at,
                       "\"%.*s\" ends at a comma inside its brackets; between { } and [ ] an expression with "
                       "commas needs quotes",
                       shown(cut->text), cut->text);
}

// Do keys without values close the brackets of the value before them?
static bool is_closed_by(int open, hol_node *const *pairs, int n)
{
    for (int i = 0; i < n && open > 0 && is_empty(pairs[2 * i + 1]); i++) open += open_brackets(pairs[2 * i]);
    return open <= 0;
}

// 1,5 as the number 1 and the text 5 behind it: a whole number, not the part behind a point, of an exponent or of a name.
static bool is_decimal_comma(const hol_node *value, const hol_node *behind)
{
    if (!is_plain(value) || !is_plain(behind) || !is_digit(*behind->text)) return false;
    const char *first = value->text, *end = first + strlen(first), *p = end;
    while (p > first && is_digit(p[-1])) p--;
    if (p == end || p == first) return p < end;
    const bool exponent =
        strchr("+-", p[-1]) && p - first > 2 && strchr("eE", p[-2]) && (is_digit(p[-3]) || p[-3] == '.');
    return !exponent && p[-1] != '.' && !is_of_name(p[-1]);
}

// Do two items stand in the file with a comma between them and no space? gap: is there one?
static bool is_close(const hol_node *item, const hol_node *next, bool *gap)
{
    const int most = next->at.col - item->at.col - (int)strlen(item->text) - 1;
    const bool line = is_plain(item) && item->at.line == next->at.line;
    *gap = line && most > 0;
    return line && most == 0;
}

// [0, -9,81]: where other commas have a space, one without may stand for a point.
static hol_status refuse_decimal_comma(hol_context *ctx, hol_node *const *item, int n)
{
    const hol_node *const *found = NULL;
    bool spaces = false, gap;
    for (int i = 0; i + 1 < n; i++) {
        const bool close = is_close(item[i], item[i + 1], &gap);
        if (close && !found && is_decimal_comma(item[i], item[i + 1]))
            found = (const hol_node *const *)item + i;
        spaces = spaces || gap;
    }
    if (!found || !spaces) return HOL_OK;
    const char *a = found[0]->text, *b = found[1]->text;
    return hol_fail_at(ctx, HOL_ERR_MODEL, found[0]->at,
                       "\"%.*s,%.*s\", in a list with spaces behind its other commas, may be one number or "
                       "two: decimals are "
                       "written with a point, %.*s.%.*s; two numbers need the space, %.*s, %.*s",
                       shown(a), a, shown(b), b, shown(a), a, shown(b), b, shown(a), a, shown(b), b);
}

// "0 -9.81": numbers with blanks between them and no operator, as they are with commas; "": it is none of these.
static void with_commas(const hol_node *item, char out[SHOWN + 1])
{
    const char *p = is_plain(item) ? item->text : "";
    int n = 0, length = 0;
    char *end;
    for (*out = 0; *p; p += strspn(p, " "), n++) {
        const size_t sign = *p == '-' || *p == '+';
        hol_decimal_read(p, &end);
        if (!(is_digit(p[sign]) || p[sign] == '.') || end == p || (*end && *end != ' ')) break;
        length +=
            snprintf(out + length, (size_t)(SHOWN + 1 - length), "%s%.*s", n ? "," : "", (int)(end - p), p);
        if (length > SHOWN) break;
        p = end;
    }
    if (*p || n < 2) *out = 0;
}

bool hol_lacks_commas(const hol_node *item)
{
    char commas[SHOWN + 1];
    with_commas(item, commas);
    return *commas;
}

// [0 -9.81] is a list of one number, -9.81.
static hol_status refuse_missing_comma(hol_context *ctx, const hol_node *item)
{
    char commas[SHOWN + 1];
    with_commas(item, commas);
    if (!*commas) return HOL_OK;
    return hol_fail_at(ctx, HOL_ERR_MODEL, item->at,
                       "\"%s\": commas stand between the numbers of a list: %s; an expression has blanks on "
                       "both sides of its "
                       "operators or on none",
                       item->text, commas);
}

hol_status hol_refuse_cut_pairs(hol_context *ctx, hol_node *const *pairs, int n, bool complete)
{
    for (int i = 0; i < n; i++) {
        const hol_node *value = pairs[2 * i + 1];
        const int open = open_brackets(value);
        const bool cut = open > 0 && (!complete || is_closed_by(open, pairs + 2 * i + 2, n - i - 1));
        if (cut) return refuse_comma(ctx, value);
        if (open > 0 || i + 1 == n) continue;
        const hol_node *key = pairs[2 * i + 2];
        if (is_empty(pairs[2 * i + 3]) && is_decimal_comma(value, key))
            return hol_fail_at(ctx, HOL_ERR_MODEL, value->at,
                               "\"%.*s,%.*s\": decimals are written with a point: %.*s.%.*s",
                               shown(value->text), value->text, shown(key->text), key->text,
                               shown(value->text), value->text, shown(key->text), key->text);
    }
    return HOL_OK;
}

hol_status hol_refuse_cut_items(hol_context *ctx, hol_node *const *item, int n)
{
    for (int i = 0; i < n; i++) {
        int open = open_brackets(item[i]);
        const hol_status st = refuse_missing_comma(ctx, item[i]);
        if (st) return st;
        if (open <= 0) continue;
        for (int k = i + 1; k < n && open > 0; k++) open += open_brackets(item[k]);
        if (open <= 0) return refuse_comma(ctx, item[i]);
    }
    return refuse_decimal_comma(ctx, item, n);
}

hol_status hol_refuse_cut_key(hol_context *ctx, const hol_node *key, const hol_node *value)
{
    if (open_brackets(key) <= 0 || is_empty(value)) return HOL_OK;
    return hol_fail_at(ctx, HOL_ERR_MODEL, key->at,
                       "\"%.*s\" ends at a colon inside its brackets; an expression with \": \" needs quotes",
                       shown(key->text), key->text);
}

// 0,-9.81 or (0, -9.81) or 0 -9.81 in place of a list.
static const char *brackets_hint(hol_arena *arena, const hol_node *node)
{
    char commas[SHOWN + 1];
    with_commas(node, commas);
    if (!*commas && !strchr(node->text, ',')) return "";
    const char *text = *commas ? commas : node->text, *hint;
    const size_t n = strlen(text), in = n > 1 && *text == '(' && text[n - 1] == ')';
    hint = hol_arena_print(arena, "; lists have brackets: [%.*s]", (int)(n - 2 * in), text + in);
    return hint ? hint : "";
}

const char *hol_comma_hint(hol_arena *arena, const hol_node *list)
{
    bool gap;
    if (is_plain(list)) return brackets_hint(arena, list);
    for (int i = 0; list->kind == HOL_NODE_SEQUENCE && i + 1 < list->n; i++) {
        const hol_node *a = list->value[i], *b = list->value[i + 1];
        if (!is_close(a, b, &gap) || !is_decimal_comma(a, b)) continue;
        const char *hint = hol_arena_print(
            arena, "; if %.*s,%.*s is one number: decimals are written with a point, %.*s.%.*s",
            shown(a->text), a->text, shown(b->text), b->text, shown(a->text), a->text, shown(b->text),
            b->text);
        return hint ? hint : "";
    }
    return "";
}
