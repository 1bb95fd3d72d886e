// Passages through singular poses. The smallest singular value sigma of the constraints and its slope along the motion are looked
// at now and then. Where a pose is near ahead, the method hands its state to a guide, rk with its own state and matrix, which goes
// through the pose, and begins anew beyond it. A method that finds no step near a pose, unseen until then, is led through from an
// earlier state. docs/theory.md, section 9.7.
#include "integrator/passage.h"
#include "integrator/rk.h"
#include "integrator/stop.h"
#include "system/graph.h"
#include "system/lock.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define NEAR 0.15   // way to a pose, in natural sizes, on which the guide is called
#define STEPS 2     // of the method, to a pose that the guide is called for
#define BEYOND 0.05 // way behind a pose after which the method goes on
#define WEAK 0.5    // part of the largest sigma above which no pose is near
#define SMALL 0.1   // sigma below which one may be, where no larger one was seen: the start may be near
#define WITHIN 1e-3 // sigma below which a start is in a pose; part of the largest one below which a state is
#define APART 0.5   // part of the way to a pose, or of sigma, between two looks
#define CHORD 0.01  // part of sigma, as a way, over which its slope is measured
#define FIRST 0.2   // way of the guide's first step
#define LEAST 1e-6  // tolerance of the guide, at most
#define COLLAPSED 0.05 // part of the steps away from poses, near one, at which a method that waits is led
#define SURE 0.7       // part of the largest sigma above which the method's own factors are believed
#define OWN 0.35       // way before a look on which it may be spared
#define SHORTER 0.8    // part of a step size below which they are those of another one
enum { MOST = 100, TEXT = 2048 };

struct hol_passage {
    hol_integrator *guide; // made when it is called first; NULL: not yet, or other rows are in use since
    double tolerance;      // of the guide
    hol_kernel kernel;     // of the guide and of the looks
    hol_value option[16];
    hol_state behind; // an accepted state before the pose, not near one
    hol_state room;
    bool waits;   // the method loses its order where it begins anew: it is led where it comes through no more
    bool guides;  // the last step was one of the guide
    bool starts;  // nothing has moved since the state was given
    bool over;    // the pose lies behind: the method makes the next step
    bool blocked; // the guide did not come through: the method tries alone until the pose is passed
    int taken;    // steps of the guide in this passage
    double sigma, largest, slope; // of the last look, with d sigma/dt; its largest value
    double safe;                  // its smallest value at a look with no pose near
    double speed;                 // natural sizes per time, there
    double far;                   // size of the method's steps away from poses [s]
    double step;                  // way of the method's last step
    double way;                   // that the motion goes before the next look; 0: now
    double own;                   // sigma by the method's own factors at it->x, in some unit; 0: not read
    double reference, paired, h;  // the same at a look, sigma and the step there; 0: never read
    double rescued;               // time at which the last passage from an earlier state ended
};

// ---- looks ----------------------------------------------------------------------------------------------------

// Smallest singular value of the constraints by the factors that are there; 0: not known.
static double least_of(hol_kernel *k)
{
    const double least = hol_pose_least(k);
    return isfinite(least) ? least : 0;
}

// May a pose be near at all?
static bool is_weak(const hol_passage *p) { return p->sigma < WEAK * p->largest || p->sigma < SMALL; }

// sigma at x and its slope there, by a chord along the velocities; 0 where sigma says that no pose is near. It is no work of the
// method.
static void look(hol_integrator *it, hol_passage *p, const hol_state *x, bool far)
{
    const hol_equations *s = it->s;
    const hol_evaluations count = s->count;
    p->speed = hol_equations_coordinate_norm(s, x->v);
    p->sigma = hol_pose_sigma(&p->kernel, x);
    p->largest = fmax(p->largest, p->sigma);
    p->slope = far || is_weak(p) ? hol_pose_slope(&p->kernel, x, x->v, p->sigma, &p->room) : 0;
    it->s->count = count;
}

// Way to the pose ahead, infinite where sigma does not fall; and from the one behind.
static double way_ahead(const hol_passage *p)
{
    return p->slope < 0 ? p->speed * p->sigma / -p->slope : HOL_INF;
}

static double way_behind(const hol_passage *p)
{
    return p->slope > 0 ? p->speed * p->sigma / p->slope : HOL_INF;
}

// Was sigma as small before with no pose near? That of small parts of a large machine is small everywhere.
static bool is_known(const hol_passage *p) { return p->sigma >= WEAK * p->largest && p->sigma >= p->safe; }

// Is a pose so near ahead that the method, with steps of this size, should not go on?
static bool is_near(const hol_passage *p, double h)
{
    return p->sigma > 0 && is_weak(p) && !is_known(p) && way_ahead(p) < fmax(NEAR, STEPS * p->speed * h);
}

static bool is_beyond(const hol_passage *p, double h) { return !is_near(p, h) && way_behind(p) > BEYOND; }

// That the motion may go before the next look. What moves away from a pose near by may turn; at rest its way is not known.
// Methods that fail nowhere must not miss one: no singular value changes faster than the rows turn.
static double way_to_look(const hol_passage *p, bool fails)
{
    double pose = fmin(way_ahead(p), way_behind(p));
    if (is_weak(p) && !isfinite(pose)) pose = CHORD * p->sigma;
    const double far = p->largest > 0 ? fmin(fails ? p->sigma / p->largest : p->sigma, pose) : 0;
    return APART * fmax(fmin(NEAR, pose), far);
}

// No pose is near: the method goes on alone, and may be led from here.
static void set_behind(hol_integrator *it, hol_passage *p, double h)
{
    p->blocked = false;
    p->far = h;
    hol_state_copy(it->s, &p->behind, &it->x);
}

// What the method's own factors, if the step has made them anew, say of sigma, a good while after the last look. Where they were
// read at a look too, they spare the next one; else one is made here.
static void follow(hol_integrator *it, hol_passage *p, long factored)
{
    hol_kkt_stats stats;
    const double h = it->x.t - it->before.t;
    hol_kkt_get_stats(it->k->A, &stats);
    p->step = h * hol_equations_coordinate_norm(it->s, it->x.v);
    p->own = 0;
    if (stats.factorizations == factored || p->way - p->step > OWN || p->sigma < SURE * p->largest) return;
    p->own = least_of(it->k);
    if (p->reference <= 0 || h < SHORTER * p->h || h * SHORTER > p->h) p->way = 0;
    const double part = p->way > 0 ? fmin(1, p->paired / p->largest * p->own / p->reference) : 0;
    if (part < SURE) return;
    p->way = APART * part + p->step;
    set_behind(it, p, h);
}

// What the method's own factors said at the point of a look.
static void pair(hol_passage *p, double h)
{
    if (p->own <= 0) return;
    p->reference = p->own;
    p->paired = p->sigma;
    p->h = h;
}

// A look, if the motion may have come near to a pose since the last one, or may in the next step.
static void watch(hol_integrator *it, hol_passage *p)
{
    const double h = it->x.t - it->before.t;
    p->way -= p->step;
    if (p->way > p->step) return;
    look(it, p, &it->x, false);
    p->way = way_to_look(p, !it->method->open);
    pair(p, h);
    if (is_near(p, h)) return;
    if (way_behind(p) > BEYOND && p->sigma > WITHIN * p->largest) { // in a pose weak rows may hide its slope
        set_behind(it, p, h);
        p->safe = fmin(p->safe, p->sigma);
    }
    p->blocked = false;
    p->far = h;
}

// ---- creation -------------------------------------------------------------------------------------------------

// Steps as published are those of the method alone.
static bool wants(const hol_integrator *it, double tolerance)
{
    return tolerance > 0 && it->errors != HOL_ERRORS_PAPER && it->s->nc && !it->method->passes &&
           !(it->method->open && it->s->dependent) && !hol_integrator_is_bare(it);
}

static hol_status make_room(hol_integrator *it, hol_passage *p)
{
    hol_status st = hol_kernel_need_like(&p->kernel, it->k);
    if (!st) st = hol_state_create(it->s, &p->behind);
    if (!st) st = hol_state_create(it->s, &p->room);
    if (st) return st;
    hol_state_copy(it->s, &p->behind, &it->x);
    return HOL_OK;
}

// For methods with error control on models with closed loops. Nothing of it counts as work.
hol_status hol_passage_create(hol_integrator *it, double tolerance, hol_passage **out)
{
    bool loops = false;
    *out = NULL;
    if (!wants(it, tolerance)) return HOL_OK;
    hol_status st = hol_graph_has_loops(it->ctx, it->s->m, &loops);
    if (st || !loops) return st;
    hol_passage *p = hol_calloc(it->ctx, 1, sizeof *p);
    if (!p) return HOL_ERR_MEMORY;
    p->kernel = hol_kernel_of(it->s);
    p->tolerance = fmin(LEAST, tolerance);
    p->safe = HOL_INF;
    p->rescued = -HOL_INF;
    p->starts = true;
    p->waits = it->method->orders;
    st = make_room(it, p);
    if (!st) *out = p;
    if (st) hol_passage_destroy(p);
    return st;
}

void hol_passage_destroy(hol_passage *p)
{
    if (!p) return;
    hol_integrator_destroy(p->guide);
    hol_kernel_drop(&p->kernel);
    hol_state_destroy(&p->behind);
    hol_state_destroy(&p->room);
    hol_free(p);
}

// ---- a passage ------------------------------------------------------------------------------------------------

const hol_state *hol_passage_behind(const hol_passage *p) { return &p->behind; }

hol_integrator *hol_passage_guide(const hol_passage *p) { return p && p->guides ? p->guide : NULL; }

void hol_passage_restart(hol_integrator *it, hol_passage *p)
{
    p->guides = p->over = p->blocked = false;
    p->starts = true;
    p->way = p->step = p->reference = 0;
    hol_state_copy(it->s, &p->behind, &it->x);
}

hol_status hol_passage_rows_changed(hol_integrator *it, hol_passage *p)
{
    hol_status st = hol_kernel_need_like(&p->kernel, it->k);
    hol_integrator_destroy(p->guide);
    p->guide = NULL;
    p->largest = 0; // of other rows
    p->safe = HOL_INF;
    p->over = true;
    p->way = p->reference = 0;
    hol_state_copy(it->s, &p->behind, &it->x);
    return st;
}

// The guide with its state, if it is not there. HOL_RECOVERABLE: it cannot begin, which is no fault of the method.
static hol_status make_guide(hol_integrator *it, hol_passage *p)
{
    const hol_steps steps = {0, p->tolerance, it->h_asked, it->end};
    const hol_evaluations count = it->s->count;
    hol_state x = {0};
    if (p->guide) return HOL_OK;
    hol_status st = hol_state_create(it->s, &x);
    if (st) return st;
    hol_state_copy(it->s, &x, &p->behind);
    p->guide = hol_integrator_create(it->ctx, hol_method_find("rk"), &p->kernel, &x, p->option, &steps);
    hol_state_destroy(&x);
    it->s->count = count;
    st = p->guide ? HOL_OK : hol_context_status(it->ctx);
    if (st == HOL_ERR_MEMORY || it->s->fatal) return st;
    hol_context_clear(it->ctx);
    return p->guide ? HOL_OK : HOL_RECOVERABLE;
}

// The guide at `from`, which lies before a pose that was looked at there, or is a start in a pose, on the joints and with
// accelerations that no form would find.
static hol_status call_guide(hol_integrator *it, hol_passage *p, const hol_state *from)
{
    hol_status st = make_guide(it, p);
    if (st) return st;
    hol_integrator *g = p->guide;
    hol_state_copy(it->s, &g->x, from);
    g->mended = p->starts;
    if (!p->starts) st = g->method->close(g, &g->x);
    if (!st) st = hol_integrator_restart(g);
    if (st) return st;
    if (!p->starts) hol_rk_expect(g, FIRST / p->speed, from->t + way_ahead(p) / p->speed);
    p->taken = 0;
    return HOL_OK;
}

// The guide's state becomes that of the method, with the memory of the method's own.
static void take(hol_integrator *it, hol_passage *p)
{
    const hol_integrator *g = p->guide;
    if (!p->guides) it->count.passages++;
    p->guides = true;
    hol_state_copy(it->s, &it->before, &it->x);
    hol_state_copy(it->s, &it->x, &g->x);
    memcpy(it->x.mem, it->before.mem, (size_t)it->s->m->n_mem * sizeof *it->x.mem);
    it->limit = HOL_LIMIT_POSE;
    it->error = g->error;
    it->work_end = it->lost_end = -HOL_INF;
    look(it, p, &it->x, false);
    p->over = is_beyond(p, it->x.t - it->before.t);
    if (++p->taken < MOST) return;
    p->over = p->blocked = true;
}

// Its steps until one ends after the method's state.
static hol_status guide_step(hol_integrator *it, hol_passage *p, double t_stop)
{
    hol_integrator *g = p->guide;
    const long rejected = g->count.rejected, failed = g->count.corrector_failures;
    hol_status st = HOL_OK;
    if (p->guides) memcpy(g->x.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *g->x.mem);
    for (int i = 0; !st && (i == 0 || g->x.t <= it->x.t); i++)
        st = i < MOST ? hol_integrator_step(g, t_stop) : HOL_RECOVERABLE;
    if (!st && p->taken + 1 == MOST)
        st = hol_stop_locked(g); // each step brings a dead centre nearer by a part of the way
    it->count.rejected += g->count.rejected - rejected;
    it->count.corrector_failures += g->count.corrector_failures - failed;
    if (!st) take(it, p);
    return st;
}

// The method begins anew at the state that the guide has reached.
static hol_status hand_back(hol_integrator *it, hol_passage *p)
{
    p->guides = p->over = false;
    p->way = p->step = p->reference = 0;
    hol_state_copy(it->s, &it->before, &it->x);
    const hol_status st = it->method->restart(it);
    return st > 0 ? hol_stop_without_coordinates(it) : st;
}

// Has the guide failed for good? A lock is told in its words, anything else is left to the method.
static bool is_final(hol_integrator *it, hol_passage *p, hol_status st)
{
    hol_lock lock;
    if (it->s->fatal || (st < 0 && st != HOL_ERR_INTEGRATION)) return true;
    if (st == HOL_ERR_INTEGRATION && hol_find_lock(&p->kernel, &p->guide->x, &lock)) return true;
    hol_context_clear(it->ctx);
    return false;
}

// A step of the guide, called here if it is not under way. HOL_RECOVERABLE: it finds none, the method has begun anew.
static hol_status lead(hol_integrator *it, hol_passage *p, double t_stop)
{
    const bool led = p->guides, earlier = p->waits && !p->starts;
    hol_state *from = earlier ? &p->behind : &it->x;
    hol_status st = led ? HOL_OK : hol_integrator_complete(it);
    if (!led && earlier) look(it, p, from, true);
    if (!led && !st) st = call_guide(it, p, from);
    if (!st) st = guide_step(it, p, t_stop);
    if (!st || is_final(it, p, st)) return st;
    p->blocked = true;
    st = led ? hand_back(it, p) : HOL_OK;
    return st ? st : HOL_RECOVERABLE;
}

// A method that fails behind its new point gives that back: no row and no work of the step to it are there yet.
static void give_back(hol_integrator *it, double reached)
{
    if (it->x.t > reached) hol_state_copy(it->s, &it->x, &it->before);
}

// The guide comes from the last state that was looked at with no pose near, to a point behind the method's own.
static hol_status lead_from_behind(hol_integrator *it, hol_passage *p, double t_stop)
{
    p->rescued = it->x.t;
    look(it, p, &p->behind, true);
    const hol_status st = call_guide(it, p, &p->behind);
    return st ? st : guide_step(it, p, t_stop);
}

// The method has found no step from the state at `reached`, with a text that stays if the guide finds neither a step nor a lock.
static hol_status rescue(hol_integrator *it, hol_passage *p, double t_stop, double reached)
{
    char text[TEXT];
    hol_lock lock;
    give_back(it, reached);
    look(it, p, &it->x, false);
    const bool again = p->speed * (it->x.t - p->rescued) < BEYOND;
    if (!is_weak(p) || again || hol_find_lock(&p->kernel, &it->x, &lock)) return HOL_ERR_INTEGRATION;
    hol_decimal_print(text, sizeof text, "%s", hol_context_error(it->ctx));
    hol_context_clear(it->ctx);
    const hol_status st = lead_from_behind(it, p, t_stop);
    if (!st || is_final(it, p, st)) return st;
    return hol_fail(it->ctx, HOL_ERR_INTEGRATION, "%s", text);
}

// Is a pose near, and will the method not come through by itself? No method begins in a pose as well as the guide.
static bool needs_guide(const hol_integrator *it, hol_passage *p)
{
    const double h = it->x.t - it->before.t;
    if (p->starts && p->sigma < WITHIN && p->speed > 0) return true;
    p->starts = false;
    return !p->blocked && is_near(p, h) && (!p->waits || h < COLLAPSED * p->far);
}

// A method that lets joints open goes through poses by itself, but not as its tolerance asks.
static hol_status refuse(hol_integrator *it)
{
    return hol_fail(
        it->ctx, HOL_ERR_INTEGRATION,
        "stopped at t = %.6g s: next to a singular pose, in which %s, which lets joints open, does not hold "
        "its "
        "tolerance, and no motion through it is found: use a method that holds joints, such as rk",
        it->x.t, it->method->name);
}

// The method goes on beyond a pose; the guide where one is near; else the method, and the guide where it fails.
hol_status hol_passage_step(hol_integrator *it, hol_passage *p, double t_stop, double stop)
{
    hol_status st = p->guides && p->over ? hand_back(it, p) : HOL_OK;
    if (st) return st;
    if (!p->guides) watch(it, p);
    if (p->guides || needs_guide(it, p)) {
        st = lead(it, p, t_stop);
        p->starts = false;
        if (st > 0 && it->method->open) return refuse(it);
        if (st <= 0) return st;
    }
    const double reached = it->x.t;
    hol_kkt_stats stats;
    hol_kkt_get_stats(it->k->A, &stats);
    st = it->method->step(it, stop);
    if (!st) follow(it, p, stats.factorizations);
    return st == HOL_ERR_INTEGRATION && !it->s->fatal ? rescue(it, p, t_stop, reached) : st;
}

void hol_passage_archive(hol_integrator *it, hol_passage *p, hol_archive *a)
{
    bool guide = p->guide != NULL;
    hol_state_archive(it->s, &p->behind, a);
    hol_archive_flag(a, &guide);
    if (!guide && a->reading) { // of a run that has gone further
        hol_integrator_destroy(p->guide);
        p->guide = NULL;
    }
    if (guide && make_guide(it, p)) a->failed = true;
    if (guide && !a->failed) hol_integrator_archive(p->guide, a);
    hol_archive_flag(a, &p->guides);
    if (p->guides && !p->guide) a->failed = true; // only a damaged file says so
    hol_archive_flag(a, &p->starts);
    hol_archive_flag(a, &p->over);
    hol_archive_flag(a, &p->blocked);
    hol_archive_int(a, &p->taken, 0, INT_MAX / 2);
    hol_archive_number(a, &p->sigma, 0, DBL_MAX);
    hol_archive_number(a, &p->largest, 0, DBL_MAX);
    hol_archive_number(a, &p->slope, -DBL_MAX, DBL_MAX);
    hol_archive_number(a, &p->safe, 0, HOL_INF);
    hol_archive_number(a, &p->speed, 0, DBL_MAX);
    hol_archive_number(a, &p->far, 0, DBL_MAX);
    hol_archive_number(a, &p->step, 0, DBL_MAX);
    hol_archive_number(a, &p->way, -DBL_MAX, HOL_INF);
    hol_archive_number(a, &p->own, 0, DBL_MAX);
    hol_archive_number(a, &p->reference, 0, DBL_MAX);
    hol_archive_number(a, &p->paired, 0, DBL_MAX);
    hol_archive_number(a, &p->h, 0, DBL_MAX);
    hol_archive_number(a, &p->rescued, -HOL_INF, DBL_MAX);
}
