// The search for an equilibrium downhill (docs/theory.md, section 20.2): steps that the forces drive, those of a pseudo-time (Kelley,
// Keyes 1998) that is kept short enough for the stiffness and it to be positive definite together.
#include "analysis/equilibrium_data.h"

#include <math.h>
#include <string.h>

enum { MAX_FLOW = 1000, MAX_HALVES = 60, MAX_FOLLOW = 40 };
#define SLOWEST                                                                                              \
    1e3 // pseudo-time: 1/h against the stiffness, or the force in flight, the largest that is tried
#define FASTEST 1e-15 // and the smallest: what is below changes nothing
#define QUICK 0.5     // part of the correction before that the next one is at most
#define FOLLOWED 1e-9 // the last one, by natural size
#define STIFF 1e3     // times another
#define SHORTER 0.25  // of a step that is not followed

// The smallest part of the pseudo-time with which the stiffness is positive definite. Without the guard the residual becomes small
// in a bottleneck past a fold, the step long, and it turns round.
static double guard(const hol_search *f, double slow)
{
    const double least = f->out->r.d ? f->out->stiffness[0] : 0;
    return fmax(slow, least < 0 ? -2 * least : 0);
}

// What the forces do along the way to the trial state [J], with the mean of both ends.
static double work_done(const hol_search *f)
{
    const hol_equations *s = f->k->s;
    double sum = 0;
    for (int i = 0; i < s->nq; i++)
        sum += 0.5 * (f->u[i] + f->u_trial[i]) * (f->trial.q[i] - f->x->q[i]) / (s->q_size[i] * s->q_size[i]);
    return sum;
}

// What the stiffness lets expect of it.
static double work_expected(const hol_search *f, double factor)
{
    const hol_reduced *r = &f->out->r;
    double sum = 0;
    for (int j = 0; j < r->d; j++) {
        double force = f->b[j];
        for (int k = 0; k < r->d; k++)
            force += 0.5 * factor * r->A[(size_t)k * (size_t)r->n + (size_t)j] * f->step[k];
        sum += factor * force * f->step[j];
    }
    return sum;
}

// Off a place at which nothing stays, along the direction that softens the most, or where forces of higher order drive, to where the rest of
// the forces goes.
static void kick(hol_search *f)
{
    hol_equilibrium *e = f->out;
    const int d = e->r.d;
    double most = 0, force = e->falls ? 0 : hol_search_along_shape(f, 0, f->b);
    memset(f->step, 0, (size_t)e->r.n * sizeof *f->step);
    memcpy(f->step, e->falls ? e->away : e->shape, (size_t)d * sizeof *f->step);
    hol_search_move(f, 1);
    for (int i = 0; i < f->k->s->nq; i++) {
        const double part = (f->trial.q[i] - f->x->q[i]) / f->k->s->q_size[i];
        most = hol_larger(fabs(part), most);
    }
    hol_search_move(f, (force < 0 ? -HOL_SEARCH_KICK : HOL_SEARCH_KICK) / most);
}

// The part of forces along the step.
static double along(const hol_search *f, const double *b)
{
    double sum = 0;
    for (int i = 0; i < f->out->r.d; i++) sum += b[i] * f->step[i];
    return sum;
}

// Behind a kink, as where a stiff stop is met, forces drive back with all their might: the trial state goes to where, between, half or less
// of what drove along the step is left. HOL_RECOVERABLE: they do not turn round, or it is not found.
static hol_status go_between(hol_search *f, double factor)
{
    const double first = along(f, f->b);
    double low = 0, high = factor;
    if (!(first > 0 && along(f, f->b_trial) < 0)) return HOL_RECOVERABLE;
    for (int i = 0; i < MAX_HALVES; i++) {
        const double middle = 0.5 * (low + high);
        hol_search_move(f, middle);
        const hol_status st = hol_equilibrium_rest(f->k, &f->trial, f->u_trial);
        if (st < 0) return st;
        if (!st) hol_search_left(f, &f->trial, f->u_trial, f->b_trial);
        const double now = st ? -1 : along(f, f->b_trial);
        if (now >= 0 && now <= 0.5 * first) return HOL_OK;
        *(now < 0 ? &high : &low) = middle;
    }
    return HOL_RECOVERABLE;
}

// What the trial state, a part of f->step away, leaves of the implicit equation b(x') = slow p + (1 - factor) b.
static double gap(const hol_search *f, double slow, double factor, double rate)
{
    double sum = 0;
    for (int j = 0; j < f->out->r.d; j++) {
        const double left = f->b_trial[j] - (1 - factor) * f->b[j] - slow * factor * f->step[j];
        sum += left * left;
    }
    return hypot(sqrt(sum), rate * f->force);
}

// The correction of the trial state that undoes what is left along directions whose stiffness is at least so much.
static void correct(hol_search *f, double least)
{
    const hol_equilibrium *e = f->out;
    const int d = e->r.d;
    memset(f->correction, 0, (size_t)e->r.n * sizeof *f->correction);
    for (int j = d - 1; j >= 0 && e->stiffness[j] >= least; j--) {
        const double part = hol_search_along_shape(f, j, f->b_trial) / e->stiffness[j];
        for (int i = 0; i < d; i++) f->correction[i] += part * e->shape[(size_t)j * (size_t)d + (size_t)i];
    }
}

hol_status hol_search_follow(hol_search *f, double slow, double *rate)
{
    const hol_equilibrium *e = f->out;
    const int d = e->r.d;
    hol_status st = HOL_OK;
    for (int j = d; j > 0 && !st && e->stiffness[j - 1] >= STIFF * slow;) {
        const double least = fmax(e->stiffness[j - 1] / STIFF, STIFF * slow);
        double size = HOL_INF, last = HOL_INF;
        for (int turn = 0; turn < MAX_FOLLOW && !st && size <= QUICK * last; turn++) {
            last = turn ? size : HOL_INF;
            correct(f, least);
            size = hol_search_longest(f, f->correction);
            if (!(size <= QUICK * last)) break;
            hol_search_go(f, &f->trial, 1, f->correction);
            st = hol_equilibrium_rest(f->k, &f->trial, f->u_trial);
            if (!st) *rate = hol_search_left(f, &f->trial, f->u_trial, f->b_trial);
        }
        if (!st && !(size <= FOLLOWED)) st = HOL_RECOVERABLE;
        while (j > 0 && e->stiffness[j - 1] >= least) j--;
    }
    return st;
}

// The trial state of a step with `slow`; *factor: the part of f->step that it is. Shorter ones are followed better. HOL_RECOVERABLE: none.
static hol_status try_step(hol_search *f, double slow, double *factor, double *rate)
{
    enum { FOLLOWED_ONES = 4 };
    hol_status st = hol_search_step(f, slow, f->b, f->step);
    const double part = hol_search_part_allowed(f);
    for (int i = 0; i <= FOLLOWED_ONES && !st; i++) {
        const bool straight = i == FOLLOWED_ONES; // as where a stop is met: none is followed
        *factor = straight ? part : part * pow(SHORTER, i);
        hol_search_move(f, *factor);
        st = hol_equilibrium_rest(f->k, &f->trial, f->u_trial);
        if (st) return st;
        *rate = hol_search_left(f, &f->trial, f->u_trial, f->b_trial);
        if (straight || gap(f, slow, *factor, *rate) <= hol_search_merit(f, f->b, f->rate)) return HOL_OK;
        st = hol_search_follow(f, slow, rate);
        if (st <= 0) return st;
        st = HOL_OK;
    }
    return st;
}

// A step that the forces drive: one along which they do work. *slow is what the next one begins with. HOL_RECOVERABLE: none.
static hol_status drive(hol_search *f, double *slow)
{
    const double now = hol_search_merit(f, f->b, f->rate);
    double factor = 1, rate = 0;
    for (*slow = guard(f, *slow); *slow <= SLOWEST * fmax(f->stiff, f->force);
         *slow = 4 * fmax(*slow, FASTEST * f->stiff)) {
        hol_status st = try_step(f, *slow, &factor, &rate);
        if (st < 0) return st;
        if (st) continue;
        const double work = work_done(f), expected = work_expected(f, factor);
        const bool less = hol_search_merit(f, f->b_trial, rate) < now;
        if (!(work > 0) && !less) {
            st = go_between(f, factor);
            if (st > 0) continue;
            return st;
        }
        *slow *= work > 0.5 * expected || less ? 0.2 : work < 0.1 * expected ? 4 : 1;
        *slow = fmax(*slow, FASTEST * f->stiff);
        return HOL_OK;
    }
    return HOL_RECOVERABLE;
}

// At an equilibrium whose balance may still be one of forces that go on: settled, or back where it was, HOL_RECOVERABLE.
static hol_status settle(hol_search *f)
{
    hol_state_copy(f->k->s, &f->kept, f->x);
    hol_status st = hol_search_polish(f);
    if (st <= 0) return st;
    hol_state_copy(f->k->s, f->x, &f->kept);
    st = hol_equilibrium_rest(f->k, f->x, f->u);
    if (!st) st = hol_search_look(f);
    return st ? st : HOL_RECOVERABLE;
}

// Steps that the forces drive, until they balance at a pose that stays.
hol_status hol_search_flow(hol_search *f)
{
    double slow = 0;
    bool tried = false;
    hol_status st = hol_equilibrium_rest(f->k, f->x, f->u);
    for (int i = 0; i < MAX_FLOW && !st; i++) {
        st = hol_search_look(f);
        if (st) break;
        if (i == 0) slow = 0.1 * f->stiff;
        const bool found = hol_search_balanced(f);
        bool stays = true;
        if (found) st = hol_search_stays(f, &stays);
        if (st) break;
        if (found && stays && !tried) {
            st = settle(f);
            if (!st) st = hol_search_stays(f, &stays); // by the stiffness there
            if (st < 0 || (!st && stays)) return st;
        }
        tried = found && stays;
        if (found && !stays) {
            kick(f);
            st = hol_equilibrium_rest(f->k, &f->trial, f->u_trial);
        } else
            st = drive(f, &slow);
        if (!st) hol_search_accept(f);
        if (st > 0 && tried) { // nothing drives it on
            st = hol_equilibrium_rest(f->k, f->x, f->u);
            return st ? st : hol_search_look(f);
        }
    }
    return st ? st : HOL_RECOVERABLE;
}
