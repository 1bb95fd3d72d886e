// What tells the assemblies of a closed loop apart, as numbers with a sign: on which side of the line between two bodies' other joints the
// joint between them lies (an elbow), and on which side of the plane of the ground's joints a loop in space stands. docs/theory.md,
// section 4.1.
#ifndef HOL_SIDES_H
#define HOL_SIDES_H

#include "system/graph.h"

typedef struct hol_side {
    int component; // loop, or group of loops, of the graph
    int joint;     // the elbow; -1: it is a plane
    int body
        [2]; // the bodies that it joins: on its first end, on its second; of a plane the one that is looked at, and -1
    int outer[2]; // their other joints                                                 -1 of a plane
    double turn
        [2]; // of the elbow: angle of the way from the first body's joint, and on to the second's, in the frames of its ends [rad]
    double normal[3], place; // of a plane: n.r = place
} hol_side;

typedef struct hol_sides {
    const hol_model_data *m;
    hol_graph graph;
    int n;
    hol_side *side; //                                                                     (n)
} hol_sides;

// q: a pose in which the joints hold (m->nq). To be destroyed also after a failure.
hol_status hol_sides_create(hol_context *ctx, const hol_model_data *m, const double *q, hol_sides *out);
void hol_sides_destroy(hol_sides *s);
// Above 0 on one side, below on the other: a sine, or a distance [m].
double hol_side_value(const hol_model_data *m, const hol_side *side, const double *q);
// The bodies of an elbow reflected about the line of their other joints, those of a plane through it: moves q. Joints stay closed where
// the loop is plane, or held by points.
void hol_side_reflect(const hol_sides *s, const hol_side *side, double *q);
// A line for `assemble: require` that holds where the value has this sign.
void hol_side_require(const hol_model_data *m, const hol_side *side, int sign, char *text, size_t size);
// The joints of a loop as "A, B, C, D", as many as there is room for.
void hol_sides_loop(const hol_graph *g, int component, char *text, size_t size);

#endif
