// The tree of joints: its choice, the O(n) solve against the sparse KKT matrix, loops, projections.
#include "tree_models.h"

static void forests_agree(bool with_rotors)
{
    double worst_a = 0, worst_lam = 0;
    int rotors = 0;
    text t = {0};
    geared = with_rotors;
    for (unsigned long k = 1; k <= 80; k++) {
        setting o;
        random_forest(&t, 3 + (int)(k % 14), k % 2 ? 3 : 2, k);
        const hol_status st = open_model(&o, &t);
        if (st) print_error("%s\n%s\n", hol_context_error(o.ctx), t.text);
        assert_int_equal(st, HOL_OK);
        assert_int_equal(hol_tree_sizes(o.r)->n_loops, 0);
        rotors += o.r->n_rotors;
        hol_state y;
        assert_int_equal(hol_state_create(o.s, &y), HOL_OK);
        hol_state_copy(o.s, &y, &o.x);
        assert_int_equal(hol_solve_accelerations(&o.k, &o.x), HOL_OK);
        memset(y.a, 0, (size_t)o.s->n * sizeof *y.a);
        if (hol_tree_accelerations(o.r, &y, true)) print_error("%s\n%s\n", hol_context_error(o.ctx), t.text);
        hol_tree_put_normalisations(o.r, &y);
        const double da = difference(y.a, o.x.a, o.s->nq) / (1 + norm(o.x.a, o.s->nq));
        const double dl = difference(y.lam, o.x.lam, o.s->nc) / (1 + norm(o.x.lam, o.s->nc));
        if (da > 1e-12 || dl > 1e-12) print_message("%lu: %.1e %.1e\n%s\n", k, da, dl, k == 1 ? t.text : "");
        worst_a = fmax(worst_a, da);
        worst_lam = fmax(worst_lam, dl);
        hol_state_destroy(&y);
        close_model(&o);
    }
    print_message("80 random forests, %d rotors: accelerations %.1e, multipliers %.1e\n", rotors, worst_a,
                  worst_lam);
    assert_true(worst_a < 1e-12 && worst_lam < 1e-12);
    assert_int_equal(rotors > 100, with_rotors);
    geared = false;
    free(t.text);
}

static void agrees_on_random_forests(void **state)
{
    (void)state;
    forests_agree(false);
}

static void agrees_with_rotors(void **state)
{
    (void)state;
    forests_agree(true);
}

// ---- loops --------------------------------------------------------------------------------------------------------

// D K D^T, column by column (n x n).
static double *loop_operator(hol_tree *r)
{
    const size_t n = (size_t)hol_tree_sizes(r)->n_loops;
    double *A = calloc(n * n + 1, sizeof *A);
    assert_non_null(A);
    for (size_t k = 0; k < n; k++) {
        A[k * n + k] = 1;
        hol_tree_operator(r, A + k * n, r->u, A + k * n);
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
    hol_tree *r = o->r;
    const hol_tree_size *z = hol_tree_sizes(r);
    double *mu = calloc((size_t)z->n_loops + 1, sizeof *mu), *u = calloc((size_t)z->n, sizeof *u);
    double *f = calloc((size_t)z->n, sizeof *f);
    int *pivot = calloc((size_t)z->n_loops + 1, sizeof *pivot);
    hol_state y;
    assert_int_equal(hol_state_create(o->s, &y), HOL_OK);
    hol_state_copy(o->s, &y, &o->x);
    hol_tree_set(r, &y);
    hol_tree_set_loops(r, &y);
    assert_int_equal(hol_tree_factor(r), HOL_OK);
    double *A = loop_operator(r);
    hol_tree_apply(r, r->f, r->jump, u);
    hol_tree_loops_times(r, u, mu); // A mu = D u_free - tau
    for (int i = 0; i < z->n_loops; i++) mu[i] -= r->tau[i];
    if (z->n_loops) {
        assert_int_equal(hol_dense_lu_factor(o->ctx, z->n_loops, A, pivot), HOL_OK);
        assert_int_equal(hol_dense_lu_solve(o->ctx, z->n_loops, A, pivot, false, 1, mu), HOL_OK);
    }
    memcpy(f, r->f, (size_t)z->n * sizeof *f);
    hol_tree_loops_force(r, -1, mu, f);
    hol_tree_apply(r, f, r->jump, u);
    hol_tree_find_multipliers(r, f, u);
    hol_tree_put_accelerations(r, u, &y);
    hol_tree_put_multipliers(r, mu, &y);
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
    const int n = hol_tree_sizes(o->r)->n_loops;
    double *value = calloc((size_t)n, sizeof *value);
    hol_tree_set(o->r, &o->x);
    hol_tree_set_loops(o->r, &o->x);
    assert_int_equal(hol_tree_factor(o->r), HOL_OK);
    double *A = loop_operator(o->r);
    assert_int_equal(hol_dense_eigen_symmetric(o->ctx, n, A, false, value), HOL_OK);
    const double least = value[0];
    double low, high; // estimates
    assert_int_equal(hol_tree_spectrum(o->ctx, o->r, &o->x, false, NULL, &low, &high), HOL_OK);
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
        assert_int_equal(hol_tree_sizes(o.r)->n_loops, 2 * K);
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
                      hol_tree_sizes(o.r)->n_loops);
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

static void loops_agree(bool with_rotors)
{
    text t = {0};
    double worst_a = 0, worst_lam = 0;
    int rows = 0, redundant = 0;
    geared = with_rotors;
    for (unsigned long k = 1; k <= 40; k++) {
        setting o;
        random_loops(&t, k);
        o.r = NULL;
        if (open_model(&o, &t)) {
            prefer_tree(&o);
            assert_int_equal(hol_tree_create(o.ctx, o.s, &o.forest, &o.r), HOL_OK);
        }
        double da = 0, dlam = 0;
        rows += hol_tree_sizes(o.r)->n_loops;
        redundant += o.rank.n_redundant;
        closed_loops(&o, &da, &dlam);
        worst_a = fmax(worst_a, da);
        worst_lam = fmax(worst_lam, dlam);
        close_model(&o);
    }
    print_message("40 random structures, %d loop rows, %d redundant: accelerations %.1e, multipliers %.1e\n",
                  rows, redundant, worst_a, worst_lam);
    assert_true(worst_a < 1e-9 && worst_lam < 1e-9);
    geared = false;
    free(t.text);
}

static void agrees_with_loops(void **state)
{
    (void)state;
    loops_agree(false);
    loops_agree(true);
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
    hol_tree_set(loops->r, x);
    for (int i = 0; i < n; i++) u[i] = away * uniform();
    hol_tree_move(loops->r, 1, u, x);
    hol_tree_set(loops->r, x);
    for (int i = 0; i < n; i++) u[i] = loops->r->nu[i] + away * uniform();
    hol_tree_put_velocities(loops->r, u, x);
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
        hol_obstacle obstacle;
        hol_state y;
        double dq, dv, da;
        random_loops(&t, k);
        open_model(&o, &t);
        assert_int_equal(hol_state_create(o.s, &y), HOL_OK);
        hol_state_copy(o.s, &y, &o.x);
        assert_int_equal(hol_loops_create_joints(o.ctx, o.s, 1e-13, HOL_INF, &loops, &obstacle), HOL_OK);
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

// A stroke depends on the length of Euler parameters as the sparse matrix sees it, not as twists do: what is closed in its inertia differs.
static bool has_stroke(const hol_tree *r)
{
    bool some = false;
    for (int i = 0; i < r->n_rotors && r->d == 6; i++)
        some |= r->rotor[i].element->type == &hol_force_inerter;
    return some;
}

// The tree with its loops' multipliers, by a matrix of the loops: the same, where rotors turn with joints too.
static void loops_settle(bool with_rotors)
{
    text t = {0};
    double a = 0, lam = 0, q = 0, v = 0, after = 0;
    int rows = 0;
    geared = with_rotors;
    for (unsigned long k = 1; k <= 40; k++) {
        setting o;
        hol_loops loops;
        hol_obstacle obstacle;
        hol_state y;
        double dq, dv, da;
        random_loops(&t, k);
        open_model(&o, &t);
        if (o.rank.n_redundant) {
            close_model(&o);
            continue;
        }
        assert_int_equal(hol_state_create(o.s, &y), HOL_OK);
        hol_state_copy(o.s, &y, &o.x);
        assert_int_equal(hol_loops_create(o.ctx, o.s, &o.x, NULL, 1e-13, &loops, &obstacle), HOL_OK);
        rows += loops.size->n_loops;
        assert_int_equal(hol_loops_accelerations(&loops, &y, HOL_WANT_ALL), HOL_OK);
        assert_int_equal(hol_solve_accelerations(&o.k, &o.x), HOL_OK);
        a = fmax(a, difference(y.a, o.x.a, o.s->nq) / (1 + norm(o.x.a, o.s->nq)));
        lam = fmax(lam, difference(y.lam, o.x.lam, o.s->nc) / (1 + norm(o.x.lam, o.s->nc)));
        settled(&o.k, &loops, &o.x, &dq, &dv, &da);
        after = fmax(after, da);
        if (!has_stroke(loops.r)) q = fmax(q, dq), v = fmax(v, dv);
        hol_state_destroy(&y);
        hol_loops_destroy(&loops);
        close_model(&o);
    }
    print_message(
        "%d rows of loops: accelerations %.1e, multipliers %.1e; settled: positions %.1e, velocities "
        "%.1e, accelerations %.1e\n",
        rows, a, lam, q, v, after);
    assert_true(rows > 40);
    assert_true(a < 1e-11 && lam < 1e-11 && q < 1e-4 && v < 1e-3 && after < 1e-11);
    geared = false;
    free(t.text);
}

static void loops_settle_in_the_metric_of_the_masses(void **state)
{
    (void)state;
    loops_settle(false);
    loops_settle(true);
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
        hol_obstacle obstacle;
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
        assert_int_equal(hol_loops_create_joints(o.ctx, o.s, 1e-6, HOL_INF, &loops, &obstacle), HOL_OK);
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
        random_forest(&t, 3 + (int)(k % 9), k % 2 ? 3 : 2, 500 + k);
        assert_int_equal(open_model(&o, &t), HOL_OK);
        const int n = hol_tree_sizes(o.r)->n;
        double *u = calloc((size_t)n, sizeof *u);
        for (int i = 0; i < n; i++) u[i] = 1e-3 * uniform();
        hol_tree_set(o.r, &o.x);
        hol_tree_move(o.r, 1, u, &o.x);
        const long steps = o.r->size.factors;
        const hol_status st = hol_tree_project_positions(o.r, &o.x, 1e-13);
        if (st) print_error("%lu: not projected\n%s", k, t.text);
        assert_int_equal(st, HOL_OK);
        assert_in_range(o.r->size.factors - steps, 1, 5);
        hol_tree_set(o.r, &o.x);
        for (int i = 0; i < n; i++) u[i] = o.r->nu[i] + 0.1 * uniform();
        hol_tree_put_velocities(o.r, u, &o.x);
        assert_int_equal(hol_tree_project_velocities(o.r, &o.x), HOL_OK);
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
    assert_int_equal(hol_tree_accelerations(o.r, &o.x, true), HOL_OK); // what hangs on it resists
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
    assert_int_equal(hol_tree_create(o.ctx, o.s, &o.forest, &o.r), HOL_OK);
    assert_int_equal(hol_tree_accelerations(o.r, &o.x, true), HOL_ERR_MODEL);
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
        assert_int_equal(hol_tree_create(o.ctx, o.s, &o.forest, &o.r), HOL_OK);
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
        cmocka_unit_test(agrees_with_rotors),
        cmocka_unit_test(ladders_keep_both_rails),
        cmocka_unit_test(nets_are_woven),
        cmocka_unit_test(agrees_with_loops),
        cmocka_unit_test(joints_agree),
        cmocka_unit_test(loops_settle_in_the_metric_of_the_masses),
        cmocka_unit_test(long_ladders_agree),
        cmocka_unit_test(projects),
        cmocka_unit_test(choice_is_linear),
        cmocka_unit_test(option_overrides),
        cmocka_unit_test(refuses_by_name),
        cmocka_unit_test(ties_of_two_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
