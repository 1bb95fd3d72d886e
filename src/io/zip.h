// An archive of files (ZIP, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT), each deflated by zlib: what FMUs are.
#ifndef HOL_ZIP_H
#define HOL_ZIP_H

#include "base/file.h"

// The same files make the same archive, to the byte: all have the date 1980-01-01.
typedef struct hol_zip {
    hol_context *ctx;
    const char *path;
    hol_output out;
    hol_status status; // the first failure; what is added afterwards is ignored
    size_t at;         // bytes written
    int n, entry_room;
    struct hol_zip_entry *entry; // (n)
} hol_zip;

// The archive appears under the name when it is closed without a failure.
hol_status hol_zip_open(hol_context *ctx, const char *path, hol_zip *zip);
// name: with '/' between folders; not copied.
hol_status hol_zip_add(hol_zip *zip, const char *name, const void *bytes, size_t n);
hol_status hol_zip_close(hol_zip *zip);

#endif
