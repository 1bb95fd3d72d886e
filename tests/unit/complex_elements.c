// Every derivative of every element type against the complex step.
//
//     df/dx = Im f(x + i h) / h with h = 1e-30, exact to rounding because nothing is subtracted.
//
// A derivative passes when each entry is within TOLERANCE of the complex step, relative to the largest entry of the matrix or of the
// function differentiated (a sum that cancels leaves the rounding of its terms). complex_geometry.c checks values: a consistent
// mistake in a function and its derivatives is invisible here.
#include "elements.h"

// ---- constraints ----------------------------------------------------------------------------------------------

static void check_rows(const probe *s, const char *what, function f, bool given, const hol_real *J)
{
    hol_real D[MAX_OUT];
    const double values = complex_step(s, f, s->e->n_rows, s->ny, false, D);
    if (given)
        compare(s, what, s->e->n_rows, s->ny, J, D, values);
    else
        must_be_zero(s, what, s->e->n_rows, s->ny, D);
}

// phi_along against phi and phi_yw, both checked by the complex step.
static void check_along(const probe *s)
{
    const hol_element_type *type = s->e->type;
    const int ny = s->ny, nr = s->e->n_rows;
    hol_real J[MAX_OUT], K[MAX_OUT], W[MAX_OUT], along[HOL_MAX_ROWS], expected[HOL_MAX_ROWS] = {0};
    if (!type->phi_along) return;
    type->phi_along(s->e->data, ny, s->y, s->w, J, along);
    type->phi(s->e->data, ny, s->y, NULL, NULL, K);
    type->phi_yw(s->e->data, ny, s->y, s->w, W);
    for (int i = 0; i < nr; i++)
        for (int j = 0; j < ny; j++) expected[i] += W[i * ny + j] * s->w[j];
    compare(s, "phi_along, phi_y", nr, ny, J, K, 1);
    compare(s, "phi_along", nr, 1, along, expected, 1);
}

static void check_constraints(const probe *s)
{
    const hol_element_type *type = s->e->type;
    const int ny = s->ny, nr = s->e->n_rows;
    hol_real J[MAX_OUT], H[MAX_OUT], D[MAX_OUT], was[MAX_OUT];
    if (nr == 0) return;
    if (type->phi) type->phi(s->e->data, ny, s->y, NULL, NULL, J);
    check_rows(s, "phi_y", phi_of, type->phi != NULL, J);
    if (type->phi_yw) type->phi_yw(s->e->data, ny, s->y, s->w, J);
    check_rows(s, "phi_yw", phi_y_w_of, type->phi_yw != NULL, J);
    if (type->phi_yww) type->phi_yww(s->e->data, ny, s->y, s->w, J);
    check_rows(s, "phi_yww", phi_yw_w_of, type->phi_yww != NULL, J);
    check_along(s);

    // phi_lam adds to what is there
    const double values = complex_step(s, phi_y_lam_of, ny, ny, false, D);
    if (!type->phi_lam) {
        must_be_zero(s, "phi_lam", ny, ny, D);
        return;
    }
    for (int i = 0; i < ny * ny; i++) was[i] = H[i] = random_in(&dice, -1, 1);
    type->phi_lam(s->e->data, ny, s->y, s->lam, H);
    for (int i = 0; i < ny * ny; i++) H[i] -= was[i];
    compare(s, "phi_lam", ny, ny, H, D, fmax(values, 1));
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < ny; j++) D[i * ny + j] = H[j * ny + i];
    compare(s, "phi_lam - phi_lam^T", ny, ny, H, D, 1);

    for (int i = 0; i < nr; i++) assert_non_null(type->row(s->e->data, i).direction);
}

static void psi_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    s->e->type->rate(s->e->data, s->ny, y, w, out, NULL, NULL);
}

static void psi_w_kap_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y];
    s->e->type->rate(s->e->data, s->ny, y, w, NULL, NULL, J);
    for (int j = 0; j < s->ny; j++) {
        out[j] = 0;
        for (int i = 0; i < s->e->n_rates; i++) out[j] += J[i * s->ny + j] * s->lam[i];
    }
}

// Psi_y w + Psi_w b, with the random accelerations a of the probe as b
static void psi_dot_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    const int ny = s->ny;
    hol_real P[HOL_MAX_ROWS * HOL_MAX_Y], R[HOL_MAX_ROWS * HOL_MAX_Y];
    s->e->type->rate(s->e->data, ny, y, w, NULL, P, R);
    for (int i = 0; i < s->e->n_rates; i++) {
        out[i] = 0;
        for (int j = 0; j < ny; j++) out[i] += P[i * ny + j] * w[j] + R[i * ny + j] * s->a[j];
    }
}

static void check_rates(const probe *s)
{
    const hol_element_type *type = s->e->type;
    const int ny = s->ny, nr = s->e->n_rates;
    hol_real Psi_y[MAX_OUT], Psi_w[MAX_OUT], D[MAX_OUT];
    if (nr == 0) return;
    type->rate(s->e->data, ny, s->y, s->w, NULL, Psi_y, Psi_w);
    double values = complex_step(s, psi_of, nr, ny, false, D);
    compare(s, "Psi_y", nr, ny, Psi_y, D, values);
    values = complex_step(s, psi_of, nr, ny, true, D);
    compare(s, "Psi_w", nr, ny, Psi_w, D, values);

    for (int i = 0; i < ny * ny; i++) Psi_y[i] = Psi_w[i] = 1;
    type->rate_kap(s->e->data, ny, s->y, s->w, s->lam, Psi_y, Psi_w);
    for (int i = 0; i < ny * ny; i++) {
        Psi_y[i] -= 1;
        Psi_w[i] -= 1;
    }
    values = complex_step(s, psi_w_kap_of, ny, ny, false, D);
    compare(s, "(Psi_w^T kap)_y", ny, ny, Psi_y, D, fmax(values, 1));
    values = complex_step(s, psi_w_kap_of, ny, ny, true, D);
    compare(s, "(Psi_w^T kap)_w", ny, ny, Psi_w, D, fmax(values, 1));

    type->rate_dot(s->e->data, ny, s->y, s->w, s->a, Psi_y, Psi_w);
    values = complex_step(s, psi_dot_of, nr, ny, false, D);
    compare(s, "Psi'_y", nr, ny, Psi_y, D, fmax(values, 1));
    values = complex_step(s, psi_dot_of, nr, ny, true, D);
    compare(s, "Psi'_w", nr, ny, Psi_w, D, fmax(values, 1));
}

// ---- masses and forces ----------------------------------------------------------------------------------------

static void check_mass(const probe *s)
{
    const hol_element_type *type = s->e->type;
    const int nq = s->nq;
    hol_real M[MAX_OUT], T[MAX_OUT], K[MAX_OUT] = {0}, D[MAX_OUT];
    if (!type->mass) return;
    type->mass(s->e->data, s->y, M);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < nq; j++) T[i * nq + j] = M[j * nq + i];
    compare(s, "M - M^T", nq, nq, M, T, 0);
    hol_real product[HOL_MAX_Y], f[HOL_MAX_Y];
    mass_a_of(s, s->y, NULL, product);
    type->mass_times(s->e->data, s->y, s->a, f);
    compare(s, "M a", nq, 1, product, f, 0);
    const double values = complex_step(s, mass_a_of, nq, s->ny, false, D);
    if (type->mass_a) type->mass_a(s->e->data, s->y, s->a, K);
    if (type->mass_a)
        compare(s, "mass_a", nq, s->ny, K, D, values);
    else
        must_be_zero(s, "mass_a", nq, s->ny, D);
}

static void check_force(const probe *s)
{
    const hol_element_type *type = s->e->type;
    const int nq = s->nq, ny = s->ny;
    hol_real Q_y[MAX_OUT], Q_v[MAX_OUT], D_y[MAX_OUT], D_v[MAX_OUT], Q[HOL_MAX_Y], R[HOL_MAX_Y];
    if (!type->force) return;
    const double values = complex_step(s, force_of, nq, ny, false, D_y);
    complex_step(s, force_of, nq, nq, true, D_v);
    if (!type->force_d) {
        must_be_zero(s, "Q_y", nq, ny, D_y);
        must_be_zero(s, "Q_v", nq, nq, D_v);
        return;
    }
    for (int i = 0; i < nq * ny; i++) Q_y[i] = 1;
    for (int i = 0; i < nq * nq; i++) Q_v[i] = 1;
    type->force_d(s->e->data, ny, s->y, s->w, s->mem, s->u, Q_y, Q_v);
    for (int i = 0; i < nq * ny; i++) Q_y[i] -= 1;
    for (int i = 0; i < nq * nq; i++) Q_v[i] -= 1;
    compare(s, "Q_y", nq, ny, Q_y, D_y, fmax(values, 1));
    compare(s, "Q_v", nq, nq, Q_v, D_v, fmax(values, 1));

    // force adds to what is there
    force_of(s, s->y, s->w, Q);
    for (int i = 0; i < nq; i++) R[i] = 1;
    type->force(s->e->data, ny, s->y, s->w, s->mem, s->u, R);
    for (int i = 0; i < nq; i++) R[i] -= 1;
    compare(s, "Q added", 1, nq, R, Q, 1);
}

static bool conservative(const hol_element *e)
{
    if (strcmp(e->type->name, "tyre") == 0) return false; // no force along a road that rises
    if (e->type->energy != hol_law_energy) return true;
    const hol_law *law = e->data;
    const int n = law->n;
    bool potential = !law->adds;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            potential = potential && law->C[k * n + l] == 0 && law->K[k * n + l] == law->K[l * n + k];
    return potential;
}

static void check_energy(const probe *s)
{
    const hol_element_type *type = s->e->type;
    hol_real V, V_w, D[HOL_MAX_Y], Q[HOL_MAX_Y], y[HOL_MAX_Y];
    if (!type->energy) return;
    type->energy(s->e->data, s->ny, s->y, s->w, s->mem, &V, &V_w);
    for (int i = 0; i < s->ny; i++) y[i] = beside(s->y[i], hol_re(s->w[i]));
    hol_real moved, ignored;
    type->energy(s->e->data, s->ny, y, s->w, s->mem, &moved, &ignored);
    compare_number(s, "V_w", V_w, cimag(moved) / STEP, fabs(hol_re(V)));
    if (!conservative(s->e)) return;

    // at rest, so that a body's inertia terms vanish
    probe rest = *s;
    for (int i = 0; i < s->nq; i++) rest.w[i] = 0;
    force_of(&rest, s->y, rest.w, Q);
    complex_step(&rest, energy_of, 1, s->nq, false, D);
    for (int i = 0; i < s->nq; i++) D[i] = -D[i];
    compare(s, "Q + V_q", 1, s->nq, Q, D, fabs(hol_re(V)));
}

// What has inertia: Q = -V_q + (v^T M v)_q / 2 - (M v)_q v, Lagrange's equations.
static void check_lagrange(const probe *s)
{
    hol_real D[MAX_OUT], V_q[HOL_MAX_Y], Q[HOL_MAX_Y], want[HOL_MAX_Y];
    if (!s->e->type->mass) return;
    probe moving = *s;
    memcpy(moving.a, s->w, sizeof moving.a);
    const double values = complex_step(&moving, mass_a_of, s->nq, s->nq, false, D); // (M v)_q
    memset(V_q, 0, sizeof V_q);
    if (s->e->type->energy) complex_step(s, energy_of, 1, s->nq, false, V_q);
    force_of(s, s->y, s->w, Q);
    for (int i = 0; i < s->nq; i++) {
        want[i] = -V_q[i];
        for (int j = 0; j < s->nq; j++)
            want[i] += 0.5 * s->w[j] * D[j * s->nq + i] - D[i * s->nq + j] * s->w[j];
    }
    compare(s, "Q of Lagrange", 1, s->nq, Q, want, values);
}

// ---- memory ---------------------------------------------------------------------------------------------------

// The sum of a screw stands first in its data.
static const hol_prim *counted(const hol_element *e, int slot)
{
    const hol_law *law = e->data;
    const hol_sum *sum = e->data;
    if (!is_sum(e)) return &law->s[0];
    for (int k = 0; k < sum->n; k++)
        if (sum->slot[k] == slot) return &sum->s[k];
    return NULL;
}

static double drawn(const hol_element *e, int slot)
{
    const hol_sum *sum = e->data;
    for (int k = 0; is_sum(e) && k < sum->n; k++)
        if (sum->slot[k] == slot) return sum->drawn[k];
    return 0;
}

// Rows, or the force.
static int memory_reads(const probe *s, hol_real *out)
{
    if (s->e->n_rows)
        phi_of(s, s->y, s->w, out);
    else
        force_of(s, s->y, s->w, out);
    return s->e->n_rows ? s->e->n_rows : s->nq;
}

// What one more turn in a slot adds: K times a turn to a spring's torque, a turn times the ratio to the last row.
static void turn_adds(const probe *s, int slot, hol_real *out)
{
    const hol_element *e = s->e;
    hol_scalar angle;
    if (e->n_rows) {
        const hol_sum *sum = e->data;
        for (int k = 0; k < sum->n; k++)
            if (sum->slot[k] == slot) out[e->n_rows - 1] += 2 * HOL_PI * sum->ratio[k];
        return;
    }
    const hol_law *law = e->data;
    hol_prim_eval(&law->s[0], s->ny, s->y, s->w, 1, &angle);
    for (int i = 0; i < s->nq; i++) out[i] -= law->K[0] * 2 * HOL_PI * angle.d[i];
}

// A turn counter keeps the angle within half a turn of the remembered one, and remembering changes nothing.
static void check_memory(const probe *s)
{
    const hol_element *e = s->e;
    if (e->n_mem == 0) {
        assert_true(!e->type->remember || e->type->remember == hol_law_remember || is_sum(e));
        return;
    }
    assert_true(e->n_mem <= HOL_MAX_MEMORY);
    probe after = *s;
    hol_real before_row[HOL_MAX_Y], after_row[HOL_MAX_Y];
    e->type->remember(e->data, s->ny, s->y, s->w, after.mem);
    const int n = memory_reads(s, before_row);
    memory_reads(&after, after_row);
    compare(s, "with remembered angle", 1, n, after_row, before_row, 0);
    for (int slot = 0; slot < e->n_mem; slot += HOL_TURNS_SIZE) {
        const double expected = expected_angle(s, slot);
        if (!(fabs(after.mem[slot] - expected) <= HOL_PI))
            report(s, "remember", slot, 0, after.mem[slot], expected, HOL_PI);
        assert_true(after.mem[slot + HOL_TURNS_TIME] == hol_re(s->y[s->ny - 1]));
        hol_scalar angle;
        hol_prim_eval(counted(e, slot), s->ny, s->y, s->w, 0, &angle);
        const double turns = (after.mem[slot] + drawn(e, slot) - hol_re(angle.f)) / (2 * HOL_PI);
        compare_number(s, "turns", turns, rint(turns), 1);

        probe turned = after;
        turned.mem[slot] += 2 * HOL_PI;
        memory_reads(&turned, after_row);
        memory_reads(s, before_row);
        turn_adds(s, slot, before_row);
        compare(s, "one turn on", 1, n, after_row, before_row, 10);
    }
    for (int slot = e->n_mem; slot < HOL_MAX_MEMORY; slot++) assert_true(after.mem[slot] == s->mem[slot]);
}

// ---- tests ---------------------------------------------------------------------------------------------------

static void every_type_is_covered(void **state)
{
    (void)state;
    int missing = 0;
    for (int d = 2; d <= 3; d++) {
        hol_model_data *m = model_of(d);
        for (const hol_element_type *const *t = hol_element_types; *t; t++) {
            if (!in_dimension((*t)->dimensions, d)) continue;
            int first_ground = 0, second_ground = 0, moving = 0, on_bodies = 0, most_bodies = 0;
            for (int i = 0; i < m->n_elements; i++) {
                const hol_element *e = &m->element[i];
                if (e->type != *t) continue;
                most_bodies = e->n_bodies > most_bodies ? e->n_bodies : most_bodies;
                const bool two = e->n_ends == 2;
                first_ground += two && e->end[0].body < 0;
                second_ground += two && e->end[1].body < 0;
                moving += two && (e->end[0].marker->frame == HOL_FRAME_MOVING ||
                                  e->end[1].marker->frame == HOL_FRAME_MOVING);
                on_bodies += !two || e->n_bodies == 2;
            }
            const bool by_text = (*t)->joints || (*t)->role == HOL_ROLE_CONSTRAINT; // attached in other ways
            if (by_text && most_bodies >= 2) continue;
            if (on_bodies && !by_text && ((*t)->ends != 2 || (first_ground && second_ground && moving)))
                continue;
            missing++;
            print_error("%dD %s is not attached in every way\n", d, (*t)->name);
        }
        hol_model_free(m);
    }
    assert_int_equal(missing, 0);
}

static void constraint_derivatives(void **state)
{
    (void)state;
    on_all_elements(check_constraints, false);
    on_all_elements(check_rates, false);
}

static void mass_derivatives(void **state)
{
    (void)state;
    on_all_elements(check_mass, false);
}

static void force_derivatives(void **state)
{
    (void)state;
    on_all_elements(check_force, false);
    on_all_elements(check_inputs, false);
}

static void forces_follow_from_energies(void **state)
{
    (void)state;
    on_all_elements(check_energy, false);
    on_all_elements(check_lagrange, false);
}

static void turns_are_remembered(void **state)
{
    (void)state;
    on_all_elements(check_memory, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_covered),
        cmocka_unit_test(constraint_derivatives),
        cmocka_unit_test(mass_derivatives),
        cmocka_unit_test(force_derivatives),
        cmocka_unit_test(forces_follow_from_energies),
        cmocka_unit_test(turns_are_remembered),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
