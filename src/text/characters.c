// Characters of UTF-8: decoding, those that a YAML text may have, and those that end its lines.
#include "text/characters.h"

#include <stdio.h>
#include <string.h>

enum { BYTE_ORDER_MARK = 0xfeff, BRACE_MARKS = 0xf8f0 }; // the second: two of them, of braces.c

int hol_utf8_decode(const char *text, size_t left, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000}; // of this many bytes
    const unsigned char *s = (const unsigned char *)text;
    int n = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (n == 0 || (size_t)n > left) return 0;

    *code = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        *code = *code << 6 | (s[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < smallest[n] || *code > 0x10ffff || surrogate ? 0 : n;
}

bool hol_is_printable(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0x7e) || c == 0x85 ||
           (c >= 0xa0 && c <= 0xfffd && c != BYTE_ORDER_MARK && (c | 1) != (BRACE_MARKS | 1)) || c >= 0x10000;
}

bool hol_is_break(uint32_t c) { return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029; }

size_t hol_text_good(const char *text, size_t length, char why[HOL_CHARACTER_WHY], bool *coded)
{
    for (size_t i = 0; i < length;) {
        uint32_t c;
        const int n = hol_utf8_decode(text + i, length - i, &c);
        *coded = n > 0;
        if (n > 0 && hol_is_printable(c)) {
            i += (size_t)n;
            continue;
        }
        if (n > 0)
            snprintf(why, HOL_CHARACTER_WHY, "character U+%04X is not allowed in a text", (unsigned)c);
        else
            snprintf(why, HOL_CHARACTER_WHY, "byte 0x%02X is not UTF-8", (unsigned char)text[i]);
        return i;
    }
    return length;
}

const char *hol_article(const char *noun) { return strchr("aeio", noun[0]) ? "an" : "a"; }
