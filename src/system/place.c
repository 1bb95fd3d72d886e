// Motions of markers and sums over the bodies. With the axes u_i of a marker and their rates,
//
//     omega = (u_1 x u_1' + u_2 x u_2' + u_3 x u_3')/2,      omega_k = (u_1 x (u_1)_q_k + ..)/2 along coordinate k
//
// which holds for every kind of marker; of Euler parameters that are not of unit length the part along them adds nothing.
#include "system/place.h"

#include <math.h>
#include <string.h>

// The functions of a marker at a state: its origin and its axes; those of a point mass are the global ones.
typedef struct {
    int first; // coordinate
    bool turns;
    hol_feature origin, axis[3];
} functions;

// Values, rates and derivatives of the functions of marker k, which is fixed on the body; -1: on ground.
static void evaluate(const hol_model_data *m, const hol_state *x, int body, const hol_marker *k, functions *f)
{
    hol_marker alone = *k; // it takes the coordinates of its body alone
    hol_real y[8] = {0}, w[8] = {0};
    alone.iy = 0;
    f->first = body < 0 ? 0 : m->body[body].q;
    f->turns = k->frame != HOL_FRAME_POINT;
    for (int i = 0; i < k->size; i++) y[i] = x->q[f->first + i], w[i] = x->v[f->first + i];
    if (body < 0) y[0] = x->t, w[0] = 1; // ground: the only entry is time
    hol_feature_eval(&alone, HOL_ORIGIN, y, w, 2, &f->origin);
    for (int i = 0; i < 3 && f->turns; i++) hol_feature_eval(&alone, i, y, w, 2, &f->axis[i]);
}

// out += u x v / 2
static void add_half_cross(const hol_real *u, const double *v, double *out)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] += 0.5 * (hol_re(u[j]) * v[k] - hol_re(u[k]) * v[j]);
    }
}

// The plane has z = 0 and turns about z.
static void find_motion(const hol_model_data *m, const hol_state *x, int body, const hol_marker *k,
                        hol_eom_motion *out)
{
    functions f;
    evaluate(m, x, body, k, &f);
    *out = (hol_eom_motion){.axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < m->dimension; i++) {
        out->position[i] = hol_re(f.origin.f[i]);
        out->velocity[i] = hol_re(f.origin.fw[i]);
    }
    for (int a = 0; a < 3 && f.turns; a++) {
        double rate[3];
        for (int i = 0; i < 3; i++) {
            out->axes[3 * a + i] = hol_re(f.axis[a].f[i]);
            rate[i] = hol_re(f.axis[a].fw[i]);
        }
        add_half_cross(f.axis[a].f, rate, out->omega);
    }
}

void hol_place_motion(const hol_model_data *m, const hol_state *x, int k, hol_eom_motion *out)
{
    find_motion(m, x, hol_model_marker_body(m, k), &m->marker[k].marker, out);
}

void hol_place_end(const hol_model_data *m, const hol_state *x, const hol_end *end, hol_eom_motion *out)
{
    find_motion(m, x, end->body, end->marker, out);
}

void hol_place_jacobian(const hol_model_data *m, const hol_state *x, int k, double *J, double *Jr)
{
    const int body = hol_model_marker_body(m, k);
    functions f;
    const size_t size = 3 * (size_t)m->nq * sizeof(double);
    if (J) memset(J, 0, size);
    if (Jr) memset(Jr, 0, size);
    if (body < 0) return;
    evaluate(m, x, body, &m->marker[k].marker, &f);
    for (int j = 0; j < f.origin.n && J; j++)
        for (int i = 0; i < m->dimension; i++)
            J[3 * (size_t)(f.first + f.origin.iy + j) + (size_t)i] = hol_re(f.origin.d[i][j]);
    for (int a = 0; a < 3 && f.turns && Jr; a++)
        for (int j = 0; j < f.axis[a].n; j++) {
            const double along[3] = {hol_re(f.axis[a].d[0][j]), hol_re(f.axis[a].d[1][j]),
                                     hol_re(f.axis[a].d[2][j])};
            add_half_cross(f.axis[a].f, along, Jr + 3 * (size_t)(f.first + f.axis[a].iy + j));
        }
}

// out += c a x b
static void add_cross(double c, const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] += c * (a[j] * b[k] - a[k] * b[j]);
    }
}

// Angular momentum of a body about its centre of mass, from its axes and angular velocity: R J R^T omega.
static void add_spin(const hol_inertia *body, const hol_eom_motion *frame, double *out)
{
    double w[3] = {0}, h[3] = {0};
    for (int i = 0; i < 9; i++) w[i / 3] += frame->axes[i] * frame->omega[i % 3];
    for (int i = 0; i < 9; i++) h[i / 3] += body->J[i] * w[i % 3];
    for (int i = 0; i < 9; i++) out[i % 3] += frame->axes[i] * h[i / 3];
}

void hol_place_totals(const hol_equations *s, const hol_state *x, const double about[3], hol_eom_totals *out)
{
    const hol_model_data *m = s->m;
    hol_measure measure;
    *out = (hol_eom_totals){0};
    for (int b = 0; b < m->n_bodies; b++) {
        hol_inertia body;
        hol_eom_motion frame;
        double r[3] = {0}, arm[3] = {0}, v[3] = {0};
        m->element[b].type->inertia(m->element[b].data, &body);
        hol_place_motion(m, x, m->body[b].marker, &frame);
        for (int i = 0; i < m->dimension; i++) {
            r[i] = x->q[m->body[b].q + i], v[i] = x->v[m->body[b].q + i];
            arm[i] = r[i] - (about ? about[i] : 0);
            out->centre[i] += body.m * r[i];
            out->linear[i] += body.m * v[i];
        }
        out->mass += body.m;
        add_cross(body.m, arm, v, out->angular);
        add_spin(&body, &frame, out->angular);
    }
    for (int i = 0; i < 3; i++) out->centre[i] /= out->mass > 0 ? out->mass : 1;
    hol_equations_measure_parts(s, x, 0, &measure);
    out->kinetic = measure.kinetic;
    out->potential = measure.potential;
}
