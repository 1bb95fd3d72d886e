// What holonom chooses for the person who does not: method, tolerance, the time between rows (docs/theory.md, section
// 16.3), and one sentence that says so.
#include "analysis/defaults.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double hol_default_output(double end)
{
    static const double nice[] = {5, 2, 1};
    const double most = end / HOL_DEFAULT_ROWS * (1 + 1e-9), decade = pow(10, floor(log10(most)));
    for (size_t i = 0; i < HOL_COUNT(nice); i++)
        if (nice[i] * decade <= most) return nice[i] * decade;
    return decade;
}

// "rk (order 8, joints), because ..."
static int method_text(const hol_dynamics *d, char *text, size_t size)
{
    char form[80];
    const hol_method *method = d->set.method;
    if (d->stats.chosen)
        hol_decimal_print(form, sizeof form, "%s", d->stats.chosen);
    else
        hol_decimal_print(form, sizeof form, method->orders ? "orders 1 to %d" : "order %d", method->order);
    return hol_decimal_print(text, size, "%s (%s), because %s", method->name, form, d->because);
}

void hol_defaults_tell(hol_dynamics *d)
{
    char *text = d->stats.defaults;
    const size_t size = sizeof d->stats.defaults;
    int n = 0;
    *text = 0;
    if (*d->because) n = method_text(d, text, size);
    if (d->set.step <= 0 && !d->set.tolerance_given && (size_t)n < size)
        n +=
            hol_decimal_print(text + n, size - (size_t)n, "%stolerance %.1g%s", n ? "; " : "",
                              d->set.tolerance, d->cautious ? ", for small errors grow with the motion" : "");
    if (d->n_sinks && d->set.output > 0 && !d->set.output_given && (size_t)n < size)
        hol_decimal_print(text + n, size - (size_t)n, "%sa row every %.4g s", n ? "; " : "", d->set.output);
}
