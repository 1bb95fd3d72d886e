// Functions that load and then behave badly, each in its own way.
#include <holonom_user.h>

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// As -ffast-math and others do behind the back of the program.
__attribute__((constructor)) static void spoil_rounding(void) { fesetround(FE_UPWARD); }

enum {
    NAN_OUTPUT,
    INFINITE_RATE,
    FORGETS,
    RETRY,
    FAILS,
    FAILS_SILENTLY,
    ENDLESS_MESSAGE,
    NAN_SLOPE,
    FORGETS_RATE
};

// What goes wrong is parameter 0, when the input is above 1.
static int eval(const hol_user_instance *me, double t, const double *u, const double *x, double *y,
                double *dx, char *message)
{
    const int kind = (int)me->p[0];
    (void)t, (void)x;
    y[0] = dx[0] = 1;
    if (kind != FORGETS_RATE || !(u[0] > 1)) dx[1] = 1;
    if (kind != FORGETS || !(u[0] > 1)) y[1] = 2;
    if (!(u[0] > 1)) return HOL_USER_OK;
    if (kind == NAN_OUTPUT) y[1] = (double)NAN;
    if (kind == INFINITE_RATE) dx[1] = -(double)INFINITY;
    if (kind == RETRY || kind == FAILS) strcpy(message, "the table ends here");
    if (kind == ENDLESS_MESSAGE) memset(message, 'm', HOL_USER_MESSAGE);
    return kind == RETRY ? 7 : kind == FAILS || kind == FAILS_SILENTLY || kind == ENDLESS_MESSAGE ? -3 : 0;
}

static int derivative(const hol_user_instance *me, double t, const double *u, const double *x, double *D,
                      char *message)
{
    double y[2], dx[2];
    const int result = eval(me, t, u, x, y, dx, message);
    if (me->p[0] == NAN_SLOPE) D[3 * 3 + 1] = (double)NAN; // rate of the second state by the first state
    return result;
}

HOL_USER_CODE(troubled) = {
    .header = HOL_USER_HEADER, .n_inputs = 1, .n_outputs = 2, .n_states = 2, .n_parameters = 1, .eval = eval};

HOL_USER_CODE(troubled_slope) = {.header = HOL_USER_HEADER,
                                 .n_inputs = 1,
                                 .n_outputs = 2,
                                 .n_states = 2,
                                 .n_parameters = 1,
                                 .eval = eval,
                                 .derivative = derivative};

// Values on one side of 0 only, the sign of parameter 0; if it is 2, at 0 only.
static int root(const hol_user_instance *me, double t, const double *u, const double *x, double *y,
                double *dx, char *message)
{
    (void)me, (void)t, (void)x, (void)dx, (void)message;
    const int none = me->p[0] * u[0] < 0 || (me->p[0] == 2 && u[0] > 0);
    y[0] = none ? (double)NAN : u[0];
    return HOL_USER_OK;
}

HOL_USER_CODE(one_sided) = {
    .header = HOL_USER_HEADER, .n_inputs = 1, .n_outputs = 1, .n_parameters = 1, .eval = root};

// y = sin(u/size + 1/2)
static int wave(const hol_user_instance *me, double t, const double *u, const double *x, double *y,
                double *dx, char *message)
{
    (void)t, (void)x, (void)dx, (void)message;
    y[0] = sin(u[0] / me->p[0] + 0.5);
    return HOL_USER_OK;
}

static const double micrometre[] = {1e-6};
HOL_USER_CODE(wave) = {
    .header = HOL_USER_HEADER, .n_inputs = 1, .n_outputs = 1, .n_parameters = 1, .eval = wave};
HOL_USER_CODE(small_wave) = {.header = HOL_USER_HEADER,
                             .n_inputs = 1,
                             .n_outputs = 1,
                             .n_parameters = 1,
                             .input_size = micrometre,
                             .eval = wave};

// A polynomial of any length in any number of inputs; its coefficients are instance data.
static int copy(const hol_user_instance *me, void **data, char *message)
{
    double *c = malloc(((size_t)me->n_parameters + 1) * sizeof *c);
    (void)message;
    if (!c) return HOL_USER_ERROR;
    memcpy(c, me->p, (size_t)me->n_parameters * sizeof *c);
    *data = c;
    return HOL_USER_OK;
}

static int polynomial(const hol_user_instance *me, double t, const double *u, const double *x, double *y,
                      double *dx, char *message)
{
    const double *c = me->data;
    (void)x, (void)dx, (void)message;
    for (int k = 0; k < me->n_outputs; k++) {
        y[k] = t;
        for (int i = 0; i < me->n_inputs; i++) {
            double power = k + 1;
            for (int j = 0; j < me->n_parameters; j++, power *= u[i]) y[k] += c[j] * power;
        }
    }
    return HOL_USER_OK;
}

HOL_USER_CODE(polynomial) = {.header = HOL_USER_HEADER,
                             .n_inputs = HOL_USER_ANY,
                             .n_outputs = HOL_USER_ANY,
                             .n_parameters = HOL_USER_ANY,
                             .init = copy,
                             .destroy = free,
                             .eval = polynomial};
