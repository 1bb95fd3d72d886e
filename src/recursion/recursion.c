// The tree solver's storage, made from the forest; see recursion.h.
#include "recursion/data.h"

#include <string.h>

// ---- what a tie is ----------------------------------------------------------------------------------------------

typedef struct {
    int point, along[3], turn[3], dot, angle, other;
} content;

static bool fixed_marker(const hol_marker *k) { return k->frame != HOL_FRAME_MOVING; }

// Primitives of a joint, counted; false: not made of primitives, or a function of time.
static bool count(const hol_element *e, content *out)
{
    memset(out, 0, sizeof *out);
    if (e->type->phi != hol_prims_phi) return false;
    const hol_prims *list = e->data;
    for (int i = 0; i < list->n; i++) {
        const hol_prim *p = &list->p[i];
        if (p->set || !fixed_marker(p->m1) || !fixed_marker(p->m2)) return false;
        switch (p->kind) {
        case HOL_PRIM_POINT: out->point++; break;
        case HOL_PRIM_ALONG: out->along[p->axis1]++; break;
        case HOL_PRIM_TURN: out->turn[p->axis1]++; break;
        case HOL_PRIM_ANGLE: out->angle++; break;
        default: out->other++;
        }
    }
    return true;
}

static hol_link_kind kind_of(const hol_element *e, int dimension)
{
    content c;
    if (!count(e, &c) || c.other) return HOL_LINK_GENERAL;
    const int along = c.along[0] + c.along[1] + c.along[2], turn = c.turn[0] + c.turn[1] + c.turn[2];
    if (dimension == 2) {
        if (c.point && !along) return c.angle ? HOL_LINK_FIXED : HOL_LINK_REVOLUTE;
        return !c.point && along == 1 && c.along[1] && c.angle ? HOL_LINK_SLIDE : HOL_LINK_GENERAL;
    }
    if (c.point && !along && !turn) return HOL_LINK_SPHERICAL;
    if (c.point && !along && turn == 2 && !c.turn[2]) return HOL_LINK_REVOLUTE;
    if (c.point && !along && turn == 3) return HOL_LINK_FIXED;
    return !c.point && along == 2 && !c.along[2] && turn == 3 ? HOL_LINK_SLIDE : HOL_LINK_GENERAL;
}

// Points stand first in a joint: the count may have stopped later.
static bool holds_points(const hol_element *e)
{
    content c;
    count(e, &c);
    return c.point > 0 && e->n_ends == 2 && fixed_marker(e->end[0].marker) && fixed_marker(e->end[1].marker);
}

static void tie_link(hol_recursion *r, hol_link *l, int j)
{
    const hol_forest *f = r->forest;
    const hol_model_data *m = r->s->m;
    const int n = f->first[l->body + 1] - f->first[l->body];
    l->kind = n == 0 ? HOL_LINK_FREE : HOL_LINK_GENERAL;
    for (int i = 0; i < n; i++) {
        const hol_element *e = &m->element[f->tie[f->first[l->body] + i]];
        const int child = e->end[0].body == l->body ? 0 : 1;
        const hol_marker *own = e->end[child].marker, *other = e->end[1 - child].marker;
        l->rows += e->n_rows;
        if (n == 1) l->kind = (unsigned char)kind_of(e, m->dimension);
        if (l->touching || !(holds_points(e) || l->kind == HOL_LINK_SLIDE)) continue;
        l->touching = l->kind != HOL_LINK_SLIDE;
        memcpy(l->s, own->s, sizeof l->s);
        memcpy(l->s_father, other->s, sizeof l->s_father);
        l->owns_axis = child == 0; // axes of ALONG are the first end's
        const bool slides = l->kind == HOL_LINK_SLIDE;
        memcpy(l->a, (slides ? e->end[0].marker : own)->u[slides && m->dimension == 2 ? 0 : 2], sizeof l->a);
        if (!r->axes) continue;
        memcpy(r->axes[j].own, own->u, sizeof r->axes[j].own);
        memcpy(r->axes[j].father, other->u, sizeof r->axes[j].father);
    }
    l->dof = (unsigned char)(r->d - l->rows);
}

// ---- storage ----------------------------------------------------------------------------------------------------

static void weigh(hol_recursion *r, hol_link *l)
{
    const hol_element *e = &r->s->m->element[l->body];
    const double length = r->s->m->length_scale;
    hol_inertia own;
    e->type->inertia(e->data, &own);
    l->m = own.m;
    memcpy(l->J, own.J, sizeof l->J);
    for (int i = 0; i < 3; i++) l->weight[i] = own.m * own.g[i];
    l->slim = own.J[1] == 0 && own.J[2] == 0 && own.J[5] == 0;
    if (l->frame == HOL_FRAME_POINT) l->J[0] = l->J[4] = l->J[8] = own.m > 0 ? own.m * length * length : 1;
}

static void make_links(hol_recursion *r, size_t *pool)
{
    const hol_forest *f = r->forest;
    const hol_model_data *m = r->s->m;
    for (int j = 0; j < r->n_bodies; j++) r->place[f->order[j]] = j;
    for (int j = 0; j < r->n_bodies; j++) {
        hol_link *l = &r->link[j];
        l->body = f->order[j];
        l->q = m->body[l->body].q;
        l->frame = (unsigned char)m->body[l->body].frame;
        l->father = f->father[l->body] < 0 ? -1 : r->place[f->father[l->body]];
        l->leaf = true;
        weigh(r, l);
        l->row = r->size.n_tree;
        tie_link(r, l, j);
        r->size.n_tree += l->rows;
        r->n_general += l->kind == HOL_LINK_GENERAL;
        l->pool = *pool;
        *pool += (size_t)((2 * r->d + l->dof) * l->dof + l->dof);
    }
    for (int j = r->n_bodies - 1; j >= 0; j--) {
        const int k = r->link[j].father;
        if (k < 0) continue;
        r->link[j].opens = r->link[k].leaf;
        r->link[k].leaf = false;
    }
}

// Rows of the tree and of the loops among the active ones.
static hol_status number_tree_rows(hol_recursion *r)
{
    const hol_forest *f = r->forest;
    const hol_system *s = r->s;
    for (int j = 0; j < r->n_bodies; j++) {
        const int body = r->link[j].body;
        int at = r->link[j].row;
        for (int i = f->first[body]; i < f->first[body + 1]; i++) {
            const hol_element *e = &s->m->element[f->tie[i]];
            for (int row = 0; row < e->n_rows; row++) {
                r->tree_row[at] = s->active[e->row + row];
                if (r->tree_row[at++] >= 0) continue;
                return hol_fail_at(
                    r->ctx, HOL_ERR_MODEL, e->at,
                    "%s: an equation of this joint, which is in the tree of joints, counts as redundant",
                    e->name);
            }
        }
    }
    return HOL_OK;
}

static void number_loop(hol_recursion *r, int k, size_t *size)
{
    hol_loop_element *l = &r->loop[k];
    const hol_system *s = r->s;
    const hol_element *e = l->e = &s->m->element[r->forest->cut[k]];
    l->first = r->size.n_loops;
    l->rows = 0;
    for (int i = 0; i < e->n_rows; i++) {
        const int active = s->active[e->row + i];
        if (active < 0) continue;
        r->loop_row[r->size.n_loops++] = active;
        l->row[l->rows++] = i;
    }
    l->n_bodies = e->n_bodies;
    for (int i = 0; i < e->n_bodies; i++) l->body[i] = r->place[e->body[i]];
    content c;
    l->point = l->rows == e->n_rows && l->rows == s->m->dimension && count(e, &c) && c.point;
    for (int i = 0; i < 2 && l->point; i++) {
        l->end[i] = e->end[i].body < 0 ? -1 : r->place[e->end[i].body];
        memcpy(l->s[i], e->end[i].marker->s, sizeof l->s[i]);
    }
    l->D = *size;
    *size += (size_t)(e->n_rows * l->n_bodies * r->d); // room for all rows: others may become active
    l->block = *size;
    *size += (size_t)(e->n_rows * e->n_rows);
}

// Elements with forces; bodies' own are taken directly.
static int list_forces(const hol_model_data *m, int *out)
{
    int n = 0;
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        if (!m->element[i].type->force) continue;
        if (out) out[n] = i;
        n++;
    }
    return n;
}

static hol_status allocate(hol_recursion *r)
{
    hol_context *ctx = r->ctx;
    const hol_model_data *m = r->s->m;
    const size_t nb = (size_t)m->n_bodies + 1, n = (size_t)r->size.n + 1, nc = (size_t)m->nc + 1;
    size_t loops = 1; // rows that can take part
    for (int k = 0; k < r->forest->n_cut; k++) loops += (size_t)m->element[r->forest->cut[k]].n_rows;
    r->n_forces = list_forces(m, NULL);
    r->place = hol_calloc(ctx, nb, sizeof *r->place);
    r->link = hol_calloc(ctx, nb, sizeof *r->link);
    r->nu = hol_calloc(ctx, 6 * n, sizeof *r->nu);
    r->lam = hol_calloc(ctx, 2 * nc, sizeof *r->lam);
    r->tree_row = hol_calloc(ctx, 2 * nc, sizeof *r->tree_row);
    r->theta = hol_calloc(ctx, 3 * loops, sizeof *r->theta);
    r->general = hol_calloc(ctx, r->d == 6 ? (size_t)m->nq : 1, sizeof *r->general);
    r->force = hol_calloc(ctx, (size_t)r->n_forces + 1, sizeof *r->force);
    r->loop = hol_calloc(ctx, (size_t)r->forest->n_cut + 1, sizeof *r->loop);
    const bool some = r->place && r->link && r->nu && r->lam && r->tree_row && r->theta && r->general &&
                      r->force && r->loop;
    if (!some) return HOL_ERR_MEMORY;
    list_forces(m, r->force);
    r->f = r->nu + n, r->jump = r->f + n, r->u = r->jump + n, r->step = r->u + n, r->carried = r->step + n;
    r->theta_t = r->theta + loops, r->tau = r->theta_t + loops;
    r->loop_row = r->tree_row + nc;
    r->gam = r->lam + nc;
    if (r->d == 3) {
        r->frame3 = hol_calloc(ctx, nb, sizeof *r->frame3);
        r->inertia3 = hol_calloc(ctx, nb, sizeof *r->inertia3);
        return r->frame3 && r->inertia3 ? HOL_OK : HOL_ERR_MEMORY;
    }
    r->frame6 = hol_calloc(ctx, nb, sizeof *r->frame6);
    r->inertia = hol_calloc(ctx, nb, sizeof *r->inertia);
    r->axes = hol_calloc(ctx, nb, sizeof *r->axes);
    return r->frame6 && r->inertia && r->axes ? HOL_OK : HOL_ERR_MEMORY;
}

// Room that the loops need.
static size_t number_loops(hol_recursion *r)
{
    size_t size = 0;
    r->size.n_loops = 0;
    for (int k = 0; k < r->n_loop_elements; k++) number_loop(r, k, &size);
    return size;
}

hol_status hol_recursion_reselect(hol_recursion *r)
{
    number_loops(r);
    return number_tree_rows(r);
}

static hol_status make(hol_recursion *r)
{
    size_t pool = 0;
    hol_status st = allocate(r);
    if (st) return st;
    make_links(r, &pool);
    st = number_tree_rows(r);
    r->size.n_elements = r->n_loop_elements = r->forest->n_cut;
    const size_t loops = number_loops(r);
    r->pool = hol_calloc(r->ctx, pool + 1, sizeof *r->pool);
    r->D = hol_calloc(r->ctx, loops + 1, sizeof *r->D);
    if (!r->pool || !r->D) return HOL_ERR_MEMORY;
    for (int j = 0; j < r->n_bodies; j++)
        for (int i = 0; r->link[j].kind == HOL_LINK_FREE && i < r->d; i++)
            r->pool[r->link[j].pool + (size_t)(i * (r->d + 1))] = 1;
    return st;
}

hol_status hol_recursion_create(hol_context *ctx, const hol_system *s, const hol_forest *f,
                                hol_recursion **out)
{
    *out = NULL;
    for (int i = 0; s->nk && i < s->m->n_elements; i++)
        if (s->m->element[i].n_rates)
            return hol_fail_at(
                ctx, HOL_ERR_MODEL, s->m->element[i].at,
                "%s: a velocity constraint; the tree of joints does not take them, use a sparse solver",
                s->m->element[i].name);
    hol_recursion *r = hol_calloc(ctx, 1, sizeof *r);
    if (!r) return HOL_ERR_MEMORY;
    r->ctx = ctx;
    r->s = s;
    r->forest = f;
    r->n_bodies = s->m->n_bodies;
    r->d = r->size.d = s->m->dimension == 3 ? 6 : 3;
    r->size.n = r->d * r->n_bodies;
    const hol_status st = make(r);
    if (st)
        hol_recursion_destroy(r);
    else
        *out = r;
    return st;
}

void hol_recursion_destroy(hol_recursion *r)
{
    if (!r) return;
    void *const arrays[] = {r->place, r->link, r->nu,     r->lam,      r->tree_row, r->theta,   r->general,
                            r->force, r->loop, r->frame3, r->inertia3, r->frame6,   r->inertia, r->axes,
                            r->pool,  r->D,    r};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

const hol_recursion_size *hol_recursion_sizes(const hol_recursion *r) { return &r->size; }
const double *hol_recursion_twists(const hol_recursion *r) { return r->nu; }
double *hol_recursion_forces(hol_recursion *r) { return r->f; }
const double *hol_recursion_bias(const hol_recursion *r) { return r->jump; }

hol_status hol_recursion_accelerations(hol_recursion *r, hol_state *x, bool multipliers)
{
    hol_status st = HOL_OK;
    if (r->n_forces == 0) {
        st = hol_recursion_fall(r, x, r->u);
    } else {
        hol_recursion_set(r, x);
        st = hol_recursion_factor_apply(r, r->f, r->jump, r->u);
        if (!st) hol_recursion_put_accelerations(r, r->u, x);
    }
    if (st) return st;
    if (!multipliers) return HOL_OK;
    hol_recursion_multipliers(r, r->f, r->u, r->lam);
    memset(r->gam, 0, (size_t)r->size.n_loops * sizeof *r->gam);
    hol_recursion_put_multipliers(r, r->lam, r->gam, x);
    hol_recursion_put_normalisations(r, x);
    return HOL_OK;
}
