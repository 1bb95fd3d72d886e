// Files that are read and written. What is written stands beside its name until it is whole, under a lock (flock), and
// then takes the name. Two names are one place if device and inode agree; where nothing is there yet, if the folders
// and the last parts do. Locks belong to an open file, not to a process: they are seen by other writers of the same process.
#define _XOPEN_SOURCE 700 // realpath
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(char *why, size_t size, int error)
{
    if (strerror_r(error, why, size) != 0) snprintf(why, size, "error %d", error);
}

// ---- reading --------------------------------------------------------------------------------------------------

// A pipe that somebody writes to, as a shell's; one to which nobody does would be waited for without end. NULL: why not.
static FILE *open_pipe(const char *path, char *why, size_t size)
{
    char first;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, &first, 1);
    const int error = errno, flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    const bool writer = n > 0 || (n < 0 && fd >= 0 && (error == EAGAIN || error == EWOULDBLOCK));
    FILE *file =
        writer && flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0 ? fdopen(fd, "rb") : NULL;
    if (file && (n <= 0 || ungetc((unsigned char)first, file) != EOF)) return file;
    if (n == 0)
        snprintf(why, size, "it is a pipe to which nothing is written; the standard input is read by -");
    else
        say(why, size, error);
    if (file)
        fclose(file);
    else if (fd >= 0)
        close(fd);
    return NULL;
}

FILE *hol_open_input(const char *path, bool pipes, long long most, char *why, size_t size)
{
    struct stat about;
    const char *what = NULL;
    errno = 0;
    if (stat(path, &about) != 0) {
        say(why, size, errno);
        return NULL;
    }
    const bool pipe = S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode);
    if (S_ISDIR(about.st_mode)) {
        say(why, size, EISDIR);
        return NULL;
    }
    if (S_ISFIFO(about.st_mode) && pipes) return open_pipe(path, why, size);
    if (pipe && !pipes)
        what = "it is a pipe, a file is wanted";
    else if (S_ISBLK(about.st_mode))
        what = "it is a device, not a file";
    FILE *file = what ? NULL : fopen(path, "rb");
    if (!what && !file) {
        say(why, size, errno);
        return NULL;
    }
    if (!what && S_ISCHR(about.st_mode) && !(pipes && isatty(fileno(file))))
        what = "it is a device, not a file";
    if (!what && most > 0 && S_ISREG(about.st_mode) && about.st_size > most) {
        snprintf(why, size, "it has %lld MB, the most is %lld MB", (long long)about.st_size >> 20,
                 most >> 20);
        fclose(file);
        return NULL;
    }
    if (!what) return file;
    if (file) fclose(file);
    snprintf(why, size, "%s", what);
    return NULL;
}

// ---- places ---------------------------------------------------------------------------------------------------

enum { MOST_LINKS = 40, LONGEST = 4096 };

// Where a link points, step by step; false: `path` is no link.
static bool follow(char *path)
{
    char to[LONGEST];
    const ssize_t n = readlink(path, to, sizeof to - 1);
    if (n <= 0) return false;
    to[n] = 0;
    const char *slash = strrchr(path, '/');
    const size_t folder = *to != '/' && slash ? (size_t)(slash - path) + 1 : 0;
    if (folder + (size_t)n >= LONGEST) return false;
    memcpy(path + folder, to, (size_t)n + 1);
    return true;
}

// The folder of a path, and the name in it.
static const char *split(char *path, struct stat *folder, bool *there)
{
    char *slash = strrchr(path, '/');
    if (!slash) {
        *there = stat(".", folder) == 0;
        return path;
    }
    const char kept = slash[1];
    slash[1] = 0;
    *there = stat(path, folder) == 0;
    slash[1] = kept;
    return slash + 1;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool hol_same_place(const char *a, const char *b)
{
    struct stat x, y;
    const bool a_there = stat(a, &x) == 0, b_there = stat(b, &y) == 0;
    if (a_there && b_there) return S_ISREG(x.st_mode) && same_file(&x, &y);
    if (a_there || b_there) return false;
    if (strcmp(a, b) == 0) return true;
    char *p = malloc(LONGEST), *q = malloc(LONGEST);
    bool same = false;
    if (p && q && strlen(a) < LONGEST && strlen(b) < LONGEST) {
        bool folders[2];
        memcpy(p, a, strlen(a) + 1);
        memcpy(q, b, strlen(b) + 1);
        for (int i = 0; i < MOST_LINKS && follow(p); i++) {
        }
        for (int i = 0; i < MOST_LINKS && follow(q); i++) {
        }
        const char *name = split(p, &x, &folders[0]), *other = split(q, &y, &folders[1]);
        same = folders[0] && folders[1] && same_file(&x, &y) && strcmp(name, other) == 0;
    }
    free(p);
    free(q);
    return same;
}

// The folder that a file is in, by its whole name; to be freed with free().
static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash ? strndup(file, (size_t)(slash - file) + 1) : NULL;
    char *whole = !slash || folder ? realpath(slash ? folder : ".", NULL) : NULL;
    free(folder);
    return whole;
}

char *hol_folder_way(hol_context *ctx, const char *from, const char *to)
{
    char *a = folder_of(from), *b = folder_of(to), *way = NULL;
    size_t same = 0, up = 0, n = 0;
    for (size_t i = 0; a && b; i++) { // up to the last slash, or end, of both
        const bool end_a = !a[i] || a[i] == '/', end_b = !b[i] || b[i] == '/';
        if (end_a && end_b) same = i;
        if (a[i] != b[i] || !a[i]) break;
    }
    for (const char *p = a && b ? a + same : ""; *p; p++) up += *p == '/' && p[1];
    const char *down = a && b ? b + same : "";
    way = hol_calloc(ctx, 3 * up + strlen(down) + 2, 1);
    for (; way && up; up--, n += 3) memcpy(way + n, "../", 3);
    down += *down == '/';
    if (way && *down) {
        memcpy(way + n, down, strlen(down));
        way[n + strlen(down)] = '/';
    }
    free(a);
    free(b);
    return way;
}

static bool is_folder(const char *path, const char *folder)
{
    char *a = realpath(path, NULL), *b = realpath(folder, NULL);
    const bool same = a && b && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

// N of /dev/fd/N and its other names; -1: `path` is none.
static int number_of(char *path)
{
    char *slash = strrchr(path, '/'), *end;
    const char *name = slash ? slash + 1 : path;
    if (*name < '0' || *name > '9') return -1;
    const long number = strtol(name, &end, 10);
    if (*end || number > INT_MAX) return -1;
    if (slash) *slash = 0;
    const char *folder = !slash ? "." : *path ? path : "/";
    const bool found = is_folder(folder, "/dev/fd") || is_folder(folder, "/proc/thread-self/fd");
    if (slash) *slash = '/';
    return found ? (int)number : -1;
}

// Follows links to the file itself, which need not be there. Returns the descriptor if they lead to one, -1 otherwise.
static int resolve(char *path)
{
    if (strcmp(path, "-") == 0) return STDOUT_FILENO;
    int number = number_of(path);
    for (int i = 0; number < 0 && i < MOST_LINKS && follow(path); i++) number = number_of(path);
    return number;
}

bool hol_is_replaceable(const char *path)
{
    struct stat there;
    char *name = strlen(path) < LONGEST ? malloc(LONGEST) : NULL;
    if (name) memcpy(name, path, strlen(path) + 1);
    const int stream = name ? resolve(name) : -1;
    free(name);
    return stream < 0 && (stat(path, &there) != 0 || S_ISREG(there.st_mode));
}

// ---- writing --------------------------------------------------------------------------------------------------

// Keeps the reason: two numbers of errors have words of our own.
static bool fail(hol_output *o, int error)
{
    if (error == EWOULDBLOCK)
        snprintf(o->why, sizeof o->why,
                 "it is being written already; give another name, or wait for the end of "
                 "the run that writes it");
    else if (error == ESPIPE)
        snprintf(
            o->why, sizeof o->why,
            "it is a stream, and such a file is not written from beginning to end; give the name of a file");
    else
        say(o->why, sizeof o->why, error);
    const size_t n = strlen(o->why);
    snprintf(o->why + n, sizeof o->why - n, "%s", hol_output_lost(o));
    return false;
}

const char *hol_output_lost(const hol_output *o)
{
    return o->lost ? "; its folder takes no new file, so it was written in place: what it held is lost" : "";
}

static void forget(hol_output *o)
{
    if (o->held >= 0) close(o->held);
    hol_free(o->target);
    hol_free(o->beside);
    o->held = -1;
    o->target = o->beside = NULL;
}

// Opens and locks. Where the name has come to another file meanwhile, that of the writer before who has just put it into its
// place, once more.
static int take(hol_output *o, const char *path)
{
    struct stat mine, there;
    for (int tries = 0; tries < 100; tries++) {
        // a lock over NFS wants a file that can be read; a pipe opened so would be its own reader
        const bool special = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
        o->held = open(path, (special ? O_WRONLY : O_RDWR | O_CREAT) | O_CLOEXEC, 0666);
        if (o->held < 0 && !special && errno == EACCES)
            o->held = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (o->held < 0 || fstat(o->held, &mine) != 0) return errno;
        if (!S_ISREG(mine.st_mode)) return 0;
        if (flock(o->held, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return EWOULDBLOCK;
        if (stat(path, &there) == 0 && same_file(&mine, &there)) return 0;
        close(o->held);
        o->held = -1;
    }
    return EWOULDBLOCK;
}

// Has another writer the lock of this file? Its own is had for a moment only.
static bool is_locked(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == EACCES) file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(file);
    return locked;
}

// A place has three locks: of the file itself, of the one that will replace it, of a turn. A writer takes one of them and
// looks at the others: before, so that nothing is touched in vain, and behind, when of two that begin at once one sees the other.
static int look_around(hol_context *ctx, const hol_output *o)
{
    enum { TURN = 2 };
    static const char *const endings[] = {"", HOL_BESIDE, [TURN] = HOL_TURN};
    const size_t size = strlen(o->target) + sizeof HOL_BESIDE + sizeof HOL_TURN;
    char *name = hol_calloc(ctx, size, 1);
    if (!name) return ENOMEM;
    bool held = false;
    for (int i = 0; i < HOL_COUNT(endings); i++) {
        snprintf(name, size, "%s%s", o->target, endings[i]);
        const bool own = strcmp(name, hol_output_path(o)) == 0 || (i == TURN && o->kind == HOL_OUTPUT_AGAIN);
        held = held || (!own && is_locked(name));
    }
    hol_free(name);
    return held ? EWOULDBLOCK : 0;
}

// The file itself behind links, or the descriptor, and the name beside it; none where it must be written in place.
static int find_names(hol_context *ctx, hol_output *o, const char *path)
{
    struct stat there;
    const size_t n = strlen(path);
    if (n >= LONGEST) return ENAMETOOLONG;
    o->target = hol_calloc(ctx, LONGEST, 1);
    if (!o->target) return ENOMEM;
    memcpy(o->target, path, n);
    o->stream = resolve(o->target);
    if (o->stream >= 0) return 0;
    const bool exists = stat(path, &there) == 0;
    if (!exists && errno == ELOOP) return ELOOP;
    if (exists && S_ISDIR(there.st_mode)) return EISDIR;
    const size_t size = strlen(o->target) + sizeof HOL_BESIDE + sizeof HOL_TURN;
    if (!exists || S_ISREG(there.st_mode)) {
        o->beside = hol_calloc(ctx, size, 1);
        if (!o->beside) return ENOMEM;
        snprintf(o->beside, size, "%s%s", o->target, o->kind == HOL_OUTPUT_TURN ? HOL_TURN : HOL_BESIDE);
    }
    return exists && access(path, W_OK) != 0 ? errno : 0;
}

// Locks what is to be written, empty from now on.
static int take_file(hol_context *ctx, hol_output *o)
{
    struct stat about;
    int error = look_around(ctx, o);
    if (!error) error = take(o, hol_output_path(o));
    if (o->beside && o->kind != HOL_OUTPUT_TURN &&
        (error == EACCES || error == EROFS || error == ENAMETOOLONG)) {
        hol_free(o->beside);
        o->beside = NULL;
        error = look_around(ctx, o);
        if (!error) error = take(o, o->target);
    }
    if (error) return error;
    error = look_around(ctx, o);
    if (!error && fstat(o->held, &about) != 0) error = errno;
    const bool file = !error && S_ISREG(about.st_mode);
    if (file && ftruncate(o->held, 0) != 0) error = errno;
    o->lost = file && !error && !o->beside && about.st_size > 0;
    if (error && o->beside) (void)unlink(o->beside);
    return error;
}

// What stands there already stays, and what others write there comes behind: no lock, and nothing is cut off.
static int take_stream(hol_output *o)
{
    const int flags = fcntl(o->stream, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) return EBADF;
    if (o->stream == STDOUT_FILENO) (void)fflush(stdout);
    o->held = fcntl(o->stream, F_DUPFD_CLOEXEC, 0);
    return o->held < 0 ? errno : 0;
}

// What both ways to open have in common; a new file gets the mode of the one that it replaces.
static bool hold(hol_context *ctx, hol_output *o, const char *path, hol_output_kind kind)
{
    struct stat before;
    *o = (hol_output){.held = -1, .stream = -1, .kind = kind};
    int error = find_names(ctx, o, path);
    if (!error) error = o->stream < 0 ? take_file(ctx, o) : take_stream(o);
    if (error) {
        forget(o);
        return fail(o, error);
    }
    if (o->beside && stat(o->target, &before) == 0) (void)fchmod(o->held, before.st_mode & 07777);
    return true;
}

// A device, by a name that nobody can remove: a library that fails removes what it opened, and would a device or its link.
static void name_device(hol_output *o)
{
    struct stat about;
    char name[40];
    if (fstat(o->held, &about) != 0 || S_ISREG(about.st_mode)) return;
    snprintf(name, sizeof name, "/dev/fd/%d", o->held);
    if (access(name, F_OK) == 0) memcpy(o->target, name, strlen(name) + 1);
}

bool hol_output_hold(hol_context *ctx, hol_output *o, const char *path, hol_output_kind kind)
{
    if (!hold(ctx, o, path, kind)) return false;
    if (o->stream < 0) {
        name_device(o);
        return true;
    }
    forget(o);
    return fail(o, ESPIPE);
}

bool hol_output_open(hol_context *ctx, hol_output *o, const char *path, hol_output_kind kind)
{
    if (!hold(ctx, o, path, kind)) return false;
    const int copied = fcntl(o->held, F_DUPFD_CLOEXEC, 0); // the lock stays until the file is in its place
    o->file = copied >= 0 ? fdopen(copied, "w") : NULL;
    if (o->file) return true;
    const int error = errno;
    if (copied >= 0) close(copied);
    if (o->beside) (void)unlink(o->beside);
    forget(o);
    return fail(o, error);
}

const char *hol_output_path(const hol_output *o) { return o->beside ? o->beside : o->target; }

bool hol_output_place(hol_output *o)
{
    if (o->beside && rename(o->beside, o->target) != 0) return fail(o, errno);
    hol_free(o->beside);
    o->beside = NULL;
    o->lost = false;
    return true;
}

bool hol_output_close(hol_output *o, bool good)
{
    if (!o->target) return good;
    int error = errno ? errno : EIO;
    if (o->file && ferror(o->file)) good = false;
    if (o->file && fclose(o->file) != 0) {
        good = false;
        error = errno;
    }
    const bool turn = o->kind == HOL_OUTPUT_TURN;
    if (good && o->beside && !turn && rename(o->beside, o->target) != 0) {
        good = false;
        error = errno;
    }
    if (good) o->lost = false;
    if ((!good || turn) && o->beside) (void)unlink(o->beside); // while it is locked
    o->file = NULL;
    forget(o);
    return good || fail(o, error);
}

hol_status hol_output_fail(hol_context *ctx, const hol_output *o, const char *path)
{
    return hol_fail(ctx, HOL_ERR_IO, "%s: cannot be written: %s", path, o->why);
}
