// A controller around a simulation: a cart is pushed so that the pole on it stays upright, every millisecond by another force.
//
//     cart_pole [MODEL.yaml]          default: models/cart_pole.yaml
//
// Balances the pole twice, by a PID controller of the lean and by state feedback (LQR), then lets an observer, which measures
// place and lean alone, find the velocities: it tries each of 5 guesses for 50 ms from a snapshot and keeps the best. Exit 1
// if the pole falls.
#include "holonom.h"

#include <math.h>
#include <stdio.h>

enum { PERIODS = 2000, GUESSES = 5 };
#define PERIOD 1e-3 // [s]

typedef struct {
    hol_simulation *sim;
    int u, x, vx, lean, omega; // the input, and signals
} plant;

static bool find(plant *p)
{
    p->u = hol_simulation_find_input(p->sim, "u");
    p->x = hol_simulation_find_signal(p->sim, "cart.x");
    p->vx = hol_simulation_find_signal(p->sim, "cart.vx");
    p->lean = hol_simulation_find_signal(p->sim, "lean");
    p->omega = hol_simulation_find_signal(p->sim, "pole.omega");
    return p->u >= 0 && p->x >= 0 && p->vx >= 0 && p->lean >= 0 && p->omega >= 0;
}

// Of the lean alone: the pole stays up while the cart drifts away.
static double pid(const plant *p, const double *y, double *sum)
{
    const double error = y[p->lean];
    *sum += PERIOD * error;
    return 60 * error + 80 * *sum - 12 * y[p->omega]; // omega counts to the left, lean to the right
}

// Of all four numbers. The gains minimise the sum of x^2 + 10 lean^2 + vx^2 + lean'^2 + 0.1 u^2 over the periods (discrete Riccati
// equation of the motion linearised about upright: scipy.linalg.solve_discrete_are).
static double lqr(const plant *p, const double *y)
{
    return 3.1417 * y[p->x] + 49.3156 * y[p->lean] + 5.8776 * y[p->vx] - 12.7873 * y[p->omega];
}

// true: it stands at the end.
static bool balance(const plant *p, bool by_pid)
{
    double sum = 0, most = 0;
    if (hol_simulation_reset(p->sim)) return false;
    for (int k = 0; k < PERIODS; k++) {
        const double *y = hol_simulation_values(p->sim);
        if (!y || hol_simulation_set_input(p->sim, p->u, by_pid ? pid(p, y, &sum) : lqr(p, y)) ||
            hol_simulation_advance(p->sim, PERIOD * (k + 1)))
            return false;
    }
    const double *y = hol_simulation_values(p->sim);
    if (!y) return false;
    most = fabs(y[p->lean]);
    printf("%s: after %g s the pole leans by %9.2e rad, the cart is at %7.4f m\n", by_pid ? "PID" : "LQR",
           hol_simulation_time(p->sim), most, y[p->x]);
    return most < 0.02;
}

// How far a guess of the pole's angular velocity leads away from the lean that was measured 50 ms later.
static double try_guess(const plant *p, const hol_snapshot *start, double omega, double measured)
{
    hol_state_view now;
    double v[6];
    if (hol_simulation_restore(p->sim, start) || hol_simulation_get_state(p->sim, &now) || now.n_q != 6)
        return HUGE_VAL;
    for (int i = 0; i < 6; i++) v[i] = 0;
    v[5] = omega; // the joints make the velocity of its centre of it
    now.v = v;
    now.q = now.state = NULL;
    if (hol_simulation_set_state(p->sim, &now, NULL) || hol_simulation_advance(p->sim, now.t + 0.05))
        return HUGE_VAL;
    const double *y = hol_simulation_values(p->sim);
    return y ? fabs(y[p->lean] - measured) : HUGE_VAL;
}

// A pole that is kicked: its angular velocity from two leans.
static bool observe(const plant *p)
{
    const double kick = -0.3; // [rad/s], what the observer does not know
    double best = HUGE_VAL, found = 0;
    if (hol_simulation_reset(p->sim)) return false;
    hol_snapshot *start = hol_simulation_save(p->sim);
    double measured = 0;
    bool good = start && isfinite(try_guess(p, start, kick, 0)); // the plant itself
    const double *y = good ? hol_simulation_values(p->sim) : NULL;
    if (y) measured = y[p->lean];
    double step = 0.5;
    for (int round = 0; y && round < 8; round++, step *= 0.5) {
        const double middle = found;
        for (int i = 0; i < GUESSES; i++) {
            const double omega = middle + step * (i - GUESSES / 2),
                         off = try_guess(p, start, omega, measured);
            if (off < best) best = off, found = omega;
        }
    }
    hol_snapshot_destroy(start);
    printf("observer: the angular velocity was %.3f rad/s, found %.3f\n", kick, found);
    return y && fabs(found - kick) < 0.01;
}

int main(int argc, char **argv)
{
    static const char *const set[] = {"simulate.method=rk", "simulate.step=0.001"};
    hol_context *ctx = hol_context_create();
    if (!ctx) return 1;
    hol_model *model = hol_model_load(ctx, argc > 1 ? argv[1] : "models/cart_pole.yaml", set, 2);
    plant p = {.sim = model ? hol_simulation_create(ctx, model) : NULL};
    const bool good = p.sim && find(&p) && balance(&p, true) && balance(&p, false) && observe(&p);
    if (!good) fprintf(stderr, "it did not work: %s\n", hol_context_error(ctx));
    hol_simulation_destroy(p.sim);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
    return good ? 0 : 1;
}
