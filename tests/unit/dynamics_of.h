// A run of a model, or of a text, as the program makes it inside.
#ifndef DYNAMICS_OF_H
#define DYNAMICS_OF_H

#include "harness.h"
#include "analysis/dynamics.h"

#include <stdio.h>

typedef struct {
    hol_model_data *m;
    hol_dynamics *d;
} run;

// settings: "path=value", separated by blanks
static inline run open_run(const char *model, const char *settings)
{
    char text[200];
    const char *set[8];
    hol_settings read;
    snprintf(text, sizeof text, "%s", settings);
    run o = {.m = compile(model, set, split(text, set, 8))};
    assert_int_equal(hol_settings_read(o.m, &read), HOL_OK);
    o.d = hol_dynamics_create(ctx, o.m, &read, true);
    assert_non_null(o.d);
    return o;
}

static inline void close_run(run *o)
{
    hol_dynamics_destroy(o->d);
    hol_model_free(o->m);
}

#endif
