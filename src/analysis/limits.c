// What limited the steps, in words.
#include "base/base.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *key, *word;
} names[HOL_LIMITS] = {[HOL_LIMIT_ERROR] = {"error", "error"},
                       [HOL_LIMIT_FAILURE] = {"failed_attempts", "failed attempts"},
                       [HOL_LIMIT_MAX_STEP] = {"max_step", "max_step"},
                       [HOL_LIMIT_STOP] = {"end", "end"},
                       [HOL_LIMIT_FIXED] = {"fixed_step", "fixed step"},
                       [HOL_LIMIT_EVENT] = {"event", "event"},
                       [HOL_LIMIT_POSE] = {"singular_pose", "singular pose"},
                       [HOL_LIMIT_STABILITY] = {"stability", "stability"}};

const char *hol_limit_key(int limit) { return limit >= 0 && limit < HOL_LIMITS ? names[limit].key : NULL; }

// "error 1985 (99.9 %)"
static void item(const hol_statistics *s, int limit, char *text, size_t size)
{
    const bool newton = limit == HOL_LIMIT_FAILURE && s->newton_iterations;
    const double share = 100 * (double)s->limited[limit] / (double)s->steps;
    const char *word = newton ? "Newton" : names[limit].word;
    if (share < 0.1)
        snprintf(text, size, "%s %ld (< 0.1 %%)", word, s->limited[limit]);
    else
        hol_decimal_print(text, size, "%s %ld (%.*f %%)", word, s->limited[limit],
                          share < 99.95 && s->steps > 100, share);
}

void hol_limits_text(const hol_statistics *s, char *text, size_t size)
{
    if (!text || size == 0) return;
    *text = 0;
    if (!s) return;
    bool told[HOL_LIMITS] = {false};
    size_t n = 0;
    *text = 0;
    for (;;) {
        int most = -1;
        for (int i = 0; i < HOL_LIMITS; i++)
            if (!told[i] && s->limited[i] > (most < 0 ? 0 : s->limited[most])) most = i;
        if (most < 0) return;
        told[most] = true;
        char one[80];
        item(s, most, one, sizeof one);
        n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", one);
        if (n >= size) return;
    }
}
