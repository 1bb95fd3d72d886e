// Volume, centre and inertia of what a surface of triangles encloses, and whether it encloses anything.
#include "model/volume.h"
#include "base/option.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of area times extent: below that, positions of 24 bits hold no volume.
#define FLAT 1e-7

typedef struct {
    int end[2]; // the smaller point first
    int way;    // +1 from the smaller to the larger
} edge;

typedef struct {
    hol_context *ctx;
    const hol_drawing *d;
    const hol_mesh *mesh;
    int *point; // of a vertex: the first one in its place                        (n_vertices)
    int *part;  // of a point: one that stands for its part of the surface        (n_vertices)
    int n_edges;
    edge *edge;         //                                                                 (3 n_triangles)
    hol_volume *volume; // of the part of a point                                         (n_vertices)
    double (*box)[6];   // low, then high                                                 (n_vertices)
} surface;

static hol_status refuse(const surface *s, const char *format, ...) HOL_PRINTF(2, 3);
static hol_status refuse(const surface *s, const char *format, ...)
{
    char text[500];
    va_list list;
    va_start(list, format);
    hol_decimal_vprint(text, sizeof text, format, list);
    va_end(list);
    return hol_fail_at(s->ctx, HOL_ERR_MODEL, s->d->at, "shape: the mesh file \"%s\" %s, or %s", s->d->file,
                       text, hol_mesh_way_out(s->d));
}

static const float *position(const surface *s, int vertex) { return &s->mesh->position[3 * vertex]; }

// ---- points and edges -----------------------------------------------------------------------------------------

typedef struct {
    float x[3];
    int vertex;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    for (int i = 0; i < 3; i++)
        if (p->x[i] != q->x[i]) return p->x[i] < q->x[i] ? -1 : 1;
    return p->vertex - q->vertex;
}

static int by_ends(const void *a, const void *b)
{
    const edge *e = a, *f = b;
    return e->end[0] != f->end[0] ? (e->end[0] > f->end[0]) - (e->end[0] < f->end[0])
                                  : (e->end[1] > f->end[1]) - (e->end[1] < f->end[1]);
}

// Vertices in one place are one point.
static hol_status weld(surface *s)
{
    const int n = s->mesh->n_vertices;
    placed *all = hol_calloc(s->ctx, (size_t)n + 1, sizeof *all);
    if (!all) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        memcpy(all[i].x, position(s, i), sizeof all[i].x);
        all[i].vertex = i;
    }
    qsort(all, (size_t)n, sizeof *all, by_place);
    for (int i = 0, first = 0; i < n; i++) {
        if (memcmp(all[i].x, all[first].x, sizeof all[i].x) != 0 &&
            (all[i].x[0] != all[first].x[0] || all[i].x[1] != all[first].x[1] ||
             all[i].x[2] != all[first].x[2]))
            first = i;
        s->point[all[i].vertex] = all[first].vertex;
    }
    hol_free(all);
    return HOL_OK;
}

static int part_of(surface *s, int point)
{
    while (s->part[point] != point) point = s->part[point] = s->part[s->part[point]];
    return point;
}

static void corners(const surface *s, int triangle, int out[3])
{
    for (int a = 0; a < 3; a++) out[a] = s->point[s->mesh->index[3 * triangle + a]];
}

// The edges of all triangles that have three points, and the parts that they hold together.
static void list_edges(surface *s)
{
    for (int i = 0; i < s->mesh->n_vertices; i++) s->part[i] = i;
    for (int i = 0; i < s->mesh->n_triangles; i++) {
        int p[3];
        corners(s, i, p);
        if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) continue;
        for (int a = 0; a < 3; a++) {
            const int from = p[a], to = p[(a + 1) % 3];
            s->edge[s->n_edges++] =
                (edge){.end = {from < to ? from : to, from < to ? to : from}, .way = from < to ? 1 : -1};
            s->part[part_of(s, from)] = part_of(s, to);
        }
    }
    qsort(s->edge, (size_t)s->n_edges, sizeof *s->edge, by_ends);
}

// In a closed surface of one orientation every edge is gone along as often one way as the other.
static hol_status check_edges(const surface *s)
{
    int open = 0, turned = 0, first = -1, next;
    for (int i = 0; i < s->n_edges; i = next) {
        int sum = 0;
        for (next = i; next < s->n_edges && by_ends(&s->edge[i], &s->edge[next]) == 0; next++)
            sum += s->edge[next].way;
        const bool is_open = (next - i) % 2 != 0;
        if (sum == 0 || (open && !is_open)) continue;
        if (first < 0 || (is_open && !open)) first = i;
        open += is_open;
        turned += !is_open;
    }
    if (first < 0) return HOL_OK;
    const float *a = position(s, s->edge[first].end[0]), *b = position(s, s->edge[first].end[1]);
    char where[300];
    hol_decimal_print(where, sizeof where,
                      "(%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) in the numbers of the file", (double)a[0],
                      (double)a[1], (double)a[2], (double)b[0], (double)b[1], (double)b[2]);
    if (open)
        return refuse(s,
                      "is open, and encloses no volume: %d edge%s no triangle on one side, such as that from "
                      "%s; close the surface in the program that made it",
                      open, open > 1 ? "s have" : " has", where);
    return refuse(
        s,
        "has triangles that look outwards beside others that look inwards, at %d edge%s such as that "
        "from %s; make all of them look outwards in the program that made it",
        turned, turned > 1 ? "s" : "", where);
}

// ---- integrals ------------------------------------------------------------------------------------------------

// A tetrahedron from the origin to a triangle: its volume, first and second moments, added. (2.18)
static double add_tetrahedron(double p[3][3], double *V, double first[3], double second[9])
{
    double c[3], sum[3];
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        c[k] = (p[1][l] - p[0][l]) * (p[2][m] - p[0][m]) - (p[1][m] - p[0][m]) * (p[2][l] - p[0][l]);
        sum[k] = p[0][k] + p[1][k] + p[2][k];
    }
    const double v = (p[0][0] * c[0] + p[0][1] * c[1] + p[0][2] * c[2]) / 6;
    *V += v;
    for (int i = 0; i < 3; i++) {
        first[i] += v / 4 * sum[i];
        for (int k = 0; k < 3; k++)
            second[3 * i + k] +=
                v / 20 * (p[0][i] * p[0][k] + p[1][i] * p[1][k] + p[2][i] * p[2][k] + sum[i] * sum[k]);
    }
    return sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) / 2; // the area of the triangle
}

// Centre and inertia from the moments about `middle`.
static void from_moments(double V, const double first[3], const double second[9], const double middle[3],
                         hol_volume *out)
{
    double trace = 0, about[9];
    for (int i = 0; i < 9; i++) about[i] = second[i] - first[i / 3] * first[i % 3] / V;
    for (int i = 0; i < 3; i++) trace += about[4 * i];
    for (int i = 0; i < 9; i++) out->J[i] = (i % 4 == 0 ? trace : 0) - about[i];
    for (int i = 0; i < 3; i++) out->centre[i] = middle[i] + first[i] / V;
    out->V = V;
}

// Volumes and boxes of the parts, for the question which of them looks inwards.
static void measure_parts(surface *s)
{
    double unused[9] = {0};
    for (int i = 0; i < s->mesh->n_vertices; i++)
        for (int k = 0; k < 3; k++) s->box[i][k] = HOL_INF, s->box[i][3 + k] = -HOL_INF;
    for (int i = 0; i < s->mesh->n_triangles; i++) {
        int c[3];
        double p[3][3];
        corners(s, i, c);
        const int part = part_of(s, c[0]);
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < 3; k++) {
                p[a][k] = (double)position(s, c[a])[k] - (double)position(s, part)[k];
                s->box[part][k] = fmin(s->box[part][k], (double)position(s, c[a])[k]);
                s->box[part][3 + k] = fmax(s->box[part][3 + k], (double)position(s, c[a])[k]);
            }
        add_tetrahedron(p, &s->volume[part].V, unused, unused);
    }
}

// A part that looks inwards is a cavity where another one holds it.
static hol_status check_parts(surface *s)
{
    for (int i = 0; i < s->mesh->n_vertices; i++) {
        if (s->part[i] != i || !(s->volume[i].V < 0)) continue;
        bool held = false;
        for (int j = 0; j < s->mesh->n_vertices && !held; j++) {
            held = s->part[j] == j && s->volume[j].V > -s->volume[i].V;
            for (int k = 0; k < 3; k++)
                held = held && s->box[j][k] <= s->box[i][k] && s->box[j][3 + k] >= s->box[i][3 + k];
        }
        if (held) continue;
        const float *a = position(s, i);
        return refuse(
            s,
            "is turned inside out: the triangles about (%.6g, %.6g, %.6g) in the numbers of the file "
            "look inwards (clockwise seen from outside); turn them round in the program that made it",
            (double)a[0], (double)a[1], (double)a[2]);
    }
    return HOL_OK;
}

// All tetrahedra from the middle of the box, where rounding is least.
static hol_status integrate(const surface *s, hol_volume *out)
{
    double low[3], high[3], middle[3], V = 0, first[3] = {0}, second[9] = {0}, area = 0, size = 0;
    for (int k = 0; k < 3; k++) low[k] = HOL_INF, high[k] = -HOL_INF;
    for (int i = 0; i < s->mesh->n_triangles; i++)
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < 3; k++) {
                const double x = (double)position(s, (int)s->mesh->index[3 * i + a])[k];
                low[k] = fmin(low[k], x);
                high[k] = fmax(high[k], x);
            }
    for (int k = 0; k < 3; k++) {
        middle[k] = (low[k] + high[k]) / 2;
        size = fmax(size, high[k] - low[k]);
    }
    for (int i = 0; i < s->mesh->n_triangles; i++) {
        double p[3][3];
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < 3; k++)
                p[a][k] = (double)position(s, (int)s->mesh->index[3 * i + a])[k] - middle[k];
        area += add_tetrahedron(p, &V, first, second);
    }
    if (!(fabs(V) > FLAT * area * size))
        return refuse(s, "is flat: it encloses no volume; give its plate a thickness there");
    from_moments(V, first, second, middle, out);
    return HOL_OK;
}

hol_status hol_volume_of_mesh(hol_context *ctx, const hol_drawing *d, const hol_mesh *mesh, hol_volume *out)
{
    const size_t vertices = (size_t)mesh->n_vertices + 1;
    surface s = {.ctx = ctx, .d = d, .mesh = mesh};
    s.point = hol_calloc(ctx, vertices, sizeof *s.point);
    s.part = hol_calloc(ctx, vertices, sizeof *s.part);
    s.volume = hol_calloc(ctx, vertices, sizeof *s.volume);
    s.box = hol_calloc(ctx, vertices, sizeof *s.box);
    s.edge = hol_calloc(ctx, 3 * (size_t)mesh->n_triangles + 1, sizeof *s.edge);
    hol_status st = s.point && s.part && s.volume && s.box && s.edge ? weld(&s) : HOL_ERR_MEMORY;
    if (!st) {
        list_edges(&s);
        measure_parts(&s);
        st = check_edges(&s);
    }
    if (!st) st = integrate(&s, out);
    if (!st) st = check_parts(&s);
    hol_free(s.point);
    hol_free(s.part);
    hol_free(s.volume);
    hol_free(s.box);
    hol_free(s.edge);
    return st;
}
