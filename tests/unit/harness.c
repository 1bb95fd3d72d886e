#include "harness.h"

#include <math.h>
#include <string.h>

hol_context *ctx;

int start(void **state)
{
    (void)state;
    ctx = hol_context_create();
    return ctx ? 0 : -1;
}

int stop(void **state)
{
    (void)state;
    hol_context_destroy(ctx);
    return 0;
}

void near(const char *what, double have, double want, double allowed)
{
    if (fabs(have - want) <= allowed) return;
    fail_msg("%s: %.17g, must be %.17g +- %.2g", what, have, want, allowed);
}

void expect_message(const char *words)
{
    if (!strstr(hol_context_error(ctx), words))
        fail_msg("\"%s\", must say \"%s\"", hol_context_error(ctx), words);
}

double random_in(hol_random *dice, double lo, double hi)
{
    return lo + (hi - lo) * 0.5 * (1 + hol_random_uniform(dice));
}

int split(char *text, const char **set, int most)
{
    int n = 0;
    char *save;
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        assert_true(n < most);
        set[n++] = word;
    }
    return n;
}
