// The one list of element types. To add one: a file beside the others, a declaration and a line here.
#include "element/element.h"

#include <string.h>

extern const hol_element_type hol_body_point, hol_body_planar, hol_body_spatial;
extern const hol_element_type hol_joint_fixed, hol_joint_revolute, hol_joint_translational,
    hol_joint_cylindrical, hol_joint_spherical, hol_joint_planar, hol_joint_universal, hol_joint_distance,
    hol_joint_at_point, hol_joint_in_line, hol_joint_in_plane, hol_joint_parallel_axes,
    hol_joint_perpendicular, hol_joint_screw, hol_joint_constant_velocity, hol_joint_revolute_spherical,
    hol_joint_revolute_revolute, hol_joint_orientation, hol_joint_point_on_curve, hol_joint_total,
    hol_joint_coupler, hol_joint_gear, hol_joint_rack_pinion, hol_joint_grip, hol_joint_lock;
extern const hol_element_type hol_driver_angle, hol_driver_stroke, hol_driver_distance;
extern const hol_element_type hol_force_spring_damper, hol_force_rotational_spring_damper, hol_force_bushing,
    hol_force_beam, hol_force_applied, hol_force_vector, hol_force_friction, hol_force_torque, hol_force_tyre;

const hol_element_type *const hol_element_types[] = {
    &hol_body_point,
    &hol_body_planar,
    &hol_body_spatial,
    &hol_joint_fixed,
    &hol_joint_revolute,
    &hol_joint_translational,
    &hol_joint_cylindrical,
    &hol_joint_spherical,
    &hol_joint_planar,
    &hol_joint_universal,
    &hol_joint_screw,
    &hol_joint_constant_velocity,
    &hol_joint_distance,
    &hol_joint_revolute_spherical,
    &hol_joint_revolute_revolute,
    &hol_joint_at_point,
    &hol_joint_in_line,
    &hol_joint_in_plane,
    &hol_joint_parallel_axes,
    &hol_joint_perpendicular,
    &hol_joint_orientation,
    &hol_joint_point_on_curve,
    &hol_joint_total,
    &hol_joint_gear,
    &hol_joint_rack_pinion,
    &hol_joint_coupler,
    &hol_joint_grip,
    &hol_joint_lock,
    &hol_driver_angle,
    &hol_driver_stroke,
    &hol_driver_distance,
    &hol_constraint_position,
    &hol_constraint_velocity,
    &hol_force_spring_damper,
    &hol_force_rotational_spring_damper,
    &hol_force_bushing,
    &hol_force_beam,
    &hol_force_applied,
    &hol_force_torque,
    &hol_force_joint_torque,
    &hol_force_joint_force,
    &hol_force_vector,
    &hol_force_rotor,
    &hol_force_inerter,
    &hol_force_friction,
    &hol_force_tyre,
    NULL,
};

// Is `name` one of the words separated by bars?
static bool in_words(const char *words, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = words; p && *p;) {
        const char *end = strchr(p, '|');
        const size_t length = end ? (size_t)(end - p) : strlen(p);
        if (length == n && memcmp(p, name, n) == 0) return true;
        p = end ? end + 1 : NULL;
    }
    return false;
}

const hol_element_type *hol_element_find(hol_role role, int dimension, const char *name)
{
    const hol_element_type *other = NULL;
    for (const hol_element_type *const *t = hol_element_types; *t; t++) {
        if ((*t)->role != role || !(strcmp((*t)->name, name) == 0 || in_words((*t)->aliases, name))) continue;
        if ((*t)->dimensions == 5 || (*t)->dimensions == dimension) return *t;
        other = *t;
    }
    return other;
}

const char *const hol_role_lists[HOL_ROLES] = {"bodies", "joints", "drivers", "constraints", "forces"};
const char *const hol_role_names[HOL_ROLES] = {"body", "joint", "driver", "constraint", "force"};

const hol_element_type *hol_element_of_any_role(int dimension, const char *word)
{
    char name[40];
    size_t n = strlen(word);
    if (n >= sizeof name) return NULL;
    memcpy(name, word, n + 1);
    for (int plural = 0; plural < 2 && n > 1; plural++, name[--n] = 0) {
        for (int role = 0; role < HOL_ROLES; role++) {
            const hol_element_type *t = hol_element_find((hol_role)role, dimension, name);
            if (t && (t->dimensions == 5 || t->dimensions == dimension)) return t;
        }
        if (name[n - 1] != 's') break;
    }
    return NULL;
}

// An alias that is near suggests the name of its type.
static void try_words(hol_nearest *nearest, const char *words, const char *name)
{
    char word[40];
    for (const char *p = words; p && *p;) {
        const size_t n = strcspn(p, "|");
        if (n < sizeof word) {
            memcpy(word, p, n);
            word[n] = 0;
            hol_nearest_try(nearest, word);
            if (nearest->best == word) nearest->best = name;
        }
        p += n + (p[n] == '|');
    }
}

const char *hol_element_suggest(hol_role role, int dimension, const char *name)
{
    hol_nearest nearest;
    hol_nearest_start(&nearest, name);
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        if ((*t)->role == role && ((*t)->dimensions == 5 || (*t)->dimensions == dimension)) {
            hol_nearest_try(&nearest, (*t)->name);
            try_words(&nearest, (*t)->aliases, (*t)->name);
        }
    return nearest.best;
}
