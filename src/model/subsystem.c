// Subsystems: names from within and from without, and places (docs/theory.md, section 18):
//
//     x = p + R S x_file,    v = R S v_file,    w = R det(S) S w_file,    A = R S A_file S
//
// S the mirror about the file's own origin, p and R its place; of a subsystem within another one p = p_o + R_o S_o p_i,
// R = R_o S_o R_i S_o, S = S_o S_i. Where there is no place and no mirror nothing is computed, so that numbers stay to the last bit.
#include "model/subsystem.h"
#include "model/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_POSITION, PLACE_ANGLE, PLACE_ORIENTATION };
static const hol_option placement_rows[] = {
    {"position", HOL_VECTOR, "m", 0, -HOL_INF, HOL_INF, 0, NULL, "where the origin of the file is put"},
    {"angle", HOL_NUMBER, "rad", 0, -HOL_INF, HOL_INF, HOL_ONLY_2D, NULL, "by which it is turned"},
    {"orientation", HOL_MAP, "", 0, 0, 0, HOL_ONLY_3D, "orientation", "how its axes are turned"},
    HOL_END_OPTIONS};
const hol_object hol_placement_object = {
    .name = "placement", .rows = placement_rows, .text = "`at` of an include is a position, or a map:"};

// ---- names ------------------------------------------------------------------------------------------------------

enum { LONGEST_FULL = 1000 };

const char *hol_full_name(hol_arena *arena, hol_src at, const char *name)
{
    const hol_subsystem *s = hol_subsystem_at(at);
    return s ? hol_arena_print(arena, "%s%s", s->prefix, name) : name;
}

const char *hol_own_name(hol_src at, const char *full)
{
    const hol_subsystem *s = hol_subsystem_at(at);
    return s ? full + strlen(s->prefix) : full;
}

static int find_in(const hol_names *names, const hol_subsystem *s, const char *name, size_t length);

hol_status hol_check_subsystem_name(const hol_reader *r, const hol_node *node, const hol_path *path,
                                    const char *name)
{
    const int twin = find_in(r->subsystems->number, hol_subsystem_at(node->at), name, strlen(name));
    char place[HOL_PLACE];
    if (twin < 0) return HOL_OK;
    return hol_read_fail(r, node, path, "the name \"%s\" is that of an include in %s; rename one of them",
                         name, hol_src_text(r->subsystems->list[twin]->include.at, place));
}

const char *hol_seen_name(hol_src at, const char *full)
{
    const hol_subsystem *s = hol_subsystem_at(at);
    const size_t n = s ? strlen(s->prefix) : 0;
    return s && strncmp(full, s->prefix, n) == 0 ? full + n : full;
}

hol_src hol_outside(hol_src at, const char **name)
{
    while (at.by && strncmp(*name, "../", 3) == 0) {
        at.by = at.by->at.by;
        *name += 3;
    }
    return at;
}

// A name of `length` behind the prefix of a subsystem.
static int find_in(const hol_names *names, const hol_subsystem *s, const char *name, size_t length)
{
    char full[LONGEST_FULL];
    const int n = snprintf(full, sizeof full, "%s%.*s", s ? s->prefix : "", (int)length, name);
    return n < (int)sizeof full ? hol_names_find(names, full) : -1;
}

// Does a file call anything so, an item or an include?
static bool is_known(const hol_subsystems *all, const hol_subsystem *s, const char *word, size_t length)
{
    return find_in(all->number, s, word, length) >= 0 || find_in(all->item, s, word, length) >= 0;
}

int hol_names_find_at(const hol_names *names, hol_src at, const char *name)
{
    if (!at.by) return hol_names_find(names, name);
    at = hol_outside(at, &name);
    const size_t word = strcspn(name, ".");
    for (const hol_subsystem *s = hol_subsystem_at(at);; s = hol_subsystem_outer(s)) {
        const int i = find_in(names, s, name, strlen(name));
        if (i >= 0 || !s) return i;
        if (name[word] && is_known(s->all, s, name, word)) return -1;
    }
}

const char *hol_known_name(const hol_known *known, hol_src at, const char *name)
{
    const int i = hol_names_find_at(known->names, at, name);
    return i < 0 ? NULL : known->name[i];
}

// The subsystem that the first word of a text names, as it is seen from a place; NULL: it names none.
static const hol_subsystem *first_named(const hol_subsystems *all, hol_src at, const char *text)
{
    const size_t n = strcspn(text, ".");
    for (const hol_subsystem *s = hol_subsystem_at(at);; s = hol_subsystem_outer(s)) {
        const int i = find_in(all->number, s, text, n);
        if (i >= 0) return all->list[i];
        if (!s || is_known(all, s, text, n)) return NULL;
    }
}

size_t hol_body_length(const hol_subsystems *all, hol_src at, const char *text)
{
    const char *p = text;
    at = hol_outside(at, &p);
    const hol_subsystem *s = all->n ? first_named(all, at, p) : NULL;
    while (s && p[strcspn(p, ".")] == '.') { // as far as it names subsystems
        p += strcspn(p, ".") + 1;
        const int i = find_in(all->number, s, p, strcspn(p, "."));
        s = i < 0 ? NULL : all->list[i];
    }
    if (strncmp(p, "../", 3) == 0) p += strspn(p, "./"); // further out than there are files
    return (size_t)(p - text) + strcspn(p, ".");
}

// ---- places -----------------------------------------------------------------------------------------------------

hol_mirror hol_mirror_at(hol_src at) { return at.by ? hol_subsystem_at(at)->mirror : 0; }

bool hol_is_within(hol_src at, const hol_subsystem *s)
{
    while (at.by && hol_subsystem_at(at) != s) at.by = at.by->at.by;
    return at.by;
}

hol_mirror hol_mirror_seen(hol_src at, hol_src from)
{
    hol_mirror m = hol_mirror_at(at);
    for (const hol_subsystem *s = hol_subsystem_at(at); s; s = hol_subsystem_outer(s))
        if (s->keep_axes && !hol_is_within(from, s)) m ^= HOL_MIRROR_TURNS;
    return m;
}

static void turn(const hol_subsystem *s, double x[3])
{
    double R[9], y[3];
    if (!s->moved) return;
    hol_quat_matrix(s->quat, R);
    for (int i = 0; i < 3; i++) y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
    memcpy(x, y, sizeof y);
}

void hol_place_vector(hol_src at, double v[3])
{
    if (!at.by) return;
    hol_mirror_point(hol_mirror_at(at), v);
    turn(hol_subsystem_at(at), v);
}

void hol_place_axial(hol_src at, double w[3])
{
    if (!at.by) return;
    hol_mirror_turn(hol_mirror_at(at), w);
    turn(hol_subsystem_at(at), w);
}

void hol_place_point(hol_src at, double x[3])
{
    const hol_subsystem *s = hol_subsystem_at(at);
    hol_place_vector(at, x);
    for (int i = 0; i < 3 && s && s->moved; i++) x[i] += s->position[i];
}

void hol_place_quat(hol_src at, double quat[4])
{
    const hol_subsystem *s = hol_subsystem_at(at);
    if (!s) return;
    hol_mirror_quat(s->mirror, quat);
    if (s->moved) hol_quat_multiply(s->quat, quat, quat);
}

double hol_place_angle(hol_src at, double angle)
{
    const hol_subsystem *s = hol_subsystem_at(at);
    if (!s) return angle;
    angle *= hol_mirror_axial(s->mirror, 2);
    return s->moved ? angle + s->angle : angle;
}

const double *hol_place_axes(hol_src at, bool axial, double axes[9])
{
    const hol_subsystem *s = hol_subsystem_at(at);
    if (!s || !(s->mirror || s->moved)) return NULL;
    for (int k = 0; k < 3; k++) {
        double u[3] = {k == 0, k == 1, k == 2};
        if (axial)
            hol_place_axial(at, u);
        else
            hol_place_vector(at, u);
        for (int i = 0; i < 3; i++) axes[3 * i + k] = u[i];
    }
    return axes;
}

// ---- reading ----------------------------------------------------------------------------------------------------

hol_reader hol_reader_at(const hol_reader *r, hol_src at)
{
    hol_reader own = *r;
    if (at.by) own.scope = hol_subsystem_at(at)->scope;
    return own;
}

// `at:`, a position or a map, in the axes of the file around it.
static hol_status read_placement(const hol_reader *r, const hol_node *node, hol_subsystem *s)
{
    const hol_path include = {NULL, "include", 0, NULL}, path = {&include, "at", 0, NULL},
                   turned = {&path, "orientation", 0, NULL};
    hol_value v[HOL_COUNT(placement_rows)];
    s->moved = true;
    if (node->kind != HOL_NODE_MAP) return hol_read_vector(r, node, &path, "m", s->position);
    hol_status st = hol_read_object(r, &hol_placement_object, NULL, node, &path, v);
    if (st) return st;
    if (v[PLACE_POSITION].given) memcpy(s->position, v[PLACE_POSITION].list, sizeof s->position);
    if (v[PLACE_ORIENTATION].given)
        return hol_read_orientation(r, hol_node_find(node, "orientation"), &turned, s->quat);
    s->angle = v[PLACE_ANGLE].num;
    if (r->dimension == 2) {
        s->quat[0] = cos(s->angle / 2);
        s->quat[3] = sin(s->angle / 2);
    }
    return HOL_OK;
}

// The place within the file around it becomes that in the model.
static void compose(hol_subsystem *s)
{
    const hol_src around = s->include.at;
    const hol_subsystem *outer = hol_subsystem_outer(s);
    if (!outer) return;
    if (s->moved) {
        hol_place_point(around, s->position);
        hol_place_quat(around, s->quat);
        s->angle = hol_place_angle(around, s->angle);
    } else if (outer->moved) {
        memcpy(s->position, outer->position, sizeof s->position);
        memcpy(s->quat, outer->quat, sizeof s->quat);
        s->angle = outer->angle;
    }
    s->moved = s->moved || outer->moved;
    s->mirror ^= outer->mirror;
}

// What a file says for itself alone: a message tells that it does not hold here.
static void tell_ignored(hol_spec *spec, const hol_subsystem *s)
{
    static const char *const keys[] = {"simulate",  "static",       "inverse",
                                       "linearise", "length_scale", "time_scale"};
    for (int i = 0; i < HOL_COUNT(keys); i++)
        for (int k = 0; k < s->root->n; k++)
            if (strcmp(s->root->key[k]->text, keys[i]) == 0)
                hol_note_at(spec->ctx, HOL_NOTICE, s->root->key[k]->at,
                            "%s: this holds where the file runs alone; here that of the model file does",
                            keys[i]);
}

// Gravity of a file is that of the model, or is told.
static hol_status check_gravity(hol_spec *spec, const hol_subsystem *s)
{
    const hol_node *node = hol_node_find(s->root, "gravity");
    const hol_path path = {NULL, "gravity", 0, NULL};
    double g[3], far = 0, size = 0;
    if (!node) return HOL_OK;
    const hol_reader r = hol_reader_at(&spec->reader, node->at);
    hol_status st = hol_read_vector(&r, node, &path, "m/s^2", g);
    if (st) return st;
    hol_place_vector(node->at, g);
    for (int i = 0; i < 3; i++) {
        far = fmax(far, fabs(g[i] - spec->gravity[i]));
        size = fmax(size, fabs(g[i]));
    }
    if (far > 1e-9 * size)
        hol_note_at(spec->ctx, HOL_WARNING, node->at,
                    "gravity: this holds where the file runs alone; the model that includes it has another "
                    "one, which holds here");
    return HOL_OK;
}

// The file against the model: its dimension, and keys that no file has.
static hol_status check_file(hol_spec *spec, const hol_subsystem *s)
{
    const hol_reader *r = &spec->reader;
    const hol_node *node = hol_node_find(s->root, "dimension");
    const hol_path path = {NULL, "dimension", 0, NULL}, include = {NULL, "include", 0, NULL};
    double d = r->dimension;
    hol_status st = hol_check_keys(r, hol_objects[0]->rows, NULL, s->root, NULL);
    if (!st && node) st = hol_read_number(r, node, &path, "", &d);
    if (!st && d != r->dimension)
        return hol_read_fail(r, node, &path, "%.6g, and the model that includes the file has %d dimensions",
                             d, r->dimension);
    const hol_node *mirror = hol_node_find(s->item, "mirror");
    if (!st && mirror && r->dimension == 2 && strcmp(mirror->text, "z") == 0)
        return hol_read_fail(r, mirror, &include, "mirror: z is no direction of the plane: x or y is wanted");
    return st;
}

hol_status hol_check_subsystems(hol_spec *spec)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < spec->subsystems.n && !st; i++) st = check_gravity(spec, spec->subsystems.list[i]);
    return st;
}

// Notes the name of one item of a subsystem.
static hol_status note_item(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            const hol_object *object)
{
    const hol_node *name = hol_node_find(item, "name");
    hol_names *all = spec->subsystems.item;
    const char *own, *full;
    (void)object;
    if (!name || !name->at.by) return HOL_OK;
    hol_status st = hol_read_text(r, name, path, &own);
    if (st) return st;
    if (!(full = hol_full_name(spec->arena, name->at, own))) return HOL_ERR_MEMORY;
    return hol_names_find(all, full) < 0 ? hol_names_add(all, full, 0) : HOL_OK;
}

static bool is_list_of_maps(const hol_node *node)
{
    bool all = node->kind == HOL_NODE_SEQUENCE;
    for (int i = 0; i < node->n && all; i++) all = node->value[i]->kind == HOL_NODE_MAP;
    return all;
}

hol_status hol_note_items(hol_spec *spec, const hol_node *root)
{
    hol_status st = HOL_OK;
    const int items = spec->n_items, empty = spec->n_empty;
    if (!spec->subsystems.n) return HOL_OK;
    if (!(spec->subsystems.item = hol_names_create_in(spec->ctx, spec->arena))) return HOL_ERR_MEMORY;
    for (int k = 0; k < root->n && !st; k++) {
        const hol_path path = {NULL, root->key[k]->text, 0, NULL};
        if (is_list_of_maps(root->value[k])) st = hol_read_list(spec, root->value[k], &path, note_item, NULL);
    }
    spec->n_items = items; // they are yet to be read
    spec->n_empty = empty;
    return st;
}

hol_reader hol_reader_of_include(const hol_reader *r, const hol_subsystem *s, hol_src at)
{
    hol_reader out = hol_reader_at(r, at);
    if (!s->n_loops) return out;
    s->loop[0].outer = out.scope;
    out.scope = &s->loop[s->n_loops - 1];
    return out;
}

hol_status hol_read_subsystems(hol_spec *spec)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < spec->subsystems.n && !st; i++) {
        hol_subsystem *s = spec->subsystems.list[i];
        const hol_node *at = hol_node_find(s->item, "at");
        const hol_reader outer = hol_reader_of_include(&spec->reader, s, s->item->at);
        st = check_file(spec, s);
        if (!st && at) st = read_placement(&outer, at, s);
        if (st) return st;
        compose(s);
        tell_ignored(spec, s);
        st =
            hol_read_parameters(spec, s, hol_node_find(s->root, "parameters"), hol_node_find(s->item, "set"));
    }
    return st;
}
