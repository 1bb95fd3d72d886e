// The coefficients of Newmark, HHT and generalized-alpha in one form, (5.1) to (5.3), from the parameters of each
// (docs/theory.md, sections 5.1 and 5.5), and the constant of their error.
#include "integrator/scheme.h"

#include <math.h>
#include <string.h>

// What follows from the four coefficients.
static hol_scheme complete(hol_scheme c)
{
    const double own = 1 - c.alpha_f, now = 1 - c.alpha_m, delta = c.alpha_m - c.alpha_f;
    c.beta1 = c.beta * own / now;
    c.gamma1 = c.gamma * own / now;
    c.error = c.beta + delta / 2 - 1.0 / 6;
    c.rate_error = fabs(0.5 * own - now * (0.5 + delta) + c.gamma * (0.5 + delta) - 1.0 / 6);
    return c;
}

hol_scheme hol_scheme_newmark(double gamma, double beta)
{
    return complete((hol_scheme){.gamma = gamma, .beta = beta});
}

hol_scheme hol_scheme_hht(double alpha)
{
    hol_scheme c = complete(
        (hol_scheme){.gamma = (1 - 2 * alpha) / 2, .beta = (1 - alpha) * (1 - alpha) / 4, .alpha_f = -alpha});
    c.offset = c.error;
    return c;
}

hol_scheme hol_scheme_genalpha(double rho)
{
    hol_scheme c = {.alpha_m = (2 * rho - 1) / (rho + 1), .alpha_f = rho / (rho + 1)};
    c.gamma = 0.5 + c.alpha_f - c.alpha_m;
    c.beta = (c.gamma + 0.5) * (c.gamma + 0.5) / 4;
    c = complete(c);
    c.offset = c.error;
    return c;
}

void hol_scheme_start_w(const hol_equations *s, const double *a, const double *z, double *w)
{
    memcpy(w, a, (size_t)s->nq * sizeof *w);
    for (int i = 0; i < s->nx; i++) w[s->nq + i] = z[s->m->state[i].equation];
}

void hol_scheme_scale_w(const hol_equations *s, const double *a, const double *z, const double *w, double h_w,
                        double h, double *scaled)
{
    const double scale = h_w > 0 ? h / h_w : 1;
    for (int i = 0; i < s->nq; i++) scaled[i] = a[i] + scale * (w[i] - a[i]);
    for (int i = 0; i < s->nx; i++) {
        const double rate = z[s->m->state[i].equation];
        scaled[s->nq + i] = rate + scale * (w[s->nq + i] - rate);
    }
}

double hol_scheme_first_step(const hol_integrator *it, double square)
{
    return fmin(fmin(0.01 * it->end, it->h_max), sqrt(square));
}

// (gamma - 1/2) h (X1' - X0'), or for schemes of order 2 by the third derivative of X from divided differences of the rates.
double hol_scheme_state_error(const hol_scheme *c, const hol_equations *s, const hol_history *past, int i,
                              const double *z, double h, const double *start)
{
    const int k = s->m->state[i].equation;
    const double r1 = z[k], r0 = past->past[0][s->nq + k], slope = (r1 - r0) / h;
    if (hol_scheme_first_order(c)) return (c->gamma - 0.5) * h * (r1 - r0);
    if (past->n < 2 && start) return 2 * c->rate_error * h * h * (slope - start[i]);
    if (past->n < 2) return h * (r1 - r0) / 12;
    const double before = past->t[0] - past->t[1], old = (r0 - past->past[1][s->nq + k]) / before;
    return 2 * c->rate_error * h * h * h * (slope - old) / (h + before);
}
