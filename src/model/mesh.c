// Triangles of a mesh file, read by assimp (https://assimp.org): positions, scaled as the shape says, and faces; all else is
// thrown away.
#include "model/mesh.h"
#include "base/file.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_FILE (1ll << 30) // [B]

static hol_status fail(hol_context *ctx, const hol_drawing *d, const char *rule, const char *why)
{
    return hol_fail_at(ctx, HOL_ERR_MODEL, d->at, "shape: the mesh file \"%s\" %s%s; %s", d->file, rule, why,
                       hol_mesh_way_out(d));
}

// assimp says "unable to open" for many reasons.
static hol_status check_readable(hol_context *ctx, const hol_drawing *d)
{
    const bool sandboxed = hol_context_most_items(ctx) > 0; // such a context reads no file of its own accord
    if (sandboxed) return fail(ctx, d, "may not be read here", "");
    char text[160];
    FILE *f = hol_open_input(d->file, false, MOST_FILE, text, sizeof text);
    if (!f) return fail(ctx, d, "cannot be read: ", text);
    const int first = fgetc(f), why = errno;
    const bool broken = ferror(f);
    (void)fclose(f);
    if (first == EOF) return fail(ctx, d, "cannot be read: ", broken ? strerror(why) : "it is empty");
    return HOL_OK;
}

// Reads a file and throws away all but positions and faces.
static const struct aiScene *import(const char *file)
{
    const unsigned components = aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                aiComponent_COLORS | aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS |
                                aiComponent_ANIMATIONS | aiComponent_TEXTURES | aiComponent_LIGHTS |
                                aiComponent_CAMERAS | aiComponent_MATERIALS;
    struct aiPropertyStore *store = aiCreatePropertyStore();
    if (!store) return NULL;
    aiSetImportPropertyInteger(store, AI_CONFIG_PP_RVC_FLAGS, (int)components);
    aiSetImportPropertyInteger(store, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const struct aiScene *scene = aiImportFileExWithProperties(
        file,
        aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_SortByPType |
            aiProcess_PreTransformVertices | aiProcess_JoinIdenticalVertices,
        NULL, store);
    aiReleasePropertyStore(store);
    return scene;
}

// The triangles of all meshes of the file as one, scaled; positions that are not finite are refused.
static hol_status copy(hol_context *ctx, const hol_drawing *d, const struct aiScene *scene, hol_mesh *out)
{
    size_t vertices = 0, triangles = 0;
    const bool inside_out = hol_mirror_polar(d->mirror, 0) * hol_mirror_axial(d->mirror, 0) < 0; // det(S)
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        vertices += scene->mMeshes[i]->mNumVertices;
        triangles += scene->mMeshes[i]->mNumFaces;
    }
    if (triangles == 0) return fail(ctx, d, "has no triangles", "");
    if (triangles > HOL_MESH_MOST_TRIANGLES) {
        char many[80];
        snprintf(many, sizeof many, "%zu triangles, the most is %d", triangles, HOL_MESH_MOST_TRIANGLES);
        return fail(ctx, d, "has ", many);
    }
    out->position = hol_calloc(ctx, 3 * vertices, sizeof *out->position);
    out->index = hol_calloc(ctx, 3 * triangles, sizeof *out->index);
    if (!out->position || !out->index) return HOL_ERR_MEMORY;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        const struct aiMesh *m = scene->mMeshes[i];
        const unsigned before = (unsigned)out->n_vertices;
        for (unsigned k = 0; k < m->mNumVertices; k++) {
            const struct aiVector3D *v = &m->mVertices[k];
            float *p = &out->position[3 * out->n_vertices++];
            p[0] = (float)(hol_mirror_polar(d->mirror, 0) * d->scale * (double)v->x);
            p[1] = (float)(hol_mirror_polar(d->mirror, 1) * d->scale * (double)v->y);
            p[2] = (float)(hol_mirror_polar(d->mirror, 2) * d->scale * (double)v->z);
            if (!isfinite(p[0]) || !isfinite(p[1]) ||
                !isfinite(p[2])) // as scaled: they may be too large for a float
                return fail(ctx, d, "has points that are not finite", "");
        }
        for (unsigned k = 0; k < m->mNumFaces; k++) {
            if (m->mFaces[k].mNumIndices != 3) continue;
            for (int a = 0; a < 3; a++)
                out->index[3 * out->n_triangles + (inside_out && a ? 3 - a : a)] =
                    before + m->mFaces[k].mIndices[a];
            out->n_triangles++;
        }
    }
    return HOL_OK;
}

hol_status hol_mesh_read(hol_context *ctx, const hol_drawing *d, hol_mesh *out)
{
    memset(out, 0, sizeof *out);
    hol_status st = check_readable(ctx, d);
    if (st) return st;
    const struct aiScene *scene = import(d->file);
    st = scene ? copy(ctx, d, scene, out) : fail(ctx, d, "cannot be read: ", aiGetErrorString());
    aiReleaseImport(scene);
    if (st) hol_mesh_destroy(out);
    return st;
}

void hol_mesh_destroy(hol_mesh *mesh)
{
    hol_free(mesh->position);
    hol_free(mesh->index);
    memset(mesh, 0, sizeof *mesh);
}
