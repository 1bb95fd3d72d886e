// FMI 3.0 for co-simulation, with event mode, without clocks and intermediate update: the functions that a master calls, with what the standard says of their
// order. All functions of the standard are there; those of what the description does not promise return an error. The declarations are the
// project's own. https://fmi-standard.org, FMI 3.0.2, sections 2.2, 2.3 and 4.2; where each function may be called: 2.3 and 4.2.
#include <stdbool.h>
#define FMI(name) fmi3##name
#define STATE(before, after) fmi3##before##FMUState##after
#define DESERIALIZE fmi3DeserializeFMUState
typedef bool fmi_boolean;
typedef unsigned char fmi_byte;
#include "fmu/both.h"

#include <math.h>
#include <stdint.h>

typedef const char *fmi3String;
typedef void fmi3Logger(void *environment, int status, const char *category, const char *message);
typedef void fmi3Update(void *environment, double, bool, bool, bool, bool, bool *, double *);
typedef void fmi3ClockUpdate(void *environment);
typedef void fmi3Lock(void);

static void tell(const fmu *f, fmu_status status, const char *category, const char *text)
{
    fmi3Logger *const logger = (fmi3Logger *)f->logger;
    if (logger) logger(f->environment, (int)status, category, text);
}

// ---- what it is -----------------------------------------------------------------------------------------------

EXPORT const char *fmi3GetVersion(void);
const char *fmi3GetVersion(void) { return "3.0"; }

// ---- from the instance to its beginning -----------------------------------------------------------------------

// What the master has given.
static fmu about(const char *name, bool logging, bool event_mode, bool early_return, void *environment,
                 fmi3Logger *log)
{
    return (fmu){.tell = tell,
                 .logging = logging,
                 .event_mode = event_mode,
                 .early_return = early_return,
                 .name = name ? name : "",
                 .environment = environment,
                 .logger = (fmu_logger *)log};
}

EXPORT void *fmi3InstantiateCoSimulation(const char *, const char *, const char *, bool, bool, bool, bool,
                                         const unsigned[], size_t, void *, fmi3Logger *, fmi3Update *);
// NULL: it has been told why.
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool event_mode, bool early_return, const unsigned required[],
                                  size_t n_required, void *environment, fmi3Logger *log, fmi3Update *update)
{
    (void)visible, (void)required, (void)update; // there is no window, and no update to be had
    const fmu master = about(name, logging, event_mode, early_return, environment, log);
    return fmu_instantiate(&master, resources, token,
                           n_required ? "this FMU has no intermediate update, as its description says"
                                      : NULL);
}

EXPORT void *fmi3InstantiateModelExchange(const char *, const char *, const char *, bool, bool, void *,
                                          fmi3Logger *);
void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                   bool logging, void *environment, fmi3Logger *log)
{
    (void)visible;
    const fmu master = about(name, logging, false, false, environment, log);
    return fmu_instantiate(&master, resources, token, "this FMU is for co-simulation");
}

EXPORT void *fmi3InstantiateScheduledExecution(const char *, const char *, const char *, bool, bool, void *,
                                               fmi3Logger *, fmi3ClockUpdate *, fmi3Lock *, fmi3Lock *);
void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources,
                                        bool visible, bool logging, void *environment, fmi3Logger *log,
                                        fmi3ClockUpdate *update, fmi3Lock *lock, fmi3Lock *unlock)
{
    (void)update, (void)lock, (void)unlock;
    return fmi3InstantiateModelExchange(name, token, resources, visible, logging, environment, log);
}

FUNCTION(fmi3EnterInitializationMode, void *instance, bool has_tolerance, double tolerance, double start,
         bool has_stop, double stop)
{
    BEGIN(FMU_INSTANTIATED);
    const fmu_status st = fmu_set_up(f, start, has_stop ? stop : HUGE_VAL, has_tolerance, tolerance);
    if (!st) f->mode = FMU_INITIALIZATION;
    return st;
}

// ---- numbers --------------------------------------------------------------------------------------------------

// Variables are scalars.
static int wrong_count(const fmu *f, size_t n, size_t n_values)
{
    return fmu_fail(f, "%zu variables and %zu values are given", n, n_values);
}

FUNCTION(fmi3GetFloat64, void *instance, const unsigned reference[], size_t n, double value[],
         size_t n_values)
{
    BEGIN(FMU_ALL);
    return n == n_values ? (int)fmu_get(f, n, reference, value) : wrong_count(f, n, n_values);
}

FUNCTION(fmi3SetFloat64, void *instance, const unsigned reference[], size_t n, const double value[],
         size_t n_values)
{
    BEGIN(SETS);
    return n == n_values ? (int)fmu_set(f, n, reference, value) : wrong_count(f, n, n_values);
}

static int derive(fmu *f, bool adjoint, const unsigned *unknown, size_t n_unknown, const unsigned *known,
                  size_t n_known, const double *seed, size_t n_seed, double *sensitivity,
                  size_t n_sensitivity)
{
    if (n_seed != (adjoint ? n_unknown : n_known))
        return wrong_count(f, adjoint ? n_unknown : n_known, n_seed);
    if (n_sensitivity != (adjoint ? n_known : n_unknown))
        return wrong_count(f, adjoint ? n_known : n_unknown, n_sensitivity);
    return fmu_derive(f, adjoint, n_unknown, unknown, n_known, known, seed, sensitivity);
}

#define DERIVATIVE(name, adjoint)                                                                            \
    FUNCTION(name, void *instance, const unsigned unknown[], size_t n_unknown, const unsigned known[],       \
             size_t n_known, const double seed[], size_t n_seed, double sensitivity[], size_t n_sensitivity) \
    {                                                                                                        \
        BEGIN(DERIVES);                                                                                      \
        return derive(f, adjoint, unknown, n_unknown, known, n_known, seed, n_seed, sensitivity,             \
                      n_sensitivity);                                                                        \
    }
DERIVATIVE(fmi3GetDirectionalDerivative, false)
DERIVATIVE(fmi3GetAdjointDerivative, true)

// ---- time and events ------------------------------------------------------------------------------------------

// The whole step; or up to an event that ends it, or that waits for event mode.
FUNCTION(fmi3DoStep, void *instance, double t, double h, bool no_way_back, bool *event, bool *terminate,
         bool *early, double *last)
{
    (void)no_way_back;
    BEGIN(FMU_STEP);
    if (!event || !terminate || !early || !last)
        return fmu_fail(f, "no place is given for what a step tells");
    const fmu_status st = fmu_step(f, t, h);
    *last = fmu_time(f);
    *event = f->mode == FMU_DUE;
    *early = *event && *last < t + h;
    *terminate = f->mode == FMU_ENDED;
    return st == FMU_DISCARD ? FMU_OK : st;
}

FUNCTION(fmi3EnterEventMode, void *instance)
{
    BEGIN(FMU_STEP | FMU_DUE);
    if (!f->event_mode) return fmu_fail(f, "this instance was made without event mode");
    f->mode = FMU_EVENT;
    return FMU_OK;
}

// Once is enough: what an event makes due happens with it.
FUNCTION(fmi3UpdateDiscreteStates, void *instance, bool *again, bool *terminate, bool *nominals, bool *values,
         bool *next_defined, double *next)
{
    BEGIN(FMU_EVENT);
    if (!again || !terminate || !nominals || !values || !next_defined || !next)
        return fmu_fail(f, "no place is given for what an update tells");
    double time = HUGE_VAL;
    const fmu_status st = fmu_update(f, &time);
    *again = *nominals = *values = false;
    *terminate = f->mode == FMU_ENDED;
    *next_defined = time < HUGE_VAL;
    if (*next_defined) *next = time;
    return st;
}

FUNCTION(fmi3EnterStepMode, void *instance)
{
    BEGIN(FMU_EVENT);
    return fmu_enter_steps(f);
}

// ---- what there is not ----------------------------------------------------------------------------------------

UNUSED_ARGUMENTS
#define OTHER(name, type)                                                                                    \
    NO_TYPE(fmi3Get##name, #name, FMU_ALL, type value[], size_t n_values)                                    \
    NO_TYPE(fmi3Set##name, #name, SETS, const type value[], size_t n_values)
OTHER(Float32, float)
OTHER(Int8, int8_t)
OTHER(UInt8, uint8_t)
OTHER(Int16, int16_t)
OTHER(UInt16, uint16_t)
OTHER(Int32, int32_t)
OTHER(UInt32, uint32_t)
OTHER(Int64, int64_t)
OTHER(UInt64, uint64_t)
OTHER(Boolean, bool)
OTHER(String, fmi3String)
NO_TYPE(fmi3GetBinary, "Binary", FMU_ALL, size_t size[], const unsigned char *value[], size_t n_values)
NO_TYPE(fmi3SetBinary, "Binary", SETS, const size_t size[], const unsigned char *const value[],
        size_t n_values)
NO_TYPE(fmi3GetClock, "Clock", FMU_ALL, bool value[])
NO_TYPE(fmi3SetClock, "Clock", SETS, const bool value[])

#define ONE void *instance
#define LIST ONE, const unsigned reference[], size_t n
CANNOT(fmi3GetNumberOfVariableDependencies, ONE, unsigned reference, size_t *n)
CANNOT(fmi3GetVariableDependencies, ONE, unsigned reference, size_t element[], unsigned on[],
       size_t on_element[], int kind[], size_t n)
CANNOT(fmi3EnterConfigurationMode, ONE)
CANNOT(fmi3ExitConfigurationMode, ONE)
CANNOT(fmi3EnterContinuousTimeMode, ONE)
CANNOT(fmi3EvaluateDiscreteStates, ONE)
CANNOT(fmi3GetOutputDerivatives, LIST, const int32_t order[], double value[], size_t n_values)
CANNOT(fmi3GetIntervalDecimal, LIST, double interval[], int qualifier[])
CANNOT(fmi3GetIntervalFraction, LIST, uint64_t counter[], uint64_t resolution[], int qualifier[])
CANNOT(fmi3GetShiftDecimal, LIST, double shift[])
CANNOT(fmi3GetShiftFraction, LIST, uint64_t counter[], uint64_t resolution[])
CANNOT(fmi3SetIntervalDecimal, LIST, const double interval[])
CANNOT(fmi3SetIntervalFraction, LIST, const uint64_t counter[], const uint64_t resolution[])
CANNOT(fmi3SetShiftDecimal, LIST, const double shift[])
CANNOT(fmi3SetShiftFraction, LIST, const uint64_t counter[], const uint64_t resolution[])
CANNOT(fmi3ActivateModelPartition, ONE, unsigned clock, double time)
CANNOT(fmi3CompletedIntegratorStep, ONE, bool no_way_back, bool *event, bool *terminate)
CANNOT(fmi3SetTime, ONE, double time)
CANNOT(fmi3SetContinuousStates, ONE, const double state[], size_t n)
CANNOT(fmi3GetContinuousStates, ONE, double state[], size_t n)
CANNOT(fmi3GetContinuousStateDerivatives, ONE, double derivative[], size_t n)
CANNOT(fmi3GetNominalsOfContinuousStates, ONE, double nominal[], size_t n)
CANNOT(fmi3GetEventIndicators, ONE, double indicator[], size_t n)
CANNOT(fmi3GetNumberOfEventIndicators, ONE, size_t *n)
CANNOT(fmi3GetNumberOfContinuousStates, ONE, size_t *n)
