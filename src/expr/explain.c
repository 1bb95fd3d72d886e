// Why a result is not finite: the first function whose arguments are finite and whose result is not. Slow; used when a
// computation has failed already.
#include "expr/lex.h"
#include "expr/program.h"

#include <string.h>

#define NOT_FINITE " is not a finite number"
#define TOO_LARGE " is above the largest number, 1.8e308"
enum { ARGUMENTS = 5, LIST = ARGUMENTS * 40, FEW_DIGITS = 6, ALL_DIGITS = 17 };

// "2^(-3)", "atan2(1, 2)" with so many digits.
static void print_call(const hol_op *op, const hol_real *argument, int digits, char text[LIST])
{
    const hol_function *fn = op->fn;
    const bool infix = strchr("+-*/^", fn->name[0]) != NULL;
    int n = infix ? 0 : hol_decimal_print(text, LIST, "%s(", fn->name);
    for (int i = 0; i < op->count && i < ARGUMENTS; i++)
        n += hol_decimal_print(text + n, LIST - (size_t)n,
                               i == 0 && *fn->name == '^' && hol_re(argument[i]) < 0 ? "%s(%.*g)" : "%s%.*g",
                               i == 0  ? ""
                               : infix ? fn->name
                                       : ", ",
                               digits, hol_re(argument[i]));
    if (!infix) hol_decimal_print(text + n, LIST - (size_t)n, "%s)", op->count > ARGUMENTS ? ", ..." : "");
}

// The value of a call with numbers, which are cut to so many digits.
static double value_with(const hol_op *op, const hol_real *argument, int digits)
{
    const hol_shape plain = {0, 0, 0};
    hol_real x[HOL_STACK][4] = {{0}}, out[4];
    hol_operand operand[HOL_STACK];
    char text[40], *end;
    for (int i = 0; i < op->count && i < HOL_STACK; i++) {
        hol_decimal_print(text, sizeof text, "%.*g", digits, hol_re(argument[i]));
        x[i][0] = hol_decimal_read(text, &end);
        operand[i] = (hol_operand){x[i], NULL};
    }
    hol_op_call(&plain, op, operand, out);
    return hol_re(out[0]);
}

// Is it the size of the result that makes it infinite, and not the domain?
static bool is_too_large(const hol_op *op, const hol_real *argument, double result)
{
    const char *name = op->fn->name;
    if (!isinf(result)) return false;
    return !*op->fn->domain || (*name == '^' && hol_re(argument[0]) != 0) ||
           (*name == '/' && hol_re(argument[1]) != 0);
}

void hol_explain_call(const hol_op *op, const hol_real *argument, char *text, size_t size)
{
    const hol_function *fn = op->fn;
    char call[LIST];
    const double result = value_with(op, argument, ALL_DIGITS);
    const bool large = is_too_large(op, argument, result), domain = *fn->domain && !large;
    // asin(1) has a value, asin(1.0000000000000002) has none
    const bool rounds = !isfinite(result) && isfinite(value_with(op, argument, FEW_DIGITS));
    print_call(op, argument, rounds ? ALL_DIGITS : FEW_DIGITS, call);
    hol_decimal_print(text, size, "%s%s%s%s%s%s", call, large ? TOO_LARGE : NOT_FINITE, domain ? "; " : "",
                      domain ? fn->name : "", domain ? " needs " : "", domain ? fn->domain : "");
}

// ---- the run of a program, with all that it computes on the way --------------------------------------------------

typedef struct {
    const hol_expr *e;
    const hol_shape *s;
    int size;        // of a number
    hol_real *value; // of each instruction                                             (n x size)
    int *first;      // where the part of the program begins that ends with it          (n)
    int *argument;   // the instructions that end the arguments of one call             (n)
} trace;

static const hol_real *value_of(const trace *t, int i) { return t->value + (size_t)i * (size_t)t->size; }

// The instructions that give the arguments of call i, the first one first.
static void find_arguments(const trace *t, int i)
{
    int end = i - 1;
    for (int k = t->e->op[i].count - 1; k >= 0; k--) {
        t->argument[k] = end;
        end = t->first[end] - 1;
    }
}

// Evaluates the program and keeps every result; first: the instruction with which what leads to each result
// begins.
static void run(const trace *t, const hol_real *time, const hol_real *const *leaf)
{
    hol_operand operand[HOL_STACK];
    for (int i = 0; i < t->e->n; i++) {
        const hol_op *op = &t->e->op[i];
        hol_real *out = t->value + (size_t)i * (size_t)t->size;
        t->first[i] = i;
        switch (op->kind) {
        case HOL_OP_NUMBER: hol_num_constant(t->s, op->number, out); break;
        case HOL_OP_TIME: hol_num_copy(t->s, time, out); break;
        case HOL_OP_LEAF: hol_num_copy(t->s, leaf[op->leaf], out); break;
        case HOL_OP_CALL:
            find_arguments(t, i);
            t->first[i] = t->first[t->argument[0]];
            for (int k = 0; k < op->count; k++) {
                const int from = t->argument[k];
                hol_real *x = t->value + (size_t)from * (size_t)t->size;
                operand[k] = (hol_operand){x, t->e->op[from].kind == HOL_OP_NUMBER ? x : NULL};
            }
            hol_op_call(t->s, op, operand, out);
        }
    }
}

// What of a number is not finite: nothing, its value, a derivative by time or along the motion, one by a leaf.
typedef enum { FINE, VALUE, RATE, SLOPE } trouble;

static trouble trouble_of(const hol_shape *s, const hol_real *x)
{
    double rates = 0, slopes = 0;
    if (!isfinite(hol_re(x[0]))) return VALUE;
    for (int k = 1; k <= s->order; k++) rates += fabs(hol_re(x[k]));
    if (!isfinite(rates)) return RATE;
    for (int k = 4; k < hol_num_size(s); k++) slopes += fabs(hol_re(x[k]));
    return isfinite(slopes) ? FINE : SLOPE;
}

// From the end backwards along what is not finite, to the instruction that began it.
static int find_origin(const trace *t)
{
    int i = t->e->n - 1;
    for (;;) {
        const hol_op *op = &t->e->op[i];
        int next = -1;
        if (op->kind != HOL_OP_CALL) return i;
        find_arguments(t, i);
        int from = 0, to = op->count;
        if (op->fn->rules & HOL_RULE_BRANCH) { // the other branches do not take part
            const double x = hol_re(value_of(t, t->argument[0])[0]);
            from = !isfinite(x) ? 0 : x < 0 ? 1 : x > 0 ? 3 : 2;
            to = from + 1;
        }
        for (int k = from; k < to && next < 0; k++)
            if (trouble_of(t->s, value_of(t, t->argument[k])) != FINE) next = t->argument[k];
        if (next < 0) return i;
        i = next;
    }
}

// "DX(a.tip)", as it stands in the text.
static int leaf_length(const char *text, int at)
{
    const hol_token name = hol_lex(text, at, true), open = hol_lex(text, name.at + name.length, true);
    if (open.kind != '(') return name.length;
    int depth = 0, n = open.at;
    for (; text[n]; n++) {
        depth += (text[n] == '(') - (text[n] == ')');
        if (depth == 0) return n + 1 - at;
    }
    return n - at;
}

// " (DX(a.tip) = 0.75, time = 2)": what the part that ends with instruction i uses.
static void list_leaves(const trace *t, int i, char *text, size_t size)
{
    enum { SHOWN = 4 };
    const char *source = t->e->text;
    size_t n = 0;
    int shown = 0;
    *text = 0;
    for (int k = t->first[i]; k <= i && source && shown < SHOWN && n + 80 < size; k++) {
        const hol_op *op = &t->e->op[k];
        bool seen = op->kind != HOL_OP_LEAF && op->kind != HOL_OP_TIME;
        for (int j = t->first[i]; j < k && !seen; j++)
            seen = t->e->op[j].kind == op->kind && (op->kind == HOL_OP_TIME || t->e->op[j].leaf == op->leaf);
        if (seen) continue;
        const int length = op->kind == HOL_OP_TIME ? 4 : leaf_length(source, op->at);
        const int shown_length = length < 50 ? length : 50;
        n += (size_t)hol_decimal_print(text + n, size - n, "%s%.*s = %.9g", shown++ ? ", " : " (",
                                       shown_length, op->kind == HOL_OP_TIME ? "time" : source + op->at,
                                       hol_re(value_of(t, k)[0]));
    }
    if (shown) hol_decimal_print(text + n, size - n, ")");
}

// What is said of operation i: the call with its numbers, and the leaves that its arguments depend on.
static void describe(const trace *t, int i, hol_expr_fault *out)
{
    const hol_op *op = &t->e->op[i];
    const trouble what = trouble_of(t->s, value_of(t, i));
    hol_real number[HOL_STACK] = {0};
    char call[LIST], whole[HOL_CALL_TEXT], leaves[300];
    find_arguments(t, i);
    for (int k = 0; k < op->count && k < HOL_STACK; k++) number[k] = value_of(t, t->argument[k])[0];
    print_call(op, number, FEW_DIGITS, call);
    hol_explain_call(op, number, whole, sizeof whole);
    list_leaves(t, i, leaves, sizeof leaves);
    out->slope = what != VALUE;
    if (out->slope) // the value is finite: the call alone is taken
        hol_decimal_print(out->text, sizeof out->text, "%s has no finite slope%s", call, leaves);
    else
        hol_decimal_print(out->text, sizeof out->text, "%s%s", whole, leaves);
    out->whole = t->e->text;
    out->at = t->e->at;
    if (t->e->text) out->at.col += hol_lex_column(t->e->text, op->at);
}

static bool explain(const trace *t, const hol_real *time, const hol_real *const *leaf, hol_expr_fault *out)
{
    run(t, time, leaf);
    if (trouble_of(t->s, value_of(t, t->e->n - 1)) == FINE) return false;
    const int i = find_origin(t);
    if (t->e->op[i].kind != HOL_OP_CALL) return false;
    describe(t, i, out);
    return true;
}

bool hol_expr_explain(hol_context *ctx, const hol_expr *e, const hol_shape *shape, const hol_real *time,
                      const hol_real *const *leaf, hol_expr_fault *out)
{
    const size_t n = (size_t)e->n + 1, size = (size_t)hol_num_size(shape);
    trace t = {.e = e, .s = shape, .size = (int)size};
    t.value = hol_calloc(ctx, n * size, sizeof *t.value);
    t.first = hol_calloc(ctx, 2 * n, sizeof *t.first);
    t.argument = t.first + n;
    const bool found = t.value && t.first && explain(&t, time, leaf, out);
    hol_free(t.value);
    hol_free(t.first);
    return found;
}

bool hol_expr_explain_time(hol_context *ctx, const hol_expr *e, hol_real t, int order, hol_expr_fault *out)
{
    const hol_shape series = {0, order, 0};
    const hol_real time[4] = {t, 1};
    return hol_expr_explain(ctx, e, &series, time, NULL, out);
}
