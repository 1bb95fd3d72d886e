// Archives: an entry is a head and its deflated bytes; behind all of them stands the directory, which has the heads again.
#include "io/zip.h"

#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum {
    LOCAL = 30,
    CENTRAL = 46,
    END = 22,          // bytes of a head, of one in the directory, of what stands behind that
    VERSION = 20,      // 2.0: folders, deflate
    DEFLATED = 8,      // the method
    UTF8 = 1 << 11,    // flag: names are in UTF-8
    UNIX = 3 << 8,     // who made it, and so what the attributes mean
    DATE = 1 << 5 | 1, // 1980-01-01
    MOST = 65535       // entries
};
#define LARGEST 0xffffffffu                  // bytes of an archive
#define PLAIN_FILE ((unsigned)0100644 << 16) // attributes

typedef struct hol_zip_entry {
    const char *name;
    unsigned at, crc, packed, raw;
} hol_zip_entry;

static unsigned char *put2(unsigned char *p, unsigned x)
{
    p[0] = (unsigned char)x;
    p[1] = (unsigned char)(x >> 8);
    return p + 2;
}

static unsigned char *put4(unsigned char *p, unsigned x) { return put2(put2(p, x & 0xffff), x >> 16); }

// What heads of both kinds have from the version that is needed up to the length of the name.
static unsigned char *put_entry(unsigned char *p, const hol_zip_entry *e)
{
    p = put2(put2(put2(p, VERSION), UTF8), DEFLATED);
    p = put4(put4(put4(put2(put2(p, 0), DATE), e->crc), e->packed), e->raw);
    return put2(p, (unsigned)strlen(e->name));
}

static void put_bytes(hol_zip *zip, const void *bytes, size_t n)
{
    if (zip->status) return;
    if (n > LARGEST - zip->at)
        zip->status = hol_fail(zip->ctx, HOL_ERR_USAGE, "%s: an archive has at most 4 GB", zip->path);
    else if (fwrite(bytes, 1, n, zip->out.file) != n)
        snprintf(zip->out.why, sizeof zip->out.why, "not all of it could be written"),
            zip->status = hol_output_fail(zip->ctx, &zip->out, zip->path);
    zip->at += n;
}

hol_status hol_zip_open(hol_context *ctx, const char *path, hol_zip *zip)
{
    *zip = (hol_zip){.ctx = ctx, .path = path};
    return hol_output_open(ctx, &zip->out, path, HOL_OUTPUT_WHOLE) ? HOL_OK
                                                                   : hol_output_fail(ctx, &zip->out, path);
}

// The bytes deflated, without zlib's own head; NULL: no memory.
static unsigned char *pack(hol_context *ctx, const void *bytes, size_t n, unsigned *packed)
{
    z_stream z = {0};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY)) {
        hol_fail(ctx, HOL_ERR_MEMORY, "out of memory");
        return NULL;
    }
    const size_t room = deflateBound(&z, (unsigned long)n);
    unsigned char *out = room <= LARGEST ? hol_calloc(ctx, room + 1, 1) : NULL;
    if (out) {
        z.next_in = bytes, z.avail_in = (unsigned)n;
        z.next_out = out, z.avail_out = (unsigned)room;
        deflate(&z, Z_FINISH);
        *packed = (unsigned)z.total_out;
    }
    deflateEnd(&z);
    return out;
}

hol_status hol_zip_add(hol_zip *zip, const char *name, const void *bytes, size_t n)
{
    unsigned char head[LOCAL];
    if (zip->status) return zip->status;
    if (n > LARGEST / 2 || zip->n == MOST)
        return zip->status = hol_fail(zip->ctx, HOL_ERR_USAGE, "%s: \"%s\" is too much for an archive",
                                      zip->path, name);
    hol_zip_entry e = {name, (unsigned)zip->at, (unsigned)crc32(0, bytes, (unsigned)n), 0, (unsigned)n};
    unsigned char *packed = pack(zip->ctx, bytes, n, &e.packed);
    if (!packed || !HOL_GROW(zip->ctx, zip->entry, zip->entry_room, zip->n + 1)) {
        hol_free(packed);
        return zip->status = HOL_ERR_MEMORY;
    }
    zip->entry[zip->n++] = e;
    put2(put_entry(put4(head, 0x04034b50), &e), 0);
    put_bytes(zip, head, LOCAL);
    put_bytes(zip, name, strlen(name));
    put_bytes(zip, packed, e.packed);
    hol_free(packed);
    return zip->status;
}

// The directory, and where it is.
static void put_directory(hol_zip *zip)
{
    const size_t begin = zip->at;
    unsigned char head[CENTRAL];
    for (int i = 0; i < zip->n; i++) {
        const hol_zip_entry *e = &zip->entry[i];
        unsigned char *p = put_entry(put2(put4(head, 0x02014b50), UNIX | VERSION), e);
        p = put2(put2(put2(put2(p, 0), 0), 0), 0);
        put4(put4(p, PLAIN_FILE), e->at);
        put_bytes(zip, head, CENTRAL);
        put_bytes(zip, e->name, strlen(e->name));
    }
    const unsigned n = (unsigned)zip->n;
    unsigned char *p = put2(put2(put2(put2(put4(head, 0x06054b50), 0), 0), n), n);
    put2(put4(put4(p, (unsigned)(zip->at - begin)), (unsigned)begin), 0);
    put_bytes(zip, head, END);
}

hol_status hol_zip_close(hol_zip *zip)
{
    put_directory(zip);
    if (!hol_output_close(&zip->out, !zip->status) && !zip->status)
        zip->status = hol_output_fail(zip->ctx, &zip->out, zip->path);
    hol_free(zip->entry);
    return zip->status;
}
