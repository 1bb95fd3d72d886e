// What the files of the MJCF reader share: values with their classes, places and geoms.
#ifndef HOL_IMPORT_MJCF_H
#define HOL_IMPORT_MJCF_H

#include "io/import_robot.h"
#include "io/import_xml.h"

typedef struct hol_mjcf_class {
    const char *name;
    hol_xml *xml;
    int parent; // -1: none
} hol_mjcf_class;

typedef struct hol_mjcf_geom {
    const char *name; // or that of its body
    hol_src at;
    int body;
    unsigned own, others; // contype, conaffinity
} hol_mjcf_geom;

typedef struct hol_mjcf_body {
    int link;
    int weld;   // the body that it moves with, itself if it has a joint; 0: the world
    int parent; // what that one is joined to
} hol_mjcf_body;

typedef struct hol_mjcf_off { // what flags of <option> switch off
    bool gravity, passive, actuation, equality, limit, friction, contact, clamp;
    bool parents;        // the filter of parent and child
    bool dynamic, pairs; // contacts of all geoms, and those of <pair>
} hol_mjcf_off;

typedef struct hol_mjcf {
    hol_import *in;
    hol_xml *root;
    hol_robot *r;
    hol_names *bodies, *joints, *class_names, *meshes, *tendons, *spatial, *sites,
        *files; // by the names of the source
    hol_mjcf_class *classes;
    hol_xml **mesh;                     // of assets
    int n_classes, n_meshes, outermost; // the class of what has none; -1: there is none
    bool discards;                      // geoms that are seen alone
    bool radians, limits_are_given, limits_are_automatic, from_geoms, never_from_geoms;
    hol_mjcf_off off;
    double groups[2], least_mass, least_inertia, total_mass; // of compiler; a total not above 0: none
    bool balances;                                           // moments that no body has become their mean
    bool strips, aligns; // files of meshes have no folder of their own; frames of free bodies are turned
    char euler[4];       // compiler eulerseq
    const char *mesh_folder;
    int weighing;             // geoms that say what the body being read weighs
    double place[3];          // of the last of them
    hol_mjcf_geom *colliding; // geoms that collide with others
    int n_colliding;
    hol_mjcf_body *body; // the world first, parents before their children
    int n_body;
} hol_mjcf;

// What a name of the source stands for; an error where another thing of the kind has it already.
hol_status hol_mjcf_remember(hol_mjcf *m, hol_names *names, hol_xml *e, const char *name, int value);
// A thing that an attribute names.
hol_status hol_mjcf_find(hol_mjcf *m, hol_xml *e, const char *key, const hol_names *names, const char *what,
                         int *out);
// Is a range of a joint, or of an actuator, meant? Since version 3 one that is given is.
hol_status hol_mjcf_is_limited(hol_mjcf *m, hol_xml *e, const char *key, int around, bool given,
                               bool *limited);
// Puts files that are included in their place, and sections of a kind together (import_mjcf_include.c).
hol_status hol_mjcf_include(hol_mjcf *m);
// Settings (import_mjcf_settings.c); the least that a body weighs, and what all weigh together.
hol_status hol_mjcf_read_compiler(hol_mjcf *m);
hol_status hol_mjcf_read_option(hol_mjcf *m);
hol_status hol_mjcf_bound_mass(hol_mjcf *m, hol_robot_link *l);
void hol_mjcf_scale_masses(hol_mjcf *m);
// What acts beside joints (import_mjcf_forces.c), tendons first.
hol_status hol_mjcf_read_tendons(hol_mjcf *m);
hol_status hol_mjcf_read_actuators(hol_mjcf *m);
// The keyframe that is asked for (import_mjcf_key.c), behind joints and actuators.
hol_status hol_mjcf_begin(hol_mjcf *m);
// springdamper of joints: stiffness and damping by the inertia that each feels where all are at the reference and the others are free
// to move (import_mjcf_springs.c). After the tree is arranged.
hol_status hol_mjcf_tune_springs(hol_mjcf *m);
// Those between joints and tendons before the tree is arranged, those that close loops behind (import_mjcf_equality.c).
hol_status hol_mjcf_read_equalities(hol_mjcf *m, bool loops);
bool hol_mjcf_is_actuator(const hol_xml *e); // one that is taken
// The classes of all <default>.
hol_status hol_mjcf_read_classes(hol_mjcf *m);
// An attribute of an element, or what its class says; around: the class of what stands around it, -1: the outermost. NULL: nobody says.
hol_status hol_mjcf_get(hol_mjcf *m, hol_xml *e, const char *key, int around, const char **out);
hol_status hol_mjcf_class_of(hol_mjcf *m, hol_xml *e, const char *key, int around, int *out);
// n numbers; what nobody says leaves out as it is.
hol_status hol_mjcf_numbers(hol_mjcf *m, hol_xml *e, const char *key, int around, int n, double *out);
// At most so many numbers; *n: how many, 0: nobody says.
hol_status hol_mjcf_some(hol_mjcf *m, hol_xml *e, const char *key, int around, int most, double *out, int *n);
// The same of an attribute whose first numbers may stand alone: what they leave out is what a class around says, up to so many that are
// needed.
hol_status hol_mjcf_first_ones(hol_mjcf *m, hol_xml *e, const char *key, int around, int most, int needed,
                               double *out, int *n);
// yes: "true"; what nobody says leaves out as it is.
hol_status hol_mjcf_flag(hol_mjcf *m, hol_xml *e, const char *key, int around, bool *out);
// A turn by a quaternion of any length above 0.
hol_status hol_mjcf_turn(hol_mjcf *m, const hol_xml *e, const double quat[4], double R[9]);
// pos, and quat, axisangle, euler, xyaxes or zaxis.
hol_status hol_mjcf_frame(hol_mjcf *m, hol_xml *e, int around, hol_import_frame *frame);
// <frame>: all of them are opened, so that what they hold stands in the list of the body around them; then the class and the place that
// they give to one of these.
void hol_mjcf_open_frames(hol_xml *e);
hol_status hol_mjcf_class_around(hol_mjcf *m, const hol_xml *e, int *around);
hol_status hol_mjcf_move(hol_mjcf *m, const hol_xml *e, hol_import_frame *frame);
// Where fromto is given: the frame in the middle of both ends, its z from the second to the first one by the smallest turn, and half the
// distance; else *half is 0. type: of the shape, which has to be a long one.
hol_status hol_mjcf_between(hol_mjcf *m, hol_xml *e, int around, const char *type, hol_import_frame *frame,
                            double *half);
// A geom: its shape, if it is drawn, and its part of the mass, if `massive`, in the frame of its body.
hol_status hol_mjcf_read_geom(hol_mjcf *m, hol_xml *e, int around, hol_robot_link *l, bool massive);
// Which geoms would meet (import_mjcf_contacts.c). A body behind its parent, by their last links; moves: it has joints.
hol_status hol_mjcf_add_body(hol_mjcf *m, int link, int parent, bool moves);
// A geom of the last body is listed if it meets others; what meets nothing discardvisual takes away, with its mass before MuJoCo 3.
// *seen: it meets nothing, and is seen alone.
hol_status hol_mjcf_list_contacts(hol_mjcf *m, hol_xml *e, int around, const hol_robot_link *l, bool weighs,
                                  bool *seen);
// Contacts are not taken, which matters where there may be some.
hol_status hol_mjcf_tell_contacts(hol_mjcf *m);
// Marks attributes that have no part in the motion, and those of classes that nobody has asked for.
void hol_mjcf_mark_known(hol_xml *e);

#endif
