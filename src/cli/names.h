// Files named on the command line: none is written twice, none that is read is overwritten.
#ifndef HOL_CLI_NAMES_H
#define HOL_CLI_NAMES_H

#include "cli/cli.h"

// The same name, or another one of the same file, be it there or not. Devices and pipes may be named as often as wanted.
bool cli_same_file(const char *a, const char *b);
// Before anything is read: no output of the verb is another one, nor a file named on the command line that is read, nor where
// standard output or error go (but for -q, which prints nothing). Returns the exit code, after a message to stderr.
int cli_check_outputs(const cli_options *o);
// The same of one output that is not given by an option: the name that is taken without -o.
int cli_keep_inputs(const cli_options *o, const char *output, const char *option);
// When the model is there: no output is a file that it was made of.
int cli_keep_model(hol_context *ctx, const cli_options *o, const hol_model *model);
// "PATH: cannot be written: WHY"; returns 1.
int cli_not_written(const char *path, const char *why);

enum { CLI_LIST_TEXT = 4000, CLI_LIST_MOST = 50 };
// Cuts a list at its commas into pointers to text; how many, -1: too many, or too long a text.
int cli_split(const char *list, char text[CLI_LIST_TEXT], const char *item[CLI_LIST_MOST]);

#endif
