// What an export as glTF is made of. Private to gltf*.c.
#ifndef HOL_GLTF_DATA_H
#define HOL_GLTF_DATA_H

#include "io/json.h"
#include "model/mesh.h"
#include "scene/motion.h"
#include "scene/scene.h"
#include "scene/solid.h"
#include "scene/swing.h"

#include <stdio.h>

// Triangles that nodes share. Normals and faces are those of the first one of the same solid.
typedef struct hol_gltf_geometry {
    bool from_file;
    hol_solid kind;
    double length;             // of a capsule
    const hol_drawing *source; // of a mesh file
    hol_mesh mesh;
    int first, like; // its first accessor; the geometry with the same normals and faces
} hol_gltf_geometry;

typedef struct hol_gltf_surface {
    int geometry, color;
} hol_gltf_surface; // a mesh of glTF: triangles and a material

// A solid on a body.
typedef struct hol_gltf_solid {
    int body, surface;
    double position[3], quat[4], scale[3];
} hol_gltf_solid;

typedef struct hol_gltf {
    hol_context *ctx;
    const hol_model_data *m;
    const char *title, *path;
    hol_poses poses;
    hol_scene *scene;
    const hol_modes *modes; // an animation for each; NULL: one of a run
    int n_animations;
    int n_frames, n_geometries, n_surfaces, n_colors, n_solids;
    int room[5];
    const hol_result *result; // NULL: of modes
    int *row;                 // of the result, of each frame                        (n_frames)
    int n_contacts;
    struct hol_gltf_contact *contact; // that are shown                          (n_contacts)
    double usual;                     // force of an arrow of the typical length [N]
    int *frame;   // rows of the poses that are written               (n_frames, of each animation)
    double start; // time of the first one if that is negative: glTF begins at 0 or later  [s]
    hol_gltf_geometry *geometry;
    hol_gltf_surface *surface;
    int *color;                       // 0xRRGGBB
    hol_gltf_solid *solid;            // by body, ground's first
    size_t motion, vertices, corners; // bytes
    FILE *file;
    size_t counted; // characters of the JSON
} hol_gltf;

enum {
    HOL_GLTF_VECTOR = 3 * sizeof(float),
    HOL_GLTF_TURN = 4 * sizeof(float),
    HOL_GLTF_CORNERS = 3 * sizeof(unsigned)
};

// gltf.c
int hol_gltf_vertices(const hol_gltf_geometry *a);
int hol_gltf_triangles(const hol_gltf_geometry *a);
bool hol_gltf_turns(const hol_gltf *g, int body);
double hol_gltf_time(const hol_gltf *g, int k); // of a frame [s]
// The pose of a body in a row; turn: scalar last, as glTF has it.
void hol_gltf_position(const hol_gltf *g, int body, int row, double out[3]);
void hol_gltf_turn(const hol_gltf *g, int body, int row, double out[4]);

// gltf_solids.c
// The solids that a shape is made of.
hol_status hol_gltf_add(hol_gltf *g, const hol_drawing *d);
// A simple solid in a colour 0xRRGGBB; -1: no memory.
int hol_gltf_plain(hol_gltf *g, hol_solid kind, int color);
// The shortest turn of z to a direction of length 1, scalar first.
void hol_gltf_turn_z_to(const double u[3], double quat[4]);

// gltf_contacts.c: contacts as nodes that move, behind those of the solids.
// Which contacts of the result are shown; `tell` gets what is not.
hol_status hol_gltf_find_contacts(hol_gltf *g, hol_print_fn tell);
size_t hol_gltf_contact_bytes(const hol_gltf *g);
// Nodes of contacts: their roots among the children of the first node, then all of them.
void hol_gltf_put_contact_roots(hol_json *j, const hol_gltf *g);
void hol_gltf_put_contact_nodes(hol_json *j, const hol_gltf *g);
// What moves them: how many tracks there are, and of each the node, the path and how many numbers it has.
int hol_gltf_contact_tracks(const hol_gltf *g);
int hol_gltf_contact_track(const hol_gltf *g, int track, int *node, const char **path);
// Its numbers in frame k.
void hol_gltf_contact_values(const hol_gltf *g, int track, int k, double out[4]);
void hol_gltf_free_contacts(hol_gltf *g);

// gltf_json.c: the whole JSON part.
void hol_gltf_put(hol_gltf *g, hol_print_fn print);

#endif
