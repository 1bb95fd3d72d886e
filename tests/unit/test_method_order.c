// Every form of every method (method_forms.h) converges with the order its table declares, on problems in closed form; the
// energy it accounts for and its results between steps do so too.
#include "method_forms.h"

#include <math.h>
#include <stdlib.h>

enum { SIGNALS = 4 };

// ---- closed forms ---------------------------------------------------------------------------------------------

// Jacobi's sn, cn, dn by descending Landen transformations. Abramowitz and Stegun 16.4.
static void jacobi(double u, double k, double *sn, double *cn, double *dn)
{
    enum { MOST = 8 };
    double a[MOST + 1] = {1}, c[MOST + 1] = {k}, b = sqrt(1 - k * k);
    for (int i = 0; i < MOST; i++) {
        a[i + 1] = (a[i] + b) / 2;
        c[i + 1] = (a[i] - b) / 2;
        b = sqrt(a[i] * b);
    }
    double phi = ldexp(a[MOST] * u, MOST);
    for (int i = MOST; i > 0; i--) phi = (phi + asin(c[i] / a[i] * sin(phi))) / 2;
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = sqrt(1 - k * k * *sn * *sn);
}

// theta'' = -w^2 sin theta, let go at rest from A.
static void swing(double w, double A, double t, double *theta, double *omega)
{
    // sin(theta/2) = k sn(K + w t) = k cd(w t)
    const double k = sin(A / 2);
    double sn, cn, dn;
    jacobi(w * t, k, &sn, &cn, &dn);
    const double s = k * cn / dn, rate = -k * w * (1 - k * k) * sn / (dn * dn);
    *theta = 2 * asin(s);
    *omega = 2 * rate / sqrt(1 - s * s);
}

static void point_on_a_rod(double t, double *x)
{
    double a, w;
    swing(sqrt(9.81), 0.6, t, &a, &w);
    x[0] = sin(a), x[1] = -cos(a), x[2] = w * cos(a), x[3] = w * sin(a);
}

// A cube on a hinge whose axis, (0, 0.6, 0.8), is not level: the weight acts with 0.6 of itself, w^2 = 9.81*0.6/(1 + 0.1).
static void cube_on_a_hinge(double t, double *x)
{
    double a, w;
    swing(sqrt(9.81 * 0.6 / 1.1), 0.6, t, &a, &w);
    // lowest: along u = (0, 0.8, -0.6); to the side: v = axis x u = (-1, 0, 0)
    x[0] = -sin(a), x[1] = -0.6 * cos(a), x[2] = -w * cos(a), x[3] = 0.6 * w * sin(a);
}

static void parallelogram(double t, double *x)
{
    static double last = -1, phi, omega;
    if (t != last) {
        enum { STEPS = 4000 };
        const double c = 9.81 * 2.5 / (2 / 3.0 + 1.5), h = t / STEPS;
        phi = acos(0), omega = -1;
        for (int i = 0; i < STEPS; i++) {
            const double a1 = -c * cos(phi), a2 = -c * cos(phi + h / 2 * omega),
                         a3 = -c * cos(phi + h / 2 * (omega + h / 2 * a1)),
                         a4 = -c * cos(phi + h * (omega + h / 2 * a2));
            phi += h * omega + h * h / 6 * (a1 + a2 + a3);
            omega += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        last = t;
    }
    x[0] = 0.5 + cos(phi), x[1] = sin(phi), x[2] = -omega * sin(phi), x[3] = omega * cos(phi);
}

// A bead on a crank that turns with 2 rad/s, held by a spring: r'' = 4 r - 40 (r - 1).
static void bead_on_a_crank(double t, double *x)
{
    const double w = 6, mean = 40.0 / 36, d = 1.3 - mean, c = cos(2 * t), s = sin(2 * t),
                 r = mean + d * cos(w * t), v = -w * d * sin(w * t);
    x[0] = r * c, x[1] = r * s, x[2] = v * c - 2 * r * s, x[3] = v * s + 2 * r * c;
}

// x'' = -2 D x' - w^2 x, and a state s' = x - s.
static void damped(double t, double *x)
{
    // x = e^(-Dt) (cos bt + D/b sin bt), a solution for the state by undetermined coefficients
    const double D = 0.4, w = 5, b = sqrt(w * w - D * D), e = exp(-D * t), c = cos(b * t), s = sin(b * t);
    x[0] = e * (c + D / b * s);
    // s = e^(-Dt) (P c + Q s) - P e^(-t), (1 - D) P + b Q = 1, (1 - D) Q - b P = D/b
    const double k = 1 - D, P = (k - D) / (k * k + b * b), Q = (b + k * D / b) / (k * k + b * b);
    x[1] = e * (P * c + Q * s) - P * exp(-t);
    x[2] = -e * w * w / b * s;
}

typedef struct {
    const char *name, *text;
    double end;
    const char *signal[SIGNALS]; // two positions, two velocities
    void (*exact)(double t, double *x);
    bool monotone; // the first signal
    bool driven;
} problem;

static const problem problems[] = {
    {"a point on a rod",
     "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\n"
     "bodies: [{name: p, type: point, mass: 1, position: [sin(0.6), -cos(0.6)]}]\n"
     "joints: [{name: rod, type: distance, between: [ground, p], length: 1}]\n"
     "simulate: {end: 1}\n",
     0.8,
     {"p.x", "p.y", "p.vx", "p.vy"},
     point_on_a_rod,
     true,
     false},
    {"a cube on an oblique hinge",
     "dimension: 3\ngravity: [0, 0, -9.81]\nlength_scale: 1\n"
     "bodies: [{name: p, mass: 1, inertia: [0.1, 0.1, 0.1],\n"
     "          position: [-sin(0.6), 0.8*cos(0.6), -0.6*cos(0.6)]}]\n"
     "joints: [{name: hinge, type: revolute, bodies: [ground, p], at: [0, 0, 0], axis: [0, 0.6, 0.8]}]\n"
     "simulate: {end: 1}\n",
     0.6,
     {"p.x", "p.z", "p.vx", "p.vz"},
     cube_on_a_hinge,
     true,
     false},
    {"a parallelogram",
     "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\n"
     "bodies:\n"
     "  - {name: a, mass: 1, inertia: 1/12, position: [0, 0.5], angle: pi/2, velocity: [0.5, 0], omega: -1}\n"
     "  - {name: b, mass: 1, inertia: 1/12, position: [1, 0.5], angle: pi/2, velocity: [0.5, 0], omega: -1}\n"
     "  - {name: p, mass: 1.5, inertia: 1/12, position: [0.5, 1], velocity: [1, 0]}\n"
     "joints:\n"
     "  - {name: A, type: revolute, between: [ground, a: [-0.5, 0]]}\n"
     "  - {name: B, type: revolute, between: [ground: [1, 0], b: [-0.5, 0]]}\n"
     "  - {name: C, type: revolute, between: [a: [0.5, 0], p: [-0.5, 0]]}\n"
     "  - {name: D, type: revolute, between: [b: [0.5, 0], p: [0.5, 0]]}\n"
     "simulate: {end: 1}\n",
     0.4,
     {"p.x", "p.y", "p.vx", "p.vy"},
     parallelogram,
     true,
     false},
    {"a bead on a driven crank",
     "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\n"
     "bodies:\n"
     "  - {name: crank, mass: 1, inertia: 0.2, omega: 2}\n"
     "  - {name: p, mass: 1, inertia: 0.1, position: [1.3, 0], velocity: [0, 2.6], omega: 2}\n"
     "joints:\n"
     "  - {name: pin, type: revolute, between: [ground, crank]}\n"
     "  - {name: guide, type: translational, between: [crank, p]}\n"
     "drivers: [{name: motor, type: angle, joint: pin, value: 2*time}]\n"
     "forces: [{name: spring, type: spring-damper, between: [ground, p], stiffness: 40, length: 1}]\n"
     "simulate: {end: 1}\n",
     0.6,
     {"p.x", "p.y", "p.vx", "p.vy"},
     bead_on_a_crank,
     false,
     true},
    {"a damped oscillator and a state",
     "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\n"
     "bodies: [{name: p, mass: 2, inertia: 1, position: [1, 0]}]\n"
     "joints: [{name: guide, type: translational, between: [ground, p]}]\n"
     "states: [{name: s, rate: DX(p) - s}]\n"
     "forces: [{name: f, type: force, on: p, value: [-50*DX(p) - 1.6*VX(p), 0]}]\n"
     "simulate: {end: 1}\n",
     0.8,
     {"p.x", "s", "p.vx"},
     damped,
     false,
     false},
};

// ---- errors ---------------------------------------------------------------------------------------------------

enum { MOST_STEPS = 20000 };
#define ROWS 23.7 // times of results do not meet steps

typedef struct {
    bool refused;
    double position, velocity; // at the end
    double between;            // of positions, over the results between steps
    double outside; // of a monotone signal: by what a result lies outside the values at both ends of its step
    double energy;  // that is neither at the start nor the work of forces
    double open, slipping; // joints, and their velocities
} errors;

static char folder[] = "/tmp/holonom_order_XXXXXX", file[60], other[60];

typedef struct {
    long n;
    double t[MOST_STEPS + 1], x[MOST_STEPS + 1];
} path;

static void note_step(path *p, const motion *m, const char *signal)
{
    if (p->n > MOST_STEPS) fail_msg("more than %d steps", MOST_STEPS);
    p->t[p->n] = hol_simulation_time(m->sim);
    p->x[p->n++] = value_of(m, signal);
}

static void look_between(const problem *p, const path *steps, errors *e)
{
    hol_result *r = hol_result_read(ctx, file);
    assert_non_null(r);
    assert_true(r->n_rows > 20);
    const int column[] = {column_of(r, p->signal[0]), column_of(r, p->signal[1])};
    long n = 0;
    for (size_t k = 0; k < r->n_rows; k++) {
        const double *row = r->value + k * (size_t)r->n_columns;
        double exact[SIGNALS];
        p->exact(row[0], exact);
        for (int i = 0; i < 2; i++) e->between = hol_larger(fabs(row[column[i]] - exact[i]), e->between);
        while (n + 2 < steps->n && steps->t[n + 1] < row[0]) n++;
        const double low = fmin(steps->x[n], steps->x[n + 1]), high = fmax(steps->x[n], steps->x[n + 1]);
        e->outside = hol_larger(fmax(low - row[column[0]], row[column[0]] - high), e->outside);
    }
    hol_result_destroy(r);
}

// Of the forms that hold loops by regularization one lets go of the parallelogram, with a tolerance of 1e-4: srm.carry=step adds
// to the multipliers with each step, too often with steps that are short beside eps. It ends in words.
static int let_go;

static bool lets_go(const form *f)
{
    const char *said = hol_context_error(ctx);
    if (!f->method->open || !f->index) return false;
    if (!strstr(said, "no longer hold it") && !strstr(said, "has chosen eps")) return false;
    let_go++;
    return true;
}

static errors errors_of(const form *f, const problem *p, const char *how)
{
    static path steps;
    char settings[200];
    errors e = {0};
    bool done = false;
    snprintf(settings, sizeof settings, "%s simulate.end=%.17g simulate.output=%.17g", how, p->end,
             p->end / ROWS);
    motion m = open_form(f, p->text, settings);
    if (!m.sim) return (errors){.refused = true};
    assert_int_equal(hol_simulation_write(m.sim, file), HOL_OK);
    steps.n = 0;
    note_step(&steps, &m, p->signal[0]);
    while (!done) {
        const hol_status st = hol_simulation_step(m.sim, &done);
        if (st && lets_go(f)) {
            close_motion(&m);
            return (errors){.refused = true};
        }
        if (st) fail_msg("%s%s, %s: %s", f->set, how, p->name, hol_context_error(ctx));
        note_step(&steps, &m, p->signal[0]);
    }
    double exact[SIGNALS];
    p->exact(p->end, exact);
    for (int i = 0; i < SIGNALS && p->signal[i]; i++) {
        double *worst = i < 2 ? &e.position : &e.velocity;
        *worst = hol_larger(fabs(value_of(&m, p->signal[i]) - exact[i]), *worst);
    }
    const hol_statistics *s = hol_simulation_finish(m.sim);
    e.energy = s->energy_drift_max;
    e.open = s->max_position_violation;
    e.slipping = s->max_velocity_violation;
    close_motion(&m);
    look_between(p, &steps, &e);
    return e;
}

// ---- checks ---------------------------------------------------------------------------------------------------

#define HELD 1e-9 // what Newton's iteration may leave of a constraint, by natural size

// Of an observed order: steps are not infinitely small.
static double slack(double order) { return fmax(0.45, 0.12 * order); }

static int failures;

static void check(bool right, const form *f, const problem *p, const char *how, const char *what, double have,
                  double want)
{
    if (right) return;
    failures++;
    print_error("%s%s, %s: %s is %.3g, not %.3g\n", f->set, how, p->name, what, have, want);
}

// The exponent with which an error falls; infinite where it is rounding.
static double falls(double coarse, double fine, double factor, double rounding)
{
    return fine <= rounding ? HOL_INF : log(coarse / fine) / log(factor);
}

// held: with a tolerance Newton's iteration leaves a part of that.
static void what_is_held(const form *f, const problem *p, const char *how, const errors *e, double held)
{
    const unsigned holds = f->method->holds;
    if (holds & HOL_HOLDS_POSITIONS)
        check(e->open <= held, f, p, how, "the opening of joints", e->open, held);
    if (holds & HOL_HOLDS_VELOCITIES)
        check(e->slipping <= held, f, p, how, "the velocity in joints", e->slipping, held);
    if (f->method->exact) check(e->open <= 1e-14, f, p, how, "the opening of joints", e->open, 1e-14);
    if (p->monotone) check(e->outside <= 1e-12, f, p, how, "what lies outside of steps", e->outside, 1e-12);
}

// ---- fixed steps ----------------------------------------------------------------------------------------------

static int coarse_steps(int order)
{
    return order > 5 ? 10 : order > 4 ? 16 : order > 2 ? 48 : order > 1 ? 96 : 192;
}

// Largest values over the problems, of what is less than the table says.
typedef struct {
    int taken;
    double least;          // order observed
    double open, slipping; // largest
} extent;

static void one_order(const form *f, const problem *p, extent *most)
{
    const int order = order_of_form(f), n = coarse_steps(order);
    if (!order) return;
    errors e[2];
    char how[2][90];
    for (int k = 0; k < 2; k++) {
        snprintf(how[k], sizeof how[k], "simulate.step=%.17g", p->end / (n << k));
        e[k] = errors_of(f, p, how[k]);
        if (e[k].refused) return;
        what_is_held(f, p, how[k], &e[k], HELD);
    }
    const bool opens = f->method->open && e[1].open > HELD;
    const double position = falls(e[0].position, e[1].position, 2, 1e-12),
                 velocity = falls(e[0].velocity, e[1].velocity, 2, 1e-11),
                 between = falls(e[0].between, e[1].between, 2, 2e-11),
                 energy = falls(e[0].energy, e[1].energy, 2, 1e-10);
    // with eps in proportion to the step; Boole's rule for the work is of order 6
    const double speeds = opens ? 1 : order,
                 work = opens ? 1 : fmin(order, p->driven && f->method->linear_rows ? 2 : 6);
    check(position >= order - slack(order), f, p, how[0], "the order of positions", position, order);
    check(velocity >= speeds - slack(speeds), f, p, how[0], "the order of velocities", velocity, speeds);
    check(between >= order - 1 - slack(order), f, p, how[0], "the order between steps", between, order - 1);
    check(energy >= work - slack(work), f, p, how[0], "the order of the energy", energy, work);
    most->taken++;
    most->least = fmin(most->least, fmin(position, velocity));
    most->open = fmax(most->open, e[0].open);
    most->slipping = fmax(most->slipping, e[0].slipping);
}

// The table says no less than what is there: neither the order nor what is held.
static void not_too_modest(const form *f, const extent *most)
{
    const problem any = {.name = "all problems"};
    const int order = order_of_form(f);
    const unsigned holds = f->method->holds;
    if (!order) return;
    // with order 8 all errors may be rounding
    if (order < 6)
        check(most->least < order + 1 - slack(order), f, &any, "", "the least order", most->least, order);
    if (f->index) return;
    if (!(holds & HOL_HOLDS_POSITIONS))
        check(most->open > HELD, f, &any, "", "the opening", most->open, HELD);
    if (!(holds & HOL_HOLDS_VELOCITIES))
        check(most->slipping > HELD, f, &any, "", "the velocity in joints", most->slipping, HELD);
}

static void the_order_is_that_of_the_table(void **state)
{
    (void)state;
    int fixed = 0;
    failures = 0;
    for (form f = {0}; next_form(&f);) {
        extent most = {.least = HOL_INF};
        if (!tried(&f)) continue;
        for (int i = 0; i < HOL_COUNT(problems); i++) one_order(&f, &problems[i], &most);
        if (!most.taken) continue; // it has no fixed steps, or claims no order
        fixed++;
        assert_true(most.taken >= 3);
        not_too_modest(&f, &most);
    }
    assert_int_equal(let_go, 0);
    assert_true(fixed > (few() ? 10 : 40));
    assert_int_equal(failures, 0);
}

// ---- tolerances -----------------------------------------------------------------------------------------------

// Errors against p-th power of the tolerance of a step: of a method's default form, and of all of them. The largest seen are those of adams (15) and of
// bdf.formulation cs and cm with bdf.errors=positions on the parallelogram (300).
enum { FACTOR = 30, FACTOR_OF_OTHERS = 400 };

// false: refused
static bool one_tolerance(const form *f, const problem *p)
{
    const int order = order_of_form(f);
    const bool paper = hol_method_errors(f->method, f->value) == HOL_ERRORS_PAPER;
    const double tolerance[2] = {1e-4, f->method->open ? 1e-5
                                       : order > 2     ? 1e-8
                                       : order > 1     ? 1e-7
                                                       : 1e-6},
                 power = exponent_of_form(f), factor = f->index ? FACTOR_OF_OTHERS : FACTOR;
    errors e[2];
    char how[2][90];
    for (int k = 0; k < 2; k++) {
        // steps are free: a fiftieth of the end, as usual, would be the tolerance's
        snprintf(how[k], sizeof how[k], "simulate.tolerance=%.17g simulate.max_step=%.17g",
                 paper ? tolerance[k] : tolerance_of_steps(f->method->name, tolerance[k]), p->end / 4);
        e[k] = errors_of(f, p, how[k]);
        if (e[k].refused) return false;
        what_is_held(f, p, how[k], &e[k], fmax(HELD, f->index ? 2 * tolerance[k] : 0.01 * tolerance[k]));
        const double most = factor * pow(tolerance[k], power);
        check(e[k].position <= most, f, p, how[k], "the error of positions", e[k].position, most);
        check(e[k].between <= most, f, p, how[k], "the error between steps", e[k].between, most);
    }
    // an error may be small by chance at the larger tolerance
    if (f->method->orders || e[1].position <= 3 * pow(tolerance[1], power)) return true;
    const double have = falls(e[0].position, e[1].position, tolerance[0] / tolerance[1], 0);
    check(have >= power - 0.15, f, p, how[1], "the exponent of the error", have, power);
    return true;
}

static void errors_fall_with_the_tolerance(void **state)
{
    (void)state;
    int variable = 0;
    failures = 0;
    for (form f = {0}; next_form(&f);) {
        int taken = 0;
        if (!order_of_form(&f) || !tried(&f)) continue;
        for (int i = 0; i < HOL_COUNT(problems); i++) taken += one_tolerance(&f, &problems[i]);
        assert_true(!taken || taken >= 3);
        variable += taken > 0;
    }
    assert_true(let_go <= 1);
    assert_true(variable > (few() ? 10 : 70));
    assert_int_equal(failures, 0);
}

static int begin(void **state) { return start(state) || make_results(folder, file, other); }

static int end(void **state)
{
    stop(state);
    return remove_results(folder, file, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_order_is_that_of_the_table),
                                       cmocka_unit_test(errors_fall_with_the_tolerance)};
    return cmocka_run_group_tests(tests, begin, end);
}
