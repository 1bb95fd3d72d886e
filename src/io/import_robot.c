// Robots of links and joints: the tree, where it is drawn, and the bodies that links make together.
#include "io/import_robot.h"
#include "element/inertia.h"
#include "linalg/dense.h"
#include "model/volume.h"

#include <math.h>
#include <string.h>

static const char *kind_of_root(const hol_import *in)
{
    return in->options.root == HOL_IMPORT_ROOT ? "--root free lets it float" : "";
}

// ---- the tree -------------------------------------------------------------------------------------------------

// Whose child each link is.
static hol_status find_parents(hol_import *in, hol_robot *r)
{
    for (int i = 0; i < r->n_links; i++) r->link[i].joint = -1;
    for (int j = 0; j < r->n_joints; j++) {
        const hol_robot_joint *joint = &r->joint[j];
        hol_robot_link *child = &r->link[joint->child];
        if (joint->parent == joint->child)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, joint->at,
                               "joint \"%s\": its parent is its child, \"%s\"", joint->name, child->name);
        if (child->joint >= 0)
            return hol_fail_at(
                in->ctx, HOL_ERR_MODEL, joint->at,
                "joint \"%s\": its child \"%s\" is that of joint \"%s\" in line %d, too; a second joint "
                "of a link closes a loop, and is written as <loop_joint>",
                joint->name, child->name, r->joint[child->joint].name, r->joint[child->joint].at.line);
        child->joint = j;
    }
    return HOL_OK;
}

// The one link that is the child of no joint.
static hol_status find_root(hol_import *in, const hol_robot *r, int *root)
{
    *root = -1;
    for (int i = 0; i < r->n_links; i++) {
        if (r->link[i].joint >= 0) continue;
        if (*root >= 0)
            return hol_fail_at(
                in->ctx, HOL_ERR_MODEL, r->link[i].at,
                "link \"%s\" is the child of no joint, and neither is \"%s\" in line %d; there is one "
                "root: join them",
                r->link[i].name, r->link[*root].name, r->link[*root].at.line);
        *root = i;
    }
    if (*root >= 0) return HOL_OK;
    return hol_fail_at(
        in->ctx, HOL_ERR_MODEL, r->link[0].at,
        "each link is the child of another one, \"%s\" too: one must be the root, and loops are closed "
        "by <loop_joint>",
        r->link[0].name);
}

// Links from the root outwards; those that it does not reach hang in a ring.
static hol_status put_in_order(hol_import *in, hol_robot *r, int root)
{
    int *first = hol_arena_alloc(in->arena, (size_t)r->n_links + 2, sizeof *first);
    int *child = hol_arena_alloc(in->arena, (size_t)r->n_joints + 1, sizeof *child);
    bool *reached = hol_arena_alloc(in->arena, (size_t)r->n_links, sizeof *reached);
    int n = 0;
    r->order = hol_arena_alloc(in->arena, (size_t)r->n_links, sizeof *r->order);
    if (!first || !child || !reached || !r->order) return HOL_ERR_MEMORY;
    for (int j = 0; j < r->n_joints; j++) first[r->joint[j].parent + 2]++;
    for (int i = 0; i < r->n_links; i++) first[i + 1] += first[i];
    for (int j = 0; j < r->n_joints; j++) child[first[r->joint[j].parent + 1]++] = r->joint[j].child;
    r->order[n++] = root;
    reached[root] = true;
    for (int k = 0; k < n; k++)
        for (int c = first[r->order[k]]; c < first[r->order[k] + 1]; c++) {
            reached[child[c]] = true;
            r->order[n++] = child[c];
        }
    for (int i = 0; i < r->n_links; i++)
        if (!reached[i])
            return hol_fail_at(
                in->ctx, HOL_ERR_MODEL, r->link[i].at,
                "link \"%s\" hangs in a ring of joints, not on the root \"%s\"; one joint of a ring is "
                "written as <loop_joint>",
                r->link[i].name, r->link[root].name);
    return HOL_OK;
}

// ---- where it is drawn ----------------------------------------------------------------------------------------

// Of a joint that follows another one, behind which all are known.
static void set_base(const hol_robot *r, hol_robot_joint *j, int own)
{
    const hol_robot_joint *l = j->leader >= 0 ? &r->joint[j->leader] : NULL;
    j->base = l ? l->base : own;
    j->factor = l ? j->multiplier * l->factor : 1;
    j->constant = l ? j->multiplier * l->constant + j->offset : 0;
}

// The joint that each follows in the end, perhaps by way of others.
static hol_status find_bases(hol_import *in, hol_robot *r)
{
    enum { NEW, OPEN, DONE };
    char *state = hol_arena_alloc(in->arena, (size_t)r->n_joints + 1, 1);
    int *chain = hol_arena_alloc(in->arena, (size_t)r->n_joints + 1, sizeof *chain);
    if (!state || !chain) return HOL_ERR_MEMORY;
    for (int k = 0; k < r->n_joints; k++) {
        int n = 0, j = k;
        for (; j >= 0 && state[j] == NEW; j = r->joint[j].leader) {
            state[j] = OPEN;
            chain[n++] = j;
        }
        if (j >= 0 && state[j] == OPEN)
            return hol_fail_at(
                in->ctx, HOL_ERR_MODEL, r->joint[j].at,
                "joint \"%s\": mimic: it follows itself, by way of \"%s\"; one of them must be free",
                r->joint[j].name, r->joint[r->joint[j].leader].name);
        for (; n > 0; n--) {
            set_base(r, &r->joint[chain[n - 1]], chain[n - 1]);
            state[chain[n - 1]] = DONE;
        }
    }
    return HOL_OK;
}

int hol_robot_rates(const hol_robot_joint *j)
{
    static const int rates[] = {[HOL_ROBOT_FIXED] = 0,  [HOL_ROBOT_REVOLUTE] = 1, [HOL_ROBOT_PRISMATIC] = 1,
                                [HOL_ROBOT_PLANAR] = 3, [HOL_ROBOT_FLOATING] = 6, [HOL_ROBOT_SPHERICAL] = 3};
    return rates[j->kind];
}

bool hol_robot_has_coordinate(const hol_robot_joint *j) { return hol_robot_rates(j) == 1; }

double hol_robot_coordinate(const hol_robot *r, const hol_robot_joint *j)
{
    return j->factor * r->joint[j->base].start + j->constant;
}

// Free joints begin at zero, or in the middle of a range that leaves zero out.
static hol_status choose_starts(hol_import *in, hol_robot *r)
{
    const hol_status st = find_bases(in, r);
    for (int k = 0; k < r->n_joints && !st; k++) {
        hol_robot_joint *j = &r->joint[k];
        if (j->leader < 0 && !j->begins && j->limited && (j->lower > 0 || j->upper < 0))
            j->start = j->lower / 2 + j->upper / 2;
    }
    for (int k = 0; k < r->n_joints && !st; k++)
        if (r->joint[k].leader >= 0) r->joint[k].start = hol_robot_coordinate(r, &r->joint[k]);
    return st;
}

// Angles are counted within half a turn of how they are drawn; limits, springs and servos follow.
static hol_status count_turns(hol_import *in, hol_robot_joint *j)
{
    const double turns = j->kind == HOL_ROBOT_REVOLUTE ? 2 * HOL_PI * round(j->start / (2 * HOL_PI)) : 0;
    j->start -= turns;
    j->from += turns;
    j->rest -= turns;
    j->turned += turns;
    if (turns == 0) return HOL_OK;
    if (j->limited) j->lower -= turns, j->upper -= turns;
    return hol_import_tell(in, HOL_TOLD_ASSUMED, j->at, j->name, "joints that are drawn beyond half a turn",
                           "their angles are whole turns, 2 pi, away from those of the file");
}

// A joint that follows another one is drawn where it must be.
static hol_status settle_follower(hol_import *in, const hol_robot *r, hol_robot_joint *j)
{
    const double slack = 1e-12;
    j->start = hol_robot_coordinate(r, j);
    if (!j->limited || (j->start >= j->lower - slack && j->start <= j->upper + slack))
        return count_turns(in, j);
    j->limited = false;
    return hol_import_tell(in, HOL_TOLD_MISSED, j->at, j->name,
                           "limits of joints that follow others and are drawn beyond them",
                           "they are left out");
}

// What is told of the place of a free joint.
static hol_status settle_free(hol_import *in, hol_robot_joint *j)
{
    const bool beyond = !j->begins && j->limited && (j->lower > 0 || j->upper < 0);
    const hol_status st = count_turns(in, j);
    if (st) return st;
    if (j->moved)
        return hol_import_tell(in, HOL_TOLD_ASSUMED, j->at, j->name,
                               "joints of loops that are open where all are at zero",
                               "they are drawn where the loops close, within their limits");
    return beyond
               ? hol_import_tell(in, HOL_TOLD_ASSUMED, j->at, j->name, "joints whose limits leave zero out",
                                 "they are drawn in the middle of their range")
               : HOL_OK;
}

// Followers first: whole turns of what they follow count for them.
static hol_status settle_starts(hol_import *in, hol_robot *r)
{
    hol_status st = hol_robot_close_loops(in, r);
    for (int k = 0; k < r->n_joints && !st; k++)
        if (r->joint[k].leader >= 0) st = settle_follower(in, r, &r->joint[k]);
    for (int k = 0; k < r->n_joints && !st; k++)
        if (r->joint[k].leader < 0) st = settle_free(in, &r->joint[k]);
    return st;
}

hol_status hol_robot_arrange(hol_import *in, hol_robot *r)
{
    int root = 0;
    hol_status st = find_parents(in, r);
    if (!st) st = find_root(in, r, &root);
    if (!st) st = put_in_order(in, r, root);
    if (!st) st = choose_starts(in, r);
    if (st) return st;
    r->link[root].zero = hol_frame_none;
    for (int k = 1; k < r->n_links; k++) {
        hol_robot_link *l = &r->link[r->order[k]];
        l->zero = hol_frame_times(&r->link[r->joint[l->joint].parent].zero, &r->joint[l->joint].frame);
    }
    return HOL_OK;
}

// ---- inertias -------------------------------------------------------------------------------------------------

static bool is_massive(const hol_robot_link *l)
{
    bool any = l->mass > 0;
    for (int i = 0; i < 9; i++) any = any || l->J[i] != 0;
    return any;
}

// The tensor with the same axes whose negative moments have the other sign, or, if no body can have these beside the others, the nearest
// that one can: none is more than the sum of both others.
static hol_status repair(hol_import *in, double J[9])
{
    double axes[9], e[3];
    bool negative[3];
    int large = 0;
    memcpy(axes, J, sizeof axes);
    const hol_status st = hol_dense_eigen_symmetric(in->ctx, 3, axes, true, e);
    if (st) return st;
    for (int i = 0; i < 3; i++) {
        negative[i] = e[i] < 0;
        e[i] = fabs(e[i]);
        if (e[i] > e[large]) large = i;
    }
    const int i = (large + 1) % 3, k = (large + 2) % 3;
    const double sum = e[i] + e[k], most = e[large];
    if (most > sum && negative[large])
        e[large] = sum;
    else if (most > sum && negative[i] && negative[k])
        e[i] *= most / sum, e[k] *= most / sum;
    else if (most > sum)
        e[negative[i] ? i : k] += most - sum;
    hol_matrix_of_axes(axes, e, J);
    return HOL_OK;
}

// What is no inertia of a body is repaired, and told: without `lenient` that is an error.
static hol_status check_inertia(hol_import *in, hol_robot_link *l)
{
    hol_inertia_fault fault;
    double moment[3];
    hol_status st = hol_inertia_judge(in->ctx, l->J, moment, &fault);
    if (st) return st;
    if (fault == HOL_INERTIA_NEGATIVE) {
        st = hol_import_tell(
            in, HOL_TOLD_REPAIRED, l->at, l->name, "inertia tensors that are not positive",
            "a negative moment takes the other sign, or is what a body with the other moments can have");
        return st ? st : repair(in, l->J);
    }
    if (l->mass > 0 && moment[0] == 0 && moment[2] == 0)
        return hol_import_tell(in, HOL_TOLD_REPAIRED, l->at, l->name, "links with a mass and no inertia",
                               "they are taken for point masses");
    return HOL_OK;
}

// ---- bodies ---------------------------------------------------------------------------------------------------

hol_import_frame hol_robot_motion(const hol_robot_joint *j)
{
    hol_import_frame f = hol_frame_none;
    if (j->begins && (j->kind == HOL_ROBOT_SPHERICAL || j->kind == HOL_ROBOT_FLOATING)) return j->drawn;
    if (j->start == 0) return f;
    if (j->kind == HOL_ROBOT_REVOLUTE) hol_frame_about(j->axis, j->start, f.R);
    for (int i = 0; i < 3 && j->kind == HOL_ROBOT_PRISMATIC; i++) f.p[i] = j->start * j->axis[i];
    return f;
}

// Which links have something on them, or beyond, that determines how they move: mass, a loop, a joint that follows or is followed.
static bool *find_determined(hol_import *in, const hol_robot *r)
{
    bool *is = hol_arena_alloc(in->arena, (size_t)r->n_links, sizeof *is);
    if (!is) return NULL;
    for (int i = 0; i < r->n_links; i++) is[i] = is_massive(&r->link[i]);
    for (int i = 0; i < r->n_loops; i++) is[r->loop[i].link[0]] = is[r->loop[i].link[1]] = true;
    for (int j = 0; j < r->n_joints; j++)
        if (r->joint[j].leader >= 0) is[r->joint[j].child] = is[r->joint[r->joint[j].leader].child] = true;
    for (int i = 0; i < r->n_equations; i++)
        for (int side = 0; side < 2; side++) {
            const hol_robot_sum *s = side ? &r->equation[i].right : &r->equation[i].left;
            for (int k = 0; k < s->n; k++) is[r->joint[s->joint[k]].child] = true;
        }
    for (int k = r->n_links - 1; k > 0; k--) {
        const int i = r->order[k], parent = r->joint[r->link[i].joint].parent;
        is[parent] = is[parent] || is[i];
    }
    return is;
}

// Ends of chains that have no mass do not move in their joints.
static hol_status hold_ends(hol_import *in, hol_robot *r)
{
    const bool *determined = find_determined(in, r);
    hol_status st = determined ? HOL_OK : HOL_ERR_MEMORY;
    for (int k = 1; k < r->n_links && !st; k++) {
        hol_robot_joint *j = &r->joint[r->link[r->order[k]].joint];
        if (j->kind == HOL_ROBOT_FIXED || determined[j->child]) continue;
        st = hol_import_tell(in, HOL_TOLD_REPAIRED, j->at, j->name,
                             "joints that carry links without mass alone, whose motion nothing determines",
                             "these are held where they are drawn");
        const hol_import_frame moved = hol_robot_motion(j);
        j->frame = hol_frame_times(&j->frame, &moved);
        j->kind = HOL_ROBOT_FIXED;
    }
    return st;
}

// A link's mass, com and tensor in the frame of its body.
static hol_robot_link in_body(const hol_robot_link *l)
{
    hol_robot_link out = *l;
    const hol_import_frame com = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {l->com[0], l->com[1], l->com[2]}};
    const hol_import_frame there = hol_frame_times(&l->place, &com);
    memcpy(out.com, there.p, sizeof out.com);
    hol_matrix_turn(l->place.R, l->J, out.J);
    return out;
}

// The sums of all links of a body, in its frame. One alone stays as it is, to the bit.
static void add_masses(hol_robot *r)
{
    for (int k = 0; k < r->n_links; k++) {
        const hol_robot_link l = in_body(&r->link[r->order[k]]);
        hol_robot_body *b = &r->link[l.body].whole;
        if (!is_massive(&l)) continue;
        if (!b->n++) {
            b->mass = l.mass;
            memcpy(b->com, l.com, sizeof b->com);
            memcpy(b->J, l.J, sizeof b->J);
            continue;
        }
        const double mass = b->mass + l.mass;
        double d[3], old[3];
        for (int i = 0; i < 3; i++) {
            const double com = mass > 0 ? (b->mass * b->com[i] + l.mass * l.com[i]) / mass : b->com[i];
            old[i] = b->com[i] - com;
            d[i] = l.com[i] - com;
            b->com[i] = com;
        }
        for (int i = 0; i < 9; i++) b->J[i] += l.J[i];
        hol_volume_shift(b->mass, old, b->J);
        hol_volume_shift(l.mass, d, b->J);
        b->mass = mass;
    }
}

// Whether the root is ground, held to it, or floats.
static hol_status settle_root(hol_import *in, hol_robot *r)
{
    hol_robot_link *root = &r->link[r->order[0]];
    if (in->options.root == HOL_IMPORT_FREE)
        return root->whole.n
                   ? HOL_OK
                   : hol_fail_at(in->ctx, HOL_ERR_MODEL, root->at,
                                 "link \"%s\" is the root and has no mass, so that it cannot float; import "
                                 "it with --root fixed",
                                 root->name);
    root->ground = r->world || !root->whole.n;
    if (r->world) return HOL_OK;
    return hol_import_tell(in, HOL_TOLD_ASSUMED, root->at, root->name,
                           root->ground ? "the root, which has no mass, is ground"
                                        : "the root is fixed to ground",
                           root->ground ? "" : kind_of_root(in));
}

hol_status hol_robot_make_bodies(hol_import *in, hol_robot *r)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < r->n_links && !st; i++) st = check_inertia(in, &r->link[i]);
    if (!st) st = settle_starts(in, r);
    if (!st) st = hold_ends(in, r);
    for (int k = 0; k < r->n_links && !st; k++) {
        hol_robot_link *l = &r->link[r->order[k]];
        const hol_robot_joint *j = l->joint >= 0 ? &r->joint[l->joint] : NULL;
        const bool held = j && j->kind == HOL_ROBOT_FIXED;
        l->body = held ? r->link[j->parent].body : r->order[k];
        l->place = held ? hol_frame_times(&r->link[j->parent].place, &j->frame) : hol_frame_none;
    }
    if (!st) add_masses(r);
    return st ? st : settle_root(in, r);
}
