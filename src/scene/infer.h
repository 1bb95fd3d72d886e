// Pictures of bodies about which the model says nothing: links between the places where something is attached, or a
// solid with the body's inertia.
#ifndef HOL_INFER_H
#define HOL_INFER_H

#include "scene/scene.h"

// Places of a body in body axes from the centre of mass [m], distinct, in ascending order of x, y, z.
typedef struct hol_places {
    int n;
    double (*at)[3];         //                                                                     (n)
    const hol_marker *slide; // of a joint along which the body slides, NULL: none
} hol_places;

// A list of drawings that grows.
typedef struct hol_drawings {
    hol_context *ctx;
    hol_arena *arena; // for points
    int n, capacity;
    hol_drawing *list; // to be freed with hol_free                                         (n)
} hol_drawings;
// A new one with position 0 and the axes of its body; NULL: no memory.
hol_drawing *hol_drawings_add(hol_drawings *d, hol_shape_kind kind, int body);

// How long the body is, as far as its places say: the distance of two that are as far apart as any, or nearly, or twice
// the distance of its one place from the centre of mass; 0: they do not say.
double hol_infer_reach(const hol_places *p);
// Twice the radius of the disc that has the body's inertia [m]; 0: it has none.
double hol_infer_width(const hol_model_data *m, int body);
// Appends the body's drawings: every place lies on the middle line of a link, or within a solid. length, radius: of the
// model's links [m].
hol_status hol_infer_body(const hol_model_data *m, int body, const hol_places *p, double length,
                          double radius, hol_drawings *out);

#endif
