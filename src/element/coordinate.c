// Coordinates of joints as users name them, of frame 2 against frame 1 (docs/theory.md, 8.13):
//
//     turn       angle = AZ,  rate = z1.W,  accel = (z1.W)'                        W = w2 - w1, d = p2 - p1
//     slide      stroke = z1.d (in the plane x1.d),  speed and accel its derivatives as seen from frame 1
//     universal  R1^T R2 = Rz(angle1) Rx(pi/2) Rz(angle2);  rates z1.W and z2.W                            (8.49)
//     ball       rotation vector of R1^T R2, and R1^T R2 = (swing about an axis of the xy plane) Rz(twist)
#include "element/coordinate.h"

#include "element/joint_motion.h"

#include <string.h>

#define ROW(name, unit, doc, plane, space, second, rate) {name, unit, doc, {plane, space}, second, rate},
#define DEFINE(list, rows, joints)                                                                           \
    const hol_joint_coordinate hol_coordinates_##list[] = {rows(ROW){.name = NULL}};
HOL_COORDINATE_LISTS(DEFINE)

const hol_joint_coordinate *hol_joint_coordinates(const hol_element *e, int dimension)
{
    static const hol_joint_coordinate none[] = {{.name = NULL}};
    const hol_joint_coordinate *list = e->type->named[dimension - 2];
    return list ? list : none;
}

static const hol_joint_coordinate *find(const hol_joint_coordinate *c, const char *name)
{
    while (c && c->name && strcmp(c->name, name) != 0) c++;
    return c && c->name ? c : NULL;
}

const hol_joint_coordinate *hol_joint_coordinate_find(const hol_element *e, int dimension, const char *name)
{
    return find(hol_joint_coordinates(e, dimension), name);
}

const hol_joint_coordinate *hol_joint_coordinate_any(const char *name)
{
    const hol_joint_coordinate *found = NULL;
    for (const hol_element_type *const *t = hol_element_types; *t && !found; t++)
        for (int i = 0; i < 2 && !found; i++) found = find((*t)->named[i], name);
    return found;
}

const hol_joint_coordinate *hol_joint_coordinate_of(const hol_element_type *type, int dimension,
                                                    const char *name)
{
    return find(type->named[dimension - 2], name);
}

bool hol_joint_coordinates_differ(const hol_element_type *type, int dimension)
{
    bool some = false;
    for (const hol_joint_coordinate *c = type->named[dimension - 2]; c && c->name && !some; c++)
        some = hol_quantity_is_angle(hol_joint_coordinate_any(c->name)->what[0]) !=
               hol_quantity_is_angle(c->what[dimension - 2]);
    return some;
}

bool hol_joint_coordinate_is_driven(const hol_joint_coordinate *c, int dimension)
{
    static const hol_joint_coordinate *const free[] = {hol_coordinates_turn,  hol_coordinates_slide,
                                                       hol_coordinates_cross, hol_coordinates_ball,
                                                       hol_coordinates_plane, hol_coordinates_cylinder};
    const hol_quantity_kind what = c->what[dimension - 2];
    const bool vector = what >= HOL_QUANTITY_ROTATION && what < HOL_QUANTITY_ROTATION + 3;
    if (hol_joint_coordinate_level(c) > 0 || vector) return false;
    for (int i = 0; i < HOL_COUNT(free); i++)
        for (const hol_joint_coordinate *k = free[i]; k->name; k++)
            if (k == c) return true;
    return false;
}

void hol_joint_name_driven(const hol_element_type *joint, int dimension, bool length, char *text, size_t room)
{
    const hol_joint_coordinate *c = joint->named[dimension - 2];
    *text = 0;
    for (; c && c->name; c++)
        if (hol_joint_coordinate_is_driven(c, dimension) &&
            hol_quantity_is_angle(c->what[dimension - 2]) != length &&
            strlen(text) + strlen(c->name) + 3 < room)
            strcat(strcat(text, *text ? ", " : ""), c->name);
}

static bool is_angle(const hol_joint_coordinate *c, int dimension)
{
    return hol_quantity_is_angle(c->what[dimension - 2]);
}

bool hol_joint_holds_point(const hol_element *e)
{
    return e->end[0].marker->frame == HOL_FRAME_POINT || e->end[1].marker->frame == HOL_FRAME_POINT;
}

bool hol_joint_coordinate_is_free(const hol_element *e, int dimension, const hol_joint_coordinate *c)
{
    if (hol_joint_holds_point(e) && hol_quantity_needs_axes(c->what[dimension - 2])) return false;
    if (hol_joint_coordinates(e, dimension) != hol_coordinates_axis || !is_angle(c, dimension)) return true;
    return hol_joint_motion(e, dimension).turning == HOL_TURNING_AXIS;
}

hol_quantity hol_joint_quantity(const hol_element *e, int dimension, const hol_joint_coordinate *c)
{
    hol_quantity q = hol_coordinate_between(e->end[0].marker, e->end[1].marker, e->mirror, dimension, c);
    q.flipped = e->flipped;
    return q;
}

hol_quantity hol_coordinate_between(const hol_marker *first, const hol_marker *second, hol_mirror mirror,
                                    int dimension, const hol_joint_coordinate *c)
{
    hol_quantity q = {.what = c->what[dimension - 2],
                      .planar = dimension == 2,
                      .to = second,
                      .from = first,
                      .mirror = mirror,
                      .rate = c->rate};
    const int level = hol_quantity_level(&q);
    if (c->second && level == 0) q.to = first, q.from = second;
    if (q.what >= HOL_QUANTITIES || (level == 0 && is_angle(c, dimension))) return q;
    q.along = c->second ? second : first;
    if (level == 2 || (level == 1 && !is_angle(c, dimension))) q.ref = q.along;
    return q;
}

bool hol_joint_is_flipped(const hol_element *e, const hol_real *y)
{
    hol_feature p[2];
    double e0 = 0;
    if (hol_joint_coordinates(e, 3) != hol_coordinates_ball) return false;
    for (int i = 0; i < 2; i++) {
        if (e->end[i].marker->frame == HOL_FRAME_POINT) return false;
        hol_feature_eval(e->end[i].marker, HOL_ORIENTATION, y, NULL, 0, &p[i]);
    }
    for (int i = 0; i < 4; i++) e0 += hol_re(p[0].f[i] * p[1].f[i]);
    return e0 < 0;
}

int hol_joint_coordinate_level(const hol_joint_coordinate *c)
{
    const hol_quantity q = {.what = c->what[0], .rate = c->rate};
    return hol_quantity_level(&q);
}

bool hol_joint_coordinate_turns(const hol_joint_coordinate *c, int dimension)
{
    const hol_quantity_kind what = c->what[dimension - 2];
    const bool vector = what >= HOL_QUANTITY_ROTATION && what < HOL_QUANTITY_ROTATION + 3;
    return dimension == 3 && hol_joint_coordinate_level(c) == 0 && hol_quantity_is_angle(what) && !vector &&
           what != HOL_QUANTITY_SWING;
}

const hol_joint_coordinate *hol_joint_driven_turn(const hol_element *joint, int dimension)
{
    const hol_joint_coordinate *c = hol_joint_coordinates(joint, dimension);
    for (; c->name; c++) {
        const hol_quantity_kind what = c->what[dimension - 2];
        if (hol_joint_coordinate_level(c) == 0 &&
            (what == HOL_QUANTITY_A + 2 || what == HOL_QUANTITY_TWIST) &&
            hol_joint_coordinate_is_free(joint, dimension, c))
            return c;
    }
    return NULL;
}

int hol_driven_sign(const hol_element *driver)
{
    const hol_prim *p = ((const hol_prims *)driver->data)->p;
    if (p->kind == HOL_PRIM_DISTANCE) return 1;
    return hol_prim_is_length(p) ? hol_mirror_polar(driver->mirror, p->axis1)
                                 : hol_mirror_axial(driver->mirror, 2);
}

double hol_driver_effort(const hol_element *driver, const hol_real *y)
{
    return -hol_prim_set_slope(((const hol_prims *)driver->data)->p, driver->ny, y) * hol_driven_sign(driver);
}

double hol_driven_angle(const hol_element *driver, double t)
{
    const hol_prims *row = driver->data;
    hol_real jet[4];
    hol_expr_jet(row->p[0].set, t, jet);
    return hol_re(jet[0]);
}

bool hol_joint_is_driven(const hol_element *joint, const hol_element *driver)
{
    bool same = joint->n_bodies == driver->n_bodies &&
                memcmp(joint->body, driver->body, (size_t)joint->n_bodies * sizeof *joint->body) == 0;
    for (int i = 0; i < 2 && same; i++) {
        const hol_marker *a = joint->end[i].marker, *b = driver->end[i].marker;
        same = a->frame == b->frame && a->u == b->u && memcmp(a->s, b->s, sizeof a->s) == 0;
    }
    return same;
}

int hol_joint_memory(const hol_element *e, int dimension, const hol_joint_coordinate *c)
{
    return e->mem + e->n_mem + HOL_TURNS_SIZE * hol_joint_turns(e, dimension, c);
}

int hol_joint_turns(const hol_element *e, int dimension, const hol_joint_coordinate *until)
{
    int n = 0;
    for (const hol_joint_coordinate *c = hol_joint_coordinates(e, dimension); c->name && c != until; c++)
        n += hol_joint_coordinate_turns(c, dimension);
    return n;
}
