// The library's interface to the equations at a state, holonom_equations.h: each function checks its arguments, calls
// analysis/eom.h, and leaves messages in the context.
#include "analysis/eom.h"
#include "api/api.h"
#include "system/place.h"

#include <math.h>
#include <string.h>

// What it must be given is there: HOL_OK.
#define NEED(eom, p) HOL_NEED((eom)->ctx, p)

// ---- a model at a state ---------------------------------------------------------------------------------------

hol_eom *hol_eom_create(hol_context *ctx, const hol_model *model, hol_eom_start start)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    if (start == HOL_EOM_ASSEMBLED || start == HOL_EOM_AS_GIVEN) return hol_eom_make(ctx, model->data, start);
    hol_fail(ctx, HOL_ERR_USAGE, "%s: there is no start %d", __func__, (int)start);
    return NULL;
}

void hol_eom_destroy(hol_eom *eom) { hol_eom_free(eom); }

// ---- sizes and names ------------------------------------------------------------------------------------------

int hol_eom_count(const hol_eom *eom, hol_eom_list list) { return eom ? hol_eom_list_size(eom, list) : -1; }

int hol_eom_find(const hol_eom *eom, hol_eom_list list, const char *name)
{
    return eom && name ? hol_eom_list_find(eom, list, name) : -1;
}

bool hol_eom_name_of(const hol_eom *eom, hol_eom_list list, int i, hol_eom_name *out)
{
    return eom && out && hol_eom_list_name(eom, list, i, out);
}

// ---- the state ------------------------------------------------------------------------------------------------

hol_status hol_eom_get_state(const hol_eom *eom, hol_state_view *out)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    const hol_status st = NEED(eom, out);
    if (st) return st;
    hol_context_clear(eom->ctx);
    const hol_state *x = &eom->x;
    *out = (hol_state_view){x->t, eom->m->nq, eom->m->n_states, x->q, x->v, x->X};
    return HOL_OK;
}

static hol_status check_size(const hol_eom *e, const char *call, const char *what, size_t have, size_t want)
{
    return have == want ? HOL_OK
                        : hol_fail(e->ctx, HOL_ERR_USAGE, "%s: %s has %zu numbers, and %zu are wanted", call,
                                   what, have, want);
}

// `have` numbers that are finite, as many as are wanted; NULL: none.
static hol_status check_numbers(const hol_eom *e, const char *call, const char *what, const double *x,
                                size_t have, size_t want)
{
    const hol_status st = x ? check_size(e, call, what, have, want) : HOL_OK;
    if (st) return st;
    for (size_t i = 0; i < want && x; i++)
        if (!isfinite(x[i]))
            return hol_fail(e->ctx, HOL_ERR_USAGE, "%s: %s[%zu] is not a finite number", call, what, i);
    return HOL_OK;
}

static hol_status check_time(const hol_eom *e, const char *call, double t)
{
    return isfinite(t) ? HOL_OK : hol_fail(e->ctx, HOL_ERR_USAGE, "%s: t is not a finite number", call);
}

// Refuses Euler parameters without a direction.
static hol_status check_orientations(const hol_eom *e, const char *call, const double *q)
{
    for (int b = 0; b < e->m->n_bodies && q; b++) {
        const double *p = q + e->m->body[b].q + 3;
        if (e->m->body[b].frame != HOL_FRAME_SPATIAL ||
            p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] > 0)
            continue;
        return hol_fail(e->ctx, HOL_ERR_USAGE,
                        "%s: the Euler parameters of \"%s\" are all 0: they are no orientation", call,
                        e->m->body[b].name);
    }
    return HOL_OK;
}

static void take(double *to, const double *from, int n)
{
    if (from) memmove(to, from, (size_t)n * sizeof *to); // it may be a view
}

hol_status hol_eom_set_state(hol_eom *eom, const hol_state_view *state)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_status st = NEED(eom, state);
    if (st) return st;
    hol_context_clear(eom->ctx);
    const hol_model_data *m = eom->m;
    const hol_state_view *s = state;
    st = check_time(eom, __func__, s->t);
    if (!st) st = check_numbers(eom, __func__, "q", s->q, (size_t)s->n_q, (size_t)m->nq);
    if (!st) st = check_numbers(eom, __func__, "v", s->v, (size_t)s->n_q, (size_t)m->nq);
    if (!st) st = check_numbers(eom, __func__, "state", s->state, (size_t)s->n_states, (size_t)m->n_states);
    if (!st) st = check_orientations(eom, __func__, s->q);
    if (st) return st;
    eom->x.t = s->t;
    take(eom->x.q, s->q, m->nq);
    take(eom->x.v, s->v, m->nq);
    take(eom->x.X, s->state, m->n_states);
    hol_equations_stop_turns(eom->k.s, &eom->x);
    hol_equations_remember(eom->k.s, &eom->x);
    hol_eom_moved(eom);
    return HOL_OK;
}

// What the state is, of a simulation in which no other thread is at work.
static hol_status take_present(hol_eom *eom, hol_simulation *sim)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    const hol_state *x;
    const hol_status st = hol_drive_state(sim->d, &x);
    if (st) return st;
    eom->x.t = hol_drive_now(sim->d);
    take(eom->x.q, x->q, eom->m->nq);
    take(eom->x.v, x->v, eom->m->nq);
    take(eom->x.X, x->X, eom->m->n_states);
    take(eom->x.mem, x->mem, eom->m->n_mem);
    for (int k = 0; k < eom->m->n_held; k++) // set, and not yet in the state
        if (eom->m->held[k].outside && !eom->m->held[k].linear)
            eom->x.mem[eom->m->held[k].slot] = hol_drive_get(sim->d, k);
    return HOL_OK;
}

// The equations are those of what acts at the start.
static hol_status refuse_switched(const hol_eom *eom, const char *call, const double *mem)
{
    const int i = hol_model_switched(eom->m, mem);
    if (i < 0) return HOL_OK;
    if (!hol_element_is_switched(&eom->m->element[i], mem))
        return hol_fail(eom->ctx, HOL_ERR_USAGE,
                        "%s: \"%s\" holds another pose in this state than the one that the equations are of: "
                        "make them of a model that is drawn as it is held",
                        call, eom->m->element[i].name);
    const bool on = hol_element_acts(&eom->m->element[i], mem);
    return hol_fail(eom->ctx, HOL_ERR_USAGE,
                    "%s: \"%s\" is switched %s in this state, and the equations are of what acts at the "
                    "start: make them of a "
                    "model in which it is `active: %s`",
                    call, eom->m->element[i].name, on ? "on" : "off", on ? "yes" : "no");
}

hol_status hol_eom_take(hol_eom *eom, hol_simulation *sim)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_status st = NEED(eom, sim);
    if (st) return st;
    hol_context_clear(eom->ctx);
    if (sim->d->m != eom->m && hol_model_structure(sim->d->m) != hol_model_structure(eom->m))
        return hol_fail(
            eom->ctx, HOL_ERR_USAGE,
            "%s: the simulation is of another model: make the equations of the model that it runs", __func__);
    st = refuse_switched(eom, __func__, sim->d->it->x.mem);
    if (st) return st;
    st = take_present(eom, sim);
    if (st) return hol_fail(eom->ctx, st, "%s", hol_context_error(sim->ctx));
    hol_eom_moved(eom);
    return HOL_OK;
}

hol_status hol_eom_get_memory(const hol_eom *eom, double *memory, size_t size)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_status st = NEED(eom, memory);
    if (st) return st;
    hol_context_clear(eom->ctx);
    st = check_size(eom, __func__, "memory", size, (size_t)eom->m->n_mem);
    if (!st) take(memory, eom->x.mem, eom->m->n_mem);
    return st;
}

hol_status hol_eom_set_memory(hol_eom *eom, const double *memory, size_t size)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_status st = NEED(eom, memory);
    if (st) return st;
    hol_context_clear(eom->ctx);
    st = check_numbers(eom, __func__, "memory", memory, size, (size_t)eom->m->n_mem);
    if (!st) st = refuse_switched(eom, __func__, memory);
    if (st) return st;
    take(eom->x.mem, memory, eom->m->n_mem);
    hol_eom_moved(eom);
    return HOL_OK;
}

hol_status hol_eom_set_input(hol_eom *eom, int input, double value)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_context_clear(eom->ctx);
    const int k = hol_model_input(eom->m, input);
    if (k < 0)
        return hol_fail(eom->ctx, HOL_ERR_USAGE, "%s: there is no input %d: the model has %d", __func__,
                        input, hol_model_inputs(eom->m));
    if (!isfinite(value))
        return hol_fail(eom->ctx, HOL_ERR_USAGE, "%s: \"%s\" is to be %g, which is no finite number",
                        __func__, eom->m->held[k].name, value);
    double *at = &eom->x.mem[eom->m->held[k].slot];
    at[0] = value;
    if (eom->m->held[k].linear) at[1] = 0, at[HOL_RAMP_TARGET] = value;
    hol_eom_moved(eom);
    return HOL_OK;
}

double hol_eom_input(const hol_eom *eom, int input)
{
    const int k = eom ? hol_model_input(eom->m, input) : -1;
    return k < 0 ? (double)NAN : hol_held_value(&eom->m->held[k], eom->x.mem, eom->x.t);
}

hol_status hol_eom_project(hol_eom *eom, hol_eom_change *change)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_context_clear(eom->ctx);
    return hol_eom_put_on(eom, change);
}

// ---- vectors and matrices -------------------------------------------------------------------------------------

// There is such a quantity, and joint coordinates are there where it is one of these.
static hol_status check_quantity(const hol_eom *e, const char *call, hol_eom_quantity what)
{
    if ((unsigned)what >= HOL_EOM_QUANTITIES)
        return hol_fail(e->ctx, HOL_ERR_USAGE, "%s: there is no quantity %d", call, (int)what);
    if (hol_eom_is_of_joints(what) && !e->joints.memory)
        return hol_fail(e->ctx, HOL_ERR_USAGE, "%s: hol_eom_use_joints is to be called before", call);
    return HOL_OK;
}

hol_status hol_eom_shape(const hol_eom *eom, hol_eom_quantity what, int *rows, int *columns)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_status st = NEED(eom, rows);
    if (!st) st = NEED(eom, columns);
    if (st) return st;
    hol_context_clear(eom->ctx);
    st = check_quantity(eom, __func__, what);
    if (!st) hol_eom_size(eom, what, rows, columns);
    return st;
}

hol_status hol_eom_get(hol_eom *eom, hol_eom_quantity what, double *values, size_t size)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    int rows, columns;
    hol_status st = NEED(eom, values);
    if (st) return st;
    hol_context_clear(eom->ctx);
    st = check_quantity(eom, __func__, what);
    if (st) return st;
    hol_eom_size(eom, what, &rows, &columns);
    st = check_size(eom, __func__, "values", size, (size_t)rows * (size_t)columns);
    return st ? st : hol_eom_value(eom, what, values);
}

hol_status hol_eom_get_sparse(hol_eom *eom, hol_eom_quantity what, hol_csc *out)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_status st = NEED(eom, out);
    if (st) return st;
    hol_context_clear(eom->ctx);
    const hol_part *part = hol_eom_part(eom, what);
    if (!part)
        return hol_fail(eom->ctx, HOL_ERR_USAGE,
                        "%s: of quantity %d there is no sparse view: HOL_EOM_MASS, HOL_EOM_PHI_Q and "
                        "HOL_EOM_PSI_V have one",
                        __func__, (int)what);
    hol_eom_need_matrix(eom);
    if (!hol_all_finite(part->value, (size_t)part->start[part->view.n_columns]))
        return hol_eom_fail(eom, "what is asked for is");
    *out = part->view;
    return HOL_OK;
}

// ---- markers --------------------------------------------------------------------------------------------------

static hol_status check_marker(const hol_eom *e, const char *call, int marker)
{
    return marker >= 0 && marker < e->m->n_markers
               ? HOL_OK
               : hol_fail(e->ctx, HOL_ERR_USAGE, "%s: there is no marker %d: they are numbered from 0 to %d",
                          call, marker, e->m->n_markers - 1);
}

hol_status hol_eom_marker(hol_eom *eom, int marker, hol_eom_motion *out)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_eom_motion motion;
    hol_status st = NEED(eom, out);
    if (st) return st;
    hol_context_clear(eom->ctx);
    st = check_marker(eom, __func__, marker);
    if (st) return st;
    hol_place_motion(eom->m, &eom->x, marker, &motion);
    if (!hol_all_finite(motion.position, sizeof motion / sizeof(double))) // it is nothing but numbers
        return hol_eom_fail(eom, "the motion of the marker is");
    *out = motion;
    return HOL_OK;
}

hol_status hol_eom_marker_jacobian(hol_eom *eom, int marker, double *J, double *Jr, size_t size)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_status st = NEED(eom, J ? J : Jr);
    if (st) return st;
    hol_context_clear(eom->ctx);
    st = check_marker(eom, __func__, marker);
    if (st) return st;
    st = check_size(eom, __func__, "J", size, 3 * (size_t)eom->m->nq);
    if (st) return st;
    hol_place_jacobian(eom->m, &eom->x, marker, J, Jr);
    return HOL_OK;
}

// ---- reactions, energies, momenta -----------------------------------------------------------------------------

hol_status hol_eom_reaction(hol_eom *eom, int element, hol_eom_wrench *out)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    const hol_status st = NEED(eom, out);
    if (st) return st;
    hol_context_clear(eom->ctx);
    const hol_model_data *m = eom->m;
    if (element < 0 || element >= m->n_elements - m->n_bodies)
        return hol_fail(eom->ctx, HOL_ERR_USAGE, "%s: there is no element %d: there are %d", __func__,
                        element, m->n_elements - m->n_bodies);
    const hol_element *of = &m->element[m->n_bodies + element];
    if (of->n_ends < 1)
        return hol_fail(eom->ctx, HOL_ERR_USAGE,
                        "%s: %s has no end at which a force could be told: its multipliers are all it has",
                        __func__, of->name);
    return hol_eom_find_wrench(eom, of, out);
}

hol_status hol_eom_sum(hol_eom *eom, const double about[3], hol_eom_totals *out)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_eom_totals totals;
    hol_status st = NEED(eom, out);
    if (st) return st;
    hol_context_clear(eom->ctx);
    st = check_numbers(eom, __func__, "about", about, 3, 3);
    if (st) return st;
    hol_place_totals(eom->k.s, &eom->x, about, &totals);
    if (!isfinite(totals.kinetic + totals.potential)) return hol_eom_fail(eom, "the energies are");
    *out = totals;
    return HOL_OK;
}

// ---- joint coordinates ----------------------------------------------------------------------------------------

hol_status hol_eom_use_joints(hol_eom *eom)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_obstacle why = {0};
    hol_context_clear(eom->ctx);
    if (eom->joints.memory) return hol_fail(eom->ctx, HOL_ERR_USAGE, "%s has been called before", __func__);
    hol_status st = hol_eom_need_consistent(eom, __func__);
    if (st) return st;
    st = hol_joint_space_create(eom->ctx, eom->k.s, &eom->x, &eom->joints, &why);
    if (st) hol_joint_space_destroy(&eom->joints);
    return st > 0 ? hol_fail_at(eom->ctx, HOL_ERR_USAGE, why.at,
                                "the model has no joint coordinates: %s: %s. Mass, forces and phi_q in the "
                                "coordinates of its bodies are there; a null space N of phi_q gives N^T M N",
                                why.name, why.why)
                  : st;
}

hol_status hol_eom_set_joints(hol_eom *eom, double t, const double *p, size_t n_p, const double *u,
                              size_t n_u)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_status st = NEED(eom, p);
    if (!st) st = NEED(eom, u);
    if (st) return st;
    hol_context_clear(eom->ctx);
    st = check_quantity(eom, __func__, HOL_EOM_JOINT_POSITIONS);
    if (!st) st = check_time(eom, __func__, t);
    if (!st) st = check_numbers(eom, __func__, "p", p, n_p, (size_t)eom->joints.n_p);
    if (!st) st = check_numbers(eom, __func__, "u", u, n_u, (size_t)eom->joints.n_u);
    return st ? st : hol_eom_put_joints(eom, t, p, u);
}

// ---- the linearised motion ------------------------------------------------------------------------------------

hol_status hol_eom_linearise(hol_eom *eom, hol_metric metric, hol_eom_linear *out)
{
    HOL_ALONE(eom, HOL_ERR_USAGE);
    hol_status st = NEED(eom, out);
    if (st) return st;
    hol_context_clear(eom->ctx);
    if (metric != HOL_METRIC_MASS && metric != HOL_METRIC_NATURAL)
        return hol_fail(eom->ctx, HOL_ERR_USAGE,
                        "there is no metric %d: give HOL_METRIC_MASS or HOL_METRIC_NATURAL", (int)metric);
    st = hol_eom_need_consistent(eom, __func__);
    return st ? st : hol_eom_find_linear(eom, metric == HOL_METRIC_NATURAL, out);
}
