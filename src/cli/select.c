// Columns of a result by name, group, or beginning.
#include "cli/select.h"
#include "base/base.h"

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

// ---- names in the order of their letters ------------------------------------------------------------------------

// So that all that begins alike stands together.
typedef struct {
    const char *name;
    int column;
} named;

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->column - y->column;
}

static int by_column(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static named *sorted_names(const hol_result *r)
{
    named *list = malloc((size_t)r->n_columns * sizeof *list);
    for (int i = 1; list && i < r->n_columns; i++) list[i - 1] = (named){r->name[i], i};
    if (list) qsort(list, (size_t)r->n_columns - 1, sizeof *list, by_name);
    return list;
}

// The first of n names whose first `length` letters are not before those of the word.
static int first_from(const named *list, int n, const char *word, size_t length)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (strncmp(list[middle].name, word, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Columns whose names begin as the first `length` characters of the word do, in the order of the result; of those alone whose
// group is of length `group`, if that is not 0. false: there are none.
static bool add_beginning(const named *list, int n, const char *word, size_t length, size_t group, int *room,
                          cli_selection *s)
{
    int found = 0;
    for (int i = first_from(list, n, word, length); i < n && strncmp(list[i].name, word, length) == 0; i++)
        if (!group || cli_group_length(list[i].name) == group) room[found++] = list[i].column;
    qsort(room, (size_t)found, sizeof *room, by_column);
    for (int k = 0; k < found; k++) add(s, room[k]);
    return found > 0;
}

// A column, a group (crank0: crank0.x, ..., not crank0.tip.x), or, if that is none, all that begins so. `word` has room behind
// its n letters.
static bool add_word(const named *list, int count, char *word, size_t n, int *room, cli_selection *s)
{
    word[n] = 0;
    if (add_beginning(list, count, word, n + 1, 0, room, s)) return true;
    word[n] = '.';
    return add_beginning(list, count, word, n + 1, n, room, s) ||
           add_beginning(list, count, word, n + 1, 0, room, s);
}

// ---- messages -------------------------------------------------------------------------------------------------

// The beginnings of signal names, a few of them, on stderr.
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

// Is the name like that of a joint coordinate or its rate?
static bool is_coordinate(const char *name)
{
    static const char *const heads[] = {"angle", "angle1", "angle2", "stroke", "rate",
                                        "rate1", "rate2",  "speed",  "twist",  "swing"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof heads / sizeof *heads; i++)
        if (strcmp(dot + 1, heads[i]) == 0) return true;
    return false;
}

// The message for a word that fits no signal, with the nearest name or group.
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
    if (best)
        fprintf(stderr, "; did you mean \"%s\"?\n", best);
    else if (is_coordinate(text))
        fprintf(stderr, "; joint coordinates are there where `simulate.signals` asks for them by name or as "
                        "`coordinates`\n");
    else {
        fprintf(stderr, "; there are: ");
        cli_print_groups(r);
    }
    free(groups);
    free(names);
    return 2;
}

// ---- selection ------------------------------------------------------------------------------------------------

static int no_memory(void)
{
    fprintf(stderr, "holonom: error: out of memory\n");
    return 1;
}

static size_t without_blanks(const char *text, size_t n)
{
    while (n && text[n - 1] == ' ') n--;
    return n;
}

typedef struct {
    named *list; // (n)
    int n, *room;
    char *word;
} finder;

static bool add_piece(const finder *f, const char *text, size_t n, cli_selection *out)
{
    memcpy(f->word, text, n);
    return add_word(f->list, f->n, f->word, n, f->room, out);
}

// What stands between two commas: a name, in which there may be blanks, else several with blanks between, the longest first. NULL,
// or the first that is none.
static const char *add_between(const finder *f, const char *text, size_t n, cli_selection *out)
{
    for (const char *p = text, *end = text + n; p < end;) {
        p += strspn(p, " ");
        size_t k = p < end ? without_blanks(p, (size_t)(end - p)) : 0;
        while (k && !add_piece(f, p, k, out)) {
            while (k && p[k - 1] != ' ') k--;
            k = without_blanks(p, k);
        }
        if (!k && p < end) return p;
        p += k;
    }
    return NULL;
}

// A word that is no signal: where names have blanks, all that stands between the commas.
static int refuse(const hol_result *r, const char *text, size_t n, const char *wrong)
{
    for (int i = 1; i < r->n_columns; i++)
        if (strchr(r->name[i], ' ')) {
            const size_t skipped = strspn(text, " ");
            return unknown(r, text + skipped, without_blanks(text + skipped, n - skipped));
        }
    return unknown(r, wrong, strcspn(wrong, ", "));
}

// Every word of the list: names, groups, or beginnings of names.
static int add_words(const hol_result *r, const char *signals, cli_selection *out)
{
    finder f = {sorted_names(r), r->n_columns - 1, malloc((size_t)r->n_columns * sizeof *f.room),
                malloc(strlen(signals) + 2)};
    int code = f.list && f.room && f.word ? 0 : no_memory();
    for (const char *p = signals; !code && *p; p += *p == ',') {
        const size_t n = strcspn(p, ",");
        const char *wrong = add_between(&f, p, n, out);
        if (wrong) code = refuse(r, p, n, wrong);
        p += n;
    }
    free(f.list);
    free(f.room);
    free(f.word);
    return code;
}

// Leaves out columns that are named as one before them, and have its values.
static int leave_twins(hol_context *ctx, const hol_result *r, cli_selection *s)
{
    named *list = sorted_names(r);
    int code = list ? 0 : no_memory(), kept = 0;
    for (int i = 1, first = 0; !code && i < r->n_columns - 1; i++) {
        const int column = list[i].column;
        if (strcmp(list[i].name, list[first].name) != 0)
            first = i;
        else if (s->chosen[column] && hol_result_check_twins(ctx, r, list[first].column, column))
            code = cli_fail(ctx, hol_context_status(ctx));
        else
            s->chosen[column] = false;
    }
    for (int k = 0; !code && k < s->n; k++)
        if (s->chosen[s->column[k]]) s->column[kept++] = s->column[k];
    if (!code) s->n = kept;
    free(list);
    return code;
}

// Columns that the words name, in their order; without words all.
int cli_select(hol_context *ctx, const hol_result *r, const char *signals, cli_selection *out)
{
    out->n = 0;
    out->column = malloc((size_t)r->n_columns * sizeof *out->column);
    out->chosen = calloc((size_t)r->n_columns, sizeof *out->chosen);
    if (!out->column || !out->chosen) return no_memory();
    for (int i = 1; !signals && i < r->n_columns; i++) add(out, i);
    int code = signals ? add_words(r, signals, out) : 0;
    if (!code) code = leave_twins(ctx, r, out);
    if (code || out->n) return code;
    fprintf(stderr, "holonom: error: --signals %s: no signal is named\n", signals);
    return 2;
}

void cli_selection_free(cli_selection *s)
{
    free(s->column);
    free(s->chosen);
}
