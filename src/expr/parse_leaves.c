// Names that the owner of an expression knows: leaves of its program, and tables.
#include "expr/parse.h"

enum { MOST_LEAVES = HOL_NUM_VARIABLES - 1 };

static hol_leaf_text text_of(const hol_parser *p, hol_token word)
{
    hol_src at = p->at;
    at.col += hol_lex_column(p->text, word.at);
    return (hol_leaf_text){p->text + word.at, (size_t)word.length, at};
}

// After a message of the owner.
static bool stopped(hol_parser *p)
{
    p->status = p->ctx ? hol_context_status(p->ctx) : HOL_OK;
    if (p->status == HOL_OK) p->status = HOL_ERR_MODEL;
    return false;
}

// Asks the owner for a leaf's number and emits it. known: it was one of its names, so that `false` is an
// error of it.
static bool push_leaf(hol_parser *p, const hol_leaf_call *call, int at, bool *known)
{
    const int number = p->leaves->find(p->leaves->user, call);
    *known = number != HOL_LEAF_UNKNOWN;
    if (!*known) return true;
    if (number < 0) return stopped(p);
    if (number >= MOST_LEAVES)
        return hol_parse_fail(p, at, "an expression uses at most %d measures and variables; %s", MOST_LEAVES,
                              "name a part of it under \"variables:\"");
    if (!hol_parse_emit(p, (hol_op){.kind = HOL_OP_LEAF, .leaf = number, .at = at})) return false;
    if (p->leaves->nature) p->build.nature[p->build.depth - 1] = p->leaves->nature(p->leaves->user, number);
    return true;
}

bool hol_parse_leaf(hol_parser *p, hol_token name, bool *known)
{
    const hol_leaf_call call = {.name = text_of(p, name)};
    *known = false;
    return !p->leaves || push_leaf(p, &call, name.at, known);
}

// The next argument as it stands in the text: up to the next token, "," or ")".
static bool raw_argument(hol_parser *p, int open, hol_token *word)
{
    *word = (hol_token){.kind = HOL_TOKEN_NAME, .at = p->token.at};
    hol_parse_to(p, hol_lex_raw(p->text, word));
    if (p->token.kind == HOL_TOKEN_END) return hol_parse_close(p, open);
    return word->length > 0 || hol_parse_missing_value(p);
}

bool hol_parse_leaf_call(hol_parser *p, hol_token name)
{
    if (!p->leaves) return hol_parse_unknown_function(p, name);
    hol_leaf_call call = {.name = text_of(p, name), .call = true};
    const int open = p->token.at;
    int count = 0;
    bool known = false;
    hol_parse_advance(p);
    while (p->token.kind != ')' || count > 0) {
        hol_token word;
        if (!raw_argument(p, open, &word)) return false;
        if (count < HOL_LEAF_ARGS) call.arg[count] = text_of(p, word);
        count++;
        if (p->token.kind == ')') break;
        hol_parse_advance(p);
    }
    hol_parse_advance(p);
    call.n_args = count < HOL_LEAF_ARGS ? count : HOL_LEAF_ARGS;
    if (!push_leaf(p, &call, name.at, &known)) return false;
    if (!known) return hol_parse_unknown_function(p, name);
    return count <= HOL_LEAF_ARGS ||
           hol_parse_fail(p, name.at, "%.*s takes at most %d arguments, here are %d", name.length,
                          p->text + name.at, HOL_LEAF_ARGS, count);
}

// ---- tables ----------------------------------------------------------------------------------------------------

// The constant that stands next; NaN, without a message, if it varies.
static bool constant(hol_parser *p, double *number)
{
    const int start = p->build.n;
    if (!hol_parse_sum(p)) return false;
    *number = (double)NAN;
    if (hol_build_is_constant(&p->build, start, p->build.n)) *number = hol_build_pop(&p->build).number;
    return true;
}

// "," after `count` arguments of fn
static bool comma(hol_parser *p, hol_token name, const hol_function *fn, int open, int count)
{
    if (p->token.kind == ')') return hol_parse_wrong_count(p, fn, name, count);
    if (p->token.kind != ',') return hol_parse_close(p, open); // says what is wrong
    hol_parse_advance(p);
    return true;
}

// The table that a function such as CUBSPL names, as the spline that the function interpolates with.
static bool table_of(hol_parser *p, const hol_function *fn, hol_token word, hol_op *op)
{
    const hol_leaf_text text = text_of(p, word);
    const bool cubic = fn->rules & HOL_RULE_CUBIC, akima = fn->rules & HOL_RULE_AKIMA;
    op->named = p->tables->table(p->tables->user, &text);
    if (!op->named) return stopped(p);
    op->table = op->named->spline;
    if (cubic || akima)
        op->table = hol_spline_as(p->build.arena, cubic ? HOL_SPLINE_CUBIC : HOL_SPLINE_AKIMA, op->table);
    if (!op->table) p->status = HOL_ERR_MEMORY;
    return op->table != NULL;
}

// x, table[, derivative] or x, 0, table[, derivative]
bool hol_parse_table(hol_parser *p, hol_token name, const hol_function *fn, int open)
{
    const bool two = fn->min_args == 3;
    hol_op op = {.kind = HOL_OP_CALL, .fn = fn, .count = 1, .at = name.at};
    hol_token word;
    double zero = 0, order = 0;
    if (!p->tables || !p->tables->table)
        return hol_parse_fail(p, name.at,
                              "%s needs a table, and tables cannot be used here, where a constant is wanted: "
                              "they stand in functions of "
                              "time, variables, states, events, constraints and the values of forces",
                              fn->name);
    if (p->token.kind == ')') return hol_parse_wrong_count(p, fn, name, 0);
    if (!hol_parse_sum(p) || !comma(p, name, fn, open, 1)) return false;
    const int second = p->token.at;
    if (two && (!constant(p, &zero) || !comma(p, name, fn, open, 2))) return false;
    if (zero != 0)
        return hol_parse_fail(p, second, "the second argument of %s must be 0; a table has one variable",
                              fn->name);
    if (!raw_argument(p, open, &word)) return false;
    if (p->token.kind == ',') {
        hol_parse_advance(p);
        const int at = p->token.at;
        if (!constant(p, &order)) return false;
        if (!(order == 0 || order == 1 || order == 2))
            return hol_parse_fail(p, at, "the derivative of a table is 0, 1 or 2");
    }
    if (p->token.kind == ',') return hol_parse_wrong_count(p, fn, name, fn->max_args + 1);
    if (!hol_parse_close(p, open)) return false;
    op.derivative = (int)order;
    return table_of(p, fn, word, &op) && hol_parse_emit(p, op);
}
