// What forms have in common: creation with a look at whether accelerations are found, states of u, refusals in words.
#include "integrator/form.h"
#include "linalg/vector3.h"
#include "system/fault.h"

#include <math.h>
#include <string.h>

double hol_form_accuracy(const hol_integrator *it)
{
    return it->tolerance > 0 ? fmax(1e-13, fmin(1e-8, 1e-3 * it->tolerance)) : 1e-12;
}

hol_status hol_form_begin(hol_form *f, hol_state *trial)
{
    hol_integrator *it = f->it;
    hol_status st = f->type->create(f);
    if (st || (trial && f->type->matrix)) return st; // whose factors found those of the start
    if (trial) hol_state_copy(it->s, trial, &it->x);
    st = f->type->accelerate(f, trial ? trial : &it->x, trial ? HOL_WANT_ACCELERATIONS : HOL_WANT_ALL);
    if (st > 0 && !trial && f->type == &hol_form_sparse) // a singular pose, as hol_initialise takes it
        st = hol_solve_accelerations_with(it->k, &it->x, HOL_KKT_DELTA);
    return st;
}

hol_status hol_form_create(hol_integrator *it, const hol_form_type *type, hol_state *trial, hol_form *f)
{
    *f = (hol_form){.type = type, .it = it, .most = HOL_INF};
    return hol_form_begin(f, trial);
}

void hol_form_destroy(hol_form *f)
{
    if (f->type) f->type->destroy(f);
    *f = (hol_form){.type = NULL};
}

// In words; `st` where that is an error already.
static hol_status refuse(const hol_form *f, bool chosen, hol_status st)
{
    const hol_integrator *it = f->it;
    const char *method = it->method->name, *name = f->type->name;
    const hol_obstacle *o = &f->obstacle;
    if (st > 0 && o->why && chosen)
        return hol_fail_at(it->ctx, HOL_ERR_USAGE, o->at,
                           "%s.solve: %s does not take \"%s\": %s; use %s.solve: sparse", method, name,
                           o->name, o->why, method);
    if (st > 0 && o->why)
        return hol_fail_at(it->ctx, HOL_ERR_USAGE, o->at,
                           "method %s does not take \"%s\": %s; bdf, rn4 and hht take all joints", method,
                           o->name, o->why);
    if (st > 0) st = hol_fault_report_start(it->s, &it->x, st);
    if (st <= 0) return st;
    return hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                    "%s%s%s the accelerations are not determined at the start; try another --method",
                    chosen ? method : "", chosen ? ".solve: " : "", chosen ? name : "");
}

hol_status hol_form_create_chosen(hol_integrator *it, const hol_form_type *type, bool chosen,
                                  hol_state *trial, hol_form *f)
{
    const hol_status st = type ? hol_form_create(it, type, trial, f) : hol_form_create_least(it, trial, f);
    return refuse(f, chosen, st);
}

hol_status hol_form_renew(hol_form *f)
{
    hol_integrator *it = f->it;
    const hol_form_type *type = f->type;
    hol_form_destroy(f);
    *f = (hol_form){.type = type, .it = it, .most = HOL_INF};
    return type->create(f);
}

hol_status hol_form_place(hol_form *f, double t, double *u, hol_state *x)
{
    f->type->put(f, t, u, x);
    return f->closes ? f->type->close(f, u, x) : HOL_OK;
}

hol_status hol_form_settle(hol_form *f, double t, double *u, hol_state *x, hol_wanted wanted)
{
    hol_status st;
    if (!f->closes) {
        f->type->put(f, t, u, x);
        return f->type->accelerate(f, x, wanted);
    }
    if (f->type->close) {
        st = hol_form_place(f, t, u, x);
        if (f->type->learn) f->type->learn(f);
        return st ? st : f->type->accelerate(f, x, wanted);
    }
    f->type->put(f, t, u, x);
    st = f->type->settle(f, x);
    if (!st) f->type->take(f, x, u);
    return st;
}

hol_status hol_form_close(hol_form *f, double *u, hol_state *x)
{
    f->type->take(f, x, u);
    const hol_status st = f->type->close ? f->type->close(f, u, x) : f->type->settle(f, x);
    return st ? st : f->type->accelerate(f, x, HOL_WANT_ALL);
}

void hol_form_take_all(hol_form *f, const hol_state *x, double *u) { hol_state_pack(f->it->s, x, u); }

void hol_form_put_all(hol_form *f, double t, const double *u, hol_state *x)
{
    x->t = t;
    hol_state_unpack(f->it->s, u, x);
    hol_state_hold_norms(f->it->s, x);
}

// First and second rates of Euler parameters u of the length s, whose own rates are v, (9.13a): from p, w, which they stand for, and p'' there,
// which is in `second`.
HOL_INLINE void stretch(const double *u, const double *v, const double *p, const double *w,
                        double *restrict first, double *restrict second)
{
    const double length = sqrt(hol_dot4(u, u)), change = hol_dot4(u, v) / length;
    for (int i = 0; i < 4; i++) {
        first[i] = length * w[i] + change * p[i];
        second[i] = length * second[i] + 2 * change * w[i];
    }
}

void hol_form_rate_all(hol_form *f, const double *u, const hol_state *x, double *rate)
{
    const hol_equations *s = f->it->s;
    const hol_model_data *m = s->m;
    const double *v = u + s->nq;
    double *second = rate + s->nq;
    hol_state_rate(s, x, rate);
    for (int b = 0; b < m->n_bodies && m->dimension == 3; b++) {
        const int p = m->body[b].q + 3;
        if (m->body[b].frame == HOL_FRAME_SPATIAL)
            stretch(u + p, v + p, x->q + p, x->v + p, rate + p, second + p);
    }
}

hol_status hol_form_know_depths(hol_form *f, const double *u)
{
    const hol_groups *g = f->it->norm.groups;
    if (!f->type->depths || !g || f->norm.groups->version == g->version) return HOL_OK;
    return f->type->depths(f, u);
}
