// holonom plot RESULT: signals over time, drawn by gnuplot. One panel per unit, one above the other.
//
// gnuplot gets its commands and the data on standard input and writes the picture to standard output, which is the
// file: no name ever passes through a shell.
#include "cli/cli.h"
#include "cli/select.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const cli_option options[] = {
    {"--signals", "-s", "A,B,...", NULL,
     "columns, or groups such as crank0 or energy; default: all of a small file"},
    {"--out", "-o", "FILE", NULL, ".svg, .png or .pdf; default: the result's name with .svg"},
    {"--title", NULL, "TEXT", NULL, "heading; default: the model's title"},
    {"-q", NULL, NULL, NULL, "do not print the name of the picture"},
    {NULL, NULL, NULL, NULL, NULL}};

enum { ALL_UP_TO = 12, MAX_CURVES = 200 };

// ---- which columns --------------------------------------------------------------------------------------------

static int error(const char *format, const char *a, const char *b)
{
    fprintf(stderr, "holonom: error: ");
    fprintf(stderr, format, a, b);
    fprintf(stderr, "\n");
    return 2;
}

static int choose(const hol_result *r, const char *signals, cli_selection *s)
{
    if (!signals && r->n_columns - 1 > ALL_UP_TO) {
        fprintf(stderr, "holonom: error: %s has %d signals; choose with --signals from: ", r->file,
                r->n_columns - 1);
        cli_print_groups(r);
        return 2;
    }
    const int code = cli_select(r, signals, s);
    if (!code && s->n > MAX_CURVES) return error("--signals %s: more than 200 curves%s", signals, "");
    return code;
}

// ---- the picture ----------------------------------------------------------------------------------------------

// Okabe and Ito's colours, which stay apart for colour-blind people and in grey; black and the darkest first.
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#000000", "#E69F00", "#56B4E9"};
enum { N_COLOURS = sizeof colours / sizeof *colours, N_DASHES = 4 };

// [px]
enum {
    WIDTH = 960,
    LEFT = 92,
    LABEL = 18,
    RIGHT = 24,
    BOTTOM = 58,
    GAP = 18,
    KEY_LINE = 19,
    LETTER = 8,
    KEY_SAMPLE = 46
};

typedef struct {
    const hol_result *r;
    cli_selection all;
    int n_panels, panel[MAX_CURVES]; // panel of each curve
    int height[MAX_CURVES], total;   // [px]
    int key;                         // width of the legends [px]
    const char *title;
    FILE *out;
} picture;

// A text for gnuplot: in single quotes nothing but the quote itself has a meaning.
static void quoted(FILE *f, const char *text)
{
    putc('\'', f);
    for (; *text; text++) {
        if (*text == '\'') putc('\'', f);
        putc((unsigned char)*text < 0x20 ? ' ' : *text, f);
    }
    putc('\'', f);
}

static const char *unit_of(const picture *p, int curve) { return p->r->unit[p->all.column[curve]]; }
static const char *name_of(const picture *p, int curve) { return p->r->name[p->all.column[curve]]; }

static int curves_in(const picture *p, int panel)
{
    int n = 0;
    for (int i = 0; i < p->all.n; i++) n += p->panel[i] == panel;
    return n;
}

static void arrange(picture *p)
{
    int longest = 0;
    p->n_panels = 0;
    for (int i = 0; i < p->all.n; i++) {
        int first = 0;
        while (strcmp(unit_of(p, first), unit_of(p, i)) != 0) first++;
        p->panel[i] = first == i ? p->n_panels++ : p->panel[first];
    }
    for (int i = 0; i < p->all.n; i++)
        if (curves_in(p, p->panel[i]) > 1 && (int)strlen(name_of(p, i)) > longest)
            longest = (int)strlen(name_of(p, i));
    p->key = longest ? longest * LETTER + KEY_SAMPLE : 0;
    const int least = p->n_panels == 1 ? 400 : p->n_panels == 2 ? 260 : 190;
    p->total = (*p->title ? 44 : 18) + BOTTOM + (p->n_panels - 1) * GAP;
    for (int k = 0; k < p->n_panels; k++) {
        const int need = curves_in(p, k) * KEY_LINE + 10;
        p->height[k] = need > least ? need : least;
        p->total += p->height[k];
    }
}

// What the curves of a panel have in common: their whole name, component (x), group (energy), or nothing.
static void panel_label(const picture *p, int panel, char *out, size_t room)
{
    const char *first = NULL, *unit = "";
    bool same_group = true, same_part = true;
    for (int i = 0; i < p->all.n; i++) {
        if (p->panel[i] != panel) continue;
        const char *name = name_of(p, i);
        const size_t n = cli_group_length(name);
        unit = unit_of(p, i);
        if (!first) first = name;
        same_group = same_group && n == cli_group_length(first) && strncmp(name, first, n) == 0;
        same_part = same_part && strcmp(name + n, first + cli_group_length(first)) == 0;
    }
    const size_t n = cli_group_length(first);
    const char *open = *unit ? " [" : "", *close_bracket = *unit ? "]" : "";
    if (same_group && same_part)
        snprintf(out, room, "%s%s%s%s", first, open, unit, close_bracket);
    else if (same_part)
        snprintf(out, room, "%s%s%s%s", first + n + (n > 0), open, unit, close_bracket);
    else if (same_group)
        snprintf(out, room, "%.*s%s%s%s", (int)n, first, open, unit, close_bracket);
    else
        snprintf(out, room, "%s%s%s", *unit ? "[" : "", unit, close_bracket);
}

// Range of a panel with a margin; what is constant but for rounding stays a flat line.
static void value_range(const picture *p, int panel, double *lo, double *hi)
{
    const hol_result *r = p->r;
    *lo = HUGE_VAL;
    *hi = -HUGE_VAL;
    for (int i = 0; i < p->all.n; i++)
        for (size_t k = 0; p->panel[i] == panel && k < r->n_rows; k++) {
            const double x = r->value[k * (size_t)r->n_columns + (size_t)p->all.column[i]];
            if (isfinite(x)) *lo = fmin(*lo, x);
            if (isfinite(x)) *hi = fmax(*hi, x);
        }
    if (!(*lo <= *hi)) *lo = *hi = 0;
    const double middle = (*lo + *hi) / 2, least = *lo == 0 && *hi == 0 ? 1 : 1e-4 * fabs(middle);
    double half = fmax((*hi - *lo) / 2, least / 2) * 1.06;
    *lo = middle - half;
    *hi = middle + half;
}

enum { PLAIN_ROWS = 4000, BUCKETS = 1500 };

static void point(FILE *f, double t, double x)
{
    if (isfinite(x) && isfinite(t))
        fprintf(f, "%.10g %.10g\n", t, x);
    else
        fprintf(f, "\n"); // a gap
}

// A curve; of a long one the smallest and largest value of each short stretch, which looks the same.
static void write_curve(const picture *p, int curve)
{
    const hol_result *r = p->r;
    const size_t width = (size_t)r->n_columns, column = (size_t)p->all.column[curve];
    const double *t = r->value, *x = r->value + column;
    fprintf(p->out, "$d%d << EOD\n", curve);
    if (r->n_rows <= PLAIN_ROWS)
        for (size_t i = 0; i < r->n_rows; i++) point(p->out, t[i * width], x[i * width]);
    for (size_t b = 0; r->n_rows > PLAIN_ROWS && b < BUCKETS; b++) {
        const size_t from = r->n_rows * b / BUCKETS, to = r->n_rows * (b + 1) / BUCKETS;
        size_t low = from, high = from;
        for (size_t i = from; i < to; i++) {
            if (x[i * width] < x[low * width] || !isfinite(x[low * width])) low = i;
            if (x[i * width] > x[high * width] || !isfinite(x[high * width])) high = i;
        }
        const size_t first = low < high ? low : high, second = low < high ? high : low;
        point(p->out, t[first * width], x[first * width]);
        if (second != first) point(p->out, t[second * width], x[second * width]);
    }
    fprintf(p->out, "EOD\n");
}

static void write_terminal(const picture *p, const char *kind)
{
    if (strcmp(kind, "svg") == 0)
        fprintf(p->out,
                "set terminal svg size %d,%d font 'Helvetica,Arial,sans-serif,14' background rgb 'white'\n",
                WIDTH, p->total);
    else if (strcmp(kind, "png") == 0) // twice the pixels: sharp on paper and on fine screens
        fprintf(p->out, "set terminal pngcairo size %d,%d font 'Sans,11' fontscale 2 linewidth 2\n",
                2 * WIDTH, 2 * p->total);
    else
        fprintf(p->out, "set terminal pdfcairo size %.3f,%.3f font 'Sans,11' fontscale 1 linewidth 1\n",
                WIDTH / 96.0, p->total / 96.0);
}

static void write_panel(const picture *p, int panel, int top)
{
    FILE *f = p->out;
    const hol_result *r = p->r;
    const bool last = panel == p->n_panels - 1;
    char label[200];
    double lo, hi;
    const double height = p->total, width = WIDTH;
    panel_label(p, panel, label, sizeof label);
    value_range(p, panel, &lo, &hi);
    fprintf(f, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", 1 - top / height,
            1 - (top + p->height[panel]) / height);
    fprintf(f, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", LEFT / width,
            1 - (RIGHT + p->key) / width);
    const double middle = 1 - (top + p->height[panel] / 2.0) / height;
    fprintf(f, "set yrange [%.17g:%.17g]\nset label 1 ", lo, hi);
    quoted(f, label);
    fprintf(f, " at screen %.6f,%.6f center rotate by 90 noenhanced\n", LABEL / width, middle);
    if (last) {
        snprintf(label, sizeof label, "%s%s%s%s", r->name[0], *r->unit[0] ? " [" : "", r->unit[0],
                 *r->unit[0] ? "]" : "");
        fprintf(f, "set format x '%%g'\nset xlabel ");
        quoted(f, label);
        fprintf(f, " noenhanced\n");
    } else
        fprintf(f, "set format x ''\nunset xlabel\n");
    if (panel == 0 && *p->title) {
        fprintf(f, "set title ");
        quoted(f, p->title);
        fprintf(f, " noenhanced offset 0,-0.2\n");
    } else
        fprintf(f, "unset title\n");
    if (curves_in(p, panel) > 1)
        fprintf(f, "set key at screen %.6f,%.6f left top vertical Left reverse samplen 2 noenhanced\n",
                1 - (RIGHT / 2.0 + p->key) / width, 1 - top / height);
    else
        fprintf(f, "unset key\n");
    int n = 0;
    for (int i = 0; i < p->all.n; i++) {
        if (p->panel[i] != panel) continue;
        fprintf(f, "%s $d%d using 1:2 with lines lw 1.8 lc rgb '%s' dt %d title ", n ? "," : "plot", i,
                colours[n % N_COLOURS], n / N_COLOURS % N_DASHES + 1);
        quoted(f, name_of(p, i));
        fprintf(f, " noenhanced");
        n++;
    }
    fprintf(f, "\n");
}

static void write_script(const picture *p, const char *kind)
{
    const hol_result *r = p->r;
    double first = HUGE_VAL, last = -HUGE_VAL;
    for (size_t i = 0; i < r->n_rows; i++) {
        first = fmin(first, r->value[i * (size_t)r->n_columns]);
        last = fmax(last, r->value[i * (size_t)r->n_columns]);
    }
    if (!(first < last)) last = first + 1;
    for (int i = 0; i < p->all.n; i++) write_curve(p, i);
    write_terminal(p, kind);
    fprintf(p->out,
            "set encoding utf8\nset border 3 lc rgb '#404040' lw 0.8\nset tics nomirror out scale 0.6\n"
            "set grid back lc rgb '#C4C4C4' lw 1 dt solid\nset format y '%%.6g'\nset xzeroaxis lc rgb "
            "'#808080' lw 0.8 dt solid\n"
            "set xrange [%.17g:%.17g]\nset multiplot\n",
            first, last);
    int top = *p->title ? 44 : 18;
    for (int k = 0; k < p->n_panels; k++) {
        write_panel(p, k, top);
        top += p->height[k] + GAP;
    }
    fprintf(p->out, "unset multiplot\n");
}

// ---- gnuplot --------------------------------------------------------------------------------------------------

enum { NOT_FOUND = 127 };

// The child: commands from `in`, the picture to `out`.
static void become_gnuplot(int in, int out)
{
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0) execlp("gnuplot", "gnuplot", "-d", "-", (char *)NULL);
    _exit(NOT_FOUND);
}

static int fail_errno(const char *what)
{
    fprintf(stderr, "holonom: error: %s: %s\n", what, strerror(errno));
    return 1;
}

static int finish(pid_t child, const char *path)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    unlink(path); // what there is of it is no picture
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        fprintf(stderr,
                "holonom: error: plots are drawn by gnuplot, which is not installed; on Debian: apt install "
                "gnuplot-nox\n");
    else
        fprintf(stderr, "holonom: error: gnuplot could not draw %s\n", path);
    return 1;
}

static int draw(picture *p, const char *kind, const char *path)
{
    int ends[2];
    const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0) return fail_errno(path);
    if (pipe(ends) != 0) {
        close(out);
        return fail_errno("pipe");
    }
    signal(SIGPIPE, SIG_IGN); // gnuplot may end early; its exit status says so
    const pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        become_gnuplot(ends[0], out);
    }
    close(out);
    close(ends[0]);
    p->out = child > 0 ? fdopen(ends[1], "w") : NULL;
    if (!p->out) {
        close(ends[1]);
        return fail_errno("gnuplot");
    }
    write_script(p, kind);
    fclose(p->out);
    return finish(child, path);
}

// ---- the verb -------------------------------------------------------------------------------------------------

static const char *kind_of(const char *path)
{
    static const char *const kinds[] = {"svg", "png", "pdf"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < 3; i++)
        if (strcmp(dot + 1, kinds[i]) == 0) return kinds[i];
    return NULL;
}

// results/four_bar.csv: results/four_bar.svg
static void default_name(const char *file, char *out, size_t room)
{
    const char *dot = strrchr(file, '.'), *slash = strrchr(file, '/');
    const size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - file) : strlen(file);
    if (strcmp(file, "-") == 0)
        snprintf(out, room, "plot.svg");
    else
        snprintf(out, room, "%.*s.svg", (int)n, file);
}

static int run(hol_context *ctx, const cli_options *o)
{
    char made[4096];
    picture *p = calloc(1, sizeof *p);
    hol_result *r = NULL;
    if (!p) return fail_errno("plot");
    default_name(o->model, made, sizeof made);
    const char *path = o->n_out ? o->out[0] : made, *kind = kind_of(path);
    int code = 0;
    if (o->n_out > 1) code = error("one picture is drawn at a time: %s, %s", o->out[0], o->out[1]);
    if (!code && !kind) code = error("--out %s: pictures are written as .svg, .png or .pdf%s", path, "");
    if (!code && !(r = hol_result_read(ctx, o->model))) code = cli_fail(ctx, hol_context_status(ctx));
    if (!code) code = choose(r, o->signals, &p->all);
    if (!code) {
        p->r = r;
        p->title = o->title ? o->title : r->title ? r->title : "";
        arrange(p);
        code = draw(p, kind, path);
    }
    if (!code && !o->quiet) printf("%s\n", path);
    hol_result_destroy(r);
    cli_selection_free(&p->all);
    free(p);
    return code;
}

const cli_verb cli_plot = {
    "plot",
    "RESULT [options]",
    "draw signals of a result over time (needs gnuplot)",
    "Examples:\n  holonom plot four_bar.csv --signals crank0.tip.y,energy -o four_bar.svg\n"
    "  holonom plot four_bar.csv -s A0 --title \"reaction at the first pivot\" -o A0.pdf",
    options,
    run};
