// A result file (CSV) in memory, for the verbs that show results.
#ifndef HOL_CLI_RESULT_H
#define HOL_CLI_RESULT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_result {
    const char *file;
    char *title;         // from the first comment line; NULL: none
    int n_columns;       // the first one is the time
    char **name, **unit; // unit "" for pure numbers                       (n_columns)
    size_t n_rows;
    double *value; //                                                (n_rows x n_columns)
} cli_result;

// file: "-" is standard input. false: a message went to stderr.
bool cli_result_read(const char *file, cli_result *out);
void cli_result_free(cli_result *r);

#endif
