// Writes the bodies and joints of a robot as a model file has them.
#include "io/import_robot_write.h"
#include "element/inertia.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-15 // of directions, and of sums of tensors against the sum of the moments
typedef hol_robot_writer writer;

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

const char *hol_robot_end(writer *w, int link, const char *marker)
{
    const hol_robot_link *l = lead(w, link);
    const char *text = marker ? hol_arena_print(w->in->arena, "%s.%s", name_of(l), marker) : name_of(l);
    if (!text) w->in->no_memory = true;
    return text ? text : "";
}

// An end of a joint: body.marker, or the body.
static void put_end(writer *w, hol_node *ends, int link, const char *marker)
{
    hol_import_text(w->in, ends, NULL, hol_robot_end(w, link, marker));
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
    j->own_marker = plain ? NULL : put_marker(w, child, j->own, &along, NULL);
    hol_node *map = put_joint(w, j->own, j->at, types[j->kind]);
    hol_node *ends = hol_import_list(in, map, "between");
    put_end(w, ends, j->parent, j->marker);
    put_end(w, ends, j->child, j->own_marker);
    if (j->kind != HOL_ROBOT_SPHERICAL) put_laws(in, map, j);
    if (map) map->comment = j->remark;
}

void hol_robot_put_coupler(writer *w, const char *name, hol_src at, int n, const int *joint,
                           const double *ratio)
{
    hol_node *map = put_joint(w, name, at, "coupler"), *list = hol_import_list(w->in, map, "joints");
    for (int i = 0; i < n; i++) hol_import_text(w->in, list, NULL, w->r->joint[joint[i]].own);
    hol_import_numbers(w->in, map, "ratios", n, ratio);
}

// q - multiplier q_leader stays as drawn.
static void write_coupler(writer *w, const hol_robot_joint *j)
{
    hol_import *in = w->in;
    if (j->leader < 0) return;
    const char *wanted = hol_arena_print(in->arena, "%s_follows", j->own);
    const char *name = wanted ? hol_import_name(in, w->names, wanted, "_", false) : NULL;
    if (!name) {
        in->no_memory = true;
        return;
    }
    if (j->multiplier == 0)
        hol_import_text(in, put_joint(w, name, j->at, "lock"), "joint", j->own);
    else
        hol_robot_put_coupler(w, name, j->at, 2, (const int[]){(int)(j - w->r->joint), j->leader},
                              (const double[]){1, -j->multiplier});
}

// A joint between markers of two bodies that others join already.
static hol_status write_loop(writer *w, const hol_robot_loop *l)
{
    const hol_robot_link *a = lead(w, l->link[0]), *b = lead(w, l->link[1]);
    if (a == b || (a->ground && b->ground))
        return hol_import_tell(w->in, HOL_TOLD_LEFT_OUT, l->at, l->name,
                               "joints between places that are fixed to each other", "they hold nothing");
    const char *own = hol_import_name(w->in, w->names, l->name, "_loop", false);
    if (!own) return HOL_ERR_MEMORY;
    hol_node *map = put_joint(w, own, l->at, types[l->kind]), *ends = hol_import_list(w->in, map, "between");
    for (int i = 0; i < 2; i++) {
        hol_robot_link *body = lead(w, l->link[i]);
        const hol_import_frame there = hol_frame_times(&w->r->link[l->link[i]].place, &l->frame[i]);
        put_end(w, ends, l->link[i], put_marker(w, body, own, &there, NULL));
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
    l->marker = put_marker(w, body, l->name, &l->place, NULL);
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

// How a body that floats begins to move.
static void put_velocity(writer *w, hol_node *map, const hol_robot_link *l)
{
    const hol_robot_joint *j = l->joint >= 0 ? &w->r->joint[l->joint] : NULL;
    if (!j || j->kind != HOL_ROBOT_FLOATING || !j->moves) return;
    hol_import_position(w->in, map, "velocity", j->speed);
    hol_import_position(w->in, map, "omega", j->speed + 3);
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
    put_velocity(w, map, l);
    if (l->markers && l->markers->n) hol_import_put(in, map, "markers", l->markers);
    put_shapes(in, map, l);
    if (map && l->parts) {
        map->comment = hol_arena_print(in->arena, "with what fixed joints hold to it: %s", l->parts);
        in->no_memory = in->no_memory || !map->comment;
    }
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
    hol_node **lists[] = {&w->joints, &w->inputs,      &w->forces, &w->variables,
                          &w->states, &w->constraints, &w->drivers};
    for (int i = 0; i < HOL_COUNT(lists); i++) *lists[i] = hol_import_list(in, NULL, NULL);
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
    hol_status st = HOL_OK;
    for (int i = 0; i < r->n_loops && !st; i++) st = write_loop(w, &r->loop[i]);
    for (int k = 1; k < r->n_links && !st; k++) write_coupler(w, &r->joint[r->link[r->order[k]].joint]);
    return st;
}

// Rates of joints at the start; where one is given all are.
static hol_status put_rates(writer *w, hol_node *root)
{
    hol_import *in = w->in;
    hol_robot *r = w->r;
    bool any = false, mixed = r->n_loops || r->n_equations, simple = false;
    for (int i = 0; i < r->n_joints; i++) {
        const hol_robot_joint *j = &r->joint[i];
        for (int k = 0; k < 6; k++) any = any || (j->moves && j->speed[k] != 0);
        mixed = mixed || j->kind == HOL_ROBOT_SPHERICAL;
        simple = simple || hol_robot_has_coordinate(j);
    }
    if (any && mixed)
        return hol_import_tell(in, HOL_TOLD_MISSED, r->begin, NULL,
                               "velocities of a keyframe beside loops, equalities and balls",
                               "they are left out");
    if (!any || !simple) return HOL_OK;
    hol_node *exact = hol_import_map(in, hol_import_map(in, root, "assemble"), "exact");
    hol_node *list = hol_import_list(in, exact, "joints");
    for (int i = 0; i < r->n_joints; i++) {
        const hol_robot_joint *j = &r->joint[i];
        if (j->leader >= 0 || !hol_robot_has_coordinate(j)) continue;
        hol_node *one = hol_import_map(in, list, NULL);
        hol_import_text(in, one, "joint", j->own);
        hol_import_number(in, one, j->kind == HOL_ROBOT_REVOLUTE ? "rate" : "speed", j->speed[0]);
    }
    return HOL_OK;
}

// What was left out may be what would move: it is told before.
static hol_status nothing_moves(hol_import *in, const hol_robot *r)
{
    const char *head;
    const hol_status st = hol_import_settle(in, &head);
    return st ? st
              : hol_fail_at(in->ctx, HOL_ERR_MODEL, r->at,
                            "robot \"%s\": no link that is read moves, and none has a mass", r->name);
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
    return st || !bodies || bodies->n ? st : nothing_moves(in, r);
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
    if (!st && !in->no_memory) st = hol_robot_write_forces(&w);
    const struct {
        const char *key;
        hol_node *list;
    } lists[] = {{"joints", w.joints}, {"drivers", w.drivers},     {"constraints", w.constraints},
                 {"forces", w.forces}, {"variables", w.variables}, {"states", w.states},
                 {"inputs", w.inputs}};
    for (int i = 0; i < HOL_COUNT(lists) && !st; i++)
        if (lists[i].list && lists[i].list->n) hol_import_put(in, root, lists[i].key, lists[i].list);
    if (!st) st = put_rates(&w, root);
    hol_import_number(in, hol_import_map(in, root, "simulate"), "end", 10);
    *model = root;
    return st ? st : in->no_memory ? HOL_ERR_MEMORY : HOL_OK;
}
