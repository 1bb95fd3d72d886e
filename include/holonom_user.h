// Your own C or C++ code in a model of holonom: tyres, controllers, motors, anything with outputs and states.
//
//     y  = g(t, u, x; p)        outputs, used by name in expressions of the model
//     x' = f(t, u, x; p)        rates of the states of its own
//
// u are values of expressions of the model, p are constants. The code is a shared object, made of one file or more:
//
//     cc -O2 -shared -fPIC my_spring.c -o my_spring.so -lm
//
// and this is a complete one:
//
//     #include <holonom_user.h>
//
//     static int eval(const hol_user_instance *me, double t, const double *u, const double *x, double *y, double *dx,
//                     char *message)
//     {
//         y[0] = -me->p[0] * u[0];
//         return HOL_USER_OK;
//     }
//
//     HOL_USER_CODE(my_spring) = {
//         .header = HOL_USER_HEADER, .n_inputs = 1, .n_outputs = 1, .n_states = 0, .n_parameters = 1, .eval = eval};
//
// In the model file:
//
//     code:
//       - {name: spring, library: ./my_spring.so, function: my_spring, inputs: [DX(a, b)], outputs: [f], parameters: [100]}
//
// What your functions must keep to:
//   - eval is called inside Newton's iteration, for trial states, forwards and backwards in time, as often as it takes.
//     It must be a function of its arguments only: no static variables, no random numbers, no clock, no memory of the
//     last call. What has a memory is a state x.
//   - Simulations in several threads may share one instance: eval and derivative change nothing but their results.
//   - Results are smooth where they can be: a jump in y makes the steps small.
//   - No exit(), no longjmp() and no C++ exception out of a function, no change of the rounding mode. A crash
//     (segmentation fault) is a crash of the whole program: it cannot be caught.
//   - setlocale() does no harm: holonom writes and reads numbers with a decimal point. A uselocale() is taken back.
//   - Helper functions are static, so that no name of another library takes their place.
#ifndef HOLONOM_USER_H
#define HOLONOM_USER_H

#ifdef __cplusplus
extern "C" {
#endif

#define HOL_USER_ABI 1       // version of this interface; a library of another one is refused
#define HOL_USER_ANY (-1)    // a count: as many as the model file gives
#define HOL_USER_MESSAGE 256 // bytes of a message, the final 0 included

// What init, eval and derivative return. With the last two a text may be left in `message`:
//     snprintf(message, HOL_USER_MESSAGE, "the load is %g N", load);
#define HOL_USER_OK 0
#define HOL_USER_RETRY 1    // no result for these arguments: try a smaller step (any positive number)
#define HOL_USER_ERROR (-1) // end the simulation and show the message (any negative number)

// Flags.
#define HOL_USER_EXACT 1u // derivative() is exact: not approximate, nothing left out

// One `code:` item of a model, as your functions see it.
typedef struct hol_user_instance {
    int n_inputs, n_outputs, n_states, n_parameters;
    const double *p;  // parameters                                                 (n_parameters)
    const void *data; // what init made; NULL: nothing
} hol_user_instance;

typedef struct hol_user_header {
    unsigned abi, size;
} hol_user_header;

// What a library says of one function. What is not given is 0; C++ wants the order kept.
typedef struct hol_user_code {
    hol_user_header header; // HOL_USER_HEADER

    // How many the function has, or HOL_USER_ANY. Another number in the model file is refused.
    int n_inputs, n_outputs, n_states, n_parameters;
    unsigned flags; // HOL_USER_EXACT or 0

    // Typical sizes, positive: the steps of differences follow them. NULL, as it must be where the count is HOL_USER_ANY:
    // 0.01, which does for anything between 1e-6 and 1e5.
    const double *input_size; //                                                    (n_inputs)
    const double *state_size; //                                                    (n_states)

    // Checks the parameters me->p and, if the function needs tables or the like, makes them: *data is me->data later.
    // A result other than 0 refuses the model and shows the message; nothing may be left behind then. Called once for
    // each item, when the model is loaded. NULL: nothing to check.
    int (*init)(const hol_user_instance *me, void **data, char *message);
    // Frees what init made. Called if init returned 0. NULL: nothing to free.
    void (*destroy)(void *data);

    // Required. u (n_inputs) and x (n_states) are always finite. All of y (n_outputs) and dx (n_states) must be set: they
    // come as NaN, and a result that is NaN or infinite counts as HOL_USER_RETRY.
    int (*eval)(const hol_user_instance *me, double t, const double *u, const double *x, double *y,
                double *dx, char *message);
    // D = d(y, dx)/d(u, x): a row for each output, then for each state; in it a column for each input, then for each
    // state; row after row, (n_outputs + n_states) x (n_inputs + n_states). It comes as zeros. NULL: holonom takes
    // central differences of eval, two calls for each column.
    int (*derivative)(const hol_user_instance *me, double t, const double *u, const double *x, double *D,
                      char *message);
} hol_user_code;

#define HOL_USER_HEADER                                                                                      \
    {                                                                                                        \
        HOL_USER_ABI, (unsigned)sizeof(hol_user_code)                                                        \
    }

// Exports the symbol hol_user_NAME, also where a compiler hides everything else (-fvisibility=hidden).
#if defined(__GNUC__)
#define HOL_USER_EXPORT __attribute__((visibility("default")))
#else
#define HOL_USER_EXPORT
#endif
#ifdef __cplusplus
#define HOL_USER_CODE(name)                                                                                  \
    extern "C" HOL_USER_EXPORT const hol_user_code hol_user_##name;                                          \
    const hol_user_code hol_user_##name
#else
#define HOL_USER_CODE(name)                                                                                  \
    extern HOL_USER_EXPORT const hol_user_code hol_user_##name;                                              \
    const hol_user_code hol_user_##name
#endif

#ifdef __cplusplus
}
#endif
#endif
