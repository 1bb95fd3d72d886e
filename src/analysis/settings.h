// The `simulate:` part of a model file: what to run, with which method and options, and what to write.
#ifndef HOL_SETTINGS_H
#define HOL_SETTINGS_H

#include "analysis/signals.h"
#include "integrator/integrator.h"

extern const hol_object hol_simulate_object;

typedef struct hol_settings {
    double end;       // [s]
    double step;      // size of fixed steps [s]; 0: error control
    double tolerance; // of the results (errors: paper: of a step); 0 with fixed steps
    double max_step;  // [s]
    double search;    // functions of time are searched so many times finer than usual
    double output;    // [s]; 0: at every step
    bool method_given, tolerance_given, output_given;
    hol_src step_at, output_at; // where they stand
    bool project;               // results are projected onto the constraints
    bool at_rest;               // it begins in an equilibrium
    hol_src start_at;           // where that stands
    double time_limit;          // of the wall clock [s]; 0: none
    int threads;                // 0: chosen by the size of the model
    int divide;                 // see hol_equations; no key: for tests with small models
    bool automatic;             // `method: auto`: the method is taken when a simulation begins
    const hol_method *method;
    const hol_value *option;     // of the method, shared rows after its own
    const hol_value **option_of; // of each method of the table, in its order
    unsigned options_given;      // bit i: options of method i of the table stand in the file or in --set
    bool max_step_given;
    int n_requests; // signals asked for; 0: all
    const hol_word *request;
} hol_settings;

// Everything is checked, the options of methods that are not used too. Values live in the model's arena, so this is
// done once, by the thread that loads the model.
hol_status hol_settings_read(const hol_model_data *m, hol_settings *out);
// Results that a run will have, as far as one knows.
double hol_settings_rows(const hol_settings *set);
// Rows and the size of their files, where these are so large that a run is told of them: "4e+07 rows of 21 numbers, some ..". false: they
// are not. columns: numbers of a row.
enum { HOL_AMOUNT = 200 };
bool hol_settings_large(const hol_settings *set, int columns, char text[HOL_AMOUNT]);
// Those of a method, in use or not.
const hol_value *hol_settings_options(const hol_settings *set, const hol_method *method);
// What is set of the method beside its tolerances, defaults or not: settings of one hash make the same steps.
unsigned long long hol_settings_hash(const hol_settings *set);
// Notes options that were given for other methods than the one that runs.
void hol_settings_tell(hol_context *ctx, const hol_settings *set);
// Another method, with its options and its largest step. HOL_ERR_USAGE if these options cannot work.
hol_status hol_settings_take(hol_context *ctx, const hol_method *method, hol_settings *set);

#endif
