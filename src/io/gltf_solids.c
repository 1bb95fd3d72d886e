// The solids of an export as glTF: shapes as triangles that nodes share, and their colours.
#include "io/gltf_data.h"

#include <math.h>
#include <string.h>

// One more item of a list, which may move; NULL: no memory.
static void *hol_gltf_more(hol_gltf *g, void *list, int which, int *n, size_t size)
{
    void *old;
    memcpy(&old, list, sizeof old);
    char *grown = hol_grow(g->ctx, old, &g->room[which], *n + 1, size);
    if (!grown) return NULL;
    memcpy(list, &grown, sizeof grown);
    return memset(grown + (size_t)(*n)++ * size, 0, size);
}

// The colours of the report page (viewer/src/colours.js): by turns, of many bodies a run along their list.
static int body_color(int body, int n)
{
    static const int few[] = {0x5b8db8, 0xd69a5c, 0x6aa893, 0xb98aa6, 0x8fb3cf, 0xc9b35f, 0x8d90b8, 0xb07f6c};
    static const int run[] = {0x4f7ea8, 0x68a69a, 0xd2b46c, 0xc58268};
    enum { MANY = 16, GROUND = 0x9aa3ae };
    if (body < 0) return GROUND;
    if (n <= MANY) return few[body % HOL_COUNT(few)];
    const double x = (double)body / (n - 1) * (HOL_COUNT(run) - 1);
    const int i = x < HOL_COUNT(run) - 2 ? (int)x : HOL_COUNT(run) - 2;
    int color = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const int a = run[i] >> shift & 0xff, b = run[i + 1] >> shift & 0xff;
        color = color << 8 | (int)lround(a + (x - i) * (b - a));
    }
    return color;
}

enum { LEFT_OUT = -2 }; // a mesh that cannot be read, which has been told

// Has the mesh file been read, or tried in vain, for a drawing before this one?
static bool tried_before(const hol_gltf *g, const hol_drawing *d)
{
    for (const hol_drawing *p = g->scene->drawing; p < d; p++)
        if (p->kind == HOL_SHAPE_MESH && hol_mesh_same(p, d)) return true;
    return false;
}

// -1: no memory, or the mesh file cannot be read.
static int find_geometry(hol_gltf *g, hol_gltf_geometry wanted)
{
    wanted.like = g->n_geometries;
    for (int i = g->n_geometries - 1; i >= 0; i--) {
        const hol_gltf_geometry *a = &g->geometry[i];
        if (a->from_file != wanted.from_file) continue;
        if (a->from_file) {
            if (hol_mesh_same(a->source, wanted.source)) return i;
        } else if (a->kind == wanted.kind) {
            // as exactly as the file has lengths: equal links that differ by rounding share their triangles
            if ((float)a->length == (float)wanted.length) return i;
            wanted.like = a->like;
        }
    }
    if (wanted.from_file && tried_before(g, wanted.source)) return LEFT_OUT;
    if (wanted.from_file && hol_mesh_read(g->ctx, wanted.source, &wanted.mesh)) return -1;
    hol_gltf_geometry *new = hol_gltf_more(g, &g->geometry, 0, &g->n_geometries, sizeof *new);
    if (!new) {
        hol_mesh_destroy(&wanted.mesh);
        return -1;
    }
    *new = wanted;
    return g->n_geometries - 1;
}

static int find_color(hol_gltf *g, int color)
{
    for (int i = g->n_colors - 1; i >= 0; i--)
        if (g->color[i] == color) return i;
    int *new = hol_gltf_more(g, &g->color, 1, &g->n_colors, sizeof *new);
    if (!new) return -1;
    *new = color;
    return g->n_colors - 1;
}

static int find_surface(hol_gltf *g, int of, int color)
{
    for (int i = g->n_surfaces - 1; i >= 0; i--)
        if (g->surface[i].geometry == of && g->surface[i].color == color) return i;
    hol_gltf_surface *new = hol_gltf_more(g, &g->surface, 2, &g->n_surfaces, sizeof *new);
    if (!new) return -1;
    *new = (hol_gltf_surface){of, color};
    return g->n_surfaces - 1;
}

// A mesh whose file cannot be read is told and not drawn, as in the report.
static hol_status leave_out(const hol_gltf *g)
{
    hol_note(g->ctx, HOL_NOTICE, "export: a mesh is not drawn: %s", hol_context_error(g->ctx));
    hol_context_clear(g->ctx);
    return HOL_OK;
}

// A solid of a body: its geometry once for all that are alike, its surface (geometry and colour), its place.
static hol_status add_solid(hol_gltf *g, const hol_drawing *d, hol_gltf_geometry wanted,
                            const double position[3], const double quat[4], const double scale[3])
{
    const int of = find_geometry(g, wanted), own = d->color;
    if (of == LEFT_OUT) return HOL_OK;
    if (of < 0 && hol_context_status(g->ctx) == HOL_ERR_MODEL) return leave_out(g);
    const int color = of < 0 ? -1 : find_color(g, own >= 0 ? own : body_color(d->body, g->m->n_bodies));
    const int number = color < 0 ? -1 : find_surface(g, of, color);
    hol_gltf_solid *new = number < 0 ? NULL : hol_gltf_more(g, &g->solid, 3, &g->n_solids, sizeof *new);
    if (!new) return hol_context_status(g->ctx) ? hol_context_status(g->ctx) : HOL_ERR_MEMORY;
    new->body = d->body;
    new->surface = number;
    memcpy(new->position, position, sizeof new->position);
    memcpy(new->quat, quat, sizeof new->quat);
    memcpy(new->scale, scale, sizeof new->scale);
    return HOL_OK;
}

// Inferred links of neighbours have one radius and meet in one place: there they would flicker.
static double thinner(const hol_drawing *d)
{
    return d->inferred && d->body > 0 ? 1 - 0.015 * (d->body % 4) : 1;
}

static hol_status add_capsule(hol_gltf *g, const hol_drawing *d, const double position[3],
                              const double quat[4], double radius, double length)
{
    const double r = radius * thinner(d);
    return add_solid(g, d, (hol_gltf_geometry){.kind = HOL_SOLID_CAPSULE, .length = r > 0 ? length / r : 0},
                     position, quat, (const double[3]){r, r, r});
}

void hol_gltf_turn_z_to(const double u[3], double quat[4])
{
    const double w = sqrt(fmax(0, (1 + u[2]) / 2));
    const bool back = w < 1e-8;
    quat[0] = back ? 0 : w;
    quat[1] = back ? 1 : -u[1] / (2 * w);
    quat[2] = back ? 0 : u[0] / (2 * w);
    quat[3] = 0;
}

// Lines of a polyline are capsules.
static hol_status add_polyline(hol_gltf *g, const hol_drawing *d)
{
    const int n = d->closed ? d->n_points : d->n_points - 1;
    double R[9];
    hol_status st = HOL_OK;
    hol_quat_matrix(d->quat, R);
    for (int i = 0; i < n && !st; i++) {
        const double *a = d->point + 3 * i, *b = d->point + 3 * ((i + 1) % d->n_points);
        double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, middle[3], turn[4], quat[4];
        const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (int k = 0; k < 3; k++) {
            u[k] = length > 0 ? u[k] / length : k == 2;
            middle[k] = d->position[k];
            for (int j = 0; j < 3; j++) middle[k] += R[3 * k + j] * (a[j] + b[j]) / 2;
        }
        hol_gltf_turn_z_to(u, turn);
        hol_quat_multiply(d->quat, turn, quat);
        st = add_capsule(g, d, middle, quat, d->size[0], length);
    }
    return st;
}

hol_status hol_gltf_add(hol_gltf *g, const hol_drawing *d)
{
    const double *s = d->size;
    switch (d->kind) {
    case HOL_SHAPE_BOX:
        return add_solid(g, d, (hol_gltf_geometry){.kind = HOL_SOLID_BOX}, d->position, d->quat, s);
    case HOL_SHAPE_CYLINDER:
        return add_solid(g, d, (hol_gltf_geometry){.kind = HOL_SOLID_CYLINDER}, d->position, d->quat,
                         (const double[3]){s[0], s[0], s[1]});
    case HOL_SHAPE_SPHERE:
        if (d->touch == HOL_TOUCH_ELLIPSOID)
            return add_solid(g, d, (hol_gltf_geometry){.kind = HOL_SOLID_CAPSULE}, d->position, d->quat, s);
        return add_capsule(g, d, d->position, d->quat, s[0], 0);
    case HOL_SHAPE_CAPSULE: return add_capsule(g, d, d->position, d->quat, s[0], s[1]);
    case HOL_SHAPE_POLYLINE: return add_polyline(g, d);
    case HOL_SHAPE_MESH:
        return add_solid(g, d, (hol_gltf_geometry){.from_file = true, .source = d}, d->position, d->quat,
                         (const double[3]){1, 1, 1});
    case HOL_SHAPE_NONE: break;
    }
    return HOL_OK;
}

int hol_gltf_plain(hol_gltf *g, hol_solid kind, int color)
{
    const int of = find_geometry(g, (hol_gltf_geometry){.kind = kind}),
              number = of < 0 ? -1 : find_color(g, color);
    return number < 0 ? -1 : find_surface(g, of, number);
}
