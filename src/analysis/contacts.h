// The contacts of a run: each from its onset to its end, and what all of them have taken. docs/theory.md, section 23.
#ifndef HOL_ANALYSIS_CONTACTS_H
#define HOL_ANALYSIS_CONTACTS_H

#include "element/contact.h"
#include "integrator/integrator.h"

// A contact while it lasts; all 0 before.
typedef struct hol_touch {
    double lasts;   // 1: it does; -1: an event has switched it off
    double onset;   // [s]
    double speed;   // of the approach [m/s]; 0: it has not come, the run or the equations began in it
    double steps;   // so far
    double deepest; // and how deep it was, or could be from its beginning on [m]
} hol_touch;

typedef struct hol_contacts {
    hol_integrator *it;
    int n;
    int *element;     // of the model                                              (n)
    hol_touch *touch; // the present or the last one of each                       (n)
    int n_touch;      // that many, also between two methods
    hol_state inside; // of the step
    double onsets;
    double depth;                      // largest of all [m]
    double lost_damping, lost_rubbing; // of all [J]
} hol_contacts;

// A contact at a state; nothing acts where an event has switched it off.
void hol_contact_at(const hol_model_data *m, const hol_element *e, const hol_state *x,
                    hol_contact_state *out);
// *c: all 0, or destroyed: then what all of them have taken goes on, and contacts that last do.
hol_status hol_contacts_create(hol_integrator *it, hol_contacts *c);
void hol_contacts_destroy(hol_contacts *c);
// After it: the contacts that last are no longer known.
void hol_contacts_forget(hol_contacts *c);
// The state was given from outside: which of them last there is put into its memory and, unless that is known, at which speed they came.
void hol_contacts_place(hol_contacts *c, bool known);
// After a step, which ends where a contact begins or ends. An error where one is deeper than it may be.
hol_status hol_contacts_look(hol_contacts *c);
void hol_contacts_archive(hol_contacts *c, hol_archive *a);

#endif
