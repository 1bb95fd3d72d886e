// An XML text as a tree of elements, each with its position, which remembers what has been asked for: the rest was not understood.
#ifndef HOL_XML_H
#define HOL_XML_H

#include "base/base.h"

enum { HOL_XML_DEEPEST = 200 }; // elements inside each other

typedef struct hol_xml {
    const char *name;
    hol_src at;         // of its '<'
    int n;              // attributes
    const char **key;   // (n)
    const char **value; // (n)
    bool *asked;        // (n)
    const char *text;   // without blanks at both ends; "": none
    bool taken, text_asked;
    struct hol_xml *parent, *first, *last, *next; // around it; within it; behind it in the same one
} hol_xml;

// Parses `length` bytes; `name` stands in messages. Nothing but the text is read: it is refused where it declares a document type, which
// is where entities come from.
//   HOL_ERR_MODEL with position: malformed XML (expat's problem text), a document type, elements deeper than HOL_XML_DEEPEST, a text
//   longer than 64 MB, an encoding that expat does not know.
hol_status hol_xml_parse(hol_context *ctx, hol_arena *arena, const char *name, const char *text,
                         size_t length, hol_xml **root);
// The value of an attribute, which counts as asked for; NULL: absent.
const char *hol_xml_get(hol_xml *e, const char *key);
// The first element of this name within e, behind `after` (NULL: from the first), which counts as taken; NULL: there is none.
hol_xml *hol_xml_next(hol_xml *e, const char *name, hol_xml *after);
hol_xml *hol_xml_find(hol_xml *e, const char *name); // the first one
const char *hol_xml_text(hol_xml *e);                // its text, which counts as asked for

#endif
