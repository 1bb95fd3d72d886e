// SENSOR of Adams: an event where its function passes a value, which ends the run or is told.
#include "io/import_adm.h"

// Where f - VALUE passes through 0: rising of GE, falling of LE, either way of EQ. What it does to Adams' integrator has no part here.
hol_status hol_adm_sensor(hol_adm *a, hol_adm_statement *s)
{
    static const char *const settings[] = {"CODGEN",     "RESTART",   "STEPSIZE", "YYDUMP",
                                           "TIME_ERROR", "BISECTION", "PRINT"};
    double value = 0, error = 0;
    hol_adm_function f;
    hol_adm_arg *arg = hol_adm_need(a, s, "FUNCTION"), *dt = hol_adm_get(s, "DT");
    const bool up = hol_adm_has(s, "GE"), down = hol_adm_has(s, "LE"), both = hol_adm_has(s, "EQ"),
               halts = hol_adm_has(s, "HALT"), ends = hol_adm_has(s, "RETURN") || halts;
    if (!arg || !hol_adm_need(a, s, "VALUE")) return HOL_ERR_MODEL;
    if (up + down + both > 1)
        return hol_fail_at(a->in->ctx, HOL_ERR_MODEL, s->at, "%s: keep one of EQ, GE, LE",
                           hol_adm_title(a, s));
    for (int i = 0; i < HOL_COUNT(settings); i++) hol_adm_has(s, settings[i]);
    hol_status st = hol_adm_numbers(a, s, "VALUE", 1, 1, &value);
    if (!st) st = hol_adm_numbers(a, s, "ERROR", 1, 1, &error);
    if (!st) st = hol_adm_take(a, arg, &f);
    if (!st && dt)
        st = hol_import_tell(a->in, HOL_TOLD_LEFT_OUT, dt->at, NULL,
                             "intervals of output that a SENSOR changes", "");
    if (st) return st;
    hol_node *map = hol_adm_item(a, a->events, s, s->own, NULL);
    hol_import_text(a->in, map, "when",
                    value == 0  ? f.text
                    : value < 0 ? hol_adm_print(a, "%s + %.15g", f.text, -value)
                                : hol_adm_print(a, "%s - %.15g", f.text, value));
    if (up || down) hol_import_text(a->in, map, "direction", up ? "rising" : "falling");
    if (ends)
        hol_import_text(a->in, map, "stop", "yes");
    else
        hol_import_text(a->in, map, "print", s->own);
    return hol_import_tell(
        a->in, HOL_TOLD_ASSUMED, s->at, s->own, "sensors",
        "they act where their functions pass VALUE, which is found without an ERROR; what is so "
        "from the start on is no event");
}
