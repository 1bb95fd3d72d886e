// How joints are closed from poses that are far from it or singular, and what is said where they do not close.
#include "harness.h"

#include "holonom_analyses.h"
#include "holonom_equations.h"
#include "system/initial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char warnings[4000];

static void listen(void *user, hol_severity severity, const char *text)
{
    (void)user;
    const size_t n = strlen(warnings);
    if (severity == HOL_WARNING) snprintf(warnings + n, sizeof warnings - n, "%s\n", text);
}

static int start_listening(void **state)
{
    const int st = start(state);
    if (!st) hol_context_set_log(ctx, listen, NULL);
    return st;
}

// ---- robots of others -----------------------------------------------------------------------------------------

static void freedom_of(const char *file, int freedom, int redundant)
{
    hol_model *model = hol_model_load(ctx, file, NULL, 0);
    assert_non_null(model);
    hol_check *c = hol_check_create(ctx, model);
    if (!c) print_error("%s: %s\n", file, hol_context_error(ctx));
    assert_non_null(c);
    assert_int_equal(c->degrees_of_freedom, freedom);
    assert_int_equal(c->n_redundant, redundant);
    hol_check_destroy(c);
    hol_model_destroy(model);
}

// tests/robots/README.md says where the figures come from.
static void robots_have_the_freedom_they_should(void **state)
{
    (void)state;
    freedom_of("tests/robots/strandbeest_assembled.yaml", 1, 138);
    freedom_of("tests/robots/strandbeest_open.yaml", 1, 138);
    freedom_of("tests/robots/talos_like_open.yaml", 7, 0);
    freedom_of("tests/robots/robot_delta_open.yaml", 5, 9);
}

static void run_for(const char *file, const char *method, const char *end, const char *tolerance,
                    const char *signal, double *at_end)
{
    char text[200];
    const char *set[4];
    snprintf(text, sizeof text, "simulate.method=%s simulate.end=%s simulate.tolerance=%s", method, end,
             tolerance);
    const int n = split(text, set, 4);
    hol_model *model = hol_model_load(ctx, file, set, n);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    const hol_status st = sim ? hol_simulation_run(sim) : hol_context_status(ctx);
    if (st) print_error("%s, %s: %s\n", file, method, hol_context_error(ctx));
    assert_int_equal(st, HOL_OK);
    assert_true(hol_simulation_statistics(sim)->max_position_violation < 1e-5);
    *at_end = signal_value(sim, signal);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// Two families of methods agree on where the foot is; the default runs too.
static void the_strandbeest_walks(void **state)
{
    static const char file[] = "tests/robots/strandbeest_assembled.yaml", foot[] = "pair04_leg1_bars_g_h_i.x";
    const char *end = few() ? "0.2" : "2";
    double best, x;
    (void)state;
    run_for(file, "rk", end, "1e-9", foot, &best);
    run_for(file, "auto", end, "1e-5", foot, &x);
    near("auto", x, best, 1e-4);
    run_for(file, "hht", end, "1e-5", foot, &x);
    near("hht", x, best, 1e-3); // of order 2: its error adds up over the steps
    run_for(file, "bdf", end, "1e-5", foot, &x);
    near("bdf", x, best, 1e-3);
}

static void robots_as_delivered_are_closed(void **state)
{
    double x;
    (void)state;
    warnings[0] = 0;
    run_for("tests/robots/strandbeest_open.yaml", "auto", "0.2", "1e-5", "crank_axle.x", &x);
    assert_non_null(strstr(warnings, "the pose as drawn is far from closing the joints"));
    run_for("tests/robots/talos_like_open.yaml", "auto", "0.2", "1e-5", "buste.z", &x);
    run_for("tests/robots/robot_delta_open.yaml", "hht", "0.2", "1e-5", "effector.x", &x);
}

// Loops through bodies of 1.6e-11 kg m^2: rows of A a 1e-11th of others count, and a singular pose at 0.0301 s is passed. Methods that factor
// A, the matrix of all, and another family agree.
static void light_bodies_in_loops(void **state)
{
    static const char file[] = "tests/robots/robot_delta_open.yaml", x[] = "effector.x";
    double tree, other;
    (void)state;
    run_for(file, "rk", "0.2", "1e-7", x, &tree);
    run_for(file, "rk simulate.rk.solve=sparse", "0.2", "1e-7", x, &other);
    near("sparse", other, tree, 1e-9);
    run_for(file, "rk simulate.rk.solve=coordinates", "0.2", "1e-7", x, &other);
    near("coordinates", other, tree, 1e-9);
    run_for(file, "bdf", "0.2", "1e-7", x, &other);
    near("bdf", other, tree, 1e-6);
}

// Axes of both ends of joints that hold them are the same ones: no hinge closes the wrong way round, and no weld half a turn off.
static void check_axes(const char *file)
{
    hol_spec *spec = hol_spec_read_file(ctx, file, NULL, 0);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    hol_kernel k;
    hol_state x;
    hol_rank rank;
    int hinges = 0;
    assert_int_equal(hol_initialise(ctx, m, HOL_START_QUIET, &k, &x, &rank), HOL_OK);
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        const bool fixed = strcmp(e->type->name, "fixed") == 0,
                   hinge = strcmp(e->type->name, "revolute") == 0;
        for (int axis = fixed ? 0 : 2; axis < 3 && (fixed || hinge); axis++) {
            hol_feature f[2];
            hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], product = 0;
            hol_element_gather(m, e, x.t, x.q, NULL, 0, y, w);
            for (int end = 0; end < 2; end++) hol_feature_eval(e->end[end].marker, axis, y, NULL, 0, &f[end]);
            for (int j = 0; j < 3; j++) product += f[0].f[j] * f[1].f[j];
            near(e->name, hol_re(product), 1, 1e-12);
            hinges++;
        }
    }
    assert_true(hinges > 10);
    hol_state_destroy(&x);
    hol_rank_destroy(&rank);
    hol_start_destroy(&k);
    hol_model_free(m);
}

static void robots_close_the_right_way_round(void **state)
{
    (void)state;
    check_axes("tests/robots/strandbeest_open.yaml");
    check_axes("tests/robots/talos_like_open.yaml");
    check_axes("tests/robots/robot_delta_open.yaml");
}

// ---- bodies at one place --------------------------------------------------------------------------------------

#define ROD2 "mass: 1, inertia: 0.1, markers: {a: [-0.5, 0], b: [0.5, 0]}"
#define ROD3 "mass: 1, inertia: 0.1, markers: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}"

// None has a position or an angle: all lie at the origin.
static const char four_bar[] = "dimension: 2\n"
                               "parameters: {far: 1}\n"
                               "gravity: [0, -9.81]\n"
                               "bodies:\n"
                               "  - {name: crank, " ROD2 "}\n"
                               "  - {name: coupler, " ROD2 "}\n"
                               "  - {name: rocker, " ROD2 "}\n"
                               "joints:\n"
                               "  - {name: A, type: revolute, between: [ground, crank.a]}\n"
                               "  - {name: B, type: revolute, between: [crank.b, coupler.a]}\n"
                               "  - {name: C, type: revolute, between: [coupler.b, rocker.a]}\n"
                               "  - {name: D, type: revolute, between: [{ground: [far, 0]}, rocker.b]}\n"
                               "simulate: {end: 0.5}\n";

static const char ring_in_space[] = "dimension: 3\n"
                                    "gravity: [0, 0, -9.81]\n"
                                    "bodies:\n"
                                    "  - {name: a, " ROD3 "}\n"
                                    "  - {name: b, " ROD3 "}\n"
                                    "  - {name: c, " ROD3 "}\n"
                                    "joints:\n"
                                    "  - {name: A, type: spherical, between: [ground, a.a]}\n"
                                    "  - {name: B, type: spherical, between: [a.b, b.a]}\n"
                                    "  - {name: C, type: spherical, between: [b.b, c.a]}\n"
                                    "  - {name: D, type: spherical, between: [ground, c.b]}\n"
                                    "simulate: {end: 0.5}\n";

static const char two_points[] = "dimension: 3\n"
                                 "gravity: [0, 0, -9.81]\n"
                                 "bodies:\n"
                                 "  - {name: p, type: point, mass: 1}\n"
                                 "  - {name: q, type: point, mass: 1}\n"
                                 "joints:\n"
                                 "  - {name: a, type: distance, length: 1, between: [ground, p]}\n"
                                 "  - {name: b, type: distance, length: 1, between: [p, q]}\n"
                                 "simulate: {end: 0.5}\n";

static void bodies_drawn_at_one_place_are_assembled(void **state)
{
    static const char *const texts[] = {four_bar, ring_in_space, two_points};
    (void)state;
    for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++) {
        double pose[2] = {0};
        for (int again = 0; again < 2; again++) {
            warnings[0] = 0;
            motion a = move(texts[i], NULL, 0);
            assert_int_equal(a.end, HOL_OK);
            assert_true(hol_simulation_statistics(a.sim)->max_position_violation < 1e-5);
            if (texts[i] != ring_in_space) assert_non_null(strstr(warnings, "bodies are drawn at one place"));
            pose[again] = hol_simulation_values(a.sim)[1];
            close_motion(&a);
        }
        assert_true(pose[0] == pose[1]); // the same in each run
    }
}

// Who looks at the start before a run is told as well: by check and by assemble.
static void a_look_at_the_start_warns_as_a_run_does(void **state)
{
    static const char *const texts[] = {four_bar, two_points};
    (void)state;
    for (int i = 0; i < HOL_COUNT(texts); i++)
        for (int assembles = 0; assembles < 2; assembles++) {
            hol_model *model = load_model(texts[i], NULL, 0);
            warnings[0] = 0;
            hol_assembly *assembly = assembles ? hol_assembly_create(ctx, model) : NULL;
            hol_check *check = assembles ? NULL : hol_check_create(ctx, model);
            assert_true(assembly || check);
            assert_non_null(strstr(warnings, "bodies are drawn at one place"));
            assert_non_null(strstr(warnings, "so that the joints hold: draw it nearer"));
            hol_assembly_destroy(assembly);
            hol_check_destroy(check);
            hol_model_destroy(model);
        }
}

static void refused(const char *const *set, int n)
{
    hol_model *model = load_model(four_bar, set, n);
    assert_null(hol_simulation_create(ctx, model));
    hol_model_destroy(model);
}

static void what_cannot_close_says_what_is_the_case(void **state)
{
    const char *far[] = {"parameters.far=3.3"};
    (void)state;
    refused(far, 1);
    expect_message(
        "the joints cannot be closed: 3 of 3 bodies are drawn at one place (\"crank\", \"coupler\", ..)");
    assert_null(strstr(hol_context_error(ctx), "Check the lengths"));
    // drawn apart, the lengths are to blame
    static const char *const apart[] = {"parameters.far=3.3", "bodies.crank.position=[0.5, 0]",
                                        "bodies.coupler.position=[1.5, 0]",
                                        "bodies.rocker.position=[2.5, 0]"};
    refused(apart, 4);
    expect_message("the loop A, B, C, D stays open by 0.3 in all");
    expect_message(
        "One of these parameters would close it: far: 3 (smaller by 0.3, derivative of the gap 1)");
}

// Two four-bars that share the ground alone are two loops. The first closes.
#define TWO_LOOPS                                                                                            \
    "dimension: 2\nlength_scale: 1\nparameters: {far: 2 m, wide: 3.6, mass: 1}\nbodies:\n"                   \
    "  - {name: a, " ROD2 ", position: [0, 0.5], angle: 1.5}\n"                                              \
    "  - {name: b, " ROD2 ", position: [1, 1]}\n"                                                            \
    "  - {name: c, " ROD2 ", position: [2, 0.5], angle: 1.5}\n"                                              \
    "  - {name: p, " ROD2 ", position: [0.5, 5]}\n"                                                          \
    "  - {name: q, " ROD2 ", position: [1.5, 5]}\n"                                                          \
    "  - {name: r, " ROD2 ", position: [2.5, 5]}\n"                                                          \
    "joints:\n"                                                                                              \
    "  - {name: A, type: revolute, between: [ground, a.a]}\n"                                                \
    "  - {name: B, type: revolute, between: [a.b, b.a]}\n"                                                   \
    "  - {name: C, type: revolute, between: [b.b, c.b]}\n"                                                   \
    "  - {name: D, type: revolute, between: [{ground: [far, 0]}, c.a]}\n"                                    \
    "  - {name: P, type: revolute, between: [{ground: [0, 5]}, p.a]}\n"                                      \
    "  - {name: Q, type: revolute, between: [p.b, q.a]}\n"                                                   \
    "  - {name: R, type: revolute, between: [q.b, r.a]}\n"                                                   \
    "  - {name: S, type: revolute, between: [{ground: [wide, 5]}, r.b]}\n"                                   \
    "simulate: {end: 1}\n"

// The loop that is open is named, and no other.
static void the_open_loop_is_named(void **state)
{
    (void)state;
    hol_model *model = load_model(TWO_LOOPS, NULL, 0);
    hol_assembly *a = hol_assembly_create(ctx, model);
    assert_false(a->closed);
    assert_string_equal(a->loop, "P, Q, R, S");
    near("gap", a->gap, 0.6, 1e-7);
    assert_int_equal(a->n_lengths, 1);
    assert_string_equal(a->length[0].name, "wide");
    near("wide", a->length[0].closes, 3, 1e-12);
    near("derivative", a->length[0].derivative, 1, 1e-6);
    hol_assembly_destroy(a);
    hol_model_destroy(model);
    static const char *const far[] = {"parameters.far=3.3 m"};
    model = load_model(TWO_LOOPS, far, 1);
    assert_null(hol_simulation_create(ctx, model));
    expect_message("the loop P, Q, R, S stays open by 0.6 in all; 1 other loop does too;");
    expect_message("Check the lengths between the markers");
    hol_model_destroy(model);
}

// Rods in a line, end to end: Newton's method sees no way to shorten them.
static void a_dead_pose_is_left(void **state)
{
    static const char *const line[] = {"parameters.far=2.9", "bodies.crank.position=[0.5, 0]",
                                       "bodies.coupler.position=[1.5, 0]", "bodies.rocker.position=[2.5, 0]"};
    (void)state;
    warnings[0] = 0;
    motion a = move(four_bar, line, 4);
    assert_int_equal(a.end, HOL_OK);
    assert_non_null(strstr(warnings, "the pose as drawn is far from closing the joints and singular"));
    close_motion(&a);
}

// ---- thrown bodies ----------------------------------------------------------------------------------------------

// Every body somewhere within 10 m and turned by any angle, after the model is compiled.
static void throw(const hol_model_data *m, unsigned long long seed)
{
    hol_random dice = {1000 + seed};
    for (int b = 0; b < m->n_bodies; b++) {
        double *q = m->q0 + m->body[b].q, sum = 0;
        const int size = m->body[b].size,
                  lengths = size < 7 ? (size == 3 && m->dimension == 2 ? 2 : size) : 3;
        for (int i = 0; i < lengths; i++) q[i] += 10 * hol_random_uniform(&dice);
        for (int i = lengths; i < size; i++) q[i] = (size == 7 ? 1 : HOL_PI) * hol_random_uniform(&dice);
        for (int i = 3; i < size && size == 7; i++) sum += q[i] * q[i];
        for (int i = 3; i < size && size == 7; i++) q[i] /= sqrt(sum);
    }
}

// How many of so many throws close to 1e-12.
static int closed(const char *name, int throws)
{
    int count = 0;
    for (int i = 0; i < throws; i++) {
        hol_model_data *m = compile(name, NULL, 0);
        hol_kernel k;
        hol_state x;
        hol_rank rank;
        hol_measure open;
        throw(m, (unsigned long long)i);
        const hol_status st = hol_initialise(ctx, m, HOL_START_QUIET | HOL_START_ALL_ROWS, &k, &x, &rank);
        if (!st) {
            hol_equations_measure(k.s, &x, &open);
            count += open.position < 1e-12;
            hol_state_destroy(&x);
            hol_rank_destroy(&rank);
            hol_start_destroy(&k);
        }
        hol_model_free(m);
    }
    print_message("%s: %d of %d closed\n", name, count, throws);
    return count;
}

static void thrown_bodies_are_assembled(void **state)
{
    static const struct {
        const char *name;
        int least; // of 100
    } models[] = {{"four_bar", 100}, {"slider_crank", 100}, {"stewart", 95},
                  {"bricard", 95},   {"hmmwv", 95},         {"double_wishbone", 95}};
    const int throws = goes_far() ? 100 : 20;
    (void)state;
    for (int i = 0; i < (int)(sizeof models / sizeof *models); i++)
        assert_true(closed(models[i].name, throws) * 100 >= models[i].least * throws);
}

// ---- ways to fit together ---------------------------------------------------------------------------------------

static hol_assembly *assemble(const char *file, const char *const *set, int n, bool all)
{
    hol_model *model = strchr(file, '/') && !strchr(file, '\n') ? hol_model_load(ctx, file, set, n)
                                                                : load_model(file, set, n);
    hol_assembly *a = !model ? NULL
                      : all  ? hol_assembly_create_all(ctx, model)
                             : hol_assembly_create(ctx, model);
    if (!a) fail_msg("%s: %s", file, hol_context_error(ctx));
    hol_model_destroy(model);
    return a;
}

static double used(const hol_assembly *a, const char *name)
{
    for (int i = 0; i < a->n_positions; i++)
        if (strcmp(a->position[i].name, name) == 0) return a->position[i].used;
    fail_msg("there is no %s", name);
    return 0;
}

// A four-bar with a given crank has two assemblies, by the intersections of two circles; each is found where it is required.
static void the_required_branch_is_found(void **state)
{
    static const char file[] = "tests/analyses/least_change.yaml";
    const double r = 0.4, b = 1.1, c = 0.9, d = 1.2, angle = 1.2; // of the file
    const double x = r * cos(angle), y = r * sin(angle), way = hypot(d - x, y),
                 along = (way * way + b * b - c * c) / (2 * way), height = sqrt(b * b - along * along);
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        char require[80];
        snprintf(require, sizeof require, "assemble.require=AZ(rocker, coupler) %c 0", side > 0 ? '>' : '<');
        const char *const set[] = {"bodies.crank.exact=angle", require};
        const double cx = x + ((d - x) * along + y * height * side) / way,
                     cy = y + (-y * along + (d - x) * height * side) / way;
        hol_assembly *a = assemble(file, set, 2, false);
        assert_true(a->closed && a->least);
        near("x of C", used(a, "coupler.x") + b / 2 * cos(used(a, "coupler.theta")), cx, 1e-12);
        near("y of C", used(a, "coupler.y") + b / 2 * sin(used(a, "coupler.theta")), cy, 1e-12);
        near("crank", used(a, "crank.theta"), angle, 1e-14);
        hol_assembly_destroy(a);
    }
}

// Each line that is printed for a pose holds there, and the assembly with it is such a pose.
static void check_lines(const char *file, int poses)
{
    hol_assembly *a = assemble(file, NULL, 0, true);
    if (a->n_poses < poses) fail_msg("%s: %d poses", file, a->n_poses);
    assert_true(a->pose[0].used);
    for (int i = 0; i < a->n_poses; i++)
        for (int k = 0; k < a->pose[i].n_sides; k++) {
            const hol_assembly_side *side = &a->pose[i].side[k];
            char require[300];
            const char *const set[] = {require};
            snprintf(require, sizeof require, "assemble.require=%s", side->require);
            hol_assembly *b = assemble(file, set, 1, false);
            if (!b->closed) fail_msg("%s: %s: %s", file, side->require, b->why);
            for (int l = 0; l < b->n_sides; l++)
                if (side->joint && b->side[l].joint && strcmp(side->joint, b->side[l].joint) == 0)
                    assert_true(side->value * b->side[l].value > 0);
            hol_assembly_destroy(b);
        }
    hol_assembly_destroy(a);
}

static void lines_that_are_printed_work(void **state)
{
    (void)state;
    check_lines("tests/analyses/least_change.yaml", 2);
    check_lines("slider_crank", 2);
    check_lines("four_bar", 4);
    check_lines("stewart", 2);
    check_lines("bricard", 2);
    check_lines("double_wishbone", 2);
}

// A platform whose base is turned anyhow is as far from its plane as one that lies flat, 1.2 m.
static void sides_do_not_depend_on_the_axes(void **state)
{
    hol_random dice = {5};
    (void)state;
    for (int i = 0; i < 12; i++) {
        char text[400], here[200];
        double rpy[3];
        for (int k = 0; k < 3; k++) rpy[k] = random_in(&dice, -3, 3);
        assert_non_null(getcwd(here, sizeof here));
        snprintf(
            text, sizeof text,
            "dimension: 3\ngravity: [0, 0, 0]\ninclude: {file: %s/models/stewart.yaml, as: p, at: {position: "
            "[1, 2, 3], orientation: {rpy: [%.6f, %.6f, %.6f]}}}\n",
            here, rpy[0], rpy[1], rpy[2]);
        hol_assembly *a = assemble(text, NULL, 0, false);
        assert_int_equal(a->n_sides, 1);
        near(text, fabs(a->side[0].value), 1.2, 1e-9);
        hol_assembly_destroy(a);
    }
}

// Robots as delivered: which of their assemblies was found is said.
static void the_branch_of_robots_is_told(void **state)
{
    static const char *const files[] = {"tests/robots/strandbeest_open.yaml",
                                        "tests/robots/talos_like_open.yaml",
                                        "tests/robots/robot_delta_open.yaml"};
    (void)state;
    for (int i = 0; i < (int)(sizeof files / sizeof *files); i++) {
        hol_assembly *a = assemble(files[i], NULL, 0, false);
        assert_true(a->closed && a->n_sides > 0);
        for (int k = 0; k < a->n_sides; k++) assert_true(a->side[k].value != 0 && a->side[k].joint);
        hol_assembly_destroy(a);
    }
}

// A mirrored file has its angles with the other sign.
static void a_mirrored_loop(void **state)
{
    (void)state;
    check_lines("tests/analyses/mirrored_four_bar.yaml", 2);
}

// Runs, kinematics, statics and equations at a state begin with what is required; where it holds nowhere they say so.
static void all_begin_with_it(void **state)
{
    static const char *const set[] = {"assemble.require=DX(slider) < 0", "simulate.end=0"},
                             *const never[] = {"assemble.require=DX(slider) > 1"};
    (void)state;
    hol_assembly *a = assemble("slider_crank", set, 1, false);
    hol_model *model = load_model("slider_crank", set, 1);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    hol_eom *eom = hol_eom_create(ctx, model, HOL_EOM_ASSEMBLED);
    hol_state_view view;
    assert_non_null(sim);
    assert_non_null(eom);
    near("run", signal_value(sim, "slider.x"), used(a, "slider.x"), 1e-12);
    assert_int_equal(hol_eom_get_state(eom, &view), HOL_OK);
    near("equations", view.q[6], used(a, "slider.x"), 1e-12);
    hol_eom_destroy(eom);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    hol_assembly_destroy(a);
    model = load_model("slider_crank", never, 1);
    assert_null(hol_simulation_create(ctx, model));
    expect_message("assemble.require: \"DX(slider) > 1\" does not hold: left less right side is -0.637742, ");
    assert_int_equal(hol_context_status(ctx), HOL_ERR_ASSEMBLY);
    a = hol_assembly_create_all(ctx, model);
    assert_true(a && !a->closed && a->n_poses == 2 && !a->pose[0].allowed && !a->pose[1].used);
    assert_string_equal(a->broken, "DX(slider) > 1");
    hol_assembly_destroy(a);
    hol_model_destroy(model);
}

// A drawing that is what is required is not touched: the same bits.
static void what_is_required_already(void **state)
{
    static const char *const set[] = {"assemble.require=DX(slider) > 0"};
    (void)state;
    hol_assembly *a = assemble("slider_crank", NULL, 0, false), *b = assemble("slider_crank", set, 1, false);
    for (int i = 0; i < a->n_positions; i++) assert_true(a->position[i].used == b->position[i].used);
    assert_true(b->change == 0 && b->least);
    hol_assembly_destroy(a);
    hol_assembly_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(robots_have_the_freedom_they_should),
                                       cmocka_unit_test(the_strandbeest_walks),
                                       cmocka_unit_test(robots_as_delivered_are_closed),
                                       cmocka_unit_test(bodies_drawn_at_one_place_are_assembled),
                                       cmocka_unit_test(a_look_at_the_start_warns_as_a_run_does),
                                       cmocka_unit_test(what_cannot_close_says_what_is_the_case),
                                       cmocka_unit_test(a_dead_pose_is_left),
                                       cmocka_unit_test(thrown_bodies_are_assembled),
                                       cmocka_unit_test(light_bodies_in_loops),
                                       cmocka_unit_test(robots_close_the_right_way_round),
                                       cmocka_unit_test(the_open_loop_is_named),
                                       cmocka_unit_test(the_required_branch_is_found),
                                       cmocka_unit_test(sides_do_not_depend_on_the_axes),
                                       cmocka_unit_test(lines_that_are_printed_work),
                                       cmocka_unit_test(the_branch_of_robots_is_told),
                                       cmocka_unit_test(a_mirrored_loop),
                                       cmocka_unit_test(all_begin_with_it),
                                       cmocka_unit_test(what_is_required_already)};
    return cmocka_run_group_tests(tests, start_listening, stop);
}
