// compare --report: one web page with plots as SVG, a line per method and a point per tolerance, and the tables behind
// them.
#include "cli/compare_page.h"
#include "cli/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 460, HEIGHT = 340, LEFT = 56, RIGHT = 12, TOP = 28, BOTTOM = 44 };

static const char *const palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
                                      "#7f3c8d", "#8c564b", "#666666", "#b8a500", "#1b5e20", "#c2185b",
                                      "#00838f", "#5d4037", "#283593", "#9e9d24"};

static const char *color(int method) { return palette[(size_t)method % (sizeof palette / sizeof *palette)]; }

static const char style[] = ":root{color-scheme:light dark}body{font:15px/1.45 "
                            "system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem}"
                            "h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:"
                            "collapse;font-variant-numeric:tabular-nums}"
                            "th,td{padding:.15rem .6rem;text-align:right;border-bottom:1px solid "
                            "#8884}th:first-child,td:first-child{text-align:left}"
                            ".best{font-weight:700;background:#00a06a33}.plots{display:flex;flex-wrap:wrap;"
                            "gap:1rem}svg{max-width:100%;height:auto}"
                            "svg text{fill:currentColor;font:12px "
                            "system-ui,sans-serif}.grid{stroke:#8883}.frame{fill:none;stroke:#888}"
                            ".key{display:flex;flex-wrap:wrap;gap:.2rem 1rem}.key "
                            "i{display:inline-block;width:1.2em;height:.25em;margin-right:.4em;"
                            "vertical-align:middle}.wide{overflow-x:auto}";

// Text in HTML.
static void put(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", f);
        else if (*text == '<')
            fputs("&lt;", f);
        else if (*text == '>')
            fputs("&gt;", f);
        else
            fputc(*text, f);
    }
}

// ---- plots ----------------------------------------------------------------------------------------------------

typedef struct {
    const char *title, *unit;
    double (*value)(const hol_race_run *x);
} quantity;

static double cpu(const hol_race_run *x) { return 1e3 * x->run.out.cpu_seconds; }
static double steps(const hol_race_run *x) { return (double)x->run.out.steps; }
static double residuals(const hol_race_run *x) { return (double)x->run.out.residuals; }
static double factorizations(const hol_race_run *x) { return (double)x->run.out.factorizations; }

static const quantity quantities[] = {{"CPU time", "ms", cpu},
                                      {"steps", "", steps},
                                      {"residuals", "", residuals},
                                      {"factorizations", "", factorizations}};

typedef struct {
    double x0, x1, y0, y1; // decades
} range;

static double across(const range *g, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (log10(x) - g->x0) / (g->x1 - g->x0);
}

static double down(const range *g, double y)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (g->y1 - log10(y)) / (g->y1 - g->y0);
}

static bool shown(const hol_race_run *x, const quantity *q)
{
    return x->judged && x->error.max > 0 && q->value(x) > 0;
}

// The whole powers of ten that hold all points; false: there is nothing to be drawn.
static bool find_range(const hol_race *r, const quantity *q, range *g)
{
    *g = (range){HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < r->n_runs; i++) {
        const hol_race_run *x = &r->run[i];
        if (!shown(x, q)) continue;
        g->x0 = fmin(g->x0, floor(log10(q->value(x))));
        g->x1 = fmax(g->x1, ceil(log10(q->value(x)) + 1e-9));
        g->y0 = fmin(g->y0, floor(log10(x->error.max)));
        g->y1 = fmax(g->y1, ceil(log10(x->error.max) + 1e-9));
    }
    return isfinite(g->x0) && g->x1 > g->x0 && g->y1 > g->y0;
}

// Lines and numbers at the powers of ten, of both axes.
static void draw_grid(FILE *f, const range *g)
{
    for (double k = g->x0; k <= g->x1; k++) {
        const double x = across(g, pow(10, k));
        fprintf(f,
                "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                "text-anchor=\"middle\">1e%g</text>",
                x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 16, k);
    }
    for (double k = g->y0; k <= g->y1; k++) {
        const double y = down(g, pow(10, k));
        fprintf(f,
                "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">1e%g</text>",
                LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, k);
    }
}

// The line of method m through its points, each of which says what it is when it is pointed at.
static void draw_method(FILE *f, const hol_race *r, const quantity *q, const range *g, int m)
{
    bool pen = false;
    fprintf(f, "<path fill=\"none\" stroke-width=\"2\" stroke=\"%s\" d=\"", color(m));
    for (int k = 0; k < r->n_tolerances; k++) {
        const hol_race_run *x = &r->run[k * r->n_methods + m];
        if (!shown(x, q)) continue;
        fprintf(f, "%s%.1f %.1f", pen ? "L" : "M", across(g, q->value(x)), down(g, x->error.max));
        pen = true;
    }
    fprintf(f, "\"/>");
    for (int k = 0; k < r->n_tolerances; k++) {
        const hol_race_run *x = &r->run[k * r->n_methods + m];
        if (!shown(x, q)) continue;
        fprintf(f,
                "<circle r=\"4\" fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\"><title>%s, tolerance %.0e: error %.1e, "
                "%.3g %s</title></circle>",
                color(m), across(g, q->value(x)), down(g, x->error.max), x->run.method, x->run.tolerance,
                x->error.max, q->value(x), q->unit);
    }
    fprintf(f, "\n");
}

// One plot, error against a quantity, both logarithmic.
static void draw(FILE *f, const hol_race *r, const quantity *q)
{
    range g;
    if (!find_range(r, q, &g)) return;
    fprintf(f,
            "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"error against "
            "%s\">\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, q->title);
    draw_grid(f, &g);
    fprintf(f, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", LEFT, TOP,
            WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    fprintf(
        f,
        "<text x=\"%d\" y=\"%d\">error</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s%s%s%s</text>\n",
        LEFT, TOP - 10, WIDTH - RIGHT, HEIGHT - 8, q->title, *q->unit ? " [" : "", q->unit,
        *q->unit ? "]" : "");
    for (int m = 0; m < r->n_methods; m++) draw_method(f, r, q, &g, m);
    fprintf(f, "</svg>\n");
}

// ---- tables ---------------------------------------------------------------------------------------------------

// The table of CPU times for each accuracy, the best of a column marked.
static void put_times(FILE *f, const hol_race *r)
{
    char text[32];
    fprintf(f, "<h2>CPU time in ms for an error of at most</h2>\n<div class=\"wide\"><table><tr><th></th>");
    for (int k = r->first; k <= r->last; k++) fprintf(f, "<th>1e-%d</th>", k);
    for (int m = 0; m < r->n_methods; m++) {
        fprintf(f, "</tr>\n<tr><td>%s</td>", r->method[m]);
        for (int k = r->first; k <= r->last; k++) {
            const int i = hol_race_fastest(r, m, pow(10, -k)), best = hol_race_fastest(r, -1, pow(10, -k));
            cli_race_time(r, i, text);
            fprintf(f, "<td%s>%s</td>", i >= 0 && i == best ? " class=\"best\"" : "", text);
        }
    }
    fprintf(f, "</tr></table></div>\n");
}

// The table of all runs, or why one has no error.
static void put_runs(FILE *f, const hol_race *r)
{
    fprintf(f,
            "<h2>All runs</h2>\n<div "
            "class=\"wide\"><table><tr><th>method</th><th>tolerance</th><th>error</th><th>rms</th>"
            "<th>CPU "
            "[ms]</th><th>steps</th><th>residuals</th><th>Jacobians</th><th>factorizations</th><th>largest "
            "error</th></tr>\n");
    for (int m = 0; m < r->n_methods; m++)
        for (int k = 0; k < r->n_tolerances; k++) {
            const int i = k * r->n_methods + m;
            const hol_race_run *x = &r->run[i];
            const hol_outcome *y = &x->run.out;
            char text[32];
            fprintf(f, "<tr><td>%s</td><td>%.0e</td>", x->run.method, x->run.tolerance);
            if (x->run.failed) {
                fprintf(f, "<td colspan=\"8\" style=\"text-align:left\">");
                put(f, x->run.failed);
                fprintf(f, "</td></tr>\n");
                continue;
            }
            cli_race_time(r, i, text);
            fprintf(
                f,
                "<td>%.1e</td><td>%.1e</td><td>%s</td><td>%ld</td><td>%ld</td><td>%ld</td><td>%ld</td><td>",
                x->error.max, x->error.rms, text, y->steps, y->residuals, y->jacobians, y->factorizations);
            if (x->error.worst >= 0) put(f, r->reference.signal[x->error.worst].name);
            fprintf(f, "</td></tr>\n");
        }
    fprintf(f, "</table></div>\n");
}

// Errors of each signal in the recommended runs.
static void put_signals(FILE *f, const hol_race *r)
{
    const hol_choice *choice = r->choice;
    const int n = r->n_choices;
    const hol_reference *s = &r->reference;
    fprintf(f, "<h2>Errors of the signals in the recommended runs</h2>\n<div "
               "class=\"wide\"><table><tr><th></th><th>size</th>");
    for (int i = 0; i < n; i++)
        fprintf(f, "<th>%s %.0e</th>", r->run[choice[i].run].run.method, r->run[choice[i].run].run.tolerance);
    for (int k = 0; k < s->n_signals; k++) {
        fprintf(f, "</tr>\n<tr><td>");
        put(f, s->signal[k].name);
        fprintf(f, "</td><td>%.4g %s</td>", s->signal[k].size, s->signal[k].unit);
        for (int i = 0; i < n; i++)
            fprintf(f,
                    s->signal[k].of_run ? "<td>not compared</td>"
                    : s->signal[k].zero ? "<td>zero</td>"
                                        : "<td>%.1e</td>",
                    r->run[choice[i].run].error.signal[k].max);
    }
    fprintf(f, "</tr></table></div>\n");
}

// Writes the page: what was compared, plots, then tables.
void cli_compare_page(const hol_race *r, FILE *f)
{
    const hol_reference *e = &r->reference;
    char a[64], b[64];
    hol_run_name(&e->run[e->pair[0]], a, sizeof a);
    hol_run_name(&e->run[e->pair[1]], b, sizeof b);
    fprintf(f, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
               "content=\"width=device-width\"><title>");
    put(f, r->model);
    fprintf(f, "</title><style>%s</style></head><body>\n<h1>Work and precision: ", style);
    put(f, r->model);
    fprintf(
        f,
        "</h1>\n<p>%d bodies, %d degrees of freedom, %d states, 0 .. %.6g s. Errors are the largest of %d "
        "signals at "
        "%zu times, in parts "
        "of each signal's largest value, against a reference: %s and %s differ by %.1e. No smaller error is "
        "claimed.</p>\n<div class=\"plots\">\n",
        r->bodies, r->freedom, r->states, e->run[e->pair[0]].out.time, e->n_signals, e->result[0]->n_rows, a,
        b, e->apart.max);
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++) draw(f, r, &quantities[i]);
    fprintf(f, "</div>\n<p class=\"key\">");
    for (int m = 0; m < r->n_methods; m++)
        fprintf(f, "<span><i style=\"background:%s\"></i>%s</span>", color(m), r->method[m]);
    fprintf(f, "</p>\n");
    put_times(f, r);
    put_signals(f, r);
    put_runs(f, r);
    fprintf(f, "<p>holonom %s</p></body></html>\n", HOL_VERSION);
}
