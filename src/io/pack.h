// Blocks of bytes, each deflated on its own (zlib format, as browsers read it), one after another in memory; and base64.
#ifndef HOL_PACK_H
#define HOL_PACK_H

#include "base/base.h"

#include <stdio.h>

typedef struct hol_pack_block {
    const char *name;          // not copied
    size_t offset, bytes, raw; // of the deflated block in the data; length before [B]
} hol_pack_block;

typedef struct hol_pack {
    hol_context *ctx;
    hol_status status; // the first failure; what is put in afterwards is ignored
    void *stream;      // of the block that is open
    size_t n;
    int chunks;          // room there is
    unsigned char *data; // (n)
    int n_blocks, block_room;
    hol_pack_block *block; // (n_blocks)
} hol_pack;

void hol_pack_begin(hol_pack *p, const char *name);
void hol_pack_put(hol_pack *p, const void *bytes, size_t n);
hol_status hol_pack_end(hol_pack *p);
// Numbers of `size` bytes as planes: byte 0 of all of them first. Of a little-endian machine's doubles, say.
void hol_pack_planes(hol_pack *p, const char *name, const void *numbers, size_t n, size_t size);
void hol_pack_free(hol_pack *p);

// False: the file cannot be written.
bool hol_base64_write(FILE *file, const unsigned char *data, size_t n);

#endif
