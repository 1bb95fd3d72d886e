// Contact of two shapes at one point: a normal force F(d, d') of the depth d = -g and friction T of the slip u (docs/theory.md, section 23).
// With the ball of radius R at r2 (end 1) and the other shape at r1 (end 0), r = r2 - r1, the unit normal n from 1 to 2 and the
// point p = r2 - rho n, rho = R + place g,
//
//     Q = g_q^T F + J^T T,   u = (I - n n^T) s,   s = v2 - v1 - om1 x r - rho (om2 - om1) x n,   J = s_v              (23.3)
//
// A pair of shapes more is a row of `pairs`, a law one of `laws`, a friction one of `frictions`.
#include "element/contact.h"

#include <string.h>

enum { MOST = 15 }; // entries of y: two bodies and time

typedef struct {
    hol_prim gap; // of end 1 from end 0, `radii` larger than the gap
    const hol_marker *m[2];
    int pair, law, rubs, dimension;
    double radius, radii, place;
    double K, n, x, c, ramp;
    double deepest, slowest;
    double mu, mu_static, transition, stribeck;
} contact;

// The geometry at (y, w), with derivatives by the columns of y and w.
typedef struct {
    hol_scalar gap;
    hol_real g, rho, n[3], r[3], s[3], u[3], spin[3]; // spin: om2 - om1
    hol_real n_y[MOST][3], r_y[MOST][3], rho_y[MOST]; //                       (ny)
    hol_real spin_y[MOST][3], om1_y[MOST][3];         //                       (ny)
    hol_real J[MOST][3], s_y[MOST][3], u_y[MOST][3];  // J = s_w               (ny)
    hol_real turn[2][MOST][3];                        // om_w of either end    (ny)
    hol_feature end[2];
} geometry;

static hol_real dot(const hol_real *a, const hol_real *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void add(hol_real f, const hol_real *a, hol_real *out)
{
    for (int i = 0; i < 3; i++) out[i] += f * a[i];
}

// ---- normals ----------------------------------------------------------------------------------------------------

// Column k of a feature as a vector of three.
static void column(const hol_feature *f, hol_real d[4][7], int k, hol_real *out)
{
    for (int i = 0; i < 3; i++) out[i] = i < f->m ? d[i][k] : 0;
}

// The axis of end 0 that stands on its plane.
static void normal_of_half(const contact *c, const hol_real *y, geometry *o)
{
    hol_feature axis;
    hol_feature_eval(c->m[0], c->dimension - 1, y, NULL, 1, &axis);
    for (int i = 0; i < axis.m; i++) o->n[i] = axis.f[i];
    for (int k = 0; k < axis.n; k++) column(&axis, axis.d, k, o->n_y[axis.iy + k]);
}

// Along the line of the centres.
static void normal_of_balls(const contact *c, const hol_real *y, geometry *o)
{
    const hol_real length = o->g + c->radii;
    (void)y;
    add(1 / length, o->r, o->n);
    for (int k = 0; k < MOST; k++) {
        add(1 / length, o->r_y[k], o->n_y[k]);
        add(-dot(o->n, o->r_y[k]) / length, o->n, o->n_y[k]);
    }
}

static const struct {
    hol_prim_kind gap;
    void (*normal)(const contact *c, const hol_real *y, geometry *o);
} pairs[] = {[HOL_CONTACT_HALF_BALL] = {HOL_PRIM_ALONG, normal_of_half},
             [HOL_CONTACT_BALLS] = {HOL_PRIM_LENGTH, normal_of_balls}};

// ---- geometry ---------------------------------------------------------------------------------------------------

// First entry of y that turns the end, and how many there are.
static int turning(const hol_marker *m, int *first)
{
    const bool spatial = m->frame == HOL_FRAME_SPATIAL;
    *first = m->iy + (spatial ? 3 : 2);
    return spatial ? 4 : m->frame == HOL_FRAME_PLANAR ? 1 : 0;
}

// om = turn w.
static void find_turn(const hol_marker *m, const hol_real *y, hol_real turn[MOST][3])
{
    int at;
    const int n = turning(m, &at);
    hol_real E[3][4];
    if (n == 1) turn[at][2] = 1;
    if (n != 4) return;
    hol_global_rate(y + at, E);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) turn[at + k][i] = 2 * E[i][k];
}

// The same of the unit vector of coordinate k of the orientation: the derivative of om_w by it. false: it has none.
static bool find_turn_by(const hol_marker *m, int k, hol_real turn[MOST][3])
{
    int at;
    hol_real unit[MOST] = {0};
    if (turning(m, &at) != 4 || k < at || k >= at + 4) return false;
    unit[k] = 1;
    memset(turn, 0, MOST * sizeof *turn);
    find_turn(m, unit, turn);
    return true;
}

static void sum(hol_real turn[MOST][3], int ny, const hol_real *w, hol_real *out)
{
    for (int k = 0; k < ny - 1; k++) add(w[k], turn[k], out);
}

// r, its rate and the gap.
static void find_place(const contact *c, int ny, const hol_real *y, const hol_real *w, geometry *o)
{
    hol_prim_eval(&c->gap, ny, y, w, 2, &o->gap);
    o->g = o->gap.f - c->radii;
    o->rho = c->radius + c->place * o->g;
    for (int k = 0; k < ny; k++) o->rho_y[k] = c->place * o->gap.d[k];
    for (int e = 0; e < 2; e++) {
        hol_feature *f = &o->end[e];
        const int sign = e ? 1 : -1;
        hol_real part[3];
        hol_feature_eval(c->m[e], HOL_ORIGIN, y, w, 2, f);
        for (int i = 0; i < f->m && i < 3; i++) {
            o->r[i] += sign * f->f[i];
            o->s[i] += sign * f->fw[i];
        }
        for (int k = 0; k < f->n; k++) {
            column(f, f->d, k, part);
            add(sign, part, o->r_y[f->iy + k]);
            add(sign, part, o->J[f->iy + k]);
            column(f, f->dw, k, part);
            add(sign, part, o->s_y[f->iy + k]);
        }
    }
}

// Angular velocities, and what they add to the slip.
static void find_spin(const contact *c, int ny, const hol_real *y, const hol_real *w, bool by_y, geometry *o)
{
    hol_real om1[3] = {0}, by[MOST][3];
    for (int e = 0; e < 2; e++) find_turn(c->m[e], y, o->turn[e]);
    sum(o->turn[0], ny, w, om1);
    sum(o->turn[1], ny, w, o->spin);
    add(-1, om1, o->spin);
    hol_add_cross(-1, om1, o->r, o->s);
    hol_add_cross(-o->rho, o->spin, o->n, o->s);
    for (int k = 0; k < ny - 1; k++) {
        hol_real turn[3] = {0};
        add(1, o->turn[1][k], turn);
        add(-1, o->turn[0][k], turn);
        hol_add_cross(-1, o->turn[0][k], o->r, o->J[k]);
        hol_add_cross(-o->rho, turn, o->n, o->J[k]);
        if (!by_y) continue;
        if (find_turn_by(c->m[0], k, by)) sum(by, ny, w, o->om1_y[k]);
        if (find_turn_by(c->m[1], k, by)) sum(by, ny, w, o->spin_y[k]);
        add(-1, o->om1_y[k], o->spin_y[k]);
        hol_add_cross(-1, o->om1_y[k], o->r, o->s_y[k]);
        hol_add_cross(-1, om1, o->r_y[k], o->s_y[k]);
        hol_add_cross(-o->rho_y[k], o->spin, o->n, o->s_y[k]);
        hol_add_cross(-o->rho, o->spin_y[k], o->n, o->s_y[k]);
        hol_add_cross(-o->rho, o->spin, o->n_y[k], o->s_y[k]);
    }
}

// by_y: with derivatives by y.
static void find_geometry(const contact *c, int ny, const hol_real *y, const hol_real *w, bool by_y,
                          geometry *o)
{
    memset(o, 0, sizeof *o);
    find_place(c, ny, y, w, o);
    pairs[c->pair].normal(c, y, o);
    find_spin(c, ny, y, w, by_y, o);
    const hol_real along = dot(o->n, o->s);
    add(1, o->s, o->u);
    add(-along, o->n, o->u);
    for (int k = 0; k < ny - 1 && by_y; k++) {
        add(1, o->s_y[k], o->u_y[k]);
        add(-along, o->n_y[k], o->u_y[k]);
        add(-dot(o->n_y[k], o->s) - dot(o->n, o->s_y[k]), o->n, o->u_y[k]);
    }
}

// The tangent that the i-th component of friction goes along, and its derivatives by y, which may be NULL.
static void tangent(const contact *c, const geometry *o, const hol_real *y, int i, hol_real e[3],
                    hol_real e_y[MOST][3])
{
    hol_feature axis;
    for (int k = 0; k < 3; k++) e[k] = 0;
    if (e_y) memset(e_y, 0, MOST * sizeof *e_y);
    if (c->dimension == 2) { // n turned clockwise
        e[0] = o->n[1], e[1] = -o->n[0];
        for (int k = 0; k < MOST && e_y; k++) e_y[k][0] = o->n_y[k][1], e_y[k][1] = -o->n_y[k][0];
        return;
    }
    hol_feature_eval(c->m[0], i, y, NULL, 1, &axis);
    for (int k = 0; k < 3; k++) e[k] = axis.f[k];
    for (int k = 0; k < axis.n && e_y; k++) column(&axis, axis.d, k, e_y[axis.iy + k]);
}

static int tangents(const contact *c) { return c->rubs == HOL_CONTACT_STICK ? c->dimension - 1 : 0; }

// ---- normal force -----------------------------------------------------------------------------------------------

typedef struct {
    hol_real F, F_d, F_v; // by the depth d and its rate v
    hol_real elastic;     // K d^n
} normal_force;

// K d^n (1 + c v), c = x/v_i where a restitution is asked for; v_i is in the memory.       (23.5)
static void power_law(const contact *c, double approach, hol_real d, hol_real v, normal_force *o)
{
    const double damping = c->x > 0 && approach > 0 ? c->x / approach : c->c;
    const hol_real loss = 1 + damping * v;
    o->elastic = c->K * pow(d, c->n);
    if (hol_re(loss) < 0) return; // pulled away
    o->F = o->elastic * loss;
    o->F_d = c->n * c->K * pow(d, c->n - 1) * loss;
    o->F_v = o->elastic * damping;
}

// K d^n + c step(d, 0, 0, ramp, 1) v, of Adams.                                            (23.6)
static void impact_law(const contact *c, double approach, hol_real d, hol_real v, normal_force *o)
{
    const bool full = hol_re(d) >= c->ramp;
    const hol_real s = d / c->ramp, part = full ? 1 : s * s * (3 - 2 * s),
                   slope = full ? 0 : 6 * s * (1 - s) / c->ramp;
    (void)approach;
    o->elastic = c->K * pow(d, c->n);
    const hol_real F = o->elastic + c->c * part * v;
    if (hol_re(F) < 0) return;
    o->F = F;
    o->F_d = c->n * c->K * pow(d, c->n - 1) + c->c * slope * v;
    o->F_v = c->c * part;
}

static void (*const laws[])(const contact *c, double approach, hol_real d, hol_real v, normal_force *o) = {
    [HOL_CONTACT_POWER] = power_law, [HOL_CONTACT_IMPACT] = impact_law};

// mem NULL: an event has switched it off.
static bool acts(const double *mem) { return mem && mem[HOL_CONTACT_LASTS] >= 0; }

// K d^(n+1)/(n+1)
static hol_real potential(const contact *c, const double *mem, hol_real d)
{
    return hol_re(d) <= 0 || !acts(mem) ? 0 : c->K * pow(d, c->n + 1) / (c->n + 1);
}

static normal_force find_normal(const contact *c, const double *mem, const geometry *o)
{
    normal_force out = {0};
    if (hol_re(o->g) < 0 && acts(mem)) laws[c->law](c, mem[HOL_CONTACT_SPEED], -o->g, -o->gap.fw, &out);
    return out;
}

// ---- friction ---------------------------------------------------------------------------------------------------

// T = -F h u; h1 = h'/|u|. Both are even functions of |u|, of its square q.                 (23.7)
typedef struct {
    hol_real h, h1;
} rubbing;

// tanh(z)/z and its derivative over z, z^2 = q.
static rubbing even_tanh(hol_real q)
{
    if (hol_re(q) < 2.5e-3) // the next term is below rounding
        return (rubbing){
            1 + q * (-1.0 / 3 + q * (2.0 / 15 + q * (-17.0 / 315 + q * (62.0 / 2835 - q * 1382 / 155925)))),
            -2.0 / 3 +
                q * (8.0 / 15 + q * (-102.0 / 315 +
                                     q * (496.0 / 2835 + q * (-13820.0 / 155925 + q * 262128.0 / 6081075))))};
    const hol_real z = sqrt(q), t = tanh(z);
    return (rubbing){t / z, (1 - t * t - t / z) / q};
}

// The coefficient falls from rest to sliding: mu (1 + more exp(-q/v^2)) times what is given.
static rubbing fall(const contact *c, hol_real q, rubbing f)
{
    const double more = c->mu_static - c->mu, v2 = c->stribeck * c->stribeck;
    const hol_real decay = more > 0 ? more * exp(-q / v2) : 0, mu = c->mu + decay;
    return (rubbing){mu * f.h, mu * f.h1 - (more > 0 ? 2 * decay / v2 * f.h : 0)};
}

static rubbing rub_tanh(const contact *c, hol_real q)
{
    const double v = c->transition;
    const rubbing f = even_tanh(q / (v * v));
    return fall(c, q, (rubbing){f.h / v, f.h1 / (v * v * v)});
}

static rubbing rub_sqrt(const contact *c, hol_real q)
{
    const hol_real size = sqrt(c->transition * c->transition + q);
    return fall(c, q, (rubbing){1 / size, -1 / (size * size * size)});
}

// Adams: the odd cubic up to the transition, from there by a cubic to the coefficient of sliding.
static rubbing rub_step(const contact *c, hol_real q)
{
    const double v = c->transition, width = c->stribeck - v, top = c->mu_static;
    if (hol_re(q) < v * v) return (rubbing){top * (1.5 - 0.5 * q / (v * v)) / v, -top / (v * v * v)};
    const hol_real x = sqrt(q), s = (x - v) / width;
    const bool slides = hol_re(s) >= 1;
    const hol_real mu = slides ? c->mu : top + (c->mu - top) * s * s * (3 - 2 * s),
                   slope = slides ? 0 : (c->mu - top) * 6 * s * (1 - s) / width;
    return (rubbing){mu / x, (slope - mu / x) / q};
}

static rubbing (*const frictions[])(const contact *c, hol_real q) = {
    [HOL_CONTACT_TANH] = rub_tanh, [HOL_CONTACT_STEP] = rub_step, [HOL_CONTACT_SQRT] = rub_sqrt};

static bool rubs(const contact *c) { return c->rubs < HOL_CONTACT_STICK; }

// The friction on end 1.
static void find_friction(const contact *c, const geometry *o, hol_real F, const hol_real *y,
                          const hol_real *in, hol_real T[3])
{
    hol_real e[3];
    for (int i = 0; i < 3; i++) T[i] = 0;
    if (rubs(c)) add(-F * frictions[c->rubs](c, dot(o->u, o->u)).h, o->u, T);
    for (int i = 0; i < tangents(c); i++) {
        tangent(c, o, y, i, e, NULL);
        add(in[i], e, T);
    }
}

// Its change by that of F and u.
static void change_friction(const contact *c, const geometry *o, hol_real F, const rubbing *f, hol_real dF,
                            const hol_real *du, hol_real dT[3])
{
    if (!rubs(c)) return;
    add(-dF * f->h - F * f->h1 * dot(o->u, du), o->u, dT);
    add(-F * f->h, du, dT);
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
    VALUE("deepest"),   VALUE("slowest"),     HOL_END_OPTIONS};

// All from the compiler.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    contact *c = data;
    const hol_value *v = in->value;
    const hol_marker *m[2] = {in->end[0].marker, in->end[1].marker};
    *c = (contact){.m = {m[0], m[1]},
                   .pair = (int)v[HOL_CONTACT_PAIR].num,
                   .law = (int)v[HOL_CONTACT_LAW].num,
                   .rubs = (int)v[HOL_CONTACT_RUBS].num,
                   .dimension = in->dimension,
                   .radius = v[HOL_CONTACT_RADIUS].num,
                   .radii = v[HOL_CONTACT_RADII].num,
                   .place = v[HOL_CONTACT_PLACE].num,
                   .K = v[HOL_CONTACT_K].num,
                   .n = v[HOL_CONTACT_EXPONENT].num,
                   .x = v[HOL_CONTACT_APPROACH].num,
                   .c = v[HOL_CONTACT_DAMPING].num,
                   .deepest = v[HOL_CONTACT_DEEPEST].num,
                   .slowest = v[HOL_CONTACT_SLOWEST].num,
                   .ramp = v[HOL_CONTACT_RAMP].num,
                   .mu = v[HOL_CONTACT_SLIDING].num,
                   .mu_static = v[HOL_CONTACT_STATIC].num,
                   .transition = v[HOL_CONTACT_TRANSITION].num,
                   .stribeck = v[HOL_CONTACT_STRIBECK].num};
    c->gap = (hol_prim){.kind = pairs[c->pair].gap,
                        .rows = 1,
                        .axis1 = (signed char)(in->dimension - 1),
                        .m1 = m[0],
                        .m2 = m[1],
                        .label = "gap"};
    e->n_rows = 0;
    return HOL_OK;
}

// Most contacts are open, and cost no more than the gap.
static bool is_open(const contact *c, int ny, const hol_real *y, const double *mem)
{
    hol_scalar gap;
    if (!acts(mem)) return true;
    hol_prim_eval(&c->gap, ny, y, NULL, 0, &gap);
    return hol_re(gap.f) >= c->radii;
}

// (23.3)
static void force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q)
{
    const contact *c = data;
    geometry o;
    hol_real T[3];
    if (!tangents(c) && is_open(c, ny, y, mem)) return;
    find_geometry(c, ny, y, w, false, &o);
    const normal_force N = find_normal(c, mem, &o);
    find_friction(c, &o, N.F, y, u, T);
    for (int k = 0; k < ny - 1; k++) Q[k] += N.F * o.gap.d[k] + dot(T, o.J[k]);
}

// (J^T T)_y for a constant T: the arms of T about either end and the way these turn.
static void bend(const contact *c, const geometry *o, int ny, const hol_real *y, const hol_real T[3],
                 hol_real *Q_y)
{
    hol_real by[MOST][3], arm[2][3] = {{0}}, minus[3];
    for (int i = 0; i < 3; i++) minus[i] = -T[i];
    hol_feature_hessian(c->m[1], HOL_ORIGIN, y, T, Q_y, ny);
    hol_feature_hessian(c->m[0], HOL_ORIGIN, y, minus, Q_y, ny);
    hol_add_cross(-o->rho, o->n, T, arm[1]);
    hol_add_cross(-1, o->r, T, arm[0]);
    add(-1, arm[1], arm[0]);
    for (int k = 0; k < ny - 1; k++) {
        hol_real turned[2][3] = {{0}};
        hol_add_cross(-o->rho_y[k], o->n, T, turned[1]);
        hol_add_cross(-o->rho, o->n_y[k], T, turned[1]);
        hol_add_cross(-1, o->r_y[k], T, turned[0]);
        add(-1, turned[1], turned[0]);
        for (int e = 0; e < 2; e++) {
            const bool own = find_turn_by(c->m[e], k, by);
            for (int j = 0; j < ny - 1; j++)
                Q_y[j * ny + k] += dot(turned[e], o->turn[e][j]) + (own ? dot(arm[e], by[j]) : 0);
        }
    }
}

// T_y of inputs u that are constant.
static void turn_inputs(const contact *c, const geometry *o, int ny, const hol_real *y, const hol_real *u,
                        hol_real T_y[MOST][3])
{
    hol_real e[3], e_y[MOST][3];
    for (int i = 0; i < tangents(c); i++) {
        tangent(c, o, y, i, e, e_y);
        for (int k = 0; k < ny - 1; k++) add(u[i], e_y[k], T_y[k]);
    }
}

// (23.4)
static void force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    const hol_real *u, hol_real *Q_y, hol_real *Q_v)
{
    const contact *c = data;
    const int nq = ny - 1;
    geometry o;
    hol_real T[3], H[HOL_MAX_Y * HOL_MAX_Y] = {0}, T_y[MOST][3] = {{0}};
    if (!tangents(c) && is_open(c, ny, y, mem)) return;
    find_geometry(c, ny, y, w, true, &o);
    const normal_force N = find_normal(c, mem, &o);
    const rubbing f = rubs(c) ? frictions[c->rubs](c, dot(o.u, o.u)) : (rubbing){0, 0};
    find_friction(c, &o, N.F, y, u, T);
    hol_prim_hessian(&c->gap, ny, y, &N.F, H);
    bend(c, &o, ny, y, T, H);
    turn_inputs(c, &o, ny, y, u, T_y);
    for (int k = 0; k < nq; k++) {
        const hol_real F_y = -N.F_d * o.gap.d[k] - N.F_v * o.gap.dw[k], F_w = -N.F_v * o.gap.d[k];
        hol_real T_w[3] = {0}, u_w[3] = {0};
        add(1, o.J[k], u_w);
        add(-dot(o.n, o.J[k]), o.n, u_w);
        change_friction(c, &o, N.F, &f, F_y, o.u_y[k], T_y[k]);
        change_friction(c, &o, N.F, &f, F_w, u_w, T_w);
        for (int j = 0; j < nq; j++) {
            Q_y[j * ny + k] += H[j * ny + k] + F_y * o.gap.d[j] + dot(T_y[k], o.J[j]);
            Q_v[j * nq + k] += F_w * o.gap.d[j] + dot(T_w, o.J[j]);
        }
    }
}

// The inputs are components of the friction along the tangents.
static void force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u)
{
    const contact *c = data;
    const hol_real rest[MOST] = {0};
    geometry o;
    hol_real e[3];
    const int n = tangents(c);
    find_geometry(c, ny, y, rest, false, &o);
    for (int i = 0; i < n; i++) {
        tangent(c, &o, y, i, e, NULL);
        for (int k = 0; k < ny - 1; k++) Q_u[k * n + i] += dot(e, o.J[k]);
    }
}

// The potential and its rate along w.
static void energy(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                   hol_real *V, hol_real *V_w)
{
    const contact *c = data;
    hol_scalar gap;
    hol_prim_eval(&c->gap, ny, y, w, V_w ? 2 : 0, &gap);
    const hol_real d = c->radii - gap.f;
    *V = potential(c, mem, d);
    if (V_w) *V_w = hol_re(d) <= 0 || !acts(mem) ? 0 : -c->K * pow(d, c->n) * gap.fw;
}

// Of the normal force, the slip, the spin and the gap.
static void observe(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    int which, hol_real *f, hol_real *f_y, hol_real *f_w)
{
    const contact *c = data;
    geometry o;
    hol_real e[3], e_y[MOST][3];
    find_geometry(c, ny, y, w, f_y != NULL, &o);
    const normal_force N = find_normal(c, mem, &o);
    const hol_real size = sqrt(dot(o.u, o.u));
    if (which == HOL_CONTACT_SLIP || which == HOL_CONTACT_SLIP_2)
        tangent(c, &o, y, which - HOL_CONTACT_SLIP, e, e_y);
    *f = which == HOL_CONTACT_F       ? N.F
         : which == HOL_CONTACT_SPIN  ? dot(o.n, o.spin)
         : which == HOL_CONTACT_GAP   ? o.g
         : which == HOL_CONTACT_ALONG ? size
                                      : dot(e, o.s);
    for (int k = 0; k < ny - 1 && f_y; k++) {
        if (which == HOL_CONTACT_F) {
            f_y[k] = -N.F_d * o.gap.d[k] - N.F_v * o.gap.dw[k];
            f_w[k] = -N.F_v * o.gap.d[k];
        } else if (which == HOL_CONTACT_SPIN) {
            f_y[k] = dot(o.n_y[k], o.spin) + dot(o.n, o.spin_y[k]);
            f_w[k] = dot(o.n, o.turn[1][k]) - dot(o.n, o.turn[0][k]);
        } else if (which == HOL_CONTACT_GAP) {
            f_y[k] = o.gap.d[k];
            f_w[k] = 0;
        } else if (which == HOL_CONTACT_ALONG) {
            f_y[k] = hol_re(size) > 0 ? dot(o.u, o.u_y[k]) / size : 0;
            f_w[k] = hol_re(size) > 0 ? dot(o.u, o.J[k]) / size : 0; // u stands on n
        } else {
            f_y[k] = dot(e_y[k], o.s) + dot(e, o.s_y[k]);
            f_w[k] = dot(e, o.J[k]);
        }
    }
}

void hol_contact_look(const hol_element *e, const hol_real *y, const hol_real *w, const double *mem,
                      const hol_real *u, hol_contact_state *out)
{
    const contact *c = e->data;
    geometry o;
    hol_real T[3] = {0, 0, 0};
    find_geometry(c, e->ny, y, w, false, &o);
    const normal_force N = find_normal(c, mem, &o);
    if (mem) find_friction(c, &o, N.F, y, u, T);
    *out = (hol_contact_state){.gap = hol_re(o.g),
                               .rate = hol_re(o.gap.fw),
                               .F = hol_re(N.F),
                               .elastic = hol_re(N.elastic),
                               .stored = hol_re(potential(c, mem, -o.g)),
                               .slip = sqrt(hol_re(dot(o.u, o.u))),
                               .lost_rubbing = -hol_re(dot(T, o.s))};
    out->deepest = c->deepest;
    out->exponent = c->n;
    out->lost_damping = (out->elastic - out->F) * out->rate;
    out->friction = sqrt(hol_re(dot(T, T)));
}

// ---- what can be foretold -------------------------------------------------------------------------------------

// d'' of a free impact.
static double slow_down(const contact *c, double mass, double approach, double d, double v)
{
    normal_force out = {0};
    if (d > 0) laws[c->law](c, approach, d, v, &out);
    return -hol_re(out.F) / mass;
}

// By the classical Runge-Kutta formula, in steps short beside the time in which an elastic one turns back.
void hol_contact_foretell(const hol_element *e, double mass, double speed, hol_contact_impact *out)
{
    enum { FINE = 500, MOST_STEPS = 1000000 };
    const contact *c = e->data;
    const double turn = pow((c->n + 1) * mass * speed * speed / (2 * c->K), 1 / (c->n + 1)),
                 h = turn / speed / FINE, approach = fmax(speed, c->slowest);
    double d = 0, v = speed, before = 0;
    *out = (hol_contact_impact){0};
    for (int k = 0; k < MOST_STEPS && (d > 0 || k == 0); k++) {
        const double a1 = slow_down(c, mass, approach, d, v), v2 = v + h / 2 * a1, d2 = d + h / 2 * v,
                     a2 = slow_down(c, mass, approach, d2, v2), v3 = v + h / 2 * a2, d3 = d + h / 2 * v2,
                     a3 = slow_down(c, mass, approach, d3, v3), v4 = v + h * a3,
                     a4 = slow_down(c, mass, approach, d + h * v3, v4);
        before = d;
        d += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        out->depth = fmax(out->depth, d);
        out->lasts += d > 0 ? h : h * before / (before - d);
    }
    out->restitution = -v / speed;
    if (d > 0 || out->restitution > 1 + 1e-6) // the formula is unstable where the damping is far too large
        *out = (hol_contact_impact){(double)NAN, (double)NAN, (double)NAN};
}

double hol_contact_deepest(const hol_element *e) { return ((const contact *)e->data)->deepest; }

double hol_contact_static_depth(const hol_element *e, double force)
{
    const contact *c = e->data;
    return pow(force / c->K, 1 / c->n);
}

const hol_element_type hol_force_contact = {
    .name = "contact",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .ends = 2,
    .doc = "contact of two shapes, which `contacts:` makes",
    .options = options,
    .data_size = sizeof(contact),
    .setup = setup,
    .force = force,
    .force_d = force_d,
    .force_u = force_u,
    .energy = energy,
    .observe = observe,
};
