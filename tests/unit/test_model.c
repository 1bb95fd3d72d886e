// Model files that are right: loops, parameters, units, includes, orientations, initial states.
#include "analysis/settings.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double TOLERANCE = 1e-14;

static hol_model_data *compiled(hol_spec *spec)
{
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    if (!m) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(m);
    return m;
}

static hol_model_data *load(const char *text) { return compile(text, NULL, 0); }

static void refuse_override(const char *text, const char *override, const char *message)
{
    hol_context_clear(ctx);
    assert_null(hol_spec_read_text(ctx, "test.yaml", text, strlen(text), &override, 1));
    assert_string_equal(hol_context_error(ctx), message);
}

static void close_to(double have, double want) { near("value", have, want, TOLERANCE * fmax(1, fabs(want))); }

static void all_close(const double *have, const double *want, int n)
{
    for (int i = 0; i < n; i++) close_to(have[i], want[i]);
}

static const hol_element *element(const hol_model_data *m, const char *name)
{
    const int i = hol_model_find_element(m, name);
    assert_true(i >= 0);
    return &m->element[i];
}

static const double *position(const hol_model_data *m, const char *body)
{
    const int i = hol_model_find_body(m, body);
    assert_true(i >= 0);
    return m->q0 + m->body[i].q;
}

static const double *velocity(const hol_model_data *m, const char *body)
{
    return m->v0 + (position(m, body) - m->q0);
}

// Constraint rows at the drawn pose.
static void values_of_rows(const hol_model_data *m, double *phi)
{
    for (int i = 0; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        double y[HOL_MAX_Y], w[HOL_MAX_Y];
        hol_element_gather(m, e, 0, m->q0, m->v0, 1, y, w);
        if (e->n_rows) e->type->phi(e->data, e->ny, y, NULL, phi + e->row, NULL);
    }
}

// ---- loops and parameters -------------------------------------------------------------------------------------

static const char *const four_bar = "title: N-four-bar\n"
                                    "dimension: 2\n"
                                    "gravity: [0, -9.81]\n"
                                    "parameters:\n"
                                    "  N: 2\n"
                                    "  L: 1\n"
                                    "  m: 1\n"
                                    "bodies:\n"
                                    "  - for: i in 0..N\n"
                                    "    name: crank{i}\n"
                                    "    mass: m\n"
                                    "    inertia: m*L^2/12\n"
                                    "    position: [i*L, L/2]\n"
                                    "    angle: 90 deg\n"
                                    "    omega: -1\n"
                                    "    markers: {foot: [-L/2, 0], tip: [L/2, 0]}\n"
                                    "  - for: i in 0..N-1\n"
                                    "    name: coupler{i}\n"
                                    "    mass: m\n"
                                    "    inertia: m*L^2/12\n"
                                    "    position: [(i + 1/2)*L, L]\n"
                                    "    velocity: [L, 0]\n"
                                    "    markers: {left: [-L/2, 0], right: [L/2, 0]}\n"
                                    "joints:\n"
                                    "  - for: i in 0..N\n"
                                    "    name: A{i}\n"
                                    "    type: revolute\n"
                                    "    between: [ground: [i*L, 0], crank{i}.foot]\n"
                                    "  - for: i in 0..N-1\n"
                                    "    name: B{i}\n"
                                    "    type: revolute\n"
                                    "    between: [crank{i}.tip, coupler{i}.left]\n"
                                    "  - for: i in 0..N-1\n"
                                    "    name: C{i}\n"
                                    "    type: revolute\n"
                                    "    between: [coupler{i}.right, crank{i+1}.tip]\n"
                                    "simulate:\n"
                                    "  end: 10\n";

static void loops_make_bodies_and_joints(void **state)
{
    (void)state;
    char text[40];
    hol_model_data *m = load(four_bar);
    assert_string_equal(m->title, "N-four-bar");
    assert_int_equal(m->n_bodies, 5);
    assert_int_equal(m->nq, 15);
    assert_int_equal(m->nc, 14);
    assert_int_equal(m->n_elements, 12);
    assert_string_equal(m->body[4].name, "coupler1");
    assert_int_equal(hol_model_find_body(m, "crank3"), -1);
    assert_string_equal(hol_model_end(m, element(m, "C1"), 1, text, sizeof text), "crank2.tip");
    all_close(position(m, "crank2"), (double[]){2, 0.5, HOL_PI / 2}, 3);
    all_close(velocity(m, "crank2"), (double[]){0, 0, -1}, 3);
    all_close(position(m, "coupler1"), (double[]){1.5, 1, 0}, 3);
    double phi[14];
    values_of_rows(m, phi);
    for (int i = 0; i < m->nc; i++) close_to(phi[i], 0); // it is assembled
    const char *name;
    const hol_row row = hol_model_row(m, 13, &name);
    assert_string_equal(name, "C1");
    assert_string_equal(row.direction, "y");
    assert_true(row.is_length);
    assert_non_null(m->spec->simulate);
    hol_model_free(m);
}

static void overrides_change_parameters_and_values(void **state)
{
    (void)state;
    const char *const more[] = {"parameters.N=40", "parameters.L=0.5*4", "gravity=[0,-1.62]"};
    hol_model_data *m = compile(four_bar, more, 3);
    assert_int_equal(m->n_bodies, 81);
    assert_int_equal(m->nc, 41 * 2 + 80 * 2);
    all_close(position(m, "crank40"), (double[]){80, 1, HOL_PI / 2}, 3);
    close_to(m->spec->gravity[1], -1.62);
    hol_model_free(m);

    const char *const one[] = {"bodies.crank{i}.mass=7"};
    m = compile(four_bar, one, 1);
    double M[9];
    m->element[1].type->mass(m->element[1].data, m->q0, M);
    close_to(M[0], 7);
    hol_model_free(m);

    const char *const places[] = {"bodies[0].mass=7", "gravity[1]=-2", "bodies[0].position[1]=3 mm"};
    m = compile(four_bar, places, 3);
    m->element[1].type->mass(m->element[1].data, m->q0, M);
    close_to(M[0], 7);
    close_to(m->spec->gravity[1], -2);
    hol_model_free(m);
    refuse_override(four_bar, "bodies[2].mass=7",
                    "--set bodies[2].mass=7: there is no item [2]; the list has 2, the first is [0]");
    refuse_override(four_bar, "bodies[99999999999999999999].mass=7",
                    "--set bodies[99999999999999999999].mass=7: there is no item [99999999999999999999]; the "
                    "list has 2, the first is [0]");
    refuse_override(four_bar, "bodies[-1].mass=7",
                    "--set bodies[-1].mass=7: an index is wanted in the brackets, such as bodies[0]; "
                    "an item by its name is bodies.NAME");
    refuse_override(four_bar, "bodies[].mass=7",
                    "--set bodies[].mass=7: an index is wanted in the brackets, such as bodies[0]; "
                    "an item by its name is bodies.NAME");
    refuse_override(four_bar, "bodies[0][0]=7",
                    "--set bodies[0][0]=7: what stands before \"[0]\" is no list of the file");
    refuse_override(four_bar, "drivers[0].value=7",
                    "--set drivers[0].value=7: the file has no list \"drivers\" there");
    refuse_override(four_bar, "bodies[0]=7",
                    "--set bodies[0]=7: this is a group of values, name one of them");

    refuse_override(four_bar, "parameters.M=3",
                    "--set parameters.M=3: the model has no parameter \"M\"; did you mean \"m\"?");
    refuse_override(four_bar, "parameters.k=3",
                    "--set parameters.k=3: the model has no parameter \"k\"; there are N, L, m");
    refuse_override(four_bar, "parameters", "--set parameters: wanted is path=value, e.g. parameters.N=40");
    refuse_override(
        four_bar, "bodies.rod.mass=3",
        "--set bodies.rod.mass=3: there is no item named \"rod\"; there are crank{i}, coupler{i}");
    refuse_override(four_bar, "title.x=3", "--set title.x=3: \"x\" lies below a plain value");
    refuse_override(four_bar, "parameters=3",
                    "--set parameters=3: this is a group of values, name one of them");
    refuse_override(
        four_bar, "parameters.N=x",
        "--set parameters.N=x: error: unknown name \"x\" (parameters are given under \"parameters:\")");
}

// What is meant stands in the message, in words that are taken.
static void paths_without_a_meaning_are_told_the_right_one(void **state)
{
    (void)state;
    static const struct {
        const char *override, *message;
    } rows[] = {
        {"mass=3",
         "--set mass=3: error: \"mass\" is no key of the file and no option of simulate; items have it: "
         "write bodies.crank{i}.mass=3"},
        {"N=3",
         "--set N=3: error: \"N\" is no key of the file and no option of simulate; it is a parameter: write "
         "parameters.N=3"},
        {"Bodies.coupler{i}.mass=2",
         "--set Bodies.coupler{i}.mass=2: error: \"Bodies\" is no key of the file and no "
         "option of simulate; did you mean bodies.coupler{i}.mass=2?"},
        {"Simulate.end=2",
         "--set Simulate.end=2: error: \"Simulate\" is no key of the file and no option of simulate; "
         "did you mean simulate.end=2?"},
        {"Crank{i}.mass=2",
         "--set Crank{i}.mass=2: error: \"Crank{i}\" is no key of the file and no option of "
         "simulate; did you mean bodies.crank{i}.mass=2?"},
        {"[0].mass=2",
         "--set [0].mass=2: an index stands behind the name of its list, as in bodies[0].mass=2"},
        {"gravity=[0 -9.81]",
         "--set gravity=[0 -9.81]:1:2: error: \"0 -9.81\": commas stand between the numbers of a "
         "list: 0,-9.81; an expression has blanks on both sides of its operators or on none"},
        {"gravity=0,-9.81", "--set gravity=0,-9.81: error: gravity: a list of 2 numbers is wanted; lists "
                            "have brackets: [0,-9.81]"},
        {"gravity=0 -9.81", "--set gravity=0 -9.81: error: gravity: a list of 2 numbers is wanted; lists "
                            "have brackets: [0,-9.81]"},
        {"gravity=(0,-9.81)", "--set gravity=(0,-9.81): error: gravity: a list of 2 numbers is wanted; lists "
                              "have brackets: [0,-9.81]"},
        {"gravity=[-9.81]",
         "--set gravity=[-9.81]: error: gravity: 1 number is given, the model has 2 dimensions"}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        hol_context_clear(ctx);
        hol_spec *spec =
            hol_spec_read_text(ctx, "test.yaml", four_bar, strlen(four_bar), &rows[i].override, 1);
        hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
        hol_settings settings;
        if (m) assert_int_not_equal(hol_settings_read(m, &settings), HOL_OK);
        hol_model_free(m);
        assert_string_equal(hol_context_error(ctx), rows[i].message);
    }
}

static void loops_nest_and_may_be_empty(void **state)
{
    (void)state;
    hol_model_data *m =
        load("dimension: 2\nparameters: {N: 2}\nbodies:\n"
             "  - {for: [i in 0..N, j in 0..i], name: \"b{i}_{j}\", type: point, mass: 1 + i + 10*j,"
             " position: [i, j]}\n"
             "  - {for: i in 1..N-2, name: \"c{i}\", type: point, mass: 1}\n");
    assert_int_equal(m->n_bodies, 1 + 2 + 3);
    all_close(position(m, "b2_1"), (double[]){2, 1}, 2);
    assert_int_equal(hol_model_find_body(m, "b0_1"), -1);
    hol_model_free(m);
}

// ---- units and JSON -------------------------------------------------------------------------------------------

static const char *const in_si =
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "length_scale: 0.5\n"
    "ground: {markers: {m: {position: [0.1, 0, 0.02], motion: {x: 0.003*sin(2*time), angle: 0.5*pi*time}}}}\n"
    "bodies:\n"
    "  - {name: a, mass: 0.3, inertia: [2e-5, 3e-5, 4e-5], com: [0.01, 0, 0.02], position: [0.1, 0.2, 0.3],\n"
    "     velocity: [0.5, 0, 0], omega: [0, pi, 0], orientation: {axis: [0, 0, 1], angle: pi/6}}\n"
    "joints:\n"
    "  - {name: rod, type: distance, between: [ground.m, a], length: 0.4}\n"
    "drivers:\n"
    "  - {name: d, type: angle, between: [ground, a], value: pi/4*time^2}\n"
    "forces:\n"
    "  - {name: s, type: spring-damper, between: [ground, a], stiffness: 200, damping: 0.3, length: 0.25,\n"
    "     force: 5*cos(time)}\n"
    "  - {name: r, type: rsda, between: [ground, a], stiffness: 2, angle: pi/3}\n"
    "  - {name: b, type: bushing, between: [ground, a], stiffness: [100, 200, 300, 1, 2, 3]}\n"
    "  - {name: rows, type: bushing, between: [ground, a], stiffness: [\n"
    "     [1, 4, 7, 10, 2, 5],\n"
    "     [8, 11, 3, 6, 9, 1],\n"
    "     [4, 7, 10, 2, 5, 8],\n"
    "     [11, 3, 6, 9, 1, 4],\n"
    "     [7, 10, 2, 5, 8, 11],\n"
    "     [3, 6, 9, 1, 4, 7]]}\n"
    "  - {name: t, type: torque, on: a, value: [0.2, 0.3*time, 0]}\n";

// The same in mm, g and degrees, forces in N. Expressions of time are in SI.
static const char *const in_mm =
    "dimension: 3\n"
    "units: {length: mm, mass: g, angle: deg, force: N}\n"
    "gravity: [0, 0, -9810]\n"
    "length_scale: 500\n"
    "ground: {markers: {m: {position: [100, 0, 20], motion: {x: 3 mm*sin(2*time), angle: 90 deg/s*time}}}}\n"
    "bodies:\n"
    "  - {name: a, mass: 300, inertia: [2e4, 3e4, 4e4], com: [10, 0, 20], position: [0.1 m, 200, 30 cm],\n"
    "     velocity: [500, 0, 0], omega: [0, 180, 0], orientation: {axis: [0, 0, 1], angle: 30}}\n"
    "joints:\n"
    "  - {name: rod, type: distance, between: [ground.m, a], length: 400}\n"
    "drivers:\n"
    "  - {name: d, type: angle, between: [ground, a], value: 45 deg/s^2*time^2}\n"
    "forces:\n"
    "  - {name: s, type: spring-damper, between: [ground, a], stiffness: 0.2, damping: 0.3e-3, length: 250,\n"
    "     force: 5 N*cos(time)}\n"
    "  - {name: r, type: rsda, between: [ground, a], stiffness: 2e3*pi/180, angle: 60}\n"
    "  - {name: b, type: bushing, between: [ground, a],\n"
    "     stiffness: [100 N/m, 0.2, 0.3, 1e3*pi/180, 2 N m/rad, 3 N m]}\n"
    "  - {name: rows, type: bushing, between: [ground, a], stiffness: [\n"
    "     [1e-3, 4e-3, 7e-3, 10*pi/180, 2*pi/180, 5 N/rad],\n"
    "     [8e-3, 11 N/m, 3e-3, 6*pi/180, 9*pi/180, 1*pi/180],\n"
    "     [4e-3, 7e-3, 10e-3, 2*pi/180, 5*pi/180, 8*pi/180],\n"
    "     [11, 3, 6, 9e3*pi/180, 1e3*pi/180, 4 N m/rad],\n"
    "     [7, 10, 2 N, 5e3*pi/180, 8e3*pi/180, 11e3*pi/180],\n"
    "     [3, 6, 9, 1e3*pi/180, 4e3*pi/180, 7e3*pi/180]]}\n"
    "  - {name: t, type: torque, on: a, value: [200, 0.3 N m/s*time, 0]}\n";

// Masses, constraint values and forces of two models at one state and time.
static void same_models(const hol_model_data *a, const hol_model_data *b)
{
    assert_int_equal(a->n_elements, b->n_elements);
    all_close(a->q0, b->q0, a->nq);
    all_close(a->v0, b->v0, a->nq);
    close_to(a->length_scale, b->length_scale);
    for (int i = 0; i < a->n_elements; i++) {
        const hol_element *e = &a->element[i], *f = &b->element[i];
        double y[HOL_MAX_Y], w[HOL_MAX_Y], x[2][HOL_MAX_Y * 7] = {{0}}, mem[HOL_MAX_MEMORY] = {0};
        hol_element_gather(a, e, 0.37, a->q0, a->v0, 1, y, w);
        if (e->type->mass) {
            e->type->mass(e->data, y, x[0]);
            f->type->mass(f->data, y, x[1]);
            all_close(x[0], x[1], (e->ny - 1) * (e->ny - 1));
        }
        if (e->n_rows) {
            e->type->phi_yw(e->data, e->ny, y, w, x[0]);
            f->type->phi_yw(f->data, e->ny, y, w, x[1]);
            all_close(x[0], x[1], e->n_rows * e->ny);
            e->type->phi(e->data, e->ny, y, mem, x[0], NULL);
            f->type->phi(f->data, e->ny, y, mem, x[1], NULL);
            all_close(x[0], x[1], e->n_rows);
        }
        if (e->type->force) {
            hol_real u[2][HOL_MAX_ROWS]; // inputs are functions of time here
            for (int k = 0; k < e->n_inputs; k++) {
                hol_real jet[4];
                hol_expr_jet(e->input[k].time, 0.37, jet);
                u[0][k] = jet[0];
                hol_expr_jet(f->input[k].time, 0.37, jet);
                u[1][k] = jet[0];
            }
            memset(x, 0, sizeof x);
            e->type->force(e->data, e->ny, y, w, mem, u[0], x[0]);
            f->type->force(f->data, e->ny, y, w, mem, u[1], x[1]);
            all_close(x[0], x[1], e->ny - 1);
        }
    }
}

static void units_do_not_change_the_model(void **state)
{
    (void)state;
    hol_model_data *si = load(in_si), *mm = load(in_mm);
    same_models(si, mm);
    hol_model_free(si);
    hol_model_free(mm);
}

static void json_is_a_model_file_too(void **state)
{
    (void)state;
    hol_model_data *json = load("{\"dimension\": 2, \"parameters\": {\"L\": 2},\n"
                                " \"bodies\": [{\"name\": \"a\", \"mass\": 1.5, \"inertia\": \"L/4\", "
                                "\"position\": [\"L\", 1e-1]}],\n"
                                " \"joints\": [{\"name\": \"j\", \"type\": \"hinge\", \"between\": "
                                "[{\"ground\": [2, 0.1]}, \"a\"]}]}\n");
    hol_model_data *yaml =
        load("dimension: 2\nparameters: {L: 2}\nbodies:\n"
             "  - {name: a, mass: 1.5, inertia: L/4, position: [L, 0.1]}\n"
             "joints:\n  - {name: j, type: revolute, between: {ground: [2, 0.1], a: [0, 0]}}\n");
    same_models(json, yaml);
    assert_int_equal(json->nc, 2);
    hol_model_free(json);
    hol_model_free(yaml);
}

// ---- includes -------------------------------------------------------------------------------------------------

static void write_in(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, text);
}

// Included content comes first; its parameters serve the including file, which may replace them.
static void includes_come_first(void **state)
{
    (void)state;
    char folder[] = "/tmp/holonom_XXXXXX", path[300];
    assert_non_null(mkdtemp(folder));
    write_in(folder, "base.yaml",
             "parameters: {L: 2, m: 3, R: 2*L}\ndimension: 2\n"
             "bodies:\n  - {name: first, type: point, mass: m, position: [L, R]}\n");
    write_in(folder, "more.yaml", "include: base.yaml\nbodies:\n  - {name: second, type: point, mass: 1}\n");
    write_in(folder, "main.yaml",
             "include: [more.yaml]\nparameters: {k: 10*L, L: 5}\ngravity: [0, -k]\n"
             "bodies:\n  - {name: third, type: point, mass: m}\n");
    snprintf(path, sizeof path, "%s/main.yaml", folder);
    hol_context_clear(ctx);
    hol_model_data *m = compiled(hol_spec_read_file(ctx, path, NULL, 0));
    assert_int_equal(m->n_bodies, 3);
    assert_string_equal(m->body[0].name, "first");
    assert_string_equal(m->body[1].name, "second");
    assert_string_equal(m->body[2].name, "third");
    all_close(position(m, "first"), (double[]){5, 10}, 2);
    close_to(m->spec->gravity[1], -50);
    hol_model_free(m);
    static const char *const files[] = {"base.yaml", "more.yaml", "main.yaml"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}

// The plain numbers of each file are in its own units, or in those of the file that includes it.
static void units_of_includes_are_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *part, *deeper, *whole, *set;
        double x[3]; // of a in the part, c in what that includes, b in the whole [m]; or a message:
        const char *words;
    } rows[] = {
        {"units: {length: mm}\n", "", "units: {length: in}\n", NULL, {0.5, 0.5, 0.0254}, NULL},
        {"units: {length: mm}\n", "units: {length: cm}\n", "units: {time: ms}\n", NULL, {0.5, 5, 1}, NULL},
        {"units: {length: mm}\n", "", "", NULL, {0.5, 0.5, 1}, NULL},
        {"", "units: {length: mm}\n", "units: {length: km}\n", NULL, {5e5, 0.5, 1e3}, NULL},
        {"units: {length: mm}\n",
         "",
         "units: {length: in}\n",
         "bodies.a.position=[2, 0]",
         {2e-3, 0.5, 0.0254},
         NULL},
        {"units: {length: mm}\n", "", "", "units.length=in", {0.5, 0.5, 0.0254}, NULL},
        {"units: {length: mm}\nparameters: {L: 7, n: 2}\n",
         "",
         "units: {length: in}\n"
         "forces: [{name: f, type: force, on: a, value: [n, L*n N]}]\n",
         NULL,
         {0.5, 0.5, 0.0254},
         NULL},
        {"units: {length: mm}\nparameters: {L: 7}\n",
         "",
         "units: {length: in}\n"
         "joints: [{name: j, type: fixed, bodies: [ground, b], at: [L, 0]}]\n",
         NULL,
         {0},
         "takes a parameter without a unit, of a file whose \"units:\" are others"},
        {"units: {length: mm}\nparameters: {L: 7}\n",
         "",
         "units: {length: in}\nparameters: {M: 2*L}\n"
         "joints: [{name: j, type: fixed, bodies: [ground, b], at: [M/2, 0]}]\n",
         NULL,
         {0},
         "takes a parameter without a unit"},
        {"units: {length: mm}\nparameters: {L: 7}\n",
         "",
         "units: {length: mm}\n"
         "joints: [{name: j, type: fixed, bodies: [ground, b], at: [L, 0]}]\n",
         NULL,
         {0.5, 0.5, 1e-3},
         NULL},
        {"units: {angle: deg}\nparameters: {A: 90}\n",
         "",
         "parameters: {s: 5*sin(A)}\n",
         NULL,
         {0},
         "give this one its unit"}};
    char folder[] = "/tmp/holonom_XXXXXX", path[300], text[800];
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        snprintf(text, sizeof text, "%sbodies: [{name: c, type: point, mass: 1, position: [500, 0]}]\n",
                 rows[i].deeper);
        write_in(folder, "deeper.yaml", text);
        snprintf(text, sizeof text,
                 "%sinclude: deeper.yaml\nbodies: [{name: a, type: point, mass: 1, position: [500, 0]}]\n",
                 rows[i].part);
        write_in(folder, "part.yaml", text);
        snprintf(text, sizeof text,
                 "%sdimension: 2\ninclude: part.yaml\nbodies: [{name: b, mass: 1, inertia: 1, position: [1, "
                 "0]}]\n",
                 rows[i].whole);
        write_in(folder, "whole.yaml", text);
        snprintf(path, sizeof path, "%s/whole.yaml", folder);
        hol_context_clear(ctx);
        hol_spec *spec = hol_spec_read_file(ctx, path, &rows[i].set, rows[i].set != NULL);
        if (rows[i].words) {
            if (spec || !strstr(hol_context_error(ctx), rows[i].words))
                fail_msg("row %d: %s", i, spec ? "it is read" : hol_context_error(ctx));
            continue;
        }
        if (!spec) fail_msg("row %d: %s", i, hol_context_error(ctx));
        const double x[] = {spec->body[1]->position[0], spec->body[0]->position[0],
                            spec->body[2]->position[0]};
        all_close(x, rows[i].x, 3);
        hol_spec_destroy(spec);
    }
    static const char *const files[] = {"deeper.yaml", "part.yaml", "whole.yaml"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}

// ---- orientations and initial states --------------------------------------------------------------------------

static void orientation(const char *kind, double quat[4])
{
    char text[300];
    snprintf(text, sizeof text,
             "dimension: 3\nbodies:\n  - {name: a, mass: 1, inertia: 1, orientation: %s}\n", kind);
    hol_model_data *m = load(text);
    memcpy(quat, m->q0 + 3, 4 * sizeof *quat);
    hol_model_free(m);
}

static void same_orientation(const char *a, const char *b)
{
    double p[4], q[4], R[9], S[9];
    orientation(a, p);
    orientation(b, q);
    hol_quat_matrix(p, R);
    hol_quat_matrix(q, S);
    for (int i = 0; i < 9; i++)
        if (!(fabs(R[i] - S[i]) <= TOLERANCE)) {
            print_error("%s and %s differ: %.17g and %.17g\n", a, b, R[i], S[i]);
            fail();
        }
}

static void orientations_agree(void **state)
{
    (void)state;
    same_orientation("{axis: [0, 0, 2], angle: 90 deg}", "{quat_wxyz: [sqrt(1/2), 0, 0, sqrt(1/2)]}");
    same_orientation("{axis: [0, 0, 2], angle: 90 deg}", "{rpy: [0, 0, 90 deg]}");
    same_orientation("{axis: [1, 0, 0], angle: 0.4}", "{rpy: [0.4, 0, 0]}");
    same_orientation("{axis: [0, 1, 0], angle: 0.4}", "{rpy: [0, 0.4, 0]}");
    same_orientation("{euler_zyx: [0.7, -0.3, 0.2]}", "{rpy: [0.2, -0.3, 0.7]}");
    same_orientation("{euler_xyx: [0.7, 0, 0.2]}", "{axis: [1, 0, 0], angle: 0.9}");
    same_orientation("{euler_zxz: [0.7, 0, 0.2]}", "{axis: [0, 0, 1], angle: 0.9}");
    // the line of nodes: about z by 90 degrees, then about the new x (global y) by 90 degrees: z goes to x
    same_orientation("{euler_zxz: [90 deg, 90 deg, 0]}", "{z: [3, 0, 0], x: [0, 1, 0]}");
    same_orientation("{z: [0, 0, 1], x: [1, 1, 0]}", "{axis: [0, 0, 1], angle: 45 deg}");
    same_orientation("{z: [0, 0, 1], x: [1, 1, 7]}",
                     "{axis: [0, 0, 1], angle: 45 deg}"); // x is made perpendicular
    same_orientation("{z: [0, 0, 1]}", "{quat_wxyz: [1, 0, 0, 0]}");
    same_orientation("{z: [0, 1, 0], x: [1, 0, 0]}", "{rpy: [-90 deg, 0, 0]}");
    same_orientation("{quat_wxyz: [-0.6, 0, 0.8, 0]}", "{quat_wxyz: [0.6, 0, -0.8, 0]}");
}

// q is of the centre of mass; position and velocity in the file are of the body frame's origin.
static void initial_states_are_moved_to_the_centre_of_mass(void **state)
{
    (void)state;
    hol_model_data *m =
        load("dimension: 2\nbodies:\n"
             "  - {name: a, mass: 1, inertia: 1, com: [2, 1], position: [10, 20], angle: 90 deg,\n"
             "     velocity: [3, 4], omega: 5}\n");
    all_close(position(m, "a"), (double[]){9, 22, HOL_PI / 2}, 3);
    all_close(velocity(m, "a"), (double[]){3 - 5 * 2, 4 + 5 * -1, 5}, 3);
    hol_model_free(m);

    m = load(
        "dimension: 3\nbodies:\n"
        "  - {name: a, mass: 1, inertia: 1, com: [1, 2, 3], position: [10, 20, 30], velocity: [1, 1, 1],\n"
        "     orientation: {axis: [0, 0, 1], angle: 90 deg}, omega: [0.5, -0.6, 0.7]}\n"
        "  - {name: b, mass: 1, inertia: 1, com: [1, 2, 3], position: [10, 20, 30], velocity: [1, 1, 1],\n"
        "     orientation: {axis: [0, 0, 1], angle: 90 deg}, omega_body: [-0.6, -0.5, 0.7]}\n");
    const double c[3] = {-2, 1, 3}, o[3] = {0.5, -0.6, 0.7}; // com turned by 90 degrees
    const double *q = position(m, "a"), *v = velocity(m, "a");
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        close_to(q[i], 10 * (i + 1) + c[i]);
        close_to(v[i], 1 + o[j] * c[k] - o[k] * c[j]);
    }
    hol_real p[4], E[3][4];
    for (int i = 0; i < 4; i++) p[i] = q[3 + i];
    hol_global_rate(p, E);
    double tangent = 0;
    for (int i = 0; i < 3; i++) {
        double omega = 0;
        for (int k = 0; k < 4; k++) omega += 2 * hol_re(E[i][k]) * v[3 + k];
        close_to(omega, o[i]);
    }
    for (int k = 0; k < 4; k++) tangent += q[3 + k] * v[3 + k];
    close_to(tangent, 0);
    all_close(position(m, "b"), q, 7); // the same rotation given in body axes
    all_close(velocity(m, "b"), v, 7);
    hol_model_free(m);
}

// A joint given by one global frame is the joint between the markers that are there.
static void drawn_joints_equal_joints_between_markers(void **state)
{
    (void)state;
    hol_model_data *m =
        load("dimension: 3\nbodies:\n"
             "  - {name: a, mass: 1, inertia: 1, com: [0.1, 0.2, 0], position: [1, 2, 3], orientation: {rpy: "
             "[0.3, 0.2, 0.1]}}\n"
             "  - {name: b, mass: 1, inertia: 1, position: [2, 1, 0], orientation: {rpy: [-0.3, 0.7, 0.4]}}\n"
             "joints:\n"
             "  - {name: weld, type: fixed, bodies: [a, b], at: [1.5, 1.5, 1.5], axis: [1, 2, -2]}\n"
             "  - {name: cross, type: universal, bodies: [a, b], at: [1, 1, 1], axis: [1, 2, -2], axis2: [2, "
             "1, 2]}\n"
             "  - {name: foot, type: revolute, bodies: [ground, a], at: [1, 1, 1], axis: [0, 1, 0]}\n");
    double phi[20];
    assert_int_equal(m->nc, 2 + 6 + 4 + 5);
    values_of_rows(m, phi);
    for (int i = 0; i < m->nc; i++) close_to(phi[i], 0);
    const hol_end *end = element(m, "foot")->end;
    for (int i = 0; i < 3; i++) close_to(end[0].marker->u[2][i], i == 1);
    hol_model_free(m);
}

// In the plane a fixed relative angle keeps the turns of the drawn pose; a driver's function brings its own.
// Where a frame that is drawn lies in a body: the body stands at (1, 2), turned by 90 degrees, so that (1, 5) is 3 along its x.
static void drawn_frames_lie_in_their_bodies(void **state)
{
    (void)state;
    hol_model_data *m = load("dimension: 2\nbodies:\n"
                             "  - {name: a, mass: 1, inertia: 1, position: [1, 2], angle: 90 deg}\n"
                             "joints:\n  - {name: J, type: revolute, bodies: [ground, a], at: [0, 5]}\n");
    const double *s = element(m, "J")->end[1].marker->s;
    close_to(s[0], 3);
    close_to(s[1], 1);
    hol_model_free(m);
    m = load("dimension: 3\nbodies:\n"
             "  - {name: a, mass: 1, inertia: 1, position: [1, 2, 3], orientation: {axis: [1, 0, 0], angle: "
             "90 deg}}\n"
             "joints:\n  - {name: J, type: spherical, bodies: [ground, a], at: [1, 3, 7]}\n");
    s = element(m, "J")->end[1].marker->s; // y of the body is global z, its z is global -y
    close_to(s[0], 0);
    close_to(s[1], 4);
    close_to(s[2], -1);
    hol_model_free(m);
}

// relative_to in the plane: angles of body and marker add up, and the velocity is that of a place on the turning body.
static void poses_relative_to_a_marker_move_with_it(void **state)
{
    (void)state;
    hol_model_data *m = load("dimension: 2\nbodies:\n"
                             "  - {name: a, mass: 1, inertia: 1, angle: 90 deg, omega: 2, markers: {tip: "
                             "{position: [1, 0], angle: 90 deg}}}\n"
                             "  - {name: b, mass: 1, inertia: 1, relative_to: a.tip, position: [3, 0], "
                             "velocity: [0, 5], angle: 0.1, omega: 1}\n");
    const double pi = acos(-1);
    all_close(position(m, "b"), (double[]){-3, 1, pi + 0.1}, 3); // (0, 1) + 3 along -x
    all_close(velocity(m, "b"), (double[]){-2 * 1, 2 * -3 - 5, 3},
              3); // omega x r, and 5 along the marker's y, which is -y
    hol_model_free(m);
}

// An item is found by its whole name, whatever else begins with it.
static void overrides_take_whole_names(void **state)
{
    static const char text[] =
        "dimension: 2\nbodies:\n  - {name: rod10, type: point, mass: 1}\n"
        "  - {name: rod1, type: point, mass: 1}\n  - {name: rod, type: point, mass: 1}\n";
    static const char *const set[] = {"bodies.rod1.position=[1, 2]", "bodies.rod.position=[3, 4]"};
    (void)state;
    hol_model_data *m = compile(text, set, 2);
    all_close(position(m, "rod10"), (double[]){0, 0}, 2);
    all_close(position(m, "rod1"), (double[]){1, 2}, 2);
    all_close(position(m, "rod"), (double[]){3, 4}, 2);
    hol_model_free(m);
}

static void planar_angles_keep_the_drawn_turns(void **state)
{
    (void)state;
    hol_model_data *m = load("dimension: 2\nbodies:\n"
                             "  - {name: a, mass: 1, inertia: 1, angle: 3.5, markers: {m: {angle: 2.5}}}\n"
                             "  - {name: b, mass: 1, inertia: 1, angle: 20, markers: {m: {angle: -2.8}}}\n"
                             "joints:\n"
                             "  - {name: j, type: parallel-axes, between: [a.m, b.m]}\n"
                             "  - {name: k, type: parallel-axes, between: [b.m, a.m]}\n"
                             "drivers:\n"
                             "  - {name: d, type: angle, between: [a.m, b.m], value: 1 + time}\n");
    double phi[3];
    values_of_rows(m, phi);
    double turn = 20 - 2.8 - (3.5 + 2.5); // of the frames
    close_to(phi[2], turn - 1);
    turn -= 2 * HOL_PI * rint(turn / (2 * HOL_PI));
    close_to(phi[0], turn);
    close_to(phi[1], -turn);
    hol_model_free(m);
}

// A driver may name a joint instead of ends.
static void drivers_take_the_ends_of_a_joint(void **state)
{
    (void)state;
    char text[40];
    hol_model_data *m =
        load("dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 1, markers: {m: [1, 2]}}\n"
             "joints:\n  - {name: j, type: revolute, between: [ground, a.m]}\n"
             "drivers:\n  - {name: d, type: angle, joint: j, value: time}\n");
    assert_int_equal(m->nc, 3);
    assert_string_equal(hol_model_end(m, element(m, "d"), 1, text, sizeof text), "a.m");
    close_to(element(m, "d")->end[1].marker->s[1], 2);
    hol_model_free(m);
}

// Loops that make more than a sandbox admits are refused before their first turn; turns that make nothing count as well.
static void loops_end_in_a_sandbox(void **state)
{
    (void)state;
    static const struct {
        const char *loops, *message;
    } cases[] = {
        {"i in 1..101",
         "test.yaml:3:25: error: bodies[0] a{i}.for: the model has more than 100 bodies, joints, "
         "drivers and forces"},
        {"[i in 1..90, j in 1..90, k in 1..0]",
         "test.yaml:3:38: error: bodies[0] a{i}.for: more than 100 turns of loops make nothing"},
        {"[i in 1..10, j in 1..10]", NULL},
    };
    for (int i = 0; i < HOL_COUNT(cases); i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "dimension: 2\nbodies:\n  - {name: \"a{i}%s\", for: %s, mass: 1, inertia: 1}\n",
                 cases[i].message ? "" : "_{j}", cases[i].loops);
        hol_context_clear(ctx);
        hol_context_sandbox(ctx, 100);
        hol_spec *spec = hol_spec_read_text(ctx, "test.yaml", text, strlen(text), NULL, 0);
        hol_context_sandbox(ctx, 0);
        assert_true(!spec == !!cases[i].message);
        if (!spec) assert_string_equal(hol_context_error(ctx), cases[i].message);
        if (!spec) continue;
        hol_model_data *m = compiled(spec);
        assert_int_equal(m->n_bodies, 100);
        hol_model_free(m);
    }
}

static void scales_have_defaults(void **state)
{
    (void)state;
    hol_model_data *m = load("dimension: 2\nbodies:\n"
                             "  - {name: a, mass: 1, inertia: 1, markers: {l: [-3, 0], r: [4, 0]}}\n");
    close_to(m->length_scale, 7);
    close_to(m->time_scale, 1);
    hol_model_free(m);
    m = load(
        "dimension: 2\nlength_scale: 0.3\ntime_scale: 2\nbodies:\n  - {name: a, type: point, mass: 1}\n");
    close_to(m->length_scale, 0.3);
    close_to(m->time_scale, 2);
    hol_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_make_bodies_and_joints),
        cmocka_unit_test(overrides_change_parameters_and_values),
        cmocka_unit_test(paths_without_a_meaning_are_told_the_right_one),
        cmocka_unit_test(loops_nest_and_may_be_empty),
        cmocka_unit_test(units_do_not_change_the_model),
        cmocka_unit_test(json_is_a_model_file_too),
        cmocka_unit_test(includes_come_first),
        cmocka_unit_test(units_of_includes_are_their_own),
        cmocka_unit_test(orientations_agree),
        cmocka_unit_test(initial_states_are_moved_to_the_centre_of_mass),
        cmocka_unit_test(drawn_joints_equal_joints_between_markers),
        cmocka_unit_test(drawn_frames_lie_in_their_bodies),
        cmocka_unit_test(poses_relative_to_a_marker_move_with_it),
        cmocka_unit_test(overrides_take_whole_names),
        cmocka_unit_test(planar_angles_keep_the_drawn_turns),
        cmocka_unit_test(drivers_take_the_ends_of_a_joint),
        cmocka_unit_test(loops_end_in_a_sandbox),
        cmocka_unit_test(scales_have_defaults),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
