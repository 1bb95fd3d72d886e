// How outputs of an instance change with its inputs at the present time, all else being what it is.
#include "fmu/instance.h"

#include <math.h>

// Only these have changes that the description promises.
static fmu_status check(const fmu *f, size_t n, const unsigned *reference, bool known)
{
    for (size_t i = 0; i < n; i++) {
        const hol_fmu_variable *v = &f->list.variable[reference[i]];
        const bool input =
            v->kind == HOL_FMU_INPUT || (v->kind == HOL_FMU_TUNABLE && f->mode == FMU_INITIALIZATION);
        if (known ? !input : v->kind != HOL_FMU_OUTPUT)
            return fmu_fail(f, "derivatives are those of outputs by inputs: \"%s\" is no %s", v->name,
                            known ? "input" : "output");
    }
    return FMU_OK;
}

static fmu_status check_seed(const fmu *f, size_t n, const double *seed)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(seed[i])) return fmu_fail(f, "a seed is %g, which is no finite number", seed[i]);
    return FMU_OK;
}

// The changes of all signals with the knowns (signals x known), to be freed; NULL: it has been told why.
static double *find_changes(fmu *f, size_t n, const unsigned *known)
{
    int *input = hol_calloc(f->ctx, n + 1, sizeof *input);
    double *J = input ? hol_calloc(f->ctx, n * (size_t)hol_simulation_signals(f->sim) + 1, sizeof *J) : NULL;
    for (size_t i = 0; i < n && J; i++) input[i] = f->list.variable[known[i]].index;
    if (J && hol_simulation_changes(f->sim, (int)n, input, J) == HOL_OK) {
        hol_free(input);
        return J;
    }
    hol_free(input);
    hol_free(J);
    fmu_fail_as(f);
    return NULL;
}

// All that can be wrong is looked at before anything is found.
fmu_status fmu_derive(fmu *f, bool adjoint, size_t n_unknown, const unsigned *unknown, size_t n_known,
                      const unsigned *known, const double *seed, double *sensitivity)
{
    if (!f->list.derivatives)
        return fmu_fail(f, "this FMU has no derivatives of outputs by inputs, as its description says");
    if (f->mode == FMU_INITIALIZATION && f->model->settings.at_rest)
        return fmu_fail(f,
                        "the model begins in an equilibrium, of which there are no derivatives: ask for them "
                        "when the initialisation has ended");
    fmu_status st = fmu_check_references(f, n_unknown, unknown, adjoint ? seed : sensitivity);
    if (!st) st = fmu_check_references(f, n_known, known, adjoint ? sensitivity : seed);
    if (!st) st = check(f, n_unknown, unknown, false);
    if (!st) st = check(f, n_known, known, true);
    if (!st) st = check_seed(f, adjoint ? n_unknown : n_known, seed);
    if (!st) st = fmu_settle(f);
    if (st) return st;
    double *J = find_changes(f, n_known, known);
    if (!J) return FMU_ERROR;
    const size_t rows = (size_t)hol_simulation_signals(f->sim);
    for (size_t i = 0; i < (adjoint ? n_known : n_unknown); i++) sensitivity[i] = 0;
    for (size_t k = 0; k < n_known; k++)
        for (size_t i = 0; i < n_unknown; i++) {
            const double by = J[k * rows + (size_t)f->list.variable[unknown[i]].index];
            sensitivity[adjoint ? k : i] += by * seed[adjoint ? i : k];
        }
    hol_free(J);
    return FMU_OK;
}
