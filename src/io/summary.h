// What a result says about its run, beside the motion.
#ifndef HOL_SUMMARY_H
#define HOL_SUMMARY_H

#include "analysis/dynamics.h"

// A model's file as it is now; "": it is no file, is large or holds other bytes than text.
const char *hol_model_text(hol_arena *arena, const char *path);

// One thing known before the first step.
typedef struct hol_run_note {
    const char *key, *text; // text NULL: the number
    double number;
} hol_run_note;
enum { HOL_RUN_NOTES = 7 };
// title, source, method, step or tolerance [s, 1], model_file, model_text (as above; not if it is
// empty), set (a line each). Returns how many, 0: no memory.
int hol_run_notes(const hol_dynamics *d, hol_arena *arena, hol_run_note out[HOL_RUN_NOTES]);

// What the statistics say, as lines `label: text`; what does not fit into text[size] is left out from the end. No times of
// the machine: two runs of one model leave the same.
void hol_summary_text(const hol_dynamics *d, char *text, size_t size);

#endif
