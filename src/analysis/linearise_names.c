// Names, units and values of states, inputs and outputs of a linearised motion.
#include "analysis/linearise_data.h"

#include <math.h>
#include <string.h>

static const char *keep(hol_arena *arena, const char *text)
{
    return hol_arena_copy(arena, text, strlen(text));
}

// "m/s" of m.
static const char *rate_unit(hol_arena *arena, const char *unit)
{
    return *unit ? hol_arena_print(arena, "%s/s", unit) : "";
}

// A state of the program's own, or of the user.
static bool name_base(const hol_linear_builder *b, int i, hol_linear_signal *out, hol_linear_kind *kind)
{
    const int d = b->r.d, X = d + b->r.e;
    *kind = i < d ? HOL_LINEAR_P : i < X ? HOL_LINEAR_W : HOL_LINEAR_STATE;
    out->unit = i < X || !b->m->state[i - X].unit ? "" : keep(b->arena, b->m->state[i - X].unit);
    out->value = i < X ? (double)NAN : b->x->X[i - X];
    out->name = i < d   ? hol_arena_print(b->arena, "p%d", i + 1)
                : i < X ? hol_arena_print(b->arena, "w%d", i - d + 1)
                        : keep(b->arena, b->m->state[i - X].name);
    return out->name && out->unit;
}

// A coordinate or rate that was named.
static bool name_own(const hol_linear_builder *b, int row, hol_linear_signal *out, hol_linear_kind *kind)
{
    const hol_linear_part p = hol_linear_part_of(b->wanted, row);
    const hol_element *e = &b->wanted->coordinate[p.coordinate];
    const char *unit = b->wanted->unit[p.coordinate];
    const bool derived = p.rate && !hol_linear_is_rate(e);
    *kind = p.rate ? HOL_LINEAR_RATE : HOL_LINEAR_POSITION;
    out->value = b->value[row];
    out->name = hol_linear_state_text(b, row, false);
    out->unit = derived ? rate_unit(b->arena, unit) : keep(b->arena, unit);
    return out->name && out->unit;
}

// Names, units and values of the states.
static hol_status name_states(const hol_linear_builder *b, hol_linear *l)
{
    hol_linear_signal *x = hol_arena_alloc(b->arena, (size_t)l->n_x + 1, sizeof *x);
    hol_linear_kind *kind = hol_arena_alloc(b->arena, (size_t)l->n_x + 1, sizeof *kind);
    if (!x || !kind) return HOL_ERR_MEMORY;
    l->x = x;
    l->kind = kind;
    const int own = b->n_xi ? hol_linear_positions(b->wanted) + b->wanted->n_coordinates : 0,
              skip = b->n_xi ? b->r.d + b->r.e : 0;
    int n = 0;
    for (; n < own; n++)
        if (!name_own(b, n, &x[n], &kind[n])) return HOL_ERR_MEMORY;
    for (int i = skip; i < b->base; i++, n++)
        if (!name_base(b, i, &x[n], &kind[n])) return HOL_ERR_MEMORY;
    for (int i = 0; i < b->nu; i++) {
        const hol_port *p = &b->wanted->input[i];
        const char *unit = *p->unit == 'm' ? "m" : "rad";
        if (p->driver < 0) continue;
        for (int rate = 0; rate < 2; rate++, n++) {
            kind[n] = rate ? HOL_LINEAR_INPUT_RATE : HOL_LINEAR_INPUT;
            x[n] = (hol_linear_signal){hol_arena_print(b->arena, rate ? "%s'" : "%s", p->name),
                                       rate ? rate_unit(b->arena, unit) : unit, 0};
            if (!x[n].name || !x[n].unit) return HOL_ERR_MEMORY;
        }
    }
    return HOL_OK;
}

static double output_value(const hol_linear_builder *b, const hol_equation *e)
{
    return e->expr ? hol_equations_expression(b->s, b->x, e) : b->x->z[e->leaf[0].index];
}

// And of inputs and outputs.
static hol_status name_ports(const hol_linear_builder *b, hol_linear *l)
{
    hol_linear_signal *u = hol_arena_alloc(b->arena, (size_t)(b->nu + b->ny) + 1, sizeof *u), *y = u + b->nu;
    if (!u) return HOL_ERR_MEMORY;
    l->u = u;
    l->y = y;
    for (int i = 0; i < b->nu; i++) {
        const hol_port *p = &b->wanted->input[i];
        const double value = p->held < 0 ? 0 : hol_held_value(&b->m->held[p->held], b->x->mem, b->x->t);
        u[i] = (hol_linear_signal){p->driver < 0 ? keep(b->arena, p->name)
                                                 : hol_arena_print(b->arena, "%s''", p->name),
                                   keep(b->arena, p->unit), value};
        if (!u[i].name || !u[i].unit) return HOL_ERR_MEMORY;
    }
    for (int i = 0; i < b->ny; i++) {
        const hol_equation *e = &b->wanted->output[i];
        y[i] = (hol_linear_signal){keep(b->arena, e->name), keep(b->arena, e->unit), output_value(b, e)};
        if (!y[i].name || !y[i].unit) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

// What was linearised, and the coordinates of its bodies.
static hol_status name_bodies(const hol_linear_builder *b, hol_linear *l)
{
    const hol_model_data *m = b->m;
    const char **coordinate = hol_arena_alloc(b->arena, (size_t)m->nq + 1, sizeof *coordinate),
               **unit = hol_arena_alloc(b->arena, (size_t)m->nq + 1, sizeof *unit);
    l->title = m->title ? keep(b->arena, m->title) : NULL;
    l->model = keep(b->arena, m->spec->file);
    if (!coordinate || !unit || (m->title && !l->title) || !l->model) return HOL_ERR_MEMORY;
    l->coordinate = coordinate;
    l->unit = unit;
    l->n_coordinates = m->nq;
    for (int k = 0; k < m->n_bodies; k++)
        for (int i = 0; i < m->body[k].size; i++) {
            const int at = m->body[k].q + i;
            const char *word = hol_model_coordinate_word(m, k, i, &unit[at]);
            if (!(coordinate[at] = hol_arena_print(b->arena, "%s.%s", m->body[k].name, word)))
                return HOL_ERR_MEMORY;
        }
    return HOL_OK;
}

hol_status hol_linear_name(const hol_linear_builder *b, hol_linear *l)
{
    hol_status st = name_states(b, l);
    if (!st) st = name_ports(b, l);
    return st ? st : name_bodies(b, l);
}
