// Checkpoint files: a magic text, the sizes that must agree, the state, the hash of all that.
#include "io/checkpoint.h"
#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char magic[16] = "holonom 0.1 ck4";

// Is the matrix there? Methods that do without may have made it on the way, for reactions that redundant rows share.
static void move_matrix(hol_system *s, hol_archive *a)
{
    bool there = s->solver != NULL;
    HOL_ARCHIVE(a, there);
    if (a->reading && !a->failed && there && hol_system_need_matrix(s)) a->failed = true;
    if (a->reading && !a->failed && !there) hol_system_drop_matrix(s);
    hol_archive_same(a, s->solver ? s->pattern.start[s->n] : 0);
}

static void move_all(hol_dynamics *d, hol_archive *a)
{
    hol_archive_same(a, (long long)d->m->spec->hash);
    hol_archive_same(a,
                     (long long)hol_hash(HOL_HASH_START, d->set.method->name, strlen(d->set.method->name)));
    const double size[2] = {d->set.step, d->set.tolerance};
    hol_archive_same(a, (long long)hol_hash(HOL_HASH_START, size, sizeof size));
    hol_archive_same(a, d->s->n);
    if (hol_dynamics_archive_rows(d, a)) a->failed = true;
    move_matrix(d->s, a);
    hol_integrator_archive(d->it, a);
    hol_dynamics_archive(d, a);
}

static hol_status fail(const hol_dynamics *d, const char *path, const char *why)
{
    return hol_fail(d->ctx, HOL_ERR_IO, "%s: the checkpoint cannot be written: %s", path, why);
}

hol_status hol_checkpoint_write(hol_dynamics *d, const char *path)
{
    hol_output o;
    struct stat there; // the file takes the place of what is there: a device must not be lost
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return hol_fail(d->ctx, HOL_ERR_USAGE, "%s: this is not a plain file; give another name", path);
    if (!hol_output_open(d->ctx, &o, path, HOL_OUTPUT_WHOLE)) return fail(d, path, o.why);
    hol_archive a = {.file = o.file, .hash = HOL_HASH_START};
    char start[16];
    memcpy(start, magic, sizeof start);
    hol_archive_bytes(&a, start, sizeof start);
    move_all(d, &a);
    unsigned long long hash = a.hash;
    HOL_ARCHIVE(&a, hash);
    return hol_output_close(&o, !a.failed) ? HOL_OK : fail(d, path, o.why);
}

hol_status hol_checkpoint_read(hol_dynamics *d, const char *path)
{
    char start[16] = {0};
    unsigned long long hash = 0;
    char why[160];
    hol_archive a = {
        .file = hol_open_input(path, false, 0, why, sizeof why), .reading = true, .hash = HOL_HASH_START};
    if (!a.file) return hol_fail(d->ctx, HOL_ERR_IO, "%s: the checkpoint cannot be read: %s", path, why);
    hol_archive_bytes(&a, start, sizeof start);
    const bool known = !a.failed && memcmp(start, magic, sizeof start) == 0;
    if (known) move_all(d, &a);
    const bool complete = known && !a.failed;
    const unsigned long long computed = a.hash;
    HOL_ARCHIVE(&a, hash);
    fclose(a.file);
    if (!known)
        return hol_fail(d->ctx, HOL_ERR_USAGE, "%s: this is not a checkpoint of this version of holonom",
                        path);
    if (!complete)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s: the checkpoint belongs to another model, other values of it or another method, "
                        "step or tolerance, "
                        "or is cut off",
                        path);
    if (!a.failed && d->it->x.t >= d->set.end)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s: the checkpoint is of t = %.6g s, the run ends at %.6g s: give a later --end",
                        path, d->it->x.t, d->set.end);
    if (a.failed || hash != computed)
        return hol_fail(d->ctx, HOL_ERR_USAGE, "%s: the checkpoint is damaged", path);
    return HOL_OK;
}
