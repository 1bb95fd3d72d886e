// Consistent initial values: assembly, rank, the working system, and what of the user's data was changed.
// docs/theory.md, sections 4.1 and 4.2.
#include "system/initial.h"

#include "element/coordinate.h"
#include "system/left_open.h"
#include "system/ranges.h"
#include "system/start_told.h"
#include "system/approach.h"
#include "system/departure.h"
#include "system/assemblies.h"
#include "system/kernel.h"
#include "system/explicit.h"
#include "system/fault.h"
#include "system/forest.h"

#include <math.h>
#include <string.h>

#define HOLDS                                                                                                \
    1e-12 // velocities that violate the joints by no more, by natural size, are as good as projected ones
#define DOUBTFUL (HOL_PI / 2) // an angle so far from what is said of its turns

// ---- users' unknowns ------------------------------------------------------------------------------------------

// Users' unknowns that follow from each other in some order; none of them is left without a number.
static hol_status follow_in_order(hol_equations *s, hol_state *x, char *implicit)
{
    hol_explicit follow;
    hol_status st = hol_explicit_create_part(s->ctx, s->m, true, &follow, implicit);
    if (!st) st = hol_explicit_evaluate(&follow, s, x);
    for (int i = 0; i < s->nz; i++)
        if (!isfinite(x->z[i])) x->z[i] = 0;
    hol_explicit_destroy(&follow);
    return st > 0 ? HOL_OK : st;
}

// The largest of what users' unknowns miss of their expressions; infinite where one has no value.
static double missed_by(const double *missing, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = isfinite(missing[i]) ? fmax(most, fabs(missing[i])) : HOL_INF;
    return most;
}

// Users' unknowns by their expressions, those in a circle again and again: a start for Newton's method, better than 0, where 1/x
// has no value. What does not depend on itself is exact. Where circles do not settle, they begin where they are nearest to it.
hol_status hol_start_follow(hol_kernel *k, hol_state *x)
{
    enum { PASSES = 50 };
    hol_equations *s = k->s;
    char *implicit = hol_calloc(s->ctx, (size_t)s->nz + 1, 1);
    double *nearest = hol_calloc(s->ctx, (size_t)s->nz + 1, sizeof *nearest), least = HOL_INF;
    hol_status st = implicit && nearest ? hol_kernel_need_room(k) : HOL_ERR_MEMORY;
    double *missing = k->work; // z - E
    if (!st) st = follow_in_order(s, x, implicit);
    if (!st) memcpy(nearest, x->z, (size_t)s->nz * sizeof *nearest);
    bool changed = !st;
    for (int pass = 0; pass <= PASSES && changed; pass++) {
        changed = false;
        hol_equations_users(s, x, missing);
        const double most = missed_by(missing, s->nz);
        if (most < least) {
            least = most;
            memcpy(nearest, x->z, (size_t)s->nz * sizeof *nearest);
        }
        for (int i = 0; i < s->nz && pass < PASSES; i++) {
            if (!isfinite(missing[i]) || missing[i] == 0) continue;
            x->z[i] -= missing[i];
            changed = true;
        }
    }
    if (!st && isfinite(least)) memcpy(x->z, nearest, (size_t)s->nz * sizeof *nearest);
    hol_free(nearest);
    hol_free(implicit);
    return st;
}

// ---- the start ------------------------------------------------------------------------------------------------

// A joint that a driver wants at 10 rad begins there, not at 10 rad less two turns, and not elsewhere by what is said of it.
static hol_status expect_turns(const hol_model_data *m, const hol_element *joint, const hol_element *driver,
                               double *mem)
{
    const int slot = hol_joint_memory(joint, 3, hol_joint_driven_turn(joint, 3));
    const double wanted = hol_mirror_axial(joint->mirror, 2) * hol_driven_angle(driver, 0);
    for (int i = 0; i < m->n_counters; i++) {
        const double start = m->counter[i].start;
        if (m->counter[i].leaf->turns - 1 == slot && m->counter[i].said && fabs(start - wanted) > HOL_PI)
            return hol_fail_at(
                m->ctx, HOL_ERR_MODEL, driver->at,
                "drivers.%s: it begins at %.6g rad, and the angle of \"%s\" at %.6g rad by its "
                "`turns` or limits; leave `turns` away, or shift the driver by 2*pi",
                driver->name, wanted, joint->name, start);
    }
    mem[slot + HOL_TURNS_VALUE] = wanted;
    return HOL_OK;
}

// All drivers of angles, of which each says where its joint begins.
static hol_status expect_driven_turns(const hol_model_data *m, double *mem)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < m->n_elements && m->dimension == 3; i++) {
        const hol_element *driver = &m->element[i];
        for (int k = 0; k < i && driver->type == &hol_driver_angle && !st; k++) {
            const hol_element *joint = &m->element[k];
            if (joint->type->role == HOL_ROLE_JOINT && hol_joint_driven_turn(joint, 3) &&
                hol_joint_is_driven(joint, driver))
                st = expect_turns(m, joint, driver, mem);
        }
    }
    return st;
}

hol_status hol_start_state(const hol_equations *s, hol_state *x)
{
    const hol_beginning *other = s->m->beginning;
    hol_status st = hol_state_create(s, x);
    if (st) return st;
    memcpy(x->q, s->m->q0, (size_t)s->nq * sizeof *x->q);
    memcpy(x->v, s->m->v0, (size_t)s->nq * sizeof *x->v);
    if (other) {
        x->t = other->t;
        memcpy(x->X, other->X, (size_t)s->nx * sizeof *x->X);
        memcpy(x->mem, other->mem, (size_t)s->m->n_mem * sizeof *x->mem);
        return HOL_OK;
    }
    for (int i = 0; i < s->nx; i++) x->X[i] = s->m->state[i].initial;
    for (int i = 0; i < s->m->n_elements; i++)
        if (s->m->element[i].gate) x->mem[s->m->element[i].gate - 1] = !s->m->element[i].idle;
    for (int i = 0; i < s->m->n_counters; i++)
        x->mem[s->m->counter[i].leaf->turns - 1 + HOL_TURNS_VALUE] = s->m->counter[i].start;
    for (int i = 0; i < s->m->n_begun; i++)
        x->mem[s->m->begun[i].slot + HOL_TURNS_VALUE] = s->m->begun[i].value;
    st = expect_driven_turns(s->m, x->mem);
    if (st) hol_state_destroy(x);
    if (st) return st;
    for (int i = 0; i < s->m->n_held; i++) {
        const hol_held *h = &s->m->held[i];
        x->mem[h->slot] = h->initial;
        if (h->linear) x->mem[h->slot + HOL_RAMP_TARGET] = h->initial;
    }
    return HOL_OK;
}

// Of redundant rows those of the tree take part: methods without the matrix eliminate along it.
static hol_status prefer_tree(hol_context *ctx, const hol_model_data *m, const hol_state *q, hol_rank *rank)
{
    hol_forest f = {0};
    bool changed;
    hol_status st = hol_forest_create(ctx, m, q->q, &f);
    if (!st) st = hol_forest_prefer(ctx, &f, q, rank->active, &changed);
    if (!st) {
        rank->tree = f.kept;
        f.kept = NULL;
    }
    hol_forest_destroy(&f);
    return st;
}

// Largest violation of a joint by natural size.
static double open_by(hol_kernel *k, const hol_state *x)
{
    const hol_equations *s = k->s;
    memset(k->work, 0, (size_t)s->n * sizeof *k->work);
    hol_equations_residual(k->s, x, NULL, k->work);
    return hol_equations_row_norm(s, k->work, s->nc);
}

// What the user should know of a pose that Newton's method has not found from the one drawn.
static hol_status tell_approach(hol_context *ctx, const hol_equations *s, const hol_state *x,
                                const hol_approached *how)
{
    double way = 0;
    char from[100] = "there";
    int count, named[2];
    for (int i = 0; i < s->nq; i++) way = fmax(way, fabs(x->q[i] - s->m->q0[i]) / s->q_size[i]);
    const hol_status st = hol_bodies_at_one_place(s, s->m->q0, &count, named);
    if (st) return st;
    if (how->disturbed > 0) hol_decimal_print(from, sizeof from, "a pose disturbed by %g", how->disturbed);
    if (how->tree) hol_decimal_print(from, sizeof from, "bodies placed along the tree of joints");
    if (how->turned)
        hol_decimal_print(from, sizeof from, "a pose with bodies turned at random (way %d, seed %d)",
                          how->ways, HOL_ASSEMBLY_SEED);
    if (count >= 2 && 2 * count >= s->m->n_bodies)
        hol_note(
            ctx, HOL_WARNING,
            "start: %d of %d bodies are drawn at one place (\"%s\", \"%s\"%s); the joints were closed from "
            "%s. There may be other poses that close them: look at this one, or draw the bodies where they "
            "belong",
            count, s->m->n_bodies, s->m->body[named[0]].name, s->m->body[named[1]].name,
            count > 2 ? ", .." : "", from);
    else
        hol_note(ctx, HOL_WARNING,
                 "start: the pose as drawn is far from closing the joints%s, which were closed from %s: a "
                 "coordinate changes by "
                 "%.2g of its natural size. There may be other poses that close them: look at this one, or "
                 "draw the bodies "
                 "nearer to the one that is meant",
                 how->disturbed > 0 ? " and singular" : "", from, way);
    return HOL_OK;
}

// Long ways to a pose near the joints. HOL_RECOVERABLE: none leads there; a->x is the best pose found.
static hol_status approach(hol_context *ctx, hol_assembler *a, unsigned told)
{
    hol_approached how = {0};
    hol_status st = hol_approach_far(&a->k, &a->x, &how);
    if (!st) st = hol_assembly_close(a);
    if (!st && !(told & HOL_START_QUIET)) st = tell_approach(ctx, a->k.s, &a->x, &how);
    return st;
}

// Are changes of the user's data told one by one?
static bool tells(unsigned how) { return !(how & (HOL_START_QUIET | HOL_START_TERSE)); }

// What is required of the pose: that found is another assembly of the loops where it does not hold.
static hol_status meet_requirements(hol_context *ctx, hol_assembler *a, unsigned how, bool *least)
{
    const hol_require *r = hol_require_broken(&a->m, &a->x);
    hol_assemblies found;
    if (!r) return HOL_OK;
    hol_status st = hol_assemblies_find(a, false, least, &found);
    if (!st && tells(how))
        hol_note(ctx, HOL_NOTICE,
                 "start: in the pose nearest to the drawing %s does not hold: bodies are reflected to one in "
                 "which it does",
                 r->text);
    if (st == HOL_ERR_ASSEMBLY) st = hol_start_fail_require(ctx, a, &found);
    hol_assemblies_destroy(&found);
    return st;
}

hol_status hol_start_find_pose(hol_context *ctx, hol_assembler *a, unsigned how, bool *least)
{
    *least = true;
    if (hol_assembly_holds(a)) return HOL_OK;
    hol_status st = hol_assembly_close(a);
    if (st > 0) st = approach(ctx, a, how);
    return st ? st : hol_assembly_settle(a, least);
}

// The nearest pose, where the joints cannot be closed; HOL_OK: what redundant rows leave open there is within the digits of numbers.
static hol_status leave_open(hol_context *ctx, hol_assembler *a, unsigned how)
{
    hol_status st = hol_assembly_nearest(a);
    if (!st) st = hol_assembly_leave_open(ctx, a);
    if (!st) st = hol_assembly_find_loop(a);
    if (!st && tells(how))
        hol_note(
            ctx, HOL_NOTICE,
            "start: %s stays open by %.2g of the natural size: redundant equations do not fit to the last "
            "digit of their numbers",
            a->loop, a->left_open);
    return st;
}

// The pose of least change in which joints and exact values hold, or an error that says what does not.
hol_status hol_start_assemble(hol_context *ctx, hol_assembler *a, unsigned how, bool *least)
{
    hol_status st = hol_start_find_pose(ctx, a, how, least);
    const bool open = st > 0;
    if (open) st = leave_open(ctx, a, how);
    if (!st) st = meet_requirements(ctx, a, how, least);
    if (!st && !*least && !open && tells(how))
        hol_note(
            ctx, HOL_NOTICE,
            "start: the joints are closed, but the least change of what is drawn is not found to rounding");
    if (st <= 0) return st;
    st = open ? HOL_OK : hol_assembly_nearest(a);
    if (!st) st = hol_assembly_fail_exact(a, false);
    if (!st) st = hol_assembly_find_loop(a);
    if (!st && a->loop[0] && !a->others) st = hol_assembly_find_lengths(a);
    return st ? st : hol_start_fail_assembly(ctx, &a->k, &a->x, a);
}

// A pose as drawn that holds to rounding is kept but for that; the last bits of others are found in the same way. *open: by what redundant
// rows leave.
static hol_status close_joints(hol_context *ctx, hol_kernel *k, hol_state *x, unsigned how, bool *open)
{
    const hol_model_data *m = k->s->m;
    hol_status st = hol_kernel_need_room(k);
    if (st) return st;
    const double scale = fmax(1, hol_equations_coordinate_norm(k->s, x->q));
    if (!m->beginning && (m->n_holds || m->n_requires || !(open_by(k, x) <= HOLDS * scale))) {
        hol_assembler a;
        bool least;
        st = hol_assembler_create(ctx, m, x, false, &a);
        if (!st) st = hol_start_assemble(ctx, &a, how, &least);
        if (!st) memcpy(x->q, a.x.q, (size_t)k->s->nq * sizeof *x->q);
        *open = a.left_open > 0;
        hol_assembler_destroy(&a);
    }
    if (!st && !*open) st = hol_project_positions(k, x, NULL);
    return st > 0 ? hol_start_fail_assembly(ctx, k, x, NULL) : st;
}

// The equations of the independent rows, or of all where there are no others or the method wants them; `full` gives them up.
static hol_status choose_rows(hol_kernel *full, unsigned how, const hol_rank *rank, hol_kernel *out)
{
    hol_equations *s = full->s;
    const bool all = how & HOL_START_ALL_ROWS;
    if (all || rank->n_redundant == 0) {
        if (rank->n_redundant) s->independent = rank->active;
        s->dependent = rank->n_redundant > 0;
        *out = *full;
        *full = hol_kernel_of(NULL);
    } else
        *out = hol_kernel_of(hol_equations_create(s->ctx, s->m, rank->active));
    if (!out->s) return HOL_ERR_MEMORY;
    out->s->exchanges = how & HOL_START_TREE && !rank->momentary;
    return HOL_OK;
}

// The pose in which the joints close, which rows are independent there, and the equations of these rows.
static hol_status assemble(hol_context *ctx, const hol_model_data *m, unsigned how, hol_state *q,
                           hol_rank *rank, hol_kernel *out)
{
    hol_kernel full = hol_kernel_of(hol_equations_create(ctx, m, NULL));
    hol_status st = full.s ? hol_start_state(full.s, q) : HOL_ERR_MEMORY;
    if (st) {
        hol_equations_destroy(full.s);
        return st;
    }
    full.s->dependent = true; // redundant rows are still in
    bool open = false;
    st = close_joints(ctx, &full, q, how, &open);
    if (!st) st = hol_rank_find(ctx, &full, q, rank);
    const bool all = how & HOL_START_ALL_ROWS;
    if (!st && !all && how & HOL_START_TREE && rank->n_redundant && !rank->momentary)
        st = prefer_tree(ctx, m, q, rank);
    if (st > 0)
        st = hol_fail(
            ctx, HOL_ERR_ASSEMBLY,
            "the equations of the joints hold numbers too large to compute with: look at the positions, "
            "markers and length_scale");
    if (!st && rank->nearly && tells(how)) {
        char text[900];
        hol_start_tell_nearly(m, rank, false, text, sizeof text);
        hol_note(ctx, HOL_WARNING, "start: %s", text);
    }
    if (!st) st = choose_rows(&full, how, rank, out);
    if (!st && open && !all) st = hol_project_positions(out, q, NULL);
    if (st) hol_state_destroy(q);
    hol_kernel_drop(&full);
    hol_equations_destroy(full.s);
    return st;
}

// Nothing to project: the velocities are right to rounding.
static bool velocities_hold(const hol_equations *s, const hol_state *x)
{
    hol_measure v;
    hol_equations_measure(s, x, &v);
    return v.velocity <= HOLDS && v.rate <= HOLDS;
}

// The velocities of least change, where those that are given do not hold at the pose.
static hol_status assemble_velocities(hol_context *ctx, const hol_equations *s, hol_state *x)
{
    const hol_model_data *m = s->m;
    hol_assembler a;
    const bool moved = memcmp(x->q, m->q0, (size_t)s->nq * sizeof *x->q) != 0;
    if (!moved && !m->n_holds && velocities_hold(s, x)) return HOL_OK;
    hol_status st = hol_assembler_create(ctx, m, x, true, &a);
    if (!st) st = hol_assembly_move(&a);
    if (!st) st = hol_assembly_fail_exact(&a, true);
    if (!st) memcpy(x->v, a.x.v, (size_t)s->nq * sizeof *x->v);
    hol_assembler_destroy(&a);
    return st > 0 ? HOL_OK : st; // what is wrong is found below
}

static hol_status project_velocities(hol_context *ctx, hol_kernel *k, hol_state *x, bool bare)
{
    hol_status st = assemble_velocities(ctx, k->s, x);
    if (st || (bare && velocities_hold(k->s, x))) return st;
    st = hol_project_velocities(k, x);
    return st > 0 ? hol_project_velocities_with(k, x, HOL_KKT_DELTA) : st;
}

// Whether the full turns are those that are meant is open where the pose is far from the angle that `turns:` says.
static void warn_of_turns(hol_context *ctx, const hol_model_data *m, const hol_state *x)
{
    for (int i = 0; i < m->n_begun && !m->beginning; i++) {
        const hol_begun *b = &m->begun[i];
        const double now = x->mem[b->slot + HOL_TURNS_VALUE];
        if (b->path && fabs(now - b->value) > DOUBTFUL)
            hol_note_at(
                ctx, HOL_WARNING, b->at,
                "%s: the angle begins at %.6g rad, more than a quarter turn from what is said, %.6g rad: "
                "full turns alone are chosen here, and `pose` says where bodies begin",
                b->path, now, b->value);
    }
}

static hol_status fail_accelerations(hol_context *ctx, hol_kernel *k, hol_state *x, const hol_rank *rank,
                                     hol_status st)
{
    char text[900];
    if (st <= 0 || !rank->nearly) return hol_start_fail_accelerations(ctx, k, x, st);
    hol_start_tell_nearly(k->s->m, rank, true, text, sizeof text);
    return hol_fail(ctx, HOL_ERR_ASSEMBLY, "the accelerations are not determined at the start: %s", text);
}

// What follows from the pose and the velocities, as the speed at which shapes that touch come. Where the state is given, of an equilibrium or behind
// an event, numbers in the memory that have not been set yet.
static void set_at_start(const hol_equations *s, hol_state *x, bool in_runs)
{
    const hol_model_data *m = s->m;
    for (int i = 0; i < m->n_at_start; i++) {
        const hol_set *set = &m->at_start[i].set;
        double *at = &(set->is_state ? x->X : x->mem)[set->index];
        if (m->at_start[i].in_runs != in_runs) continue;
        if (m->beginning && !in_runs && (set->is_state || *at != HOL_MADE_NEVER)) continue;
        *at = hol_equations_expression(s, x, &set->value);
    }
}

void hol_start_run(const hol_equations *s, hol_state *x) { set_at_start(s, x, true); }

// After the positions: velocities, a check that redundant rows hold too, users' unknowns, and accelerations;
// at singular poses regularised.
static hol_status make_consistent_with(hol_context *ctx, hol_kernel *k, hol_state *x, const hol_rank *rank,
                                       unsigned how, hol_departure *departure)
{
    hol_equations *s = k->s;
    hol_measure v;
    const bool bare = how & HOL_START_BARE;
    if (tells(how)) hol_start_report(ctx, s, x->q, NULL, NULL);
    if (!(how & HOL_START_QUIET)) hol_start_warn_far(ctx, s, x->q);
    hol_status st = !s->m->beginning                ? project_velocities(ctx, k, x, bare)
                    : bare && velocities_hold(s, x) ? HOL_OK
                                                    : hol_join_velocities(k, x);
    if (st) return fail_accelerations(ctx, k, x, rank, st);
    if (!s->m->beginning) st = hol_departure_find(ctx, k, x, departure);
    if (st) return st;
    if (tells(how)) hol_start_report(ctx, s, x->q, s->m->v0, x->v);
    hol_equations_remember(s, x);
    set_at_start(s, x, false);
    if (!(how & HOL_START_QUIET)) warn_of_turns(ctx, s->m, x);
    hol_equations_measure(s, x, &v);
    if (v.velocity_row >= 0 && v.velocity > 1e-6) {
        const char *element;
        const hol_row row = hol_model_row(s->m, v.velocity_row, &element);
        st = isfinite(v.velocity) ? HOL_OK : hol_fault_report_start(s, x, HOL_OK);
        if (!st)
            st = hol_fault_rivals(ctx, s->m, s->m->row_element[v.velocity_row], HOL_ERR_ASSEMBLY, "start");
        if (st) return st;
        return hol_fail_at(
            ctx, HOL_ERR_ASSEMBLY, s->m->element[s->m->row_element[v.velocity_row]].at,
            "%s (%s): no velocities satisfy the redundant constraints together, %.3g remains: two "
            "drivers may contradict each other",
            element, row.direction, v.velocity);
    }
    st = hol_start_check_needles(ctx, s, x);
    if (!st && s->nz) st = hol_start_follow(k, x);
    if (st) return st;
    st = bare               ? hol_start_fail_constraints(ctx, s, x)
         : departure->found ? HOL_RECOVERABLE
                            : hol_solve_accelerations(k, x);
    if (!st) return HOL_OK;
    // a singular pose, in which the rows are dependent for a moment only; or loops too large for a rank
    if (st > 0 && (departure->found || rank->momentary || rank->large_components))
        st = hol_solve_accelerations_with(k, x, HOL_KKT_DELTA);
    if (!st) st = hol_departure_accelerate(departure, k, x);
    if (st) return fail_accelerations(ctx, k, x, rank, st);
    s->dependent = s->dependent || rank->large_components;
    if (rank->large_components) {
        hol_note(ctx, HOL_WARNING,
                 "start: a group of loops with more than %d equations seems to hold redundant ones: it is "
                 "regularised, and the run stops if joints open",
                 HOL_RANK_MAX_ROWS);
        return HOL_OK;
    }
    hol_note(ctx, HOL_NOTICE, "start: a singular pose, in which the joints lose independence for a moment");
    return HOL_OK;
}

static hol_status make_consistent(hol_context *ctx, hol_kernel *k, hol_state *x, const hol_rank *rank,
                                  unsigned how)
{
    hol_departure departure = {0};
    const hol_status st = make_consistent_with(ctx, k, x, rank, how, &departure);
    hol_departure_destroy(&departure);
    return st;
}

hol_status hol_initialise(hol_context *ctx, const hol_model_data *m, unsigned how, hol_kernel *k,
                          hol_state *x, hol_rank *rank)
{
    hol_state assembled = {0};
    x->q = NULL;
    *k = hol_kernel_of(NULL);
    memset(rank, 0, sizeof *rank);
    hol_status st = assemble(ctx, m, how, &assembled, rank, k);
    if (!st) st = hol_start_state(k->s, x);
    if (!st) {
        memcpy(x->q, assembled.q, (size_t)k->s->nq * sizeof *x->q);
        st = make_consistent(ctx, k, x, rank, how);
    }
    if (!st && !m->beginning) st = hol_ranges_check(ctx, k->s, x);
    hol_state_destroy(&assembled);
    if (!st && how & HOL_START_BARE) {
        hol_kernel_drop(k);
        hol_equations_drop_structure(k->s);
    }
    if (!st) return HOL_OK;
    hol_state_destroy(x);
    hol_start_destroy(k);
    hol_rank_destroy(rank);
    return st;
}

void hol_start_destroy(hol_kernel *k)
{
    hol_kernel_drop(k);
    hol_equations_destroy(k->s);
    *k = hol_kernel_of(NULL);
}
