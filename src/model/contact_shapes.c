// Pairs of shapes: what of the one touches what of the other. docs/theory.md, section 23.1.
#include "model/contact_shapes.h"
#include "element/marker.h"

#include <math.h>
#include <string.h>

#define ROUND                                                                                                \
    0.01 // where corners touch faces, edges of both shapes are round by this part of the smallest size

enum { MOST_POINTS = 40 };

// A place of a shape that is round, or a corner.
typedef struct {
    double s[3], radius, part;
} place;

// ---- shapes -----------------------------------------------------------------------------------------------------

static bool is_as_drawn(const hol_drawing *d, hol_shape_kind kind)
{
    return d->kind == kind && d->touch == HOL_TOUCH_DRAWN && !d->half;
}

static bool is_ball(const hol_drawing *d, int dimension)
{
    const bool disc = dimension == 2 && fabs(d->quat[1]) < 1e-12 && fabs(d->quat[2]) < 1e-12;
    return is_as_drawn(d, HOL_SHAPE_SPHERE) || (disc && is_as_drawn(d, HOL_SHAPE_CYLINDER));
}

static bool has_corners(const hol_drawing *d)
{
    return is_as_drawn(d, HOL_SHAPE_BOX) || d->touch == HOL_TOUCH_POLYGON;
}

bool hol_shape_has_points(const hol_drawing *d, int dimension)
{
    return has_corners(d) || (dimension == 3 && is_as_drawn(d, HOL_SHAPE_CYLINDER));
}

// A place in the axes of a shape, in those of its body.
static void to_body(const hol_drawing *d, const double s[3], double out[3])
{
    double R[9];
    hol_quat_matrix(d->quat, R);
    for (int i = 0; i < 3; i++)
        out[i] = d->position[i] + R[3 * i] * s[0] + R[3 * i + 1] * s[1] + R[3 * i + 2] * s[2];
}

bool hol_shape_ball(const hol_drawing *d, int dimension, double s[3], double *radius)
{
    if (!is_ball(d, dimension)) return false;
    memcpy(s, d->position, sizeof d->position);
    *radius = d->size[0];
    return true;
}

bool hol_shape_face(const hol_drawing *d, int dimension, double s[3], double n[3])
{
    const int up = dimension - 1;
    double R[9], face[3] = {0, 0, 0};
    if (!d->half) return false;
    hol_quat_matrix(d->quat, R);
    face[up] = d->size[up] / 2;
    to_body(d, face, s);
    for (int i = 0; i < 3; i++) n[i] = R[3 * i + up];
    return true;
}

// A turn of a shape about its z axis, in the plane to this angle.
static void turn(const double quat[4], double angle, double out[4])
{
    const double by[4] = {cos(angle / 2), 0, 0, sin(angle / 2)};
    hol_quat_multiply(quat, by, out);
}

// In the plane the axis of a capsule, which is z of what is drawn, is x of what touches.
static void turn_of_rod(const hol_drawing *d, int dimension, double out[4])
{
    static const double none[4] = {1, 0, 0, 0};
    double R[9];
    memcpy(out, d->quat, 4 * sizeof *out);
    if (dimension == 3) return;
    hol_quat_matrix(d->quat, R);
    turn(none, atan2(R[5], R[2]), out);
}

static double smallest(const double *size, int n)
{
    double least = size[0];
    for (int i = 1; i < n; i++) least = fmin(least, size[i]);
    return least;
}

// ---- places by which a shape touches ----------------------------------------------------------------------------

// In a mirror the place s of the file is S s in the axes of the shape: what is numbered there has the same numbers (docs/theory.md, section 18).
static void mirror_places(const hol_drawing *d, place *list, int n)
{
    for (int i = 0; i < n; i++) hol_mirror_point(d->mirror, list[i].s);
}

// Where k of `all` parts begin on an edge from -1/2 to 1/2, and what it counts for of the edge: halves at its ends.
static double lattice(int k, int all, double *part)
{
    *part *= (k == 0 || k == all ? 0.5 : 1.0) / all;
    return (double)k / all - 0.5;
}

static hol_status add_place(hol_arena *arena, place **list, int *n, place p)
{
    if (!HOL_ARENA_GROW(arena, *list, *n)) return HOL_ERR_MEMORY;
    (*list)[(*n)++] = p;
    return HOL_OK;
}

// Corners of a box, with points between: of a face they count for all of it, and each face counts for one.
static hol_status places_of_box(const hol_meetings *m, const hol_drawing *d, place **list, int *n)
{
    const int all = m->points + 1, deep = m->dimension == 3 ? all : 0;
    hol_status st = HOL_OK;
    for (int i = 0; i <= all; i++)
        for (int j = 0; j <= all; j++)
            for (int k = 0; k <= deep; k++) {
                const int at[3] = {i, j, k};
                place p = {{0}, 0, 1};
                int outer = 0;
                double part = 1;
                for (int x = 0; x < m->dimension; x++) {
                    const bool end = at[x] == 0 || at[x] == all;
                    double of = 1;
                    p.s[x] = d->size[x] * lattice(at[x], all, &of);
                    outer += end;
                    if (!end) part *= of;
                }
                // on a face: one end is that of the face, others are halves
                for (int x = 1; x < outer; x++) part *= 0.5 / all;
                if (m->points) p.part = part;
                if (outer && !st) st = add_place(m->arena, list, n, p);
            }
    return st;
}

// Middles of parts of each face, with their areas, which are those of a box of the size `whole`.
static hol_status areas_of_box(const hol_meetings *m, const hol_drawing *d, const double *whole, place **list,
                               int *n)
{
    const int faces = 2 * m->dimension, parts = m->points, deep = m->dimension == 3 ? parts : 1;
    hol_status st = HOL_OK;
    for (int f = 0; f < faces; f++)
        for (int i = 0; i < parts; i++)
            for (int j = 0; j < deep && !st; j++) {
                const int x = f / 2, a = (x + 1) % m->dimension, b = m->dimension == 3 ? (x + 2) % 3 : 2;
                place p = {{0}, 0, whole[a] * whole[b] / (parts * deep)};
                p.s[a] = d->size[a] * ((i + 0.5) / parts - 0.5);
                p.s[b] = m->dimension == 3 ? d->size[b] * ((j + 0.5) / parts - 0.5) : 0;
                p.s[x] = (f % 2 ? 0.5 : -0.5) * d->size[x];
                st = add_place(m->arena, list, n, p);
            }
    return st;
}

// Corners of a polygon; points between count as those of a box.
static hol_status places_of_polygon(const hol_meetings *m, const hol_drawing *d, place **list, int *n)
{
    hol_status st = HOL_OK;
    for (int k = 0; k < d->n_points; k++) {
        const double *a = &d->point[3 * k], *b = &d->point[3 * ((k + 1) % d->n_points)];
        for (int i = 0; i <= m->points && !st; i++) {
            const double t = (double)i / (m->points + 1), part = (i ? 1 : 0.5) / (m->points + 1);
            st = add_place(
                m->arena, list, n,
                (place){{a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), 0}, 0, m->points ? part : 1});
        }
    }
    return st;
}

// On both edges of a cylinder.
static hol_status places_of_rims(const hol_meetings *m, const hol_drawing *d, place **list, int *n)
{
    const double rim = d->own[0], R = d->size[0] - rim, half = d->size[1] / 2 - rim;
    hol_status st = HOL_OK;
    for (int side = -1; side <= 1; side += 2)
        for (int i = 0; i < m->points && !st; i++) {
            const double angle = 2 * HOL_PI * i / m->points;
            st = add_place(m->arena, list, n,
                           (place){{R * cos(angle), R * sin(angle), side * half}, rim, 1.0 / m->points});
        }
    return st;
}

// Both ends of a capsule, or the middle of a ball.
static hol_status round_places(const hol_meetings *m, const hol_drawing *d, place **list, int *n)
{
    const double R = d->size[0], half = d->size[1] / 2;
    if (is_ball(d, m->dimension)) return add_place(m->arena, list, n, (place){{0, 0, 0}, R, 1});
    hol_status st = HOL_OK;
    for (int side = -1; side <= 1 && !st; side += 2)
        st = add_place(m->arena, list, n, (place){{0, 0, side * half}, R, 1});
    return st;
}

// The corners in turn, anticlockwise, moved inwards by `round`.
static hol_status outline_of(const hol_meetings *m, const hol_drawing *d, double round, hol_meeting *o)
{
    const int n = d->n_points, dim = m->dimension;
    double area = 0;
    o->outline = hol_arena_alloc(m->arena, (size_t)(n * dim), sizeof *o->outline);
    if (!o->outline) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        const double *a = &d->point[3 * i], *b = &d->point[3 * ((i + 1) % n)];
        area += a[0] * b[1] - a[1] * b[0];
    }
    o->n_outline = n;
    o->closed = d->closed;
    o->solid = d->touch == HOL_TOUCH_POLYGON;
    for (int i = 0; i < n; i++) {
        const int k = o->solid && area < 0 ? n - 1 - i : i, way = o->solid && area < 0 ? n - 1 : 1;
        const double *p = &d->point[3 * ((k + n - way) % n)], *q = &d->point[3 * k],
                     *r = &d->point[3 * ((k + way) % n)];
        const double a = hypot(q[0] - p[0], q[1] - p[1]), b = hypot(r[0] - q[0], r[1] - q[1]),
                     u[2] = {(q[1] - p[1]) / a, -(q[0] - p[0]) / a},
                     v[2] = {(r[1] - q[1]) / b, -(r[0] - q[0]) / b}, by = 1 + u[0] * v[0] + u[1] * v[1];
        for (int x = 0; x < dim; x++)
            o->outline[dim * i + x] = q[x] - (round > 0 && x < 2 ? round * (u[x] + v[x]) / by : 0);
    }
    return HOL_OK;
}

// The smallest size of what corners touch.
static double size_of(const hol_meetings *m, const hol_drawing *d)
{
    double least = HOL_INF;
    if (d->touch != HOL_TOUCH_POLYGON) return smallest(d->size, m->dimension);
    for (int i = 0; i < d->n_points; i++) {
        const double *a = &d->point[3 * i], *b = &d->point[3 * ((i + 1) % d->n_points)];
        least = fmin(least, hypot(b[0] - a[0], b[1] - a[1]));
    }
    return least;
}

// The same shape, smaller by `round` on every side.
static hol_status shrink(const hol_meetings *m, hol_drawing *d, double round)
{
    hol_meeting inner = {.touched = 0};
    if (!(round > 0)) return HOL_OK;
    for (int i = 0; i < m->dimension; i++) d->size[i] -= 2 * round;
    if (d->touch != HOL_TOUCH_POLYGON) return HOL_OK;
    const hol_status st = outline_of(m, d, round, &inner);
    double *point = st ? NULL : hol_arena_alloc(m->arena, 3 * (size_t)d->n_points, sizeof *point);
    for (int i = 0; i < 2 * d->n_points && point; i++) point[3 * (i / 2) + i % 2] = inner.outline[i];
    d->point = point;
    return st ? st : point ? HOL_OK : HOL_ERR_MEMORY;
}

// Edges of a box or a polygon are round by `round`.
static hol_status places_of_corners(const hol_meetings *m, const hol_drawing *d, double round, place **list,
                                    int *n)
{
    hol_drawing inner = *d;
    hol_status st = shrink(m, &inner, round);
    if (!st && m->areas && d->touch != HOL_TOUCH_POLYGON)
        st = areas_of_box(m, &inner, d->size, list, n);
    else if (!st && !m->areas)
        st = (d->touch == HOL_TOUCH_POLYGON ? places_of_polygon : places_of_box)(m, &inner, list, n);
    for (int i = 0; i < *n; i++) (*list)[i].radius = round;
    return st;
}

// None: it has no such places.
static hol_status places_of(const hol_meetings *m, const hol_drawing *d, double round, place **list, int *n)
{
    hol_status st = HOL_OK;
    *list = NULL;
    *n = 0;
    if (has_corners(d))
        st = places_of_corners(m, d, round, list, n);
    else if (m->areas)
        return HOL_OK;
    else if (is_ball(d, m->dimension) || is_as_drawn(d, HOL_SHAPE_CAPSULE))
        st = round_places(m, d, list, n);
    else if (is_as_drawn(d, HOL_SHAPE_CYLINDER) && m->dimension == 3 && m->points)
        st = places_of_rims(m, d, list, n);
    if (d->touch != HOL_TOUCH_POLYGON) mirror_places(d, *list, *n); // whose corners are mirrored
    return st;
}

// ---- what is touched --------------------------------------------------------------------------------------------

// With end 1 in the middle of its shape.
static hol_meeting between(const hol_meetings *m, int touched, hol_contact_pair pair)
{
    const hol_drawing *d[2] = {m->shape[touched], m->shape[1 - touched]};
    hol_meeting out = {.pair = pair, .touched = touched, .bend = {(double)NAN, (double)NAN}, .part = 1};
    for (int e = 0; e < 2; e++) {
        memcpy(out.origin[e], d[e]->position, sizeof out.origin[e]);
        memcpy(out.quat[e], d[e]->quat, sizeof out.quat[e]);
    }
    return out;
}

static void set_end(hol_meeting *o, const hol_drawing *d, const place *p)
{
    to_body(d, p->s, o->origin[1]);
    o->radius[1] = p->radius;
    o->part = p->part;
}

static hol_status push(hol_meetings *m, const hol_meeting *o)
{
    if (!HOL_ARENA_GROW(m->arena, m->of, m->n)) return HOL_ERR_MEMORY;
    m->of[m->n++] = *o;
    return HOL_OK;
}

// What is flat or round: curvatures of the gap are those of the ball, and of it.
static void bend_by(hol_meeting *o, double first, double second)
{
    o->bend[0] = (1 / o->radius[1] + first) / 2;
    o->bend[1] = (1 / o->radius[1] + second) / 2;
}

// A box or a polygon, whose edges corners find round.
static hol_status touch_faces(const hol_meetings *m, const hol_drawing *d, const place *p, double round,
                              hol_meeting *o)
{
    o->radius[0] = round;
    o->most = round > 0 ? size_of(m, d) / 4 : p->radius / 2;
    if (round > 0)
        o->bend[0] = o->bend[1] = HOL_INF;
    else
        bend_by(o, 0, 0);
    if (d->touch == HOL_TOUCH_POLYGON) return outline_of(m, d, round, o);
    for (int i = 0; i < m->dimension; i++) o->size[i] = d->size[i] / 2 - round;
    return HOL_OK;
}

// ---- parts of a polygon -----------------------------------------------------------------------------------------

// By how much the outline of a polygon turns at a corner, to the left [rad].
static double turn_at(const hol_meeting *o, int k)
{
    const int n = o->n_outline;
    const double *p = &o->outline[2 * ((k + n - 1) % n)], *q = &o->outline[2 * k],
                 *r = &o->outline[2 * ((k + 1) % n)];
    const double a[2] = {q[0] - p[0], q[1] - p[1]}, b[2] = {r[0] - q[0], r[1] - q[1]};
    return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

static bool is_hollow(const hol_meeting *o, int k) { return turn_at(o, k) < -HOL_CONTACT_SHARP; }

// How far the line of a side goes on through the solid behind its end, or, backwards, before its beginning: half of the way to where it comes out.
static double way_inside(const hol_meeting *o, int side, bool back)
{
    const int n = o->n_outline, end = back ? side : (side + 1) % n;
    const double *from = &o->outline[2 * end], *other = &o->outline[2 * (back ? (side + 1) % n : side)];
    const double length = hypot(from[0] - other[0], from[1] - other[1]),
                 u[2] = {(from[0] - other[0]) / length, (from[1] - other[1]) / length};
    double least = HOL_INF;
    for (int k = 0; k < n; k++) {
        const double *a = &o->outline[2 * k], *b = &o->outline[2 * ((k + 1) % n)];
        const double d[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {a[0] - from[0], a[1] - from[1]},
                     det = u[1] * d[0] - u[0] * d[1];
        const double t = (r[1] * d[0] - r[0] * d[1]) / det, s = (u[0] * r[1] - u[1] * r[0]) / det;
        if (k == end || (k + 1) % n == end || !(s >= 0 && s <= 1 && t > 0)) continue;
        least = fmin(least, t);
    }
    return least < HOL_INF ? least / 2 : 0;
}

// A part from one corner of the outline to another one, anticlockwise, of so many sides. Which ends does another part share?
static void set_part(hol_meeting *o, int first, int last, int sides, const bool shared[2])
{
    const int n = o->n_outline;
    double *part = o->part_of;
    part[0] = first, part[1] = sides;
    part[2] = shared[0], part[3] = shared[1];
    part[4] = shared[0] ? 0 : way_inside(o, first, true);
    part[5] = shared[1] ? 0 : way_inside(o, (last + n - 1) % n, false);
    part[6] = o->radius[0] > 0 ? o->most : 0;
}

// A polygon with hollow corners is several contacts: its outline is parted there, and on sides between, which two parts share, so that none turns by
// more than half a turn, and what is without it is near to it in one place. In a mirror image it is gone round the other way, so that parts are images.
static hol_status push_parts(hol_meetings *m, hol_meeting *o)
{
    const hol_mirror mirror = m->shape[o->touched]->mirror;
    const bool back = hol_mirror_polar(mirror, 0) * hol_mirror_polar(mirror, 1) < 0;
    const int n = o->n_outline, way = back ? n - 1 : 1;
    int start = back ? n - 1 : 0, left = n;
    while (left > 0 && !(o->solid && is_hollow(o, start))) start = (start + way) % n, left--;
    if (left == 0) return push(m, o);
    double turned = 0;
    bool hollow = true; // is the part to begin in a hollow corner?
    hol_status st = HOL_OK;
    for (int first = 0, k = 1; k <= n && !st; k++) { // corners behind `start`; side k - 1 ends there
        const int corner = (start + k * way) % n, from = (start + first * way) % n;
        const double turn = turn_at(o, corner);
        const bool ends = is_hollow(o, corner), shared = !ends && turned > 0 && turned + turn > HOL_PI;
        if (!ends && !shared) {
            turned += fmax(turn, 0);
            continue;
        }
        set_part(o, back ? corner : from, back ? from : corner, k - first,
                 (const bool[2]){back ? shared : !hollow, back ? !hollow : shared});
        st = push(m, o);
        first = shared ? k - 1 : k;
        hollow = ends;
        turned = ends ? 0 : fmax(turn, 0);
    }
    return st;
}

// ---- curves -----------------------------------------------------------------------------------------------------

// Its curvature at a sample, above 0 where the solid is convex.
static double convex_at(const hol_drawing *d, int k, double *s)
{
    const hol_profile *p = d->profile;
    const int turn = p->sign[0] * p->sign[1] < 0 ? -1 : 1;
    *s = p->from + (p->to - p->from) * k / (p->polar ? d->n_points : d->n_points - 1);
    return hol_profile_bend(p, *s) * (p->polar ? turn : -turn);
}

// Why it does not fit, at a place of the curve.
static hol_status unfit(hol_meetings *m, const hol_drawing *d, double s, const char *what)
{
    const bool polar = d->profile->polar;
    m->unfit = hol_arena_print(m->arena, "does not fit: at %s%.4g %s the curve (of \"%%s\") %s",
                               polar ? "the angle " : "x = ", polar ? s * 180 / HOL_PI : s,
                               polar ? "deg" : "m", what);
    return m->unfit ? HOL_OK : HOL_ERR_MEMORY;
}

// A ball touches it in one place alone where no hollow is as narrow (docs/theory.md, 23.1).
static hol_status touch_curve(hol_meetings *m, const hol_drawing *d, double R, hol_meeting *o)
{
    double least = R, hollow = 0, at = 0, s;
    for (int k = 0; k < d->n_points; k++) {
        const double bend = convex_at(d, k, &s);
        least = fmin(least, 1 / fabs(bend));
        if (bend < hollow) hollow = bend, at = s;
    }
    if (hollow * R <= -1) {
        const char *text = hol_arena_print(
            m->arena,
            "has a hollow of radius %.4g m, the ball %.4g m; make the ball smaller, or the hollow wider",
            -1 / hollow, R);
        return text ? unfit(m, d, at, text) : HOL_ERR_MEMORY;
    }
    o->profile = d->profile;
    o->fine = least;
    o->most = R / 2;
    return outline_of(m, d, 0, o);
}

// A half-plane must touch it in one place alone.
static hol_status add_cam(hol_meetings *m, int touched)
{
    const hol_drawing *d = m->shape[1 - touched];
    const double face[3] = {0, m->shape[touched]->size[1] / 2, 0};
    hol_meeting o = between(m, touched, HOL_CONTACT_HALF_CURVE);
    double least = HOL_INF, s;
    for (int k = 0; k < d->n_points && !m->unfit; k++) {
        const double bend = convex_at(d, k, &s);
        const hol_status st =
            !d->profile->polar
                ? unfit(m, d, s,
                        "is open, and a half-plane touches closed convex ones alone; give it `polar: yes`")
            : bend <= 0
                ? unfit(m, d, s, "is hollow, where a half-plane would touch it in two places; make it convex")
                : HOL_OK;
        if (st) return st;
        least = fmin(least, 1 / bend);
        o.reach = fmax(o.reach, hypot(d->point[3 * k], d->point[3 * k + 1]));
    }
    if (m->unfit) return HOL_OK;
    to_body(m->shape[touched], face, o.origin[0]);
    o.profile = d->profile;
    o.fine = least;
    o.most = least / 2;
    const hol_status st = outline_of(m, d, 0, &o);
    return st ? st : push(m, &o);
}

// ---- pairs ------------------------------------------------------------------------------------------------------

// Everything else that a ball may touch, but a half-space and a ball.
static hol_status touch_round(const hol_meetings *m, const hol_drawing *d, const place *p, hol_meeting *o)
{
    static const double none[4] = {1, 0, 0, 0};
    const double *first = d->point, *last = first ? first + 3 : NULL;
    o->most = p->radius / 2;
    if (is_as_drawn(d, HOL_SHAPE_CAPSULE)) {
        turn_of_rod(d, m->dimension, o->quat[0]);
        o->size[m->dimension == 2 ? 0 : 2] = d->size[1] / 2;
        o->radius[0] = d->size[0];
        bend_by(o, 0, m->dimension == 2 ? 0 : 1 / d->size[0]);
    } else if (d->touch == HOL_TOUCH_SEGMENT) {
        const double middle[3] = {(first[0] + last[0]) / 2, (first[1] + last[1]) / 2, 0};
        to_body(d, middle, o->origin[0]);
        turn(d->quat, atan2(last[1] - first[1], last[0] - first[0]), o->quat[0]);
        o->size[0] = hypot(last[0] - first[0], last[1] - first[1]) / 2;
        bend_by(o, 0, 0);
    } else if (d->touch == HOL_TOUCH_ARC) {
        const double *middle = &d->point[3 * (d->n_points / 2)];
        turn(d->closed ? none : d->quat, d->closed ? 0 : atan2(middle[1], middle[0]), o->quat[0]);
        o->size[0] = d->own[0], o->size[1] = d->own[1];
    } else if (d->touch == HOL_TOUCH_ELLIPSOID) {
        memcpy(o->size, d->own, sizeof o->size);
        o->most = fmin(o->most, smallest(d->own, 3) / 4);
    } else if (d->touch == HOL_TOUCH_TORUS) {
        o->size[0] = d->own[0];
        o->radius[0] = d->own[1];
    } else if (is_as_drawn(d, HOL_SHAPE_CYLINDER)) {
        const double rim = d->own[0];
        o->radius[0] = rim;
        o->size[0] = d->size[0] - rim, o->size[1] = d->size[1] / 2 - rim;
    } else { // a polyline
        o->radius[0] = d->size[0];
        return outline_of(m, d, 0, o);
    }
    return HOL_OK;
}

// Which pair a place makes with what it touches; -1: none.
static int pair_of(const hol_meetings *m, const hol_drawing *d, bool corner)
{
    if (d->half) return HOL_CONTACT_HALF_BALL;
    if (is_ball(d, m->dimension)) return corner ? -1 : HOL_CONTACT_BALLS;
    if (d->touch == HOL_TOUCH_POLYGON) return HOL_CONTACT_OUTLINE_BALL;
    if (is_as_drawn(d, HOL_SHAPE_BOX)) return HOL_CONTACT_BOX_BALL;
    if (corner) return -1;
    if (d->touch == HOL_TOUCH_CURVE) return HOL_CONTACT_CURVE_BALL;
    if (d->touch == HOL_TOUCH_ELLIPSOID) return HOL_CONTACT_EGG_BALL;
    if (d->touch == HOL_TOUCH_ARC || d->touch == HOL_TOUCH_TORUS) return HOL_CONTACT_RING_BALL;
    if (d->touch == HOL_TOUCH_SEGMENT || is_as_drawn(d, HOL_SHAPE_CAPSULE)) return HOL_CONTACT_BOX_BALL;
    if (is_as_drawn(d, HOL_SHAPE_POLYLINE) && d->size[0] > 0) return HOL_CONTACT_OUTLINE_BALL;
    return m->dimension == 3 && is_as_drawn(d, HOL_SHAPE_CYLINDER) ? HOL_CONTACT_CAN_BALL : -1;
}

// The places of the other shape.
static hol_status add_places(hol_meetings *m, int touched)
{
    const hol_drawing *d = m->shape[touched], *other = m->shape[1 - touched];
    const bool corners = has_corners(other);
    const double round = corners && has_corners(d) ? ROUND * fmin(size_of(m, d), size_of(m, other)) : 0;
    place *list;
    int n;
    hol_status st = places_of(m, other, round, &list, &n);
    for (int k = 0; k < n && !st; k++) {
        const int pair = pair_of(m, d, corners), up = m->dimension - 1;
        if (pair < 0) return HOL_OK;
        hol_meeting o = between(m, touched, (hol_contact_pair)pair);
        set_end(&o, other, &list[k]);
        if (d->half) {
            double face[3] = {0, 0, 0};
            face[up] = d->size[up] / 2;
            to_body(d, face, o.origin[0]);
            o.most = list[k].radius > 0 ? list[k].radius / 2 : HOL_INF;
            bend_by(&o, 0, 0);
        } else if (pair == HOL_CONTACT_BALLS) {
            o.radius[0] = d->size[0];
            o.most = fmin(d->size[0], list[k].radius) / 2;
            bend_by(&o, 1 / d->size[0], 1 / d->size[0]);
        } else if (pair == HOL_CONTACT_CURVE_BALL) {
            st = touch_curve(m, d, list[k].radius, &o);
            if (m->unfit) return st;
        } else {
            st = has_corners(d) ? touch_faces(m, d, &list[k], round, &o) : touch_round(m, d, &list[k], &o);
        }
        if (!st) st = o.solid ? push_parts(m, &o) : push(m, &o);
    }
    return st;
}

// ---- shapes that are no balls -----------------------------------------------------------------------------------

// Edges of a cylinder, a torus, an ellipsoid on a half-space.
static hol_status add_lowest(hol_meetings *m, int touched)
{
    const hol_drawing *d = m->shape[touched], *other = m->shape[1 - touched];
    const bool can = is_as_drawn(other, HOL_SHAPE_CYLINDER), egg = other->touch == HOL_TOUCH_ELLIPSOID;
    const double rim = can ? other->own[0] : other->own[1], half = other->size[1] / 2 - rim;
    const double face[3] = {0, 0, d->size[2] / 2};
    hol_status st = HOL_OK;
    for (int side = -1; side <= 1 && !st; side += 2) {
        hol_meeting o = between(m, touched, egg ? HOL_CONTACT_HALF_ELLIPSOID : HOL_CONTACT_HALF_RIM);
        place p = {{0, 0, can ? side * half : 0}, egg ? 0 : rim, 1};
        mirror_places(other, &p, 1);
        set_end(&o, other, &p);
        to_body(d, face, o.origin[0]);
        o.size[0] = can ? other->size[0] - rim : other->own[0];
        if (egg) memcpy(o.size, other->own, sizeof o.size);
        o.reach = egg ? fmax(fmax(o.size[0], o.size[1]), o.size[2]) : o.size[0];
        o.fine = egg ? smallest(o.size, 3) : o.size[0];
        o.most = (egg ? smallest(o.size, 3) : o.size[0] + rim) / 4;
        st = push(m, &o);
        if (!can) return st;
    }
    return st;
}

// Two capsules, at the nearest places of their axes.
static hol_status add_rods(hol_meetings *m)
{
    const hol_drawing *d[2] = {m->shape[1], m->shape[0]};
    hol_meeting o = between(m, 1, HOL_CONTACT_RODS);
    for (int e = 0; e < 2; e++) {
        turn_of_rod(d[e], m->dimension, o.quat[e]);
        o.radius[e] = d[e]->size[0];
        o.size[e] = d[e]->size[1] / 2;
    }
    o.reach = o.size[1];
    o.most = fmin(o.radius[0], o.radius[1]) / 2;
    return push(m, &o);
}

// Two ellipsoids.
static hol_status add_eggs(hol_meetings *m)
{
    const double *own = m->shape[0]->own, *D = m->shape[1]->own;
    hol_meeting o = between(m, 1, HOL_CONTACT_EGGS);
    o.outline = hol_arena_alloc(m->arena, 3, sizeof *o.outline);
    if (!o.outline) return HOL_ERR_MEMORY;
    memcpy(o.size, D, sizeof o.size);
    memcpy(o.outline, own, sizeof o.size);
    o.n_outline = 1;
    o.reach = fmax(fmax(own[0], own[1]), own[2]);
    o.fine = fmin(smallest(D, 3), smallest(own, 3));
    o.most = o.fine / 4;
    return push(m, &o);
}

static bool has_lowest(const hol_meetings *m, const hol_drawing *d)
{
    return d->touch == HOL_TOUCH_TORUS || d->touch == HOL_TOUCH_ELLIPSOID ||
           (m->dimension == 3 && is_as_drawn(d, HOL_SHAPE_CYLINDER) && !m->points);
}

hol_status hol_meetings_find(hol_meetings *m)
{
    const hol_drawing *a = m->shape[0], *b = m->shape[1];
    m->n = 0;
    m->of = NULL;
    m->unfit = NULL;
    if (a->half || b->half) {
        const int touched = b->half ? 1 : 0;
        if (has_lowest(m, m->shape[1 - touched]) && !m->areas) return add_lowest(m, touched);
        if (m->shape[1 - touched]->touch == HOL_TOUCH_CURVE) return add_cam(m, touched);
        return add_places(m, touched);
    }
    if (is_as_drawn(a, HOL_SHAPE_CAPSULE) && is_as_drawn(b, HOL_SHAPE_CAPSULE)) return add_rods(m);
    if (a->touch == HOL_TOUCH_ELLIPSOID && b->touch == HOL_TOUCH_ELLIPSOID) return add_eggs(m);
    if (is_ball(a, m->dimension)) return add_places(m, 1);
    if (is_ball(b, m->dimension)) return add_places(m, 0);
    if (!has_corners(a) || !has_corners(b)) return HOL_OK;
    if (m->dimension == 3 && !m->points) return HOL_OK; // edges would pass through each other
    const hol_status st = add_places(m, 1);
    return st ? st : add_places(m, 0);
}

// ---- Hertz ------------------------------------------------------------------------------------------------------

// Complete elliptic integrals K, E of parameter e^2 = m, by the arithmetic-geometric mean.
static void elliptic(double m, double *K, double *E)
{
    double a = 1, b = sqrt(1 - m), sum = m, power = 1;
    while (fabs(a - b) > 1e-15 * a) {
        const double next = (a + b) / 2, c = (a - b) / 2;
        b = sqrt(a * b);
        a = next;
        power *= 2;
        sum += power * c * c;
    }
    *K = HOL_PI / (2 * a);
    *E = *K * (1 - sum / 2);
}

// B/A of an ellipse of contact of eccentricity e, m = e^2.
static double ratio_of(double m)
{
    double K, E;
    elliptic(m, &K, &E);
    return (E / (1 - m) - K) / (K - E);
}

double hol_hertz_stiffness(double A, double B)
{
    double lo = 0, hi = 1, K, E;
    if (B - A < 1e-6 * B) return 4.0 / 3 / sqrt(A + B); // 1/(2 sqrt(A B)) within the square of that
    for (int i = 0; i < 100; i++) {
        const double m = (lo + hi) / 2;
        *(ratio_of(m) < B / A ? &lo : &hi) = m;
    }
    elliptic(lo, &K, &E);
    return 2 * HOL_PI / 3 * sqrt(K - E) / (sqrt(A) * sqrt(lo) * pow(K, 1.5));
}
