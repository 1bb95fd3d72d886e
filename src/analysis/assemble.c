// What the assembly finds, as names and numbers: the pose by the steps of a start alone, so that there is one where joints stay open, the
// velocities by a start as runs make it.
#include "analysis/assemble.h"

#include "element/coordinate.h"
#include "system/initial.h"
#include "system/leaf.h"
#include "system/start_told.h"

#include <math.h>
#include <string.h>

typedef struct {
    hol_assembly a; // first: what the caller has
    hol_arena *arena;
} owner;

enum { COORDINATES = 7, RATES = 6 };
#define UNCLEAR 1e-6 // of the length scale: places that are one

// ---- values ---------------------------------------------------------------------------------------------------

// Velocity of the origin of a body's frame, then its angular velocity in global axes, as many as the body has.
static void body_rates(const hol_model_data *m, int body, const double *q, const double *v, double out[RATES])
{
    const hol_body *b = &m->body[body];
    double typed[COORDINATES];
    hol_real p[4], E[3][4];
    hol_start_as_typed(m, body, q, v, typed);
    memcpy(out, typed, 3 * sizeof *out);
    if (b->frame != HOL_FRAME_SPATIAL) return;
    for (int i = 0; i < 4; i++) p[i] = q[b->q + 3 + i];
    hol_global_rate(p, E);
    for (int i = 0; i < 3; i++) {
        out[3 + i] = 0;
        for (int k = 0; k < 4; k++) out[3 + i] += 2 * hol_re(E[i][k]) * v[b->q + 3 + k];
    }
}

// Is this of the body exact? Its rows say so by their name.
static bool is_exact(const hol_model_data *m, int body, bool motion, bool length)
{
    for (int i = 0; i < m->n_holds; i++) {
        const hol_element *e = &m->element[m->n_elements + i];
        const bool place = strcmp(e->type->name, "at-point") == 0,
                   turn = strcmp(e->type->name, "orientation") == 0;
        if (e->body[0] == body && e->n_bodies == 1 && (length ? place : turn) &&
            (motion ? m->hold[i].motion : m->hold[i].pose))
            return true;
    }
    return false;
}

// A coordinate beside what is drawn.
static hol_status add_position(owner *o, const hol_model_data *m, int body, int k, const double *asked,
                               const double *used)
{
    const bool length = hol_model_is_length(m, body, k);
    hol_assembly_value *v = &o->a.position[o->a.n_positions++];
    const char *word = hol_model_coordinate_word(m, body, k, &v->unit);
    v->name = hol_arena_print(o->arena, "%s.%s", m->body[body].name, word);
    v->asked = asked[k];
    v->used = used[k];
    v->given = m->given[body] & (length ? HOL_OF_POSITION : HOL_OF_ORIENTATION);
    v->exact = is_exact(m, body, false, length);
    return v->name ? HOL_OK : HOL_ERR_MEMORY;
}

// A rate beside what is given.
static hol_status add_velocity(owner *o, const hol_model_data *m, int body, int k, const double *asked,
                               const double *used)
{
    static const char *const words[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    const bool planar = m->body[body].frame == HOL_FRAME_PLANAR, length = planar ? k < 2 : k < 3;
    hol_assembly_value *v = &o->a.velocity[o->a.n_velocities++];
    v->unit = length ? "m/s" : "rad/s";
    v->name = hol_arena_print(o->arena, "%s.%s", m->body[body].name, planar && k == 2 ? "omega" : words[k]);
    v->asked = asked[k];
    v->used = used[k];
    v->given = m->given[body] & (length ? HOL_OF_VELOCITY : HOL_OF_OMEGA);
    v->exact = is_exact(m, body, true, length);
    return v->name ? HOL_OK : HOL_ERR_MEMORY;
}

// All coordinates, and with v (NULL: none) all velocities; in place of those that there are.
static hol_status add_values(owner *o, const hol_model_data *m, const double *q, const double *v)
{
    hol_status st = HOL_OK;
    o->a.n_positions = o->a.n_velocities = 0;
    o->a.position = hol_arena_alloc(o->arena, (size_t)m->nq + 1, sizeof *o->a.position);
    o->a.velocity = hol_arena_alloc(o->arena, (size_t)m->nq + 1, sizeof *o->a.velocity);
    if (!o->a.position || !o->a.velocity) return HOL_ERR_MEMORY;
    for (int b = 0; b < m->n_bodies && !st; b++) {
        double asked[COORDINATES], used[COORDINATES];
        const int rates = m->body[b].size < COORDINATES ? m->body[b].size : RATES;
        hol_start_as_typed(m, b, m->q0, NULL, asked);
        hol_start_as_typed(m, b, q, NULL, used);
        for (int k = 0; k < m->body[b].size && !st; k++) st = add_position(o, m, b, k, asked, used);
        if (!v) continue;
        body_rates(m, b, m->q0, m->v0, asked);
        body_rates(m, b, q, v, used);
        for (int k = 0; k < rates && !st; k++) st = add_velocity(o, m, b, k, asked, used);
    }
    return st;
}

// ---- joints ---------------------------------------------------------------------------------------------------

// What is open, and what the rows cost where they are closed.
static hol_status add_joints(owner *o, hol_context *ctx, hol_assembler *a)
{
    const hol_model_data *m = &a->m;
    const hol_equations *s = a->k.s;
    double *phi = hol_calloc(ctx, 2 * (size_t)s->nc + 1, sizeof *phi), *mu = phi ? phi + s->nc : NULL;
    hol_status st = phi ? HOL_OK : HOL_ERR_MEMORY;
    o->a.joint = hol_arena_alloc(o->arena, (size_t)(m->n_elements - m->n_bodies) + 1, sizeof *o->a.joint);
    if (!o->a.joint) st = HOL_ERR_MEMORY;
    if (!st && o->a.closed) st = hol_assembly_costs(a, mu);
    if (st > 0) { // a singular pose: nothing is known of them
        for (int i = 0; i < s->nc; i++) mu[i] = HOL_NONE;
        st = HOL_OK;
    }
    if (!st) hol_equations_residual(a->k.s, &a->x, NULL, phi);
    for (int k = m->n_bodies; k < m->n_elements && !st; k++) {
        const hol_element *e = &m->element[k];
        hol_assembly_joint *j = &o->a.joint[o->a.n_joints];
        double rows[HOL_MAX_ROWS], squares = 0;
        int n = 0;
        for (int i = 0; i < e->n_rows; i++) {
            const int r = s->active[e->row + i];
            if (r < 0) continue;
            rows[n++] = phi[r];
            squares += phi[r] * phi[r] * (e->type->row(e->data, i).is_length ? 1 : 0);
            j->cost = hol_larger(2 * fabs(mu[r]) * s->row_size[r], j->cost);
        }
        j->open = sqrt(squares);
        for (int i = 0; i < n; i++) j->open = fmax(j->open, fabs(rows[i]));
        if (n && !(j->name = hol_arena_copy(o->arena, e->name, strlen(e->name)))) st = HOL_ERR_MEMORY;
        o->a.n_joints += n > 0;
    }
    hol_free(phi);
    return st;
}

// ---- loops ----------------------------------------------------------------------------------------------------

static const char *copy(const owner *o, const char *text)
{
    return hol_arena_copy(o->arena, text, strlen(text));
}

// On which sides the loops are in the pose q.
static hol_status add_sides(const owner *o, const hol_sides *s, const double *q, int *n,
                            hol_assembly_side **out)
{
    const hol_model_data *m = s->m;
    char text[600];
    *out = hol_arena_alloc(o->arena, (size_t)s->n + 2, sizeof **out);
    if (!*out) return HOL_ERR_MEMORY;
    for (int i = 0; i < s->n; i++) {
        const hol_side *side = &s->side[i];
        hol_assembly_side *t = &(*out)[i];
        t->value = hol_side_value(m, side, q);
        hol_sides_loop(&s->graph, side->component, text, sizeof text);
        t->loop = copy(o, text);
        hol_side_require(m, side, t->value < 0 ? -1 : 1, text, sizeof text);
        t->require = copy(o, text);
        t->body = copy(o, m->body[side->body[0]].name);
        t->joint = side->joint < 0 ? NULL : copy(o, m->element[side->joint].name);
        t->other = side->joint < 0 ? NULL : copy(o, m->body[side->body[1]].name);
        if (!t->loop || !t->require || !t->body || (side->joint >= 0 && (!t->joint || !t->other)))
            return HOL_ERR_MEMORY;
    }
    *n = s->n;
    return HOL_OK;
}

// The coordinates that joints leave free, in the pose of x.
static hol_status add_coordinates(const owner *o, const hol_equations *s, const hol_state *x,
                                  hol_assembly_pose *p)
{
    const hol_model_data *m = s->m;
    for (int k = m->n_bodies; k < m->n_elements - m->n_holds; k++) {
        const hol_element *e = &m->element[k];
        const hol_joint_coordinate *c =
            e->type->role == HOL_ROLE_JOINT && e->n_ends == 2 ? hol_joint_coordinates(e, m->dimension) : NULL;
        for (; c && c->name; c++) {
            hol_leaf leaf;
            hol_leaf_value value;
            if (hol_joint_coordinate_level(c) > 0 || !hol_joint_coordinate_is_free(e, m->dimension, c))
                continue;
            hol_joint_leaf_seen(m, e, c, &leaf);
            leaf.turns = 0;
            hol_leaf_eval(s, x, &leaf, false, &value);
            if (!HOL_ARENA_GROW(o->arena, p->coordinate, p->n_coordinates)) return HOL_ERR_MEMORY;
            hol_assembly_coordinate *out = &p->coordinate[p->n_coordinates++];
            out->unit = c->unit;
            out->name = hol_arena_print(o->arena, "%s.%s", e->name, c->name);
            const bool turns =
                strcmp(c->unit, "rad") == 0 && m->dimension == 3; // in the plane a pose tells them
            out->value = turns ? remainder(hol_re(value.f), 2 * HOL_PI) : hol_re(value.f);
            if (!out->name) return HOL_ERR_MEMORY;
        }
    }
    return HOL_OK;
}

// How far a place that a body has in one pose is, along an axis, from all it has in others (n): half the way to the nearest of these, with
// the sign of the side on which all of them are not; 0: they are on both.
static double apart(double here, int n, const double *others)
{
    double below = -HOL_INF, above = HOL_INF;
    for (int i = 0; i < n; i++)
        if (others[i] <= here)
            below = fmax(below, others[i]);
        else
            above = fmin(above, others[i]);
    if (isfinite(below) && isfinite(above)) return 0;
    return isfinite(below) ? (here - below) / 2 : (here - above) / 2;
}

static bool same_sides(const hol_sides *s, const double *p, const double *q)
{
    for (int i = 0; i < s->n; i++)
        if ((hol_side_value(s->m, &s->side[i], p) < 0) != (hol_side_value(s->m, &s->side[i], q) < 0))
            return false;
    return true;
}

// Poses with the same sides: the place of a body that tells this one from the others best, as one side more.
static hol_status tell_apart(owner *o, const hol_model_data *m, const hol_assemblies *all, int pose,
                             hol_assembly_pose *p)
{
    double others[2 * HOL_MOST_REFLECTIONS + 1], best = 0, middle = 0;
    int alike[2 * HOL_MOST_REFLECTIONS + 1], n = 0, body = -1, axis = 0;
    for (int i = 0; i < all->n; i++)
        if (i != pose && same_sides(&all->sides, all->found[i].q, all->found[pose].q)) alike[n++] = i;
    for (int b = 0; b < m->n_bodies && n; b++)
        for (int k = 0; k < m->dimension; k++) {
            double here[COORDINATES], there[COORDINATES];
            hol_start_as_typed(m, b, all->found[pose].q, NULL, here);
            for (int i = 0; i < n; i++) {
                hol_start_as_typed(m, b, all->found[alike[i]].q, NULL, there);
                others[i] = there[k];
            }
            const double way = apart(here[k], n, others);
            if (!(fabs(way) > fabs(best) * (1 + UNCLEAR))) continue;
            best = way;
            middle = here[k] - way;
            body = b;
            axis = k;
        }
    if (!n || fabs(best) < UNCLEAR * m->length_scale) return HOL_OK;
    hol_assembly_side *t = &p->side[p->n_sides++];
    *t = (hol_assembly_side){.value = best, .body = copy(o, m->body[body].name), .loop = ""};
    t->require = hol_arena_print(o->arena, "D%c(%s) %c %.12g m", 'X' + axis, m->body[body].name,
                                 best > 0 ? '>' : '<', middle);
    return t->body && t->require ? HOL_OK : HOL_ERR_MEMORY;
}

// One of the poses with all that is told of it.
static hol_status add_pose(owner *o, const hol_assembler *a, const hol_assemblies *all, int i)
{
    const hol_found *f = &all->found[i];
    hol_state x = a->x;
    hol_assembly_pose *p = &o->a.pose[i];
    x.q = f->q;
    *p = (hol_assembly_pose){.change = f->change, .least = f->least, .allowed = f->allowed};
    p->used = o->a.closed && memcmp(f->q, a->x.q, (size_t)a->m.nq * sizeof *f->q) == 0;
    hol_status st = add_sides(o, &all->sides, f->q, &p->n_sides, &p->side);
    if (!st) st = tell_apart(o, &a->m, all, i, p);
    if (!st) st = add_values(o, &a->m, f->q, NULL);
    p->position = o->a.position;
    p->n_positions = o->a.n_positions;
    return st ? st : add_coordinates(o, a->k.s, &x, p);
}

// Sides of the loops, where the joints hold, and the other poses where they are asked for.
static hol_status add_loops(owner *o, hol_assembler *a, bool all)
{
    hol_assemblies found = {0};
    hol_status st;
    if (all) {
        st = hol_assemblies_find(a, true, &o->a.least, &found);
        if (st == HOL_ERR_ASSEMBLY) st = HOL_OK; // none is allowed, which is known
    } else
        st = hol_sides_create(a->k.s->ctx, &a->m, a->x.q, &found.sides);
    if (!st) st = add_sides(o, &found.sides, a->x.q, &o->a.n_sides, &o->a.side);
    o->a.pose = hol_arena_alloc(o->arena, (size_t)found.n + 1, sizeof *o->a.pose);
    if (!o->a.pose) st = HOL_ERR_MEMORY;
    for (int i = 0; i < found.n && !st; i++) st = add_pose(o, a, &found, i);
    o->a.n_poses = st ? 0 : found.n;
    o->a.n_reflections = found.tried;
    hol_assemblies_destroy(&found);
    return st;
}

// ---- the whole ------------------------------------------------------------------------------------------------

// The velocities of a start, which tells what else is wrong with it.
static hol_status add_all(owner *o, hol_context *ctx, const hol_model_data *m, hol_assembler *a)
{
    hol_kernel k = hol_kernel_of(NULL);
    hol_state x = {0};
    hol_rank rank = {0};
    if (!o->a.closed) return add_values(o, m, a->x.q, NULL);
    hol_status st = hol_initialise(ctx, m, HOL_START_QUIET, &k, &x, &rank);
    if (st) return st;
    hol_start_warn_far(ctx, k.s, x.q);
    memcpy(a->x.q, x.q, (size_t)m->nq * sizeof *x.q);
    o->a.change = hol_assembly_change(a);
    st = add_values(o, m, x.q, x.v);
    hol_state_destroy(&x);
    hol_rank_destroy(&rank);
    hol_start_destroy(&k);
    return st;
}

// Which loop stays open, and what would close it.
static hol_status add_gap(owner *o, const hol_assembler *a)
{
    o->a.gap = a->gap;
    if (!a->loop[0]) return HOL_OK;
    o->a.loop = copy(o, a->loop);
    o->a.length = hol_arena_alloc(o->arena, (size_t)a->n_lengths + 1, sizeof *o->a.length);
    if (!o->a.loop || !o->a.length) return HOL_ERR_MEMORY;
    for (int i = 0; i < a->n_lengths; i++) {
        const hol_length *l = &a->length[i];
        o->a.length[i] = (hol_assembly_length){copy(o, l->name), l->unit, l->now, l->then, l->by};
        if (!o->a.length[i].name) return HOL_ERR_MEMORY;
    }
    o->a.n_lengths = a->n_lengths;
    return HOL_OK;
}

// The pose, what is open, what is changed.
static hol_status find(owner *o, hol_context *ctx, const hol_model_data *m, bool all)
{
    hol_assembler a = {0};
    bool least = false;
    hol_state x = {0};
    hol_equations *s = hol_equations_create(ctx, m, NULL);
    hol_status st = s ? hol_start_state(s, &x) : HOL_ERR_MEMORY;
    if (!st) st = hol_assembler_create(ctx, m, &x, false, &a);
    if (!st) st = hol_start_assemble(ctx, &a, HOL_START_TERSE, &least);
    o->a.closed = !st;
    if (st == HOL_ERR_ASSEMBLY) {
        o->a.why = hol_arena_copy(o->arena, hol_context_error(ctx), strlen(hol_context_error(ctx)));
        st = o->a.why ? HOL_OK : HOL_ERR_MEMORY;
    }
    if (!st) st = add_gap(o, &a);
    const hol_require *broken =
        st || o->a.closed || !hol_assembly_holds(&a) ? NULL : hol_require_broken(&a.m, &a.x);
    o->a.least = least && (o->a.closed || broken);
    if (broken && !(o->a.broken = copy(o, broken->text))) st = HOL_ERR_MEMORY;
    if (!st) o->a.change = hol_assembly_change(&a);
    if (!st) st = add_joints(o, ctx, &a);
    if (!st && (o->a.closed || broken)) st = add_loops(o, &a, all);
    if (!st) st = add_all(o, ctx, m, &a);
    hol_assembler_destroy(&a);
    hol_state_destroy(&x);
    hol_equations_destroy(s);
    return st;
}

// An object with an arena of its own.
hol_assembly *hol_assembly_find(hol_context *ctx, const hol_model_data *m, bool all)
{
    owner *o = hol_calloc(ctx, 1, sizeof *o);
    if (!o) return NULL;
    o->arena = hol_arena_create(ctx);
    hol_status st = o->arena ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) o->a.model = hol_arena_copy(o->arena, m->spec->file, strlen(m->spec->file));
    if (!st && m->title) o->a.title = hol_arena_copy(o->arena, m->title, strlen(m->title));
    if (!st) st = !o->a.model || (m->title && !o->a.title) ? HOL_ERR_MEMORY : find(o, ctx, m, all);
    if (!st) return &o->a;
    hol_assembly_free(&o->a);
    return NULL;
}

void hol_assembly_free(hol_assembly *assembly)
{
    owner *o = (owner *)assembly;
    if (!o) return;
    hol_arena_destroy(o->arena);
    hol_free(o);
}
