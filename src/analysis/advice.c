// Which method suits a model (docs/theory.md, section 16.3): the eigenvalues of the motion linearised at the start say
// whether it is stiff, whether its fastest part vibrates, and whether small errors grow; the joints say whether they
// form a tree.
#include "analysis/advice.h"
#include "analysis/pressed.h"
#include "analysis/reduced.h"
#include "linalg/dense.h"
#include "recursion/coordinates.h"
#include "recursion/loop_solve.h"
#include "system/initial.h"
#include "system/kernel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    DENSE = 250,    // degrees of freedom up to which all eigenvalues are found, a third of a second
    SOFTENING = 40, // times that a vibration is found slower at most
    MANY = 20000    // coordinates above which it is not asked how many are free: the matrix for it is large
};
#define REACH 3.5 // h |lambda| up to which explicit steps are stable
#define FIXED                                                                                                \
    1.0 // the same of fixed steps: stiffness may grow 12-fold on the way until REACH, and no error is looked at
#define FOLLOWED 0.1       // the same of growth that is followed
#define MANY_STEPS 50.0    // steps for stability alone that no error would ask of a method of high order
#define FEW_STEPS 5.0      // the same of a motion that dies out, in joints' coordinates: cheap steps
#define DIES_OUT 1.0       // decay times length of the run, above which a vibration is small at its end
#define OVERDAMPED 0.3     // damping ratio above which a fast motion dies out at once
#define CHEAP_STEPS 1000.0 // steps for stability that may be taken to follow a vibration
#define FEW_ANYWAY 250.0   // the same that joints' coordinates need for small errors as well
#define WAKES 1e4          // the same above which errors alone wake a vibration that nothing damps
#define MODERATE 5e-3      // tolerance down to which that number holds
#define SMALL 1e-3         // tolerances below ask for small errors
#define TIGHT 5e-5         // tolerances below are too small for order 2
#define PARTS 10.0         // growth times length of the run above which neighbouring motions part too far
#define CAUTIOUS 1e-5      // tolerance for these
#define STILL 1e-6         // steps for stability: nothing moves by itself
#define SAME 1e-6          // rates that differ by less, by their size, are of equally fast motions
#define NEARLY_SEEN 0.01   // of the tolerance
#define IN_FORCES 0.05     // natural accelerations: a vibration with more is in the forces
#define UNSEEN 0.01        // of the amplitude: a tolerance that follows it
#define SEEN 1e-9          // amplitudes above are more than rounding
#define FAR 0.01           // by natural size: so large a vibration is followed whatever its rate is
#define TINY 1e-4          // of the square of a rate: what is left of it where no force drives back

// What the start tells.
typedef struct {
    int freedom;      // degrees of freedom and states
    bool known;       // the eigenvalues
    double rate;      // largest |eigenvalue| [1/s]
    bool oscillates;  // of that one
    double decay;     // of that one [1/s]
    double growth;    // the fastest of all [1/s]
    double amplitude; // of that vibration at the start, by natural size
    int body;         // that the fastest motion moves most, by natural size; -1: none
    const hol_element
        *contact; // that has it once it is pressed; NULL: the motion linearised at the start has it
    double bound; // steps that stability asks of an explicit method over the run
    int forces;   // elements with a force that may be stiff
    const hol_method *
        tree; // for a tree of joints with coordinates of their own; NULL: they are none, or stability asks for few steps
} features;

static void say(hol_advice *a, const char *format, ...) HOL_PRINTF(2, 3);
static void say(hol_advice *a, const char *format, ...)
{
    va_list args;
    if (a->n_reasons == HOL_MOST_REASONS) return;
    va_start(args, format);
    hol_decimal_vprint(a->reason[a->n_reasons++], HOL_REASON, format, args);
    va_end(args);
}

// ---- eigenvalues at the start ---------------------------------------------------------------------------------

// The velocities of an eigenvector, of which re and im are the parts (im NULL: it is real), at the phase at which the largest of
// them is: those of an undamped mode are all in one phase, which any part may have but a little of. Positions have the same shape.
static void find_shape(const hol_reduced *r, const double *re, const double *im, double *shape)
{
    double most = -1, c = 1, s = 0;
    for (int j = 0; j < r->e; j++) {
        const double x = re[r->d + j], y = im ? im[r->d + j] : 0, size = hypot(x, y);
        if (!(size > most)) continue;
        most = size;
        c = size > 0 ? x / size : 1;
        s = size > 0 ? y / size : 0;
    }
    for (int j = 0; j < r->e; j++) shape[j] = c * re[r->d + j] + (im ? s * im[r->d + j] : 0);
}

// Takes out of a shape what it has of the n before it, and gives it length 1 (e each); false: nothing is left.
static bool make_orthonormal(int e, int n, const double *before, double *shape)
{
    double norm = 0;
    for (int k = 0; k < n; k++) {
        double part = 0;
        for (int j = 0; j < e; j++) part += before[(size_t)k * (size_t)e + (size_t)j] * shape[j];
        for (int j = 0; j < e; j++) shape[j] -= part * before[(size_t)k * (size_t)e + (size_t)j];
    }
    for (int j = 0; j < e; j++) norm += shape[j] * shape[j];
    norm = sqrt(norm);
    for (int j = 0; j < e && norm > SAME; j++) shape[j] /= norm;
    return norm > SAME;
}

// What n orthonormal shapes take of the vector y (nq) of velocities or accelerations: p (e).
static void find_part(const hol_reduced *r, int n, const double *shape, const double *y, double *p)
{
    const size_t nq = (size_t)r->s->nq, e = (size_t)r->e;
    memset(p, 0, e * sizeof *p);
    for (int k = 0; k < n; k++) {
        const double *own = shape + (size_t)k * e;
        double along = 0;
        for (size_t j = 0; j < e; j++)
            for (size_t i = 0; i < nq; i++) along += own[j] * r->WV[j * nq + i] * y[i];
        for (size_t j = 0; j < e; j++) p[j] += along * own[j];
    }
}

// Largest component of V p, by natural size.
static double size_of(const hol_reduced *r, const double *p)
{
    const size_t nq = (size_t)r->s->nq;
    double most = 0;
    for (size_t i = 0; i < nq; i++) {
        double u = 0;
        for (size_t j = 0; j < (size_t)r->e; j++) u += r->V[j * nq + i] * p[j];
        most = fmax(most, fabs(u) / r->s->q_size[i]);
    }
    return most;
}

// The body that moves most in a mode of the shape p.
static int body_of(const hol_reduced *r, const double *p)
{
    const hol_model_data *m = r->s->m;
    double most = 0;
    int body = -1;
    for (int b = 0; b < m->n_bodies; b++)
        for (int i = m->body[b].q; i < m->body[b].q + m->body[b].size; i++) {
            double u = 0;
            for (int j = 0; j < r->e; j++) u += r->V[(size_t)j * (size_t)r->s->nq + (size_t)i] * p[j];
            if (fabs(u) <= most * r->s->q_size[i] * (1 + 1e-9)) continue;
            most = fabs(u) / r->s->q_size[i];
            body = b;
        }
    return body;
}

// How far, by natural size, a vibration of this rate goes that has parts p (e) of the velocities and behind them of the accelerations;
// *way: p of it.
static double reach_of(const hol_reduced *r, const double *p, double rate, double *way)
{
    const double by_speed = size_of(r, p) / rate, by_force = size_of(r, p + r->e) / (rate * rate);
    const bool speed = by_speed > by_force;
    for (int j = 0; j < r->e; j++) way[j] = speed ? p[j] / rate : p[r->e + j] / (rate * rate);
    return speed ? by_speed : by_force;
}

// -p^T A p/p^T p, the square of the rate by which the linearised forces of places alone drive p back.
static double tangent_of(const hol_reduced *r, const double *p)
{
    double sum = 0, length = 0;
    for (int j = 0; j < r->e; j++) {
        const double *column = r->A + (size_t)j * (size_t)r->n + r->d;
        for (int i = 0; i < r->e; i++) sum -= p[i] * column[i] * p[j];
        length += p[j] * p[j];
    }
    return length > 0 ? sum / length : 0;
}

// The same of the accelerations at a distance p and at -p, the larger one (16.5a). near: room for a state.
static hol_status find_secant(const hol_reduced *r, const hol_state *x, const double *p, hol_state *near,
                              double *square)
{
    const size_t nq = (size_t)r->s->nq;
    double length = 0;
    *square = 0;
    for (int j = 0; j < r->e; j++) length += p[j] * p[j];
    for (int side = 1; side >= -1; side -= 2) {
        double sum = 0;
        hol_state_copy(r->s, near, x);
        for (size_t j = 0; j < (size_t)r->e; j++)
            for (size_t i = 0; i < nq; i++) near->q[i] += side * p[j] * r->V[j * nq + i];
        const hol_status st = hol_solve_accelerations(r->k, near);
        if (st) return st;
        for (size_t j = 0; j < (size_t)r->e; j++)
            for (size_t i = 0; i < nq; i++) sum -= side * p[j] * r->WV[j * nq + i] * (near->a[i] - x->a[i]);
        *square = fmax(*square, sum / length);
    }
    return HOL_OK;
}

// A vibration that goes beyond where its force is linear, on both sides, is slower than its eigenvalue, by as much as the secant is less than the
// tangent: until rate and amplitude agree, or it is large enough to be seen. Not one that is held by states or speeds. p: as above, and
// room for as much again.
static hol_status soften(hol_context *ctx, const hol_reduced *r, const hol_state *x, double *p, features *f)
{
    double *way = p + 2 * (size_t)r->e;
    hol_state near = {0};
    f->amplitude = reach_of(r, p, f->rate, way);
    if (!(f->amplitude > SEEN) || tangent_of(r, way) < 0.5 * f->rate * f->rate) return HOL_OK;
    hol_status st = hol_state_create(r->s, &near);
    for (int i = 0; i < SOFTENING && !st && f->amplitude < FAR; i++) {
        double square;
        st = find_secant(r, x, way, &near, &square);
        if (st || square > 0.25 * f->rate * f->rate) break;
        f->rate = sqrt(fmax(square, TINY * f->rate * f->rate));
        f->amplitude = reach_of(r, p, f->rate, way);
    }
    hol_state_destroy(&near);
    if (!st || st == HOL_ERR_MEMORY) return st;
    hol_context_clear(ctx); // it cannot be there, and what is found so far holds
    return HOL_OK;
}

// The fastest eigenvalue below a rate, of a pair that of the upper half plane; -1: none.
static int find_below(int n, const double *re, const double *im, double below)
{
    int fastest = -1;
    for (int k = 0; k < n; k++) {
        const double rate = hypot(re[k], im[k]);
        if (rate < below && (fastest < 0 || rate > hypot(re[fastest], im[fastest]) * (1 + 1e-9))) fastest = k;
    }
    return fastest;
}

// Eigenvalue `first` and what is as fast: several may be equally fast, and each stands for its own direction only. shape: room
// for (e x (e + 3)).
static hol_status look_at(hol_context *ctx, const hol_reduced *r, const hol_state *x, const double *re,
                          const double *im, const double *vector, int first, double *shape, features *f)
{
    const size_t n = (size_t)r->n, e = (size_t)r->e;
    int n_shapes = 0;
    f->rate = hypot(re[first], im[first]);
    f->decay = -re[first];
    f->oscillates = im[first] > 0 && -re[first] < OVERDAMPED * f->rate;
    for (int k = first; k < r->n && n_shapes < r->e; k++) {
        double *own = shape + (size_t)n_shapes * e;
        const bool pair = im[k] > 0;
        if (im[k] < 0 || fabs(hypot(re[k], im[k]) - f->rate) > SAME * f->rate) continue;
        find_shape(r, vector + (size_t)k * n, pair ? vector + (size_t)(k + 1) * n : NULL, own);
        if (k == first && r->d == r->e) f->body = body_of(r, own);
        if (pair && make_orthonormal(r->e, n_shapes, shape, own)) n_shapes++;
    }
    if (!f->oscillates || r->s->nk) return HOL_OK;
    double *p = shape + e * e;
    find_part(r, n_shapes, shape, x->v, p);
    find_part(r, n_shapes, shape, x->a, p + e);
    return soften(ctx, r, x, p, f);
}

// The fastest motion: the one of the largest eigenvalue, but where that softens and another one is faster.
static hol_status find_fastest(hol_context *ctx, const hol_reduced *r, const hol_state *x, const double *re,
                               const double *im, const double *vector, double *shape, features *f)
{
    features fastest = *f;
    hol_status st = HOL_OK;
    int k = find_below(r->n, re, im, HOL_INF);
    for (int i = 0; i < r->n; i++) fastest.growth = fmax(fastest.growth, re[i]);
    fastest.known = k >= 0 ? isfinite(hypot(re[k], im[k])) : r->n == 0;
    for (double rate; !st && k >= 0 && fastest.known; k = find_below(r->n, re, im, rate * (1 - SAME))) {
        features own = fastest;
        rate = hypot(re[k], im[k]);
        if (rate <= fastest.rate) break;
        own.amplitude = 0;
        own.body = -1;
        st = look_at(ctx, r, x, re, im, vector, k, shape, &own);
        if (!(own.rate < fastest.rate)) fastest = own;
    }
    *f = fastest;
    return st;
}

// Eigenvalues of the linearised motion, and what is to be known of the fastest one.
static hol_status find_rates(hol_context *ctx, const hol_reduced *r, const hol_state *x, features *f)
{
    const size_t n = (size_t)r->n;
    double *A = hol_calloc(ctx, 3 * n * n + 5 * n + 1, sizeof *A); // the shapes: e (e + 3) <= n (n + 3)
    if (!A) return HOL_ERR_MEMORY;
    double *vector = A + n * n, *re = vector + n * n, *im = re + n, *shape = im + n;
    memcpy(A, r->A, n * n * sizeof *A);
    hol_status st = hol_dense_eigen(ctx, r->n, A, re, im, vector);
    f->body = -1;
    if (!st) st = find_fastest(ctx, r, x, re, im, vector, shape, f);
    hol_free(A);
    return st == HOL_ERR_MEMORY ? st : HOL_OK;
}

// The linearised motion at the start; at a singular pose nothing is known.
static hol_status find_eigenvalues(hol_context *ctx, hol_kernel *k, hol_state *x, features *f)
{
    hol_reduced r;
    hol_status st = hol_solve_accelerations(k, x);
    if (st) return st > 0 ? HOL_OK : st; // a singular pose: nothing is known
    st = hol_reduced_create(ctx, k, false, &r);
    if (!st) st = hol_reduced_find(&r, x);
    if (!st) st = find_rates(ctx, &r, x, f);
    hol_reduced_destroy(&r);
    return st > 0 ? HOL_OK : st;
}

// The same without contacts that only touch, which the memory of x has again behind.
static hol_status find_eigenvalues_apart(hol_context *ctx, hol_kernel *k, hol_state *x, features *f)
{
    const hol_model_data *m = k->s->m;
    const size_t size = (size_t)m->n_mem * sizeof *x->mem;
    double *kept = hol_calloc(ctx, (size_t)m->n_mem + 1, sizeof *kept);
    if (!kept) return HOL_ERR_MEMORY;
    if (size) memcpy(kept, x->mem, size);
    hol_pressed_lift(m, x);
    const hol_status st = find_eigenvalues(ctx, k, x, f);
    if (size) memcpy(x->mem, kept, size);
    hol_free(kept);
    return st;
}

hol_status hol_fastest_find(hol_context *ctx, hol_kernel *k, hol_state *x, const hol_rank *rank,
                            hol_fastest *out)
{
    const hol_equations *s = k->s;
    features f = {.body = -1};
    const int freedom = s->nq - s->nc + s->nx;
    const hol_status st = freedom <= DENSE && s->nq <= MANY && !rank->large_components
                              ? find_eigenvalues_apart(ctx, k, x, &f)
                              : HOL_OK;
    *out = (hol_fastest){f.known, f.oscillates, f.rate, f.growth, f.body};
    return st;
}

double hol_explicit_steps(double rate, double end) { return rate * end / REACH; }

// ---- the joints -----------------------------------------------------------------------------------------------

// The first that is taken for this, takes the model, and steps of the kind that is asked for; else the one that takes all.
static const hol_method *first_of(const hol_model_data *m, const hol_settings *set, unsigned suits)
{
    for (const hol_method *const *method = hol_methods; *method; method++) {
        const hol_method *o = *method;
        const bool works = !o->refuse || !o->refuse(hol_settings_options(set, o), set->step <= 0);
        if (o->suits & suits && works && hol_method_check(NULL, o, m) == HOL_OK) return o;
    }
    return hol_methods[0];
}

// Do the joints form a tree that joint coordinates can describe?
static hol_status find_tree(hol_context *ctx, hol_equations *s, const hol_settings *set, const hol_state *x,
                            features *f)
{
    const hol_method *method = first_of(s->m, set, HOL_SUITS_TREE);
    hol_obstacle obstacle;
    hol_loops tree = {0};
    hol_coordinates *c = NULL;
    if (!(method->suits & HOL_SUITS_TREE)) return HOL_OK;
    const hol_status st = hol_coordinates_of_tree(ctx, s, x, 0, &tree, &c, &obstacle);
    if (!st && !tree.size->n_loops) f->tree = method;
    hol_coordinates_destroy(c);
    hol_loops_destroy(&tree);
    return st == HOL_ERR_MEMORY ? st : HOL_OK;
}

// Contacts that only touch at the start may be stiffer than all that is pressed there.
static void foresee_contacts(const hol_model_data *m, const hol_state *x, double end, features *f)
{
    hol_pressed pressed;
    hol_pressed_find(m, x, end, &pressed);
    if (!(pressed.rate > f->rate)) return;
    f->rate = pressed.rate;
    f->oscillates = false;
    f->amplitude = 0;
    f->decay = pressed.rate;
    f->contact = pressed.contact;
    f->body = -1;
}

// All that the rules want to know: a start, forces, degrees of freedom, eigenvalues where they are not too
// many.
static hol_status find_features(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                                features *f)
{
    hol_kernel k;
    hol_state x = {0};
    hol_rank rank;
    const bool large = m->nq - m->nc > DENSE || m->nq > MANY;
    hol_status st = hol_initialise(ctx, m, HOL_START_QUIET | (large ? HOL_START_BARE : 0), &k, &x, &rank);
    memset(f, 0, sizeof *f);
    for (int i = m->n_bodies; i < m->n_elements; i++)
        f->forces += m->element[i].type->force && m->element[i].type->force_d;
    if (!st) f->freedom = k.s->nq - k.s->nc + k.s->nx;
    if (!st && f->freedom <= DENSE && !large && !rank.large_components)
        st = find_eigenvalues_apart(ctx, &k, &x, f);
    if (!st && f->known) foresee_contacts(m, &x, set->end, f);
    f->bound = hol_explicit_steps(f->rate, set->end);
    if (!st && set->step <= 0 && f->bound > FEW_STEPS) st = find_tree(ctx, k.s, set, &x, f);
    hol_state_destroy(&x);
    hol_rank_destroy(&rank);
    hol_start_destroy(&k);
    return st;
}

// ---- the rules ------------------------------------------------------------------------------------------------

// Would the method of trees, whose error test sees velocities, follow a vibration that is to be stepped over? One that stays, if it is seen in
// the velocities, or nearly so: BDF's higher orders do not damp it. A very fast one is woken by errors of the velocities alone.
static bool is_followed_unasked(const features *f, const hol_settings *set, double time_scale)
{
    return f->tree && f->oscillates && f->decay * set->end < DIES_OUT && f->bound > CHEAP_STEPS &&
           (f->bound > WAKES || f->amplitude * f->rate * time_scale > NEARLY_SEEN * set->tolerance);
}

// An implicit method: on trees in their coordinates, else by the tolerance.
static void take_implicit(const hol_model_data *m, const hol_settings *set, const features *f, hol_advice *a)
{
    const hol_method *high = first_of(m, set, HOL_SUITS_STIFF);
    const bool tight = set->step <= 0 && set->tolerance < (f->oscillates ? SMALL : TIGHT);
    if (is_followed_unasked(f, set, m->time_scale)) {
        a->method = high->name;
        say(a,
            "implicit, and its error test leaves out velocities, which %s would follow that vibration by: %s",
            f->tree->name, a->method);
        return;
    }
    a->method = f->tree ? f->tree->name : tight ? high->name : hol_methods[0]->name;
    if (f->tree)
        say(a, "implicit, and the joints form a tree: %s, in their coordinates, without constraints",
            a->method);
    else if (tight)
        say(a, "implicit, and of high order for %s: %s",
            f->oscillates ? "a vibration that is stepped over" : "so small a tolerance", a->method);
    else
        say(a, "implicit, with cheap steps: %s; %s takes fewer where small errors are wanted", a->method,
            high->name);
}

static void take_explicit(const hol_model_data *m, const hol_settings *set, hol_advice *a)
{
    a->method = first_of(m, set, HOL_SUITS_SMOOTH)->name;
    say(a, "explicit, of high order: %s; its steps are as long as the error allows", a->method);
}

// Must growth be followed by steps that are stable for an explicit method too?
static bool grows(const features *f, const hol_settings *set)
{
    return f->known && f->growth * set->end > PARTS && f->growth * REACH > FOLLOWED * f->rate;
}

// Steps of order 2, which the implicit method takes where loops are closed, grow as the tolerance to the power of -1/2, and those of the
// high order that takes its place as that of -1/5: explicit ones may be the more.
static bool is_stiff(const features *f, const hol_settings *set)
{
    if (!f->known || (set->step > 0 && !f->forces)) return f->forces > 0;
    if (set->step > 0) return f->rate * set->step > FIXED;
    if (grows(f, set)) return false;
    const bool dies_out = !f->oscillates && f->growth < 0.5 * f->rate; // not so on top of a hill
    if (f->tree) return f->bound > (dies_out ? FEW_STEPS : MANY_STEPS);
    const double second = sqrt(fmax(1, MODERATE / fmax(set->tolerance, TIGHT))),
                 high = pow(fmax(1, TIGHT / set->tolerance), 0.2);
    return f->bound > MANY_STEPS * second * high;
}

// Says what is known of the fastest motion.
static void tell_rate(const features *f, const hol_settings *set, hol_advice *a)
{
    const bool stiff = is_stiff(f, set);
    char once[120] = "at the start";
    if (f->contact) hol_decimal_print(once, sizeof once, "once contact %.80s is pressed", f->contact->name);
    if (!f->known && f->forces)
        say(a, "%d degrees of freedom, eigenvalues are not computed; %d forces may be stiff", f->freedom,
            f->forces);
    else if (!f->known)
        say(a, "no force is there that could be stiff: %d degrees of freedom, weights and inertia alone",
            f->freedom);
    else
        say(a,
            "%s: the fastest motion %s %s with %.3g %s, so stability asks an explicit method for "
            "%.0f steps or more until %.4g s",
            stiff ? "stiff" : "not stiff", once, f->oscillates ? "vibrates" : "changes", f->rate,
            f->oscillates ? "rad/s" : "1/s", fmax(1, f->bound), set->end);
}

// Is the vibration there at the start, larger than the errors allowed?
static bool is_seen(const features *f, const hol_settings *set)
{
    return f->amplitude > fmax(set->tolerance, SEEN);
}

// Must a fast vibration be followed? One that the tolerance sees must; one that is still, but may be excited, where that costs
// little and errors are to be small; in joints' coordinates only if it would stay, or costs next to nothing.
static bool is_followed(const features *f, const hol_settings *set)
{
    if (!f->oscillates || set->step > 0) return false;
    if (is_seen(f, set)) return true;
    const bool stays = !f->tree || f->decay * set->end < DIES_OUT;
    return (stays || f->bound < FEW_ANYWAY) && f->bound < CHEAP_STEPS && set->tolerance < SMALL;
}

// The same in one line of the summary, for people who have not read section 16.3.
static void tell_in_short(const features *f, const hol_settings *set, bool stiff, bool followed,
                          hol_advice *a)
{
    char rate[60];
    hol_decimal_print(rate, sizeof rate, "%.3g %s", f->rate, f->oscillates ? "rad/s" : "1/s");
    const char *text = f->contact
                           ? "it is not stiff: the fastest motion of contacts that touch at the start has %s"
                           : "it is not stiff: the fastest motion at the start has %s";
    if (!f->known)
        text = f->forces ? "it is large and has forces that may be stiff" : "no force in it could be stiff";
    else if (followed)
        text = is_seen(f, set) ? "a vibration of %s is large enough to be followed"
                               : "a vibration of %s may be excited, and following it costs little";
    else if (stiff && f->tree && a->method == f->tree->name)
        text = "it is stiff, with a motion of %s, and its joints form a tree";
    else if (stiff && set->step > 0)
        text = f->oscillates
                   ? "it is stiff for steps of this size: a vibration of %s has less than 7 of them in a "
                     "period"
                   : "it is stiff for steps of this size: a motion of %s dies out within one";
    else if (stiff)
        text = f->oscillates ? "it is stiff: a vibration of %s is stepped over"
                             : "it is stiff: a motion of %s dies out at once";
    else if (f->bound < STILL)
        text = "it is not stiff: nothing vibrates or grows at the start";
    hol_decimal_print(a->because, sizeof a->because, text, rate);
}

// A vibration that the tolerance does not see may be in accelerations and forces all the same.
static void tell_unseen(const hol_model_data *m, const features *f, const hol_settings *set, hol_advice *a)
{
    const double natural = f->amplitude * f->rate * f->rate * m->time_scale * m->time_scale,
                 most = a->tolerance > 0 && !set->tolerance_given ? a->tolerance : set->tolerance;
    if (!f->known || !f->oscillates || set->step > 0 || f->amplitude > most || f->amplitude < SEEN ||
        !(natural > IN_FORCES))
        return;
    const char *body = f->body >= 0 ? m->body[f->body].name : "the model";
    hol_decimal_print(
        a->unseen, sizeof a->unseen,
        "%.60s vibrates with %.3g rad/s, and so little that a tolerance of %.2g does not see it: "
        "accelerations and forces of what vibrates may be shown without it; to follow it, use "
        "tolerance: %.1g",
        body, f->rate, most, UNSEEN * f->amplitude);
}

hol_status hol_advice_find(hol_context *ctx, const hol_model_data *m, const hol_settings *set, hol_advice *a)
{
    features f;
    memset(a, 0, sizeof *a);
    const hol_status st = find_features(ctx, m, set, &f);
    if (st) return st;
    a->growth = f.growth;
    // errors grow as neighbouring motions part
    if (set->step <= 0 && f.growth * set->end > PARTS) a->tolerance = CAUTIOUS;
    tell_rate(&f, set, a);
    const bool stiff = !m->n_swarms && is_stiff(&f, set), followed = stiff && is_followed(&f, set);
    if (stiff && f.oscillates)
        say(a, "that vibration has an amplitude of %.1e natural sizes at the start: %s", f.amplitude,
            followed ? "it is to be followed" : "it may be stepped over");
    if (stiff && !followed)
        take_implicit(m, set, &f, a);
    else
        take_explicit(m, set, a);
    tell_in_short(&f, set, stiff, followed, a);
    tell_unseen(m, &f, set, a);
    return HOL_OK;
}
