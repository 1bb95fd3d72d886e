// Every request for memory fails once in turn, for every method of the table: what comes is HOL_ERR_MEMORY with a message, no
// crash and no leak. The same for the requests of SuiteSparse, and, outside the sanitizers, for every malloc of the process.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "../interposed.h"
#include "base/base.h"
#include "checkpoints.h"

#include <SuiteSparse_config.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 3, MOST_REQUESTS = 1000000 };

#define SPARSE "sparse solver"

static char csv[60], saved[60];

static long fail_in; // the request that fails, counted from now; 0: none

static bool refused(void) { return fail_in > 0 && --fail_in == 0; }

// ---- all of the process ---------------------------------------------------------------------------------------

#if INTERPOSED
static bool everything; // fail_in counts every malloc
static struct {         // of the process that tries and the one that waits for it
    long n;             // the request
    uintptr_t from;     // who asked for what was refused
    bool done;          // it was not made any more
} * common;
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void *aligned_alloc(size_t alignment, size_t size);

static bool refused_everywhere(void *caller)
{
    if (!everything || !refused()) return false;
    common->from = (uintptr_t)caller;
    return true;
}
#define REFUSED() refused_everywhere(__builtin_return_address(0))

void *malloc(size_t size) { return REFUSED() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return REFUSED() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return REFUSED() ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size)
{
    return REFUSED() ? NULL : __libc_memalign(alignment, size);
}
#endif

// ---- SuiteSparse ----------------------------------------------------------------------------------------------

static void *sparse_malloc(size_t size) { return refused() ? NULL : malloc(size); }
static void *sparse_calloc(size_t count, size_t size) { return refused() ? NULL : calloc(count, size); }
static void *sparse_realloc(void *old, size_t size) { return refused() ? NULL : realloc(old, size); }

static void replace_sparse_memory(bool own)
{
#if SUITESPARSE_MAIN_VERSION >= 6
    SuiteSparse_config_malloc_func_set(own ? sparse_malloc : malloc);
    SuiteSparse_config_calloc_func_set(own ? sparse_calloc : calloc);
    SuiteSparse_config_realloc_func_set(own ? sparse_realloc : realloc);
#else
    SuiteSparse_config.malloc_func = own ? sparse_malloc : malloc;
    SuiteSparse_config.calloc_func = own ? sparse_calloc : calloc;
    SuiteSparse_config.realloc_func = own ? sparse_realloc : realloc;
#endif
}

// ---- what is tried --------------------------------------------------------------------------------------------

typedef struct {
    const char *model; // a file, or a text, which has a ':'
    char set[2][60];
} trial;

// A parallelogram that begins to turn in its singular pose: hht is led from the first step on.
#define LED                                                                                                  \
    "{dimension: 2, bodies: ["                                                                               \
    "{name: left, mass: 1, inertia: 0.1, position: [0.5, 0], omega: 1, velocity: [0, 0.5]},"                 \
    "{name: right, mass: 1, inertia: 0.1, position: [1.5, 0], omega: 1, velocity: [0, 0.5]},"                \
    "{name: rod, mass: 1, inertia: 0.1, position: [1.5, 0], velocity: [0, 1]}], joints: ["                   \
    "{name: A, type: revolute, bodies: [ground, left], at: [0, 0]},"                                         \
    "{name: B, type: revolute, bodies: [ground, right], at: [1, 0]},"                                        \
    "{name: C, type: revolute, bodies: [left, rod], at: [1, 0]},"                                            \
    "{name: D, type: revolute, bodies: [right, rod], at: [2, 0]}], simulate: {end: 1}}"

// Laws of joints, which are compiled into unknowns, states and events.
#define LAWS                                                                                                 \
    "{dimension: 3, bodies: [{name: a, mass: 1, inertia: [1, 1, 1], omega: [0, 0, 2]}, "                     \
    "{name: b, mass: 1, inertia: [1, 1, 1], velocity: [0, 0, 1]}], joints: [{name: h, type: revolute, "      \
    "between: [ground, a], damping: 0.1*h.rate, limits: {range: [-1, 0.05], stiffness: 1e3, restitution: "   \
    "0.5}, "                                                                                                 \
    "motor: {angle: 0.3*time, kp: 3, ki: 1, kd: 1, max: 4}, friction: {torque: 0.3, engaged: time}}, "       \
    "{name: s, type: translational, between: [ground, b], armature: 0.2, limits: {range: [-1, 0.02], hard: " \
    "yes, "                                                                                                  \
    "restitution: 0.5}}], simulate: {end: 0.3}}"

// Joints that are switched: the equations are made anew on the way.
#define SWITCHED                                                                                             \
    "{dimension: 3, bodies: [{name: a, mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}, "                  \
    "{name: b, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}, {name: c, mass: 1, inertia: [1, 1, 1]}], " \
    "joints: [{name: h, type: revolute, between: [ground, c]}, {name: l, type: lock, joint: h, active: "     \
    "no}, "                                                                                                  \
    "{name: g, type: grip, between: [a, b], active: no}, {name: k, type: grip, between: [b, a], active: "    \
    "no}], "                                                                                                 \
    "constraints: [{name: v, velocity: h.rate - time, active: no}], "                                        \
    "events: [{name: e, at: [0.01], on: [g, l]}, {name: f, at: [0.02], on: k, off: l}, "                     \
    "{name: j, when: time - 0.03, on: v, off: [g, k]}], simulate: {end: 0.05}}"

// What the small models of each method do not have.
static const trial others[] = {
    {"models/four_bar.yaml", {"parameters.N=1", "simulate.method=hht"}},
    {"models/bricard.yaml", {"simulate.tolerance=1e-4", "simulate.method=hht"}},
    {LED, {"simulate.tolerance=1e-4", "simulate.method=hht"}},
    {LAWS, {"simulate.tolerance=1e-4", "simulate.method=rk"}},
    {SWITCHED, {"simulate.tolerance=1e-3", "simulate.method=rk"}},
    {SWITCHED, {"simulate.tolerance=1e-3", "simulate.method=bdf"}},
    {"models/ladder.yaml", {"rk.solve=tree", "simulate.method=rk"}},
    {"models/ladder.yaml", {"simulate.tolerance=1e-4", "simulate.method=srm"}},
    {"models/flyball.yaml", {"simulate.tolerance=1e-4", "simulate.method=joint_bdf"}}};

enum { MOST_TRIALS = 80 };
static trial trials[MOST_TRIALS];
static int n_trials;

static hol_model *load(hol_context *own, const trial *t)
{
    const char *const set[] = {t->set[0], t->set[1]};
    return strchr(t->model, ':') ? hol_model_parse(own, "model", t->model, strlen(t->model), set, 2)
                                 : hol_model_load(own, t->model, set, 2);
}

// Does the method take the model?
static bool is_taken(const trial *t)
{
    hol_context *own = hol_context_create();
    hol_model *model = load(own, t);
    hol_simulation *sim = model ? hol_simulation_create(own, model) : NULL;
    const bool taken = sim != NULL;
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    hol_context_destroy(own);
    return taken;
}

static int list_trials(void **state)
{
    hol_method_info method;
    (void)state;
    for (int i = 0; hol_method_list(i, &method); i++) {
        const int before = n_trials;
        for (int k = 0; k < CHECKPOINT_MODELS && (goes_far() || n_trials == before); k++) {
            trial *t = &trials[n_trials];
            t->model = checkpoint_models[(i + k) % CHECKPOINT_MODELS]; // one a method, not always the same
            snprintf(t->set[0], sizeof t->set[0], "simulate.%s",
                     method.fixed_steps ? "step=0.01" : "tolerance=1e-4");
            snprintf(t->set[1], sizeof t->set[1], "simulate.method=%s", method.name);
            n_trials += is_taken(t);
        }
        if (n_trials == before) print_error("%s takes no model\n", method.name);
        if (n_trials == before) return -1;
    }
    for (int k = 0; k < HOL_COUNT(others); k++) trials[n_trials++] = others[k];
    return 0;
}

// A simulation with a result file, a few steps, a checkpoint.
static bool use(hol_context *own, const hol_model *model)
{
    hol_simulation *sim = hol_simulation_create(own, model);
    hol_status st = sim ? hol_simulation_write(sim, csv) : HOL_ERR_MEMORY;
    bool done = false;
    for (int i = 0; i < STEPS && !st && !done; i++) st = hol_simulation_step(sim, &done);
    if (!st) st = hol_simulation_checkpoint(sim, saved);
    const bool values = !st && hol_simulation_values(sim);
    hol_simulation_destroy(sim);
    return values;
}

static bool look(hol_context *own, const hol_model *model)
{
    hol_check *check = hol_check_create(own, model);
    hol_check_destroy(check);
    return check;
}

// What may do without: SuiteSparse keeps an array that cannot be made smaller, rk, also as a guide, the solver that needs less.
static bool does_without(const char *what, const trial *t)
{
    if (strcmp(t->model, LED) == 0) return true;
    return strcmp(what, SPARSE) == 0 || strcmp(t->set[1], "simulate.method=rk") == 0;
}

// failed: the n-th request was made. True when all is done: no request has failed, and the result is there.
static bool judge(const hol_context *own, const char *what, const trial *t, long n, bool result, bool failed)
{
    const hol_status st = hol_context_status(own);
    const bool must_fail = failed && !(result && does_without(what, t));
    const bool good = must_fail ? !result && st == HOL_ERR_MEMORY && strstr(hol_context_error(own), "memory")
                                : result && st == HOL_OK;
    if (!good)
        fail_msg("%.20s, %s, %s, request %ld%s: %s, status %d, \"%s\"", t->model, t->set[1], what, n,
                 failed ? "" : " (not made)", result ? "a result" : "no result", (int)st,
                 hol_context_error(own));
    return !failed;
}

// ---- tests ----------------------------------------------------------------------------------------------------

// Is this the first trial with its model?
static bool is_first(int k)
{
    for (int i = 0; i < k; i++)
        if (strcmp(trials[i].model, trials[k].model) == 0) return false;
    return true;
}

static void loading_survives_every_failing_request(void **state)
{
    (void)state;
    for (int k = 0; k < n_trials; k++) {
        bool done = !is_first(k);
        long n = 0;
        while (!done && n++ < MOST_REQUESTS) {
            hol_context *own = hol_context_create();
            hol_memory_fail_after(own, n);
            hol_model *model = load(own, &trials[k]);
            done = judge(own, "loading", &trials[k], n, model != NULL, hol_memory_fail_after(own, 0) == 0);
            hol_model_destroy(model);
            hol_context_destroy(own);
        }
        assert_true(n == 0 || (n >= 20 && n < MOST_REQUESTS));
    }
}

// sparse: the requests of SuiteSparse, otherwise our own. Each trial tries one of two, not all the same ones: most are those of several
// methods. The others are tried without sanitizers where these are tried with them.
static void try_requests(const char *what, bool (*work)(hol_context *, const hol_model *), const trial *t,
                         bool sparse)
{
    const long stride = goes_far() || (HOL_SANITIZED && !few()) ? 1 : 2;
    hol_context *own = hol_context_create();
    hol_model *model = load(own, t);
    assert_non_null(model);
    bool done = false;
    long n = (t - trials + HOL_SANITIZED) % stride + 1 - stride;
    while (!done && (n += stride) < MOST_REQUESTS) {
        hol_context_clear(own);
        hol_memory_fail_after(own, sparse ? 0 : n);
        fail_in = sparse ? n : 0;
        const bool result = work(own, model);
        const bool failed = sparse ? fail_in == 0 : hol_memory_fail_after(own, 0) == 0;
        fail_in = 0;
        done = judge(own, what, t, n, result, failed);
    }
    assert_in_range(n, 1, MOST_REQUESTS - 1);
    hol_model_destroy(model);
    hol_context_destroy(own);
}

static void a_check_survives_every_failing_request(void **state)
{
    (void)state;
    for (int k = 0; k < n_trials; k++)
        if (is_first(k)) try_requests("check", look, &trials[k], false);
}

static void a_simulation_survives_every_failing_request(void **state)
{
    (void)state;
    for (int k = 0; k < n_trials; k++) try_requests("simulation", use, &trials[k], false);
}

static void the_sparse_solver_survives_every_failing_request(void **state)
{
    (void)state;
    replace_sparse_memory(true);
    for (int k = 0; k < n_trials; k++) {
        try_requests(SPARSE, use, &trials[k], true);
        if (is_first(k)) try_requests(SPARSE, look, &trials[k], true);
    }
    replace_sparse_memory(false);
}

// ---- libraries ------------------------------------------------------------------------------------------------

#if INTERPOSED
// Most requests are those of reading the model, which several methods share: each tries one of three, not all the same ones.
static long stride(void) { return goes_far() ? 1 : 3; }

// Every malloc that is tried, one at a time, from the n-th on. A file that cannot be opened for want of memory may be an error of files.
static void refuse_from(const trial *t, long n)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    freopen("/dev/null", "w", stderr); // CVodeCreate prints
    const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (int i = 0; i < HOL_COUNT(fatal); i++) signal(fatal[i], SIG_DFL); // cmocka has its own
    for (bool failed = true; failed && n < MOST_REQUESTS; n += stride()) {
        hol_context *own = hol_context_create();
        common->n = n;
        everything = true;
        fail_in = n;
        hol_model *model = load(own, t);
        const bool result = model && (!is_first((int)(t - trials)) || look(own, model)) && use(own, model);
        everything = false;
        failed = fail_in == 0;
        fail_in = 0;
        const hol_status st = hol_context_status(own);
        const bool said =
            (st == HOL_ERR_MEMORY || st == HOL_ERR_IO || st == HOL_ERR_MODEL) && *hol_context_error(own);
        if (!result && !said) {
            printf("%.20s, %s, malloc %ld: status %d, \"%s\"\n", t->model, t->set[1], n, (int)st,
                   hol_context_error(own));
            fflush(stdout);
            _exit(1);
        }
        hol_model_destroy(model);
        hol_context_destroy(own);
        common->done = !failed;
    }
    _exit(0);
}

int main(void);

// Does this address lie in OpenBLAS? Its kernels for some processors (Cooper Lake) use what malloc has refused them.
static bool is_of_openblas(uintptr_t address)
{
    char line[600];
    unsigned long long from, to;
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, "%llx-%llx", &from, &to) == 2 && address >= from && address < to &&
                strstr(line, "libopenblas");
    if (f) fclose(f);
    return found;
}

// The function with this address, in the symbols of this program.
static void name_of(uintptr_t address, char name[80])
{
    char line[300], command[60], word[200], kind;
    unsigned long long at, own = 0, best = 0;
    snprintf(name, 80, is_of_openblas(address) ? "OpenBLAS" : "a function without a name");
    if (strcmp(name, "OpenBLAS") == 0) return;
    for (int pass = 0; pass < 2; pass++) { // first where the program lies
        snprintf(command, sizeof command, "nm /proc/%ld/exe", (long)getpid());
        FILE *f = popen(command, "r");
        while (f && fgets(line, sizeof line, f)) {
            if (sscanf(line, "%llx %c %199s", &at, &kind, word) != 3) continue;
            if (strcmp(word, "main") == 0) own = at;
            const unsigned long long wanted = address - (uintptr_t)main + own;
            if (!pass || !strchr("tT", kind) || at > wanted || at < best) continue;
            best = at;
            snprintf(name, 80, "%.79s", word);
        }
        if (f) pclose(f);
    }
}

// Functions of SUNDIALS 6.4 whose callers there use what malloc has refused them, and OpenBLAS.
static struct {
    const char *name;
    int times;
} lethal[] = {{"SUNHashMap_New", 0},       {"N_VNewEmpty", 0},
              {"N_VClone_Serial", 0},      {"N_VCloneEmpty_Serial", 0},
              {"SUNNonlinSolNewEmpty", 0}, {"SUNNonlinSol_Newton", 0},
              {"SUNMatNewEmpty", 0},       {"SUNDenseMatrix", 0},
              {"clone_measured", 0},       {"OpenBLAS", 0}};

// An address is looked up once: that takes longer than the trial.
static const char *refused_function(void)
{
    enum { MOST = 40 };
    static struct {
        uintptr_t at;
        char name[80];
    } known[MOST];
    static int n;
    for (int i = 0; i < n; i++)
        if (known[i].at == common->from) return known[i].name;
    assert_true(n < MOST);
    known[n].at = common->from;
    name_of(common->from, known[n].name);
    return known[n++].name;
}

// The process has died of a request that was refused.
static void account(const trial *t, int status)
{
    const char *name = refused_function();
    for (int i = 0; i < HOL_COUNT(lethal); i++)
        if (strcmp(lethal[i].name, name) == 0) {
            lethal[i].times++;
            return;
        }
    fail_msg("%.20s, %s: malloc %ld, refused to %s: signal %d", t->model, t->set[1], common->n, name,
             WTERMSIG(status));
}

static void try_every_malloc(const trial *t)
{
    common->done = false;
    const long first = 1 + (t - trials) / CHECKPOINT_MODELS % stride();
    for (long n = first; !common->done; n = common->n + stride()) {
        int status;
        fflush(NULL);
        const pid_t child = fork();
        if (!child) refuse_from(t, n);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status))
            assert_int_equal(WEXITSTATUS(status), 0);
        else
            account(t, status);
    }
    assert_in_range(common->n, 20, MOST_REQUESTS - 1);
}

static void every_failing_malloc_leaves_a_message(void **state)
{
    (void)state;
    common = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(common != MAP_FAILED);
    for (int k = 0; k < n_trials; k++) // the first model of each method
        if (k == 0 || k >= n_trials - HOL_COUNT(others) ||
            strcmp(trials[k].set[1], trials[k - 1].set[1]) != 0)
            try_every_malloc(&trials[k]);
    for (int i = 0; i < HOL_COUNT(lethal); i++)
        if (lethal[i].times)
            print_message("# skipped: SUNDIALS or OpenBLAS itself dies of what is refused to %s, %d times\n",
                          lethal[i].name, lethal[i].times);
    munmap(common, sizeof *common);
}
#else
static void every_failing_malloc_leaves_a_message(void **state)
{
    (void)state;
    skip();
}
#endif

int main(void)
{
    snprintf(csv, sizeof csv, "/tmp/holonom_memory_%ld.csv", (long)getpid());
    snprintf(saved, sizeof saved, "/tmp/holonom_memory_%ld.ck", (long)getpid());
    const struct CMUnitTest tests[] = {cmocka_unit_test(loading_survives_every_failing_request),
                                       cmocka_unit_test(a_check_survives_every_failing_request),
                                       cmocka_unit_test(a_simulation_survives_every_failing_request),
                                       cmocka_unit_test(the_sparse_solver_survives_every_failing_request),
                                       cmocka_unit_test(every_failing_malloc_leaves_a_message)};
    const int failed = cmocka_run_group_tests(tests, list_trials, NULL);
    remove(csv);
    remove(saved);
    return failed;
}
