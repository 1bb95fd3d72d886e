// Keyframes of MJCF: the one that is asked for is where the model begins.
#include "io/import_mjcf.h"

#include <string.h>

// Numbers of a joint's place: turns in space have a quaternion.
static int places_of(const hol_robot_joint *j) { return hol_robot_rates(j) + (hol_robot_rates(j) > 1); }

// All numbers of a list, n of them, or none; NULL: none.
static hol_status read_list(hol_mjcf *m, hol_xml *e, const char *key, int n, double **out)
{
    const char *text = hol_xml_get(e, key);
    char name[40];
    int found;
    *out = NULL;
    if (!text) return HOL_OK;
    hol_decimal_print(name, sizeof name, "<key>: %s", key);
    *out = hol_arena_alloc(m->in->arena, (size_t)n + 1, sizeof **out);
    if (!*out) return HOL_ERR_MEMORY;
    const hol_status st = hol_import_some(m->in, e->at, name, text, n, *out, &found);
    return st || found == n
               ? st
               : hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "%s has %d number%s; wanted are %d", name,
                             found, found == 1 ? "" : "s", n);
}

// Where a joint is: its coordinate, or a frame against that at the reference.
static hol_status place(hol_mjcf *m, const hol_xml *e, hol_robot_joint *j, const double *q)
{
    hol_import_frame there = hol_frame_none;
    const bool floats = j->kind == HOL_ROBOT_FLOATING;
    if (hol_robot_has_coordinate(j)) {
        j->start = q[0] - j->from;
        j->begins = true;
        return HOL_OK;
    }
    const hol_status st = hol_mjcf_turn(m, e, floats ? q + 3 : q, there.R);
    if (st) return st;
    if (floats) {
        const hol_import_frame back = hol_frame_inverse(&j->frame);
        memcpy(there.p, q, sizeof there.p);
        there = hol_frame_times(&back, &there);
    }
    j->begins = true;
    j->drawn = there;
    return HOL_OK;
}

// How it moves: its rate, or velocities of the origin and of the turn, globally.
static hol_status set_rates(hol_mjcf *m, const hol_xml *e, hol_robot_joint *j, const double *v)
{
    bool any = false;
    j->moves = true;
    if (hol_robot_has_coordinate(j)) {
        j->speed[0] = v[0];
        return HOL_OK;
    }
    for (int i = 0; i < hol_robot_rates(j); i++) any = any || v[i] != 0;
    if (!any) return HOL_OK;
    if (j->kind != HOL_ROBOT_FLOATING)
        return hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, j->name, "velocities of balls in a keyframe",
                               "they are left out");
    const hol_import_frame there = hol_frame_times(&j->frame, &j->drawn);
    memcpy(j->speed, v, 3 * sizeof *v);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) j->speed[3 + i] += there.R[3 * i + k] * v[3 + k];
    return HOL_OK;
}

// All joints, in the order of MuJoCo, which is that of the file.
static hol_status set_joints(hol_mjcf *m, hol_xml *e)
{
    hol_robot *r = m->r;
    double *q, *v;
    int places = 0, rates = 0;
    for (int j = 0; j < r->n_joints; j++)
        places += places_of(&r->joint[j]), rates += hol_robot_rates(&r->joint[j]);
    hol_status st = read_list(m, e, "qpos", places, &q);
    if (!st) st = read_list(m, e, "qvel", rates, &v);
    for (int k = 0; k < r->n_joints && !st; k++) {
        hol_robot_joint *j = &r->joint[k];
        if (j->kind == HOL_ROBOT_FIXED) continue;
        j->drawn = hol_frame_none;
        if (q) st = place(m, e, j, q), q += places_of(j);
        if (v && !st) st = set_rates(m, e, j, v), v += hol_robot_rates(j);
    }
    return st;
}

static int count_actuators(hol_mjcf *m)
{
    int n = 0;
    for (hol_xml *a = hol_xml_find(m->root, "actuator"); a; a = hol_xml_next(m->root, "actuator", a))
        for (hol_xml *e = a->first; e; e = e->next) n++;
    return n;
}

// Controls and activations of motors, those that have some in their order.
static hol_status set_motors(hol_mjcf *m, hol_xml *e)
{
    hol_robot *r = m->r;
    double *u = NULL, *x = NULL;
    int active = 0;
    if (m->off.actuation || (!hol_xml_get(e, "ctrl") && !hol_xml_get(e, "act"))) return HOL_OK;
    if (r->n_motors < count_actuators(m))
        return hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, NULL,
                               "controls and activations of a keyframe beside actuators that are left out",
                               "they are left out");
    for (int i = 0; i < r->n_motors; i++) active += r->motor[i].dynamics != HOL_ROBOT_DIRECT;
    hol_status st = read_list(m, e, "ctrl", r->n_motors, &u);
    if (!st) st = read_list(m, e, "act", active, &x);
    for (int i = 0; i < r->n_motors && !st; i++) {
        hol_robot_motor *a = &r->motor[i];
        if (u) a->begin = *u++;
        if (x && a->dynamics != HOL_ROBOT_DIRECT) a->activation_begin = *x++;
    }
    return st;
}

// Which keyframe an element is: its name, or its number.
static const char *name_of(hol_mjcf *m, hol_xml *e, int number)
{
    const char *name = hol_xml_get(e, "name");
    for (int i = 0; i < e->n; i++) e->asked[i] = true;
    return name && *name ? name : hol_arena_print(m->in->arena, "%d", number);
}

hol_status hol_mjcf_begin(hol_mjcf *m)
{
    const char *wanted = m->in->options.key;
    hol_xml *found = NULL, *k = hol_xml_find(m->root, "keyframe");
    int n = 0;
    for (hol_xml *e = k ? hol_xml_find(k, "key") : NULL; e; e = hol_xml_next(k, "key", e)) {
        const char *name = name_of(m, e, n++);
        if (!name) return HOL_ERR_MEMORY;
        if (wanted && !found && strcmp(name, wanted) == 0) {
            found = e;
            continue;
        }
        const hol_status st =
            hol_import_tell(m->in, HOL_TOLD_LEFT_OUT, e->at, name, "keyframes", "--key NAME begins in one");
        if (st) return st;
    }
    if (!wanted) return HOL_OK;
    if (!found)
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, k ? k->at : m->root->at,
                           "there is no keyframe \"%.60s\"", wanted);
    m->r->begin = found->at;
    const hol_status st = set_joints(m, found);
    return st ? st : set_motors(m, found);
}
