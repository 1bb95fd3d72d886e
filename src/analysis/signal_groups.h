// Between the columns that results may have (signal_groups.c) and requests for them (signals.c).
#ifndef HOL_SIGNAL_GROUPS_H
#define HOL_SIGNAL_GROUPS_H

#include "analysis/signals.h"

typedef struct hol_column_name {
    const char *name, *unit, *doc;
    hol_had had;
} hol_column_name;

typedef struct hol_column_list {
    const hol_column_name *name;
    int n;
} hol_column_list;

// A list of all names of an array.
#define HOL_COLUMNS(names)                                                                                   \
    {                                                                                                        \
        names, HOL_COUNT(names)                                                                              \
    }

// How a row between steps has a column: a word for the manual, and what has to be found for it.
typedef struct hol_signal_way_row {
    const char *word;
    unsigned needs; // HOL_NEED_..
} hol_signal_way_row;
extern const hol_signal_way_row hol_signal_ways[]; // by hol_had

// How a column depends on accelerations, multipliers, users' unknowns and inputs, all else being what it is.
typedef enum hol_bend {
    HOL_BEND_NONE,  // linearly
    HOL_BEND_ROOT,  // as the length of a vector that does so linearly
    HOL_BEND_STEPS, // its changes are jumps
    HOL_BEND_OTHER
} hol_bend;

// Things with names that have columns.
typedef struct hol_signal_objects {
    int (*count)(const hol_model_data *m);
    const char *(*name)(const hol_signals *g, int i); // "": it has none of its own; NULL: no memory
    int (*find)(const hol_signals *g, char *name);    // -1: none; the name may be cut meanwhile
    bool of_elements;                                 // they are elements of the model
} hol_signal_objects;
extern const hol_signal_objects hol_signal_elements, hol_signal_users, hol_signal_markers,
    hol_signal_contacts,
    hol_signal_sums; // of contacts: of a rule, or of two shapes

// Columns of the same names for one object or for many. A row of the table and its functions are all that a group is.
struct hol_signal_group {
    const char *name, *doc;            // "energy", and what the manual says; NULL: the objects have names
    const hol_signal_objects *objects; // NULL: none, the group stands for itself
    hol_column_list list;
    hol_column_list (*columns)(const hol_model_data *m, int object); // instead of `list`, where they differ
    hol_status (*begin)(hol_signals *g);                             // once, if there are such columns
    hol_status (*update)(hol_signals *g);                            // before the values of a row
    void (*value)(hol_signals *g, int object, double *out);          // of all its columns, at g->x
    hol_bend (*bend)(int component);                                 // of its columns; NULL: they are linear
    hol_status (*add)(hol_signals *g); // columns of other groups, none of its own
    void (*unit)(const hol_model_data *m, int object,
                 hol_column *c);                           // of what the model says in which it is shown
    bool by_name_only;                                     // not among all signals
    bool (*is_extra)(const hol_model_data *m, int object); // nor are these; NULL: none
    bool driven_by_name_only; // of elements: nor are those with inputs, which the file or variables give
    bool may_fail;            // NaN says that there is no value
    bool acts;                // of elements: what they act with, which of forces needs what their inputs do
    bool reaction;            // of elements: what acts at an end, by components, or the multiplier
    bool scalar;              // of elements: not by components, but it follows from the reaction
    bool whole;               // of elements: what the name of one alone stands for, where it has such columns
    bool also;                // of elements: it too, behind what else the name of one alone stands for
    int ends;                 // of elements: those with so many ends
};
extern const hol_signal_group hol_signal_groups[]; // in the order of the columns
extern const int hol_n_signal_groups;

hol_column_list hol_signal_columns(const hol_signals *g, const hol_signal_group *group, int object);
int hol_signal_count(const hol_signals *g, const hol_signal_group *group); // of its objects
bool hol_signal_has_columns(const hol_signals *g, const hol_signal_group *group, int object);
// "": the object has no such columns; NULL: no memory.
const char *hol_signal_name(const hol_signals *g, const hol_signal_group *group, int object);

// The names of users' equations, states and inputs, for the search; once.
hol_status hol_signals_name_users(hol_signals *g);

// Columns of an object: all, or `only` the one of that name. head: the object's name, NULL: no memory. HOL_RECOVERABLE: there is no
// such column.
hol_status hol_signals_add(hol_signals *g, const hol_signal_group *group, int object, const char *head,
                           const char *only);

// Contacts and their sums (signal_contacts.c).
extern const hol_column_list hol_columns_of_contacts_in_space;
hol_column_list hol_columns_of_contact(const hol_model_data *m, int k);
hol_column_list hol_columns_of_contact_sum(const hol_model_data *m, int k);
void hol_contact_values(hol_signals *g, int k, double *out);
hol_bend hol_contact_bend(int component);
void hol_contact_sum_values(hol_signals *g, int k, double *out);
bool hol_contact_sum_is_of_pair(const hol_model_data *m, int k); // what contacts and rules say too

#endif
