// Joint coordinates of a tree, (17.1) to (17.4): what the rows of each joint leave free, bodies from coordinates
// (fathers before children), coordinates from bodies, and joint accelerations as differences of the bodies'.
// docs/theory.md, section 17.
#include "recursion/coordinates.h"
#include "recursion/data.h"
#include "recursion/frames.h"

#define HALF_ROOT 0.70710678118654752 // cos 45 deg

extern const hol_element_type hol_joint_screw, hol_driver_angle, hol_driver_stroke;

typedef enum turning { TURN_NONE, TURN_AXIS, TURN_CROSS, TURN_FREE } turning;
static const int n_angles[] = {0, 1, 2, 4}, n_turns[] = {0, 1, 2, 3}; // positions, rates

enum { MOST_Q = 3 + 4, MOST_U = 3 + 3, MOST_DRIVEN = 3 + 1 };

// Strokes, then rotation.
typedef struct {
    double q[MOST_Q], u[MOST_U];
} motion;

typedef struct {
    int q, u;                   // first coordinate and rate
    unsigned char slides, turn; // strokes; turning
    bool threaded;              // the only stroke is advance + pitch angle
    bool plain;                 // all of its motion are coordinates: none is driven, and it is no screw
    double along[3][3];         // directions of the strokes, in the father's axes
    double own[3], father[3];   // the joint's points, from the centres of mass, body axes
    double first[3], axis[3]; // of the rotation about one axis, the father's axes; the second one's, own axes
    double part[2][2][4];     // T: product of cos(angle/2) part[][0] + sin(angle/2) part[][1]
    double sign;              // -1: the body's Euler parameters stand on the other side of T
    double pitch, advance;    // [m/rad], [m]
    double offset;            // in the plane: angle of the body against the father
    const hol_prim *set[MOST_DRIVEN]; // driver of a stroke or of the one angle; NULL: none
    double way[MOST_DRIVEN];          // -1: its ends stand in the other order
} joint;

typedef struct {
    double R[9], p[4], nu[6];
    double arm[3], reach[3]; // to the joint's point: from the body, from the father, with the strokes
    double slip[3];          // velocity along the strokes
    motion now;
} pose;

struct hol_coordinates {
    hol_coordinates_size size;
    hol_recursion *r;
    joint *joint; //                                                                              (bodies)
    pose *pose;   // that was put last                                                            (bodies)
    int *like, *of;
};

static const pose ground = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {1, 0, 0, 0}};

static const pose *father_of(const hol_coordinates *c, int j)
{
    const int k = c->r->link[j].father;
    return k < 0 ? &ground : &c->pose[k];
}

// R^T v
static void turn_back(const double *R, const double *v, double *out)
{
    const double x = v[0], y = v[1], z = v[2];
    for (int i = 0; i < 3; i++) out[i] = R[i] * x + R[3 + i] * y + R[6 + i] * z;
}

// ---- what a joint leaves free -----------------------------------------------------------------------------------

typedef struct {
    bool along[3], turn[3], cross; // held
} holds;

static bool moves(const hol_prim *p)
{
    return p->set || p->m1->frame == HOL_FRAME_MOVING || p->m2->frame == HOL_FRAME_MOVING;
}

// Which displacements and rotations a joint's primitives hold; false: there is a primitive that has no such
// reading.
static bool read_primitives(const hol_prims *list, holds *h)
{
    for (int i = 0; i < list->n; i++) {
        const hol_prim *p = &list->p[i];
        switch (p->kind) {
        case HOL_PRIM_POINT: h->along[0] = h->along[1] = h->along[2] = true; break;
        case HOL_PRIM_ALONG: h->along[p->axis1] = true; break;
        case HOL_PRIM_TURN: h->turn[p->axis1] = true; break;
        case HOL_PRIM_ANGLE: h->turn[2] = true; break;
        case HOL_PRIM_DOT: h->cross = p->axis1 == 2 && p->axis2 == 2; break;
        default: return false;
        }
    }
    return true;
}

// NULL, or why it has no coordinates.
static const char *read_joint(const hol_element *e, int dimension, int child, hol_frame frame, joint *o)
{
    static const char *const none = "its motions have no joint coordinates";
    holds h = {.cross = false};
    if (e->n_ends != 2) return none;
    for (int i = 0; i < e->n_ends; i++)
        if (e->end[i].marker->frame == HOL_FRAME_MOVING)
            return "one of its ends is moved by a function of time";
    o->threaded = e->type == &hol_joint_screw;
    if (o->threaded) {
        h = (holds){.along = {true, true, false}, .turn = {true, true, false}};
    } else {
        if (e->type->phi != hol_prims_phi) return none;
        const hol_prims *list = e->data;
        for (int i = 0; i < list->n; i++)
            if (moves(&list->p[i])) return "it is a function of time";
        if (!read_primitives(list, &h)) return none;
    }
    o->slides = 0;
    for (int i = 0; i < dimension; i++)
        if (!h.along[i]) memcpy(o->along[o->slides++], e->end[1 - child].marker->u[i], sizeof *o->along);
    const bool about_z = h.turn[0] && h.turn[1] && !h.turn[2], any = h.turn[0] || h.turn[1] || h.turn[2];
    if (frame == HOL_FRAME_POINT || h.turn[2])
        o->turn = TURN_NONE;
    else if (about_z || dimension == 2)
        o->turn = TURN_AXIS;
    else if (!any)
        o->turn = h.cross ? TURN_CROSS : TURN_FREE;
    else
        return none;
    // strokes are along axes of the first end
    const bool common =
        o->turn == TURN_NONE || o->slides % dimension == 0 || (o->turn == TURN_AXIS && dimension == 3);
    return child == 1 || common
               ? NULL
               : "its axes belong to the body that hangs on it: name its ends in the other order";
}

// The constants of the rotation, in space: T = A z(a) B, or A z(a) x(90 deg) z(b) B, with A and B of the markers.
static void set_turn(joint *o, const hol_marker *father, const hol_marker *own)
{
    static const double about_z[4] = {0, 0, 0, 1}, quarter[4] = {HALF_ROOT, HALF_ROOT, 0, 0};
    const double *A = hol_marker_quat(father), *q = hol_marker_quat(own);
    const double B[4] = {q[0], -q[1], -q[2], -q[3]};
    double rest[4];
    memcpy(o->first, father->u[2], sizeof o->first);
    memcpy(o->axis, own->u[2], sizeof o->axis);
    if (o->turn != TURN_CROSS) {
        hol_quat_multiply(A, B, o->part[0][0]);
        hol_quat_multiply(about_z, B, rest);
        hol_quat_multiply(A, rest, o->part[0][1]);
        return;
    }
    memcpy(o->part[0][0], A, sizeof o->part[0][0]);
    hol_quat_multiply(A, about_z, o->part[0][1]);
    hol_quat_multiply(quarter, B, o->part[1][0]);
    hol_quat_multiply(about_z, B, rest);
    hol_quat_multiply(quarter, rest, o->part[1][1]);
}

static void set_free(joint *o, int dimension, hol_frame frame)
{
    o->slides = (unsigned char)dimension;
    o->turn = frame == HOL_FRAME_POINT ? TURN_NONE : dimension == 2 ? TURN_AXIS : TURN_FREE;
    o->plain = true;
    for (int i = 0; i < dimension; i++) o->along[i][i] = 1;
    o->part[0][0][0] = 1;
}

static bool same_place(const hol_marker *a, const hol_marker *b)
{
    return memcmp(a->s, b->s, sizeof a->s) == 0 && memcmp(a->u, b->u, 9 * sizeof **a->u) == 0;
}

// e drives a motion of the joint `of`. NULL, or why it does not.
static const char *read_driver(const hol_element *e, const hol_element *of, int child, joint *o)
{
    static const char *const other = "it holds two bodies that another joint holds already";
    const bool angle = e->type == &hol_driver_angle, stroke = e->type == &hol_driver_stroke;
    if (!angle && !stroke) return other;
    const int same =
        e->end[0].body == of->end[0].body ? 0 : 1; // of its ends, the one on the joint's first body
    if (!same_place(e->end[same].marker, of->end[0].marker) ||
        !same_place(e->end[1 - same].marker, of->end[1].marker))
        return "it drives a joint, but its ends are not those of the joint";
    const int k = stroke ? 0 : o->slides;
    if ((stroke && (o->slides != 1 || o->threaded)) || (angle && o->turn != TURN_AXIS) || o->set[k])
        return "it drives a motion that is none of the joint's own";
    o->set[k] = &((const hol_prims *)e->data)->p[0];
    o->way[k] = (child == 1) == (same == 0) ? 1 : -1;
    o->plain = false;
    return NULL;
}

// HOL_RECOVERABLE: *obstacle says why.
static hol_status set_joint(hol_coordinates *c, int j, hol_obstacle *obstacle)
{
    const hol_recursion *r = c->r;
    const hol_model_data *m = r->s->m;
    const int body = r->order[j], first = r->forest->first[body], n = r->forest->first[body + 1] - first;
    const hol_frame frame = m->body[body].frame;
    joint *o = &c->joint[j];
    if (n == 0) {
        set_free(o, m->dimension, frame);
        return HOL_OK;
    }
    const hol_element *e = &m->element[r->forest->tie[first]];
    const int child = e->end[0].body == body ? 0 : 1;
    const hol_element *at = e;
    const char *why = read_joint(e, m->dimension, child, frame, o);
    o->plain = !o->threaded;
    for (int i = 1; i < n && !why; i++) {
        at = &m->element[r->forest->tie[first + i]];
        why = read_driver(at, e, child, o);
    }
    *obstacle = (hol_obstacle){at->name, why, at->at};
    if (why) return HOL_RECOVERABLE;
    memcpy(o->own, e->end[child].marker->s, sizeof o->own);
    memcpy(o->father, e->end[1 - child].marker->s, sizeof o->father);
    if (r->d == 6) set_turn(o, e->end[1 - child].marker, e->end[child].marker);
    return HOL_OK;
}

// Of the direction that the recursion has found: the stroke for a turn.
static void find_pitch(const hol_coordinates *c, int j)
{
    const hol_recursion *r = c->r;
    joint *o = &c->joint[j];
    const double *F = r->pool + r->link[j].pool, *R = r->frame6[j].R;
    double s[3], z[3], v[3];
    hol_turn3(R, o->own, s);
    hol_turn3(R, o->axis, z);
    hol_cross3(F + 3, s, v);
    for (int i = 0; i < 3; i++) v[i] += F[i];
    o->pitch = hol_dot3(v, z) / hol_dot3(F + 3, z);
}

// ---- creation -----------------------------------------------------------------------------------------------------

// Is motion k of the joint a coordinate?
static bool is_own(const joint *o, int k)
{
    return o->plain || k >= MOST_DRIVEN || !(o->set[k] || (o->threaded && k == 0));
}

// Numbers coordinates q and rates u; write: and the natural coordinate that each is like, whose size and
// weight it has.
static void number(hol_coordinates *c, bool write)
{
    hol_coordinates_size *z = &c->size;
    int q = 0, u = 0, *like = c->like, *like_u = write ? like + z->n_q : NULL;
    for (int j = 0; j < c->r->n_bodies; j++) {
        joint *o = &c->joint[j];
        const hol_link *l = &c->r->link[j];
        const int turn = l->q + (c->r->d == 6 ? 3 : 2);
        o->q = q, o->u = u;
        for (int k = 0; k < o->slides + n_turns[o->turn]; k++) {
            if (!is_own(o, k)) continue;
            if (write) {
                like_u[u] = k < o->slides ? l->q : turn;
                c->of[u] = o->turn == TURN_FREE && k >= o->slides ? -1 : q + u - o->u;
            }
            u++;
        }
        const int n_q = u - o->u + (o->turn == TURN_FREE);
        for (int i = 0; i < n_q; i++, q++)
            if (write) like[q] = i < o->slides && is_own(o, 0) ? l->q : turn;
    }
    z->n_q = q, z->n_u = u;
}

// Reads the joints of all bodies, and refuses by name what has no coordinates.
static hol_status make(hol_context *ctx, hol_coordinates *c, const hol_state *x, hol_obstacle *obstacle)
{
    const size_t n = (size_t)c->r->n_bodies + 1;
    c->joint = hol_calloc(ctx, n, sizeof *c->joint);
    c->pose = hol_calloc(ctx, n, sizeof *c->pose);
    if (!c->joint || !c->pose) return HOL_ERR_MEMORY;
    hol_recursion_place(c->r, x);
    for (int j = 0; j < c->r->n_bodies; j++) {
        const hol_status st = set_joint(c, j, obstacle);
        if (st) return st;
        c->pose[j] = ground;
        c->joint[j].sign = 1;
        if (c->joint[j].threaded) find_pitch(c, j);
    }
    number(c, false);
    c->like = hol_calloc(ctx, (size_t)(c->size.n_q + 2 * c->size.n_u + 1), sizeof *c->like);
    if (!c->like) return HOL_ERR_MEMORY;
    c->size.like = c->like;
    c->of = c->like + c->size.n_q + c->size.n_u;
    number(c, true);
    return HOL_OK;
}

hol_status hol_coordinates_create(hol_context *ctx, hol_recursion *r, const hol_state *x,
                                  hol_coordinates **out, hol_obstacle *obstacle)
{
    hol_coordinates *c = *out = hol_calloc(ctx, 1, sizeof *c);
    if (!c) return HOL_ERR_MEMORY;
    c->r = r;
    const hol_status st = make(ctx, c, x, obstacle);
    if (!st) return HOL_OK;
    hol_coordinates_destroy(c);
    *out = NULL;
    return st;
}

// The first joint that closes a loop, if one does.
static bool find_loop(const hol_equations *s, const hol_forest *f, hol_obstacle *o)
{
    for (int k = 0; k < f->n_cut; k++) {
        const hol_element *e = &s->m->element[f->cut[k]];
        for (int i = 0; i < e->n_rows; i++)
            if (s->active[e->row + i] >= 0) {
                *o = (hol_obstacle){e->name, "it closes a loop, or couples joints", e->at};
                return true;
            }
    }
    return false;
}

hol_status hol_coordinates_of_tree(hol_context *ctx, hol_equations *s, const hol_state *x, hol_loops *tree,
                                   hol_coordinates **out, hol_obstacle *obstacle)
{
    hol_status st = hol_loops_possible(ctx, s->m, obstacle);
    if (!st) st = hol_loops_create(ctx, s, x, 0, tree);
    if (!st && find_loop(s, &tree->forest, obstacle)) st = HOL_RECOVERABLE;
    if (st) return st;
    hol_loops_release(tree);
    return hol_coordinates_create(ctx, tree->r, x, out, obstacle);
}

void hol_coordinates_destroy(hol_coordinates *c)
{
    if (!c) return;
    hol_free(c->joint);
    hol_free(c->pose);
    hol_free(c->like);
    hol_free(c);
}

const hol_coordinates_size *hol_coordinates_sizes(const hol_coordinates *c) { return &c->size; }

// ---- from coordinates to bodies ---------------------------------------------------------------------------------

// All motions of a joint, with those that are driven.
static void spread(const joint *o, double t, const double *q, const double *u, motion *now)
{
    const int n = o->slides + n_turns[o->turn];
    if (o->plain) {
        for (int k = 0; k < o->slides + n_angles[o->turn]; k++) now->q[k] = q[k];
        for (int k = 0; k < n; k++) now->u[k] = u[k];
        return;
    }
    for (int k = 0; k < n; k++) {
        if (is_own(o, k)) {
            now->q[k] = *q++, now->u[k] = *u++;
        } else if (o->set[k]) {
            double f[4];
            hol_expr_jet(o->set[k]->set, t, f);
            now->q[k] = o->way[k] * (f[0] + o->set[k]->offset), now->u[k] = o->way[k] * f[1];
        }
    }
    if (o->turn == TURN_FREE) now->q[n] = *q; // strokes driven: the fourth parameter
    if (o->threaded) now->q[0] = o->advance + o->pitch * now->q[1], now->u[0] = o->pitch * now->u[1];
}

// Those that are coordinates.
static void keep(const joint *o, int n, const double *from, double *to)
{
    for (int k = 0; k < n; k++)
        if (is_own(o, k)) *to++ = from[k];
}

static void add_along(const joint *o, const double *x, double *sum)
{
    for (int k = 0; k < o->slides; k++)
        for (int i = 0; i < 3; i++) sum[i] += x[k] * o->along[k][i];
}

static void half_turn(const double part[2][4], double angle, double *out)
{
    const double half = 0.5 * angle, c = cos(half), s = sin(half);
    for (int i = 0; i < 4; i++) out[i] = c * part[0][i] + s * part[1][i];
}

// Euler parameters of T.
static void relative_turn(const joint *o, const double *angle, double *T)
{
    double second[4], size = 0;
    switch (o->turn) {
    case TURN_NONE:
        for (int i = 0; i < 4; i++) T[i] = o->part[0][0][i];
        break;
    case TURN_AXIS: half_turn(o->part[0], angle[0], T); break;
    case TURN_CROSS:
        half_turn(o->part[0], angle[0], T);
        half_turn(o->part[1], angle[1], second);
        hol_quat_multiply(T, second, T);
        break;
    default:
        for (int i = 0; i < 4; i++) size += angle[i] * angle[i];
        size = 1 / sqrt(size);
        for (int i = 0; i < 4; i++) T[i] = size * angle[i];
    }
    for (int i = 0; i < 4; i++) T[i] *= o->sign;
}

// Angular velocity of the body.
HOL_INLINE void spin(const joint *o, const double *turn, const pose *k, const pose *b, double *w)
{
    double t[3];
    for (int i = 0; i < 3; i++) w[i] = k->nu[3 + i];
    if (o->turn == TURN_NONE) return;
    hol_turn3(k->R, o->turn == TURN_FREE ? turn : o->first, t);
    const double rate = o->turn == TURN_FREE ? 1 : turn[0];
    for (int i = 0; i < 3; i++) w[i] += rate * t[i];
    if (o->turn != TURN_CROSS) return;
    hol_turn3(b->R, o->axis, t);
    for (int i = 0; i < 3; i++) w[i] += turn[1] * t[i];
}

// Pose and velocity of body j in space from those of its father and its joint, (17.1) and (17.2).
HOL_INLINE void put6(hol_coordinates *c, int j, hol_state *x)
{
    const joint *o = &c->joint[j];
    const hol_link *l = &c->r->link[j];
    const pose *k = father_of(c, j);
    const double *qk = l->father < 0 ? zero6 : x->q + c->r->link[l->father].q;
    pose *b = &c->pose[j];
    double *at = x->q + l->q, *v = x->v + l->q, *w = b->nu + 3, T[4], s[3], t[3], g[3];
    if (l->frame != HOL_FRAME_POINT) { // a point's pose does not turn
        relative_turn(o, b->now.q + o->slides, T);
        hol_quat_multiply(k->p, T, b->p);
        hol_quat_matrix(b->p, b->R);
        spin(o, b->now.u + o->slides, k, b, w);
        for (int i = 0; i < 4; i++) at[3 + i] = b->p[i];
        euler_rate(b->p, w, v + 3);
    }
    for (int i = 0; i < 3; i++) s[i] = o->father[i];
    if (o->slides) { // else the slip stays 0
        add_along(o, b->now.q, s);
        for (int i = 0; i < 3; i++) t[i] = 0;
        add_along(o, b->now.u, t);
        hol_turn3(k->R, t, b->slip);
    }
    hol_turn3(k->R, s, b->reach);
    hol_turn3(b->R, o->own, b->arm);
    hol_cross3(k->nu + 3, b->reach, t);
    hol_cross3(w, b->arm, g);
    for (int i = 0; i < 3; i++) {
        at[i] = qk[i] + b->reach[i] - b->arm[i];
        v[i] = b->nu[i] = k->nu[i] + t[i] + b->slip[i] - g[i];
    }
}

// The same in the plane.
HOL_INLINE void put3(hol_coordinates *c, int j, hol_state *x)
{
    const joint *o = &c->joint[j];
    const hol_link *l = &c->r->link[j];
    const pose *k = father_of(c, j);
    const double *qk = l->father < 0 ? zero6 : x->q + c->r->link[l->father].q;
    double *at = x->q + l->q, *v = x->v + l->q, s[3] = {o->father[0], o->father[1]}, t[3] = {0};
    pose *b = &c->pose[j];
    double theta = k->p[3], w = k->nu[2]; // p[3]: the angle
    if (l->frame == HOL_FRAME_POINT) {
        theta = w = 0;
    } else {
        theta += o->turn == TURN_AXIS ? b->now.q[o->slides] : o->offset;
        w += o->turn == TURN_AXIS ? b->now.u[o->slides] : 0;
        b->R[0] = cos(theta);
        b->R[1] = sin(theta);
        at[2] = theta, v[2] = w;
    }
    b->p[3] = theta;
    b->nu[2] = w;
    add_along(o, b->now.q, s);
    add_along(o, b->now.u, t);
    b->reach[0] = k->R[0] * s[0] - k->R[1] * s[1], b->reach[1] = k->R[1] * s[0] + k->R[0] * s[1];
    b->slip[0] = k->R[0] * t[0] - k->R[1] * t[1], b->slip[1] = k->R[1] * t[0] + k->R[0] * t[1];
    b->arm[0] = b->R[0] * o->own[0] - b->R[1] * o->own[1];
    b->arm[1] = b->R[1] * o->own[0] + b->R[0] * o->own[1];
    for (int i = 0; i < 2; i++) at[i] = qk[i] + b->reach[i] - b->arm[i];
    v[0] = b->nu[0] = k->nu[0] - k->nu[2] * b->reach[1] + b->slip[0] + w * b->arm[1];
    v[1] = b->nu[1] = k->nu[1] + k->nu[2] * b->reach[0] + b->slip[1] - w * b->arm[0];
}

void hol_coordinates_put(hol_coordinates *c, const double *q, const double *u, hol_state *x)
{
    for (int j = 0; j < c->r->n_bodies; j++) {
        const joint *o = &c->joint[j];
        spread(o, x->t, q + o->q, u + o->u, &c->pose[j].now);
        if (c->r->d == 6)
            put6(c, j, x);
        else
            put3(c, j, x);
    }
}

// ---- from bodies to coordinates ---------------------------------------------------------------------------------

// The angles of T, of all whole turns those with its sign: it is the sign of the body's Euler parameters. A driver sets the
// angle, and the sign remains.
static void take_turn(joint *o, double t, const double *T, double *angle)
{
    const double *A = o->part[0][0], *B = o->part[0][1];
    double cosine = 0, sine = 0, back[4], z[4];
    for (int i = 0; i < 4; i++) cosine += A[i] * T[i], sine += B[i] * T[i];
    switch (o->turn) {
    case TURN_NONE: o->sign = cosine < 0 ? -1 : 1; break;
    case TURN_AXIS:
        angle[0] = 2 * atan2(sine, cosine);
        if (!is_own(o, o->slides)) {
            motion now;
            static const double none[MOST_Q];
            spread(o, t, none, none, &now);
            const double half = 0.5 * now.q[o->slides];
            o->sign = cos(half) * cosine + sin(half) * sine < 0 ? -1 : 1;
            angle[0] = now.q[o->slides];
        }
        break;
    case TURN_CROSS: { // z(a) x(90 deg) z(b) = (cos p, cos m, sin m, sin p)/sqrt 2, p, m = (a +- b)/2
        const double *C = o->part[1][0];
        const double quarter[4] = {HALF_ROOT, HALF_ROOT, 0, 0};
        const double minus_A[4] = {A[0], -A[1], -A[2], -A[3]}, minus_C[4] = {C[0], -C[1], -C[2], -C[3]};
        hol_quat_multiply(minus_A, T, back);
        hol_quat_multiply(back, minus_C, z);
        hol_quat_multiply(z, quarter, z);
        const double sum = atan2(z[3], z[0]), difference = atan2(z[2], z[1]);
        angle[0] = sum + difference, angle[1] = sum - difference;
        break;
    }
    default: memcpy(angle, T, 4 * sizeof *angle);
    }
}

// Joint coordinates and rates of body j in space from the poses of both bodies.
static void take6(hol_coordinates *c, int j, const hol_state *x, motion *now)
{
    const hol_recursion *r = c->r;
    const hol_link *l = &r->link[j];
    joint *o = &c->joint[j];
    const int k = l->father, n = o->slides;
    double *q = now->q, *u = now->u;
    const double *R = r->frame6[j].R, *Rk = k < 0 ? ground.R : r->frame6[k].R;
    const double *nu = r->nu + 6 * j, *nk = k < 0 ? zero6 : r->nu + 6 * k;
    const double *at = x->q + l->q, *qk = k < 0 ? zero6 : x->q + r->link[k].q;
    double arm[3], reach[3], back[3], w[3], t[3], g[3], T[4];
    if (l->frame != HOL_FRAME_POINT) {
        const bool still = k < 0 || r->link[k].frame == HOL_FRAME_POINT;
        const double p[4] = {still ? 1 : qk[3], still ? 0 : -qk[4], still ? 0 : -qk[5], still ? 0 : -qk[6]};
        hol_quat_multiply(p, at + 3, T);
        take_turn(o, x->t, T, q + n);
        for (int i = 0; i < 3; i++) w[i] = nu[3 + i] - nk[3 + i];
        turn_back(Rk, w, t);
        if (o->turn == TURN_FREE)
            memcpy(u + n, t, sizeof t);
        else if (o->turn != TURN_NONE)
            u[n] = hol_dot3(o->first, t);
        turn_back(R, w, t);
        if (o->turn == TURN_CROSS) u[n + 1] = hol_dot3(o->axis, t);
    }
    hol_turn3(R, o->own, arm);
    for (int i = 0; i < 3; i++) reach[i] = at[i] + arm[i] - qk[i];
    hol_cross3(nu + 3, arm, t);
    hol_cross3(nk + 3, reach, g);
    for (int i = 0; i < 3; i++) t[i] += nu[i] - nk[i] - g[i];
    turn_back(Rk, reach, back);
    turn_back(Rk, t, g);
    for (int i = 0; i < 3; i++) back[i] -= o->father[i];
    for (int i = 0; i < n; i++) q[i] = hol_dot3(o->along[i], back), u[i] = hol_dot3(o->along[i], g);
    if (o->threaded) o->advance = q[0] - o->pitch * q[1];
}

// The same in the plane.
static void take3(hol_coordinates *c, int j, const hol_state *x, motion *now)
{
    const hol_recursion *r = c->r;
    const hol_link *l = &r->link[j];
    joint *o = &c->joint[j];
    const int k = l->father;
    double *q = now->q, *u = now->u;
    static const hol_frame3 still = {1, 0, {0, 0}};
    const hol_frame3 *f = &r->frame3[j], *fk = k < 0 ? &still : &r->frame3[k];
    const double *nu = r->nu + 3 * j, *nk = k < 0 ? zero6 : r->nu + 3 * k;
    const double *at = x->q + l->q, *qk = k < 0 ? zero6 : x->q + r->link[k].q;
    const double arm[2] = {f->c * o->own[0] - f->s * o->own[1], f->s * o->own[0] + f->c * o->own[1]};
    const double reach[2] = {at[0] + arm[0] - qk[0], at[1] + arm[1] - qk[1]};
    const double v[2] = {nu[0] - nu[2] * arm[1] - nk[0] + nk[2] * reach[1],
                         nu[1] + nu[2] * arm[0] - nk[1] - nk[2] * reach[0]};
    const double s[2] = {fk->c * reach[0] + fk->s * reach[1] - o->father[0],
                         -fk->s * reach[0] + fk->c * reach[1] - o->father[1]};
    const double rate[2] = {fk->c * v[0] + fk->s * v[1], -fk->s * v[0] + fk->c * v[1]};
    for (int i = 0; i < o->slides; i++) {
        q[i] = o->along[i][0] * s[0] + o->along[i][1] * s[1];
        u[i] = o->along[i][0] * rate[0] + o->along[i][1] * rate[1];
    }
    if (l->frame == HOL_FRAME_POINT) return;
    const double angle = at[2] - (k < 0 || r->link[k].frame == HOL_FRAME_POINT ? 0 : qk[2]);
    if (o->turn == TURN_NONE)
        o->offset = angle;
    else
        q[o->slides] = angle, u[o->slides] = nu[2] - nk[2];
}

void hol_coordinates_take(hol_coordinates *c, const hol_state *x, double *q, double *u)
{
    hol_recursion_place(c->r, x);
    for (int j = 0; j < c->r->n_bodies; j++) {
        const joint *o = &c->joint[j];
        motion now;
        if (c->r->d == 6)
            take6(c, j, x, &now);
        else
            take3(c, j, x, &now);
        keep(o, o->slides + n_angles[o->turn], now.q, q + o->q);
        keep(o, o->slides + n_turns[o->turn], now.u, u + o->u);
    }
}

// ---- rates ------------------------------------------------------------------------------------------------------

void hol_coordinates_rates(const hol_coordinates *c, const double *q, const double *u, double *rate)
{
    for (int i = 0; i < c->size.n_u; i++)
        if (c->of[i] >= 0) rate[c->of[i]] = u[i];
    for (int j = 0; j < c->r->n_bodies; j++) {
        const joint *o = &c->joint[j];
        if (o->turn != TURN_FREE) continue;
        const int n = o->slides - !is_own(o, 0);
        euler_rate(q + o->q + n, u + o->u + n, rate + o->q + n);
    }
}

// (17.3), (17.4): the differences of the accelerations of the two bodies, along what the joint leaves free.
static void accelerations6(const hol_coordinates *c, int j, double *rate)
{
    const joint *o = &c->joint[j];
    const pose *b = &c->pose[j], *k = father_of(c, j);
    const int n = o->slides, father = c->r->link[j].father;
    const double *u = b->now.u;
    const double *a = c->r->u + 6 * j, *ak = father < 0 ? zero6 : c->r->u + 6 * father;
    const double *w = b->nu + 3, *wk = k->nu + 3;
    double turn[3], t[3], g[3], e[3], first[3], axis[3];
    for (int i = 0; i < 3; i++) turn[i] = a[3 + i] - ak[3 + i];
    switch (o->turn) {
    case TURN_AXIS:
        hol_turn3(k->R, o->first, first);
        rate[n] = hol_dot3(first, turn);
        break;
    case TURN_CROSS:
        hol_turn3(k->R, o->first, first);
        hol_turn3(b->R, o->axis, axis);
        hol_cross3(wk, first, t);
        hol_cross3(w, axis, g);
        for (int i = 0; i < 3; i++) turn[i] -= u[n] * t[i] + u[n + 1] * g[i];
        rate[n] = hol_dot3(first, turn);
        rate[n + 1] = hol_dot3(axis, turn);
        break;
    case TURN_FREE:
        hol_cross3(wk, w, t);
        for (int i = 0; i < 3; i++) turn[i] -= t[i];
        turn_back(k->R, turn, rate + n);
        break;
    default: break;
    }
    if (n == 0) return;
    hol_cross3(a + 3, b->arm, t);
    hol_cross3(ak + 3, b->reach, g);
    for (int i = 0; i < 3; i++) e[i] = a[i] + t[i] - ak[i] - g[i];
    centripetal(w, hol_dot3(w, w), b->arm, t);
    centripetal(wk, hol_dot3(wk, wk), b->reach, g);
    for (int i = 0; i < 3; i++) e[i] += t[i] - g[i];
    hol_cross3(wk, b->slip, t);
    for (int i = 0; i < 3; i++) e[i] -= 2 * t[i];
    turn_back(k->R, e, t);
    for (int i = 0; i < n; i++) rate[i] = hol_dot3(o->along[i], t);
}

// Accelerations of a joint in the plane from those of both bodies, (17.3) and (17.4).
static void accelerations3(const hol_coordinates *c, int j, double *rate)
{
    const joint *o = &c->joint[j];
    const pose *b = &c->pose[j], *k = father_of(c, j);
    const int father = c->r->link[j].father;
    const double *a = c->r->u + 3 * j, *ak = father < 0 ? zero6 : c->r->u + 3 * father;
    if (o->turn == TURN_AXIS) rate[o->slides] = a[2] - ak[2];
    if (o->slides == 0) return;
    const double w = b->nu[2], wk = k->nu[2];
    const double x = a[0] - a[2] * b->arm[1] - w * w * b->arm[0] - ak[0] + ak[2] * b->reach[1] +
                     wk * wk * b->reach[0] + 2 * wk * b->slip[1];
    const double y = a[1] + a[2] * b->arm[0] - w * w * b->arm[1] - ak[1] - ak[2] * b->reach[0] +
                     wk * wk * b->reach[1] - 2 * wk * b->slip[0];
    const double t[2] = {k->R[0] * x + k->R[1] * y, k->R[0] * y - k->R[1] * x};
    for (int i = 0; i < o->slides; i++) rate[i] = o->along[i][0] * t[0] + o->along[i][1] * t[1];
}

void hol_coordinates_accelerations(const hol_coordinates *c, double *rate)
{
    for (int j = 0; j < c->r->n_bodies; j++) {
        const joint *o = &c->joint[j];
        double own[MOST_U], *to = o->plain ? rate + o->u : own;
        if (c->r->d == 6)
            accelerations6(c, j, to);
        else
            accelerations3(c, j, to);
        if (!o->plain) keep(o, o->slides + n_turns[o->turn], own, rate + o->u);
    }
}
