// What `check` warns of in stops of joints: a joint that begins beyond a smooth one is pushed back.
#include "analysis/warnings_data.h"
#include "system/ranges.h"

#include <math.h>

// How far, against what, and the way out.
static void warn_stop(hol_facts *f, const hol_range *r, double beyond, double end, double force)
{
    const double c = hol_equations_expression(f->k->s, f->pushed, &r->place);
    hol_warn(f,
             "%s: the joint begins %.3g %s beyond %.6g %s, the end of its range, where the stop pushes it "
             "back with %.3g %s, more "
             "than what else acts there holds\n; let it begin within its range%s, or the run in an "
             "equilibrium: `start: equilibrium`",
             r->path, beyond, r->length ? "m" : "rad", end, r->length ? "m" : "rad", force,
             r->length ? "N" : "N m", hol_range_turns(r, c) != 0 ? ", which a full turn may do" : "");
}

void hol_look_stops(hol_facts *f)
{
    const hol_model_data *m = f->m;
    for (int i = 0; i < m->n_ranges && f->pushed && !f->set->at_rest; i++) {
        const hol_range *r = &m->range[i];
        const hol_element *e = &m->element[r->force];
        double end;
        hol_push push;
        const double beyond = hol_range_beyond(f->k->s, f->pushed, r, &end);
        const double size = r->length ? m->length_scale : 1;
        if (r->hard || !hol_element_acts(e, f->pushed->mem) || !(beyond > HOL_DEEP * size)) continue;
        const double force = fabs(f->pushed->z[e->input->z]);
        if (hol_throws(f, e, force, force * beyond / 2, size, &push)) warn_stop(f, r, beyond, end, force);
    }
}
