// Numbers beside angles that look like degrees: 90 in `AZ(a) + 90`, where angles are in radians.
#include "expr/lex.h"
#include "expr/program.h"

#include <math.h>
#include <string.h>

#define LEAST 30.0 // whole multiples of EACH from here on
#define EACH 15.0

// What an instruction gives.
typedef struct {
    int first;  // the instruction with which it begins
    bool angle; // an angle in radians, or a sum of such and of numbers
} value;

typedef struct {
    const hol_expr *e;
    hol_angle_leaf *leaf;
    const void *user;
    value *value; // (e->n)
} walk;

static bool is_number(const walk *w, int i)
{
    return w->e->op[i].kind == HOL_OP_NUMBER && w->value[i].first == i;
}

// Does the number stand in the text as it is, without a unit behind it? Parameters and results do not.
static bool is_plain_literal(const hol_expr *e, const hol_op *op)
{
    char *end;
    if (!e->text) return false;
    const char *text = e->text + op->at;
    const double x = hol_decimal_read(text + strspn(text, "- "), &end);
    if (end == text || x != fabs(op->number)) return false;
    end += strspn(end, " \t\n");
    return !*end || strchr("+-),:", *end);
}

static bool like_degrees(const walk *w, int i)
{
    const hol_op *op = &w->e->op[i];
    const double x = op->number;
    return is_number(w, i) && fabs(x) >= LEAST && fmod(x, EACH) == 0 && is_plain_literal(w->e, op);
}

static bool is_named(const hol_op *op, const char *names)
{
    const size_t n = strlen(op->fn->name);
    const char *at = strstr(names, op->fn->name);
    return at && at[-1] == ' ' && at[n] == ' ';
}

// Of a sum or a comparison the first number that looks like degrees beside an angle; -1: none. The sum is an angle.
static int in_sum(walk *w, int i, const int *arg)
{
    const int count = w->e->op[i].count;
    int found = -1, angles = 0, numbers = 0;
    for (int k = count - 1; k >= 0; k--) {
        angles += w->value[arg[k]].angle;
        numbers += is_number(w, arg[k]);
        if (like_degrees(w, arg[k])) found = arg[k];
    }
    w->value[i].angle = angles > 0 && angles + numbers == count;
    return w->value[i].angle ? found : -1;
}

// Of a ramp over an angle: limits that all look like degrees, but for 0.
static int in_ramp(const walk *w, const int *arg)
{
    const int from = arg[1], to = arg[3];
    const bool both = like_degrees(w, from) && like_degrees(w, to);
    if (!w->value[arg[0]].angle || !is_number(w, from) || !is_number(w, to)) return -1;
    if (both || (like_degrees(w, from) && w->e->op[to].number == 0)) return from;
    return like_degrees(w, to) && w->e->op[from].number == 0 ? to : -1;
}

// What an instruction gives; a number in it that looks like degrees, -1: none.
static int step(walk *w, int i)
{
    enum { MOST = 8 };
    const hol_op *op = &w->e->op[i];
    int arg[MOST];
    w->value[i] = (value){i, op->kind == HOL_OP_LEAF && w->leaf(w->user, op->leaf)};
    if (op->kind != HOL_OP_CALL) return -1;
    for (int k = op->count - 1, end = i - 1; k >= 0; k--, end = w->value[i].first - 1) {
        w->value[i].first = w->value[end].first;
        if (k < MOST) arg[k] = end;
    }
    w->value[i].angle = op->fn->rules & HOL_RULE_ANGLE_OUT;
    if (op->fn->rules & HOL_RULE_RAMP) return in_ramp(w, arg);
    return op->count <= MOST && is_named(op, " + - ~ abs min max ") ? in_sum(w, i, arg) : -1;
}

int hol_expr_degrees(hol_arena *arena, const hol_expr *e, hol_angle_leaf *leaf, const void *user,
                     hol_degrees *out)
{
    walk w = {e, leaf, user, hol_arena_alloc(arena, (size_t)e->n, sizeof *w.value)};
    int n = 0;
    if (!w.value) return -1;
    for (int i = 0; i < e->n; i++) {
        const int k = step(&w, i);
        if (k < 0 || n++) continue;
        *out = (hol_degrees){.number = e->op[k].number, .at = e->at};
        if (e->text) out->at.col += hol_lex_column(e->text, e->op[k].at);
    }
    out->is_angle = e->n > 0 && w.value[e->n - 1].angle;
    return n;
}
