// Joint coordinates of trees: they, their rates and accelerations agree with those of the bodies.
#include "tree_models.h"

// Everything at random; accelerations against the second derivative of the motion they say, by differences of the rates.
static void coordinates_follow(setting *o, double worst[4])
{
    hol_coordinates *c;
    hol_obstacle why;
    hol_state y;
    const hol_status st = hol_coordinates_create(o->ctx, o->r, &o->x, NULL, &c, &why);
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
    assert_int_equal(hol_tree_accelerations(o->r, &y, false), HOL_OK);
    hol_coordinates_rates(c, q, u, q_rate);
    hol_coordinates_accelerations(c, NULL, rate);
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
    for (unsigned long k = 1; k <= 140; k++) {
        setting o;
        double seen[4] = {0};
        geared = k > 100;
        random_forest(&t, 3 + (int)(k % 14), k % 2 ? 3 : 2, 3000 + k);
        assert_int_equal(open_model(&o, &t), HOL_OK);
        coordinates_follow(&o, seen);
        if (seen[0] > 1e-13 || seen[1] > 1e-13 || seen[2] > 1e-7 || seen[3] > 1e-11)
            print_message("%lu: %.1e %.1e %.1e %.1e\n%s\n", k, seen[0], seen[1], seen[2], seen[3],
                          k < 3 ? t.text : "");
        for (int i = 0; i < 4; i++) worst[i] = fmax(worst[i], seen[i]);
        close_model(&o);
    }
    coordinates = geared = false;
    print_message(
        "140 random forests: there and back %.1e, joints %.1e, differences %.1e, accelerations %.1e\n",
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joint_coordinates_on_random_forests),
        cmocka_unit_test(joint_coordinates_with_drivers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
