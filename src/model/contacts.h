// `contacts:` of a model file: rules, each of which becomes a force element for every pair of shapes that may touch (element/contact.h;
// docs/theory.md, section 23).
#ifndef HOL_CONTACTS_H
#define HOL_CONTACTS_H

#include "model/compile.h"
#include "model/made.h"

// Rows of a rule.
enum {
    HOL_RULE_NAME,
    HOL_RULE_FOR,
    HOL_RULE_BETWEEN,
    HOL_RULE_LAW,
    HOL_RULE_STIFFNESS,
    HOL_RULE_MODULUS,
    HOL_RULE_EXPONENT,
    HOL_RULE_RESTITUTION,
    HOL_RULE_DAMPING,
    HOL_RULE_FULL,
    HOL_RULE_SLOWEST,
    HOL_RULE_DEEPEST,
    HOL_RULE_POINT,
    HOL_RULE_FRICTION,
    HOL_RULE_ROLLING,
    HOL_RULE_SPINNING,
    HOL_RULE_JOINED,
    HOL_RULE_EXCEPT,
    HOL_RULE_ROWS
};
// HOL_RULE_LAW; from HUNT on those of the literature, which differ in the damping that a restitution is to give.
enum {
    HOL_RULE_HERTZ,
    HOL_RULE_POWER,
    HOL_RULE_IMPACT,
    HOL_RULE_HUNT,
    HOL_RULE_HERBERT,
    HOL_RULE_LANKARANI,
    HOL_RULE_LEE,
    HOL_RULE_GONTHIER,
    HOL_RULE_FLORES,
    HOL_RULE_HU
};
enum { HOL_RULE_MIDDLE, HOL_RULE_FIRST, HOL_RULE_SECOND }; // HOL_RULE_POINT
enum {
    HOL_RUB_COEFFICIENT,
    HOL_RUB_LAW,
    HOL_RUB_TRANSITION,
    HOL_RUB_STATIC,
    HOL_RUB_STRIBECK,
    HOL_RUB_STIFFNESS,
    HOL_RUB_DAMPING,
    HOL_RUB_ROWS
};
enum { HOL_RUB_STICK, HOL_RUB_TANH, HOL_RUB_STEP, HOL_RUB_SQRT, HOL_RUB_LUGRE }; // HOL_RUB_LAW

// x = c v_i of a restitution e by a law of the literature, (23.5a); of others exact, (8.54).
double hol_contact_approach(int law, double e);
// How many elements the rules become at most; finds them.
hol_status hol_find_contacts(hol_compiler *c, int *most);
// Mass of both bodies of a contact against each other [kg], and the weight of the lighter one [N].
void hol_contact_loads(const hol_model_data *m, const hol_element *e, const double gravity[3], double *mass,
                       double *weight);
// A contact that resists rolling and spinning: its rule, the name of the element and its path, whether it is on a half-space in space or in the
// plane, the radius that rolls, and the bristle of its friction.
typedef struct hol_roller {
    hol_compiler *c;
    const hol_spec_contact *rule;
    const char *name;
    hol_element *e;
    double radius;
    hol_bristle bristle;
} hol_roller;
// Its couples, which are inputs of the element behind those that are there.                (23.11)
hol_status hol_add_rolling(const hol_roller *r);
// A name of texts for what is observed of a contact (element/contact.h).
void hol_contact_name_observed(hol_maker *k, const hol_element *e, const char *name, int which);
// Adds them behind the other elements.
hol_status hol_add_contacts(hol_compiler *c);

#endif
