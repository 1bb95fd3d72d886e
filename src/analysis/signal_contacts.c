// The columns of contacts, of one, of two shapes and of a rule.
#include "analysis/contacts.h"
#include "analysis/signal_groups.h"
#include "model/contacts.h"

#include <math.h>
#include <string.h>

// Z takes those that space has more than the plane, PLACE those that sums over several have not.
// clang-format off
#define CONTACT_COLUMNS(Z, PLACE)                                                                            \
    {"gap", "m", "distance of the shapes, of several the least; below 0: depth", HOL_HAD_EVALUATED},         \
    {"depth", "m", "depth, of several the largest; 0: they do not touch", HOL_HAD_EVALUATED},                \
    {"F", "N", "normal force, of several the sum", HOL_HAD_EVALUATED},                                       \
    {"friction", "N", "size of the friction, of several that of its sum", HOL_HAD_SOLVED},                   \
    {"friction.x", "N", "friction on the round shape, x", HOL_HAD_SOLVED},                                   \
    {"friction.y", "N", "friction on the round shape, y", HOL_HAD_SOLVED},                                   \
    Z({"friction.z", "N", "friction on the round shape, z", HOL_HAD_SOLVED},)                                \
    PLACE({"slip", "m/s", "speed of the shapes along each other", HOL_HAD_EVALUATED},                        \
          {"px", "m", "where the forces act, x", HOL_HAD_EVALUATED},                                         \
          {"py", "m", "where the forces act, y", HOL_HAD_EVALUATED},                                         \
          Z({"pz", "m", "where the forces act, z", HOL_HAD_EVALUATED},)                                      \
          {"nx", "", "normal, towards the round shape, x", HOL_HAD_EVALUATED},                               \
          {"ny", "", "normal, towards the round shape, y", HOL_HAD_EVALUATED},                               \
          Z({"nz", "", "normal, towards the round shape, z", HOL_HAD_EVALUATED},))                           \
    {"stored", "J", "energy of the elastic part of the normal force", HOL_HAD_EVALUATED},                    \
    {"impulse", "N s", "impulse of the normal force from the start on", HOL_HAD_STEP},                       \
    {"work.damping", "J", "what damping has taken from the start on", HOL_HAD_STEP},                         \
    {"work.friction", "J", "what friction has taken from the start on", HOL_HAD_STEP},                       \
    {"slid", "m", "length of the way along each other from the start on", HOL_HAD_STEP},
#define KEEP(...) __VA_ARGS__
#define DROP(...)
static const hol_column_name planar_touching[] = {CONTACT_COLUMNS(DROP, KEEP)},
                             spatial_touching[] = {CONTACT_COLUMNS(KEEP, KEEP)},
                             planar_sums[] = {CONTACT_COLUMNS(DROP, DROP)},
                             spatial_sums[] = {CONTACT_COLUMNS(KEEP, DROP)};
// clang-format on

const hol_column_list hol_columns_of_contacts_in_space = HOL_COLUMNS(spatial_touching);

hol_column_list hol_columns_of_contact(const hol_model_data *m, int k)
{
    (void)k;
    return m->dimension == 2 ? (hol_column_list)HOL_COLUMNS(planar_touching)
                             : (hol_column_list)HOL_COLUMNS(spatial_touching);
}

hol_column_list hol_columns_of_contact_sum(const hol_model_data *m, int k)
{
    (void)k;
    return m->dimension == 2 ? (hol_column_list)HOL_COLUMNS(planar_sums)
                             : (hol_column_list)HOL_COLUMNS(spatial_sums);
}

static double *put_vector(double *out, const double *x, int n)
{
    memcpy(out, x, (size_t)n * sizeof *x);
    return out + n;
}

// As the columns stand. place: those of one contact.
static void put_contact(const hol_signals *g, const hol_contact_state *at, const double *sum, bool place,
                        double *out)
{
    const int dim = g->m->dimension;
    *out++ = at->gap;
    *out++ = fmax(-at->gap, 0);
    *out++ = at->F;
    *out++ = at->friction;
    out = put_vector(out, at->rubbing, dim);
    if (place) {
        *out++ = at->slip;
        out = put_vector(out, at->point, dim);
        out = put_vector(out, at->normal, dim);
    }
    *out++ = at->stored;
    (void)put_vector(out, sum, HOL_CONTACT_SUMS);
}

void hol_contact_values(hol_signals *g, int k, double *out)
{
    hol_contact_state at;
    double sum[HOL_CONTACT_SUMS];
    hol_contact_at(g->m, &g->m->element[k], g->x, &at);
    hol_contacts_sums(g->contacts, k, g->x->t, sum);
    put_contact(g, &at, sum, true, out);
}

hol_bend hol_contact_bend(int component)
{
    enum { FRICTION = 3 }; // its size
    return component == FRICTION ? HOL_BEND_ROOT : HOL_BEND_NONE;
}

// Of a rule, or of two shapes.
void hol_contact_sum_values(hol_signals *g, int k, double *out)
{
    const struct hol_contact_sum *all = &g->m->contact_sum[k];
    hol_contact_state at, whole = {.gap = HOL_INF};
    double sum[HOL_CONTACT_SUMS], total[HOL_CONTACT_SUMS] = {0};
    for (int i = 0; i < all->n; i++) {
        hol_contact_at(g->m, &g->m->element[all->element[i]], g->x, &at);
        hol_contacts_sums(g->contacts, all->element[i], g->x->t, sum);
        whole.gap = fmin(whole.gap, at.gap);
        whole.F += at.F;
        whole.stored += at.stored;
        for (int j = 0; j < 3; j++) whole.rubbing[j] += at.rubbing[j];
        for (int j = 0; j < HOL_CONTACT_SUMS; j++) total[j] += sum[j];
    }
    const double *T = whole.rubbing;
    whole.friction = sqrt(T[0] * T[0] + T[1] * T[1] + T[2] * T[2]);
    put_contact(g, &whole, total, false, out);
}

bool hol_contact_sum_is_of_pair(const hol_model_data *m, int k) { return !m->contact_sum[k].of_rule; }
static int count_sums(const hol_model_data *m) { return m->n_contact_sums; }
static const char *sum_name(const hol_signals *g, int k) { return g->m->contact_sum[k].name; }

static int find_sum(const hol_signals *g, char *name)
{
    for (int k = 0; k < g->m->n_contact_sums; k++)
        if (strcmp(g->m->contact_sum[k].name, name) == 0) return k;
    return -1;
}

static int count_elements(const hol_model_data *m) { return m->n_elements; }

static bool is_contact(const hol_element *e) { return e->type == &hol_force_contact; }

static const char *contact_name(const hol_signals *g, int k)
{
    return is_contact(&g->m->element[k]) ? g->m->element[k].name : "";
}

static int find_contact(const hol_signals *g, char *name)
{
    const int k = hol_model_find_element(g->m, name);
    return k >= 0 && is_contact(&g->m->element[k]) ? k : -1;
}

const hol_signal_objects hol_signal_contacts = {count_elements, contact_name, find_contact, true},
                         hol_signal_sums = {count_sums, sum_name, find_sum, false};
