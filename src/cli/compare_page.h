// compare --report: work against precision as one web page that needs nothing else.
#ifndef CLI_COMPARE_PAGE_H
#define CLI_COMPARE_PAGE_H

#include "cli/race.h"

#include <stdio.h>

void cli_compare_page(const cli_race *r, FILE *f);

#endif
