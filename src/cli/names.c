// Files named on the command line: before anything runs it is made sure that none is written twice and none that is
// read, or that standard output goes to, is overwritten.
#include "cli/names.h"
#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool cli_same_file(const char *a, const char *b) { return hol_same_place(a, b); }

static bool goes_to(int descriptor, const char *output)
{
    struct stat x, y;
    if (strcmp(output, "-") == 0) output = "/dev/stdout";
    return stat(output, &x) == 0 && S_ISREG(x.st_mode) && fstat(descriptor, &y) == 0 &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool is_input(const char *input, const char *output)
{
    if (!input) return false;
    return strcmp(input, "-") == 0 ? goes_to(0, output) : hol_same_place(input, output);
}

// Is the output one of the files that are read, or where a stream goes? Exit code, after a message.
int cli_keep_inputs(const cli_options *o, const char *output, const char *option)
{
    bool read = is_input(o->model, output) || is_input(o->other, output) || is_input(o->model_file, output) ||
                is_input(o->minus, output);
    for (int i = 0; i < o->n_more; i++) read = read || is_input(o->more[i], output);
    // a checkpoint may take the place of the one that the run starts from, which is read before
    if (strcmp(option, "--checkpoint") != 0) read = read || is_input(o->restart, output);
    const char *stream = goes_to(1, output) && !o->quiet ? "output" : goes_to(2, output) ? "error" : NULL;
    if (read)
        fprintf(stderr, "holonom: error: %s is read and would be overwritten: give another name with %s\n",
                output, option);
    else if (stream)
        fprintf(stderr, "holonom: error: %s is where standard %s goes, too: give another name with %s%s\n",
                output, stream, option, strcmp(stream, "output") == 0 ? ", or print nothing (-q)" : "");
    return read || stream ? 2 : 0;
}

typedef struct {
    const char *option, *path;
} output;

enum { MOST_OUTPUTS = CLI_MAX_OUT + 9 };

// Every file that the options name for writing; returns how many.
static int list_outputs(const cli_options *o, output list[MOST_OUTPUTS])
{
    const output others[] = {
        {"--report", o->report},   {"--stats", o->stats}, {"--checkpoint", o->checkpoint},
        {"--graph", o->graph},     {"--pose", o->pose},   {"--feedforward", o->feedforward},
        {"--animate", o->animate}, {"--svg", o->svg},     {"--contacts", o->contacts}};
    int n = 0;
    for (int i = 0; i < o->n_out; i++) list[n++] = (output){"--out", o->out[i]};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].path) list[n++] = others[i];
    return n;
}

// No output is an input, and no two are one file.
int cli_check_outputs(const cli_options *o)
{
    output list[MOST_OUTPUTS];
    const int n = list_outputs(o, list);
    for (int i = 0; i < n; i++) {
        const output *a = &list[i];
        const int code = cli_keep_inputs(o, a->path, a->option);
        if (code) return code;
        for (int k = 0; k < i; k++) {
            if (!hol_same_place(list[k].path, a->path)) continue;
            fprintf(stderr, "holonom: error: %s is named twice: by %s and %s\n", a->path, list[k].option,
                    a->option);
            return 2;
        }
    }
    return 0;
}

int cli_keep_model(hol_context *ctx, const cli_options *o, const hol_model *model)
{
    output list[MOST_OUTPUTS];
    const int n = list_outputs(o, list);
    for (int i = 0; i < n; i++)
        if (hol_model_keep(ctx, model, list[i].path)) return cli_fail(ctx, HOL_ERR_USAGE);
    return 0;
}

int cli_split(const char *list, char text[CLI_LIST_TEXT], const char *item[CLI_LIST_MOST])
{
    int n = 0;
    if (strlen(list) >= CLI_LIST_TEXT) return -1;
    strcpy(text, list);
    for (char *word = text, *next; word; word = next) {
        next = strchr(word, ',');
        if (next) *next++ = 0;
        if (n == CLI_LIST_MOST) return -1;
        item[n++] = word;
    }
    return n;
}

int cli_not_written(const char *path, const char *why)
{
    fprintf(stderr, "holonom: error: %s: cannot be written: %s\n", path, why);
    return 1;
}
