// What is not a finite number at a state, and where in the model it comes from: motions of ground, users' code,
// expressions, elements, in this order. Everything is evaluated once more, so that only runs that have failed pay for
// it.
#include "system/fault.h"
#include "linalg/dense.h"
#include "system/leaf.h"

#include <math.h>
#include <string.h>

#define WAY_OUT                                                                                              \
    "; keep the arguments where there is a %s, by max(), min() or if(), or end the run before (--end)"

enum { LONGEST = 200 }; // of an expression in a message

static bool finite(const hol_real *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(hol_re(x[i]));
    return isfinite(sum);
}

// 'variables.u: "sqrt(-x)" has no finite value at t = 2 s: sqrt(-1) is not a finite number; sqrt needs x >= 0 (x = 1)'
static bool tell(const char *what, double t, const hol_expr_fault *f, hol_fault *out)
{
    const char *quote = f->whole ? "\"" : "", *part = f->slope ? "slope" : "value";
    hol_decimal_print(out->text, sizeof out->text, "%s: %s%.*s%s has no finite %s at t = %.9g s: %s" WAY_OUT,
                      what, quote, LONGEST, f->whole ? f->whole : "its law", quote, part, t, f->text, part);
    out->at = f->at;
    return true;
}

bool hol_fault_in_equation(const hol_equations *s, const hol_state *x, const hol_equation *e,
                           const char *what, hol_fault *out)
{
    const hol_shape shape = {.n = e->n_leaves + 1};
    hol_real number[HOL_NUM_VARIABLES][4 + HOL_NUM_VARIABLES], time[4 + HOL_NUM_VARIABLES];
    const hol_real *leaf[HOL_NUM_VARIABLES];
    hol_expr_fault f;
    for (int i = 0; i < e->n_leaves; i++) {
        hol_leaf_value v;
        hol_leaf_eval(s, x, &e->leaf[i], false, &v);
        if (!finite(&v.f, 1)) return false;
        hol_num_variable(&shape, i, v.f, 0, number[i]);
        leaf[i] = number[i];
    }
    hol_num_variable(&shape, e->n_leaves, x->t, 0, time);
    return hol_expr_explain(s->ctx, e->expr, &shape, time, leaf, &f) && tell(what, x->t, &f, out);
}

// ---- functions of time -----------------------------------------------------------------------------------------

static bool in_time(const hol_equations *s, const hol_expr *e, double t, int order, const char *what,
                    hol_fault *out)
{
    hol_expr_fault f;
    return e && hol_expr_explain_time(s->ctx, e, t, order, &f) && tell(what, t, &f, out);
}

// Motions of ground markers.
static bool in_motions(const hol_equations *s, double t, hol_fault *out)
{
    for (int k = s->m->ground_marker; k < s->m->n_markers; k++) {
        const hol_marker_info *info = &s->m->marker[k];
        char what[120];
        if (info->marker.frame != HOL_FRAME_MOVING) continue;
        const hol_motion *mo = hol_marker_motion(&info->marker);
        hol_decimal_print(what, sizeof what, "ground.%s", info->name ? info->name : "motion");
        for (int i = 0; i < 3; i++)
            if (in_time(s, mo->position[i], t, 2, what, out)) return true;
        if (in_time(s, mo->angle, t, 2, what, out)) return true;
    }
    return false;
}

// ---- users' equations ------------------------------------------------------------------------------------------

static const char *section(const hol_element *e) { return hol_role_lists[e->type->role]; }

// The force, variable or state that takes one of the block's results: "forces.pull"; "" if there is none.
static void name_user(const hol_model_data *m, const hol_block *b, char *text, size_t size)
{
    *text = 0;
    for (int k = 0; k < m->n_equations && !*text; k++)
        for (int i = 0; i < m->equation[k].n_leaves && !*text; i++) {
            const hol_leaf *l = &m->equation[k].leaf[i];
            if (l->kind == HOL_LEAF_VALUE && l->index >= b->output && l->index < b->output + b->n_outputs)
                hol_decimal_print(text, size, "%s", m->equation[k].path);
        }
}

// Users' code whose inputs are finite and whose outputs are not.
static bool in_code(hol_equations *s, const hol_state *x, hol_fault *out)
{
    for (int k = 0; k < s->m->n_blocks; k++) {
        const hol_block *b = &s->m->block[k];
        hol_code_fault f;
        char user[120];
        if (!hol_all_finite(x->z + b->input, (size_t)b->n_inputs) ||
            !hol_all_finite(x->X + b->state, (size_t)b->n_states))
            continue; // a result of the trouble, not its cause
        if (hol_code_eval(s->ctx, b->code, x->t, x->z + b->input, x->X + b->state, s->code,
                          s->code + b->n_outputs, &f) <= 0)
            continue;
        name_user(s->m, b, user, sizeof user);
        out->at = f.at;
        hol_decimal_print(out->text, sizeof out->text, "%s%s%s%s", f.text, *user ? "; \"" : "", user,
                          *user ? "\" takes it" : "");
        return true;
    }
    return false;
}

enum {
    MOST_PASSES = 50
}; // chains of variables are shorter; where they go in circles the end does not matter

// Users' unknowns by their expressions, as far as these have values.
static void follow(hol_equations *s, hol_state *x)
{
    bool changed = true;
    for (int pass = 0; pass <= s->nz && pass < MOST_PASSES && changed; pass++) {
        changed = false;
        for (int k = 0; k < s->nz; k++) {
            if (s->m->equation[k].block) continue;
            const double z = hol_equations_expression(s, x, &s->m->equation[k]);
            changed = changed || (isfinite(z) && z != x->z[k]);
            if (isfinite(z)) x->z[k] = z;
        }
    }
}

// ---- elements --------------------------------------------------------------------------------------------------

// The coordinate or velocity with the largest size, for numbers that are too large to compute with.
static void name_largest(const hol_equations *s, const hol_state *x, char *text, size_t size)
{
    const hol_model_data *m = s->m;
    double most = 0;
    *text = 0;
    for (int b = 0; b < m->n_bodies; b++)
        for (int k = 0; k < m->body[b].size; k++) {
            const int i = m->body[b].q + k;
            const double q = fabs(x->q[i]), v = fabs(x->v[i]) * m->time_scale;
            if (!(q > most) && !(v > most)) continue;
            most = fmax(q, v);
            hol_decimal_print(text, size, "%s of \"%s\" is of the size %.3g",
                              q >= v ? "the position" : "the velocity", m->body[b].name,
                              q >= v ? q : v / m->time_scale);
        }
}

// What of an element is not finite, if something is.
static const char *trouble(const hol_equations *s, const hol_element *e, const hol_state *x)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], Q[HOL_MAX_Y] = {0}, J[HOL_MAX_ROWS * HOL_MAX_Y] = {0};
    hol_real phi[HOL_MAX_ROWS] = {0}, u[HOL_MAX_ROWS], A[HOL_MAX_Y * HOL_MAX_Y] = {0},
             B[HOL_MAX_Y * HOL_MAX_Y] = {0};
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    if (!finite(y, e->ny)) return NULL; // a result of the trouble, not its cause
    if (e->n_rows) e->type->phi(e->data, e->ny, y, x->mem + e->mem, phi, J);
    if (!finite(phi, e->n_rows) || !finite(J, e->n_rows * e->ny)) return "constraint";
    if (!finite(w, e->ny)) return NULL;
    if (e->n_rows) e->type->phi_yw(e->data, e->ny, y, w, J);
    if (!finite(J, e->n_rows * e->ny)) return "constraint";
    if (e->n_rates) e->type->rate(e->data, e->ny, y, w, phi, NULL, J);
    if (!finite(phi, e->n_rates) || !finite(J, e->n_rates * e->ny)) return "constraint";
    if (!e->type->force || !hol_element_acts(e, x->mem)) return NULL;
    hol_equations_inputs(e, x, u);
    if (!finite(u, e->n_inputs)) return NULL; // of users' equations, which are named themselves
    e->type->force(e->data, e->ny, y, w, x->mem + e->mem, u, Q);
    if (!finite(Q, e->ny)) return "force";
    if (e->type->force_d) e->type->force_d(e->data, e->ny, y, w, x->mem + e->mem, u, A, B);
    const int nq = e->ny - 1;
    return finite(A, nq * e->ny) && finite(B, nq * nq) ? NULL : "derivative of the force";
}

// An element: its functions of time, its own expressions, then what it gives at the state.
static bool in_element(const hol_equations *s, const hol_element *e, const hol_state *x, hol_fault *out)
{
    char what[160], largest[200];
    hol_expr_fault f;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    hol_decimal_print(what, sizeof what, "%s.%s", section(e), e->name);
    for (int i = 0; i < e->n_inputs && hol_element_acts(e, x->mem); i++)
        if (in_time(s, e->input[i].time, x->t, 0, what, out)) return true;
    if (e->type->explain) {
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        if (e->type->explain(s->ctx, e->data, e->ny, y, w, &f)) return tell(what, x->t, &f, out);
    }
    const char *wrong = trouble(s, e, x);
    if (!wrong) return false;
    out->at = e->at;
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    if (e->type->force == hol_law_force && hol_law_is_undirected(e->data, e->ny, y, w)) {
        hol_decimal_print(
            out->text, sizeof out->text,
            "%s: its ends are at one place at t = %.9g s and do not move against each other, so its "
            "force has no direction: move a marker, give one end a velocity, begin with `length: 0` and a "
            "force "
            "of 0, or take a bushing",
            what, x->t);
        return true;
    }
    name_largest(s, x, largest, sizeof largest);
    hol_decimal_print(out->text, sizeof out->text,
                      "%s: its %s is not a finite number at t = %.9g s, where %s", what, wrong, x->t,
                      *largest ? largest : "nothing moves");
    return true;
}

bool hol_fault_find(hol_equations *s, const hol_state *x, hol_fault *out)
{
    const hol_model_data *m = s->m;
    if (in_motions(s, x->t, out) || in_code(s, x, out)) return true;
    for (int k = 0; k < m->n_equations; k++) {
        if (m->equation[k].block) continue;
        if (hol_fault_in_equation(s, x, &m->equation[k], m->equation[k].path, out)) return true;
    }
    for (int k = 0; k < m->n_elements; k++)
        if (in_element(s, &m->element[k], x, out)) return true;
    return false;
}

// ---- variables that depend on themselves -----------------------------------------------------------------------

enum { MOST_EQUATIONS = 200 };
#define FOLD 0.05

// 1 - dE/dz of all equations by all unknowns, (nz x nz).
static void self_dependence(hol_equations *s, const hol_state *x, double *slope, double *A)
{
    for (int k = 0; k < s->nz; k++) {
        const hol_equation *e = &s->m->equation[k];
        A[k + (size_t)k * (size_t)s->nz] += 1;
        if (e->block) continue;
        hol_equations_slopes(s, x, e, slope);
        for (int i = 0; i < e->n_leaves; i++)
            if (e->leaf[i].kind == HOL_LEAF_VALUE)
                A[k + (size_t)e->leaf[i].index * (size_t)s->nz] -= slope[i];
    }
}

// Where two solutions of u = E(u) meet and vanish, dE/du is 1. What an equation takes of itself, alone or through others, is g in
// 1/(1 - g), its entry in the diagonal of (1 - dE/dz)^-1, whatever the units of the others; *most: the largest of these entries.
static int find_fold(hol_equations *s, const hol_state *x, double *A, double *b, int *pivot, double *most)
{
    const int n = s->nz;
    int worst = -1;
    self_dependence(s, x, b, A);
    if (hol_dense_lu_factor(s->ctx, n, A, pivot)) return -1;
    *most = 0;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) b[i] = i == k;
        if (hol_dense_lu_solve(s->ctx, n, A, pivot, false, 1, b)) return -1;
        if (!(fabs(b[k]) > *most)) continue;
        *most = fabs(b[k]);
        worst = k;
    }
    return worst;
}

hol_status hol_fault_fold(hol_equations *s, const hol_state *x)
{
    const int n = s->nz, loop = n && n <= MOST_EQUATIONS;
    double *A = loop ? hol_calloc(s->ctx, (size_t)n * (size_t)n, sizeof *A) : NULL, most = 0;
    double *b = loop ? hol_calloc(s->ctx, (size_t)n + HOL_NUM_VARIABLES, sizeof *b) : NULL;
    int *pivot = loop ? hol_calloc(s->ctx, (size_t)n, sizeof *pivot) : NULL;
    const int worst = A && b && pivot ? find_fold(s, x, A, b, pivot, &most) : -1;
    hol_free(A);
    hol_free(b);
    hol_free(pivot);
    if (worst < 0 || !(most * FOLD > 1) || s->m->equation[worst].block) return HOL_OK;
    return hol_fail_at(s->ctx, HOL_ERR_INTEGRATION, s->m->equation[worst].at,
                       "stopped at t = %.6g s: %s depends on itself, alone or through others, by a factor of "
                       "%.4f there: at 1 two solutions of its equation meet, and beyond it has none. Change "
                       "the equation so that it has a solution, or end the run before (--end)",
                       x->t, s->m->equation[worst].path, 1 - 1 / most);
}

#define TOO_LARGE 1e100

#define TOO_STRONG 1e12 // natural sizes per natural time squared

// The message that the strongest force on a body is `most` natural accelerations.
static hol_status tell_strong(hol_equations *s, const hol_state *x, int body, double most)
{
    double force;
    const hol_element *e = hol_equations_strongest(s, x, &s->m->element[body], &force);
    if (!e) return HOL_OK;
    return hol_fail_at(s->ctx, HOL_ERR_INTEGRATION, e->at,
                       "stopped at t = %.6g s: %s.%s acts on \"%s\" with a size of %.3g (N, N m), too large "
                       "to compute with beside its mass and inertia: look at its value and its unit; less "
                       "than %.1g can be computed with",
                       x->t, section(e), e->name, s->m->body[body].name, force, force / most * TOO_STRONG);
}

// What a generalised force of 1 moves a body by in its natural time, at least.
static double least_motion(const hol_model_data *m, int body)
{
    const hol_element *e = &m->element[body];
    hol_inertia own = {0};
    if (!e->type->inertia) return 0;
    e->type->inertia(e->data, &own);
    const double largest = fmax(own.m * m->length_scale, fmax(own.J[0], fmax(own.J[4], own.J[8])));
    return largest > 0 ? m->time_scale * m->time_scale / largest : 0;
}

// Later, a force that would do the same to the mass or to the inertia of its body alone, whichever it moves less.
static hol_status report_strong_force(hol_equations *s, const hol_state *x)
{
    const hol_model_data *m = s->m;
    double most = 0;
    int fast = -1;
    for (int k = m->n_bodies; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        const double force = hol_equations_force_size(s, x, e);
        for (int i = 0; i < e->n_bodies && force > 0; i++) {
            const double moves = e->body[i] >= 0 ? force * least_motion(m, e->body[i]) : 0;
            if (!(moves > most)) continue;
            most = moves;
            fast = e->body[i];
        }
    }
    return most > TOO_STRONG ? tell_strong(s, x, fast, most) : HOL_OK;
}

// At the start, a force that moves a body by its natural size in less than 1e-6 of the natural time.
static hol_status report_strong(hol_equations *s, const hol_state *x)
{
    const hol_model_data *m = s->m;
    double most = 0;
    int fast = -1;
    for (int b = 0; b < m->n_bodies; b++)
        for (int i = m->body[b].q; i < m->body[b].q + m->body[b].size; i++) {
            const double moves = fabs(x->a[i]) * m->time_scale * m->time_scale / s->q_size[i];
            if (!(moves > most)) continue;
            most = moves;
            fast = b;
        }
    if (x->t > 1e-6 * m->time_scale || !(most > TOO_STRONG)) return HOL_OK;
    return tell_strong(s, x, fast, most);
}

// Numbers whose squares leave nothing of the others.
static hol_status report_large(hol_equations *s, const hol_state *x)
{
    const hol_model_data *m = s->m;
    for (int b = 0; b < m->n_bodies; b++)
        for (int k = 0; k < m->body[b].size; k++) {
            const double q = fabs(x->q[m->body[b].q + k]), v = fabs(x->v[m->body[b].q + k]);
            if (!(q > TOO_LARGE) && !(v > TOO_LARGE)) continue;
            return hol_fail_at(
                s->ctx, HOL_ERR_INTEGRATION, m->body[b].at,
                "stopped at t = %.6g s: the %s of \"%s\" is of the size %.3g, too large to compute with: "
                "look at its start and at the forces on it",
                x->t, v > q ? "velocity" : "position", m->body[b].name, v > q ? v : q);
        }
    const hol_status st = report_strong(s, x);
    return st ? st : hol_fault_fold(s, x);
}

// ---- on the way ------------------------------------------------------------------------------------------------

hol_status hol_fault_report(hol_equations *s, const hol_state *trial, const hol_state *reached)
{
    hol_state x = {0};
    hol_fault f;
    const double least = fmax(1e-12 * s->m->time_scale, 4e-16 * fabs(reached->t)),
                 most = 1e-3 * s->m->time_scale;
    if (hol_state_create(s, &x)) return HOL_ERR_MEMORY;
    hol_state_copy(s, &x, trial);
    memcpy(x.z, reached->z, (size_t)s->nz * sizeof *x.z);
    follow(s, &x);
    bool found = hol_fault_find(s, &x, &f);
    for (double dt = 0; dt <= most && !found; dt = dt > 0 ? 4 * dt : least) {
        hol_state_carry_on(s, reached, dt, &x);
        follow(s, &x);
        found = hol_fault_find(s, &x, &f);
    }
    hol_state_carry_on(s, reached, least, &x);
    follow(s, &x);
    hol_status st = found ? HOL_OK : report_large(s, reached);
    if (!found && !st) st = report_strong_force(s, &x);
    hol_state_destroy(&x);
    if (!found) return st;
    return hol_fail_at(s->ctx, HOL_ERR_INTEGRATION, f.at, "stopped at t = %.6g s: %s", reached->t, f.text);
}

hol_status hol_fault_report_start(hol_equations *s, const hol_state *x, hol_status otherwise)
{
    return hol_fault_report_at(s, x, "the start", otherwise);
}

hol_status hol_fault_report_at(hol_equations *s, const hol_state *x, const char *where, hol_status otherwise)
{
    hol_state at = {0};
    hol_fault f;
    if (hol_state_create(s, &at)) return HOL_ERR_MEMORY;
    hol_state_copy(s, &at, x);
    memset(at.a, 0, (size_t)s->n * sizeof *at.a); // a, z, lam and kap
    follow(s, &at);
    const bool found = hol_fault_find(s, &at, &f);
    hol_state_destroy(&at);
    return found ? hol_fail_at(s->ctx, HOL_ERR_INTEGRATION, f.at, "%s: %s", where, f.text) : otherwise;
}

// ---- drivers that disagree ------------------------------------------------------------------------------------

// Another driver of the same kind between the same two bodies; -1: there is none.
static int rival_of(const hol_model_data *m, int element)
{
    const hol_element *e = &m->element[element];
    for (int i = m->n_bodies; i < m->n_elements && e->type->role == HOL_ROLE_DRIVER; i++) {
        const hol_element *o = &m->element[i];
        const bool same =
            o->n_bodies == e->n_bodies && !memcmp(o->body, e->body, (size_t)e->n_bodies * sizeof *e->body);
        if (i != element && o->type == e->type && same) return i;
    }
    return -1;
}

hol_status hol_fault_rivals(hol_context *ctx, const hol_model_data *m, int element, hol_status code,
                            const char *when)
{
    const int other = element < m->n_bodies ? -1 : rival_of(m, element);
    if (other < 0) return HOL_OK;
    const char *first = m->element[other < element ? other : element].name,
               *second = m->element[other < element ? element : other].name;
    return hol_fail_at(
        ctx, code, m->element[element].at,
        "%s: drivers %s and %s both prescribe the %s of the same bodies, and not the same one: keep one "
        "of them, whose value may be a sum, or give the other a joint of its own",
        when, first, second, m->element[element].type->name);
}
