// What the assembly keeps: `exact:` of bodies and of joints as elements behind those of the model, of types that users have too. A body is
// held to ground by an at-point and an orientation joint as drawn; a joint's coordinate by a driver, its rate by a constraint. What it
// requires of the pose are constraints by expressions that stand outside the model.
#include "model/compile.h"
#include "model/read.h"
#include "model/subsystem.h"

#include <math.h>
#include <string.h>

extern const hol_element_type hol_joint_at_point, hol_joint_orientation, hol_driver_angle, hol_driver_stroke;

int hol_most_holds(const hol_compiler *c)
{
    int n = HOL_EXACTS * c->spec->n_exact;
    for (int i = 0; i < c->m->n_bodies; i++) n += 2 * (c->exact[i] != 0);
    return n;
}

// Adds the element and says what it holds.
static hol_status add(hol_compiler *c, hol_spec_element *s, const char *what, bool pose, bool motion)
{
    hol_model_data *m = c->m;
    s->hold = true;
    s->name = what;
    const hol_status st = what ? hol_add_element(c, s) : HOL_ERR_MEMORY;
    if (st) return st;
    m->hold[m->n_holds++] = (hol_hold){what, s->at, pose, motion};
    return HOL_OK;
}

// ---- bodies ---------------------------------------------------------------------------------------------------

// The origin of the body's frame as drawn.
static void drawn_origin(const hol_model_data *m, const hol_body *b, double at[3])
{
    const hol_end end = {.body = (int)(b - m->body), .marker = &m->marker[b->marker].marker};
    memcpy(at, hol_model_drawn_end(m, &end).origin, 3 * sizeof *at);
}

// Position and velocity, or orientation and angular velocity, of a body.
static hol_status hold_body(hol_compiler *c, int body, const hol_element_type *type, unsigned pose,
                            unsigned motion, const char *word)
{
    const hol_body *b = &c->m->body[body];
    const unsigned exact = c->exact[body];
    hol_spec_drawn drawn = {.quat = {{1, 0, 0, 0}, {1, 0, 0, 0}}};
    hol_value none[1] = {{0}};
    hol_spec_element s = {
        .at = b->at, .name_at = b->at, .type = type, .value = none, .n_ends = 2, .drawn = &drawn};
    if (!(exact & (pose | motion))) return HOL_OK;
    s.end[0].body = "ground";
    s.end[1].body = b->name;
    drawn_origin(c->m, b, drawn.at);
    return add(c, &s, hol_arena_print(c->spec->arena, "%s.%s", b->name, word), exact & pose, exact & motion);
}

// ---- joints ---------------------------------------------------------------------------------------------------

// What may be exact of a joint; rates have no driver.
static const struct {
    const char *key;
    const hol_element_type *driver;
    bool turns;
} exact[HOL_EXACTS] = {[HOL_EXACT_ANGLE] = {"angle", &hol_driver_angle, true},
                       [HOL_EXACT_STROKE] = {"stroke", &hol_driver_stroke, false},
                       [HOL_EXACT_RATE] = {"rate", NULL, true},
                       [HOL_EXACT_SPEED] = {"speed", NULL, false}};

// A coordinate, as a driver at a constant value.
static hol_status hold_coordinate(hol_compiler *c, const hol_spec_exact *x, int k)
{
    char text[40];
    const hol_path path = {NULL, "assemble", 0, NULL};
    const hol_expr *fn = NULL;
    hol_node node = {.kind = HOL_NODE_SCALAR, .at = x->at};
    hol_decimal_print(text, sizeof text, "%.17g", x->value[k]);
    node.text = hol_arena_copy(c->spec->arena, text, strlen(text));
    hol_status st = node.text ? hol_parse_time(&c->spec->reader, &node, &path, x->at, &fn) : HOL_ERR_MEMORY;
    hol_value v[] = {
        [HOL_DRIVER_VALUE] = {.given = true, .at = x->at, .n = 1, .fn = &fn}, [HOL_DRIVER_START_SPEED] = {0}};
    hol_spec_element s = {.at = x->at,
                          .name_at = x->at,
                          .type = exact[k].driver,
                          .value = v,
                          .n_ends = 2,
                          .joint = x->joint,
                          .joint_at = x->at};
    return st ? st
              : add(c, &s, hol_arena_print(c->spec->arena, "%s.%s", x->joint, exact[k].key), true, false);
}

// The joint of this name; NULL: there is none, which who takes it says.
static const hol_element *joint_of(const hol_compiler *c, const hol_spec_exact *x)
{
    const int k = hol_names_find_at(c->others, x->at, x->joint);
    return k < 0 ? NULL : &c->m->element[k];
}

// Does a file around it say the same of the joint? Outer files come first.
static bool is_said_around(const hol_compiler *c, int i, int k)
{
    const hol_spec_exact *list = c->spec->exact, *x = &list[i];
    bool said = false;
    for (int j = 0; j < i && x->at.by && !said; j++) {
        const hol_src at = list[j].at;
        const bool around = at.by != x->at.by && (!at.by || hol_is_within(x->at, hol_subsystem_at(at)));
        said = around && !isnan(list[j].value[k]) && joint_of(c, &list[j]) == joint_of(c, x);
    }
    return said;
}

// A rate, as a constraint at the level of velocities, which counts as the file of the joint does.
static hol_status hold_rate(hol_compiler *c, const hol_spec_exact *x, int k)
{
    const hol_element_type *type = hol_element_find(HOL_ROLE_CONSTRAINT, c->m->dimension, "velocity");
    const hol_path path = {NULL, "assemble", 0, NULL};
    const hol_formula *formula = NULL;
    hol_node node = {.kind = HOL_NODE_SCALAR, .at = x->at};
    char number[40];
    double value = x->value[k];
    const char *joint = x->joint, *key = exact[k].key;
    const hol_element *e = joint_of(c, x);
    hol_reader reader = c->spec->reader;
    reader.bare = NULL; // it is in SI
    if (e) {
        joint = hol_own_name(e->at, e->name);
        node.at.by = e->at.by;
        if (exact[k].turns && hol_mirror_seen(e->at, x->at) & HOL_MIRROR_TURNS) value = -value;
    }
    hol_decimal_print(number, sizeof number, "%.17g", value);
    node.text = hol_arena_print(c->spec->arena, "%s.%s - (%s)", joint, key, number);
    hol_status st =
        node.text ? hol_read_formula(&reader, &node, &path, HOL_ANY_UNIT, &formula) : HOL_ERR_MEMORY;
    hol_value v = {.given = true, .at = x->at, .n = 1, .formula = &formula};
    hol_spec_element s = {.at = x->at, .name_at = x->at, .type = type, .value = &v};
    return st ? st : add(c, &s, hol_arena_print(c->spec->arena, "%s.%s", x->joint, key), false, true);
}

hol_status hol_add_holds(hol_compiler *c)
{
    hol_model_data *m = c->m;
    const hol_spec *spec = c->spec;
    const int n_elements = m->n_elements, n_mem = m->n_mem;
    hol_status st = HOL_OK;
    m->hold = hol_arena_alloc(spec->arena, (size_t)hol_most_holds(c) + 1, sizeof *m->hold);
    if (!m->hold) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies && !st; i++) {
        const char *turn = m->dimension == 2 ? "angle" : "orientation";
        const bool pose = c->exact[i] & HOL_OF_ORIENTATION;
        st = hold_body(c, i, &hol_joint_at_point, HOL_OF_POSITION, HOL_OF_VELOCITY,
                       c->exact[i] & HOL_OF_POSITION ? "position" : "velocity");
        if (!st)
            st = hold_body(c, i, &hol_joint_orientation, HOL_OF_ORIENTATION, HOL_OF_OMEGA,
                           pose ? turn : "omega");
    }
    for (int i = 0; i < spec->n_exact * HOL_EXACTS && !st; i++) {
        const int k = i % HOL_EXACTS;
        const hol_spec_exact *x = &spec->exact[i / HOL_EXACTS];
        if (!isnan(x->value[k]) && !is_said_around(c, i / HOL_EXACTS, k))
            st = exact[k].driver ? hold_coordinate(c, x, k) : hold_rate(c, x, k);
    }
    for (int i = n_elements; i < m->n_elements; i++) {
        m->hold_rows += m->element[i].all_rows;
        m->hold_rates += m->element[i].all_rates;
    }
    m->hold_mem = m->n_mem - n_mem;
    m->n_elements = n_elements;
    return st;
}

// ---- requirements ---------------------------------------------------------------------------------------------

hol_status hol_compile_requires(hol_compiler *c)
{
    const hol_spec *spec = c->spec;
    hol_require *out = hol_arena_alloc(spec->arena, (size_t)spec->n_requires + 1, sizeof *out);
    if (!out) return HOL_ERR_MEMORY;
    for (int i = 0; i < spec->n_requires; i++) {
        const hol_spec_require *s = &spec->require[i];
        out[i] = (hol_require){.text = s->text, .path = s->path, .at = s->at, .sign = s->sign};
        const hol_status st = hol_add_coordinate(c, s->formula, s->path, HOL_USE_REQUIRED, &out[i].element);
        if (st) return st;
        if (out[i].element.type->rate)
            return hol_fail_at(
                c->m->ctx, HOL_ERR_MODEL, s->at,
                "%s: it measures a velocity, and what is required is of the pose: take D and A "
                "measures and coordinates of joints",
                s->path);
    }
    c->m->require = out;
    c->m->n_requires = spec->n_requires;
    return HOL_OK;
}
