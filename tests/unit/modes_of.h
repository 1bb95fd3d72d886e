// What tests of modes share: the modes of a model, and the last warning.
#ifndef MODES_OF_H
#define MODES_OF_H

#include "harness.h"

#include <math.h>
#include <stdio.h>

static char warning[400];

static void listen(void *user, hol_severity severity, const char *text)
{
    (void)user;
    if (severity == HOL_WARNING) snprintf(warning, sizeof warning, "%s", text);
}

static int start_listening(void **state)
{
    const int st = start(state);
    if (!st) hol_context_set_log(ctx, listen, NULL);
    return st;
}

static hol_modes *modes_with(const char *name, const hol_modes_options *o)
{
    hol_model *model = load_model(name, NULL, 0);
    hol_modes *m = hol_modes_create(ctx, model, o);
    if (!m) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(m);
    hol_model_destroy(model);
    return m;
}

static hol_modes *modes_of(const char *name) { return modes_with(name, &(hol_modes_options){0}); }

static void close_to(const char *what, double have, double want, double allowed)
{
    if (fabs(have - want) <= allowed * fabs(want)) return;
    fail_msg("%s: %.15g, wanted is %.15g, off by %.2g of it", what, have, want,
             fabs(have - want) / fabs(want));
}

#endif
