// Are the steps of an explicit method held by stability? Power iterations with differences (9.11) give the dominant
// eigenvalue, divided differences (9.12) say whether the motion is smooth; docs/theory.md, section 9.4.
#include "integrator/stiffness.h"
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

static hol_status by_matrix(hol_integrator *it, hol_state *x) { return hol_solve_accelerations(it->k, x); }

hol_status hol_stiffness_create(hol_integrator *it, hol_stiffness *w)
{
    const size_t nq = (size_t)it->s->nq, n = nq + (size_t)it->s->nx;
    memset(w, 0, sizeof *w);
    w->found.element = w->found.state = -1;
    w->accelerations = by_matrix;
    w->memory = hol_calloc(it->ctx, 5 * n + nq, sizeof *w->memory);
    if (!w->memory) return HOL_ERR_MEMORY;
    for (int i = 0; i < 3; i++) w->v[i] = w->memory + (size_t)i * n;
    w->image = w->memory + 3 * n;
    w->direction = w->memory + 4 * n;
    it->stiff = &w->found;
    return hol_state_create(it->s, &w->x);
}

void hol_stiffness_destroy(hol_stiffness *w)
{
    hol_state_destroy(&w->x);
    hol_free(w->memory);
    memset(w, 0, sizeof *w);
}

void hol_stiffness_restart(hol_stiffness *w) { w->steps = w->times = w->n_past = 0; }

void hol_stiffness_archive(const hol_integrator *it, hol_stiffness *w, hol_archive *a)
{
    hol_archive_number(a, &w->found.h, 0, DBL_MAX);
    hol_archive_int(a, &w->found.element, -1, it->s->m->n_elements - 1);
    hol_archive_int(a, &w->found.state, -1, it->s->nx - 1);
    hol_stiffness_restart(w);
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

// w->image: how (a; X') changes along the direction; w->x is the state beside it->x, *step its distance.
static bool apply(hol_integrator *it, hol_stiffness *w, double *step)
{
    hol_equations *s = it->s;
    const int nq = s->nq;
    double largest = 1;
    for (int i = 0; i < nq; i++) largest = fmax(largest, fabs(it->x.v[i]) / size_of(it, i));
    *step = DIFFERENCE * largest;
    hol_state_copy(s, &w->x, &it->x);
    for (int i = 0; i < nq; i++) {
        w->x.q[i] += *step * w->direction[i];
        w->x.v[i] += *step * w->direction[nq + i];
    }
    for (int i = 0; i < s->nx; i++) w->x.X[i] += *step * w->direction[2 * nq + i];
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
    if (!(size > 0) || !apply(it, w, &step)) return false;
    const double image = dot(it, w->image, w->image);
    *lambda = dot(it, w->image, old);
    *across = image > 0 ? sqrt(fmax(0, 1 - *lambda * *lambda / image)) : 1;
    memcpy(w->direction, old, (size_t)nq * sizeof *old);
    memcpy(old, w->image, (size_t)n * sizeof *old);
    return true;
}

// ---- smoothness -----------------------------------------------------------------------------------------------

// The error of Euler's method with steps of size h, from second differences over the last looks, in units of the tolerance.
static double euler_error(const hol_integrator *it, const hol_stiffness *w, double h)
{
    const hol_equations *s = it->s;
    const int n = s->nq + s->nx;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double v = w->v[0][i], late = (v - w->v[1][i]) / (w->t[0] - w->t[1]),
                     early = (w->v[1][i] - w->v[2][i]) / (w->t[1] - w->t[2]);
        const double x = h * h * (late - early) / (w->t[0] - w->t[2]);
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
    if (!apply(it, w, &step)) return;
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

void hol_stiffness_watch(hol_integrator *it, hol_stiffness *w)
{
    double lambda = 0, across = 1;
    if (it->tolerance <= 0) return;
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
