// FMI 2.0 for co-simulation: the functions that a master calls, with what the standard says of their order. The declarations are the
// project's own. https://fmi-standard.org, FMI 2.0.4, sections 2.1 and 4.2; where each function may be called: 4.2.4.
#define FMI(name) fmi2##name
#define STATE(before, after) fmi2##before##FMUstate##after
#define DESERIALIZE fmi2DeSerializeFMUstate
typedef int fmi_boolean;
typedef char fmi_byte;
#include "fmu/both.h"

#include <math.h>

typedef const char *fmi2String;
typedef void fmi2Logger(void *environment, const char *instance, int status, const char *category,
                        const char *format, ...);

typedef struct {
    fmi2Logger *logger;
    void *(*allocate)(size_t, size_t); // not used
    void (*release)(void *);
    void (*finished)(void *environment, int status);
    void *environment;
} fmi2Callbacks;

enum { CO_SIMULATION = 1 };                                                // fmi2Type
enum { DO_STEP_STATUS, PENDING_STATUS, LAST_SUCCESSFUL_TIME, TERMINATED }; // fmi2StatusKind

static void tell(const fmu *f, fmu_status status, const char *category, const char *text)
{
    fmi2Logger *const logger = (fmi2Logger *)f->logger;
    if (logger) logger(f->environment, f->name, (int)status, category, "%s", text);
}

// ---- what it is -----------------------------------------------------------------------------------------------

EXPORT const char *fmi2GetTypesPlatform(void);
const char *fmi2GetTypesPlatform(void) { return "default"; }

EXPORT const char *fmi2GetVersion(void);
const char *fmi2GetVersion(void) { return "2.0"; }

// ---- from the instance to its beginning -----------------------------------------------------------------------

EXPORT void *fmi2Instantiate(const char *, int, const char *, const char *, const fmi2Callbacks *, int, int);
// NULL: it has been told why.
void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                      const fmi2Callbacks *callbacks, int visible, int logging)
{
    (void)visible; // there is nothing to be seen
    if (!callbacks) return NULL;
    const fmu master = {.tell = tell,
                        .logging = logging != 0,
                        .name = name ? name : "",
                        .environment = callbacks->environment,
                        .logger = (fmu_logger *)callbacks->logger};
    return fmu_instantiate(&master, resources, guid,
                           type == CO_SIMULATION ? NULL : "this FMU is for co-simulation");
}

FUNCTION(fmi2SetupExperiment, void *instance, int has_tolerance, double tolerance, double start, int has_stop,
         double stop)
{
    BEGIN(FMU_INSTANTIATED);
    return fmu_set_up(f, start, has_stop ? stop : HUGE_VAL, has_tolerance, tolerance);
}

FUNCTION(fmi2EnterInitializationMode, void *instance)
{
    BEGIN(FMU_INSTANTIATED);
    f->mode = FMU_INITIALIZATION;
    return FMU_OK;
}

// ---- numbers --------------------------------------------------------------------------------------------------

FUNCTION(fmi2GetReal, void *instance, const unsigned reference[], size_t n, double value[])
{
    BEGIN(FMU_ALL);
    return fmu_get(f, n, reference, value);
}

FUNCTION(fmi2SetReal, void *instance, const unsigned reference[], size_t n, const double value[])
{
    BEGIN(SETS);
    return fmu_set(f, n, reference, value);
}

FUNCTION(fmi2GetDirectionalDerivative, void *instance, const unsigned unknown[], size_t n_unknown,
         const unsigned known[], size_t n_known, const double seed[], double sensitivity[])
{
    BEGIN(DERIVES);
    return fmu_derive(f, false, n_unknown, unknown, n_known, known, seed, sensitivity);
}

// ---- time -----------------------------------------------------------------------------------------------------

FUNCTION(fmi2DoStep, void *instance, double t, double h, int no_way_back)
{
    (void)no_way_back;
    BEGIN(FMU_STEP);
    return fmu_step(f, t, h);
}

// A status of the one kind that there is of its type.
#define STATUS(name, type, what, of_it)                                                                      \
    FUNCTION(name, void *instance, int kind, type *value)                                                    \
    {                                                                                                        \
        BEGIN(STEPPED);                                                                                      \
        if (!value) return fmu_fail(f, "no place for the status is given");                                  \
        if (kind != what) return fmu_fail(f, "there is no status of kind %d of this type", kind);            \
        *value = of_it;                                                                                      \
        return FMU_OK;                                                                                       \
    }
STATUS(fmi2GetStatus, int, DO_STEP_STATUS,
       f->mode == FMU_ENDED    ? FMU_DISCARD
       : f->mode == FMU_FAILED ? FMU_ERROR
                               : FMU_OK)
STATUS(fmi2GetRealStatus, double, LAST_SUCCESSFUL_TIME, fmu_time(f))
STATUS(fmi2GetBooleanStatus, int, TERMINATED, f->mode == FMU_ENDED)

// ---- what there is not ----------------------------------------------------------------------------------------

UNUSED_ARGUMENTS
#define OTHER(name, type)                                                                                    \
    NO_TYPE(fmi2Get##name, #name, FMU_ALL, type value[])                                                     \
    NO_TYPE(fmi2Set##name, #name, SETS, const type value[])
OTHER(Integer, int)
OTHER(Boolean, int)
OTHER(String, fmi2String)

CANNOT(fmi2SetRealInputDerivatives, void *instance, const unsigned reference[], size_t n, const int order[],
       const double value[])
CANNOT(fmi2GetRealOutputDerivatives, void *instance, const unsigned reference[], size_t n, const int order[],
       double value[])
CANNOT(fmi2CancelStep, void *instance)
CANNOT(fmi2GetIntegerStatus, void *instance, int kind, int *value)
CANNOT(fmi2GetStringStatus, void *instance, int kind, const char **value)
