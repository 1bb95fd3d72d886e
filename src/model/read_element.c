// Joints, drivers and forces of a model file.
#include "element/coordinate.h"
#include "linalg/dense.h"
#include "model/elsewhere.h"
#include "model/laws.h"
#include "model/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// clang-format off
#define NAME_KEYS \
    {"name", HOL_NAME, "", 0, 0, 0, HOL_REQUIRED, NULL, "name; {i} stands for a loop index"}, \
    {"for", HOL_LOOPS, "", 0, 0, 0, 0, NULL, "loop: i in first..last, or a list of loops"}, \
    {"type", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED, NULL, "kind of element"},
#define END_KEYS \
    {"between", HOL_ENDS, "", 0, 0, 0, 0, NULL, "the two ends: body.marker, body, or {body: marker}"}, \
    {"bodies", HOL_TEXTS, "", 0, 2, 2, 0, NULL, "instead: two bodies, with the joint frame at the drawn pose"}, \
    {"at", HOL_VECTOR, "m", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, \
     "with `bodies`: origin of the joint frame, global"}, \
    {"axis", HOL_VECTOR, "", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, \
     "with `bodies`: joint axis, global: z of the joint frame (2D: x)"}, \
    {"axis2", HOL_VECTOR, "", HOL_NONE, -HOL_INF, HOL_INF, HOL_ONLY_3D, NULL, \
     "with `bodies`: axis of the second body where it differs (universal, perpendicular)"},
#define ACTIVE_KEY \
    {"active", HOL_FLAG, "", 1, 0, 1, 0, NULL, "no: it does not act until an event switches it on"},
// clang-format on

static const hol_option joint_rows[] = {
    NAME_KEYS END_KEYS{"joints", HOL_TEXTS, "", 0, 2, HOL_MAX_JOINTS, 0, NULL,
                       "couplers, instead of ends: the joints whose coordinates are coupled"},
    {"joint", HOL_TEXT, "", 0, 0, 0, 0, NULL, "lock, instead of ends: the joint whose coordinate it holds"},
    {"loop", HOL_CHOICE, "", 0, 0, 0, 0, "auto|yes|no",
     "methods that make a tree of the joints: cut this one because it closes a loop, or keep it in the tree"},
    ACTIVE_KEY HOL_END_OPTIONS};
static const hol_option constraint_rows[] = {
    {"name", HOL_NAME, "", 0, 0, 0, HOL_REQUIRED, NULL, "name; {i} stands for a loop index"},
    {"for", HOL_LOOPS, "", 0, 0, 0, 0, NULL, "loop: i in first..last, or a list of loops"},
    ACTIVE_KEY HOL_END_OPTIONS};
static const hol_option driver_rows[] = {
    NAME_KEYS END_KEYS{"joint", HOL_TEXT, "", 0, 0, 0, 0, NULL,
                       "instead of ends: the joint whose coordinate is driven"},
    ACTIVE_KEY HOL_END_OPTIONS};
static const hol_option force_rows[] = {
    NAME_KEYS END_KEYS{"on", HOL_END, "", 0, 0, 0, 0, NULL,
                       "forces with one end: body.marker, body, or {body: marker}"},
    {"joint", HOL_TEXT, "", 0, 0, 0, 0, NULL, "forces in a joint, instead of ends: its name"},
    ACTIVE_KEY HOL_END_OPTIONS};

// ---- types, and how each says where it acts -------------------------------------------------------------------

#define DEFAULT_BODY "rigid"
enum {
    IN_JOINT = 1,
    COUPLES = 2,
    COUPLES_TWO = 4,
    ONE_END = 8,
    TWO_ENDS = 16,
    DRIVES = 32,
    DIRECTED = 64,
    TWO_AXES = 128,
    ONE_AXIS = 256,
    NO_AXES = 512,
    IN_JOINT_TOO = 1024,
    HAS_ANGLE = 2048,
    HAS_STROKE = 4096,
    COMPONENTS = 8192,
    TURNS = 32768,
    HOLDS = 65536, // joints of two ends
    ACTS = 131072, // forces of two ends
    TWO_ARMS = 262144
};
#define DRAWN "this goes with \"bodies\"; with \"between\" the markers have axes"
#define NO_ENDS "\"between\" (two markers) or \"bodies\" with \"at\" is missing"
#define TWICE "the ends are given twice; keep one of between, bodies, on, joint"

static const struct {
    unsigned of; // types of one of these kinds
    hol_rule rule;
} type_rules[] = {
    {NO_AXES,
     {HOL_REFUSED, "com|angle|omega|omega_body|orientation", "a point mass has no orientation", NULL}},
    {TURNS,
     {HOL_NOT_BOTH, "density|inertia",
      "the inertia follows from shapes and density: leave inertia away, or give mass in place of density",
      NULL}},
    {TURNS, {HOL_GOES_WITH, "inertia|mass", "\"mass\" is missing, which goes with an inertia", NULL}},
    {TURNS,
     {HOL_SOME_OF, "inertia|shape|density", "\"inertia\" is missing: give it, or a `shape` it follows from",
      NULL}},
    {IN_JOINT,
     {HOL_REFUSED, "between|bodies|at|axis|axis2|on|joints", "a {type} acts in a joint: name it by \"joint\"",
      NULL}},
    {IN_JOINT, {HOL_ONE_OF, "joint", "\"joint\" is missing: the joint in which the {type} acts", NULL}},
    {COUPLES,
     {HOL_REFUSED, "between|bodies|at|axis|axis2|joint",
      "this element couples joints: name them by \"joints\"", NULL}},
    {COUPLES, {HOL_ONE_OF, "joints", "\"joints\" is missing: the joints that are coupled", NULL}},
    {COUPLES_TWO, {HOL_TWO_NAMES, "joints", "the names of two joints are wanted", NULL}},
    {ONE_END,
     {HOL_REFUSED, "joint",
      "in a joint act torque, force and friction; a {type} acts on one marker: use \"on\"", NULL}},
    {ACTS,
     {HOL_REFUSED, "joint",
      "in a joint act torque, force and friction; a {type} acts between two markers: name the ends of the "
      "joint "
      "by "
      "\"between\"",
      NULL}},
    {HOLDS,
     {HOL_REFUSED, "joint",
      "a lock holds the coordinate of a joint; a {type} joint has two ends of its own: use \"between\"",
      NULL}},
    {TWO_ENDS, {HOL_REFUSED, "joints", "this goes with couplers: coupler, gear, rack-pinion", NULL}},
    {TWO_ENDS, {HOL_REFUSED, "on", "a {type} acts between two markers: use \"between\"", NULL}},
    {ONE_END, {HOL_REFUSED, "between|bodies", "a {type} acts on one marker; use \"on\"", NULL}},
    {ONE_END, {HOL_REFUSED, "at|axis|axis2", DRAWN, NULL}},
    {ONE_END, {HOL_ONE_OF, "on", "\"on\" is missing: body.marker or body", NULL}},
    {IN_JOINT_TOO,
     {HOL_ONE_OF, "on|joint",
      "\"on\" is missing: body.marker or body; or \"joint\": the joint in which it acts", TWICE}},
    {IN_JOINT_TOO,
     {HOL_NOT_BOTH, "joint|frame", "\"frame\" goes with \"on\"; in a joint its axis is the direction", NULL}},
    {IN_JOINT_TOO,
     {HOL_REFUSED, "between|bodies", "a {type} acts on one marker, `on`, or in a joint, `joint`", NULL}},
    {IN_JOINT_TOO, {HOL_REFUSED, "at|axis|axis2", DRAWN, NULL}},
    {TWO_ENDS | DRIVES, {HOL_GOES_WITH, "at|bodies", DRAWN, NULL}},
    {TWO_ENDS | DRIVES, {HOL_GOES_WITH, "axis|bodies", DRAWN, NULL}},
    {ONE_AXIS, {HOL_REFUSED, "axis2", "a {type} joint has one axis", NULL}},
    {TWO_AXES, {HOL_GOES_WITH, "axis2|bodies", DRAWN, NULL}},
    {TWO_ENDS, {HOL_ONE_OF, "between|bodies", NO_ENDS, TWICE}},
    {DRIVES, {HOL_ONE_OF, "between|bodies|joint", NO_ENDS, TWICE}},
    {DRIVES,
     {HOL_ONE_OF, "value|speed|acceleration",
      "\"value\" is missing: it, speed or acceleration, a function of time, says how the {type} moves",
      "the motion is given twice; keep one of value, speed, acceleration"}},
    {DRIVES,
     {HOL_GOES_WITH, "start|speed|acceleration",
      "\"start\" goes with speed or acceleration; a value says itself where it begins", NULL}},
    {DRIVES,
     {HOL_GOES_WITH, "start_speed|acceleration",
      "\"start_speed\" goes with acceleration; a value or a speed says itself how fast it begins", NULL}},
    {HAS_ANGLE,
     {HOL_GOES_WITH, "angle|stiffness",
      "this is the angle at which the joint's spring is free: give its stiffness", NULL}},
    {HAS_ANGLE,
     {HOL_GOES_WITH, "rotor|armature", "it says how an armature counts; give armature, or leave it away",
      NULL}},
    {HAS_STROKE,
     {HOL_GOES_WITH, "length|stiffness",
      "this is the stroke at which the joint's spring is free: give its stiffness", NULL}},
    {COMPONENTS, {HOL_SOME_OF, "force|torque", "it exerts nothing: give force or torque", NULL}},
    {TWO_ENDS | DRIVES,
     {HOL_GOES_WITH, "bodies|at", "this needs \"at\", the joint's place at the drawn pose", NULL}},
    {DIRECTED,
     {HOL_GOES_WITH, "bodies|axis", "\"axis\" is missing: the direction of the {type} joint, global", NULL}},
    {TWO_ARMS,
     {HOL_GOES_WITH, "bodies|axis2", "a {type} joint has two axes at right angles: \"axis2\" is missing",
      NULL}}};

// Which kinds of rules the type has.
static unsigned kinds_of(const hol_element_type *t, int dimension)
{
    const bool space = dimension == 3, joint = t->role == HOL_ROLE_JOINT;
    if (t->role == HOL_ROLE_BODY) return t->frame == HOL_FRAME_POINT ? NO_AXES : TURNS;
    if (t->role == HOL_ROLE_CONSTRAINT) return 0;
    const unsigned parts = t->components ? COMPONENTS : 0;
    if (t->joints == 1) return IN_JOINT | parts;
    if (t->joints) return COUPLES | (t->joints == 2 ? COUPLES_TWO : 0);
    if (t->ends == 1) return (t->in_joint ? IN_JOINT_TOO : ONE_END) | parts;
    const unsigned laws = !joint                                   ? 0
                          : t->coordinate == HOL_COORDINATE_ANGLE  ? HAS_ANGLE
                          : t->coordinate == HOL_COORDINATE_STROKE ? HAS_STROKE
                                                                   : 0;
    return laws | parts | (t->role == HOL_ROLE_DRIVER ? DRIVES : TWO_ENDS | (joint ? HOLDS : ACTS)) |
           (t->two_axes && space ? TWO_AXES : ONE_AXIS) |
           (t->two_axes == HOL_TWO_ARMS && space ? TWO_ARMS : 0) |
           (space && joint && t->axes[1] && !t->any_frame ? DIRECTED : 0);
}

void hol_type_fill(const hol_element_type *t, int dimension, hol_type *out)
{
    int n = 0;
    *out = (hol_type){.name = t->name,
                      .aliases = t->aliases,
                      .doc = t->doc,
                      .dimensions = t->dimensions,
                      .rows = t->options,
                      .silent = t->role == HOL_ROLE_BODY && strcmp(t->name, DEFAULT_BODY) == 0};
    for (int i = 0; i < HOL_COUNT(type_rules); i++)
        if (type_rules[i].of & kinds_of(t, dimension)) out->rules[n++] = type_rules[i].rule;
}

bool hol_type_at(const hol_object *o, int i, int dimension, hol_type *out)
{
    for (const hol_element_type *const *t = hol_element_types; *t; t++) {
        const bool exists = dimension == 0 || (*t)->dimensions == 5 || (*t)->dimensions == dimension;
        if ((int)(*t)->role != o->role || !exists || i-- > 0) continue;
        hol_type_fill(*t, dimension, out);
        return true;
    }
    return false;
}

static hol_item_fn read_element;
static const hol_rule constraint_rules[] = {
    {HOL_ONE_OF, "position|velocity", "either position or velocity, an expression held at 0, is wanted",
     NULL},
    HOL_END_RULES};
const hol_object hol_joint_object = {
    .name = "joint",
    .rows = joint_rows,
    .type = hol_type_at,
    .role = HOL_ROLE_JOINT,
    .read = read_element,
    .text =
        "A joint holds two frames together. Either one marker of each body, `between: [rod.tip, slider]`, or "
        "one "
        "global "
        "frame at the drawn pose: `bodies: [rod, slider], at: [1, 0, 0], axis: [0, 0, 1]`. The couplers "
        "(gear, "
        "rack-pinion, coupler) hold the coordinates of other joints together: `joints: [first, second]`."};
const hol_object hol_driver_object = {
    .name = "driver",
    .rows = driver_rows,
    .type = hol_type_at,
    .role = HOL_ROLE_DRIVER,
    .read = read_element,
    .text = "A driver prescribes a coordinate. `joint: hinge` takes the ends of that "
            "joint, which must leave the coordinate free; otherwise ends are given as for a joint. It takes "
            "its value as a function of time, or "
            "its `speed` or `acceleration`, which are integrated from time 0 in closed form: the value is "
            "exact. There is one of sums, "
            "multiples, polynomials in time, and of powers, sin, cos, exp, sinh, cosh, poly, step and tables "
            "of a linear function of "
            "time; other speeds are held by a constraint, `velocity: hinge.rate - tanh(time)`. What it takes "
            "to do so are signals: "
            "`NAME.torque` of an angle, `NAME.force` of a stroke or distance, above 0 where it drives the "
            "coordinate up, and "
            "`NAME.power`, what it gives to the model. `NAME.Fx`, .. is its whole reaction: what the driver "
            "exerts on the second end, in "
            "the axes of that marker."};
const hol_object hol_force_object = {
    .name = "force",
    .rows = force_rows,
    .type = hol_type_at,
    .role = HOL_ROLE_FORCE,
    .read = read_element,
    .text = "Forces between two ends take them as joints do; those with one end have "
            "`on: rod.tip`, those in a joint its "
            "name, `joint: hinge`."};
const hol_object hol_constraint_object = {
    .name = "constraint",
    .rows = constraint_rows,
    .rules = constraint_rules,
    .type = hol_type_at,
    .role = HOL_ROLE_CONSTRAINT,
    .read = read_element,
    .by_key = true,
    .text = "A constraint holds an expression of measures and time (see Expressions) at 0. It has no type: "
            "the key "
            "`position` or `velocity` says at which level it holds, `{name: rolling, velocity: VX(wheel) + "
            "r*WZ(wheel)}`; `{name: spin, velocity: hinge.rate - tanh(time)}` drives by a speed. Its "
            "multiplier is the signal `rolling.lambda`."};

// One that has a name for another kind of coordinate than others.
static hol_status know_joint(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const hol_object *object)
{
    const hol_node *node = hol_node_find(item, "type");
    const char *name = node && node->kind == HOL_NODE_SCALAR ? node->text : "";
    const hol_element_type *type = hol_element_find(HOL_ROLE_JOINT, r->dimension, name);
    hol_src at;
    int i = 0;
    (void)object;
    if (!type || !hol_joint_coordinates_differ(type, r->dimension)) return HOL_OK;
    const hol_status st = hol_read_name(r, item, path, &name, &at);
    if (st || hol_names_find(spec->known.joints, name) >= 0) return st;
    while (hol_element_types[i] != type) i++;
    return hol_names_add(spec->known.joints, name, i);
}

hol_status hol_know_joints(hol_spec *spec, const hol_node *root)
{
    const hol_node *node = hol_node_find(root, "joints");
    const hol_path path = {NULL, "joints", 0, NULL};
    const int items = spec->n_items, empty = spec->n_empty;
    const hol_status st = node ? hol_read_list(spec, node, &path, know_joint, NULL) : HOL_OK;
    spec->n_items = items; // they are yet to be read
    spec->n_empty = empty;
    if (st == HOL_ERR_MODEL) hol_context_clear(spec->ctx); // and told then
    return st == HOL_ERR_MODEL ? HOL_OK : st;
}

hol_status hol_read_type(const hol_reader *r, const hol_object *object, const hol_node *item,
                         const hol_path *path, const hol_element_type **type)
{
    const hol_role role = (hol_role)object->role;
    const hol_node *node = hol_node_find(item, "type");
    const hol_path at = {path, "type", 0, NULL};
    const char *name = role == HOL_ROLE_BODY ? DEFAULT_BODY : NULL;
    hol_status st = node ? hol_read_text(r, node, &at, &name) : HOL_OK;
    if (object->by_key) { // its key says what it is
        name = hol_node_find(item, "velocity") ? "velocity" : "position";
        st = hol_check_rules(r, object->rules, "", item, path);
    }
    if (!st && !name) return hol_read_fail(r, item, path, "\"type\" is missing");
    if (st) return st;
    *type = hol_element_find(role, r->dimension, name);
    if (*type && (*type)->in_joint && hol_node_find(item, "joint")) {
        hol_type on_marker;
        hol_type_fill(*type, r->dimension, &on_marker);
        st = hol_check_rules(r, on_marker.rules, on_marker.name, item, path);
        if (st) return st;
        *type = (*type)->in_joint;
    }
    if (*type && ((*type)->dimensions == 5 || (*type)->dimensions == r->dimension)) return HOL_OK;
    if (*type)
        return hol_read_fail(r, node, &at, "%s type \"%s\" exists in models of dimension %d only",
                             object->name, name, (*type)->dimensions);
    const char *elsewhere = hol_elsewhere(object->name, name, r->dimension);
    if (elsewhere)
        return hol_read_fail(r, node, &at, "there is no %s type \"%s\": %s", object->name, name, elsewhere);
    const hol_element_type *other = hol_element_of_any_role(r->dimension, name);
    if (other)
        return hol_read_fail(r, node, &at,
                             "there is no %s type \"%s\": it is a type of %s, and belongs into `%s:`",
                             object->name, name, hol_role_names[other->role], hol_role_lists[other->role]);
    const char *hint = hol_element_suggest(role, r->dimension, name);
    return hol_read_fail(r, node, &at, "there is no %s type \"%s\"%s%s%s", object->name, name,
                         hint ? "; did you mean \"" : "; `holonom elements` lists them", hint ? hint : "",
                         hint ? "\"?" : "");
}

hol_value *hol_values_scratch(hol_spec *spec, int n)
{
    if (n >= spec->n_scratch) {
        spec->scratch = hol_arena_alloc(spec->draft, (size_t)n + 1, sizeof *spec->scratch);
        spec->n_scratch = spec->scratch ? n + 1 : 0;
    } else
        memset(spec->scratch, 0, (size_t)n * sizeof *spec->scratch);
    return spec->scratch;
}

hol_value *hol_values_copy(hol_arena *arena, const hol_value *read, int n)
{
    hol_value *own = hol_arena_alloc(arena, (size_t)n, sizeof *own);
    if (own) memcpy(own, read, (size_t)n * sizeof *own);
    return own;
}

const hol_value *hol_values_keep(hol_arena *arena, const hol_value *before, const hol_value *read, int n)
{
    const bool same = before && memcmp(before, read, (size_t)n * sizeof *read) == 0;
    return same ? before : hol_values_copy(arena, read, n);
}

hol_status hol_read_typed(const hol_reader *r, const hol_object *object, const hol_type *type,
                          const hol_node *item, const hol_path *path, hol_value *common, hol_value *own)
{
    hol_reader draft = *r; // texts, too: they are looked up once
    draft.arena = r->draft;
    hol_status st = hol_read_options(r, type->rows, object->rows, item, path, own);
    if (!st) st = hol_check_rules(r, type->rules, type->name, item, path);
    return st ? st : hol_read_object(&draft, object, type->rows, item, path, common);
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
        const char *body = end->body;
        end->at = node->key[0]->at;
        end->local = local;
        const hol_src here = hol_outside(node->key[0]->at, &body);
        const bool ground = strcmp(body, "ground") == 0;
        st = hol_read_marker(r, node->value[0], &at, ground, local);
        if (!st) hol_place_marker(ground ? here : node->key[0]->at, ground, local);
        return st;
    }
    if (node->kind != HOL_NODE_SCALAR)
        return hol_read_fail(r, node, path, "wanted is body.marker, body, or {body: [x, y]}");
    const char *text;
    hol_status st = hol_read_text(&draft, node, path, &text);
    if (st) return st;
    const size_t n = hol_body_length(r->subsystems, node->at, text);
    end->body = text[n] ? hol_arena_copy(r->draft, text, n) : text;
    end->marker = text[n] ? text + n + 1 : NULL;
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

enum { MOST_COMMON = 20 };

// The value of a key; NULL: it is not given, or such an item has none.
static const hol_value *given(const hol_option *rows, const hol_value *v, const char *key)
{
    const hol_option *o = hol_option_find(rows, key);
    return o && v[o - rows].given ? &v[o - rows] : NULL;
}

// A direction, as the rotation that takes z to it.
static hol_status read_axis(const hol_reader *r, const hol_path *path, const char *key, const hol_value *v,
                            double quat[4])
{
    const double *a = v->list;
    const hol_path at = {path, key, 0, NULL};
    const hol_node place = {.at = v->at};
    if (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] == 0)
        return hol_read_fail(r, &place, &at, "length is 0, a direction is wanted");
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
static hol_status check_arms(const hol_reader *r, hol_src axis2, const hol_path *path,
                             const hol_spec_element *e)
{
    const hol_path at = {path, "axis2", 0, NULL};
    const hol_node place = {.at = axis2};
    double A[9], B[9];
    hol_quat_matrix(e->drawn->quat[0], A);
    hol_quat_matrix(e->drawn->quat[1], B);
    const double cosine = A[2] * B[2] + A[5] * B[5] + A[8] * B[8]; // of the z axes
    if (fabs(cosine) < 0.99) return HOL_OK;
    return hol_read_fail(r, &place, &at, "parallel to \"axis\"; a %s joint has two axes at right angles",
                         e->type->name);
}

// The frames of a cross, z along its arms, with the x axis that both have where their angles are 0 (8.49): as it is drawn.
static void lay_arms(const double *first, const double *second, hol_spec_drawn *drawn)
{
    double x[3], sum = 0;
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        x[i] = first[a] * second[b] - first[b] * second[a];
        sum += x[i] * x[i];
    }
    if (sum == 0) return; // parallel, which is refused
    hol_frame_from_axes(first, x, drawn->quat[0]);
    hol_frame_from_axes(second, x, drawn->quat[1]);
}

// One global frame at the drawn pose.
static hol_status read_drawn(const hol_reader *r, const hol_path *path, const hol_option *rows,
                             const hol_value *v, hol_spec_element *e)
{
    const hol_value *at = given(rows, v, "at"), *axis = given(rows, v, "axis"),
                    *axis2 = given(rows, v, "axis2");
    hol_spec_drawn *drawn = hol_arena_alloc(r->draft, 1, sizeof *drawn);
    hol_status st = HOL_OK;
    if (!drawn) return HOL_ERR_MEMORY;
    e->drawn = drawn;
    memcpy(drawn->at, at->list, sizeof drawn->at);
    hol_place_point(e->at, drawn->at);
    for (int i = 0; i < 2; i++) drawn->quat[i][0] = 1;
    if (axis) st = read_axis(r, path, "axis", axis, drawn->quat[0]);
    memcpy(drawn->quat[1], drawn->quat[0], sizeof drawn->quat[1]);
    if (!st && axis2) st = read_axis(r, path, "axis2", axis2, drawn->quat[1]);
    if (!st && axis && axis2 && e->type->named[1] == hol_coordinates_cross)
        lay_arms(axis->list, axis2->list, drawn);
    drawn->file = hol_place_angle(e->at, 0);
    for (int i = 0; i < 2; i++) hol_place_quat(e->at, drawn->quat[i]);
    return st || !axis2 || e->type->two_axes == HOL_TWO_SHAFTS ? st : check_arms(r, axis2->at, path, e);
}

// The joints that a coupler couples, or the one in which a force acts.
static hol_status read_coupled(const hol_reader *r, const hol_path *path, const hol_value *joint,
                               const hol_value *joints, hol_spec_element *e)
{
    const hol_path at = {path, "joints", 0, NULL};
    hol_word *one = hol_arena_alloc(r->draft, 1, sizeof *one);
    if (!one) return HOL_ERR_MEMORY;
    if (joint) *one = (hol_word){joint->text, joint->at};
    e->n_joints = joint ? 1 : joints->n;
    e->coupled = joint ? one : joints->word;
    for (int i = 1; i < e->n_joints; i++)
        for (int k = 0; k < i; k++) {
            const hol_node place = {.at = e->coupled[i].at};
            if (strcmp(e->coupled[k].name, e->coupled[i].name) == 0)
                return hol_read_fail(r, &place, &at,
                                     "\"%s\" is named twice; a joint cannot be coupled with itself",
                                     e->coupled[i].name);
        }
    return HOL_OK;
}

// Ends as users write them: between two markers; two bodies with point and axis; on one body; or of joints. What is given
// has passed the rules.
static hol_status read_ends(const hol_reader *r, const hol_node *item, const hol_path *path,
                            const hol_option *rows, const hol_value *v, hol_spec_element *e)
{
    const hol_node *between = hol_node_find(item, "between"), *bodies = hol_node_find(item, "bodies");
    const hol_value *joint = given(rows, v, "joint");
    const hol_path at = {path, bodies ? "bodies" : between ? "between" : "on", 0, NULL};
    e->n_ends = e->type->ends;
    if (e->type->role == HOL_ROLE_CONSTRAINT) return HOL_OK;
    if (e->type->joints) return read_coupled(r, path, joint, given(rows, v, "joints"), e);
    if (joint) {
        e->joint_at = joint->at;
        e->joint = joint->text;
        return HOL_OK;
    }
    if (e->type->ends == 1) return read_end(r, hol_node_find(item, "on"), &at, &e->end[0]);
    const hol_node *axes = hol_node_find(item, "axes");
    const hol_path at_axes = {path, "axes", 0, NULL};
    hol_status st = read_pair(r, between ? between : bodies, &at, e);
    if (!st && axes && e->type->components) {
        st = read_end(r, axes, &at_axes, &e->end[2]);
        e->n_ends = 3;
    }
    if (st || between) return st;
    for (int i = 0; i < 2; i++)
        if (e->end[i].marker || bodies->kind == HOL_NODE_MAP)
            return hol_read_fail(r, bodies, &at, "names of two bodies are wanted, without markers");
    return read_drawn(r, path, rows, v, e);
}

// Does the joint close a loop of the tree? One that ties more than two bodies always does.
static hol_status read_loop(const hol_reader *r, const hol_path *path, const hol_value *loop,
                            hol_spec_element *e)
{
    const hol_path at = {path, "loop", 0, NULL};
    if (!loop) return HOL_OK;
    const hol_node place = {.at = loop->at};
    e->loop = (hol_loop_choice)loop->num;
    if (e->loop == HOL_LOOP_NO && e->type->joints)
        return hol_read_fail(r, &place, &at, "a %s joins other joints, so it is always cut: leave loop away",
                             e->type->name);
    return HOL_OK;
}

// Rows of a square matrix; *full: all entries are given, not the diagonal of 2, 3 or 6 numbers.
static int size_of_matrix(const hol_value *v, bool *full)
{
    *full = v->n == 4 || v->n > 6;
    return *full ? (int)lrint(sqrt(v->n)) : v->n;
}

static void note_stiffness(hol_spec_stiffness *s, double value, double unit, const char *name)
{
    for (int i = 0; i < 2 && value > 0; i++) {
        if (s->name[i] && (i ? value <= s->value[1] : value >= s->value[0])) continue;
        s->value[i] = value;
        s->unit[i] = unit;
        s->name[i] = name;
    }
}

// A plain number in units of the file that are not those of SI.
static void note_plain(hol_spec *spec, const hol_node *node, bool turns, double value, const char *name)
{
    const double unit = hol_unit_factor(hol_units_at(&spec->systems, node->at), turns ? "N m/rad" : "N/m");
    double x;
    if (unit == 1 || node->kind != HOL_NODE_SCALAR || !hol_text_number(node->text, &x)) return;
    note_stiffness(&spec->plain[turns], value, unit, name);
}

// Keeps the extremes of what is given in N/m or N m/rad; of matrices their diagonals, which begin with those in N/m.
static void note_stiffnesses(hol_spec *spec, const hol_option *rows, const hol_node *item,
                             const hol_spec_element *e, int dimension)
{
    for (int k = 0; rows[k].key; k++) {
        const hol_value *v = &e->value[k];
        const hol_node *node = v->given ? hol_node_find(item, rows[k].key) : NULL;
        const bool turns = !strcmp(rows[k].unit, "N m/rad");
        if (rows[k].kind == HOL_NUMBER && v->given && (turns || !strcmp(rows[k].unit, "N/m"))) {
            note_stiffness(&spec->stiffness[turns], v->num, 1, e->name);
            if (node) note_plain(spec, node, turns, v->num, e->name);
        }
        if (rows[k].kind != HOL_MATRIX || !v->given || strcmp(rows[k].unit, "N/m, N m/rad") != 0) continue;
        bool full;
        const int n = size_of_matrix(v, &full), every = full ? n + 1 : 1;
        for (int i = 0; i < n; i++) {
            note_stiffness(&spec->stiffness[i >= dimension], v->list[i * every], 1, e->name);
            if (!full && node && node->kind == HOL_NODE_SEQUENCE && i < node->n)
                note_plain(spec, node->value[i], i >= dimension, v->list[i], e->name);
        }
    }
}

// What the units of an option say that it is.
static bool is_stiffness(const hol_option *o)
{
    return !strcmp(o->unit, "N/m") || !strcmp(o->unit, "N m/rad") || !strcmp(o->unit, "N/m, N m/rad");
}

static bool is_damping(const hol_option *o)
{
    return !strcmp(o->unit, "N s/m") || !strcmp(o->unit, "N m s/rad") || !strcmp(o->unit, "N s/m, N m s/rad");
}

// The least eigenvalue of the symmetric part of a matrix, rounding apart: what is left of energy and power; of a diagonal its least entry.
static hol_status least_of_matrix(const hol_reader *r, const hol_value *v, double *least)
{
    enum { MOST = 6 };
    bool full;
    const int n = size_of_matrix(v, &full);
    double a[MOST * MOST] = {0}, value[MOST];
    if (n > MOST) return HOL_OK;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            a[i * n + k] = full ? 0.5 * (v->list[i * n + k] + v->list[k * n + i]) : i == k ? v->list[i] : 0;
    const hol_status st = hol_dense_eigen_symmetric(r->ctx, n, a, false, value);
    if (st) return st;
    *least = value[0] < -1e-12 * fabs(value[n - 1]) ? value[0] : 0;
    return HOL_OK;
}

// Notes what is below 0 where stiffness and damping are above, by the units of the options.
static hol_status note_negative(hol_spec *spec, const hol_reader *r, const hol_option *rows,
                                const hol_spec_element *e)
{
    for (int k = 0; rows[k].key; k++) {
        const hol_option *o = &rows[k];
        const hol_value *v = &e->value[k];
        const bool damps = is_damping(o), matrix = o->kind == HOL_MATRIX;
        double least = 0;
        if (!v->given || !(damps || is_stiffness(o))) continue;
        if (o->kind == HOL_NUMBER) least = v->num;
        if (o->kind == HOL_FUNCTION)
            least = v->fn && hol_expr_is_constant(v->fn[0]) ? hol_expr_value(v->fn[0]) : 0;
        const hol_status st = matrix ? least_of_matrix(r, v, &least) : HOL_OK;
        if (st) return st;
        if (!(least < 0)) continue;
        if (!HOL_ARENA_GROW(spec->arena, spec->negative, spec->n_negative)) return HOL_ERR_MEMORY;
        spec->negative[spec->n_negative++] =
            (hol_spec_negative){e->name, o->key, matrix ? NULL : o->unit, least, damps};
    }
    return HOL_OK;
}

// A joint, driver, constraint or force.
static hol_status read_element(hol_spec *spec, const hol_reader *given_reader, const hol_node *item,
                               const hol_path *path, const hol_object *object)
{
    hol_reader reader = *given_reader, *r = &reader;
    r->draft = spec->draft;
    hol_spec_element *e = hol_arena_alloc(r->draft, 1, sizeof *e);
    if (!e || !HOL_ARENA_GROW(r->draft, spec->element, spec->n_elements)) return HOL_ERR_MEMORY;
    spec->element[spec->n_elements] = e;
    e->at = item->at;
    hol_value common[MOST_COMMON];
    hol_type type;
    hol_status st = hol_read_name(r, item, path, &e->name, &e->name_at);
    if (!st) st = hol_read_type(r, object, item, path, &e->type);
    if (st) return st;
    hol_type_fill(e->type, r->dimension, &type);
    const int n = hol_option_count(type.rows) + 1;
    hol_value *value = hol_values_scratch(spec, n);
    if (!value) return HOL_ERR_MEMORY;
    st = hol_read_typed(r, object, &type, item, path, common, value);
    if (st) return st;
    const hol_spec_element *before = spec->n_elements ? spec->element[spec->n_elements - 1] : NULL;
    e->value = hol_values_keep(r->draft, before && before->type == e->type ? before->value : NULL, value, n);
    if (!e->value) return HOL_ERR_MEMORY;
    st = read_ends(r, item, path, object->rows, common, e);
    if (!st) st = read_loop(r, path, given(object->rows, common, "loop"), e);
    const hol_value *active = st ? NULL : given(object->rows, common, "active");
    e->idle = active && active->num == 0;
    if (!st) st = hol_read_laws(spec, r, item, path, e);
    if (!st) note_stiffnesses(spec, type.rows, item, e, r->dimension);
    if (!st) st = note_negative(spec, r, type.rows, e);
    spec->n_elements += !st;
    return st;
}
