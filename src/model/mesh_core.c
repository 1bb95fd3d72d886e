// Mesh files in the core library, which does without assimp: they are refused, shapes of them are not drawn, and no mass follows
// from them.
#include "model/mesh.h"
#include <string.h>

hol_status hol_mesh_read(hol_context *ctx, const hol_drawing *d, hol_mesh *out)
{
    memset(out, 0, sizeof *out);
    return hol_fail_at(
        ctx, HOL_ERR_MODEL, d->at,
        "shape: the mesh file \"%s\" cannot be read: assimp is not in the core library; %s, "
        "or link libholonom",
        d->file, d->density > 0 ? "give mass, com and inertia of the body in numbers" : "draw another shape");
}

void hol_mesh_destroy(hol_mesh *mesh) { memset(mesh, 0, sizeof *mesh); }
