// `simulate:` against its option rows.
#include "analysis/settings.h"
#include "analysis/defaults.h"
#include "base/archive.h"
#include "model/elsewhere.h"

#include <math.h>
#include <string.h>

enum { END, TOLERANCE, STEP, MAX_STEP, SEARCH, METHOD, OUTPUT, PROJECT, TIME_LIMIT, THREADS, START, SIGNALS };
static const hol_option simulate_rows[] = {
    {"end", HOL_NUMBER, "s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, "end of the simulation; it starts at 0"},
    {"tolerance", HOL_NUMBER, "", HOL_NONE, 1e-12, 1, 0, NULL,
     "error of the result, as a part of the mechanism's length and in rad, over some ten times the time in "
     "which things "
     "move by their own size; steps are chosen by it. Default: 1e-4; 1e-3 and 1e-2 where hht, newmark and "
     "others of "
     "order 2 and 1 are asked for by name"},
    {"step", HOL_NUMBER, "s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "instead of a tolerance: fixed steps of this size"},
    {"max_step", HOL_NUMBER, "s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "largest step; default: a part of the run, from a tenth (bdf) to a fiftieth (hht)"},
    {"search", HOL_NUMBER, "", 1, 1, 1000, 0, NULL,
     "how many times finer than usual functions of time are searched for jumps (to 1e-9 of the run) and for "
     "what "
     "is short (1e-7)"},
    {"method", HOL_METHOD, "", 0, 0, 0, 0, NULL,
     "integrator, one of those `holonom methods` prints, or auto, the default: one that suits "
     "the model, and the summary says why"},
    {"output", HOL_NUMBER, "s", HOL_NONE, 0, HOL_INF, 0, NULL,
     "time between results, which are interpolated between steps; at a jump of a function of time they have "
     "the values before it; 0: every step. Default: the largest of 1, "
     "2, 5 times a "
     "power of ten that makes at least 400 results, and one more at the end; with fixed steps every step"},
    {"project", HOL_FLAG, "", 0, 0, 1, 0, NULL,
     "results: positions and velocities projected onto the constraints, accelerations and reactions "
     "recomputed there; "
     "the integration does not change"},
    {"time_limit", HOL_NUMBER, "s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "wall clock after which the simulation stops; what it has written is complete"},
    {"threads", HOL_INTEGER, "", HOL_NONE, 1, HOL_TEAM_MOST, 0, NULL,
     "threads of this simulation; results do not depend on their number. Default: as many as there are "
     "processors for 20000 "
     "bodies and more along the tree of joints, else 1; `holonom compare` and `certify` take 1, for they run "
     "simulations side "
     "by side"},
    {"start", HOL_CHOICE, "", 0, 0, 0, 0, "drawn|equilibrium",
     "where runs begin: as drawn, with the joints closed; or in the stable equilibrium that `holonom static` "
     "finds from there, at rest but for velocities in directions that nothing holds"},
    {"signals", HOL_TEXTS, "", 0, 0, 0, 0, NULL,
     "list of names or groups to write, `poses`: positions and orientations of all bodies; default: all "
     "(omega_max, coordinates of joints, and forces and torques on one body by their names only)"},
    HOL_END_OPTIONS};
static const hol_rule simulate_rules[] = {
    {HOL_NOT_BOTH, "tolerance|step",
     "step and tolerance are both given: keep one, fixed steps or error control", NULL},
    {HOL_NOT_BOTH, "step|max_step", "max_step goes with a tolerance, the step is fixed", NULL},
    HOL_END_RULES};
const hol_object hol_simulate_object = {.name = "simulate", .rows = simulate_rows, .rules = simulate_rules};

enum { MAX_METHODS = 32 };
#define MOST_ROWS 1e9
#define MOST_STEPS 2e9
#define SHORTEST 1e-100 // run [s]

// `newmark:`, `hht:`, ... are keys of `simulate:` too
static void method_keys(hol_option *keys)
{
    const hol_option end = HOL_END_OPTIONS;
    int n = 0;
    for (; hol_methods[n]; n++) {
        const hol_option row = {hol_methods[n]->name,    HOL_MAP, "", 0, 0, 0, 0, NULL,
                                "options of this method"};
        keys[n] = row;
    }
    keys[n] = end;
}

// Values of the rows of all the method's tables, one after the other.
static hol_status read_method(const hol_reader *r, const hol_method *method, const hol_node *node,
                              const hol_path *path, const hol_value **out)
{
    static const hol_node empty = {.kind = HOL_NODE_MAP, .text = ""};
    static const hol_option end = HOL_END_OPTIONS;
    int n = 0;
    for (int k = 0; k < HOL_METHOD_TABLES; k++) n += hol_option_count(hol_method_table(method, k));
    hol_option *rows = hol_arena_alloc(r->arena, (size_t)n + 1, sizeof *rows);
    hol_value *v = hol_arena_alloc(r->arena, (size_t)n + 1, sizeof *v);
    if (!rows || !v) return HOL_ERR_MEMORY;
    n = 0;
    for (int k = 0; k < HOL_METHOD_TABLES; k++)
        for (const hol_option *o = hol_method_table(method, k); o->key; o++) rows[n++] = *o;
    rows[n] = end;
    *out = v;
    return hol_read_options(r, rows, NULL, node ? node : &empty, path, v);
}

// Tolerances of the method say nothing about fixed steps.
static hol_status check_tolerances(const hol_reader *r, const hol_settings *set, const hol_node *node,
                                   const hol_path *up)
{
    if (set->step <= 0 || !node) return HOL_OK;
    const hol_path path = {up, set->method->name, 0, NULL};
    for (const hol_option *o = hol_tolerance_options; o->key; o++)
        if (hol_node_find(node, o->key))
            return hol_read_fail(r, hol_node_find(node, o->key), &path,
                                 "%s goes with error control, the step is fixed", o->key);
    return HOL_OK;
}

// A method by name; else the message with the nearest one.
static hol_status find_method(const hol_reader *r, const hol_node *node, const char *name, const hol_path *up,
                              const hol_method **out)
{
    *out = hol_method_find(name);
    if (*out) return HOL_OK;
    const char *elsewhere = hol_elsewhere("method", name, 0), *hint = hol_method_suggest(name);
    const hol_path path = {up, "method", 0, NULL};
    if (elsewhere) return hol_read_fail(r, node, &path, "there is no method \"%s\": %s", name, elsewhere);
    return hol_read_fail(r, node, &path, "there is no method \"%s\"%s%s%s", name,
                         hint ? "; did you mean \"" : "; `holonom methods` lists them", hint ? hint : "",
                         hint ? "\"?" : "");
}

// A distance that a driver takes through 0 has lost its direction, and its square would go on as if it were positive. Looked
// at between the start and the end; shorter dips stop the run at the pose without a direction.
enum { LOOKS = 2000 };
// A distance driver must stay above 0 in the whole run; its function is looked at here and there.
static hol_status check_distances(const hol_model_data *m, double end)
{
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (e->type->role != HOL_ROLE_DRIVER || strcmp(e->type->name, "distance") != 0) continue;
        const hol_expr *length = ((const hol_prims *)e->data)->p[0].set;
        for (int k = 1; k <= LOOKS && length; k++) {
            hol_real at[4];
            hol_expr_jet(length, end * k / LOOKS, at);
            if (hol_re(at[0]) <= 0)
                return hol_fail_at(
                    m->ctx, HOL_ERR_MODEL, e->at,
                    "drivers.%s: the distance is %.6g m at time %.6g s, it must be positive from 0 to "
                    "the end; a stroke driver passes through 0",
                    e->name, hol_re(at[0]), end * k / LOOKS);
        }
    }
    return HOL_OK;
}

// Refuses what comes so often until the end that no run gets there. what: "simulate.step: steps of".
static hol_status check_count(const hol_model_data *m, hol_src at, const char *what, double every, double end,
                              double most, const char *way)
{
    if (!(every > 0) || end / every <= most) return HOL_OK;
    return hol_fail_at(
        m->ctx, HOL_ERR_MODEL, at,
        "%s %.3g s until the end at %.3g s would be %.3g of them; the most is %.0e: %s, or end "
        "earlier (--end)",
        what, every, end, end / every, most, way);
}

// More rows, steps or events than there can be.
static hol_status check_counts(const hol_model_data *m, const hol_settings *set, const hol_value *v)
{
    enum { WHAT = 300 };
    char what[WHAT];
    if (set->end < SHORTEST)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, v[END].at,
                           "simulate.end: %.3g s is too short to compute with; the shortest run is %.0e s",
                           set->end, SHORTEST);
    hol_status st = check_count(m, set->output_at, "simulate.output: a result every", set->output, set->end,
                                MOST_ROWS, "write fewer");
    if (!st)
        st = check_count(m, set->step_at, "simulate.step: steps of", set->step, set->end, MOST_STEPS,
                         "take longer ones");
    if (!st)
        st = check_count(m, v[MAX_STEP].at, "simulate.max_step: steps of at most",
                         set->max_step_given ? set->max_step : 0, set->end, MOST_STEPS, "take a larger one");
    for (int i = 0; i < m->n_events && !st; i++) {
        const hol_event *e = &m->event[i];
        hol_decimal_print(what, WHAT, "events.%.200s.every: every", e->name);
        st = check_count(m, e->at, what, e->every, set->end, MOST_STEPS, "take a longer time");
    }
    return st;
}

hol_status hol_settings_read(const hol_model_data *m, hol_settings *out)
{
    static const hol_node empty = {.kind = HOL_NODE_MAP, .text = ""};
    const hol_reader *r = &m->spec->reader;
    const hol_node *node = m->spec->simulate ? m->spec->simulate : &empty;
    const hol_path path = {NULL, "simulate", 0, NULL};
    hol_option methods[MAX_METHODS];
    hol_value v[SIGNALS + 1];
    memset(out, 0, sizeof *out);
    method_keys(methods);
    if (node->kind == HOL_NODE_SEQUENCE)
        return hol_read_fail(
            r, node, &path,
            "a list, but a file says one run: write its keys as a map, `simulate: {end: 10}`; "
            "each further run is a call of its own, `holonom run FILE --set simulate.end=20`");
    hol_status st = hol_read_object(r, &hol_simulate_object, methods, node, &path, v);
    if (st) return st;
    const char *name = v[METHOD].given ? v[METHOD].text : "auto";
    out->automatic = strcmp(name, "auto") == 0;
    st = find_method(r, hol_node_find(node, "method"), out->automatic ? hol_methods[0]->name : name, &path,
                     &out->method);
    out->option_of = hol_arena_alloc(r->arena, MAX_METHODS, sizeof *out->option_of);
    if (!st && !out->option_of) st = HOL_ERR_MEMORY;
    for (int i = 0; hol_methods[i] && !st; i++) {
        const hol_path at = {&path, hol_methods[i]->name, 0, NULL};
        const hol_node *given = hol_node_find(node, hol_methods[i]->name);
        st = read_method(r, hol_methods[i], given, &at, &out->option_of[i]);
        if (given) out->options_given |= 1u << i;
        if (hol_methods[i] == out->method) out->option = out->option_of[i];
    }
    if (st) return st;
    out->n_requests = v[SIGNALS].n;
    out->request = v[SIGNALS].word;
    out->end = v[END].given ? v[END].num : 0;
    out->step = v[STEP].given ? v[STEP].num : 0;
    out->tolerance = out->step > 0        ? 0
                     : v[TOLERANCE].given ? v[TOLERANCE].num
                     : out->automatic     ? HOL_DEFAULT_TOLERANCE
                                          : hol_method_default_tolerance(out->method, out->option);
    out->max_step_given = v[MAX_STEP].given;
    out->search = v[SEARCH].num;
    out->max_step = v[MAX_STEP].given ? v[MAX_STEP].num : out->end / out->method->fewest_steps;
    st = check_tolerances(r, out, hol_node_find(node, out->method->name), &path);
    const char *why = st || out->automatic || !out->method->refuse
                          ? NULL
                          : out->method->refuse(out->option, out->step <= 0);
    const hol_node *given = hol_node_find(node, out->method->name);
    if (why) st = hol_read_fail(r, given ? given : node, &path, "%s: %s", out->method->name, why);
    out->method_given = v[METHOD].given;
    out->tolerance_given = v[TOLERANCE].given;
    out->output_given = v[OUTPUT].given;
    if (out->output_given)
        out->output = v[OUTPUT].num;
    else
        out->output = out->step > 0 || out->end <= 0 ? 0 : hol_default_output(out->end);
    out->step_at = v[STEP].at;
    out->output_at = v[OUTPUT].at;
    out->project = v[PROJECT].num > 0;
    out->at_rest = v[START].num > 0;
    out->start_at = v[START].at;
    out->time_limit = v[TIME_LIMIT].given ? v[TIME_LIMIT].num : 0;
    out->threads = v[THREADS].given ? (int)v[THREADS].num : 0;
    if (st || out->end <= 0) return st;
    st = check_counts(m, out, v);
    return st ? st : check_distances(m, out->end);
}

const hol_value *hol_settings_options(const hol_settings *set, const hol_method *method)
{
    int i = 0;
    while (hol_methods[i] != method) i++;
    return set->option_of[i];
}

double hol_settings_rows(const hol_settings *set)
{
    if (set->output > 0) return floor(set->end / set->output) + 2;
    return set->step > 0 ? ceil(set->end / set->step) + 1 : 1000; // of a usual run with a tolerance
}

#define MANY_ROWS 1e7
#define LARGE 1e9        // [B]
#define TEXT_NUMBER 18.0 // digits, sign, point and comma of most numbers [B]

bool hol_settings_large(const hol_settings *set, int columns, char text[HOL_AMOUNT])
{
    const double rows = hol_settings_rows(set), numbers = rows * columns;
    if (rows <= MANY_ROWS && TEXT_NUMBER * numbers <= LARGE) return false;
    hol_decimal_print(text, HOL_AMOUNT,
                      "%.3g rows of %d numbers, some %.3g GB as .csv, %.3g GB as .nc or in memory", rows,
                      columns, 1e-9 * TEXT_NUMBER * numbers, 8e-9 * numbers);
    return true;
}

void hol_settings_tell(hol_context *ctx, const hol_settings *set)
{
    for (int i = 0; hol_methods[i]; i++)
        if (set->options_given & 1u << i && hol_methods[i] != set->method)
            hol_note(ctx, HOL_NOTICE, "simulate.%s has no effect: the method is %s", hol_methods[i]->name,
                     set->method->name);
}

unsigned long long hol_settings_hash(const hol_settings *set)
{
    const hol_value *v = set->option;
    unsigned long long hash = hol_hash(HOL_HASH_START, &set->step, sizeof set->step);
    hash = hol_hash(hash, &set->tolerance, sizeof set->tolerance);
    for (int k = 0; k < HOL_METHOD_TABLES; k++) {
        const hol_option *table = hol_method_table(set->method, k);
        for (const hol_option *o = table; o->key && table != hol_tolerance_options; o++, v++) {
            const char *text = o->kind == HOL_TEXT && v->text ? v->text : "";
            hash = hol_hash(hash, &v->num, sizeof v->num);
            hash = hol_hash(hash, text, strlen(text) + 1);
        }
    }
    return hash;
}

hol_status hol_settings_take(hol_context *ctx, const hol_method *method, hol_settings *set)
{
    set->automatic = false;
    set->method = method;
    set->option = hol_settings_options(set, method);
    if (!set->max_step_given) set->max_step = set->end / method->fewest_steps;
    const char *why = method->refuse ? method->refuse(set->option, set->step <= 0) : NULL;
    return why ? hol_fail(ctx, HOL_ERR_USAGE, "%s: %s", method->name, why) : HOL_OK;
}
