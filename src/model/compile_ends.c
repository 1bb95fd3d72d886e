// Markers, and the ends of elements: names and drawn frames to markers of bodies, and which coordinates an element takes.
#include "model/compile.h"
#include "element/coordinate.h"
#include "element/joint_motion.h"
#include "text/characters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAME 1e-9 // a frame, in parts of its way from the origin, and its axes

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
    axes.file = c->m->dimension == 2 ? s->file : 0;
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
hol_status hol_index_markers(const hol_compiler *c, int first, int last, hol_names **out)
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
hol_status hol_add_markers(hol_compiler *c)
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

// ---- ends -----------------------------------------------------------------------------------------------------

hol_status hol_find_body(const hol_compiler *c, const char *name, hol_src at, const char *path, int *body)
{
    const char *own = name;
    *body = -1;
    (void)hol_outside(at, &own);
    if (strcmp(own, "ground") == 0) return HOL_OK;
    *body = hol_names_find_at(c->bodies, at, name);
    if (*body >= 0) return HOL_OK;
    hol_choice o;
    hol_choice_start(&o, own);
    hol_choice_offer(&o, "ground");
    for (int i = 0; i < c->m->n_bodies; i++) hol_choice_offer(&o, hol_seen_name(at, c->m->body[i].name));
    const int joint = c->others ? hol_names_find_at(c->others, at, name) : -1;
    if (joint < 0) return hol_choice_fail(c, at, path, "there is no body", name, &o);
    return hol_fail_at(
        c->m->ctx, HOL_ERR_MODEL, at,
        "%s: there is no body \"%s\": it is a joint, a driver or a force; name the bodies or markers "
        "at its ends, as in AZ(body2, body1)",
        path, name);
}

// Markers on ground are those of the file first, then those of the files around it.
static int find_marker(const hol_model_data *m, int body, const hol_spec_end *s)
{
    const char *name = s->body, *marker = s->marker;
    const hol_src at = hol_outside(s->at, &name);
    for (const hol_subsystem *of = body < 0 ? hol_subsystem_at(at) : NULL; of; of = hol_subsystem_outer(of)) {
        char full[500];
        const int n = snprintf(full, sizeof full, "%s%s", of->prefix, marker);
        const int k = n < (int)sizeof full ? hol_model_find_marker(m, -1, full) : -1;
        if (k >= 0) return k;
    }
    return hol_model_find_marker(m, body, marker);
}

hol_status hol_find_marker(const hol_compiler *c, int body, const hol_spec_end *s, const char *path, int *out)
{
    const hol_model_data *m = c->m;
    const int first = body < 0 ? m->ground_marker : m->body[body].marker;
    const int last = body < 0 ? m->n_markers : first + m->body[body].n_markers;
    hol_choice o;
    *out = find_marker(m, body, s);
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
static hol_status drawn_marker(hol_compiler *c, int body, const hol_spec_drawn *drawn, int which,
                               hol_marker *k)
{
    const double *at = drawn->at, *quat = drawn->quat[which];
    const hol_model_data *m = c->m;
    double x[3], R[9], G[9];
    hol_axes axes = {0};
    *k = (hol_marker){.frame = body < 0 ? HOL_FRAME_GROUND : m->body[body].frame,
                      .size = (short)(body < 0 ? 0 : m->body[body].size)};
    axes.file = body < 0 && m->dimension == 2 ? drawn->file : 0;
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

hol_status hol_file_frame(hol_compiler *c, hol_src at, const char *name, hol_marker *out)
{
    static const double zero[3] = {0, 0, 0};
    const hol_subsystem *s = hol_subsystem_at(hol_outside(at, &name));
    hol_spec_marker frame = {.quat = {1, 0, 0, 0}};
    if (s && s->moved) {
        memcpy(frame.position, s->position, sizeof frame.position);
        memcpy(frame.quat, s->quat, sizeof frame.quat);
        frame.file = s->angle;
    }
    return make_marker(c, HOL_FRAME_GROUND, 0, zero, &frame, out);
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

// Is the body of a file around the one of `at`, or of the model file?
static bool is_of_outer_file(hol_src at, hol_src body)
{
    const size_t n = body.by ? strlen(body.by->name) : 0;
    if (!at.by || at.by == body.by) return false;
    return !n || (strncmp(at.by->name, body.by->name, n) == 0 && at.by->name[n] == '.');
}

// Is the body drawn in another frame than that of the file of `at`, but for axes that a mirror turns around?
static bool is_drawn_elsewhere(const hol_model_data *m, hol_src at, int body)
{
    double origin[3] = {0}, axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, com[3], x[3], R[9], way = 0, turn = 0,
           far = 0;
    hol_place_point(at, origin);
    (void)hol_place_axes(at, false, axes);
    hol_model_com(m, body, com);
    drawn_pose(m, body, x, R);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double both = 0;
            for (int k = 0; k < 3; k++) both += axes[3 * k + i] * R[3 * k + j];
            if (i != j) turn = fmax(turn, fabs(both));
            x[i] -= R[3 * i + j] * com[j];
        }
        way = fmax(way, fabs(x[i] - origin[i]));
        far = fmax(far, fabs(x[i]));
    }
    return turn > SAME || way > SAME * far;
}

// A point of such a body reads as one of the file, which it is not.
static void tell_outer_point(const hol_compiler *c, const hol_spec_element *s, const hol_spec_end *given,
                             int body)
{
    const bool meant = strncmp(given->body, "../", 3) == 0;
    if (!meant && is_of_outer_file(given->at, c->m->body[body].at) &&
        is_drawn_elsewhere(c->m, given->at, body))
        hol_note_at(
            c->m->ctx, HOL_WARNING, given->at,
            "%s: this point of \"%s\", a body of a file around this one, is in the frame of that "
            "body, which is drawn elsewhere than this file is put (`at` does not move the point, `mirror` "
            "mirrors it). Name a marker of the body, or give this file a massless "
            "body with "
            "the point, fixed to the other one by `bodies` and `at`; \"../%s\" says that it is meant so",
            s->path, given->body, given->body);
}

// The body and marker that end i of an element names, or the one that is drawn there; a point mass has no
// other place and no axes.
hol_status hol_resolve_end(hol_compiler *c, const hol_spec_element *s, int i, hol_end *end)
{
    const hol_spec_end *given = &s->end[i];
    hol_model_data *m = c->m;
    static const double zero[3] = {0, 0, 0};
    hol_status st = hol_find_body(c, given->body, given->at, s->path, &end->body);
    if (st) return st;
    if (s->drawn && i < 2)
        st = drawn_marker(c, end->body, s->drawn, i, end->marker);
    else if (given->marker) {
        st = hol_find_marker(c, end->body, given, s->path, &end->place);
        if (!st) *end->marker = m->marker[end->place].marker;
    } else if (end->body < 0 && !given->local)
        st = hol_file_frame(c, given->at, given->body, end->marker);
    else if (end->body < 0)
        st = make_marker(c, ground_frame(given->local), 0, zero, given->local, end->marker);
    else {
        tell_outer_point(c, s, given, end->body);
        st = local_marker(c, end->body, given->local, end->marker);
    }
    if (st) return st;
    const bool off = end->marker->s[0] != 0 || end->marker->s[1] != 0 || end->marker->s[2] != 0;
    if (end->marker->frame == HOL_FRAME_POINT && off) {
        // a point mass is where its joints are: the drawn frame must be there too
        const double far = fabs(end->marker->s[0]) + fabs(end->marker->s[1]) + fabs(end->marker->s[2]);
        if (!s->drawn || i > 1 || far > 1e-9)
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
                                  hol_src at, hol_element *e, int first, const hol_element_type **type,
                                  hol_mirror *mirror)
{
    const hol_model_data *m = c->m;
    const int k = hol_names_find_at(c->others, at, joint);
    if (k < 0 || m->element[k].type->role != HOL_ROLE_JOINT) {
        hol_choice o;
        hol_choice_start(&o, joint);
        for (int i = m->n_bodies; i < m->n_elements; i++)
            if (m->element[i].type->role == HOL_ROLE_JOINT)
                hol_choice_offer(&o, hol_seen_name(at, m->element[i].name));
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
    *mirror = hol_mirror_seen(m->element[k].at, at);
    e->turned = (*mirror ^ hol_mirror_seen(m->element[k].at, (hol_src){0})) & HOL_MIRROR_TURNS;
    if (type) *type = m->element[k].type;
    return HOL_OK;
}

// A driver of a coordinate that its joint holds can only agree with the joint or contradict it.
static hol_status refuse_held(const hol_compiler *c, const hol_spec_element *s)
{
    const hol_model_data *m = c->m;
    const hol_element *joint = &m->element[hol_names_find_at(c->others, s->joint_at, s->joint)];
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

// A joint whose angles are none that a driver of an angle prescribes: of universal joints that would be the sum of both.
static hol_status refuse_other_angles(const hol_compiler *c, const hol_spec_element *s)
{
    const hol_model_data *m = c->m;
    const hol_element *joint = &m->element[hol_names_find_at(c->others, s->joint_at, s->joint)];
    const hol_joint_coordinate *k = hol_joint_coordinates(joint, m->dimension);
    if (s->type != &hol_driver_angle || !k->name || hol_joint_driven_turn(joint, m->dimension)) return HOL_OK;
    while (k->name && hol_joint_coordinate_level(k) == 0) k++;
    return hol_fail_at(
        m->ctx, HOL_ERR_MODEL, s->joint_at,
        "%s: joint \"%s\" is of type %s, whose coordinates no driver of an angle prescribes; draw it where "
        "it begins, and "
        "hold a rate by a constraint, `velocity: \"%s.%s - (..)\"`, with the rate in place of the dots",
        s->path, s->joint, joint->type->name, s->joint, k->name ? k->name : "rate");
}

hol_status hol_take_driven(const hol_compiler *c, const hol_spec_element *s, hol_element *e)
{
    hol_mirror mirror = 0;
    hol_status st = take_joint_ends(c, s, s->joint, s->joint_at, e, 0, NULL, &mirror);
    e->mirror = mirror & (HOL_MIRROR_AXES | HOL_MIRROR_TURNS);
    for (int i = 0; i < 2 && !st; i++)
        if (e->end[i].marker->frame == HOL_FRAME_POINT && uses_axes(c->m, s->type, i))
            return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, s->joint_at,
                               "%s: joint \"%s\" holds a point mass, it has no angle to drive", s->path,
                               s->joint);
    if (!st) st = refuse_held(c, s);
    return st ? st : refuse_other_angles(c, s);
}

// Does a force in a joint say by itself which coordinate it drives?
static bool names_coordinate(const hol_spec_element *s)
{
    const hol_option *o = hol_option_find(s->type->options, "coordinate");
    return o && s->value[o - s->type->options].given;
}

// A force in a joint of several coordinates, none of which couplers take.
static hol_status ask_for_coordinate(const hol_compiler *c, const hol_spec_element *s, int i,
                                     const hol_element_type *joint)
{
    char known[200];
    const bool length = strcmp(s->type->name, "force") == 0 || strcmp(s->type->name, "joint-force") == 0;
    hol_joint_name_driven(joint, c->m->dimension, length, known, sizeof known);
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, s->coupled[i].at,
                       *known ? "%s: a %s joint has several coordinates: give `coordinate:` (%s)"
                              : "%s: a %s joint has no coordinate that a %s drives",
                       s->path, joint->name,
                       *known   ? known
                       : length ? "force"
                                : "torque");
}

// A coupler or a lock of a joint without the one coordinate that they take.
static hol_status refuse_coupled(const hol_compiler *c, const hol_spec_element *s, hol_src at,
                                 const hol_element_type *joint)
{
    extern const hol_element_type hol_joint_lock;
    const hol_joint_coordinate *own = joint->named[c->m->dimension - 2];
    const bool holds = s->type == &hol_joint_lock,
               several = own && own->name && own != hol_coordinates_length;
    if (holds && several)
        return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, at,
                           "%s.joint: %s %s joint has several coordinates, a lock holds one: let a grip hold "
                           "its bodies",
                           s->path, hol_article(joint->name), joint->name);
    return hol_fail_at(c->m->ctx, HOL_ERR_MODEL, at,
                       "%s: %s %s joint has no coordinate to %s; revolute, %sscrew and translational "
                       "joints have one",
                       s->path, hol_article(joint->name), joint->name, holds ? "hold" : "couple",
                       holds ? "" : "cylindrical, ");
}

// The ends of a joint that a coupler names, which must have a coordinate.
hol_status hol_take_coupled(const hol_compiler *c, const hol_spec_element *s, int i, hol_element *e,
                            const hol_element_type **type, hol_mirror *mirror)
{
    hol_status st = take_joint_ends(c, s, s->coupled[i].name, s->coupled[i].at, e, 2 * i, type, mirror);
    if (st || (*type)->coordinate != HOL_COORDINATE_NONE || names_coordinate(s)) return st;
    if (hol_option_find(s->type->options, "coordinate")) return ask_for_coordinate(c, s, i, *type);
    return refuse_coupled(c, s, s->coupled[i].at, *type);
}

// The element's own coordinates: those of its bodies in the order of its ends, then time.
hol_status hol_lay_out(const hol_compiler *c, const hol_spec_element *s, hol_element *e)
{
    hol_end *end = (hol_end *)e->end;
    const hol_model_data *m = c->m;
    int n = 0;
    for (int i = 0; i < e->n_ends; i++) {
        if (end[i].body < 0) continue;
        int k = 0, at = 0;
        while (k < e->n_bodies && e->body[k] != end[i].body) at += m->body[e->body[k++]].size;
        end[i].marker->iy = (short)at;
        if (k < e->n_bodies && (s->n_joints || i > 1))
            continue; // coupled joints share bodies, and so may axes
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
                           "%s.on: %s %s on ground moves nothing; name a body", s->path,
                           hol_article(e->type->name), e->type->name);
    if (e->n_bodies == 0)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->end[1].at,
                           "%s: both ends are on ground; one must be a body", s->path);
    if (e->n_bodies == 2 && e->body[0] == e->body[1] && !s->n_joints)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, s->end[1].at.line ? s->end[1].at : s->at,
                           "%s: both ends are on the same body \"%s\"; a %s acts between two bodies", s->path,
                           m->body[e->body[0]].name, e->type->role == HOL_ROLE_FORCE ? "force" : "joint");
    return HOL_OK;
}
