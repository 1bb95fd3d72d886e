// `plots:` of a model file: pictures of signals over another one, which the report opens on.
#include "model/read.h"

#include <string.h>

enum { PLOT_FOR, PLOT_X, PLOT_Y };
static const hol_option plot_rows[] = {
    {"for", HOL_LOOPS, "", 0, 0, 0, 0, NULL, "loop: i in first..last, or a list of loops"},
    {"x", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED, NULL, "the signal on the x axis; {i} stands for a loop index"},
    {"y", HOL_TEXTS, "", 0, 0, 0, HOL_REQUIRED, NULL, "signals, or groups of them, that are drawn over it"},
    HOL_END_OPTIONS};
static hol_item_fn read_plot;
const hol_object hol_plot_object = {
    .read = read_plot,
    .name = "plot",
    .rows = plot_rows,
    .text = "A picture of signals over another one, such as camber over travel: the report opens on it. "
            "Names are those "
            "of `simulate.signals`. Signals over the time need no such picture: the report opens on "
            "those that `simulate.signals` asks for, in their order, if they are given. What a picture shows "
            "must be among "
            "the signals that are written.",
    .example = "- {x: hub.z, y: [toe, camber]}\n"};

// The names are those of the file, unless they begin with "../" or are of the model as a whole.
static const char *name_of_signal(const hol_reader *r, const char *name, hol_src at)
{
    static const char *const whole[] = {"energy", "violation", "step", "omega_max", "coordinates", "all"};
    if (!at.by) return name;
    for (int i = 0; i < HOL_COUNT(whole); i++)
        if (strlen(whole[i]) == strcspn(name, ".") && strncmp(name, whole[i], strlen(whole[i])) == 0)
            return name;
    const hol_src of = hol_outside(at, &name);
    return hol_full_name(r->arena, of, name);
}

// Whether the signals exist is known when the model is compiled (hol_signals_check_plots).
static hol_status read_plot(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            const hol_object *object)
{
    const hol_path x = {path, "x", 0, NULL}, y = {path, "y", 0, NULL};
    hol_value v[HOL_COUNT(plot_rows)];
    hol_status st = hol_read_object(r, object, NULL, item, path, v);
    if (st) return st;
    hol_word *names = (hol_word *)v[PLOT_Y].word;
    for (int i = 0; i < v[PLOT_Y].n; i++)
        if (!(names[i].name = name_of_signal(r, names[i].name, item->at))) return HOL_ERR_MEMORY;
    const hol_spec_plot plot = {.x = {name_of_signal(r, v[PLOT_X].text, item->at), v[PLOT_X].at},
                                .n = v[PLOT_Y].n,
                                .y = names,
                                .x_path = hol_path_text(r, &x),
                                .y_path = hol_path_text(r, &y)};
    if (!plot.x.name || !plot.x_path || !plot.y_path || !HOL_ARENA_GROW(r->arena, spec->plot, spec->n_plots))
        return HOL_ERR_MEMORY;
    spec->plot[spec->n_plots++] = plot;
    return HOL_OK;
}
