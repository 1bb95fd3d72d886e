// Users' equations, constraints given by expressions, and events: what the names in their expressions stand for, and the
// places in the state's memory of what events change.
#include "model/compile.h"
#include "model/contacts.h"
#include "model/swarm.h"
#include "element/contact.h"
#include "element/coordinate.h"
#include "text/characters.h"

#include <stdio.h>
#include <string.h>

// ---- names ----------------------------------------------------------------------------------------------------

typedef enum { IS_VALUE, IS_STATE, IS_HELD, KINDS } quantity_kind;

static hol_status add_name(hol_compiler *c, const char *name, hol_src at, const char *path, int kind,
                           int index)
{
    if (hol_names_find(c->bodies, name) >= 0)
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, at,
                           "%s: the name is taken by bodies.%s; result columns need different names", path,
                           name);
    return hol_names_add(c->quantities, name, KINDS * index + kind);
}

// Appends an equation to the model's list, which grows by doubling.
hol_equation *hol_push_unknown(hol_compiler *c, const char *name, const char *path, hol_src at, double size)
{
    hol_model_data *m = c->m;
    if (!HOL_ARENA_GROW(c->spec->arena, m->equation, m->n_equations)) return NULL;
    hol_equation *e = &m->equation[m->n_equations++];
    e->name = name;
    e->path = hol_arena_copy(c->spec->arena, path, strlen(path)); // the draft is gone when the model runs
    if (!e->path) return NULL;
    e->at = at;
    e->size = size;
    return e;
}

const hol_formula *hol_variable_formula(const hol_compiler *c, const char *name)
{
    const int found = hol_names_find(c->quantities, name), i = found / KINDS;
    const bool variable = found >= 0 && found % KINDS == IS_VALUE && i < c->spec->n_equations;
    return variable ? c->spec->equation[i].formula : NULL;
}

hol_status hol_compile_names(hol_compiler *c)
{
    hol_model_data *m = c->m;
    const hol_spec *spec = c->spec;
    for (int i = 0; i < spec->n_equations; i++) {
        const hol_spec_equation *s = &spec->equation[i];
        if (!hol_push_unknown(c, s->name, s->path, s->at, s->size)) return HOL_ERR_MEMORY;
        m->equation[i].hidden = s->is_state;
        m->equation[i].block = s->block;
        m->equation[i].unit = s->unit;
        m->equation[i].shown = s->shown;
        m->equation[i].factor = s->factor;
        hol_status st = add_name(c, s->name, s->name_at, s->path, s->is_state ? IS_STATE : IS_VALUE,
                                 s->is_state ? m->n_states : i);
        if (st) return st;
        if (!s->is_state) continue;
        if (!HOL_ARENA_GROW(spec->arena, m->state, m->n_states)) return HOL_ERR_MEMORY;
        m->state[m->n_states++] =
            (hol_user_state){.name = s->name, .equation = i, .initial = s->initial, .size = s->size};
    }
    for (int i = 0; i < spec->n_held; i++) {
        hol_status st = hol_names_add(c->quantities, spec->held[i].name, KINDS * i + IS_HELD);
        if (st) return st;
    }
    return HOL_OK;
}

// ---- measures -------------------------------------------------------------------------------------------------

typedef struct {
    int n, body[HOL_MAX_BODIES], size; // size: coordinates of all of them
} body_list;

// Where a body's coordinates stand in the list of those an expression sees; a new body is appended, of which
// there is a most.
static hol_status place(const hol_compiler *c, hol_src at, const char *path, body_list *list, int body,
                        hol_marker *k)
{
    int iy = 0;
    if (body < 0) return HOL_OK;
    for (int i = 0; i < list->n; i++) {
        k->iy = iy;
        if (list->body[i] == body) return HOL_OK;
        iy += c->m->body[list->body[i]].size;
    }
    if (list->n == HOL_MAX_BODIES)
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, at, "%s: more than %d bodies in one constraint", path,
                           HOL_MAX_BODIES);
    k->iy = iy;
    list->body[list->n++] = body;
    list->size += c->m->body[body].size;
    return HOL_OK;
}

// "body.marker", "body", "ground", "ground.marker"
static hol_status find_place(const hol_compiler *c, const hol_spec_leaf *l, int i, const char *path,
                             body_list *list, hol_marker **out)
{
    const hol_model_data *m = c->m;
    const size_t length = hol_body_length(&c->spec->subsystems, l->arg_at[i], l->arg[i]);
    const char *dot = l->arg[i][length] ? l->arg[i] + length : NULL;
    hol_spec_end end = {.at = l->arg_at[i], .body = l->arg[i], .marker = dot ? dot + 1 : NULL};
    int body, k;
    *out = hol_arena_alloc(c->spec->hot, 1, sizeof **out);
    if (dot) end.body = hol_arena_copy(c->spec->arena, l->arg[i], length);
    if (!*out || !end.body) return HOL_ERR_MEMORY;
    hol_status st = hol_find_body(c, end.body, end.at, path, &body);
    if (st) return st;
    k = body < 0 ? m->ground_marker : m->body[body].marker;
    if (end.marker) st = hol_find_marker(c, body, &end, path, &k);
    if (st) return st;
    **out = m->marker[k].marker;
    if (body < 0 && !end.marker) st = hol_file_frame((hol_compiler *)c, end.at, end.body, *out);
    return st ? st : place(c, end.at, path, list, body, *out);
}

static hol_status check_axes(const hol_compiler *c, const hol_spec_leaf *l, int i, const char *path,
                             const hol_measured *m, const hol_marker *k)
{
    const bool needed = i > 1 || hol_quantity_needs_axes(m->part[m->n_parts - 1].what);
    if (!needed || k->frame != HOL_FRAME_POINT) return HOL_OK;
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, l->arg_at[i], "%s: \"%s\" is a point mass without axes; %s",
                       path, l->arg[i],
                       i > 1 ? "components need a body with axes, or ground" : "it has no angle");
}

static bool is_moved(hol_src at) { return at.by && hol_subsystem_at(at)->moved; }

// A measure: the markers that its arguments name, and the bodies that it depends on.
static hol_status resolve_measured(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                                   body_list *list, hol_measured *out)
{
    static const char *const arguments[] = {"to", "to, from", "to, from, along", "to, from, along, ref"};
    int most;
    hol_marker *k[4] = {NULL, NULL, NULL, NULL};
    hol_measured_find(l->name, strlen(l->name), c->m->dimension, out, &most);
    if (l->n_args < 1 || l->n_args > most)
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, l->at, "%s: %s takes 1 to %d markers (%s), here are %d",
                           path, l->name, most, arguments[most - 1], l->n_args);
    for (int i = 0; i < l->n_args; i++) {
        hol_status st = find_place(c, l, i, path, list, &k[i]);
        if (!st) st = check_axes(c, l, i, path, out, k[i]);
        if (st) return st;
    }
    if (l->n_args > 1 && strcmp(l->arg[0], l->arg[1]) == 0)
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, l->arg_at[1],
                           "%s: %s from a marker to itself is always 0; name two markers", path, l->name);
    hol_status st = HOL_OK;
    for (int i = 1; i < 3 && is_moved(l->at) && !st;
         i++) { // what is not named is ground, as the file means it
        if (k[i]) continue;
        k[i] = hol_arena_alloc(c->spec->hot, 1, sizeof *k[i]);
        st = k[i] ? hol_file_frame((hol_compiler *)c, l->at, "ground", k[i]) : HOL_ERR_MEMORY;
    }
    for (int i = 0; i < out->n_parts; i++) {
        out->part[i].to = k[0];
        out->part[i].from = k[1];
        out->part[i].along = k[2];
        out->part[i].ref = k[3];
        out->part[i].mirror = hol_mirror_at(l->at);
    }
    return st;
}

// Markers that move on ground depend on the time, which stands behind the coordinates.
static void finish_moving(hol_measured *m, int size)
{
    const hol_quantity *q = &m->part[0];
    const hol_marker *const all[] = {q->to, q->from, q->along, q->ref};
    for (int i = 0; i < HOL_COUNT(all); i++)
        if (all[i] && all[i]->frame == HOL_FRAME_MOVING) ((hol_marker *)all[i])->iy = size;
}

// ---- leaves ---------------------------------------------------------------------------------------------------

bool hol_drives_length(const hol_element *e)
{
    return e->type->role == HOL_ROLE_DRIVER ? hol_prim_is_length(&((const hol_prims *)e->data)->p[0])
           : e->type == &hol_joint_lock     ? hol_prim_is_length(&((const hol_sum *)e->data)->s[0])
                                            : hol_effort_is_length(e->data);
}

// FX(joint) and its like: a component of the force that an element exerts.
static hol_status resolve_reaction(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                                   hol_leaf *out)
{
    const hol_model_data *m = c->m;
    if (l->n_args != 1)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, l->at, "%s: %s takes the name of a joint, driver or force",
                           path, l->name);
    const int k = hol_names_find_at(c->others, l->arg_at[0], l->arg[0]);
    if (k < 0) {
        hol_choice o;
        hol_choice_start(&o, l->arg[0]);
        for (int i = m->n_bodies; i < m->n_elements; i++)
            hol_choice_offer(&o, hol_seen_name(l->at, m->element[i].name));
        return hol_choice_fail(c, l->arg_at[0], path, "there is no joint, driver or force", l->arg[0], &o);
    }
    const hol_element *e = &m->element[k];
    const bool effort = hol_leaf_reaction(l->name, m->dimension) == HOL_REACTION_EFFORT;
    if (effort && !hol_drives_coordinate(e)) return hol_refuse_measure(c, l, path, e, "drives no coordinate");
    if (e->n_ends == 0 && !effort)
        return hol_refuse_measure(c, l, path, e, "acts at no marker, it has no components of force");
    out->kind = HOL_LEAF_REACTION;
    out->index = k;
    out->component = hol_leaf_reaction(l->name, m->dimension);
    const int axis = out->component % 3;
    out->negative = out->component < 3   ? hol_mirror_polar(hol_mirror_at(l->at), axis) < 0
                    : out->component < 6 ? hol_mirror_axial(hol_mirror_at(l->at), axis) < 0
                    : effort ? hol_mirror_seen(e->at, l->at) & HOL_MIRROR_TURNS && !hol_drives_length(e)
                             : false;
    out->n_bodies = e->n_bodies;
    memcpy(out->body, e->body, sizeof out->body);
    out->ny = e->ny;
    return HOL_OK;
}

// Together as a rule or as shapes; those of a swarm have no names.
hol_status hol_refuse_several(const hol_compiler *c, const hol_spec_leaf *l, const char *path)
{
    const hol_model_data *m = c->m;
    for (int i = 0; i < m->n_contact_sums; i++) {
        const struct hol_contact_sum *sum = &m->contact_sum[i];
        if (strcmp(sum->name, l->arg[0]) != 0) continue;
        const char *first = m->element[sum->element[0]].name,
                   *last = m->element[sum->element[sum->n - 1]].name;
        if (sum->n == 1)
            return hol_fail_at(m->ctx, HOL_ERR_MODEL, l->arg_at[0],
                               "%s: \"%s\" are shapes that touch: write %s(%s)", path, sum->name, l->name,
                               first);
        return hol_fail_at(
            m->ctx, HOL_ERR_MODEL, l->arg_at[0],
            "%s: \"%s\" is %d contacts, %s to %s, and %s takes one; name it, or add up those that you "
            "mean",
            path, sum->name, sum->n, first, last, l->name);
    }
    for (int i = 0; i < m->n_swarms; i++)
        if (strcmp(m->swarm[i].name, l->arg[0]) == 0)
            return hol_fail_at(
                m->ctx, HOL_ERR_MODEL, l->arg_at[0],
                "%s: \"%s\" is more pairs than `locate`, which have no names that %s takes; name "
                "fewer bodies in the rule, or raise `locate`",
                path, l->arg[0], l->name);
    return HOL_OK;
}

// FN(floor), GAP(floor), VT(floor): what is observed of a contact.
static hol_status resolve_contact(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                                  hol_leaf *out)
{
    static const int observed[] = {HOL_CONTACT_F, HOL_CONTACT_GAP, HOL_CONTACT_ALONG};
    const hol_model_data *m = c->m;
    if (l->n_args != 1)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, l->at, "%s: %s takes the name of a contact", path, l->name);
    const int k = hol_names_find_at(c->others, l->arg_at[0], l->arg[0]);
    if (k < 0 || m->element[k].type != &hol_force_contact) {
        hol_choice o;
        const hol_status several = hol_refuse_several(c, l, path);
        if (several) return several;
        hol_choice_start(&o, l->arg[0]);
        for (int i = m->n_bodies; i < m->n_elements; i++)
            if (m->element[i].type == &hol_force_contact)
                hol_choice_offer(&o, hol_seen_name(l->at, m->element[i].name));
        return hol_choice_fail(c, l->arg_at[0], path, "there is no contact", l->arg[0], &o);
    }
    const hol_element *e = &m->element[k];
    *out = (hol_leaf){.kind = HOL_LEAF_REACTION,
                      .index = k,
                      .component = HOL_LEAF_OBSERVED + observed[hol_leaf_contact(l->name)]};
    out->n_bodies = e->n_bodies;
    memcpy(out->body, e->body, sizeof out->body);
    out->ny = e->ny;
    return HOL_OK;
}

// A name, or DIF1(state).
static hol_status resolve_name(const hol_compiler *c, const hol_spec_leaf *l, const char *path, hol_leaf *out)
{
    const char *name = l->call ? l->arg[0] : l->name;
    const int found = l->call && l->n_args != 1 ? -1 : hol_names_find(c->quantities, name);
    const int kind = found >= 0 ? found % KINDS : -1, index = found / KINDS;
    if (l->call && kind != IS_STATE) {
        hol_choice o;
        if (l->n_args != 1)
            return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, l->at, "%s: %s takes the name of a state", path,
                               l->name);
        hol_choice_start(&o, name);
        for (int i = 0; i < c->m->n_states; i++) hol_choice_offer(&o, c->m->state[i].name);
        return hol_choice_fail(c, l->arg_at[0], path, "there is no state", name, &o);
    }
    if (found < 0) return hol_refuse_item(c, l, path);
    const hol_held *held = kind == IS_HELD ? &c->m->held[index] : NULL;
    out->kind = held && held->linear           ? HOL_LEAF_RAMP
                : held                         ? HOL_LEAF_HELD
                : kind == IS_STATE && !l->call ? HOL_LEAF_STATE
                                               : HOL_LEAF_VALUE;
    out->index = held ? held->slot : l->call ? c->m->state[index].equation : index;
    out->outside = held && held->outside;
    return HOL_OK;
}

static bool is_coordinate(const hol_spec_leaf *l) { return !l->call && !l->known && strchr(l->name, '.'); }

// The joint that "hinge.angle" names; an error says what else there is.
static hol_status find_joint(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                             const char *word, const hol_element **out)
{
    const hol_model_data *m = c->m;
    const char *name = hol_arena_copy(c->spec->arena, l->name, (size_t)(word - 1 - l->name));
    if (!name) return HOL_ERR_MEMORY;
    const int k = hol_names_find_at(c->others, l->at, name);
    if (k >= 0) {
        *out = &m->element[k];
        return HOL_OK;
    }
    return hol_refuse_signal(c, l, path);
}

// The joint has no coordinate of this name: which ones it has.
static hol_status refuse_coordinate(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                                    const hol_element *e, const char *word)
{
    char list[200] = "";
    for (const hol_joint_coordinate *k = hol_joint_coordinates(e, c->m->dimension); k->name; k++) {
        const size_t n = strlen(list);
        if (hol_joint_coordinate_is_free(e, c->m->dimension, k))
            snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", k->name);
    }
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, l->at, "%s: \"%s\" is of type %s, which has no \"%s\"; %s%s",
                       path, e->name, e->type->name, word,
                       *list ? "it has: " : "none of its coordinates has a name", list);
}

// The coordinate of a joint, "hinge.angle".
static hol_status resolve_coordinate(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                                     hol_leaf *out)
{
    const char *word = strrchr(l->name, '.') + 1;
    const int dimension = c->m->dimension;
    const hol_element *e = NULL;
    hol_status st =
        hol_joint_coordinate_any(word) ? find_joint(c, l, path, word, &e) : hol_refuse_signal(c, l, path);
    if (st) return st;
    const hol_joint_coordinate *k = hol_joint_coordinate_find(e, dimension, word);
    if (k && hol_quantity_needs_axes(k->what[dimension - 2]) && hol_joint_holds_point(e))
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, l->at,
                           "%s: joint \"%s\" holds a point mass, it has no angle", path, e->name);
    if (!k && e->type->role != HOL_ROLE_JOINT) return hol_refuse_signal(c, l, path);
    if (!k || !hol_joint_coordinate_is_free(e, dimension, k)) return refuse_coordinate(c, l, path, e, word);
    hol_joint_leaf(e, dimension, k, out);
    out->negative = hol_leaf_turns_against(&out->measured.part[0], hol_mirror_seen(e->at, l->at));
    return HOL_OK;
}

static bool is_rate(const hol_spec_leaf *l)
{
    return l->call && (l->name[0] == 'D' || l->name[0] == 'd') && strlen(l->name) == 4 && l->name[3] == '1';
}

// What a name or call of an expression stands for: a name, a rate, a reaction, or a measure between markers.
static hol_status resolve_leaf(const hol_compiler *c, const hol_spec_leaf *l, const char *path, hol_leaf *out)
{
    body_list list = {0};
    if (is_coordinate(l)) return resolve_coordinate(c, l, path, out);
    if (!l->call || is_rate(l)) return resolve_name(c, l, path, out);
    if (hol_leaf_reaction(l->name, c->m->dimension) >= 0) return resolve_reaction(c, l, path, out);
    if (hol_leaf_contact(l->name) >= 0) return resolve_contact(c, l, path, out);
    hol_status st = resolve_measured(c, l, path, &list, &out->measured);
    out->kind = HOL_LEAF_QUANTITY;
    out->n_bodies = list.n;
    memcpy(out->body, list.body, sizeof out->body);
    out->ny = list.size + 1;
    if (!st) finish_moving(&out->measured, list.size);
    return st;
}

// "hinge.angle", "AZ(a,b)"
static const char *text_of(const hol_compiler *c, const hol_spec_leaf *l)
{
    const char *text = hol_full_name(c->spec->arena, l->at, l->name);
    for (int i = 0; i < l->n_args && text; i++)
        text = hol_arena_print(c->spec->arena, "%s%s%s", text, i ? "," : "(", l->arg[i]);
    return text && l->n_args ? hol_arena_print(c->spec->arena, "%s)", text) : text;
}

bool hol_leaf_counts(const hol_compiler *c, const hol_leaf *leaf)
{
    const hol_quantity *q = &leaf->measured.part[0];
    return leaf->kind == HOL_LEAF_QUANTITY && c->m->dimension == 3 &&
           leaf->measured.kind == HOL_MEASURED_COMPONENT && hol_quantity_is_angle(q->what) &&
           hol_quantity_level(q) == 0;
}

hol_status hol_count_turns(const hol_compiler *c, const char *text, hol_leaf *leaf)
{
    hol_model_data *m = c->m;
    if (!text) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_counters; i++)
        if (strcmp(m->counter[i].text, text) == 0) {
            leaf->turns = m->counter[i].leaf->turns;
            return HOL_OK;
        }
    if (!leaf->turns) {
        leaf->turns = 1 + m->n_mem;
        m->n_mem += HOL_TURNS_SIZE;
    }
    if (!HOL_ARENA_GROW(c->spec->arena, m->counter, m->n_counters)) return HOL_ERR_MEMORY;
    m->counter[m->n_counters++] = (hol_counter){.text = text, .leaf = leaf};
    return HOL_OK;
}

hol_status hol_resolve(const hol_compiler *c, const hol_formula *f, const char *path, hol_equation *e)
{
    hol_leaf *leaf = hol_arena_alloc(c->spec->hot, (size_t)f->n_leaves + 1, sizeof *leaf);
    if (!leaf) return HOL_ERR_MEMORY;
    e->expr = f->expr;
    e->n_leaves = f->n_leaves;
    e->leaf = leaf;
    for (int i = 0; i < f->n_leaves; i++) {
        hol_status st = resolve_leaf(c, &f->leaf[i], path, &leaf[i]);
        if (!st && hol_leaf_counts(c, &leaf[i])) st = hol_count_turns(c, text_of(c, &f->leaf[i]), &leaf[i]);
        if (st) return st;
    }
    return HOL_OK;
}

// ---- forces ---------------------------------------------------------------------------------------------------

// Every function among the options of a force, in their order.
static int each_function(const hol_spec_element *s, int k, const hol_formula **formula, const hol_expr **fn)
{
    int n = 0;
    for (int i = 0; s->type->options[i].key; i++) {
        const hol_option *o = &s->type->options[i];
        const hol_value *v = &s->value[i];
        if (!(o->flags & HOL_LEAVES) || !v->given) continue;
        for (int j = 0; j < v->n; j++)
            if (n++ == k) {
                *formula = v->formula[j];
                *fn = v->fn[j];
            }
    }
    return n;
}

hol_status hol_compile_inputs(hol_compiler *c, const hol_spec_element *s, hol_element *e)
{
    const hol_formula *f = NULL;
    const hol_expr *fn = NULL;
    if (s->type->role != HOL_ROLE_FORCE) return HOL_OK;
    if (s->type->law) return hol_compile_law(c, s, e);
    e->n_inputs = each_function(s, -1, &f, &fn);
    hol_input *input = hol_arena_alloc(c->spec->hot, (size_t)e->n_inputs + 1, sizeof *input);
    if (!input) return HOL_ERR_MEMORY;
    e->input = input;
    for (int k = 0; k < e->n_inputs; k++) {
        each_function(s, k, &f, &fn);
        input[k].time = f->n_leaves ? NULL : fn;
        if (!f->n_leaves) continue;
        input[k].z = c->m->n_equations;
        hol_equation *z = hol_push_unknown(c, e->name, s->path, f->at, 1);
        if (!z) return HOL_ERR_MEMORY;
        z->hidden = true;
        z->formula = f;
    }
    return HOL_OK;
}

// ---- constraints ----------------------------------------------------------------------------------------------

// A coordinate of a joint, or its rate, whose bodies join those that the constraint sees. In space an angle would need a count of its turns.
// What only its changes are asked of does not count them.
static hol_status constrain_coordinate(hol_compiler *c, const hol_spec_leaf *l, const char *path,
                                       bool changes, body_list *list, hol_measured *out)
{
    hol_leaf leaf;
    hol_status st = resolve_coordinate(c, l, path, &leaf);
    if (st) return st;
    if ((leaf.turns && !changes) || leaf.negative)
        return hol_fail_at(
            c->m->ctx, HOL_ERR_MODEL, l->at,
            leaf.turns && !changes
                ? "%s: \"%s\": a constraint in space does not count the turns of an angle; hold its rate, "
                  "`velocity:`, or take a driver or a coupler"
                : "%s: \"%s\" counts the other way here than in the file of its joint; hold it there",
            path, l->name);
    *out = leaf.measured;
    hol_quantity *q = &out->part[0];
    const hol_marker **const all[] = {&q->to, &q->from, &q->along, &q->ref};
    const hol_element *e = NULL;
    st = find_joint(c, l, path, strrchr(l->name, '.') + 1, &e);
    for (int i = 0; i < HOL_COUNT(all) && !st; i++) {
        if (!*all[i]) continue;
        hol_marker *own = hol_arena_alloc(c->spec->hot, 1, sizeof *own);
        if (!own) return HOL_ERR_MEMORY;
        *own = **all[i];
        for (int k = 0; k < 2 && !st; k++)
            if (e->end[k].marker == *all[i]) st = place(c, l->at, path, list, e->end[k].body, own);
        *all[i] = own;
    }
    return st;
}

// The factor of a leaf that is one term of a sum, or of one in it; 0: it is more. *memory: there is enough.
static double factor_of(const hol_compiler *c, const hol_expr *e, int leaf, bool *memory)
{
    hol_arena *draft = c->spec->draft;
    const int n = hol_expr_terms(draft, e, 0, NULL);
    const hol_expr *none, **term = n > 0 ? hol_arena_alloc(draft, 2 * (size_t)n, sizeof *term) : &none;
    const int written = n > 0 && term ? hol_expr_terms(draft, e, 2 * n, term) : n;
    double factor = 0;
    int users = 0;
    *memory = *memory && term && written >= 0;
    if (n == 1 && *memory) return hol_expr_leaf(*term) == leaf ? fabs(hol_expr_factor(*term)) : 0;
    for (int i = 0; i < written && *memory; i++) { // sums of neighbours stand behind them
        if (!hol_expr_uses_leaf(term[i], leaf)) continue;
        factor = factor_of(c, term[i], leaf, memory);
        users++;
    }
    return users == 1 ? factor : 0;
}

// How much a full turn changes what is held, where that has one of AX, AY and AZ in space, in one term of a sum.
static hol_status find_period(const hol_compiler *c, const hol_formula *f, const hol_measured *leaf,
                              double *period)
{
    int angle = -1, angles = 0;
    bool memory = true;
    for (int i = 0; i < f->n_leaves && c->m->dimension == 3; i++) {
        const hol_quantity_kind what = leaf[i].part[0].what;
        if (leaf[i].kind != HOL_MEASURED_COMPONENT || what < HOL_QUANTITY_A || what > HOL_QUANTITY_A + 2)
            continue;
        angle = i;
        angles++;
    }
    *period = angles == 1 ? 2 * HOL_PI * factor_of(c, f->expr, angle, &memory) : 0;
    return memory ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_compile_constraint(hol_compiler *c, const hol_formula *f, const char *path, hol_use use,
                                  hol_element *e, hol_measured_formula *out)
{
    static const char *const is[] = {"a constraint holds what is", "a coordinate is what is",
                                     "what is required is"},
                             *const others[] = {"act through forces", "do not move with the bodies alone",
                                                "do not follow from the pose"},
                             *const what[] = {"to hold", "that changes", "that could be required"};
    hol_model_data *m = c->m;
    body_list list = {0};
    hol_measured *leaf = hol_arena_alloc(c->spec->hot, (size_t)f->n_leaves + 1, sizeof *leaf);
    hol_src *at = hol_arena_alloc(c->spec->arena, (size_t)f->n_leaves + 1, sizeof *at);
    if (!leaf || !at) return HOL_ERR_MEMORY;
    if (f->n_leaves > HOL_MEASURED_LEAVES)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, f->at, "%s: more than %d measures in one constraint", path,
                           HOL_MEASURED_LEAVES);
    for (int i = 0; i < f->n_leaves; i++) {
        const hol_spec_leaf *l = &f->leaf[i];
        at[i] = l->at;
        if (is_coordinate(l)) {
            const hol_status st = constrain_coordinate(c, l, path, use != HOL_USE_HELD, &list, &leaf[i]);
            if (st) return st;
            continue;
        }
        if (!l->call && !l->known) return hol_refuse_item(c, l, path);
        if (!l->call || is_rate(l) || hol_leaf_reaction(l->name, m->dimension) >= 0 ||
            hol_leaf_contact(l->name) >= 0)
            return hol_fail_at(m->ctx, HOL_ERR_MODEL, l->at,
                               "%s: \"%s\": %s measured between markers, coordinates "
                               "of joints, time and parameters that "
                               "no event sets; variables, states and reactions %s",
                               path, l->name, is[use], others[use]);
        hol_status st = resolve_measured(c, l, path, &list, &leaf[i]);
        if (st) return st;
    }
    for (int i = 0; i < f->n_leaves; i++) {
        finish_moving(&leaf[i], list.size);
        leaf[i].part[0].principal = use == HOL_USE_REQUIRED;
    }
    if (list.n == 0)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, f->at, "%s: it measures no body, there is nothing %s", path,
                           what[use]);
    e->n_bodies = list.n;
    memcpy(e->body, list.body, sizeof e->body);
    e->ny = list.size + 1;
    if (use == HOL_USE_HELD) m->n_kinks += hol_expr_kinks(f->expr);
    *out = (hol_measured_formula){f->expr, f->n_leaves, leaf, at, NULL, 0};
    return use == HOL_USE_HELD ? find_period(c, f, leaf, &out->period) : HOL_OK;
}

// ---- events ---------------------------------------------------------------------------------------------------

// What an event sets: a state, or a number in the memory, and the expressions of the new values.
static hol_status compile_sets(const hol_compiler *c, const hol_spec_event *s, hol_event *e)
{
    e->n_sets = s->n_sets;
    e->set = hol_arena_alloc(c->spec->arena, (size_t)s->n_sets + 1, sizeof *e->set);
    if (!e->set) return HOL_ERR_MEMORY;
    for (int i = 0; i < s->n_sets; i++) {
        const int found = hol_names_find(c->quantities, s->set[i].name), kind = found % KINDS;
        if (found >= 0 && kind == IS_VALUE)
            return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, s->set[i].at,
                               "%s: \"%s\" is a variable: its expression says what it is; an event sets "
                               "states and parameters",
                               s->path, s->set[i].name);
        if (found < 0) {
            const hol_scope *scope = c->spec->reader.scope;
            hol_choice o;
            hol_choice_start(&o, s->set[i].name);
            if (scope && scope->each) scope->each(scope->data, &o.nearest);
            for (int k = 0; k < c->spec->n_held; k++) hol_choice_offer(&o, c->spec->held[k].name);
            for (int k = 0; k < c->m->n_states; k++) hol_choice_offer(&o, c->m->state[k].name);
            if (!o.nearest.best) // the list would not be complete
                return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, s->set[i].at,
                                   "%s: there is no parameter or state \"%s\"; an event sets nothing else",
                                   s->path, s->set[i].name);
            return hol_choice_fail(c, s->set[i].at, s->path, "there is no parameter or state", s->set[i].name,
                                   &o);
        }
        if (kind == IS_HELD && c->m->held[found / KINDS].linear)
            return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, s->set[i].at,
                               "%s: \"%s\" is an input with `hold: linear`, which a program sets; an event "
                               "sets inputs with `hold: constant`",
                               s->path, s->set[i].name);
        e->set[i].is_state = kind == IS_STATE;
        e->set[i].index = kind == IS_STATE ? found / KINDS : c->m->held[found / KINDS].slot;
        hol_status st = hol_resolve(c, s->set[i].value, s->path, &e->set[i].value);
        if (st) return st;
    }
    return HOL_OK;
}

// When an event happens and what it does then; its sign and its count stand in the memory.
static hol_status compile_event(hol_compiler *c, const hol_spec_event *s, hol_event *e)
{
    e->name = s->name;
    e->at = s->at;
    e->direction = s->direction;
    e->every = s->every;
    e->n_times = s->n_times;
    e->time = s->time;
    e->stop = s->stop;
    e->once = s->once;
    e->print = s->print;
    e->sign = c->m->n_mem++;
    e->count = c->m->n_mem++;
    hol_status st = HOL_OK;
    if (s->when) {
        e->when = hol_arena_alloc(c->spec->arena, 1, sizeof *e->when);
        st = e->when ? hol_resolve(c, s->when, s->path, e->when) : HOL_ERR_MEMORY;
        if (!st) e->when->name = s->name;
    }
    if (!st) st = compile_sets(c, s, e);
    return st ? st : hol_compile_switches(c, s, e);
}

// ---- all ------------------------------------------------------------------------------------------------------

// What events and programs change: places in the memory.
static hol_status number_held(hol_compiler *c)
{
    hol_model_data *m = c->m;
    m->n_held = c->spec->n_held + c->n_law_held;
    m->held = hol_arena_alloc(c->spec->arena, (size_t)m->n_held + 1, sizeof *m->held);
    if (!m->held) return HOL_ERR_MEMORY;
    for (int i = 0; i < c->n_law_held; i++) m->held[c->spec->n_held + i] = c->law_held[i];
    for (int i = 0; i < c->spec->n_held; i++) {
        const hol_spec_held *h = &c->spec->held[i];
        m->held[i] = (hol_held){h->name, h->unit, m->n_mem, h->value, h->outside, h->input, h->linear};
        m->n_mem += h->linear ? HOL_RAMP_SIZE : 1;
        const int k = hol_names_find(c->others, h->name);
        if (h->outside && k >= 0)
            return hol_fail_at(
                m->ctx, HOL_ERR_MODEL, m->element[k].at,
                "the name \"%s\" is that of an input or a tunable parameter too; result columns "
                "need different names",
                h->name);
    }
    return HOL_OK;
}

// The first state whose rate is equation z or a later one.
static int first_state(const hol_model_data *m, int z)
{
    int i = 0;
    while (i < m->n_states && m->state[i].equation < z) i++;
    return i;
}

// Users' code: each block's inputs are expressions, its outputs are unknowns of the model.
static hol_status add_blocks(hol_compiler *c)
{
    hol_model_data *m = c->m;
    const hol_spec *spec = c->spec;
    m->n_blocks = spec->n_codes;
    m->block = hol_arena_alloc(spec->arena, (size_t)m->n_blocks + 1, sizeof *m->block);
    if (!m->block) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_blocks; i++) {
        const hol_spec_code *s = &spec->code[i];
        m->block[i] = (hol_block){s->code,  s->n_inputs, s->n_outputs, s->n_states,
                                  s->input, s->output,   s->state,     first_state(m, s->state)};
    }
    return HOL_OK;
}

// Names of variables and states against those of elements, which were not there when they were numbered.
static hol_status check_columns(const hol_compiler *c)
{
    for (int i = 0; i < c->spec->n_equations; i++) {
        const hol_spec_equation *s = &c->spec->equation[i];
        const int k = hol_names_find(c->others, s->name);
        char place[HOL_PLACE];
        if (k >= 0)
            return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, s->name_at,
                               "%s: the name is taken by %s %s in %s; result columns need different names",
                               s->path, hol_article(c->m->element[k].type->name), c->m->element[k].type->name,
                               hol_src_text(c->m->element[k].at, place));
    }
    return HOL_OK;
}

hol_status hol_compile_equations(hol_compiler *c)
{
    hol_model_data *m = c->m;
    const hol_spec *spec = c->spec;
    hol_status st = number_held(c);
    if (!st) st = check_columns(c);
    if (!st) st = add_blocks(c);
    for (int i = 0; i < m->n_equations && !st; i++) {
        if (m->equation[i].block || m->equation[i].expr) continue; // from code; made by the compiler
        const bool own = i < spec->n_equations;
        const hol_formula *f = own ? spec->equation[i].formula : m->equation[i].formula;
        const char *path =
            own ? spec->equation[i].path : hol_arena_print(spec->arena, "forces.%s", m->equation[i].name);
        st = path ? hol_resolve(c, f, path, &m->equation[i]) : HOL_ERR_MEMORY;
    }
    for (int i = 0; i < m->n_equations && !st; i++)
        if (m->equation[i].expr) m->n_kinks += hol_expr_kinks(m->equation[i].expr);
    m->n_events = spec->n_events + c->n_law_events;
    m->event = hol_arena_alloc(spec->arena, (size_t)m->n_events + 1, sizeof *m->event);
    if (!m->event) return HOL_ERR_MEMORY;
    for (int i = 0; i < c->n_law_events; i++) m->event[spec->n_events + i] = c->law_event[i];
    for (int i = 0; i < spec->n_events && !st; i++) st = compile_event(c, &spec->event[i], &m->event[i]);
    return st;
}
