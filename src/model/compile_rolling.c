// Resistance of contacts to rolling and to spinning: couples that are inputs of the contact, smooth or by bristles of angles, whose
// equations are texts. docs/theory.md, (23.9a).
#include "model/contacts.h"

#include "element/contact.h"

#include <math.h>

// One couple, or the two about the tangents.
typedef struct {
    hol_maker made;
    const hol_roller *r;
    double arm;    // its largest value over the normal force [m]
    double lever;  // by which the bristle of the friction becomes one of angles [m]
    double clumsy; // and its damping [m]
    bool tangents; // two components
} couple;

// Smooth: -arm F om/sqrt(w^2 + om^2), w being the transition over the lever.
static hol_status add_smooth(couple *k)
{
    hol_maker *m = &k->made;
    const double w = k->r->rule->friction[HOL_RUB_TRANSITION].num / k->lever;
    const char *size = k->tangents ? "om^2+om2^2" : "om^2";
    hol_status st = hol_make_equation(m, "h", NULL, NULL,
                                      HOL_MADE_TEXT(m, "-(%.17g)*F/sqrt((%.17g)^2+%s)", k->arm, w, size));
    const int first = m->c->m->n_equations;
    if (!st) st = hol_make_equation(m, "M", NULL, NULL, "h*om");
    if (!st && k->tangents) st = hol_make_equation(m, "M2", NULL, NULL, "h*om2");
    return st ? st : hol_make_inputs(m->c, k->r->e, first, k->tangents ? 2 : 1);
}

// The bristle of one component, an angle.
static hol_status add_bristle(couple *k, const hol_bristle *b)
{
    hol_maker *m = &k->made;
    hol_status st = hol_make_bristle(m, b, HOL_MADE_TEXT(m, "(%.17g)*F", k->arm));
    const int first = m->c->m->n_equations;
    if (!st) st = hol_make_equation(m, "M", NULL, NULL, "-" HOL_BRISTLE_PULL);
    return st ? st : hol_make_inputs(m->c, k->r->e, first, 1);
}

// Two components together, as of the friction in space.                                     (23.9)
static hol_status add_bristles(couple *k, const hol_bristle *b)
{
    hol_maker *m = &k->made;
    const hol_status st = hol_make_plane_bristle(m, b, HOL_MADE_TEXT(m, "(%.17g)*F", k->arm), "M", "M2");
    return st ? st : hol_make_inputs(m->c, k->r->e, m->c->m->n_equations - 2, 2);
}

// With the bristle of the friction at a lever.
static hol_status add_stick(couple *k)
{
    const hol_bristle *f = &k->r->bristle;
    const hol_bristle b = {.stiffness = f->stiffness * k->lever * k->lever,
                           .damping = f->damping * k->lever * k->clumsy,
                           .size = f->size / k->r->rule->friction[HOL_RUB_COEFFICIENT].num * k->arm,
                           .unit = "N m",
                           .unit_of_stretch = "rad",
                           .vanishes = f->vanishes,
                           .moves = f->moves};
    return k->tangents ? add_bristles(k, &b) : add_bristle(k, &b);
}

// The couple called "NAME.what" of so much of the normal force.
static hol_status add_couple(const hol_roller *r, const char *what, double arm, double lever, bool rolls)
{
    hol_compiler *c = r->c;
    const bool space = c->m->dimension == 3;
    const char *name = hol_arena_print(c->spec->arena, "%s.%s", r->name, what);
    if (!name) return HOL_ERR_MEMORY;
    couple k = {.made = {.c = c, .at = r->rule->at, .name = name, .path = r->rule->path},
                .r = r,
                .arm = arm,
                .lever = lever,
                .clumsy = r->radius > 0 ? r->radius : lever,
                .tangents = rolls && space};
    const hol_leaf on = {.kind = HOL_LEAF_HELD, .index = r->e->mem + HOL_CONTACT_LASTS};
    hol_make_leaf(&k.made, "on", &on);
    hol_contact_name_observed(&k.made, r->e, "F", HOL_CONTACT_F);
    const bool sticks = r->rule->friction[HOL_RUB_LAW].num == HOL_RUB_STICK;
    const char *first = !sticks ? "om" : k.tangents ? "vx" : "v";
    hol_contact_name_observed(&k.made, r->e, first, rolls ? HOL_CONTACT_ROLL : HOL_CONTACT_SPIN);
    if (k.tangents) hol_contact_name_observed(&k.made, r->e, sticks ? "vy" : "om2", HOL_CONTACT_ROLL_2);
    if (k.tangents) hol_contact_name_observed(&k.made, r->e, "om", HOL_CONTACT_SPIN);
    return sticks ? add_stick(&k) : add_smooth(&k);
}

hol_status hol_add_rolling(const hol_roller *r)
{
    const hol_value *rolling = &r->rule->value[HOL_RULE_ROLLING],
                    *spinning = &r->rule->value[HOL_RULE_SPINNING];
    if (rolling->given && !(r->radius > 0))
        return hol_fail_at(r->c->m->ctx, HOL_ERR_MODEL, rolling->at,
                           "%s.rolling: corners, lines with corners, arcs, curves, and what is not round "
                           "alike on all sides, have no "
                           "radius by which they roll; leave this away",
                           r->rule->path);
    if (r->rule->friction[HOL_RUB_LAW].num == HOL_RUB_LUGRE)
        return hol_fail_at(r->c->m->ctx, HOL_ERR_MODEL, r->rule->at,
                           "%s: lugre is for comparison, and has no resistance to rolling or spinning; take "
                           "`law: stick`, or leave `rolling` and `spinning` away",
                           r->rule->path);
    if (spinning->given && r->c->m->dimension == 2)
        return hol_fail_at(r->c->m->ctx, HOL_ERR_MODEL, spinning->at,
                           "%s.spinning: in the plane nothing turns about the normal of a contact; leave "
                           "this away, or give `rolling`",
                           r->rule->path);
    hol_status st = HOL_OK;
    if (rolling->given) st = add_couple(r, "rolling", rolling->num * r->radius, r->radius, true);
    if (!st && spinning->given) st = add_couple(r, "spinning", spinning->num, spinning->num, false);
    return st;
}
