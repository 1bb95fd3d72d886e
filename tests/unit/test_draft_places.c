// Places of what a draft holds: messages name the path of what a program has set and the line of what was read, its files are found from
// every folder, and results hold it.
#include "draft_of.h"
#include "harness.h"
#include "holonom_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- messages -------------------------------------------------------------------------------------------------

// What is set at a path of the pendulum, and what its compilation says.
static void values_made_here_are_named_by_their_path(void **state)
{
    static const struct {
        const char *item, *key, *value, *message;
    } row[] = {
        {"bodies.rod", "mass", "-1", "pendulum: error: bodies[0] rod.mass: -1, must be at least 0"},
        {"bodies.rod", "maas", "1",
         "pendulum: error: bodies[0] rod.maas: unknown key \"maas\"; did you mean \"mass\"?"},
        {"bodies.rod", "mass", "2*foo", "pendulum: error: bodies[0] rod.mass: unknown name \"foo\""},
        {"bodies.rod.position", "[1]", "q", "pendulum: error: bodies[0] rod.position[1]: unknown name \"q\""},
        {"bodies.rod.markers", "hinge", "7", "pendulum: error: bodies[0] rod.markers.hinge: "},
        {"joints.pin", "type", "revolut",
         "pendulum: error: joints[0] pin.type: there is no joint type \"revolut\""},
        {"joints.pin.between", "[1]", "rod.hing",
         "pendulum: error: joints[0] pin.between[1]: body \"rod\" has no marker"},
        {"joints.pin.between", "[0]", "rod",
         "pendulum: error: joints[0] pin.between[1]: both ends are on the same body"},
        {"joints.pin", "name", "rod",
         "pendulum: error: joints[0] rod.name: the name is taken by bodies.rod in bodies[0] rod;"},
        {"simulate", "method", "rkk",
         "pendulum: error: simulate.method: there is no method \"rkk\"; did you mean \"rk\"?"},
        {"", "include", "nowhere.yaml", "pendulum: error: include: the file \"nowhere.yaml\" cannot be read"},
        {"", "joint", "1", "pendulum: error: joint: unknown key \"joint\""},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(row); i++) {
        hol_draft *d = pendulum();
        ok(hol_item_text(made(hol_item_find(hol_draft_root(d), row[i].item)), row[i].key, row[i].value));
        if (hol_draft_compile(d)) fail_msg("%s.%s: %s is taken", row[i].item, row[i].key, row[i].value);
        assert_int_equal(hol_context_status(ctx), HOL_ERR_MODEL);
        if (strncmp(hol_context_error(ctx), row[i].message, strlen(row[i].message)) != 0)
            fail_msg("\"%s\", wanted is \"%s\"", hol_context_error(ctx), row[i].message);
        hol_draft_destroy(d);
    }
}

static void two_items_of_one_name_are_told_apart(void **state)
{
    (void)state;
    hol_draft *d = pendulum();
    hol_item *rod = hol_item_find(hol_draft_root(d), "bodies.rod");
    made(hol_item_copy(hol_item_parent(rod), NULL, rod));
    assert_null(hol_draft_compile(d));
    expect_message(
        "bodies[1] rod.name: the name is given twice, first in bodies[0] rod.name; rename one of them");
    ok(hol_item_text(rod, "for", "i in 0..1"));
    ok(hol_item_remove(hol_item_find(hol_draft_root(d), "bodies[1]")));
    assert_null(hol_draft_compile(d));
    expect_message("bodies[0] rod.name: the name is the same for all values of the loop index");
    hol_draft_destroy(d);
}

static const char lines[] = "dimension: 2\n"
                            "gravity: [0, -9.81]\n"
                            "bodies:\n"
                            "  - name: rod\n"
                            "    mass: -1\n"
                            "    inertia: 0.1\n"
                            "joints: [{name: pin, type: revolute, between: [ground, rod]}]\n"
                            "simulate: {end: 1}\n";

// What stands in the text has its line, also when others have changed; what is set has its path.
static void places_in_a_text_are_kept(void **state)
{
    (void)state;
    hol_draft *d = made(hol_draft_parse(ctx, "lines.yaml", lines, strlen(lines)));
    hol_item *rod = hol_item_find(hol_draft_root(d), "bodies.rod");
    assert_null(hol_draft_compile(d));
    expect_message("lines.yaml:5:11: error: bodies[0] rod.mass: -1, must be at least 0");
    ok(hol_item_number(rod, "mass", 1));
    ok(hol_item_number(rod, "inertia", -1));
    assert_null(hol_draft_compile(d));
    expect_message("lines.yaml: error: bodies[0] rod.inertia: -1");
    ok(hol_item_remove(hol_item_get(rod, "inertia")));
    assert_null(hol_draft_compile(d));
    expect_message("lines.yaml:4:5: error: bodies[0] rod: \"inertia\" is missing");
    ok(hol_item_number(rod, "inertia", 1));
    ok(hol_item_text(rod, "name", "pole"));
    assert_null(hol_draft_compile(d));
    expect_message("lines.yaml:7:56: error: joints.pin");
    hol_draft_destroy(d);
    assert_null(hol_draft_parse(ctx, "lines.yaml", "a: [", 4));
    expect_message("lines.yaml:2:1: error: ");
    assert_null(hol_draft_parse(ctx, "lines.yaml", "[1]", 3));
    expect_message("lines.yaml:1:1: error: a model file is a map");
    assert_null(hol_draft_read(ctx, "nowhere.yaml"));
    expect_message("nowhere.yaml: error: the file cannot be read: ");
}

static void tell(void *user, hol_severity severity, const char *what)
{
    (void)severity;
    add_piece(user, what);
    add_piece(user, "\n");
}

// Warnings say their places, each of them once.
static void warnings_have_paths(void **state)
{
    pieces said = {0};
    (void)state;
    hol_draft *d = pendulum();
    hol_item *rod = hol_item_find(hol_draft_root(d), "bodies.rod");
    ok(hol_item_number(rod, "angle", 90));
    hol_item *force = made(hol_draft_add(d, "forces"));
    ok(hol_item_text(force, "name", "push"));
    ok(hol_item_text(force, "type", "torque"));
    ok(hol_item_text(force, "on", "rod"));
    ok(hol_item_text(force, "value", "if(AZ(rod): -1, 0, 1)"));
    hol_context_set_log(ctx, tell, &said);
    hol_model *model = made(hol_draft_compile(d));
    hol_check *check = made(hol_check_create(ctx, model));
    assert_int_equal(check->n_kinks, 1);
    assert_string_equal(check->kink[0], "if in push, forces[0] push.value");
    bool angle = false;
    for (int i = 0; i < check->n_warnings; i++)
        angle = angle || strstr(check->warning[i].text, "bodies[0] rod.angle: an angle of 90 is in radians");
    assert_true(angle);
    hol_check_destroy(check);
    hol_model_destroy(model);
    ok(hol_draft_set(d, "units.length=mm"));
    ok(hol_item_text(made(hol_draft_add(d, "variables")), "name", "v"));
    ok(hol_item_text(hol_item_find(hol_draft_root(d), "variables[0]"), "value", "1 + AZ(rod)"));
    hol_model_destroy(made(hol_draft_compile(d)));
    hol_context_set_log(ctx, NULL, NULL);
    assert_non_null(strstr(said.text, "pendulum: gravity: gravity is 0.00981 m/s^2"));
    assert_non_null(strstr(said.text, "pendulum: units: no unit of force is given"));
    free(said.text);
    hol_draft_destroy(d);
}

// ---- changing -------------------------------------------------------------------------------------------------

static void paths_are_those_of_set(void **state)
{
    (void)state;
    char place[100];
    hol_draft *d = made(hol_draft_read(ctx, "models/four_bar.yaml"));
    hol_item *root = hol_draft_root(d), *tip = hol_item_find(root, "bodies.crank{i}.markers.tip");
    assert_int_equal(hol_item_count(tip), 2);
    assert_ptr_equal(hol_item_find(root, "bodies[0].markers.tip"), tip);
    assert_ptr_equal(hol_item_find(root, "bodies[0].markers.tip[1]"), hol_item_at(tip, 1));
    assert_ptr_equal(hol_item_find(tip, "[1]"), hol_item_at(tip, 1));
    hol_item_where(tip, place, sizeof place);
    assert_string_equal(place, "bodies[0] crank{i}.markers.tip");
    hol_item_where(root, place, sizeof place);
    assert_string_equal(place, "");
    hol_item_where(tip, place, 4);
    assert_string_equal(place, "bod");
    static const char *const absent[] = {
        "bodies.crank", "bodies[2]",     "bodies[0]x", "bodies[-1]", "bodies[0", "title.x",
        "title[0]",     "gravity[0][0]", "a",          "bodies.",    ".bodies",  "[0]"};
    for (int i = 0; i < HOL_COUNT(absent); i++)
        if (hol_item_find(root, absent[i]) && i != 9) fail_msg("%s is there", absent[i]);
    static const char *const set[] = {
        "parameters.N=3", "tolerance=1e-5", "bodies.crank{i}.mass=2*m", "bodies[1].mass=3",
        "gravity=[0,-1]", "srm.project=no", "simulate.step=1e-3",       "simulate.tolerance=1e-4"};
    static behaviour want;
    for (int i = 0; i < HOL_COUNT(set); i++) ok(hol_draft_set(d, set[i]));
    assert_null(hol_item_find(root, "simulate.step")); // the tolerance has taken its place
    behave(hol_model_load(ctx, "models/four_bar.yaml",
                          (const char *const[]){set[0], set[2], set[3], set[4], set[5], set[7]}, 6),
           &want);
    check_draft("set", d, &want, true);
}

// ---- files ----------------------------------------------------------------------------------------------------

static void make_file(const char *name, const char *what)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, what);
}

static void make_folders(const char *name)
{
    char command[200];
    snprintf(command, sizeof command, "mkdir -p %s/%s", folder, name);
    assert_int_equal(system(command), 0);
}

static const char parts[] =
    "bodies: [{name: rod, mass: 1, inertia: 0.1, markers: {tip: [L, 0]}, shape: {type: mesh, file: "
    "meshes/rod.stl}}]\nparameters: {L: 0.5}\n"
    "splines: [{name: table, file: table.csv}]\n";
static const char whole[] =
    "dimension: 2\ngravity: [0, -9.81]\ninclude: sub/parts.yaml\n"
    "joints: [{name: pin, type: revolute, between: [ground, rod.tip]}]\n"
    "splines: [{name: load, file: load.csv}]\n"
    "forces: [{name: f, type: torque, on: rod, value: \"spline(time, load) + spline(time, table)\"}]\n"
    "code: [{name: wave, library: code.so, inputs: [time], outputs: [w], parameters: [1]}]\n"
    "variables: [{name: shown, value: w}]\n"
    "simulate: {end: 1, signals: [all]}\n";

// A shared object of tests/user_code beside the model.
static void link_code(void)
{
    char program[2000], command[4500];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_true(n > 0);
    program[n] = 0;
    *strrchr(program, '/') = 0;
    snprintf(command, sizeof command, "ln -s %s/../user_code/trouble.so %s/home/code.so", program, folder);
    assert_int_equal(system(command), 0);
}

// Files of a draft, in its folder and below it: the model reads them, and so does that of a copy in any other folder.
static void files_are_found_from_every_folder(void **state)
{
    static behaviour want;
    static const char *const reads[] = {"home/main.yaml",     "home/sub/parts.yaml",     "home/load.csv",
                                        "home/sub/table.csv", "home/sub/meshes/rod.stl", "home/code.so"};
    static const char *const copies[] = {"home/main.yaml", "home/copy.yaml", "home/sub/copy.yaml",
                                         "copy.yaml", "far/away/copy.yaml"};
    char path[300], here[4000];
    (void)state;
    make_folders("home/sub/meshes");
    make_folders("far/away");
    make_file("home/sub/parts.yaml", parts);
    make_file("home/sub/table.csv", "0, 0\n1, 1\n2, 4\n");
    make_file("home/sub/meshes/rod.stl", "solid\nendsolid\n");
    make_file("home/load.csv", "0, 1\n1, 1\n2, 3\n");
    make_file("home/main.yaml", whole);
    link_code();
    snprintf(path, sizeof path, "%s/home/main.yaml", folder);
    behave(hol_model_load(ctx, path, NULL, 0), &want);
    hol_draft *d = made(hol_draft_read(ctx, path));
    for (int i = 0; i < HOL_COUNT(copies); i++) {
        const char *name = copies[i];
        snprintf(path, sizeof path, "%s/%s", folder, name);
        ok(hol_draft_write(d, path));
        hol_model *model = made(hol_model_load(ctx, path, NULL, 0));
        for (int k = 1; k < HOL_COUNT(reads); k++) {
            snprintf(path, sizeof path, "%s/%s", folder, reads[k]);
            if (hol_model_keep(ctx, model, path) != HOL_ERR_USAGE)
                fail_msg("%s does not read %s", name, reads[k]);
        }
        same_behaviour(name, &want, model, false);
    }
    same_behaviour("draft", &want, hol_draft_compile(d), true);
    for (int k = 1; k < HOL_COUNT(reads); k++) { // what it reads is not overwritten
        const bool own = strncmp(reads[k], "home/sub/", 9) != 0 || strstr(reads[k], "parts");
        snprintf(path, sizeof path, "%s/%s", folder, reads[k]);
        if (!own) continue;
        assert_int_equal(hol_draft_write(d, path), HOL_ERR_USAGE);
        expect_message("is read by the draft");
    }
    // the same from within the folder
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    hol_draft *inside = hol_draft_read(ctx, "home/main.yaml");
    const hol_status st = hol_draft_write(inside, "far/inside.yaml");
    hol_model *model = hol_model_load(ctx, "far/inside.yaml", NULL, 0);
    assert_int_equal(chdir(here), 0);
    ok(st);
    hol_model_destroy(made(model));
    hol_draft_destroy(inside);
    hol_draft_destroy(d);
}

// A draft of a program is in the current folder.
static void files_of_a_new_draft_are_in_the_current_folder(void **state)
{
    static behaviour want;
    (void)state;
    hol_draft *d = made(hol_draft_create(ctx, "a/b", 3));
    ok(hol_item_text(hol_draft_root(d), "include", "models/chain3d.yaml"));
    ok(hol_draft_set(d, "simulate.signals=[all]"));
    behave(hol_draft_compile(d), &want);
    ok(hol_draft_write(d, file));
    same_behaviour("include", &want, hol_model_load(ctx, file, NULL, 0), true);
    hol_draft_destroy(d);
}

static void what_is_included_is_set_where_the_draft_can(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/home/main.yaml", folder);
    hol_draft *d = made(hol_draft_read(ctx, path));
    ok(hol_draft_set(d, "parameters.L=0.25"));
    assert_string_equal(hol_item_as_text(hol_item_find(hol_draft_root(d), "parameters.L")), "0.25");
    hol_model_destroy(made(hol_draft_compile(d)));
    assert_int_equal(hol_draft_set(d, "parameters.M=1"), HOL_ERR_USAGE);
    expect_message("the model has no parameter \"M\"");
    assert_int_equal(hol_draft_set(d, "bodies.rod.mass=2"), HOL_ERR_USAGE);
    expect_message("this stands in an included file");
    assert_int_equal(hol_draft_status(d), HOL_ERR_USAGE);
    ok(hol_draft_set(d, "joints.pin.type=fixed"));
    hol_model_destroy(made(hol_draft_compile(d)));
    hol_draft_destroy(d);
}

static void results_hold_the_draft(void **state)
{
    static const char *const name[] = {"result.csv", "result.nc"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(name); i++) {
        char path[100];
        static behaviour want;
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        hol_draft *d = pendulum();
        ok(hol_draft_set(d, "simulate.signals=[all]"));
        hol_model *model = made(hol_draft_compile(d));
        hol_simulation *sim = made(hol_simulation_create(ctx, model));
        ok(hol_simulation_write(sim, path));
        ok(hol_simulation_run(sim));
        hol_simulation_destroy(sim);
        behave(model, &want);
        hol_result *result = made(hol_result_read(ctx, path));
        assert_string_equal(result->title, "pendulum");
        assert_string_equal(hol_result_note(result, "model_file"), "pendulum");
        pieces own = {0};
        add_piece(&own, hol_result_note(result, "model_text"));
        same_text(name[i], own.text, printed(d));
        same_behaviour(name[i], &want, hol_result_model(ctx, result), true);
        hol_result_destroy(result);
        hol_draft_destroy(d);
        remove(path);
    }
}

// The same of a model that was parsed: no file is needed.
static void results_hold_the_text_of_a_model(void **state)
{
    static const char *const name[] = {"result.csv", "result.nc"};
    static behaviour want;
    (void)state;
    hol_draft *d = pendulum();
    char *own = printed(d), path[100];
    behave(hol_model_parse(ctx, "no such folder/a.yaml", own, strlen(own), NULL, 0), &want);
    for (int i = 0; i < HOL_COUNT(name); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        hol_model *model = made(hol_model_parse(ctx, "no such folder/a.yaml", own, strlen(own), NULL, 0));
        hol_simulation *sim = made(hol_simulation_create(ctx, model));
        ok(hol_simulation_write(sim, path));
        ok(hol_simulation_run(sim));
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
        hol_result *result = made(hol_result_read(ctx, path));
        same_behaviour(name[i], &want, hol_result_model(ctx, result), true);
        hol_result_destroy(result);
        remove(path);
    }
    free(own);
    hol_draft_destroy(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_made_here_are_named_by_their_path),
        cmocka_unit_test(two_items_of_one_name_are_told_apart),
        cmocka_unit_test(places_in_a_text_are_kept),
        cmocka_unit_test(warnings_have_paths),
        cmocka_unit_test(paths_are_those_of_set),
        cmocka_unit_test(files_are_found_from_every_folder),
        cmocka_unit_test(files_of_a_new_draft_are_in_the_current_folder),
        cmocka_unit_test(what_is_included_is_set_where_the_draft_can),
        cmocka_unit_test(results_hold_the_draft),
        cmocka_unit_test(results_hold_the_text_of_a_model),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
