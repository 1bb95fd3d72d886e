// What the program makes of texts of its own: equations, states, numbers in the memory and events of laws of joints and of contacts.
#ifndef HOL_MADE_H
#define HOL_MADE_H

#include "model/compile.h"

#define HOL_MADE_TEXT(k, ...)                                                                                \
    hol_arena_print((k)->c->spec->arena, __VA_ARGS__) // NULL: no memory, which those who take it tell

enum { HOL_MADE_NAMES = 32 };

// Whose they are, and what the names in the texts stand for.
typedef struct hol_maker {
    hol_compiler *c;
    hol_src at;
    const char *name, *path; // "hinge.motor", "joints.hinge.motor"
    bool turned;             // what has the direction of the coordinate is shown with the other sign
    int n_names;
    struct {
        const char *name;
        hol_leaf leaf;
    } known[HOL_MADE_NAMES];
    int n_used; // of the expression that is read
    int used[HOL_MADE_NAMES];
} hol_maker;

void hol_make_leaf(hol_maker *k, const char *name, const hol_leaf *leaf);
// The name that was given as the which-th, from 0 on, at the drawn pose.
double hol_made_drawn(const hol_maker *k, int which);
// The expression of `text` in an equation that is there.
hol_status hol_make_expression(hol_maker *k, const char *text, hol_equation *e);
// An equation z = text, whose unknown texts call `name`; column: its name as a signal behind the maker's, NULL: it has none.
hol_status hol_make_equation(hol_maker *k, const char *name, const char *column, const char *unit,
                             const char *text);
// The state that hol_make_state makes next, whose name the expressions before it use.
void hol_make_state_name(hol_maker *k, const char *name);
// A state that has been named, and its rate, an unknown.
hol_status hol_make_state(hol_maker *k, const char *column, const char *unit, const char *rate,
                          double initial, double size, const char *text);
// A number in the memory that this event sets: the speed of an approach.
hol_status hol_make_held(hol_maker *k, const char *name, const char *event, double initial, int *slot);
// What the pose and the velocities of a start set: a state, or a number in the memory; whether runs alone do.
hol_status hol_make_start(hol_maker *k, bool is_state, int index, bool in_runs, const char *text);
// An event where `when` rises through 0; NULL: an error.
hol_event *hol_make_event(hol_maker *k, const char *name, const char *when);
// The unknowns from `first` on are n inputs of an element, behind those that it has.
hol_status hol_make_inputs(const hol_compiler *c, hol_element *e, int first, int n);

// x of x - ln(1 + x) = -e x - ln(1 - e x), for 0 < e <= 1                                  (8.54)
double hol_approach_of(double e);

typedef struct hol_bristle {
    double stiffness, damping, size, initial; // size: of the limit; initial: of the stretch
    const char *unit, *unit_of_stretch;
    bool vanishes;     // its limit may come to nothing while it slides
    const char *moves; // text of a factor that its rate has, 0 while nothing touches; NULL: it always moves
} hol_bristle;
// The bristle of contact mechanics in one coordinate (8.56): a spring x that gives way where it would pull more than the friction f,
// which is `largest`. It slides with v, a name that is there. What it pulls with, against v, is HOL_BRISTLE_PULL.
hol_status hol_make_bristle(hol_maker *k, const hol_bristle *b, const char *largest);
// The bristle of LuGre, which gives way at every load, x' = v - |v| k x/f, as an input of a contact whose normal force F is a name that is there.
hol_status hol_make_lugre(hol_maker *k, const hol_bristle *b, const char *largest, hol_element *e);
// The same of a vector in a plane, (23.9), which slides with (vx, vy) and turns with om, names that are there; the components of its pull are
// the last two unknowns, by these names.
hol_status hol_make_plane_bristle(hol_maker *m, const hol_bristle *b, const char *largest, const char *pull,
                                  const char *pull2);
#define HOL_BRISTLE_PULL "p*bx"

#endif
