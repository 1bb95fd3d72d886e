// FMI 3.0 for co-simulation, without event mode, clocks and early return: the functions that a master calls, with what the standard says of their
// order. All functions of the standard are there; those of what the description does not promise return an error. The declarations are the
// project's own. https://fmi-standard.org, FMI 3.0.2, sections 2.2, 2.3 and 4.2.
#include "fmu/instance.h"
#include "fmu/place.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef void *fmi3Instance, *fmi3Environment, *fmi3State;
typedef unsigned fmi3Reference;
typedef int fmi3Status; // as fmu_status
typedef bool fmi3Boolean, fmi3Clock;
typedef const char *fmi3String;
typedef const unsigned char *fmi3Binary;
typedef unsigned char fmi3Byte;
typedef void fmi3Logger(fmi3Environment, fmi3Status, fmi3String category, fmi3String message);
typedef void fmi3Update(fmi3Environment, double, fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                        fmi3Boolean *, double *);
typedef void fmi3Lock(void);

#define EXPORT __attribute__((visibility("default")))

// Where each function may be called: sections 2.3 and 4.2 of the standard.
#define STEPPED (FMU_STEP | FMU_ENDED | FMU_TERMINATED | FMU_FAILED)
#define SETS (FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_STEP)
#define FUNCTIONS(X)                                                                                         \
    X(SetDebugLogging, FMU_ALL)                                                                              \
    X(EnterInitializationMode, FMU_INSTANTIATED)                                                             \
    X(ExitInitializationMode, FMU_INITIALIZATION)                                                            \
    X(Terminate, FMU_STEP | FMU_ENDED)                                                                       \
    X(Reset, FMU_ALL)                                                                                        \
    X(Get, FMU_ALL) /* of all types */                                                                       \
    X(Set, SETS)                                                                                             \
    X(GetFMUState, FMU_ALL & ~FMU_FAILED)                                                                    \
    X(SetFMUState, FMU_ALL)                                                                                  \
    X(FreeFMUState, FMU_ALL)                                                                                 \
    X(SerializedFMUStateSize, FMU_ALL)                                                                       \
    X(SerializeFMUState, FMU_ALL)                                                                            \
    X(DeserializeFMUState, FMU_ALL)                                                                          \
    X(GetNumberOfVariableDependencies, FMU_ALL)                                                              \
    X(GetVariableDependencies, FMU_ALL)                                                                      \
    X(DoStep, FMU_STEP)

#define NUMBER(name, modes) CALL_##name,
#define ROW(name, modes) [CALL_##name] = {"fmi3" #name, modes},
typedef enum { FUNCTIONS(NUMBER) } call;
static const fmu_call calls[] = {FUNCTIONS(ROW)};

// The instance, where the function may be called; it returns otherwise.
#define BEGIN(name)                                                                                          \
    fmu *const f = instance;                                                                                 \
    if (!fmu_may(f, &calls[CALL_##name])) return FMU_ERROR

static void tell(const fmu *f, fmu_status status, const char *category, const char *text)
{
    union {
        void *object;
        fmi3Logger *function;
    } logger = {.object = f->logger};
    if (f->logger) logger.function(f->environment, (fmi3Status)status, category, text);
}

// ---- what it is -----------------------------------------------------------------------------------------------

EXPORT fmi3String fmi3GetVersion(void);
fmi3String fmi3GetVersion(void) { return "3.0"; }

EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, size_t, const fmi3String[]);
fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, size_t n, const fmi3String category[])
{
    BEGIN(SetDebugLogging);
    return (fmi3Status)fmu_set_logging(f, on, n, category);
}

// ---- from the instance to its end -----------------------------------------------------------------------------

// What the master has given.
static fmu about(fmi3String name, fmi3Boolean logging, fmi3Environment environment, fmi3Logger *log,
                 char given[FMU_NAME])
{
    union {
        fmi3Logger *function;
        void *object;
    } logger = {.function = log};
    snprintf(given, FMU_NAME, "%s", name ? name : "");
    return (fmu){
        .tell = tell, .logging = logging, .name = given, .environment = environment, .logger = logger.object};
}

EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                                fmi3Boolean, fmi3Boolean, const fmi3Reference[], size_t,
                                                fmi3Environment, fmi3Logger *, fmi3Update *);
// NULL: it has been told why.
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode,
                                         fmi3Boolean early_return, const fmi3Reference required[],
                                         size_t n_required, fmi3Environment environment, fmi3Logger *log,
                                         fmi3Update *update)
{
    (void)visible, (void)early_return, (void)required,
        (void)update; // there is no window, return or update to be had
    char given[FMU_NAME];
    const fmu master = about(name, logging, environment, log, given);
    const char *why = event_mode   ? "this FMU has no event mode, as its description says"
                      : n_required ? "this FMU has no intermediate update, as its description says"
                      : !*given || !token || !resources
                          ? "the name of the instance, the token or the path of the resources is missing"
                          : NULL;
    if (why) {
        fmu_fail(&master, "%s", why);
        return NULL;
    }
    char *folder = fmu_folder(&master, resources);
    fmu *f = folder ? fmu_create(&master, folder, token) : NULL;
    hol_free(folder);
    return f;
}

EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                                 fmi3Environment, fmi3Logger *);
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3Environment environment, fmi3Logger *log)
{
    (void)token, (void)resources, (void)visible;
    char given[FMU_NAME];
    const fmu master = about(name, logging, environment, log, given);
    fmu_fail(&master, "this FMU is for co-simulation");
    return NULL;
}

EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                      fmi3Boolean, fmi3Environment, fmi3Logger *, void *,
                                                      fmi3Lock *, fmi3Lock *);
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                               fmi3Boolean visible, fmi3Boolean logging,
                                               fmi3Environment environment, fmi3Logger *log, void *update,
                                               fmi3Lock *lock, fmi3Lock *unlock)
{
    (void)update, (void)lock, (void)unlock;
    return fmi3InstantiateModelExchange(name, token, resources, visible, logging, environment, log);
}

EXPORT void fmi3FreeInstance(fmi3Instance);
void fmi3FreeInstance(fmi3Instance instance)
{
    if (instance) fmu_destroy(instance);
}

EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, double, double, fmi3Boolean, double);
fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance, double tolerance,
                                       double start, fmi3Boolean has_stop, double stop)
{
    BEGIN(EnterInitializationMode);
    const fmu_status st = fmu_set_up(f, start, has_stop ? stop : HUGE_VAL, has_tolerance, tolerance);
    if (!st) f->mode = FMU_INITIALIZATION;
    return (fmi3Status)st;
}

EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance);
fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    BEGIN(ExitInitializationMode);
    const fmu_status st = fmu_settle(f);
    if (!st) f->mode = FMU_STEP;
    return (fmi3Status)st;
}

EXPORT fmi3Status fmi3Terminate(fmi3Instance);
fmi3Status fmi3Terminate(fmi3Instance instance)
{
    BEGIN(Terminate);
    f->mode = FMU_TERMINATED;
    return FMU_OK;
}

EXPORT fmi3Status fmi3Reset(fmi3Instance);
fmi3Status fmi3Reset(fmi3Instance instance)
{
    BEGIN(Reset);
    return (fmi3Status)fmu_reset(f);
}

// ---- numbers --------------------------------------------------------------------------------------------------

EXPORT fmi3Status fmi3GetFloat64(fmi3Instance, const fmi3Reference[], size_t, double[], size_t);
fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3Reference reference[], size_t n, double value[],
                          size_t n_values)
{
    BEGIN(Get);
    if (n != n_values) return (fmi3Status)fmu_fail(f, "%zu variables and %zu values are given", n, n_values);
    return (fmi3Status)fmu_get(f, n, reference, value);
}

EXPORT fmi3Status fmi3SetFloat64(fmi3Instance, const fmi3Reference[], size_t, const double[], size_t);
fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3Reference reference[], size_t n,
                          const double value[], size_t n_values)
{
    BEGIN(Set);
    if (n != n_values) return (fmi3Status)fmu_fail(f, "%zu variables and %zu values are given", n, n_values);
    return (fmi3Status)fmu_set(f, n, reference, value);
}

static fmi3Status no_type(const fmu *f, const char *type, size_t n)
{
    return (fmi3Status)(n ? fmu_fail(f, "there is no variable of the type %s", type) : FMU_OK);
}

// All variables are Float64: lists of other types are empty.
#define OTHER(name, type)                                                                                    \
    EXPORT fmi3Status fmi3Get##name(fmi3Instance, const fmi3Reference[], size_t, type[], size_t);            \
    fmi3Status fmi3Get##name(fmi3Instance instance, const fmi3Reference reference[], size_t n, type value[], \
                             size_t n_values)                                                                \
    {                                                                                                        \
        (void)reference, (void)value, (void)n_values;                                                        \
        BEGIN(Get);                                                                                          \
        return no_type(f, #name, n);                                                                         \
    }                                                                                                        \
    EXPORT fmi3Status fmi3Set##name(fmi3Instance, const fmi3Reference[], size_t, const type[], size_t);      \
    fmi3Status fmi3Set##name(fmi3Instance instance, const fmi3Reference reference[], size_t n,               \
                             const type value[], size_t n_values)                                            \
    {                                                                                                        \
        (void)reference, (void)value, (void)n_values;                                                        \
        BEGIN(Set);                                                                                          \
        return no_type(f, #name, n);                                                                         \
    }
OTHER(Float32, float)
OTHER(Int8, int8_t)
OTHER(UInt8, uint8_t)
OTHER(Int16, int16_t)
OTHER(UInt16, uint16_t)
OTHER(Int32, int32_t)
OTHER(UInt32, uint32_t)
OTHER(Int64, int64_t)
OTHER(UInt64, uint64_t)
OTHER(Boolean, fmi3Boolean)
OTHER(String, fmi3String)

EXPORT fmi3Status fmi3GetBinary(fmi3Instance, const fmi3Reference[], size_t, size_t[], fmi3Binary[], size_t);
fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3Reference reference[], size_t n, size_t size[],
                         fmi3Binary value[], size_t n_values)
{
    (void)reference, (void)size, (void)value, (void)n_values;
    BEGIN(Get);
    return no_type(f, "Binary", n);
}

EXPORT fmi3Status fmi3SetBinary(fmi3Instance, const fmi3Reference[], size_t, const size_t[],
                                const fmi3Binary[], size_t);
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3Reference reference[], size_t n,
                         const size_t size[], const fmi3Binary value[], size_t n_values)
{
    (void)reference, (void)size, (void)value, (void)n_values;
    BEGIN(Set);
    return no_type(f, "Binary", n);
}

EXPORT fmi3Status fmi3GetClock(fmi3Instance, const fmi3Reference[], size_t, fmi3Clock[]);
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3Reference reference[], size_t n, fmi3Clock value[])
{
    (void)reference, (void)value;
    BEGIN(Get);
    return no_type(f, "Clock", n);
}

EXPORT fmi3Status fmi3SetClock(fmi3Instance, const fmi3Reference[], size_t, const fmi3Clock[]);
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3Reference reference[], size_t n,
                        const fmi3Clock value[])
{
    (void)reference, (void)value;
    BEGIN(Set);
    return no_type(f, "Clock", n);
}

// The description names no dependencies: an unknown may depend on all that is known.
EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance, fmi3Reference, size_t *);
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3Reference reference, size_t *n)
{
    (void)n;
    BEGIN(GetNumberOfVariableDependencies);
    return (fmi3Status)fmu_fail(f, "the dependencies of variable %u are not known one by one", reference);
}

EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance, fmi3Reference, size_t[], fmi3Reference[],
                                              size_t[], int[], size_t);
fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3Reference reference, size_t element[],
                                       fmi3Reference on[], size_t on_element[], int kind[], size_t n)
{
    (void)element, (void)on, (void)on_element, (void)kind, (void)n;
    BEGIN(GetVariableDependencies);
    return (fmi3Status)fmu_fail(f, "the dependencies of variable %u are not known one by one", reference);
}

// ---- states ---------------------------------------------------------------------------------------------------

EXPORT fmi3Status fmi3GetFMUState(fmi3Instance, fmi3State *);
fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3State *state)
{
    BEGIN(GetFMUState);
    return (fmi3Status)fmu_save(f, (fmu_memory **)state);
}

EXPORT fmi3Status fmi3SetFMUState(fmi3Instance, fmi3State);
fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3State state)
{
    BEGIN(SetFMUState);
    return (fmi3Status)fmu_restore(f, state);
}

EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3State *);
fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3State *state)
{
    BEGIN(FreeFMUState);
    if (!state) return FMU_OK;
    fmu_forget(*state);
    *state = NULL;
    return FMU_OK;
}

EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3State, size_t *);
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3State state, size_t *size)
{
    BEGIN(SerializedFMUStateSize);
    if (!state || !size) return (fmi3Status)fmu_fail(f, "no state or no place for its size is given");
    *size = fmu_memory_size(state);
    return FMU_OK;
}

EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3State, fmi3Byte[], size_t);
fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3State state, fmi3Byte bytes[], size_t n)
{
    BEGIN(SerializeFMUState);
    return (fmi3Status)fmu_write_bytes(f, state, bytes, n);
}

EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte[], size_t, fmi3State *);
fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t n, fmi3State *state)
{
    BEGIN(DeserializeFMUState);
    return (fmi3Status)fmu_memory_read(f, bytes, n, (fmu_memory **)state);
}

// ---- time -----------------------------------------------------------------------------------------------------

EXPORT fmi3Status fmi3DoStep(fmi3Instance, double, double, fmi3Boolean, fmi3Boolean *, fmi3Boolean *,
                             fmi3Boolean *, double *);
// The whole step or, where an event of the model ends it, the step up to there.
fmi3Status fmi3DoStep(fmi3Instance instance, double t, double h, fmi3Boolean no_way_back, fmi3Boolean *event,
                      fmi3Boolean *terminate, fmi3Boolean *early, double *last)
{
    (void)no_way_back;
    BEGIN(DoStep);
    if (!event || !terminate || !early || !last)
        return (fmi3Status)fmu_fail(f, "no place is given for what a step tells");
    const fmu_status st = fmu_step(f, t, h);
    *event = *early = false;
    *terminate = f->mode == FMU_ENDED; // by an event of the model
    *last = fmu_time(f);
    return (fmi3Status)(st == FMU_DISCARD ? FMU_OK : st);
}

// ---- what the description does not promise ----------------------------------------------------------------------

static fmi3Status cannot(fmi3Instance instance, const char *function)
{
    return (fmi3Status)(instance
                            ? fmu_fail(instance, "%s: this FMU has no such thing, as its description says",
                                       function)
                            : FMU_ERROR);
}

// Arguments are those of the standard; none is looked at.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define CANNOT(name, ...)                                                                                    \
    EXPORT fmi3Status fmi3##name(__VA_ARGS__);                                                               \
    fmi3Status fmi3##name(__VA_ARGS__) { return cannot(instance, "fmi3" #name); }
#define ONE fmi3Instance instance
#define LIST ONE, const fmi3Reference reference[], size_t n
CANNOT(EnterEventMode, ONE)
CANNOT(EnterConfigurationMode, ONE)
CANNOT(ExitConfigurationMode, ONE)
CANNOT(EnterStepMode, ONE)
CANNOT(EnterContinuousTimeMode, ONE)
CANNOT(EvaluateDiscreteStates, ONE)
CANNOT(UpdateDiscreteStates, ONE, fmi3Boolean *again, fmi3Boolean *terminate, fmi3Boolean *nominals,
       fmi3Boolean *values, fmi3Boolean *next_defined, double *next)
CANNOT(GetDirectionalDerivative, ONE, const fmi3Reference unknown[], size_t n_unknown,
       const fmi3Reference known[], size_t n_known, const double seed[], size_t n_seed, double sensitivity[],
       size_t n_sensitivity)
CANNOT(GetAdjointDerivative, ONE, const fmi3Reference unknown[], size_t n_unknown,
       const fmi3Reference known[], size_t n_known, const double seed[], size_t n_seed, double sensitivity[],
       size_t n_sensitivity)
CANNOT(GetOutputDerivatives, LIST, const int32_t order[], double value[], size_t n_values)
CANNOT(GetIntervalDecimal, LIST, double interval[], int qualifier[])
CANNOT(GetIntervalFraction, LIST, uint64_t counter[], uint64_t resolution[], int qualifier[])
CANNOT(GetShiftDecimal, LIST, double shift[])
CANNOT(GetShiftFraction, LIST, uint64_t counter[], uint64_t resolution[])
CANNOT(SetIntervalDecimal, LIST, const double interval[])
CANNOT(SetIntervalFraction, LIST, const uint64_t counter[], const uint64_t resolution[])
CANNOT(SetShiftDecimal, LIST, const double shift[])
CANNOT(SetShiftFraction, LIST, const uint64_t counter[], const uint64_t resolution[])
CANNOT(ActivateModelPartition, ONE, fmi3Reference clock, double time)
CANNOT(CompletedIntegratorStep, ONE, fmi3Boolean no_way_back, fmi3Boolean *event, fmi3Boolean *terminate)
CANNOT(SetTime, ONE, double time)
CANNOT(SetContinuousStates, ONE, const double state[], size_t n)
CANNOT(GetContinuousStates, ONE, double state[], size_t n)
CANNOT(GetContinuousStateDerivatives, ONE, double derivative[], size_t n)
CANNOT(GetNominalsOfContinuousStates, ONE, double nominal[], size_t n)
CANNOT(GetEventIndicators, ONE, double indicator[], size_t n)
CANNOT(GetNumberOfEventIndicators, ONE, size_t *n)
CANNOT(GetNumberOfContinuousStates, ONE, size_t *n)
