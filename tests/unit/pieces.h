// A text that comes in pieces, for unit tests and fuzz targets.
#ifndef HOL_PIECES_H
#define HOL_PIECES_H

#include <stdlib.h>
#include <string.h>

typedef struct {
    char *text; // NULL: none has come; to be freed
    size_t n;
} pieces;

// A hol_print_fn.
static inline void add_piece(void *user, const char *piece)
{
    pieces *t = user;
    const size_t n = strlen(piece);
    t->text = realloc(t->text, t->n + n + 1);
    if (!t->text) abort();
    memcpy(t->text + t->n, piece, n + 1);
    t->n += n;
}

#endif
