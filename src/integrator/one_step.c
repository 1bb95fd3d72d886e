// Steps of one-step methods with error control (docs/theory.md, section 5.5): attempts until one is accepted, the next
// size, limits.
#include "integrator/one_step.h"

#include <float.h>
#include <math.h>

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
        hol_note_tried(o->tried, *h);
        const hol_status st = attempt(it, t1, *h, &error);
        if (st < 0) return st;
        if (!st && error <= 1) {
            accept(it, o, order, *h, limit, error);
            return HOL_OK;
        }
        shrink(it, o, order, *h, st != HOL_OK, error);
    }
}

void hol_one_step_archive(hol_one_step *o, hol_archive *a)
{
    hol_archive_flag(a, &o->held);
    hol_limit_archive(a, &o->why);
    hol_archive_flag(a, &o->planned);
    hol_archive_numbers(a, o->tried, HOL_TRIED);
}
