// A scene of a model: which places its bodies have, how large links are, what is given and what is inferred.
#include "element/contact.h"
#include "scene/infer.h"
#include "system/forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OF_LOOPS = 4000000 }; // entries of all loops

typedef struct {
    hol_context *ctx;
    const hol_model_data *m;
    hol_scene *scene;
    hol_places *place; // of each body                                                     (m->n_bodies)
    hol_drawings drawings;
} maker;

// ---- joints ---------------------------------------------------------------------------------------------------

// An end of a joint as the viewer needs it: its body, place and axes, and how a ground marker moves.
static hol_scene_end scene_end(const hol_model_data *m, const hol_end *end)
{
    const hol_marker *k = end->marker;
    const hol_motion *motion = hol_marker_motion(k);
    hol_scene_end out = {.body = end->body, .motion = motion};
    memcpy(out.position, k->s, sizeof out.position);
    memcpy(out.quat, hol_marker_quat(k), sizeof out.quat);
    if (!motion) return out;
    const hol_drawn_end drawn = hol_model_drawn_end(m, end);
    const double half = drawn.theta / 2, *axis = motion->axis;
    const double turn[4] = {cos(half), sin(half) * axis[0], sin(half) * axis[1], sin(half) * axis[2]};
    memcpy(out.position, drawn.origin, sizeof out.position);
    hol_quat_multiply(turn, hol_marker_quat(k), out.quat);
    return out;
}

// Elements with one or two ends, joints and forces alike, with their frames; what touches only now and then is shown where it does.
static hol_status list_joints(maker *k)
{
    const hol_model_data *m = k->m;
    hol_scene *s = k->scene;
    s->joint = hol_arena_alloc(s->arena, (size_t)(m->n_elements - m->n_bodies) + 1, sizeof *s->joint);
    if (!s->joint) return HOL_ERR_MEMORY;
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (e->n_ends < 1 || e->n_ends > 2 || e->type == &hol_force_contact) continue;
        hol_scene_joint *j = &s->joint[s->n_joints++];
        *j = (hol_scene_joint){
            .name = e->name, .type = e->type->name, .role = e->type->role, .element = i, .n_ends = e->n_ends};
        for (int a = 0; a < j->n_ends; a++) j->end[a] = scene_end(m, &e->end[a]);
    }
    return HOL_OK;
}

// ---- places ---------------------------------------------------------------------------------------------------

// Does it matter where the element is attached? Torques, what holds directions only, and shapes that touch have no place.
static bool has_place(const hol_element *e)
{
    if (e->type == &hol_force_contact) return false;
    if (e->type->role == HOL_ROLE_FORCE) return strcmp(e->type->name, "torque") != 0;
    for (int i = 0; i < e->n_rows; i++)
        if (e->type->row(e->data, i).is_length) return true;
    return false;
}

static bool slides(const hol_element *e)
{
    return e->type->role == HOL_ROLE_JOINT && e->type->coordinate == HOL_COORDINATE_STROKE;
}

static void add_place(hol_places *p, const hol_marker *k) { memcpy(p->at[p->n++], k->s, sizeof *p->at); }

static int ascending(const void *a, const void *b)
{
    const double *p = a, *q = b;
    for (int i = 0; i < 3; i++)
        if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
    return 0;
}

// Places that differ by rounding only are one.
static void make_distinct(hol_places *p)
{
    double most = 0;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < 3; k++) most = fmax(most, fabs(p->at[i][k]));
    const double unit = ldexp(1, ilogb(most > 0 ? most : 1) - 30);
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < 3; k++) p->at[i][k] = rint(p->at[i][k] / unit) * unit + 0.0;
    qsort(p->at, (size_t)p->n, sizeof *p->at, ascending);
    int n = 0;
    for (int i = 0; i < p->n; i++)
        if (n == 0 || ascending(p->at[n - 1], p->at[i]) != 0) memmove(p->at[n++], p->at[i], sizeof *p->at);
    p->n = n;
}

// For each body the distinct places where something is attached to it.
static hol_status find_places(maker *k)
{
    const hol_model_data *m = k->m;
    size_t total = 0;
    k->place = hol_calloc(k->ctx, (size_t)m->n_bodies + 1, sizeof *k->place);
    if (!k->place) return HOL_ERR_MEMORY;
    int *room = hol_calloc(k->ctx, (size_t)m->n_bodies + 1, sizeof *room);
    if (!room) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies; i++) room[i] = m->body[i].n_markers;
    for (int i = m->n_bodies; i < m->n_elements; i++)
        for (int a = 0; a < m->element[i].n_ends; a++)
            if (m->element[i].end[a].body >= 0) room[m->element[i].end[a].body]++;
    for (int i = 0; i < m->n_bodies; i++) total += (size_t)room[i];
    double(*at)[3] = hol_arena_alloc(k->scene->arena, total + 1, sizeof *at);
    for (int i = 0; i < m->n_bodies && at; i++) {
        k->place[i].at = at;
        at += room[i];
        for (int a = 1; a < m->body[i].n_markers; a++) // the first is the body frame
            add_place(&k->place[i], &m->marker[m->body[i].marker + a].marker);
    }
    hol_free(room);
    if (!at) return HOL_ERR_MEMORY;
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        for (int a = 0; a < e->n_ends && has_place(e); a++) {
            if (e->end[a].body < 0) continue;
            hol_places *p = &k->place[e->end[a].body];
            add_place(p, e->end[a].marker);
            if (slides(e)) p->slide = e->end[a].marker;
        }
    }
    for (int i = 0; i < m->n_bodies; i++) make_distinct(&k->place[i]);
    return HOL_OK;
}

// ---- lengths --------------------------------------------------------------------------------------------------

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, by_size);
    return n ? x[n / 2] : 0;
}

static double drawn_distance(const hol_model_data *m, const hol_element *e)
{
    const hol_drawn_end a = hol_model_drawn_end(m, &e->end[0]), b = hol_model_drawn_end(m, &e->end[1]);
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += (a.origin[i] - b.origin[i]) * (a.origin[i] - b.origin[i]);
    return sqrt(sum);
}

// The median of what the bodies' places reach; without any, of the distances that elements span; else of the bodies'
// widths by inertia. x: work (m->n_elements + 1).
static double typical_length(const maker *k, double *x)
{
    const hol_model_data *m = k->m;
    int n = 0;
    for (int i = 0; i < m->n_bodies; i++)
        if ((x[n] = hol_infer_reach(&k->place[i])) > 0) n++;
    const bool reached = n > 0;
    for (int i = m->n_bodies; i < m->n_elements && !reached; i++)
        if (m->element[i].n_ends == 2 && has_place(&m->element[i]) &&
            (x[n] = drawn_distance(m, &m->element[i])) > 1e-9 * m->length_scale)
            n++;
    const bool spanned = n > 0;
    for (int i = 0; i < m->n_bodies && !spanned; i++)
        if ((x[n] = hol_infer_width(m, i)) > 0) n++;
    return n ? median(x, n) : m->length_scale;
}

// ---- loops ----------------------------------------------------------------------------------------------------

typedef struct {
    const hol_model_data *m;
    const hol_forest *f;
    const int *joint_of; // scene joint of each element, -1
    int *depth;          // of each body
    int *up;             // joints on the way from the second body, until they are turned round
    int *bodies;
} walker;

static int father(const walker *w, int body) { return body < 0 ? -1 : w->f->father[body]; }
static int depth(const walker *w, int body) { return body < 0 ? 0 : w->depth[body]; }

// The scene's joint that ties a body to its father; -1: none does.
static int tie(const walker *w, int body)
{
    const int first = w->f->first[body];
    return first < w->f->first[body + 1] ? w->joint_of[w->f->tie[first]] : -1;
}

// The way between the ends of a cut joint through the tree; false: there is none.
static bool walk(const walker *w, const hol_element *e, hol_scene_loop *out, int *joint, int *body)
{
    int a = e->end[0].body, b = e->end[1].body, back = 0, n_back = 0;
    while (a != b) {
        const bool left = depth(w, a) >= depth(w, b);
        const int at = left ? a : b, by = tie(w, at);
        if (by < 0) return false;
        if (left) {
            joint[out->n_joints++] = by;
            body[out->n_bodies++] = at;
            a = father(w, a);
        } else {
            w->up[back++] = by;
            w->bodies[n_back++] = at;
            b = father(w, b);
        }
    }
    if (a >= 0) body[out->n_bodies++] = a;
    while (back) joint[out->n_joints++] = w->up[--back];
    while (n_back) body[out->n_bodies++] = w->bodies[--n_back];
    return true;
}

// Copies a loop that was found into the scene.
static hol_status keep_loop(hol_scene *s, const hol_scene_loop *found, const int *joint, const int *body)
{
    int *joints = hol_arena_alloc(s->arena, (size_t)found->n_joints, sizeof *joints);
    int *bodies = hol_arena_alloc(s->arena, (size_t)found->n_bodies + 1, sizeof *bodies);
    if (!joints || !bodies) return HOL_ERR_MEMORY;
    memcpy(joints, joint, (size_t)found->n_joints * sizeof *joints);
    memcpy(bodies, body, (size_t)found->n_bodies * sizeof *bodies);
    s->loop[s->n_loops] = *found;
    s->loop[s->n_loops].joint = joints;
    s->loop[s->n_loops++].body = bodies;
    return HOL_OK;
}

// The loop of each cut joint: the way from its two ends to their common ancestor in the forest.
static hol_status walk_all(maker *k, walker *w, int *joint, int *body)
{
    hol_scene *s = k->scene;
    long total = 0;
    s->loop = hol_arena_alloc(s->arena, (size_t)w->f->n_cut + 1, sizeof *s->loop);
    if (!s->loop) return HOL_ERR_MEMORY;
    for (int i = 0; i < k->m->n_bodies; i++) {
        const int b = w->f->order[i];
        w->depth[b] = depth(w, w->f->father[b]) + 1;
    }
    for (int i = 0; i < w->f->n_cut; i++) {
        const int cut = w->joint_of[w->f->cut[i]];
        if (cut < 0) continue; // a coupler, or a constraint by expression
        s->joint[cut].cut = true;
        const hol_element *e = &k->m->element[w->f->cut[i]];
        hol_scene_loop found = {.n_joints = 1};
        joint[0] = cut;
        if (e->n_ends != 2 || !walk(w, e, &found, joint, body)) continue;
        total += found.n_joints + found.n_bodies;
        if (total > MOST_OF_LOOPS)
            s->loops_left_out++;
        else if (keep_loop(s, &found, joint, body))
            return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

// Finds the closed loops of joints, as the forest cuts them.
static hol_status find_loops(maker *k, const double *q)
{
    const hol_model_data *m = k->m;
    const size_t n = (size_t)m->n_bodies + 2;
    hol_forest f;
    hol_status st = hol_forest_create(k->ctx, m, q, &f);
    int *work = st ? NULL : hol_calloc(k->ctx, 5 * n + (size_t)m->n_elements, sizeof *work);
    if (work) {
        int *joint_of = work + 5 * n;
        walker w = {m, &f, joint_of, work, work + n, work + 2 * n};
        for (int i = 0; i < m->n_elements; i++) joint_of[i] = -1;
        for (int i = 0; i < k->scene->n_joints; i++) joint_of[k->scene->joint[i].element] = i;
        st = walk_all(k, &w, work + 3 * n, work + 4 * n);
    } else if (st == HOL_ERR_MODEL) { // `loop: no` where it cannot be: of no concern to a picture
        hol_context_clear(k->ctx);
        st = HOL_OK;
    } else if (!st)
        st = HOL_ERR_MEMORY;
    hol_free(work);
    hol_forest_destroy(&f);
    return st;
}

// ---- the scene ------------------------------------------------------------------------------------------------

// A size of 0 means as thick as a link.
static void thicken(hol_drawing *d, double radius)
{
    const bool line = d->kind == HOL_SHAPE_POLYLINE;
    const int at = hol_drawing_thin(d->kind);
    if (d->kind != HOL_SHAPE_MESH && d->size[at] == 0) d->size[at] = line ? radius : 2 * radius;
}

// The shapes of one body, first to last - 1, as the model gives them; thin ones are made thick enough to see.
static hol_status draw_given(maker *k, int first, int last)
{
    for (int i = first; i < last; i++) {
        const hol_drawing *given = &k->m->spec->shape[i];
        if (given->kind == HOL_SHAPE_NONE || given->hole) continue;
        hol_drawing *d = hol_drawings_add(&k->drawings, given->kind, given->body);
        if (!d) return HOL_ERR_MEMORY;
        *d = *given;
        thicken(d, k->scene->radius);
    }
    return HOL_OK;
}

// Everything drawn: typical length first, then what is given, then what is inferred.
static hol_status draw(maker *k)
{
    hol_scene *s = k->scene;
    hol_status st = HOL_OK;
    double *work = hol_calloc(k->ctx, (size_t)k->m->n_elements + 1, sizeof *work);
    if (!work) return HOL_ERR_MEMORY;
    s->length = typical_length(k, work);
    s->radius = 0.04 * s->length;
    hol_free(work);
    const int n = k->m->spec->n_shapes;
    for (int i = -1, next = 0; i < k->m->n_bodies && !st; i++) {
        const int first = next;
        while (next < n && k->m->spec->shape[next].body == i) next++;
        if (next > first)
            st = draw_given(k, first, next);
        else if (i >= 0)
            st = hol_infer_body(k->m, i, &k->place[i], s->length, s->radius, &k->drawings);
    }
    if (st) return st;
    s->n_drawings = k->drawings.n;
    s->drawing = hol_arena_alloc(s->arena, (size_t)s->n_drawings + 1, sizeof *s->drawing);
    if (!s->drawing) return HOL_ERR_MEMORY;
    if (s->n_drawings) memcpy(s->drawing, k->drawings.list, (size_t)s->n_drawings * sizeof *s->drawing);
    return HOL_OK;
}

hol_scene *hol_scene_create(hol_context *ctx, const hol_model_data *m, const double *q)
{
    hol_arena *arena = hol_arena_create(ctx);
    hol_scene *scene = arena ? hol_arena_alloc(arena, 1, sizeof *scene) : NULL;
    hol_status st = HOL_ERR_MEMORY;
    if (scene) {
        maker k = {.ctx = ctx, .m = m, .scene = scene, .drawings = {.ctx = ctx, .arena = arena}};
        scene->m = m;
        scene->arena = arena;
        st = list_joints(&k);
        if (!st) st = find_places(&k);
        if (!st) st = draw(&k);
        if (!st) st = find_loops(&k, q);
        hol_free(k.place);
        hol_free(k.drawings.list);
    }
    if (!st) return scene;
    hol_arena_destroy(arena);
    return NULL;
}

void hol_scene_destroy(hol_scene *scene)
{
    if (scene) hol_arena_destroy(scene->arena);
}
