// Texts of the program's own as equations, states, numbers in the memory and events.
#include "model/made.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define CLIPPED "max(min(s,1),0)"
#define SOON 1e-6 // [s]: no bristle gives way faster
#define HOLDS 0.7 // of the limit: less holds, as the texts of (8.56) and (23.9) say

void hol_make_leaf(hol_maker *k, const char *name, const hol_leaf *leaf)
{
    assert(k->n_names < HOL_MADE_NAMES);
    k->known[k->n_names].name = name;
    k->known[k->n_names++].leaf = *leaf;
}

double hol_made_drawn(const hol_maker *k, int which)
{
    return hol_drawn_leaf(k->c->m, &k->known[which].leaf);
}

// Finds a name; leaves are numbered in the order in which the expression uses them.
static int find(void *user, const hol_leaf_call *call)
{
    hol_maker *k = user;
    for (int i = 0; i < k->n_names && !call->call; i++) {
        if (strlen(k->known[i].name) != (size_t)call->name.length ||
            strncmp(k->known[i].name, call->name.text, (size_t)call->name.length) != 0)
            continue;
        for (int j = 0; j < k->n_used; j++)
            if (k->used[j] == i) return j;
        k->used[k->n_used] = i;
        return k->n_used++;
    }
    return HOL_LEAF_UNKNOWN;
}

hol_status hol_make_expression(hol_maker *k, const char *text, hol_equation *e)
{
    const hol_leaves leaves = {find, NULL, NULL, k, NULL};
    hol_spec *spec = k->c->spec;
    k->n_used = 0;
    if (!text) return HOL_ERR_MEMORY;
    hol_status st = hol_expr_parse_leaves(spec->ctx, spec->arena, text, k->at, NULL, NULL, &leaves, &e->expr);
    hol_leaf *leaf = hol_arena_alloc(spec->hot, (size_t)k->n_used + 1, sizeof *leaf);
    if (st || !leaf) return st ? st : HOL_ERR_MEMORY;
    for (int i = 0; i < k->n_used; i++) leaf[i] = k->known[k->used[i]].leaf;
    e->leaf = leaf;
    e->n_leaves = k->n_used;
    return HOL_OK;
}

hol_status hol_make_equation(hol_maker *k, const char *name, const char *column, const char *unit,
                             const char *text)
{
    const char *own = column ? HOL_MADE_TEXT(k, "%s.%s", k->name, column) : k->name;
    hol_equation *e = own ? hol_push_unknown(k->c, own, k->path, k->at, 1) : NULL;
    if (!e) return HOL_ERR_MEMORY;
    const hol_leaf leaf = {.kind = HOL_LEAF_VALUE, .index = k->c->m->n_equations - 1};
    e->hidden = !column;
    e->law = true;
    e->unit = unit;
    hol_status st = hol_make_expression(k, text, e);
    if (!st) hol_make_leaf(k, name, &leaf);
    return st;
}

void hol_make_state_name(hol_maker *k, const char *name)
{
    const hol_leaf leaf = {.kind = HOL_LEAF_STATE, .index = k->c->m->n_states};
    hol_make_leaf(k, name, &leaf);
}

hol_status hol_make_state(hol_maker *k, const char *column, const char *unit, const char *rate,
                          double initial, double size, const char *text)
{
    hol_model_data *m = k->c->m;
    const char *own = HOL_MADE_TEXT(k, "%s.%s", k->name, column);
    if (!own || !HOL_ARENA_GROW(k->c->spec->arena, m->state, m->n_states)) return HOL_ERR_MEMORY;
    m->state[m->n_states++] = (hol_user_state){.name = own,
                                               .unit = unit,
                                               .equation = m->n_equations,
                                               .turned = k->turned,
                                               .initial = initial,
                                               .size = size};
    return hol_make_equation(k, rate, NULL, NULL, text);
}

hol_status hol_make_held(hol_maker *k, const char *name, const char *event, double initial, int *slot)
{
    hol_model_data *m = k->c->m;
    const char *own = event ? HOL_MADE_TEXT(k, "%s.approach_%s", k->name, event) : NULL;
    if (!own || !HOL_ARENA_GROW(k->c->spec->arena, k->c->law_held, k->c->n_law_held)) return HOL_ERR_MEMORY;
    *slot = m->n_mem++;
    k->c->law_held[k->c->n_law_held++] = (hol_held){own, NULL, *slot, initial, false, false, false};
    const hol_leaf leaf = {.kind = HOL_LEAF_HELD, .index = *slot};
    hol_make_leaf(k, name, &leaf);
    return HOL_OK;
}

hol_status hol_make_start(hol_maker *k, bool is_state, int index, bool in_runs, const char *text)
{
    hol_model_data *m = k->c->m;
    if (!text || !HOL_ARENA_GROW(k->c->spec->arena, m->at_start, m->n_at_start)) return HOL_ERR_MEMORY;
    hol_start_set *start = &m->at_start[m->n_at_start++];
    *start = (hol_start_set){.set = {.is_state = is_state, .index = index}, .in_runs = in_runs};
    return hol_make_expression(k, text, &start->set.value);
}

hol_event *hol_make_event(hol_maker *k, const char *name, const char *when)
{
    hol_spec *spec = k->c->spec;
    const char *own = name && when ? HOL_MADE_TEXT(k, "%s.%s", k->name, name) : NULL;
    if (!own || !HOL_ARENA_GROW(spec->arena, k->c->law_event, k->c->n_law_events)) return NULL;
    hol_event *e = &k->c->law_event[k->c->n_law_events++];
    *e = (hol_event){.name = own, .at = k->at, .direction = 1};
    e->when = hol_arena_alloc(spec->arena, 1, sizeof *e->when);
    e->sign = k->c->m->n_mem++;
    e->count = k->c->m->n_mem++;
    if (!e->when || hol_make_expression(k, when, e->when)) return NULL;
    e->when->name = own;
    return e;
}

hol_status hol_make_inputs(const hol_compiler *c, hol_element *e, int first, int n)
{
    const int before = e->n_inputs;
    hol_input *input = hol_arena_alloc(c->spec->hot, (size_t)(before + n), sizeof *input);
    if (!input) return HOL_ERR_MEMORY;
    for (int i = 0; i < before; i++) input[i] = e->input[i];
    for (int i = 0; i < n; i++) input[before + i].z = first + i;
    e->input = input;
    e->n_inputs = (signed char)(before + n);
    return HOL_OK;
}

// By bisection, since it is found once.
double hol_approach_of(double e)
{
    double lo = 1e-9 * (1 - e), hi = 1 / e;
    if (e >= 1) return 0;
    for (int i = 0; i < 200; i++) {
        const double x = 0.5 * (lo + hi);
        const double g = x - log1p(x) + e * x + log1p(-e * x);
        if (g > 0) // below the root the left side is larger
            lo = x;
        else
            hi = x;
    }
    return 0.5 * (lo + hi);
}

// The rate of a bristle, which rests while nothing touches.
static const char *rate_of(hol_maker *l, const hol_bristle *p, const char *text)
{
    return p->moves && text ? HOL_MADE_TEXT(l, "(%s)*(%s)", p->moves, text) : text;
}

// The state of a bristle, of which errors do not add up.
static hol_status make_stretch(hol_maker *l, const hol_bristle *b, const char *column, const char *rate,
                               double initial, const char *text)
{
    const hol_status st = hol_make_state(l, column, b->unit_of_stretch, rate, initial, b->size / b->stiffness,
                                         rate_of(l, b, text));
    if (st) return st;
    hol_user_state *state = &l->c->m->state[l->c->m->n_states - 1];
    state->forgets = true;
    state->stiffness = b->stiffness;
    state->holds = HOLDS;
    return HOL_OK;
}

// What is divided by: the friction f, but next to nothing where nothing presses and f is 0, so that nothing pulls there.
static const char *divisor(hol_maker *k, const hol_bristle *b)
{
    return b->vanishes ? HOL_MADE_TEXT(k, "max(f,%.17g)", 1e-9 * b->size) : "f";
}

// What of the bristle gives way goes by: the limit, but no less than what it is stretched to within SOON. So its rate has a bound where next to
// nothing presses yet or any more; the pull has the limit itself.                          (8.56a)
static hol_status make_soon(hol_maker *k, const hol_bristle *b, const char *least, const char *squares)
{
    return b->vanishes ? hol_make_equation(k, "e", NULL, NULL,
                                           HOL_MADE_TEXT(k, "sqrt(max((%.17g)^2*(%s),%s^2))",
                                                         b->stiffness * SOON, squares, least))
                       : HOL_OK;
}

// Where shapes begin to touch it is stretched by what slides there as far as it goes, and no farther by a bit: there it would be drawn back.
static hol_status touch(hol_maker *k, const hol_bristle *b, const char *largest, const char *squares,
                        const char *v)
{
    if (!b->moves) return HOL_OK;
    hol_equation *e = hol_arena_alloc(k->c->spec->arena, 1, sizeof *e);
    if (!e || !largest) return HOL_ERR_MEMORY;
    k->c->m->state[k->c->m->n_states - 1].touched = e;
    return hol_make_expression(k,
                               HOL_MADE_TEXT(k, "if((%.17g)*sqrt(%s)-(%s),0,0,(%.17g)*%s)",
                                             b->stiffness * SOON, squares, largest, 1.3 * (1 - 1e-9) * SOON,
                                             v),
                               e);
}

// Its part p, by which the sum (bx, by) of spring and damper pulls. In newtons, with a ratio to the limit that saturates: next to nothing
// presses in flight, and derivatives by the ratio of a body that slips there would hide those of all others. Below half of the limit nothing
// gives way, so that the length that is divided by may be at least that.
static hol_status make_part(hol_maker *m, const char *least, const char *length)
{
    hol_status st = hol_make_equation(m, "b", NULL, NULL, length);
    if (!st) st = hol_make_equation(m, "z", NULL, NULL, HOL_MADE_TEXT(m, "b/%s", least));
    // iterates of z, whose slope is one over next to nothing, go anywhere
    if (!st) st = hol_make_equation(m, "s", NULL, NULL, "min(max((z-0.7)/0.6,0),1)");
    return st ? st
              : hol_make_equation(m, "p", NULL, NULL,
                                  "f*(min(z,1.3)-0.6*" CLIPPED "^4*(2.5-3*" CLIPPED "+" CLIPPED "^2))/b");
}

hol_status hol_make_bristle(hol_maker *l, const hol_bristle *p, const char *largest)
{
    const double k = p->stiffness, d = p->damping;
    const char *e = p->vanishes ? "e" : "f", *least = divisor(l, p);
    if (!least) return HOL_ERR_MEMORY;
    hol_status st = hol_make_equation(l, "f", "limit", p->unit, largest);
    if (!st) st = make_soon(l, p, least, "v^2");
    if (!st) hol_make_state_name(l, "x");
    // back where the limit has fallen below what the bristle holds, by which no damper moves
    if (!st)
        st = hol_make_equation(
            l, "q", NULL, NULL,
            HOL_MADE_TEXT(l, "1000*(max(x-1.3*%s/(%.17g),0)+min(x+1.3*%s/(%.17g),0))", e, k, e, k));
    if (!st)
        st = make_stretch(l, p, "bristle", "dx", p->initial,
                          HOL_MADE_TEXT(l,
                                        "v-step5(%.17g*x/%s,0.7,0,1.3,1)*max(v,0)-step5(-%.17g*x/%s,0.7,0,"
                                        "1.3,1)*min(v,0)-q",
                                        k, e, k, e));
    if (!st) st = touch(l, p, largest, "v^2", "v");
    if (!st) st = hol_make_equation(l, "bx", NULL, NULL, HOL_MADE_TEXT(l, "(%.17g)*x+(%.17g)*(dx+q)", k, d));
    return st ? st : make_part(l, least, HOL_MADE_TEXT(l, "max(abs(bx),0.5*%s)", least));
}

hol_status hol_make_plane_bristle(hol_maker *m, const hol_bristle *b, const char *largest, const char *pull,
                                  const char *pull2)
{
    static const char squares[] = "(vx^2+vy^2)";
    const double s = b->stiffness, d = b->damping;
    const char *e = b->vanishes ? "e" : "f", *least = divisor(m, b);
    if (!least) return HOL_ERR_MEMORY;
    hol_status st = hol_make_equation(m, "f", "limit", b->unit, largest);
    const hol_leaf x = {.kind = HOL_LEAF_STATE, .index = m->c->m->n_states},
                   y = {.kind = HOL_LEAF_STATE, .index = m->c->m->n_states + 1};
    hol_make_leaf(m, "x", &x);
    hol_make_leaf(m, "y", &y);
    if (!st) st = make_soon(m, b, least, squares);
    if (!st)
        st = hol_make_equation(m, "r", NULL, NULL,
                               HOL_MADE_TEXT(m, "sqrt(max((%.17g)^2*(x^2+y^2),(0.5*%s)^2))", s, e));
    // the way it points, since a rate divided by its length, which begins at nothing, has no bound
    if (!st) st = hol_make_equation(m, "nx", NULL, NULL, HOL_MADE_TEXT(m, "(%.17g)*x/r", s));
    if (!st) st = hol_make_equation(m, "ny", NULL, NULL, HOL_MADE_TEXT(m, "(%.17g)*y/r", s));
    if (!st)
        st = hol_make_equation(m, "u", NULL, NULL,
                               HOL_MADE_TEXT(m, "step5(r/%s,0.7,0,1.3,1)*max(vx*nx+vy*ny,0)", e));
    if (!st)
        st = hol_make_equation(m, "q", NULL, NULL, HOL_MADE_TEXT(m, "(%.17g)*max(r-1.3*%s,0)", 1000 / s, e));
    if (!st) st = make_stretch(m, b, "bristle_x", "dx", 0, "vx-(u+q)*nx-0.5*om*y");
    if (!st) st = touch(m, b, largest, squares, "vx");
    if (!st) st = make_stretch(m, b, "bristle_y", "dy", 0, "vy-(u+q)*ny+0.5*om*x");
    if (!st) st = touch(m, b, largest, squares, "vy");
    if (!st)
        st = hol_make_equation(m, "bx", NULL, NULL, HOL_MADE_TEXT(m, "(%.17g)*x+(%.17g)*(dx+q*nx)", s, d));
    if (!st)
        st = hol_make_equation(m, "by", NULL, NULL, HOL_MADE_TEXT(m, "(%.17g)*y+(%.17g)*(dy+q*ny)", s, d));
    if (!st) st = make_part(m, least, HOL_MADE_TEXT(m, "sqrt(max(bx^2+by^2,(0.5*%s)^2))", least));
    if (!st) st = hol_make_equation(m, pull, NULL, NULL, "-p*bx");
    return st ? st : hol_make_equation(m, pull2, NULL, NULL, "-p*by");
}

hol_status hol_make_lugre(hol_maker *l, const hol_bristle *p, const char *largest, hol_element *e)
{
    const char *least = divisor(l, p);
    if (!least) return HOL_ERR_MEMORY;
    hol_status st = hol_make_equation(l, "f", "limit", p->unit, largest);
    if (!st) hol_make_state_name(l, "x");
    if (!st)
        st = make_stretch(l, p, "bristle", "dx", p->initial,
                          HOL_MADE_TEXT(l, "v-abs(v)*%.17g*x/%s", p->stiffness, least));
    const int first = l->c->m->n_equations;
    if (!st) l->c->m->state[l->c->m->n_states - 1].holds = 0;
    if (!st)
        st = hol_make_equation(l, "T", NULL, NULL,
                               HOL_MADE_TEXT(l, "-if(F,0,0,%.17g*x+%.17g*dx)", p->stiffness, p->damping));
    return st ? st : hol_make_inputs(l->c, e, first, 1);
}
