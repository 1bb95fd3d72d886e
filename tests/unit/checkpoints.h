// Small models whose checkpoints have everything that a checkpoint can have, for every method of the table.
#ifndef CHECKPOINTS_H
#define CHECKPOINTS_H

#include "harness.h"

#include <stdio.h>
#include <string.h>

// A driven arm: events by time and by an expression, a switch, counted turns, a state, a variable, a parameter that changes.
static const char ARM[] =
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "parameters: {held: 0.5, m: 1}\n"
    "bodies:\n"
    "  - {name: arm, mass: m, inertia: 0.1, position: [0.5, 0]}\n"
    "joints:\n"
    "  - {name: pin, type: revolute, between: [ground, arm: [-0.5, 0]]}\n"
    "variables:\n"
    "  - {name: slow, value: 0.5*sum}\n"
    "states:\n"
    "  - {name: sum, rate: AZ(arm)}\n"
    "forces:\n"
    "  - {name: motor, type: torque, on: arm, value: held - slow - 0.2*WZ(arm)}\n"
    "  - {name: coil, type: rotational-spring-damper, between: [ground, arm], stiffness: 0.5}\n"
    "events:\n"
    "  - {name: sample, every: 0.125, set: {held: 1 - held}}\n"
    "  - {name: down, when: DY(arm) + 0.125, off: coil, once: yes}\n"
    "simulate: {end: 0.5, output: 0.05}\n";

// Two bars in parallel that carry a third one and a fourth: redundant equations, rows that may be chosen anew.
static const char BARS[] =
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "parameters: {m: 1}\n"
    "bodies:\n"
    "  - for: i in 0..2\n"
    "    name: bar{i}\n"
    "    mass: 1\n"
    "    inertia: 0.1\n"
    "    position: [i, 0.5]\n"
    "    angle: 90 deg\n"
    "    velocity: [0.5, 0]\n"
    "    omega: -1\n"
    "  - {name: top, mass: m, inertia: 0.1, position: [1, 1], velocity: [1, 0]}\n"
    "joints:\n"
    "  - {for: i in 0..2, name: foot{i}, type: revolute, between: [ground: [i, 0], bar{i}: [-0.5, 0]]}\n"
    "  - {for: i in 0..2, name: head{i}, type: revolute, between: [bar{i}: [0.5, 0], top: [i - 1, 0]]}\n"
    "simulate: {end: 0.5, output: 0.05}\n";

// A body in space on a ball joint, with a turning spring.
static const char TOP[] =
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {m: 1}\n"
    "bodies:\n"
    "  - {name: top, mass: m, inertia: [0.1, 0.1, 0.05], position: [0.25, 0, 0], omega: [0, 0, 5]}\n"
    "joints:\n"
    "  - {name: ball, type: spherical, between: [ground, top: [-0.25, 0, 0]]}\n"
    "simulate: {end: 0.5, output: 0.05}\n";

static const char *const checkpoint_models[] = {ARM, BARS, TOP};
enum { CHECKPOINT_MODELS = 3 };

// With steps that the method has, and further overrides. NULL: the method does not take the model.
static inline hol_simulation *open_text(hol_context *own, const char *text, const hol_method_info *method,
                                        const char *more, hol_model **out)
{
    char name[80];
    const char *steps = method->fixed_steps ? "simulate.step=0.01" : "simulate.tolerance=1e-4";
    const bool anew = more && strncmp(more, steps, strcspn(steps, "=") + 1) == 0;
    const char *set[] = {name, anew ? more : steps, more};
    snprintf(name, sizeof name, "simulate.method=%s", method->name);
    *out = hol_model_parse(own, "model", text, strlen(text), set, more && !anew ? 3 : 2);
    if (!*out) print_error("%s\n", hol_context_error(own));
    assert_non_null(*out);
    hol_simulation *sim = hol_simulation_create(own, *out);
    if (sim) return sim;
    assert_int_equal(hol_context_status(own), HOL_ERR_USAGE); // it says what it does not take
    hol_model_destroy(*out);
    return NULL;
}

static inline hol_simulation *open_method(hol_context *own, int model, const hol_method_info *method,
                                          const char *more, hol_model **out)
{
    return open_text(own, checkpoint_models[model], method, more, out);
}

#endif
