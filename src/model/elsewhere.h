// Words that users know from other programs, and what to write here instead.
#ifndef HOL_ELSEWHERE_H
#define HOL_ELSEWHERE_H

// where: "joint", "driver", "force", .. for types, the same with ".key" for keys; NULL: anywhere. NULL: not such a word.
const char *hol_elsewhere(const char *where, const char *word);

#endif
