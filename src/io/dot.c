// The graph of a model in the language of Graphviz: bodies are vertices, joints edges or vertices, redundant ones red,
// cut ones dashed. Large graphs are drawn without labels and with straight lines.
#include "io/dot.h"
#include "system/forest.h"
#include "system/graph.h"
#include "system/initial.h"

#include <stdio.h>
#include <string.h>

// joints up to which lines are curved, and have labels
enum { MOST_CURVES = 60, MOST_LABELS = 200 };

typedef struct {
    const hol_model_data *m;
    hol_print_fn print;
    void *user;
    const char *active; // rows                                                            (m->nc)
    char *cut;          // elements                                                        (m->n_elements)
    int *loop;          // of each element: number of its group of loops, -1: in none      (m->n_elements)
    bool labels;
} dot;

static void put(const dot *d, const char *text) { d->print(d->user, text); }

// Within double quotes: the quote and the backslash have a meaning there, and & begins an entity of HTML.
static void put_text(const dot *d, const char *text)
{
    for (; *text; text++) {
        const char one[2] = {(unsigned char)*text < 0x20 ? ' ' : *text, 0};
        put(d, *text == '"' ? "\\\"" : *text == '\\' ? "\\\\" : *text == '&' ? "&amp;" : one);
    }
}

static void put_vertex(const dot *d, int body)
{
    char text[24];
    snprintf(text, sizeof text, body < 0 ? "ground" : "b%d", body);
    put(d, text);
}

static int redundant_rows(const dot *d, const hol_element *e)
{
    int n = 0;
    for (int k = 0; k < e->n_rows; k++) n += !d->active[e->row + k];
    return n;
}

// [label="name\ntype", ...] of an element.
static void put_attributes(const dot *d, int i, const char *more)
{
    static const char *const colours[] = {"#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
    const hol_element *e = &d->m->element[i];
    const int redundant = redundant_rows(d, e);
    char count[40] = "";
    if (redundant) snprintf(count, sizeof count, "\\n%d redundant", redundant);
    put(d, " [");
    if (d->labels || *more) {
        put(d, "label=\"");
        put_text(d, e->name);
        put(d, "\\n");
        put_text(d, e->type->name);
        put(d, count);
        put(d, "\", ");
    }
    put(d, "tooltip=\"");
    put_text(d, e->name);
    put(d, "\", color=\"");
    put(d, redundant ? "#D00000" : d->loop[i] < 0 ? "#909090" : colours[d->loop[i] % HOL_COUNT(colours)]);
    if (redundant) put(d, "\", fontcolor=\"#D00000");
    put(d, "\"");
    if (d->cut[i]) put(d, ", style=dashed");
    put(d, more);
    put(d, "];\n");
}

static bool is_edge(const hol_element *e) { return e->n_ends == 2 && !e->type->joints; }

// An element as an edge between two bodies, or a vertex with an edge to each of more.
static void put_element(const dot *d, int i)
{
    const hol_element *e = &d->m->element[i];
    char name[24];
    put(d, "  ");
    if (is_edge(e)) {
        put_vertex(d, e->end[0].body);
        put(d, " -- ");
        put_vertex(d, e->end[1].body);
        put_attributes(d, i, "");
        return;
    }
    snprintf(name, sizeof name, "e%d", i);
    put(d, name);
    put_attributes(d, i, ", shape=box");
    for (int k = 0; k < e->n_bodies; k++) {
        put(d, "  ");
        put(d, name);
        put(d, " -- ");
        put_vertex(d, e->body[k]);
        put(d, " [style=dotted];\n");
    }
}

// The whole file; the layout depends on how large the graph is.
static void put_all(const dot *d)
{
    const hol_model_data *m = d->m;
    put(d, "graph \"");
    put_text(d, m->title ? m->title : "model");
    put(d, "\" {\n  layout=");
    // curved lines that avoid the vertices take minutes in larger graphs
    put(d, !d->labels                                  ? "sfdp; overlap=prism; splines=line"
           : m->n_elements - m->n_bodies > MOST_CURVES ? "neato; start=self; overlap=prism; splines=line"
                                                       : "neato; start=self; overlap=false; splines=true");
    put(d, "; sep=\"+12\"; bgcolor=white; outputorder=nodesfirst;\n"
           "  label=\"");
    if (m->title) {
        put_text(d, m->title);
        put(d, "\\n");
    }
    put(d,
        "dashed: closes a loop; red: with redundant equations\";\n"
        "  fontname=\"Helvetica\"; fontsize=11;\n"
        "  node [shape=ellipse, style=filled, fillcolor=\"#f4f4f4\", fontname=\"Helvetica\", fontsize=12];\n"
        "  edge [fontname=\"Helvetica\", fontsize=9, penwidth=2, len=2.6];\n"
        "  ground [label=\"ground\", shape=box, fillcolor=\"#d0d0d0\"];\n");
    for (int i = 0; i < m->n_bodies; i++) {
        put(d, "  ");
        put_vertex(d, i);
        put(d, " [label=\"");
        put_text(d, m->body[i].name);
        put(d, "\"];\n");
    }
    for (int i = m->n_bodies; i < m->n_elements; i++)
        if (m->element[i].n_rows || m->element[i].n_rates) put_element(d, i);
    put(d, "}\n");
}

// Groups of loops get numbers; single edges are in none.
static hol_status mark_loops(hol_context *ctx, dot *d)
{
    hol_graph g = {0};
    hol_status st = hol_graph_create(ctx, d->m, &g);
    for (int i = 0; i < d->m->n_elements; i++) d->loop[i] = -1;
    for (int c = 0, n = 0; c < g.n_components && !st; c++) {
        if (g.group[c + 1] - g.group[c] < 2) continue;
        for (int k = g.group[c]; k < g.group[c + 1]; k++) d->loop[g.element[g.grouped[k]]] = n;
        n++;
    }
    hol_graph_destroy(&g);
    return st;
}

static hol_status mark_cuts(hol_context *ctx, dot *d, hol_state *x, hol_rank *rank)
{
    hol_forest f;
    bool changed = false;
    hol_status st = hol_forest_create(ctx, d->m, x->q, &f);
    if (!st) st = hol_forest_prefer(ctx, &f, x, rank->active, &changed);
    for (int i = 0; i < f.n_cut && !st; i++) d->cut[f.cut[i]] = 1;
    hol_forest_destroy(&f);
    return st;
}

hol_status hol_dot_print(hol_context *ctx, const hol_model_data *m, hol_print_fn print, void *user)
{
    dot d = {.m = m, .print = print, .user = user, .labels = m->n_elements - m->n_bodies <= MOST_LABELS};
    hol_kernel k;
    hol_state x = {0};
    hol_rank rank;
    hol_status st = hol_initialise(ctx, m, HOL_START_QUIET, &k, &x, &rank);
    if (st) return st;
    d.active = rank.active;
    d.cut = hol_calloc(ctx, (size_t)m->n_elements, sizeof *d.cut);
    d.loop = hol_calloc(ctx, (size_t)m->n_elements, sizeof *d.loop);
    st = d.cut && d.loop ? mark_loops(ctx, &d) : HOL_ERR_MEMORY;
    if (!st) st = mark_cuts(ctx, &d, &x, &rank);
    if (!st) put_all(&d);
    hol_free(d.cut);
    hol_free(d.loop);
    hol_state_destroy(&x);
    hol_rank_destroy(&rank);
    hol_start_destroy(&k);
    return st;
}
