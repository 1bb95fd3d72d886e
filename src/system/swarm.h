// Swarms: contacts of so many pairs that they are no elements of the model. A swarm belongs to equations. It keeps the pairs that are near each
// other, whom it finds anew when a ball has moved by half a skin; the forces do not depend on which these are, only on what overlaps and
// touches, and are summed in the order of the shapes. docs/theory.md, section 23.7.
#ifndef HOL_SWARM_H
#define HOL_SWARM_H

#include "system/equations.h"
#include "system/swarm_search.h"

// A ball at a state.
typedef struct hol_ball {
    double c[3], v[3]; // centre, and its velocity [m], [m/s]
    double om[3];      // angular velocity of the body [rad/s]
    double arm[3];     // from the body's centre of mass [m]
} hol_ball;

// Two shapes at a state.
typedef struct hol_swarm_meeting {
    double gap, rate;  // [m], [m/s]
    double n[3], u[3]; // normal, from the second to the first; slip of the first
    double arm[2];     // from the centres to the point, along -n and n [m]
    double approach;   // speed of the onset, as known [m/s]
    double bend;       // of what has not touched: second rate of the gap at the last accepted state [m/s^2]
    double F, elastic; // [N]
    double damping, rubbing;           // force by rate and by slip [N s/m]
    double f[3], t[3];                 // force on the first one, and n x f
    double lost_damping, lost_rubbing; // powers [W]
    hol_contact law;
} hol_swarm_meeting;

// Force and torque about the centre of mass of a ball's body.
typedef struct hol_swarm_load {
    double f[3], torque[3];
} hol_swarm_load;

// Of all that overlaps.
typedef struct hol_swarm_sum {
    double stored;                     // [J]
    double lost_damping, lost_rubbing; // powers [W]
} hol_swarm_sum;

// What forces behind an accepted state know of it.
typedef struct hol_swarm_memory {
    double t; // of that state [s]
    int n, room;
    hol_near
        *touching; // what touches there, in the order of lists: those of trial steps may leave some out   (n)
    double (*begun)
        [9]; // centre, its velocity and acceleration                                                (n_balls)
} hol_swarm_memory;

typedef struct hol_swarm {
    const hol_swarm_rule *r;
    hol_search search;
    hol_near_list near; // the pairs that are near each other
    hol_swarm_memory memory
        [2];   // of the last accepted state, and of the one before, by which results within the last step go
    int knows; // by which of both `near` goes
    hol_ball *at;  // at the last state                             (n_balls)
    bool placed;   // there is one,
    double *q, *v; // with these coordinates and their rates                                         (nq)
    bool met;      // the pairs there are known, and what they sum up to
    hol_swarm_sum sum;
    hol_swarm_load *load; // there                                         (n_balls)
    hol_swarm_load *pair; // of each pair: force, and n x force            (near.room)
    double (*arm)[2];     //                                               (near.room)
    bool *acts;           //                                               (near.room)
    int room;             // of these
    double (*built)[3];   // centres at which they were found; NAN: they were not       (n_balls)
    double *reach;        // of each ball [m]                              (n_balls)
    bool settled;         // there is an accepted state
} hol_swarm;

typedef struct hol_swarms {
    int n;
    hol_swarm *of;
} hol_swarms;

// NULL: no memory; a model without swarms has none of them.
hol_swarms *hol_swarms_create(hol_context *ctx, const hol_model_data *m);
void hol_swarms_destroy(hol_swarms *w);
// Loads at a state, in w->of[..].load. What touches since an accepted state knows the speed with which it met; of what overlaps for the first
// time that follows from the last accepted state, or from the one before at a state within the last step.
void hol_swarms_load(const hol_equations *s, const hol_state *x);
// out += c Q  (nq)
void hol_swarms_force(const hol_equations *s, const hol_state *x, double c, double *out);
// Sums there, which are found with the loads.
void hol_swarms_measure(const hol_equations *s, const hol_state *x, hol_swarm_sum *out);
// Balls placed in w->at, and the pairs that are near each other there found. false: no memory.
bool hol_swarm_prepare(const hol_equations *s, hol_swarm *w, const hol_state *x);
// The state at t is accepted: what touches in the list does so from here on, whatever list comes next. false: no memory.
bool hol_swarm_keep(hol_swarm *w, double t);
// Nothing is known of any accepted state.
void hol_swarm_forget(hol_swarm *w);
// Balls of one swarm at a state, without anything else; out: not its own.               (n_balls)
void hol_swarm_place(const hol_equations *s, hol_swarm *w, const hol_state *x, hol_ball *out);
// Two of its shapes, of balls placed there. false: they do not overlap, and nothing but gap, rate and normal is found.
bool hol_swarm_meet(const hol_swarm *w, const hol_ball *at, const hol_near *p, hol_swarm_meeting *o);
// Derivatives of the gap of two of its shapes by the coordinates of the body of one, 0 or 1, of balls placed there. How many; ground: 0.   (7)
int hol_swarm_gap_by(const hol_equations *s, const hol_swarm *w, const hol_state *x, const hol_near *p,
                     const hol_swarm_meeting *o, int which, double by[7]);
// The state is accepted: the next steps begin there.
void hol_swarms_begin(const hol_equations *s, const hol_state *x);

#endif
