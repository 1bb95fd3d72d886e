// Names of signals in expressions, which results have and expressions do not: what to write in their place. An element says what
// expressions may have of it.
#include "model/compile.h"

#include "element/contact.h"
#include "element/coordinate.h"
#include "element/measured.h"
#include "model/read.h"
#include "model/subsystem.h"

#include <stdio.h>
#include <string.h>

bool hol_drives_coordinate(const hol_element *e)
{
    return e->type->role == HOL_ROLE_DRIVER ? ((const hol_prims *)e->data)->p[0].kind != HOL_PRIM_DISTANCE
           : e->type == &hol_joint_lock     ? true
                                            : e->type->force == hol_effort_force;
}

enum { OFFERS = 300 };

static void offer(char text[OFFERS], const char *format, const char *name, const char *word)
{
    const size_t n = strlen(text);
    char one[OFFERS];
    snprintf(one, sizeof one, format, name, word);
    snprintf(text + n, OFFERS - n, "%s%s", n ? ", " : "", one);
}

// What expressions may have of an element, by the name that stands in them.
static void offer_all(const hol_element *e, int dimension, const char *name, char text[OFFERS])
{
    for (const hol_joint_coordinate *k = hol_joint_coordinates(e, dimension); k->name; k++)
        if (hol_joint_coordinate_is_free(e, dimension, k)) offer(text, "%s.%s", name, k->name);
    if (hol_drives_coordinate(e)) offer(text, "FQ(%s)", name, "");
    if (e->n_ends > 0)
        offer(text, dimension == 2 ? "FX(%s), FY, FM and TZ" : "FX(%s), FY, FZ, FM and TX, TY, TZ, TM", name,
              "");
    if (e->type == &hol_force_contact) offer(text, "FN(%s), GAP and VT", name, "");
}

hol_status hol_refuse_measure(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                              const hol_element *e, const char *why)
{
    char has[OFFERS] = "";
    offer_all(e, c->m->dimension, l->arg[0], has);
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, l->arg_at[0], "%s: \"%s\" %s; %s%s", path, l->arg[0], why,
                       *has ? "expressions have of it " : "expressions have nothing of it", has);
}

// Of what has one input or row on a coordinate, its force or torque; of what acts at markers the one that the word means. NULL: neither.
static const char *force_of(const hol_element *e, int dimension, const char *word)
{
    const bool torque = hol_same_name(word, "torque"), force = hol_same_name(word, "force");
    bool reaction = false;
    const char *measure = hol_signal_row(word, dimension, true, &reaction);
    if (torque || force) measure = NULL;
    if (measure && !reaction) return NULL;
    if (!measure && !torque && !force) return NULL;
    if (!measure && hol_drives_coordinate(e)) return "FQ";
    if (e->n_ends > 0) return measure ? measure : force ? "FM" : dimension == 2 ? "TZ" : "TM";
    return hol_drives_coordinate(e) ? "FQ" : NULL;
}

// The name of an element, and a word behind it that expressions do not have.
static hol_status refuse_of_element(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                                    const hol_element *e, const char *name, const char *word)
{
    const char *measure = force_of(e, c->m->dimension, word);
    char has[OFFERS] = "";
    if (measure)
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, l->at, "%s: unknown name \"%s\"; write %s(%s)", path,
                           l->name, measure, name);
    offer_all(e, c->m->dimension, name, has);
    const char *const law = strrchr(name, '.');
    if (law && hol_same_name(word, "power") && hol_drives_coordinate(e)) { // of a law of a joint
        const size_t n = strlen(has);
        snprintf(has + n, OFFERS - n, ", and its power is FQ(%s)*%.*s.%s", name, (int)(law - name), name,
                 hol_drives_length(e) ? "speed" : "rate");
    }
    static const char *const signals[] = {"lambda", "power", "saturated", "command"};
    bool signal = false;
    for (int i = 0; i < HOL_COUNT(signals); i++) signal = signal || hol_same_name(word, signals[i]);
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, l->at, "%s: %s\"%s\"%s; %s%s", path,
                       signal ? "" : "unknown name ", l->name,
                       signal ? " is a signal, and no value of expressions" : "",
                       *has ? "expressions have of it " : "expressions have nothing of it", has);
}

// The measure that the word asks for of a body or marker; NULL: none.
static const char *measure_of(const char *word, int dimension)
{
    static const char *const others[][2] = {
        {"angle", "AZ"}, {"phi", "AZ"}, {"theta", "AZ"}, {"omega", "WZ"}, {"alpha", "WDTZ"}};
    bool reaction = false;
    const char *measure = hol_signal_row(word, dimension, true, &reaction);
    for (int i = 0; i < HOL_COUNT(others) && !measure; i++)
        if (hol_same_name(word, others[i][0])) measure = others[i][1];
    return reaction ? NULL : measure;
}

// The name of a body or marker, and a word behind it.
static hol_status refuse_of_place(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                                  const hol_marker *k, const char *place, const char *word)
{
    const hol_model_data *m = c->m;
    const char *measure = measure_of(word, m->dimension);
    hol_measured found;
    int most;
    if (measure && k->frame == HOL_FRAME_POINT) {
        hol_measured_find(measure, strlen(measure), m->dimension, &found, &most);
        if (hol_quantity_needs_axes(found.part[found.n_parts - 1].what)) measure = NULL;
    }
    if (measure)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, l->at, "%s: unknown name \"%s\"; write %s(%s)", path,
                           l->name, measure, place);
    bool reaction = false;
    if (hol_signal_row(word, m->dimension, true, &reaction) && reaction)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, l->at,
                           "%s: unknown name \"%s\"; forces are those of joints, drivers and forces, as "
                           "FX(hinge), and \"%s\" is none",
                           path, l->name, place);
    return hol_fail_at(m->ctx, HOL_ERR_MODEL, l->at,
                       "%s: unknown name \"%s\"; \"%s\" is a body or marker, and what it does is measured as "
                       "DX(%s), VX(%s), "
                       "..%s; `holonom elements` lists what there is",
                       path, l->name, place, place, place,
                       k->frame == HOL_FRAME_POINT ? "" : ", angles as AZ, WZ");
}

// Signals of the run, which are no element's.
static hol_status refuse_of_run(const hol_compiler *c, const hol_spec_leaf *l, const char *path)
{
    const bool energy = strncmp(l->name, "energy.", 7) == 0;
    if (!energy && strncmp(l->name, "step.", 5) != 0 && strncmp(l->name, "violation.", 10) != 0)
        return HOL_OK;
    return hol_fail_at(
        c->m->ctx, HOL_ERR_MODEL, l->at,
        "%s: \"%s\" is a signal%s, and no value of expressions, which are made of measures such as "
        "VX(rod)",
        path, l->name, energy ? "" : " of a run");
}

// The marker of this name: "body.marker", "ground.marker", "body", "ground". NULL: there is no such body. An error: no such marker of it.
static hol_status find_place(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                             const char *text, const hol_marker **out)
{
    const hol_model_data *m = c->m;
    const size_t length = hol_body_length(&c->spec->subsystems, l->at, text);
    const char *body = hol_arena_copy(c->spec->arena, text, length), *own = body;
    *out = NULL;
    if (!body) return HOL_ERR_MEMORY;
    (void)hol_outside(l->at, &own);
    const bool ground = strcmp(own, "ground") == 0;
    const int b = ground ? -1 : hol_names_find_at(c->bodies, l->at, body);
    if (!ground && b < 0) return HOL_OK;
    int k = b < 0 ? m->ground_marker : m->body[b].marker;
    const hol_spec_end end = {.at = l->at, .body = body, .marker = text[length] ? text + length + 1 : NULL};
    const hol_status st = end.marker ? hol_find_marker(c, b, &end, path, &k) : HOL_OK;
    if (!st) *out = &m->marker[k].marker;
    return st;
}

hol_status hol_refuse_item(const hol_compiler *c, const hol_spec_leaf *l, const char *path)
{
    const hol_model_data *m = c->m;
    const char *name = l->name;
    const int k = hol_names_find_at(c->others, l->at, name);
    char has[OFFERS] = "";
    if (k >= 0) offer_all(&m->element[k], m->dimension, name, has);
    if (k >= 0)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, l->at, "%s: \"%s\" is a %s, and no value; %s%s", path, name,
                           hol_role_names[m->element[k].type->role],
                           *has ? "expressions have of it " : "expressions have nothing of it", has);
    if (hol_names_find_at(c->bodies, l->at, name) >= 0)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, l->at,
                           "%s: \"%s\" is a body, and no value; what it does is measured, as DX(%s), VX(%s)",
                           path, name, name, name);
    return hol_fail_at(m->ctx, HOL_ERR_MODEL, l->at, "%s: there is no variable or state \"%s\"", path, name);
}

hol_status hol_refuse_signal(const hol_compiler *c, const hol_spec_leaf *l, const char *path)
{
    const hol_model_data *m = c->m;
    const char *word = strrchr(l->name, '.') + 1;
    const char *name = hol_arena_copy(c->spec->arena, l->name, (size_t)(word - 1 - l->name));
    if (!name) return HOL_ERR_MEMORY;
    const int k = hol_names_find_at(c->others, l->at, name);
    if (k >= 0) return refuse_of_element(c, l, path, &m->element[k], name, word);
    const hol_marker *place;
    const hol_status found = find_place(c, l, path, name, &place);
    if (found) return found;
    if (place) return refuse_of_place(c, l, path, place, name, word);
    hol_status st = refuse_of_run(c, l, path);
    const hol_spec_leaf contact = {.name = "FN", .call = true, .n_args = 1, .arg = {name}, .arg_at = {l->at}};
    if (!st) st = hol_refuse_several(c, &contact, path);
    if (st) return st;
    hol_choice o;
    hol_choice_start(&o, name);
    for (int i = 0; i < m->n_elements; i++) hol_choice_offer(&o, hol_seen_name(l->at, m->element[i].name));
    const char *rule = hol_arena_print(
        c->spec->arena,
        "unknown name \"%s\"; parameters of an included file are its own, and there is no body, "
        "joint, driver or force",
        l->name);
    return rule ? hol_choice_fail(c, l->at, path, rule, name, &o) : HOL_ERR_MEMORY;
}
