// The parser's state; its parts (parse.c, parse_leaves.c) and its messages (parse_errors.c). Inside src/expr only.
#ifndef HOL_PARSE_H
#define HOL_PARSE_H

#include "expr/lex.h"
#include "expr/program.h"

typedef struct hol_parser {
    hol_context *ctx;
    const char *text;
    hol_src at; // of the first character of text
    const hol_scope *scope;
    const hol_leaves *leaves; // NULL: none
    const hol_leaves *tables; // who knows tables by name, of what has leaves the same; NULL: none
    hol_units units;
    bool allow_time;

    hol_token token;   // the next one
    bool after_unit;   // the one before it was a unit
    long double exact; // the value on top, if it is a number of the text; else NaN
    int nesting;
    hol_builder build;
    hol_status status;
} hol_parser;

// Looks a name up in the scopes, from the innermost outwards.
bool hol_parse_find(const hol_parser *p, hol_token name, hol_constant *out);
bool hol_parse_is_named(const hol_parser *p, hol_token name); // a name of any scope or leaf
bool hol_parse_is_value(const hol_parser *p, hol_token name); // a name of any scope, leaf or constant

// All that follow return false when the parser must stop, with a message. They begin at the next token.
void hol_parse_to(hol_parser *p, int at); // the next token is the one at or after this byte
void hol_parse_advance(hol_parser *p);
bool hol_parse_sum(hol_parser *p);
bool hol_parse_close(hol_parser *p, int open);                   // ")" for the "(" at the byte `open`
bool hol_parse_emit(hol_parser *p, hol_op op);                   // appends a push or a call to the program
bool hol_parse_leaf(hol_parser *p, hol_token name, bool *known); // a name without brackets
bool hol_parse_is_part(const hol_parser *p, hol_token name,
                       hol_token *part);                 // hinge.angle: what stands behind the point
bool hol_parse_leaf_call(hol_parser *p, hol_token name); // with brackets, and no function
bool hol_parse_table(hol_parser *p, hol_token name, const hol_function *fn, int open); // after its "("

// All of these leave a message and return false. `at` is a byte of the text.
bool hol_parse_fail(hol_parser *p, int at, const char *format, ...) HOL_PRINTF(3, 4);
bool hol_parse_unknown_name(hol_parser *p, hol_token name);
bool hol_parse_unknown_function(hol_parser *p, hol_token name);
bool hol_parse_unknown_unit(hol_parser *p, hol_token name);
bool hol_parse_is_call(const hol_parser *p, hol_token name); // a function, "(" behind it
// A warning, not an error: `name`, an e of the file, is the base of what looks like the exponential function.
void hol_parse_tell_e(const hol_parser *p, hol_token name);
// A warning, not an error: `name` is read as a unit and is a value too.
void hol_parse_tell_both(const hol_parser *p, hol_token name);
bool hol_parse_wrong_count(hol_parser *p, const hol_function *fn, hol_token name, int count);
bool hol_parse_missing_value(hol_parser *p); // at the next token
bool hol_parse_unexpected(hol_parser *p);    // the next token, after a complete value

#endif
