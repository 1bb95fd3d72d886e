// Which shapes of a swarm are near each other: by a hashed grid of cells, whose edges are powers of two for balls of very different
// reach. The work is linear in what there is, the order that of the shapes, whatever finds them. docs/theory.md, section 23.7.
#ifndef HOL_SWARM_SEARCH_H
#define HOL_SWARM_SEARCH_H

#include "model/swarm.h"

// Two shapes that are near each other, a < b; a is a ball.
typedef struct hol_near {
    int a, b;
    bool touches; // since an accepted state
    double speed; // with which they met then [m/s]
} hol_near;

typedef struct hol_near_list {
    int n, room, rooms; // pairs; capacities of the lists of pairs
    hol_near *pair;     // in ascending order of a, then of b             (n)
    int *first;         // those of ball a: from first[a] to first[a + 1] - 1         (n_balls + 1)
    int *up_first, *up; // those in which ball b is the second one         (n_balls + 1), (n)
} hol_near_list;

typedef struct hol_search {
    hol_context *ctx;
    const hol_swarm_rule *r;
    int dimension;
    int n_buckets;  // a power of two
    int *bucket;    // where its balls begin in `order`                   (n_buckets + 1)
    int *order;     // balls by buckets                                   (n_balls)
    int (*cell)[4]; // of each ball, at its level, and that               (n_balls)
    int n, room;
    int (*found)[2]; // pairs as they are found                            (n)
    long made;       // how often pairs were searched
} hol_search;

hol_status hol_search_create(hol_context *ctx, const hol_swarm_rule *r, int dimension, hol_search *o);
void hol_search_destroy(hol_search *o);
hol_status hol_near_create(hol_context *ctx, const hol_swarm_rule *r, hol_near_list *list);
void hol_near_destroy(hol_near_list *list);
// All pairs that may touch and are nearer than their reach [m], the radius of a ball and what it may move; a ball that is nowhere has none.
// HOL_RECOVERABLE: they are more than `most`. Allocates where they are more than ever before.
hol_status hol_search_near(hol_search *o, const double (*centre)[3], const double *reach, int most,
                           hol_near_list *out);
// What lasts, pairs in the order of lists, touches in this one.
void hol_near_take(const hol_near *lasting, int n, hol_near_list *list);

#endif
