// The table of contacts: comment lines with #, one line of names, a line for each contact as it ends. All numbers are in SI.
#include "io/contacts_file.h"
#include "base/file.h"
#include "io/number_text.h"
#include "io/table.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define COLUMN(name, unit, doc)                                                                              \
    {                                                                                                        \
#name, unit, doc, offsetof(hol_contact_event, name)                                                  \
    }
const hol_contact_column hol_contact_columns[] = {COLUMN(onset, "s", "when it begins"),
                                                  COLUMN(end, "s", "when it ends"),
                                                  COLUMN(v_i, "m/s", "speed of coming together at the onset"),
                                                  COLUMN(v_end, "m/s", "speed of going apart at the end"),
                                                  COLUMN(depth, "m", "the largest"),
                                                  COLUMN(impulse, "N s", "of the normal force"),
                                                  COLUMN(damping, "J", "what damping has taken"),
                                                  COLUMN(friction, "J", "what friction has taken"),
                                                  COLUMN(slid, "m", "length of the way along each other")};
const int hol_n_contact_columns = HOL_COUNT(hol_contact_columns);

double hol_contact_number(const hol_contact_event *e, int column)
{
    double x;
    memcpy(&x, (const char *)e + hol_contact_columns[column].offset, sizeof x);
    return x;
}

const char *hol_contact_edge_word(hol_contact_edge edge, bool ends)
{
    static const char *const words[HOL_CONTACT_EDGES][2] = {
        [HOL_EDGE_MET] = {"met", "parted"},
        [HOL_EDGE_RUN] = {"start", "end"},
        [HOL_EDGE_SWITCHED] = {"switched on", "switched off"}};
    return (unsigned)edge < HOL_CONTACT_EDGES ? words[edge][ends] : NULL;
}

void hol_contacts_text(const hol_statistics *s, char *text, size_t size)
{
    if (!text || size == 0) return;
    *text = 0;
    if (!s || !s->contact_deepest) return;
    char of[80] = "";
    const char *also = s->contact_searches == 0 ? ""
                       : s->contacts            ? " and of very many pairs"
                                                : " of very many pairs";
    if (s->contacts || s->contact_searches == 0)
        snprintf(of, sizeof of, " of %d contact%s", s->contacts, s->contacts == 1 ? "" : "s");
    hol_decimal_print(text, size,
                      "%ld onset%s%s%s, at most %.3g m deep (%s); damping has taken %.3g J, friction %.3g J",
                      s->contact_onsets, s->contact_onsets == 1 ? "" : "s", of, also, s->contact_depth,
                      s->contact_deepest, s->contact_damping, s->contact_friction);
}

// ---- the file ---------------------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    const hol_dynamics *d;
    hol_output output;
    char *path;
    double flushed; // when [s]
} table;

static hol_status fail(const table *o)
{
    return hol_fail(o->ctx, HOL_ERR_IO, "%s: cannot be written: %s%s", o->path, strerror(errno),
                    hol_output_lost(&o->output));
}

// Name, shapes, how it begins and ends, numbers.
static hol_status line(void *data, const hol_contact_event *e)
{
    table *o = data;
    FILE *f = o->output.file;
    char text[32];
    fprintf(f, "%s,%s,%s,%s", e->name, e->pair, hol_contact_edge_word(e->begins, false),
            hol_contact_edge_word(e->ends, true));
    for (int i = 0; i < hol_n_contact_columns; i++) {
        hol_number_text(hol_contact_number(e, i), text);
        fprintf(f, ",%s", text);
    }
    bool good = putc('\n', f) != EOF;
    if (good && hol_flush_due(&o->flushed)) good = fflush(f) == 0;
    return good ? HOL_OK : fail(o);
}

static hol_status close_table(void *data)
{
    table *o = data;
    hol_status st = hol_csv_tail(o->output.file, o->d) ? HOL_OK : fail(o);
    if (!hol_output_close(&o->output, true) && !st) st = hol_output_fail(o->ctx, &o->output, o->path);
    hol_free(o->path);
    hol_free(o);
    return st;
}

// Comment lines, units, names.
static bool write_head(FILE *f, const hol_dynamics *d)
{
    hol_csv_head(f, d);
    fprintf(f,
            "# contacts: a line for each when it ends, those that last at the end of the run behind them\n");
    fprintf(f, "# units: 1,1,1,1");
    for (int i = 0; i < hol_n_contact_columns; i++) fprintf(f, ",%s", hol_contact_columns[i].unit);
    fprintf(f, "\ncontact,pair,begins,ends");
    for (int i = 0; i < hol_n_contact_columns; i++) fprintf(f, ",%s", hol_contact_columns[i].name);
    return putc('\n', f) != EOF && fflush(f) == 0;
}

hol_status hol_contacts_check_name(hol_context *ctx, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    const char *dot = strrchr(path, '.');
    hol_context_clear(ctx);
    if (dot && strcmp(dot, ".csv") == 0) return HOL_OK;
    return hol_fail(ctx, HOL_ERR_USAGE, "%s: the table of contacts is a text; give a name that ends in .csv",
                    path);
}

hol_status hol_contacts_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out)
{
    hol_status st = hol_contacts_check_name(ctx, path);
    table *o = st ? NULL : hol_calloc(ctx, 1, sizeof *o);
    if (!o) return st ? st : HOL_ERR_MEMORY;
    o->ctx = ctx;
    o->d = d;
    o->path = hol_calloc(ctx, strlen(path) + 1, 1);
    if (!o->path) {
        hol_free(o);
        return HOL_ERR_MEMORY;
    }
    memcpy(o->path, path, strlen(path));
    if (!hol_output_open(ctx, &o->output, path, HOL_OUTPUT_GROWS))
        st = hol_output_fail(ctx, &o->output, path);
    else if (!write_head(o->output.file, d))
        st = fail(o);
    else if (!hol_output_place(&o->output))
        st = hol_output_fail(ctx, &o->output, path);
    *out = (hol_sink){.data = o, .close = close_table, .contact = line};
    if (!st) return HOL_OK;
    (void)hol_output_close(&o->output, false);
    hol_free(o->path);
    hol_free(o);
    return st;
}
