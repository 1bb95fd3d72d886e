// An executor of holonom_compare.h with a process of its own for each run: one that dies, hangs or wants too much memory leaves the
// others alone.
#ifndef CLI_POOL_H
#define CLI_POOL_H

#include "holonom_compare.h"

enum { CLI_MOST_AT_ONCE = 64 };

typedef struct cli_process {
    hol_job *job; // NULL: nobody uses this one
    int id, input;
    char *data; // what it has handed in so far
    size_t n, room;
} cli_process;

typedef struct cli_pool {
    hol_executor executor;
    hol_context *ctx;
    const hol_model *model;
    double memory; // address space that a run may take [B]
    cli_process process[CLI_MOST_AT_ONCE];
} cli_pool;

// For one thread, which has no others. The pool does not move afterwards.
void cli_pool_make(cli_pool *pool, hol_context *ctx, const hol_model *model, double memory);

#endif
