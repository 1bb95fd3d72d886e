// Robots as other formats have them: links, each with one frame, and joints between them. import_robot.c says what bodies they make,
// import_robot_write.c writes these.
#ifndef HOL_IMPORT_ROBOT_H
#define HOL_IMPORT_ROBOT_H

#include "io/import.h"

typedef struct hol_import_frame {
    double R[9]; // its axes as columns, row by row
    double p[3]; // [m]
} hol_import_frame;
extern const hol_import_frame hol_frame_none;
// Turns about axes in turn: small letters about those that have turned, capitals about fixed ones; "XYZ": roll, pitch, yaw.
void hol_frame_euler(const char *axes, const double angle[3], double R[9]);
hol_import_frame hol_frame_times(const hol_import_frame *a, const hol_import_frame *b);
hol_import_frame hol_frame_inverse(const hol_import_frame *a);
bool hol_frame_turns(const double R[9]); // is it not the identity?
// z of the frame becomes the axis, of length 1; x and y follow. A coordinate axis gives exact numbers.
void hol_frame_along(const double axis[3], double R[9]);
void hol_frame_about(const double axis[3], double angle, double R[9]);
void hol_matrix_times(const double A[9], const double B[9], double out[9]);
// A B A^T of a symmetric B.
void hol_matrix_turn(const double A[9], const double B[9], double out[9]);
// The symmetric one with these eigenvalues and eigenvectors, one behind the other.
void hol_matrix_of_axes(const double axes[9], const double values[3], double out[9]);

// What is written of bodies: a place that is not the origin; a turn by the directions of two axes, which are exact where they are
// those of others (rpy: the same turn, NULL: not known); a tensor, three numbers or six, and whether it is one that no body has.
void hol_import_position(hol_import *in, hol_node *map, const char *key, const double p[3]);
void hol_import_orientation(hol_import *in, hol_node *map, const double R[9], const double *rpy);
hol_status hol_import_inertia(hol_import *in, hol_node *map, hol_src at, const char *name, const double J[9]);

typedef struct hol_robot_shape {
    const char *type;      // of shapes of a model file
    double size[3];        // box: edges; radius and length [m]
    const char *file;      // of a mesh, and
    double scale;          // its unit [m]
    const char *color;     // NULL: none
    hol_import_frame pose; // in the link
} hol_robot_shape;

typedef struct hol_robot_body { // of the links that make it, in the frame of the first one
    double mass, com[3], J[9];
    int n; // of those with a mass or an inertia
} hol_robot_body;

typedef struct hol_robot_link {
    const char *name, *own; // of the source; of the body
    hol_src at;
    double mass, com[3], J[9]; // [kg]; in the link [m]; about the com in its axes [kg m^2]
    hol_robot_shape *shape;
    int n_shapes;
    // worked out:
    int joint;              // whose child it is; -1: a root
    int body;               // the link that leads the body it is part of
    hol_import_frame place; // in that body's frame
    hol_import_frame zero;  // globally, with all joints at zero
    // of the first link of a body:
    hol_robot_body whole;
    bool ground;      // it is ground
    hol_names *names; // of its markers
    hol_node *markers, *shapes;
    const char *parts;  // other links that are part of it; NULL: none
    const char *marker; // where it is written: its frame in the body; NULL: the body's own
} hol_robot_link;

typedef enum hol_robot_kind {
    HOL_ROBOT_FIXED,
    HOL_ROBOT_REVOLUTE,
    HOL_ROBOT_PRISMATIC,
    HOL_ROBOT_PLANAR,
    HOL_ROBOT_FLOATING,
    HOL_ROBOT_SPHERICAL
} hol_robot_kind;

typedef struct hol_robot_joint {
    const char *name, *own;
    hol_src at;
    hol_robot_kind kind;
    int parent, child;      // links
    hol_import_frame frame; // of the child in the parent at zero
    bool has_rpy;
    double rpy[3];  // the same turn, if the source has it so [rad]
    double axis[3]; // in the child's frame, of length 1
    double from;    // the coordinate of the source where ours is zero
    bool limited;
    double lower, upper, damping, friction; // SI
    double stiffness, rest,
        armature; // of a spring, its coordinate without force; a rotor that feels the joint alone
    double spring_time,
        spring_ratio;   // time constant [s] and damping ratio that a spring and damper are to give; 0: none
    const char *remark; // a line above it; NULL: none
    int leader;         // its coordinate is multiplier * that of this joint + offset; -1: free
    double multiplier, offset;
    // worked out: its coordinate as drawn, and what it is of the joint that it follows in the end: factor * that of base + constant
    double start, factor, constant;
    bool begins, moves;     // its place, its rates are those of a keyframe:
    hol_import_frame drawn; // of a ball, of what floats: the child's frame in that at zero
    double speed[6]; // its rate; of what floats the velocity of the origin and the angular one, globally
    int base;
    bool moved;    // drawn where a loop closes
    double turned; // whole turns by which its coordinate here is less than that from zero
    // where it is written:
    const char *marker, *own_marker; // of the parent's body; of the child's, NULL: its frame
} hol_robot_joint;

typedef struct hol_robot_loop { // a joint between two links of the tree
    const char *name;
    hol_src at;
    hol_robot_kind kind;
    int link[2];
    hol_import_frame frame[2]; // in each link, z along the axis
} hol_robot_loop;

typedef enum hol_robot_dynamics {
    HOL_ROBOT_DIRECT,
    HOL_ROBOT_INTEGRATOR,
    HOL_ROBOT_FILTER
} hol_robot_dynamics;

// What makes a force f = (gain[0] + gain[1] l + gain[2] l') x + bias[0] + bias[1] l + bias[2] l' on a length l, where x is a control u, or follows
// it: x' = u, x' = (u - x) / time_constant. l: gear[0] (c + from) of a joint with a coordinate c, gear[0] times the length of a tendon; gear is an axis
// in a ball, a force and a torque of a body that floats, of a site in its frame; forces at these have the gear's components.
typedef struct hol_robot_motor {
    const char *name;
    hol_src at;
    int joint, tendon, site; // what it acts on, a link of a site; -1: it is another one
    bool in_parent;          // torques have the axes of what is nearer to ground
    double gear[6], gain[3], bias[3];
    hol_robot_dynamics dynamics;
    double time_constant;
    double control[2], force[2], activation[2]; // ranges; the first is not less than the second: none
    double begin, activation_begin;             // the control, and what follows it, at the start
} hol_robot_motor;

// A spring and damper on a length, the sum of coefficients times coordinates c + from: its force on each joint is -coefficient (stiffness (length - rest) + damping length').
typedef struct
    hol_robot_segment { // between two links, such as sites; its part of the length is that over divisor
    int link[2];
    double divisor;
} hol_robot_segment;

typedef struct hol_robot_tendon {
    const char *name;
    hol_src at;
    double stiffness, damping, rest;
    bool rests_with_springs; // its rest is where the springs of its joints are free
    int *joint;
    double *coefficient;
    int n;
    hol_robot_segment *segment; // instead of coordinates: distances
    int n_segments;
} hol_robot_tendon;

// A sum of coordinates, by joints; those here, and `turned`.
typedef struct hol_robot_sum {
    int n, *joint;
    double *coefficient;
} hol_robot_sum;

// left = a[0] + a[1] right + .. + a[4] right^4
typedef struct hol_robot_equation {
    const char *name;
    hol_src at;
    hol_robot_sum left, right;
    double a[5];
} hol_robot_equation;

typedef struct hol_robot {
    const char *name;
    double gravity[3]; // [m/s^2]
    bool world;        // the root is ground, by the format
    bool identifiers;  // names become such as expressions may have
    hol_src at, begin; // of the keyframe that it begins in
    hol_robot_link *link;
    hol_robot_joint *joint;
    hol_robot_loop *loop;
    hol_robot_motor *motor;
    hol_robot_tendon *tendon;
    hol_robot_equation *equation;
    int n_links, n_joints, n_loops, n_motors, n_tendons, n_equations;
    int *order; // links, each behind its parent
} hol_robot;

// How many rates a joint has; what has one turns about its axis or slides along it, and has a coordinate.
int hol_robot_rates(const hol_robot_joint *j);
bool hol_robot_has_coordinate(const hol_robot_joint *j);
// A tree with one root, each link behind its parent, all names found; poses at zero; what is wrong with these is told.
hol_status hol_robot_arrange(hol_import *in, hol_robot *r);
// Bodies of the links: what fixed joints hold together is one, what has no mass at the end of a chain is held. After loops are there.
hol_status hol_robot_make_bodies(hol_import *in, hol_robot *r);
// The coordinate of a joint where the one that it follows is drawn.
double hol_robot_coordinate(const hol_robot *r, const hol_robot_joint *j);
// Draws free joints so that loops close within their limits, if that is found; those that did are `moved`.
hol_status hol_robot_close_loops(hol_import *in, hol_robot *r);
// The child's frame as it is drawn, in that of the joint at zero.
hol_import_frame hol_robot_motion(const hol_robot_joint *j);
hol_status hol_robot_write(hol_import *in, hol_robot *r, hol_node **model);

#endif
