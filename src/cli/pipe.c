// See pipe.h.
#include "cli/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 };

static int fail_errno(const char *what)
{
    fprintf(stderr, "holonom: error: %s: %s\n", what, strerror(errno));
    return 1;
}

// The child: commands from `in`, the picture to `out`.
static void become(char *const *argv, int in, int out)
{
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0) execvp(argv[0], argv);
    _exit(NOT_FOUND);
}

static int finish(const cli_drawer *d, pid_t child, const char *path)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    unlink(path); // what there is of it is no picture
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        fprintf(stderr,
                "holonom: error: %s are drawn by %s, which is not installed; on Debian: apt install %s\n",
                d->what, d->argv[0], d->package);
    else
        fprintf(stderr, "holonom: error: %s could not draw %s\n", d->argv[0], path);
    return 1;
}

int cli_draw(const cli_drawer *d, const char *path)
{
    int ends[2];
    const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0) return fail_errno(path);
    if (pipe(ends) != 0) {
        close(out);
        return fail_errno("pipe");
    }
    signal(SIGPIPE, SIG_IGN); // the program may end early; its exit status says so
    const pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        become(d->argv, ends[0], out);
    }
    close(out);
    close(ends[0]);
    FILE *commands = child > 0 ? fdopen(ends[1], "w") : NULL;
    if (!commands) {
        close(ends[1]);
        return fail_errno(d->argv[0]);
    }
    d->write(commands, d->user);
    fclose(commands);
    return finish(d, child, path);
}
