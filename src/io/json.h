// Writing JSON piece by piece, indented.
#ifndef HOL_JSON_H
#define HOL_JSON_H

#include "base/base.h"

typedef struct hol_json {
    hol_print_fn print;
    void *user;
    int depth;
    bool flat;  // all on one line
    bool begun; // something stands in the present object or array already
} hol_json;

// key: NULL in arrays and at the top.
void hol_json_open(hol_json *j, const char *key, char bracket); // '{' or '['
void hol_json_close(hol_json *j, char bracket);                 // '}' or ']'
void hol_json_text(hol_json *j, const char *key, const char *text);
void hol_json_words(hol_json *j, const char *key, const char *words); // array of words separated by '|'
// null if it is not finite.
void hol_json_number(hol_json *j, const char *key, double x);
void hol_json_flag(hol_json *j, const char *key, bool on);
// Text that is JSON already, with ' for " and @ for the digit `number`.
void hol_json_raw(hol_json *j, const char *key, const char *json, int number);
void hol_json_null(hol_json *j, const char *key);

#endif
