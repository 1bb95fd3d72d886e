// Announcements that are refused when the library is loaded.
#include <holonom_user.h>

#include <stdio.h>

static int eval(const hol_user_instance *me, double t, const double *u, const double *x, double *y,
                double *dx, char *message)
{
    (void)t, (void)u, (void)x, (void)message;
    for (int i = 0; i < me->n_outputs; i++) y[i] = 0;
    for (int i = 0; i < me->n_states; i++) dx[i] = 0;
    return HOL_USER_OK;
}

// Without a reason; what it made must not be destroyed.
static int silent(const hol_user_instance *me, void **data, char *message)
{
    (void)me, (void)data, (void)message;
    return HOL_USER_ERROR;
}

static int refuse(const hol_user_instance *me, void **data, char *message)
{
    (void)data;
    snprintf(message, HOL_USER_MESSAGE, "the stiffness must be\npositive, it is %g", me->p[0]);
    return HOL_USER_ERROR;
}

static void never(void *data) { *(volatile int *)data = 1; }

HOL_USER_CODE(of_another_version) = {.header = {HOL_USER_ABI + 1, sizeof(hol_user_code)}, .eval = eval};
HOL_USER_CODE(without_header) = {.eval = eval};
HOL_USER_CODE(too_large) = {.header = {HOL_USER_ABI, sizeof(hol_user_code) + 8}, .eval = eval};
HOL_USER_CODE(too_small) = {.header = {HOL_USER_ABI, sizeof(hol_user_header)}, .eval = eval};
HOL_USER_CODE(without_eval) = {.header = HOL_USER_HEADER};
HOL_USER_CODE(unknown_flags) = {.header = HOL_USER_HEADER, .flags = 6, .eval = eval};
HOL_USER_CODE(count) = {.header = HOL_USER_HEADER, .n_outputs = -2, .eval = eval};
HOL_USER_CODE(refusing) = {
    .header = HOL_USER_HEADER, .n_parameters = 1, .init = refuse, .destroy = never, .eval = eval};
HOL_USER_CODE(silent_one) = {
    .header = HOL_USER_HEADER, .n_parameters = HOL_USER_ANY, .init = silent, .destroy = never, .eval = eval};

static const double zero[] = {1, 0};
HOL_USER_CODE(size_of_zero) = {.header = HOL_USER_HEADER, .n_inputs = 2, .input_size = zero, .eval = eval};
HOL_USER_CODE(sizes_of_any) = {
    .header = HOL_USER_HEADER, .n_states = HOL_USER_ANY, .state_size = zero, .eval = eval};
