// At a singular pose the equations do not determine the motion, and around it they do so badly: velocities are wrong by u/alpha^2 and
// accelerations by u/alpha^3 at a distance alpha. The motion itself is smooth. With poses and velocities at four places on each side,
// predicted from place to place and put onto the constraints, q(t) is the polynomial of degree 15 through them (Hermite). It is a motion
// of the mechanism if it holds the constraints in between,
//
//     |Phi(q(t), t)| <= 1e-11        at places between the nodes and at the pose                             (19.6)
//
// else what was found behind the pose belongs to another branch: the drivers lock there, or turn back just before. Multipliers have a
// pole at the pose, or none: (t - t*) lam is smooth. docs/theory.md, section 19.1.
#include "integrator/bridge.h"
#include "integrator/crossing.h"
#include "integrator/pose.h"
#include "system/explicit.h"

#include <math.h>
#include <string.h>

enum { NODES = HOL_BRIDGE_NODES, HALF = NODES / 2, DISTANCES = 4, DISTANCES_ABOUT = 8, MOST_MOVES = 3 };
#define WAY 0.04       // natural sizes between nodes
#define WAY_ABOUT 0.02 // the same about a state
#define ASTRAY 0.5     // part of that by which a prediction may be wrong
#define HOLDS 1e-11    // residual by natural size
#define OFF 0.25       // part of the distance between nodes by which the pose may be off their middle
#define CLOSER 0.03    // from one look at the pose to the next
#define NEAREST 1e-6   // the last one
#define SEEN 1e-7      // way on which rounding hides the least singular value
#define SINGULAR 1e-3  // least singular value there against that of the nodes
#define STANDS 1e-3    // part of its rate beside the pose below which a driver stands still there
#define POLE 1e-7      // part of the largest (t - t*) lam: less is none
#define ROUNDING 1e-15 // of times at which steps end
#define UNBOUNDED 1e-5 // distance from the pose in nodes within which what has a pole is no number

// Times of the nodes (19.5), from the pose, by their distance.
static double place(int i) { return i < HALF ? i - HALF : i - HALF + 1; }

double hol_bridge_begin(const hol_bridge *b) { return b->t - HALF * b->d; }
double hol_bridge_end(const hol_bridge *b) { return b->t + HALF * b->d; }

bool hol_bridge_covers(const hol_bridge *b, double t)
{
    return b->stands && t >= hol_bridge_begin(b) - ROUNDING * fabs(t) && t <= hol_bridge_end(b);
}

bool hol_bridge_is_passed(const hol_bridge *b, double t)
{
    return t >= hol_bridge_end(b) - ROUNDING * fabs(t);
}

bool hol_bridge_carries(const hol_bridge *b, double t) { return b->stands && fabs(t - b->t) < b->d; }

// ---- polynomials ------------------------------------------------------------------------------------------------

// Value and two derivatives at x of the polynomial with divided differences c at places z (n).
static void horner(int n, const double *z, const double *c, double x, double out[3])
{
    out[0] = c[n - 1];
    out[1] = out[2] = 0;
    for (int k = n - 2; k >= 0; k--) {
        out[2] = out[2] * (x - z[k]) + 2 * out[1];
        out[1] = out[1] * (x - z[k]) + out[0];
        out[0] = out[0] * (x - z[k]) + c[k];
    }
}

// Through values y and slopes s at the first m nodes.
static void hermite(int m, const double *y, const double *s, double x, double out[3])
{
    double z[2 * NODES], c[2 * NODES];
    for (int i = 0; i < 2 * m; i++) z[i] = place(i / 2), c[i] = y[i / 2];
    for (int k = 1; k < 2 * m; k++)
        for (int j = 2 * m - 1; j >= k; j--)
            c[j] = k == 1 && j % 2 ? s[j / 2] : (c[j] - c[j - 1]) / (z[j] - z[j - k]);
    horner(2 * m, z, c, x, out);
}

// Through values y at all nodes.
static void lagrange(const double *y, double x, double out[3])
{
    double z[NODES], c[NODES];
    for (int i = 0; i < NODES; i++) z[i] = place(i), c[i] = y[i];
    for (int k = 1; k < NODES; k++)
        for (int j = NODES - 1; j >= k; j--) c[j] = (c[j] - c[j - 1]) / (z[j] - z[j - k]);
    horner(NODES, z, c, x, out);
}

// Positions, velocities and accelerations, each by their own values at all nodes.
static void move_each(const hol_bridge *b, const hol_equations *s, double u, hol_state *out)
{
    for (int i = 0; i < s->nq; i++) {
        double q[NODES], v[NODES], a[NODES], value[3];
        for (int k = 0; k < NODES; k++) {
            q[k] = b->node[k].q[i];
            v[k] = b->node[k].v[i];
            a[k] = b->node[k].a[i];
        }
        lagrange(q, u, value);
        out->q[i] = value[0];
        lagrange(v, u, value);
        out->v[i] = value[0];
        lagrange(a, u, value);
        out->a[i] = value[0];
    }
}

// The bridge at t, of a motion by its first m nodes.
static void move(const hol_bridge *b, const hol_equations *s, int m, double t, hol_state *out)
{
    const double u = (t - b->t) / b->d;
    out->t = t;
    if (b->about) {
        move_each(b, s, u, out);
        return;
    }
    for (int i = 0; i < s->nq; i++) {
        double y[NODES], slope[NODES], value[3];
        for (int k = 0; k < m; k++) y[k] = b->node[k].q[i], slope[k] = b->node[k].v[i] * b->d;
        hermite(m, y, slope, u, value);
        out->q[i] = value[0];
        out->v[i] = value[1] / b->d;
        out->a[i] = value[2] / (b->d * b->d);
    }
}

// What has a simple pole at the pose or is smooth there, by its values at the nodes; noise: a residue that is none. near: the pole is no
// number within that.
static double through_pole(const double *value, double u, double near, double noise)
{
    double y[NODES], at_pose[3], here[3];
    for (int i = 0; i < NODES; i++) y[i] = place(i) * value[i];
    lagrange(y, 0, at_pose);
    lagrange(y, u, here);
    if (fabs(at_pose[0]) > noise) return fabs(u) < near ? (double)NAN : here[0] / u;
    return fabs(u) < UNBOUNDED ? at_pose[1] : (here[0] - at_pose[0]) / u;
}

// ---- states -----------------------------------------------------------------------------------------------------

// Way to the pose in nodes within which what has a pole there is no number.
static double nearest_way(const hol_bridge *b) { return fmax(UNBOUNDED, b->blur / b->way); }

// What counts as no residue of a multiplier of natural size.
static double rounding_of(const hol_bridge *b, double size) { return POLE * b->most / size; }

static double unknown(const hol_bridge *b, const hol_equations *s, int i, double u, double noise)
{
    double value[NODES];
    for (int k = 0; k < NODES; k++) value[k] = b->node[k].a[s->nq + i];
    return through_pole(value, u, nearest_way(b), noise);
}

// What follows from multipliers, by its values at the nodes: it has a pole where it takes one that has.
static double follower(const hol_bridge *b, const double *value, double u)
{
    double most = 0;
    for (int k = 0; k < NODES; k++) most = hol_larger(fabs(place(k) * value[k]), most);
    return through_pole(value, u, nearest_way(b), b->most > 0 ? POLE * most : HOL_INF);
}

hol_status hol_bridge_at(const hol_bridge *b, const hol_equations *s, int n, const int *slot, double t,
                         hol_state *out)
{
    const double u = (t - b->t) / b->d;
    double value[NODES];
    hol_state_copy(s, out, &b->node[u < 0 ? HALF - 1 : HALF]);
    move(b, s, NODES, t, out);
    hol_state_hold_norms(s, out);
    for (int i = 0; i < s->nc; i++)
        out->lam[i] = unknown(b, s, s->nz + i, u, i == b->driver ? HOL_INF : rounding_of(b, s->row_size[i]));
    for (int i = 0; i < s->nk; i++)
        out->kap[i] = unknown(b, s, s->nz + s->nc + i, u, rounding_of(b, s->m->length_scale));
    for (int i = 0; i < s->nz; i++) {
        for (int k = 0; k < NODES; k++) value[k] = b->node[k].z[i];
        out->z[i] = follower(b, value, u);
    }
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < NODES; k++) value[k] = b->node[k].mem[slot[j]];
        out->mem[slot[j]] = follower(b, value, u);
    }
    return s->users ? hol_explicit_evaluate(s->users, (hol_equations *)s, out) : HOL_OK;
}

hol_status hol_bridge_load(hol_bridge *b, hol_integrator *it, hol_bridge_settle *settle, double t)
{
    hol_equations *s = it->s;
    hol_status st = HOL_OK;
    for (int i = 0; i < NODES && !st; i++) {
        const double own = b->node[i].t;
        s->ahead = own - t;
        b->node[i].t = t;
        st = settle(it, &b->node[i]);
        b->node[i].t = own;
    }
    s->ahead = 0;
    return st;
}

// ---- building ---------------------------------------------------------------------------------------------------

static hol_status make_room(hol_bridge *b, const hol_equations *s)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < NODES && !st && !b->node[i].q; i++) st = hol_state_create(s, &b->node[i]);
    if (!st && !b->room.q) st = hol_state_create(s, &b->room);
    return st || b->from.q ? st : hol_state_create(s, &b->from);
}

void hol_bridge_destroy(hol_bridge *b)
{
    for (int i = 0; i < NODES; i++) hol_state_destroy(&b->node[i]);
    hol_state_destroy(&b->room);
    hol_state_destroy(&b->from);
    *b = (hol_bridge){0};
}

void hol_bridge_predict(const hol_equations *s, const hol_state *x, double t, hol_state *out)
{
    hol_state_carry_on(s, x, t - x->t, out);
    hol_crossing_bound(s, out);
    out->t = t; // to the last digit
}

// Is a node where it was predicted, in b->room? st: of what has put it onto the constraints.
static hol_status judge_node(const hol_bridge *b, const hol_equations *s, const hol_state *node,
                             hol_status st, double astray)
{
    if (st == HOL_ERR_MEMORY || s->fatal) return st;
    if (st < 0) hol_context_clear(s->ctx); // what is beyond the present step may not even come
    return !st && hol_equations_distance(s, node->q, b->room.q) < astray ? HOL_OK : HOL_RECOVERABLE;
}

// The i-th node: the first two by the motion at the one before.
static hol_status build_node(hol_bridge *b, hol_integrator *it, hol_bridge_settle *settle, const hol_state *x,
                             int i)
{
    const hol_equations *s = it->s;
    const double t = b->t + place(i) * b->d;
    if (i < 2)
        hol_bridge_predict(s, i ? &b->node[0] : x, t, &b->node[i]);
    else {
        hol_state_copy(s, &b->node[i], &b->node[i - 1]);
        move(b, s, i, t, &b->node[i]);
    }
    hol_state_copy(s, &b->room, &b->node[i]);
    return judge_node(b, s, &b->node[i], settle(it, &b->node[i]), ASTRAY * WAY);
}

// All nodes; the least singular value of the constraints beside the pose in least.
static hol_status build_nodes(hol_bridge *b, hol_integrator *it, hol_bridge_settle *settle,
                              const hol_state *x, double least[2])
{
    for (int i = 0; i < NODES; i++) {
        const hol_status st = build_node(b, it, settle, x, i);
        if (st) return st;
        if (i == HALF - 1 || i == HALF) least[i - HALF + 1] = hol_pose_least(it->k);
    }
    return HOL_OK;
}

// (19.6)
static bool holds(hol_bridge *b, hol_kernel *k)
{
    static const double at[] = {0, 0.1, -0.1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.5, -3.5};
    hol_equations *s = k->s;
    double *phi = k->rhs, most = 0;
    hol_state_copy(s, &b->room, &b->node[HALF]);
    for (int i = 0; i < HOL_COUNT(at); i++) {
        move(b, s, NODES, b->t + at[i] * b->d, &b->room);
        hol_equations_residual(s, &b->room, NULL, phi);
        most = hol_larger(hol_equations_row_norm(s, phi, s->nc), most);
    }
    return most <= HOLDS * fmax(1, hol_equations_coordinate_norm(s, b->room.q));
}

// Where the least singular value falls to zero, by its values at both sides of the pose.
static double middle_of(double t, double d, const double least[2])
{
    const double off = (least[0] - least[1]) / (least[0] + least[1]);
    return isfinite(off) ? t + d * off : t;
}

// Least singular values d before and behind t, by states of the polynomial, whatever the masses are.
static void look_beside(hol_bridge *b, hol_kernel *k, double t, double d, double least[2])
{
    for (int side = 0; side < 2; side++) {
        hol_state_copy(k->s, &b->room, &b->node[HALF]);
        move(b, k->s, NODES, t + (side ? d : -d), &b->room);
        least[side] = hol_pose_sigma(k, &b->room);
    }
}

// The time of the pose by states nearer and nearer to it; poles of multipliers are there. Is it singular at all?
static bool refine(hol_bridge *b, hol_kernel *k, double *t)
{
    const double nearest = fmax(NEAREST, SEEN / b->way);
    double least[2], first = 0;
    *t = b->t;
    for (double d = 1; d > nearest; d *= CLOSER) {
        look_beside(b, k, *t, d * b->d, least);
        *t = middle_of(*t, d * b->d, least);
        if (d == 1) first = fmin(least[0], least[1]);
    }
    return fmax(least[0], least[1]) < SINGULAR * first;
}

// Of all nodes and multipliers, by natural size.
static double largest_residue(const hol_bridge *b, const hol_equations *s)
{
    double most = 0;
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < s->nc; k++)
            most = hol_larger(fabs(place(i) * b->node[i].lam[k]) * s->row_size[k], most);
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < s->nk; k++)
            most = hol_larger(fabs(place(i) * b->node[i].kap[k]) * s->m->length_scale, most);
    return most;
}

// The row that alone depends on time; -1: there are more, or it touches a dead centre of its own, where it stands still. As mu . Phi_t is 0
// at the pose, one that does not stand still there has no part in mu, and its multiplier no pole.
static int find_driver(hol_bridge *b, const hol_kernel *k)
{
    const hol_equations *s = k->s;
    double *beside = k->work, *there = beside + s->m->nc;
    int driver = -1, n = 0;
    move(b, s, NODES, b->t, &b->room);
    hol_equations_phi_t_all(s, b->room.t, b->room.q, there);
    hol_equations_phi_t_all(s, b->node[HALF].t, b->node[HALF].q, beside);
    for (int i = 0; i < s->nc; i++) {
        const int row = s->model_row[i];
        if (!(fabs(beside[row]) > 0)) continue;
        n++;
        if (fabs(there[row]) > STANDS * fabs(beside[row])) driver = i;
    }
    return n == 1 ? driver : -1;
}

// What is known of a bridge that stands.
static hol_status finish(hol_bridge *b, hol_kernel *k, hol_status st)
{
    hol_kkt_forget_pivots(k->A); // those that were chosen next to the pose are poor ones elsewhere
    if (st || !b->stands) return st ? st : HOL_RECOVERABLE;
    b->most = largest_residue(b, k->s);
    b->driver = find_driver(b, k);
    return HOL_OK;
}

// Nodes at this distance around the pose, whose time is found on the way.
static hol_status build_around(hol_bridge *b, hol_integrator *it, hol_bridge_settle *settle,
                               const hol_state *x)
{
    for (int i = 0; i < MOST_MOVES; i++) {
        double least[2];
        const hol_status st = build_nodes(b, it, settle, x, least);
        if (st) return st;
        const double t = middle_of(b->t, b->d, least);
        if (fabs(t - b->t) <= OFF * b->d) return holds(b, it->k) ? HOL_OK : HOL_RECOVERABLE;
        b->t = t;
    }
    return HOL_RECOVERABLE;
}

// The same around the time of the pose as the first polynomial tells it, for the sake of poles.
static hol_status build_exactly(hol_bridge *b, hol_integrator *it, hol_bridge_settle *settle,
                                const hol_state *x)
{
    double least[2];
    double t;
    if (!refine(b, it->k, &t) || !(fabs(t - b->t) <= b->d)) return HOL_RECOVERABLE;
    b->t = t;
    const hol_status st = build_nodes(b, it, settle, x, least);
    return st || holds(b, it->k) ? st : HOL_RECOVERABLE;
}

hol_status hol_bridge_build(hol_bridge *b, hol_integrator *it, hol_bridge_settle *settle, const hol_state *x,
                            double t)
{
    const double speed = hol_equations_coordinate_norm(it->s, x->v), far = WAY / speed;
    hol_status st = make_room(b, it->s);
    b->stands = b->about = false;
    b->d = fmin(isfinite(far) ? far : it->h_max, it->h_max);
    for (int i = 0; !st && i < DISTANCES; i++, b->d *= 0.5) {
        b->t = t;
        b->way = b->d * speed;
        st = build_around(b, it, settle, x);
        if (!st) st = build_exactly(b, it, settle, x);
        if (st < 0) return st;
        b->stands = !st;
        if (b->stands) break;
        st = HOL_OK;
    }
    return finish(b, it->k, st);
}

// ---- about a state ----------------------------------------------------------------------------------------------

#define STRAIGHT 0.5 // of the velocities: accelerations that change them by more between nodes say nothing

void hol_bridge_beside(const hol_equations *s, const hol_state *x, const double *v, double d, double dt,
                       hol_state *out)
{
    const double speed = hol_equations_coordinate_norm(s, v);
    const bool bends = d * hol_equations_coordinate_norm(s, x->a) < STRAIGHT * speed;
    hol_state_copy(s, out, x);
    for (int j = 0; j < s->nq; j++) {
        const double dv = bends ? dt * x->a[j] : 0;
        out->q[j] += dt * (v[j] + 0.5 * dv);
        out->v[j] += dv;
    }
}

// The i-th node, which b->from leads to along v: its positions and velocities with what its accelerations make of them, put onto the
// constraints. Forces are those of the time of b->from.
static hol_status place_node(hol_bridge *b, hol_kernel *k, const double *v, int i)
{
    const hol_equations *s = k->s;
    const double t = b->t + place(i) * b->d, dt = t - b->from.t;
    hol_state *x = &b->node[i];
    hol_bridge_beside(s, &b->from, v, b->d, dt, x);
    hol_state_copy(s, &b->room, x);
    k->s->ahead = dt;
    const hol_status st = hol_kernel_settle(k, x);
    k->s->ahead = 0;
    x->t = t;
    return judge_node(b, s, x, st, ASTRAY * b->way);
}

// All nodes, and the time of the pose by the least singular values beside it.
static hol_status place_nodes(hol_bridge *b, hol_kernel *k, const double *v, double *t)
{
    double least[2];
    for (int i = 0; i < NODES; i++) {
        const hol_status st = place_node(b, k, v, i);
        if (st) return st;
        if (i == HALF - 1 || i == HALF) least[i - HALF + 1] = hol_pose_least(k);
    }
    *t = middle_of(b->t, b->d, least);
    return HOL_OK;
}

// What the nodes say of the state that they are about.
static void learn(hol_bridge *b, const hol_equations *s)
{
    const size_t size = (size_t)s->nq * sizeof *b->from.v;
    move(b, s, NODES, b->from.t, &b->room);
    memcpy(b->from.v, b->room.v, size);
    memcpy(b->from.a, b->room.a, size);
}

// Three times: along v, around the pose as it is expected; with the velocities and accelerations that this tells, as it is seen; exactly.
static hol_status place_around(hol_bridge *b, hol_kernel *k, const double *v)
{
    enum { ROUGHLY, BETTER, EXACTLY };
    for (int i = ROUGHLY; i <= EXACTLY; i++) {
        double t;
        const hol_status st = place_nodes(b, k, i == ROUGHLY ? v : b->from.v, &t);
        if (st) return st;
        if (i >= BETTER && !refine(b, k, &t)) return HOL_RECOVERABLE;
        if (!(fabs(t - b->from.t) < b->d)) return HOL_RECOVERABLE;
        if (i < EXACTLY) {
            learn(b, k->s);
            b->t = t;
        }
    }
    return holds(b, k) ? HOL_OK : HOL_RECOVERABLE;
}

hol_status hol_bridge_about(hol_bridge *b, hol_kernel *k, const hol_state *x, const double *v, double t)
{
    const hol_equations *s = k->s;
    hol_status st = make_room(b, s);
    b->stands = false;
    b->about = true;
    b->way = WAY_ABOUT;
    for (int i = 0; !st && i < DISTANCES_ABOUT; i++, b->way *= 0.5) {
        b->d = b->way / hol_equations_coordinate_norm(s, v);
        hol_state_copy(s, &b->from, x);
        memset(b->from.a, 0, (size_t)s->nq * sizeof *b->from.a);
        b->t = t;
        st = place_around(b, k, v);
        b->stands = !st;
        if (b->stands || st < 0) break;
        st = HOL_OK;
    }
    return finish(b, k, st);
}

void hol_bridge_archive(hol_bridge *b, hol_integrator *it, hol_archive *a)
{
    hol_archive_flag(a, &b->stands);
    if (!b->stands) return;
    if (a->reading && make_room(b, it->s)) a->failed = true;
    HOL_ARCHIVE(a, b->t);
    HOL_ARCHIVE(a, b->d);
    HOL_ARCHIVE(a, b->most);
    hol_archive_int(a, &b->driver, -1, it->s->nc);
    for (int i = 0; i < NODES && !a->failed; i++) hol_state_archive(it->s, &b->node[i], a);
}
