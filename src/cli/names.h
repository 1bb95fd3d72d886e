// Files named on the command line: none is written twice, none that is read is overwritten.
#ifndef HOL_CLI_NAMES_H
#define HOL_CLI_NAMES_H

#include "cli/cli.h"

// The same name, or another one of the same file. Devices and pipes may be named as often as wanted.
bool cli_same_file(const char *a, const char *b);
// An output must not be a file that the verb reads; `option` names the output. Returns the exit code, after a message to stderr.
int cli_keep_inputs(const cli_options *o, const char *output, const char *option);

#endif
