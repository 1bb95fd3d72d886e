// springdamper of MJCF: springs and dampers by a time constant and a damping ratio, for the inertia that a joint feels at the reference where
// nothing else holds the others: 1/(M^-1)_jj of the joint-space inertia matrix M.
#include "io/import_mjcf.h"
#include "linalg/dense.h"
#include "linalg/vector3.h"

#include <math.h>
#include <string.h>

enum { MOST = 4000 }; // rates of joints, for the matrix is a dense one

typedef struct {
    int joint;         // whose rate it is
    double v[3], w[3]; // of the global origin, and of what hangs on the joint
} column;

// The k-th rate of a joint: along an axis, or about one through the child's origin.
static column column_of(const hol_robot *r, int joint, int k)
{
    const hol_robot_joint *j = &r->joint[joint];
    const hol_import_frame *f = &r->link[j->child].zero;
    const bool slides = j->kind == HOL_ROBOT_PRISMATIC || (j->kind == HOL_ROBOT_FLOATING && k < 3);
    double axis[3] = {0, 0, 0};
    column c = {.joint = joint};
    for (int i = 0; i < 3; i++)
        for (int n = 0; n < 3; n++)
            axis[i] += f->R[3 * i + n] * (hol_robot_has_coordinate(j) ? j->axis[n] : n == k % 3);
    memcpy(slides ? c.v : c.w, axis, sizeof axis);
    if (!slides) hol_cross3(f->p, axis, c.v);
    return c;
}

// Twists of one kilogram or of a link, at its mass centre: half of the energy of two of them together.
static double energy(const hol_robot_link *l, const column *a, const column *b)
{
    double com[3], sum = 0, turn[2][3] = {{0}}, v[2][3];
    const column *both[] = {a, b};
    for (int i = 0; i < 3; i++) {
        com[i] = l->zero.p[i];
        for (int k = 0; k < 3; k++) com[i] += l->zero.R[3 * i + k] * l->com[k];
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < 2; n++) turn[n][i] += l->zero.R[3 * k + i] * both[n]->w[k];
    }
    for (int n = 0; n < 2; n++) hol_cross3(both[n]->w, com, v[n]);
    for (int i = 0; i < 3; i++) {
        sum += l->mass * (a->v[i] + v[0][i]) * (b->v[i] + v[1][i]);
        for (int k = 0; k < 3; k++) sum += turn[0][i] * l->J[3 * i + k] * turn[1][k];
    }
    return sum;
}

// Adds what a link has of M, for all rates before it.
static void add_link(const hol_robot *r, int link, int n, const column *c, const int *first, double *M)
{
    for (int i = link; r->link[i].joint >= 0; i = r->joint[r->link[i].joint].parent)
        for (int k = link; r->link[k].joint >= 0; k = r->joint[r->link[k].joint].parent) {
            const int a = r->link[i].joint, b = r->link[k].joint;
            for (int p = 0; p < hol_robot_rates(&r->joint[a]); p++)
                for (int q = 0; q < hol_robot_rates(&r->joint[b]); q++)
                    M[first[a] + p + n * (first[b] + q)] +=
                        energy(&r->link[link], &c[first[a] + p], &c[first[b] + q]);
        }
}

// Stiffness and damping of a joint by what it feels.
static hol_status tune(hol_mjcf *m, int n, const double *M, const int *pivot, int rate, double *x,
                       hol_robot_joint *j)
{
    memset(x, 0, (size_t)n * sizeof *x);
    x[rate] = 1;
    const hol_status st = hol_dense_lu_solve(m->in->ctx, n, M, pivot, false, 1, x);
    const double time = j->spring_time * j->spring_ratio;
    if (st) return st;
    j->stiffness = 1 / (x[rate] * time * time);
    j->damping = 2 / (x[rate] * j->spring_time);
    return HOL_OK;
}

static bool is_tuned(const hol_robot_joint *j)
{
    return hol_robot_has_coordinate(j) && j->spring_time > 0 && j->spring_ratio > 0;
}

hol_status hol_mjcf_tune_springs(hol_mjcf *m)
{
    hol_robot *r = m->r;
    int n = 0, tuned = 0;
    for (int j = 0; j < r->n_joints; j++) n += hol_robot_rates(&r->joint[j]), tuned += is_tuned(&r->joint[j]);
    if (!tuned) return HOL_OK;
    if (n > MOST)
        return hol_fail_at(
            m->in->ctx, HOL_ERR_MODEL, r->at,
            "springdamper: the joints have %d rates, more than %d; write stiffness and damping", n, MOST);
    int *first = hol_arena_alloc(m->in->arena, (size_t)r->n_joints, sizeof *first);
    int *pivot = hol_arena_alloc(m->in->arena, (size_t)n, sizeof *pivot);
    column *c = hol_arena_alloc(m->in->arena, (size_t)n, sizeof *c);
    double *M = hol_arena_alloc(m->in->arena, (size_t)n * (size_t)n, sizeof *M);
    double *x = hol_arena_alloc(m->in->arena, (size_t)n, sizeof *x);
    if (!first || !pivot || !c || !M || !x) return HOL_ERR_MEMORY;
    n = 0;
    for (int j = 0; j < r->n_joints; j++) {
        first[j] = n;
        for (int k = 0; k < hol_robot_rates(&r->joint[j]); k++) c[n++] = column_of(r, j, k);
    }
    for (int i = 0; i < r->n_links; i++)
        if (r->link[i].mass > 0) add_link(r, i, n, c, first, M);
    for (int i = 0; i < n; i++) M[i + n * i] += r->joint[c[i].joint].armature;
    hol_status st = hol_dense_lu_factor(m->in->ctx, n, M, pivot);
    if (st > 0)
        return hol_fail_at(
            m->in->ctx, HOL_ERR_MODEL, r->at,
            "springdamper: a joint carries nothing that weighs anything, so that no spring gives it a "
            "time constant");
    for (int j = 0; j < r->n_joints && !st; j++)
        if (is_tuned(&r->joint[j])) st = tune(m, n, M, pivot, first[j], x, &r->joint[j]);
    return st;
}
