// What nothing holds, in words; see unheld.h.
#include "analysis/unheld.h"
#include "analysis/body_motion.h"
#include "analysis/separate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FAR 10          // natural sizes: a stiffness that would let go further holds nothing
#define PURE (1 - 1e-9) // part of a direction that lies along an axis

// p (d): the part of b along directions without stiffness; returns its size.
static double part_without_stiffness(const hol_equilibrium *e, const double *b, double *p)
{
    const size_t d = (size_t)e->r.d;
    double size = 0;
    memset(p, 0, d * sizeof *p);
    for (size_t j = 0; j < d && e->symmetric; j++) {
        const double *n = e->shape + j * d, unsure = hol_separate_unsure(&e->r, n);
        double along = 0;
        for (size_t i = 0; i < d; i++) along += b[i] * n[i];
        if (fabs(e->stiffness[j]) > unsure || fabs(along) <= FAR * unsure) continue;
        for (size_t i = 0; i < d; i++) p[i] += along * n[i];
        size = hypot(size, along);
    }
    return size;
}

// "x", "-y", or (0.6, 0.8, 0).
static void name_way(int dimension, const double *way, double size, char *text, size_t room)
{
    for (int i = 0; i < 3; i++)
        if (fabs(way[i]) > PURE * size) {
            hol_decimal_print(text, room, "%s%c", way[i] < 0 ? "-" : "", "xyz"[i]);
            return;
        }
    const int n = hol_decimal_print(text, room, "(%.4g, %.4g", way[0] / size, way[1] / size);
    if (dimension == 3)
        hol_decimal_print(text + n, room - (size_t)n, ", %.4g)", way[2] / size);
    else
        hol_decimal_print(text + n, room - (size_t)n, ")");
}

hol_status hol_unheld_say(hol_context *ctx, const hol_equilibrium *e, const double *q, const double *b,
                          const char *name, char text[HOL_UNHELD_TEXT])
{
    const hol_model_data *m = e->r.s->m;
    const size_t d = (size_t)e->r.d;
    *text = 0;
    if (!m->n_bodies) return HOL_OK;
    double *p = hol_calloc(ctx, d + 6 * (size_t)m->n_bodies + 1, sizeof *p), *motion = p ? p + d : NULL;
    if (!p) return HOL_ERR_MEMORY;
    const double size = part_without_stiffness(e, b, p);
    const hol_status st = size > 0 ? hol_body_motion_along(ctx, &e->r, q, p, motion) : HOL_RECOVERABLE;
    const int i = st ? 0 : hol_body_motion_largest(m, motion);
    const double *way = motion + i / 3 * 3, length = hypot(hypot(way[0], way[1]), way[2]);
    if (!st && length > 0) {
        const bool turns = i % 6 >= 3;
        char along[80], driver[120];
        name_way(m->dimension, way, length, along, sizeof along);
        if (name)
            hol_decimal_print(driver, sizeof driver, "%s", name);
        else
            hol_decimal_print(driver, sizeof driver, turns ? "a moment of %.4g N m" : "a force of %.4g N",
                              size * size / length);
        hol_decimal_print(text, HOL_UNHELD_TEXT,
                          turns ? "nothing holds \"%s\" against turning about %s, and %s turns it"
                                : "nothing holds \"%s\" along %s, and %s drives it there",
                          m->body[i / 6].name, along, driver);
    }
    hol_free(p);
    return st < 0 ? st : HOL_OK;
}
