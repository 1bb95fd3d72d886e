// rn4 and ros2w: exact Jacobians of the state-space equations, orders, step counts of the papers.
#include "harness.h"

#include "integrator/integrator.h"
#include "integrator/stages.h"
#include "linalg/dense.h"
#include "system/initial.h"
#include "system/kernel.h"
#include "system/weak.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- J1, J2, f_t against central differences ------------------------------------------------------------------

typedef struct {
    hol_model_data *m;
    hol_kernel k;
    hol_equations *s;
    hol_state x, y;
    hol_rank rank;
    hol_chart chart;
    hol_jacobian j;
} bench;

// name: of a model, or the text of one.
static void open_model(bench *b, const char *name)
{
    b->m = compile(name, NULL, 0);
    assert_int_equal(hol_initialise(ctx, b->m, true, &b->k, &b->x, &b->rank), HOL_OK);
    b->s = b->k.s;
    assert_int_equal(hol_state_create(b->s, &b->y), HOL_OK);
}

static void close_model(bench *b)
{
    hol_state_destroy(&b->x);
    hol_state_destroy(&b->y);
    hol_rank_destroy(&b->rank);
    hol_start_destroy(&b->k);
    hol_model_free(b->m);
}

// f at chart coordinates (dy, w + dw), t + dt; behind it, with velocity constraints, y'
static void value(bench *b, double dt, const double *dy, const double *w, double *f)
{
    hol_state_copy(b->s, &b->y, &b->x);
    b->y.t += dt;
    assert_int_equal(hol_chart_positions(&b->chart, &b->y, dy), HOL_OK);
    assert_int_equal(hol_chart_velocities(&b->chart, &b->y, w), HOL_OK);
    memcpy(b->y.X, w + b->chart.d, (size_t)b->s->nx * sizeof *w);
    assert_int_equal(hol_solve_accelerations(&b->k, &b->y), HOL_OK);
    hol_chart_project(&b->chart, b->y.a, f);
    for (int i = 0; i < b->s->nx; i++) f[b->chart.d + i] = b->y.z[b->m->state[i].equation];
    if (b->s->nk) hol_chart_project(&b->chart, b->y.v, f + b->j.n);
}

enum { MOST = 40 };

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// Column k of J1, J2 or f_t, and the one of y', against differences.
static double worst_column(bench *b, int k, const double *exact, const double *of_y, double scale)
{
    const int d = b->chart.d, n = b->j.n;
    double y[MOST] = {0}, w[MOST], w0[MOST], f[4][2 * MOST], worst = 0;
    hol_chart_project(&b->chart, b->x.v, w0);
    memcpy(w0 + d, b->x.X, (size_t)b->s->nx * sizeof *w0);
    // fourth-order differences: (8 (f1 - f-1) - (f2 - f-2))/12 step
    const double L = b->m->length_scale, speed = fmax(L / b->m->time_scale, largest(w0, d));
    const double step = k < d       ? 1e-4 * L
                        : k < 2 * d ? (b->s->nk ? 3e-3 : 1e-2) * speed
                        : k < d + n ? 1e-3 * b->m->state[k - 2 * d].size
                                    : (b->s->nk ? 3e-5 : 1e-4);
    static const int at[4] = {1, -1, 2, -2};
    for (int i = 0; i < 4; i++) {
        memset(y, 0, sizeof y);
        memcpy(w, w0, sizeof w);
        if (k < d) y[k] = at[i] * step;
        if (k >= d && k < d + n) w[k - d] += at[i] * step;
        value(b, k == d + n ? at[i] * step : 0, y, w, f[i]);
    }
    for (int i = 0; i < n + (of_y ? d : 0); i++) {
        const double difference = (8 * (f[0][i] - f[1][i]) - (f[2][i] - f[3][i])) / (12 * step);
        worst = fmax(worst, i < n ? fabs(difference - exact[i]) / scale : fabs(difference - of_y[i - n]));
    }
    return worst;
}

// Largest deviation of J1, J2 and f_t, each against its largest entry (at least 1).
static double jacobian_error(const char *name, bool tangent, int turn)
{
    bench b = {0};
    double worst = 0;
    hol_random r = {77 + (unsigned)turn};
    open_model(&b, name);
    for (int i = 0; i < b.s->nq; i++) b.x.v[i] += 0.3 * b.s->q_size[i] * hol_random_uniform(&r);
    assert_int_equal(hol_project_velocities(&b.k, &b.x), HOL_OK);
    assert_int_equal(hol_chart_create(ctx, b.s, tangent ? HOL_CHART_TANGENT : HOL_CHART_PARTITION, &b.chart),
                     HOL_OK);
    // another partition at every turn
    for (int i = 0; i < b.s->nq && turn; i++) b.chart.hint[i] = 1 + 0.9 * hol_random_uniform(&r);
    assert_int_equal(hol_chart_choose(&b.chart, &b.x), HOL_OK);
    assert_int_equal(hol_solve_accelerations(&b.k, &b.x), HOL_OK);
    assert_int_equal(hol_jacobian_create(ctx, &b.chart, &b.j), HOL_OK);
    assert_int_equal(hol_jacobian_find(&b.j, &b.chart, &b.k, &b.x), HOL_OK);
    const int d = b.chart.d, n = b.j.n;
    assert_true(n <= MOST);
    for (int k = 0; k < d + n + 1; k++) {
        const double *exact = k < d ? b.j.J1 + k * n : k < d + n ? b.j.J2 + (k - d) * n : b.j.ft;
        const double scale = k < d       ? largest(b.j.J1, n * n)
                             : k < d + n ? largest(b.j.J2, n * n)
                                         : largest(b.j.ft, n);
        const bool states = k >= 2 * d && k < d + n; // y' does not depend on them
        const double *of_y = !b.s->nk || states ? NULL
                             : k < d            ? b.j.V1 + k * d
                             : k < d + n        ? b.j.V2 + (k - d) * d
                                                : b.j.vt;
        worst = fmax(worst, worst_column(&b, k, exact, of_y, fmax(1, scale)));
    }
    hol_jacobian_destroy(&b.j);
    hol_chart_destroy(&b.chart);
    close_model(&b);
    return worst;
}

// Velocity constraints that are not linear in the velocities and depend on time, with joints, drivers, states and a force.
static const char planar_speed[] =
    "dimension: 2\ngravity: [0.3, -9.81]\nground: {markers: {g: [0.1, 0.2]}}\nbodies:\n"
    "  - {name: a, mass: 2, inertia: 0.5, position: [1.1, 0.2], velocity: [0.2, 1.3], omega: 1.3,\n"
    "     markers: {tip: [0.8, 0.1], foot: [-1, 0]}}\n"
    "  - {name: b, mass: 1.5, inertia: 0.3, position: [2.5, 0.9], velocity: [0.5, 0.3], markers: {end: "
    "[-0.6, -0.6]}}\n"
    "  - {name: c, mass: 1, inertia: 0.2, position: [2.7, 1.9], velocity: [-0.6, 0.3], omega: 0.3}\n"
    "joints:\n  - {name: hinge, type: revolute, between: [ground.g, a.foot]}\n"
    "  - {name: pin, type: revolute, between: [a.tip, b.end]}\n"
    "forces:\n  - {name: s, type: spring-damper, between: [b, c], stiffness: 40, damping: 2, length: 0.8}\n"
    "constraints:\n"
    "  - {name: fast, velocity: \"VX(c, a)^2 + VY(c, a)^2*(1 + 0.1*DX(c)) - (0.9 + 0.2*sin(time))^2\"}\n"
    "  - {name: blade, velocity: \"VY(b, ground, b, a) + 0.3*WZ(b)*sin(AZ(a)) + 0.1*cos(2*time)\"}\n"
    "states:\n  - {name: lag, rate: (VM(c) - lag)/0.3, initial: 0.2}\n";
static const char spatial_speed[] =
    "dimension: 3\ngravity: [0.5, 0.2, -9.81]\nground: {markers: {g: {position: [0.1, 0, 0.3], motion: {z: "
    "0.05*sin(3*time)}}}}\nbodies:\n"
    "  - {name: a, mass: 2, inertia: [0.4, 0.5, 0.6], position: [0.9, 0, 0.3], omega: [0.3, 0.5, -0.2],\n"
    "     markers: {foot: [-0.8, 0, 0], tip: [0.7, 0.2, 0.1]}}\n"
    "  - {name: b, mass: 1, inertia: [0.1, 0.2, 0.15], position: [1.9, 0.4, 0.7], velocity: [0.4, 0.1, "
    "-0.3],\n"
    "     orientation: {axis: [1, 2, 0.5], angle: 0.6}, omega: [0.2, -0.6, 0.4]}\n"
    "joints:\n  - {name: ball, type: spherical, between: [ground.g, a.foot]}\n"
    "forces:\n  - {name: s, type: spring-damper, between: [a.tip, b], stiffness: 30, damping: 1, length: "
    "0.5}\n"
    "constraints:\n"
    "  - {name: roll, velocity: \"VX(b, a.tip, a, b) - 0.3*WY(b, a, a) - 0.2*WZ(b)*DY(b, a.tip) - "
    "0.1*sin(time)\"}\n"
    "  - {name: speed, velocity: \"WM(b)^2 + 0.3*VR(b, a.tip) - 1 - 0.3*cos(time)\"}\n";

static void jacobians_are_exact(void **state)
{
    static const char *const models[] = {
        planar_speed,         spatial_speed, "rolling_disc", "knife_edge", "pendulum", "double_pendulum",
        "stiff_pendulum",     "andrews",     "bricard",      "flyball",    "car_axis", "slider_crank",
        "double_pendulum_3d", "chain3d",     "cam_follower", "gear_train", "four_bar", "inverted_pendulum",
        "hydraulic",          "impact_stop", "hmmwv",        "chain"};
    int failed = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++)
        for (int k = 0; k < 3; k++) { // tangent, two partitions
            const double error = jacobian_error(models[i], k == 0, k - 1 > 0 ? k - 1 : 0);
            if (error < 1e-7) continue;
            failed++;
            print_error("%.30s, %s: %.2e, bound 1e-7\n", models[i], k ? "partition" : "tangent", error);
        }
    assert_int_equal(failed, 0);
}

// ---- the sparse form of the stages ----------------------------------------------------------------------------

// A stage with random right-hand sides in both forms: the largest difference, against the largest entry, of vectors in the
// coordinates of the model and of users' states.
static double stage_difference(const char *name, double h, double gamma)
{
    bench b = {0};
    hol_chart implicit;
    hol_stages dense, sparse;
    hol_random r = {5};
    open_model(&b, name);
    for (int i = 0; i < b.s->nq; i++) b.x.v[i] += 0.3 * b.s->q_size[i] * hol_random_uniform(&r);
    assert_int_equal(hol_project_velocities(&b.k, &b.x), HOL_OK);
    assert_int_equal(hol_solve_accelerations(&b.k, &b.x), HOL_OK);
    assert_int_equal(hol_chart_create(ctx, b.s, HOL_CHART_TANGENT, &b.chart), HOL_OK);
    assert_int_equal(hol_chart_create(ctx, b.s, HOL_CHART_TANGENT | HOL_CHART_NO_BASIS, &implicit), HOL_OK);
    assert_int_equal(hol_chart_choose(&b.chart, &b.x), HOL_OK);
    assert_int_equal(hol_chart_choose(&implicit, &b.x), HOL_OK);
    assert_int_equal(hol_stages_create(ctx, &b.chart, &dense), HOL_OK);
    assert_int_equal(hol_stages_create(ctx, &implicit, &sparse), HOL_OK);
    assert_int_equal(hol_stages_find(&dense, &b.k, &b.x), HOL_OK);
    assert_int_equal(hol_stages_find(&sparse, &b.k, &b.x), HOL_OK);
    assert_int_equal(hol_stages_factor(&dense, h, gamma), HOL_OK);
    assert_int_equal(hol_stages_factor(&sparse, h, gamma), HOL_OK);
    const int d = b.chart.d, nq = b.s->nq, nx = b.s->nx;
    double l[MOST] = {0}, rho[MOST] = {0}, *all = calloc(4 * (size_t)(nq + nx), sizeof *all);
    assert_true(d + nx <= MOST && all);
    double *l2 = all, *rho2 = l2 + nq + nx, *l1 = rho2 + nq + nx;
    for (int i = 0; i < d + nx; i++) l[i] = h * hol_random_uniform(&r);
    for (int i = 0; i < d; i++) rho[i] = h * h * hol_random_uniform(&r);
    hol_chart_embed(&b.chart, l, l2);
    hol_chart_embed(&b.chart, rho, rho2);
    memcpy(l2 + nq, l + d, (size_t)nx * sizeof *l);
    assert_int_equal(hol_stages_solve(&dense, 0.3 * h, rho, l), HOL_OK);
    assert_int_equal(hol_stages_solve(&sparse, 0.3 * h, rho2, l2), HOL_OK);
    hol_chart_embed(&b.chart, l, l1);
    memcpy(l1 + nq, l + d, (size_t)nx * sizeof *l);
    double worst = 0;
    const double size = fmax(largest(l1, nq), 1e-300), size_x = fmax(largest(l1 + nq, nx), 1e-300);
    for (int i = 0; i < nq + nx; i++) worst = fmax(worst, fabs(l1[i] - l2[i]) / (i < nq ? size : size_x));
    free(all);
    hol_stages_destroy(&dense);
    hol_stages_destroy(&sparse);
    hol_chart_destroy(&implicit);
    hol_chart_destroy(&b.chart);
    close_model(&b);
    return worst;
}

static void sparse_stages_are_the_dense_ones(void **state)
{
    static const char *const models[] = {
        "pendulum",   "double_pendulum",   "andrews",   "bricard",     "flyball",
        "car_axis",   "slider_crank",      "chain",     "chain3d",     "cam_follower",
        "gear_train", "inverted_pendulum", "hydraulic", "impact_stop", "four_bar",
        "hmmwv",      "double_pendulum_3d"};
    static const double steps[] = {1e-4, 1e-2};
    int failed = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++)
        for (int k = 0; k < 2; k++) {
            const double error = stage_difference(models[i], steps[k], 0.57281606);
            if (error < 1e-10) continue;
            failed++;
            print_error("%s, h = %g: stages differ by %.2e, bound 1e-10\n", models[i], steps[k], error);
        }
    assert_int_equal(failed, 0);
}

// Nonzeros of the factors per body.
static double nonzeros(const char *name, int bodies)
{
    char path[100], count[60];
    const char *set[] = {count};
    bench b = {0};
    hol_kkt_stats stats;
    snprintf(path, sizeof path, "models/%s.yaml", name);
    snprintf(count, sizeof count, "parameters.n=%d", bodies);
    hol_spec *spec = hol_spec_read_file(ctx, path, set, 1);
    b.m = spec ? hol_model_compile(spec) : NULL;
    assert_non_null(b.m);
    assert_int_equal(hol_initialise(ctx, b.m, true, &b.k, &b.x, &b.rank), HOL_OK);
    b.s = b.k.s;
    assert_int_equal(hol_chart_create(ctx, b.s, HOL_CHART_TANGENT | HOL_CHART_NO_BASIS, &b.chart), HOL_OK);
    assert_int_equal(hol_chart_choose(&b.chart, &b.x), HOL_OK);
    hol_stage_matrix *a = hol_stage_matrix_create(ctx, &b.chart);
    assert_non_null(a);
    hol_stage_matrix_find(a, &b.x);
    assert_int_equal(hol_stage_matrix_factor(a, 1e-3, 0.57281606, 1), HOL_OK);
    hol_stage_matrix_stats(a, &stats);
    hol_stage_matrix_destroy(a);
    hol_chart_destroy(&b.chart);
    close_model(&b);
    return stats.factor_nonzeros / bodies;
}

static void the_sparse_form_grows_with_the_model_only(void **state)
{
    static const char *const models[] = {"chain", "chain3d"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const double few = nonzeros(models[i], 100), many = nonzeros(models[i], 3000);
        print_message("%s: nonzeros of the factors per body: %.0f of 100, %.0f of 3000\n", models[i], few,
                      many);
        assert_true(many < 1.2 * few && many > few / 1.2);
    }
}

// ---- orders ---------------------------------------------------------------------------------------------------

// A signal at the end of a run of fixed steps.
static double result_of(const char *name, const char *method, const char *option, const char *signal,
                        double h, double end)
{
    char choice[60], step[60], last[60];
    snprintf(choice, sizeof choice, "simulate.method=%s", method);
    snprintf(step, sizeof step, "simulate.step=%.17g", h);
    snprintf(last, sizeof last, "simulate.end=%.17g", end);
    const char *set[] = {choice, step, last, option};
    motion a = move(name, set, 4);
    assert_int_equal(a.end, HOL_OK);
    const double value = value_of(&a, signal);
    assert_true(hol_simulation_statistics(a.sim)->max_position_violation < 1e-12);
    assert_true(hol_simulation_statistics(a.sim)->max_velocity_violation < 1e-11);
    assert_true(hol_simulation_statistics(a.sim)->max_rate_violation < 1e-12);
    close_motion(&a);
    return value;
}

static void orders_are_those_of_theory(void **state)
{
    // seen: 4.06, 4.00, 3.90, 4.04, 4.05, 4.12; 1.96, 2.00, 2.00, 1.01, 2.01, 2.02, 2.00; a wrong Jacobian takes rn4 down to 1
    static const struct {
        const char *model, *method, *option;
        double h, end, order, within;
        const char *signal;
    } rows[] = {{"pendulum", "rn4", "rn4.coordinates=tangent", 0.025, 1, 4, 0.15, "energy.kinetic"},
                {"bricard", "rn4", "rn4.coordinates=tangent", 0.02, 1, 4, 0.15, "energy.kinetic"},
                {"bricard", "rn4", "rn4.coordinates=partition", 0.01, 1, 4, 0.15, "energy.kinetic"},
                {"rolling_disc", "rn4", "rn4.coordinates=tangent", 0.01, 1, 4, 0.15, "disc.x"},
                {"rolling_disc", "rn4", "rn4.coordinates=partition", 0.005, 1, 4, 0.15, "disc.x"},
                {"knife_edge", "rn4", "rn4.coordinates=tangent", 0.1, 7, 4, 0.15, "sled.y"},
                {"rolling_disc", "ros2w", "ros2w.jacobian=exact", 0.0025, 1, 2, 0.1, "disc.x"},
                {"rolling_disc", "ros2w", "ros2w.jacobian=zero", 0.0025, 1, 2, 0.1, "disc.x"},
                {"knife_edge", "ros2w", "ros2w.jacobian=exact", 0.005, 7, 2, 0.1, "sled.y"},
                {"rolling_disc", "rn4", "rn4.jacobian=halved", 0.005, 1, 1, 0.1, "disc.x"},
                {"pendulum", "ros2w", "ros2w.jacobian=exact", 0.01, 1, 2, 0.1, "energy.kinetic"},
                {"pendulum", "ros2w", "ros2w.jacobian=halved", 0.01, 1, 2, 0.1, "energy.kinetic"},
                {"pendulum", "ros2w", "ros2w.jacobian=zero", 0.01, 1, 2, 0.1, "energy.kinetic"},
                {"pendulum", "rn4", "rn4.jacobian=halved", 0.01, 1, 1, 0.1, "energy.kinetic"},
                {"pendulum", "rn4", "rn4.jacobian=zero", 0.01, 1, 1, 0.1, "energy.kinetic"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i += few() ? 4 : 1) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = result_of(rows[i].model, rows[i].method, rows[i].option, rows[i].signal,
                             rows[i].h / (1 << k), rows[i].end);
        const double order = log2(fabs((x[0] - x[1]) / (x[1] - x[2])));
        if (!(fabs(order - rows[i].order) < rows[i].within))
            print_error("%s, %s, %s: order %.2f, %g is wanted\n", rows[i].model, rows[i].method,
                        rows[i].option, order, rows[i].order);
        assert_true(fabs(order - rows[i].order) < rows[i].within);
    }
}

// ---- whole motions --------------------------------------------------------------------------------------------

// The same steps in both forms, over the bump too, where a force depends on more than elsewhere.
static void both_forms_take_the_same_steps(void **state)
{
    static const struct {
        const char *model, *until, *signal;
    } rows[] = {{"hmmwv", "simulate.end=0.7", "chassis.z"},
                {"bricard", "simulate.end=5", "energy.kinetic"},
                {"hydraulic", "simulate.end=1.2", "mass.x"},
                {"slider_crank", "simulate.end=1", "energy.kinetic"},
                {"impact_stop", "simulate.end=0.4", "slider.x"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const char *set[] = {"simulate.method=rn4", "rn4.coordinates=tangent", "rn4.linear=dense",
                             "simulate.tolerance=1e-5", rows[i].until};
        motion a = move(rows[i].model, set, 5);
        set[2] = "rn4.linear=sparse";
        motion b = move(rows[i].model, set, 5);
        const hol_statistics *x = hol_simulation_statistics(a.sim), *y = hol_simulation_statistics(b.sim);
        const double off = fabs(value_of(&a, rows[i].signal) - value_of(&b, rows[i].signal));
        assert_true(a.end == HOL_OK && b.end == HOL_OK);
        assert_true(labs(x->steps - y->steps) <= 2 && labs(x->rejected - y->rejected) <= 2);
        assert_true(off < 1e-8 * fmax(1, fabs(value_of(&a, rows[i].signal))));
        close_motion(&a);
        close_motion(&b);
    }
}

static void what_the_sparse_form_does_not_take_is_refused(void **state)
{
    static const char *const rows[][3] = {
        {"rolling_disc", "rn4.coordinates=auto", "sparse form does not take velocity constraints"},
        {"bricard", "rn4.coordinates=partition", "sparse form does not take a partition"},
        {"bricard", "rn4.independent=rod1.x", "sparse form does not take a partition"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char path[100];
        const char *set[] = {"simulate.method=rn4", "rn4.linear=sparse", rows[i][1]};
        snprintf(path, sizeof path, "models/%s.yaml", rows[i][0]);
        hol_model *model = hol_model_load(ctx, path, set, 3);
        assert_non_null(model);
        assert_null(hol_simulation_create(ctx, model));
        assert_non_null(strstr(hol_context_error(ctx), rows[i][2]));
        hol_model_destroy(model);
        hol_context_clear(ctx);
    }
}

// Numbers of tests/reference/user_models.py; errors are about twice what is seen.
static void velocity_constraints_have_the_right_motion(void **state)
{
    static const struct {
        const char *model, *until;
        struct {
            const char *signal;
            double exact;
        } known[4];
    } models[] = {{"rolling_disc",
                   "simulate.end=2",
                   {{"disc.x", -0.692340997710194},
                    {"disc.y", -0.667658573449792},
                    {"disc.z", 0.228826183568239},
                    {"track_x", -0.884735187208295}}},
                  {"knife_edge",
                   "simulate.end=7",
                   {{"sled.x", 0.576996495918247},
                    {"sled.y", 7.51693422199166},
                    {"sled.vx", 0.935720576198702},
                    {"sled.vy", 1.73098948775474}}}};
    static const struct {
        const char *method, *choice, *tolerance;
        double error[2];
    } rows[] = {{"rn4", "rn4.coordinates=tangent", "1e-6", {4e-5, 3e-7}},
                {"rn4", "rn4.coordinates=partition", "1e-6", {3e-5, 3e-7}},
                {"rn4", "rn4.coordinates=tangent", "1e-9", {3e-8, 2e-10}},
                {"ros2w", "ros2w.gamma=small", "1e-6", {2e-5, 1e-5}}};
    int wrong = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++)
        for (int k = 0; k < HOL_COUNT(rows); k++) {
            char method[60], tolerance[60];
            if (!in_sample(i + k, 1, 2)) continue;
            snprintf(method, sizeof method, "simulate.method=%s", rows[k].method);
            snprintf(tolerance, sizeof tolerance, "simulate.tolerance=%s", rows[k].tolerance);
            const char *set[] = {models[i].until, method, rows[k].choice, tolerance};
            motion a = move(models[i].model, set, 4);
            double worst = 0;
            assert_int_equal(a.end, HOL_OK);
            for (int j = 0; j < 4; j++)
                worst = fmax(worst, fabs(value_of(&a, models[i].known[j].signal) - models[i].known[j].exact));
            assert_true(hol_simulation_statistics(a.sim)->max_rate_violation < 1e-12);
            if (!(worst < rows[k].error[i])) {
                wrong++;
                print_error("%s, %s, tolerance %s: error %.2e\n", models[i].model, rows[k].choice,
                            rows[k].tolerance, worst);
            }
            close_motion(&a);
        }
    assert_int_equal(wrong, 0);
}

// ---- failures -------------------------------------------------------------------------------------------------

// The height of the first rod and the angle of the second determine the pendulum until the first rod hangs down.
static void a_partition_that_wears_out_is_replaced(void **state)
{
    static const char *const angles[] = {"simulate.method=rn4", "rn4.independent=rod1.theta, rod2.theta",
                                         "simulate.tolerance=1e-8"};
    static const char *const height[] = {"simulate.method=rn4", "rn4.independent=rod1.y rod2.theta",
                                         "simulate.tolerance=1e-6"};
    static const char *const names[] = {"rod1.theta", "rod2.theta", "rod1.omega"};
    (void)state;
    motion a = move("double_pendulum", angles, 3), b = move("double_pendulum", height, 3);
    assert_int_equal(a.end, HOL_OK);
    assert_int_equal(b.end, HOL_OK);
    assert_int_equal(hol_simulation_statistics(a.sim)->repartitions, 0);
    assert_true(hol_simulation_statistics(b.sim)->repartitions >= 1);
    for (int i = 0; i < 3; i++) {
        const double off = fabs(value_of(&a, names[i]) - value_of(&b, names[i]));
        assert_true(off < 2e-5);
    }
    assert_true(hol_simulation_statistics(b.sim)->max_position_violation < 1e-12);
    close_motion(&a);
    close_motion(&b);
}

static void a_wish_for_what_is_not_there_is_refused(void **state)
{
    const char *set[] = {"simulate.method=rn4", "rn4.independent=rod1.y, rod2.phi"};
    (void)state;
    hol_model *model = hol_model_load(ctx, "models/double_pendulum.yaml", set, 2);
    assert_non_null(model);
    assert_null(hol_simulation_create(ctx, model));
    assert_non_null(strstr(hol_context_error(ctx), "no coordinate \"rod2.phi\""));
    hol_model_destroy(model);
    hol_context_clear(ctx);
}

// Where the cranks lie flat the loops may fold another way: a run passes on its branch or says which joints are to blame.
// Where positions are not found with the steps tried, shorter ones must do.
static void singular_poses_are_passed_or_named(void **state)
{
    static const char *const choices[] = {"rn4.coordinates=partition", "rn4.coordinates=tangent"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *set[] = {"simulate.method=rn4", choices[i], "simulate.tolerance=1e-6"};
        motion a = move("four_bar", set, 3);
        const hol_statistics *s = hol_simulation_statistics(a.sim);
        const double t = hol_simulation_time(a.sim);
        const double off = fabs(value_of(&a, "crank0.theta") - angle_of_the_parallelogram(2, t));
        print_message("%s: %ld failures of the positions until %g s, angle off by %.1e\n", choices[i],
                      s->corrector_failures, t, off);
        assert_true(t > 1 && off < 2e-2);
        assert_true(fabs(value_of(&a, "coupler0.theta")) < 1e-6 &&
                    fabs(value_of(&a, "coupler1.theta")) < 1e-6);
        if (a.end) {
            assert_non_null(strstr(hol_context_error(ctx), "singular pose: the equations of A0, A1, A2, B0"));
            print_message("%s\n", hol_context_error(ctx));
        }
        close_motion(&a);
    }
}

static void weak_joints_are_named(void **state)
{
    static const char text[] =
        "dimension: 2\nbodies:\n"
        "  - {name: left, position: [0.3, 0.4], angle: 0.9272952180016122, mass: 1, inertia: 1}\n"
        "  - {name: right, position: [2.3, 0.4], angle: 0.9272952180016122, mass: 1, inertia: 1}\n"
        "  - {name: top, position: [1.6, 0.8], mass: 1, inertia: 1}\n"
        "  - {name: bob, position: [5, -1], mass: 1, inertia: 1}\njoints:\n"
        "  - {name: A, type: revolute, between: [ground: [0, 0], left: [-0.5, 0]]}\n"
        "  - {name: B, type: revolute, between: [left: [0.5, 0], top: [-1, 0]]}\n"
        "  - {name: hook, type: revolute, between: [ground: [5, 0], bob: [0, 1]]}\n"
        "  - {name: C, type: revolute, between: [top: [1, 0], right: [0.5, 0]]}\n"
        "  - {name: D, type: revolute, between: [right: [-0.5, 0], ground: [2, 0]]}\n";
    static const double flat[] = {0.5, 0, 0, 2.5, 0, 0, 2, 0, 0};
    (void)state;
    for (int tangent = 0; tangent < 2; tangent++) {
        bench b = {0};
        char names[100];
        open_model(&b, text);
        assert_int_equal(
            hol_chart_create(ctx, b.s, tangent ? HOL_CHART_TANGENT : HOL_CHART_PARTITION, &b.chart), HOL_OK);
        assert_int_equal(hol_chart_choose(&b.chart, &b.x), HOL_OK);
        assert_false(hol_weak_joints(&b.k, &b.x, names, sizeof names));
        memcpy(b.x.q, flat, sizeof flat);
        assert_true(hol_weak_joints(&b.k, &b.x, names, sizeof names));
        assert_string_equal(names, "A, B, C and D");
        hol_chart_destroy(&b.chart);
        close_model(&b);
    }
}

// Half of the Jacobian: the result differs from that of the method that does not need it, by far more than the exact one.
static void a_wrong_jacobian_shows(void **state)
{
    static const char *const models[] = {"pendulum", "bricard", "rolling_disc", "double_pendulum_3d"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) {
        const double right = result_of(models[i], "rn4", "rn4.jacobian=exact", "energy.kinetic", 2.5e-3, 1),
                     half = result_of(models[i], "rn4", "rn4.jacobian=halved", "energy.kinetic", 2.5e-3, 1),
                     other = result_of(models[i], "ros2w", "ros2w.gamma=small", "energy.kinetic", 6.25e-4, 1);
        assert_true(fabs(half - other) > 20 * fabs(right - other));
    }
}

// ---- the vehicle ----------------------------------------------------------------------------------------------

// Four stiff springs give the eigenvalues -260144, -252674, -234984, -214553 1/s at rest (two reduced models of other hands).
static void the_vehicle_is_as_stiff_as_it_should_be(void **state)
{
    static const double known[] = {-260144, -252674, -234984, -214553};
    bench b = {0};
    (void)state;
    open_model(&b, "hmmwv");
    assert_int_equal(hol_chart_create(ctx, b.s, HOL_CHART_TANGENT, &b.chart), HOL_OK);
    assert_int_equal(hol_chart_choose(&b.chart, &b.x), HOL_OK);
    assert_int_equal(hol_solve_accelerations(&b.k, &b.x), HOL_OK);
    assert_int_equal(hol_jacobian_create(ctx, &b.chart, &b.j), HOL_OK);
    assert_int_equal(hol_jacobian_find(&b.j, &b.chart, &b.k, &b.x), HOL_OK);
    enum { D = 18 };
    assert_int_equal(b.chart.d, D);
    double A[4 * D * D] = {0}, re[2 * D], im[2 * D]; // [0 1; J1 J2]
    for (int j = 0; j < D; j++) {
        A[j + (D + j) * 2 * D] = 1;
        for (int i = 0; i < D; i++) {
            A[D + i + j * 2 * D] = b.j.J1[i + j * D];
            A[D + i + (D + j) * 2 * D] = b.j.J2[i + j * D];
        }
    }
    assert_int_equal(hol_dense_eigen(ctx, 2 * D, A, re, im, NULL), HOL_OK);
    for (int k = 0; k < 4; k++) {
        double nearest = HOL_INF;
        for (int i = 0; i < 2 * D; i++) nearest = fmin(nearest, hypot(re[i] - known[k], im[i]));
        if (!(nearest < 1e-4 * fabs(known[k])))
            print_error("eigenvalue %g: nearest is off by %g\n", known[k], nearest);
        assert_true(nearest < 1e-4 * fabs(known[k]));
    }
    hol_jacobian_destroy(&b.j);
    hol_chart_destroy(&b.chart);
    close_model(&b);
}

// Over the bump: steps of a reduced model with a method of the same kind are 19, 28, 45, 74 for the first second.
static void the_vehicle_takes_few_steps(void **state)
{
    static const struct {
        const char *tolerance;
        long steps;   // of the first second at most
        double error; // of the chassis' height over 5 s
    } rows[] = {{"simulate.tolerance=1e-2", 40, 1e-3}, {"simulate.tolerance=1e-4", 100, 2e-5}};
    // heights of the reference at these times
    static const double at[][2] = {{0.5, 0.710106}, {0.57, 0.718166}, {0.7, 0.704747}, {0.9, 0.712839},
                                   {1.2, 0.711127}, {1.3, 0.716669},  {1.5, 0.707682}, {2, 0.709575},
                                   {3, 0.709983},   {5, 0.71}};
    (void)state;
    for (int k = 0; k < HOL_COUNT(rows) - few(); k++) {
        double worst = 0;
        long steps = 0;
        for (int i = 0; i < HOL_COUNT(at); i++) {
            char end[60];
            snprintf(end, sizeof end, "simulate.end=%.17g", at[i][0]);
            const char *set[] = {"simulate.method=rn4", rows[k].tolerance, end, "simulate.max_step=1"};
            hol_model *model = hol_model_load(ctx, "models/hmmwv.yaml", set, 4);
            hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
            assert_non_null(sim);
            bool done = false;
            while (!done) {
                assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
                if (hol_simulation_time(sim) <= 1 && i + 1 == HOL_COUNT(at)) steps++;
            }
            const double z = hol_simulation_values(sim)[hol_simulation_find_signal(sim, "chassis.z")];
            worst = fmax(worst, fabs(z - at[i][1]) - 5e-7); // they have six digits
            hol_simulation_destroy(sim);
            hol_model_destroy(model);
        }
        print_message("%s: %ld steps in the first second, height off by %.1e m\n", rows[k].tolerance, steps,
                      worst);
        assert_true(steps <= rows[k].steps);
        assert_true(worst < rows[k].error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(jacobians_are_exact, start, stop),
        cmocka_unit_test_setup_teardown(sparse_stages_are_the_dense_ones, start, stop),
        cmocka_unit_test_setup_teardown(the_sparse_form_grows_with_the_model_only, start, stop),
        cmocka_unit_test_setup_teardown(orders_are_those_of_theory, start, stop),
        cmocka_unit_test_setup_teardown(both_forms_take_the_same_steps, start, stop),
        cmocka_unit_test_setup_teardown(what_the_sparse_form_does_not_take_is_refused, start, stop),
        cmocka_unit_test_setup_teardown(velocity_constraints_have_the_right_motion, start, stop),
        cmocka_unit_test_setup_teardown(a_partition_that_wears_out_is_replaced, start, stop),
        cmocka_unit_test_setup_teardown(a_wish_for_what_is_not_there_is_refused, start, stop),
        cmocka_unit_test_setup_teardown(singular_poses_are_passed_or_named, start, stop),
        cmocka_unit_test_setup_teardown(weak_joints_are_named, start, stop),
        cmocka_unit_test_setup_teardown(a_wrong_jacobian_shows, start, stop),
        cmocka_unit_test_setup_teardown(the_vehicle_is_as_stiff_as_it_should_be, start, stop),
        cmocka_unit_test_setup_teardown(the_vehicle_takes_few_steps, start, stop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
