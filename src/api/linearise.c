// The library's interface to linearised motions, the part `linearise` of holonom_analyses.h: each function checks its arguments, calls
// analysis/linearise.h, and leaves messages in the context.
#include "analysis/linearise.h"
#include "api/api.h"
#include "io/linear_file.h"
#include "linalg/state_space.h"

#include <math.h>

// Are all of them finite numbers?
static hol_status check_frequencies(hol_context *ctx, int n, const double *omega)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(omega[i]))
            return hol_fail(ctx, HOL_ERR_USAGE, "the frequency omega[%d] is no finite number", i);
    return n < 0 ? hol_fail(ctx, HOL_ERR_USAGE, "%d frequencies are given", n) : HOL_OK;
}

// The numbers of the options are such as hol_linear_options says.
static hol_status check_options(hol_context *ctx, const hol_linear_options *o)
{
    if (!(o->at >= 0) || isinf(o->at))
        return hol_fail(ctx, HOL_ERR_USAGE, "matrices at t = %.6g s are asked for: give a time from 0 on",
                        o->at);
    if (o->metric != HOL_METRIC_MASS && o->metric != HOL_METRIC_NATURAL)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "there is no metric %d: give HOL_METRIC_MASS or HOL_METRIC_NATURAL", (int)o->metric);
    return o->n_omega > 0 && !o->omega
               ? hol_fail(ctx, HOL_ERR_USAGE, "%d frequencies are announced, and none is given", o->n_omega)
               : check_frequencies(ctx, o->n_omega, o->omega);
}

hol_linear *hol_linear_create(hol_context *ctx, const hol_model *model, const hol_linear_options *options)
{
    static const hol_linear_options defaults = {0};
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    if (!options) options = &defaults;
    return check_options(ctx, options) ? NULL : hol_linear_find(ctx, model->data, &model->settings, options);
}

void hol_linear_destroy(hol_linear *linear) { hol_linear_free(linear); }

hol_status hol_linear_zeros(hol_context *ctx, const hol_linear *linear, int output, int input, int *n,
                            double *re, double *im)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, linear) || HOL_NEED(ctx, n) || HOL_NEED(ctx, re) ||
        HOL_NEED(ctx, im))
        return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    const hol_linear *l = linear;
    if (l->sparse)
        return hol_fail(ctx, HOL_ERR_USAGE, "zeros need the matrices, which a model of this size has not");
    if (output < -1 || output >= l->n_y || input < -1 || input >= l->n_u || (output < 0) != (input < 0))
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "zeros from input %d to output %d are asked for: there are %d and %d", input, output,
                        l->n_u, l->n_y);
    if (input < 0 && l->n_u != l->n_y)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "zeros of all are those of as many outputs as inputs: here are %d and %d", l->n_y,
                        l->n_u);
    const hol_state_space all = hol_linear_system(l);
    return input < 0 ? hol_state_space_zeros(ctx, &all, n, re, im)
                     : hol_state_space_pair_zeros(ctx, &all, output, input, n, re, im);
}

hol_status hol_linear_transfer(hol_context *ctx, const hol_linear *linear, int output, int input, int *degree,
                               int *order, double *numerator, double *denominator)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, linear) || HOL_NEED(ctx, degree) || HOL_NEED(ctx, order) ||
        HOL_NEED(ctx, numerator) || HOL_NEED(ctx, denominator))
        return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    if (linear->sparse)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "transfer functions need the matrices, which a model of this size has not");
    if (output < 0 || output >= linear->n_y || input < 0 || input >= linear->n_u)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "the transfer function from input %d to output %d is asked for: there are %d and %d",
                        input, output, linear->n_u, linear->n_y);
    return hol_linear_polynomials(ctx, linear, output, input, degree, order, numerator, denominator);
}

hol_status hol_linear_response(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                               double *re, double *im)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, linear) || HOL_NEED(ctx, omega) || HOL_NEED(ctx, re) ||
        HOL_NEED(ctx, im))
        return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    const hol_status st = check_frequencies(ctx, n, omega);
    return st ? st : hol_linear_respond(ctx, linear, n, omega, re, im);
}

hol_status hol_linear_write(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                            const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, linear) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    if (n > 0 && HOL_NEED(ctx, omega)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    const hol_status st = check_frequencies(ctx, n, omega);
    return st ? st : hol_linear_to_file(ctx, linear, n, omega, path);
}

hol_status hol_linear_print(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                            hol_print_fn print, void *user)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, linear)) return HOL_ERR_USAGE;
    if (hol_need(ctx, __func__, "print", print ? ctx : NULL)) return HOL_ERR_USAGE;
    if (n > 0 && HOL_NEED(ctx, omega)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    const hol_status st = check_frequencies(ctx, n, omega);
    return st ? st : hol_linear_to_json(ctx, linear, n, omega, print, user);
}
