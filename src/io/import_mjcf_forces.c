// What acts in models of MJCF beside the joints' own springs: tendons, and actuators of joints, of these and of sites.
#include "io/import_mjcf.h"

#include <math.h>
#include <string.h>

hol_status hol_mjcf_find(hol_mjcf *m, hol_xml *e, const char *key, const hol_names *names, const char *what,
                         int *out)
{
    const char *name;
    hol_status st = hol_import_word(m->in, e, key, &name);
    if (st) return st;
    *out = hol_names_find(names, name);
    if (*out >= 0) return HOL_OK;
    return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<%s>: there is no %s \"%.60s\"", e->name, what,
                       name);
}

hol_status hol_mjcf_is_limited(hol_mjcf *m, hol_xml *e, const char *key, int around, bool given,
                               bool *limited)
{
    const char *text;
    hol_status st = hol_mjcf_get(m, e, key, around, &text);
    *limited = false;
    if (st) return st;
    if (text && strcmp(text, "auto") != 0) return hol_mjcf_flag(m, e, key, around, limited);
    if (given && m->limits_are_given && !m->limits_are_automatic)
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at,
                           "<%s>: a range, and autolimits=\"false\": write %s=\"true\" or %s=\"false\"",
                           e->name, key, key);
    *limited = given;
    if (!*limited || m->limits_are_given) return HOL_OK;
    return hol_import_tell(m->in, HOL_TOLD_ASSUMED, e->at, NULL, "ranges without a word whether they limit",
                           "they do, as since MuJoCo 3");
}

// ---- actuators ------------------------------------------------------------------------------------------------

// A range of an actuator, where it limits, always or by the word `limited`; else out stays as it is.
static hol_status read_motor_range(hol_mjcf *m, hol_xml *e, const char *range, const char *limited,
                                   bool always, double out[2])
{
    int n;
    bool is = always;
    double found[2] = {0, 0};
    hol_status st = hol_mjcf_some(m, e, range, -1, 2, found, &n);
    if (!st && !always) st = hol_mjcf_is_limited(m, e, limited, -1, n > 0, &is);
    if (st || !is) return st;
    if (n != 2 || !(found[0] < found[1]))
        return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at,
                           "<%s>: %s: two numbers are wanted, the second above the first", e->name, range);
    memcpy(out, found, sizeof found);
    return HOL_OK;
}

// One of some words; *out: which one. What is not among them is not taken: *out is n then.
static hol_status find_word(hol_mjcf *m, hol_xml *e, const char *key, int n, const char *const *words,
                            int *out)
{
    const char *text;
    const hol_status st = hol_mjcf_get(m, e, key, -1, &text);
    if (st || !text) return st;
    for (*out = 0; *out < n && strcmp(words[*out], text) != 0; ++*out) {
    }
    return HOL_OK;
}

// <general>: its gain, bias and dynamics. *taken: they are of kinds that are known.
static hol_status read_general(hol_mjcf *m, hol_xml *e, hol_robot_motor *a, bool *taken)
{
    static const char *const gains[] = {"fixed", "affine"}, *const biases[] = {"none", "affine"},
                             *const dynamics[] = {"none", "integrator", "filter", "filterexact"};
    double gain[10] = {1}, bias[10] = {0}, time[10] = {1};
    int n, g = 0, b = 0, d = 0;
    hol_status st = find_word(m, e, "gaintype", 2, gains, &g);
    if (!st) st = find_word(m, e, "biastype", 2, biases, &b);
    if (!st) st = find_word(m, e, "dyntype", 4, dynamics, &d);
    if (!st) st = hol_mjcf_first_ones(m, e, "gainprm", -1, 10, g == 1 ? 3 : 1, gain, &n);
    if (!st) st = hol_mjcf_first_ones(m, e, "biasprm", -1, 10, b == 1 ? 3 : 0, bias, &n);
    if (!st) st = hol_mjcf_first_ones(m, e, "dynprm", -1, 10, 1, time, &n);
    *taken = g < 2 && b < 2 && d < 4;
    memcpy(a->gain, gain, (g == 1 ? 3 : 1) * sizeof *gain);
    memcpy(a->bias, bias, (b == 1 ? 3 : 0) * sizeof *bias);
    a->dynamics = d < 2 ? (hol_robot_dynamics)d : HOL_ROBOT_FILTER;
    a->time_constant = time[0];
    return st;
}

// <cylinder>: a filter of the pressure, which acts on an area.
static hol_status read_cylinder(hol_mjcf *m, hol_xml *e, hol_robot_motor *a)
{
    double diameter = 0;
    int n;
    a->dynamics = HOL_ROBOT_FILTER;
    a->time_constant = 1;
    hol_status st = hol_mjcf_numbers(m, e, "timeconst", -1, 1, &a->time_constant);
    if (!st) st = hol_mjcf_numbers(m, e, "area", -1, 1, a->gain);
    if (!st) st = hol_mjcf_some(m, e, "diameter", -1, 1, &diameter, &n);
    if (!st && n) a->gain[0] = HOL_PI / 4 * diameter * diameter;
    return st ? st : hol_mjcf_some(m, e, "bias", -1, 3, a->bias, &n);
}

// Gain, bias and dynamics by the element's name.
static hol_status read_kind(hol_mjcf *m, hol_xml *e, hol_robot_motor *a, bool *taken)
{
    const char *word = e->name;
    double kp = 1, kv = strcmp(word, "position") != 0 && strcmp(word, "intvelocity") != 0;
    hol_status st = HOL_OK;
    *taken = true;
    if (strcmp(word, "general") == 0) return read_general(m, e, a, taken);
    if (strcmp(word, "cylinder") == 0) return read_cylinder(m, e, a);
    if (strcmp(word, "motor") == 0) return HOL_OK;
    if (strcmp(word, "damper") == 0) { // what its class says is not used by MuJoCo, and it begins with 0
        a->gain[0] = kv = 0;
        st = hol_import_vector(m->in, e, "kv", 1, false, &kv);
        a->gain[2] = -kv;
        return st;
    }
    const bool place = kv == 0;
    if (place) st = hol_mjcf_numbers(m, e, "kp", -1, 1, &kp);
    if (!st) st = hol_mjcf_numbers(m, e, "kv", -1, 1, &kv);
    a->gain[0] = place ? kp : kv;
    a->bias[1] = place ? -kp : 0;
    a->bias[2] = -kv;
    if (strcmp(word, "intvelocity") == 0) a->dynamics = HOL_ROBOT_INTEGRATOR;
    return st;
}

// Of control, force and activation.
static hol_status read_ranges(hol_mjcf *m, hol_xml *e, hol_robot_motor *a)
{
    const bool damper = strcmp(e->name, "damper") == 0, counts = strcmp(e->name, "intvelocity") == 0;
    hol_status st = read_motor_range(m, e, "ctrlrange", "ctrllimited", damper, a->control);
    if (m->off.clamp) memset(a->control, 0, sizeof a->control);
    if (!st) st = read_motor_range(m, e, "forcerange", "forcelimited", false, a->force);
    if (st || a->dynamics == HOL_ROBOT_DIRECT) return st;
    st = read_motor_range(m, e, "actrange", "actlimited", counts, a->activation);
    if (st || a->time_constant > 0 || a->dynamics != HOL_ROBOT_FILTER) return st;
    return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, e->at, "<%s>: its time constant is not above 0", e->name);
}

// What it acts on. *taken: that is a joint, a tendon or a site.
static hol_status read_target(hol_mjcf *m, hol_xml *e, hol_robot_motor *a, bool *taken)
{
    static const char *const keys[] = {"joint", "jointinparent", "tendon", "site"};
    hol_names *names[] = {m->joints, m->joints, m->tendons, m->sites};
    int *out[] = {&a->joint, &a->joint, &a->tendon, &a->site};
    a->joint = a->tendon = a->site = -1;
    *taken = !hol_xml_get(e, "refsite") && !hol_xml_get(e, "slidersite");
    for (int k = 0; k < HOL_COUNT(keys); k++)
        if (hol_xml_get(e, keys[k])) {
            a->in_parent = k == 1;
            return k == 2 && hol_names_find(m->spatial, hol_xml_get(e, keys[k])) >= 0
                       ? (*taken = false, HOL_OK)
                       : hol_mjcf_find(m, e, keys[k], names[k], k < 2 ? "joint" : keys[k], out[k]);
        }
    *taken = false;
    return HOL_OK;
}

static const char *name_of_target(const hol_mjcf *m, const hol_robot_motor *a)
{
    const hol_robot *r = m->r;
    return a->joint >= 0    ? r->joint[a->joint].name
           : a->tendon >= 0 ? r->tendon[a->tendon].name
                            : r->link[a->site].name;
}

static hol_status leave_motor(hol_mjcf *m, hol_xml *e, hol_told_kind kind, const char *text)
{
    for (int i = 0; i < e->n; i++) e->asked[i] = true;
    const char *name = hol_xml_get(e, "name");
    return hol_import_tell(m->in, kind, e->at, name && *name ? name : NULL, text,
                           kind == HOL_TOLD_MISSED ? "they are left out" : "");
}

// What it acts on, what it makes of its control, and its ranges; or it is left out, which is told.
static hol_status read_actuator(hol_mjcf *m, hol_xml *e)
{
    hol_robot *r = m->r;
    hol_robot_motor a = {.at = e->at, .gear = {1}, .gain = {1}};
    bool known = false, reached = false;
    int n;
    hol_status st = m->off.actuation ? HOL_OK : read_target(m, e, &a, &reached);
    if (st || m->off.actuation || !reached)
        return st ? st
                  : leave_motor(m, e, m->off.actuation ? HOL_TOLD_LEFT_OUT : HOL_TOLD_MISSED,
                                m->off.actuation
                                    ? "actuators, which <flag actuation=\"disable\"> switches off"
                                    : "actuators of something else than a joint, a tendon or a site");
    st = hol_mjcf_first_ones(m, e, "gear", -1, 6, 6, a.gear, &n);
    if (!st) st = read_kind(m, e, &a, &known);
    if (!st && !known)
        return leave_motor(m, e, HOL_TOLD_MISSED,
                           "actuators with a gain, bias or dynamics of other types than fixed, affine, none, "
                           "integrator and filter");
    if (!st) st = read_ranges(m, e, &a);
    if (st) return st;
    a.name = hol_xml_get(e, "name");
    if (!a.name || !*a.name) a.name = hol_arena_print(m->in->arena, "%s_motor", name_of_target(m, &a));
    if (!a.name || !HOL_ARENA_GROW(m->in->arena, r->motor, r->n_motors)) return HOL_ERR_MEMORY;
    r->motor[r->n_motors++] = a;
    return HOL_OK;
}

// Actuators of the kinds that are known; others stay untaken.
hol_status hol_mjcf_read_actuators(hol_mjcf *m)
{
    hol_status st = HOL_OK;
    for (hol_xml *a = hol_xml_find(m->root, "actuator"); a && !st; a = hol_xml_next(m->root, "actuator", a))
        for (hol_xml *e = a->first; e && !st; e = e->next)
            if (hol_mjcf_is_actuator(e)) {
                e->taken = true;
                st = read_actuator(m, e);
            }
    return st;
}

// ---- tendons --------------------------------------------------------------------------------------------------

// Is there something of a tendon that is not taken, and that no flag switches off?
static hol_status find_others(hol_mjcf *m, hol_xml *e, const double rest[2], int n_rest, bool *any)
{
    double range[2], friction = 0, armature = 0;
    int n;
    bool limited = false;
    hol_status st = hol_mjcf_some(m, e, "range", -1, 2, range, &n);
    if (!st && m->off.limit) n = 0;
    if (!st) st = hol_mjcf_is_limited(m, e, "limited", -1, n > 0, &limited);
    if (!st) st = hol_mjcf_numbers(m, e, "frictionloss", -1, 1, &friction);
    if (!st) st = hol_mjcf_numbers(m, e, "armature", -1, 1, &armature);
    *any = (limited && !m->off.limit) || (friction != 0 && !m->off.friction) || armature != 0 ||
           (n_rest > 1 && rest[1] != rest[0]);
    return st;
}

// What all tendons have: a spring and a damper.
static hol_status read_spring(hol_mjcf *m, hol_xml *e, hol_robot_tendon *t)
{
    const char *name = hol_xml_get(e, "name");
    double rest[2] = {-1, 0};
    int n;
    bool any = false;
    t->at = e->at;
    t->name = name && *name ? name : hol_arena_print(m->in->arena, "tendon%d", m->r->n_tendons + 1);
    hol_status st = t->name ? hol_mjcf_numbers(m, e, "stiffness", -1, 1, &t->stiffness) : HOL_ERR_MEMORY;
    if (!st) st = hol_mjcf_numbers(m, e, "damping", -1, 1, &t->damping);
    if (!st) st = hol_mjcf_some(m, e, "springlength", -1, 2, rest, &n);
    if (!st) st = find_others(m, e, rest, n, &any);
    if (!st && any)
        st = hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, t->name,
                             "ranges, dead bands, friction and inertia of tendons", "they are left out");
    t->rest = rest[0];
    t->rests_with_springs = rest[0] == -1;
    if (m->off.passive) t->stiffness = t->damping = 0;
    return st;
}

static hol_status add_tendon(hol_mjcf *m, hol_xml *e, const hol_robot_tendon *t)
{
    const char *name = hol_xml_get(e, "name");
    hol_status st = name && *name ? hol_mjcf_remember(m, m->tendons, e, name, m->r->n_tendons) : HOL_OK;
    if (st) return st;
    if (!HOL_ARENA_GROW(m->in->arena, m->r->tendon, m->r->n_tendons)) return HOL_ERR_MEMORY;
    m->r->tendon[m->r->n_tendons++] = *t;
    return HOL_OK;
}

// A sum of coordinates.
static hol_status read_fixed(hol_mjcf *m, hol_xml *e)
{
    hol_import *in = m->in;
    hol_robot_tendon t = {0};
    hol_status st = read_spring(m, e, &t);
    for (hol_xml *j = hol_xml_find(e, "joint"); j && !st; j = hol_xml_next(e, "joint", j)) {
        int k = 0, size = t.n;
        double coefficient = 0;
        st = hol_mjcf_find(m, j, "joint", m->joints, "joint", &k);
        if (!st) st = hol_import_vector(in, j, "coef", 1, true, &coefficient);
        if (st) return st;
        if (!hol_robot_has_coordinate(&m->r->joint[k]))
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, j->at,
                               "<joint>: a tendon runs over hinges and slides");
        if (!HOL_ARENA_GROW(in->arena, t.joint, t.n) || !HOL_ARENA_GROW(in->arena, t.coefficient, size))
            return HOL_ERR_MEMORY;
        t.joint[t.n] = k;
        t.coefficient[t.n++] = coefficient;
    }
    return st ? st : add_tendon(m, e, &t);
}

// Distances of sites, one behind the other; after a pulley a new branch begins, whose length counts by its divisor.
static hol_status read_spatial(hol_mjcf *m, hol_xml *e)
{
    hol_robot_tendon t = {0};
    double divisor = 1;
    int last = -1, site = 0;
    hol_status st = read_spring(m, e, &t);
    for (hol_xml *c = e->first; c && !st; c = c->next) {
        c->taken = true;
        if (strcmp(c->name, "pulley") == 0) {
            last = -1;
            st = hol_import_vector(m->in, c, "divisor", 1, true, &divisor);
            if (!st && !(divisor > 0))
                return hol_fail_at(m->in->ctx, HOL_ERR_MODEL, c->at, "<pulley>: its divisor is not above 0");
            continue;
        }
        st = hol_mjcf_find(m, c, "site", m->sites, "site", &site);
        if (!st && last >= 0) {
            if (!HOL_ARENA_GROW(m->in->arena, t.segment, t.n_segments)) return HOL_ERR_MEMORY;
            t.segment[t.n_segments++] = (hol_robot_segment){{last, site}, divisor};
        }
        last = site;
    }
    return st ? st : add_tendon(m, e, &t);
}

// A tendon that is not taken, which others may name.
static hol_status leave_tendon(hol_mjcf *m, hol_xml *e)
{
    const char *name = hol_xml_get(e, "name");
    hol_status st = name && *name ? hol_mjcf_remember(m, m->spatial, e, name, 0) : HOL_OK;
    for (int i = 0; i < e->n; i++) e->asked[i] = true;
    for (hol_xml *c = e->first; c; c = c->next) {
        c->taken = true;
        for (int i = 0; i < c->n; i++) c->asked[i] = true;
    }
    return st ? st
              : hol_import_tell(m->in, HOL_TOLD_MISSED, e->at, name,
                                "spatial tendons of anything but sites and pulleys", "they are left out");
}

static bool is_of_sites(const hol_xml *e)
{
    bool is = true;
    for (const hol_xml *c = e->first; c; c = c->next)
        is = is && (strcmp(c->name, "site") == 0 || strcmp(c->name, "pulley") == 0);
    return is && e->first;
}

hol_status hol_mjcf_read_tendons(hol_mjcf *m)
{
    hol_status st = HOL_OK;
    for (hol_xml *all = hol_xml_find(m->root, "tendon"); all && !st;
         all = hol_xml_next(m->root, "tendon", all))
        for (hol_xml *e = all->first; e && !st; e = e->next) {
            const bool fixed = strcmp(e->name, "fixed") == 0, spatial = strcmp(e->name, "spatial") == 0;
            e->taken = e->taken || fixed || spatial;
            if (fixed)
                st = read_fixed(m, e);
            else if (spatial)
                st = is_of_sites(e) ? read_spatial(m, e) : leave_tendon(m, e);
        }
    return st;
}
