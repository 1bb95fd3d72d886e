// Roads: the height h of the ground as a function of the forward coordinate x, the same across.
//
//     flat       h = 0
//     bump       h = height (1 - xi^2)^3,  xi = (x - middle)/half_width,  |xi| < 1: two continuous derivatives
//     cylinder   a circle's arc of that height, sharp at |x - middle| = half_width: half a cylinder if they are the same
//     table      h is a spline
//
// all above `level`, in the global frame. A damper feels the rate of h, which at the foot of half a cylinder has no bound: there its slope is cut off.
#ifndef HOL_ROAD_H
#define HOL_ROAD_H

#include "expr/spline.h"

typedef enum hol_road_kind { HOL_ROAD_FLAT, HOL_ROAD_BUMP, HOL_ROAD_CYLINDER, HOL_ROAD_TABLE } hol_road_kind;

typedef struct hol_road {
    hol_road_kind kind;
    double middle, height, half_width; // |height| <= half_width for a cylinder [m]
    double steepest;                   // slope at which that of a cylinder is cut off
    const hol_spline *table;
    double x_unit, unit; // metres per unit of the table, in x and in h
    double level;        // added to all heights [m]
} hol_road;

typedef struct hol_road_point {
    hol_real h, slope; // h, h' [m, -]
    hol_real felt;     // h' cut off
    hol_real bend;     // its derivative [1/m]
} hol_road_point;

hol_road_point hol_road_at(const hol_road *road, hol_real x);
// Where the profile is not smooth, in ascending order: how many places there are, of which at most `most` are written.
int hol_road_edges(const hol_road *road, double *x, int most);

#endif
