// The tree of joints: its choice, the O(n) solve against the sparse KKT matrix, loops, projections.
#include "linalg/dense.h"
#include "system/initial.h"
#include "system/kernel.h"
#include "system/reaction.h"
#include "recursion/loop_solve.h"
#include "recursion/coordinates.h"
#include "recursion/recursion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

// ---- models written here -----------------------------------------------------------------------------------------

typedef struct {
    char *text;
    size_t n, room;
} text;

static void add(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (t->room - t->n < 1000) {
        t->room = 2 * t->room + 10000;
        t->text = realloc(t->text, t->room);
        assert_non_null(t->text);
    }
    t->n += (size_t)vsnprintf(t->text + t->n, t->room - t->n, format, list);
    va_end(list);
}

typedef struct {
    hol_context *ctx;
    hol_model_data *m;
    hol_kernel k;
    hol_equations *s;
    hol_state x;
    hol_rank rank;
    hol_forest forest;
    hol_recursion *r;
} setting;

static hol_status open_model(setting *o, const text *t)
{
    memset(o, 0, sizeof *o);
    o->ctx = hol_context_create();
    hol_spec *spec = hol_spec_read_text(o->ctx, "test.yaml", t->text, t->n, NULL, 0);
    o->m = spec ? hol_model_compile(spec) : NULL;
    if (!o->m || hol_initialise(o->ctx, o->m, true, &o->k, &o->x, &o->rank))
        print_error("%s\n%.3000s\n", hol_context_error(o->ctx), t->text);
    o->s = o->k.s;
    assert_non_null(o->s);
    assert_int_equal(hol_forest_create(o->ctx, o->m, o->x.q, &o->forest), HOL_OK);
    return hol_recursion_create(o->ctx, o->s, &o->forest, &o->r);
}

static void close_model(setting *o)
{
    hol_recursion_destroy(o->r);
    hol_forest_destroy(&o->forest);
    hol_rank_destroy(&o->rank);
    hol_state_destroy(&o->x);
    hol_start_destroy(&o->k);
    hol_model_free(o->m);
    hol_context_destroy(o->ctx);
}

static hol_random seed;
static bool coordinates; // joints that have coordinates only
static double uniform(void) { return hol_random_uniform(&seed); }
static int below(int n) { return (int)((0.5 * uniform() + 0.5) * n * 0.9999999); }

// Joint J<i> of body i and its father at a random place near both, drawn; the ends in random order.
static void add_joint(text *t, int i, int father, int dimension, bool point)
{
    static const char *const space[] = {
        "revolute", "spherical",         "universal", "translational", "cylindrical",   "fixed",
        "planar",   "distance",          "in-plane",  "screw",         "perpendicular", "orientation",
        "in-line",  "constant-velocity", "revolute",  "spherical"};
    static const char *const plane[] = {"revolute", "translational", "fixed",
                                        "distance", "in-line",       "revolute"};
    static const char *const with_coordinates[] = {
        "revolute", "spherical", "universal",   "translational", "cylindrical", "fixed",
        "planar",   "screw",     "orientation", "perpendicular", "revolute",    "parallel-axes"};
    static const char *const plane_with[] = {"revolute", "translational", "fixed", "orientation"};
    const char *type = coordinates && dimension == 3 ? with_coordinates[below(HOL_COUNT(with_coordinates))]
                       : coordinates                 ? plane_with[below(HOL_COUNT(plane_with))]
                       : dimension == 3              ? space[below(HOL_COUNT(space))]
                                                     : plane[below(HOL_COUNT(plane))];
    char a[20], b[20];
    if (point) type = !coordinates && below(2) ? "distance" : "at-point";
    snprintf(a, sizeof a, "b%d", i);
    snprintf(b, sizeof b, father < 0 ? "ground" : "b%d", father);
    const bool turned = below(2), distance = strcmp(type, "distance") == 0;
    const double x = 0.4 * i + 0.2 * uniform(), y = uniform(), z = uniform();
    add(t, "  - {name: J%d, type: %s, ", i, type);
    if (distance) {
        add(t, "between: [%s, %s]}\n", turned ? a : b, turned ? b : a);
        return;
    }
    add(t, "bodies: [%s, %s], ", turned ? a : b, turned ? b : a);
    // a point mass has its joint where it is
    if (point) {
        add(t, dimension == 3 ? "at: [x%d, y%d, z%d]" : "at: [x%d, y%d]", i, i, i);
    } else
        add(t, dimension == 3 ? "at: [%.4f, %.4f, %.4f]" : "at: [%.4f, %.4f]", x, y, z);
    if (strcmp(type, "revolute") != 0 || dimension == 3) {
        const double u[3] = {uniform(), uniform(), 0.3 + 0.5 * fabs(uniform())};
        if (!point && strcmp(type, "spherical") != 0)
            add(t, dimension == 3 ? ", axis: [%.4f, %.4f, %.4f]" : ", axis: [%.4f, %.4f]", u[0], u[1], u[2]);
        if (strcmp(type, "universal") == 0 || strcmp(type, "perpendicular") == 0)
            add(t, ", axis2: [%.4f, %.4f, %.4f]", u[2], 0.0, -u[0]);
        if (strcmp(type, "constant-velocity") == 0)
            add(t, ", axis2: [%.4f, %.4f, %.4f]", u[0] + (u[0] < 0 ? 0.6 : -0.6), u[1], u[2] + 0.5);
    }
    if (strcmp(type, "screw") == 0) add(t, ", pitch: 0.1");
    add(t, "}\n");
}

// A random forest of n bodies; every third of them may be a root of its own.
static void random_forest(text *t, int n, int dimension, unsigned long number)
{
    seed = (hol_random){number};
    bool point[100];
    int father[100];
    t->n = 0;
    add(t, "dimension: %d\ngravity: %s\nlength_scale: 1\nparameters:\n", dimension,
        dimension == 3 ? "[1, -2, -9.81]" : "[1, -9.81]");
    for (int i = 0; i < n; i++)
        add(t, "  x%d: %.4f\n  y%d: %.4f\n  z%d: %.4f\n", i, 0.4 * i + 0.3 * uniform(), i, uniform(), i,
            uniform());
    add(t, "bodies:\n");
    for (int i = 0; i < n; i++) {
        father[i] = i == 0 || below(6) == 0 ? -1 : below(i);
        point[i] = below(7) == 0;
        // two point masses can only be held at a distance
        if (point[i] && father[i] >= 0 && point[father[i]]) point[i] = false;
        add(t, "  - {name: b%d, mass: %.3f, ", i, 1 + 0.8 * uniform());
        if (point[i])
            add(t, "type: point, ");
        else if (dimension == 3)
            add(t, "inertia: [%.3f, %.3f, %.3f, %.3f, 0.01, -0.02], ", 1 + 0.2 * uniform(),
                1 + 0.2 * uniform(), 1.1, 0.05 * uniform());
        else
            add(t, "inertia: %.3f, ", 0.5 + 0.3 * uniform());
        if (dimension == 3) {
            add(t, "position: [x%d, y%d, z%d], velocity: [%.3f, %.3f, %.3f]", i, i, i, uniform(), uniform(),
                uniform());
            if (!point[i])
                add(t, ", omega: [%.3f, %.3f, %.3f], orientation: {axis: [%.3f, 1, %.3f], angle: %.3f}",
                    2 * uniform(), 2 * uniform(), 2 * uniform(), uniform(), uniform(), 2 * uniform());
        } else {
            add(t, "position: [x%d, y%d], velocity: [%.3f, %.3f]", i, i, uniform(), uniform());
            if (!point[i]) add(t, ", omega: %.3f, angle: %.3f", 2 * uniform(), 2 * uniform());
        }
        add(t, "}\n");
    }
    add(t, "joints:\n");
    for (int i = 0; i < n; i++) {
        if (father[i] < 0 && i && below(3) == 0) continue; // free
        const bool special = point[i] || (father[i] >= 0 && point[father[i]]);
        const int at = point[i] ? i : father[i];
        if (special && !point[i] && coordinates) {
            add(t, "  - {name: J%d, type: at-point, bodies: [b%d, b%d], at: %s[x%d, y%d%s", i, at, i, "", at,
                at, dimension == 3 ? ", " : "]}\n");
            if (dimension == 3) add(t, "z%d]}\n", at);
            continue;
        }
        if (special && !point[i]) { // the father is the point
            add(t, "  - {name: J%d, type: distance, between: [b%d, b%d]}\n", i, at, i);
            continue;
        }
        add_joint(t, i, father[i], dimension, special);
    }
    if (!point[0]) {
        add(t, "forces:\n  - {name: weight, type: force, on: b0, value: %s}\n",
            dimension == 3 ? "[1, sin(time), 2]" : "[1, 2]");
        add(t,
            "  - {name: spring, type: spring-damper, between: [b0, b%d], stiffness: 50, damping: 3, length: "
            "1}\n",
            n - 1);
    }
}

static double norm(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

static double difference(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void agrees_on_random_forests(void **state)
{
    double worst_a = 0, worst_lam = 0;
    text t = {0};
    (void)state;
    for (unsigned long k = 1; k <= 80; k++) {
        setting o;
        random_forest(&t, 3 + (int)(k % 14), k % 2 ? 3 : 2, k);
        const hol_status st = open_model(&o, &t);
        if (st) print_error("%s\n%s\n", hol_context_error(o.ctx), t.text);
        assert_int_equal(st, HOL_OK);
        assert_int_equal(hol_recursion_sizes(o.r)->n_loops, 0);
        hol_state y;
        assert_int_equal(hol_state_create(o.s, &y), HOL_OK);
        hol_state_copy(o.s, &y, &o.x);
        assert_int_equal(hol_solve_accelerations(&o.k, &o.x), HOL_OK);
        memset(y.a, 0, (size_t)o.s->n * sizeof *y.a);
        if (hol_recursion_accelerations(o.r, &y, true))
            print_error("%s\n%s\n", hol_context_error(o.ctx), t.text);
        hol_recursion_put_normalisations(o.r, &y);
        const double da = difference(y.a, o.x.a, o.s->nq) / (1 + norm(o.x.a, o.s->nq));
        const double dl = difference(y.lam, o.x.lam, o.s->nc) / (1 + norm(o.x.lam, o.s->nc));
        if (da > 1e-12 || dl > 1e-12) print_message("%lu: %.1e %.1e\n%s\n", k, da, dl, k == 1 ? t.text : "");
        worst_a = fmax(worst_a, da);
        worst_lam = fmax(worst_lam, dl);
        hol_state_destroy(&y);
        close_model(&o);
    }
    print_message("80 random forests: accelerations %.1e, multipliers %.1e\n", worst_a, worst_lam);
    assert_true(worst_a < 1e-12 && worst_lam < 1e-12);
    free(t.text);
}

// ---- joint coordinates ------------------------------------------------------------------------------------------

// Everything at random; accelerations against the second derivative of the motion they say, by differences of the rates.
static void coordinates_follow(setting *o, double worst[4])
{
    hol_coordinates *c;
    hol_obstacle why;
    hol_state y;
    const hol_status st = hol_coordinates_create(o->ctx, o->r, &o->x, &c, &why);
    if (st) print_error("%s: %s\n", why.name, why.why);
    assert_int_equal(st, HOL_OK);
    const hol_coordinates_size *z = hol_coordinates_sizes(c);
    double *q = calloc((size_t)z->n_q + 1, sizeof *q), *u = calloc((size_t)z->n_u + 1, sizeof *u);
    double *back = calloc((size_t)z->n_q + 1, sizeof *back), *rate = calloc((size_t)z->n_u + 1, sizeof *rate);
    double *q_rate = calloc((size_t)z->n_q + 1, sizeof *q_rate);
    assert_int_equal(hol_state_create(o->s, &y), HOL_OK);
    hol_state_copy(o->s, &y, &o->x);
    hol_coordinates_take(c, &o->x, q, u);
    hol_coordinates_put(c, q, u, &y);
    const int nq = o->s->nq;
    worst[0] = fmax(worst[0], difference(y.q, o->x.q, nq) / (1 + norm(o->x.q, nq)));
    worst[0] = fmax(worst[0], difference(y.v, o->x.v, nq) / (1 + norm(o->x.v, nq)));
    for (int i = 0; i < z->n_q; i++) q[i] += uniform(); // the parameters of a free rotation of any length
    for (int i = 0; i < z->n_u; i++) u[i] += uniform();
    hol_coordinates_put(c, q, u, &y);
    hol_measure v;
    hol_equations_measure(o->s, &y, &v);
    worst[1] = fmax(worst[1], fmax(v.position, v.velocity));
    double *again = calloc((size_t)z->n_u + 1, sizeof *again);
    hol_state w;
    assert_int_equal(hol_state_create(o->s, &w), HOL_OK);
    hol_state_copy(o->s, &w, &y);
    hol_coordinates_take(c, &y, back, again); // other whole turns, perhaps
    hol_coordinates_put(c, back, again, &w);
    worst[0] = fmax(worst[0], difference(y.q, w.q, nq) / (1 + norm(y.q, nq)));
    worst[0] = fmax(worst[0], difference(y.v, w.v, nq) / (1 + norm(y.v, nq)));
    // q, u -> along q', u' for a short time: v and a are the differences
    memcpy(q, back, (size_t)z->n_q * sizeof *q);
    memcpy(u, again, (size_t)z->n_u * sizeof *u);
    hol_coordinates_put(c, q, u, &y);
    assert_int_equal(hol_recursion_accelerations(o->r, &y, false), HOL_OK);
    hol_coordinates_rates(c, q, u, q_rate);
    hol_coordinates_accelerations(c, rate);
    hol_state_copy(o->s, &w, &y);
    assert_int_equal(hol_solve_accelerations(&o->k, &w), HOL_OK);
    worst[3] = fmax(worst[3], difference(y.a, w.a, nq) / (1 + norm(w.a, nq)));
    const double h = 1e-6;
    double *dq = calloc((size_t)nq, sizeof *dq), *dv = calloc((size_t)nq, sizeof *dv);
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < z->n_q; i++) back[i] = q[i] + side * h * q_rate[i];
        for (int i = 0; i < z->n_u; i++) again[i] = u[i] + side * h * rate[i];
        w.t = y.t + side * h;
        hol_coordinates_put(c, back, again, &w);
        for (int i = 0; i < nq; i++) dq[i] += side * w.q[i] / (2 * h), dv[i] += side * w.v[i] / (2 * h);
    }
    worst[2] = fmax(worst[2], difference(dq, y.v, nq) / (1 + norm(y.v, nq)));
    worst[2] = fmax(worst[2], difference(dv, y.a, nq) / (1 + norm(y.a, nq)));
    free(q), free(u), free(back), free(rate), free(q_rate), free(again), free(dq), free(dv);
    hol_state_destroy(&y);
    hol_state_destroy(&w);
    hol_coordinates_destroy(c);
}

static void joint_coordinates_on_random_forests(void **state)
{
    double worst[4] = {0};
    text t = {0};
    (void)state;
    coordinates = true;
    for (unsigned long k = 1; k <= 100; k++) {
        setting o;
        double seen[4] = {0};
        random_forest(&t, 3 + (int)(k % 14), k % 2 ? 3 : 2, 3000 + k);
        assert_int_equal(open_model(&o, &t), HOL_OK);
        coordinates_follow(&o, seen);
        if (seen[0] > 1e-13 || seen[1] > 1e-13 || seen[2] > 1e-7 || seen[3] > 1e-11)
            print_message("%lu: %.1e %.1e %.1e %.1e\n%s\n", k, seen[0], seen[1], seen[2], seen[3],
                          k < 3 ? t.text : "");
        for (int i = 0; i < 4; i++) worst[i] = fmax(worst[i], seen[i]);
        close_model(&o);
    }
    coordinates = false;
    print_message(
        "100 random forests: there and back %.1e, joints %.1e, differences %.1e, accelerations %.1e\n",
        worst[0], worst[1], worst[2], worst[3]);
    assert_true(worst[0] < 1e-13 && worst[1] < 1e-13 && worst[2] < 1e-7 && worst[3] < 1e-11);
    free(t.text);
}

// Driven joints: all four ways in which the ends of joint and driver can stand.
static void joint_coordinates_with_drivers(void **state)
{
    text t = {0};
    double worst[4] = {0};
    (void)state;
    for (int k = 0; k < 8; k++) {
        setting o;
        const char *const ends[] = {"[a, b]", "[b, a]"};
        t.n = 0;
        add(&t,
            "dimension: %d\ngravity: %s\nbodies:\n"
            "  - {name: a, mass: 1, inertia: 0.2, position: %s, omega: %s}\n"
            "  - {name: b, mass: 1, inertia: 0.3, position: %s, orientation: {axis: [0, 1, 0], angle: 20 "
            "deg}}\n"
            "joints:\n"
            "  - {name: p, type: revolute, bodies: [ground, a], at: %s%s}\n"
            "  - {name: q, type: %s, bodies: %s, at: %s%s}\n"
            "drivers:\n  - {name: turn, type: %s, joint: q, value: 0.3 + 0.2*sin(2*time)}\n",
            k & 1 ? 3 : 2, k & 1 ? "[0, 1, -9]" : "[0, -9]", k & 1 ? "[1, 0, 0]" : "[1, 0]",
            k & 1 ? "[0, 0, 1]" : "1", k & 1 ? "[2, 0.1, 0]" : "[2, 0.1]", k & 1 ? "[0, 0, 0]" : "[0, 0]",
            k & 1 ? ", axis: [0, 0, 1]" : "", k & 4 ? "revolute" : "translational", ends[(k >> 1) & 1],
            k & 1 ? "[1.5, 0, 0]" : "[1.5, 0]",
            k & 1   ? ", axis: [0.1, 0.2, 1]"
            : k & 4 ? ""
                    : ", axis: [1, 0.3]",
            k & 4 ? "angle" : "stroke");
        if (!(k & 1)) { // no orientation in the plane
            char *at = strstr(t.text, ", orientation"), *end = strstr(t.text, "20 deg}") + 7;
            memmove(at, end, strlen(end) + 1);
            t.n = strlen(t.text);
        }
        assert_int_equal(open_model(&o, &t), HOL_OK);
        assert_int_equal(o.forest.n_cut, 0);
        o.x.t = 0;
        coordinates_follow(&o, worst);
        close_model(&o);
    }
    print_message("driven: there and back %.1e, joints %.1e, differences %.1e, accelerations %.1e\n",
                  worst[0], worst[1], worst[2], worst[3]);
    assert_true(worst[0] < 1e-13 && worst[1] < 1e-13 && worst[2] < 1e-7 && worst[3] < 1e-11);
    free(t.text);
}

// ---- loops --------------------------------------------------------------------------------------------------------

// D K D^T, column by column (n x n).
static double *loop_operator(hol_recursion *r)
{
    const size_t n = (size_t)hol_recursion_sizes(r)->n_loops;
    double *A = calloc(n * n + 1, sizeof *A);
    assert_non_null(A);
    for (size_t k = 0; k < n; k++) {
        A[k * n + k] = 1;
        hol_recursion_operator(r, A + k * n, hol_recursion_room(r), A + k * n);
    }
    return A;
}

static void prefer_tree(setting *o)
{
    bool changed;
    hol_state *const x = &o->x;
    assert_int_equal(hol_forest_prefer(o->ctx, &o->forest, x, o->rank.active, &changed), HOL_OK);
    if (changed) assert_int_equal(hol_kernel_reselect(&o->k, o->rank.active, &x, 1), HOL_OK);
}

// u and x->lam of the closed loops by a dense solve for their multipliers; the largest differences from the sparse solve.
static void closed_loops(setting *o, double *da, double *dlam)
{
    hol_recursion *r = o->r;
    const hol_recursion_size *z = hol_recursion_sizes(r);
    double *mu = calloc((size_t)z->n_loops + 1, sizeof *mu), *u = calloc((size_t)z->n, sizeof *u);
    double *f = calloc((size_t)z->n, sizeof *f);
    int *pivot = calloc((size_t)z->n_loops + 1, sizeof *pivot);
    hol_state y;
    assert_int_equal(hol_state_create(o->s, &y), HOL_OK);
    hol_state_copy(o->s, &y, &o->x);
    hol_recursion_set(r, &y);
    hol_recursion_set_loops(r, &y);
    assert_int_equal(hol_recursion_factor(r), HOL_OK);
    double *A = loop_operator(r);
    hol_recursion_apply(r, hol_recursion_forces(r), hol_recursion_bias(r), u);
    hol_recursion_loops_times(r, u, mu); // A mu = D u_free - tau
    for (int i = 0; i < z->n_loops; i++) mu[i] -= hol_recursion_theta_tau(r)[i];
    if (z->n_loops) {
        assert_int_equal(hol_dense_lu_factor(o->ctx, z->n_loops, A, pivot), HOL_OK);
        assert_int_equal(hol_dense_lu_solve(o->ctx, z->n_loops, A, pivot, false, 1, mu), HOL_OK);
    }
    memcpy(f, hol_recursion_forces(r), (size_t)z->n * sizeof *f);
    hol_recursion_loops_force(r, -1, mu, f);
    hol_recursion_apply(r, f, hol_recursion_bias(r), u);
    hol_recursion_multipliers(r, f, u);
    hol_recursion_put_accelerations(r, u, &y);
    hol_recursion_put_multipliers(r, mu, &y);
    assert_int_equal(hol_solve_accelerations(&o->k, &o->x), HOL_OK);
    *da = difference(y.a, o->x.a, o->s->nq) / (1 + norm(o->x.a, o->s->nq));
    *dlam = difference(y.lam, o->x.lam, o->s->nc) / (1 + norm(o->x.lam, o->s->nc));
    hol_state_destroy(&y);
    free(A), free(mu), free(u), free(f), free(pivot);
}

// Ladder of K squares of unit rods, its first corner on ground; with `loop`, text for the joints of the lower rail.
static void ladder(text *t, int K, const char *loop)
{
    t->n = 0;
    add(t, "dimension: 2\ngravity: [0, -1]\nbodies:\n");
    for (int i = 0; i <= K; i++)
        add(t,
            "  - {name: r%d, mass: 1, inertia: 1/12, position: [%d, -0.5], angle: -pi/2, velocity: [0, "
            "0.1*%d]}\n",
            i, i, i);
    for (int i = 1; i <= K; i++)
        add(t,
            "  - {name: t%d, mass: 1, inertia: 1/12, position: [%d - 0.5, 0], omega: 0.1, velocity: [0, "
            "0.1*%d - 0.05]}\n"
            "  - {name: u%d, mass: 1, inertia: 1/12, position: [%d - 0.5, -1], omega: 0.1, velocity: [0, "
            "0.1*%d - 0.05]}\n",
            i, i, i, i, i, i);
    add(t, "joints:\n  - {name: corner, type: revolute, bodies: [ground, t1], at: [0, 0]}\n"
           "  - {name: a0, type: revolute, bodies: [t1, r0], at: [0, 0]}\n"
           "  - {name: b0, type: revolute, bodies: [r0, u1], at: [0, -1]}\n");
    for (int i = 1; i <= K; i++) {
        add(t, "  - {name: a%d, type: revolute, bodies: [t%d, r%d], at: [%d, 0]}\n", i, i, i, i);
        add(t, "  - {name: b%d, type: revolute, bodies: [u%d, r%d], at: [%d, -1]}\n", i, i, i, i);
        if (i == K) break;
        add(t, "  - {name: T%d, type: revolute, bodies: [t%d, t%d], at: [%d, 0]}\n", i, i, i + 1, i);
        add(t, "  - {name: U%d, type: revolute, bodies: [u%d, u%d], at: [%d, -1]%s}\n", i, i, i + 1, i, loop);
    }
}

// Net of L x L squares of unit rods in space, flat, its corner on ground. Columns run along y, rows along x.
static void net(text *t, int L)
{
    t->n = 0;
    add(t, "dimension: 3\ngravity: [0, 0, -1]\nbodies:\n");
    for (int i = 0; i <= L; i++)
        for (int k = 0; k < L; k++)
            add(t,
                "  - {name: c%d_%d, mass: 1, inertia: [1/12, 0.001, 1/12], position: [%d, %d + 0.5, 0]}\n"
                "  - {name: r%d_%d, mass: 1, inertia: [0.001, 1/12, 1/12], position: [%d + 0.5, %d, 0]}\n",
                i, k, i, k, i, k, k, i);
    add(t, "joints:\n  - {name: corner, type: spherical, bodies: [ground, c0_0], at: [0, 0, 0]}\n");
    for (int i = 0; i <= L; i++)
        for (int k = 0; k <= L; k++) { // the node (i, k): columns through, rows through, and the two together
            const int c = k < L ? k : k - 1, r = i < L ? i : i - 1;
            if (k > 0 && k < L)
                add(t, "  - {name: C%d_%d, type: spherical, bodies: [c%d_%d, c%d_%d], at: [%d, %d, 0]}\n", i,
                    k, i, k - 1, i, k, i, k);
            if (i > 0 && i < L)
                add(t, "  - {name: R%d_%d, type: spherical, bodies: [r%d_%d, r%d_%d], at: [%d, %d, 0]}\n", i,
                    k, k, i - 1, k, i, i, k);
            add(t, "  - {name: X%d_%d, type: spherical, bodies: [c%d_%d, r%d_%d], at: [%d, %d, 0]}\n", i, k,
                i, c, k, r, i, k);
        }
}

static double least_eigenvalue(setting *o, double *largest)
{
    const int n = hol_recursion_sizes(o->r)->n_loops;
    double *value = calloc((size_t)n, sizeof *value);
    hol_recursion_set(o->r, &o->x);
    hol_recursion_set_loops(o->r, &o->x);
    assert_int_equal(hol_recursion_factor(o->r), HOL_OK);
    double *A = loop_operator(o->r);
    assert_int_equal(hol_dense_eigen_symmetric(o->ctx, n, A, false, value), HOL_OK);
    const double least = value[0];
    double low, high; // estimates
    assert_int_equal(hol_recursion_spectrum(o->ctx, o->r, false, &low, &high), HOL_OK);
    assert_true(low >= least * (1 - 1e-12) && low < 1.1 * least);
    assert_true(high <= value[n - 1] * (1 + 1e-12) && high > 0.98 * value[n - 1]);
    *largest = value[n - 1];
    free(A), free(value);
    return least;
}

static void ladders_keep_both_rails(void **state)
{
    text t = {0};
    (void)state;
    for (int K = 5; K <= 40; K *= 2) {
        setting o;
        double most, da, dlam;
        ladder(&t, K, "");
        assert_int_equal(open_model(&o, &t), HOL_OK);
        assert_int_equal(hol_recursion_sizes(o.r)->n_loops, 2 * K);
        for (int i = 0; i < o.forest.n_cut; i++) assert_int_equal(o.m->element[o.forest.cut[i]].name[0], 'b');
        const double least = least_eigenvalue(&o, &most);
        print_message("ladder of %d squares: eigenvalues of D K D^T from %.3f to %.3f, depth %d\n", K, least,
                      most, o.forest.depth);
        assert_true(least > 1.4 && most < 8);
        closed_loops(&o, &da, &dlam);
        print_message("  accelerations %.1e, multipliers %.1e\n", da, dlam);
        assert_true(da < 1e-12 && dlam < 1e-11);
        close_model(&o);
    }
    free(t.text);
}

static void nets_are_woven(void **state)
{
    text t = {0};
    (void)state;
    for (int L = 2; L <= 6; L += 2) {
        setting o;
        double most, da, dlam;
        net(&t, L);
        assert_int_equal(open_model(&o, &t), HOL_OK);
        for (int i = 0; i < o.forest.n_cut; i++) assert_int_equal(o.m->element[o.forest.cut[i]].name[0], 'X');
        const double least = least_eigenvalue(&o, &most);
        print_message("net of %d x %d squares: %.3f to %.3f, %d loop rows\n", L, L, least, most,
                      hol_recursion_sizes(o.r)->n_loops);
        assert_true(least > 0.9 && most < 10);
        closed_loops(&o, &da, &dlam);
        print_message("  accelerations %.1e, multipliers %.1e\n", da, dlam);
        assert_true(da < 1e-11 && dlam < 1e-10);
        close_model(&o);
    }
    free(t.text);
}

// A random forest with bars, which close loops, and a second joint beside the first one.
static void random_loops(text *t, unsigned long number)
{
    char more[600];
    size_t n = 0;
    const int bodies = 5 + (int)(number % 9);
    random_forest(t, bodies, number % 2 ? 3 : 2, 1000 + number);
    for (int i = 0; i < 2; i++) {
        const int a = below(bodies), b = (a + 1 + below(bodies - 1)) % bodies;
        n += (size_t)snprintf(more + n, sizeof more - n,
                              "  - {name: bar%d, type: distance, between: [b%d, b%d]}\n", i, a, b);
    }
    char *joints = strstr(t->text, "joints:\n") + strlen("joints:\n");
    const size_t at = (size_t)(joints - t->text);
    add(t, "%s", more); // room
    joints = t->text + at;
    memmove(joints + n, joints, t->n - n - at);
    memcpy(joints, more, n);
}

static void agrees_with_loops(void **state)
{
    text t = {0};
    double worst_a = 0, worst_lam = 0;
    int rows = 0, redundant = 0;
    (void)state;
    for (unsigned long k = 1; k <= 40; k++) {
        setting o;
        random_loops(&t, k);
        o.r = NULL;
        if (open_model(&o, &t)) {
            prefer_tree(&o);
            assert_int_equal(hol_recursion_create(o.ctx, o.s, &o.forest, &o.r), HOL_OK);
        }
        double da = 0, dlam = 0;
        rows += hol_recursion_sizes(o.r)->n_loops;
        redundant += o.rank.n_redundant;
        closed_loops(&o, &da, &dlam);
        worst_a = fmax(worst_a, da);
        worst_lam = fmax(worst_lam, dlam);
        close_model(&o);
    }
    print_message("40 random structures, %d loop rows, %d redundant: accelerations %.1e, multipliers %.1e\n",
                  rows, redundant, worst_a, worst_lam);
    assert_true(worst_a < 1e-9 && worst_lam < 1e-9);
    free(t.text);
}

// Where a settled point and its accelerations differ from those of the sparse matrix: positions and velocities by the way
// they have gone.
static void settled(hol_kernel *k, hol_loops *loops, hol_state *x, double *dq, double *dv, double *da)
{
    const hol_equations *s = k->s;
    const double away = 1e-5;
    const int n = loops->size->n;
    double *u = calloc((size_t)n, sizeof *u);
    hol_state y;
    hol_measure gap;
    assert_non_null(u);
    assert_int_equal(hol_state_create(s, &y), HOL_OK);
    hol_recursion_set(loops->r, x);
    for (int i = 0; i < n; i++) u[i] = away * uniform();
    hol_recursion_move(loops->r, 1, u, x);
    hol_recursion_set(loops->r, x);
    for (int i = 0; i < n; i++) u[i] = hol_recursion_twists(loops->r)[i] + away * uniform();
    hol_recursion_put_velocities(loops->r, u, x);
    hol_state_copy(s, &y, x);
    assert_int_equal(hol_loops_settle(loops, &y), HOL_OK);
    assert_int_equal(hol_kernel_settle(k, x), HOL_OK);
    *dq = difference(y.q, x->q, s->nq) / away;
    *dv = difference(y.v, x->v, s->nq) / away;
    hol_equations_measure(s, &y, &gap);
    assert_true(gap.position < 1e-12 && gap.velocity < 1e-11);
    hol_state_copy(s, x, &y);
    assert_int_equal(hol_solve_accelerations(k, x), HOL_OK);
    *da = difference(y.a, x->a, s->nq) / (1 + norm(x->a, s->nq));
    hol_state_destroy(&y);
    free(u);
}

// All joints cut, by blocks: accelerations, multipliers and projections.
static void joints_agree(void **state)
{
    text t = {0};
    double a = 0, lam = 0, q = 0, v = 0, after = 0;
    int rows = 0;
    (void)state;
    for (unsigned long k = 1; k <= 40; k++) {
        setting o;
        hol_loops loops;
        hol_state y;
        double dq, dv, da;
        random_loops(&t, k);
        open_model(&o, &t);
        assert_int_equal(hol_state_create(o.s, &y), HOL_OK);
        hol_state_copy(o.s, &y, &o.x);
        assert_int_equal(hol_loops_create_joints(o.ctx, o.s, 1e-13, HOL_INF, &loops), HOL_OK);
        rows += loops.size->n_loops;
        assert_int_equal(hol_loops_accelerations(&loops, &y, true), HOL_OK);
        assert_int_equal(loops.rank, loops.size->n_loops);
        assert_int_equal(hol_solve_accelerations(&o.k, &o.x), HOL_OK);
        a = fmax(a, difference(y.a, o.x.a, o.s->nq) / (1 + norm(o.x.a, o.s->nq)));
        lam = fmax(lam, difference(y.lam, o.x.lam, o.s->nc) / (1 + norm(o.x.lam, o.s->nc)));
        settled(&o.k, &loops, &o.x, &dq, &dv, &da);
        q = fmax(q, dq), v = fmax(v, dv), after = fmax(after, da);
        hol_state_destroy(&y);
        hol_loops_destroy(&loops);
        close_model(&o);
    }
    print_message("40 random structures, %d rows of joints: accelerations %.1e, multipliers %.1e; settled: "
                  "positions %.1e, "
                  "velocities %.1e, accelerations %.1e\n",
                  rows, a, lam, q, v, after);
    assert_true(a < 1e-12 && lam < 1e-12 && q < 1e-7 && v < 1e-3 && after < 1e-12);
    free(t.text);
}

// Ladders of several pieces of the passes over bodies and joints, with the bodies in the model's order and neighbour by
// neighbour; with a force element it goes another way.
static void long_ladders_agree(void **state)
{
    static const int squares[] = {50, 400};
    text t = {0};
    (void)state;
    for (int k = 0; k < 2 * HOL_COUNT(squares); k++) {
        setting o;
        hol_loops loops;
        hol_state x, y;
        ladder(&t, squares[k / 2], "");
        if (k % 2)
            add(&t,
                "forces:\n  - {name: spring, type: spring-damper, between: [ground, u3], stiffness: 5}\n");
        open_model(&o, &t);
        assert_int_equal(hol_state_create(o.s, &x), HOL_OK);
        assert_int_equal(hol_state_create(o.s, &y), HOL_OK);
        hol_state_copy(o.s, &x, &o.x);
        hol_state_copy(o.s, &y, &o.x);
        assert_int_equal(hol_loops_create_joints(o.ctx, o.s, 1e-6, HOL_INF, &loops), HOL_OK);
        assert_int_equal(hol_loops_accelerations(&loops, &x, false), HOL_OK);
        assert_int_equal(hol_loops_accelerations(&loops, &y, true), HOL_OK);
        assert_int_equal(hol_solve_accelerations(&o.k, &o.x), HOL_OK);
        const double a = difference(x.a, o.x.a, o.s->nq) / (1 + norm(o.x.a, o.s->nq));
        const double lam = difference(y.lam, o.x.lam, o.s->nc) / (1 + norm(o.x.lam, o.s->nc));
        print_message("%d squares%s: accelerations %.1e, multipliers %.1e\n", squares[k / 2],
                      k % 2 ? ", a spring" : "", a, lam);
        assert_true(a < 1e-11 && lam < 1e-11);
        assert_memory_equal(x.a, y.a, (size_t)o.s->nq * sizeof *x.a);
        x.q[2] = HOL_INF;
        assert_int_equal(hol_loops_accelerations(&loops, &x, false), HOL_RECOVERABLE);
        hol_state_destroy(&x);
        hol_state_destroy(&y);
        hol_loops_destroy(&loops);
        close_model(&o);
    }
    free(t.text);
}

static void projects(void **state)
{
    text t = {0};
    (void)state;
    double worst = 0;
    for (unsigned long k = 1; k <= 30; k++) {
        setting o;
        hol_measure v;
        int count = 0;
        random_forest(&t, 3 + (int)(k % 9), k % 2 ? 3 : 2, 500 + k);
        assert_int_equal(open_model(&o, &t), HOL_OK);
        const int n = hol_recursion_sizes(o.r)->n;
        double *u = calloc((size_t)n, sizeof *u);
        for (int i = 0; i < n; i++) u[i] = 1e-3 * uniform();
        hol_recursion_set(o.r, &o.x);
        hol_recursion_move(o.r, 1, u, &o.x);
        const hol_status st = hol_recursion_project_positions(o.r, &o.x, 1e-13, &count);
        if (st) print_error("%lu: not projected\n%s", k, t.text);
        assert_int_equal(st, HOL_OK);
        assert_in_range(count, 1, 5);
        hol_recursion_set(o.r, &o.x);
        for (int i = 0; i < n; i++) u[i] = hol_recursion_twists(o.r)[i] + 0.1 * uniform();
        hol_recursion_put_velocities(o.r, u, &o.x);
        assert_int_equal(hol_recursion_project_velocities(o.r, &o.x), HOL_OK);
        hol_equations_measure(o.s, &o.x, &v);
        worst = fmax(worst, fmax(v.position, v.velocity));
        if (fmax(v.position, v.velocity) > 1e-12)
            print_message("%lu: %.1e %.1e\n", k, v.position, v.velocity);
        free(u);
        close_model(&o);
    }
    print_message("projected: %.1e\n", worst);
    assert_true(worst < 1e-12);
    free(t.text);
}

static void choice_is_linear(void **state)
{
    text t = {0};
    long visited[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        setting o;
        ladder(&t, i ? 400 : 40, "");
        assert_int_equal(open_model(&o, &t), HOL_OK);
        visited[i] = o.forest.visited;
        close_model(&o);
    }
    assert_true(visited[1] <= 10.5 * (double)visited[0]);
    free(t.text);
}

static void option_overrides(void **state)
{
    text t = {0};
    setting o;
    (void)state;
    ladder(&t, 4, ", loop: yes");
    assert_int_equal(open_model(&o, &t), HOL_OK);
    int cut = 0;
    for (int i = 0; i < o.forest.n_cut; i++) cut += o.m->element[o.forest.cut[i]].name[0] == 'U';
    assert_int_equal(cut, 3);
    close_model(&o);
    ladder(&t, 4, ", loop: no");
    assert_int_equal(open_model(&o, &t), HOL_OK);
    close_model(&o);
    static const char ring[] =
        "dimension: 2\ngravity: [0, 0]\nbodies: [{name: a, mass: 1, inertia: 1}, {name: b, mass: 1, "
        "inertia: 1, position: [1, 0]}]\njoints:\n"
        "  - {name: p, type: revolute, bodies: [ground, a], at: [0, 0], loop: no}\n"
        "  - {name: q, type: revolute, bodies: [a, b], at: [0, 1], loop: no}\n"
        "  - {name: s, type: revolute, bodies: [b, ground], at: [1, 0], loop: no}\n";
    hol_context *ctx = hol_context_create();
    hol_spec *spec = hol_spec_read_text(ctx, "ring", ring, strlen(ring), NULL, 0);
    hol_model_data *m = hol_model_compile(spec);
    hol_forest f;
    assert_non_null(m);
    assert_int_equal(hol_forest_create(ctx, m, m->q0, &f), HOL_ERR_MODEL);
    print_message("%s\n", hol_context_error(ctx));
    assert_non_null(strstr(hol_context_error(ctx), "must be cut: s, "));
    hol_forest_destroy(&f);
    hol_model_free(m);
    hol_context_destroy(ctx);
    free(t.text);
}

static void refuses_by_name(void **state)
{
    text t = {0};
    setting o;
    (void)state;
    add(&t, "dimension: 2\ngravity: [0, -1]\nbodies: [{name: rod, mass: 0, inertia: 0, position: [1, 0]}, "
            "{name: a, mass: 1, "
            "inertia: 1, position: [2, 0]}]\njoints:\n"
            "  - {name: p, type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
            "  - {name: q, type: revolute, bodies: [rod, a], at: [2, 0]}\n");
    assert_int_equal(open_model(&o, &t), HOL_OK);
    assert_int_equal(hol_recursion_accelerations(o.r, &o.x, true), HOL_OK); // what hangs on it resists
    close_model(&o);
    t.n = 0;
    add(&t, "dimension: 2\ngravity: [0, -1]\nbodies: [{name: rod, mass: 0, inertia: 0, position: [1, "
            "0]}]\njoints:\n"
            "  - {name: p, type: revolute, bodies: [ground, rod], at: [0, 0]}\n");
    memset(&o, 0, sizeof o);
    o.ctx = hol_context_create();
    o.m = hol_model_compile(hol_spec_read_text(o.ctx, "rod", t.text, t.n, NULL, 0));
    o.k = hol_kernel_of(hol_equations_create(o.ctx, o.m, NULL));
    o.s = o.k.s;
    assert_int_equal(hol_state_create(o.s, &o.x), HOL_OK);
    memcpy(o.x.q, o.m->q0, 3 * sizeof *o.x.q);
    assert_int_equal(hol_forest_create(o.ctx, o.m, o.x.q, &o.forest), HOL_OK);
    assert_int_equal(hol_recursion_create(o.ctx, o.s, &o.forest, &o.r), HOL_OK);
    assert_int_equal(hol_recursion_accelerations(o.r, &o.x, true), HOL_ERR_MODEL);
    assert_non_null(strstr(hol_context_error(o.ctx), "bodies.rod"));
    close_model(&o);
    free(t.text);
}

// A driver in a joint of the tree ties with it; a second hinge on the same two bodies is cut.
static void ties_of_two_elements(void **state)
{
    text t = {0};
    setting o;
    double da, dlam;
    (void)state;
    add(&t, "dimension: 3\ngravity: [0, 0, -9.81]\nground:\n  markers:\n    - {name: moving, position: [0, "
            "0, 0]}\n"
            "bodies:\n  - {name: a, mass: 1, inertia: [1, 2, 2], position: [1, 0, 0]}\n"
            "  - {name: b, mass: 1, inertia: [1, 2, 2], position: [2, 0, 0]}\njoints:\n"
            "  - {name: p, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
            "  - {name: q, type: revolute, bodies: [b, a], at: [1.5, 0, 0], axis: [0, 1, 0]}\n"
            "  - {name: q2, type: revolute, bodies: [b, a], at: [1.5, 1, 0], axis: [0, 1, 0]}\n"
            "drivers:\n  - {name: turn, type: angle, joint: p, value: 0.3*sin(2*time)}\n");
    char *ground = strstr(t.text, "ground:\n");
    char *bodies = strstr(t.text, "bodies:\n");
    memmove(ground, bodies, strlen(bodies) + 1);
    t.n = strlen(t.text);
    if (open_model(&o, &t)) {
        prefer_tree(&o);
        assert_int_equal(hol_recursion_create(o.ctx, o.s, &o.forest, &o.r), HOL_OK);
    }
    assert_int_equal(o.forest.first[1] - o.forest.first[0], 2);
    assert_int_equal(o.forest.n_cut, 1);
    closed_loops(&o, &da, &dlam);
    print_message("driver and two hinges: %.1e, %.1e\n", da, dlam);
    assert_true(da < 1e-12 && dlam < 1e-12);
    close_model(&o);
    free(t.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_on_random_forests),
        cmocka_unit_test(joint_coordinates_on_random_forests),
        cmocka_unit_test(joint_coordinates_with_drivers),
        cmocka_unit_test(ladders_keep_both_rails),
        cmocka_unit_test(nets_are_woven),
        cmocka_unit_test(agrees_with_loops),
        cmocka_unit_test(joints_agree),
        cmocka_unit_test(long_ladders_agree),
        cmocka_unit_test(projects),
        cmocka_unit_test(choice_is_linear),
        cmocka_unit_test(option_overrides),
        cmocka_unit_test(refuses_by_name),
        cmocka_unit_test(ties_of_two_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
