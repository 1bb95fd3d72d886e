// Files in which an element of each type stands, attached as its type wants it: two bodies that springs hold, hinges for what couples, and what
// is written behind the name and the type. A battery over the table of elements goes through them.
#ifndef ATTACHED_H
#define ATTACHED_H

#include "element/element.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 30000 };

// Two bodies with all that bodies have, held by springs between offset frames; [0]: in the plane, [1]: in space.
static const char *const bodies[2] = {
    "dimension: 2\n"
    "parameters: {k: 40, x0: 0.3}\n"
    "ground:\n  markers:\n    g: {position: [0.3, -0.2], angle: 0.4}\n"
    "    mv: {position: [0.1, 0.2], angle: 0.3, motion: {x: 0.2*sin(1.7*time), y: 0.1*time^2, angle: "
    "0.8*sin(time)}}\n"
    "bodies:\n"
    "  - {name: a, mass: 1.3, inertia: 0.7, com: [0.2, -0.1], position: [0.5, 0.6], angle: 0.6, velocity: "
    "[0.2, -0.3],\n"
    "     omega: 0.7, markers: {m: {position: [0.4, x0], angle: 2.6}}}\n"
    "  - {name: b, relative_to: a.m, mass: 2.1, inertia: 0.4, com: [0.1, 0.05], position: [-0.7, 0.2], "
    "angle: 0.4,\n"
    "     velocity: [0.1, 0.2], omega: -0.4, markers: {m: {position: [-0.3, 0.5], angle: -2.7}}}\n"
    "  - {name: c, mass: 1.1, inertia: 0.3, position: [0.4, -0.3], angle: -0.5, omega: 0.2}\n"
    "  - {name: p, type: point, mass: 0.7, position: [0.2, 0.9], velocity: [0.3, 0.1]}\n",
    "dimension: 3\n"
    "parameters: {k: 40, x0: 0.3}\n"
    "ground:\n  markers:\n    g: {position: [0.3, -0.2, 0.5], orientation: {rpy: [0.4, -0.3, 0.8]}}\n"
    "    mv: {position: [0.1, 0.2, -0.3], orientation: {euler_zxz: [0.3, 0.5, -0.7]}, motion: {x: "
    "0.2*sin(1.7*time),\n"
    "         y: 0.1*time^2, z: 0.1*exp(-time), angle: 0.8*sin(1.1*time), axis: [0.4, -0.5, 0.8]}}\n"
    "bodies:\n"
    "  - {name: a, mass: 1.3, inertia: [0.7, 0.8, 0.9, 0.1, -0.05, 0.2], com: [0.2, -0.1, 0.3], position: "
    "[0.5, 0.6, -0.1],\n"
    "     orientation: {axis: [1, -1, 0.5], angle: 0.9}, velocity: [0.2, -0.3, 0.1], omega: [0.4, -0.3, "
    "0.7],\n"
    "     markers: {m: {position: [0.4, x0, -0.6], orientation: {quat_wxyz: [0.5, -0.5, 0.5, 0.5]}}}}\n"
    "  - {name: b, relative_to: a.m, mass: 2.1, inertia: [0.3, 0.4, 0.5, 0.02, 0.03, -0.04], com: [0.1, "
    "0.05, 0.02],\n"
    "     position: [-0.7, 0.2, 0.4], orientation: {rpy: [0.3, -0.2, 0.4]}, velocity: [0.1, 0.2, -0.2], "
    "omega_body: [0.3, -0.4, 0.2],\n"
    "     markers: {m: {position: [-0.3, 0.5, 0.2], axis: [0.3, 0.1, 0.8]}}}\n"
    "  - {name: c, mass: 1.1, inertia: [0.3, 0.25, 0.4, 0.01, 0, 0], position: [0.4, -0.3, 0.2], "
    "orientation: {z: [1, 2, 2]},\n"
    "     omega: [0.2, 0.1, 0.3]}\n"
    "  - {name: p, type: point, mass: 0.7, position: [0.2, 0.9, 0.3], velocity: [0.3, 0.1, -0.1]}\n"};

static const char *const springs[2] = {
    "forces:\n"
    "  - {name: s1, type: bushing, between: [ground.g, a.m], stiffness: [[k, 7, 2], [7, 30, -3], [1, 4, "
    "12]], damping: [1, 2, 1]}\n"
    "  - {name: s2, type: bushing, between: [a, b.m], stiffness: [k, 30, 9], damping: [0.5, 0.2, 0.1]}\n"
    "  - {name: s3, type: spring-damper, between: [ground.mv, c], stiffness: k, damping: 1, length: 0.4}\n"
    "  - {name: s4, type: spring-damper, between: [p, b: [0.1, 0.2]], stiffness: k, damping: 1, length: "
    "0.5}\n",
    "forces:\n"
    "  - {name: s1, type: bushing, between: [ground.g, a.m], damping: [1, 2, 1, 0.2, 0.3, 0.4], stiffness: "
    "[[k, 7, 2, 1, 2, 3],\n"
    "     [7, 30, -3, 2, 1, 4], [2, -3, 50, 1, -1, 2], [1, 2, 1, 12, 3, 1], [2, 1, -1, 3, 15, 2], [3, 4, 2, "
    "1, 2, 9]]}\n"
    "  - {name: s2, type: bushing, between: [a, b.m], stiffness: [k, 30, 20, 9, 8, 7], damping: [0.5, 0.2, "
    "0.1, 0.1, 0.2, 0.3]}\n"
    "  - {name: s3, type: spring-damper, between: [ground.mv, c], stiffness: k, damping: 1, length: 0.4}\n"
    "  - {name: s4, type: spring-damper, between: [p, b: [0.1, 0.2, -0.3]], stiffness: k, damping: 1, "
    "length: 0.5}\n"};

static const char spline[] =
    "splines:\n"
    "  - {name: wave, kind: cubic, x: [-2, -1.1, -0.3, 0.4, 1.2, 2], y: [0.3, -0.2, 0.1, 0.1, -0.4, 0.6]}\n"
    "  - {name: hill, kind: akima, x: [-9, -4, -1, 0, 1, 3, 9], y: [-9, -9.1, -9, -8.9, -9.1, -9, -9]}\n";

// Joints that couplers couple, that drivers move and that brake.
static const char *const hinges[2] = {
    "  - {name: c1, type: revolute, bodies: [ground, a], at: [0.2, 0.3]}\n"
    "  - {name: c2, type: revolute, bodies: [a, b], at: [0.9, 0.1]}\n"
    "  - {name: c3, type: translational, bodies: [a, c], at: [0.1, 0.4], axis: [1, 2]}\n",
    "  - {name: c1, type: revolute, bodies: [ground, a], at: [0.2, 0.3, -0.1], axis: [0.3, 0.5, 0.8]}\n"
    "  - {name: c2, type: cylindrical, bodies: [a, b], at: [0.9, 0.1, 0.2], axis: [0.7, -0.5, 0.4]}\n"
    "  - {name: c3, type: translational, bodies: [a, c], at: [0.1, 0.4, 0.3], axis: [1, 2, -1]}\n"};

#define AT_2D "bodies: [a, b], at: [0.6, 0.2], axis: [1, 2]"
#define AT_3D "bodies: [a, b], at: [0.6, 0.2, 0.3], axis: [0.3, 0.5, 0.8]"

// All laws of a joint, none of which is the same both ways. A bristle, which goes back within 1 ms, wants shorter steps than those here.
#define LAWS(effort, free)                                                                                   \
    ", stiffness: 3, " free                                                                                  \
    ": 0.2, damping: 0.3, preload: 0.4, armature: 0.01, limits: {range: [-0.001, 0.3], stiffness: 40, "      \
    "restitution: 0.5}, motor: {" effort ": 0.5 + VX(c), gear: 3}, friction: {" effort                       \
    ": 0.3, transition: 0.5, engaged: 0.5 + 0.1*VX(b)}"

// Of coordinates that couplers do not take.
#define STOP "stiffness: 40, restitution: 0.5}"
#define STROKE ", stroke_limits: {range: [-0.001, 0.3], " STOP
#define ARMS ", limits: {angle1: [-0.02, 0.001], angle2: [-0.001, 0.3], stiffness: 40, damping: 0.5}"
#define CONE ", limits: {swing: 0.001, twist: [-0.001, 0.3], stiffness: 40, damping: 0.5}"

// How an element of each type is written, behind its name and type: in the plane, in space. A type of the table that is not here is
// attached as a joint is.
static const struct {
    const char *type, *how[2];
    hol_role role;
    bool coupled; // the hinges are there
} uses[] = {
    {"universal", {"", AT_3D ", axis2: [0.5, -0.3, 0]"}, HOL_ROLE_JOINT, false},
    {"constant-velocity", {"", AT_3D ", axis2: [0.4, 0.3, 0.8]"}, HOL_ROLE_JOINT, false},
    {"perpendicular", {"", AT_3D ", axis2: [0.5, -0.3, 0]"}, HOL_ROLE_JOINT, false},
    {"distance", {"between: [a.m, b.m]", "between: [a.m, b.m]"}, HOL_ROLE_JOINT, false},
    {"revolute-spherical", {"", "between: [a.m, b.m]"}, HOL_ROLE_JOINT, false},
    {"revolute-revolute", {"", "between: [a.m, b.m]"}, HOL_ROLE_JOINT, false},
    {"screw", {"", AT_3D ", pitch: 0.6"}, HOL_ROLE_JOINT, false},
    {"total", {AT_2D ", hold: y", AT_3D ", hold: x z ry"}, HOL_ROLE_JOINT, false},
    {"point-on-curve", {AT_2D ", curve: wave", AT_3D ", curve: wave"}, HOL_ROLE_JOINT, false},
    {"gear", {"joints: [c1, c2], ratio: -0.4", "joints: [c1, c2], ratio: -0.4"}, HOL_ROLE_JOINT, true},
    {"rack-pinion", {"joints: [c1, c3], radius: 0.3", "joints: [c2, c3], radius: 0.3"}, HOL_ROLE_JOINT, true},
    {"coupler",
     {"joints: [c1, c2, c3], ratios: [1, -3, 2]", "joints: [c1, c2, c3], ratios: [1, -3, 2]"},
     HOL_ROLE_JOINT,
     true},
    {"lock", {"joint: c1", "joint: c1"}, HOL_ROLE_JOINT, true},
    {"angle",
     {"joint: c2, value: 0.4*sin(3*time)", "joint: c2, value: 0.4*sin(3*time)"},
     HOL_ROLE_DRIVER,
     true},
    {"angle",
     {"joint: c2, speed: 1.2*cos(3*time)", "joint: c2, speed: 1.2*cos(3*time)"},
     HOL_ROLE_DRIVER,
     true},
    {"stroke",
     {"joint: c3, value: 0.2*sin(3*time)", "joint: c3, value: 0.2*sin(3*time)"},
     HOL_ROLE_DRIVER,
     true},
    {"stroke",
     {"joint: c3, acceleration: 0.7*exp(-time), start: 0.1, start_speed: 0.3",
      "joint: c3, acceleration: 0.7*exp(-time), start: 0.1, start_speed: 0.3"},
     HOL_ROLE_DRIVER,
     true},
    {"distance",
     {"between: [a.m, c], value: 0.9 + 0.2*sin(time)", "between: [a.m, c], value: 0.9 + 0.2*sin(time)"},
     HOL_ROLE_DRIVER,
     false},
    {"distance",
     {"between: [a.m, c], speed: \"spline(time, wave)\"", "between: [a.m, c], speed: \"spline(time, wave)\""},
     HOL_ROLE_DRIVER,
     false},
    {"position",
     {"position: \"DX(b.m, a.m) + 0.3*AZ(b, a) - 0.1*time\"",
      "position: \"DY(b.m, a.m, a.m) - 0.4*AX(b, a) + DM(c, a)\""},
     HOL_ROLE_CONSTRAINT,
     false},
    {"velocity",
     {"velocity: \"VX(b.m, a.m, a.m) + 0.3*WZ(b)\"",
      "velocity: \"VY(b.m, a.m, a.m) + 0.3*WX(b) - 0.2*VZ(c)\""},
     HOL_ROLE_CONSTRAINT,
     false},
    {"spring-damper",
     {"between: [a.m, c], stiffness: 9, damping: 2, length: 0.3, force: VX(b) + DY(a)",
      "between: [a.m, c], stiffness: 9, damping: 2, length: 0.3, force: VX(b) + DY(a) + AZ(c)"},
     HOL_ROLE_FORCE,
     false},
    {"rotational-spring-damper",
     {"between: [a.m, c], stiffness: 9, damping: 2, angle: 0.3, torque: VX(b) + WZ(c)",
      "between: [a.m, b.m], stiffness: 9, damping: 2, angle: 0.3, torque: VX(b) + WY(c)"},
     HOL_ROLE_FORCE,
     false},
    {"bushing",
     {"between: [a.m, c], stiffness: [[9, 1, 2], [1, 8, 3], [2, 3, 7]]",
      "between: [b.m, c], stiffness: [9, 8, 7, 6, 5, 4], damping: [1, 2, 3, 2, 1, 1]"},
     HOL_ROLE_FORCE,
     false},
    {"beam",
     {"between: [c, b], modulus: 100, area: 0.1, second_moment: 0.02, length: 0.5, damping: 0.1",
      "between: [c, b.m], modulus: 100, area: 0.1, second_moment_y: 0.02, second_moment_z: 0.03, "
      "shear_modulus: 50, "
      "torsion_constant: 0.04, length: 0.5, damping: 0.1"},
     HOL_ROLE_FORCE,
     false},
    {"force",
     {"on: b.m, value: [0.4 + VY(b), \"DX(b, a, a)\"], frame: body",
      "on: b.m, value: [0.4 + VY(b), \"DX(b, a, a)\", 2*sin(time) + FX(s1)], frame: body"},
     HOL_ROLE_FORCE,
     false},
    {"force",
     {"on: a.m, value: [0.4 + WZ(b), AZ(c)]", "on: a.m, value: [0.4 + WY(b), AZ(c), sin(2*time) + TY(s1)]"},
     HOL_ROLE_FORCE,
     false},
    {"torque",
     {"on: b.m, value: 0.4 + VY(b) + TZ(s1)",
      "on: b.m, value: [0.4 + VY(b), \"DX(b, a, a)\", 2*sin(time)], frame: body"},
     HOL_ROLE_FORCE,
     false},
    {"torque",
     {"on: b.m, value: 0.4*time", "on: a.m, value: [0.4 + VX(b), AY(c), sin(2*time) + TZ(s2)]"},
     HOL_ROLE_FORCE,
     false},
    {"friction",
     {"joint: c2, coefficient: 0.3, radius: 0.2, transition: 0.4",
      "joint: c2, coefficient: 0.3, radius: 0.2, transition: 0.4"},
     HOL_ROLE_FORCE,
     true},
    {"friction",
     {"joint: c3, coefficient: 0.3, transition: 0.4", "joint: c3, coefficient: 0.3, transition: 0.4"},
     HOL_ROLE_FORCE,
     true},
    {"joint-torque",
     {"joint: c2, value: 0.4 + WZ(b)", "joint: c2, value: 0.4 + WY(b)"},
     HOL_ROLE_FORCE,
     true},
    {"joint-torque",
     {"joint: c2, coordinate: angle, value: 0.4 + WZ(b)", "joint: c2, coordinate: angle, value: 0.4 + WY(b)"},
     HOL_ROLE_FORCE,
     true},
    {"joint-force",
     {"joint: c3, coordinate: stroke, value: 0.4 + VX(b)",
      "joint: c2, coordinate: stroke, value: 0.4 + VZ(b)"},
     HOL_ROLE_FORCE,
     true},
    {"joint-force", {"joint: c3, value: 0.4 + VX(b)", "joint: c3, value: 0.4 + VZ(b)"}, HOL_ROLE_FORCE, true},
    {"rotor", {"joint: c2, inertia: 0.3", "joint: c2, inertia: 0.3"}, HOL_ROLE_FORCE, true},
    {"rotor",
     {"joint: c2, inertia: 0.3, gear: 7", "joint: c2, inertia: 0.3, gear: -7"},
     HOL_ROLE_FORCE,
     true},
    {"inerter", {"joint: c3, mass: 0.4", "joint: c3, mass: 0.4"}, HOL_ROLE_FORCE, true},
    {"vector-force",
     {"between: [a.m, b.m], force: [0.4, VX(c)], torque: 0.3",
      "between: [a.m, b.m], force: [0.4, VX(c), -0.7], torque: [0.3, 0.2*time, WX(b)]"},
     HOL_ROLE_FORCE,
     false},
    {"vector-force",
     {"between: [a.m, b.m], force: [0.4, VX(c)], axes: c",
      "between: [a.m, b.m], force: [0.4, VX(c), -0.7], torque: [0.3, 0.2*time, WX(b)], axes: c"},
     HOL_ROLE_FORCE,
     false},
    {"revolute", {AT_2D, AT_3D}, HOL_ROLE_JOINT, false},
    {"revolute", {AT_2D LAWS("torque", "angle"), AT_3D LAWS("torque", "angle")}, HOL_ROLE_JOINT, false},
    {"cylindrical", {AT_2D, AT_3D}, HOL_ROLE_JOINT, false},
    {"cylindrical", {AT_2D, AT_3D LAWS("torque", "angle") STROKE}, HOL_ROLE_JOINT, false},
    {"universal", {"", AT_3D ", axis2: [0.5, -0.3, 0]" ARMS}, HOL_ROLE_JOINT, false},
    {"spherical", {"", AT_3D}, HOL_ROLE_JOINT, false},
    {"spherical", {"", AT_3D CONE}, HOL_ROLE_JOINT, false},
    {"translational", {AT_2D, AT_3D}, HOL_ROLE_JOINT, false},
    {"translational", {AT_2D LAWS("force", "length"), AT_3D LAWS("force", "length")}, HOL_ROLE_JOINT, false},
    {"tyre",
     {"on: b.m, stiffness: 50, damping: 2, length: 9, road: table, heights: hill",
      "on: b.m, stiffness: 50, damping: 2, length: 9, road: bump, middle: -0.3, height: 0.2, half_width: 3"},
     HOL_ROLE_FORCE,
     false}};

// How the k-th use of a type is written; NULL: there are fewer.
static inline const char *use_of(const hol_element_type *t, int dimension, int k, bool *coupled)
{
    int n = 0;
    *coupled = false;
    for (int i = 0; i < HOL_COUNT(uses); i++) {
        if (uses[i].role != t->role || strcmp(uses[i].type, t->name) != 0) continue;
        *coupled = uses[i].coupled;
        if (n++ == k) return uses[i].how[dimension - 2];
    }
    return n || k || t->role != HOL_ROLE_JOINT ? NULL : dimension == 2 ? AT_2D : AT_3D;
}

// A file with the element and what is behind it, such as ", active: no".
static inline void write_element(const hol_element_type *t, int dimension, const char *how,
                                 const char *behind, bool coupled, char *out)
{
    const bool joint = t->role == HOL_ROLE_JOINT;
    sprintf(out, "%s%s", bodies[dimension - 2], springs[dimension - 2]);
    if (t->role == HOL_ROLE_FORCE)
        sprintf(out + strlen(out), "  - {name: e, type: %s, %s%s}\n", t->name, how, behind);
    strcat(out, spline);
    if (coupled || joint) strcat(out, "joints:\n");
    if (coupled) strcat(out, hinges[dimension - 2]);
    if (joint) sprintf(out + strlen(out), "  - {name: e, type: %s, %s%s}\n", t->name, how, behind);
    if (t->role == HOL_ROLE_DRIVER)
        sprintf(out + strlen(out), "drivers: [{name: e, type: %s, %s%s}]\n", t->name, how, behind);
    if (t->role == HOL_ROLE_CONSTRAINT)
        sprintf(out + strlen(out), "constraints: [{name: e, %s%s}]\n", how, behind);
}

#endif
