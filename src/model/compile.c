// From a spec to a model: resolve names, number coordinates, rows and memory, set the elements up.
#include "model/compile.h"
#include "element/joint_motion.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DATA = 2048 }; // bytes of an element's data at most

void hol_choice_start(hol_choice *o, const char *word)
{
    memset(o, 0, sizeof *o);
    hol_nearest_start(&o->nearest, word);
}

void hol_choice_offer(hol_choice *o, const char *name)
{
    hol_nearest_try(&o->nearest, name);
    const size_t length = strlen(name);
    if (o->n + length + 8 < sizeof o->list)
        o->n += (size_t)snprintf(o->list + o->n, sizeof o->list - o->n, "%s%s", o->n ? ", " : "", name);
    else if (o->n && o->list[o->n - 1] != '.')
        o->n += (size_t)snprintf(o->list + o->n, sizeof o->list - o->n, ", ...");
}

hol_status hol_choice_fail(const hol_compiler *c, hol_src at, const char *path, const char *rule,
                           const char *name, const hol_choice *o)
{
    const char *best = o->nearest.best;
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, at, "%s: %s \"%s\"%s%s%s", path, rule, name,
                       best   ? "; did you mean \""
                       : o->n ? "; there are: "
                              : "; there are none",
                       best ? best : o->list, best ? "\"?" : "");
}

static bool same_place(hol_src a, hol_src b)
{
    return a.line == b.line && a.col == b.col && strcmp(a.file, b.file) == 0;
}

// ---- markers --------------------------------------------------------------------------------------------------

// The axes of a marker. Those of the body are shared by all, others by neighbours of the same orientation.
static hol_status turn(hol_compiler *c, const hol_axes *axes, hol_marker *k)
{
    const hol_axes *const known[] = {&hol_axes_of_body, c->axes};
    for (int i = 0; i < HOL_COUNT(known); i++)
        if (known[i] && memcmp(known[i], axes, sizeof *axes) == 0) {
            hol_marker_turn(k, known[i]);
            return HOL_OK;
        }
    hol_axes *own = hol_arena_alloc(c->spec->hot, 1, sizeof *own);
    if (!own) return HOL_ERR_MEMORY;
    *own = *axes;
    c->axes = own;
    hol_marker_turn(k, own);
    return HOL_OK;
}

// A marker of a body of this frame, from its place in the body frame; s NULL: the body frame itself.
static hol_status make_marker(hol_compiler *c, hol_frame frame, int size, const double com[3],
                              const hol_spec_marker *s, hol_marker *k)
{
    static const hol_spec_marker origin = {.quat = {1, 0, 0, 0}};
    hol_axes axes;
    double R[9];
    if (!s) s = &origin;
    axes.motion = s->motion;
    *k = (hol_marker){.frame = frame, .size = (short)size};
    hol_quat_matrix(s->quat, R);
    for (int i = 0; i < 3; i++) {
        k->s[i] = s->position[i] - com[i];
        for (int a = 0; a < 3; a++) axes.u[a][i] = R[3 * i + a];
    }
    memcpy(axes.quat, s->quat, sizeof axes.quat);
    return turn(c, &axes, k);
}

static hol_frame ground_frame(const hol_spec_marker *s)
{
    return s && s->motion ? HOL_FRAME_MOVING : HOL_FRAME_GROUND;
}

enum { MANY_MARKERS = 16 }; // of one body

// Names of markers to their indices, where a walk through them would take long.
static hol_status index_markers(const hol_compiler *c, int first, int last, hol_names **out)
{
    const hol_marker_info *marker = c->m->marker;
    if (last - first < MANY_MARKERS) return HOL_OK;
    *out = hol_names_create_in(c->spec->ctx, c->spec->arena);
    if (!*out) return HOL_ERR_MEMORY;
    hol_status st = HOL_OK;
    for (int i = first; i < last && !st; i++)
        if (marker[i].name && hol_names_find(*out, marker[i].name) < 0)
            st = hol_names_add(*out, marker[i].name, i);
    return st;
}

// All markers: of each body its frame and its own ones behind it, then those of ground.
static hol_status add_markers(hol_compiler *c)
{
    hol_model_data *m = c->m;
    const hol_spec *spec = c->spec;
    static const double zero[3] = {0, 0, 0};
    int n = 1 + spec->n_ground;
    for (int i = 0; i < spec->n_bodies; i++) n += 1 + spec->body[i]->n_markers;
    m->marker = hol_arena_alloc(spec->arena, (size_t)n, sizeof *m->marker);
    if (!m->marker) return HOL_ERR_MEMORY;
    for (int i = 0; i <= spec->n_bodies; i++) {
        const bool ground = i == spec->n_bodies;
        const hol_spec_marker *list = ground ? spec->ground : spec->body[i]->marker;
        const int count = ground ? spec->n_ground : spec->body[i]->n_markers;
        if (ground) m->ground_marker = m->n_markers;
        for (int k = -1; k < count; k++) {
            const hol_spec_marker *s = k < 0 ? NULL : &list[k];
            hol_marker_info *info = &m->marker[m->n_markers++];
            info->name = s ? s->name : NULL;
            hol_status st = ground ? make_marker(c, ground_frame(s), 0, zero, s, &info->marker)
                                   : make_marker(c, m->body[i].frame, m->body[i].size, spec->body[i]->com, s,
                                                 &info->marker);
            if (st) return st;
        }
    }
    return HOL_OK;
}

// ---- bodies ---------------------------------------------------------------------------------------------------

// Coordinates of the centre of mass from the body frame's pose and motion.
static void initial_state(const hol_spec_body *s, const hol_body *b, double *q, double *v)
{
    double R[9], c[3];
    hol_quat_matrix(s->quat, R);
    for (int i = 0; i < 3; i++)
        c[i] = R[3 * i] * s->com[0] + R[3 * i + 1] * s->com[1] + R[3 * i + 2] * s->com[2];
    const double *o = s->omega;
    const double vc[3] = {s->velocity[0] + o[1] * c[2] - o[2] * c[1],
                          s->velocity[1] + o[2] * c[0] - o[0] * c[2],
                          s->velocity[2] + o[0] * c[1] - o[1] * c[0]};
    const int n = b->frame == HOL_FRAME_SPATIAL ? 3 : b->frame == HOL_FRAME_PLANAR ? 2 : b->size;
    for (int i = 0; i < n; i++) {
        q[i] = s->position[i] + c[i];
        v[i] = vc[i];
    }
    if (b->frame == HOL_FRAME_PLANAR) {
        q[2] = s->angle;
        v[2] = o[2];
    }
    if (b->frame == HOL_FRAME_SPATIAL) {
        hol_real E[3][4], p[4];
        for (int i = 0; i < 4; i++) p[i] = q[3 + i] = s->quat[i];
        hol_global_rate(p, E);
        for (int i = 0; i < 4; i++) // p' = E^T omega / 2
            v[3 + i] = 0.5 * (hol_re(E[0][i]) * o[0] + hol_re(E[1][i]) * o[1] + hol_re(E[2][i]) * o[2]);
    }
}

// The marker "body.marker" that a body's pose is relative to; only bodies above are known yet.
static hol_status find_base(const hol_compiler *c, const hol_spec_body *s, const hol_spec_body **base,
                            const hol_spec_marker **marker)
{
    static const hol_spec_marker origin = {.quat = {1, 0, 0, 0}};
    hol_arena *arena = c->spec->draft;
    const char *dot = strchr(s->relative_to, '.'), *wanted = dot ? dot + 1 : NULL;
    const char *body =
        dot ? hol_arena_copy(arena, s->relative_to, (size_t)(dot - s->relative_to)) : s->relative_to;
    const char *path = hol_arena_print(arena, "bodies.%s.relative_to", s->name);
    if (!body || !path) return HOL_ERR_MEMORY;
    const int i = hol_names_find(c->bodies, body);
    hol_choice o;
    if (i < 0) {
        hol_choice_start(&o, body);
        for (int k = 0; c->spec->body[k] != s; k++) hol_choice_offer(&o, c->spec->body[k]->name);
        return hol_choice_fail(c, s->relative_at, path, "there is no body above with the name", body, &o);
    }
    *base = c->spec->body[i];
    *marker = &origin;
    if (!wanted) return HOL_OK;
    hol_choice_start(&o, wanted);
    for (int k = 0; k < (*base)->n_markers; k++) {
        *marker = &(*base)->marker[k];
        if (strcmp((*marker)->name, wanted) == 0) return HOL_OK;
        hol_choice_offer(&o, (*marker)->name);
    }
    const char *rule = hol_arena_print(arena, "body \"%s\" has no marker", body);
    return rule ? hol_choice_fail(c, s->relative_at, path, rule, wanted, &o) : HOL_ERR_MEMORY;
}

static void rotate(const double quat[4], const double u[3], double out[3])
{
    double R[9];
    hol_quat_matrix(quat, R);
    for (int i = 0; i < 3; i++) out[i] = R[3 * i] * u[0] + R[3 * i + 1] * u[1] + R[3 * i + 2] * u[2];
}

// Pose and motion given relative to a marker become global: the marker moves with its body.
//     x = x_b + A_b s + A p,   v = v_b + omega_b x (A_b s + A p) + A v',   omega = omega_b + A omega',   A = A_b A_marker
static hol_status make_global(const hol_compiler *c, hol_spec_body *s)
{
    const hol_spec_body *base = NULL;
    const hol_spec_marker *k = NULL;
    double frame[4], arm[3], p[3], v[3], omega[3];
    if (!s->relative_to) return HOL_OK;
    hol_status st = find_base(c, s, &base, &k);
    if (st) return st;
    hol_quat_multiply(base->quat, k->quat, frame);
    rotate(base->quat, k->position, arm);
    rotate(frame, s->position, p);
    rotate(frame, s->velocity, v);
    rotate(frame, s->omega, omega);
    hol_quat_multiply(frame, s->quat, s->quat);
    s->angle += base->angle + k->angle;
    for (int i = 0; i < 3; i++) arm[i] += p[i];
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        s->position[i] = base->position[i] + arm[i];
        s->velocity[i] = base->velocity[i] + base->omega[a] * arm[b] - base->omega[b] * arm[a] + v[i];
        s->omega[i] = base->omega[i] + omega[i];
    }
    s->relative_to = NULL;
    return HOL_OK;
}

// One item of the file gives a name twice: in a loop, or because the file is read twice. first: where it was given before.
static hol_status same_for_all(const hol_model_data *m, hol_src at, hol_src first, const char *section,
                               const char *name)
{
    if (at.file != first.file)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, at, "%s.%s: the file is included twice; include it once",
                           section, name);
    return hol_fail_at(
        m->ctx, HOL_ERR_MODEL, at,
        "%s.%s: the name is the same for all values of the loop index; put the index into it: %s{i}", section,
        name, name);
}

// Places of the bodies' coordinates in q and v, and the kind of their frames.
static hol_status number_bodies(hol_compiler *c)
{
    hol_model_data *m = c->m;
    const hol_spec *spec = c->spec;
    m->n_bodies = spec->n_bodies;
    m->body = hol_arena_alloc(spec->arena, (size_t)spec->n_bodies, sizeof *m->body);
    if (!m->body) return HOL_ERR_MEMORY;
    for (int i = 0; i < spec->n_bodies; i++) {
        const hol_spec_body *s = spec->body[i];
        hol_body *b = &m->body[i];
        const int twin = hol_names_find(c->bodies, s->name);
        if (twin >= 0 && same_place(s->at, spec->body[twin]->at))
            return same_for_all(m, s->name_at, spec->body[twin]->name_at, "bodies", s->name);
        if (twin >= 0)
            return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->name_at,
                               "bodies.%s: the name is given twice, first in line %d; rename one of them",
                               s->name, spec->body[twin]->name_at.line);
        hol_status st = make_global(c, spec->body[i]);
        if (st) return st;
        if (hol_names_add(c->bodies, s->name, i)) return HOL_ERR_MEMORY;
        b->name = s->name;
        b->at = s->at;
        b->frame = s->type->frame;
        b->q = m->nq;
        b->size = hol_frame_size(b->frame, m->dimension);
        m->nq += b->size;
    }
    m->q0 = hol_arena_alloc(spec->arena, (size_t)m->nq, sizeof *m->q0);
    m->v0 = hol_arena_alloc(spec->arena, (size_t)m->nq, sizeof *m->v0);
    if (!m->q0 || !m->v0) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies; i++)
        initial_state(spec->body[i], &m->body[i], m->q0 + m->body[i].q, m->v0 + m->body[i].q);
    return HOL_OK;
}

// ---- ends -----------------------------------------------------------------------------------------------------

hol_status hol_find_body(const hol_compiler *c, const char *name, hol_src at, const char *path, int *body)
{
    *body = -1;
    if (strcmp(name, "ground") == 0) return HOL_OK;
    *body = hol_names_find(c->bodies, name);
    if (*body >= 0) return HOL_OK;
    hol_choice o;
    hol_choice_start(&o, name);
    hol_choice_offer(&o, "ground");
    for (int i = 0; i < c->m->n_bodies; i++) hol_choice_offer(&o, c->m->body[i].name);
    const int joint = c->others ? hol_names_find(c->others, name) : -1;
    if (joint < 0) return hol_choice_fail(c, at, path, "there is no body", name, &o);
    return hol_fail_at(
        c->m->ctx, HOL_ERR_MODEL, at,
        "%s: there is no body \"%s\": it is a joint, a driver or a force; name the bodies or markers "
        "at its ends, as in AZ(body2, body1)",
        path, name);
}

hol_status hol_find_marker(const hol_compiler *c, int body, const hol_spec_end *s, const char *path, int *out)
{
    const hol_model_data *m = c->m;
    const int first = body < 0 ? m->ground_marker : m->body[body].marker;
    const int last = body < 0 ? m->n_markers : first + m->body[body].n_markers;
    hol_choice o;
    *out = hol_model_find_marker(m, body, s->marker);
    if (*out >= 0) return HOL_OK;
    hol_choice_start(&o, s->marker);
    for (int i = first; i < last; i++)
        if (m->marker[i].name) hol_choice_offer(&o, m->marker[i].name);
    const char *rule = body < 0 ? "ground has no marker"
                                : hol_arena_print(c->spec->arena, "body \"%s\" has no marker", s->body);
    return rule ? hol_choice_fail(c, s->at, path, rule, s->marker, &o) : HOL_ERR_MEMORY;
}

// Global position and orientation of a body frame as drawn.
static void drawn_pose(const hol_model_data *m, int body, double x[3], double R[9])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    x[0] = x[1] = x[2] = 0;
    memcpy(R, identity, sizeof identity);
    if (body < 0) return;
    const hol_body *b = &m->body[body];
    const double *q = m->q0 + b->q;
    if (b->frame == HOL_FRAME_SPATIAL) hol_quat_matrix(q + 3, R);
    if (b->frame == HOL_FRAME_PLANAR) {
        R[0] = R[4] = cos(q[2]);
        R[3] = sin(q[2]);
        R[1] = -R[3];
    }
    const int n = b->frame == HOL_FRAME_POINT ? b->size : m->dimension;
    for (int i = 0; i < n; i++) x[i] = q[i]; // of the centre of mass
}

// The body-fixed frame that coincides with a global one at the drawn pose.
static hol_status drawn_marker(hol_compiler *c, int body, const double at[3], const double quat[4],
                               hol_marker *k)
{
    const hol_model_data *m = c->m;
    double x[3], R[9], G[9];
    hol_axes axes = {0};
    *k = (hol_marker){.frame = body < 0 ? HOL_FRAME_GROUND : m->body[body].frame,
                      .size = (short)(body < 0 ? 0 : m->body[body].size)};
    drawn_pose(m, body, x, R);
    hol_quat_matrix(quat, G);
    double local[9] = {0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) k->s[i] += R[3 * j + i] * (at[j] - x[j]);
        for (int a = 0; a < 3; a++) {
            for (int j = 0; j < 3; j++) axes.u[a][i] += R[3 * j + i] * G[3 * j + a];
            local[3 * i + a] = axes.u[a][i];
        }
    }
    hol_matrix_quat(local, axes.quat);
    return turn(c, &axes, k);
}

hol_drawn_end hol_model_drawn_end(const hol_model_data *m, const hol_end *end)
{
    hol_drawn_end out = {.body = end->body, .marker = end->marker};
    double x[3], R[9];
    drawn_pose(m, end->body, x, R);
    for (int i = 0; i < 3; i++) {
        out.origin[i] = x[i];
        for (int j = 0; j < 3; j++) out.origin[i] += R[3 * i + j] * end->marker->s[j];
    }
    if (end->body >= 0 && m->body[end->body].frame == HOL_FRAME_PLANAR)
        out.theta = m->q0[m->body[end->body].q + 2];
    const hol_motion *motion = hol_marker_motion(end->marker);
    hol_real jet[4];
    for (int i = 0; motion && i < 3; i++)
        if (motion->position[i]) {
            hol_expr_jet(motion->position[i], 0, jet);
            out.origin[i] += hol_re(jet[0]);
        }
    if (motion && motion->angle) {
        hol_expr_jet(motion->angle, 0, jet);
        out.theta = hol_re(jet[0]);
    }
    return out;
}

// A place of a body that has no name.
static hol_status local_marker(hol_compiler *c, int body, const hol_spec_marker *s, hol_marker *k)
{
    const hol_body *b = &c->m->body[body];
    double com[3];
    hol_model_com(c->m, body, com);
    return make_marker(c, b->frame, b->size, com, s, k);
}

static bool uses_axes(const hol_model_data *m, const hol_element_type *type, int end)
{
    return type->axes[m->dimension - 2] >> end & 1;
}

// The body and marker that end i of an element names, or the one that is drawn there; a point mass has no
// other place and no axes.
static hol_status resolve_end(hol_compiler *c, const hol_spec_element *s, int i, hol_end *end)
{
    const hol_spec_end *given = &s->end[i];
    hol_model_data *m = c->m;
    static const double zero[3] = {0, 0, 0};
    hol_status st = hol_find_body(c, given->body, given->at, s->path, &end->body);
    if (st) return st;
    if (s->drawn)
        st = drawn_marker(c, end->body, s->drawn->at, s->drawn->quat[i], end->marker);
    else if (given->marker) {
        st = hol_find_marker(c, end->body, given, s->path, &end->place);
        if (!st) *end->marker = m->marker[end->place].marker;
    } else if (end->body < 0)
        st = make_marker(c, ground_frame(given->local), 0, zero, given->local, end->marker);
    else
        st = local_marker(c, end->body, given->local, end->marker);
    if (st) return st;
    const bool off = end->marker->s[0] != 0 || end->marker->s[1] != 0 || end->marker->s[2] != 0;
    if (end->marker->frame == HOL_FRAME_POINT && off) {
        // a point mass is where its joints are: the drawn frame must be there too
        const double far = fabs(end->marker->s[0]) + fabs(end->marker->s[1]) + fabs(end->marker->s[2]);
        if (!s->drawn || far > 1e-9)
            return hol_fail_at(m->ctx, HOL_ERR_MODEL, given->at,
                               "%s: \"%s\" is a point mass, nothing can be attached away from it; %s",
                               s->path, given->body,
                               s->drawn ? "\"at\" must be its position" : "leave the marker out");
        end->marker->s[0] = end->marker->s[1] = end->marker->s[2] = 0;
    }
    if (end->marker->frame == HOL_FRAME_POINT && uses_axes(m, s->type, i))
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, given->at, "%s: \"%s\" is a point mass without axes; %s",
                           s->path, given->body,
                           s->n_ends == 1 || uses_axes(m, s->type, 1 - i)
                               ? "a rigid body is wanted here"
                               : "name it second, the axes are those of the first end");
    return HOL_OK;
}

// The ends of a joint become ends first, first + 1 of the element.
static hol_status take_joint_ends(const hol_compiler *c, const hol_spec_element *s, const char *joint,
                                  hol_src at, hol_element *e, int first, const hol_element_type **type)
{
    const hol_model_data *m = c->m;
    const int k = hol_names_find(c->others, joint);
    if (k < 0 || m->element[k].type->role != HOL_ROLE_JOINT) {
        hol_choice o;
        hol_choice_start(&o, joint);
        for (int i = m->n_bodies; i < m->n_elements; i++)
            if (m->element[i].type->role == HOL_ROLE_JOINT) hol_choice_offer(&o, m->element[i].name);
        return hol_choice_fail(c, at, s->path, "there is no joint", joint, &o);
    }
    if (m->element[k].n_ends != 2)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, at,
                           "%s: \"%s\" couples joints, it has no coordinate of its own", s->path, joint);
    for (int i = 0; i < 2; i++) {
        hol_end *end = (hol_end *)&e->end[first + i];
        hol_marker *own = end->marker;
        *own = *m->element[k].end[i].marker;
        *end = m->element[k].end[i];
        end->marker = own;
    }
    c->m->element[k].referred = true;
    if (type) *type = m->element[k].type;
    return HOL_OK;
}

// A driver of a coordinate that its joint holds can only agree with the joint or contradict it.
static hol_status refuse_held(const hol_compiler *c, const hol_spec_element *s)
{
    const hol_model_data *m = c->m;
    const hol_element *joint = &m->element[hol_names_find(c->others, s->joint)];
    char left[100] = "";
    if (!hol_joint_holds(joint, m->dimension, s->type)) return HOL_OK;
    for (const hol_element_type *const *t = hol_element_types; *t; t++) {
        if ((*t)->role != HOL_ROLE_DRIVER || hol_joint_holds(joint, m->dimension, *t)) continue;
        const size_t n = strlen(left);
        snprintf(left + n, sizeof left - n, "%s%s", n ? ", " : "", (*t)->name);
    }
    return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->joint_at,
                       "%s: joint \"%s\" is of type %s, which has no %s to drive; %s%s", s->path, s->joint,
                       joint->type->name, s->type->name,
                       left[0] ? "it has: " : "no driver moves it: another joint is wanted here", left);
}

static hol_status take_driven(const hol_compiler *c, const hol_spec_element *s, hol_element *e)
{
    hol_status st = take_joint_ends(c, s, s->joint, s->joint_at, e, 0, NULL);
    for (int i = 0; i < 2 && !st; i++)
        if (e->end[i].marker->frame == HOL_FRAME_POINT && uses_axes(c->m, s->type, i))
            return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, s->joint_at,
                               "%s: joint \"%s\" holds a point mass, it has no angle to drive", s->path,
                               s->joint);
    return st ? st : refuse_held(c, s);
}

// The ends of a joint that a coupler names, which must have a coordinate.
static hol_status take_coupled(const hol_compiler *c, const hol_spec_element *s, int i, hol_element *e,
                               const hol_element_type **type)
{
    hol_status st = take_joint_ends(c, s, s->coupled[i].name, s->coupled[i].at, e, 2 * i, type);
    if (st || (*type)->coordinate != HOL_COORDINATE_NONE) return st;
    return hol_fail_at(
        c->m->ctx, HOL_ERR_MODEL, s->coupled[i].at,
        "%s: a %s joint has no coordinate to couple; revolute, cylindrical, screw and translational "
        "joints have one",
        s->path, (*type)->name);
}

// The element's own coordinates: those of its bodies in the order of its ends, then time.
static hol_status lay_out(const hol_compiler *c, const hol_spec_element *s, hol_element *e)
{
    hol_end *end = (hol_end *)e->end;
    const hol_model_data *m = c->m;
    int n = 0;
    for (int i = 0; i < e->n_ends; i++) {
        if (end[i].body < 0) continue;
        int k = 0, at = 0;
        while (k < e->n_bodies && e->body[k] != end[i].body) at += m->body[e->body[k++]].size;
        end[i].marker->iy = (short)at;
        if (k < e->n_bodies && s->n_joints) continue; // coupled joints share bodies
        if (k == HOL_MAX_BODIES)
            return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->at,
                               "%s: the joints coupled have more than %d bodies", s->path, HOL_MAX_BODIES);
        end[i].marker->iy = (short)n;
        e->body[e->n_bodies++] = end[i].body;
        n += m->body[end[i].body].size;
    }
    e->ny = (signed char)(n + 1);
    for (int i = 0; i < e->n_ends; i++)
        if (end[i].marker->frame == HOL_FRAME_MOVING) end[i].marker->iy = (short)n;
    if (e->n_bodies == 0 && e->n_ends == 1)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->end[0].at,
                           "%s.on: a %s on ground moves nothing; name a body", s->path, e->type->name);
    if (e->n_bodies == 0)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->end[1].at,
                           "%s: both ends are on ground; one must be a body", s->path);
    if (e->n_bodies == 2 && e->body[0] == e->body[1] && !s->n_joints)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->end[1].at.line ? s->end[1].at : s->at,
                           "%s: both ends are on the same body \"%s\"; a %s acts between two bodies", s->path,
                           m->body[e->body[0]].name, e->type->role == HOL_ROLE_FORCE ? "force" : "joint");
    return HOL_OK;
}

// ---- elements -------------------------------------------------------------------------------------------------

// y of an element as drawn, at time 0
static void drawn_y(const hol_model_data *m, const hol_element *e, hol_real *y)
{
    hol_real none[HOL_MAX_Y];
    hol_element_gather(m, e, 0, m->q0, NULL, 0, y, none);
}

typedef struct {
    const double *com;
    const hol_measured_formula *formula;
    int n_joints;
    const hol_element_type *joint_type[HOL_MAX_JOINTS];
} extras;

// Calls the type's set-up in the drawn pose and moves the data it leaves from the stack into the model.
static hol_status set_up(const hol_compiler *c, hol_element *e, const hol_value *value, const char *path,
                         const extras *x)
{
    hol_real y[HOL_MAX_Y];
    hol_drawn_end end[2 * HOL_MAX_JOINTS];
    hol_model_data *m = c->m;
    max_align_t scratch[MAX_DATA / sizeof(max_align_t)] = {{0}};
    assert(e->type->data_size <= sizeof scratch);
    hol_setup in = {.ctx = m->ctx,
                    .arena = c->spec->arena,
                    .dimension = m->dimension,
                    .path = path,
                    .at = e->at,
                    .value = value,
                    .n_ends = e->n_ends,
                    .end = end,
                    .formula = x->formula,
                    .n_joints = x->n_joints,
                    .ny = e->ny,
                    .y = y};
    drawn_y(m, e, y);
    for (int i = 0; i < e->n_ends; i++) end[i] = hol_model_drawn_end(m, &e->end[i]);
    memcpy(in.gravity, c->spec->gravity, sizeof in.gravity);
    memcpy(in.joint_type, x->joint_type, sizeof in.joint_type);
    if (x->com) memcpy(in.com, x->com, sizeof in.com);
    hol_status st = e->type->setup(&in, scratch, e);
    // what is read at every step stands close together in memory
    const size_t size = e->type->data_used ? e->type->data_used(scratch) : e->type->data_size;
    void *data = hol_arena_alloc(c->spec->hot, 1, size);
    if (!data) return HOL_ERR_MEMORY;
    memcpy(data, scratch, size);
    e->data = data;
    e->row = m->nc;
    e->rate = m->nk;
    e->mem = m->n_mem;
    m->nc += e->n_rows;
    m->nk += e->n_rates;
    m->n_mem += e->n_mem;
    return st;
}

// The element of a body: mass, velocity terms, weight, and in space the row that keeps p.p = 1.
static hol_status add_body_element(hol_compiler *c, int i)
{
    hol_model_data *m = c->m;
    const hol_spec_body *s = c->spec->body[i];
    hol_element *e = &m->element[m->n_elements];
    e->type = s->type;
    e->name = s->name;
    e->at = s->at;
    e->n_bodies = 1;
    e->body[0] = i;
    e->ny = (signed char)(m->body[i].size + 1);
    const char *path = hol_arena_print(c->spec->draft, "bodies.%s", s->name);
    hol_status st = path ? set_up(c, e, s->value, path, &(extras){.com = s->com}) : HOL_ERR_MEMORY;
    m->n_elements += !st;
    return st;
}

static const char *section(hol_role role)
{
    static const char *const names[HOL_ROLES] = {"bodies", "joints", "drivers", "constraints", "forces"};
    return names[role];
}

// A joint, driver, constraint or force: its ends, the bodies it sees, its place in y, then its set-up.
static hol_status add_element(hol_compiler *c, hol_spec_element *s)
{
    hol_model_data *m = c->m;
    hol_element *e = &m->element[m->n_elements];
    s->path = hol_arena_print(c->spec->draft, "%s.%s", section(s->type->role), s->name);
    const int n_ends = s->n_joints ? 2 * s->n_joints : s->n_ends;
    hol_end *end = hol_arena_alloc(c->spec->arena, (size_t)n_ends, sizeof *end);
    hol_marker *marker = hol_arena_alloc(c->spec->hot, (size_t)n_ends, sizeof *marker);
    hol_measured_formula formula;
    extras x = {.n_joints = s->n_joints};
    if (!s->path || !end || !marker) return HOL_ERR_MEMORY;
    for (int i = 0; i < n_ends; i++) end[i] = (hol_end){.place = -1, .marker = &marker[i]};
    e->type = s->type;
    e->name = s->name;
    e->at = s->at;
    e->end = end;
    e->n_ends = (signed char)n_ends;
    e->loop = s->loop;
    const int twin = hol_names_find(c->others, s->name);
    if (twin >= 0 && same_place(s->at, m->element[twin].at))
        return same_for_all(m, s->name_at, m->element[twin].at, section(s->type->role), s->name);
    if (twin >= 0 || hol_names_find(c->bodies, s->name) >= 0)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->name_at,
                           "%s: the name is taken by %s.%s in line %d; result columns need different names",
                           s->path, twin >= 0 ? section(m->element[twin].type->role) : "bodies", s->name,
                           twin >= 0 ? m->element[twin].at.line
                                     : m->body[hol_names_find(c->bodies, s->name)].at.line);
    hol_status st = HOL_OK;
    for (int i = 0; i < s->n_joints && !st; i++) st = take_coupled(c, s, i, e, &x.joint_type[i]);
    if (s->joint) st = take_driven(c, s, e);
    for (int i = 0; i < s->n_ends && !st && !s->joint; i++) st = resolve_end(c, s, i, &end[i]);
    if (!st && s->type->role == HOL_ROLE_CONSTRAINT) {
        st = hol_compile_constraint(c, s, e, &formula);
        x.formula = &formula;
    } else if (!st)
        st = lay_out(c, s, e);
    if (!st) st = set_up(c, e, s->value, s->path, &x);
    if (!st && s->n_joints && s->type->role == HOL_ROLE_JOINT)
        e->n_ends = 0; // no place at which a force of it could be told
    if (!st) st = hol_compile_inputs(c, s, e);
    if (st) return st;
    if (hol_names_add(c->others, s->name, m->n_elements)) return HOL_ERR_MEMORY;
    if (e->type->edges) m->has_edges = true;
    m->n_elements++;
    return HOL_OK;
}

// ---- scales and checks ----------------------------------------------------------------------------------------

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// Largest distance between two places on each body: markers and joint ends.
static void find_lengths(const hol_compiler *c)
{
    static const double zero[3] = {0, 0, 0};
    hol_model_data *m = c->m;
    for (int i = 0; i < m->n_bodies; i++) {
        const hol_marker_info *k = &m->marker[m->body[i].marker];
        for (int a = 0; a < m->body[i].n_markers; a++)
            for (int b = a + 1; b < m->body[i].n_markers; b++) {
                if (b > a + 50) break; // enough to know the size of a body with thousands of markers
                m->body[i].length = fmax(m->body[i].length, distance(k[a].marker.s, k[b].marker.s));
            }
    }
    for (int i = m->n_bodies; i < m->n_elements; i++)
        for (int k = 0; k < m->element[i].n_ends; k++) {
            const hol_end *end = &m->element[i].end[k];
            if (end->body < 0) continue;
            hol_body *b = &m->body[end->body];
            b->length = fmax(b->length, distance(end->marker->s, zero));
        }
}

// The longest body, or how far bodies are apart where none has two places.
static double default_length(const hol_compiler *c)
{
    const hol_model_data *m = c->m;
    double longest = 0;
    for (int i = 0; i < m->n_bodies; i++) longest = fmax(longest, m->body[i].length);
    if (longest > 0) return longest;
    double lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
    for (int i = 0; i < m->n_bodies; i++)
        for (int k = 0; k < m->dimension; k++) {
            lo[k] = fmin(lo[k], m->q0[m->body[i].q + k]);
            hi[k] = fmax(hi[k], m->q0[m->body[i].q + k]);
        }
    longest = distance(lo, hi);
    return longest > 0 ? longest : 1;
}

static hol_status index_rows(hol_compiler *c)
{
    hol_model_data *m = c->m;
    m->row_element = hol_arena_alloc(c->spec->arena, (size_t)m->nc + 1, sizeof *m->row_element);
    if (!m->row_element) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_elements; i++)
        for (int k = 0; k < m->element[i].n_rows; k++) m->row_element[m->element[i].row + k] = i;
    return HOL_OK;
}

// What only the compiler needs goes back as soon as it can.
static void drop_bodies(hol_spec *spec)
{
    hol_arena_destroy(spec->body_draft);
    spec->body_draft = NULL;
    spec->body = NULL;
}

static void drop_elements(hol_spec *spec)
{
    hol_arena_destroy(spec->draft);
    spec->draft = NULL;
    spec->element = NULL;
    hol_memory_trim(); // about half of what a large model took
}

// The order of it all: bodies, markers, bodies' elements, other elements, users' equations.
static hol_status compile(hol_compiler *c)
{
    hol_model_data *m = c->m;
    const hol_spec *spec = c->spec;
    hol_status st = number_bodies(c);
    if (!st) st = add_markers(c);
    if (st) return st;
    for (int i = 0, k = 0; i < m->n_bodies; i++) {
        m->body[i].marker = k;
        m->body[i].n_markers = 1 + spec->body[i]->n_markers;
        k += m->body[i].n_markers;
        st = index_markers(c, m->body[i].marker, k, &m->body[i].marker_names);
        if (st) return st;
    }
    st = index_markers(c, m->ground_marker, m->n_markers, &m->ground_names);
    if (st) return st;
    m->element =
        hol_arena_alloc(spec->arena, (size_t)(spec->n_bodies + spec->n_elements), sizeof *m->element);
    if (!m->element) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies && !st; i++) st = add_body_element(c, i);
    drop_bodies(c->spec);
    if (!st) st = hol_compile_names(c);
    for (int i = 0; i < spec->n_elements && !st; i++) st = add_element(c, spec->element[i]);
    if (!st) st = index_rows(c);
    if (!st) st = hol_compile_equations(c);
    find_lengths(c);
    m->length_scale = spec->length_scale > 0 ? spec->length_scale : default_length(c);
    m->time_scale = spec->time_scale;
    return st;
}

static const char *body_name(const void *model, int body)
{
    return ((const hol_model_data *)model)->body[body].name;
}

static const char *element_name(const void *model, int element)
{
    return ((const hol_model_data *)model)->element[element].name;
}

hol_model_data *hol_model_compile(hol_spec *spec)
{
    hol_model_data *m = hol_arena_alloc(spec->arena, 1, sizeof *m);
    hol_compiler c = {.m = m,
                      .spec = spec,
                      .bodies = hol_names_create_of(spec->ctx, body_name, m),
                      .others = hol_names_create_of(spec->ctx, element_name, m),
                      .quantities = hol_names_create_in(spec->ctx, spec->draft)};
    hol_status st = HOL_ERR_MEMORY;
    if (m && c.bodies && c.others && c.quantities) {
        m->ctx = spec->ctx;
        m->spec = spec;
        m->title = spec->title;
        m->dimension = spec->reader.dimension;
        m->body_names = c.bodies;
        m->element_names = c.others;
        st = compile(&c);
    }
    if (!st) {
        drop_elements(spec);
        return m;
    }
    hol_names_destroy(c.bodies);
    hol_names_destroy(c.others);
    hol_spec_destroy(spec);
    return NULL;
}

void hol_model_free(hol_model_data *m)
{
    if (!m) return;
    hol_names_destroy(m->body_names);
    hol_names_destroy(m->element_names);
    hol_spec_destroy(m->spec);
}
