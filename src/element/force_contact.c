// Contact of two shapes at one point: a normal force F(d, d') of the depth d = -g and friction T of the slip u (docs/theory.md, section 23).
// With the one shape at r2 (end 1) and the other one at r1 (end 0), r = r2 - r1, the unit normal n from 1 to 2 and the
// point p = r2 + a, of a ball of radius R a = -(R + place g) n,
//
//     Q = g_q^T F + J^T T + (om2 - om1)_w^T M,   u = (I - n n^T) s,   s = v2 - v1 - om1 x r + (om2 - om1) x a,   J = s_v                  (23.3)
//
// contact_geometry.c has g, n, u and J, contact_laws.c F and T.
#include "element/contact_parts.h"

#include <string.h>

// mem NULL: an event has switched it off.
static bool acts(const double *mem) { return mem && mem[HOL_CONTACT_LASTS] >= 0; }

// Of all parts that share a side.
static hol_real potential(const hol_contact *c, const double *mem, hol_real d)
{
    return hol_re(d) <= 0 || !acts(mem) ? 0 : hol_contact_potential(c, d);
}

static hol_real shared_potential(const hol_contact *c, const double *mem, hol_real d)
{
    return c->shared[0] || c->shared[1] ? potential(c, mem, d) : 0;
}

// A part of an outline has its share; all: of what the others have too.
static hol_contact_normal find_normal(const hol_contact *c, const double *mem, const hol_contact_geometry *o,
                                      hol_contact_normal *all)
{
    hol_contact_normal N = {0};
    if (hol_re(o->g) < 0 && acts(mem)) N = hol_contact_press(c, mem[HOL_CONTACT_SPEED], -o->g, -o->gap.fw);
    if (all) *all = N;
    const hol_real s = o->share.f;
    return (hol_contact_normal){s * N.F, s * N.F_d, s * N.F_v, s * N.elastic, s * N.whole};
}

// How the normal force changes by entry k of y.
static hol_real force_by(const hol_contact_geometry *o, const hol_contact_normal *N,
                         const hol_contact_normal *all, int k)
{
    return -N->F_d * o->gap.d[k] - N->F_v * o->gap.dw[k] + all->F * o->share.d[k];
}

// The friction on end 1.
static void find_friction(const hol_contact *c, const hol_contact_geometry *o, hol_real F, const hol_real *y,
                          const hol_real *in, hol_real T[3])
{
    hol_real e[3];
    for (int i = 0; i < 3; i++) T[i] = 0;
    if (hol_contact_rubs(c)) hol_add(-F * hol_contact_rub(c, hol_dot(o->u, o->u)).h, o->u, T);
    for (int i = 0; i < hol_contact_tangents(c); i++) {
        hol_contact_tangent(c, o, y, i, e, NULL);
        hol_add(in[i], e, T);
    }
}

// How many couples are inputs.
static int couples(const hol_contact *c) { return c->rolls * (c->dimension - 1) + c->spins; }
static int inputs(const hol_contact *c) { return hol_contact_tangents(c) + couples(c); }

// The axis of the i-th with its derivatives by y, which may be NULL: in the plane its normal, else the tangents and n.
static void couple_axis(const hol_contact *c, const hol_contact_geometry *o, const hol_real *y, int i,
                        hol_real a[3], hol_real a_y[HOL_CONTACT_MOST][3])
{
    if (c->dimension == 3 && c->rolls && i < 2) {
        hol_contact_tangent(c, o, y, i, a, a_y);
        return;
    }
    if (a_y) memset(a_y, 0, HOL_CONTACT_MOST * sizeof *a_y);
    for (int k = 0; k < 3; k++) a[k] = c->dimension == 3 ? o->n[k] : k == 2;
    if (a_y && c->dimension == 3) memcpy(a_y, o->n_y, sizeof o->n_y);
}

// The couple M on end 1 and, unless it is NULL, M_y of inputs that are constant.
static void find_couple(const hol_contact *c, const hol_contact_geometry *o, const hol_real *y,
                        const hol_real *in, hol_real M[3], hol_real M_y[HOL_CONTACT_MOST][3])
{
    hol_real a[3], a_y[HOL_CONTACT_MOST][3];
    for (int k = 0; k < 3; k++) M[k] = 0;
    if (M_y) memset(M_y, 0, HOL_CONTACT_MOST * sizeof *M_y);
    for (int i = 0; i < couples(c); i++) {
        const hol_real size = in[hol_contact_tangents(c) + i];
        couple_axis(c, o, y, i, a, M_y ? a_y : NULL);
        hol_add(size, a, M);
        for (int k = 0; k < HOL_CONTACT_MOST && M_y; k++) hol_add(size, a_y[k], M_y[k]);
    }
}

// om2 - om1 by entry k of w.
static hol_real turn_along(const hol_contact_geometry *o, int k, const hol_real a[3])
{
    return hol_dot(a, o->turn[1][k]) - hol_dot(a, o->turn[0][k]);
}

// The change of the friction by that of F and u.
static void change_friction(const hol_contact *c, const hol_contact_geometry *o, hol_real F,
                            const hol_contact_rubbing *f, hol_real dF, const hol_real *du, hol_real dT[3])
{
    if (!hol_contact_rubs(c)) return;
    hol_add(-dF * f->h - F * f->h1 * hol_dot(o->u, du), o->u, dT);
    hol_add(-F * f->h, du, dT);
}
// ---- the element ------------------------------------------------------------------------------------------------

#define VALUE(key)                                                                                           \
    {                                                                                                        \
        key, HOL_NUMBER, HOL_ANY_UNIT, 0, -HOL_INF, HOL_INF, 0, NULL, ""                                     \
    }
static const hol_option options[] = {
    VALUE("pair"),      VALUE("radius"),      VALUE("radii"),    VALUE("place"),      VALUE("law"),
    VALUE("stiffness"), VALUE("exponent"),    VALUE("approach"), VALUE("damping"),    VALUE("ramp"),
    VALUE("friction"),  VALUE("coefficient"), VALUE("static"),   VALUE("transition"), VALUE("stribeck"),
    VALUE("deepest"),   VALUE("rolls"),       VALUE("spins"),    VALUE("slowest"),    VALUE("x"),
    VALUE("y"),         VALUE("z"),           VALUE("reach"),    VALUE("outline"),    VALUE("closed"),
    VALUE("curve"),     VALUE("fine"),        VALUE("round"),    VALUE("solid"),      VALUE("part"),
    HOL_END_OPTIONS};

static void take_curve(const hol_value *v, hol_profile *out)
{
    const double *l = v->list;
    *out = (hol_profile){v->table->spline, v->num > 0, l[0], l[1], l[2], l[3], {l[4], l[5]}};
}

static void take_part(const double *l, hol_contact *c)
{
    c->first = (int)l[0], c->sides = (int)l[1];
    for (int i = 0; i < 2; i++) c->shared[i] = l[2 + i] > 0, c->longer[i] = l[4 + i];
    c->behind = l[6];
}

void hol_contact_take(const hol_value *v, int dimension, hol_contact *c)
{
    *c = (hol_contact){.pair = (int)v[HOL_CONTACT_PAIR].num,
                       .law = (int)v[HOL_CONTACT_LAW].num,
                       .rubs = (int)v[HOL_CONTACT_RUBS].num,
                       .dimension = dimension,
                       .radius = v[HOL_CONTACT_RADIUS].num,
                       .radii = v[HOL_CONTACT_RADII].num,
                       .place = v[HOL_CONTACT_PLACE].num,
                       .K = v[HOL_CONTACT_K].num,
                       .n = v[HOL_CONTACT_EXPONENT].num,
                       .x = v[HOL_CONTACT_APPROACH].num,
                       .c = v[HOL_CONTACT_DAMPING].num,
                       .deepest = v[HOL_CONTACT_DEEPEST].num,
                       .rolls = v[HOL_CONTACT_ROLLS].num > 0,
                       .spins = v[HOL_CONTACT_SPINS].num > 0,
                       .slowest = v[HOL_CONTACT_SLOWEST].num,
                       .ramp = v[HOL_CONTACT_RAMP].num,
                       .mu = v[HOL_CONTACT_SLIDING].num,
                       .mu_static = v[HOL_CONTACT_STATIC].num,
                       .transition = v[HOL_CONTACT_TRANSITION].num,
                       .stribeck = v[HOL_CONTACT_STRIBECK].num,
                       .size = {v[HOL_CONTACT_X].num, v[HOL_CONTACT_Y].num, v[HOL_CONTACT_Z].num},
                       .reach = v[HOL_CONTACT_REACH].num,
                       .outline = v[HOL_CONTACT_OUTLINE].list,
                       .n_outline = v[HOL_CONTACT_OUTLINE].n / dimension,
                       .closed = v[HOL_CONTACT_CLOSED].num > 0,
                       .round = v[HOL_CONTACT_ROUND].num,
                       .solid = v[HOL_CONTACT_SOLID].num > 0};
    c->fine = v[HOL_CONTACT_FINE].num;
    if (v[HOL_CONTACT_CURVE].table) take_curve(&v[HOL_CONTACT_CURVE], &c->curve);
    if (v[HOL_CONTACT_PART].list) take_part(v[HOL_CONTACT_PART].list, c);
}

// All from the compiler.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_contact *c = data;
    hol_contact_take(in->value, in->dimension, c);
    for (int i = 0; i < 2; i++) c->m[i] = in->end[i].marker;
    hol_contact_measure(c);
    e->n_rows = 0;
    return HOL_OK;
}

// Most contacts are open, and cost no more than the gap.
static bool is_open(const hol_contact *c, int ny, const hol_real *y, const double *mem)
{
    hol_scalar gap;
    if (!acts(mem)) return true;
    return hol_re(hol_contact_gap(c, ny, y, NULL, 0, &gap)) >= 0;
}

// (23.3)
static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    const hol_contact *c = data;
    hol_contact_geometry o;
    hol_real T[3], M[3];
    if (!inputs(c) && is_open(c, ny, y, mem)) return;
    hol_contact_find(c, ny, y, w, false, &o);
    const hol_contact_normal N = find_normal(c, mem, &o, NULL);
    const hol_real V = shared_potential(c, mem, -o.g);
    find_friction(c, &o, N.F, y, u, T);
    find_couple(c, &o, y, u, M, NULL);
    for (int k = 0; k < ny - 1; k++)
        Q[k] += N.F * o.gap.d[k] - V * o.share.d[k] + hol_dot(T, o.J[k]) + turn_along(&o, k, M);
}

// (J^T T)_y for a constant T: the arms of T about either end and the way these turn; with the couple of the inputs u.
static void bend(const hol_contact *c, const hol_contact_geometry *o, int ny, const hol_real *y,
                 const hol_real T[3], const hol_real *u, hol_real *Q_y)
{
    hol_real by[HOL_CONTACT_MOST][3], M[3], M_y[HOL_CONTACT_MOST][3], arm[2][3] = {{0}}, minus[3];
    find_couple(c, o, y, u, M, M_y);
    for (int i = 0; i < 3; i++) minus[i] = -T[i];
    hol_feature_hessian(c->m[1], HOL_ORIGIN, y, T, Q_y, ny);
    hol_feature_hessian(c->m[0], HOL_ORIGIN, y, minus, Q_y, ny);
    hol_add_cross(1, o->arm, T, arm[1]);
    hol_add_cross(-1, o->r, T, arm[0]);
    hol_add(1, M, arm[1]);
    hol_add(-1, arm[1], arm[0]);
    for (int k = 0; k < ny - 1; k++) {
        hol_real turned[2][3] = {{0}};
        hol_add_cross(1, o->arm_y[k], T, turned[1]);
        hol_add_cross(-1, o->r_y[k], T, turned[0]);
        hol_add(1, M_y[k], turned[1]);
        hol_add(-1, turned[1], turned[0]);
        for (int e = 0; e < 2; e++) {
            const bool own = hol_contact_turn_by(c->m[e], k, by);
            for (int j = 0; j < ny - 1; j++)
                Q_y[j * ny + k] += hol_dot(turned[e], o->turn[e][j]) + (own ? hol_dot(arm[e], by[j]) : 0);
        }
    }
}

// T_y of inputs u that are constant.
static void turn_inputs(const hol_contact *c, const hol_contact_geometry *o, int ny, const hol_real *y,
                        const hol_real *u, hol_real T_y[HOL_CONTACT_MOST][3])
{
    hol_real e[3], e_y[HOL_CONTACT_MOST][3];
    for (int i = 0; i < hol_contact_tangents(c); i++) {
        hol_contact_tangent(c, o, y, i, e, e_y);
        for (int k = 0; k < ny - 1; k++) hol_add(u[i], e_y[k], T_y[k]);
    }
}

// (23.4)
static void force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const hol_contact *c = data;
    const int nq = ny - 1;
    hol_contact_geometry o;
    hol_real T[3], H[HOL_MAX_Y * HOL_MAX_Y] = {0}, T_y[HOL_CONTACT_MOST][3] = {{0}};
    if (!inputs(c) && is_open(c, ny, y, mem)) return;
    hol_contact_find(c, ny, y, w, true, &o);
    hol_contact_normal all;
    const hol_contact_normal N = find_normal(c, mem, &o, &all);
    const hol_contact_rubbing f = hol_contact_rub(c, hol_dot(o.u, o.u));
    find_friction(c, &o, N.F, y, u, T);
    hol_contact_hessian(c, ny, y, N.F, shared_potential(c, mem, -o.g), H);
    bend(c, &o, ny, y, T, u, H);
    turn_inputs(c, &o, ny, y, u, T_y);
    for (int k = 0; k < nq; k++) {
        const hol_real F_y = force_by(&o, &N, &all, k), V_y = -all.elastic * o.gap.d[k],
                       F_w = -N.F_v * o.gap.d[k];
        hol_real T_w[3] = {0}, u_w[3] = {0};
        hol_add(1, o.J[k], u_w);
        hol_add(-hol_dot(o.n, o.J[k]), o.n, u_w);
        change_friction(c, &o, N.F, &f, F_y, o.u_y[k], T_y[k]);
        change_friction(c, &o, N.F, &f, F_w, u_w, T_w);
        for (int j = 0; j < nq; j++) {
            Q_y[j * ny + k] +=
                H[j * ny + k] + F_y * o.gap.d[j] - V_y * o.share.d[j] + hol_dot(T_y[k], o.J[j]);
            Q_v[j * nq + k] += F_w * o.gap.d[j] + hol_dot(T_w, o.J[j]);
        }
    }
}

// The inputs are components of the friction along the tangents, then of the couple.
static void force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u)
{
    const hol_contact *c = data;
    const hol_real rest[HOL_CONTACT_MOST] = {0};
    hol_contact_geometry o;
    hol_real e[3];
    const int n = inputs(c), first = hol_contact_tangents(c);
    hol_contact_find(c, ny, y, rest, false, &o);
    for (int i = 0; i < first; i++) {
        hol_contact_tangent(c, &o, y, i, e, NULL);
        for (int k = 0; k < ny - 1; k++) Q_u[k * n + i] += hol_dot(e, o.J[k]);
    }
    for (int i = first; i < n; i++) {
        couple_axis(c, &o, y, i - first, e, NULL);
        for (int k = 0; k < ny - 1; k++) Q_u[k * n + i] += turn_along(&o, k, e);
    }
}

// The potential and its rate along w.
static void energy(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                   hol_real *V, hol_real *V_w)
{
    const hol_contact *c = data;
    hol_scalar gap, share;
    const int order = V_w ? 1 : 0;
    *V = 0;
    if (V_w) *V_w = 0;
    if (is_open(c, ny, y, mem)) return;
    const hol_real d = -hol_contact_gap(c, ny, y, w, order, &gap), all = potential(c, mem, d);
    hol_contact_share(c, ny, y, w, order, &share);
    *V = share.f * all;
    if (!V_w) return;
    const hol_real elastic = share.f * c->K * pow(d, c->n);
    for (int k = 0; k < ny; k++) *V_w += (share.d[k] * all - elastic * gap.d[k]) * w[k];
}

// The axis that an observed part of the slip or the spin goes along, with its derivatives.
static void observed_axis(const hol_contact *c, const hol_contact_geometry *o, const hol_real *y, int which,
                          hol_real a[3], hol_real a_y[HOL_CONTACT_MOST][3])
{
    const bool slips = which == HOL_CONTACT_SLIP || which == HOL_CONTACT_SLIP_2;
    const bool rolls = which == HOL_CONTACT_ROLL || which == HOL_CONTACT_ROLL_2;
    const bool second = which == HOL_CONTACT_SLIP_2 || which == HOL_CONTACT_ROLL_2;
    if (slips || (rolls && c->dimension == 3)) {
        hol_contact_tangent(c, o, y, second, a, a_y);
        return;
    }
    memset(a_y, 0, HOL_CONTACT_MOST * sizeof *a_y);
    for (int k = 0; k < 3; k++) a[k] = rolls ? k == 2 : o->n[k];
    if (!rolls) memcpy(a_y, o->n_y, sizeof o->n_y);
}

// Of the gap and its rate, which need no more.
static void observe_gap(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, int which,
                        hol_real *f, hol_real *f_y, hol_real *f_w)
{
    const bool rate = which == HOL_CONTACT_RATE;
    hol_scalar gap;
    const hol_real g = hol_contact_gap(c, ny, y, w, rate ? 2 : f_y ? 1 : 0, &gap);
    *f = rate ? gap.fw : g;
    for (int k = 0; k < ny - 1 && f_y; k++) {
        f_y[k] = rate ? gap.dw[k] : gap.d[k];
        f_w[k] = rate ? gap.d[k] : 0;
    }
}

// Of the normal force, the slip, the spin and the rolling.
static void observe(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    int which, hol_real *f, hol_real *f_y, hol_real *f_w)
{
    const hol_contact *c = data;
    const bool turns = which == HOL_CONTACT_SPIN || which == HOL_CONTACT_ROLL || which == HOL_CONTACT_ROLL_2;
    hol_contact_geometry o;
    hol_real e[3], e_y[HOL_CONTACT_MOST][3];
    if (which == HOL_CONTACT_GAP || which == HOL_CONTACT_RATE) {
        observe_gap(c, ny, y, w, which, f, f_y, f_w);
        return;
    }
    hol_contact_find(c, ny, y, w, f_y != NULL, &o);
    hol_contact_normal all;
    const hol_contact_normal N = find_normal(c, mem, &o, &all);
    const hol_real size = sqrt(hol_dot(o.u, o.u));
    observed_axis(c, &o, y, which, e, e_y);
    *f = which == HOL_CONTACT_F       ? N.F
         : turns                      ? hol_dot(e, o.spin)
         : which == HOL_CONTACT_ALONG ? size
                                      : hol_dot(e, o.s);
    for (int k = 0; k < ny - 1 && f_y; k++) {
        if (which == HOL_CONTACT_F) {
            f_y[k] = force_by(&o, &N, &all, k);
            f_w[k] = -N.F_v * o.gap.d[k];
        } else if (turns) {
            f_y[k] = hol_dot(e_y[k], o.spin) + hol_dot(e, o.spin_y[k]);
            f_w[k] = turn_along(&o, k, e);
        } else if (which == HOL_CONTACT_ALONG) {
            f_y[k] = hol_re(size) > 0 ? hol_dot(o.u, o.u_y[k]) / size : 0;
            f_w[k] = hol_re(size) > 0 ? hol_dot(o.u, o.J[k]) / size : 0; // u stands on n
        } else {
            f_y[k] = hol_dot(e_y[k], o.s) + hol_dot(e, o.s_y[k]);
            f_w[k] = hol_dot(e, o.J[k]);
        }
    }
}

static double length_of(const hol_real *a) { return sqrt(hol_re(hol_dot(a, a))); }

// Angular velocity of the body of a marker.
static void spin_of(const hol_marker *m, int ny, const hol_real *y, const hol_real *w, hol_real om[3])
{
    hol_real turn[HOL_CONTACT_MOST][3] = {{0}};
    for (int i = 0; i < 3; i++) om[i] = 0;
    hol_contact_turn(m, y, turn);
    for (int k = 0; k < ny - 1; k++) hol_add(w[k], turn[k], om);
}

// By the velocities of the centres of mass and both turns, none of which is more between the ends of a step of uniform motion.
double hol_contact_pace(const hol_element *el, const hol_real *y, const hol_real *w)
{
    const hol_contact *c = el->data;
    hol_real apart[3] = {0}, rate[3] = {0}, om[2][3];
    double arm = 0;
    for (int e = 0; e < 2; e++) {
        const hol_marker *m = c->m[e];
        spin_of(m, el->ny, y, w, om[e]);
        for (int i = 0; i < c->dimension && m->size; i++) {
            apart[i] += (e ? 1 : -1) * y[m->iy + i];
            rate[i] += (e ? 1 : -1) * w[m->iy + i];
        }
    }
    for (int i = 0; i < 3 && c->m[1]->size; i++) arm += c->m[1]->s[i] * c->m[1]->s[i];
    hol_add(-1, om[0], om[1]);
    return length_of(rate) + length_of(om[0]) * length_of(apart) + length_of(om[1]) * (sqrt(arm) + c->reach);
}

void hol_contact_look(const hol_element *e, const hol_real *y, const hol_real *w, const double *mem,
                      const hol_real *u, hol_contact_state *out)
{
    const hol_contact *c = e->data;
    hol_contact_geometry o;
    hol_real T[3] = {0, 0, 0}, M[3] = {0, 0, 0};
    hol_contact_find(c, e->ny, y, w, false, &o);
    const hol_contact_normal N = find_normal(c, mem, &o, NULL);
    if (mem) find_friction(c, &o, N.F, y, u, T);
    if (mem) find_couple(c, &o, y, u, M, NULL);
    *out = (hol_contact_state){.gap = hol_re(o.g),
                               .rate = hol_re(o.gap.fw),
                               .F = hol_re(N.F),
                               .elastic = hol_re(N.elastic),
                               .whole = hol_re(N.whole),
                               .stored = hol_re(o.share.f * potential(c, mem, -o.g)),
                               .slip = sqrt(hol_re(hol_dot(o.u, o.u))),
                               .lost_rubbing = -hol_re(hol_dot(T, o.s) + hol_dot(M, o.spin))};
    out->deepest = c->deepest;
    out->exponent = c->n;
    out->lost_damping = (out->elastic - out->F) * out->rate;
    out->friction = sqrt(hol_re(hol_dot(T, T)));
    for (int i = 0; i < 3; i++) {
        const double centre = i < o.end[1].m ? hol_re(o.end[1].f[i]) : 0;
        out->normal[i] = hol_re(o.n[i]);
        out->point[i] = centre + hol_re(o.arm[i]);
        out->rubbing[i] = hol_re(T[i]);
    }
}

void hol_contact_gap_by(const hol_element *e, const hol_real *y, double *by)
{
    hol_scalar gap;
    (void)hol_contact_gap(e->data, e->ny, y, NULL, 1, &gap);
    for (int k = 0; k < e->ny - 1; k++) by[k] = hol_re(gap.d[k]);
}

double hol_contact_fineness(const hol_element *e) { return ((const hol_contact *)e->data)->fine; }

const hol_element_type hol_force_contact = {
    .name = "contact",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .ends = 2,
    .doc = "contact of two shapes, which `contacts:` makes",
    .options = options,
    .data_size = sizeof(hol_contact),
    .setup = setup,
    .force = force,
    .force_d = force_d,
    .force_u = force_u,
    .energy = energy,
    .observe = observe,
};
