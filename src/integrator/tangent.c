// Newmark, HHT and generalized-alpha in tangent-space coordinates, (11.1) to (11.3): options, attempts, error control.
// Fernandez de Bustos et al. 2021; docs/theory.md, section 11.
#include "integrator/tangent.h"
#include "integrator/newmark.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RULE, GAMMA, BETA, ALPHA, RHO, BASIS, START, PREDICTOR };
enum { TRAPEZOIDAL, LINEAR_ACCELERATION, FOX_GOODWIN, NEWMARK, HHT, GENALPHA };
static const hol_option options[] = {
    {"rule", HOL_CHOICE, "", 0, 0, 0, 0, "trapezoidal|linear-acceleration|fox-goodwin|newmark|hht|genalpha",
     "trapezoidal: beta = 1/4; linear-acceleration: 1/6, fox-goodwin: 1/12, both for steps below a limit "
     "only (theory, 11.4); all with gamma = 1/2; newmark: gamma and beta as given; hht, genalpha: with "
     "damping, order 2"},
    {"gamma", HOL_NUMBER, "", 0.5, 0.5, 1, 0, NULL,
     "rule newmark: velocity parameter; above 0.5 damped, order 1"},
    {"beta", HOL_NUMBER, "", HOL_NONE, 0, 1, 0, NULL,
     "rule newmark: position parameter; default (gamma + 1/2)^2/4"},
    {"alpha", HOL_NUMBER, "", -0.3, -1.0 / 3, 0, 0, NULL, "rule hht: 0 no damping, -1/3 most"},
    {"rho", HOL_NUMBER, "", 0.8, 0, 1, 0, NULL,
     "rule genalpha: spectral radius at infinity: 1 no damping, 0 most"},
    {"basis", HOL_CHOICE, "", 0, 0, 0, 0, "orthonormal|sparse",
     "tangent space in all coordinates, or in some of them that determine the others"},
    {"start", HOL_CHOICE, "", 0, 0, 0, 0, "consistent|zero",
     "accelerations with which the first step begins: those of the equations of motion, or zero where a "
     "stiff, damped layer makes them meaningless for the steps taken"},
    {"predictor", HOL_INTEGER, "", 3, 0, HOL_TANGENT_PAST - 1, 0, NULL,
     "degree of the extrapolation of a and lam that starts the iteration"},
    HOL_END_OPTIONS};

enum { NEW_MATRIX = 4 }; // what new matrices cost, in iterations
#define GROWN 4          // growth at which a partition is chosen anew

// ---- rules ----------------------------------------------------------------------------------------------------

// The coefficients of the rule that the options name.
static hol_scheme rule_of(const hol_value *o)
{
    const double gamma = o[GAMMA].num;
    switch ((int)o[RULE].num) {
    case LINEAR_ACCELERATION: return hol_scheme_newmark(0.5, 1.0 / 6);
    case FOX_GOODWIN: return hol_scheme_newmark(0.5, 1.0 / 12);
    case NEWMARK:
        return hol_scheme_newmark(gamma, o[BETA].given ? o[BETA].num : (gamma + 0.5) * (gamma + 0.5) / 4);
    case HHT: return hol_scheme_hht(o[ALPHA].num);
    case GENALPHA: return hol_scheme_genalpha(o[RHO].num);
    default: return hol_scheme_newmark(0.5, 0.25);
    }
}

// Rules without damping are admitted with error control: constraints hold exactly at each level, so that no multiplier
// oscillates as in the index-3 family, where genalpha refuses rho above 0.9.
static const char *refuse(const hol_value *o, bool variable)
{
    const int rule = (int)o[RULE].num;
    (void)variable;
    if (rule != NEWMARK && (o[GAMMA].given || o[BETA].given))
        return "gamma and beta go with rule: newmark only";
    if (rule != HHT && o[ALPHA].given) return "alpha goes with rule: hht only";
    if (rule != GENALPHA && o[RHO].given) return "rho goes with rule: genalpha only";
    return NULL;
}

// Linear oscillator without damping; docs/theory.md (11.7).
static double limit(const hol_value *o, bool variable)
{
    const hol_scheme s = rule_of(o);
    (void)variable;
    return s.beta < s.gamma / 2 ? 1 / sqrt(s.gamma / 2 - s.beta) : HOL_INF;
}

// ---- creation -------------------------------------------------------------------------------------------------

static hol_status make_chart(hol_integrator *it, hol_tangent *d)
{
    const unsigned kind = it->option[BASIS].num > 0 ? HOL_CHART_PARTITION : HOL_CHART_TANGENT;
    hol_status st = hol_chart_create(it->ctx, it->s, kind | HOL_CHART_NO_BASIS, &d->chart);
    bool beside;
    if (!st) st = hol_chart_begin(&d->chart, it->k, &it->x, &beside);
    d->has_chart = false;
    return st > 0 ? hol_stop_without_coordinates(it) : st;
}

// All vectors, from a table of their sizes, in one piece of memory.
static hol_status make_room(hol_integrator *it, hol_tangent *d)
{
    const hol_equations *s = it->s;
    const size_t nq = (size_t)s->nq, n = (size_t)s->n, both = nq + (size_t)s->nx, rows = n - (size_t)s->nf,
                 nonzeros = (size_t)s->pattern.start[s->n];
    const struct {
        double **array;
        size_t size;
    } parts[] = {{&d->w0, both},    {&d->w_mid, both},  {&d->w1, both},     {&d->ws, both},
                 {&d->start, nq},   {&d->target, nq},   {&d->s, rows},      {&d->r, rows},
                 {&d->b, n},        {&d->row[0], rows}, {&d->row[1], rows}, {&d->row[2], rows},
                 {&d->back[0], nq}, {&d->back[1], nq},  {&d->moved[0], nq}, {&d->moved[1], nq},
                 {&d->K, nonzeros}, {&d->D, nonzeros}};
    size_t total = 1;
    for (int i = 0; i < HOL_COUNT(parts); i++) total += parts[i].size;
    double *p = d->memory = hol_calloc(it->ctx, total, sizeof *p);
    if (!p) return HOL_ERR_MEMORY;
    for (int i = 0; i < HOL_COUNT(parts); p += parts[i++].size) *parts[i].array = p;
    return hol_history_create(it->ctx, HOL_TANGENT_PAST, s->n, &d->history);
}

// Error e of positions between x0 and x1, in units of the tolerance; rate: of velocities, whose natural sizes are so much larger.
static double mean_error(const hol_integrator *it, const double *e, const double *x0, const double *x1,
                         double rate)
{
    double sum = 0;
    for (int i = 0; i < it->s->nq; i++) {
        const double x = e[i] / hol_weight(it, it->size[i] * rate, x0[i], x1[i]);
        sum += x * x;
    }
    return it->s->nq ? sqrt(sum / it->s->nq) / it->tolerance : 0;
}

static double position_error(const hol_integrator *it, const double *e, const double *q0, const double *q1)
{
    return it->norm.groups ? hol_norm_positions(&it->norm, e, q0, q1) : mean_error(it, e, q0, q1, 1);
}

static double velocity_error(const hol_integrator *it, const double *e, const double *v0, const double *v1)
{
    return it->norm.groups ? hol_norm_rates(&it->norm, e)
                           : mean_error(it, e, v0, v1, 1 / it->s->m->time_scale);
}

// A start from the present state, with a(0) as given or 0.
static hol_status restart(hol_integrator *it)
{
    hol_tangent *d = it->data;
    const hol_equations *s = it->s;
    hol_one_step_restart(&d->one);
    d->history.n = 0;
    d->h_matrix = 0;
    memcpy(d->start, it->x.a, (size_t)s->nq * sizeof *d->start);
    if (d->zero) memset(d->start, 0, (size_t)s->nq * sizeof *d->start);
    hol_scheme_start_w(s, d->start, it->x.z, d->w0);
    hol_history_push(&d->history, it->x.t, it->x.a);
    memcpy(d->history.past[0], d->start, (size_t)s->nq * sizeof *d->start);
    if (it->tolerance <= 0) return HOL_OK;
    if (it->norm.groups) hol_norm_pace(&it->norm, 0, it->x.q, it->x.v, it->x.v);
    const double a = position_error(it, it->x.a, it->x.q, it->x.q),
                 c = fmax(fabs(d->scheme.error), d->scheme.rate_error);
    it->h = hol_scheme_first_step(it, a > 0 ? 1 / (c * a) : HOL_INF);
    return HOL_OK;
}

// The word taken of a row's choices; those after it follow.
static const char *choice(const hol_integrator *it, int row)
{
    const char *word = options[row].choices;
    for (int k = (int)it->option[row].num; k > 0; k--) word = strchr(word, '|') + 1;
    return word;
}

static const char *chose(const hol_integrator *it) { return ((const hol_tangent *)it->data)->chosen; }

// Rule, basis, chart, states, vectors.
static hol_status create(hol_integrator *it)
{
    hol_tangent *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    it->settles_between = true;
    d->scheme = rule_of(it->option);
    const char *rule = choice(it, RULE), *basis = choice(it, BASIS);
    snprintf(d->chosen, sizeof d->chosen, "%.*s, %.*s basis", (int)strcspn(rule, "|"), rule,
             (int)strcspn(basis, "|"), basis);
    d->zero = it->option[START].num > 0;
    d->degree = (int)it->option[PREDICTOR].num;
    hol_status st = make_room(it, d);
    if (!st) st = hol_state_create(it->s, &d->x1);
    if (!st) st = hol_state_create(it->s, &d->mid);
    if (!st) st = make_chart(it, d);
    return st ? st : restart(it);
}

// Frees all that create made, as far as it came.
static void destroy(hol_integrator *it)
{
    hol_tangent *d = it->data;
    if (!d) return;
    hol_chart_destroy(&d->chart);
    hol_state_destroy(&d->x1);
    hol_state_destroy(&d->mid);
    hol_history_destroy(&d->history);
    hol_free(d->memory);
    hol_free(d);
}

static hol_status rows_changed(hol_integrator *it)
{
    hol_tangent *d = it->data;
    hol_chart_destroy(&d->chart);
    hol_history_destroy(&d->history);
    hol_free(d->memory); // the pattern is another one
    hol_status st = make_room(it, d);
    if (!st) st = make_chart(it, d);
    return st ? st : restart(it);
}

// ---- one attempt ----------------------------------------------------------------------------------------------

static void begin_at(hol_tangent *d, const hol_state *x, const double *a, const double *w)
{
    d->x0 = x;
    d->a0 = a;
    d->w = w;
}

// The step in two unequal parts: where its end would be too near to a singular pose, one of them may pass it.
static hol_status divided(hol_integrator *it, hol_tangent *d, double t1, double h, double part)
{
    const double h1 = part * h, t = it->x.t + h1;
    hol_status st = hol_tangent_solve(it, d, t, h1, HOL_TANGENT_EVERY, HOL_TANGENT_HISTORY);
    if (st) return st;
    hol_state_copy(it->s, &d->mid, &d->x1);
    memcpy(d->w_mid, d->w1, (size_t)(it->s->nq + it->s->nx) * sizeof *d->w_mid);
    d->h_mid = h1;
    begin_at(d, &d->mid, d->mid.a, d->w_mid);
    return hol_tangent_solve(it, d, t1, t1 - t, HOL_TANGENT_EVERY, HOL_TANGENT_TAYLOR);
}

// A partition may be near a dead point of its coordinates.
static hol_status choose_anew(hol_integrator *it, hol_tangent *d)
{
    if (d->chart.tangent) return HOL_RECOVERABLE;
    it->count.repartitions++;
    const hol_status st = hol_chart_choose(&d->chart, &it->x);
    d->has_chart = false;
    return st < 0 ? st : HOL_RECOVERABLE;
}

// Attempts at one step: kept matrices, new ones in every iteration, simpler guesses, at last two unequal
// parts.
static hol_status solve(hol_integrator *it, hol_tangent *d, double t1, double h)
{
    static const struct {
        hol_tangent_policy matrix;
        hol_tangent_guess guess;
        double part; // of the step that goes first; 1: all of it
    } ways[] = {{HOL_TANGENT_KEEP, HOL_TANGENT_HISTORY, 1},    {HOL_TANGENT_EVERY, HOL_TANGENT_HISTORY, 1},
                {HOL_TANGENT_EVERY, HOL_TANGENT_TAYLOR, 1},    {HOL_TANGENT_EVERY, HOL_TANGENT_COAST, 1},
                {HOL_TANGENT_EVERY, HOL_TANGENT_STAY, 1},      {HOL_TANGENT_EVERY, HOL_TANGENT_HISTORY, 0.6},
                {HOL_TANGENT_EVERY, HOL_TANGENT_HISTORY, 0.35}};
    const int most = it->tolerance > 0 ? 2 : HOL_COUNT(ways); // with error control a shorter step is better
    hol_status st = HOL_RECOVERABLE;
    for (int i = 0; i < most && st > 0; i++) {
        if (i) it->count.corrector_failures++;
        if (i == 2 || (i && it->tolerance > 0)) st = choose_anew(it, d);
        if (st < 0) break;
        begin_at(d, &it->x, d->start, d->w0);
        st = ways[i].part < 1 ? divided(it, d, t1, h, ways[i].part)
                              : hol_tangent_solve(it, d, t1, h, ways[i].matrix, ways[i].guess);
    }
    return st;
}

// Change of the accelerations beyond that at the step before: h^2 a'' by divided differences; without history h a'.
static void bend(const hol_integrator *it, const hol_tangent *d, double h, double *out)
{
    const hol_history *p = &d->history;
    const double before = p->n > 1 ? p->t[0] - p->t[1] : 0;
    for (int i = 0; i < it->s->nq; i++) {
        const double change = d->x1.a[i] - d->start[i];
        out[i] = before > 0 ? 2 * h / (h + before) * (change - h / before * (p->past[0][i] - p->past[1][i]))
                            : change;
    }
}

// Of users' states, (8.16) and (8.17), in units of the tolerance.
static double state_error(const hol_integrator *it, const hol_tangent *d, double h)
{
    const hol_equations *s = it->s;
    double worst = 0;
    for (int i = 0; i < s->nx; i++) {
        const double e = hol_scheme_state_error(&d->scheme, s, &d->history, i, d->x1.z, h, NULL);
        const double size = it->size[s->nq + i], now = fmax(fabs(it->x.X[i]), fabs(d->x1.X[i]));
        worst = fmax(worst, fabs(e) / (it->norm.groups ? fmax(size, it->relative * now)
                                                       : hol_weight(it, size, it->x.X[i], d->x1.X[i])));
    }
    return worst / it->tolerance;
}

// docs/theory.md (11.8) to (11.10)
static double local_error(hol_integrator *it, hol_tangent *d, double h)
{
    const hol_equations *s = it->s;
    double *e = d->target, position, velocity;
    if (it->norm.groups) hol_norm_pace(&it->norm, 0, d->x1.q, it->x.v, d->x1.v);
    for (int i = 0; i < s->nq; i++) e[i] = d->scheme.error * h * h * (d->w1[i] - d->ws[i]);
    hol_chart_project(&d->chart, e, e);
    position = position_error(it, e, it->x.q, d->x1.q);
    if (hol_scheme_first_order(&d->scheme))
        for (int i = 0; i < s->nq; i++) e[i] = (d->scheme.gamma - 0.5) * h * (d->w1[i] - d->ws[i]);
    else {
        bend(it, d, h, e);
        for (int i = 0; i < s->nq; i++) e[i] *= d->scheme.rate_error * h;
    }
    hol_chart_project(&d->chart, e, e);
    velocity = velocity_error(it, e, it->x.v, d->x1.v);
    return fmax(fmax(position, velocity), state_error(it, d, h));
}

static hol_status attempt(hol_integrator *it, double t1, double h, double *error)
{
    hol_tangent *d = it->data;
    const hol_status st = solve(it, d, t1, h);
    *error = st || it->tolerance <= 0 ? 0 : local_error(it, d, h);
    return st;
}

// ---- steps ----------------------------------------------------------------------------------------------------

// A step a little longer than the matrix is for gains less than a new one costs.
static double plan(const hol_integrator *it, double h)
{
    const hol_tangent *d = it->data;
    return d->h_matrix > 0 && h > d->h_matrix && h < 1.2 * d->h_matrix ? d->h_matrix : h;
}

// Are the matrices old enough to be made anew at the next step? A partition that has worn out is chosen anew.
static hol_status judge_matrices(hol_integrator *it, hol_tangent *d)
{
    if (d->least < 0 || d->last_iterations < d->least) d->least = d->last_iterations;
    d->spent += d->last_iterations - d->least;
    if (d->spent > NEW_MATRIX) d->has_chart = false;
    if (!hol_chart_is_worn(&d->chart) && d->growth < GROWN) return HOL_OK;
    d->growth = 0;
    d->has_chart = false;
    it->count.repartitions++;
    const hol_status st = hol_chart_choose(&d->chart, &it->x);
    return st > 0 ? hol_stop_without_coordinates(it) : st;
}

// The new point becomes the present one; matrices are judged by the iterations they have cost.
static hol_status accept(hol_integrator *it, hol_tangent *d)
{
    const size_t nq = (size_t)it->s->nq * sizeof *d->start;
    d->h_w = d->x1.t - d->x0->t;
    hol_integrator_advance(it, &d->x1);
    memcpy(it->before.a, d->start, nq); // what the step has begun with
    double *w = d->w0;
    d->w0 = d->w1;
    d->w1 = w;
    memcpy(d->start, it->x.a, nq);
    hol_history_push(&d->history, it->x.t, it->x.a);
    return judge_matrices(it, d);
}

// Attempts until one is accepted.
static hol_status step(hol_integrator *it, double t_stop)
{
    hol_tangent *d = it->data;
    double h = it->h;
    const size_t n_mem = (size_t)it->s->m->n_mem * sizeof *d->x1.mem;
    memcpy(d->x1.mem, it->x.mem, n_mem);
    memcpy(d->mid.mem, it->x.mem, n_mem);
    const hol_status st =
        hol_one_step_take(it, &d->one, hol_scheme_first_order(&d->scheme) ? 2 : 3, t_stop, attempt, plan, &h);
    if (st > 0) return hol_stop(it, &d->x1, h, d->one.tried, "the iteration does not converge", NULL);
    return st ? st : accept(it, d);
}

// What a step depends on beside the state, for checkpoints.
static void archive(hol_integrator *it, hol_archive *a)
{
    hol_tangent *d = it->data;
    const hol_equations *s = it->s;
    const size_t both = (size_t)(s->nq + s->nx), nonzeros = (size_t)s->pattern.start[s->n];
    hol_one_step_archive(&d->one, a);
    hol_chart_archive(&d->chart, a);
    hol_archive_numbers(a, d->K, nonzeros);
    hol_archive_numbers(a, d->D, nonzeros);
    hol_archive_numbers(a, d->w0, both);
    hol_archive_numbers(a, d->start, (size_t)s->nq);
    hol_history_archive(&d->history, a);
    HOL_ARCHIVE(a, d->h_w);
    HOL_ARCHIVE(a, d->h_matrix);
    hol_archive_flag(a, &d->has_chart);
    HOL_ARCHIVE(a, d->growth);
    hol_archive_int(a, &d->least, -1, INT_MAX / 2);
    hol_archive_int(a, &d->spent, 0, INT_MAX / 2);
}

static int order_of(const hol_value *o)
{
    if (o[START].num > 0) return 1; // of the first step
    return o[RULE].num == NEWMARK ? hol_newmark_order(o + GAMMA) : 2;
}

const hol_method hol_method_tangent = {
    .name = "tangent",
    .family = "Newmark",
    .suits = HOL_SUITS_LAST,
    .doc = "Newmark, HHT or generalized-alpha in step-local coordinates of the tangent space: constraints of "
           "positions, "
           "velocities and accelerations hold; order 2",
    .order = 2,
    .divisor = 10,
    .own_estimate = true,
    .order_of = order_of,
    .holds = HOL_HOLDS_MOTION,
    .accepts = HOL_ACCEPTS_ALL,
    .options = options,
    .fewest_steps = 50,
    .refuse = refuse,
    .limit = limit,
    .chose = chose,
    .create = create,
    .destroy = destroy,
    .step = step,
    .restart = restart,
    .rows_changed = rows_changed,
    .archive = archive,
    .interpolate = hol_interpolate_hermite,
};
