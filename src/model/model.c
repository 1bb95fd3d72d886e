// Questions to a compiled model.
#include "model/model.h"

#include "element/coordinate.h"
#include "base/archive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int hol_model_find_body(const hol_model_data *m, const char *name)
{
    return hol_names_find(m->body_names, name);
}

int hol_model_find_element(const hol_model_data *m, const char *name)
{
    return hol_names_find(m->element_names, name);
}

int hol_model_find_marker(const hol_model_data *m, int body, const char *name)
{
    const int first = body < 0 ? m->ground_marker : m->body[body].marker;
    const int last = body < 0 ? m->n_markers : first + m->body[body].n_markers;
    const hol_names *names = body < 0 ? m->ground_names : m->body[body].marker_names;
    if (names) return hol_names_find(names, name);
    for (int i = first; i < last; i++)
        if (m->marker[i].name && strcmp(m->marker[i].name, name) == 0) return i;
    return -1;
}

int hol_model_marker_body(const hol_model_data *m, int marker)
{
    int low = 0, high = m->n_bodies - 1; // markers stand in the order of their bodies
    if (marker >= m->ground_marker) return -1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (m->body[middle].marker <= marker)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void hol_model_com(const hol_model_data *m, int body, double com[3])
{
    const double *origin =
        m->marker[m->body[body].marker].marker.s; // of the body frame, which is the first marker
    for (int i = 0; i < 3; i++) com[i] = -origin[i];
}

void hol_joint_leaf(const hol_element *joint, int dimension, const hol_joint_coordinate *c, hol_leaf *out)
{
    *out = (hol_leaf){.kind = HOL_LEAF_QUANTITY, .n_bodies = joint->n_bodies, .ny = joint->ny};
    out->measured.n_parts = 1;
    out->measured.part[0] = hol_joint_quantity(joint, dimension, c);
    memcpy(out->body, joint->body, sizeof out->body);
    if (hol_joint_coordinate_turns(c, dimension)) out->turns = 1 + hol_joint_memory(joint, dimension, c);
}

void hol_joint_leaf_seen(const hol_model_data *m, const hol_element *joint, const hol_joint_coordinate *c,
                         hol_leaf *out)
{
    hol_joint_leaf(joint, m->dimension, c, out);
    out->negative = hol_leaf_turns_against(&out->measured.part[0], hol_mirror_seen(joint->at, (hol_src){0}));
}

double hol_drawn_leaf(const hol_model_data *m, const hol_leaf *l)
{
    static const hol_shape value_only = {.n = 0};
    const int slots[3] = {-1, -1, -1};
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], value[HOL_NUM_MAX];
    hol_gather(m, l->n_bodies, l->body, 0, m->q0, m->v0, 1, y, w);
    hol_measured_eval(&l->measured, &value_only, l->ny, y, w, NULL, NULL, NULL, slots, value);
    return hol_re(value[0]);
}

bool hol_leaf_turns_against(const hol_quantity *q, hol_mirror seen)
{
    return seen & HOL_MIRROR_TURNS && hol_quantity_is_angle(q->what) && q->what != HOL_QUANTITY_SWING;
}

void hol_element_gather(const hol_model_data *m, const hol_element *e, double t, const double *q,
                        const double *v, double w_t, hol_real *y, hol_real *w)
{
    hol_gather(m, e->n_bodies, e->body, t, q, v, w_t, y, w);
}

// The sizes of rigid bodies are constants to the compiler.
static inline void copy(int n, const double *from, hol_real *to)
{
    if (n == 7)
        for (int k = 0; k < 7; k++) to[k] = from[k];
    else if (n == 3)
        for (int k = 0; k < 3; k++) to[k] = from[k];
    else
        for (int k = 0; k < n; k++) to[k] = from[k];
}

static inline void add(int n, const hol_real *x, double c, double *to)
{
    if (n == 7)
        for (int k = 0; k < 7; k++) to[k] += c * hol_re(x[k]);
    else if (n == 3)
        for (int k = 0; k < 3; k++) to[k] += c * hol_re(x[k]);
    else
        for (int k = 0; k < n; k++) to[k] += c * hol_re(x[k]);
}

void hol_gather(const hol_model_data *m, int n_bodies, const int *body, double t, const double *q,
                const double *v, double w_t, hol_real *y, hol_real *w)
{
    int n = 0;
    for (int i = 0; i < n_bodies; i++) {
        const hol_body *b = &m->body[body[i]];
        copy(b->size, q + b->q, y + n);
        if (v) copy(b->size, v + b->q, w + n);
        n += b->size;
    }
    y[n] = t;
    if (v) w[n] = w_t;
}

void hol_element_scatter(const hol_model_data *m, const hol_element *e, const hol_real *x, double c,
                         double *out)
{
    int n = 0;
    for (int i = 0; i < e->n_bodies; i++) {
        const hol_body *b = &m->body[e->body[i]];
        add(b->size, x + n, c, out + b->q);
        n += b->size;
    }
}

void hol_element_along(const hol_element *e, const hol_real *y, const hol_real *w, const double *mem,
                       hol_real *value, hol_real *J, hol_real *along)
{
    const int ny = e->ny;
    if (e->type->phi_along) {
        e->type->phi_along(e->data, ny, y, w, J, along);
        if (value) e->type->phi(e->data, ny, y, mem, value, NULL);
        return;
    }
    e->type->phi_yw(e->data, ny, y, w, J);
    for (int i = 0; i < e->n_rows; i++) {
        along[i] = 0;
        for (int j = 0; j < ny; j++) along[i] += J[i * ny + j] * w[j];
    }
    e->type->phi(e->data, ny, y, mem, value, J);
}

const char *hol_model_end(const hol_model_data *m, const hol_element *e, int i, char *text, size_t size)
{
    const hol_end *end = &e->end[i];
    const char *body = end->body < 0 ? "ground" : m->body[end->body].name;
    const char *marker = end->place < 0 ? NULL : m->marker[end->place].name;
    snprintf(text, size, "%s%s%s", body, marker ? "." : "", marker ? marker : "");
    return text;
}

hol_row hol_model_row(const hol_model_data *m, int row, const char **element)
{
    const hol_element *e = &m->element[m->row_element[row]];
    *element = e->name;
    return e->type->row(e->data, row - e->row);
}

double hol_element_row_size(const hol_model_data *m, const hol_element *e, int i)
{
    if (!e->type->row(e->data, i).is_length) return 1;
    return e->decade ? m->length_scale * pow(10, e->decade) : m->length_scale;
}

double hol_model_row_size(const hol_model_data *m, int row)
{
    const hol_element *e = &m->element[m->row_element[row]];
    return hol_element_row_size(m, e, row - e->row);
}

bool hol_model_is_length(const hol_model_data *m, int body, int k)
{
    const hol_frame f = m->body[body].frame;
    return k < (f == HOL_FRAME_POINT ? m->body[body].size : f == HOL_FRAME_PLANAR ? 2 : 3);
}

double hol_model_coordinate_size(const hol_model_data *m, int body, int k)
{
    return hol_model_is_length(m, body, k) ? m->length_scale : 1;
}

const char *hol_model_coordinate_word(const hol_model_data *m, int body, int k, const char **unit)
{
    static const char *const words[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    const bool angle = m->body[body].frame == HOL_FRAME_PLANAR && k == 2;
    *unit = angle ? "rad" : k < 3 ? "m" : "";
    return angle ? "theta" : words[k];
}

int hol_model_input(const hol_model_data *m, int i)
{
    for (int k = 0; k < m->n_held && i >= 0; k++)
        if (m->held[k].outside && i-- == 0) return k;
    return -1;
}

int hol_model_inputs(const hol_model_data *m)
{
    int n = 0;
    for (int k = 0; k < m->n_held; k++) n += m->held[k].outside;
    return n;
}

void hol_model_number_rows(hol_model_data *m, const double *mem)
{
    m->nc = m->nk = 0;
    for (int i = 0; i < m->n_elements; i++) {
        hol_element *e = &m->element[i];
        const bool on = mem ? hol_element_acts(e, mem) : !e->idle;
        e->n_rows = (signed char)(on ? e->all_rows : 0);
        e->n_rates = (signed char)(on ? e->all_rates : 0);
        e->row = m->nc;
        e->rate = m->nk;
        for (int k = 0; k < e->n_rows; k++) m->row_element[m->nc++] = i;
        m->nk += e->n_rates;
    }
}

int hol_model_switched(const hol_model_data *m, const double *mem)
{
    for (int i = m->n_bodies; i < m->n_elements && m->n_switched; i++)
        if (hol_element_is_switched(&m->element[i], mem) || hol_element_holds_other(&m->element[i], mem))
            return i;
    return -1;
}

unsigned long long hol_model_structure(const hol_model_data *m)
{
    unsigned long long h = HOL_HASH_START;
    int rows = 0, rates = 0; // whatever acts
    for (int i = 0; i < m->n_elements; i++) {
        rows += m->element[i].all_rows;
        rates += m->element[i].all_rates;
    }
    const int sizes[] = {m->dimension, m->n_bodies, m->n_elements, m->nq,         rows,
                         rates,        m->n_states, m->n_mem,      m->n_equations};
    h = hol_hash(h, sizes, sizeof sizes);
    for (int i = 0; i < m->n_elements; i++) {
        const char *name = m->element[i].name, *type = m->element[i].type->name;
        h = hol_hash(hol_hash(h, name, strlen(name) + 1), type, strlen(type) + 1);
    }
    for (int i = 0; i < m->n_states; i++) h = hol_hash(h, m->state[i].name, strlen(m->state[i].name) + 1);
    for (int i = 0; i < m->n_held; i++) {
        const hol_held *k = &m->held[i];
        h = hol_hash(hol_hash(h, k->name, strlen(k->name) + 1), &k->slot, sizeof k->slot);
    }
    return h;
}
