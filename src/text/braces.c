// Indices in braces, "crank{i}.foot", which YAML would end a text at: hidden behind two private characters (U+F8F0,
// U+F8F1) before libyaml reads, and put back in every text that it returns.
#include "text/braces.h"

#include <string.h>

static const char open_mark[] = "\xef\xa3\xb0", close_mark[] = "\xef\xa3\xb1"; // U+F8F0, U+F8F1
enum { MARK = 3 };                                                             // bytes of a mark

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool hol_braces_after(char before) { return is_name(before) || before == '}' || before == '.'; }

// Length of "{...}" if an index starts at text[i], else 0.
static size_t index_length(const char *text, size_t length, size_t i)
{
    if (text[i] != '{' || i == 0 || !hol_braces_after(text[i - 1])) return 0;
    for (size_t k = i + 1; k < length && text[k] != '\n' && text[k] != '{'; k++) {
        if (text[k] == '"' || text[k] == '\'' || text[k] == ':' || text[k] == ',') return 0;
        if (text[k] == '}') return k - i + 1;
    }
    return 0;
}

char *hol_braces_hide(hol_context *ctx, const char *text, size_t length, size_t *length_out)
{
    size_t pairs = 0, n = 0;
    for (size_t i = 0; i < length; i++) pairs += text[i] == '{';
    char *out = hol_calloc(ctx, length + 2 * (MARK - 1) * pairs + 1, 1);
    if (!out) return NULL;
    for (size_t i = 0; i < length;) {
        const size_t k = index_length(text, length, i);
        if (k == 0) {
            out[n++] = text[i++];
            continue;
        }
        memcpy(out + n, open_mark, MARK);
        memcpy(out + n + MARK, text + i + 1, k - 2);
        memcpy(out + n + MARK + k - 2, close_mark, MARK);
        n += 2 * MARK + k - 2;
        i += k;
    }
    *length_out = n;
    return out;
}

void hol_braces_restore(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        const bool open = strncmp(from, open_mark, MARK) == 0, close = strncmp(from, close_mark, MARK) == 0;
        if (open || close) {
            *to++ = open ? '{' : '}';
            from += MARK;
        } else
            *to++ = *from++;
    }
    *to = 0;
}

bool hol_braces_marked(const char *text) { return strstr(text, open_mark) || strstr(text, close_mark); }
