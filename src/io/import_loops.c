// Draws the loops of an imported robot closed: Levenberg and Marquardt's method in the coordinates of the joints along the loops, within
// their limits, from where they are and then from random places. docs/import.md says what for; runs close loops by themselves, and exactly.
// What the digits of a file alone hold apart is put right: axes that are parallel but for these, and ends that do not meet because of them.
#include "io/import_robot.h"
#include "base/option.h"
#include "linalg/dense.h"
#include "linalg/vector3.h"

#include <math.h>
#include <string.h>

// Equations of a loop; steps from one start; starts; variables of a part.
enum { ROWS = 9, STEPS = 80, MOST_STARTS = 400, MOST_AT_ONCE = 200 };
enum { NONE = -1, HELD = -2 }; // of columns
#define CLOSED 1e-9            // of a loop, relative to the robot's size, and rad
#define WORK 3e8               // multiplications for all loops together, at most
#define DIGITS 1e-3 // what the digits of a file make: rad between axes, parts of pivots, and open as CLOSED
#define EXACT 1e-12 // the same of one that the model takes to be closed
#define DEPENDENT                                                                                            \
    1e-9 // part of the first pivot below which the model takes an equation to follow from others

typedef struct {
    int n, *joint; // from the common ancestor outwards
} path;

typedef struct {
    path side[2];
    int *variable; // free joints on it
    int n_variables, part;
} loop;

typedef struct {
    hol_import *in;
    hol_robot *r;
    loop *loop;
    double size;       // lengths count in parts of it [m]
    int *first, *with; // of a free joint: where its loops begin in `with`; loops       (n_joints + 2)
    int *seen, now;    // by which search a joint was seen; the present one              (n_joints)
    int *
        column; // of a free joint in the part that is solved; NONE: it is none of it, HELD: of none  (n_joints)
    int *variable, *of; // free joints of that part; its loops
    int n, n_of;
    double *J, *A, *g, *step, *old, *lower, *upper; // rows of a loop (ROWS x n); normal equations
    int *pivot;
} solver;

// ---- paths ----------------------------------------------------------------------------------------------------

static int depth_of(const hol_robot *r, int link)
{
    int depth = 0;
    for (; r->link[link].joint >= 0; link = r->joint[r->link[link].joint].parent) depth++;
    return depth;
}

// Joints from the common ancestor to each link of a loop.
static hol_status find_path(const solver *s, const hol_robot_loop *from, loop *l)
{
    const hol_robot *r = s->r;
    int at[2] = {from->link[0], from->link[1]}, depth[2] = {depth_of(r, at[0]), depth_of(r, at[1])};
    for (int k = 0; k < 2; k++) {
        l->side[k].joint = hol_arena_alloc(s->in->arena, (size_t)depth[k] + 1, sizeof *l->side[k].joint);
        if (!l->side[k].joint) return HOL_ERR_MEMORY;
    }
    while (at[0] != at[1]) {
        const int k = depth[0] >= depth[1] ? 0 : 1, j = r->link[at[k]].joint;
        l->side[k].joint[l->side[k].n++] = j;
        at[k] = r->joint[j].parent;
        depth[k]--;
    }
    for (int k = 0; k < 2; k++)
        for (int a = 0, b = l->side[k].n - 1; a < b; a++, b--) {
            const int j = l->side[k].joint[a];
            l->side[k].joint[a] = l->side[k].joint[b];
            l->side[k].joint[b] = j;
        }
    return HOL_OK;
}

// The free joints that the joints on the way of a loop follow in the end.
static hol_status find_variables(solver *s, loop *l)
{
    const int n = l->side[0].n + l->side[1].n;
    l->variable = hol_arena_alloc(s->in->arena, (size_t)n + 1, sizeof *l->variable);
    if (!l->variable) return HOL_ERR_MEMORY;
    s->now++;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < l->side[k].n; i++) {
            const hol_robot_joint *j = &s->r->joint[l->side[k].joint[i]];
            if (!hol_robot_has_coordinate(j) || s->seen[j->base] == s->now) continue;
            s->seen[j->base] = s->now;
            l->variable[l->n_variables++] = j->base;
        }
    return HOL_OK;
}

// The loops of each free joint.
static hol_status find_loops(solver *s)
{
    const hol_robot *r = s->r;
    int n = 0;
    for (int l = 0; l < r->n_loops; l++)
        for (int i = 0; i < s->loop[l].n_variables; i++, n++) s->first[s->loop[l].variable[i] + 2]++;
    for (int j = 0; j < r->n_joints; j++) s->first[j + 1] += s->first[j];
    s->with = hol_arena_alloc(s->in->arena, (size_t)n + 1, sizeof *s->with);
    if (!s->with) return HOL_ERR_MEMORY;
    for (int l = 0; l < r->n_loops; l++)
        for (int i = 0; i < s->loop[l].n_variables; i++) s->with[s->first[s->loop[l].variable[i] + 1]++] = l;
    return HOL_OK;
}

// ---- gaps -----------------------------------------------------------------------------------------------------

static void column_of(const hol_import_frame *f, int i, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = f->R[3 * k + i];
}

// The frame of one side in that of the common ancestor, and the axes and places of the joints on the way (n x 3).
static hol_import_frame follow(const solver *s, const path *p, const hol_import_frame *end, double *axis,
                               double *place)
{
    hol_import_frame f = hol_frame_none;
    for (int i = 0; i < p->n; i++) {
        hol_robot_joint j = s->r->joint[p->joint[i]];
        f = hol_frame_times(&f, &j.frame);
        for (int k = 0; k < 3 && axis; k++) {
            axis[3 * i + k] =
                f.R[3 * k] * j.axis[0] + f.R[3 * k + 1] * j.axis[1] + f.R[3 * k + 2] * j.axis[2];
            place[3 * i + k] = f.p[k];
        }
        j.start = hol_robot_coordinate(s->r, &j);
        const hol_import_frame moved = hol_robot_motion(&j);
        f = hol_frame_times(&f, &moved);
    }
    return hol_frame_times(&f, end);
}

// What is open of a loop (ROWS): the gap along those axes of the first frame that the joint holds, and differences of z, and of x where
// it holds that, too. d: its change where the frames move with velocities v and angular velocities w; NULL: not wanted.
static void gap(const solver *s, hol_robot_kind kind, const hol_import_frame f[2], double out[ROWS],
                const double v[2][3], const double w[2][3], double d[ROWS])
{
    const bool along[3] = {kind != HOL_ROBOT_PLANAR, kind != HOL_ROBOT_PLANAR, kind != HOL_ROBOT_PRISMATIC};
    const bool z = kind != HOL_ROBOT_SPHERICAL, x = kind == HOL_ROBOT_FIXED || kind == HOL_ROBOT_PRISMATIC;
    const double apart[3] = {f[1].p[0] - f[0].p[0], f[1].p[1] - f[0].p[1], f[1].p[2] - f[0].p[2]};
    memset(out, 0, ROWS * sizeof *out);
    if (d) memset(d, 0, ROWS * sizeof *d);
    for (int i = 0; i < 3; i++) {
        double u[3], du[3], dv[3];
        column_of(&f[0], i, u);
        if (!along[i]) continue;
        out[i] = hol_dot3(u, apart) / s->size;
        if (!d) continue;
        hol_cross3(w[0], u, du);
        for (int k = 0; k < 3; k++) dv[k] = v[1][k] - v[0][k];
        d[i] = (hol_dot3(du, apart) + hol_dot3(u, dv)) / s->size;
    }
    for (int m = 0; m < 2; m++) {
        double a[2][3], da[2][3];
        if (!(m == 0 ? z : x)) continue;
        for (int k = 0; k < 2; k++) {
            column_of(&f[k], m == 0 ? 2 : 0, a[k]);
            if (d) hol_cross3(w[k], a[k], da[k]);
        }
        for (int i = 0; i < 3; i++) out[3 + 3 * m + i] = a[1][i] - a[0][i];
        for (int i = 0; i < 3 && d; i++) d[3 + 3 * m + i] = da[1][i] - da[0][i];
    }
}

static double square_of(const solver *s, int l)
{
    const hol_robot_loop *from = &s->r->loop[l];
    hol_import_frame f[2];
    double g[ROWS], sum = 0;
    for (int k = 0; k < 2; k++) f[k] = follow(s, &s->loop[l].side[k], &from->frame[k], NULL, NULL);
    gap(s, from->kind, (const hol_import_frame *)f, g, NULL, NULL, NULL);
    for (int i = 0; i < ROWS; i++) sum += g[i] * g[i];
    return sum;
}

// What is open of a loop, and its changes with the variables, s->J. False: no memory.
static bool find_changes(solver *s, int l, double g[ROWS])
{
    const hol_robot_loop *from = &s->r->loop[l];
    const loop *own = &s->loop[l];
    hol_arena *arena = s->in->arena;
    const hol_arena_mark mark = hol_arena_here(arena);
    hol_import_frame f[2];
    double *axis[2], *place[2];
    for (int k = 0; k < 2; k++) {
        axis[k] = hol_arena_alloc(arena, 3 * (size_t)own->side[k].n + 1, sizeof **axis);
        place[k] = hol_arena_alloc(arena, 3 * (size_t)own->side[k].n + 1, sizeof **place);
        if (!axis[k] || !place[k]) return false;
        f[k] = follow(s, &own->side[k], &from->frame[k], axis[k], place[k]);
    }
    gap(s, from->kind, (const hol_import_frame *)f, g, NULL, NULL, NULL);
    memset(s->J, 0, (size_t)(ROWS * s->n) * sizeof *s->J);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < own->side[k].n; i++) {
            const hol_robot_joint *j = &s->r->joint[own->side[k].joint[i]];
            const int c = hol_robot_has_coordinate(j) ? s->column[j->base] : -1;
            double v[2][3] = {{0}}, w[2][3] = {{0}}, arm[3], d[ROWS], none[ROWS];
            if (c < 0) continue;
            for (int m = 0; m < 3; m++) arm[m] = f[k].p[m] - place[k][3 * i + m];
            if (j->kind == HOL_ROBOT_REVOLUTE) {
                memcpy(w[k], &axis[k][3 * i], sizeof w[k]);
                hol_cross3(w[k], arm, v[k]);
            } else
                memcpy(v[k], &axis[k][3 * i], sizeof v[k]);
            gap(s, from->kind, (const hol_import_frame *)f, none, (const double(*)[3])v,
                (const double(*)[3])w, d);
            for (int m = 0; m < ROWS; m++) s->J[ROWS * c + m] += j->factor * d[m];
        }
    hol_arena_release(arena, mark);
    return true;
}

// Adds J^T J and J^T gap of a loop to the normal equations. False: no memory.
static bool add_loop(solver *s, int l)
{
    double g[ROWS];
    if (!find_changes(s, l, g)) return false;
    for (int a = 0; a < s->n; a++)
        for (int m = 0; m < ROWS; m++) {
            const double x = s->J[ROWS * a + m];
            if (x == 0) continue;
            s->g[a] += x * g[m];
            for (int b = 0; b < s->n; b++) s->A[a + b * s->n] += x * s->J[ROWS * b + m];
        }
    return true;
}

// ---- one part -------------------------------------------------------------------------------------------------

static double cost(const solver *s)
{
    double sum = 0;
    for (int i = 0; i < s->n_of; i++) sum += square_of(s, s->of[i]);
    return sum;
}

static double *value(const solver *s, int c) { return &s->r->joint[s->variable[c]].start; }

// The step that the normal equations with this damping give; variables at an end of their range that would go beyond stay.
static hol_status find_step(solver *s, double damping)
{
    const int n = s->n;
    memset(s->A, 0, (size_t)(n * n) * sizeof *s->A);
    memset(s->g, 0, (size_t)n * sizeof *s->g);
    for (int i = 0; i < s->n_of; i++)
        if (!add_loop(s, s->of[i])) return HOL_ERR_MEMORY;
    for (int c = 0; c < n; c++) {
        const double q = *value(s, c);
        const bool held = (q <= s->lower[c] && s->g[c] > 0) || (q >= s->upper[c] && s->g[c] < 0);
        for (int b = 0; b < n && held; b++) s->A[c + b * n] = s->A[b + c * n] = 0;
        if (held) s->g[c] = 0;
        s->A[c + c * n] += damping * (1 + s->A[c + c * n]);
        s->step[c] = -s->g[c];
    }
    const hol_status st = hol_dense_lu_factor(s->in->ctx, n, s->A, s->pivot);
    return st ? st : hol_dense_lu_solve(s->in->ctx, n, s->A, s->pivot, false, 1, s->step);
}

// Down from where the joints are until the loops are closed to `enough`; *sum: what is left.
static hol_status descend(solver *s, double enough, double *sum)
{
    double damping = 1e-3;
    *sum = cost(s);
    for (int i = 0; i<STEPS && * sum> enough * enough * s->n_of && damping < 1e8; i++) {
        const hol_status st = find_step(s, damping);
        if (st < 0) return st;
        for (int c = 0; c < s->n; c++) {
            double *q = value(s, c);
            s->old[c] = *q;
            if (!st) *q = fmin(s->upper[c], fmax(s->lower[c], *q + s->step[c]));
        }
        const double next = st ? HOL_INF : cost(s);
        if (next < *sum) {
            *sum = next;
            damping = fmax(damping / 10, 1e-12);
            continue;
        }
        for (int c = 0; c < s->n; c++) *value(s, c) = s->old[c];
        damping *= 4;
    }
    return HOL_OK;
}

// Storage and ranges of the part's variables.
static hol_status prepare(solver *s)
{
    const size_t n = (size_t)s->n;
    hol_arena *arena = s->in->arena;
    s->J = hol_arena_alloc(arena, ROWS * n, sizeof *s->J);
    s->A = hol_arena_alloc(arena, n * n, sizeof *s->A);
    s->g = hol_arena_alloc(arena, 5 * n, sizeof *s->g);
    s->pivot = hol_arena_alloc(arena, n, sizeof *s->pivot);
    if (!s->J || !s->A || !s->g || !s->pivot) return HOL_ERR_MEMORY;
    s->step = s->g + n, s->old = s->step + n, s->lower = s->old + n, s->upper = s->lower + n;
    for (int c = 0; c < s->n; c++) {
        const hol_robot_joint *j = &s->r->joint[s->variable[c]];
        s->lower[c] = j->limited ? j->lower : -HOL_INF;
        s->upper[c] = j->limited ? j->upper : HOL_INF;
    }
    return HOL_OK;
}

// Joints of a part somewhere in their ranges; those without one within half a turn, or the robot's size.
static void scatter(const solver *s, const double *start, hol_random *random)
{
    for (int c = 0; c < s->n; c++) {
        const hol_robot_joint *j = &s->r->joint[s->variable[c]];
        const double any = hol_random_uniform(random), middle = s->lower[c] / 2 + s->upper[c] / 2;
        const double far = j->kind == HOL_ROBOT_REVOLUTE ? HOL_PI : s->size;
        *value(s, c) = j->limited ? middle + any * (s->upper[c] - middle) : start[c] + any * far;
    }
}

// Closes the loops of a part, or leaves its joints where they were: *closed false. Where no place closes them exactly the first one counts
// that does but for the digits of the file, which are put right later; joints that are drawn so stay, for they would go far along the loop
// to be open by a little less.
static hol_status close_part(solver *s, double *work, bool *closed)
{
    hol_random random = {1};
    const double drawn = cost(s), exactly = CLOSED * CLOSED * s->n_of, about = DIGITS * DIGITS * s->n_of;
    double sum, once = 0;
    bool nearly = false;
    *closed = drawn <= exactly;
    if (*closed || !s->n || s->n > MOST_AT_ONCE) return HOL_OK;
    for (int k = 0; k < s->n_of; k++)
        once += STEPS * (ROWS * (double)s->n * s->n +
                         100.0 * (s->loop[s->of[k]].side[0].n + s->loop[s->of[k]].side[1].n));
    hol_status st = prepare(s);
    double *start = hol_arena_alloc(s->in->arena, 2 * (size_t)s->n, sizeof *start);
    if (st || !start) return st ? st : HOL_ERR_MEMORY;
    double *near = start + s->n;
    for (int c = 0; c < s->n; c++) start[c] = *value(s, c);
    for (int i = 0; !*closed && i<MOST_STARTS && * work> 0; i++) {
        *work -= once;
        if (i) scatter(s, start, &random);
        st = descend(s, CLOSED, &sum);
        if (st) return st;
        *closed = sum <= exactly;
        if (*closed || nearly || sum > about) continue;
        nearly = true;
        for (int c = 0; c < s->n; c++) near[c] = drawn <= about ? start[c] : *value(s, c);
    }
    for (int c = 0; c < s->n && !*closed; c++) *value(s, c) = nearly ? near[c] : start[c];
    for (int c = 0; c < s->n; c++)
        if (*value(s, c) != start[c]) s->r->joint[s->variable[c]].moved = true;
    *closed = *closed || nearly;
    return HOL_OK;
}

// ---- parts ----------------------------------------------------------------------------------------------------

// Loops that share variables, from one on, without the variable `out` (-1: with all); their part gets this number. Returns how many there are.
static int spread(solver *s, int first, int out, int part, int *queue)
{
    int n = 0;
    queue[n++] = first;
    s->loop[first].part = part;
    s->now++;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < s->loop[queue[k]].n_variables; i++) {
            const int v = s->loop[queue[k]].variable[i];
            if (v == out || s->column[v] == HELD || s->seen[v] == s->now) continue;
            s->seen[v] = s->now;
            for (int m = s->first[v]; m < s->first[v + 1]; m++) {
                if (s->loop[s->with[m]].part == part) continue;
                s->loop[s->with[m]].part = part;
                queue[n++] = s->with[m];
            }
        }
    return n;
}

// A joint without which loops would have nothing to do with each other, such as a crank of many legs, stays: the legs close by themselves.
static void hold_links(solver *s, int *queue)
{
    int part = 0;
    for (int v = 0; v < s->r->n_joints; v++) s->column[v] = NONE;
    for (int v = 0; v < s->r->n_joints; v++) {
        int from = -1;
        for (int m = s->first[v]; m < s->first[v + 1]; m++) {
            const loop *l = &s->loop[s->with[m]];
            if (l->n_variables < 2) continue; // closed, or never
            if (from < 0) {
                from = s->with[m];
                spread(s, from, v, ++part, queue);
            }
            if (l->part != part) s->column[v] = HELD;
        }
    }
    for (int l = 0; l < s->r->n_loops; l++) s->loop[l].part = 0;
}

// The part of a loop: its loops and variables.
static hol_status take_part(solver *s, int first, int *queue)
{
    for (int j = 0; j < s->r->n_joints; j++)
        if (s->column[j] >= 0) s->column[j] = NONE;
    s->n_of = spread(s, first, -1, first + 1, queue);
    s->of = queue;
    s->n = 0;
    s->variable = NULL;
    for (int k = 0; k < s->n_of; k++) {
        const loop *l = &s->loop[queue[k]];
        for (int i = 0; i < l->n_variables; i++) {
            const int v = l->variable[i];
            if (s->column[v] != NONE) continue;
            if (!HOL_ARENA_GROW(s->in->arena, s->variable, s->n)) return HOL_ERR_MEMORY;
            s->column[v] = s->n;
            s->variable[s->n++] = v;
        }
    }
    return HOL_OK;
}

// The joints that link the part to others are free from now on; false: there are none.
static bool release_links(solver *s)
{
    bool any = false;
    for (int k = 0; k < s->n_of; k++) {
        const loop *l = &s->loop[s->of[k]];
        for (int i = 0; i < l->n_variables; i++) {
            if (s->column[l->variable[i]] != HELD) continue;
            s->column[l->variable[i]] = NONE;
            any = true;
        }
    }
    for (int l = 0; l < s->r->n_loops && any; l++) s->loop[l].part = 0;
    return any;
}

// The part of a loop, and if it does not close so, those that it is linked with, too.
static hol_status close_from(solver *s, int first, int *queue, double *work)
{
    bool closed = false, larger = true;
    hol_status st = HOL_OK;
    while (!st && !closed && larger) {
        st = take_part(s, first, queue);
        if (!st) st = close_part(s, work, &closed);
        larger = !st && !closed && release_links(s);
    }
    if (st || closed) return st;
    return hol_import_tell(
        s->in, HOL_TOLD_ASSUMED, s->r->loop[first].at, s->r->loop[first].name,
        "loops that are open as drawn, for no place was found where they close within all limits",
        "they are drawn open");
}

// ---- digits ---------------------------------------------------------------------------------------------------

// How many of the loops' equations are independent: `strictly` as the model takes them, and those that are so by more than the digits
// of a file make of equations that follow from others.
static hol_status count_rows(solver *s, int *strictly, int *plainly)
{
    const int rows = ROWS * s->n_of, most = rows < s->n ? rows : s->n;
    double *J = hol_arena_alloc(s->in->arena, (size_t)rows * (size_t)s->n, sizeof *J), g[ROWS];
    hol_dense_qr qr = {0};
    hol_status st = J ? hol_dense_qr_create(s->in->ctx, &qr, rows, s->n) : HOL_ERR_MEMORY;
    for (int l = 0; l < s->n_of && !st; l++) {
        st = find_changes(s, s->of[l], g) ? HOL_OK : HOL_ERR_MEMORY;
        for (int c = 0; c < s->n && !st; c++)
            memcpy(J + (size_t)c * (size_t)rows + ROWS * l, s->J + ROWS * c, ROWS * sizeof *J);
    }
    if (!st) st = hol_dense_qr_factor(s->in->ctx, &qr, rows, s->n, J, DEPENDENT);
    *strictly = *plainly = 0;
    for (int k = 0; k < most && !st; k++) {
        const double part = fabs(qr.a[k + k * rows]) / fabs(qr.a[0]);
        *strictly += part > DEPENDENT;
        *plainly += part > DIGITS;
    }
    hol_dense_qr_destroy(&qr);
    return st;
}

// Directions of hinges, each of those that are parallel but for digits once.
typedef struct {
    double (*axis)[3];
    int n;
} directions;

static double along_of(const double a[3], const double b[3], double apart[3])
{
    const double dot = hol_dot3(a, b);
    for (int i = 0; i < 3; i++) apart[i] = a[i] - dot * b[i];
    return dot;
}

// The direction that a has but for digits: a becomes parallel to it. Slides become perpendicular to hinges, too.
static void straighten(const directions *d, bool slide, double a[3])
{
    double apart[3];
    for (int i = 0; i < d->n; i++) {
        const double dot = along_of(a, d->axis[i], apart);
        if (sqrt(hol_dot3(apart, apart)) < DIGITS) {
            for (int k = 0; k < 3; k++) a[k] = dot < 0 ? -d->axis[i][k] : d->axis[i][k];
            return;
        }
        if (!slide || fabs(dot) > DIGITS) continue;
        const double length = sqrt(hol_dot3(apart, apart));
        for (int k = 0; k < 3; k++) a[k] = apart[k] / length;
    }
}

static void turn_to(const double R[9], const double u[3], bool back, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = back ? R[i] * u[0] + R[3 + i] * u[1] + R[6 + i] * u[2]
                      : R[3 * i] * u[0] + R[3 * i + 1] * u[1] + R[3 * i + 2] * u[2];
}

// Frames of all links as drawn, globally. With directions the axes of joints that were seen in this search become straight on the way;
// of those that are not, `to` takes the directions of hinges.
static void place_links(solver *s, const directions *straight, directions *to, hol_import_frame *link)
{
    hol_robot *r = s->r;
    link[r->order[0]] = hol_frame_none;
    for (int k = 1; k < r->n_links; k++) {
        const int i = r->order[k], c = r->link[i].joint;
        hol_robot_joint *j = &r->joint[c], drawn;
        double a[3];
        link[i] = hol_frame_times(&link[j->parent], &j->frame);
        turn_to(link[i].R, j->axis, false, a);
        const bool on_way = s->seen[c] == s->now && hol_robot_has_coordinate(j),
                   hinge = j->kind == HOL_ROBOT_REVOLUTE;
        if (on_way && to && hinge) {
            straighten(to, false, a);
            memcpy(to->axis[to->n++], a, sizeof a); // one that is there already does no harm
        }
        if (on_way && straight) {
            straighten(straight, !hinge, a);
            turn_to(link[i].R, a, true, j->axis);
        }
        drawn = *j;
        drawn.start = hol_robot_coordinate(r, j);
        const hol_import_frame moved = hol_robot_motion(&drawn);
        link[i] = hol_frame_times(&link[i], &moved);
    }
}

// Turns a frame by the least angle so that its z is that.
static void turn_z(double R[9], const double z[3])
{
    const double own[3] = {R[2], R[5], R[8]};
    double about[3], turn[9];
    hol_cross3(own, z, about);
    const double sine = sqrt(hol_dot3(about, about));
    if (sine == 0) return;
    for (int i = 0; i < 3; i++) about[i] /= sine;
    hol_frame_about(about, atan2(sine, hol_dot3(own, z)), turn);
    hol_matrix_times(turn, R, R);
    for (int i = 0; i < 3; i++) R[3 * i + 2] = z[i];
}

// Moves the second end of a loop to where it is closed.
static void close_end(hol_robot_kind kind, hol_import_frame f[2])
{
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = f[1].p[k] - f[0].p[k];
    for (int i = 0; i < 3; i++) {
        double u[3];
        if (i < 2 ? kind == HOL_ROBOT_PLANAR : kind == HOL_ROBOT_PRISMATIC) continue;
        column_of(&f[0], i, u);
        const double open = hol_dot3(u, apart);
        for (int k = 0; k < 3; k++) f[1].p[k] -= open * u[k];
    }
    const double z[3] = {f[0].R[2], f[0].R[5], f[0].R[8]};
    if (kind == HOL_ROBOT_FIXED || kind == HOL_ROBOT_PRISMATIC)
        memcpy(f[1].R, f[0].R, sizeof f[1].R);
    else if (kind != HOL_ROBOT_SPHERICAL)
        turn_z(f[1].R, z);
}

// Closes the loops of the part as drawn by their ends; with directions their axes become straight, too.
static void close_ends(solver *s, const directions *straight, const hol_import_frame *link)
{
    for (int k = 0; k < s->n_of; k++) {
        hol_robot_loop *l = &s->r->loop[s->of[k]];
        hol_import_frame f[2];
        for (int e = 0; e < 2; e++) f[e] = hol_frame_times(&link[l->link[e]], &l->frame[e]);
        if (straight && (l->kind == HOL_ROBOT_REVOLUTE || l->kind == HOL_ROBOT_PRISMATIC)) {
            double z[3];
            column_of(&f[0], 2, z);
            straighten(straight, l->kind == HOL_ROBOT_PRISMATIC, z);
            turn_z(f[0].R, z);
        }
        close_end(l->kind, f);
        for (int e = 0; e < 2; e++) {
            const hol_import_frame back = hol_frame_inverse(&link[l->link[e]]);
            l->frame[e] = hol_frame_times(&back, &f[e]);
        }
    }
}

// What is changed here, as it was.
typedef struct {
    double *start, (*axis)[3];
    hol_import_frame (*end)[2];
} source;

// Notes joints and loops before they are changed; false: no memory.
static bool keep_source(const solver *s, source *was)
{
    hol_arena *arena = s->in->arena;
    const hol_robot *r = s->r;
    was->start = hol_arena_alloc(arena, (size_t)r->n_joints + 1, sizeof *was->start);
    was->axis = hol_arena_alloc(arena, (size_t)r->n_joints + 1, sizeof *was->axis);
    was->end = hol_arena_alloc(arena, (size_t)r->n_loops + 1, sizeof *was->end);
    if (!was->start || !was->axis || !was->end) return false;
    for (int j = 0; j < r->n_joints; j++) {
        was->start[j] = r->joint[j].start;
        memcpy(was->axis[j], r->joint[j].axis, sizeof was->axis[j]);
    }
    for (int l = 0; l < r->n_loops; l++) memcpy(was->end[l], r->loop[l].frame, sizeof was->end[l]);
    return true;
}

static void put_back(solver *s, const source *was)
{
    for (int c = 0; c < s->n; c++) *value(s, c) = was->start[s->variable[c]];
    for (int j = 0; j < s->r->n_joints; j++) memcpy(s->r->joint[j].axis, was->axis[j], sizeof was->axis[j]);
    for (int k = 0; k < s->n_of; k++)
        memcpy(s->r->loop[s->of[k]].frame, was->end[s->of[k]], sizeof was->end[0]);
}

// Tells of axes that were turned and ends that were moved, with how far.
static hol_status tell_digits(const solver *s, const source *was)
{
    hol_status st = HOL_OK;
    for (int j = 0; j < s->r->n_joints && !st; j++) {
        const hol_robot_joint *joint = &s->r->joint[j];
        double apart[3];
        along_of(joint->axis, was->axis[j], apart);
        if (sqrt(hol_dot3(apart, apart)) < EXACT) continue;
        st = hol_import_tell(
            s->in, HOL_TOLD_ASSUMED, joint->at,
            hol_arena_print(s->in->arena, "%s by %.2g rad", joint->name, sqrt(hol_dot3(apart, apart))),
            "axes of loops that are parallel, or perpendicular, but for the digits of the file, which would "
            "keep the loop from moving",
            "they are turned to be so exactly");
    }
    for (int k = 0; k < s->n_of && !st; k++) {
        const hol_robot_loop *l = &s->r->loop[s->of[k]];
        const hol_import_frame *old = was->end[s->of[k]];
        double moved = 0, turned = 0;
        for (int e = 0; e < 2; e++) {
            for (int i = 0; i < 3; i++) moved = fmax(moved, fabs(l->frame[e].p[i] - old[e].p[i]));
            for (int i = 0; i < 9; i++) turned = fmax(turned, fabs(l->frame[e].R[i] - old[e].R[i]));
        }
        if (moved < EXACT * s->size && turned < EXACT) continue;
        st = hol_import_tell(s->in, HOL_TOLD_ASSUMED, l->at,
                             hol_arena_print(s->in->arena, "%s by %.2g m, %.2g rad", l->name, moved, turned),
                             "loops whose ends do not meet exactly, by the digits of the file",
                             "the ends are moved to where they do");
    }
    return st;
}

// Makes the axes of the part's joints straight, and closes its loops.
static void straighten_part(solver *s, directions *found, hol_import_frame *link)
{
    s->now++;
    for (int k = 0; k < s->n_of; k++)
        for (int e = 0; e < 2; e++) {
            const path *p = &s->loop[s->of[k]].side[e];
            for (int i = 0; i < p->n; i++) s->seen[p->joint[i]] = s->now;
        }
    place_links(s, NULL, found, link);
    place_links(s, found, NULL, link);
    close_ends(s, found, link);
}

// Loops that the digits of the file leave open, or whose equations are independent by these alone, such as of a plane four-bar
// whose axes were written with five digits: put right where that makes the equations follow from each other.
static hol_status mend_part(solver *s)
{
    source was;
    double sum = HOL_INF;
    int strictly = 0, plainly = 0, still;
    hol_import_frame *link = hol_arena_alloc(s->in->arena, (size_t)s->r->n_links, sizeof *link);
    directions found = {hol_arena_alloc(s->in->arena, (size_t)s->r->n_joints + 1, sizeof *found.axis), 0};
    if (!link || !found.axis || !keep_source(s, &was)) return HOL_ERR_MEMORY;
    if (cost(s) > DIGITS * DIGITS * s->n_of) return HOL_OK; // drawn open
    hol_status st = prepare(s);
    if (!st) st = descend(s, EXACT, &sum);
    if (!st) st = count_rows(s, &strictly, &plainly);
    put_back(s, &was);
    const bool meets = sum <= EXACT * EXACT * s->n_of;
    if (st || (meets && strictly == plainly)) return st;
    if (strictly > plainly) {
        straighten_part(s, &found, link);
        st = count_rows(s, &still, &plainly);
        if (!st && still < strictly && still == plainly) return tell_digits(s, &was);
        put_back(s, &was);
        if (st || meets) return st;
    }
    place_links(s, NULL, NULL, link);
    close_ends(s, NULL, link);
    return tell_digits(s, &was);
}

// Parts with all their variables.
static hol_status mend_all(solver *s, int *queue)
{
    hol_status st = HOL_OK;
    for (int v = 0; v < s->r->n_joints; v++) s->column[v] = NONE;
    for (int l = 0; l < s->r->n_loops; l++) s->loop[l].part = 0;
    for (int l = 0; l < s->r->n_loops && !st; l++) {
        if (s->loop[l].part) continue;
        st = take_part(s, l, queue);
        if (!st && s->n && s->n <= MOST_AT_ONCE) st = mend_part(s);
    }
    return st;
}

static double size_of(const hol_robot *r)
{
    double most = 0;
    for (int j = 0; j < r->n_joints; j++)
        for (int i = 0; i < 3; i++) most = fmax(most, fabs(r->joint[j].frame.p[i]));
    for (int l = 0; l < r->n_loops; l++)
        for (int i = 0; i < 6; i++) most = fmax(most, fabs(r->loop[l].frame[i / 3].p[i % 3]));
    return most > 0 ? most : 1;
}

// Ways and variables of all loops; *n: variables of all together.
static hol_status begin(solver *s, int *n)
{
    hol_arena *arena = s->in->arena;
    const size_t joints = (size_t)s->r->n_joints;
    s->loop = hol_arena_alloc(arena, (size_t)s->r->n_loops, sizeof *s->loop);
    s->column = hol_arena_alloc(arena, joints + 1, sizeof *s->column);
    s->seen = hol_arena_alloc(arena, joints + 1, sizeof *s->seen);
    s->first = hol_arena_alloc(arena, joints + 2, sizeof *s->first);
    hol_status st = s->loop && s->column && s->seen && s->first ? HOL_OK : HOL_ERR_MEMORY;
    for (int l = 0; l < s->r->n_loops && !st; l++) {
        st = find_path(s, &s->r->loop[l], &s->loop[l]);
        if (!st) st = find_variables(s, &s->loop[l]);
        *n += s->loop[l].n_variables;
    }
    return st ? st : find_loops(s);
}

hol_status hol_robot_close_loops(hol_import *in, hol_robot *r)
{
    enum { MOST_LOOPS = 500, MOST_VARIABLES = 3000, SANDBOX = 300 }; // more are left to the assembly
    solver s = {.in = in, .r = r, .size = size_of(r)};
    double work = in->sandbox ? WORK / SANDBOX : WORK;
    int n = 0;
    if (!r->n_loops || r->n_loops > MOST_LOOPS) return HOL_OK;
    hol_status st = begin(&s, &n);
    int *queue = hol_arena_alloc(in->arena, (size_t)r->n_loops, sizeof *queue);
    if (st || !queue) return st ? st : HOL_ERR_MEMORY;
    if (n > MOST_VARIABLES) return HOL_OK;
    hold_links(&s, queue);
    for (int l = 0; l < r->n_loops && !st; l++)
        if (!s.loop[l].part) st = close_from(&s, l, queue, &work);
    return st ? st : mend_all(&s, queue);
}
