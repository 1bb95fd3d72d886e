// A model built in code: the bicycle that rides itself. Four bodies, two knife-edge wheels that roll without slipping, no rider's
// control. Between 4.3 and 6 m/s it stays up: a push makes it lean, steer into the fall and come upright again.
//
// The bicycle is built item by item (holonom_draft.h), pushed, and left to itself; the eigenvalues found in its motion are compared
// with those of the linearised equations in the paper, and the model is written to bicycle.yaml. Exit 1 if anything is not as expected.
//
// J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab: Linearized dynamics equations for the balance and steer of a bicycle,
// Proc. R. Soc. A 463 (2007) 1955-1982: parameters, table 1; eigenvalues at 5 m/s, table 2. There z points down, here up.
#include "holonom_draft.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
#define WHEELBASE 1.02
#define TRAIL 0.08
#define STEER_TILT (PI / 10) // of the steering axis, backwards from the vertical
#define OUTPUT 0.02          // from row to row [s]

enum { REAR_WHEEL, FRAME, FORK, FRONT_WHEEL, BODIES };
static const struct {
    const char *name;
    double mass, x, z, inertia[6]; // Ixx Iyy Izz Ixy Ixz Iyz about the centre of mass
    double radius;                 // of wheels
} body[BODIES] = {{"rear", 2, 0, 0.3, {0.0603, 0.12, 0.0603, 0, 0, 0}, 0.3},
                  {"frame", 85, 0.3, 0.9, {9.2, 11, 2.8, 0, -2.4, 0}, 0}, // with its rider
                  {"fork", 4, 0.9, 0.7, {0.05892, 0.06, 0.00708, 0, 0.00756, 0}, 0},
                  {"front", 3, WHEELBASE, 0.35, {0.1405, 0.28, 0.1405, 0, 0, 0}, 0.35}};

// ---- the model ------------------------------------------------------------------------------------------------

// A body that moves with the bicycle, which rides along x and begins to lean: it turns about the x axis.
static void add_body(hol_draft *d, int i, double speed, double push)
{
    static const double along[] = {1, 0, 0}, across[] = {0, 1, 0}, up[] = {0, 0, 1};
    const double r = body[i].radius;
    hol_item *b = hol_draft_add(d, "bodies");
    hol_item_text(b, "name", body[i].name);
    hol_item_number(b, "mass", body[i].mass);
    hol_item_numbers(b, "inertia", 6, body[i].inertia);
    hol_item_numbers(b, "position", 3, (const double[]){body[i].x, 0, body[i].z});
    hol_item_numbers(b, "velocity", 3, (const double[]){speed, -push * body[i].z, 0});
    hol_item_numbers(b, "omega", 3, (const double[]){push, r > 0 ? speed / r : 0, 0});
    hol_item *markers = hol_item_map(
        b, "markers"); // a metre from the centre: what they measure are components of a unit vector
    hol_item_numbers(markers, "along", 3, along);
    hol_item_numbers(markers, "across", 3, across);
    hol_item_numbers(markers, "up", 3, up);
    if (r <= 0) return;
    hol_item *disc = hol_item_map(b, "shape");
    hol_item_text(disc, "type", "cylinder");
    hol_item_number(disc, "radius", r);
    hol_item_number(disc, "length", 0.02);
    hol_item_numbers(disc, "axis", 3, across);
}

static void add_hinge(hol_draft *d, const char *name, int i, int k, const double at[3], const double axis[3])
{
    hol_item *joint = hol_draft_add(d, "joints");
    hol_item_text(joint, "name", name);
    hol_item_text(joint, "type", "revolute");
    hol_item_texts(joint, "bodies", 2, (const char *const[]){body[i].name, body[k].name});
    hol_item_numbers(joint, "at", 3, at);
    hol_item_numbers(joint, "axis", 3, axis);
}

static void add_constraint(hol_draft *d, const char *wheel, const char *what, const char *key,
                           const char *value)
{
    char name[40];
    hol_item *c = hol_draft_add(d, "constraints");
    snprintf(name, sizeof name, "%s_%s", wheel, what);
    hol_item_text(c, "name", name);
    hol_item_text(c, key, value);
}

// A wheel with the axis n = (nx, ny, nz) touches the ground at (nx nz, ny nz, nz^2 - 1) r/sqrt(1 - nz^2) from its centre; this
// point of it is at rest.
static void add_rolling(hol_draft *d, int i)
{
    const char *w = body[i].name;
    const double r = body[i].radius;
    char text[400], s[100];
    snprintf(s, sizeof s, "sqrt(1 - DZ(%s.across, %s)^2)", w, w);
    snprintf(text, sizeof text, "DZ(%s) - %g*%s", w, r, s);
    add_constraint(d, w, "touches", "position", text);
    snprintf(text, sizeof text, "VX(%s) - WY(%s)*%g*%s - WZ(%s)*%g*DY(%s.across, %s)*DZ(%s.across, %s)/%s", w,
             w, r, s, w, r, w, w, w, w, s);
    add_constraint(d, w, "rolls_x", "velocity", text);
    snprintf(text, sizeof text, "VY(%s) + WX(%s)*%g*%s + WZ(%s)*%g*DX(%s.across, %s)*DZ(%s.across, %s)/%s", w,
             w, r, s, w, r, w, w, w, w, s);
    add_constraint(d, w, "rolls_y", "velocity", text);
}

static void add_variable(hol_draft *d, const char *name, const char *value)
{
    hol_item *v = hol_draft_add(d, "variables");
    hol_item_text(v, "name", name);
    hol_item_text(v, "value", value);
}

// Calls that fail are told at the end: by hol_draft_compile, or where no draft could be made.
static hol_draft *build(hol_context *ctx, double speed, double push)
{
    static const double rear_hub[] = {0, 0, 0.3}, front_hub[] = {WHEELBASE, 0, 0.35},
                        head[] = {WHEELBASE + TRAIL, 0, 0};
    const double across[] = {0, 1, 0}, steering[] = {-sin(STEER_TILT), 0, cos(STEER_TILT)};
    hol_draft *d = hol_draft_create(ctx, "bicycle", 3);
    hol_item_numbers(hol_draft_root(d), "gravity", 3, (const double[]){0, 0, -9.81});
    for (int i = 0; i < BODIES; i++) add_body(d, i, speed, push);
    add_hinge(d, "rear_hub", REAR_WHEEL, FRAME, rear_hub, across);
    add_hinge(d, "head", FRAME, FORK, head, steering);
    add_hinge(d, "front_hub", FORK, FRONT_WHEEL, front_hub, across);
    add_rolling(d, REAR_WHEEL);
    add_rolling(d, FRONT_WHEEL);
    add_variable(d, "lean", "-DY(frame.up, frame)");         // its sine
    add_variable(d, "steer", "DY(fork.along, fork, frame)"); // in proportion to its sine
    hol_item *run = hol_item_map(hol_draft_root(d), "simulate");
    hol_item_number(run, "end", 3);
    hol_item_number(run, "output", OUTPUT);
    hol_item_texts(run, "signals", 2, (const char *const[]){"lean", "steer"});
    hol_item_number(run, "tolerance", 1e-9);
    hol_item_text(run, "method", "rk");
    return d;
}

// ---- its motion -----------------------------------------------------------------------------------------------

enum { ORDER = 4, MOST_ROWS = 200 };

// What the paper has for 5 m/s: weave, a pair; capsize; castering [1/s].
static const double published[][2] = {
    {-0.77534188219585, 4.46486771378823}, {-0.32286642900409, 0}, {-14.07838969279822, 0}};
static const char *const name[] = {"weave", "capsize", "castering"};

// A column of a result, divided by its largest value; false: there is none.
static bool take_column(const hol_result *r, const char *signal, double out[MOST_ROWS])
{
    int column = 0;
    double most = 0;
    while (column < r->n_columns && strcmp(r->name[column], signal) != 0) column++;
    if (column == r->n_columns || r->n_rows > MOST_ROWS) return false;
    for (size_t k = 0; k < r->n_rows; k++) {
        out[k] = r->value[k * (size_t)r->n_columns + (size_t)column];
        most = fmax(most, fabs(out[k]));
    }
    for (size_t k = 0; k < r->n_rows; k++) out[k] /= most;
    return most > 0;
}

// Runs the model; the number of rows of lean and steer, 0: it failed.
static int ride(hol_context *ctx, const hol_model *model, double angle[2][MOST_ROWS])
{
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    const bool ran = sim && !hol_simulation_write(sim, "bicycle.csv") && !hol_simulation_run(sim);
    hol_simulation_destroy(sim);
    hol_result *r = ran ? hol_result_read(ctx, "bicycle.csv") : NULL;
    const bool good = r && take_column(r, "lean", angle[0]) && take_column(r, "steer", angle[1]);
    const int n = good ? (int)r->n_rows : 0;
    hol_result_destroy(r);
    return n;
}

// A x = b by elimination with pivots; b becomes x.
static void solve(double A[ORDER][ORDER], double b[ORDER])
{
    for (int k = 0; k < ORDER; k++) {
        int p = k;
        for (int i = k + 1; i < ORDER; i++)
            if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
        for (int j = 0; j < ORDER; j++) {
            const double kept = A[k][j];
            A[k][j] = A[p][j];
            A[p][j] = kept;
        }
        const double kept = b[k];
        b[k] = b[p];
        b[p] = kept;
        for (int i = k + 1; i < ORDER; i++) {
            const double factor = A[i][k] / A[k][k];
            for (int j = k; j < ORDER; j++) A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = ORDER - 1; k >= 0; k--) {
        for (int j = k + 1; j < ORDER; j++) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

// Four exponentials, equally spaced in time, obey y[k + 4] = c[0] y[k] + .. + c[3] y[k + 3]: the c that do so best.
static void find_recursion(int n, int every, double angle[2][MOST_ROWS], double c[ORDER])
{
    double A[ORDER][ORDER] = {{0}};
    for (int i = 0; i < ORDER; i++) c[i] = 0;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k + ORDER * every < n; k++)
            for (int i = 0; i < ORDER; i++) {
                const double *y = angle[s] + k;
                c[i] += y[i * every] * y[ORDER * every];
                for (int j = 0; j < ORDER; j++) A[i][j] += y[i * every] * y[j * every];
            }
    solve(A, c);
}

// The root of z^4 = c[0] + .. + c[3] z^3 near exp(lambda dt), by Newton's method, as an eigenvalue.
static double complex eigenvalue(const double c[ORDER], double dt, double complex lambda)
{
    double complex z = cexp(lambda * dt);
    for (int turn = 0; turn < 50; turn++) {
        double complex p = 1, slope = 0; // of z^4 - c[3] z^3 - ..
        for (int i = ORDER - 1; i >= 0; i--) {
            slope = slope * z + p;
            p = p * z - c[i];
        }
        z -= p / slope;
    }
    return clog(z) / dt;
}

// Prints what was found and what was published; the largest difference.
static double compare(int n, double angle[2][MOST_ROWS])
{
    enum { EVERY = 4 }; // rows from sample to sample
    double c[ORDER], worst = 0;
    find_recursion(n, EVERY, angle, c);
    for (int i = 0; i < 3; i++) {
        const double complex wanted = published[i][0] + published[i][1] * (double complex)I,
                             found = eigenvalue(c, EVERY * OUTPUT, wanted);
        const double error = cabs(found - wanted);
        printf("%-10s %10.5f %+9.5fi   published %10.5f %+9.5fi   difference %.1e\n", name[i], creal(found),
               cimag(found), creal(wanted), cimag(wanted), error);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

int main(void)
{
    static double angle[2][MOST_ROWS], again[2][MOST_ROWS];
    hol_context *ctx = hol_context_create();
    hol_draft *draft = build(ctx, 5, 1e-3);
    hol_model *model = hol_draft_compile(draft), *same = NULL;
    const int n = ride(ctx, model, angle);
    const double worst = n ? compare(n, angle) : HUGE_VAL;

    // as a file, it is the same model, bit for bit
    if (n && !hol_draft_write(draft, "bicycle.yaml")) same = hol_model_load(ctx, "bicycle.yaml", NULL, 0);
    const bool good = worst < 5e-5 && ride(ctx, same, again) == n && memcmp(angle, again, sizeof angle) == 0;
    if (!good) fprintf(stderr, "bicycle: %s\n", hol_context_error(ctx));

    hol_model_destroy(same);
    hol_model_destroy(model);
    hol_draft_destroy(draft);
    hol_context_destroy(ctx);
    return good ? 0 : 1;
}
