// Any bytes as a model file: it is refused with a message and a place, or it can be checked, and simulated for a few
// steps, and all of that ends with a result or a message.
#include "fuzz.h"
#include "holonom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 12, STEPS = 3 };

static void require_message(const hol_context *ctx, const char *what)
{
    require(hol_context_status(ctx) < 0 && hol_context_error(ctx)[0], what);
    require(hol_context_status(ctx) != HOL_ERR_MEMORY, "there is memory");
}

static void check(hol_context *ctx, const hol_model *model)
{
    hol_check *c = hol_check_create(ctx, model);
    if (!c) require_message(ctx, "a failed check leaves a message");
    if (c) {
        require(c->bodies > 0 && c->bodies <= MOST_ITEMS, "the number of bodies");
        require(c->rank >= 0 && c->rank <= c->constraints && c->rank + c->n_redundant == c->constraints,
                "rank");
        require(c->degrees_of_freedom >= 0, "degrees of freedom");
        require(isfinite(c->length_scale) && c->length_scale > 0, "length scale");
    }
    hol_check_destroy(c);
}

static void simulate(hol_context *ctx, const hol_model *model)
{
    hol_simulation *sim = hol_simulation_create(ctx, model);
    if (!sim) require_message(ctx, "a failed start leaves a message");
    bool done = !sim;
    double t = 0;
    for (int i = 0; i < STEPS && !done; i++) {
        const hol_status st = hol_simulation_step(sim, &done);
        if (st) require_message(ctx, "a failed step leaves a message");
        const double *value = st ? NULL : hol_simulation_values(sim);
        for (int k = 0; value && k < hol_simulation_signals(sim); k++)
            require(isfinite(value[k]), "values are finite");
        require(st || hol_simulation_time(sim) > t, "time goes on");
        t = hol_simulation_time(sim);
    }
    hol_simulation_destroy(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hol_context *ctx = hol_context_create();
    hol_context_sandbox(ctx, MOST_ITEMS);
    hol_model *model = hol_model_parse(ctx, "m.yaml", (const char *)data, size, NULL, 0);
    if (!model)
        require(hol_context_status(ctx) == HOL_ERR_MODEL &&
                    strncmp(hol_context_error(ctx), "m.yaml:", 7) == 0,
                "a refused model leaves a message with its place");
    if (model) {
        check(ctx, model);
        simulate(ctx, model);
    }
    hol_model_destroy(model);
    hol_context_destroy(ctx);
    return 0;
}
