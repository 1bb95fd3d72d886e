// Rules of contacts as force elements, one for each place at which two shapes may touch (contact_shapes.c), which are told what contact_told.c says, with the events, the memory and the states that belong to it. docs/theory.md, section 23.
#include "model/contacts.h"
#include "model/swarm.h"
#include "text/characters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOUCH 1e-12 // of a length of 1 m: as drawn, this counts as touching

enum { CERTAIN = 2 };

typedef hol_contact_found found;

// ---- which pairs ------------------------------------------------------------------------------------------------

// Names of materials, all of which shapes name must be there.
static hol_status find_materials(hol_compiler *c)
{
    const hol_spec *spec = c->spec;
    c->materials = hol_names_create_in(spec->ctx, spec->draft);
    if (!c->materials) return HOL_ERR_MEMORY;
    for (int i = 0; i < spec->n_materials; i++)
        if (hol_names_add(c->materials, spec->material[i].name, i)) return HOL_ERR_MEMORY;
    for (int i = 0; i < spec->n_shapes; i++) {
        const hol_drawing *d = &spec->shape[i];
        hol_choice near;
        if (!d->material || hol_names_find_at(c->materials, d->material_at, d->material) >= 0) continue;
        hol_choice_start(&near, d->material);
        for (int k = 0; k < spec->n_materials; k++) hol_choice_offer(&near, spec->material[k].name);
        return hol_choice_fail(c, d->material_at, "shape.material", "there is no material", d->material,
                               &near);
    }
    return HOL_OK;
}

// The shapes that the words of a rule name.
typedef struct {
    hol_compiler *c;
    const hol_spec_contact *rule;
    int n;
    hol_chosen_shape *of;
} choice;

static bool takes(const hol_drawing *d, int body, const char *name)
{
    if (d->body != body || d->kind == HOL_SHAPE_NONE || d->hole || d->ghost || d->inferred) return false;
    return !name || (d->name && strcmp(d->name, name) == 0);
}

// A word names none: of the body, or of this name.
static hol_status no_shape(const choice *o, const hol_word *word, int body, const char *name)
{
    hol_choice near;
    const hol_spec *spec = o->c->spec;
    hol_choice_start(&near, name ? name : "");
    for (int i = 0; i < spec->n_shapes; i++) {
        const hol_drawing *d = &spec->shape[i];
        if (d->body != body || !d->name) continue;
        if (d->ghost && name && strcmp(d->name, name) == 0)
            return hol_fail_at(
                o->c->m->ctx, HOL_ERR_MODEL, word->at,
                "%s.between: the shape \"%s\" has `collide: no`; leave that away, or name another "
                "shape",
                o->rule->path, name);
        if (!d->ghost) hol_choice_offer(&near, body < 0 ? hol_seen_name(word->at, d->name) : d->name);
    }
    if (name)
        return hol_choice_fail(o->c, word->at, o->rule->path, "the body has no shape with the name", name,
                               &near);
    return hol_fail_at(o->c->m->ctx, HOL_ERR_MODEL, word->at,
                       "%s.between: \"%s\" has no shape that could touch; give it a `shape`", o->rule->path,
                       word->name);
}

// Does a name fit a word, in which * stands for any letters?
static bool fits(const char *name, const char *word)
{
    if (*word != '*') return *word == *name && (!*word || fits(name + 1, word + 1));
    return fits(name, word + 1) || (*name && fits(name + 1, word));
}

// The shapes of a body, of this name and drawn within this file if these are not NULL.
static hol_status take_shapes(choice *o, int k, const char *own, int body, const char *name,
                              const hol_subsystem *file)
{
    const hol_spec *spec = o->c->spec;
    for (int i = o->c->shape_of[body + 1]; i < spec->n_shapes; i = o->c->shape_next[i]) {
        const hol_drawing *d = &spec->shape[i];
        if (!takes(d, body, name) || (file && !hol_is_within(d->at, file))) continue;
        if (!HOL_ARENA_GROW(spec->draft, o->of, o->n)) return HOL_ERR_MEMORY;
        o->of[o->n].shape = &spec->shape[i];
        o->of[o->n].body = own;
        o->of[o->n].at = o->rule->value[HOL_RULE_BETWEEN].word[k].at;
        o->of[o->n++].word = k;
    }
    return HOL_OK;
}

// The shapes of ground that the file of a word draws, with the files it includes; where there is none, those of the file around it.
static hol_status take_ground(choice *o, int k, const char *own, const char *name)
{
    const int before = o->n;
    const char *word = own;
    const hol_src at = hol_outside(o->rule->value[HOL_RULE_BETWEEN].word[k].at, &word);
    for (const hol_subsystem *file = hol_subsystem_at(at);; file = hol_subsystem_outer(file)) {
        const char *full =
            name ? hol_arena_print(o->c->spec->draft, "%s%s", file ? file->prefix : "", name) : NULL;
        if (name && !full) return HOL_ERR_MEMORY;
        const hol_status st = take_shapes(o, k, word, -1, full, file);
        if (st || o->n > before || !file) return st;
    }
}

// The shapes of all bodies of the file whose names fit.
static hol_status take_fitting(choice *o, int k, const char *own, const char *name)
{
    const hol_word *word = &o->rule->value[HOL_RULE_BETWEEN].word[k];
    const hol_subsystem *file = hol_subsystem_at(word->at);
    const size_t inside = file ? strlen(file->prefix) : 0;
    const int before = o->n;
    hol_status st = HOL_OK;
    for (int b = 0; b < o->c->m->n_bodies && !st; b++) {
        const char *full = o->c->m->body[b].name;
        if (strncmp(full, file ? file->prefix : "", inside) == 0 && fits(full + inside, own))
            st = take_shapes(o, k, full + inside, b, name, NULL);
    }
    if (st || o->n > before) return st;
    return hol_fail_at(
        o->c->m->ctx, HOL_ERR_MODEL, word->at,
        "%s.between: \"%s\" fits no body that has a shape that could touch; give one a `shape`",
        o->rule->path, word->name);
}

// The shapes of one word, "ball" or "ball.shape", "b*" or "all".
static hol_status take_word(choice *o, int k)
{
    const hol_word *word = &o->rule->value[HOL_RULE_BETWEEN].word[k];
    const hol_spec *spec = o->c->spec;
    const size_t length = hol_body_length(&spec->subsystems, word->at, word->name);
    const char *name = word->name[length] ? word->name + length + 1 : NULL,
               *own = name ? hol_arena_copy(spec->draft, word->name, length) : word->name;
    int body = -1, before = o->n;
    if (!own) return HOL_ERR_MEMORY;
    if (strcmp(own, "all") == 0) return take_fitting(o, k, "*", name);
    if (strchr(own, '*')) return take_fitting(o, k, own, name);
    hol_status st = hol_find_body(o->c, own, word->at, o->rule->path, &body);
    if (!st) st = body < 0 ? take_ground(o, k, own, name) : take_shapes(o, k, own, body, name, NULL);
    return st || o->n > before ? st : no_shape(o, word, body, name);
}

// What may touch, in place of two shapes of which nothing can.
static const char *what_touches(const choice *o, const char *a, const char *b)
{
    const bool plane = o->c->m->dimension == 2, boxes = strcmp(a, "box") == 0 && strcmp(b, "box") == 0;
    if (o->rule->value[HOL_RULE_LAW].num == HOL_RULE_FOUNDATION)
        return "a foundation presses by faces of boxes, on a halfspace (2D: a halfplane) and on each other; "
               "leave the law away for others";
    if (boxes && !plane)
        return "edges of boxes would pass through each other; give `points: 1`, or more the thinner they are";
    return plane
               ? "balls touch everything but a mesh, a polyline where it has a `radius`; boxes and polygons "
                 "touch each other and, as capsules and closed curves, a halfplane, capsules their like; "
                 "give the bodies such shapes, and name "
                 "them: "
                 "body.shape"
               : "balls touch everything but a mesh, a polyline where it has a `radius`; boxes, capsules, "
                 "cylinders, tori and ellipsoids touch a halfspace, capsules, boxes and ellipsoids their "
                 "like; "
                 "give the bodies such shapes, and name them: body.shape";
}

static hol_status refuse_pair(const choice *o, int i, int j)
{
    const int dimension = o->c->m->dimension;
    const char *a = hol_drawing_word(o->of[i].shape, dimension),
               *b = hol_drawing_word(o->of[j].shape, dimension);
    return hol_fail_at(o->c->m->ctx, HOL_ERR_MODEL, o->of[j].at,
                       "%s: %s %s (of \"%s\") and %s %s (of \"%s\") cannot touch; %s", o->rule->path,
                       hol_article(a), a, o->of[i].body, hol_article(b), b, o->of[j].body,
                       what_touches(o, a, b));
}

// A curve and what would touch it in two places; the text wants the body of the curve.
static hol_status refuse_unfit(const choice *o, const char *text, int i, int j)
{
    const bool first = o->of[i].shape->touch == HOL_TOUCH_CURVE;
    const char *at = strstr(text, "%s");
    return hol_fail_at(o->c->m->ctx, HOL_ERR_MODEL, o->of[first ? i : j].at, "%s: %.*s%s%s", o->rule->path,
                       (int)(at - text), text, o->of[first ? i : j].body, at + 2);
}

// A foundation has an area, for which a box needs all its sizes.
static hol_status check_areas(const choice *o, int i)
{
    const hol_drawing *d = o->of[i].shape;
    if (d->half || d->size[2] > 0) return HOL_OK;
    return hol_fail_at(
        o->c->m->ctx, HOL_ERR_MODEL, o->of[i].at,
        "%s: the box (of \"%s\") has no area, by which a foundation presses; give it a `thickness`",
        o->rule->path, o->of[i].body);
}

// The contacts of two shapes.
static hol_status take_pair(choice *o, int i, int j)
{
    hol_compiler *c = o->c;
    const hol_value *v = o->rule->value;
    hol_meetings m = {.arena = c->spec->draft,
                      .dimension = c->m->dimension,
                      .points = v[HOL_RULE_POINTS].given ? (int)v[HOL_RULE_POINTS].num : 0,
                      .areas = v[HOL_RULE_LAW].num == HOL_RULE_FOUNDATION,
                      .shape = {o->of[i].shape, o->of[j].shape}};
    hol_status st = hol_meetings_find(&m);
    if (!st && m.unfit) return refuse_unfit(o, m.unfit, i, j);
    if (!st && m.n == 0) return refuse_pair(o, i, j);
    for (int k = 0; k < 2 && m.areas && !st; k++) st = check_areas(o, k ? j : i);
    for (int k = 0; k < m.n && !st; k++) {
        const int touched = m.of[k].touched ? j : i, other = touched == i ? j : i;
        if (!HOL_ARENA_GROW(c->spec->draft, c->contact, c->n_contacts)) return HOL_ERR_MEMORY;
        c->contact[c->n_contacts++] = (found){.rule = o->rule,
                                              .shape = {o->of[touched].shape, o->of[other].shape},
                                              .body = {o->of[touched].body, o->of[other].body},
                                              .at = {o->of[touched].at, o->of[other].at},
                                              .m = m.of[k]};
    }
    return st;
}

// Which bodies are among those that do not touch each other.                                (n_bodies + 1)
static hol_status find_excepted(const choice *o, bool **out)
{
    const hol_value *v = &o->rule->value[HOL_RULE_EXCEPT];
    *out = hol_arena_alloc(o->c->spec->draft, (size_t)o->c->m->n_bodies + 1, sizeof **out);
    hol_status st = *out ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < v->n && v->given && !st; i++) {
        int body;
        st = hol_find_body(o->c, v->word[i].name, v->word[i].at, o->rule->path, &body);
        if (!st) (*out)[body + 1] = true;
    }
    return st;
}

// Two words may name the same pair, which was found from `first` on then.
static bool is_candidate(const choice *o, int first, int i, int j)
{
    const hol_drawing *a = o->of[i].shape, *b = o->of[j].shape;
    bool met = o->of[i].word == o->of[j].word || a == b;
    for (int k = first; k < o->c->n_contacts && !met; k++) {
        const found *f = &o->c->contact[k];
        met = (f->shape[0] == a && f->shape[1] == b) || (f->shape[0] == b && f->shape[1] == a);
    }
    return !met;
}

// The contacts of two shapes, if they may touch: those of one body do not, nor what is excepted.
static hol_status take_candidate(choice *o, const bool *excepted, int i, int j)
{
    const hol_drawing *a = o->of[i].shape, *b = o->of[j].shape;
    const bool one = a->body == b->body, except = excepted[a->body + 1] && excepted[b->body + 1];
    const bool first = b->body < 0 || (a->body >= 0 && a < b); // two words may name them the other way round
    if (!one && !except) return take_pair(o, i, j);
    return hol_contact_note(o->c, o->rule, (const hol_drawing *const[2]){first ? b : a, first ? a : b}, -1, 0,
                            one ? HOL_CONTACT_ONE_BODY : HOL_CONTACT_EXCEPTED);
}

// Points belong to shapes that have edges.
static hol_status check_points(const choice *o)
{
    const hol_value *v = &o->rule->value[HOL_RULE_POINTS];
    bool any = !v->given, cylinder = false;
    for (int i = 0; i < o->n; i++) {
        const bool has = hol_shape_has_points(o->of[i].shape, o->c->m->dimension);
        any = any || has;
        cylinder = cylinder || (has && o->of[i].shape->kind == HOL_SHAPE_CYLINDER);
    }
    if (cylinder && v->given && v->num < 3)
        return hol_fail_at(o->c->m->ctx, HOL_ERR_MODEL, v->at,
                           "%s.points: %g: a cylinder stands on no fewer than 3 points of its "
                           "edge; leave it away for a round edge",
                           o->rule->path, v->num);
    if (any) return HOL_OK;
    return hol_fail_at(
        o->c->m->ctx, HOL_ERR_MODEL, v->at, "%s.points: %s among the shapes; leave it away", o->rule->path,
        o->c->m->dimension == 2 ? "there is no box and no polygon" : "there is no box and no cylinder");
}

// Are the shapes of two words far more pairs than `most`, which need not be counted then?
static bool are_many(const choice *o, double most)
{
    const hol_value *rule = o->rule->value;
    const double words = rule[HOL_RULE_BETWEEN].n; // which may name the same shapes
    double pairs = 0, same = 0;
    if (rule[HOL_RULE_EXCEPT].given) return false;
    for (int i = 0; i < o->n; i++) {
        same = i && o->of[i].word == o->of[i - 1].word ? same + 1 : 0;
        pairs += i - same; // words come one after the other
    }
    return pairs > CERTAIN * words * words * most;
}

// All pairs of a rule; *more: they are more than are located one by one, and none is taken, nor noted.
static hol_status take_pairs(choice *o, const bool *excepted, bool *more)
{
    hol_model_data *m = o->c->m;
    const double most = o->rule->value[HOL_RULE_LOCATE].num;
    const int first = o->c->n_contacts, rows = m->n_contact_rows, left = m->n_contacts_left;
    const bool untold = m->left_out_untold;
    hol_status st = HOL_OK;
    *more = are_many(o, most);
    for (int i = 0; i < o->n && !st && !*more; i++)
        for (int j = i + 1; j < o->n && !st && !*more; j++) {
            if (is_candidate(o, first, i, j)) st = take_candidate(o, excepted, i, j);
            *more = o->c->n_contacts - first > most;
        }
    if (!*more) return st;
    o->c->n_contacts = first;
    m->n_contact_rows = rows;
    m->n_contacts_left = left;
    m->left_out_untold = untold;
    return st;
}

// Contacts one by one, or a swarm.
static hol_status take_rule(hol_compiler *c, const hol_spec_contact *rule)
{
    choice o = {.c = c, .rule = rule};
    const int first = c->n_contacts;
    bool *excepted, more;
    hol_status st = find_excepted(&o, &excepted);
    for (int k = 0; k < rule->value[HOL_RULE_BETWEEN].n && !st; k++) st = take_word(&o, k);
    if (!st) st = check_points(&o);
    if (!st) st = take_pairs(&o, excepted, &more);
    if (!st && more) st = hol_add_swarm(c, rule, o.n, o.of, excepted);
    if (st || c->n_contacts > first || (more && !hol_swarm_is_empty(&c->m->swarm[c->m->n_swarms - 1])))
        return st;
    return hol_fail_at(
        c->m->ctx, HOL_ERR_MODEL, rule->at,
        "%s.between: no two of the bodies may touch each other: shapes of one body do not, nor what is under "
        "`except`; name shapes of two bodies",
        rule->path);
}

// The shapes of each body, one after the other.
static hol_status list_shapes(hol_compiler *c)
{
    const hol_spec *spec = c->spec;
    const int none = spec->n_shapes;
    c->shape_of = hol_arena_alloc(spec->draft, (size_t)c->m->n_bodies + 1, sizeof *c->shape_of);
    c->shape_next = hol_arena_alloc(spec->draft, (size_t)none + 1, sizeof *c->shape_next);
    if (!c->shape_of || !c->shape_next) return HOL_ERR_MEMORY;
    for (int i = 0; i <= c->m->n_bodies; i++) c->shape_of[i] = none;
    for (int i = none - 1; i >= 0; i--) {
        c->shape_next[i] = c->shape_of[spec->shape[i].body + 1];
        c->shape_of[spec->shape[i].body + 1] = i;
    }
    return HOL_OK;
}

hol_status hol_find_contacts(hol_compiler *c, int *most)
{
    hol_status st = find_materials(c);
    if (!st && c->spec->n_contacts) st = list_shapes(c);
    for (int i = 0; i < c->spec->n_contacts && !st; i++) st = take_rule(c, &c->spec->contact[i]);
    *most = c->n_contacts;
    return st;
}

// A joint that connects the two bodies; -1: none does.
static int joint_between(const hol_model_data *m, int a, int b)
{
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (e->type->role != HOL_ROLE_JOINT || e->n_ends != 2) continue;
        if ((e->end[0].body == a && e->end[1].body == b) || (e->end[0].body == b && e->end[1].body == a))
            return i;
    }
    return -1;
}

// ---- ends -------------------------------------------------------------------------------------------------------

// A place of a shape as a marker of its body, or of ground.
static hol_spec_marker *marker_of(const hol_compiler *c, const hol_drawing *d, const double s[3],
                                  const double quat[4])
{
    hol_spec_marker *k = hol_arena_alloc(c->spec->draft, 1, sizeof *k);
    double com[3] = {0, 0, 0};
    if (!k) return NULL;
    if (d->body >= 0) hol_model_com(c->m, d->body, com);
    for (int i = 0; i < 3; i++) k->position[i] = s[i] + com[i];
    memcpy(k->quat, quat, sizeof k->quat);
    k->angle = 2 * atan2(quat[3], quat[0]);
    return k;
}

// The element between a place on the face or in the middle of one shape and a place of the other.
static hol_status add_element(hol_compiler *c, const found *f, const char *name, const hol_value *value)
{
    hol_spec_element s = {.name = name,
                          .at = f->rule->at,
                          .name_at = f->rule->name_at,
                          .type = &hol_force_contact,
                          .value = value,
                          .n_ends = 2};
    for (int e = 0; e < 2; e++)
        s.end[e] = (hol_spec_end){f->at[e], f->body[e], NULL,
                                  marker_of(c, f->shape[e], f->m.origin[e], f->m.quat[e])};
    return s.end[0].local && s.end[1].local ? hol_add_element(c, &s) : HOL_ERR_MEMORY;
}

// ---- events, memory, states -------------------------------------------------------------------------------------

typedef struct {
    hol_maker made;
    const found *f;
    hol_element *e;
    const hol_value *told;
    bool notes_speed; // of the approach
    double less;      // by which what measures the gap is larger
} contact;

// A measure between the ends, along the normal of a half-space or as a distance.
static void name_measure(contact *k, const char *name, const char *measure, bool seen)
{
    const hol_element *e = k->e;
    hol_leaf l = {.kind = HOL_LEAF_QUANTITY, .n_bodies = e->n_bodies, .ny = e->ny};
    int unused;
    memcpy(l.body, e->body, sizeof l.body);
    hol_measured_find(measure, strlen(measure), k->made.c->m->dimension, &l.measured, &unused);
    for (int i = 0; i < l.measured.n_parts; i++) {
        hol_quantity *q = &l.measured.part[i];
        q->to = e->end[1].marker;
        q->from = e->end[0].marker;
        q->along = q->ref = seen ? e->end[0].marker : NULL;
    }
    hol_make_leaf(&k->made, name, &l);
}

void hol_contact_name_observed(hol_maker *k, const hol_element *e, const char *name, int which)
{
    hol_leaf l = {.kind = HOL_LEAF_REACTION,
                  .index = (int)(e - k->c->m->element),
                  .component = HOL_LEAF_OBSERVED + which,
                  .n_bodies = e->n_bodies,
                  .ny = e->ny};
    memcpy(l.body, e->body, sizeof l.body);
    hol_make_leaf(k, name, &l);
}

static void name_observed(contact *k, const char *name, int which)
{
    hol_contact_name_observed(&k->made, k->e, name, which);
}

// The names "g", which grows with the gap, and "w", its rate.
static void name_gap(contact *k)
{
    const bool primitive = k->f->m.pair <= HOL_CONTACT_BALLS; // it has a name of its own
    k->less = primitive ? k->told[HOL_CONTACT_RADII].num : 0;
    if (!primitive) {
        name_observed(k, "g", HOL_CONTACT_GAP);
        name_observed(k, "w", HOL_CONTACT_RATE);
        return;
    }
    const bool half = k->f->shape[0]->half, plane = k->made.c->m->dimension == 2;
    name_measure(k, "g", !half ? "DM" : plane ? "DY" : "DZ", half);
    name_measure(k, "w", !half ? "VR" : plane ? "VY" : "VZ", half);
}

// The speed that the damping goes by where a run begins. None is lost before an onset, since attempts of steps go in before the event is found;
// what touches does not meet, and has the speed of the start.
static hol_status set_at_start(contact *k, int slot)
{
    const char *speed = HOL_MADE_TEXT(&k->made, "max(-w,%.17g)", k->f->rule->value[HOL_RULE_SLOWEST].num);
    return speed ? hol_make_start(&k->made, false, slot, false,
                                  HOL_MADE_TEXT(&k->made, "if(g-(%.17g)-%.17g: %s, %s, %.17g)", k->less,
                                                TOUCH, speed, speed, HOL_MADE_NEVER))
                 : HOL_ERR_MEMORY;
}

// What an event sets: whether it lasts, the speed of the approach, and n bristles to nothing from state `first` on.
static hol_status set(contact *k, hol_event *e, const char *lasts, bool speed, int first, int n)
{
    const int all = 1 + (speed ? 1 : 0) + n;
    hol_set *list = hol_arena_alloc(k->made.c->spec->arena, (size_t)all + 1, sizeof *list);
    if (!list) return HOL_ERR_MEMORY;
    e->set = list;
    e->n_sets = all;
    hol_status st = HOL_OK;
    list[n].index = k->e->mem + HOL_CONTACT_LASTS;
    st = hol_make_expression(&k->made, lasts, &list[n].value);
    if (speed && !st) {
        list[n + 1].index = k->e->mem + HOL_CONTACT_SPEED;
        st = hol_make_expression(
            &k->made, HOL_MADE_TEXT(&k->made, "max(-w,%.17g)", k->f->rule->value[HOL_RULE_SLOWEST].num),
            &list[n + 1].value);
    }
    for (int i = 0; i < n && !st; i++) {
        const hol_equation *touched = k->made.c->m->state[first + i].touched;
        list[i].is_state = true;
        list[i].index = first + i;
        if (*lasts == '1' && touched)
            list[i].value = *touched;
        else
            st = hol_make_expression(&k->made, "0", &list[i].value);
    }
    return st;
}

// On its way out a contact of `impact` pushes no more where the damping would pull, and for a moment once more just before its end, which a
// step would not see: 1 - c step(d) w/(K d^n) = 0, written so that it is regular at d = 0.   (23.8a)
static hol_status make_release(contact *k)
{
    const double K = k->told[HOL_CONTACT_K].num, n = k->told[HOL_CONTACT_EXPONENT].num,
                 c = k->told[HOL_CONTACT_DAMPING].num, D = k->told[HOL_CONTACT_RAMP].num, R = k->less;
    if (n >= 2) return HOL_OK; // it stays so until the end
    hol_event *e = hol_make_event(
        &k->made, "release",
        HOL_MADE_TEXT(
            &k->made,
            "1-(%.17g)*w*min(max((%.17g)-g,0),%.17g)^(%.17g)*(3-2*min(max((%.17g)-g,0),%.17g)/%.17g)"
            "*(%.17g/max((%.17g)-g,%.17g))^(%.17g)",
            c / (K * D * D), R, D, 2 - n, R, D, D, D, R, D, n));
    if (!e) return HOL_ERR_MEMORY;
    e->direction = 0;
    e->lets_go = true;
    return HOL_OK;
}

// The onset, the end, and where what lies is hit so hard that the damping would be far too large.          (23.8)
static hol_status make_events(contact *k, int first_state, int n_states)
{
    const double radii = k->less;
    hol_event *e = hol_make_event(&k->made, "onset", HOL_MADE_TEXT(&k->made, "(%.17g)-g", radii));
    hol_status st = e ? set(k, e, "1", k->notes_speed, first_state, n_states) : HOL_ERR_MEMORY;
    if (!st) e->touch = true;
    if (!st && !(e = hol_make_event(&k->made, "end", HOL_MADE_TEXT(&k->made, "g-(%.17g)", radii))))
        st = HOL_ERR_MEMORY;
    if (!st) st = set(k, e, "-1", false, first_state, n_states);
    if (!st) e->touch = true;
    if (!st && k->told[HOL_CONTACT_LAW].num == HOL_CONTACT_IMPACT) st = make_release(k);
    if (st || !k->notes_speed) return st;
    e = hol_make_event(&k->made, "hit", HOL_MADE_TEXT(&k->made, "min((%.17g)-g,-w-4*c)", radii));
    return e ? set(k, e, "1", true, 0, 0) : HOL_ERR_MEMORY;
}

// ---- friction that sticks ---------------------------------------------------------------------------------------

static double inverse_mass(const hol_model_data *m, int body)
{
    hol_inertia b;
    if (body < 0) return 0;
    m->element[body].type->inertia(m->element[body].data, &b);
    return b.m > 0 ? 1 / b.m : HOL_INF;
}

void hol_contact_loads(const hol_model_data *m, const hol_element *e, const double g[3], double *mass,
                       double *weight)
{
    const double a = inverse_mass(m, e->end[0].body), b = inverse_mass(m, e->end[1].body);
    *mass = a + b > 0 ? 1 / (a + b) : 0;
    *weight = fmax(a, b) > 0 ? sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / fmax(a, b) : 0;
}

// Of Mindlin for nu = 0.3, 2(1 - nu)/(2 - nu) times dF/dd where the weight of the lighter body lies on it.
static hol_status find_bristle(const contact *k, hol_bristle *b)
{
    const hol_value *v = k->f->rule->friction;
    const double K = k->told[HOL_CONTACT_K].num, n = k->told[HOL_CONTACT_EXPONENT].num;
    double mass, weight;
    hol_contact_loads(k->made.c->m, k->e, k->made.c->spec->gravity, &mass, &weight);
    *b = (hol_bristle){.unit = "N", .unit_of_stretch = "m", .vanishes = true, .moves = HOL_CONTACT_MOVES};
    b->stiffness = v[HOL_RUB_STIFFNESS].given ? v[HOL_RUB_STIFFNESS].num
                                              : 1.4 / 1.7 * n * K * pow(weight / K, (n - 1) / n);
    if (!(b->stiffness > 0))
        return hol_fail_at(
            k->made.c->m->ctx, HOL_ERR_MODEL, k->made.at,
            "%s.friction: without gravity and mass there is no weight by which the stiffness of the bristle "
            "could be chosen; give \"stiffness\"",
            k->made.path);
    b->damping = v[HOL_RUB_DAMPING].given ? v[HOL_RUB_DAMPING].num : 2 * sqrt(b->stiffness * mass);
    b->size = v[HOL_RUB_COEFFICIENT].num * (weight > 0 ? weight : 1e-5 * b->stiffness);
    return HOL_OK;
}

// The coefficient times the normal force F, larger at rest; speed2: the square of the slip.
static const char *largest(contact *k, const char *speed2)
{
    const hol_value *v = k->f->rule->friction;
    if (v[HOL_RUB_STATIC].num == 1) return HOL_MADE_TEXT(&k->made, "(%.17g)*F", v[HOL_RUB_COEFFICIENT].num);
    return HOL_MADE_TEXT(&k->made, "(%.17g)*F*(1+(%.17g)*exp(-%s/(%.17g)^2))", v[HOL_RUB_COEFFICIENT].num,
                         v[HOL_RUB_STATIC].num - 1, speed2, v[HOL_RUB_STRIBECK].num);
}

// In the plane it is that of joints.
static hol_status stick_in_plane(contact *k, const hol_bristle *b)
{
    name_observed(k, "v", HOL_CONTACT_SLIP);
    if (k->f->rule->friction[HOL_RUB_LAW].num == HOL_RUB_LUGRE)
        return hol_make_lugre(&k->made, b, largest(k, "v^2"), k->e);
    hol_status st = hol_make_bristle(&k->made, b, largest(k, "v^2"));
    const int first = k->made.c->m->n_equations;
    if (!st) st = hol_make_equation(&k->made, "T", NULL, NULL, "-" HOL_BRISTLE_PULL);
    return st ? st : hol_make_inputs(k->made.c, k->e, first, 1);
}

// In space the bristle is a vector of the plane that is touched, in its axes.
static hol_status stick_in_space(contact *k, const hol_bristle *b)
{
    hol_maker *m = &k->made;
    name_observed(k, "vx", HOL_CONTACT_SLIP);
    name_observed(k, "vy", HOL_CONTACT_SLIP_2);
    name_observed(k, "om", HOL_CONTACT_SPIN);
    const hol_status st = hol_make_plane_bristle(m, b, largest(k, "(vx^2+vy^2)"), "Tx", "Ty");
    return st ? st : hol_make_inputs(m->c, k->e, m->c->m->n_equations - 2, 2);
}

// The bristle of a contact, whose pull is the element's input.
static hol_status stick(contact *k)
{
    hol_bristle b;
    const bool plane = k->made.c->m->dimension == 2;
    if (!plane && !k->f->shape[0]->half)
        return hol_fail_at(
            k->made.c->m->ctx, HOL_ERR_MODEL, k->made.at,
            "%s.friction: in space shapes can stick to a halfspace alone yet; give `law: tanh` and a "
            "\"transition\"",
            k->made.path);
    if (!plane && k->f->rule->friction[HOL_RUB_LAW].num == HOL_RUB_LUGRE)
        return hol_fail_at(k->made.c->m->ctx, HOL_ERR_MODEL, k->made.at,
                           "%s.friction: lugre is for comparison in the plane; give `law: stick`",
                           k->made.path);
    hol_status st = find_bristle(k, &b);
    if (!st) name_observed(k, "F", HOL_CONTACT_F);
    return st ? st : plane ? stick_in_plane(k, &b) : stick_in_space(k, &b);
}

// Of two shapes that roll on each other.
static hol_status roll(const contact *k)
{
    const hol_value *v = k->f->rule->value;
    const double *bend = k->f->m.bend;
    if (!v[HOL_RULE_ROLLING].given && !v[HOL_RULE_SPINNING].given) return HOL_OK;
    hol_roller r = {.c = k->made.c,
                    .rule = k->f->rule,
                    .name = k->made.name,
                    .e = k->e,
                    .radius = bend[0] == bend[1] ? 1 / (2 * bend[0]) : 0};
    hol_status st = k->told[HOL_CONTACT_RUBS].num == HOL_CONTACT_STICK ? find_bristle(k, &r.bristle) : HOL_OK;
    if (!st && k->made.c->m->dimension == 3 && !k->f->shape[0]->half)
        st =
            hol_fail_at(k->made.c->m->ctx, HOL_ERR_MODEL, k->made.at,
                        "%s: in space shapes can resist rolling and spinning on a halfspace alone yet; leave "
                        "`rolling` and `spinning` away",
                        k->made.path);
    return st ? st : hol_add_rolling(&r);
}

// A point mass does not turn, so that friction on the surface drawn around it would have no arm.
hol_status hol_contact_check_turns(const hol_compiler *c, const hol_spec_contact *rule, int body,
                                   const char *name)
{
    if (!rule->friction || body < 0 || c->m->body[body].frame != HOL_FRAME_POINT) return HOL_OK;
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, rule->at,
                       "%s.friction: \"%s\" is a point mass, which friction on its surface could not turn; "
                       "make it a rigid body, or leave the friction away",
                       rule->path, name);
}

// ---- one contact ------------------------------------------------------------------------------------------------

// The element of a pair, with what belongs to it.
static hol_status add_contact(hol_compiler *c, const found *f, const char *name)
{
    const hol_value *told = NULL;
    const int index = c->m->n_elements;
    hol_status st = HOL_OK;
    for (int i = 0; i < 2 && !st; i++)
        st = hol_contact_check_turns(c, f->rule, f->shape[i]->body, f->body[i]);
    if (!st) st = hol_contact_tell(c, f, &told);
    if (!st) st = add_element(c, f, name, told);
    if (st) return st;
    contact k = {.made = {.c = c, .at = f->rule->at, .name = name, .path = f->rule->path},
                 .f = f,
                 .e = &c->m->element[index],
                 .told = told,
                 .notes_speed = told[HOL_CONTACT_APPROACH].num > 0};
    const int states = c->m->n_states;
    name_gap(&k);
    int speed = 0;
    st = hol_make_held(&k.made, "on", "lasts", 0, &k.e->mem);
    if (!st) st = hol_make_held(&k.made, "c", "speed", HOL_MADE_NEVER, &speed);
    if (!st) st = set_at_start(&k, speed);
    if (!st && told[HOL_CONTACT_RUBS].num == HOL_CONTACT_STICK) st = stick(&k);
    if (!st) st = roll(&k);
    for (int i = states; i < c->m->n_states; i++) c->m->state[i].contact = index;
    const int events = c->n_law_events;
    if (!st) st = make_events(&k, states, c->m->n_states - states);
    for (int i = events; i < c->n_law_events; i++) c->law_event[i].of = 1 + index;
    return st;
}

hol_status hol_contact_all_joined(const hol_compiler *c, const hol_spec_contact *rule)
{
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, rule->at,
                       "%s: joints connect all the bodies that could touch, which do not then; "
                       "`joined: yes` lets them",
                       rule->path);
}

// The contacts of two shapes, all n from `first` on, which are numbered by `numbered`; a single one has the name of its rule.
static hol_status add_pair(hol_compiler *c, const found *first, int n, int number, bool alone)
{
    const hol_spec_contact *rule = first->rule;
    const int element = c->m->n_elements;
    const int joint = rule->value[HOL_RULE_JOINED].num > 0
                          ? -1
                          : joint_between(c->m, first->shape[0]->body, first->shape[1]->body);
    const bool joined = joint >= 0;
    hol_status st = HOL_OK;
    for (int i = 0; i < n && !st && !joined; i++) {
        const char *name =
            alone ? rule->name : hol_arena_print(c->spec->arena, "%s.%d", rule->name, number + i);
        st = name ? add_contact(c, &first[i], name) : HOL_ERR_MEMORY;
    }
    return st ? st
              : hol_contact_note(c, rule, first->shape, joined ? joint : element, joined ? 0 : n,
                                 joined ? HOL_CONTACT_JOINED : HOL_CONTACT_KEPT);
}

static bool same_shapes(const found *a, const found *b)
{
    return a->shape[0] == b->shape[0] && a->shape[1] == b->shape[1];
}

// Those of a rule, the n from `first` on, whose bodies no joint connects.
static hol_status add_rule(hol_compiler *c, const found *first, int n)
{
    const hol_spec_contact *rule = first->rule;
    const int before = c->m->n_elements;
    hol_status st = HOL_OK;
    for (int i = 0, k; i < n && !st; i += k) {
        for (k = 1; i + k < n && same_shapes(&first[i], &first[i + k]);) k++;
        st = add_pair(c, &first[i], k, i + 1, n == 1);
    }
    return st || c->m->n_elements > before ? st : hol_contact_all_joined(c, rule);
}

hol_status hol_add_contacts(hol_compiler *c)
{
    hol_status st = HOL_OK;
    for (int i = 0, n; i < c->n_contacts && !st; i += n) {
        for (n = 1; i + n < c->n_contacts && c->contact[i + n].rule == c->contact[i].rule;) n++;
        st = add_rule(c, &c->contact[i], n);
    }
    if (!st) st = hol_sum_contacts(c);
    return st ? st : hol_join_swarms(c);
}
