// Where joints begin in their ranges; see ranges.h. What counts is the pose that joints and drivers leave of the drawing.
#include "system/ranges.h"

#include <math.h>
#include <stdio.h>

#define TURN (2 * HOL_PI)
enum { DIGITS = 9, WAY = 200 };

double hol_range_beyond(const hol_equations *s, const hol_state *x, const hol_range *r, double *end)
{
    const double c = hol_equations_expression(s, x, &r->place);
    *end = c - r->hi >= r->lo - c ? r->hi : r->lo;
    return fmax(c - r->hi, r->lo - c);
}

double hol_range_turns(const hol_range *r, double c)
{
    const double slack = HOL_RANGE_TOUCHES, turns = ceil((r->lo - slack - c) / TURN);
    const bool elsewhere = !r->length && isfinite(turns) && c + turns * TURN <= r->hi + slack;
    return elsewhere ? turns : 0;
}

// Does the start know the full turns of the coordinate, which the pose alone does not tell?
static bool is_known(const hol_model_data *m, const hol_range *r)
{
    bool said = r->known;
    for (int i = 0; i < m->n_begun && !said; i++)
        said = m->begun[i].path && m->begun[i].slot == r->place.leaf->turns - 1;
    return said;
}

// What to do about it.
static void say_way(const hol_model_data *m, const hol_range *r, double turns, char text[WAY])
{
    if (turns == 0)
        snprintf(text, WAY,
                 "; let it begin within its range, or give the stop a `stiffness` instead of `hard: yes`");
    else if (m->dimension == 2 || !r->turns)
        snprintf(text, WAY, "; it lies within it full turns away: shift the range by 2*pi");
    else
        hol_decimal_print(text, WAY, "; it lies within it full turns away: give the joint `turns: %s%.0f%s`",
                          r->turns, r->given + turns, *r->turns ? "}" : "");
}

// A smooth stop pushes what is beyond it; but not from a place that is as well within the range, or is nearer to one that is.
static hol_status check(hol_context *ctx, const hol_equations *s, const hol_state *x, const hol_range *r)
{
    double end;
    char way[WAY];
    const hol_model_data *m = s->m;
    const double beyond = hol_range_beyond(s, x, r, &end), c = hol_equations_expression(s, x, &r->place),
                 size = r->length ? m->length_scale : 1, turns = hol_range_turns(r, c);
    const bool elsewhere = turns != 0 && (beyond > TURN / 2 || !is_known(m, r));
    if (!hol_element_acts(&m->element[r->force], x->mem) || !(beyond > HOL_RANGE_TOUCHES * size) ||
        !(r->hard || elsewhere))
        return HOL_OK;
    const int enough = hol_decimal_digits(c, end), digits = enough > DIGITS ? enough : DIGITS;
    say_way(m, r, turns, way);
    return hol_fail_at(ctx, HOL_ERR_MODEL, r->at,
                       "%s: the joint begins at %.*g %s, outside of %.*g to %.*g%s", r->path, digits, c,
                       r->length ? "m" : "rad", digits, isfinite(r->lo) ? r->lo : 0, digits, r->hi, way);
}

hol_status hol_ranges_check(hol_context *ctx, const hol_equations *s, const hol_state *x)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < s->m->n_ranges && !st; i++) st = check(ctx, s, x, &s->m->range[i]);
    return st;
}
