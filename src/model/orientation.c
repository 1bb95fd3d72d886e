// Orientations as users write them, turned into Euler parameters (scalar first).
#include "model/grammar.h"
#include "model/spec.h"

#include <math.h>
#include <string.h>

// clang-format off
#define EULER(axes) \
    {"euler_" axes, HOL_TUPLE, "rad", 3, -HOL_INF, HOL_INF, 0, NULL, "turns about " axes ", each about the new axis"}
// clang-format on
#define SEQUENCES                                                                                            \
    "euler_xyx|euler_xyz|euler_xzx|euler_xzy|euler_yxy|euler_yxz|euler_yzx|euler_yzy|euler_zxy|euler_zxz|"   \
    "euler_zyx|euler_zyz"
enum { QUAT, RPY, AXIS, ANGLE, Z, X, EULER };
static const hol_option rows[] = {
    {"quat_wxyz", HOL_TUPLE, "", 4, -HOL_INF, HOL_INF, 0, NULL, "Euler parameters, scalar first"},
    {"rpy", HOL_TUPLE, "rad", 3, -HOL_INF, HOL_INF, 0, NULL,
     "roll about x, pitch about y, yaw about z, fixed axes"},
    {"axis", HOL_TUPLE, "", 3, -HOL_INF, HOL_INF, 0, NULL, "with `angle`: the axis of one turn"},
    {"angle", HOL_NUMBER, "rad", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "with `axis`: its angle"},
    {"z", HOL_TUPLE, "", 3, -HOL_INF, HOL_INF, 0, NULL, "direction of z"},
    {"x", HOL_TUPLE, "", 3, -HOL_INF, HOL_INF, 0, NULL, "with `z`: direction of x, as near as possible"},
    EULER("xyx"),
    EULER("xyz"),
    EULER("xzx"),
    EULER("xzy"),
    EULER("yxy"),
    EULER("yxz"),
    EULER("yzx"),
    EULER("yzy"),
    EULER("zxy"),
    EULER("zxz"),
    EULER("zyx"),
    EULER("zyz"),
    HOL_END_OPTIONS};
#define KINDS                                                                                                \
    "an orientation names its kind: {quat_wxyz: [..]}, {rpy: [..]}, {euler_zxz: [..]}, {axis: [..], angle: " \
    "..} or {z: [..], x: [..]}"
static const hol_rule rules[] = {
    {HOL_GOES_WITH, "axis|angle", "\"axis\" and \"angle\" are wanted together", NULL},
    {HOL_GOES_WITH, "angle|axis", "\"axis\" and \"angle\" are wanted together", NULL},
    {HOL_GOES_WITH, "x|z", "\"z\" is missing", NULL},
    {HOL_ONE_OF, "quat_wxyz|rpy|axis+angle|z|" SEQUENCES, KINDS,
     "one kind of orientation is wanted, not several"},
    HOL_END_RULES};
const hol_object hol_orientation_object = {
    .name = "orientation",
    .rows = rows,
    .rules = rules,
    .text = "Orientations (3D) name their kind:",
    .example =
        "{quat_wxyz: [1, 0, 0, 0]}             Euler parameters, scalar first\n"
        "{rpy: [0, 0, 90 deg]}                 roll about x, pitch about y, yaw about z, fixed axes\n"
        "{euler_zxz: [10 deg, 20 deg, 0]}      turns about z, the new x, the new z; any sequence of axes\n"
        "{axis: [0, 0, 1], angle: 90 deg}      one turn about an axis\n"
        "{z: [1, 0, 0], x: [0, 1, 0]}          directions of z and, as near as possible, x\n"};

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

// Intrinsic rotations about the axes, "zxz": about z, then the new x, then the new z.
static void read_sequence(const char *axes, const double angle[3], double quat[4])
{
    double turn[4];
    quat[0] = 1;
    quat[1] = quat[2] = quat[3] = 0;
    for (int i = 0; i < 3; i++) {
        const double axis[3] = {axes[i] == 'x', axes[i] == 'y', axes[i] == 'z'};
        axis_turn(axis, angle[i], turn);
        hol_quat_multiply(quat, turn, quat);
    }
}

static hol_status read_quat(const hol_reader *r, const hol_node *node, const hol_path *path, const double *q,
                            double quat[4])
{
    const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (fabs(n - 1) > 1e-3)
        return hol_read_fail(r, node, path, "length is %.6g, must be 1 (order: w, x, y, z)", n);
    for (int i = 0; i < 4; i++) quat[i] = q[i] / n;
    return HOL_OK;
}

hol_status hol_read_orientation(const hol_reader *r, const hol_node *node, const hol_path *path,
                                double quat[4])
{
    hol_value v[HOL_COUNT(rows)];
    double axis[3];
    if (node->kind != HOL_NODE_MAP) return hol_read_fail(r, node, path, KINDS);
    hol_status st = hol_read_object(r, &hol_orientation_object, NULL, node, path, v);
    for (int i = 0; i < HOL_COUNT(rows) - 1 && !st; i++) {
        const hol_path at = {path, rows[i].key, 0, NULL};
        const hol_node place = {.at = v[i].at};
        const double *a = v[i].list;
        if (!v[i].given) continue;
        if (i >= EULER) read_sequence(rows[i].key + strlen("euler_"), a, quat);
        if (i == QUAT) st = read_quat(r, &place, &at, a, quat);
        if (i == RPY)
            read_sequence("zyx", (double[3]){a[2], a[1], a[0]}, quat); // about fixed axes: in reverse order
        if (i == AXIS && !unit(a, axis))
            return hol_read_fail(r, &place, &at, "length is 0, a direction is wanted");
        if (i == AXIS) axis_turn(axis, v[ANGLE].num, quat);
        if (i == Z && !hol_frame_from_axes(a, v[X].given ? v[X].list : NULL, quat))
            return hol_read_fail(r, &place, &at,
                                 "the directions are zero or parallel, no frame has these axes");
    }
    return st;
}
