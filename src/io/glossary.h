// Terms that the program prints, each in a sentence or two of plain English; `holonom elements` explains them.
#ifndef HOL_GLOSSARY_H
#define HOL_GLOSSARY_H

typedef struct hol_term {
    const char *names; // separated by ", ", the first is the one to use
    const char *text;
} hol_term;

extern const hol_term hol_terms[]; // names NULL at the end

// Words of what `check`, summaries of runs and warnings print; the lists stand beside these texts, NULL at the end. All are terms.
extern const char *const hol_check_words[];
extern const char *const hol_summary_words[];

#endif
