// FMI 3.0 for co-simulation, without event mode, clocks and early return: the functions that a master calls, with what the standard says of their
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
static fmu about(const char *name, bool logging, void *environment, fmi3Logger *log)
{
    return (fmu){.tell = tell,
                 .logging = logging,
                 .name = name,
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
    (void)visible, (void)early_return, (void)required,
        (void)update; // there is no window, return or update to be had
    const fmu master = about(name, logging, environment, log);
    return fmu_instantiate(&master, resources, token,
                           event_mode   ? "this FMU has no event mode, as its description says"
                           : n_required ? "this FMU has no intermediate update, as its description says"
                                        : NULL);
}

EXPORT void *fmi3InstantiateModelExchange(const char *, const char *, const char *, bool, bool, void *,
                                          fmi3Logger *);
void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                   bool logging, void *environment, fmi3Logger *log)
{
    (void)visible;
    const fmu master = about(name, logging, environment, log);
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

// ---- time -----------------------------------------------------------------------------------------------------

// The whole step or, where an event of the model ends it, the step up to there.
FUNCTION(fmi3DoStep, void *instance, double t, double h, bool no_way_back, bool *event, bool *terminate,
         bool *early, double *last)
{
    (void)no_way_back;
    BEGIN(FMU_STEP);
    if (!event || !terminate || !early || !last)
        return fmu_fail(f, "no place is given for what a step tells");
    const fmu_status st = fmu_step(f, t, h);
    *event = *early = false;
    *terminate = f->mode == FMU_ENDED; // by an event of the model
    *last = fmu_time(f);
    return st == FMU_DISCARD ? FMU_OK : st;
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
CANNOT(fmi3EnterEventMode, ONE)
CANNOT(fmi3EnterConfigurationMode, ONE)
CANNOT(fmi3ExitConfigurationMode, ONE)
CANNOT(fmi3EnterStepMode, ONE)
CANNOT(fmi3EnterContinuousTimeMode, ONE)
CANNOT(fmi3EvaluateDiscreteStates, ONE)
CANNOT(fmi3UpdateDiscreteStates, ONE, bool *again, bool *terminate, bool *nominals, bool *values,
       bool *next_defined, double *next)
CANNOT(fmi3GetDirectionalDerivative, ONE, const unsigned unknown[], size_t n_unknown, const unsigned known[],
       size_t n_known, const double seed[], size_t n_seed, double sensitivity[], size_t n_sensitivity)
CANNOT(fmi3GetAdjointDerivative, ONE, const unsigned unknown[], size_t n_unknown, const unsigned known[],
       size_t n_known, const double seed[], size_t n_seed, double sensitivity[], size_t n_sensitivity)
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
