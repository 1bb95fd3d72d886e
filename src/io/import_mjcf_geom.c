// Geoms of MJCF: what they weigh, and how they are drawn.
#include "io/import_mjcf.h"
#include "model/drawing.h"
#include "model/volume.h"

#include <math.h>
#include <string.h>

typedef enum { SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID, MESH, PLANE, HFIELD, KINDS } kind;
static const char *const kinds[KINDS] = {"sphere",    "capsule", "cylinder", "box",
                                         "ellipsoid", "mesh",    "plane",    "hfield"};

typedef struct {
    kind kind;
    double size[3]; // half sizes [m]
    hol_import_frame frame;
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

// Half sizes and the frame, by pos and a turn, or by two ends; the first size is the radius then, or half the width.
static hol_status read_size(hol_mjcf *m, hol_xml *e, int around, geom *g)
{
    static const int wanted[KINDS] = {1, 2, 2, 3, 3, 0, 0, 0};
    int n;
    double half = 0;
    hol_status st = hol_mjcf_first_ones(m, e, "size", around, 3, 3, g->size, &n);
    if (!st) st = hol_mjcf_frame(m, e, around, &g->frame);
    if (!st) st = hol_mjcf_between(m, e, around, kinds[g->kind], &g->frame, &half);
    if (!st) st = hol_mjcf_move(m, e, &g->frame);
    const bool between = half > 0;
    const int least = between ? 1 : wanted[g->kind];
    if (between && wanted[g->kind] == 3) g->size[1] = g->size[0];
    if (between) g->size[wanted[g->kind] - 1] = half;
    bool positive = true;
    for (int i = 0; i < wanted[g->kind]; i++) positive = positive && g->size[i] > 0;
    if (st || (n >= least && positive)) return st;
    return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<geom>: size: a %s has %d, above 0%s",
                       kinds[g->kind], wanted[g->kind], between ? ", of which fromto gives the last" : "");
}

// What it takes up, about its middle in its own axes; nothing for what has no mass.
static hol_status volume(hol_mjcf *m, const hol_xml *e, const geom *g, hol_volume *v)
{
    static const hol_shape_kind like[] = {HOL_SHAPE_SPHERE, HOL_SHAPE_CAPSULE, HOL_SHAPE_CYLINDER,
                                          HOL_SHAPE_BOX};
    const double *s = g->size, half = g->kind == BOX ? 2 : 1;
    *v = (hol_volume){0};
    if (g->kind <= BOX) {
        const hol_drawing d = {.kind = like[g->kind],
                               .quat = {1, 0, 0, 0},
                               .size = {half * s[0], 2 * s[1], 2 * s[2]},
                               .at = e->at};
        return hol_volume_of(m->in->ctx, &d, v);
    }
    if (g->kind != ELLIPSOID) return HOL_OK;
    v->V = 4.0 / 3 * HOL_PI * s[0] * s[1] * s[2];
    for (int i = 0; i < 3; i++)
        v->J[4 * i] = v->V * (s[(i + 1) % 3] * s[(i + 1) % 3] + s[(i + 2) % 3] * s[(i + 2) % 3]) / 5;
    return HOL_OK;
}

// Adds a geom to the mass, com and tensor of its link.
static void add_mass(hol_robot_link *l, const geom *g, const hol_volume *v, double mass)
{
    double J[9] = {0}, d[2][3];
    const double all = l->mass + mass;
    for (int i = 0; i < 9; i += 4) J[i] = mass / v->V * v->J[i];
    hol_matrix_turn(g->frame.R, J, J);
    for (int i = 0; i < 3; i++) {
        const double com = all > 0 ? (l->mass * l->com[i] + mass * g->frame.p[i]) / all : 0;
        d[0][i] = l->com[i] - com;
        d[1][i] = g->frame.p[i] - com;
        l->com[i] = com;
    }
    for (int i = 0; i < 9; i++) l->J[i] += J[i];
    hol_volume_shift(l->mass, d[0], l->J);
    hol_volume_shift(mass, d[1], l->J);
    l->mass = all;
}

// The mesh of a geom, by its file.
static hol_status find_mesh(hol_mjcf *m, hol_xml *e, int around, hol_robot_shape *s, bool *kept)
{
    const char *name, *file;
    double scale[3] = {1, 1, 1};
    hol_status st = hol_mjcf_get(m, e, "mesh", around, &name);
    const int i = !st && name ? hol_names_find(m->meshes, name) : -1;
    if (st) return st;
    if (i < 0)
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<geom>: there is no mesh \"%.60s\" in <asset>",
                           name ? name : "");
    st = hol_mjcf_numbers(m, m->mesh[i], "scale", -1, 3, scale);
    file = hol_xml_get(m->mesh[i], "file");
    const char *last = file ? strrchr(file, '/') : NULL;
    if (m->strips && last) file = last + 1;
    const char *path =
        file ? hol_arena_print(m->in->arena, "%s%s", *file == '/' ? "" : m->mesh_folder, file) : "";
    if (!st && !path) return HOL_ERR_MEMORY;
    s->type = "mesh";
    return st ? st : hol_import_mesh(m->in, e->at, name, path, scale, &s->file, &s->scale, kept);
}

static hol_status read_color(hol_mjcf *m, hol_xml *e, int around, const char **color)
{
    double rgba[4];
    int n;
    const hol_status st = hol_mjcf_some(m, e, "rgba", around, 4, rgba, &n);
    return st || n < 3 ? st : hol_import_color(m->in, rgba, color);
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

hol_status hol_mjcf_read_geom(hol_mjcf *m, hol_xml *e, int around, hol_robot_link *l, bool massive)
{
    geom g = {.density = 1000};
    hol_volume v;
    double mass = 0, group = 0;
    int n;
    hol_status st = hol_mjcf_class_around(m, e, &around);
    if (!st) st = find_kind(m, e, around, &g.kind);
    const char *mesh = NULL;
    if (!st) st = hol_mjcf_get(m, e, "mesh", around, &mesh);
    if (mesh && g.kind < MESH) g.kind = MESH; // a shape is fitted to the mesh, whatever its size
    if (!st) st = read_size(m, e, around, &g);
    if (!st) st = hol_mjcf_numbers(m, e, "group", around, 1, &group);
    massive = massive && group >= m->groups[0] && group <= m->groups[1];
    if (!st) st = hol_mjcf_some(m, e, "mass", around, 1, &mass, &n);
    if (st) return st;
    st = hol_mjcf_numbers(m, e, "density", around, 1, &g.density);
    if (!st) st = volume(m, e, &g, &v);
    if (st) return st;
    if (!n) mass = g.density * v.V;
    if (!st && (mass < 0 || g.density < 0))
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<geom>: its mass or density is negative");
    if (!st && massive && g.kind == MESH)
        st = hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, mesh, "masses of meshes",
                             "they weigh nothing; give the body <inertial>");
    const bool weighs = massive && g.kind < MESH && mass > 0;
    if (!st && weighs) add_mass(l, &g, &v, mass);
    bool seen = false;
    if (!st) st = hol_mjcf_list_contacts(m, e, around, l, weighs, &seen);
    if (massive && !(seen && m->discards && !weighs)) {
        m->weighing++;
        memcpy(m->place, g.frame.p, sizeof m->place);
    }
    return st ? st : draw(m, e, around, &g, l);
}
