// Driven mechanisms that come to singular poses, with closed forms of their motions.
#ifndef POSES_H
#define POSES_H

// A rod of 1 m hinged at the origin, its tip at a distance d from (0, 2): d^2 = 5 - 4 sin theta, 1 .. 3 m.
static const char rod[] =
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {A: 1, w: 2, th0: asin(0.25)}\nbodies:\n"
    "  - {name: a, mass: 1, inertia: 0.1, position: [0.5*cos(th0), 0.5*sin(th0)], angle: th0, markers: {o: "
    "[-0.5, 0], p: [0.5, 0]}}\n"
    "joints: [{name: h, type: revolute, between: [ground, a.o]}]\n"
    "drivers: [{name: d, type: distance, between: [ground: [0, 2], a.p], value: \"2+A*sin(w*time)\"}]\n"
    "simulate: {end: 5, output: 0.05}\n";

// A parallelogram whose crank turns by w: all of it goes on in parallel through the poses in which its links are in line.
static const char parallelogram[] =
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {a: 1, d: 2, w: 2*pi, th0: pi/2}\ninputs: [{name: u, "
    "value: "
    "0, unit: N m}]\nbodies:\n"
    "  - {name: c1, mass: 1, inertia: 0.1, position: [a/2*cos(th0), a/2*sin(th0)], angle: th0, markers: {o: "
    "[-a/2, 0], p: [a/2, 0]}}\n"
    "  - {name: c2, mass: 1, inertia: 0.1, position: [d+a/2*cos(th0), a/2*sin(th0)], angle: th0, markers: "
    "{o: "
    "[-a/2, 0], p: [a/2, 0]}}\n"
    "  - {name: cp, mass: 1, inertia: 0.1, position: [a*cos(th0)+d/2, a*sin(th0)], markers: {o: [-d/2, 0], "
    "p: "
    "[d/2, 0]}}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground, c1.o]}\n"
    "  - {name: D, type: revolute, between: [ground: [d, 0], c2.o]}\n"
    "  - {name: B, type: revolute, between: [c1.p, cp.o]}\n"
    "  - {name: C, type: revolute, between: [cp.p, c2.p]}\n"
    "forces: [{name: mt, type: torque, joint: A, value: u}]\n"
    "drivers: [{name: m, type: angle, joint: A, speed: w}]\nsimulate: {end: 3, output: 0.25}\n";

#endif
