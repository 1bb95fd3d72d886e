// Reference pages for people, as plain text for a terminal or as Markdown: headings, paragraphs, examples, tables.
#ifndef HOL_PAGE_H
#define HOL_PAGE_H

#include "base/option.h"

enum { HOL_PAGE_COLUMNS = 4, HOL_PAGE_ROWS = 256, HOL_PAGE_TEXT = 32768 };

typedef struct hol_page {
    hol_text_form form;
    hol_print_fn print;
    void *user;
    int margin; // of paragraphs
    int n_rows; // of the table being filled
    const char *
        wanted; // NULL: all is printed; else what has this name, in any case, and all of a section that has it
    const char *printed;  // what has been printed in full before, and is not repeated; NULL: nothing
    int whole;            // level of the section that is printed whole, 0: none
    bool found;           // something has been printed
    const char *above[4]; // headings not printed yet, by level
    hol_nearest nearest;  // to what is wanted
    char best[64];        // its name
    const char *cell[HOL_PAGE_ROWS][HOL_PAGE_COLUMNS];
    size_t used;
    char text[HOL_PAGE_TEXT]; // of the cells
} hol_page;

void hol_page_start(hol_page *p, hol_text_form form, hol_print_fn print, void *user);
// From now on only what has this name is printed (p->found says whether anything was); NULL: all again.
void hol_page_find(hol_page *p, const char *wanted);
// Level 1: the page, 2: a section, 3: one type; `note` stands beside a heading of level 3, "" for none.
void hol_page_heading(hol_page *p, int level, const char *text, const char *note);
void hol_page_paragraph(hol_page *p, const char *text);
void hol_page_example(hol_page *p, const char *text); // lines that are kept as they are

// A table: any number of rows, then the column titles, which only Markdown shows. The first column is code, the last
// one is wrapped. Titles: HOL_PAGE_COLUMNS or fewer, NULL after the last.
void hol_page_row(hol_page *p, const char *a, const char *b, const char *c, const char *d);
void hol_page_table(hol_page *p, const char *const titles[HOL_PAGE_COLUMNS]);

// Rows of an option table. `dimension` 2 or 3 leaves away what the other one has; 0: all, with a remark.
void hol_page_options(hol_page *p, const hol_option *table, int dimension);
void hol_page_option_table(hol_page *p); // ends the table of such rows

#endif
