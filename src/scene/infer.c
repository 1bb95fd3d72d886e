// Pictures of bodies about which the model says nothing: links between the places where something is attached, or a
// solid with the body's inertia. What is drawn turns with the body and does not depend on names or on the order of
// elements.
#include "scene/infer.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static const double same = 0.02;      // lengths that differ by this part count as equal
static const double least_radii = 2;  // of a solid, in radii of a link
static const double most_lengths = 1; // its half, in lengths of a link

typedef struct {
    const hol_model_data *m;
    int body;
    const hol_places *p;
    double length, radius; // of the model's links, of this body's
    hol_inertia inertia;
    hol_drawings *out;
    bool linked; // a link is drawn already
} subject;

hol_drawing *hol_drawings_add(hol_drawings *d, hol_shape_kind kind, int body)
{
    if (!HOL_GROW(d->ctx, d->list, d->capacity, d->n + 1)) return NULL;
    d->list[d->n] = (hol_drawing){
        .kind = kind, .body = body, .quat = {1, 0, 0, 0}, .scale = 1, .color = -1, .inferred = true};
    return &d->list[d->n++];
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static const double centre[3] = {0, 0, 0};

static hol_inertia inertia_of(const hol_model_data *m, int body)
{
    const hol_element *e = &m->element[body];
    hol_inertia in = {0};
    e->type->inertia(e->data, &in);
    return in;
}

double hol_infer_reach(const hol_places *p)
{
    if (p->n == 0) return 0;
    if (p->n == 1) return 2 * distance(p->at[0], centre);
    // the longest distance from the first place and from the one found: right for two, and near it for more
    int far = 0;
    for (int i = 1; i < p->n; i++)
        if (distance(p->at[i], p->at[0]) > distance(p->at[far], p->at[0])) far = i;
    double longest = 0;
    for (int i = 0; i < p->n; i++) longest = fmax(longest, distance(p->at[i], p->at[far]));
    return longest;
}

double hol_infer_width(const hol_model_data *m, int body)
{
    const hol_inertia in = inertia_of(m, body);
    const double sum = m->dimension == 2 ? in.J[8] : (in.J[0] + in.J[4] + in.J[8]) / 2;
    return in.m > 0 && sum > 0 ? 2 * sqrt(2 * sum / in.m) : 0;
}

// ---- links ----------------------------------------------------------------------------------------------------

// A capsule from one point of the body to the other.
static hol_status link_between(const subject *s, const double a[3], const double b[3])
{
    const double z[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, length = distance(a, b);
    hol_drawing *d = hol_drawings_add(s->out, HOL_SHAPE_CAPSULE, s->body);
    if (!d) return HOL_ERR_MEMORY;
    for (int i = 0; i < 3; i++) d->position[i] = (a[i] + b[i]) / 2;
    if (length > 0) hol_frame_from_axes(z, NULL, d->quat);
    d->size[0] = s->radius;
    d->size[1] = length;
    return HOL_OK;
}

// Twice the area of the triangle, planar.
static double turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Distance of c from the segment a b.
static double off_segment(const double *a, const double *b, const double *c)
{
    double along = 0, whole = 0, foot[3];
    for (int i = 0; i < 3; i++) {
        along += (c[i] - a[i]) * (b[i] - a[i]);
        whole += (b[i] - a[i]) * (b[i] - a[i]);
    }
    const double part = whole > 0 ? fmin(fmax(along / whole, 0), 1) : 0;
    for (int i = 0; i < 3; i++) foot[i] = a[i] + part * (b[i] - a[i]);
    return distance(foot, c);
}

// The places all on one line: its ends.
static bool on_line(const hol_places *p, double reach, int end[2])
{
    end[0] = 0;
    end[1] = p->n - 1; // the order is lexicographic: the first and the last are the ends of a line
    for (int i = 0; i < p->n; i++)
        if (off_segment(p->at[0], p->at[p->n - 1], p->at[i]) > 1e-6 * reach) return false;
    return true;
}

// The convex hull of places in ascending order (Andrew's monotone chain), anticlockwise; returns how many.
static int hull_of(const hol_places *p, double reach, double (*hull)[3])
{
    int n = 0;
    for (int pass = 0; pass < 2; pass++) {
        const int start = n;
        for (int k = 0; k < p->n; k++) {
            const double *at = p->at[pass ? p->n - 1 - k : k];
            while (n >= start + 2 && turn(hull[n - 2], hull[n - 1], at) <= 1e-9 * reach * reach) n--;
            memcpy(hull[n++], at, sizeof *hull);
        }
        n--; // the last is the first of the other half
    }
    return n;
}

// A frame along the hull, and a link from each place within it to the nearest corner.
static hol_status polygon(const subject *s, double reach)
{
    const hol_places *p = s->p;
    double(*hull)[3] = hol_arena_alloc(s->out->arena, 2 * (size_t)p->n + 2, sizeof *hull);
    hol_drawing *d = hull ? hol_drawings_add(s->out, HOL_SHAPE_POLYLINE, s->body) : NULL;
    if (!d) return HOL_ERR_MEMORY;
    const int n = hull_of(p, reach, hull);
    d->size[0] = s->radius;
    d->closed = true;
    d->n_points = n;
    d->point = hull[0];
    for (int i = 0; i < p->n; i++) {
        double off = HOL_INF;
        int nearest = 0;
        for (int k = 0; k < n; k++) {
            off = fmin(off, off_segment(hull[k], hull[(k + 1) % n], p->at[i]));
            if (distance(hull[k], p->at[i]) < distance(hull[nearest], p->at[i])) nearest = k;
        }
        hol_status st = off > 1e-6 * reach ? link_between(s, p->at[i], hull[nearest]) : HOL_OK;
        if (st) return st;
    }
    return HOL_OK;
}

static hol_status star(const subject *s)
{
    double middle[3] = {0, 0, 0};
    for (int i = 0; i < s->p->n; i++)
        for (int k = 0; k < 3; k++) middle[k] += s->p->at[i][k] / s->p->n;
    for (int i = 0; i < s->p->n; i++)
        if (link_between(s, s->p->at[i], middle)) return HOL_ERR_MEMORY;
    return HOL_OK;
}

// ---- solids ---------------------------------------------------------------------------------------------------

// Edges as they are drawn: neither too thin to be seen nor, where inertias are not those of things, too large.
static void fit(const subject *s, double edge[3])
{
    const double most = fmax(edge[0], fmax(edge[1], edge[2])),
                 shrink = fmin(1, 2 * most_lengths * s->length / most);
    for (int i = 0; i < 3; i++) edge[i] = fmax(edge[i] * (most > 0 ? shrink : 1), least_radii * s->radius);
}

// A block on the way along which the body slides.
static hol_status slider(const subject *s)
{
    const hol_marker *k = s->p->slide;
    hol_drawing *d = hol_drawings_add(s->out, HOL_SHAPE_BOX, s->body);
    if (!d) return HOL_ERR_MEMORY;
    for (int i = 0; i < 3; i++) d->size[i] = 5 * s->radius;
    d->size[s->m->dimension == 2 ? 0 : 2] = 8 * s->radius;
    memcpy(d->quat, hol_marker_quat(k), sizeof d->quat);
    return HOL_OK;
}

// A flat disc with the radius of the body's inertia, and a spoke without which nobody would see it turn.
static hol_status disc(const subject *s)
{
    hol_drawing *d = hol_drawings_add(s->out, HOL_SHAPE_CYLINDER, s->body);
    if (!d) return HOL_ERR_MEMORY;
    const double width = hol_infer_width(s->m, s->body);
    d->size[0] = fmin(fmax(width / 2, least_radii * s->radius), most_lengths * s->length);
    d->size[1] = s->radius;
    const double rim[3] = {d->size[0], 0, 0};
    if (s->linked) return HOL_OK;
    subject spoke = *s; // without it nobody sees the disc turn
    spoke.radius = 0.75 * s->radius;
    return link_between(&spoke, centre, rim);
}

// The box of the same mass and inertia: a^2 = 6 (Jy + Jz - Jx)/m in the principal axes.
static hol_status box(const subject *s)
{
    double J[9], R[9], value[3];
    hol_drawing *d = hol_drawings_add(s->out, HOL_SHAPE_BOX, s->body);
    if (!d) return HOL_ERR_MEMORY;
    memcpy(J, s->inertia.J, sizeof J);
    if (J[1] == 0 && J[2] == 0 && J[5] == 0)
        for (int i = 0; i < 3; i++) value[i] = J[4 * i];
    else {
        hol_status st = hol_dense_eigen_symmetric(s->out->ctx, 3, J, true, value);
        if (st) return st;
        const double *x = J, *y = J + 3; // eigenvectors, one after another
        for (int i = 0; i < 3; i++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3;
            R[3 * i] = x[i], R[3 * i + 1] = y[i], R[3 * i + 2] = x[a] * y[b] - x[b] * y[a];
        }
        hol_matrix_quat(R, d->quat);
    }
    const double m = s->inertia.m;
    for (int i = 0; i < 3; i++) {
        const double square = value[(i + 1) % 3] + value[(i + 2) % 3] - value[i];
        d->size[i] = m > 0 && square > 0 ? sqrt(6 * square / m) : 0;
    }
    fit(s, d->size);
    return HOL_OK;
}

static hol_status ball(const subject *s)
{
    hol_drawing *d = hol_drawings_add(s->out, HOL_SHAPE_SPHERE, s->body);
    if (!d) return HOL_ERR_MEMORY;
    d->size[0] = least_radii * s->radius;
    return HOL_OK;
}

static hol_status solid(const subject *s)
{
    if (s->m->body[s->body].frame == HOL_FRAME_POINT) return ball(s);
    if (s->p->slide) return slider(s);
    return s->m->dimension == 2 ? disc(s) : box(s);
}

// ---- one place ------------------------------------------------------------------------------------------------

// Half the length of the slender bar through the centre of mass and the place that has the body's inertia; 0: none has.
static double half_bar(const subject *s, const double p[3], double d)
{
    const double *J = s->inertia.J;
    double across = J[8];
    if (s->m->dimension == 3) {
        double along = 0;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) along += p[i] * J[3 * i + k] * p[k] / (d * d);
        across = (J[0] + J[4] + J[8] - along) / 2;
        if (along > 0.2 * across) return 0;
    }
    const double half = s->inertia.m > 0 ? sqrt(3 * across / s->inertia.m) : 0;
    if (half < (1 - same) * d || half > 3 * d) return 0;
    return half < (1 + same) * d ? d : half;
}

// A body attached at one place: a solid if that is at the centre, else a bar through both, or a link to the
// centre and a solid there.
static hol_status one_place(const subject *s)
{
    const double *p = s->p->at[0], d = distance(p, centre);
    if (d <= 0.1 * s->radius || s->m->body[s->body].frame == HOL_FRAME_POINT) return solid(s);
    const double half = half_bar(s, p, d) / d;
    if (half > 0) {
        const double a[3] = {half * p[0], half * p[1], half * p[2]}, b[3] = {-a[0], -a[1], -a[2]};
        return link_between(s, a, b);
    }
    subject rest = *s;
    rest.linked = true;
    hol_status st = link_between(s, p, centre);
    return st ? st : solid(&rest);
}

hol_status hol_infer_body(const hol_model_data *m, int body, const hol_places *p, double length,
                          double radius, hol_drawings *out)
{
    const double reach = hol_infer_reach(p);
    subject s = {m, body, p, length, radius, inertia_of(m, body), out, false};
    if (reach > 0) s.radius = fmin(radius, fmax(0.15 * reach, 0.25 * radius));
    if (p->n == 0) return solid(&s);
    if (p->n == 1) return one_place(&s);
    int end[2];
    if (on_line(p, reach, end)) return link_between(&s, p->at[end[0]], p->at[end[1]]);
    return m->dimension == 2 ? polygon(&s, reach) : star(&s);
}
