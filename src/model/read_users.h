// Private to the readers of users' own equations, a file each: tables of keys, lists, equations added to the spec.
#ifndef HOL_READ_USERS_H
#define HOL_READ_USERS_H

#include "model/read.h"

// What the keys of dry friction have to do with each other, of joints and of contacts.
#define HOL_FRICTION_RULES                                                                                   \
    {HOL_GOES_WITH, "static|stribeck", "how fast does it fall from rest to sliding? give stribeck", NULL},   \
        {HOL_GOES_WITH, "stribeck|static", "stribeck goes with static", NULL},                               \
        {HOL_NOT_BOTH, "transition|stiffness", "with a transition there is no bristle that has a stiffness", \
         NULL},                                                                                              \
    {                                                                                                        \
        HOL_NOT_BOTH, "transition|damping", "with a transition there is no bristle that has a damping", NULL \
    }

// The first two keys of every item; its own follow. word: HOL_IDENTIFIER if the name stands in expressions, or 0.
// clang-format off
#define HOL_NAMED_KEYS(word) \
    {"name", HOL_NAME, "", 0, 0, 0, HOL_REQUIRED | (word), NULL, "name: letters, digits and _; {i} stands for a loop index"}, \
    {"for", HOL_LOOPS, "", 0, 0, 0, 0, NULL, "loop: i in first..last, or a list of loops"},
// clang-format on
enum { HOL_OWN_KEYS = 2 };

// A key whose value is one thing, or a list of things: how many, and the i-th of them.
int hol_entry_length(const hol_node *item, const char *key);
const hol_node *hol_entry_item(const hol_node *entry, int i);

// e without its path, which is made here.
hol_status hol_push_equation(hol_spec *spec, const hol_reader *r, const hol_path *path, hol_spec_equation e);
// Names of outputs and states become those that they have in the model.
hol_status hol_name_outputs(const hol_reader *r, hol_value *names);
// Inputs of a block as variables name_u1, name_u2, ...; their names are made by the first.
hol_status hol_input_names(const hol_reader *r, const char *name, int n, const char ***out);
hol_status hol_push_inputs(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                           hol_src name_at, const hol_value *inputs, const char *const *name);

// The names that an item adds to expressions, learnt before any of these is read.
hol_item_fn hol_know_name, hol_know_transfer, hol_know_space, hol_know_code;
// A name that expressions are to have is an identifier that means nothing else.
hol_status hol_check_known(const hol_spec *spec, const hol_reader *r, const hol_node *at,
                           const hol_path *path, const char *name);
// `unit:` of an item: how many SI units it is, and what is known of it.
hol_status hol_read_own_unit(const hol_reader *r, const hol_node *node, const hol_path *up, hol_constant *out,
                             const char **text);
// `tunable:`, the names of parameters.
hol_status hol_know_tunable(hol_spec *spec, const hol_node *list);

// Coefficients of s^n .. s^0 under this key, and entries of A, B, C, D: do those with a unit fit each other?
hol_status hol_check_coefficients(const hol_reader *r, const hol_node *item, const hol_path *up,
                                  const char *key);
hol_status hol_check_space_units(const hol_reader *r, const hol_node *item, const hol_path *path, int nx,
                                 int nu, int ny);

// Dimensions of the names known now (hol_known.nature), and of one of them; unknown: loose.
hol_status hol_learn_natures(hol_spec *spec, const hol_node *root);
hol_nature hol_known_nature(const hol_known *known, const char *name);
// Of a parameter that events set: it is without a unit, all its values are, and so they are in the units of the file.
bool hol_is_plain_held(hol_nature n);
// Of a state whose rate has the nature n: times 1; of the rate of such a state: -1.
hol_nature hol_nature_of_rate(hol_nature n, int times);
// n stands where `wanted` is, "that" or "the rate" of the name: are both of one dimension? Who writes no unit is not asked.
hol_status hol_check_nature(const hol_reader *r, const hol_node *node, const hol_path *path, hol_nature n,
                            hol_nature wanted, const char *what, const char *name);
// The same of a number under this key, which is of the dimension of the name; node NULL: it is not given.
hol_status hol_check_named(const hol_reader *r, const hol_node *node, const hol_path *path, const char *key,
                           const char *name);

#endif
