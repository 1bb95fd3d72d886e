// User code: loading a shared object, calling it, differences of it.
#include "model/code.h"
#include "base/file.h"

#include <holonom_user.h>

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PREFIX "hol_user_"

// For differences, of inputs and states of which the library says nothing: penetrations of contacts are 1e-6, forces 1e5.
static const double DEFAULT_SIZE = 1e-2;

struct hol_code {
    void *handle;         // of dlopen
    char *file;           // path of the library
    hol_user_code type;   // a copy, 0 in what the library does not know of
    hol_user_instance me; // what its functions see
    double *parameter;
    void *data;       // what init made
    bool initialised; // init was called and succeeded
    hol_code_request what;
};

// A message about one key of the `code:` item (".library"; "" for the whole). tests/unit/test_code.c causes each of them:
// the broken models of tests/models_bad have no libraries.
static hol_status wrong(hol_context *ctx, const hol_code *c, hol_status status, const char *key,
                        const char *format, ...) HOL_PRINTF(5, 6);
static hol_status wrong(hol_context *ctx, const hol_code *c, hol_status status, const char *key,
                        const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    hol_decimal_vprint(text, sizeof text, format, args);
    va_end(args);
    return hol_fail_at(ctx, status, c->what.at, "%s%s: %s", c->what.path, key, text);
}

// ---- the file -------------------------------------------------------------------------------------------------

// The library's place: beside the file that names it unless its name is absolute; a name without a slash would be
// sought in the system's folders.
static hol_status find_file(hol_context *ctx, hol_code *c)
{
    const char *name = c->what.library, *folder = c->what.folder;
    // Without a slash dlopen would look into the folders of the system.
    if (!folder || !folder[0]) folder = ".";
    const size_t size = strlen(folder) + strlen(name) + 2;
    c->file = hol_calloc(ctx, size, 1);
    if (!c->file) return HOL_ERR_MEMORY;
    if (name[0] == '/')
        snprintf(c->file, size, "%s", name);
    else
        snprintf(c->file, size, "%s/%s", folder, name);

    struct stat there;
    if (stat(c->file, &there))
        return wrong(ctx, c, HOL_ERR_MODEL, ".library", "the file \"%s\" cannot be read: %s", c->file,
                     errno == ENOENT ? "there is no such file" : strerror(errno));
    if (!S_ISREG(there.st_mode))
        return wrong(ctx, c, HOL_ERR_MODEL, ".library", "\"%s\" is not a file", c->file);
    return HOL_OK;
}

// An ELF file of type DYN; executables and object files are not.
static bool is_shared_object(const char *path)
{
    unsigned char head[18] = {0};
    char why[160];
    FILE *file = hol_open_input(path, false, 0, why, sizeof why);
    const size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    if (file) fclose(file);
    return n == sizeof head && memcmp(head, "\177ELF", 4) == 0 && (head[16] | head[17]) == 3;
}

// Opens the shared object and puts the state of the floating-point unit back that its start may have changed.
static hol_status open_library(hol_context *ctx, hol_code *c)
{
    // A library made with -ffast-math switches subnormal numbers off for its whole process, others set rounding: what
    // the rest of a model computes must not depend on that.
    fenv_t environment;
    fegetenv(&environment);
    c->handle = dlopen(c->file, RTLD_NOW | RTLD_LOCAL);
    fesetenv(&environment);
    if (c->handle) return HOL_OK;

    const char *why = dlerror();
    if (!is_shared_object(c->file))
        return wrong(ctx, c, HOL_ERR_MODEL, ".library",
                     "\"%s\" is not a shared object (%s); one is made of a source by: "
                     "cc -O2 -shared -fPIC %s.c -o %s.so -lm",
                     c->file, why ? why : "unknown format", c->what.function, c->what.function);
    return wrong(ctx, c, HOL_ERR_MODEL, ".library",
                 "the library cannot be loaded: %s; what it uses must be given when it is "
                 "made, for example -lm",
                 why ? why : c->file);
}

// ---- the function ---------------------------------------------------------------------------------------------

// Adds a name to a list in quotes, once.
static void add_name(char *list, size_t size, const char *name)
{
    char quoted[140];
    const size_t used = strlen(list);
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    if (!strstr(list, quoted)) snprintf(list + used, size - used, "%s%s", used ? ", " : "", quoted);
}

// What else the library announces: words hol_user_NAME in its file that are symbols (debug information has some that
// are not).
static void list_functions(const hol_code *c, char *list, size_t size)
{
    char word[128];
    size_t n = 0;
    list[0] = 0;
    FILE *file = fopen(c->file, "rb");
    for (int ch; file && (ch = getc(file)) != EOF;) {
        if (ch && n < sizeof word) word[n++] = (char)ch;
        if (ch) continue;
        if (n < sizeof word) {
            word[n] = 0;
            if (strncmp(word, PREFIX, strlen(PREFIX)) == 0 && dlsym(c->handle, word))
                add_name(list, size, word + strlen(PREFIX));
        }
        n = 0;
    }
    if (file) fclose(file);
}

static hol_status no_function(hol_context *ctx, const hol_code *c)
{
    char list[600];
    list_functions(c, list, sizeof list);
    return wrong(ctx, c, HOL_ERR_MODEL, ".function",
                 "\"%s\" has no symbol " PREFIX "%s%s%s; a function is announced by "
                 "HOL_USER_CODE(%s) = {...} (holonom_user.h)",
                 c->file, c->what.function, list[0] ? ", but the functions " : "", list, c->what.function);
}

// Later versions of the same interface may add to the end of the structure what is optional.
static hol_status check_header(hol_context *ctx, const hol_code *c, const hol_user_header *h)
{
    const unsigned first = offsetof(hol_user_code, derivative) + sizeof c->type.derivative;
    if (h->abi != HOL_USER_ABI)
        return wrong(ctx, c, HOL_ERR_MODEL, ".function",
                     "\"%s\" is made for version %u of the interface, this program has "
                     "version %d: compile \"%s\" with the holonom_user.h of this program",
                     c->what.function, h->abi, HOL_USER_ABI, c->file);
    if (h->size < first || h->size > sizeof c->type)
        return wrong(ctx, c, HOL_ERR_MODEL, ".function",
                     "the announcement of \"%s\" has %u bytes, this program knows one of %u: begin "
                     "it with .header = HOL_USER_HEADER, and compile \"%s\" with the holonom_user.h of this "
                     "program",
                     c->what.function, h->size, (unsigned)sizeof c->type, c->file);
    return HOL_OK;
}

// Looks the function's description up in the library; checks its header, that it can be called, and its
// flags.
static hol_status find_function(hol_context *ctx, hol_code *c)
{
    char symbol[256];
    const int n = snprintf(symbol, sizeof symbol, PREFIX "%s", c->what.function);
    const hol_user_code *type = n < (int)sizeof symbol ? dlsym(c->handle, symbol) : NULL;
    if (!type) return no_function(ctx, c);
    hol_status st = check_header(ctx, c, &type->header);
    if (st) return st;
    memcpy(&c->type, type, type->header.size);
    if (!c->type.eval)
        st = wrong(ctx, c, HOL_ERR_MODEL, ".function",
                   "\"%s\" of \"%s\" has no .eval, the function to be called", c->what.function, c->file);
    else if (c->type.flags & ~HOL_USER_EXACT)
        st = wrong(ctx, c, HOL_ERR_MODEL, ".function", "\"%s\" of \"%s\" has the unknown flags 0x%x",
                   c->what.function, c->file, c->type.flags & ~HOL_USER_EXACT);
    return st;
}

// What the code takes and gives must be as many as the model names.
static hol_status check_counts(hol_context *ctx, const hol_code *c)
{
    const hol_user_code *type = &c->type;
    const struct {
        const char *key;
        int wanted, given;
    } rows[] = {{".inputs", type->n_inputs, c->what.n_inputs},
                {".outputs", type->n_outputs, c->what.n_outputs},
                {".states", type->n_states, c->what.n_states},
                {".parameters", type->n_parameters, c->what.n_parameters}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        if (rows[i].wanted < HOL_USER_ANY)
            return wrong(ctx, c, HOL_ERR_MODEL, ".function",
                         "\"%s\" of \"%s\" announces %d %s; a count or HOL_USER_ANY is wanted",
                         c->what.function, c->file, rows[i].wanted, rows[i].key + 1);
        if (rows[i].wanted != HOL_USER_ANY && rows[i].wanted != rows[i].given)
            return wrong(ctx, c, HOL_ERR_MODEL, rows[i].key,
                         "\"%s\" of \"%s\" has %d of them, here the number is %d", c->what.function, c->file,
                         rows[i].wanted, rows[i].given);
    }
    return HOL_OK;
}

// A size of 0 would make steps of 0.
static hol_status check_sizes(hol_context *ctx, const hol_code *c)
{
    const hol_user_code *type = &c->type;
    const struct {
        const char *what;
        const double *size;
        int n;
    } rows[] = {{"input", type->input_size, type->n_inputs}, {"state", type->state_size, type->n_states}};
    for (int k = 0; k < HOL_COUNT(rows); k++) {
        if (rows[k].size && rows[k].n == HOL_USER_ANY)
            return wrong(ctx, c, HOL_ERR_MODEL, ".function",
                         "\"%s\" of \"%s\" has .%s_size, but any number of them", c->what.function, c->file,
                         rows[k].what);
        for (int i = 0; rows[k].size && i < rows[k].n; i++)
            if (!(rows[k].size[i] > 0 && isfinite(rows[k].size[i])))
                return wrong(ctx, c, HOL_ERR_MODEL, ".function",
                             "\"%s\" of \"%s\" has .%s_size[%d] = %g, a positive number is wanted",
                             c->what.function, c->file, rows[k].what, i, rows[k].size[i]);
    }
    return HOL_OK;
}

// ---- the instance ---------------------------------------------------------------------------------------------

// Messages come from others: ended, on one line.
static const char *clean(char message[HOL_USER_MESSAGE])
{
    message[HOL_USER_MESSAGE - 1] = 0;
    for (char *p = message; *p; p++)
        if ((unsigned char)*p < ' ') *p = ' ';
    return message[0] ? message : "it gives no reason";
}

// Makes the instance: its parameters, and the call of its `init`, if it has one, which may refuse them.
static hol_status initialise(hol_context *ctx, hol_code *c)
{
    const hol_code_request *what = &c->what;
    c->parameter = hol_calloc(ctx, (size_t)what->n_parameters, sizeof *c->parameter);
    if (!c->parameter) return HOL_ERR_MEMORY;
    for (int i = 0; i < what->n_parameters; i++) c->parameter[i] = what->parameter[i];
    c->me = (hol_user_instance){what->n_inputs,     what->n_outputs, what->n_states,
                                what->n_parameters, c->parameter,    NULL};
    char message[HOL_USER_MESSAGE] = "";
    if (c->type.init && c->type.init(&c->me, &c->data, message))
        return wrong(ctx, c, HOL_ERR_MODEL, ".parameters", "\"%s\" refuses them: %s", what->function,
                     clean(message));
    c->me.data = c->data;
    c->initialised = c->type.init != NULL;
    return HOL_OK;
}

hol_status hol_code_load(hol_context *ctx, const hol_code_request *what, hol_code **out)
{
    *out = NULL;
    hol_code *c = hol_calloc(ctx, 1, sizeof *c);
    if (!c) return HOL_ERR_MEMORY;
    c->what = *what;
    hol_status st = hol_context_most_items(ctx)
                        ? wrong(ctx, c, HOL_ERR_MODEL, ".library", "libraries may not be loaded here")
                        : find_file(ctx, c);
    if (!st) st = open_library(ctx, c);
    if (!st) st = find_function(ctx, c);
    if (!st) st = check_counts(ctx, c);
    if (!st) st = check_sizes(ctx, c);
    if (!st) st = initialise(ctx, c);
    if (st) {
        hol_code_destroy(c);
        return st;
    }
    *out = c;
    return HOL_OK;
}

const char *hol_code_file(const hol_code *code) { return code->file; }

void hol_code_destroy(hol_code *code)
{
    if (!code) return;
    if (code->initialised && code->type.destroy) code->type.destroy(code->data);
    if (code->handle) dlclose(code->handle);
    hol_free(code->parameter);
    hol_free(code->file);
    hol_free(code);
}

// ---- calls ----------------------------------------------------------------------------------------------------

// HOL_RECOVERABLE with its reason.
static hol_status again(const hol_code *c, hol_code_fault *fault, const char *format, ...) HOL_PRINTF(3, 4);
// A fault that a smaller step may avoid: told in `fault`, and recoverable.
static hol_status again(const hol_code *c, hol_code_fault *fault, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (fault) {
        const int n = snprintf(fault->text, sizeof fault->text, "%s: \"%s\" of \"%s\" ", c->what.path,
                               c->what.function, c->what.library);
        if (n > 0 && (size_t)n < sizeof fault->text)
            hol_decimal_vprint(fault->text + n, sizeof fault->text - (size_t)n, format, args);
        fault->at = c->what.at;
    }
    va_end(args);
    return HOL_RECOVERABLE;
}

// The i-th of n values is not finite; names may be NULL.
static hol_status not_finite(const hol_code *c, double t, const char *what, const char *const *name, int i,
                             double value, hol_code_fault *fault)
{
    if (name) return again(c, fault, "%s %s as %g at t = %.9g s", what, name[i], value, t);
    return again(c, fault, "%s number %d as %g at t = %.9g s", what, i + 1, value, t);
}

static int first_not_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return i;
    return -1;
}

// What a function returned, as a status.
static hol_status judge(hol_context *ctx, const hol_code *c, double t, int result, char *message,
                        hol_code_fault *fault)
{
    if (result == HOL_USER_OK) return HOL_OK;
    if (result > 0) return again(c, fault, "asks for a smaller step at t = %.9g s: %s", t, clean(message));
    return wrong(ctx, c, HOL_ERR_INTEGRATION, "", "\"%s\" failed at t = %g s: %s", c->what.function, t,
                 clean(message));
}

// User code never sees arguments that are not finite: an index made of NaN would end the program.
static hol_status check_arguments(const hol_code *c, double t, const double *u, const double *x,
                                  hol_code_fault *fault)
{
    int i = first_not_finite(u, c->me.n_inputs);
    if (i >= 0) return not_finite(c, t, "gets input", c->what.input, i, u[i], fault);
    i = first_not_finite(x, c->me.n_states);
    if (i >= 0) return not_finite(c, t, "gets state", c->what.state, i, x[i], fault);
    return HOL_OK;
}

hol_status hol_code_eval(hol_context *ctx, const hol_code *code, double t, const double *u, const double *x,
                         double *y, double *f, hol_code_fault *fault)
{
    const int ny = code->me.n_outputs, nx = code->me.n_states;
    hol_status st = check_arguments(code, t, u, x, fault);
    if (st) return st;
    // What the function forgets to set is found below.
    for (int i = 0; i < ny; i++) y[i] = (double)NAN;
    for (int i = 0; i < nx; i++) f[i] = (double)NAN;
    char message[HOL_USER_MESSAGE];
    message[0] = 0;
    st = judge(ctx, code, t, code->type.eval(&code->me, t, u, x, y, f, message), message, fault);
    if (st) return st;
    int i = first_not_finite(y, ny);
    if (i >= 0) return not_finite(code, t, "gives output", code->what.output, i, y[i], fault);
    i = first_not_finite(f, nx);
    return i < 0 ? HOL_OK : not_finite(code, t, "gives the rate of state", code->what.state, i, f[i], fault);
}

// ---- derivatives ----------------------------------------------------------------------------------------------

static int rows(const hol_code *c) { return c->me.n_outputs + c->me.n_states; }
static int columns(const hol_code *c) { return c->me.n_inputs + c->me.n_states; }

size_t hol_code_work(const hol_code *code) { return (size_t)(columns(code) + 2 * rows(code)) + 1; }
bool hol_code_has_derivative(const hol_code *code) { return code->type.derivative != NULL; }
bool hol_code_exact(const hol_code *code)
{
    return code->type.derivative && (code->type.flags & HOL_USER_EXACT);
}

double hol_code_state_size(const hol_code *code, int i)
{
    return code->type.state_size ? code->type.state_size[i] : 0;
}

static double column_size(const hol_code *c, int j)
{
    const int nu = c->me.n_inputs;
    const double *size = j < nu ? c->type.input_size : c->type.state_size;
    return size ? size[j < nu ? j : j - nu] : DEFAULT_SIZE;
}

static hol_status check_derivative(const hol_code *c, double t, const double *D, hol_code_fault *fault)
{
    const int i = first_not_finite(D, rows(c) * columns(c));
    if (i < 0) return HOL_OK;
    const int row = i / columns(c), ny = c->me.n_outputs;
    return row < ny ? not_finite(c, t, "gives a derivative of output", c->what.output, row, D[i], fault)
                    : not_finite(c, t, "gives a derivative of the rate of state", c->what.state, row - ny,
                                 D[i], fault);
}

hol_status hol_code_derivative(hol_context *ctx, const hol_code *code, double t, const double *u,
                               const double *x, double *D, double *work, hol_code_fault *fault)
{
    if (!code->type.derivative) return hol_code_difference(ctx, code, t, u, x, D, work, fault);
    hol_status st = check_arguments(code, t, u, x, fault);
    if (st) return st;
    for (int i = 0; i < rows(code) * columns(code); i++) D[i] = 0;
    char message[HOL_USER_MESSAGE];
    message[0] = 0;
    st = judge(ctx, code, t, code->type.derivative(&code->me, t, u, x, D, message), message, fault);
    return st ? st : check_derivative(code, t, D, fault);
}

// One point of a difference: the arguments z = (u, x) with z_j replaced; results r = (y, f).
static hol_status evaluate(hol_context *ctx, const hol_code *c, double t, double *z, int j, double z_j,
                           double *r, hol_code_fault *fault)
{
    const double kept = z[j];
    z[j] = z_j;
    const hol_status st = hol_code_eval(ctx, c, t, z, z + c->me.n_inputs, r, r + c->me.n_outputs, fault);
    z[j] = kept;
    return st;
}

// Column j of D by the central difference
//
//     D_j = (r(z + h) - r(z - h)) / 2h + O(h^2 r''') + O(eps r/h),    h = eps^(1/3) max(|z|, size)
//
// Both errors are then near 1e-11 of r/size, and, what matters more, there is room if the size is misjudged: it may be
// 1e4 times too large or 1e7 times too small before the error reaches 1e-3, which Newton's iteration hardly notices. For
// a forward difference with its h = eps^(1/2) size the error is 1e-8 at best, and 1e-3 is reached at 1e5 both ways. Only
// the code's own inputs and states are varied, so the price is two calls a column, not two residuals of the system.
static hol_status column(hol_context *ctx, const hol_code *c, double t, double *z, int j, double *r[2],
                         double *D, hol_code_fault *fault)
{
    const double h = cbrt(DBL_EPSILON) * fmax(fabs(z[j]), column_size(c, j));
    double at[2] = {z[j] + h, z[j] - h};
    hol_status st[2];
    for (int k = 0; k < 2; k++)
        if ((st[k] = evaluate(ctx, c, t, z, j, at[k], r[k], fault)) < 0) return st[k];
    if (st[0] && st[1]) return HOL_RECOVERABLE;
    if (st[0] || st[1]) { // the edge of where the function has values: one side, and the point itself
        const int k = st[0] ? 0 : 1;
        at[k] = z[j];
        if ((st[k] = evaluate(ctx, c, t, z, j, at[k], r[k], fault))) return st[k];
    }
    for (int i = 0; i < rows(c); i++) D[i * columns(c) + j] = (r[0][i] - r[1][i]) / (at[0] - at[1]);
    return HOL_OK;
}

hol_status hol_code_difference(hol_context *ctx, const hol_code *code, double t, const double *u,
                               const double *x, double *D, double *work, hol_code_fault *fault)
{
    const int nu = code->me.n_inputs;
    double *z = work, *r[2] = {z + columns(code), z + columns(code) + rows(code)};
    hol_code_fault reason; // a point beyond the edge is no fault of the whole
    for (int j = 0; j < columns(code); j++) z[j] = j < nu ? u[j] : x[j - nu];
    for (int j = 0; j < columns(code); j++) {
        const hol_status st = column(ctx, code, t, z, j, r, D, &reason);
        if (st && fault && st > 0) *fault = reason;
        if (st) return st;
    }
    return check_derivative(code, t, D, fault);
}
