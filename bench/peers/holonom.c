// holonom on the problems of peers.h. SETTING: method, then options separated by spaces: "rk order=8 tol=1e-4" is
// simulate.method=rk, rk.order=8, simulate.tolerance=1e-4; "tolerance=", "step=" and "max_step=" are those of simulate. Of an evaluation: "tree" or "sparse".
#include "analysis/dynamics.h"
#include "holonom.h"
#include "peers.h"
#include "recursion/loop_solve.h"
#include "system/initial.h"
#include "system/kernel.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <unistd.h>

enum { MOST_SET = 16, SET_LENGTH = 80 };

typedef struct {
    const char *name, *model, *parameter, *signal,
        *more; // signal: one that the model has, or a pattern with *
} model;

static const model models[] = {
    {"parallelograms", "models/four_bar", "N", "crank0.tip", NULL},
    {"bricard", "models/bricard", NULL, "rod3.P3", NULL},
    {"andrews", "models/andrews", NULL, "OF.theta", NULL},
    {"flyball", "models/flyball", NULL, "slider.z", NULL},
    {"stiff_pendulum", "models/double_pendulum", NULL, "rod1.theta", NULL},
    {"chain", "models/chain3d", "n", "link%d.tip", NULL},
    {"ladder", "models/ladder", "K", "top%d.right", "parameters.g=9.81"},
    {"control", "models/cart_pole", NULL, "lean", NULL},
    {"ball", "bench/peers/ball", NULL, "ball.z", NULL},
    {"cradle", "bench/peers/cradle", NULL, "b*.vx", NULL},
    {"block", "bench/peers/block", NULL, "block.x", NULL},
    {"heap/smooth", "bench/peers/heap", "N", "b*.[xyz]", "parameters.mu=1e-14"},
    {"heap", "bench/peers/heap", "N", "b*.[xyz]", NULL},
};

typedef struct {
    char text[MOST_SET][SET_LENGTH];
    const char *set[MOST_SET];
    int n;
    bool tolerance;
} overrides;

static void add(overrides *o, const char *format, ...)
{
    va_list args;
    if (o->n == MOST_SET) return;
    va_start(args, format);
    vsnprintf(o->text[o->n], SET_LENGTH, format, args);
    va_end(args);
    o->set[o->n] = o->text[o->n];
    o->n++;
}

static void add_setting(overrides *o, const char *setting)
{
    char copy[300], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", setting);
    const char *method = strtok_r(copy, " ", &rest);
    add(o, "simulate.method=%s", method);
    for (const char *word; (word = strtok_r(NULL, " ", &rest));) {
        if (strncmp(word, "tol=", 4) == 0) {
            add(o, "simulate.tolerance=%s", word + 4);
            // that of a step, as the other programs have it; rn4 has coordinates of its own
            if (strcmp(method, "rn4")) add(o, "%s.errors=paper", method);
            o->tolerance = true;
        } else if (strncmp(word, "step=", 5) == 0 || strncmp(word, "max_step=", 9) == 0 ||
                   strncmp(word, "tolerance=", 10) == 0)
            add(o, "simulate.%s", word);
        else
            add(o, "%s.%s", method, word);
    }
}

// The model's file, with a tolerance where the file fixes the step.
static hol_model *load(hol_context *ctx, const model *m, const overrides *o)
{
    static char text[1 << 16];
    char path[200];
    const char *const fixed = "\n  step: 0.01";
    snprintf(path, sizeof path, "%s.yaml", m->model);
    FILE *f = fopen(path, "r");
    if (!f) return NULL;
    const size_t length = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[length] = 0;
    char *const at = o->tolerance ? strstr(text, fixed) : NULL;
    if (at) memset(at + 1, ' ', strlen(fixed) - 1);
    return hol_model_parse(ctx, path, text, length, o->set, o->n);
}

static const model *find(const peer_problem *p)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (peer_is(p, models[i].name)) return &models[i];
    return NULL;
}

// ---- a run ----------------------------------------------------------------------------------------------------------

static int rows_of(const peer_problem *p) { return peer_is(p, "heap") ? 40 : p->points; }

// Mean height of the spheres at the end, and the pairs that overlap in the rows behind the first one, on the average.
static void look_at_heap(const peer_problem *p, const hol_result *r, const int *column, peer_outcome *out)
{
    double at[3], normal[3];
    for (size_t row = 1; row < r->n_rows; row++) {
        const double *x = r->value + row * (size_t)r->n_columns;
        double sum = 0;
        for (int i = 0; i < p->size; i++) {
            const double c[3] = {x[column[3 * i]], x[column[3 * i + 1]], x[column[3 * i + 2]]};
            sum += c[2];
            for (int j = 0; j < i; j++) {
                double square = 0;
                for (int k = 0; k < 3; k++) square += pow(x[column[3 * j + k]] - c[k], 2);
                out->contacts += square < 4 * PEER_HEAP_RADIUS * PEER_HEAP_RADIUS;
            }
            for (int w = 0; w < PEER_HEAP_WALLS; w++) {
                peer_heap_wall(p, w, at, normal);
                double gap = -PEER_HEAP_RADIUS;
                for (int k = 0; k < 3; k++) gap += normal[k] * (c[k] - at[k]);
                out->contacts += gap < 0;
            }
        }
        out->got[0] = sum / p->size;
    }
    out->contacts /= (double)(r->n_rows - 1);
}

// Columns of a signal, of its components, or of what a pattern matches. How many.
static int columns(const hol_result *r, const char *signal, int *out)
{
    const size_t length = strlen(signal);
    int n = 0;
    for (int c = 1; c < r->n_columns; c++) {
        const char *name = r->name[c], *rest = name + length;
        const bool component = strncmp(name, signal, length) == 0 && rest[0] == '.' && rest[1] &&
                               strchr("xyz", rest[1]) && !rest[2];
        if (component || fnmatch(signal, name, 0) == 0) out[n++] = c;
    }
    return n;
}

static bool compare(hol_context *ctx, const peer_problem *p, const char *path, const char *signal,
                    peer_outcome *out)
{
    hol_result *r = hol_result_read(ctx, path);
    int *column = r ? malloc((size_t)r->n_columns * sizeof *column) : NULL;
    bool fine = column && r->n_rows == (size_t)rows_of(p) + 1;
    const int found = fine ? columns(r, signal, column) : 0;
    if (peer_is(p, "heap")) {
        fine = fine && found == 3 * p->size;
        if (fine) look_at_heap(p, r, column, out);
    } else {
        fine = fine && found >= p->values;
        for (int i = 0; fine && i < p->points; i++)
            for (int k = 0; k < p->values; k++)
                out->got[i * p->values + k] =
                    r->value[(size_t)(i + 1) * (size_t)r->n_columns + (size_t)column[k]];
    }
    free(column);
    hol_result_destroy(r);
    return fine;
}

static hol_status simulate(hol_context *ctx, const peer_problem *p, hol_model *m, const char *signal,
                           bool sampled, peer_outcome *out)
{
    char path[100];
    hol_simulation *sim = hol_simulation_create(ctx, m);
    if (!sim) return hol_context_status(ctx);
    snprintf(path, sizeof path, "/tmp/holonom_peers_%ld.csv", (long)getpid());
    hol_status st = sampled ? hol_simulation_write(sim, path) : HOL_OK;
    const double begin = peer_now();
    if (!st) st = hol_simulation_run(sim);
    out->seconds = peer_now() - begin;
    const hol_statistics *s = hol_simulation_finish(sim);
    out->drift = s->energy_drift_max;
    out->steps = s->steps;
    out->rhs = s->residuals;
    hol_simulation_destroy(sim);
    if (!st && sampled && !compare(ctx, p, path, signal, out)) st = HOL_ERR_IO;
    if (sampled) remove(path);
    return st;
}

// The controller outside: it takes the state of every period, and sets the input.
static hol_status control(hol_context *ctx, const peer_problem *p, hol_model *m, peer_outcome *out)
{
    hol_simulation *sim = hol_simulation_create(ctx, m);
    if (!sim) return hol_context_status(ctx);
    hol_state_view x;
    hol_status st = HOL_OK;
    const int u = hol_simulation_find_input(sim, "u"), periods = (int)lround(p->end / PEER_PERIOD);
    const double begin = peer_now();
    for (int k = 0; k < periods && !st; k++) {
        st = hol_simulation_get_state(sim,
                                      &x); // of the cart, then of the pole, whose angle counts to the left
        if (!st) st = hol_simulation_set_input(sim, u, peer_push(x.q[0], -x.q[5], x.v[0], -x.v[5]));
        if (!st) st = hol_simulation_advance(sim, PEER_PERIOD * (k + 1));
    }
    out->seconds = peer_now() - begin;
    if (!st) st = hol_simulation_get_state(sim, &x);
    if (!st) memcpy(out->got, (double[]){x.q[0], -x.q[5]}, 2 * sizeof *out->got);
    const hol_statistics *s = hol_simulation_finish(sim);
    out->steps = s->steps;
    out->rhs = s->residuals;
    hol_simulation_destroy(sim);
    return st;
}

static bool whole(const peer_problem *p, const model *m, const char *setting, bool sampled, peer_outcome *out)
{
    overrides o = {.n = 0};
    char signal[40];
    snprintf(signal, sizeof signal, m->signal, p->size); // NOLINT: a name from the table above
    if (m->parameter) add(&o, "parameters.%s=%d", m->parameter, p->size);
    if (m->more) add(&o, "%s", m->more);
    add(&o, "simulate.end=%.17g", p->end);
    add(&o, "simulate.output=%.17g", sampled ? p->end / rows_of(p) : p->end);
    if (!strchr(signal, '*')) add(&o, "simulate.signals=%s", signal);
    add(&o, "simulate.threads=1"); // CPU is compared
    add_setting(&o, setting);
    hol_context *ctx = hol_context_create();
    hol_model *loaded = load(ctx, m, &o);
    const bool controlled = peer_is(p, "control");
    const hol_status st = !loaded      ? HOL_ERR_MODEL
                          : controlled ? control(ctx, p, loaded, out)
                                       : simulate(ctx, p, loaded, signal, sampled, out);
    if (st) snprintf(out->failure, sizeof out->failure, "%.180s", hol_context_error(ctx));
    hol_model_destroy(loaded);
    hol_context_destroy(ctx);
    return !st;
}

// ---- one evaluation -------------------------------------------------------------------------------------------------

typedef struct {
    hol_model_data *m;
    hol_kernel k;
    hol_equations *s;
    hol_state x;
    hol_rank rank;
    hol_loops loops;
} system_of;

static hol_status evaluate(system_of *o, bool tree)
{
    if (!tree) return hol_solve_accelerations(&o->k, &o->x);
    if (!o->loops.size->n_loops) return hol_tree_accelerations(o->loops.r, &o->x, false);
    if (!o->loops.joints) // no help from the last one
        memset(o->loops.mu, 0, (size_t)o->loops.size->n_loops * sizeof *o->loops.mu);
    return hol_loops_accelerations(&o->loops, &o->x, false);
}

static bool evaluation(const peer_problem *p, const model *m, const char *setting, peer_outcome *out)
{
    const bool joints = strncmp(setting, "joints", 6) == 0, tree = joints || strncmp(setting, "tree", 4) == 0;
    overrides o = {.n = 0};
    char path[200];
    system_of e;
    hol_obstacle obstacle;
    memset(&e, 0, sizeof e);
    add(&o, "parameters.%s=%d", m->parameter, p->size);
    if (m->more) add(&o, "%s", m->more);
    snprintf(path, sizeof path, "%s.yaml", m->model);
    hol_context *ctx = hol_context_create();
    hol_spec *spec = hol_spec_read_file(ctx, path, o.set, o.n);
    e.m = spec ? hol_model_compile(spec) : NULL;
    hol_status st = e.m ? hol_initialise(ctx, e.m, true, &e.k, &e.x, &e.rank) : HOL_ERR_MODEL;
    e.s = e.k.s;
    if (!st && joints) st = hol_loops_create_joints(ctx, e.s, 1e-8, HOL_INF, &e.loops, &obstacle);
    if (!st && tree && !joints) st = hol_loops_create(ctx, e.s, &e.x, NULL, 1e-8, &e.loops, &obstacle);
    for (int i = 0; i < 2 && !st; i++) st = evaluate(&e, tree); // into the caches
    int n = 0;
    const double begin = peer_now();
    for (; !st && peer_again(n, 4, begin); n++) st = evaluate(&e, tree);
    out->seconds = (peer_now() - begin) / n;
    if (st) snprintf(out->failure, sizeof out->failure, "%.180s", hol_context_error(ctx));
    hol_loops_destroy(&e.loops);
    hol_rank_destroy(&e.rank);
    hol_state_destroy(&e.x);
    hol_start_destroy(&e.k);
    hol_model_free(e.m);
    hol_context_destroy(ctx);
    return !st;
}

static bool run(const peer_problem *p, const char *setting, bool sampled, peer_outcome *out)
{
    const model *m = find(p);
    if (peer_rhs(p)) return evaluation(p, m, setting, out);
    return whole(p, m, setting, sampled, out);
}

int main(int argc, char **argv) { return peer_main(argc, argv, run); }
