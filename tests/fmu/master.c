// A master of FMI 2.0 for memory checkers: all that an instance can do, with parameters, states, their bytes, damaged ones too, reset, several times.
//
//     master OBJECT GUID RESOURCES REFERENCE      REFERENCE: of a parameter that may be half as large again
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { INSTANCES = 2, RUNS = 2, STEPS = 8, NUMBERS = 16 };
#define H 0.01

typedef void *component;
typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *allocate, *release, *finished, *environment;
} callbacks;

static component (*Instantiate)(const char *, int, const char *, const char *, const callbacks *, int, int);
static int (*SetupExperiment)(component, int, double, double, int, double);
static int (*EnterInitializationMode)(component), (*ExitInitializationMode)(component), (*Reset)(component),
    (*Terminate)(component);
static int (*GetReal)(component, const unsigned *, size_t, double *);
static int (*SetReal)(component, const unsigned *, size_t, const double *);
static int (*DoStep)(component, double, double, int);
static int (*GetFMUstate)(component, void **), (*SetFMUstate)(component, void *),
    (*FreeFMUstate)(component, void **);
static int (*SerializedFMUstateSize)(component, void *, size_t *);
static int (*SerializeFMUstate)(component, void *, char *, size_t);
static int (*DeSerializeFMUstate)(component, const char *, size_t, void **);
static void (*FreeInstance)(component);

static void *object;

// A function of the object; to: the pointer to it.
static int find(const char *name, void *to)
{
    *(void **)to = dlsym(object, name);
    return *(void **)to != NULL;
}
#define FIND(name) find("fmi2" #name, &name)

static int find_all(void)
{
    return FIND(Instantiate) && FIND(SetupExperiment) && FIND(EnterInitializationMode) &&
           FIND(ExitInitializationMode) && FIND(Reset) && FIND(Terminate) && FIND(GetReal) && FIND(SetReal) &&
           FIND(DoStep) && FIND(GetFMUstate) && FIND(SetFMUstate) && FIND(FreeFMUstate) &&
           FIND(SerializedFMUstateSize) && FIND(SerializeFMUstate) && FIND(DeSerializeFMUstate) &&
           FIND(FreeInstance);
}

// Bytes of a state, with and without damage; a state of them. 0: as it should be.
static int by_bytes(component c, void *state, void **copy)
{
    void *none = NULL;
    size_t n = 0;
    if (SerializedFMUstateSize(c, state, &n)) return 1;
    char *bytes = malloc(n);
    int bad = !bytes || SerializeFMUstate(c, state, bytes, n) || DeSerializeFMUstate(c, bytes, n, copy);
    for (size_t i = 0; i < n && !bad; i += n / 50) {
        bytes[i] ^= 4;
        bad = DeSerializeFMUstate(c, bytes, n, &none) == 0;
        bytes[i] ^= 4;
    }
    free(bytes);
    return bad;
}

static int steps(component c, int from, double *value)
{
    unsigned reference[NUMBERS];
    for (unsigned i = 0; i < NUMBERS; i++) reference[i] = i;
    for (int k = from; k < STEPS; k++)
        if (DoStep(c, H * k, H, 1)) return 1;
    return GetReal(c, reference, NUMBERS, value);
}

// From the start to the end, and from the middle to the end again. 0: as it should be.
static int run(component c, unsigned parameter, int with_tolerance)
{
    void *state = NULL, *copy = NULL;
    double first[NUMBERS], again[NUMBERS], value = 0;
    if (SetupExperiment(c, with_tolerance, 1e-5, 0, 0, 0) || GetReal(c, &parameter, 1, &value)) return 1;
    value *= 1.5;
    if (SetReal(c, &parameter, 1, &value) || EnterInitializationMode(c) || ExitInitializationMode(c))
        return 1;
    for (int k = 0; k < STEPS / 2; k++)
        if (DoStep(c, H * k, H, 1)) return 1;
    if (GetFMUstate(c, &state) || by_bytes(c, state, &copy) || steps(c, STEPS / 2, first)) return 1;
    if (DoStep(c, H * STEPS, 0, 1) == 0 || DoStep(c, H * STEPS, 3, 1)) return 1; // behind the model's end
    if (SetFMUstate(c, copy) || steps(c, STEPS / 2, again)) return 1;
    for (int i = 0; i < NUMBERS; i++)
        if (first[i] != again[i]) return 1;
    return FreeFMUstate(c, &state) || FreeFMUstate(c, &copy);
}

int main(int n, char **word)
{
    const callbacks none = {0};
    object = n == 5 ? dlopen(word[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!object || !find_all()) return 1;
    int bad = Instantiate("x", 1, "{another}", word[3], &none, 0, 0) != NULL;
    for (int i = 0; i < INSTANCES && !bad; i++) {
        component c = Instantiate("one", 1, word[2], word[3], &none, 0, 0);
        for (int k = 0; k < RUNS && c && !bad; k++) bad = run(c, (unsigned)atoi(word[4]), k) || Reset(c);
        if (c) FreeInstance(c);
        bad |= !c;
    }
    printf("%s\n", bad ? "wrong" : "right");
    return bad || dlclose(object);
}
