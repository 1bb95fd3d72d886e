// A parsed expression as a program for a stack of jets, and the builder that folds constants while it grows.
// Inside src/expr only.
#ifndef HOL_PROGRAM_H
#define HOL_PROGRAM_H

#include "expr/expr.h"
#include "expr/jet.h"

enum { HOL_STACK = 64 }; // most values a program may hold at once

// One instruction: a call on the topmost `count` values, or (fn NULL) a push of the time or of a number.
typedef struct hol_op {
    const hol_function *fn;
    int count;
    bool is_time;
    double number;
    int at;          // byte of the text, for messages
    const char *bad; // why `number` is not finite, NULL if it is
} hol_op;

// While parsing. A bad constant becomes an error only if it is used: if() may leave it out.
typedef struct hol_builder {
    hol_context *ctx;
    hol_arena *arena;
    hol_op *op; // (n)
    int n, capacity;
    int depth; // values on the stack after the last instruction
} hol_builder;

// HOL_ERR_LIMIT (without a message) if the stack would be too deep.
hol_status hol_build_push(hol_builder *b, hol_op op);
// Calls fn on the topmost `count` values, or folds the call if all of them are constants.
hol_status hol_build_call(hol_builder *b, const hol_function *fn, int count, int at);
// if(x: ...) with a constant x: keeps one of the three branches; the arguments begin at instructions start[0..3].
void hol_build_branch(hol_builder *b, const int start[4]);
// Whether the instructions first..end-1 are one constant.
bool hol_build_is_constant(const hol_builder *b, int first, int end);
// The finished program in the arena; NULL without memory.
const hol_expr *hol_build_finish(const hol_builder *b, double time_unit);

#endif
