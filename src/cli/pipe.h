// Pictures drawn by another program: its commands are its standard input, the picture is its standard output.
#ifndef CLI_PIPE_H
#define CLI_PIPE_H

#include "holonom.h"
#include <stdio.h>

typedef struct cli_drawer {
    char *const *argv;   // argv[0]: the program; NULL at the end. No name passes through a shell.
    const char *what;    // "plots", for messages
    const char *package; // Debian's
    void (*write)(FILE *commands, void *user);
    void *user;
} cli_drawer;

// Draws the file, which is opened when the picture is whole: a failure leaves none. 0, or 1 with the message on stderr.
int cli_draw(hol_context *ctx, const cli_drawer *d, const char *path);

#endif
