// Signals by name; see signals.h.
#include "analysis/signals.h"
#include "system/redundancy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the columns of each kind of object -----------------------------------------------------------------------

typedef struct {
    const char *name, *unit, *doc;
} column_name;

static const column_name planar_body[] = {{"x", "m", "position, x"},
                                          {"y", "m", "position, y"},
                                          {"theta", "rad", "angle"},
                                          {"vx", "m/s", "velocity, x"},
                                          {"vy", "m/s", "velocity, y"},
                                          {"omega", "rad/s", "angular velocity"},
                                          {"ax", "m/s^2", "acceleration, x"},
                                          {"ay", "m/s^2", "acceleration, y"},
                                          {"alpha", "rad/s^2", "angular acceleration"}};
static const column_name spatial_body[] = {{"x", "m", "position, x"},
                                           {"y", "m", "position, y"},
                                           {"z", "m", "position, z"},
                                           {"qw", "", "Euler parameter e0 (scalar)"},
                                           {"qx", "", "Euler parameter e1"},
                                           {"qy", "", "Euler parameter e2"},
                                           {"qz", "", "Euler parameter e3"},
                                           {"vx", "m/s", "velocity, x"},
                                           {"vy", "m/s", "velocity, y"},
                                           {"vz", "m/s", "velocity, z"},
                                           {"wx", "rad/s", "angular velocity, x"},
                                           {"wy", "rad/s", "angular velocity, y"},
                                           {"wz", "rad/s", "angular velocity, z"},
                                           {"ax", "m/s^2", "acceleration, x"},
                                           {"ay", "m/s^2", "acceleration, y"},
                                           {"az", "m/s^2", "acceleration, z"},
                                           {"alx", "rad/s^2", "angular acceleration, x"},
                                           {"aly", "rad/s^2", "angular acceleration, y"},
                                           {"alz", "rad/s^2", "angular acceleration, z"}};
static const column_name planar_point[] = {
    {"x", "m", "position, x"},    {"y", "m", "position, y"},          {"vx", "m/s", "velocity, x"},
    {"vy", "m/s", "velocity, y"}, {"ax", "m/s^2", "acceleration, x"}, {"ay", "m/s^2", "acceleration, y"}};
static const column_name spatial_point[] = {
    {"x", "m", "position, x"},          {"y", "m", "position, y"},
    {"z", "m", "position, z"},          {"vx", "m/s", "velocity, x"},
    {"vy", "m/s", "velocity, y"},       {"vz", "m/s", "velocity, z"},
    {"ax", "m/s^2", "acceleration, x"}, {"ay", "m/s^2", "acceleration, y"},
    {"az", "m/s^2", "acceleration, z"}};
static const column_name planar_reaction[] = {
    {"Fx", "N", "force, x"}, {"Fy", "N", "force, y"}, {"T", "N m", "torque"}};
static const column_name spatial_reaction[] = {{"Fx", "N", "force, x"},    {"Fy", "N", "force, y"},
                                               {"Fz", "N", "force, z"},    {"Tx", "N m", "torque, x"},
                                               {"Ty", "N m", "torque, y"}, {"Tz", "N m", "torque, z"}};
static const column_name energies[] = {{"kinetic", "J", "kinetic energy"},
                                       {"potential", "J", "potential energy"},
                                       {"total", "J", "kinetic and potential energy"},
                                       {"work", "J", "work of what is not conservative, from the start"}};
static const column_name violations[] = {
    {"position", "", "largest violation of a joint, by natural size"},
    {"velocity", "", "largest violation of a joint's velocity, by natural size"},
    {"rate", "", "largest violation of a velocity constraint, by natural length and time"}};
static const column_name user_value[] = {{"", "", "variable"}}, user_state[] = {{"", "", "state"}},
                         user_rate[] = {{"lambda", "", "multiplier of the constraint"}};
static const column_name steps[] = {
    {"size", "s", "size of the step that led here"},
    {"newton", "", "Newton iterations of that step"},
    {"error", "", "its local error in units of the tolerance (0 with fixed steps)"},
    {"limit", "",
     "what limited it: 0 error, 1 failed attempts, 2 max_step, 3 end, 4 fixed, 5 event, 6 singular pose, "
     "7 stability"},
};

static const column_name fastest[] = {{"", "rad/s", "fastest vibration of the tangent"}};

typedef struct {
    const column_name *name;
    int n;
} column_list;

static column_list columns_of(const hol_model_data *m, hol_signal_kind kind, int index)
{
    const bool planar = m->dimension == 2;
    const hol_marker_info *k = kind == HOL_SIGNAL_MARKER ? &m->marker[index] : NULL;
    if (kind == HOL_SIGNAL_ENERGY) return (column_list){energies, HOL_COUNT(energies)};
    if (kind == HOL_SIGNAL_VIOLATION) return (column_list){violations, HOL_COUNT(violations)};
    if (kind == HOL_SIGNAL_STEP) return (column_list){steps, HOL_COUNT(steps)};
    if (kind == HOL_SIGNAL_OMEGA) return (column_list){fastest, 1};
    if (kind == HOL_SIGNAL_VALUE) return (column_list){user_value, 1};
    if (kind == HOL_SIGNAL_STATE) return (column_list){user_state, 1};
    if (kind == HOL_SIGNAL_MULTIPLIER) return (column_list){user_rate, 1};
    if (kind == HOL_SIGNAL_REACTION)
        return planar ? (column_list){planar_reaction, HOL_COUNT(planar_reaction)}
                      : (column_list){spatial_reaction, HOL_COUNT(spatial_reaction)};
    if (!k->name && k->marker.frame == HOL_FRAME_PLANAR)
        return (column_list){planar_body, HOL_COUNT(planar_body)};
    if (!k->name && k->marker.frame == HOL_FRAME_SPATIAL)
        return (column_list){spatial_body, HOL_COUNT(spatial_body)};
    return planar ? (column_list){planar_point, HOL_COUNT(planar_point)}
                  : (column_list){spatial_point, HOL_COUNT(spatial_point)};
}

const char *hol_signal_doc(const hol_model_data *m, const hol_column *c)
{
    return columns_of(m, c->kind, c->index).name[c->component].doc;
}

// Marker of "body" or "body.marker", the first n characters of a name; -1: none.
static int named_marker(const hol_model_data *m, const char *name, size_t n)
{
    char body[256];
    const char *dot = memchr(name, '.', n);
    const size_t length = dot ? (size_t)(dot - name) : n;
    if (length >= sizeof body) return -1;
    memcpy(body, name, length);
    body[length] = 0;
    const int b = hol_model_find_body(m, body);
    if (b < 0 || !dot) return b < 0 ? -1 : m->body[b].marker;
    char marker[256];
    if (n - length - 1 >= sizeof marker) return -1;
    memcpy(marker, dot + 1, n - length - 1);
    marker[n - length - 1] = 0;
    return hol_model_find_marker(m, b, marker);
}

static const char *doc_in(column_list list, const char *component)
{
    for (int i = 0; i < list.n; i++)
        if (strcmp(list.name[i].name, component) == 0) return list.name[i].doc;
    return "";
}

const char *hol_signal_doc_of(const hol_model_data *m, const char *name)
{
    static const struct {
        const char *name;
        hol_signal_kind kind;
    } groups[] = {
        {"energy", HOL_SIGNAL_ENERGY}, {"violation", HOL_SIGNAL_VIOLATION}, {"step", HOL_SIGNAL_STEP}};
    char element[256];
    const char *dot = strrchr(name, '.');
    const size_t n = dot ? (size_t)(dot - name) : 0;
    if (!dot) return strcmp(name, "omega_max") == 0 ? fastest[0].doc : "";
    for (int i = 0; i < HOL_COUNT(groups); i++)
        if (strlen(groups[i].name) == n && memcmp(groups[i].name, name, n) == 0)
            return doc_in(columns_of(m, groups[i].kind, 0), dot + 1);
    const int marker = named_marker(m, name, n);
    if (marker >= 0) return doc_in(columns_of(m, HOL_SIGNAL_MARKER, marker), dot + 1);
    if (n >= sizeof element) return "";
    memcpy(element, name, n);
    element[n] = 0;
    const int e = hol_model_find_element(m, element);
    if (e < 0) return "";
    return doc_in(columns_of(m, m->element[e].n_ends ? HOL_SIGNAL_REACTION : HOL_SIGNAL_MULTIPLIER, e),
                  dot + 1);
}

// ---- requests -------------------------------------------------------------------------------------------------

// only: a component's name, or NULL for the whole group
static int add(hol_signals *g, const char *group, hol_signal_kind kind, int index, const char *only)
{
    const column_list list = columns_of(g->s->m, kind, index);
    int added = 0;
    for (int i = 0; i < list.n; i++) {
        if (only && strcmp(only, list.name[i].name) != 0) continue;
        const char *name =
            hol_arena_print(g->arena, "%s%s%s", group, *list.name[i].name ? "." : "", list.name[i].name);
        if (!name) return -1;
        added++;
        if (g->names && hol_names_find(g->names, name) >= 0) continue; // asked for twice: one column
        if (g->names && hol_names_add(g->names, name, g->n)) return -1;
        hol_column *c = hol_grow(g->ctx, g->column, &g->capacity, g->n + 1, sizeof *c);
        if (!c) return -1;
        g->column = c;
        c[g->n].name = name;
        c[g->n].unit = list.name[i].unit;
        c[g->n].kind = kind;
        c[g->n].index = index;
        c[g->n].component = i;
        g->n++;
        if (kind == HOL_SIGNAL_REACTION) g->wants_reactions = true;
    }
    return added;
}

static int add_marker(hol_signals *g, int k, const char *only)
{
    const hol_model_data *m = g->s->m;
    const int b = hol_model_marker_body(m, k);
    const char *body = b < 0 ? "ground" : m->body[b].name;
    const char *name = m->marker[k].name ? hol_arena_print(g->arena, "%s.%s", body, m->marker[k].name) : body;
    return name ? add(g, name, HOL_SIGNAL_MARKER, k, only) : -1;
}

static int add_all(hol_signals *g)
{
    const hol_model_data *m = g->s->m;
    int n = 0, k;
    for (int i = 0; i < m->ground_marker && n >= 0; i++)
        if ((k = add_marker(g, i, NULL)) < 0) n = -1;
    for (int i = m->n_bodies; i < m->n_elements && n >= 0; i++)
        if (m->element[i].n_ends == 0 && add(g, m->element[i].name, HOL_SIGNAL_MULTIPLIER, i, NULL) < 0)
            n = -1;
    for (int i = m->n_bodies; i < m->n_elements && n >= 0; i++)
        if (m->element[i].n_ends == 2 && (k = add(g, m->element[i].name, HOL_SIGNAL_REACTION, i, NULL)) < 0)
            n = -1;
    for (int i = 0; i < m->n_equations && n >= 0; i++)
        if (!m->equation[i].hidden && add(g, m->equation[i].name, HOL_SIGNAL_VALUE, i, NULL) < 0) n = -1;
    for (int i = 0; i < m->n_states && n >= 0; i++)
        if (add(g, m->state[i].name, HOL_SIGNAL_STATE, i, NULL) < 0) n = -1;
    if (n < 0 || add(g, "energy", HOL_SIGNAL_ENERGY, 0, NULL) < 0) return -1;
    if (add(g, "violation", HOL_SIGNAL_VIOLATION, 0, NULL) < 0) return -1;
    return add(g, "step", HOL_SIGNAL_STEP, 0, NULL) < 0 ? -1 : g->n;
}

// Position and orientation of every body.
static int add_poses(hol_signals *g)
{
    const hol_model_data *m = g->s->m;
    for (int i = 0; i < m->n_bodies; i++) {
        const column_list list = columns_of(m, HOL_SIGNAL_MARKER, m->body[i].marker);
        for (int k = 0; k < list.n; k++) {
            if (strcmp(list.name[k].name, "vx") == 0) break; // velocities come behind
            if (add_marker(g, m->body[i].marker, list.name[k].name) < 0) return -1;
        }
    }
    return 1;
}

// body, body.component, body.marker, body.marker.component
static int add_body_part(hol_signals *g, int body, const char *rest)
{
    const hol_model_data *m = g->s->m;
    const int first = body < 0 ? m->ground_marker : m->body[body].marker;
    if (!rest) return add_marker(g, first, NULL);
    const int n = add_marker(g, first, rest);
    if (n != 0) return n;
    const char *dot = strchr(rest, '.');
    const char *name = dot ? hol_arena_copy(g->arena, rest, (size_t)(dot - rest)) : rest;
    const int marker = name ? hol_model_find_marker(m, body, name) : -1;
    if (!name) return -1;
    return marker < 0 ? 0 : add_marker(g, marker, dot ? dot + 1 : NULL);
}

static hol_status unknown(hol_signals *g, const hol_request *r)
{
    const hol_model_data *m = g->s->m;
    hol_nearest nearest;
    hol_nearest_start(&nearest, r->name);
    hol_nearest_try(&nearest, "omega_max");
    hol_nearest_try(&nearest, "poses");
    for (int i = 0; i < m->n_bodies; i++) hol_nearest_try(&nearest, m->body[i].name);
    for (int i = m->n_bodies; i < m->n_elements; i++) hol_nearest_try(&nearest, m->element[i].name);
    hol_signals all = {.s = g->s, .ctx = g->ctx, .arena = g->arena};
    if (m->n_elements < 5000 && add_all(&all) > 0)
        for (int i = 0; i < all.n; i++) {
            const char *name = all.column[i].name;
            const char *dot = strrchr(name, '.');
            const char *group = dot ? hol_arena_copy(g->arena, name, (size_t)(dot - name)) : NULL;
            if (group) hol_nearest_try(&nearest, group); // crank0.tip before crank0.tip.x
            hol_nearest_try(&nearest, name);
        }
    hol_free(all.column);
    const char *open = nearest.best ? "; did you mean \"" : "; `signals: [all]` writes everything there is";
    if (r->at.line)
        return hol_fail_at(g->ctx, HOL_ERR_MODEL, r->at, "simulate.signals: there is no signal \"%s\"%s%s%s",
                           r->name, open, nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
    return hol_fail(g->ctx, HOL_ERR_USAGE, "there is no signal \"%s\"%s%s%s", r->name, open,
                    nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
}

// Variables and, behind them, states by their names.
static hol_names *name_users(const hol_signals *g)
{
    const hol_model_data *m = g->s->m;
    hol_names *users = hol_names_create_in(g->ctx, g->arena);
    for (int i = 0; users && i < m->n_equations + m->n_states; i++) {
        const int k = i - m->n_equations;
        const char *name = k < 0 ? m->equation[i].name : m->state[k].name;
        if (k < 0 && m->equation[i].hidden) continue;
        if (hol_names_find(users, name) < 0 && hol_names_add(users, name, i)) users = NULL;
    }
    return users;
}

// A variable or a state.
static int add_user(hol_signals *g, const char *name)
{
    const hol_model_data *m = g->s->m;
    if (!g->users && !(g->users = name_users(g))) return -1;
    const int i = hol_names_find(g->users, name);
    if (i < 0) return 0;
    return i < m->n_equations ? add(g, name, HOL_SIGNAL_VALUE, i, NULL)
                              : add(g, name, HOL_SIGNAL_STATE, i - m->n_equations, NULL);
}

// Expensive, so by its name only. -1: the message is in the context.
static int add_omega(hol_signals *g)
{
    if (!g->omega && hol_omega_create(g->ctx, g->s, &g->omega)) return -1;
    return add(g, "omega_max", HOL_SIGNAL_OMEGA, 0, NULL);
}

static hol_status add_request(hol_signals *g, const hol_request *r)
{
    const hol_model_data *m = g->s->m;
    const char *dot = strchr(r->name, '.'), *rest = dot ? dot + 1 : NULL;
    const char *head = dot ? hol_arena_copy(g->arena, r->name, (size_t)(dot - r->name)) : r->name;
    if (!head) return HOL_ERR_MEMORY;
    int n = 0;
    const int body = hol_model_find_body(m, head), element = hol_model_find_element(m, head);
    if (strcmp(r->name, "all") == 0)
        n = add_all(g);
    else if (strcmp(r->name, "poses") == 0)
        n = add_poses(g);
    else if (strcmp(head, "energy") == 0)
        n = add(g, "energy", HOL_SIGNAL_ENERGY, 0, rest);
    else if (strcmp(head, "violation") == 0)
        n = add(g, "violation", HOL_SIGNAL_VIOLATION, 0, rest);
    else if (strcmp(head, "step") == 0)
        n = add(g, "step", HOL_SIGNAL_STEP, 0, rest);
    else if (strcmp(head, "ground") == 0)
        n = add_body_part(g, -1, rest);
    else if (body >= 0)
        n = add_body_part(g, body, rest);
    else if (element >= 0 && m->element[element].n_ends == 2)
        n = add(g, head, HOL_SIGNAL_REACTION, element, rest);
    else if (element >= 0 && m->element[element].n_ends == 0)
        n = add(g, head, HOL_SIGNAL_MULTIPLIER, element, rest);
    else if ((n = add_user(g, r->name)) == 0 && strcmp(r->name, "omega_max") == 0)
        n = add_omega(g);
    const hol_status failed = hol_context_status(g->ctx);
    return n < 0 ? (failed ? failed : HOL_ERR_MEMORY) : n == 0 ? unknown(g, r) : HOL_OK;
}

hol_status hol_signals_create(hol_context *ctx, const hol_system *s, const hol_request *request, int n,
                              hol_signals *g)
{
    static const hol_request everything = {"all", {0}};
    memset(g, 0, sizeof *g);
    g->s = s;
    g->ctx = ctx;
    g->arena = hol_arena_create(ctx);
    hol_status st = g->arena ? HOL_OK : HOL_ERR_MEMORY;
    if (n == 0) {
        request = &everything;
        n = 1;
    }
    // "all" alone cannot overlap
    if (!st && n > 1 && !(g->names = hol_names_create_in(ctx, g->arena))) st = HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++) st = add_request(g, &request[i]);
    if (!st && !(g->value = hol_calloc(ctx, (size_t)g->n + 1, sizeof *g->value))) st = HOL_ERR_MEMORY;
    if (!st && g->wants_reactions) st = hol_reactions_create(ctx, s, &g->reactions);
    if (st) hol_signals_destroy(g);
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

bool hol_signal_is_reaction(const hol_model_data *m, const hol_column *c)
{
    const bool of_element = c->kind == HOL_SIGNAL_REACTION || c->kind == HOL_SIGNAL_MULTIPLIER;
    return of_element && m->element[c->index].n_rows;
}

// Names of the elements with such columns, as a note.
static void note_open(const hol_signals *g, hol_uniqueness which, const char *text)
{
    enum { NAMED = 4 };
    char list[400] = "";
    size_t n = 0;
    int count = 0, last = -1;
    for (int i = 0; i < g->n; i++) {
        const hol_column *c = &g->column[i];
        if (!hol_signal_is_reaction(g->s->m, c) || c->uniqueness != which || c->index == last) continue;
        last = c->index;
        if (count++ < NAMED && n + 1 < sizeof list)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%.80s", count > 1 ? ", " : "",
                                  g->s->m->element[last].name);
    }
    if (!count) return;
    if (count > NAMED) snprintf(list + n, sizeof list - n, " and %d more", count - NAMED);
    hol_note(g->ctx, HOL_NOTICE, "reactions of %s %s", list, text);
}

hol_status hol_signals_judge(hol_signals *g, const hol_state *x, const hol_rank *rank, bool quiet)
{
    const hol_model_data *m = g->s->m;
    hol_redundancies r;
    bool wanted = false;
    for (int i = 0; i < g->n; i++) wanted = wanted || hol_signal_is_reaction(m, &g->column[i]);
    if (!wanted || !(rank->n_redundant || rank->momentary || rank->large_components)) return HOL_OK;
    const hol_status st = hol_redundancy_find(g->ctx, m, x, rank, false, &r);
    if (st) return st;
    for (int i = 0; i < g->n; i++) {
        hol_column *c = &g->column[i];
        if (!hol_signal_is_reaction(m, c)) continue;
        const bool torque = m->dimension == 2 && c->component == 2;
        c->uniqueness = (hol_uniqueness)r.reaction[c->index][torque ? 5 : c->component];
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

// ---- values ---------------------------------------------------------------------------------------------------

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
static void marker_values(const hol_system *s, const hol_state *x, int k, double *out)
{
    const hol_marker_info *info = &s->m->marker[k];
    const int dim = s->m->dimension, size = info->marker.size, body = hol_model_marker_body(s->m, k),
              first = body < 0 ? 0 : s->m->body[body].q;
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

static void group_values(hol_signals *g, const hol_column *c, const hol_state *x, double work, double *out)
{
    const hol_system *s = g->s;
    if (c->kind == HOL_SIGNAL_MARKER) {
        marker_values(s, x, c->index, out);
    } else if (c->kind == HOL_SIGNAL_REACTION) {
        hol_reaction(&g->reactions, x, c->index, out);
        if (s->m->dimension == 2) out[2] = out[5];
    } else if (c->kind == HOL_SIGNAL_VALUE) {
        out[0] = x->z[c->index];
    } else if (c->kind == HOL_SIGNAL_STATE) {
        out[0] = x->X[c->index];
    } else if (c->kind == HOL_SIGNAL_MULTIPLIER) {
        const hol_element *e = &s->m->element[c->index];
        const int row = e->n_rows ? s->active[e->row] : -1;
        out[0] = e->n_rates ? x->kap[e->rate] : row >= 0 ? x->lam[row] : 0;
    } else if (c->kind == HOL_SIGNAL_OMEGA) {
        out[0] = hol_omega_at(g->omega, s, x);
    } else if (c->kind == HOL_SIGNAL_STEP) {
        out[0] = g->step.size;
        out[1] = g->step.newton;
        out[2] = g->step.error;
        out[3] = g->step.limit;
    } else {
        hol_measure e;
        hol_system_measure(s, x, &e);
        const bool energy = c->kind == HOL_SIGNAL_ENERGY;
        out[0] = energy ? e.kinetic : e.position;
        out[1] = energy ? e.potential : e.velocity;
        out[2] = energy ? e.kinetic + e.potential : e.rate;
        out[3] = work;
    }
}

hol_status hol_signals_evaluate(hol_signals *g, const hol_state *x, double work)
{
    double group[32] = {0};
    const hol_column *last = NULL;
    hol_status st = g->wants_reactions ? hol_reactions_update(&g->reactions, x) : HOL_OK;
    if (st) return st;
    for (int i = 0; i < g->n; i++) {
        const hol_column *c = &g->column[i];
        if (!last || last->kind != c->kind || last->index != c->index) group_values(g, c, x, work, group);
        last = c;
        g->value[i] = group[c->component];
    }
    return HOL_OK;
}

int hol_signals_not_finite(const hol_signals *g)
{
    double sum = 0;
    for (int i = 0; i < g->n; i++) sum += fabs(g->value[i]);
    if (isfinite(sum)) return -1;
    for (int i = 0; i < g->n; i++) // where the fastest vibration is not found it says so by NaN
        if (!isfinite(g->value[i]) && g->column[i].kind != HOL_SIGNAL_OMEGA) return i;
    return -1;
}
