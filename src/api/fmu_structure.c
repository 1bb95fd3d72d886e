// ModelStructure of an FMU: its outputs, what is calculated at the start, and what each of these depends on. A master finds loops between
// FMUs by it: what is missing there makes wrong results, what is too much only costs time.
#include "analysis/ports.h"
#include "api/fmu.h"
#include "model/model.h"
#include "model/subsystem.h"

#include <string.h>

typedef struct {
    FILE *xml;
    int version;
    const hol_model *model;
    const hol_signals *g;
    const hol_fmu_list *list;
    char *reached; // signals by inputs and tunable parameters       (signals x inputs)
    char *on;      // variables on which one depends, and calculated parameters between (list->n)
} structure;

// ---- what depends on what -------------------------------------------------------------------------------------

static hol_status find_reached(structure *s)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < s->list->n && !st; i++) {
        const hol_fmu_variable *v = &s->list->variable[i];
        if (v->kind == HOL_FMU_INPUT || v->kind == HOL_FMU_TUNABLE)
            st = hol_ports_depend(s->g, v->index, s->reached + (size_t)v->index * (size_t)s->g->n);
    }
    return st;
}

// At communication points: time, and inputs that reach it at once. At the start every parameter may change it besides, and, where that is an
// equilibrium, every input.
static void signal_on(structure *s, const hol_fmu_variable *signal, bool initial)
{
    const bool all = initial && s->model->settings.at_rest;
    for (int i = 0; i < s->list->n; i++) {
        const hol_fmu_variable *v = &s->list->variable[i];
        const bool reaches = (v->kind == HOL_FMU_INPUT || (initial && v->kind == HOL_FMU_TUNABLE)) &&
                             (all || s->reached[(size_t)v->index * (size_t)s->g->n + (size_t)signal->index]);
        s->on[i] = reaches || v->kind == HOL_FMU_TIME || (initial && v->kind == HOL_FMU_PARAMETER);
    }
}

static int find(const hol_fmu_list *list, const char *name, size_t n)
{
    for (int i = 0; i < list->n; i++)
        if (strlen(list->variable[i].name) == n && strncmp(list->variable[i].name, name, n) == 0) return i;
    return -1;
}

// Of a name, or of a number.
static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// A parameter that is an expression: on those that it names, and on what these name, down to numbers.
static void formula_on(structure *s, const hol_fmu_variable *parameter)
{
    const hol_spec *spec = s->model->data->spec;
    hol_parameter own = {0};
    hol_parameter_of(spec, parameter->index, &own);
    for (const char *p = own.formula; p && *p;) {
        size_t n = 0;
        hol_constant ignored;
        while (in_word(p[n])) n++;
        const char *word = n ? hol_arena_copy(spec->arena, p, n) : NULL;
        const char *full = word ? hol_parameter_at(spec, own.at, word, &ignored) : NULL;
        const int i = full ? find(s->list, full, strlen(full)) : -1;
        const hol_fmu_kind kind = i >= 0 ? s->list->variable[i].kind : HOL_FMU_LOCAL;
        const bool calculated = kind == HOL_FMU_CALCULATED, again = i >= 0 && s->on[i];
        if (calculated || kind == HOL_FMU_PARAMETER || kind == HOL_FMU_TUNABLE) s->on[i] = 1;
        if (calculated && !again) formula_on(s, &s->list->variable[i]);
        p += n ? n : 1;
    }
}

// ---- the lists ------------------------------------------------------------------------------------------------

// Version 2 counts variables from 1, version 3 has value references.
static void put_item(structure *s, const char *item, int i)
{
    const int first = s->version == 2;
    bool any = false;
    if (s->version == 2)
        fprintf(s->xml, "      <Unknown index=\"%d\"", i + first);
    else
        fprintf(s->xml, "    <%s valueReference=\"%d\"", item, i);
    fputs(" dependencies=\"", s->xml);
    for (int k = 0; k < s->list->n; k++) {
        if (!s->on[k] || s->list->variable[k].kind == HOL_FMU_CALCULATED) continue;
        fprintf(s->xml, "%s%d", any ? " " : "", k + first);
        any = true;
    }
    fputs("\"/>\n", s->xml);
}

// Outputs, or what is calculated at the start.
static void put_list(structure *s, const char *list, const char *item, bool initial)
{
    bool any = false;
    for (int i = 0; i < s->list->n; i++) {
        const hol_fmu_variable *v = &s->list->variable[i];
        if (v->kind != HOL_FMU_OUTPUT && !(initial && v->kind == HOL_FMU_CALCULATED)) continue;
        if (s->version == 2 && !any) fprintf(s->xml, "    <%s>\n", list);
        any = true;
        memset(s->on, 0, (size_t)s->list->n);
        if (v->kind == HOL_FMU_OUTPUT)
            signal_on(s, v, initial);
        else
            formula_on(s, v);
        put_item(s, item, i);
    }
    if (s->version == 2 && any) fprintf(s->xml, "    </%s>\n", list);
}

hol_status hol_fmu_put_structure(FILE *xml, int version, const hol_model *model, const hol_simulation *sim,
                                 const hol_fmu_list *list)
{
    const hol_signals *g = &sim->d->signals;
    structure s = {xml, version, model, g, list, NULL, NULL};
    s.reached = hol_calloc(sim->ctx, (size_t)g->n * (size_t)hol_model_inputs(model->data) + 1, 1);
    s.on = hol_calloc(sim->ctx, (size_t)list->n + 1, 1);
    hol_status st = s.reached && s.on ? find_reached(&s) : HOL_ERR_MEMORY;
    if (!st) {
        fputs("  <ModelStructure>\n", xml);
        put_list(&s, "Outputs", "Output", false);
        put_list(&s, "InitialUnknowns", "InitialUnknown", true);
        fputs("  </ModelStructure>\n", xml);
    }
    hol_free(s.reached);
    hol_free(s.on);
    return st;
}
