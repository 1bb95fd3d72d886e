// Words that users know from other programs, and what to write here instead.
#ifndef HOL_ELSEWHERE_H
#define HOL_ELSEWHERE_H

// where: "joint", "driver", "force", .. for types, "joints", "bodies", .. for the keys of their items, "model" for those of the
// file, "method" for integrators, "joints.motor" for keys of what an item has, else the key whose choice it would be, behind that of its object: "friction.law"; NULL: anywhere. NULL: not such a word.
const char *hol_elsewhere(const char *where, const char *word, int dimension);
// The key, if that is what the word of another program is called here; else NULL.
const char *hol_called_here(const char *word, const char *key);

#endif
