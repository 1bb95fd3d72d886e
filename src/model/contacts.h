// `contacts:` of a model file: rules, each of which becomes a force element for every pair of shapes that may touch (element/contact.h;
// docs/theory.md, section 23).
#ifndef HOL_CONTACTS_H
#define HOL_CONTACTS_H

#include "model/compile.h"

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
    HOL_RULE_JOINED,
    HOL_RULE_EXCEPT,
    HOL_RULE_LOCATE,
    HOL_RULE_ROWS
};
enum { HOL_RULE_HERTZ, HOL_RULE_POWER, HOL_RULE_IMPACT };  // HOL_RULE_LAW
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
enum { HOL_RUB_STICK, HOL_RUB_TANH, HOL_RUB_STEP, HOL_RUB_SQRT }; // HOL_RUB_LAW

// A shape that a word of a rule names.
typedef struct hol_chosen_shape {
    const hol_drawing *shape;
    const char *body; // as the rule calls it
    hol_src at;
    int word;
} hol_chosen_shape;

// How many elements the rules become at most; finds them.
hol_status hol_find_contacts(hol_compiler *c, int *most);
// Mass of both bodies of a contact against each other [kg], and the weight of the lighter one [N].
void hol_contact_loads(const hol_model_data *m, const hol_element *e, const double gravity[3], double *mass,
                       double *weight);
// Adds them behind the other elements.
hol_status hol_add_contacts(hol_compiler *c);

// What compile_swarms.c takes of compile_contacts.c. Is the shape one ball: where in body axes, and its radius? The same of half-spaces, with a
// place on the face and its normal.
bool hol_contact_round(const hol_drawing *d, int dimension, double s[3], double *radius);
bool hol_contact_face(const hol_drawing *d, int dimension, double s[3], double n[3]);
double hol_contact_compliance(const hol_compiler *c, const hol_drawing *d); // NAN: it has no material
// The law and the friction of a rule, in the values that the element is told.
void hol_contact_tell_rule(const hol_spec_contact *rule, hol_value *out);
hol_status hol_contact_check_turns(const hol_compiler *c, const hol_spec_contact *rule, int body,
                                   const char *name);
hol_status hol_contact_not_hard(const hol_compiler *c, const hol_spec_contact *rule, const char *body);
double hol_contact_point(const hol_spec_contact *rule); // as said, or in the middle
hol_status hol_contact_all_joined(const hol_compiler *c, const hol_spec_contact *rule);

// A rule of many pairs (compile_swarms.c); n shapes of its words. What joints connect is left out of it when they are known.
hol_status hol_add_swarm(hol_compiler *c, const hol_spec_contact *rule, int n, const hol_chosen_shape *of,
                         const bool *excepted);
hol_status hol_join_swarms(hol_compiler *c);

#endif
