// The contacts of a run: each from its onset to its end, and what all of them have taken. docs/theory.md, section 23.
#ifndef HOL_ANALYSIS_CONTACTS_H
#define HOL_ANALYSIS_CONTACTS_H

#include "element/contact.h"
#include "integrator/integrator.h"

// What a contact sums up: impulse of the normal force [N s], what damping and friction take [J], way along each other [m].
enum { HOL_SUM_IMPULSE, HOL_SUM_DAMPING, HOL_SUM_FRICTION, HOL_SUM_SLID, HOL_CONTACT_SUMS };

// A contact while it lasts; all 0 before. Numbers alone, for checkpoints.
typedef struct hol_touch {
    double lasts;        // 1: it does; -1: an event has switched it off
    double untold;       // 1: it has ended with the last step, of which nobody knows yet
    double begins, ends; // hol_contact_edge
    double onset, end;   // [s]
    double v_i, v_end;   // speeds of coming together and of going apart there [m/s]
    double steps;        // so far; fixed ones by their length
    double denied;       // steps that have not felt it, since it had ended before its shapes parted
    double depth;        // the largest [m]
    double expected;     // and how deep it could be from its beginning on, for the norm of errors [m]
    double way, speed;   // natural size and speed of a gap that closes soon behind a start, 0 of others
    double sum[HOL_CONTACT_SUMS];     // from its onset on
    double earlier[HOL_CONTACT_SUMS]; // of the contacts before
} hol_touch;

// The last step of a contact, for rows within it: sums at its start, and their rates at nine times, in eighths of it. lasts: else the sums
// are those of the touch.
typedef struct hol_touch_step {
    bool lasts;
    double before[HOL_CONTACT_SUMS], rate[HOL_CONTACT_SUMS][9];
} hol_touch_step;

// What has been found of all of them.
typedef struct hol_contacts_found {
    double onsets;
    double depth; // largest [m]
    int deepest;  // which of them had it, -1: none
} hol_contacts_found;

typedef struct hol_contacts {
    hol_integrator *it;
    int n;
    int *element;              // of the model                                              (n)
    hol_touch *touch, *before; // the present or the last one of each, and before the last step   (n)
    hol_touch_step *step;      //                                                  (n)
    hol_contact_state *at;     // looks at each in the last step                    (9 n)
    bool *follows;             // it lasts in the last step                         (n)
    hol_state inside;          // of the step
    hol_contacts_found found, found_before;
    // Takes each contact that ends; NULL: nobody does.
    hol_status (*tell)(void *user, const hol_contact_event *event);
    void *user;
} hol_contacts;

// A contact at a state; nothing acts where an event has switched it off.
void hol_contact_at(const hol_model_data *m, const hol_element *e, const hol_state *x,
                    hol_contact_state *out);
// Shapes that are no farther from touching than this, or no deeper, touch [m].
double hol_contact_touch(const hol_model_data *m);
// How fast the shapes of a contact go apart faster and faster, by the accelerations of the state [m/s^2].
double hol_contact_parting(const hol_model_data *m, const hol_element *e, const hol_state *x);
// An event has switched a contact: off, it has no memory and no stretched bristle; on, it holds what it finds, coming at the speed it has there.
void hol_contact_switch(const hol_equations *s, hol_state *x, const hol_element *e);
// The natural depth of a contact of this reduced mass on an island, in the norm of errors [m]: as expected, but for what is light beside the
// other contacts of the island, or beside what moves it. So touching balls, which wait for a blow, do not keep steps short.
double hol_contact_natural(const hol_element *e, const hol_groups *g, const hol_island *o, double mass,
                           double expected);
// An error where a ball touches one line, arc or curve in two places at once, of which one alone would push. when: a word for messages.
hol_status hol_contacts_touch_once(hol_context *ctx, const hol_model_data *m, const hol_state *x,
                                   const char *when);
// *c: all 0, or left: then those that last do so, and what all of them have taken goes on.
hol_status hol_contacts_create(hol_integrator *it, hol_contacts *c);
// The equations go; what was summed stays.
void hol_contacts_leave(hol_contacts *c);
void hol_contacts_destroy(hol_contacts *c);
// The state was given from outside: which of them last there is put into its memory and, unless that is known, at which speed they came. Then, where all is well: those that lasted in the state
// before end there, and those that last in this one begin.
void hol_contacts_place(hol_contacts *c, bool known);
hol_status hol_contacts_move(hol_contacts *c, const hol_state *before);
// Before a step: where a method that begins with order 1 begins anew, the norm of errors knows the gaps that close soon.
void hol_contacts_foresee(hol_contacts *c);
// After a step, which ends where a contact begins or ends. An error where one is deeper than it may be.
hol_status hol_contacts_look(hol_contacts *c);
// The last step ends at a state in it instead; it has not been cut yet.
hol_status hol_contacts_cut(hol_contacts *c, const hol_state *x);
// The run ends: those that last are told.
hol_status hol_contacts_finish(hol_contacts *c);
// Sums of the contact that is this element, from the start of the run to a time within the last step. c NULL: 0.
void hol_contacts_sums(const hol_contacts *c, int element, double t, double sum[HOL_CONTACT_SUMS]);
// The same of all contacts.
void hol_contacts_total(const hol_contacts *c, double t, double sum[HOL_CONTACT_SUMS]);
void hol_contacts_archive(hol_contacts *c, hol_archive *a);

#endif
