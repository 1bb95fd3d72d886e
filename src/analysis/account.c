// The account of a run: energies, violations and work after each step. docs/theory.md, section 5.6.
#include "analysis/dynamics.h"
#include "analysis/quadrature.h"
#include "integrator/crossing.h"
#include "integrator/kinematic.h"
#include "system/kernel.h"

#include <math.h>
#include <string.h>

// Tolerances, of what comes and goes, by which the work of a part of a step may be in doubt; of a sum over stages, of all that has moved about.
// On ramps of one step Boole's rule is wrong by a thirtieth of its doubt.
#define IN_DOUBT 10
#define CLOSER 10 // times, to what the energy has changed by
#define BENT 1e-3 // of what comes and goes: by what the power of a step bends the work

void hol_account_name_violation(hol_dynamics *d)
{
    if (d->violation_row < 0) return;
    const hol_row row = hol_model_row(d->m, d->violation_row, &d->stats.position_violation_joint);
    d->stats.position_violation_direction = row.direction;
}

enum { LOOK = 16 };

// Joints that hold by construction are looked at now and then.
static bool looks_at_rows(const hol_dynamics *d, const hol_state *x)
{
    return !d->set.method->exact || d->powers == HOL_POWER_ROWS || d->it->count.steps % LOOK == 0 ||
           x->t >= d->set.end;
}

// Where the method has summed the work, power is found when it is asked for.
static bool needs_power(const hol_dynamics *d, const hol_state *x)
{
    return d->powers == HOL_POWER_ROWS || (d->powers == HOL_POWER_FORCES && d->it->work_end != x->t);
}

// The power of drivers in a singular pose that they hold without bound, where the multipliers of x are no numbers or count as 0; by all parts.
static void measure_in_pose(hol_dynamics *d, const hol_state *x, hol_measure *out)
{
    const hol_evaluations count = d->s->count;
    const bool lost = d->set.method == &hol_method_kinematic && hol_reactions_unbounded(d->s, x);
    if (!lost && !(d->it->mended && d->it->crossing)) return;
    if (lost) {
        hol_state_copy(d->s, &d->inside, x);
        hol_crossing_bound(d->s, &d->inside);
        hol_equations_measure(d->s, &d->inside, out);
    }
    out->power += hol_crossing_power(d->it, lost ? &d->inside : x);
    d->s->count = count;
}

// Energies, violations and power of a state, as far as they are needed; the largest violations are kept.
void hol_account_measure(hol_dynamics *d, const hol_state *x, hol_measure *out)
{
    hol_statistics *st = &d->stats;
    const bool power = needs_power(d, x);
    hol_equations_measure_parts(
        d->s, x, (looks_at_rows(d, x) ? HOL_MEASURE_ROWS : 0) | (power ? HOL_MEASURE_POWER : 0), out);
    if (power && d->powers == HOL_POWER_ROWS) measure_in_pose(d, x, out);
    if (!power) out->power = d->powers == HOL_POWER_NONE ? 0 : (double)NAN;
    if (out->position_row >= 0 && hol_is_larger(out->position, st->max_position_violation)) {
        st->max_position_violation = out->position;
        d->violation_row = out->position_row;
        hol_account_name_violation(d);
    }
    d->it->open = st->max_position_violation;
    st->max_velocity_violation = hol_larger(out->velocity, st->max_velocity_violation);
    st->max_rate_violation = hol_larger(out->rate, st->max_rate_violation);
    d->speed = hol_team_largest(d->team, d->s->nq, x->v, NULL, d->s->q_size);
    d->fastest = fmax(d->fastest, d->speed * d->m->time_scale);
}

// What comes and goes: of a machine that runs for long the work of a turn, not of all; and a hundredth of the kinetic energy, which is known to
// a tolerance itself.
static double swing(const hol_energy *e) { return 0.01 * e->kinetic + e->highest - e->deepest; }

// By how much the work of a step, or of its parts together, may be in doubt where so much has moved about.
static double most_in_doubt(const hol_dynamics *d, double moved)
{
    return d->set.step > 0 ? HOL_INF : IN_DOUBT * d->set.tolerance * moved;
}

static void find_power(const hol_dynamics *d, const hol_state *x, double *power)
{
    if (isnan(*power)) *power = hol_equations_power(d->s, x);
}

// Work from the start of a part: the integral of the polynomial through its five powers, which Boole's rule is at the end.
static double work_of_part(const hol_work_part *p, double t)
{
    return hol_integrate_quartic(p->power, p->to - p->from, t - p->from);
}

// Accelerations and multipliers inside the step. Of a motion without freedom the joints and drivers say all; the polynomial of a long step does not.
static hol_status solve_within(hol_dynamics *d)
{
    hol_status st = HOL_OK;
    if (hol_equations_are_prescribed(d->s)) st = hol_project_positions(&d->projector, &d->inside, NULL);
    if (!st && hol_equations_are_prescribed(d->s)) st = hol_project_velocities(&d->projector, &d->inside);
    return st ? st : hol_solve_accelerations(&d->projector, &d->inside);
}

// The power that no potential gives back, at a time inside the step. solved: accelerations and multipliers are solved for there, not
// interpolated.
static double power_within(hol_dynamics *d, double t, bool solved)
{
    const hol_method *method = d->set.method;
    const bool forces = d->powers == HOL_POWER_FORCES;
    if (forces && !d->m->n_equations && method->interpolate_motion)
        hol_integrator_interpolate_motion(d->it, t, &d->inside);
    else
        hol_integrator_interpolate(d->it, t, &d->inside);
    if (forces) return hol_equations_power(d->s, &d->inside);
    const hol_evaluations count = d->s->count;
    const bool found =
        method == &hol_method_kinematic; // which solves for them itself, and passes singular poses
    hol_crossed how;
    const hol_status st = hol_crossing_of_step(d->it, &d->inside, &how);
    const bool crossed = !st && how == HOL_CROSSED_TAKEN;
    if (!crossed && solved && !found && d->projector.s && solve_within(d))
        hol_integrator_interpolate(d->it, t, &d->inside); // as good as it gets
    const double lacks = (crossed || found) && hol_crossing_bound(d->s, &d->inside)
                             ? hol_crossing_power(d->it, &d->inside)
                             : 0;
    d->s->count = count;
    return hol_equations_power(d->s, &d->inside) + hol_equations_held_power(d->s, &d->inside) + lacks;
}

// Boole's rule over a part of the last step, whose powers at the start, the middle and the end are known, in halves where it is more in
// doubt than `most`, down to `level` times. The parts are kept for rows. *doubt grows by twice what Simpson's rule differs by: of a smooth
// power that is far more than Boole's is wrong by; of one that is not, as of a load that holds a speed in a narrow strip, neither rule is
// right.
static double boole(hol_dynamics *d, hol_work_part p, bool solved, int level, double most, double *doubt)
{
    const double h = p.to - p.from, middle = p.from + 0.5 * h, ends = p.power[0] + p.power[4];
    p.power[1] = power_within(d, p.from + 0.25 * h, solved);
    p.power[3] = power_within(d, p.from + 0.75 * h, solved);
    const double work = h / 90 * (7 * ends + 12 * p.power[2] + 32 * (p.power[1] + p.power[3]));
    const double own = 2 * fabs(work - h / 6 * (ends + 4 * p.power[2]));
    if (level == 0 || own <= most) {
        *doubt += own;
        d->work_part[d->n_work_parts++] = p;
        return work;
    }
    const hol_work_part left = {p.from, middle, p.work, {p.power[0], 0, p.power[1], 0, p.power[2]}};
    hol_work_part right = {middle, p.to, p.work, {p.power[2], 0, p.power[3], 0, p.power[4]}};
    const double first = boole(d, left, solved, level - 1, 0.5 * most, doubt);
    right.work += first;
    return first + boole(d, right, solved, level - 1, 0.5 * most, doubt);
}

// The parts of the last step, whose work the method has summed over its stages, for rows within it.
static void divide_step(hol_dynamics *d)
{
    const hol_state *from = &d->it->before, *to = &d->it->x;
    double doubt = 0, begin = d->power_before, end = d->power;
    find_power(d, from, &begin);
    find_power(d, to, &end);
    const double middle = power_within(d, from->t + 0.5 * (to->t - from->t), false),
                 most = most_in_doubt(d, swing(&d->energy));
    const hol_work_part all = {from->t, to->t, d->work_before, {begin, 0, middle, 0, end}};
    d->summed_here = d->work_before + boole(d, all, false, HOL_WORK_HALVINGS, most, &doubt);
}

// What has been stored since the beginning of the last step, as work, without power.
static double stored_until(hol_dynamics *d, double t)
{
    const hol_state *x = &d->it->x;
    if (!d->m->has_edges) return 0;
    if (t < x->t) hol_integrator_interpolate_motion(d->it, t, &d->inside);
    return hol_equations_unbounded(d->s, t < x->t ? &d->inside : x) -
           hol_equations_unbounded(d->s, &d->it->before);
}

// Work up to a time within the last step, for those who ask: by the method that has summed it; else by the parts of Boole's rule, what these
// differ by at its end from the work of the step in proportion to the time; else the cubic through work and power at both ends.
double hol_account_work_at(hol_dynamics *d, double t)
{
    const double t0 = d->it->before.t, h = d->it->x.t - t0, s = h > 0 ? (t - t0) / h : 1, r = 1 - s;
    if (s >= 1) return d->work;
    const double stored = stored_until(d, t), work = d->work - stored_until(d, d->it->x.t);
    const hol_method *method = d->set.method;
    double done;
    if (d->summed && d->sure && method->interpolate_work && !method->interpolate_work(d->it, t, &done))
        return stored + d->work_before + done;
    const bool summed = d->summed && d->inside.q && d->set.step <= 0;
    if (summed && !d->n_work_parts) divide_step(d);
    const double rest = summed ? (work - d->summed_here) * s : 0;
    for (int i = 0; i < d->n_work_parts; i++)
        if (t <= d->work_part[i].to)
            return stored + d->work_part[i].work + work_of_part(&d->work_part[i], t) + rest;
    find_power(d, &d->it->before, &d->power_before);
    find_power(d, &d->it->x, &d->power);
    return stored + (1 + 2 * s) * r * r * d->work_before + s * r * r * h * d->power_before +
           s * s * (3 - 2 * s) * work - s * s * r * h * d->power;
}

// The same over the whole of the last step, whose end has this power.
static double boole_of_step(hol_dynamics *d, double power, bool solved, double most, double *doubt)
{
    const double t0 = d->it->before.t, t1 = d->it->x.t,
                 middle = power_within(d, t0 + 0.5 * (t1 - t0), solved);
    *doubt = 0;
    d->n_work_parts = 0;
    if (d->power + power == 0 && middle == 0) return 0;
    const hol_work_part all = {t0, t1, d->work_before, {d->power, 0, middle, 0, power}};
    return boole(d, all, solved, HOL_WORK_HALVINGS, most, doubt);
}

// What the trapezoidal rule may be wrong by in the last step: half of what the power has turned by since the step before, a bound of
// h^3/12 P'' where it bends evenly, and right where it jumps. d->bend forgets it by halves: a power that has just bent may do so within a step
// over which its slope is that of the step before. It is infinite after a step that had none before it.
static double bend_of(hol_dynamics *d, double h, double power)
{
    const double slope = (power - d->power) / h, turned = d->slope_known ? slope - d->power_slope : 0,
                 bend = 0.5 * h * h * fabs(turned);
    d->bend = d->slope_known ? fmax(bend, d->bend < HOL_INF ? 0.5 * d->bend : 0) : HOL_INF;
    d->power_slope = slope;
    d->slope_known = true;
    return bend;
}

// Boole's rule or the trapezoid's for forces: results within a step are those of the method's polynomial, which across a stiff damper moves as
// fast as its errors are, and its power is their square. Where Boole's rule is in doubt by much, the trapezoid's is taken if it is by far
// closer to what the energy has changed by, and what they differ by is in doubt.
static double better_of(hol_dynamics *d, const hol_measure *now, double boole, double straight, double *doubt)
{
    const double moved = swing(&d->energy), most = d->set.step > 0 ? BENT * moved : most_in_doubt(d, moved),
                 changed = now->kinetic + now->potential - d->energy0 - d->work_before - d->unbalanced -
                           stored_until(d, d->it->x.t);
    if (!(*doubt > most) || fabs(changed - boole) <= CLOSER * fabs(changed - straight)) return boole;
    *doubt = fabs(boole - straight);
    d->energy.replaced += *doubt;
    return straight;
}

// Work within the last step: as the method has summed it over its stages, that of rows where it is sure; else trapezoidal, like the motion of order 2, or by
// Boole's rule for methods of higher order, whose steps are long. Multipliers of drivers, which are straight lines between steps, are
// solved for inside it where its power bends much, which these lines do not show: the steps before do. Where steps follow a tolerance, parts in
// doubt by more than ten of it are halved. *doubt: what that rule may be wrong by.
static double step_work(hol_dynamics *d, const hol_measure *now, double *doubt)
{
    const hol_integrator *it = d->it;
    const double power = now->power, h = it->x.t - it->before.t, straight = 0.5 * h * (d->power + power),
                 moved = swing(&d->energy), most = most_in_doubt(d, moved),
                 sure = most_in_doubt(d, d->energy.work + d->energy.kinetic + now->kinetic);
    const bool rows = d->powers == HOL_POWER_ROWS;
    d->n_work_parts = 0;
    d->sure = it->work_doubt <= sure;
    d->summed = it->work_end == it->x.t && (d->sure || !rows);
    if (d->powers == HOL_POWER_NONE) return 0;
    if (d->summed) {
        d->slope_known = false;
        *doubt = rows ? it->work_doubt : 0;
        return it->work;
    }
    const double bend = bend_of(d, h, power);
    *doubt = bend;
    if (!d->looks_within && !hol_integrator_is_led(it)) return straight;
    if (rows && it->solves_between) return boole_of_step(d, power, true, most, doubt);
    const double work = boole_of_step(d, power, false, HOL_INF, doubt);
    if (!rows) return better_of(d, now, work, straight, doubt);
    const bool bends = fmax(d->bend, fabs(work - straight)) > fmin(BENT * moved, most);
    if (d->projector.s && bends) return boole_of_step(d, power, true, most, doubt);
    *doubt = fmax(*doubt, bend);
    return work;
}

// After a step: violations, work, and the drift of the energy (5.16).
void hol_account_step(hol_dynamics *d)
{
    hol_measure now;
    const hol_state *x = &d->it->x;
    hol_account_measure(d, x, &now);
    const hol_counters *c = &d->it->count;
    d->signals.step = (hol_step_info){x->t - d->it->before.t, (double)(c->newton_iterations - d->newton),
                                      d->it->error, (double)d->it->limit};
    d->newton = c->newton_iterations;
    d->work_before = d->work;
    if (!isnan(now.power)) find_power(d, &d->it->before, &d->power);
    d->power_before = d->power;
    double doubt = 0;
    const double work = step_work(d, &now, &doubt) + stored_until(d, x->t);
    d->work += work;
    d->power = now.power;
    hol_energy_add(&d->energy, &now, x->t - d->it->before.t, work, d->work, d->speed);
    d->energy.doubt += doubt;
    d->unbalanced = now.kinetic + now.potential - d->energy0 - d->work;
    const double drift = fabs(d->unbalanced);
    d->stats.energy_drift_max = hol_larger(drift, d->stats.energy_drift_max);
}
