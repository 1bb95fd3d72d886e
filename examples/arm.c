// A robot arm of three joints that follows a path by computed torque: each millisecond the equations of the model say which torques
// the wanted accelerations take, weight and all.
//
//     arm
//
// Follows the path twice, with computed torque and with the same gains alone; then holds still by gravity compensation, and
// compares the torques with a closed form. Exit 1 if computed torque is not much the better one.
#include "holonom_equations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { JOINTS = 3, PERIODS = 2000 };
#define PERIOD 1e-3 // [s]

static const char text[] =
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "inputs: [{name: u0, unit: N m}, {name: u1, unit: N m}, {name: u2, unit: N m}]\n"
    "bodies:\n"
    "  - {name: column, mass: 5, inertia: [0.05, 0.05, 0.03], position: [0, 0, 0.25]}\n"
    "  - {name: upper, mass: 3, inertia: [0.004, 0.07, 0.07], position: [0.25, 0, 0.5]}\n"
    "  - {name: fore, mass: 2, inertia: [0.002, 0.03, 0.03], position: [0.7, 0, 0.5], markers: {hand: [0.2, "
    "0, 0]}}\n"
    "joints:\n"
    "  - {name: waist, type: revolute, bodies: [ground, column], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: shoulder, type: revolute, bodies: [column, upper], at: [0, 0, 0.5], axis: [0, 1, 0]}\n"
    "  - {name: elbow, type: revolute, bodies: [upper, fore], at: [0.5, 0, 0.5], axis: [0, 1, 0]}\n"
    "forces:\n"
    "  - {name: motor0, type: rotational-spring-damper, between: [ground, column], torque: u0}\n"
    "  - {name: motor1, type: rotational-spring-damper, between: [column: {axis: [0, 1, 0]}, upper: {axis: "
    "[0, 1, 0]}], torque: u1}\n"
    "  - {name: motor2, type: rotational-spring-damper, between: [upper: {axis: [0, 1, 0]}, fore: {axis: [0, "
    "1, 0]}], torque: u2}\n"
    "simulate: {end: 2, method: rk, tolerance: 1e-8}\n";

static const char *const joints[JOINTS] = {"waist.angle", "shoulder.angle", "elbow.angle"};

typedef struct {
    hol_simulation *sim;
    hol_eom *eom;
    int joint[JOINTS];   // their places among the joint rates
    double sign[JOINTS]; // of a motor's torque against the joint's
} robot;

// Where the joint is to be at t: angle, its rate and acceleration.
static void path(int joint, double t, double want[3])
{
    const double size = 0.6 + 0.2 * joint, w = 3 + joint, c = cos(w * t), s = sin(w * t);
    want[0] = size * (1 - c);
    want[1] = size * w * s;
    want[2] = size * w * w * c;
}

// The torques of the motors that give the joints these accelerations: H a + h, in the order of the joints.
static hol_status inverse(robot *r, const double *a, double *torque)
{
    double H[JOINTS * JOINTS], h[JOINTS];
    hol_status st = hol_eom_get(r->eom, HOL_EOM_JOINT_INERTIA, H, JOINTS * JOINTS);
    if (!st) st = hol_eom_get(r->eom, HOL_EOM_JOINT_BIAS, h, JOINTS);
    for (int i = 0; i < JOINTS; i++) {
        double sum = h[r->joint[i]];
        for (int j = 0; j < JOINTS; j++) sum += H[r->joint[i] + r->joint[j] * JOINTS] * a[j];
        torque[i] = sum / r->sign[i];
    }
    return st;
}

static hol_status motors_off(robot *r)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < JOINTS && !st; i++) st = hol_eom_set_input(r->eom, i, 0);
    return st;
}

// Places of the joints, and what a torque of 1 N m of each motor does to the bias.
static hol_status find(robot *r)
{
    double without[JOINTS], with[JOINTS];
    hol_status st = hol_eom_use_joints(r->eom);
    for (int i = 0; i < JOINTS && !st; i++) {
        r->joint[i] = hol_eom_find(r->eom, HOL_EOM_JOINT_RATES, joints[i]);
        if (r->joint[i] < 0) return HOL_ERR_USAGE;
        st = motors_off(r);
        if (!st) st = hol_eom_get(r->eom, HOL_EOM_JOINT_BIAS, without, JOINTS);
        if (!st) st = hol_eom_set_input(r->eom, i, 1);
        if (!st) st = hol_eom_get(r->eom, HOL_EOM_JOINT_BIAS, with, JOINTS);
        r->sign[i] = without[r->joint[i]] - with[r->joint[i]]; // +1 or -1
    }
    return st ? st : motors_off(r);
}

// Follows the path; *worst: the largest distance of a joint from it [rad].
static hol_status follow(robot *r, bool computed, double *worst)
{
    double p[JOINTS], u[JOINTS], a[JOINTS], torque[JOINTS];
    hol_status st = hol_simulation_reset(r->sim);
    *worst = 0;
    for (int k = 0; k < PERIODS && !st; k++) {
        st = hol_eom_take(r->eom, r->sim);
        if (!st) st = motors_off(r); // the bias is to be without them
        if (!st) st = hol_eom_get(r->eom, HOL_EOM_JOINT_POSITIONS, p, JOINTS);
        if (!st) st = hol_eom_get(r->eom, HOL_EOM_JOINT_VELOCITIES, u, JOINTS);
        for (int i = 0; i < JOINTS && !st; i++) {
            double want[3];
            path(i, PERIOD * k, want);
            const double off = want[0] - p[r->joint[i]];
            *worst = fmax(*worst, fabs(off));
            a[i] = (computed ? want[2] : 0) + 400 * off + 40 * (want[1] - u[r->joint[i]]);
            torque[i] = a[i] / r->sign[i]; // of the gains alone, for 1 kg m^2
        }
        if (!st && computed) st = inverse(r, a, torque);
        for (int i = 0; i < JOINTS && !st; i++) st = hol_simulation_set_input(r->sim, i, torque[i]);
        if (!st) st = hol_simulation_advance(r->sim, PERIOD * (k + 1));
    }
    return st;
}

// At rest the torques hold the weight: with the arm stretched out along x those of its two bodies at their arms.
static hol_status hold(robot *r, double *off)
{
    const double at[JOINTS] = {0, 0, 0}, none[JOINTS] = {0, 0, 0};
    const double elbow = 9.81 * 2 * 0.2, shoulder = 9.81 * (3 * 0.25 + 2 * 0.7);
    double torque[JOINTS];
    hol_status st = hol_eom_set_joints(r->eom, 0, at, JOINTS, none, JOINTS);
    if (!st) st = motors_off(r);
    if (!st) st = inverse(r, none, torque);
    if (st) return st;
    // about y, downwards: the joints turn the other way round
    *off = fmax(fabs(torque[0]), fmax(fabs(fabs(torque[1]) - shoulder), fabs(fabs(torque[2]) - elbow)));
    printf("weight: %.4f N m at the shoulder, %.4f N m at the elbow; closed form %.4f, %.4f\n", torque[1],
           torque[2], -shoulder * r->sign[1], -elbow * r->sign[2]);
    return st;
}

int main(void)
{
    double worst[2], off;
    hol_context *ctx = hol_context_create();
    if (!ctx) return 1;
    hol_model *model = hol_model_parse(ctx, "arm", text, strlen(text), NULL, 0);
    robot r = {.sim = model ? hol_simulation_create(ctx, model) : NULL};
    r.eom = r.sim ? hol_eom_create(ctx, model, HOL_EOM_ASSEMBLED) : NULL;
    hol_status st = r.eom ? find(&r) : HOL_ERR_USAGE;
    for (int computed = 1; computed >= 0 && !st; computed--) {
        st = follow(&r, computed, &worst[computed]);
        if (!st)
            printf("%s: at most %.2e rad from the path\n", computed ? "computed torque" : "gains alone    ",
                   worst[computed]);
    }
    if (!st) st = hold(&r, &off);
    if (st) fprintf(stderr, "arm: %s\n", hol_context_error(ctx));
    hol_eom_destroy(r.eom);
    hol_simulation_destroy(r.sim);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
    return !st && worst[1] < 1e-2 && worst[1] < 0.05 * worst[0] && off < 1e-9 ? 0 : 1;
}
