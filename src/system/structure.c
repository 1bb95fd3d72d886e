// The sparsity of a system: which entries of each element's blocks can be nonzero, and where they go.
//
// Zeros of the element blocks are found by evaluating them at random states: an entry that vanishes at three random
// states vanishes identically (the functions are analytic in the state). What is made of pieces has all entries. Functions of time need
// not be analytic, and rest at 0 for a while: an angle that is driven is any one here, and a frame that such functions move is made of pieces.
#include "system/equations.h"
#include "element/coordinate.h"
#include "model/code.h"
#include "system/explicit.h"
#include "system/swarm.h"

#include <math.h>
#include <string.h>

enum { PROBES = 3 };

typedef struct {
    hol_equations *s;
    hol_context *ctx;
    int n_entries, n_borders, n_pairs, entry_room, border_room, pair_room;
    int (*entry_at)[2], (*border_at)[2], (*pair_at)[2]; // row, column of each entry in the matrix
    int entry_at_room, border_at_room, pair_at_room;
} builder;

// Random y and w of an element; Euler parameters are near the unit sphere by size.
static void random_state(hol_random *r, int ny, hol_real *y, hol_real *w, hol_real *a, hol_real *lam)
{
    for (int i = 0; i < ny; i++) {
        y[i] = hol_random_uniform(r);
        w[i] = hol_random_uniform(r);
        a[i] = hol_random_uniform(r);
    }
    w[ny - 1] = 1;
    for (int i = 0; i < HOL_MAX_ROWS; i++) lam[i] = hol_random_uniform(r);
}

static void mark(const hol_real *x, int rows, int cols, int ld, char *mask)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            if (hol_re(x[i * ld + j]) != 0) mask[i * HOL_MAX_Y + j] = 1;
}

#define ANY_ANGLE 1.2 // [rad]
#define SOON 1e-3     // [s]: a time at which what rests at first does so

// The element's data, with any angle in place of one that is a function of time; room: for that.
static const void *without_time(const hol_element *e, hol_prims *room)
{
    if (e->type->phi != hol_prims_phi) return e->data;
    memcpy(room, e->data, hol_prims_used(e->data));
    for (int i = 0; i < room->n; i++)
        if (room->p[i].kind == HOL_PRIM_TWIST_SET && room->p[i].set) {
            room->p[i].set = NULL;
            room->p[i].offset = ANY_ANGLE;
        }
    return room;
}

// Is there a function that is 0 at t?
static bool rests(const hol_expr *f, double t)
{
    hol_real jet[4] = {1};
    if (f) hol_expr_jet(f, t, jet);
    return hol_re(jet[0]) == 0;
}

// Does a frame of the element rest at 0, in a direction or in its angle, in which it is moved?
static bool waits(const hol_element *e, double t)
{
    bool out = false;
    for (int i = 0; i < e->n_ends; i++) {
        if (e->end[i].marker->frame != HOL_FRAME_MOVING) continue;
        const hol_motion *m = hol_marker_motion(e->end[i].marker);
        for (int k = 0; k < 3; k++) out = out || rests(m->position[k], t);
        out = out || rests(m->angle, t);
    }
    return out;
}

// block (nq x nq) and jac (rows x nq), both with leading dimension HOL_MAX_Y
static void probe(const hol_element *e, hol_random *r, char *block, char *jac)
{
    const hol_element_type *t = e->type;
    const int ny = e->ny, nq = ny - 1;
    double mem[HOL_MAX_MEMORY] = {0};
    hol_real u[HOL_MAX_ROWS];
    for (int i = 0; i < HOL_MAX_ROWS; i++) u[i] = hol_random_uniform(r);
    hol_prims room;
    const void *data = without_time(e, &room);
    const bool pieces = t->edges || t->pieces || waits(e, SOON); // not analytic
    for (int i = 0; i < nq && pieces; i++) memset(block + i * HOL_MAX_Y, 1, (size_t)nq);
    for (int i = 0; i < e->n_rows && pieces; i++) memset(jac + i * HOL_MAX_Y, 1, (size_t)nq);
    for (int k = 0; k < PROBES; k++) {
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], a[HOL_MAX_Y], lam[HOL_MAX_ROWS];
        hol_real A[HOL_MAX_Y * HOL_MAX_Y] = {0}, B[HOL_MAX_Y * HOL_MAX_Y] = {0};
        random_state(r, ny, y, w, a, lam);
        if (t->mass) {
            t->mass(e->data, y, A);
            mark(A, nq, nq, nq, block);
        }
        if (t->mass_a) {
            memset(A, 0, sizeof A);
            t->mass_a(e->data, y, a, A);
            mark(A, nq, nq, ny, block);
        }
        if (t->force_d && !t->edges) {
            memset(A, 0, sizeof A);
            t->force_d(e->data, ny, y, w, mem, u, A, B);
            mark(A, nq, nq, ny, block);
            mark(B, nq, nq, nq, block);
        }
        if (e->n_rows) {
            memset(A, 0, sizeof A);
            t->phi_lam(data, ny, y, lam, A);
            mark(A, nq, nq, ny, block);
            t->phi(data, ny, y, NULL, NULL, B);
            mark(B, e->n_rows, nq, ny, jac);
        }
        if (e->n_rates) {
            memset(A, 0, sizeof A);
            memset(B, 0, sizeof B);
            t->rate_kap(e->data, ny, y, w, lam, A, B);
            mark(A, nq, nq, ny, block);
            mark(B, nq, nq, ny, block);
        }
    }
}

// An entry of an element's block: where in the block, and row and column in the matrix.
static hol_status add_entry(builder *b, int i, int j, int row, int col)
{
    hol_equations *s = b->s;
    hol_entry *e = hol_grow(b->ctx, s->entry, &b->entry_room, b->n_entries + 1, sizeof *e);
    if (e) s->entry = e;
    int(*at)[2] = hol_grow(b->ctx, b->entry_at, &b->entry_at_room, b->n_entries + 1, sizeof *at);
    if (at) b->entry_at = at;
    if (!e || !at) return HOL_ERR_MEMORY;
    e[b->n_entries] = (hol_entry){(short)i, (short)j, 0};
    at[b->n_entries][0] = row;
    at[b->n_entries++][1] = col;
    return HOL_OK;
}

// The same of an entry of the constraint rows.
static hol_status add_border(builder *b, int i, int j, int row, int col)
{
    hol_equations *s = b->s;
    hol_border *e = hol_grow(b->ctx, s->border, &b->border_room, b->n_borders + 1, sizeof *e);
    if (e) s->border = e;
    int(*at)[2] = hol_grow(b->ctx, b->border_at, &b->border_at_room, b->n_borders + 1, sizeof *at);
    if (at) b->border_at = at;
    if (!e || !at) return HOL_ERR_MEMORY;
    e[b->n_borders] = (hol_border){(short)i, (short)j, 0, 0};
    at[b->n_borders][0] = row;
    at[b->n_borders++][1] = col;
    return HOL_OK;
}

// An entry and its mirror image: the pattern is symmetric even where the values are not.
static hol_status add_pair(builder *b, int row, int col)
{
    hol_equations *s = b->s;
    hol_pair *p = hol_grow(b->ctx, s->pair, &b->pair_room, b->n_pairs + 1, sizeof *p);
    if (p) s->pair = p;
    int(*at)[2] = hol_grow(b->ctx, b->pair_at, &b->pair_at_room, b->n_pairs + 1, sizeof *at);
    if (at) b->pair_at = at;
    if (!p || !at) return HOL_ERR_MEMORY;
    at[b->n_pairs][0] = row;
    at[b->n_pairs++][1] = col;
    return HOL_OK;
}

// Velocity constraints are dense in their few bodies, and so is what an unknown input does.
static hol_status add_rates_and_inputs(builder *b, const hol_element *e, hol_scatter *sc, const int *column)
{
    const hol_equations *s = b->s;
    const int nq = e->ny - 1;
    hol_status st = HOL_OK;
    sc->rate = b->n_pairs;
    for (int i = 0; i < e->n_rates; i++)
        for (int j = 0; j < nq && !st; j++) st = add_pair(b, s->nf + s->nc + e->rate + i, column[j]);
    sc->input = b->n_pairs;
    for (int k = 0; k < e->n_inputs; k++)
        for (int i = 0; i < nq && !e->input[k].time && !st; i++)
            st = add_pair(b, column[i], s->nq + e->input[k].z);
    return st;
}

static void columns_of(const hol_model_data *m, int n_bodies, const int *body, int *column)
{
    int n = 0;
    for (int i = 0; i < n_bodies; i++)
        for (int k = 0; k < m->body[body[i]].size; k++) column[n++] = m->body[body[i]].q + k;
}

// Entries of a row of users' unknowns that a leaf brings in.
static hol_status add_leaf(builder *b, int row, const hol_leaf *l)
{
    const hol_equations *s = b->s;
    const hol_model_data *m = s->m;
    int column[HOL_MAX_Y];
    hol_status st = HOL_OK;
    if (l->kind == HOL_LEAF_VALUE) return add_pair(b, row, s->nq + l->index);
    if (l->kind == HOL_LEAF_STATE) return add_pair(b, row, s->nq + m->state[l->index].equation);
    if (hol_leaf_is_given(l)) return HOL_OK;
    columns_of(m, l->n_bodies, l->body, column);
    for (int j = 0; j < l->ny - 1 && !st; j++) st = add_pair(b, row, column[j]);
    if (l->kind != HOL_LEAF_REACTION) return st;
    const hol_element *e = &m->element[l->index];
    for (int i = 0; i < e->n_rows && !st; i++) // an inactive row has no unknown: its place is the diagonal
        st = add_pair(b, row, s->active[e->row + i] >= 0 ? s->nf + s->active[e->row + i] : row);
    for (int i = 0; i < e->n_rates && !st; i++) st = add_pair(b, row, s->nf + s->nc + e->rate + i);
    for (int i = 0; i < e->n_inputs && !st; i++)
        st = add_pair(b, row, e->input[i].time ? row : s->nq + e->input[i].z);
    return st;
}

// Outputs and rates of user code by its inputs and the rates of its states.
static hol_status add_blocks(builder *b)
{
    hol_equations *s = b->s;
    hol_status st = HOL_OK;
    for (int k = 0; k < s->m->n_blocks && !st; k++) {
        const hol_block *c = &s->m->block[k];
        const int rows = c->n_outputs + c->n_states, cols = c->n_inputs + c->n_states;
        s->block_pair[k] = b->n_pairs;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols && !st; j++)
                st = add_pair(b, s->nq + (i < c->n_outputs ? c->output + i : c->rate + i - c->n_outputs),
                              s->nq + (j < c->n_inputs ? c->input + j : c->rate + j - c->n_inputs));
    }
    // an address to count from, also where there is no pair
    if (!s->pair && !(s->pair = hol_calloc(b->ctx, 1, sizeof *s->pair))) return HOL_ERR_MEMORY;
    return st;
}

// Entries of all rows of users' unknowns.
static hol_status add_equations(builder *b)
{
    hol_equations *s = b->s;
    hol_status st = HOL_OK;
    for (int k = 0; k < s->nz && !st; k++) {
        const hol_equation *e = &s->m->equation[k];
        s->equation_pair[k] = b->n_pairs;
        for (int i = 0; i < e->n_leaves && !st; i++) st = add_leaf(b, s->nq + k, &e->leaf[i]);
    }
    return st;
}

// Entries of an element: those of its blocks that are not zero at random arguments.
static hol_status add_element(builder *b, int index, hol_random *r)
{
    hol_equations *s = b->s;
    const hol_element *e = &s->m->element[index];
    hol_scatter *sc = &s->scatter[index];
    char block[HOL_MAX_Y * HOL_MAX_Y] = {0}, jac[HOL_MAX_Y * HOL_MAX_Y] = {0};
    int column[HOL_MAX_Y];
    probe(e, r, block, jac);
    columns_of(s->m, e->n_bodies, e->body, column);
    sc->entry = b->n_entries;
    sc->border = b->n_borders;
    const int nq = e->ny - 1;
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < nq; j++)
            if (block[i * HOL_MAX_Y + j] || block[j * HOL_MAX_Y + i])
                if (add_entry(b, i, j, column[i], column[j])) return HOL_ERR_MEMORY;
    for (int i = 0; i < e->n_rows; i++) {
        sc->row[i] = s->active[e->row + i];
        if (sc->row[i] < 0) continue;
        for (int j = 0; j < nq; j++)
            if (jac[i * HOL_MAX_Y + j])
                if (add_border(b, i, j, s->nf + sc->row[i], column[j])) return HOL_ERR_MEMORY;
    }
    sc->n_entries = b->n_entries - sc->entry;
    sc->n_borders = b->n_borders - sc->border;
    return add_rates_and_inputs(b, e, sc, column);
}

// An entry of a border or a pair and its mirror image.
static void add_mirrored(hol_pattern_builder *to, const int *at, int *slot, int *transposed)
{
    *slot = hol_pattern_add(to, at[0], at[1]);
    *transposed = hol_pattern_add(to, at[1], at[0]);
}

// The union of all entries, both borders and the diagonal.
static hol_status build_pattern(builder *b)
{
    hol_equations *s = b->s;
    hol_pattern_builder to = {.ctx = b->ctx, .pattern = &s->pattern, .n = s->n};
    while (hol_pattern_pass(&to)) {
        for (int j = 0; j < s->n; j++) s->diagonal[j] = hol_pattern_add(&to, j, j);
        for (int k = 0; k < b->n_entries; k++)
            s->entry[k].slot = hol_pattern_add(&to, b->entry_at[k][0], b->entry_at[k][1]);
        for (int k = 0; k < b->n_borders; k++)
            add_mirrored(&to, b->border_at[k], &s->border[k].slot, &s->border[k].transposed);
        for (int k = 0; k < b->n_pairs; k++)
            add_mirrored(&to, b->pair_at[k], &s->pair[k].slot, &s->pair[k].transposed);
    }
    return to.status;
}

// Numbers the rows in use and the unknowns: q, z, lam, kap, in this order.
static hol_status number_rows(hol_equations *s, hol_context *ctx, const char *active)
{
    const hol_model_data *m = s->m;
    s->active = hol_calloc(ctx, (size_t)m->nc + 1, sizeof *s->active);
    s->model_row = hol_calloc(ctx, (size_t)m->nc + 1, sizeof *s->model_row);
    s->row_size = hol_calloc(ctx, (size_t)m->nc + 1, sizeof *s->row_size);
    s->q_size = hol_calloc(ctx, (size_t)m->nq, sizeof *s->q_size);
    if (!s->active || !s->model_row || !s->row_size || !s->q_size) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->nc; i++) {
        s->active[i] = !active || active[i] ? s->nc : -1;
        if (s->active[i] < 0) continue;
        s->model_row[s->nc] = i;
        s->row_size[s->nc++] = hol_model_row_size(m, i);
    }
    for (int i = 0; i < m->n_bodies; i++)
        for (int k = 0; k < m->body[i].size; k++)
            s->q_size[m->body[i].q + k] = hol_model_coordinate_size(m, i, k);
    s->nq = m->nq;
    s->nz = m->n_equations;
    s->nk = m->nk;
    s->nx = m->n_states;
    s->nf = s->nq + s->nz;
    s->n = s->nf + s->nc + s->nk;
    return HOL_OK;
}

// Room for the arguments, results and derivatives of the largest block of user code.
static hol_status make_code_room(hol_equations *s)
{
    size_t room = 0;
    for (int k = 0; k < s->m->n_blocks; k++) {
        const hol_block *c = &s->m->block[k];
        const int rows = c->n_outputs + c->n_states, cols = c->n_inputs + c->n_states;
        const size_t need = (size_t)(rows * (cols + 1) + cols) + hol_code_work(c->code);
        room = need > room ? need : room;
    }
    s->code = hol_calloc(s->ctx, room + 1, sizeof *s->code);
    return s->code ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_equations_count(hol_equations *s, const hol_leaf *leaf)
{
    for (int i = 0; i < s->n_counters; i++)
        if (s->counter[i].turns == leaf->turns) return HOL_OK;
    if (!HOL_GROW(s->ctx, s->counter, s->counter_room, s->n_counters + 1)) return HOL_ERR_MEMORY;
    s->counter[s->n_counters++] = *leaf;
    return HOL_OK;
}

hol_status hol_equations_count_joints(hol_equations *s)
{
    const hol_model_data *m = s->m;
    hol_status st = HOL_OK;
    for (int i = m->n_bodies; i < m->n_elements && m->dimension == 3; i++)
        for (const hol_joint_coordinate *c = hol_joint_coordinates(&m->element[i], 3); c->name && !st; c++) {
            hol_leaf leaf;
            if (!hol_joint_coordinate_turns(c, 3) || hol_joint_holds_point(&m->element[i])) continue;
            hol_joint_leaf(&m->element[i], 3, c, &leaf);
            st = hol_equations_count(s, &leaf);
        }
    return st;
}

hol_equations *hol_equations_create(hol_context *ctx, const hol_model_data *m, const char *active)
{
    hol_equations *s = hol_calloc(ctx, 1, sizeof *s);
    if (!s) return NULL;
    s->ctx = ctx;
    s->m = m;
    hol_status st = number_rows(s, ctx, active);
    if (!st) st = make_code_room(s);
    if (!st && !(s->swarms = hol_swarms_create(ctx, m))) st = HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_counters && !st; i++) st = hol_equations_count(s, m->counter[i].leaf);
    if (!st) return s;
    hol_equations_destroy(s);
    return NULL;
}

// There are lists also where nothing comes into them: what points to a place of a list must have one.
static hol_status make_lists(hol_equations *s, builder *b)
{
    s->entry = hol_grow(b->ctx, NULL, &b->entry_room, 0, sizeof *s->entry);
    s->border = hol_grow(b->ctx, NULL, &b->border_room, 0, sizeof *s->border);
    s->pair = hol_grow(b->ctx, NULL, &b->pair_room, 0, sizeof *s->pair);
    b->entry_at = hol_grow(b->ctx, NULL, &b->entry_at_room, 0, sizeof *b->entry_at);
    b->border_at = hol_grow(b->ctx, NULL, &b->border_at_room, 0, sizeof *b->border_at);
    b->pair_at = hol_grow(b->ctx, NULL, &b->pair_at_room, 0, sizeof *b->pair_at);
    const bool all = s->entry && s->border && s->pair && b->entry_at && b->border_at && b->pair_at;
    return all ? HOL_OK : HOL_ERR_MEMORY;
}

// The lists of all entries, from which pattern and places follow.
static hol_status make_structure(hol_equations *s, builder *b)
{
    hol_context *ctx = b->ctx;
    hol_random r = {12345};
    hol_status st = make_lists(s, b);
    s->scatter = hol_calloc(ctx, (size_t)s->m->n_elements, sizeof *s->scatter);
    s->diagonal = hol_calloc(ctx, (size_t)s->n, sizeof *s->diagonal);
    s->equation_pair = hol_calloc(ctx, (size_t)s->nz + 1, sizeof *s->equation_pair);
    s->block_pair = hol_calloc(ctx, (size_t)s->m->n_blocks + 1, sizeof *s->block_pair);
    if (!s->scatter || !s->diagonal || !s->equation_pair || !s->block_pair) return HOL_ERR_MEMORY;
    for (int i = 0; i < s->m->n_elements && !st; i++) st = add_element(b, i, &r);
    if (!st) st = add_equations(b);
    if (!st) st = add_blocks(b);
    return st ? st : build_pattern(b);
}

static void forget_order(hol_explicit **o)
{
    if (*o) hol_explicit_destroy(*o);
    hol_free(*o);
    *o = NULL;
}

static void forget_users(hol_equations *s)
{
    forget_order(&s->users);
    forget_order(&s->follow);
    s->ordered = false;
}

// Of those that follow once accelerations and multipliers are given.
static hol_status order_followers(hol_equations *s)
{
    char *implicit = hol_calloc(s->ctx, (size_t)s->nz + 1, sizeof *implicit);
    s->follow = hol_calloc(s->ctx, 1, sizeof *s->follow);
    const hol_status st = implicit && s->follow
                              ? hol_explicit_create_part(s->ctx, s->m, true, s->follow, implicit)
                              : HOL_ERR_MEMORY;
    hol_free(implicit);
    return st;
}

// The order of users' equations, if there is one: of the model alone, whatever rows are in use.
static hol_status order_users(hol_equations *s)
{
    hol_obstacle obstacle;
    if (s->ordered) return HOL_OK;
    s->users = hol_calloc(s->ctx, 1, sizeof *s->users);
    const hol_status st = s->users ? hol_explicit_create(s->ctx, s->m, s->users, &obstacle) : HOL_ERR_MEMORY;
    if (st) forget_users(s);
    s->ordered = st >= 0;
    return st > 0 ? order_followers(s) : st;
}

hol_status hol_equations_need_structure(hol_equations *s)
{
    if (s->pattern.start) return HOL_OK;
    builder b = {.s = s, .ctx = s->ctx};
    hol_status st = make_structure(s, &b);
    if (!st) st = order_users(s);
    hol_free(b.entry_at);
    hol_free(b.border_at);
    hol_free(b.pair_at);
    if (st) hol_equations_drop_structure(s);
    return st;
}

void hol_equations_drop_structure(hol_equations *s)
{
    void *const arrays[] = {s->diagonal, s->scatter,       s->entry,     s->border,
                            s->pair,     s->equation_pair, s->block_pair};
    hol_pattern_destroy(&s->pattern);
    forget_users(s);
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
    s->scatter = NULL;
    s->entry = NULL;
    s->border = NULL;
    s->pair = NULL;
    s->diagonal = s->equation_pair = s->block_pair = NULL;
}

void hol_equations_destroy(hol_equations *s)
{
    if (!s) return;
    hol_equations_drop_structure(s);
    hol_swarms_destroy(s->swarms);
    void *const arrays[] = {s->active, s->model_row, s->row_size, s->q_size, s->code, s->cut, s->counter, s};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

hol_status hol_equations_select(hol_equations *s, const char *active)
{
    hol_equations *other = hol_equations_create(s->ctx, s->m, active);
    if (!other) return HOL_ERR_MEMORY;
    hol_equations old = *s;
    other->dependent = s->dependent;
    other->exchanges = s->exchanges;
    other->cut = s->cut, other->kept = s->kept;
    other->users = s->users, other->follow = s->follow, other->ordered = s->ordered;
    hol_free(other->counter);
    other->counter = s->counter, other->n_counters = s->n_counters, other->counter_room = s->counter_room;
    hol_swarms_destroy(other->swarms);
    other->swarms = s->swarms;
    old.swarms = NULL;
    old.cut = NULL;
    old.counter = NULL;
    old.users = old.follow = NULL;
    other->team = s->team;
    other->divide = s->divide;
    other->count = s->count;
    other->selection = s->selection + 1;
    *s = *other; // the address stays: integrators and signals keep it
    *other = old;
    hol_equations_destroy(other);
    return HOL_OK;
}
