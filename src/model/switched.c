// Switched models: elements, their row numbers and the beginning are copies, all else is shared.
#include "model/switched.h"

#include <string.h>

typedef struct {
    hol_model_data m; // first: its address is that of the whole
    hol_beginning beginning;
    double number[]; // q, v, X, memory
} switched;

static double *take(double **to, const double *from, int n)
{
    double *at = *to;
    memcpy(at, from, (size_t)n * sizeof *at);
    *to += n;
    return at;
}

hol_model_data *hol_model_switch(hol_context *ctx, const hol_model_data *m, double t, const double *q,
                                 const double *v, const double *X, const double *mem)
{
    const size_t numbers = 2 * (size_t)m->nq + (size_t)m->n_states + (size_t)m->n_mem;
    size_t rows = 1;
    for (int i = 0; i < m->n_elements; i++) rows += (size_t)m->element[i].all_rows;
    switched *s = hol_calloc(ctx, 1, sizeof *s + numbers * sizeof *s->number);
    if (!s) return NULL;
    s->m = *m;
    s->m.element = hol_calloc(ctx, (size_t)m->n_elements, sizeof *m->element);
    s->m.row_element = hol_calloc(ctx, rows, sizeof *m->row_element);
    if (!s->m.element || !s->m.row_element) {
        hol_model_unswitch(&s->m);
        return NULL;
    }
    double *at = s->number;
    memcpy(s->m.element, m->element, (size_t)m->n_elements * sizeof *m->element);
    s->m.q0 = take(&at, q, m->nq);
    s->m.v0 = take(&at, v, m->nq);
    s->beginning.t = t;
    s->beginning.X = take(&at, X, m->n_states);
    s->beginning.mem = take(&at, mem, m->n_mem);
    s->m.beginning = &s->beginning;
    s->m.n_holds = 0;
    hol_model_number_rows(&s->m, mem);
    return &s->m;
}

void hol_model_unswitch(hol_model_data *m)
{
    if (!m) return;
    hol_free(m->element);
    hol_free(m->row_element);
    hol_free(m);
}
