// Fixed steps in which bodies in space turn far; see turning.h. Rates of Euler parameters, which methods step, go round twice as slowly as
// the body, but a step that is too long for them leaves an attitude that no violation and no energy shows.
#include "analysis/turning.h"
#include "analysis/body_motion.h"
#include "linalg/vector3.h"

#include <math.h>

#define FAR 0.5 // rad: shorter turns of a step are followed by all methods
#define SLOW                                                                                                 \
    8 // times the fastest coordinate: |w| = 2 |p'| is at most 4 of it, and accelerations add at most as much
#define LOST 0.1 // rad: in a step of more than half a turn, which may have lost any number of turns
#define SEEN 0.5 // rad: in all of them

hol_status hol_turning_create(const hol_integrator *it, double step, hol_turning *u)
{
    const hol_model_data *m = it->s->m;
    const size_t n = (size_t)m->n_bodies;
    *u = (hol_turning){.told = u->told};
    if (!(step > 0) || m->dimension != 3) return HOL_OK;
    u->off = hol_calloc(it->ctx, (3 + 4 * 6) * n + 1, sizeof *u->off);
    if (!u->off) return HOL_ERR_MEMORY;
    for (size_t k = 0; k < 4; k++) u->rate[k] = u->off + (3 + 6 * k) * n;
    u->it = it;
    u->speed = HOL_INF;
    return HOL_OK;
}

void hol_turning_destroy(hol_turning *u)
{
    hol_free(u->off);
    *u = (hol_turning){.told = u->told};
}

// By Magnus' series of the cubic through both ends: the rotation vector of a step, (8.52a).
static void lead(double h, const double *w0, const double *w1, const double *a0, const double *a1,
                 double turn[3])
{
    double twist[3];
    hol_cross3(w1, w0, twist);
    for (int i = 0; i < 3; i++) turn[i] = 0.5 * h * (w0[i] + w1[i]) + h * h / 12 * (a0[i] - a1[i] + twist[i]);
}

// e = f g*
static void divide(const double *f, const double *g, double e[4])
{
    hol_cross3(g + 1, f + 1, e + 1);
    for (int i = 1; i < 4; i++) e[i] += g[0] * f[i] - f[0] * g[i];
    e[0] = hol_dot4(f, g);
}

// The rotation vector, within half a turn, that is left between the attitude p1 and that to which `turn` leads from p0.
static void find_rest(const double *p0, const double *p1, const double turn[3], double rest[3])
{
    const double angle = sqrt(hol_dot3(turn, turn)), part = angle > 0 ? sin(angle / 2) / angle : 0.5;
    const double led[4] = {cos(angle / 2), part * turn[0], part * turn[1], part * turn[2]};
    double gone[4], left[4];
    divide(p1, p0, gone);
    divide(gone, led, left);
    const double sine = sqrt(hol_dot3(left + 1, left + 1)), sign = left[0] < 0 ? -1 : 1,
                 scale = sine > 0 ? 2 * atan2(sine, fabs(left[0])) / sine : 2;
    for (int i = 0; i < 3; i++) rest[i] = sign * scale * left[1 + i];
}

// Who turns how far, and what is missing.
static hol_status fail_lost(const hol_turning *u, int body, double angle, double rest)
{
    const hol_integrator *it = u->it;
    const double t = it->before.t, h = it->x.t - t;
    return hol_fail(
        it->ctx, HOL_ERR_INTEGRATION,
        "stopped at t = %.6g s: within the fixed step of %.6g s body \"%s\" turns by %.3g rad, and "
        "its attitude is %.2g rad off what its angular velocity leads to, so that full turns cannot be "
        "counted; a smaller --step follows them, of less than %.1g s",
        t, h, it->s->m->element[body].name, angle, rest, 1 / (angle / h));
}

// The same of all steps so far, once a run.
static void tell(hol_turning *u, int body, double angle, double off)
{
    const hol_integrator *it = u->it;
    const double h = it->x.t - it->before.t;
    u->told = true;
    hol_note(
        it->ctx, HOL_WARNING,
        "t = %.6g s: the attitude of body \"%s\", which turns by %.2g rad within a step of %.3g s, is %.2g "
        "rad off what its angular velocity has led to so far; take a smaller --step, or a tolerance, "
        "--tol, in its place",
        it->x.t, it->s->m->element[body].name, angle, h, off);
}

hol_status hol_turning_look(hol_turning *u, double speed)
{
    const hol_integrator *it = u->it;
    if (!it) return HOL_OK;
    const double fastest = fmax(speed, u->speed), h = it->x.t - it->before.t;
    u->speed = speed;
    if (SLOW * fastest * h < FAR) return HOL_OK;
    const hol_model_data *m = it->s->m;
    const hol_state *from = &it->before, *to = &it->x;
    hol_body_motion(m, from->q, from->v, u->rate[0]);
    hol_body_motion(m, to->q, to->v, u->rate[1]);
    hol_body_motion(m, from->q, from->a, u->rate[2]);
    hol_body_motion(m, to->q, to->a, u->rate[3]);
    for (int k = 0; k < m->n_bodies; k++) {
        double turn[3], rest[3], *off = u->off + 3 * k;
        const size_t at = 6 * (size_t)k + 3;
        const int p = m->body[k].q + 3;
        if (m->body[k].frame != HOL_FRAME_SPATIAL) continue;
        lead(to->t - from->t, u->rate[0] + at, u->rate[1] + at, u->rate[2] + at, u->rate[3] + at, turn);
        const double angle = sqrt(hol_dot3(turn, turn));
        if (angle < FAR) continue;
        find_rest(from->q + p, to->q + p, turn, rest);
        for (int i = 0; i < 3; i++) off[i] += rest[i];
        const double lost = sqrt(hol_dot3(rest, rest)), sum = sqrt(hol_dot3(off, off));
        if (angle > HOL_PI && lost > LOST) return fail_lost(u, k, angle, lost);
        if (sum > SEEN && !u->told) tell(u, k, angle, sum);
    }
    return HOL_OK;
}

void hol_turning_archive(hol_turning *u, hol_archive *a)
{
    if (!u->it) return;
    hol_archive_numbers(a, u->off, 3 * (size_t)u->it->s->m->n_bodies);
    hol_archive_flag(a, &u->told);
}
