// Functions of time of a model: forces, prescribed motions, variables, rates of states and events, as far as an expression or a part
// of it depends on the time alone. What they do is found before the run (expr/features.h): steps end where one jumps, and are short
// where one does something short. docs/theory.md, section 8.8.
#ifndef HOL_LOADS_H
#define HOL_LOADS_H

#include "expr/features.h"
#include "system/chain.h"
#include "system/equations.h"

typedef enum hol_load_kind {
    HOL_LOAD_FORCE,
    HOL_LOAD_MOTION,     // of a driver, or of a marker of ground
    HOL_LOAD_CONSTRAINT, // given by an expression
    HOL_LOAD_RATE,
    HOL_LOAD_VARIABLE,
    HOL_LOAD_EVENT
} hol_load_kind;

typedef struct hol_load {
    hol_timed timed; // first
    struct hol_loads *all;
    hol_load_kind kind;
    const char *name;
    hol_src at; // in the file
    const hol_expr *part, *whole;
    int n_leaves;
    const hol_leaf *leaf; // of `whole`
    int equation;         // of a variable; -1: it is none
    int level;    // derivatives by which a force follows: 0 of a force, 2 of a position, 1 of a velocity
    bool is_term; // it jumps by as much as the whole, but for a constant factor
    bool angle;   // a motion in radians
    hol_features found;
} hol_load;

#define HOL_STOP_SHARP 1e-13 // of a time: stops that are not wider are a few roundings

// A time at which a step ends, and the one at which the next one begins.
typedef struct hol_stop_time {
    double before, after;
    bool anew; // the forces jump, or their slope does: the method starts anew
} hol_stop_time;

typedef struct hol_loads {
    hol_context *ctx;
    const hol_model_data *m;
    hol_arena *arena;
    char *timed;     // is it a function of time?                                             (n_equations)
    char *kind;      // what it gives, a hol_load_kind                                        (n_equations)
    char *taken;     // is it taken by what moves?                                            (n_equations)
    hol_chain chain; // unknowns that an expression takes
    const hol_expr *chain_of; // the one whose they are; NULL: none
    // What was found of the unknowns; behind them of the function that is searched.
    hol_enclosure *range; //                                                            (n_equations + 1)
    double (*jet)[4];     //                                                            (n_equations + 1)
    double *held;         // by slot: values of parameters; NaN: another memory                (m->n_mem)
    double from, end;     // what was searched [s]
    double finest;        // 1, or how many times finer than usual
    int n, capacity;      //
    hol_load *load;       //                                                                  (n)
    int n_stops, n_cells, stop_capacity, cell_capacity;
    hol_stop_time *stop; // in order                                                            (n_stops)
    hol_cell *cell;      // in order of their beginning                                         (n_cells)
    int reached;         // cells before it are past
    long stops_passed, cells_passed; // before `from`
    bool doubtful;                   // constraints may jump where parts of theirs do
    double longest; // step that functions which change all the time ask for [s]; infinite: none
    long evaluations;
} hol_loads;

// Those of the model, from 0 to `end`; nothing is searched if that is 0. finest: see hol_features_find.
hol_status hol_loads_create(hol_context *ctx, const hol_model_data *m, double end, double finest,
                            hol_loads *out);
void hol_loads_destroy(hol_loads *l);
// Refuses what no run can pass: poles of forces, motions that jump.
hol_status hol_loads_refuse(const hol_loads *l);
// Searches anew from time t on if an event has changed a parameter that they take.
hol_status hol_loads_update(hol_loads *l, const double *mem, double t);
void hol_loads_archive(hol_loads *l, const double *mem, hol_archive *a);

// The end of the step that begins at t, at most `stop`.
double hol_loads_next(hol_loads *l, double t, double stop);
// The stop time that t has reached and that the method is to pass by a new start; NULL: none.
const hol_stop_time *hol_loads_at(const hol_loads *l, double t);

// How many stop times and cells are past at t, and how many functions were not decided.
void hol_loads_count(const hol_loads *l, double t, long *stops, long *cells, int *undecided);

// Is the jump one of a position or a velocity, which takes an infinite force? So does an acceleration without bound.
bool hol_load_cannot(const hol_load *f, const hol_jump *j);
bool hol_load_is_unbounded(const hol_jump *j);                         // it has no bound on one side
const char *hol_load_what_jumps(const hol_load *f, const hol_jump *j); // of those: "position", ...
// What to write in place of a jump of the function by its value or its slope.
enum { HOL_LOAD_WAY = 300 };
void hol_load_way(const hol_load *f, const hol_jump *j, char text[HOL_LOAD_WAY]);
// In words: "force", "variable", ...
const char *hol_load_word(const hol_load *f);

#endif
