// Recursive descent over the grammar
//     sum     = product { (+ | -) product }
//     product = signed { (* | /) signed }
//     signed  = { + | - } power
//     power   = united [ ^ signed ]                      2^3^2 = 2^9, -2^2 = -4
//     united  = primary [ unit ]                         2*90 deg = 2*(90 deg), 10 N/mm; units: expr/units.h
//     primary = number | name | name ( sum { , sum } ) | ( sum )
// A name after a primary is a unit, so is one behind the * or / of a unit; every other name is a value, so a parameter may be
// called m or g. The arguments of what is no function, and names of tables, are text that the parser does not read
// (parse_leaves.c). 2^3 m is refused: it can be read in two ways.
#include "expr/lex.h"
#include "expr/parse.h"
#include "expr/units.h"
#include <stdio.h>
#include <string.h>

enum { MAX_NESTING = 100 }; // a stack of 256 kB holds more than twice as many

void hol_parse_to(hol_parser *p, int at)
{
    p->token = hol_lex(p->text, at, p->leaves != NULL);
    p->after_unit = false;
}

void hol_parse_advance(hol_parser *p) { hol_parse_to(p, p->token.at + p->token.length); }

static hol_nature *top(hol_parser *p) { return &p->build.nature[p->build.depth - 1]; }

bool hol_parse_emit(hol_parser *p, hol_op op)
{
    hol_nature nature = {.flags = HOL_NATURE_LOOSE};
    const bool call = op.kind == HOL_OP_CALL;
    const char *why = call ? hol_nature_call(&p->build, &op, &nature) : NULL;
    if (why) return hol_parse_fail(p, op.at, "%s", why);
    const hol_status status = call ? hol_build_call(&p->build, op) : hol_build_push(&p->build, op);
    if (status == HOL_OK && (call || op.kind == HOL_OP_LEAF)) *top(p) = nature;
    if (status == HOL_ERR_LIMIT)
        return hol_parse_fail(p, op.at, "the expression needs more than %d intermediate values at once; %s",
                              HOL_STACK, "reorder it or name a part of it under \"parameters:\"");
    if (status != HOL_OK) p->status = status;
    return status == HOL_OK;
}

static bool push(hol_parser *p, double number, hol_nature nature, int at)
{
    if (!hol_parse_emit(p, (hol_op){.kind = HOL_OP_NUMBER, .number = number, .at = at})) return false;
    *top(p) = nature;
    return true;
}

// A number that stands in the text.
static bool push_bare(hol_parser *p, double number, unsigned flags, int at)
{
    return push(p, number, (hol_nature){.flags = number != 0 ? flags | HOL_NATURE_BARE : HOL_NATURE_ZERO},
                at);
}

static bool call(hol_parser *p, const hol_function *fn, int count, int at)
{
    return hol_parse_emit(p, (hol_op){.kind = HOL_OP_CALL, .fn = fn, .count = count, .at = at});
}

// ---- values ------------------------------------------------------------------------------------------------

static bool time_value(hol_parser *p, hol_token name)
{
    if (!p->allow_time)
        return hol_parse_fail(p, name.at, "\"%.*s\" is the time, and this value must be a constant",
                              name.length, p->text + name.at);
    if (!hol_parse_emit(p, (hol_op){.kind = HOL_OP_TIME, .at = name.at})) return false;
    top(p)->flags = HOL_NATURE_ANY_TIME;
    return true;
}

// hinge.angle: a leaf with a point in its name.
static bool part_value(hol_parser *p, hol_token name, hol_token part)
{
    const int end = part.at + part.length;
    const hol_token whole = {.kind = HOL_TOKEN_NAME, .at = name.at, .length = end - name.at};
    bool leaf;
    if (!hol_parse_leaf(p, whole, &leaf)) return false;
    if (!leaf) return hol_parse_unknown_name(p, name);
    hol_parse_to(p, end);
    return true;
}

// The order: time, names of the scope, leaves, then t, pi and e.
static bool named_value(hol_parser *p, hol_token name)
{
    const char *word = p->text + name.at;
    const size_t length = (size_t)name.length;
    hol_constant known;
    hol_token part;
    bool leaf;
    if (hol_same_word(word, length, "time")) return time_value(p, name);
    if (p->leaves && hol_parse_is_part(p, name, &part)) return part_value(p, name, part);
    if (hol_parse_find(p, name, &known)) {
        if (!isfinite(known.value))
            return hol_parse_fail(p, name.at, "\"%.*s\" is not a finite number", name.length, word);
        return push(p, known.value, known.nature, name.at);
    }
    if (!hol_parse_leaf(p, name, &leaf)) return false;
    if (leaf) return true;
    if (length == 1 && *word == 't') return time_value(p, name);
    if (hol_same_word(word, length, "pi")) return push_bare(p, HOL_PI, HOL_NATURE_PI, name.at);
    if (length == 1 && *word == 'e') return push_bare(p, 2.71828182845904523536028747135266250, 0, name.at);
    return hol_parse_unknown_name(p, name);
}

// The arguments of a call; argument i is instructions start[i]..start[i+1]-1. Only the first ones are remembered.
enum { REMEMBERED = 8, MOST_ANGLES = 5 };
typedef struct arguments {
    const hol_function *fn;
    hol_token name;
    int count, start[REMEMBERED + 1];
} arguments;

static bool is_constant(const hol_parser *p, const arguments *a, int i)
{
    return hol_build_is_constant(&p->build, a->start[i], a->start[i + 1]);
}

static double number(const hol_parser *p, const arguments *a, int i)
{
    return p->build.op[a->start[i]].number;
}

// (x, x0, h0, x1, h1) with x0 < x1
static bool check_ramp(hol_parser *p, const arguments *a)
{
    if (!is_constant(p, a, 1) || !is_constant(p, a, 3) || number(p, a, 1) < number(p, a, 3)) return true;
    const int digits = hol_decimal_digits(number(p, a, 1), number(p, a, 3));
    return hol_parse_fail(p, a->name.at, "%s(%s) needs x0 < x1, here x0 = %.*g and x1 = %.*g", a->fn->name,
                          a->fn->arguments, digits, number(p, a, 1), digits, number(p, a, 3));
}

// (..., e, cmax, d) with e > 0, d >= 0
static bool check_contact(hol_parser *p, const arguments *a)
{
    const int e = a->count - 3, d = a->count - 1;
    const bool bad_e = is_constant(p, a, e) && number(p, a, e) <= 0;
    const bool bad_d = is_constant(p, a, d) && number(p, a, d) < 0;
    if (!bad_e && !bad_d) return true;
    return hol_parse_fail(p, a->name.at, "%s(%s) needs e > 0 and d >= 0, here %s = %.6g", a->fn->name,
                          a->fn->arguments, bad_e ? "e" : "d", number(p, a, bad_e ? e : d));
}

// All arguments are there: the rules of the function are checked, branches are closed.
static bool finish_call(hol_parser *p, const arguments *a)
{
    const hol_function *fn = a->fn;
    const int at = a->name.at;
    if ((fn->rules & HOL_RULE_CONSTANT) && !is_constant(p, a, 0))
        return hol_parse_fail(p, at, "%s of a %s jumps; use step(...) or a constant argument", fn->name,
                              p->leaves ? "value that varies" : "function of time");
    if ((fn->rules & HOL_RULE_BRANCH) && is_constant(p, a, 0)) {
        hol_build_branch(&p->build, a->start);
        return true;
    }
    if ((fn->rules & HOL_RULE_RAMP) && !check_ramp(p, a)) return false;
    if ((fn->rules & HOL_RULE_CONTACT) && !check_contact(p, a)) return false;
    return call(p, fn, a->count, at);
}

bool hol_parse_close(hol_parser *p, int open)
{
    if (p->token.kind == HOL_TOKEN_END) return hol_parse_fail(p, open, "\"(\" is never closed; add \")\"");
    if (p->token.kind != ')') return hol_parse_unexpected(p);
    hol_parse_advance(p);
    return true;
}

// One argument. Functions work in radians: where the plain angles of the file are others, a constant needs its unit.
static bool argument(hol_parser *p, const hol_function *fn, int i)
{
    const int start = p->build.n, at = p->token.at;
    if (!hol_parse_sum(p)) return false;
    const bool angle = i < MOST_ANGLES && (fn->rules & (unsigned)HOL_RULE_ANGLE_IN << i);
    if (!angle || !hol_build_is_constant(&p->build, start, p->build.n)) return true;
    if (p->units.angle == 1 && !(top(p)->flags & p->units.other_angles)) return true;
    if (p->build.op[start].number == 0 || top(p)->flags & (HOL_NATURE_UNIT | HOL_NATURE_ANGLE)) return true;
    return hol_parse_fail(
        p, at,
        "%s takes radians, and plain angles of this file%s are others: give this one its unit, such "
        "as (%.6g) deg or (%.6g) rad",
        fn->name, p->units.angle == 1 ? ", or of that of a parameter," : "", p->build.op[start].number,
        p->build.op[start].number);
}

// name(arg, arg, ..), the name read, the parenthesis to come; names without a function are left to the
// owner's leaves.
static bool function_call(hol_parser *p, hol_token name)
{
    const hol_function *fn = hol_function_find(p->text + name.at, (size_t)name.length);
    if (!fn) return hol_parse_leaf_call(p, name);
    const int open = p->token.at;
    arguments a = {.fn = fn, .name = name, .start = {p->build.n}};
    hol_parse_advance(p);
    if (fn->rules & HOL_RULE_TABLE) return hol_parse_table(p, name, fn, open);
    while (p->token.kind != ')' || a.count > 0) {
        if (!argument(p, fn, a.count)) return false;
        a.count++;
        if (a.count <= REMEMBERED) a.start[a.count] = p->build.n;
        const bool colon = p->token.kind == ':' && (fn->rules & HOL_RULE_BRANCH) && a.count == 1;
        if (p->token.kind != ',' && !colon) break;
        hol_parse_advance(p);
    }
    if (!hol_parse_close(p, open)) return false;
    if (a.count < fn->min_args || a.count > fn->max_args) return hol_parse_wrong_count(p, fn, name, a.count);
    return finish_call(p, &a);
}

// A number, a name, a call, or an expression in parentheses.
static bool primary(hol_parser *p)
{
    const hol_token token = p->token;
    p->exact = (long double)NAN;
    switch (token.kind) {
    case HOL_TOKEN_NUMBER:
        hol_parse_advance(p);
        if (!isfinite(token.number))
            return hol_parse_fail(p, token.at, "the number is too large; the largest is 1.797e308");
        p->exact = token.exact;
        return push_bare(p, token.number, 0, token.at);
    case HOL_TOKEN_NAME:
        hol_parse_advance(p);
        if (!(p->token.kind == '(' ? function_call(p, token) : named_value(p, token))) return false;
        p->exact = (long double)NAN;
        return true;
    case '(':
        hol_parse_advance(p);
        if (!hol_parse_sum(p) || !hol_parse_close(p, token.at)) return false;
        p->exact = (long double)NAN;
        return true;
    default: return hol_parse_missing_value(p);
    }
}

// ---- units, powers, signs, products, sums ------------------------------------------------------------------

static bool is_value(const void *user, int at, int length)
{
    const hol_token name = {.kind = HOL_TOKEN_NAME, .at = at, .length = length};
    return hol_parse_is_value(user, name);
}

static bool unit_fails(hol_parser *p, const hol_unit_text *t)
{
    if (!t->unknown) return hol_parse_fail(p, t->at, "%s", t->why);
    return hol_parse_unknown_unit(
        p, (hol_token){.kind = HOL_TOKEN_NAME, .at = t->at, .length = t->length ? t->length : 1});
}

// Of Hz, min and h: which rates or durations may count turns. A speed in km/h or a flow in l/min may not.
static unsigned cycles_of(const hol_unit *u)
{
    const int *p = u->dimension.power;
    if (!u->cycles || (p[0] && !p[1])) return 0;
    return !p[0] && !p[1] && p[2] > 0 ? HOL_NATURE_MINUTES : HOL_NATURE_CYCLES;
}

// The value on top becomes a quantity: a constant without rounding twice.
static bool multiply_unit(hol_parser *p, const hol_unit *u, int at)
{
    hol_op *value = &p->build.op[p->build.n - 1];
    hol_nature nature = *top(p);
    const bool number = !(nature.flags & (HOL_NATURE_UNIT | HOL_NATURE_ANGLE));
    if (value->kind == HOL_OP_NUMBER && !value->bad) {
        const double product =
            (double)((isnan((double)p->exact) ? (long double)value->number : p->exact) * u->si);
        if (!isfinite(product))
            return hol_parse_fail(p, at, "the value in SI units is too large; the largest is 1.797e308");
        value->number = product;
    } else if (!push(p, (double)u->si, (hol_nature){.flags = 0}, at) || !call(p, hol_operator('*'), 2, at))
        return false;
    if (number && !(nature.flags & (HOL_NATURE_LOOSE | HOL_NATURE_ANY_TIME))) nature.flags = 0;
    nature.flags &= ~(unsigned)HOL_NATURE_ZERO;
    nature.flags |= HOL_NATURE_UNIT | cycles_of(u);
    for (int i = 0; i < 4; i++) nature.dimension.power[i] += u->dimension.power[i];
    *top(p) = nature;
    return true;
}

// A unit behind a value, if there is one: a name, 1/s, or (m/s).
static bool united(hol_parser *p)
{
    hol_unit unit;
    if (!primary(p)) return false;
    const hol_token next = p->token;
    if (next.kind == HOL_TOKEN_STRAY && p->text[next.at] == '%')
        return hol_parse_fail(p, next.at, "not a unit: \"%%\"; write the ratio, such as 0.05");
    hol_unit_text t = {.text = p->text, .is_value = is_value, .user = p};
    const bool one = next.kind == HOL_TOKEN_NUMBER && p->text[next.at] == '1';
    if (next.kind != HOL_TOKEN_NAME && !one && !(next.kind == '(' && hol_unit_is_group(&t, next.at)))
        return true;
    if (next.kind == HOL_TOKEN_NAME && hol_parse_is_call(p, next)) return hol_parse_unknown_unit(p, next);
    const int n = hol_unit_scan(&t, next.at, &unit);
    if (n < 0) return unit_fails(p, &t);
    if (n == 0) return next.kind != HOL_TOKEN_NAME || hol_parse_unknown_unit(p, next);
    if (t.both) hol_parse_tell_both(p, (hol_token){.kind = HOL_TOKEN_NAME, .at = t.at, .length = t.length});
    if (!multiply_unit(p, &unit, next.at)) return false;
    hol_parse_to(p, next.at + n);
    p->after_unit = true;
    return true;
}

static bool sign_and_power(hol_parser *p);

// e^(-2*time) where e is a name of the file: the exponential function was meant? A square of e is an e of the file.
static void look_at_e(const hol_parser *p, hol_token base, int exponent)
{
    const hol_op *op = &p->build.op[exponent];
    const bool constant = hol_build_is_constant(&p->build, exponent, p->build.n);
    if (constant && op->number > 0 && op->number == rint(op->number)) return;
    if (hol_parse_is_named(p, base)) hol_parse_tell_e(p, base);
}

// base ^ exponent, from the right. Where the base is e, a name of the file, a look is taken at whether exp()
// was meant.
static bool power(hol_parser *p)
{
    const hol_token base = p->token;
    if (!united(p)) return false;
    if (p->token.kind != '^') return true;
    const int at = p->token.at, exponent = p->build.n;
    const bool is_e = base.kind == HOL_TOKEN_NAME && base.length == 1 && p->text[base.at] == 'e' &&
                      base.at + 1 + (int)strspn(p->text + base.at + 1, " ") == at;
    hol_parse_advance(p);
    if (!sign_and_power(p)) return false;
    if (is_e) look_at_e(p, base, exponent);
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
    for (; p->token.kind == '+' || p->token.kind == '-'; hol_parse_advance(p))
        negative ^= p->token.kind == '-';
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
        hol_parse_advance(p);
        if (!sign_and_power(p) || !call(p, hol_operator(sign.kind), 2, sign.at)) return false;
    }
    return true;
}

bool hol_parse_sum(hol_parser *p)
{
    if (!product(p)) return false;
    while (p->token.kind == '+' || p->token.kind == '-') {
        const hol_token sign = p->token;
        hol_parse_advance(p);
        if (!product(p) || !call(p, hol_operator(sign.kind), 2, sign.at)) return false;
    }
    return true;
}

// ---- the whole ---------------------------------------------------------------------------------------------

// The whole text is one expression without faults.
static bool whole(hol_parser *p)
{
    hol_parse_to(p, 0);
    if (p->token.kind == HOL_TOKEN_END)
        return hol_parse_fail(p, 0, "the value is empty; write a number or an expression such as 2*L");
    if (!hol_parse_sum(p)) return false;
    if (p->token.kind != HOL_TOKEN_END) return hol_parse_unexpected(p);
    for (int i = 0; i < p->build.n; i++)
        if (p->build.op[i].bad) return hol_parse_fail(p, p->build.op[i].at, "%s", p->build.op[i].bad);
    return true;
}

// Common part of the entries: parses, and makes the expression. Frees what was built.
static hol_status parse(hol_parser *p, const hol_units *units, const hol_expr **out)
{
    p->units = units ? *units : (hol_units){1, 1, 1, 1, 1, 0};
    *out = NULL;
    if (whole(p)) {
        *out = hol_build_finish(&p->build, p->text, p->at);
        if (!*out) p->status = HOL_ERR_MEMORY;
    }
    hol_free(p->build.op);
    return p->status;
}

hol_status hol_expr_parse(hol_context *ctx, hol_arena *arena, const char *text, hol_src at,
                          const hol_scope *scope, const hol_units *units, bool allow_time,
                          const hol_expr **out)
{
    hol_parser p = {.ctx = ctx, .text = text, .at = at, .scope = scope, .allow_time = allow_time};
    p.build = (hol_builder){.ctx = ctx, .arena = arena};
    return parse(&p, units, out);
}

hol_status hol_expr_parse_leaves(hol_context *ctx, hol_arena *arena, const char *text, hol_src at,
                                 const hol_scope *scope, const hol_units *units, const hol_leaves *leaves,
                                 const hol_expr **out)
{
    hol_parser p = {.ctx = ctx,
                    .text = text,
                    .at = at,
                    .scope = scope,
                    .leaves = leaves,
                    .tables = leaves,
                    .allow_time = true};
    p.build = (hol_builder){.ctx = ctx, .arena = arena};
    return parse(&p, units, out);
}

hol_status hol_expr_parse_time(hol_context *ctx, hol_arena *arena, const char *text, hol_src at,
                               const hol_scope *scope, const hol_units *units, const hol_leaves *tables,
                               const hol_expr **out)
{
    hol_parser p = {.ctx = ctx, .text = text, .at = at, .scope = scope, .tables = tables, .allow_time = true};
    p.build = (hol_builder){.ctx = ctx, .arena = arena};
    return parse(&p, units, out);
}
