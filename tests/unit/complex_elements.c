// Every derivative of every element type against the complex step.
//
//     df/dx = Im f(x + i h) / h with h = 1e-30, exact to rounding because nothing is subtracted.
//
// The library is compiled with hol_real = double complex for this test. The models below attach every type of
// hol_element_types, in every dimension it allows, to fixed and moving ground, to rigid bodies with offset and rotated
// markers and to point masses, in both orders. A derivative passes when each entry is within TOLERANCE of the complex
// step, relative to the largest entry of the matrix or of the function differentiated (a sum that cancels leaves the
// rounding of its terms). The last part checks values against geometry written down independently: a consistent
// mistake in a function and its derivatives is invisible to the complex step.
#include "harness.h"

#include "element/road.h"
#include "expr/spline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

static const double STEP = 1e-30, TOLERANCE = 1e-12;
enum { STATES = 3, MAX_OUT = HOL_MAX_Y * HOL_MAX_Y, TEXT_SIZE = 1 << 20, ENOUGH = 10 };

static int failures;
static hol_random dice = {20240607};

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
    "  - {name: c6, type: revolute, between: [ground.mv, a.m]}\n"};

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
                 {"friction", "c2", "{coefficient: 0.3, radius: 0.2, transition: 0.4}"},
                 {"friction", "c3", "{coefficient: 0.3, transition: 0.4}"},
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
     "     torsion_constant: 0.6, length: 0.9, damping: 0.2}"},
    {HOL_ROLE_FORCE, "force", 2, "value: [0.4*sin(2*time), 0.9*time^2]"},
    {HOL_ROLE_FORCE, "force", 2, "{value: [0.4*sin(2*time), 0.9*time^2], frame: body}"},
    {HOL_ROLE_FORCE, "force", 3, "value: [0.4*sin(2*time), 0.9*time^2, -0.3*time]"},
    {HOL_ROLE_FORCE, "force", 3, "{value: [0.4*sin(2*time), 0.9*time^2, -0.3*time], frame: body}"},
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
static void put(writer *w, const char *format, ...)
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

static void put_item(writer *w, const hol_element_type *type, const char *options)
{
    const size_t n = strlen(options);
    const bool braces = n && options[0] == '{';
    put(w, "  - {name: e%d, type: %s%s%.*s", w->count++, type->name, n ? ", " : "", (int)(braces ? n - 2 : n),
        options + (braces ? 1 : 0));
}

// Are the z axes less than a right angle apart, as a constant-velocity joint wants them?
static bool shafts_fit(const char *const pair[2])
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
static int coefficients(const char *options)
{
    const char *row = strchr(options, '[');
    int n = 1;
    for (const char *p = row ? row : ""; *p && *p != ']'; p++) n += *p == ',';
    return n;
}

// All the ways of attaching a type with given options.
static void put_type(writer *w, const hol_element_type *type, int d, const char *options)
{
    const bool bushing = strcmp(type->name, "bushing") == 0;
    const bool follows = strstr(options, "frame: body") != NULL;
    const int axes = type->axes[d - 2] | (follows ? HOL_AXES_FIRST : 0);
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

static void put_couplings(writer *w, const hol_element_type *type)
{
    for (int i = 0; i < HOL_COUNT(couplings); i++) {
        if (strcmp(couplings[i].type, type->name) != 0) continue;
        put_item(w, type, couplings[i].options);
        put(w, type->joints == 1 ? ", joint: %s}\n" : ", joints: [%s]}\n", couplings[i].joints);
    }
}

static void put_role(writer *w, hol_role role, int d, const char *section)
{
    put(w, "%s:\n%s", section, role == HOL_ROLE_JOINT ? joints_to_couple[d - 2] : "");
    for (const hol_element_type *const *t = hol_element_types; *t; t++) {
        if ((*t)->role != role || !in_dimension((*t)->dimensions, d)) continue;
        if ((*t)->joints) put_couplings(w, *t);
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

static hol_model_data *compile_text(const char *text)
{
    hol_context_clear(ctx);
    hol_spec *spec = hol_spec_read_text(ctx, "test.yaml", text, strlen(text), NULL, 0);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    if (!m) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(m);
    return m;
}

static hol_model_data *model_of(int d)
{
    static char text[TEXT_SIZE];
    writer w = {text, 0, 0};
    put(&w, "%s", head[d - 2]);
    put_role(&w, HOL_ROLE_JOINT, d, "joints");
    put_role(&w, HOL_ROLE_DRIVER, d, "drivers");
    put_role(&w, HOL_ROLE_FORCE, d, "forces");
    put(&w, "%s", constraints[d - 2]);
    return compile_text(text);
}

// ---- states ---------------------------------------------------------------------------------------------------

typedef struct {
    const hol_model_data *m;
    const hol_element *e;
    int ny, nq;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], a[HOL_MAX_Y], lam[HOL_MAX_ROWS], u[HOL_MAX_ROWS];
    double mem[HOL_MAX_MEMORY];
} probe;

// y and w random, Euler parameters not normalised; time is away from 0. State 1 has w = (a, 0).
static void draw(probe *s, const hol_model_data *m, const hol_element *e, int state)
{
    s->m = m;
    s->e = e;
    s->ny = e->ny;
    s->nq = e->ny - 1;
    for (int i = 0; i < s->ny; i++) {
        s->y[i] = random_in(&dice, -1.5, 1.5);
        s->w[i] = random_in(&dice, -1.5, 1.5);
        s->a[i] = random_in(&dice, -1.5, 1.5);
    }
    for (int i = 0; i < HOL_MAX_ROWS; i++) {
        s->lam[i] = random_in(&dice, -1.5, 1.5);
        s->u[i] = random_in(&dice, -1.5, 1.5);
    }
    for (int i = 0; i < HOL_MAX_MEMORY; i++)
        s->mem[i] = random_in(&dice, -3, 3) + 2 * HOL_PI * (state == 0 ? 0 : state == 1 ? 4 : -3);
    s->y[s->nq] = random_in(&dice, 0.2, 1.2);
    s->w[s->nq] = state == 1 ? 0 : 1;
}

// Scales the Euler parameters of the element's bodies to length 1, and takes rates tangent to the sphere.
static void normalise(probe *s)
{
    for (int b = 0, at = 0; b < s->e->n_bodies; b++) {
        const hol_body *body = &s->m->body[s->e->body[b]];
        if (body->frame == HOL_FRAME_SPATIAL) {
            hol_real *p = s->y + at + 3, *v = s->w + at + 3;
            double pp = 0, pv = 0;
            for (int i = 0; i < 4; i++) pp += hol_re(p[i]) * hol_re(p[i]);
            for (int i = 0; i < 4; i++) p[i] = p[i] / sqrt(pp);
            for (int i = 0; i < 4; i++) pv += hol_re(p[i]) * hol_re(v[i]);
            for (int i = 0; i < 4; i++) v[i] = v[i] - pv * p[i];
        }
        at += body->size;
    }
}

// ---- comparing ------------------------------------------------------------------------------------------------

static void report(const probe *s, const char *what, int i, int j, double have, double want, double scale)
{
    if (failures++ >= ENOUGH) return;
    const hol_element *e = s->e;
    char label[2][200] = {"", ""};
    for (int k = 0; k < 2 && k < e->n_ends; k++) hol_model_end(s->m, e, k, label[k], sizeof label[k]);
    const char *from = label[0], *to = label[1];
    print_error("%dD %s (%s %s %s): %s[%d][%d] = %.17g, must be %.17g; scale %.3g\n", s->m->dimension,
                e->type->name, e->name, from, to, what, i, j, have, want, scale);
}

static double largest(const hol_real *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(hol_re(x[i])));
    return most;
}

// have and want are (rows x cols); `values` are those of the function differentiated.
static void compare(const probe *s, const char *what, int rows, int cols, const hol_real *have,
                    const hol_real *want, double values)
{
    const double scale = fmax(values, fmax(largest(have, rows * cols), largest(want, rows * cols)));
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            const double x = hol_re(have[i * cols + j]), y = hol_re(want[i * cols + j]);
            if (!(fabs(x - y) <= TOLERANCE * scale)) report(s, what, i, j, x, y, scale);
        }
}

static void compare_number(const probe *s, const char *what, hol_real have, hol_real want, double values)
{
    compare(s, what, 1, 1, &have, &want, values);
}

// A function without derivative must not depend on anything: exactly.
static void must_be_zero(const probe *s, const char *what, int rows, int cols, const hol_real *step)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            if (hol_re(step[i * cols + j]) != 0) report(s, what, i, j, 0, hol_re(step[i * cols + j]), 0);
}

// ---- the functions to differentiate ---------------------------------------------------------------------------

typedef void (*function)(const probe *s, const hol_real *y, const hol_real *w, hol_real *out);

static void phi_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    (void)w;
    s->e->type->phi(s->e->data, s->ny, y, s->mem, out, NULL);
}

// out = J w for the rows of the element, w frozen
static void times_w(const probe *s, const hol_real *J, hol_real *out)
{
    for (int i = 0; i < s->e->n_rows; i++) {
        out[i] = 0;
        for (int j = 0; j < s->ny; j++) out[i] += J[i * s->ny + j] * s->w[j];
    }
}

static void phi_y_w_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y] = {0};
    (void)w;
    if (s->e->type->phi) s->e->type->phi(s->e->data, s->ny, y, NULL, NULL, J);
    times_w(s, J, out);
}

static void phi_yw_w_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y] = {0};
    (void)w;
    if (s->e->type->phi_yw) s->e->type->phi_yw(s->e->data, s->ny, y, s->w, J);
    times_w(s, J, out);
}

static void phi_y_lam_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y] = {0};
    (void)w;
    if (s->e->type->phi) s->e->type->phi(s->e->data, s->ny, y, NULL, NULL, J);
    for (int j = 0; j < s->ny; j++) {
        out[j] = 0;
        for (int i = 0; i < s->e->n_rows; i++) out[j] += J[i * s->ny + j] * s->lam[i];
    }
}

static void mass_a_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real M[7 * 7];
    (void)w;
    s->e->type->mass(s->e->data, y, M);
    for (int i = 0; i < s->nq; i++) {
        out[i] = 0;
        for (int j = 0; j < s->nq; j++) out[i] += M[i * s->nq + j] * s->a[j];
    }
}

static void force_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    for (int i = 0; i < s->nq; i++) out[i] = 0;
    s->e->type->force(s->e->data, s->ny, y, w, s->mem, s->u, out);
}

static void energy_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real rate;
    s->e->type->energy(s->e->data, s->ny, y, w, s->mem, out, &rate);
}

// x + i h d
static hol_real beside(hol_real x, double d) { return x + STEP * d * (hol_real)_Complex_I; }

// D (rows x cols): derivative with respect to the first `cols` entries of y, or of w.
static double complex_step(const probe *s, function f, int rows, int cols, bool in_w, hol_real *D)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], out[HOL_MAX_Y] = {0};
    double values = 0;
    for (int j = 0; j < cols; j++) {
        memcpy(y, s->y, sizeof y);
        memcpy(w, s->w, sizeof w);
        hol_real *moved = in_w ? w : y;
        moved[j] = beside(moved[j], 1);
        f(s, y, w, out);
        for (int i = 0; i < rows; i++) D[i * cols + j] = cimag(out[i]) / STEP;
        values = fmax(values, largest(out, rows));
    }
    return values;
}

// ---- constraints ----------------------------------------------------------------------------------------------

static void check_rows(const probe *s, const char *what, function f, bool given, const hol_real *J)
{
    hol_real D[MAX_OUT];
    const double values = complex_step(s, f, s->e->n_rows, s->ny, false, D);
    if (given)
        compare(s, what, s->e->n_rows, s->ny, J, D, values);
    else
        must_be_zero(s, what, s->e->n_rows, s->ny, D);
}

// phi_along against phi and phi_yw, both checked by the complex step.
static void check_along(const probe *s)
{
    const hol_element_type *type = s->e->type;
    const int ny = s->ny, nr = s->e->n_rows;
    hol_real J[MAX_OUT], K[MAX_OUT], W[MAX_OUT], along[HOL_MAX_ROWS], expected[HOL_MAX_ROWS] = {0};
    if (!type->phi_along) return;
    type->phi_along(s->e->data, ny, s->y, s->w, J, along);
    type->phi(s->e->data, ny, s->y, NULL, NULL, K);
    type->phi_yw(s->e->data, ny, s->y, s->w, W);
    for (int i = 0; i < nr; i++)
        for (int j = 0; j < ny; j++) expected[i] += W[i * ny + j] * s->w[j];
    compare(s, "phi_along, phi_y", nr, ny, J, K, 1);
    compare(s, "phi_along", nr, 1, along, expected, 1);
}

static void check_constraints(const probe *s)
{
    const hol_element_type *type = s->e->type;
    const int ny = s->ny, nr = s->e->n_rows;
    hol_real J[MAX_OUT], H[MAX_OUT], D[MAX_OUT], was[MAX_OUT];
    if (nr == 0) return;
    if (type->phi) type->phi(s->e->data, ny, s->y, NULL, NULL, J);
    check_rows(s, "phi_y", phi_of, type->phi != NULL, J);
    if (type->phi_yw) type->phi_yw(s->e->data, ny, s->y, s->w, J);
    check_rows(s, "phi_yw", phi_y_w_of, type->phi_yw != NULL, J);
    if (type->phi_yww) type->phi_yww(s->e->data, ny, s->y, s->w, J);
    check_rows(s, "phi_yww", phi_yw_w_of, type->phi_yww != NULL, J);
    check_along(s);

    // phi_lam adds to what is there
    const double values = complex_step(s, phi_y_lam_of, ny, ny, false, D);
    if (!type->phi_lam) {
        must_be_zero(s, "phi_lam", ny, ny, D);
        return;
    }
    for (int i = 0; i < ny * ny; i++) was[i] = H[i] = random_in(&dice, -1, 1);
    type->phi_lam(s->e->data, ny, s->y, s->lam, H);
    for (int i = 0; i < ny * ny; i++) H[i] -= was[i];
    compare(s, "phi_lam", ny, ny, H, D, fmax(values, 1));
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < ny; j++) D[i * ny + j] = H[j * ny + i];
    compare(s, "phi_lam - phi_lam^T", ny, ny, H, D, 1);

    for (int i = 0; i < nr; i++) assert_non_null(type->row(s->e->data, i).direction);
}

static void psi_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    s->e->type->rate(s->e->data, s->ny, y, w, out, NULL, NULL);
}

static void psi_w_kap_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y];
    s->e->type->rate(s->e->data, s->ny, y, w, NULL, NULL, J);
    for (int j = 0; j < s->ny; j++) {
        out[j] = 0;
        for (int i = 0; i < s->e->n_rates; i++) out[j] += J[i * s->ny + j] * s->lam[i];
    }
}

// Psi_y w + Psi_w b, with the random accelerations a of the probe as b
static void psi_dot_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    const int ny = s->ny;
    hol_real P[HOL_MAX_ROWS * HOL_MAX_Y], R[HOL_MAX_ROWS * HOL_MAX_Y];
    s->e->type->rate(s->e->data, ny, y, w, NULL, P, R);
    for (int i = 0; i < s->e->n_rates; i++) {
        out[i] = 0;
        for (int j = 0; j < ny; j++) out[i] += P[i * ny + j] * w[j] + R[i * ny + j] * s->a[j];
    }
}

static void check_rates(const probe *s)
{
    const hol_element_type *type = s->e->type;
    const int ny = s->ny, nr = s->e->n_rates;
    hol_real Psi_y[MAX_OUT], Psi_w[MAX_OUT], D[MAX_OUT];
    if (nr == 0) return;
    type->rate(s->e->data, ny, s->y, s->w, NULL, Psi_y, Psi_w);
    double values = complex_step(s, psi_of, nr, ny, false, D);
    compare(s, "Psi_y", nr, ny, Psi_y, D, values);
    values = complex_step(s, psi_of, nr, ny, true, D);
    compare(s, "Psi_w", nr, ny, Psi_w, D, values);

    for (int i = 0; i < ny * ny; i++) Psi_y[i] = Psi_w[i] = 1;
    type->rate_kap(s->e->data, ny, s->y, s->w, s->lam, Psi_y, Psi_w);
    for (int i = 0; i < ny * ny; i++) {
        Psi_y[i] -= 1;
        Psi_w[i] -= 1;
    }
    values = complex_step(s, psi_w_kap_of, ny, ny, false, D);
    compare(s, "(Psi_w^T kap)_y", ny, ny, Psi_y, D, fmax(values, 1));
    values = complex_step(s, psi_w_kap_of, ny, ny, true, D);
    compare(s, "(Psi_w^T kap)_w", ny, ny, Psi_w, D, fmax(values, 1));

    type->rate_dot(s->e->data, ny, s->y, s->w, s->a, Psi_y, Psi_w);
    values = complex_step(s, psi_dot_of, nr, ny, false, D);
    compare(s, "Psi'_y", nr, ny, Psi_y, D, fmax(values, 1));
    values = complex_step(s, psi_dot_of, nr, ny, true, D);
    compare(s, "Psi'_w", nr, ny, Psi_w, D, fmax(values, 1));
}

// ---- masses and forces ----------------------------------------------------------------------------------------

static void check_mass(const probe *s)
{
    const hol_element_type *type = s->e->type;
    const int nq = s->nq;
    hol_real M[7 * 7], T[7 * 7], K[MAX_OUT] = {0}, D[MAX_OUT];
    if (!type->mass) return;
    type->mass(s->e->data, s->y, M);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < nq; j++) T[i * nq + j] = M[j * nq + i];
    compare(s, "M - M^T", nq, nq, M, T, 0);
    hol_real product[7], f[7];
    mass_a_of(s, s->y, NULL, product);
    type->mass_times(s->e->data, s->y, s->a, f);
    compare(s, "M a", nq, 1, product, f, 0);
    const double values = complex_step(s, mass_a_of, nq, s->ny, false, D);
    if (type->mass_a) type->mass_a(s->e->data, s->y, s->a, K);
    if (type->mass_a)
        compare(s, "mass_a", nq, s->ny, K, D, values);
    else
        must_be_zero(s, "mass_a", nq, s->ny, D);
}

static void check_force(const probe *s)
{
    const hol_element_type *type = s->e->type;
    const int nq = s->nq, ny = s->ny;
    hol_real Q_y[MAX_OUT], Q_v[MAX_OUT], D_y[MAX_OUT], D_v[MAX_OUT], Q[HOL_MAX_Y], R[HOL_MAX_Y];
    if (!type->force) return;
    const double values = complex_step(s, force_of, nq, ny, false, D_y);
    complex_step(s, force_of, nq, nq, true, D_v);
    if (!type->force_d) {
        must_be_zero(s, "Q_y", nq, ny, D_y);
        must_be_zero(s, "Q_v", nq, nq, D_v);
        return;
    }
    for (int i = 0; i < nq * ny; i++) Q_y[i] = 1;
    for (int i = 0; i < nq * nq; i++) Q_v[i] = 1;
    type->force_d(s->e->data, ny, s->y, s->w, s->mem, s->u, Q_y, Q_v);
    for (int i = 0; i < nq * ny; i++) Q_y[i] -= 1;
    for (int i = 0; i < nq * nq; i++) Q_v[i] -= 1;
    compare(s, "Q_y", nq, ny, Q_y, D_y, fmax(values, 1));
    compare(s, "Q_v", nq, nq, Q_v, D_v, fmax(values, 1));

    // force adds to what is there
    force_of(s, s->y, s->w, Q);
    for (int i = 0; i < nq; i++) R[i] = 1;
    type->force(s->e->data, ny, s->y, s->w, s->mem, s->u, R);
    for (int i = 0; i < nq; i++) R[i] -= 1;
    compare(s, "Q added", 1, nq, R, Q, 1);
}

static void check_inputs(const probe *s)
{
    const hol_element *e = s->e;
    const int n = e->n_inputs;
    hol_real Q_u[HOL_MAX_Y * HOL_MAX_ROWS], D[HOL_MAX_Y * HOL_MAX_ROWS], Q[HOL_MAX_Y];
    if (!e->type->force) return;
    for (int k = 0; k < HOL_MAX_ROWS; k++) {
        probe moved = *s;
        moved.u[k] = beside(s->u[k], 1);
        force_of(&moved, s->y, s->w, Q);
        for (int i = 0; i < s->nq; i++) Q[i] = cimag(Q[i]) / STEP;
        if (k >= n) must_be_zero(s, "Q_u beyond the inputs", 1, s->nq, Q);
        for (int i = 0; i < s->nq && k < n; i++) D[i * n + k] = Q[i];
    }
    for (int i = 0; i < s->nq * n; i++) Q_u[i] = 1;
    if (n) e->type->force_u(e->data, s->ny, s->y, Q_u);
    for (int i = 0; i < s->nq * n; i++) Q_u[i] -= 1;
    compare(s, "Q_u", s->nq, n, Q_u, D, 1);
}

static bool conservative(const hol_element *e)
{
    if (strcmp(e->type->name, "tyre") == 0) return false; // no force along a road that rises
    if (e->type->energy != hol_law_energy) return true;
    const hol_law *law = e->data;
    const int n = law->n;
    bool potential = !law->adds;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            potential = potential && law->C[k * n + l] == 0 && law->K[k * n + l] == law->K[l * n + k];
    return potential;
}

static void check_energy(const probe *s)
{
    const hol_element_type *type = s->e->type;
    hol_real V, V_w, D[HOL_MAX_Y], Q[HOL_MAX_Y], y[HOL_MAX_Y];
    if (!type->energy) return;
    type->energy(s->e->data, s->ny, s->y, s->w, s->mem, &V, &V_w);
    for (int i = 0; i < s->ny; i++) y[i] = beside(s->y[i], hol_re(s->w[i]));
    hol_real moved, ignored;
    type->energy(s->e->data, s->ny, y, s->w, s->mem, &moved, &ignored);
    compare_number(s, "V_w", V_w, cimag(moved) / STEP, fabs(hol_re(V)));
    if (!conservative(s->e)) return;

    // at rest, so that a body's inertia terms vanish
    probe rest = *s;
    for (int i = 0; i < s->nq; i++) rest.w[i] = 0;
    force_of(&rest, s->y, rest.w, Q);
    complex_step(&rest, energy_of, 1, s->nq, false, D);
    for (int i = 0; i < s->nq; i++) D[i] = -D[i];
    compare(s, "Q + V_q", 1, s->nq, Q, D, fabs(hol_re(V)));
}

// Bodies: Q = -V_q + (v^T M v)_q / 2 - (M v)_q v, Lagrange's equations.
static void check_lagrange(const probe *s)
{
    hol_real D[MAX_OUT], V_q[HOL_MAX_Y], Q[HOL_MAX_Y], want[HOL_MAX_Y];
    if (!s->e->type->mass) return;
    probe moving = *s;
    memcpy(moving.a, s->w, sizeof moving.a);
    const double values = complex_step(&moving, mass_a_of, s->nq, s->nq, false, D); // (M v)_q
    complex_step(s, energy_of, 1, s->nq, false, V_q);
    force_of(s, s->y, s->w, Q);
    for (int i = 0; i < s->nq; i++) {
        want[i] = -V_q[i];
        for (int j = 0; j < s->nq; j++)
            want[i] += 0.5 * s->w[j] * D[j * s->nq + i] - D[i * s->nq + j] * s->w[j];
    }
    compare(s, "Q of Lagrange", 1, s->nq, Q, want, values);
}

// ---- memory ---------------------------------------------------------------------------------------------------

static bool is_sum(const hol_element *e)
{
    return e->type->remember == hol_sum_remember || strcmp(e->type->name, "screw") == 0;
}

// The sum of a screw stands first in its data.
static const hol_prim *counted(const hol_element *e, int slot)
{
    const hol_law *law = e->data;
    const hol_sum *sum = e->data;
    if (!is_sum(e)) return &law->s[0];
    for (int k = 0; k < sum->n; k++)
        if (sum->slot[k] == slot) return &sum->s[k];
    return NULL;
}

static double drawn(const hol_element *e, int slot)
{
    const hol_sum *sum = e->data;
    for (int k = 0; is_sum(e) && k < sum->n; k++)
        if (sum->slot[k] == slot) return sum->drawn[k];
    return 0;
}

// Rows, or the force.
static int memory_reads(const probe *s, hol_real *out)
{
    if (s->e->n_rows)
        phi_of(s, s->y, s->w, out);
    else
        force_of(s, s->y, s->w, out);
    return s->e->n_rows ? s->e->n_rows : s->nq;
}

// What one more turn in a slot adds: K times a turn to a spring's torque, a turn times the ratio to the last row.
static void turn_adds(const probe *s, int slot, hol_real *out)
{
    const hol_element *e = s->e;
    hol_scalar angle;
    if (e->n_rows) {
        const hol_sum *sum = e->data;
        for (int k = 0; k < sum->n; k++)
            if (sum->slot[k] == slot) out[e->n_rows - 1] += 2 * HOL_PI * sum->ratio[k];
        return;
    }
    const hol_law *law = e->data;
    hol_prim_eval(&law->s[0], s->ny, s->y, s->w, 1, &angle);
    for (int i = 0; i < s->nq; i++) out[i] -= law->K[0] * 2 * HOL_PI * angle.d[i];
}

// A turn counter keeps the angle within half a turn of the remembered one, and remembering changes nothing.
static void check_memory(const probe *s)
{
    const hol_element *e = s->e;
    if (e->n_mem == 0) {
        assert_true(!e->type->remember || e->type->remember == hol_law_remember || is_sum(e));
        return;
    }
    assert_true(e->n_mem <= HOL_MAX_MEMORY);
    probe after = *s;
    hol_real before_row[HOL_MAX_Y], after_row[HOL_MAX_Y];
    e->type->remember(e->data, s->ny, s->y, after.mem);
    const int n = memory_reads(s, before_row);
    memory_reads(&after, after_row);
    compare(s, "with remembered angle", 1, n, after_row, before_row, 0);
    for (int slot = 0; slot < e->n_mem; slot++) {
        if (!(fabs(after.mem[slot] - s->mem[slot]) <= HOL_PI))
            report(s, "remember", slot, 0, after.mem[slot], s->mem[slot], HOL_PI);
        hol_scalar angle;
        hol_prim_eval(counted(e, slot), s->ny, s->y, s->w, 0, &angle);
        const double turns = (after.mem[slot] + drawn(e, slot) - hol_re(angle.f)) / (2 * HOL_PI);
        compare_number(s, "turns", turns, rint(turns), 1);

        probe turned = after;
        turned.mem[slot] += 2 * HOL_PI;
        memory_reads(&turned, after_row);
        memory_reads(s, before_row);
        turn_adds(s, slot, before_row);
        compare(s, "one turn on", 1, n, after_row, before_row, 10);
    }
    for (int slot = e->n_mem; slot < HOL_MAX_MEMORY; slot++) assert_true(after.mem[slot] == s->mem[slot]);
}

// ---- geometry: values against independent formulas ------------------------------------------------------------

typedef struct {
    double r[3], q[4],
        R[9];     // origin, orientation as Euler parameters, the same as a matrix (columns: the axes)
    double theta; // 2D, of the body (without the marker's own angle)
} place;

static double value_at(const hol_expr *f, double t)
{
    hol_real jet[4] = {0};
    if (f) hol_expr_jet(f, t, jet);
    return hol_re(jet[0]);
}

// Where a marker is; from its data, by quaternion products only. Euler parameters must have length 1.
static place locate(const probe *s, const hol_marker *k)
{
    place x = {{0}, {1, 0, 0, 0}, {0}, 0};
    double body[4] = {1, 0, 0, 0}, R[9];
    const hol_real *y = s->y + k->iy;
    const int d = s->m->dimension;
    if (k->frame == HOL_FRAME_PLANAR) {
        x.theta = hol_re(y[2]);
        body[0] = cos(x.theta / 2);
        body[3] = sin(x.theta / 2);
    } else if (k->frame == HOL_FRAME_SPATIAL) {
        for (int i = 0; i < 4; i++) body[i] = hol_re(y[3 + i]);
    } else if (k->frame == HOL_FRAME_MOVING) {
        x.theta = value_at(hol_marker_motion(k)->angle, hol_re(y[0]));
        body[0] = cos(x.theta / 2);
        for (int i = 0; i < 3; i++) body[i + 1] = sin(x.theta / 2) * hol_marker_motion(k)->axis[i];
    }
    const bool turns = k->frame != HOL_FRAME_MOVING; // a moving frame turns about its own origin
    hol_quat_matrix(body, R);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) x.r[i] += (turns ? R[3 * i + j] : i == j) * k->s[j];
        if (k->frame == HOL_FRAME_MOVING) x.r[i] += value_at(hol_marker_motion(k)->position[i], hol_re(y[0]));
        if (k->size && i < d) x.r[i] += hol_re(y[i]);
    }
    hol_quat_multiply(body, hol_marker_quat(k), x.q);
    hol_quat_matrix(x.q, x.R);
    return x;
}

static double wrapped(double angle) { return angle - 2 * HOL_PI * rint(angle / (2 * HOL_PI)); }

// The value of row `i` of a primitive; angles are compared modulo full turns (*turn is then true).
static double primitive_value(const probe *s, const hol_prim *p, int i, bool *turn)
{
    const place a = locate(s, p->m1), b = locate(s, p->m2);
    const double conj[4] = {a.q[0], -a.q[1], -a.q[2], -a.q[3]}, t = hol_re(s->y[s->nq]),
                 set = value_at(p->set, t);
    double d[3], square = 0, along = 0, dot = 0, rel[4];
    for (int k = 0; k < 3; k++) {
        d[k] = b.r[k] - a.r[k];
        square += d[k] * d[k];
        along += a.R[3 * k + p->axis1] * d[k];
        dot += a.R[3 * k + p->axis1] * b.R[3 * k + p->axis2];
    }
    hol_quat_multiply(conj, b.q, rel);
    const double L = p->set ? set : p->offset; // of DISTANCE, and the angle of TWIST_SET
    switch (p->kind) {
    case HOL_PRIM_POINT: return d[i];
    case HOL_PRIM_ALONG: return along - set;
    case HOL_PRIM_DOT: return dot - set;
    case HOL_PRIM_DISTANCE: return (square - L * L) / (2 * p->offset);
    case HOL_PRIM_TURN: return 2 * rel[1 + p->axis1] - set;
    case HOL_PRIM_ANGLE: // of the x axes, whatever the offsets
        *turn = true;
        return atan2(b.R[3], b.R[0]) - atan2(a.R[3], a.R[0]) - set;
    case HOL_PRIM_TWIST_SET: return 2 * (rel[3] * cos(L / 2) - rel[0] * sin(L / 2));
    case HOL_PRIM_LENGTH: return sqrt(square);
    case HOL_PRIM_TWIST: *turn = true; return 2 * atan2(rel[3], rel[0]);
    }
    return HOL_NONE;
}

// s_y, (s_y w)_y, ((s_y w)_y w)_y are the gradients of s, s_y w and (s_y w)_y w.
static void check_primitive_gradients(const probe *s, const hol_prim *p, const hol_scalar *o)
{
    hol_scalar moved[3];
    hol_real y[HOL_MAX_Y], D[3][3][HOL_MAX_Y];
    for (int j = 0; j < s->ny; j++) {
        memcpy(y, s->y, sizeof y);
        y[j] = beside(y[j], 1);
        hol_prim_eval(p, s->ny, y, s->w, 3, moved);
        for (int i = 0; i < p->rows; i++) {
            D[i][0][j] = cimag(moved[i].f) / STEP;
            D[i][1][j] = cimag(moved[i].fw) / STEP;
            D[i][2][j] = cimag(moved[i].fww) / STEP;
        }
    }
    for (int i = 0; i < p->rows; i++) {
        compare(s, "primitive's gradient", 1, s->ny, o[i].d, D[i][0], 1);
        compare(s, "primitive's second derivative", 1, s->ny, o[i].dw, D[i][1], 1);
        compare(s, "primitive's third derivative", 1, s->ny, o[i].dww, D[i][2], 1);
    }
}

static void check_primitive(const probe *s, const hol_prim *p)
{
    hol_scalar o[3];
    hol_prim_eval(p, s->ny, s->y, s->w, 3, o);
    check_primitive_gradients(s, p, o);
    for (int i = 0; i < p->rows; i++) {
        bool turn = false;
        const double want = primitive_value(s, p, i, &turn), have = hol_re(o[i].f);
        if (turn)
            compare_number(s, "angle", wrapped(have - want), 0, 1);
        else
            compare_number(s, hol_prim_label(p, i), have, want, 1);
        // rates along w are the derivatives times w
        hol_real fw = 0, fww = 0;
        for (int j = 0; j < s->ny; j++) fw += o[i].d[j] * s->w[j];
        for (int j = 0; j < s->ny; j++) fww += o[i].dw[j] * s->w[j];
        compare_number(s, "rate", o[i].fw, fw, largest(o[i].d, s->ny));
        compare_number(s, "second rate", o[i].fww, fww, largest(o[i].dw, s->ny));
    }
}

static void check_marker(const probe *s, const hol_marker *k)
{
    for (int what = HOL_ORIGIN; what <= HOL_ORIENTATION; what++) {
        hol_feature f;
        if (k->frame == HOL_FRAME_POINT && what != HOL_ORIGIN) continue;
        if (k->frame == HOL_FRAME_PLANAR && what == HOL_ORIENTATION) continue;
        hol_feature_eval(k, what, s->y, s->w, 3, &f);
        for (int i = 0; i < f.m; i++) {
            hol_real fw = 0, fww = 0;
            for (int j = 0; j < f.n; j++) fw += f.d[i][j] * s->w[f.iy + j];
            for (int j = 0; j < f.n; j++) fww += f.dw[i][j] * s->w[f.iy + j];
            compare_number(s, "marker rate", f.fw[i], fw, 1);
            compare_number(s, "marker second rate", f.fww[i], fww, 1);
        }
    }
}

// Forces in primitives: Q = -s_q^T (K (s - s0) + C s' + F), with s_q by the complex step.
static void check_law(const probe *s)
{
    const hol_law *law = s->e->data;
    const int n = law->n;
    hol_real Q[HOL_MAX_Y], want[HOL_MAX_Y] = {0}, y[HOL_MAX_Y], V;
    double slope[HOL_MAX_ROWS][HOL_MAX_Y], rate[HOL_MAX_ROWS] = {0}, x[HOL_MAX_ROWS], energy = 0;
    for (int k = 0; k < n; k++) {
        hol_scalar o;
        for (int j = 0; j < s->ny; j++) {
            memcpy(y, s->y, sizeof y);
            y[j] = beside(y[j], 1);
            hol_prim_eval(&law->s[k], s->ny, y, NULL, 0, &o);
            slope[k][j] = cimag(o.f) / STEP;
            rate[k] += slope[k][j] * hol_re(s->w[j]);
        }
        x[k] = hol_re(o.f);
        if (law->counts_turns) x[k] = s->mem[0] + wrapped(x[k] - s->mem[0]);
        x[k] -= law->s0[k];
    }
    for (int k = 0; k < n; k++) {
        double f = k == 0 && law->adds ? hol_re(s->u[0]) : 0;
        for (int l = 0; l < n; l++) {
            f += law->K[k * n + l] * x[l] + law->C[k * n + l] * rate[l];
            energy += 0.5 * x[k] * law->K[k * n + l] * x[l];
        }
        for (int j = 0; j < s->nq; j++) want[j] -= f * slope[k][j];
    }
    force_of(s, s->y, s->w, Q);
    compare(s, "Q of the law", 1, s->nq, Q, want, 1);
    energy_of(s, s->y, s->w, &V);
    compare_number(s, "V of the law", V, energy, 1);
}

// sum_k ratio_k (s_k - drawn_k), angles in space within half a turn of the memory
static void check_sum(const probe *s)
{
    const hol_element *e = s->e;
    const hol_sum *sum = e->data;
    probe at_start = {.m = s->m, .e = e, .ny = s->ny, .nq = s->nq};
    double want = 0;
    hol_element_gather(s->m, e, 0, s->m->q0, s->m->v0, 1, at_start.y, at_start.w);
    for (int k = 0; k < sum->n; k++) {
        bool turn = false;
        const double now = primitive_value(s, &sum->s[k], 0, &turn);
        const double then = primitive_value(&at_start, &sum->s[k], 0, &turn);
        double since = now - then;
        if (sum->slot[k] >= 0)
            since = s->mem[sum->slot[k]] + wrapped(since - s->mem[sum->slot[k]]);
        else if (turn) { // planar angles are not periodic: those of the bodies count
            const place a = locate(s, sum->s[k].m1), b = locate(s, sum->s[k].m2),
                        a0 = locate(&at_start, sum->s[k].m1), b0 = locate(&at_start, sum->s[k].m2);
            since = b.theta - a.theta - b0.theta + a0.theta;
        }
        if (sum->s[k].kind != HOL_PRIM_ANGLE) check_primitive(s, &sum->s[k]);
        want += sum->ratio[k] * since;
    }
    hol_real row[HOL_MAX_ROWS];
    phi_of(s, s->y, s->w, row);
    compare_number(s, "sum", row[e->n_rows - 1], want, 1);
    hol_real at_drawn[HOL_MAX_ROWS]; // nothing is remembered yet
    phi_of(&at_start, at_start.y, at_start.w, at_drawn);
    compare_number(s, "drawn sum", at_drawn[e->n_rows - 1], 0, 1);
}

static const hol_spline *spline_of(const hol_model_data *m, const char *name)
{
    const hol_known *known = &m->spec->known;
    for (int i = 0; i < known->n_splines; i++)
        if (strcmp(known->spline[i].name, name) == 0) return known->spline[i].table.spline;
    return NULL;
}

static double spline_at(const hol_spline *f, double x)
{
    hol_real value[4];
    hol_spline_eval(f, 0, x, value);
    return hol_re(value[0]);
}

// A force between two bodies does no work in a motion of both as one: forces and torques balance. Any such motion, with
// the Euler parameters on the sphere.
static void check_balance(const probe *s)
{
    hol_real Q[HOL_MAX_Y], power = 0;
    double e[3], u[3], most = 0;
    for (int i = 0; i < 3; i++) {
        e[i] = s->m->dimension == 3 || i == 2 ? random_in(&dice, -1, 1) : 0;
        u[i] = random_in(&dice, -1, 1);
    }
    force_of(s, s->y, s->w, Q);
    for (int b = 0, at = 0; b < s->e->n_bodies; at += s->m->body[s->e->body[b++]].size) {
        const hol_body *body = &s->m->body[s->e->body[b]];
        const hol_real *q = s->y + at;
        hol_real v[7] = {0}, E[3][4];
        const int d = s->m->dimension;
        const double r[3] = {hol_re(q[0]), hol_re(q[1]), d == 3 ? hol_re(q[2]) : 0};
        for (int i = 0; i < d; i++)
            v[i] = u[i] + e[(i + 1) % 3] * r[(i + 2) % 3] - e[(i + 2) % 3] * r[(i + 1) % 3];
        if (body->frame == HOL_FRAME_PLANAR) v[2] = e[2];
        if (body->frame == HOL_FRAME_SPATIAL) {
            hol_global_rate(q + 3, E);
            for (int j = 0; j < 4; j++) v[3 + j] = 0.5 * (E[0][j] * e[0] + E[1][j] * e[1] + E[2][j] * e[2]);
        }
        for (int i = 0; i < body->size; i++) {
            power += Q[at + i] * v[i];
            most = fmax(most, fabs(hol_re(Q[at + i] * v[i])));
        }
    }
    compare_number(s, "power of a motion as one", power, 0, fmax(most, 1));
}

// A beam's stiffness from beam theory: bent to the shape v(x) = a x^2 + b x^3 in a plane through its axis, it stores
// E I/2 times the integral of v''^2; a tip displacement u and rotation r give a and b.
static double bent(double EI, double L, double u, double r)
{
    const double a = (3 * u - r * L) / (L * L), b = (r * L - 2 * u) / (L * L * L);
    return 0.5 * EI * (4 * a * a * L + 12 * a * b * L * L + 12 * b * b * L * L * L);
}

// Of the rows in `uses`: values as there.
static void check_beam(const probe *s)
{
    const hol_law *law = s->e->data;
    const double L = law->s0[0], E = 2.1;
    double x[HOL_MAX_ROWS], V, want;
    for (int k = 0; k < law->n; k++) {
        hol_scalar o;
        hol_prim_eval(&law->s[k], s->ny, s->y, NULL, 0, &o);
        x[k] = hol_re(o.f) - law->s0[k];
    }
    assert_true(L == 1.3 || L == 0.9);
    want = 0.5 * E * 0.7 / L * x[0] * x[0];
    if (law->n == 3)
        want += bent(E * 0.3, L, x[1], x[2]);
    else // a rotation about y lowers the slope of z
        want +=
            bent(E * 0.5, L, x[1], x[5]) + bent(E * 0.3, L, x[2], -x[4]) + 0.5 * 0.8 * 0.6 / L * x[3] * x[3];
    hol_real energy;
    energy_of(s, s->y, s->w, &energy);
    V = hol_re(energy);
    compare_number(s, "energy of the beam", V, want, want);
    for (int i = 0; i < law->n * law->n; i++)
        compare_number(s, "damping of the beam", law->C[i], L == 0.9 ? 0.2 * law->K[i] : 0, 1);
}

// One of the two curves passes through the row's value: which one is told by the element's order in `uses`.
static void check_curve(const probe *s)
{
    const place a = locate(s, s->e->end[0].marker), b = locate(s, s->e->end[1].marker);
    double d[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) d[i] += a.R[3 * k + i] * (b.r[k] - a.r[k]);
    const double angle = atan2(d[1], d[0]);
    const double wave = d[1] - spline_at(spline_of(s->m, "wave"), d[0]);
    const double cam =
        hypot(d[0], d[1]) - spline_at(spline_of(s->m, "cam"), angle < 0 ? angle + 2 * HOL_PI : angle);
    hol_real row[HOL_MAX_ROWS];
    phi_of(s, s->y, s->w, row);
    const double value = hol_re(row[0]);
    compare_number(s, "curve", value, fabs(value - wave) < fabs(value - cam) ? wave : cam, 1);
    if (s->m->dimension == 3) compare_number(s, "curve's plane", row[1], d[2], 1);
}

static void check_geometry(const probe *s)
{
    const hol_element *e = s->e;
    hol_real row;
    if (e->type->frame == HOL_FRAME_SPATIAL && e->type->role == HOL_ROLE_BODY) { // the normalisation holds
        e->type->phi(e->data, s->ny, s->y, NULL, &row, NULL);
        compare_number(s, "normalisation", row, 0, 1);
    }
    for (int i = 0; i < e->n_ends; i++) check_marker(s, e->end[i].marker);
    if (e->type->phi == hol_prims_phi) {
        const hol_prims *list = e->data;
        for (int i = 0; i < list->n; i++) check_primitive(s, &list->p[i]);
    }
    if (is_sum(e)) check_sum(s);
    if (strcmp(e->type->name, "point-on-curve") == 0) check_curve(s);
    if (e->type->force == hol_law_force) {
        const hol_law *law = e->data;
        for (int i = 0; i < law->n; i++) check_primitive(s, &law->s[i]);
        check_law(s);
        if (e->end[0].body >= 0 && e->end[1].body >= 0) check_balance(s);
    }
    if (strcmp(e->type->name, "beam") == 0) check_beam(s);
}

// ---- tests ----------------------------------------------------------------------------------------------------

typedef void (*check)(const probe *s);

static void on_all_elements(check each, bool on_sphere)
{
    failures = 0;
    for (int d = 2; d <= 3; d++) {
        hol_model_data *m = model_of(d);
        for (int i = 0; i < m->n_elements; i++)
            for (int state = 0; state < STATES; state++) {
                probe s;
                draw(&s, m, &m->element[i], state);
                if (on_sphere) normalise(&s);
                each(&s);
            }
        hol_model_free(m);
    }
    if (failures > ENOUGH) print_error("... %d entries in all\n", failures);
    assert_int_equal(failures, 0);
}

static void every_type_is_covered(void **state)
{
    (void)state;
    int missing = 0;
    for (int d = 2; d <= 3; d++) {
        hol_model_data *m = model_of(d);
        for (const hol_element_type *const *t = hol_element_types; *t; t++) {
            if (!in_dimension((*t)->dimensions, d)) continue;
            int first_ground = 0, second_ground = 0, moving = 0, on_bodies = 0, most_bodies = 0;
            for (int i = 0; i < m->n_elements; i++) {
                const hol_element *e = &m->element[i];
                if (e->type != *t) continue;
                most_bodies = e->n_bodies > most_bodies ? e->n_bodies : most_bodies;
                const bool two = e->n_ends == 2;
                first_ground += two && e->end[0].body < 0;
                second_ground += two && e->end[1].body < 0;
                moving += two && (e->end[0].marker->frame == HOL_FRAME_MOVING ||
                                  e->end[1].marker->frame == HOL_FRAME_MOVING);
                on_bodies += !two || e->n_bodies == 2;
            }
            const bool by_text = (*t)->joints || (*t)->role == HOL_ROLE_CONSTRAINT; // attached in other ways
            if (by_text && most_bodies >= 2) continue;
            if (on_bodies && !by_text && ((*t)->ends != 2 || (first_ground && second_ground && moving)))
                continue;
            missing++;
            print_error("%dD %s is not attached in every way\n", d, (*t)->name);
        }
        hol_model_free(m);
    }
    assert_int_equal(missing, 0);
}

static void constraint_derivatives(void **state)
{
    (void)state;
    on_all_elements(check_constraints, false);
    on_all_elements(check_rates, false);
}

static void mass_derivatives(void **state)
{
    (void)state;
    on_all_elements(check_mass, false);
}

static void force_derivatives(void **state)
{
    (void)state;
    on_all_elements(check_force, false);
    on_all_elements(check_inputs, false);
}

static void forces_follow_from_energies(void **state)
{
    (void)state;
    on_all_elements(check_energy, false);
    on_all_elements(check_lagrange, false);
}

static void turns_are_remembered(void **state)
{
    (void)state;
    on_all_elements(check_memory, false);
}

static void values_agree_with_geometry(void **state)
{
    (void)state;
    on_all_elements(check_geometry, true);
}

// In the plane a joint keeps the full turns of the drawn pose.
static void planar_joints_keep_the_drawn_turns(void **state)
{
    (void)state;
    failures = 0;
    hol_model_data *m = model_of(2);
    for (int i = 0; i < m->n_elements; i++) {
        probe s = {.m = m, .e = &m->element[i], .ny = m->element[i].ny, .nq = m->element[i].ny - 1};
        const hol_prims *list = s.e->data;
        if (s.e->type->role != HOL_ROLE_JOINT || s.e->type->phi != hol_prims_phi) continue;
        hol_element_gather(m, s.e, 0, m->q0, m->v0, 1, s.y, s.w);
        for (int k = 0; k < list->n; k++) {
            hol_scalar o[3];
            if (list->p[k].kind != HOL_PRIM_ANGLE) continue;
            hol_prim_eval(&list->p[k], s.ny, s.y, s.w, 0, o);
            if (!(fabs(hol_re(o[0].f)) <= HOL_PI)) report(&s, "drawn angle", 0, 0, hol_re(o[0].f), 0, HOL_PI);
        }
    }
    hol_model_free(m);
    assert_int_equal(failures, 0);
}

static void distances_are_kept_as_drawn(void **state)
{
    (void)state;
    failures = 0;
    int count = 0;
    for (int d = 2; d <= 3; d++) {
        hol_model_data *m = model_of(d);
        for (int i = 0; i < m->n_elements; i++) {
            probe s = {.m = m, .e = &m->element[i], .ny = m->element[i].ny, .nq = m->element[i].ny - 1};
            const hol_prims *list = s.e->data;
            if (s.e->type->role != HOL_ROLE_JOINT || strcmp(s.e->type->name, "distance") != 0) continue;
            if (list->p[0].offset == 0.8) continue; // given
            hol_element_gather(m, s.e, 0, m->q0, m->v0, 1, s.y, s.w);
            hol_real row;
            phi_of(&s, s.y, s.w, &row);
            compare_number(&s, "drawn distance", row, 0, 1);
            count++;
        }
        hol_model_free(m);
    }
    assert_int_equal(count, 2 * HOL_COUNT(pairs));
    assert_int_equal(failures, 0);
}

// ---- rotations ------------------------------------------------------------------------------------------------

static void close_to(double have, double want) { near("value", have, want, TOLERANCE * fmax(1, fabs(want))); }

static void random_rotation(double p[4])
{
    double n = 0;
    for (int i = 0; i < 4; i++) p[i] = random_in(&dice, -1, 1);
    for (int i = 0; i < 4; i++) n += p[i] * p[i];
    for (int i = 0; i < 4; i++) p[i] /= sqrt(n);
}

// About each axis by a known angle: fixes every sign.
static void quaternions_turn_the_right_way(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        double p[4] = {cos(0.2), 0, 0, 0}, R[9], u[3] = {0, 0, 0};
        hol_real pc[4], out[3];
        p[1 + axis] = sin(0.2);
        for (int i = 0; i < 4; i++) pc[i] = p[i];
        hol_quat_matrix(p, R);
        u[next] = 1;
        hol_rotate(pc, u, out); // the next axis turns towards the last
        for (int i = 0; i < 3; i++) close_to(hol_re(out[i]), i == next ? cos(0.4) : i == last ? sin(0.4) : 0);
        for (int i = 0; i < 3; i++) close_to(R[3 * i + next], hol_re(out[i]));
    }
}

static void rotations_agree_with_each_other(void **state)
{
    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        double p[4], q[4], pq[4], back[4], R[9], S[9], T[9], u[3];
        hol_real pc[4], twice[4], out[3], far[3];
        random_rotation(p);
        random_rotation(q);
        for (int i = 0; i < 3; i++) u[i] = random_in(&dice, -1, 1);
        for (int i = 0; i < 4; i++) twice[i] = 2 * (pc[i] = p[i]);
        hol_quat_matrix(p, R);
        hol_quat_matrix(q, S);
        hol_quat_multiply(p, q, pq);
        hol_quat_matrix(pq, T);
        hol_rotate(pc, u, out);
        hol_rotate(twice, u, far);
        for (int i = 0; i < 3; i++) {
            close_to(hol_re(out[i]), R[3 * i] * u[0] + R[3 * i + 1] * u[1] + R[3 * i + 2] * u[2]);
            close_to(hol_re(far[i]), 4 * hol_re(out[i])); // quadratic off the sphere
            for (int j = 0; j < 3; j++) {
                close_to(T[3 * i + j], R[3 * i] * S[j] + R[3 * i + 1] * S[3 + j] + R[3 * i + 2] * S[6 + j]);
                close_to(R[3 * i] * R[3 * j] + R[3 * i + 1] * R[3 * j + 1] + R[3 * i + 2] * R[3 * j + 2],
                         i == j);
            }
        }
        hol_matrix_quat(R, back);
        assert_true(back[0] >= 0);
        for (int i = 0; i < 4; i++) close_to(back[i], p[0] < 0 ? -p[i] : p[i]);
    }
    for (int k = 1; k < 4; k++) { // half turns: every branch of the way back
        double p[4] = {0, 0, 0, 0}, R[9], back[4];
        p[k] = 1;
        hol_quat_matrix(p, R);
        hol_matrix_quat(R, back);
        for (int i = 0; i < 4; i++) close_to(back[i], p[i]);
    }
}

// omega from A' = omega~ A = A omega_body~, with A' by the complex step.
static void angular_velocity(const double p[4], const double v[4], double global[3], double body[3])
{
    double A[9], dA[9], W[9] = {0}, B[9] = {0};
    for (int j = 0; j < 3; j++) {
        const double u[3] = {j == 0, j == 1, j == 2};
        hol_real pc[4], out[3];
        for (int i = 0; i < 4; i++) pc[i] = beside(p[i], v[i]);
        hol_rotate(pc, u, out);
        for (int i = 0; i < 3; i++) {
            A[3 * i + j] = hol_re(out[i]);
            dA[3 * i + j] = cimag(out[i]) / STEP;
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                W[3 * i + j] += dA[3 * i + k] * A[3 * j + k];
                B[3 * i + j] += A[3 * k + i] * dA[3 * k + j];
            }
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        global[i] = W[3 * b + a];
        body[i] = B[3 * b + a];
    }
}

static void tangent_rate(const double p[4], double v[4])
{
    double pv = 0;
    for (int i = 0; i < 4; i++) v[i] = random_in(&dice, -1, 1);
    for (int i = 0; i < 4; i++) pv += v[i] * p[i];
    for (int i = 0; i < 4; i++) v[i] -= pv * p[i];
}

static void rates_give_the_angular_velocity(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        double p[4], v[4], global[3], body[3];
        hol_real pc[4], G[3][4], E[3][4];
        random_rotation(p);
        tangent_rate(p, v);
        for (int i = 0; i < 4; i++) pc[i] = p[i];
        angular_velocity(p, v, global, body);
        hol_body_rate(pc, G);
        hol_global_rate(pc, E);
        for (int i = 0; i < 3; i++) {
            hol_real g = 0, e = 0;
            for (int j = 0; j < 4; j++) {
                g += 2 * G[i][j] * v[j];
                e += 2 * E[i][j] * v[j];
            }
            close_to(hol_re(g), body[i]);
            close_to(hol_re(e), global[i]);
        }
    }
}

// ---- roads ----------------------------------------------------------------------------------------------------

// Heights and slopes that a damper feels, by hand: a bump at xi = 0.4, arcs of circles of radius 0.5.
static void roads_have_their_shapes(void **state)
{
    const hol_road
        bump = {.kind = HOL_ROAD_BUMP, .middle = 3, .height = 0.1, .half_width = 0.5},
        hill = {.kind = HOL_ROAD_CYLINDER, .middle = 1, .height = 0.1, .half_width = 0.3, .steepest = 10},
        hole = {.kind = HOL_ROAD_CYLINDER, .middle = -1, .height = -0.5, .half_width = 0.5, .steepest = 1};
    const struct {
        const hol_road *road;
        double x, h, felt;
    } rows[] = {{&bump, 3.2, 0.0592704, -0.338688},
                {&bump, 3, 0.1, 0},
                {&bump, 3.6, 0, 0},
                {&hill, 1, 0.1, 0},
                {&hill, 1.3, 0, 0},
                {&hill, 0.86, 0.08, 0.14 / 0.48},
                {&hole, -1, -0.5, 0},
                {&hole, -0.86, -0.48, 0.14 / 0.48},
                {&hole, -0.52, -0.14, 1},
                {&hole, -1.48, -0.14, -1}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const hol_road_point p = hol_road_at(rows[i].road, rows[i].x);
        close_to(hol_re(p.h), rows[i].h);
        close_to(hol_re(p.felt), rows[i].felt);
    }
    const double cut = 0.5 * sqrt(0.5); // where a slope of 1 is reached
    const struct {
        const hol_road *road;
        int n;
        double x[4];
    } edges[] = {
        {&bump, 2, {2.5, 3.5}}, {&hill, 2, {0.7, 1.3}}, {&hole, 4, {-1.5, -1 - cut, -1 + cut, -0.5}}};
    for (int i = 0; i < HOL_COUNT(edges); i++) {
        double x[4];
        assert_int_equal(hol_road_edges(edges[i].road, x, 4), edges[i].n);
        for (int k = 0; k < edges[i].n; k++) close_to(x[k], edges[i].x[k]);
    }
}

// In units of 1 mm; one of the nodes lies on the straight line between its neighbours.
static void tables_have_their_corners(void **state)
{
    static const double at[] = {-100, 600, 1000, 2000}, height[] = {-20, 120, 200, 100};
    hol_arena *arena = hol_arena_create(ctx);
    const hol_road road = {.kind = HOL_ROAD_TABLE,
                           .table = hol_spline_create(arena, HOL_SPLINE_CUBIC, 4, at, height),
                           .x_unit = 0.001,
                           .unit = 0.001};
    double x[4];
    (void)state;
    assert_non_null(road.table);
    assert_int_equal(hol_road_edges(&road, x, 4), 3);
    close_to(x[0], -0.1);
    close_to(x[1], 1);
    close_to(x[2], 2);
    hol_arena_destroy(arena);
}

// ---- one model with known numbers -----------------------------------------------------------------------------

static const char *const one_body =
    "dimension: 3\n"
    "gravity: [1, 2, -3]\n"
    "bodies:\n"
    "  - {name: a, mass: 2, inertia: [0.7, 0.8, 0.9, 0.1, -0.05, 0.2],\n"
    "     markers: {m: {position: [0.4, 0.3, -0.6], orientation: {quat_wxyz: [0.5, -0.5, 0.5, 0.5]}}}}\n"
    "  - {name: p, type: point, mass: 3}\n"
    "forces:\n"
    "  - {name: tg, type: torque, on: a.m, value: [0.3, -0.4, 0.5]}\n"
    "  - {name: tb, type: torque, on: a.m, value: [0.3, -0.4, 0.5], frame: body}\n"
    "  - {name: fg, type: force, on: a.m, value: [0.3, -0.4, 0.5]}\n"
    "  - {name: fb, type: force, on: a.m, value: [0.3, -0.4, 0.5], frame: body}\n"
    "  - {name: fp, type: force, on: p, value: [0.3, -0.4, 0.5]}\n";

static double power_of(const hol_model_data *m, const char *name, const hol_real *y, const hol_real *w)
{
    const hol_element *e = &m->element[hol_model_find_element(m, name)];
    hol_real Q[7] = {0}, u[HOL_MAX_ROWS] = {0};
    double P = 0;
    for (int k = 0; k < e->n_inputs; k++) u[k] = value_at(e->input[k].time, 0);
    e->type->force(e->data, e->ny, y, w, NULL, u, Q);
    for (int i = 0; i < e->ny - 1; i++) P += hol_re(Q[i]) * hol_re(w[i]);
    return P;
}

static void applied_forces_and_torques_have_the_right_power(void **state)
{
    (void)state;
    static const double value[3] = {0.3, -0.4, 0.5}, s[3] = {0.4, 0.3, -0.6}, axes[4] = {0.5, -0.5, 0.5, 0.5};
    hol_model_data *m = compile_text(one_body);
    for (int trial = 0; trial < 10; trial++) {
        double p[4], v[4], om[3], om_body[3], R[9], local[9], rate[3], global_force[3];
        hol_real y[8], w[8];
        random_rotation(p);
        tangent_rate(p, v);
        for (int i = 0; i < 8; i++) {
            y[i] = i >= 3 && i < 7 ? p[i - 3] : random_in(&dice, -1, 1);
            w[i] = i >= 3 && i < 7 ? v[i - 3] : random_in(&dice, -1, 1);
        }
        angular_velocity(p, v, om, om_body);
        hol_quat_matrix(p, R);
        hol_quat_matrix(axes, local);
        double torque_global = 0, torque_body = 0, force_global = 0, force_body = 0;
        for (int i = 0; i < 3; i++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3;
            double in_body = 0; // components in body axes of a vector given in the marker's
            for (int k = 0; k < 3; k++) in_body += local[3 * i + k] * value[k];
            global_force[i] = in_body;
            torque_global += value[i] * om[i];
            torque_body += in_body * om_body[i];
            rate[i] = om_body[a] * s[b] - om_body[b] * s[a]; // omega x s in body axes
        }
        for (int i = 0; i < 3; i++) {
            double turned = 0, velocity = hol_re(w[i]);
            for (int k = 0; k < 3; k++) {
                turned += R[3 * i + k] * global_force[k];
                velocity += R[3 * i + k] * rate[k];
            }
            force_global += value[i] * velocity;
            force_body += turned * velocity;
        }
        close_to(power_of(m, "tg", y, w), torque_global);
        close_to(power_of(m, "tb", y, w), torque_body);
        close_to(power_of(m, "fg", y, w), force_global);
        close_to(power_of(m, "fb", y, w), force_body);
        close_to(power_of(m, "fp", y, w), 0.3 * hol_re(w[0]) - 0.4 * hol_re(w[1]) + 0.5 * hol_re(w[2]));
    }
    hol_model_free(m);
}

static double kinetic(const hol_element *e, const hol_real *y, const hol_real *w)
{
    hol_real M[49];
    double T = 0;
    const int n = e->ny - 1;
    e->type->mass(e->data, y, M);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) T += 0.5 * hol_re(w[i]) * hol_re(M[i * n + j]) * hol_re(w[j]);
    return T;
}

static void masses_give_the_kinetic_energy(void **state)
{
    (void)state;
    static const double J[9] = {0.7, 0.1, -0.05, 0.1, 0.8, 0.2, -0.05, 0.2, 0.9};
    hol_model_data *m = compile_text(one_body);
    for (int trial = 0; trial < 10; trial++) {
        double p[4], v[4], om[3], om_body[3], T = 0, T_point = 0;
        hol_real y[8] = {0}, w[8] = {0}, V, rate;
        random_rotation(p);
        tangent_rate(p, v);
        for (int i = 0; i < 4; i++) {
            y[3 + i] = p[i];
            w[3 + i] = v[i];
        }
        angular_velocity(p, v, om, om_body);
        for (int i = 0; i < 3; i++) {
            w[i] = random_in(&dice, -1, 1);
            y[i] = random_in(&dice, -1, 1);
            T += 0.5 * 2 * hol_re(w[i]) * hol_re(w[i]);
            T_point += 0.5 * 3 * hol_re(w[i]) * hol_re(w[i]);
            for (int j = 0; j < 3; j++) T += 0.5 * om_body[i] * J[3 * i + j] * om_body[j];
        }
        close_to(kinetic(&m->element[0], y, w), T);
        close_to(kinetic(&m->element[1], y, w), T_point);
        const double height = hol_re(y[0]) + 2 * hol_re(y[1]) - 3 * hol_re(y[2]);
        m->element[0].type->energy(m->element[0].data, 8, y, w, NULL, &V, &rate);
        close_to(hol_re(V), -2 * height);
        m->element[1].type->energy(m->element[1].data, 4, y, w, NULL, &V, &rate);
        close_to(hol_re(V), -3 * height);
    }
    hol_model_free(m);

    m = compile_text("dimension: 2\ngravity: [1, -3]\nbodies:\n  - {name: a, mass: 2, inertia: 0.5}\n"
                     "forces:\n  - {name: motor, type: torque, on: a, value: 0.7}\n"
                     "  - {name: push, type: force, on: a, value: [0.3, -0.4]}\n");
    hol_real y[4] = {0.3, -0.4, 0.8, 0}, w[4] = {0.5, 0.6, -0.7, 1}, V, rate;
    close_to(kinetic(&m->element[0], y, w), 0.5 * (2 * (0.25 + 0.36) + 0.5 * 0.49));
    m->element[0].type->energy(m->element[0].data, 4, y, w, NULL, &V, &rate);
    close_to(hol_re(V), -2 * (0.3 + 3 * 0.4));
    close_to(power_of(m, "motor", y, w), 0.7 * -0.7);
    close_to(power_of(m, "push", y, w), 0.3 * 0.5 - 0.4 * 0.6);
    hol_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_covered),
        cmocka_unit_test(constraint_derivatives),
        cmocka_unit_test(mass_derivatives),
        cmocka_unit_test(force_derivatives),
        cmocka_unit_test(forces_follow_from_energies),
        cmocka_unit_test(turns_are_remembered),
        cmocka_unit_test(values_agree_with_geometry),
        cmocka_unit_test(planar_joints_keep_the_drawn_turns),
        cmocka_unit_test(distances_are_kept_as_drawn),
        cmocka_unit_test(roads_have_their_shapes),
        cmocka_unit_test(tables_have_their_corners),
        cmocka_unit_test(quaternions_turn_the_right_way),
        cmocka_unit_test(rotations_agree_with_each_other),
        cmocka_unit_test(rates_give_the_angular_velocity),
        cmocka_unit_test(applied_forces_and_torques_have_the_right_power),
        cmocka_unit_test(masses_give_the_kinetic_energy),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
