// How many digits of a result are sure, by two methods of different families (docs/theory.md, section 16.1), and why no more.
#include "study/accuracy.h"
#include "study/plan.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

// Two runs that agree may still both be wrong by as much as they differ.
#define DOUBT 2
#define LOST 1e-3  // apart by so much they follow different motions
#define LATER 0.02 // of the simulation: that much later with a smaller tolerance
#define CLOSER 10  // functions of time are searched so many times finer than in other runs
enum { DIGITS = 6, MOST_DIGITS = 11, ALL_DIGITS = 15 };

typedef struct {
    hol_certificate certificate; // first: what the caller has
    hol_plan plan;
    double limit; // what a signal may differ by for the digits wanted, in its size
} certificate;

// ---- why not --------------------------------------------------------------------------------------------------

// How far the two methods were apart at another tolerance that both have run with: when they part. NaN: they have not, or do not.
static double parts_at(const certificate *c, double tolerance)
{
    const hol_reference *r = &c->certificate.reference;
    const hol_result *pair[2] = {NULL, NULL};
    double first = (double)NAN;
    for (int i = 0; i < r->n_runs; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(r->run[i].method, r->run[r->pair[k]].method) == 0 &&
                fabs(r->run[i].tolerance / tolerance - 1) < 1e-6)
                pair[k] = c->plan.kept[i];
    for (int i = 0; i < r->n_signals && pair[0] && pair[1]; i++)
        if (!r->signal[i].zero) first = fmin(first, hol_judge_until(r->signal, i, pair[0], pair[1], LOST));
    return first;
}

// Is it the run with the smallest tolerance at which its method came to the end?
static bool is_tightest(const hol_reference *r, const hol_run *run)
{
    bool tightest = run->fate == HOL_RUN_FINISHED;
    for (int k = 0; k < r->n_runs && tightest; k++)
        tightest = strcmp(r->run[k].method, run->method) != 0 || r->run[k].fate != HOL_RUN_FINISHED ||
                   r->run[k].tolerance >= run->tolerance;
    return tightest;
}

// The methods of all runs made, each with the smallest tolerance at which it came to the end.
static const char *tell_limit(hol_arena *arena, const hol_reference *r)
{
    const char *text = "at the limit: no two methods of different families agree better, of ", *comma = "";
    for (int i = 0; i < r->n_runs && text; i++) {
        char name[64];
        if (!is_tightest(r, &r->run[i])) continue;
        hol_run_name(&r->run[i], name, sizeof name);
        text = hol_arena_print(arena, "%s%s%s", text, comma, name);
        comma = ", ";
    }
    return text;
}

// Why the two part, where it is no question of the tolerance. late: when, early: with another tolerance.
static hol_cause tell_branch(certificate *c, double late, double early)
{
    hol_certificate *x = &c->certificate;
    hol_arena *arena = c->plan.arena;
    const int events = c->plan.m->n_events, kinks = hol_plan_kinks(&c->plan);
    if (events || kinks) {
        x->because = hol_arena_print(
            arena, "discontinuous: the model has %s%s%s, over which no method keeps its order",
            events ? "events" : "", events && kinks ? " and " : "",
            kinks ? "functions with a jump in the derivative" : "");
        return HOL_CAUSE_DISCONTINUOUS;
    }
    if (!(x->reference.apart.max > LOST)) {
        x->because = tell_limit(arena, &x->reference);
        return HOL_CAUSE_LIMIT;
    }
    if (isnan(early)) {
        x->because = hol_arena_print(
            arena, "not known: the two part at %.4g s, and no other tolerance reached the end", late);
        return HOL_CAUSE_UNKNOWN;
    }
    x->because = hol_arena_print(arena,
                                 "discontinuous: the two part at %.4g s with every tolerance: there the "
                                 "motion branches, as at a singular pose, or a force jumps",
                                 late);
    return HOL_CAUSE_DISCONTINUOUS;
}

// What keeps the two apart: the cause, and a sentence.
static hol_cause tell_cause(certificate *c)
{
    hol_certificate *x = &c->certificate;
    const hol_reference *r = &x->reference;
    const double tight = fmax(r->run[r->pair[0]].tolerance, r->run[r->pair[1]].tolerance),
                 late = parts_at(c, tight);
    double early = parts_at(c, 100 * tight), looser = 100;
    if (isnan(early)) early = parts_at(c, 0.01 * tight), looser = 0.01;
    if (looser < 1 && early < late)
        looser = 100; // the tighter pair parts sooner: not a question of tolerance
    if (r->apart.ends_apart) {
        x->because = hol_arena_print(
            c->plan.arena,
            "they end at different times, %.6g s and %.6g s: an event that one of the two does not meet",
            hol_result_end(r->result[0]), hol_result_end(r->result[1]));
        return HOL_CAUSE_ENDS;
    }
    if (!(r->apart.max > LOST && (looser > 1 ? late - early : early - late) > LATER * c->plan.end))
        return tell_branch(c, late, early);
    x->because = hol_arena_print(c->plan.arena,
                                 "chaotic: with a hundredth of the tolerance the two stay together until "
                                 "%.4g s instead of %.4g s, a factor of 10 each %.2g s",
                                 fmax(late, early), fmin(late, early), fabs(late - early) / 2);
    return HOL_CAUSE_CHAOTIC;
}

// ---- the digits -----------------------------------------------------------------------------------------------

// error: what the two differ by, in sizes.
static int digits_of(double error)
{
    const double e = DOUBT * error;
    if (!(e < 1)) return 0;
    return e > 0 ? (int)fmin(ALL_DIGITS, floor(-log10(e))) : ALL_DIGITS;
}

// What is claimed of a signal.
static void certify(const certificate *c, int i, hol_certified *out)
{
    const hol_reference *r = &c->certificate.reference;
    const hol_judged *s = &r->signal[i];
    const hol_signal_error *e = &r->apart.signal[i];
    *out = (hol_certified){.error = DOUBT * e->max * s->size,
                           .rms = DOUBT * e->rms * s->size,
                           .at = e->at,
                           .until = (double)NAN};
    if (s->zero) return;
    out->digits = digits_of(e->max);
    if (out->digits < c->certificate.wanted)
        out->until = hol_judge_until(r->signal, i, r->result[0], r->result[1], c->limit);
}

// Says why the certificate is none.
static hol_status refuse(hol_certificate *x, const char *why)
{
    x->status = HOL_ERR_ACCURACY;
    x->why = why;
    return why ? HOL_OK : HOL_ERR_MEMORY;
}

// Compares the digits of all signals with those wanted, and tells the worst.
static hol_status judge(certificate *c)
{
    hol_certificate *x = &c->certificate;
    const hol_reference *r = &x->reference;
    int worst = -1, judged = 0, compared = 0;
    x->signal = hol_arena_alloc(c->plan.arena, (size_t)r->n_signals, sizeof *x->signal);
    if (!x->signal) return HOL_ERR_MEMORY;
    for (int i = 0; i < r->n_signals; i++) {
        certify(c, i, &x->signal[i]);
        compared += !r->signal[i].of_run;
        judged += !r->signal[i].zero;
        if (r->signal[i].zero || x->signal[i].digits >= x->wanted) continue;
        x->n_missed++;
        if (worst < 0 || x->signal[i].digits < x->signal[worst].digits) worst = i;
    }
    if (!judged)
        return refuse(x, hol_arena_print(c->plan.arena,
                                         "%s: there are no digits to verify; name others with --signals",
                                         compared ? "all signals stay at zero"
                                                  : "what belongs to the steps is not compared"));
    if (!x->n_missed) return HOL_OK;
    x->cause = tell_cause(c);
    if (!x->because) return HOL_ERR_MEMORY;
    return refuse(x, hol_arena_print(c->plan.arena,
                                     "%d digits are not verified of %d of %d signals; %s has %d", x->wanted,
                                     x->n_missed, compared, r->signal[worst].name, x->signal[worst].digits));
}

// ---- the certificate ------------------------------------------------------------------------------------------

static hol_status take_digits(certificate *c, int digits)
{
    hol_certificate *x = &c->certificate;
    if (digits < 0 || digits > MOST_DIGITS)
        return hol_study_refuse(c->plan.ctx, "digits", "a number of digits is wanted, 1 to 11");
    x->wanted = digits ? digits : DIGITS;
    c->limit = pow(10, -x->wanted) / DOUBT;
    return HOL_OK;
}

// Where whether functions of time jump cannot be known, nothing is sure.
static hol_status look_closer(certificate *c)
{
    hol_plan *p = &c->plan;
    const bool one = p->undecided == 1;
    p->job.search = fmax(CLOSER, p->job.search);
    if (!p->undecided) return HOL_OK;
    return hol_fail(
        p->ctx, HOL_ERR_ACCURACY,
        "not known: %d function%s of time may jump at times that no run knows of; `holonom check` "
        "names %s",
        p->undecided, one ? "" : "s", one ? "it" : "them");
}

// A plan of the model, a reference by two methods, the digits in which they agree.
static hol_status make(certificate *c, const hol_certificate_options *o)
{
    hol_certificate *x = &c->certificate;
    hol_status st = take_digits(c, o->digits);
    if (!st) st = hol_plan_look(&c->plan);
    if (!st) st = look_closer(c);
    if (st) return st;
    x->model = c->plan.like->file;
    x->end = c->plan.end;
    st = hol_reference_find(&c->plan, c->limit, 0, true, &x->reference);
    if (st) return st;
    if (x->reference.pair[0] < 0) // nothing is verified by one method
        return refuse(x, hol_arena_print(c->plan.arena, HOL_NO_REFERENCE, x->model));
    return judge(c);
}

// Options, then the model, then the runs; what was made before a failure is freed.
hol_certificate *hol_certificate_make(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                                      const hol_certificate_options *o)
{
    certificate *c = hol_calloc(ctx, 1, sizeof *c);
    if (!c) return NULL;
    hol_status st = hol_plan_start(ctx, m, set, &o->study, &c->plan);
    if (!st) st = make(c, o);
    if (!st) return &c->certificate;
    hol_certificate_destroy(&c->certificate);
    return NULL;
}

void hol_certificate_destroy(hol_certificate *c)
{
    if (!c) return;
    hol_plan_free(&((certificate *)c)->plan);
    hol_free(c);
}
