// Step size control shared by the methods: the next step from an error estimate, between bounds, not changed
// for little (dead band), and ending where it must. docs/theory.md, section 5.5, (5.13).
#include "integrator/control.h"

#include <float.h>
#include <math.h>

#define DEAD_BAND 1.2

const hol_control hol_control_usual = {0.9, 0.2, 5};

hol_control hol_control_read(const hol_value *o)
{
    return (hol_control){.fac = o[0].num, .facmin = o[1].num, .facmax = o[2].num};
}

double hol_control_factor(const hol_control *c, double ratio, double power, bool grow)
{
    const double factor = hol_control_factor_plain(c, ratio, power, grow);
    return factor > 1 && factor < DEAD_BAND ? 1 : factor;
}

double hol_control_factor_plain(const hol_control *c, double ratio, double power, bool grow)
{
    const double largest = grow ? c->facmax : 1;
    if (!(ratio > 0)) return ratio == 0 ? largest : c->facmin; // nothing moves (free flight), or not a number
    const double factor = c->fac * pow(ratio, -1 / power);
    if (factor < c->facmin) return c->facmin;
    return factor > largest ? largest : factor;
}

double hol_control_step(double t, double wanted, double h_max, double t_stop, hol_limit *limit)
{
    double h = wanted;
    if (h > h_max) {
        h = h_max;
        *limit = HOL_LIMIT_MAX_STEP;
    }
    const double left = t_stop - t;
    if (h >= left * (1 - 1e-9)) {
        *limit = HOL_LIMIT_STOP;
        return left;
    }
    return h > 0.5 * left ? 0.5 * left : h; // two equal steps rather than a long and a tiny one
}

#define A_WHILE 10 // steps

void hol_recent_accept(hol_recent *r, double t, double h)
{
    if (h < r->longest && t <= r->until) return;
    *r = (hol_recent){h, t + A_WHILE * h};
}

void hol_recent_archive(hol_recent *r, hol_archive *a)
{
    hol_archive_number(a, &r->longest, 0, DBL_MAX);
    hol_archive_number(a, &r->until, 0, DBL_MAX);
}

#define FAR 100    // an error that a step which follows a smooth motion does not have
#define LESS 0.5   // of the order: the error of a shorter attempt falls by that at least
#define MORE 1.5   // and by that at most
#define SEEN 0.01  // an error that counts
#define SUDDEN 100 // times what follows from the step before

void hol_rough_restart(hol_rough *r) { *r = (hol_rough){.until = -HOL_INF, .from = -HOL_INF}; }

// Does the error of the attempt from t follow from that of the rejected one before, as it does where the motion is smooth? What fell less has a corner in it,
// what fell more ends before one.
static bool follows(const hol_rough *r, double order, double t, double h, double error)
{
    if (r->from != t) return true;
    const double less = pow(h / r->length, LESS * order), more = pow(h / r->length, MORE * order);
    return error <= r->failed * less && error >= r->failed * more;
}

static void extend(hol_rough *r, double until) { r->until = fmax(r->until, until); }

bool hol_rough_note(hol_rough *r, double order, double t, double h, double smooth, double error)
{
    if (isnan(error)) return false; // behind a pole; it is rejected
    if (!follows(r, order, t, h, smooth)) extend(r, t + r->length);
    if (error > 1) {
        if (error > FAR) extend(r, t + h);
        r->from = t;
        r->failed = smooth;
        r->length = h;
        return false;
    }
    const bool sudden =
        t >= r->until && r->h > 0 && smooth > SEEN && smooth > SUDDEN * r->error * pow(h / r->h, order);
    if (sudden) r->until = t + h;
    r->error = smooth;
    r->h = h;
    return sudden;
}

void hol_rough_archive(hol_rough *r, hol_archive *a)
{
    hol_archive_number(a, &r->until, -HOL_INF, DBL_MAX);
    hol_archive_number(a, &r->from, -HOL_INF, DBL_MAX);
    hol_archive_number(a, &r->failed, 0, HOL_INF);
    hol_archive_number(a, &r->length, 0, DBL_MAX);
    hol_archive_number(a, &r->error, 0, 1);
    hol_archive_number(a, &r->h, 0, DBL_MAX);
}
