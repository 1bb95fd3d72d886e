// What looks at every accepted step, by one table: does the state hold, is what depends on itself still solvable, has an expression
// passed a pole, what must the next step not pass over. Strips and jumps are looked at while a step is made (advance.c).
#include "analysis/dynamics.h"
#include "integrator/kinematic.h"
#include "integrator/stop.h"
#include "system/fault.h"
#include "system/weak.h"

#include <math.h>

// ---- does the state hold? ---------------------------------------------------------------------------------------

// No success while the joints are open: what a method of this program leaves is far below this.
#define OPEN 1e-3
#define OPEN_BY_DESIGN 0.5
#define REGULARIZED                                                                                          \
    300 // tolerances of a step by which srm may open loops, or that of the results if it is more
// Redundant equations follow from the others to about the accuracy of these.
#define CONTRADICTION 1e-5
// Part of the fastest motion by which velocities that a method holds may violate joints: redundant equations follow from the others to
// CONTRADICTION. Shipped models are left with 2e-7 at most.
#define OFF (10 * CONTRADICTION)
// Natural lengths per natural time: no mechanism's joints come apart so fast.
#define WILD 1e6
// Less is rounding, and what iterations leave: a mechanism at rest moves by no more than that.
#define STILL 1e-6
#define BEHIND 0.9 // part of what drivers ask for that velocities may lack
#define KEPT 10    // tolerances: what a result may be wrong by
#define SLOW                                                                                                 \
    0.1 // natural lengths per natural time: where drivers begin, velocities of order 2 are off by as much as they are

// A redundant equation that the motion violates while those in use hold: by so much more than they.
#define ALONE 10

// Is an equation that followed from others at the start violated, while those in use hold?
static bool contradicts(hol_dynamics *d, double open)
{
    const hol_equations *s = d->s;
    if (!(open > CONTRADICTION) || d->violation_row < 0 || s->independent || d->rank.active[d->violation_row])
        return false;
    double *phi = hol_calloc(d->ctx, (size_t)s->nc + 1, sizeof *phi);
    if (!phi) return false;
    hol_equations_residual(d->s, &d->it->x, NULL, phi);
    const double used = hol_equations_row_norm(s, phi, s->nc);
    hol_free(phi);
    return open > ALONE * used;
}

static bool holds_velocities(const hol_dynamics *d)
{
    return d->set.method->holds == HOL_HOLDS_MOTION && !d->it->loose;
}

// The largest violation of velocities that a run goes on with, by natural size and time: what the tolerance allows, or less
// than anything moves; rounding where the method holds them. docs/theory.md, (4.5a) and (4.5b).
static double most_rate(const hol_dynamics *d)
{
    if (d->set.method->open) return WILD;
    if (holds_velocities(d)) return fmin(fmax(OFF * d->fastest, STILL), WILD);
    const double rest = d->set.step > 0 ? SLOW : fmax(STILL, fmin(KEPT * d->set.tolerance, SLOW));
    return fmin(fmax(d->fastest, rest), WILD);
}

// What drivers ask for, by natural size and time; 0: it is not known.
static double driven_rate(const hol_dynamics *d)
{
    const hol_state *x = &d->it->x;
    double most = 0, *rate = hol_calloc(d->ctx, (size_t)d->m->nc + 1, sizeof *rate);
    if (!rate) return 0;
    hol_equations_phi_t_all(d->s, x->t, x->q, rate);
    for (int i = 0; i < d->m->nc; i++) most = fmax(most, fabs(rate[i]) / hol_model_row_size(d->m, i));
    hol_free(rate);
    return most * d->m->time_scale;
}

// Do velocities violate the joints by as much as anything moves? What drivers ask for counts as motion even where the method's velocities
// are behind: these may lack a part of it, not all.
static bool is_torn(const hol_dynamics *d)
{
    const double most = most_rate(d), violation = d->stats.max_velocity_violation;
    return violation > most && (holds_velocities(d) || violation > fmin(BEHIND * driven_rate(d), WILD));
}

// Variables and states that no force takes tell by themselves that they have no value.
static bool users_finite(const hol_equations *s, const hol_state *x)
{
    if (hol_reactions_unbounded(s, x))
        return hol_all_finite(x->X, (size_t)s->nx); // nor have they, next to a pose
    return hol_all_finite(x->z, (size_t)s->nz) && hol_all_finite(x->X, (size_t)s->nx);
}

// Loops that srm has let open by far more than the tolerance: the start has told too little for an eps of its own choice, or the one
// given does not go with the tolerance.
static hol_status check_regularization(hol_dynamics *d)
{
    const hol_integrator *it = d->it;
    const hol_srm_report *r = it->srm;
    if (!r || !(it->tolerance > 0) || !(r->drift > fmax(REGULARIZED * it->tolerance, d->set.tolerance)))
        return HOL_OK;
    return hol_fail(
        d->ctx, HOL_ERR_ACCURACY,
        "stopped at t = %.6g s: joint \"%s\" (%s) is open by %.3g of the natural size, at a "
        "tolerance of %.3g: srm %s eps = %.3g s%s. Try srm.eps=%.1g, %sor a method that holds joints, such "
        "as rk",
        it->x.t, d->stats.position_violation_joint, d->stats.position_violation_direction, r->drift,
        d->set.tolerance, r->by_tolerance ? "has chosen" : "was given", r->eps,
        r->by_tolerance ? " by the motion at the start, and it has become faster" : "",
        r->eps * sqrt(fmax(it->tolerance, 0.01 * d->set.tolerance) / r->drift),
        r->by_tolerance ? "" : "fixed steps (--step), ");
}

// An equation that followed from others, and now contradicts them. how: "is", or what of it is, violated by so much.
static hol_status fail_contradiction(hol_dynamics *d, int row, const char *how, double by)
{
    const double t = d->it->x.t;
    const char *joint;
    char when[40];
    hol_decimal_print(when, sizeof when, "stopped at t = %.6g s", t);
    const hol_status st = hol_fault_rivals(d->ctx, d->m, d->m->row_element[row], HOL_ERR_INTEGRATION, when);
    if (st) return st;
    const hol_row kind = hol_model_row(d->m, row, &joint);
    return hol_fail(d->ctx, HOL_ERR_INTEGRATION,
                    "%s: \"%s\" (%s), an equation that followed from others at the start, %s "
                    "violated by %.3g: it contradicts them now. Two drivers of one motion, or a driver of a "
                    "motion that the joints forbid?",
                    when, joint, kind.direction, how, by);
}

// Velocities that violate the joints. Those that a method holds are off them where its equations no longer
// determine them, or where other equations contradict these.
static hol_status fail_torn(hol_dynamics *d)
{
    enum { NAMES = 300 };
    char names[NAMES] = "";
    hol_integrator *it = d->it;
    hol_measure now;
    hol_status st = hol_stop_fast(it);
    if (!st && holds_velocities(d) && it->k->A) st = hol_stop_locked(it);
    if (st) return st;
    if (!holds_velocities(d))
        return hol_fail(
            d->ctx, HOL_ERR_INTEGRATION,
            "stopped at t = %.6g s: the velocities violate the joints by as much as anything moves: the step "
            "does not resolve the motion. Try a smaller step or a tolerance",
            it->x.t);
    const bool weak = it->k->A && hol_weak_joints(it->k, &it->x, names, sizeof names);
    hol_equations_measure_parts(d->s, &it->x, HOL_MEASURE_ROWS, &now);
    if (!weak && now.velocity_row >= 0 && !d->rank.active[now.velocity_row])
        return fail_contradiction(d, now.velocity_row, "is in its velocity", now.velocity);
    return hol_fail(d->ctx, HOL_ERR_INTEGRATION,
                    "stopped at t = %.6g s: the velocities violate the joints by %.2g of what moves fastest, "
                    "where %s leaves "
                    "rounding: its equations do not determine them here%s%s%s. %s",
                    it->x.t, d->stats.max_velocity_violation / fmax(d->fastest, STILL), it->method->name,
                    weak ? ": those in use of " : "", weak ? names : "",
                    weak ? " lose their independence" : "",
                    it->method == &hol_method_kinematic ? "End a little before it (--end)"
                                                        : "Another method may get further");
}

// Is the new state finite, and do joints and velocities still hold? The message says what does not.
static hol_status check_state(hol_dynamics *d)
{
    const double t = d->it->x.t;
    const bool finite = isfinite(d->stats.energy_drift_max) && isfinite(d->stats.max_position_violation);
    const bool users = finite && users_finite(d->s, &d->it->x);
    hol_status st = users ? HOL_OK : hol_fault_report(d->s, &d->it->x, &d->it->before);
    if (st) return st;
    if (!users)
        return hol_fail(d->ctx, HOL_ERR_INTEGRATION, "stopped at t = %.6g s: the state is not finite", t);
    const double open = d->stats.max_position_violation;
    const char *joint = d->stats.position_violation_joint, *direction = d->stats.position_violation_direction;
    if (contradicts(d, open)) return fail_contradiction(d, d->violation_row, "is", open);
    if (d->it->count.unconverged) return HOL_OK;
    if (open > (d->set.method->open ? OPEN_BY_DESIGN : OPEN))
        return hol_fail(
            d->ctx, HOL_ERR_INTEGRATION,
            "stopped at t = %.6g s: joint \"%s\" (%s) is open by %.3g of the natural length: the equations "
            "that are solved no longer hold it. %s",
            t, joint, direction, open,
            d->set.method == &hol_method_kinematic ? "Try shorter steps, --max-step"
                                                   : "Try a smaller step or another method");
    st = is_torn(d) ? fail_torn(d) : HOL_OK;
    if (st) return st;
    return check_regularization(d);
}

// ---- the table --------------------------------------------------------------------------------------------------

typedef struct {
    hol_status (*create)(hol_dynamics *d);
    void (*destroy)(hol_dynamics *d);                 // also after a failure
    hol_status (*look)(hol_dynamics *d);              // after a step
    void (*archive)(hol_dynamics *d, hol_archive *a); // what the next looks depend on
} watcher;

static hol_status create_roots(hol_dynamics *d) { return hol_roots_create(d->it, &d->roots); }
static void destroy_roots(hol_dynamics *d) { hol_roots_destroy(&d->roots); }
static hol_status look_at_roots(hol_dynamics *d) { return hol_roots_check(&d->roots); }

static hol_status create_poles(hol_dynamics *d) { return hol_poles_create(d->it, &d->poles); }
static void destroy_poles(hol_dynamics *d) { hol_poles_destroy(&d->poles); }
static hol_status look_at_poles(hol_dynamics *d) { return hol_poles_check(&d->poles); }

static hol_status create_growth(hol_dynamics *d) { return hol_growth_create(d->it, &d->rank, &d->growth); }
static void destroy_growth(hol_dynamics *d) { hol_growth_destroy(&d->growth); }
static hol_status look_at_growth(hol_dynamics *d) { return hol_growth_watch(&d->growth, d->it, false); }
static void archive_growth(hol_dynamics *d, hol_archive *a) { hol_growth_archive(&d->growth, d->it, a); }

// Jumps are among the terms of strips.
static hol_status create_strips(hol_dynamics *d)
{
    const hol_status st = hol_strips_create(d->it, d->set.tolerance, &d->strips);
    if (!st) hol_jumps_create(&d->strips, d->set.tolerance, &d->jumps);
    return st;
}

static void destroy_strips(hol_dynamics *d) { hol_strips_destroy(&d->strips); }

static void archive_strips(hol_dynamics *d, hol_archive *a)
{
    hol_strips_archive(&d->strips, a);
    hol_jumps_archive(&d->jumps, a);
}

// The start knew of no contact whether it lasts, by which bristles rest or move.
static hol_status create_contacts(hol_dynamics *d)
{
    hol_status st = hol_contacts_create(d->it, &d->contacts);
    bool any = false;
    for (int i = 0; i < d->contacts.n && !any; i++) any = d->m->element[d->contacts.element[i]].n_inputs > 0;
    if (!st && any) st = hol_dynamics_accelerate(d, "at the start");
    return st || !any ? st : hol_integrator_restart(d->it);
}

static void leave_contacts(hol_dynamics *d) { hol_contacts_leave(&d->contacts); }
static hol_status look_at_contacts(hol_dynamics *d) { return hol_contacts_look(&d->contacts); }
static void archive_contacts(hol_dynamics *d, hol_archive *a) { hol_contacts_archive(&d->contacts, a); }

static hol_status create_swarms(hol_dynamics *d)
{
    const hol_status st = hol_swarm_watch_create(d->it, &d->swarms);
    if (st || !d->swarms.changed) return st;
    d->swarms.changed = false;
    return hol_dynamics_accelerate(d, "at the start");
}

static void destroy_swarms(hol_dynamics *d) { hol_swarm_watch_destroy(&d->swarms); }
static hol_status look_at_swarms(hol_dynamics *d) { return hol_swarm_watch_look(&d->swarms); }
static void archive_swarms(hol_dynamics *d, hol_archive *a) { hol_swarm_watch_archive(&d->swarms, a); }

static hol_status create_undefined(hol_dynamics *d) { return hol_undefined_create(d->it, &d->undefined); }
static void destroy_undefined(hol_dynamics *d) { hol_undefined_destroy(&d->undefined); }
static hol_status look_at_undefined(hol_dynamics *d)
{
    hol_undefined_look(&d->undefined);
    return HOL_OK;
}

static void destroy_twists(hol_dynamics *d) { hol_twists_destroy(&d->twists); }

static hol_status create_turning(hol_dynamics *d)
{
    return hol_turning_create(d->it, d->set.step, &d->turning);
}
static void destroy_turning(hol_dynamics *d) { hol_turning_destroy(&d->turning); }
static hol_status look_at_turning(hol_dynamics *d) { return hol_turning_look(&d->turning, d->speed); }
static void archive_turning(hol_dynamics *d, hol_archive *a) { hol_turning_archive(&d->turning, a); }

static hol_status create_folds(hol_dynamics *d) { return hol_folds_create(d->it, &d->loads, &d->folds); }
static void destroy_folds(hol_dynamics *d) { hol_folds_destroy(&d->folds); }
static hol_status look_at_folds(hol_dynamics *d) { return hol_folds_look(&d->folds); }
static void archive_folds(hol_dynamics *d, hol_archive *a) { hol_folds_archive(&d->folds, a); }

static const watcher watchers[] = {
    {.look = check_state},
    {create_roots, destroy_roots, look_at_roots, NULL},
    {create_poles, destroy_poles, look_at_poles, NULL},
    {create_growth, destroy_growth, look_at_growth, archive_growth},
    {create_strips, destroy_strips, NULL, archive_strips},
    {create_contacts, leave_contacts, look_at_contacts, archive_contacts},
    {create_swarms, destroy_swarms, look_at_swarms, archive_swarms},
    {create_undefined, destroy_undefined, look_at_undefined, NULL},
    {.destroy = destroy_twists},
    {create_turning, destroy_turning, look_at_turning, archive_turning},
    {create_folds, destroy_folds, look_at_folds, archive_folds},
};

hol_status hol_watchers_create(hol_dynamics *d)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < HOL_COUNT(watchers) && !st; i++)
        if (watchers[i].create) st = watchers[i].create(d);
    return st;
}

void hol_watchers_destroy(hol_dynamics *d)
{
    for (int i = 0; i < HOL_COUNT(watchers); i++)
        if (watchers[i].destroy) watchers[i].destroy(d);
}

hol_status hol_watchers_look(hol_dynamics *d)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < HOL_COUNT(watchers) && !st; i++)
        if (watchers[i].look) st = watchers[i].look(d);
    return st;
}

void hol_watchers_archive(hol_dynamics *d, hol_archive *a)
{
    for (int i = 0; i < HOL_COUNT(watchers); i++)
        if (watchers[i].archive) watchers[i].archive(d, a);
}
