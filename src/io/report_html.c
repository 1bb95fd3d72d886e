// A report page as HTML.
#include "io/report_data.h"
#include "io/report_page.h"

#include <stdio.h>
#include <string.h>

static void write_escaped(FILE *f, const char *text)
{
    for (; *text; text++)
        if (strchr("&<>\"'", *text))
            fprintf(f, "&#%d;", *text);
        else
            putc(*text, f);
}

static void write_head(FILE *f, const hol_pack *pack)
{
    fprintf(f, "{\"format\":1,\"blocks\":{");
    for (int i = 0; i < pack->n_blocks; i++) {
        const hol_pack_block *b = &pack->block[i];
        fprintf(f, "%s\"%s\":{\"offset\":%zu,\"bytes\":%zu,\"raw\":%zu}", i ? "," : "", b->name, b->offset,
                b->bytes, b->raw);
    }
    fprintf(f, "}}");
}

// The page with its title, head and data in their places; false: it could not be written.
static bool write_page(FILE *f, const char *title, const hol_pack *pack)
{
    static const char *const place[] = {"<!--TITLE-->", "<!--HEAD-->", "<!--DATA-->"};
    const char *from = hol_report_page;
    bool good = true;
    for (int i = 0; i < HOL_COUNT(place); i++) {
        const char *to = strstr(from, place[i]);
        if (!to) return false; // the build checks them
        fwrite(from, 1, (size_t)(to - from), f);
        if (i == 0) write_escaped(f, title);
        if (i == 1) write_head(f, pack);
        if (i == 2) good = hol_base64_write(f, pack->data, pack->n);
        from = to + strlen(place[i]);
    }
    fwrite(from, 1, strlen(from), f);
    return good && !ferror(f);
}

hol_status hol_page_write(hol_page *p, const char *path, hol_output *output, const hol_pack *pack)
{
    const bool good = write_page(output->file, p->title, pack);
    return hol_output_close(output, good) ? HOL_OK : hol_output_fail(p->ctx, output, path);
}
