// Two forms u = (q; v; X) without the KKT matrix, section 15.5: accelerations along the tree of joints with multipliers of its
// loops, or with all joints' multipliers by blocks of D M^-1 D^T; and which of these and the sparse one takes the fewest
// operations. The solver of both is recursion/loop_solve.c.
#include "integrator/form.h"
#include "recursion/loop_solve.h"

#include <math.h>

#define FILL 32    // products of blocks for each joint up to which the joints' matrix beats the sparse one
#define PRODUCT 32 // operations that the smallest product of blocks counts as
#define SIGHT 3    // times the operations are worth it to see singular poses ahead

// The solver, not made yet, of a model that it can be made for.
static hol_status possible(hol_form *f, hol_loops **o)
{
    f->norm = f->it->norm;
    f->closes = true;
    const hol_status st = hol_loops_possible(f->it->ctx, f->it->s->m, &f->obstacle);
    if (st) return st;
    f->data = *o = hol_calloc(f->it->ctx, 1, sizeof **o);
    return *o ? HOL_OK : HOL_ERR_MEMORY;
}

static hol_status create_tree(hol_form *f)
{
    hol_loops *o;
    hol_status st = possible(f, &o);
    if (!st)
        st = hol_loops_create(f->it->ctx, f->it->s, &f->it->x, NULL, hol_form_accuracy(f->it), o,
                              &f->obstacle);
    return st ? st : hol_loops_keep(o);
}

static hol_status create_joints(hol_form *f)
{
    hol_loops *o;
    const hol_status st = possible(f, &o);
    return st ? st
              : hol_loops_create_joints(f->it->ctx, f->it->s, hol_form_accuracy(f->it), f->most, o,
                                        &f->obstacle);
}

static void destroy(hol_form *f)
{
    if (f->data) hol_loops_destroy(f->data);
    hol_free(f->data);
}

static hol_status begin(hol_form *f)
{
    const hol_loops *o = f->data;
    hol_tree_want_power(o->r, f->it->sums != HOL_POWER_NONE);
    return HOL_OK;
}

static double power(const hol_form *f)
{
    const hol_loops *o = f->data;
    return hol_tree_power(o->r);
}

static hol_status settle(hol_form *f, hol_state *x) { return hol_trial_status(hol_loops_settle(f->data, x)); }

static hol_status accelerate(hol_form *f, hol_state *x, hol_wanted wanted)
{
    return hol_trial_status(hol_loops_accelerations(f->data, x, wanted));
}

static hol_status follow(hol_form *f)
{
    const hol_loops *o = f->data;
    f->it->count.loop_solves = o->solves;
    f->it->count.loop_iterations = o->iterations;
    return HOL_OK;
}

static void measure(hol_form *f, hol_pose *pose)
{
    pose->next = hol_loops_distance(f->data);
    pose->clear = hol_loops_clearance(f->data, pose->next);
    f->it->independence = hol_loops_independence(f->data);
}

static void complete(hol_form *f, hol_state *x)
{
    if (f->it->s->nc < f->it->s->m->nc) hol_loops_complete(f->data, x);
}

static void archive(hol_form *f, hol_archive *a) { hol_loops_archive(f->data, a); }

// Rows of both.
#define ALONG_JOINTS                                                                                         \
    HOL_FORM_ALL, .destroy = destroy, .settle = settle, .accelerate = accelerate, .begin = begin,            \
                  .follow = follow, .power = power, .measure = measure, .complete = complete,                \
                  .archive = archive

const hol_form_type hol_form_tree = {.name = "tree", .create = create_tree, ALONG_JOINTS};
const hol_form_type hol_form_joints = {.name = "joints", .create = create_joints, ALONG_JOINTS};

// Joints are tried where the tree has loops; what fails is left out, also where memory ends beside a tree that is there.
hol_status hol_form_create_least(hol_integrator *it, hol_state *trial, hol_form *f)
{
    const hol_model_data *m = it->s->m;
    const hol_status first = hol_form_create(it, &hol_form_tree, trial, f);
    hol_loops *const tree = f->data;
    if (first == HOL_ERR_MEMORY || (!first && !tree->size->n_loops)) return first;
    const double enough = first ? 0 : (hol_loops_blind(tree) ? SIGHT : 1) * hol_loops_operations(tree);
    hol_form joints = {.it = it, .type = &hol_form_joints};
    joints.most = first ? FILL * (double)(m->n_elements - m->n_bodies) : enough / PRODUCT;
    hol_status st = f->obstacle.why ? first : hol_form_begin(&joints, trial);
    if (!first && (st || hol_loops_operations(joints.data) > enough)) {
        hol_form_destroy(&joints);
        return HOL_OK;
    }
    hol_form_destroy(f);
    *f = joints;
    if (st <= 0) return st;
    hol_form_destroy(f);
    return hol_form_create(it, &hol_form_sparse, trial, f);
}
