// Which pairs of shapes the rules of contacts name, why some of them are left out, and which contacts are told together.
#include "model/contacts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LEFT_OUT = 2000 }; // rows

// "ball", "ground.floor"
static const char *shape_name(const hol_compiler *c, const hol_drawing *d)
{
    const char *body = d->body < 0 ? "ground" : c->m->body[d->body].name;
    return d->name ? hol_arena_print(c->spec->arena, "%s.%s", body, d->name) : body;
}

// Two words may name the same two shapes, and shapes without names have that of their body.
static bool is_there(const hol_model_data *m, const char *rule, const char *pair, hol_contact_left left)
{
    for (int i = 0; i < m->n_contact_rows; i++) {
        const struct hol_contact_row *row = &m->contact_row[i];
        if (row->left == left && strcmp(row->rule, rule) == 0 && strcmp(row->pair, pair) == 0) return true;
    }
    return false;
}

hol_status hol_contact_note(hol_compiler *c, const hol_spec_contact *rule, const hol_drawing *const shape[2],
                            int element, int n, hol_contact_left left)
{
    hol_model_data *m = c->m;
    if (left && m->n_contacts_left >= MOST_LEFT_OUT) {
        m->left_out_untold = true;
        return HOL_OK;
    }
    const char *round = shape_name(c, shape[1]), *other = shape_name(c, shape[0]);
    const char *pair = round && other ? hol_arena_print(c->spec->arena, "%s~%s", round, other) : NULL;
    if (pair && left && is_there(m, rule->name, pair, left)) return HOL_OK;
    m->n_contacts_left += left != HOL_CONTACT_KEPT;
    if (!pair || !HOL_ARENA_GROW(c->spec->arena, m->contact_row, m->n_contact_rows)) return HOL_ERR_MEMORY;
    m->contact_row[m->n_contact_rows++] = (struct hol_contact_row){rule->name, pair, element, n, left};
    return HOL_OK;
}

// ---- sums -------------------------------------------------------------------------------------------------------

// What else has the name of a sum would have its signals.
static hol_status refuse_name(const hol_compiler *c, const char *name, const char *rule)
{
    const hol_model_data *m = c->m;
    const hol_spec_contact *by = c->spec->contact;
    char place[HOL_PLACE];
    while (by->name != rule) by++;
    const int twin = hol_names_find(c->others, name), body = hol_names_find(c->bodies, name);
    if (twin < 0 && body < 0) return HOL_OK;
    return hol_fail_at(m->ctx, HOL_ERR_MODEL, twin >= 0 ? m->element[twin].at : m->body[body].at,
                       "\"%s\": the name is taken by the sum over contacts of contacts.%s in %s; result "
                       "columns need different names",
                       name, rule, hol_src_text(by->at, place));
}

// The sum of this name, which may be a new one.
static hol_status find_sum(hol_compiler *c, hol_names *names, const struct hol_contact_row *row, bool of_rule,
                           struct hol_contact_sum **out)
{
    hol_model_data *m = c->m;
    const char *name = of_rule ? row->rule : row->pair;
    int k = hol_names_find(names, name);
    hol_status st = HOL_OK;
    if (k < 0) {
        k = m->n_contact_sums;
        if (!HOL_ARENA_GROW(c->spec->arena, m->contact_sum, k) || hol_names_add(names, name, k))
            return HOL_ERR_MEMORY;
        m->contact_sum[m->n_contact_sums++] = (struct hol_contact_sum){.name = name, .of_rule = of_rule};
        st = refuse_name(c, name, row->rule);
    }
    *out = &m->contact_sum[k];
    return st;
}

// The contacts of a row are counted first, then put in.
static hol_status take_row(hol_compiler *c, hol_names *names, const struct hol_contact_row *row, bool of_rule,
                           bool put)
{
    struct hol_contact_sum *sum = NULL;
    const hol_status st = find_sum(c, names, row, of_rule, &sum);
    if (st) return st;
    if (!put) {
        sum->room += row->n;
        return HOL_OK;
    }
    if (!sum->element)
        sum->element = hol_arena_alloc(c->spec->arena, (size_t)sum->room, sizeof *sum->element);
    if (!sum->element) return HOL_ERR_MEMORY;
    for (int i = 0; i < row->n; i++) sum->element[sum->n++] = row->element + i;
    return HOL_OK;
}

// Does the rule make one contact, which has its name?
static bool is_single(const hol_model_data *m, const struct hol_contact_row *row)
{
    return strcmp(m->element[row->element].name, row->rule) == 0;
}

// What is left out before joints are known comes among the others of its rule.
static hol_status order_rows(hol_compiler *c)
{
    hol_model_data *m = c->m;
    const hol_spec *spec = c->spec;
    struct hol_contact_row *row = hol_arena_alloc(spec->arena, (size_t)m->n_contact_rows + 1, sizeof *row);
    if (!row) return HOL_ERR_MEMORY;
    for (int k = 0, n = 0; k < spec->n_contacts; k++)
        for (int i = 0; i < m->n_contact_rows; i++)
            if (m->contact_row[i].rule == spec->contact[k].name) row[n++] = m->contact_row[i];
    m->contact_row = row;
    return HOL_OK;
}

hol_status hol_sum_contacts(hol_compiler *c)
{
    const hol_model_data *m = c->m;
    hol_names *names = hol_names_create_in(c->spec->ctx, c->spec->draft);
    hol_status st = names ? order_rows(c) : HOL_ERR_MEMORY;
    for (int pass = 0; pass < 4; pass++)
        for (int i = 0; i < m->n_contact_rows && !st; i++) {
            const struct hol_contact_row *row = &m->contact_row[i];
            const bool of_rule = pass % 2 == 0;
            if (!row->left && !(of_rule && is_single(m, row)))
                st = take_row(c, names, row, of_rule, pass >= 2);
        }
    c->contact_sums = names;
    return st;
}

const char *hol_contact_pair_name(const hol_model_data *m, int element)
{
    for (int i = 0; i < m->n_contact_rows; i++) {
        const struct hol_contact_row *row = &m->contact_row[i];
        if (row->n && element >= row->element && element < row->element + row->n) return row->pair;
    }
    return "";
}
