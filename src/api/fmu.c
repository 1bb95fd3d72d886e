// A model as an FMU: the description of its variables in XML, the shared object that a master calls (src/fmu), the model with the files that
// it reads, and licences, in one archive.
#define _GNU_SOURCE // dladdr
#include "api/fmu.h"
#include "expr/expr.h"
#include "io/zip.h"
#include "model/files.h"
#include "model/model.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OBJECT "holonom-fmu.so"
#define LICENCES "holonom-fmu.txt"
#define MODEL_FOLDER "model/"  // of the resources, where no file has the name of the index
static const char HERE[] = ""; // an address in the library that this is in

enum { TOKEN = 40 };

typedef struct {
    const char *path, *name; // as it can be opened; within MODEL_FOLDER
    char *text;
    size_t n;
} part;

typedef struct {
    hol_context *ctx;
    const hol_model *model;
    hol_simulation *sim;
    hol_fmu_list list;
    int version;
    int n;
    part *file;        // the model's first                                 (n)
    char *index;       // HOL_FMU_INDEX
    char token[TOKEN]; // of all that is in the FMU but licences and the object
    const char *name;  // of the model's file
    char *identifier;  // that name as one of C: of the shared object, so that those of two FMUs differ
    FILE *xml;
} writer;

// ---- files ----------------------------------------------------------------------------------------------------

// A path from the root on, without "." and ".."; NULL: no memory.
static char *whole_path(hol_arena *arena, const char *path)
{
    char *here = path[0] == '/' ? NULL : getcwd(NULL, 0), *rest = NULL;
    char *all = hol_arena_print(arena, "%s/%s", here ? here : "", path);
    char *out = all ? hol_arena_alloc(arena, strlen(all) + 2, 1) : NULL, *to = out;
    free(here);
    for (char *word = out ? strtok_r(all, "/", &rest) : NULL; word; word = strtok_r(NULL, "/", &rest)) {
        if (strcmp(word, ".") == 0) continue;
        if (strcmp(word, "..") == 0) {
            while (to > out && *--to != '/') *to = 0;
            *to = 0;
            continue;
        }
        *to++ = '/';
        memcpy(to, word, strlen(word) + 1);
        to += strlen(word);
    }
    return out;
}

// How much of two paths up to a '/' is the same.
static size_t common(const char *a, const char *b, size_t most)
{
    size_t slash = 0;
    for (size_t i = 0; i < most && a[i] && a[i] == b[i]; i++)
        if (a[i] == '/') slash = i + 1;
    return slash;
}

static hol_status refuse_absolute(void *user, hol_node *name)
{
    return name->text[0] != '/'
               ? HOL_OK
               : hol_fail_at(user, HOL_ERR_USAGE, name->at,
                             "\"%s\" is a path of this machine, which an FMU cannot have: write it as it is "
                             "from this file on",
                             name->text);
}

static bool ends_in(const char *name, const char *end)
{
    const size_t n = strlen(name), k = strlen(end);
    return n >= k && strcmp(name + n - k, end) == 0;
}

// The names of files in a model file are relative, so that they lead to the same ones in the FMU.
static hol_status check_names(writer *w, const part *file, bool model)
{
    hol_node *root = NULL;
    if (!model && !ends_in(file->path, ".yaml") && !ends_in(file->path, ".yml") &&
        !ends_in(file->path, ".json"))
        return HOL_OK;
    hol_arena *arena = hol_arena_create(w->ctx);
    hol_status st =
        arena ? hol_tree_parse(w->ctx, arena, file->path, file->text, file->n, &root) : HOL_ERR_MEMORY;
    if (!st && root->kind == HOL_NODE_MAP) st = hol_tree_files(root, refuse_absolute, w->ctx);
    hol_arena_destroy(arena);
    return st;
}

// An override would need a file that is not there, or more than the line that it has in the index.
static hol_status check_override(writer *w, const char *override)
{
    const char *equal = strchr(override, '='), *value = equal ? equal + 1 : override;
    if (value[strspn(value, "\"' ")] == '/')
        return hol_fail(w->ctx, HOL_ERR_USAGE,
                        "--set %s: this is a path of this machine, which an FMU cannot have", override);
    return !strpbrk(override, "\n\r")
               ? HOL_OK
               : hol_fail(w->ctx, HOL_ERR_USAGE, "--set %.60s..: a value of one line is wanted for an FMU",
                          override);
}

// Is a folder, given from the root on, that of all files, whose name has so many letters, or one within it in which some lie?
static bool has_folder(const writer *w, size_t top, const char *folder)
{
    const size_t n = strlen(folder);
    bool there = false;
    for (int i = 0; i < w->n && n >= top; i++)
        there |= strncmp(w->file[i].name, folder, n) == 0 && w->file[i].name[n] == '/';
    return there;
}

// The FMU has the folders in which its files lie and no others: there a way does not lead back from another one, x/../tyre.yaml.
static hol_status check_way(const writer *w, const char *path, size_t top)
{
    const char *file = w->model->data->spec->file, *slash = strrchr(file, '/');
    const size_t own = slash ? (size_t)(slash - file) + 1 : 0;
    if (strncmp(path, file, own) != 0) // from --set, deep in its value
        return hol_fail(w->ctx, HOL_ERR_USAGE, "\"%s\" is a path of this machine, which an FMU cannot have",
                        path);
    for (const char *p = path + own, *next; p; p = next) {
        next = strchr(p, '/');
        if (next) next++;
        if (strncmp(p, "../", 3) != 0) continue;
        const char *from = hol_arena_print(w->list.arena, "%.*s", (int)(p - path), path);
        from = from ? whole_path(w->list.arena, from) : NULL;
        if (!from) return HOL_ERR_MEMORY;
        if (!has_folder(w, top, from))
            return hol_fail(w->ctx, HOL_ERR_USAGE,
                            "\"%s\" leads back from a folder that the FMU does not have, \"%.*s\": write the "
                            "shortest way to the file",
                            path + own, (int)(p - path - (int)own), path + own);
    }
    return HOL_OK;
}

// The folder of all files is that in which all of them lie; below it they have the places that they have here.
static hol_status name_files(writer *w)
{
    const hol_spec *spec = w->model->data->spec;
    size_t top = strlen(w->file[0].name);
    hol_status st = HOL_OK;
    for (int i = 0; i < w->n; i++) top = common(w->file[0].name, w->file[i].name, top);
    for (int i = 0; i < spec->n_files && !st; i++) st = check_way(w, spec->read_from[i], top);
    for (int i = 0; i < w->n; i++) w->file[i].name += top;
    for (int i = 0; i < spec->n_overrides && !st; i++) st = check_override(w, spec->override[i]);
    return st;
}

// A model text without a file takes none along: nobody knows where they would be.
static hol_status take_text(writer *w)
{
    const hol_spec *spec = w->model->data->spec;
    if (!spec->text || spec->n_files)
        return hol_fail(
            w->ctx, HOL_ERR_USAGE,
            "%s: a model that is no file, or that reads files without being one, cannot be exported: "
            "write it into a file",
            spec->file);
    w->n = 1;
    w->file[0].path = w->file[0].name = "model.yaml";
    w->file[0].n = strlen(spec->text);
    w->file[0].text = hol_calloc(w->ctx, w->file[0].n + 1, 1);
    if (w->file[0].text) memcpy(w->file[0].text, spec->text, w->file[0].n);
    return w->file[0].text ? HOL_OK : HOL_ERR_MEMORY;
}

// The files that the model was made of, the model first, each once by every name that it is read by.
static hol_status take_files(writer *w)
{
    const hol_spec *spec = w->model->data->spec;
    hol_status st = HOL_OK;
    w->file = hol_arena_alloc(w->list.arena, (size_t)spec->n_files + 1, sizeof *w->file);
    if (!w->file) return HOL_ERR_MEMORY;
    if (!spec->is_file || strcmp(spec->file, "-") == 0) return take_text(w);
    for (int i = 0; i < spec->n_files; i++) {
        const char *name = whole_path(w->list.arena, spec->read_from[i]);
        bool there = false;
        if (!name) return HOL_ERR_MEMORY;
        for (int k = 0; k < w->n; k++) there |= strcmp(w->file[k].name, name) == 0;
        if (!there) w->file[w->n++] = (part){.path = spec->read_from[i], .name = name};
    }
    for (int i = 0; i < w->n && !st; i++) {
        st = hol_text_read(w->ctx, w->file[i].path, &w->file[i].text, &w->file[i].n);
        if (!st && w->file[i].n > HOL_LONGEST_TEXT)
            st = hol_fail(w->ctx, HOL_ERR_USAGE, "%s: a file of more than 64 MB cannot go into an FMU",
                          w->file[i].path);
        if (!st) st = check_names(w, &w->file[i], i == 0);
    }
    return st ? st : name_files(w);
}

// Mesh files are for pictures, but for those that make the mass of a body, which the shared object cannot read.
static hol_status refuse_meshes(const writer *w)
{
    const hol_spec *spec = w->model->data->spec;
    for (int i = 0; i < spec->n_shapes; i++)
        if (spec->shape[i].kind == HOL_SHAPE_MESH && spec->shape[i].density > 0)
            return hol_fail_at(w->ctx, HOL_ERR_USAGE, spec->shape[i].at,
                               "the mass of a body follows from the mesh file \"%s\", which an FMU does not "
                               "read: give mass, com and inertia of the body in numbers (`holonom check` has "
                               "them)",
                               spec->shape[i].file);
    return HOL_OK;
}

// ---- the description ------------------------------------------------------------------------------------------

// A text as the value of an attribute.
static void put_text(writer *w, const char *text)
{
    for (; *text; text++) switch (*text) {
        case '&': fputs("&amp;", w->xml); break;
        case '<': fputs("&lt;", w->xml); break;
        case '>': fputs("&gt;", w->xml); break;
        case '"': fputs("&quot;", w->xml); break;
        case '\n':
        case '\r':
        case '\t': fputc(' ', w->xml); break;
        default:
            if ((unsigned char)*text >= ' ') fputc(*text, w->xml);
        }
}

// name="text", if there is a text.
static void put(writer *w, const char *name, const char *text)
{
    if (!text || !*text) return;
    fprintf(w->xml, " %s=\"", name);
    put_text(w, text);
    fputc('"', w->xml);
}

static void put_number(writer *w, const char *name, double x)
{
    char text[40];
    hol_decimal_print(text, sizeof text, "%.17g", x);
    put(w, name, text);
}

// Events at which a step may end: all but those of contacts that begin and end.
static bool has_events(const hol_model_data *m)
{
    bool any = false;
    for (int i = 0; i < m->n_events; i++) any = any || !m->event[i].touch;
    return any;
}

// What it can do, for co-simulation.
static void put_capabilities(writer *w)
{
    const char *derivatives = w->list.derivatives ? "true" : "false";
    fputs("  <CoSimulation", w->xml);
    put(w, "modelIdentifier", w->identifier);
    fputs(w->version == 2 ? " canHandleVariableCommunicationStepSize=\"true\" canInterpolateInputs=\"false\""
                            " maxOutputDerivativeOrder=\"0\" canNotUseMemoryManagementFunctions=\"true\""
                            " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
                          : " canHandleVariableCommunicationStepSize=\"true\" canGetAndSetFMUState=\"true\""
                            " canSerializeFMUState=\"true\" canReturnEarlyAfterIntermediateUpdate=\"false\""
                            " hasEventMode=\"true\"",
          w->xml);
    put(w, w->version == 2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives", derivatives);
    if (w->version == 3) put(w, "providesAdjointDerivatives", derivatives);
    if (w->version == 3) put(w, "mightReturnEarlyFromDoStep", has_events(w->model->data) ? "true" : "false");
    fputs("/>\n", w->xml);
}

// Exponents of the base units, where they are whole numbers.
static void put_base(writer *w, const char *name)
{
    static const char *const base[] = {"m", "kg", "s", "rad"};
    hol_unit unit;
    if (!hol_unit_read(name, &unit) || unit.si != 1) return;
    for (int i = 0; i < HOL_COUNT(base); i++)
        if (unit.dimension.power[i] % HOL_POWER_ONE) return;
    fputs("      <BaseUnit", w->xml);
    for (int i = 0; i < HOL_COUNT(base); i++)
        if (unit.dimension.power[i])
            fprintf(w->xml, " %s=\"%d\"", base[i], unit.dimension.power[i] / HOL_POWER_ONE);
    fputs("/>\n", w->xml);
}

// Is the unit in which the i-th variable is shown named by one before that has the same unit?
static bool is_shown_before(const writer *w, int i)
{
    const hol_fmu_variable *v = w->list.variable;
    for (int k = 0; k < i; k++)
        if (v[k].shown && strcmp(v[k].unit, v[i].unit) == 0 && strcmp(v[k].shown, v[i].shown) == 0)
            return true;
    return false;
}

// The unit with those in which variables that have it are shown.
static void put_unit(writer *w, const char *name)
{
    fputs("    <Unit", w->xml);
    put(w, "name", name);
    fputs(">\n", w->xml);
    put_base(w, name);
    for (int i = 0; i < w->list.n; i++) {
        const hol_fmu_variable *v = &w->list.variable[i];
        if (!v->shown || strcmp(v->unit, name) != 0 || is_shown_before(w, i)) continue;
        fputs("      <DisplayUnit", w->xml);
        put(w, "name", v->shown);
        put_number(w, "factor", v->factor);
        fputs("/>\n", w->xml);
    }
    fputs("    </Unit>\n", w->xml);
}

// Each unit once.
static void put_units(writer *w)
{
    fputs("  <UnitDefinitions>\n", w->xml);
    for (int i = 0; i < w->list.n; i++) {
        const char *unit = w->list.variable[i].unit;
        bool before = !*unit;
        for (int k = 0; k < i && !before; k++) before = strcmp(w->list.variable[k].unit, unit) == 0;
        if (!before) put_unit(w, unit);
    }
    fputs("  </UnitDefinitions>\n", w->xml);
}

// What the standard calls the kinds. start: it has one.
static const struct {
    const char *causality, *variability, *initial;
    bool start;
} kinds[] = {[HOL_FMU_TIME] = {"independent", "continuous", NULL, false},
             [HOL_FMU_INPUT] = {"input", "continuous", NULL, true},
             [HOL_FMU_TUNABLE] = {"parameter", "tunable", "exact", true},
             [HOL_FMU_PARAMETER] = {"parameter", "fixed", "exact", true},
             [HOL_FMU_CALCULATED] = {"calculatedParameter", "fixed", "calculated", false},
             [HOL_FMU_OUTPUT] = {"output", "continuous", "calculated", false},
             [HOL_FMU_LOCAL] = {"local", "continuous", "calculated", false}};

// The i-th variable, whose reference is i.
static void put_variable(writer *w, int i)
{
    const hol_fmu_variable *v = &w->list.variable[i];
    fputs(w->version == 2 ? "    <ScalarVariable" : "    <Float64", w->xml);
    put(w, "name", v->name);
    fprintf(w->xml, " valueReference=\"%d\"", i);
    put(w, "description", v->doc);
    put(w, "causality", kinds[v->kind].causality);
    put(w, "variability", kinds[v->kind].variability);
    put(w, "initial", kinds[v->kind].initial);
    if (w->version == 2) fputs("><Real", w->xml);
    put(w, "unit", v->unit);
    put(w, "displayUnit", v->shown);
    if (kinds[v->kind].start) put_number(w, "start", v->start);
    fputs(w->version == 2 ? "/></ScalarVariable>\n" : "/>\n", w->xml);
}

static void put_experiment(writer *w)
{
    const hol_settings *set = &w->sim->d->set;
    fputs("  <DefaultExperiment startTime=\"0\"", w->xml);
    put_number(w, "stopTime", set->end);
    if (set->tolerance > 0 && set->step <= 0) put_number(w, "tolerance", set->tolerance);
    if (set->output > 0) put_number(w, "stepSize", set->output);
    fputs("/>\n", w->xml);
}

// A word of C, which names no shared object's functions.
static bool is_keyword(const char *name)
{
    static const char *const words[] = {
        "auto",   "break",    "case",     "char",     "const", "continue", "default", "do",     "double",
        "else",   "enum",     "extern",   "float",    "for",   "goto",     "if",      "inline", "int",
        "long",   "register", "restrict", "return",   "short", "signed",   "sizeof",  "static", "struct",
        "switch", "typedef",  "union",    "unsigned", "void",  "volatile", "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0) return true;
    return false;
}

// The name of the file as one of C: its letters, digits and _; bytes of other letters as two digits each, so that names that differ
// in them stay apart, _ for all else, and before and behind what would be none.
static hol_status make_identifier(writer *w, size_t n)
{
    static const char digits[] = "0123456789abcdef",
                      taken[] = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char *out = hol_arena_alloc(w->list.arena, 2 * n + 8, 1);
    size_t k = 0;
    if (!out) return HOL_ERR_MEMORY;
    w->identifier = out;
    if (!n || (w->name[0] >= '0' && w->name[0] <= '9') || (unsigned char)w->name[0] >= 0x80) out[k++] = '_';
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)w->name[i];
        if (c >= 0x80) out[k++] = digits[c >> 4];
        out[k++] = c >= 0x80 ? digits[c & 15] : c && strchr(taken, c) ? (char)c : '_';
    }
    if (!n) memcpy(out, "model", k = strlen("model"));
    out[k] = 0;
    if (is_keyword(out)) memcpy(out + k, "_", 2);
    if (strlen(out) != n || memcmp(out, w->name, n) != 0)
        hol_note(w->ctx, HOL_NOTICE, "modelIdentifier of the FMU is %s: \"%.*s\" is no name in C", out,
                 (int)n, w->name);
    return HOL_OK;
}

// Name and identifier, of the file without .yaml.
static hol_status give_names(writer *w)
{
    const char *file = w->model->data->spec->file, *slash = strrchr(file, '/');
    w->name = slash ? slash + 1 : file;
    const size_t length = strlen(w->name), end = strlen(".yaml");
    const bool ends = length >= end && strcmp(w->name + length - end, ".yaml") == 0;
    return make_identifier(w, ends ? length - end : length);
}

// The whole of modelDescription.xml.
static hol_status put_description(writer *w)
{
    const hol_spec *spec = w->model->data->spec;
    fprintf(w->xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%d.0\"",
            w->version);
    put(w, "modelName", w->name);
    put(w, w->version == 2 ? "guid" : "instantiationToken", w->token);
    put(w, "description", spec->title);
    put(w, "generationTool", "holonom " HOL_VERSION);
    fputs(" variableNamingConvention=\"flat\">\n", w->xml);
    put_capabilities(w);
    put_units(w);
    fputs("  <LogCategories>\n"
          "    <Category name=\"logStatusWarning\" description=\"what was changed or may be wrong\"/>\n"
          "    <Category name=\"logStatusError\" description=\"why a call was refused or failed\"/>\n"
          "  </LogCategories>\n",
          w->xml);
    put_experiment(w);
    fputs("  <ModelVariables>\n", w->xml);
    for (int i = 0; i < w->list.n; i++) put_variable(w, i);
    fputs("  </ModelVariables>\n", w->xml);
    const hol_status st = hol_fmu_put_structure(w->xml, w->version, w->model, w->sim, &w->list);
    fputs("</fmiModelDescription>\n", w->xml);
    return st;
}

// ---- the archive ----------------------------------------------------------------------------------------------

// A token of all that tells this FMU from others, and the index with it.
static hol_status take_token(writer *w)
{
    const hol_spec *spec = w->model->data->spec;
    unsigned long long h = hol_hash(HOL_HASH_START, HOL_VERSION, strlen(HOL_VERSION));
    size_t n = TOKEN + sizeof MODEL_FOLDER + strlen(w->file[0].name) + 4;
    for (int i = 0; i < w->n; i++) {
        h = hol_hash(h, w->file[i].name, strlen(w->file[i].name) + 1);
        h = hol_hash(h, w->file[i].text, w->file[i].n);
    }
    for (int i = 0; i < spec->n_overrides; i++) {
        h = hol_hash(h, spec->override[i], strlen(spec->override[i]) + 1);
        n += strlen(spec->override[i]) + 1;
    }
    snprintf(w->token, sizeof w->token, "{holonom-%016llx}", h);
    w->index = hol_arena_alloc(w->list.arena, n, 1);
    if (!w->index) return HOL_ERR_MEMORY;
    size_t at = (size_t)snprintf(w->index, n, "%s\n" MODEL_FOLDER "%s\n", w->token, w->file[0].name);
    for (int i = 0; i < spec->n_overrides; i++)
        at += (size_t)snprintf(w->index + at, n - at, "%s\n", spec->override[i]);
    return HOL_OK;
}

// What stands beside the library that this code is in, or, beside a program, in ../lib.
static hol_status find_beside(writer *w, const char *name, char **path)
{
    static const char *const ways[] = {"", "../lib/", "lib/"};
    Dl_info info;
    const char *here = dladdr(HERE, &info) && info.dli_fname ? info.dli_fname : "";
    char *own = realpath(strchr(here, '/') ? here : "/proc/self/exe", NULL);
    const char *slash = own ? strrchr(own, '/') : NULL;
    *path = NULL;
    for (int i = 0; slash && i < HOL_COUNT(ways) && !*path; i++) {
        const char *at = hol_arena_print(w->list.arena, "%.*s/%s%s", (int)(slash - own), own, ways[i], name);
        if (at && access(at, R_OK) == 0) *path = hol_arena_copy(w->list.arena, at, strlen(at));
    }
    free(own);
    return *path ? HOL_OK
                 : hol_fail(
                       w->ctx, HOL_ERR_IO,
                       "%s, which every FMU contains, is not beside the library: `make` and `make install` "
                       "put it there",
                       name);
}

static hol_status add_file(writer *w, hol_zip *zip, const char *name, const char *path)
{
    char *bytes = NULL;
    size_t n = 0;
    hol_status st = hol_text_read(w->ctx, path, &bytes, &n);
    if (!st) st = hol_zip_add(zip, name, bytes, n);
    hol_free(bytes);
    return st;
}

// The description goes into the archive.
static hol_status describe(writer *w, hol_zip *zip)
{
    char *text = NULL;
    size_t n = 0;
    w->xml = open_memstream(&text, &n);
    if (!w->xml) return hol_fail(w->ctx, HOL_ERR_MEMORY, "out of memory");
    hol_status st = put_description(w);
    const bool bad = ferror(w->xml) | (fclose(w->xml) != 0);
    if (!st && bad) st = hol_fail(w->ctx, HOL_ERR_MEMORY, "out of memory");
    if (!st) st = hol_zip_add(zip, "modelDescription.xml", text, n);
    free(text);
    return st;
}

// All parts, in the archive that appears when it is whole.
static hol_status write_archive(writer *w, const char *path)
{
    hol_zip zip;
    char *object, *licences;
    hol_status st = give_names(w);
    if (!st) st = find_beside(w, OBJECT, &object);
    if (!st) st = find_beside(w, LICENCES, &licences);
    if (!st) st = hol_zip_open(w->ctx, path, &zip);
    if (st) return st;
    const char *binary = hol_arena_print(w->list.arena, "binaries/%s/%s.so",
                                         w->version == 2 ? "linux64" : "x86_64-linux", w->identifier);
    st = binary ? describe(w, &zip) : HOL_ERR_MEMORY;
    if (!st) st = add_file(w, &zip, binary, object);
    if (!st) st = add_file(w, &zip, "documentation/licenses/license.txt", licences);
    if (!st) st = hol_zip_add(&zip, "resources/" HOL_FMU_INDEX, w->index, strlen(w->index));
    for (int i = 0; i < w->n && !st; i++) {
        const char *name = hol_arena_print(w->list.arena, "resources/" MODEL_FOLDER "%s", w->file[i].name);
        st = name ? hol_zip_add(&zip, name, w->file[i].text, w->file[i].n) : HOL_ERR_MEMORY;
    }
    if (st && !zip.status) zip.status = st;
    return hol_zip_close(&zip);
}

hol_status hol_fmu_write(hol_context *ctx, const hol_model *model, int version, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    if (version != 2 && version != 3)
        return hol_fail(ctx, HOL_ERR_USAGE, "there is no version %d of FMI here: give 2 or 3", version);
    if (hol_model_keep(ctx, model, path)) return HOL_ERR_USAGE;
    writer w = {.ctx = ctx, .model = model, .version = version, .sim = hol_fmu_simulate(ctx, model, 0)};
    hol_status st = w.sim ? hol_fmu_list_create(ctx, model, w.sim, &w.list) : hol_context_status(ctx);
    if (!st) st = refuse_meshes(&w);
    if (!st && w.list.lacking)
        hol_note(ctx, HOL_NOTICE,
                 "the FMU has no directional derivatives: the output \"%s\" has none by inputs",
                 w.list.lacking);
    if (!st) st = take_files(&w);
    if (!st) st = take_token(&w);
    if (!st) st = write_archive(&w, path);
    for (int i = 0; i < w.n; i++) hol_free(w.file[i].text);
    hol_fmu_list_destroy(&w.list);
    hol_simulation_destroy(w.sim);
    return st;
}
