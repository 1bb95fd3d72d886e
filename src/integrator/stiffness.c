// Are the steps of an explicit method held by stability? Power iterations with differences (9.11) give the dominant
// eigenvalue, divided differences (9.12) say whether the motion is smooth; docs/theory.md, section 9.4.
//
// Where the error says nothing, a mechanism at rest, steps would grow until rounding errors do: pairs of power iterations
// (9.12a) bound them. They give the size of the eigenvalue, whether it is real or of a vibration.
#include "integrator/stiffness.h"
#include "integrator/crossing.h"
#include "system/kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { EVERY = 100, ITERATIONS = 3, IN_A_ROW = 4 };
#define NEAR_LOW 0.1 // h |lambda| of steps that stability holds
#define NEAR_HIGH 10
#define SMOOTH 0.1      // error of Euler's method, in units of the tolerance
#define REAL 0.5        // largest part of the image across the direction
#define DIFFERENCE 1e-6 // in natural sizes
#define WIDER 16        // times that: a jump in velocities gives a sixteenth of |lambda|
#define JUMPS 0.4       // of it

// The bound of the steps.
#define STILL 0.1    // times the tolerance: where velocities change by less in a step the motion is steady
#define LONGER 2     // times the steps that were looked at: they are looked at again
#define AGAIN 100    // steps after which a bound that holds the steps is looked at again
#define PAIRS 8      // of iterations at most
#define SETTLED 0.05 // change of the eigenvalue from pair to pair
#define ROUNDING_GROWS 14.0 // e^14 from the start to the end, by a method that is not stable for vibrations
#define FEW_STEPS 0.5       // h |lambda| of such a one at most
#define ALONG 1e-8          // square of the sine of the angle below which there is one eigenvalue

static hol_status by_matrix(hol_integrator *it, hol_state *x) { return hol_solve_accelerations(it->k, x); }

hol_status hol_stiffness_create(hol_integrator *it, hol_stiffness *w)
{
    const size_t nq = (size_t)it->s->nq, n = nq + (size_t)it->s->nx;
    memset(w, 0, sizeof *w);
    w->found.element = w->found.state = -1;
    w->accelerations = by_matrix;
    w->age = AGAIN;
    w->longest = HOL_INF;
    w->memory = hol_calloc(it->ctx, 8 * n + 4 * nq, sizeof *w->memory);
    if (!w->memory) return HOL_ERR_MEMORY;
    for (int i = 0; i < 3; i++) w->v[i] = w->memory + (size_t)i * n;
    w->image = w->memory + 3 * n;
    w->direction = w->memory + 4 * n;
    for (size_t i = 0; i < 3; i++) w->fastest[i] = w->memory + 5 * n + nq + i * (n + nq);
    it->stiff = &w->found;
    return hol_state_create(it->s, &w->x);
}

void hol_stiffness_destroy(hol_stiffness *w)
{
    hol_state_destroy(&w->x);
    hol_free(w->memory);
    memset(w, 0, sizeof *w);
}

void hol_stiffness_restart(hol_stiffness *w)
{
    w->steps = w->times = w->n_past = 0;
    w->age = AGAIN; // the state may be another one
    w->longest = HOL_INF;
}

void hol_stiffness_archive(const hol_integrator *it, hol_stiffness *w, hol_archive *a)
{
    hol_archive_number(a, &w->found.h, 0, DBL_MAX);
    hol_archive_int(a, &w->found.element, -1, it->s->m->n_elements - 1);
    hol_archive_int(a, &w->found.state, -1, it->s->nx - 1);
    hol_stiffness_restart(w);
    w->looked = w->rate = 0;
}

// ---- the dominant eigenvalue ----------------------------------------------------------------------------------

// Natural size of entry i of (v; X).
static double size_of(const hol_integrator *it, int i)
{
    const hol_equations *s = it->s;
    return i < s->nq ? s->q_size[i] / s->m->time_scale : s->m->state[i - s->nq].size;
}

static double dot(const hol_integrator *it, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < it->s->nq + it->s->nx; i++) sum += a[i] * b[i] / (size_of(it, i) * size_of(it, i));
    return sum;
}

static void begin(const hol_integrator *it, hol_stiffness *w)
{
    hol_random r = {4711};
    const int nq = it->s->nq;
    memset(w->direction, 0, (size_t)nq * sizeof *w->direction);
    for (int i = 0; i < nq + it->s->nx; i++) w->direction[nq + i] = size_of(it, i) * hol_random_uniform(&r);
}

// w->image: how (a; X') changes along a direction (dq, dv, dX) by differences of d; w->x is the state beside it->x, *step its distance.
static bool apply(hol_integrator *it, hol_stiffness *w, const double *direction, double d, double *step)
{
    hol_equations *s = it->s;
    const int nq = s->nq;
    double largest = 1;
    for (int i = 0; i < nq; i++) largest = fmax(largest, fabs(it->x.v[i]) / size_of(it, i));
    *step = d * largest;
    hol_state_copy(s, &w->x, &it->x);
    for (int i = 0; i < nq; i++) {
        w->x.q[i] += *step * direction[i];
        w->x.v[i] += *step * direction[nq + i];
    }
    for (int i = 0; i < s->nx; i++) w->x.X[i] += *step * direction[2 * nq + i];
    if (w->accelerations(it, &w->x)) return false;
    for (int i = 0; i < nq; i++) w->image[i] = (w->x.a[i] - it->x.a[i]) / *step;
    for (int i = 0; i < s->nx; i++) {
        const int rate = s->m->state[i].equation;
        w->image[nq + i] = (w->x.z[rate] - it->x.z[rate]) / *step;
    }
    return isfinite(dot(it, w->image, w->image));
}

// One power iteration; the eigenvalue, and how much of the image is not along the direction.
static bool iterate(hol_integrator *it, hol_stiffness *w, double *lambda, double *across)
{
    const int nq = it->s->nq, n = nq + it->s->nx;
    double *old = w->direction + nq, step;
    const double size = sqrt(dot(it, old, old));
    for (int i = 0; i < nq + n && size > 0; i++) w->direction[i] /= size;
    if (!(size > 0) || !apply(it, w, w->direction, DIFFERENCE, &step)) return false;
    const double image = dot(it, w->image, w->image);
    *lambda = dot(it, w->image, old);
    *across = image > 0 ? sqrt(fmax(0, 1 - *lambda * *lambda / image)) : 1;
    memcpy(w->direction, old, (size_t)nq * sizeof *old);
    memcpy(old, w->image, (size_t)n * sizeof *old);
    return true;
}

// ---- smoothness -----------------------------------------------------------------------------------------------

// Of velocities and states, between v0 and v1, in units of the tolerance.
static double rate_error(const hol_integrator *it, const double *e, const double *v0, const double *v1)
{
    const int nq = it->s->nq;
    hol_norm_pace(&it->norm, 0, it->x.q, v0, v1);
    return fmax(hol_norm_rates(&it->norm, e), hol_norm_states(&it->norm, e + nq, v0 + nq, v1 + nq));
}

// The error of Euler's method with steps of size h, from second differences over the last looks, in units of the tolerance.
static double euler_error(const hol_integrator *it, const hol_stiffness *w, double h)
{
    const hol_equations *s = it->s;
    const int n = s->nq + s->nx;
    double sum = 0, *e = w->image;
    for (int i = 0; i < n; i++) {
        const double late = (w->v[0][i] - w->v[1][i]) / (w->t[0] - w->t[1]),
                     early = (w->v[1][i] - w->v[2][i]) / (w->t[1] - w->t[2]);
        e[i] = h * h * (late - early) / (w->t[0] - w->t[2]);
    }
    if (it->norm.groups) return rate_error(it, e, w->v[1], w->v[0]);
    for (int i = 0; i < n; i++) {
        const double v = w->v[0][i], x = e[i];
        const double size = i < s->nq ? it->size[i] / s->m->time_scale : it->size[i];
        const double part = x / (size + it->relative * fabs(v));
        sum += part * part;
    }
    return sqrt(sum / n) / it->tolerance;
}

// Notes velocities and states of the last three looks.
static void keep(const hol_integrator *it, hol_stiffness *w)
{
    double *oldest = w->v[2];
    for (int k = 2; k > 0; k--) {
        w->v[k] = w->v[k - 1];
        w->t[k] = w->t[k - 1];
    }
    w->v[0] = oldest;
    w->t[0] = it->x.t;
    memcpy(oldest, it->x.v, (size_t)it->s->nq * sizeof *oldest);
    memcpy(oldest + it->s->nq, it->x.X, (size_t)it->s->nx * sizeof *oldest);
    if (w->n_past < 3) w->n_past++;
}

// ---- whose it is ----------------------------------------------------------------------------------------------

// Power of the change of the element's force along the direction, w->x being beside it->x.
static double power_of(const hol_integrator *it, const hol_stiffness *w, const hol_element *e)
{
    const hol_state *const x[2] = {&it->x, &w->x};
    hol_real y[HOL_MAX_Y], v[2][HOL_MAX_Y], Q[2][HOL_MAX_Y] = {{0}}, u[HOL_MAX_ROWS];
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        hol_element_gather(it->s->m, e, x[k]->t, x[k]->q, x[k]->v, 1, y, v[k]);
        hol_equations_inputs(e, x[k], u);
        e->type->force(e->data, e->ny, y, v[k], it->x.mem + e->mem, u, Q[k]);
    }
    for (int i = 0; i < e->ny - 1; i++) sum += hol_re((Q[1][i] - Q[0][i]) * (v[1][i] - v[0][i]));
    return -sum;
}

// What lies behind the eigenvalue: the force, or the user's state, with the largest part.
static void name_cause(hol_integrator *it, hol_stiffness *w)
{
    const hol_model_data *m = it->s->m;
    const int nq = it->s->nq;
    double step, bodies = 0, states = 0, most = 0;
    if (!apply(it, w, w->direction, DIFFERENCE, &step)) return;
    for (int i = 0; i < nq; i++) bodies += pow(w->direction[nq + i] / size_of(it, i), 2);
    for (int i = 0; i < it->s->nx; i++) {
        const double part = pow(w->direction[2 * nq + i] / size_of(it, nq + i), 2);
        states += part;
        if (part > most) w->found.state = i;
        most = fmax(most, part);
    }
    if (states > bodies) return;
    w->found.state = -1;
    most = 0;
    for (int k = m->n_bodies; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        if (!e->type->force || !hol_element_acts(e, it->x.mem)) continue;
        const double power = power_of(it, w, e);
        if (power <= most) continue;
        most = power;
        w->found.element = k;
    }
}

// ---- the bound of the steps -----------------------------------------------------------------------------------

// Of two vectors (dq; dv; dX), positions weighted such that a vibration of the rate has equal parts of them and of velocities.
static double inner(const hol_integrator *it, const hol_stiffness *w, const double *a, const double *b)
{
    const int nq = it->s->nq;
    const double rate = fmax(w->rate, 1 / it->s->m->time_scale);
    double sum = 0;
    for (int i = 0; i < nq; i++) sum += a[i] * b[i] / (it->s->q_size[i] * it->s->q_size[i]);
    return rate * rate * sum + dot(it, a + nq, b + nq);
}

static void begin_fastest(const hol_integrator *it, hol_stiffness *w)
{
    hol_random r = {1234};
    const int nq = it->s->nq;
    for (int i = 0; i < nq; i++) w->fastest[0][i] = it->s->q_size[i] * hol_random_uniform(&r);
    for (int i = 0; i < nq + it->s->nx; i++) w->fastest[0][nq + i] = size_of(it, i) * hol_random_uniform(&r);
}

// (9.12a): |lambda| from y, A y and A^2 y, which two eigenvalues at most are behind, and whether it is of a vibration.
static double size_of_lambda(const hol_integrator *it, hol_stiffness *w, double *const y[3])
{
    const double p = inner(it, w, y[0], y[0]), q = inner(it, w, y[0], y[1]), r = inner(it, w, y[1], y[1]),
                 u = inner(it, w, y[0], y[2]), v = inner(it, w, y[1], y[2]), det = p * r - q * q;
    w->vibrates = false;
    if (!(p > 0)) return 0;
    if (det <= ALONG * p * r) return sqrt(r / p);
    const double a = (p * v - q * u) / det, b = (r * u - q * v) / det, root = a * a / 4 + b;
    w->vibrates = root < 0;
    return root < 0 ? sqrt(-b) : fabs(a) / 2 + sqrt(root);
}

// y <- A x by differences of d, x of length 1.
static bool follow(hol_integrator *it, hol_stiffness *w, const double *x, double d, double *y)
{
    const int nq = it->s->nq;
    double step;
    if (!apply(it, w, x, d, &step)) return false;
    memcpy(y, x + nq, (size_t)nq * sizeof *y);
    memcpy(y + nq, w->image, (size_t)(nq + it->s->nx) * sizeof *y);
    return true;
}

// Two power iterations on all of (dq; dv; dX); |lambda|, below 0: it is not to be had.
static double iterate_twice(hol_integrator *it, hol_stiffness *w, double d)
{
    double *const *y = w->fastest;
    const int n = 2 * it->s->nq + it->s->nx;
    double size = sqrt(inner(it, w, y[0], y[0]));
    for (int i = 0; i < n && size > 0; i++) y[0][i] /= size;
    if (!follow(it, w, y[0], d, y[1])) return -1;
    size = sqrt(inner(it, w, y[1], y[1]));
    for (int i = 0; i < n && size > 0; i++) y[1][i] /= size;
    if (!follow(it, w, y[1], d, y[2])) return -1;
    for (int i = 0; i < n && size > 0; i++) y[0][i] /= size;
    const double rate = size_of_lambda(it, w, y);
    memcpy(y[0], y[2], (size_t)n * sizeof *y[0]);
    return rate;
}

// h |lambda| of a stable step. Vibrations grow with any step of Heun's method and of Euler's, by |lambda| y^3/8 and by |lambda| y/2 in
// a second: rounding may do so (9.12c).
static double reach_of(const hol_integrator *it, const hol_stiffness *w)
{
    const double turns = it->end * w->rate;
    if (!w->order || !w->vibrates) return w->reach[w->vibrates];
    return fmin(FEW_STEPS, w->order == 1 ? 2 * ROUNDING_GROWS / turns : cbrt(8 * ROUNDING_GROWS / turns));
}

// Differences there are those of rounding, divided by the square of the way to the pose.
static bool is_in_pose(hol_integrator *it)
{
    bool near;
    return !hol_crossing_sees(it, &near) && near;
}

// Is there a jump of forces beside the pose, as dry friction at rest has? Differences say a real |lambda| of it that is larger the shorter they are;
// what they do to places may open a contact, which vibrates. (9.12d)
static bool is_jump(hol_integrator *it, hol_stiffness *w, double rate)
{
    if (w->vibrates) return false;
    const double wide = iterate_twice(it, w, WIDER * DIFFERENCE);
    w->vibrates = false;
    return wide >= 0 && wide < JUMPS * rate;
}

// Sets w->longest by the eigenvalue of the largest size at it->x.
static void look(hol_integrator *it, hol_stiffness *w)
{
    double rate = w->rate, before;
    if (rate == 0) begin_fastest(it, w);
    for (int k = 0; k < PAIRS; k++) {
        before = rate;
        rate = iterate_twice(it, w, DIFFERENCE);
        if (rate > 0) w->rate = rate;
        if (rate < 0 || fabs(rate - before) <= SETTLED * rate) break;
    }
    w->age = 0;
    w->longest = rate > 0 ? reach_of(it, w) / rate : HOL_INF;
    if (w->longest < it->h && (is_in_pose(it) || is_jump(it, w, rate))) w->longest = HOL_INF;
    w->looked = fmin(it->h, w->longest);
    if (rate <= 0) w->rate = 0; // nothing vibrates
}

double hol_stiffness_longest(hol_integrator *it, hol_stiffness *w)
{
    look(it, w);
    return w->longest;
}

// Would no velocity and no user's state change by more than STILL tolerances in the next step, at the rate of the last one?
static bool is_steady(const hol_integrator *it, const hol_stiffness *w, double h)
{
    const hol_state *x0 = &it->before, *x1 = &it->x;
    const double most = STILL * it->tolerance * h / it->h;
    if (it->norm.groups) {
        double *e = w->image;
        for (int i = 0; i < it->s->nq; i++) e[i] = x1->v[i] - x0->v[i];
        hol_norm_pace(&it->norm, 0, x1->q, x0->v, x1->v);
        for (int i = 0; i < it->s->nx; i++) e[it->s->nq + i] = x1->X[i] - x0->X[i];
        return fmax(hol_norm_rates(&it->norm, e), hol_norm_states(&it->norm, e + it->s->nq, x0->X, x1->X)) <=
               STILL * h / it->h;
    }
    for (int i = 0; i < it->s->nq; i++) {
        const double size = it->size[i] / it->s->m->time_scale;
        if (fabs(x1->v[i] - x0->v[i]) > most * hol_weight(it, size, x0->v[i], x1->v[i])) return false;
    }
    for (int i = 0; i < it->s->nx; i++) {
        const double size = it->size[it->s->nq + i];
        if (fabs(x1->X[i] - x0->X[i]) > most * hol_weight(it, size, x0->X[i], x1->X[i])) return false;
    }
    return true;
}

// Steps of a steady motion stay below w->longest; its error says nothing of them.
static void bound(hol_integrator *it, hol_stiffness *w)
{
    const double h = it->x.t - it->before.t;
    if (it->limit == HOL_LIMIT_ERROR && h > 0.99 * w->longest) it->limit = HOL_LIMIT_STABILITY;
    const bool recent = ++w->age <= AGAIN, steady = is_steady(it, w, h),
               begins = !isfinite(w->longest) && it->h > w->looked / LONGER,
               grows = it->h > LONGER * w->looked, held = it->h > 0.99 * w->longest;
    if (steady && !recent && (begins || held))
        look(it, w);
    else if (steady && grows)
        look(it, w);
    else if (!steady && !recent)
        w->longest = HOL_INF;
    if (!steady && !isfinite(w->longest)) w->looked = h;
    it->h = fmin(it->h, w->longest);
}

void hol_stiffness_watch(hol_integrator *it, hol_stiffness *w)
{
    double lambda = 0, across = 1;
    if (it->tolerance <= 0) return;
    bound(it, w);
    if (w->times > 0 && it->limit == HOL_LIMIT_ERROR) it->limit = HOL_LIMIT_STABILITY; // since the last look
    if (w->n_past == 0) {
        begin(it, w);
        keep(it, w);
    }
    if (++w->steps < EVERY) return;
    w->steps = 0;
    keep(it, w);
    const double h = (w->t[0] - w->t[1]) / EVERY;
    for (int k = 0; k < ITERATIONS; k++)
        if (!iterate(it, w, &lambda, &across)) {
            begin(it, w);
            return;
        }
    const bool held = lambda < 0 && across < REAL && h * -lambda > NEAR_LOW && h * -lambda < NEAR_HIGH &&
                      w->n_past == 3 && euler_error(it, w, h) < SMOOTH;
    w->times = held ? w->times + 1 : 0;
    if (w->times < IN_A_ROW || w->found.h > 0) return; // said once
    w->found.h = h;
    name_cause(it, w);
}
