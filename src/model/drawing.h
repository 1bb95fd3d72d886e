// A shape as a body is drawn. It has a part in the mechanics where the mass of the body follows from it.
#ifndef HOL_DRAWING_H
#define HOL_DRAWING_H

#include "base/base.h"
#include "element/mirror.h"

typedef enum hol_shape_kind {
    HOL_SHAPE_BOX,
    HOL_SHAPE_CYLINDER,
    HOL_SHAPE_SPHERE,
    HOL_SHAPE_CAPSULE,
    HOL_SHAPE_POLYLINE,
    HOL_SHAPE_MESH,
    HOL_SHAPE_NONE // the body is not drawn
} hol_shape_kind;

// What touches where a shape is drawn as something else.
typedef enum hol_touch_kind {
    HOL_TOUCH_DRAWN,
    HOL_TOUCH_SEGMENT,  // `point` are its ends
    HOL_TOUCH_ARC,      // `own`: its radius, half its angle; `point` has its middle in the middle
    HOL_TOUCH_POLYGON,  // `point` are its corners
    HOL_TOUCH_CURVE,    // `profile`, of which `point` are samples
    HOL_TOUCH_TORUS,    // `own`: its radius and that of its tube, about z
    HOL_TOUCH_ELLIPSOID // `own`: half axes
} hol_touch_kind;

// Lengths in m, in body axes from the centre of mass (ground: global). Planar bodies lie in z = 0.
typedef struct hol_drawing {
    hol_shape_kind kind;
    int body;           // -1: ground
    double position[3]; // of the shape's own origin, its middle; polyline, mesh: of its points' origin
    double quat[4];     // of the shape's own axes, scalar first
    double size[3];     // box: edges; cylinder, capsule: radius, length along z (capsule: between the centres
        // of its caps); sphere: radius, of an ellipsoid all three; polyline: radius of the line; mesh: unused
    bool closed; // polyline
    int n_points;
    const double *point;  // polyline, in the shape's own axes                            (n_points x 3)
    const char *file;     // mesh: as a path that can be opened
    hol_mirror mirror;    // of its file; those of a mesh are signs of its points
    double scale;         // mesh: metres per unit of the file
    int color;            // 0xRRGGBB; -1: none is given
    double density;       // [kg/m^3]; 0: the mass of the body does not follow from it
    bool weighed;         // it follows from the mass of the body
    bool hole;            // what it takes up is missing: it is not drawn
    bool ghost;           // contacts do not take it: it is only drawn
    const char *name;     // by which contacts call it; NULL: none
    const char *material; // by its name; NULL: none is given
    hol_src material_at;
    bool
        half; // a half-space or half-plane up to the upper face (2D: y, 3D: z) of the box that is drawn of it
    hol_touch_kind touch;
    const struct hol_profile *profile;
    double own[3]; // of what touches [m], [rad]
    bool inferred; // the model says nothing, this follows from it
    hol_src at;    // in the model file; line 0 if inferred
} hol_drawing;

const char *hol_shape_word(hol_shape_kind kind);                   // of the model file
const char *hol_drawing_word(const hol_drawing *d, int dimension); // the same of what touches

// It touches, and no mass follows from it: half-spaces, and what lies in the plane and has no thickness.
static inline bool hol_drawing_has_no_mass(const hol_drawing *d)
{
    return d->half || (d->touch != HOL_TOUCH_DRAWN && d->touch < HOL_TOUCH_TORUS);
}

// The size that may be left open, as 0: across the plane, or of a line.
static inline int hol_drawing_thin(hol_shape_kind kind)
{
    return kind == HOL_SHAPE_BOX ? 2 : kind == HOL_SHAPE_CYLINDER ? 1 : 0;
}

#endif
