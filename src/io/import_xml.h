// Values of XML files that are imported, and what of these has not been read.
#ifndef HOL_IMPORT_XML_H
#define HOL_IMPORT_XML_H

#include "io/import.h"

// The element within another one that must be there.
hol_status hol_import_need(hol_import *in, hol_xml *e, const char *name, hol_xml **out);
// The text of an attribute that must be there and not empty.
hol_status hol_import_word(hol_import *in, hol_xml *e, const char *key, const char **out);
// n finite numbers with blanks between them; what is not there, and need not be, leaves out as it is.
hol_status hol_import_vector(hol_import *in, hol_xml *e, const char *key, int n, bool required, double *out);
hol_status hol_import_numbers_of(hol_import *in, hol_src at, const char *key, const char *text, int n,
                                 double *out);
// The same of at most so many; *n: how many there are.
hol_status hol_import_some(hol_import *in, hol_src at, const char *key, const char *text, int most,
                           double *out, int *n);
// Makes a direction one of length 1. what: of messages.
hol_status hol_import_direction(hol_import *in, hol_src at, const char *what, double axis[3]);
// "#rrggbb" of three numbers from 0 to 1.
hol_status hol_import_color(hol_import *in, const double rgb[3], const char **text);
// A mesh as a shape: its file and its unit, where it is there and drawn the same in all directions; *kept false: it is not, which is told.
hol_status hol_import_mesh(hol_import *in, hol_src at, const char *name, const char *address,
                           const double scale[3], const char **file, double *unit, bool *kept);
// A file that an address names, as it is called beside the one that is imported. *why: the reason, told of all such files, why it cannot
// stand in a model; NULL: it can.
hol_status hol_import_file(hol_import *in, const char *address, const char **file, const char **why);

// Elements that have no part in the motion, and what is told of them.
typedef struct hol_import_known {
    const char *element, *what;
} hol_import_known;
// Elements, attributes and texts that nothing has asked for. What is not known may move the mechanism.
hol_status hol_import_tell_unread(hol_import *in, hol_xml *root, const hol_import_known *known);

#endif
