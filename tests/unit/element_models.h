// Models that attach every type of element in every way.
//
// Every type of hol_element_types is attached, in every dimension it allows, to fixed and moving ground, to rigid bodies with offset
// and rotated markers and to point masses, in both orders.
#ifndef ELEMENT_MODELS_H
#define ELEMENT_MODELS_H

#include "harness.h"

#include "element/road.h"
#include "expr/spline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

enum { TEXT_SIZE = 1 << 20 };

// ---- models ---------------------------------------------------------------------------------------------------

#define SPLINES                                                                                              \
    "splines:\n"                                                                                             \
    "  - {name: wave, kind: cubic, x: [-2, -1.1, -0.3, 0.4, 1.2, 2], y: [0.3, -0.2, 0.5, 0.1, -0.4, 0.6]}\n" \
    "  - {name: cam, kind: akima, x: [-1, 0, 1.2, 2.5, 3.7, 5, 2*pi, 7.5],\n"                                \
    "     y: [1.1, 1, 1.3, 0.9, 1.2, 0.8, 1, 1.3]}\n"

static const char *const head[2] = {
    "dimension: 2\n"
    "gravity: [1.1, -9.81]\n"
    "ground:\n"
    "  markers:\n"
    "    g: {position: [0.3, -0.2], angle: 0.4}\n"
    "    mv: {position: [0.1, 0.2], angle: 0.3,\n"
    "         motion: {x: 0.2*sin(1.7*time), y: 0.1*time^3, angle: 0.3 + 0.8*sin(1.1*time)}}\n"
    "    rise: {position: [-0.4, 0.3], angle: -1.2, motion: {y: 0.3*cos(2*time)}}\n"
    "bodies:\n"
    "  - {name: a, mass: 1.3, inertia: 0.7, com: [0.2, -0.1], position: [0.5, 0.6], angle: 0.6,\n"
    "     markers: {m: {position: [0.4, 0.3], angle: 2.6}}}\n"
    "  - {name: b, mass: 2.1, inertia: 0.4, position: [-0.7, 0.2], angle: 8.2,\n"
    "     markers: {m: {position: [-0.3, 0.5], angle: -2.7}}}\n"
    "  - {name: c, mass: 1.7, inertia: 0.6, position: [0.1, 0.9], angle: -0.8}\n"
    "  - {name: d, mass: 0.9, inertia: 0.3, position: [-0.5, -0.6], angle: 3.1}\n"
    "  - {name: p, type: point, mass: 0.8, position: [0.9, -0.4]}\n"
    "  - {name: r, type: point, mass: 0.6, position: [-0.2, -0.9]}\n" SPLINES,
    "dimension: 3\n"
    "gravity: [1.1, 0.7, -9.81]\n"
    "ground:\n"
    "  markers:\n"
    "    g: {position: [0.3, -0.2, 0.5], orientation: {rpy: [0.4, -0.3, 0.8]}}\n"
    "    mv: {position: [0.1, 0.2, -0.3], orientation: {euler_zxz: [0.3, 0.5, -0.7]},\n"
    "         motion: {x: 0.2*sin(1.7*time), y: 0.1*time^3, z: 0.1*exp(-time), angle: 0.3 + "
    "0.8*sin(1.1*time),\n"
    "                  axis: [0.4, -0.5, 0.8]}}\n"
    "    rise: {position: [-0.4, 0.3, 0.2], axis: [1, 2, 2], motion: {z: 0.3*cos(2*time)}}\n"
    "bodies:\n"
    "  - {name: a, mass: 1.3, inertia: [0.7, 0.8, 0.9, 0.1, -0.05, 0.2], com: [0.2, -0.1, 0.3],\n"
    "     position: [0.5, 0.6, -0.1], orientation: {axis: [1, -1, 0.5], angle: 0.9},\n"
    "     markers: {m: {position: [0.4, 0.3, -0.6], orientation: {quat_wxyz: [0.5, -0.5, 0.5, 0.5]}}}}\n"
    "  - {name: b, mass: 2.1, inertia: [0.3, 0.4, 0.5], position: [-0.7, 0.2, 0.4],\n"
    "     markers: {m: {position: [-0.3, 0.5, 0.2], axis: [0.3, 0.1, 0.8]}}}\n"
    "  - {name: c, mass: 1.7, inertia: [0.6, 0.5, 0.4], position: [0.1, 0.9, -0.3],\n"
    "     orientation: {axis: [0.2, 0.7, -0.4], angle: 2.1}}\n"
    "  - {name: d, mass: 0.9, inertia: [0.3, 0.2, 0.4], position: [-0.5, -0.6, 0.1]}\n"
    "  - {name: p, type: point, mass: 0.8, position: [0.9, -0.4, 0.3]}\n"
    "  - {name: r, type: point, mass: 0.6, position: [-0.2, -0.9, 0.7]}\n" SPLINES};

// Joints for couplers to couple, or to hold friction. Between them they have all bodies, both senses and moving ground.
static const char *const joints_to_couple[2] = {
    "  - {name: c1, type: revolute, between: [ground.g, a.m]}\n"
    "  - {name: c2, type: revolute, between: [b.m, a]}\n"
    "  - {name: c3, type: translational, between: [c, b]}\n"
    "  - {name: c4, type: translational, between: [ground.mv, d]}\n"
    "  - {name: c5, type: revolute, between: [d, ground.rise]}\n"
    "  - {name: c6, type: revolute, between: [ground.mv, a.m]}\n",
    "  - {name: c1, type: revolute, between: [ground.g, a.m]}\n"
    "  - {name: c2, type: cylindrical, between: [b.m, a]}\n"
    "  - {name: c3, type: translational, between: [c, b]}\n"
    "  - {name: c4, type: translational, between: [ground.mv, d]}\n"
    "  - {name: c5, type: screw, pitch: 0.4, between: [d, ground.rise]}\n"
    "  - {name: c6, type: revolute, between: [ground.mv, a.m]}\n"
    "  - {name: c7, type: universal, between: [b.m, a.m]}\n"
    "  - {name: c8, type: spherical, between: [c, ground.mv]}\n"};

static const struct {
    const char *type, *joints, *options;
} couplings[] = {{"gear", "c1, c2", "ratio: -0.4"},
                 {"gear", "c2, c6", "ratio: 2.5"},
                 {"gear", "c6, c5", "ratio: -1"},
                 {"rack-pinion", "c2, c3", "radius: 0.3"},
                 {"rack-pinion", "c5, c4", "radius: -0.2"},
                 {"rack-pinion", "c1, c4", "radius: 1.7"},
                 {"coupler", "c1, c3", "ratios: [0.7, -1.9]"},
                 {"coupler", "c3, c4", "ratios: [0.5, 0.3]"},
                 {"coupler", "c1, c2, c5", "ratios: [1, -3, 2]"},
                 {"coupler", "c2, c3, c4", "ratios: [0.2, 1, -0.7]"}, // on four bodies
                 {"lock", "c3", ""},
                 {"lock", "c5", ""},
                 {"lock", "c6", ""},
                 {"friction", "c2", "{coefficient: 0.3, radius: 0.2, transition: 0.4}"},
                 {"friction", "c3", "{coefficient: 0.3, transition: 0.4}"},
                 {"rotor", "c1", "inertia: 0.8"},
                 {"rotor", "c2", "inertia: 0.5"},
                 {"rotor", "c2", "inertia: 0.5, gear: 9"},
                 {"rotor", "c2", "inertia: 0.5, gear: -7"},
                 {"inerter", "c3", "mass: 0.7"},
                 {"joint-torque", "c2", "value: 0.3 + time^2"},
                 {"joint-torque", "c6", "value: 0.7"},
                 {"joint-force", "c3", "value: 0.3*sin(time)"},
                 {"joint-force", "c4", "value: -0.6"},
                 {"joint-torque", "c7", "{value: 0.7, coordinate: angle1}"},
                 {"joint-torque", "c7", "{value: 0.3 + time^2, coordinate: angle2}"},
                 {"joint-torque", "c8", "{value: 0.7, coordinate: swing}"},
                 {"joint-torque", "c8", "{value: -0.4, coordinate: twist}"},
                 {"joint-force", "c2", "{value: 0.9, coordinate: stroke}"},
                 {"friction", "c5", "{coefficient: 0.3, radius: 0.2, transition: 0.4}"}};

static const char *const pairs[][2] = {{"ground.g", "a.m"},  {"a.m", "ground.g"},  {"ground.mv", "a.m"},
                                       {"b.m", "ground.mv"}, {"ground.rise", "b"}, {"a.m", "b.m"},
                                       {"b", "a.m"},         {"p", "a.m"},         {"b.m", "p"},
                                       {"p", "r"},           {"ground.g", "p"},    {"p", "ground.g"},
                                       {"ground.mv", "r"},   {"r", "ground.mv"}};
static const char *const single[] = {"a.m", "b", "p"};

// What must be given besides the ends; several rows for several ways of use. Types without a row have no options.
static const struct {
    hol_role role;
    const char *type;
    int dimensions;
    const char *options;
} uses[] = {
    {HOL_ROLE_JOINT, "distance", 5, "length: 0.8"},
    {HOL_ROLE_JOINT, "distance", 5, ""}, // as drawn
    {HOL_ROLE_JOINT, "revolute-spherical", 3, "length: 0.7"},
    {HOL_ROLE_JOINT, "revolute-revolute", 3, "length: 0.9"},
    {HOL_ROLE_JOINT, "screw", 3, "pitch: 0.6"},
    {HOL_ROLE_JOINT, "screw", 3, "pitch: -1.7"},
    {HOL_ROLE_JOINT, "total", 2, "hold: y rz"},
    {HOL_ROLE_JOINT, "total", 2, "hold: rz y x"},
    {HOL_ROLE_JOINT, "total", 3, "hold: x z ry"},
    {HOL_ROLE_JOINT, "total", 3, "hold: rz rx"},
    {HOL_ROLE_JOINT, "total", 3, "hold: x y z rx ry rz"},
    {HOL_ROLE_JOINT, "point-on-curve", 5, "curve: wave"},
    {HOL_ROLE_JOINT, "point-on-curve", 5, "{curve: cam, polar: yes}"},
    {HOL_ROLE_DRIVER, "angle", 5, "value: 0.4 + 0.9*sin(1.3*time) + 2*time^2"},
    {HOL_ROLE_DRIVER, "angle", 5, "value: 0.7"},
    {HOL_ROLE_DRIVER, "stroke", 5, "value: 0.3*cos(1.9*time) - time^3"},
    {HOL_ROLE_DRIVER, "distance", 5, "value: 1.5 + 0.3*sin(2*time) + time^3"},
    {HOL_ROLE_FORCE, "spring-damper", 5, "{stiffness: 3.1, length: 0.4}"},
    {HOL_ROLE_FORCE, "spring-damper", 5,
     "{stiffness: 3.1, damping: 0.7, length: 0.4, force: 0.6*sin(3*time)}"},
    {HOL_ROLE_FORCE, "rotational-spring-damper", 5, "{stiffness: 2.3, angle: 0.5}"},
    {HOL_ROLE_FORCE, "rotational-spring-damper", 5,
     "{stiffness: 2.3, damping: 0.9, angle: 0.5, torque: 0.4*cos(2*time)}"},
    {HOL_ROLE_FORCE, "bushing", 2, "stiffness: [1.1, 2.2, 3.3]"},
    {HOL_ROLE_FORCE, "bushing", 2, "{stiffness: [1.1, 2.2, 3.3], damping: [0.3, 0.5, 0.7]}"},
    {HOL_ROLE_FORCE, "bushing", 3, "stiffness: [1.1, 2.2, 3.3, 0.4, 0.5, 0.6]"},
    {HOL_ROLE_FORCE, "bushing", 3,
     "{stiffness: [1.1, 2.2, 3.3, 0.4, 0.5, 0.6], damping: [0.3, 0.5, 0.7, 0.2, 0.4, 0.8]}"},
    {HOL_ROLE_FORCE, "bushing", 2, "stiffness: [[1.1, 0.3, -0.8], [0.3, 2.2, 0.6], [-0.8, 0.6, 3.3]]"},
    {HOL_ROLE_FORCE, "bushing", 2,
     "{stiffness: [[1.1, 0.3, -0.8], [0.9, 2.2, 0.6], [0.7, -0.2, 3.3]],\n"
     "     damping: [[0.3, 0.1, 0.2], [-0.4, 0.5, 0.9], [0.6, 0.8, 0.7]]}"},
    {HOL_ROLE_FORCE, "bushing", 3,
     "stiffness: [[1.1, 0.1, 0.2, 0.3, 0.4, 0.5], [0.1, 2.2, -0.6, 0.7, 0.8, -0.9],\n"
     "     [0.2, -0.6, 3.3, 0.11, 0.12, 0.13], [0.3, 0.7, 0.11, 0.4, 0.14, 0.15],\n"
     "     [0.4, 0.8, 0.12, 0.14, 0.5, -0.16], [0.5, -0.9, 0.13, 0.15, -0.16, 0.6]]"},
    {HOL_ROLE_FORCE, "bushing", 3,
     "{stiffness: [[1.1, 0.1, 0.2, 0.3, 0.4, 0.5], [0.6, 2.2, -0.6, 0.7, 0.8, -0.9],\n"
     "     [0.2, 0.3, 3.3, 0.11, 0.12, 0.13], [0.1, 0.7, -0.4, 0.4, 0.14, 0.15],\n"
     "     [0.4, -0.8, 0.12, 0.24, 0.5, -0.16], [0.8, -0.9, 0.33, 0.15, 0.7, 0.6]],\n"
     "     damping: [[0.3, 0.1, 0.2, -0.3, 0.4, 0.5], [0.2, 0.5, 0.4, 0.7, 0.9, 0.6],\n"
     "     [0.1, 0.6, 0.7, 0.8, -0.2, 0.13], [0.3, 0.4, 0.11, 0.2, 0.5, 0.15],\n"
     "     [-0.7, 0.8, 0.9, 0.14, 0.4, 0.16], [0.5, 0.1, 0.13, -0.6, 0.3, 0.8]]}"},
    {HOL_ROLE_FORCE, "bushing", 2, "{stiffness: [1.1, 2.2], damping: [[0.3, -0.2], [0.1, 0.5]]}"},
    {HOL_ROLE_FORCE, "bushing", 3,
     "{stiffness: [[1.1, 0.4, -0.7], [0.4, 2.2, 0.9], [-0.7, 0.9, 3.3]], damping: [0.3, 0.5, 0.7]}"},
    {HOL_ROLE_FORCE, "beam", 2, "{modulus: 2.1, area: 0.7, second_moment: 0.3, length: 1.3}"},
    {HOL_ROLE_FORCE, "beam", 2, "{modulus: 2.1, area: 0.7, second_moment: 0.3, length: 0.9, damping: 0.2}"},
    {HOL_ROLE_FORCE, "beam", 3,
     "{modulus: 2.1, area: 0.7, second_moment_y: 0.3, second_moment_z: 0.5, shear_modulus: 0.8,\n"
     "     torsion_constant: 0.6, length: 1.3}"},
    {HOL_ROLE_FORCE, "beam", 3,
     "{modulus: 2.1, area: 0.7, second_moment_y: 0.3, second_moment_z: 0.5, shear_modulus: 0.8,\n"
     "     torsion_constant: 0.6, length: 0.9, damping: 0.2, shear_y: 1.2, shear_z: 1.1}"},
    {HOL_ROLE_FORCE, "force", 2, "value: [0.4*sin(2*time), 0.9*time^2]"},
    {HOL_ROLE_FORCE, "force", 2, "{value: [0.4*sin(2*time), 0.9*time^2], frame: body}"},
    {HOL_ROLE_FORCE, "force", 3, "value: [0.4*sin(2*time), 0.9*time^2, -0.3*time]"},
    {HOL_ROLE_FORCE, "force", 3, "{value: [0.4*sin(2*time), 0.9*time^2, -0.3*time], frame: body}"},
    {HOL_ROLE_FORCE, "vector-force", 2, "{force: [0.4*sin(2*time), 0.9*time^2], torque: 0.3*time}"},
    {HOL_ROLE_FORCE, "vector-force", 2, "{force: [0.4*sin(2*time), 0.9*time^2], axes: a.m}"},
    {HOL_ROLE_FORCE, "vector-force", 2, "{torque: 0.7, axes: ground.mv}"},
    {HOL_ROLE_FORCE, "vector-force", 3,
     "{force: [0.4*sin(2*time), 0.9*time^2, -0.3*time], torque: [0.3, 0.2*time, -0.5]}"},
    {HOL_ROLE_FORCE, "vector-force", 3,
     "{force: [0.4*sin(2*time), 0.9*time^2, -0.3*time], torque: [0.3, 0.2*time, -0.5], axes: c}"},
    {HOL_ROLE_FORCE, "vector-force", 3, "{force: [0.4*sin(2*time), 0.9*time^2, -0.3*time], axes: b.m}"},
    {HOL_ROLE_FORCE, "vector-force", 3, "{torque: [0.3, 0.2*time, -0.5], axes: ground.mv}"},
    {HOL_ROLE_FORCE, "torque", 2, "value: 0.4*sin(2*time)"},
    {HOL_ROLE_FORCE, "torque", 3, "value: [0.4*sin(2*time), 0.9*time^2, -0.3*time]"},
    {HOL_ROLE_FORCE, "torque", 3, "{value: [0.4*sin(2*time), 0.9*time^2, -0.3*time], frame: body}"},
    {HOL_ROLE_FORCE, "tyre", 5, "{stiffness: 3.1, damping: 0.7, length: 0.4}"},
    {HOL_ROLE_FORCE, "tyre", 5, "{stiffness: 3.1, damping: 0.7, length: 0.4, no_tension: yes}"},
    {HOL_ROLE_FORCE, "tyre", 5,
     "{stiffness: 3.1, damping: 0.7, road: bump, middle: 0.2, height: 0.3, half_width: 0.9}"},
    {HOL_ROLE_FORCE, "tyre", 5,
     "{stiffness: 3.1, damping: 0.7, length: 0.4, no_tension: yes, road: bump, middle: 0.2, height: -0.3, "
     "half_width: 0.9}"},
    {HOL_ROLE_FORCE, "tyre", 5,
     "{stiffness: 3.1, damping: 0.7, length: 0.4, road: cylinder, middle: -0.1, height: 1.1, steepest: 1.3}"},
    {HOL_ROLE_FORCE, "tyre", 5,
     "{stiffness: 3.1, damping: 0.7, length: 0.4, road: cylinder, middle: 0.1, height: -0.3, half_width: "
     "1.2}"},
    {HOL_ROLE_FORCE, "tyre", 5, "{stiffness: 3.1, damping: 0.7, length: 0.4, road: table, heights: wave}"},
    {HOL_ROLE_FORCE, "tyre", 5, "{stiffness: 3.1, damping: 0.7, length: 0.4, road: table, heights: cam}"},
};

static const char *const constraints[2] = {
    "constraints:\n"
    "  - {name: k1, position: 'DX(a.m, ground.g) * DM(b.m, a.m) - sin(time) * AZ(a.m, b.m)^2'}\n"
    "  - {name: k2, position: 'DY(p, ground.mv, a.m) + time^2 * AZ(b, ground.rise)'}\n"
    "  - {name: k3, velocity: 'VX(a.m, b.m, a.m) - 0.3 * WZ(a.m) * DX(a.m, b) + cos(time)'}\n"
    "  - {name: k4, velocity: 'VR(a.m, ground.mv) * AZ(b.m, a.m) + VM(p, a.m) - WZ(ground.mv)'}\n"
    "  - {name: k5, velocity: 'VY(b.m, a, b.m, a.m) + VX(b.m, ground.g, ground.mv, ground.mv)^2'}\n",
    "constraints:\n"
    "  - {name: k1, position: 'DX(a.m, ground.g) * DM(b.m, a.m) - sin(time) * AZ(a.m, b.m)^2'}\n"
    "  - {name: k2, position: 'DZ(p, ground.mv, a.m) + time^2 * AX(b, ground.rise) * AY(ground.mv, a.m)'}\n"
    "  - {name: k3, velocity: 'VX(a.m, b.m, a.m) - 0.3 * WZ(a.m) * DX(a.m, b) + cos(time)'}\n"
    "  - {name: k4, velocity: 'VR(a.m, ground.mv) * AZ(b.m, a.m) + WM(b, a.m) - WX(ground.mv, b.m, a)'}\n"
    "  - {name: k5, velocity: 'VY(b.m, a, b.m, a.m) + VZ(b.m, ground.g, ground.mv, ground.mv)^2'}\n"};

typedef struct {
    char *text;
    size_t n;
    int count; // elements written
} writer;

static void put(writer *w, const char *format, ...) HOL_PRINTF(2, 3);
static inline void put(writer *w, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    const int k = vsnprintf(w->text + w->n, TEXT_SIZE - w->n, format, ap);
    va_end(ap);
    w->n += (size_t)k;
    assert_true(w->n < TEXT_SIZE - 1);
}

static bool in_dimension(int dimensions, int d) { return dimensions == 5 || dimensions == d; }

static bool has_axes(const char *end) { return end[0] != 'p' && end[0] != 'r'; }

static inline void put_item(writer *w, const hol_element_type *type, const char *options)
{
    const size_t n = strlen(options);
    const bool braces = n && options[0] == '{';
    put(w, "  - {name: e%d, type: %s%s%.*s", w->count++, type->name, n ? ", " : "", (int)(braces ? n - 2 : n),
        options + (braces ? 1 : 0));
}

// Are the z axes less than a right angle apart, as a constant-velocity joint wants them?
static inline bool shafts_fit(const char *const pair[2])
{
    static char text[10000];
    hol_context *own = hol_context_create();
    snprintf(text, sizeof text, "%sjoints:\n  - {name: j, type: constant-velocity, between: [%s, %s]}\n",
             head[1], pair[0], pair[1]);
    hol_spec *spec = hol_spec_read_text(own, "trial.yaml", text, strlen(text), NULL, 0);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    const bool fits = m != NULL;
    hol_model_free(m);
    hol_context_destroy(own);
    return fits;
}

// Numbers in the first list, or in its first row: a bushing to a point mass has as many as the model has dimensions.
static inline int coefficients(const char *options)
{
    const char *row = strchr(options, '[');
    int n = 1;
    for (const char *p = row ? row : ""; *p && *p != ']'; p++) n += *p == ',';
    return n;
}

// All the ways of attaching a type with given options.
static inline void put_type(writer *w, const hol_element_type *type, int d, const char *options)
{
    const bool bushing = strcmp(type->name, "bushing") == 0;
    const bool follows = strstr(options, "frame: body") != NULL;
    const bool turned = type->components && strstr(options, "torque") != NULL;
    const int axes = type->axes[d - 2] | (follows || type->components ? HOL_AXES_FIRST : 0) |
                     (turned ? HOL_AXES_SECOND : 0);
    for (int i = 0; type->ends == 1 && i < HOL_COUNT(single); i++) {
        if (axes && !has_axes(single[i])) continue;
        put_item(w, type, options);
        put(w, ", on: %s}\n", single[i]);
    }
    for (int i = 0; type->ends == 2 && i < HOL_COUNT(pairs); i++) {
        const char *const *pair = pairs[i];
        if ((axes & HOL_AXES_FIRST && !has_axes(pair[0])) || (axes & HOL_AXES_SECOND && !has_axes(pair[1])))
            continue;
        if (bushing && has_axes(pair[1]) == (coefficients(options) == d)) continue;
        if (strcmp(type->name, "constant-velocity") == 0 && !shafts_fit(pair)) continue;
        put_item(w, type, options);
        put(w, ", between: [%s, %s]}\n", pair[0], pair[1]);
    }
}

static inline void put_couplings(writer *w, const hol_element_type *type, int d)
{
    for (int i = 0; i < HOL_COUNT(couplings); i++) {
        const bool in_space =
            strcmp(couplings[i].joints, "c7") >= 0 || strstr(couplings[i].options, "stroke");
        if (strcmp(couplings[i].type, type->name) != 0 || (in_space && d == 2)) continue;
        put_item(w, type, couplings[i].options);
        put(w, type->joints == 1 ? ", joint: %s}\n" : ", joints: [%s]}\n", couplings[i].joints);
    }
}

static inline void put_role(writer *w, hol_role role, int d, const char *section)
{
    put(w, "%s:\n%s", section, role == HOL_ROLE_JOINT ? joints_to_couple[d - 2] : "");
    for (const hol_element_type *const *t = hol_element_types; *t; t++) {
        if ((*t)->role != role || !in_dimension((*t)->dimensions, d)) continue;
        if ((*t)->joints) put_couplings(w, *t, d);
        int found = 0;
        for (int i = 0; i < HOL_COUNT(uses); i++)
            if (uses[i].role == role && strcmp(uses[i].type, (*t)->name) == 0 &&
                in_dimension(uses[i].dimensions, d)) {
                put_type(w, *t, d, uses[i].options);
                found++;
            }
        if (!found) put_type(w, *t, d, "");
    }
}

static inline hol_model_data *compile_text(const char *text)
{
    hol_context_clear(ctx);
    hol_spec *spec = hol_spec_read_text(ctx, "test.yaml", text, strlen(text), NULL, 0);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    if (!m) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(m);
    return m;
}

static inline const char *text_of_all(int d)
{
    static char text[TEXT_SIZE];
    writer w = {text, 0, 0};
    put(&w, "%s", head[d - 2]);
    put_role(&w, HOL_ROLE_JOINT, d, "joints");
    put_role(&w, HOL_ROLE_DRIVER, d, "drivers");
    put_role(&w, HOL_ROLE_FORCE, d, "forces");
    put(&w, "%s", constraints[d - 2]);
    return text;
}

static inline hol_model_data *model_of(int d) { return compile_text(text_of_all(d)); }

#endif
