// Cores of contacts that are outlines: polygons, lines through points and curves (docs/theory.md, section 23.1). A polygon with hollow corners
// is several contacts, each of a part of its sides. Branches go by real parts.
#include "element/contact_parts.h"

#include <math.h>
#include <stdlib.h>

// ---- sides ----------------------------------------------------------------------------------------------------------

// The nearest place of a side, at which part of it, 0 to 1, and how far squared.
static double nearest_part(int n, const double *a, const double *b, const hol_real *x, double *far)
{
    double along = 0, length = 0;
    for (int i = 0; i < n; i++) {
        along += (hol_re(x[i]) - a[i]) * (b[i] - a[i]);
        length += (b[i] - a[i]) * (b[i] - a[i]);
    }
    const double t = fmin(fmax(along / length, 0), 1);
    *far = 0;
    for (int i = 0; i < n; i++) {
        const double e = hol_re(x[i]) - a[i] - t * (b[i] - a[i]);
        *far += e * e;
    }
    return t;
}

// From the line of a side; of a solid to its outer side, which is on the right.
static void from_line(const hol_contact *c, const double *a, const double *b, const hol_real *x, hol_core *o)
{
    const int n = c->dimension;
    hol_real e[3], u[3] = {0}, along = 0;
    double length = 0;
    for (int i = 0; i < n; i++) length += (b[i] - a[i]) * (b[i] - a[i]);
    for (int i = 0; i < n; i++) {
        u[i] = (b[i] - a[i]) / sqrt(length);
        along += u[i] * (x[i] - a[i]);
    }
    for (int i = 0; i < n; i++) e[i] = x[i] - a[i] - along * u[i];
    if (n == 3) {
        hol_core_length(n, e, NULL, u, o);
        return;
    }
    const hol_real across = u[1] * (x[0] - a[0]) - u[0] * (x[1] - a[1]);
    const int sign = !c->solid && hol_re(across) < 0 ? -1 : 1;
    o->f = sign * across;
    o->d[0] = sign * u[1];
    o->d[1] = -sign * u[0];
}

// Does a solid go in at a corner, so that what is nearest to it lies within?
static bool goes_in(const hol_contact *c, int k)
{
    const int n = c->n_outline;
    const double *p = &c->outline[2 * ((k + n - 1) % n)], *q = &c->outline[2 * k],
                 *r = &c->outline[2 * ((k + 1) % n)];
    return c->solid && (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]) < 0;
}

// ---- parts of an outline ----------------------------------------------------------------------------------------

// A place of the outline: on which side, at which part of it, 0 to 1, and how far squared.
typedef struct {
    int side;
    double part, far;
} spot;

static int all_sides(const hol_contact *c) { return c->closed ? c->n_outline : c->n_outline - 1; }
static int own_sides(const hol_contact *c) { return c->sides ? c->sides : all_sides(c); }
static int own_side(const hol_contact *c, int k) { return (c->first + k) % c->n_outline; }

// The ends of a side, of its own part longer where that ends in a hollow corner.
static void find_ends(const hol_contact *c, int side, bool own, double ends[2][3])
{
    const int n = c->dimension;
    const double *a = &c->outline[n * side], *b = &c->outline[n * ((side + 1) % c->n_outline)];
    const double first = own && side == c->first ? c->longer[0] : 0,
                 last = own && side == own_side(c, own_sides(c) - 1) ? c->longer[1] : 0;
    double length = 0;
    for (int i = 0; i < n; i++) length += (b[i] - a[i]) * (b[i] - a[i]);
    length = sqrt(length);
    for (int i = 0; i < n; i++) {
        ends[0][i] = a[i] - first * (b[i] - a[i]) / length;
        ends[1][i] = b[i] + last * (b[i] - a[i]) / length;
    }
}

// The nearest place of its own part, or of all of it.
static spot find_nearest(const hol_contact *c, const hol_real *x, bool own)
{
    const int sides = own ? own_sides(c) : all_sides(c);
    spot out = {.far = HOL_INF};
    for (int k = 0; k < sides; k++) {
        const int side = own ? own_side(c, k) : k;
        double ends[2][3], far;
        find_ends(c, side, own, ends);
        const double t = nearest_part(c->dimension, ends[0], ends[1], x, &far);
        if (far < out.far) out = (spot){side, t, far};
    }
    return out;
}

static bool is_own(const hol_contact *c, int side)
{
    return !c->sides || (side - c->first + c->n_outline) % c->n_outline < c->sides;
}

static void turn_back(hol_core *o, int n)
{
    o->f = -o->f;
    for (int i = 0; i < n; i++) {
        o->d[i] = -o->d[i];
        for (int j = 0; j < n; j++) o->dd[i][j] = -o->dd[i][j];
    }
}

// To the nearest side, or the nearest corner. What lies behind the part counts as within the solid where no other part is nearer.
void hol_core_outline(const hol_contact *c, const hol_real *x, hol_core *o)
{
    const int n = c->dimension;
    const spot at = find_nearest(c, x, true);
    double ends[2][3];
    find_ends(c, at.side, true, ends);
    if (at.part > 0 && at.part < 1) {
        from_line(c, ends[0], ends[1], x, o);
    } else {
        const int next = at.part > 0, corner = (at.side + next) % c->n_outline;
        const bool on = c->longer[next] > 0 && at.side == (next ? own_side(c, own_sides(c) - 1) : c->first);
        hol_real e[3] = {0};
        for (int i = 0; i < n; i++) e[i] = x[i] - ends[next][i];
        hol_core_length(n, e, NULL, NULL, o);
        if (!on && goes_in(c, corner)) turn_back(o, n);
    }
    if (c->sides && hol_re(o->f) < -c->behind && !is_own(c, find_nearest(c, x, false).side)) turn_back(o, n);
}

// A side that two parts have is shared out over its middle third by smootherstep.                             (23.10a)
void hol_core_share(const hol_contact *c, const hol_real *x, hol_core *o)
{
    const int n = c->dimension;
    const spot at = find_nearest(c, x, true);
    const bool first = at.side == c->first;
    double ends[2][3], length = 0;
    o->f = 1;
    if (!c->sides || !c->shared[first ? 0 : 1] || !(first || at.side == own_side(c, c->sides - 1))) return;
    find_ends(c, at.side, true, ends);
    hol_real s = -1;
    for (int i = 0; i < n; i++) length += (ends[1][i] - ends[0][i]) * (ends[1][i] - ends[0][i]);
    for (int i = 0; i < n; i++) s += 3 * (x[i] - ends[0][i]) * (ends[1][i] - ends[0][i]) / length;
    const int way = first ? 1 : -1;
    const bool inside = hol_re(s) > 0 && hol_re(s) < 1;
    if (!inside) {
        o->f = (hol_re(s) >= 1) == first;
        return;
    }
    const hol_real f = s * s * s * (10 + s * (-15 + 6 * s)), slope = way * 30 * s * s * (1 - s) * (1 - s),
                   bend = way * 60 * s * (1 - s) * (1 - 2 * s);
    o->f = first ? f : 1 - f;
    for (int i = 0; i < n; i++) {
        const double by = 3 * (ends[1][i] - ends[0][i]) / length;
        o->d[i] = slope * by;
        for (int j = 0; j < n; j++) o->dd[i][j] = bend * by * 3 * (ends[1][j] - ends[0][j]) / length;
    }
}

// ---- two places at once -----------------------------------------------------------------------------------------

// By how much the outline turns where a side ends.
static double turn_behind(const hol_contact *c, int side)
{
    const int n = c->dimension, m = c->n_outline;
    const double *p = &c->outline[n * side], *q = &c->outline[n * ((side + 1) % m)],
                 *r = &c->outline[n * ((side + 2) % m)];
    double a = 0, b = 0, along = 0;
    for (int i = 0; i < n; i++) {
        a += (q[i] - p[i]) * (q[i] - p[i]);
        b += (r[i] - q[i]) * (r[i] - q[i]);
        along += (q[i] - p[i]) * (r[i] - q[i]);
    }
    return acos(fmax(-1, fmin(along / sqrt(a * b), 1)));
}

static double part_of(const hol_contact *c, const hol_real *x, int k, double *far)
{
    double ends[2][3];
    find_ends(c, own_side(c, k), true, ends);
    return nearest_part(c->dimension, ends[0], ends[1], x, far);
}

// How many sides behind the k-th of its own, or before it, belong to the same place: as long as the outline turns by little, or runs within the ball.
static int sides_around(const hol_contact *c, const hol_real *x, int k, bool back)
{
    const int sides = own_sides(c), n = c->dimension;
    const bool ring = c->closed && !c->sides;
    double turned = 0;
    bool left = false;
    for (int count = 0;; count++, k = (k + (back ? sides - 1 : 1)) % sides) {
        const int side = own_side(c, k), corner = back ? side : (side + 1) % c->n_outline;
        if (count == sides || (!ring && k == (back ? 0 : sides - 1))) return count;
        double far = 0;
        for (int i = 0; i < n; i++) far += pow(hol_re(x[i]) - c->outline[n * corner + i], 2);
        left = left || far > c->radii * c->radii;
        turned += turn_behind(c, back ? own_side(c, (k + sides - 1) % sides) : side);
        if (left && turned > HOL_CONTACT_SHARP) return count;
    }
}

// Places that are nearer than all around them lie on sides, at corners, and at the ends of a line.
double hol_core_outline_again(const hol_contact *c, const hol_real *x)
{
    const int sides = own_sides(c),
              at = (find_nearest(c, x, true).side - c->first + c->n_outline) % c->n_outline,
              behind = sides_around(c, x, at, false), before = sides_around(c, x, at, true);
    const bool ring = c->closed && !c->sides;
    double most = -HOL_INF, before_it = -1, far;
    if (ring) before_it = part_of(c, x, sides - 1, &far);
    for (int k = 0; k < sides; k++) {
        const int on = ring ? (k - at + sides) % sides : k - at, back = ring ? sides - on : -on;
        const double part = part_of(c, x, k, &far);
        const bool near = (on >= 0 && on <= behind) || (back >= 0 && back <= before),
                   inner = part > 0 && part < 1, corner = part == 0 && before_it == 1,
                   end = !c->closed && ((k == 0 && part == 0) || (k == sides - 1 && part == 1));
        if (!near && (inner || corner || end)) most = fmax(most, c->radii - sqrt(far));
        before_it = part;
    }
    return most;
}

// ---- curves -----------------------------------------------------------------------------------------------------

// Of D = x - X(s) and its derivatives by s: (|D|^2/2)_s and _ss.
typedef struct {
    hol_real D[2], X1[2], X2[2], slope, bend;
} along;

static along curve_at(const hol_profile *p, const hol_real *x, hol_real s)
{
    along o;
    hol_real X[2];
    hol_profile_at(p, s, X, o.X1, o.X2);
    for (int i = 0; i < 2; i++) o.D[i] = x[i] - X[i];
    o.slope = -(o.D[0] * o.X1[0] + o.D[1] * o.X1[1]);
    o.bend = o.X1[0] * o.X1[0] + o.X1[1] * o.X1[1] - (o.D[0] * o.X2[0] + o.D[1] * o.X2[1]);
    return o;
}

// The lowest place of the curve against the direction x[3..4], likewise: slope and bend of k.X.
static along curve_below(const hol_profile *p, const hol_real *x, hol_real s)
{
    along o;
    hol_profile_at(p, s, o.D, o.X1, o.X2);
    o.slope = x[3] * o.X1[0] + x[4] * o.X1[1];
    o.bend = x[3] * o.X2[0] + x[4] * o.X2[1];
    return o;
}

// The minimum near a guess, by Newton's formula within a bracket, which it halves where that leaves it; of complex x twice more.
static hol_real settle(along (*at)(const hol_profile *, const hol_real *, hol_real), const hol_profile *p,
                       const hol_real *x, double guess, double lo, double hi)
{
    enum { TURNS = 60, MORE = 2 };
    hol_real real[HOL_CORE_MOST], s;
    double now = fmin(fmax(guess, lo), hi);
    for (int i = 0; i < HOL_CORE_MOST; i++) real[i] = hol_re(x[i]);
    for (int k = 0; k < TURNS; k++) {
        const along o = at(p, real, now);
        const double slope = hol_re(o.slope), bend = hol_re(o.bend);
        *(slope > 0 ? &hi : &lo) = now;
        double next = bend > 0 ? now - slope / bend : lo - 1;
        if (!(next >= lo && next <= hi)) next = (lo + hi) / 2;
        const bool done = fabs(next - now) <= 1e-16 * (p->to - p->from);
        now = next;
        if (done) break;
    }
    s = now;
    for (int k = 0; k < MORE; k++) {
        const along o = at(p, x, s);
        s -= o.slope / o.bend;
    }
    return s;
}

// Where sample `k` of the outline, or a part between it and the next one, is on the curve.
static double sample(const hol_contact *c, double k)
{
    return c->curve.from + (c->curve.to - c->curve.from) * k / (c->closed ? c->n_outline : c->n_outline - 1);
}

// The nearest sample of a curve, or a part between it and the next one.
static double nearest_sample(const hol_contact *c, const hol_real *x, double *least)
{
    double far, place = 0;
    *least = HOL_INF;
    for (int k = 0; k < all_sides(c); k++) {
        const double t =
            nearest_part(2, &c->outline[2 * k], &c->outline[2 * ((k + 1) % c->n_outline)], x, &far);
        if (!(far < *least)) continue;
        *least = far;
        place = k + t;
    }
    return place;
}

// What is within a closed curve, or below an open one, is solid; that goes on straight beyond its ends.
void hol_core_curve(const hol_contact *c, const hol_real *x, hol_core *o)
{
    const int turn = c->curve.sign[0] * c->curve.sign[1] < 0 ? -1 : 1, sign = c->closed ? turn : -turn;
    double least;
    const double place = nearest_sample(c, x, &least);
    const double beyond = c->closed ? 0 : 2 * sqrt(least), lo = sample(c, place - 2),
                 hi = sample(c, place + 2);
    const hol_real s = settle(curve_at, &c->curve, x, sample(c, place), lo < c->curve.from ? lo - beyond : lo,
                              hi > c->curve.to ? hi + beyond : hi);
    const along at = curve_at(&c->curve, x, s);
    const hol_real size = sqrt(at.X1[0] * at.X1[0] + at.X1[1] * at.X1[1]),
                   t[2] = {at.X1[0] / size, at.X1[1] / size}, n[2] = {sign * t[1], -sign * t[0]},
                   bent = n[0] * at.X2[0] + n[1] * at.X2[1];
    o->f = at.D[0] * n[0] + at.D[1] * n[1];
    for (int i = 0; i < 2; i++) {
        o->d[i] = n[i];
        for (int j = 0; j < 2; j++) o->dd[i][j] = -t[i] * t[j] * bent / at.bend;
    }
}

// Between which samples, of those within the ball, another place is nearer than all around it.
double hol_core_curve_again(const hol_contact *c, const hol_real *x)
{
    const int sides = all_sides(c);
    double least, most = -HOL_INF, far;
    const int nearest = (int)nearest_sample(c, x, &least);
    for (int k = 0; k < sides; k++) {
        const int apart = abs(k - nearest), ring = c->closed ? sides - apart : apart;
        (void)nearest_part(2, &c->outline[2 * k], &c->outline[2 * ((k + 1) % c->n_outline)], x, &far);
        if (far > c->radii * c->radii || apart < 2 || ring < 2) continue;
        const along from = curve_at(&c->curve, x, sample(c, k)),
                    to = curve_at(&c->curve, x, sample(c, k + 1));
        if (hol_re(from.slope) <= 0 && hol_re(to.slope) > 0) most = fmax(most, c->radii - sqrt(far));
    }
    return most;
}

// A convex one, which a half-plane touches in one place.
void hol_core_cam(const hol_contact *c, const hol_real *x, hol_core *o)
{
    double least = HOL_INF;
    int lowest_one = 0;
    for (int k = 0; k < c->n_outline; k++) {
        const double at = hol_re(x[3]) * c->outline[2 * k] + hol_re(x[4]) * c->outline[2 * k + 1];
        if (!(at < least)) continue;
        least = at;
        lowest_one = k;
    }
    const hol_real s = settle(curve_below, &c->curve, x, sample(c, lowest_one), sample(c, lowest_one - 1.5),
                              sample(c, lowest_one + 1.5));
    const along at = curve_below(&c->curve, x, s);
    o->f = x[1] + x[3] * at.D[0] + x[4] * at.D[1];
    o->d[1] = 1;
    for (int i = 0; i < 2; i++) {
        o->w[i] = o->d[3 + i] = at.D[i];
        for (int j = 0; j < 2; j++) o->w_d[i][3 + j] = o->dd[3 + i][3 + j] = -at.X1[i] * at.X1[j] / at.bend;
    }
}
