// What the element of a contact is told by its rule and its shapes: stiffness, law, friction, and what touches. docs/theory.md, section 23.
#include "model/contacts.h"

#include <math.h>
#include <string.h>

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
static hol_status find_modulus(const hol_compiler *c, const hol_contact_found *f, double *E)
{
    const hol_value *given = &f->rule->value[HOL_RULE_MODULUS];
    const double a = hol_contact_compliance(c, f->shape[0]), b = hol_contact_compliance(c, f->shape[1]);
    *E = given->given ? given->num : 1 / (a + b);
    return given->given || !isnan(a + b) ? HOL_OK : hol_contact_not_hard(c, f->rule, f->body[isnan(b)]);
}

// K as given, or of Hertz for the curvatures and the modulus.
static hol_status find_stiffness(const hol_compiler *c, const hol_contact_found *f, double *K)
{
    const hol_value *v = f->rule->value;
    const bool by_modulus = v[HOL_RULE_MODULUS].given, corner = f->m.bend[0] == HOL_INF;
    double E = 0;
    *K = v[HOL_RULE_STIFFNESS].num * f->m.part;
    if (v[HOL_RULE_STIFFNESS].given) return HOL_OK;
    if (corner || isnan(f->m.bend[0]))
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, by_modulus ? v[HOL_RULE_MODULUS].at : f->rule->at,
                           "%s: %s, by which Hertz finds the stiffness; give `stiffness`%s", f->rule->path,
                           corner ? "a corner has no curvature"
                                  : "these shapes have not one curvature everywhere",
                           by_modulus ? " in place of `modulus`" : "");
    const hol_status st = find_modulus(c, f, &E);
    *K = E * hol_hertz_stiffness(f->m.bend[0], f->m.bend[1]) * f->m.part;
    return st;
}

// What the element is told of friction; v NULL: there is none.
static void tell_friction(const hol_value *v, hol_value *out)
{
    static const hol_contact_friction kind[] = {[HOL_RUB_STICK] = HOL_CONTACT_STICK,
                                                [HOL_RUB_TANH] = HOL_CONTACT_TANH,
                                                [HOL_RUB_STEP] = HOL_CONTACT_STEP,
                                                [HOL_RUB_SQRT] = HOL_CONTACT_SQRT,
                                                [HOL_RUB_LUGRE] = HOL_CONTACT_STICK};
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
    out[HOL_CONTACT_APPROACH].num =
        lossy ? hol_contact_approach((int)v[HOL_RULE_LAW].num, v[HOL_RULE_RESTITUTION].num) : 0;
    out[HOL_CONTACT_DAMPING].num = v[HOL_RULE_DAMPING].given ? v[HOL_RULE_DAMPING].num : 0;
    out[HOL_CONTACT_RAMP].num = v[HOL_RULE_FULL].given ? v[HOL_RULE_FULL].num : 1;
}

void hol_contact_tell_rule(const hol_spec_contact *rule, hol_value *out)
{
    out[HOL_CONTACT_SLOWEST].num = rule->value[HOL_RULE_SLOWEST].num;
    tell_law(rule->value, out);
    tell_friction(rule->friction, out);
}

double hol_contact_point(const hol_spec_contact *rule)
{
    static const double place[] = {[HOL_RULE_MIDDLE] = 0.5, [HOL_RULE_FIRST] = 0, [HOL_RULE_SECOND] = 1};
    return place[(int)rule->value[HOL_RULE_POINT].num];
}

// Where between the shapes the forces act, from the ball to the other: between materials as far as each gives way.
static double place_of(const hol_compiler *c, const hol_contact_found *f)
{
    const hol_value *v = f->rule->value;
    const double other = hol_contact_compliance(c, f->shape[0]), own = hol_contact_compliance(c, f->shape[1]),
                 part = own / (own + other);
    const bool said = v[HOL_RULE_POINT].given || v[HOL_RULE_STIFFNESS].given || v[HOL_RULE_MODULUS].given;
    return said || isnan(part) ? hol_contact_point(f->rule) : part;
}

// A copy that lives as long as the model.
static bool tell_outline(const hol_compiler *c, const hol_contact_found *f, hol_value *out)
{
    out->n = f->m.n_outline * c->m->dimension;
    out->list = hol_arena_alloc(c->spec->hot, (size_t)out->n, sizeof *out->list);
    if (out->list) memcpy(out->list, f->m.outline, (size_t)out->n * sizeof *out->list);
    return out->list != NULL;
}

// The profile as numbers, and its table.
static bool tell_curve(const hol_compiler *c, const hol_profile *p, hol_value *out)
{
    const double told[6] = {p->x_unit, p->y_unit, p->from, p->to, p->sign[0], p->sign[1]};
    hol_table *table = hol_arena_alloc(c->spec->hot, 1, sizeof *table);
    out->num = p->polar;
    out->table = table;
    out->list = hol_arena_alloc(c->spec->hot, HOL_COUNT(told), sizeof *out->list);
    if (!table || !out->list) return false;
    table->spline = p->f;
    memcpy(out->list, told, sizeof told);
    return true;
}

// NULL: no memory.
static hol_value *tell(const hol_compiler *c, const hol_contact_found *f, double K)
{
    hol_value *out = hol_arena_alloc(c->spec->draft, HOL_CONTACT_VALUES, sizeof *out);
    const hol_value *deepest = &f->rule->value[HOL_RULE_DEEPEST];
    if (!out) return NULL;
    out[HOL_CONTACT_PAIR].num = f->m.pair;
    out[HOL_CONTACT_RADIUS].num = f->m.radius[1];
    out[HOL_CONTACT_RADII].num = f->m.radius[1] + f->m.radius[0];
    for (int i = 0; i < 3; i++) out[HOL_CONTACT_X + i].num = f->m.size[i];
    out[HOL_CONTACT_REACH].num = f->m.reach;
    out[HOL_CONTACT_CLOSED].num = f->m.closed;
    out[HOL_CONTACT_SOLID].num = f->m.solid;
    out[HOL_CONTACT_ROUND].num = f->m.bend[0] == HOL_INF ? 0
                                 : f->m.radius[0] > 0    ? fmin(f->m.radius[0], f->m.radius[1])
                                                         : f->m.radius[1];
    out[HOL_CONTACT_FINE].num = f->m.fine > 0 ? f->m.fine : f->m.radius[0] + f->m.radius[1];
    if (f->m.profile && !tell_curve(c, f->m.profile, &out[HOL_CONTACT_CURVE])) return NULL;
    if (f->m.part_of[1] > 0) {
        out[HOL_CONTACT_PART].list = hol_arena_alloc(c->spec->draft, HOL_CONTACT_PARTED, sizeof(double));
        if (!out[HOL_CONTACT_PART].list) return NULL;
        memcpy(out[HOL_CONTACT_PART].list, f->m.part_of, sizeof f->m.part_of);
    }
    if (f->m.outline && !tell_outline(c, f, &out[HOL_CONTACT_OUTLINE])) return NULL;
    out[HOL_CONTACT_PLACE].num = place_of(c, f);
    out[HOL_CONTACT_K].num = K;
    out[HOL_CONTACT_DEEPEST].num = deepest->given ? deepest->num : f->m.most;
    hol_contact_tell_rule(f->rule, out);
    out[HOL_CONTACT_ROLLS].num = f->rule->value[HOL_RULE_ROLLING].given;
    out[HOL_CONTACT_SPINS].num = f->rule->value[HOL_RULE_SPINNING].given;
    return out;
}

hol_status hol_contact_tell(const hol_compiler *c, const hol_contact_found *f, const hol_value **out)
{
    double K = 0;
    const hol_status st = find_stiffness(c, f, &K);
    *out = st ? NULL : tell(c, f, K);
    return st || *out ? st : HOL_ERR_MEMORY;
}
