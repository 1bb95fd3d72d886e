// The energy as a check of a run.
#include "analysis/energy.h"

#include <float.h>
#include <math.h>

#define STEPS                                                                                                \
    300 // tolerances of a step, which sound runs of methods of order above 2 may lose: they need up to 140
#define RUNS 30        // of a run's error: methods of order 1 and 2 need up to 13
#define AT_ONCE 10     // turns; of longer runs in proportion
#define ROUNDING 1e-11 // of the largest energy: what cancels in the potential
#define CLOSE 1e-2     // error of a run that is meant to be good
#define REFUSED 10     // times what is explained
#define MOST 0.05      // part of what moves about that such a run may lose
#define MOST_ROUGH 0.5 // and others

void hol_energy_add(hol_energy *e, const hol_measure *m, double h, double work, double rate)
{
    e->kinetic = fmax(e->kinetic, m->kinetic);
    e->least = h > 0 ? fmin(e->least, m->potential) : m->potential;
    e->most = h > 0 ? fmax(e->most, m->potential) : m->potential;
    e->work += fabs(work);
    e->turns += h * rate;
}

void hol_energy_archive(hol_energy *e, hol_archive *a)
{
    hol_archive_number(a, &e->kinetic, 0, DBL_MAX);
    hol_archive_number(a, &e->least, -DBL_MAX, DBL_MAX);
    hol_archive_number(a, &e->most, -DBL_MAX, DBL_MAX);
    hol_archive_number(a, &e->work, 0, DBL_MAX);
    hol_archive_number(a, &e->doubt, 0, DBL_MAX);
    hol_archive_number(a, &e->turns, 0, DBL_MAX);
}

// Is all energy in the account?
static bool is_known(const hol_model_data *m)
{
    bool known = m->n_held == 0;
    for (int i = 0; i < m->n_elements; i++) known = known && !m->element[i].gate;
    return known;
}

// What the tolerance explains, as a part of what moves about: T is the error of a run, or, where it is meant for a step, ten times that of
// a step, of methods of order p below 3 to the power of p/(p + 1).
static double explained_part(const hol_settings *set, double step, double turns, double *most)
{
    const double p = set->method->order, longer = fmax(1, turns / AT_ONCE);
    const bool by_step = hol_method_errors(set->method, set->option) == HOL_ERRORS_PAPER;
    const double error = !by_step ? set->tolerance : 10 * (p > 2 ? step : pow(step, p / (p + 1)));
    const double part = p <= 2 ? RUNS * error : fmax(STEPS * step, by_step ? 0 : RUNS * error);
    *most = error <= CLOSE ? MOST : MOST_ROUGH;
    return part * longer;
}

double hol_energy_explained(const hol_energy *e, const hol_model_data *m, const hol_settings *set, double *most)
{
    const double scale = fmax(e->kinetic, fmax(e->most - e->least, e->work));
    const double rounding = ROUNDING * fmax(e->kinetic, fmax(fabs(e->most), fabs(e->least)));
    const double tolerance = hol_method_tolerance(set->method, set->option, set->tolerance);
    *most = HOL_INF;
    if (set->tolerance <= 0 || !(e->turns > tolerance) || !is_known(m)) return HOL_INF; // nothing has moved
    double cap;
    const double part = explained_part(set, tolerance, e->turns, &cap), sure = rounding + e->doubt;
    *most = scale * fmin(REFUSED * part, cap) + sure;
    return scale * fmin(part, cap) + sure;
}

hol_status hol_energy_judge(hol_context *ctx, const hol_energy *e, const hol_model_data *m, const hol_settings *set, double drift)
{
    const double scale = fmax(e->kinetic, fmax(e->most - e->least, e->work));
    double most;
    const double explained = hol_energy_explained(e, m, set, &most);
    if (!(drift > explained)) return HOL_OK;
    if (drift > most)
        return hol_fail(ctx, HOL_ERR_ACCURACY,
             "%s: %.3g J of %.3g J are lost or made by errors, and a tolerance of %.3g explains %.2g J: the motion is not what the "
             "model says; run it with a tolerance of %.1g, or with another method",
             m->spec->file, drift, scale, set->tolerance, explained, set->tolerance / 100);
    hol_note(ctx, HOL_WARNING,
             "%s: %.3g J of %.3g J are lost or made by errors, more than a tolerance of %.3g explains (%.2g "
             "J): the motion may not be what the model says; compare it with a tolerance of %.1g and with another method",
             m->spec->file, drift, scale, set->tolerance, explained, set->tolerance / 100);
    return HOL_OK;
}
