// Equalities of MJCF: joints that follow others, lengths of tendons that follow others, loops closed by connect and weld.
#include "io/import_mjcf.h"

#include <math.h>
#include <string.h>

// ---- joints and tendons ---------------------------------------------------------------------------------------

// The sum that a joint is.
static hol_status of_joint(hol_mjcf *m, int joint, hol_robot_sum *sum)
{
    sum->joint = hol_arena_alloc(m->in->arena, 1, sizeof *sum->joint);
    sum->coefficient = hol_arena_alloc(m->in->arena, 1, sizeof *sum->coefficient);
    if (!sum->joint || !sum->coefficient) return HOL_ERR_MEMORY;
    sum->joint[0] = joint;
    sum->coefficient[0] = 1;
    sum->n = 1;
    return HOL_OK;
}

static hol_status add_equation(hol_mjcf *m, hol_xml *e, const char *of, hol_robot_equation *q)
{
    hol_robot *r = m->r;
    q->at = e->at;
    q->name = hol_xml_get(e, "name");
    if (!q->name || !*q->name) q->name = hol_arena_print(m->in->arena, "%s_equality", of);
    if (!q->name || !HOL_ARENA_GROW(m->in->arena, r->equation, r->n_equations)) return HOL_ERR_MEMORY;
    r->equation[r->n_equations++] = *q;
    return HOL_OK;
}

// A keyframe may place or move a joint otherwise than what it follows does.
static hol_status judge_follower(hol_mjcf *m, const hol_xml *e, const hol_robot_joint *j)
{
    const double slack = 1e-6; // files round
    const hol_robot_joint *l = &m->r->joint[j->leader];
    if ((!j->begins || fabs(j->start - j->multiplier * l->start - j->offset) < slack) &&
        (!j->moves || fabs(j->speed[0] - j->multiplier * l->speed[0]) < slack))
        return HOL_OK;
    return hol_import_tell(m->in, HOL_TOLD_ASSUMED, e->at, j->name,
                           "joints of equalities that do not hold in the keyframe",
                           "they begin as the joints do that they follow");
}

// Does a joint follow another one, maybe by way of others, or is it that one?
static bool follows(const hol_robot *r, int joint, int other)
{
    while (joint >= 0 && joint != other) joint = r->joint[joint].leader;
    return joint >= 0;
}

// A joint that is a line over another one, which does not follow it, follows that; other polynomials, and a second one of a joint, are equations.
static hol_status read_coupling(hol_mjcf *m, hol_xml *e)
{
    hol_robot_equation q = {.a = {0, 1, 0, 0, 0}};
    int first = 0, second = -1, n;
    hol_status st = hol_mjcf_find(m, e, "joint1", m->joints, "joint", &first);
    if (!st && hol_xml_get(e, "joint2")) st = hol_mjcf_find(m, e, "joint2", m->joints, "joint", &second);
    if (!st) st = hol_mjcf_some(m, e, "polycoef", -1, 5, q.a, &n);
    if (st) return st;
    hol_robot_joint *j = &m->r->joint[first];
    const hol_robot_joint *l = second >= 0 ? &m->r->joint[second] : j;
    if (!hol_robot_has_coordinate(j) || !hol_robot_has_coordinate(l))
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at,
                           "<joint>: hinges and slides have a coordinate that can be equal to another one");
    if (second >= 0 && q.a[2] == 0 && q.a[3] == 0 && q.a[4] == 0 && j->leader < 0 &&
        !follows(m->r, second, first)) {
        j->leader = second;
        j->multiplier = q.a[1];
        j->offset = q.a[0];
        return judge_follower(m, e, j);
    }
    st = of_joint(m, first, &q.left);
    if (!st && second >= 0) st = of_joint(m, second, &q.right);
    return st ? st : add_equation(m, e, j->name, &q);
}

static hol_status leave_spatial(hol_mjcf *m, hol_xml *e, const char *name)
{
    for (int i = 0; i < e->n; i++) e->asked[i] = true;
    return hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, name, "equalities of spatial tendons",
                           "they are left out");
}

// Lengths of tendons, less those at the reference.
static hol_status read_lengths(hol_mjcf *m, hol_xml *e)
{
    static const char *const keys[] = {"tendon1", "tendon2"};
    hol_robot_equation q = {.a = {0, 1, 0, 0, 0}};
    hol_robot_sum *sums[] = {&q.left, &q.right};
    int n, k = 0;
    hol_status st = HOL_OK;
    for (int i = 0; i < 2 && !st; i++) {
        const char *name = hol_xml_get(e, keys[i]);
        if (i && !name) break;
        if (name && hol_names_find(m->spatial, name) >= 0) return leave_spatial(m, e, name);
        st = hol_mjcf_find(m, e, keys[i], m->tendons, "tendon", &k);
        if (st) return st;
        const hol_robot_tendon *t = &m->r->tendon[k];
        if (t->n_segments) return leave_spatial(m, e, name);
        *sums[i] = (hol_robot_sum){t->n, t->joint, t->coefficient};
    }
    if (!st) st = hol_mjcf_some(m, e, "polycoef", -1, 5, q.a, &n);
    return st ? st : add_equation(m, e, hol_xml_get(e, "tendon1"), &q);
}

// ---- loops ----------------------------------------------------------------------------------------------------

// The pose of the second body of a weld in the first one's frame, if it is given. *n: how many numbers there are of it.
static hol_status read_relpose(hol_mjcf *m, hol_xml *e, hol_import_frame *f, bool *given)
{
    double pose[7] = {0};
    int n;
    hol_status st = hol_mjcf_some(m, e, "relpose", -1, 7, pose, &n);
    *given = !st && (pose[3] != 0 || pose[4] != 0 || pose[5] != 0 || pose[6] != 0);
    if (!*given) return st;
    memcpy(f->p, pose, sizeof f->p);
    return hol_mjcf_turn(m, e, pose + 3, f->R);
}

// The frame of the second body that a weld holds, and the first one's, where that is given.
static hol_status read_weld(hol_mjcf *m, hol_xml *e, hol_robot_loop *loop, bool *given)
{
    double scale = 1, anchor[3] = {0, 0, 0};
    hol_status st = hol_mjcf_numbers(m, e, "torquescale", -1, 1, &scale);
    if (!st) st = hol_import_vector(m->in, e, "anchor", 3, false, anchor);
    if (!st) st = read_relpose(m, e, &loop->frame[0], given);
    if (scale == 0) loop->kind = HOL_ROBOT_SPHERICAL;
    memcpy(loop->frame[1].p, anchor, sizeof anchor);
    return st;
}

// connect and weld: the frames of both bodies coincide where all joints are at the reference, but for a weld with relpose.
static hol_status read_loop(hol_mjcf *m, hol_xml *e, bool weld)
{
    hol_robot *r = m->r;
    hol_robot_loop loop = {.at = e->at,
                           .kind = weld ? HOL_ROBOT_FIXED : HOL_ROBOT_SPHERICAL,
                           .frame = {hol_frame_none, hol_frame_none}};
    bool given = false;
    loop.name = hol_xml_get(e, "name");
    if (!loop.name || !*loop.name) loop.name = weld ? "weld" : "connect";
    hol_status st = hol_mjcf_find(m, e, "body1", m->bodies, "body", &loop.link[0]);
    if (!st && hol_xml_get(e, "body2")) st = hol_mjcf_find(m, e, "body2", m->bodies, "body", &loop.link[1]);
    if (!st)
        st = weld ? read_weld(m, e, &loop, &given)
                  : hol_import_vector(m->in, e, "anchor", 3, true, loop.frame[0].p);
    if (st) return st;
    const int known = weld, other = !known;
    const hol_import_frame there = hol_frame_times(&r->link[loop.link[known]].zero, &loop.frame[known]),
                           out = hol_frame_inverse(&r->link[loop.link[other]].zero);
    if (!given) loop.frame[other] = hol_frame_times(&out, &there);
    if (!HOL_ARENA_GROW(m->in->arena, r->loop, r->n_loops)) return HOL_ERR_MEMORY;
    r->loop[r->n_loops++] = loop;
    return HOL_OK;
}

// ---- all ------------------------------------------------------------------------------------------------------

// One that is active, by its kind.
static hol_status read_equality(hol_mjcf *m, hol_xml *e)
{
    bool active = true;
    hol_status st = hol_mjcf_flag(m, e, "active", -1, &active);
    if (st) return st;
    if (!active || m->off.equality) {
        for (int i = 0; i < e->n; i++) e->asked[i] = true;
        return hol_import_tell(m->in, HOL_TOLD_LEFT_OUT, e->at, NULL,
                               active ? "equalities, which a flag of <option> switches off"
                                      : "equalities that are not active",
                               "");
    }
    st = hol_import_tell(m->in, HOL_TOLD_ASSUMED, e->at, NULL,
                         "equalities, which are soft in MuJoCo (solref, solimp)", "they are rigid");
    if (st) return st;
    if (strcmp(e->name, "joint") == 0) return read_coupling(m, e);
    return strcmp(e->name, "tendon") == 0 ? read_lengths(m, e)
                                          : read_loop(m, e, strcmp(e->name, "weld") == 0);
}

hol_status hol_mjcf_read_equalities(hol_mjcf *m, bool loops)
{
    hol_status st = HOL_OK;
    for (hol_xml *q = hol_xml_find(m->root, "equality"); q && !st; q = hol_xml_next(m->root, "equality", q))
        for (hol_xml *e = q->first; e && !st; e = e->next) {
            const bool loop = strcmp(e->name, "weld") == 0 || strcmp(e->name, "connect") == 0;
            if ((!loop && strcmp(e->name, "joint") != 0 && strcmp(e->name, "tendon") != 0) || loop != loops)
                continue;
            e->taken = true;
            st = read_equality(m, e);
        }
    return st;
}
