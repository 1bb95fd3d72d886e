// User code: a PID controller with a filtered derivative, a limited output, and an integral that does not wind up.
//
//     cc -O2 -shared -fPIC controller.c -o controller.so -lm      a library for models (-I where holonom_user.h is)
//     cc -O2 controller.c -o controller -lm && ./controller       tries it without a model
//
//     code:
//       - name: controller
//         library: ./controller.so
//         function: pid
//         inputs: [0.5, DX(cart, ground)]
//         outputs: [force]
//         states: [integral, filter]
//         parameters: [40, 20, 30, 0.02, 10, 0.5]
//
//     e = wanted - measured,   raw = Kp e + I + Kd (e - w)/Tf,   output = raw, but within +-limit
//     I' = Ki e + (output - raw)/Tt        the second term takes I back while the output is at its limit
//     w' = (e - w)/Tf                      e, filtered
//
// K. J. Astrom, R. M. Murray: Feedback Systems, Princeton 2008, chapter 10.
#include <holonom_user.h>

#include <math.h>
#include <stdio.h>

enum { WANTED, MEASURED };
enum { INTEGRAL, FILTERED };
enum { KP, KI, KD, TF, LIMIT, TT, N_PARAMETERS }; // gains, filter [s], largest output, time of reset [s]

static int init(const hol_user_instance *me, void **data, char *message)
{
    (void)data;
    if (me->p[TF] > 0 && me->p[LIMIT] > 0 && me->p[TT] > 0) return HOL_USER_OK;
    snprintf(message, HOL_USER_MESSAGE, "Tf, limit and Tt must be positive, they are %g, %g, %g", me->p[TF],
             me->p[LIMIT], me->p[TT]);
    return HOL_USER_ERROR;
}

// No derivative(): holonom takes differences of this.
static int eval(const hol_user_instance *me, double t, const double *u, const double *x, double *y,
                double *dx, char *message)
{
    const double *p = me->p, e = u[WANTED] - u[MEASURED], rate = (e - x[FILTERED]) / p[TF];
    const double raw = p[KP] * e + x[INTEGRAL] + p[KD] * rate;
    (void)t, (void)message;
    y[0] = fmin(fmax(raw, -p[LIMIT]), p[LIMIT]);
    dx[INTEGRAL] = p[KI] * e + (y[0] - raw) / p[TT];
    dx[FILTERED] = rate;
    return HOL_USER_OK;
}

HOL_USER_CODE(pid) = {.header = HOL_USER_HEADER,
                      .n_inputs = 2,
                      .n_outputs = 1,
                      .n_states = 2,
                      .n_parameters = N_PARAMETERS,
                      .init = init,
                      .eval = eval};

// Moves a mass of 2 kg by half a metre against a constant force of 3 N. Not needed in a library.
int main(void)
{
    static const double p[N_PARAMETERS] = {40, 20, 30, 0.02, 10, 0.5};
    const hol_user_instance me = {2, 1, 2, N_PARAMETERS, p, NULL};
    char message[HOL_USER_MESSAGE] = "";
    double u[2] = {0.5, 0}, x[2] = {0, 0.5}, v = 0, y, dx[2], top = 0;
    const double h = 1e-4;
    if (init(&me, NULL, message)) return 1;
    for (int i = 0; i <= 100000; i++) {
        eval(&me, i * h, u, x, &y, dx, message);
        if (i % 10000 == 0) printf("t = %4.1f s  position %8.5f m  force %8.4f N\n", i * h, u[MEASURED], y);
        v += h * (y - 3) / 2;
        u[MEASURED] += h * v;
        for (int k = 0; k < 2; k++) x[k] += h * dx[k];
        top = fmax(top, u[MEASURED]);
    }
    printf("%s, overshoot %.1f %%\n", fabs(u[MEASURED] - 0.5) < 1e-3 ? "arrived" : "did not arrive",
           200 * (top - 0.5));
    return fabs(u[MEASURED] - 0.5) < 1e-3 && top < 0.6 ? 0 : 1;
}
