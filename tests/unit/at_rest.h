// The equilibrium of a model and its signals, for tests of statics.
#ifndef AT_REST_H
#define AT_REST_H

#include "harness.h"
#include "holonom_analyses.h"

#include <string.h>

static inline hol_statics *at_rest(const char *name, const char *const *set, int n,
                                   const hol_statics_options *o, hol_model **model)
{
    *model = load_model(name, set, n);
    hol_statics *s = hol_statics_create(ctx, *model, o);
    if (!s) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(s);
    assert_int_equal(s->n_points, 1);
    return s;
}

static inline hol_statics *followed(const char *text, const char *vary, bool branches, hol_model **model)
{
    const hol_statics_options o = {.vary = vary, .branches = branches, .unstable = true};
    *model = load_model(text, NULL, 0);
    hol_statics *s = hol_statics_create(ctx, *model, &o);
    if (!s) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(s);
    return s;
}

static inline void leave(hol_statics *s, hol_model *model)
{
    hol_statics_destroy(s);
    hol_model_destroy(model);
}

static inline double value_at_point(const hol_statics *s, int point, const char *name)
{
    for (int i = 0; i < s->n_signals; i++)
        if (strcmp(s->signal[i], name) == 0) return s->point[point].value[i];
    fail_msg("there is no signal %s", name);
    return 0;
}

static inline double value(const hol_statics *s, const char *name) { return value_at_point(s, 0, name); }

#endif
