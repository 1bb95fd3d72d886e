// User code: a tyre. Vertical spring and damper that lift off, and longitudinal slip with a relaxation length.
//
//     cc -O2 -shared -fPIC tyre.c -o tyre.so -lm      a library for models (-I where holonom_user.h is)
//     cc -O2 tyre.c -o tyre -lm && ./tyre             tries it without a model
//
//     code:
//       - name: tyre
//         library: ./tyre.so
//         function: tyre
//         inputs: [DZ(wheel, road), VZ(wheel, road), VX(wheel, road), spin]
//         outputs: [fz, fx]
//         states: [slip]
//         parameters: [0.3, 2e5, 500, 20, 0.4, 1]
//
//     deflection d = R - z         fz = k d - c z'  where d > 0 and this is positive, else 0
//     slip s                       sigma s' = R omega - vx - |vx| s,   fx = mu fz tanh(K s / mu)
//
// H. B. Pacejka: Tire and Vehicle Dynamics, 3rd ed., Butterworth-Heinemann 2012, chapter 7.
#include <holonom_user.h>

#include <math.h>
#include <stdio.h>

enum { Z, VZ, VX, OMEGA, SLIP, COLUMNS };          // inputs, then the state [m, m/s, m/s, rad/s, -]
enum { FZ, FX, SLIP_RATE, ROWS };                  // outputs, then the rate of the state [N, N, 1/s]
enum { R, K, C, SLIP_K, SIGMA, MU, N_PARAMETERS }; // [m, N/m, N s/m, -, m, -]

static int init(const hol_user_instance *me, void **data, char *message)
{
    static const char *const name[] = {"radius",         "stiffness",         "damping",
                                       "slip stiffness", "relaxation length", "friction"};
    (void)data;
    for (int i = 0; i < N_PARAMETERS; i++)
        if (!(me->p[i] > 0) && i != C) {
            snprintf(message, HOL_USER_MESSAGE, "the %s must be positive, it is %g", name[i], me->p[i]);
            return HOL_USER_ERROR;
        }
    return HOL_USER_OK;
}

static double load(const double *p, const double *u)
{
    const double d = p[R] - u[Z];
    return d > 0 ? fmax(p[K] * d - p[C] * u[VZ], 0) : 0; // no force in the air, and no pull
}

static int eval(const hol_user_instance *me, double t, const double *u, const double *x, double *y,
                double *dx, char *message)
{
    const double *p = me->p;
    (void)t, (void)message;
    y[FZ] = load(p, u);
    y[FX] = p[MU] * y[FZ] * tanh(p[SLIP_K] * x[0] / p[MU]);
    dx[0] = (p[R] * u[OMEGA] - u[VX] - fabs(u[VX]) * x[0]) / p[SIGMA];
    return HOL_USER_OK;
}

// d(fz, fx, slip')/d(z, vz, vx, omega, slip); it comes as zeros
static int derivative(const hol_user_instance *me, double t, const double *u, const double *x, double *D,
                      char *message)
{
    const double *p = me->p, fz = load(p, u), grip = tanh(p[SLIP_K] * x[0] / p[MU]);
    double *d_fz = D + FZ * COLUMNS, *d_fx = D + FX * COLUMNS, *d_slip = D + SLIP_RATE * COLUMNS;
    (void)t, (void)message;
    d_fz[Z] = fz > 0 ? -p[K] : 0;
    d_fz[VZ] = fz > 0 ? -p[C] : 0;
    d_fx[Z] = p[MU] * grip * d_fz[Z];
    d_fx[VZ] = p[MU] * grip * d_fz[VZ];
    d_fx[SLIP] = fz * p[SLIP_K] * (1 - grip * grip);
    d_slip[VX] = (u[VX] > 0 ? -1 - x[0] : -1 + x[0]) / p[SIGMA];
    d_slip[OMEGA] = p[R] / p[SIGMA];
    d_slip[SLIP] = -fabs(u[VX]) / p[SIGMA];
    return HOL_USER_OK;
}

static const double size[] = {0.01, 1, 1, 10, 0.1}; // typical values

HOL_USER_CODE(tyre) = {.header = HOL_USER_HEADER,
                       .n_inputs = 4,
                       .n_outputs = 2,
                       .n_states = 1,
                       .n_parameters = N_PARAMETERS,
                       .flags = HOL_USER_EXACT,
                       .input_size = size,
                       .state_size = size + SLIP,
                       .init = init,
                       .eval = eval,
                       .derivative = derivative};

// Lifts a rolling wheel off the road. Not needed in a library.
int main(void)
{
    static const double p[N_PARAMETERS] = {0.3, 2e5, 500, 20, 0.4, 1}, slip = 0.05;
    const hol_user_instance me = {4, 2, 1, N_PARAMETERS, p, NULL};
    char message[HOL_USER_MESSAGE] = "";
    double y[2] = {0, 0}, rate = 0;
    if (init(&me, NULL, message)) return 1;
    for (int i = 0; i <= 6; i++) {
        const double u[] = {0.28 + 0.004 * i, 0, 20, 20 * (1 + slip) / p[R]}; // slip is as it stays
        eval(&me, 0, u, &slip, y, &rate, message);
        printf("z = %5.3f m  fz = %7.2f N  fx = %7.2f N  slip' = %.1e /s\n", u[Z], y[FZ], y[FX], rate);
        if (fabs(y[FZ] - fmax(4000 - 800 * i, 0)) > 1e-6 || fabs(rate) > 1e-9) return 1;
    }
    return 0;
}
