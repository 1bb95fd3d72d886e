// Uniform rods of length 1 m and mass 1 kg between points of the plane, hinged there, as an expert writes them by hand: the
// coordinates are those of the free points, the mass matrix is constant, each rod is one equation
//     phi = (|d|^2 - 1)/2 = 0,  d = r_b - r_a.
// Parallelograms and ladders of peers.h.
#ifndef PEERS_RODS_H
#define PEERS_RODS_H

#include "peers.h"

typedef struct {
    int a, b; // points; below 0: fixed, number -1 - a in `fixed`
} rod;

typedef struct {
    int points, n_rods, watched; // free points
    rod *rods;
    double *fixed, *x, *v,
        *mass; // fixed points; start; half the mass of the rods at a point       (2 per point, points)
} rods;

#define RODS_G 9.81

static inline void rods_start(rods *r, const peer_problem *p)
{
    const int n = p->size;
    const bool ladder = peer_is(p, "ladder");
    memset(r, 0, sizeof *r);
    r->points = ladder ? 2 * n + 1 : n + 1;
    r->rods = calloc((size_t)(3 * n + 1), sizeof *r->rods);
    r->fixed = calloc((size_t)(2 * n + 2), sizeof *r->fixed);
    r->x = calloc((size_t)(4 * r->points), sizeof *r->x);
    r->mass = calloc((size_t)r->points, sizeof *r->mass);
    r->v = r->x + 2 * r->points;
    rod *next = r->rods;
    if (ladder) { // bottom points 0, 2, 4 .., top points 1, 3, ..; the top corner is fixed
        *next++ = (rod){-1, 0};
        r->x[1] = -1;
        for (int i = 1; i <= n; i++) {
            const int bottom = 2 * i, top = 2 * i - 1;
            r->x[2 * bottom] = r->x[2 * top] = i;
            r->x[2 * bottom + 1] = -1;
            *next++ = (rod){i > 1 ? top - 2 : -1, top};
            *next++ = (rod){bottom - 2, bottom};
            *next++ = (rod){top, bottom};
        }
        r->watched = 2 * n - 1;
    } else
        for (int i = 0; i <= n; i++) {
            r->fixed[2 * i] = r->x[2 * i] = i;
            r->x[2 * i + 1] = r->v[2 * i] = 1;
            *next++ = (rod){-1 - i, i};
            if (i) *next++ = (rod){i - 1, i};
        }
    r->n_rods = (int)(next - r->rods);
    for (int i = 0; i < r->n_rods; i++) {
        if (r->rods[i].a >= 0) r->mass[r->rods[i].a] += 0.5;
        r->mass[r->rods[i].b] += 0.5;
    }
}

static inline void rods_free(rods *r)
{
    free(r->rods);
    free(r->fixed);
    free(r->x);
    free(r->mass);
}

static inline const double *rods_at(const rods *r, const double *x, int point)
{
    return point >= 0 ? x + 2 * point : r->fixed + 2 * (-1 - point);
}

static inline double rods_energy(const rods *r, const double *x, const double *v)
{
    static const double rest[2] = {0, 0};
    double e = 0;
    for (int i = 0; i < r->n_rods; i++) {
        const double *a = r->rods[i].a >= 0 ? v + 2 * r->rods[i].a : rest, *b = v + 2 * r->rods[i].b;
        for (int k = 0; k < 2; k++) e += (a[k] * a[k] + a[k] * b[k] + b[k] * b[k]) / 6;
        e += RODS_G * (rods_at(r, x, r->rods[i].a)[1] + rods_at(r, x, r->rods[i].b)[1]) / 2;
    }
    return e;
}

#endif
