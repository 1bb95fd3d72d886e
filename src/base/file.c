// Files that are read and written. What is written stands beside its name until it is whole, under a lock (flock), and
// then takes the name. Two names are one place if device and inode agree; where nothing is there yet, if the folders
// and the last parts do.
#define _XOPEN_SOURCE 700 // realpath
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
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

// Where a link points that leads to nothing yet, step by step; false: `path` is no such link.
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

// ---- writing --------------------------------------------------------------------------------------------------

static bool fail(hol_output *o, int error)
{
    if (error == EWOULDBLOCK)
        snprintf(o->why, sizeof o->why,
                 "it is being written already; give another name, or wait for the end of "
                 "the run that writes it");
    else
        say(o->why, sizeof o->why, error);
    return false;
}

static void forget(hol_output *o)
{
    if (o->held >= 0) close(o->held);
    hol_free(o->target);
    hol_free(o->beside);
    o->held = -1;
    o->target = o->beside = NULL;
}

// Opens and locks, then makes it empty. Where the name has come to another file meanwhile, that of the writer before who has
// just put it into its place, once more.
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
        if (stat(path, &there) == 0 && same_file(&mine, &there)) return ftruncate(o->held, 0) ? errno : 0;
        close(o->held);
        o->held = -1;
    }
    return EWOULDBLOCK;
}

static char *copy(hol_context *ctx, const char *text, const char *more)
{
    const size_t n = strlen(text) + strlen(more) + 1;
    char *out = hol_calloc(ctx, n, 1);
    if (out) snprintf(out, n, "%s%s", text, more);
    return out;
}

// The file itself behind links, and the name beside it; none where it must be written in place.
static int find_names(hol_context *ctx, hol_output *o, const char *path, hol_output_kind kind)
{
    struct stat there, link;
    const bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) return EISDIR;
    const bool plain = exists ? S_ISREG(there.st_mode) : lstat(path, &link) != 0;
    char *real = exists && plain && kind == HOL_OUTPUT_WHOLE ? realpath(path, NULL) : NULL;
    o->target = copy(ctx, real ? real : path, "");
    if (kind == HOL_OUTPUT_WHOLE && plain && o->target) o->beside = copy(ctx, o->target, HOL_BESIDE);
    free(real);
    if (!o->target || (kind == HOL_OUTPUT_WHOLE && plain && !o->beside)) return ENOMEM;
    return exists && access(path, W_OK) != 0 ? errno : 0;
}

bool hol_output_hold(hol_context *ctx, hol_output *o, const char *path, hol_output_kind kind)
{
    struct stat before;
    *o = (hol_output){.held = -1};
    int error = find_names(ctx, o, path, kind);
    if (!error) error = take(o, o->beside ? o->beside : o->target);
    if (o->beside && (error == EACCES || error == EROFS || error == ENAMETOOLONG)) {
        hol_free(o->beside);
        o->beside = NULL;
        error = take(o, o->target);
    }
    if (error) {
        forget(o);
        return fail(o, error);
    }
    if (o->beside && stat(o->target, &before) == 0) (void)fchmod(o->held, before.st_mode & 07777);
    return true;
}

bool hol_output_open(hol_context *ctx, hol_output *o, const char *path, hol_output_kind kind)
{
    if (!hol_output_hold(ctx, o, path, kind)) return false;
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

bool hol_output_close(hol_output *o, bool good)
{
    if (!o->target) return good;
    int error = errno ? errno : EIO;
    if (o->file && ferror(o->file)) good = false;
    if (o->file && fclose(o->file) != 0) {
        good = false;
        error = errno;
    }
    if (good && o->beside && rename(o->beside, o->target) != 0) {
        good = false;
        error = errno;
    }
    if (!good && o->beside) (void)unlink(o->beside);
    o->file = NULL;
    forget(o);
    return good || fail(o, error);
}

hol_status hol_output_fail(hol_context *ctx, const hol_output *o, const char *path)
{
    return hol_fail(ctx, HOL_ERR_IO, "%s: cannot be written: %s", path, o->why);
}
