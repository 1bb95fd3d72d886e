// Columns of a result by name, group, or beginning.
#include "cli/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Each column once.
static void add(cli_selection *s, int column)
{
    if (s->chosen[column]) return;
    s->chosen[column] = true;
    s->column[s->n++] = column;
}

size_t cli_group_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : 0;
}

static bool in_group(const char *name, const char *word, size_t n)
{
    return strncmp(name, word, n) == 0 && name[n] == '.';
}

// A column, a group (crank0: crank0.x, ..., not crank0.tip.x), or, if that is none, all that begins so.
static bool add_word(const hol_result *r, const char *word, size_t n, cli_selection *s)
{
    bool found = false;
    for (int pass = 0; pass < 3 && !found; pass++)
        for (int i = 1; i < r->n_columns; i++) {
            const char *name = r->name[i];
            const bool fits = pass == 0   ? strlen(name) == n && memcmp(name, word, n) == 0
                              : pass == 1 ? in_group(name, word, n) && cli_group_length(name) == n
                                          : in_group(name, word, n);
            if (fits) add(s, i);
            found = found || fits;
        }
    return found;
}

void cli_print_groups(const hol_result *r)
{
    enum { MOST = 24 };
    int groups = 0;
    const char *last = "";
    for (int i = 1; i < r->n_columns; i++) {
        const size_t n = cli_group_length(r->name[i]);
        if (n && strncmp(last, r->name[i], n + 1) == 0) continue;
        last = r->name[i];
        if (groups++ < MOST) fprintf(stderr, "%s%.*s", groups > 1 ? ", " : "", n ? (int)n : 200, r->name[i]);
    }
    if (groups > MOST) fprintf(stderr, " and %d more", groups - MOST);
    fprintf(stderr, "\n");
}

static int unknown(const hol_result *r, const char *word, size_t n)
{
    enum { ROOM = 64 };
    const char **names = malloc(2 * (size_t)r->n_columns * sizeof *names);
    char *groups = malloc((size_t)r->n_columns * ROOM), text[200];
    int count = 0;
    snprintf(text, sizeof text, "%.*s", (int)(n < 199 ? n : 199), word);
    for (int i = 1; names && groups && i < r->n_columns; i++) {
        const size_t g = cli_group_length(r->name[i]);
        names[count++] = r->name[i];
        if (!g || g >= ROOM) continue;
        snprintf(groups + ROOM * (size_t)i, ROOM, "%.*s", (int)g, r->name[i]);
        names[count++] = groups + ROOM * (size_t)i;
    }
    const char *best = count ? hol_suggest(text, names, count) : NULL;
    fprintf(stderr, "holonom: error: %s has no signal \"%s\"", r->file, text);
    fprintf(stderr, best ? "; did you mean \"%s\"?\n" : "; there are: ", best);
    if (!best) cli_print_groups(r);
    free(groups);
    free(names);
    return 2;
}

int cli_select(const hol_result *r, const char *signals, cli_selection *out)
{
    out->n = 0;
    out->column = malloc((size_t)r->n_columns * sizeof *out->column);
    out->chosen = calloc((size_t)r->n_columns, sizeof *out->chosen);
    if (!out->column || !out->chosen) {
        fprintf(stderr, "holonom: error: out of memory\n");
        return 1;
    }
    for (int i = 1; !signals && i < r->n_columns; i++) add(out, i);
    for (const char *p = signals; p && *p;) {
        p += strspn(p, ", ");
        const size_t n = strcspn(p, ", ");
        if (n && !add_word(r, p, n, out)) return unknown(r, p, n);
        p += n;
    }
    if (out->n) return 0;
    fprintf(stderr, "holonom: error: --signals %s: no signal is named\n", signals);
    return 2;
}

void cli_selection_free(cli_selection *s)
{
    free(s->column);
    free(s->chosen);
}
