/* array_scalar_kernels.c - elementwise operators of one array and numbers. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/elementwise/array_scalar.h"

#define NUMBERS_OF(name, expr, grad, ...) LOOPS_NUMBER(name##_y, expr) LOOPS_FLOAT(name##_dy, grad)
#define FLOATS_OF(name, expr, grad, ...) LOOPS_FLOAT(name##_y, expr) LOOPS_FLOAT(name##_dy, grad)
#define VALUES_OF(name, expr, ...) LOOPS_VALUE(name##_y, expr)
#define ROUNDING_OF(name, expr, ...) LOOPS_NUMBER(name##_y, expr)
EACH_ARITHMETIC(NUMBERS_OF, FLOATS_OF)
EACH_ORDER(FLOATS_OF)
EACH_COMPARISON(VALUES_OF)
EACH_ROUNDING(ROUNDING_OF)

#define NUMBER_ROWS(name, ...) NUMBER_ELEMENTS(#name, name##_y) FLOAT_ELEMENTS("_backward_" #name, name##_dy)
#define FLOAT_ROWS(name, ...) FLOAT_ELEMENTS(#name, name##_y) FLOAT_ELEMENTS("_backward_" #name, name##_dy)
#define VALUE_ROWS(name, ...) VALUE_ELEMENTS(#name, name##_y)
#define ROUNDING_ROWS(name, ...) NUMBER_ELEMENTS(#name, name##_y)

/* clang-format off */
const Kernel array_scalar_kernels[] = {
  EACH_ARITHMETIC(NUMBER_ROWS, FLOAT_ROWS) EACH_ORDER(FLOAT_ROWS) EACH_COMPARISON(VALUE_ROWS)
  EACH_ROUNDING(ROUNDING_ROWS) { 0 }
};
/* clang-format on */
