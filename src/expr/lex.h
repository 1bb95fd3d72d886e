// The words of an expression. Inside src/expr only.
#ifndef HOL_LEX_H
#define HOL_LEX_H

#include "base/base.h"

// Kinds of tokens; an operator or bracket is its own character, and `**` is '^'.
enum { HOL_TOKEN_END = 0, HOL_TOKEN_NUMBER = '0', HOL_TOKEN_NAME = 'a', HOL_TOKEN_STRAY = '?' };

typedef struct hol_token {
    char kind;
    int at, length;    // bytes of the text
    double number;     // of HOL_TOKEN_NUMBER; infinite if too large
    long double exact; // the same, for a unit that follows: rounded once
} hol_token;

// The token at or after byte `at` of `text`. `braces` may be part of a name.
hol_token hol_lex(const char *text, int at, bool braces);
// The text from byte word->at to the "," or ")" outside of all brackets, or to the end, without blanks around. Returns
// where it ends.
int hol_lex_raw(const char *text, hol_token *word);

// Characters (not bytes) of UTF-8 before byte `at`.
int hol_lex_column(const char *text, int at);

#endif
