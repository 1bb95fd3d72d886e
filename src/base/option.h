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
    HOL_TUPLE,     // exactly `def` numbers                               -> list, n
    HOL_NAME,      // what an item is called                              -> text
    HOL_METHOD,    // the name of an integrator                               -> text
    HOL_TEXTS, // a text, or one of `choices`, or a list of them; where max > 0, always a list, of `min` to `max`  -> word, n
    // What stands under these the reader of the object takes from the tree. Where it is made of objects (model/grammar.h),
    // `choices` has the name of theirs.
    HOL_LOOPS,    // `for:` of an item of a list
    HOL_UNIT,     // a unit of the dimension of `unit`
    HOL_ROWS,     // a list of rows of numbers
    HOL_POINTS,   // a list of two vectors or more
    HOL_MARKER,   // a vector, or an object
    HOL_END,      // body.marker, body, or {body: marker}
    HOL_ENDS,     // two of them
    HOL_MAP,      // an object
    HOL_LIST,     // a list of objects, each of which may be a loop
    HOL_SHAPES,   // an object, a list of them, or none
    HOL_INCLUDES, // a text, an object, or a list of both
    HOL_PAIRS     // `min` or more names of the user's, each with a value as the one row of the object says
} hol_kind;

enum {
    HOL_REQUIRED = 1, // must be given
    HOL_ABOVE = 2,    // the minimum itself is excluded
    HOL_ONLY_2D = 4,
    HOL_ONLY_3D = 8,
    HOL_LEAVES = 16,     // functions: measures, variables, states, ... may be used too
    HOL_IDENTIFIER = 32, // names that stand in expressions
    HOL_PLAIN = 64,      // no expression: what is said here decides how the rest is read
    HOL_MAY_BE_EMPTY = 128,
    HOL_WHOLE = 512,   // of HOL_TUPLE: whole numbers
    HOL_OF_LAW = 2048, // of a joint: a law on its coordinate, no part of what it holds
    HOL_FILE = 1024,   // of texts: names of files, beside the one that has this value
    HOL_INITIAL = 256  // at the start, of what expressions use: plain numbers are in SI, which is told
};

#define HOL_ANY_UNIT "any" // plain numbers are taken as they are, those with a unit in SI

typedef struct hol_option {
    const char *key;
    hol_kind kind;
    const char *unit; // "" for pure numbers; products of m kg s rad N, e.g. "N s/m"; HOL_ANY_UNIT
    double def;       // default (NAN: none; said in doc)
    double min, max;  // admitted range of every number
    unsigned flags;
    const char *
        choices; // HOL_CHOICE: words separated by '|', the first is the default; HOL_TEXT: a pattern of regular
                 // expressions that the schema knows; kinds of objects: the name; else NULL
    const char *doc; // one line
} hol_option;

typedef struct hol_word { // a text, mostly a name, and its place
    const char *name;
    hol_src at;
} hol_word;

typedef struct hol_value {
    bool given;
    hol_src at; // where the value stands
    int n;      // length of list, word or fn
    double num; // the default when not given
    union {
        double *list;         //                                                (n)
        const hol_word *word; //                                                (n)
    };
    const char *text;
    const char *comma; // of a list: what to add to the message that its length does not fit
    bool plain;        // of HOL_NUMBERS in any unit: none has one, in a file whose units are not those of SI
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
