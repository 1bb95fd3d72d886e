// Rules of contacts as force elements, one for each pair of a ball (a circle, a sphere, a corner, a round end) and what it may touch, with
// the events, the memory and the states that belong to it. docs/theory.md, section 23.
#include "model/contacts.h"
#include "element/contact.h"
#include "model/made.h"
#include "model/swarm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOUCH 1e-12 // of a length of 1 m: as drawn, this counts as touching

enum { MOST_BALLS = 8, CERTAIN = 8 };

// A place of a shape that is round, or a corner.
typedef struct {
    double s[3], radius; // in body axes from the centre of mass
} ball;

typedef struct hol_contact_found {
    const hol_spec_contact *rule;
    const hol_drawing *shape[2]; // 0: what is touched, 1: whose ball it is
    const char *body[2];         // as the rule calls them
    hol_src at[2];
    int ball; // of that shape; of what is touched, unless it is a half-space, the only one
} found;

// ---- shapes -----------------------------------------------------------------------------------------------------

static const char *word_of(const hol_drawing *d, int dimension)
{
    return d->half ? (dimension == 2 ? "halfplane" : "halfspace") : hol_shape_word(d->kind);
}

// The places by which a shape touches, in its own axes; how many.
static int balls_of(const hol_drawing *d, int dimension, ball *out)
{
    const double R = d->size[0], half = d->size[1] / 2;
    const bool disc = dimension == 2 && fabs(d->quat[1]) < 1e-12 && fabs(d->quat[2]) < 1e-12;
    if (d->half) return 0;
    if (d->kind == HOL_SHAPE_SPHERE || (d->kind == HOL_SHAPE_CYLINDER && disc)) {
        out[0] = (ball){{0, 0, 0}, R};
        return 1;
    }
    if (d->kind == HOL_SHAPE_CAPSULE) {
        out[0] = (ball){{0, 0, -half}, R};
        out[1] = (ball){{0, 0, half}, R};
        return 2;
    }
    const int corners = d->kind == HOL_SHAPE_BOX ? 1 << dimension : 0;
    for (int k = 0; k < corners; k++) {
        out[k] = (ball){{0, 0, 0}, 0};
        for (int i = 0; i < dimension; i++) out[k].s[i] = (k >> i & 1 ? 0.5 : -0.5) * d->size[i];
    }
    return corners;
}

// A place in the axes of a shape, in those of its body.
static void to_body(const hol_drawing *d, double s[3])
{
    double R[9], x[3];
    hol_quat_matrix(d->quat, R);
    for (int i = 0; i < 3; i++)
        x[i] = d->position[i] + R[3 * i] * s[0] + R[3 * i + 1] * s[1] + R[3 * i + 2] * s[2];
    memcpy(s, x, sizeof x);
}

static ball ball_at(const hol_drawing *d, int dimension, int k)
{
    ball all[MOST_BALLS];
    (void)balls_of(d, dimension, all);
    to_body(d, all[k].s);
    return all[k];
}

bool hol_contact_round(const hol_drawing *d, int dimension, double s[3], double *radius)
{
    ball all[MOST_BALLS];
    if (balls_of(d, dimension, all) != 1) return false;
    const ball b = ball_at(d, dimension, 0);
    memcpy(s, b.s, sizeof b.s);
    *radius = b.radius;
    return true;
}

bool hol_contact_face(const hol_drawing *d, int dimension, double s[3], double n[3])
{
    const int up = dimension - 1;
    double R[9];
    if (!d->half) return false;
    hol_quat_matrix(d->quat, R);
    for (int i = 0; i < 3; i++) {
        s[i] = i == up ? d->size[up] / 2 : 0;
        n[i] = R[3 * i + up];
    }
    to_body(d, s);
    return true;
}

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
    if (d->body != body || d->kind == HOL_SHAPE_NONE || d->hole || d->inferred) return false;
    return !name || (d->name && strcmp(d->name, name) == 0);
}

// A word names none: of the body, or of this name.
static hol_status no_shape(const choice *o, const hol_word *word, int body, const char *name)
{
    hol_choice near;
    const hol_spec *spec = o->c->spec;
    hol_choice_start(&near, name ? name : "");
    for (int i = 0; i < spec->n_shapes; i++)
        if (spec->shape[i].body == body && spec->shape[i].name) hol_choice_offer(&near, spec->shape[i].name);
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

// The shapes of a body, of this name if it is not NULL.
static hol_status take_shapes(choice *o, int k, const char *own, int body, const char *name)
{
    const hol_spec *spec = o->c->spec;
    for (int i = o->c->shape_of[body + 1]; i < spec->n_shapes; i = o->c->shape_next[i]) {
        if (!takes(&spec->shape[i], body, name)) continue;
        if (!HOL_ARENA_GROW(spec->draft, o->of, o->n)) return HOL_ERR_MEMORY;
        o->of[o->n].shape = &spec->shape[i];
        o->of[o->n].body = own;
        o->of[o->n].at = o->rule->value[HOL_RULE_BETWEEN].word[k].at;
        o->of[o->n++].word = k;
    }
    return HOL_OK;
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
            st = take_shapes(o, k, full + inside, b, name);
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
    if (!st) st = take_shapes(o, k, own, body, name);
    return st || o->n > before ? st : no_shape(o, word, body, name);
}

// Two shapes that have no row in the table of pairs.
static hol_status refuse_pair(const choice *o, int i, int j)
{
    const int dimension = o->c->m->dimension;
    return hol_fail_at(
        o->c->m->ctx, HOL_ERR_MODEL, o->of[j].at,
        "%s: a %s (of \"%s\") and a %s (of \"%s\") cannot touch yet; what can is a ball and a ball, and "
        "balls, corners of boxes and ends of capsules on a %s; give the bodies such shapes, and name "
        "them: body.shape",
        o->rule->path, word_of(o->of[i].shape, dimension), o->of[i].body, word_of(o->of[j].shape, dimension),
        o->of[j].body, dimension == 2 ? "halfplane" : "halfspace");
}

// The contacts of two shapes.
static hol_status take_pair(choice *o, int i, int j)
{
    ball unused[MOST_BALLS];
    hol_compiler *c = o->c;
    const int dimension = c->m->dimension;
    int n[2] = {balls_of(o->of[i].shape, dimension, unused), balls_of(o->of[j].shape, dimension, unused)};
    if (o->of[i].shape->half && o->of[j].shape->half) return refuse_pair(o, i, j);
    const int touched = o->of[j].shape->half || !o->of[i].shape->half ? j : i, other = touched == i ? j : i;
    const bool half = o->of[touched].shape->half;
    if (half ? n[0] + n[1] == 0 : n[0] != 1 || n[1] != 1) return refuse_pair(o, i, j);
    for (int k = 0; k < (half ? n[0] + n[1] : 1); k++) {
        if (!HOL_ARENA_GROW(c->spec->draft, c->contact, c->n_contacts)) return HOL_ERR_MEMORY;
        c->contact[c->n_contacts++] = (found){.rule = o->rule,
                                              .shape = {o->of[touched].shape, o->of[other].shape},
                                              .body = {o->of[touched].body, o->of[other].body},
                                              .at = {o->of[touched].at, o->of[other].at},
                                              .ball = k};
    }
    return HOL_OK;
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

// Shapes of one body do not touch, nor what is excepted; two words may name the same pair, which was found from `first` on then.
static bool may_touch(const choice *o, const bool *excepted, int first, int i, int j)
{
    const hol_drawing *a = o->of[i].shape, *b = o->of[j].shape;
    bool met = false;
    if (o->of[i].word == o->of[j].word || a->body == b->body) return false;
    if (excepted[a->body + 1] && excepted[b->body + 1]) return false;
    for (int k = first; k < o->c->n_contacts && !met; k++) {
        const found *f = &o->c->contact[k];
        met = (f->shape[0] == a && f->shape[1] == b) || (f->shape[0] == b && f->shape[1] == a);
    }
    return !met;
}

// Are the shapes of two words far more pairs than `most`, which need not be counted then?
static bool are_many(const choice *o, double most)
{
    double pairs = 0, same = 0;
    for (int i = 0; i < o->n; i++) {
        same = i && o->of[i].word == o->of[i - 1].word ? same + 1 : 0;
        pairs += i - same; // words come one after the other
    }
    return pairs > CERTAIN * most;
}

// All pairs of a rule; *more: they are more than are located one by one, and none is taken.
static hol_status take_pairs(choice *o, const bool *excepted, bool *more)
{
    const double most = o->rule->value[HOL_RULE_LOCATE].num;
    const int first = o->c->n_contacts;
    hol_status st = HOL_OK;
    *more = are_many(o, most);
    for (int i = 0; i < o->n && !st && !*more; i++)
        for (int j = i + 1; j < o->n && !st && !*more; j++) {
            if (may_touch(o, excepted, first, i, j)) st = take_pair(o, i, j);
            *more = o->c->n_contacts - first > most;
        }
    if (*more) o->c->n_contacts = first;
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

// Does a joint connect the two bodies?
static bool are_joined(const hol_model_data *m, int a, int b)
{
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (e->type->role != HOL_ROLE_JOINT || e->n_ends != 2) continue;
        if ((e->end[0].body == a && e->end[1].body == b) || (e->end[0].body == b && e->end[1].body == a))
            return true;
    }
    return false;
}

// ---- what the element is told -----------------------------------------------------------------------------------

// Of both shapes: 0 of a corner, HOL_INF of a half-space.
static void radii_of(const found *f, int dimension, double R[2])
{
    R[0] = f->shape[0]->half ? HOL_INF : ball_at(f->shape[0], dimension, 0).radius;
    R[1] = ball_at(f->shape[1], dimension, f->ball).radius;
}

// (1 - nu^2)/E of a shape, by its material; NAN: it has none.
double hol_contact_compliance(const hol_compiler *c, const hol_drawing *d)
{
    if (!d->material) return (double)NAN;
    return c->spec->material[hol_names_find_at(c->materials, d->material_at, d->material)].compliance;
}

hol_status hol_contact_not_hard(const hol_compiler *c, const hol_spec_contact *rule, const char *body)
{
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, rule->at,
                       "%s: how hard is it? give \"stiffness\", in N/m^1.5 of hertz, or \"modulus\", or the "
                       "shape of \"%s\" a \"material\"",
                       rule->path, body);
}

// That of the rule, or of both materials.
static hol_status find_modulus(const hol_compiler *c, const found *f, double *E)
{
    const hol_value *given = &f->rule->value[HOL_RULE_MODULUS];
    const double a = hol_contact_compliance(c, f->shape[0]), b = hol_contact_compliance(c, f->shape[1]);
    *E = given->given ? given->num : 1 / (a + b);
    return given->given || !isnan(a + b) ? HOL_OK : hol_contact_not_hard(c, f->rule, f->body[isnan(b)]);
}

// K as given, or of Hertz for both radii and the modulus.
static hol_status find_stiffness(const hol_compiler *c, const found *f, double *K)
{
    const hol_value *v = f->rule->value;
    const bool by_modulus = v[HOL_RULE_MODULUS].given;
    double E = 0, R[2];
    *K = v[HOL_RULE_STIFFNESS].num;
    if (v[HOL_RULE_STIFFNESS].given) return HOL_OK;
    radii_of(f, c->m->dimension, R);
    if (!(fmin(R[0], R[1]) > 0))
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, by_modulus ? v[HOL_RULE_MODULUS].at : f->rule->at,
                           "%s: a corner has no curvature, by which Hertz finds the stiffness; give "
                           "`stiffness`%s",
                           f->rule->path, by_modulus ? " in place of `modulus`" : "");
    const hol_status st = find_modulus(c, f, &E);
    *K = 4.0 / 3 * E * sqrt(1 / (1 / R[1] + 1 / R[0]));
    return st;
}

// What the element is told of friction; v NULL: there is none.
static void tell_friction(const hol_value *v, hol_value *out)
{
    static const hol_contact_friction kind[] = {[HOL_RUB_STICK] = HOL_CONTACT_STICK,
                                                [HOL_RUB_TANH] = HOL_CONTACT_TANH,
                                                [HOL_RUB_STEP] = HOL_CONTACT_STEP,
                                                [HOL_RUB_SQRT] = HOL_CONTACT_SQRT};
    out[HOL_CONTACT_RUBS].num = v ? kind[(int)v[HOL_RUB_LAW].num] : HOL_CONTACT_FREE;
    if (!v) return;
    const double vt = v[HOL_RUB_TRANSITION].num;
    out[HOL_CONTACT_SLIDING].num = v[HOL_RUB_COEFFICIENT].num;
    out[HOL_CONTACT_STATIC].num = v[HOL_RUB_COEFFICIENT].num * v[HOL_RUB_STATIC].num;
    out[HOL_CONTACT_TRANSITION].num = vt;
    out[HOL_CONTACT_STRIBECK].num = v[HOL_RUB_STRIBECK].given ? v[HOL_RUB_STRIBECK].num : 2 * vt;
}

static void tell_law(const hol_value *v, hol_value *out)
{
    const bool impact = v[HOL_RULE_LAW].num == HOL_RULE_IMPACT, lossy = v[HOL_RULE_RESTITUTION].given;
    out[HOL_CONTACT_LAW].num = impact ? HOL_CONTACT_IMPACT : HOL_CONTACT_POWER;
    out[HOL_CONTACT_EXPONENT].num = v[HOL_RULE_EXPONENT].num;
    out[HOL_CONTACT_APPROACH].num = lossy ? hol_approach_of(v[HOL_RULE_RESTITUTION].num) : 0;
    out[HOL_CONTACT_DAMPING].num = v[HOL_RULE_DAMPING].given ? v[HOL_RULE_DAMPING].num : 0;
    out[HOL_CONTACT_RAMP].num = v[HOL_RULE_FULL].given ? v[HOL_RULE_FULL].num : 1;
}

void hol_contact_tell_rule(const hol_spec_contact *rule, hol_value *out)
{
    out[HOL_CONTACT_SLOWEST].num = rule->value[HOL_RULE_SLOWEST].num;
    tell_law(rule->value, out);
    tell_friction(rule->friction, out);
}

// By what its depth may not be exceeded.
static double deepest_of(const found *f, int dimension)
{
    const hol_value *v = f->rule->value;
    if (v[HOL_RULE_DEEPEST].given) return v[HOL_RULE_DEEPEST].num;
    double R[2];
    radii_of(f, dimension, R);
    return R[1] > 0 ? 0.5 * fmin(R[0], R[1]) : HOL_INF;
}

double hol_contact_point(const hol_spec_contact *rule)
{
    static const double place[] = {[HOL_RULE_MIDDLE] = 0.5, [HOL_RULE_FIRST] = 0, [HOL_RULE_SECOND] = 1};
    return place[(int)rule->value[HOL_RULE_POINT].num];
}

// Where between the shapes the forces act, from the ball to the other: between materials as far as each gives way.
static double place_of(const hol_compiler *c, const found *f)
{
    const hol_value *v = f->rule->value;
    const double other = hol_contact_compliance(c, f->shape[0]), own = hol_contact_compliance(c, f->shape[1]),
                 part = own / (own + other);
    const bool said = v[HOL_RULE_POINT].given || v[HOL_RULE_STIFFNESS].given || v[HOL_RULE_MODULUS].given;
    return said || isnan(part) ? hol_contact_point(f->rule) : part;
}

// All that it is told; NULL: no memory.
static hol_value *tell(const hol_compiler *c, const found *f, double K)
{
    hol_value *out = hol_arena_alloc(c->spec->draft, HOL_CONTACT_VALUES, sizeof *out);
    const int dimension = c->m->dimension;
    const bool half = f->shape[0]->half;
    double R[2];
    if (!out) return NULL;
    radii_of(f, dimension, R);
    out[HOL_CONTACT_PAIR].num = half ? HOL_CONTACT_HALF_BALL : HOL_CONTACT_BALLS;
    out[HOL_CONTACT_RADIUS].num = R[1];
    out[HOL_CONTACT_RADII].num = R[1] + (half ? 0 : R[0]);
    out[HOL_CONTACT_PLACE].num = place_of(c, f);
    out[HOL_CONTACT_K].num = K;
    out[HOL_CONTACT_DEEPEST].num = deepest_of(f, dimension);
    hol_contact_tell_rule(f->rule, out);
    return out;
}

// ---- ends -------------------------------------------------------------------------------------------------------

// A place of a shape as a marker of its body, or of ground.
static hol_spec_marker *marker_of(const hol_compiler *c, const hol_drawing *d, const double s[3])
{
    hol_spec_marker *k = hol_arena_alloc(c->spec->draft, 1, sizeof *k);
    double com[3] = {0, 0, 0};
    if (!k) return NULL;
    if (d->body >= 0) hol_model_com(c->m, d->body, com);
    for (int i = 0; i < 3; i++) k->position[i] = s[i] + com[i];
    memcpy(k->quat, d->quat, sizeof k->quat);
    k->angle = 2 * atan2(d->quat[3], d->quat[0]);
    return k;
}

// The element between a place on the face or in the middle of one shape and the ball of the other.
static hol_status add_element(hol_compiler *c, const found *f, const char *name, const hol_value *value)
{
    double face[3] = {0, 0, 0}, normal[3];
    if (!hol_contact_face(f->shape[0], c->m->dimension, face, normal)) to_body(f->shape[0], face);
    const ball own = ball_at(f->shape[1], c->m->dimension, f->ball);
    hol_spec_element s = {.name = name,
                          .at = f->rule->at,
                          .name_at = f->rule->name_at,
                          .type = &hol_force_contact,
                          .value = value,
                          .n_ends = 2};
    s.end[0] = (hol_spec_end){f->at[0], f->body[0], NULL, marker_of(c, f->shape[0], face)};
    s.end[1] = (hol_spec_end){f->at[1], f->body[1], NULL, marker_of(c, f->shape[1], own.s)};
    return s.end[0].local && s.end[1].local ? hol_add_element(c, &s) : HOL_ERR_MEMORY;
}

// ---- events, memory, states -------------------------------------------------------------------------------------

typedef struct {
    hol_maker made;
    const found *f;
    hol_element *e;
    const hol_value *told;
    const char *depth, *rate; // texts
    bool notes_speed;         // of the approach
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

static void name_observed(contact *k, const char *name, int which)
{
    hol_leaf l = {.kind = HOL_LEAF_REACTION,
                  .index = (int)(k->e - k->made.c->m->element),
                  .component = HOL_LEAF_OBSERVED + which,
                  .n_bodies = k->e->n_bodies,
                  .ny = k->e->ny};
    memcpy(l.body, k->e->body, sizeof l.body);
    hol_make_leaf(&k->made, name, &l);
}

// The names "g", which grows with the gap, and "v", its rate.
static void name_gap(contact *k)
{
    const bool half = k->f->shape[0]->half, plane = k->made.c->m->dimension == 2;
    name_measure(k, "g", !half ? "DM" : plane ? "DY" : "DZ", half);
    name_measure(k, "w", !half ? "VR" : plane ? "VY" : "VZ", half);
}

// The speed that the damping goes by before an onset: none is lost then, since attempts of steps go in before the event is found. What
// touches as drawn does not meet.
static double first_speed(const contact *k)
{
    const double gap = hol_made_drawn(&k->made, 0) - k->told[HOL_CONTACT_RADII].num;
    return gap <= TOUCH ? fmax(-hol_made_drawn(&k->made, 1), k->f->rule->value[HOL_RULE_SLOWEST].num)
                        : HOL_MADE_NEVER;
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
        list[i].is_state = true;
        list[i].index = first + i;
        st = hol_make_expression(&k->made, "0", &list[i].value);
    }
    return st;
}

// The onset, the end, and where what lies is hit so hard that the damping would be far too large.          (23.8)
static hol_status make_events(contact *k, int first_state, int n_states)
{
    const double radii = k->told[HOL_CONTACT_RADII].num;
    hol_event *e = hol_make_event(&k->made, "onset", HOL_MADE_TEXT(&k->made, "(%.17g)-g", radii));
    hol_status st = e ? set(k, e, "1", k->notes_speed, first_state, n_states) : HOL_ERR_MEMORY;
    if (!st) e->touch = true;
    if (!st && !(e = hol_make_event(&k->made, "end", HOL_MADE_TEXT(&k->made, "g-(%.17g)", radii))))
        st = HOL_ERR_MEMORY;
    if (!st) st = set(k, e, "-1", false, 0, 0);
    if (!st) e->touch = true;
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
    *b = (hol_bristle){.unit = "N", .unit_of_stretch = "m"};
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
    hol_status st = hol_make_bristle(&k->made, b, largest(k, "v^2"));
    const int first = k->made.c->m->n_equations;
    if (!st) st = hol_make_equation(&k->made, "T", NULL, NULL, "-f*" HOL_BRISTLE_PULL);
    return st ? st : hol_make_inputs(k->made.c, k->e, first, 1);
}

// In space the bristle is a vector of the plane that is touched, (23.9), in its axes. Below half of the limit nothing gives way, so that the
// lengths that are divided by may be at least that.
static hol_status stick_in_space(contact *k, const hol_bristle *b)
{
    hol_maker *m = &k->made;
    const double s = b->stiffness, d = b->damping;
    name_observed(k, "vx", HOL_CONTACT_SLIP);
    name_observed(k, "vy", HOL_CONTACT_SLIP_2);
    name_observed(k, "om", HOL_CONTACT_SPIN);
    hol_status st = hol_make_equation(
        m, "f", "limit", "N", HOL_MADE_TEXT(m, "max(%s,%.17g)", largest(k, "(vx^2+vy^2)"), 1e-9 * b->size));
    const hol_leaf x = {.kind = HOL_LEAF_STATE, .index = m->c->m->n_states},
                   y = {.kind = HOL_LEAF_STATE, .index = m->c->m->n_states + 1};
    hol_make_leaf(m, "x", &x);
    hol_make_leaf(m, "y", &y);
    if (!st)
        st = hol_make_equation(m, "r", NULL, NULL,
                               HOL_MADE_TEXT(m, "sqrt(max(x^2+y^2,(0.5*f/(%.17g))^2))", s));
    if (!st)
        st = hol_make_equation(
            m, "u", NULL, NULL,
            HOL_MADE_TEXT(
                m, "(step5(%.17g*r/f,0.7,0,1.3,1)*max(vx*x+vy*y,0)/r+1000*max(r-1.3*f/(%.17g),0))/r", s, s));
    if (!st) st = hol_make_state(m, "bristle_x", "m", "dx", 0, b->size / s, "vx-u*x-0.5*om*y");
    if (!st) st = hol_make_state(m, "bristle_y", "m", "dy", 0, b->size / s, "vy-u*y+0.5*om*x");
    if (!st) st = hol_make_equation(m, "bx", NULL, NULL, HOL_MADE_TEXT(m, "(%.17g*x+%.17g*dx)/f", s, d));
    if (!st) st = hol_make_equation(m, "by", NULL, NULL, HOL_MADE_TEXT(m, "(%.17g*y+%.17g*dy)/f", s, d));
    if (!st) st = hol_make_equation(m, "a", NULL, NULL, "sqrt(max(bx^2+by^2,0.25))");
    if (!st) st = hol_make_equation(m, "s", NULL, NULL, "min(max((a-0.7)/0.6,0),1)");
    if (!st) st = hol_make_equation(m, "p", NULL, NULL, "f*(min(a,1.3)-0.6*s^3*(2.5*s-3*s^2+s^3))/a");
    const int first = m->c->m->n_equations;
    if (!st) st = hol_make_equation(m, "Tx", NULL, NULL, "-p*bx");
    if (!st) st = hol_make_equation(m, "Ty", NULL, NULL, "-p*by");
    return st ? st : hol_make_inputs(m->c, k->e, first, 2);
}

// The bristle of a contact, whose pull is the element's input.
static hol_status stick(contact *k)
{
    hol_bristle b;
    const bool plane = k->made.c->m->dimension == 2;
    if (!plane && !k->f->shape[0]->half)
        return hol_fail_at(
            k->made.c->m->ctx, HOL_ERR_MODEL, k->made.at,
            "%s.friction: in space two spheres cannot stick to each other yet; give `law: tanh` and a "
            "\"transition\"",
            k->made.path);
    hol_status st = find_bristle(k, &b);
    if (!st) name_observed(k, "F", HOL_CONTACT_F);
    return st ? st : plane ? stick_in_plane(k, &b) : stick_in_space(k, &b);
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
    double K = 0;
    const int index = c->m->n_elements;
    hol_status st = HOL_OK;
    for (int i = 0; i < 2 && !st; i++)
        st = hol_contact_check_turns(c, f->rule, f->shape[i]->body, f->body[i]);
    if (!st) st = find_stiffness(c, f, &K);
    const hol_value *told = st ? NULL : tell(c, f, K);
    if (!st) st = told ? add_element(c, f, name, told) : HOL_ERR_MEMORY;
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
    if (!st) st = hol_make_held(&k.made, "c", "speed", first_speed(&k), &speed);
    if (!st && told[HOL_CONTACT_RUBS].num == HOL_CONTACT_STICK) st = stick(&k);
    return st ? st : make_events(&k, states, c->m->n_states - states);
}

hol_status hol_contact_all_joined(const hol_compiler *c, const hol_spec_contact *rule)
{
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, rule->at,
                       "%s: joints connect all the bodies that could touch, which do not then; "
                       "`joined: yes` lets them",
                       rule->path);
}

// Those of a rule, the n from `first` on, whose bodies no joint connects.
static hol_status add_rule(hol_compiler *c, const found *first, int n)
{
    const hol_spec_contact *rule = first->rule;
    const bool joined = rule->value[HOL_RULE_JOINED].num > 0;
    const int before = c->m->n_elements;
    hol_status st = HOL_OK;
    for (int i = 0; i < n && !st; i++) {
        const char *name = n == 1 ? rule->name : hol_arena_print(c->spec->arena, "%s.%d", rule->name, i + 1);
        if (!name) return HOL_ERR_MEMORY;
        if (joined || !are_joined(c->m, first[i].shape[0]->body, first[i].shape[1]->body))
            st = add_contact(c, &first[i], name);
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
    return st ? st : hol_join_swarms(c);
}
