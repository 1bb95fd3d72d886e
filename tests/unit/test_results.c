// What is written is read back to the last bit, in every format; results that were cut off or come from elsewhere;
// comparisons whose answer is known.
#include "io/number_text.h"
#include "io/table.h"

#include <dirent.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/holonom_results_XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[8][200];
    static int next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static void note(void *user, hol_severity severity, const char *text)
{
    int *warnings = user;
    (void)text;
    *warnings += severity == HOL_WARNING;
}

static hol_result *read_good(hol_context *ctx, const char *path)
{
    hol_result *r = hol_result_read(ctx, path);
    if (!r) print_error("%s: %s\n", path, hol_context_error(ctx));
    assert_non_null(r);
    return r;
}

// ---- round trips ----------------------------------------------------------------------------------------------

// Every format there is, from one run, and what it has recorded. values: what the run had at its last row
static hol_result *write_all(hol_context *ctx, hol_model *model, double *values, int most)
{
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_non_null(sim);
    for (const hol_format *const *f = hol_formats; *f; f++) {
        char name[20];
        snprintf(name, sizeof name, "all%s", (*f)->suffix);
        assert_int_equal(hol_simulation_write(sim, in_folder(name)), HOL_OK);
    }
    assert_int_equal(hol_simulation_record(sim), HOL_OK);
    assert_int_equal(hol_simulation_run(sim), HOL_OK);
    const int n = hol_simulation_signals(sim);
    assert_in_range(n, 1, most);
    memcpy(values, hol_simulation_values(sim), (size_t)n * sizeof *values);
    hol_result *recorded = hol_simulation_take_result(sim);
    assert_non_null(recorded);
    hol_simulation_destroy(sim);
    return recorded;
}

static void assert_same(const hol_result *a, const hol_result *b)
{
    assert_int_equal(a->n_columns, b->n_columns);
    assert_int_equal(a->n_rows, b->n_rows);
    assert_string_equal(a->title, b->title);
    assert_true(a->complete && b->complete);
    for (int i = 0; i < a->n_columns; i++) {
        assert_string_equal(a->name[i], b->name[i]);
        assert_string_equal(a->unit[i], b->unit[i]);
    }
    assert_memory_equal(a->value, b->value, a->n_rows * (size_t)a->n_columns * sizeof *a->value);
}

static void round_trip(hol_model *model, hol_context *ctx)
{
    enum { MOST = 1000 };
    double *last = calloc(MOST, sizeof *last);
    hol_result *recorded = write_all(ctx, model, last, MOST), *text = read_good(ctx, in_folder("all.csv")),
               *file = read_good(ctx, in_folder("all.nc"));
    assert_same(text, recorded);
    for (int i = 0; i < recorded->n_notes; i++) {
        const char *same = hol_result_note(file, recorded->key[i]);
        assert_non_null(same); // the summary of a file is filled up with blanks
        assert_int_equal(strncmp(recorded->text[i], same, strlen(recorded->text[i])), 0);
    }
    assert_true(recorded->n_notes >= 6);
    for (const hol_format *const *f = hol_formats; *f; f++) { // and written as another file
        char name[20];
        snprintf(name, sizeof name, "again%s", (*f)->suffix);
        assert_int_equal(hol_result_write(ctx, recorded, in_folder(name)), HOL_OK);
        hol_result *again = read_good(ctx, in_folder(name));
        assert_same(recorded, again);
        for (int i = 0; i < text->n_notes; i++) { // a text as lines ends with a line's end
            const char *note = hol_result_note(again, text->key[i]);
            const size_t n = strlen(text->text[i]), line_end = n && text->text[i][n - 1] == '\n';
            assert_int_equal(strncmp(note, text->text[i], n - line_end), 0);
            assert_true(strlen(note) == n || strlen(note) == n - line_end);
        }
        assert_true(again->n_notes >= ((*f)->begins ? recorded : text)->n_notes);
        hol_result_destroy(again);
    }
    hol_result_destroy(file);
    hol_result_destroy(recorded);
    for (const hol_format *const *f = hol_formats; *f; f++) {
        char name[20];
        snprintf(name, sizeof name, "all%s", (*f)->suffix);
        hol_result *r = read_good(ctx, in_folder(name));
        assert_same(text, r);
        const double *row = r->value + (r->n_rows - 1) * (size_t)r->n_columns;
        assert_memory_equal(row + 1, last, (size_t)(r->n_columns - 1) * sizeof *last);
        hol_result_destroy(r);
    }
    hol_result_destroy(text);
    free(last);
}

static void all_formats_give_back_the_same_bits(void **state)
{
    static const char *const models[] = {"models/four_bar.yaml", "models/bricard.yaml",
                                         "models/car_axis.yaml"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) {
        static const char *const set[] = {"simulate.end=0.1", "simulate.output=1e-3"};
        hol_context *ctx = hol_context_create();
        hol_model *model = hol_model_load(ctx, models[i], set, 2);
        assert_non_null(model);
        round_trip(model, ctx);
        hol_model_destroy(model);
        hol_context_destroy(ctx);
    }
}

// Slashes, letters of other scripts, a first character netCDF does not admit, two names that are one when accents are
// composed, very long ones that differ at the end only, one asked for twice.
static void names_come_back_as_they_are(void **state)
{
    static char text[4000];
    char tail[260];
    (void)state;
    memset(tail, 'n', sizeof tail);
    tail[sizeof tail - 1] = 0;
    snprintf(
        text, sizeof text,
        "{\"title\": \"odd\", \"dimension\": 2, \"gravity\": [0, -9.81], \"simulate\": {\"end\": 0.1, "
        "\"step\": 0.01}, "
        "\"bodies\": [{\"name\": \"a/b c\", \"mass\": 1, \"inertia\": 1, \"markers\": {\"\\u03c4/\": [1, "
        "0]}}, "
        "{\"name\": \"(1)\", \"mass\": 1, \"inertia\": 1}, {\"name\": \"#\", \"mass\": 1, \"inertia\": 1}, "
        "{\"name\": \"e\\u0301\", \"mass\": 1, \"inertia\": 1}, {\"name\": \"\\u00e9\", \"mass\": 1, "
        "\"inertia\": 1}, "
        "{\"name\": \"time\", \"mass\": 1, \"inertia\": 1}, {\"name\": \"c\\u4e2dd\", \"mass\": 1, "
        "\"inertia\": 1}, "
        "{\"name\": \"a_b c\", \"mass\": 1, \"inertia\": 1}, {\"name\": \"%s1\", \"mass\": 1, \"inertia\": "
        "1}, "
        "{\"name\": \"%s\\u03b1\", \"mass\": 1, \"inertia\": 1}]}",
        tail, tail);
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_parse(ctx, "odd", text, strlen(text), NULL, 0);
    if (!model) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(model);
    round_trip(model, ctx);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

// ---- files that are cut off -----------------------------------------------------------------------------------

static void copy_part(const char *from, const char *to, long bytes)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_non_null(in);
    assert_non_null(out);
    for (int c; bytes-- > 0 && (c = getc(in)) != EOF;) putc(c, out);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    fclose(file);
    return size;
}

// Whatever is left of a file: an error with a message, or the first rows and a warning.
static void a_part_of_a_file_gives_its_whole_rows(void **state)
{
    static const char *const set[] = {"simulate.end=0.05", "simulate.signals=[crank0.x, energy.total]"};
    (void)state;
    int warnings = 0, results = 0;
    double last[10];
    hol_context *ctx = hol_context_create();
    hol_context_set_log(ctx, note, &warnings);
    hol_model *model = hol_model_load(ctx, "models/four_bar.yaml", set, 2);
    assert_non_null(model);
    hol_result_destroy(write_all(ctx, model, last, 10));
    for (const hol_format *const *f = hol_formats; *f; f++) {
        char name[20], part[20];
        snprintf(name, sizeof name, "all%s", (*f)->suffix);
        snprintf(part, sizeof part, "part%s", (*f)->suffix);
        hol_result *whole = read_good(ctx, in_folder(name));
        const long size = size_of(in_folder(name));
        for (long bytes = 0; bytes < size; bytes += 1 + bytes / 150) {
            copy_part(in_folder(name), in_folder(part), bytes);
            warnings = 0;
            hol_result *r = hol_result_read(ctx, in_folder(part));
            if (!r) assert_int_equal(hol_context_status(ctx), HOL_ERR_IO);
            if (!r) assert_true(*hol_context_error(ctx));
            if (!r) continue;
            results++;
            if (!r->complete) assert_int_equal(warnings, 1);
            assert_true(r->n_rows <= whole->n_rows);
            const size_t n = r->n_rows * (size_t)r->n_columns,
                         zero = r->value[0] == 0 && r->value[1] == 0 && n == 3;
            if (!zero) assert_memory_equal(r->value, whole->value, n * sizeof *r->value);
            hol_result_destroy(r);
        }
        hol_result_destroy(whole);
    }
    assert_true(results > 100);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

// ---- comparisons ----------------------------------------------------------------------------------------------

typedef double (*curve)(double t);

static double cubic(double t) { return ((0.5 * t - 2) * t + 3) * t - 7; }
static double steps(double t) { return t < 1 ? 2 : 5; }

// Rows at uneven times from `from` on; `shift` is added to every value.
static void write_curve(const char *path, curve f, double from, double to, int rows, double uneven,
                        double shift)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "# units: s,m\nt,y\n");
    for (int i = 0; i < rows; i++) {
        const double s = rows > 1 ? (double)i / (rows - 1) : 0,
                     t = from + (to - from) * (s + uneven * s * (1 - s));
        fprintf(file, "%.17g,%.17g\n", t, f(t) + shift);
    }
    assert_int_equal(fclose(file), 0);
}

typedef struct {
    hol_context *ctx;
    hol_result *a, *b;
    hol_comparison *c;
} pair;

static pair compare(void)
{
    pair p = {.ctx = hol_context_create()};
    p.a = read_good(p.ctx, in_folder("a.csv"));
    p.b = read_good(p.ctx, in_folder("b.csv"));
    p.c = hol_comparison_create(p.ctx, p.a, p.b);
    return p;
}

static void end(pair *p)
{
    hol_comparison_destroy(p->c);
    hol_result_destroy(p->a);
    hol_result_destroy(p->b);
    hol_context_destroy(p->ctx);
}

static void cubic_curves_are_interpolated_without_error(void **state)
{
    (void)state;
    for (int rows = 4; rows < 12; rows++) { // 4: one polynomial
        write_curve(in_folder("a.csv"), cubic, 0, 4, 57, 0.3, 0);
        write_curve(in_folder("b.csv"), cubic, 0, 4, rows, -0.5, 0);
        pair p = compare();
        assert_non_null(p.c);
        assert_int_equal(p.c->rows, 57);
        if (!(p.c->item[0].error < 1e-13))
            print_error("%d rows: %.3g at %.17g\n", rows, p.c->item[0].error, p.c->item[0].time);
        assert_true(p.c->item[0].error < 1e-13);
        end(&p);
    }
}

static void a_known_shift_is_found(void **state)
{
    (void)state;
    write_curve(in_folder("a.csv"), cubic, 0, 4, 9, 0, 0.25);
    write_curve(in_folder("b.csv"), cubic, -1, 3, 9, 0, 0); // coincides at 0, 0.5, .. 3
    pair p = compare();
    assert_non_null(p.c);
    const hol_difference *d = &p.c->item[0];
    assert_true(p.c->from == 0 && p.c->to == 3);
    assert_int_equal(p.c->rows, 7);
    assert_true(d->error == 0.25 && d->rms == 0.25);
    assert_true(d->reference == cubic(d->time) && d->percent == 100 * 0.25 / fabs(d->reference));
    assert_string_equal(d->unit, "m");
    end(&p);
}

// Results that are shown in other units are in SI when they are read, in every format, and say how they are shown.
static void shown_units_come_back(void **state)
{
    static const char text[] =
        "dimension: 2\nunits: {output: {length: mm}}\nsimulate: {end: 0.1, output: 0.01}\n"
        "bodies: [{name: a, type: point, mass: 1, position: [0.3, 0], velocity: [0.7, 1]}]\n";
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_parse(ctx, "shown", text, sizeof text - 1, NULL, 0);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    assert_non_null(sim);
    assert_int_equal(hol_simulation_record(sim), HOL_OK);
    assert_int_equal(hol_simulation_write(sim, in_folder("run.csv")), HOL_OK);
    assert_int_equal(hol_simulation_run(sim), HOL_OK);
    hol_result *recorded = hol_simulation_take_result(sim);
    hol_simulation_destroy(sim);
    for (const hol_format *const *f = hol_formats; *f; f++) {
        char name[20];
        snprintf(name, sizeof name, "shown%s", (*f)->suffix);
        assert_int_equal(hol_result_write(ctx, recorded, in_folder(name)), HOL_OK);
        for (int run = 0; run < 2; run++) {
            hol_result *r = read_good(ctx, in_folder(run ? "run.csv" : name));
            assert_string_equal(r->unit[1], "m");
            assert_string_equal(r->shown[1], "mm");
            assert_string_equal(r->shown[0], "s");
            assert_true(r->factor[1] == 1000 && r->factor[0] == 1);
            for (size_t k = 0; k < r->n_rows * (size_t)r->n_columns; k++)
                assert_true(fabs(r->value[k] - recorded->value[k]) <= 2.3e-16 * fabs(recorded->value[k]));
            hol_result_destroy(r);
        }
    }
    hol_result_destroy(recorded);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

// What hol_comparison_create finds the largest of.
static void a_difference_is_a_result(void **state)
{
    (void)state;
    write_curve(in_folder("a.csv"), cubic, 0, 4, 57, 0.3, 0.25);
    write_curve(in_folder("b.csv"), cubic, -1, 3, 9, 0, 0);
    pair p = compare();
    hol_result *d = hol_result_minus(p.ctx, p.a, p.b);
    assert_non_null(d);
    assert_int_equal(d->n_columns, 2);
    assert_int_equal(d->n_rows, p.c->rows);
    assert_string_equal(d->unit[1], "m");
    for (size_t k = 0; k < d->n_rows; k++) {
        assert_true(d->value[2 * k] == p.a->value[2 * k]);
        assert_true(fabs(d->value[2 * k + 1] - 0.25) < 1e-13);
    }
    hol_result_destroy(d);
    end(&p);
}

// The amplitude of a sine between any two frequencies of the transform, whatever its phase: to 1e-3.
static void a_spectrum_has_the_amplitude_of_a_sine(void **state)
{
    enum { ROWS = 500 };
    static const int column[] = {1};
    static double value[2 * ROWS];
    const char *name[] = {"t", "y"}, *unit[] = {"s", "m"};
    const hol_result r = {
        .file = "made", .n_columns = 2, .name = name, .unit = unit, .n_rows = ROWS, .value = value};
    hol_context *ctx = hol_context_create();
    (void)state;
    for (double f = 2; f < 2.2; f += 0.0117) {
        for (int k = 0; k < ROWS; k++) {
            value[2 * k] = 3 + 0.02 * k;
            value[2 * k + 1] = -40 + 0.6 * sin(2 * HOL_PI * f * 0.02 * k + 5 * f);
        }
        hol_result *s = hol_result_spectrum(ctx, &r, column, 1);
        assert_non_null(s);
        size_t top = 0;
        for (size_t k = 0; k < s->n_rows; k++)
            if (s->value[2 * k + 1] > s->value[2 * top + 1]) top = k;
        assert_true(fabs(s->value[2 * top + 1] - 0.6) < 6e-4 && fabs(s->value[2 * top] - f) < 0.005);
        assert_true(fabs(s->value[2 * (s->n_rows - 1)] - 25) < 1e-9); // half of the rows' frequency
        assert_string_equal(s->unit[0], "Hz");
        assert_non_null(strstr(hol_result_note(s, "spectrum"), "Hann"));
        hol_result_destroy(s);
    }
    hol_context_destroy(ctx);
}

// A jump is a time that stands twice: no polynomial reaches over it.
static void a_jump_stays_a_jump(void **state)
{
    static const char jump[] = "t,y\n0,2\n0.5,2\n1,2\n1,5\n1.5,5\n2,5\n";
    (void)state;
    write_curve(in_folder("a.csv"), steps, 0, 2, 41, 0.1, 0);
    FILE *file = fopen(in_folder("b.csv"), "w");
    assert_non_null(file);
    fputs(jump, file);
    assert_int_equal(fclose(file), 0);
    pair p = compare();
    assert_non_null(p.c);
    assert_true(p.c->item[0].error < 1e-14);
    end(&p);
    copy_part(in_folder("b.csv"), in_folder("a.csv"), 1000);
    p = compare();
    assert_true(p.c->item[0].error == 0);
    end(&p);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void what_is_not_a_number_is_the_largest_difference(void **state)
{
    (void)state;
    write_text(in_folder("a.csv"), "t,x,y,z\n0,1,1,inf\n1,nan,2,inf\n2,9,3,inf\n");
    write_text(in_folder("b.csv"), "t,x,y,z\n0,1,1,inf\n1,2,nan,inf\n2,3,3,-inf\n");
    pair p = compare();
    assert_non_null(p.c);
    assert_true(isnan(p.c->item[0].error) && p.c->item[0].time == 1);
    assert_true(isnan(p.c->item[1].error) && p.c->item[1].time == 1);
    assert_true(isinf(p.c->item[2].error) && p.c->item[2].time == 2);
    end(&p);
}

static void what_cannot_be_compared_is_refused(void **state)
{
    static const struct {
        const char *a, *b, *message;
    } c[] = {{"t,x\n0,1\n1,2\n", "t,y\n0,1\n1,2\n", "no signal in common"},
             {"t,x\n0,1\n1,2\n", "t,x\n2,1\n3,2\n", "no time in common: 0 .. 1 s and 2 .. 3 s"},
             {"t,x\n0,1\n1,2\n", "t,x\n0,1\n3,2\n1,2\n", "the time goes back in row 3, from 3 to 1"},
             {"t,x\n0,1\nnan,2\n", "t,x\n0,1\n1,2\n", "the time in row 2 is not finite"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(c); i++) {
        write_text(in_folder("a.csv"), c[i].a);
        write_text(in_folder("b.csv"), c[i].b);
        pair p = compare();
        assert_null(p.c);
        assert_int_equal(hol_context_status(p.ctx), HOL_ERR_USAGE);
        assert_non_null(strstr(hol_context_error(p.ctx), c[i].message));
        end(&p);
    }
}

// ---- formats --------------------------------------------------------------------------------------------------

static void unknown_suffixes_are_refused_with_the_known_ones(void **state)
{
    static const char *const bad[] = {"x.txt", "x", "a.csv/x", ".csv.gz", "x.CSV", ""};
    (void)state;
    hol_context *ctx = hol_context_create();
    for (int i = 0; i < HOL_COUNT(bad); i++) {
        assert_int_equal(hol_result_check_name(ctx, bad[i]), HOL_ERR_USAGE);
        for (const hol_format *const *f = hol_formats; *f; f++)
            assert_non_null(strstr(hol_context_error(ctx), (*f)->suffix));
    }
    assert_int_equal(hol_result_check_name(ctx, "a.b/x.csv"), HOL_OK);
    assert_int_equal(hol_result_check_name(ctx, "x.nc"), HOL_OK);
    hol_context_destroy(ctx);
}

// ---- threads --------------------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 3 };

// The netCDF library is not made for threads; runs in several of them write and read all the same.
static void *write_and_read(void *user)
{
    static const char *const set[] = {"simulate.end=0.05"};
    const int me = *(const int *)user;
    long same = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char name[2][220];
        snprintf(name[0], sizeof name[0], "%s/t%d.csv", folder, me);
        snprintf(name[1], sizeof name[1], "%s/t%d.nc", folder, me);
        hol_context *ctx = hol_context_create();
        hol_model *model = hol_model_load(ctx, "models/four_bar.yaml", set, 1);
        hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
        bool good = sim && !hol_simulation_write(sim, name[0]) && !hol_simulation_write(sim, name[1]);
        good = good && hol_simulation_run(sim) == HOL_OK;
        hol_result *a = good ? hol_result_read(ctx, name[0]) : NULL,
                   *b = a ? hol_result_read(ctx, name[1]) : NULL;
        same += b && a->n_rows == b->n_rows &&
                memcmp(a->value, b->value, a->n_rows * (size_t)a->n_columns * sizeof *a->value) == 0;
        hol_result_destroy(a);
        hol_result_destroy(b);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
        hol_context_destroy(ctx);
        remove(name[0]);
        remove(name[1]);
    }
    return (void *)same;
}

static void threads_write_and_read_at_the_same_time(void **state)
{
    pthread_t thread[THREADS];
    int number[THREADS];
    (void)state;
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        assert_int_equal(pthread_create(&thread[i], NULL, write_and_read, &number[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *same;
        assert_int_equal(pthread_join(thread[i], &same), 0);
        assert_int_equal((long)same, ROUNDS);
    }
}

// ---- memory ---------------------------------------------------------------------------------------------------

// Every request for memory fails once in turn.
static void reading_and_comparing_survive_every_failing_request(void **state)
{
    static const char *const set[] = {"simulate.end=0.08"};
    (void)state;
    double *last = calloc(1000, sizeof *last);
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_load(ctx, "models/four_bar.yaml", set, 1);
    assert_non_null(model);
    hol_result_destroy(write_all(ctx, model, last, 1000));
    bool done = false;
    for (long n = 1; !done; n++) {
        hol_memory_fail_after(ctx, n);
        hol_result *a = hol_result_read(ctx, in_folder("all.csv")),
                   *b = a ? hol_result_read(ctx, in_folder("all.nc")) : NULL;
        static const int column[] = {1, 2};
        hol_comparison *c = b ? hol_comparison_create(ctx, a, b) : NULL;
        hol_result *minus = c ? hol_result_minus(ctx, a, b) : NULL,
                   *spectrum = minus ? hol_result_spectrum(ctx, a, column, 2) : NULL;
        done = spectrum;
        if (!done) assert_int_equal(hol_context_status(ctx), HOL_ERR_MEMORY);
        hol_memory_fail_after(ctx, 0);
        hol_result_destroy(minus);
        hol_result_destroy(spectrum);
        hol_comparison_destroy(c);
        hol_result_destroy(a);
        hol_result_destroy(b);
    }
    done = false;
    for (long n = 1; !done; n++) { // writing
        hol_simulation *sim = hol_simulation_create(ctx, model);
        hol_memory_fail_after(ctx, n);
        done = hol_simulation_write(sim, in_folder("all.nc")) == HOL_OK;
        if (!done) assert_int_equal(hol_context_status(ctx), HOL_ERR_MEMORY);
        hol_memory_fail_after(ctx, 0);
        hol_simulation_destroy(sim);
    }
    done = false;
    for (long n = 1; !done; n++) { // recording
        hol_simulation *sim = hol_simulation_create(ctx, model);
        hol_memory_fail_after(ctx, n);
        hol_status st = hol_simulation_record(sim);
        if (!st) st = hol_simulation_run(sim);
        done = hol_memory_fail_after(ctx, 0) > 0;
        assert_int_equal(st, done ? HOL_OK : HOL_ERR_MEMORY);
        hol_simulation_destroy(sim);
    }
    hol_model_destroy(model);
    hol_context_destroy(ctx);
    free(last);
}

// ---- records --------------------------------------------------------------------------------------------------

static void refused(hol_context *ctx, bool refused, const char *words)
{
    assert_true(refused);
    assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
    if (!strstr(hol_context_error(ctx), words)) fail_msg("%s", hol_context_error(ctx));
}

// Asked for before the first step, taken once after the end; a run that stops has its rows up to there and says why.
static void a_run_is_recorded_once(void **state)
{
    static const char *const set[] = {"simulate.end=0.1", "simulate.output=1e-3", "simulate.time_limit=1e-9"};
    bool done;
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_load(ctx, "models/four_bar.yaml", set, 3);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_int_equal(hol_simulation_record(sim), HOL_OK);
    refused(ctx, hol_simulation_record(sim), "recorded already");
    refused(ctx, !hol_simulation_take_result(sim), "not been finished");
    assert_int_equal(hol_simulation_step(sim, &done), HOL_ERR_LIMIT);
    hol_simulation_finish(sim);
    hol_result *r = hol_simulation_take_result(sim);
    assert_non_null(r);
    assert_int_equal(r->n_rows, 1); // the start
    assert_true(r->value[0] == 0);
    assert_non_null(strstr(hol_result_note(r, "stopped"), "time limit"));
    refused(ctx, !hol_simulation_take_result(sim), "has been taken");
    for (int i = 0; i < 2; i++) { // a simulation that begins anew is recorded anew; what is not taken goes
        assert_int_equal(hol_simulation_reset(sim), HOL_OK);
        refused(ctx, !hol_simulation_take_result(sim), "before the first step");
        assert_int_equal(hol_simulation_record(sim), HOL_OK);
        assert_int_equal(hol_simulation_run(sim), HOL_ERR_LIMIT);
    }
    hol_result *again = hol_simulation_take_result(sim);
    assert_memory_equal(again->value, r->value, (size_t)r->n_columns * sizeof *r->value);
    hol_result_destroy(again);
    hol_simulation_destroy(sim);
    sim = hol_simulation_create(ctx, model);
    hol_simulation_finish(sim);
    refused(ctx, hol_simulation_record(sim), "before the first step");
    refused(ctx, !hol_simulation_take_result(sim), "before the first step");
    hol_simulation_destroy(sim);
    sim = hol_simulation_create(ctx, model);
    assert_int_equal(hol_simulation_record(sim), HOL_OK);
    hol_simulation_finish(sim);
    refused(ctx, !hol_simulation_take_result(sim), "no row");
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    assert_string_equal(r->name[0], "t"); // it needs none of them
    hol_result_destroy(r);
    hol_context_destroy(ctx);
}

// What hol_number_text promises, by the C library alone.
static void the_same_text(double x)
{
    char text[32], wanted[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(wanted, sizeof wanted, "%.*g", digits, x);
        if (strtod(wanted, NULL) == x) break;
    }
    assert_int_equal(hol_number_text(x, text), strlen(wanted));
    assert_string_equal(text, wanted);
}

// Bits at random, decimals of few digits and their neighbours, sums that end in halves.
static void numbers_have_the_shortest_text(void **state)
{
    static const double some[] = {0,
                                  -0.0,
                                  1,
                                  -1,
                                  0.1,
                                  0.3,
                                  1e-4,
                                  1e-5,
                                  123456789012345678.0,
                                  1e15,
                                  1e16,
                                  1e17,
                                  1e22,
                                  1e23,
                                  5e-324,
                                  2.3e-308,
                                  1e308,
                                  9.999999999999999,
                                  9.9999999999999995e22,
                                  0.99999999999999989,
                                  HUGE_VAL,
                                  -HUGE_VAL,
                                  (double)NAN};
    unsigned long long bits = 1;
    (void)state;
    for (int i = 0; i < HOL_COUNT(some); i++) the_same_text(some[i]);
    for (int i = 0; i < 60000; i++) {
        double x;
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        memcpy(&x, &bits, sizeof x);
        the_same_text(x);
        const double decimal = (double)(bits >> 44) * pow(10, (int)(bits >> 40) % 16 - 12);
        the_same_text(decimal);
        the_same_text(nextafter(decimal, HUGE_VAL));
        the_same_text(ldexp((double)(bits >> 11), -(int)(bits % 64)));
        the_same_text(ldexp((double)(bits >> 40), -(int)(bits % 1074)));
    }
}

static int remove_folder(void **state)
{
    DIR *d = opendir(folder);
    (void)state;
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[sizeof folder + sizeof e->d_name];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (*e->d_name != '.') remove(path);
    }
    if (d) closedir(d);
    return rmdir(folder);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_have_the_shortest_text),
                                       cmocka_unit_test(all_formats_give_back_the_same_bits),
                                       cmocka_unit_test(names_come_back_as_they_are),
                                       cmocka_unit_test(a_run_is_recorded_once),
                                       cmocka_unit_test(a_part_of_a_file_gives_its_whole_rows),
                                       cmocka_unit_test(cubic_curves_are_interpolated_without_error),
                                       cmocka_unit_test(a_known_shift_is_found),
                                       cmocka_unit_test(shown_units_come_back),
                                       cmocka_unit_test(a_difference_is_a_result),
                                       cmocka_unit_test(a_spectrum_has_the_amplitude_of_a_sine),
                                       cmocka_unit_test(a_jump_stays_a_jump),
                                       cmocka_unit_test(what_is_not_a_number_is_the_largest_difference),
                                       cmocka_unit_test(what_cannot_be_compared_is_refused),
                                       cmocka_unit_test(unknown_suffixes_are_refused_with_the_known_ones),
                                       cmocka_unit_test(threads_write_and_read_at_the_same_time),
                                       cmocka_unit_test(reading_and_comparing_survive_every_failing_request)};
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
