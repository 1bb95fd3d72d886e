// Geoms of MJCF: what they weigh, and how they are drawn.
#include "io/import_mjcf.h"

#include <math.h>
#include <string.h>

typedef enum { SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID, MESH, PLANE, HFIELD, KINDS } kind;
static const char *const kinds[KINDS] = {"sphere",    "capsule", "cylinder", "box",
                                         "ellipsoid", "mesh",    "plane",    "hfield"};

typedef struct {
    kind kind;
    double size[3]; // half sizes [m]
    hol_frame frame;
    double mass, density;
    bool has_mass;
} geom;

// A geom's type; sphere is what stands for none.
static hol_status find_kind(hol_mjcf *m, hol_xml *e, int around, kind *out)
{
    const char *type;
    *out = SPHERE;
    hol_status st = hol_mjcf_get(m, e, "type", around, &type);
    if (st || !type) return st;
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kinds[k], type) == 0) {
            *out = (kind)k;
            return HOL_OK;
        }
    return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<geom>: type \"%.40s\" is not known", type);
}

// Middle, direction and half length from both ends; the first size is the radius, or half the width.
static hol_status place_between(hol_mjcf *m, hol_xml *e, int around, geom *g, bool *given)
{
    double ends[6], d[3], length = 0;
    const char *text;
    hol_status st = hol_mjcf_get(m, e, "fromto", around, &text);
    *given = !st && text;
    if (!*given) return st;
    st = hol_mjcf_numbers(m, e, "fromto", around, 6, ends);
    if (st) return st;
    if (g->kind == SPHERE || g->kind >= MESH)
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<geom>: fromto: a %s has no ends",
                           kinds[g->kind]);
    for (int i = 0; i < 3; i++) d[i] = ends[i + 3] - ends[i];
    for (int i = 0; i < 3; i++) length += d[i] * d[i];
    length = sqrt(length);
    if (!(length > 0))
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<geom>: fromto: both ends are one point");
    for (int i = 0; i < 3; i++) d[i] /= length;
    for (int i = 0; i < 3; i++) g->frame.p[i] = ends[i] / 2 + ends[i + 3] / 2;
    hol_mjcf_point_z(d, g->frame.R);
    if (g->kind == BOX || g->kind == ELLIPSOID) {
        g->size[1] = g->size[0];
        g->size[2] = length / 2;
    } else
        g->size[1] = length / 2;
    return HOL_OK;
}

// Half sizes and the frame, by pos and a turn, or by two ends.
static hol_status read_size(hol_mjcf *m, hol_xml *e, int around, geom *g)
{
    static const int wanted[KINDS] = {1, 2, 2, 3, 3, 0, 0, 0};
    int n;
    bool between = false;
    hol_status st = hol_mjcf_some(m, e, "size", around, 3, g->size, &n);
    if (!st) st = hol_mjcf_frame(m, e, around, &g->frame);
    if (!st) st = place_between(m, e, around, g, &between);
    const int least = between ? 1 : wanted[g->kind];
    bool positive = true;
    for (int i = 0; i < wanted[g->kind]; i++) positive = positive && g->size[i] > 0;
    if (st || (n >= least && positive)) return st;
    return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<geom>: size: a %s has %d, above 0%s",
                       kinds[g->kind], wanted[g->kind], between ? ", of which fromto gives the last" : "");
}

// What it takes up [m^3]; nothing for what has no mass.
static double volume(const geom *g)
{
    const double *s = g->size, disc = HOL_PI * s[0] * s[0];
    switch (g->kind) {
    case SPHERE: return 4.0 / 3 * disc * s[0];
    case CAPSULE: return disc * (2 * s[1] + 4.0 / 3 * s[0]);
    case CYLINDER: return disc * 2 * s[1];
    case BOX: return 8 * s[0] * s[1] * s[2];
    case ELLIPSOID: return 4.0 / 3 * HOL_PI * s[0] * s[1] * s[2];
    default: return 0;
    }
}

// Principal moments of a mass that is spread evenly.
static void moments(const geom *g, double mass, double I[3])
{
    const double *s = g->size, r = s[0], h = 2 * s[1];
    if (g->kind == SPHERE)
        I[0] = I[1] = I[2] = 0.4 * mass * r * r;
    else if (g->kind == BOX || g->kind == ELLIPSOID)
        for (int i = 0; i < 3; i++) {
            const double a = s[(i + 1) % 3], b = s[(i + 2) % 3];
            I[i] = mass * (a * a + b * b) / (g->kind == BOX ? 3 : 5);
        }
    else { // a cylinder, and of a capsule two half balls, whose centres are 3/8 of the radius beyond its ends
        const double caps = g->kind == CAPSULE ? mass * 4 * r / (4 * r + 3 * h) : 0, middle = mass - caps;
        I[0] = I[1] = middle * (3 * r * r + h * h) / 12 + caps * (0.4 * r * r + h * h / 4 + 3.0 / 8 * r * h);
        I[2] = middle * r * r / 2 + 0.4 * caps * r * r;
    }
}

// Adds a geom to the mass, com and tensor of its link.
static void add_mass(hol_robot_link *l, const geom *g, double mass)
{
    double I[3], J[9] = {0}, d[2][3];
    const double all = l->mass + mass;
    moments(g, mass, I);
    for (int i = 0; i < 3; i++) J[4 * i] = I[i];
    hol_matrix_turn(g->frame.R, J, J);
    for (int i = 0; i < 3; i++) {
        const double com = all > 0 ? (l->mass * l->com[i] + mass * g->frame.p[i]) / all : 0;
        d[0][i] = l->com[i] - com;
        d[1][i] = g->frame.p[i] - com;
        l->com[i] = com;
    }
    for (int i = 0; i < 9; i++) l->J[i] += J[i];
    hol_inertia_move(l->J, l->mass, d[0]);
    hol_inertia_move(l->J, mass, d[1]);
    l->mass = all;
}

// The mesh of a geom, by its file.
static hol_status find_mesh(hol_mjcf *m, hol_xml *e, int around, hol_robot_shape *s, bool *kept)
{
    const char *name, *file, *why = NULL;
    double scale[3] = {1, 1, 1};
    hol_status st = hol_mjcf_get(m, e, "mesh", around, &name);
    const int i = !st && name ? hol_names_find(m->meshes, name) : -1;
    if (st) return st;
    if (i < 0)
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<geom>: there is no mesh \"%.60s\" in <asset>",
                           name ? name : "");
    st = hol_mjcf_numbers(m, m->mesh[i], "scale", -1, 3, scale);
    file = hol_xml_get(m->mesh[i], "file");
    const char *path = file ? hol_arena_print(m->in->arena, "%s%s", m->mesh_folder, file) : "";
    if (!st && !path) return HOL_ERR_MEMORY;
    if (!st) st = hol_import_file(m->in, path, &s->file, &why);
    if (!st && !why && (scale[0] != scale[1] || scale[0] != scale[2] || scale[0] <= 0))
        why = "meshes that are mirrored or stretched";
    s->type = "mesh";
    s->scale = scale[0];
    *kept = !why;
    return st || !why ? st
                      : hol_import_tell(m->in, HOL_TOLD_LEFT_OUT, e->at, name, why, "they are not drawn");
}

static hol_status read_color(hol_mjcf *m, hol_xml *e, int around, const char **color)
{
    double rgba[4];
    int n, byte[3];
    hol_status st = hol_mjcf_some(m, e, "rgba", around, 4, rgba, &n);
    if (st || n < 3) return st;
    for (int i = 0; i < 3; i++) byte[i] = (int)round(255 * fmin(1, fmax(0, rgba[i])));
    *color = hol_arena_print(m->in->arena, "#%02x%02x%02x", byte[0], byte[1], byte[2]);
    return *color ? HOL_OK : HOL_ERR_MEMORY;
}

// A shape of the link, if there is one like it.
static hol_status draw(hol_mjcf *m, hol_xml *e, int around, const geom *g, hol_robot_link *l)
{
    hol_robot_shape s = {.type = kinds[g->kind],
                         .scale = 1,
                         .pose = g->frame,
                         .size = {g->size[0], 2 * g->size[1], 2 * g->size[2]}};
    bool kept = g->kind <= BOX;
    hol_status st = read_color(m, e, around, &s.color);
    if (g->kind == BOX) s.size[0] = 2 * g->size[0];
    if (!st && g->kind == MESH)
        st = find_mesh(m, e, around, &s, &kept);
    else if (!st && !kept)
        st = hol_import_tell(m->in, HOL_TOLD_LEFT_OUT, e->at, kinds[g->kind], "shapes that have no like",
                             "they are not drawn");
    if (st || !kept) return st;
    if (!HOL_ARENA_GROW(m->in->arena, l->shape, l->n_shapes)) return HOL_ERR_MEMORY;
    l->shape[l->n_shapes++] = s;
    return HOL_OK;
}

// Does it meet others? Counted, for contacts are not taken.
static hol_status count_contacts(hol_mjcf *m, hol_xml *e, int around)
{
    double own = 1, others = 1;
    hol_status st = hol_mjcf_numbers(m, e, "contype", around, 1, &own);
    if (!st) st = hol_mjcf_numbers(m, e, "conaffinity", around, 1, &others);
    m->n_colliding += own != 0 || others != 0;
    return st;
}

hol_status hol_mjcf_read_geom(hol_mjcf *m, hol_xml *e, int around, hol_robot_link *l, bool massive)
{
    geom g = {.density = 1000};
    double mass = 0;
    int n;
    hol_status st = find_kind(m, e, around, &g.kind);
    const char *mesh = NULL;
    if (!st) st = hol_mjcf_get(m, e, "mesh", around, &mesh);
    if (mesh && g.kind == SPHERE) g.kind = MESH;
    if (!st) st = read_size(m, e, around, &g);
    if (!st) st = hol_mjcf_some(m, e, "mass", around, 1, &mass, &n);
    if (st) return st;
    st = hol_mjcf_numbers(m, e, "density", around, 1, &g.density);
    if (!n) mass = g.density * volume(&g);
    if (!st && (mass < 0 || g.density < 0))
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<geom>: its mass or density is negative");
    if (!st && massive && g.kind == MESH)
        st = hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, mesh, "masses of meshes",
                             "they weigh nothing; give the body <inertial>");
    else if (!st && massive && g.kind < MESH && mass > 0)
        add_mass(l, &g, mass);
    if (!st) st = count_contacts(m, e, around);
    return st ? st : draw(m, e, around, &g, l);
}
