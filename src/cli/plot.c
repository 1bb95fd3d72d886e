// holonom plot RESULT ...: signals over time, another signal or the frequency (curves.c), drawn by gnuplot. One panel per unit,
// one above the other; of several results the same signals lie in one panel.
#include "cli/curves.h"
#include "cli/names.h"
#include "cli/picture.h"
#include "cli/pipe.h"
#include "cli/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"--signals", "-s", "A,B,...", NULL,
     "columns, or groups such as crank0 or energy, with commas between: \"left arm.x,energy\"; default: all "
     "of a small file"},
    {"--x", NULL, "A", NULL, "a signal that stands on the x axis instead of the time"},
    {"--minus", NULL, "FILE", NULL,
     "draw the difference of each signal from that in this result, interpolated at the same times as `diff` "
     "does"},
    {"--spectrum", NULL, NULL, NULL,
     "draw amplitudes over the frequency: Hann's window, the mean taken off, rows that are not even "
     "interpolated; a note says how"},
    {"--out", "-o", "FILE", NULL, ".svg, .png or .pdf; default: the first result's name with .svg"},
    {"--title", NULL, "TEXT", NULL, "heading; default: the model's title"},
    {"-q", NULL, NULL, NULL, "no notes, do not print the name of the picture"},
    {NULL, NULL, NULL, NULL, NULL}};

static int error(const char *format, const char *a, const char *b)
{
    fprintf(stderr, "holonom: error: ");
    fprintf(stderr, format, a, b);
    fprintf(stderr, "\n");
    return 2;
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
    BOTTOM = 66, // gnuplot leaves a label away that does not fit
    GAP = 18,
    KEY_LINE = 19,
    LETTER = 8,
    KEY_SAMPLE = 46
};

typedef struct {
    cli_curves c;
    int panel[CLI_MAX_CURVES]; //                                               (c.n)
    char legend[CLI_MAX_CURVES][200];
    int n_panels, height[CLI_MAX_CURVES], total; // [px]
    int key;                                     // width of the legends [px]
    const char *kind;                            // svg, png or pdf
    char title[400];
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

static int curves_in(const picture *p, int panel)
{
    int n = 0;
    for (int i = 0; i < p->c.n; i++) n += p->panel[i] == panel;
    return n;
}

static const char *without_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Without its folder, unless another file has the same name.
static const char *file_name(const cli_curves *c, int file)
{
    const char *path = c->r[file]->file, *name = without_folder(path);
    for (int k = 0; k < c->n_files; k++)
        if (k != file && strcmp(without_folder(c->r[k]->file), name) == 0) return path;
    return name;
}

// Puts curves into panels, one for each unit, and finds the room that legends need.
static void arrange(picture *p)
{
    const cli_curves *c = &p->c;
    int longest = 0;
    p->n_panels = 0;
    for (int i = 0; i < c->n; i++) {
        const cli_curve *one = &c->all[i];
        int first = 0;
        while (strcmp(c->all[first].unit, one->unit) != 0) first++;
        p->panel[i] = first == i ? p->n_panels++ : p->panel[first];
        const bool alone = c->n_files == 1;
        snprintf(p->legend[i], sizeof p->legend[i], "%s%s%s%s", one->name, alone ? "" : " (",
                 alone ? "" : file_name(c, one->file), alone ? "" : ")");
    }
    for (int i = 0; i < c->n; i++)
        if (curves_in(p, p->panel[i]) > 1 && (int)strlen(p->legend[i]) > longest)
            longest = (int)strlen(p->legend[i]);
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
    for (int i = 0; i < p->c.n; i++) {
        if (p->panel[i] != panel) continue;
        const char *name = p->c.all[i].name;
        const size_t n = cli_group_length(name);
        unit = p->c.all[i].unit;
        if (!first) first = name;
        same_group = same_group && n == cli_group_length(first) && strncmp(name, first, n) == 0;
        same_part = same_part && strcmp(name + n, first + cli_group_length(first)) == 0;
    }
    const size_t n = cli_group_length(first);
    const char *what = same_part && !same_group ? first + n + (n > 0) : same_part || same_group ? first : "";
    const int length = same_part ? (int)strlen(what) : same_group ? (int)n : 0;
    const char *kind = p->c.spectrum[0] ? "amplitude" : p->c.minus ? "difference" : "";
    snprintf(out, room, "%s%s%.*s%s%s%s%s", kind, *kind && length ? " of " : "", length, what,
             *unit && (length || *kind) ? " " : "", *unit ? "[" : "", unit, *unit ? "]" : "");
}

// A range that holds all of n numbers that are finite.
static void widen(const double *x, size_t step, size_t n, double *lo, double *hi)
{
    for (size_t k = 0; k < n; k++) {
        if (isfinite(x[k * step])) *lo = fmin(*lo, x[k * step]);
        if (isfinite(x[k * step])) *hi = fmax(*hi, x[k * step]);
    }
}

// A margin around a range; what is constant but for rounding stays a flat line.
static void add_margin(double *lo, double *hi)
{
    if (!(*lo <= *hi)) *lo = *hi = 0;
    const double middle = (*lo + *hi) / 2, least = *lo == 0 && *hi == 0 ? 1 : 1e-4 * fabs(middle);
    double half = fmax((*hi - *lo) / 2, least / 2) * 1.06;
    *lo = middle - half;
    *hi = middle + half;
}

static void value_range(const picture *p, int panel, double *lo, double *hi)
{
    *lo = HUGE_VAL;
    *hi = -HUGE_VAL;
    for (int i = 0; i < p->c.n; i++)
        if (p->panel[i] == panel) widen(p->c.all[i].y, p->c.all[i].y_step, p->c.all[i].n, lo, hi);
    add_margin(lo, hi);
}

// The highest frequency of a spectrum whose amplitude can be seen beside the largest.
static double last_seen(const cli_curve *c)
{
    double largest = 0, last = 0;
    for (size_t k = 0; k < c->n; k++) largest = fmax(largest, c->y[k * c->y_step]);
    for (size_t k = 0; k < c->n; k++)
        if (c->y[k * c->y_step] > largest / 200) last = c->x[k * c->x_step];
    return last;
}

// Times fill the width, frequencies to where nothing more is to be seen, other signals have a margin.
static void x_range(const picture *p, double *lo, double *hi)
{
    *lo = HUGE_VAL;
    *hi = -HUGE_VAL;
    for (int i = 0; i < p->c.n; i++) widen(p->c.all[i].x, p->c.all[i].x_step, p->c.all[i].n, lo, hi);
    double seen = 0;
    for (int i = 0; i < p->c.n && p->c.spectrum[0]; i++) seen = fmax(seen, last_seen(&p->c.all[i]));
    if (seen > 0) *hi = fmin(*hi, 1.25 * seen);
    if (p->c.over_signal)
        add_margin(lo, hi);
    else if (!(*lo < *hi))
        *hi = *lo + 1;
}

enum { PLAIN_ROWS = 4000, BUCKETS = 1500 };

static void point(FILE *f, double t, double x)
{
    if (isfinite(x) && isfinite(t))
        fprintf(f, "%.10g %.10g\n", t, x);
    else
        fprintf(f, "\n"); // a gap
}

// Rows of the smallest and largest of the numbers [from, to).
static void extremes(const double *x, size_t step, size_t from, size_t to, size_t *low, size_t *high)
{
    *low = *high = from;
    for (size_t i = from; i < to; i++) {
        if (x[i * step] < x[*low * step] || !isfinite(x[*low * step])) *low = i;
        if (x[i * step] > x[*high * step] || !isfinite(x[*high * step])) *high = i;
    }
}

static int by_row(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

// A curve; of a long one the smallest and largest value of each short stretch, which looks the same, over a signal the smallest and
// largest of that one too.
static void write_curve(const picture *p, int number)
{
    const cli_curve *c = &p->c.all[number];
    const size_t kept = p->c.over_signal ? 4 : 2;
    fprintf(p->out, "$d%d << EOD\n", number);
    if (c->n <= PLAIN_ROWS)
        for (size_t i = 0; i < c->n; i++) point(p->out, c->x[i * c->x_step], c->y[i * c->y_step]);
    for (size_t b = 0; c->n > PLAIN_ROWS && b < BUCKETS; b++) {
        const size_t from = c->n * b / BUCKETS, to = c->n * (b + 1) / BUCKETS;
        size_t row[4];
        extremes(c->y, c->y_step, from, to, &row[0], &row[1]);
        extremes(c->x, c->x_step, from, to, &row[2], &row[3]);
        qsort(row, kept, sizeof *row, by_row);
        for (size_t k = 0; k < kept; k++)
            if (!k || row[k] != row[k - 1]) point(p->out, c->x[row[k] * c->x_step], c->y[row[k] * c->y_step]);
    }
    fprintf(p->out, "EOD\n");
}

// How gnuplot is to draw: SVG, PNG or PDF.
static void write_terminal(const picture *p)
{
    if (strcmp(p->kind, "svg") == 0)
        fprintf(p->out,
                "set terminal svg size %d,%d font 'Helvetica,Arial,sans-serif,14' background rgb 'white'\n",
                WIDTH, p->total);
    else if (strcmp(p->kind, "png") == 0) // twice the pixels: sharp on paper and on fine screens
        fprintf(p->out, "set terminal pngcairo size %d,%d font 'Sans,11' fontscale 2 linewidth 2\n",
                2 * WIDTH, 2 * p->total);
    else
        fprintf(p->out, "set terminal pdfcairo size %.3f,%.3f font 'Sans,11' fontscale 1 linewidth 1\n",
                WIDTH / 96.0, p->total / 96.0);
}

// Each curve has a colour of its own, or where there are too many each signal. Dashes tell the files apart, of one file the
// rounds of colours.
static void write_curves(const picture *p, int panel)
{
    const bool several = p->c.n_files > 1, by_signal = several && curves_in(p, panel) > N_COLOURS;
    int n = 0, signals = -1, last = -1;
    for (int i = 0; i < p->c.n; i++) {
        const cli_curve *c = &p->c.all[i];
        if (p->panel[i] != panel) continue;
        signals += c->signal != last;
        last = c->signal;
        const int colour = by_signal ? signals : n, round = several ? c->file : n / N_COLOURS;
        fprintf(p->out, "%s $d%d using 1:2 with lines lw 1.8 lc rgb '%s' dt %d title ", n ? "," : "plot", i,
                colours[colour % N_COLOURS], round % N_DASHES + 1);
        quoted(p->out, p->legend[i]);
        fprintf(p->out, " noenhanced");
        n++;
    }
    fprintf(p->out, "\n");
}

// One panel between `top` and its height, with its labels, range and curves.
static void write_panel(const picture *p, int panel, int top)
{
    FILE *f = p->out;
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
        const char *unit = p->c.x_unit;
        snprintf(label, sizeof label, "%s%s%s%s%s", p->c.x_name, *unit ? " [" : "", unit, *unit ? "]" : "",
                 p->c.spectrum[0] ? ", Hann's window" : "");
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
    write_curves(p, panel);
}

// gnuplot's commands: the numbers of all curves, then panel by panel.
static void write_script(FILE *commands, void *user)
{
    picture *p = user;
    double first, last;
    x_range(p, &first, &last);
    p->out = commands;
    for (int i = 0; i < p->c.n; i++) write_curve(p, i);
    write_terminal(p);
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

// ---- the verb -------------------------------------------------------------------------------------------------

static const char *kind_of(const char *path)
{
    static const char *const kinds[] = {"svg", "png", "pdf"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < 3; i++)
        if (strcmp(dot + 1, kinds[i]) == 0) return kinds[i];
    return NULL;
}

// The results' title, where they have one, and what is drawn of them; or what the user wants.
static void set_title(picture *p, const cli_options *o)
{
    const cli_curves *c = &p->c;
    const char *title = o->title ? o->title : c->r[0]->title ? c->r[0]->title : "";
    for (int k = 1; k < c->n_files && !o->title; k++)
        if (!c->r[k]->title || strcmp(title, c->r[k]->title) != 0) title = "";
    const bool minus = c->minus && !o->title;
    snprintf(p->title, sizeof p->title, "%s%s%s%s", title, *title && minus ? ", " : "", minus ? "minus " : "",
             minus ? without_folder(c->minus->file) : "");
}

static const char *file_given(const cli_options *o, int k) { return k ? o->more[k - 1] : o->model; }

// Each result once, and none of them is the picture.
static int check_files(const cli_options *o, const char *path)
{
    for (int k = 1; k <= o->n_more; k++)
        for (int i = 0; i < k; i++)
            if (cli_same_file(file_given(o, i), file_given(o, k)))
                return error("%s is named twice%s", file_given(o, k), "");
    return cli_keep_inputs(o, path, "-o");
}

// Reads the results, chooses the curves and has them drawn.
static int make(hol_context *ctx, const cli_options *o, picture *p, const char *path)
{
    char program[] = "gnuplot", no_start[] = "-d", from_input[] = "-";
    char *const argv[] = {program, no_start, from_input, NULL};
    const cli_drawer gnuplot = {argv, "plots", "gnuplot-nox", write_script, p};
    p->kind = kind_of(path);
    if (o->n_out > 1) return error("one picture is drawn at a time: %s, %s", o->out[0], o->out[1]);
    if (!p->kind) return error("--out %s: pictures are written as .svg, .png or .pdf%s", path, "");
    int code = check_files(o, path);
    if (!code) code = cli_curves_make(ctx, o, &p->c);
    if (code) return code;
    set_title(p, o);
    arrange(p);
    code = cli_draw(ctx, &gnuplot, path);
    if (!code && !o->quiet) printf("%s\n", path);
    return code;
}

// The verb: one picture, beside the result if no name is given.
static int run(hol_context *ctx, const cli_options *o)
{
    char *beside = cli_name_beside(strcmp(o->model, "-") == 0 ? "plot" : o->model, ".svg");
    picture *p = calloc(1, sizeof *p);
    const int code =
        p && beside ? make(ctx, o, p, o->n_out ? o->out[0] : beside) : cli_fail(ctx, HOL_ERR_MEMORY);
    if (p) cli_curves_free(&p->c);
    free(beside);
    free(p);
    return code;
}

const cli_verb cli_plot = {
    "plot",
    "RESULT [RESULT ...] [options]",
    "draw signals over time, another signal or frequency, of several results in one picture (needs gnuplot)",
    "Examples:\n  holonom plot four_bar.csv --signals crank0.tip.y,energy -o four_bar.svg\n"
    "  holonom plot coarse.csv fine.csv -s crank0.tip.y -o compared.svg\n"
    "  holonom plot coarse.csv --minus fine.csv -s crank0.tip.y -o error.svg\n"
    "  holonom plot four_bar.csv --x crank0.tip.x -s crank0.tip.y -o path.svg\n"
    "  holonom plot four_bar.csv --spectrum -s crank0.tip.y -o spectrum.svg\n"
    "  holonom plot four_bar.csv -s A0 --title \"reaction at the first pivot\" -o A0.pdf",
    options,
    run};
