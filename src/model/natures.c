// Dimensions of names: what a variable, a state or a parameter that events set is made of, learnt before any expression is
// read, because an expression may name what stands below it.
#include "model/read_users.h"

#include <string.h>

enum {
    MOST_ROUNDS = 20
}; // names that lean on one another in a longer chain, written upside down, are not checked

// Of a name: numbers without a unit may stand for anything, since who writes no unit is not asked.
static hol_nature of_name(hol_nature n)
{
    static const hol_dimension pure;
    const unsigned kept =
        HOL_NATURE_UNIT | HOL_NATURE_ANY_ANGLE | HOL_NATURE_ANY_TIME | HOL_NATURE_CYCLES | HOL_NATURE_PI;
    const bool number = !(n.flags & kept) && memcmp(&n.dimension, &pure, sizeof pure) == 0;
    if (number || n.flags & (HOL_NATURE_LOOSE | HOL_NATURE_PLAIN))
        return (hol_nature){.flags = HOL_NATURE_LOOSE};
    n.flags &= kept;
    return n;
}

// The nature of the expression at this node, without a message: it is read for good later. Only memory is an error.
static hol_status quietly(const hol_spec *spec, const hol_reader *r, const hol_node *node,
                          const hol_path *path, hol_nature *out)
{
    const hol_formula *f;
    *out = (hol_nature){.flags = HOL_NATURE_LOOSE};
    if (!node) return HOL_OK;
    hol_reader quiet = *r;
    quiet.ctx = NULL;
    quiet.bare = NULL;
    quiet.arena = quiet.draft = spec->draft;
    const hol_arena_mark here = hol_arena_here(spec->draft);
    const hol_status st = hol_read_formula(&quiet, node, path, HOL_ANY_UNIT, &f);
    if (!st) *out = hol_expr_nature(f->expr);
    hol_arena_release(spec->draft, here);
    // without a context the status may be another one; the arena has told the context of the model
    const bool lost = st == HOL_ERR_MEMORY || (st && hol_context_status(r->ctx) == HOL_ERR_MEMORY);
    return lost ? hol_fail(r->ctx, HOL_ERR_MEMORY, "out of memory") : HOL_OK;
}

hol_nature hol_nature_of_rate(hol_nature n, int times)
{
    if (!(n.flags & HOL_NATURE_LOOSE)) n.dimension.power[2] += times * HOL_POWER_ONE;
    return n;
}

// One pass: the dimension of an item follows from that of its initial value or rate, if that is known by now.
static hol_status learn(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                        const hol_object *object)
{
    const hol_node *initial = hol_node_find(item, "initial"), *rate = hol_node_find(item, "rate");
    const char *name;
    hol_src at;
    (void)object;
    spec->n_items--; // counted when it is read
    hol_status st = hol_read_name(r, item, path, &name, &at);
    if (st) return st;
    hol_nature *known = &spec->known.nature[hol_names_find(spec->known.names, name)];
    hol_nature n;
    st = quietly(spec, r, rate ? initial : hol_node_find(item, "value"), path, &n);
    n = of_name(n);
    if (!st && rate && !(n.flags & HOL_NATURE_UNIT)) {
        st = quietly(spec, r, rate, path, &n);
        n = hol_nature_of_rate(of_name(n), 1);
    }
    if (st) return st;
    spec->known.changed = spec->known.changed || memcmp(known, &n, sizeof n) != 0;
    *known = n;
    return HOL_OK;
}

bool hol_is_plain_held(hol_nature n) { return n.flags & HOL_NATURE_PLAIN && !(n.flags & HOL_NATURE_LOOSE); }

// A parameter without a unit is in the units of the file as long as events set it to such numbers only. What is made of
// quantities is in SI, and so is the parameter then. A value with a unit gives its dimension to the parameter, wherever it stands.
static hol_status learn_sets(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const hol_object *object)
{
    const unsigned not_plain =
        HOL_NATURE_UNIT | HOL_NATURE_ANGLE | HOL_NATURE_LOOSE | HOL_NATURE_ANY_ANGLE | HOL_NATURE_ANY_TIME;
    static const hol_dimension pure;
    const hol_node *set = hol_node_find(item, "set");
    (void)object;
    spec->n_items--;
    for (int i = 0; set && set->kind == HOL_NODE_MAP && i < set->n; i++) {
        const char *name;
        hol_nature n;
        hol_status st = hol_read_text(r, set->key[i], path, &name);
        if (st) return st;
        const int held = hol_names_find_at(spec->held_names, set->key[i]->at, name);
        hol_nature *known = held < 0 ? NULL : &spec->known.nature[spec->known.first_held + held];
        const bool open = known && (known->flags & (HOL_NATURE_LOOSE | HOL_NATURE_PLAIN)) == HOL_NATURE_LOOSE;
        if (!known || !(open || hol_is_plain_held(*known))) continue;
        st = quietly(spec, r, set->value[i], path, &n);
        if (st) return st;
        if (open) {
            n = of_name(n);
            if (!(n.flags & HOL_NATURE_UNIT)) continue;
            *known = n;
            spec->known.changed = true;
            continue;
        }
        if (!(n.flags & not_plain) && memcmp(&n.dimension, &pure, sizeof pure) == 0) continue;
        *known = (hol_nature){.flags = HOL_NATURE_LOOSE};
        if (spec->held[held].value != 0) known->flags |= HOL_NATURE_PLAIN; // warned of where it stands
        spec->known.changed = true;
    }
    return HOL_OK;
}

// What is known of a parameter that events set, before these are looked at.
static hol_nature of_held(const hol_spec *spec, hol_nature n)
{
    bool si = true;
    for (int i = 0; i < spec->systems.n; i++) si = si && spec->systems.system[i].si;
    return si || !(n.flags & HOL_NATURE_PLAIN) ? of_name(n) : n;
}

hol_status hol_learn_natures(hol_spec *spec, const hol_node *root)
{
    static const struct {
        const char *key;
        hol_item_fn *learn;
    } lists[] = {{"variables", learn}, {"states", learn}, {"events", learn_sets}};
    hol_known *k = &spec->known;
    k->nature = hol_arena_alloc(spec->arena, (size_t)k->n + 1, sizeof *k->nature);
    if (!k->nature) return HOL_ERR_MEMORY;
    for (int i = 0; i < k->n; i++)
        k->nature[i] = i < k->first_held ? (hol_nature){.flags = HOL_NATURE_LOOSE}
                                         : of_held(spec, spec->held[i - k->first_held].nature);
    k->changed = true;
    for (int i = 0; i < MOST_ROUNDS && k->changed; i++) {
        k->changed = false;
        for (int s = 0; s < HOL_COUNT(lists); s++) {
            const hol_node *node = hol_node_find(root, lists[s].key);
            const hol_path path = {NULL, lists[s].key, 0, NULL};
            hol_status st = node ? hol_read_list(spec, node, &path, lists[s].learn, NULL) : HOL_OK;
            if (st) return st;
        }
    }
    return HOL_OK;
}

hol_nature hol_known_nature(const hol_known *known, const char *name)
{
    const int i = name && known && known->nature ? hol_names_find(known->names, name) : -1;
    return i >= 0 ? known->nature[i] : (hol_nature){.flags = HOL_NATURE_LOOSE};
}

hol_status hol_check_nature(const hol_reader *r, const hol_node *node, const hol_path *path, hol_nature n,
                            hol_nature wanted, const char *what, const char *name)
{
    n = of_name(n);
    const unsigned any = n.flags | wanted.flags;
    const int *p = n.dimension.power, *q = wanted.dimension.power;
    char given[100], want[100];
    if (any & HOL_NATURE_LOOSE || !(any & HOL_NATURE_UNIT)) return HOL_OK;
    const bool angle = p[3] == q[3] || !p[3] || !q[3] || any & HOL_NATURE_ANY_ANGLE;
    const bool turns = hol_nature_turns(&n) != hol_nature_turns(&wanted) && (p[3] || q[3]);
    const bool same = p[0] == q[0] && p[1] == q[1] && (p[2] == q[2] || any & HOL_NATURE_ANY_TIME);
    if (same && angle && !turns) return HOL_OK;
    if (same && angle)
        return hol_read_fail(r, node, path,
                             "Hz, 1/min or 1/h meets an angle, %s of \"%s\": a turn or a radian? write rpm, "
                             "rev/s or rad/s, or 2*pi times it",
                             what, name);
    hol_dimension_print(&n.dimension, given, sizeof given);
    hol_dimension_print(&wanted.dimension, want, sizeof want);
    return hol_read_fail(r, node, path, "dimension: %s where %s is wanted, %s of \"%s\"", given, want, what,
                         name);
}

hol_status hol_check_named(const hol_reader *r, const hol_node *node, const hol_path *up, const char *key,
                           const char *name)
{
    const hol_path path = {up, key, 0, NULL};
    hol_constant c;
    hol_status st = node ? hol_read_named_number(r, node, &path, &c) : HOL_OK;
    if (st || !node) return st;
    return hol_check_nature(r, node, &path, c.nature, hol_known_nature(r->known, name), "that", name);
}
