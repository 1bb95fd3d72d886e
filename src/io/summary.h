// What a result says about its run, beside the motion.
#ifndef HOL_SUMMARY_H
#define HOL_SUMMARY_H

#include "analysis/dynamics.h"
#include "io/result.h"

// The text a model was made of, or its file as it is now; "": it is no file, is large or holds other bytes than text. NULL: no memory.
const char *hol_model_text(hol_arena *arena, const hol_spec *spec);

// One thing known before the first step.
typedef struct hol_run_note {
    const char *key, *text; // text NULL: the number
    double number;
} hol_run_note;
enum { HOL_RUN_NOTES = 8, HOL_MODEL_HASH = 36 };
// title, source, method, step or tolerance [s, 1], model_file, model_text (as above; not if it is
// empty), model_hash, set (a line each). Returns how many, 0: no memory.
int hol_run_notes(const hol_dynamics *d, hol_arena *arena, hol_run_note out[HOL_RUN_NOTES]);

// What a model says, but how it is run, as text: two numbers, without and with the shapes of bodies.
void hol_model_hash_text(const hol_spec *spec, char text[HOL_MODEL_HASH]);
// The same of an analysis that is no run: title, source, method, model_file, model_text, model_hash, set.
hol_status hol_result_add_model(hol_result_data *out, const hol_model_data *m, const char *method);
// Is a result of this model as it is now? Results that do not say are, and those of other versions of the program.
typedef enum { HOL_OF_THIS_MODEL, HOL_OF_OTHER_SHAPES, HOL_OF_ANOTHER_MODEL } hol_origin;
hol_origin hol_result_origin(const hol_result *r, const hol_spec *spec);
enum { HOL_REMARK = 600 };
// What to say where a motion is drawn with another model's bodies; false: nothing.
bool hol_result_remark(const hol_result *r, const hol_spec *spec, char text[HOL_REMARK]);

// What the statistics say, as lines `label: text`; what does not fit into text[size] is left out from the end. No times of
// the machine: two runs of one model leave the same.
void hol_summary_text(const hol_dynamics *d, char *text, size_t size);

#endif
