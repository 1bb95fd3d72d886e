// The models that come with the program: their counts, published results, references, orders of convergence.
// tools/papers shows the same and more as tables.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { MAX_SET = 12, MAX_VALUES = 40 };

// Values of the signals (separated by blanks) at the end of a run; settings are "path=value", separated by blanks.
static void run(const char *name, double h, double end, const char *settings, const char *signals,
                double *out)
{
    char text[600], list[3][200], *save, *word;
    const char *set[MAX_SET];
    int n = 0;
    snprintf(list[0], sizeof list[0], "simulate.step=%.17g", h);
    snprintf(list[1], sizeof list[1], "simulate.end=%.17g", end);
    for (; n < 2; n++) set[n] = list[n];
    snprintf(text, sizeof text, "%s", settings);
    n += split(text, set + n, MAX_SET - n);
    hol_model *model = load_model(name, set, n);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_non_null(sim);
    assert_int_equal(hol_simulation_run(sim), HOL_OK);
    const double *value = hol_simulation_values(sim);
    assert_non_null(value);
    snprintf(text, sizeof text, "%s", signals);
    n = 0;
    for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        const int i = hol_simulation_find_signal(sim, word);
        if (i < 0) fail_msg("%s: no signal %s", name, word);
        out[n++] = value[i];
    }
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

static double distance(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static int between(const char *what, double x, double low, double high)
{
    if (x >= low && x <= high) return 0;
    print_error("%s: %.6g, wanted is %.6g .. %.6g\n", what, x, low, high);
    return 1;
}

// ---- counts ---------------------------------------------------------------------------------------------------

static void models_have_the_right_counts(void **state)
{
    static const struct {
        const char *name, *set;
        int bodies, coordinates, constraints, degrees_of_freedom;
    } models[] = {{"andrews", NULL, 7, 21, 20, 1},
                  {"bricard", NULL, 5, 35, 35, 1},
                  {"car_axis", NULL, 2, 4, 2, 2},
                  {"chain", NULL, 10, 30, 20, 10},
                  {"chain3d", NULL, 10, 70, 60, 10},
                  {"chain3d", "parameters.n=100", 100, 700, 600, 100},
                  {"double_pendulum", NULL, 2, 6, 4, 2},
                  {"double_pendulum_3d", NULL, 2, 14, 10, 4},
                  {"flyball", NULL, 4, 28, 24, 4},
                  {"four_bar", NULL, 5, 15, 14, 1},
                  {"four_bar", "parameters.N=40", 81, 243, 242, 1},
                  {"pendulum", NULL, 1, 2, 1, 1},
                  {"slider_crank", NULL, 3, 9, 8, 1},
                  {"stiff_pendulum", NULL, 1, 3, 2, 1},
                  {"stiff_pendulum_angle", NULL, 1, 3, 2, 1},
                  {"ladder", NULL, 22, 66, 58, 8},
                  {"net", NULL, 40, 280, 208, 72},
                  {"ring", NULL, 12, 36, 26, 10},
                  {"tower", NULL, 199, 597, 596, 1},
                  {"tower", "parameters.diagonals=2", 248, 744, 792, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        hol_model *model = load_model(models[i].name, &models[i].set, models[i].set != NULL);
        hol_check *c = hol_check_create(ctx, model);
        assert_non_null(c);
        const int got[] = {c->bodies, c->coordinates, c->constraints, c->degrees_of_freedom};
        const int want[] = {models[i].bodies, models[i].coordinates, models[i].constraints,
                            models[i].degrees_of_freedom};
        for (int k = 0; k < 4; k++)
            if (got[k] != want[k])
                fail_msg("%s: count %d is %d, wanted is %d", models[i].name, k, got[k], want[k]);
        assert_int_equal(c->n_redundant, c->constraints - c->rank);
        assert_false(c->momentary);
        assert_true(c->position_violation < 1e-12 && c->velocity_violation < 1e-12);
        hol_check_destroy(c);
        hol_model_destroy(model);
    }
}

static void every_model_starts_and_runs(void **state)
{
    static const char *const names[] = {
        "andrews",         "bricard", "car_axis",     "chain",          "chain3d",
        "double_pendulum", "flyball", "four_bar",     "ladder",         "net",
        "pendulum",        "ring",    "slider_crank", "stiff_pendulum", "stiff_pendulum_angle",
        "tower",           "walker"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        hol_model *model = load_model(names[i], NULL, 0);
        hol_simulation *sim = hol_simulation_create(ctx, model);
        bool done = false;
        assert_non_null(sim);
        for (int k = 0; k < 50 && !done; k++) assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
        const hol_statistics *s = hol_simulation_finish(sim);
        // with error control Newton stops at a thousandth of the admitted error
        assert_true(s->max_position_violation < 1e-9 + 0.1 * s->tolerance);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

// ---- Gavrea et al. 2005 ------------------------------------------------------------------------------------------------

#define AS_PUBLISHED                                                                                         \
    "simulate.method=newmark newmark.predictor=0 newmark.jacobian=every-iteration "                          \
    "newmark.accept_unconverged=yes "

typedef struct {
    int k; // h = 2^-k
    double q, v;
} published;

static int compare(const char *name, double end, const char *settings, const char *signals,
                   const double *exact, int n, const published *rows, int n_rows)
{
    int wrong = 0;
    for (int i = 0; i < n_rows; i++) {
        double x[MAX_VALUES];
        run(name, ldexp(1, -rows[i].k), end, settings, signals, x);
        wrong += between("error of q / published", distance(x, exact, n) / rows[i].q, 0.99, 1.01);
        wrong += between("error of v / published", distance(x + n, exact + n, n) / rows[i].v, 0.99, 1.01);
    }
    return wrong;
}

// x, y, vx, vy at t = 4 s: tests/reference/pendulum.csv
static const double pendulum_4[] = {0.6185801137750821, -0.7857217337213007, 1.8603296423332883,
                                    1.4645934717415677};

static void tables_of_gavrea_2005_pendulum(void **state)
{
    static const published table_1[] = {{4, 7.72e-2, 7.46e-1}, {5, 1.49e-2, 2.94e-2}, {6, 4.48e-3, 1.10e-2},
                                        {7, 1.13e-3, 3.42e-3}, {8, 2.82e-4, 9.02e-4}, {9, 7.05e-5, 2.29e-4}};
    static const published table_2[] = {{4, 1.56e-1, 1.13},    {5, 6.21e-2, 7.38e-1}, {6, 2.26e-2, 4.27e-1},
                                        {7, 8.19e-3, 2.31e-1}, {8, 3.15e-3, 1.20e-1}, {9, 1.31e-3, 6.12e-2}};
    static const char *const signals = "bob.x bob.y bob.vx bob.vy";
    (void)state;
    assert_int_equal(0, compare("pendulum", 4,
                                AS_PUBLISHED "newmark.max_newton=1 newmark.gamma=0.5 newmark.beta=0.25",
                                signals, pendulum_4, 2, table_1, 6));
    assert_int_equal(0, compare("pendulum", 4, AS_PUBLISHED "newmark.max_newton=1 newmark.gamma=0.75",
                                signals, pendulum_4, 2, table_2, 6));
}

static void tables_of_gavrea_2005_double_pendulum(void **state)
{
    static const published table_3[] = {
        {9, 7.76e-2, 1.59e-1}, {10, 1.26e-2, 9.39e-2}, {11, 5.85e-3, 4.82e-2}};
    // theta1, theta2, omega1, omega2 at t = 2 s: tests/reference/double_pendulum.csv
    const double a = 4.640478183221331, b = 4.640496701688532, wa = -1.6298924540837664,
                 wb = -1.6302527153802556;
    const double exact[] = {cos(a),
                            sin(a),
                            a,
                            2 * cos(a) + 1.5 * cos(b),
                            2 * sin(a) + 1.5 * sin(b),
                            b,
                            -wa * sin(a),
                            wa * cos(a),
                            wa,
                            -2 * wa * sin(a) - 1.5 * wb * sin(b),
                            2 * wa * cos(a) + 1.5 * wb * cos(b),
                            wb};
    (void)state;
    assert_int_equal(0, compare("double_pendulum", 2,
                                AS_PUBLISHED "newmark.max_newton=3 newmark.gamma=0.75 parameters.omega2=10",
                                "rod1.x rod1.y rod1.theta rod2.x rod2.y rod2.theta "
                                "rod1.vx rod1.vy rod1.omega rod2.vx rod2.vy rod2.omega",
                                exact, 6, table_3, 3));
}

// ---- orders ---------------------------------------------------------------------------------------------------

static int order_is(const char *what, double coarse, double fine, double claimed)
{
    return between(what, log2(coarse / fine), claimed - 0.1, claimed + 0.1);
}

static void orders_on_the_pendulum(void **state)
{
    static const struct {
        const char *settings;
        int k, order;
    } methods[] = {{"simulate.method=hht", 8, 2},
                   {"simulate.method=genalpha", 8, 2},
                   {"simulate.method=newmark newmark.gamma=0.75", 11, 1}};
    const double lam = 6.656895311708939; // of x^2 + y^2 - 1 at t = 4 s
    const double force[] = {-2 * lam * pendulum_4[0], -2 * lam * pendulum_4[1]};
    int wrong = 0;
    (void)state;
    for (int i = 0; i < 3; i++) {
        double e[2][2];
        for (int k = 0; k < 2; k++) {
            double x[6];
            run("pendulum", ldexp(1, -methods[i].k - k), 4, methods[i].settings,
                "bob.x bob.y bob.vx bob.vy rod.Fx rod.Fy", x);
            e[k][0] = distance(x + 2, pendulum_4 + 2, 2);
            e[k][1] = distance(x + 4, force, 2);
        }
        wrong += order_is(methods[i].settings, e[0][0], e[1][0], methods[i].order);
        wrong += order_is(methods[i].settings, e[0][1], e[1][1], methods[i].order);
    }
    assert_int_equal(wrong, 0);
}

// Euler parameters make the mass matrix depend on the position: this is where averaged equations lose their order.
static void orders_in_space(void **state)
{
    static const char *const q = "upper.x upper.y upper.z upper.qw upper.qx upper.qy upper.qz "
                                 "lower.x lower.y lower.z lower.qw lower.qx lower.qy lower.qz "
                                 "upper.vx upper.vy upper.vz upper.wx upper.wy upper.wz "
                                 "lower.vx lower.vy lower.vz lower.wx lower.wy lower.wz "
                                 "ball.Fx ball.Fy ball.Fz hinge.Fx hinge.Fy hinge.Fz hinge.Tx hinge.Ty";
    static const struct {
        const char *settings;
        int order, first; // values compared start there: positions of Newmark reach their order later
    } methods[] = {{"simulate.method=hht", 2, 0},
                   {"simulate.method=genalpha", 2, 0},
                   {"simulate.method=newmark newmark.gamma=0.75", 1, 14}};
    static const int part[] = {0, 14, 26, 34};
    double fine[MAX_VALUES], x[2][MAX_VALUES];
    int wrong = 0;
    (void)state;
    run("double_pendulum_3d", ldexp(1, -12), 1, "simulate.method=genalpha", q, fine);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++)
            run("double_pendulum_3d", ldexp(1, -8 - k), 1, methods[i].settings, q, x[k]);
        for (int p = 0; p < 3; p++) {
            const int at = part[p], n = part[p + 1] - at;
            if (at >= methods[i].first)
                wrong += order_is(methods[i].settings, distance(x[0] + at, fine + at, n),
                                  distance(x[1] + at, fine + at, n), methods[i].order);
        }
    }
    assert_int_equal(wrong, 0);
}

// ---- references -----------------------------------------------------------------------------------------------

// At the time `end`: tests/reference/NAME.csv.
static const double four_bar_10[] = {0.32845811154082658, 0.94451853817859707};
static const double andrews_003[] = {15.8107711951537071};
static const double bricard_2[] = {-0.96934034477765171, -1.2212468949563175, 0.75427801077977656};
static const double bricard_10[] = {0.99999996380635012, -1.0002690126961642, 0.99973095111992042};
static const double flyball_2[] = {0.5059092942967042};
static const double car_axis_3[] = {0.049345578427524116, 0.4969894602300081, 1.0417425248854263,
                                    0.37391102726536581};

// Small steps pass the singular poses of the four-bar and of the rows kept in the Bricard loop closely.
static void mechanisms_meet_their_references(void **state)
{
    static const struct {
        const char *name;
        double h, end;
        const char *signals;
        int n;
        const double *exact;
        double allowed; // about twice the error of either method
    } mechanisms[] = {{"four_bar", 2.5e-3, 10, "crank0.tip.x crank0.tip.y", 2, four_bar_10, 2e-3},
                      {"four_bar", 6.25e-4, 10, "crank0.tip.x crank0.tip.y", 2, four_bar_10, 2e-4},
                      {"andrews", 1e-5, 0.03, "OF.theta", 1, andrews_003, 3e-4},
                      {"bricard", 5e-3, 2, "rod3.P3.x rod3.P3.y rod3.P3.z", 3, bricard_2, 8e-4},
                      {"bricard", 1.25e-3, 10, "rod3.P3.x rod3.P3.y rod3.P3.z", 3, bricard_10, 1e-4},
                      {"flyball", 5e-3, 2, "slider.z", 1, flyball_2, 1e-3},
                      {"car_axis", 1e-3, 3, "left.x left.y right.x right.y", 4, car_axis_3, 1e-3}};
    static const char *const methods[] = {"simulate.method=hht", "simulate.method=genalpha"};
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++)
        for (int m = 0; m < 2; m++) {
            double x[MAX_VALUES];
            run(mechanisms[i].name, mechanisms[i].h, mechanisms[i].end, methods[m], mechanisms[i].signals, x);
            const double error = distance(x, mechanisms[i].exact, mechanisms[i].n);
            wrong += between(mechanisms[i].name, error, 0, mechanisms[i].allowed);
        }
    assert_int_equal(wrong, 0);
}

// theta = asin(T0/9.8 sin(0.1 t)) while the torque grows slowly; the bounds leave room for the swinging about it.
static void the_body_without_inertia_follows_its_torque(void **state)
{
    static const char *const models[] = {"stiff_pendulum", "stiff_pendulum_angle"};
    double theta;
    (void)state;
    run("stiff_pendulum", 0.05, 5 * PI, "parameters.T0=5 simulate.method=genalpha", "bob.theta", &theta);
    assert_int_equal(0, between("theta", theta, asin(5 / 9.8) - 0.03, asin(5 / 9.8) + 0.03));
    // from T0 = 5, omega = 0.5 at t = 4 s, integrated in the angle alone
    for (int i = 0; i < 2; i++) {
        run(models[i], 1e-3, 4, "parameters.T0=5 parameters.omega=0.5 simulate.method=genalpha", "bob.theta",
            &theta);
        assert_int_equal(0, between("theta", theta, 0.18675062574359 - 1e-5, 0.18675062574359 + 1e-5));
    }
}

// The singular poses of the parallelogram: cranks stay parallel, and the drift is below the benchmark's 0.1 J.
static void the_four_bar_stays_on_its_branch(void **state)
{
    static const char *const methods[] = {"simulate.method=hht", "simulate.method=genalpha"};
    (void)state;
    for (int m = 0; m < 2; m++) {
        const char *set[] = {methods[m], "simulate.step=5e-3", "simulate.end=10"};
        hol_model *model = load_model("four_bar", set, 3);
        hol_simulation *sim = hol_simulation_create(ctx, model);
        bool done = false;
        double twist = 0;
        int angle[3];
        assert_non_null(sim);
        for (int i = 0; i < 3; i++) {
            char name[20];
            snprintf(name, sizeof name, "crank%d.theta", i);
            angle[i] = hol_simulation_find_signal(sim, name);
            assert_true(angle[i] >= 0);
        }
        while (!done) {
            assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
            const double *x = hol_simulation_values(sim);
            for (int i = 1; i < 3; i++) twist = fmax(twist, fabs(sin(x[angle[i]] - x[angle[0]])));
        }
        assert_true(twist < 1e-6);
        assert_true(hol_simulation_statistics(sim)->energy_drift_max < 0.1);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

// Pose and motion relative to a marker that moves: all joints are closed, in position and in velocity.
static void poses_relative_to_a_marker_fit_its_joints(void **state)
{
    static const char *const text[] = {
        "dimension: 3\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  - {name: a, mass: 1, inertia: 1, position: [1, 2, 3], orientation: {axis: [1, 2, 3], angle: 1}, "
        "com: [0.1, 0, 0],\n"
        "     velocity: [0.1, 0.2, 0.3], omega: [1, 2, -1],\n"
        "     markers: {tip: {position: [1, 0.5, 0], orientation: {axis: [1, 0, 1], angle: 0.5}}}}\n"
        "  - {name: b, mass: 1, inertia: 1, relative_to: a.tip, com: [0, 0.2, 0], orientation: {axis: [0, 0, "
        "1], angle: 0.7},\n"
        "     omega: [0, 0, 3]}\n"
        "  - {name: c, mass: 1, inertia: 1, relative_to: b, position: [0, 0, 0.4], velocity: [0, 0, 2]}\n"
        "joints:\n"
        "  - {name: j, type: revolute, between: [a.tip, b]}\n"
        "  - {name: k, type: translational, between: [b, c]}\n",
        "dimension: 2\n"
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  - {name: a, mass: 1, inertia: 1, position: [1, 2], angle: 300 deg, velocity: [0.1, 0.2], omega: "
        "2, com: [0.1, 0],\n"
        "     markers: {tip: {position: [1, 0.5], angle: 20 deg}}}\n"
        "  - {name: b, mass: 1, inertia: 1, relative_to: a.tip, com: [0, 0.2], angle: 90 deg, omega: 3}\n"
        "  - {name: c, mass: 1, inertia: 1, relative_to: b, position: [0.3, 0], velocity: [2, 0]}\n"
        "joints:\n"
        "  - {name: j, type: revolute, between: [a.tip, b]}\n"
        "  - {name: k, type: translational, between: [b, c]}\n"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        hol_model *model = hol_model_parse(ctx, "relative.yaml", text[i], strlen(text[i]), NULL, 0);
        assert_string_equal(hol_context_error(ctx), "");
        hol_check *c = hol_check_create(ctx, model);
        assert_non_null(c);
        assert_true(c->position_violation < 1e-14 && c->velocity_violation < 1e-14);
        hol_check_destroy(c);
        hol_model_destroy(model);
    }
    hol_model *model = hol_model_parse(ctx, "relative.yaml", text[1], strlen(text[1]),
                                       (const char *const[]){"simulate.step=1", "simulate.end=1"}, 2);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_non_null(sim);
    const double theta = hol_simulation_values(sim)[hol_simulation_find_signal(sim, "c.theta")];
    const double omega = hol_simulation_values(sim)[hol_simulation_find_signal(sim, "c.omega")];
    assert_true(fabs(theta - 410 * PI / 180) < 1e-14 &&
                fabs(omega - 5) < 1e-14); // angles add up, turns included
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// The assembly closes every leg on its branch; a foot on the ground side of its path stays level to 2 % of the stride.
static void feet_of_the_walker_stay_level(void **state)
{
    static const char *const set[] = {"parameters.N=8", "simulate.max_step=0.02"};
    (void)state;
    hol_model *model = load_model("walker", set, 2);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    bool done = false;
    assert_non_null(sim);
    while (!done) {
        assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
        const double *x = hol_simulation_values(sim);
        const double crank = x[hol_simulation_find_signal(sim, "crank.theta")];
        for (int i = 1; i <= 8; i++) {
            char name[40];
            snprintf(name, sizeof name, "leg%d_0.foot.y", i);
            const double y = x[hol_simulation_find_signal(sim, name)];
            const bool low = sin(crank + i * PI / 4 - 215 * PI / 180) >= 0; // half a turn from 215 degrees
            assert_true(y > -0.3915 && y < (low ? -0.3855 : -0.318));
        }
    }
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// Rounding of positions thousands of metres away must not look like a Newton iteration that does not converge.
static void a_long_chain_converges(void **state)
{
    static const char *const set[] = {"parameters.n=5000", "simulate.step=1e-3", "simulate.signals=energy"};
    (void)state;
    hol_model *model = load_model("chain3d", set, 3);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    bool done = false;
    assert_non_null(sim);
    for (int k = 0; k < 5; k++) assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
    const hol_statistics *s = hol_simulation_finish(sim);
    assert_int_equal(s->corrector_failures, 0);
    assert_true(s->newton_iterations <= 4 * s->steps);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(models_have_the_right_counts, start, stop),
        cmocka_unit_test_setup_teardown(every_model_starts_and_runs, start, stop),
        cmocka_unit_test_setup_teardown(feet_of_the_walker_stay_level, start, stop),
        cmocka_unit_test_setup_teardown(a_long_chain_converges, start, stop),
        cmocka_unit_test_setup_teardown(poses_relative_to_a_marker_fit_its_joints, start, stop),
        cmocka_unit_test_setup_teardown(tables_of_gavrea_2005_pendulum, start, stop),
        cmocka_unit_test_setup_teardown(tables_of_gavrea_2005_double_pendulum, start, stop),
        cmocka_unit_test_setup_teardown(orders_on_the_pendulum, start, stop),
        cmocka_unit_test_setup_teardown(orders_in_space, start, stop),
        cmocka_unit_test_setup_teardown(mechanisms_meet_their_references, start, stop),
        cmocka_unit_test_setup_teardown(the_body_without_inertia_follows_its_torque, start, stop),
        cmocka_unit_test_setup_teardown(the_four_bar_stays_on_its_branch, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
