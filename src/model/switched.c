// Switched models: elements, their row numbers, what they hold and the beginning are copies, all else is shared.
#include "model/switched.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    hol_model_data m; // first: its address is that of the whole
    hol_beginning beginning;
    unsigned char *held; // data of elements by what the memory holds
    double number[];     // q, v, X, memory
} switched;

static double *take(double **to, const double *from, int n)
{
    double *at = *to;
    memcpy(at, from, (size_t)n * sizeof *at);
    *to += n;
    return at;
}

// Whole units of alignment that its own data take.
static size_t held_size(const hol_element *e)
{
    const size_t unit = sizeof(max_align_t);
    return e->type->held ? (e->type->held_size + unit - 1) / unit * unit : 0;
}

// Never the data of another switched model, which goes when this one is made.
static hol_status take_held(hol_context *ctx, const double *mem, switched *s)
{
    size_t size = 0;
    for (int i = 0; i < s->m.n_elements; i++) size += held_size(&s->m.element[i]);
    unsigned char *to = s->held = hol_calloc(ctx, size + 1, 1);
    for (int i = 0; i < s->m.n_elements && to; i++) {
        hol_element *e = &s->m.element[i];
        if (!e->type->held) continue;
        e->data = e->type->held(e->data, mem + e->mem, to);
        to += held_size(e);
    }
    return to ? HOL_OK : HOL_ERR_MEMORY;
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
    if (s->m.element) memcpy(s->m.element, m->element, (size_t)m->n_elements * sizeof *m->element);
    if (!s->m.element || !s->m.row_element || take_held(ctx, mem, s)) {
        hol_model_unswitch(&s->m);
        return NULL;
    }
    double *at = s->number;
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
    hol_free(((switched *)m)->held);
    hol_free(m);
}
