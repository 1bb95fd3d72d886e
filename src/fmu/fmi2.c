// FMI 2.0 for co-simulation: the functions that a master calls, with what the standard says of their order. The declarations are the
// project's own. https://fmi-standard.org, FMI 2.0.4, sections 2.1 and 4.2.
#include "fmu/instance.h"
#include "fmu/place.h"

#include <math.h>
#include <string.h>

typedef void *fmi2Component, *fmi2Environment, *fmi2State;
typedef unsigned fmi2Reference;
typedef int fmi2Boolean, fmi2Integer, fmi2Status, fmi2Type, fmi2Kind; // fmi2Status as fmu_status
typedef const char *fmi2String;
typedef char fmi2Byte;
typedef void fmi2Logger(fmi2Environment, fmi2String instance, fmi2Status, fmi2String category,
                        fmi2String format, ...);

typedef struct {
    fmi2Logger *logger;
    void *(*allocate)(size_t, size_t); // not used
    void (*release)(void *);
    void (*finished)(fmi2Environment, fmi2Status);
    fmi2Environment environment;
} fmi2Callbacks;

enum { CO_SIMULATION = 1 };                                                // fmi2Type
enum { DO_STEP_STATUS, PENDING_STATUS, LAST_SUCCESSFUL_TIME, TERMINATED }; // fmi2Kind

#define EXPORT __attribute__((visibility("default")))

// Where each function may be called: section 4.2.4 of the standard.
#define GETS (FMU_ALL)
#define STEPPED (FMU_STEP | FMU_ENDED | FMU_TERMINATED | FMU_FAILED)
#define FUNCTIONS(X)                                                                                         \
    X(SetDebugLogging, FMU_ALL)                                                                              \
    X(SetupExperiment, FMU_INSTANTIATED)                                                                     \
    X(EnterInitializationMode, FMU_INSTANTIATED)                                                             \
    X(ExitInitializationMode, FMU_INITIALIZATION)                                                            \
    X(Terminate, FMU_STEP | FMU_ENDED)                                                                       \
    X(Reset, FMU_ALL)                                                                                        \
    X(GetReal, GETS)                                                                                         \
    X(GetInteger, GETS)                                                                                      \
    X(GetBoolean, GETS)                                                                                      \
    X(GetString, GETS)                                                                                       \
    X(SetReal, FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_STEP)                                             \
    X(SetInteger, FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_STEP)                                          \
    X(SetBoolean, FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_STEP)                                          \
    X(SetString, FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_STEP)                                           \
    X(GetFMUstate, FMU_ALL & ~FMU_FAILED)                                                                    \
    X(SetFMUstate, FMU_ALL)                                                                                  \
    X(FreeFMUstate, FMU_ALL)                                                                                 \
    X(SerializedFMUstateSize, FMU_ALL)                                                                       \
    X(SerializeFMUstate, FMU_ALL)                                                                            \
    X(DeSerializeFMUstate, FMU_ALL)                                                                          \
    X(GetDirectionalDerivative, FMU_INITIALIZATION | STEPPED)                                                \
    X(SetRealInputDerivatives, FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_STEP)                             \
    X(GetRealOutputDerivatives, STEPPED)                                                                     \
    X(DoStep, FMU_STEP)                                                                                      \
    X(CancelStep, FMU_STEP)                                                                                  \
    X(GetStatus, STEPPED)                                                                                    \
    X(GetRealStatus, STEPPED)                                                                                \
    X(GetIntegerStatus, STEPPED)                                                                             \
    X(GetBooleanStatus, STEPPED)                                                                             \
    X(GetStringStatus, STEPPED)

#define NUMBER(name, modes) CALL_##name,
#define ROW(name, modes) [CALL_##name] = {"fmi2" #name, modes},
typedef enum { FUNCTIONS(NUMBER) } call;
static const fmu_call calls[] = {FUNCTIONS(ROW)};

// The instance, where the function may be called; it returns otherwise.
#define BEGIN(name)                                                                                          \
    fmu *const f = component;                                                                                \
    if (!fmu_may(f, &calls[CALL_##name])) return FMU_ERROR

static void tell(const fmu *f, fmu_status status, const char *category, const char *text)
{
    union {
        void *object;
        fmi2Logger *function;
    } logger = {.object = f->logger};
    if (f->logger) logger.function(f->environment, f->name, (fmi2Status)status, category, "%s", text);
}

// ---- what it is -----------------------------------------------------------------------------------------------

EXPORT fmi2String fmi2GetTypesPlatform(void);
fmi2String fmi2GetTypesPlatform(void) { return "default"; }

EXPORT fmi2String fmi2GetVersion(void);
fmi2String fmi2GetVersion(void) { return "2.0"; }

EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, size_t, const fmi2String[]);
fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t n, const fmi2String category[])
{
    BEGIN(SetDebugLogging);
    return (fmi2Status)fmu_set_logging(f, on != 0, n, category);
}

// ---- from the instance to its end -----------------------------------------------------------------------------

EXPORT fmi2Component fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2Callbacks *,
                                     fmi2Boolean, fmi2Boolean);
// NULL: it has been told why.
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2Callbacks *callbacks, fmi2Boolean visible, fmi2Boolean logging)
{
    (void)visible; // there is nothing to be seen
    if (!callbacks) return NULL;
    union {
        fmi2Logger *function;
        void *object;
    } logger = {.function = callbacks->logger};
    char given[FMU_NAME];
    snprintf(given, sizeof given, "%s", name ? name : "");
    const fmu master = {.tell = tell,
                        .logging = logging != 0,
                        .name = given,
                        .environment = callbacks->environment,
                        .logger = logger.object};
    if (type != CO_SIMULATION) {
        fmu_fail(&master, "this FMU is for co-simulation");
        return NULL;
    }
    if (!*given || !guid || !resources) {
        fmu_fail(&master, "the name of the instance, the guid or the place of the resources is missing");
        return NULL;
    }
    char *folder = fmu_folder(&master, resources);
    fmu *f = folder ? fmu_create(&master, folder, guid) : NULL;
    hol_free(folder);
    return f;
}

EXPORT void fmi2FreeInstance(fmi2Component);
void fmi2FreeInstance(fmi2Component component)
{
    if (component) fmu_destroy(component);
}

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, double, double, fmi2Boolean, double);
fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean has_tolerance, double tolerance,
                               double start, fmi2Boolean has_stop, double stop)
{
    BEGIN(SetupExperiment);
    return (fmi2Status)fmu_set_up(f, start, has_stop ? stop : HUGE_VAL, has_tolerance, tolerance);
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component);
fmi2Status fmi2EnterInitializationMode(fmi2Component component)
{
    BEGIN(EnterInitializationMode);
    f->mode = FMU_INITIALIZATION;
    return FMU_OK;
}

EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component);
fmi2Status fmi2ExitInitializationMode(fmi2Component component)
{
    BEGIN(ExitInitializationMode);
    const fmu_status st = fmu_settle(f);
    if (!st) f->mode = FMU_STEP;
    return (fmi2Status)st;
}

EXPORT fmi2Status fmi2Terminate(fmi2Component);
fmi2Status fmi2Terminate(fmi2Component component)
{
    BEGIN(Terminate);
    f->mode = FMU_TERMINATED;
    return FMU_OK;
}

EXPORT fmi2Status fmi2Reset(fmi2Component);
fmi2Status fmi2Reset(fmi2Component component)
{
    BEGIN(Reset);
    return (fmi2Status)fmu_reset(f);
}

// ---- numbers --------------------------------------------------------------------------------------------------

EXPORT fmi2Status fmi2GetReal(fmi2Component, const fmi2Reference[], size_t, double[]);
fmi2Status fmi2GetReal(fmi2Component component, const fmi2Reference reference[], size_t n, double value[])
{
    BEGIN(GetReal);
    return (fmi2Status)fmu_get(f, n, reference, value);
}

EXPORT fmi2Status fmi2SetReal(fmi2Component, const fmi2Reference[], size_t, const double[]);
fmi2Status fmi2SetReal(fmi2Component component, const fmi2Reference reference[], size_t n,
                       const double value[])
{
    BEGIN(SetReal);
    return (fmi2Status)fmu_set(f, n, reference, value);
}

// All variables are real: lists of other types are empty.
#define OTHER(name, type)                                                                                    \
    EXPORT fmi2Status fmi2Get##name(fmi2Component, const fmi2Reference[], size_t, type[]);                   \
    fmi2Status fmi2Get##name(fmi2Component component, const fmi2Reference reference[], size_t n,             \
                             type value[])                                                                   \
    {                                                                                                        \
        (void)reference, (void)value;                                                                        \
        BEGIN(Get##name);                                                                                    \
        return (fmi2Status)(n ? fmu_fail(f, "there is no variable of the type " #name) : FMU_OK);            \
    }                                                                                                        \
    EXPORT fmi2Status fmi2Set##name(fmi2Component, const fmi2Reference[], size_t, const type[]);             \
    fmi2Status fmi2Set##name(fmi2Component component, const fmi2Reference reference[], size_t n,             \
                             const type value[])                                                             \
    {                                                                                                        \
        (void)reference, (void)value;                                                                        \
        BEGIN(Set##name);                                                                                    \
        return (fmi2Status)(n ? fmu_fail(f, "there is no variable of the type " #name) : FMU_OK);            \
    }
OTHER(Integer, fmi2Integer)
OTHER(Boolean, fmi2Boolean)
OTHER(String, fmi2String)

// What the description says that it cannot do.
static fmi2Status cannot(const fmu *f, const char *what)
{
    return (fmi2Status)fmu_fail(f, "this FMU has no %s, as its description says", what);
}

EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component, const fmi2Reference[], size_t,
                                               const fmi2Reference[], size_t, const double[], double[]);
fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2Reference unknown[],
                                        size_t n_unknown, const fmi2Reference known[], size_t n_known,
                                        const double dknown[], double dunknown[])
{
    (void)unknown, (void)n_unknown, (void)known, (void)n_known, (void)dknown, (void)dunknown;
    BEGIN(GetDirectionalDerivative);
    return cannot(f, "directional derivatives");
}

EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component, const fmi2Reference[], size_t,
                                              const fmi2Integer[], const double[]);
fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2Reference reference[], size_t n,
                                       const fmi2Integer order[], const double value[])
{
    (void)reference, (void)n, (void)order, (void)value;
    BEGIN(SetRealInputDerivatives);
    return cannot(f, "derivatives of inputs");
}

EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component, const fmi2Reference[], size_t,
                                               const fmi2Integer[], double[]);
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2Reference reference[], size_t n,
                                        const fmi2Integer order[], double value[])
{
    (void)reference, (void)n, (void)order, (void)value;
    BEGIN(GetRealOutputDerivatives);
    return cannot(f, "derivatives of outputs");
}

// ---- states ---------------------------------------------------------------------------------------------------

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component, fmi2State *);
fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2State *state)
{
    BEGIN(GetFMUstate);
    return (fmi2Status)fmu_save(f, (fmu_memory **)state);
}

EXPORT fmi2Status fmi2SetFMUstate(fmi2Component, fmi2State);
fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2State state)
{
    BEGIN(SetFMUstate);
    return (fmi2Status)fmu_restore(f, state);
}

EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2State *);
fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2State *state)
{
    BEGIN(FreeFMUstate);
    if (!state) return FMU_OK;
    fmu_forget(*state);
    *state = NULL;
    return FMU_OK;
}

EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2State, size_t *);
fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2State state, size_t *size)
{
    BEGIN(SerializedFMUstateSize);
    if (!state || !size) return (fmi2Status)fmu_fail(f, "no state or no place for its size is given");
    *size = fmu_memory_size(state);
    return FMU_OK;
}

EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2State, fmi2Byte[], size_t);
fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2State state, fmi2Byte bytes[], size_t n)
{
    BEGIN(SerializeFMUstate);
    return (fmi2Status)fmu_write_bytes(f, state, (unsigned char *)bytes, n);
}

EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte[], size_t, fmi2State *);
fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t n,
                                   fmi2State *state)
{
    BEGIN(DeSerializeFMUstate);
    return (fmi2Status)fmu_memory_read(f, (const unsigned char *)bytes, n, (fmu_memory **)state);
}

// ---- time -----------------------------------------------------------------------------------------------------

EXPORT fmi2Status fmi2DoStep(fmi2Component, double, double, fmi2Boolean);
fmi2Status fmi2DoStep(fmi2Component component, double t, double h, fmi2Boolean no_way_back)
{
    (void)no_way_back;
    BEGIN(DoStep);
    return (fmi2Status)fmu_step(f, t, h);
}

EXPORT fmi2Status fmi2CancelStep(fmi2Component);
fmi2Status fmi2CancelStep(fmi2Component component)
{
    BEGIN(CancelStep);
    return (fmi2Status)fmu_fail(f, "no step is pending");
}

// A kind of status that a function does not give.
static fmi2Status no_kind(const fmu *f, fmi2Kind kind, const void *value)
{
    return (fmi2Status)(value ? fmu_fail(f, "there is no status of kind %d of this type", kind)
                              : fmu_fail(f, "no place for the status is given"));
}

EXPORT fmi2Status fmi2GetStatus(fmi2Component, fmi2Kind, fmi2Status *);
fmi2Status fmi2GetStatus(fmi2Component component, fmi2Kind kind, fmi2Status *value)
{
    BEGIN(GetStatus);
    if (kind != DO_STEP_STATUS || !value) return no_kind(f, kind, value);
    *value = f->mode == FMU_ENDED ? FMU_DISCARD : f->mode == FMU_FAILED ? FMU_ERROR : FMU_OK;
    return FMU_OK;
}

EXPORT fmi2Status fmi2GetRealStatus(fmi2Component, fmi2Kind, double *);
fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2Kind kind, double *value)
{
    BEGIN(GetRealStatus);
    if (kind != LAST_SUCCESSFUL_TIME || !value) return no_kind(f, kind, value);
    *value = fmu_time(f);
    return FMU_OK;
}

EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component, fmi2Kind, fmi2Integer *);
fmi2Status fmi2GetIntegerStatus(fmi2Component component, fmi2Kind kind, fmi2Integer *value)
{
    BEGIN(GetIntegerStatus);
    return no_kind(f, kind, value);
}

EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component, fmi2Kind, fmi2Boolean *);
fmi2Status fmi2GetBooleanStatus(fmi2Component component, fmi2Kind kind, fmi2Boolean *value)
{
    BEGIN(GetBooleanStatus);
    if (kind != TERMINATED || !value) return no_kind(f, kind, value);
    *value = f->mode == FMU_ENDED;
    return FMU_OK;
}

EXPORT fmi2Status fmi2GetStringStatus(fmi2Component, fmi2Kind, fmi2String *);
fmi2Status fmi2GetStringStatus(fmi2Component component, fmi2Kind kind, fmi2String *value)
{
    BEGIN(GetStringStatus);
    return no_kind(f, kind, value);
}
