// Option rows: the one description of everything a user can set. They drive the model reader, the JSON
// schema, the command line (--set), `holonom elements`, `holonom methods` and the model reference.
#ifndef HOL_OPTION_H
#define HOL_OPTION_H

#include "base/base.h"

struct hol_expr;
struct hol_formula;
struct hol_table;

typedef enum hol_kind {
    HOL_NUMBER,    // one number                                          -> num
    HOL_INTEGER,   // a whole number                                      -> num
    HOL_FLAG,      // yes/no, true/false                                  -> num 0 or 1
    HOL_TEXT,      // any text                                            -> text
    HOL_CHOICE,    // one of the words in `choices`                       -> num (index), text
    HOL_VECTOR,    // as many numbers as the model has dimensions         -> list (3, unused are 0), n
    HOL_NUMBERS,   // a number or a list of numbers                       -> list, n
    HOL_MATRIX,    // its diagonal as above, or a list of n rows of n     -> list, n (or n*n, row by row)
    HOL_FUNCTION,  // a number or an expression of time                   -> fn[0]
    HOL_FUNCTIONS, // one or a list of the above                          -> fn, n
    HOL_SPLINE,    // the name of one of the model's splines                -> table
    HOL_ENTRY      // structured; the reader knows this key
} hol_kind;

enum {
    HOL_REQUIRED = 1, // must be given
    HOL_ABOVE = 2,    // the minimum itself is excluded
    HOL_ONLY_2D = 4,
    HOL_ONLY_3D = 8,
    HOL_LEAVES = 16 // functions: measures, variables, states, ... may be used too
};

#define HOL_ANY_UNIT "any" // plain numbers are taken as they are, those with a unit in SI

typedef struct hol_option {
    const char *key;
    hol_kind kind;
    const char *unit; // "" for pure numbers; products of m kg s rad N, e.g. "N s/m"; HOL_ANY_UNIT
    double def;       // default (NAN: none; said in doc)
    double min, max;  // admitted range of every number
    unsigned flags;
    const char *choices; // HOL_CHOICE: words separated by '|', the first is the default; else NULL
    const char *doc;     // one line
} hol_option;

typedef struct hol_value {
    bool given;
    hol_src at;   // where the value stands
    int n;        // length of list or fn
    double num;   // the default when not given
    double *list; //                                                             (n)
    const char *text;
    const struct hol_formula **formula; // functions that may use leaves, beside fn         (n)
    const struct hol_expr **fn;         //                                                             (n)
    const struct hol_table *table;      // of a spline (expr/spline.h)
} hol_value;

#define HOL_INF (1.0 / 0.0)
#define HOL_NONE (0.0 / 0.0)
#define HOL_END_OPTIONS                                                                                      \
    {                                                                                                        \
        NULL, HOL_NUMBER, NULL, 0, 0, 0, 0, NULL, NULL                                                       \
    }

#endif
