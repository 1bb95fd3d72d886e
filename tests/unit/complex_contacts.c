// Every pair of shapes, law and friction of a contact against the complex step, with gaps of both signs, at rest, and at a depth near 0.
#include "elements.h"

#include "element/contact_parts.h"

static const char *const bodies[2] = {
    "dimension: 2\n"
    "gravity: [1, -9.81]\n"
    "splines:\n"
    "  - {name: cam, kind: cubic, x: [-2, -1, 0, 1, 2, 3, 4, 5, 2*pi, 7.2, 8.2],\n"
    "     y: [0.67, 0.72, 0.75, 0.72, 0.67, 0.65, 0.66, 0.71, 0.75, 0.72, 0.67]}\n"
    "  - {name: hill, kind: cubic, x: [-1, -0.5, 0, 0.5, 1], y: [-0.1, -0.08, 0, 0.08, 0.1]}\n"
    "ground: {shape: {type: halfplane, position: [0.2, -0.1], angle: 0.4}}\n"
    "bodies:\n"
    "  - {name: a, mass: 1, inertia: 1, com: [0.1, 0.2], position: [0.1, 0.9], angle: 0.3, shape: {type: "
    "sphere, radius: 0.6, position: [0.1, -0.2]}}\n"
    "  - {name: b, mass: 2, inertia: 1, position: [-0.2, 1.8], angle: -0.8, shape: {type: sphere, radius: "
    "0.5, position: [-0.2, 0.1]}}\n"
    "  - {name: c, mass: 2, inertia: 1, position: [0.2, 2.8], angle: 0.5, shape: {type: halfplane, position: "
    "[0.1, -0.2], angle: 0.7}}\n"
    "  - {name: p, type: point, mass: 1, position: [0.5, 0.5], shape: {type: sphere, radius: 0.6}}\n"
    "  - {name: box, mass: 1, inertia: 1, position: [1, 1], shape: {type: box, size: [0.8, 0.5], position: "
    "[0.1, 0.1], angle: 0.3}}\n"
    "  - {name: poly, mass: 1, inertia: 1, position: [1, 1], shape: {type: polygon, points: [[0.5, -0.4], "
    "[0.4, 0.5], [0, 0.1], [-0.5, 0.4], [-0.4, -0.5]]}}\n"
    "  - {name: seg, mass: 1, inertia: 1, position: [1, 1], shape: {type: segment, from: [-0.3, 0], to: "
    "[0.4, "
    "0.5], position: [0.1, 0], angle: 0.2}}\n"
    "  - {name: arc, mass: 1, inertia: 1, position: [1, 1], shape: {type: arc, radius: 0.9, start: -1, end: "
    "1.5, position: [-0.4, 0], angle: 0.2}}\n"
    "  - {name: cap, mass: 1, inertia: 1, position: [1, 1], shape: {type: capsule, radius: 0.3, from: [-0.3, "
    "0], to: [0.4, 0.5]}}\n"
    "  - {name: rod, mass: 1, inertia: 1, position: [1, 1], shape: {type: capsule, radius: 0.2, from: [0.5, "
    "0], to: [-0.4, 0.1]}}\n"
    "  - {name: cam, mass: 1, inertia: 1, position: [1, 1], shape: {type: curve, curve: cam, polar: yes, "
    "position: [0.1, 0], angle: 1}}\n"
    "  - {name: hill, mass: 1, inertia: 1, position: [1, 1], shape: {type: curve, curve: hill, angle: 1}}\n"
    "  - {name: line, mass: 1, inertia: 1, position: [1, 1], shape: {type: polyline, radius: 0.1, closed: "
    "yes, "
    "points: [[0.5, -0.4], [0.4, 0.5], [-0.5, 0.4]]}}\n",
    "dimension: 3\n"
    "gravity: [1, 0.3, -9.81]\n"
    "ground: {shape: {type: halfspace, position: [0.2, -0.1, 0.1], orientation: {axis: [1, 2, 0.5], angle: "
    "0.4}}}\n"
    "bodies:\n"
    "  - {name: a, mass: 1, inertia: [1, 1.2, 1.3], com: [0.1, 0.2, 0.1], position: [0.1, 0.2, 0.9], shape: "
    "{type: sphere, radius: 0.6, position: [0.1, -0.2, 0.15]}}\n"
    "  - {name: b, mass: 2, inertia: [1, 1.2, 1.3], position: [-0.2, 0.3, 1.8], shape: {type: sphere, "
    "radius: 0.5, position: [-0.2, 0.1, 0.2]}}\n"
    "  - {name: c, mass: 2, inertia: [1, 1.2, 1.3], position: [-0.2, 0.3, 2.8], shape: {type: halfspace, "
    "position: [0.1, -0.2, 0.1], orientation: {axis: [1, -1, 0.5], angle: 0.7}}}\n"
    "  - {name: p, type: point, mass: 1, position: [0.5, 0.5, 0.5], shape: {type: sphere, radius: 0.6}}\n"};

// More bodies in space.
#define BODY(name, shape)                                                                                    \
    "  - {name: " name ", mass: 1, inertia: [1, 1.2, 1.3], position: [1, 1, 1], shape: {" shape "}}\n"
static const char *const more[] = {
    BODY("box", "type: box, size: [0.8, 0.5, 0.6], position: [0.1, 0.1, 0], orientation: {axis: [1, 2, 0.5], "
                "angle: 0.4}"),
    BODY("nut", "type: ellipsoid, radii: [0.7, 0.5, 0.4]"),
    BODY("die", "type: box, size: [0.5, 0.6, 0.7]"),
    BODY("can", "type: cylinder, radius: 0.4, length: 0.6, rim: 0.1, axis: [1, 1, 0]"),
    BODY("cap", "type: capsule, radius: 0.3, from: [-0.3, 0, 0.1], to: [0.4, 0.5, 0]"),
    BODY("rod", "type: capsule, radius: 0.2, from: [0.5, 0, 0.4], to: [-0.4, 0.1, -0.3]"),
    BODY("line", "type: polyline, radius: 0.1, points: [[0.5, -0.4, 0], [0.4, 0.5, 0.3], [-0.5, 0.4, -0.2]]"),
    BODY("tor", "type: torus, radius: 0.5, tube: 0.2, axis: [1, 0.3, 0.2], position: [0.1, 0, 0]"),
    BODY("egg", "type: ellipsoid, radii: [0.4, 0.6, 0.8], position: [0.1, 0, 0.1], "
                "orientation: {axis: [1, 2, 0.5], angle: 0.4}")};

// few: of many contacts, for which one law will do.
static const struct {
    int dimensions; // 2, 3, or 5 for both
    const char *ends;
    bool half, few;
} ends[] = {{5, "a, ground", true, false},   {5, "ground, p", true, false}, {5, "a, b", false, false},
            {5, "p, b", false, false},       {5, "c, a", true, false},      {5, "p, c", true, false},
            {5, "a, box", false, false},     {2, "poly, a", false, false},  {2, "a, seg", false, false},
            {2, "arc, a", false, false},     {5, "a, cap", false, false},   {5, "rod, cap", false, false},
            {5, "line, a", false, false},    {2, "a, cam", false, false},   {2, "hill, a", false, false},
            {2, "cam, ground", true, false}, {2, "c, cam", true, false},    {2, "box, poly", false, true},
            {2, "c, poly", true, true},      {3, "can, a", false, false},   {3, "a, tor", false, false},
            {3, "can, ground", true, false}, {3, "tor, c", true, false},    {3, "c, egg", true, false},
            {3, "egg, ground", true, false}, {3, "a, egg", false, false},   {3, "egg, nut", false, false},
            {3, "box, die", false, true}};
static const char *const laws[] = {"stiffness: 3", "stiffness: 3, restitution: 0.6",
                                   "stiffness: 3, damping: 0.7",
                                   "law: power, exponent: 2.2, stiffness: 3, damping: 0.3",
                                   "law: impact, exponent: 1.5, stiffness: 3, damping: 0.4, full_depth: 0.2"};
static const char *const rubs[] = {
    "",
    ", friction: {coefficient: 0.4, law: tanh, transition: 0.7}",
    ", friction: {coefficient: 0.4, law: tanh, transition: 0.7, static: 1.5, stribeck: 0.5}, point: first",
    ", friction: {coefficient: 0.4, law: sqrt, transition: 0.7, static: 1.5, stribeck: 0.5}, point: second",
    ", friction: {coefficient: 0.4, law: step, transition: 0.7, static: 1.5, stribeck: 1.9}",
    ", friction: {coefficient: 0.4, stiffness: 5, damping: 1}",
    ", friction: {coefficient: 0.4, stiffness: 5, damping: 1}, rolling: 0.3",
    ", friction: {coefficient: 0.4, law: tanh, transition: 0.7}, rolling: 0.3"};
enum {
    STICKS = 5
}; // from here on, in space, a half-space is wanted, on which spinning is resisted too; behind it pairs of the first
enum { ROUND = 6 }; // ends, which are round alike on all sides

static void add_models(writer *w, int d)
{
    put(w, "%s", bodies[d - 2]);
    for (int i = 0; i < HOL_COUNT(more) && d == 3; i++) put(w, "%s", more[i]);
    put(w, "contacts:\n");
    for (int i = 0; i < HOL_COUNT(ends); i++)
        for (int j = 0; j < HOL_COUNT(laws); j++)
            for (int k = 0; k < HOL_COUNT(rubs); k++) {
                const bool stick = k >= STICKS, mass = strcmp(ends[i].ends, "p, b") == 0 ||
                                                       strcmp(ends[i].ends, "p, c") == 0 ||
                                                       strcmp(ends[i].ends, "ground, p") == 0;
                if (ends[i].dimensions != 5 && ends[i].dimensions != d) continue;
                if ((d == 3 && !ends[i].half && stick) || (k && mass) || (k > STICKS && i >= ROUND)) continue;
                if (ends[i].few && (j != 1 || k % 3 != 1)) continue;
                put(w, "  - {name: k%d_%d, between: [%s], deepest: 100, %s%s%s%s}\n", i, w->count++,
                    ends[i].ends, laws[j], rubs[k], ends[i].few ? ", points: 1" : "",
                    d == 3 && k > STICKS ? ", spinning: 0.2" : "");
            }
}

static void gap_of(const probe *s, double *gap)
{
    hol_contact_state at;
    hol_contact_look(s->e, s->y, s->w, s->mem, s->u, &at);
    *gap = at.gap;
}

// How much of a side the contact has, 0 to 1, where it shares that with another one; else 0.
static double shared_by(const probe *s)
{
    hol_scalar share;
    hol_contact_share(s->e->data, s->ny, s->y, s->w, 2, &share);
    return share.fw != 0 ? hol_re(share.f) : 0;
}

static int which; // is observed

static void observed_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    s->e->type->observe(s->e->data, s->ny, y, w, s->mem, which, out, NULL, NULL);
}

// In space the tangents are axes of what is touched, which spheres have none of.
static void check_observed(const probe *s, bool tangents)
{
    hol_real f, D[MAX_OUT];
    hol_contact_state at;
    hol_contact_look(s->e, s->y, s->w, s->mem, s->u, &at);
    for (which = HOL_CONTACT_F; which <= HOL_CONTACT_RATE; which++) {
        hol_real J[HOL_MAX_Y] = {0}, W[HOL_MAX_Y] = {0};
        if (!tangents && which != HOL_CONTACT_F && which != HOL_CONTACT_SPIN && which < HOL_CONTACT_GAP)
            continue;
        if (which == HOL_CONTACT_ALONG && at.slip == 0) continue; // its kink
        s->e->type->observe(s->e->data, s->ny, s->y, s->w, s->mem, which, &f, J, W);
        double size = complex_step(s, observed_of, 1, s->ny, false, D);
        compare(s, "observed by y", 1, s->ny, J, D, fmax(size, 1));
        size = complex_step(s, observed_of, 1, s->nq, true, D);
        compare(s, "observed by w", 1, s->nq, W, D, fmax(size, 1));
    }
}

// The force gives the power that the potential takes and what is lost. Parts of an outline hand on energy where they share a side.
static void check_power(const probe *s, hol_real V, hol_real V_w)
{
    hol_real Q[HOL_MAX_Y], power = 0;
    double size = 1;
    hol_contact_state at;
    hol_contact_look(s->e, s->y, s->w, s->mem, s->u, &at);
    force_of(s, s->y, s->w, Q);
    for (int i = 0; i < s->nq; i++) {
        power += Q[i] * s->w[i];
        size = fmax(size, fabs(hol_re(Q[i] * s->w[i])));
    }
    compare_number(s, "power", power, -V_w - at.lost_damping - at.lost_rubbing, size);
    if (shared_by(s) == 0) compare_number(s, "V_w of the elastic force", V_w, -at.elastic * at.rate, 1);
    compare_number(s, "V", V, at.stored, 1);
}

// No gap changes faster than the pace of the motion says (what is looked for between steps relies on it), both ends moving as they do, turning
// alone, and in the plane turning against each other.
static void check_pace(const probe *s)
{
    const bool plane = s->m->dimension == 2 && s->e->n_bodies == 2;
    hol_real w[HOL_MAX_Y], rate;
    memcpy(w, s->w, sizeof w);
    for (int way = 0; way < (plane ? 3 : 2); way++) {
        for (int b = 0, at = 0; way == 1 && b < s->e->n_bodies; at += s->m->body[s->e->body[b++]].size)
            for (int i = 0; i < s->m->dimension; i++) w[at + i] = 0;
        if (way == 2 && s->nq == 6) w[5] = -w[2];
        s->e->type->observe(s->e->data, s->ny, s->y, w, s->mem, HOL_CONTACT_RATE, &rate, NULL, NULL);
        const double pace = hol_contact_pace(s->e, s->y, w);
        if (!(fabs(hol_re(rate)) <= pace * (1 + 1e-12)))
            fail_msg("%s: way %d: the gap changes by %g m/s, its pace is %g", s->e->name, way,
                     fabs(hol_re(rate)), pace);
    }
}

static void check_contact(const probe *s, bool tangents)
{
    const hol_element_type *type = s->e->type;
    const int nq = s->nq, ny = s->ny;
    hol_real Q_y[MAX_OUT] = {0}, Q_v[MAX_OUT] = {0}, D[MAX_OUT], V, V_w, moved, y[HOL_MAX_Y];
    type->force_d(s->e->data, ny, s->y, s->w, s->mem, s->u, Q_y, Q_v);
    double size = complex_step(s, force_of, nq, ny, false, D);
    compare(s, "Q_y", nq, ny, Q_y, D, fmax(size, 1));
    size = complex_step(s, force_of, nq, nq, true, D);
    compare(s, "Q_v", nq, nq, Q_v, D, fmax(size, 1));
    type->energy(s->e->data, ny, s->y, s->w, s->mem, &V, &V_w);
    for (int i = 0; i < ny; i++) y[i] = beside(s->y[i], hol_re(s->w[i]));
    type->energy(s->e->data, ny, y, s->w, s->mem, &moved, NULL);
    compare_number(s, "V_w", V_w, cimag(moved) / STEP, fabs(hol_re(V)));
    check_inputs(s);
    check_power(s, V, V_w);
    check_pace(s);
    check_observed(s, tangents);
}

// Moves that turn and shift both bodies as one do no work: momentum and angular momentum stay.
static void check_balance(const probe *s)
{
    const int d = s->m->dimension;
    hol_real Q[HOL_MAX_Y], force[3] = {0}, turn[3] = {0}, G[3][4];
    if (s->e->n_bodies < 2) return;
    force_of(s, s->y, s->w, Q);
    for (int b = 0, at = 0; b < 2; b++) {
        const hol_body *body = &s->m->body[s->e->body[b]];
        hol_real r[3] = {0}, f[3] = {0};
        for (int i = 0; i < d; i++) r[i] = s->y[at + i], f[i] = Q[at + i];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            force[i] += f[i];
            turn[i] += r[j] * f[k] - r[k] * f[j];
        }
        if (body->frame == HOL_FRAME_PLANAR) turn[2] += Q[at + 2];
        if (body->frame == HOL_FRAME_SPATIAL) hol_global_rate(s->y + at + 3, G);
        for (int i = 0; i < 3 && body->frame == HOL_FRAME_SPATIAL; i++) // p' = E^T omega/2
            for (int k = 0; k < 4; k++) turn[i] += 0.5 * G[i][k] * Q[at + 3 + k];
        at += body->size;
    }
    for (int i = 0; i < 3; i++) compare_number(s, "momentum", force[i], 0, largest(Q, s->nq));
    for (int i = 0; i < 3; i++) compare_number(s, "angular momentum", turn[i], 0, largest(Q, s->nq));
}

static void test_contacts(void **state)
{
    (void)state;
    int deep = 0, open = 0, shared = 0, sides[HOL_COUNT(ends)][2] = {{0}};
    for (int d = 2; d <= 3; d++) {
        writer w = {.text = malloc(TEXT_SIZE)};
        add_models(&w, d);
        hol_model_data *m = compile_text(w.text);
        for (int i = m->n_bodies; i < m->n_elements; i++)
            for (int k = 0; k < 4; k++) {
                probe s;
                double gap;
                draw(&s, m, &m->element[i], 0);
                normalise(&s);
                for (int j = 0; j < s.nq; j++) s.y[j] *= d == 3 ? 1 : 0.7;
                normalise(&s);
                s.mem[HOL_CONTACT_LASTS] = 1;
                s.mem[HOL_CONTACT_SPEED] = 0.8;
                for (int j = 0; j < s.nq && k == 3; j++) s.w[j] = 0; // u = 0
                gap_of(&s, &gap);
                deep += gap < 0;
                shared += gap < 0 && shared_by(&s) > 0;
                open += gap > 0;
                const int row = atoi(m->element[i].name + 1);
                sides[row][gap < 0]++;
                check_contact(&s, d == 2 || ends[row].half);
                check_balance(&s);
            }
        hol_model_free(m);
        free(w.text);
    }
    assert_true(deep > 200 && open > 200 && shared > 10);
    for (int i = 0; i < HOL_COUNT(ends); i++)
        if (!sides[i][0] || !sides[i][1])
            fail_msg("%s: %d open, %d deep", ends[i].ends, sides[i][0], sides[i][1]);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_contacts)};
    return cmocka_run_group_tests(tests, start, stop);
}
