// What is left of an expression without quotes when YAML has cut it at a comma or a colon: {mass: max(1, 2)} is the key mass
// with "max(1" and the key "2)" with nothing, [max(0, 1), 0] has the items "max(0", "1)", "0".
#include "text/cut.h"

#include <string.h>

enum { SHOWN = 40 }; // bytes of a value in a message

static bool is_plain(const hol_node *node) { return node && node->kind == HOL_NODE_SCALAR && !node->quoted; }

static bool is_empty(const hol_node *node) { return is_plain(node) && !*node->text; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

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

// 1,5 as the number 1 and the key 5: a whole number, not the part behind a point or of an exponent.
static bool is_decimal_comma(const hol_node *value, const hol_node *key, const hol_node *nothing)
{
    if (!is_plain(value) || !is_plain(key) || !is_digit(*key->text) || !is_empty(nothing)) return false;
    const char *end = value->text + strlen(value->text), *p = end;
    while (p > value->text && is_digit(p[-1])) p--;
    return p < end && (p == value->text || !strchr(".eE", p[-1]));
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
        if (is_decimal_comma(value, key, pairs[2 * i + 3]))
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
        if (open <= 0) continue;
        for (int k = i + 1; k < n && open > 0; k++) open += open_brackets(item[k]);
        if (open <= 0) return refuse_comma(ctx, item[i]);
    }
    return HOL_OK;
}

hol_status hol_refuse_cut_key(hol_context *ctx, const hol_node *key, const hol_node *value)
{
    if (open_brackets(key) <= 0 || is_empty(value)) return HOL_OK;
    return hol_fail_at(ctx, HOL_ERR_MODEL, key->at,
                       "\"%.*s\" ends at a colon inside its brackets; an expression with \": \" needs quotes",
                       shown(key->text), key->text);
}
