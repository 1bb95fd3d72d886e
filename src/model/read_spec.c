// The top level of a model file: parameters, gravity, and the lists with their `for:` loops.
#include "base/archive.h"
#include "base/file.h"
#include "expr/spline.h"
#include "model/read.h"
#include "model/code.h"
#include "model/loops.h"
#include "model/subsystem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const hol_option model_rows[] = {
    {"title", HOL_TEXT, "", 0, 0, 0, 0, NULL, "what the model is"},
    {"dimension", HOL_INTEGER, "", 3, 2, 3, HOL_REQUIRED | HOL_PLAIN, NULL, "2 or 3"},
    {"gravity", HOL_VECTOR, "m/s^2", 0, -HOL_INF, HOL_INF, 0, NULL,
     "acceleration of gravity, one number per dimension; default: none"},
    {"units", HOL_MAP, "", 0, 0, 0, 0, "units",
     "units of plain numbers in this file; absent: those of the file that includes it, or m, kg, s, rad, N"},
    {"length_scale", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "natural length for tolerances; default: largest distance of two markers of a body"},
    {"time_scale", HOL_NUMBER, "s", 1, 0, HOL_INF, HOL_ABOVE, NULL, "natural time for tolerances"},
    {"parameters", HOL_PAIRS, "", 0, 0, 0, 0, "parameters",
     "named numbers, may be overridden: --set parameters.N=40"},
    {"include", HOL_INCLUDES, "", 0, 0, 0, HOL_MAY_BE_EMPTY | HOL_FILE, "include",
     "other model files whose content comes first, or subsystems; the plain numbers of each are in its own "
     "units"},
    {"ground", HOL_MAP, "", 0, 0, 0, 0, "ground",
     "markers on ground, fixed or with prescribed motion, and what is drawn of it"},
    {"bodies", HOL_LIST, "", 0, 0, 0, HOL_REQUIRED, "body", "list of bodies"},
    {"pose", HOL_MAP, "", 0, 0, 0, 0, "pose", "where bodies begin, if not as they are drawn"},
    {"turns", HOL_MAP, "", 0, 0, 0, 0, "start_turns",
     "where angles in space begin, of which a pose leaves full turns open"},
    {"joints", HOL_LIST, "", 0, 0, 0, 0, "joint", "list of joints"},
    {"drivers", HOL_LIST, "", 0, 0, 0, 0, "driver",
     "list of drivers: joint coordinates or distances as functions of time"},
    {"constraints", HOL_LIST, "", 0, 0, 0, 0, "constraint", "list of constraints given by expressions"},
    {"forces", HOL_LIST, "", 0, 0, 0, 0, "force", "list of forces"},
    {"materials", HOL_LIST, "", 0, 0, 0, 0, "material", "list of materials of shapes, for contacts"},
    {"contacts", HOL_LIST, "", 0, 0, 0, 0, "contact", "list of contacts between shapes"},
    {"variables", HOL_LIST, "", 0, 0, 0, 0, "variable", "list of named expressions"},
    {"states", HOL_LIST, "", 0, 0, 0, 0, "state", "list of differential equations x' = expression"},
    {"transfer_functions", HOL_LIST, "", 0, 0, 0, 0, "transfer_function",
     "list of linear blocks given by two polynomials in s"},
    {"state_spaces", HOL_LIST, "", 0, 0, 0, 0, "state_space", "list of linear blocks given by matrices"},
    {"splines", HOL_LIST, "", 0, 0, 0, 0, "spline", "list of functions given by tables"},
    {"code", HOL_LIST, "", 0, 0, 0, 0, "function", "list of functions from shared objects"},
    {"inputs", HOL_LIST, "", 0, 0, 0, 0, "input", "list of numbers that a program sets while it runs"},
    {"tunable", HOL_TEXTS, "", 0, 0, 0, HOL_MAY_BE_EMPTY, NULL,
     "parameters that a program may set while it runs: expressions of forces, variables, states and events "
     "use them; "
     "where a constant is wanted, as for masses, lengths and stiffnesses of springs, they cannot stand then"},
    {"events", HOL_LIST, "", 0, 0, 0, 0, "event", "list of what happens at certain moments"},
    {"assemble", HOL_MAP, "", 0, 0, 0, 0, "assemble", "how the joints are closed at the start"},
    {"simulate", HOL_MAP, "", 0, 0, 0, 0, "simulate", "what `holonom run` does by default"},
    {"static", HOL_MAP, "", 0, 0, 0, 0, "static", "what `holonom static` does by default"},
    {"inverse", HOL_MAP, "", 0, 0, 0, 0, "inverse", "what `holonom inverse` does by default"},
    {"plots", HOL_LIST, "", 0, 0, 0, 0, "plot",
     "list of pictures of signals over another one, for the report"},
    {"linearise", HOL_MAP, "", 0, 0, 0, 0, "linearise",
     "inputs, outputs and coordinates of `holonom linearise` and `holonom modes --coordinates`"},
    HOL_END_OPTIONS};
const hol_object hol_model_object = {.name = "model", .rows = model_rows};

// A slip of the pen must not fill the memory.
enum { MOST_OF_ALL = 4000000 }; // of a model; of one loop HOL_LOOP_MOST

// ---- for ------------------------------------------------------------------------------------------------------

typedef struct {
    hol_spec *spec;
    const hol_node *item, *loops; // loops: the list of "i in a..b" texts, or one text
    const hol_path *path;
    hol_item_fn *each;
    const hol_object *object;
} expansion;

static int most_of_all(const hol_reader *r)
{
    const int given = hol_context_most_items(r->ctx);
    return given ? given : MOST_OF_ALL;
}

// Refuses so many items more, or turns of a loop.
static hol_status refuse_more(const hol_spec *spec, const hol_reader *r, const hol_node *node,
                              const hol_path *path, double more)
{
    const int most = most_of_all(r);
    if (spec->n_items + more <= most) return HOL_OK;
    return hol_read_fail(r, node, path, "the model has more than %d bodies, joints, drivers and forces",
                         most);
}

static hol_status one_item(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                           hol_item_fn *each, const hol_object *object)
{
    hol_status st = refuse_more(spec, r, item, path, 1);
    spec->n_items++;
    spec->n_read++;
    return st ? st : each(spec, r, item, path, object);
}

// Runs through the loops from the outermost inwards and reads the item at each combination of the indices.
static hol_status expand(const expansion *x, const hol_reader *r, int depth)
{
    const int loops = x->loops->kind == HOL_NODE_SEQUENCE ? x->loops->n : 1;
    if (depth == loops) return one_item(x->spec, r, x->item, x->path, x->each, x->object);
    const hol_node *node = x->loops->kind == HOL_NODE_SEQUENCE ? x->loops->value[depth] : x->loops;
    const hol_path at = {x->path, "for", 0, NULL};
    hol_loop_index index;
    double lo = 0, hi = -1;
    hol_status st = hol_loop_parse(r, node, &at, &index, &lo, &hi);
    if (!st && hi >= lo) st = refuse_more(x->spec, r, node, &at, hi - lo + 1);
    const hol_scope scope = hol_loop_scope(r->scope, &index);
    hol_reader inner = *r;
    inner.scope = &scope;
    for (double i = lo; !st && i <= hi; i++) {
        const long long before = x->spec->n_read;
        index.value = i;
        st = expand(x, &inner, depth + 1);
        // Turns that make nothing count by themselves, or loops around an empty one would go on for ever.
        if (!st && x->spec->n_read == before && x->spec->n_empty++ >= most_of_all(r))
            st = hol_read_fail(r, node, &at, "more than %d turns of loops make nothing", most_of_all(r));
    }
    return st;
}

hol_status hol_read_list(hol_spec *spec, const hol_node *node, const hol_path *path, hol_item_fn *each,
                         const hol_object *object)
{
    hol_reader reader = spec->reader, *r = &reader;
    int first = 0; // of the file that the item is of
    if (node->kind != HOL_NODE_SEQUENCE)
        return hol_read_fail(r, node, path, "a list (lines starting with -) is wanted");
    for (int i = 0; i < node->n; i++) {
        const hol_node *item = node->value[i];
        const hol_node *name = item->kind == HOL_NODE_MAP ? hol_node_find(item, "name") : NULL;
        if (i == 0 || item->at.by != node->value[i - 1]->at.by) {
            reader = hol_reader_at(&spec->reader, item->at);
            if (item->at.by || i) first = i;
        }
        const hol_path at = {path, NULL, i - first,
                             name && name->kind == HOL_NODE_SCALAR ? name->text : NULL};
        if (item->kind != HOL_NODE_MAP)
            return hol_read_fail(r, item, &at, "a map of keys and values is wanted");
        const hol_node *loops = hol_node_find(item, "for");
        const expansion x = {spec, item, loops, &at, each, object};
        hol_status st = loops ? expand(&x, r, 0) : one_item(spec, r, item, &at, each, object);
        if (st) return st;
    }
    return HOL_OK;
}

const char *const hol_names_taken[] = {"ground",      "all",       "energy",  "violation", "step", "poses",
                                       "coordinates", "omega_max", "inverse", NULL}; // words of signals

bool hol_name_is_taken(const char *name)
{
    for (int i = 0; hol_names_taken[i]; i++)
        if (strcmp(name, hol_names_taken[i]) == 0) return true;
    return false;
}

hol_status hol_read_name(const hol_reader *r, const hol_node *item, const hol_path *path, const char **out,
                         hol_src *at)
{
    const hol_node *name = hol_node_find(item, "name");
    if (!name) return hol_read_fail(r, item, path, "\"name\" is missing");
    *at = name->at;
    const char *own;
    hol_status st = hol_read_text(r, name, path, &own);
    if (st) return st;
    if (hol_name_is_taken(own))
        return hol_read_fail(r, name, path, "the name \"%s\" is taken; choose another", own);
    st = hol_check_name(r, name, path, own);
    if (!st && r->subsystems->n && !(st = hol_check_subsystem_name(r, name, path, own)))
        *out = hol_full_name(r->arena, name->at, own);
    else
        *out = own;
    return st || *out ? st : HOL_ERR_MEMORY;
}

// ---- the file -------------------------------------------------------------------------------------------------

enum {
    TITLE,
    DIMENSION,
    GRAVITY,
    UNITS,
    LENGTH_SCALE,
    TIME_SCALE,
    PARAMETERS,
    INCLUDE,
    GROUND,
    BODIES,
    POSE,
    TURNS,
    JOINTS,
    DRIVERS,
    CONSTRAINTS,
    FORCES,
    MATERIALS,
    CONTACTS,
    VARIABLES,
    STATES,
    TRANSFER_FUNCTIONS,
    STATE_SPACES,
    SPLINES,
    CODE,
    INPUTS,
    TUNABLE,
    EVENTS,
    ASSEMBLE,
    SIMULATE,
    STATIC,
    INVERSE,
    PLOTS,
    LINEARISE,
    N_KEYS
};

static const hol_option ground_rows[] = {
    {"markers", HOL_PAIRS, "", 0, 0, 0, 0, "ground_markers", "markers on ground"},
    {"shape", HOL_SHAPES, "", 0, 0, 0, 0, "ground_shape",
     "what is drawn of ground: a shape, a list of shapes, or none"},
    HOL_END_OPTIONS};
const hol_object hol_ground_object = {.name = "ground", .rows = ground_rows};

// Behind those of files before.
static hol_status add_ground_markers(hol_spec *spec, const hol_reader *r, const hol_node *map,
                                     const hol_path *path)
{
    const hol_spec_marker *own = NULL;
    int n = 0;
    hol_status st = hol_read_markers(r, map, path, true, &n, &own);
    hol_spec_marker *all = hol_arena_alloc(spec->arena, (size_t)(spec->n_ground + n) + 1, sizeof *all);
    if (st || !all) return st ? st : HOL_ERR_MEMORY;
    if (spec->n_ground) memcpy(all, spec->ground, (size_t)spec->n_ground * sizeof *all);
    if (n) memcpy(all + spec->n_ground, own, (size_t)n * sizeof *all);
    spec->ground = all;
    spec->n_ground += n;
    return HOL_OK;
}

// Markers and shapes of ground, of one file.
static hol_status read_ground(hol_spec *spec, const hol_node *node)
{
    const hol_reader reader = hol_reader_at(&spec->reader, node->at), *r = &reader;
    const hol_path path = {NULL, "ground", 0, NULL}, markers = {&path, "markers", 0, NULL};
    hol_value v[2];
    hol_status st = hol_read_options(r, ground_rows, NULL, node, &path, v);
    if (st) return st;
    const hol_node *map = hol_node_find(node, "markers"), *shape = hol_node_find(node, "shape");
    if (map) st = add_ground_markers(spec, r, map, &markers);
    return st || !shape ? st : hol_read_shape(spec, r, shape, &path, -1);
}

hol_status hol_read_lists(hol_spec *spec, const hol_node *root, bool know)
{
    for (const hol_option *o = model_rows; o->key; o++) {
        const hol_object *object = o->kind == HOL_LIST ? hol_object_find(o->choices) : NULL;
        hol_item_fn *const each = !object ? NULL : know ? object->know : object->read;
        const hol_node *node = each ? hol_node_find(root, o->key) : NULL;
        const hol_path path = {NULL, o->key, 0, NULL};
        hol_status st = node ? hol_read_list(spec, node, &path, each, object) : HOL_OK;
        if (st) return st;
    }
    return HOL_OK;
}

// One line: it stands in comment lines of results. A block of YAML (title: |) ends in a line end, which is left away.
static hol_status read_title(hol_spec *spec, const hol_node *node, const char *text)
{
    const hol_path path = {NULL, "title", 0, NULL};
    const size_t n = strcspn(text, "\r\n");
    if (text[n + strspn(text + n, "\r\n")])
        return hol_read_fail(&spec->reader, node, &path, "a title is one line");
    spec->title = hol_arena_copy(spec->arena, text, n);
    return spec->title ? HOL_OK : HOL_ERR_MEMORY;
}

// What each file says for itself under a key, outer files first.
static hol_status read_each_file(hol_spec *spec, const hol_node *root, const char *key,
                                 hol_status (*read)(hol_spec *spec, const hol_node *node))
{
    const hol_subsystems *all = &spec->subsystems; // outer ones first
    hol_status st = HOL_OK;
    for (int i = 0; i <= all->n && !st; i++) {
        const hol_node *node = hol_node_find(i ? all->list[i - 1]->root : root, key);
        if (node) st = read(spec, node);
    }
    return st;
}

// The model file as a whole; the order is that in which one part needs the others.
static hol_status read_root(hol_spec *spec, const hol_node *root)
{
    hol_reader *r = &spec->reader;
    hol_value v[N_KEYS];
    if (root->kind != HOL_NODE_MAP)
        return hol_read_fail(r, root, NULL, "a model file is a map: dimension: .., bodies: .., joints: ..");
    // dimension, units and parameters first: everything else depends on them
    const hol_node *node = hol_node_find(root, "dimension");
    const hol_path dimension = {NULL, "dimension", 0, NULL}, bodies = {NULL, "bodies", 0, NULL};
    hol_status st = HOL_OK;
    double d = 3;
    if (node) st = hol_read_number(r, node, &dimension, "", &d);
    if (!st && node && d != 2 && d != 3) st = hol_read_fail(r, node, &dimension, "%.6g, must be 2 or 3", d);
    r->dimension = d == 2 ? 2 : 3;
    if (!st && (node = hol_node_find(root, "units"))) st = hol_read_units(r, node, &spec->systems.system[0]);
    hol_units_compare(&spec->systems);
    if (!st && (node = hol_node_find(root, "parameters"))) st = hol_read_parameters(spec, NULL, node, NULL);
    if (!st) st = hol_read_subsystems(spec);
    if (!st) st = hol_note_items(spec, root);
    if (!st) st = hol_check_keys(r, model_rows, NULL, root, NULL);
    if (!st) st = hol_read_known(spec, root);
    if (!st) st = hol_read_object(r, &hol_model_object, NULL, root, NULL, v);
    if (st) return st;
    if (v[TITLE].given) st = read_title(spec, hol_node_find(root, "title"), v[TITLE].text);
    spec->length_scale = v[LENGTH_SCALE].given ? v[LENGTH_SCALE].num : 0;
    spec->time_scale = v[TIME_SCALE].num;
    spec->gravity_given = v[GRAVITY].given;
    if (v[GRAVITY].given) {
        memcpy(spec->gravity, v[GRAVITY].list, sizeof spec->gravity);
        hol_units_doubt_gravity(spec, hol_node_find(root, "gravity"));
    }
    if (!st) st = hol_check_subsystems(spec);
    if (!st) st = read_each_file(spec, root, "ground", read_ground);
    spec->simulate = hol_node_find(root, "simulate");
    if (!st) st = hol_read_lists(spec, root, false);
    if (!st) st = read_each_file(spec, root, "assemble", hol_read_assemble);
    if (!st && spec->n_bodies == 0)
        st = hol_read_fail(r, hol_node_find(root, "bodies"), &bodies, "there is no body");
    if (!st && v[LINEARISE].given) st = hol_read_linearise(spec, hol_node_find(root, "linearise"));
    if (!st && v[STATIC].given) st = hol_read_static(spec, hol_node_find(root, "static"));
    if (!st && v[INVERSE].given) st = hol_read_inverse(spec, hol_node_find(root, "inverse"));
    if (!st) st = read_each_file(spec, root, "pose", hol_read_pose);
    if (!st) st = read_each_file(spec, root, "turns", hol_read_turns);
    if (!st) hol_units_tell(spec, root);
    return st;
}

hol_spec *hol_spec_start(hol_context *ctx, const char *name)
{
    hol_arena *arena = hol_arena_create(ctx);
    hol_spec *spec = arena ? hol_arena_alloc(arena, 1, sizeof *spec) : NULL;
    if (!spec) {
        hol_arena_destroy(arena);
        return NULL;
    }
    spec->ctx = ctx;
    hol_note_anew(ctx);
    spec->arena = arena;
    spec->hot = hol_arena_create(ctx);
    spec->draft = hol_arena_create(ctx);
    spec->body_draft = hol_arena_create(ctx);
    spec->file = hol_arena_print(arena, "%s", name);
    if (!spec->file || !spec->hot || !spec->draft || !spec->body_draft) {
        hol_spec_destroy(spec);
        return NULL;
    }
    spec->is_file = true;
    spec->reader.ctx = ctx;
    spec->reader.arena = spec->reader.draft = arena;
    spec->systems.n = 1;
    spec->systems.system[0] = (hol_system){.units = {1, 1, 1, 1, 1, 0}, .si = true};
    spec->reader.systems = &spec->systems;
    spec->reader.bare = &spec->bare;
    spec->reader.subsystems = &spec->subsystems;
    return spec;
}

static hol_status keep_overrides(hol_spec *spec, const char *const *overrides, int n)
{
    spec->n_overrides = n;
    spec->override = hol_arena_alloc(spec->arena, (size_t)n, sizeof *spec->override);
    for (int i = 0; i < n && spec->override; i++) {
        spec->override[i] = hol_arena_copy(spec->arena, overrides[i], strlen(overrides[i]));
        if (!spec->override[i]) return HOL_ERR_MEMORY;
    }
    return spec->override ? HOL_OK : HOL_ERR_MEMORY;
}

// What is done with the model, and how it is shown.
static bool says_nothing_of_the_model(const char *key)
{
    static const char *const keys[] = {"simulate", "static", "inverse", "linearise",
                                       "title",    "plots",  "units"};
    bool found = false;
    for (int i = 0; i < HOL_COUNT(keys); i++) found = found || strcmp(key, keys[i]) == 0;
    return found;
}

// Two models of one hash say the same: a checkpoint of one serves the other. The order of the keys of a map says nothing, nor does
// a value that would hold without it. How the model is run is not said here, and how bodies are drawn only with `shapes`; what a run
// has in common with the one it goes on from, io/checkpoint.c compares. section: the key of the file that holds this node or its
// list; NULL: the file. false: the node says nothing.
static bool hash_tree(const hol_systems *s, const hol_node *node, const char *section, bool shapes,
                      unsigned long long *hash)
{
    const int system = hol_system_at(s, node->at);
    const bool map = node->kind == HOL_NODE_MAP, list = node->kind == HOL_NODE_SEQUENCE;
    bool any = !map && !list;
    unsigned long long pairs = 0;
    if (node->says == HOL_SAYS_DEFAULT) return false;
    *hash = hol_hash(HOL_HASH_START, node->text, strlen(node->text) + 1);
    if (system && any) *hash = hol_hash(*hash, &s->system[system].units, 5 * sizeof(double));
    for (int i = 0; i < node->n; i++) {
        const char *key = map ? node->key[i]->text : "";
        const bool drawn = !shapes && section && strcmp(key, "shape") == 0 &&
                           (strcmp(section, "bodies") == 0 || strcmp(section, "ground") == 0);
        const bool run = !section && says_nothing_of_the_model(key);
        unsigned long long value = 0;
        if (drawn || run ||
            (!hash_tree(s, node->value[i],
                        list      ? section
                        : section ? ""
                                  : key,
                        shapes, &value) &&
             map))
            continue;
        any = true;
        const unsigned long long pair =
            hol_hash(hol_hash(HOL_HASH_START, key, strlen(key) + 1), &value, sizeof value);
        if (map)
            pairs += pair; // whatever their order
        else
            *hash = hol_hash(*hash, &pair, sizeof pair);
    }
    *hash = hol_hash(*hash, &pairs, sizeof pairs);
    return any;
}

// How a subsystem is included, and what of its file is not in the lists of the model.
static unsigned long long hash_subsystem(const hol_spec *spec, const hol_subsystem *s, bool shapes,
                                         unsigned long long hash)
{
    static const char *const said[] = {"at", "mirror", "keep_axes",
                                       "set"}; // the name of the file says nothing
    static const char *const kept[] = {"parameters", "ground", "tunable", "pose", "turns", "assemble"};
    hash = hol_hash(hash, s->include.name, strlen(s->include.name) + 1);
    for (int i = 0; i < HOL_COUNT(said) + HOL_COUNT(kept); i++) {
        const bool of_include = i < HOL_COUNT(said);
        const char *key = of_include ? said[i] : kept[i - HOL_COUNT(said)];
        const hol_node *node = hol_node_find(of_include ? s->item : s->root, key);
        unsigned long long part = 0;
        if (!node || !hash_tree(&spec->systems, node, key, shapes, &part)) continue;
        hash = hol_hash(hol_hash(hash, key, strlen(key) + 1), &part, sizeof part);
    }
    return hash;
}

// Of all that the file and the overrides say, of the units of its numbers, of the tables it names, and of masses that follow from
// shapes.
static unsigned long long hash_model(const hol_spec *spec, const hol_node *root, bool shapes)
{
    unsigned long long hash = 0;
    hash_tree(&spec->systems, root, NULL, shapes, &hash);
    for (int i = 0; i < spec->subsystems.n; i++)
        hash = hash_subsystem(spec, spec->subsystems.list[i], shapes, hash);
    hash = hol_hash(hash, &spec->systems.system[0].units, 5 * sizeof(double));
    for (int i = 0; i < spec->known.n_splines; i++) {
        const double *x, *y;
        const int n = hol_spline_nodes(spec->known.spline[i].table.spline, &x, &y);
        hash = hol_hash(hash, x, (size_t)n * sizeof *x);
        hash = hol_hash(hash, y, (size_t)n * sizeof *y);
    }
    for (int i = 0; i < spec->n_masses; i++) hash = hol_hash(hash, spec->mass[i].is, sizeof spec->mass[i].is);
    return hash;
}

hol_status hol_spec_note_file(hol_spec *spec, const char *path)
{
    const char *own = hol_arena_copy(spec->arena, path, strlen(path));
    if (!own || !HOL_ARENA_GROW(spec->arena, spec->read_from, spec->n_files)) return HOL_ERR_MEMORY;
    spec->read_from[spec->n_files++] = own;
    return HOL_OK;
}

const char *hol_file_beside(const hol_spec *spec, hol_src at, const char *name)
{
    const bool set = !at.file || strncmp(at.file, "--set ", 6) == 0;
    const char *file = set ? spec->file : at.file, *slash = strrchr(file, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - file) + 1 : 0;
    return hol_arena_print(spec->arena, "%.*s%s", folder, file, name);
}

const char *hol_spec_reads(const hol_spec *spec, const char *path)
{
    for (int i = 0; i < spec->n_files; i++)
        if (hol_same_place(spec->read_from[i], path)) return spec->read_from[i];
    for (int i = 0; i < spec->n_shapes; i++)
        if (spec->shape[i].kind == HOL_SHAPE_MESH && hol_same_place(spec->shape[i].file, path))
            return spec->shape[i].file;
    return NULL;
}

// Includes and --set applied to the tree, then the reading of it; on failure the spec is freed. once: of the overrides, none twice.
static hol_spec *finish(hol_spec *spec, hol_status st, hol_node *root, const char *const *overrides, int n,
                        bool once)
{
    hol_context *ctx = spec->ctx;
    if (!st && spec->is_file && strcmp(spec->file, "-") != 0) st = hol_spec_note_file(spec, spec->file);
    if (!st && root->kind == HOL_NODE_MAP) st = hol_tree_include(spec, spec->file, root);
    for (int i = 0; i < n && !st && root->kind == HOL_NODE_MAP; i++)
        st = hol_tree_override(ctx, spec->arena, &spec->systems, &spec->subsystems, root, overrides[i], once);
    if (!st) st = keep_overrides(spec, overrides, n);
    if (!st) st = read_root(spec, root);
    if (!st) spec->hash = hash_model(spec, root, spec->n_contacts > 0);
    if (!st) spec->drawn = hash_model(spec, root, true);
    if (!st) return spec;
    hol_spec_destroy(spec);
    return NULL;
}

// Results name their model in a line.
static hol_status need_one_line(hol_context *ctx, const char *name)
{
    const int length = (int)strcspn(name, "\n\r");
    return !name[length]
               ? HOL_OK
               : hol_fail(ctx, HOL_ERR_USAGE,
                          "a line ends in the name of the model, behind \"%.*s\": give it another one",
                          length, name);
}

hol_spec *hol_spec_read_file(hol_context *ctx, const char *path, const char *const *overrides, int n)
{
    hol_node *root = NULL;
    if (need_one_line(ctx, path)) return NULL;
    hol_spec *spec = hol_spec_start(ctx, path);
    if (!spec) return NULL;
    const hol_status st = hol_tree_read(ctx, spec->arena, path, &root);
    return finish(spec, st, root, overrides, n, true);
}

hol_spec *hol_spec_read_text(hol_context *ctx, const char *name, const char *text, size_t length,
                             const char *const *overrides, int n)
{
    hol_node *root = NULL;
    if (need_one_line(ctx, name)) return NULL;
    hol_spec *spec = hol_spec_start(ctx, name);
    if (!spec) return NULL;
    hol_status st = hol_tree_parse(ctx, spec->arena, name, text, length, &root);
    if (!st && !(spec->text = hol_arena_copy(spec->arena, text, length))) st = HOL_ERR_MEMORY;
    return finish(spec, st, root, overrides, n, true);
}

hol_spec *hol_spec_read_tree(hol_context *ctx, const char *name, bool is_file, const hol_node *tree,
                             const char *text)
{
    hol_spec *spec = need_one_line(ctx, name) ? NULL : hol_spec_start(ctx, name);
    if (!spec) return NULL;
    hol_status st = HOL_OK;
    const char *file = hol_arena_copy(spec->arena, tree->at.file, strlen(tree->at.file));
    hol_node *root = file ? hol_node_copy(ctx, spec->arena, tree, file, "") : NULL;
    spec->is_file = is_file;
    if (text) spec->text = hol_arena_copy(spec->arena, text, strlen(text));
    if (!root || (text && !spec->text)) st = HOL_ERR_MEMORY;
    return finish(spec, st, root, NULL, 0, true);
}

// Values of parameters that are fixed, those of the spec before first, so that new ones win.
static hol_status fix(hol_spec *spec, const hol_spec *old, const hol_fixed *fixed, int n)
{
    hol_fixed *all = hol_arena_alloc(spec->arena, (size_t)(old->n_fixed + n) + 1, sizeof *all);
    if (!all) return HOL_ERR_MEMORY;
    for (int i = 0; i < old->n_fixed + n; i++) {
        const hol_fixed *from = i < old->n_fixed ? &old->fixed[i] : &fixed[i - old->n_fixed];
        hol_nature *nature = from->nature ? hol_arena_alloc(spec->arena, 1, sizeof *nature) : NULL;
        if (nature) *nature = *from->nature;
        all[i] =
            (hol_fixed){hol_arena_copy(spec->arena, from->name, strlen(from->name)), from->value, nature};
        if (!all[i].name || (from->nature && !nature)) return HOL_ERR_MEMORY;
    }
    spec->fixed = all;
    spec->n_fixed = old->n_fixed + n;
    return HOL_OK;
}

hol_spec *hol_spec_read_again(const hol_spec *old, const hol_fixed *fixed, int n_fixed, const char *more)
{
    hol_node *root = NULL;
    hol_context *ctx = old->ctx;
    if (!old->text && (!old->is_file || strcmp(old->file, "-") == 0)) {
        hol_fail(ctx, HOL_ERR_USAGE,
                 "%s: a model that is no file cannot be read again with another value: write it "
                 "into a file",
                 old->file);
        return NULL;
    }
    hol_spec *spec = hol_spec_start(ctx, old->file);
    if (!spec) return NULL;
    spec->is_file = old->is_file;
    hol_context_mute(ctx, true);
    hol_status st = fix(spec, old, fixed, n_fixed);
    if (!st)
        st = old->text ? hol_tree_parse(ctx, spec->arena, old->file, old->text, strlen(old->text), &root)
                       : hol_tree_read(ctx, spec->arena, old->file, &root);
    if (!st && old->text && !(spec->text = hol_arena_copy(spec->arena, old->text, strlen(old->text))))
        st = HOL_ERR_MEMORY;
    const int n = old->n_overrides;
    const char **all = hol_arena_alloc(spec->arena, (size_t)n + 1, sizeof *all);
    if (!st && !all) st = HOL_ERR_MEMORY;
    if (all && n) memcpy(all, old->override, (size_t)n * sizeof *all);
    if (all) all[n] = more;
    spec = finish(spec, st, root, all, n + (more != NULL), false);
    hol_context_mute(ctx, false);
    return spec;
}

void hol_spec_destroy(hol_spec *spec)
{
    if (!spec) return;
    for (int i = 0; i < spec->n_codes; i++) hol_code_destroy(spec->code[i].code);
    hol_arena_destroy(spec->draft);
    hol_arena_destroy(spec->body_draft);
    hol_arena_destroy(spec->hot);
    hol_arena_destroy(spec->arena);
}
