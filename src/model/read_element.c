// Joints, drivers and forces of a model file.
#include "model/elsewhere.h"
#include "model/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// clang-format off
#define NAME_KEYS \
    {"name", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED, NULL, "name; {i} stands for a loop index"}, \
    {"for", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "loop: i in first..last, or a list of loops"}, \
    {"type", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED, NULL, "kind of element"},
#define END_KEYS \
    {"between", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "the two ends: body.marker, body, or {body: marker}"}, \
    {"bodies", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "instead: two bodies, with the joint frame at the drawn pose"}, \
    {"at", HOL_VECTOR, "m", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, \
     "with `bodies`: origin of the joint frame, global"}, \
    {"axis", HOL_VECTOR, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, \
     "with `bodies`: joint axis, global: z of the joint frame (2D: x)"}, \
    {"axis2", HOL_VECTOR, "", HOL_NONE, -HOL_INF, HOL_INF, HOL_ONLY_3D, NULL, \
     "with `bodies`: axis of the second body where it differs (universal, perpendicular)"},
#define LOOP_KEY "loop"
// clang-format on

const hol_option hol_joint_keys[] = {
    NAME_KEYS END_KEYS{"joints", HOL_ENTRY, "", 0, 0, 0, 0, NULL,
                       "couplers, instead of ends: the joints whose coordinates are coupled"},
    {LOOP_KEY, HOL_CHOICE, "", 0, 0, 0, 0, "auto|yes|no",
     "methods that make a tree of the joints: cut this one because it closes a loop, or keep it in the tree"},
    HOL_END_OPTIONS};
const hol_option hol_constraint_keys[] = {
    {"name", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED, NULL, "name; {i} stands for a loop index"},
    {"for", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "loop: i in first..last, or a list of loops"},
    HOL_END_OPTIONS};
const hol_option hol_driver_keys[] = {
    NAME_KEYS END_KEYS{"joint", HOL_TEXT, "", 0, 0, 0, 0, NULL,
                       "instead of ends: the joint whose coordinate is driven"},
    HOL_END_OPTIONS};
const hol_option hol_force_keys[] = {
    NAME_KEYS END_KEYS{"on", HOL_ENTRY, "", 0, 0, 0, 0, NULL,
                       "forces with one end: body.marker, body, or {body: marker}"},
    {"joint", HOL_TEXT, "", 0, 0, 0, 0, NULL, "forces in a joint, instead of ends: its name"},
    HOL_END_OPTIONS};

static const char *role_word(hol_role role)
{
    static const char *const word[] = {"body", "joint", "driver", "constraint", "force"};
    return word[role];
}

static const hol_option *keys_of(hol_role role)
{
    static const hol_option *const keys[HOL_ROLES] = {hol_body_keys, hol_joint_keys, hol_driver_keys,
                                                      hol_constraint_keys, hol_force_keys};
    return keys[role];
}

// The type that the item names in its list; constraints are told apart by their key.
static hol_status read_type(const hol_reader *r, hol_role role, const hol_node *item, const hol_path *path,
                            const hol_element_type **type)
{
    const hol_node *node = hol_node_find(item, "type");
    const hol_path at = {path, "type", 0, NULL};
    const char *name;
    if (role == HOL_ROLE_CONSTRAINT) { // its key says what it is
        const bool velocity = hol_node_find(item, "velocity") != NULL;
        if (velocity == (hol_node_find(item, "position") != NULL))
            return hol_read_fail(r, item, path,
                                 "either position or velocity, an expression held at 0, is wanted");
        *type = hol_element_find(role, r->dimension, velocity ? "velocity" : "position");
        return HOL_OK;
    }
    if (!node) return hol_read_fail(r, item, path, "\"type\" is missing");
    hol_status st = hol_read_text(r, node, &at, &name);
    if (st) return st;
    *type = hol_element_find(role, r->dimension, name);
    if (*type && ((*type)->dimensions == 5 || (*type)->dimensions == r->dimension)) return HOL_OK;
    if (*type)
        return hol_read_fail(r, node, &at, "%s type \"%s\" exists in models of dimension %d only",
                             role_word(role), name, (*type)->dimensions);
    const char *elsewhere = hol_elsewhere(role_word(role), name);
    if (elsewhere)
        return hol_read_fail(r, node, &at, "there is no %s type \"%s\": %s", role_word(role), name,
                             elsewhere);
    const char *hint = hol_element_suggest(role, r->dimension, name);
    return hol_read_fail(r, node, &at, "there is no %s type \"%s\"%s%s%s", role_word(role), name,
                         hint ? "; did you mean \"" : "; `holonom elements` lists them", hint ? hint : "",
                         hint ? "\"?" : "");
}

// "crank.tip", "crank", or {crank: [x, y]}
static hol_status read_end(const hol_reader *r, const hol_node *node, const hol_path *path, hol_spec_end *end)
{
    hol_reader draft = *r; // names of ends are looked up once
    draft.arena = r->draft;
    end->at = node->at;
    if (node->kind == HOL_NODE_MAP && node->n == 1) {
        hol_status st = hol_read_text(&draft, node->key[0], path, &end->body);
        hol_spec_marker *local = st ? NULL : hol_arena_alloc(r->draft, 1, sizeof *local);
        if (!local) return st ? st : HOL_ERR_MEMORY;
        const hol_path at = {path, end->body, 0, NULL};
        end->at = node->key[0]->at;
        end->local = local;
        return hol_read_marker(r, node->value[0], &at, strcmp(end->body, "ground") == 0, local);
    }
    if (node->kind != HOL_NODE_SCALAR)
        return hol_read_fail(r, node, path, "wanted is body.marker, body, or {body: [x, y]}");
    const char *text;
    hol_status st = hol_read_text(&draft, node, path, &text);
    if (st) return st;
    const char *dot = strchr(text, '.');
    end->body = dot ? hol_arena_copy(r->draft, text, (size_t)(dot - text)) : text;
    end->marker = dot ? dot + 1 : NULL;
    return end->body ? HOL_OK : HOL_ERR_MEMORY;
}

// `between:` as a list of two ends or as a map of two.
static hol_status read_pair(const hol_reader *r, const hol_node *node, const hol_path *path,
                            hol_spec_element *e)
{
    // `between: [ground: [0, 0], a.b]` is a list; `between: {ground: [0, 0], a: [1, 0]}` is the same
    const bool map = node->kind == HOL_NODE_MAP;
    if (node->n != 2 || (node->kind != HOL_NODE_SEQUENCE && !map))
        return hol_read_fail(r, node, path, "two ends are wanted: [body.marker, body.marker]");
    for (int i = 0; i < 2; i++) {
        const hol_path at = {path, NULL, i, NULL};
        hol_node pair = {.kind = HOL_NODE_MAP, .text = "", .n = 1};
        if (map) {
            pair.at = node->key[i]->at;
            pair.key = &node->key[i];
            pair.value = &node->value[i];
        }
        hol_status st = read_end(r, map ? &pair : node->value[i], &at, &e->end[i]);
        if (st) return st;
    }
    return HOL_OK;
}

// A direction, as the rotation that takes z to it.
static hol_status read_axis(const hol_reader *r, const hol_node *item, const hol_path *path, const char *key,
                            double quat[4])
{
    const hol_node *node = hol_node_find(item, key);
    const hol_path at = {path, key, 0, NULL};
    double a[3];
    hol_status st = hol_read_vector(r, node, &at, "", a);
    if (st) return st;
    if (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] == 0)
        return hol_read_fail(r, node, &at, "length is 0, a direction is wanted");
    if (r->dimension == 3) {
        hol_frame_from_axes(a, NULL, quat);
        return HOL_OK;
    }
    const double angle = atan2(a[1], a[0]);
    quat[0] = cos(angle / 2);
    quat[3] = sin(angle / 2);
    return HOL_OK;
}

// Two axes at right angles: as drawn they need not be, but parallel ones have no way to get there.
static hol_status check_arms(const hol_reader *r, const hol_node *axis2, const hol_path *path,
                             const hol_spec_element *e)
{
    const hol_path at = {path, "axis2", 0, NULL};
    double A[9], B[9];
    hol_quat_matrix(e->drawn->quat[0], A);
    hol_quat_matrix(e->drawn->quat[1], B);
    const double cosine = A[2] * B[2] + A[5] * B[5] + A[8] * B[8]; // of the z axes
    if (fabs(cosine) < 0.99) return HOL_OK;
    return hol_read_fail(r, axis2, &at, "parallel to \"axis\"; a %s joint has two axes at right angles",
                         e->type->name);
}

// One global frame at the drawn pose.
static hol_status read_drawn(const hol_reader *r, const hol_node *item, const hol_path *path,
                             hol_spec_element *e)
{
    const hol_node *at = hol_node_find(item, "at"), *axis2 = hol_node_find(item, "axis2");
    const hol_path at_path = {path, "at", 0, NULL};
    hol_status st = HOL_OK;
    hol_spec_drawn *drawn = hol_arena_alloc(r->draft, 1, sizeof *drawn);
    if (!drawn) return HOL_ERR_MEMORY;
    e->drawn = drawn;
    if (!at)
        return hol_read_fail(r, item, path, "\"bodies\" needs \"at\", the joint's place at the drawn pose");
    st = hol_read_vector(r, at, &at_path, "m", drawn->at);
    for (int i = 0; i < 2; i++) drawn->quat[i][0] = 1;
    const bool direction =
        r->dimension == 3 && e->type->role == HOL_ROLE_JOINT && e->type->axes[1] && !e->type->any_frame;
    if (!st && direction && !hol_node_find(item, "axis"))
        return hol_read_fail(r, item, path, "\"axis\" is missing: the direction of the %s joint, global",
                             e->type->name);
    if (!st && hol_node_find(item, "axis")) st = read_axis(r, item, path, "axis", drawn->quat[0]);
    memcpy(drawn->quat[1], drawn->quat[0], sizeof drawn->quat[1]);
    if (!st && axis2 && !e->type->two_axes) {
        const hol_path a = {path, "axis2", 0, NULL};
        return hol_read_fail(r, axis2, &a, "a %s joint has one axis", e->type->name);
    }
    if (!st && e->type->two_axes && !axis2)
        return hol_read_fail(r, item, path, "a %s joint has two axes at right angles: \"axis2\" is missing",
                             e->type->name);
    if (!st && axis2) st = read_axis(r, item, path, "axis2", drawn->quat[1]);
    return st || !axis2 ? st : check_arms(r, axis2, path, e);
}

static hol_status refuse(const hol_reader *r, const hol_node *item, const hol_path *path, const char *key,
                         const char *why)
{
    const hol_node *node = hol_node_find(item, key);
    const hol_path at = {path, key, 0, NULL};
    return node ? hol_read_fail(r, node, &at, "%s", why) : HOL_OK;
}

// joint: a
static hol_status read_inside(const hol_reader *r, const hol_node *item, const hol_path *path,
                              hol_spec_element *e)
{
    const hol_node *joint = hol_node_find(item, "joint");
    const hol_path at = {path, "joint", 0, NULL};
    static const char *const ends[] = {"between", "bodies", "at", "axis", "axis2", "on"};
    for (int i = 0; i < HOL_COUNT(ends); i++) {
        hol_status st = refuse(r, item, path, ends[i], "this force acts in a joint: name it by \"joint\"");
        if (st) return st;
    }
    if (!joint)
        return hol_read_fail(r, item, path, "\"joint\" is missing: the joint in which the force acts");
    hol_spec_coupled *of = hol_arena_alloc(r->draft, 1, sizeof *of);
    if (!of) return HOL_ERR_MEMORY;
    e->n_joints = 1;
    e->coupled = of;
    of->at = joint->at;
    return hol_read_text(r, joint, &at, &of->name);
}

// joints: [a, b]
static hol_status read_coupled(const hol_reader *r, const hol_node *item, const hol_path *path,
                               hol_spec_element *e)
{
    const hol_node *list = hol_node_find(item, "joints");
    const hol_path at = {path, "joints", 0, NULL};
    const int wanted = e->type->joints;
    static const char *const ends[] = {"between", "bodies", "at", "axis", "axis2"};
    for (int i = 0; i < HOL_COUNT(ends); i++) {
        hol_status st =
            refuse(r, item, path, ends[i], "this element couples joints: name them by \"joints\"");
        if (st) return st;
    }
    if (!list) return hol_read_fail(r, item, path, "\"joints\" is missing: the joints that are coupled");
    const bool fits =
        list->kind == HOL_NODE_SEQUENCE && (wanted > 0 ? list->n == wanted : list->n == 2 || list->n == 3);
    if (!fits)
        return hol_read_fail(r, list, &at, "the names of two%s joints are wanted",
                             wanted > 0 ? "" : " or three");
    hol_spec_coupled *coupled = hol_arena_alloc(r->draft, (size_t)list->n, sizeof *coupled);
    if (!coupled) return HOL_ERR_MEMORY;
    e->n_joints = list->n;
    e->coupled = coupled;
    for (int i = 0; i < list->n; i++) {
        coupled[i].at = list->value[i]->at;
        hol_status st = hol_read_text(r, list->value[i], &at, &coupled[i].name);
        if (st) return st;
        for (int k = 0; k < i; k++)
            if (strcmp(coupled[k].name, coupled[i].name) == 0)
                return hol_read_fail(r, list->value[i], &at,
                                     "\"%s\" is named twice; a joint cannot be coupled with itself",
                                     coupled[i].name);
    }
    return HOL_OK;
}

// Ends as users write them: between two markers; two bodies with point and axis; on one body; or of joints.
static hol_status read_ends(const hol_reader *r, const hol_node *item, const hol_path *path,
                            hol_spec_element *e)
{
    const hol_node *between = hol_node_find(item, "between"), *bodies = hol_node_find(item, "bodies");
    const hol_node *on = e->type->role == HOL_ROLE_FORCE ? hol_node_find(item, "on") : NULL;
    const hol_node *joint = e->type->role == HOL_ROLE_DRIVER ? hol_node_find(item, "joint") : NULL;
    const hol_path p_between = {path, "between", 0, NULL}, p_bodies = {path, "bodies", 0, NULL},
                   p_on = {path, "on", 0, NULL};
    e->n_ends = e->type->ends;
    if (e->type->role == HOL_ROLE_CONSTRAINT) return HOL_OK;
    if (e->type->joints == 1) return read_inside(r, item, path, e);
    if (e->type->joints) return read_coupled(r, item, path, e);
    if (e->type->role == HOL_ROLE_FORCE && hol_node_find(item, "joint"))
        return refuse(r, item, path, "joint",
                      "a force in a joint is friction alone; this one acts at markers: "
                      "name the ends of the joint by \"on\" or \"between\"");
    if (hol_node_find(item, "joints") && e->type->role == HOL_ROLE_JOINT)
        return refuse(r, item, path, "joints", "this goes with couplers: coupler, gear, rack-pinion");
    if ((between != NULL) + (bodies != NULL) + (on != NULL) + (joint != NULL) > 1)
        return hol_read_fail(r,
                             joint ? joint
                             : on  ? on
                                   : bodies,
                             path, "the ends are given twice; keep one of between, bodies, on, joint");
    if (!bodies) {
        static const char *const keys[] = {"at", "axis", "axis2"};
        for (int i = 0; i < 3; i++) {
            hol_status st = refuse(r, item, path, keys[i],
                                   "this goes with \"bodies\"; with \"between\" the markers have axes");
            if (st) return st;
        }
    }
    if (joint) {
        const hol_path p = {path, "joint", 0, NULL};
        e->joint_at = joint->at;
        return hol_read_text(r, joint, &p, &e->joint);
    }
    if (e->type->ends == 1 && (between || bodies))
        return hol_read_fail(r, between ? between : bodies, between ? &p_between : &p_bodies,
                             "a %s acts on one marker; use \"on\"", e->type->name);
    if (e->type->ends == 1)
        return on ? read_end(r, on, &p_on, &e->end[0])
                  : hol_read_fail(r, item, path, "\"on\" is missing: body.marker or body");
    if (on)
        return hol_read_fail(r, on, &p_on, "a %s acts between two markers: use \"between\"", e->type->name);
    if (!between && !bodies)
        return hol_read_fail(r, item, path, "\"between\" (two markers) or \"bodies\" with \"at\" is missing");
    hol_status st = read_pair(r, between ? between : bodies, between ? &p_between : &p_bodies, e);
    if (st || between) return st;
    for (int i = 0; i < 2; i++)
        if (e->end[i].marker || bodies->kind == HOL_NODE_MAP)
            return hol_read_fail(r, bodies, &p_bodies, "names of two bodies are wanted, without markers");
    return read_drawn(r, item, path, e);
}

// loop: yes
static hol_status read_loop(const hol_reader *r, const hol_node *item, const hol_path *path,
                            hol_spec_element *e)
{
    const hol_node *node = e->type->role == HOL_ROLE_JOINT ? hol_node_find(item, LOOP_KEY) : NULL;
    const hol_path at = {path, LOOP_KEY, 0, NULL};
    const hol_option *row = hol_joint_keys;
    hol_value value;
    if (!node) return HOL_OK;
    while (strcmp(row->key, LOOP_KEY) != 0) row++;
    hol_status st = hol_read_option(r, row, node, &at, &value);
    if (st) return st;
    e->loop = (hol_loop_choice)value.num;
    if (e->loop == HOL_LOOP_NO && e->type->joints)
        return hol_read_fail(r, node, &at,
                             "a %s ties more than two bodies, so it is always cut: leave loop away",
                             e->type->name);
    return HOL_OK;
}

hol_status hol_read_element(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            void *user)
{
    hol_element_list *list = user;
    hol_spec_element **array =
        hol_arena_push(r->draft, spec->element, &list->capacity, spec->n_elements, sizeof *array);
    hol_spec_element *e = array ? hol_arena_alloc(r->draft, 1, sizeof *e) : NULL;
    if (!e) return HOL_ERR_MEMORY;
    spec->element = array;
    array[spec->n_elements] = e;
    e->at = item->at;
    hol_status st = hol_read_name(r, item, path, &e->name, &e->name_at);
    if (!st) st = read_type(r, list->role, item, path, &e->type);
    if (st) return st;
    hol_value *value =
        hol_arena_alloc(r->draft, (size_t)hol_option_count(e->type->options) + 1, sizeof *value);
    if (!value) return HOL_ERR_MEMORY;
    st = hol_read_options(r, e->type->options, keys_of(list->role), item, path, value);
    e->value = value;
    if (!st) st = read_ends(r, item, path, e);
    if (!st) st = read_loop(r, item, path, e);
    spec->n_elements += !st;
    return st;
}
