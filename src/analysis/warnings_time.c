// What `check` lists and warns of functions of time: jumps, kinks, short features, poles (docs/theory.md, section 8).
#include "analysis/tables.h"
#include "analysis/warnings_data.h"
#include "expr/spline.h"

#include <math.h>
#include <string.h>

static void add_line(hol_facts *f, const char *text)
{
    f->lost = f->lost || !text;
    if (text && f->out->n_loads < HOL_LOADS_LISTED) f->out->load[f->out->n_loads++] = text;
}

// Times of jumps of one order, up to some: "1.2345, 1.2355, .. s"; how many there are.
static int list_jumps(const hol_features *found, int order, char text[200])
{
    enum { SHOWN = 4 };
    int n = 0, count = 0;
    text[0] = 0;
    for (int i = 0; i < found->n_jumps; i++) {
        const hol_jump *j = &found->jump[i];
        if (j->order != order) continue;
        if (count++ < SHOWN)
            n += hol_decimal_print(text + n, 200 - (size_t)n, "%s%.9g", count > 1 ? ", " : "",
                                   hol_jump_time(j));
    }
    hol_decimal_print(text + n, 200 - (size_t)n, "%s s", count > SHOWN ? ", .." : "");
    return count;
}

// Notes at which times a function jumps.
static void tell_jumps(hol_facts *f, const hol_load *load)
{
    static const char *const what[] = {"jumps", "has a kink", "has a jump of curvature",
                                       "has a jump of the third derivative"};
    for (int order = 0; order < 4; order++) {
        char times[200];
        if (!list_jumps(&load->found, order, times)) continue;
        add_line(f, hol_arena_print(f->out->arena, "%s %s %s at t = %s", hol_load_word(load), load->name,
                                    what[order], times));
    }
}

// Cells from i on that follow each other closely; returns the first one after them. The middle of the narrowest ones is where
// most happens.
static int group_cells(const hol_features *found, int i, double *width, double *at)
{
    int end = i + 1;
    double from = HOL_INF, to = 0;
    *width = HOL_INF;
    for (; end < found->n_cells; end++) {
        const hol_cell *c = &found->cell[end], *last = c - 1;
        if (c->from - last->to > 8 * (c->to - c->from + last->to - last->from)) break;
    }
    for (int k = i; k < end; k++) *width = fmin(*width, found->cell[k].to - found->cell[k].from);
    for (int k = i; k < end; k++) {
        const hol_cell *c = &found->cell[k];
        if (c->to - c->from > 1.5 * *width) continue;
        from = fmin(from, c->from);
        to = c->to;
    }
    *at = 0.5 * (from + to);
    return end;
}

// Notes what a function does within a short time, place by place.
static void tell_cells(hol_facts *f, const hol_load *load)
{
    enum { SHOWN = 3 };
    int places = 0;
    double width, at;
    for (int i = 0; i < load->found.n_cells;) {
        i = group_cells(&load->found, i, &width, &at);
        if (++places > SHOWN) continue;
        add_line(f,
                 hol_arena_print(f->out->arena, "%s %s has a feature that takes about %.1g s at t = %.6g s",
                                 hol_load_word(load), load->name, 8 * width, at));
    }
    if (places > SHOWN)
        add_line(f, hol_arena_print(f->out->arena, "%s %s has %d more such features", hol_load_word(load),
                                    load->name, places - SHOWN));
}

// Do all of them happen at ends of fixed steps?
static bool on_steps(const hol_features *found, double step)
{
    bool all = step > 0;
    for (int i = 0; i < found->n_jumps; i++) {
        const double k = found->jump[i].before / step;
        all = all && fabs(k - nearbyint(k)) < 1e-9 * fmax(1, k);
    }
    return all;
}

// Times at which a kink that depends on the time alone happens: ", at t = 0.5, 2.5 s". Returns whether steps go across one.
static bool kink_times(hol_facts *f, const hol_kink *k, char text[200])
{
    hol_features found;
    text[0] = 0;
    if (!k->of_time || !(f->set->end > 0)) return true;
    const hol_time_expr timed = hol_time_expr_of(k->of_time);
    f->lost = f->lost || hol_features_find(f->ctx, &timed.timed, 0, f->set->end, 1, &found);
    if (f->lost) return false;
    const bool across = !on_steps(&found, f->set->step);
    int n = 0, count = 0;
    for (int i = 0; i < found.n_jumps; i++) {
        if (found.jump[i].order > HOL_JUMP_SLOPE) continue;
        if (count++ < 4)
            n += hol_decimal_print(text + n, 200 - (size_t)n, "%s%.6g",
                                   count > 1 ? ", " : ", at t = ", hol_jump_time(&found.jump[i]));
    }
    if (count) hol_decimal_print(text + n, 200 - (size_t)n, "%s s", count > 4 ? ", .." : "");
    hol_features_free(&found);
    return across;
}

static void add_kink(hol_facts *f, const char *text)
{
    f->lost = f->lost || !text;
    if (text) f->out->kink[f->out->n_kinks++] = text;
}

// A law that the program makes, of a joint or a contact, is one entry at the place where the file has it: nobody wrote its functions.
static void count_law(hol_facts *f, const hol_equation *law)
{
    char place[HOL_PLACE];
    const int n = f->out->n_kinks;
    const char *text =
        hol_arena_print(f->out->arena, "the law of %s, %s", law->name, hol_warning_place(f, law->at, place));
    f->lost = f->lost || !text;
    if (!text || (n && strcmp(f->out->kink[n - 1], text) == 0)) return;
    f->out->kinks++;
    if (n < HOL_KINKS_LISTED) add_kink(f, text);
}

// Notes the places where a value or a slope jumps, with their first times.
static void count_kinks(hol_facts *f, const char *name, const hol_expr *e)
{
    hol_kink k[HOL_KINKS_LISTED];
    const int room = HOL_KINKS_LISTED - f->out->n_kinks, n = hol_expr_kink_places(f->out->arena, e, room, k);
    f->lost = f->lost || n < 0;
    f->out->kinks += n;
    for (int i = 0; i < n && i < room && !f->lost; i++) {
        char times[200];
        kink_times(f, &k[i], times);
        char place[HOL_PLACE];
        const bool touches = strcmp(k[i].function, "impact") == 0 || strcmp(k[i].function, "bistop") == 0;
        const char *text = hol_arena_print(
            f->out->arena, "%s in %s, %s%s%s", k[i].function, name, hol_warning_place(f, k[i].at, place),
            times,
            touches ? "; `contacts:` of shapes, or `limits` of a joint, would find when it begins and ends"
                    : "");
        add_kink(f, text);
    }
}

// A step of a method across a place where a derivative of the acceleration jumps, the (k + 1)st, misses O(h^(k + 2)) of the velocity:
// that is the order that is left of higher ones, (8.60). Steps of chosen size end there, or are short.
static void warn_of_tables(hol_facts *f, const char *name, const hol_expr *e)
{
    hol_kink k[HOL_KINKS_LISTED];
    const hol_method *method = f->set->method;
    const int order = method->order_of ? method->order_of(f->set->option) : method->order;
    const int n = hol_expr_kink_places(f->out->arena, e, HOL_KINKS_LISTED, k);
    f->lost = f->lost || n < 0;
    for (int i = 0; i < n && i < HOL_KINKS_LISTED && !f->lost; i++) {
        char times[200], place[HOL_PLACE];
        const int left = k[i].smooth + 2;
        if (!k[i].table || order <= left || !kink_times(f, &k[i], times)) continue;
        hol_warn(f,
                 "fixed steps of %.3g s go across the nodes of the table of %s in %s, %s%s, where its %s "
                 "jumps: of "
                 "the order %d of %s order %d is left\n; leave `step` out, as steps of chosen size end or "
                 "are short "
                 "there%s, or take a cubic table",
                 f->set->step, k[i].function, name, hol_warning_place(f, k[i].at, place), times,
                 k[i].smooth < 0 ? "value" : "slope", order, method->name, left,
                 k[i].of_time ? ", make the nodes multiples of the step" : "");
    }
}

// Users' equations, drivers, motions of ground markers, forces of time. Those of constraints are their elements' own.
static void each_function(hol_facts *f, void (*look)(hol_facts *f, const char *name, const hol_expr *e))
{
    const hol_model_data *m = f->m;
    for (int i = 0; i < m->n_equations; i++)
        if (m->equation[i].expr && !m->equation[i].law) look(f, m->equation[i].name, m->equation[i].expr);
    const hol_expr *last = NULL;
    for (int i = 0; i < f->loads.n; i++) {
        const hol_load *load = &f->loads.load[i];
        const bool own = load->kind == HOL_LOAD_MOTION || (load->kind == HOL_LOAD_FORCE && !load->leaf);
        if (own && load->whole != last) look(f, load->name, load->whole);
        last = load->whole;
    }
}

void hol_list_kinks(hol_facts *f)
{
    const hol_model_data *m = f->m;
    each_function(f, count_kinks);
    for (int i = 0; i < m->n_equations; i++)
        if (m->equation[i].law && hol_expr_kinks(m->equation[i].expr)) count_law(f, &m->equation[i]);
}

void hol_look_tables(hol_facts *f)
{
    if (f->set->step > 0) each_function(f, warn_of_tables);
}

// The first time, of evenly spaced ones and the end, at which a function of time has left a table; < 0: none. far: what it asks for
// where it is farthest.
static double leaves_at(const hol_table_use *use, double end, double *far)
{
    enum { TIMES = 1000 };
    double first = -1, most = 0;
    for (int k = 0; k <= TIMES; k++) {
        hol_real y[4];
        hol_expr_jet(use->argument, end * k / TIMES, y);
        const double at = hol_re(y[0]), beyond = fabs(hol_table_beyond(use->table, at));
        if (!(beyond > most)) continue;
        if (first < 0) first = end * k / TIMES;
        most = beyond;
        *far = at;
    }
    return first;
}

// Of tables that do not say how they go on.
static void warn_beyond(hol_facts *f, const char *name, const hol_expr *e)
{
    hol_table_use use[HOL_KINKS_LISTED];
    const int n = hol_expr_tables(f->out->arena, e, HOL_KINKS_LISTED, use);
    f->lost = f->lost || n < 0;
    for (int i = 0; i < n && i < HOL_KINKS_LISTED && f->set->end > 0; i++) {
        const double *x, *y;
        double far = 0;
        if (!use[i].of_time || hol_spline_goes_on(use[i].table) != HOL_SPLINE_UNSAID) continue;
        const double first = leaves_at(&use[i], f->set->end, &far);
        if (first < 0) continue;
        const int last = hol_spline_nodes(use[i].table, &x, &y) - 1;
        const char *table = hol_spline_name(use[i].table);
        hol_warn(
            f,
            "table %s, in %s, goes from %.6g to %.6g, and the run of %.6g s asks for %.6g: beyond its points "
            "it "
            "goes on as a straight line\n. Give it more points, end the run before, or " HOL_BEYOND_SAYS,
            table ? table : "", name, x[0], x[last], f->set->end, far);
    }
}

void hol_look_beyond(hol_facts *f) { each_function(f, warn_beyond); }

void hol_list_loads(hol_facts *f)
{
    for (int i = 0; i < f->loads.n; i++) {
        tell_jumps(f, &f->loads.load[i]);
        tell_cells(f, &f->loads.load[i]);
    }
}

// Is a cell at the edge of a domain, where slopes grow as of sqrt(x) at 0?
static bool is_at_edge(const hol_features *found, const hol_cell *c)
{
    const double w = 16 * (c->to - c->from);
    for (int i = 0; i < found->n_holes; i++)
        if (c->from - w < found->hole[i].after && c->to + w > found->hole[i].before) return true;
    return false;
}

// The shortest time between two jumps of a function, or what it does in a cell of its own.
static double shortest_of(const hol_features *found, double *at)
{
    double shortest = HOL_INF;
    for (int i = 0; i < found->n_cells; i++) {
        const double w = found->cell[i].to - found->cell[i].from;
        if (4 * w >= shortest || is_at_edge(found, &found->cell[i])) continue;
        shortest = 4 * w;
        *at = found->cell[i].from;
    }
    for (int i = 0; i + 1 < found->n_jumps; i++) {
        const double w = found->jump[i + 1].before - found->jump[i].after;
        if (w >= shortest) continue;
        shortest = w;
        *at = found->jump[i].before;
    }
    return shortest;
}

// Fixed steps do not end where a function of time jumps, and may pass over what is short.
void hol_look_pulses(hol_facts *f)
{
    for (int i = 0; i < f->loads.n && f->set->step > 0; i++) {
        const hol_load *load = &f->loads.load[i];
        double at = 0;
        const double shortest = shortest_of(&load->found, &at);
        if (shortest < 2 * f->set->step)
            hol_warn(
                f,
                "%s %s (\"%.200s\") changes within %.3g s at t = %.6g s\n: fixed steps of %.3g s may pass "
                "over "
                "that unseen; steps of chosen size do not: leave `step` out, or take %.1g s",
                hol_load_word(load), load->name, hol_expr_text(load->whole), shortest, at, f->set->step,
                shortest / 10);
    }
}

// What a run refuses: motions that jump, poles; and what it cannot know.
void hol_look_jumps(hol_facts *f)
{
    for (int i = 0; i < f->loads.n; i++) {
        const hol_load *load = &f->loads.load[i];
        for (int k = 0; k < load->found.n_jumps; k++) {
            const hol_jump *j = &load->found.jump[k];
            char way[HOL_LOAD_WAY];
            if (!hol_load_cannot(load, j)) continue;
            hol_load_way(load, j, way);
            if (hol_load_is_unbounded(j))
                hol_warn(
                    f,
                    "%s %s (\"%.200s\") has no bounded %s at t = %.6g s\n: that takes an infinite force, "
                    "and a run refuses it; --end %.4g ends before it",
                    hol_load_word(load), load->name, hol_expr_text(load->whole), hol_load_what_jumps(load, j),
                    hol_jump_time(j), 0.999 * j->before);
            else
                hol_warn(f,
                         "%s %s (\"%.200s\") has a jump of %s by %.3g at t = %.6g s\n: that "
                         "takes "
                         "an infinite force, and a run refuses it; %s",
                         hol_load_word(load), load->name, hol_expr_text(load->whole),
                         hol_load_what_jumps(load, j), j->right - j->left, hol_jump_time(j), way);
            break;
        }
    }
}

// Poles, overflows, and times at which a function is 0/0 but has the same value on both sides.
void hol_look_poles(hol_facts *f)
{
    for (int i = 0; i < f->loads.n; i++) {
        const hol_load *load = &f->loads.load[i];
        for (int k = 0; k < load->found.n_holes; k++) {
            const hol_hole *h = &load->found.hole[k];
            const double at = 0.5 * (h->before + h->after);
            if (h->kind == HOL_HOLE_POLE)
                hol_warn(f, "%s %s (\"%.200s\") has a pole at t = %.9g s, where it grows without bound",
                         hol_load_word(load), load->name, hol_expr_text(load->whole), at);
            if (h->kind == HOL_HOLE_LARGE)
                hol_warn(f,
                         "%s %s (\"%.200s\") grows above the largest number, 1.8e308, at t = %.9g s\n: a run "
                         "stops there; is its exponent right, and its unit?",
                         hol_load_word(load), load->name, hol_expr_text(load->whole), at);
            if (h->kind == HOL_HOLE_REMOVABLE)
                hol_warn(f,
                         "%s %s (\"%.200s\") is not defined at t = %.9g s alone\n: steps of chosen size end "
                         "before it; a fixed "
                         "step that comes to that time stops there; write it so that it has its value",
                         hol_load_word(load), load->name, hol_expr_text(load->whole), at);
        }
    }
}

// Functions that change so often that single features are not looked for.
void hol_look_fast(hol_facts *f)
{
    for (int i = 0; i < f->loads.n; i++) {
        const hol_load *load = &f->loads.load[i];
        if (load->found.dense)
            hol_warn(
                f,
                "%s %s (\"%.200s\") changes within %.2g s all along the run of %.4g s: steps are at most "
                "%.2g s, "
                "%.2g of them\n; is its unit right (rad/s, Hz)? `max_step` allows longer ones",
                hol_load_word(load), load->name, hol_expr_text(load->whole), load->found.shortest,
                f->set->end, 2 * load->found.shortest, f->set->end / (2 * load->found.shortest));
    }
}

// Functions of which nobody can tell whether they jump.
void hol_look_undecided(hol_facts *f)
{
    for (int i = 0; i < f->loads.n; i++) {
        const hol_load *load = &f->loads.load[i];
        if (load->found.undecided && !load->found.branches)
            hol_warn(
                f,
                "%s %s (\"%.200s\") may be without a value for a while: an argument of it is, or nearly, "
                "where its function ends\n: a run that comes to a time without a value stops there",
                hol_load_word(load), load->name, hol_expr_text(load->whole));
        else if (load->found.undecided)
            hol_warn(f,
                     "%s %s (\"%.200s\") has two branches that may be equal for a while\n: whether it jumps "
                     "there is "
                     "not known, and no step ends for it",
                     hol_load_word(load), load->name, hol_expr_text(load->whole));
    }
}
