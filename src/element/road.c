// The height h of a road, its slope and its bend h'' at x; formulas in road.h. Where half a cylinder would have a slope
// without bound at its foot, the slope is cut off.
#include "element/road.h"

static hol_road_point on_bump(const hol_road *r, hol_real x)
{
    const hol_real xi = (x - r->middle) / r->half_width, s = 1 - xi * xi;
    hol_road_point p = {0};
    if (hol_re(s) <= 0) return p;
    p.h = r->height * s * s * s;
    p.felt = p.slope = -6 * r->height * s * s * xi / r->half_width;
    p.bend = 6 * r->height * s * (5 * xi * xi - 1) / (r->half_width * r->half_width);
    return p;
}

static double radius(const hol_road *r)
{
    return (r->half_width * r->half_width + r->height * r->height) / (2 * fabs(r->height));
}

// h = sqrt(R^2 - d^2) - (R - height), for a hole the opposite
static hol_road_point on_cylinder(const hol_road *r, hol_real x)
{
    const hol_real d = x - r->middle;
    hol_road_point p = {0};
    if (r->height == 0 || fabs(hol_re(d)) >= r->half_width) return p;
    const double R = radius(r), sign = r->height < 0 ? -1 : 1;
    const hol_real root = sqrt((R - d) * (R + d));
    p.h = sign * (root - R) + r->height;
    p.felt = p.slope = -sign * d / root;
    p.bend = -sign * R * R / (root * root * root);
    if (fabs(hol_re(p.slope)) <= r->steepest) return p;
    p.felt = hol_re(p.slope) > 0 ? r->steepest : -r->steepest;
    p.bend = 0;
    return p;
}

static hol_road_point on_table(const hol_road *r, hol_real x)
{
    hol_real f[4];
    hol_spline_eval(r->table, 0, x / r->x_unit, f);
    const hol_real slope = r->unit / r->x_unit * f[1];
    return (hol_road_point){r->unit * f[0], slope, slope, 2 * r->unit * f[2] / (r->x_unit * r->x_unit)};
}

static hol_road_point profile_at(const hol_road *road, hol_real x)
{
    switch (road->kind) {
    case HOL_ROAD_BUMP: return on_bump(road, x);
    case HOL_ROAD_CYLINDER: return on_cylinder(road, x);
    case HOL_ROAD_TABLE: return on_table(road, x);
    case HOL_ROAD_FLAT: break;
    }
    return (hol_road_point){0};
}

hol_road_point hol_road_at(const hol_road *road, hol_real x)
{
    hol_road_point p = profile_at(road, x);
    p.h += road->level;
    return p;
}

// A table's ends and the nodes at which its chords make an angle.
static int table_edges(const hol_road *road, double *x, int most)
{
    const double *at, *h;
    const int n = hol_spline_nodes(road->table, &at, &h);
    double before = HUGE_VAL;
    int found = 0;
    for (int i = 0; i < n; i++) {
        const double after = i == n - 1 ? HUGE_VAL : (h[i + 1] - h[i]) / (at[i + 1] - at[i]);
        if (fabs(after - before) > 1e-9 * fmin(fabs(after), fabs(before)) || i == n - 1) {
            if (found < most) x[found] = road->x_unit * at[i];
            found++;
        }
        before = after;
    }
    return found;
}

// The ends of bump and cylinder; a cylinder's slope is cut off between its end and the place where it is the steepest one
// that is felt.
int hol_road_edges(const hol_road *road, double *x, int most)
{
    if (road->kind == HOL_ROAD_TABLE) return table_edges(road, x, most);
    const double end = road->half_width, s = road->steepest;
    if ((road->kind != HOL_ROAD_BUMP && road->kind != HOL_ROAD_CYLINDER) || road->height == 0) return 0;
    const double cut = road->kind == HOL_ROAD_CYLINDER ? radius(road) * s / sqrt(1 + s * s) : end;
    const double from[] = {-end, -cut, cut, end};
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (cut >= end && (i == 1 || i == 2)) continue;
        if (n < most) x[n] = road->middle + from[i];
        n++;
    }
    return n;
}
