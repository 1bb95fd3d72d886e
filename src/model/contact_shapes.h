// Where two shapes may touch: at one place, or at several, each of which becomes a contact of its own (docs/theory.md, section 23.1).
#ifndef HOL_CONTACT_SHAPES_H
#define HOL_CONTACT_SHAPES_H

#include "base/base.h"
#include "element/contact.h"
#include "element/profile.h"
#include "model/drawing.h"

// Of end 0, what is touched, and end 1.
typedef struct hol_meeting {
    hol_contact_pair pair;
    int touched;                     // which of both shapes is end 0
    double origin[2][3], quat[2][4]; // in the axes of the body, from its centre of mass [m]
    double radius[2];                // around the cores [m]
    double size[3], reach;           // as HOL_CONTACT_X .. and HOL_CONTACT_REACH
    double bend
        [2]; // curvatures of the gap, the smaller one first [1/m]; HOL_INF: a corner; NAN: not the same everywhere
    double most;     // a depth that is too great [m]
    double part;     // of the stiffness; of a foundation: area [m^2]
    double *outline; // (n_outline x dimension)
    int n_outline;
    bool closed, solid;
    double part_of[HOL_CONTACT_PARTED]; // as HOL_CONTACT_PART; 0: all of the outline
    double fine;                        // as HOL_CONTACT_FINE
    const hol_profile *profile;         // a curve, of which the outline has samples; NULL: none
} hol_meeting;

typedef struct hol_meetings {
    hol_arena *arena;
    int dimension;
    int points; // along edges and faces, between corners; 0: none
    bool areas; // a foundation: middles of `points` parts of each face
    const hol_drawing *shape[2];
    const char *unfit; // why they cannot touch, and what would; NULL: no pair of these shapes can
    int n;             // 0: they cannot touch
    hol_meeting *of;
} hol_meetings;

// Has it edges on which there may be points?
bool hol_shape_has_points(const hol_drawing *d, int dimension);
// Is it one ball: where in body axes, and its radius? The same of half-spaces, with a place on the face and its normal.
bool hol_shape_ball(const hol_drawing *d, int dimension, double s[3], double *radius);
bool hol_shape_face(const hol_drawing *d, int dimension, double s[3], double n[3]);
// Of the two shapes. HOL_ERR_MEMORY, or 0.
hol_status hol_meetings_find(hol_meetings *m);

// The stiffness of Hertz over the modulus, by the curvatures A <= B of the gap A x^2 + B y^2 [m^0.5].        (23.11)
double hol_hertz_stiffness(double A, double B);

#endif
