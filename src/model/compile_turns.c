// Full turns with which angles begin: `turns:` of the model file, and where a driver of an angle chooses them, what `check` and runs say of it.
#include "element/coordinate.h"
#include "model/compile.h"

#include <math.h>
#include <string.h>

#define TURN (2 * HOL_PI)

// ---- what the file says -----------------------------------------------------------------------------------------

// What was said of the same place before is of a file within.
static hol_status begin(hol_compiler *c, int slot, double value, const hol_spec_turns *says)
{
    hol_model_data *m = c->m;
    int k = 0;
    while (k < m->n_begun && m->begun[k].slot != slot) k++;
    if (k == m->n_begun && !HOL_ARENA_GROW(c->spec->arena, m->begun, m->n_begun)) return HOL_ERR_MEMORY;
    if (k == m->n_begun) m->n_begun++;
    m->begun[k] = (hol_begun){slot, value, says ? says->path : NULL, says ? says->at : (hol_src){0}};
    return HOL_OK;
}

// Couplers, and a screw itself, remember the angles of the joints that they couple since the drawing.
static hol_status begin_couplers(hol_compiler *c, const hol_element *joint, double since_drawn)
{
    const hol_spec *spec = c->spec;
    hol_status st = HOL_OK;
    if (joint->n_mem)
        st = begin( // a screw
            c, joint->mem, since_drawn, NULL);
    for (int i = 0; i < spec->n_elements && !st; i++) {
        const hol_spec_element *s = spec->element[i];
        const int number = s->n_joints ? hol_names_find(c->others, s->name) : -1;
        const hol_element *e = number >= 0 ? &c->m->element[number] : NULL;
        int slot = e ? e->mem : 0;
        for (int k = 0; k < s->n_joints && e && e->n_mem && !st; k++) {
            const hol_element *coupled =
                &c->m->element[hol_names_find_at(c->others, s->coupled[k].at, s->coupled[k].name)];
            if (coupled->type->coordinate != HOL_COORDINATE_ANGLE) continue;
            if (coupled == joint) st = begin(c, slot, since_drawn, NULL);
            slot += HOL_TURNS_SIZE;
        }
    }
    return st;
}

// The counter of a place in the memory; NULL: no expression names it.
static hol_counter *counter_at(const hol_model_data *m, int slot)
{
    for (int i = 0; i < m->n_counters; i++)
        if (m->counter[i].leaf->turns == slot + 1) return &m->counter[i];
    return NULL;
}

// The coordinate of a joint, with what follows from it.
static hol_status begin_coordinate(hol_compiler *c, const hol_spec_turns *t, const hol_element *joint,
                                   const hol_joint_coordinate *k)
{
    hol_leaf *leaf = hol_arena_alloc(c->spec->hot, 1, sizeof *leaf);
    if (!leaf) return HOL_ERR_MEMORY;
    hol_joint_leaf(joint, 3, k, leaf);
    hol_status st = hol_count_turns(c, hol_arena_print(c->spec->arena, "%s.%s", joint->name, k->name), leaf);
    if (st) return st;
    const int slot = leaf->turns - 1;
    hol_counter *counter = counter_at(c->m, slot);
    const bool against = hol_leaf_turns_against(&leaf->measured.part[0], hol_mirror_seen(joint->at, t->at));
    const double value = against ? -t->value : t->value,
                 drawn = counter->said ? counter->drawn : hol_drawn_leaf(c->m, leaf);
    counter->start = value;
    counter->drawn = drawn;
    counter->said = true;
    st = begin(c, slot, value, t);
    return st || joint->type->coordinate != HOL_COORDINATE_ANGLE ? st
                                                                 : begin_couplers(c, joint, value - drawn);
}

// There is no such angle.
static hol_status refuse(const hol_compiler *c, const hol_spec_turns *t)
{
    const hol_model_data *m = c->m;
    hol_choice o;
    hol_choice_start(&o, t->name);
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (hol_counts_alone(e)) hol_choice_offer(&o, hol_seen_name(t->at, e->name));
        for (const hol_joint_coordinate *k = hol_joint_coordinates(e, 3); k->name; k++)
            if (hol_joint_coordinate_turns(k, 3) && hol_joint_coordinate_is_free(e, 3, k))
                hol_choice_offer(
                    &o, hol_arena_print(c->spec->arena, "%s.%s", hol_seen_name(t->at, e->name), k->name));
    }
    for (int i = 0; i < m->n_counters; i++) hol_choice_offer(&o, hol_seen_name(t->at, m->counter[i].text));
    return hol_choice_fail(
        c, t->at, t->path,
        "there is no joint, spring or expression of the model with an angle that counts full turns,", t->name,
        &o);
}

// One line.
static hol_status begin_angle(hol_compiler *c, const hol_spec_turns *t)
{
    const hol_model_data *m = c->m;
    hol_arena *arena = c->spec->arena;
    const char *dot = strchr(t->name, '(') ? NULL : strrchr(t->name, '.'),
               *object = dot ? hol_arena_copy(arena, t->name, (size_t)(dot - t->name)) : NULL,
               *full = hol_full_name(arena, t->at, t->name);
    if (!full || (dot && !object)) return HOL_ERR_MEMORY;
    const int spring = hol_names_find_at(c->others, t->at, t->name),
              joint = object ? hol_names_find_at(c->others, t->at, object) : -1;
    if (spring >= 0 && hol_counts_alone(&m->element[spring]))
        return begin(c, m->element[spring].mem, t->value, t);
    const hol_element *e = joint >= 0 ? &m->element[joint] : NULL;
    const hol_joint_coordinate *k = e ? hol_joint_coordinate_find(e, 3, dot + 1) : NULL;
    if (k && hol_joint_coordinate_turns(k, 3) && hol_joint_coordinate_is_free(e, 3, k) &&
        !hol_joint_holds_point(e))
        return begin_coordinate(c, t, e, k);
    for (int i = 0; i < m->n_counters && !e; i++)
        if (strcmp(m->counter[i].text, full) == 0)
            return begin(c, m->counter[i].leaf->turns - 1, t->value, t);
    return refuse(c, t);
}

hol_status hol_compile_turns(hol_compiler *c)
{
    hol_status st = HOL_OK;
    if (c->spec->n_turns && c->m->dimension == 2)
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, c->spec->turns[0].at,
                           "%s: in the plane bodies are drawn with their full turns, and `pose` gives them: "
                           "write the angles there",
                           c->spec->turns[0].path);
    for (int i = c->spec->n_turns - 1; i >= 0 && !st; i--) // what outer files say comes last and holds
        st = begin_angle(c, &c->spec->turns[i]);
    return st;
}

// ---- what drivers say -------------------------------------------------------------------------------------------

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

// ---- what is said of it ---------------------------------------------------------------------------------------

// That the driver chooses so many turns, and what to do if they are not meant.
static hol_status tell(hol_compiler *c, const hol_element *joint, const hol_element *driver, double drawn,
                       double wanted, double turns)
{
    hol_spec *spec = c->spec;
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

// One driver of the angle of one joint. exact: it is one that the assembly holds, by what the file says of the joint.
static hol_status look(hol_compiler *c, const hol_element *joint, const hol_element *driver, bool exact)
{
    hol_leaf place;
    hol_joint_leaf(joint, c->m->dimension, hol_joint_driven_turn(joint, c->m->dimension), &place);
    const double drawn = hol_drawn_leaf(c->m, &place), mirrored = hol_mirror_axial(joint->mirror, 2),
                 wanted = mirrored * hol_driven_angle(driver, 0), turns = round((wanted - drawn) / TURN);
    if (!isfinite(turns) || turns == 0 || is_said(c->m, &place)) return HOL_OK;
    const hol_status st = exact ? HOL_OK : tell(c, joint, driver, drawn, wanted, turns);
    if (st || c->m->dimension == 3 || driver->idle) return st;
    return hol_turn_start(c->spec->arena, c->m, joint, mirrored * turns);
}

hol_status hol_look_driven_turns(hol_compiler *c)
{
    const hol_model_data *m = c->m;
    hol_status st = HOL_OK;
    for (int i = 0; i < m->n_elements + m->n_holds; i++) {
        const hol_element *driver = &m->element[i];
        if (driver->type != &hol_driver_angle) continue;
        for (int k = 0; k < i && k < m->n_elements && !st; k++) {
            const hol_element *joint = &m->element[k];
            if (joint->type->role == HOL_ROLE_JOINT && hol_joint_driven_turn(joint, m->dimension) &&
                hol_joint_is_driven(joint, driver))
                st = look(c, joint, driver, i >= m->n_elements);
        }
    }
    return st;
}
