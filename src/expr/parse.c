// Recursive descent over the grammar
//     sum     = product { (+ | -) product }
//     product = signed { (* | /) signed }
//     signed  = { + | - } power
//     power   = united [ ^ signed ]                      2^3^2 = 2^9, -2^2 = -4
//     united  = primary { unit }                         2*90 deg = 2*(90 deg), 3 N m
//     primary = number | name | name ( sum { , sum } ) | ( sum )
// A name after a primary is a unit, every other name a value, so a parameter may be called m or g.
// 3 m^2 and 2^3 m are refused: both can be read in two ways.
#include "expr/lex.h"
#include "expr/parse.h"
#include <stdio.h>
#include <string.h>

enum { MAX_NESTING = 200 };

static void advance(hol_parser *p)
{
    p->token = hol_lex(p->text, p->token.at + p->token.length);
    p->after_unit = false;
}

static bool built(hol_parser *p, hol_status status, int at)
{
    if (status == HOL_ERR_LIMIT)
        return hol_parse_fail(p, at, "the expression needs more than %d intermediate values at once; %s",
                              HOL_STACK, "reorder it or name a part of it under \"parameters:\"");
    if (status != HOL_OK) p->status = status;
    return status == HOL_OK;
}

static bool push(hol_parser *p, double number, int at)
{
    return built(p, hol_build_push(&p->build, (hol_op){.number = number, .at = at}), at);
}

static bool call(hol_parser *p, const hol_function *fn, int count, int at)
{
    return built(p, hol_build_call(&p->build, fn, count, at), at);
}

static bool sum(hol_parser *p);

// ---- values ------------------------------------------------------------------------------------------------

static bool time_value(hol_parser *p, hol_token name)
{
    if (!p->allow_time)
        return hol_parse_fail(p, name.at, "\"%.*s\" is the time, and this value must be a constant",
                              name.length, p->text + name.at);
    return built(p, hol_build_push(&p->build, (hol_op){.is_time = true, .at = name.at}), name.at);
}

// The order: time, names of the scope, then t, pi and e.
static bool named_value(hol_parser *p, hol_token name)
{
    const char *word = p->text + name.at;
    const size_t length = (size_t)name.length;
    double value;
    if (hol_same_word(word, length, "time")) return time_value(p, name);
    if (hol_parse_find(p, name, &value)) {
        if (!isfinite(value))
            return hol_parse_fail(p, name.at, "\"%.*s\" is not a finite number", name.length, word);
        return push(p, value, name.at);
    }
    if (length == 1 && *word == 't') return time_value(p, name);
    if (hol_same_word(word, length, "pi")) return push(p, HOL_PI, name.at);
    if (length == 1 && *word == 'e') return push(p, 2.71828182845904523536028747135266250, name.at);
    return hol_parse_unknown_name(p, name);
}

// After the arguments of a call, which begin at instructions start[0..count-1].
static bool finish_call(hol_parser *p, const hol_function *fn, hol_token name, int count, const int *start)
{
    hol_builder *b = &p->build;
    const bool constant = b->n - start[0] == count && hol_build_is_constant(b, b->n - 1, b->n);
    if ((fn->rules & HOL_RULE_CONSTANT) && !constant)
        return hol_parse_fail(
            p, name.at, "%s of a function of time jumps; use step(...) or a constant argument", fn->name);
    if ((fn->rules & HOL_RULE_BRANCH) && hol_build_is_constant(b, start[0], start[1])) {
        hol_build_branch(b, start);
        return true;
    }
    if ((fn->rules & HOL_RULE_RAMP) && hol_build_is_constant(b, start[1], start[2]) &&
        hol_build_is_constant(b, start[3], start[4])) {
        const double x0 = b->op[start[1]].number, x1 = b->op[start[3]].number;
        if (x0 >= x1)
            return hol_parse_fail(p, name.at, "%s(%s) needs x0 < x1, here x0 = %.6g and x1 = %.6g", fn->name,
                                  fn->arguments, x0, x1);
    }

    const hol_function *times = hol_operator('*'), *over = hol_operator('/');
    const double angle = p->units.angle; // functions work in radians
    if ((fn->rules & HOL_RULE_ANGLE_IN) && angle != 1 &&
        !(push(p, angle, name.at) && call(p, times, 2, name.at)))
        return false;
    if (!call(p, fn, count, name.at)) return false;
    if ((fn->rules & HOL_RULE_ANGLE_OUT) && angle != 1)
        return push(p, angle, name.at) && call(p, over, 2, name.at);
    return true;
}

static bool close_bracket(hol_parser *p, int open)
{
    if (p->token.kind == HOL_TOKEN_END) return hol_parse_fail(p, open, "\"(\" is never closed; add \")\"");
    if (p->token.kind != ')') return hol_parse_unexpected(p);
    advance(p);
    return true;
}

static bool function_call(hol_parser *p, hol_token name)
{
    const hol_function *fn = hol_function_find(p->text + name.at, (size_t)name.length);
    if (!fn) return hol_parse_unknown_function(p, name);
    const int open = p->token.at;
    int count = 0, start[5] = {p->build.n};
    advance(p);
    while (p->token.kind != ')' || count > 0) {
        if (count < HOL_COUNT(start)) start[count] = p->build.n;
        if (!sum(p)) return false;
        count++;
        const bool colon = p->token.kind == ':' && (fn->rules & HOL_RULE_BRANCH) && count == 1;
        if (p->token.kind != ',' && !colon) break;
        advance(p);
    }
    if (!close_bracket(p, open)) return false;
    if (count < fn->min_args || count > fn->max_args) return hol_parse_wrong_count(p, fn, name, count);
    return finish_call(p, fn, name, count, start);
}

static bool primary(hol_parser *p)
{
    const hol_token token = p->token;
    switch (token.kind) {
    case HOL_TOKEN_NUMBER:
        advance(p);
        if (!isfinite(token.number))
            return hol_parse_fail(p, token.at, "the number is too large; the largest is 1.797e308");
        return push(p, token.number, token.at);
    case HOL_TOKEN_NAME:
        advance(p);
        return p->token.kind == '(' ? function_call(p, token) : named_value(p, token);
    case '(': advance(p); return sum(p) && close_bracket(p, token.at);
    default: return hol_parse_missing_value(p);
    }
}

// ---- units, powers, signs, products, sums ------------------------------------------------------------------

// How many file units the unit `name` is; 0 if there is no such unit.
static double unit_value(const hol_parser *p, hol_token name)
{
    int d[4];
    const double si = hol_unit_find(p->text + name.at, (size_t)name.length, d);
    const hol_units *u = &p->units;
    return si / (pow(u->length, d[0]) * pow(u->mass, d[1]) * pow(u->time, d[2]) * pow(u->angle, d[3]));
}

static bool united(hol_parser *p)
{
    if (!primary(p)) return false;
    while (p->token.kind == HOL_TOKEN_NAME) {
        const hol_token name = p->token;
        const double factor = unit_value(p, name);
        if (factor == 0) return hol_parse_unknown_unit(p, name);
        if (!push(p, factor, name.at) || !call(p, hol_operator('*'), 2, name.at)) return false;
        advance(p);
        p->after_unit = true;
    }
    return true;
}

static bool sign_and_power(hol_parser *p);

static bool power(hol_parser *p)
{
    if (!united(p)) return false;
    if (p->token.kind != '^') return true;
    const int at = p->token.at;
    if (p->after_unit)
        return hol_parse_fail(p, at, "a power of a unit can be read in two ways; write (3 m)^2 or 3*(1 m)^2");
    advance(p);
    if (!sign_and_power(p)) return false;
    if (p->after_unit)
        return hol_parse_fail(p, at, "an exponent has no unit; write (2^3) m for a unit of the whole power");
    return call(p, hol_operator('^'), 2, at);
}

// Every cycle of the grammar passes here, so the nesting is counted here.
static bool sign_and_power(hol_parser *p)
{
    const int at = p->token.at;
    if (p->nesting > MAX_NESTING)
        return hol_parse_fail(p, at, "brackets and powers are nested deeper than %d; %s", MAX_NESTING,
                              "name a part of the expression under \"parameters:\"");
    bool negative = false;
    for (; p->token.kind == '+' || p->token.kind == '-'; advance(p)) negative ^= p->token.kind == '-';
    p->nesting++;
    const bool ok = power(p);
    p->nesting--;
    return ok && (!negative || call(p, hol_operator('~'), 1, at));
}

static bool product(hol_parser *p)
{
    if (!sign_and_power(p)) return false;
    while (p->token.kind == '*' || p->token.kind == '/') {
        const hol_token sign = p->token;
        advance(p);
        if (!sign_and_power(p) || !call(p, hol_operator(sign.kind), 2, sign.at)) return false;
    }
    return true;
}

static bool sum(hol_parser *p)
{
    if (!product(p)) return false;
    while (p->token.kind == '+' || p->token.kind == '-') {
        const hol_token sign = p->token;
        advance(p);
        if (!product(p) || !call(p, hol_operator(sign.kind), 2, sign.at)) return false;
    }
    return true;
}

// ---- the whole ---------------------------------------------------------------------------------------------

static bool whole(hol_parser *p)
{
    p->token = hol_lex(p->text, 0);
    if (p->token.kind == HOL_TOKEN_END)
        return hol_parse_fail(p, 0, "the value is empty; write a number or an expression such as 2*L");
    if (!sum(p)) return false;
    if (p->token.kind != HOL_TOKEN_END) return hol_parse_unexpected(p);
    for (int i = 0; i < p->build.n; i++)
        if (p->build.op[i].bad) return hol_parse_fail(p, p->build.op[i].at, "%s", p->build.op[i].bad);
    return true;
}

hol_status hol_expr_parse(hol_context *ctx, hol_arena *arena, const char *text, hol_src at,
                          const hol_scope *scope, const hol_units *units, bool allow_time,
                          const hol_expr **out)
{
    hol_parser p = {.ctx = ctx, .text = text, .at = at, .scope = scope, .allow_time = allow_time};
    p.units = units ? *units : (hol_units){1, 1, 1, 1};
    p.build.ctx = ctx;
    p.build.arena = arena;
    *out = NULL;
    if (whole(&p)) {
        *out = hol_build_finish(&p.build, p.units.time);
        if (!*out) p.status = HOL_ERR_MEMORY;
    }
    hol_free(p.build.op);
    return p.status;
}
