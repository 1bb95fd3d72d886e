// `linearise:` compiled: inputs by their names, outputs as expressions of the model, coordinates as elements that stand outside it.
#include "element/coordinate.h"
#include "expr/units.h"
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

// ---- units ----------------------------------------------------------------------------------------------------

// " kg m" of the powers that have this sign, and how many there are.
static int print_powers(const int power[4], int sign, char *out, size_t room)
{
    static const char *const base[] = {"kg", "m", "s", "rad"};
    static const int order[] = {1, 0, 2, 3};
    int n = 0;
    for (int i = 0; i < 4; i++) {
        const int p = sign * power[order[i]];
        const size_t used = strlen(out);
        if (p <= 0) continue;
        n++;
        snprintf(out + used, room - used, "%s%s", used ? " " : "", base[i]);
        const size_t now = strlen(out);
        hol_power_print(p, out + now, room - now);
    }
    return n;
}

// The unit of SI that a quantity has, as "m/s^2"; "": it is a pure number, or its dimension is not known.
static const char *unit_of(hol_arena *arena, hol_nature n)
{
    char above[80] = "", below[80] = "";
    int p[4];
    if (n.flags & HOL_NATURE_LOOSE) return "";
    memcpy(p, n.dimension.power, sizeof p);
    const bool force = p[1] == HOL_POWER_ONE && p[0] >= 0 && p[2] == -2 * HOL_POWER_ONE;
    if (force) {
        p[0] -= HOL_POWER_ONE;
        p[1] = p[2] = 0;
        snprintf(above, sizeof above, "N");
    } else if (n.flags & HOL_NATURE_ANY_ANGLE && !p[0] && !p[1])
        p[3] = HOL_POWER_ONE; // a measured angle, or its rate
    print_powers(p, 1, above, sizeof above);
    const int n_below = print_powers(p, -1, below, sizeof below);
    if (!n_below) return hol_arena_print(arena, "%s", above);
    return hol_arena_print(arena, n_below > 1 ? "%s/(%s)" : "%s/%s", *above ? above : "1", below);
}

// ---- inputs ---------------------------------------------------------------------------------------------------

static void take_driver(const hol_element *e, hol_port *out)
{
    out->unit = hol_prim_is_length(((const hol_prims *)e->data)->p) ? "m/s^2" : "rad/s^2";
    out->sign = hol_driven_sign(e);
}

// What an input of this name is.
static hol_status find_input(const hol_compiler *c, const hol_word *w, hol_port *out)
{
    const hol_model_data *m = c->m;
    hol_choice o;
    *out = (hol_port){w->name, "", -1, -1, 1};
    for (int i = 0; i < m->n_held; i++)
        if (m->held[i].outside && strcmp(m->held[i].name, w->name) == 0) out->held = i;
    const int k = hol_names_find_at(c->others, w->at, w->name);
    if (out->held >= 0) {
        out->unit = m->held[out->held].unit ? m->held[out->held].unit : "";
        return HOL_OK;
    }
    if (k >= 0 && m->element[k].type->role == HOL_ROLE_DRIVER) {
        out->driver = k;
        take_driver(&m->element[k], out);
        return HOL_OK;
    }
    hol_choice_start(&o, w->name);
    for (int i = 0; i < m->n_held; i++)
        if (m->held[i].outside) hol_choice_offer(&o, m->held[i].name);
    for (int i = m->n_bodies; i < m->n_elements; i++)
        if (m->element[i].type->role == HOL_ROLE_DRIVER)
            hol_choice_offer(&o, hol_seen_name(w->at, m->element[i].name));
    return hol_choice_fail(c, w->at, "linearise.inputs", "there is no input, tunable parameter or driver",
                           w->name, &o);
}

// Those that are named, each once; else all inputs of the model.
static hol_status compile_inputs(const hol_compiler *c, hol_linearise *out)
{
    const hol_spec_linearise *s = &c->spec->linearise;
    const hol_model_data *m = c->m;
    hol_port *port = hol_arena_alloc(c->spec->arena, (size_t)(s->n_inputs + m->n_held) + 1, sizeof *port);
    if (!port) return HOL_ERR_MEMORY;
    out->input = port;
    for (int i = 0; i < s->n_inputs; i++) {
        const hol_status st = find_input(c, &s->input[i], &port[i]);
        if (st) return st;
        for (int k = 0; k < i; k++)
            if (port[k].held == port[i].held && port[k].driver == port[i].driver)
                return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->input[i].at,
                                   "linearise.inputs: \"%s\" is named twice", port[i].name);
    }
    out->n_inputs = s->n_inputs;
    for (int i = 0; i < m->n_held && !s->inputs_given; i++)
        if (m->held[i].input)
            port[out->n_inputs++] =
                (hol_port){m->held[i].name, m->held[i].unit ? m->held[i].unit : "", i, -1, 1};
    return HOL_OK;
}

// ---- outputs and coordinates ----------------------------------------------------------------------------------

static const char *path_of(const hol_compiler *c, const char *list, int i)
{
    return hol_arena_print(c->spec->arena, "linearise.%s[%d]", list, i);
}

static const char *text_of_formula(const hol_formula *f) { return hol_expr_text(f->expr); }

// All variables, as they are: without an expression of their own.
static hol_status take_variables(const hol_compiler *c, hol_linearise *out, hol_equation *e)
{
    const hol_model_data *m = c->m;
    for (int i = 0; i < m->n_equations; i++) {
        if (m->equation[i].hidden) continue;
        hol_leaf *leaf = hol_arena_alloc(c->spec->arena, 1, sizeof *leaf);
        if (!leaf) return HOL_ERR_MEMORY;
        *leaf = (hol_leaf){.kind = HOL_LEAF_VALUE, .index = i};
        e[out->n_outputs++] = (hol_equation){.name = m->equation[i].name,
                                             .path = m->equation[i].path,
                                             .at = m->equation[i].at,
                                             .n_leaves = 1,
                                             .leaf = leaf,
                                             .unit = m->equation[i].unit ? m->equation[i].unit : ""};
    }
    return HOL_OK;
}

// The unit of an output e: what acts on a coordinate is a force or a torque, which its dimension leaves open.
static const char *unit_of_output(const hol_compiler *c, const hol_formula *f, const hol_equation *e)
{
    const char *unit = unit_of(c->spec->arena, hol_expr_nature(f->expr));
    const bool alone = hol_expr_leaf(f->expr) == 0 && hol_expr_factor(f->expr) == 1;
    if (!unit || *unit || !alone) return unit;
    const hol_leaf *l = &e->leaf[0];
    if (l->kind != HOL_LEAF_REACTION || l->component != HOL_REACTION_EFFORT) return unit;
    return hol_drives_length(&c->m->element[l->index]) ? "N" : "N m";
}

// Their expressions, with the units these have.
static hol_status compile_outputs(const hol_compiler *c, hol_linearise *out)
{
    const hol_spec_linearise *s = &c->spec->linearise;
    hol_equation *e =
        hol_arena_alloc(c->spec->arena, (size_t)(s->n_outputs + c->m->n_equations) + 1, sizeof *e);
    if (!e) return HOL_ERR_MEMORY;
    out->output = e;
    if (!s->outputs_given) return take_variables(c, out, e);
    out->n_outputs = s->n_outputs;
    for (int i = 0; i < s->n_outputs; i++) {
        const hol_formula *f = s->output[i];
        const char *path = path_of(c, "outputs", i);
        const hol_status st = path ? hol_resolve(c, f, path, &e[i]) : HOL_ERR_MEMORY;
        if (st) return st;
        e[i].path = path;
        e[i].at = f->at;
        e[i].name = text_of_formula(f);
        e[i].unit = unit_of_output(c, f, &e[i]);
        if (!e[i].unit) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

// What a coordinate that is the name of a variable stands for.
static const hol_formula *meaning(const hol_compiler *c, const hol_formula *f)
{
    for (int i = 0; i < c->spec->n_equations && f->n_leaves == 1 && !f->leaf[0].call; i++) {
        const bool alone = hol_expr_leaf(f->expr) == 0 && hol_expr_factor(f->expr) == 1;
        const hol_formula *of = alone ? hol_variable_formula(c, f->leaf[0].name) : NULL;
        if (!of) break;
        f = of;
    }
    return f;
}

// Elements that stand outside the model.
static hol_status compile_coordinates(hol_compiler *c, hol_linearise *out)
{
    const hol_spec_linearise *s = &c->spec->linearise;
    const size_t n = (size_t)s->n_coordinates;
    hol_element *e = hol_arena_alloc(c->spec->arena, n + 1, sizeof *e);
    hol_equation *counted = hol_arena_alloc(c->spec->arena, n + 1, sizeof *counted);
    const char **unit = hol_arena_alloc(c->spec->arena, n + 1, sizeof *unit);
    if (!e || !counted || !unit) return HOL_ERR_MEMORY;
    out->coordinate = e;
    out->counted = counted;
    out->unit = unit;
    out->n_coordinates = s->n_coordinates;
    for (int i = 0; i < s->n_coordinates; i++) {
        const hol_formula *f = meaning(c, s->measure[i]);
        const char *path = path_of(c, "coordinates", i);
        hol_status st = path ? hol_add_coordinate(c, f, path, HOL_USE_COORDINATE, &e[i]) : HOL_ERR_MEMORY;
        if (!st) st = hol_resolve(c, f, path, &counted[i]);
        if (st) return st;
        e[i].name = text_of_formula(s->measure[i]);
        unit[i] = unit_of(c->spec->arena, hol_expr_nature(f->expr));
        if (!unit[i]) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

hol_status hol_compile_linearise(hol_compiler *c)
{
    hol_linearise *out = hol_arena_alloc(c->spec->arena, 1, sizeof *out);
    if (!out) return HOL_ERR_MEMORY;
    c->m->linearise = out;
    hol_status st = compile_inputs(c, out);
    if (!st) st = compile_outputs(c, out);
    return st ? st : compile_coordinates(c, out);
}
