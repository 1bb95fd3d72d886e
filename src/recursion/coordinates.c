// Joint coordinates of a tree, (17.1) to (17.4): what the rows of each joint leave free, bodies from coordinates
// (fathers before children), coordinates from bodies, and joint accelerations as differences of the bodies'.
// docs/theory.md, section 17.
#include "recursion/coordinates.h"
#include "element/joint_motion.h"
#include "recursion/spatial.h"

#include <float.h>

#define HALF_ROOT 0.70710678118654752 // cos 45 deg

extern const hol_element_type hol_driver_angle, hol_driver_stroke;

static const int n_angles[] = {0, 1, 2, 4}, n_turns[] = {0, 1, 2, 3}; // positions, rates by hol_turning

enum { MOST_Q = 3 + 4, MOST_U = 3 + 3, MOST_DRIVEN = 3 + 1 };

// Strokes, then rotation.
typedef struct {
    double q[MOST_Q], u[MOST_U];
} motion;

typedef struct {
    int q, u;                   // first coordinate and rate
    unsigned char slides, turn; // strokes; hol_turning
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
    hol_tree *r;
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

// ---- what a joint leaves free -----------------------------------------------------------------------------------

// NULL, or why it has no coordinates.
static const char *read_joint(const hol_element *e, int dimension, int child, hol_frame frame, joint *o)
{
    const hol_freedoms f = hol_joint_motion(e, dimension);
    if (f.why) return f.why;
    o->threaded = f.threaded;
    o->pitch = f.pitch;
    o->slides = 0;
    for (int i = 0; i < dimension; i++)
        if (f.slides[i]) memcpy(o->along[o->slides++], e->end[1 - child].marker->u[i], sizeof *o->along);
    o->turn = frame == HOL_FRAME_POINT ? HOL_TURNING_NONE : (unsigned char)f.turning;
    if (o->turn == HOL_TURNING_OTHER) return "its motions have no joint coordinates";
    // strokes are along axes of the first end
    const bool common = o->turn == HOL_TURNING_NONE || o->slides % dimension == 0 ||
                        (o->turn == HOL_TURNING_AXIS && dimension == 3);
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
    if (o->turn != HOL_TURNING_CROSS) {
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
    o->turn = frame == HOL_FRAME_POINT ? HOL_TURNING_NONE
              : dimension == 2         ? HOL_TURNING_AXIS
                                       : HOL_TURNING_FREE;
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
    if ((stroke && (o->slides != 1 || o->threaded)) || (angle && o->turn != HOL_TURNING_AXIS) || o->set[k])
        return "it drives a motion that is none of the joint's own";
    o->set[k] = &((const hol_prims *)e->data)->p[0];
    o->way[k] = (child == 1) == (same == 0) ? 1 : -1;
    o->plain = false;
    return NULL;
}

// HOL_RECOVERABLE: *obstacle says why; or it may be cut, and is noted.
static hol_status set_joint(hol_coordinates *c, int j, char *cut, hol_obstacle *obstacle)
{
    const hol_tree *r = c->r;
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
    if (why && cut && at->loop != HOL_LOOP_NO) {
        cut[at - m->element] = 1;
        return HOL_RECOVERABLE;
    }
    *obstacle = (hol_obstacle){at->name, why, at->at};
    if (why) return HOL_RECOVERABLE;
    memcpy(o->own, e->end[child].marker->s, sizeof o->own);
    memcpy(o->father, e->end[1 - child].marker->s, sizeof o->father);
    if (r->d == 6) set_turn(o, e->end[1 - child].marker, e->end[child].marker);
    return HOL_OK;
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
                c->of[u] = o->turn == HOL_TURNING_FREE && k >= o->slides ? -1 : q + u - o->u;
            }
            u++;
        }
        const int n_q = u - o->u + (o->turn == HOL_TURNING_FREE);
        for (int i = 0; i < n_q; i++, q++)
            if (write) like[q] = i < o->slides && is_own(o, 0) ? l->q : turn;
    }
    z->n_q = q, z->n_u = u;
}

// Reads the joints of all bodies; what has no coordinates is noted to be cut, or refused by name.
static hol_status make(hol_context *ctx, hol_coordinates *c, const hol_state *x, char *cut,
                       hol_obstacle *obstacle)
{
    const size_t n = (size_t)c->r->n_bodies + 1;
    c->joint = hol_calloc(ctx, n, sizeof *c->joint);
    c->pose = hol_calloc(ctx, n, sizeof *c->pose);
    if (!c->joint || !c->pose) return HOL_ERR_MEMORY;
    hol_tree_place(c->r, x);
    *obstacle = (hol_obstacle){0};
    hol_status st = HOL_OK;
    for (int j = 0; j < c->r->n_bodies && !obstacle->why; j++) {
        if (set_joint(c, j, cut, obstacle)) st = HOL_RECOVERABLE;
        if (st) continue;
        c->pose[j] = ground;
        c->joint[j].sign = 1;
    }
    if (st) return st;
    number(c, false);
    c->like = hol_calloc(ctx, (size_t)(c->size.n_q + 2 * c->size.n_u + 1), sizeof *c->like);
    if (!c->like) return HOL_ERR_MEMORY;
    c->size.like = c->like;
    c->of = c->like + c->size.n_q + c->size.n_u;
    number(c, true);
    return HOL_OK;
}

hol_status hol_coordinates_create(hol_context *ctx, hol_tree *r, const hol_state *x, char *cut,
                                  hol_coordinates **out, hol_obstacle *obstacle)
{
    hol_coordinates *c = *out = hol_calloc(ctx, 1, sizeof *c);
    if (!c) return HOL_ERR_MEMORY;
    c->r = r;
    const hol_status st = make(ctx, c, x, cut, obstacle);
    if (!st) return HOL_OK;
    hol_coordinates_destroy(c);
    *out = NULL;
    return st;
}

hol_status hol_coordinates_of_tree(hol_context *ctx, hol_equations *s, const hol_state *x, double accuracy,
                                   hol_loops *tree, hol_coordinates **out, hol_obstacle *obstacle)
{
    hol_status st = hol_loops_possible(ctx, s->m, obstacle);
    if (st) return st;
    char *cut = hol_calloc(ctx, (size_t)s->m->n_elements + 1, 1);
    if (!cut) return HOL_ERR_MEMORY;
    if (s->cut) memcpy(cut, s->cut, (size_t)s->m->n_elements);
    do { // another tree without what was found to have no coordinates
        if (tree->s) hol_loops_destroy(tree);
        st = hol_loops_create(ctx, s, x, cut, accuracy, tree, obstacle);
        if (!st) st = hol_coordinates_create(ctx, tree->r, x, cut, out, obstacle);
    } while (st > 0 && !obstacle->why);
    if (!st && !tree->size->n_loops) hol_loops_release(tree);
    hol_free(cut);
    return st;
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
    if (o->turn == HOL_TURNING_FREE) now->q[n] = *q; // strokes driven: the fourth parameter
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
    case HOL_TURNING_NONE:
        for (int i = 0; i < 4; i++) T[i] = o->part[0][0][i];
        break;
    case HOL_TURNING_AXIS: half_turn(o->part[0], angle[0], T); break;
    case HOL_TURNING_CROSS:
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
HOL_INLINE void angular_velocity(const joint *o, const double *turn, const pose *k, const pose *b, double *w)
{
    double t[3];
    for (int i = 0; i < 3; i++) w[i] = k->nu[3 + i];
    if (o->turn == HOL_TURNING_NONE) return;
    hol_turn3(k->R, o->turn == HOL_TURNING_FREE ? turn : o->first, t);
    const double rate = o->turn == HOL_TURNING_FREE ? 1 : turn[0];
    for (int i = 0; i < 3; i++) w[i] += rate * t[i];
    if (o->turn != HOL_TURNING_CROSS) return;
    hol_turn3(b->R, o->axis, t);
    for (int i = 0; i < 3; i++) w[i] += turn[1] * t[i];
}

// Rotation of body j and its angular velocity w from those of its father and its joint, in space.
HOL_INLINE void put_rotation6(const joint *o, const pose *k, pose *b, double *at, double *v, double *w)
{
    double T[4];
    relative_turn(o, b->now.q + o->slides, T);
    hol_quat_multiply(k->p, T, b->p);
    hol_quat_matrix(b->p, b->R);
    angular_velocity(o, b->now.u + o->slides, k, b, w);
    for (int i = 0; i < 4; i++) at[3 + i] = b->p[i];
    euler_rate(b->p, w, v + 3);
}

// The same in the plane. p[3]: the angle.
HOL_INLINE void put_rotation3(hol_tree *r, int j, const joint *o, const pose *k, pose *b, double *at,
                              double *v, double *w)
{
    const bool turns = o->turn == HOL_TURNING_AXIS;
    const double angle = k->p[3] + (turns ? b->now.q[o->slides] : o->offset);
    w[0] = k->nu[2] + (turns ? b->now.u[o->slides] : 0);
    hol_turn_plane(r, j, angle, b->R);
    at[2] = b->p[3] = angle, v[2] = w[0];
}

// Pose and velocity of body j from those of its father and its joint, (17.1) and (17.2).
HOL_INLINE void put_body(hol_coordinates *c, const int d, int j, hol_state *x)
{
    const joint *o = &c->joint[j];
    const hol_link *l = &c->r->link[j];
    const pose *k = father_of(c, j);
    const int n = hol_point_size(d);
    const double *qk = place_of(c->r, x, l->father), *wk = k->nu + n;
    pose *b = &c->pose[j];
    double *at = x->q + l->q, *v = x->v + l->q, *w = b->nu + n, s[3], t[3], g[3];
    if (l->frame != HOL_FRAME_POINT) { // a point's pose does not turn
        if (d == 6)
            put_rotation6(o, k, b, at, v, w);
        else
            put_rotation3(c->r, j, o, k, b, at, v, w);
    }
    for (int i = 0; i < 3; i++) s[i] = o->father[i];
    if (o->slides) { // else the slip stays 0
        add_along(o, b->now.q, s);
        for (int i = 0; i < 3; i++) t[i] = 0;
        add_along(o, b->now.u, t);
        rotate(d, k->R, t, b->slip);
    }
    rotate(d, k->R, s, b->reach);
    rotate(d, b->R, o->own, b->arm);
    spin_of(d, wk, b->reach, t);
    spin_of(d, w, b->arm, g);
    for (int i = 0; i < n; i++) {
        at[i] = qk[i] + b->reach[i] - b->arm[i];
        v[i] = b->nu[i] = k->nu[i] + t[i] + b->slip[i] - g[i];
    }
}

void hol_coordinates_put(hol_coordinates *c, const double *q, const double *u, hol_state *x)
{
    for (int j = 0; j < c->r->n_bodies; j++) {
        const joint *o = &c->joint[j];
        spread(o, x->t, q + o->q, u + o->u, &c->pose[j].now);
        HOL_SIZED(c->r->d, put_body, c, j, x);
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
    o->sign = 1;
    switch (o->turn) {
    case HOL_TURNING_NONE: o->sign = cosine < 0 ? -1 : 1; break;
    case HOL_TURNING_AXIS:
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
    case HOL_TURNING_CROSS: { // z(a) x(90 deg) z(b) = (cos p, cos m, sin m, sin p)/sqrt 2, p, m = (a +- b)/2
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

// Angles and turning rates of body j in space; w: its angular velocity less the father's.
static void take_rotation6(hol_coordinates *c, int j, const hol_state *x, const double *w, double *q,
                           double *u)
{
    const hol_tree *r = c->r;
    joint *o = &c->joint[j];
    const int k = r->link[j].father;
    const bool still = k < 0 || r->link[k].frame == HOL_FRAME_POINT;
    const double *qk = place_of(r, x, k);
    const double p[4] = {still ? 1 : qk[3], still ? 0 : -qk[4], still ? 0 : -qk[5], still ? 0 : -qk[6]};
    double T[4], t[3];
    hol_quat_multiply(p, x->q + r->link[j].q + 3, T);
    take_turn(o, x->t, T, q);
    rotate_back(6, rotation_of(r, 6, k), w, t);
    if (o->turn == HOL_TURNING_FREE)
        memcpy(u, t, sizeof t);
    else if (o->turn != HOL_TURNING_NONE)
        u[0] = hol_dot3(o->first, t);
    rotate_back(6, r->frame6[j].R, w, t);
    if (o->turn == HOL_TURNING_CROSS) u[1] = hol_dot3(o->axis, t);
}

// The same in the plane.
static void take_rotation3(hol_coordinates *c, int j, const hol_state *x, const double *w, double *q,
                           double *u)
{
    joint *o = &c->joint[j];
    const int k = c->r->link[j].father;
    const bool still = k < 0 || c->r->link[k].frame == HOL_FRAME_POINT;
    const double angle = x->q[c->r->link[j].q + 2] - (still ? 0 : place_of(c->r, x, k)[2]);
    if (o->turn == HOL_TURNING_NONE)
        o->offset = angle;
    else
        q[0] = angle, u[0] = w[0];
}

// Joint coordinates and rates of body j from the poses of both bodies.
HOL_INLINE void take_body(hol_coordinates *c, const int d, int j, const hol_state *x, motion *now)
{
    const hol_tree *r = c->r;
    const hol_link *l = &r->link[j];
    joint *o = &c->joint[j];
    const int k = l->father, n = hol_point_size(d);
    double *q = now->q, *u = now->u;
    const double *R = HOL_OF(r, d, frame, j, R), *Rk = rotation_of(r, d, k);
    const double *nu = r->nu + d * j, *nk = twist_of(r, d, k), *at = x->q + l->q, *qk = place_of(r, x, k);
    double arm[3], reach[3], back[3] = {0}, w[3], t[3], g[3] = {0};
    for (int i = n; i < d; i++) w[i - n] = nu[i] - nk[i];
    if (l->frame != HOL_FRAME_POINT) {
        if (d == 6)
            take_rotation6(c, j, x, w, q + o->slides, u + o->slides);
        else
            take_rotation3(c, j, x, w, q + o->slides, u + o->slides);
    }
    rotate(d, R, o->own, arm);
    for (int i = 0; i < n; i++) reach[i] = at[i] + arm[i] - qk[i];
    spin_of(d, nu + n, arm, t);
    spin_of(d, nk + n, reach, g);
    for (int i = 0; i < n; i++) t[i] += nu[i] - nk[i] - g[i];
    rotate_back(d, Rk, reach, back);
    rotate_back(d, Rk, t, g);
    for (int i = 0; i < n; i++) back[i] -= o->father[i];
    for (int i = 0; i < o->slides; i++) {
        q[i] = dot_point(d, o->along[i], back);
        u[i] = dot_point(d, o->along[i], g);
    }
    if (o->threaded) o->advance = q[0] - o->pitch * q[1];
}

void hol_coordinates_take(hol_coordinates *c, const hol_state *x, double *q, double *u)
{
    hol_tree_place(c->r, x);
    for (int j = 0; j < c->r->n_bodies; j++) {
        const joint *o = &c->joint[j];
        motion now;
        HOL_SIZED(c->r->d, take_body, c, j, x, &now);
        keep(o, o->slides + n_angles[o->turn], now.q, q + o->q);
        keep(o, o->slides + n_turns[o->turn], now.u, u + o->u);
    }
}

void hol_coordinates_within_half_turns(hol_coordinates *c, double *q)
{
    for (int j = 0; j < c->r->n_bodies && c->r->d == 6; j++) {
        joint *o = &c->joint[j];
        double *at = q + o->q;
        if (o->turn != HOL_TURNING_AXIS && o->turn != HOL_TURNING_CROSS) continue;
        for (int k = 0; k < o->slides; k++) at += is_own(o, k);
        for (int k = 0; k < n_angles[o->turn]; k++) {
            if (!is_own(o, o->slides + k)) continue;
            const double turns = rint(*at / (2 * HOL_PI));
            *at++ -= 2 * HOL_PI * turns;
            if (fmod(turns, 2) != 0) o->sign = -o->sign;
        }
    }
}

void hol_coordinates_archive(hol_coordinates *c, hol_archive *a)
{
    for (int j = 0; j < c->r->n_bodies; j++) {
        hol_archive_number(a, &c->joint[j].sign, -1, 1);
        hol_archive_number(a, &c->joint[j].offset, -DBL_MAX, DBL_MAX);
        hol_archive_number(a, &c->joint[j].advance, -DBL_MAX, DBL_MAX);
    }
}

// ---- names ------------------------------------------------------------------------------------------------------

// Words of the rotations, positions and rates by hol_turning; the first rows are those of bodies that are free.
static const char *const turn_words[2][4][4] = {
    {{NULL}, {"angle"}, {"angle1", "angle2"}, {"qw", "qx", "qy", "qz"}},
    {{NULL}, {"angle"}, {"angle1", "angle2"}, {"wx", "wy", "wz"}}};

// The body whose joint has coordinate i, or rate i.
static int find_joint(const hol_coordinates *c, bool rate, int i)
{
    int low = 0, high = c->r->n_bodies - 1;
    while (low < high) { // of those with the same first one the last: the others have none
        const int middle = (low + high + 1) / 2;
        if ((rate ? c->joint[middle].u : c->joint[middle].q) <= i)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// "stroke" of a joint with one, else the axis of the father's marker along which stroke k is.
static const char *stroke_word(const hol_coordinates *c, const hol_element *e, int slides, int k)
{
    static const char *const axes[] = {"x", "y", "z"};
    if (!e) return axes[k];
    if (slides == 1) return "stroke";
    const hol_freedoms f = hol_joint_motion(e, c->r->s->m->dimension);
    int axis = 0;
    for (int left = k; axis < 2; axis++)
        if (f.slides[axis] && left-- == 0) break;
    return axes[axis];
}

hol_coordinate_name hol_coordinates_name(const hol_coordinates *c, bool rate, int i)
{
    const hol_tree *r = c->r;
    const hol_model_data *m = r->s->m;
    const int j = find_joint(c, rate, i), body = r->order[j], first = r->forest->first[body];
    const joint *o = &c->joint[j];
    const bool alone = r->forest->first[body + 1] == first;
    const hol_element *e = alone ? NULL : &m->element[r->forest->tie[first]];
    int left = i - (rate ? o->u : o->q), k = 0;
    while (!is_own(o, k) || left-- > 0) k++; // of all motions of the joint
    hol_coordinate_name out = {alone ? m->body[body].name : e->name, NULL, rate ? "m/s" : "m"};
    if (k < o->slides) {
        out.word = stroke_word(c, e, o->slides, k);
        return out;
    }
    const bool parameters = o->turn == HOL_TURNING_FREE && !rate;
    out.word = alone && r->d == 3 ? "theta" : turn_words[rate][o->turn][k - o->slides];
    out.unit = parameters ? "" : rate ? "rad/s" : "rad";
    return out;
}

// ---- rates ------------------------------------------------------------------------------------------------------

void hol_coordinates_rates(const hol_coordinates *c, const double *q, const double *u, double *rate)
{
    for (int i = 0; i < c->size.n_u; i++)
        if (c->of[i] >= 0) rate[c->of[i]] = u[i];
    for (int j = 0; j < c->r->n_bodies; j++) {
        const joint *o = &c->joint[j];
        if (o->turn != HOL_TURNING_FREE) continue;
        const int n = o->slides - !is_own(o, 0);
        euler_rate(q + o->q + n, u + o->u + n, rate + o->q + n);
    }
}

// (17.3): what is free of the difference of the angular accelerations, in space; still: of angular velocities, which add nothing.
HOL_INLINE void turn_rates(const joint *o, const pose *b, const pose *k, const double *a, const double *ak,
                           const bool still, double *rate)
{
    const double *u = b->now.u + o->slides, *w = b->nu + 3, *wk = k->nu + 3;
    double turn[3], t[3], g[3], first[3], axis[3];
    for (int i = 0; i < 3; i++) turn[i] = a[3 + i] - ak[3 + i];
    switch (o->turn) {
    case HOL_TURNING_AXIS:
        hol_turn3(k->R, o->first, first);
        rate[0] = hol_dot3(first, turn);
        break;
    case HOL_TURNING_CROSS:
        hol_turn3(k->R, o->first, first);
        hol_turn3(b->R, o->axis, axis);
        hol_cross3(wk, first, t);
        hol_cross3(w, axis, g);
        for (int i = 0; i < 3 && !still; i++) turn[i] -= u[0] * t[i] + u[1] * g[i];
        rate[0] = hol_dot3(first, turn);
        rate[1] = hol_dot3(axis, turn);
        break;
    case HOL_TURNING_FREE:
        hol_cross3(wk, w, t);
        for (int i = 0; i < 3 && !still; i++) turn[i] -= t[i];
        rotate_back(6, k->R, turn, rate);
        break;
    default: break;
    }
}

// (17.3), (17.4): the differences of the accelerations of the two bodies, along what the joint leaves free. still: those of
// twists, (17.2), without what velocities add.
HOL_INLINE void joint_accelerations(const hol_coordinates *c, const int d, int j, const double *all,
                                    const bool still, double *rate)
{
    const joint *o = &c->joint[j];
    const pose *b = &c->pose[j], *k = father_of(c, j);
    const int m = hol_point_size(d), n = o->slides, father = c->r->link[j].father;
    const double *a = all + d * j, *ak = father < 0 ? hol_zero6 : all + d * father;
    const double *w = b->nu + m, *wk = k->nu + m;
    double t[3], g[3], e[3];
    if (d == 6)
        turn_rates(o, b, k, a, ak, still, rate + n);
    else if (o->turn == HOL_TURNING_AXIS)
        rate[n] = a[2] - ak[2];
    if (n == 0) return;
    spin_of(d, a + m, b->arm, t);
    spin_of(d, ak + m, b->reach, g);
    for (int i = 0; i < m; i++) e[i] = a[i] + t[i] - ak[i] - g[i];
    if (!still) {
        centripetal(d, w, b->arm, t);
        centripetal(d, wk, b->reach, g);
        for (int i = 0; i < m; i++) e[i] += t[i] - g[i];
        spin_of(d, wk, b->slip, t);
        for (int i = 0; i < m; i++) e[i] -= 2 * t[i];
    }
    rotate_back(d, k->R, e, t);
    for (int i = 0; i < n; i++) rate[i] = dot_point(d, o->along[i], t);
}

// Those of all joints that are coordinates.
HOL_INLINE void differences(const hol_coordinates *c, const double *all, const bool still, double *rate)
{
    for (int j = 0; j < c->r->n_bodies; j++) {
        const joint *o = &c->joint[j];
        double own[MOST_U], *to = o->plain ? rate + o->u : own;
        HOL_SIZED(c->r->d, joint_accelerations, c, j, all, still, to);
        if (!o->plain) keep(o, o->slides + n_turns[o->turn], own, rate + o->u);
    }
}

void hol_coordinates_accelerations(const hol_coordinates *c, const double *all, double *rate)
{
    differences(c, all ? all : c->r->u, false, rate);
}

void hol_coordinates_velocities(const hol_coordinates *c, const double *all, double *u)
{
    differences(c, all, true, u);
}

void hol_coordinates_second_rates(const hol_coordinates *c, const hol_state *x, double *room, double *rate)
{
    const hol_tree *r = c->r;
    const int d = r->d, n = hol_point_size(d);
    for (int j = 0; j < r->n_bodies; j++) {
        const hol_link *l = &r->link[j];
        double *to = room + d * j;
        hol_real E[3][4];
        for (int i = 0; i < d; i++)
            to[i] = i < n || (d == 3 && l->frame != HOL_FRAME_POINT) ? x->a[l->q + i] : 0;
        if (l->frame != HOL_FRAME_SPATIAL) continue;
        hol_global_rate(x->q + l->q + 3, E); // omega' = 2 E(p) p''
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++) to[3 + i] += 2 * hol_re(E[i][k]) * x->a[l->q + 3 + k];
    }
    differences(c, room, false, rate);
}
