// An instance of an FMU, whatever the version of FMI: the model of its resources and a simulation of it. fmi2.c and fmi3.c are what masters
// call; they look whether a call may come now, and this does it.
#ifndef HOL_FMU_INSTANCE_H
#define HOL_FMU_INSTANCE_H

#include "api/fmu.h"

// As both versions number them.
typedef enum fmu_status { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR, FMU_FATAL } fmu_status;

// Where an instance is: bits, so that a function can say where it may be called.
typedef enum fmu_mode {
    FMU_INSTANTIATED = 1,
    FMU_INITIALIZATION = 2,
    FMU_STEP = 4,
    FMU_ENDED = 8, // an event has ended the simulation within a step
    FMU_TERMINATED = 16,
    FMU_FAILED = 32, // a step has failed
    FMU_EVENT = 64,  // event mode of FMI 3
    FMU_DUE = 128,   // a step has ended at an event, which waits for event mode
    FMU_ALL = 255
} fmu_mode;

struct fmu;
typedef void fmu_logger(void); // of the master, of the type that its version has
typedef void fmu_tell(const struct fmu *f, fmu_status status, const char *category, const char *text);

typedef struct fmu {
    hol_context *ctx;
    hol_model *base, *model; // with the values of the description; with those that were set, may be the same
    hol_simulation *sim;     // of the model
    hol_fmu_list list;
    unsigned long long token; // hashed
    double *value, *begun;    // of inputs and parameters; with which the simulation begins  (list.n)
    bool stale, changed;      // it is not at the start of what was set; it has another tolerance or end
    fmu_mode mode;
    double start, stop, tolerance; // stop infinite: none; tolerance 0: the model's
    // of the master
    fmu_tell *tell;
    bool logging;
    bool event_mode, early_return; // it uses the first; steps may end at events
    const char *name;
    void *environment;
    fmu_logger *logger;
} fmu;

// resources: the folder; token: of the description. NULL: it has been told why.
fmu *fmu_create(const fmu *master, const char *resources, const char *token);
void fmu_destroy(fmu *f);

// Tells an error and returns it.
fmu_status fmu_fail(const fmu *f, const char *format, ...) HOL_PRINTF(2, 3);
fmu_status fmu_fail_as(const fmu *f); // what the library says

fmu_status fmu_set_up(fmu *f, double start, double stop, bool has_tolerance, double tolerance);
// Is every reference one of the description? values: of the list that goes with them.
fmu_status fmu_check_references(const fmu *f, size_t n, const unsigned *reference, const void *values);
// The simulation is that of what was set.
fmu_status fmu_settle(fmu *f);
// The initialisation ends: what is due at the start happens, or waits for event mode.
fmu_status fmu_begin(fmu *f);
fmu_status fmu_get(fmu *f, size_t n, const unsigned *reference, double *value);
fmu_status fmu_set(fmu *f, size_t n, const unsigned *reference, const double *value);
// From t, the time reached, by h; not as far where an event ends the simulation (FMU_ENDED), or waits for event mode (FMU_DUE).
fmu_status fmu_step(fmu *f, double t, double h);
// Event mode: what is due happens, and may end the simulation. *next: the time of the next event that has one; infinite: none.
fmu_status fmu_update(fmu *f, double *next);
// From event mode on; refused while something is due.
fmu_status fmu_enter_steps(fmu *f);
// sensitivity = J seed, J the changes of outputs with inputs at the present time, (unknown x known); adjoint: seed J, with as many numbers
// as there are knowns.
fmu_status fmu_derive(fmu *f, bool adjoint, size_t n_unknown, const unsigned *unknown, size_t n_known,
                      const unsigned *known, const double *seed, double *sensitivity);
// The simulation goes on from `at`, with the end of the one that this is of: a step of the method ends where a simulation is made longer.
// false: the reason is in the context.
bool fmu_resume(fmu *f, double end, const hol_snapshot *at);
double fmu_time(const fmu *f);
fmu_status fmu_reset(fmu *f);

// All that an instance is; belongs to nobody.
typedef struct fmu_memory fmu_memory;
fmu_status fmu_save(fmu *f, fmu_memory **memory); // into what is there, or a new one
fmu_status fmu_restore(fmu *f, const fmu_memory *memory);
void fmu_forget(fmu_memory *memory);
size_t fmu_memory_size(const fmu_memory *memory);
void fmu_memory_write(const fmu_memory *memory, unsigned char *bytes);
fmu_status fmu_memory_read(fmu *f, const unsigned char *bytes, size_t n, fmu_memory **memory);

#endif
