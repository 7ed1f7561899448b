/* unary_kernels.c - elementwise operators of one operand. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/elementwise/unary.h"

#define FLOATS_OF(name, expr, grad, ...) LOOPS_FLOAT(name##_y, expr) LOOPS_FLOAT(name##_dy, grad)
#define NUMBERS_OF(name, expr, grad, ...) LOOPS_NUMBER(name##_y, expr) LOOPS_FLOAT(name##_dy, grad)
#define STEP_OF(name, expr, ...) LOOPS_NUMBER(name##_y, expr)
#define VALUES_OF(name, expr, ...) LOOPS_VALUE(name##_y, expr)
EACH_DIFFERENTIABLE(FLOATS_OF, NUMBERS_OF)
EACH_STEP(STEP_OF, VALUES_OF)

#define FLOAT_ROWS(name, ...) FLOAT_ELEMENTS(#name, name##_y) FLOAT_ELEMENTS("_backward_" #name, name##_dy)
#define NUMBERS(name, ...) NUMBER_ELEMENTS(#name, name##_y) FLOAT_ELEMENTS("_backward_" #name, name##_dy)
#define STEP(name, ...) NUMBER_ELEMENTS(#name, name##_y)
#define VALUES(name, ...) VALUE_ELEMENTS(#name, name##_y)

const Kernel unary_kernels[] = { EACH_DIFFERENTIABLE(FLOAT_ROWS, NUMBERS) EACH_STEP(STEP, VALUES){ 0 } };
