// The table of the statistics of a run: a row for each number, which summary, JSON, manual and library walk.
#include "analysis/statistics.h"

#include <math.h>
#include <stddef.h>

// ---- places of numbers ----------------------------------------------------------------------------------------

typedef enum { NOTHING, WHOLE, LONG, REAL } number_type;

typedef struct {
    number_type type;
    size_t offset;
} place;
#define OF(structure, member)                                                                                \
    {                                                                                                        \
        _Generic(((structure *)0)->member, int                                                               \
                 : WHOLE, long                                                                               \
                 : LONG, double                                                                              \
                 : REAL),                                                                                    \
            offsetof(structure, member)                                                                      \
    }

static double number_at(const void *structure, place p)
{
    const char *at = (const char *)structure + p.offset;
    if (p.type == WHOLE) return *(const int *)at;
    return p.type == LONG ? (double)*(const long *)at : *(const double *)at;
}

// ---- when a number means something ----------------------------------------------------------------------------

static bool is_stiff(const hol_statistics *s) { return s->stiff_step > 0; }
static bool has_stable_step(const hol_statistics *s) { return s->stable_step > 0; }
static bool iterates_loops(const hol_statistics *s) { return s->loop_solves > 0; }
static bool contracts(const hol_statistics *s) { return s->contraction > 0; }
static bool is_srm(const hol_statistics *s) { return s->srm_eps > 0; }
static bool has_rates(const hol_statistics *s) { return s->max_rate_violation > 0; }
static bool has_account(const hol_statistics *s) { return isfinite(s->energy_explained); }
static bool has_strips(const hol_statistics *s) { return s->strips > 0; }
static bool has_swarms(const hol_statistics *s) { return s->contact_searches > 0; }
static bool has_contacts(const hol_statistics *s) { return s->contacts > 0 || has_swarms(s); }
static bool has_jumps(const hol_statistics *s) { return s->jumps_met > 0; }
static bool misses_strips(const hol_statistics *s) { return s->strips_undecided > 0; }
static bool has_stops(const hol_statistics *s) { return s->stop_times > 0; }
static bool has_cells(const hol_statistics *s) { return s->narrow_cells > 0; }
static bool has_passages(const hol_statistics *s) { return s->passages > 0; }
static bool has_switchings(const hol_statistics *s) { return s->switchings > 0; }
static bool has_resting(const hol_statistics *s) { return s->resting > 0; }
static bool is_undecided(const hol_statistics *s) { return s->undecided > 0; }
static bool has_unprojected(const hol_statistics *s) { return s->unprojected > 0; }

// ---- the table ------------------------------------------------------------------------------------------------

// Where a number is counted while the run goes on.
typedef enum { HERE, COUNTERS, EVALUATIONS, LOOPS } source;

typedef struct {
    const char *key, *unit, *doc;
    place member; // of hol_statistics; NOTHING: it is read where it is counted
    source source;
    place counted;                         // there; HERE: hol_dynamics_finish knows better
    bool (*when)(const hol_statistics *s); // NULL: always
    bool zero_is_none;
    const char *remark; // line of a summary, unless it is 0
} row;

#define MEMBER(name) .member = OF(hol_statistics, name)
#define COUNTED(name) MEMBER(name), .source = COUNTERS, .counted = OF(hol_counters, name)
#define EVALUATED(name) MEMBER(name), .source = EVALUATIONS, .counted = OF(hol_evaluations, name)
#define SRM(name) MEMBER(srm_##name), .source = LOOPS, .counted = OF(hol_srm_report, name), .when = is_srm

static const row rows[] = {
    {"tolerance", "", "error of the result that was asked for; none with fixed steps", MEMBER(tolerance),
     .zero_is_none = true},
    {"steps", "", "accepted steps", COUNTED(steps)},
    {"rejected", "", "steps whose error was too large", COUNTED(rejected)},
    {"corrector_failures", "", "attempts in which Newton's iteration did not converge, or no state was found",
     COUNTED(corrector_failures)},
    {"residuals", "", "evaluations of the forces", EVALUATED(residuals)},
    {"jacobians", "", "evaluations of the matrix", EVALUATED(jacobians)},
    {"factorizations", "", "factorisations of matrices", MEMBER(factorizations)},
    {"newton_iterations", "", "corrections of Newton's iteration", COUNTED(newton_iterations)},
    {"unexamined_loops", "",
     "groups of loops in which redundant equations were not looked for: too many equations",
     MEMBER(unexamined_loops)},
    {"repartitions", "", "times other rows of redundant loops were chosen on the way", COUNTED(repartitions),
     .remark = "times other rows of redundant loops were chosen"},
    {"passages", "", "singular poses through which the method was led by rk", COUNTED(passages),
     .when = has_passages, .remark = "singular poses through which the method was led by rk"},
    {"switchings", "", "times events switched joints, drivers or constraints", COUNTED(switchings),
     .when = has_switchings, .remark = "times joints, drivers or constraints were switched"},
    {"resting", "", "joints at rest at their hard stops at the end", MEMBER(resting), .when = has_resting,
     .remark = "joints at rest at their hard stops at the end"},
    {"unconverged", "", "steps accepted without convergence, as accept_unconverged asks",
     COUNTED(unconverged), .remark = "steps accepted without convergence"},
    {"unprojected", "", "results written as interpolated because no state on the constraints was found",
     MEMBER(unprojected), .when = has_unprojected, .remark = "results that could not be projected"},
    {"contacts", "", "places at which shapes may touch", MEMBER(contacts), .when = has_contacts},
    {"contact_onsets", "", "times two shapes began to touch", MEMBER(contact_onsets), .when = has_contacts},
    {"contact_bracketed", "",
     "of these, onsets that steps bracket, and none locates: of rules of very many pairs",
     MEMBER(contact_bracketed), .when = has_swarms, .remark = "of these, onsets that steps bracket"},
    {"contact_most", "", "largest number of their pairs that touched at one time", MEMBER(contact_most),
     .when = has_swarms, .remark = "most contacts at one time"},
    {"contact_searches", "", "times that their pairs near each other were searched", MEMBER(contact_searches),
     .when = has_swarms},
    {"contact_depth", "m", "largest depth of a contact", MEMBER(contact_depth), .when = has_contacts},
    {"contact_damping", "J", "what the damping of contacts has taken", MEMBER(contact_damping),
     .when = has_contacts},
    {"contact_friction", "J", "what the friction of contacts has taken", MEMBER(contact_friction),
     .when = has_contacts},
    {"strips", "", "steps made again for narrow strips of place, speed or state", MEMBER(strips),
     .when = has_strips, .remark = "steps made again for narrow strips of place, speed or state"},
    {"strips_undecided", "", "steps in which it is not known whether there is such a strip",
     MEMBER(strips_undecided), .when = misses_strips,
     .remark = "steps in which a narrow strip of place, speed or state may have been passed over"},
    {"jumps_met", "", "jumps of forces in place, speed or state, where steps ended", MEMBER(jumps_met),
     .when = has_jumps, .remark = "jumps of forces in place, speed or state, where steps ended"},
    {"stop_times", "", "times at which functions of time jump: steps ended there", MEMBER(stop_times),
     .when = has_stops, .remark = "times at which functions of time jump, where steps ended"},
    {"narrow_cells", "", "short parts of functions of time in which steps were short", MEMBER(narrow_cells),
     .when = has_cells, .remark = "short parts of functions of time, where steps were short"},
    {"undecided", "", "functions of time of which it is not known whether they jump", MEMBER(undecided),
     .when = is_undecided,
     .remark = "functions of time that may jump at unknown times (see `holonom check`)"},
    {"stiff_step", "s", "explicit methods: size at which stability, not the error, holds the steps",
     MEMBER(stiff_step), .when = is_stiff},
    {"loop_solves", "", "rk along the tree: solutions for the loops", COUNTED(loop_solves),
     .when = iterates_loops},
    {"loop_iterations", "", "rk along the tree: iterations of these solutions", COUNTED(loop_iterations),
     .when = iterates_loops},
    {"contraction", "", "bdf: Newton's second correction by the first, geometric mean", MEMBER(contraction),
     .when = contracts},
    {"contraction_max", "", "bdf: the largest of these ratios", COUNTED(contraction_max), .when = contracts},
    {"omega_max", "rad/s", "fixed steps of a conditionally stable method: fastest vibration at the start",
     MEMBER(omega_max), .when = has_stable_step},
    {"largest_stable_step", "s", "the largest step that is stable with it", MEMBER(stable_step),
     .when = has_stable_step},
    {"srm_eps", "", "srm: regularization of the loops", SRM(eps)},
    {"srm_drift", "", "srm: largest opening of a loop by natural size", SRM(drift)},
    {"srm_rate", "", "srm: its largest rate by natural size and time", SRM(rate)},
    {"srm_estimate", "", "srm: largest difference of the last two iterates by natural size", SRM(estimate)},
    {"srm_multiplier", "N, N m", "srm: largest multiplier of a loop", SRM(multiplier)},
    {"srm_dissipated", "J", "srm: work that the regularization has dissipated", SRM(dissipated)},
    {"srm_least", "", "srm: least eigenvalue of the loops at the start, estimated", SRM(least)},
    {"srm_most", "", "srm: largest eigenvalue of the loops at the start, estimated", SRM(most)},
    {"time", "s", "time reached", MEMBER(time)},
    {"h_min", "s", "shortest step", MEMBER(h_min)},
    {"h_max", "s", "longest step", COUNTED(h_max)},
    {"max_position_violation", "", "largest violation of a joint by natural size at the ends of steps",
     MEMBER(max_position_violation)},
    {"max_row_violation", "", "the same in rows between steps", MEMBER(max_row_violation)},
    {"max_velocity_violation", "",
     "largest violation of a joint's velocity by natural size and time at the ends of steps",
     MEMBER(max_velocity_violation)},
    {"max_rate_violation", "", "largest violation of a velocity constraint by natural length and time",
     MEMBER(max_rate_violation), .when = has_rates},
    {"energy_drift_max", "J", "largest energy lost or made by errors", MEMBER(energy_drift_max)},
    {"energy_explained", "J", "how much of it the tolerance explains", MEMBER(energy_explained),
     .when = has_account},
    {"cpu_seconds", "s", "computing time of all threads together", MEMBER(cpu_seconds)},
    {"wall_seconds", "s", "time of the clock", MEMBER(wall_seconds)}};

// ---- walks ----------------------------------------------------------------------------------------------------

static const void *source_of(const hol_dynamics *d, source s)
{
    return s == COUNTERS ? &d->it->count : s == EVALUATIONS ? (const void *)&d->s->count : d->it->srm;
}

static void put(hol_statistics *s, place p, double x)
{
    char *at = (char *)s + p.offset;
    if (p.type == LONG)
        *(long *)at = (long)x;
    else
        *(double *)at = x;
}

void hol_statistics_gather(hol_dynamics *d)
{
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const row *r = &rows[i];
        const void *from = r->source == HERE ? NULL : source_of(d, r->source);
        if (from && r->member.type != NOTHING) put(&d->stats, r->member, number_at(from, r->counted));
    }
}

bool hol_statistic_row(int i, hol_statistic *out)
{
    if (i < 0 || i >= HOL_COUNT(rows)) return false;
    const row *r = &rows[i];
    *out = (hol_statistic){r->key, r->unit, r->doc, r->remark, HOL_NONE, false};
    return true;
}

bool hol_statistic_of(const hol_dynamics *d, int i, hol_statistic *out)
{
    if (!hol_statistic_row(i, out)) return false;
    const row *r = &rows[i];
    const bool member = r->member.type != NOTHING;
    const void *from = member ? &d->stats : source_of(d, r->source);
    out->applies = from && (!r->when || r->when(&d->stats));
    if (!out->applies) return true;
    out->value = number_at(from, member ? r->member : r->counted);
    if (r->zero_is_none && out->value == 0) out->value = HOL_NONE;
    return true;
}
