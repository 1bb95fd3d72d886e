// Blocks of a report page, each deflated on its own by zlib into one growing piece of memory, and base64 of it: three bytes
// become four letters.
#include "io/pack.h"

#define ZLIB_CONST
#include <zlib.h>

enum { CHUNK = 1 << 16 };

static void *take(void *ctx, unsigned n, unsigned size) { return hol_calloc(ctx, n, size); }

static void give(void *ctx, void *memory)
{
    (void)ctx;
    hol_free(memory);
}

static void fail(hol_pack *p, hol_status st)
{
    if (!p->status) p->status = hol_fail(p->ctx, st, "out of memory");
}

// Room for a chunk behind the data.
static bool make_room(hol_pack *p)
{
    const int chunks = (int)(p->n / CHUNK) + 2;
    unsigned char *data = hol_grow(p->ctx, p->data, &p->chunks, chunks, CHUNK);
    if (data)
        p->data = data;
    else
        fail(p, HOL_ERR_MEMORY);
    return data != NULL;
}

void hol_pack_begin(hol_pack *p, const char *name)
{
    if (p->status) return;
    hol_pack_block *block = hol_grow(p->ctx, p->block, &p->block_room, p->n_blocks + 1, sizeof *block);
    z_stream *z = block ? hol_calloc(p->ctx, 1, sizeof *z) : NULL;
    if (block) p->block = block;
    if (z) {
        z->zalloc = take;
        z->zfree = give;
        z->opaque = p->ctx;
        p->stream = z;
    }
    if (!z || deflateInit(z, Z_DEFAULT_COMPRESSION) != Z_OK) {
        hol_free(z);
        p->stream = NULL;
        fail(p, HOL_ERR_MEMORY);
        return;
    }
    block[p->n_blocks++] = (hol_pack_block){name, p->n, 0, 0};
}

// Deflates what is waiting, in pieces, until the stream has taken all.
static void deflate_all(hol_pack *p, int flush)
{
    z_stream *z = p->stream;
    int code = Z_OK;
    do {
        if (!make_room(p)) return;
        z->next_out = p->data + p->n;
        z->avail_out = CHUNK;
        code = deflate(z, flush);
        p->n += CHUNK - z->avail_out;
    } while (z->avail_out == 0 || (flush == Z_FINISH && code != Z_STREAM_END));
}

void hol_pack_put(hol_pack *p, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    z_stream *z = p->stream;
    if (p->status) return;
    p->block[p->n_blocks - 1].raw += n;
    while (n && !p->status) {
        const size_t part = n < (1u << 30) ? n : 1u << 30;
        z->next_in = from;
        z->avail_in = (unsigned)part;
        deflate_all(p, Z_NO_FLUSH);
        from += part;
        n -= part;
    }
}

hol_status hol_pack_end(hol_pack *p)
{
    z_stream *z = p->stream;
    if (!z) return p->status;
    z->avail_in = 0;
    if (!p->status) deflate_all(p, Z_FINISH);
    deflateEnd(z);
    hol_free(z);
    p->stream = NULL;
    hol_pack_block *b = &p->block[p->n_blocks - 1];
    b->bytes = p->n - b->offset;
    return p->status;
}

void hol_pack_planes(hol_pack *p, const char *name, const void *numbers, size_t n, size_t size)
{
    unsigned char chunk[4096];
    const unsigned char *byte = numbers;
    hol_pack_begin(p, name);
    for (size_t plane = 0; plane < size; plane++)
        for (size_t k = 0; k < n && !p->status;) {
            size_t m = 0;
            for (; m < sizeof chunk && k < n; k++) chunk[m++] = byte[k * size + plane];
            hol_pack_put(p, chunk, m);
        }
    hol_pack_end(p);
}

void hol_pack_free(hol_pack *p)
{
    hol_pack_end(p);
    hol_free(p->data);
    hol_free(p->block);
    *p = (hol_pack){0};
}

// ---- base64 ---------------------------------------------------------------------------------------------------

bool hol_base64_write(FILE *file, const unsigned char *data, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4 * 1024];
    size_t m = 0;
    for (size_t i = 0; i < n; i += 3) {
        const size_t left = n - i;
        const unsigned x = (unsigned)data[i] << 16 | (left > 1 ? (unsigned)data[i + 1] << 8 : 0) |
                           (left > 2 ? (unsigned)data[i + 2] : 0);
        text[m++] = digits[x >> 18];
        text[m++] = digits[x >> 12 & 63];
        text[m++] = left > 1 ? digits[x >> 6 & 63] : '=';
        text[m++] = left > 2 ? digits[x & 63] : '=';
        if (m == sizeof text && fwrite(text, 1, m, file) != m) return false;
        if (m == sizeof text) m = 0;
    }
    return fwrite(text, 1, m, file) == m;
}
