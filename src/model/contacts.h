// `contacts:` of a model file: rules, each of which becomes a force element for every pair of shapes that may touch (element/contact.h;
// docs/theory.md, section 23).
#ifndef HOL_CONTACTS_H
#define HOL_CONTACTS_H

#include "model/compile.h"
#include "model/contact_shapes.h"
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
    HOL_RULE_POINTS,
    HOL_RULE_FRICTION,
    HOL_RULE_ROLLING,
    HOL_RULE_SPINNING,
    HOL_RULE_JOINED,
    HOL_RULE_EXCEPT,
    HOL_RULE_LOCATE,
    HOL_RULE_ROWS
};
// HOL_RULE_LAW; from HUNT on those of the literature, which differ in the damping that a restitution is to give.
enum {
    HOL_RULE_HERTZ,
    HOL_RULE_POWER,
    HOL_RULE_IMPACT,
    HOL_RULE_FOUNDATION,
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

// A shape that a word of a rule names.
typedef struct hol_chosen_shape {
    const hol_drawing *shape;
    const char *body; // as the rule calls it
    hol_src at;
    int word;
} hol_chosen_shape;

// Why two shapes that a rule names are no contact.
typedef enum hol_contact_left {
    HOL_CONTACT_KEPT,
    HOL_CONTACT_ONE_BODY, // they are shapes of one body, or both of ground
    HOL_CONTACT_EXCEPTED, // both bodies stand under `except`
    HOL_CONTACT_JOINED    // a joint connects their bodies
} hol_contact_left;

// Two shapes that a rule names.
struct hol_contact_row {
    const char *rule, *pair; // "floor", "ball~ground.floor"
    int element, n; // the first of its contacts, one behind the other; left out: the joint or -1, and 0
    hol_contact_left left;
};

// Contacts that are told together: of a rule that makes several, or between two shapes, whichever rules make them. Shapes of one body
// without names count as one.
struct hol_contact_sum {
    const char *name;
    bool of_rule;
    int n, room;
    int *element; //                                                        (n)
};

// x = c v_i of a restitution e by a law of the literature, (23.5a); of others exact, (8.54).
double hol_contact_approach(int law, double e);
// A place at which two shapes may touch.
typedef struct hol_contact_found {
    const hol_spec_contact *rule;
    const hol_drawing *shape[2]; // 0: what is touched
    const char *body[2];         // as the rule calls them
    hol_src at[2];
    hol_meeting m;
} hol_contact_found;
// All that its element is told (contact_told.c).
hol_status hol_contact_tell(const hol_compiler *c, const hol_contact_found *f, const hol_value **out);

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
// Its couples, which are inputs of the element behind those that are there.                (23.9a)
hol_status hol_add_rolling(const hol_roller *r);
// The rate of its bristles has this factor: 0 in flight, by its memory, which its events alone change. It has the name "on".
#define HOL_CONTACT_MOVES "1+min(on,0)"
// A name of texts for what is observed of a contact (element/contact.h).
void hol_contact_name_observed(hol_maker *k, const hol_element *e, const char *name, int which);
// Adds them behind the other elements.
hol_status hol_add_contacts(hol_compiler *c);

// What was looked at (contact_pairs.c): a row more, of two shapes of which the second is round, and n elements from `element` on. Those
// that are left out have a row each, up to a number of them.
hol_status hol_contact_note(hol_compiler *c, const hol_spec_contact *rule, const hol_drawing *const shape[2],
                            int element, int n, hol_contact_left left);
// The sums, from the rows. An error where another thing has the name of one.
hol_status hol_sum_contacts(hol_compiler *c);
// "ball~ground.floor" of a contact.
const char *hol_contact_pair_name(const hol_model_data *m, int element);

// What compile_swarms.c takes of compile_contacts.c and contact_told.c.
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
