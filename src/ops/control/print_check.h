/* print_check.h - parameters of print and assert_finite. */
#ifndef HL_OPS_CONTROL_PRINT_CHECK_H
#define HL_OPS_CONTROL_PRINT_CHECK_H

#include "ir/params.h"

typedef struct PrintParams { const char *label; int64_t summarize; } PrintParams;
typedef struct AssertFiniteParams { const char *message; } AssertFiniteParams;

#endif
