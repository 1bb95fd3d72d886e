// Total joint: any of the six directions held, the others free.
//     x, y, z      x1.d, y1.d, z1.d = 0, d = r2 - r1; all of them: d = 0
//     rx, ry, rz   x, y, z components of vec(conj(Q1) Q2) = 0    (2D: rz, theta2 - theta1 = const)
// With n sin(a/2) for the vector part, a held rotation means that the axis n of the relative rotation has no component
// in that direction. The rows are right for large angles of the free ones: three leave none, two (rx ry) leave any
// rotation about the third axis, with both z axes in the same sense, and one (rz) any tilt without torsion. Where the
// rows vanish their rates are those of independent rotations (docs/theory.md, section 3.2).
#include "element/coordinate.h"
#include "element/element.h"

#include <string.h>

enum { HOLD };
static const hol_option options[] = {
    {"hold", HOL_TEXT, "", HOL_NONE, 0, 0, HOL_REQUIRED, NULL,
     "the directions held, of x y z rx ry rz (2D: x y rz), with blanks between: \"x z ry\""},
    HOL_TURNS_ROW("the angle about z, where only that is free,"),
    HOL_END_OPTIONS};

enum { DIRECTIONS = 6 };
static const char *const words[DIRECTIONS] = {"x", "y", "z", "rx", "ry", "rz"};

static hol_status fail(const hol_setup *in, const char *word, size_t n, const char *fault)
{
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->value[HOLD].at, "%s.hold: \"%.*s\"%s; there are %s",
                       in->path, (int)n, word, fault, in->dimension == 3 ? "x y z rx ry rz" : "x y rz");
}

// Which directions the text of `hold` names; separated by blanks or commas.
static hol_status read_words(const hol_setup *in, bool held[DIRECTIONS])
{
    static const char blanks[] = " \t\r\n,";
    for (const char *word = in->value[HOLD].text; *(word += strspn(word, blanks));) {
        const size_t n = strcspn(word, blanks);
        int k = 0;
        while (k < DIRECTIONS && !(strlen(words[k]) == n && memcmp(words[k], word, n) == 0)) k++;
        if (k == DIRECTIONS || (in->dimension == 2 && k >= 2 && k <= 4))
            return fail(in, word, n, " is not a direction");
        if (held[k]) return fail(in, word, n, " stands there twice");
        held[k] = true;
        word += n;
    }
    return HOL_OK;
}

// The held directions as primitives; all translations together are a common point.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    static const char *const turns[3] = {"rotation about x", "rotation about y", "rotation about z"};
    hol_prims *joint = data;
    bool held[DIRECTIONS] = {false};
    hol_status st = read_words(in, held);
    if (st) return st;
    if (held[0] && held[1] && (held[2] || in->dimension == 2))
        hol_prims_point(joint, in);
    else
        for (int k = 0; k < 3; k++)
            if (held[k]) hol_prims_add(joint, in, HOL_PRIM_ALONG, k, 0, words[k]);
    for (int k = 0; k < 3; k++) {
        if (!held[3 + k]) continue;
        if (in->dimension == 3)
            hol_prims_add(joint, in, HOL_PRIM_TURN, k, 0, turns[k]);
        else
            hol_prims_angle(joint, in);
    }
    if (joint->n == 0) return fail(in, "", 0, " holds nothing");
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_total = {
    .name = "total",
    .aliases = "generic|6dof",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .ends = 2,
    .any_frame = true,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "any of the six directions of the first frame held, the others free",
    .named = {hol_coordinates_plane, hol_coordinates_axis},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
