// A measure that comes to its extreme, as the place of a tip at its farthest, has a dead centre there: its rate is 0 whatever the motion does, and a
// table of it touches the extreme only to its rounding. A little less, and the pose turns back where the motion went on, from its full speed to
// that of the other sign in no time, which what leads along smooth tables takes the time between points for. docs/theory.md, section 21.
#include "analysis/folds.h"
#include "expr/spline.h"
#include "integrator/kinematic.h"

#include <math.h>

enum { MOST_OF_ONE = 8 };
#define HALF 0.5   // of the speed of late: less is slow
#define RESTS 1e-6 // natural sizes between points: what goes no further rests, and turns by rounding
#define BRIEF 0.1  // part of the time between points: a turn in less is none of the table's

// The tables of one function of time.
static hol_status add(hol_folds *f, const hol_loads *loads, const hol_load *load)
{
    hol_table_use use[MOST_OF_ONE];
    const bool leads = load->kind == HOL_LOAD_MOTION || load->kind == HOL_LOAD_CONSTRAINT;
    const int n = leads && load->whole ? hol_expr_tables(loads->arena, load->whole, MOST_OF_ONE, use) : 0;
    if (n < 0) return HOL_ERR_MEMORY;
    for (int i = 0; i < n && i < MOST_OF_ONE; i++) {
        if (!use[i].of_time) continue;
        if (!HOL_ARENA_GROW(loads->arena, f->list, f->n)) return HOL_ERR_MEMORY;
        f->list[f->n++] = (hol_led){load, use[i].table, use[i].argument};
    }
    return HOL_OK;
}

hol_status hol_folds_create(hol_integrator *it, const hol_loads *loads, hol_folds *f)
{
    hol_status st = HOL_OK;
    *f = (hol_folds){0};
    for (int i = 0; i < loads->n && !st && it->method == &hol_method_kinematic; i++)
        st = add(f, loads, &loads->load[i]);
    f->it = f->n ? it : NULL;
    return st;
}

void hol_folds_destroy(hol_folds *f) { *f = (hol_folds){0}; }

// The time between the points of a table around t; infinite outside of it.
static double time_between(const hol_led *led, double t)
{
    const double *x, *y;
    hol_real at[4];
    const int n = hol_spline_nodes(led->table, &x, &y);
    hol_expr_jet(led->argument, t, at);
    for (int i = 1; i < n; i++)
        if (hol_re(at[0]) >= x[i - 1] && hol_re(at[0]) <= x[i])
            return (x[i] - x[i - 1]) / fabs(hol_re(at[1]));
    return HOL_INF;
}

// The table whose points are the nearest to each other at t.
static const hol_led *find_finest(const hol_folds *f, double t, double *between)
{
    const hol_led *finest = NULL;
    *between = HOL_INF;
    for (int i = 0; i < f->n; i++) {
        const double time = time_between(&f->list[i], t);
        if (!(time < *between)) continue;
        *between = time;
        finest = &f->list[i];
    }
    return finest;
}

// What has turned back, and where.
static hol_status fail(const hol_folds *f, const hol_led *led, double brief, double between)
{
    const hol_load *load = led->load;
    const char *table = hol_spline_name(led->table);
    return hol_fail_at(f->it->ctx, HOL_ERR_INTEGRATION, load->at,
                       "stopped at t = %.6g s: the motion turns back within %.2g s, and the points of the "
                       "table %s are %.3g s "
                       "apart: %s \"%s\" (%.200s) comes next to its extreme, a dead centre, in which what it "
                       "measures stands still "
                       "and does not tell whether the motion turns back or goes on. Prescribe another "
                       "measure of the motion, "
                       "end before it, or give points that show the turn",
                       f->it->x.t, brief, table ? table : "", between, hol_load_word(load), load->name,
                       hol_expr_text(load->whole));
}

hol_status hol_folds_look(hol_folds *f)
{
    if (!f->it) return HOL_OK;
    const hol_state *x = &f->it->x, *before = &f->it->before;
    const hol_equations *s = f->it->s;
    const double v0 = hol_equations_coordinate_norm(s, before->v),
                 v1 = hol_equations_coordinate_norm(s, x->v),
                 change = hol_equations_distance(s, x->v, before->v), h = x->t - before->t;
    double between;
    const hol_led *led = find_finest(f, x->t, &between);
    f->speed = fmax(v0, f->speed * exp(-h / between));
    if (v0 > HALF * f->speed) f->fast = before->t;
    const bool turned = change * change > v0 * v0 + v1 * v1 && f->speed * between > RESTS;
    const double brief = 2 * (x->t - f->fast);
    return led && turned && brief < BRIEF * between ? fail(f, led, brief, between) : HOL_OK;
}

void hol_folds_archive(hol_folds *f, hol_archive *a)
{
    if (!f->it) return;
    HOL_ARCHIVE(a, f->speed);
    HOL_ARCHIVE(a, f->fast);
}
