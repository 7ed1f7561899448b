/* straight_through_kernels.c - elementwise operators whose gradients are chosen by design. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/elementwise/straight_through.h"

#define LOOPS(name, expr, grad, ...) LOOPS_FLOAT(name##_y, expr) LOOPS_FLOAT(name##_dy, grad)
EACH_STRAIGHT_THROUGH(LOOPS)

#define KERNELS(name, ...) \
  FLOAT_ELEMENTS("_contrib_" #name, name##_y) FLOAT_ELEMENTS("_backward__contrib_" #name, name##_dy)

const Kernel straight_through_kernels[] = { EACH_STRAIGHT_THROUGH(KERNELS){ 0 } };
