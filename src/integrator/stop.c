// What a run says that finds no further step. What has locked the mechanism is told instead (system/lock.h), or whatever is not finite
// there (system/fault.h); else what was tried, which joints lose their independence (system/weak.h), which expression is at a pole,
// and what may get further.
#include "integrator/stop.h"
#include "element/contact.h"
#include "integrator/kinematic.h"
#include "system/fault.h"
#include "system/lock.h"
#include "system/weak.h"

#include <string.h>

enum { UNTIL = 60, NAMES = 300 };

void hol_note_tried(double tried[HOL_TRIED], double h)
{
    memmove(tried + 1, tried, (HOL_TRIED - 1) * sizeof *tried);
    tried[0] = h;
}

enum { WHOSE = 100 }; // length of "forces.pull"
#define FAR 1e9       // sizes or radians until the end
#define POLE 1e-8     // of the time so far: what grows by its own size in less is at a pole
#define TOUCHING 1e-9 // of the natural length
#define SMALL                                                                                                \
    1e-6 // tolerance at which methods of order 2 have hardly any steps between their error and rounding
enum { LOW = 2 }; // order of these

// Does a value grow by itself within POLE of the time so far?
static bool is_at_pole(double value, double rate, double t)
{
    return isfinite(value) && isfinite(rate) && value * rate > 0 && fabs(value) < POLE * t * fabs(rate);
}

// The expression that is at a pole: its value has grown so in the last step. Poles in time are refused before the run.
static const hol_equation *pole_of(const hol_integrator *it)
{
    const hol_model_data *m = it->s->m;
    const hol_state *x = &it->x, *before = &it->before;
    const double h = x->t - before->t;
    for (int i = 0; i < m->n_equations && before->z && h > 0; i++)
        if (m->equation[i].expr && !m->equation[i].law &&
            is_at_pole(x->z[i], (x->z[i] - before->z[i]) / h, x->t))
            return &m->equation[i];
    return NULL;
}

// What grows without bound; HOL_OK: nothing does. weak: joints that lose their independence there; "": none.
static hol_status tell_pole(const hol_integrator *it, const char *weak)
{
    const hol_equation *e = pole_of(it);
    if (!e) return HOL_OK;
    return hol_fail_at(
        it->ctx, HOL_ERR_INTEGRATION, e->at,
        "stopped at t = %.6g s: %.*s (\"%.150s\") grows without bound there, a pole; --end %.4g ends "
        "before that, and no method gets past it%s%s%s",
        it->x.t, WHOSE, e->path, hol_expr_text(e->expr), 0.999 * it->x.t,
        *weak ? ", or a singular pose: the equations of " : "", weak,
        *weak ? " lose their independence there too" : "");
}

// What moves so far until the end that no method follows it there.
hol_status hol_stop_fast(const hol_integrator *it)
{
    const hol_model_data *m = it->s->m;
    double most = 0;
    int fast = 0;
    for (int b = 0; b < m->n_bodies; b++)
        for (int i = m->body[b].q; i < m->body[b].q + m->body[b].size; i++) {
            const double speed = fabs(it->x.v[i]) / it->s->q_size[i];
            if (!(speed > most)) continue;
            most = speed;
            fast = b;
        }
    if (!(most * (it->end - it->x.t) > FAR)) return HOL_OK;
    return hol_fail_at(it->ctx, HOL_ERR_INTEGRATION, m->body[fast].at,
                       "stopped at t = %.6g s: \"%s\" moves by %.3g of the model's size, or radians, in a "
                       "second, and no method "
                       "follows that to the end at %.6g s: look at the velocities at the start and their "
                       "units, and at what drives it",
                       it->x.t, m->body[fast].name, most, it->end);
}

// How to end before the trouble: "--end 0.4995 ends before that; "; nothing at the start.
static void tell_until(const hol_integrator *it, char text[UNTIL])
{
    text[0] = 0;
    if (it->x.t > 0) hol_decimal_print(text, UNTIL, "--end %.4g ends before that; ", 0.999 * it->x.t);
}

// "; tried before: 1e-05, 2e-05"
static void tell_sizes(const double *tried, char *text, size_t room)
{
    text[0] = 0;
    for (int i = 0, n = 0; tried && i < HOL_TRIED && tried[i] > 0; i++)
        n += hol_decimal_print(text + n, room - (size_t)n, "%s%.2g", i ? ", " : "; tried before: ", tried[i]);
}

hol_status hol_stop_locked(hol_integrator *it)
{
    hol_lock lock;
    char value[60] = "";
    if (!hol_find_lock(it->k, &it->x, &lock)) return HOL_OK;
    const hol_element *e = lock.by;
    const int digits = lock.exact ? 12 : 6;
    if (lock.driven)
        hol_decimal_print(value, sizeof value, " than %.*g %s", digits, lock.value,
                          e->type->row(e->data, 0).is_length ? "m" : "rad");
    return hol_fail_at(
        it->ctx, HOL_ERR_INTEGRATION, e->at,
        "stopped at t = %.*g s: locked: %s \"%s\" cannot move the mechanism any further%s: the "
        "equations of %s lose their independence there, as where links come into line. No method "
        "gets further: shorten its way, %s",
        digits, lock.time, lock.driven ? "driver" : "the motion at", e->name, value, lock.joints,
        lock.driven ? "or change lengths" : "change lengths, or prescribe another measure of the motion");
}

// A contact that sticks, at which shapes slide where they begin to press each other: there the friction holds nothing yet, and what is stretched at
// once gives way. Newton's iteration follows that in steps alone that are shorter than methods of order 2 take.
static hol_status tell_bristle(const hol_integrator *it, double h)
{
    const hol_model_data *m = it->s->m;
    for (int i = m->n_bodies; i < m->n_elements && it->method->order <= 2 && it->tolerance > 0; i++) {
        const hol_element *e = &m->element[i];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], u[HOL_MAX_ROWS];
        hol_contact_state at;
        if (e->type != &hol_force_contact || e->n_inputs == 0 || !hol_element_acts(e, it->x.mem)) continue;
        hol_element_gather(m, e, it->x.t, it->x.q, it->x.v, 1, y, w);
        hol_equations_inputs(e, &it->x, u);
        hol_contact_look(e, y, w, it->x.mem + e->mem, u, &at);
        if (it->x.mem[e->mem + HOL_CONTACT_LASTS] < 0 ||
            !(at.gap < TOUCHING * m->length_scale && at.slip > 0))
            continue;
        return hol_fail_at(
            it->ctx, HOL_ERR_INTEGRATION, e->at,
            "stopped at t = %.6g s: contacts.%s: what sticks slides at %.3g m/s where it begins to "
            "press, and the step of %s collapsed to %.3g s; --method bdf or rk gets further, or a "
            "friction with a \"transition\"",
            it->x.t, e->name, at.slip, it->method->name, h);
    }
    return HOL_OK;
}

// Do joints and drivers determine the motion alone?
static bool is_driven(const hol_equations *s) { return s->nc == s->nq && !s->nk && !s->nx; }

// What gets further.
static const char *way_out(const hol_integrator *it, bool weak)
{
    if (it->method == &hol_method_kinematic)
        return "drives of other coordinates may get further, where these turn back or jump";
    if (weak && is_driven(it->s))
        return "`holonom kinematics`, which integrates nothing, may go through such poses";
    if (it->tolerance <= 0) return "a smaller --step or another --method may get further";
    if (!weak && it->method->order <= LOW && it->tolerance < SMALL)
        return "a method of order 2 has steps at such a tolerance that rounding disturbs: rk, adams or bdf, "
               "or a "
               "larger tolerance, may get further";
    return "a larger tolerance or another --method may get further";
}

hol_status hol_stop(hol_integrator *it, const hol_state *trial, double h, const double *tried,
                    const char *why, const char *way)
{
    char sizes[HOL_TRIED * 12], names[NAMES] = "", until[UNTIL];
    hol_status st = hol_stop_locked(
        it); // first: behind a dead centre trial states are far away, where expressions may have no value
    if (!st) st = hol_fault_report(it->s, trial, &it->x);
    if (!st) st = hol_stop_fast(it);
    if (st) return st;
    const bool fixed = it->tolerance <= 0, weak = hol_weak_joints(it->k, &it->x, names, sizeof names);
    it->stopped = weak ? HOL_STOPPED_POSE : HOL_STOPPED_STEP;
    st = tell_pole(it, weak ? names : "");
    if (!st && !weak) st = tell_bristle(it, h);
    if (st) return st;
    tell_sizes(tried, sizes, sizeof sizes);
    tell_until(it, until);
    return hol_fail(
        it->ctx, HOL_ERR_INTEGRATION, "stopped at t = %.6g s: %s %.3g s%s: %s%s%s%s%s%s; %s%s%s%s", it->x.t,
        fixed   ? "the fixed step of"
        : tried ? "the step collapsed to"
                : "no step is found, neither of",
        h,
        fixed   ? " fails"
        : tried ? sizes
                : " nor shorter",
        !fixed && tried ? "the error test is not met" : "", !fixed && tried && why ? ", or " : "",
        why ? why : "", weak ? ", at a singular pose: the equations of " : "", weak ? names : "",
        weak ? " lose their independence" : "", until, way ? way : "", way ? ", " : "", way_out(it, weak));
}

hol_status hol_stop_without_coordinates(hol_integrator *it)
{
    char names[NAMES];
    const hol_status st = hol_stop_locked(it);
    if (st) return st;
    const bool weak = hol_weak_joints(it->k, &it->x, names, sizeof names);
    it->stopped = HOL_STOPPED_POSE;
    return hol_fail(
        it->ctx, HOL_ERR_INTEGRATION,
        "stopped at t = %.6g s: a singular pose%s%s%s; no coordinates of the motions that the joints "
        "leave are found: another --method may get further",
        it->x.t, weak ? ": the equations of " : "", weak ? names : "",
        weak ? " lose their independence" : "");
}
