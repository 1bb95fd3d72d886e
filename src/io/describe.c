// What `holonom elements` and `holonom methods` print, made from the option rows of every type.
#include "analysis/settings.h"
#include "analysis/signals.h"
#include "analysis/statistics.h"
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

static const char marker_text[] = "A marker is a point of a body, `tip: [1, 0]`, or a frame, `tip: "
                                  "{position: [1, 0], angle: 90 deg}`. Joints, drivers "
                                  "and forces act at markers: `rod.tip`, `rod` (the origin of the body "
                                  "frame), `rod: [1, 0]` or `ground: [0, 2]`. z is "
                                  "the axis of a joint in 3D, x in 2D.";

static const char motion_text[] =
    "`motion` moves a marker on ground, `ground: {markers: {table: {motion: {x: 0.1*sin(time)}}}}`:";

static const char shape_text[] = "`shape` of a body, or of `ground`, says how it is drawn: one shape, a list "
                                 "of them, or `none`. It has no part in the "
                                 "mechanics. Bodies without it are drawn after their markers and joints, or "
                                 "their inertia. Places are in the body "
                                 "frame, as those of markers. The keys of all shapes are:";

static const char shape_example[] =
    "shape: {type: box, size: [1, 0.1, 0.1], position: [0.5, 0, 0], color: \"#4477aa\"}\n"
    "shape: [{type: cylinder, radius: 0.3, length: 0.1, axis: [0, 1, 0]}, {type: sphere, radius: 0.05}]\n"
    "shape: {type: capsule, from: [0, 0, 0], to: [1, 0, 0], radius: 0.05}\n"
    "shape: {type: polyline, points: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], closed: yes}\n"
    "shape: {type: mesh, file: part.stl, scale: 1 mm}\n"
    "shape: none\n";

// `shape:` and all its types.
static void shape_section(hol_page *p)
{
    hol_page_heading(p, 3, "shape", "");
    hol_page_paragraph(p, shape_text);
    hol_page_options(p, hol_shape_keys, 0);
    hol_page_option_table(p);
    for (const hol_shape_type *t = hol_shape_types; t->name; t++) {
        char text[200];
        snprintf(text, sizeof text, "`type: %s`: %s", t->name, t->doc);
        hol_page_paragraph(p, text);
        hol_page_options(p, t->options, 0);
        hol_page_option_table(p);
    }
    hol_page_example(p, shape_example);
}

static const char orientation_text[] = "Orientations (3D) name their kind:";

static const char orientation_example[] =
    "{quat_wxyz: [1, 0, 0, 0]}             Euler parameters, scalar first\n"
    "{rpy: [0, 0, 90 deg]}                 roll about x, pitch about y, yaw about z, fixed axes\n"
    "{euler_zxz: [10 deg, 20 deg, 0]}      turns about z, the new x, the new z; any sequence of axes\n"
    "{axis: [0, 0, 1], angle: 90 deg}      one turn about an axis\n"
    "{z: [1, 0, 0], x: [0, 1, 0]}          directions of z and, as near as possible, x\n";

static const char units_text[] =
    "Units of plain numbers. Each is converted by the dimension of its option: stiffness, torque, damping "
    "and pressure by "
    "the units of force, length and time, inertia, density, velocity and gravity by those of mass, length "
    "and time. With "
    "`length: mm` a plain stiffness is in N/mm and a plain gravity in mm/s^2. A number with a unit of its "
    "own is not touched. "
    "An expression that varies with the time or the motion is in SI units, and so are its plain numbers.";
static const char units_example[] = "units: {length: mm, angle: deg, force: N}\n"
                                    "units: {system: mm-N-t-s}\n";

// The file as a whole: its keys, loops, units, includes.
static void file_section(hol_page *p)
{
    hol_page_heading(p, 2, "Model file", "");
    hol_page_paragraph(p, file_text);
    hol_page_example(p, file_example);
    hol_page_options(p, hol_model_keys, 0);
    hol_page_option_table(p);
    hol_page_paragraph(p, loop_text);
    hol_page_heading(p, 3, "units", "");
    hol_page_paragraph(p, units_text);
    hol_page_example(p, units_example);
    hol_page_options(p, hol_units_keys, 0);
    hol_page_option_table(p);
    hol_page_heading(p, 3, "simulate", "");
    hol_page_options(p, hol_simulate_keys, 0);
    hol_page_option_table(p);
    hol_page_paragraph(
        p, "Options of a method stand below its name: `hht: {alpha: -0.1}`; see `holonom methods`.");
    hol_page_heading(p, 3, "markers", "");
    hol_page_paragraph(p, marker_text);
    hol_page_options(p, hol_marker_keys, 0);
    hol_page_option_table(p);
    hol_page_paragraph(p, motion_text);
    hol_page_options(p, hol_motion_keys, 0);
    hol_page_option_table(p);
    hol_page_heading(p, 3, "orientation", "");
    hol_page_paragraph(p, orientation_text);
    hol_page_example(p, orientation_example);
    shape_section(p);
}

// ---- types ----------------------------------------------------------------------------------------------------

static const char joint_text[] =
    "A joint holds two frames together. Either one marker of each body, `between: [rod.tip, slider]`, or one "
    "global "
    "frame at the drawn pose: `bodies: [rod, slider], at: [1, 0, 0], axis: [0, 0, 1]`. The couplers (gear, "
    "rack-pinion, coupler) hold the coordinates of other joints together: `joints: [first, second]`.";
static const char driver_text[] = "A driver prescribes a coordinate. `joint: hinge` takes the ends of that "
                                  "joint; otherwise ends are given as for a joint.";
static const char constraint_text[] =
    "A constraint holds an expression of measures and time (see Expressions) at 0. It has no type: the key "
    "`position` or `velocity` says at which level it holds, `{name: rolling, velocity: VX(wheel) + "
    "r*WZ(wheel)}`. Its multiplier is the signal `rolling.lambda`.";
static const char force_text[] = "Forces between two ends take them as joints do; those with one end have "
                                 "`on: rod.tip`, those in a joint its "
                                 "name, `joint: hinge`.";

static const struct {
    hol_role role;
    const char *title, *text;
    const hol_option *keys;
} sections[] = {{HOL_ROLE_BODY, "Bodies", NULL, hol_body_keys},
                {HOL_ROLE_JOINT, "Joints", joint_text, hol_joint_keys},
                {HOL_ROLE_DRIVER, "Drivers", driver_text, hol_driver_keys},
                {HOL_ROLE_CONSTRAINT, "Constraints", constraint_text, hol_constraint_keys},
                {HOL_ROLE_FORCE, "Forces", force_text, hol_force_keys}};

// "2D and 3D; also hinge, pin"
static void type_note(const hol_element_type *t, char note[200])
{
    size_t n = (size_t)snprintf(note, 200, "%s",
                                t->dimensions == 5   ? "2D and 3D"
                                : t->dimensions == 2 ? "2D"
                                                     : "3D");
    if (t->aliases) n += (size_t)snprintf(note + n, 200 - n, "; also ");
    for (const char *c = t->aliases; c && *c && n < 190; c++)
        n += (size_t)snprintf(note + n, 200 - n, *c == '|' ? ", " : "%c", *c);
}

static void describe_type(hol_page *p, const hol_element_type *t)
{
    char note[200];
    type_note(t, note);
    hol_page_heading(p, 3, t->name, note);
    hol_page_paragraph(p, t->doc);
    hol_page_options(p, t->options, t->dimensions == 5 ? 0 : t->dimensions);
    if (p->n_rows) hol_page_option_table(p);
}

static hol_status unknown(hol_context *ctx, const char *what, const char *name, const char *best)
{
    return hol_fail(ctx, HOL_ERR_USAGE, "there is no %s \"%s\"; %s%s%s%ss%s", what, name,
                    best ? "did you mean \"" : "`holonom ", best ? best : "", best ? "\"? `holonom " : "",
                    what, "` lists them");
}

static bool is_named(const hol_element_type *t, const char *name)
{
    return !name || hol_element_find(t->role, t->dimensions == 2 ? 2 : 3, name) == t;
}

// name: NULL, or of the type wanted; false: this section has none.
static bool role_section(hol_page *p, int i, const char *name)
{
    bool any = false;
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        any = any || ((*t)->role == sections[i].role && is_named(*t, name));
    if (!any) return false;
    hol_page_heading(p, 2, sections[i].title, "");
    if (sections[i].text) hol_page_paragraph(p, sections[i].text);
    hol_page_options(p, sections[i].keys, 0);
    hol_page_option_table(p);
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        if ((*t)->role == sections[i].role && is_named(*t, name)) describe_type(p, *t);
    return true;
}

// ---- users' equations, tables, events --------------------------------------------------------------------------

static const char variable_text[] =
    "A variable is a named expression. Any other expression may use its name, above or below; variables that "
    "depend on each other, on accelerations or on reactions are solved for together with the motion. The "
    "signal "
    "has the same name.";
static const char state_text[] = "A state is integrated with the motion: x' = rate. Expressions use its "
                                 "name, and `DIF1(x)` for its rate. The "
                                 "signal has the same name.";
static const char transfer_text[] = "The output, numerator(s)/denominator(s) times the input, is used by its "
                                    "name like a variable. `NAME_u` is the "
                                    "input, `NAME_x1`, `NAME_x2`, ... are the states.";
static const char space_text[] = "x' = A x + B u, y = C x + D u. The outputs are used by their names like "
                                 "variables; `NAME_u1`, ... are the "
                                 "inputs, `NAME_x1`, ... the states.";
static const char spline_text[] =
    "A function given by points, used as `spline(x, NAME)` in expressions and as the curve "
    "of a joint. In an expression its plain numbers are in SI units, as a curve or a road in those of the "
    "file; `units:` of "
    "the table, or units behind its numbers, hold for both. Beyond the points it goes "
    "on as a straight line.";
static const char code_text[] = "A function of a shared object, which user code announces by "
                                "`holonom_user.h`. Its outputs and states are used by "
                                "their names like variables and states; `NAME_u1`, ... are its inputs.";
static const char event_text[] =
    "An event happens where `when` passes through 0, or at given times. It says what is to be done: stop, "
    "print, "
    "set, on, off. Velocities stay as they are, accelerations are solved for anew. A parameter that an event "
    "sets is no "
    "constant: it can be used where the lists say \"expression\", except in constraints.";

static const char variable_example[] = "- {name: error, value: target - AZ(rod)}\n";
static const char state_example[] = "- {name: sum, rate: error, initial: 0}\n";
static const char transfer_example[] =
    "- {name: smooth, input: error, numerator: [1], denominator: [0.1, 1]}      1/(0.1 s + 1)\n";
static const char space_example[] =
    "- {name: filter, inputs: [error], outputs: [smooth], A: [[-10]], B: [[10]], C: [[1]]}\n";
static const char spline_example[] = "- {name: valve, x: [0, 0.01, 0.03], y: [0, 2e-3, 3e-3]}\n"
                                     "- {name: road, kind: cubic, file: road.csv, columns: [1, 3]}\n"
                                     "- {name: cam, x: [0, 90, 180], y: [0, 5, 0], units: {x: deg, y: mm}}\n";
static const char code_example[] =
    "- {name: tyre, library: ./tyre.so, inputs: [slip, load], outputs: [grip], parameters: [1.2]}\n";
static const char event_example[] =
    "- {name: lifted, when: FY(stop), direction: falling, off: stop, print: free}\n"
    "- {name: sample, every: 0.01, set: {held: gain*error}}\n";

static const struct {
    const char *title, *text, *example;
    const hol_option *keys;
} users[] = {{"Variables", variable_text, variable_example, hol_variable_keys},
             {"States", state_text, state_example, hol_state_keys},
             {"Transfer functions", transfer_text, transfer_example, hol_transfer_keys},
             {"State spaces", space_text, space_example, hol_state_space_keys},
             {"Splines", spline_text, spline_example, hol_spline_keys},
             {"Code", code_text, code_example, hol_code_keys},
             {"Events", event_text, event_example, hol_event_keys}};

static void user_section(hol_page *p, int i)
{
    hol_page_heading(p, 2, users[i].title, "");
    hol_page_paragraph(p, users[i].text);
    hol_page_example(p, users[i].example);
    hol_page_options(p, users[i].keys, 0);
    hol_page_option_table(p);
}

// ---- expressions ----------------------------------------------------------------------------------------------

static const char expression_text[] =
    "Numbers, + - * / ^, parentheses, `pi`, `e`, parameters, loop indices and, where f(time) or an "
    "expression is "
    "wanted, `time`, or `t` where the file has no `t` of its own. A unit "
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
                                    "signals are.";

static const hol_expr_doc reactions[] = {
    {"FX(name)", "2D and 3D", "force along the x axis of the marker"},
    {"FY(name)", "2D and 3D", "the same along y"},
    {"FZ(name)", "3D", "the same along z"},
    {"FM(name)", "2D and 3D", "size of the force"},
    {"TX(name)", "3D", "torque about the x axis of the marker"},
    {"TY(name)", "3D", "the same about y"},
    {"TZ(name)", "2D and 3D", "the same about z"},
    {"TM(name)", "2D and 3D", "size of the torque"},
};
static const hol_expr_doc names[] = {
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

static void all_sections(hol_page *p)
{
    file_section(p);
    for (int i = 0; i < HOL_COUNT(sections); i++) role_section(p, i, NULL);
    for (int i = 0; i < HOL_COUNT(users); i++) user_section(p, i);
    expression_section(p);
    signal_section(p);
    statistics_section(p);
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

hol_status hol_describe_element(hol_context *ctx, const char *name, hol_text_form form, hol_print_fn print,
                                void *user)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, name)) return HOL_ERR_USAGE;
    if (hol_need(ctx, __func__, "print", print ? ctx : NULL)) return HOL_ERR_USAGE;
    hol_context_begin(ctx);
    hol_page page;
    hol_unit unit;
    bool found = false;
    hol_page_start(&page, form, print, user);
    for (int i = 0; i < HOL_COUNT(sections); i++) found = role_section(&page, i, name) || found;
    if (found) return HOL_OK;
    hol_page_find(&page, name);
    all_sections(&page);
    if (page.found) return HOL_OK;
    const char *elsewhere = hol_elsewhere(NULL, name);
    if (elsewhere) return hol_fail(ctx, HOL_ERR_USAGE, "there is no \"%s\": %s", name, elsewhere);
    if (hol_unit_read(name, &unit))
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "\"%s\" is a unit made of others; `holonom elements units` lists those it is made of",
                        name);
    return unknown(ctx, "element", name, page.nearest.best);
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
    const char *elsewhere = method ? NULL : hol_elsewhere("method", name);
    if (elsewhere) return hol_fail(ctx, HOL_ERR_USAGE, "there is no method \"%s\": %s", name, elsewhere);
    if (!method) return unknown(ctx, "method", name, hol_method_suggest(name));
    hol_page_start(&page, form, print, user);
    describe_method(&page, method);
    return HOL_OK;
}

void hol_describe_methods(hol_text_form form, hol_print_fn print, void *user)
{
    if (!print) return;
    hol_page page;
    hol_page_start(&page, form, print, user);
    hol_page_heading(&page, 2, "Methods", "");
    hol_page_paragraph(
        &page,
        "Chosen by `simulate: {method: hht}` or `--method hht`; options stand below the method's name, "
        "`simulate: {hht: {alpha: -0.1}}`, or come from `--set hht.alpha=-0.1`.");
    for (const hol_method *const *m = hol_methods; *m; m++) describe_method(&page, *m);
    hol_page_heading(&page, 3, "every method", "");
    hol_page_paragraph(&page, "The tolerance by parts, below the method's name as well:");
    hol_page_options(&page, hol_tolerance_options, 0);
    hol_page_option_table(&page);
}
