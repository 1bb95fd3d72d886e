// Assemblies by reflection: each subset of the elbows and planes of the loops is reflected in the pose found first, and the joints are closed
// from there.
#include "system/assemblies.h"

#include "system/approach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME 1e-6 // poses that differ by less, by natural size, are one

// ---- requirements ---------------------------------------------------------------------------------------------

double hol_require_value(const hol_model_data *m, const hol_require *r, const hol_state *x)
{
    const hol_element *e = &r->element;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], phi[1];
    hol_element_gather(m, e, x->t, x->q, NULL, 0, y, w);
    e->type->phi(e->data, e->ny, y, NULL, phi, NULL);
    return hol_re(phi[0]);
}

const hol_require *hol_require_broken(const hol_model_data *m, const hol_state *x)
{
    for (int i = 0; i < m->n_requires; i++)
        if (!(m->require[i].sign * hol_require_value(m, &m->require[i], x) > 0)) return &m->require[i];
    return NULL;
}

// ---- poses ----------------------------------------------------------------------------------------------------

static double same_sign(const double *p, const double *q)
{
    double product = 0;
    for (int i = 0; i < 4; i++) product += p[i] * q[i];
    return product < 0 ? -1 : 1;
}

// Largest difference of two poses by natural size; an orientation has two quaternions, and an angle in the plane counts turns that are none.
static double distance(const hol_equations *s, const double *p, const double *q)
{
    double most = 0;
    for (int b = 0; b < s->m->n_bodies; b++) {
        const hol_body *body = &s->m->body[b];
        const double sign =
            body->frame == HOL_FRAME_SPATIAL ? same_sign(p + body->q + 3, q + body->q + 3) : 1;
        for (int k = 0; k < body->size; k++) {
            const int i = body->q + k;
            const bool turns = body->frame == HOL_FRAME_PLANAR && k == 2;
            const double way = p[i] - (k >= 3 ? sign : 1) * q[i];
            most = hol_larger(fabs(turns ? remainder(way, 2 * HOL_PI) : way) / s->q_size[i], most);
        }
    }
    return most;
}

// Adds the pose of a where it is a new one.
static hol_status keep(hol_assembler *a, hol_assemblies *out, bool least)
{
    const hol_equations *s = a->k.s;
    for (int i = 0; i < out->n; i++)
        if (distance(s, out->found[i].q, a->x.q) < SAME) return HOL_OK;
    hol_found *f = &out->found[out->n];
    f->q = hol_calloc(s->ctx, (size_t)s->nq + 1, sizeof *f->q);
    if (!f->q) return HOL_ERR_MEMORY;
    memcpy(f->q, a->x.q, (size_t)s->nq * sizeof *f->q);
    f->change = hol_assembly_change(a);
    f->least = least;
    f->allowed = !hol_require_broken(&a->m, &a->x);
    out->n++;
    return HOL_OK;
}

// ---- reflections ----------------------------------------------------------------------------------------------

typedef struct {
    unsigned sides; // those that are reflected, as bits
    double change;  // of the drawing
    int order;
} reflection;

static int nearest_first(const void *a, const void *b)
{
    const reflection *p = a, *q = b;
    if (p->change < q->change || p->change > q->change) return p->change < q->change ? -1 : 1;
    return p->order - q->order;
}

// Angles in the plane within half a turn of those drawn, and of two quaternions that nearer to the one drawn.
static void tidy(const hol_model_data *m, const double *asked, double *q)
{
    for (int b = 0; b < m->n_bodies; b++) {
        const double *drawn = asked + m->body[b].q;
        double *own = q + m->body[b].q;
        if (m->body[b].frame == HOL_FRAME_PLANAR)
            own[2] = drawn[2] + remainder(own[2] - drawn[2], 2 * HOL_PI);
        if (m->body[b].frame != HOL_FRAME_SPATIAL) continue;
        const double sign = same_sign(own + 3, drawn + 3);
        for (int i = 3; i < 7; i++) own[i] *= sign;
    }
}

// The first pose with these sides reflected, into a->x.
static void reflect(hol_assembler *a, const hol_assemblies *s, unsigned sides)
{
    memcpy(a->x.q, s->found[0].q, (size_t)a->k.s->nq * sizeof *a->x.q);
    for (int i = 0; i < s->sides.n && i < HOL_MOST_REFLECTIONS; i++)
        if (sides >> i & 1) hol_side_reflect(&s->sides, &s->sides.side[i], a->x.q);
    tidy(&a->m, a->asked, a->x.q);
}

// Sets of one side, then of two, .., no more than there may be trials; those whose poses are nearest to the drawing come first.
static int plan(hol_assembler *a, const hol_assemblies *s, reflection *out)
{
    const int n_sides = s->sides.n < HOL_MOST_REFLECTIONS ? s->sides.n : HOL_MOST_REFLECTIONS;
    int n = 0, before = 0, end = 1;
    unsigned set[HOL_MOST_REFLECTIONS + 1] = {0};
    for (int size = 1; size <= n_sides && n < HOL_MOST_REFLECTIONS; size++) {
        const int last = end;
        for (int i = before; i < last; i++)
            for (int k = 0; k < n_sides && end <= HOL_MOST_REFLECTIONS; k++)
                if (set[i] >> k == 0) set[end++] = set[i] | 1u << k;
        before = last;
        n = end - 1;
    }
    for (int i = 0; i < n; i++) {
        reflect(a, s, set[i + 1]);
        out[i] = (reflection){set[i + 1], hol_assembly_change(a), i};
    }
    qsort(out, (size_t)n, sizeof *out, nearest_first);
    return n;
}

// Closes the joints from the pose in a->x, and goes to the least change of what is asked. HOL_RECOVERABLE: they stay open.
static hol_status close_joints(hol_assembler *a, bool *least)
{
    hol_status st = hol_assembly_close(a);
    if (st > 0) st = hol_approach(&a->k, &a->x);
    if (!st) st = hol_assembly_close(a);
    return st ? st : hol_assembly_settle(a, least);
}

// The pose of least change near the reflected one; where that is another than what is required, the one nearest to the reflected pose itself.
static hol_status go(hol_assembler *a, hol_assemblies *out, unsigned sides, double *drawn)
{
    const size_t size = (size_t)a->k.s->nq * sizeof *drawn;
    bool least;
    reflect(a, out, sides);
    out->tried++;
    hol_status st = close_joints(a, &least);
    if (!st) st = keep(a, out, least);
    if (st || !hol_require_broken(&a->m, &a->x)) return st > 0 ? HOL_OK : st;
    reflect(a, out, sides);
    memcpy(drawn, a->asked, size);
    memcpy(a->asked, a->x.q, size);
    st = close_joints(a, &least);
    memcpy(a->asked, drawn, size);
    if (!st && !hol_require_broken(&a->m, &a->x)) st = keep(a, out, false);
    return st > 0 ? HOL_OK : st;
}

// That of the poses which is used: the first that is allowed of those gone to in their order. The first pose where none is.
static hol_status choose(hol_assembler *a, const hol_assemblies *s, bool *least)
{
    int i = 0;
    while (i < s->n && !s->found[i].allowed) i++;
    const bool any = i < s->n;
    memcpy(a->x.q, s->found[any ? i : 0].q, (size_t)a->k.s->nq * sizeof *a->x.q);
    *least = s->found[any ? i : 0].least;
    return any ? HOL_OK : HOL_ERR_ASSEMBLY;
}

hol_status hol_assemblies_find(hol_assembler *a, bool all, bool *least, hol_assemblies *out)
{
    reflection way[HOL_MOST_REFLECTIONS];
    const int nq = a->k.s->nq;
    *out = (hol_assemblies){0};
    hol_status st = hol_sides_create(a->k.s->ctx, &a->m, a->x.q, &out->sides);
    out->found = hol_calloc(a->k.s->ctx, 2 * HOL_MOST_REFLECTIONS + 1, sizeof *out->found);
    double *drawn = hol_calloc(a->k.s->ctx, (size_t)nq + 1, sizeof *drawn);
    if (!st && (!out->found || !drawn)) st = HOL_ERR_MEMORY;
    if (!st) st = keep(a, out, *least);
    const int n = st || (!all && out->found[0].allowed) ? 0 : plan(a, out, way);
    for (int i = 0; i < n && !st; i++) {
        st = hol_check_cancelled(a->k.s->ctx, "interrupted at the start");
        if (!st) st = go(a, out, way[i].sides, drawn);
        if (!all && out->found[out->n - 1].allowed) break;
    }
    hol_free(drawn);
    return st ? st : choose(a, out, least);
}

void hol_assemblies_destroy(hol_assemblies *s)
{
    hol_sides_destroy(&s->sides);
    for (int i = 0; i < s->n; i++) hol_free(s->found[i].q);
    hol_free(s->found);
    s->found = NULL;
    s->n = 0;
}
