// `units:` of a model file: the units of plain numbers, and what their reader should know of them.
#include "model/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const hol_option units_rows[] = {
    {"length", HOL_UNIT, "m", 0, 0, 0, 0, NULL, "unit of lengths, e.g. mm"},
    {"mass", HOL_UNIT, "kg", 0, 0, 0, 0, NULL, "unit of masses, e.g. g"},
    {"time", HOL_UNIT, "s", 0, 0, 0, 0, NULL, "unit of times, e.g. ms"},
    {"angle", HOL_UNIT, "rad", 0, 0, 0, 0, NULL, "unit of angles, e.g. deg"},
    {"force", HOL_UNIT, "N", 0, 0, 0, 0, NULL,
     "unit of forces, of which those of stiffness, torque, damping and pressure "
     "are made; default: N"},
    {"system", HOL_TEXT, "", 0, 0, 0, 0, "^[^-]+(-[^-]+){2,4}$", "several of these at once, e.g. mm-N-t-s"},
    {"output", HOL_MAP, "", 0, 0, 0, 0, "units_output",
     "units in which results are shown; default: those of SI, whatever the plain numbers are in"},
    HOL_END_OPTIONS};
const hol_object hol_units_object = {
    .name = "units",
    .rows = units_rows,
    .text =
        "Units of plain numbers. Each is converted by the dimension of its option: stiffness, torque, "
        "damping "
        "and pressure by "
        "the units of force, length and time, inertia, density, velocity and gravity by those of mass, "
        "length "
        "and time. With "
        "`length: mm` a plain stiffness is in N/mm and a plain gravity in mm/s^2. A number with a unit of "
        "its "
        "own is not touched. "
        "An expression that varies with the time or the motion is in SI units, and so are its plain numbers, "
        "those of variables, states and inputs, and of tables in expressions: a warning says so. A parameter "
        "without a unit is in the units of the place where it stands alone, or with numbers, also if events "
        "set it "
        "to plain numbers; as a factor in an expression that varies it is in SI units, and a warning says "
        "so, "
        "unless it is a pure number there, or has the same unit in SI. An included file with `units:` has "
        "them to itself; the units of a file that "
        "includes it "
        "do not hold there. A value of `--set` is in the units of the file where it takes its place.",
    .example = "units: {length: mm, angle: deg, force: N}\n"
               "units: {system: mm-N-t-s}\n"};

static const hol_option output_rows[] = {
    {"length", HOL_UNIT, "m", 0, 0, 0, 0, NULL, "unit of lengths, in the place of m"},
    {"mass", HOL_UNIT, "kg", 0, 0, 0, 0, NULL, "unit of masses, in the place of kg"},
    {"time", HOL_UNIT, "s", 0, 0, 0, 0, NULL, "unit of times, in the place of s"},
    {"angle", HOL_UNIT, "rad", 0, 0, 0, 0, NULL, "unit of angles, in the place of rad"},
    {"force", HOL_UNIT, "N", 0, 0, 0, 0, NULL, "unit of forces, in the place of N"},
    HOL_END_OPTIONS};
const hol_object hol_units_output_object = {
    .name = "units_output",
    .rows = output_rows,
    .text =
        "Units in which results are shown: in text files, pictures and the report. Each takes the place of "
        "its SI unit in "
        "the units of signals: with `{length: mm, force: kN}` positions are in mm, velocities in mm/s, "
        "torques in kN mm; "
        "energies stay in J. A variable with `unit:` is shown in that. A netCDF file keeps SI units and says "
        "how to show them, a text file says how to come back to SI, to the last digit but one: `diff`, "
        "`report`, restarts and Python "
        "work with SI units in any case. An included file chooses nothing.",
    .example = "units: {output: {length: mm, angle: deg, force: kN}}\n"};

// The base units: place in hol_units, dimension.
enum { N_BASES = HOL_BASES, FORCE = 4, OUTPUT = HOL_BASES + 1 };
static double *base_of(hol_units *u, int i)
{
    double *const all[N_BASES] = {&u->length, &u->mass, &u->time, &u->angle, &u->force};
    return all[i];
}

// Which base quantity the unit is one of; -1: of none
static int base_kind(const hol_unit *u)
{
    static const int force[4] = {1, 1, -2, 0};
    for (int b = 0; b < N_BASES; b++) {
        bool fits = true;
        for (int i = 0; i < 4; i++)
            fits = fits && u->dimension.power[i] == HOL_POWER_ONE * (b == FORCE ? force[i] : b == i);
        if (fits) return b;
    }
    return -1;
}

static hol_status set_base(hol_system *s, int base, const hol_unit *u)
{
    *base_of(&s->units, base) = (double)u->si;
    if (u->si != 1) s->si = false;
    return HOL_OK;
}

static hol_status read_unit(const hol_reader *r, hol_system *s, const hol_node *node, int base)
{
    const char *key = units_rows[base].key;
    const hol_path top = {NULL, "units", 0, NULL}, at = {&top, key, 0, NULL};
    hol_unit u;
    if (node->kind != HOL_NODE_SCALAR || !hol_unit_read(node->text, &u) || base_kind(&u) != base)
        return hol_read_fail(r, node, &at, "\"%s\" is not a unit of %s", node->text, key);
    return set_base(s, base, &u);
}

// mm-N-t-s: units of different quantities, in any order
static hol_status read_system(const hol_reader *r, hol_system *s, const hol_node *map, const hol_node *node)
{
    const hol_path top = {NULL, "units", 0, NULL}, at = {&top, "system", 0, NULL};
    bool given[N_BASES] = {false};
    int n = 0;
    for (const char *p = node->text; p; n++) {
        const char *end = strchr(p, '-');
        const int length = end ? (int)(end - p) : (int)strlen(p);
        char name[40];
        hol_unit u;
        snprintf(name, sizeof name, "%.*s", length, p);
        const int base = hol_unit_read(name, &u) ? base_kind(&u) : -1;
        if (base < 0)
            return hol_read_fail(r, node, &at,
                                 "\"%s\" is no unit of length, mass, time, angle or force; wanted is such as "
                                 "mm-N-t-s",
                                 name);
        if (given[base] || hol_node_find(map, units_rows[base].key))
            return hol_read_fail(r, node, &at, "the unit of %s is given twice", units_rows[base].key);
        given[base] = true;
        set_base(s, base, &u);
        p = end ? end + 1 : NULL;
    }
    if (given[0] && given[1] && given[2]) return HOL_OK;
    return hol_read_fail(r, node, &at, "a system names at least length, mass and time, such as mm-N-t-s");
}

// One name, because it stands in products: "mm", not "10 mm" or "m m".
static hol_status read_output(const hol_reader *r, const hol_node *map, hol_output_units *out)
{
    const hol_path top = {NULL, "units", 0, NULL}, path = {&top, units_rows[OUTPUT].key, 0, NULL};
    hol_value none[HOL_COUNT(output_rows)];
    hol_status st = hol_read_object(r, &hol_units_output_object, NULL, map, &path, none);
    for (int i = 0; i < N_BASES && !st; i++) {
        const hol_node *node = hol_node_find(map, output_rows[i].key);
        const hol_path at = {&path, output_rows[i].key, 0, NULL};
        int ignored[4];
        hol_unit u;
        if (!node) continue;
        if (node->kind != HOL_NODE_SCALAR || !hol_unit_find(node->text, strlen(node->text), ignored) ||
            !hol_unit_read(node->text, &u) || base_kind(&u) != i)
            return hol_read_fail(r, node, &at, "\"%s\" is not a unit of %s, such as %s",
                                 node->kind == HOL_NODE_SCALAR ? node->text : "", output_rows[i].key,
                                 output_rows[i].unit);
        out->name[i] = node->text;
        out->si[i] = u.si;
    }
    return st;
}

hol_status hol_read_units(const hol_reader *r, const hol_node *map, hol_system *out)
{
    const hol_path path = {NULL, "units", 0, NULL};
    hol_value none[HOL_COUNT(units_rows)];
    *out = (hol_system){.units = {1, 1, 1, 1, 1, 0}, .si = true, .map = map};
    hol_status st = hol_read_object(r, &hol_units_object, NULL, map, &path, none);
    const hol_node *system = hol_node_find(map, "system"),
                   *output = hol_node_find(map, units_rows[OUTPUT].key);
    if (!st && output) st = read_output(r, output, &out->output);
    for (int i = 0; i < N_BASES && !st; i++) {
        const hol_node *node = hol_node_find(map, units_rows[i].key);
        if (node) st = read_unit(r, out, node, i);
    }
    if (!st && system) st = read_system(r, out, map, system);
    out->force_given =
        out->units.force != 1 || hol_node_find(map, "force") || (system && strstr(system->text, "N"));
    return st;
}

// Of each unit of angles, which others there are.
void hol_units_compare(hol_systems *s)
{
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            if (s->system[i].units.angle != s->system[j].units.angle)
                s->system[i].units.other_angles |= (unsigned)HOL_NATURE_HOME << j;
}

// What the unit of lengths is called in `units:`.
static void name_length(const hol_node *map, int size, char *out)
{
    const hol_node *length = hol_node_find(map, "length"), *system = hol_node_find(map, "system");
    hol_unit u;
    snprintf(out, (size_t)size, "%s", length ? length->text : "m");
    for (const char *p = system ? system->text : NULL; p && *p; p += strcspn(p, "-"), p += *p == '-') {
        char name[40];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, "-"), p);
        if (hol_unit_read(name, &u) && base_kind(&u) == 0) snprintf(out, (size_t)size, "%s", name);
    }
}

// Plain numbers that are taken for m/s^2 by those who write them.
void hol_units_doubt_gravity(hol_spec *spec, const hol_node *node)
{
    double g = 0;
    const double unit = hol_unit_factor(hol_units_at(&spec->systems, node->at), "m/s^2");
    for (int i = 0; i < 3; i++) g += spec->gravity[i] * spec->gravity[i];
    g = sqrt(g);
    const bool plausible = g >= 1 && g <= 30, meant = g / unit >= 1 && g / unit <= 30,
               earth = fabs(g / unit - 9.81) < 0.05;
    if (unit == 1 || !meant || (plausible && !earth)) return;
    spec->gravity_doubted = true;
    hol_note_at(spec->ctx, HOL_WARNING, node->at,
                "gravity is %.6g m/s^2: plain numbers are in the units of the file; if m/s^2 are "
                "meant, write %.6g "
                "m/s^2, or %.6g",
                g, g / unit, g / unit / unit);
}

// Plain numbers where `units:` does not reach, with the first places of them.
static void tell_bare(const hol_spec *spec)
{
    const hol_bare *b = &spec->bare;
    char also[400] = "", way[200] = "give it a unit, which may follow a name, too, as in \"r mm\"";
    size_t n = 0;
    for (int i = 0; i < b->n && i < HOL_BARE_TOLD; i++)
        if (b->named[i]) {
            snprintf(
                way, sizeof way,
                "give \"%.60s\" its unit where it gets its value, or behind its name, as in \"r mm\" (m/m "
                "for a pure number)",
                b->named[i]);
            break;
        }
    for (int i = 1; i < b->n && i < HOL_BARE_TOLD && n < sizeof also; i++)
        n += (size_t)(hol_src_path(b->at[i])
                          ? snprintf(also + n, sizeof also - n, ", in %.60s", hol_src_path(b->at[i]))
                          : snprintf(also + n, sizeof also - n, ", at %.60s:%d:%d", b->at[i].file,
                                     b->at[i].line, b->at[i].col));
    if (b->n > HOL_BARE_TOLD && n < sizeof also)
        snprintf(also + n, sizeof also - n, " and in %d more places", b->n - HOL_BARE_TOLD);
    hol_note_at(
        spec->ctx, HOL_WARNING, b->at[0],
        "a number without a unit stands in an expression, a variable, a state or an input%s; there it is in "
        "SI units (m, kg, s, rad, N), whatever \"units:\" says: %s",
        also, way);
}

// What a reader of the files should know about their units.
void hol_units_tell(const hol_spec *spec, const hol_node *root)
{
    const hol_systems *s = &spec->systems;
    if (spec->bare.n) tell_bare(spec);
    for (int i = 1; i < s->n; i++) {
        const hol_node *output = hol_node_find(s->system[i].map, units_rows[OUTPUT].key);
        if (output)
            hol_note_at(spec->ctx, HOL_NOTICE, output->at,
                        "units.output: of an included file it has no effect; the file that is run chooses "
                        "the units of results");
    }
    for (int i = 0; i < s->n; i++) {
        if (s->system[i].force_given || s->system[i].si) continue;
        char name[40];
        name_length(s->system[i].map, sizeof name, name);
        hol_note_at(spec->ctx, HOL_NOTICE, s->system[i].map->at,
                    "units: no unit of force is given: plain forces are in N, stiffnesses in N/%s, "
                    "torques in N %s; "
                    "\"force: N\" says so",
                    name, name);
    }
    for (int i = 1; i < s->n && !s->system[0].map; i++)
        if (!s->system[i].si) {
            hol_note_at(
                spec->ctx, HOL_WARNING, root->at,
                "this file has no \"units:\": its plain numbers are in m, kg, s, rad, N; the \"units:\" "
                "of %s hold for the numbers there alone: give this file its own, such as units: "
                "{length: m}",
                s->system[i].map->at.file);
            return;
        }
}
