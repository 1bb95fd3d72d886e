// Volume, centre and inertia of the simple shapes in closed form, their sum, and which points they hold.
#include "model/volume.h"
#include "model/spec.h"

#include <math.h>
#include <string.h>

static double square(double x) { return x * x; }

void hol_volume_shift(double m, const double d[3], double J[9])
{
    const double dd = square(d[0]) + square(d[1]) + square(d[2]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) J[3 * i + k] += m * ((i == k ? dd : 0) - d[i] * d[k]);
}

// (2.17)
void hol_volume_add(hol_volume *sum, const hol_volume *part, double density)
{
    const double m = density * part->V, all = sum->V + m;
    double d[3];
    for (int i = 0; i < 9; i++) sum->J[i] += density * part->J[i];
    for (int i = 0; i < 3; i++) d[i] = part->centre[i] - sum->centre[i];
    if (all != 0) hol_volume_shift(sum->V * (m / all), d, sum->J);
    for (int i = 0; i < 3 && all != 0; i++) sum->centre[i] += m / all * d[i];
    sum->V = all;
}

// About the middle, z being the axis. caps: half balls at both ends, `length` being between their centres. (2.16)
static void round_solid(double r, double length, bool caps, hol_volume *out)
{
    const double tube = HOL_PI * r * r * length, ball = caps ? 4 * HOL_PI / 3 * r * r * r : 0;
    out->V = tube + ball;
    out->J[8] = tube * r * r / 2 + ball * 0.4 * r * r;
    out->J[0] = out->J[4] = tube * (3 * r * r + length * length) / 12 +
                            ball * (0.4 * r * r + length * length / 4 + 0.375 * r * length);
}

static void box_solid(const double size[3], hol_volume *out)
{
    out->V = size[0] * size[1] * size[2];
    for (int i = 0; i < 3; i++)
        out->J[4 * i] = out->V * (square(size[(i + 1) % 3]) + square(size[(i + 2) % 3])) / 12;
}

// About z, of the radius R and that of the tube r. (2.16)
static void ring(double R, double r, hol_volume *out)
{
    out->V = 2 * HOL_PI * HOL_PI * R * r * r;
    out->J[8] = out->V * (R * R + 0.75 * r * r);
    out->J[0] = out->J[4] = out->V * (0.5 * R * R + 0.625 * r * r);
}

// Of half axes a. (2.16)
static void ellipsoid(const double a[3], hol_volume *out)
{
    out->V = 4 * HOL_PI / 3 * a[0] * a[1] * a[2];
    for (int i = 0; i < 3; i++)
        out->J[4 * i] = out->V * (square(a[(i + 1) % 3]) + square(a[(i + 2) % 3])) / 5;
}

// The volume in the axes that the shape's own are turned against.
static void place(const double position[3], const double quat[4], hol_volume *v)
{
    double R[9], c[3], RJ[9] = {0}, J[9] = {0};
    hol_quat_matrix(quat, R);
    memcpy(c, v->centre, sizeof c);
    for (int i = 0; i < 3; i++)
        v->centre[i] = position[i] + R[3 * i] * c[0] + R[3 * i + 1] * c[1] + R[3 * i + 2] * c[2];
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++) RJ[i] += R[3 * (i / 3) + k] * v->J[3 * k + i % 3];
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++) J[i] += RJ[3 * (i / 3) + k] * R[3 * (i % 3) + k];
    memcpy(v->J, J, sizeof v->J);
}

// From one point of a polyline to the next: a rod. Of a closed one, the last goes back to the first.
static int segments(const hol_drawing *d) { return d->n_points - (d->closed ? 0 : 1); }
static double segment(const hol_drawing *d, int i, const double **a, double along[3])
{
    *a = &d->point[3 * i];
    const double *b = &d->point[3 * ((i + 1) % d->n_points)];
    for (int k = 0; k < 3; k++) along[k] = b[k] - (*a)[k];
    return sqrt(square(along[0]) + square(along[1]) + square(along[2]));
}

// Round rods along a polyline, each as long as its segment.
static void rods(const hol_drawing *d, hol_volume *out)
{
    for (int i = 0; i < segments(d); i++) {
        hol_volume rod = {0};
        const double *a;
        double along[3], quat[4];
        const double length = segment(d, i, &a, along);
        if (!hol_frame_from_axes(along, NULL, quat)) continue;
        const double middle[3] = {a[0] + along[0] / 2, a[1] + along[1] / 2, a[2] + along[2] / 2};
        round_solid(d->size[0], length, false, &rod);
        place(middle, quat, &rod);
        hol_volume_add(out, &rod, 1);
    }
}

// In the unit of the file, whose numbers are of 24 bits before they are scaled. Its points are mirrored as they are read; other shapes are their own images.
static hol_status mesh_file(hol_context *ctx, const hol_drawing *d, hol_volume *out)
{
    hol_drawing plain = *d;
    hol_mesh mesh;
    plain.scale = 1;
    hol_status st = hol_mesh_read(ctx, &plain, &mesh);
    if (!st) st = hol_volume_of_mesh(ctx, &plain, &mesh, out);
    hol_mesh_destroy(&mesh);
    const double cube = d->scale * d->scale * d->scale;
    out->V *= cube;
    for (int i = 0; i < 3; i++) out->centre[i] *= d->scale;
    for (int i = 0; i < 9; i++) out->J[i] *= cube * d->scale * d->scale;
    return st;
}

// Of what is drawn.
static hol_status solid(hol_context *ctx, const hol_drawing *d, hol_volume *out)
{
    hol_status st = HOL_OK;
    switch (d->kind) {
    case HOL_SHAPE_BOX: box_solid(d->size, out); break;
    case HOL_SHAPE_CYLINDER: round_solid(d->size[0], d->size[1], false, out); break;
    case HOL_SHAPE_CAPSULE: round_solid(d->size[0], d->size[1], true, out); break;
    case HOL_SHAPE_SPHERE: round_solid(d->size[0], 0, true, out); break;
    case HOL_SHAPE_POLYLINE: rods(d, out); break;
    case HOL_SHAPE_MESH: st = mesh_file(ctx, d, out); break;
    case HOL_SHAPE_NONE: break;
    }
    return st;
}

hol_status hol_volume_of(hol_context *ctx, const hol_drawing *d, hol_volume *out)
{
    hol_status st = HOL_OK;
    *out = (hol_volume){0};
    if (d->touch == HOL_TOUCH_TORUS)
        ring(d->own[0], d->own[1], out);
    else if (d->touch == HOL_TOUCH_ELLIPSOID)
        ellipsoid(d->own, out);
    else
        st = solid(ctx, d, out);
    if (st) return st;
    if (!(out->V > 0) || !isfinite(out->V))
        return hol_fail_at(
            ctx, HOL_ERR_MODEL, d->at,
            "shape: a volume of %.3g m^3, which has no mass: are the units of its lengths right?", out->V);
    place(d->position, d->quat, out);
    return HOL_OK;
}

// ---- points ---------------------------------------------------------------------------------------------------

// Within a tube about z of this length, or within r of its axis where it has round ends?
static bool tube_holds(double r, double length, bool caps, const double x[3])
{
    const double beyond = fmax(fabs(x[2]) - length / 2, 0);
    return beyond > 0 && !caps ? false : square(x[0]) + square(x[1]) + square(beyond) <= r * r;
}

// Beside one of the segments, between its ends, and nearer than the radius?
static bool rods_hold(const hol_drawing *d, const double x[3])
{
    bool holds = false;
    for (int i = 0; i < segments(d) && !holds; i++) {
        const double *a;
        double along[3], s = 0, off = 0;
        const double length = segment(d, i, &a, along);
        for (int k = 0; k < 3 && length > 0; k++) s += (x[k] - a[k]) * along[k] / length;
        for (int k = 0; k < 3 && length > 0; k++) off += square(x[k] - a[k] - s * along[k] / length);
        holds = length > 0 && s >= 0 && s <= length && off <= square(d->size[0]);
    }
    return holds;
}

// The solid angle under which a closed surface is seen from a point is 4 pi within it and 0 outside. (2.19)
static bool mesh_holds(const hol_mesh *mesh, const double x[3])
{
    double sum = 0;
    for (int i = 0; i < mesh->n_triangles; i++) {
        double p[3][3], n[3];
        for (int a = 0; a < 3; a++) {
            for (int k = 0; k < 3; k++)
                p[a][k] = (double)mesh->position[3 * mesh->index[3 * i + a] + (unsigned)k] - x[k];
            n[a] = sqrt(square(p[a][0]) + square(p[a][1]) + square(p[a][2]));
        }
        double dot[3] = {0}, triple = 0;
        for (int k = 0; k < 3; k++) {
            for (int a = 0; a < 3; a++) dot[a] += p[a][k] * p[(a + 1) % 3][k];
            triple +=
                p[0][k] * (p[1][(k + 1) % 3] * p[2][(k + 2) % 3] - p[1][(k + 2) % 3] * p[2][(k + 1) % 3]);
        }
        sum += 2 * atan2(triple, n[0] * n[1] * n[2] + dot[0] * n[2] + dot[1] * n[0] + dot[2] * n[1]);
    }
    return fabs(sum) > 2 * HOL_PI;
}

bool hol_volume_holds(const hol_drawing *d, const hol_mesh *mesh, const double point[3])
{
    double R[9], x[3];
    hol_quat_matrix(d->quat, R);
    for (int i = 0; i < 3; i++) {
        x[i] = 0;
        for (int k = 0; k < 3; k++) x[i] += R[3 * k + i] * (point[k] - d->position[k]);
    }
    if (d->touch == HOL_TOUCH_TORUS)
        return square(hypot(x[0], x[1]) - d->own[0]) + square(x[2]) <= square(d->own[1]);
    if (d->touch == HOL_TOUCH_ELLIPSOID)
        return square(x[0] / d->own[0]) + square(x[1] / d->own[1]) + square(x[2] / d->own[2]) <= 1;
    switch (d->kind) {
    case HOL_SHAPE_BOX:
        return fabs(x[0]) <= d->size[0] / 2 && fabs(x[1]) <= d->size[1] / 2 && fabs(x[2]) <= d->size[2] / 2;
    case HOL_SHAPE_CYLINDER: return tube_holds(d->size[0], d->size[1], false, x);
    case HOL_SHAPE_CAPSULE: return tube_holds(d->size[0], d->size[1], true, x);
    case HOL_SHAPE_SPHERE: return tube_holds(d->size[0], 0, true, x);
    case HOL_SHAPE_POLYLINE: return rods_hold(d, x);
    case HOL_SHAPE_MESH: return mesh && mesh_holds(mesh, x);
    case HOL_SHAPE_NONE: break;
    }
    return false;
}

// A ball about a point in the shape's axes, or the point itself, is taken into the box.
static void take(const hol_drawing *d, const double R[9], const double x[3], const double by[3],
                 double low[3], double high[3])
{
    for (int i = 0; i < 3; i++) {
        double at = d->position[i];
        for (int k = 0; k < 3; k++) at += R[3 * i + k] * x[k];
        low[i] = fmin(low[i], at - by[i]);
        high[i] = fmax(high[i], at + by[i]);
    }
}

// How far a shape reaches from its middle along a direction n in its axes.
static double reach(const hol_drawing *d, const double n[3])
{
    const double across = sqrt(fmax(1 - square(n[2]), 0)), along = fabs(n[2]) * d->size[1] / 2;
    if (d->touch == HOL_TOUCH_TORUS) return d->own[0] * across + d->own[1];
    if (d->touch == HOL_TOUCH_ELLIPSOID)
        return sqrt(square(n[0] * d->own[0]) + square(n[1] * d->own[1]) + square(n[2] * d->own[2]));
    if (d->kind == HOL_SHAPE_BOX)
        return (fabs(n[0]) * d->size[0] + fabs(n[1]) * d->size[1] + fabs(n[2]) * d->size[2]) / 2;
    if (d->kind == HOL_SHAPE_SPHERE) return d->size[0];
    return d->size[0] * (d->kind == HOL_SHAPE_CYLINDER ? across : 1) + along;
}

void hol_volume_box(const hol_drawing *d, const hol_mesh *mesh, double low[3], double high[3])
{
    const double r = d->size[0], origin[3] = {0};
    double R[9], by[3] = {r, r, r};
    hol_quat_matrix(d->quat, R);
    for (int i = 0; i < 3; i++) low[i] = HOL_INF, high[i] = -HOL_INF;
    if (d->kind == HOL_SHAPE_POLYLINE && d->touch != HOL_TOUCH_TORUS) {
        for (int i = 0; i < d->n_points; i++) take(d, R, &d->point[3 * i], by, low, high);
    } else if (d->kind == HOL_SHAPE_MESH) {
        for (int i = 0; mesh && i < mesh->n_vertices; i++) {
            const float *p = &mesh->position[3 * i];
            const double x[3] = {(double)p[0], (double)p[1], (double)p[2]};
            take(d, R, x, origin, low, high);
        }
    } else {
        for (int i = 0; i < 3; i++) by[i] = reach(d, &R[3 * i]);
        take(d, R, origin, by, low, high);
    }
}
