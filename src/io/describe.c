// What `holonom elements` and `holonom methods` print, made from the option rows of every type.
#include "element/coordinate.h"
#include "analysis/settings.h"
#include "analysis/signals.h"
#include "analysis/statistics.h"
#include "analysis/warnings.h"
#include "io/glossary.h"
#include "io/page.h"
#include "model/elsewhere.h"

#include <stdio.h>
#include <string.h>

// ---- model file -----------------------------------------------------------------------------------------------

static const char file_text[] = "A model file is YAML or JSON. Wherever a number is wanted, an expression of "
                                "parameters and loop indices may stand. "
                                "Plain numbers are in m, kg, s and rad unless `units:` says otherwise. In "
                                "the lists below, \"vector\" means as many "
                                "numbers as the model has dimensions, \"numbers\" one number or a list of "
                                "them, \"f(time)\" a number or an "
                                "expression of time, \"expression\" one that may use measures, variables and "
                                "states too (see Expressions).";

static const char file_example[] =
    "title: pendulum\n"
    "dimension: 2\n"
    "gravity: [0, -9.80665]\n"
    "parameters: {L: 2}\n"
    "bodies:\n"
    "  - {name: rod, mass: 1, inertia: L^2/12, position: [L/2, 0], markers: {top: [-L/2, 0]}}\n"
    "joints:\n"
    "  - {name: pivot, type: revolute, between: [ground, rod.top]}\n"
    "simulate: {end: 5, step: 1e-3, output: 0.01}\n";

static const char loop_text[] = "Every item of these lists may be a loop, `for: i in 0..N` (both ends "
                                "included), or a list of nested ones; texts "
                                "with {i} or {i+1} get the number.";

// ---- objects --------------------------------------------------------------------------------------------------

// "2D and 3D; also hinge, pin"
static void type_note(const hol_type *t, char note[200])
{
    size_t n = (size_t)snprintf(note, 200, "%s",
                                t->dimensions == 5   ? "2D and 3D"
                                : t->dimensions == 2 ? "2D"
                                                     : "3D");
    if (t->aliases) n += (size_t)snprintf(note + n, 200 - n, "; also ");
    for (const char *c = t->aliases; c && *c && n < 190; c++)
        n += (size_t)snprintf(note + n, 200 - n, *c == '|' ? ", " : "%c", *c);
}

// Has it been printed in full already?
static bool is_printed(const hol_page *p, const hol_type *t)
{
    return p->printed && (strcmp(t->name, p->printed) == 0 || hol_has_word(t->aliases, p->printed));
}

// A type under its own heading, or, of an object that has but one itself, in a paragraph.
static void describe_type(hol_page *p, const hol_type *t, bool heading)
{
    char text[200];
    if (heading) {
        type_note(t, text);
        hol_page_heading(p, 3, t->name, text);
        hol_page_paragraph(p, t->doc);
    } else {
        snprintf(text, sizeof text, "`type: %s`: %s", t->name, t->doc);
        hol_page_paragraph(p, text);
    }
    hol_page_options(p, t->rows, t->dimensions == 5 ? 0 : t->dimensions);
    if (p->n_rows) hol_page_option_table(p);
}

static bool is_named(const hol_type *t, const char *name)
{
    return !name || strcmp(t->name, name) == 0 || hol_has_word(t->aliases, name);
}

// What an object is, its keys, and its types: all, or those of this name; false: there are none.
static bool object_section(hol_page *p, int level, const char *title, const hol_object *o, const char *name)
{
    hol_type t;
    bool any = !name;
    for (int i = 0; !any && o->type && o->type(o, i, 0, &t); i++) any = is_named(&t, name);
    if (!any) return false;
    if (title) hol_page_heading(p, level, title, "");
    if (o->text) hol_page_paragraph(p, o->text);
    if (o->example) hol_page_example(p, o->example);
    hol_page_options(p, o->rows, 0);
    hol_page_option_table(p);
    for (int i = 0; o->type && o->type(o, i, 0, &t); i++)
        if (is_named(&t, name) && !(level == 2 && is_printed(p, &t))) describe_type(p, &t, level == 2);
    return true;
}

// The lists of the file, one after the other; with a name: only the types of this name.
static bool list_sections(hol_page *p, const char *name)
{
    bool any = false;
    for (const hol_option *o = hol_objects[0]->rows; o->key; o++) {
        char title[40];
        if (o->kind != HOL_LIST) continue;
        snprintf(title, sizeof title, "%s", o->key);
        title[0] = (char)(title[0] - 'a' + 'A');
        for (char *c = title; *c; c++) *c = *c == '_' ? ' ' : *c;
        any = object_section(p, 2, title, hol_object_find(o->choices), name) || any;
    }
    return any;
}

// The file as a whole: its keys, loops, and the maps in it.
static void file_section(hol_page *p)
{
    hol_page_heading(p, 2, "Model file", "");
    hol_page_paragraph(p, file_text);
    hol_page_example(p, file_example);
    hol_page_options(p, hol_objects[0]->rows, 0);
    hol_page_option_table(p);
    hol_page_paragraph(p, loop_text);
    object_section(p, 3, "units", hol_object_find("units"), NULL);
    object_section(p, 3, "include", hol_object_find("include"), NULL);
    object_section(p, 3, NULL, hol_object_find("placement"), NULL);
    object_section(p, 3, "units: output", hol_object_find("units_output"), NULL);
    object_section(p, 3, "assemble", hol_object_find("assemble"), NULL);
    object_section(p, 3, "assemble: exact", hol_object_find("assemble_exact"), NULL);
    object_section(p, 3, "assemble: exact: joints", hol_object_find("exact_joint"), NULL);
    object_section(p, 3, "simulate", &hol_simulate_object, NULL);
    hol_page_paragraph(
        p, "Options of a method stand below its name: `hht: {alpha: -0.1}`; see `holonom methods`.");
    object_section(p, 3, "pose: of a body", hol_object_find("body_pose"), NULL);
    object_section(p, 3, "turns: where angles begin", hol_object_find("start_turns"), NULL);
    object_section(p, 3, "static", hol_object_find("static"), NULL);
    object_section(p, 3, "inverse", hol_object_find("inverse"), NULL);
    object_section(p, 3, "static: trim", hol_object_find("trim"), NULL);
    object_section(p, 3, "static: trim: hold", hol_object_find("trim_hold"), NULL);
    object_section(p, 3, "linearise", hol_object_find("linearise"), NULL);
    object_section(p, 3, "splines: units", hol_object_find("column_units"), NULL);
    static const char *const laws[][2] = {
        {"limits of an angle", "limits_angle"},          {"limits of a stroke", "limits_stroke"},
        {"limits of a universal joint", "limits_cross"}, {"limits of a spherical joint", "limits_ball"},
        {"turns of a universal joint", "turns_cross"},   {"motor of an angle", "motor_angle"},
        {"motor of a stroke", "motor_stroke"},           {"friction of an angle", "friction_angle"},
        {"friction of a stroke", "friction_stroke"},     {"friction of a contact", "contact_friction"}};
    for (int i = 0; i < HOL_COUNT(laws); i++)
        object_section(p, 3, laws[i][0], hol_object_find(laws[i][1]), NULL);
    object_section(p, 3, "ground", hol_object_find("ground"), NULL);
    object_section(p, 3, "markers", hol_object_find("marker"), NULL);
    object_section(p, 3, NULL, hol_object_find("motion"), NULL);
    object_section(p, 3, "orientation", hol_object_find("orientation"), NULL);
    object_section(p, 3, "shape", hol_object_find("shape"), NULL);
}

static hol_status unknown(hol_context *ctx, const char *what, const char *name, const char *best)
{
    return hol_fail(ctx, HOL_ERR_USAGE, "there is no %s \"%s\"; %s%s%s%ss%s", what, name,
                    best ? "did you mean \"" : "`holonom ", best ? best : "", best ? "\"? `holonom " : "",
                    what, "` lists them");
}

// ---- expressions ----------------------------------------------------------------------------------------------

static const char expression_text[] =
    "Numbers, + - * / ^, parentheses, `pi`, parameters, loop indices and, where f(time) or an "
    "expression is "
    "wanted, `time`. No other value may have a name of a function, `pi` or `time`, in any case of the "
    "letters, or of a "
    "measure in capitals: `dx` is free, `DX` is not. Where "
    "the file has no `e` or `t` of its own these are 2.71828.. and the time. A unit "
    "may follow a value: `90 deg`, `10 N/mm`, `1.2 kg mm^2`, `0.3 N mm s/deg`; it binds tighter than every "
    "operator. A unit is a "
    "product of those in the list below, by blanks, * or \u00b7, with powers such as ^2, \u00b2, ^-1, "
    "^(3/2), and one / with one "
    "unit or brackets behind it: `12 N/(mm/s)`. A quantity with a unit is in SI, and its dimension is "
    "checked: sums, "
    "arguments and the value itself. Where radians are meant the angle may be left away: `5 N m` for N "
    "m/rad. A name behind * "
    "or / of a unit is a unit too, also where a parameter has that name; the value is meant in `(10 N)/m`. "
    "Where the lists say "
    "\"expression\", "
    "names of variables, states and outputs may be used, splines, and what follows:";
static const char measure_text[] = "What is measured between markers, written `rod.tip`, `rod` (the body "
                                   "frame), `ground` or `ground.post`. Only the "
                                   "first one is needed: `from` is the global origin, `along` and `ref` are "
                                   "the global axes where they are left away. "
                                   "The names may be written in small letters too.";
static const char reaction_text[] = "Force and torque of a joint, driver or force, by its name: on its last "
                                    "end, at that marker, in its axes, as its "
                                    "signals are. Where redundant equations share a load, it is what the "
                                    "equations in use carry, and a run warns where its results show another.";

static const hol_expr_doc reactions[] = {
    {"FX(name)", "2D and 3D", "force along the x axis of the marker"},
    {"FY(name)", "2D and 3D", "the same along y"},
    {"FZ(name)", "3D", "the same along z"},
    {"FQ(name)", "2D and 3D",
     "what a driver or a lock of an angle or stroke, a law of a joint or a force in one gives to its "
     "coordinate, above "
     "0: drives "
     "it up"},
    {"FM(name)", "2D and 3D", "size of the force"},
    {"TX(name)", "3D", "torque about the x axis of the marker"},
    {"TY(name)", "3D", "the same about y"},
    {"TZ(name)", "2D and 3D", "the same about z"},
    {"TM(name)", "2D and 3D", "size of the torque"},
    {"FN(contact)", "2D and 3D", "normal force of a contact"},
    {"GAP(contact)", "2D and 3D", "distance of its shapes, below 0: depth"},
    {"VT(contact)", "2D and 3D", "speed of its shapes along each other"},
};
static const hol_expr_doc names[] = {
    {"time", "", "the time [s]; `t` as well, where the file has none of its own"},
    {"pi", "", "3.14159..; e is 2.71828.., where the file has none of its own"},
    {"name", "", "value of a variable, a state or an output"},
    {"VARVAL(name)", "", "the same"},
    {"DIF(name)", "", "the same"},
    {"DIF1(state)", "", "rate of a state"},
};

static void expression_rows(hol_page *p, const hol_expr_doc *row, int n)
{
    static const char *const titles[HOL_PAGE_COLUMNS] = {"name", "dimension", "meaning"};
    for (int i = 0; i < n; i++) hol_page_row(p, row[i].name, row[i].arguments, row[i].meaning, NULL);
    hol_page_table(p, titles);
}

// The measures between markers, with their arguments and dimension.
static void measure_table(hol_page *p)
{
    static const char *const titles[HOL_PAGE_COLUMNS] = {"measure", "dimension", "meaning"};
    char call[80];
    for (const hol_quantity_name *q = hol_quantity_names; q->name; q++) {
        snprintf(call, sizeof call, "%s%s", q->name, q->arguments);
        hol_page_row(p, call, q->dimensions == 5 ? "2D and 3D" : "3D", q->doc, NULL);
    }
    for (const hol_measured_name *m = hol_measured_names; m->name; m++) {
        snprintf(call, sizeof call, "%s(to, from)", m->name);
        hol_page_row(p, call, "2D and 3D", m->doc, NULL);
    }
    hol_page_table(p, titles);
}

static const char coordinate_text[] =
    "A joint's coordinates stand in expressions and in results by name, `hinge.angle`, `slide.speed`: of its "
    "second end against the first, about or along the axes of the first; 0 where both frames coincide, as "
    "they are drawn by `bodies` and `at`. Results have them all by `coordinates` among the signals.";

// One list of coordinates. Where a word is looked for the joints stand beside it, and "its rate" says whose.
static void coordinate_table(hol_page *p, const hol_joint_coordinate *list, const char *joints)
{
    static const char *const titles[HOL_PAGE_COLUMNS] = {"coordinate", "unit", "meaning"},
                             *const found[HOL_PAGE_COLUMNS] = {"coordinate", "unit", "of", "meaning"};
    const char *base = "";
    char text[200];
    hol_page_paragraph(p, joints);
    for (const hol_joint_coordinate *c = list; c->name; c++) {
        const bool derived = strncmp(c->doc, "its ", 4) == 0;
        if (!derived) base = c->name;
        snprintf(text, sizeof text, "%s%s%s", derived ? base : "", derived ? ": " : "", c->doc);
        hol_page_row(p, c->name, c->unit, p->wanted ? joints : c->doc, p->wanted ? text : NULL);
    }
    hol_page_table(p, p->wanted ? found : titles);
}

// Of each list the names, for the joints that have it; rates and second derivatives behind what they are of.
static void coordinate_tables(hol_page *p)
{
#define TABLE(list, rows, joints) coordinate_table(p, hol_coordinates_##list, joints);
    HOL_COORDINATE_LISTS(TABLE)
}

// Functions, units and constants of expressions.
static void expression_section(hol_page *p)
{
    static const char *const functions[HOL_PAGE_COLUMNS] = {"function", "meaning"};
    static const char *const units[HOL_PAGE_COLUMNS] = {"unit", "quantity", "meaning"};
    char call[80];
    int n;
    hol_page_heading(p, 2, "Expressions", "");
    hol_page_paragraph(p, expression_text);
    expression_rows(p, names, HOL_COUNT(names));
    hol_page_heading(p, 3, "measures", "");
    hol_page_paragraph(p, measure_text);
    measure_table(p);
    hol_page_heading(p, 3, "coordinates of joints", "");
    hol_page_paragraph(p, coordinate_text);
    coordinate_tables(p);
    hol_page_heading(p, 3, "reactions", "");
    hol_page_paragraph(p, reaction_text);
    expression_rows(p, reactions, HOL_COUNT(reactions));
    hol_page_heading(p, 3, "functions", "");
    const hol_expr_doc *row = hol_expr_functions(&n);
    for (int i = 0; i < n; i++) {
        snprintf(call, sizeof call, "%s(%s)", row[i].name, row[i].arguments);
        hol_page_row(p, call, row[i].meaning, NULL, NULL);
    }
    hol_page_table(p, functions);
    hol_page_heading(p, 3, "units of values", "");
    row = hol_expr_unit_names(&n);
    for (int i = 0; i < n; i++) hol_page_row(p, row[i].name, row[i].arguments, row[i].meaning, NULL);
    hol_page_table(p, units);
}

// How a row of results between steps has each kind of signal.
static void row_section(hol_page *p)
{
    static const char *const titles[HOL_PAGE_COLUMNS] = {"signals", "in a row between steps"};
    char text[200], linear[200] = "";
    const char *way;
    size_t n = 0;
    for (const hol_method *const *m = hol_methods; *m && n < sizeof linear; m++)
        if ((*m)->linear_unknowns)
            n += (size_t)snprintf(linear + n, sizeof linear - n, "%s%s", n ? ", " : "", (*m)->name);
    hol_page_heading(p, 3, "rows between steps", "");
    hol_page_paragraph(
        p, "Interpolated: by the method's own formula, and put onto the joints where it leaves them, or what "
           "velocity constraints hold, by more than a hundredth of the tolerance. Evaluated: from positions, "
           "velocities, states and time of the "
           "row, so that nothing is taken between two values of an angle that wraps or of an IF. Solved for: "
           "accelerations, reactions and multipliers at these positions and velocities. The methods that "
           "follow have them linear between steps:");
    hol_page_paragraph(p, linear);
    for (int i = 0; hol_signal_way(i, text, sizeof text, &way); i++) hol_page_row(p, text, way, NULL, NULL);
    hol_page_table(p, titles);
}

// What the columns of results are.
static void column_section(hol_page *p)
{
    static const char *const titles[HOL_PAGE_COLUMNS] = {"column", "unit", "of", "meaning"};
    hol_signal_column c;
    hol_page_heading(p, 3, "columns", "");
    for (int i = 0; hol_signal_column_row(i, &c); i++) hol_page_row(p, c.name, c.unit, c.of, c.doc);
    hol_page_table(p, titles);
}

// The groups of signals that may be asked for by name.
static void signal_section(hol_page *p)
{
    static const char *const titles[HOL_PAGE_COLUMNS] = {"signals", "meaning"};
    const char *name, *doc;
    hol_page_heading(p, 2, "Signals", "");
    hol_page_paragraph(
        p, "What `simulate: {signals: [..]}` and `--signals` may name, beside bodies, markers, joints, "
           "drivers, forces, variables and states, each with or without one of its components, "
           "`rod.tip.x`:");
    for (int i = 0; hol_signal_word(i, &name, &doc); i++) hol_page_row(p, name, doc, NULL, NULL);
    hol_page_table(p, titles);
    column_section(p);
    row_section(p);
}

// The rows of analysis/statistics.c.
static void statistics_section(hol_page *p)
{
    static const char *const titles[HOL_PAGE_COLUMNS] = {"statistic", "unit", "meaning"};
    hol_statistic s;
    hol_page_heading(p, 2, "Statistics", "");
    hol_page_paragraph(
        p, "Numbers of a run: what `--stats` writes and `hol_simulation_statistic` tells. Those that "
           "do not apply to a run are left out; a number that there is not is null.");
    for (int i = 0; hol_statistic_row(i, &s); i++) hol_page_row(p, s.name, s.unit, s.doc, NULL);
    hol_page_table(p, titles);
}

// What `check` and runs warn of.
static void warning_section(hol_page *p)
{
    static const char *const titles[HOL_PAGE_COLUMNS] = {"warning", "meaning"};
    const char *name, *doc;
    hol_page_heading(p, 2, "Warnings", "");
    hol_page_paragraph(p, "What `holonom check` warns of, by the name in brackets behind `warning`:");
    for (int i = 0; hol_warning_row(i, &name, &doc); i++) hol_page_row(p, name, doc, NULL, NULL);
    hol_page_table(p, titles);
}

static void term_section(hol_page *p)
{
    static const char *const titles[HOL_PAGE_COLUMNS] = {"term", "meaning"};
    hol_page_heading(p, 2, "Terms", "");
    hol_page_paragraph(p, "Words that the program prints, and words of machines with what builds them; "
                          "`holonom elements WORD` explains each:");
    for (const hol_term *t = hol_terms; t->names; t++) hol_page_row(p, t->names, t->text, NULL, NULL);
    hol_page_table(p, titles);
}

static void methods_section(hol_page *p);
// All of the manual; of a word that is wanted the term first, and methods too, which have a page of their own.
static void all_sections(hol_page *p)
{
    if (p->wanted) term_section(p);
    file_section(p);
    list_sections(p, NULL);
    expression_section(p);
    signal_section(p);
    statistics_section(p);
    warning_section(p);
    if (p->wanted)
        methods_section(p);
    else
        term_section(p);
}

void hol_describe_elements(hol_text_form form, hol_print_fn print, void *user)
{
    if (!print) return;
    hol_page page;
    hol_page_start(&page, form, print, user);
    if (form == HOL_MARKDOWN) {
        hol_page_heading(&page, 1, "Model reference", "");
        hol_page_paragraph(
            &page,
            "Printed by `holonom elements --markdown` and `holonom methods --markdown`; `make reference` "
            "writes it anew.");
    }
    all_sections(&page);
}

// A unit made of others, such as N/mm; false: the word is none.
static bool composed_unit(hol_page *p, const char *word)
{
    char dimension[100], text[300];
    hol_unit unit;
    if (!hol_unit_read(word, &unit)) return false;
    hol_dimension_print(&unit.dimension, dimension, sizeof dimension);
    hol_decimal_print(text, sizeof text, "`%s` is a unit of %s: %.10g in m, kg, s and rad.", word, dimension,
                      (double)unit.si);
    hol_page_find(p, NULL);
    hol_page_paragraph(p, text);
    return true;
}

// A system of units, such as mm-N-t-s; false: the word is none.
static bool system_of_units(hol_page *p, const char *word)
{
    int n = 0;
    for (const char *from = word; from; n++) {
        const char *end = strchr(from, '-');
        char one[40];
        hol_unit unit;
        snprintf(one, sizeof one, "%.*s", end ? (int)(end - from) : (int)strlen(from), from);
        if (!hol_unit_read(one, &unit)) return false;
        from = end ? end + 1 : NULL;
    }
    char text[300];
    if (n < 3) return false;
    snprintf(text, sizeof text,
             "`%.80s` is a system of units: with `units: {system: %.80s}` plain numbers of a model file are "
             "in these "
             "and what is made of them.",
             word, word);
    hol_page_find(p, NULL);
    hol_page_paragraph(p, text);
    return true;
}

// Whether something has this name besides the types, which have been printed.
static bool find_name(hol_page *p, const char *name, const char *word, bool types)
{
    hol_page_find(p, name);
    p->found = types;
    p->printed = types ? word : NULL;
    all_sections(p);
    return p->found;
}

// All that has this name: types in full, then keys, measures, units, functions, signals, terms, each below its heading.
static bool find_word(hol_page *p, const char *word)
{
    const char *dot = strrchr(word, '.');
    hol_page_find(p, NULL);
    const bool types = list_sections(p, word);
    if (dot && dot[1] && find_name(p, word, word, types)) return true; // "work.damping", a signal
    return find_name(p, dot && dot[1] ? dot + 1 : word, word, types);  // of "simulate.tolerance" the key
}

// One of many, "kinks", or with one too much: "-s" and "-es" are tried away.
static bool find_singular(hol_page *p, const char *word)
{
    char one[100];
    const size_t n = strlen(word);
    for (size_t cut = 1; cut <= 2 && n > cut + 1 && n < sizeof one && word[n - 1] == 's'; cut++) {
        snprintf(one, sizeof one, "%.*s", (int)(n - cut), word);
        if (find_word(p, one)) return true;
    }
    return false;
}

// "ball joint", "bushing element": the word before it names the type.
static bool find_without_kind(hol_page *p, const char *word)
{
    static const char *const kinds[] = {" joint", " driver", " force", " element", " constraint"};
    char one[100];
    for (int i = 0; i < HOL_COUNT(kinds); i++) {
        const size_t n = strlen(word), k = strlen(kinds[i]);
        if (n <= k || n >= sizeof one || !hol_same_name(word + n - k, kinds[i])) continue;
        snprintf(one, sizeof one, "%.*s", (int)(n - k), word);
        return find_word(p, one);
    }
    return false;
}

hol_status hol_describe_element(hol_context *ctx, const char *name, hol_text_form form, hol_print_fn print,
                                void *user)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, name)) return HOL_ERR_USAGE;
    if (hol_need(ctx, __func__, "print", print ? ctx : NULL)) return HOL_ERR_USAGE;
    hol_context_begin(ctx);
    hol_page page;
    hol_page_start(&page, form, print, user);
    if (find_word(&page, name)) return HOL_OK;
    char best[sizeof page.best];
    const bool near = page.nearest.best;
    snprintf(best, sizeof best, "%s", near ? page.nearest.best : "");
    const char *elsewhere = hol_elsewhere(NULL, name, 0);
    if (elsewhere) return hol_fail(ctx, HOL_ERR_USAGE, "there is no \"%s\": %s", name, elsewhere);
    if (composed_unit(&page, name) || system_of_units(&page, name) || find_singular(&page, name) ||
        find_without_kind(&page, name))
        return HOL_OK;
    return unknown(ctx, "element", name, near ? best : NULL);
}

// ---- methods --------------------------------------------------------------------------------------------------

static void describe_method(hol_page *p, const hol_method *m)
{
    hol_page_heading(p, 3, m->name, m->teaching ? "teaching method" : "");
    hol_page_paragraph(p, m->doc);
    for (int k = 0; k + 1 < HOL_METHOD_TABLES; k++) hol_page_options(p, hol_method_table(m, k), 0);
    if (p->n_rows) hol_page_option_table(p);
}

hol_status hol_describe_method(hol_context *ctx, const char *name, hol_text_form form, hol_print_fn print,
                               void *user)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, name)) return HOL_ERR_USAGE;
    if (hol_need(ctx, __func__, "print", print ? ctx : NULL)) return HOL_ERR_USAGE;
    hol_context_begin(ctx);
    hol_page page;
    const hol_method *method = hol_method_find(name);
    const char *elsewhere = method ? NULL : hol_elsewhere("method", name, 0);
    const bool chosen = !method && strcmp(name, "auto") == 0;
    if (elsewhere) return hol_fail(ctx, HOL_ERR_USAGE, "there is no method \"%s\": %s", name, elsewhere);
    if (!method && !chosen) return unknown(ctx, "method", name, hol_method_suggest(name));
    hol_page_start(&page, form, print, user);
    if (chosen) {
        hol_page_heading(&page, 3, name, "default");
        hol_page_paragraph(&page,
                           "One of these methods, chosen by what the model is and how stiff it is at the "
                           "start; a run says which one and why, `holonom compare` by which rules.");
    } else
        describe_method(&page, method);
    return HOL_OK;
}

// Each method with its options, then those of all.
static void methods_section(hol_page *p)
{
    hol_page_heading(p, 2, "Methods", "");
    hol_page_paragraph(
        p, "Chosen by `simulate: {method: hht}` or `--method hht`; options stand below the method's name, "
           "`simulate: {hht: {alpha: -0.1}}`, or come from `--set hht.alpha=-0.1`.");
    for (const hol_method *const *m = hol_methods; *m; m++) describe_method(p, *m);
    hol_page_heading(p, 3, "every method", "");
    hol_page_paragraph(p, "A tolerance of 1e-3 means the same for every method: "
                          "positions are right to about 1e-3 of the "
                          "mechanism's length and angles to 1e-3 rad over some ten times the time in "
                          "which things move by their own size; over N such "
                          "times the error is N/10 times that, and where a motion is unstable it grows "
                          "as neighbouring motions part. The mechanism's length is "
                          "`length_scale`, or the longest body among those that joints, forces or "
                          "expressions connect. A method whose order makes a "
                          "tolerance hopeless says so before it starts, with the steps it would take. "
                          "With `errors: paper` the "
                          "tolerance is the error admitted in a step, and the error of the result is "
                          "larger the lower the order is.");
    hol_page_paragraph(p, "Below the method's name as well, the last ones being the tolerance by parts:");
    hol_page_options(p, hol_tolerance_options, 0);
    hol_page_option_table(p);
}

void hol_describe_methods(hol_text_form form, hol_print_fn print, void *user)
{
    if (!print) return;
    hol_page page;
    hol_page_start(&page, form, print, user);
    methods_section(&page);
}
