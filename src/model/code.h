// User code: one function of a shared object with its parameters. include/holonom_user.h is what its author sees.
//
//     y = g(t, u, x; p),  x' = f(t, u, x; p)
//
// A library is code of the user's choice in this process: a crash in it (a segmentation fault) ends the program, and no
// check here can prevent that. What can be checked is: the file, the version of the interface, counts, parameters,
// results that are not finite or not set. Numbers are double: the complex build does not reach into user code.
#ifndef HOL_CODE_H
#define HOL_CODE_H

#include "base/base.h"

typedef struct hol_code hol_code; // immutable once loaded; shared by threads

// All texts and names must live as long as the code does.
typedef struct hol_code_request {
    const char *library;  // as the model file says; a relative name is sought in `folder`
    const char *folder;   // of the model file; NULL or "": the current one
    const char *function; // the symbol sought is hol_user_FUNCTION
    int n_inputs, n_outputs, n_states, n_parameters;
    const double *parameter;   // copied                                        (n_parameters)
    const char *const *input;  // names for messages; NULL: numbers               (n_inputs)
    const char *const *output; //                                                 (n_outputs)
    const char *const *state;  //                                                 (n_states)
    hol_src at;
    const char *path; // for messages: "code[0] tyre"
} hol_code_request;

// HOL_ERR_MODEL with a message and *out = NULL if the library cannot be loaded, does not have the function, was made
// for another interface, wants other counts or refuses the parameters. A context in a sandbox loads nothing.
hol_status hol_code_load(hol_context *ctx, const hol_code_request *what, hol_code **out);
// Path of its library.
const char *hol_code_file(const hol_code *code);
void hol_code_destroy(hol_code *code); // NULL is allowed

// Why a result was HOL_RECOVERABLE: "code[0] tyre: output fz is nan at t = 0.5 s". Written in that case only, so that the
// last reason is there when an integrator gives up.
typedef struct hol_code_fault {
    hol_src at; // of the code in the model file
    char text[400];
} hol_code_fault;

// y (n_outputs) and f = x' (n_states) for inputs u (n_inputs) and states x (n_states); arrays of length 0 may be NULL.
//   HOL_RECOVERABLE: an argument or a result is not finite, or the function asks for a smaller step; fault (may be NULL)
//   says which. HOL_ERR_INTEGRATION: the function failed for good; its message is in the context.
hol_status hol_code_eval(hol_context *ctx, const hol_code *code, double t, const double *u, const double *x,
                         double *y, double *f, hol_code_fault *fault);
// D = d(y, f)/d(u, x), row after row, (n_outputs + n_states) x (n_inputs + n_states): from the library, else by
// differences. work (hol_code_work(code) numbers) belongs to the caller. Statuses as above.
hol_status hol_code_derivative(hol_context *ctx, const hol_code *code, double t, const double *u,
                               const double *x, double *D, double *work, hol_code_fault *fault);
// The same by differences in any case: for codes without a derivative, and to check those that have one.
hol_status hol_code_difference(hol_context *ctx, const hol_code *code, double t, const double *u,
                               const double *x, double *D, double *work, hol_code_fault *fault);
size_t hol_code_work(const hol_code *code); // numbers of work, at least 1
bool hol_code_has_derivative(const hol_code *code);
bool hol_code_exact(const hol_code *code);               // hol_code_derivative is exact, says the library
double hol_code_state_size(const hol_code *code, int i); // typical size of a state; 0: not said

#endif
