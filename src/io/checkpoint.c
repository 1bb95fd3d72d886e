// Checkpoint files: a magic text, what the run must agree in, the state, the hash of all that. The file is looked at whole before
// anything of it is used.
#include "io/checkpoint.h"
#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char magic[16] = "holonom 0.1 cki";

enum { METHOD_NAME = 32, BUFFER = 1 << 14 };

// What a run that goes on must have in common with the one that was saved, and when and how that one stopped.
typedef struct {
    char magic[sizeof magic];
    char method[METHOD_NAME];
    unsigned long long model, options;
    double step, tolerance; // [s], 0: error control; 0: fixed steps
    double t;               // [s]
    long long ended;        // the event that has ended the run, -1: none
} heading;

// The weights of the error test belong to the options: they follow from tolerances of several kinds.
unsigned long long hol_checkpoint_options(const hol_dynamics *d)
{
    const hol_integrator *it = d->it;
    unsigned long long hash = hol_settings_hash(&d->set);
    if (!it->size) return hash;
    hash = hol_hash(hash, &it->errors, sizeof it->errors);
    hash = hol_hash(hash, &it->relative, sizeof it->relative);
    return hol_hash(hash, it->size, (size_t)(d->s->nq + d->s->nx) * sizeof *it->size);
}

// What two runs must agree in, and where this one is.
static heading heading_of(const hol_dynamics *d)
{
    heading h = {.model = d->m->spec->hash,
                 .options = hol_checkpoint_options(d),
                 .step = d->set.step,
                 .tolerance = d->set.tolerance,
                 .t = d->it->x.t,
                 .ended = -1};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.method, d->set.method->name, strnlen(d->set.method->name, METHOD_NAME - 1));
    for (int i = 0; i < d->m->n_events; i++)
        if (d->events.ended && strcmp(d->m->event[i].name, d->events.ended) == 0) h.ended = i;
    return h;
}

// Field by field: what lies between them is nobody's.
static void move_heading(heading *h, hol_archive *a)
{
    HOL_ARCHIVE(a, h->magic);
    HOL_ARCHIVE(a, h->method);
    HOL_ARCHIVE(a, h->model);
    HOL_ARCHIVE(a, h->options);
    HOL_ARCHIVE(a, h->step);
    HOL_ARCHIVE(a, h->tolerance);
    HOL_ARCHIVE(a, h->t);
    HOL_ARCHIVE(a, h->ended);
}

// Is the matrix there? Methods that do without may have made it on the way, for reactions that redundant rows share.
static void move_matrix(hol_dynamics *d, hol_archive *a)
{
    hol_kernel *k = &d->kernel;
    const bool needed = d->m->n_events || !hol_method_matrix_free(d->set.method, d->set.option, d->m);
    bool there = k->A != NULL;
    hol_archive_flag(a, &there);
    if (a->reading && !there && needed) a->failed = true;
    if (a->reading && !a->failed && there && hol_kernel_need(k)) a->failed = true;
    if (a->reading && !a->failed && !there) hol_kernel_drop(k);
    hol_archive_same(a, k->A ? d->s->pattern.start[d->s->n] : 0);
}

void hol_checkpoint_move(hol_dynamics *d, hol_archive *a)
{
    if (hol_dynamics_archive_switches(d, a)) a->failed = true;
    hol_archive_same(a, d->s->n);
    if (hol_selection_archive(d, a)) a->failed = true;
    move_matrix(d, a);
    hol_integrator_archive(d->it, a);
    hol_dynamics_archive(d, a);
    hol_archive_flag(a, &d->drive.exact); // how the next advance ends
}

static hol_status fail(const hol_dynamics *d, const char *path, const char *why)
{
    return hol_fail(d->ctx, HOL_ERR_IO, "%s: the checkpoint cannot be written: %s", path, why);
}

hol_status hol_checkpoint_write(hol_dynamics *d, const char *path)
{
    hol_output o;
    if (!hol_is_replaceable(path)) // the file takes the place of what is there: a device must not be lost
        return hol_fail(d->ctx, HOL_ERR_USAGE, "%s: this is not a plain file; give another name", path);
    if (!hol_output_open(d->ctx, &o, path, HOL_OUTPUT_AGAIN)) return fail(d, path, o.why);
    hol_archive a = {.file = o.file, .hash = HOL_HASH_START};
    heading h = heading_of(d);
    move_heading(&h, &a);
    hol_checkpoint_move(d, &a);
    unsigned long long hash = a.hash;
    HOL_ARCHIVE(&a, hash);
    d->saved = d->it->x.t;
    return hol_output_close(&o, !a.failed) ? HOL_OK : fail(d, path, o.why);
}

// ---- reading --------------------------------------------------------------------------------------------------

// The hash at the end is that of all before it. The file is at its beginning then.
static bool is_whole(FILE *f, long long size)
{
    char piece[BUFFER];
    unsigned long long computed = HOL_HASH_START, hash = 0;
    for (long long left = size - (long long)sizeof hash; left > 0;) {
        const size_t wanted = left < BUFFER ? (size_t)left : BUFFER;
        if (fread(piece, 1, wanted, f) != wanted) return false;
        computed = hol_hash(computed, piece, wanted);
        left -= (long long)wanted;
    }
    return size > (long long)sizeof hash && fread(&hash, sizeof hash, 1, f) == 1 && hash == computed &&
           fseek(f, 0, SEEK_SET) == 0;
}

static bool is_known(FILE *f)
{
    char start[sizeof magic] = {0};
    return fread(start, 1, sizeof start, f) == sizeof start && memcmp(start, magic, sizeof start) == 0 &&
           fseek(f, 0, SEEK_SET) == 0;
}

// "steps of 0.01 s" or "the tolerance 1e-05"
static void say_steps(double step, double tolerance, char text[80])
{
    if (step > 0)
        hol_decimal_print(text, 80, "steps of %.9g s", step);
    else
        hol_decimal_print(text, 80, "the tolerance %.9g", tolerance);
}

// Where the method was chosen, at another end another one may be: the run goes on with the method of the checkpoint, and its
// tolerance if none is given. *changed: the run was begun anew.
static hol_status choose_as_saved(hol_dynamics *d, const heading *saved, bool *changed)
{
    char name[METHOD_NAME];
    memcpy(name, saved->method, METHOD_NAME);
    name[METHOD_NAME - 1] = 0;
    const hol_method *method = hol_method_find(name);
    const bool other = method != d->set.method,
               tolerance = !d->set.tolerance_given && saved->tolerance != d->set.tolerance;
    *changed = *d->because && method && saved->model == d->m->spec->hash && saved->step == d->set.step &&
               saved->t < d->set.end && (other || tolerance);
    return *changed ? hol_dynamics_choose(d, method, saved->tolerance, "the checkpoint was made with it")
                    : HOL_OK;
}

// Does it go on from where that one stopped?
static hol_status compare(const hol_dynamics *d, const char *path, const heading *saved)
{
    const heading own = heading_of(d);
    char theirs[80], ours[80];
    const bool others = saved->step != own.step || saved->tolerance != own.tolerance;
    say_steps(saved->step, saved->tolerance, theirs);
    say_steps(own.step, own.tolerance, ours);
    if (saved->model != own.model) // first: the method may have been chosen for it
        return hol_fail(
            d->ctx, HOL_ERR_USAGE,
            "%s: the checkpoint belongs to another model, or to other values in it: its file, one that "
            "it includes or reads, or a --set is not that of the run that was saved; go on with "
            "those of that run",
            path);
    if (memcmp(saved->method, own.method, sizeof own.method) != 0)
        return hol_fail(
            d->ctx, HOL_ERR_USAGE,
            "%s: the checkpoint was made with method %.*s, this run has %s: go on with --method %.*s%s%s",
            path, METHOD_NAME, saved->method, own.method, METHOD_NAME, saved->method, others ? " and " : "",
            others ? theirs : "");
    if (others)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s: the checkpoint was made with %s, this run has %s: go on with the same, %s", path,
                        theirs, ours, saved->step > 0 ? "--step" : "--tol");
    if (saved->options != own.options)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s: the checkpoint was made with other options of method %s: go on with those of "
                        "that run",
                        path, own.method);
    if (saved->ended >= 0 && saved->ended < d->m->n_events)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s: the run of the checkpoint was ended by event %s at t = %.6g s: there is nothing "
                        "to go on with",
                        path, d->m->event[saved->ended].name, saved->t);
    if (!(saved->t < d->set.end))
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s: the checkpoint is of t = %.6g s, the run ends at %.6g s: give a later --end",
                        path, saved->t, d->set.end);
    return HOL_OK;
}

// Takes over what is behind the heading.
static hol_status take(hol_dynamics *d, const char *path, hol_archive *a, double t)
{
    unsigned long long computed, hash = 0;
    hol_checkpoint_move(d, a);
    computed = a->hash;
    HOL_ARCHIVE(a, hash);
    const double t0 = d->it->before.t;
    const bool good = !a->failed && hash == computed && fgetc(a->file) == EOF && d->it->x.t == t && t0 <= t;
    return good ? HOL_OK
                : hol_fail(d->ctx, HOL_ERR_USAGE,
                           "%s: the checkpoint is damaged: what it holds is no state of this run", path);
}

// Reads an open file: first whether it is a whole checkpoint, then its head against this run, then the state.
// taken: the run's state was touched.
static hol_status read_open(hol_dynamics *d, const char *path, FILE *f, bool *taken)
{
    struct stat of;
    heading h = {.ended = -1};
    hol_archive a = {.file = f, .reading = true, .hash = HOL_HASH_START};
    if (!is_known(f))
        return hol_fail(d->ctx, HOL_ERR_USAGE, "%s: this is not a checkpoint of this version of holonom",
                        path);
    if (fstat(fileno(f), &of) || !is_whole(f, (long long)of.st_size))
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s: the checkpoint is damaged or cut off: go on from an older one", path);
    move_heading(&h, &a);
    hol_status st = choose_as_saved(d, &h, taken);
    if (!st) st = compare(d, path, &h);
    if (st) return st;
    *taken = true;
    return take(d, path, &a, h.t);
}

hol_status hol_checkpoint_read(hol_dynamics *d, const char *path, bool *taken)
{
    char why[160];
    *taken = false;
    FILE *f = hol_open_input(path, false, 0, why, sizeof why);
    if (!f) return hol_fail(d->ctx, HOL_ERR_IO, "%s: the checkpoint cannot be read: %s", path, why);
    const hol_status st = read_open(d, path, f, taken);
    fclose(f);
    return st;
}
