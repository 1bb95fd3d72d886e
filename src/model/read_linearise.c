// `linearise:` of a model file: what goes in, what comes out, and in which coordinates the motion near a state is told.
#include "model/read.h"

#include <string.h>

enum { INPUTS, OUTPUTS, COORDINATES };
static const hol_option linearise_rows[] = {
    {"inputs", HOL_TEXTS, "", 0, 0, 0, HOL_MAY_BE_EMPTY, NULL,
     "names of inputs, tunable parameters and drivers; default: all inputs. A driver is moved by its second "
     "derivative: its value f(t) + u and the rate u' are two more states"},
    {"outputs", HOL_FUNCTIONS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_LEAVES | HOL_MAY_BE_EMPTY, NULL,
     "expressions as those of variables, accelerations and reactions too; signals of bodies, markers and "
     "reactions by their names; default: all variables"},
    {"coordinates", HOL_FUNCTIONS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_LEAVES | HOL_MAY_BE_EMPTY,
     NULL,
     "expressions of D and A measures and coordinates of joints, which become states with their rates, or of "
     "velocities, which become states alone; or names of variables that are such; default: coordinates of "
     "the program's own"},
    HOL_END_OPTIONS};
const hol_object hol_linearise_object = {
    .name = "linearise",
    .rows = linearise_rows,
    .text =
        "Of the motion near a state, x' = A x + B u, y = C x + D u: what the inputs u, the outputs y and the "
        "states x are. With coordinates the matrices are those of the motion that these measure, also where "
        "it is "
        "steady and does not rest: the lean of a rolling wheel. They must close: their rates may depend on "
        "nothing else; what the motion does not depend on, as where a vehicle is, may be left out.",
    .example = "linearise:\n"
               "  inputs: [u]\n"
               "  outputs: [\"AZ(rocker)\", crank.alpha, A.Fx]\n"
               "  coordinates: [\"AZ(crank)\"]\n"};

// Is the name that of a body, or "body.marker"? Only what is of no body may be a joint.
static bool is_body(const hol_spec *spec, hol_src at, const char *object)
{
    const size_t length = hol_body_length(&spec->subsystems, at, object);
    const char *own = hol_arena_copy(spec->arena, object, length);
    const hol_src of = own ? hol_outside(at, &own) : at;
    const char *full = own ? hol_full_name(spec->arena, of, own) : NULL;
    bool found = own && strcmp(own, "ground") == 0;
    for (int i = 0; i < spec->n_bodies && full && !found; i++) found = strcmp(spec->body[i]->name, full) == 0;
    return found;
}

const char *hol_signal_row(const char *signal, int dimension, bool any_case, bool *reaction)
{
    static const struct {
        const char *signal, *measure;
        int dimensions;
        bool reaction;
    } rows[] = {{"x", "DX", 5, false},     {"y", "DY", 5, false},     {"z", "DZ", 3, false},
                {"theta", "AZ", 2, false}, {"vx", "VX", 5, false},    {"vy", "VY", 5, false},
                {"vz", "VZ", 3, false},    {"omega", "WZ", 2, false}, {"wx", "WX", 3, false},
                {"wy", "WY", 3, false},    {"wz", "WZ", 3, false},    {"ax", "ACCX", 5, false},
                {"ay", "ACCY", 5, false},  {"az", "ACCZ", 3, false},  {"alpha", "WDTZ", 2, false},
                {"alx", "WDTX", 3, false}, {"aly", "WDTY", 3, false}, {"alz", "WDTZ", 3, false},
                {"Fx", "FX", 5, true},     {"Fy", "FY", 5, true},     {"Fz", "FZ", 3, true},
                {"T", "TZ", 2, true},      {"Tx", "TX", 3, true},     {"Ty", "TY", 3, true},
                {"Tz", "TZ", 3, true},     {"torque", "FQ", 5, true}, {"force", "FQ", 5, true}};
    for (int i = 0; i < HOL_COUNT(rows); i++)
        if ((any_case ? hol_same_name(rows[i].signal, signal) : strcmp(rows[i].signal, signal) == 0) &&
            (rows[i].dimensions == 5 || rows[i].dimensions == dimension)) {
            *reaction = rows[i].reaction;
            return rows[i].measure;
        }
    return NULL;
}

const char *hol_signal_measure(const hol_spec *spec, hol_src at, const char *object, const char *signal)
{
    bool reaction;
    const char *measure = hol_signal_row(signal, spec->reader.dimension, false, &reaction);
    return measure && reaction != is_body(spec, at, object) ? measure : NULL;
}

hol_status hol_read_linearise(hol_spec *spec, const hol_node *map)
{
    const hol_path path = {NULL, "linearise", 0, NULL};
    hol_reader r = hol_reader_at(&spec->reader, map->at);
    hol_value v[HOL_COUNT(linearise_rows)];
    r.signals = spec;
    hol_status st = hol_read_object(&r, &hol_linearise_object, NULL, map, &path, v);
    if (st) return st;
    spec->linearise = (hol_spec_linearise){.inputs_given = v[INPUTS].given,
                                           .n_inputs = v[INPUTS].n,
                                           .outputs_given = v[OUTPUTS].given,
                                           .n_outputs = v[OUTPUTS].n,
                                           .n_coordinates = v[COORDINATES].n,
                                           .input = v[INPUTS].word,
                                           .output = v[OUTPUTS].formula,
                                           .measure = v[COORDINATES].formula};
    return HOL_OK;
}
