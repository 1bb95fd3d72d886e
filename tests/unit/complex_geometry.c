// Values of elements against geometry written down independently: joints, drivers and forces at random states, rotations, roads,
// masses and the power of applied forces.
#include "elements.h"

// ---- geometry: values against independent formulas ------------------------------------------------------------

typedef struct {
    double r[3], q[4],
        R[9];     // origin, orientation as Euler parameters, the same as a matrix (columns: the axes)
    double theta; // 2D, of the body (without the marker's own angle)
} place;

static double value_at(const hol_expr *f, double t)
{
    hol_real jet[4] = {0};
    if (f) hol_expr_jet(f, t, jet);
    return hol_re(jet[0]);
}

// Where a marker is; from its data, by quaternion products only. Euler parameters must have length 1.
static place locate(const probe *s, const hol_marker *k)
{
    place x = {{0}, {1, 0, 0, 0}, {0}, 0};
    double body[4] = {1, 0, 0, 0}, R[9];
    const hol_real *y = s->y + k->iy;
    const int d = s->m->dimension;
    if (k->frame == HOL_FRAME_PLANAR) {
        x.theta = hol_re(y[2]);
        body[0] = cos(x.theta / 2);
        body[3] = sin(x.theta / 2);
    } else if (k->frame == HOL_FRAME_SPATIAL) {
        for (int i = 0; i < 4; i++) body[i] = hol_re(y[3 + i]);
    } else if (k->frame == HOL_FRAME_MOVING) {
        x.theta = value_at(hol_marker_motion(k)->angle, hol_re(y[0]));
        body[0] = cos(x.theta / 2);
        for (int i = 0; i < 3; i++) body[i + 1] = sin(x.theta / 2) * hol_marker_motion(k)->axis[i];
    }
    const bool turns = k->frame != HOL_FRAME_MOVING; // a moving frame turns about its own origin
    hol_quat_matrix(body, R);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) x.r[i] += (turns ? R[3 * i + j] : i == j) * k->s[j];
        if (k->frame == HOL_FRAME_MOVING) x.r[i] += value_at(hol_marker_motion(k)->position[i], hol_re(y[0]));
        if (k->size && i < d) x.r[i] += hol_re(y[i]);
    }
    hol_quat_multiply(body, hol_marker_quat(k), x.q);
    hol_quat_matrix(x.q, x.R);
    return x;
}

static double wrapped(double angle) { return angle - 2 * HOL_PI * rint(angle / (2 * HOL_PI)); }

// The value of row `i` of a primitive; angles are compared modulo full turns (*turn is then true).
static double primitive_value(const probe *s, const hol_prim *p, int i, bool *turn)
{
    const place a = locate(s, p->m1), b = locate(s, p->m2);
    const double conj[4] = {a.q[0], -a.q[1], -a.q[2], -a.q[3]}, t = hol_re(s->y[s->nq]),
                 set = value_at(p->set, t);
    double d[3], square = 0, along = 0, dot = 0, rel[4];
    for (int k = 0; k < 3; k++) {
        d[k] = b.r[k] - a.r[k];
        square += d[k] * d[k];
        along += a.R[3 * k + p->axis1] * d[k];
        dot += a.R[3 * k + p->axis1] * b.R[3 * k + p->axis2];
    }
    hol_quat_multiply(conj, b.q, rel);
    const double L = p->set ? set : p->offset; // of DISTANCE, and the angle of TWIST_SET
    switch (p->kind) {
    case HOL_PRIM_POINT: return d[i];
    case HOL_PRIM_ALONG: return along - set;
    case HOL_PRIM_DOT: return dot - set;
    case HOL_PRIM_DISTANCE: return (square - L * L) / (2 * p->offset);
    case HOL_PRIM_TURN: return 2 * rel[1 + p->axis1] - set;
    case HOL_PRIM_ANGLE: // of the x axes, whatever the offsets
        *turn = true;
        return atan2(b.R[3], b.R[0]) - atan2(a.R[3], a.R[0]) - set;
    case HOL_PRIM_TWIST_SET: return 2 * (rel[3] * cos(L / 2) - rel[0] * sin(L / 2));
    case HOL_PRIM_LENGTH: return sqrt(square);
    case HOL_PRIM_TWIST: *turn = true; return 2 * atan2(rel[3], rel[0]);
    case HOL_PRIM_ROTATION: {
        const double sine = sqrt(rel[1] * rel[1] + rel[2] * rel[2] + rel[3] * rel[3]);
        return 2 * atan2(sine, p->offset * rel[0]) / sine * p->offset * rel[1 + p->axis1];
    }
    }
    return HOL_NONE;
}

// s_y, (s_y w)_y, ((s_y w)_y w)_y are the gradients of s, s_y w and (s_y w)_y w.
static void check_primitive_gradients(const probe *s, const hol_prim *p, const hol_scalar *o)
{
    hol_scalar moved[3];
    hol_real y[HOL_MAX_Y], D[3][3][HOL_MAX_Y];
    for (int j = 0; j < s->ny; j++) {
        memcpy(y, s->y, sizeof y);
        y[j] = beside(y[j], 1);
        hol_prim_eval(p, s->ny, y, s->w, 3, moved);
        for (int i = 0; i < p->rows; i++) {
            D[i][0][j] = cimag(moved[i].f) / STEP;
            D[i][1][j] = cimag(moved[i].fw) / STEP;
            D[i][2][j] = cimag(moved[i].fww) / STEP;
        }
    }
    for (int i = 0; i < p->rows; i++) {
        compare(s, "primitive's gradient", 1, s->ny, o[i].d, D[i][0], 1);
        compare(s, "primitive's second derivative", 1, s->ny, o[i].dw, D[i][1], 1);
        compare(s, "primitive's third derivative", 1, s->ny, o[i].dww, D[i][2], 1);
    }
}

static bool moves(const hol_marker *k) { return k->frame == HOL_FRAME_MOVING; }

// The derivative of a row by the function in it: its own derivatives by the complex step, and times f' what time does to the row.
static void check_by_function(const probe *s, const hol_prim *p)
{
    hol_scalar by, row, moved;
    hol_real y[HOL_MAX_Y], D[3][HOL_MAX_Y], jet[4], fw = 0, fww = 0;
    hol_prim_by_function(p, s->ny, s->y, s->w, &by);
    for (int j = 0; j < s->ny; j++) {
        memcpy(y, s->y, sizeof y);
        y[j] = beside(y[j], 1);
        hol_prim_by_function(p, s->ny, y, s->w, &moved);
        D[0][j] = cimag(moved.f) / STEP;
        D[1][j] = cimag(moved.fw) / STEP;
        D[2][j] = cimag(moved.fww) / STEP;
        fw += by.d[j] * s->w[j];
        fww += by.dw[j] * s->w[j];
    }
    compare(s, "gradient by the function", 1, s->ny, by.d, D[0], 1);
    compare(s, "second derivative by the function", 1, s->ny, by.dw, D[1], 1);
    compare(s, "third derivative by the function", 1, s->ny, by.dww, D[2], 1);
    compare_number(s, "rate by the function", by.fw, fw, 1);
    compare_number(s, "second rate by the function", by.fww, fww, 1);
    if (moves(p->m1) || moves(p->m2)) return;
    hol_expr_jet(p->set, s->y[s->ny - 1], jet);
    hol_prim_eval(p, s->ny, s->y, s->w, 1, &row);
    compare_number(s, "by the function", by.f * jet[1], row.d[s->ny - 1], 1);
}

static void check_primitive(const probe *s, const hol_prim *p)
{
    if (p->set) check_by_function(s, p);

    hol_scalar o[3];
    hol_prim_eval(p, s->ny, s->y, s->w, 3, o);
    check_primitive_gradients(s, p, o);
    for (int i = 0; i < p->rows; i++) {
        bool turn = false;
        const double want = primitive_value(s, p, i, &turn), have = hol_re(o[i].f);
        if (turn)
            compare_number(s, "angle", wrapped(have - want), 0, 1);
        else
            compare_number(s, hol_prim_label(p, i), have, want, 1);
        // rates along w are the derivatives times w
        hol_real fw = 0, fww = 0;
        for (int j = 0; j < s->ny; j++) fw += o[i].d[j] * s->w[j];
        for (int j = 0; j < s->ny; j++) fww += o[i].dw[j] * s->w[j];
        compare_number(s, "rate", o[i].fw, fw, largest(o[i].d, s->ny));
        compare_number(s, "second rate", o[i].fww, fww, largest(o[i].dw, s->ny));
    }
}

static void check_marker(const probe *s, const hol_marker *k)
{
    for (int what = HOL_ORIGIN; what <= HOL_ORIENTATION; what++) {
        hol_feature f;
        if (k->frame == HOL_FRAME_POINT && what != HOL_ORIGIN) continue;
        if (k->frame == HOL_FRAME_PLANAR && what == HOL_ORIENTATION) continue;
        hol_feature_eval(k, what, s->y, s->w, 3, &f);
        for (int i = 0; i < f.m; i++) {
            hol_real fw = 0, fww = 0;
            for (int j = 0; j < f.n; j++) fw += f.d[i][j] * s->w[f.iy + j];
            for (int j = 0; j < f.n; j++) fww += f.dw[i][j] * s->w[f.iy + j];
            compare_number(s, "marker rate", f.fw[i], fw, 1);
            compare_number(s, "marker second rate", f.fww[i], fww, 1);
        }
    }
}

// Forces in primitives: Q = -s_q^T (K (s - s0) + C s' + F), with s_q by the complex step.
static void check_law(const probe *s)
{
    const hol_law *law = s->e->data;
    const int n = law->n;
    hol_real Q[HOL_MAX_Y], want[HOL_MAX_Y] = {0}, y[HOL_MAX_Y], V;
    double slope[HOL_MAX_ROWS][HOL_MAX_Y], rate[HOL_MAX_ROWS] = {0}, x[HOL_MAX_ROWS], energy = 0;
    for (int k = 0; k < n; k++) {
        hol_scalar o;
        for (int j = 0; j < s->ny; j++) {
            memcpy(y, s->y, sizeof y);
            y[j] = beside(y[j], 1);
            hol_prim_eval(&law->s[k], s->ny, y, NULL, 0, &o);
            slope[k][j] = cimag(o.f) / STEP;
            rate[k] += slope[k][j] * hol_re(s->w[j]);
        }
        x[k] = hol_re(o.f);
        if (law->counts_turns) x[k] = expected_angle(s, 0) + wrapped(x[k] - expected_angle(s, 0));
        x[k] -= law->s0[k];
    }
    for (int k = 0; k < n; k++) {
        double f = k == 0 && law->adds ? hol_re(s->u[0]) : 0;
        for (int l = 0; l < n; l++) {
            f += law->K[k * n + l] * x[l] + law->C[k * n + l] * rate[l];
            energy += 0.5 * x[k] * law->K[k * n + l] * x[l];
        }
        for (int j = 0; j < s->nq; j++) want[j] -= f * slope[k][j];
    }
    force_of(s, s->y, s->w, Q);
    compare(s, "Q of the law", 1, s->nq, Q, want, 1);
    energy_of(s, s->y, s->w, &V);
    compare_number(s, "V of the law", V, energy, 1);
}

// sum_k ratio_k (s_k - drawn_k), angles in space within half a turn of the memory
static void check_sum(const probe *s)
{
    const hol_element *e = s->e;
    const hol_sum *sum = e->data;
    probe at_start = {.m = s->m, .e = e, .ny = s->ny, .nq = s->nq};
    double want = 0;
    hol_element_gather(s->m, e, 0, s->m->drawn_q, s->m->v0, 1, at_start.y, at_start.w);
    for (int k = 0; k < sum->n; k++) {
        bool turn = false;
        const double now = primitive_value(s, &sum->s[k], 0, &turn);
        const double then = primitive_value(&at_start, &sum->s[k], 0, &turn);
        double since = now - then;
        if (sum->slot[k] >= 0)
            since = expected_angle(s, sum->slot[k]) + wrapped(since - expected_angle(s, sum->slot[k]));
        else if (turn) { // planar angles are not periodic: those of the bodies count
            const place a = locate(s, sum->s[k].m1), b = locate(s, sum->s[k].m2),
                        a0 = locate(&at_start, sum->s[k].m1), b0 = locate(&at_start, sum->s[k].m2);
            since = b.theta - a.theta - b0.theta + a0.theta;
        }
        if (sum->s[k].kind != HOL_PRIM_ANGLE) check_primitive(s, &sum->s[k]);
        want += sum->ratio[k] * since;
    }
    if (e->type->hold) want -= s->mem[e->n_mem]; // what a lock holds
    hol_real row[HOL_MAX_ROWS];
    phi_of(s, s->y, s->w, row);
    compare_number(s, "sum", row[e->n_rows - 1], want, 1);
    hol_real at_drawn[HOL_MAX_ROWS]; // nothing is remembered yet
    phi_of(&at_start, at_start.y, at_start.w, at_drawn);
    compare_number(s, "drawn sum", at_drawn[e->n_rows - 1], 0, 1);
}

static const hol_spline *spline_of(const hol_model_data *m, const char *name)
{
    const hol_known *known = &m->spec->known;
    for (int i = 0; i < known->n_splines; i++)
        if (strcmp(known->spline[i].name, name) == 0) return known->spline[i].table.spline;
    return NULL;
}

static double spline_at(const hol_spline *f, double x)
{
    hol_real value[4];
    hol_spline_eval(f, 0, x, value);
    return hol_re(value[0]);
}

// A force between two bodies does no work in a motion of both as one: forces and torques balance. Any such motion, with
// the Euler parameters on the sphere.
static void check_balance(const probe *s)
{
    hol_real Q[HOL_MAX_Y], power = 0;
    double e[3], u[3], most = 0;
    for (int i = 0; i < 3; i++) {
        e[i] = s->m->dimension == 3 || i == 2 ? random_in(&dice, -1, 1) : 0;
        u[i] = random_in(&dice, -1, 1);
    }
    force_of(s, s->y, s->w, Q);
    for (int b = 0, at = 0; b < s->e->n_bodies; at += s->m->body[s->e->body[b++]].size) {
        const hol_body *body = &s->m->body[s->e->body[b]];
        const hol_real *q = s->y + at;
        hol_real v[7] = {0}, E[3][4];
        const int d = s->m->dimension;
        const double r[3] = {hol_re(q[0]), hol_re(q[1]), d == 3 ? hol_re(q[2]) : 0};
        for (int i = 0; i < d; i++)
            v[i] = u[i] + e[(i + 1) % 3] * r[(i + 2) % 3] - e[(i + 2) % 3] * r[(i + 1) % 3];
        if (body->frame == HOL_FRAME_PLANAR) v[2] = e[2];
        if (body->frame == HOL_FRAME_SPATIAL) {
            hol_global_rate(q + 3, E);
            for (int j = 0; j < 4; j++) v[3 + j] = 0.5 * (E[0][j] * e[0] + E[1][j] * e[1] + E[2][j] * e[2]);
        }
        for (int i = 0; i < body->size; i++) {
            power += Q[at + i] * v[i];
            most = fmax(most, fabs(hol_re(Q[at + i] * v[i])));
        }
    }
    compare_number(s, "power of a motion as one", power, 0, fmax(most, 1));
}

// A beam's stiffness from beam theory (Timoshenko): its sections turn by a x + b x^2 in a plane through its axis, and slide by the angle
// g = -2 s b, which is their shear force over the shear stiffness EI/s. It stores EI/2 times the integral of the square of the slope of the turn,
// and EI/s g^2 L/2; a tip displacement u and rotation r give a and b. s = 0: no shear.
static double bent(double EI, double s, double L, double u, double r)
{
    const double b = (r * L / 2 - u) / (L * L * L / 6 + 2 * s * L), a = r / L - b * L;
    return 0.5 * EI * (a * a * L + 2 * a * b * L * L + 4 * b * b * L * L * L / 3) + 2 * EI * s * b * b * L;
}

// Of the rows in `uses`: values as there.
static void check_beam(const probe *s)
{
    const hol_law *law = s->e->data;
    const double L = law->s0[0], E = 2.1;
    double x[HOL_MAX_ROWS], V, want;
    for (int k = 0; k < law->n; k++) {
        hol_scalar o;
        hol_prim_eval(&law->s[k], s->ny, s->y, NULL, 0, &o);
        x[k] = hol_re(o.f) - law->s0[k];
    }
    assert_true(L == 1.3 || L == 0.9);
    want = 0.5 * E * 0.7 / L * x[0] * x[0];
    if (law->n == 3)
        want += bent(E * 0.3, 0, L, x[1], x[2]);
    else { // a rotation about y lowers the slope of z; the row of length 0.9 gives way to shear
        const double y = L == 0.9 ? 1.2 * E * 0.5 / (0.8 * 0.7) : 0,
                     z = L == 0.9 ? 1.1 * E * 0.3 / (0.8 * 0.7) : 0;
        want += bent(E * 0.5, y, L, x[1], x[5]) + bent(E * 0.3, z, L, x[2], -x[4]) +
                0.5 * 0.8 * 0.6 / L * x[3] * x[3];
    }
    hol_real energy;
    energy_of(s, s->y, s->w, &energy);
    V = hol_re(energy);
    compare_number(s, "energy of the beam", V, want, want);
    for (int i = 0; i < law->n * law->n; i++)
        compare_number(s, "damping of the beam", law->C[i], L == 0.9 ? 0.2 * law->K[i] : 0, 1);
}

// One of the two curves passes through the row's value: which one is told by the element's order in `uses`.
static void check_curve(const probe *s)
{
    const place a = locate(s, s->e->end[0].marker), b = locate(s, s->e->end[1].marker);
    double d[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) d[i] += a.R[3 * k + i] * (b.r[k] - a.r[k]);
    const double angle = atan2(d[1], d[0]);
    const double wave = d[1] - spline_at(spline_of(s->m, "wave"), d[0]);
    const double cam =
        hypot(d[0], d[1]) - spline_at(spline_of(s->m, "cam"), angle < 0 ? angle + 2 * HOL_PI : angle);
    hol_real row[HOL_MAX_ROWS];
    phi_of(s, s->y, s->w, row);
    const double value = hol_re(row[0]);
    compare_number(s, "curve", value, fabs(value - wave) < fabs(value - cam) ? wave : cam, 1);
    if (s->m->dimension == 3) compare_number(s, "curve's plane", row[1], d[2], 1);
}

static void check_geometry(const probe *s)
{
    const hol_element *e = s->e;
    hol_real row;
    if (e->type->frame == HOL_FRAME_SPATIAL && e->type->role == HOL_ROLE_BODY) { // the normalisation holds
        e->type->phi(e->data, s->ny, s->y, NULL, &row, NULL);
        compare_number(s, "normalisation", row, 0, 1);
    }
    for (int i = 0; i < e->n_ends; i++) check_marker(s, e->end[i].marker);
    if (e->type->phi == hol_prims_phi) {
        const hol_prims *list = e->data;
        for (int i = 0; i < list->n; i++) check_primitive(s, &list->p[i]);
    }
    if (is_sum(e)) check_sum(s);
    if (strcmp(e->type->name, "point-on-curve") == 0) check_curve(s);
    if (e->type->force == hol_law_force) {
        const hol_law *law = e->data;
        for (int i = 0; i < law->n; i++) check_primitive(s, &law->s[i]);
        check_law(s);
        if (e->end[0].body >= 0 && e->end[1].body >= 0) check_balance(s);
    }
    if (strcmp(e->type->name, "beam") == 0) check_beam(s);
}

static void values_agree_with_geometry(void **state)
{
    (void)state;
    on_all_elements(check_geometry, true);
}

// In the plane a joint keeps the full turns of the drawn pose.
static void planar_joints_keep_the_drawn_turns(void **state)
{
    (void)state;
    failures = 0;
    hol_model_data *m = model_of(2);
    for (int i = 0; i < m->n_elements; i++) {
        probe s = {.m = m, .e = &m->element[i], .ny = m->element[i].ny, .nq = m->element[i].ny - 1};
        const hol_prims *list = s.e->data;
        if (s.e->type->role != HOL_ROLE_JOINT || s.e->type->phi != hol_prims_phi) continue;
        hol_element_gather(m, s.e, 0, m->drawn_q, m->v0, 1, s.y, s.w);
        for (int k = 0; k < list->n; k++) {
            hol_scalar o[3];
            if (list->p[k].kind != HOL_PRIM_ANGLE) continue;
            hol_prim_eval(&list->p[k], s.ny, s.y, s.w, 0, o);
            if (!(fabs(hol_re(o[0].f)) <= HOL_PI)) report(&s, "drawn angle", 0, 0, hol_re(o[0].f), 0, HOL_PI);
        }
    }
    hol_model_free(m);
    assert_int_equal(failures, 0);
}

static void distances_are_kept_as_drawn(void **state)
{
    (void)state;
    failures = 0;
    int count = 0;
    for (int d = 2; d <= 3; d++) {
        hol_model_data *m = model_of(d);
        for (int i = 0; i < m->n_elements; i++) {
            probe s = {.m = m, .e = &m->element[i], .ny = m->element[i].ny, .nq = m->element[i].ny - 1};
            const hol_prims *list = s.e->data;
            if (s.e->type->role != HOL_ROLE_JOINT || strcmp(s.e->type->name, "distance") != 0) continue;
            if (list->p[0].offset == 0.8) continue; // given
            hol_element_gather(m, s.e, 0, m->drawn_q, m->v0, 1, s.y, s.w);
            hol_real row;
            phi_of(&s, s.y, s.w, &row);
            compare_number(&s, "drawn distance", row, 0, 1);
            count++;
        }
        hol_model_free(m);
    }
    assert_int_equal(count, 2 * HOL_COUNT(pairs));
    assert_int_equal(failures, 0);
}

// ---- rotations ------------------------------------------------------------------------------------------------

static void close_to(double have, double want) { near("value", have, want, TOLERANCE * fmax(1, fabs(want))); }

static void random_rotation(double p[4])
{
    double n = 0;
    for (int i = 0; i < 4; i++) p[i] = random_in(&dice, -1, 1);
    for (int i = 0; i < 4; i++) n += p[i] * p[i];
    for (int i = 0; i < 4; i++) p[i] /= sqrt(n);
}

// About each axis by a known angle: fixes every sign.
static void quaternions_turn_the_right_way(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        double p[4] = {cos(0.2), 0, 0, 0}, R[9], u[3] = {0, 0, 0};
        hol_real pc[4], out[3];
        p[1 + axis] = sin(0.2);
        for (int i = 0; i < 4; i++) pc[i] = p[i];
        hol_quat_matrix(p, R);
        u[next] = 1;
        hol_rotate(pc, u, out); // the next axis turns towards the last
        for (int i = 0; i < 3; i++) close_to(hol_re(out[i]), i == next ? cos(0.4) : i == last ? sin(0.4) : 0);
        for (int i = 0; i < 3; i++) close_to(R[3 * i + next], hol_re(out[i]));
    }
}

static void rotations_agree_with_each_other(void **state)
{
    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        double p[4], q[4], pq[4], back[4], R[9], S[9], T[9], u[3];
        hol_real pc[4], twice[4], out[3], far[3];
        random_rotation(p);
        random_rotation(q);
        for (int i = 0; i < 3; i++) u[i] = random_in(&dice, -1, 1);
        for (int i = 0; i < 4; i++) twice[i] = 2 * (pc[i] = p[i]);
        hol_quat_matrix(p, R);
        hol_quat_matrix(q, S);
        hol_quat_multiply(p, q, pq);
        hol_quat_matrix(pq, T);
        hol_rotate(pc, u, out);
        hol_rotate(twice, u, far);
        for (int i = 0; i < 3; i++) {
            close_to(hol_re(out[i]), R[3 * i] * u[0] + R[3 * i + 1] * u[1] + R[3 * i + 2] * u[2]);
            close_to(hol_re(far[i]), 4 * hol_re(out[i])); // quadratic off the sphere
            for (int j = 0; j < 3; j++) {
                close_to(T[3 * i + j], R[3 * i] * S[j] + R[3 * i + 1] * S[3 + j] + R[3 * i + 2] * S[6 + j]);
                close_to(R[3 * i] * R[3 * j] + R[3 * i + 1] * R[3 * j + 1] + R[3 * i + 2] * R[3 * j + 2],
                         i == j);
            }
        }
        hol_matrix_quat(R, back);
        assert_true(back[0] >= 0);
        for (int i = 0; i < 4; i++) close_to(back[i], p[0] < 0 ? -p[i] : p[i]);
    }
    for (int k = 1; k < 4; k++) { // half turns: every branch of the way back
        double p[4] = {0, 0, 0, 0}, R[9], back[4];
        p[k] = 1;
        hol_quat_matrix(p, R);
        hol_matrix_quat(R, back);
        for (int i = 0; i < 4; i++) close_to(back[i], p[i]);
    }
}

// omega from A' = omega~ A = A omega_body~, with A' by the complex step.
static void angular_velocity(const double p[4], const double v[4], double global[3], double body[3])
{
    double A[9], dA[9], W[9] = {0}, B[9] = {0};
    for (int j = 0; j < 3; j++) {
        const double u[3] = {j == 0, j == 1, j == 2};
        hol_real pc[4], out[3];
        for (int i = 0; i < 4; i++) pc[i] = beside(p[i], v[i]);
        hol_rotate(pc, u, out);
        for (int i = 0; i < 3; i++) {
            A[3 * i + j] = hol_re(out[i]);
            dA[3 * i + j] = cimag(out[i]) / STEP;
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                W[3 * i + j] += dA[3 * i + k] * A[3 * j + k];
                B[3 * i + j] += A[3 * k + i] * dA[3 * k + j];
            }
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        global[i] = W[3 * b + a];
        body[i] = B[3 * b + a];
    }
}

static void tangent_rate(const double p[4], double v[4])
{
    double pv = 0;
    for (int i = 0; i < 4; i++) v[i] = random_in(&dice, -1, 1);
    for (int i = 0; i < 4; i++) pv += v[i] * p[i];
    for (int i = 0; i < 4; i++) v[i] -= pv * p[i];
}

static void rates_give_the_angular_velocity(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        double p[4], v[4], global[3], body[3];
        hol_real pc[4], G[3][4], E[3][4];
        random_rotation(p);
        tangent_rate(p, v);
        for (int i = 0; i < 4; i++) pc[i] = p[i];
        angular_velocity(p, v, global, body);
        hol_body_rate(pc, G);
        hol_global_rate(pc, E);
        for (int i = 0; i < 3; i++) {
            hol_real g = 0, e = 0;
            for (int j = 0; j < 4; j++) {
                g += 2 * G[i][j] * v[j];
                e += 2 * E[i][j] * v[j];
            }
            close_to(hol_re(g), body[i]);
            close_to(hol_re(e), global[i]);
        }
    }
}

// ---- roads ----------------------------------------------------------------------------------------------------

// Heights and slopes that a damper feels, by hand: a bump at xi = 0.4, arcs of circles of radius 0.5.
static void roads_have_their_shapes(void **state)
{
    const hol_road
        bump = {.kind = HOL_ROAD_BUMP, .middle = 3, .height = 0.1, .half_width = 0.5},
        hill = {.kind = HOL_ROAD_CYLINDER, .middle = 1, .height = 0.1, .half_width = 0.3, .steepest = 10},
        hole = {.kind = HOL_ROAD_CYLINDER, .middle = -1, .height = -0.5, .half_width = 0.5, .steepest = 1};
    const struct {
        const hol_road *road;
        double x, h, felt;
    } rows[] = {{&bump, 3.2, 0.0592704, -0.338688},
                {&bump, 3, 0.1, 0},
                {&bump, 3.6, 0, 0},
                {&hill, 1, 0.1, 0},
                {&hill, 1.3, 0, 0},
                {&hill, 0.86, 0.08, 0.14 / 0.48},
                {&hole, -1, -0.5, 0},
                {&hole, -0.86, -0.48, 0.14 / 0.48},
                {&hole, -0.52, -0.14, 1},
                {&hole, -1.48, -0.14, -1}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const hol_road_point p = hol_road_at(rows[i].road, rows[i].x);
        close_to(hol_re(p.h), rows[i].h);
        close_to(hol_re(p.felt), rows[i].felt);
    }
    const double cut = 0.5 * sqrt(0.5); // where a slope of 1 is reached
    const struct {
        const hol_road *road;
        int n;
        double x[4];
    } edges[] = {
        {&bump, 2, {2.5, 3.5}}, {&hill, 2, {0.7, 1.3}}, {&hole, 4, {-1.5, -1 - cut, -1 + cut, -0.5}}};
    for (int i = 0; i < HOL_COUNT(edges); i++) {
        double x[4];
        assert_int_equal(hol_road_edges(edges[i].road, x, 4), edges[i].n);
        for (int k = 0; k < edges[i].n; k++) close_to(x[k], edges[i].x[k]);
    }
}

// In units of 1 mm; one of the nodes lies on the straight line between its neighbours.
static void tables_have_their_corners(void **state)
{
    static const double at[] = {-100, 600, 1000, 2000}, height[] = {-20, 120, 200, 100};
    hol_arena *arena = hol_arena_create(ctx);
    const hol_road road = {.kind = HOL_ROAD_TABLE,
                           .table = hol_spline_create(arena, HOL_SPLINE_CUBIC, 4, at, height),
                           .x_unit = 0.001,
                           .unit = 0.001};
    double x[4];
    (void)state;
    assert_non_null(road.table);
    assert_int_equal(hol_road_edges(&road, x, 4), 3);
    close_to(x[0], -0.1);
    close_to(x[1], 1);
    close_to(x[2], 2);
    hol_arena_destroy(arena);
}

// ---- one model with known numbers -----------------------------------------------------------------------------

static const char *const one_body =
    "dimension: 3\n"
    "gravity: [1, 2, -3]\n"
    "bodies:\n"
    "  - {name: a, mass: 2, inertia: [0.7, 0.8, 0.9, 0.1, -0.05, 0.2],\n"
    "     markers: {m: {position: [0.4, 0.3, -0.6], orientation: {quat_wxyz: [0.5, -0.5, 0.5, 0.5]}}}}\n"
    "  - {name: p, type: point, mass: 3}\n"
    "forces:\n"
    "  - {name: tg, type: torque, on: a.m, value: [0.3, -0.4, 0.5]}\n"
    "  - {name: tb, type: torque, on: a.m, value: [0.3, -0.4, 0.5], frame: body}\n"
    "  - {name: fg, type: force, on: a.m, value: [0.3, -0.4, 0.5]}\n"
    "  - {name: fb, type: force, on: a.m, value: [0.3, -0.4, 0.5], frame: body}\n"
    "  - {name: fp, type: force, on: p, value: [0.3, -0.4, 0.5]}\n";

static double power_of(const hol_model_data *m, const char *name, const hol_real *y, const hol_real *w)
{
    const hol_element *e = &m->element[hol_model_find_element(m, name)];
    hol_real Q[7] = {0}, u[HOL_MAX_ROWS] = {0};
    double P = 0;
    for (int k = 0; k < e->n_inputs; k++) u[k] = value_at(e->input[k].time, 0);
    e->type->force(e->data, e->ny, y, w, NULL, u, Q);
    for (int i = 0; i < e->ny - 1; i++) P += hol_re(Q[i]) * hol_re(w[i]);
    return P;
}

static void applied_forces_and_torques_have_the_right_power(void **state)
{
    (void)state;
    static const double value[3] = {0.3, -0.4, 0.5}, s[3] = {0.4, 0.3, -0.6}, axes[4] = {0.5, -0.5, 0.5, 0.5};
    hol_model_data *m = compile_text(one_body);
    for (int trial = 0; trial < 10; trial++) {
        double p[4], v[4], om[3], om_body[3], R[9], local[9], rate[3], global_force[3];
        hol_real y[8], w[8];
        random_rotation(p);
        tangent_rate(p, v);
        for (int i = 0; i < 8; i++) {
            y[i] = i >= 3 && i < 7 ? p[i - 3] : random_in(&dice, -1, 1);
            w[i] = i >= 3 && i < 7 ? v[i - 3] : random_in(&dice, -1, 1);
        }
        angular_velocity(p, v, om, om_body);
        hol_quat_matrix(p, R);
        hol_quat_matrix(axes, local);
        double torque_global = 0, torque_body = 0, force_global = 0, force_body = 0;
        for (int i = 0; i < 3; i++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3;
            double in_body = 0; // components in body axes of a vector given in the marker's
            for (int k = 0; k < 3; k++) in_body += local[3 * i + k] * value[k];
            global_force[i] = in_body;
            torque_global += value[i] * om[i];
            torque_body += in_body * om_body[i];
            rate[i] = om_body[a] * s[b] - om_body[b] * s[a]; // omega x s in body axes
        }
        for (int i = 0; i < 3; i++) {
            double turned = 0, velocity = hol_re(w[i]);
            for (int k = 0; k < 3; k++) {
                turned += R[3 * i + k] * global_force[k];
                velocity += R[3 * i + k] * rate[k];
            }
            force_global += value[i] * velocity;
            force_body += turned * velocity;
        }
        close_to(power_of(m, "tg", y, w), torque_global);
        close_to(power_of(m, "tb", y, w), torque_body);
        close_to(power_of(m, "fg", y, w), force_global);
        close_to(power_of(m, "fb", y, w), force_body);
        close_to(power_of(m, "fp", y, w), 0.3 * hol_re(w[0]) - 0.4 * hol_re(w[1]) + 0.5 * hol_re(w[2]));
    }
    hol_model_free(m);
}

static double kinetic(const hol_element *e, const hol_real *y, const hol_real *w)
{
    hol_real M[49];
    double T = 0;
    const int n = e->ny - 1;
    e->type->mass(e->data, y, M);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) T += 0.5 * hol_re(w[i]) * hol_re(M[i * n + j]) * hol_re(w[j]);
    return T;
}

static void masses_give_the_kinetic_energy(void **state)
{
    (void)state;
    static const double J[9] = {0.7, 0.1, -0.05, 0.1, 0.8, 0.2, -0.05, 0.2, 0.9};
    hol_model_data *m = compile_text(one_body);
    for (int trial = 0; trial < 10; trial++) {
        double p[4], v[4], om[3], om_body[3], T = 0, T_point = 0;
        hol_real y[8] = {0}, w[8] = {0}, V, rate;
        random_rotation(p);
        tangent_rate(p, v);
        for (int i = 0; i < 4; i++) {
            y[3 + i] = p[i];
            w[3 + i] = v[i];
        }
        angular_velocity(p, v, om, om_body);
        for (int i = 0; i < 3; i++) {
            w[i] = random_in(&dice, -1, 1);
            y[i] = random_in(&dice, -1, 1);
            T += 0.5 * 2 * hol_re(w[i]) * hol_re(w[i]);
            T_point += 0.5 * 3 * hol_re(w[i]) * hol_re(w[i]);
            for (int j = 0; j < 3; j++) T += 0.5 * om_body[i] * J[3 * i + j] * om_body[j];
        }
        close_to(kinetic(&m->element[0], y, w), T);
        close_to(kinetic(&m->element[1], y, w), T_point);
        const double height = hol_re(y[0]) + 2 * hol_re(y[1]) - 3 * hol_re(y[2]);
        m->element[0].type->energy(m->element[0].data, 8, y, w, NULL, &V, &rate);
        close_to(hol_re(V), -2 * height);
        m->element[1].type->energy(m->element[1].data, 4, y, w, NULL, &V, &rate);
        close_to(hol_re(V), -3 * height);
    }
    hol_model_free(m);

    m = compile_text("dimension: 2\ngravity: [1, -3]\nbodies:\n  - {name: a, mass: 2, inertia: 0.5}\n"
                     "forces:\n  - {name: motor, type: torque, on: a, value: 0.7}\n"
                     "  - {name: push, type: force, on: a, value: [0.3, -0.4]}\n");
    hol_real y[4] = {0.3, -0.4, 0.8, 0}, w[4] = {0.5, 0.6, -0.7, 1}, V, rate;
    close_to(kinetic(&m->element[0], y, w), 0.5 * (2 * (0.25 + 0.36) + 0.5 * 0.49));
    m->element[0].type->energy(m->element[0].data, 4, y, w, NULL, &V, &rate);
    close_to(hol_re(V), -2 * (0.3 + 3 * 0.4));
    close_to(power_of(m, "motor", y, w), 0.7 * -0.7);
    close_to(power_of(m, "push", y, w), 0.3 * 0.5 - 0.4 * 0.6);
    hol_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_agree_with_geometry),
        cmocka_unit_test(planar_joints_keep_the_drawn_turns),
        cmocka_unit_test(distances_are_kept_as_drawn),
        cmocka_unit_test(roads_have_their_shapes),
        cmocka_unit_test(tables_have_their_corners),
        cmocka_unit_test(quaternions_turn_the_right_way),
        cmocka_unit_test(rotations_agree_with_each_other),
        cmocka_unit_test(rates_give_the_angular_velocity),
        cmocka_unit_test(applied_forces_and_torques_have_the_right_power),
        cmocka_unit_test(masses_give_the_kinetic_energy),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
