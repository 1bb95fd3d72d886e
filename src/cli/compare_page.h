// compare --report: work against precision as one web page that needs nothing else.
#ifndef CLI_COMPARE_PAGE_H
#define CLI_COMPARE_PAGE_H

#include "holonom_compare.h"

#include <stdio.h>

void cli_compare_page(const hol_race *r, FILE *f);

#endif
