// What is drawn of a model: shapes on its bodies, its joints, its loops. Constant; the motion is a result.
// Everything is three-dimensional: planar models lie in z = 0 and turn about z.
#ifndef HOL_SCENE_H
#define HOL_SCENE_H

#include "model/model.h"
#include "model/drawing.h"

// Where an element acts: a frame on a body, in body axes from the centre of mass (ground: global, at time 0) [m].
typedef struct hol_scene_end {
    int body; // -1: ground
    double position[3], quat[4];
    const hol_motion *motion; // ground: it moves, position and quat are those at time 0; NULL: it does not
} hol_scene_end;

// A joint, driver or force with at least one end. Couplers and constraints by expression have none: they are not here, nor are contacts,
// which have no fixed places.
typedef struct hol_scene_joint {
    const char *name, *type;
    hol_role role;
    int element; // of the model
    int n_ends;  // 1 or 2
    hol_scene_end end[2];
    bool cut; // it closes a loop of the tree of joints (system/forest.h)
} hol_scene_joint;

// What a cut joint closes: that joint first, then the joints of the tree from its first body round to its second.
typedef struct hol_scene_loop {
    int n_joints, n_bodies;
    const int *joint; // of the scene                                                       (n_joints)
    const int *body;  // ground is not among them                                           (n_bodies)
} hol_scene_loop;

typedef struct hol_scene {
    const hol_model_data *m;
    hol_arena *arena; // of all that is here
    double length;    // typical length of a link [m]
    double radius;    // of a link as it is drawn [m]
    int n_drawings, n_joints, n_loops;
    hol_drawing *drawing;   // by body, ground's first                                      (n_drawings)
    hol_scene_joint *joint; // in the model's order                                         (n_joints)
    hol_scene_loop *loop;   //                                                              (n_loops)
    int loops_left_out;     // loops are kept as long as there are not more than 4 million entries in all
} hol_scene;

// q: a consistent pose (m->nq); it says which joints are cut, the drawings do not depend on it. The model must outlive
// the scene. No mesh file is opened (model/mesh.h does that). NULL: no memory, with the message in the context.
hol_scene *hol_scene_create(hol_context *ctx, const hol_model_data *m, const double *q);
void hol_scene_destroy(hol_scene *scene);

#endif
