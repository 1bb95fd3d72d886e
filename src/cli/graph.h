// holonom check --graph FILE.
#ifndef CLI_GRAPH_H
#define CLI_GRAPH_H

#include "cli/cli.h"

// Exit codes, 0: none. The first looks at the name only.
int cli_graph_refuse(const char *path);
int cli_graph(hol_context *ctx, const hol_model *model, int bodies, const char *path);

#endif
