// Modified Newton iteration of the index-3 family: when to stop, when to give up.
#ifndef HOL_NEWTON_H
#define HOL_NEWTON_H

// State of one iteration; sizes are weighted root mean squares of the corrections da.
typedef struct hol_newton {
    int k;             // corrections made
    double last, rate; // size of the last correction, its ratio to the one before (0: not known yet)
    int growing;       // corrections in a row that did not shrink
} hol_newton;

typedef struct hol_newton_limits {
    double target; // remaining error admitted
    double floor;  // rounding level: a correction below it is convergence
    int max;
} hol_newton_limits;

typedef enum { HOL_NEWTON_GO_ON, HOL_NEWTON_CONVERGED, HOL_NEWTON_FAILED } hol_verdict;

// Takes the size of the correction just made. With xi the rate of convergence (docs/theory.md, 5.3), the error left is at
// most xi/(1 - xi) times the last correction.
hol_verdict hol_newton_judge(hol_newton *n, double size, const hol_newton_limits *limits);

#endif
