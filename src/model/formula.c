// Expressions that may use more than time: what their names and calls mean is noted here and resolved by the compiler.
#include "model/read_users.h"

#include "element/coordinate.h"
#include "element/measured.h"
#include "model/equation.h"

#include <stdio.h>
#include <string.h>

enum { JOINT = 400 }; // of the name of one

typedef struct {
    const hol_reader *r;
    const hol_path *path;
    hol_formula *formula;
    hol_spec_leaf *leaf;
} collector;

bool hol_is_identifier(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                      digits[] = "0123456789";
    if (!*name || !strchr(letters, *name)) return false;
    for (const char *p = name; *p; p++)
        if (!strchr(letters, *p) && !strchr(digits, *p)) return false;
    return true;
}

// "VARVAL(x)" and "DIF(x)" are x itself, as users of other programs write it.
static bool is_value_call(const char *name)
{
    static const char *const names[] = {"VARVAL", "DIF", "ARYVAL"};
    for (int i = 0; i < HOL_COUNT(names); i++)
        if (hol_same_name(name, names[i])) return true;
    return false;
}

const char *hol_name_is_reserved(const char *name)
{
    hol_measured ignored;
    int n;
    bool capitals = true;
    for (const char *p = name; *p; p++) capitals = capitals && !(*p >= 'a' && *p <= 'z');
    if (hol_same_name(name, "time")) return "the time";
    if (hol_same_name(name, "pi")) return "a constant";
    if (hol_expr_is_function(name)) return "a function";
    if (!capitals) return NULL;
    if (hol_leaf_reaction(name, 3) >= 0) return "a component of a force";
    if (hol_leaf_contact(name) >= 0) return "a measure of a contact";
    return is_value_call(name) || strcmp(name, "DIF1") == 0 ||
                   hol_measured_find(name, strlen(name), 3, &ignored, &n)
               ? "a measure"
               : NULL;
}

static bool brackets_close(const char *name)
{
    int depth = 0;
    for (const char *p = name; *p && depth >= 0; p++)
        depth += (strchr("([{", *p) != NULL) - (strchr(")]}", *p) != NULL);
    return depth == 0;
}

hol_status hol_check_name(const hol_reader *r, const hol_node *node, const hol_path *path, const char *name)
{
    const size_t n = strlen(name);
    unsigned point;
    const char *what;
    if (hol_unseen_find(name, n, &point, &what))
        return hol_read_fail(r, node, path, "a name may not contain %s, U+%04X; remove it", what, point);
    if (strpbrk(name, ".,:=\""))
        return hol_read_fail(r, node, path, "a name may not contain . , : = quotes or line ends");
    if (!brackets_close(name))
        return hol_read_fail(r, node, path,
                             "\"%s\": brackets in a name must close, or expressions could not name it", name);
    if (n == 0 || name[0] == ' ' || name[n - 1] == ' ')
        return hol_read_fail(r, node, path, "\"%s\": a name may not begin or end with a blank", name);
    return HOL_OK;
}

// The text with {index} filled in.
static hol_status fill(const collector *c, const hol_leaf_text *text, const char **out)
{
    hol_node node = {.kind = HOL_NODE_SCALAR, .at = text->at};
    node.text = hol_arena_copy(c->r->arena, text->text, text->length);
    if (!node.text) return HOL_ERR_MEMORY;
    return hol_read_text(c->r, &node, c->path, out);
}

static bool same_leaf(const hol_spec_leaf *a, const hol_spec_leaf *b)
{
    if (a->call != b->call || a->known != b->known || a->n_args != b->n_args || strcmp(a->name, b->name) != 0)
        return false;
    for (int i = 0; i < a->n_args; i++)
        if (strcmp(a->arg[i], b->arg[i]) != 0) return false;
    return true;
}

// Force and torque of an element: component, see hol_leaf.
int hol_leaf_reaction(const char *name, int dimension)
{
    static const char *const names[] = {"FX", "FY", "FZ", "TX", "TY", "TZ", "FM", "TM", "FQ"};
    for (int i = 0; i < HOL_COUNT(names); i++)
        if (hol_same_name(name, names[i])) return dimension == 2 && (i == 2 || i == 3 || i == 4) ? -1 : i;
    return -1;
}

int hol_leaf_contact(const char *name)
{
    static const char *const names[] = {"FN", "GAP", "VT"};
    for (int i = 0; i < HOL_COUNT(names); i++)
        if (hol_same_name(name, names[i])) return i;
    return -1;
}

bool hol_leaf_is_call(const char *name, int dimension)
{
    hol_measured m;
    int n;
    return hol_same_name(name, "DIF1") || hol_leaf_reaction(name, dimension) >= 0 ||
           hol_leaf_contact(name) >= 0 || hol_measured_find(name, strlen(name), dimension, &m, &n);
}

static int unknown_value(const collector *c, const char *name, hol_src at)
{
    hol_nearest nearest;
    hol_nearest_start(&nearest, name);
    for (int i = 0; i < c->r->known->n; i++) hol_nearest_try(&nearest, c->r->known->name[i]);
    hol_fail_at(c->r->ctx, HOL_ERR_MODEL, at, "there is no variable or state \"%s\"%s%s%s", name,
                nearest.best ? "; did you mean \"" : "", nearest.best ? nearest.best : "",
                nearest.best ? "\"?" : "");
    return HOL_LEAF_ERROR;
}

// Does "hinge.angle", whose joint the compiler finds, measure an angle, and how often is that differentiated? false: no joint has a
// coordinate of this name, or it is no name with a point.
static bool coordinate_of(const collector *c, const hol_spec_leaf *leaf, bool *angle, int *level)
{
    const char *dot = leaf->call || leaf->known ? NULL : strrchr(leaf->name, '.');
    const hol_joint_coordinate *any = dot ? hol_joint_coordinate_any(dot + 1) : NULL, *own = NULL;
    if (!any) return false;
    char joint[JOINT]; // of a longer name the coordinate is what most joints have
    const int length = (int)(dot - leaf->name);
    snprintf(joint, sizeof joint, "%.*s", length, leaf->name);
    const int type =
        length < JOINT && c->r->known ? hol_names_find_at(c->r->known->joints, leaf->at, joint) : -1;
    if (type >= 0) own = hol_joint_coordinate_of(hol_element_types[type], c->r->dimension, dot + 1);
    *angle = hol_quantity_is_angle(own ? own->what[c->r->dimension - 2] : any->what[0]);
    *level = hol_joint_coordinate_level(own ? own : any);
    return true;
}

// A signal of a body or marker, or a component of a reaction, as the measure that it is: crank.x is DX(crank), A.Fx is FX(A).
static hol_status take_signal(const collector *c, hol_spec_leaf *leaf)
{
    const char *dot = leaf->call ? NULL : strrchr(leaf->name, '.');
    const char *object =
        dot && c->r->signals ? hol_arena_copy(c->r->arena, leaf->name, (size_t)(dot - leaf->name)) : NULL;
    const char *measure = object ? hol_signal_measure(c->r->signals, leaf->at, object, dot + 1) : NULL;
    if (!measure) return dot && c->r->signals && !object ? HOL_ERR_MEMORY : HOL_OK;
    *leaf = (hol_spec_leaf){.name = measure, .call = true, .n_args = 1, .arg = {object}, .at = leaf->at};
    leaf->arg_at[0] = leaf->at;
    return HOL_OK;
}

// Is there an item of this name in some list of the file? It may stand in no expression, and the message is to say what it is.
static bool is_item(const hol_known *known, const char *name)
{
    const hol_node *root = known->root;
    for (int k = 0; root && k < root->n; k++)
        for (int i = 0; root->value[k]->kind == HOL_NODE_SEQUENCE && i < root->value[k]->n; i++) {
            const hol_node *item = root->value[k]->value[i];
            const hol_node *own = item->kind == HOL_NODE_MAP ? hol_node_find(item, "name") : NULL;
            if (own && own->kind == HOL_NODE_SCALAR && strcmp(own->text, name) == 0) return true;
        }
    return false;
}

// A name or call that is not in the expression's language: noted as a leaf, the same one for the same text.
static int find_leaf(void *user, const hol_leaf_call *call)
{
    collector *c = user;
    hol_formula *f = c->formula;
    hol_spec_leaf leaf = {.call = call->call, .n_args = call->n_args, .at = call->name.at};
    hol_status st = fill(c, &call->name, &leaf.name);
    for (int i = 0; i < call->n_args && !st; i++) {
        leaf.arg_at[i] = call->arg[i].at;
        st = fill(c, &call->arg[i], &leaf.arg[i]);
    }
    if (st) return HOL_LEAF_ERROR;
    if (leaf.call && leaf.n_args == 1 && is_value_call(leaf.name)) {
        leaf.name = leaf.arg[0];
        leaf.call = false;
        leaf.n_args = 0;
        if (!hol_known_name(c->r->known, leaf.at, leaf.name))
            return unknown_value(c, leaf.name, leaf.arg_at[0]);
    }
    const char **value = !leaf.call ? &leaf.name : hol_same_name(leaf.name, "DIF1") ? &leaf.arg[0] : NULL;
    const char *full = value && *value ? hol_known_name(c->r->known, leaf.at, *value) : NULL;
    if (full) *value = full;
    leaf.known = full && !leaf.call;
    if (!full && take_signal(c, &leaf)) return HOL_LEAF_ERROR;
    // Of items and what they have the compiler knows more.
    if (!leaf.call && !full && !strchr(leaf.name, '.') && !is_item(c->r->known, leaf.name)) {
        if (!hol_leaf_is_call(leaf.name, c->r->dimension)) return HOL_LEAF_UNKNOWN;
        hol_fail_at(c->r->ctx, HOL_ERR_MODEL, leaf.at,
                    "%s needs its arguments in brackets; `holonom elements` lists them", leaf.name);
        return HOL_LEAF_ERROR;
    }
    if (leaf.call && !hol_leaf_is_call(leaf.name, c->r->dimension)) {
        if (c->r->dimension == 3 || !hol_leaf_is_call(leaf.name, 3)) return HOL_LEAF_UNKNOWN;
        hol_fail_at(c->r->ctx, HOL_ERR_MODEL, leaf.at, "%s exists in models of dimension 3 only", leaf.name);
        return HOL_LEAF_ERROR;
    }
    for (int i = 0; i < f->n_leaves; i++)
        if (same_leaf(&leaf, &c->leaf[i])) return i;
    if (!HOL_ARENA_GROW(c->r->arena, c->leaf, f->n_leaves)) return HOL_LEAF_ERROR;
    c->leaf[f->n_leaves] = leaf;
    return f->n_leaves++;
}

// Lengths or angles over powers of the time.
static hol_nature nature_of(bool angle, int level)
{
    hol_nature n = {.flags = angle ? HOL_NATURE_ANY_ANGLE : 0};
    if (!angle) n.dimension.power[0] = HOL_POWER_ONE;
    n.dimension.power[2] = -HOL_POWER_ONE * level;
    return n;
}

// Components of forces, coordinates of joints, and measures.
static hol_nature leaf_nature(void *user, int i)
{
    const collector *c = user;
    const hol_spec_leaf *l = &c->leaf[i];
    hol_nature n = {.flags = 0};
    hol_measured m;
    int ignored;
    bool angle;
    int level;
    if (coordinate_of(c, l, &angle, &level)) return nature_of(angle, level);
    if (!l->call) return hol_known_nature(c->r->known, l->name);
    if (hol_same_name(l->name, "DIF1"))
        return hol_nature_of_rate(hol_known_nature(c->r->known, l->arg[0]), -1);
    const int reaction = hol_leaf_reaction(l->name, c->r->dimension);
    if (reaction == HOL_REACTION_EFFORT) return (hol_nature){.flags = HOL_NATURE_LOOSE};
    if (reaction >= 0) {
        const bool torque = reaction >= 3 && reaction != 6;
        const int force[] = {torque ? 2 : 1, 1, -2};
        for (int k = 0; k < 3; k++) n.dimension.power[k] = HOL_POWER_ONE * force[k];
        if (torque) n.flags = HOL_NATURE_ANY_ANGLE;
        return n;
    }
    const int contact = hol_leaf_contact(l->name);
    if (contact >= 0) { // N, m, m/s
        static const int powers[][3] = {{1, 1, -2}, {1, 0, 0}, {1, 0, -1}};
        for (int k = 0; k < 3; k++) n.dimension.power[k] = HOL_POWER_ONE * powers[contact][k];
        return n;
    }
    if (!hol_measured_find(l->name, strlen(l->name), c->r->dimension, &m, &ignored))
        return (hol_nature){.flags = HOL_NATURE_LOOSE};
    return nature_of(hol_quantity_is_angle(m.part[m.n_parts - 1].what), hol_measured_level(&m));
}

// The table of a spline that the expression names; else the message with the nearest name.
static const struct hol_table *find_table(void *user, const hol_leaf_text *name)
{
    const collector *c = user;
    const char *wanted;
    if (fill(c, name, &wanted)) return NULL;
    hol_nearest nearest;
    const hol_spline_entry *found = hol_find_spline(c->r->known, name->at, wanted, &nearest);
    if (found) return &found->table;
    hol_fail_at(c->r->ctx, HOL_ERR_MODEL, name->at, "there is no spline \"%s\"%s%s%s", wanted,
                nearest.best ? "; did you mean \"" : "; give its table under \"splines:\"",
                nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
    return NULL;
}

static void each_name(void *user, hol_nearest *nearest)
{
    const collector *c = user;
    for (int i = 0; i < c->r->known->n; i++) hol_nearest_try(nearest, c->r->known->name[i]);
    for (const hol_quantity_name *q = hol_quantity_names; q->name; q++)
        if (q->dimensions == 5 || c->r->dimension == 3) hol_nearest_try(nearest, q->name);
    for (const hol_measured_name *m = hol_measured_names; m->name; m++) hol_nearest_try(nearest, m->name);
}

// Is it made of numbers and plain parameters that events set alone? These are in the units of the file, as constants are.
static bool is_held(const hol_reader *r, const hol_formula *f)
{
    if (hol_expr_uses_time(f->expr)) return false;
    for (int i = 0; i < f->n_leaves; i++) {
        if (f->leaf[i].call || !hol_is_plain_held(hol_known_nature(r->known, f->leaf[i].name))) return false;
    }
    return true;
}

hol_status hol_read_formula(const hol_reader *r, const hol_node *node, const hol_path *path, const char *unit,
                            const hol_formula **out)
{
    hol_formula *f = hol_arena_alloc(r->arena, 1, sizeof *f);
    if (!f) return HOL_ERR_MEMORY;
    *out = f;
    collector c = {.r = r, .path = path, .formula = f};
    const hol_leaves leaves = {find_leaf, find_table, each_name, &c, leaf_nature};
    if (node->kind != HOL_NODE_SCALAR || !*node->text)
        return hol_read_fail(r, node, path, "a number or an expression is wanted");
    f->at = node->at;
    if (node->quoted) f->at.col++;
    hol_status st = hol_expr_parse_leaves(r->ctx, r->arena, node->text, f->at, r->scope,
                                          hol_units_at(r->systems, node->at), &leaves, &f->expr);
    if (st) return st;
    f->leaf = c.leaf;
    const bool constant = hol_expr_is_constant(f->expr) || is_held(r, f);
    return hol_settle_formula(r, node, path, unit, constant, &f->expr);
}

hol_status hol_parse_time(const hol_reader *r, const hol_node *node, const hol_path *path, hol_src at,
                          const hol_expr **out)
{
    collector c = {.r = r, .path = path};
    const hol_leaves tables = {.table = find_table, .user = &c};
    return hol_expr_parse_time(r->ctx, r->arena, node->text, at, r->scope, hol_units_at(r->systems, at),
                               &tables, out);
}
