// The norm of local errors: the one place where methods learn what an error is. docs/theory.md, section 5.5.
//
// What moves together is a group: the translation and the rotation of a body (of a joint in joint coordinates), a user's state.
// The error is that of the worst group, so that bodies at rest do not dilute it. `errors: paper` takes means over coordinates
// instead: then there are no groups.
#ifndef HOL_NORM_H
#define HOL_NORM_H

#include "system/equations.h"

// What the error test looks at: the option `errors` of every method.
typedef enum {
    HOL_ERRORS_BODIES,    // groups: positions, and velocities as far as they are not those of stiff forces
    HOL_ERRORS_POSITIONS, // groups: no velocities
    HOL_ERRORS_ALL,       // groups: all velocities
    HOL_ERRORS_PAPER      // means over the coordinates, the tolerance being that of a step
} hol_errors;

// Entries at .. at + count - 1 of the positions, the rates or the states.
typedef struct hol_group {
    int at, count, island;
    bool turns;    // rotation of a body
    double factor; // from the length of the entries to what is judged: 2 for Euler parameters, else 1
    double size;   // of which the tolerance is a part [m], [rad], or of a state; of rates by the pace
    double span;   // natural size of a rate by the pace: the same but for tolerances of its own kind
} hol_group;

// Bodies that joints, forces or expressions connect, ground not counted.
typedef struct hol_island {
    bool held;     // joints or forces act on its bodies
    double length; // [m]
    double
        stiff; // frequency of vibrations of stiff forces, whose velocities are not followed [rad/s]; 0: none
    double pace;   // how fast it moves by its own size, or turns, in the step looked at [1/s]
    double share;  // what an error of that step counts: more than 1 where something else keeps steps short
    double least;  // part of the length below which positions are not known
    double swing;  // largest acceleration of late, by natural size [1/s^2]
    double turn;   // and how fast it turned [1/s^3]
    bool resolved; // no step since the start was longer than a radian of its vibrations
    double push;   // the largest natural force of its contacts [N]
    bool follows;  // these have energy that the tolerance does not give away
} hol_island;

// An entry that a depth changes with: by its derivative, which hol_norm_weighted wants over the weight.
typedef struct hol_share {
    int at;
    double by, weighs;
} hol_share;

// The depth of a contact that lasts, far smaller than the bodies: it has a natural size of its own. (5.12f)
typedef struct hol_depth {
    int island, n, n_rates;
    double size, speed;         // natural, of the depth [m] and of its rate [m/s]
    hol_share *position, *rate; // (n), (n_rates)
} hol_depth;

typedef struct hol_groups {
    int n_positions, n_rates, n_states, n_islands, n_depths;
    int room[2];           // depths, and entries of each
    unsigned long version; // of the depths
    int *island_of;        // each body                                                    (n_bodies)
    hol_group *position, *rate, *state;
    hol_island *island;
    hol_depth *depth;
    double slowest; // 1/time_scale [1/s]
    double brief;   // steps below this part of 1/W have a share of the tolerance only
    bool skips;     // rates are not tested
} hol_groups;

typedef struct hol_norm {
    int n_q, n; // entries that are positions; all
    // Absolute part of the weight of each, in its unit; NULL: fixed steps.                                  (n)
    const double *size;
    double relative, tolerance;
    hol_groups *groups; // NULL: means
} hol_norm;

// What the tolerance is a part of.
typedef struct hol_admitted {
    double length, angle; // [m], [rad]; 0: of natural size, times `part`
    double part, state;   // of the natural sizes of positions, of users' states
    double forgotten;     // times as much of states whose errors do not add up
    double power;         // by which the length, as a part of the natural size, is yet to be taken
} hol_admitted;
// Islands and groups of (q; v; X) of a model.
hol_status hol_groups_create(hol_context *ctx, const hol_model_data *m, hol_errors errors,
                             const hol_admitted *a, hol_groups **out);
// The same for a vector of other positions and rates, each of which is like a coordinate of the model (n_q + n_u): those like the
// same one are a group.
hol_status hol_groups_create_like(hol_context *ctx, const hol_model_data *m, const hol_groups *g,
                                  const int *like, int n_q, int n_u, hol_groups **out);
void hol_groups_destroy(hol_groups *g);

// Room for so many depths with so many entries, of positions and of rates each; those that are there stay.
hol_status hol_depths_reserve(hol_context *ctx, hol_groups *g, int depths, int entries);
void hol_depths_clear(hol_groups *g);
// One more, without entries; there must be room.
hol_depth *hol_depths_add(hol_groups *g, int island, double size, double speed);

// Error e between `before` and `after`, in units of the tolerance: the worst group; without groups the root mean square of the
// positions' and of the others' part, the larger one. h: the step, where it may be kept short by something else than the error; else
// 0.
double hol_norm_error(const hol_norm *z, double h, const double *e, const double *before,
                      const double *after);
// The same of parts, with groups only. First the pace between (q, v0) and v1.
void hol_norm_pace(const hol_norm *z, double h, const double *q, const double *v0, const double *v1);
// Shares for what stiffness does to an error e of the rates that every formula of a method has in common, (9.8b), in a step of length
// h: such errors add up over 1/W, or as long as they last, where a step takes `damped` from them; `taken` is what is fast in them, gone
// already. Behind hol_norm_pace, for hol_norm_rates.
void hol_norm_share(const hol_norm *z, double h, const double *e, const double *damped, const double *taken);
// Which islands' vibrations are followed from here: those that all steps since the start have resolved, this one of length h too, and
// whose energy is more than the tolerance T gives away, (5.12d). a0, a1: accelerations at both its ends. Behind hol_norm_pace. h = 0: a start.
void hol_norm_follow(const hol_norm *z, double h, double T, const double *a0, const double *a1);
// x0, x1: displacements admit more than the length where they are longer; NULL: they do not count.
double hol_norm_positions(const hol_norm *z, const double *e, const double *x0, const double *x1);
double hol_norm_rates(const hol_norm *z, const double *e);
// How fast the motion turns into another one [1/s]: of the quickest island, how fast it moves by its own size, or, from rest, how fast
// its accelerations let it begin; of what flies freely its rotation. 0: it rests.
double hol_norm_turning(const hol_norm *z, const double *v, const double *a);
// By how much of its own size the model moves in a second between two velocities, as far as it turns or is held by something [1/s].
double hol_norm_moving(const hol_norm *z, const double *v0, const double *v1);
// Largest group of rates as a part of the speed of the motion, v/(L W). Behind hol_norm_pace.
double hol_norm_speed(const hol_norm *z, const double *v);
double hol_norm_states(const hol_norm *z, const double *e, const double *x0, const double *x1);
// Largest group of a vector of positions by size, not by the tolerance.
double hol_norm_size(const hol_norm *z, const double *x);
// What rounding leaves of positions in that norm, in units of epsilon.
double hol_norm_roughness(const hol_norm *z, const double *q);

// The same of depths alone, by which the norms above are larger; weighted: behind hol_norm_weights.
double hol_depths_positions(const hol_norm *z, const double *e);
double hol_depths_rates(const hol_norm *z, const double *e);
double hol_depths_size(const hol_norm *z, const double *x);
double hol_depths_roughness(const hol_norm *z, const double *q);
void hol_depths_weigh(const hol_norm *z, const double *weight);
double hol_depths_weighted(const hol_norm *z, const double *e, const double *weight);
// What the tolerance of an island is in this step, and of a part of it that moves so fast [1/s].
double hol_norm_admitted(const hol_norm *z, const hol_island *o, double pace);

// Weights for solvers that take the norm below over `all` entries, of which those behind n do not count, at u + offset (NULL:
// 0).                                                                                          (all)
void hol_norm_weights(const hol_norm *z, const double *u, const double *offset, int all, double *weight);
// The norm of an error with such weights; `all` entries.
double hol_norm_weighted(const hol_norm *z, int all, const double *e, const double *weight);

#endif
