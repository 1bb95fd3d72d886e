// Units: their names, and texts that are products of them (expr/units.c, expr/unit_text.c). Inside src/expr only; others use
// expr/expr.h.
//
//     unit   = factor {(* | · | blank) factor} [/ factor]         one /, and nothing after its factor
//     factor = name [power] | ( unit ) [power] | 1                1 before / alone: 1/s
//     power  = ^ rational | superscript                           ^2, ^-1, ^1.5, ^(3/2), ²; expr.h: HOL_POWER_ONE
#ifndef HOL_UNITS_H
#define HOL_UNITS_H

#include "expr/expr.h"

bool hol_unit_named(const char *name, size_t length, hol_unit *out); // one name; false: unknown

// Where a text of units stands in an expression, a name behind * or / may be that of a value.
typedef struct hol_unit_text {
    const char *text;
    bool (*is_value)(const void *user, int at, int length); // NULL: nothing is one
    const void *user;
    // results
    int at, length; // byte of an error and what is shown of it; of a name that is both unit and value
    bool both;
    bool unknown; // the error is a name that is no unit
    char why[200];
} hol_unit_text;

// Bytes of the unit that begins at byte `at`, 0: none begins there, -1: an error, see t->why (empty for an unknown name).
int hol_unit_scan(hol_unit_text *t, int at, hol_unit *out);

// Do the brackets at byte `at` hold a unit and nothing else?
bool hol_unit_is_group(const hol_unit_text *t, int at);

// What is meant by a name that is no unit: "write kg m"; NULL: no idea.
const char *hol_unit_trap(const char *word);

// Behind a unit: nothing of the power 1, "^2", "^(-5/2)".
void hol_power_print(int power, char *out, size_t room);

#endif
