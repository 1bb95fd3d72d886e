// Columns of a result chosen by --signals.
#ifndef HOL_CLI_SELECT_H
#define HOL_CLI_SELECT_H

#include "cli/cli.h"

typedef struct cli_selection {
    int n;
    int *column;  // of the result, each once, as they were named       (n)
    bool *chosen; // each column of the result: is it among them?       (n_columns)
} cli_selection;

// signals: names and groups separated by commas; NULL: all. Columns of one name are chosen once, and refused where their values differ.
// Returns the exit code, after a message to stderr.
int cli_select(hol_context *ctx, const hol_result *r, const char *signals, cli_selection *out);
void cli_selection_free(cli_selection *s);
// To stderr, for messages: "crank0, crank0.tip, energy".
void cli_print_groups(const hol_result *r);
// Length of the group in a column's name: crank0.tip.x belongs to crank0.tip.
size_t cli_group_length(const char *name);

#endif
