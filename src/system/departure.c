// A singular pose has Phi_q w = 0 and mu^T Phi_q = 0, so that velocities v + c w satisfy the constraints whatever c is. Their second
// derivative decides, Phi_q a = tau, and for accelerations a + e w their third one:
//
//     mu . tau(q, v + c w) = 0                            a quadratic equation for c, a root for each branch          (4.3b)
//     mu . d/dt [tau - Phi_q (a + e w)] = 0               along q + t v + t^2 a/2: a linear one for e                  (4.3c)
//
// docs/theory.md, section 4.2.
#include "system/departure.h"
#include "system/constraint_jacobian.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 300 };   // coordinates: matrices are dense
#define DEPENDENT 1e-6 // diagonal of R against the largest: poses of double roots are known to 1e-8
#define HOLDS 1e-6     // velocities, by natural size and time
#define NONE 1e-9      // part of its terms by which a number counts as 0
#define NEAR 0.1       // part of the difference of the branches: nearer to one velocities mean it
#define PROBE 1e-4     // natural sizes to the poses of differences

// ---- null vectors -----------------------------------------------------------------------------------------------

static void transpose(size_t n, const double *A, double *AT)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) AT[i * n + j] = A[j * n + i];
}

// The vector orthogonal to all columns of A; false: there is none, or more than one.
static hol_status find_null(hol_context *ctx, hol_dense_qr *qr, int n, const double *A, double *null,
                            int *count)
{
    const hol_status st = hol_dense_qr_factor(ctx, qr, n, n, A, DEPENDENT);
    *count = st ? 0 : n - qr->rank;
    return st || *count != 1 ? st : hol_dense_qr_null_space(ctx, qr, null);
}

// w and mu, where there is one of each.
static hol_status find_nulls(hol_context *ctx, hol_equations *s, const hol_state *x, hol_departure *d)
{
    const size_t n = (size_t)s->nq;
    double *J = hol_calloc(ctx, 2 * n * n, sizeof *J), *JT = J + n * n;
    hol_dense_qr qr = {0};
    int left = 0, right = 0;
    d->mu = hol_calloc(ctx, 2 * n, sizeof *d->mu);
    hol_status st = J && d->mu ? hol_dense_qr_create(ctx, &qr, s->nq, s->nq) : HOL_ERR_MEMORY;
    if (!st) {
        d->w = d->mu + n;
        hol_constraint_jacobian(s, x, NULL, J);
        transpose(n, J, JT);
        st = find_null(ctx, &qr, s->nq, J, d->mu, &left);
    }
    if (!st && left == 1) st = find_null(ctx, &qr, s->nq, JT, d->w, &right);
    d->found = !st && left == 1 && right == 1;
    hol_dense_qr_destroy(&qr);
    hol_free(J);
    return st;
}

// ---- velocities -------------------------------------------------------------------------------------------------

// mu . tau with the velocities v + c w; *size: of its largest term.
static double bend(hol_equations *s, const hol_departure *d, const hol_state *x, double c, hol_state *room,
                   double *size)
{
    double *tau = room->lam, sum = 0;
    hol_state_copy(s, room, x);
    for (int i = 0; i < s->nq; i++) room->v[i] += c * d->w[i] * s->q_size[i];
    hol_equations_tau(s, room, tau);
    for (int i = 0; i < s->nc; i++) {
        sum += d->mu[i] * tau[i] / s->row_size[i];
        *size = hol_larger(fabs(tau[i] / s->row_size[i]), *size);
    }
    return sum;
}

// Roots of (4.3b) into c; 0: there are none. -1: the equation says nothing.
static int find_roots(hol_equations *s, const hol_departure *d, const hol_state *x, hol_state *room,
                      double c[2])
{
    const double S = fmax(hol_equations_coordinate_norm(s, x->v), 1 / s->m->time_scale);
    double size = 0;
    const double f0 = bend(s, d, x, 0, room, &size), f1 = bend(s, d, x, S, room, &size),
                 f2 = bend(s, d, x, -S, room, &size), A = 0.5 * (f1 + f2) - f0, B = 0.5 * (f1 - f2), C = f0;
    const double root = B * B - 4 * A * C;
    if (!(fabs(A) > NONE * size)) { // the other branch is a motion at which the drivers rest
        c[0] = -S * C / B;
        return fabs(B) > NONE * size ? 1 : -1;
    }
    if (fabs(root) <= NONE * size * size) return -1;
    if (root < 0) return 0;
    const double q = -0.5 * (B + copysign(sqrt(root), B));
    c[0] = S * q / A;
    c[1] = fabs(q) > 0 ? S * C / q : 0;
    return 2;
}

// Largest difference of the velocities v + c w from those that are drawn, where any are; *size: largest part of w there.
static double off(const hol_equations *s, const hol_departure *d, const hol_state *x, double c, double *size)
{
    double most = 0;
    *size = 0;
    for (int i = 0; i < s->nq; i++) {
        const double drawn = s->m->v0[i];
        if (!(fabs(drawn) > 0)) continue;
        most = hol_larger(fabs((x->v[i] - drawn) / s->q_size[i] + c * d->w[i]), most);
        *size = hol_larger(fabs(d->w[i]), *size);
    }
    return most;
}

// The coordinate with the largest part in w, of positions in space.
static int most_moved(const hol_equations *s, const hol_departure *d, int *body)
{
    int most = -1;
    for (int b = 0; b < s->m->n_bodies; b++) {
        const int first = s->m->body[b].q, n = s->m->body[b].size;
        for (int i = first; i < first + (n < 3 ? n : 3); i++) // a point mass in the plane has two
            if (most < 0 || fabs(d->w[i]) > fabs(d->w[most])) most = i, *body = b;
    }
    return most;
}

// Two motions, and nothing says which.
static hol_status fail_two(hol_context *ctx, const hol_equations *s, const hol_departure *d,
                           const hol_state *x, const double c[2])
{
    static const char *const planar[] = {"vx", "vy", "omega"}, *const spatial[] = {"vx", "vy", "vz"};
    int body = 0;
    const int i = most_moved(s, d, &body), k = i - s->m->body[body].q;
    const double step = d->w[i] * s->q_size[i];
    return hol_fail(
        ctx, HOL_ERR_ASSEMBLY,
        "start: a singular pose, from which two motions lead on: \"%s\" leaves it with %s = %.6g or "
        "%.6g. Give the bodies velocities near those of one, or draw them a little away, where it "
        "leads",
        s->m->body[body].name, s->m->dimension == 2 ? planar[k] : spatial[k], x->v[i] + c[0] * step,
        x->v[i] + c[1] * step);
}

// The branch that the velocities drawn are near to.
static hol_status choose(hol_context *ctx, hol_equations *s, hol_departure *d, hol_state *x, hol_state *room)
{
    double c[2], size;
    const int n = find_roots(s, d, x, room, c);
    if (n < 0) d->found = false;
    if (n < 0) return HOL_OK;
    if (n == 0)
        return hol_fail(ctx, HOL_ERR_ASSEMBLY,
                        "start: a singular pose, from which no motion leads on as the drivers ask: draw the "
                        "bodies elsewhere, or give the drivers another course");
    const int nearest = n > 1 && off(s, d, x, c[1], &size) < off(s, d, x, c[0], &size);
    if (n > 1 && !(off(s, d, x, c[nearest], &size) < NEAR * fabs(c[1] - c[0]) * size))
        return fail_two(ctx, s, d, x, c);
    for (int i = 0; i < s->nq; i++) x->v[i] += c[nearest] * d->w[i] * s->q_size[i];
    return HOL_OK;
}

// Do the velocities hold to first order? At a dead centre none do.
static bool holds(const hol_equations *s, const hol_state *x)
{
    hol_measure now;
    hol_equations_measure_parts(s, x, HOL_MEASURE_ROWS, &now);
    return now.velocity <= HOLDS * fmax(1, hol_equations_coordinate_norm(s, x->v) * s->m->time_scale);
}

hol_status hol_departure_find(hol_context *ctx, hol_kernel *k, hol_state *x, hol_departure *d)
{
    hol_equations *s = k->s;
    hol_state room = {0};
    *d = (hol_departure){0};
    if (s->nc != s->nq || s->nk || s->nq >= MOST || !s->nq) return HOL_OK;
    hol_status st = find_nulls(ctx, s, x, d);
    if (st || !d->found) return st;
    d->found = holds(s, x);
    if (!d->found) return HOL_OK;
    st = hol_state_create(s, &room);
    if (!st) st = choose(ctx, s, d, x, &room);
    hol_state_destroy(&room);
    return st;
}

void hol_departure_destroy(hol_departure *d)
{
    hol_free(d->mu);
    *d = (hol_departure){0};
}

// ---- accelerations ----------------------------------------------------------------------------------------------

// mu . [tau - Phi_q (a + e w)] at dt along the motion.
static double missing(hol_equations *s, const hol_departure *d, const hol_state *x, double e, double dt,
                      hol_state *room)
{
    double *tau = room->lam, sum = 0;
    hol_state_copy(s, room, x);
    room->t += dt;
    for (int i = 0; i < s->nq; i++) {
        room->a[i] += e * d->w[i] * s->q_size[i];
        room->q[i] += dt * (x->v[i] + dt / 2 * room->a[i]);
        room->v[i] += dt * room->a[i];
    }
    hol_equations_tau(s, room, tau);
    for (int i = 0; i < s->nc; i++) sum += d->mu[i] * tau[i] / s->row_size[i];
    hol_equations_jacobian_times(s, room->t, room->q, room->a, tau);
    for (int i = 0; i < s->nc; i++) sum -= d->mu[i] * tau[i] / s->row_size[i];
    return sum;
}

// Its rate at the pose, by differences of order 4.
static double rate_of(hol_equations *s, const hol_departure *d, const hol_state *x, double e, double h,
                      hol_state *room)
{
    const double near = missing(s, d, x, e, h, room) - missing(s, d, x, e, -h, room),
                 far = missing(s, d, x, e, 2 * h, room) - missing(s, d, x, e, -2 * h, room);
    return (8 * near - far) / (12 * h);
}

hol_status hol_departure_accelerate(const hol_departure *d, hol_kernel *k, hol_state *x)
{
    hol_equations *s = k->s;
    hol_state room = {0};
    if (!d->found) return HOL_OK;
    const hol_status st = hol_state_create(s, &room);
    if (st) return st;
    const double speed = hol_equations_coordinate_norm(s, x->v), h = PROBE / speed, unit = speed * speed;
    const double now = rate_of(s, d, x, 0, h, &room), other = rate_of(s, d, x, unit, h, &room),
                 e = now * unit / (now - other);
    for (int i = 0; i < s->nq && isfinite(e); i++) x->a[i] += e * d->w[i] * s->q_size[i];
    hol_state_destroy(&room);
    return HOL_OK;
}
