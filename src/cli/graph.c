// holonom check --graph FILE: the topology, drawn by Graphviz.
#include "cli/graph.h"
#include "base/file.h"
#include "cli/names.h"
#include "cli/pipe.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 3000 };

static const char *suffix_of(const char *path)
{
    static const char *const kinds[] = {"svg", "png", "pdf", "dot"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < 4; i++)
        if (strcmp(dot + 1, kinds[i]) == 0) return kinds[i];
    return NULL;
}

static int error(const char *path, const char *text)
{
    fprintf(stderr, "holonom: error: --graph %s: %s\n", path, text);
    return 2;
}

int cli_graph_refuse(const char *path)
{
    return suffix_of(path) ? 0 : error(path, "graphs are written as .svg, .png, .pdf or .dot");
}

static void write_text(FILE *f, void *text) { fputs(text, f); }

static int save(hol_context *ctx, const char *text, const char *path)
{
    hol_output o;
    const bool written = hol_output_open(ctx, &o, path, HOL_OUTPUT_WHOLE) && fputs(text, o.file) >= 0;
    return hol_output_close(&o, written) ? 0 : cli_not_written(path, o.why);
}

// Writes the graph as .dot, or has it drawn by Graphviz; exit code 7 where it is too large to be drawn.
int cli_graph(hol_context *ctx, const hol_model *model, int bodies, const char *path)
{
    const char *kind = suffix_of(path);
    char flag[8], *text = NULL;
    size_t size;
    if (strcmp(kind, "dot") != 0 && bodies > MOST_BODIES) {
        fprintf(stderr,
                "holonom: error: --graph %s: the model has %d bodies, the most that is drawn is %d; make it "
                "smaller "
                "with --set, or write a .dot file and draw that\n",
                path, bodies, MOST_BODIES);
        return 7;
    }
    FILE *memory = open_memstream(&text, &size);
    if (!memory) return cli_fail(ctx, HOL_ERR_MEMORY);
    const hol_status st = hol_graph_print(ctx, model, cli_print, memory);
    const bool whole = fclose(memory) == 0;
    snprintf(flag, sizeof flag, "-T%s", kind);
    char program[] = "dot";
    char *const argv[] = {program, flag, NULL};
    const cli_drawer drawer = {argv, "graphs", "graphviz", write_text, text};
    const int code = st || !whole               ? cli_fail(ctx, st ? st : HOL_ERR_MEMORY)
                     : strcmp(kind, "dot") == 0 ? save(ctx, text, path)
                                                : cli_draw(ctx, &drawer, path);
    free(text);
    return code;
}
