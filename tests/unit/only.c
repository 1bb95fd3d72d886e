// In every test program: ONLY=name runs that test alone. name may have * and ?.
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

__attribute__((constructor)) static void only(void)
{
    const char *name = getenv("ONLY");
    if (name && name[0]) cmocka_set_test_filter(name);
}
