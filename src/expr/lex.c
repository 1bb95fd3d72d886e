// Splits an expression into numbers, names and signs.
//     number = digits [. digits] [e [+-] digits]        name = letter {letter | digit | braces}
// A letter is A-Z, a-z, _ or any character beyond ASCII (so that parameters may be Greek). Braces, as in x{i+1}, belong
// to a name where they are allowed, with all that is between them.
#include "expr/lex.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

enum { MAX_DIGITS = 60, MAX_EXPONENT = 100000000 }; // further digits cannot be seen in a double

// Reads [e [+-] digits]; returns its length, 0 if there is none.
static int scan_exponent(const char *s, int *exponent)
{
    int n = 1;
    if (*s != 'e' && *s != 'E') return 0;
    const bool negative = s[n] == '-';
    if (s[n] == '-' || s[n] == '+') n++;
    if (!is_digit(s[n])) return 0;
    int value = 0;
    for (; is_digit(s[n]); n++)
        if (value < MAX_EXPONENT) value = 10 * value + (s[n] - '0');
    *exponent = negative ? -value : value;
    return n;
}

// Reads a number; returns its length, 0 if there is none. The digits that count go on as an integer with an exponent.
static int scan_number(const char *s, double *number, long double *exact)
{
    char digits[MAX_DIGITS + 16] = "0";
    int n = 0, kept = 0, shift = 0, exponent = 0;
    bool point = false, any = false;
    for (; is_digit(s[n]) || (s[n] == '.' && !point); n++) {
        if (s[n] == '.') {
            point = true;
            continue;
        }
        any = true;
        const bool leading_zero = kept == 0 && s[n] == '0';
        const bool keep = !leading_zero && kept < MAX_DIGITS;
        if (keep) digits[kept++] = s[n];
        if (point && (keep || leading_zero)) shift--;
        if (!point && !keep && !leading_zero) shift++;
    }
    if (!any) return 0;
    n += scan_exponent(s + n, &exponent);
    if (kept > 0) snprintf(digits + kept, sizeof digits - (size_t)kept, "e%d", exponent + shift);
    *number = hol_decimal_read(digits, NULL);
    *exact = hol_decimal_read_long(digits);
    return n;
}

// From "{" to its "}"; 0 if there is none.
static int braces_length(const char *s)
{
    int depth = 0;
    for (int n = 0; s[n]; n++) {
        depth += (s[n] == '{') - (s[n] == '}');
        if (depth == 0) return n + 1;
    }
    return 0;
}

// Letters, digits after them, and with `braces` indices in braces, of which a name is made; 0: it does not
// begin here.
static int name_length(const char *s, bool braces)
{
    int n = 0;
    for (;;) {
        const int more = is_letter(s[n]) || is_digit(s[n]) ? 1
                         : braces && s[n] == '{'           ? braces_length(s + n)
                                                           : 0;
        if (more == 0) return n;
        n += more;
    }
}

static bool is_blank(char c) { return c && strchr(" \t\r\n", c); }

int hol_lex_raw(const char *text, hol_token *word)
{
    int end, depth = 0;
    while (is_blank(text[word->at])) word->at++;
    for (end = word->at; text[end]; end++) {
        const char c = text[end];
        if (depth == 0 && (c == ',' || c == ')')) break;
        if (strchr("([{", c)) depth++;
        if (strchr(")]}", c) && depth > 0) depth--;
    }
    word->length = end - word->at;
    while (word->length > 0 && is_blank(text[word->at + word->length - 1])) word->length--;
    return end;
}

hol_token hol_lex(const char *text, int at, bool braces)
{
    while (is_blank(text[at])) at++;
    hol_token token = {.kind = HOL_TOKEN_STRAY, .at = at, .length = 1};
    const char *s = text + at;
    if (*s == 0) {
        token.kind = HOL_TOKEN_END;
        token.length = 0;
    } else if (is_letter(*s)) {
        token.kind = HOL_TOKEN_NAME;
        token.length = name_length(s, braces);
    } else if (is_digit(*s) || (*s == '.' && is_digit(s[1]))) {
        token.kind = HOL_TOKEN_NUMBER;
        token.length = scan_number(s, &token.number, &token.exact);
    } else if (s[0] == '*' && s[1] == '*') {
        token.kind = '^';
        token.length = 2;
    } else if (strchr("+-*/^(),:", *s)) {
        token.kind = *s;
    }
    return token;
}

int hol_lex_column(const char *text, int at)
{
    int column = 0;
    for (int i = 0; i < at; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80) column++; // not a continuation byte
    return column;
}
