// Events: when they happen and what they do.
#include "model/read_users.h"

#include <string.h>

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
const hol_option hol_event_keys[] = {
    HOL_NAMED_KEYS{"when", HOL_ENTRY, "", 0, 0, 0, HOL_LEAVES, NULL,
                   "the event is where it passes through 0"},
    {"direction", HOL_CHOICE, "", 0, 0, 0, 0, "both|rising|falling", "which passages count"},
    {"every", HOL_NUMBER, "s", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "instead of `when`: at multiples of this time, from the start on (sampled controllers)"},
    {"at", HOL_NUMBERS, "s", HOL_NONE, 0, HOL_INF, 0, NULL, "instead of `when`: at these times"},
    {"once", HOL_FLAG, "", 0, 0, 1, 0, NULL, "the first time only"},
    {"stop", HOL_FLAG, "", 0, 0, 1, 0, NULL, "end the simulation there"},
    {"print", HOL_TEXT, "", 0, 0, 0, 0, NULL, "a message with the time"},
    {"set", HOL_ENTRY, "", 0, 0, 0, 0, NULL,
     "map: parameters and states to expressions, all taken from the moment before"},
    {"on", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "a force, or a list of forces, that acts from there on"},
    {"off", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "a force, or a list of forces, that does not act from there on"},
    HOL_END_OPTIONS};
hol_status hol_know_held(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                         void *user)
{
    const hol_node *set = hol_node_find(item, "set");
    const hol_path at = {path, "set", 0, NULL};
    (void)user;
    spec->n_items--;
    for (int i = 0; set && set->kind == HOL_NODE_MAP && i < set->n; i++) {
        hol_spec_held h;
        hol_constant c = {.value = 0};
        hol_status st = hol_read_text(r, set->key[i], &at, &h.name);
        if (st) return st;
        const bool known = hol_names_find(spec->held_names, h.name) >= 0;
        if (known || !spec->reader.scope || !hol_scope_find(spec->reader.scope, h.name, &c)) continue;
        h.value = c.value;
        h.nature = c.nature;
        hol_spec_held *list =
            hol_arena_push(r->arena, spec->held, &spec->held_capacity, spec->n_held, sizeof *list);
        if (!list) return HOL_ERR_MEMORY;
        spec->held = list;
        list[spec->n_held] = h;
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
    if (map->kind != HOL_NODE_MAP) return hol_read_fail(r, map, &path, "a map is wanted: {gain: 2*gain}");
    hol_spec_set *set = hol_arena_alloc(r->arena, (size_t)map->n + 1, sizeof *set);
    if (!set) return HOL_ERR_MEMORY;
    for (int i = 0; i < map->n; i++) {
        const hol_path at = {&path, map->key[i]->text, 0, NULL};
        set[i].at = map->key[i]->at;
        hol_status st = hol_read_text(r, map->key[i], &path, &set[i].name);
        if (!st) st = hol_read_formula(r, map->value[i], &at, HOL_ANY_UNIT, &set[i].value);
        if (st) return st;
        st = hol_check_nature(r, map->value[i], &at, hol_expr_nature(set[i].value->expr),
                              hol_known_nature(r->known, set[i].name), "that", set[i].name);
        if (st) return st;
    }
    e->set = set;
    e->n_sets = map->n;
    return HOL_OK;
}

// `off:` and `on:`, names of forces.
static hol_status read_switches(const hol_reader *r, const hol_node *item, const hol_path *up,
                                hol_spec_event *e)
{
    static const char *const keys[] = {"off", "on"};
    hol_spec_switch *list = hol_arena_alloc(
        r->arena, (size_t)(hol_entry_length(item, "on") + hol_entry_length(item, "off")) + 1, sizeof *list);
    if (!list) return HOL_ERR_MEMORY;
    e->change = list;
    for (int k = 0; k < 2; k++) {
        const hol_node *node = hol_node_find(item, keys[k]);
        const hol_path path = {up, keys[k], 0, NULL};
        for (int i = 0; i < hol_entry_length(item, keys[k]); i++) {
            const hol_node *one = hol_entry_item(node, i);
            hol_spec_switch *s = &list[e->n_switches++];
            s->at = one->at;
            s->on = k == 1;
            hol_status st = hol_read_text(r, one, &path, &s->name);
            if (st) return st;
        }
    }
    return HOL_OK;
}

// One of when, every, at; something is done; and what may not go together.
static hol_status check_event(const hol_reader *r, const hol_node *item, const hol_path *path,
                              const hol_value *v, const hol_spec_event *e)
{
    if (v[EVENT_WHEN].given + v[EVENT_EVERY].given + v[EVENT_AT].given != 1)
        return hol_read_fail(r, item, path, "one of when, every, at is wanted");
    if (!e->stop && !e->print && !e->n_sets && !e->n_switches)
        return hol_read_fail(r, item, path, "the event does nothing: give stop, print, set, on or off");
    if (v[EVENT_DIRECTION].given && !v[EVENT_WHEN].given)
        return hol_read_fail(r, hol_node_find(item, "direction"), path, "direction goes with when");
    for (int i = 0; i < e->n_switches; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(e->change[i].name, e->change[k].name) == 0) {
                const hol_node place = {.at = e->change[i].at};
                return hol_read_fail(r, &place, path, "\"%s\" is named twice in on and off",
                                     e->change[i].name);
            }
    for (int i = 0; i < e->n_times; i++)
        if (i && e->time[i] <= e->time[i - 1])
            return hol_read_fail(r, hol_node_find(item, "at"), path, "the times must increase");
    return HOL_OK;
}

hol_status hol_read_event(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                          void *user)
{
    static const int signs[] = {0, 1, -1};
    const hol_path when = {path, "when", 0, NULL};
    hol_value v[HOL_COUNT(hol_event_keys)];
    hol_spec_event e = {.at = item->at};
    (void)user;
    hol_status st = hol_read_name(r, item, path, &e.name, &e.name_at);
    if (!st) st = hol_read_options(r, hol_event_keys, NULL, item, path, v);
    for (int i = 0; i < spec->n_events && !st; i++)
        if (strcmp(spec->event[i].name, e.name) == 0)
            st = hol_read_fail(r, item, path, "the name \"%s\" is given twice among the events", e.name);
    if (st) return st;
    if (v[EVENT_WHEN].given)
        st = hol_read_formula(r, hol_node_find(item, "when"), &when, HOL_ANY_UNIT, &e.when);
    if (!st && e.when && hol_expr_is_constant(e.when->expr))
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
    if (!st) st = read_switches(r, item, path, &e);
    if (!st) st = check_event(r, item, path, v, &e);
    hol_spec_event *list =
        st ? NULL
           : hol_arena_push(r->arena, spec->event, &spec->event_capacity, spec->n_events, sizeof *list);
    if (!list) return st ? st : HOL_ERR_MEMORY;
    spec->event = list;
    e.path = hol_arena_print(r->arena, "events.%s", e.name);
    list[spec->n_events++] = e;
    return e.path ? HOL_OK : HOL_ERR_MEMORY;
}
