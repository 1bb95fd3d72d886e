// A parsed expression as a program for a stack of numbers, and the builder that folds constants while it grows.
// Inside src/expr only.
#ifndef HOL_PROGRAM_H
#define HOL_PROGRAM_H

#include "expr/expr.h"
#include "expr/function.h"
#include "expr/spline.h"

enum { HOL_STACK = 64 }; // most values a program may hold at once

typedef enum hol_op_kind { HOL_OP_NUMBER, HOL_OP_TIME, HOL_OP_LEAF, HOL_OP_CALL } hol_op_kind;

// One instruction: a push, or a call on the topmost `count` values.
typedef struct hol_op {
    hol_op_kind kind;
    int at; // byte of the text, for messages
    double number;
    const char *bad; // why `number` is not finite, NULL if it is
    int leaf;
    int count;
    const hol_function *fn;
    const hol_spline *table; // of functions with HOL_RULE_TABLE
    const hol_table *named;  // where it has its units from
    int derivative;          // of the table
} hol_op;

struct hol_expr {
    double scale;
    hol_nature nature;
    const char *text;     // as it stands in the file; NULL: made by the program
    hol_src at;           // of its first character
    int deepest;          // values on the stack at most
    const hol_expr *rate; // what it is the integral of; NULL: of nothing that is known
    int n;
    hol_op op[]; // (n)
};

// The same, as the integral of `rate`.
const hol_expr *hol_expr_with_rate(hol_arena *arena, const hol_expr *e, const hol_expr *rate);

// A value on the stack. Of a constant only the series is written, since most functions never ask for its gradient.
typedef struct hol_operand {
    const hol_real *x;
    hol_real *constant; // x, if it is one; NULL: it varies
} hol_operand;

// A call with its arguments (op->count).
void hol_op_call(const hol_shape *s, const hol_op *op, const hol_operand *arg, hol_real *out);

enum { HOL_CALL_TEXT = 360 };
// "sqrt(-1) is not a finite number; sqrt needs x >= 0"; the values of the arguments are (op->count).
void hol_explain_call(const hol_op *op, const hol_real *argument, char *text, size_t size);

// While parsing. A bad constant becomes an error only if it is used: if() may leave it out.
typedef struct hol_builder {
    hol_context *ctx;
    hol_arena *arena;
    hol_op *op; // (n)
    int n, capacity;
    int depth, deepest;           // values on the stack after the last instruction, and the most so far
    hol_nature nature[HOL_STACK]; // of the values on the stack                          (depth)
} hol_builder;

// A push. HOL_ERR_LIMIT (without a message) if the stack would be too deep.
hol_status hol_build_push(hol_builder *b, hol_op op);
// A call, or the constant it gives if all of its arguments are constants.
hol_status hol_build_call(hol_builder *b, hol_op op);
// if(x: ...) with a constant x: keeps one of the three branches; the arguments begin at instructions start[0..3].
void hol_build_branch(hol_builder *b, const int start[4]);
// Takes the constant at the top away again.
hol_op hol_build_pop(hol_builder *b);
// Whether the instructions first..end-1 are one constant.
bool hol_build_is_constant(const hol_builder *b, int first, int end);
// The finished program in the arena; NULL without memory. `text` is kept by pointer.
const hol_expr *hol_build_finish(const hol_builder *b, const char *text, hol_src at);

// The nature of the result of a call from those of its arguments; NULL, or why it is refused (in the arena).
const char *hol_nature_call(hol_builder *b, const hol_op *op, hol_nature *out);

#endif
