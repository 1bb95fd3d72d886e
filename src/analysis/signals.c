// Result columns by name: which there are, which a request means, and their values at a state. A group more is a row of
// `groups`.
#include "analysis/signals.h"
#include "element/coordinate.h"
#include "system/leaf.h"
#include "system/redundancy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the columns of each kind of object -----------------------------------------------------------------------

typedef struct {
    const char *name, *unit, *doc;
    hol_had had;
} column_name;

// How a row between steps has it: words for the manual, and what has to be found for it.
static const struct {
    const char *word;
    unsigned needs;
} ways[] = {
    [HOL_HAD_MOTION] = {"interpolated", 0},
    [HOL_HAD_EVALUATED] = {"evaluated", 0},
    [HOL_HAD_SOLVED] = {"solved for", HOL_NEED_UNKNOWNS | HOL_NEED_FORCES},
    [HOL_HAD_STEP] = {"of the step", 0},
};

static const column_name planar_body[] = {{"x", "m", "position, x", HOL_HAD_MOTION},
                                          {"y", "m", "position, y", HOL_HAD_MOTION},
                                          {"theta", "rad", "angle", HOL_HAD_MOTION},
                                          {"vx", "m/s", "velocity, x", HOL_HAD_MOTION},
                                          {"vy", "m/s", "velocity, y", HOL_HAD_MOTION},
                                          {"omega", "rad/s", "angular velocity", HOL_HAD_MOTION},
                                          {"ax", "m/s^2", "acceleration, x", HOL_HAD_SOLVED},
                                          {"ay", "m/s^2", "acceleration, y", HOL_HAD_SOLVED},
                                          {"alpha", "rad/s^2", "angular acceleration", HOL_HAD_SOLVED}};
static const column_name spatial_body[] = {{"x", "m", "position, x", HOL_HAD_MOTION},
                                           {"y", "m", "position, y", HOL_HAD_MOTION},
                                           {"z", "m", "position, z", HOL_HAD_MOTION},
                                           {"qw", "", "Euler parameter e0 (scalar)", HOL_HAD_MOTION},
                                           {"qx", "", "Euler parameter e1", HOL_HAD_MOTION},
                                           {"qy", "", "Euler parameter e2", HOL_HAD_MOTION},
                                           {"qz", "", "Euler parameter e3", HOL_HAD_MOTION},
                                           {"vx", "m/s", "velocity, x", HOL_HAD_MOTION},
                                           {"vy", "m/s", "velocity, y", HOL_HAD_MOTION},
                                           {"vz", "m/s", "velocity, z", HOL_HAD_MOTION},
                                           {"wx", "rad/s", "angular velocity, x", HOL_HAD_MOTION},
                                           {"wy", "rad/s", "angular velocity, y", HOL_HAD_MOTION},
                                           {"wz", "rad/s", "angular velocity, z", HOL_HAD_MOTION},
                                           {"ax", "m/s^2", "acceleration, x", HOL_HAD_SOLVED},
                                           {"ay", "m/s^2", "acceleration, y", HOL_HAD_SOLVED},
                                           {"az", "m/s^2", "acceleration, z", HOL_HAD_SOLVED},
                                           {"alx", "rad/s^2", "angular acceleration, x", HOL_HAD_SOLVED},
                                           {"aly", "rad/s^2", "angular acceleration, y", HOL_HAD_SOLVED},
                                           {"alz", "rad/s^2", "angular acceleration, z", HOL_HAD_SOLVED}};
static const column_name planar_point[] = {
    {"x", "m", "position, x", HOL_HAD_MOTION},          {"y", "m", "position, y", HOL_HAD_MOTION},
    {"vx", "m/s", "velocity, x", HOL_HAD_MOTION},       {"vy", "m/s", "velocity, y", HOL_HAD_MOTION},
    {"ax", "m/s^2", "acceleration, x", HOL_HAD_SOLVED}, {"ay", "m/s^2", "acceleration, y", HOL_HAD_SOLVED}};
static const column_name spatial_point[] = {
    {"x", "m", "position, x", HOL_HAD_MOTION},          {"y", "m", "position, y", HOL_HAD_MOTION},
    {"z", "m", "position, z", HOL_HAD_MOTION},          {"vx", "m/s", "velocity, x", HOL_HAD_MOTION},
    {"vy", "m/s", "velocity, y", HOL_HAD_MOTION},       {"vz", "m/s", "velocity, z", HOL_HAD_MOTION},
    {"ax", "m/s^2", "acceleration, x", HOL_HAD_SOLVED}, {"ay", "m/s^2", "acceleration, y", HOL_HAD_SOLVED},
    {"az", "m/s^2", "acceleration, z", HOL_HAD_SOLVED}};
static const column_name planar_reaction[] = {{"Fx", "N", "force, x", HOL_HAD_SOLVED},
                                              {"Fy", "N", "force, y", HOL_HAD_SOLVED},
                                              {"T", "N m", "torque", HOL_HAD_SOLVED}};
static const column_name spatial_reaction[] = {
    {"Fx", "N", "force, x", HOL_HAD_SOLVED},    {"Fy", "N", "force, y", HOL_HAD_SOLVED},
    {"Fz", "N", "force, z", HOL_HAD_SOLVED},    {"Tx", "N m", "torque, x", HOL_HAD_SOLVED},
    {"Ty", "N m", "torque, y", HOL_HAD_SOLVED}, {"Tz", "N m", "torque, z", HOL_HAD_SOLVED}};
static const column_name turning[] = {{"torque", "N m", "torque on the joint's coordinate", HOL_HAD_SOLVED},
                                      {"power", "W", "what it gives, below 0: takes", HOL_HAD_SOLVED}},
                         sliding[] = {{"force", "N", "force on the joint's coordinate", HOL_HAD_SOLVED},
                                      {"power", "W", "what it gives, below 0: takes", HOL_HAD_SOLVED}};
static const column_name energies[] = {
    {"kinetic", "J", "kinetic energy", HOL_HAD_EVALUATED},
    {"potential", "J", "potential energy", HOL_HAD_EVALUATED},
    {"total", "J", "kinetic and potential energy", HOL_HAD_EVALUATED},
    {"work", "J", "work of what is not conservative, from the start", HOL_HAD_STEP}};
static const column_name violations[] = {
    {"position", "", "largest violation of a joint, by natural size", HOL_HAD_EVALUATED},
    {"velocity", "", "largest violation of a joint's velocity, by natural size", HOL_HAD_EVALUATED},
    {"rate", "", "largest violation of a velocity constraint, by natural length and time",
     HOL_HAD_EVALUATED}};
static const column_name multipliers[] = {{"lambda", "", "multiplier of the constraint", HOL_HAD_SOLVED}};
static const column_name variable[] = {{"", "", "variable", HOL_HAD_EVALUATED}},
                         state[] = {{"", "", "state", HOL_HAD_MOTION}},
                         input[] = {{"", "", "input or tunable parameter", HOL_HAD_EVALUATED}};
static const column_name steps[] = {
    {"size", "s", "size of the step that led here", HOL_HAD_STEP},
    {"newton", "", "Newton iterations of that step", HOL_HAD_STEP},
    {"error", "", "its local error in units of the tolerance (0 with fixed steps)", HOL_HAD_STEP},
    {"limit", "",
     "what limited it: 0 error, 1 failed attempts, 2 max_step, 3 end, 4 fixed, 5 event, 6 singular pose, "
     "7 stability",
     HOL_HAD_STEP},
};

static const column_name fastest[] = {{"", "rad/s", "fastest vibration of the tangent", HOL_HAD_EVALUATED}};

typedef struct {
    const column_name *name;
    int n;
} column_list;
#define LIST(names)                                                                                          \
    {                                                                                                        \
        names, HOL_COUNT(names)                                                                              \
    }

// Things with names that have columns.
typedef struct {
    int (*count)(const hol_model_data *m);
    const char *(*name)(const hol_signals *g, int i); // "": it has none of its own; NULL: no memory
    int (*find)(const hol_signals *g, char *name);    // -1: none; the name may be cut meanwhile
} object_list;

// Columns of the same names for one object or for many. A row in `groups` and its functions are all that a group is.
struct hol_signal_group {
    const char *name, *doc;     // "energy", and what the manual says; NULL: the objects have names
    const object_list *objects; // NULL: none, the group stands for itself
    column_list list;
    column_list (*columns)(const hol_model_data *m, int object); // instead of `list`, where they differ
    hol_status (*begin)(hol_signals *g);                         // once, if there are such columns
    hol_status (*update)(hol_signals *g);                        // before the values of a row
    void (*value)(hol_signals *g, int object, double *out);      // of all its columns, at g->x
    hol_status (*add)(hol_signals *g);                           // columns of other groups, none of its own
    void (*unit)(const hol_model_data *m, int object,
                 hol_column *c); // of what the model says in which it is shown
    bool by_name_only;           // not among all signals
    bool may_fail;               // NaN says that there is no value
    int ends;                    // of elements: those with so many ends
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

static column_list marker_columns(const hol_model_data *m, int k)
{
    const bool whole = !m->marker[k].name;
    if (whole && m->marker[k].marker.frame == HOL_FRAME_PLANAR) return (column_list)LIST(planar_body);
    if (whole && m->marker[k].marker.frame == HOL_FRAME_SPATIAL) return (column_list)LIST(spatial_body);
    return m->dimension == 2 ? (column_list)LIST(planar_point) : (column_list)LIST(spatial_point);
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

// Of constraints and couplers, which have no ends.
static void multiplier_value(hol_signals *g, int k, double *out)
{
    const hol_element *e = &g->m->element[k];
    const int row = e->n_rows ? g->s->active[e->row] : -1;
    out[0] = e->n_rates ? g->x->kap[e->rate] : row >= 0 ? g->x->lam[row] : 0;
}

static column_list reaction_columns(const hol_model_data *m, int k)
{
    (void)k;
    return m->dimension == 2 ? (column_list)LIST(planar_reaction) : (column_list)LIST(spatial_reaction);
}

// ---- forces in joints ----

// One input drives the coordinate of a joint: torque, force, friction, laws.
static bool is_effort(const hol_element *e) { return e->type->force == hol_effort_force; }

static column_list effort_columns(const hol_model_data *m, int k)
{
    const hol_effort *f = m->element[k].data;
    return hol_prim_is_length(&f->s) ? (column_list)LIST(sliding) : (column_list)LIST(turning);
}

// What acts, 0 where an event has switched it off, and its power.
static void effort_values(hol_signals *g, int k, double *out)
{
    const hol_element *e = &g->m->element[k];
    const hol_effort *f = e->data;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], u[HOL_MAX_ROWS], rate = 0;
    hol_scalar s;
    hol_element_gather(g->m, e, g->x->t, g->x->q, g->x->v, 1, y, w);
    hol_prim_eval(&f->s, e->ny, y, NULL, 1, &s);
    for (int j = 0; j < e->ny; j++) rate += s.d[j] * w[j];
    hol_equations_inputs(e, g->x, u);
    out[0] = hol_element_acts(e, g->x->mem) ? hol_re(u[0]) : 0;
    out[1] = out[0] * hol_re(rate);
}

// ---- coordinates of joints ----

#define COLUMN(name, unit, doc, plane, space, second, rate)                                                  \
    {name, unit, doc,                                                                                        \
     (rate) < 2 && ((space) < HOL_QUANTITY_ACC || (space) >= HOL_QUANTITIES) ? HOL_HAD_EVALUATED             \
                                                                             : HOL_HAD_SOLVED},
#define COLUMNS(list, rows, joints) static const column_name list##_columns[] = {rows(COLUMN)};
HOL_COORDINATE_LISTS(COLUMNS)

// What the joint leaves free, of the list that its type has.
static column_list coordinate_columns(const hol_model_data *m, int k)
{
#define CHOICE(list, rows, joints) {hol_coordinates_##list, LIST(list##_columns)},
    static const struct {
        const hol_joint_coordinate *of;
        column_list list;
    } rows[] = {HOL_COORDINATE_LISTS(CHOICE)};
    const hol_joint_coordinate *c = hol_joint_coordinates(&m->element[k], m->dimension);
    column_list list = {NULL, 0};
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
        hol_joint_leaf(&g->m->element[k], g->m->dimension, &c[i], &leaf);
        leaf.negative = hol_leaf_turns_against(&leaf.measured.part[0],
                                               hol_mirror_seen(g->m->element[k].at, (hol_src){0}));
        hol_leaf_eval(g->s, g->x, &leaf, false, &v);
        *out++ = hol_re(v.f);
    }
}

static hol_status begin_reactions(hol_signals *g)
{
    if (g->wants_reactions) return HOL_OK; // for another group
    g->wants_reactions = true;
    return hol_reactions_create(g->ctx, g->s, &g->reactions);
}

static hol_status update_reactions(hol_signals *g) { return hol_reactions_update(&g->reactions, g->x); }

static void reaction_values(hol_signals *g, int k, double *out)
{
    hol_reaction(&g->reactions, g->x, k, out);
    if (g->m->dimension == 2) out[2] = out[5];
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

static hol_status name_users(hol_signals *g)
{
    hol_status st = (g->users = hol_names_create_in(g->ctx, g->arena)) ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < count_users(g->m) && !st; i++)
        if (*user_name(g, i)) st = hol_names_add(g->users, user_name(g, i), i);
    return st;
}

static column_list user_columns(const hol_model_data *m, int i)
{
    if (held_of(m, i)) return (column_list)LIST(input);
    return i < m->n_equations ? (column_list)LIST(variable) : (column_list)LIST(state);
}

// What the model says: a variable is shown in its unit, of an input programs know it.
static void user_unit(const hol_model_data *m, int i, hol_column *c)
{
    const hol_held *h = held_of(m, i);
    const hol_equation *e = i < m->n_equations ? &m->equation[i] : NULL;
    const char *unit = h ? h->unit : e ? e->unit : NULL;
    if (!unit) return;
    c->unit = unit;
    c->shown = h ? unit : e->shown;
    c->factor = h ? 1 : e->factor;
}

static void user_value(hol_signals *g, int i, double *out)
{
    const hol_held *h = held_of(g->m, i);
    if (h)
        *out = hol_held_value(h, g->x->mem, g->x->t);
    else
        *out = i < g->m->n_equations ? g->x->z[i] : g->x->X[i - g->m->n_equations];
}

// Energies and violations are found in one pass over the elements, once for a row of results.
static const hol_measure *measured(hol_signals *g)
{
    if (!g->is_measured) hol_equations_measure(g->s, g->x, &g->measure);
    g->is_measured = true;
    return &g->measure;
}

static void energy_values(hol_signals *g, int object, double *out)
{
    const hol_measure *m = measured(g);
    const double value[] = {m->kinetic, m->potential, m->kinetic + m->potential, g->work};
    (void)object;
    memcpy(out, value, sizeof value);
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

static const object_list markers = {body_markers, marker_name, find_marker},
                         joints = {count_elements, joint_name, find_element},
                         efforts = {count_elements, effort_name, find_effort},
                         elements = {count_elements, element_name, find_element},
                         users = {count_users, user_name, find_user};
static hol_status add_poses(hol_signals *g);
static hol_status add_coordinates(hol_signals *g);
static hol_status count_turns(hol_signals *g);
static hol_status add_all(hol_signals *g);

// In the order of the columns.
static const hol_signal_group groups[] = {
    {NULL, NULL, &markers, .columns = marker_columns, .value = marker_values},
    {NULL, NULL, &elements, LIST(multipliers), .ends = 0, .value = multiplier_value},
    {NULL, NULL, &elements, .ends = 2, .columns = reaction_columns, .begin = begin_reactions,
     .update = update_reactions, .value = reaction_values},
    {NULL, NULL, &elements, .ends = 1, .columns = reaction_columns, .begin = begin_reactions,
     .value = reaction_values, .by_name_only = true}, // the file says most of them
    {NULL, NULL, &efforts, .columns = effort_columns, .value = effort_values},
    {NULL, NULL, &joints, .columns = coordinate_columns, .value = coordinate_values, .begin = count_turns,
     .by_name_only = true},
    {NULL, NULL, &users, .columns = user_columns, .value = user_value, .unit = user_unit},
    {"energy", "kinetic, potential and total energy, work of what is not conservative", NULL, LIST(energies),
     .value = energy_values},
    {"violation", "of the joints: positions, velocities; of velocity constraints", NULL, LIST(violations),
     .value = violation_values},
    {"step", "of the integrator: size, Newton iterations, error, what limited it", NULL, LIST(steps),
     .value = step_values},
    {"poses", "position and orientation of every body", .add = add_poses, .by_name_only = true},
    {"coordinates", "coordinates of every joint, their rates and second derivatives", .add = add_coordinates,
     .by_name_only = true},
    // it costs more than a step
    {"omega_max", "fastest vibration", NULL, LIST(fastest), .begin = begin_omega, .value = omega_value,
     .by_name_only = true, .may_fail = true},
    {"all", "every signal but omega_max and those of forces, torques and tyres on one body", .add = add_all,
     .by_name_only = true}};

bool hol_signal_word(int i, const char **name, const char **doc)
{
    for (int k = 0; k < HOL_COUNT(groups); k++) {
        if (!groups[k].name || i-- > 0) continue;
        *name = groups[k].name;
        *doc = groups[k].doc;
        return true;
    }
    return false;
}

// Columns for the manual. Those of joints' coordinates have tables of their own.
static const struct {
    const char *of;
    column_list list;
} documented[] = {
    {"bodies in the plane", LIST(planar_body)},
    {"bodies in space", LIST(spatial_body)},
    {"markers and point masses", LIST(spatial_point)},
    {"joints, drivers, forces in the plane", LIST(planar_reaction)},
    {"joints, drivers, forces in space", LIST(spatial_reaction)},
    {"torques, friction, laws in joints", LIST(turning)},
    {"forces, friction, laws in joints", LIST(sliding)},
    {"constraints, couplers", LIST(multipliers)},
    {"energy", LIST(energies)},
    {"violation", LIST(violations)},
    {"step", LIST(steps)},
};

bool hol_signal_column_row(int i, hol_signal_column *out)
{
    for (int k = 0; k < HOL_COUNT(documented); k++) {
        const column_list *l = &documented[k].list;
        if (i < l->n) {
            *out = (hol_signal_column){l->name[i].name, l->name[i].unit, documented[k].of, l->name[i].doc};
            return true;
        }
        i -= l->n;
    }
    return false;
}

// Signals of each kind of object for the manual; way: what is said of all of them instead of their columns' own words.
static const struct {
    const char *kind;
    column_list list;
    const char *way;
} kinds[] = {
    {"body", LIST(spatial_body), NULL},
    {"body.marker", LIST(spatial_point), NULL},
    {"joint, driver", LIST(spatial_reaction), NULL},
#define DOCUMENTED(list, rows, joints) {joints, LIST(list##_columns), NULL},
    HOL_COORDINATE_LISTS(DOCUMENTED){"constraint, coupler", LIST(multipliers), NULL},
    {"force", LIST(spatial_reaction), "evaluated"},
    {"torque in a joint", LIST(turning), "evaluated"},
    {"force in a joint", LIST(sliding), "evaluated"},
    {"variable", LIST(variable),
     "evaluated; solved for where it depends on itself, alone or through others; from accelerations and "
     "reactions of the row where it depends on these"},
    {"state", LIST(state), NULL},
    {"input, tunable parameter", LIST(input), NULL},
    {"energy", LIST(energies), NULL},
    {"violation", LIST(violations), NULL},
    {"step", LIST(steps), NULL},
    {"omega_max", LIST(fastest), NULL},
};

bool hol_signal_way(int i, char *text, size_t size, const char **way)
{
    for (int k = 0; k < HOL_COUNT(kinds); k++) {
        const column_name *c = kinds[k].list.name;
        for (int from = 0, to; from < kinds[k].list.n; from = to) {
            size_t n = (size_t)snprintf(text, size, "%s", kinds[k].kind);
            for (to = from; to < kinds[k].list.n && c[to].had == c[from].had; to++)
                if (*c[to].name && n < size)
                    n += (size_t)snprintf(text + n, size - n, "%s%s", to == from ? ": " : " ", c[to].name);
            *way = kinds[k].way ? kinds[k].way : ways[c[from].had].word;
            if (i-- == 0) return true;
        }
    }
    return false;
}

static column_list columns_of(const hol_signals *g, const hol_signal_group *group, int object)
{
    return group->columns ? group->columns(g->m, object) : group->list;
}

static int count_of(const hol_signals *g, const hol_signal_group *group)
{
    return group->objects ? group->objects->count(g->m) : 1;
}

static bool has_columns(const hol_signals *g, const hol_signal_group *group, int i)
{
    return group->objects != &elements || g->m->element[i].n_ends == group->ends;
}

// "": the object has no such columns; NULL: no memory.
static const char *name_of(const hol_signals *g, const hol_signal_group *group, int i)
{
    if (!group->objects) return group->name;
    return has_columns(g, group, i) ? group->objects->name(g, i) : "";
}

static const hol_signal_group *find_object(const hol_signals *g, char *name, int *object)
{
    for (int i = 0; i < HOL_COUNT(groups); i++) {
        const hol_signal_group *group = &groups[i];
        *object = group->objects ? group->objects->find(g, name) : strcmp(group->name, name) ? -1 : 0;
        if (*object >= 0 && has_columns(g, group, *object)) return group;
    }
    return NULL;
}

static bool has_column(const hol_signals *g, const hol_signal_group *group, int object, const char *only)
{
    const column_list list = columns_of(g, group, object);
    for (int i = 0; i < list.n; i++)
        if (strcmp(list.name[i].name, only) == 0) return true;
    return false;
}

static bool is_of_elements(const hol_signal_group *group)
{
    return group->objects == &joints || group->objects == &efforts;
}

// What has that name, or the part of it before the last dot: then *only is the part behind, a column's name; NULL: all of them. Reactions
// and coordinates of a joint are two groups, and so are those of a force in a joint and what it gives.
static const hol_signal_group *find(const hol_signals *g, char *name, int *object, const char **only)
{
    char *dot = strrchr(name, '.');
    const hol_signal_group *group = find_object(g, name, object);
    *only = NULL;
    if (group || !dot) return group;
    *dot = 0;
    *only = dot + 1;
    group = find_object(g, name, object);
    if (group && group->objects == &elements && !has_column(g, group, *object, *only))
        for (int i = 0; i < HOL_COUNT(groups); i++)
            if (is_of_elements(&groups[i]) && *name_of(g, &groups[i], *object) &&
                has_column(g, &groups[i], *object, *only))
                return &groups[i];
    return group;
}

const char *hol_signal_doc_of(const hol_model_data *m, const char *name)
{
    const hol_signals g = {.m = m};
    char text[512];
    int object;
    const char *only;
    const bool fits = snprintf(text, sizeof text, "%s", name) < (int)sizeof text;
    const hol_signal_group *group = fits ? find(&g, text, &object, &only) : NULL;
    const column_list list = group ? columns_of(&g, group, object) : (column_list){NULL, 0};
    for (int i = 0; i < list.n; i++)
        if (strcmp(list.name[i].name, only ? only : "") == 0) return list.name[i].doc;
    return "";
}

// ---- requests -------------------------------------------------------------------------------------------------

static const char *column_name_of(const hol_signals *g, const char *object, const char *component)
{
    return hol_arena_print(g->arena, "%s%s%s", object, *component ? "." : "", component);
}

// In the units that the model chooses, but for those that are chosen for a variable alone.
static hol_status find_unit(hol_signals *g, hol_column *c)
{
    if (c->group->unit) c->group->unit(g->m, c->object, c);
    if (c->shown) return HOL_OK;
    return hol_unit_shown(g->arena, &g->m->spec->systems.system[0].output, c->unit, &c->shown, &c->factor);
}

// head: the object's name, NULL: no memory. only: a component's, or NULL for all. HOL_RECOVERABLE: there is no such component.
static hol_status add(hol_signals *g, const hol_signal_group *group, int object, const char *head,
                      const char *only)
{
    const column_list list = columns_of(g, group, object);
    hol_status st = head ? HOL_RECOVERABLE : HOL_ERR_MEMORY;
    for (int i = 0; i < list.n && head; i++) {
        const column_name *n = &list.name[i];
        if (only && strcmp(only, n->name) != 0) continue;
        const char *name = column_name_of(g, head, n->name);
        if (!name) return HOL_ERR_MEMORY;
        st = HOL_OK;
        if (g->names && hol_names_find(g->names, name) >= 0) continue; // asked for twice: one column
        if (g->names && hol_names_add(g->names, name, g->n)) return HOL_ERR_MEMORY;
        if (!HOL_GROW(g->ctx, g->column, g->capacity, g->n + 1)) return HOL_ERR_MEMORY;
        hol_column *c = &g->column[g->n++];
        *c = (hol_column){.name = name,
                          .unit = n->unit,
                          .doc = n->doc,
                          .group = group,
                          .object = object,
                          .component = i,
                          .element = group->objects == &elements ? &g->m->element[object] : NULL,
                          .uniqueness = HOL_UNIQUE};
        if (find_unit(g, c)) return HOL_ERR_MEMORY;
        g->used |= 1U << (group - groups);
    }
    return st;
}

// Every signal but those that must be asked for by name.
static hol_status add_all(hol_signals *g)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < HOL_COUNT(groups); i++) {
        const int n = groups[i].by_name_only ? 0 : count_of(g, &groups[i]);
        for (int k = 0; k < n && !st; k++) {
            const char *name = name_of(g, &groups[i], k);
            if (!name || *name) st = add(g, &groups[i], k, name, NULL);
        }
    }
    return st;
}

// Position and orientation of every body.
static hol_status add_poses(hol_signals *g)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < g->m->n_bodies && !st; i++) {
        const column_name *c = marker_columns(g->m, g->m->body[i].marker).name;
        for (; !st && strcmp(c->name, "vx") != 0; c++) // velocities come behind
            st = add(g, &groups[0], g->m->body[i].marker, g->m->body[i].name, c->name);
    }
    return st;
}

static hol_status add_coordinates(hol_signals *g)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < HOL_COUNT(groups); i++)
        for (int k = 0; k < g->m->n_elements && groups[i].objects == &joints && !st; k++)
            if (*joint_name(g, k)) st = add(g, &groups[i], k, joint_name(g, k), NULL);
    return st;
}

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

// For "did you mean": names of objects, or of their columns.
static void offer(const hol_signals *g, hol_nearest *nearest, bool columns)
{
    for (int i = 0; i < HOL_COUNT(groups); i++) {
        for (int k = 0; k < count_of(g, &groups[i]); k++) {
            const char *name = name_of(g, &groups[i], k);
            if (!name || !*name) continue;
            if (!columns) hol_nearest_try(nearest, name);
            const column_list list = columns ? columns_of(g, &groups[i], k) : (column_list){NULL, 0};
            for (int c = 0; c < list.n; c++) {
                const char *full = column_name_of(g, name, list.name[c].name);
                if (full) hol_nearest_try(nearest, full);
            }
        }
    }
}

// The message for a name that is no signal, with the nearest one.
static hol_status unknown(const hol_signals *g, const hol_word *r)
{
    hol_nearest nearest;
    hol_nearest_start(&nearest, r->name);
    offer(g, &nearest, false); // crank0.tip before crank0.tip.x
    if (g->m->n_elements < 5000) offer(g, &nearest, true);
    const char *open =
        nearest.best ? "; did you mean \"" : "; `signals: [all]` (-s all) is everything there is";
    if (r->at.line)
        return hol_fail_at(g->ctx, HOL_ERR_MODEL, r->at, "%s: there is no signal \"%s\"%s%s%s", g->where,
                           r->name, open, nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
    return hol_fail(g->ctx, HOL_ERR_USAGE, "there is no signal \"%s\"%s%s%s", r->name, open,
                    nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
}

// The columns of one request.
static hol_status add_request(hol_signals *g, const hol_word *r)
{
    int object;
    const char *only;
    char *name = hol_arena_copy(g->arena, r->name, strlen(r->name));
    if (!name || (!g->users && name_users(g))) return HOL_ERR_MEMORY;
    const hol_signal_group *group = find(g, name, &object, &only);
    const bool several = group && group->add && !only;
    const hol_status st = several ? group->add(g)
                          : group ? add(g, group, object, name, only)
                                  : HOL_RECOVERABLE;
    return st == HOL_RECOVERABLE ? unknown(g, r) : st;
}

// The columns of the requests that stand in the model where `where` says.
static hol_status create(hol_context *ctx, const hol_equations *s, const char *where, const hol_word *request,
                         int n, hol_signals *g)
{
    static const hol_word everything = {"all", {0}};
    const hol_output_units *chosen = &s->m->spec->systems.system[0].output;
    memset(g, 0, sizeof *g);
    g->s = s;
    g->m = s->m;
    g->ctx = ctx;
    g->where = where;
    g->arena = hol_arena_create(ctx);
    hol_status st =
        g->arena ? hol_unit_shown(g->arena, chosen, "s", &g->time_shown, &g->time_factor) : HOL_ERR_MEMORY;
    if (n == 0) {
        request = &everything;
        n = 1;
    }
    // "all" alone cannot overlap
    if (!st && n > 1 && !(g->names = hol_names_create_in(ctx, g->arena))) st = HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++) st = add_request(g, &request[i]);
    if (!st && !(g->value = hol_calloc(ctx, (size_t)g->n + 1, sizeof *g->value))) st = HOL_ERR_MEMORY;
    for (int i = 0; i < HOL_COUNT(groups) && !st; i++)
        if (groups[i].begin && (g->used & 1U << i)) st = groups[i].begin(g);
    if (st) hol_signals_destroy(g);
    return st;
}

hol_status hol_signals_create(hol_context *ctx, const hol_equations *s, const hol_word *request, int n,
                              hol_signals *g)
{
    return create(ctx, s, "simulate.signals", request, n, g);
}

hol_status hol_signals_check(hol_context *ctx, const hol_equations *s, const hol_word *request, int n)
{
    hol_signals g;
    if (n == 0) return HOL_OK;
    const hol_status st = hol_signals_create(ctx, s, request, n, &g);
    if (!st) hol_signals_destroy(&g);
    return st;
}

// x is one signal, y what may be asked for.
static hol_status check_plot(hol_context *ctx, const hol_equations *s, const hol_spec_plot *p)
{
    hol_signals g;
    hol_status st = create(ctx, s, p->x_path, &p->x, 1, &g);
    if (!st && g.n != 1)
        st =
            hol_fail_at(ctx, HOL_ERR_MODEL, p->x.at, "%s: one signal is wanted, \"%s\" is %d: %s, %s%s",
                        p->x_path, p->x.name, g.n, g.column[0].name, g.column[1].name, g.n > 2 ? ", .." : "");
    hol_signals_destroy(&g);
    if (!st) st = create(ctx, s, p->y_path, p->y, p->n, &g);
    if (!st) hol_signals_destroy(&g);
    return st;
}

hol_status hol_signals_check_plots(hol_context *ctx, const hol_equations *s)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < s->m->spec->n_plots && !st; i++) st = check_plot(ctx, s, &s->m->spec->plot[i]);
    return st;
}

void hol_signals_destroy(hol_signals *g)
{
    if (!g->s) return;
    if (g->wants_reactions) hol_reactions_destroy(&g->reactions);
    hol_omega_destroy(g->omega);
    hol_arena_destroy(g->arena);
    hol_free(g->column);
    hol_free(g->value);
    memset(g, 0, sizeof *g);
}

// ---- uniqueness -----------------------------------------------------------------------------------------------

const char *hol_uniqueness_word(hol_uniqueness u)
{
    static const char *const words[] = {"unique", "undetermined", "shared", "not examined", "absent"};
    return (unsigned)u < HOL_UNIQUENESSES ? words[u] : NULL;
}

const char *const *hol_reaction_components(int dimension, int *n)
{
    static const char *const planar[] = {"Fx", "Fy", "T"}, *const spatial[] = {"Fx", "Fy", "Fz",
                                                                               "Tx", "Ty", "Tz"};
    *n = dimension == 2 ? HOL_COUNT(planar) : HOL_COUNT(spatial);
    return dimension == 2 ? planar : spatial;
}

bool hol_signal_is_reaction(const hol_column *c) { return c->element && c->element->n_rows; }

// Names of the elements with such columns, as a note.
static void note_open(const hol_signals *g, hol_uniqueness which, const char *text)
{
    enum { NAMED = 4 };
    char list[400] = "";
    size_t n = 0;
    int count = 0, last = -1;
    for (int i = 0; i < g->n; i++) {
        const hol_column *c = &g->column[i];
        if (!hol_signal_is_reaction(c) || c->uniqueness != which || c->object == last) continue;
        last = c->object;
        if (count++ < NAMED && n + 1 < sizeof list)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%.80s", count > 1 ? ", " : "",
                                  g->m->element[last].name);
    }
    if (!count) return;
    if (count > NAMED) snprintf(list + n, sizeof list - n, " and %d more", count - NAMED);
    hol_note(g->ctx, HOL_NOTICE, "reactions of %s %s", list, text);
}

hol_status hol_signals_judge(hol_signals *g, const hol_state *x, const hol_rank *rank, bool quiet)
{
    const hol_model_data *m = g->m;
    hol_redundancies r;
    bool wanted = false;
    for (int i = 0; i < g->n; i++) wanted = wanted || hol_signal_is_reaction(&g->column[i]);
    if (!wanted || !(rank->n_redundant || rank->momentary || rank->large_components)) return HOL_OK;
    const hol_status st = hol_redundancy_find(g->ctx, m, x, rank, false, &r);
    if (st) return st;
    for (int i = 0; i < g->n; i++) {
        hol_column *c = &g->column[i];
        if (!hol_signal_is_reaction(c)) continue;
        const bool torque = m->dimension == 2 && c->component == 2;
        c->uniqueness = (hol_uniqueness)r.reaction[c->object][torque ? 5 : c->component];
        g->open_reactions = g->open_reactions || (c->uniqueness != HOL_UNIQUE && c->uniqueness != HOL_ABSENT);
    }
    hol_redundancy_destroy(&r);
    if (quiet) return HOL_OK;
    note_open(g, HOL_SHARED,
              "are shared by redundant equations: given are the values of smallest norm (see holonom check)");
    note_open(g, HOL_UNDETERMINED, "are not determined in the singular pose at the start");
    note_open(g, HOL_NOT_EXAMINED, "may be shared: their group of loops is too large to tell");
    return HOL_OK;
}

// ---- what has to be found -------------------------------------------------------------------------------------

// For the value of equation k.
static unsigned needs_of(const char *implicit, const char *circle, int k)
{
    return HOL_NEED_VALUES | HOL_NEED_FORCES | (implicit[k] ? HOL_NEED_UNKNOWNS : 0) |
           (circle[k] ? HOL_NEED_CIRCLE : 0);
}

unsigned hol_signals_needs(const hol_signals *g, const char *implicit, const char *circle)
{
    unsigned needs = 0;
    for (int i = 0; i < g->n; i++) {
        const hol_column *c = &g->column[i];
        const hol_element *e = c->element;
        const bool force = e && !e->n_rows && !e->n_rates;
        if (!force) needs |= ways[columns_of(g, c->group, c->object).name[c->component].had].needs;
        if (force) needs |= HOL_NEED_FORCES;
        for (int k = 0; force && k < e->n_inputs; k++)
            if (!e->input[k].time) needs |= needs_of(implicit, circle, e->input[k].z);
        if (c->group->objects == &users && c->object < g->m->n_equations)
            needs |= needs_of(implicit, circle, c->object);
    }
    return needs;
}

// ---- values ---------------------------------------------------------------------------------------------------

hol_status hol_signals_evaluate(hol_signals *g, const hol_state *x, double work)
{
    double value[32] = {0};
    const hol_column *last = NULL;
    hol_status st = HOL_OK;
    g->x = x;
    g->work = work;
    g->is_measured = false;
    for (int i = 0; i < HOL_COUNT(groups) && !st; i++)
        if (groups[i].update && (g->used & 1U << i)) st = groups[i].update(g);
    if (st) return st;
    for (int i = 0; i < g->n; i++) {
        const hol_column *c = &g->column[i];
        if (!last || last->group != c->group || last->object != c->object)
            c->group->value(g, c->object, value);
        last = c;
        g->value[i] = value[c->component];
    }
    return HOL_OK;
}

int hol_signals_not_finite(const hol_signals *g)
{
    if (hol_all_finite(g->value, (size_t)g->n)) return -1;
    for (int i = 0; i < g->n; i++)
        if (!isfinite(g->value[i]) && !g->column[i].group->may_fail) return i;
    return -1;
}
