// Private to the compiler: what its files share.
#ifndef HOL_COMPILE_H
#define HOL_COMPILE_H

#include "model/model.h"

typedef struct hol_compiler {
    hol_model_data *m;
    hol_spec *spec;
    hol_names *bodies, *others, *quantities; // quantities: variables, states and held values
    const hol_axes *axes;                    // made last, NULL: none yet
} hol_compiler;

// Names to choose from, for "did you mean" or a short list of what there is.
typedef struct hol_choice {
    hol_nearest nearest;
    char list[120];
    size_t n;
} hol_choice;
void hol_choice_start(hol_choice *o, const char *word);
void hol_choice_offer(hol_choice *o, const char *name);
// "PATH: RULE "NAME"; did you mean .."
hol_status hol_choice_fail(const hol_compiler *c, hol_src at, const char *path, const char *rule,
                           const char *name, const hol_choice *o);

hol_status hol_find_body(const hol_compiler *c, const char *name, hol_src at, const char *path, int *body);
// Index into the model's markers.
hol_status hol_find_marker(const hol_compiler *c, int body, const hol_spec_end *s, const char *path,
                           int *out);

// Users' equations: names first, since forces and constraints name them; expressions when all elements are there.
hol_status hol_compile_names(hol_compiler *c);
hol_status hol_compile_equations(hol_compiler *c);
// The inputs of a force: functions of time, or components that get an unknown of their own.
hol_status hol_compile_inputs(hol_compiler *c, const hol_spec_element *s, hol_element *e);
// A constraint's expression: e->body and e->ny are laid out by it.
hol_status hol_compile_constraint(hol_compiler *c, const hol_spec_element *s, hol_element *e,
                                  hol_measured_formula *out);

#endif
