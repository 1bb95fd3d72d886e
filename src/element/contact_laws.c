// Laws of a contact: the normal force F(d, d') of the depth, friction of the slip, and what comes of a free impact (docs/theory.md,
// section 23). A law more is a row of `laws`, a friction one of `frictions`.
#include "element/contact_parts.h"

// ---- normal force -----------------------------------------------------------------------------------------------

// K d^n (1 + c v), c = x/v_i where a restitution is asked for; v_i is in the memory.       (23.5)
static void power_law(const hol_contact *c, double approach, hol_real d, hol_real v, hol_contact_normal *o)
{
    const double damping = c->x > 0 && approach > 0 ? c->x / approach : c->c;
    const hol_real loss = 1 + damping * v;
    o->elastic = c->K * pow(d, c->n);
    o->whole = o->elastic * loss;
    if (hol_re(loss) < 0) return; // pulled away
    o->F = o->whole;
    o->F_d = c->n * c->K * pow(d, c->n - 1) * loss;
    o->F_v = o->elastic * damping;
}

// K d^n + c step(d, 0, 0, ramp, 1) v, of Adams.                                            (23.6)
static void impact_law(const hol_contact *c, double approach, hol_real d, hol_real v, hol_contact_normal *o)
{
    const bool full = hol_re(d) >= c->ramp;
    const hol_real s = d / c->ramp, part = full ? 1 : s * s * (3 - 2 * s),
                   slope = full ? 0 : 6 * s * (1 - s) / c->ramp;
    (void)approach;
    o->elastic = c->K * pow(d, c->n);
    o->whole = o->elastic + c->c * part * v;
    if (hol_re(o->whole) < 0) return;
    o->F = o->whole;
    o->F_d = c->n * c->K * pow(d, c->n - 1) + c->c * slope * v;
    o->F_v = c->c * part;
}

static void (*const laws[])(const hol_contact *c, double approach, hol_real d, hol_real v,
                            hol_contact_normal *o) = {
    [HOL_CONTACT_POWER] = power_law, [HOL_CONTACT_IMPACT] = impact_law};

hol_contact_normal hol_contact_press(const hol_contact *c, double approach, hol_real d, hol_real v)
{
    hol_contact_normal out = {0};
    laws[c->law](c, approach, d, v, &out);
    return out;
}

hol_real hol_contact_potential(const hol_contact *c, hol_real d)
{
    return c->K * pow(d, c->n + 1) / (c->n + 1);
}

// ---- friction ---------------------------------------------------------------------------------------------------

// tanh(z)/z and its derivative over z, z^2 = q.
static hol_contact_rubbing even_tanh(hol_real q)
{
    if (hol_re(q) < 2.5e-3) // the next term is below rounding
        return (hol_contact_rubbing){
            1 + q * (-1.0 / 3 + q * (2.0 / 15 + q * (-17.0 / 315 + q * (62.0 / 2835 - q * 1382 / 155925)))),
            -2.0 / 3 +
                q * (8.0 / 15 + q * (-102.0 / 315 +
                                     q * (496.0 / 2835 + q * (-13820.0 / 155925 + q * 262128.0 / 6081075))))};
    const hol_real z = sqrt(q), t = tanh(z);
    return (hol_contact_rubbing){t / z, (1 - t * t - t / z) / q};
}

// The coefficient falls from rest to sliding: mu (1 + more exp(-q/v^2)) times what is given.
static hol_contact_rubbing fall(const hol_contact *c, hol_real q, hol_contact_rubbing f)
{
    const double more = c->mu_static - c->mu, v2 = c->stribeck * c->stribeck;
    const hol_real decay = more > 0 ? more * exp(-q / v2) : 0, mu = c->mu + decay;
    return (hol_contact_rubbing){mu * f.h, mu * f.h1 - (more > 0 ? 2 * decay / v2 * f.h : 0)};
}

static hol_contact_rubbing rub_tanh(const hol_contact *c, hol_real q)
{
    const double v = c->transition;
    const hol_contact_rubbing f = even_tanh(q / (v * v));
    return fall(c, q, (hol_contact_rubbing){f.h / v, f.h1 / (v * v * v)});
}

static hol_contact_rubbing rub_sqrt(const hol_contact *c, hol_real q)
{
    const hol_real size = sqrt(c->transition * c->transition + q);
    return fall(c, q, (hol_contact_rubbing){1 / size, -1 / (size * size * size)});
}

// Adams: the odd cubic up to the transition, from there by a cubic to the coefficient of sliding.
static hol_contact_rubbing rub_step(const hol_contact *c, hol_real q)
{
    const double v = c->transition, width = c->stribeck - v, top = c->mu_static;
    if (hol_re(q) < v * v)
        return (hol_contact_rubbing){top * (1.5 - 0.5 * q / (v * v)) / v, -top / (v * v * v)};
    const hol_real x = sqrt(q), s = (x - v) / width;
    const bool slides = hol_re(s) >= 1;
    const hol_real mu = slides ? c->mu : top + (c->mu - top) * s * s * (3 - 2 * s),
                   slope = slides ? 0 : (c->mu - top) * 6 * s * (1 - s) / width;
    return (hol_contact_rubbing){mu / x, (slope - mu / x) / q};
}

static hol_contact_rubbing (*const frictions[])(const hol_contact *c, hol_real q) = {
    [HOL_CONTACT_TANH] = rub_tanh, [HOL_CONTACT_STEP] = rub_step, [HOL_CONTACT_SQRT] = rub_sqrt};

bool hol_contact_rubs(const hol_contact *c) { return c->rubs < HOL_CONTACT_STICK; }

hol_contact_rubbing hol_contact_rub(const hol_contact *c, hol_real q)
{
    return hol_contact_rubs(c) ? frictions[c->rubs](c, q) : (hol_contact_rubbing){0, 0};
}

// ---- what can be foretold -------------------------------------------------------------------------------------

// d'' of a free impact.
static double slow_down(const hol_contact *c, double mass, double approach, double d, double v)
{
    return d > 0 ? -hol_re(hol_contact_press(c, approach, d, v).F) / mass : 0;
}

// By the classical Runge-Kutta formula, in steps short beside the time in which an elastic one turns back.
void hol_contact_foretell(const hol_element *e, double mass, double speed, hol_contact_impact *out)
{
    enum { FINE = 500, MOST_STEPS = 1000000 };
    const hol_contact *c = e->data;
    const double turn = hol_contact_elastic_depth(e, mass, speed), h = turn / speed / FINE,
                 approach = fmax(speed, c->slowest);
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

double hol_contact_elastic_depth(const hol_element *e, double mass, double speed)
{
    const hol_contact *c = e->data;
    return pow((c->n + 1) * mass * speed * speed / (2 * c->K), 1 / (c->n + 1));
}

double hol_contact_elastic_force(const hol_element *e, double depth)
{
    const hol_contact *c = e->data;
    return c->K * pow(depth, c->n);
}

double hol_contact_elastic_speed(const hol_element *e, double mass, double depth)
{
    const hol_contact *c = e->data;
    return depth * sqrt(c->n * c->K * pow(depth, c->n - 1) / mass);
}

double hol_contact_expected(const hol_element *e, double mass, double weight, double depth, double speed)
{
    return fmax(depth, fmax(hol_contact_static_depth(e, weight), hol_contact_elastic_depth(e, mass, speed)));
}

double hol_contact_stiffer(const hol_element *e, double mass, double depth, double rate)
{
    const hol_contact *c = e->data;
    const double energy = hol_re(hol_contact_potential(c, depth)) + 0.5 * mass * rate * rate;
    return energy / hol_re(hol_contact_potential(c, c->deepest / 10));
}

double hol_contact_radius(const hol_element *e) { return ((const hol_contact *)e->data)->round; }

const char *hol_contact_vector(const double *x, int n, char text[100])
{
    if (n == 2)
        hol_decimal_print(text, 100, "[%.3g, %.3g]", x[0] + 0.0, x[1] + 0.0);
    else
        hol_decimal_print(text, 100, "[%.3g, %.3g, %.3g]", x[0] + 0.0, x[1] + 0.0, x[2] + 0.0);
    return text;
}

double hol_contact_sliding(const hol_element *e)
{
    const hol_contact *c = e->data;
    return c->rubs == HOL_CONTACT_FREE ? 0 : c->mu;
}

double hol_contact_deepest(const hol_element *e) { return ((const hol_contact *)e->data)->deepest; }

// Where 1 + c v is 0: there they are pushed no more.
double hol_contact_fastest_apart(const hol_element *e, double approach)
{
    const hol_contact *c = e->data;
    const double damping = c->law != HOL_CONTACT_POWER ? 0 : c->x > 0 ? c->x / approach : c->c;
    return damping > 0 ? 1 / damping : HOL_INF;
}

double hol_contact_slowest(const hol_element *e) { return ((const hol_contact *)e->data)->slowest; }

double hol_contact_exponent(const hol_element *e) { return ((const hol_contact *)e->data)->n; }

double hol_contact_static_depth(const hol_element *e, double force)
{
    const hol_contact *c = e->data;
    return pow(force / c->K, 1 / c->n);
}

double hol_contact_creep_rate(const hol_element *e, double mass, double force)
{
    return force * hol_re(hol_contact_rub(e->data, 0).h) / mass;
}
