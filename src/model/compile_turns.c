// Where a driver of an angle chooses how many full turns its joint begins with: what `check` and runs say of it.
#include "element/coordinate.h"
#include "model/compile.h"

#include <math.h>

#define TURN (2 * HOL_PI)

// Has the file said where this angle begins, by `turns` or limits?
static bool is_said(const hol_model_data *m, const hol_leaf *place)
{
    for (int i = 0; i < m->n_counters && place->turns; i++)
        if (m->counter[i].leaf->turns == place->turns && m->counter[i].said) return true;
    return false;
}

// What there is to do about it.
static const char *way_out(const hol_compiler *c, const hol_element *joint, double turns, double wanted)
{
    hol_arena *arena = c->spec->arena;
    if (c->m->dimension == 2)
        return hol_arena_print(arena,
                               "in the plane an angle is drawn with its turns. Shift the driver by %.0f deg "
                               "to begin without them, or draw \"%s\" at %.6g deg if they are meant",
                               -360 * turns, joint->name, wanted * 360 / TURN);
    return hol_arena_print(
        arena,
        "a pose in space does not say how many full turns there are. Shift the driver by "
        "%.0f deg to begin without them, or give the joint `turns: %.0f` if they are meant",
        -360 * turns, turns);
}

// One driver of the angle of one joint.
static hol_status look(hol_compiler *c, const hol_element *joint, const hol_element *driver)
{
    hol_spec *spec = c->spec;
    hol_leaf place;
    hol_joint_leaf(joint, c->m->dimension, hol_joint_driven_turn(joint, c->m->dimension), &place);
    const double drawn = hol_drawn_leaf(c->m, &place),
                 wanted = hol_mirror_axial(joint->mirror, 2) * hol_driven_angle(driver, 0),
                 turns = round((wanted - drawn) / TURN);
    if (!isfinite(turns) || turns == 0 || is_said(c->m, &place)) return HOL_OK;
    const char *way = way_out(c, joint, turns, wanted),
               *text = way ? hol_arena_print(spec->arena,
                                             "drivers.%s: it has the angle of \"%s\" begin at %.6g deg, %.0f "
                                             "full turn%s %s where it is drawn, at %.6g deg\n: %s",
                                             driver->name, joint->name, wanted * 360 / TURN, fabs(turns),
                                             fabs(turns) == 1 ? "" : "s", turns > 0 ? "on from" : "back from",
                                             drawn * 360 / TURN, way)
                           : NULL;
    if (!text || !HOL_ARENA_GROW(spec->arena, spec->remark, spec->n_remarks)) return HOL_ERR_MEMORY;
    spec->remark[spec->n_remarks++] = (hol_spec_remark){"turns", text};
    return HOL_OK;
}

hol_status hol_look_driven_turns(hol_compiler *c)
{
    const hol_model_data *m = c->m;
    hol_status st = HOL_OK;
    for (int i = 0; i < m->n_elements; i++) {
        const hol_element *driver = &m->element[i];
        for (int k = 0; k < i && driver->type == &hol_driver_angle && !st; k++) {
            const hol_element *joint = &m->element[k];
            if (joint->type->role == HOL_ROLE_JOINT && hol_joint_driven_turn(joint, m->dimension) &&
                hol_joint_is_driven(joint, driver))
                st = look(c, joint, driver);
        }
    }
    return st;
}
