// Analyses of a mechanism that are not runs: where its parts are when it is driven, what holds it at rest, what moves it as wanted,
// how it answers to small changes near a state. docs/theory.md, sections 19 to 23.
//
// Every object names what it holds and its units, and is destroyed by one function, which takes NULL. What cannot be answered is an
// error with a text in the context; nothing is given back that is not a solution.
#ifndef HOLONOM_ANALYSES_H
#define HOLONOM_ANALYSES_H

#include "holonom.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
