// What `holonom elements` and `holonom methods` print, made from the option rows of every type.
#include "analysis/settings.h"
#include "io/page.h"

#include <stdio.h>
#include <string.h>

// ---- model file -----------------------------------------------------------------------------------------------

static const char file_text[] = "A model file is YAML or JSON. Wherever a number is wanted, an expression of "
                                "parameters and loop indices may stand. "
                                "Plain numbers are in m, kg, s and rad unless `units:` says otherwise. In "
                                "the lists below, \"vector\" means as many "
                                "numbers as the model has dimensions, \"numbers\" one number or a list of "
                                "them, \"f(time)\" a number or an "
                                "expression of time.";

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

static const char orientation_text[] = "Orientations (3D) name their kind:";

static const char orientation_example[] =
    "{quat_wxyz: [1, 0, 0, 0]}             Euler parameters, scalar first\n"
    "{rpy: [0, 0, 90 deg]}                 roll about x, pitch about y, yaw about z, fixed axes\n"
    "{euler_zxz: [10 deg, 20 deg, 0]}      turns about z, the new x, the new z; any sequence of axes\n"
    "{axis: [0, 0, 1], angle: 90 deg}      one turn about an axis\n"
    "{z: [1, 0, 0], x: [0, 1, 0]}          directions of z and, as near as possible, x\n";

static void file_section(hol_page *p)
{
    hol_page_heading(p, 2, "Model file", "");
    hol_page_paragraph(p, file_text);
    hol_page_example(p, file_example);
    hol_page_options(p, hol_model_keys, 0);
    hol_page_option_table(p);
    hol_page_paragraph(p, loop_text);
    hol_page_heading(p, 3, "units", "");
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
}

// ---- types ----------------------------------------------------------------------------------------------------

static const char joint_text[] =
    "A joint holds two frames together. Either one marker of each body, `between: [rod.tip, slider]`, or one "
    "global "
    "frame at the drawn pose: `bodies: [rod, slider], at: [1, 0, 0], axis: [0, 0, 1]`.";
static const char driver_text[] = "A driver prescribes a coordinate. `joint: hinge` takes the ends of that "
                                  "joint; otherwise ends are given as for a joint.";
static const char force_text[] =
    "Forces between two ends take them as joints do; those with one end have `on: rod.tip`.";

static const struct {
    hol_role role;
    const char *title, *text;
    const hol_option *keys;
} sections[] = {{HOL_ROLE_BODY, "Bodies", NULL, hol_body_keys},
                {HOL_ROLE_JOINT, "Joints", joint_text, hol_joint_keys},
                {HOL_ROLE_DRIVER, "Drivers", driver_text, hol_driver_keys},
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

static void role_section(hol_page *p, int i)
{
    hol_page_heading(p, 2, sections[i].title, "");
    if (sections[i].text) hol_page_paragraph(p, sections[i].text);
    hol_page_options(p, sections[i].keys, 0);
    hol_page_option_table(p);
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        if ((*t)->role == sections[i].role) describe_type(p, *t);
}

// ---- expressions ----------------------------------------------------------------------------------------------

static const char expression_text[] =
    "Numbers, + - * / ^, parentheses, `pi`, `e`, parameters, loop indices and, where f(time) is wanted, "
    "`time`. A unit "
    "may follow a value: `90 deg`, `3 N m`; it binds tighter than every operator.";

static void expression_section(hol_page *p)
{
    static const char *const functions[HOL_PAGE_COLUMNS] = {"function", "meaning"};
    static const char *const units[HOL_PAGE_COLUMNS] = {"unit", "quantity", "meaning"};
    char call[80];
    int n;
    const hol_expr_doc *row = hol_expr_functions(&n);
    hol_page_heading(p, 2, "Expressions", "");
    hol_page_paragraph(p, expression_text);
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

void hol_describe_elements(hol_text_form form, hol_print_fn print, void *user)
{
    hol_page page;
    hol_page_start(&page, form, print, user);
    if (form == HOL_MARKDOWN) {
        hol_page_heading(&page, 1, "Model reference", "");
        hol_page_paragraph(
            &page,
            "Printed by `holonom elements --markdown` and `holonom methods --markdown`; `make reference` "
            "writes it anew.");
    }
    file_section(&page);
    for (int i = 0; i < HOL_COUNT(sections); i++) role_section(&page, i);
    expression_section(&page);
}

// ---- methods --------------------------------------------------------------------------------------------------

void hol_describe_methods(hol_text_form form, hol_print_fn print, void *user)
{
    hol_page page;
    hol_page_start(&page, form, print, user);
    hol_page_heading(&page, 2, "Methods", "");
    hol_page_paragraph(
        &page,
        "Chosen by `simulate: {method: hht}` or `--method hht`; options stand below the method's name, "
        "`simulate: {hht: {alpha: -0.1}}`, or come from `--set hht.alpha=-0.1`.");
    for (const hol_method *const *m = hol_methods; *m; m++) {
        hol_page_heading(&page, 3, (*m)->name, "");
        hol_page_paragraph(&page, (*m)->doc);
        for (int k = 0; k + 1 < HOL_METHOD_TABLES; k++) hol_page_options(&page, hol_method_table(*m, k), 0);
        hol_page_option_table(&page);
    }
    hol_page_heading(&page, 3, "every method", "");
    hol_page_paragraph(&page, "The tolerance by parts, below the method's name as well:");
    hol_page_options(&page, hol_tolerance_options, 0);
    hol_page_option_table(&page);
}
