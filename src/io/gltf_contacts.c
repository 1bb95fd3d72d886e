// Contacts in an export as glTF: where shapes touch a disc along the normal, in the colour of its state, and an arrow along the force on the
// round shape. What is not there has the size 0. Each contact has the nodes
//
//     place (moves) -+- normal (turns) -+- disc (size)             of the state that sticks, or has no friction
//                    |                  +- disc (size)             of the state that slides, where there is friction
//                    +- arrow (turns, size)
#include "element/contact.h"
#include "io/gltf_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// As in the report page (viewer/src/contacts.js, arrows.js), in typical lengths.
#define RADIUS 0.16
#define THICK 0.02
#define SLIDES 0.9 // of the friction of sliding
#define LENGTH 0.8
#define WIDTH 0.05

enum { SMOOTH = 0x0072b2, STICKS = 0x009e73, SLIDING = 0xd55e00, FORCE = 0xd55e00 };
enum { PLACE, NORMAL, ARROW, DISC, SLIDING_DISC, NODES }; // of a contact
enum { MOST_BYTES = 20000000 };                           // of the motion of contacts
enum { F, P, N = P + 3, T = N + 3, COLUMNS = T + 3 };     // columns of the result

struct hol_gltf_contact {
    const char *name;
    int column[COLUMNS]; // -1: the plane has none
    double coefficient;  // of friction
    int disc[2], arrow;  // meshes
};

// Tracks of a contact: the node and what of it moves.
static const struct {
    int node;
    const char *path;
    int numbers;
} tracks[] = {{PLACE, "translation", 3}, {NORMAL, "rotation", 4}, {ARROW, "rotation", 4},
              {ARROW, "scale", 3},       {DISC, "scale", 3},      {SLIDING_DISC, "scale", 3}};
enum { TRACKS = HOL_COUNT(tracks) };

// ---- what is shown ----------------------------------------------------------------------------------------------

static double value(const hol_gltf *g, const struct hol_gltf_contact *c, int column, int k)
{
    const hol_result *r = g->result;
    return c->column[column] < 0
               ? 0
               : r->value[(size_t)g->row[k] * (size_t)r->n_columns + (size_t)c->column[column]];
}

static void vector(const hol_gltf *g, const struct hol_gltf_contact *c, int first, int k, double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = value(g, c, first + i, k);
}

// The row of the result of each frame: poses may have left some out.
static hol_status find_rows(hol_gltf *g)
{
    const hol_result *r = g->result;
    g->row = hol_calloc(g->ctx, (size_t)g->n_frames + 1, sizeof *g->row);
    if (!g->row) return HOL_ERR_MEMORY;
    for (int k = 0, i = 0; k < g->n_frames; k++) {
        const double t = g->poses.pose.time[g->frame[k]];
        while (i + 1 < (int)r->n_rows && r->value[(size_t)i * (size_t)r->n_columns] < t) i++;
        g->row[k] = i;
    }
    return HOL_OK;
}

// The columns of a contact; false: the result lacks some, or nothing touches in it.
static bool find_columns(const hol_gltf *g, const hol_names *names, struct hol_gltf_contact *c)
{
    static const char *const column[COLUMNS] = {"F",  "px", "py",         "pz",         "nx",
                                                "ny", "nz", "friction.x", "friction.y", "friction.z"};
    char name[300];
    bool all = true, touches = false;
    for (int i = 0; i < COLUMNS; i++) {
        snprintf(name, sizeof name, "%s.%s", c->name, column[i]);
        c->column[i] = hol_names_find(names, name);
        const bool third = i > F && (i - P) % 3 == 2;
        all = all && (c->column[i] >= 0 || (third && g->m->dimension == 2));
    }
    for (int k = 0; k < g->n_frames && all && !touches; k++) touches = value(g, c, F, k) > 0;
    return touches;
}

static bool slides(const struct hol_gltf_contact *c) { return c->coefficient > 0; }

static int numbers_of(const struct hol_gltf_contact *c)
{
    int n = 0;
    for (int i = 0; i < TRACKS; i++)
        n += tracks[i].node == SLIDING_DISC && !slides(c) ? 0 : tracks[i].numbers;
    return n;
}

static size_t bytes_of(const hol_gltf *g, const struct hol_gltf_contact *c)
{
    return (size_t)g->n_frames * (size_t)numbers_of(c) * sizeof(float);
}

size_t hol_gltf_contact_bytes(const hol_gltf *g)
{
    size_t n = 0;
    for (int i = 0; i < g->n_contacts; i++) n += bytes_of(g, &g->contact[i]);
    return n;
}

// Meshes, of which those alike are one.
static hol_status add_meshes(hol_gltf *g, struct hol_gltf_contact *c)
{
    c->disc[0] = hol_gltf_plain(g, HOL_SOLID_CYLINDER, slides(c) ? STICKS : SMOOTH);
    c->disc[1] = slides(c) && c->disc[0] >= 0 ? hol_gltf_plain(g, HOL_SOLID_CYLINDER, SLIDING) : 0;
    c->arrow = c->disc[0] >= 0 && c->disc[1] >= 0 ? hol_gltf_plain(g, HOL_SOLID_ARROW, FORCE) : -1;
    return c->arrow >= 0 ? HOL_OK : HOL_ERR_MEMORY;
}

// The force of an arrow of the typical length: twice the mean of all that act.
static double usual_force(const hol_gltf *g)
{
    double sum = 0;
    long n = 0;
    for (int i = 0; i < g->n_contacts; i++)
        for (int k = 0; k < g->n_frames; k++) {
            const double now = value(g, &g->contact[i], F, k);
            sum += fmax(now, 0);
            n += now > 0;
        }
    return n ? 2 * sum / (double)n : 1;
}

// Those that touch, as long as there is room for their motion.
static hol_status choose(hol_gltf *g, const hol_names *names, hol_print_fn tell)
{
    size_t bytes = 0;
    int room = 0, left = 0;
    for (int i = g->m->n_bodies; i < g->m->n_elements; i++) {
        const hol_element *e = &g->m->element[i];
        struct hol_gltf_contact c = {.name = e->name};
        if (e->type != &hol_force_contact) continue;
        c.coefficient = hol_contact_sliding(e);
        if (!find_columns(g, names, &c)) continue;
        bytes += bytes_of(g, &c);
        left += bytes > MOST_BYTES;
        if (bytes > MOST_BYTES) continue;
        if (add_meshes(g, &c) || !HOL_GROW(g->ctx, g->contact, room, g->n_contacts + 1))
            return HOL_ERR_MEMORY;
        g->contact[g->n_contacts++] = c;
    }
    char text[160];
    snprintf(text, sizeof text, "left out are contacts, whose motion would take more than %d MB: %d",
             MOST_BYTES / 1000000, left);
    if (left) tell(g, text);
    return HOL_OK;
}

hol_status hol_gltf_find_contacts(hol_gltf *g, hol_print_fn tell)
{
    if (!g->result || !g->m->n_contact_sums) return HOL_OK;
    hol_arena *arena = hol_arena_create(g->ctx);
    hol_names *names = arena ? hol_names_create_in(g->ctx, arena) : NULL;
    hol_status st = names ? find_rows(g) : HOL_ERR_MEMORY;
    for (int i = 1; i < g->result->n_columns && !st; i++)
        if (hol_names_find(names, g->result->name[i]) < 0) st = hol_names_add(names, g->result->name[i], i);
    if (!st) st = choose(g, names, tell);
    if (!st) g->usual = usual_force(g);
    hol_arena_destroy(arena);
    return st;
}

void hol_gltf_free_contacts(hol_gltf *g)
{
    hol_free(g->row);
    hol_free(g->contact);
}

// ---- nodes ------------------------------------------------------------------------------------------------------

static int nodes_of(const struct hol_gltf_contact *c) { return slides(c) ? NODES : NODES - 1; }

// The number of the first node of a contact.
static int first_node(const hol_gltf *g, int contact)
{
    int n = 1 + g->m->n_bodies + g->n_solids;
    for (int i = 0; i < contact; i++) n += nodes_of(&g->contact[i]);
    return n;
}

void hol_gltf_put_contact_roots(hol_json *j, const hol_gltf *g)
{
    for (int i = 0, n = first_node(g, 0); i < g->n_contacts; n += nodes_of(&g->contact[i++]))
        hol_json_number(j, NULL, n + PLACE);
}

// A node with children, or a mesh.
static void put_node(hol_json *j, const char *name, int n_children, const int *child, int mesh)
{
    hol_json_open(j, NULL, '{');
    if (name) hol_json_text(j, "name", name);
    if (n_children) {
        hol_json_open(j, "children", '[');
        for (int i = 0; i < n_children; i++) hol_json_number(j, NULL, child[i]);
        hol_json_close(j, ']');
    } else {
        hol_json_number(j, "mesh", mesh);
        hol_json_open(j, "scale", '[');
        for (int i = 0; i < 3; i++) hol_json_number(j, NULL, 0);
        hol_json_close(j, ']');
    }
    hol_json_close(j, '}');
}

void hol_gltf_put_contact_nodes(hol_json *j, const hol_gltf *g)
{
    for (int i = 0, n = first_node(g, 0); i < g->n_contacts; n += nodes_of(&g->contact[i++])) {
        const struct hol_gltf_contact *c = &g->contact[i];
        const int parts[] = {n + NORMAL, n + ARROW}, discs[] = {n + DISC, n + SLIDING_DISC};
        put_node(j, c->name, 2, parts, 0);
        put_node(j, NULL, slides(c) ? 2 : 1, discs, 0);
        put_node(j, NULL, 0, NULL, c->arrow);
        put_node(j, NULL, 0, NULL, c->disc[0]);
        if (slides(c)) put_node(j, NULL, 0, NULL, c->disc[1]);
    }
}

// ---- tracks -----------------------------------------------------------------------------------------------------

static int tracks_of(const struct hol_gltf_contact *c) { return slides(c) ? TRACKS : TRACKS - 1; }

int hol_gltf_contact_tracks(const hol_gltf *g)
{
    int n = 0;
    for (int i = 0; i < g->n_contacts; i++) n += tracks_of(&g->contact[i]);
    return n;
}

// The contact of a track, and which of its own it is.
static int contact_of(const hol_gltf *g, int track, int *own)
{
    int i = 0;
    for (; track >= tracks_of(&g->contact[i]); i++) track -= tracks_of(&g->contact[i]);
    *own = track;
    return i;
}

int hol_gltf_contact_track(const hol_gltf *g, int track, int *node, const char **path)
{
    int own;
    const int contact = contact_of(g, track, &own);
    *node = first_node(g, contact) + tracks[own].node;
    *path = tracks[own].path;
    return tracks[own].numbers;
}

// The turn of z to a vector, scalar last; of none, none.
static void put_turn(const double x[3], double out[4])
{
    const double size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), up[3] = {0, 0, 1};
    double u[3], q[4];
    for (int i = 0; i < 3; i++) u[i] = size > 0 ? x[i] / size : up[i];
    hol_gltf_turn_z_to(u, q);
    const double last[] = {q[1], q[2], q[3], q[0]};
    memcpy(out, last, sizeof last);
}

void hol_gltf_contact_values(const hol_gltf *g, int track, int k, double out[4])
{
    int own;
    const struct hol_gltf_contact *c = &g->contact[contact_of(g, track, &own)];
    const double press = fmax(value(g, c, F, k), 0), length = g->scene->length;
    double n[3], rub[3], force[3];
    vector(g, c, N, k, n);
    vector(g, c, T, k, rub);
    for (int i = 0; i < 3; i++) force[i] = press * n[i] + rub[i];
    const double friction = sqrt(rub[0] * rub[0] + rub[1] * rub[1] + rub[2] * rub[2]),
                 size = sqrt(press * press + friction * friction) / g->usual * LENGTH * length;
    const bool sliding = slides(c) && friction >= SLIDES * c->coefficient * press;
    const bool shown = press > 0 && sliding == (tracks[own].node == SLIDING_DISC);
    const double disc = shown ? RADIUS * length : 0, thick = shown ? THICK * length : 0,
                 wide = fmin(WIDTH * length, 0.3 * size);
    const double sizes[2][3] = {{wide, wide, size}, {disc, disc, thick}};
    if (tracks[own].node == PLACE)
        vector(g, c, P, k, out);
    else if (tracks[own].numbers == 4)
        put_turn(tracks[own].node == NORMAL ? n : force, out);
    else
        memcpy(out, sizes[tracks[own].node != ARROW], sizeof sizes[0]);
}
