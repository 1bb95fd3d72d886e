// From a spec to a model: resolve names, number coordinates, rows and memory, set the elements up.
#include "model/compile.h"
#include "element/contact.h"
#include "element/coordinate.h"
#include "linalg/dense.h"
#include "model/contacts.h"
#include "model/laws.h"
#include "model/swarm.h"

#include <assert.h>
#include <math.h>
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
    const char *p = hol_src_path(a), *q = hol_src_path(b);
    if (a.line != b.line || a.col != b.col || strcmp(a.file, b.file) != 0) return false;
    return !p || strcmp(p, q) == 0;
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
    const size_t length = hol_body_length(&c->spec->subsystems, s->relative_at, s->relative_to);
    const char *dot = s->relative_to[length] ? s->relative_to + length : NULL, *wanted = dot ? dot + 1 : NULL;
    const char *body = dot ? hol_arena_copy(arena, s->relative_to, length) : s->relative_to;
    const char *path = hol_arena_print(arena, "bodies.%s.relative_to", s->name);
    if (!body || !path) return HOL_ERR_MEMORY;
    const int i = hol_names_find_at(c->bodies, s->relative_at, body);
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
    if (at.file != first.file && !hol_src_path(at))
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
    unsigned char *given = hol_arena_alloc(spec->arena, (size_t)spec->n_bodies, sizeof *given);
    bool weighted = false;
    for (int i = 0; i < spec->n_bodies; i++) weighted = weighted || spec->body[i]->weight != 1;
    double *weight = hol_arena_alloc(spec->arena, weighted ? (size_t)spec->n_bodies : 1, sizeof *weight);
    c->exact = hol_arena_alloc(spec->draft, (size_t)spec->n_bodies, sizeof *c->exact);
    c->carried = hol_arena_alloc(spec->draft, 9 * (size_t)spec->n_bodies, sizeof *c->carried);
    if (!m->body || !given || !weight || !c->exact || !c->carried) return HOL_ERR_MEMORY;
    memset(c->carried, 0, 9 * (size_t)spec->n_bodies * sizeof *c->carried);
    for (int i = 0; i < spec->n_bodies; i++) {
        const hol_spec_body *s = spec->body[i];
        hol_body *b = &m->body[i];
        char place[HOL_PLACE];
        const int twin = hol_names_find(c->bodies, s->name);
        if (twin >= 0 && same_place(s->at, spec->body[twin]->at))
            return same_for_all(m, s->name_at, spec->body[twin]->name_at, "bodies", s->name);
        if (twin >= 0)
            return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->name_at,
                               "bodies.%s: the name is given twice, first in %s; rename one of them", s->name,
                               hol_src_text(spec->body[twin]->name_at, place));
        hol_status st = make_global(c, spec->body[i]);
        if (st) return st;
        if (hol_names_add(c->bodies, s->name, i)) return HOL_ERR_MEMORY;
        b->name = s->name;
        b->at = s->at;
        b->frame = s->type->frame;
        b->q = m->nq;
        b->size = hol_frame_size(b->frame, m->dimension);
        m->nq += b->size;
        given[i] = s->given;
        if (weighted) weight[i] = s->weight;
        c->exact[i] = s->exact;
    }
    m->given = c->given = given;
    m->weight = weighted ? weight : NULL;
    m->q0 = hol_arena_alloc(spec->arena, (size_t)m->nq, sizeof *m->q0);
    m->v0 = hol_arena_alloc(spec->arena, (size_t)m->nq, sizeof *m->v0);
    if (!m->q0 || !m->v0) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies; i++)
        initial_state(spec->body[i], &m->body[i], m->q0 + m->body[i].q, m->v0 + m->body[i].q);
    return HOL_OK;
}

// The start where bodies begin elsewhere than they are drawn, into q and v (nq): elements are of what is drawn.
static hol_status pose_bodies(hol_compiler *c, double **q, double **v)
{
    const hol_spec *spec = c->spec;
    const hol_model_data *m = c->m;
    const size_t nq = (size_t)m->nq;
    if (!spec->n_poses) return HOL_OK;
    *q = hol_arena_alloc(spec->arena, nq, sizeof **q);
    *v = hol_arena_alloc(spec->arena, nq, sizeof **v);
    if (!*q || !*v) return HOL_ERR_MEMORY;
    memcpy(*q, m->q0, nq * sizeof **q);
    memcpy(*v, m->v0, nq * sizeof **v);
    for (int i = spec->n_poses - 1; i >= 0; i--) { // what outer files say comes last and holds
        const hol_spec_pose *p = &spec->pose[i];
        int body;
        const hol_status st = hol_find_body(c, p->body, p->at, "pose", &body);
        if (st) return st;
        hol_spec_body begun = *spec->body[body];
        if ((p->turned || p->moving & HOL_OF_OMEGA) && m->body[body].frame == HOL_FRAME_POINT)
            return hol_fail_at(m->ctx, HOL_ERR_MODEL, p->at,
                               "pose.%s: a point is not turned: give its position", p->body);
        if (p->position_given) memcpy(begun.position, p->position, sizeof begun.position);
        if (p->turned) {
            memcpy(begun.quat, p->quat, sizeof begun.quat);
            begun.angle = p->angle;
        }
        if (p->moving & HOL_OF_VELOCITY) memcpy(begun.velocity, p->velocity, sizeof begun.velocity);
        if (p->moving & HOL_OF_OMEGA) memcpy(begun.omega, p->omega, sizeof begun.omega);
        c->given[body] |=
            p->moving | (p->position_given ? HOL_OF_POSITION : 0) | (p->turned ? HOL_OF_ORIENTATION : 0);
        initial_state(&begun, &m->body[body], *q + m->body[body].q, *v + m->body[body].q);
    }
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
    hol_mirror joint_mirror[HOL_MAX_JOINTS];
} extras;

// How the file of an element stands in the model.
static void place_setup(const hol_element *e, hol_setup *in)
{
    in->mirror = e->mirror;
    hol_place_point(e->at, in->place);
    for (int i = 0; i < 9; i++) in->axes[i] = in->turns[i] = i % 4 == 0;
    (void)hol_place_axes(e->at, false, in->axes);
    (void)hol_place_axes(e->at, true, in->turns);
}

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
    place_setup(e, &in);
    memcpy(in.joint_mirror, x->joint_mirror, sizeof in.joint_mirror);
    if (x->com) memcpy(in.com, x->com, sizeof in.com);
    hol_status lost = HOL_OK;
    in.status = &lost;
    hol_status st = e->type->setup(&in, scratch, e);
    if (!st) st = lost;
    // what is read at every step stands close together in memory
    const size_t size = e->type->data_used ? e->type->data_used(scratch) : e->type->data_size;
    void *data = hol_arena_alloc(c->spec->hot, 1, size);
    if (!data) return HOL_ERR_MEMORY;
    memcpy(data, scratch, size);
    e->data = data;
    e->all_rows = (unsigned char)e->n_rows & 15;
    e->all_rates = (unsigned char)e->n_rates & 15;
    e->mem = m->n_mem;
    m->n_mem += e->n_mem + hol_element_held(e);
    m->n_mem += HOL_TURNS_SIZE * hol_joint_turns(e, m->dimension, NULL);
    e->flipped = m->dimension == 3 && hol_joint_is_flipped(e, y);
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

// A body that rotors turn with has their inertia in its own: else kinetic energy would be negative in some motion.
static hol_status check_rotor(hol_compiler *c, const hol_element *e, const hol_spec_element *s)
{
    const hol_end *end = &e->end[0];
    if (s->type != &hol_force_rotor || !s->value[1].given || end->body < 0) return HOL_OK;
    const double gear = s->value[1].num, J = s->value[0].num / (gear * gear), *u = end->marker->u[2];
    double *carried = c->carried + 9 * (size_t)end->body, moment[3];
    hol_inertia b;
    c->m->element[end->body].type->inertia(c->m->element[end->body].data, &b);
    for (int i = 0; i < 9; i++) {
        carried[i] += c->m->dimension == 2 ? (i == 8 ? J : 0) : J * u[i / 3] * u[i % 3];
        b.J[i] -= carried[i];
    }
    const hol_status st = hol_dense_eigen_symmetric(c->m->ctx, 3, b.J, false, moment);
    if (st || moment[0] >= -1e-12 * fabs(moment[2])) return st;
    return hol_fail_at(
        c->m->ctx, HOL_ERR_MODEL, s->at,
        "%s: the rotor of %.6g kg m^2 turns with \"%s\", whose inertia about the joint's axis "
        "must hold those of all rotors that do; give that body more, or count as if it did not "
        "turn: `rotor: classic` beside `armature`, no `gear` of a force",
        s->path, J, c->m->element[end->body].name);
}

// A joint, driver, constraint or force: its ends, the bodies it sees, its place in y, then its set-up.
hol_status hol_add_element(hol_compiler *c, hol_spec_element *s)
{
    hol_model_data *m = c->m;
    hol_element *e = &m->element[m->n_elements];
    const char *list = s->type == &hol_force_contact ? "contacts" : hol_role_lists[s->type->role];
    s->path = s->hold ? hol_arena_print(c->spec->draft, "exact %s", s->name)
                      : hol_arena_print(c->spec->draft, "%s.%s", list, s->name);
    const int n_ends = s->n_joints ? 2 * s->n_joints : s->n_ends;
    hol_end *end = hol_arena_alloc(c->spec->arena, (size_t)n_ends, sizeof *end);
    hol_marker *marker = hol_arena_alloc(c->spec->hot, (size_t)n_ends, sizeof *marker);
    hol_measured_formula formula;
    extras x = {.n_joints = s->n_joints};
    char place[HOL_PLACE];
    if (!s->path || !end || !marker) return HOL_ERR_MEMORY;
    for (int i = 0; i < n_ends; i++) end[i] = (hol_end){.place = -1, .marker = &marker[i]};
    e->type = s->type;
    e->name = s->name;
    e->at = s->at;
    e->mirror = hol_mirror_at(s->at);
    e->end = end;
    e->n_ends = (signed char)n_ends;
    e->loop = s->loop;
    e->idle = s->idle;
    const int twin = s->hold ? -1 : hol_names_find(c->others, s->name);
    if (twin >= 0 && same_place(s->at, m->element[twin].at))
        return same_for_all(m, s->name_at, m->element[twin].at, hol_role_lists[s->type->role], s->name);
    if (twin >= 0 || (!s->hold && hol_names_find(c->bodies, s->name) >= 0))
        return hol_fail_at(
            m->ctx, HOL_ERR_MODEL, s->name_at,
            "%s: the name is taken by %s.%s in %s; result columns need different names", s->path,
            twin >= 0 ? hol_role_lists[m->element[twin].type->role] : "bodies", s->name,
            hol_src_text(twin >= 0 ? m->element[twin].at : m->body[hol_names_find(c->bodies, s->name)].at,
                         place));
    hol_status st = HOL_OK;
    for (int i = 0; i < s->n_joints && !st; i++)
        st = hol_take_coupled(c, s, i, e, &x.joint_type[i], &x.joint_mirror[i]);
    if (s->n_joints == 1) e->mirror = x.joint_mirror[0] & (HOL_MIRROR_AXES | HOL_MIRROR_TURNS);
    if (s->joint) st = hol_take_driven(c, s, e);
    for (int i = 0; i < s->n_ends && !st && !s->joint; i++) st = hol_resolve_end(c, s, i, &end[i]);
    if (!st && s->type->role == HOL_ROLE_CONSTRAINT) {
        st = hol_compile_constraint(c, s->value[0].formula[0], s->path, HOL_USE_HELD, e, &formula);
        x.formula = &formula;
    } else if (!st)
        st = hol_lay_out(c, s, e);
    if (!st) st = set_up(c, e, s->value, s->path, &x);
    if (!st) st = check_rotor(c, e, s);
    if (!st && s->n_joints && (s->type->role == HOL_ROLE_JOINT || s->type->mass))
        e->n_ends = 0;                       // no place at which a force of it could be told
    if (!st && s->n_ends > 2) e->n_ends = 2; // the third one lends its axes
    if (!st) st = hol_compile_inputs(c, s, e);
    if (st) return st;
    if (!s->hold && hol_names_add(c->others, s->name, m->n_elements)) return HOL_ERR_MEMORY;
    if (e->type->edges) m->has_edges = true;
    m->n_elements++;
    return HOL_OK;
}

hol_status hol_add_coordinate(hol_compiler *c, const hol_formula *f, const char *path, hol_use use,
                              hol_element *e)
{
    hol_measured_formula formula;
    bool rates = false;
    hol_status st = hol_compile_constraint(c, f, path, use, e, &formula);
    for (int i = 0; i < f->n_leaves && !st; i++) rates = rates || hol_measured_level(&formula.leaf[i]) > 0;
    e->type = rates ? &hol_constraint_velocity : &hol_constraint_position;
    e->at = f->at;
    return st ? st : set_up(c, e, NULL, path, &(extras){.formula = &formula});
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
    for (int i = 0; i < m->n_swarms; i++)
        for (int k = 0; k < m->swarm[i].n_balls; k++) {
            const hol_swarm_shape *s = &m->swarm[i].shape[k];
            if (s->body >= 0) m->body[s->body].length = fmax(m->body[s->body].length, distance(s->s, zero));
        }
}

// A box about places.
typedef struct {
    int n;
    double lo[3], hi[3];
} box;

static void enlarge(box *b, int dimension, const double *place)
{
    for (int k = 0; k < dimension; k++) {
        b->lo[k] = b->n ? fmin(b->lo[k], place[k]) : place[k];
        b->hi[k] = b->n ? fmax(b->hi[k], place[k]) : place[k];
    }
    b->n++;
}

// Is the distance of the ends of an element one of the model, and not a coordinate that is drawn?
static bool is_apart(const hol_element *e, int dimension)
{
    return !e->type->joints &&
           (e->type->role == HOL_ROLE_FORCE || e->type->named[dimension - 2] == hol_coordinates_length);
}

// How far a place is from a box.
static double distance_to(const box *b, int dimension, const double *place)
{
    double sum = 0;
    for (int k = 0; k < dimension; k++)
        sum += pow(fmax(0, fmax(b->lo[k] - place[k], place[k] - b->hi[k])), 2);
    return sqrt(sum);
}

// The extent of bodies and of the ends on ground that are not farther from all of them than `near`.
static double extent(const hol_model_data *m, double near)
{
    box bodies = {.n = 0};
    for (int i = 0; i < m->n_bodies; i++) enlarge(&bodies, m->dimension, m->q0 + m->body[i].q);
    box all = bodies;
    for (int i = m->n_bodies; i < m->n_elements; i++)
        for (int k = 0; k < m->element[i].n_ends && is_apart(&m->element[i], m->dimension); k++) {
            const hol_end *end = &m->element[i].end[k];
            if (end->body < 0 && distance_to(&bodies, m->dimension, end->marker->s) <= near)
                enlarge(&all, m->dimension, end->marker->s);
        }
    return distance(all.lo, all.hi);
}

#define BESIDE 0.01 // of the whole: bodies that are nearer together are drawn beside each other

// The longest body. Where none has two places, how far bodies and what they hang on are apart, wherever the origin is, without what is farther
// off than they are from each other; 1 m where all is one place.
static double default_length(const hol_compiler *c)
{
    const hol_model_data *m = c->m;
    double longest = 0;
    for (int i = 0; i < m->n_bodies; i++) longest = fmax(longest, m->body[i].length);
    if (longest > 0) return longest;
    const double bodies = extent(m, -1), whole = extent(m, HOL_INF);
    longest = bodies > BESIDE * whole ? extent(m, bodies) : whole;
    return longest > 0 ? longest : 1;
}

// Rows of what acts at the start; a force that does not has a place in the memory that says so.
static hol_status index_rows(hol_compiler *c)
{
    hol_model_data *m = c->m;
    int most = 0;
    for (int i = 0; i < m->n_elements; i++) {
        hol_element *e = &m->element[i];
        most += e->all_rows;
        if (!e->idle) continue;
        e->gate = 1 + m->n_mem++;
        m->n_switched += e->all_rows + e->all_rates > 0;
        m->n_stops += e->type == &hol_joint_stop;
    }
    for (int i = 0; i < m->n_holds; i++) most += m->element[m->n_elements + i].all_rows;
    m->row_element = hol_arena_alloc(c->spec->arena, (size_t)most + 1, sizeof *m->row_element);
    if (!m->row_element) return HOL_ERR_MEMORY;
    hol_model_number_rows(m, NULL);
    for (int i = 0, row = m->nc, rate = m->nk; i < m->n_holds; i++) {
        hol_element *e = &m->element[m->n_elements + i];
        e->row = row;
        e->rate = rate;
        for (int k = 0; k < e->n_rows; k++) m->row_element[row++] = m->n_elements + i;
        rate += e->n_rates;
    }
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

// The laws of a joint act with it. What has inertia is always there.
static hol_status take_laws(hol_compiler *c, int joint, const hol_spec_element *s)
{
    hol_model_data *m = c->m;
    hol_element *e = &m->element[joint];
    e->n_laws = (unsigned char)(m->n_elements - 1 - joint) & 15;
    for (int i = 1; i <= e->n_laws && e->idle; i++) {
        if (e[i].type->mass)
            return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->at, HOL_INERTIA_STAYS, s->path, e->name);
        e[i].idle = true;
    }
    return HOL_OK;
}

static const char *spec_name(const void *spec, int element)
{
    return ((const hol_spec *)spec)->element[element]->name;
}

// Behind which element the i-th one can be made: itself, or the last of the joints that it names. *couplers: one of them couples joints.
static int made_behind(const hol_spec *spec, const hol_names *names, int i, bool *couplers)
{
    const hol_spec_element *e = spec->element[i];
    int behind = i;
    *couplers = false;
    for (int k = 0; k < e->n_joints; k++) {
        const int at = hol_names_find_at(names, e->coupled[k].at, e->coupled[k].name);
        if (at > behind) behind = at;
        *couplers = *couplers || (at >= 0 && spec->element[at]->n_joints);
    }
    return behind;
}

// Couplers that stand above their joints come right behind the last of these, those that name couplers, which are refused then, behind
// all; everything else stays in its order.
static hol_status order_elements(hol_compiler *c)
{
    hol_spec *spec = c->spec;
    const int n = spec->n_elements;
    hol_names *names = hol_names_create_of(spec->ctx, spec_name, spec);
    int *first = hol_arena_alloc(spec->draft, (size_t)n + 1, sizeof *first), k = 0;
    int *next = hol_arena_alloc(spec->draft, (size_t)n + 1, sizeof *next);
    hol_spec_element **sorted = hol_arena_alloc(spec->draft, (size_t)n, sizeof *sorted);
    hol_status st = names && first && next && sorted ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++)
        if (hol_names_find(names, spec->element[i]->name) < 0)
            st = hol_names_add(names, spec->element[i]->name, i);
    for (int i = 0; i <= n && !st; i++) first[i] = -1; // of those that come behind it
    for (int i = n - 1; i >= 0 && !st; i--) {
        bool couplers;
        int behind = made_behind(spec, names, i, &couplers);
        if (couplers) behind = n;
        next[i] = behind == i ? i : first[behind];
        if (behind != i) first[behind] = i;
    }
    for (int i = 0; i <= n && !st; i++) {
        if (i < n && next[i] == i) sorted[k++] = spec->element[i];
        for (int a = first[i]; a >= 0; a = next[a]) sorted[k++] = spec->element[a];
    }
    for (int i = 0; i < n && !st; i++) spec->element[i] = sorted[i];
    hol_names_destroy(names);
    return st;
}

// An expression may be of any size, as one in square millimetres: its natural size is how much it changes with the coordinates as drawn,
// where that is more than ten times a length, or less than a tenth.
static void size_constraints(hol_model_data *m)
{
    for (int i = 0; i < m->n_elements; i++) {
        hol_element *e = &m->element[i];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_Y];
        double most = 0;
        if (e->type != &hol_constraint_position) continue;
        hol_element_gather(m, e, 0, m->q0, NULL, 0, y, w);
        e->type->phi(e->data, e->ny, y, NULL, NULL, J);
        for (int b = 0, at = 0; b < e->n_bodies; at += m->body[e->body[b++]].size)
            for (int k = 0; k < m->body[e->body[b]].size; k++)
                most = fmax(most, fabs(hol_re(J[at + k])) * hol_model_coordinate_size(m, e->body[b], k));
        const double decade = log10(most / m->length_scale);
        if (isfinite(decade) && fabs(decade) > 1)
            e->decade = (signed char)fmax(-100, fmin(100, round(decade)));
    }
}

// The order of it all: bodies, markers, bodies' elements, other elements, users' equations.
static hol_status compile(hol_compiler *c)
{
    hol_model_data *m = c->m;
    const hol_spec *spec = c->spec;
    double *q = NULL, *v = NULL;
    int contacts = 0;
    hol_status st = number_bodies(c);
    if (!st) st = pose_bodies(c, &q, &v);
    if (!st) st = hol_add_markers(c);
    if (st) return st;
    for (int i = 0, k = 0; i < m->n_bodies; i++) {
        m->body[i].marker = k;
        m->body[i].n_markers = 1 + spec->body[i]->n_markers;
        k += m->body[i].n_markers;
        st = hol_index_markers(c, m->body[i].marker, k, &m->body[i].marker_names);
        if (st) return st;
    }
    st = hol_index_markers(c, m->ground_marker, m->n_markers, &m->ground_names);
    if (st) return st;
    st = hol_find_contacts(c, &contacts);
    if (st) return st;
    m->element = hol_arena_alloc(
        spec->arena,
        (size_t)(spec->n_bodies + spec->n_elements + spec->n_laws + contacts + hol_most_holds(c)),
        sizeof *m->element);
    if (!m->element) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies && !st; i++) st = add_body_element(c, i);
    drop_bodies(c->spec);
    if (!st) st = hol_compile_names(c);
    for (int i = 0; i < spec->n_elements && !st; i++)
        if (spec->element[i]->type->role == HOL_ROLE_JOINT && spec->element[i]->n_joints) {
            st = order_elements(c);
            break;
        }
    for (int i = 0; i < spec->n_elements && !st; i++) {
        st = hol_add_element(c, spec->element[i]);
        const int joint = m->n_elements - 1;
        if (!st && spec->element[i]->n_laws) st = hol_compile_laws(c, spec->element[i]);
        if (!st) st = take_laws(c, joint, spec->element[i]);
    }
    if (!st) st = hol_add_contacts(c);
    if (!st) st = hol_add_holds(c);
    if (!st) st = index_rows(c);
    if (!st) st = hol_compile_equations(c);
    if (!st) st = hol_compile_linearise(c);
    if (!st) st = hol_compile_requires(c);
    if (!st) st = hol_compile_turns(c);
    find_lengths(c);
    m->length_scale = spec->length_scale > 0 ? spec->length_scale : default_length(c);
    m->time_scale = spec->time_scale;
    m->drawn_q = m->q0;
    if (q) m->q0 = q;
    if (v) m->v0 = v;
    if (!st) st = hol_look_driven_turns(c);
    m->start_q = m->q0;
    if (!st) size_constraints(m);
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
