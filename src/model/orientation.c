// Orientations as users write them, turned into Euler parameters (scalar first).
#include "model/spec.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const char *const hol_orientation_keys[] = {"quat_wxyz", "rpy", "axis", "angle", "z", "x", NULL};

static void axis_turn(const double axis[3], double angle, double q[4])
{
    q[0] = cos(angle / 2);
    for (int i = 0; i < 3; i++) q[i + 1] = sin(angle / 2) * axis[i];
}

static bool unit(const double v[3], double out[3])
{
    const double n = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) out[i] = n > 0 ? v[i] / n : 0;
    return n > 0;
}

bool hol_frame_from_axes(const double z_given[3], const double *x_given, double quat[4])
{
    double z[3], x[3], R[9];
    if (!unit(z_given, z)) return false;
    double hint[3] = {1, 0, 0};
    if (x_given)
        memcpy(hint, x_given, sizeof hint);
    else if (fabs(z[0]) > 0.9) { // nearly along x: y is the next choice
        hint[0] = 0;
        hint[1] = 1;
    }
    const double along = hint[0] * z[0] + hint[1] * z[1] + hint[2] * z[2];
    for (int i = 0; i < 3; i++) hint[i] -= along * z[i];
    if (!unit(hint, x) || hint[0] * hint[0] + hint[1] * hint[1] + hint[2] * hint[2] < 1e-20) return false;
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        R[3 * i] = x[i];
        R[3 * i + 1] = z[a] * x[b] - z[b] * x[a];
        R[3 * i + 2] = z[i];
    }
    hol_matrix_quat(R, quat);
    return true;
}

// euler_zxz: intrinsic rotations about z, then the new x, then the new z; any axes, neighbours different.
static hol_status read_sequence(const hol_reader *r, const char *axes, const hol_node *node,
                                const hol_path *path, double quat[4])
{
    double angle[3], turn[4];
    hol_status st = hol_read_numbers(r, node, path, "rad", 3, angle);
    if (st) return st;
    quat[0] = 1;
    quat[1] = quat[2] = quat[3] = 0;
    for (int i = 0; i < 3; i++) {
        const double axis[3] = {axes[i] == 'x', axes[i] == 'y', axes[i] == 'z'};
        axis_turn(axis, angle[i], turn);
        hol_quat_multiply(quat, turn, quat);
    }
    return HOL_OK;
}

static bool is_sequence(const char *key)
{
    if (strncmp(key, "euler_", 6) != 0 || strlen(key) != 9) return false;
    for (int i = 6; i < 9; i++)
        if (key[i] < 'x' || key[i] > 'z' || (i > 6 && key[i] == key[i - 1])) return false;
    return true;
}

static hol_status read_quat(const hol_reader *r, const hol_node *node, const hol_path *path, double q[4])
{
    hol_status st = hol_read_numbers(r, node, path, "", 4, q);
    if (st) return st;
    const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (fabs(n - 1) > 1e-3)
        return hol_read_fail(r, node, path, "length is %.6g, must be 1 (order: w, x, y, z)", n);
    for (int i = 0; i < 4; i++) q[i] /= n;
    return HOL_OK;
}

// {axis: [..], angle: ..}: rotation by the angle about the axis.
static hol_status read_axis_angle(const hol_reader *r, const hol_node *map, const hol_path *path,
                                  double quat[4])
{
    const hol_node *axis = hol_node_find(map, "axis"), *angle = hol_node_find(map, "angle");
    double v[3], n[3], a;
    if (!axis || !angle) return hol_read_fail(r, map, path, "\"axis\" and \"angle\" are wanted together");
    const hol_path at_axis = {path, "axis", 0, NULL}, at_angle = {path, "angle", 0, NULL};
    hol_status st = hol_read_numbers(r, axis, &at_axis, "", 3, v);
    if (!st) st = hol_read_number(r, angle, &at_angle, "rad", &a);
    if (st) return st;
    if (!unit(v, n)) return hol_read_fail(r, axis, &at_axis, "length is 0, a direction is wanted");
    axis_turn(n, a, quat);
    return HOL_OK;
}

// {z: [..], x: [..]}: z as given, x made perpendicular to it; any x if none is given.
static hol_status read_axes(const hol_reader *r, const hol_node *map, const hol_path *path, double quat[4])
{
    const hol_node *z = hol_node_find(map, "z"), *x = hol_node_find(map, "x");
    double vz[3], vx[3];
    if (!z) return hol_read_fail(r, map, path, "\"z\" is missing");
    const hol_path at_z = {path, "z", 0, NULL}, at_x = {path, "x", 0, NULL};
    hol_status st = hol_read_numbers(r, z, &at_z, "", 3, vz);
    if (!st && x) st = hol_read_numbers(r, x, &at_x, "", 3, vx);
    if (st) return st;
    if (!hol_frame_from_axes(vz, x ? vx : NULL, quat))
        return hol_read_fail(r, z, &at_z, "the directions are zero or parallel, no frame has these axes");
    return HOL_OK;
}

hol_status hol_read_orientation(const hol_reader *r, const hol_node *node, const hol_path *path,
                                double quat[4])
{
    if (node->kind != HOL_NODE_MAP || node->n == 0)
        return hol_read_fail(
            r, node, path,
            "an orientation names its kind: {quat_wxyz: [..]}, {rpy: [..]}, {euler_zxz: [..]}, "
            "{axis: [..], angle: ..} or {z: [..], x: [..]}");
    for (int i = 0; i < node->n; i++) {
        const char *key = node->key[i]->text;
        const hol_path at = {path, key, 0, NULL};
        const bool pair = strcmp(key, "axis") == 0 || strcmp(key, "angle") == 0;
        const bool axes = strcmp(key, "z") == 0 || strcmp(key, "x") == 0;
        if (node->n > ((pair || axes) ? 2 : 1))
            return hol_read_fail(r, node->key[node->n - 1], path,
                                 "one kind of orientation is wanted, not several");
        if (strcmp(key, "quat_wxyz") == 0) return read_quat(r, node->value[i], &at, quat);
        // roll about x, pitch about y, yaw about z, all fixed axes: intrinsic z, y, x in reverse order
        if (strcmp(key, "rpy") == 0) {
            double a[3];
            hol_status st = hol_read_numbers(r, node->value[i], &at, "rad", 3, a);
            const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
            double turn[4];
            axis_turn(z, a[2], quat);
            axis_turn(y, a[1], turn);
            hol_quat_multiply(quat, turn, quat);
            axis_turn(x, a[0], turn);
            hol_quat_multiply(quat, turn, quat);
            return st;
        }
        if (is_sequence(key)) return read_sequence(r, key + 6, node->value[i], &at, quat);
        if (pair) return read_axis_angle(r, node, path, quat);
        if (axes) return read_axes(r, node, path, quat);
        hol_nearest nearest;
        hol_nearest_start(&nearest, key);
        for (const char *const *k = hol_orientation_keys; *k; k++) hol_nearest_try(&nearest, *k);
        hol_nearest_try(&nearest, "euler_zxz");
        return hol_read_fail(r, node->key[i], path, "unknown kind of orientation \"%s\"; %s%s%s", key,
                             nearest.best ? "did you mean \""
                                          : "there are quat_wxyz, rpy, euler_zxz, axis with angle, z with x",
                             nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
    }
    return HOL_OK;
}
