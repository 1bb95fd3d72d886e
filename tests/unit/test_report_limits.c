// Reports of results made by hand: what is left out with a notice, what is refused by name, memory that ends.
#include "report_pages.h"

static const char two_points[] = "dimension: 2\ngravity: [0, 0]\nbodies:\n- {name: a, mass: 1, inertia: 1}\n"
                                 "- {name: b, type: point, mass: 1}\nsimulate: {end: 1}\n";

// A result of a and b that moves along x, made by hand; extra signals are 0.
static hol_result *fabricate(size_t rows, int extra)
{
    static const char *const names[] = {"t", "a.x", "a.y", "a.theta", "b.x", "b.y"};
    hol_result *r = calloc(1, sizeof *r);
    r->file = "made.csv";
    r->n_columns = 6 + extra;
    r->n_rows = rows;
    r->complete = true;
    r->name = calloc((size_t)r->n_columns, sizeof *r->name);
    r->unit = calloc((size_t)r->n_columns, sizeof *r->unit);
    r->value = calloc(rows * (size_t)r->n_columns, sizeof *r->value);
    for (int i = 0; i < r->n_columns; i++) {
        r->name[i] = i < 6 ? names[i] : "more.x";
        r->unit[i] = "m";
    }
    for (size_t k = 0; k < rows; k++) {
        double *row = r->value + k * (size_t)r->n_columns;
        row[0] = 0.125 * (double)k;
        row[1] = (double)k;
        row[4] = -(double)k;
    }
    return r;
}

static void free_fabricated(hol_result *r)
{
    free(r->name);
    free(r->unit);
    free(r->value);
    free(r);
}

static hol_status report_made(hol_context *ctx, const hol_result *r, page *p)
{
    hol_model *model = hol_model_parse(ctx, "two.yaml", two_points, strlen(two_points), NULL, 0);
    assert_non_null(model);
    const hol_status st = hol_report_write(ctx, r, model, NULL, in_folder("page.html"));
    hol_model_destroy(model);
    if (!st) read_page(in_folder("page.html"), p);
    return st;
}

static void keep_note(void *user, hol_severity severity, const char *text)
{
    char *all = user;
    (void)severity;
    if (strstr(text, "report:")) strncat(all, text, 900 - strlen(all));
}

static void too_many_signals_and_rows_are_left_out_with_a_notice(void **state)
{
    page p;
    char notes[1000] = "";
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_context_set_log(ctx, keep_note, notes);
    hol_result *r = fabricate(600000, 3); // 8 signals, of which 6 have room
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_int_equal(p.n_rows, 600000);
    assert_int_equal(p.n_values, 6 * 600000);
    assert_int_equal(p.n_time, 600000); // 3.6 million numbers
    assert_non_null(strstr(p.scene, "2 of the 8 signals are left out, from "));
    assert_non_null(strstr(notes, "2 of the 8 signals are left out"));
    free_page(&p);
    free_fabricated(r);
    hol_context_destroy(ctx);
}

static void of_too_many_rows_every_so_many_th_and_the_last_is_kept(void **state)
{
    hol_track t;
    (void)state;
    hol_context *ctx = hol_context_create();
    for (int known = 0; known < 2; known++) {
        assert_int_equal(hol_track_start(ctx, 2, 100, known ? 1000 : 10, &t), HOL_OK);
        for (int k = 0; k < 1000; k++) {
            double *row = hol_track_row(&t, k);
            assert_non_null(row);
            row[0] = k;
            row[1] = -k;
        }
        hol_track_end(&t);
        assert_in_range(t.n, 25, 51);
        assert_int_equal(t.seen, 1000);
        for (size_t i = 0; i < t.n; i++) {
            assert_true(t.time[i] == t.value[2 * i] && t.time[i] == -t.value[2 * i + 1]);
            assert_true(t.time[i] == (i + 1 < t.n ? (double)(i * t.stride) : 999));
        }
        hol_track_free(&t);
    }
    hol_context_destroy(ctx);
}

static void rows_that_are_no_numbers_one_row_and_killed_runs(void **state)
{
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_result *r = fabricate(20, 0);
    r->complete = false;
    for (int k = 7; k < 9; k++) r->value[k * r->n_columns + 2] = HOL_NONE;
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_int_equal(p.n_time, 18);
    assert_int_equal(p.n_rows, 20); // a signal may be anything
    assert_true(p.time[6] == 0.75 && p.time[7] == 0.125 * 9);
    assert_non_null(strstr(p.scene, "2 of the times, from t = 0.875 s on, have poses that are not numbers"));
    assert_non_null(strstr(p.scene, "was killed or goes on: it reaches t = 2.375 s"));
    free_page(&p);
    r->complete = true;
    r->n_rows = 1;
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_int_equal(p.n_time, 1);
    assert_int_equal(p.n_poses, 6);
    free_page(&p);
    r->value[1] = HOL_INF;
    assert_int_equal(report_made(ctx, r, &p), HOL_ERR_IO);
    assert_non_null(strstr(hol_context_error(ctx), "no row has poses that are numbers"));
    free_fabricated(r);
    hol_context_destroy(ctx);
}

static void a_mesh_that_cannot_be_read_is_told_once(void **state)
{
    static const char text[] = "dimension: 2\ngravity: [0, 0]\nbodies:\n"
                               "- {name: a, mass: 1, inertia: 1, shape: {type: mesh, file: none.stl}}\n"
                               "- {name: b, type: point, mass: 1, shape: [{type: mesh, file: none.stl}, "
                               "{type: mesh, file: no.obj}]}\n";
    char notes[1000] = "";
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_context_set_log(ctx, keep_note, notes);
    hol_result *r = fabricate(3, 1);
    r->name[6] = "more.\xc3\xa4\xff"; // and what is no UTF-8 is not handed on
    hol_model *model = hol_model_parse(ctx, "two.yaml", text, strlen(text), NULL, 0);
    assert_non_null(model);
    assert_int_equal(hol_report_write(ctx, r, model, NULL, in_folder("page.html")), HOL_OK);
    read_page(in_folder("page.html"), &p);
    const char *first = strstr(notes, "none.stl");
    assert_non_null(first);
    assert_null(strstr(first + 1, "none.stl"));
    assert_non_null(strstr(notes, "no.obj"));
    assert_non_null(strstr(p.scene, "more.\xc3\xa4\xef\xbf\xbd\""));
    free_page(&p);
    hol_model_destroy(model);
    free_fabricated(r);
    hol_context_destroy(ctx);
}

// A body that turns by more than half a turn from row to row, one far point, and what is too large to be drawn.
static void fast_turns_and_far_points_are_told(void **state)
{
    page p;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_result *r = fabricate(20, 0);
    for (int k = 0; k < 20; k++) r->value[k * r->n_columns + 3] = 3.1 * k;
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_null(strstr(p.scene, "half a turn"));
    assert_null(strstr(p.scene, "positions are drawn to"));
    free_page(&p);
    r->value[10 * r->n_columns + 3] -= 0.1;
    r->value[7 * r->n_columns + 1] = 1e6;
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_non_null(strstr(p.scene, "body a turns by more than half a turn between two times: its sense"));
    assert_non_null(strstr(p.scene, "positions are drawn to 15 m only, as bodies travel 1e+06 m"));
    free_page(&p);
    r->value[7 * r->n_columns + 1] = -2e30;
    assert_int_equal(report_made(ctx, r, &p), HOL_OK);
    assert_int_equal(p.n_time, 19);
    assert_null(strstr(p.scene, "positions are drawn to"));
    free_page(&p);
    free_fabricated(r);
    hol_context_destroy(ctx);
}

static void assert_refused(hol_context *ctx, const hol_result *r, const char *text)
{
    page p;
    assert_int_equal(report_made(ctx, r, &p), HOL_ERR_USAGE);
    if (!strstr(hol_context_error(ctx), text)) fail_msg("%s\nlacks: %s", hol_context_error(ctx), text);
}

static void a_result_without_poses_or_of_another_model_is_refused_by_name(void **state)
{
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_result *r = fabricate(3, 0);
    r->name[3] = "a.angle";
    assert_refused(ctx, r,
                   "made.csv has no poses of 1 of the 2 bodies of two.yaml: a; run the model with "
                   "`simulate: {signals: [poses, ...]}`");
    r->name[3] = "other.theta";
    assert_refused(ctx, r,
                   "does not fit the model two.yaml: the result has bodies that the model has not: other; "
                   "and lacks: a");
    free_fabricated(r);
    r = fabricate(3, 1);
    r->name[6] = "wheel.theta";
    assert_refused(ctx, r,
                   "does not fit the model two.yaml: the result has bodies that the model has not: wheel");
    assert_int_equal(hol_report_check_name(ctx, "a.htm"), HOL_ERR_USAGE);
    assert_null(hol_result_model(ctx, r));
    assert_non_null(strstr(hol_context_error(ctx), "does not say which model was run"));
    free_fabricated(r);
    hol_context_destroy(ctx);
}

// The same names and other lengths: markers give it away, of planar and of spatial bodies.
static void a_result_of_another_state_of_the_model_is_refused(void **state)
{
    static const struct {
        const char *text, *there;
    } made[] = {
        {"dimension: 2\nparameters: {L: 1}\nbodies:\n- {name: a, mass: 1, inertia: 1, com: [L/3, 0],\n"
         "   position: [0.5, 0], angle: 1, markers: {left: [0, 0], tip: [L, 0]}}\n"
         "- {name: p, type: point, mass: 1, position: [0, 1]}\n"
         "simulate: {end: 0.1, output: 0.05}\n",
         "a.tip is at (1.0403, 0.841471) in the result, at (1.5806, 1.68294) by the model; was the model"},
        {"dimension: 3\nparameters: {L: 1}\nbodies:\n- {name: a, mass: 1, inertia: [1, 2, 3], com: [0.2, 0, "
         "0],\n   position: [100, 0, 0], omega: [1, 2, 3], markers: {tip: [0, L, 2*L]}}\n"
         "simulate: {end: 0.1, output: 0.05}\n",
         "a.tip is at (100, 1, 2) in the result, at (100, 2, 4) by the model"}};
    static const char *const set[] = {"parameters.L=2"};
    (void)state;
    hol_context *ctx = hol_context_create();
    for (int i = 0; i < HOL_COUNT(made); i++) {
        const size_t n = strlen(made[i].text);
        page p;
        hol_model *model = hol_model_parse(ctx, "made.yaml", made[i].text, n, NULL, 0);
        hol_model *other = hol_model_parse(ctx, "made.yaml", made[i].text, n, set, 1);
        if (!model || !other) fail_msg("%s", hol_context_error(ctx));
        hol_result *r = run_model(ctx, model, in_folder("made.csv"));
        for (int pass = 0; pass < 2; pass++) { // what is not a number says nothing: the next row does
            assert_int_equal(hol_report_write(ctx, r, other, NULL, in_folder("page.html")), HOL_ERR_USAGE);
            const char *text = hol_context_error(ctx);
            if (!strstr(text,
                        pass ? "made.csv does not fit the model made.yaml: a.tip is at" : made[i].there))
                fail_msg("%s", text);
            assert_int_equal(hol_report_write(ctx, r, model, NULL, in_folder("page.html")), HOL_OK);
            read_page(in_folder("page.html"), &p);
            free_page(&p);
            r->value[1] = HOL_NONE;
        }
        unlink(in_folder("made.csv"));
        hol_result_destroy(r);
        hol_model_destroy(model);
        hol_model_destroy(other);
    }
    hol_context_destroy(ctx);
}

// Every request for memory fails once in turn.
static void writing_survives_every_failing_request(void **state)
{
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_parse(ctx, "two.yaml", two_points, strlen(two_points), NULL, 0);
    hol_result *r = fabricate(3, 0);
    bool done = false;
    for (long n = 1; !done; n++) {
        hol_memory_fail_after(ctx, n);
        done = hol_report_write(ctx, r, model, NULL, in_folder("page.html")) == HOL_OK;
        if (!done) assert_int_equal(hol_context_status(ctx), HOL_ERR_MEMORY);
        hol_memory_fail_after(ctx, 0);
    }
    free_fabricated(r);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_many_signals_and_rows_are_left_out_with_a_notice),
        cmocka_unit_test(of_too_many_rows_every_so_many_th_and_the_last_is_kept),
        cmocka_unit_test(rows_that_are_no_numbers_one_row_and_killed_runs),
        cmocka_unit_test(a_mesh_that_cannot_be_read_is_told_once),
        cmocka_unit_test(fast_turns_and_far_points_are_told),
        cmocka_unit_test(a_result_without_poses_or_of_another_model_is_refused_by_name),
        cmocka_unit_test(a_result_of_another_state_of_the_model_is_refused),
        cmocka_unit_test(writing_survives_every_failing_request),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
