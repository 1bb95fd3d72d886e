// A run's rows kept in memory: what a file would hold, as the result that a reader would make of it.
#include "io/record.h"
#include "io/number_text.h"
#include "io/result.h"
#include "io/summary.h"

#include <math.h>
#include <string.h>

enum { AHEAD = 4096, SUMMARY = 4000 }; // rows there is room for before the first step, at most; [B]

typedef struct {
    hol_result_data result; // first: who destroys the result frees all
    const hol_dynamics *d;
} recorder;

static hol_status row(void *data, double t, const double *value, int n)
{
    recorder *r = data;
    double *out = hol_result_rows(&r->result, 1);
    if (!out) return HOL_ERR_MEMORY;
    out[0] = t;
    memcpy(out + 1, value, (size_t)n * sizeof *out);
    r->result.r.n_rows++;
    return HOL_OK;
}

// The names are copies, as those of columns.
static hol_status contact(void *data, const hol_contact_event *event)
{
    recorder *r = data;
    hol_result_data *out = &r->result;
    hol_contact_event e = *event;
    e.name = hol_arena_copy(out->arena, e.name, strlen(e.name));
    e.pair = hol_arena_copy(out->arena, e.pair, strlen(e.pair));
    if (!e.name || !e.pair ||
        !HOL_GROW(out->ctx, out->r.contact, out->contact_capacity, out->r.n_contacts + 1))
        return HOL_ERR_MEMORY;
    out->r.contact[out->r.n_contacts++] = e;
    return HOL_OK;
}

// What is known when the run is over.
static hol_status close_record(void *data)
{
    recorder *r = data;
    char text[SUMMARY];
    hol_summary_text(r->d, text, sizeof text);
    hol_status st = hol_result_add_note(&r->result, "summary", text);
    if (!st && r->d->stats.status)
        st = hol_result_add_note(&r->result, "stopped", hol_context_error(r->d->ctx));
    r->d = NULL;
    return st;
}

// The time, and the signals, by copies of their names.
static hol_status add_columns(hol_result_data *out, const hol_signals *g)
{
    hol_status st = hol_result_columns(out, g->n + 1);
    for (int i = 0; i <= g->n && !st; i++) {
        const char *name = i ? g->column[i - 1].name : "t", *unit = i ? g->column[i - 1].unit : "s";
        out->r.name[i] = hol_arena_copy(out->arena, name, strlen(name));
        out->r.unit[i] = hol_arena_copy(out->arena, unit, strlen(unit));
        if (!out->r.name[i] || !out->r.unit[i]) st = HOL_ERR_MEMORY;
    }
    for (int i = 0; i <= g->n && !st; i++) {
        const char *shown = i ? g->column[i - 1].shown : g->time_shown;
        const double factor = i ? g->column[i - 1].factor : g->time_factor;
        if (strcmp(shown, out->r.unit[i]) != 0) st = hol_result_show(out, i, shown, factor);
    }
    return st;
}

// The notes that files have, numbers as text.
static hol_status add_notes(hol_result_data *out, const hol_dynamics *d)
{
    hol_run_note note[HOL_RUN_NOTES];
    char number[32];
    hol_arena *scratch = hol_arena_create(out->ctx);
    const int n = scratch ? hol_run_notes(d, scratch, note) : 0;
    hol_status st = n ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++) {
        if (!note[i].text) hol_number_text(note[i].number, number);
        st = hol_result_add_note(out, note[i].key, note[i].text ? note[i].text : number);
    }
    hol_arena_destroy(scratch);
    out->r.title = hol_result_note(&out->r, "title");
    return st;
}

hol_status hol_record_open(hol_context *ctx, const hol_dynamics *d, hol_sink *out, hol_result **result)
{
    recorder *r = hol_calloc(ctx, 1, sizeof *r);
    if (!r) return HOL_ERR_MEMORY;
    r->d = d;
    hol_result_data *data = &r->result;
    hol_status st = hol_result_begin(data, ctx, d->m->spec->file);
    if (!st) st = add_columns(data, &d->signals);
    if (!st) st = add_notes(data, d);
    if (!st && !hol_result_rows(data, (size_t)fmin(hol_settings_rows(&d->set), AHEAD))) st = HOL_ERR_MEMORY;
    if (st) {
        hol_result_destroy(&data->r);
        return st;
    }
    data->r.n_contacts = 0;
    *out = (hol_sink){r, row, close_record, contact};
    *result = &data->r;
    return HOL_OK;
}
