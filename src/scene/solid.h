// Triangles of the simple solids that shapes are made of, about their middle and along z.
#ifndef HOL_SOLID_H
#define HOL_SOLID_H

typedef enum hol_solid {
    HOL_SOLID_BOX,      // edges 1
    HOL_SOLID_CYLINDER, // radius 1, length 1
    HOL_SOLID_ARROW,    // from 0 to 1 along z, the head of radius 1
    HOL_SOLID_CAPSULE,  // radius 1, any length between the centres of the caps; length 0: a sphere
    HOL_SOLIDS
} hol_solid;

enum { HOL_SOLID_MOST_VERTICES = 288, HOL_SOLID_MOST_TRIANGLES = 480 };

int hol_solid_vertices(hol_solid kind);  // how many
int hol_solid_triangles(hol_solid kind); // how many
// Corners, and the normals that make the round faces smooth; either may be NULL. length: of a capsule.
void hol_solid_points(hol_solid kind, double length, float (*position)[3], float (*normal)[3]);
// Anticlockwise seen from outside; the same for all lengths.
void hol_solid_faces(hol_solid kind, unsigned (*corner)[3]);

#endif
