// Steps of one-step methods with error control (docs/theory.md, section 5.5): attempts until one is accepted, the next
// size, limits, and what is said when no step succeeds.
#include "integrator/one_step.h"
#include "system/weak.h"
#include "system/fault.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double hol_one_step_norm(const hol_integrator *it, const double *e, const double *before, const double *after)
{
    const hol_equations *s = it->s;
    const int nq = s->nq, nx = s->nx;
    double sum[2] = {0, 0};
    for (int i = 0; i < 2 * nq + nx; i++) {
        const double size = i < nq       ? it->size[i]
                            : i < 2 * nq ? it->size[i - nq] / s->m->time_scale
                                         : it->size[i - nq];
        const double x = e[i] / hol_weight(it, size, before[i], after[i]);
        sum[i >= nq] += x * x;
    }
    return sqrt(fmax(sum[0] / fmax(1, nq), sum[1] / fmax(1, nq + nx))) / it->tolerance;
}

void hol_one_step_restart(hol_one_step *o)
{
    o->held = false;
    o->why = HOL_LIMIT_ERROR;
}

// After a rejected attempt.
static void shrink(hol_integrator *it, hol_one_step *o, double order, double h, bool failed, double error)
{
    if (failed)
        it->count.corrector_failures++;
    else
        it->count.rejected++;
    it->h = failed ? 0.2 * h : h * fmin(0.9, hol_control_factor_plain(&it->control, error, order, false));
    o->why = failed ? HOL_LIMIT_FAILURE : HOL_LIMIT_ERROR;
    o->held = true;
}

static void accept(hol_integrator *it, hol_one_step *o, double order, double h, hol_limit limit, double error)
{
    const double factor = hol_control_factor_plain(&it->control, error, order, !o->held);
    it->error = error;
    it->limit = limit;
    it->h = h < it->h ? fmax(it->h, h * factor) : h * factor; // shorter than wanted: not for its error
    if (factor > 1 || limit == HOL_LIMIT_STOP) o->why = HOL_LIMIT_ERROR;
    o->held = false;
}

hol_status hol_one_step_take(hol_integrator *it, hol_one_step *o, double order, double t_stop,
                             hol_attempt *attempt, hol_plan *plan, double *h)
{
    double error;
    if (it->tolerance <= 0) return attempt(it, t_stop, *h = t_stop - it->x.t, &error);
    for (;;) {
        hol_limit limit = o->why;
        const double wanted = plan ? plan(it, it->h) : it->h;
        o->planned = wanted != it->h;
        *h = hol_control_step(it->x.t, wanted, it->h_max, t_stop, &limit);
        const double t1 = limit == HOL_LIMIT_STOP ? t_stop : it->x.t + *h;
        if (*h < 16 * DBL_EPSILON * fmax(fabs(it->x.t), 1e-6) && limit != HOL_LIMIT_STOP)
            return HOL_RECOVERABLE;
        memmove(o->tried + 1, o->tried, (HOL_TRIED - 1) * sizeof *o->tried);
        o->tried[0] = *h;
        const hol_status st = attempt(it, t1, *h, &error);
        if (st < 0) return st;
        if (!st && error <= 1) {
            accept(it, o, order, *h, limit, error);
            return HOL_OK;
        }
        shrink(it, o, order, *h, st != HOL_OK, error);
    }
}

hol_status hol_one_step_fail(hol_integrator *it, const hol_one_step *o, const hol_state *trial, double h,
                             const char *why, const char *way)
{
    char sizes[HOL_TRIED * 12] = "", names[300];
    hol_status st = hol_fault_report(it->s, trial, &it->x);
    if (st) return st;
    for (int i = 0, n = 0; i < HOL_TRIED && o->tried[i] > 0; i++)
        n += hol_decimal_print(sizes + n, sizeof sizes - (size_t)n, "%s%.2g",
                               i ? ", " : "; tried before: ", o->tried[i]);
    char until[HOL_UNTIL];
    hol_integrator_until(it, until);
    const bool fixed = it->tolerance <= 0;
    const char *what = fixed ? "the fixed step of" : "the step collapsed to", *end = fixed ? " fails" : sizes;
    if (hol_weak_joints(it->k, &it->x, names, sizeof names))
        return hol_fail(
            it->ctx, HOL_ERR_INTEGRATION,
            "stopped at t = %.6g s: %s %.3g s%s at a singular pose: the equations of %s lose their "
            "independence; try another %s or --method",
            it->x.t, what, h, end, names, fixed ? "--step" : "tolerance");
    return hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                    "stopped at t = %.6g s: %s %.3g s%s: %s%s; %s%s%s%s or another "
                    "--method may get further",
                    it->x.t, what, h, end, fixed ? "" : "the error test is not met, or ", why, until,
                    way ? way : "", way ? ", " : "", fixed ? "a smaller --step" : "a larger tolerance");
}

void hol_one_step_archive(hol_one_step *o, hol_archive *a)
{
    hol_archive_flag(a, &o->held);
    hol_limit_archive(a, &o->why);
    hol_archive_flag(a, &o->planned);
    hol_archive_numbers(a, o->tried, HOL_TRIED);
}
