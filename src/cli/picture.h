// Verbs that make a file of a result and the model that was run.
#ifndef HOL_CLI_PICTURE_H
#define HOL_CLI_PICTURE_H

#include "cli/cli.h"

typedef struct cli_picture {
    const char *ending, *what; // ".html", "a report is one page"
    hol_status (*check_name)(hol_context *ctx, const char *path);
    // Returns the exit code, after a message to stderr.
    int (*write)(hol_context *ctx, const cli_options *o, const hol_result *r, const hol_model *m,
                 const char *path);
} cli_picture;

// Writes the file of --out, otherwise RESULT with this ending, and prints its name unless -q is given. Returns the exit code.
int cli_make_picture(hol_context *ctx, const cli_options *o, const cli_picture *p);
// RESULT with another ending, to be freed by the caller; NULL: no memory.
char *cli_name_beside(const char *result, const char *ending);

#endif
