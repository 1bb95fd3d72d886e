// The columns that results may have: a group more is a row of `hol_signal_groups`.
#include "analysis/signal_groups.h"
#include "analysis/contacts.h"
#include "analysis/signal_columns.h"
#include "analysis/swarms.h"
#include "element/coordinate.h"
#include "model/contacts.h"
#include "system/leaf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// How a row between steps has it: words for the manual, and what has to be found for it.
const hol_signal_way_row hol_signal_ways[] = {
    [HOL_HAD_MOTION] = {"interpolated", 0},
    [HOL_HAD_EVALUATED] = {"evaluated", 0},
    [HOL_HAD_SOLVED] = {"solved for", HOL_NEED_UNKNOWNS | HOL_NEED_FORCES},
    [HOL_HAD_STEP] = {"of the step", 0},
};

// ---- groups ---------------------------------------------------------------------------------------------------

// omega = 2 E(p) p', and the same with p'': the angular acceleration, since E(p') p' = 0
static void angular(const hol_real *p, const double *rate, double *out)
{
    hol_real E[3][4];
    hol_global_rate(p, E);
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int j = 0; j < 4; j++) out[i] += 2 * hol_re(E[i][j]) * rate[j];
    }
}

// Position, velocity and acceleration of a marker (with the body's rotation), in the order of the column lists.
static void marker_values(hol_signals *g, int k, double *out)
{
    const hol_state *x = g->x;
    const hol_marker_info *info = &g->m->marker[k];
    const int dim = g->m->dimension, size = info->marker.size, body = hol_model_marker_body(g->m, k),
              first = body < 0 ? 0 : g->m->body[body].q;
    const double *q = x->q + first, *v = x->v + first, *a = x->a + first;
    const bool whole = !info->name, spin = whole && info->marker.frame == HOL_FRAME_PLANAR,
               turn = whole && info->marker.frame == HOL_FRAME_SPATIAL;
    hol_real y[8] = {0}, w[8] = {0};
    hol_feature p;
    for (int i = 0; i < size; i++) {
        y[i] = q[i];
        w[i] = v[i];
    }
    if (body < 0) { // ground: the only entry is time
        y[0] = x->t;
        w[0] = 1;
    }
    hol_feature_eval(&info->marker, HOL_ORIGIN, y, w, 3, &p);
    int n = 0;
    for (int i = 0; i < dim; i++) out[n++] = hol_re(p.f[i]);
    if (spin) out[n++] = q[2];
    for (int i = 0; i < 4 && turn; i++) out[n++] = q[3 + i];
    for (int i = 0; i < dim; i++) out[n++] = hol_re(p.fw[i]);
    if (spin) out[n++] = v[2];
    if (turn) {
        angular(y + 3, v + 3, out + n);
        n += 3;
    }
    for (int i = 0; i < dim; i++) {
        double acceleration = hol_re(p.fww[i]);
        for (int j = 0; j < p.n && body >= 0; j++) acceleration += hol_re(p.d[i][j]) * a[p.iy + j];
        out[n++] = acceleration;
    }
    if (spin) out[n++] = a[2];
    if (turn) angular(y + 3, a + 3, out + n);
}

static hol_column_list marker_columns(const hol_model_data *m, int k)
{
    const bool whole = !m->marker[k].name;
    if (whole && m->marker[k].marker.frame == HOL_FRAME_PLANAR)
        return (hol_column_list)HOL_COLUMNS(planar_body);
    if (whole && m->marker[k].marker.frame == HOL_FRAME_SPATIAL)
        return (hol_column_list)HOL_COLUMNS(spatial_body);
    return m->dimension == 2 ? (hol_column_list)HOL_COLUMNS(planar_point)
                             : (hol_column_list)HOL_COLUMNS(spatial_point);
}

static int body_markers(const hol_model_data *m) { return m->ground_marker; }

// "body", "body.marker"
static const char *marker_name(const hol_signals *g, int k)
{
    const int b = hol_model_marker_body(g->m, k);
    const char *body = b < 0 ? "ground" : g->m->body[b].name, *marker = g->m->marker[k].name;
    return marker ? hol_arena_print(g->arena, "%s.%s", body, marker) : body;
}

// The marker that "body", "ground" or "body.marker" names; -1: none.
static int find_marker(const hol_signals *g, char *name)
{
    const bool on_ground =
        strncmp(name, "ground.", 7) == 0; // its markers have those of subsystems before their names
    char *dot = on_ground ? name + 6 : hol_model_find_body(g->m, name) >= 0 ? NULL : strrchr(name, '.');
    if (dot) *dot = 0;
    const bool ground = strcmp(name, "ground") == 0;
    const int b = ground ? -1 : hol_model_find_body(g->m, name);
    if (dot) *dot = '.';
    if (b < 0 && !ground) return -1;
    if (dot) return hol_model_find_marker(g->m, b, dot + 1);
    return ground ? g->m->ground_marker : g->m->body[b].marker;
}

static int count_elements(const hol_model_data *m) { return m->n_elements; }

// Those of bodies have no name of their own.
static const char *element_name(const hol_signals *g, int k)
{
    return k < g->m->n_bodies ? "" : g->m->element[k].name;
}

static int find_element(const hol_signals *g, char *name) { return hol_model_find_element(g->m, name); }

// Of constraints, couplers and locks, which have no ends. A row of joints' coordinates has the size of a stroke, if one is among them. (8.31)
static hol_column_list multiplier_columns(const hol_model_data *m, int k)
{
    const hol_element *e = &m->element[k];
    const hol_sum *sum = e->data;
    bool strokes = false;
    if (!e->type->joints) return (hol_column_list)HOL_COLUMNS(multipliers);
    for (int i = 0; i < sum->n; i++) strokes = strokes || hol_prim_is_length(&sum->s[i]);
    return strokes ? (hol_column_list)HOL_COLUMNS(of_strokes) : (hol_column_list)HOL_COLUMNS(of_turns);
}

// Of constraints, couplers and locks, with those of redundant rows.
static void multiplier_value(hol_signals *g, int k, double *out)
{
    const hol_element *e = &g->reactions.s->m->element[k];
    out[0] = e->n_rates ? g->x->kap[e->rate] : e->n_rows ? g->reactions.lam[e->row] : 0;
}

static hol_column_list reaction_columns(const hol_model_data *m, int k)
{
    (void)k;
    return m->dimension == 2 ? (hol_column_list)HOL_COLUMNS(planar_reaction)
                             : (hol_column_list)HOL_COLUMNS(spatial_reaction);
}

hol_status hol_signals_update_reactions(hol_signals *g)
{
    if (g->has_reactions) return HOL_OK;
    const hol_status st = hol_reactions_update(&g->reactions, g->x);
    g->has_reactions = !st;
    return st;
}

hol_status hol_signals_begin_reactions(hol_signals *g)
{
    if (g->wants_reactions) return HOL_OK; // for another group
    g->wants_reactions = true;
    return hol_reactions_create(g->ctx, g->s, &g->reactions);
}

// ---- forces in joints ----

// One input drives the coordinate of a joint: torque, force, friction, laws.
static bool is_effort(const hol_element *e) { return e->type->force == hol_effort_force; }

// What holds a joint at rest at its hard stops, behind them; NULL: it is another force.
static const hol_element *holder_of(const hol_element *e) { return e->n_laws ? e + 1 : NULL; }

// What is asked of a motor beyond its `max`; NULL: it has none.
static const hol_equation *end_of(const hol_element *e) { return e->n_inputs ? e->input[0].beyond : NULL; }

// Hard limits have theirs; of others the last column is that of motors with an end.
static hol_column_list effort_columns(const hol_model_data *m, int k)
{
    const hol_element *e = &m->element[k];
    const hol_effort *f = e->data;
    if (holder_of(e))
        return hol_effort_is_length(f) ? (hol_column_list)HOL_COLUMNS(stopping_slide)
                                       : (hol_column_list)HOL_COLUMNS(stopping_turn);
    hol_column_list list = hol_effort_is_length(f) ? (hol_column_list)HOL_COLUMNS(sliding)
                                                   : (hol_column_list)HOL_COLUMNS(turning);
    list.n -= !end_of(e); // which stands last
    return list;
}

// What hard limits give, a row does.
static hol_status begin_efforts(hol_signals *g)
{
    return g->m->n_stops ? hol_signals_begin_reactions(g) : HOL_OK;
}

static hol_status update_efforts(hol_signals *g)
{
    return g->m->n_stops ? hol_signals_update_reactions(g) : HOL_OK;
}

// With `keep_axes` torques are shown on the angle that is shown, which is not the one that they were given on within the file.
static int shown_sign(const hol_element *e, const hol_prim *coordinate)
{
    return e->turned && !hol_prim_is_length(coordinate) ? -1 : 1;
}

// What acts, 0 where an event has switched it off, and its power.
static void effort_values(hol_signals *g, int k, double *out)
{
    const hol_element *e = &g->s->m->element[k], *holder = holder_of(e);
    const hol_effort *f = e->data;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], u[HOL_MAX_ROWS], c_y[HOL_MAX_Y] = {0}, rate = 0;
    hol_element_gather(g->m, e, g->x->t, g->x->q, g->x->v, 1, y, w);
    hol_effort_direction(f, e->ny, y, c_y);
    for (int j = 0; j < e->ny; j++) rate += c_y[j] * w[j];
    hol_equations_inputs(e, g->x, u);
    out[0] = hol_element_acts(e, g->x->mem) ? hol_re(u[0]) : 0;
    if (holder && holder->n_rows) out[0] -= g->reactions.lam[holder->row];
    out[1] = out[0] * hol_re(rate);
    out[0] *= shown_sign(e, &f->s);
    if (!end_of(e)) return;
    const double beyond =
        hol_element_acts(e, g->x->mem) ? hol_equations_expression(g->s, g->x, end_of(e)) : 0;
    out[2] = shown_sign(e, &f->s) * ((beyond > 0) - (beyond < 0));
}

// Whether a motor is at its end is a yes or no.
static hol_bend effort_bend(int component) { return component == 2 ? HOL_BEND_STEPS : HOL_BEND_NONE; }

// ---- coordinates of joints ----

#define COLUMN(name, unit, doc, plane, space, second, rate)                                                  \
    {name, unit, doc,                                                                                        \
     (rate) < 2 && ((space) < HOL_QUANTITY_ACC || (space) >= HOL_QUANTITIES) ? HOL_HAD_EVALUATED             \
                                                                             : HOL_HAD_SOLVED},
#define COLUMNS(list, rows, joints) static const hol_column_name list##_columns[] = {rows(COLUMN)};
HOL_COORDINATE_LISTS(COLUMNS)

// What the joint leaves free, of the list that its type has.
static hol_column_list coordinate_columns(const hol_model_data *m, int k)
{
#define CHOICE(list, rows, joints) {hol_coordinates_##list, HOL_COLUMNS(list##_columns)},
    static const struct {
        const hol_joint_coordinate *of;
        hol_column_list list;
    } rows[] = {HOL_COORDINATE_LISTS(CHOICE)};
    const hol_joint_coordinate *c = hol_joint_coordinates(&m->element[k], m->dimension);
    hol_column_list list = {NULL, 0};
    for (int i = 0; i < HOL_COUNT(rows); i++)
        if (rows[i].of == c) list = rows[i].list;
    for (int n = list.n; n > 0 && !hol_joint_coordinate_is_free(&m->element[k], m->dimension, &c[n - 1]); n--)
        list.n = n - 1; // those that a joint may hold stand last
    return list;
}

// All of them, as their columns stand.
static void coordinate_values(hol_signals *g, int k, double *out)
{
    const hol_joint_coordinate *c = hol_joint_coordinates(&g->m->element[k], g->m->dimension);
    for (int i = 0, n = coordinate_columns(g->m, k).n; i < n; i++) {
        hol_leaf leaf;
        hol_leaf_value v;
        hol_joint_leaf_seen(g->m, &g->m->element[k], &c[i], &leaf);
        hol_leaf_eval(g->s, g->x, &leaf, false, &v);
        *out++ = hol_re(v.f);
    }
}

static void reaction_values(hol_signals *g, int k, double *out)
{
    hol_reaction(&g->reactions, g->x, k, out);
    if (g->m->dimension == 2) out[2] = out[5];
}

// ---- drivers and locks: one row on a coordinate ----

static bool is_lock(const hol_element *e) { return e->type == &hol_joint_lock; }
static bool is_driver(const hol_element *e) { return e->type->role == HOL_ROLE_DRIVER || is_lock(e); }

// What acts on an angle or on a stroke; of a lock alone: it has no power.
static hol_column_list driver_columns(const hol_model_data *m, int k)
{
    const hol_element *e = &m->element[k];
    if (is_lock(e))
        return hol_prim_is_length(&((const hol_sum *)e->data)->s[0])
                   ? (hol_column_list)HOL_COLUMNS(locking_slide)
                   : (hol_column_list)HOL_COLUMNS(locking_turn);
    const hol_prims *row = e->data;
    return hol_prim_is_length(&row->p[0]) ? (hol_column_list)HOL_COLUMNS(driving_slide)
                                          : (hol_column_list)HOL_COLUMNS(driving_turn);
}

// With a row c - held the force on c is -lam; 0 while it is switched off.
static void lock_value(const hol_signals *g, const hol_element *e, double *out)
{
    out[0] = e->n_rows ? -g->reactions.lam[e->row] * shown_sign(e, &((const hol_sum *)e->data)->s[0]) : 0;
}

// With a row C(q, t) that sets the coordinate c, the force on c is -lam dC/dc and its power -lam C_q v; 0 while it is switched off.
static void driver_values(hol_signals *g, int k, double *out)
{
    const hol_element *e = &g->reactions.s->m->element[k];
    if (is_lock(e)) {
        lock_value(g, e, out);
        return;
    }
    const hol_prim *p = &((const hol_prims *)e->data)->p[0];
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], rate = 0;
    hol_scalar row;
    out[0] = out[1] = 0;
    if (!e->n_rows) return;
    const double lam = g->reactions.lam[e->row];
    hol_element_gather(g->m, e, g->x->t, g->x->q, g->x->v, 1, y, w);
    hol_prim_eval(p, e->ny, y, NULL, 1, &row);
    for (int j = 0; j < e->ny - 1; j++) rate += row.d[j] * w[j];
    out[0] = hol_driver_effort(e, y) * lam * shown_sign(e, p);
    out[1] = -lam * hol_re(rate);
}

// Variables and, behind them, states, then what programs set.
static int count_users(const hol_model_data *m) { return m->n_equations + m->n_states + m->n_held; }

// That of what programs set; NULL: another one.
static const hol_held *held_of(const hol_model_data *m, int i)
{
    const int first = m->n_equations + m->n_states;
    return i < first ? NULL : &m->held[i - first];
}

static const char *user_name(const hol_signals *g, int i)
{
    const hol_model_data *m = g->m;
    const hol_held *h = held_of(m, i);
    if (h) return h->outside ? h->name : "";
    if (i >= m->n_equations) return m->state[i - m->n_equations].name;
    return m->equation[i].hidden ? "" : m->equation[i].name;
}

static int find_user(const hol_signals *g, char *name)
{
    return g->users ? hol_names_find(g->users, name) : -1;
}

hol_status hol_signals_name_users(hol_signals *g)
{
    if (g->users) return HOL_OK;
    hol_status st = (g->users = hol_names_create_in(g->ctx, g->arena)) ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < count_users(g->m) && !st; i++)
        if (*user_name(g, i)) st = hol_names_add(g->users, user_name(g, i), i);
    return st;
}

static hol_column_list user_columns(const hol_model_data *m, int i)
{
    if (held_of(m, i)) return (hol_column_list)HOL_COLUMNS(input);
    return i < m->n_equations ? (hol_column_list)HOL_COLUMNS(variable) : (hol_column_list)HOL_COLUMNS(state);
}

// What the model says: a variable is shown in its unit, what laws of joints have as all signals, of an input programs know it.
static void user_unit(const hol_model_data *m, int i, hol_column *c)
{
    const hol_held *h = held_of(m, i);
    const hol_equation *e = i < m->n_equations ? &m->equation[i] : NULL;
    const char *unit = h ? h->unit : e ? e->unit : m->state[i - m->n_equations].unit;
    if (!unit) return;
    c->unit = unit;
    c->shown = h ? unit : e ? e->shown : NULL;
    c->factor = h ? 1 : e ? e->factor : 1;
}

// What a law has is shown on the angle that is shown.
static int user_sign(const hol_model_data *m, int i)
{
    return (i < m->n_equations ? m->equation[i].turned : m->state[i - m->n_equations].turned) ? -1 : 1;
}

static void user_value(hol_signals *g, int i, double *out)
{
    const hol_held *h = held_of(g->m, i);
    if (h)
        *out = hol_held_value(h, g->x->mem, g->x->t);
    else
        *out = user_sign(g->m, i) * (i < g->m->n_equations ? g->x->z[i] : g->x->X[i - g->m->n_equations]);
}

// Energies and violations are found in one pass over the elements, once for a row of results.
static const hol_measure *measured(hol_signals *g)
{
    if (!g->is_measured) hol_equations_measure(g->s, g->x, &g->measure);
    g->is_measured = true;
    return &g->measure;
}

static bool has_contacts(const hol_model_data *m) { return m->n_contact_sums > 0 || m->n_swarms > 0; }

static hol_column_list energy_columns(const hol_model_data *m, int object)
{
    (void)object;
    return (hol_column_list){energies, HOL_COUNT(energies) - (has_contacts(m) ? 0 : CONTACT_ENERGIES)};
}

// Contacts that are elements and those of rules of very many pairs count alike.
static void energy_values(hol_signals *g, int object, double *out)
{
    const hol_measure *m = measured(g);
    double sum[HOL_CONTACT_SUMS] = {0}, lost[2];
    if (has_contacts(g->m)) hol_contacts_total(g->contacts, g->x->t, sum);
    hol_swarm_watch_losses(g->swarms, g->x->t, lost);
    const double value[] = {m->kinetic,
                            m->potential,
                            m->kinetic + m->potential,
                            g->work,
                            sum[HOL_SUM_DAMPING] + lost[0],
                            sum[HOL_SUM_FRICTION] + lost[1]};
    (void)object;
    memcpy(out, value, sizeof value);
}

static hol_status begin_energies(hol_signals *g)
{
    g->wants_work = true;
    return HOL_OK;
}

static void violation_values(hol_signals *g, int object, double *out)
{
    const hol_measure *m = measured(g);
    const double value[] = {m->position, m->velocity, m->rate};
    (void)object;
    memcpy(out, value, sizeof value);
}

static void step_values(hol_signals *g, int object, double *out)
{
    (void)object;
    memcpy(out, &g->step, sizeof g->step);
}

static hol_status begin_omega(hol_signals *g) { return hol_omega_create(g->ctx, g->s, &g->omega); }

static void omega_value(hol_signals *g, int object, double *out)
{
    (void)object;
    *out = hol_omega_at(g->omega, g->s, g->x);
}

static hol_bend other_bend(int component)
{
    (void)component;
    return HOL_BEND_OTHER;
}

static const hol_column_name actuating[] = {
    {"condition", "",
     "of the actuators: how unevenly they act along the driven motions, the most against the least",
     HOL_HAD_SOLVED},
    {"missing", "", "the largest force that actuators do not give, against the largest of all",
     HOL_HAD_SOLVED}};

// Of the state's time; elsewhere than in `holonom inverse` there are none.
static void actuator_values(hol_signals *g, int object, double *out)
{
    const hol_actuators *a = g->actuators;
    const hol_actuated *found = !a ? NULL : a->now.t == g->x->t ? &a->now : &a->end;
    (void)object;
    out[0] = found ? found->condition : (double)NAN;
    out[1] = found ? found->missing : (double)NAN;
}

// That of a joint with coordinates.
static const char *joint_name(const hol_signals *g, int k)
{
    return hol_joint_coordinates(&g->m->element[k], g->m->dimension)->name ? g->m->element[k].name : "";
}

static const char *effort_name(const hol_signals *g, int k)
{
    return is_effort(&g->m->element[k]) ? g->m->element[k].name : "";
}

static int find_effort(const hol_signals *g, char *name)
{
    const int k = find_element(g, name);
    return k >= 0 && is_effort(&g->m->element[k]) ? k : -1;
}

static const char *driver_name(const hol_signals *g, int k)
{
    return is_driver(&g->m->element[k]) ? g->m->element[k].name : "";
}

static int find_driver(const hol_signals *g, char *name)
{
    const int k = find_element(g, name);
    return k >= 0 && is_driver(&g->m->element[k]) ? k : -1;
}

static const hol_signal_objects joints = {count_elements, joint_name, find_element, true},
                                efforts = {count_elements, effort_name, find_effort, true},
                                drivers = {count_elements, driver_name, find_driver, true};
const hol_signal_objects hol_signal_elements = {count_elements, element_name, find_element, true},
                         hol_signal_users = {count_users, user_name, find_user, false},
                         hol_signal_markers = {body_markers, marker_name, find_marker, false};

// ---- what a group adds and begins -------------------------------------------------------------------------------

// Angles that are asked for count their turns.
static hol_status count_turns(hol_signals *g)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < g->n && !st; i++) {
        const hol_column *c = &g->column[i];
        hol_leaf leaf;
        if (c->group->objects != &joints) continue;
        const hol_element *joint = &g->m->element[c->object];
        hol_joint_leaf(joint, g->m->dimension, &hol_joint_coordinates(joint, g->m->dimension)[c->component],
                       &leaf);
        if (leaf.turns) st = hol_equations_count((hol_equations *)g->s, &leaf);
    }
    return st;
}

// Every signal but those that must be asked for by name.
static hol_status add_all(hol_signals *g)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < hol_n_signal_groups; i++) {
        const hol_signal_group *group = &hol_signal_groups[i];
        const int n = group->by_name_only ? 0 : hol_signal_count(g, group);
        for (int k = 0; k < n && !st; k++) {
            const bool driven = group->driven_by_name_only && g->m->element[k].n_inputs;
            const bool extra = driven || (group->is_extra && group->is_extra(g->m, k));
            const char *name = extra ? "" : hol_signal_name(g, group, k);
            if (!name || *name) st = hol_signals_add(g, group, k, name, NULL);
        }
    }
    return st;
}

// Position and orientation of every body.
static hol_status add_poses(hol_signals *g)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < g->m->n_bodies && !st; i++) {
        const hol_column_name *c = marker_columns(g->m, g->m->body[i].marker).name;
        for (; !st && strcmp(c->name, "vx") != 0; c++) // velocities come behind
            st = hol_signals_add(g, &hol_signal_groups[0], g->m->body[i].marker, g->m->body[i].name, c->name);
    }
    return st;
}

static hol_status add_coordinates(hol_signals *g)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < hol_n_signal_groups; i++)
        for (int k = 0; k < g->m->n_elements && hol_signal_groups[i].objects == &joints && !st; k++)
            if (*joint_name(g, k) && coordinate_columns(g->m, k).n)
                st = hol_signals_add(g, &hol_signal_groups[i], k, joint_name(g, k), NULL);
    return st;
}

// ---- the table ------------------------------------------------------------------------------------------------

const hol_signal_group hol_signal_groups[] = {
    {NULL, NULL, &hol_signal_markers, .columns = marker_columns, .value = marker_values},
    {NULL, NULL, &hol_signal_elements, .acts = true, .reaction = true, .ends = 0,
     .columns = multiplier_columns, .begin = hol_signals_begin_reactions,
     .update = hol_signals_update_reactions, .value = multiplier_value},
    {NULL, NULL, &hol_signal_elements, .acts = true, .reaction = true, .ends = 2, .columns = reaction_columns,
     .begin = hol_signals_begin_reactions, .update = hol_signals_update_reactions, .value = reaction_values},
    {NULL, NULL, &hol_signal_elements, .acts = true, .reaction = true, .ends = 1, .columns = reaction_columns,
     .begin = hol_signals_begin_reactions, .value = reaction_values, .driven_by_name_only = true},
    {NULL, NULL, &efforts, .acts = true, .whole = true, .columns = effort_columns, .begin = begin_efforts,
     .update = update_efforts, .value = effort_values, .bend = effort_bend},
    {NULL, NULL, &hol_signal_contacts, .whole = true, .columns = hol_columns_of_contact,
     .value = hol_contact_values, .bend = hol_contact_bend},
    {NULL, NULL, &hol_signal_sums, .columns = hol_columns_of_contact_sum, .value = hol_contact_sum_values,
     .bend = hol_contact_bend, .is_extra = hol_contact_sum_is_of_pair},
    {NULL, NULL, &drivers, .acts = true, .scalar = true, .also = true, .columns = driver_columns,
     .begin = hol_signals_begin_reactions, .update = hol_signals_update_reactions, .value = driver_values},
    {NULL, NULL, &joints, .columns = coordinate_columns, .value = coordinate_values, .begin = count_turns,
     .by_name_only = true},
    {NULL, NULL, &hol_signal_users, .columns = user_columns, .value = user_value, .unit = user_unit},
    {"energy", "kinetic, potential and total energy, work of what is not conservative", NULL,
     .columns = energy_columns, .begin = begin_energies, .value = energy_values},
    {"violation", "of the joints: positions, velocities; of velocity constraints", NULL,
     HOL_COLUMNS(violations), .value = violation_values},
    {"step", "of the integrator: size, Newton iterations, error, what limited it", NULL, HOL_COLUMNS(steps),
     .value = step_values},
    {"poses", "position and orientation of every body", .add = add_poses, .by_name_only = true},
    {"coordinates", "coordinates of every joint, their rates and second derivatives", .add = add_coordinates,
     .by_name_only = true},
    // it costs more than a step
    {"omega_max", "fastest vibration", NULL, HOL_COLUMNS(fastest), .begin = begin_omega, .value = omega_value,
     .bend = other_bend, .by_name_only = true, .may_fail = true},
    {"inverse", "of the actuators of `holonom inverse`; elsewhere not a number", NULL, HOL_COLUMNS(actuating),
     .value = actuator_values, .bend = other_bend, .by_name_only = true, .may_fail = true},
    {"all",
     "every signal but `omega_max`, `inverse`, `coordinates` of joints, and forces and torques on one body, "
     "which the "
     "file says",
     .add = add_all, .by_name_only = true}};
const int hol_n_signal_groups = HOL_COUNT(hol_signal_groups);

hol_column_list hol_signal_columns(const hol_signals *g, const hol_signal_group *group, int object)
{
    return group->columns ? group->columns(g->m, object) : group->list;
}

int hol_signal_count(const hol_signals *g, const hol_signal_group *group)
{
    return group->objects ? group->objects->count(g->m) : 1;
}

bool hol_signal_has_columns(const hol_signals *g, const hol_signal_group *group, int i)
{
    const hol_element *e = &g->m->element[i];
    if (group->objects != &hol_signal_elements) return true;
    if (e->type == &hol_joint_stop) return false; // it is told with its limits
    return e->n_ends == group->ends && (e->n_ends || e->all_rows + e->all_rates); // rotors have neither
}

const char *hol_signal_name(const hol_signals *g, const hol_signal_group *group, int i)
{
    if (!group->objects) return group->name;
    return hol_signal_has_columns(g, group, i) ? group->objects->name(g, i) : "";
}

// ---- the manual -----------------------------------------------------------------------------------------------

bool hol_signal_word(int i, const char **name, const char **doc)
{
    for (int k = 0; k < hol_n_signal_groups; k++) {
        if (!hol_signal_groups[k].name || i-- > 0) continue;
        *name = hol_signal_groups[k].name;
        *doc = hol_signal_groups[k].doc;
        return true;
    }
    return false;
}

#define LISTED(names) &(const hol_column_list)HOL_COLUMNS(names)
// What the manual says of the columns of each kind of object.
static const struct {
    const char *kind, *of; // of columns of the same way, and of each column; NULL: said elsewhere
    const hol_column_list *list;
    const char *way; // of all of them, instead of their columns' own words
} kinds[] = {
    {NULL, "bodies in the plane", LISTED(planar_body), NULL},
    {"body", "bodies in space", LISTED(spatial_body), NULL},
    {"body.marker", "markers and point masses", LISTED(spatial_point), NULL},
    {NULL, "joints, drivers, forces in the plane", LISTED(planar_reaction), NULL},
    {"joint, driver", "joints, drivers, forces in space", LISTED(spatial_reaction), NULL},
#define DOCUMENTED(list, rows, joints) {joints, NULL, LISTED(list##_columns), NULL},
    HOL_COORDINATE_LISTS(DOCUMENTED){"constraint", "constraints", LISTED(multipliers), NULL},
    {"coupler, gear, lock of angles", "couplers, gears, locks of angles", LISTED(of_turns), NULL},
    {"coupler, rack, lock of strokes", "couplers, racks, locks of strokes", LISTED(of_strokes), NULL},
    {"force", NULL, LISTED(spatial_reaction), "evaluated"},
    {"torque in a joint", "torques, friction, laws in joints", LISTED(turning), NULL},
    {"force in a joint", "forces, friction, laws in joints", LISTED(sliding), NULL},
    {"hard limits of an angle", "hard limits of angles", LISTED(stopping_turn), NULL},
    {"hard limits of a stroke", "hard limits of strokes", LISTED(stopping_slide), NULL},
    {"contact", "contacts", &hol_columns_of_contacts_in_space, NULL},
    {"driver of an angle", "drivers of angles", LISTED(driving_turn), NULL},
    {"driver of a stroke", "drivers of strokes and distances", LISTED(driving_slide), NULL},
    {"lock of an angle", "locks of angles", LISTED(locking_turn), NULL},
    {"lock of a stroke", "locks of strokes", LISTED(locking_slide), NULL},
    {"variable", NULL, LISTED(variable),
     "evaluated; solved for where it depends on itself, alone or through others; from accelerations and "
     "reactions of the row where it depends on these"},
    {"state", NULL, LISTED(state), NULL},
    {"input, tunable parameter", NULL, LISTED(input), NULL},
    {"energy", "energy", LISTED(energies), NULL},
    {"violation", "violation", LISTED(violations), NULL},
    {"step", "step", LISTED(steps), NULL},
    {"omega_max", NULL, LISTED(fastest), NULL},
    {"actuators", "inverse", LISTED(actuating), NULL},
};

bool hol_signal_column_row(int i, hol_signal_column *out)
{
    for (int k = 0; k < HOL_COUNT(kinds); k++) {
        const hol_column_list *l = kinds[k].list;
        if (!kinds[k].of) continue;
        if (i < l->n) {
            *out = (hol_signal_column){l->name[i].name, l->name[i].unit, kinds[k].of, l->name[i].doc};
            return true;
        }
        i -= l->n;
    }
    return false;
}

bool hol_signal_way(int i, char *text, size_t size, const char **way)
{
    for (int k = 0; k < HOL_COUNT(kinds); k++) {
        const hol_column_name *c = kinds[k].list->name;
        for (int from = 0, to; kinds[k].kind && from < kinds[k].list->n; from = to) {
            size_t n = (size_t)snprintf(text, size, "%s", kinds[k].kind);
            for (to = from; to < kinds[k].list->n && c[to].had == c[from].had; to++)
                if (*c[to].name && n < size)
                    n += (size_t)snprintf(text + n, size - n, "%s%s", to == from ? ": " : " ", c[to].name);
            *way = kinds[k].way ? kinds[k].way : hol_signal_ways[c[from].had].word;
            if (i-- == 0) return true;
        }
    }
    return false;
}
