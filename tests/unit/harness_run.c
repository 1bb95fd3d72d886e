#include "harness.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- models ---------------------------------------------------------------------------------------------------

static const char *path_of(const char *model, char path[100])
{
    snprintf(path, 100, "models/%.60s.yaml", model);
    return path;
}

double tolerance_of_steps(const char *method, double each)
{
    const hol_method *m = hol_method_find(method);
    if (!m) fail_msg("there is no method %s", method);
    if (!m->divisor) return each; // fixed steps only
    return m->divisor * pow(each, m->own_estimate ? m->order / (m->order + 1.0) : 1);
}

enum { MOST_SETTINGS = 32 };

// Does one of the n settings behind give the same value?
static bool is_given_anew(const char *setting, const char *const *behind, int n)
{
    const size_t key = strcspn(setting, "=") + 1;
    for (int i = 0; i < n; i++)
        if (strncmp(setting, behind[i], key) == 0) return true;
    return false;
}

// The settings, of one value the last, with those of a step's tolerance written as tolerances of results. *n: how many; text: room.
static const char *const *written_out(const char *const *set, int *n, const char *out[MOST_SETTINGS],
                                      char text[MOST_SETTINGS][60])
{
    const char *method = NULL;
    const int given = *n;
    assert_true(given <= MOST_SETTINGS);
    *n = 0;
    for (int i = 0; i < given; i++)
        if (strncmp(set[i], "simulate.method=", 16) == 0) method = set[i] + 16;
    for (int i = 0; i < given; i++) {
        if (is_given_anew(set[i], set + i + 1, given - i - 1)) continue;
        out[*n] = set[i];
        if (strncmp(set[i], "step_tolerance=", 15) == 0) {
            if (!method) fail_msg("%s: of which method?", set[i]);
            snprintf(text[*n], 60, "simulate.tolerance=%.17g",
                     tolerance_of_steps(method, strtod(set[i] + 15, NULL)));
            out[*n] = text[*n];
        }
        ++*n;
    }
    return out;
}

hol_model_data *compile(const char *model, const char *const *set, int n)
{
    char path[100], text[MOST_SETTINGS][60];
    const char *all[MOST_SETTINGS];
    set = written_out(set, &n, all, text);
    hol_context_clear(ctx);
    hol_spec *spec = strchr(model, ':') ? hol_spec_read_text(ctx, "test.yaml", model, strlen(model), set, n)
                                        : hol_spec_read_file(ctx, path_of(model, path), set, n);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    if (!m) fail_msg("%s", hol_context_error(ctx));
    return m;
}

hol_model *load_model(const char *model, const char *const *set, int n)
{
    char path[100], text[MOST_SETTINGS][60];
    const char *all[MOST_SETTINGS];
    set = written_out(set, &n, all, text);
    hol_context_clear(ctx);
    hol_model *m = strchr(model, ':') ? hol_model_parse(ctx, "test.yaml", model, strlen(model), set, n)
                                      : hol_model_load(ctx, path_of(model, path), set, n);
    if (!m) fail_msg("%s", hol_context_error(ctx));
    assert_string_equal(hol_context_error(ctx), "");
    return m;
}

// ---- motions --------------------------------------------------------------------------------------------------

motion open_motion(const char *model, const char *const *set, int n)
{
    motion a = {load_model(model, set, n), NULL, HOL_OK};
    a.sim = hol_simulation_create(ctx, a.model);
    if (!a.sim) fail_msg("%.60s: %s", model, hol_context_error(ctx));
    return a;
}

motion move(const char *model, const char *const *set, int n)
{
    motion a = open_motion(model, set, n);
    a.end = hol_simulation_run(a.sim);
    return a;
}

void close_motion(motion *a)
{
    hol_simulation_destroy(a->sim);
    hol_model_destroy(a->model);
}

double signal_value(hol_simulation *sim, const char *name)
{
    const int i = hol_simulation_find_signal(sim, name);
    if (i < 0) fail_msg("no signal %s", name);
    return hol_simulation_values(sim)[i];
}

double value_of(const motion *a, const char *signal) { return signal_value(a->sim, signal); }

// All steps to the end; after step `after` (-1: never) a checkpoint is written. The values of the n signals at the end, to
// be freed.
static double *finish(hol_simulation *sim, long after, const char *checkpoint, int *n)
{
    bool done = false;
    long i = 0;
    for (; !done; i++) {
        if (i == after) assert_int_equal(hol_simulation_checkpoint(sim, checkpoint), HOL_OK);
        assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
    }
    assert_true(i > after);
    *n = hol_simulation_signals(sim);
    double *copy = malloc((size_t)*n * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, hol_simulation_values(sim), (size_t)*n * sizeof *copy);
    return copy;
}

void go_on_from_snapshot(const char *model, const char *const *set, int n_set, const char *const *other,
                         int n_other, double t, const char *signal, double whole, double allowed)
{
    motion m[] = {open_motion(model, set, n_set), open_motion(model, set, n_set),
                  open_motion(model, other, n_other)};
    assert_int_equal(hol_simulation_advance(m[0].sim, t), HOL_OK);
    hol_snapshot *s = hol_simulation_save(m[0].sim);
    assert_non_null(s);
    for (int k = 1; k < 3; k++) assert_int_equal(hol_simulation_restore(m[k].sim, s), HOL_OK);
    hol_snapshot_destroy(s);
    for (int k = 0; k < 3; k++) assert_int_equal(hol_simulation_run(m[k].sim), HOL_OK);
    near("same bits", value_of(&m[1], signal), value_of(&m[0], signal), 0);
    near("whole", value_of(&m[0], signal), whole, allowed);
    near("another method", value_of(&m[2], signal), whole, allowed);
    for (int k = 0; k < 3; k++) close_motion(&m[k]);
}

void resume(const char *model, const char *const *set, int n_set, const char *checkpoint)
{
    int n, m;
    motion first = open_motion(model, set, n_set), second = open_motion(model, set, n_set);
    double *a = finish(first.sim, 11, checkpoint, &n);
    assert_int_equal(hol_simulation_restart(second.sim, checkpoint), HOL_OK);
    double *b = finish(second.sim, -1, NULL, &m);
    assert_int_equal(n, m);
    if (memcmp(a, b, (size_t)n * sizeof *a)) print_error("%s, %s\n", model, set[n_set - 1]);
    assert_memory_equal(a, b, (size_t)n * sizeof *a);
    const hol_statistics *s = hol_simulation_finish(first.sim), *t = hol_simulation_finish(second.sim);
    assert_int_equal(s->steps, t->steps);
    assert_int_equal(s->rejected, t->rejected);
    assert_int_equal(s->factorizations, t->factorizations);
    assert_true(s->energy_drift_max == t->energy_drift_max);
    free(a);
    free(b);
    close_motion(&first);
    close_motion(&second);
}

void resume_all(const char *model)
{
    char set[60], file[] = "/tmp/holonom_resumed_XXXXXX";
    const char *const list[] = {set};
    const int made = mkstemp(file);
    assert_true(made >= 0);
    close(made);
    for (int m = 0; hol_methods[m]; m++) {
        if (hol_methods[m]->teaching) continue;
        snprintf(set, sizeof set, "simulate.method=%s", hol_methods[m]->name);
        resume(model, list, 1, file);
    }
    remove(file);
}

// ---- results against a reference ------------------------------------------------------------------------------

int make_results(char *folder, char *file, char *best)
{
    if (!mkdtemp(folder)) return -1;
    snprintf(file, 60, "%s/a.csv", folder);
    snprintf(best, 60, "%s/best.csv", folder);
    return 0;
}

int remove_results(const char *folder, const char *file, const char *best)
{
    remove(file);
    remove(best);
    return remove(folder);
}

hol_result *rows_written(const char *text, const char *const *set, int n, const char *words)
{
    char folder[] = "/tmp/holonom_result_XXXXXX", file[60], other[60];
    assert_int_equal(make_results(folder, file, other), 0);
    motion m = open_motion(text, set, n);
    assert_int_equal(hol_simulation_write(m.sim, file), HOL_OK);
    const hol_status st = hol_simulation_run(m.sim);
    if (st != (words ? HOL_ERR_INTEGRATION : HOL_OK))
        fail_msg("%s, %s: ended with %d: %s", set[0], set[n - 1], st, hol_context_error(ctx));
    if (words) expect_message(words);
    hol_simulation_finish(m.sim);
    hol_result *r = hol_result_read(ctx, file);
    assert_non_null(r);
    close_motion(&m);
    remove_results(folder, file, other);
    return r;
}

hol_statistics run_to_file(const subject *c, const char *file, const char *const *set, int n)
{
    enum { MOST = 12 };
    char last[60], output[60];
    const char *all[MOST] = {last, output, "simulate.signals=all"};
    assert_true(n + 3 <= MOST);
    for (int i = 0; i < n; i++) all[i + 3] = set[i];
    snprintf(last, sizeof last, "simulate.end=%.17g", c->end);
    snprintf(output, sizeof output, "simulate.output=%.17g", c->output);
    motion a = open_motion(c->model, all, n + 3);
    assert_int_equal(hol_simulation_write(a.sim, file), HOL_OK);
    if (hol_simulation_run(a.sim)) print_error("%s: %s\n", c->model, hol_context_error(ctx));
    const hol_statistics s = *hol_simulation_finish(a.sim);
    assert_int_equal(s.status, HOL_OK);
    close_motion(&a);
    return s;
}

int column_of(const hol_result *r, const char *name)
{
    for (int i = 0; i < r->n_columns; i++)
        if (strcmp(r->name[i], name) == 0) return i;
    fail_msg("%s: no column %s", r->file, name);
    return -1;
}

double difference(const subject *c, const char *file, const char *best)
{
    char own[100];
    double worst = 0;
    snprintf(own, sizeof own, "tests/reference/%s.csv", c->reference ? c->reference : "");
    hol_result *a = hol_result_read(ctx, file), *b = hol_result_read(ctx, c->reference ? own : best);
    if (!a || !b) print_error("%s\n", hol_context_error(ctx));
    assert_true(a && b);
    int common = 0;
    for (size_t i = 0, k = 0; i < a->n_rows; i++) {
        const double *x = a->value + i * (size_t)a->n_columns;
        while (k < b->n_rows && b->value[k * (size_t)b->n_columns] < x[0] - 1e-9) k++;
        if (k == b->n_rows || fabs(b->value[k * (size_t)b->n_columns] - x[0]) > 1e-9) continue;
        const double *y = b->value + k * (size_t)b->n_columns;
        common++;
        for (int j = 0; j < MOST_SIGNALS && c->signal[j]; j++) {
            const char *other = c->reference ? c->column[j] : c->signal[j];
            worst = fmax(worst, fabs(x[column_of(a, c->signal[j])] - y[column_of(b, other)]));
        }
    }
    assert_true(common > 3);
    hol_result_destroy(a);
    hol_result_destroy(b);
    return worst;
}

double angle_of_the_parallelogram(int N, double t)
{
    const double c = 9.81 * ((N + 1) / 2.0 + N) / ((N + 1) / 3.0 + N);
    enum { STEPS = 40000 };
    const double h = t / STEPS;
    double x = acos(0), w = -1;
    for (int i = 0; i < STEPS; i++) {
        const double a1 = -c * cos(x), a2 = -c * cos(x + h / 2 * w),
                     a3 = -c * cos(x + h / 2 * (w + h / 2 * a1)), a4 = -c * cos(x + h * (w + h / 2 * a2));
        x += h * w + h * h / 6 * (a1 + a2 + a3);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return x;
}
