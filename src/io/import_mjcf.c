// MJCF, the models of MuJoCo, https://mujoco.readthedocs.io/en/stable/XMLreference.html, as far as version 2.2 goes: bodies with joints and
// geoms, equalities, motors, tendons, keyframes. Contacts and what else moves a mechanism are not taken, which is told by name.
#include "io/import_mjcf.h"

#include <string.h>

// ---- lists ----------------------------------------------------------------------------------------------------

static hol_status add_link(hol_mjcf *m, const char *name, hol_src at, int *out)
{
    hol_robot *r = m->r;
    if (!name || !HOL_ARENA_GROW(m->in->arena, r->link, r->n_links)) return HOL_ERR_MEMORY;
    r->link[r->n_links] = (hol_robot_link){.name = name, .at = at};
    *out = r->n_links++;
    return HOL_OK;
}

static hol_status add_joint(hol_mjcf *m, const hol_robot_joint *joint)
{
    hol_robot *r = m->r;
    if (!HOL_ARENA_GROW(m->in->arena, r->joint, r->n_joints)) return HOL_ERR_MEMORY;
    r->joint[r->n_joints] = *joint;
    r->joint[r->n_joints].leader = -1;
    r->joint[r->n_joints++].multiplier = 1;
    return HOL_OK;
}

// Between frames that stay to each other.
static hol_status add_fixed(hol_mjcf *m, const char *name, hol_src at, int parent, int child,
                            const hol_import_frame *frame)
{
    return add_joint(
        m, &(hol_robot_joint){
               .name = name, .at = at, .parent = parent, .child = child, .frame = *frame, .axis = {0, 0, 1}});
}

hol_status hol_mjcf_remember(hol_mjcf *m, hol_names *names, hol_xml *e, const char *name, int value)
{
    if (hol_names_find(names, name) >= 0)
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at,
                           "there is a %s \"%.60s\" already; give this one another name", e->name, name);
    return hol_names_add(names, name, value);
}

// ---- joints ---------------------------------------------------------------------------------------------------

static const struct {
    const char *type;
    hol_robot_kind kind;
} types[] = {{"hinge", HOL_ROBOT_REVOLUTE},
             {"slide", HOL_ROBOT_PRISMATIC},
             {"ball", HOL_ROBOT_SPHERICAL},
             {"free", HOL_ROBOT_FLOATING}};

// A joint's type; hinge is what stands for none.
static hol_status find_kind(hol_mjcf *m, hol_xml *e, int around, hol_robot_kind *kind)
{
    const char *type = "free";
    hol_status st = strcmp(e->name, "freejoint") ? hol_mjcf_get(m, e, "type", around, &type) : HOL_OK;
    *kind = HOL_ROBOT_REVOLUTE;
    for (int k = 0; k < HOL_COUNT(types) && !st && type; k++)
        if (strcmp(types[k].type, type) == 0) {
            *kind = types[k].kind;
            return HOL_OK;
        }
    return st || !type
               ? st
               : hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<joint>: type \"%.40s\" is not known", type);
}

// The range counts from the reference, as the coordinate does here.
static hol_status read_range(hol_mjcf *m, hol_xml *e, int around, double unit, double reference,
                             hol_robot_joint *j)
{
    double range[2] = {0, 0};
    int n;
    bool limited;
    const char *text;
    hol_status st = hol_mjcf_some(m, e, "range", around, 2, range, &n);
    if (!st && m->off.limit) return hol_mjcf_get(m, e, "limited", around, &text);
    if (!st) st = hol_mjcf_is_limited(m, e, "limited", around, n > 0, &limited);
    if (st || !limited) return st;
    if (n != 2 || !(range[0] < range[1]))
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at,
                           "<joint>: range: two numbers are wanted, the second above the first");
    if (j->kind == HOL_ROBOT_SPHERICAL)
        return hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, j->name, "limits of ball joints",
                               "they are left out");
    j->limited = true;
    j->lower = unit * range[0] - reference;
    j->upper = unit * range[1] - reference;
    return hol_import_tell(m->in, HOL_TOLD_ASSUMED, e->at, j->name,
                           "limits, which are soft in MuJoCo (solref, solimp)", "they are rigid");
}

// What balls and free joints have of springs, dampers, dry friction and rotors.
static hol_status judge_free_laws(hol_mjcf *m, hol_xml *e, int around, hol_robot_joint *j)
{
    const bool ball = j->kind == HOL_ROBOT_SPHERICAL;
    hol_status st = ball ? read_range(m, e, around, 1, 0, j) : HOL_OK;
    if (!st && j->friction != 0)
        st = hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, j->name, "dry friction of ball and free joints",
                             "it is left out");
    if (!st && !ball && j->stiffness != 0)
        st = hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, j->name, "springs of free joints",
                             "they are left out");
    if (!st && j->spring_time > 0 && j->spring_ratio > 0)
        st = hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, j->name, "springdamper of ball and free joints",
                             "it is left out");
    return st;
}

// Spring, damper, dry friction, rotor.
static hol_status read_laws(hol_mjcf *m, hol_xml *e, int around, hol_robot_joint *j)
{
    double reference = 0, rest = 0, both[2] = {0, 0};
    const double unit = j->kind == HOL_ROBOT_REVOLUTE && !m->radians ? HOL_PI / 180 : 1;
    const bool law = hol_robot_has_coordinate(j);
    const struct {
        const char *key;
        int n;
        double *out;
    } numbers[] = {{"ref", 1, &reference},          {"springref", 1, &rest},
                   {"stiffness", 1, &j->stiffness}, {"damping", 1, &j->damping},
                   {"armature", 1, &j->armature},   {"frictionloss", 1, &j->friction},
                   {"springdamper", 2, both}};
    hol_status st = HOL_OK;
    for (int k = 0; k < HOL_COUNT(numbers) && !st; k++)
        st = hol_mjcf_numbers(m, e, numbers[k].key, around, numbers[k].n, numbers[k].out);
    if (st) return st;
    j->from = law ? unit * reference : 0;
    j->rest = unit * (rest - reference);
    if (j->damping < 0 || j->armature < 0 || j->friction < 0 || j->stiffness < 0)
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at,
                           "<joint>: stiffness, damping, armature and frictionloss are not negative");
    j->spring_time = both[0], j->spring_ratio = both[1];
    if (m->off.passive) j->stiffness = j->damping = j->spring_time = 0;
    if (m->off.friction) j->friction = 0;
    return law ? read_range(m, e, around, unit, j->from, j) : judge_free_laws(m, e, around, j);
}

// A joint of a body; anchor: in the body's frame.
static hol_status read_joint(hol_mjcf *m, hol_xml *e, int around, hol_robot_joint *j, double anchor[3])
{
    const char *name = hol_xml_get(e, "name");
    hol_import *in = m->in;
    hol_import_frame there = hol_frame_none, axis;
    j->axis[2] = 1;
    j->at = e->at;
    hol_status st = hol_mjcf_class_around(m, e, &around);
    if (!st) st = find_kind(m, e, around, &j->kind);
    j->name = name && *name
                  ? name
                  : hol_arena_print(in->arena, "%s_%s", m->r->link[j->child].name,
                                    types[j->kind == HOL_ROBOT_FLOATING    ? 3
                                          : j->kind == HOL_ROBOT_SPHERICAL ? 2
                                                                           : j->kind == HOL_ROBOT_PRISMATIC]
                                        .type);
    if (!j->name) return HOL_ERR_MEMORY;
    if (!st && name && *name) st = hol_mjcf_remember(m, m->joints, e, name, m->r->n_joints);
    if (st || strcmp(e->name, "freejoint") == 0) return st;
    if (hol_robot_has_coordinate(j)) {
        st = hol_mjcf_numbers(m, e, "axis", around, 3, j->axis);
        if (!st) st = hol_import_direction(in, e->at, "<joint>: axis", j->axis);
    }
    if (!st && j->kind != HOL_ROBOT_FLOATING) st = hol_mjcf_numbers(m, e, "pos", around, 3, there.p);
    axis =
        (hol_import_frame){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                           .p = {there.p[0] + j->axis[0], there.p[1] + j->axis[1], there.p[2] + j->axis[2]}};
    if (!st) st = hol_mjcf_move(m, e, &there);
    if (!st) st = hol_mjcf_move(m, e, &axis);
    memcpy(anchor, there.p, sizeof there.p);
    for (int i = 0; i < 3; i++) j->axis[i] = axis.p[i] - there.p[i];
    return st ? st : read_laws(m, e, around, j);
}

// ---- bodies ---------------------------------------------------------------------------------------------------

// What a body weighs by <inertial>, about the com in the axes of it.
static hol_status read_inertial(hol_mjcf *m, hol_xml *e, hol_robot_link *l)
{
    static const int entry[] = {0, 4, 8, 1, 2, 5};
    hol_import *in = m->in;
    hol_import_frame frame;
    double I[6] = {0}, J[9] = {0}, mass = 0;
    int full = 0, principal = 0;
    hol_status st = hol_mjcf_frame(m, e, -1, &frame);
    if (!st) st = hol_import_vector(in, e, "mass", 1, true, &mass);
    if (!st && !hol_xml_get(e, "pos"))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at, "<inertial>: it has no pos");
    if (!st) st = hol_mjcf_some(m, e, "diaginertia", -1, 3, I, &principal);
    if (!st) st = hol_mjcf_some(m, e, "fullinertia", -1, 6, I, &full);
    if (st) return st;
    if (mass < 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at, "<inertial>: a mass of %.6g kg is negative", mass);
    if (!((principal == 3 && !full) || (full == 6 && !principal)))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at,
                           "<inertial>: diaginertia with 3 numbers is wanted, or fullinertia with 6");
    if (full && hol_frame_turns(frame.R))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, e->at,
                           "<inertial>: fullinertia is in the axes of the body; take its turn away, or give "
                           "diaginertia in the axes that it turns");
    for (int i = 0; i < 6; i++) J[entry[i]] = I[i];
    J[3] = J[1], J[6] = J[2], J[7] = J[5];
    l->mass = mass;
    memcpy(l->com, frame.p, sizeof l->com);
    hol_matrix_turn(frame.R, J, l->J);
    return HOL_OK;
}

// What <inertial> says has no part where geoms say it.
static hol_status leave_inertial(hol_mjcf *m, hol_xml *e, const hol_robot_link *l)
{
    for (int i = 0; i < e->n; i++) e->asked[i] = true;
    return hol_import_tell(m->in, HOL_TOLD_LEFT_OUT, e->at, l->name,
                           "what <inertial> says beside inertiafromgeom=\"true\"", "geoms say it");
}

// Geoms, or what <inertial> says in their place; with inertiafromgeom="true" it counts where no geom says something, not even that the mass
// is 0. A single geom says where the body's centre of mass is, whatever it weighs.
static hol_status read_mass(hol_mjcf *m, hol_xml *e, int around, hol_robot_link *l, bool world)
{
    hol_xml *inertial = world ? NULL : hol_xml_find(e, "inertial");
    const bool geoms = !world && !m->never_from_geoms && (!inertial || m->from_geoms);
    hol_status st = inertial && !m->from_geoms ? read_inertial(m, inertial, l) : HOL_OK;
    m->weighing = 0;
    for (hol_xml *g = hol_xml_find(e, "geom"); g && !st; g = hol_xml_next(e, "geom", g))
        st = hol_mjcf_read_geom(m, g, around, l, geoms);
    if (geoms && m->weighing == 1 && l->mass == 0) memcpy(l->com, m->place, sizeof l->com);
    if (st || !inertial || !m->from_geoms) return st;
    return m->weighing ? leave_inertial(m, inertial, l) : read_inertial(m, inertial, l);
}

// Sites are markers of what they are on.
static hol_status read_sites(hol_mjcf *m, hol_xml *e, int around, int link)
{
    hol_status st = HOL_OK;
    int n = 0;
    for (hol_xml *s = hol_xml_find(e, "site"); s && !st; s = hol_xml_next(e, "site", s)) {
        const char *name = hol_xml_get(s, "name");
        hol_import_frame frame;
        int own = 0;
        int own_class = around;
        if (!name || !*name)
            name = hol_arena_print(m->in->arena, "site%d", ++n);
        else
            st = hol_mjcf_remember(m, m->sites, s, name, m->r->n_links);
        const char *type;
        double half;
        if (!st) st = hol_mjcf_class_around(m, s, &own_class);
        if (!st) st = hol_mjcf_frame(m, s, own_class, &frame);
        if (!st) st = hol_mjcf_get(m, s, "type", own_class, &type);
        if (!st) st = hol_mjcf_between(m, s, own_class, type ? type : "sphere", &frame, &half);
        if (!st) st = hol_mjcf_move(m, s, &frame);
        if (!st) st = add_link(m, name, s->at, &own);
        if (!st) st = add_fixed(m, name, s->at, link, own, &frame);
    }
    return st;
}

// Does an actuator act on this joint?
static bool is_driven(const hol_mjcf *m, const char *name)
{
    bool is = false;
    for (hol_xml *a = hol_xml_find(m->root, "actuator"); a; a = hol_xml_next(m->root, "actuator", a))
        for (hol_xml *e = a->first; e && name; e = e->next) {
            const char *of = hol_xml_get(e, "joint"), *in_parent = hol_xml_get(e, "jointinparent");
            is = is || (of && strcmp(of, name) == 0) || (in_parent && strcmp(in_parent, name) == 0);
        }
    return is;
}

// Since version 3 MuJoCo may give a free body without children the frame of its inertia. Here it keeps its own, which matters where
// something counts from it: keyframes, actuators, dampers, rotors.
static hol_status judge_alignment(hol_mjcf *m, hol_xml *body, hol_xml *e, const hol_robot_joint *j)
{
    const char *word = hol_xml_get(e, "align");
    bool aligns = m->aligns;
    const hol_status st =
        word && strcmp(word, "auto") != 0 ? hol_mjcf_flag(m, e, "align", -1, &aligns) : HOL_OK;
    if (st || !aligns || hol_xml_find(body, "body")) return st;
    if (!m->in->options.key && !is_driven(m, hol_xml_get(e, "name")) && j->damping == 0 && j->armature == 0)
        return hol_import_tell(m->in, HOL_TOLD_ASSUMED, e->at, j->name,
                               "free bodies whose frame becomes that of the inertia (align, alignfree)",
                               "they keep the frame of the file");
    return hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, j->name,
                           "keyframes, actuators, dampers and rotors of free bodies whose frame becomes that "
                           "of the inertia (align, alignfree)",
                           "they count from the frame of the file");
}

// A link for each joint of the body, the last one the body's. Where its joint is not at the body's origin, the origin is a link of its own.
static hol_status read_joints(hol_mjcf *m, hol_xml *e, int around, int parent, const char *name, int *link)
{
    hol_import *in = m->in;
    hol_import_frame frame;
    double anchor[3] = {0, 0, 0};
    int n = 0, left = 0;
    bool turned = false;
    hol_status st = hol_mjcf_frame(m, e, -1, &frame);
    if (!st) st = hol_mjcf_move(m, e, &frame);
    for (hol_xml *c = e->first; c; c = c->next)
        left += strcmp(c->name, "joint") == 0 || strcmp(c->name, "freejoint") == 0;
    *link = parent;
    for (hol_xml *c = e->first; c && !st; c = c->next) {
        if (strcmp(c->name, "joint") != 0 && strcmp(c->name, "freejoint") != 0) continue;
        hol_robot_joint j = {.parent = *link};
        hol_import_frame step = hol_frame_none;
        double next[3] = {0, 0, 0};
        c->taken = true;
        st = add_link(m, --left ? hol_arena_print(in->arena, "%s_%d", name, ++n) : name, c->at, link);
        j.child = *link;
        if (!st) st = read_joint(m, c, around, &j, next);
        if (!st && j.kind == HOL_ROBOT_FLOATING) st = judge_alignment(m, e, c, &j);
        if (!st && j.kind == HOL_ROBOT_FLOATING && (n || left || parent))
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, c->at,
                               "<%s>: a free joint is the only one of a body in the world", c->name);
        if (!st && turned && (j.kind == HOL_ROBOT_SPHERICAL || j.kind == HOL_ROBOT_REVOLUTE))
            return hol_fail_at(
                in->ctx, HOL_ERR_MODEL, c->at,
                "<%s>: a ball joint before it turns the body in all ways already; MuJoCo refuses it, too",
                c->name);
        turned = turned || j.kind == HOL_ROBOT_SPHERICAL;
        for (int i = 0; i < 3; i++) step.p[i] = next[i] - anchor[i];
        j.frame = hol_frame_times(&frame, &step);
        memcpy(anchor, next, sizeof anchor);
        frame = hol_frame_none;
        if (!st) st = add_joint(m, &j);
    }
    const bool off = anchor[0] != 0 || anchor[1] != 0 || anchor[2] != 0;
    if (st || (*link != parent && !off)) return st;
    for (int i = 0; i < 3; i++) frame.p[i] -= anchor[i];
    const int last = *link;
    st = add_link(m, off ? hol_arena_print(in->arena, "%s_origin", name) : name, e->at, link);
    return st ? st : add_fixed(m, m->r->link[*link].name, e->at, last, *link, &frame);
}

// A body, and what hangs on it. unnamed: bodies without a name so far.
static hol_status read_body(hol_mjcf *m, hol_xml *e, int around, int parent, int *unnamed)
{
    const char *name = hol_xml_get(e, "name");
    int link = parent;
    bool mocap = false;
    double gravcomp = 0;
    const bool named = name && *name;
    if (!named) name = hol_arena_print(m->in->arena, "body%d", ++*unnamed);
    if (!name) return HOL_ERR_MEMORY;
    hol_status st = hol_mjcf_class_around(m, e, &around);
    if (!st) st = hol_mjcf_class_of(m, e, "childclass", around, &around);
    if (!st) st = hol_mjcf_flag(m, e, "mocap", -1, &mocap);
    if (!st) st = hol_mjcf_numbers(m, e, "gravcomp", -1, 1, &gravcomp);
    if (!st && mocap)
        st = hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, name,
                             "bodies that are moved from outside (mocap)", "they stay where they are");
    if (!st && gravcomp != 0)
        st = hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, name, "forces against gravity (gravcomp)",
                             "they are left out");
    const bool moves = hol_xml_find(e, "joint") || hol_xml_find(e, "freejoint");
    if (!st) st = read_joints(m, e, around, parent, name, &link);
    if (!st) st = hol_mjcf_add_body(m, link, parent, moves);
    if (!st && named) st = hol_mjcf_remember(m, m->bodies, e, name, link);
    if (!st) st = read_mass(m, e, around, &m->r->link[link], false);
    if (!st) st = hol_mjcf_bound_mass(m, &m->r->link[link]);
    if (!st) st = read_sites(m, e, around, link);
    for (hol_xml *c = hol_xml_find(e, "body"); c && !st; c = hol_xml_next(e, "body", c))
        st = read_body(m, c, around, link, unnamed);
    return st;
}

// All bodies; the world is the first link.
static hol_status read_world(hol_mjcf *m)
{
    int world = 0, unnamed = 0, around = -1;
    hol_xml *e = NULL;
    hol_status st = hol_import_need(m->in, m->root, "worldbody", &e);
    if (!st) hol_mjcf_open_frames(e);
    if (!st) st = add_link(m, "world", m->root->at, &world);
    if (!st) st = hol_mjcf_add_body(m, world, world, false);
    if (!st) st = hol_names_add(m->bodies, "world", world);
    if (!st) st = hol_mjcf_class_of(m, e, "childclass", around, &around);
    if (!st) st = read_mass(m, e, around, &m->r->link[world], true);
    if (!st) st = read_sites(m, e, around, world);
    for (hol_xml *c = st ? NULL : hol_xml_find(e, "body"); c && !st; c = hol_xml_next(e, "body", c))
        st = read_body(m, c, around, world, &unnamed);
    return st;
}

// ---- assets -----------------------------------------------------------------------------------------------------

// Names of meshes, without which geoms cannot be drawn.
static hol_status read_assets(hol_mjcf *m)
{
    hol_status st = HOL_OK;
    for (hol_xml *a = hol_xml_find(m->root, "asset"); a && !st; a = hol_xml_next(m->root, "asset", a))
        for (hol_xml *e = hol_xml_find(a, "mesh"); e && !st; e = hol_xml_next(a, "mesh", e)) {
            const char *name = hol_xml_get(e, "name"), *file = hol_xml_get(e, "file");
            const char *slash = file ? strrchr(file, '/') : NULL, *base = slash ? slash + 1 : file;
            hol_xml_get(e, "scale");
            if (hol_xml_get(e, "refpos") || hol_xml_get(e, "refquat"))
                st = hol_import_tell(m->in, HOL_TOLD_LEFT_OUT, e->at, name, "refpos and refquat of meshes",
                                     "they are drawn as their files are");
            if (!name && base) name = hol_arena_copy(m->in->arena, base, strcspn(base, "."));
            if (!name)
                return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<mesh>: it has neither name nor file");
            if (!st) st = hol_mjcf_remember(m, m->meshes, e, name, m->n_meshes);
            if (!st && !HOL_ARENA_GROW(m->in->arena, m->mesh, m->n_meshes)) st = HOL_ERR_MEMORY;
            if (!st) m->mesh[m->n_meshes++] = e;
        }
    return st;
}

// ---- the file -------------------------------------------------------------------------------------------------

// Elements that have no part in the motion by themselves.
static const hol_import_known known[] = {
    {"size", "sizes of MuJoCo's memory"},     {"visual", "settings of pictures"},
    {"statistic", "settings of pictures"},    {"asset", "textures and materials"},
    {"texture", "textures and materials"},    {"material", "textures and materials"},
    {"hfield", "textures and materials"},     {"camera", "cameras and lights"},
    {"light", "cameras and lights"},          {"sensor", "sensors"},
    {"custom", "numbers and texts of users"}, {NULL, NULL}};

// Settings and classes come first, bodies then, what is between them at the end.
static hol_status read_all(hol_mjcf *m)
{
    hol_status st = hol_mjcf_include(m);
    if (!st) st = hol_mjcf_read_compiler(m);
    if (!st) st = hol_mjcf_read_option(m);
    if (!st) st = hol_mjcf_read_classes(m);
    if (!st) st = read_assets(m);
    if (!st) st = read_world(m);
    if (!st) hol_mjcf_scale_masses(m);
    if (!st) st = hol_mjcf_read_tendons(m);
    if (!st) st = hol_mjcf_read_actuators(m);
    if (!st) st = hol_mjcf_begin(m);
    if (!st) st = hol_mjcf_read_equalities(m, false);
    if (!st) st = hol_robot_arrange(m->in, m->r);
    if (!st) st = hol_mjcf_tune_springs(m);
    if (!st) st = hol_mjcf_read_equalities(m, true);
    if (!st) st = hol_mjcf_tell_contacts(m);
    return st;
}

// The whole file; what nobody has asked for is told at the end.
static hol_status read_mjcf(hol_import *in, hol_xml *root, hol_node **model)
{
    hol_robot r = {.at = root->at, .world = true, .identifiers = true};
    hol_mjcf m = {.in = in, .root = root, .r = &r, .outermost = -1};
    hol_names **names[] = {&m.bodies,  &m.joints,  &m.class_names, &m.meshes,
                           &m.tendons, &m.spatial, &m.sites,       &m.files};
    for (int i = 0; i < HOL_COUNT(names); i++)
        if (!(*names[i] = hol_names_create_in(in->ctx, in->arena))) return HOL_ERR_MEMORY;
    r.name = hol_xml_get(root, "model");
    if (!r.name || !*r.name) r.name = "MuJoCo";
    if (in->options.root != HOL_IMPORT_ROOT)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, root->at,
                           "bodies of MJCF say by <freejoint> whether they float; import it without --root");
    hol_status st = read_all(&m);
    hol_mjcf_mark_known(root);
    if (!st) st = hol_import_tell_unread(in, root, known);
    if (!st) st = hol_robot_make_bodies(in, &r);
    return st ? st : hol_robot_write(in, &r, model);
}

const hol_import_format hol_import_mjcf = {.name = "MJCF", .element = "mujoco", .read = read_mjcf};
