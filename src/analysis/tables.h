// Tables of a model that are left: asked for beyond their ends, where they go on by an assumption. docs/theory.md, section 8.
#ifndef HOL_TABLES_H
#define HOL_TABLES_H

#define HOL_BEYOND_SAYS "say below its name how it goes on: `beyond: line` or `beyond: hold`"

#include "system/equations.h"

// Where a table is used, and how far it has been left.
typedef struct hol_table_watch {
    hol_equation argument;
    const struct hol_spline *table;
    double first,
        farthest; // time at which it was found beyond the ends, < 0: it was not [s]; what it was asked for
} hol_table_watch;
typedef struct hol_tables {
    hol_arena *arena;
    int n;
    hol_table_watch *list; // (n)
} hol_tables;

// Of expressions that depend on more than the time, and whose tables do not say how they go on. HOL_ERR_MEMORY.
hol_status hol_tables_create(hol_context *ctx, const hol_model_data *m, hol_tables *out);
void hol_tables_destroy(hol_tables *t);
// At a state with its unknowns: of a row of results.
void hol_tables_look(hol_tables *t, const hol_equations *s, const hol_state *x);
// Those that were left, as warnings.
void hol_tables_tell(hol_context *ctx, const hol_tables *t);

// How far x lies beyond the ends of a table; 0: it does not.
double hol_table_beyond(const struct hol_spline *table, double x);

#endif
