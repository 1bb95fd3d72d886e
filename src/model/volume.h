// Volume, centre and inertia of shapes, from which `density` makes the mass of a body (docs/theory.md, section 2.5).
#ifndef HOL_VOLUME_H
#define HOL_VOLUME_H

#include "model/mesh.h"

// Of a shape by its density, or of several: then V is their mass [kg], and J an inertia [kg m^2].
typedef struct hol_volume {
    double V;         // [m^3]
    double centre[3]; // [m]
    double J[9];      // tensor about the centre, off the diagonal -integral of x y dV    [m^5]
} hol_volume;

// Of a shape that has a volume, in the axes that its position is given in. A mesh is read.
//   HOL_ERR_MODEL: a mesh that cannot be read, is open, turned inside out or flat; a volume of 0
hol_status hol_volume_of(hol_context *ctx, const hol_drawing *d, hol_volume *out);
// J += m (d.d I - d d^T): the moments of a mass about a point at d from its centre.
void hol_volume_shift(double m, const double d[3], double J[9]);
// sum += density part; density below 0 takes away.
void hol_volume_add(hol_volume *sum, const hol_volume *part, double density);
// Of the triangles, in the axes and the unit of the mesh; d: for messages. The surface must be closed, anticlockwise seen from outside.
hol_status hol_volume_of_mesh(hol_context *ctx, const hol_drawing *d, const hol_mesh *mesh, hol_volume *out);

// Is the point within the shape? Its place is in the axes that the shape's position is given in. mesh: read; NULL: it is none.
bool hol_volume_holds(const hol_drawing *d, const hol_mesh *mesh, const double point[3]);
// The box along these axes that holds the shape.
void hol_volume_box(const hol_drawing *d, const hol_mesh *mesh, double low[3], double high[3]);

#endif
