// The smallest program against an installed library.
#include <holonom.h>

int main(void)
{
    hol_context *ctx = hol_context_create();
    if (!ctx) return 1;
    hol_context_destroy(ctx);
    return 0;
}
