// Plane curves by splines.
#include "element/profile.h"

#include <math.h>

// The profile must close: radii at 0 and at a full turn.
static hol_status check_closed(const hol_setup *in, const hol_value *value, const hol_profile *c)
{
    hol_real first[4], last[4];
    hol_spline_eval(c->f, 0, 0, first);
    hol_spline_eval(c->f, 0, 2 * HOL_PI / c->x_unit, last);
    const double r = hol_re(first[0]), gap = hol_re(last[0]) - r,
                 bend = hol_re(last[1] - first[1]) / c->x_unit;
    if (!(r > 0) || !(fabs(gap) <= 1e-6 * r))
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, value->at,
            "%s.curve: the radius is %.*g at 0 and %.*g after a full turn; a closed curve has the same, "
            "above 0",
            in->path, hol_decimal_digits(r, r + gap), r, hol_decimal_digits(r, r + gap), r + gap);
    if (fabs(bend) > 1e-3 * r)
        hol_note(in->ctx, HOL_WARNING,
                 "%s.curve: the profile has a corner at the angle 0; points before 0 and beyond a full turn "
                 "make it "
                 "smooth",
                 in->path);
    return HOL_OK;
}

hol_status hol_profile_make(const hol_setup *in, const hol_value *value, bool polar, hol_profile *out)
{
    const double *x, *y;
    *out = (hol_profile){.f = value->table->spline, .polar = polar, .to = 2 * HOL_PI, .sign = {1, 1}};
    hol_status st = hol_table_unit(in, value, 0, polar ? "rad" : "m", &out->x_unit);
    if (!st) st = hol_table_unit(in, value, 1, "m", &out->y_unit);
    if (st) return st;
    const int n = hol_spline_nodes(out->f, &x, &y);
    if (!polar) out->from = x[0] * out->x_unit, out->to = x[n - 1] * out->x_unit;
    if (hol_spline_breaks_off(out->f, (double)NAN))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, value->at,
                           "%s.curve: `beyond: hold` bends the spline at an end that is not level, and a "
                           "point cannot slide on a corner; "
                           "leave it away, or write `beyond: line`",
                           in->path);
    if (hol_spline_kinks(out->f))
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, value->at,
            "%s.curve: a linear spline has corners, on which a point cannot slide; make it cubic or akima",
            in->path);
    return polar ? check_closed(in, value, out) : HOL_OK;
}

void hol_profile_at(const hol_profile *p, hol_real s, hol_real X[2], hol_real X1[2], hol_real X2[2])
{
    if (p->polar) s -= 2 * HOL_PI * floor(hol_re(s) / (2 * HOL_PI));
    const hol_real c = p->polar ? cos(s) : 1, d = p->polar ? sin(s) : 0;
    hol_real f[4];
    hol_spline_eval(p->f, 0, s / p->x_unit, f);
    const hol_real r = p->y_unit * f[0], r1 = p->y_unit * f[1] / p->x_unit,
                   r2 = 2 * p->y_unit * f[2] / (p->x_unit * p->x_unit);
    X[0] = p->polar ? r * c : s;
    X[1] = p->polar ? r * d : r;
    X1[0] = p->polar ? r1 * c - r * d : 1;
    X1[1] = p->polar ? r1 * d + r * c : r1;
    X2[0] = p->polar ? r2 * c - 2 * r1 * d - r * c : 0;
    X2[1] = p->polar ? r2 * d + 2 * r1 * c - r * d : r2;
    for (int i = 0; i < 2; i++) {
        X[i] = p->sign[i] * X[i];
        X1[i] = p->sign[i] * X1[i];
        X2[i] = p->sign[i] * X2[i];
    }
}

double hol_profile_bend(const hol_profile *p, double s)
{
    hol_real X[2], X1[2], X2[2];
    hol_profile_at(p, s, X, X1, X2);
    return hol_re(X1[0] * X2[1] - X1[1] * X2[0]) / pow(hypot(hol_re(X1[0]), hol_re(X1[1])), 3);
}
