// The form u = (q; v; X) with accelerations from the KKT matrix, (2.5); the mass matrix is the metric in which positions and
// velocities are put onto the constraints, section 9.5.
#include "integrator/form.h"

static hol_status create(hol_form *f)
{
    f->norm = f->it->norm;
    f->closes = true;
    return HOL_OK;
}

static void destroy(hol_form *f) { (void)f; }

static hol_status settle(hol_form *f, hol_state *x) { return hol_kernel_settle(f->it->k, x); }

static hol_status accelerate(hol_form *f, hol_state *x, hol_wanted wanted)
{
    (void)wanted;
    return hol_solve_accelerations(f->it->k, x);
}

static void measure(hol_form *f, hol_pose *pose) { hol_pose_measure(pose, f->it->k); }

const hol_form_type hol_form_sparse = {
    .name = "sparse",
    .matrix = true,
    .create = create,
    .destroy = destroy,
    HOL_FORM_ALL,
    .settle = settle,
    .accelerate = accelerate,
    .measure = measure,
};
