// Numbers in texts are the same whatever the locale: a caller's with a decimal comma, or one that user code sets on the way.
#include "harness.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/holonom_locale_XXXXXX";
static char libraries[1000]; // folder of the user code

static const char MODEL[] =
    "title: Numbers\n"
    "dimension: 2\n"
    "units: {length: mm}\n"
    "gravity: [0, -9806.65]\n"
    "parameters: {L: 500.5, m: 1.25, k: 2*0.75}\n"
    "splines:\n"
    "  - {name: lift, file: lift.txt}\n"
    "variables:\n"
    "  - {name: u, value: 0.5*sin(2.5*time) + 1.5e-1}\n"
    "transfer_functions:\n"
    "  - {name: filtered, input: u, numerator: [1], denominator: [1, 0.25]}\n"
    "code:\n"
    "  - {name: drag, library: %s/comma.so, function: comma, inputs: [WZ(rod)], outputs: [drag]}\n"
    "bodies:\n"
    "  - {name: rod, mass: m, inertia: m*L^2/12, position: [250.25, 0], angle: 0.5 deg,\n"
    "     markers: {foot: [-L/2, 0], tip: [L/2, 0]}}\n"
    "joints:\n"
    "  - {name: pin, type: revolute, between: [ground, rod.foot]}\n"
    "forces:\n"
    "  - {name: motor, type: torque, on: rod, value: \"1.5*k*filtered + spline(time, lift) + drag\"}\n"
    "  - {name: spring, type: rotational-spring-damper, between: [ground, rod],\n"
    "     stiffness: 0.5, damping: 0.125}\n"
    "events:\n"
    "  - {name: late, at: 0.25, print: it is late}\n"
    "simulate: {end: 0.5, tolerance: 1e-4, output: 0.0125}\n";

// ---- a locale ------------------------------------------------------------------------------------------------

// What localedef makes of a decimal comma and a dot between thousands, for the C library of GNU.
static const unsigned char NUMERIC[] =
    "\x14\x11\x03\x20\x06\0\0\0\x20\0\0\0\x22\0\0\0\x24\0\0\0\x28\0\0\0\x2c\0\0\0\x30\0\0\0"
    ",\0.\0\x03\x03\0\0,\0\0\0.\0\0\0UTF-8";

static void in_folder(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
}

static void write_bytes(const char *name, const void *bytes, size_t n)
{
    char path[1100];
    in_folder(path, sizeof path, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void expect_comma(void)
{
    char text[20];
    snprintf(text, sizeof text, "%g", 1.5);
    assert_string_equal(text, "1,5");
}

// Numbers with a comma from here on; where there is no such locale the test fails.
static void comma(void)
{
    assert_non_null(setlocale(LC_NUMERIC, "comma"));
    expect_comma();
}

static void point(void) { assert_non_null(setlocale(LC_NUMERIC, "C")); }

// ---- everything that writes or reads numbers -------------------------------------------------------------------

typedef struct {
    FILE *f;
} paper;

static void print(void *user, const char *text) { fputs(text, ((paper *)user)->f); }

static void note(void *user, hol_severity severity, const char *text)
{
    fprintf(((paper *)user)->f, "%d %s\n", (int)severity, text);
}

static hol_model *load(const char *path, const char *const *set, int n)
{
    hol_model *model = hol_model_load(ctx, path, set, n);
    if (!model) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(model);
    return model;
}

static void expect_ok(hol_status st)
{
    if (st) print_error("%s\n", hol_context_error(ctx));
    assert_int_equal(st, HOL_OK);
}

static void messages(paper *out, const char *path)
{
    static const char *const wrong[] = {"parameters.L=-0.5",      "parameters.m=1.5 kg mm",
                                        "bodies[0].mass=-2.5e-3", "simulate.tolerance=1.5",
                                        "simulate.end=-0.25",     "parameters.L=0,5"};
    for (int i = 0; i < HOL_COUNT(wrong); i++) {
        hol_model *model = hol_model_load(ctx, path, &wrong[i], 1);
        fprintf(out->f, "%s: %s\n", wrong[i], hol_context_error(ctx));
        hol_model_destroy(model);
    }
}

static void read_back(paper *out, const char *file, const char *again, const hol_model *model)
{
    char page[1100], glb[1100];
    in_folder(page, sizeof page, "page.html");
    in_folder(glb, sizeof glb, "motion.glb");
    hol_result *a = hol_result_read(ctx, file), *b = hol_result_read(ctx, again);
    assert_non_null(a);
    assert_non_null(b);
    hol_comparison *c = hol_comparison_create(ctx, a, b);
    assert_non_null(c);
    for (int i = 0; i < c->n; i++) assert_true(c->item[i].error <= 1e-14 * (1 + fabs(c->item[i].reference)));
    expect_ok(hol_report_write(ctx, a, model, NULL, page));
    expect_ok(hol_motion_export(ctx, a, model, glb));
    hol_model *same = hol_result_model(ctx, a);
    assert_non_null(same);
    hol_model_destroy(same);
    hol_comparison_destroy(c);
    hol_result_destroy(a);
    hol_result_destroy(b);
    (void)out;
}

// Leaves its files, and said.txt with all that is said, in the folder.
static void everything(void)
{
    char text[3000], path[1100], csv[1100], nc[1100], modes[1100], saved[1100];
    const char *const set[] = {"parameters.k=1.625", "simulate.hht.alpha=-0.25"};
    in_folder(path, sizeof path, "m.yaml");
    in_folder(csv, sizeof csv, "r.csv");
    in_folder(nc, sizeof nc, "r.nc");
    in_folder(modes, sizeof modes, "modes.csv");
    in_folder(saved, sizeof saved, "c.ck");
    write_bytes("m.yaml", text, (size_t)snprintf(text, sizeof text, MODEL, libraries));
    static const char lift[] = "0, 0.5\n0.125, 1.5\n0.25, 0.75\n1e0, 2.5E-1\n";
    write_bytes("lift.txt", lift, sizeof lift - 1);
    paper out;
    in_folder(text, sizeof text, "said.txt");
    out.f = fopen(text, "w");
    assert_non_null(out.f);
    hol_context_set_log(ctx, note, &out);
    messages(&out, path);
    hol_model *model = load(path, set, 2);
    hol_check *check = hol_check_create(ctx, model);
    assert_non_null(check);
    hol_check_print(check, "m.yaml", print, &out);
    hol_check_destroy(check);
    expect_ok(hol_graph_print(ctx, model, print, &out));
    hol_describe_methods(HOL_MARKDOWN, print, &out);
    hol_describe_elements(HOL_PLAIN_TEXT, print, &out);
    hol_describe_schema(print, &out);
    hol_advice advice;
    expect_ok(hol_advise(ctx, model, 1.5e-3, &advice));
    for (int i = 0; i < advice.n_reasons; i++) print(&out, advice.reason[i]);
    const hol_modes_options at = {.at = 0.125};
    hol_modes *m = hol_modes_create(ctx, model, &at);
    if (!m) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(m);
    expect_ok(hol_modes_write(ctx, m, modes));
    hol_modes_destroy(m);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_non_null(sim);
    expect_ok(hol_simulation_write(sim, csv));
    expect_ok(hol_simulation_write(sim, nc));
    bool done;
    for (int i = 0; i < 5; i++) expect_ok(hol_simulation_step(sim, &done));
    expect_ok(hol_simulation_checkpoint(sim, saved));
    expect_ok(hol_simulation_run(sim));
    hol_limits_text(hol_simulation_statistics(sim), text, sizeof text);
    print(&out, text);
    hol_simulation_destroy(sim);
    sim = hol_simulation_create(ctx, model);
    assert_non_null(sim);
    expect_ok(hol_simulation_restart(sim, saved));
    fprintf(out.f, "%d\n", hol_simulation_time(sim) > 0);
    hol_simulation_destroy(sim);
    read_back(&out, csv, nc, model);
    hol_model_destroy(model);
    hol_context_set_log(ctx, NULL, NULL);
    assert_int_equal(fclose(out.f), 0);
}

// ---- the same bytes ------------------------------------------------------------------------------------------

static const char *const files[] = {"said.txt", "r.csv", "modes.csv", "c.ck", "page.html", "motion.glb"};

static char *contents(const char *name, size_t *n)
{
    char path[1100];
    in_folder(path, sizeof path, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *n = (size_t)ftell(f);
    rewind(f);
    char *text = calloc(*n + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *n, f), *n);
    fclose(f);
    // the time it took is another one each time
    for (char *cpu = text; (cpu = strstr(cpu, " s CPU")) != NULL; cpu += 6)
        for (char *p = cpu; p > text && p[-1] != ' ' && p[-1] != ','; p--) p[-1] = '0';
    return text;
}

static void expect_the_same(void (*before)(void))
{
    char *want[HOL_COUNT(files)];
    size_t n[HOL_COUNT(files)], m;
    everything();
    for (int i = 0; i < HOL_COUNT(files); i++) want[i] = contents(files[i], &n[i]);
    before();
    everything();
    for (int i = 0; i < HOL_COUNT(files); i++) {
        char *have = contents(files[i], &m);
        size_t k = 0;
        while (k < n[i] && k < m && want[i][k] == have[k]) k++;
        if (k < n[i] || k < m)
            print_error("%s differs at byte %zu: \"%.60s\", \"%.60s\"\n", files[i], k, want[i] + k, have + k);
        assert_true(n[i] == m && k == m);
        free(want[i]);
        free(have);
    }
}

static void a_comma_of_the_caller_changes_nothing(void **state)
{
    (void)state;
    expect_the_same(comma);
}

static void by_process(void) { setenv("COMMA", "process", 1); }
static void by_thread(void) { setenv("COMMA", "thread", 1); }

// The comma comes in the middle of a step, after the model and the splines were read, and is there from then on.
static void a_comma_of_user_code_changes_nothing(void **state)
{
    (void)state;
    expect_the_same(by_process);
    expect_comma();
    point();
    expect_the_same(by_thread);
}

// ---- the folder ----------------------------------------------------------------------------------------------

static int prepare(void **state)
{
    char path[1100];
    if (!mkdtemp(folder)) return -1;
    in_folder(path, sizeof path, "comma");
    if (mkdir(path, 0700)) return -1;
    write_bytes("comma/LC_NUMERIC", NUMERIC, sizeof NUMERIC - 1);
    setenv("COMMA_IN", folder, 1);
    setenv("LOCPATH", folder, 1);
    return start(state);
}

static int clean(void **state)
{
    static const char *const others[] = {"m.yaml", "lift.txt", "r.nc", "comma/LC_NUMERIC", "comma", ""};
    char path[1100];
    for (int i = 0; i < HOL_COUNT(files) + HOL_COUNT(others); i++) {
        in_folder(path, sizeof path, i < HOL_COUNT(files) ? files[i] : others[i - HOL_COUNT(files)]);
        remove(path);
    }
    return stop(state);
}

// As in force when the test before has ended.
static int forget(void **state)
{
    (void)state;
    unsetenv("COMMA");
    uselocale(LC_GLOBAL_LOCALE);
    point();
    return 0;
}

int main(int argc, char **argv)
{
    char here[900];
    const char *slash = strrchr(argv[0], '/');
    if (argc < 1 || !getcwd(here, sizeof here - 1)) return 1;
    snprintf(libraries, sizeof libraries, "%s%.*s/../user_code", argv[0][0] == '/' ? "" : strcat(here, "/"),
             slash ? (int)(slash - argv[0]) : 1, slash ? argv[0] : ".");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_comma_of_the_caller_changes_nothing, forget),
        cmocka_unit_test_teardown(a_comma_of_user_code_changes_nothing, forget)};
    return cmocka_run_group_tests(tests, prepare, clean);
}
