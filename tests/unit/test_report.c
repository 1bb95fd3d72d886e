// A report page is taken apart again: base64, inflate, second differences; what is in it is what the result has.
#include "report_pages.h"

// Bodies with their masses aside, a point mass, and names and a title that could break a page.
static const char strange[] =
    "title: \"</title></script><script>alert(1)</script> \\\"&amp; \\u2028 \\u03b1\"\n"
    "dimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "- {name: '</script><script>alert(2)</script>', mass: 1, inertia: 1, com: [0.3, -0.2], position: [0, 0], "
    "markers: {t: "
    "[1, 0]}}\n"
    "- {name: \"<img src x onerror 'a'>\\u00e9\\\\\", mass: 1, inertia: 0.5, position: [1, 0], velocity: [0, "
    "1], omega: 40}\n"
    "- {name: '<!--DATA-->', type: point, mass: 1, position: [2, 1]}\n"
    "joints:\n"
    "- {name: '<!--HEAD-->', type: revolute, between: [ground, '</script><script>alert(2)</script>']}\n"
    "simulate: {end: 1, output: 0.01, tolerance: 1e-6}\n";

static void strange_names_do_no_harm_and_poses_and_signals_are_those_of_the_result(void **state)
{
    static const double aside[3] = {0.3, -0.2, 0}, none[3] = {0};
    page p, run;
    (void)state;
    FILE *f = fopen(in_folder("strange.yaml"), "w");
    assert_non_null(f);
    fputs(strange, f);
    fclose(f);
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_load(ctx, in_folder("strange.yaml"), NULL, 0);
    if (!model) print_error("%s\n", hol_context_error(ctx));
    hol_result *r = run_model(ctx, model, in_folder("strange.nc"));
    report(ctx, r, &p);
    assert_int_equal(p.n_time, r->n_rows);
    for (size_t k = 0; k < p.n_time; k++)
        assert_memory_equal(&p.time[k], &r->value[k * (size_t)r->n_columns], sizeof *p.time);
    assert_int_equal(p.n_poses, 9 * p.n_time);
    assert_true(body_error(&p, r, "</script><script>alert(2)</script>", 'p', 0, aside) <
                5e-5); // an angle: 4.8e-5
    assert_true(body_error(&p, r, "<img src x onerror 'a'>\u00e9\\", 'p', 3, none) < 5e-5);
    assert_same_signals(&p, r);
    // the page has the texts in no other place than its deflated blocks
    assert_null(strstr(p.html, "alert(1)</script>"));
    assert_null(strstr(p.html, "alert(2)"));
    assert_non_null(strstr(p.html, "&#60;/title&#62;&#60;/script&#62;"));
    assert_non_null(strstr(p.scene, "onerror 'a'>\u00e9\\\\"));
    assert_non_null(strstr(p.scene, "\"channels\": \"ppo\""));
    assert_non_null(strstr(p.scene, "\"reaction\": {\"columns\": ["));
    // the same page as the run itself writes: but for the rounding of the shift to the centre of mass
    read_page(in_folder("run.html"), &run);
    assert_int_equal(run.n_poses, p.n_poses);
    for (size_t i = 0; i < p.n_poses; i++) {
        const unsigned d = (run.pose[i] - p.pose[i] + 1) & 0xffff;
        assert_in_range(d, 0, 2);
    }
    assert_memory_equal(run.value, p.value, p.n_values * sizeof *p.value);
    free_page(&run);
    free_page(&p);
    hol_result_destroy(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

static void spatial_poses_are_within_a_hundred_thousandth_and_overrides_are_known_to_the_result(void **state)
{
    static const char *const set[] = {"simulate.end=2", "parameters.length=2"};
    static const double none[3] = {0};
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_load(ctx, "models/bricard.yaml", set, 1);
    hol_result *r = run_model(ctx, model, in_folder("bricard.nc"));
    report(ctx, r, &p);
    for (size_t i = 0; i < 5; i++) {
        char name[8];
        snprintf(name, sizeof name, "rod%d", (int)i + 1);
        assert_true(body_error(&p, r, name, 's', 7 * i, none) <
                    1.6e-5); // quaternions: 1.5e-5, lengths: 0.8e-5
    }
    assert_same_signals(&p, r);
    assert_string_equal(hol_result_note(r, "set"), "simulate.end=2");
    assert_string_equal(hol_result_note(r, "method"), "hht");
    assert_string_equal(hol_result_note(r, "source"), "holonom " HOL_VERSION);
    assert_non_null(strstr(hol_result_note(r, "summary"), "method: hht, tolerance 0.005\n"));
    assert_non_null(strstr(p.scene, "\"set\": [\"simulate.end=2\"]"));
    assert_non_null(strstr(p.scene, "[\"method\",\"hht, tolerance 0.005\"]"));
    assert_non_null(strstr(p.scene, "[\"bodies\",\"5\"]"));
    free_page(&p);
    hol_result_destroy(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

static void a_text_result_names_its_model_and_overrides(void **state)
{
    static const char *const set[] = {"parameters.N=2", "simulate.end=0.1", "simulate.signals=[poses]"};
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_load(ctx, "models/four_bar.yaml", set, 3);
    hol_result *r = run_model(ctx, model, in_folder("four_bar.csv"));
    assert_string_equal(hol_result_note(r, "model_file"), "models/four_bar.yaml");
    assert_string_equal(hol_result_note(r, "method"), "hht");
    assert_string_equal(hol_result_note(r, "set"),
                        "parameters.N=2\nsimulate.end=0.1\nsimulate.signals=[poses]");
    report(ctx, r, &p);
    assert_int_equal(p.n_poses % (3 * p.n_time), 0);
    assert_int_equal(3 * (p.n_poses / (3 * p.n_time)), r->n_columns - 1); // x y theta of every body
    free_page(&p);
    hol_result_destroy(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

// ---- joints ---------------------------------------------------------------------------------------------------

// The part of the scene that describes a joint, its numbers rounded to four digits as text.
static const char *joint_of(const page *p, const char *name, char *out, size_t room)
{
    char key[60];
    snprintf(key, sizeof key, "{\"name\": \"%s\",\"kind\": \"joint\"", name);
    const char *at = strstr(p->scene, key);
    assert_non_null(at);
    size_t n = 0;
    int depth = 0;
    do { // braces in names would mislead it, the models here have none
        depth += (*at == '{') - (*at == '}');
        if (n && (out[n - 1] == '[' || out[n - 1] == ',') && strchr("-0123456789", *at)) {
            char *end;
            const double x = strtod(at, &end);
            n += (size_t)snprintf(out + n, room - n, "%.4g", fabs(x) < 1e-12 ? 0 : x);
            at = end;
        } else
            out[n++] = *at++;
        assert_true(n + 30 < room);
    } while (depth);
    out[n] = 0;
    return out;
}

static void page_of(const char *text, const char *name, page *p)
{
    hol_context *ctx = hol_context_create();
    FILE *f = fopen(in_folder(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    hol_model *model = hol_model_load(ctx, in_folder(name), NULL, 0);
    hol_result *r = run_model(ctx, model, in_folder("joints.nc"));
    report(ctx, r, p);
    hol_result_destroy(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

// Both ends have their own place and orientation. Reactions at an end with axes, and at a point mass.
static void joints_have_their_ends_and_reactions(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, -10]\nbodies:\n"
        "- {name: a, mass: 1, inertia: [1, 1, 1], orientation: {rpy: [0, 0, 90 deg]},"
        " markers: {m: {position: [0, -0.5, 0], orientation: {axis: [0, 1, 0], angle: -90 deg}}}}\n"
        "- {name: b, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], orientation: {rpy: [0, 90 deg, 0]},"
        " markers: {n: {position: [0, 0, -0.5], orientation: {axis: [1, 0, 0], angle: 90 deg}}, o: "
        "{position: [0, 0, 0.5]}}}\n"
        "- {name: p, type: point, mass: 1, position: [1.5, 0, 0]}\n"
        "joints:\n- {name: J, type: spherical, between: [ground, a]}\n- {name: K, type: revolute, between: "
        "[a.m, b.n]}\n"
        "- {name: L, type: spherical, between: [b.o, p]}\n"
        "simulate: {end: 0.1, output: 0.05, signals: [poses, K, L]}\n";
    char joint[2000];
    page p;
    (void)state;
    page_of(text, "joints.yaml", &p);
    // columns: 7 of a and of b, 3 of p, then six of K and of L
    joint_of(&p, "K", joint, sizeof joint);
    assert_non_null(
        strstr(joint, "\"reaction\": {\"columns\": [17,18,19],\"torque\": [20,21,22],\"axes\": \"end\"}"));
    joint_of(&p, "L", joint, sizeof joint);
    assert_non_null(
        strstr(joint, "\"reaction\": {\"columns\": [23,24,25],\"torque\": [26,27,28],\"axes\": \"global\"}"));
    // the axis is -y: in a, which is turned about z, its -x, where z comes to by -90 degrees about y; in b by 90 about x
    joint_of(&p, "K", joint, sizeof joint);
    assert_non_null(
        strstr(joint, "{\"body\": 0,\"position\": [0,-0.5,0],\"quaternion\": [0.7071,0,-0.7071,0]}"));
    assert_non_null(
        strstr(joint, "{\"body\": 1,\"position\": [0,0,-0.5],\"quaternion\": [0.7071,0.7071,0,0]}"));
    free_page(&p);
}

// In the plane: two forces and a torque about z; the joints that close the loops are marked.
static void planar_joints_have_their_reactions_and_loops(void **state)
{
    char joint[2000];
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    static const char *const set[] = {"parameters.N=1", "simulate.end=0.1",
                                      "simulate.signals=[poses, A1, C0]"};
    hol_model *model = hol_model_load(ctx, "models/four_bar.yaml", set, 3);
    hol_result *r = run_model(ctx, model, in_folder("bar.nc"));
    report(ctx, r, &p);
    joint_of(&p, "A1", joint, sizeof joint); // three bodies of three columns before it
    assert_non_null(
        strstr(joint, "\"reaction\": {\"columns\": [9,10,-1],\"torque\": [-1,-1,11],\"axes\": \"end\"}"));
    assert_non_null(strstr(joint, "\"cut\": false"));
    joint_of(&p, "C0", joint, sizeof joint);
    assert_non_null(
        strstr(joint, "\"reaction\": {\"columns\": [12,13,-1],\"torque\": [-1,-1,14],\"axes\": \"end\"}"));
    assert_non_null(strstr(joint, "\"cut\": true")); // as `holonom check` says
    joint_of(&p, "A0", joint, sizeof joint);
    assert_non_null(strstr(joint, "\"reaction\": null"));
    free_page(&p);
    hol_result_destroy(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

// A slide whose ends are turned by 60 degrees on ground and by 20 in its body, which stands at 40.
static void slides_have_their_ends(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -10]\nbodies:\n- {name: a, mass: 1, inertia: 1, angle: 40 deg}\n"
        "joints:\n- {name: K, type: translational, between: [{ground: {position: [0, 0], angle: 60 deg}},"
        " {a: {position: [0, 0], angle: 20 deg}}]}\n"
        "simulate: {end: 0.1, output: 0.05, signals: [poses, K]}\n";
    char joint[2000];
    page p;
    (void)state;
    page_of(text, "joints.yaml", &p);
    joint_of(&p, "K", joint, sizeof joint); // halves of the angles: 30 and 10 degrees
    assert_non_null(strstr(joint, "{\"body\": -1,\"position\": [0,0,0],\"quaternion\": [0.866,0,0,0.5]}"));
    assert_non_null(strstr(joint, "{\"body\": 0,\"position\": [0,0,0],\"quaternion\": [0.9848,0,0,0.1736]}"));
    assert_non_null(
        strstr(joint, "\"reaction\": {\"columns\": [3,4,-1],\"torque\": [-1,-1,5],\"axes\": \"end\"}"));
    free_page(&p);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strange_names_do_no_harm_and_poses_and_signals_are_those_of_the_result),
        cmocka_unit_test(spatial_poses_are_within_a_hundred_thousandth_and_overrides_are_known_to_the_result),
        cmocka_unit_test(joints_have_their_ends_and_reactions),
        cmocka_unit_test(planar_joints_have_their_reactions_and_loops),
        cmocka_unit_test(slides_have_their_ends),
        cmocka_unit_test(a_text_result_names_its_model_and_overrides),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
