// The coefficients of Newmark, HHT and generalized-alpha in one form, and their formulas for one coordinate.
//
//     (1 - am) w1 + am w0 = (1 - af) a1 + af a0
//     q1 = q0 + h v0 + h^2 [(1/2 - beta) w0 + beta w1],   v1 = v0 + h [(1 - gamma) w0 + gamma w1]
//
// A user's state X is integrated as a velocity is, its rate being its acceleration. docs/theory.md, section 5.1.
#ifndef HOL_SCHEME_H
#define HOL_SCHEME_H

#include "integrator/history.h"
#include "integrator/integrator.h"

typedef struct hol_scheme {
    double beta, gamma;
    double alpha_m, alpha_f;
    double beta1, gamma1; // beta', gamma': dq1/da1 = beta' h^2, dv1/da1 = gamma' h
    double error;         // local position error / (h^2 (w1 - w0))
    double rate_error;    // local error of velocities and states / (h^3 a''), no sign
    double offset;        // c of docs/theory.md (5.18); 0: the scheme is left as published
    bool velocity_test;   // the velocities' error (gamma - 1/2) h (w1 - w0) is tested too
} hol_scheme;

// gamma >= 1/2; above, the order is 1. Gavrea, Negrut, Potra 2005.
hol_scheme hol_scheme_newmark(double gamma, double beta);
// alpha in [-1/3, 0]:  gamma = (1 - 2 alpha)/2,  beta = (1 - alpha)^2/4,  am = 0,  af = -alpha
// Negrut, Rampalli, Ottarsson, Sajdak 2005.
hol_scheme hol_scheme_hht(double alpha);
// rho in [0, 1]:  am = (2 rho - 1)/(rho + 1),  af = rho/(rho + 1),  gamma = 1/2 + af - am,  beta = (gamma + 1/2)^2/4
// Chung, Hulbert 1993; Arnold, Bruels 2007.
hol_scheme hol_scheme_genalpha(double rho);

static inline bool hol_scheme_first_order(const hol_scheme *c)
{
    return c->gamma + c->alpha_m - c->alpha_f > 0.5 + 1e-9;
}

static inline double hol_scheme_w(const hol_scheme *c, double a1, double a0, double w0)
{
    return ((1 - c->alpha_f) * a1 + c->alpha_f * a0 - c->alpha_m * w0) / (1 - c->alpha_m);
}

static inline double hol_scheme_position(const hol_scheme *c, double h, double q0, double v0, double w0,
                                         double w1)
{
    return q0 + h * (v0 + h * ((0.5 - c->beta) * w0 + c->beta * w1));
}

static inline double hol_scheme_velocity(const hol_scheme *c, double h, double v0, double w0, double w1)
{
    return v0 + h * ((1 - c->gamma) * w0 + c->gamma * w1);
}

// w = (a; rates of states), where a step starts from nothing else.                              (nq + nx)
void hol_scheme_start_w(const hol_equations *s, const double *a, const double *z, double *w);
// w of a step of size h_w for one of size h: the part that is not the acceleration is proportional to it.
void hol_scheme_scale_w(const hol_equations *s, const double *a, const double *z, const double *w, double h_w,
                        double h, double *scaled);
// The first step with error control; square: h^2 whose error is the tolerance, HOL_INF: any.
double hol_scheme_first_step(const hol_integrator *it, double square);
// Local error of state i after a step of size h from the newest entry of the history, z being the unknowns at its end.
// start: slopes of the rates of the states where the history has one entry only (nx); NULL: they are not known.
double hol_scheme_state_error(const hol_scheme *c, const hol_equations *s, const hol_history *past, int i,
                              const double *z, double h, const double *start);

#endif
