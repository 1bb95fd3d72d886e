// What a joint leaves free: its primitives read one by one, of those that hold displacements and rotations of the markers of
// its two ends. A screw is a cylindrical joint with a thread.
#include "element/joint_motion.h"

#include <string.h>

extern const hol_element_type hol_joint_screw;

typedef struct {
    bool along[3], turn[3], cross; // held
    int turns;                     // rows of the rotation's components
} holds;

// Which displacements and rotations the primitives hold; false: there is one that has no such reading.
static bool read_primitives(const hol_prims *list, holds *h)
{
    for (int i = 0; i < list->n; i++) {
        const hol_prim *p = &list->p[i];
        switch (p->kind) {
        case HOL_PRIM_POINT: h->along[0] = h->along[1] = h->along[2] = true; break;
        case HOL_PRIM_ALONG: h->along[p->axis1] = true; break;
        case HOL_PRIM_TURN: h->turn[p->axis1] = true, h->turns++; break;
        case HOL_PRIM_ANGLE: h->turn[0] = h->turn[1] = h->turn[2] = true; break;
        case HOL_PRIM_DOT: h->cross = true; break;
        default: return false;
        }
        if (p->kind == HOL_PRIM_DOT && (p->axis1 != 2 || p->axis2 != 2)) return false;
    }
    return true;
}

// In the plane x and y are held by the plane itself.
static hol_turning turning_of(const holds *h, int dimension)
{
    const int held = h->turn[0] + h->turn[1] + h->turn[2];
    if (held == 3) return HOL_TURNING_NONE;
    if (dimension == 2 || (held == 2 && !h->turn[2] && !h->cross)) return HOL_TURNING_AXIS;
    return held > 0 ? HOL_TURNING_OTHER : h->cross ? HOL_TURNING_CROSS : HOL_TURNING_FREE;
}

// Ends, rows that depend on time, then the primitives; a screw has rows of its own, whose reading is known.
hol_freedoms hol_joint_motion(const hol_element *e, int dimension)
{
    hol_freedoms o = {.why = "its motions have no joint coordinates"};
    const hol_prims *list = e->type->phi == hol_prims_phi ? e->data : NULL;
    holds h = {.turns = 0};
    if (e->n_ends != 2) return o;
    for (int i = 0; i < e->n_ends; i++)
        if (e->end[i].marker->frame == HOL_FRAME_MOVING) {
            o.why = "one of its ends is moved by a function of time";
            return o;
        }
    o.threaded = e->type == &hol_joint_screw;
    o.point = list && list->p[0].kind == HOL_PRIM_POINT;
    if (o.threaded) {
        o.pitch = hol_screw_pitch(e);
        h = (holds){.along = {true, true, false}, .turn = {true, true, false}};
    } else {
        if (list && hol_prims_timed(list)) o.why = "it is a function of time";
        if (!list || hol_prims_timed(list) || !read_primitives(list, &h)) return o;
    }
    o.why = NULL;
    o.turning = turning_of(&h, dimension);
    for (int k = 0; k < dimension; k++) o.n_slides += o.slides[k] = !h.along[k];
    o.rotation = dimension == 3 && list && e->n_rows == (o.point ? 3 : 0) + h.turns;
    return o;
}

static bool has_row(const hol_element *joint, const char *direction)
{
    for (int i = 0; i < joint->n_rows; i++)
        if (strcmp(joint->type->row(joint->data, i).direction, direction) == 0) return true;
    return false;
}

bool hol_joint_holds(const hol_element *joint, int dimension, const hol_element_type *driver)
{
    const char *moved = driver->drives[dimension - 2];
    if (has_row(joint, moved)) return true;
    return strcmp(moved, "distance") == 0 && has_row(joint, "x") && has_row(joint, "y") &&
           (dimension == 2 || has_row(joint, "z"));
}
