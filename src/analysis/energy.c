// The energy as a check of a run.
#include "analysis/energy.h"
#include "integrator/kinematic.h"

#include <float.h>
#include <math.h>

#define STEPS                                                                                                \
    300 // tolerances of a step, which sound runs of methods of order above 2 may lose: they need up to 140
#define RUNS 30        // of a run's error: methods of order 1 and 2 need up to 13
#define AT_ONCE 10     // turns; of longer runs in proportion
#define VELOCITY 10    // errors of a run, which a velocity may have by natural size and time
#define ROUNDING 1e-11 // of the largest energy: what cancels in the potential
#define REFUSED 10     // times what is explained
#define CLOSE 1e-3     // error of a run that is meant to be good
#define EXPLAINED 0.05 // part of what moves about that a tolerance explains at most
#define MOST 0.05      // part of what moves about that a good run may lose
#define FINEST 1e-6    // what rounding may be of the natural size, whatever the tolerance
#define MOST_ROUGH 0.5 // and others: vibrations that are stepped over die out

void hol_energy_begin(hol_energy *e, const hol_model_data *m)
{
    *e = (hol_energy){0};
    for (int i = 0; i < m->n_bodies; i++) {
        const hol_element *body = &m->element[i];
        hol_inertia b = {0};
        if (body->type->inertia) body->type->inertia(body->data, &b);
        e->mass += b.m;
    }
}

void hol_energy_add(hol_energy *e, const hol_measure *m, double h, double work, double done, double rate)
{
    e->kinetic = fmax(e->kinetic, m->kinetic);
    e->least = h > 0 ? fmin(e->least, m->potential) : m->potential;
    e->most = h > 0 ? fmax(e->most, m->potential) : m->potential;
    e->work += fabs(work);
    e->deepest = fmin(e->deepest, done);
    e->highest = fmax(e->highest, done);
    e->turns += h * fmax(e->rate, rate); // what a method brings to a standstill in one step has moved
    e->rate = rate;
}

void hol_energy_archive(hol_energy *e, hol_archive *a)
{
    hol_archive_number(a, &e->kinetic, 0, DBL_MAX);
    hol_archive_number(a, &e->least, -DBL_MAX, DBL_MAX);
    hol_archive_number(a, &e->most, -DBL_MAX, DBL_MAX);
    hol_archive_number(a, &e->work, 0, DBL_MAX);
    hol_archive_number(a, &e->deepest, -DBL_MAX, 0);
    hol_archive_number(a, &e->highest, 0, DBL_MAX);
    hol_archive_number(a, &e->replaced, 0, DBL_MAX);
    hol_archive_number(a, &e->doubt, 0, DBL_MAX);
    hol_archive_number(a, &e->turns, 0, DBL_MAX);
    hol_archive_number(a, &e->rate, 0, DBL_MAX);
}

// Is all energy in the account?
static bool is_known(const hol_model_data *m)
{
    bool known = m->n_held == 0 && m->n_swarms == 0;
    for (int i = 0; i < m->n_elements; i++)
        known = known && (!m->element[i].gate || m->element[i].type == &hol_joint_stop);
    return known;
}

// The error of a run that the tolerance means: T, or, where it is meant for a step, ten times that of a step, of methods of order p below 3
// to the power of p/(p + 1).
static double error_of_run(const hol_settings *set, double step)
{
    const double p = set->method->order;
    if (hol_method_errors(set->method, set->option) != HOL_ERRORS_PAPER) return set->tolerance;
    return 10 * (p > 2 ? step : pow(step, p / (p + 1)));
}

// What the tolerance explains, as a part of what moves about.
static double explained_part(const hol_settings *set, double step, double error, double turns)
{
    const bool by_step = hol_method_errors(set->method, set->option) == HOL_ERRORS_PAPER;
    const double part =
        set->method->order <= 2 ? RUNS * error : fmax(STEPS * step, by_step ? 0 : RUNS * error);
    return part * fmax(1, turns / AT_ONCE);
}

// Is energy that is lost or made a reason to refuse the results? Methods whose joints give lose what these take while they begin to carry,
// and who asks for errors of steps, as published, is told and no more.
static bool is_judged(const hol_settings *set, const hol_energy *e, double error)
{
    if (hol_method_errors(set->method, set->option) == HOL_ERRORS_PAPER) return false;
    return !set->method->open || (e->turns > 1 && error <= CLOSE);
}

static double what_moves(const hol_energy *e) { return fmax(e->kinetic, fmax(e->most - e->least, e->work)); }

double hol_energy_explained(const hol_energy *e, const hol_model_data *m, const hol_settings *set,
                            double *most)
{
    const double scale = what_moves(e);
    const double natural = m->length_scale / m->time_scale, at_natural_speed = e->mass * natural * natural;
    const double known = fmax(e->kinetic, fmax(fabs(e->most), fmax(fabs(e->least), at_natural_speed)));
    const double tolerance = hol_method_tolerance(set->method, set->option, set->tolerance);
    *most = HOL_INF;
    const bool moved = e->turns > tolerance;
    if (set->tolerance <= 0 || !moved || !is_known(m)) return HOL_INF;
    const double error = error_of_run(set, tolerance), part = explained_part(set, tolerance, error, e->turns);
    // Velocities of what hardly moves are known to ten errors.
    const double hardly = 0.5 * VELOCITY * VELOCITY * error * error * at_natural_speed;
    const double sure = ROUNDING * known + e->doubt + hardly, cap = error <= CLOSE ? MOST : MOST_ROUGH;
    if (is_judged(set, e, error)) *most = scale * fmin(REFUSED * part, cap) + sure;
    return scale * fmin(part, EXPLAINED) + sure;
}

// Poses by joints and drivers have neither a tolerance nor another method.
static bool is_kinematic(const hol_settings *set) { return set->method == &hol_method_kinematic; }

// The sum of the work is known too badly to say so, but without its doubt, or by Boole's rule where another was taken, the results would not be
// taken: they may be right, and a load that was stepped over looks like this too.
static void tell_doubt(hol_context *ctx, const hol_energy *e, const hol_model_data *m,
                       const hol_settings *set, double drift)
{
    hol_note(ctx, HOL_WARNING,
             "%s: the energy is %.3g J of %.3g J off the work (energy.work) of forces and drivers, whose sum "
             "over the steps "
             "is known to %.2g J only: forces are stiff or short beside the steps, and %s",
             m->spec->file, drift, what_moves(e), e->doubt,
             is_kinematic(set)
                 ? "forces or their sum may be wrong, poses and speeds are not; take shorter steps, "
                   "--max-step"
                 : "the motion may not be what the model says; compare it with shorter steps and with "
                   "another method");
}

// Has anything moved, or would it have with the energy that is lost?
static bool moves(const hol_energy *e, const hol_model_data *m, double end, double drift)
{
    return e->turns >= 1 || (e->mass > 0 && sqrt(2 * drift / e->mass) * end >= m->length_scale);
}

// Fixed steps promise nothing; what takes a part of the energy that shows in a picture is told.
static void tell_fixed(hol_context *ctx, const hol_energy *e, const hol_model_data *m,
                       const hol_settings *set, double drift)
{
    const double scale = what_moves(e), step = set->step;
    if (!moves(e, m, set->end, drift + e->replaced) || !is_known(m) ||
        !(drift + e->replaced > EXPLAINED * scale))
        return;
    if (!(drift > EXPLAINED * scale + e->doubt)) {
        tell_doubt(ctx, e, m, set, drift);
        return;
    }
    hol_note(
        ctx, HOL_WARNING,
        "%s: %.3g J of %.3g J are lost or made by errors with steps of %.3g s: the motion is not what the "
        "model says; take a smaller --step, or a tolerance, --tol, in its place",
        m->spec->file, drift, scale, step);
}

// What has turned so often that the last digit of the angle, or of the time, is more than the tolerance has no place that is known.
static hol_status judge_turns(hol_context *ctx, const hol_energy *e, const hol_model_data *m,
                              const hol_settings *set)
{
    const double digit = e->turns * DBL_EPSILON, wanted = fmax(set->tolerance, FINEST);
    const char *what = is_kinematic(set) ? "a part of" : "its tolerance of";
    if (set->tolerance <= 0 || !(digit > wanted)) return HOL_OK;
    if (digit > REFUSED * wanted)
        return hol_fail(
            ctx, HOL_ERR_ACCURACY,
            "%s: refused at the end of the run: it moves by %.3g of its size, or radians, and rounding "
            "alone is %.2g of that size or rad then, more than %s %.3g: look at the "
            "velocities and their units, or end earlier (--end)",
            m->spec->file, e->turns, digit, what, set->tolerance);
    hol_note(ctx, HOL_WARNING,
             "%s: it moves by %.3g of its size, or radians, and rounding alone is %.2g of that size or rad "
             "then, more "
             "than %s %.3g",
             m->spec->file, e->turns, digit, what, set->tolerance);
    return HOL_OK;
}

// Poses and speeds of kinematics are exact: what is off is a force, or the sum of what forces do over the steps.
static hol_status judge_forces(hol_context *ctx, const hol_energy *e, const hol_model_data *m, double drift,
                               bool refused)
{
    static const char text[] =
        "%s: %sthe energy is %.3g J of %.3g J off the work (energy.work) of forces and drivers: their "
        "forces, or what "
        "they are summed to, %s wrong; poses and speeds are not. Take shorter steps, --max-step";
    const double scale = what_moves(e);
    if (refused)
        return hol_fail(ctx, HOL_ERR_ACCURACY, text, m->spec->file, "refused at the end: ", drift, scale,
                        "are");
    hol_note(ctx, HOL_WARNING, text, m->spec->file, "", drift, scale, "may be");
    return HOL_OK;
}

hol_status hol_energy_judge(hol_context *ctx, const hol_energy *e, const hol_model_data *m,
                            const hol_settings *set, double drift)
{
    const double scale = what_moves(e);
    double most;
    if (set->step > 0) tell_fixed(ctx, e, m, set, drift);
    const hol_status st = judge_turns(ctx, e, m, set);
    if (st) return st;
    const double explained = hol_energy_explained(e, m, set, &most);
    if (!(drift > explained)) {
        if (drift + e->replaced > most - e->doubt) tell_doubt(ctx, e, m, set, drift);
        return HOL_OK;
    }
    if (is_kinematic(set)) return judge_forces(ctx, e, m, drift, drift > most);
    if (drift > most)
        return hol_fail(ctx, HOL_ERR_ACCURACY,
                        "%s: refused at the end of the run: %.3g J of %.3g J are lost or made by errors, and "
                        "a tolerance of %.3g explains "
                        "%.2g J: the motion is not what the "
                        "model says; run it with a tolerance of %.1g, or with another method",
                        m->spec->file, drift, scale, set->tolerance, explained, set->tolerance / 100);
    hol_note(ctx, HOL_WARNING,
             "%s: %.3g J of %.3g J are lost or made by errors, more than a tolerance of %.3g explains (%.2g "
             "J): the motion may not be what the model says; compare it with a tolerance of %.1g and with "
             "another method",
             m->spec->file, drift, scale, set->tolerance, explained, set->tolerance / 100);
    return HOL_OK;
}
