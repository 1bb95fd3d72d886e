// The parser's state, and its messages (parse_errors.c). Inside src/expr only.
#ifndef HOL_PARSE_H
#define HOL_PARSE_H

#include "expr/lex.h"
#include "expr/program.h"

typedef struct hol_parser {
    hol_context *ctx;
    const char *text;
    hol_src at; // of the first character of text
    const hol_scope *scope;
    hol_units units;
    bool allow_time;

    hol_token token; // the next one
    bool after_unit; // the one before it was a unit
    int nesting;
    hol_builder build;
    hol_status status;
} hol_parser;

// Looks a name up in the scopes, from the innermost outwards.
bool hol_parse_find(const hol_parser *p, hol_token name, double *value);

// All of these leave a message and return false. `at` is a byte of the text.
bool hol_parse_fail(hol_parser *p, int at, const char *format, ...) HOL_PRINTF(3, 4);
bool hol_parse_unknown_name(hol_parser *p, hol_token name);
bool hol_parse_unknown_function(hol_parser *p, hol_token name);
bool hol_parse_unknown_unit(hol_parser *p, hol_token name);
bool hol_parse_wrong_count(hol_parser *p, const hol_function *fn, hol_token name, int count);
bool hol_parse_missing_value(hol_parser *p); // at the next token
bool hol_parse_unexpected(hol_parser *p);    // the next token, after a complete value

#endif
