// holonom plot RESULT ...: signals over time, drawn by gnuplot. One panel per unit, one above the other; of several results
// the same signals lie in one panel.
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
    {"--out", "-o", "FILE", NULL, ".svg, .png or .pdf; default: the first result's name with .svg"},
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

// Columns of a result by name; where all would be too many, the message lists groups.
static int choose(const hol_result *r, const char *signals, cli_selection *s)
{
    if (!signals && r->n_columns - 1 > ALL_UP_TO) {
        fprintf(stderr, "holonom: error: %s has %d signals; choose with --signals from: ", r->file,
                r->n_columns - 1);
        cli_print_groups(r);
        return 2;
    }
    const int code = cli_select(r, signals, s);
    return code;
}

// The column of this name, 0 is the time; -1: there is none.
static int column_of(const hol_result *r, const char *name)
{
    for (int i = 0; i < r->n_columns; i++)
        if (strcmp(r->name[i], name) == 0) return i;
    return -1;
}

static bool has_units(const hol_result *r)
{
    for (int i = 0; i < r->n_columns; i++)
        if (*r->unit[i]) return true;
    return false;
}

// A file that names no unit at all, such as a table of measured values, fits every other one.
static int check_unit(const hol_result *a, int i, const hol_result *b, int k)
{
    if (strcmp(a->unit[i], b->unit[k]) == 0 || !has_units(a) || !has_units(b)) return 0;
    fprintf(stderr, "holonom: error: \"%s\" has the unit %s in %s, but %s in %s\n", a->name[i],
            *a->unit[i] ? a->unit[i] : "1", a->file, *b->unit[k] ? b->unit[k] : "1", b->file);
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
    BOTTOM = 58,
    GAP = 18,
    KEY_LINE = 19,
    LETTER = 8,
    KEY_SAMPLE = 46
};

typedef struct {
    const hol_result *r;
    int file, signal, column; // of the results, of those chosen, of r
    int panel;
    const char *unit;
    char legend[200];
} curve;

typedef struct {
    hol_result *r[1 + CLI_MAX_MORE];
    int n_files, n; // results, curves
    curve all[MAX_CURVES];
    int n_panels, height[MAX_CURVES], total; // [px]
    int key;                                 // width of the legends [px]
    const char *title, *kind;                // heading; svg, png or pdf
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

static const char *unit_of(const curve *c) { return c->unit; }
static const char *name_of(const curve *c) { return c->r->name[c->column]; }

static int curves_in(const picture *p, int panel)
{
    int n = 0;
    for (int i = 0; i < p->n; i++) n += p->all[i].panel == panel;
    return n;
}

static const char *without_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Without its folder, unless another file has the same name.
static const char *file_name(const picture *p, int file)
{
    const char *path = p->r[file]->file, *name = without_folder(path);
    for (int k = 0; k < p->n_files; k++)
        if (k != file && strcmp(without_folder(p->r[k]->file), name) == 0) return path;
    return name;
}

// The result whose units hold for all.
static const hol_result *with_units(const picture *p)
{
    for (int k = 0; k < p->n_files; k++)
        if (has_units(p->r[k])) return p->r[k];
    return p->r[0];
}

// One signal of one result. Returns the exit code.
static int add_curve(picture *p, int file, int signal, const hol_result *like, int column)
{
    const hol_result *r = p->r[file];
    const char *name = like->name[column];
    const int own = column_of(r, name);
    if (own < 0) {
        fprintf(stderr, "holonom: error: %s has no signal \"%s\", which %s has\n", r->file, name, like->file);
        return 2;
    }
    const hol_result *units = with_units(p);
    const int there = column_of(units, name), code = there < 0 ? 0 : check_unit(units, there, r, own);
    if (code) return code;
    if (p->n == MAX_CURVES) return error("%s: more than 200 curves%s; choose fewer signals", like->file, "");
    curve *c = &p->all[p->n++];
    *c = (curve){
        .r = r, .file = file, .signal = signal, .column = own, .unit = there < 0 ? "" : units->unit[there]};
    if (p->n_files == 1)
        snprintf(c->legend, sizeof c->legend, "%s", name);
    else
        snprintf(c->legend, sizeof c->legend, "%s (%s)", name, file_name(p, file));
    return 0;
}

// The curves: every signal of the first result, in all results that have it.
static int choose_curves(picture *p, const char *signals)
{
    cli_selection chosen = {0};
    const hol_result *first = p->r[0];
    int code = choose(first, signals, &chosen);
    for (int k = 0; k < p->n_files && !code; k++) code = check_unit(with_units(p), 0, p->r[k], 0);
    for (int i = 0; i < chosen.n && !code; i++)
        for (int k = 0; k < p->n_files && !code; k++) code = add_curve(p, k, i, first, chosen.column[i]);
    cli_selection_free(&chosen);
    return code;
}

// Puts curves into panels, one for each unit, and finds the room that legends need.
static void arrange(picture *p)
{
    int longest = 0;
    p->n_panels = 0;
    for (int i = 0; i < p->n; i++) {
        int first = 0;
        while (strcmp(unit_of(&p->all[first]), unit_of(&p->all[i])) != 0) first++;
        p->all[i].panel = first == i ? p->n_panels++ : p->all[first].panel;
    }
    for (int i = 0; i < p->n; i++)
        if (curves_in(p, p->all[i].panel) > 1 && (int)strlen(p->all[i].legend) > longest)
            longest = (int)strlen(p->all[i].legend);
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
    for (int i = 0; i < p->n; i++) {
        if (p->all[i].panel != panel) continue;
        const char *name = name_of(&p->all[i]);
        const size_t n = cli_group_length(name);
        unit = unit_of(&p->all[i]);
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

// A range that holds all values of a column that are numbers.
static void widen(const hol_result *r, int column, double *lo, double *hi)
{
    for (size_t k = 0; k < r->n_rows; k++) {
        const double x = r->value[k * (size_t)r->n_columns + (size_t)column];
        if (isfinite(x)) *lo = fmin(*lo, x);
        if (isfinite(x)) *hi = fmax(*hi, x);
    }
}

// Range of a panel with a margin; what is constant but for rounding stays a flat line.
static void value_range(const picture *p, int panel, double *lo, double *hi)
{
    *lo = HUGE_VAL;
    *hi = -HUGE_VAL;
    for (int i = 0; i < p->n; i++)
        if (p->all[i].panel == panel) widen(p->all[i].r, p->all[i].column, lo, hi);
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
static void write_curve(const picture *p, int number)
{
    const hol_result *r = p->all[number].r;
    const size_t width = (size_t)r->n_columns;
    const double *t = r->value, *x = r->value + p->all[number].column;
    fprintf(p->out, "$d%d << EOD\n", number);
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
    const bool by_signal = p->n_files > 1 && curves_in(p, panel) > N_COLOURS;
    int n = 0, signals = -1, last = -1;
    for (int i = 0; i < p->n; i++) {
        const curve *c = &p->all[i];
        if (c->panel != panel) continue;
        signals += c->signal != last;
        last = c->signal;
        const int colour = by_signal ? signals : n, round = p->n_files > 1 ? c->file : n / N_COLOURS;
        fprintf(p->out, "%s $d%d using 1:2 with lines lw 1.8 lc rgb '%s' dt %d title ", n ? "," : "plot", i,
                colours[colour % N_COLOURS], round % N_DASHES + 1);
        quoted(p->out, c->legend);
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
        const char *unit = with_units(p)->unit[0];
        snprintf(label, sizeof label, "%s%s%s%s", p->r[0]->name[0], *unit ? " [" : "", unit,
                 *unit ? "]" : "");
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
    double first = HUGE_VAL, last = -HUGE_VAL;
    for (int k = 0; k < p->n_files; k++) widen(p->r[k], 0, &first, &last);
    if (!(first < last)) last = first + 1;
    p->out = commands;
    for (int i = 0; i < p->n; i++) write_curve(p, i);
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

// Titles that differ are none.
static const char *common_title(const picture *p)
{
    const char *title = p->r[0]->title;
    for (int k = 1; k < p->n_files; k++)
        if (title && (!p->r[k]->title || strcmp(title, p->r[k]->title) != 0)) title = NULL;
    return title ? title : "";
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

static int read_files(hol_context *ctx, const cli_options *o, picture *p)
{
    for (int k = 0; k <= o->n_more; k++) {
        p->r[k] = hol_result_read(ctx, file_given(o, k));
        if (!p->r[k]) return cli_fail(ctx, hol_context_status(ctx));
        p->n_files++;
    }
    return 0;
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
    if (!code) code = read_files(ctx, o, p);
    if (!code) code = choose_curves(p, o->signals);
    if (code) return code;
    p->title = o->title ? o->title : common_title(p);
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
    for (int k = 0; p && k < p->n_files; k++) hol_result_destroy(p->r[k]);
    free(beside);
    free(p);
    return code;
}

const cli_verb cli_plot = {
    "plot",
    "RESULT [RESULT ...] [options]",
    "draw signals over time, of several results in one picture (needs gnuplot)",
    "Examples:\n  holonom plot four_bar.csv --signals crank0.tip.y,energy -o four_bar.svg\n"
    "  holonom plot coarse.csv fine.csv -s crank0.tip.y -o compared.svg\n"
    "  holonom plot four_bar.csv -s A0 --title \"reaction at the first pivot\" -o A0.pdf",
    options,
    run};
