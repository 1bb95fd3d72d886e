// Poses along their curve as a result: the arc length in place of the time, so that it is played and drawn as a motion is, the time of
// the drivers, what each of them drives to, and the signals of the pose.
#include "io/follow_file.h"
#include "analysis/follow.h"
#include "io/result.h"
#include "io/summary.h"

#include <string.h>

enum { LENGTH, TIME, TURNED, FIXED };
static const char *const fixed_name[FIXED] = {"t", "curve.time", "curve.turned"}, *const fixed_unit[FIXED] = {
                                                                                      "s", "s", ""};

// What stands along the curve, the drivers, the signals as they are shown.
static hol_status name_columns(hol_result_data *out, const hol_follow *f)
{
    hol_status st = hol_result_columns(out, FIXED + f->n_drivers + f->n);
    for (int i = 0; i < FIXED && !st; i++) st = hol_result_name(out, i, fixed_name[i], fixed_unit[i]);
    for (int i = 0; i < f->n_drivers && !st; i++) {
        const hol_element *e = &f->d->m->element[f->driver[i]];
        const char *name = hol_arena_print(out->arena, "%s.value", e->name);
        st = name ? hol_result_name(out, FIXED + i, name, e->type->row(e->data, 0).is_length ? "m" : "rad")
                  : HOL_ERR_MEMORY;
    }
    for (int i = 0; i < f->n && !st; i++) {
        const hol_column *c = &f->signals.column[f->column[i]];
        st = hol_result_name(out, FIXED + f->n_drivers + i, c->name, c->unit);
    }
    for (int i = 0; i < f->n && !st; i++) { // all columns have their units now
        const hol_column *c = &f->signals.column[f->column[i]];
        if (strcmp(c->shown, c->unit) != 0)
            st = hol_result_show(out, FIXED + f->n_drivers + i, c->shown, c->factor);
    }
    return st;
}

// The present pose.
static hol_status add_row(hol_result_data *out, hol_follow *f)
{
    const hol_status st = hol_signals_evaluate(&f->signals, &f->c.x, 0);
    double *row = st ? NULL : hol_result_rows(out, 1);
    if (!row) return st ? st : HOL_ERR_MEMORY;
    row[LENGTH] = f->c.length;
    row[TIME] = f->c.x.t;
    row[TURNED] = f->turned;
    row += FIXED;
    for (int i = 0; i < f->n_drivers; i++) *row++ = hol_follow_driver(f, i);
    for (int i = 0; i < f->n; i++) *row++ = f->signals.value[f->column[i]];
    out->r.n_rows++;
    return HOL_OK;
}

hol_result *hol_follow_result(hol_context *ctx, const hol_model_data *m, const hol_settings *set)
{
    hol_follow f;
    hol_status st = hol_follow_begin(ctx, m, set, &f);
    hol_result_data *out = st ? NULL : hol_calloc(ctx, 1, sizeof *out);
    if (!out) {
        if (!st) hol_follow_destroy(&f);
        return NULL;
    }
    bool done = false;
    st = hol_result_begin(out, ctx, m->spec->file);
    if (!st) st = name_columns(out, &f);
    if (!st) st = hol_result_add_model(out, m, "kinematics along the curve of poses");
    if (!st) st = add_row(out, &f);
    while (!st && !done) {
        st = hol_check_cancelled(ctx, "interrupted");
        if (!st) st = hol_follow_next(&f, &done);
        if (!st) st = add_row(out, &f);
    }
    hol_follow_destroy(&f);
    if (!st) return &out->r;
    hol_result_destroy(&out->r);
    return NULL;
}
