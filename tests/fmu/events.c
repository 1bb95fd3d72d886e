// A master of FMI 3.0 for memory checkers: a run with event mode and early return, all of which goes through states as bytes where an event waits,
// and derivatives of an output.
//
//     events OBJECT TOKEN RESOURCES OUTPUT INPUT      the last two: value references
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define END 1.0
#define H 0.1

typedef void *instance;

static instance (*InstantiateCoSimulation)(const char *, const char *, const char *, bool, bool, bool, bool,
                                           const unsigned *, size_t, void *, void *, void *);
static int (*EnterInitializationMode)(instance, bool, double, double, bool, double);
static int (*ExitInitializationMode)(instance), (*EnterEventMode)(instance), (*EnterStepMode)(instance),
    (*Terminate)(instance);
static int (*UpdateDiscreteStates)(instance, bool *, bool *, bool *, bool *, bool *, double *);
static int (*DoStep)(instance, double, double, bool, bool *, bool *, bool *, double *);
static int (*GetFMUState)(instance, void **), (*SetFMUState)(instance, void *),
    (*FreeFMUState)(instance, void **);
static int (*SerializedFMUStateSize)(instance, void *, size_t *);
static int (*SerializeFMUState)(instance, void *, unsigned char *, size_t);
static int (*DeserializeFMUState)(instance, const unsigned char *, size_t, void **);
static int (*GetDirectionalDerivative)(instance, const unsigned *, size_t, const unsigned *, size_t,
                                       const double *, size_t, double *, size_t);
static int (*GetAdjointDerivative)(instance, const unsigned *, size_t, const unsigned *, size_t,
                                   const double *, size_t, double *, size_t);
static void (*FreeInstance)(instance);

static void *object;

// A function of the object; to: the pointer to it.
static int find(const char *name, void *to)
{
    *(void **)to = dlsym(object, name);
    return *(void **)to != NULL;
}
#define FIND(name) find("fmi3" #name, &name)

static int find_all(void)
{
    return FIND(InstantiateCoSimulation) && FIND(EnterInitializationMode) && FIND(ExitInitializationMode) &&
           FIND(EnterEventMode) && FIND(EnterStepMode) && FIND(Terminate) && FIND(UpdateDiscreteStates) &&
           FIND(DoStep) && FIND(GetFMUState) && FIND(SetFMUState) && FIND(FreeFMUState) &&
           FIND(SerializedFMUStateSize) && FIND(SerializeFMUState) && FIND(DeserializeFMUState) &&
           FIND(GetDirectionalDerivative) && FIND(GetAdjointDerivative) && FIND(FreeInstance);
}

// The state, by its bytes, is set again. 0: as it should be.
static int by_bytes(instance f)
{
    void *state = NULL, *copy = NULL;
    size_t n = 0;
    if (GetFMUState(f, &state) || SerializedFMUStateSize(f, state, &n)) return 1;
    unsigned char *bytes = malloc(n);
    const int bad = !bytes || SerializeFMUState(f, state, bytes, n) ||
                    DeserializeFMUState(f, bytes, n, &copy) || SetFMUState(f, copy);
    free(bytes);
    return bad | FreeFMUState(f, &state) | FreeFMUState(f, &copy);
}

static int update(instance f)
{
    bool again, ends, nominals, values, defined;
    double next;
    return UpdateDiscreteStates(f, &again, &ends, &nominals, &values, &defined, &next) || again || ends ||
           EnterStepMode(f);
}

// Both derivatives of an output by an input are the same number.
static int derive(instance f, unsigned output, unsigned input)
{
    const double one = 1;
    double along = 1, back = 2;
    return GetDirectionalDerivative(f, &output, 1, &input, 1, &one, 1, &along, 1) ||
           GetAdjointDerivative(f, &output, 1, &input, 1, &one, 1, &back, 1) || along != back || along == 0;
}

// *events: that were told.
static int run(instance f, unsigned output, unsigned input, int *events)
{
    bool event = false, ends = false, early;
    double t = 0;
    if (EnterInitializationMode(f, false, 0, 0, false, 0) || ExitInitializationMode(f) || update(f)) return 1;
    while (t < END - H / 2 && !ends) {
        const double to = H * ((int)(t / H + 1e-9) + 1);
        if (DoStep(f, t, to - t, true, &event, &ends, &early, &t) || (t < to && !early)) return 1;
        if (event && (by_bytes(f) || EnterEventMode(f) || update(f))) return 1;
        *events += event;
        if (derive(f, output, input)) return 1;
    }
    return ends || Terminate(f);
}

int main(int n, char **word)
{
    int events = 0;
    object = n == 6 ? dlopen(word[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!object || !find_all()) return 1;
    instance f =
        InstantiateCoSimulation("one", word[2], word[3], false, false, true, true, NULL, 0, NULL, NULL, NULL);
    const int bad = !f || run(f, (unsigned)atoi(word[4]), (unsigned)atoi(word[5]), &events) || !events;
    if (f) FreeInstance(f);
    printf("%s\n", bad ? "wrong" : "right");
    return bad || dlclose(object);
}
