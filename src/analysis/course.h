// What expressions do within the last step of a run: enclosures over parts of it, which leave nothing out. docs/theory.md, section 8.9.
#ifndef HOL_COURSE_H
#define HOL_COURSE_H

#include "expr/enclose.h"
#include "integrator/integrator.h"
#include "system/chain.h"
#include "system/explicit.h"

typedef struct hol_course_leaf { // at one time: value and rate, NaN where that is not known
    double f, d;
} hol_course_leaf;

// Expressions are numbered as the model's equations; those of its events follow.
// How a course goes on behind the last step: near a pole accelerations are those of its last moment.
typedef enum hol_ahead { HOL_WITHIN, HOL_AHEAD, HOL_COASTING } hol_ahead;

typedef struct hol_course_kept {
    hol_state x;
    bool motion; // without accelerations and other unknowns
} hol_course_kept;

typedef struct hol_course {
    hol_integrator *it;
    int n;                 // of equations and events
    hol_explicit follow;   // equations as they follow from each other
    char *implicit;        // those that do not                                              (n_equations)
    char *rough;           // those that take what has no known rate                        (n_equations)
    char *needed;          // what is looked at, and what that takes                         (n)
    int *first;            // leaf of each needed expression among all                       (n)
    int n_leaves;          // of all needed expressions
    int levels;            // times between the ends that are held at once
    bool rates;            // accelerations are needed for rates of leaves
    hol_course_leaf *node; // at the ends of the step, then between           (levels + 2) x (n_leaves)
    hol_enclosure *range;  // of the expressions                                             (n)
    hol_enclosure *leaf;   // of one expression                                              (n_leaves)
    const hol_enclosure **given; //                                                                (n_leaves)
    hol_arena *arena;            // of terms
    hol_chain chain;             // of the term that is prepared: what it takes
    char *used;                  // its leaves                                               (n_leaves)
    const hol_expr *term;        // and itself
    hol_state trial;
    hol_course_kept *kept; // states within the step at which others look, too                (room_kept)
    int n_kept, room_kept;
    bool keeps;
    bool own_marks; // of an expression: what it takes tells its own
    double
        loose; // what leaves of the motion and states are taken to be wrong by, of their natural sizes; 0: hardly anything
    hol_ahead ahead; // times are behind the last step: states are extrapolated
} hol_course;

// Room for what is asked for: then mark it as needed, and prepare. Destroy it after a failure too.
hol_status hol_course_create(hol_integrator *it, hol_course *c);
// levels: times between the ends of the step that are held at once.
hol_status hol_course_prepare(hol_course *c, int levels);
void hol_course_destroy(hol_course *c);
// Room for states within a step, so that what is looked at by many expressions is found once.
hol_status hol_course_keep(hol_course *c);
// From here on states of the last step are kept, none as yet; or no longer.
void hol_course_hold(hol_course *c, bool keeps);
// The state at a time of the last step, until the next one is asked for.
const hol_state *hol_course_state(hol_course *c, double t, bool motion);

const hol_equation *hol_course_expression(const hol_course *c, int k);
// Does the leaf follow from others, and is looked at itself?
bool hol_course_is_explicit(const hol_course *c, const hol_leaf *l);
// Does its value follow from places and velocities, or from memory?
bool hol_course_is_of_motion(const hol_equation *e);
// Marks what the marked equations take.
void hol_course_mark_taken(const hol_course *c, char *mark);
// Leaves at both ends of the last step.
hol_status hol_course_begin(hol_course *c);
// The same at a time of the step, on a level from -2 (its beginning) and -1 (its end) up. The leaves.
const hol_course_leaf *hol_course_at(hol_course *c, double t, int level);
// The same for expression k alone.
const hol_course_leaf *hol_course_at_one(hol_course *c, double t, int level, int k);
const hol_course_leaf *hol_course_node(const hol_course *c, int level);
// By how much what is needed changes within the step, the leaf that changes most, in natural sizes.
double hol_course_change(const hol_course *c);

// An expression, or a part of it that is looked at by itself: leaves of its own, and what it takes at any depth.
typedef struct hol_course_term {
    int equation; // it is a part of this one
    const hol_expr *expr;
    int n_leaves, *leaf;
    int n_taken, *taken; // equations, each behind what it takes itself
    bool
        smooth; // rates of all its leaves are known: those of accelerations, reactions and implicit variables are not, and
    // chords replace their curves, which is no enclosure
} hol_course_term;

// part: a program with the leaves of expression k; NULL: all of it. It lives as long as the course.
hol_status hol_course_take(hol_course *c, int k, const hol_expr *part, hol_course_term *t);
// The term over a part of the step; a, b: leaves at its ends.
const hol_enclosure *hol_course_look(hol_course *c, const hol_course_term *t, double t0, double t1,
                                     const hol_course_leaf *a, const hol_course_leaf *b);
// The largest of the term's speeds and states, over their natural sizes, at the leaves of one time.
double hol_course_pace(const hol_course *c, const hol_course_term *t, const hol_course_leaf *node);
// How wide the enclosure of a smooth term is at a state, where leaves of the motion and states are wrong by that part of their natural sizes.
double hol_course_doubt(hol_course *c, const hol_course_term *t, const hol_state *x, double loose);

#endif
