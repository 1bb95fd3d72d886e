// What a joint leaves free, read from its primitives: displacements of its second end along the axes of the first end's
// marker, and a rotation. These are the joint's coordinates, each with a primitive that measures it:
//
//     displacement along axis k     ALONG, axis1 = k                                            [m]
//     angle about the common z      TWIST (2D: ANGLE), full turns counted                       [rad]
//     arms of a cross               about z of the first end, then about z of the second, both perpendicular
#ifndef HOL_ELEMENT_JOINT_MOTION_H
#define HOL_ELEMENT_JOINT_MOTION_H

#include "element/element.h"

typedef enum hol_turning {
    HOL_TURNING_NONE,
    HOL_TURNING_AXIS, // about z of both markers, which coincide in direction
    HOL_TURNING_CROSS,
    HOL_TURNING_FREE,
    HOL_TURNING_OTHER // about x or y alone, or about two of the axes
} hol_turning;

typedef struct hol_freedoms {
    const char *why; // NULL, or why the joint has no coordinates: then only `point` is known
    bool point;      // its first rows hold two points together that are fixed on its bodies
    bool rotation;   // in space: its other rows, all of them, are components of the rotation (TURN)
    bool slides[3];  // displacements that are free; in the plane the first two
    int n_slides;
    bool threaded; // a screw: the stroke follows from the angle
    double pitch;  // of a screw: the stroke by the angle [m/rad]
    hol_turning turning;
} hol_freedoms;

hol_freedoms hol_joint_motion(const hol_element *e, int dimension);
// Does the joint hold what a driver of this type would move?
bool hol_joint_holds(const hol_element *joint, int dimension, const hol_element_type *driver);

#endif
