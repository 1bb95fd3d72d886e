// The list of the objects that a model file is made of. Each stands in the file of its reader; to add one, add its name here.
#include "model/grammar.h"

#include <string.h>

// clang-format off
#define OBJECTS(_) \
    _(model) _(parameters) _(include) _(placement) _(include_settings) _(units) _(units_output) _(ground) _(body) _(marker) _(ground_marker) _(markers) _(ground_markers) _(motion) \
    _(orientation) _(shape) _(ground_shape) _(joint) _(driver) _(constraint) _(force) _(material) _(contact) _(contact_friction) _(variable) _(state) _(transfer_function) \
    _(state_space) _(spline) _(limits_angle) _(limits_stroke) _(limits_cross) _(limits_ball) _(turns_cross) _(motor_angle) _(motor_stroke) _(friction_angle) \
    _(friction_stroke) _(column_units) _(function) _(input) _(event) _(settings) _(plot) _(linearise) _(pose) _(body_pose) _(start_turns) _(static) _(inverse) _(inverse_bounds) _(trim) _(trim_hold) _(assemble) _(assemble_exact) _(exact_joint)
#define DECLARED(name) extern const hol_object hol_##name##_object;
#define LISTED(name) &hol_##name##_object,

OBJECTS(DECLARED)
const hol_object *const hol_objects[] = {OBJECTS(LISTED) NULL};
// clang-format on

const hol_object *hol_object_find(const char *name)
{
    for (const hol_object *const *o = hol_objects; *o && name; o++)
        if (strcmp((*o)->name, name) == 0) return *o;
    return NULL;
}

bool hol_option_exists(const hol_option *o, int dimension)
{
    return !(o->flags & HOL_ONLY_2D && dimension == 3) && !(o->flags & HOL_ONLY_3D && dimension == 2);
}

const hol_option *hol_option_find(const hol_option *table, const char *key)
{
    for (const hol_option *o = table; o && o->key; o++)
        if (strcmp(o->key, key) == 0) return o;
    return NULL;
}

bool hol_next_word(const char **rest, char word[64])
{
    const size_t n = *rest ? strcspn(*rest, "|+") : 0, kept = n < 63 ? n : 63;
    if (!n) return false;
    memcpy(word, *rest, kept);
    word[kept] = 0;
    *rest += n + ((*rest)[n] != 0);
    return true;
}

bool hol_has_word(const char *words, const char *key)
{
    char word[64];
    while (hol_next_word(&words, word))
        if (strcmp(word, key) == 0) return true;
    return false;
}
