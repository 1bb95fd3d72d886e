// May a test put its own malloc in place of the C library's? Sanitizers have theirs.
#ifndef TESTS_INTERPOSED_H
#define TESTS_INTERPOSED_H

#include "base/base.h"

#define INTERPOSED !HOL_SANITIZED

#endif
