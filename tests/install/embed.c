// What a program does that embeds the library. tests/core_test.py links it in each way and compares what it prints.
//
//     embed methods MODEL END      a run by every method: status, steps, last values or the message
//     embed things MODEL MESHES LARGE RESULT   what not every library can do: status, and messages
//     embed rounds MODEL END N     bytes in use after each of N rounds: loading, modes, running, destroying
//     embed nothing                begins and ends
#include <holonom.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 200 };

static void tell(void *user, hol_severity severity, const char *text)
{
    (void)user, (void)severity;
    printf("note %s\n", text);
}

static void said(hol_context *ctx, const char *what, hol_status st)
{
    printf("%s: %d%s%s\n", what, (int)st, st ? " " : "", st ? hol_context_error(ctx) : "");
    hol_context_set_log(ctx, NULL, NULL);
}

// To the end of the model's run; the values there.
static void run(hol_context *ctx, const char *name, const char *file, const char *const *set, int n_set)
{
    hol_model *model = hol_model_load(ctx, file, set, n_set);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    const hol_status st = sim ? hol_simulation_run(sim) : hol_context_status(ctx);
    said(ctx, name, st);
    const double *value = st ? NULL : hol_simulation_values(sim);
    if (value) printf("steps %ld\n", hol_simulation_statistics(sim)->steps);
    for (int i = 0; value && i < hol_simulation_signals(sim); i++)
        printf("value %.17g %s\n", value[i], hol_simulation_signal_name(sim, i));
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

static void methods(hol_context *ctx, const char *file, const char *end)
{
    hol_method_info m;
    for (int i = 0; hol_method_list(i, &m); i++) {
        char method[TEXT], until[TEXT], name[TEXT];
        const char *const set[] = {method, until, "simulate.step=1e-3"};
        snprintf(name, sizeof name, "method %s", m.name);
        snprintf(method, sizeof method, "simulate.method=%s", m.name);
        snprintf(until, sizeof until, "simulate.end=%s", end);
        run(ctx, name, file, set, m.fixed_steps ? 3 : 2);
    }
}

// Files of every kind, written by a run.
static void write_files(hol_context *ctx, const char *file)
{
    static const char *const set[] = {"simulate.end=0.1", "simulate.signals=all"};
    hol_model *model = hol_model_load(ctx, file, set, 2);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    said(ctx, "name .nc", hol_result_check_name(ctx, "of_run.nc"));
    said(ctx, "name of no format", hol_result_check_name(ctx, "of_run.txt"));
    said(ctx, "run to .nc", hol_simulation_write(sim, "of_run.nc"));
    said(ctx, "run to .csv", hol_simulation_write(sim, "of_run.csv"));
    said(ctx, "run to .html", hol_simulation_report(sim, "of_run.html"));
    said(ctx, "run", hol_simulation_run(sim));
    hol_simulation_destroy(sim);
    hol_modes *modes = hol_modes_create(ctx, model, NULL);
    said(ctx, "modes", hol_context_status(ctx));
    said(ctx, "modes to .nc", hol_modes_write(ctx, modes, "of_modes.nc"));
    said(ctx, "modes to .csv", hol_modes_write(ctx, modes, "of_modes.csv"));
    hol_modes_destroy(modes);
    hol_model_destroy(model);
}

static void read_files(hol_context *ctx, const char *result)
{
    hol_result *other = hol_result_read(ctx, result), *own = NULL;
    said(ctx, "read .nc", other ? HOL_OK : hol_context_status(ctx));
    own = hol_result_read(ctx, "of_run.csv");
    said(ctx, "read .csv", own ? HOL_OK : hol_context_status(ctx));
    hol_result_destroy(other);
    hol_result_destroy(own);
}

// A model drawn with mesh files runs; its pages and glTF say what they cannot draw.
static void draw_meshes(hol_context *ctx, const char *file)
{
    hol_model *model = hol_model_load(ctx, file, NULL, 0);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    said(ctx, "meshes loaded", hol_context_status(ctx));
    hol_simulation_write(sim, "meshes.csv");
    hol_context_set_log(ctx, tell, NULL);
    hol_simulation_report(sim, "meshes.html");
    said(ctx, "meshes run", hol_simulation_run(sim));
    hol_simulation_destroy(sim);
    hol_result *result = hol_result_read(ctx, "meshes.csv");
    hol_context_set_log(ctx, tell, NULL);
    said(ctx, "meshes to .glb", hol_motion_export(ctx, result, model, "meshes.glb"));
    hol_result_destroy(result);
    hol_model_destroy(model);
}

// A model whose mass follows from a mesh.
static void weigh_mesh(hol_context *ctx, const char *file)
{
    hol_model *model = hol_model_load(ctx, file, NULL, 0);
    said(ctx, "mass of a mesh", hol_context_status(ctx));
    hol_model_destroy(model);
}

static void large(hol_context *ctx, const char *file)
{
    static const char *const steps[] = {"simulate.end=1e-5", "simulate.method=central", "simulate.step=1e-6",
                                        "simulate.signals=[omega_max]"};
    hol_model *model = hol_model_load(ctx, file, NULL, 0);
    hol_modes *modes = hol_modes_create(ctx, model, NULL);
    said(ctx, "modes of many", hol_context_status(ctx));
    hol_modes_destroy(modes);
    hol_model_destroy(model);
    run(ctx, "omega_max of many", file, steps, 4);
    hol_context_set_log(ctx, tell, NULL);
    run(ctx, "fixed steps of many", file, steps, 3);
}

static void rounds(hol_context *ctx, const char *file, const char *end, int n)
{
    char until[TEXT];
    const char *const set[] = {until};
    snprintf(until, sizeof until, "simulate.end=%s", end);
    for (int i = 0; i < n; i++) {
        hol_model *model = hol_model_load(ctx, file, set, 1);
        hol_modes_destroy(hol_modes_create(ctx, model, NULL));
        hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
        if (!sim || hol_simulation_run(sim)) printf("%s\n", hol_context_error(ctx));
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
        printf("bytes %zu\n", mallinfo2().uordblks);
    }
}

int main(int argc, char **argv)
{
    hol_context *ctx = hol_context_create();
    const char *word = argc > 1 ? argv[1] : "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!ctx) return 1;
    if (strcmp(word, "methods") == 0 && argc == 4) methods(ctx, argv[2], argv[3]);
    if (strcmp(word, "rounds") == 0 && argc == 5) rounds(ctx, argv[2], argv[3], atoi(argv[4]));
    if (strcmp(word, "things") == 0 && argc == 6) {
        write_files(ctx, argv[2]);
        draw_meshes(ctx, argv[3]);
        weigh_mesh(ctx, "../weighed.yaml");
        large(ctx, argv[4]);
        read_files(ctx, argv[5]);
    }
    hol_context_destroy(ctx);
    return 0;
}
