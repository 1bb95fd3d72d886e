// Forms: how the motion of a model becomes an ordinary differential equation u' = f(t, u). A method integrates any form that it
// names, and knows nothing of it but this.
//
//     form          u                            accelerations                  constraints                     file
//     sparse        (q; v; X)                    KKT matrix                     where the method asks           form_sparse.c
//     tree          (q; v; X)                    along the tree, loops by       where the method asks           form_tree.c
//                                                multipliers
//     joints        (q; v; X)                    all joints by blocks           where the method asks           form_tree.c
//     chart         (q; v; X)                    KKT matrix                     at every evaluation             form_chart.c
//     coordinates   joint coordinates, rates; X  along the tree, loops by       the tree's hold, those of       form_coordinates.c
//                                                multipliers                    loops at every evaluation
//
// docs/theory.md, sections 9.4, 9.5, 15.5 and 17.
#ifndef HOL_FORM_H
#define HOL_FORM_H

#include "integrator/integrator.h"
#include "integrator/pose.h"
#include "system/explicit.h"

typedef struct hol_form_type hol_form_type;

typedef struct hol_form {
    const hol_form_type *type;
    hol_integrator *it;
    hol_norm norm;         // what u is made of, and the norm of its errors
    bool closes;           // constraints are to be closed; no: every u satisfies them
    double most;           // of joints: products of blocks that one factorisation may take
    hol_obstacle obstacle; // why it is not for this model
    void *data;
} hol_form;

struct hol_form_type {
    const char *name;
    bool matrix; // accelerations come from the matrix that found those of the start
    bool lazy;   // accelerations and multipliers cost extra: they are found where they are asked for
    // HOL_RECOVERABLE: not for this model, f->obstacle says why where it is one element.
    hol_status (*create)(hol_form *f);
    void (*destroy)(hol_form *f);
    void (*take)(hol_form *f, const hol_state *x, double *u);
    // The state of u as it stands.
    void (*put)(hol_form *f, double t, const double *u, hol_state *x);
    // Puts it onto the constraints, u follows. NULL: by `settle` only.
    hol_status (*close)(hol_form *f, double *u, hol_state *x);
    // An evaluation, not a result between steps, was it that closed: what it has cost may be learnt from. NULL: nothing is.
    void (*learn)(hol_form *f);
    // Like `close` with everything that is wanted, where the two have something in common; NULL: they have not.
    hol_status (*settle)(hol_form *f, hol_state *x);
    hol_status (*accelerate)(hol_form *f, hol_state *x, hol_wanted wanted);
    // u' at u and x, whose accelerations were found last.
    void (*rate)(hol_form *f, const double *u, const hol_state *x, double *rate);
    // The next states are near it->x: anew, at a start or where states are not found; after a step. NULL: nothing to do.
    hol_status (*begin)(hol_form *f);
    hol_status (*follow)(hol_form *f);
    // Power of the forces there, as far as it is not derived from a potential, where it->sums asked for it at `begin` [W]; NULL: it is
    // summed by other means.
    double (*power)(const hol_form *f);
    // The depths of it->norm for the form's own norm, at u, which is it->x. NULL: they are the same.
    hol_status (*depths)(hol_form *f, const double *u);
    // How near a singular pose the state is whose accelerations were found last: pose->next, pose->clear, it->independence.
    void (*measure)(hol_form *f, hol_pose *pose);
    // Multipliers that nothing but the reactions of redundant joints asks for. NULL: they are there.
    void (*complete)(hol_form *f, hol_state *x);
    void (*archive)(hol_form *f, hol_archive *a);
};

extern const hol_form_type hol_form_sparse, hol_form_tree, hol_form_joints, hol_form_chart,
    hol_form_coordinates;

// trial: room for a state where it is tried whether it finds accelerations; NULL: those of it->x are still missing, and are found.
// HOL_RECOVERABLE: not for this model, or none are found. Destroy it after a failure too.
hol_status hol_form_create(hol_integrator *it, const hol_form_type *type, hol_state *trial, hol_form *f);
// The same of a form that is set up but for its data.
hol_status hol_form_begin(hol_form *f, hol_state *trial);
// The one of sparse, tree and joints that takes the fewest operations.
hol_status hol_form_create_least(hol_integrator *it, hol_state *trial, hol_form *f);
// For a method: a type, or NULL, the one above; chosen: by its option `solve`. Says why not.
hol_status hol_form_create_chosen(hol_integrator *it, const hol_form_type *type, bool chosen,
                                  hol_state *trial, hol_form *f);
void hol_form_destroy(hol_form *f);
// Before a step from u, which is it->x: its norm knows the contacts that last there.
hol_status hol_form_know_depths(hol_form *f, const double *u);
// Rows of the system were chosen anew; u may be another vector afterwards.
hol_status hol_form_renew(hol_form *f);
// The state of u at t, put onto the constraints, u follows. Of forms with `close`.
hol_status hol_form_place(hol_form *f, double t, double *u, hol_state *x);
// The same of all forms, with what is wanted. HOL_RECOVERABLE: there is none.
hol_status hol_form_settle(hol_form *f, double t, double *u, hol_state *x, hol_wanted wanted);
// Puts a result between steps onto the constraints, with all its unknowns. u: room for it.
hol_status hol_form_close(hol_form *f, double *u, hol_state *x);
// For forms with u = (q; v; X).
void hol_form_take_all(hol_form *f, const hol_state *x, double *u);
void hol_form_put_all(hol_form *f, double t, const double *u, hol_state *x);
void hol_form_rate_all(hol_form *f, const double *u, const hol_state *x, double *rate);
// Rows of their tables.
#define HOL_FORM_ALL .take = hol_form_take_all, .put = hol_form_put_all, .rate = hol_form_rate_all

// What accelerations along a tree may be wrong by, as a part.
double hol_form_accuracy(const hol_integrator *it);

#endif
