// PTCV of Adams, a point that stays on a CURVE: the joint point-on-curve, of plane curves that are functions of x or of an angle.
#include "io/import_adm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BEYOND = 10
}; // points of a closed curve that are there again before and behind it, so that its ends do not count

// Points x, y of a curve, from which on they are those of its spline.
typedef struct {
    int n;
    double *x, *y;
} points;

// Plane, and with x in one sense (closed: the angle about the origin, once around): NULL, or why it is not taken.
static const char *arrange(const double *p, int n, bool closed, points *out)
{
    double size = 0, sense = 0;
    for (int i = 0; i < 3 * n; i++) size = fmax(size, fabs(p[i]));
    for (int i = 0; i < n; i++) {
        if (fabs(p[3 * i + 2]) > 1e-9 * size) return "whose points have a z that is not 0";
        out->x[i] = closed ? atan2(p[3 * i + 1], p[3 * i]) : p[3 * i];
        out->y[i] = closed ? hypot(p[3 * i + 1], p[3 * i]) : p[3 * i + 1];
        const double step =
            i ? closed ? remainder(out->x[i] - out->x[i - 1], 2 * HOL_PI) : out->x[i] - out->x[i - 1] : 0;
        if (closed && i) out->x[i] = out->x[i - 1] + step;
        if (i == 1) sense = step;
        if (i && step * sense <= 0)
            return closed ? "that is closed and does not go around its origin in one sense"
                          : "whose x goes forth and back";
    }
    if (closed && fabs(fabs(out->x[n - 1] - out->x[0]) - 2 * HOL_PI) > 1e-6)
        return "that is closed and does not go around its origin once";
    for (int i = 0; sense < 0 && i < n / 2; i++) {
        const int k = n - 1 - i;
        const double x = out->x[i], y = out->y[i];
        out->x[i] = out->x[k], out->y[i] = out->y[k];
        out->x[k] = x, out->y[k] = y;
    }
    out->n = n;
    return NULL;
}

// A spline over more than one turn from 0 on, of which the points are in turn from any angle on.
static hol_status go_around(hol_adm *a, points *c)
{
    const int m = c->n - 1, n = m + 1 + 2 * BEYOND;
    points out = {n, hol_arena_alloc(a->in->arena, (size_t)n, sizeof *out.x),
                  hol_arena_alloc(a->in->arena, (size_t)n, sizeof *out.y)};
    if (!out.x || !out.y) return HOL_ERR_MEMORY;
    int first = 0; // the one behind 0
    const double turns = 2 * HOL_PI * floor(c->x[0] / (2 * HOL_PI));
    while (first < m && c->x[first] - turns < 2 * HOL_PI) first++;
    for (int i = 0; i < n; i++) {
        const int k = first + i - BEYOND - 1 + BEYOND * m, around = k / m;
        out.x[i] = c->x[k % m] - turns + 2 * HOL_PI * (around - BEYOND - 1);
        out.y[i] = c->y[k % m];
    }
    *c = out;
    return HOL_OK;
}

// The points as a table of the model, which has the name of the curve.
static hol_status write_spline(hol_adm *a, hol_adm_statement *s, const points *c, bool closed)
{
    s->own = hol_import_name(a->in, a->names, s->label ? s->label : hol_adm_print(a, "curve%d", s->id),
                             "_curve", false);
    if (!s->own) return HOL_ERR_MEMORY;
    hol_node *map = hol_adm_item(a, a->splines, s, s->own, NULL);
    hol_import_text(a->in, map, "kind", "not-a-knot");
    hol_node *units = hol_import_map(a->in, map, "units");
    hol_import_text(a->in, units, "x", closed ? "rad" : "m");
    hol_import_text(a->in, units, "y", "m");
    hol_import_numbers(a->in, map, "x", c->n, c->x);
    hol_import_numbers(a->in, map, "y", c->n, c->y);
    return hol_import_tell(
        a->in, HOL_TOLD_ASSUMED, s->at, s->own, "curves",
        "through their points go splines of x, or of the angle where they are closed, not B-splines of a "
        "parameter");
}

// The spline of a CURVE, once. HOL_RECOVERABLE: it is not taken.
static hol_status read_curve(hol_adm *a, hol_adm_statement *s, bool closed)
{
    double *p;
    int n, least = 4;
    if (s->own) return HOL_OK;
    if (hol_adm_has(s, "FUNCTION")) return hol_adm_user(a, s);
    if (hol_adm_has(s, "CONTROL_POINTS"))
        return hol_adm_missed(a, HOL_RECOVERABLE, s->at, "PTCV on a CURVE by CONTROL_POINTS");
    hol_status st = hol_adm_matrix(a, s, "MATRIX", 0, 3, a->length, &p, &n);
    if (st) return st;
    if (n < least)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: it has %d points, wanted are at least %d",
                           hol_adm_title(a, s), n, least);
    points c = {n, hol_arena_alloc(a->in->arena, (size_t)n, sizeof *c.x),
                hol_arena_alloc(a->in->arena, (size_t)n, sizeof *c.y)};
    if (!c.x || !c.y) return HOL_ERR_MEMORY;
    const char *why = arrange(p, n, closed, &c);
    if (why) return hol_adm_missed(a, HOL_RECOVERABLE, s->at, hol_adm_print(a, "PTCV on a CURVE %s", why));
    if (closed) st = go_around(a, &c);
    return st ? st : write_spline(a, s, &c, closed);
}

hol_status hol_adm_ptcv(hol_adm *a, hol_adm_statement *s)
{
    int curve, other;
    hol_status st = hol_adm_other(a, s, "I", "MARKER", true, &s->second);
    if (!st) st = hol_adm_other(a, s, "RM", "MARKER", true, &s->first);
    if (!st) st = hol_adm_other(a, s, "JFLOAT", "MARKER", false, &other);
    if (!st) st = hol_adm_other(a, s, "CURVE", "CURVE", true, &curve);
    if (st) return st;
    hol_adm_statement *c = &a->s[curve];
    const bool closed = hol_adm_has(c, "CLOSED");
    c->held = true;
    st = read_curve(a, c, closed);
    for (int i = 0; i < c->n && st == HOL_RECOVERABLE; i++) c->arg[i].asked = true;
    if (st) return st;
    hol_node *map = hol_adm_item(a, a->joints, s, s->own, "point-on-curve");
    hol_adm_between(a, map, s);
    hol_import_text(a->in, map, "curve", c->own);
    if (closed) hol_import_text(a->in, map, "polar", "yes");
    return HOL_OK;
}
