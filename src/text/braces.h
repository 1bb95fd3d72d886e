// Index braces in names: crank{i+1}.tip.
//
// YAML ends a plain scalar inside [..] or {..} at a brace, so `[ground, crank{i}.foot]` would not be readable. A brace
// that follows a name character directly, and closes on the same line, never means a map: such pairs are hidden from
// the YAML parser behind two private characters of the same column width, and put back in every scalar.
#ifndef HOL_BRACES_H
#define HOL_BRACES_H

#include "base/base.h"

// A copy of the text with index braces hidden; *length_out bytes, to be freed with hol_free. NULL: no memory.
char *hol_braces_hide(hol_context *ctx, const char *text, size_t length, size_t *length_out);
// Puts them back, in place; the text becomes shorter.
void hol_braces_restore(char *text);
bool hol_braces_marked(const char *text); // has it such a character?
bool hol_braces_after(char before);       // is a brace behind this character one of an index?

#endif
