// What the programs of this folder share: the problems, the frame of a program, its line of output.
//
//     PROGRAM PROBLEM[:SIZE] SETTING ROUNDS
//
// prints "cpu error drift steps rhs": least CPU seconds of the integration alone of so many rounds, largest error against
// references.h, largest energy drift [J], steps and evaluations of the equations of motion. Problems named .../rhs: cpu is
// that of one evaluation, the other numbers are 0; heap/contact: cpu is that of one contact in one step. "failed: WHY" where there is no result, "unknown" where the program does
// not have the problem. States are compared in a run of their own, which is not timed.
#ifndef PEERS_H
#define PEERS_H

#include "references.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PEER_PI 3.14159265358979323846
#define PEER_HEAP_END 0.4 // [s]
enum { PEER_MOST_VALUES = 128 };

typedef struct {
    const char *name;
    double end;             // [s]
    int points, values;     // of comparison, and numbers of each
    const double *expected; // NULL: the same as at the first point                  (points x values)
    int size;
} peer_problem;

typedef struct {
    double seconds;               // of the integration
    double got[PEER_MOST_VALUES]; // where the run is sampled                         (points x values)
    double drift;
    double contacts; // at one time, the mean
    long steps, rhs;
    char failure[200];
} peer_outcome;

// sampled: states at the points go to out->got, their energies to out->drift, else only the end is wanted. False: failed.
typedef bool peer_run(const peer_problem *p, const char *setting, bool sampled, peer_outcome *out);

static inline double peer_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Is another evaluation wanted, after n >= 0 since `begin`? At least so many, and for 0.05 s. The clock takes as long as a small
// evaluation: it is looked at when n is a power of 2.
static inline bool peer_again(int n, int least, double begin)
{
    return n < least || (n & (n - 1)) || peer_now() - begin < 0.05;
}

static inline bool peer_find(const char *name, peer_problem *p)
{
    static const peer_problem list[] = {
        {"parallelograms:2", 10, 1, 2, ref_parallelograms_2, 2},
        {"parallelograms:40", 10, 1, 2, ref_parallelograms_40, 40},
        {"parallelograms:200", 10, 1, 2, ref_parallelograms_200, 200},
        {"bricard", 10, 20, 3, ref_bricard, 0},
        {"andrews", 0.03, 1, 1, ref_andrews, 0},
        {"flyball", 10, 100, 1, ref_flyball, 0},
        {"stiff_pendulum", 2, 40, 1, ref_stiff_pendulum, 0},
        {"chain:100", 1, 1, 3, ref_chain, 100},
        {"chain/rhs", 0, 0, 0, NULL, 0},
        {"control", 1, 1, 2, ref_control, 0},
        {"ladder:10", 0.5, 1, 2, ref_ladder, 10},
        {"ladder/folded:10", 1, 1, 2, ref_ladder_folded, 10},
        {"ladder/rhs", 0, 0, 0, NULL, 0},
        {"ball", 3, 12, 1, ref_ball, 0},
        {"cradle", 0.01, 1, 5, ref_cradle, 5},
        {"block", 100, 50, 1, NULL, 0},
        {"heap:64", PEER_HEAP_END, 1, 1, ref_heap_64, 64},
        {"heap/smooth:64", PEER_HEAP_END, 1, 1, ref_heap_smooth_64, 64},
        {"heap/contact", PEER_HEAP_END, 1, 0, NULL, 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const size_t length = strlen(list[i].name);
        if (strncmp(name, list[i].name, length) != 0) continue;
        *p = list[i];
        if (!name[length]) return true;
        if (name[length] != ':') continue;
        p->size = atoi(name + length + 1);
        return true;
    }
    return false;
}

static inline bool peer_is(const peer_problem *p, const char *family)
{
    return strncmp(p->name, family, strlen(family)) == 0;
}

// ---- heap of N spheres in a lattice that is not quite one, in a box of a floor and four walls: heap.yaml ----------------

#define PEER_HEAP_RADIUS 0.05
#define PEER_HEAP_PITCH 0.11
#define PEER_HEAP_MASS 0.5

static inline int peer_heap_side(const peer_problem *p) { return (int)lround(cbrt(p->size)); }

static inline double peer_heap_width(const peer_problem *p)
{
    return (peer_heap_side(p) + 1) * PEER_HEAP_PITCH;
}

// Centre of sphere s of 0 .. N - 1 at the start.
static inline void peer_heap_place(const peer_problem *p, int s, double at[3])
{
    const int side = peer_heap_side(p), i = s / side / side + 1, j = s / side % side + 1, k = s % side + 1;
    at[0] = i * PEER_HEAP_PITCH + 0.004 * sin(12.9898 * i + 78.233 * j + 37.719 * k);
    at[1] = j * PEER_HEAP_PITCH + 0.004 * sin(26.651 * i + 3.717 * j + 91.37 * k);
    at[2] = (k - 0.4) * PEER_HEAP_PITCH + 0.004 * sin(57.29 * i + 41.11 * j + 9.93 * k);
}

static inline double peer_heap_friction(const peer_problem *p) { return peer_is(p, "heap/smooth") ? 0 : 0.3; }

// Place and inward normal of wall w of 0 .. 4, the first one the floor.
enum { PEER_HEAP_WALLS = 5 };
static inline void peer_heap_wall(const peer_problem *p, int w, double at[3], double normal[3])
{
    static const double inward[PEER_HEAP_WALLS][3] = {
        {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    for (int k = 0; k < 3; k++) {
        normal[k] = inward[w][k];
        at[k] = normal[k] < 0 ? peer_heap_width(p) : 0;
    }
}

// ---------------------------------------------------------------------------------------------------------------------

static inline bool peer_rhs(const peer_problem *p) { return p->end <= 0; }

#define PEER_PERIOD 1e-3 // of the controller [s]
// The force on the cart, by its place and the lean of the pole, and their rates: held for a period.
static inline double peer_push(double x, double lean, double vx, double rate)
{
    return 3.1417 * x + 49.3156 * lean + 5.8776 * vx + 12.7873 * rate;
}

static inline double peer_error(const peer_problem *p, const double *got)
{
    double worst = 0;
    for (int i = 0; i < p->points; i++) {
        double square = 0;
        for (int k = 0; k < p->values; k++) {
            const double want = p->expected ? p->expected[i * p->values + k] : got[k],
                         d = got[i * p->values + k] - want;
            square += d * d;
        }
        if (!(sqrt(square) <= worst)) worst = sqrt(square); // NaN stays
    }
    return worst;
}

static inline void peer_drift(peer_outcome *out, double change)
{
    if (!(fabs(change) <= out->drift)) out->drift = fabs(change);
}

static inline int peer_main(int argc, char **argv, peer_run *run)
{
    peer_problem p;
    static peer_outcome sampled, timed;
    if (argc != 4 || !peer_find(argv[1], &p)) {
        fprintf(stderr, "usage: %s PROBLEM[:SIZE] SETTING ROUNDS\n", argv[0]);
        return 2;
    }
    bool fine = peer_rhs(&p) || run(&p, argv[2], true, &sampled);
    const char *why = sampled.failure;
    double best = HUGE_VAL;
    for (int i = 0; i < atoi(argv[3]) && fine; i++) {
        memset(&timed, 0, sizeof timed);
        fine = run(&p, argv[2], false, &timed);
        why = timed.failure;
        if (timed.seconds < best) best = timed.seconds;
    }
    if (!fine) {
        printf("%s%s\n", strcmp(why, "unknown") == 0 ? "" : "failed: ", why);
        return 0;
    }
    if (peer_is(&p, "heap/contact")) best /= (double)timed.steps * sampled.contacts;
    printf("%.6e %.6e %.6e %ld %ld\n", best, peer_rhs(&p) ? 0 : peer_error(&p, sampled.got), sampled.drift,
           timed.steps, timed.rhs);
    return 0;
}

#endif
