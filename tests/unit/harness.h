// What unit tests share. harness.c: a context, numbers, texts; harness_run.c: models and their motions. They lie in an
// archive, so that a test is linked with what it uses only.
#ifndef HARNESS_H
#define HARNESS_H

#include "holonom.h"
#include "model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// For cmocka_run_group_tests: the context of all tests of the file.
extern hol_context *ctx;
int start(void **state);
int stop(void **state);

// Are batteries as large as they are said to be (LONG, set by tests/run.py --long)? Not under the sanitizers, which with LONG try what else is
// tried without them.
bool goes_far(void);
// Only a part of each battery, which runs the same code: under the sanitizers without LONG.
bool few(void);
// Is the i-th case of a battery tried? All are where it goes far, else one of so many, few of them one of `sanitized`. With i the
// sum of the numbers of a model and a method, each of them is tried with some of the others.
bool in_sample(int i, int one_of, int sanitized);

// Every function below fails the test, saying why, when it cannot do what it should.

// |have - want| <= allowed, and neither is a NaN
void near(const char *what, double have, double want, double allowed);
// The last message of ctx contains these words.
void expect_message(const char *words);
// A call has ended as HOL_ERR_USAGE, with these words.
void expect_usage(const char *call, hol_status st, const char *words);
#define USAGE(call, words) expect_usage(#call, call, words)
void write_file(const char *path, const char *text);
// Where rounding chooses what an error is, the median over CLOSE_BY tolerances within 8 % is looked at: the k-th of them, and what is found
// put into `sorted`, which has n in ascending order.
enum { CLOSE_BY = 9 };
double tolerance_close_by(double tolerance, int k);
void put_in_order(double *sorted, int n, double x);
// A function of a public header, and a test that calls it with what it lacks.
typedef struct {
    const char *name;
    void (*call)(void);
} lacking;
void call_all(const lacking *row, int n);
// Has each function that the header declares, hol_NAME( outside of comments, a row, and each row a function?
void expect_all_functions(const char *header, const lacking *row, int n);
double random_in(hol_random *dice, double lo, double hi);
// Settings "path=value path=value ..." as a list; cuts the text. Returns how many.
int split(char *text, const char **set, int most);

// model: the name of a file in models/, or the text of a model, which has a ':'. set: n texts "path=value".
// "step_tolerance=1e-6" stands for the tolerance of results that gives this one for each step, docs/theory.md (5.14a); the method
// is the one that the settings name.
hol_model_data *compile(const char *model, const char *const *set, int n);
hol_model *load_model(const char *model, const char *const *set, int n);

typedef struct {
    hol_model *model;
    hol_simulation *sim;
    hol_status end; // of `move`
} motion;

// The tolerance of results that gives a method steps of this tolerance.
double tolerance_of_steps(const char *method, double each);

motion open_motion(const char *model, const char *const *set, int n);
motion move(const char *model, const char *const *set,
            int n); // opened, and run to the end, or as far as it comes
void close_motion(motion *a);
double signal_value(hol_simulation *sim, const char *name);
double value_of(const motion *a, const char *signal);
// A run that is saved after 11 steps, and one resumed from there, end with the same bits and the same work.
void resume(const char *model, const char *const *set, int n_set, const char *checkpoint);
// A run up to t, then on from there and from a snapshot of it: with the same settings to the same bits, with others too within `allowed` of
// `whole`, which the signal is at the end.
void go_on_from_snapshot(const char *model, const char *const *set, int n_set, const char *const *other,
                         int n_other, double t, const char *signal, double whole, double allowed);
// The same with every method for use.
void resume_all(const char *model);

// ---- results against a reference ------------------------------------------------------------------------------

enum { MOST_SIGNALS = 4 };

typedef struct {
    const char *model, *reference; // tests/reference/; NULL: another run
    const char *signal[MOST_SIGNALS], *column[MOST_SIGNALS];
    double end, output;
} subject;

// A folder of its own for two results; folder: a template of mkdtemp, file and best (60). And all of it removed.
int make_results(char *folder, char *file, char *best);
int remove_results(const char *folder, const char *file, const char *best);
// The rows of a run, which ends with these words; NULL: at its end. To be destroyed.
hol_result *rows_written(const char *text, const char *const *set, int n, const char *words);
hol_statistics run_to_file(const subject *c, const char *file, const char *const *set, int n);
// Largest difference at common times. best: the other run.
double difference(const subject *c, const char *file, const char *best);
int column_of(const hol_result *r, const char *name);

// Angle of the cranks of N parallelograms (models/four_bar.yaml): phi'' = -c cos phi, by Runge and Kutta.
double angle_of_the_parallelogram(int N, double t);

#endif
