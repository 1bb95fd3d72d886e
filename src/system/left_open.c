// What redundant equations leave open: numbers of ten digits do not fit to the last bit, and where equations follow from others nothing can
// close them. docs/theory.md, section 4.3.
#include "system/left_open.h"

#include "system/initial.h"
#include "system/loop.h"

#include <math.h>
#include <string.h>

static double open_by(hol_assembler *a, const hol_state *x)
{
    hol_equations *s = a->k.s;
    hol_equations_residual(s, x, NULL, a->k.rhs);
    return hol_equations_row_norm(s, a->k.rhs, s->nc);
}

// Of a pose in which the independent rows hold: are all closed there, and near by, but for so much? Beyond the reach of a link a gap grows.
static hol_status stays_open(hol_assembler *a, hol_kernel *independent, hol_state *pose, double enough)
{
    hol_random random = {2024};
    hol_state near = {0};
    hol_status st = hol_project_positions(independent, pose, NULL);
    if (!st && !(open_by(a, pose) <= enough)) st = HOL_RECOVERABLE;
    if (!st) st = hol_state_create(independent->s, &near);
    if (st) return st;
    st = hol_rank_nearby(independent, pose, &random, &near);
    if (!st && !(open_by(a, &near) <= enough)) st = HOL_RECOVERABLE;
    hol_state_destroy(&near);
    return st;
}

hol_status hol_assembly_leave_open(hol_context *ctx, hol_assembler *a)
{
    const hol_equations *s = a->k.s;
    hol_state pose = {0};
    hol_rank rank = {0};
    hol_kernel independent = hol_kernel_of(NULL);
    hol_status st = hol_kernel_need_room(&a->k);
    const double enough = st ? 0 : HOL_RANK_THRESHOLD * fmax(1, hol_equations_coordinate_norm(s, a->x.q));
    if (st || a->m.n_holds || !(open_by(a, &a->x) <= enough)) return st ? st : HOL_RECOVERABLE;
    st = hol_rank_find(ctx, &a->k, &a->x, &rank);
    if (!st && (rank.n_redundant == 0 || rank.momentary)) st = HOL_RECOVERABLE;
    if (!st) {
        independent = hol_kernel_of(hol_equations_create(ctx, &a->m, rank.active));
        st = independent.s ? hol_start_state(independent.s, &pose) : HOL_ERR_MEMORY;
    }
    if (!st) {
        memcpy(pose.q, a->x.q, (size_t)s->nq * sizeof *pose.q);
        st = stays_open(a, &independent, &pose, enough);
    }
    if (!st) {
        memcpy(a->x.q, pose.q, (size_t)s->nq * sizeof *pose.q);
        a->left_open = open_by(a, &a->x);
    }
    hol_state_destroy(&pose);
    hol_kernel_drop(&independent);
    hol_equations_destroy(independent.s);
    hol_rank_destroy(&rank);
    return st;
}
