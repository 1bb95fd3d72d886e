// A model with other values of its parameters: read and compiled again, with the same numbers of everything.
#include "analysis/slice.h"
#include "system/initial.h"

#include <string.h>

void hol_slice_close(hol_slice *c)
{
    hol_equilibrium_destroy(&c->at.e);
    hol_state_destroy(&c->at.x);
    hol_start_destroy(&c->at.k);
    hol_model_free(c->m);
    memset(c, 0, sizeof *c);
}

// Reads, compiles, and makes sure that states fit.
static hol_status read_model(const hol_statics_data *o, const hol_fixed *fixed, int n_fixed,
                             hol_model_data **out)
{
    hol_spec *spec = hol_spec_read_again(o->m->spec, fixed, n_fixed, NULL);
    hol_context_mute(o->ctx, true);
    *out = spec ? hol_model_compile(spec) : NULL;
    hol_context_mute(o->ctx, false);
    if (!*out) return hol_context_status(o->ctx);
    return hol_model_structure(*out) == hol_model_structure(o->m)
               ? HOL_OK
               : hol_fail(o->ctx, HOL_ERR_USAGE, "the parameter \"%s\" changes what the model consists of",
                          fixed->name);
}

hol_status hol_slice_open(const hol_statics_data *o, const hol_at_rest *like, const hol_fixed *fixed,
                          int n_fixed, const hol_state *x, hol_slice *out)
{
    memset(out, 0, sizeof *out);
    hol_status st = read_model(o, fixed, n_fixed, &out->m);
    if (st) return st;
    hol_equations *e = hol_equations_create(o->ctx, out->m, like->rank.active);
    out->at.k = hol_kernel_of(e);
    out->at.rank = like->rank;
    if (!e || hol_equations_count_joints(e)) return HOL_ERR_MEMORY;
    e->dependent = like->k.s->dependent;
    st = hol_kernel_need(&out->at.k);
    if (!st) st = hol_state_create(e, &out->at.x);
    if (st) return st;
    hol_state_copy(e, &out->at.x, x);
    for (int i = 0; i < out->m->n_held; i++) out->at.x.mem[out->m->held[i].slot] = out->m->held[i].initial;
    return HOL_OK;
}
