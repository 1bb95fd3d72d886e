// Rotors that turn with joints of the tree, and what else resists a joint's coordinate c. With n the direction of c in the twists of the
// body j; common motions of j and its father k leave c as it is, so that k has -X^T n:
//
//     c'' = n.(u_j - X u_k) + bent,      on body j acts -I c'' n, on its father I c'' X^T n         (14.8a)
//
// One that turns with the body that carries it adds k (axis.u) to I c'' on these two, and -k (c'' axis + c' axis') on that body (14.8b).
// The part with u is in the factors of the joint (articulated_body.c); what follows from velocities is a force. docs/theory.md,
// section 14.3.
#include "recursion/spatial.h"

#include <string.h>

// The body of the two that hangs on the other one, or on ground.
static int link_of(const hol_tree *r, const hol_element *e)
{
    const int j = r->place[e->body[0]], k = e->n_bodies > 1 ? r->place[e->body[1]] : -1;
    return r->link[j].father == k ? j : k;
}

// Is c the angle of a hinge, or an angle in the plane? Then n is known.
static void find_turn(const hol_tree *r, hol_rotor *o)
{
    const hol_element *e = o->element;
    if (!e->type->turned) return;
    const hol_marker *own = e->end[r->place[e->body[0]] == o->link ? 0 : 1].marker;
    const int sign = own == e->type->turned(e->data, &o->inertia, &o->spin) ? 1 : -1;
    o->hinge = r->d == 3 || (r->link[o->link].kind == HOL_LINK_REVOLUTE &&
                             memcmp(own->u[2], r->body6[o->link].a, sizeof own->u[2]) == 0);
    for (int i = 0; i < 3; i++) o->turn[i] = sign * (r->d == 6 ? own->u[2][i] : i == 2);
}

// In the order of their links, so that those of a link are neighbours.
hol_status hol_tree_list_rotors(hol_tree *r)
{
    const hol_model_data *m = r->s->m;
    for (int i = m->n_bodies; i < m->n_elements; i++) r->n_rotors += m->element[i].type->resist != NULL;
    if (!r->n_rotors) return HOL_OK;
    r->rotor = hol_calloc(r->ctx, (size_t)r->n_rotors, sizeof *r->rotor);
    r->first_rotor = hol_calloc(r->ctx, (size_t)r->n_bodies + 2, sizeof *r->first_rotor);
    if (!r->rotor || !r->first_rotor) return HOL_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = m->n_bodies; i < m->n_elements; i++) {
            const hol_element *e = &m->element[i];
            if (!e->type->resist) continue;
            const int j = link_of(r, e);
            r->link[j].shape = r->link[j].dof | HOL_GEARED;
            if (pass) {
                hol_rotor *o = &r->rotor[r->first_rotor[j + 1]++];
                *o = (hol_rotor){.element = e, .link = j};
                find_turn(r, o);
            } else
                r->first_rotor[j + 2]++;
        }
        for (int j = 2; j < r->n_bodies + 2 && !pass; j++) r->first_rotor[j] += r->first_rotor[j - 1];
    }
    return HOL_OK;
}

// n.(u_j - X u_k)
HOL_INLINE double accelerated(const hol_tree *r, const int d, const hol_rotor *o, const double *u)
{
    const int k = r->link[o->link].father;
    double x[HOL_TWIST] = {0}, sum = 0;
    if (k >= 0) carry_twist(d, HOL_OF(r, d, frame, o->link, r), u + d * k, x);
    for (int i = 0; i < d; i++) sum += o->n[i] * (u[d * o->link + i] - x[i]);
    return sum;
}

// Its axis, and the torque of the axis' turning.
static void place_spin(const hol_tree *r, hol_rotor *o, const hol_real *y, const hol_real *w)
{
    const hol_element *e = o->element;
    const int n = r->d == 6 ? 3 : 1;
    const double rate = HOL_SIZED(r->d, accelerated, r, o, r->nu);
    hol_real axis[3], bend[3];
    e->type->spin(e->data, y, w, axis, bend);
    o->owned = r->place[e->body[0]] == o->link;
    for (int i = 0; i < n; i++) {
        o->axis[r->d - n + i] = hol_re(axis[3 - n + i]);
        o->turning[i] = o->spin * rate * hol_re(bend[3 - n + i]);
    }
}

// n from c_y, whatever c is.
static void place_general(const hol_tree *r, hol_rotor *o, const hol_real *y, const hol_real *w)
{
    const hol_element *e = o->element;
    hol_real c_y[HOL_MAX_Y], bent;
    double row[HOL_MAX_BODIES * HOL_TWIST];
    o->inertia = hol_re(e->type->resist(e->data, e->ny, y, w, c_y, &bent));
    o->bent = hol_re(bent) - hol_twist_row(r->s->m, e, y, w, c_y, row);
    const int own = r->place[e->body[0]] == o->link ? 0 : 1;
    memcpy(o->n, row + own * r->d, (size_t)r->d * sizeof *o->n);
}

// One at a state, of which the frames and twists of the bodies are set.
static void place(hol_tree *r, hol_rotor *o, const hol_state *x)
{
    const hol_element *e = o->element;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    if (o->hinge && r->d == 6)
        hol_turn3(r->frame6[o->link].R, o->turn, o->n + 3);
    else if (o->hinge)
        o->n[2] = o->turn[2];
    if (o->hinge && o->spin == 0) return;
    hol_element_gather(r->s->m, e, x->t, x->q, x->v, 1, y, w);
    if (!o->hinge) place_general(r, o, y, w);
    if (o->spin != 0) place_spin(r, o, y, w);
}

void hol_tree_place_rotors(hol_tree *r, const hol_state *x)
{
    for (int k = 0; k < r->n_rotors; k++) place(r, &r->rotor[k], x);
}

// f += c n on the rotor's body, and the opposite on its father.
HOL_INLINE void add_couple(const hol_tree *r, const int d, const hol_rotor *o, double c, double *f)
{
    double g[HOL_TWIST], t[HOL_TWIST];
    const int k = r->link[o->link].father;
    for (int i = 0; i < d; i++) g[i] = c * o->n[i], f[d * o->link + i] += g[i];
    if (k < 0) return;
    carry_wrench(d, HOL_OF(r, d, frame, o->link, r), g, t);
    for (int i = 0; i < d; i++) f[d * k + i] -= t[i];
}

static void add(const hol_tree *r, const hol_rotor *o, double c, double *f)
{
    HOL_SIZED(r->d, add_couple, r, o, c, f);
}

// The place in a list of wrenches of the body that carries the rotor; NULL: nothing turns with one.
static double *carrier_of(const hol_tree *r, const hol_rotor *o, double *f)
{
    return o->spin == 0 ? NULL : f + r->d * (o->owned ? o->link : r->link[o->link].father);
}

void hol_tree_add_rotors(const hol_tree *r)
{
    for (int k = 0; k < r->n_rotors; k++) {
        const hol_rotor *o = &r->rotor[k];
        double *f = carrier_of(r, o, r->f);
        const int n = r->d == 6 ? 3 : 1;
        add(r, o, -o->inertia * o->bent, r->f);
        for (int i = r->d - n; i < r->d && f; i++)
            f[i] -= o->spin * o->bent * o->axis[i] + o->turning[i - r->d + n];
    }
}

void hol_tree_take_rotors(const hol_tree *r, const double *u, double *f)
{
    for (int k = 0; k < r->n_rotors; k++) {
        const hol_rotor *o = &r->rotor[k];
        const double *own = carrier_of(r, o, (double *)u), c = HOL_SIZED(r->d, accelerated, r, o, u);
        double *on = carrier_of(r, o, f), turned = 0;
        for (int i = 0; i < r->d && own; i++) {
            turned += o->axis[i] * own[i];
            on[i] += o->spin * c * o->axis[i];
        }
        add(r, o, o->inertia * c + o->spin * turned, f);
    }
}

void hol_tree_rotors_inertia(const hol_tree *r, const hol_state *x, double *f)
{
    const hol_model_data *m = r->s->m;
    for (int k = 0; k < r->n_rotors; k++) {
        const hol_rotor *o = &r->rotor[k];
        const hol_element *e = o->element;
        hol_real y[HOL_MAX_Y], a[HOL_MAX_Y], Ma[HOL_MAX_Y];
        hol_element_gather(m, e, x->t, x->q, x->a, 0, y, a);
        e->type->mass_times(e->data, y, a, Ma);
        hol_element_scatter(m, e, Ma, 1, f);
    }
}
