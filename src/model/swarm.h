// A rule of `contacts:` with so many pairs that they are no elements of the model: a swarm of balls and the half-spaces they
// meet, of which those that are near each other are found on the way (system/swarm.h). docs/theory.md, section 23.7.
#ifndef HOL_MODEL_SWARM_H
#define HOL_MODEL_SWARM_H

#include "element/contact_parts.h"
#include "model/model.h"

// A ball, or behind all balls a half-space of ground.
typedef struct hol_swarm_shape {
    int body;    // -1: ground
    int word;    // of the rule by which it came
    bool many;   // several words name it
    double s[3]; // centre from the centre of mass in body axes, or a place on the face; on ground global [m]
    double n[3]; // of a half-space: out of its face
    double radius;     // [m]; of a half-space HOL_INF
    double compliance; // of its material [m^2/N]; NAN: it has none
} hol_swarm_shape;

typedef struct hol_swarm_rule {
    const char *name, *path;
    hol_src at;
    hol_contact law; // of all its contacts, but for what follows of both shapes: K, place, deepest
    double K;        // [N/m^n]; NAN: of Hertz
    double modulus;  // [N/m^2]; NAN: of the materials
    double place;    // where between the shapes they act; NAN: by the materials
    double deepest;  // [m]; NAN: half of the smaller radius
    int n_balls, n;  // balls, shapes
    const hol_swarm_shape *shape;
    const bool *excepted;   // by body + 1: those that do not touch each other           (n_bodies + 1)
    int n_joined;           // pairs of bodies that a joint connects, which do not touch, in ascending order
    const int (*joined)[2]; // the smaller index first                                   (n_joined)
} hol_swarm_rule;

// May two of its shapes touch?
bool hol_swarm_may_touch(const hol_swarm_rule *r, int a, int b);
// May no two of them?
bool hol_swarm_is_empty(const hol_swarm_rule *r);
// The law of two of its shapes, a ball and whatever.
hol_contact hol_swarm_law(const hol_swarm_rule *r, int a, int b);
// Two of its shapes as a contact that is an element.
typedef struct hol_swarm_pair {
    hol_contact law;
    hol_end end[2];
    hol_element is;
} hol_swarm_pair;
// The first two that may touch. false: none do.
bool hol_swarm_first(const hol_swarm_rule *r, hol_swarm_pair *out);
// The name of the body of a shape, for messages.
const char *hol_swarm_name(const hol_model_data *m, const hol_swarm_shape *shape);

#endif
