// Triangles of a mesh file (STL, OBJ, glTF, GLB), read by assimp (https://assimp.org).
#ifndef HOL_MESH_H
#define HOL_MESH_H

#include "model/drawing.h"

#include <string.h>

enum { HOL_MESH_MOST_TRIANGLES = 2000000 };

typedef struct hol_mesh {
    int n_vertices, n_triangles;
    float *position; // in the axes of the shape [m]                                        (n_vertices x 3)
    unsigned *index; // anticlockwise seen from outside                                     (n_triangles x 3)
} hol_mesh;

// What else may be written where a mesh file does not serve.
static inline const char *hol_mesh_way_out(const hol_drawing *d)
{
    return d->density > 0 ? "give another file, or mass, com and inertia of the body in numbers"
                          : "give another file, or `shape: none`";
}

// The file of a drawing of kind HOL_SHAPE_MESH, scaled. The axes are those of the file. Materials, normals, lines and
// points of it are left out.
//   HOL_ERR_MODEL: cannot be read, has no triangles or too many, numbers that are not finite; a context in a sandbox
//   HOL_ERR_MEMORY
hol_status hol_mesh_read(hol_context *ctx, const hol_drawing *d, hol_mesh *out);
// Do two drawings show the same triangles?
static inline bool hol_mesh_same(const hol_drawing *a, const hol_drawing *b)
{
    return a->scale == b->scale && a->mirror == b->mirror && strcmp(a->file, b->file) == 0;
}
void hol_mesh_destroy(hol_mesh *mesh);

#endif
