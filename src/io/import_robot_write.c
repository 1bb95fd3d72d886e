// Writes the bodies and joints of a robot as a model file has them.
#include "io/import_robot.h"
#include "element/inertia.h"
#include "io/number_text.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-15 // of directions, and of sums of tensors against the sum of the moments
typedef struct {
    hol_import *in;
    hol_robot *r;
    hol_names *names; // of bodies, joints, ..
    hol_node *joints, *inputs, *forces, *variables;
} writer;

// ---- frames ---------------------------------------------------------------------------------------------------

void hol_import_position(hol_import *in, hol_node *map, const char *key, const double p[3])
{
    if (p[0] != 0 || p[1] != 0 || p[2] != 0) hol_import_numbers(in, map, key, 3, p);
}

void hol_import_orientation(hol_import *in, hol_node *map, const double R[9], const double *rpy)
{
    double z[3] = {R[2], R[5], R[8]}, x[3] = {R[0], R[3], R[6]};
    for (int i = 0; i < 3; i++) {
        if (fabs(z[i]) < ROUNDING) z[i] = 0;
        if (fabs(x[i]) < ROUNDING) x[i] = 0;
    }
    if (!hol_frame_turns(R)) return;
    hol_node *turn = hol_import_map(in, map, "orientation");
    if (rpy)
        hol_import_numbers(in, turn, "rpy", 3, rpy);
    else {
        hol_import_numbers(in, turn, "z", 3, z);
        hol_import_numbers(in, turn, "x", 3, x);
    }
}

// A marker of the body that a link is part of; its name. frame: in that body.
static const char *put_marker(writer *w, hol_robot_link *link, const char *name,
                              const hol_import_frame *frame, const double *rpy)
{
    hol_import *in = w->in;
    const char *own = hol_import_name(in, link->names, name, "_frame", true);
    if (!own) {
        in->no_memory = true;
        return "";
    }
    if (!hol_frame_turns(frame->R)) {
        hol_import_numbers(in, link->markers, own, 3, frame->p);
        return own;
    }
    hol_node *marker = hol_import_map(in, link->markers, own);
    hol_import_position(in, marker, "position", frame->p);
    hol_import_orientation(in, marker, frame->R, rpy);
    return own;
}

static hol_robot_link *lead(const writer *w, int link) { return &w->r->link[w->r->link[link].body]; }

static const char *name_of(const hol_robot_link *l) { return l->ground ? "ground" : l->own; }

// An end of a joint: body.marker, or the body.
static void put_end(writer *w, hol_node *ends, const hol_robot_link *l, const char *marker)
{
    const char *text = marker ? hol_arena_print(w->in->arena, "%s.%s", name_of(l), marker) : name_of(l);
    if (!text) w->in->no_memory = true;
    hol_import_text(w->in, ends, NULL, text ? text : "");
}

// ---- joints ---------------------------------------------------------------------------------------------------

static const char *const types[] = {"fixed", "revolute", "translational", "planar", NULL, "spherical"};

static hol_node *put_joint(writer *w, const char *name, hol_src at, const char *type)
{
    w->in->at = at;
    hol_node *map = hol_import_map(w->in, w->joints, NULL);
    hol_import_text(w->in, map, "name", name);
    hol_import_text(w->in, map, "type", type);
    return map;
}

// Limits, damping and friction of a joint with a coordinate.
static void put_laws(hol_import *in, hol_node *map, const hol_robot_joint *j)
{
    const bool turns = j->kind == HOL_ROBOT_REVOLUTE;
    if (j->limited) {
        hol_node *limits = hol_import_map(in, map, "limits");
        hol_import_numbers(in, limits, "range", 2, (const double[]){j->lower, j->upper});
        hol_import_text(in, limits, "hard", "yes");
        hol_import_number(in, limits, "restitution", 0);
    }
    if (j->stiffness != 0) hol_import_number(in, map, "stiffness", j->stiffness);
    if (j->stiffness != 0 && j->rest != 0) hol_import_number(in, map, turns ? "angle" : "length", j->rest);
    if (j->damping != 0) hol_import_number(in, map, "damping", j->damping);
    if (j->armature != 0) hol_import_number(in, map, "armature", j->armature);
    if (j->armature != 0 && turns) hol_import_text(in, map, "rotor", "classic");
    if (j->friction != 0)
        hol_import_number(in, hol_import_map(in, map, "friction"), turns ? "torque" : "force", j->friction);
}

// The joint with its markers, z along its axis, by which the child is drawn, too.
static void write_joint(writer *w, hol_robot_joint *j)
{
    hol_import *in = w->in;
    hol_robot_link *parent = lead(w, j->parent), *child = &w->r->link[j->child];
    const hol_import_frame *place = &w->r->link[j->parent].place;
    hol_import_frame along = hol_frame_none;
    in->at = j->at;
    if (j->kind != HOL_ROBOT_FLOATING) hol_frame_along(j->axis, along.R);
    const bool plain = !hol_frame_turns(along.R);
    const hol_import_frame child_frame = hol_frame_times(place, &j->frame),
                           there = hol_frame_times(&child_frame, &along);
    j->marker = put_marker(w, parent, j->own, &there,
                           plain && j->has_rpy && !hol_frame_turns(place->R) ? j->rpy : NULL);
    if (j->kind == HOL_ROBOT_FLOATING) return;
    const char *own = plain ? NULL : put_marker(w, child, j->own, &along, NULL);
    hol_node *map = put_joint(w, j->own, j->at, types[j->kind]);
    hol_node *ends = hol_import_list(in, map, "between");
    put_end(w, ends, parent, j->marker);
    put_end(w, ends, child, own);
    put_laws(in, map, j);
    if (map) map->comment = j->remark;
}

// q - multiplier q_leader stays as drawn.
static void write_coupler(writer *w, const hol_robot_joint *j)
{
    hol_import *in = w->in;
    if (j->leader < 0) return;
    const hol_robot_joint *leader = &w->r->joint[j->leader];
    const char *wanted = hol_arena_print(in->arena, "%s_follows", j->own);
    const char *name = wanted ? hol_import_name(in, w->names, wanted, "_", false) : NULL;
    if (!name) {
        in->no_memory = true;
        return;
    }
    if (j->multiplier == 0) {
        hol_import_text(in, put_joint(w, name, j->at, "lock"), "joint", j->own);
        return;
    }
    hol_node *map = put_joint(w, name, j->at, "coupler"), *both = hol_import_list(in, map, "joints");
    hol_import_text(in, both, NULL, j->own);
    hol_import_text(in, both, NULL, leader->own);
    hol_import_numbers(in, map, "ratios", 2, (const double[]){1, -j->multiplier});
}

// A joint between markers of two bodies that others join already.
static void write_loop(writer *w, const hol_robot_loop *l)
{
    const char *own = hol_import_name(w->in, w->names, l->name, "_loop", false);
    if (!own) {
        w->in->no_memory = true;
        return;
    }
    hol_node *map = put_joint(w, own, l->at, types[l->kind]), *ends = hol_import_list(w->in, map, "between");
    for (int i = 0; i < 2; i++) {
        hol_robot_link *body = lead(w, l->link[i]);
        const hol_import_frame there = hol_frame_times(&w->r->link[l->link[i]].place, &l->frame[i]);
        put_end(w, ends, body, put_marker(w, body, own, &there, NULL));
    }
}

// ---- motors ---------------------------------------------------------------------------------------------------

// "factor*text"; 1 is not written.
static const char *times(hol_import *in, double factor, const char *text)
{
    char number[32];
    hol_number_text(factor, number);
    return !text || factor == 1 ? text : hol_arena_print(in->arena, "%s*%s", number, text);
}

// An expression between two bounds, if there are some.
static const char *clamped(hol_import *in, const char *text, const double range[2])
{
    char low[32], high[32];
    hol_number_text(range[0], low);
    hol_number_text(range[1], high);
    return !text || range[0] >= range[1]
               ? text
               : hol_arena_print(in->arena, "max(%s, min(%s, %s))", low, high, text);
}

// text less a factor times a coordinate or rate, "j.angle", that counts from another place.
static const char *less(hol_import *in, const char *text, double factor, const char *joint,
                        const char *coordinate, double from)
{
    char number[32];
    if (!text || factor == 0) return text;
    hol_number_text(from, number);
    const char *what = from != 0 ? hol_arena_print(in->arena, "(%s.%s + %s)", joint, coordinate, number)
                                 : hol_arena_print(in->arena, "%s.%s", joint, coordinate);
    const char *all = times(in, fabs(factor), what);
    return all ? hol_arena_print(in->arena, "%s %c %s", text, factor > 0 ? '-' : '+', all) : NULL;
}

// An input, and the force or torque that it makes in the joint.
static hol_status write_motor(writer *w, const hol_robot_motor *m)
{
    hol_import *in = w->in;
    const hol_robot_joint *j = &w->r->joint[m->joint];
    const bool turns = j->kind == HOL_ROBOT_REVOLUTE;
    in->at = m->at;
    if (j->kind == HOL_ROBOT_FIXED)
        return hol_import_tell(in, HOL_TOLD_MISSED, m->at, m->name, "motors of joints that are held",
                               "they are left out");
    const char *name = hol_import_name(in, w->names, m->name, "_motor", false);
    const char *wanted = name ? hol_arena_print(in->arena, "%s_control", name) : NULL;
    const char *input = wanted ? hol_import_name(in, w->names, wanted, "_", false) : NULL;
    const char *law = times(in, m->kp, clamped(in, input, m->control));
    law = less(in, law, m->stiffness * m->gear, j->own, turns ? "angle" : "stroke", j->from);
    law = less(in, law, m->damping * m->gear, j->own, turns ? "rate" : "speed", 0);
    law = clamped(in, law, m->force);
    const bool sum = (m->stiffness != 0 || m->damping != 0) && m->force[0] >= m->force[1];
    if (law && m->gear != 1 && sum) law = hol_arena_print(in->arena, "(%s)", law);
    law = times(in, m->gear, law);
    if (!law) return HOL_ERR_MEMORY;
    hol_node *one = hol_import_map(in, w->inputs, NULL), *force = hol_import_map(in, w->forces, NULL);
    hol_import_text(in, one, "name", input);
    hol_import_text(in, force, "name", name);
    hol_import_text(in, force, "type", turns ? "torque" : "force");
    hol_import_text(in, force, "joint", j->own);
    hol_import_text(in, force, "value", law);
    return HOL_OK;
}

// ---- tendons --------------------------------------------------------------------------------------------------

// A sum that begins with " + " or " - ".
static const char *begun(hol_import *in, const char *sum)
{
    if (!sum || *sum != ' ') return sum;
    return sum[1] == '+' ? sum + 3 : hol_arena_print(in->arena, "-%s", sum + 3);
}

// stiffness or damping times a sum, behind what there is; "" and none where the factor is 0.
static const char *with_sum(hol_import *in, const char *text, double factor, const char *sum)
{
    const char *one =
        factor != 0 && sum ? times(in, factor, hol_arena_print(in->arena, "(%s)", begun(in, sum))) : "";
    return !text || !one || !*one ? text
                                  : hol_arena_print(in->arena, "%s%s%s", text, *text ? " + " : "", one);
}

// Its tension, and what that does in each of its joints.
static hol_status write_tendon(writer *w, const hol_robot_tendon *t)
{
    hol_import *in = w->in;
    const char *length = "", *speed = "";
    double rest = t->rests_with_springs ? 0 : t->rest;
    in->at = t->at;
    for (int i = 0; i < t->n; i++) {
        const hol_robot_joint *j = &w->r->joint[t->joint[i]];
        const bool turns = j->kind == HOL_ROBOT_REVOLUTE;
        if (j->kind == HOL_ROBOT_FIXED)
            return hol_import_tell(in, HOL_TOLD_MISSED, t->at, t->name, "tendons with joints that are held",
                                   "they are left out");
        rest += t->coefficient[i] * (t->rests_with_springs ? j->rest : -j->from);
        length = less(in, length, -t->coefficient[i], j->own, turns ? "angle" : "stroke", 0);
        speed = less(in, speed, -t->coefficient[i], j->own, turns ? "rate" : "speed", 0);
    }
    char number[32];
    hol_number_text(fabs(rest), number);
    if (rest != 0 && length)
        length = hol_arena_print(in->arena, "%s %c %s", length, rest > 0 ? '-' : '+', number);
    const char *tension = with_sum(in, with_sum(in, "", t->stiffness, length), t->damping, speed);
    const char *wanted = hol_arena_print(in->arena, "%s_tension", t->name);
    const char *name = tension && wanted ? hol_import_name(in, w->names, wanted, "_", false) : NULL;
    if (!name) return HOL_ERR_MEMORY;
    hol_node *variable = hol_import_map(in, w->variables, NULL);
    hol_import_text(in, variable, "name", name);
    hol_import_text(in, variable, "value", tension);
    for (int i = 0; i < t->n; i++) {
        const hol_robot_joint *j = &w->r->joint[t->joint[i]];
        const char *own = hol_arena_print(in->arena, "%s_%s", t->name, j->own);
        own = own ? hol_import_name(in, w->names, own, "_", false) : NULL;
        const char *value = times(in, -t->coefficient[i], name);
        if (!own || !value) return HOL_ERR_MEMORY;
        hol_node *force = hol_import_map(in, w->forces, NULL);
        hol_import_text(in, force, "name", own);
        hol_import_text(in, force, "type", j->kind == HOL_ROBOT_REVOLUTE ? "torque" : "force");
        hol_import_text(in, force, "joint", j->own);
        hol_import_text(in, force, "value", value);
    }
    return HOL_OK;
}

// ---- shapes ---------------------------------------------------------------------------------------------------

// A shape of a link in the frame of its body.
static void write_shape(hol_import *in, hol_node *list, const hol_robot_shape *s,
                        const hol_import_frame *place)
{
    const hol_import_frame pose = hol_frame_times(place, &s->pose);
    hol_node *map = hol_import_map(in, list, NULL);
    hol_import_text(in, map, "type", s->type);
    if (strcmp(s->type, "box") == 0)
        hol_import_numbers(in, map, "size", 3, s->size);
    else if (s->file) {
        hol_import_text(in, map, "file", s->file);
        if (s->scale != 1) hol_import_number(in, map, "scale", s->scale);
    } else {
        hol_import_number(in, map, "radius", s->size[0]);
        if (strcmp(s->type, "sphere") != 0) hol_import_number(in, map, "length", s->size[1]);
    }
    hol_import_position(in, map, "position", pose.p);
    hol_import_orientation(in, map, pose.R, NULL);
    if (s->color) hol_import_text(in, map, "color", s->color);
}

static void put_shapes(hol_import *in, hol_node *map, const hol_robot_link *body)
{
    const hol_node *shapes = body->shapes;
    if (shapes && shapes->n)
        hol_import_put(in, map, "shape", shapes->n == 1 ? shapes->value[0] : body->shapes);
}

// ---- bodies ---------------------------------------------------------------------------------------------------

// What fixed joints hold to a body: its frame is a marker, its shapes are those of the body.
static void take_link(writer *w, hol_robot_link *l)
{
    hol_import *in = w->in;
    hol_robot_link *body = &w->r->link[l->body];
    in->at = l->at;
    for (int i = 0; i < l->n_shapes; i++) write_shape(in, body->shapes, &l->shape[i], &l->place);
    if (l == body) return;
    put_marker(w, body, l->name, &l->place, NULL);
    body->parts =
        body->parts && strlen(body->parts) > 60
            ? (strstr(body->parts, ", ..") ? body->parts : hol_arena_print(in->arena, "%s, ..", body->parts))
            : hol_arena_print(in->arena, "%s%s%.60s", body->parts ? body->parts : "", body->parts ? ", " : "",
                              l->name);
    if (!body->parts) in->no_memory = true;
}

// Where a body is drawn: relative to the marker of its joint, or of one on ground globally.
static void put_pose(writer *w, hol_node *map, const hol_robot_link *l)
{
    if (l->joint < 0) return;
    hol_import *in = w->in;
    const hol_robot_joint *j = &w->r->joint[l->joint];
    const hol_robot_link *parent = lead(w, j->parent);
    const hol_import_frame moved = hol_robot_motion(j);
    if (parent->ground) {
        const hol_import_frame *place = &w->r->link[j->parent].place;
        const hol_import_frame at = hol_frame_times(place, &j->frame), drawn = hol_frame_times(&at, &moved);
        const bool same = j->has_rpy && !hol_frame_turns(moved.R) && !hol_frame_turns(place->R);
        hol_import_position(in, map, "position", drawn.p);
        hol_import_orientation(in, map, drawn.R, same ? j->rpy : NULL);
        return;
    }
    hol_import_frame along = hol_frame_none;
    if (j->kind != HOL_ROBOT_FLOATING) hol_frame_along(j->axis, along.R);
    const hol_import_frame back = hol_frame_inverse(&along), drawn = hol_frame_times(&back, &moved);
    const char *marker = hol_arena_print(in->arena, "%s.%s", parent->own, j->marker);
    if (!marker) in->no_memory = true;
    hol_import_text(in, map, "relative_to", marker ? marker : "");
    hol_import_position(in, map, "position", drawn.p);
    hol_import_orientation(in, map, drawn.R, NULL);
}

hol_status hol_import_inertia(hol_import *in, hol_node *map, hol_src at, const char *name,
                              const double own[9])
{
    double J[9];
    hol_inertia_fault fault;
    double moment[3];
    memcpy(J, own, sizeof J);
    for (int i = 0; i < 9; i++)
        if (fabs(J[i]) < ROUNDING * (J[0] + J[4] + J[8])) J[i] = 0;
    const hol_status st = hol_inertia_judge(in->ctx, J, moment, &fault);
    if (st) return st;
    const int n = J[1] == 0 && J[2] == 0 && J[5] == 0 ? 3 : 6;
    hol_import_numbers(in, map, "inertia", n, (const double[]){J[0], J[4], J[8], J[1], J[2], J[5]});
    if (fault != HOL_INERTIA_TRIANGLE) return HOL_OK;
    hol_import_text(in, map, "inertia_check", "warn");
    return hol_import_tell(in, HOL_TOLD_ASSUMED, at, name,
                           "bodies whose inertia breaks the triangle inequality, which no rigid body does",
                           "they move with it as it is (inertia_check: warn)");
}

// A body with its mass, its place, its markers and what is drawn of it.
static hol_status write_body(writer *w, hol_node *bodies, const hol_robot_link *l)
{
    hol_import *in = w->in;
    in->at = l->at;
    hol_node *map = hol_import_map(in, bodies, NULL);
    hol_import_text(in, map, "name", l->own);
    hol_import_number(in, map, "mass", l->whole.mass);
    hol_import_position(in, map, "com", l->whole.com);
    const hol_status st = hol_import_inertia(in, map, l->at, l->name, l->whole.J);
    put_pose(w, map, l);
    if (l->markers && l->markers->n) hol_import_put(in, map, "markers", l->markers);
    put_shapes(in, map, l);
    if (map && l->parts)
        map->comment = hol_arena_print(in->arena, "with what fixed joints hold to it: %s", l->parts);
    return st;
}

// ---- the model ------------------------------------------------------------------------------------------------

// A name that is another one here, "a_b = a.b".
static hol_status tell_name(hol_import *in, hol_src at, const char *own, const char *name)
{
    if (!own) return HOL_ERR_MEMORY;
    if (strcmp(own, name) == 0) return HOL_OK;
    const char *both = hol_arena_print(in->arena, "%s = %.100s", own, name);
    return both ? hol_import_tell(in, HOL_TOLD_CHANGED, at, both,
                                  "names that mean something in a model file, or are there twice",
                                  "here they are")
                : HOL_ERR_MEMORY;
}

// Names of bodies and joints, and what bodies gather.
static hol_status begin(writer *w)
{
    hol_import *in = w->in;
    hol_robot *r = w->r;
    hol_status st = HOL_OK;
    w->names = hol_names_create_in(in->ctx, in->arena);
    w->joints = hol_import_list(in, NULL, NULL);
    w->inputs = hol_import_list(in, NULL, NULL);
    w->forces = hol_import_list(in, NULL, NULL);
    w->variables = hol_import_list(in, NULL, NULL);
    if (!w->names) return HOL_ERR_MEMORY;
    for (int k = 0; k < r->n_links && !st; k++) {
        hol_robot_link *l = &r->link[r->order[k]];
        if (l->body != r->order[k]) continue;
        in->at = l->at;
        l->own = hol_import_name(in, w->names, l->name, "_", false);
        l->names = hol_names_create_in(in->ctx, in->arena);
        l->markers = hol_import_map(in, NULL, NULL);
        l->shapes = hol_import_list(in, NULL, NULL);
        if (!l->own || !l->names) return HOL_ERR_MEMORY;
        if (!l->ground) st = tell_name(in, l->at, l->own, l->name);
    }
    for (int k = 1; k < r->n_links && !st; k++) {
        hol_robot_joint *j = &r->joint[r->link[r->order[k]].joint];
        if (j->kind == HOL_ROBOT_FIXED) continue;
        j->own = hol_import_name(in, w->names, j->name, "_joint", false);
        st = tell_name(in, j->at, j->own, j->name);
    }
    return st;
}

// All joints, in the order of their children, and those that hold the root, close loops, and couple.
static hol_status write_joints(writer *w)
{
    hol_robot *r = w->r;
    hol_robot_link *root = &r->link[r->order[0]];
    if (!root->ground && w->in->options.root != HOL_IMPORT_FREE) {
        const char *wanted = hol_arena_print(w->in->arena, "%s_to_ground", root->own);
        const char *name = wanted ? hol_import_name(w->in, w->names, wanted, "_", false) : NULL;
        if (!name) return HOL_ERR_MEMORY;
        hol_node *ends = hol_import_list(w->in, put_joint(w, name, root->at, "fixed"), "between");
        hol_import_text(w->in, ends, NULL, "ground");
        hol_import_text(w->in, ends, NULL, root->own);
    }
    for (int k = 1; k < r->n_links; k++) {
        hol_robot_joint *j = &r->joint[r->link[r->order[k]].joint];
        if (j->kind != HOL_ROBOT_FIXED) write_joint(w, j);
    }
    for (int i = 0; i < r->n_loops; i++) write_loop(w, &r->loop[i]);
    for (int k = 1; k < r->n_links; k++) write_coupler(w, &r->joint[r->link[r->order[k]].joint]);
    return HOL_OK;
}

// Ground, where something is part of it, and all bodies.
static hol_status write_bodies(writer *w, hol_node *model)
{
    hol_robot *r = w->r;
    hol_import *in = w->in;
    hol_status st = HOL_OK;
    const hol_robot_link *root = &r->link[r->order[0]];
    for (int k = 0; k < r->n_links; k++) take_link(w, &r->link[r->order[k]]);
    if (root->ground && (root->markers->n || root->shapes->n)) {
        hol_node *ground = hol_import_map(in, model, "ground");
        if (root->markers->n) hol_import_put(in, ground, "markers", root->markers);
        put_shapes(in, ground, root);
    }
    hol_node *bodies = hol_import_list(in, model, "bodies");
    for (int k = 0; k < r->n_links && !st; k++) {
        const hol_robot_link *l = &r->link[r->order[k]];
        if (l->body == r->order[k] && !l->ground) st = write_body(w, bodies, l);
    }
    if (!st && bodies && !bodies->n)
        st = hol_fail_at(in->ctx, HOL_ERR_MODEL, r->at,
                         "robot \"%s\": no link that is read moves, and none has a mass", r->name);
    return st;
}

hol_status hol_robot_write(hol_import *in, hol_robot *r, hol_node **model)
{
    writer w = {.in = in, .r = r};
    in->at = r->at;
    hol_names *title = hol_names_create_in(in->ctx, in->arena);
    const char *name = title ? hol_import_name(in, title, r->name, "_", false) : NULL;
    hol_node *root = hol_import_map(in, NULL, NULL);
    if (!name) return HOL_ERR_MEMORY;
    in->identifiers = r->identifiers;
    hol_import_text(in, root, "title", name);
    hol_import_number(in, root, "dimension", 3);
    hol_import_numbers(in, root, "gravity", 3, r->gravity);
    hol_status st = begin(&w);
    if (!st && !in->no_memory) st = write_joints(&w);
    if (!st && !in->no_memory) st = write_bodies(&w, root);
    if (!st && w.joints && w.joints->n) hol_import_put(in, root, "joints", w.joints);
    for (int i = 0; i < r->n_motors && !st && !in->no_memory; i++) st = write_motor(&w, &r->motor[i]);
    for (int i = 0; i < r->n_tendons && !st && !in->no_memory; i++) st = write_tendon(&w, &r->tendon[i]);
    if (!st && w.forces && w.forces->n) hol_import_put(in, root, "forces", w.forces);
    if (!st && w.variables && w.variables->n) hol_import_put(in, root, "variables", w.variables);
    if (!st && w.inputs && w.inputs->n) hol_import_put(in, root, "inputs", w.inputs);
    hol_import_number(in, hol_import_map(in, root, "simulate"), "end", 10);
    *model = root;
    return st ? st : in->no_memory ? HOL_ERR_MEMORY : HOL_OK;
}
