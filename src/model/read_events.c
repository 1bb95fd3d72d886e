// Events: when they happen and what they do.
#include "model/read_users.h"

enum {
    EVENT_WHEN = HOL_OWN_KEYS,
    EVENT_DIRECTION,
    EVENT_EVERY,
    EVENT_AT,
    EVENT_ONCE,
    EVENT_STOP,
    EVENT_PRINT,
    EVENT_SET,
    EVENT_ON,
    EVENT_OFF
};
static const hol_option event_rows[] = {
    HOL_NAMED_KEYS(0){"when", HOL_FUNCTION, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_LEAVES, NULL,
                      "the event is where it passes through 0"},
    {"direction", HOL_CHOICE, "", 0, 0, 0, 0, "both|rising|falling", "which passages count"},
    {"every", HOL_NUMBER, "s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "instead of `when`: at multiples of this time, from the start on (sampled controllers)"},
    {"at", HOL_NUMBERS, "s", HOL_NONE, 0, HOL_INF, 0, NULL, "instead of `when`: at these times"},
    {"once", HOL_FLAG, "", 0, 0, 1, 0, NULL, "the first time only"},
    {"stop", HOL_FLAG, "", 0, 0, 1, 0, NULL, "end the simulation there"},
    {"print", HOL_TEXT, "", 0, 0, 0, 0, NULL, "a message with the time"},
    {"set", HOL_PAIRS, "", 0, 1, 0, 0, "settings",
     "map: parameters and states to expressions, all taken from the moment before; events of one time follow "
     "each other "
     "in the order of the list"},
    {"on", HOL_TEXTS, "", 0, 0, 0, HOL_MAY_BE_EMPTY, NULL,
     "a force, contact, rule of contacts, joint, driver or constraint, or a list of them, that acts from "
     "there on"},
    {"off", HOL_TEXTS, "", 0, 0, 0, HOL_MAY_BE_EMPTY, NULL,
     "those that do not act from there on; a joint takes its laws with it"},
    HOL_END_OPTIONS};
static const hol_rule event_rules[] = {
    {HOL_ONE_OF, "when|every|at", "one of when, every, at is wanted", NULL},
    {HOL_SOME_OF, "stop|print|set|on|off", "the event does nothing: give stop, print, set, on or off", NULL},
    {HOL_GOES_WITH, "direction|when", "goes with when", NULL},
    HOL_END_RULES};
static hol_item_fn know_held, read_event;
const hol_object hol_event_object = {
    .know = know_held,
    .read = read_event,
    .name = "event",
    .rows = event_rows,
    .rules = event_rules,
    .text =
        "An event happens where `when` passes through 0, or at given times. It says what is to be done: "
        "stop, "
        "print, "
        "set, on, off. Positions stay as they are, accelerations are solved for anew. A joint, driver or "
        "constraint that "
        "an event switches on must hold there, but for a gap of 1e-3; a `lock` and a `grip` hold "
        "whatever is there. What an event carries through 0, or to 0, happens at once, wherever it stands in "
        "the list; its own condition is looked at anew. A joint "
        "takes its laws with it, whatever they were; a law that is switched by its name acts by itself, "
        "and the integral of a motor "
        "goes on. "
        "Velocities become those that it allows, by the inelastic impact of the equations; the energy "
        "that this takes is part "
        "of the work. A parameter that an event sets is no constant: it can be used where the lists say "
        "\"expression\", "
        "except in constraints. An event at t = 0 is the first thing that a run does; `static`, `modes`, "
        "`linearise` and "
        "`start: equilibrium` are of the model before it, and say so where it changes the model.",
    .example =
        "- {name: lifted, when: FY(stop), direction: falling, off: stop, print: free}\n"
        "- {name: docked, when: \"DM(port.a, port.b) - 0.1\", direction: falling, on: grip, once: yes}\n"
        "- {name: sample, every: 0.01, set: {held: gain*error}}\n"};

static const hol_option setting_rows[] = {
    {"NAME", HOL_FUNCTION, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_LEAVES, NULL, "its new value"},
    HOL_END_OPTIONS};
const hol_object hol_settings_object = {
    .name = "settings", .rows = setting_rows, .pairs = true, .keys = HOL_IDENTIFIER_PATTERN};

// First pass: a parameter that an event sets becomes a number in memory instead of a constant.
static hol_status know_held(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            const hol_object *object)
{
    const hol_node *set = hol_node_find(item, "set");
    const hol_path at = {path, "set", 0, NULL};
    (void)object;
    spec->n_items--;
    for (int i = 0; set && set->kind == HOL_NODE_MAP && i < set->n; i++) {
        hol_spec_held h = {.what = "is a parameter that an event sets"};
        hol_constant c = {.value = 0};
        const char *own;
        hol_status st = hol_read_text(r, set->key[i], &at, &own);
        if (st) return st;
        h.name = hol_parameter_at(spec, set->key[i]->at, own, &c);
        if (!h.name || hol_names_find(spec->held_names, h.name) >= 0) continue;
        h.value = c.value;
        h.nature = c.nature;
        if (!HOL_ARENA_GROW(r->arena, spec->held, spec->n_held)) return HOL_ERR_MEMORY;
        spec->held[spec->n_held] = h;
        st = hol_names_add(spec->held_names, h.name, spec->n_held++);
        if (st) return st;
    }
    return HOL_OK;
}

// `set:`, names with the expressions of their new values.
static hol_status read_sets(const hol_reader *r, const hol_node *map, const hol_path *up, hol_spec_event *e)
{
    const hol_path path = {up, "set", 0, NULL};
    if (!map) return HOL_OK;
    if (map->kind != HOL_NODE_MAP || map->n == 0)
        return hol_read_fail(r, map, &path, "a map is wanted: {gain: 2*gain}");
    hol_spec_set *set = hol_arena_alloc(r->arena, (size_t)map->n + 1, sizeof *set);
    if (!set) return HOL_ERR_MEMORY;
    for (int i = 0; i < map->n; i++) {
        const hol_path at = {&path, map->key[i]->text, 0, NULL};
        set[i].at = map->key[i]->at;
        hol_status st = hol_read_text(r, map->key[i], &path, &set[i].name);
        const char *full = st ? NULL : hol_known_name(r->known, set[i].at, set[i].name);
        if (full) set[i].name = full;
        hol_reader own = *r; // a plain parameter keeps its plain values
        if (!st && hol_is_plain_held(hol_known_nature(r->known, set[i].name))) own.bare = NULL;
        if (!st) st = hol_read_formula(&own, map->value[i], &at, HOL_ANY_UNIT, &set[i].value);
        if (st) return st;
        st = hol_check_nature(r, map->value[i], &at, hol_expr_nature(set[i].value->expr),
                              hol_known_nature(r->known, set[i].name), "that", set[i].name);
        if (st) return st;
    }
    e->set = set;
    e->n_sets = map->n;
    return HOL_OK;
}

// The forces of `off:` or `on:`. seen: all names up to here.
static hol_status add_switches(const hol_reader *r, const hol_path *path, const hol_value *v, bool on,
                               hol_names *seen, hol_spec_switch *s, hol_spec_event *e)
{
    for (int i = 0; i < v->n; i++) {
        const hol_word *word = &v->word[i];
        const hol_node place = {.at = word->at};
        if (hol_names_find(seen, word->name) >= 0)
            return hol_read_fail(r, &place, path, "\"%s\" is named twice in on and off", word->name);
        if (hol_names_add(seen, word->name, e->n_switches)) return HOL_ERR_MEMORY;
        s[e->n_switches++] = (hol_spec_switch){.name = word->name, .at = word->at, .on = on};
    }
    return HOL_OK;
}

// `off:` and `on:`, names of forces.
static hol_status read_switches(const hol_reader *r, const hol_node *item, const hol_path *path,
                                const hol_value *v, hol_spec_event *e)
{
    hol_names *seen = hol_names_create(r->ctx);
    hol_spec_switch *s = hol_arena_alloc(r->arena, (size_t)(v[EVENT_ON].n + v[EVENT_OFF].n) + 1, sizeof *s);
    e->change = s;
    hol_status st = seen && s ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) st = add_switches(r, path, &v[EVENT_OFF], false, seen, s, e);
    if (!st) st = add_switches(r, path, &v[EVENT_ON], true, seen, s, e);
    hol_names_destroy(seen);
    if (st) return st;
    for (int i = 1; i < e->n_times; i++)
        if (e->time[i] <= e->time[i - 1])
            return hol_read_fail(r, hol_node_find(item, "at"), path,
                                 "the times must increase, here %.*g follows %.*g; sort them, each once",
                                 hol_decimal_digits(e->time[i], e->time[i - 1]), e->time[i],
                                 hol_decimal_digits(e->time[i], e->time[i - 1]), e->time[i - 1]);
    return HOL_OK;
}

// An event: when it happens, and what it does.
static hol_status read_event(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const hol_object *object)
{
    static const int signs[] = {0, 1, -1};
    const hol_path when = {path, "when", 0, NULL};
    hol_value v[HOL_COUNT(event_rows)];
    hol_spec_event e = {.at = item->at};
    (void)object;
    hol_status st = hol_read_name(r, item, path, &e.name, &e.name_at);
    if (!st) st = hol_read_object(r, &hol_event_object, NULL, item, path, v);
    if (!st && hol_names_find(spec->event_names, e.name) >= 0)
        st = hol_read_fail(r, item, path, "the name \"%s\" is given twice among the events", e.name);
    if (st) return st;
    e.when = v[EVENT_WHEN].given ? v[EVENT_WHEN].formula[0] : NULL;
    if (e.when && hol_expr_is_constant(e.when->expr))
        st = hol_read_fail(r, hol_node_find(item, "when"), &when,
                           "it does not vary and so never passes through 0; use `at` or `every` for times");
    e.direction = signs[(int)v[EVENT_DIRECTION].num];
    e.every = v[EVENT_EVERY].given ? v[EVENT_EVERY].num : 0;
    e.n_times = v[EVENT_AT].given ? v[EVENT_AT].n : 0;
    e.time = v[EVENT_AT].list;
    e.once = v[EVENT_ONCE].num > 0;
    e.stop = v[EVENT_STOP].num > 0;
    e.print = v[EVENT_PRINT].given ? v[EVENT_PRINT].text : NULL;
    if (!st) st = read_sets(r, hol_node_find(item, "set"), path, &e);
    if (!st) st = read_switches(r, item, path, v, &e);
    if (st) return st;
    e.path = hol_arena_print(r->arena, "events.%s", e.name);
    if (!e.path || !HOL_ARENA_GROW(r->arena, spec->event, spec->n_events)) return HOL_ERR_MEMORY;
    spec->event[spec->n_events] = e;
    return hol_names_add(spec->event_names, e.name, spec->n_events++);
}
