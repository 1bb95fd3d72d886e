// A Runge-Kutta method is a table of coefficients (rk_pairs.h) on a form (form.h).
#ifndef HOL_RK_H
#define HOL_RK_H

#include "integrator/form.h"
#include "integrator/rk_pairs.h"

// For the method's `create`. type NULL: the form that takes the fewest operations.
hol_status hol_rk_create(hol_integrator *it, const hol_runge_kutta *pair, const hol_form_type *type);
void hol_rk_destroy(hol_integrator *it);
hol_status hol_rk_step(hol_integrator *it, double t_stop);
hol_status hol_rk_restart(hol_integrator *it);
// After a restart at a state whose accelerations were found last: a singular pose comes at `time`; h: size of the first step.
void hol_rk_expect(hol_integrator *it, double h, double time);
hol_status hol_rk_rows_changed(hol_integrator *it);
hol_status hol_rk_evaluate(hol_integrator *it, hol_state *x, hol_wanted wanted);
hol_status hol_rk_complete(hol_integrator *it);
hol_status hol_rk_interpolate(hol_integrator *it, double t, hol_state *out);
hol_status hol_rk_interpolate_motion(hol_integrator *it, double t, hol_state *out);
hol_status hol_rk_interpolate_work(hol_integrator *it, double t, double *work);
hol_status hol_rk_close(hol_integrator *it, hol_state *x);
void hol_rk_archive(hol_integrator *it, hol_archive *a);
const char *hol_rk_chose(const hol_integrator *it);

// What its hol_method has beside name, doc, order, options and create.
#define HOL_RK_FUNCTIONS                                                                                     \
    .holds = HOL_HOLDS_MOTION, .accepts = HOL_ACCEPTS_ALL | HOL_ACCEPTS_SWARMS, .fewest_steps = 20,          \
    .chose = hol_rk_chose, .passes = true, .destroy = hol_rk_destroy, .step = hol_rk_step,                   \
    .restart = hol_rk_restart, .evaluate = hol_rk_evaluate, .complete = hol_rk_complete,                     \
    .rows_changed = hol_rk_rows_changed, .archive = hol_rk_archive, .interpolate = hol_rk_interpolate,       \
    .interpolate_motion = hol_rk_interpolate_motion, .interpolate_work = hol_rk_interpolate_work,            \
    .close = hol_rk_close

#endif
