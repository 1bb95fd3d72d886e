// Where a driver of an angle chooses how many full turns its joint begins with: what `check` and runs say of it, and in the plane, where angles
// are drawn with their turns, the pose that they are taken from.
#include "element/coordinate.h"
#include "model/compile.h"

#include <math.h>
#include <string.h>

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

// ---- turned poses in the plane --------------------------------------------------------------------------------

// Does the element hold two bodies, or one and ground, together?
static bool joins(const hol_element *e)
{
    return e->all_rows > 0 && e->n_ends >= 2 && e->type->role != HOL_ROLE_DRIVER && !e->type->joints;
}

static int body_at(const hol_element *e, int end) { return e->end[end].body; }

// Marks what is reached from a body without one of the joints; true: ground, or what was marked before with another sign, is not.
static bool hangs(const hol_model_data *m, int body, const hol_element *without, const char *taken,
                  char *reached)
{
    bool more = true;
    memset(reached, 0, (size_t)m->n_bodies);
    reached[body] = 1;
    while (more) {
        more = false;
        for (int i = m->n_bodies; i < m->n_elements; i++) {
            const hol_element *e = &m->element[i];
            if (e == without || !joins(e)) continue;
            for (int k = 0; k < 2; k++) {
                const int from = body_at(e, k), to = body_at(e, !k);
                if (from < 0 || !reached[from]) continue;
                if (to < 0 || taken[to]) return false;
                more = more || !reached[to];
                reached[to] = 1;
            }
        }
    }
    return true;
}

// The body, and what hangs on it and closes no loop: its joints keep their angles.
static hol_status find_turned(const hol_compiler *c, const hol_element *joint, int body, char *taken)
{
    const hol_model_data *m = c->m;
    char *reached = hol_calloc(m->ctx, (size_t)m->n_bodies + 1, 1);
    if (!reached) return HOL_ERR_MEMORY;
    taken[body] = 1;
    for (bool more = true; more;) {
        more = false;
        for (int i = m->n_bodies; i < m->n_elements; i++) {
            const hol_element *e = &m->element[i];
            for (int k = 0; k < 2 && e != joint && joins(e); k++) {
                const int from = body_at(e, k), to = body_at(e, !k);
                if (from < 0 || to < 0 || !taken[from] || taken[to] || !hangs(m, to, e, taken, reached))
                    continue;
                for (int b = 0; b < m->n_bodies; b++) taken[b] |= reached[b];
                more = true;
            }
        }
    }
    hol_free(reached);
    return HOL_OK;
}

// A pose of the plane is the same with whole turns more of what moves with the joint: without them the search would wind the links of a loop, or
// end on another branch.
static hol_status turn_drawn(const hol_compiler *c, const hol_element *joint, double turns)
{
    hol_model_data *m = c->m;
    const int moving = body_at(joint, 1) >= 0 ? 1 : 0, body = body_at(joint, moving);
    char *taken = body >= 0 ? hol_calloc(m->ctx, (size_t)m->n_bodies, 1) : NULL;
    if (body < 0) return HOL_OK;
    if (!taken) return HOL_ERR_MEMORY;
    const hol_status st = find_turned(c, joint, body, taken);
    for (int b = 0; b < m->n_bodies && !st; b++)
        if (taken[b] && m->body[b].size == 3) m->q0[m->body[b].q + 2] += (moving ? 1 : -1) * turns * TURN;
    hol_free(taken);
    return st;
}

// ---- what is said of it ---------------------------------------------------------------------------------------

// One driver of the angle of one joint.
static hol_status look(hol_compiler *c, const hol_element *joint, const hol_element *driver, bool told)
{
    hol_spec *spec = c->spec;
    hol_leaf place;
    hol_joint_leaf(joint, c->m->dimension, hol_joint_driven_turn(joint, c->m->dimension), &place);
    const double drawn = hol_drawn_leaf(c->m, &place),
                 wanted = hol_mirror_axial(joint->mirror, 2) * hol_driven_angle(driver, 0),
                 turns = round((wanted - drawn) / TURN);
    if (!isfinite(turns) || turns == 0 || is_said(c->m, &place)) return HOL_OK;
    if (c->m->dimension == 2) {
        const hol_status st = turn_drawn(c, joint, hol_mirror_axial(joint->mirror, 2) * turns);
        if (st) return st;
    }
    if (!told) return HOL_OK;
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

hol_status hol_look_driven_turns(hol_compiler *c, int first, bool told)
{
    const hol_model_data *m = c->m;
    hol_status st = HOL_OK;
    for (int i = first; i < m->n_elements; i++) {
        const hol_element *driver = &m->element[i];
        for (int k = 0; k < i && driver->type == &hol_driver_angle && !st; k++) {
            const hol_element *joint = &m->element[k];
            if (joint->type->role == HOL_ROLE_JOINT && hol_joint_driven_turn(joint, m->dimension) &&
                hol_joint_is_driven(joint, driver))
                st = look(c, joint, driver, told);
        }
    }
    return st;
}
