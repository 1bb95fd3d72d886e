// The page that viewer/ builds (make page), as it is, in the library.
#include "io/report_page.h"

__asm__(".section .rodata\n"
        ".globl hol_report_page\n"
        ".hidden hol_report_page\n"
        "hol_report_page:\n"
        ".incbin \"viewer/report.html\"\n"
        ".byte 0\n"
        ".previous\n");
