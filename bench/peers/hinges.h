// Bricard's mechanism by hand: five free bodies, positions of their centres and Euler parameters, velocities of the centres and angular
// velocities in global axes, six hinges of five equations each, less one that follows from the others.
#ifndef PEERS_HINGES_H
#define PEERS_HINGES_H

#include "kkt.h"
#include "peers.h"

enum { BODIES = 5, HINGES = 6, HINGE_ROWS = 5 * HINGES - 1, HINGE_Q = 7 * BODIES, HINGE_V = 6 * BODIES };

static const double hinge_along[BODIES][3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};
static const double hinge_at[HINGES][3] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                           {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
static const int hinge_axis[HINGES] = {1, 2, 0, 1, 2, 0};

static inline void hinge_rotation(const double *p, double R[3][3])
{
    const double w = p[0], x = p[1], y = p[2], z = p[3];
    R[0][0] = 1 - 2 * (y * y + z * z), R[0][1] = 2 * (x * y - w * z), R[0][2] = 2 * (x * z + w * y);
    R[1][0] = 2 * (x * y + w * z), R[1][1] = 1 - 2 * (x * x + z * z), R[1][2] = 2 * (y * z - w * x);
    R[2][0] = 2 * (x * z - w * y), R[2][1] = 2 * (y * z + w * x), R[2][2] = 1 - 2 * (x * x + y * y);
}

static inline void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void hinge_start(double *q)
{
    double from[3] = {0, 0, 0};
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++) {
            q[7 * i + k] = from[k] + hinge_along[i][k] / 2;
            from[k] += hinge_along[i][k];
            q[7 * i + 3] = 1;
        }
}

static inline double hinge_moment(int body, int k) { return (hinge_along[body][k] != 0 ? 0.02 : 1.01) / 12; }

typedef struct {
    double R[3][3], I[3][3]; // inertia in global axes
} hinge_frame;

static inline void hinge_frames(const double *q, hinge_frame f[BODIES])
{
    for (int b = 0; b < BODIES; b++) {
        hinge_rotation(q + 7 * b + 3, f[b].R);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                f[b].I[i][j] = 0;
                for (int k = 0; k < 3; k++) f[b].I[i][j] += f[b].R[i][k] * hinge_moment(b, k) * f[b].R[j][k];
            }
    }
}

// Rows of all hinges: matrix G (written to k), phi, G v and gamma = -G' v; arrays may be NULL. Row kinds: the point's x y z, then one
// axis of the second body against two of the first.
static inline void hinge_rows(const double *q, const double *v, const hinge_frame f[BODIES], kkt *k,
                              double *phi, double *gamma)
{
    int row = 0;
    for (int h = 0; h < HINGES; h++) {
        const int first = h - 1, second = h < BODIES ? h : -1;
        const int body[2] = {first, second};
        double arm[2][3] = {{0}}, x[2][3], w[2][3] = {{0}}, bend[2][3] = {{0}};
        for (int e = 0; e < 2; e++) {
            const int b = body[e];
            for (int i = 0; i < 3; i++) x[e][i] = hinge_at[h][i];
            if (b < 0) continue;
            const double sign = e == 0 ? 0.5 : -0.5; // the hinge is at the far end of the first body
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) arm[e][i] += sign * f[b].R[i][j] * hinge_along[b][j];
                x[e][i] = q[7 * b + i] + arm[e][i];
                w[e][i] = v ? v[6 * b + 3 + i] : 0;
            }
            double c[3];
            cross(w[e], arm[e], c);
            cross(w[e], c, bend[e]);
        }
        for (int i = 0; i < 3; i++, row++) {
            if (phi) phi[row] = x[1][i] - x[0][i];
            if (gamma) gamma[row] = bend[0][i] - bend[1][i];
            for (int e = 0; e < 2 && k; e++) {
                if (body[e] < 0) continue;
                const double s = e ? 1 : -1;
                const int at = 6 * body[e], j = (i + 1) % 3, l = (i + 2) % 3; // (w x arm)_i
                kkt_set(k, HINGE_V + row, at + i, s);
                kkt_set(k, HINGE_V + row, at + 3 + j, s * arm[e][l]);
                kkt_set(k, HINGE_V + row, at + 3 + l, -s * arm[e][j]);
            }
        }
        for (int t = 1; t <= (h == HINGES - 1 ? 1 : 2);
             t++, row++) { // the axis against another axis of the first
            double a[3], u[3], n[3], c[3], d[3];
            for (int i = 0; i < 3; i++) {
                const int axis = hinge_axis[h], other = (hinge_axis[h] + t) % 3;
                a[i] = second >= 0 ? f[second].R[i][axis] : i == axis;
                u[i] = first >= 0 ? f[first].R[i][other] : i == other;
            }
            cross(a, u, n); // rate of a.u: (w2 - w1).(a x u)
            if (phi) phi[row] = dot(a, u);
            if (gamma) {
                double relative[3], rate_a[3], rate_u[3];
                for (int i = 0; i < 3; i++) relative[i] = w[1][i] - w[0][i];
                cross(w[1], a, rate_a);
                cross(w[0], u, rate_u);
                cross(rate_a, u, c);
                cross(a, rate_u, d);
                gamma[row] = -dot(relative, c) - dot(relative, d);
            }
            for (int i = 0; i < 3 && k; i++) {
                if (second >= 0) kkt_set(k, HINGE_V + row, 6 * second + 3 + i, n[i]);
                if (first >= 0) kkt_set(k, HINGE_V + row, 6 * first + 3 + i, -n[i]);
            }
        }
    }
}

static inline void hinge_masses(const hinge_frame f[BODIES], kkt *k)
{
    for (int b = 0; b < BODIES; b++)
        for (int i = 0; i < 3; i++) {
            kkt_put(k, 6 * b + i, 6 * b + i, 1);
            for (int j = 0; j < 3; j++) kkt_put(k, 6 * b + 3 + i, 6 * b + 3 + j, f[b].I[i][j]);
        }
}

static inline void hinge_forces(const double *v, const hinge_frame f[BODIES], double *force)
{
    for (int b = 0; b < BODIES; b++) {
        const double *w = v + 6 * b + 3;
        double L[3], n[3];
        for (int i = 0; i < 3; i++) L[i] = dot(f[b].I[i], w);
        cross(w, L, n);
        for (int i = 0; i < 3; i++) force[6 * b + i] = i == 1 ? -9.81 : 0, force[6 * b + 3 + i] = -n[i];
    }
}

// q' = Q(q) v
static inline void hinge_rates(const double *q, const double *v, double *rate)
{
    for (int b = 0; b < BODIES; b++) {
        const double *p = q + 7 * b + 3, *w = v + 6 * b + 3;
        double *r = rate + 7 * b, c[3];
        cross(w, p + 1, c);
        for (int i = 0; i < 3; i++) r[i] = v[6 * b + i], r[4 + i] = 0.5 * (p[0] * w[i] + c[i]);
        r[3] = -0.5 * dot(w, p + 1);
    }
}

static inline double hinge_energy(const double *q, const double *v)
{
    hinge_frame f[BODIES];
    double e = 0;
    hinge_frames(q, f);
    for (int b = 0; b < BODIES; b++) {
        const double *u = v + 6 * b, *w = u + 3;
        e += 0.5 * dot(u, u) + 9.81 * q[7 * b + 1];
        for (int i = 0; i < 3; i++) e += 0.5 * w[i] * dot(f[b].I[i], w);
    }
    return e;
}

// P3: the far end of the third rod
static inline void hinge_watch(const double *q, double *out)
{
    double R[3][3];
    hinge_rotation(q + 14 + 3, R);
    for (int i = 0; i < 3; i++) out[i] = q[14 + i] + 0.5 * R[i][2];
}

#endif
