// What `check` warns of: each warning with its words on a model made for it, none on the same model put right, and of the
// models of the program those alone that are true.
#include "harness.h"
#include "base/base.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A block on a spring along x, pushed by a force of time; parts that the cases replace.
#define GRAVITY "gravity: [0, -9.81]\n"
#define BODY "  - {name: block, mass: 1, inertia: 0.1, markers: {tip: [0.2, 0]}}\n"
#define ARM "  - {name: arm, mass: 1, inertia: 0.1}\n"
#define REST                                                                                                 \
    "joints:\n  - {name: guide, type: translational, bodies: [ground, block], at: [0, 0], axis: [1, 0]}\n"
#define SPRING "forces:\n  - {name: spring, type: spring, between: [ground.wall, block], stiffness: 100}\n"
#define GROUND "ground: {markers: {wall: [-1, 0]}}\n"
#define SOFT(k) "  - {name: soft, type: spring, between: [ground.wall, block], stiffness: " k "}\n"
#define BUSH(k) "  - {name: bush, type: bushing, between: [ground.wall, block], stiffness: " k "}\n"
#define PUSH(value) SPRING "  - {name: push, type: force, on: block, value: [\"" value "\", 0]}\n"
#define DRIVE(value) SPRING "drivers:\n  - {name: pull, type: stroke, joint: guide, value: \"" value "\"}\n"
#define HINGE(value)                                                                                         \
    "  - {name: pin, type: revolute, bodies: [block, arm], at: [0, 0]}\n"                                    \
    "drivers:\n  - {name: turn, type: angle, joint: pin, value: \"" value "\"}\n"
#define TABLE(nodes) "splines: [{name: t, kind: linear, x: [-9, " nodes ", 20], y: [0, 1, 0, 2]}]\n"
#define SPLINE(more) "splines: [{name: s, kind: cubic, x: [0, 1, 2], y: [0, 0.1, 0.3]" more "}]\n"
#define RUN(more) "simulate: {end: 10" more "}\n"
#define ARM_OF_MM(turning, pulling)                                                                          \
    "dimension: 2\nunits: {system: mm-N-t-s}\ngravity: [0, -9810]\nbodies:\n  - {name: arm, mass: 0.002, "   \
    "inertia: 20, position: [100, 0], "                                                                      \
    "markers: {o: [-100, 0], e: [100, 0]}}\njoints:\n  - {name: j, type: revolute, between: [ground, "       \
    "arm.o], stiffness: " turning "}\n"                                                                      \
    "forces:\n  - {name: s, type: spring-damper, between: [ground: [200, 100], arm.e], stiffness: " pulling  \
    ", damping: 1}\n"                                                                                        \
    "simulate: {end: 0.1}\n"
#define BALLS(shapes)                                                                                        \
    "dimension: 3\ngravity: [0, 0, -9.81]\nbodies: [{name: a, density: 1, shape: [" shapes                   \
    "]}]\nsimulate: {end: 10}\n"
#define MODEL(gravity, bodies, forces, run) "dimension: 2\n" gravity GROUND "bodies:\n" bodies REST forces run

#define SPATIAL_HINGE(yaw, law)                                                                              \
    "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], orientation: {rpy: "  \
    "[0, 0, " yaw "]}}]\njoints: [{name: j, type: revolute, between: [ground, a], " law                      \
    "}]\nsimulate: {end: 0.1}\n"

#define DRIVEN(value) "drivers: [{name: d, type: angle, joint: j, value: \"" value "\"}]\n"
#define DRIVEN_HINGE(yaw, turns, value)                                                                      \
    "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], orientation: {rpy: "  \
    "[0, 0, " yaw "]}}]\njoints: [{name: j, type: revolute, between: [ground, a]" turns                      \
    "}]\n" DRIVEN(value) "simulate: {end: 0.1}\n"
#define PLANE_HINGE(angle, value)                                                                            \
    "dimension: 2\ngravity: [0, 0]\nbodies: [{name: a, mass: 1, inertia: 1, angle: " angle "}]\njoints: [{"  \
    "name: j, type: revolute, between: [ground, a]}]\n" DRIVEN(value) "simulate: {end: 0.1}\n"

static const struct {
    const char *name, *model, *words; // name NULL: no warning at all
} cases[] = {
    {NULL, MODEL(GRAVITY, BODY, SPRING, RUN("")), ""},
    // sqrt(1e14/1) = 1e7 rad/s: 10 s by 3.5 are 2.9e7 steps
    {"stiffness",
     MODEL(GRAVITY, BODY,
           "forces:\n  - {name: spring, type: spring, between: [ground.wall, block], stiffness: 1e14}\n",
           RUN("")),
     "vibrates with 1e+07 rad/s, most in block, and the run lasts 10 s: explicit methods (rk, adams, ..) "
     "need 2.9e+07 "
     "steps"},
    // sqrt(1e4/1) = 100 1/s, in 10 s; sqrt(484/1) = 22 1/s is what a short pole does that falls over, in any time
    {"growth",
     MODEL(GRAVITY, BODY,
           "forces:\n  - {name: push, type: force, on: block, value: [\"1e4*(DX(block)-0.2)\", 0]}\n",
           RUN("")),
     "a motion grows with 100 1/s at the start, by e^1e+03 in the run of 10 s"},
    {NULL,
     MODEL(GRAVITY, BODY,
           "forces:\n  - {name: push, type: force, on: block, value: [\"484*(DX(block)-0.2)\", 0]}\n",
           RUN("")),
     ""},
    {NULL,
     MODEL(GRAVITY, BODY,
           "forces:\n  - {name: push, type: force, on: block, value: [\"484*(DX(block)-0.2)\", 0]}\n",
           "simulate: {end: 300}\n"),
     ""},
    // of a slow model it is fast
    {"growth",
     "time_scale: 10\n" MODEL(
         GRAVITY, BODY,
         "forces:\n  - {name: push, type: force, on: block, value: [\"484*(DX(block)-0.2)\", 0]}\n",
         "simulate: {end: 300}\n"),
     "a motion grows with 22 1/s at the start, by e^6.6e+03 in the run of 300 s"},
    {"pulse", MODEL(GRAVITY, BODY, PUSH("if(time-4: 0, 0, if(time-4.01: 50, 0, 0))"), RUN(", step: 0.01")),
     "changes within 0.01 s at t = 4 s: fixed steps of 0.01 s may pass over that unseen; steps of chosen "
     "size "
     "do not: leave `step` out, or take 0.001 s"},
    {"pulse", MODEL(GRAVITY, BODY, PUSH("exp(-((time-4)/1e-3)^2)"), RUN(", step: 0.01")), "changes within"},
    {NULL, MODEL(GRAVITY, BODY, PUSH("if(time-4: 0, 0, if(time-4.01: 50, 0, 0))"), RUN(", step: 0.004")), ""},
    {NULL, MODEL(GRAVITY, BODY, PUSH("if(time-4: 0, 0, if(time-4.01: 50, 0, 0))"), RUN("")), ""},
    {"table",
     TABLE("3.335, 7") MODEL(GRAVITY, BODY, PUSH("spline(time, t)"), RUN(", step: 0.01, method: rk")),
     "fixed steps of 0.01 s go across the nodes of the table of spline in push, line 11, column 51, at t = "
     "3.335, 7 s, "
     "where its slope jumps: of the order 8 of rk order 2 is left; leave `step` out"},
    {"table",
     TABLE("3.335, 7") MODEL(GRAVITY, BODY, PUSH("spline(DX(block), t)"), RUN(", step: 0.01, method: rn4")),
     "of the order 4 of rn4 order 2 is left"},
    {"table",
     TABLE("3.335, 7")
         MODEL(GRAVITY, BODY, PUSH("spline(DX(block), t, 1)"), RUN(", step: 0.01, method: hht")),
     "where its value jumps: of the order 2 of hht order 1 is left"},
    {NULL,
     TABLE("3.335, 7") MODEL(GRAVITY, BODY, PUSH("spline(DX(block), t)"), RUN(", step: 0.01, method: hht")),
     ""},
    {NULL, TABLE("3.335, 7") MODEL(GRAVITY, BODY, PUSH("spline(time, t)"), RUN("")), ""},
    {NULL, TABLE("3.34, 7") MODEL(GRAVITY, BODY, PUSH("spline(time, t)"), RUN(", step: 0.01, method: rk")),
     ""},
    {"pole", MODEL(GRAVITY, BODY, PUSH("1/(time-4)"), RUN("")), "has a pole at t = 4 s"},
    {"pole", MODEL(GRAVITY, BODY, PUSH("sin(time-4)/(time-4)"), RUN("")), "is not defined at t = 4 s alone"},
    {"fast", MODEL(GRAVITY, BODY, PUSH("sin(1e5*time)"), RUN("")), "all along the run of 10 s"},
    {"undecided", MODEL(GRAVITY, BODY, PUSH("max(sin(time), cos(time-pi/2))"), RUN("")),
     "two branches that may be equal"},
    {"jump", MODEL(GRAVITY, BODY, DRIVE("if(time-4: 0, 0, 0.5)"), RUN("")),
     "the motion of pull (\"if(time-4: 0, 0, 0.5)\") has a jump of position by 0.5 at t = 4 s"},
    {"sign", MODEL(GRAVITY, BODY, SPRING SOFT("-1"), RUN("")),
     "soft: its stiffness is -1 N/m: it pushes away from where it is free"},
    {"sign",
     MODEL(GRAVITY, BODY,
           SPRING "  - {name: brake, type: damper, between: [ground.wall, block], damping: -0.5}\n", RUN("")),
     "brake: its damping is -0.5 N s/m: it drives the motion"},
    // 1 and 4 beside 3: eigenvalues (5 - sqrt(9 + 36))/2
    {"sign", MODEL(GRAVITY, BODY, SPRING BUSH("[[1, 3, 0], [3, 4, 0], [0, 0, 1]]"), RUN("")),
     "bush: its stiffness has an eigenvalue below 0, -0.854102"},
    {NULL, MODEL(GRAVITY, BODY, SPRING BUSH("[[1, 3, 0], [-3, 4, 0], [0, 0, 1]]"), RUN("")),
     ""}, // gyroscopic
    {"sign",
     MODEL(GRAVITY, BODY ARM, "",
           "  - {name: pin, type: revolute, bodies: [block, arm], at: [0, 0], damping: -5}\n" RUN("")),
     "pin: its damping is -5 N m s/rad: it drives the motion"},
    {"beyond", MODEL(GRAVITY, BODY, DRIVE("spline(time, s)"), SPLINE("") RUN("")),
     "table s, in pull, goes from 0 to 2, and the run of 10 s asks for 10: beyond its points it goes on as a "
     "straight line"},
    {"beyond", MODEL(GRAVITY, BODY, DRIVE("spline(1.9*sin(time)-0.1, s)"), SPLINE("") RUN("")),
     "table s, in pull, goes from 0 to 2, and the run of 10 s asks for -1.99999"},
    {NULL, MODEL(GRAVITY, BODY, DRIVE("spline(1+0.99*sin(time), s)"), SPLINE("") RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY, DRIVE("spline(time, s)"), SPLINE("") "simulate: {end: 2}\n"), ""},
    {NULL, MODEL(GRAVITY, BODY, DRIVE("spline(time, s)"), SPLINE(", beyond: line") RUN("")), ""},
    {"jump", MODEL(GRAVITY, BODY, DRIVE("0.1*max(time-4, 0)"), RUN("")),
     "has a jump of velocity by 0.1 at t = 4 s"},
    {NULL, MODEL(GRAVITY, BODY, DRIVE("step5(time, 4, 0, 5, 0.5)"), RUN("")), ""},
    {"masses", MODEL(GRAVITY, BODY "  - {name: speck, mass: 5e-10, inertia: 0.1}\n", SPRING, RUN("")),
     "masses differ by a factor of 2e+09: speck has 5e-10, block has 1 kg"},
    // balls of radius 1 at the distance 1: 5 pi/12 in common, of 4 pi/3 each
    // 1e7 N/mm and 30 N mm/rad at an arm of 2 kg, where N/m and N m/rad were meant; 5 N/mm and 30000 N mm/rad are what they are
    {"plain", ARM_OF_MM("30000", "1e7"),
     "the stiffness of s is 1e+10 N/m: plain numbers are in the units of the file"},
    {"plain", ARM_OF_MM("30", "5"),
     "the stiffness of j is 0.03 N m/rad: plain numbers are in the units of the file"},
    {NULL, ARM_OF_MM("30000", "5"), ""},
    {NULL, ARM_OF_MM("30000", "1e10 N/m"), ""},
    // 650 kg/m^3 where plain numbers are t/mm^3
    {"density", BALLS("{type: sphere, radius: 1, density: 650e12}"), "a: its density is 6.5e+14 kg/m^3"},
    {"density", BALLS("{type: sphere, radius: 1, density: 7.85e-9}"), "a: its density is 7.85e-09 kg/m^3"},
    {NULL, BALLS("{type: sphere, radius: 1, density: 22590}"), ""},
    {"shapes", BALLS("{type: sphere, radius: 1}, {type: sphere, radius: 1, position: [1, 0, 0]}"),
     "a: shape[0] and shape[1] overlap by about 1.3 m^3, 31 % of the smaller one: what is there counts "
     "twice"},
    // the same ball twice
    {"shapes", BALLS("{type: sphere, radius: 1}, {type: sphere, radius: 1}"),
     "a: shape[0] and shape[1] overlap by about 4.2 m^3, 100 % of the smaller one: what is there counts "
     "twice"},
    {NULL, BALLS("{type: sphere, radius: 1}, {type: sphere, radius: 1, position: [2, 0, 0]}"), ""},
    {NULL, BALLS("{type: sphere, radius: 1}, {type: sphere, radius: 1, position: [1, 0, 0], density: 0}"),
     ""},
    {NULL, BALLS("{type: box, size: [1, 1, 1]}, {type: box, size: [1, 1, 1], position: [1, 0, 0]}"), ""},
    {NULL, BALLS("{type: sphere, radius: 1}, {type: sphere, radius: 0.5, hole: yes}"), ""},
    {"shapes", BALLS("{type: box, size: [1, 1, 1]}, {type: cylinder, radius: 0.1, length: 2, hole: yes}"),
     "a: shape[1] is a hole, and about 50 % of it lies where there is nothing to be taken away"},
    {"shapes",
     BALLS("{type: box, size: [9, 9, 9]}, {type: sphere, radius: 1, position: [-0.5, 0, 0], hole: yes}, "
           "{type: sphere, "
           "radius: 1, position: [0.5, 0, 0], hole: yes}"),
     "a: shape[1] and shape[2] overlap by about 1.3 m^3, 31 % of the smaller one: what is there is taken "
     "away twice"},
    {"springs", MODEL(GRAVITY, BODY, SPRING SOFT("1e-7"), RUN("")),
     "stiffnesses differ by a factor of 1e+09: soft has 1e-07, spring has 100 N/m"},
    {NULL, MODEL(GRAVITY, BODY, SPRING SOFT("2e-7"), RUN("")), ""},
    {"springs", MODEL(GRAVITY, BODY, SPRING BUSH("[1e-8, 1, 5]"), RUN("")),
     "stiffnesses differ by a factor of 1e+10: bush has 1e-08, spring has 100 N/m"},
    {NULL, MODEL(GRAVITY, BODY, SPRING BUSH("[100, 100, 1e-9]"), RUN("")), ""}, // N m/rad is another kind
    {NULL, MODEL(GRAVITY, BODY "  - {name: speck, mass: 2e-9, inertia: 0.1}\n", SPRING, RUN("")), ""},
    {"inertias", MODEL(GRAVITY, BODY "  - {name: speck, mass: 1, inertia: 1e-11}\n", SPRING, RUN("")),
     "moments of inertia differ by a factor of 1e+10: speck has 1e-11, block has 0.1 kg m^2"},
    // radius of gyration 1e-3 m, reach 0.2 m: 1e-6 to 0.04 kg m^2
    {"inertia",
     MODEL(GRAVITY, "  - {name: block, mass: 1, inertia: 1e-6, markers: {tip: [0.2, 0]}}\n", SPRING, RUN("")),
     "block: a moment of inertia of 1e-06 kg m^2 with 1 kg is a radius of gyration of 0.001 m, and its "
     "markers and joints are up to "
     "0.2 m from"},
    {"inertia",
     MODEL(GRAVITY, "  - {name: block, mass: 1, inertia: 1000, markers: {tip: [0.2, 0]}}\n", SPRING, RUN("")),
     "radius of gyration of 31.6 m"},
    {NULL,
     MODEL(GRAVITY, "  - {name: block, mass: 1, inertia: 1e-5, markers: {tip: [0.2, 0]}}\n", SPRING, RUN("")),
     ""},
    {"lengths",
     MODEL(GRAVITY, "  - {name: block, mass: 1, inertia: 0.1, markers: {tip: [0.2, 0], speck: [1e-7, 0]}}\n",
           SPRING, RUN("")),
     "lengths differ by a factor of 1e+07: speck of block is 1e-07 m, wall of ground 1 m"},
    {"angles",
     MODEL(GRAVITY,
           "  - {name: block, mass: 1, inertia: 0.1, markers: {tip: {position: [0.2, 0], angle: 90}}}\n",
           SPRING, RUN("")),
     "an angle of 90 is in radians, 14.3 turns: if degrees are meant, write 90 deg"},
    {NULL,
     MODEL(GRAVITY,
           "  - {name: block, mass: 1, inertia: 0.1, markers: {tip: {position: [0.2, 0], angle: 90 deg}}}\n",
           SPRING, RUN("")),
     ""},
    {NULL,
     MODEL(GRAVITY,
           "  - {name: block, mass: 1, inertia: 0.1, markers: {tip: {position: [0.2, 0], angle: 4*pi}}}\n",
           SPRING, RUN("")),
     ""},
    {"angles", MODEL(GRAVITY, "  - {name: block, mass: 1, inertia: 0.1, omega: 360}\n", "", RUN("")),
     "line 5, column 49: an angular velocity of 360 is in rad/s, 57.3 turns a second: if degrees are meant, "
     "write 360 deg/s"},
    {NULL, MODEL(GRAVITY, "  - {name: block, mass: 1, inertia: 0.1, omega: 360 deg/s}\n", "", RUN("")), ""},
    {NULL, MODEL(GRAVITY, "  - {name: block, mass: 1, inertia: 0.1, omega: 100}\n", "", RUN("")), ""},
    {"angles", MODEL(GRAVITY, BODY, PUSH("cos(AZ(block)+90)"), RUN("")),
     "line 10, column 65: 90 beside an angle is in radians, 14.3 turns: if degrees are meant, write 90 deg"},
    {"angles", MODEL(GRAVITY, BODY, PUSH("step(AZ(block), 0, 0, 90, 1)"), RUN("")), "column 73: 90 beside"},
    {"angles", MODEL(GRAVITY, BODY, PUSH("step5(-AZ(block), -30, 0, 30, 1)"), RUN("")), "-30 beside"},
    {"angles", MODEL(GRAVITY, BODY, PUSH("if(AZ(block)-45: 0, 0, 1)"), RUN("")), "45 beside"},
    {"angles", MODEL(GRAVITY, BODY, PUSH("sin(max(60, abs(AZ(block))))"), RUN("")), "60 beside"},
    {"angles",
     MODEL(GRAVITY, BODY, PUSH("sin(v - 180)") "variables: [{name: v, value: 1 - AZ(block)}]\n", RUN("")),
     "180 beside"},
    {"angles",
     MODEL(GRAVITY, BODY, "constraints: [{name: c, position: \"AZ(block) + 30 - DX(block)\"}]\n", RUN("")),
     "30 beside"},
    {"angles", MODEL(GRAVITY, BODY, "events: [{name: e, when: \"AZ(block) - 90\", stop: yes}]\n", RUN("")),
     "90 beside"},
    {NULL, MODEL(GRAVITY, BODY, PUSH("cos(AZ(block) + 90 deg)"), RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY, PUSH("step(AZ(block), 0, 0, 90 deg, 1)"), RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY, PUSH("step(AZ(block), 0, 0, 0.5, 90)"), RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY, PUSH("50*AZ(block) + 30 + WZ(block) + 90"), RUN("")), ""}, // a force
    {NULL, MODEL(GRAVITY, BODY, PUSH("AZ(block)*180/pi + 90"), RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY, PUSH("cos(AZ(block) + 2*pi*15)"), RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY, PUSH("cos(AZ(block) - 20)"), RUN("")), ""},
    // 3e7 m, beside 1 m of the wall: above 1e6, and not with 9e5 m
    {"distance",
     MODEL(GRAVITY, BODY "  - {name: far, mass: 1, inertia: 0.1, position: [3e7, 0]}\n", SPRING, RUN("")),
     "far is drawn 3e+07 m away from the others, and no other length is above 1 m: are the units right?"},
    {NULL,
     MODEL(GRAVITY, BODY "  - {name: far, mass: 1, inertia: 0.1, position: [9e5, 0]}\n", SPRING, RUN("")),
     ""},
    {"angles", MODEL(GRAVITY, BODY ARM, "", HINGE("90*sin(time)") RUN("")),
     "the motion that turn prescribes (\"90*sin(time)\") reaches an angle of 90 rad, 14.3 turns: if degrees "
     "are "
     "meant, write them with their unit, as 90 deg"},
    {"angles", MODEL(GRAVITY, BODY ARM, "", HINGE("step5(time, 0, 0, 1, -45)") RUN("")),
     "reaches an angle of 45 rad, 7.16 turns"},
    // the run ends before the first turning back; an even motion has none
    {"angles", MODEL(GRAVITY, BODY ARM, "", HINGE("90*sin(time)") "simulate: {end: 1}\n"),
     "reaches an angle of 90 rad, 14.3 turns"},
    {"angles", MODEL(GRAVITY, BODY ARM, "", HINGE("90*time") RUN("")),
     "the motion that turn prescribes (\"90*time\") turns with 90 rad/s, 14.3 turns a second: if degrees are "
     "meant, write them with their unit, as 90 deg/s"},
    {NULL, MODEL(GRAVITY, BODY ARM, "", HINGE("90 deg/s*time") RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY ARM, "", HINGE("91*time") RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY ARM, "", HINGE("90 deg*sin(time)") RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY ARM, "", HINGE("0.5*pi*sin(time)") RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY ARM, "", HINGE("20*pi*sin(time)") RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY ARM, "", HINGE("9*time") RUN("")), ""}, // it turns on
    {NULL, MODEL(GRAVITY, BODY ARM, "", HINGE("6*sin(time)") RUN("")), ""},
    {NULL, MODEL(GRAVITY, BODY, DRIVE("90*sin(time)"), RUN("")), ""}, // a length
    {"gravity", MODEL("gravity: [0, -9810]\n", BODY, SPRING, RUN("")), "gravity is 9810 m/s^2"},
    {"gravity", MODEL("gravity: [0, -0.00981]\n", BODY, SPRING, RUN("")), "gravity is 0.00981 m/s^2"},
    {NULL, MODEL("", BODY, SPRING, RUN("")), ""},
    {NULL, MODEL("gravity: [0, 0]\n", BODY, SPRING, RUN("")), ""},
    {"length_scale", MODEL("length_scale: 2000\n" GRAVITY, BODY, SPRING, RUN("")),
     "natural length of the model is 2000 m"},
    {"length_scale", MODEL("length_scale: 5e-5\n" GRAVITY, BODY, SPRING, RUN("")),
     "natural length of the model is 5e-05 m"},
    {NULL, MODEL("length_scale: 1e-4\n" GRAVITY, BODY, SPRING, RUN("")), ""},
    {NULL, MODEL("length_scale: 1000\n" GRAVITY, BODY, SPRING, RUN("")), ""},
    {NULL, MODEL("gravity: [0, -1.62]\n", BODY, SPRING, RUN("")), ""},
    {NULL, "units: {length: mm}\n" MODEL("gravity: [0, -9.81]\n", BODY, SPRING, RUN("")),
     ""}, // told when it is read
    {"output", MODEL(GRAVITY, BODY, SPRING, RUN(", output: 20")),
     "output: 20 s is longer than the run of 10 s"},
    {"output", MODEL(GRAVITY, BODY, SPRING, RUN(", output: 1e-7")), "results would be 1e+08 rows of "},
    {"tolerance", MODEL(GRAVITY, BODY, SPRING, RUN(", tolerance: 0.5")),
     "tolerance: 0.5 admits errors of a large part"},
    {"output", MODEL(GRAVITY, BODY, SPRING, RUN(", output: 10.0000001")),
     "output: 10.0000001 s is longer than the run of 10 s"},
    {"step", MODEL(GRAVITY, BODY, SPRING, RUN(", step: 10.0000001")),
     "step: 10.0000001 s is longer than the run of 10 s"},
    {"step", MODEL(GRAVITY, BODY, SPRING, RUN(", step: 11")), "step: 11 s is longer than the run of 10 s"},
    {"event", MODEL(GRAVITY, BODY, SPRING "events: [{name: late, at: [3, 12], print: now}]\n", RUN("")),
     "event late is to happen at 12 s, behind the end of the run, 10 s"},
    {"event", MODEL(GRAVITY, BODY, SPRING "events: [{name: late, when: time - 12, print: now}]\n", RUN("")),
     "event late does not happen: \"time - 12\" does not pass through 0 before the end of the run, 10 s"},
    {"event",
     MODEL(GRAVITY, BODY, SPRING "events: [{name: late, when: cos(time) + 1.01, print: now}]\n", RUN("")),
     "event late does not happen"},
    {NULL, MODEL(GRAVITY, BODY, SPRING "events: [{name: last, when: time - 9.99, print: now}]\n", RUN("")),
     ""},
    {NULL, MODEL(GRAVITY, BODY, SPRING "events: [{name: once, every: 12, print: now}]\n", RUN("")),
     ""}, // at 0,
    {"turns", SPATIAL_HINGE("270 deg", "motor: {angle: 275 deg, kp: 10, kd: 3}"),
     "j.motor: its angle is to be 275 deg, and it begins at -90 deg, as it is drawn"},
    {"turns", SPATIAL_HINGE("-190 deg", "stiffness: 10, angle: -190 deg"),
     "j.spring: its angle is free at -190 deg, and it begins at 170 deg, as it is drawn"},
    {NULL, SPATIAL_HINGE("270 deg", "turns: 1, motor: {angle: 275 deg, kp: 10, kd: 3}"), ""},
    {NULL, SPATIAL_HINGE("100 deg", "motor: {angle: -70 deg + time, kp: 10, kd: 3}"), ""},
    {NULL, SPATIAL_HINGE("0", "motor: {angle: 4, kp: 10, kd: 3}"), ""}, // from where it is drawn
    // a driver has its own count of turns: in space of a pose that has none, in the plane of one that is drawn with them
    {"turns", DRIVEN_HINGE("350 deg", "", "350 deg + time"),
     "drivers.d: it has the angle of \"j\" begin at 350 deg, 1 full turn on from where it is drawn, at -10 "
     "deg: a pose in space does not say how many full turns there are. Shift the driver by -360 deg to begin "
     "without them, or give the joint `turns: 1` if they are meant"},
    {"turns", DRIVEN_HINGE("10 deg", "", "-14.3 + time"),
     "2 full turns back from where it is drawn, at 10 deg"},
    {NULL, DRIVEN_HINGE("350 deg", "", "-10 deg + time"), ""},
    {NULL, DRIVEN_HINGE("350 deg", ", turns: 1", "350 deg + time"), ""},
    {"turns", PLANE_HINGE("350 deg", "-10 deg + time"),
     "drivers.d: it has the angle of \"j\" begin at -10 deg, 1 full turn back from where it is drawn, at 350 "
     "deg: in the plane an angle is drawn with its turns. Shift the driver by 360 deg to begin without them, "
     "or draw \"j\" at -10 deg if they are meant"},
    {NULL, PLANE_HINGE("350 deg", "350 deg + time"), ""},
    {NULL, PLANE_HINGE("-10 deg", "0.1 + time"), ""},
    {"sign", SPATIAL_HINGE("0", "motor: {angle: 0.1, kp: 10, kd: 3, gear: -3}"),
     "j.motor: with a gear of -3 its gains drive the joint away from the angle that it is to have"},
    {NULL, SPATIAL_HINGE("0", "motor: {torque: 0.1, gear: -3}"), ""}};

static hol_check *check_of(const char *text)
{
    hol_model *m = load_model(text, NULL, 0);
    hol_check *c = hol_check_create(ctx, m);
    if (!c) fail_msg("%s", hol_context_error(ctx));
    hol_model_destroy(m);
    return c;
}

static void each_warning_comes_alone_with_its_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol_model *m = load_model(cases[i].model, NULL, 0);
        hol_check *c = hol_check_create(ctx, m);
        if (!c) fail_msg("case %zu: %s", i, hol_context_error(ctx));
        const hol_warning *w = c->warning;
        if (c->n_warnings != (cases[i].name != NULL))
            fail_msg("case %zu (%s) has %d warnings, the first %s: %s", i,
                     cases[i].name ? cases[i].name : "none", c->n_warnings, c->n_warnings ? w->name : "",
                     c->n_warnings ? w->text : "");
        if (cases[i].name && (strcmp(w->name, cases[i].name) != 0 || !strstr(w->text, cases[i].words)))
            fail_msg("case %zu: %s: %s\nwanted: %s", i, w->name, w->text, cases[i].words);
        hol_check_destroy(c);
        hol_model_destroy(m);
    }
}

static char told[4000];
static void remember(void *user, hol_severity severity, const char *text)
{
    const size_t n = strlen(told);
    (void)user;
    if (severity == HOL_WARNING) snprintf(told + n, sizeof told - n, "%s\n", text);
}

// A run tells what a check warns of, in short: all but what needs an assembled model.
static void runs_are_told_in_short(void **state)
{
    (void)state;
    hol_context_set_log(ctx, remember, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol_model *m = load_model(cases[i].model, NULL, 0);
        hol_check *c = hol_check_create(ctx, m);
        told[0] = 0;
        assert_int_equal(hol_model_warn(ctx, m), HOL_OK);
        const bool wanted = c->n_warnings && strcmp(c->warning->name, "stiffness") != 0 &&
                            strcmp(c->warning->name, "growth") != 0 &&
                            !strstr(c->warning->text, "results would be");
        const char *text = strchr(told, ' '); // behind the name of the file
        if (wanted != (text != NULL)) fail_msg("case %zu: told \"%s\"", i, told);
        if (text && (strncmp(text + 1, c->warning->text, strlen(text + 1) - 1) != 0 ||
                     strlen(text) > strlen(c->warning->text) + 2 || strchr(text, '\n')[1]))
            fail_msg("case %zu: told \"%s\" of \"%s\"", i, told, c->warning->text);
        hol_check_destroy(c);
        hol_model_destroy(m);
    }
    hol_context_set_log(ctx, NULL, NULL);
}

// What is true of the program's own models.
static const struct {
    const char *model, *name, *why;
} known[] = {
    {"hmmwv.yaml", "stiffness",
     "wheels of the published model have an inertia that their bushings' damping stops in 4 us"},
    {"spinning_disc.yaml", "depth", "its rim is thin, and the force on it nearly constant"},
};

static void own_models_have_true_warnings_only(void **state)
{
    glob_t found;
    size_t seen = 0;
    (void)state;
    assert_int_equal(glob("models/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 32);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *file = strrchr(found.gl_pathv[i], '/') + 1;
        char name[100];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
        hol_model *m = load_model(name, NULL, 0);
        hol_check *c = hol_check_create(ctx, m);
        if (!c) fail_msg("%s: %s", file, hol_context_error(ctx));
        for (int k = 0; k < c->n_warnings; k++) {
            bool listed = false;
            for (size_t j = 0; j < sizeof known / sizeof *known; j++)
                listed = listed || (strcmp(known[j].model, file) == 0 &&
                                    strcmp(known[j].name, c->warning[k].name) == 0);
            if (!listed) fail_msg("%s: %s: %s", file, c->warning[k].name, c->warning[k].text);
            seen++;
        }
        hol_check_destroy(c);
        hol_model_destroy(m);
    }
    assert_int_equal(seen, sizeof known / sizeof *known);
    globfree(&found);
}

// Laws are one entry each, where the file has them, and what the user wrote in them is another one.
static void laws_have_one_kink_each(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nbodies: [{name: a, mass: 1, inertia: 1}]\njoints:\n"
        "  - name: rail\n    type: translational\n    between: [ground, a]\n    friction: {force: 2}\n"
        "    limits: {range: [-1, 1], stiffness: 100}\n    motor: {stroke: abs(time - 0.5), kp: 10, max: 5}\n"
        "simulate: {end: 1}\n";
    static const char *const lines[] = {
        "abs in rail.motor, line 10, column 21, at t = 0.5 s", "the law of rail.limits, line 9, column 13",
        "the law of rail.motor, line 10, column 12", "the law of rail.friction, line 8, column 15"};
    (void)state;
    hol_check *c = check_of(text);
    assert_int_equal(c->kinks, HOL_COUNT(lines));
    assert_int_equal(c->n_kinks, HOL_COUNT(lines));
    for (int i = 0; i < HOL_COUNT(lines); i++) assert_string_equal(c->kink[i], lines[i]);
    hol_check_destroy(c);
}

static void kinks_are_listed_with_place_and_time(void **state)
{
    static const struct {
        const char *value, *words;
    } rows[] = {
        {"abs(time - 3)", "abs in push, line 10, column 51, at t = 3 s"},
        {"3 + if(time - 4: 0, 1, 2)", "if in push, line 10, column 55, at t = 4 s"},
        {"min(time, 6)", "min in push, line 10, column 51, at t = 6 s"},
        {"max(1, 2, time)", "max in push, line 10, column 51, at t = 2 s"},
        {"abs(DX(block))", "abs in push, line 10, column 51"},
        {"abs(time + 3)", "abs in push, line 10, column 51"}, // before the start
        // the slope jumps where abs has its corner, at 3 s, not where step5 begins and ends
        {"abs(step5(time, 1, -1, 5, 1))", "abs in push, line 10, column 51, at t = 3 s"},
        {"step(2*time, 1, 0, 5, 1)", NULL}, // its curvature jumps
        {"havsin(2*time, 1, 0, 5, 1)", NULL},
        {"step5(2*time, 1, 0, 5, 1)", NULL}, // its third derivative
        {"step5(DX(block), 1, 0, 5, 1)", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 MODEL(GRAVITY, BODY, SPRING "  - {name: push, type: force, on: block, value: [\"%s\", 0]}\n",
                       RUN("")),
                 rows[i].value);
        hol_check *c = check_of(text);
        assert_int_equal(c->kinks, rows[i].words != NULL);
        assert_int_equal(c->n_kinks, rows[i].words != NULL);
        if (rows[i].words && strcmp(c->kink[0], rows[i].words) != 0)
            fail_msg("%s: %s, not %s", rows[i].value, c->kink[0], rows[i].words);
        hol_check_destroy(c);
    }
}

// What is left of the order by (8.60): the acceleration max(t - c, 0) moves 1 kg by (1 - c)^3/6 in 1 s, with c at 80 places of a step.
static void across_a_node_the_order_is_two(void **state)
{
    double mean[2] = {0};
    (void)state;
    for (int fine = 0; fine < 2; fine++)
        for (int k = 0; k < 80; k++) {
            const double c = 0.3 + (k + 0.37) / 800;
            char text[500], step[40];
            snprintf(text, sizeof text,
                     "dimension: 2\ngravity: [0, 0]\nsplines: [{name: t, kind: linear, x: [0, %.17g, 2], y: "
                     "[0, 0, "
                     "%.17g]}]\nbodies: [{name: b, mass: 1, inertia: 1}]\n"
                     "forces: [{name: f, type: force, on: b, value: [\"spline(time, t)\", 0]}]\n"
                     "simulate: {end: 1, method: rk, signals: [b.x]}\n",
                     c, 2 - c);
            snprintf(step, sizeof step, "simulate.step=%g", fine ? 0.025 : 0.1);
            const char *const set[] = {step, "simulate.end=1"};
            motion m = open_motion(text, set, 2);
            assert_int_equal(hol_simulation_run(m.sim), HOL_OK);
            mean[fine] += fabs(value_of(&m, "b.x") - (1 - c) * (1 - c) * (1 - c) / 6) / 80;
            close_motion(&m);
        }
    print_message("mean error %.2e, of a quarter of the step %.2e\n", mean[0], mean[1]);
    assert_true(mean[0] > 8 * mean[1] && mean[0] < 32 * mean[1]);
}

// The impulse of the pulse, 50 N for 0.01 s on 1 kg, arrives; with the fixed step that is warned of, 1 s, it does not, and
// with the one named instead, 0.001 s, it does.
static void a_pulse_is_seen_with_the_step_of_its_warning(void **state)
{
    (void)state;
    const char *text = MODEL("", BODY,
                             "forces:\n  - {name: push, type: force, on: block, value: [\"if(time-4: 0, 0, "
                             "if(time-4.01: 50, 0, 0))\", 0]}\n",
                             RUN(", method: hht"));
    const char *set[] = {"simulate.step=0.001"}, *idle[] = {"simulate.step=1"};
    motion a = move(text, NULL, 0), b = move(text, set, 1), c = move(text, idle, 1);
    assert_int_equal(a.end, HOL_OK);
    assert_int_equal(b.end, HOL_OK);
    assert_int_equal(c.end, HOL_OK);
    near("velocity", value_of(&a, "block.vx"), 0.5, 1e-9);
    near("velocity with short steps", value_of(&b, "block.vx"), 0.5, 0.06); // of eleven looks
    near("velocity with long ones", value_of(&c, "block.vx"), 0, 0.01);     // the warning is no idle one
    close_motion(&c);
    close_motion(&a);
    close_motion(&b);
}

static void without_memory_check_says_so(void **state)
{
    (void)state;
    hol_model *m = load_model(cases[2].model, NULL, 0);
    int n = 1;
    for (;; n++) {
        hol_memory_fail_after(ctx, n);
        hol_check *c = hol_check_create(ctx, m);
        hol_memory_fail_after(ctx, 0);
        if (c) {
            assert_int_equal(c->n_warnings, 1);
            hol_check_destroy(c);
            break;
        }
        assert_int_equal(hol_context_status(ctx), HOL_ERR_MEMORY);
    }
    assert_true(n > 20);
    hol_model_destroy(m);
}

static char heard[1000];
static void hear(void *user, hol_severity severity, const char *text)
{
    (void)user;
    if (severity == HOL_WARNING) snprintf(heard, sizeof heard, "%s", text);
}

// Frames with z along the shafts; the right ones, across them, are not doubted.
static void a_hooke_joint_of_another_convention_is_told_its_rule(void **state)
{
    static const char text[] =
        "dimension: 3\nbodies:\n  - {name: in, mass: 1, inertia: [1, 1, 1], position: [-0.5, 0, 0]}\n"
        "  - {name: out, mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}\n"
        "joints:\n  - {name: U, type: hooke, bodies: [in, out], at: [0, 0, 0], axis: [%s], axis2: [%s]}\n";
    char model[1000];
    (void)state;
    hol_context_set_log(ctx, hear, NULL);
    for (int along = 0; along < 2; along++) {
        snprintf(model, sizeof model, text, along ? "1, 0, 0" : "0, 0, 1", along ? "1, 0.2, 0" : "0, 1, 0");
        *heard = 0;
        hol_model_destroy(load_model(model, NULL, 0));
        assert_true(!*heard == !along);
    }
    hol_context_set_log(ctx, NULL, NULL);
    assert_non_null(strstr(
        heard, "z of the two frames are the arms of the cross and stay perpendicular; as drawn they are at "
               "11.3 deg")); // atan(0.2)
}

static void a_driver_without_a_value_is_named(void **state)
{
    (void)state;
    motion a = {0};
    a.model = load_model("dimension: 2\nbodies: [{name: disc, mass: 1, inertia: 1}]\n"
                         "joints: [{name: pin, type: revolute, bodies: [ground, disc], at: [0, 0]}]\n"
                         "drivers: [{name: motor, joint: pin, type: angle, value: log(-1 - time)}]\n"
                         "simulate: {end: 1}\n",
                         NULL, 0);
    assert_null(hol_simulation_create(ctx, a.model));
    expect_message(
        "drivers.motor: \"log(-1 - time)\" has no finite value at t = 0 s: log(-1) is not a finite number");
    hol_model_destroy(a.model);
}

#define TEST(f) cmocka_unit_test(f)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_warning_comes_alone_with_its_words),
        TEST(runs_are_told_in_short),
        TEST(own_models_have_true_warnings_only),
        TEST(kinks_are_listed_with_place_and_time),
        TEST(laws_have_one_kink_each),
        TEST(across_a_node_the_order_is_two),
        TEST(a_pulse_is_seen_with_the_step_of_its_warning),
        TEST(without_memory_check_says_so),
        TEST(a_hooke_joint_of_another_convention_is_told_its_rule),
        TEST(a_driver_without_a_value_is_named),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
