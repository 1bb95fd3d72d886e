// Writing JSON piece by piece: commas, indents and escapes follow from what has been opened; numbers are written so
// that they read back to the same bits, and what is not finite as null.
#include "io/json.h"
#include "io/number_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Bytes of the character at the beginning of the text, by RFC 3629; 0: it is none.
static int character(const unsigned char *c, size_t length)
{
    const int n = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    if ((size_t)n > length) return 0;
    for (int i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    const bool longer = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90), // than need be
        surrogate = c[0] == 0xed && c[1] > 0x9f, beyond = c[0] == 0xf4 && c[1] > 0x8f;
    return longer || surrogate || beyond ? 0 : n;
}

// What is no UTF-8 becomes U+FFFD, byte by byte.
static void quoted(hol_json *j, const char *text, size_t length)
{
    char piece[8];
    j->print(j->user, "\"");
    for (size_t i = 0, n; i < length; i += n) {
        const unsigned char c = (unsigned char)text[i];
        const int bytes = character((const unsigned char *)text + i, length - i);
        n = bytes ? (size_t)bytes : 1;
        if (!bytes)
            snprintf(piece, sizeof piece, "\xef\xbf\xbd");
        else if (c == '"' || c == '\\')
            snprintf(piece, sizeof piece, "\\%c", c);
        else if (c < 0x20)
            snprintf(piece, sizeof piece, "\\u%04x", c);
        else
            snprintf(piece, sizeof piece, "%.*s", bytes, text + i);
        j->print(j->user, piece);
    }
    j->print(j->user, "\"");
}

static void new_line(hol_json *j)
{
    j->print(j->user, "\n");
    for (int i = 0; i < j->depth; i++) j->print(j->user, "  ");
}

static void item(hol_json *j, const char *key)
{
    if (j->begun) j->print(j->user, ",");
    if (j->depth && !j->flat) new_line(j);
    j->begun = true;
    if (!key) return;
    quoted(j, key, strlen(key));
    j->print(j->user, ": ");
}

void hol_json_open(hol_json *j, const char *key, char bracket)
{
    const char text[2] = {bracket, 0};
    item(j, key);
    j->print(j->user, text);
    j->depth++;
    j->begun = false;
}

void hol_json_close(hol_json *j, char bracket)
{
    const char text[2] = {bracket, 0};
    j->depth--;
    if (j->begun && !j->flat) new_line(j);
    j->print(j->user, text);
    j->begun = true;
    if (j->depth == 0) j->print(j->user, "\n");
}

void hol_json_text(hol_json *j, const char *key, const char *text)
{
    item(j, key);
    quoted(j, text, strlen(text));
}

void hol_json_words(hol_json *j, const char *key, const char *words)
{
    item(j, key);
    j->print(j->user, "[");
    for (const char *p = words; *p;) {
        const size_t n = strcspn(p, "|");
        if (p != words) j->print(j->user, ", ");
        quoted(j, p, n);
        p += n + (p[n] == '|');
    }
    j->print(j->user, "]");
}

void hol_json_number(hol_json *j, const char *key, double x)
{
    char text[32];
    item(j, key);
    if (!isfinite(x)) { // JSON has no word for it
        j->print(j->user, "null");
        return;
    }
    hol_number_text(x, text);
    j->print(j->user, text);
}

void hol_json_flag(hol_json *j, const char *key, bool on)
{
    item(j, key);
    j->print(j->user, on ? "true" : "false");
}

void hol_json_null(hol_json *j, const char *key)
{
    item(j, key);
    j->print(j->user, "null");
}

void hol_json_raw(hol_json *j, const char *key, const char *json, int number)
{
    item(j, key);
    for (const char *c = json; *c; c++) {
        const char text[2] = {(char)(*c == '\'' ? '"' : *c == '@' ? '0' + number : *c), 0};
        j->print(j->user, text);
    }
}
