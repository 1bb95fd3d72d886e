// URDF: robots of links and joints, http://wiki.ros.org/urdf/XML. All numbers are in m, kg, s, rad.
#include "io/import_robot.h"
#include "io/import_xml.h"

#include <math.h>
#include <string.h>

typedef struct {
    hol_import *in;
    hol_xml *root;
    hol_robot *r;
    hol_names *links, *joints, *colors; // by the names of the source
    const char **color;                 // (n_colors)
    int n_colors;
} urdf;

// ---- values ---------------------------------------------------------------------------------------------------

// The frame of <origin>; default: none. rpy: its turns as they are given; NULL: not wanted.
static hol_status read_origin(hol_import *in, hol_xml *e, hol_import_frame *frame, double rpy[3])
{
    double turn[3] = {0, 0, 0};
    hol_xml *origin = hol_xml_find(e, "origin");
    *frame = hol_frame_none;
    hol_status st = origin ? hol_import_vector(in, origin, "xyz", 3, false, frame->p) : HOL_OK;
    if (!st && origin) st = hol_import_vector(in, origin, "rpy", 3, false, turn);
    hol_frame_euler("XYZ", turn, frame->R);
    if (rpy) memcpy(rpy, turn, sizeof turn);
    return st;
}

// The link that an element names under a key.
static hol_status find_link(const urdf *u, hol_xml *e, const char *key, int *link)
{
    const char *name;
    hol_status st = hol_import_word(u->in, e, key, &name);
    if (st) return st;
    *link = hol_names_find(u->links, name);
    if (*link >= 0) return HOL_OK;
    hol_nearest near;
    hol_nearest_start(&near, name);
    for (int i = 0; i < u->r->n_links; i++) hol_nearest_try(&near, u->r->link[i].name);
    return hol_fail_at(u->in->ctx, HOL_ERR_MODEL, e->at, "<%s>: there is no link \"%.100s\"%s%s%s", e->name,
                       name, near.best ? "; did you mean \"" : "", near.best ? near.best : "",
                       near.best ? "\"?" : "");
}

// Elements of a name as items of a list; each has a name of its own.
static hol_status list_names(const urdf *u, const char *element, hol_names *names, int *n)
{
    for (hol_xml *e = hol_xml_find(u->root, element); e; e = hol_xml_next(u->root, element, e)) {
        const char *name;
        hol_status st = hol_import_word(u->in, e, "name", &name);
        if (st) return st;
        if (hol_names_find(names, name) >= 0)
            return hol_fail_at(u->in->ctx, HOL_ERR_MODEL, e->at,
                               "there is a %s \"%.100s\" already; give this one another name", element, name);
        st = hol_names_add(names, name, (*n)++);
        if (st) return st;
    }
    return HOL_OK;
}

// ---- links ----------------------------------------------------------------------------------------------------

// Mass, com and tensor, which is about the com in the axes of its <origin>.
static hol_status read_inertial(hol_import *in, hol_xml *e, hol_robot_link *l)
{
    static const char *const keys[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    static const int entry[] = {0, 1, 2, 4, 5, 8};
    hol_import_frame frame;
    double J[9] = {0};
    hol_status st = read_origin(in, e, &frame, NULL);
    hol_xml *mass = NULL, *inertia = NULL;
    if (!st) st = hol_import_need(in, e, "mass", &mass);
    if (!st) st = hol_import_vector(in, mass, "value", 1, true, &l->mass);
    if (!st && l->mass < 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, mass->at, "link \"%s\": a mass of %.6g kg is negative",
                           l->name, l->mass);
    if (!st) st = hol_import_need(in, e, "inertia", &inertia);
    for (int i = 0; i < 6 && !st; i++) st = hol_import_vector(in, inertia, keys[i], 1, true, &J[entry[i]]);
    if (st) return st;
    J[3] = J[1], J[6] = J[2], J[7] = J[5];
    memcpy(l->com, frame.p, sizeof l->com);
    hol_matrix_turn(frame.R, J, l->J);
    return HOL_OK;
}

// "#rrggbb" of a material's own color; NULL: it has none.
static hol_status read_color(hol_import *in, hol_xml *material, const char **text)
{
    double rgba[4];
    hol_xml *color = hol_xml_find(material, "color"), *texture = hol_xml_find(material, "texture");
    *text = NULL;
    if (texture) hol_xml_get(texture, "filename");
    const hol_status st = color ? hol_import_vector(in, color, "rgba", 4, true, rgba) : HOL_OK;
    return st || !color ? st : hol_import_color(in, rgba, text);
}

// Materials that are known by name: of the robot, and those that shapes before have described.
static hol_status read_material(urdf *u, hol_xml *e, const char **color)
{
    const char *name = hol_xml_get(e, "name");
    hol_status st = read_color(u->in, e, color);
    const int i = name && *name ? hol_names_find(u->colors, name) : -1;
    if (!st && !*color && i >= 0) *color = u->color[i];
    if (st || !*color || i >= 0 || !name || !*name) return st;
    int n = u->n_colors;
    if (!HOL_ARENA_GROW(u->in->arena, u->color, n)) return HOL_ERR_MEMORY;
    u->color[u->n_colors] = *color;
    return hol_names_add(u->colors, name, u->n_colors++);
}

// A mesh whose file is there and drawn the same in all directions; *kept false: it is not taken, which is told.
static hol_status read_mesh(hol_import *in, hol_xml *e, hol_robot_shape *s, bool *kept)
{
    const char *address;
    double scale[3] = {1, 1, 1};
    hol_status st = hol_import_word(in, e, "filename", &address);
    if (!st) st = hol_import_vector(in, e, "scale", 3, false, scale);
    return st ? st : hol_import_mesh(in, e->at, address, address, scale, &s->file, &s->scale, kept);
}

typedef struct {
    const char *element, *type, *key[2];
    int n[2]; // numbers of each key
} solid;
static const solid solids[] = {{"box", "box", {"size", NULL}, {3, 0}},
                               {"cylinder", "cylinder", {"radius", "length"}, {1, 1}},
                               {"sphere", "sphere", {"radius", NULL}, {1, 0}},
                               {"capsule", "capsule", {"radius", "length"}, {1, 1}}};

// Another kind of shape, such as a plane.
static hol_status leave_shape(hol_import *in, hol_xml *e)
{
    e->taken = true;
    for (int i = 0; i < e->n; i++) e->asked[i] = true;
    return hol_import_tell(in, HOL_TOLD_LEFT_OUT, e->at, e->name, "shapes that have no like",
                           "they are not drawn");
}

// *kept false: there is none that is drawn.
static hol_status read_geometry(hol_import *in, hol_xml *geometry, hol_robot_shape *s, bool *kept)
{
    hol_xml *mesh = hol_xml_find(geometry, "mesh");
    s->type = "mesh";
    if (mesh) return read_mesh(in, mesh, s, kept);
    for (int k = 0; k < HOL_COUNT(solids); k++) {
        hol_xml *e = hol_xml_find(geometry, solids[k].element);
        if (!e) continue;
        s->type = solids[k].type;
        hol_status st = hol_import_vector(in, e, solids[k].key[0], solids[k].n[0], true, s->size);
        if (!st && solids[k].key[1]) st = hol_import_vector(in, e, solids[k].key[1], 1, true, &s->size[1]);
        *kept = !st;
        for (int i = 0; i < solids[k].n[0] + solids[k].n[1]; i++) *kept = *kept && s->size[i] > 0;
        return st || *kept ? st
                           : hol_import_tell(in, HOL_TOLD_LEFT_OUT, e->at, NULL, "shapes without size",
                                             "they are not drawn");
    }
    if (geometry->first) return leave_shape(in, geometry->first);
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, geometry->at,
                       "<geometry>: a <box>, <cylinder>, <sphere>, <capsule> or <mesh> is wanted in it");
}

// One <visual> or <collision>, drawn if `kept` says so before.
static hol_status read_shape(urdf *u, hol_xml *e, hol_robot_link *l, bool wanted)
{
    hol_import *in = u->in;
    hol_robot_shape s = {.scale = 1};
    bool kept = false;
    hol_xml *geometry = NULL, *material = hol_xml_find(e, "material");
    hol_xml_get(e, "name");
    hol_status st = read_origin(in, e, &s.pose, NULL);
    if (!st) st = hol_import_need(in, e, "geometry", &geometry);
    if (!st) st = read_geometry(in, geometry, &s, &kept);
    if (!st && material) st = read_material(u, material, &s.color);
    if (st || !kept || !wanted) return st;
    if (!HOL_ARENA_GROW(in->arena, l->shape, l->n_shapes)) return HOL_ERR_MEMORY;
    l->shape[l->n_shapes++] = s;
    return HOL_OK;
}

// Links are drawn by what is to be seen, or else by what collides.
static hol_status read_shapes(urdf *u, hol_xml *link, hol_robot_link *l)
{
    hol_status st = HOL_OK;
    for (hol_xml *e = hol_xml_find(link, "visual"); e && !st; e = hol_xml_next(link, "visual", e))
        st = read_shape(u, e, l, true);
    const bool seen = l->n_shapes > 0;
    hol_xml *first = hol_xml_find(link, "collision");
    for (hol_xml *e = first; e && !st; e = hol_xml_next(link, "collision", e))
        st = read_shape(u, e, l, !seen);
    if (st || !first || !seen) return st;
    return hol_import_tell(u->in, HOL_TOLD_LEFT_OUT, first->at, l->name,
                           "collision shapes of links that have others to be seen", "there are no contacts");
}

static hol_status read_link(urdf *u, hol_xml *e, hol_robot_link *l)
{
    l->name = hol_xml_get(e, "name");
    l->at = e->at;
    hol_xml *inertial = hol_xml_find(e, "inertial");
    hol_status st = inertial ? read_inertial(u->in, inertial, l) : HOL_OK;
    return st ? st : read_shapes(u, e, l);
}

// ---- joints ---------------------------------------------------------------------------------------------------

static const struct {
    const char *type;
    hol_robot_kind kind;
    bool axis, limited, law; // has an axis; a range is wanted; damping and friction mean something
} kinds[] = {{"fixed", HOL_ROBOT_FIXED, false, false, false},
             {"revolute", HOL_ROBOT_REVOLUTE, true, true, true},
             {"continuous", HOL_ROBOT_REVOLUTE, true, false, true},
             {"prismatic", HOL_ROBOT_PRISMATIC, true, true, true},
             {"planar", HOL_ROBOT_PLANAR, true, false, false},
             {"floating", HOL_ROBOT_FLOATING, false, false, false}};

// The row of a joint's type.
static hol_status find_kind(hol_import *in, hol_xml *e, int *kind)
{
    const char *type;
    hol_status st = hol_import_word(in, e, "type", &type);
    for (*kind = 0; *kind < HOL_COUNT(kinds) && !st; ++*kind)
        if (strcmp(kinds[*kind].type, type) == 0) return HOL_OK;
    return st ? st
              : hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at,
                            "<%s>: there is no type \"%.60s\"; known are fixed, revolute, continuous, "
                            "prismatic, planar "
                            "and floating",
                            e->name, type);
}

// A direction of length 1; default: x.
static hol_status read_axis(hol_import *in, hol_xml *e, double axis[3])
{
    hol_xml *x = hol_xml_find(e, "axis");
    axis[0] = 1, axis[1] = axis[2] = 0;
    hol_status st = x ? hol_import_vector(in, x, "xyz", 3, true, axis) : HOL_OK;
    if (st || !x) return st;
    return hol_import_direction(in, x->at, "<axis>", axis);
}

// The range of a joint; 0 to 0 is what stands there where nothing is meant.
static hol_status read_limits(hol_import *in, hol_xml *e, int kind, hol_robot_joint *j)
{
    hol_xml *limit = hol_xml_find(e, "limit");
    double effort = 0, velocity = 0;
    if (!limit && kinds[kind].limited)
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, e->at, "joint \"%s\": a %s joint has a <limit>; %s", j->name,
            kinds[kind].type,
            kinds[kind].kind == HOL_ROBOT_REVOLUTE
                ? "without limits its type is \"continuous\""
                : "where nothing limits it, give it lower and upper beyond all ways that it goes");
    if (!limit) return HOL_OK;
    hol_status st = hol_import_vector(in, limit, "lower", 1, false, &j->lower);
    if (!st) st = hol_import_vector(in, limit, "upper", 1, false, &j->upper);
    if (!st) st = hol_import_vector(in, limit, "effort", 1, false, &effort);
    if (!st) st = hol_import_vector(in, limit, "velocity", 1, false, &velocity);
    if (st) return st;
    if (kinds[kind].limited && j->lower > j->upper)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, limit->at,
                           "joint \"%s\": its lower limit %.9g is above its upper one, %.9g", j->name,
                           j->lower, j->upper);
    if (!kinds[kind].limited && kind != HOL_ROBOT_FIXED && (j->lower != 0 || j->upper != 0))
        st = hol_import_tell(in, HOL_TOLD_LEFT_OUT, limit->at, j->name,
                             "lower and upper of continuous, planar and floating joints",
                             "URDF has such limits of revolute and prismatic ones alone");
    j->limited = kinds[kind].limited && j->lower < j->upper;
    if (!st && (effort != 0 || velocity != 0)) {
        const bool turns = j->kind == HOL_ROBOT_REVOLUTE;
        j->remark = hol_arena_print(in->arena, "its motor gives %.12g %s and %.12g %s at most", effort,
                                    turns ? "N m" : "N", velocity, turns ? "rad/s" : "m/s");
        if (!j->remark) return HOL_ERR_MEMORY;
        st = hol_import_tell(in, HOL_TOLD_LEFT_OUT, limit->at, j->name, "effort and velocity of limits",
                             "they are what a motor can do, and there is none");
    }
    if (!st && kinds[kind].limited && !j->limited)
        st = hol_import_tell(in, HOL_TOLD_ASSUMED, limit->at, j->name, "limits that are equal",
                             "they are none");
    return st;
}

// Damping and dry friction of joints with one coordinate.
static hol_status read_dynamics(hol_import *in, hol_xml *e, int kind, hol_robot_joint *j)
{
    hol_xml *d = hol_xml_find(e, "dynamics");
    if (!d) return HOL_OK;
    hol_status st = hol_import_vector(in, d, "damping", 1, false, &j->damping);
    if (!st) st = hol_import_vector(in, d, "friction", 1, false, &j->friction);
    if (!st && (j->damping < 0 || j->friction < 0))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, d->at, "joint \"%s\": its %s of %.6g is negative", j->name,
                           j->damping < 0 ? "damping" : "friction",
                           j->damping < 0 ? j->damping : j->friction);
    if (st || kinds[kind].law || kind == HOL_ROBOT_FIXED || (j->damping == 0 && j->friction == 0)) return st;
    j->damping = j->friction = 0;
    return hol_import_tell(in, HOL_TOLD_MISSED, d->at, j->name,
                           "damping and friction of planar and floating joints", "they are left out");
}

// The joint that a joint follows.
static hol_status read_mimic(const urdf *u, hol_xml *e, hol_robot_joint *j)
{
    hol_import *in = u->in;
    hol_xml *m = hol_xml_find(e, "mimic");
    const char *name;
    j->leader = -1;
    j->multiplier = 1;
    if (!m) return HOL_OK;
    hol_status st = hol_import_word(in, m, "joint", &name);
    if (!st) st = hol_import_vector(in, m, "multiplier", 1, false, &j->multiplier);
    if (!st) st = hol_import_vector(in, m, "offset", 1, false, &j->offset);
    if (st) return st;
    j->leader = hol_names_find(u->joints, name);
    if (j->leader >= 0) return HOL_OK;
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, m->at, "joint \"%s\": mimic: there is no joint \"%.100s\"",
                       j->name, name);
}

// One <joint>, whose links and whose leader are known by name.
static hol_status read_joint(urdf *u, hol_xml *e, hol_robot_joint *j)
{
    hol_import *in = u->in;
    int kind = 0;
    hol_xml *parent = NULL, *child = NULL;
    j->name = hol_xml_get(e, "name");
    j->at = e->at;
    hol_status st = find_kind(in, e, &kind);
    j->kind = kinds[kind < HOL_COUNT(kinds) ? kind : 0].kind;
    if (!st) st = hol_import_need(in, e, "parent", &parent);
    if (!st) st = hol_import_need(in, e, "child", &child);
    if (!st) st = find_link(u, parent, "link", &j->parent);
    if (!st) st = find_link(u, child, "link", &j->child);
    if (!st) st = read_origin(in, e, &j->frame, j->rpy);
    j->has_rpy = true;
    if (!st && kinds[kind].axis)
        st = read_axis(in, e, j->axis);
    else if (!st && hol_xml_find(e, "axis")) // means nothing
        hol_xml_get(hol_xml_find(e, "axis"), "xyz");
    if (!st) st = read_limits(in, e, kind, j);
    if (!st) st = read_dynamics(in, e, kind, j);
    return st ? st : read_mimic(u, e, j);
}

// Joints that follow others, and those, turn or slide.
static hol_status check_leaders(const urdf *u)
{
    for (int i = 0; i < u->r->n_joints; i++) {
        const hol_robot_joint *j = &u->r->joint[i];
        const hol_robot_joint *l = j->leader >= 0 ? &u->r->joint[j->leader] : j;
        const hol_robot_joint *wrong = hol_robot_has_coordinate(l) ? j : l;
        if (j->leader < 0 || hol_robot_has_coordinate(wrong)) continue;
        return hol_fail_at(
            u->in->ctx, HOL_ERR_MODEL, j->at,
            "joint \"%s\": mimic: joint \"%s\" has no coordinate; revolute, continuous and prismatic ones "
            "have",
            j->name, wrong->name);
    }
    return HOL_OK;
}

// ---- loops ----------------------------------------------------------------------------------------------------

// A loop whose frames are still those of its links; z comes to be along the axis.
static hol_status add_loop(urdf *u, const hol_robot_loop *loop, const double axis[3])
{
    hol_robot *r = u->r;
    hol_import_frame along = hol_frame_none;
    if (!HOL_ARENA_GROW(u->in->arena, r->loop, r->n_loops)) return HOL_ERR_MEMORY;
    hol_robot_loop *l = &r->loop[r->n_loops++];
    *l = *loop;
    hol_frame_along(axis, along.R);
    for (int i = 0; i < 2; i++) l->frame[i] = hol_frame_times(&loop->frame[i], &along);
    return HOL_OK;
}

// <loop_joint name type><link1 link xyz rpy/><link2 ../><axis xyz/></loop_joint>, as Drake's older files have it.
static hol_status read_loop(urdf *u, hol_xml *e)
{
    static const char *const keys[] = {"link1", "link2"};
    hol_import *in = u->in;
    hol_robot_loop loop = {.at = e->at};
    double axis[3] = {1, 0, 0}, rpy[3];
    int kind = 0;
    hol_status st = hol_import_word(in, e, "name", &loop.name);
    if (!st) st = find_kind(in, e, &kind);
    for (int i = 0; i < 2 && !st; i++) {
        hol_xml *link = NULL;
        loop.frame[i] = hol_frame_none;
        memset(rpy, 0, sizeof rpy);
        st = hol_import_need(in, e, keys[i], &link);
        if (!st) st = find_link(u, link, "link", &loop.link[i]);
        if (!st) st = hol_import_vector(in, link, "xyz", 3, false, loop.frame[i].p);
        if (!st) st = hol_import_vector(in, link, "rpy", 3, false, rpy);
        hol_frame_euler("XYZ", rpy, loop.frame[i].R);
    }
    if (!st) st = read_axis(in, e, axis);
    if (st) return st;
    loop.kind = kinds[kind].kind;
    if (loop.kind == HOL_ROBOT_FLOATING || kinds[kind].limited)
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, e->at,
            "loop_joint \"%s\": a %s joint closes no loop here; write fixed, continuous or planar", loop.name,
            kinds[kind].type);
    return add_loop(u, &loop, axis);
}

// A text within an element of Gazebo, such as <parent>base</parent>.
static hol_status find_named(const urdf *u, hol_xml *joint, const char *element, int *link)
{
    hol_xml *e = NULL;
    hol_status st = hol_import_need(u->in, joint, element, &e);
    if (st) return st;
    const char *name = hol_xml_text(e);
    *link = hol_names_find(u->links, name);
    if (*link >= 0) return HOL_OK;
    return hol_fail_at(u->in->ctx, HOL_ERR_MODEL, e->at, "<%s>: there is no link \"%.100s\"", element, name);
}

// <joint> of SDF within <gazebo>: its frame is `pose` in the child's, and holds where all joints are at zero.
static hol_status read_gazebo_joint(urdf *u, hol_xml *e)
{
    static const struct {
        const char *type;
        hol_robot_kind kind;
    } types[] = {{"fixed", HOL_ROBOT_FIXED},
                 {"revolute", HOL_ROBOT_REVOLUTE},
                 {"prismatic", HOL_ROBOT_PRISMATIC},
                 {"ball", HOL_ROBOT_SPHERICAL}};
    hol_import *in = u->in;
    hol_robot_loop loop = {.at = e->at};
    const char *type;
    int k = 0;
    double pose[6] = {0}, along[3] = {0, 0, 1};
    hol_status st = hol_import_word(in, e, "name", &loop.name);
    if (!st) st = hol_import_word(in, e, "type", &type);
    while (!st && k < HOL_COUNT(types) && strcmp(types[k].type, type) != 0) k++;
    if (!st && k == HOL_COUNT(types))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at,
                           "<gazebo>: joint \"%s\": there is no type \"%.60s\"; known are fixed, revolute, "
                           "prismatic and ball",
                           loop.name, type);
    if (!st) st = find_named(u, e, "parent", &loop.link[0]);
    if (!st) st = find_named(u, e, "child", &loop.link[1]);
    hol_xml *place = hol_xml_find(e, "pose"), *axis = hol_xml_find(e, "axis");
    hol_xml *xyz = axis ? hol_xml_find(axis, "xyz") : NULL;
    if (!st && place) st = hol_import_numbers_of(in, place->at, "pose", hol_xml_text(place), 6, pose);
    if (!st && xyz) st = hol_import_numbers_of(in, xyz->at, "xyz", hol_xml_text(xyz), 3, along);
    if (!st && xyz) st = hol_import_direction(in, xyz->at, "<axis>", along);
    if (st) return st;
    loop.kind = types[k].kind;
    memcpy(loop.frame[1].p, pose, sizeof loop.frame[1].p);
    hol_frame_euler("XYZ", pose + 3, loop.frame[1].R);
    const hol_import_frame out = hol_frame_inverse(&u->r->link[loop.link[0]].zero),
                           global = hol_frame_times(&u->r->link[loop.link[1]].zero, &loop.frame[1]);
    loop.frame[0] = hol_frame_times(&out, &global);
    return add_loop(u, &loop, along);
}

// Loops in both forms. <gazebo> is taken where it holds a joint.
static hol_status read_loops(urdf *u)
{
    hol_status st = HOL_OK;
    for (hol_xml *e = hol_xml_find(u->root, "loop_joint"); e && !st;
         e = hol_xml_next(u->root, "loop_joint", e))
        st = read_loop(u, e);
    for (hol_xml *g = u->root->first; g && !st; g = g->next) {
        if (strcmp(g->name, "gazebo") != 0) continue;
        for (hol_xml *e = hol_xml_find(g, "joint"); e && !st; e = hol_xml_next(g, "joint", e)) {
            g->taken = true;
            st = read_gazebo_joint(u, e);
        }
    }
    return st;
}

// ---- what is not read -----------------------------------------------------------------------------------------

// Elements that are known to have no part in the motion by themselves.
static const hol_import_known known[] = {{"gazebo", "settings of Gazebo"},
                                         {"transmission", "transmissions"},
                                         {"sensor", "sensors"},
                                         {"safety_controller", "safety controllers"},
                                         {"calibration", "calibrations"},
                                         {"ros2_control", "settings of ros2_control"},
                                         {"plugin", "plugins"},
                                         {"frame", "frames of Drake"},
                                         {"collision_filter_group", "groups of collisions"},
                                         {"self_collision_checking", "settings of collisions"},
                                         {"verbose", "settings of collisions"},
                                         {"contact_coefficients", "settings of collisions"},
                                         {"contact", "settings of collisions"},
                                         {"disable_collisions", "settings of collisions"},
                                         {NULL, NULL}};

// ---- the file -------------------------------------------------------------------------------------------------

// Names, materials, links, joints, then loops, which want to know where all links are.
static hol_status read_all(urdf *u)
{
    hol_import *in = u->in;
    hol_robot *r = u->r;
    int i = 0;
    hol_status st = list_names(u, "link", u->links, &r->n_links);
    if (!st) st = list_names(u, "joint", u->joints, &r->n_joints);
    if (st) return st;
    if (!r->n_links)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, u->root->at, "robot \"%s\" has no <link>", r->name);
    r->link = hol_arena_alloc(in->arena, (size_t)r->n_links, sizeof *r->link);
    r->joint = hol_arena_alloc(in->arena, (size_t)r->n_joints + 1, sizeof *r->joint);
    if (!r->link || !r->joint) return HOL_ERR_MEMORY;
    for (hol_xml *e = hol_xml_find(u->root, "material"); e && !st; e = hol_xml_next(u->root, "material", e)) {
        const char *color;
        st = read_material(u, e, &color);
    }
    for (hol_xml *e = hol_xml_find(u->root, "link"); e && !st; e = hol_xml_next(u->root, "link", e))
        st = read_link(u, e, &r->link[i++]);
    i = 0;
    for (hol_xml *e = hol_xml_find(u->root, "joint"); e && !st; e = hol_xml_next(u->root, "joint", e))
        st = read_joint(u, e, &r->joint[i++]);
    if (!st) st = check_leaders(u);
    if (!st) st = hol_robot_arrange(in, r);
    return st ? st : read_loops(u);
}

static hol_status check_version(hol_import *in, hol_xml *root)
{
    const char *version = hol_xml_get(root, "version");
    if (!version || strcmp(version, "1.0") == 0 || strcmp(version, "1") == 0) return HOL_OK;
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, root->at, "version \"%.20s\" of URDF is not known; 1.0 is",
                       version);
}

// The whole file; what nobody has asked for is told at the end.
static hol_status read_urdf(hol_import *in, hol_xml *root, hol_node **model)
{
    hol_robot r = {.at = root->at, .gravity = {0, 0, -9.80665}};
    urdf u = {.in = in, .root = root, .r = &r};
    u.links = hol_names_create_in(in->ctx, in->arena);
    u.joints = hol_names_create_in(in->ctx, in->arena);
    u.colors = hol_names_create_in(in->ctx, in->arena);
    if (!u.links || !u.joints || !u.colors) return HOL_ERR_MEMORY;
    hol_status st = hol_import_word(in, root, "name", &r.name);
    if (!st) st = check_version(in, root);
    if (!st) st = read_all(&u);
    if (!st)
        st = hol_import_tell(in, HOL_TOLD_ASSUMED, root->at, NULL, "a URDF file has no gravity",
                             "it is 9.80665 m/s^2 against z");
    if (!st) st = hol_import_tell_unread(in, root, known);
    if (!st) st = hol_robot_make_bodies(in, &r);
    return st ? st : hol_robot_write(in, &r, model);
}

const hol_import_format hol_import_urdf = {.name = "URDF", .element = "robot", .read = read_urdf};
