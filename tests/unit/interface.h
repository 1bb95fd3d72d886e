// What tests of the public functions share: a model, a simulation that never steps, and results in a folder of their own.
#ifndef INTERFACE_H
#define INTERFACE_H

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ARM[] = "dimension: 2\n"
                          "gravity: [0, -9.81]\n"
                          "bodies: [{name: arm, mass: 1, inertia: 0.1, position: [0.5, 0]}]\n"
                          "joints: [{name: pin, type: revolute, between: [ground, arm: [-0.5, 0]]}]\n"
                          "simulate: {method: rk, end: 0.2, output: 0.05}\n";

static char folder[] = "/tmp/holonom_interface_XXXXXX";
static char csv[60], html[60], glb[60], saved[60];
static hol_model *model;
static hol_simulation *sim; // never stepped
static hol_result *result;

// ---- the files -------------------------------------------------------------------------------------------------

static int prepare(void **state)
{
    if (!mkdtemp(folder) || start(state)) return -1;
    snprintf(csv, sizeof csv, "%s/a.csv", folder);
    snprintf(html, sizeof html, "%s/a.html", folder);
    snprintf(glb, sizeof glb, "%s/a.glb", folder);
    snprintf(saved, sizeof saved, "%s/a.ck", folder);
    model = hol_model_parse(ctx, "a", ARM, strlen(ARM), NULL, 0);
    hol_simulation *first = model ? hol_simulation_create(ctx, model) : NULL;
    if (!first || hol_simulation_write(first, csv) || hol_simulation_run(first)) return -1;
    hol_simulation_destroy(first);
    result = hol_result_read(ctx, csv);
    sim = hol_simulation_create(ctx, model);
    return result && sim ? 0 : -1;
}

static int clean(void **state)
{
    hol_simulation_destroy(sim);
    hol_result_destroy(result);
    hol_model_destroy(model);
    remove(csv);
    remove(html);
    remove(glb);
    remove(saved);
    return remove(folder) || stop(state);
}

#endif
