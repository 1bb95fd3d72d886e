// Rules of contacts with very many pairs: their balls and half-spaces, and who may touch whom. docs/theory.md, section 23.7.
#include "model/contacts.h"
#include "model/swarm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static hol_status refuse_shape(const hol_compiler *c, const hol_spec_contact *rule, const hol_chosen_shape *k)
{
    return hol_fail_at(
        c->m->ctx, HOL_ERR_MODEL, k->at,
        "%s: these are more than %.0f pairs (`locate`), among which there may be spheres, in 2D discs, "
        "and half-spaces of ground; \"%s\" has another shape; name fewer bodies in a rule, or name "
        "their shapes: body.shape",
        rule->path, rule->value[HOL_RULE_LOCATE].num, k->body);
}

// One shape, of a word.
static hol_status take_shape(hol_compiler *c, const hol_spec_contact *rule, const hol_chosen_shape *k,
                             hol_swarm_shape *out)
{
    const int dimension = c->m->dimension;
    *out = (hol_swarm_shape){.body = k->shape->body,
                             .word = k->word,
                             .radius = HOL_INF,
                             .compliance = hol_contact_compliance(c, k->shape)};
    const bool half = hol_shape_face(k->shape, dimension, out->s, out->n) && out->body < 0,
               hard = rule->value[HOL_RULE_STIFFNESS].given || rule->value[HOL_RULE_MODULUS].given;
    if (!half && !hol_shape_ball(k->shape, dimension, out->s, &out->radius)) return refuse_shape(c, rule, k);
    if (!hard && isnan(out->compliance)) return hol_contact_not_hard(c, rule, k->body);
    return hol_contact_check_turns(c, rule, out->body, k->body);
}

// Shapes that several words name are one; balls stand before half-spaces.
static hol_status take_shapes(hol_compiler *c, const hol_spec_contact *rule, int n,
                              const hol_chosen_shape *of, hol_swarm_rule *r)
{
    const hol_spec *spec = c->spec;
    int *place = hol_arena_alloc(spec->draft, (size_t)spec->n_shapes + 1, sizeof *place);
    hol_swarm_shape *shape = hol_arena_alloc(spec->arena, (size_t)n, sizeof *shape);
    if (!place || !shape) return HOL_ERR_MEMORY;
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < n; i++) {
            int *at = &place[of[i].shape - spec->shape]; // 1 + its index
            if (of[i].shape->half != half) continue;
            if (*at) shape[*at - 1].many = shape[*at - 1].many || shape[*at - 1].word != of[i].word;
            if (*at) continue;
            const hol_status st = take_shape(c, rule, &of[i], &shape[r->n]);
            if (st) return st;
            *at = ++r->n;
        }
        if (!half) r->n_balls = r->n;
    }
    r->shape = shape;
    return HOL_OK;
}

static hol_status refuse(const hol_compiler *c, const hol_spec_contact *rule, const char *key,
                         const char *none, const char *way)
{
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, rule->at,
                       "%s.%s: these are more than %.0f pairs (`locate`), %s; %s", rule->path, key,
                       rule->value[HOL_RULE_LOCATE].num, none, way);
}

// What needs an element.
static hol_status check_rule(const hol_compiler *c, const hol_spec_contact *rule)
{
    static const char tanh[] = "give `law: tanh` and a \"transition\"",
                      fewer[] = "leave this away, name fewer bodies in a rule, or raise `locate`",
                      points[] = "give fewer `points`, name fewer bodies in a rule, or raise `locate`";
    const hol_value *v = rule->value;
    const int rubs = rule->friction ? (int)rule->friction[HOL_RUB_LAW].num : HOL_RUB_TANH;
    if (rubs == HOL_RUB_STICK) return refuse(c, rule, "friction", "which have no bristles that stick", tanh);
    if (rubs == HOL_RUB_LUGRE) return refuse(c, rule, "friction", "which have no bristles of lugre", tanh);
    if (v[HOL_RULE_ROLLING].given) return refuse(c, rule, "rolling", "which do not resist rolling", fewer);
    if (v[HOL_RULE_SPINNING].given) return refuse(c, rule, "spinning", "which do not resist spinning", fewer);
    if (v[HOL_RULE_LAW].num == HOL_RULE_FOUNDATION)
        return refuse(c, rule, "law", "which are no foundation", points);
    if (v[HOL_RULE_POINTS].given) return refuse(c, rule, "points", "which are of spheres", points);
    return HOL_OK;
}

hol_status hol_add_swarm(hol_compiler *c, const hol_spec_contact *rule, int n, const hol_chosen_shape *of,
                         const bool *excepted)
{
    const hol_value *v = rule->value;
    const size_t bodies = (size_t)c->m->n_bodies + 1;
    hol_value told[HOL_CONTACT_VALUES] = {{0}};
    hol_swarm_rule r = {.name = rule->name, .path = rule->path, .at = rule->at};
    r.K = v[HOL_RULE_STIFFNESS].given ? v[HOL_RULE_STIFFNESS].num : (double)NAN;
    r.modulus = v[HOL_RULE_MODULUS].given ? v[HOL_RULE_MODULUS].num : (double)NAN;
    const bool by_materials = !v[HOL_RULE_POINT].given && isnan(r.K) && isnan(r.modulus);
    r.place = by_materials ? (double)NAN : hol_contact_point(rule);
    r.deepest = v[HOL_RULE_DEEPEST].given ? v[HOL_RULE_DEEPEST].num : (double)NAN;
    const hol_status unfit = check_rule(c, rule);
    if (unfit) return unfit;
    hol_contact_tell_rule(rule, told);
    hol_contact_take(told, c->m->dimension, &r.law);
    bool *kept = hol_arena_alloc(c->spec->arena, bodies, sizeof *kept);
    if (!kept || !HOL_ARENA_GROW(c->spec->arena, c->m->swarm, c->m->n_swarms)) return HOL_ERR_MEMORY;
    memcpy(kept, excepted, bodies * sizeof *kept);
    r.excepted = kept;
    const hol_status st = take_shapes(c, rule, n, of, &r);
    if (!st) c->m->swarm[c->m->n_swarms++] = r;
    return st;
}

// ---- who may touch whom -----------------------------------------------------------------------------------------

static int compare(const void *a, const void *b)
{
    const int *p = a, *q = b, d = (p[0] > q[0]) - (p[0] < q[0]);
    return d ? d : (p[1] > q[1]) - (p[1] < q[1]);
}

static void in_order(int a, int b, int pair[2])
{
    pair[0] = a < b ? a : b;
    pair[1] = a < b ? b : a;
}

bool hol_swarm_may_touch(const hol_swarm_rule *r, int a, int b)
{
    const hol_swarm_shape *p = &r->shape[a], *q = &r->shape[b];
    int pair[2];
    if (p->body == q->body || (p->word == q->word && !p->many && !q->many)) return false;
    if (r->excepted[p->body + 1] && r->excepted[q->body + 1]) return false;
    in_order(p->body, q->body, pair);
    return !r->n_joined || !bsearch(pair, r->joined, (size_t)r->n_joined, sizeof *r->joined, compare);
}

bool hol_swarm_is_empty(const hol_swarm_rule *r)
{
    for (int i = 0; i < r->n_balls; i++)
        for (int k = i + 1; k < r->n; k++)
            if (hol_swarm_may_touch(r, i, k)) return false;
    return true;
}

// All pairs of bodies that a joint connects.
static hol_status list_joined(const hol_compiler *c, int (**out)[2], int *n)
{
    const hol_model_data *m = c->m;
    *out = hol_arena_alloc(c->spec->arena, (size_t)m->n_elements + 1, sizeof **out);
    if (!*out) return HOL_ERR_MEMORY;
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (e->type->role == HOL_ROLE_JOINT && e->n_ends == 2)
            in_order(e->end[0].body, e->end[1].body, (*out)[(*n)++]);
    }
    if (*n) qsort(*out, (size_t)*n, sizeof **out, compare);
    return HOL_OK;
}

hol_status hol_join_swarms(hol_compiler *c)
{
    int(*joined)[2] = NULL, n = 0;
    hol_status st = c->m->n_swarms ? list_joined(c, &joined, &n) : HOL_OK;
    for (int i = 0, k = 0; i < c->spec->n_contacts && k < c->m->n_swarms && !st; i++) {
        const hol_spec_contact *rule = &c->spec->contact[i];
        hol_swarm_rule *r = &c->m->swarm[k];
        if (rule->name != r->name) continue;
        k++;
        if (rule->value[HOL_RULE_JOINED].num > 0) continue;
        r->joined = (const int(*)[2])joined;
        r->n_joined = n;
        if (hol_swarm_is_empty(r)) st = hol_contact_all_joined(c, rule);
    }
    return st;
}

// ---- two shapes -------------------------------------------------------------------------------------------------

hol_contact hol_swarm_law(const hol_swarm_rule *r, int a, int b)
{
    const hol_swarm_shape *p = &r->shape[a], *q = &r->shape[b];
    const double E = isnan(r->modulus) ? 1 / (p->compliance + q->compliance) : r->modulus;
    hol_contact c = r->law;
    c.radius = p->radius;
    c.radii = p->radius + (isfinite(q->radius) ? q->radius : 0);
    c.K = isnan(r->K) ? 4.0 / 3 * E * sqrt(1 / (1 / p->radius + 1 / q->radius)) : r->K;
    c.place = isnan(r->place) ? p->compliance / (p->compliance + q->compliance) : r->place;
    c.round = fmin(p->radius, q->radius);
    c.deepest = isnan(r->deepest) ? 0.5 * c.round : r->deepest;
    return c;
}

bool hol_swarm_first(const hol_swarm_rule *r, hol_swarm_pair *out)
{
    for (int i = 0; i < r->n_balls; i++)
        for (int k = i + 1; k < r->n; k++) {
            if (!hol_swarm_may_touch(r, i, k)) continue;
            out->law = hol_swarm_law(r, i, k);
            out->end[0] = (hol_end){.body = r->shape[k].body};
            out->end[1] = (hol_end){.body = r->shape[i].body};
            out->is = (hol_element){.name = r->name, .data = &out->law, .end = out->end};
            return true;
        }
    return false;
}

const char *hol_swarm_name(const hol_model_data *m, const hol_swarm_shape *shape)
{
    return shape->body < 0 ? "ground" : m->body[shape->body].name;
}
