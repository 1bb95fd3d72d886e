// Characters of UTF-8, and which of them may stand in a text.
#ifndef HOL_CHARACTERS_H
#define HOL_CHARACTERS_H

#include "base/base.h"
#include <stdint.h>

enum { HOL_UTF8_MOST = 4 }; // bytes of a character
// The bytes of the UTF-8 character at s, 0 if it is none; its code point goes to *code. RFC 3629, section 4.
int hol_utf8_decode(const char *s, size_t left, uint32_t *code);
// YAML 1.1, section 4.1.1: what may stand in a text as it is; not the marks of index braces (braces.h).
bool hol_is_printable(uint32_t c);
// Does it end a line? YAML 1.1, section 4.1.4; libyaml counts its lines by them.
bool hol_is_break(uint32_t c);

// How many bytes of a text, from the first on, may stand in it: all of them, or `why` says what the next one is, and *coded
// whether it is UTF-8.
enum { HOL_CHARACTER_WHY = 60 };
size_t hol_text_good(const char *text, size_t length, char why[HOL_CHARACTER_WHY], bool *coded);

// "a" or "an", before a type or a shape of model files: with u they are universal alone.
const char *hol_article(const char *noun);

#endif
