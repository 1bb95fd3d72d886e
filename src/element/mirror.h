// Mirror images of parts of a model: x -> S x with S = diag(+-1, +-1, +-1).
//
// Body frames and markers are mirrored too, R -> S R S, so that they stay right-handed and every local coordinate changes alike: of a
// point or a force, component i by s_i; of a torque, an angular velocity or a rotation by det(S) s_i = s_j s_k (docs/theory.md, section 18).
// What a file measures has the same numbers in the image as in the file, so a coordinate of the image is its measure with such a sign.
#ifndef HOL_MIRROR_H
#define HOL_MIRROR_H

// Bit i: s_i is -1. HOL_MIRROR_TURNS: rotations have the other sign (`keep_axes`). 0: no mirror.
typedef unsigned char hol_mirror;
enum { HOL_MIRROR_TURNS = 8, HOL_MIRROR_AXES = 7 };

// Of component `axis` of a vector: a displacement, a velocity, a force.
static inline int hol_mirror_polar(hol_mirror m, int axis) { return m >> axis & 1 ? -1 : 1; }

// Of a rotation about it: an angle, an angular velocity, a torque.
static inline int hol_mirror_axial(hol_mirror m, int axis)
{
    const int turned = m & HOL_MIRROR_TURNS ? -1 : 1;
    return turned * hol_mirror_polar(m, (axis + 1) % 3) * hol_mirror_polar(m, (axis + 2) % 3);
}

// An orientation: (e0, e) -> (e0, det(S) S e).
static inline void hol_mirror_quat(hol_mirror m, double quat[4])
{
    for (int i = 0; i < 3; i++) quat[i + 1] *= hol_mirror_axial(m, i);
}

static inline void hol_mirror_point(hol_mirror m, double x[3])
{
    for (int i = 0; i < 3; i++) x[i] *= hol_mirror_polar(m, i);
}

static inline void hol_mirror_turn(hol_mirror m, double x[3])
{
    for (int i = 0; i < 3; i++) x[i] *= hol_mirror_axial(m, i);
}

#endif
