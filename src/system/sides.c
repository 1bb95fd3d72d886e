// Elbows and planes of closed loops: found in the joint graph, measured, and reflected.
#include "system/sides.h"

#include "element/coordinate.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define POINT 1e-9 // of the length scale: shorter ways have no direction
#define FLAT 1e-6  // of the largest extent: points that span no plane

// ---- vectors --------------------------------------------------------------------------------------------------

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

// Length 1; false: it has no direction.
static bool normalise(double a[3], double least)
{
    const double length = sqrt(dot(a, a));
    for (int i = 0; i < 3 && length > least; i++) a[i] /= length;
    return length > least;
}

// a less its part along n, and that angle about n from a to b.
static void flatten(const double n[3], double a[3])
{
    const double along = dot(n, a);
    for (int i = 0; i < 3; i++) a[i] -= along * n[i];
}

static double angle_about(const double n[3], const double a[3], const double b[3])
{
    double c[3];
    cross(a, b, c);
    return atan2(dot(n, c), dot(a, b));
}

// ---- places and bodies ----------------------------------------------------------------------------------------

// The origin of an end's marker (HOL_ORIGIN), or one of its axes, in the pose q.
static void look(const hol_model_data *m, const hol_end *end, int what, const double *q, double out[3])
{
    hol_real y[HOL_MAX_Y] = {0};
    hol_feature f;
    if (end->body >= 0)
        for (int i = 0; i < m->body[end->body].size; i++) y[i] = q[m->body[end->body].q + i];
    hol_marker marker = *end->marker;
    marker.iy = 0;
    hol_feature_eval(&marker, what, y, NULL, 0, &f);
    for (int i = 0; i < 3; i++) out[i] = i < f.m ? hol_re(f.f[i]) : 0;
}

// Which end of an element is at this body?
static const hol_end *end_at(const hol_element *e, int body) { return &e->end[e->end[0].body != body]; }

// Turns a body about an axis through a point; its centre of mass goes along.
static void turn(const hol_model_data *m, int body, const double at[3], const double axis[3], double angle,
                 double *q)
{
    const hol_body *b = &m->body[body];
    double *x = q + b->q, r[3] = {0}, out[3], c[3];
    for (int i = 0; i < m->dimension; i++) r[i] = x[i] - at[i];
    cross(axis, r, c);
    const double along = dot(axis, r) * (1 - cos(angle));
    for (int i = 0; i < 3; i++) out[i] = cos(angle) * r[i] + sin(angle) * c[i] + along * axis[i];
    for (int i = 0; i < m->dimension; i++) x[i] = at[i] + out[i];
    if (b->frame == HOL_FRAME_PLANAR) x[2] += remainder(angle, 2 * HOL_PI);
    if (b->frame != HOL_FRAME_SPATIAL) return;
    double p[4] = {cos(angle / 2)};
    for (int i = 0; i < 3; i++) p[1 + i] = sin(angle / 2) * axis[i];
    hol_quat_multiply(p, x + 3, x + 3);
}

static void shift(const hol_model_data *m, int body, const double way[3], double *q)
{
    for (int i = 0; i < m->dimension; i++) q[m->body[body].q + i] += way[i];
}

// ---- elbows ---------------------------------------------------------------------------------------------------

// Is it of the model, not a row of what is exact?
static bool is_told(const hol_model_data *m, const hol_element *e)
{
    return e < m->element + m->n_elements - m->n_holds;
}

static bool joins(const hol_element *e)
{
    return e->n_ends == 2 && (e->type->role == HOL_ROLE_JOINT || e->type->role == HOL_ROLE_DRIVER);
}

static bool is_joint(const hol_element *e) { return e->type->role == HOL_ROLE_JOINT && e->n_ends == 2; }

static bool turns_only(const hol_model_data *m, const hol_element *e)
{
    return e->type->named[m->dimension == 3] == hol_coordinates_turn;
}

static bool slides(const hol_model_data *m, const hol_element *e)
{
    const hol_joint_coordinate *named = e->type->named[m->dimension == 3];
    return named == hol_coordinates_slide || (m->dimension == 3 && named == hol_coordinates_cylinder);
}

// An elbow in a pose: its axis and place, of both bodies the place of their other joint, the way there (of one that slides the normal
// to its way), and whether it slides.
typedef struct {
    double axis[3], at[3], far[2][3], way[2][3];
    bool slides[2];
} elbow;

// All of it, ways of length 1 across the axis. false: one of them has no direction, or both slide.
static bool see(const hol_model_data *m, const hol_side *side, const double *q, elbow *o)
{
    const hol_element *joint = &m->element[side->joint];
    const double least = POINT * m->length_scale;
    *o = (elbow){.axis = {0, 0, 1}};
    if (m->dimension == 3) look(m, &joint->end[0], 2, q, o->axis);
    look(m, &joint->end[0], HOL_ORIGIN, q, o->at);
    for (int k = 0; k < 2; k++) {
        const hol_element *outer = &m->element[side->outer[k]];
        const hol_end *end = end_at(outer, side->body[k]);
        o->slides[k] = slides(m, outer);
        look(m, end, HOL_ORIGIN, q, o->far[k]);
        for (int i = 0; i < 3; i++) o->way[k][i] = (k ? 1 : -1) * (o->far[k][i] - o->at[i]);
        if (o->slides[k]) {
            double along[3];
            look(m, end, m->dimension == 3 ? 2 : 0, q, along);
            cross(o->axis, along, o->way[k]);
        }
        flatten(o->axis, o->way[k]);
        if (!normalise(o->way[k], o->slides[k] ? FLAT : least)) return false;
    }
    return !(o->slides[0] && o->slides[1]);
}

// The way's angle in the frame of the elbow's end on that body.
static double angle_in(const hol_model_data *m, const hol_side *side, int k, const double way[3],
                       const double *q)
{
    const hol_end *end = &m->element[side->joint].end[k];
    double x[3], y[3];
    look(m, end, 0, q, x);
    look(m, end, 1, q, y);
    return atan2(dot(way, y), dot(way, x));
}

// The elbow about which both are turned: the line through `from` in the direction `line`. false: the other joints are at one place.
static bool find_line(const hol_model_data *m, const elbow *o, double line[3])
{
    for (int i = 0; i < 3; i++)
        line[i] = o->slides[0] ? o->way[0][i] : o->slides[1] ? o->way[1][i] : o->far[1][i] - o->far[0][i];
    flatten(o->axis, line);
    return normalise(line, POINT * m->length_scale);
}

// Turns both bodies about their other joints, or lets one slide, until the elbow is its image in the line.
static void reflect_elbow(const hol_model_data *m, const hol_side *side, double *q)
{
    elbow o;
    double line[3], way[3];
    if (!see(m, side, q, &o) || !find_line(m, &o, line)) return;
    const int turned = o.slides[0]; // one that turns, from which the line goes
    for (int i = 0; i < 3; i++) way[i] = o.at[i] - o.far[turned][i];
    flatten(o.axis, way);
    const double along = dot(way, line);
    for (int k = 0; k < 2; k++) {
        double to[3], back[3];
        for (int i = 0; i < 3; i++) {
            to[i] = o.at[i] - o.far[k][i];
            back[i] = 2 * (along * line[i] - way[i]);
        }
        flatten(o.axis, to);
        if (o.slides[k])
            shift(m, side->body[k], back, q);
        else
            turn(m, side->body[k], o.far[k], o.axis, -2 * angle_about(o.axis, line, to), q);
    }
}

// Another joint of a body in the loop of this edge, of several the farthest; -1: there is none.
static int other_joint(const hol_model_data *m, const hol_graph *g, int edge, int body, const double *q)
{
    const hol_element *e = &m->element[g->element[edge]];
    const int c = g->component[edge];
    double here[3], there[3], most = -1;
    int found = -1;
    look(m, end_at(e, body), HOL_ORIGIN, q, here);
    for (int i = g->group[c]; i < g->group[c + 1]; i++) {
        const int k = g->grouped[i];
        const hol_element *o = &m->element[g->element[k]];
        if (k == edge || (g->end[k][0] != body && g->end[k][1] != body) || !is_joint(o)) continue;
        look(m, end_at(o, body), HOL_ORIGIN, q, there);
        double way = 0;
        for (int j = 0; j < 3; j++) way += pow(there[j] - here[j], 2);
        if (!(way > most * (1 + FLAT))) continue;
        most = way;
        found = g->element[k];
    }
    return found;
}

// Is there an elbow in this joint, between two bodies that have but one other joint each in the loop; or, `loose`, one of them?
static bool find_elbow(const hol_model_data *m, const hol_graph *g, int edge, const int *degree, bool loose,
                       const double *q, hol_side *side)
{
    const hol_element *e = &m->element[g->element[edge]];
    double line[3];
    elbow o;
    int simple = 0;
    if (!is_joint(e) || !turns_only(m, e) || e->mirror & HOL_MIRROR_TURNS) return false;
    *side = (hol_side){.component = g->component[edge], .joint = g->element[edge]};
    for (int k = 0; k < 2; k++) {
        const int body = e->end[k].body;
        side->body[k] = body;
        if (body < 0 || m->body[body].frame == HOL_FRAME_POINT) return false;
        simple += degree[body] == 2;
        side->outer[k] = other_joint(m, g, edge, body, q);
        if (side->outer[k] < 0) return false;
    }
    if (simple < (loose ? 1 : 2) || !see(m, side, q, &o) || !find_line(m, &o, line)) return false;
    for (int k = 0; k < 2; k++) side->turn[k] = angle_in(m, side, k, o.way[k], q);
    return true;
}

// ---- planes ---------------------------------------------------------------------------------------------------

// Middle and normal of the places where the joints of a loop are on a body, ground: -1. Places in a line have the normal that is nearest
// to `near`; false: NULL, or there are too few.
static bool find_plane(hol_context *ctx, const hol_sides *s, int component, int body, const double *near,
                       const double *q, double middle[3], double normal[3])
{
    const hol_model_data *m = s->m;
    double A[9] = {0}, values[3], place[3], first[3] = {0}, sum[3] = {0};
    int n = 0;
    for (int i = s->graph.group[component]; i < s->graph.group[component + 1]; i++) {
        const hol_element *e = &m->element[s->graph.element[s->graph.grouped[i]]];
        for (int k = 0; k < 2 && joins(e) && is_told(m, e); k++) {
            if (e->end[k].body != body) continue;
            look(m, &e->end[k], HOL_ORIGIN, q, place);
            if (!n++) memcpy(first, place, sizeof first);
            for (int j = 0; j < 3; j++) place[j] -= first[j];
            for (int j = 0; j < 3; j++) sum[j] += place[j];
            for (int j = 0; j < 9; j++) A[j] += place[j / 3] * place[j % 3];
        }
    }
    if (n == 0) return false;
    for (int j = 0; j < 3; j++) middle[j] = first[j] + sum[j] / n;
    for (int j = 0; j < 9; j++) A[j] -= sum[j / 3] * sum[j % 3] / n; // about the middle
    if (hol_dense_eigen_symmetric(ctx, 3, A, true, values)) return false;
    for (int i = 0; i < 3; i++) normal[i] = A[i];
    if (values[1] > FLAT * values[2]) return true;
    if (!near) return false;
    memcpy(normal, near, 3 * sizeof *normal);
    if (values[2] > 0) flatten(A + 6, normal);
    return normalise(normal, FLAT);
}

// Bodies whose joints lie in a plane become their image, others one that has their middle and that plane.
static void reflect_plane(const hol_sides *s, const hol_side *side, double *q)
{
    const hol_model_data *m = s->m;
    const double *n = side->normal;
    for (int b = 0; b < m->n_bodies; b++) {
        double middle[3], own[3], axis[3], back[3];
        if (!find_plane(m->ctx, s, side->component, b, n, q, middle, own)) continue;
        const double away = 2 * (dot(n, middle) - side->place);
        cross(own, n, axis); // a mirror image of it in its own plane, and that in the other: a turn
        const double angle = 2 * atan2(sqrt(dot(axis, axis)), dot(own, n));
        if (normalise(axis, FLAT)) turn(m, b, middle, axis, angle, q);
        for (int i = 0; i < 3; i++) back[i] = -away * n[i];
        shift(m, b, back, q);
    }
}

// Where the frame of a body is.
static void place_of(const hol_model_data *m, int body, const double *q, double out[3])
{
    hol_marker frame = m->marker[m->body[body].marker].marker;
    const hol_end end = {.body = body, .marker = &frame};
    look(m, &end, HOL_ORIGIN, q, out);
}

// The plane of the ground's joints, and the body that is farthest from it.
static bool find_ground_plane(hol_context *ctx, const hol_sides *s, int component, const double *q,
                              hol_side *side)
{
    const hol_model_data *m = s->m;
    double middle[3], place[3], most = POINT * m->length_scale;
    *side = (hol_side){.component = component, .joint = -1, .body = {-1, -1}, .outer = {-1, -1}};
    if (m->dimension != 3 || !find_plane(ctx, s, component, -1, NULL, q, middle, side->normal)) return false;
    int largest = 0;
    for (int i = 0; i < 3; i++) {
        if (fabs(side->normal[i]) < 1e-12) side->normal[i] = 0;
        if (fabs(side->normal[i]) > fabs(side->normal[largest]) + FLAT) largest = i;
    }
    const double sign = side->normal[largest] < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) side->normal[i] = side->normal[i] == 0 ? 0 : sign * side->normal[i]; // no -0
    side->place = dot(side->normal, middle);
    for (int i = s->graph.group[component]; i < s->graph.group[component + 1]; i++)
        for (int k = 0; k < 2; k++) {
            const int b = s->graph.end[s->graph.grouped[i]][k];
            if (b == m->n_bodies) continue;
            place_of(m, b, q, place);
            const double away = fabs(dot(side->normal, place) - side->place);
            if (!(away > most * (1 + FLAT))) continue;
            most = away;
            side->body[0] = b;
        }
    return side->body[0] >= 0;
}

// ---- all of a model -------------------------------------------------------------------------------------------

void hol_sides_destroy(hol_sides *s)
{
    hol_graph_destroy(&s->graph);
    hol_free(s->side);
    *s = (hol_sides){0};
}

// Edges of one loop at each body.
static void count_edges(const hol_graph *g, int component, int *degree)
{
    memset(degree, 0, (size_t)g->n_vertices * sizeof *degree);
    for (int i = g->group[component]; i < g->group[component + 1]; i++)
        for (int k = 0; k < 2; k++) degree[g->end[g->grouped[i]][k]]++;
}

hol_status hol_sides_create(hol_context *ctx, const hol_model_data *m, const double *q, hol_sides *out)
{
    *out = (hol_sides){.m = m};
    hol_status st = hol_dense_ready(ctx);
    if (!st) st = hol_graph_create(ctx, m, &out->graph);
    const hol_graph *g = &out->graph;
    int *degree = st ? NULL : hol_calloc(ctx, (size_t)g->n_vertices + 1, sizeof *degree);
    if (!st) out->side = hol_calloc(ctx, (size_t)(g->n_edges + g->n_components) + 1, sizeof *out->side);
    if (!st && (!degree || !out->side)) st = HOL_ERR_MEMORY;
    for (int c = 0; c < g->n_components && !st; c++) {
        const int first = out->n;
        if (g->group[c + 1] - g->group[c] < 3) continue;
        count_edges(g, c, degree);
        for (int loose = 0; loose < 2 && out->n == first; loose++)
            for (int i = g->group[c]; i < g->group[c + 1]; i++)
                out->n += find_elbow(m, g, g->grouped[i], degree, loose, q, &out->side[out->n]);
        if (out->n == first) out->n += find_ground_plane(ctx, out, c, q, &out->side[out->n]);
    }
    hol_free(degree);
    return st;
}

double hol_side_value(const hol_model_data *m, const hol_side *side, const double *q)
{
    if (side->joint < 0) {
        double place[3];
        place_of(m, side->body[0], q, place);
        return dot(side->normal, place) - side->place;
    }
    elbow o;
    double c[3];
    if (!see(m, side, q, &o)) return 0;
    cross(o.way[0], o.way[1], c);
    return dot(o.axis, c);
}

void hol_side_reflect(const hol_sides *s, const hol_side *side, double *q)
{
    if (side->joint < 0)
        reflect_plane(s, side, q);
    else
        reflect_elbow(s->m, side, q);
}

// " + 0.25 UNIT" of a number that is not rounding.
static void add_number(double x, const char *unit, char *text, size_t size)
{
    const size_t n = strlen(text);
    if (fabs(x) > POINT)
        hol_decimal_print(text + n, size - n, " %c %.9g %s", x < 0 ? '-' : '+', fabs(x), unit);
}

void hol_side_require(const hol_model_data *m, const hol_side *side, int sign, char *text, size_t size)
{
    double shifted = remainder(side->turn[1] - side->turn[0], 2 * HOL_PI);
    if (side->joint >= 0 && fabs(shifted) > HOL_PI / 2 + POINT) { // sin(x + pi) = -sin(x)
        shifted -= copysign(HOL_PI, shifted);
        sign = -sign;
    }
    const char *is = sign > 0 ? "> 0" : "< 0";
    if (side->joint >= 0) {
        const hol_element *e = &m->element[side->joint];
        hol_decimal_print(text, size, "sin(%s%s.angle", hol_mirror_axial(e->mirror, 2) < 0 ? "-" : "",
                          e->name);
        add_number(shifted, "rad", text, size);
        const size_t n = strlen(text);
        hol_decimal_print(text + n, size - n, ") %s", is);
        return;
    }
    text[0] = 0;
    for (int i = 0; i < 3; i++) {
        const size_t n = strlen(text);
        const double x = side->normal[i];
        if (x == 0) continue;
        if (fabs(x - 1) < FLAT && !n)
            hol_decimal_print(text, size, "D%c(%s)", 'X' + i, m->body[side->body[0]].name);
        else
            hol_decimal_print(text + n, size - n, "%s%.9g*D%c(%s)",
                              n && x > 0 ? " + "
                              : n        ? " - "
                              : x < 0    ? "-"
                                         : "",
                              fabs(x), 'X' + i, m->body[side->body[0]].name);
    }
    add_number(-side->place, "m", text, size);
    const size_t n = strlen(text);
    hol_decimal_print(text + n, size - n, " %s", is);
}

void hol_sides_loop(const hol_graph *g, int component, char *text, size_t size)
{
    static const hol_role roles[] = {HOL_ROLE_JOINT, HOL_ROLE_DRIVER};
    size_t n = 0;
    text[0] = 0;
    for (int pass = 0; pass < 2 && !n; pass++) // drivers, where there are no joints
        for (int i = g->group[component]; i < g->group[component + 1] && n + 80 < size; i++) {
            const hol_element *e = &g->m->element[g->element[g->grouped[i]]];
            if (e->type->role == roles[pass] && is_told(g->m, e))
                n += (size_t)hol_decimal_print(text + n, size - n, "%s%.60s", n ? ", " : "", e->name);
        }
}
