/* straight_through_kernels.c - elementwise operators whose gradients are chosen by design. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/elementwise/straight_through.h"

#define LOOPS(name, expr, ...) LOOPS_FLOAT(name##_y, expr)
EACH_STRAIGHT_THROUGH(LOOPS)

/* The two others pass the gradient on, which needs no kernel. */
LOOPS_FLOAT(gradientmultiplier_dy, g *s)

#define KERNELS(name, ...) FLOAT_ELEMENTS("_contrib_" #name, name##_y)

const Kernel straight_through_kernels[] = { EACH_STRAIGHT_THROUGH(
  KERNELS) FLOAT_ELEMENTS("_backward__contrib_gradientmultiplier", gradientmultiplier_dy){ 0 } };
