// The contacts of a run as a text, a line each.
#ifndef HOL_CONTACTS_FILE_H
#define HOL_CONTACTS_FILE_H

#include "analysis/dynamics.h"

// A column of numbers of this table: its name, its unit, and where it is in a contact.
typedef struct hol_contact_column {
    const char *name, *unit, *doc;
    size_t offset;
} hol_contact_column;
extern const hol_contact_column hol_contact_columns[];
extern const int hol_n_contact_columns;
double hol_contact_number(const hol_contact_event *e, int column);

// A sink that adds a line for each contact that ends.
hol_status hol_contacts_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out);

#endif
