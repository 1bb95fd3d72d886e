// Pictures drawn by another program (gnuplot, Graphviz): its commands are a temporary file at its standard input, the
// picture is read from a pipe and put into its place when it is whole.
#include "cli/pipe.h"
#include "base/file.h"
#include "cli/names.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 };

typedef struct {
    char *data;
    size_t size; // bytes
} bytes;

static int fail_errno(const char *what)
{
    fprintf(stderr, "holonom: error: %s: %s\n", what, strerror(errno));
    return 1;
}

// The child: commands from `in`, the picture to `out`.
static void become(char *const *argv, int in, int out)
{
    signal(SIGPIPE, SIG_DFL);
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0) execvp(argv[0], argv);
    _exit(NOT_FOUND);
}

// All that comes out of a pipe.
static bool read_all(int from, bytes *picture)
{
    char part[16384];
    FILE *memory = open_memstream(&picture->data, &picture->size);
    if (!memory) return false;
    ssize_t n;
    while ((n = read(from, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0) fwrite(part, 1, (size_t)n, memory);
    const bool good = n == 0 && !ferror(memory);
    return fclose(memory) == 0 && good;
}

// Waits for the program and says what went wrong.
static int finish(const cli_drawer *d, pid_t child, bool whole)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && whole) return 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        fprintf(stderr,
                "holonom: error: %s are drawn by %s, which is not installed; on Debian: apt install %s\n",
                d->what, d->argv[0], d->package);
    else
        fprintf(stderr, "holonom: error: %s could not draw\n", d->argv[0]);
    return 1;
}

// Runs the program and reads all it writes.
static int start(const cli_drawer *d, FILE *commands, bytes *picture)
{
    int ends[2];
    if (pipe(ends) != 0) return fail_errno("pipe");
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become(d->argv, fileno(commands), ends[1]);
    }
    close(ends[1]);
    const int code = child < 0 ? fail_errno(d->argv[0]) : 0;
    const bool whole = !code && read_all(ends[0], picture) && picture->size;
    close(ends[0]);
    return code ? code : finish(d, child, whole);
}

static int save(hol_context *ctx, const bytes *picture, const char *path)
{
    hol_output o;
    const bool written = hol_output_open(ctx, &o, path, HOL_OUTPUT_WHOLE) &&
                         fwrite(picture->data, 1, picture->size, o.file) == picture->size;
    return hol_output_close(&o, written) ? 0 : cli_not_written(path, o.why);
}

// Writes the commands, has them drawn, and saves the picture.
int cli_draw(hol_context *ctx, const cli_drawer *d, const char *path)
{
    bytes picture = {NULL, 0};
    FILE *commands = tmpfile(); // not a pipe: two pipes to one program can wait for each other
    if (!commands) return fail_errno("temporary file");
    d->write(commands, d->user);
    const bool good = fflush(commands) == 0 && !ferror(commands) && lseek(fileno(commands), 0, SEEK_SET) == 0;
    int code = good ? start(d, commands, &picture) : fail_errno("temporary file");
    if (!code) code = save(ctx, &picture, path);
    fclose(commands);
    free(picture.data);
    return code;
}
