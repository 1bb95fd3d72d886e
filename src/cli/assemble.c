// holonom assemble MODEL: the pose and the velocities of the start, beside what the model gives.
#include "cli/names.h"
#include "holonom_analyses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {"--all", NULL, NULL, NULL,
     "list the other poses, too, that are found from this one by reflecting bodies"},
    {"--out", "-o", "FILE", NULL,
     "write the pose and the velocities as `pose:` of a model file, .yaml, to be included by the model; with "
     "--all each "
     "pose, as FILE-1.yaml, ..; may be given several times"},
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"--set", NULL, "PATH=VALUE", "", "override a value of the model, e.g. parameters.N=40"},
    {"-q", NULL, NULL, NULL, "no notes"},
    {NULL, NULL, NULL, NULL, NULL}};

// ---- text -----------------------------------------------------------------------------------------------------

#define IN_LINE 1e-9   // of a side that is none: what it would require does not hold
#define NEARLY 1e-3    // an elbow whose sine is less is hardly one
#define UNCHANGED 1e-9 // changes by less, relative to 1 and the value, are rounding

static bool is_changed(const hol_assembly_value *v)
{
    return fabs(v->used - v->asked) > UNCHANGED * fmax(1, fabs(v->asked));
}

// What is changed, and what was to be kept.
static void print_values(const char *what, int n, const hol_assembly_value *v)
{
    int shown = 0;
    for (int i = 0; i < n; i++) {
        if (!is_changed(&v[i]) && !v[i].exact) continue;
        if (!shown++) printf("%-20s %18s %18s %12s\n", what, "asked", "used", "change");
        printf("%-20s %18.12g %18.12g %12.4g %s%s\n", v[i].name, v[i].asked, v[i].used,
               v[i].used - v[i].asked, v[i].unit,
               v[i].exact   ? ", exact"
               : v[i].given ? ""
                            : ", not given");
    }
    if (!shown && n) printf("%s: as given\n", what);
}

// Which joint costs the most; where they are open, by how much.
static void print_joints(const hol_assembly *a)
{
    int dearest = -1;
    for (int i = 0; i < a->n_joints; i++)
        if (dearest < 0 || a->joint[i].cost > a->joint[dearest].cost) dearest = i;
    if (a->closed && a->change > 0 && dearest >= 0 && a->joint[dearest].cost > 0)
        printf("%s costs the most: the change grows by %.4g with its gap, by natural size\n",
               a->joint[dearest].name, a->joint[dearest].cost);
    for (int i = 0; i < a->n_joints && !a->closed && !a->broken; i++)
        printf("%-20s open by %.7g\n", a->joint[i].name, a->joint[i].open);
}

// On which side each loop is, and the line that keeps it there.
static void print_sides(const char *indent, int n, const hol_assembly_side *s)
{
    for (int i = 0; i < n; i++) {
        const char *left = s[i].value > 0 ? "left" : "right";
        if (*s[i].loop && (i == 0 || strcmp(s[i].loop, s[i - 1].loop)))
            printf("%sloop %s\n", indent, s[i].loop);
        if (s[i].joint && fabs(s[i].value) < IN_LINE)
            printf("%s  elbow %s, of %s and %s, is in line", indent, s[i].joint, s[i].body, s[i].other);
        else if (s[i].joint)
            printf("%s  elbow %s turns %s from %s to %s", indent, s[i].joint, left, s[i].body, s[i].other);
        else if (!*s[i].loop)
            printf("%s  others with these sides: %s is %.4g m %s the middle to the nearest of them", indent,
                   s[i].body, fabs(s[i].value), s[i].value > 0 ? "above" : "below");
        else
            printf("%s  %s is %.4g m %s the plane of the joints with ground", indent, s[i].body,
                   fabs(s[i].value), s[i].value > 0 ? "above" : "below");
        printf("%s\n", s[i].joint && fabs(s[i].value) >= IN_LINE && fabs(s[i].value) < NEARLY
                           ? ", nearly in line"
                           : "");
        if (fabs(s[i].value) > IN_LINE) printf("%s  assemble: {require: [\"%s\"]}\n", indent, s[i].require);
    }
}

// The poses that were found, each with what tells it from the others.
static void print_poses(const hol_assembly *a)
{
    if (!a->n_poses) return;
    printf("%d pose%s found from the drawing and by %d reflection%s; there may be others\n", a->n_poses,
           a->n_poses > 1 ? "s are" : " is", a->n_reflections, a->n_reflections == 1 ? "" : "s");
    for (int i = 0; i < a->n_poses; i++) {
        const hol_assembly_pose *p = &a->pose[i];
        printf("pose %d: change %.12g%s%s%s\n", i + 1, p->change,
               p->least ? "" : ", not the least one near by", p->allowed ? "" : ", not what is required",
               p->used ? ", used" : "");
        print_sides("  ", p->n_sides, p->side);
        for (int k = 0; k < p->n_coordinates; k++)
            printf("  %-20s %18.12g %s\n", p->coordinate[k].name, p->coordinate[k].value,
                   p->coordinate[k].unit);
    }
}

// What was found, as tables.
static void print_text(const hol_assembly *a)
{
    printf("%s\n", a->title ? a->title : a->model);
    if (a->broken)
        printf("the joints hold; %s does not\n", a->broken);
    else if (a->closed)
        printf("the joints hold; %s change by natural size and weight %.15g\n",
               a->least ? "least" : "no least", a->change);
    else
        printf("the joints do not hold in the nearest pose\n");
    print_values("position", a->n_positions, a->position);
    print_values("velocity", a->n_velocities, a->velocity);
    print_joints(a);
    if (a->n_poses)
        print_poses(a);
    else
        print_sides("", a->n_sides, a->side);
}

// ---- JSON -----------------------------------------------------------------------------------------------------

// A list of coordinates or rates.
static void json_values(const char *key, int n, const hol_assembly_value *v)
{
    printf(",\n  \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        printf("%s\n    {\"name\": ", i ? "," : "");
        cli_print_json(v[i].name);
        printf(", \"unit\": ");
        cli_print_json(v[i].unit);
        cli_print_json_number("asked", v[i].asked);
        cli_print_json_number("used", v[i].used);
        printf(", \"given\": %s, \"exact\": %s}", v[i].given ? "true" : "false",
               v[i].exact ? "true" : "false");
    }
    printf("]");
}

// A text, or null.
static void json_text(const char *key, const char *text)
{
    printf(", \"%s\": ", key);
    if (text)
        cli_print_json(text);
    else
        printf("null");
}

// A list of sides.
static void json_sides(const char *indent, int n, const hol_assembly_side *s)
{
    printf(",\n%s\"sides\": [", indent);
    for (int i = 0; i < n; i++) {
        printf("%s\n%s  {\"loop\": ", i ? "," : "", indent);
        cli_print_json(s[i].loop);
        json_text("joint", s[i].joint);
        json_text("body", s[i].body);
        json_text("other", s[i].other);
        cli_print_json_number("value", s[i].value);
        json_text("require", s[i].require);
        printf("}");
    }
    printf("]");
}

// A list of poses.
static void json_poses(const hol_assembly *a)
{
    printf(",\n  \"reflections\": %d, \"poses\": [", a->n_reflections);
    for (int i = 0; i < a->n_poses; i++) {
        const hol_assembly_pose *p = &a->pose[i];
        printf("%s\n    {\"least\": %s, \"allowed\": %s, \"used\": %s", i ? "," : "",
               p->least ? "true" : "false", p->allowed ? "true" : "false", p->used ? "true" : "false");
        cli_print_json_number("change", p->change);
        json_values("positions", p->n_positions, p->position);
        json_sides("    ", p->n_sides, p->side);
        printf(",\n    \"coordinates\": [");
        for (int k = 0; k < p->n_coordinates; k++) {
            printf("%s\n      {\"name\": ", k ? "," : "");
            cli_print_json(p->coordinate[k].name);
            json_text("unit", p->coordinate[k].unit);
            cli_print_json_number("value", p->coordinate[k].value);
            printf("}");
        }
        printf("]}");
    }
    printf("]");
}

// The whole object.
static void print_json(const hol_assembly *a)
{
    printf("{\n  \"title\": ");
    cli_print_json(a->title ? a->title : a->model);
    printf(", \"closed\": %s, \"least\": %s", a->closed ? "true" : "false", a->least ? "true" : "false");
    json_text("why", a->why);
    json_text("broken", a->broken);
    json_text("loop", a->loop);
    cli_print_json_number("gap", a->gap);
    cli_print_json_number("change", a->change);
    json_values("positions", a->n_positions, a->position);
    json_values("velocities", a->n_velocities, a->velocity);
    printf(",\n  \"joints\": [");
    for (int i = 0; i < a->n_joints; i++) {
        printf("%s\n    {\"name\": ", i ? "," : "");
        cli_print_json(a->joint[i].name);
        cli_print_json_number("open", a->joint[i].open);
        cli_print_json_number("cost", a->joint[i].cost);
        printf("}");
    }
    printf("],\n  \"lengths\": [");
    for (int i = 0; i < a->n_lengths; i++) {
        printf("%s\n    {\"name\": ", i ? "," : "");
        cli_print_json(a->length[i].name);
        json_text("unit", a->length[i].unit);
        cli_print_json_number("now", a->length[i].now);
        cli_print_json_number("closes", a->length[i].closes);
        cli_print_json_number("derivative", a->length[i].derivative);
        printf("}");
    }
    printf("]");
    json_sides("  ", a->n_sides, a->side);
    if (a->n_poses) json_poses(a);
    printf("\n}\n");
}

// ---- the verb -------------------------------------------------------------------------------------------------

// The pose, or each of them as FILE-1.yaml, FILE-2.yaml, ..
static hol_status write(hol_context *ctx, const hol_model *model, const hol_assembly *a, const char *path)
{
    hol_status st = a->n_poses ? HOL_OK : hol_assembly_write(ctx, a, path);
    const char *end = strrchr(path, '.');
    const int stem = (int)(end ? end - path : (ptrdiff_t)strlen(path));
    for (int i = 0; i < a->n_poses && !st; i++) {
        char name[4096];
        const int n = snprintf(name, sizeof name, "%.*s-%d%s", stem, path, i + 1, end ? end : "");
        if (n >= (int)sizeof name) return HOL_ERR_IO; // longer than names of files are
        st = hol_model_keep(ctx, model, name);
        if (!st) st = hol_assembly_write_pose(ctx, a, i, name);
    }
    return st;
}

// Writes and prints what was found; what is open is an error all the same.
static int show(hol_context *ctx, const cli_options *o, const hol_model *model, const hol_assembly *a)
{
    if (!a->closed) (void)cli_fail(ctx, HOL_ERR_ASSEMBLY);
    for (int i = 0; i < o->n_out; i++) {
        const hol_status st = write(ctx, model, a, o->out[i]);
        if (st) return cli_fail(ctx, st);
    }
    if (o->json)
        print_json(a);
    else
        print_text(a);
    return a->closed ? 0 : cli_exit_code(HOL_ERR_ASSEMBLY);
}

// The verb: assembles, writes, prints.
static int run(hol_context *ctx, const cli_options *o)
{
    int code = cli_check_outputs(o);
    if (code) return code;
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    if (!model) return cli_fail(ctx, hol_context_status(ctx));
    code = cli_keep_model(ctx, o, model);
    hol_assembly *a = code     ? NULL
                      : o->all ? hol_assembly_create_all(ctx, model)
                               : hol_assembly_create(ctx, model);
    if (a)
        code = show(ctx, o, model, a);
    else if (!code)
        code = cli_fail(ctx, hol_context_status(ctx));
    hol_assembly_destroy(a);
    hol_model_destroy(model);
    return code;
}

const cli_verb cli_assemble = {"assemble",
                               "MODEL [options]",
                               "closes the joints and shows what that changes",
                               "Examples:\n  holonom assemble models/walker.yaml\n"
                               "  holonom assemble models/slider_crank.yaml --all\n"
                               "  holonom assemble models/walker.yaml -o pose.yaml",
                               options,
                               run};
