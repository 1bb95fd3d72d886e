// Every pair of shapes, law and friction of a contact against the complex step, with gaps of both signs, at rest, and at a depth near 0.
#include "elements.h"

#include "element/contact.h"

static const char *const bodies[2] = {
    "dimension: 2\n"
    "gravity: [1, -9.81]\n"
    "ground: {shape: {type: halfplane, position: [0.2, -0.1], angle: 0.4}}\n"
    "bodies:\n"
    "  - {name: a, mass: 1, inertia: 1, com: [0.1, 0.2], position: [0.1, 0.9], angle: 0.3, shape: {type: "
    "sphere, radius: 0.6, position: [0.1, -0.2]}}\n"
    "  - {name: b, mass: 2, inertia: 1, position: [-0.2, 1.8], angle: -0.8, shape: {type: sphere, radius: "
    "0.5, position: [-0.2, 0.1]}}\n"
    "  - {name: c, mass: 2, inertia: 1, position: [0.2, 2.8], angle: 0.5, shape: {type: halfplane, position: "
    "[0.1, -0.2], angle: 0.7}}\n"
    "  - {name: p, type: point, mass: 1, position: [0.5, 0.5], shape: {type: sphere, radius: 0.6}}\n",
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

static const char *const ends[] = {"a, ground", "ground, p", "a, b", "p, b", "c, a", "p, c"};
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
enum { STICKS = 5 }; // from here on, in space, a half-space is wanted, on which spinning is resisted too

static void add_models(writer *w, int d)
{
    put(w, "%scontacts:\n", bodies[d - 2]);
    for (int i = 0; i < HOL_COUNT(ends); i++)
        for (int j = 0; j < HOL_COUNT(laws); j++)
            for (int k = 0; k < HOL_COUNT(rubs); k++) {
                const bool balls = i == 2 || i == 3;
                if ((d == 3 && balls && k >= STICKS) || (k && strchr(ends[i], 'p'))) continue;
                put(w, "  - {name: k%d, between: [%s], deepest: 100, %s%s%s}\n", w->count++, ends[i], laws[j],
                    rubs[k], d == 3 && k > STICKS ? ", spinning: 0.2" : "");
            }
}

static void gap_of(const probe *s, double *gap)
{
    hol_contact_state at;
    hol_contact_look(s->e, s->y, s->w, s->mem, s->u, &at);
    *gap = at.gap;
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
    for (which = HOL_CONTACT_F; which <= HOL_CONTACT_ALONG; which++) {
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

// The force gives the power that the potential takes and what is lost.
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
    compare_number(s, "power", power, at.elastic * at.rate - at.lost_damping - at.lost_rubbing, size);
    compare_number(s, "V_w of the elastic force", V_w, -at.elastic * at.rate, 1);
    compare_number(s, "V", V, at.stored, 1);
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
    int deep = 0, open = 0;
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
                open += gap > 0;
                check_contact(&s, d == 2 || m->element[i].end[0].marker->frame == HOL_FRAME_GROUND ||
                                      s.e->end[0].body == 2);
                check_balance(&s);
            }
        hol_model_free(m);
        free(w.text);
    }
    assert_true(deep > 200 && open > 200);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_contacts)};
    return cmocka_run_group_tests(tests, start, stop);
}
