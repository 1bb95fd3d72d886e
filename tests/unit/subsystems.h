// What tests of subsystems share: files of their own, a part with all that a file may have, and its columns beside those of its image.
#ifndef SUBSYSTEMS_H
#define SUBSYSTEMS_H

#include "attached.h"
#include "harness.h"
#include "holonom_draft.h"
#include "element/coordinate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/holonom_subsystems_XXXXXX", part[80], middle[80], name_of_model[80];

static int begin(void **state)
{
    if (start(state) || !mkdtemp(folder)) return -1;
    snprintf(part, sizeof part, "%s/part.yaml", folder);
    snprintf(middle, sizeof middle, "%s/middle.yaml", folder);
    snprintf(name_of_model, sizeof name_of_model, "%s/model.yaml", folder);
    return 0;
}

static int end(void **state)
{
    remove(part);
    remove(middle);
    rmdir(folder);
    return stop(state);
}

// Variables for all coordinates of the element e, its force, and measures in turn.
static void add_variables(const hol_element_type *t, int dimension, bool coupled, char *out)
{
    static const char *const reaction[2][6] = {{"FX", "FY", "TZ", "FM", "TM"},
                                               {"FX", "FY", "FZ", "TX", "TY", "TZ"}};
    static const char *const arguments[] = {"b.m", "b.m, a.m", "b.m, a, c", "b, a.m, ground.g, c"};
    char *p = out + strlen(out);
    p += sprintf(p, "variables:\n");
    for (const hol_joint_coordinate *c = t->named[dimension - 2]; c && c->name; c++) {
        hol_measured ignored;
        int n;
        (void)hol_measured_find(c->name, 1, dimension, &ignored, &n);
        if (strcmp(t->name, "total") == 0 ||
            (strcmp(t->name, "parallel-axes") == 0 && strcmp(c->name, "angle") == 0))
            continue;
        p += sprintf(p, "  - {name: own_%s, value: e.%s}\n", c->name, c->name);
    }
    if (t->ends && t->role != HOL_ROLE_CONSTRAINT && t->role != HOL_ROLE_BODY)
        for (int i = 0; i < 6 && reaction[dimension - 2][i]; i++)
            p += sprintf(p, "  - {name: r%d, value: %s(e)}\n", i, reaction[dimension - 2][i]);
    if (coupled)
        p += sprintf(p, "  - {name: turn, value: c1.angle + c1.rate + c1.accel}\n  - {name: slide, value: "
                        "c3.stroke - c3.accel}\n");
    for (const hol_quantity_name *q = hol_quantity_names; q->name; q++)
        for (int n = 1; n <= q->max_markers; n++)
            if (q->dimensions == 5 || dimension == 3)
                p += sprintf(p, "  - {name: m%s%d, value: \"%s(%s)\"}\n", q->name, n, q->name,
                             arguments[n - 1]);
    for (const hol_measured_name *m = hol_measured_names; m->name; m++)
        if (dimension == 3 || (strcmp(m->name, "WDTM") != 0))
            p += sprintf(p, "  - {name: m%s, value: \"%s(b.m, a)\"}\n", m->name, m->name);
    p += sprintf(p, "states:\n  - {name: sum, rate: \"DY(b, a) + VX(c) + time\", initial: 0.1}\n");
    p += sprintf(
        p, "events:\n  - {name: later, when: time - 0.025, set: {gain: 2*gain, sum: \"sum + DY(c, b)\"}}\n");
    sprintf(p, "inputs:\n  - {name: gain, value: 0.5}\n");
}

// ---- comparisons ------------------------------------------------------------------------------------------------

static bool is_coordinate(const hol_model_data *m, const char *column)
{
    char object[200];
    snprintf(object, sizeof object, "%.*s", (int)(strrchr(column, '.') - column), column);
    const int e = hol_model_find_element(m, object);
    return e >= 0 && hol_joint_coordinate_find(&m->element[e], m->dimension, strrchr(column, '.') + 1);
}

static motion open_text(const char *text, const char *set)
{
    motion a = {.model =
                    hol_model_parse(ctx, name_of_model, text, strlen(text), set ? &set : NULL, set != NULL)};
    if (a.model) a.sim = hol_simulation_create(ctx, a.model);
    return a;
}

static motion run_text(const char *text, const char *set)
{
    motion a = open_text(text, set);
    a.end = a.sim ? hol_simulation_run(a.sim) : HOL_ERR_MODEL;
    if (a.end) fail_msg("%s\n%s", hol_context_error(ctx), text);
    return a;
}

// ---- nesting, places ----------------------------------------------------------------------------------------------

// A file with a joint, friction, a driver, all measures and blocks that use each other's outputs, in space or in the plane.
static void write_part(int dimension)
{
    static char inner[TEXT];
    const hol_element_type *friction = hol_element_find(HOL_ROLE_FORCE, dimension, "friction");
    snprintf(inner, sizeof inner,
             "%s%s  - {name: e, type: friction, joint: c2, coefficient: 0.3, radius: 0.2, transition: "
             "0.4}\n%sjoints:\n%s"
             "drivers: [{name: d, type: angle, joint: c2, value: k/100*sin(time)}]\n",
             bodies[dimension - 2], springs[dimension - 2], spline, hinges[dimension - 2]);
    add_variables(friction, dimension, true, inner);
    strcat(inner,
           "state_spaces: [{name: block, inputs: [\"DX(b, a)\", lag], outputs: [near, far], A: [[-3]], B: "
           "[[1, 2]], C: [[1], [2]], D: [[0, 0], [0.5, 0]]}]\n"
           "transfer_functions: [{name: lag, input: far + turn, numerator: [1], denominator: [0.1, 1]}]\n");
    write_file(part, inner);
}

#define RUN "simulate: {end: 0.04, step: 0.01, method: rk, output: 0.04, signals: [all, coordinates]}\n"

#endif
