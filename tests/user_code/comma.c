// Sets a locale with a decimal comma in the middle of a run, COMMA=process or thread, and fails where there is none: a test
// that finds no comma must not pass. The locale is in the folder COMMA_IN; LOCPATH itself would make the C++ library leak.
#include <holonom_user.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static locale_t own;

static int set_comma(const char *whose)
{
    setenv("LOCPATH", getenv("COMMA_IN"), 1);
    if (own) return uselocale(own) != (locale_t)0;
    if (!setlocale(LC_NUMERIC, "comma")) return 0;
    if (strcmp(whose, "process") == 0) return 1;
    own = duplocale(LC_GLOBAL_LOCALE);
    setlocale(LC_NUMERIC, "C"); // that of the thread alone has it
    return own && uselocale(own);
}

__attribute__((destructor)) static void give_back(void)
{
    if (!own) return;
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(own);
}

static int eval(const hol_user_instance *me, double t, const double *u, const double *x, double *y,
                double *dx, char *message)
{
    const char *whose = getenv("COMMA");
    (void)me, (void)t, (void)x, (void)dx;
    y[0] = -0.5 * u[0];
    if (!whose || set_comma(whose)) return HOL_USER_OK;
    strcpy(message, "there is no locale with a decimal comma");
    return HOL_USER_ERROR;
}

HOL_USER_CODE(comma) = {
    .header = HOL_USER_HEADER, .n_inputs = 1, .n_outputs = 1, .n_states = 0, .n_parameters = 0, .eval = eval};
