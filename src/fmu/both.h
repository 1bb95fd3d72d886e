// What both versions of FMI have: how a function of theirs begins, the functions that have the same arguments in both, and those of what there
// is not. The file of a version includes it with the names of functions, FMI(name), STATE(before, after) and DESERIALIZE, and with fmi_boolean, fmi_byte.
#ifndef HOL_FMU_BOTH_H
#define HOL_FMU_BOTH_H

#include "fmu/place.h"

#define EXPORT __attribute__((visibility("default")))

// A function that masters call: its declaration, and the head of its definition. It returns an fmu_status.
#define FUNCTION(name, ...)                                                                                  \
    EXPORT int name(__VA_ARGS__);                                                                            \
    int name(__VA_ARGS__)

// The instance, in the modes in which the function may be called; it returns otherwise.
#define BEGIN(modes)                                                                                         \
    fmu *const f = instance;                                                                                 \
    if (!fmu_may(f, __func__, modes)) return FMU_ERROR

#define SETS (FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_STEP | FMU_EVENT)
#define DERIVES (FMU_INITIALIZATION | FMU_STEP | FMU_EVENT | FMU_DUE | FMU_ENDED | FMU_TERMINATED)
#define STEPPED (FMU_STEP | FMU_ENDED | FMU_TERMINATED | FMU_FAILED)

// ---- the same in both -----------------------------------------------------------------------------------------

FUNCTION(FMI(SetDebugLogging), void *instance, fmi_boolean on, size_t n, const char *const category[])
{
    BEGIN(FMU_ALL);
    return fmu_set_logging(f, on, n, category);
}

EXPORT void FMI(FreeInstance)(void *instance);
void FMI(FreeInstance)(void *instance)
{
    if (instance) fmu_destroy(instance);
}

FUNCTION(FMI(ExitInitializationMode), void *instance)
{
    BEGIN(FMU_INITIALIZATION);
    return fmu_begin(f);
}

FUNCTION(FMI(Terminate), void *instance)
{
    BEGIN(FMU_STEP | FMU_EVENT | FMU_DUE | FMU_ENDED);
    f->mode = FMU_TERMINATED;
    return FMU_OK;
}

FUNCTION(FMI(Reset), void *instance)
{
    BEGIN(FMU_ALL);
    return fmu_reset(f);
}

FUNCTION(STATE(Get, ), void *instance, void **state)
{
    BEGIN(FMU_ALL & ~FMU_FAILED);
    return fmu_save(f, (fmu_memory **)state);
}

FUNCTION(STATE(Set, ), void *instance, void *state)
{
    BEGIN(FMU_ALL);
    return fmu_restore(f, state);
}

FUNCTION(STATE(Free, ), void *instance, void **state)
{
    BEGIN(FMU_ALL);
    if (!state) return FMU_OK;
    fmu_forget(*state);
    *state = NULL;
    return FMU_OK;
}

FUNCTION(STATE(Serialized, Size), void *instance, void *state, size_t *size)
{
    BEGIN(FMU_ALL);
    if (!state || !size) return fmu_fail(f, "no state or no place for its size is given");
    *size = fmu_memory_size(state);
    return FMU_OK;
}

FUNCTION(STATE(Serialize, ), void *instance, void *state, fmi_byte bytes[], size_t n)
{
    BEGIN(FMU_ALL);
    return fmu_write_bytes(f, state, (unsigned char *)bytes, n);
}

FUNCTION(DESERIALIZE, void *instance, const fmi_byte bytes[], size_t n, void **state)
{
    BEGIN(FMU_ALL);
    return fmu_memory_read(f, (const unsigned char *)bytes, n, (fmu_memory **)state);
}

// ---- what there is not ----------------------------------------------------------------------------------------

// Arguments are those of the standard; what is not looked at is no fault there.
#define UNUSED_ARGUMENTS _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"")

// Lists of a type that no variable has are empty.
#define NO_TYPE(name, type, modes, ...)                                                                      \
    FUNCTION(name, void *instance, const unsigned reference[], size_t n, __VA_ARGS__)                        \
    {                                                                                                        \
        BEGIN(modes);                                                                                        \
        return n ? fmu_fail(f, "there is no variable of the type %s", type) : FMU_OK;                        \
    }

// What the description does not promise.
#define CANNOT(name, ...)                                                                                    \
    FUNCTION(name, __VA_ARGS__)                                                                              \
    {                                                                                                        \
        BEGIN(FMU_ALL);                                                                                      \
        return fmu_fail(f, "%s: this FMU has no such thing, as its description says", __func__);             \
    }

#endif
