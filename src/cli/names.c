// See names.h.
#include "cli/names.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool same(const struct stat *a, const struct stat *b)
{
    return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool cli_same_file(const char *a, const char *b)
{
    struct stat x, y;
    const bool there = stat(a, &x) == 0;
    if (there && stat(b, &y) == 0) return same(&x, &y);
    return !there && strcmp(a, b) == 0;
}

static bool is_input(const char *input, const char *output)
{
    struct stat x, y;
    if (!input || stat(output, &x) != 0) return false;
    return (strcmp(input, "-") == 0 ? fstat(0, &y) : stat(input, &y)) == 0 && same(&x, &y);
}

int cli_keep_inputs(const cli_options *o, const char *output, const char *option)
{
    bool read = is_input(o->model, output) || is_input(o->other, output) || is_input(o->model_file, output);
    for (int i = 0; i < o->n_more; i++) read = read || is_input(o->more[i], output);
    // a checkpoint may take the place of the one that the run starts from, which is read before
    if (strcmp(option, "--checkpoint") != 0) read = read || is_input(o->restart, output);
    if (!read) return 0;
    fprintf(stderr, "holonom: error: %s is read and would be overwritten: give another name with %s\n",
            output, option);
    return 2;
}
