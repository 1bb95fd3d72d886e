// What a model is as an FMU (Functional Mock-up Unit, https://fmi-standard.org): its variables, and the simulation that has their values. Who
// writes the description (api/fmu.c) and who is called by a master (src/fmu) have the same list.
#ifndef HOL_API_FMU_H
#define HOL_API_FMU_H

#include "api/api.h"

#include <stdio.h>

typedef enum hol_fmu_kind {
    HOL_FMU_TIME,
    HOL_FMU_INPUT,
    HOL_FMU_TUNABLE,    // a parameter that may be set while it runs
    HOL_FMU_PARAMETER,  // of the model file, a number
    HOL_FMU_CALCULATED, // one that is an expression of others
    HOL_FMU_OUTPUT,     // a signal that the model asks for
    HOL_FMU_LOCAL       // any other signal
} hol_fmu_kind;

// A value reference is the index of a variable.
typedef struct hol_fmu_variable {
    hol_fmu_kind kind;
    const char *name, *unit, *doc; // unit "": a pure number, or none is given
    int index; // of inputs and tunable parameters that of the simulation's input, of signals of its signal, else of the parameter
    double start;      // of inputs and parameters
    const char *shown; // unit that the model asks for, of which a unit is so many; NULL: none
    double factor;
} hol_fmu_variable;

typedef struct hol_fmu_list {
    hol_arena *arena;
    int n;
    hol_fmu_variable *variable; //                                                (n)
    const char *lacking;        // an output that has no derivatives by inputs; NULL: all have them
    bool derivatives;           // it has inputs and outputs, and none lacks them
} hol_fmu_list;

// The model's run with all signals, first those that it asks for. tolerance 0: the model's; fixed steps know none.
hol_simulation *hol_fmu_simulate(hol_context *ctx, const hol_model *model, double tolerance);
// The same at its start, with another end: it takes the snapshots of `sim` over.
hol_simulation *hol_fmu_longer(const hol_simulation *sim, double end);
// sim: of hol_fmu_simulate.
hol_status hol_fmu_list_create(hol_context *ctx, const hol_model *model, hol_simulation *sim,
                               hol_fmu_list *list);
void hol_fmu_list_destroy(hol_fmu_list *list);
// ModelStructure of a description, of either version: outputs and what is calculated at the start, with what each depends on.
hol_status hol_fmu_put_structure(FILE *xml, int version, const hol_model *model, const hol_simulation *sim,
                                 const hol_fmu_list *list);
// The model with other values of some parameters; HOL_ERR_USAGE in the context if it is of another structure then.
hol_model *hol_fmu_change(hol_context *ctx, const hol_model *model, int n, const hol_fixed *fixed);

// Where the model is within an FMU: a text of the folder `resources`, line by line the token of the description, the model file, and what --set
// gave. hol_model_load takes the last two.
#define HOL_FMU_INDEX "holonom.txt"

#endif
