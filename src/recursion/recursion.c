// The tree solver's storage, made once from the forest: links between bodies by the kind of their joint, loop elements,
// forces, and the arrays that passes over the bodies read; and accelerations put together of these passes, which are in
// kinematics.c and articulated_body.c. docs/theory.md, section 14.
#include "element/joint_motion.h"
#include "recursion/spatial.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// ---- what a tie is ----------------------------------------------------------------------------------------------

// The kind of link that a joint makes; those without a special pass are general.
static hol_link_kind kind_of(const hol_freedoms *f, int dimension)
{
    if (f->why) return HOL_LINK_GENERAL;
    if (!f->point) {
        const bool slides = f->n_slides == 1 && f->slides[dimension == 3 ? 2 : 0];
        return slides && f->turning == HOL_TURNING_NONE ? HOL_LINK_SLIDE : HOL_LINK_GENERAL;
    }
    switch (f->turning) {
    case HOL_TURNING_NONE: return HOL_LINK_FIXED;
    case HOL_TURNING_AXIS: return HOL_LINK_REVOLUTE;
    case HOL_TURNING_FREE: return HOL_LINK_SPHERICAL;
    default: return HOL_LINK_GENERAL;
    }
}

// Points and axis of the tie e, whose end `child` is body j's.
static void copy_markers(hol_tree *r, const hol_link *l, int j, const hol_element *e, int child)
{
    const hol_marker *own = e->end[child].marker, *other = e->end[1 - child].marker;
    const hol_marker *axis = l->kind == HOL_LINK_SLIDE ? e->end[0].marker : own;
    const size_t point = (size_t)hol_point_size(r->d) * sizeof(double);
    memcpy(HOL_OF(r, r->d, body, j, s), own->s, point);
    memcpy(HOL_OF(r, r->d, body, j, s_father), other->s, point);
    if (r->d == 6 || l->kind == HOL_LINK_SLIDE)
        memcpy(HOL_OF(r, r->d, body, j, a), axis->u[r->d == 3 ? 0 : 2], point);
    if (r->d == 3) return;
    memcpy(r->axes[j].own, own->u, sizeof r->axes[j].own);
    memcpy(r->axes[j].father, other->u, sizeof r->axes[j].father);
}

// What ties body j to its father: the kind of joint, which end is the child's, and its points and axes.
static void tie_link(hol_tree *r, hol_link *l, int j)
{
    const hol_forest *f = r->forest;
    const hol_model_data *m = r->s->m;
    const int body = r->order[j], n = f->first[body + 1] - f->first[body];
    l->kind = n == 0 ? HOL_LINK_FREE : HOL_LINK_GENERAL;
    for (int i = 0; i < n; i++) {
        const hol_element *e = &m->element[f->tie[f->first[body] + i]];
        const int child = e->end[0].body == body ? 0 : 1;
        const hol_freedoms free = hol_joint_motion(e, m->dimension);
        l->rows = (unsigned char)(l->rows + e->n_rows);
        if (n == 1) l->kind = (unsigned char)kind_of(&free, m->dimension);
        l->turns = (l->kind == HOL_LINK_REVOLUTE || l->kind == HOL_LINK_FIXED) && free.rotation;
        if (l->touching || !(free.point || l->kind == HOL_LINK_SLIDE)) continue;
        l->touching = l->kind != HOL_LINK_SLIDE;
        l->owns_axis = child == 0; // axes of ALONG are the first end's
        copy_markers(r, l, j, e, child);
    }
    l->dof = l->shape = (unsigned char)(r->d - l->rows);
}

// ---- storage ----------------------------------------------------------------------------------------------------

// Mass, inertia and weight of a body; a point mass gets a rotation that nothing turns.
static void weigh(hol_tree *r, const hol_link *l, int j)
{
    const hol_element *e = &r->s->m->element[r->order[j]];
    const double length = r->s->m->length_scale;
    hol_inertia own;
    e->type->inertia(e->data, &own);
    if (l->frame == HOL_FRAME_POINT) own.J[0] = own.J[4] = own.J[8] = own.m > 0 ? own.m * length * length : 1;
    if (r->d == 3) {
        r->body3[j] = (hol_body3){.m = own.m, .J = own.J[8], .weight = {own.m * own.g[0], own.m * own.g[1]}};
        return;
    }
    hol_body6 *b = &r->body6[j];
    b->m = own.m;
    memcpy(b->J, own.J, sizeof b->J);
    for (int i = 0; i < 3; i++) b->weight[i] = own.m * own.g[i];
    b->slim = own.J[1] == 0 && own.J[2] == 0 && own.J[5] == 0;
}

// A link for each body, in the order of the passes.
static void make_links(hol_tree *r, size_t *pool)
{
    const hol_forest *f = r->forest;
    const hol_model_data *m = r->s->m;
    for (int j = 0; j < r->n_bodies; j++) {
        hol_link *l = &r->link[j];
        const int body = r->order[j];
        l->q = m->body[body].q;
        l->frame = (unsigned char)m->body[body].frame;
        l->father = f->father[body] < 0 ? -1 : r->place[f->father[body]];
        l->leaf = true;
        weigh(r, l, j);
        l->row = r->size.n_tree;
        tie_link(r, l, j);
        r->size.n_tree += l->rows;
        r->n_general += l->kind == HOL_LINK_GENERAL;
        l->pool = *pool;
        *pool += (size_t)((2 * r->d + l->dof) * l->dof);
    }
    for (int j = r->n_bodies - 1; j >= 0; j--) {
        const int k = r->link[j].father;
        if (k < 0) continue;
        r->link[j].opens = r->link[k].leaf;
        r->link[k].leaf = false;
    }
}

// Rows of the tree and of the loops among the active ones.
static hol_status number_tree_rows(hol_tree *r)
{
    const hol_forest *f = r->forest;
    const hol_equations *s = r->s;
    for (int j = 0; j < r->n_bodies; j++) {
        const int body = r->order[j];
        int at = r->link[j].row;
        for (int i = f->first[body]; i < f->first[body + 1]; i++) {
            const hol_element *e = &s->m->element[f->tie[i]];
            for (int row = 0; row < e->n_rows; row++) {
                r->tree_row[at] = s->active[e->row + row];
                if (r->tree_row[at++] >= 0) continue;
                return hol_fail_at(r->ctx, HOL_ERR_USAGE, e->at,
                                   "%s: an equation of this joint, which is in the tree of joints, counts as "
                                   "redundant, and no "
                                   "other was left out for it (a singular pose, or loops too large to be "
                                   "examined); bdf, rn4 "
                                   "and hht go without a tree",
                                   e->name);
            }
        }
    }
    return HOL_OK;
}

typedef struct {
    size_t D, block;
} room;

// The rows of a cut joint that are in use, and where its numbers stand.
static void number_loop(hol_tree *r, int k, room *size)
{
    hol_loop_element *l = &r->loop[k];
    const hol_equations *s = r->s;
    const hol_element *e = &s->m->element[r->forest->cut[k]];
    const int dimension = s->m->dimension;
    l->joint = r->forest->cut[k];
    l->s = (unsigned)(2 * dimension) * (unsigned)k;
    l->first = r->size.n_loops;
    l->rows = 0;
    for (int i = 0; i < e->n_rows; i++) {
        const int active = s->active[e->row + i];
        if (active < 0) continue;
        r->row_size[r->size.n_loops] = s->row_size[active];
        r->loop_row[r->size.n_loops++] = active;
        l->row[l->rows++] = (unsigned char)i;
    }
    const hol_freedoms free = hol_joint_motion(e, dimension);
    l->point = l->rows == e->n_rows && l->rows == dimension && free.point;
    l->turns = !l->point && free.rotation;
    for (int i = 0; i < 2 && (l->point || l->turns); i++) {
        l->end[i] = e->end[i].body < 0 ? -1 : r->place[e->end[i].body];
        memcpy(r->s_loop + l->s + i * dimension, e->end[i].marker->s, (size_t)dimension * sizeof *r->s_loop);
    }
    l->D = (unsigned)size->D, l->block = (unsigned)size->block;
    size->D += (size_t)(l->point ? 2 * dimension : l->rows * e->n_bodies * r->d);
    size->block += (size_t)(l->rows * l->rows);
}

// Elements with forces; bodies' own are taken directly, those of rotors with their inertia.
static int list_forces(const hol_model_data *m, int *out)
{
    int n = 0;
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        if (!m->element[i].type->force || m->element[i].type->resist) continue;
        if (out) out[n] = i;
        n++;
    }
    return n;
}

// All arrays, by the counts of bodies, rows and loops.
static hol_status allocate(hol_tree *r)
{
    hol_context *ctx = r->ctx;
    const hol_model_data *m = r->s->m;
    const size_t nb = (size_t)m->n_bodies + 1, n = (size_t)r->size.n + 1;
    const size_t tree = (size_t)r->forest->n_rows + 1;
    size_t loops = 1; // rows that can take part
    for (int k = 0; k < r->forest->n_cut; k++) loops += (size_t)m->element[r->forest->cut[k]].n_rows;
    r->n_forces = list_forces(m, NULL);
    r->place = hol_calloc(ctx, 2 * nb, sizeof *r->place);
    r->link = hol_calloc(ctx, nb, sizeof *r->link);
    r->nu = hol_calloc(ctx, 4 * n, sizeof *r->nu);
    r->lam = hol_calloc(ctx, tree, sizeof *r->lam);
    r->tree_row = hol_calloc(ctx, tree + loops, sizeof *r->tree_row);
    r->theta = hol_calloc(ctx, 4 * loops, sizeof *r->theta);
    r->general = hol_calloc(ctx, r->d == 6 ? (size_t)m->nq : 1, sizeof *r->general);
    r->force = hol_calloc(ctx, (size_t)r->n_forces + 1, sizeof *r->force);
    r->loop = hol_calloc(ctx, (size_t)r->forest->n_cut + 1, sizeof *r->loop);
    r->s_loop = hol_calloc(ctx, (size_t)r->forest->n_cut + 1, 2 * (size_t)m->dimension * sizeof *r->s_loop);
    const bool some = r->place && r->link && r->nu && r->lam && r->tree_row && r->theta && r->general &&
                      r->force && r->loop && r->s_loop;
    if (!some) return HOL_ERR_MEMORY;
    list_forces(m, r->force);
    r->order = r->place + nb;
    r->f = r->nu + n, r->jump = r->f + n, r->u = r->jump + n;
    r->rate = r->theta + loops, r->tau = r->rate + loops, r->row_size = r->tau + loops;
    r->loop_row = r->tree_row + tree;
    r->size.theta = r->theta, r->size.rate = r->rate, r->size.row_size = r->row_size;
    r->inertia = hol_calloc(ctx, nb, hol_articulated_size(r->d));
    if (!r->inertia) return HOL_ERR_MEMORY;
    if (r->d == 3) {
        r->body3 = hol_calloc(ctx, nb, sizeof *r->body3);
        r->frame3 = hol_calloc(ctx, nb, sizeof *r->frame3);
        r->angle3 = hol_calloc(ctx, nb, sizeof *r->angle3);
        for (size_t j = 0; j < nb && r->angle3; j++) r->angle3[j].R[0] = 1; // of 0
        return r->body3 && r->frame3 && r->angle3 ? HOL_OK : HOL_ERR_MEMORY;
    }
    r->body6 = hol_calloc(ctx, nb, sizeof *r->body6);
    r->frame6 = hol_calloc(ctx, nb, sizeof *r->frame6);
    r->axes = hol_calloc(ctx, nb, sizeof *r->axes);
    return r->body6 && r->frame6 && r->axes ? HOL_OK : HOL_ERR_MEMORY;
}

// Room that the loops need.
static room number_loops(hol_tree *r)
{
    room size = {0};
    r->size.n_loops = 0;
    for (int k = 0; k < r->n_loop_elements; k++) number_loop(r, k, &size);
    return size;
}

// Order, links, rows, loops.
static hol_status make(hol_tree *r)
{
    size_t pool = 0;
    hol_status st = allocate(r);
    if (!st) st = hol_tree_order(r);
    if (st) return st;
    make_links(r, &pool);
    st = hol_tree_list_rotors(r);
    if (!st) st = number_tree_rows(r);
    r->size.n_elements = r->n_loop_elements = r->forest->n_cut;
    const room loops = number_loops(r);
    if (fmax((double)loops.D, (double)loops.block) > UINT_MAX)
        return hol_fail(
            r->ctx, HOL_ERR_MODEL,
            "too many closed loops for the tree of joints: %d joints close them; use a sparse solver",
            r->n_loop_elements);
    r->pool = hol_calloc(r->ctx, pool + 1, sizeof *r->pool);
    r->D = hol_calloc(r->ctx, loops.D + 1, sizeof *r->D);
    r->block = hol_calloc(r->ctx, loops.block + 1, sizeof *r->block);
    if (!r->pool || !r->D || !r->block) return HOL_ERR_MEMORY;
    if (!st) st = hol_tree_list_loops(r);
    for (int j = 0; j < r->n_bodies; j++)
        for (int i = 0; r->link[j].kind == HOL_LINK_FREE && i < r->d; i++)
            r->pool[r->link[j].pool + (size_t)(i * (r->d + 1))] = 1;
    return st;
}

// Does a tie of the tree move by what the rotor turns with?
static bool carries(const hol_forest *f, const hol_element *rotor)
{
    const int a = rotor->body[0], b = rotor->n_bodies > 1 ? rotor->body[1] : -1;
    return f->father[a] == b || (b >= 0 && f->father[b] == a);
}

const hol_element *hol_tree_refuses(const hol_model_data *m, const hol_forest *f, const char **why)
{
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        *why = "it is a velocity constraint";
        if (e->all_rates) return e;
        *why =
            "it has inertia, and its joint is not in the tree of joints (where the rest of the loop may be "
            "cut, \"loop: no\" at the joint puts it there)";
        if (e->type->resist && f && !carries(f, e)) return e;
    }
    return NULL;
}

hol_status hol_tree_create(hol_context *ctx, const hol_equations *s, const hol_forest *f, hol_tree **out)
{
    *out = NULL;
    const char *why;
    const hol_element *e = hol_tree_refuses(s->m, f, &why);
    if (e)
        return hol_fail_at(ctx, HOL_ERR_MODEL, e->at,
                           "%s: %s; the tree of joints does not take it, use a sparse solver", e->name, why);
    hol_tree *r = hol_calloc(ctx, 1, sizeof *r);
    if (!r) return HOL_ERR_MEMORY;
    r->ctx = ctx;
    r->s = s;
    r->forest = f;
    r->n_bodies = s->m->n_bodies;
    r->d = r->size.d = s->m->dimension == 3 ? 6 : 3;
    r->size.n = r->d * r->n_bodies;
    const hol_status st = make(r);
    if (st)
        hol_tree_destroy(r);
    else
        *out = r;
    return st;
}

void hol_tree_destroy(hol_tree *r)
{
    if (!r) return;
    void *const arrays[] = {r->place,       r->link,   r->nu,      r->lam,        r->tree_row, r->theta,
                            r->general,     r->force,  r->loop,    r->body3,      r->body6,    r->frame3,
                            r->angle3,      r->frame6, r->inertia, r->axes,       r->pool,     r->D,
                            r->block,       r->s_loop, r->piece,   r->first_loop, r->loop_of,  r->rotor,
                            r->first_rotor, r};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

const hol_tree_size *hol_tree_sizes(const hol_tree *r) { return &r->size; }
void hol_tree_want_power(hol_tree *r, bool wanted) { r->sums_power = wanted; }
double hol_tree_power(const hol_tree *r) { return r->power; }

hol_status hol_tree_accelerations(hol_tree *r, hol_state *x, bool multipliers)
{
    hol_status st = HOL_OK;
    if (r->n_rotors == 0 && !hol_tree_is_forced(r)) {
        st = hol_tree_solve_unforced(r, x);
    } else {
        hol_tree_set(r, x);
        st = hol_tree_solve(r, x);
    }
    if (!st && multipliers) hol_tree_multipliers(r, NULL, x);
    return st;
}

hol_status hol_tree_regularized(hol_tree *r, hol_state *x, const hol_regularization *c, bool placed,
                                double *mu, double *gain)
{
    if (!placed) hol_tree_place(r, x);
    hol_tree_add_forces(r, x);
    hol_tree_regularize(r, x, c, mu, gain);
    return hol_tree_solve(r, x);
}
