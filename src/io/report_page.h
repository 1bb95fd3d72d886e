// The empty report page, with <!--TITLE-->, <!--HEAD--> and <!--DATA--> where these belong, in this order.
#ifndef HOL_REPORT_PAGE_H
#define HOL_REPORT_PAGE_H

extern const char hol_report_page[] __attribute__((visibility("hidden"))); // ends with a 0

#endif
