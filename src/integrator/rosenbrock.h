// Rosenbrock-Nystrom methods on the state-space equations y'' = f(t, y, y') of a chart (chart.h): rn4 and ros2w.
//
//     ((1/g) I - h J2 - g h^2 J1) l_i = h f_i + sum_j c_ij l_j + g_i h^2 (f_t + J1 w_n) + h^2 J1 sum_j delta_ij l_j
//     f_i at  y_n + alpha_i h w_n + h sum_j theta_ij l_j,   w_n + sum_j a_ij l_j,   t_n + alpha_i h
//     y_n+1 = y_n + h w_n + h sum_i mu_i l_i,   w_n+1 = w_n + sum_i m_i l_i
//
// J1 = f_y, J2 = f_y', f_t are exact. docs/theory.md, section 9.2; Negrut, Sandu, Haug, Potra, Sandu 2003.
#ifndef HOL_ROSENBROCK_H
#define HOL_ROSENBROCK_H

#include "integrator/integrator.h"

enum { HOL_ROSENBROCK_STAGES = 4 };
typedef struct hol_rosenbrock {
    int stages;
    double order; // of the error estimate plus 1: the exponent of the step control
    double gamma;
    double theta[4][4], a[4][4], c[4][4], delta[4][4];
    double alpha[4], gammas[4];       // alpha_i, gamma_i
    double m[4], mu[4], e[4], emu[4]; // e = m - mhat, emu = mu - muhat
    // What the velocities have of each stage's departure from its linear prediction, less what is so of smooth forces, (9.8b).
    double bend[4];
} hol_rosenbrock;

enum {
    HOL_ROSENBROCK_COORDINATES,
    HOL_ROSENBROCK_INDEPENDENT,
    HOL_ROSENBROCK_LINEAR,
    HOL_ROSENBROCK_JACOBIAN,
    HOL_ROSENBROCK_FILTER,
    HOL_ROSENBROCK_CONTROL // three rows
};
extern const hol_option hol_rosenbrock_options[];

const char *hol_rosenbrock_chose(const hol_integrator *it);
hol_status hol_rosenbrock_create(hol_integrator *it, const hol_rosenbrock *table);
void hol_rosenbrock_destroy(hol_integrator *it);
hol_status hol_rosenbrock_step(hol_integrator *it, double t_stop);
hol_status hol_rosenbrock_restart(hol_integrator *it);
hol_status hol_rosenbrock_rows_changed(hol_integrator *it);
hol_status hol_rosenbrock_interpolate(hol_integrator *it, double t, hol_state *out);
void hol_rosenbrock_archive(hol_integrator *it, hol_archive *a);

// What the hol_method of a member has beside its name, doc, order, accepts, options and create.
#define HOL_ROSENBROCK_FUNCTIONS                                                                             \
    .holds = HOL_HOLDS_MOTION, .linear_rows = true, .more_options = hol_rosenbrock_options,                  \
    .fewest_steps = 50, .chose = hol_rosenbrock_chose, .destroy = hol_rosenbrock_destroy,                    \
    .step = hol_rosenbrock_step, .restart = hol_rosenbrock_restart,                                          \
    .rows_changed = hol_rosenbrock_rows_changed, .archive = hol_rosenbrock_archive,                          \
    .interpolate = hol_rosenbrock_interpolate

#endif
