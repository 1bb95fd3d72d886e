// Which constraint rows are independent: the one owner of rank and redundancy.
//
// Joints of a spanning forest are independent by construction, so only loops are examined: the joint graph is split
// into biconnected components and each is treated alone, by column-pivoted QR of the row-scaled Phi_q^T in the
// coordinates (velocity, angular velocity). The rank is the largest one over the consistent pose and a few nearby
// admissible ones; the independent subset is then frozen (off the manifold redundant rows look independent).
// docs/theory.md, section 4.3.
#ifndef HOL_RANK_H
#define HOL_RANK_H

#include "system/graph.h"
#include "system/kernel.h"

enum { HOL_RANK_MAX_ROWS = 2000 }; // larger components are not factored densely; they are regularised instead

typedef struct hol_rank {
    char *active;    // 1: row takes part                                        (m->nc)
    int independent; // number of active rows, normalisations included
    int n_redundant;
    char *tree;            // 1: row that is not left out if another can be; NULL: any may be  (m->nc)
    int components;        // loops and groups of loops
    int large_components;  // those above HOL_RANK_MAX_ROWS: rank not computed
    bool momentary;        // the given pose has a smaller rank than its neighbours: a singular pose
    int nearly;            // rows that would be redundant but for their last digits, in all poses looked at
    double nearly_by;      // the largest pivot of those of the first such loop, of its first one
    int nearly_row;        // one of them, of the model
    char nearly_loop[200]; // the joints of that loop
} hol_rank;

// full: a system with all rows active. x: its consistent state (q and t are read).
hol_status hol_rank_find(hol_context *ctx, hol_kernel *full, const hol_state *x, hol_rank *out);
void hol_rank_destroy(hol_rank *r);
// An admissible pose near x: a step along a random admissible velocity, projected. HOL_RECOVERABLE: none was found.
hol_status hol_rank_nearby(hol_kernel *full, const hol_state *x, hol_random *r, hol_state *out);
// x and up to most - 1 such poses into pose (most); *n are made, 0 or 1 of them before, the caller's to destroy; in them the loops that are too large
// to be examined are open. full: all rows active. x: of any system of the model; q, X and memory are read.
hol_status hol_rank_poses(hol_kernel *full, const hol_graph *g, const hol_state *x, hol_random *r, int most,
                          hol_state *pose, int *n);

// A set of rows that is independent at the start can become dependent on the way while the mechanism itself is not
// singular. The watch looks at the loops with redundant rows from time to time and chooses other rows, as many as before.
// docs/theory.md, end of section 15.9.
typedef struct hol_rank_watch hol_rank_watch;
// NULL with HOL_OK when no row is redundant. eager: rows are changed sooner, for long explicit steps.
hol_status hol_rank_watch_create(hol_context *ctx, const hol_model_data *m, const hol_rank *rank, bool eager,
                                 hol_rank_watch **out);
void hol_rank_watch_destroy(hol_rank_watch *w);
void hol_rank_watch_archive(hol_rank_watch *w, hol_archive *a);
// To be called at accepted points. True when active (m->nc) was changed. Nothing is allocated. independence: what the method's
// own matrix shows of it, (15.16); rows are looked at where that is small; 0: not known. due: they have become weaker since the last look,
// and all loops are looked at.
bool hol_rank_watch_check(hol_rank_watch *w, const hol_state *x, double independence, bool due, char *active);
bool hol_rank_watch_is_seldom(
    const hol_rank_watch *w); // Does it pass over accepted points, for the size of a loop?
long hol_rank_watch_looks(const hol_rank_watch *w); // matrices of loops made so far

#endif
