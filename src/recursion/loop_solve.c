// Accelerations and projections with exact multipliers of closed loops (formula (15.8) in loop_solve.h), by one of the solvers of
// loop_solver.h: loop_tree.c, loop_joints.c. docs/theory.md, section 15.5.
#include "recursion/loop_solver.h"
#include "linalg/least.h"
#include "recursion/delassus.h"
#include "recursion/joint_matrix.h"
#include "recursion/spatial.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_CORRECTIONS = 30, REFINEMENTS = 5 };
#define NEWTON 1e-4 // part of the error of the positions that the solver may leave
#define EXACT 1e-13 // the same of velocities

// ---- creation -------------------------------------------------------------------------------------------------

hol_status hol_loops_possible(hol_context *ctx, const hol_model_data *m, hol_obstacle *obstacle)
{
    hol_explicit users;
    const char *why;
    const hol_element *e = hol_tree_refuses(m, NULL, &why);
    if (e) {
        *obstacle = (hol_obstacle){e->name, why, e->at};
        return HOL_RECOVERABLE;
    }
    const hol_status st = hol_explicit_create(ctx, m, &users, obstacle);
    hol_explicit_destroy(&users);
    return st;
}

// Vectors of the loops and of the coordinates, and a dense matrix where the rows are few.
static hol_status make_room(hol_context *ctx, hol_loops *o)
{
    const size_t m = (size_t)o->size->n_loops, n = (size_t)o->size->n;
    const size_t dense = m <= HOL_LOOPS_DENSE && !o->joints ? m * m : 0;
    o->memory = hol_calloc(ctx, 6 * m + 3 * n + dense + 1, sizeof *o->memory);
    o->pivot = hol_calloc(ctx, m + 1, sizeof *o->pivot);
    if (!o->memory || !o->pivot) return HOL_ERR_MEMORY;
    double **const loop[] = {&o->mu, &o->b, &o->g, &o->p, &o->z, &o->d};
    double **const body[] = {&o->u, &o->w, &o->k};
    double *at = o->memory;
    for (int i = 0; i < HOL_COUNT(loop); i++, at += m) *loop[i] = at;
    for (int i = 0; i < HOL_COUNT(body); i++, at += n) *body[i] = at;
    if (o->joints) o->u = o->r->f;
    o->A = dense ? at : NULL;
    o->row_size = o->r->row_size;
    o->solver = o->joints ? &hol_loop_joints : dense ? &hol_loop_dense : &hol_loop_gradients;
    return dense ? hol_delassus_create(ctx, o->r, &o->delassus) : HOL_OK;
}

static bool leaves_out(const hol_equations *s, const hol_forest *f)
{
    for (int i = 0; i < s->m->nc; i++)
        if (f->kept[i] && s->active[i] < 0) return true;
    return false;
}

// Of redundant rows those of the tree are in use: others are left out in their place.
static hol_status keep_rows(hol_context *ctx, hol_equations *s, const hol_state *x, const hol_forest *f)
{
    bool changed;
    if (!s->exchanges || !leaves_out(s, f)) return HOL_OK;
    char *active = hol_calloc(ctx, (size_t)s->m->nc + 1, 1);
    if (!active) return HOL_ERR_MEMORY;
    for (int i = 0; i < s->m->nc; i++) active[i] = s->active[i] >= 0;
    hol_status st = hol_forest_prefer(ctx, f, x, active, &changed);
    if (!st && changed) st = hol_equations_select(s, active);
    hol_free(active);
    return st;
}

// The tree laid before, if there is one and no other is wanted: rows were chosen for it.
static hol_status lay_forest(hol_context *ctx, hol_equations *s, const hol_state *x, const char *cut,
                             hol_forest *f)
{
    const hol_status st = hol_forest_create_without(ctx, s->m, x->q, cut ? cut : s->cut, f);
    return st ? st : keep_rows(ctx, s, x, f);
}

// Does the tree carry all inertia? With all joints cut nothing does but the bodies.
static hol_status carried(const hol_loops *o, bool tree, hol_obstacle *obstacle)
{
    const hol_model_data *m = o->s->m;
    const char *why = "it has inertia, which only a tree of joints carries";
    const hol_element *e = tree ? hol_tree_refuses(m, &o->forest, &why) : NULL;
    for (int i = m->n_bodies; i < m->n_elements && !tree && !e; i++)
        if (m->element[i].type->resist) e = &m->element[i];
    if (!e) return HOL_OK;
    *obstacle = (hol_obstacle){e->name, why, e->at};
    return HOL_RECOVERABLE;
}

// x: where the forest is laid out, NULL: the joints stand alone.
static hol_status create(hol_context *ctx, hol_equations *s, const hol_state *x, const char *cut,
                         double accuracy, hol_loops *o, hol_obstacle *obstacle)
{
    *o = (hol_loops){.s = s, .accuracy = accuracy};
    hol_status st = hol_explicit_create(ctx, s->m, &o->users, obstacle);
    if (!st) st = x ? lay_forest(ctx, s, x, cut, &o->forest) : hol_forest_none(ctx, s->m, &o->forest);
    if (!st) st = carried(o, x != NULL, obstacle);
    if (!st) st = hol_tree_create(ctx, s, &o->forest, &o->r);
    if (!st) o->size = hol_tree_sizes(o->r);
    return st;
}

hol_status hol_loops_create(hol_context *ctx, hol_equations *s, const hol_state *x, const char *cut,
                            double accuracy, hol_loops *o, hol_obstacle *obstacle)
{
    const hol_status st = create(ctx, s, x, cut, accuracy, o, obstacle);
    return st ? st : make_room(ctx, o);
}

hol_status hol_loops_keep(const hol_loops *o)
{
    hol_equations *s = o->s;
    const size_t n = (size_t)s->m->n_elements;
    if (s->cut) return HOL_OK;
    if (!(s->cut = hol_calloc(s->ctx, n + (size_t)s->m->nc, 1))) return HOL_ERR_MEMORY;
    s->kept = s->cut + n;
    for (int i = 0; i < o->forest.n_cut; i++) s->cut[o->forest.cut[i]] = 1;
    memcpy(s->kept, o->forest.kept, (size_t)s->m->nc);
    return HOL_OK;
}

hol_status hol_loops_create_joints(hol_context *ctx, hol_equations *s, double accuracy, double most_products,
                                   hol_loops *o, hol_obstacle *obstacle)
{
    hol_status st = create(ctx, s, NULL, NULL, accuracy, o, obstacle);
    if (!st) st = hol_joint_matrix_create(ctx, o->r, most_products, &o->joints);
    return st ? st : make_room(ctx, o);
}

void hol_loops_release(hol_loops *o)
{
    hol_delassus_destroy(o->delassus);
    hol_free(o->memory);
    hol_free(o->pivot);
    o->delassus = NULL;
    o->memory = NULL;
    o->pivot = NULL;
}

void hol_loops_destroy(hol_loops *o)
{
    hol_loops_release(o);
    hol_joint_matrix_destroy(o->joints);
    hol_tree_destroy(o->r);
    hol_forest_destroy(&o->forest);
    hol_explicit_destroy(&o->users);
    *o = (hol_loops){0};
}

void hol_loops_archive(hol_loops *o, hol_archive *a)
{
    hol_archive_numbers(a, o->mu, (size_t)o->size->n_loops);
    hol_archive_counts(a, &o->solves, 1);
    hol_archive_counts(a, &o->iterations, 1);
    hol_archive_flag(a, &o->refine);
}

static void look_at(hol_loops *o, const hol_state *x)
{
    hol_tree_place(o->r, x);
    hol_tree_set_loops(o->r, x);
}

// ---- accelerations ------------------------------------------------------------------------------------------------

// The multipliers are those of the joints; with powers as the accelerations have them, without another look at what rounding leaves.
static hol_status find_accelerations(hol_loops *o, hol_state *x, hol_wanted wanted)
{
    const bool multipliers = wanted == HOL_WANT_ALL, powers = wanted == HOL_WANT_POWERS;
    o->s->count.residuals++, o->s->count.along_tree++;
    hol_status st = powers || wanted == HOL_WANT_RATES ? hol_explicit_evaluate_moving(&o->users, o->s, x)
                                                       : hol_explicit_evaluate(&o->users, o->s, x);
    if (!st && !o->size->n_loops) return hol_tree_accelerations(o->r, x, multipliers || powers);
    if (!st) st = o->solver->accelerate(o, x, multipliers);
    if (!st && powers) o->solver->multipliers(o, x);
    return st;
}

hol_status hol_loops_accelerations(hol_loops *o, hol_state *x, hol_wanted wanted)
{
    const hol_status st = find_accelerations(o, x, wanted);
    if (!st && !hol_all_finite(x->a, (size_t)o->s->nq))
        return HOL_RECOVERABLE; // here the force that is none can still be named
    if (!st && wanted == HOL_WANT_ALL) hol_loops_complete(o, x);
    return st;
}

void hol_loops_complete(hol_loops *o, hol_state *x) { hol_tree_put_normalisations(o->r, x); }

// ---- projections --------------------------------------------------------------------------------------------------

// What the joints are open by at x that look_at has seen, or the rates of that, in natural sizes.
static double opening(const hol_loops *o, const hol_joint_state *to, const hol_state *x, bool velocity)
{
    const double loops = hol_tree_loop_norm(o->r, velocity ? o->r->rate : o->r->theta);
    if (o->joints || to) return loops;
    const double tree = hol_tree_gaps(o->r, x, velocity);
    return isfinite(tree + loops) ? fmax(velocity ? tree / o->s->m->time_scale : tree, loops) : HOL_INF;
}

// Joint coordinates, or their rates, by the twists o->w.
static void move_joints(const hol_loops *o, const hol_joint_state *to, bool velocity)
{
    const hol_coordinates_size *z = hol_coordinates_sizes(to->c);
    double *rate = to->room + z->n_q;
    hol_coordinates_velocities(to->c, o->w, rate);
    for (int i = 0; i < z->n_u && velocity; i++) to->u[i] += rate[i];
    if (velocity) return;
    hol_coordinates_rates(to->c, to->q, rate, to->room);
    for (int i = 0; i < z->n_q; i++) to->q[i] += to->room[i];
}

// What the solver has found to close it, done; the rows are those of the new state.
static void move(hol_loops *o, const hol_joint_state *to, bool velocity, hol_state *x)
{
    if (to) {
        move_joints(o, to, velocity);
        hol_coordinates_put(to->c, to->q, to->u, x);
    } else if (velocity)
        hol_tree_put_velocities(o->r, o->w, x);
    else
        hol_tree_move(o->r, 1, o->w, x);
    look_at(o, x);
}

// The largest joint coordinate, which is rounded by a part of itself, in natural sizes; 0: bodies are moved.
static double largest_coordinate(const hol_loops *o, const hol_joint_state *to)
{
    double most = 0;
    if (!to) return 0;
    const hol_coordinates_size *z = hol_coordinates_sizes(to->c);
    for (int i = 0; i < z->n_q; i++) most = hol_larger(fabs(to->q[i]) / o->s->q_size[z->like[i]], most);
    return most;
}

// Newton's method in the metric of the masses, down to rounding: near a singular pose what is left is divided by sigma^2. In
// joint coordinates, and with the joints' own matrix, the factors are those of the start, made anew where that is slow;
// *fresh: there are none. Leaves the rows at x.
static hol_status settle_positions(hol_loops *o, const hol_joint_state *to, hol_state *x, bool *fresh)
{
    const bool always = !o->joints && !to;
    const double exact = (always ? 1 : 4) * DBL_EPSILON * fmax(1, hol_equations_coordinate_norm(o->s, x->q));
    const double enough = fmax(100 * exact, 4 * DBL_EPSILON * largest_coordinate(o, to));
    double last = HOL_INF;
    look_at(o, x);
    for (int k = 0; k < MAX_CORRECTIONS; k++) {
        const double size = opening(o, to, x, false);
        if (!isfinite(size)) return HOL_RECOVERABLE;
        if (size <= exact || (size <= enough && size > 0.5 * last)) return HOL_OK;
        if (k > 2 && size > 0.5 * last) return HOL_RECOVERABLE;
        *fresh = always || k == 0 || size > 0.1 * last;
        const hol_status st = o->solver->close(o, to, false, *fresh, NEWTON, 0.1 * exact);
        if (st) return st;
        *fresh = false;
        move(o, to, false, x);
        last = size;
    }
    return HOL_RECOVERABLE;
}

// Velocities put onto the joints and loops, again until rounding is reached. *fresh: there are no factors yet.
static hol_status settle_velocities(hol_loops *o, const hol_joint_state *to, hol_state *x, bool *fresh)
{
    const double exact =
        8 * DBL_EPSILON * fmax(1 / o->s->m->time_scale, hol_equations_coordinate_norm(o->s, x->v));
    double last = HOL_INF;
    for (int k = 0; k < REFINEMENTS; k++, *fresh = false) {
        const double size = opening(o, to, x, true);
        if (!isfinite(size)) return HOL_RECOVERABLE;
        if (size <= exact || size > 0.5 * last) return HOL_OK;
        const hol_status st = o->solver->close(o, to, true, *fresh, EXACT, exact);
        if (st) return st;
        move(o, to, true, x);
        last = size;
    }
    return HOL_OK;
}

// All by the same factors once the positions are there; the joints' own matrix is made there.
static hol_status settle_loops(hol_loops *o, hol_state *x)
{
    bool fresh = true;
    hol_status st = settle_positions(o, NULL, x, &fresh);
    if (!st) st = o->solver->settled(o, &fresh);
    if (!st) st = settle_velocities(o, NULL, x, &fresh);
    if (st) return st;
    o->s->count.residuals++, o->s->count.along_tree++;
    st = hol_explicit_evaluate(&o->users, o->s, x);
    return st ? st : o->solver->finish(o, fresh, x);
}

static hol_status settle_tree(hol_loops *o, hol_state *x)
{
    const double exact = 4 * DBL_EPSILON * fmax(1, hol_equations_coordinate_norm(o->s, x->q));
    hol_status st = hol_tree_project_positions(o->r, x, exact);
    if (!st) st = hol_tree_project_velocities(o->r, x);
    return st ? st : find_accelerations(o, x, HOL_WANT_ALL);
}

hol_status hol_loops_settle(hol_loops *o, hol_state *x)
{
    hol_tree_normalise(o->r, x);
    return o->size->n_loops || o->joints ? settle_loops(o, x) : settle_tree(o, x);
}

// In joint coordinates, with factors of the first pose as long as Newton's method converges well by them.
hol_status hol_coordinates_close(hol_coordinates *c, hol_loops *o, double *q, double *u, double *room,
                                 hol_state *x)
{
    const hol_joint_state to = {c, q, u, room};
    bool fresh = true;
    hol_coordinates_put(c, q, u, x);
    const hol_status st = settle_positions(o, &to, x, &fresh);
    return st ? st : settle_velocities(o, &to, x, &fresh);
}

const double *hol_loops_found(const hol_loops *o) { return o->size->n_loops ? o->u : NULL; }

// ---- what it costs, how singular it is ---------------------------------------------------------------------------

double hol_loops_operations(const hol_loops *o) { return o->solver->operations(o); }

bool hol_loops_blind(const hol_loops *o) { return o->size->n_loops > 0 && !o->solver->divide; }

static hol_status solve_rows(void *with, double *x)
{
    const hol_loops *o = with;
    o->solver->divide(o, x, x);
    return HOL_OK;
}

double hol_loops_clearance(const hol_loops *o, double distance)
{
    const bool all = o->joints && o->size->n_loops == o->s->nc && !o->s->nk;
    return all && isfinite(distance) ? distance * sqrt(hol_joint_matrix_lightest(o->joints)) : 0;
}

double hol_loops_distance(hol_loops *o)
{
    const int m = o->size->n_loops;
    if (!m || !o->solver->divide) return HOL_INF;
    return o->rank < m ? 0 : hol_least_root(m, o->row_size, o->b, solve_rows, o);
}
