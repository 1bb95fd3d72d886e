// Trees of joints for tests: texts of random forests, models opened with their tree.
#ifndef TREE_MODELS_H
#define TREE_MODELS_H

#include "linalg/dense.h"
#include "system/initial.h"
#include "system/kernel.h"
#include "system/reaction.h"
#include "recursion/loop_solve.h"
#include "recursion/coordinates.h"
#include "recursion/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct {
    char *text;
    size_t n, room;
} text;

static inline void add(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (t->room - t->n < 1000) {
        t->room = 2 * t->room + 10000;
        t->text = realloc(t->text, t->room);
        assert_non_null(t->text);
    }
    t->n += (size_t)vsnprintf(t->text + t->n, t->room - t->n, format, list);
    va_end(list);
}

typedef struct {
    hol_context *ctx;
    hol_model_data *m;
    hol_kernel k;
    hol_equations *s;
    hol_state x;
    hol_rank rank;
    hol_forest forest;
    hol_tree *r;
} setting;

static inline hol_status open_model(setting *o, const text *t)
{
    memset(o, 0, sizeof *o);
    o->ctx = hol_context_create();
    hol_spec *spec = hol_spec_read_text(o->ctx, "test.yaml", t->text, t->n, NULL, 0);
    o->m = spec ? hol_model_compile(spec) : NULL;
    if (!o->m || hol_initialise(o->ctx, o->m, true, &o->k, &o->x, &o->rank))
        print_error("%s\n%.3000s\n", hol_context_error(o->ctx), t->text);
    o->s = o->k.s;
    assert_non_null(o->s);
    assert_int_equal(hol_forest_create(o->ctx, o->m, o->x.q, &o->forest), HOL_OK);
    return hol_tree_create(o->ctx, o->s, &o->forest, &o->r);
}

static inline void close_model(setting *o)
{
    hol_tree_destroy(o->r);
    hol_forest_destroy(&o->forest);
    hol_rank_destroy(&o->rank);
    hol_state_destroy(&o->x);
    hol_start_destroy(&o->k);
    hol_model_free(o->m);
    hol_context_destroy(o->ctx);
}

static hol_random seed;
static bool coordinates; // joints that have coordinates only
static bool geared;      // rotors turn with joints that have an angle or a stroke
static inline double uniform(void) { return hol_random_uniform(&seed); }
static inline int below(int n) { return (int)((0.5 * uniform() + 0.5) * n * 0.9999999); }

// Joint J<i> of body i and its father at a random place near both, drawn; the ends in random order.
static inline void add_joint(text *t, int i, int father, int dimension, bool point)
{
    static const char *const space[] = {
        "revolute", "spherical",         "universal", "translational", "cylindrical",   "fixed",
        "planar",   "distance",          "in-plane",  "screw",         "perpendicular", "orientation",
        "in-line",  "constant-velocity", "revolute",  "spherical"};
    static const char *const plane[] = {"revolute", "translational", "fixed",
                                        "distance", "in-line",       "revolute"};
    static const char *const with_coordinates[] = {
        "revolute", "spherical", "universal",   "translational", "cylindrical", "fixed",
        "planar",   "screw",     "orientation", "perpendicular", "revolute",    "parallel-axes"};
    static const char *const plane_with[] = {"revolute", "translational", "fixed", "orientation"};
    const char *type = coordinates && dimension == 3 ? with_coordinates[below(HOL_COUNT(with_coordinates))]
                       : coordinates                 ? plane_with[below(HOL_COUNT(plane_with))]
                       : dimension == 3              ? space[below(HOL_COUNT(space))]
                                                     : plane[below(HOL_COUNT(plane))];
    char a[20], b[20];
    if (point) type = !coordinates && below(2) ? "distance" : "at-point";
    snprintf(a, sizeof a, "b%d", i);
    snprintf(b, sizeof b, father < 0 ? "ground" : "b%d", father);
    const bool turned = below(2), distance = strcmp(type, "distance") == 0;
    const double x = 0.4 * i + 0.2 * uniform(), y = uniform(), z = uniform();
    add(t, "  - {name: J%d, type: %s, ", i, type);
    if (distance) {
        add(t, "between: [%s, %s]}\n", turned ? a : b, turned ? b : a);
        return;
    }
    add(t, "bodies: [%s, %s], ", turned ? a : b, turned ? b : a);
    // a point mass has its joint where it is
    if (point) {
        add(t, dimension == 3 ? "at: [x%d, y%d, z%d]" : "at: [x%d, y%d]", i, i, i);
    } else
        add(t, dimension == 3 ? "at: [%.4f, %.4f, %.4f]" : "at: [%.4f, %.4f]", x, y, z);
    if (strcmp(type, "revolute") != 0 || dimension == 3) {
        const double u[3] = {uniform(), uniform(), 0.3 + 0.5 * fabs(uniform())};
        if (!point && strcmp(type, "spherical") != 0)
            add(t, dimension == 3 ? ", axis: [%.4f, %.4f, %.4f]" : ", axis: [%.4f, %.4f]", u[0], u[1], u[2]);
        if (strcmp(type, "universal") == 0 || strcmp(type, "perpendicular") == 0)
            add(t, ", axis2: [%.4f, %.4f, %.4f]", u[2], 0.0, -u[0]);
        if (strcmp(type, "constant-velocity") == 0)
            add(t, ", axis2: [%.4f, %.4f, %.4f]", u[0] + (u[0] < 0 ? 0.6 : -0.6), u[1], u[2] + 0.5);
    }
    if (strcmp(type, "screw") == 0) add(t, ", pitch: 0.1");
    static const char *const turned_by[] = {"revolute", "translational", "cylindrical", "screw"};
    for (int k = 0; k < HOL_COUNT(turned_by) && geared; k++)
        if (strcmp(type, turned_by[k]) == 0) {
            const double armature = 0.6 + 0.5 * uniform();
            const bool turns = k != 1 && i % 2; // with the body that carries it, whose inertia is the larger
            add(t, ", armature: %.4f%s", turns ? 0.1 * armature : armature,
                turns || k == 1 ? "" : ", rotor: classic");
        }
    add(t, "}\n");
}

// A random forest of n bodies; every third of them may be a root of its own.
static inline void random_forest(text *t, int n, int dimension, unsigned long number)
{
    seed = (hol_random){number};
    bool point[100];
    int father[100];
    t->n = 0;
    add(t, "dimension: %d\ngravity: %s\nlength_scale: 1\nparameters:\n", dimension,
        dimension == 3 ? "[1, -2, -9.81]" : "[1, -9.81]");
    for (int i = 0; i < n; i++)
        add(t, "  x%d: %.4f\n  y%d: %.4f\n  z%d: %.4f\n", i, 0.4 * i + 0.3 * uniform(), i, uniform(), i,
            uniform());
    add(t, "bodies:\n");
    for (int i = 0; i < n; i++) {
        father[i] = i == 0 || below(6) == 0 ? -1 : below(i);
        point[i] = below(7) == 0;
        // two point masses can only be held at a distance
        if (point[i] && father[i] >= 0 && point[father[i]]) point[i] = false;
        add(t, "  - {name: b%d, mass: %.3f, ", i, 1 + 0.8 * uniform());
        if (point[i])
            add(t, "type: point, ");
        else if (dimension == 3)
            add(t, "inertia: [%.3f, %.3f, %.3f, %.3f, 0.01, -0.02], ", 1 + 0.2 * uniform(),
                1 + 0.2 * uniform(), 1.1, 0.05 * uniform());
        else
            add(t, "inertia: %.3f, ", 0.5 + 0.3 * uniform());
        if (dimension == 3) {
            add(t, "position: [x%d, y%d, z%d], velocity: [%.3f, %.3f, %.3f]", i, i, i, uniform(), uniform(),
                uniform());
            if (!point[i])
                add(t, ", omega: [%.3f, %.3f, %.3f], orientation: {axis: [%.3f, 1, %.3f], angle: %.3f}",
                    2 * uniform(), 2 * uniform(), 2 * uniform(), uniform(), uniform(), 2 * uniform());
        } else {
            add(t, "position: [x%d, y%d], velocity: [%.3f, %.3f]", i, i, uniform(), uniform());
            if (!point[i]) add(t, ", omega: %.3f, angle: %.3f", 2 * uniform(), 2 * uniform());
        }
        add(t, "}\n");
    }
    add(t, "joints:\n");
    for (int i = 0; i < n; i++) {
        if (father[i] < 0 && i && below(3) == 0) continue; // free
        const bool special = point[i] || (father[i] >= 0 && point[father[i]]);
        const int at = point[i] ? i : father[i];
        if (special && !point[i] && coordinates) {
            add(t, "  - {name: J%d, type: at-point, bodies: [b%d, b%d], at: %s[x%d, y%d%s", i, at, i, "", at,
                at, dimension == 3 ? ", " : "]}\n");
            if (dimension == 3) add(t, "z%d]}\n", at);
            continue;
        }
        if (special && !point[i]) { // the father is the point
            add(t, "  - {name: J%d, type: distance, between: [b%d, b%d]}\n", i, at, i);
            continue;
        }
        add_joint(t, i, father[i], dimension, special);
    }
    if (!point[0]) {
        add(t, "forces:\n  - {name: weight, type: force, on: b0, value: %s}\n",
            dimension == 3 ? "[1, sin(time), 2]" : "[1, 2]");
        add(t,
            "  - {name: spring, type: spring-damper, between: [b0, b%d], stiffness: 50, damping: 3, length: "
            "1}\n",
            n - 1);
    }
}

static inline double norm(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

static inline double difference(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

#endif
