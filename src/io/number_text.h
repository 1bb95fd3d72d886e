// Numbers as text that reads back as the same bits.
#ifndef HOL_NUMBER_TEXT_H
#define HOL_NUMBER_TEXT_H

// Shortest decimal text that reads back as the same number; returns its length (at most 31).
int hol_number_text(double x, char out[32]);

#endif
