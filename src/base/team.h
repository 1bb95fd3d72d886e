// A team of threads for loops over large models: made once, parked between the jobs.
//
// A job is a number of pieces of work that do not depend on each other. Which thread does which piece is chance, so what is
// computed must not depend on it: pieces follow from the model alone, never from the number of threads, and a sum over pieces
// is taken in their order when all are done.
#ifndef HOL_TEAM_H
#define HOL_TEAM_H

#include "base/base.h"

#include <pthread.h>

// A thread that leaves signals to those of the program; 0, or what pthread_create says.
int hol_thread_start(pthread_t *thread, void *(*function)(void *), void *with);

typedef struct hol_team hol_team; // NULL stands for one thread in all functions
typedef void hol_team_piece(void *with, int piece);
typedef void hol_team_range(void *with, int from, int to); // indices from <= i < to

enum { HOL_TEAM_MOST = 1024 }; // threads

// Processors that this process may use, at least 1.
int hol_team_processors(void);
// threads: the caller's included, 1 to HOL_TEAM_MOST. One thread: *out is NULL. Where the system gives fewer threads than
// asked for the team is smaller, with a warning. HOL_ERR_MEMORY.
hol_status hol_team_create(hol_context *ctx, int threads, hol_team **out);
void hol_team_destroy(hol_team *team);
int hol_team_threads(const hol_team *team);
// CPU time that all threads but the caller have taken so far [s].
double hol_team_seconds(const hol_team *team);

// function(with, piece) for all 0 <= piece < pieces, in any order and by any thread, the caller's among them; all are done
// when it returns. Nothing is allocated. Not to be called from within a piece, nor by two threads at once.
void hol_team_run(hol_team *team, int pieces, hol_team_piece *function, void *with);
// The same for the indices 0 <= i < n in ranges of HOL_TEAM_RANGE; without a team all of them in one, so that the function must
// not sum over its range.
enum { HOL_TEAM_RANGE = 1024 };
void hol_team_each(hol_team *team, int n, hol_team_range *function, void *with);
// The same for sums: parts of the indices that depend on n alone, one up to HOL_TEAM_PART of them. What the function finds it
// keeps by the number of its part, and the caller adds up from part 0 on. Returns the number of parts, at least 1.
enum { HOL_TEAM_PART = 8192, HOL_TEAM_PARTS = 256 };
typedef void hol_team_part(void *with, int part, int from, int to);
int hol_team_parts(hol_team *team, int n, hol_team_part *function, void *with);
// Largest |x_i|/size_i, or |x_i - before_i|/size_i; NaN where one of them is.
double hol_team_largest(hol_team *team, int n, const double *x, const double *before, const double *size);

#endif
