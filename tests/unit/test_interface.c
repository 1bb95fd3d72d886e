// Every public function of holonom.h is called without each of the things it needs: it says so, by status and message, and nothing
// breaks. A function of the header that is missing here fails the test.
#include "interface.h"
#include "harness.h"

#include <math.h>
#include <string.h>
// NULL, and the context says why.
#define NOTHING(call, words) expect_usage(#call, (call) ? HOL_OK : hol_context_status(ctx), words)
// No context: there is nobody to tell but the caller.
#define REFUSED(call) assert_int_equal(call, HOL_ERR_USAGE)

static void print(void *user, const char *text) { *(size_t *)user += strlen(text); }
static void tell(void *user, hol_severity severity, const char *text)
{
    (void)user;
    (void)severity;
    (void)text;
}

// ---- what is missing ------------------------------------------------------------------------------------------

static void context_create(void) { hol_context_destroy(hol_context_create()); }
static void context_destroy(void) { hol_context_destroy(NULL); }
static void context_set_log(void)
{
    hol_context_set_log(NULL, tell, NULL);
    hol_context_set_log(ctx, NULL, NULL);
}
static void context_sandbox(void) { hol_context_sandbox(NULL, 1); }
static void context_cancel(void) { hol_context_cancel(NULL); }
static void context_cancelled(void) { assert_false(hol_context_cancelled(NULL)); }
static void context_error(void) { assert_non_null(strstr(hol_context_error(NULL), "no context")); }
static void context_status(void) { REFUSED(hol_context_status(NULL)); }

static void model_load(void)
{
    static const char *const set[] = {"gravity.0=0", NULL}, *const junk[] = {"", "=", "=="};
    assert_null(hol_model_load(NULL, "models/pendulum.yaml", NULL, 0));
    NOTHING(hol_model_load(ctx, NULL, NULL, 0), "path is NULL");
    NOTHING(hol_model_load(ctx, "models/pendulum.yaml", NULL, 2), "hol_model_load: set is NULL");
    NOTHING(hol_model_load(ctx, "models/pendulum.yaml", set, 2),
            "hol_model_load: one of the texts of set is NULL");
    NOTHING(hol_model_load(ctx, "models/pendulum.yaml", set, -1), "n_set = -1");
    for (int i = 0; i < 3; i++) assert_null(hol_model_load(ctx, "models/pendulum.yaml", junk + i, 1));
    hol_context_clear(ctx);
}
static void model_parse(void)
{
    assert_null(hol_model_parse(NULL, "a", ARM, strlen(ARM), NULL, 0));
    NOTHING(hol_model_parse(ctx, NULL, ARM, strlen(ARM), NULL, 0), "name is NULL");
    NOTHING(hol_model_parse(ctx, "a", NULL, 0, NULL, 0), "text is NULL");
    NOTHING(hol_model_parse(ctx, "a", NULL, 10, NULL, 0), "text is NULL");
    NOTHING(hol_model_parse(ctx, "a", ARM, strlen(ARM), NULL, 1), "hol_model_parse: set is NULL");
    assert_null(hol_model_parse(ctx, "a", "", 0, NULL, 0));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_MODEL);
    hol_context_clear(ctx);
}
static void model_destroy(void) { hol_model_destroy(NULL); }
static void model_keep(void)
{
    REFUSED(hol_model_keep(NULL, model, csv));
    USAGE(hol_model_keep(ctx, NULL, csv), "model is NULL");
    USAGE(hol_model_keep(ctx, model, NULL), "path is NULL");
}
static void uniqueness_word(void)
{
    hol_uniqueness_word((hol_uniqueness)-1);
    hol_uniqueness_word(HOL_UNIQUENESSES);
}
static void check_create(void)
{
    assert_null(hol_check_create(NULL, model));
    NOTHING(hol_check_create(ctx, NULL), "model is NULL");
}
static void model_warn(void)
{
    assert_int_equal(hol_model_warn(NULL, model), HOL_ERR_USAGE);
    assert_int_equal(hol_model_warn(ctx, NULL), HOL_ERR_USAGE);
    assert_int_equal(hol_model_warn(ctx, model), HOL_OK);
}
static void check_destroy(void) { hol_check_destroy(NULL); }
static void check_print(void)
{
    size_t n = 0;
    hol_check *check = hol_check_create(ctx, model);
    hol_check_print(NULL, "a", print, &n);
    hol_check_print(check, "a", NULL, NULL);
    assert_int_equal(n, 0);
    hol_check_print(check, NULL, print, &n);
    hol_check_destroy(check);
}
static void check_print_pairs(void)
{
    size_t n = 0;
    hol_check *check = hol_check_create(ctx, model);
    hol_check_print_pairs(NULL, print, &n);
    hol_check_print_pairs(check, NULL, NULL);
    assert_int_equal(n, 0);
    hol_check_print_pairs(check, print, &n);
    assert_true(n > 0);
    hol_check_destroy(check);
}
static void graph_print(void)
{
    size_t n = 0;
    REFUSED(hol_graph_print(NULL, model, print, &n));
    USAGE(hol_graph_print(ctx, NULL, print, &n), "model is NULL");
    USAGE(hol_graph_print(ctx, model, NULL, &n), "print is NULL");
    assert_int_equal(n, 0);
}
static void simulation_create(void)
{
    assert_null(hol_simulation_create(NULL, model));
    NOTHING(hol_simulation_create(ctx, NULL), "model is NULL");
    // after a load that failed the message says why there is no model
    hol_model *none = hol_model_load(ctx, "models/no_such_model.yaml", NULL, 0);
    NOTHING(hol_simulation_create(ctx, none), "no_such_model.yaml");
    // calls that follow keep that reason, once
    hol_model_load(ctx, "models/no_such_model.yaml", NULL, 0);
    hol_check_create(ctx, none);
    hol_model_warn(ctx, none);
    assert_null(hol_simulation_create(ctx, none));
    const char *reason = strstr(hol_context_error(ctx), "model is NULL; the error before: ");
    assert_non_null(reason);
    assert_null(strstr(reason + strlen("model is NULL"), "is NULL"));
    assert_non_null(strstr(reason, "no_such_model.yaml"));
}
static void simulation_destroy(void) { hol_simulation_destroy(NULL); }
static void simulation_write(void)
{
    REFUSED(hol_simulation_write(NULL, csv));
    USAGE(hol_simulation_write(sim, NULL), "path is NULL");
    USAGE(hol_simulation_write(sim, ""), "");
}
static void simulation_write_contacts(void)
{
    REFUSED(hol_simulation_write_contacts(NULL, csv));
    USAGE(hol_simulation_write_contacts(sim, NULL), "path is NULL");
    USAGE(hol_simulation_write_contacts(sim, html), "the table of contacts is a text");
}
static void contacts_check_name(void)
{
    REFUSED(hol_contacts_check_name(NULL, csv));
    USAGE(hol_contacts_check_name(ctx, NULL), "path is NULL");
}
static void contact_edge_word(void)
{
    assert_null(hol_contact_edge_word(HOL_CONTACT_EDGES, false));
    assert_null(hol_contact_edge_word((hol_contact_edge)-1, true));
}
// Nothing to say, and no room to say it in.
static void text_of(void (*write)(const hol_statistics *s, char *text, size_t size))
{
    char text[4] = "abc";
    write(NULL, text, sizeof text);
    assert_string_equal(text, "");
    write(hol_simulation_statistics(sim), NULL, 10);
    write(hol_simulation_statistics(sim), text, 0);
}
static void contacts_text(void) { text_of(hol_contacts_text); }
static void violations_text(void) { text_of(hol_violations_text); }
static void simulation_report(void)
{
    REFUSED(hol_simulation_report(NULL, html));
    USAGE(hol_simulation_report(sim, NULL), "path is NULL");
}
static void simulation_record(void)
{
    REFUSED(hol_simulation_record(NULL)); // other orders: test_results.c
}
static void simulation_take_result(void)
{
    assert_null(hol_simulation_take_result(NULL));
    NOTHING(hol_simulation_take_result(sim), "hol_simulation_record is to be called before");
}
static void simulation_step(void)
{
    bool done = false;
    REFUSED(hol_simulation_step(NULL, &done));
    REFUSED(hol_simulation_step(NULL, NULL));
    USAGE(hol_simulation_step(sim, NULL), "done is NULL");
    assert_true(hol_simulation_time(sim) == 0);
}
static void simulation_run(void) { REFUSED(hol_simulation_run(NULL)); }
static void simulation_checkpoint(void)
{
    REFUSED(hol_simulation_checkpoint(NULL, saved));
    USAGE(hol_simulation_checkpoint(sim, NULL), "path is NULL");
}
static void simulation_restart(void)
{
    REFUSED(hol_simulation_restart(NULL, saved));
    USAGE(hol_simulation_restart(sim, NULL), "path is NULL");
}
static void simulation_time(void) { hol_simulation_time(NULL); }
static void simulation_is_over(void) { assert_true(hol_simulation_is_over(NULL)); }
static void simulation_inputs(void) { assert_int_equal(hol_simulation_inputs(NULL), 0); }
static void simulation_input_name(void)
{
    assert_null(hol_simulation_input_name(NULL, 0));
    assert_null(hol_simulation_input_name(sim, 0));
    assert_null(hol_simulation_input_name(sim, -1));
}
static void simulation_input_unit(void)
{
    assert_null(hol_simulation_input_unit(NULL, 0));
    assert_null(hol_simulation_input_unit(sim, 0));
}
static void simulation_find_input(void)
{
    assert_int_equal(hol_simulation_find_input(NULL, "u"), -1);
    assert_int_equal(hol_simulation_find_input(sim, NULL), -1);
    assert_int_equal(hol_simulation_find_input(sim, "u"), -1);
}
static void simulation_set_input(void)
{
    REFUSED(hol_simulation_set_input(NULL, 0, 1));
    USAGE(hol_simulation_set_input(sim, 0, 1), "there is no input 0: the model has 0");
    USAGE(hol_simulation_set_input(sim, -1, 1), "there is no input -1");
}
static void simulation_input(void)
{
    assert_true(isnan(hol_simulation_input(NULL, 0)));
    assert_true(isnan(hol_simulation_input(sim, 0)));
}
static void simulation_advance(void)
{
    REFUSED(hol_simulation_advance(NULL, 0.1));
    USAGE(hol_simulation_advance(sim, -0.1), "is before the present time");
    USAGE(hol_simulation_advance(sim, (double)NAN), "is before the present time");
    USAGE(hol_simulation_advance(sim, 0.3), "is behind the end of the simulation");
}
static void simulation_get_state(void)
{
    hol_state_view x;
    REFUSED(hol_simulation_get_state(NULL, &x));
    USAGE(hol_simulation_get_state(sim, NULL), "out is NULL");
    assert_int_equal(hol_simulation_get_state(sim, &x), HOL_OK);
    assert_int_equal(x.n_q, 3);
}
static void simulation_set_state(void)
{
    static const double q[3] = {0.5, 0, 0}, bad[3] = {0.5, (double)NAN, 0};
    const hol_state_view few = {.n_q = 2, .q = q}, none = {.n_q = 3, .q = bad},
                         late = {.t = 0.2, .n_q = 3, .q = q},
                         more = {.n_q = 3, .q = q, .n_states = 1, .state = q};
    REFUSED(hol_simulation_set_state(NULL, &few, NULL));
    USAGE(hol_simulation_set_state(sim, NULL, NULL), "x is NULL");
    USAGE(hol_simulation_set_state(sim, &few, NULL), "2 numbers in q is given: the model has 3");
    USAGE(hol_simulation_set_state(sim, &none, NULL), "q[1] is no finite number");
    USAGE(hol_simulation_set_state(sim, &late, NULL), "goes from 0 to 0.2 s");
    USAGE(hol_simulation_set_state(sim, &more, NULL), "1 numbers in state is given: the model has 0");
}
static void simulation_save(void) { assert_null(hol_simulation_save(NULL)); }
static void simulation_save_again(void)
{
    REFUSED(hol_simulation_save_again(NULL, NULL));
    USAGE(hol_simulation_save_again(sim, NULL), "snapshot is NULL");
}
static void simulation_restore(void)
{
    hol_snapshot *s = hol_simulation_save(sim);
    assert_non_null(s);
    REFUSED(hol_simulation_restore(NULL, s));
    USAGE(hol_simulation_restore(sim, NULL), "snapshot is NULL");
    hol_snapshot_destroy(s);
}
static void snapshot_destroy(void) { hol_snapshot_destroy(NULL); }
static void snapshot_size(void) { assert_int_equal(hol_snapshot_size(NULL), 0); }
static void snapshot_write(void)
{
    char byte;
    hol_snapshot *s = hol_simulation_save(sim);
    assert_int_equal(hol_snapshot_write(NULL, &byte, 1), HOL_ERR_USAGE);
    assert_int_equal(hol_snapshot_write(s, NULL, hol_snapshot_size(s)), HOL_ERR_USAGE);
    assert_int_equal(hol_snapshot_write(s, &byte, 1), HOL_ERR_USAGE);
    hol_snapshot_destroy(s);
}
static void snapshot_of_bytes(void)
{
    assert_null(hol_snapshot_of_bytes(NULL, "", 1));
    NOTHING(hol_snapshot_of_bytes(ctx, NULL, 1), "bytes is NULL");
    NOTHING(hol_snapshot_of_bytes(ctx, "junk", 4), "are no snapshot");
}
static void simulation_reset(void)
{
    REFUSED(hol_simulation_reset(NULL));
    assert_int_equal(hol_simulation_reset(sim), HOL_OK); // before the first step it changes nothing
}
static void simulation_signals(void) { assert_int_equal(hol_simulation_signals(NULL), 0); }
static void simulation_signal_name(void)
{
    assert_null(hol_simulation_signal_name(NULL, 0));
    assert_null(hol_simulation_signal_name(sim, -1));
    assert_null(hol_simulation_signal_name(sim, hol_simulation_signals(sim)));
}
static void simulation_signal_unit(void)
{
    assert_null(hol_simulation_signal_unit(NULL, 0));
    assert_null(hol_simulation_signal_unit(sim, -1));
    assert_null(hol_simulation_signal_unit(sim, hol_simulation_signals(sim)));
}
static void simulation_find_signal(void)
{
    assert_int_equal(hol_simulation_find_signal(NULL, "time"), -1);
    assert_int_equal(hol_simulation_find_signal(sim, NULL), -1);
    assert_int_equal(hol_simulation_find_signal(sim, "no such signal"), -1);
}
static void simulation_values(void) { assert_null(hol_simulation_values(NULL)); }
static void simulation_statistics(void) { assert_null(hol_simulation_statistics(NULL)); }
static void simulation_statistic(void)
{
    hol_statistic one;
    assert_false(hol_simulation_statistic(sim, 0, NULL));
    assert_false(hol_simulation_statistic(sim, -1, &one));
    assert_false(hol_simulation_statistic(sim, 1000, &one));
    assert_true(hol_simulation_statistic(NULL, 0, &one)); // what there is
    assert_true(strcmp(one.name, "tolerance") == 0 && isnan(one.value) && !one.applies);
}
static void simulation_finish(void) { assert_null(hol_simulation_finish(NULL)); }
static void limit_key(void)
{
    assert_null(hol_limit_key(-1));
    assert_null(hol_limit_key(1000));
}
static void limits_text(void)
{
    char text[4] = "abc";
    hol_limits_text(NULL, text, sizeof text);
    assert_string_equal(text, "");
    hol_limits_text(hol_simulation_statistics(sim), NULL, 10);
    hol_limits_text(hol_simulation_statistics(sim), text, 0);
}
static void simulation_costs(void)
{
    hol_cost cost[1];
    assert_int_equal(hol_simulation_costs(NULL, cost, 1), 0);
    assert_int_equal(hol_simulation_costs(sim, NULL, 1), 0);
    assert_int_equal(hol_simulation_costs(sim, cost, -1), 0);
    assert_int_equal(hol_simulation_costs(sim, cost, 1), 0); // it has not been finished
}
static void simulation_counts(void)
{
    int n = -1;
    hol_simulation_counts(NULL, &n, NULL, NULL, NULL);
    assert_int_equal(n, 0);
    hol_simulation_counts(sim, NULL, NULL, NULL, NULL);
    hol_simulation_counts(sim, NULL, &n, NULL, NULL);
    assert_int_equal(n, 3);
}
static void simulation_user_counts(void)
{
    int n = -1;
    hol_simulation_user_counts(NULL, &n, NULL, NULL, NULL);
    assert_int_equal(n, 0);
    hol_simulation_user_counts(sim, NULL, NULL, NULL, NULL);
}
static void modes_create(void)
{
    static const hol_modes_options defaults = {0};
    assert_null(hol_modes_create(NULL, model, &defaults));
    NOTHING(hol_modes_create(ctx, NULL, &defaults), "model is NULL");
    hol_modes *a = hol_modes_create(ctx, model, NULL), *b = hol_modes_create(ctx, model, &defaults);
    assert_true(a && b && a->n == b->n && a->n > 0);
    assert_memory_equal(&a->mode[0].re, &b->mode[0].re, sizeof(double));
    hol_modes_destroy(a);
    hol_modes_destroy(b);
    static const hol_modes_options bad[] = {
        {.at = -1}, {.at = (double)NAN}, {.at = (double)INFINITY}, {.metric = (hol_metric)7}, {.count = -3}};
    for (int i = 0; i < HOL_COUNT(bad); i++) NOTHING(hol_modes_create(ctx, model, &bad[i]), "");
}
static void modes_destroy(void) { hol_modes_destroy(NULL); }
static void modes_write(void)
{
    hol_modes *modes = hol_modes_create(ctx, model, NULL);
    REFUSED(hol_modes_write(NULL, modes, csv));
    USAGE(hol_modes_write(ctx, NULL, csv), "modes is NULL");
    USAGE(hol_modes_write(ctx, modes, NULL), "path is NULL");
    hol_modes_destroy(modes);
}
static void draw_modes(hol_status (*draw)(hol_context *, const hol_modes *, const hol_model *, const char *))
{
    hol_modes *modes = hol_modes_create(ctx, model, NULL);
    REFUSED(draw(NULL, modes, model, csv));
    USAGE(draw(ctx, NULL, model, csv), "modes is NULL");
    USAGE(draw(ctx, modes, NULL, csv), "model is NULL");
    USAGE(draw(ctx, modes, model, NULL), "path is NULL");
    hol_modes_destroy(modes);
}
static void modes_report(void) { draw_modes(hol_modes_report); }
static void modes_export(void) { draw_modes(hol_modes_export); }
static void method_list(void)
{
    hol_method_info info;
    assert_false(hol_method_list(0, NULL));
    assert_false(hol_method_list(-1, &info));
    assert_false(hol_method_list(1000, &info));
}
static void advise(void)
{
    hol_advice advice;
    REFUSED(hol_advise(NULL, model, 0, &advice));
    USAGE(hol_advise(ctx, NULL, 0, &advice), "model is NULL");
    USAGE(hol_advise(ctx, model, 0, NULL), "out is NULL");
    const double bad[] = {-1, (double)NAN, (double)INFINITY, 2};
    for (int i = 0; i < HOL_COUNT(bad); i++) USAGE(hol_advise(ctx, model, bad[i], &advice), "tolerance");
}
static void result_check_name(void)
{
    REFUSED(hol_result_check_name(NULL, csv));
    USAGE(hol_result_check_name(ctx, NULL), "path is NULL");
}
static void result_read(void)
{
    assert_null(hol_result_read(NULL, csv));
    NOTHING(hol_result_read(ctx, NULL), "path is NULL");
}
static void result_write(void)
{
    REFUSED(hol_result_write(NULL, result, csv));
    USAGE(hol_result_write(ctx, NULL, csv), "result is NULL");
    USAGE(hol_result_write(ctx, result, NULL), "path is NULL");
    USAGE(hol_result_write(ctx, result, html), "results are written as");
}
static void result_destroy(void) { hol_result_destroy(NULL); }
static void result_note(void)
{
    assert_null(hol_result_note(NULL, "method"));
    assert_null(hol_result_note(result, NULL));
}
static void result_model(void)
{
    assert_null(hol_result_model(NULL, result));
    NOTHING(hol_result_model(ctx, NULL), "result is NULL");
}
static void comparison_create(void)
{
    assert_null(hol_comparison_create(NULL, result, result));
    NOTHING(hol_comparison_create(ctx, NULL, result), "a is NULL");
    NOTHING(hol_comparison_create(ctx, result, NULL), "b is NULL");
}
static void comparison_destroy(void) { hol_comparison_destroy(NULL); }
static void result_minus(void)
{
    assert_null(hol_result_minus(NULL, result, result));
    NOTHING(hol_result_minus(ctx, NULL, result), "a is NULL");
    NOTHING(hol_result_minus(ctx, result, NULL), "b is NULL");
}
static void result_spectrum(void)
{
    static const int column[] = {1}, time[] = {0}, beyond[] = {100000};
    assert_null(hol_result_spectrum(NULL, result, column, 1));
    NOTHING(hol_result_spectrum(ctx, NULL, column, 1), "result is NULL");
    NOTHING(hol_result_spectrum(ctx, result, NULL, 1), "column is NULL");
    NOTHING(hol_result_spectrum(ctx, result, column, 0), "no signal");
    NOTHING(hol_result_spectrum(ctx, result, time, 1), "column 0");
    NOTHING(hol_result_spectrum(ctx, result, beyond, 1), "column 100000");
}
static void report_check_name(void)
{
    REFUSED(hol_report_check_name(NULL, html));
    USAGE(hol_report_check_name(ctx, NULL), "path is NULL");
}
static void report_write(void)
{
    const int far[] = {1000};
    const hol_report_options beyond = {.n_columns = 1, .column = far};
    REFUSED(hol_report_write(NULL, result, model, NULL, html));
    USAGE(hol_report_write(ctx, NULL, model, NULL, html), "result is NULL");
    USAGE(hol_report_write(ctx, result, NULL, NULL, html), "model is NULL");
    USAGE(hol_report_write(ctx, result, model, NULL, NULL), "path is NULL");
    USAGE(hol_report_write(ctx, result, model, &beyond, html), "1000");
}
static void motion_check_name(void)
{
    REFUSED(hol_motion_check_name(NULL, glb));
    USAGE(hol_motion_check_name(ctx, NULL), "path is NULL");
}
static void motion_export(void)
{
    REFUSED(hol_motion_export(NULL, result, model, glb));
    USAGE(hol_motion_export(ctx, NULL, model, glb), "result is NULL");
    USAGE(hol_motion_export(ctx, result, NULL, glb), "model is NULL");
    USAGE(hol_motion_export(ctx, result, model, NULL), "path is NULL");
}
static void fmu_write(void)
{
    REFUSED(hol_fmu_write(NULL, model, 2, "a.fmu"));
    USAGE(hol_fmu_write(ctx, NULL, 2, "a.fmu"), "model is NULL");
    USAGE(hol_fmu_write(ctx, model, 2, NULL), "path is NULL");
    USAGE(hol_fmu_write(ctx, model, 1, "a.fmu"), "give 2 or 3");
}
static void describe_methods(void) { hol_describe_methods(HOL_PLAIN_TEXT, NULL, NULL); }
static void describe_elements(void) { hol_describe_elements(HOL_MARKDOWN, NULL, NULL); }
static void describe_method(void)
{
    size_t n = 0;
    REFUSED(hol_describe_method(NULL, "rk", HOL_PLAIN_TEXT, print, &n));
    USAGE(hol_describe_method(ctx, NULL, HOL_PLAIN_TEXT, print, &n), "name is NULL");
    USAGE(hol_describe_method(ctx, "rk", HOL_PLAIN_TEXT, NULL, &n), "print is NULL");
    assert_int_equal(n, 0);
}
static void describe_element(void)
{
    size_t n = 0;
    REFUSED(hol_describe_element(NULL, "revolute", HOL_PLAIN_TEXT, print, &n));
    USAGE(hol_describe_element(ctx, NULL, HOL_PLAIN_TEXT, print, &n), "name is NULL");
    USAGE(hol_describe_element(ctx, "revolute", HOL_PLAIN_TEXT, NULL, &n), "print is NULL");
    assert_int_equal(n, 0);
}
static void describe_schema(void) { hol_describe_schema(NULL, NULL); }
static void suggest(void)
{
    static const char *const names[] = {"revolute", NULL, "fixed"};
    assert_null(hol_suggest(NULL, names, 1));
    assert_null(hol_suggest("revolut", NULL, 3));
    assert_null(hol_suggest("revolut", names, -1));
    assert_string_equal(hol_suggest("fixd", names, 3), "fixed");
}

#define ROW(name)                                                                                            \
    {                                                                                                        \
        "hol_" #name, name                                                                                   \
    }
static const lacking row[] = {ROW(context_create),
                              ROW(context_destroy),
                              ROW(context_set_log),
                              ROW(context_sandbox),
                              ROW(context_cancel),
                              ROW(context_cancelled),
                              ROW(context_error),
                              ROW(context_status),
                              ROW(model_load),
                              ROW(model_parse),
                              ROW(model_destroy),
                              ROW(model_keep),
                              ROW(uniqueness_word),
                              ROW(check_create),
                              ROW(model_warn),
                              ROW(check_destroy),
                              ROW(check_print),
                              ROW(check_print_pairs),
                              ROW(graph_print),
                              ROW(simulation_create),
                              ROW(simulation_destroy),
                              ROW(simulation_write),
                              ROW(simulation_write_contacts),
                              ROW(contacts_check_name),
                              ROW(contact_edge_word),
                              ROW(violations_text),
                              ROW(contacts_text),
                              ROW(simulation_record),
                              ROW(simulation_take_result),
                              ROW(simulation_report),
                              ROW(simulation_step),
                              ROW(simulation_run),
                              ROW(simulation_checkpoint),
                              ROW(simulation_restart),
                              ROW(simulation_time),
                              ROW(simulation_is_over),
                              ROW(simulation_inputs),
                              ROW(simulation_input_name),
                              ROW(simulation_input_unit),
                              ROW(simulation_find_input),
                              ROW(simulation_set_input),
                              ROW(simulation_input),
                              ROW(simulation_advance),
                              ROW(simulation_get_state),
                              ROW(simulation_set_state),
                              ROW(simulation_save),
                              ROW(simulation_save_again),
                              ROW(simulation_restore),
                              ROW(snapshot_destroy),
                              ROW(snapshot_size),
                              ROW(snapshot_write),
                              ROW(snapshot_of_bytes),
                              ROW(simulation_reset),
                              ROW(simulation_signals),
                              ROW(simulation_signal_name),
                              ROW(simulation_signal_unit),
                              ROW(simulation_find_signal),
                              ROW(simulation_values),
                              ROW(simulation_statistics),
                              ROW(simulation_statistic),
                              ROW(simulation_finish),
                              ROW(limit_key),
                              ROW(limits_text),
                              ROW(simulation_costs),
                              ROW(simulation_counts),
                              ROW(simulation_user_counts),
                              ROW(modes_create),
                              ROW(modes_destroy),
                              ROW(modes_report),
                              ROW(modes_export),
                              ROW(modes_write),
                              ROW(method_list),
                              ROW(advise),
                              ROW(result_check_name),
                              ROW(result_read),
                              ROW(result_write),
                              ROW(result_destroy),
                              ROW(result_note),
                              ROW(result_model),
                              ROW(comparison_create),
                              ROW(comparison_destroy),
                              ROW(result_minus),
                              ROW(result_spectrum),
                              ROW(report_check_name),
                              ROW(report_write),
                              ROW(motion_check_name),
                              ROW(motion_export),
                              ROW(fmu_write),
                              ROW(describe_methods),
                              ROW(describe_elements),
                              ROW(describe_method),
                              ROW(describe_element),
                              ROW(describe_schema),
                              ROW(suggest)};

static void every_function_says_what_it_lacks(void **state)
{
    (void)state;
    call_all(row, HOL_COUNT(row));
}

static void every_function_of_the_header_is_here(void **state)
{
    (void)state;
    expect_all_functions("include/holonom.h", row, HOL_COUNT(row));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_of_the_header_is_here),
        cmocka_unit_test(every_function_says_what_it_lacks),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
