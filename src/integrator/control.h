// Step size control shared by the methods: from an error estimate to the next step. docs/theory.md, section 5.5.
#ifndef HOL_CONTROL_H
#define HOL_CONTROL_H

#include "base/base.h"
#include "base/archive.h"
#include "base/option.h"

// fac, facmin, facmax: safety factor of the next step, and by what it may shrink or grow at once.
typedef struct hol_control {
    double fac, facmin, facmax;
} hol_control;

extern const hol_control hol_control_usual; // 0.9, 0.2, 5

// They as option rows of the methods whose authors name them, in this order.
#define HOL_CONTROL_OPTIONS                                                                                  \
    {"fac",                                                                                                  \
     HOL_NUMBER,                                                                                             \
     "",                                                                                                     \
     0.9,                                                                                                    \
     0.1,                                                                                                    \
     1,                                                                                                      \
     0,                                                                                                      \
     NULL,                                                                                                   \
     "error control: safety factor, the part taken of the step that would just meet the tolerance"},         \
        {"facmin", HOL_NUMBER, "",                                                                           \
         0.2,      0.01,       0.9,                                                                          \
         0,        NULL,       "error control: a step is at least this part of the one before"},             \
    {                                                                                                        \
        "facmax", HOL_NUMBER, "", 5, 1.2, HOL_INF, 0, NULL,                                                  \
            "error control: a step is at most so many times the one before"                                  \
    }

// The values of those rows.
hol_control hol_control_read(const hol_value *option);

// h_new/h for an error of `ratio` times the tolerance when the error is proportional to h^power.
//   grow: false after a rejected or failed step. Within the dead band 1 .. 1.2 the step is kept, which saves matrices.
double hol_control_factor(const hol_control *c, double ratio, double power, bool grow);

// The same without a dead band: for methods that make a new matrix at every step anyway.
double hol_control_factor_plain(const hol_control *c, double ratio, double power, bool grow);

// The step to try from t: at most wanted and h_max, ending exactly at t_stop, without a tiny step before it.
double hol_control_step(double t, double wanted, double h_max, double t_stop, hol_limit *limit);

// The longest step of late, which steps at a jump are measured with.
typedef struct hol_recent {
    double longest, until; // and the time up to which it is of late
} hol_recent;

void hol_recent_accept(hol_recent *r, double t, double h);
void hol_recent_archive(hol_recent *r, hol_archive *a);

// Where the motion is not smooth for the steps that are tried, an error estimate that is made of two is not that of its order. (9.13b)
typedef struct hol_rough {
    double until; // the time up to which it is not; -infinite: it is
    double from, failed,
        length;      // the last rejected attempt: its start, error and length; from -infinite: there is none
    double error, h; // of the last accepted step, that of a smooth motion; h 0: there is none
} hol_rough;

void hol_rough_restart(hol_rough *r);
// An attempt from t over h: its error as it counts there, and by the estimate that has this order where the motion is smooth. true: it passes for smooth by
// chance, and is to be judged as one that is not.
bool hol_rough_note(hol_rough *r, double order, double t, double h, double smooth, double error);
void hol_rough_archive(hol_rough *r, hol_archive *a);

#endif
