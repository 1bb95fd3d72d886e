// What is numbered in a model at a state, by name and by number. A list more is a row of the table.
#include "analysis/eom.h"
#include "element/coordinate.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    int from, to;
} range;

// Body or element of a name, the latter as an index into m->element; -1: none.
static int body_of(const hol_eom *e, const char *name) { return hol_model_find_body(e->m, name); }

static int element_of(const hol_eom *e, const char *name)
{
    const int body = body_of(e, name); // the bodies' own elements come first
    return body >= 0 ? body : hol_model_find_element(e->m, name);
}

// ---- coordinates ----------------------------------------------------------------------------------------------

static int n_coordinates(const hol_eom *e) { return e->m->nq; }

// The body of a coordinate.
static int find_body(const hol_model_data *m, int q)
{
    int low = 0, high = m->n_bodies - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (m->body[middle].q <= q)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void name_coordinate(const hol_eom *e, int i, hol_eom_name *out)
{
    const int b = find_body(e->m, i);
    out->object = e->m->body[b].name;
    out->part = hol_model_coordinate_word(e->m, b, i - e->m->body[b].q, &out->unit);
}

static range coordinates_of(const hol_eom *e, const char *object)
{
    const int b = body_of(e, object);
    return b < 0 ? (range){0, 0} : (range){e->m->body[b].q, e->m->body[b].q + e->m->body[b].size};
}

// ---- constraints ----------------------------------------------------------------------------------------------

static int n_constraints(const hol_eom *e) { return e->m->nc; }

static void name_constraint(const hol_eom *e, int i, hol_eom_name *out)
{
    const hol_row row = hol_model_row(e->m, i, &out->object);
    out->part = row.direction;
    out->unit = row.is_length ? "m" : "";
}

static range constraints_of(const hol_eom *e, const char *object)
{
    const int k = element_of(e, object);
    if (k < 0) return (range){0, 0};
    return (range){e->m->element[k].row, e->m->element[k].row + e->m->element[k].n_rows};
}

static int n_velocity_constraints(const hol_eom *e) { return e->m->nk; }

static void name_velocity_constraint(const hol_eom *e, int i, hol_eom_name *out)
{
    for (int k = 0; k < e->m->n_elements; k++) {
        const hol_element *of = &e->m->element[k];
        if (of->n_rates && of->rate <= i) *out = (hol_eom_name){of->name, "", ""};
    }
}

static range velocity_constraints_of(const hol_eom *e, const char *object)
{
    const int k = element_of(e, object);
    if (k < 0) return (range){0, 0};
    return (range){e->m->element[k].rate, e->m->element[k].rate + e->m->element[k].n_rates};
}

// ---- users' states and variables, memory ----------------------------------------------------------------------

static int n_states(const hol_eom *e) { return e->m->n_states; }

static void name_state(const hol_eom *e, int i, hol_eom_name *out)
{
    *out = (hol_eom_name){e->m->state[i].name, "", ""};
}

static int n_variables(const hol_eom *e) { return e->n_variables; }

static void name_variable(const hol_eom *e, int i, hol_eom_name *out)
{
    *out = (hol_eom_name){e->m->equation[e->variable[i]].name, "", ""};
}

static int n_memory(const hol_eom *e) { return e->m->n_mem; }

// Place j of memory for angles that count their turns, of which the object has n places; own: they are an element's.
static void name_turns(const char *object, int j, int n, bool own, hol_eom_name *out)
{
    static const char *const units[] = {"rad", "rad/s", "s"};
    static const char *const elements[] = {"turns1", "turns1_rate", "turns1_time",
                                           "turns2", "turns2_rate", "turns2_time",
                                           "turns3", "turns3_rate", "turns3_time"};
    static const char *const coordinates[] = {"angle1", "angle1_rate", "angle1_time",
                                              "angle2", "angle2_rate", "angle2_time"};
    if (j >= 0 && j < n)
        *out = (hol_eom_name){object, own ? elements[j] : coordinates[j], units[j % HOL_TURNS_SIZE]};
}

// Of all that have a place in the memory: who has place i.
static void name_memory(const hol_eom *e, int i, hol_eom_name *out)
{
    static const char *const holds[HOL_MAX_ROWS] = {"held1", "held2", "held3", "held4", "held5", "held6"};
    const hol_model_data *m = e->m;
    *out = (hol_eom_name){"", "", ""};
    for (int k = 0; k < m->n_elements; k++) {
        const hol_element *of = &m->element[k];
        if (of->gate - 1 == i) *out = (hol_eom_name){of->name, "on", ""};
        name_turns(of->name, i - of->mem, of->n_mem, true, out);
        name_turns(of->name, i - of->mem - of->n_mem,
                   HOL_TURNS_SIZE * hol_joint_turns(of, m->dimension, NULL), false, out);
        const int held = i - of->mem - of->n_mem; // such a joint counts no turns of its own
        if (held >= 0 && held < hol_element_held(of)) *out = (hol_eom_name){of->name, holds[held], ""};
    }
    for (int k = 0; k < m->n_counters; k++) // those that are a joint's have its name
        if (!*out->object)
            name_turns(m->counter[k].text, i - m->counter[k].leaf->turns + 1, HOL_TURNS_SIZE, false, out);
    for (int k = 0; k < m->n_held; k++) {
        static const char *const ramp[] = {"", "slope", "time", "target"};
        const int j = i - m->held[k].slot, n = m->held[k].linear ? HOL_COUNT(ramp) : 1;
        if (j >= 0 && j < n) *out = (hol_eom_name){m->held[k].name, ramp[j], ""};
    }
    for (int k = 0; k < m->n_events; k++) {
        if (m->event[k].sign == i) *out = (hol_eom_name){m->event[k].name, "sign", ""};
        if (m->event[k].count == i) *out = (hol_eom_name){m->event[k].name, "count", ""};
        if (m->event[k].rest && m->event[k].side == i)
            *out = (hol_eom_name){m->element[m->event[k].rest - 1].name, "side", ""};
    }
}

static int n_inputs(const hol_eom *e) { return hol_model_inputs(e->m); }

static void name_input(const hol_eom *e, int i, hol_eom_name *out)
{
    const hol_held *h = &e->m->held[hol_model_input(e->m, i)];
    *out = (hol_eom_name){h->name, "", h->unit ? h->unit : ""};
}

// ---- markers and elements -------------------------------------------------------------------------------------

static int n_markers(const hol_eom *e) { return e->m->n_markers; }

static void name_marker(const hol_eom *e, int i, hol_eom_name *out)
{
    const int b = hol_model_marker_body(e->m, i);
    const char *name = e->m->marker[i].name;
    *out = (hol_eom_name){b < 0 ? "ground" : e->m->body[b].name, name ? name : "", "m"};
}

static range markers_of(const hol_eom *e, const char *object)
{
    const int b = body_of(e, object);
    if (strcmp(object, "ground") == 0) return (range){e->m->ground_marker, e->m->n_markers};
    return b < 0 ? (range){0, 0}
                 : (range){e->m->body[b].marker, e->m->body[b].marker + e->m->body[b].n_markers};
}

static int n_elements(const hol_eom *e) { return e->m->n_elements - e->m->n_bodies; }

static void name_element(const hol_eom *e, int i, hol_eom_name *out)
{
    *out = (hol_eom_name){e->m->element[e->m->n_bodies + i].name, "", ""};
}

static range elements_of(const hol_eom *e, const char *object)
{
    const int k = hol_model_find_element(e->m, object) - e->m->n_bodies;
    return k < 0 ? (range){0, 0} : (range){k, k + 1};
}

// ---- joint coordinates ----------------------------------------------------------------------------------------

static int n_positions(const hol_eom *e) { return e->joints.n_p; }
static int n_rates(const hol_eom *e) { return e->joints.n_u; }

static void name_of_joint(const hol_eom *e, bool rate, int i, hol_eom_name *out)
{
    const hol_coordinate_name n = hol_coordinates_name(e->joints.c, rate, i);
    *out = (hol_eom_name){n.object, n.word, n.unit};
}

static void name_position(const hol_eom *e, int i, hol_eom_name *out) { name_of_joint(e, false, i, out); }
static void name_rate(const hol_eom *e, int i, hol_eom_name *out) { name_of_joint(e, true, i, out); }

// ---- the table ------------------------------------------------------------------------------------------------

static const struct {
    int (*count)(const hol_eom *e);
    void (*name)(const hol_eom *e, int i, hol_eom_name *out);
    range (*of)(const hol_eom *e, const char *object); // where those of an object stand; NULL: anywhere
} lists[HOL_EOM_LISTS] = {
    [HOL_EOM_COORDINATES] = {n_coordinates, name_coordinate, coordinates_of},
    [HOL_EOM_CONSTRAINTS] = {n_constraints, name_constraint, constraints_of},
    [HOL_EOM_VELOCITY_CONSTRAINTS] = {n_velocity_constraints, name_velocity_constraint,
                                      velocity_constraints_of},
    [HOL_EOM_STATES] = {n_states, name_state, NULL},
    [HOL_EOM_VARIABLES] = {n_variables, name_variable, NULL},
    [HOL_EOM_MARKERS] = {n_markers, name_marker, markers_of},
    [HOL_EOM_ELEMENTS] = {n_elements, name_element, elements_of},
    [HOL_EOM_MEMORY] = {n_memory, name_memory, NULL},
    [HOL_EOM_INPUTS] = {n_inputs, name_input, NULL},
    [HOL_EOM_JOINT_COORDINATES] = {n_positions, name_position, NULL},
    [HOL_EOM_JOINT_RATES] = {n_rates, name_rate, NULL},
};

int hol_eom_list_size(const hol_eom *e, hol_eom_list list)
{
    return (unsigned)list < HOL_EOM_LISTS ? lists[list].count(e) : -1;
}

bool hol_eom_list_name(const hol_eom *e, hol_eom_list list, int i, hol_eom_name *out)
{
    if (i < 0 || i >= hol_eom_list_size(e, list)) return false;
    lists[list].name(e, i, out);
    return true;
}

// That of an object and a part among those of the object.
static int find(const hol_eom *e, hol_eom_list list, const char *object, const char *part)
{
    const range among = lists[list].of ? lists[list].of(e, object) : (range){0, lists[list].count(e)};
    for (int i = among.from; i < among.to; i++) {
        hol_eom_name name;
        lists[list].name(e, i, &name);
        if (strcmp(name.object, object) == 0 && strcmp(name.part, part) == 0) return i;
    }
    return -1;
}

// The whole name as an object, or the part behind the last dot as that of one.
int hol_eom_list_find(const hol_eom *e, hol_eom_list list, const char *name)
{
    char text[512];
    if ((unsigned)list >= HOL_EOM_LISTS || snprintf(text, sizeof text, "%s", name) >= (int)sizeof text)
        return -1;
    const int whole = find(e, list, text, "");
    char *dot = strrchr(text, '.');
    if (whole >= 0 || !dot) return whole;
    *dot = 0;
    return find(e, list, text, dot + 1);
}
