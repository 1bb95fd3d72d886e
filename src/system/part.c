// Blocks of the KKT matrix as sparse matrices: their entries are those that the elements have there, found by their places in S.
#include "system/part.h"

#include <string.h>

// Marks the places of the block among the values of S.
static void mark(const hol_equations *s, hol_part_kind kind, char *marked)
{
    const hol_model_data *m = s->m;
    for (int k = 0; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        const hol_scatter *c = &s->scatter[k];
        for (int i = 0; i < c->n_entries && kind == HOL_PART_MASS && e->type->mass; i++)
            marked[s->entry[c->entry + i].slot] = 1;
        for (int i = 0; i < c->n_borders && kind == HOL_PART_PHI_Q; i++)
            marked[s->border[c->border + i].slot] = 1;
        for (int i = 0; i < e->n_rates * (e->ny - 1) && kind == HOL_PART_PSI_V; i++)
            marked[s->pair[c->rate + i].slot] = 1;
    }
}

// The marked entries of the columns of coordinates, column by column.
static hol_status take(const hol_equations *s, const char *marked, int first_row, hol_part *out)
{
    const hol_pattern *p = &s->pattern;
    int n = 0;
    for (int k = 0; k < p->start[s->nq]; k++) n += marked[k];
    out->start = hol_calloc(s->ctx, (size_t)s->nq + 1, sizeof *out->start);
    out->row = hol_calloc(s->ctx, (size_t)n + 1, sizeof *out->row);
    out->slot = hol_calloc(s->ctx, (size_t)n + 1, sizeof *out->slot);
    out->value = hol_calloc(s->ctx, (size_t)n + 1, sizeof *out->value);
    if (!out->start || !out->row || !out->slot || !out->value) return HOL_ERR_MEMORY;
    n = 0;
    for (int j = 0; j < s->nq; j++) {
        out->start[j] = n;
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            if (!marked[k]) continue;
            out->row[n] = p->index[k] - first_row;
            out->slot[n++] = k;
        }
    }
    out->start[s->nq] = n;
    return HOL_OK;
}

hol_status hol_part_create(const hol_equations *s, hol_part_kind kind, hol_part *out)
{
    const int first[] = {0, s->nf, s->nf + s->nc}, rows[] = {s->nq, s->nc, s->nk};
    *out = (hol_part){0};
    char *marked = hol_calloc(s->ctx, (size_t)s->pattern.start[s->n] + 1, 1);
    if (!marked) return HOL_ERR_MEMORY;
    mark(s, kind, marked);
    const hol_status st = take(s, marked, first[kind], out);
    hol_free(marked);
    out->view = (hol_csc){rows[kind], s->nq, out->start, out->row, out->value};
    return st;
}

void hol_part_destroy(hol_part *p)
{
    void *const arrays[] = {p->start, p->row, p->slot, p->value};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
    *p = (hol_part){0};
}

void hol_part_fill(hol_part *p, const double *values)
{
    for (int k = 0; k < p->start[p->view.n_columns]; k++) p->value[k] = values[p->slot[k]];
}

void hol_part_dense(const hol_part *p, double *out)
{
    const size_t rows = (size_t)p->view.n_rows;
    memset(out, 0, rows * (size_t)p->view.n_columns * sizeof *out);
    for (int j = 0; j < p->view.n_columns; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            out[(size_t)j * rows + (size_t)p->row[k]] = p->value[k];
}

void hol_part_times(const hol_part *p, const double *x, double *out)
{
    memset(out, 0, (size_t)p->view.n_rows * sizeof *out);
    for (int j = 0; j < p->view.n_columns; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) out[p->row[k]] += p->value[k] * x[j];
}
