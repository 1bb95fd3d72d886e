// User code: what is refused and how it is said, results that are no numbers, differences, threads.
#include "harness.h"

#include "model/code.h"

#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NUMBERS = 64 };

static char folder[1000];   // of the libraries made for this test
static char examples[1000]; // of those of the examples

static const char *const names[] = {"first", "second"};

static hol_code_request request(const char *library, const char *function, int nu, int ny, int nx, int np,
                                const double *p)
{
    return (hol_code_request){.library = library,
                              .folder = folder,
                              .function = function,
                              .n_inputs = nu,
                              .n_outputs = ny,
                              .n_states = nx,
                              .n_parameters = np,
                              .parameter = p,
                              .at = {.file = "car.yaml", .line = 7, .col = 5},
                              .path = "code[0] tyre"};
}

static hol_code *loaded(const hol_code_request *what)
{
    hol_code *code;
    hol_context_clear(ctx);
    if (hol_code_load(ctx, what, &code)) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(code);
    return code;
}

static void must_say(const char *text, const char *words)
{
    if (!strstr(text, words)) print_error("\"%s\" does not say \"%s\"\n", text, words);
    assert_non_null(strstr(text, words));
}

// Loading fails with a message that has these words, at the place given.
static void refused(const hol_code_request *what, const char *words)
{
    hol_code *code = (hol_code *)&folder;
    hol_context_clear(ctx);
    assert_int_equal(hol_code_load(ctx, what, &code), HOL_ERR_MODEL);
    assert_null(code);
    expect_message("car.yaml:7:5: error: code[0] tyre.");
    expect_message(words);
}

static void refused_function(const char *function, int nu, int ny, int nx, int np, const char *words)
{
    const double p[4] = {0};
    const hol_code_request what = request("faulty.so", function, nu, ny, nx, np, p);
    refused(&what, words);
}

// ---- loading ------------------------------------------------------------------------------------------------

static void files_that_are_no_libraries(void **state)
{
    (void)state;
    char absolute[4096], other[1100];
    hol_code_request what = request("nowhere.so", "tyre", 0, 0, 0, 0, NULL);
    refused(&what, "tyre.library: the file \"");
    expect_message("nowhere.so\" cannot be read: there is no such file");
    what.library = ".";
    refused(&what, "is not a file");
    what.library = "Makefile";
    what.folder = ""; // the current one: dlopen would not look there
    refused(&what, "\"./Makefile\" is not a shared object (");
    expect_message("cc -O2 -shared -fPIC tyre.c -o tyre.so");
    assert_non_null(getcwd(absolute, sizeof absolute - 20));
    strcat(absolute, "/Makefile");
    what.folder = "/nowhere"; // of no meaning to an absolute name
    what.library = absolute;
    refused(&what, absolute);
    expect_message("is not a shared object (");
    what.folder = folder;
    what.library = "../unit/test_code.o";
    refused(&what, "test_code.o\" is not a shared object (");
    what.library = "unresolved.so";
    refused(&what, "the library cannot be loaded: ");
    expect_message("of_a_library_not_given");
    snprintf(other, sizeof other, "%s/short_%ld.so", folder, (long)getpid());
    FILE *file = fopen(other, "wb");
    fputs("\177ELF", file);
    fclose(file);
    what.library = strrchr(other, '/') + 1;
    refused(&what, "is not a shared object");
    remove(other);
}

static void functions_that_are_not_there(void **state)
{
    (void)state;
    hol_code_request what = request("hidden.so", "hidden", 0, 0, 0, 0, NULL);
    refused(&what,
            "hidden.so\" has no symbol hol_user_hidden; a function is announced by HOL_USER_CODE(hidden)");
    what.library = "trouble.so";
    what.function = "trouble";
    refused(&what, "trouble.so\" has no symbol hol_user_trouble, but the functions \"");
    expect_message("\"troubled\"");
    expect_message("\"polynomial\"");
    assert_null(strstr(hol_context_error(ctx), "\"code\"")); // a type, in the debug information
    const char *first = strstr(hol_context_error(ctx), "\"wave\"");
    assert_non_null(first);
    assert_null(strstr(first + 1, "\"wave\""));
    char name[400];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    what.function = name;
    refused(&what, "has no symbol hol_user_nnn");
}

static void announcements_of_another_kind(void **state)
{
    (void)state;
    refused_function("of_another_version", 0, 0, 0, 0,
                     "is made for version 2 of the interface, this program has version 1");
    refused_function("without_header", 0, 0, 0, 0, "is made for version 0 of the interface");
    refused_function("too_large", 0, 0, 0, 0, " bytes, this program knows one of ");
    refused_function("too_small", 0, 0, 0, 0, "has 8 bytes, this program knows one of ");
    refused_function("without_eval", 0, 0, 0, 0, "has no .eval");
    refused_function("unknown_flags", 0, 0, 0, 0, "unknown flags 0x6");
    refused_function("count", 0, 0, 0, 0, "announces -2 outputs; a count or HOL_USER_ANY");
    refused_function("size_of_zero", 2, 0, 0, 0, ".input_size[1] = 0, a positive number");
    refused_function("sizes_of_any", 0, 0, 2, 0, "has .state_size, but any number of them");
}

static void counts_that_differ(void **state)
{
    (void)state;
    static const struct {
        int n[4];
        const char *words;
    } rows[] = {{{2, 2, 2, 1}, "tyre.inputs: \"troubled\" of \""},
                {{2, 2, 2, 1}, "trouble.so\" has 1 of them, here the number is 2"},
                {{1, 0, 2, 1}, "tyre.outputs: \"troubled\" of \""},
                {{1, 2, 3, 1}, "has 2 of them, here the number is 3"},
                {{1, 2, 2, 0}, "has 1 of them, here the number is 0"}};
    const double p[] = {0, 0};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const int *n = rows[i].n;
        const hol_code_request what = request("trouble.so", "troubled", n[0], n[1], n[2], n[3], p);
        refused(&what, rows[i].words);
    }
}

static void parameters_that_are_refused(void **state)
{
    (void)state;
    refused_function("refusing", 0, 0, 0, 1,
                     "tyre.parameters: \"refusing\" refuses them: the stiffness must be positive, it is 0");
    refused_function("silent_one", 0, 0, 0, 3, "\"silent_one\" refuses them: it gives no reason");
}

static void a_sandbox_loads_nothing(void **state)
{
    (void)state;
    const double p[] = {1};
    hol_code_request what = request("plusplus.so", "plusplus", 1, 1, 0, 1, p);
    hol_context_sandbox(ctx, 100);
    refused(&what, "tyre.library: libraries may not be loaded here");
    what.library = "nowhere.so"; // what files there are is not said either
    refused(&what, "tyre.library: libraries may not be loaded here");
    hol_context_sandbox(ctx, 0);
    what.library = "plusplus.so";
    hol_code_destroy(loaded(&what));
}

static void loading_survives_every_failing_request(void **state)
{
    (void)state;
    const double p[] = {1, 2};
    const hol_code_request what = request("trouble.so", "polynomial", 1, 1, 0, 2, p);
    hol_code *code = NULL;
    int n = 0;
    while (!code && n++ < 100) {
        hol_context_clear(ctx);
        hol_memory_fail_after(ctx, n);
        const hol_status st = hol_code_load(ctx, &what, &code);
        assert_int_equal(st, code ? HOL_OK : HOL_ERR_MEMORY);
        hol_memory_fail_after(ctx, 0);
    }
    assert_in_range(n, 3, 10);
    hol_code_destroy(code);
    hol_code_destroy(NULL);
}

static void a_library_does_not_change_the_rounding(void **state)
{
    (void)state;
    const double p[] = {0};
    const hol_code_request what = request("trouble.so", "troubled", 1, 2, 2, 1, p);
    hol_code *code = loaded(&what);
    assert_int_equal(fegetround(), FE_TONEAREST);
    hol_code_destroy(code);
}

static void cplusplus(void **state)
{
    (void)state;
    const double p[] = {3}, u = 2;
    double y, D, work[8];
    const hol_code_request what = request("./plusplus.so", "plusplus", 1, 1, 0, 1, p);
    hol_code *code = loaded(&what);
    assert_int_equal(hol_code_eval(ctx, code, 0, &u, NULL, &y, NULL, NULL), HOL_OK);
    assert_true(y == 6);
    assert_false(hol_code_has_derivative(code));
    assert_true(hol_code_state_size(code, 0) == 0);
    assert_in_range(hol_code_work(code), 1, 8);
    assert_int_equal(hol_code_derivative(ctx, code, 0, &u, NULL, &D, work, NULL), HOL_OK);
    near("derivative", D, 3, 1e-9);
    hol_code_destroy(code);
}

// ---- calls that fail ------------------------------------------------------------------------------------------

enum {
    NAN_OUTPUT,
    INFINITE_RATE,
    FORGETS,
    RETRY,
    FAILS,
    FAILS_SILENTLY,
    ENDLESS_MESSAGE,
    NAN_SLOPE,
    FORGETS_RATE
};

static hol_code *troubled(const char *function, double kind, bool named)
{
    hol_code_request what = request("trouble.so", function, 1, 2, 2, 1, &kind);
    if (named) what.input = what.output = what.state = names;
    return loaded(&what);
}

// What eval and differences say for u > 1; for u = 0 all is well.
static void recoverable(double kind, bool named, const char *words)
{
    const double bad = 2, good = 0, x[] = {1, 2};
    double y[2], f[2], D[4 * 3], work[20];
    hol_code_fault fault = {.text = "untouched"};
    hol_code *code = troubled("troubled", kind, named);
    assert_int_equal(hol_code_eval(ctx, code, 0.5, &good, x, y, f, &fault), HOL_OK);
    assert_string_equal(fault.text, "untouched");
    assert_int_equal(hol_code_eval(ctx, code, 0.5, &bad, x, y, f, &fault), HOL_RECOVERABLE);
    must_say(fault.text, words);
    fault.text[0] = 0;
    assert_in_range(hol_code_work(code), 1, HOL_COUNT(work));
    assert_int_equal(hol_code_derivative(ctx, code, 0.5, &bad, x, D, work, &fault), HOL_RECOVERABLE);
    must_say(fault.text, words);
    assert_int_equal(hol_code_eval(ctx, code, 0.5, &bad, x, y, f, NULL), HOL_RECOVERABLE);
    assert_int_equal(hol_code_derivative(ctx, code, 0.5, &bad, x, D, work, NULL), HOL_RECOVERABLE);
    assert_string_equal(hol_context_error(ctx), "");
    hol_code_destroy(code);
}

static void results_that_are_no_numbers_are_recoverable(void **state)
{
    (void)state;
    recoverable(NAN_OUTPUT, true,
                "code[0] tyre: \"troubled\" of \"trouble.so\" gives output second as nan at t = 0.5 s");
    recoverable(NAN_OUTPUT, false,
                "code[0] tyre: \"troubled\" of \"trouble.so\" gives output number 2 as nan at t = 0.5 s");
    recoverable(
        INFINITE_RATE, true,
        "code[0] tyre: \"troubled\" of \"trouble.so\" gives the rate of state second as -inf at t = 0.5 s");
    recoverable(FORGETS, true, "gives output second as nan");
    recoverable(FORGETS_RATE, true, "gives the rate of state second as nan");
}

static void a_smaller_step_can_be_asked_for(void **state)
{
    (void)state;
    recoverable(RETRY, true,
                "code[0] tyre: \"troubled\" of \"trouble.so\" asks for a smaller step at t = 0.5 s: the "
                "table ends here");
}

static void arguments_that_are_no_numbers_are_not_passed_on(void **state)
{
    (void)state;
    const double u[] = {0, (double)NAN}, x[][2] = {{1, (double)INFINITY}, {1, 1}};
    double y[2], f[2], D[4 * 3], work[20];
    hol_code_fault fault;
    hol_code *code = troubled("troubled_slope", FAILS, true);
    assert_int_equal(hol_code_eval(ctx, code, 0, u, x[0], y, f, &fault), HOL_RECOVERABLE);
    must_say(fault.text,
             "code[0] tyre: \"troubled_slope\" of \"trouble.so\" gets state second as inf at t = 0 s");
    assert_int_equal(hol_code_derivative(ctx, code, 0, u + 1, x[1], D, work, &fault), HOL_RECOVERABLE);
    must_say(fault.text,
             "code[0] tyre: \"troubled_slope\" of \"trouble.so\" gets input first as nan at t = 0 s");
    assert_int_equal(hol_code_difference(ctx, code, 0, u + 1, x[1], D, work, &fault), HOL_RECOVERABLE);
    must_say(fault.text,
             "code[0] tyre: \"troubled_slope\" of \"trouble.so\" gets input first as nan at t = 0 s");
    hol_code_destroy(code);
}

static void fatal(const char *function, double kind, const char *words)
{
    const double u = 2, x[] = {1, 2};
    double y[2], f[2], D[4 * 3], work[20];
    hol_code *code = troubled(function, kind, true);
    for (int i = 0; i < 3; i++) {
        hol_context_clear(ctx);
        assert_int_equal(i == 0   ? hol_code_eval(ctx, code, 0.5, &u, x, y, f, NULL)
                         : i == 1 ? hol_code_derivative(ctx, code, 0.5, &u, x, D, work, NULL)
                                  : hol_code_difference(ctx, code, 0.5, &u, x, D, work, NULL),
                         HOL_ERR_INTEGRATION);
        expect_message("car.yaml:7:5: error: code[0] tyre: \"troubled");
        expect_message(words);
    }
    hol_code_destroy(code);
}

static void a_failure_has_its_message(void **state)
{
    (void)state;
    fatal("troubled", FAILS, "failed at t = 0.5 s: the table ends here");
    fatal("troubled", FAILS_SILENTLY, "failed at t = 0.5 s: it gives no reason");
    fatal("troubled", ENDLESS_MESSAGE, "failed at t = 0.5 s: mmmm");
    fatal("troubled_slope", FAILS, "failed at t = 0.5 s: the table ends here");
}

static void derivatives_that_are_no_numbers_are_recoverable(void **state)
{
    (void)state;
    const double u = 0, x[] = {1, 2};
    double D[4 * 3], work[20];
    hol_code_fault fault;
    hol_code *code = troubled("troubled_slope", NAN_SLOPE, true);
    assert_true(hol_code_has_derivative(code));
    assert_false(hol_code_exact(code)); // the library does not say so
    assert_int_equal(hol_code_derivative(ctx, code, 0.5, &u, x, D, work, &fault), HOL_RECOVERABLE);
    must_say(fault.text, "code[0] tyre: \"troubled_slope\" of \"trouble.so\" gives a derivative of the rate "
                         "of state second as nan at t = 0.5 s");
    assert_int_equal(hol_code_difference(ctx, code, 0.5, &u, x, D, work, &fault), HOL_OK);
    for (int i = 0; i < HOL_COUNT(D); i++) assert_true(D[i] == 0);
    hol_code_destroy(code);
}

// ---- differences ----------------------------------------------------------------------------------------------

static double random_between(hol_random *r, double lo, double hi)
{
    return lo + (hi - lo) * 0.5 * (1 + hol_random_uniform(r));
}

static hol_code *example(const char *library, const char *function, int nu, int ny, int nx, int np,
                         const double *p)
{
    hol_code_request what = request(library, function, nu, ny, nx, np, p);
    what.folder = examples;
    return loaded(&what);
}

static const double tyre_parameters[] = {0.3, 2e5, 500, 20, 0.4, 0.9};

static void differences_are_the_derivatives_of_the_tyre(void **state)
{
    (void)state;
    enum { ROWS = 3, COLUMNS = 5, PLACES = 1000 };
    hol_random r = {1};
    int pressed = 0;
    hol_code *code = example("tyre.so", "tyre", 4, 2, 1, 6, tyre_parameters);
    assert_true(hol_code_exact(code) && hol_code_has_derivative(code));
    assert_true(hol_code_state_size(code, 0) == 0.1);
    for (int k = 0; k < PLACES; k++) {
        const double u[] = {random_between(&r, 0.26, 0.32), random_between(&r, -1, 1),
                            random_between(&r, -40, 40), random_between(&r, -150, 150)};
        const double x = random_between(&r, -0.2, 0.2);
        double D[ROWS * COLUMNS], E[ROWS * COLUMNS], work[16], y[2], f;
        assert_in_range(hol_code_work(code), 1, HOL_COUNT(work));
        assert_int_equal(hol_code_eval(ctx, code, 0, u, &x, y, &f, NULL), HOL_OK);
        assert_int_equal(hol_code_derivative(ctx, code, 0, u, &x, D, work, NULL), HOL_OK);
        assert_int_equal(hol_code_difference(ctx, code, 0, u, &x, E, work, NULL), HOL_OK);
        pressed += y[0] > 1;
        // between z and z + h there may be lift-off
        if (fabs(0.3 - u[0]) < 1e-5 || (y[0] > 0 && y[0] < 1) || fabs(u[2]) < 1e-3) continue;
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            if (fabs(D[i] - E[i]) > 1e-8 * (fabs(D[i]) + fabs(y[0]) + 1))
                print_error("place %d, entry %d: %.12g, by differences %.12g\n", k, i, D[i], E[i]);
            assert_true(fabs(D[i] - E[i]) <= 1e-8 * (fabs(D[i]) + fabs(y[0]) + 1));
        }
    }
    assert_in_range(pressed, PLACES / 4, PLACES);
    hol_code_destroy(code);
}

static void the_controller_by_differences(void **state)
{
    (void)state;
    const double p[] = {40, 20, 30, 0.02, 10, 0.5}, u[] = {0.5, 0.49}, x[] = {1, 0.0095}, far[] = {0.5, 0};
    const double raw[] = {1540, -1540, 1, -1500}, filter[] = {50, -50, 0, -50};
    double D[3 * 4], work[16];
    hol_code *code = example("controller.so", "pid", 2, 1, 2, 6, p);
    assert_false(hol_code_exact(code) || hol_code_has_derivative(code));
    assert_in_range(hol_code_work(code), 1, HOL_COUNT(work));
    assert_int_equal(hol_code_derivative(ctx, code, 0, u, x, D, work, NULL), HOL_OK);
    for (int j = 0; j < 4; j++) { // within the limit: no way back of the integral
        near("derivative", D[j], raw[j], 1e-5);
        near("derivative", D[4 + j], j == 0 ? 20 : j == 1 ? -20 : 0, 1e-6);
        near("derivative", D[8 + j], filter[j], 1e-6);
    }
    assert_int_equal(hol_code_derivative(ctx, code, 0, far, x, D, work, NULL), HOL_OK);
    for (int j = 0; j < 4; j++) { // at the limit: the output stays, the integral goes back
        assert_true(D[j] == 0);
        near("derivative", D[4 + j], (j == 0 ? 20 : j == 1 ? -20 : 0) - raw[j] / 0.5, 1e-5);
    }
    hol_code_destroy(code);
}

// What holonom_user.h says of sizes.
static void differences_forgive_sizes(void **state)
{
    (void)state;
    double worst = 0, D, work[8];
    for (double size = 1e-6; size < 1.1e5; size *= 10)
        for (int k = 0; k < 20; k++) {
            const double u = k * size / 10;
            hol_code_request what = request("trouble.so", "wave", 1, 1, 0, 1, &size);
            hol_code *code = loaded(&what);
            assert_int_equal(hol_code_derivative(ctx, code, 0, &u, NULL, &D, work, NULL), HOL_OK);
            worst = fmax(worst, fabs(D * size - cos(u / size + 0.5)));
            hol_code_destroy(code);
        }
    assert_true(worst < 1e-3);
    const double size = 1e-6, u = 0.3e-6;
    hol_code_request what = request("trouble.so", "small_wave", 1, 1, 0, 1, &size);
    hol_code *code = loaded(&what);
    assert_int_equal(hol_code_derivative(ctx, code, 0, &u, NULL, &D, work, NULL), HOL_OK);
    near("derivative", D * size, cos(0.8), 1e-9);
    hol_code_destroy(code);
}

static void differences_stay_where_there_are_values(void **state)
{
    (void)state;
    for (double side = -1; side < 2; side += 2) {
        const double u = 0;
        double D = 0, work[8];
        hol_code_fault fault = {.text = "untouched"};
        hol_code_request what = request("trouble.so", "one_sided", 1, 1, 0, 1, &side);
        hol_code *code = loaded(&what);
        assert_int_equal(hol_code_derivative(ctx, code, 0, &u, NULL, &D, work, &fault), HOL_OK);
        near("derivative", D, 1, 1e-9);
        assert_string_equal(fault.text, "untouched");
        hol_code_destroy(code);
    }
    const double both = 2, u = 0;
    double D, work[8];
    hol_code_fault fault;
    hol_code_request what = request("trouble.so", "one_sided", 1, 1, 0, 1, &both);
    hol_code *code = loaded(&what);
    assert_int_equal(hol_code_derivative(ctx, code, 0, &u, NULL, &D, work, &fault), HOL_RECOVERABLE);
    must_say(fault.text, "code[0] tyre: \"one_sided\" of \"trouble.so\" gives output number 1 as nan");
    hol_code_destroy(code);
}

// ---- instances ------------------------------------------------------------------------------------------------

static void counts_may_be_left_to_the_model(void **state)
{
    (void)state;
    const double p[] = {1, 2, 3}, u[] = {1, 10, -1};
    double y[2], D[2 * 3], work[16];
    hol_code_request what = request("trouble.so", "polynomial", 3, 2, 0, 3, p);
    hol_code *code = loaded(&what);
    assert_int_equal(hol_code_eval(ctx, code, 5, u, NULL, y, NULL, NULL), HOL_OK);
    assert_true(y[0] == 5 + 6 + 321 + 2 && y[1] == 5 + 2 * (6 + 321 + 2));
    assert_in_range(hol_code_work(code), 1, HOL_COUNT(work));
    assert_int_equal(hol_code_derivative(ctx, code, 5, u, NULL, D, work, NULL), HOL_OK);
    for (int j = 0; j < 3; j++) {
        near("derivative", D[j], 2 + 6 * u[j], 1e-6);
        near("derivative", D[3 + j], 2 * (2 + 6 * u[j]), 1e-6);
    }
    hol_code_destroy(code);
}

typedef struct {
    const hol_code *code;
    double y, D;
    bool good;
} task;

static void *work_on(void *data)
{
    enum { TIMES = 2000 };
    task *k = data;
    hol_context *own = hol_context_create();
    k->good = own != NULL;
    for (int i = 0; i < TIMES && k->good; i++) {
        const double u = 1e-3 * i;
        double y = 0, D = 0, work[8];
        k->good = !hol_code_eval(own, k->code, i, &u, NULL, &y, NULL, NULL) &&
                  !hol_code_derivative(own, k->code, i, &u, NULL, &D, work, NULL);
        k->y += y;
        k->D += D;
    }
    hol_context_destroy(own);
    return NULL;
}

// Two instances of one library, each used by two threads at the same time.
static void instances_are_independent_of_each_other_and_of_threads(void **state)
{
    (void)state;
    const double p[][2] = {{1, 2}, {-3, 5}};
    hol_code *code[2];
    task alone[2] = {0}, t[4] = {0};
    pthread_t thread[4];
    for (int i = 0; i < 2; i++) {
        hol_code_request what = request("trouble.so", "polynomial", 1, 1, 0, 2, p[i]);
        code[i] = loaded(&what);
        alone[i].code = code[i];
    }
    for (int i = 0; i < 4; i++) t[i].code = code[i % 2];
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, work_on, &t[i]), 0);
    for (int i = 0; i < 2; i++) work_on(&alone[i]);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < 4; i++)
        assert_true(t[i].good && t[i].y == alone[i % 2].y && t[i].D == alone[i % 2].D);
    assert_true(alone[0].y != alone[1].y);
    hol_code_destroy(code[0]);
    const double u = 2; // the other one still has its library
    double y;
    assert_int_equal(hol_code_eval(ctx, code[1], 0, &u, NULL, &y, NULL, NULL), HOL_OK);
    assert_true(y == -3 + 5 * 2);
    hol_code_destroy(code[1]);
    char library[1100];
    snprintf(library, sizeof library, "%s/trouble.so", folder);
    assert_null(dlopen(library, RTLD_NOW | RTLD_NOLOAD)); // nobody needs it now
}

// ---- the program ----------------------------------------------------------------------------------------------

// The libraries stand beside this program: build/VARIANT/tests/user_code and build/VARIANT/examples, for the release
// variant build/examples.
static void find_libraries(const char *program)
{
    const char *slash = strrchr(program, '/');
    const int n = slash ? (int)(slash - program) : 1;
    const char *here = slash ? program : ".";
    char library[1100];
    snprintf(folder, sizeof folder, "%.*s/../user_code", n, here);
    snprintf(examples, sizeof examples, "%.*s/../../examples", n, here);
    snprintf(library, sizeof library, "%s/tyre.so", examples);
    if (access(library, R_OK)) snprintf(examples, sizeof examples, "%.*s/../../../examples", n, here);
}

int main(int argc, char **argv)
{
    find_libraries(argc > 0 ? argv[0] : "");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_that_are_no_libraries, start, stop),
        cmocka_unit_test_setup_teardown(functions_that_are_not_there, start, stop),
        cmocka_unit_test_setup_teardown(announcements_of_another_kind, start, stop),
        cmocka_unit_test_setup_teardown(counts_that_differ, start, stop),
        cmocka_unit_test_setup_teardown(parameters_that_are_refused, start, stop),
        cmocka_unit_test_setup_teardown(a_sandbox_loads_nothing, start, stop),
        cmocka_unit_test_setup_teardown(loading_survives_every_failing_request, start, stop),
        cmocka_unit_test_setup_teardown(a_library_does_not_change_the_rounding, start, stop),
        cmocka_unit_test_setup_teardown(cplusplus, start, stop),
        cmocka_unit_test_setup_teardown(results_that_are_no_numbers_are_recoverable, start, stop),
        cmocka_unit_test_setup_teardown(a_smaller_step_can_be_asked_for, start, stop),
        cmocka_unit_test_setup_teardown(arguments_that_are_no_numbers_are_not_passed_on, start, stop),
        cmocka_unit_test_setup_teardown(a_failure_has_its_message, start, stop),
        cmocka_unit_test_setup_teardown(derivatives_that_are_no_numbers_are_recoverable, start, stop),
        cmocka_unit_test_setup_teardown(differences_are_the_derivatives_of_the_tyre, start, stop),
        cmocka_unit_test_setup_teardown(the_controller_by_differences, start, stop),
        cmocka_unit_test_setup_teardown(differences_forgive_sizes, start, stop),
        cmocka_unit_test_setup_teardown(differences_stay_where_there_are_values, start, stop),
        cmocka_unit_test_setup_teardown(counts_may_be_left_to_the_model, start, stop),
        cmocka_unit_test_setup_teardown(instances_are_independent_of_each_other_and_of_threads, start, stop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
