// Units in which results are shown: those that `units: {output: ..}` chooses take the place of m, kg, s, rad and N in the SI unit of a
// signal.
#include "model/shown.h"

#include <stdlib.h>
#include <string.h>

static const char *const si_names[HOL_BASES] = {"m", "kg", "s", "rad", "N"};

static int base_of(const char *name, size_t length)
{
    for (int i = 0; i < HOL_BASES; i++)
        if (strlen(si_names[i]) == length && strncmp(si_names[i], name, length) == 0) return i;
    return -1;
}

static size_t letters(const char *text)
{
    size_t n = 0;
    while ((text[n] >= 'A' && text[n] <= 'Z') || (text[n] >= 'a' && text[n] <= 'z')) n++;
    return n;
}

hol_status hol_unit_shown(hol_arena *arena, const hol_output_units *chosen, const char *unit,
                          const char **shown, double *factor)
{
    const char *text = "";
    long double per_si = 1;
    int sign = 1;
    for (const char *p = unit; *p && text;) {
        const size_t n = letters(p);
        const int base = n ? base_of(p, n) : -1;
        if (*p == '/') sign = -1;
        if (base >= 0 && chosen->name[base]) {
            const long power = p[n] == '^' ? strtol(p + n + 1, NULL, 10) : 1;
            for (long k = 0; k < labs(power); k++)
                per_si = (power > 0) == (sign > 0) ? per_si / chosen->si[base] : per_si * chosen->si[base];
            text = hol_arena_print(arena, "%s%s", text, chosen->name[base]);
        } else
            text = hol_arena_print(arena, "%s%.*s", text, n ? (int)n : 1, p);
        p += n ? n : 1;
    }
    *shown = text;
    *factor = (double)per_si;
    return text ? HOL_OK : HOL_ERR_MEMORY;
}
