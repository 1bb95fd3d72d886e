// What a start says: what of the user's data it has changed, and why it fails. docs/theory.md, sections 4.1 and 4.2.
#include "system/start_told.h"
#include "system/approach.h"
#include "system/fault.h"
#include "system/initial.h"
#include "linalg/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FAR 0.1     // of the body's size: a body moved so far by the assembly is a warning
#define REPORT 1e-6 // changes of the user's data above this (relative to natural sizes) are reported

// ---- reports --------------------------------------------------------------------------------------------------

static const char *coordinate_name(const hol_body *b, int k)
{
    static const char *const names[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    return b->frame == HOL_FRAME_PLANAR && k == 2 ? "theta" : names[k];
}

enum { COORDINATES = 7 };

// A body's coordinates as the model file has them, or their rates where v is given: of its frame, not of the centre of mass.
// What is rounding of the way there is 0.
void hol_start_as_typed(const hol_model_data *m, int body, const double *q, const double *v,
                        double out[COORDINATES])
{
    const hol_body *b = &m->body[body];
    const hol_marker *frame = &m->marker[b->marker].marker;
    const double arm = fabs(frame->s[0]) + fabs(frame->s[1]) + fabs(frame->s[2]), *from = v ? v : q;
    hol_real y[COORDINATES + 1] = {0}, w[COORDINATES + 1] = {0};
    hol_feature p;
    for (int i = 0; i < b->size; i++) {
        y[i] = q[b->q + i];
        w[i] = v ? v[b->q + i] : 0;
        out[i] = from[b->q + i];
    }
    if (arm == 0) return;
    hol_feature_eval(frame, HOL_ORIGIN, y, w, 2, &p);
    for (int i = 0; i < m->dimension; i++) {
        const double place = hol_re(v ? p.fw[i] : p.f[i]), way = fabs(place - out[i]);
        out[i] = fabs(place) <= 8 * DBL_EPSILON * way ? 0 : place;
    }
}

// Body by body: asked -> used for whatever the projection changed. v0, v: velocities, NULL: positions.
void hol_start_report(hol_context *ctx, const hol_equations *s, const double *q, const double *v0,
                      const double *v)
{
    enum { SHOWN = 8 };
    int shown = 0, hidden = 0;
    const hol_model_data *m = s->m;
    const char *what = v ? "velocity" : "position";
    for (int b = 0; b < m->n_bodies; b++) {
        double asked[COORDINATES], used[COORDINATES];
        hol_start_as_typed(m, b, m->q0, v0, asked);
        hol_start_as_typed(m, b, q, v, used);
        for (int k = 0; k < m->body[b].size; k++) {
            const double size = s->q_size[m->body[b].q + k] / (v ? m->time_scale : 1);
            if (fabs(used[k] - asked[k]) <= REPORT * fmax(size, fabs(asked[k]))) continue;
            if (shown++ >= SHOWN)
                hidden++;
            else
                hol_note(ctx, HOL_NOTICE,
                         "start: %s of %s.%s: %.9g asked -> %.9g used, so that the joints hold", what,
                         m->body[b].name, coordinate_name(&m->body[b], k), asked[k], used[k]);
        }
    }
    if (hidden) hol_note(ctx, HOL_NOTICE, "start: %d more %s changed", hidden, what);
}

// The angle between two orientations of a body: in space up to half a turn, in the plane with whole turns, which springs and motors feel.
static double turned_by(const hol_body *b, const double *from, const double *to)
{
    double product = 0;
    if (b->frame == HOL_FRAME_PLANAR) return fabs(to[b->q + 2] - from[b->q + 2]);
    if (b->frame != HOL_FRAME_SPATIAL) return 0;
    for (int i = 3; i < 7; i++) product += from[b->q + i] * to[b->q + i];
    return 2 * acos(fmin(1, fabs(product)));
}

// A pose that is far from the one drawn may be another one than was meant: the bodies that have moved, and turned, most.
void hol_start_warn_far(hol_context *ctx, const hol_equations *s, const double *used)
{
    const hol_model_data *m = s->m;
    double most = 0, way = 0, turn = 0;
    int moved = 0, turned = 0, n_moved = 0, n_turned = 0;
    for (int b = 0; b < m->n_bodies; b++) {
        double sum = 0, from[COORDINATES], to[COORDINATES];
        hol_start_as_typed(m, b, m->q0, NULL, from);
        hol_start_as_typed(m, b, used, NULL, to);
        for (int k = 0; k < m->dimension; k++) sum += pow(to[k] - from[k], 2);
        const double size = m->body[b].length > 0 ? m->body[b].length : m->length_scale,
                     part = sqrt(sum) / size, angle = turned_by(&m->body[b], m->q0, used);
        n_moved += part > FAR;
        n_turned += angle > HOL_PI / 2;
        if (part > most) {
            most = part;
            way = sqrt(sum);
            moved = b;
        }
        if (angle > turn) {
            turn = angle;
            turned = b;
        }
    }
    char more[2][60] = {"", ""};
    if (n_moved > 1) snprintf(more[0], sizeof more[0], ", and %d more by a tenth or more", n_moved - 1);
    if (n_turned > 1) snprintf(more[1], sizeof more[1], ", and %d more by 90 or more", n_turned - 1);
    if (n_moved)
        hol_note(ctx, HOL_WARNING,
                 "start: \"%s\" is moved by %.4g m, %.2g of its size%s, so that the joints hold: draw it "
                 "nearer if "
                 "another pose is meant",
                 m->body[moved].name, way, most, more[0]);
    if (n_turned)
        hol_note(ctx, HOL_WARNING,
                 "start: \"%s\" is turned by %.4g degrees%s, so that the joints hold: draw it nearer if "
                 "another pose is "
                 "meant",
                 m->body[turned].name, turn * 180 / HOL_PI, more[1]);
}

void hol_start_tell_nearly(const hol_model_data *m, const hol_rank *rank, bool way, char *text, size_t size)
{
    const char *element;
    const hol_row row = hol_model_row(m, rank->nearly_row, &element);
    hol_decimal_print(
        text, size,
        "%s (%s) follows from other equations of the loop %s but for %.1e: digits of lengths and "
        "angles may make that, and take %d degree%s of freedom%s",
        element, row.direction, rank->nearly_loop, rank->nearly_by, rank->nearly,
        rank->nearly == 1 ? "" : "s",
        way ? ". Write directions and angles of the joints there with ten digits or more, or give "
              "parallel axes by the same numbers; or take a joint that leaves free what the others "
              "hold, such as spherical or cylindrical for revolute"
            : "; `holonom check` says what to do");
}

// As drawn most of the bodies lie in each other: no length is to blame. HOL_OK: it is not so.
static hol_status fail_one_place(hol_context *ctx, const hol_equations *s, const char *open)
{
    int count, named[2];
    const hol_model_data *m = s->m;
    const hol_status st = hol_bodies_at_one_place(s, m->q0, &count, named);
    if (st || count < 2 || 2 * count < m->n_bodies) return st;
    return hol_fail_at(
        ctx, HOL_ERR_ASSEMBLY, m->body[named[0]].at,
        "the joints cannot be closed: %d of %d bodies are drawn at one place (\"%s\", "
        "\"%s\"%s), and from there "
        "no pose is found in which they fit; what remains, relative to the size of the "
        "bodies: %s. Give each body a "
        "`position` and an orientation near the assembled pose; a rough drawing will do, unless "
        "the lengths cannot reach at all",
        count, m->n_bodies, m->body[named[0]].name, m->body[named[1]].name, count > 2 ? ", .." : "", open);
}

// "a: 0.8 m (longer by 0.4 m, derivative of the gap -1), ..": what closes the loop.
static size_t print_lengths(const hol_assembler *a, char *text, size_t size)
{
    size_t n = 0;
    text[0] = 0;
    for (int i = 0; i < a->n_lengths && n + 160 < size; i++) {
        const hol_length *l = &a->length[i];
        const char *blank = *l->unit ? " " : "", *how = strcmp(l->unit, "m") == 0
                                                            ? l->then > l->now ? "longer" : "shorter"
                                                        : l->then > l->now ? "larger"
                                                                           : "smaller";
        n += (size_t)hol_decimal_print(text + n, size - n, "%s%.60s: %.15g%s%s (%s by %.6g%s%s%s%.3g)",
                                       i ? ", " : "", l->name, l->then, blank, l->unit, how,
                                       fabs(l->then - l->now), blank, l->unit,
                                       i ? ", " : ", derivative of the gap ", l->by);
    }
    return n;
}

// The loop that stays open, by how much, and what would close it.
static hol_status fail_loop(hol_context *ctx, const hol_assembler *a)
{
    char gap[200] = "", others[60] = "", lengths[1000];
    const bool several = strchr(a->loop, ',') != NULL;
    if (isfinite(a->gap))
        hol_decimal_print(gap, sizeof gap, "; with %s alone left open: %.6g", a->alone, a->gap);
    if (a->others)
        hol_decimal_print(others, sizeof others, "; %d other loop%s too", a->others,
                          a->others > 1 ? "s do" : " does");
    char all[60] = "";
    if (isfinite(a->gap) && several) hol_decimal_print(all, sizeof all, " by %.6g in all", a->gap);
    if (print_lengths(a, lengths, sizeof lengths))
        return hol_fail_at(
            ctx, HOL_ERR_ASSEMBLY, a->open_at,
            "the joints cannot be closed: %s%s stays open%s%s; open in the nearest pose: %s%s (m, "
            "or rad). One of these parameters would close it: %s",
            several ? "the loop " : "", a->loop, all, others, a->nearest, several ? gap : "", lengths);
    return hol_fail_at(ctx, HOL_ERR_ASSEMBLY, a->open_at,
                       "the joints cannot be closed: %s%s stays open%s%s; open in the nearest pose: %s%s (m, "
                       "or rad). Check the "
                       "lengths between the markers, or draw the bodies nearer to a pose in which they fit",
                       several ? "the loop " : "", a->loop, all, others, a->nearest, several ? gap : "");
}

// The message that the joints cannot be closed, with those that are open the most.
hol_status hol_start_fail_assembly(hol_context *ctx, hol_kernel *k, const hol_state *x,
                                   const hol_assembler *a)
{
    hol_equations *s = k->s;
    // the joints with the largest residuals, by name
    char text[600];
    size_t n = 0;
    int element[4];
    double size[4];
    double *r = k->work;
    memset(r, 0, (size_t)s->n * sizeof *r);
    hol_equations_residual(s, x, NULL, r + s->nf);
    for (int i = 0; i < s->nc; i++) r[s->nf + i] /= s->row_size[i];
    hol_equations_worst(s, r, 4, element, size);
    for (int i = 0; i < 4 && element[i] >= 0 && n < sizeof text - 100; i++)
        n += (size_t)hol_decimal_print(text + n, sizeof text - n, "%s%s (%.3g)", i ? ", " : "",
                                       s->m->element[element[i]].name, size[i]);
    if (!n) { // no number to compare: something in the equations is not finite
        hol_status st = hol_fault_report_start(s, x, HOL_OK);
        return st ? st
                  : hol_fail(ctx, HOL_ERR_ASSEMBLY,
                             "the joints cannot be closed: their equations have no finite values on the way; "
                             "look at the "
                             "positions, lengths and drivers");
    }
    const hol_src at = element[0] >= 0 ? s->m->element[element[0]].at : (hol_src){0};
    hol_status st = fail_one_place(ctx, s, text);
    for (int i = 0; i < 4 && element[i] >= 0 && !st; i++)
        st = hol_fault_rivals(ctx, s->m, element[i], HOL_ERR_ASSEMBLY, "the joints cannot be closed");
    if (st) return st;
    if (a && a->loop[0]) return fail_loop(ctx, a);
    return hol_fail_at(
        ctx, HOL_ERR_ASSEMBLY, at,
        "the joints cannot be closed: what remains, relative to the size of the bodies: %s. Check the "
        "lengths between the markers, or draw the bodies nearer to a pose in which they fit",
        text);
}

hol_status hol_start_fail_require(hol_context *ctx, hol_assembler *a, const hol_assemblies *found)
{
    const hol_require *r = hol_require_broken(&a->m, &a->x);
    char values[400];
    size_t n = 0;
    values[0] = 0;
    for (int i = 0; i < found->n && n + 140 < sizeof values; i++) {
        memcpy(a->x.q, found->found[i].q, (size_t)a->m.nq * sizeof *a->x.q);
        const hol_require *broken = hol_require_broken(&a->m, &a->x);
        n += (size_t)hol_decimal_print(values + n, sizeof values - n, "%s%.6g", i ? ", " : "",
                                       hol_require_value(&a->m, broken, &a->x));
        if (broken != r)
            n += (size_t)hol_decimal_print(values + n, sizeof values - n, " of %.80s", broken->text);
    }
    memcpy(a->x.q, found->found[0].q, (size_t)a->m.nq * sizeof *a->x.q);
    return hol_fail_at(
        ctx, HOL_ERR_ASSEMBLY, r->at,
        "%s: \"%s\" does not hold: left less right side is %s in the %s found, from the drawing and by "
        "reflections of it. Require something else (holonom assemble --all lists the poses), or draw the "
        "bodies "
        "near to the pose that is meant",
        r->path, r->text, values, found->n > 1 ? "poses" : "one pose");
}

// Does the matrix with these equations have a solution? Leaves it for a random right-hand side in k->rhs.
static bool is_regular(hol_kernel *k, const hol_state *x, unsigned with, double shift)
{
    const hol_coefficients mass_only = {1, 0, 0, 0, with};
    const hol_equations *s = k->s;
    hol_random random = {7};
    if (hol_kernel_need(k)) return false;
    double *values = hol_kkt_values(k->A);
    hol_kernel_matrix(k, x, &mass_only);
    for (int i = 0; i < s->nz; i++) values[s->diagonal[s->nq + i]] += shift;
    for (int i = 0; i < s->nk; i++) values[s->diagonal[s->nf + s->nc + i]] -= shift;
    for (int i = 0; i < s->n; i++) k->rhs[i] = hol_random_uniform(&random);
    double most = 0;
    if (hol_kernel_factor(k) || hol_kernel_solve(k, 1, k->rhs)) return false;
    for (int i = 0; i < s->n; i++) most = fmax(most, fabs(k->rhs[i]));
    return most < 1e12;
}

// Does the unknown follow from itself, alone or through others, and through forces that they make? seen (nz): room, zero before.
static bool meets_itself(const hol_model_data *m, int from, int wanted, char *seen);
static bool leads_to(const hol_model_data *m, int z, int wanted, char *seen)
{
    if (seen[z]) return false;
    seen[z] = 1;
    return z == wanted || meets_itself(m, z, wanted, seen);
}

// The same of what the equation `from` takes.
static bool meets_itself(const hol_model_data *m, int from, int wanted, char *seen)
{
    const hol_equation *e = &m->equation[from];
    bool met = e->block != 0; // user code: nobody knows
    for (int i = 0; i < e->n_leaves && !met; i++) {
        const hol_leaf *l = &e->leaf[i];
        const hol_element *force = l->kind == HOL_LEAF_REACTION ? &m->element[l->index] : NULL;
        if (l->kind == HOL_LEAF_VALUE) met = leads_to(m, l->index, wanted, seen);
        for (int k = 0; force && k < force->n_inputs && !met; k++)
            met = !force->input[k].time && leads_to(m, force->input[k].z, wanted, seen);
    }
    return met;
}

enum { MOST_CIRCLES = 2000 };

// The unknown in a circle whose expression is furthest from it, by its size; off (nz): z - E. Of very many any one is named.
static int furthest_in_circle(hol_context *ctx, const hol_equations *s, const hol_state *x, const double *off)
{
    double most = 1e-9;
    int worst = -1;
    char *seen = hol_calloc(ctx, (size_t)s->nz, 1);
    for (int i = 0; i < s->nz && seen; i++) {
        const double part = fabs(off[i]) / fmax(fmax(fabs(x->z[i]), fabs(x->z[i] - off[i])), 1e-300);
        const double far = isfinite(off[i]) ? part : HOL_INF;
        memset(seen, 0, (size_t)s->nz);
        if (!(far > most) || s->m->equation[i].block ||
            (s->nz <= MOST_CIRCLES && !meets_itself(s->m, i, i, seen)))
            continue;
        most = far;
        worst = i;
    }
    hol_free(seen);
    return worst;
}

// Where the search has led to infinity, it begins again: slopes there are no numbers, of which a matrix could be made.
static void return_from_infinity(hol_kernel *k, hol_state *x)
{
    bool far = false;
    hol_equations_users(k->s, x, k->work);
    for (int i = 0; i < k->s->nz; i++) far = far || !(fabs(k->work[i]) < 1e9 * fmax(1, fabs(x->z[i])));
    for (int i = 0; i < k->s->nz && far; i++) x->z[i] = 0;
}

// The matrix has an inverse, and the search came to no end: expressions of users are all that is not linear in the unknowns.
static hol_status fail_roots(hol_context *ctx, hol_kernel *k, const hol_state *x)
{
    hol_equations *s = k->s;
    hol_equations_users(s, x, k->work);
    const int i = furthest_in_circle(ctx, s, x, k->work);
    if (i < 0) return HOL_OK;
    const double value = x->z[i] - k->work[i];
    char tried[80] = "the search leads to infinity";
    if (fabs(x->z[i]) < 1e9 && fabs(value) < 1e9)
        hol_decimal_print(tried, sizeof tried, "at %.4g its expression is %.4g", x->z[i], value);
    return hol_fail_at(ctx, HOL_ERR_INTEGRATION, s->m->equation[i].at,
                       "%s: its expression depends on it, alone or through others, and no value was found at "
                       "the start that its "
                       "expression has too: %s. Is there one, or is a sign wrong? Change the expression, or "
                       "let a state follow "
                       "it: `rate: (.. - %s)/0.01`",
                       s->m->equation[i].path, tried, s->m->equation[i].name);
}

// Users' equations and velocity constraints that make the accelerations indeterminate; HOL_OK: it is not they.
hol_status hol_start_fail_users(hol_context *ctx, hol_kernel *k, hol_state *x)
{
    const hol_equations *s = k->s;
    const hol_model_data *m = s->m;
    const double shift = 1e-9;
    int worst = 0;
    if (!s->nz && !s->nk) return HOL_OK;
    memset(x->a, 0, (size_t)s->n * sizeof *x->a); // a, z, lam and kap
    if (hol_start_follow(k, x)) return HOL_ERR_MEMORY;
    return_from_infinity(k, x);
    if (!is_regular(k, x, 0, 0)) return HOL_OK;
    const bool equations = !is_regular(k, x, HOL_WITH_EQUATIONS, 0);
    if (!equations && is_regular(k, x, HOL_WITH_ALL, 0)) return fail_roots(ctx, k, x);
    // the direction in which the matrix is singular
    if (!is_regular(k, x, equations ? HOL_WITH_EQUATIONS : HOL_WITH_ALL, shift)) return HOL_OK;
    const double *part = k->rhs + (equations ? s->nq : s->nf + s->nc);
    for (int i = 1; i < (equations ? s->nz : s->nk); i++)
        if (fabs(part[i]) > fabs(part[worst])) worst = i;
    if (equations)
        return hol_fail_at(
            ctx, HOL_ERR_INTEGRATION, m->equation[worst].at,
            "%s: its expression does not determine it at the start: it depends on itself, alone or through "
            "others, by a factor of 1",
            m->equation[worst].name);
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (e->n_rates && worst >= e->rate && worst < e->rate + e->n_rates)
            return hol_fail_at(
                ctx, HOL_ERR_ASSEMBLY, e->at,
                "constraints.%s: it follows from other constraints or joints, or contradicts them, at the "
                "start; leave it out",
                e->name);
    }
    return HOL_OK;
}

// Has the body a direction in which nothing resists: a mass or an inertia of 0?
static bool lacks_inertia(const hol_equations *s, const hol_state *x, const hol_element *e)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], M[49]; // of a body
    const int n = e->ny - 1;
    if (e->type->role != HOL_ROLE_BODY) return false;
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    e->type->mass(e->data, y, M);
    for (int i = 0; i < n && i < 3; i++)
        if (hol_re(M[i * n + i]) == 0) return true;
    double sum = 0,
           least = HOL_INF; // of rotations: Euler parameters have one direction without inertia anyway
    for (int i = n == 3 && s->m->dimension == 2 ? 2 : 3; i < n; i++) {
        sum += fabs(hol_re(M[i * n + i]));
        least = fmin(least, fabs(hol_re(M[i * n + i])));
    }
    hol_inertia own = {0};
    if (e->type->inertia) e->type->inertia(e->data, &own);
    if (e->type->inertia && s->m->dimension == 3 && own.m > 0 && n == 7)
        return own.J[0] <= 0 || own.J[4] <= 0 || own.J[8] <= 0;
    return n > 2 && sum == 0;
}

// A constraint that no motion changes here, as DM = 0 where the points meet: it holds nothing, and has no multiplier.
// Accelerations by the KKT matrix fail there; where they are found without, this is asked first.
hol_status hol_start_fail_constraints(hol_context *ctx, const hol_equations *s, const hol_state *x)
{
    const hol_model_data *m = s->m;
    for (int k = m->n_bodies; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], phi[HOL_MAX_ROWS], J[HOL_MAX_ROWS * HOL_MAX_Y] = {0};
        double sum = 0;
        if (!e->n_rows || !hol_element_acts(e, x->mem)) continue;
        hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
        e->type->phi(e->data, e->ny, y, x->mem + e->mem, phi, J);
        for (int i = 0; i < e->n_rows; i++)
            for (int j = 0; j < e->ny - 1; j++) sum += fabs(hol_re(J[i * e->ny + j]));
        if (sum == 0)
            return hol_fail_at(
                ctx, HOL_ERR_MODEL, e->at,
                "%s: no motion changes it at the start, so it holds nothing there: begin beside this "
                "pose, or let a distance of 0 be a joint, or DX, DY and DZ that are 0",
                e->name);
    }
    return HOL_OK;
}

// A moment of inertia that is lost beside the body's mass: what rounding leaves of the mass's is larger.
static hol_status fail_moments(hol_context *ctx, const hol_model_data *m)
{
    for (int b = 0; b < m->n_bodies; b++) {
        const hol_element *e = &m->element[b];
        hol_inertia own = {0};
        double most = 0;
        if (!e->type->inertia || e->type->frame == HOL_FRAME_POINT) continue;
        e->type->inertia(e->data, &own);
        for (int i = 0; i < 9; i++) most = fmax(most, fabs(own.J[i]));
        const double least = 1e-12 * own.m * m->length_scale * m->length_scale;
        if (most > 0 && most < least)
            return hol_fail_at(ctx, HOL_ERR_MODEL, e->at,
                               "bodies.%s: its inertia of %.3g kg m^2 is lost beside its mass, and numbers "
                               "have 16 digits: give "
                               "it %.1g kg m^2 or more, or 0 where its joints determine how it turns",
                               e->name, most, least);
    }
    return HOL_OK;
}

// Numbers that are too large, or too far apart, to be computed with: those of the largest and the smallest mass, of the velocities.
static hol_status fail_sizes(hol_context *ctx, const hol_equations *s, const hol_state *x)
{
    const hol_model_data *m = s->m;
    int fast = 0, heavy = -1, light = -1;
    double most = 0, mass[2] = {0, HOL_INF};
    for (int b = 0; b < m->n_bodies; b++) {
        hol_inertia own = {0};
        if (m->element[b].type->inertia) m->element[b].type->inertia(m->element[b].data, &own);
        if (own.m > mass[0]) {
            mass[0] = own.m;
            heavy = b;
        }
        if (own.m > 0 && own.m < mass[1]) {
            mass[1] = own.m;
            light = b;
        }
        for (int k = 0; k < m->body[b].size; k++)
            if (fabs(x->v[m->body[b].q + k]) > most) {
                most = fabs(x->v[m->body[b].q + k]);
                fast = b;
            }
    }
    if (most > 1e100)
        return hol_fail_at(
            ctx, HOL_ERR_MODEL, m->body[fast].at,
            "bodies.%s: a velocity of the size %.3g: its square cannot be computed with; give a smaller one",
            m->body[fast].name, most);
    char factor[HOL_FACTOR];
    if (heavy >= 0 && light >= 0 && mass[0] > 1e12 * mass[1])
        return hol_fail_at(
            ctx, HOL_ERR_MODEL, m->body[heavy].at,
            "the accelerations are not determined at the start: the mass of \"%s\", %.6g kg, is %s times "
            "that of \"%s\", %.6g kg, and numbers have 16 digits; bring them nearer to each other",
            m->body[heavy].name, mass[0], hol_decimal_factor(mass[0], mass[1], factor), m->body[light].name,
            mass[1]);
    hol_status st = fail_moments(ctx, m);
    if (!st) st = hol_start_fail_constraints(ctx, s, x);
    if (st) return st;
    return hol_fail(
        ctx, HOL_ERR_INTEGRATION,
        "the accelerations are not determined at the start: the matrix of masses and joints is singular, "
        "though no joint equation in it depends on the others: give the bodies masses and inertias of "
        "similar "
        "size, or begin with a pose a little beside this one");
}

// A body without inertia that its joints do not hold: found by the direction in which the KKT matrix is singular.
hol_status hol_start_fail_accelerations(hol_context *ctx, hol_kernel *k, hol_state *x, hol_status st)
{
    hol_equations *s = k->s;
    if (st < 0 || (st = hol_fault_report_start(s, x, HOL_OK)) != HOL_OK) return st;
    if ((st = hol_start_fail_users(ctx, k, x)) != HOL_OK) return st;
    double *r = k->work;
    hol_random random = {7};
    if (hol_kernel_set_metric(k, x, 0) ==
        HOL_OK) { // inverse iteration: masses against masses with a small addition
        int element[1];
        double size[1];
        for (int i = 0; i < s->n; i++) r[i] = i < s->nq ? hol_random_uniform(&random) / s->q_size[i] : 0;
        if (hol_kernel_solve(k, 1, r) == HOL_OK) {
            for (int i = 0; i < s->nq; i++) r[i] /= s->q_size[i];
            memset(r + s->nq, 0, (size_t)(s->n - s->nq) * sizeof *r);
            hol_equations_worst(s, r, 1, element, size);
            if (element[0] >= 0 && lacks_inertia(s, x, &s->m->element[element[0]]))
                return hol_fail_at(
                    ctx, HOL_ERR_MODEL, s->m->element[element[0]].at,
                    "bodies.%s: its mass or inertia is 0 and its joints do not determine its motion: give "
                    "it a mass and an inertia, or hold it by another joint",
                    s->m->element[element[0]].name);
        }
    }
    return fail_sizes(ctx, s, x);
}

// ---- needles --------------------------------------------------------------------------------------------------

// Against the largest moment: what turning a tensor leaves of one that is 0.
#define NOTHING 1e-14

// The axis about which a spatial body has no moment of inertia, in body axes; false: it has one about each, or none about any.
static bool find_needle(hol_context *ctx, const hol_element *e, double axis[3])
{
    enum { ENTRIES = 9 };
    hol_inertia body;
    double J[ENTRIES], moment[3];
    if (!e->type->inertia || e->type->frame != HOL_FRAME_SPATIAL) return false;
    e->type->inertia(e->data, &body);
    memcpy(J, body.J, sizeof J);
    const double most = J[0] + J[4] + J[8],
                 det = J[0] * (J[4] / most * (J[8] / most) - J[5] / most * (J[5] / most)) -
                       J[1] * (J[1] / most * (J[8] / most) - J[5] / most * (J[2] / most)) +
                       J[2] * (J[1] / most * (J[5] / most) - J[4] / most * (J[2] / most));
    if (!(most > 0) || fabs(det) > 10 * NOTHING * most) return false;
    if (hol_dense_eigen_symmetric(ctx, 3, J, true, moment)) return false; // no memory: seen elsewhere
    const double first = fabs(J[0]) > 1e-9 ? J[0] : fabs(J[1]) > 1e-9 ? J[1] : J[2];
    for (int i = 0; i < 3; i++) axis[i] = J[i] / copysign(1, first) + 0; // of both the one that begins with +
    return moment[0] <= NOTHING * moment[2] && moment[1] > NOTHING * moment[2];
}

// Does a joint of the body turn down its spin? Marks the bodies of joints whose rows the velocities x violate.
static void mark_held(const hol_equations *s, const hol_state *x, const double *rate, double *violation,
                      char *held)
{
    hol_equations_jacobian_times(s, x->t, x->q, rate, violation);
    for (int k = s->m->n_bodies; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        double most = 0;
        for (int i = 0; i < e->n_rows; i++) {
            const int r = s->active[e->row + i];
            if (r >= 0) most = fmax(most, fabs(violation[r]) / s->row_size[r]);
        }
        for (int i = 0; i < e->n_bodies && most > 1e-9; i++) held[e->body[i]] = 1;
    }
}

static hol_status fail_needle(hol_context *ctx, const hol_element *e, const double axis[3])
{
    return hol_fail_at(
        ctx, HOL_ERR_MODEL, e->at,
        "bodies.%s: its moment of inertia is 0 about the axis [%.4g, %.4g, %.4g] of the body, and no joint "
        "determines its spin about it: give it a small moment there (a rod of radius r has mass r^2/2), make "
        "it a "
        "point mass, or let a joint hold the spin (universal in place of spherical)",
        e->name, axis[0], axis[1], axis[2]);
}

// Bodies like needles spin at random rates: those that no joint notices have accelerations that nothing determines.
hol_status hol_start_check_needles(hol_context *ctx, const hol_equations *s, const hol_state *x)
{
    const hol_model_data *m = s->m;
    hol_random dice = {5};
    double axis[3], *rate = NULL;
    hol_status st = HOL_OK;
    for (int b = 0; b < m->n_bodies; b++) {
        const int q = m->body[b].q;
        hol_real G[3][4];
        if (!find_needle(ctx, &m->element[b], axis)) continue;
        if (!rate && !(rate = hol_calloc(ctx, (size_t)(s->nq + s->nc), sizeof *rate))) return HOL_ERR_MEMORY;
        const double spin = 0.75 + 0.25 * hol_random_uniform(&dice);
        hol_body_rate(x->q + q + 3, G);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) rate[q + 3 + i] += 0.5 * spin * G[k][i] * axis[k];
    }
    char *held = rate ? hol_calloc(ctx, (size_t)m->n_bodies, 1) : NULL;
    if (rate && !held) st = HOL_ERR_MEMORY;
    if (held) mark_held(s, x, rate, rate + s->nq, held);
    for (int b = 0; b < m->n_bodies && held && !st; b++)
        if (!held[b] && find_needle(ctx, &m->element[b], axis)) st = fail_needle(ctx, &m->element[b], axis);
    hol_free(held);
    hol_free(rate);
    return st;
}
