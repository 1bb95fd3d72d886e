// A model at a state: its first state, what is found there, and the way onto the constraints. All rows of the model are in use;
// where some are redundant the factors are regularised and refined, so that no choice of rows can become a bad one.
#include "analysis/eom.h"
#include "analysis/swarms.h"
#include "system/fault.h"
#include "system/initial.h"

#include <math.h>
#include <string.h>

#define CONSISTENT 1e-6 // violations by natural size and time up to which a state is on the constraints
#define HOLDS 1e-8      // what accelerations may leave of the equations, against their largest term
#define NOTHING                                                                                              \
    1e-6 // of the force that gives the bodies accelerations of 1 by natural size: less counts as much

enum { CORRECTIONS = 2 };

// ---- creation -------------------------------------------------------------------------------------------------

// The pose of the file. Which rows are redundant is not known: any may be.
static hol_status take_as_given(hol_eom *e)
{
    e->k = hol_kernel_of(hol_equations_create(e->ctx, e->m, NULL));
    e->rank.active = hol_calloc(e->ctx, (size_t)e->m->nc + 1, 1);
    if (!e->k.s || !e->rank.active) return HOL_ERR_MEMORY;
    memset(e->rank.active, 1, (size_t)e->m->nc);
    e->k.s->dependent = true;
    e->k.s->independent = e->rank.active;
    return hol_start_state(e->k.s, &e->x);
}

static hol_status list_variables(hol_eom *e)
{
    e->variable = hol_calloc(e->ctx, (size_t)e->m->n_equations + 1, sizeof *e->variable);
    if (!e->variable) return HOL_ERR_MEMORY;
    for (int i = 0; i < e->m->n_equations; i++)
        if (!e->m->equation[i].hidden) e->variable[e->n_variables++] = i;
    return HOL_OK;
}

// Do users' equations follow without accelerations and multipliers? In which order those that do.
static hol_status order_users(hol_eom *e)
{
    char *implicit = hol_calloc(e->ctx, (size_t)e->m->n_equations + 1, 1);
    const hol_status st =
        implicit ? hol_explicit_create_part(e->ctx, e->m, false, &e->users, implicit) : HOL_ERR_MEMORY;
    e->follows = !st && !memchr(implicit, 1, (size_t)e->m->n_equations + 1);
    hol_free(implicit);
    return st;
}

// All that is not asked for later.
static hol_status make_room(hol_eom *e)
{
    const hol_equations *s = e->k.s;
    hol_status st = hol_kernel_need(&e->k);
    if (st) return st;
    hol_kkt_try_even_scale(e->k.A);
    e->values = hol_calloc(e->ctx, (size_t)s->pattern.start[s->n] + 1, sizeof *e->values);
    e->zero = hol_calloc(e->ctx, (size_t)s->n + 1, sizeof *e->zero);
    e->work = hol_calloc(e->ctx, (size_t)(s->n + 2 * s->nq) + 1, sizeof *e->work);
    if (!e->values || !e->zero || !e->work) return HOL_ERR_MEMORY;
    st = hol_state_create(s, &e->spare);
    if (!st) st = hol_part_create(s, HOL_PART_MASS, &e->mass);
    if (!st) st = hol_part_create(s, HOL_PART_PHI_Q, &e->phi_q);
    if (!st) st = hol_part_create(s, HOL_PART_PSI_V, &e->psi_v);
    if (!st) st = hol_reactions_create(e->ctx, s, &e->reactions);
    if (!st) st = list_variables(e);
    return st ? st : order_users(e);
}

hol_eom *hol_eom_make(hol_context *ctx, const hol_model_data *m, hol_eom_start start)
{
    hol_eom *e = hol_calloc(ctx, 1, sizeof *e);
    if (!e) return NULL;
    e->ctx = ctx;
    e->m = m;
    hol_status st = hol_swarms_refuse(ctx, m, "the model at a state");
    if (!st)
        st = start == HOL_EOM_AS_GIVEN ? take_as_given(e)
                                       : hol_initialise(ctx, m, HOL_START_ALL_ROWS, &e->k, &e->x, &e->rank);
    if (!st) st = make_room(e);
    if (!st) return e;
    hol_eom_free(e);
    return NULL;
}

void hol_eom_free(hol_eom *e)
{
    if (!e) return;
    hol_eom_linearised_destroy(&e->linear);
    hol_eom_tangent_destroy(&e->tangent);
    hol_joint_space_destroy(&e->joints);
    if (e->reactions.s) hol_reactions_destroy(&e->reactions);
    hol_part_destroy(&e->mass);
    hol_part_destroy(&e->phi_q);
    hol_part_destroy(&e->psi_v);
    hol_explicit_destroy(&e->users);
    hol_state_destroy(&e->x);
    hol_state_destroy(&e->spare);
    if (e->k.s) hol_start_destroy(&e->k);
    hol_rank_destroy(&e->rank);
    void *const arrays[] = {e->values, e->zero, e->work, e->variable, e};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

void hol_eom_moved(hol_eom *e)
{
    e->known = 0;
    e->k.s->fatal = HOL_OK;
}

// ---- what is found at the state -------------------------------------------------------------------------------

void hol_eom_need_matrix(hol_eom *e)
{
    static const hol_coefficients mass = {1, 0, 0, 0, HOL_WITH_RATES};
    if (e->known & HOL_KNOWS_MATRIX) return;
    hol_equations_matrix(e->k.s, &e->x, &mass, e->values);
    hol_part_fill(&e->mass, e->values);
    hol_part_fill(&e->phi_q, e->values);
    hol_part_fill(&e->psi_v, e->values);
    e->known |= HOL_KNOWS_MATRIX;
}

hol_status hol_eom_need_users(hol_eom *e)
{
    if (e->known & (HOL_KNOWS_USERS | HOL_KNOWS_UNKNOWNS)) return HOL_OK;
    if (!e->follows) return hol_eom_need_unknowns(e);
    const hol_status st = hol_explicit_evaluate(&e->users, e->k.s, &e->x);
    if (st) return st < 0 ? st : hol_eom_fail(e, "the users' variables are");
    e->known |= HOL_KNOWS_USERS;
    return HOL_OK;
}

// By the factors as they are; at a singular pose by regularised ones. The first correction may leave what pivots let grow.
static hol_status solve(hol_eom *e)
{
    hol_kernel *k = &e->k;
    hol_status st = hol_explicit_evaluate(&e->users, k->s, &e->x);
    if (!st) st = hol_solve_accelerations(k, &e->x);
    if (st > 0 && k->s->nz) { // Newton's method from another start
        st = hol_start_follow(k, &e->x);
        if (!st) st = hol_solve_accelerations(k, &e->x);
    }
    if (st > 0) st = hol_solve_accelerations_with(k, &e->x, HOL_KKT_DELTA);
    for (int i = 0; i < CORRECTIONS && !st; i++) st = hol_refine_accelerations(k, &e->x);
    return st;
}

// The force that an acceleration of 1 by natural size and time takes, the largest.
static double natural_force(hol_eom *e)
{
    const hol_equations *s = e->k.s;
    double *a = e->work, *force = a + s->n, most = 0;
    for (int i = 0; i < s->nq; i++) a[i] = s->q_size[i] / (s->m->time_scale * s->m->time_scale);
    hol_equations_mass_times(s, &e->x, a, force);
    for (int i = 0; i < s->nq; i++) most = fmax(most, fabs(force[i]) * s->q_size[i]);
    return most;
}

// The largest of the forces by natural size: Q, M a or those of the multipliers, and what they leave of each other.
static double largest_force(hol_eom *e, double *left)
{
    hol_equations *s = e->k.s;
    double *r = e->work, *held = r + s->n, *Q = held + s->nq, most = NOTHING * natural_force(e);
    hol_state free = e->x;
    free.lam = free.kap = e->zero;
    hol_equations_residual(s, &e->x, r, NULL);
    hol_equations_forces(s, &e->x, held);
    hol_equations_forces(s, &free, Q);
    *left = 0;
    for (int i = 0; i < s->nq; i++) {
        const double size = s->q_size[i];
        *left = hol_larger(fabs(r[i]) * size, *left);
        most = fmax(most, size * fmax(fabs(Q[i]), fmax(fabs(r[i] - held[i]), fabs(held[i] - Q[i]))));
    }
    return most;
}

// Do accelerations and multipliers hold the equations? Regularised factors solve contradictions in the mean.
static bool holds(hol_eom *e)
{
    hol_equations *s = e->k.s;
    double *r = e->work, left;
    const double most = largest_force(e, &left);
    if (!(left <= HOLDS * most)) return false;
    hol_equations_tau(s, &e->x, e->k.work);
    const double bend = hol_equations_row_norm(s, e->k.work, s->nc), T = s->m->time_scale,
                 size = bend + hol_equations_coordinate_norm(s, e->x.a) + 1 / (T * T);
    hol_equations_jacobian_times(s, e->x.t, e->x.q, e->x.a, r);
    for (int i = 0; i < s->nc; i++) r[i] -= e->k.work[i];
    hol_equations_rates_dot(s, &e->x, r + s->nc);
    return hol_equations_row_norm(s, r, s->nc + s->nk) <= HOLDS * size;
}

hol_status hol_eom_need_unknowns(hol_eom *e)
{
    if (e->known & HOL_KNOWS_UNKNOWNS) return HOL_OK;
    const hol_status st = solve(e);
    if (st < 0) return st;
    if (st || !holds(e)) return hol_eom_fail(e, "the accelerations are");
    e->known |= HOL_KNOWS_UNKNOWNS;
    return HOL_OK;
}

hol_status hol_eom_need_reactions(hol_eom *e)
{
    hol_status st = hol_eom_need_unknowns(e);
    if (st || e->known & HOL_KNOWS_REACTIONS) return st;
    st = hol_reactions_update(&e->reactions, &e->x);
    if (st) return st < 0 ? st : hol_eom_fail(e, "the multipliers are");
    e->known |= HOL_KNOWS_REACTIONS;
    return HOL_OK;
}

hol_status hol_eom_need_joints(hol_eom *e)
{
    if (e->known & HOL_KNOWS_JOINTS) return HOL_OK;
    const hol_status st = hol_eom_need_consistent(e, "joint coordinates");
    if (st) return st;
    hol_joint_space_take(&e->joints, &e->x);
    e->known |= HOL_KNOWS_JOINTS;
    return HOL_OK;
}

hol_status hol_eom_need_basis(hol_eom *e)
{
    const hol_status st = hol_eom_need_joints(e);
    if (st || e->known & HOL_KNOWS_BASIS) return st;
    hol_joint_space_find_basis(&e->joints);
    e->known |= HOL_KNOWS_BASIS;
    return HOL_OK;
}

// ---- when it is not so ----------------------------------------------------------------------------------------

// The joint that is open, or whose velocities are.
static hol_status fail_open(hol_eom *e, hol_status code, const char *call, const hol_measure *v,
                            const char *way_out)
{
    const bool position = v->position_row >= 0 && !(v->position <= CONSISTENT);
    const int worst = position ? v->position_row : v->velocity_row;
    const char *element = "a velocity constraint";
    const bool holonomic = position || !(v->velocity <= CONSISTENT);
    const hol_row row = holonomic && worst >= 0 ? hol_model_row(e->m, worst, &element) : (hol_row){"", false};
    return hol_fail(e->ctx, code, "%s: the state is not on the constraints: %s%s%s%s %s by %.3g%s", call,
                    element, *row.direction ? " (" : "", row.direction, *row.direction ? ")" : "",
                    position ? "is open" : "has velocities that break it",
                    position    ? v->position
                    : holonomic ? v->velocity
                                : v->rate,
                    way_out);
}

static bool is_consistent(hol_eom *e, hol_measure *v)
{
    hol_equations_measure_parts(e->k.s, &e->x, HOL_MEASURE_ROWS, v);
    return v->position <= CONSISTENT && v->velocity <= CONSISTENT && v->rate <= CONSISTENT;
}

hol_status hol_eom_need_consistent(hol_eom *e, const char *call)
{
    hol_measure v;
    return is_consistent(e, &v)
               ? HOL_OK
               : fail_open(e, HOL_ERR_USAGE, call, &v, " of its natural size; hol_eom_project puts it there");
}

hol_status hol_eom_fail(hol_eom *e, const char *what)
{
    hol_equations *s = e->k.s;
    hol_fault f;
    hol_measure v;
    if (s->fatal) return s->fatal; // the message is there
    hol_state_copy(s, &e->spare, &e->x);
    memset(e->spare.a, 0, (size_t)s->n * sizeof *e->spare.a);
    const hol_status st = hol_start_follow(&e->k, &e->spare);
    if (st < 0) return st;
    if (hol_fault_find(s, &e->spare, &f))
        return hol_fail_at(e->ctx, HOL_ERR_INTEGRATION, f.at, "at t = %.6g s: %s", e->x.t, f.text);
    return hol_fail(
        e->ctx, HOL_ERR_INTEGRATION, "%s not determined at t = %.6g s: %s", what, e->x.t,
        is_consistent(e, &v)
            ? "a singular pose, or masses of 0 that nothing holds"
            : "the state is not on the constraints, and rows of these contradict each other there "
              "(hol_eom_project)");
}

// ---- onto the constraints -------------------------------------------------------------------------------------

// Root of the sum of squares of the changes, the largest, and where that is.
static double changed(const hol_equations *s, const double *from, const double *to, double unit, double *most,
                      int *where)
{
    double sum = 0;
    *most = 0;
    *where = -1;
    for (int i = 0; i < s->nq; i++) {
        const double change = fabs(to[i] - from[i]) / s->q_size[i] * unit;
        sum += change * change;
        if (change > *most) *where = i;
        *most = fmax(*most, change);
    }
    return sqrt(sum);
}

// The position of the state and its velocity; x is left as the failure has it.
static hol_status put_on(hol_eom *e)
{
    int worst = -1;
    hol_measure v;
    hol_status st = hol_project_positions(&e->k, &e->x, &worst);
    if (!st) st = hol_project_velocities(&e->k, &e->x);
    if (st < 0) return st;
    hol_equations_remember(e->k.s, &e->x);
    if (is_consistent(e, &v) && !st) return HOL_OK;
    return fail_open(e, HOL_ERR_ASSEMBLY, "hol_eom_project", &v,
                     " of its natural size however it is moved from there");
}

hol_status hol_eom_put_on(hol_eom *e, hol_eom_change *change)
{
    const hol_equations *s = e->k.s;
    hol_state_copy(s, &e->spare, &e->x);
    const hol_status st = put_on(e);
    if (st) hol_state_copy(s, &e->x, &e->spare);
    hol_eom_moved(e);
    if (st || !change) return st;
    change->position =
        changed(s, e->spare.q, e->x.q, 1, &change->most_position, &change->position_coordinate);
    change->velocity = changed(s, e->spare.v, e->x.v, s->m->time_scale, &change->most_velocity,
                               &change->velocity_coordinate);
    return HOL_OK;
}

hol_status hol_eom_put_joints(hol_eom *e, double t, const double *p, const double *u)
{
    hol_state *x = &e->spare;
    hol_state_copy(e->k.s, x, &e->x);
    x->t = t;
    hol_joint_space_put(&e->joints, p, u, x);
    e->known &= ~(unsigned)(HOL_KNOWS_JOINTS | HOL_KNOWS_BASIS);
    if (!hol_all_finite(x->q, 2 * (size_t)e->m->nq)) // q and v stand together
        return hol_fail(
            e->ctx, HOL_ERR_USAGE,
            "hol_eom_set_joints: no finite positions follow: Euler parameters of a joint are all 0, or "
            "drivers have no value at t = %.6g s",
            t);
    hol_equations_stop_turns(e->k.s, x);
    hol_equations_remember(e->k.s, x);
    hol_state_copy(e->k.s, &e->x, x);
    hol_eom_moved(e);
    e->known = HOL_KNOWS_JOINTS; // these, in the turns that are given
    return HOL_OK;
}
