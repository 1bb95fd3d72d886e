// Coordinates of joints as users name them, of frame 2 against frame 1:
//
//     turn       angle = AZ,  rate = z1.W,  accel = (z1.W)'                        W = w2 - w1, d = p2 - p1
//     slide      stroke = z1.d (in the plane x1.d),  speed and accel its derivatives as seen from frame 1
//     universal  R1^T R2 = Rz(angle1) Rx(pi/2) Rz(angle2);  rates z1.W and z2.W                            (8.41)
#include "element/coordinate.h"

#include <string.h>

#define ROW(name, unit, doc, plane, space, arm, second)                                                      \
    {name, unit, doc, {plane, space}, HOL_ARM_##arm, second},
#define LIST(rows)                                                                                           \
    {                                                                                                        \
        rows(ROW) { .name = NULL }                                                                           \
    }
const hol_joint_coordinate hol_coordinates_turn[] = LIST(HOL_COORDINATES_TURN);
const hol_joint_coordinate hol_coordinates_slide[] = LIST(HOL_COORDINATES_SLIDE);
const hol_joint_coordinate hol_coordinates_cylinder[] = LIST(HOL_COORDINATES_CYLINDER);
const hol_joint_coordinate hol_coordinates_plane[] = LIST(HOL_COORDINATES_PLANE);
const hol_joint_coordinate hol_coordinates_cross[] = LIST(HOL_COORDINATES_CROSS);

const hol_joint_coordinate *hol_joint_coordinate_find(const hol_element_type *type, const char *name)
{
    for (const hol_joint_coordinate *c = type->named; c && c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

const hol_joint_coordinate *hol_joint_coordinate_any(const char *name)
{
    const hol_joint_coordinate *found = NULL;
    for (const hol_element_type *const *t = hol_element_types; *t && !found; t++)
        found = hol_joint_coordinate_find(*t, name);
    return found;
}

hol_quantity hol_joint_quantity(const hol_joint_coordinate *c, int dimension, const hol_marker *first,
                                const hol_marker *second)
{
    hol_quantity q = {.what = c->what[dimension - 2], .planar = dimension == 2, .arm = c->arm};
    const int level = hol_quantity_level(&q);
    const bool swapped = c->second && level == 0;
    q.to = swapped ? first : second;
    q.from = swapped ? second : first;
    if (level == 0 && hol_quantity_is_angle(q.what)) return q;
    q.along = c->second ? second : first;
    if (level == 2 || (level == 1 && !hol_quantity_is_angle(q.what))) q.ref = q.along;
    return q;
}

bool hol_joint_coordinate_turns(const hol_joint_coordinate *c, int dimension)
{
    const hol_quantity q = {.what = c->what[dimension - 2]};
    return dimension == 3 && hol_quantity_is_angle(q.what) && hol_quantity_level(&q) == 0;
}

int hol_joint_turns(const hol_element_type *type, int dimension, const hol_joint_coordinate *until)
{
    int n = 0;
    for (const hol_joint_coordinate *c = type->named; c && c->name && c != until; c++)
        n += hol_joint_coordinate_turns(c, dimension);
    return n;
}
