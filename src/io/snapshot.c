// Snapshots: what a checkpoint holds, in memory. In front stands what the simulation that takes it over must agree in, and the plain
// state, which one of other values or of another method begins with.
#include "io/snapshot.h"
#include "io/checkpoint.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

static const char magic[8] = "hol sn5";

typedef struct {
    char magic[sizeof magic];
    unsigned long long hash; // of all bytes behind it; 0 until they are asked for
    unsigned long long model, options, structure;
    char method[32];
    double step, tolerance;
    long long ended; // the event that has ended the run, -1: none
    int nq, nx, n_mem;
    int size; // of all
    int none; // no hole among the bytes
    // The plain state follows, t, q, v, X, memory; behind it what only the same run understands.
} heading;

struct hol_snapshot {
    unsigned char *bytes; // heading, plain state, archive
    int size, capacity;
};

// Of the present state.
static heading heading_of(const hol_dynamics *d)
{
    heading h = {.model = d->m->spec->hash,
                 .options = hol_checkpoint_options(d),
                 .structure = hol_model_structure(d->m),
                 .step = d->set.step,
                 .tolerance = d->set.tolerance,
                 .ended = -1,
                 .nq = d->s->nq,
                 .nx = d->s->nx,
                 .n_mem = d->m->n_mem};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.method, d->set.method->name, strnlen(d->set.method->name, sizeof h.method - 1));
    for (int i = 0; i < d->m->n_events; i++)
        if (d->events.ended && strcmp(d->m->event[i].name, d->events.ended) == 0) h.ended = i;
    return h;
}

// The plain state, into or out of the bytes.
static void move_state(const hol_dynamics *d, hol_state *x, hol_archive *a)
{
    const size_t n = sizeof(double), nq = (size_t)d->s->nq;
    HOL_ARCHIVE(a, x->t);
    hol_archive_bytes(a, x->q, nq * n);
    hol_archive_bytes(a, x->v, nq * n);
    hol_archive_bytes(a, x->X, (size_t)d->s->nx * n);
    hol_archive_bytes(a, x->mem, (size_t)d->m->n_mem * n);
}

hol_status hol_snapshot_retake(hol_dynamics *d, hol_snapshot *s)
{
    hol_archive a = {.ctx = d->ctx, .memory = s->bytes, .capacity = s->capacity};
    heading h = heading_of(d);
    HOL_ARCHIVE(&a, h);
    move_state(d, &d->it->x, &a);
    hol_checkpoint_move(d, &a);
    s->bytes = a.memory;
    s->capacity = a.capacity;
    s->size = h.size = a.size;
    if (a.failed) return hol_fail(d->ctx, HOL_ERR_MEMORY, "no memory for a snapshot of %d bytes", a.size);
    memcpy(s->bytes, &h, sizeof h);
    return HOL_OK;
}

hol_snapshot *hol_snapshot_take(hol_dynamics *d)
{
    hol_snapshot *s = hol_calloc(d->ctx, 1, sizeof *s);
    if (s && hol_snapshot_retake(d, s) == HOL_OK) return s;
    hol_snapshot_free(s);
    return NULL;
}

void hol_snapshot_free(hol_snapshot *s)
{
    if (!s) return;
    hol_free(s->bytes);
    hol_free(s);
}

static bool is_same_run(const heading *a, const heading *b)
{
    return a->model == b->model && a->options == b->options && a->step == b->step &&
           a->tolerance == b->tolerance && memcmp(a->method, b->method, sizeof a->method) == 0;
}

// Positions, velocities, states and memory alone: another run begins there.
static hol_status begin_there(hol_dynamics *d, hol_archive *a)
{
    hol_state x = {0};
    double change;
    hol_status st = hol_state_create(d->s, &x);
    if (st) return st;
    move_state(d, &x, a);
    if (!(x.t < d->set.end))
        st = hol_fail(d->ctx, HOL_ERR_USAGE,
                      "the snapshot is of t = %.6g s, where the simulation ends: give a later `end`", x.t);
    if (!st) st = hol_drive_place(d, &x, &change);
    hol_state_destroy(&x);
    return st;
}

// The time stands first in the plain state.
static hol_status refuse_behind_the_end(const hol_dynamics *d, const hol_snapshot *s)
{
    double t;
    memcpy(&t, s->bytes + sizeof(heading), sizeof t);
    if (t <= d->set.end) return HOL_OK;
    return hol_fail(d->ctx, HOL_ERR_USAGE,
                    "the snapshot is of t = %.6g s, the simulation ends at %.6g s: give a later `end`", t,
                    d->set.end);
}

hol_status hol_snapshot_put(hol_dynamics *d, const hol_snapshot *s, bool *broken)
{
    heading h, own = heading_of(d);
    hol_archive a = {.ctx = d->ctx, .memory = s->bytes, .size = s->size, .reading = true};
    *broken = false;
    HOL_ARCHIVE(&a, h);
    if (h.structure != own.structure || h.nq != own.nq || h.nx != own.nx || h.n_mem != own.n_mem)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "the snapshot is of a model with other bodies, joints, forces, states or inputs");
    hol_status st = refuse_behind_the_end(d, s);
    if (!st && !is_same_run(&h, &own)) return begin_there(d, &a);
    if (!st) st = hol_drive_settle(d);
    if (st) return st;
    hol_state *x = &d->drive.trial;
    move_state(d, x, &a);
    hol_checkpoint_move(d, &a);
    *broken = a.failed;
    if (a.failed)
        return hol_fail(d->ctx, HOL_ERR_USAGE, "the snapshot holds what is no state of this simulation");
    d->events.ended = h.ended >= 0 && h.ended < d->m->n_events ? d->m->event[h.ended].name : NULL;
    d->stats.ended_by = d->events.ended;
    return HOL_OK;
}

// ---- bytes ------------------------------------------------------------------------------------------------------

static unsigned long long hash_of(const unsigned char *bytes, int size)
{
    const int from = (int)(offsetof(heading, hash) + sizeof(unsigned long long));
    return hol_hash(HOL_HASH_START, bytes + from, (size_t)(size - from));
}

size_t hol_snapshot_bytes(const hol_snapshot *s) { return (size_t)s->size; }

void hol_snapshot_copy(const hol_snapshot *s, void *bytes)
{
    const unsigned long long hash = hash_of(s->bytes, s->size);
    memcpy(bytes, s->bytes, (size_t)s->size);
    memcpy((unsigned char *)bytes + offsetof(heading, hash), &hash, sizeof hash);
}

hol_snapshot *hol_snapshot_from_bytes(hol_context *ctx, const void *data, size_t n)
{
    heading h;
    const bool fits = n >= sizeof h && n <= INT_MAX / 2;
    if (fits) memcpy(&h, data, sizeof h);
    if (!fits || memcmp(h.magic, magic, sizeof magic) != 0 || (size_t)h.size != n ||
        h.hash != hash_of(data, (int)n)) {
        hol_fail(ctx, HOL_ERR_USAGE,
                 "these bytes are no snapshot of this version of holonom, or they are damaged");
        return NULL;
    }
    hol_snapshot *s = hol_calloc(ctx, 1, sizeof *s);
    if (!s) return NULL;
    s->bytes = hol_calloc(ctx, n, 1);
    if (!s->bytes) {
        hol_free(s);
        return NULL;
    }
    memcpy(s->bytes, data, n);
    s->size = s->capacity = (int)n;
    return s;
}
